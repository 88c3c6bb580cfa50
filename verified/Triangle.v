(** * Triangles of hexagonal cells

    The theorem that a full Hex board joins exactly one player is proved by way of the game of Y.
    Its board is a triangle of cells, and a player has a Y when her cells connect all three sides.
    Every triangle of three cells that touch each other votes, and the votes are a full board that
    is one smaller. A player has a Y on the one board if and only if she has one on the other
    (the reduction is C. Titus's and C. Schensted's). On a single cell exactly one player has a Y. *)

From Coq Require Import Arith Lia.
From Rex Require Import Board.

(** [link D x y a b]: a path inside [D] leads from the one cell to the other. *)
Inductive link (D : nat -> nat -> Prop) (x y : nat) : nat -> nat -> Prop :=
| link_refl : D x y -> link D x y x y
| link_step a b c d : link D x y a b -> nb a b c d -> D c d -> link D x y c d.

Lemma link_ends (D : nat -> nat -> Prop) x y a b : link D x y a b -> D x y /\ D a b.
Proof. induction 1; intuition. Qed.

Lemma link_trans (D : nat -> nat -> Prop) x y a b c d : link D x y a b -> link D a b c d -> link D x y c d.
Proof. intros H; induction 1; eauto using link_step. Qed.

Lemma link_one (D : nat -> nat -> Prop) x y a b : D x y -> D a b -> nb x y a b -> link D x y a b.
Proof. intros; eapply link_step; eauto using link_refl. Qed.

Lemma link_sym (D : nat -> nat -> Prop) x y a b : link D x y a b -> link D a b x y.
Proof.
  induction 1 as [|a b c d Hl IH Hn Hd]; [now apply link_refl|].
  apply link_trans with a b; [|exact IH].
  apply link_one; auto using nb_sym. now apply link_ends in Hl.
Qed.

Lemma link_mono (D E : nat -> nat -> Prop) x y a b :
  (forall u v, D u v -> E u v) -> link D x y a b -> link E x y a b.
Proof. intros HDE; induction 1; eauto using link_refl, link_step. Qed.

(** ** The game of Y *)

(** The cells of player [X] on the triangle of size [N]. *)
Definition mine (N : nat) (f : nat -> nat -> player) (X : player) (x y : nat) : Prop :=
  x + y < N /\ f x y = X.

Definition has_y N f X : Prop :=
  exists x y,
    (exists b, link (mine N f X) x y 0 b) /\
    (exists a, link (mine N f X) x y a 0) /\
    (exists a b, a + b + 1 = N /\ link (mine N f X) x y a b).

Definition majority (p q r : player) : player :=
  match p, q, r with
  | Black, Black, _ | Black, _, Black | _, Black, Black => Black
  | _, _, _ => White
  end.

Definition vote (f : nat -> nat -> player) (x y : nat) : player :=
  majority (f x y) (f (x + 1) y) (f x (y + 1)).

(** The cell [a b] is a voter of [x y]. *)
Definition voter (x y a b : nat) : Prop :=
  (a = x /\ b = y) \/ (a = x + 1 /\ b = y) \/ (a = x /\ b = y + 1).

(** Two of three voters decide. *)
Lemma two_votes f x y a b c d X :
  voter x y a b -> voter x y c d -> (a <> c \/ b <> d) -> f a b = X -> f c d = X -> vote f x y = X.
Proof.
  unfold voter, vote; intros V W Hne Ha Hc.
  destruct V as [[-> ->]|[[-> ->]|[-> ->]]], W as [[-> ->]|[[-> ->]|[-> ->]]]; try lia;
    rewrite Ha, Hc; destruct X;
    repeat match goal with |- context [f ?u ?v] => destruct (f u v) end; reflexivity.
Qed.

(** If one voter is against, the other two are in favour. *)
Lemma others_vote f x y a b c d X :
  voter x y a b -> voter x y c d -> (a <> c \/ b <> d) -> vote f x y = X -> f a b <> X -> f c d = X.
Proof.
  intros V W Hne Hv Ha. destruct (player_eq_dec (f c d) X) as [|Hc]; [assumption|].
  apply other in Ha, Hc.
  assert (vote f x y = opp X).
  { eapply two_votes; [exact V|exact W|exact Hne| |]; [destruct (f a b), X|destruct (f c d), X]; simpl in *; congruence. }
  destruct X; simpl in *; congruence.
Qed.

Ltac voters := unfold voter; lia.

(** *** From the smaller triangle to the larger *)

Lemma same_vote N f X x y a b c d :
  x + y < N -> voter x y a b -> voter x y c d -> f a b = X -> f c d = X ->
  link (mine (S N) f X) a b c d.
Proof.
  intros HN V W Ha Hc.
  destruct (Nat.eq_dec a c) as [<-|Hne]; [destruct (Nat.eq_dec b d) as [<-|Hne]|].
  - apply link_refl. unfold mine, voter in *; split; [lia|assumption].
  - apply link_one; unfold mine, voter, nb in *; try split; lia || assumption.
  - apply link_one; unfold mine, voter, nb in *; try split; lia || assumption.
Qed.

(** Neighbours that vote alike have voters that are connected. *)
Lemma next_vote f X x y c d :
  nb x y c d -> vote f x y = X -> vote f c d = X ->
  exists p q r s, voter x y p q /\ voter c d r s /\ f p q = X /\ f r s = X /\ (nb p q r s \/ (p = r /\ q = s)).
Proof.
  assert (K : forall x y c d v w p q r s, vote f x y = X -> vote f c d = X ->
     voter x y v w -> voter c d v w -> voter x y p q -> voter c d r s ->
     (p <> v \/ q <> w) -> (r <> v \/ s <> w) -> nb p q r s ->
     exists p q r s, voter x y p q /\ voter c d r s /\ f p q = X /\ f r s = X /\ (nb p q r s \/ (p = r /\ q = s))).
  { clear. intros x y c d v w p q r s H1 H2 V1 V2 P R Np Nr Hn.
    destruct (player_eq_dec (f v w) X) as [E|E].
    - exists v, w, v, w. auto 10.
    - exists p, q, r, s. repeat split; auto.
      + eapply others_vote; [exact V1|exact P| | |]; auto; lia.
      + eapply others_vote; [exact V2|exact R| | |]; auto; lia. }
  intros Hn H1 H2. unfold nb in Hn.
  destruct Hn as [[-> ->]|[[-> ->]|[[-> ->]|[[-> ->]|[[-> ->]|[-> ->]]]]]].
  - apply (K _ _ _ _ (x + 1) y x (y + 1) (x + 1) (y + 1)); auto; unfold voter, nb; lia.
  - apply (K _ _ _ _ (c + 1) y (c + 1) (y + 1) c (y + 1)); auto; unfold voter, nb; lia.
  - apply (K _ _ _ _ x (y + 1) (x + 1) y (x + 1) (y + 1)); auto; unfold voter, nb; lia.
  - apply (K _ _ _ _ x (d + 1) (x + 1) (d + 1) (x + 1) d); auto; unfold voter, nb; lia.
  - apply (K _ _ _ _ (x + 1) (d + 1) x (d + 1) (x + 1) d); auto; unfold voter, nb; lia.
  - apply (K _ _ _ _ (c + 1) (y + 1) (c + 1) y c (y + 1)); auto; unfold voter, nb; lia.
Qed.

Lemma link_up N f X x y c d :
  link (mine N (vote f) X) x y c d ->
  forall p q r s, voter x y p q -> voter c d r s -> f p q = X -> f r s = X ->
  link (mine (S N) f X) p q r s.
Proof.
  induction 1 as [[HN _]|a b c d Hl IH Hn [HN Hv]]; intros p q r s P R Hp Hr.
  - exact (same_vote N f X x y p q r s HN P R Hp Hr).
  - destruct (link_ends _ _ _ _ _ Hl) as [_ [HN' Hv']].
    destruct (next_vote f X a b c d Hn Hv' Hv) as (p1 & q1 & r1 & s1 & P1 & R1 & Hp1 & Hr1 & Hn1).
    apply link_trans with r1 s1; [|exact (same_vote N f X c d r1 s1 r s HN R1 R Hr1 Hr)].
    specialize (IH p q p1 q1 P P1 Hp Hp1).
    destruct Hn1 as [Hn1|[-> ->]]; [|assumption].
    eapply link_step; eauto. unfold mine, voter in *; split; [lia|assumption].
Qed.

Lemma one_voter f x y a b c d X :
  voter x y a b -> voter x y c d -> (a <> c \/ b <> d) -> vote f x y = X -> f a b = X \/ f c d = X.
Proof.
  intros. destruct (player_eq_dec (f a b) X); [now left|right].
  eapply others_vote; [| |eassumption| |]; eassumption.
Qed.

Lemma y_up N f X : has_y N (vote f) X -> has_y (S N) f X.
Proof.
  intros (x & y & (b0 & L0) & (a1 & L1) & (a2 & b2 & H2 & L2)).
  assert (exists p q, voter x y p q /\ f p q = X) as (p & q & P & Hp).
  { destruct (link_ends _ _ _ _ _ L0) as [[_ Hv] _].
    destruct (one_voter f x y x y (x + 1) y X) as [E|E]; auto; try voters; eexists _, _; (split; [|exact E]); voters. }
  exists p, q. repeat split.
  - destruct (link_ends _ _ _ _ _ L0) as [_ [_ Hv]].
    destruct (one_voter f 0 b0 0 b0 0 (b0 + 1) X) as [E|E]; auto; try voters;
      (eexists; eapply link_up; [exact L0|exact P| |exact Hp|exact E]); voters.
  - destruct (link_ends _ _ _ _ _ L1) as [_ [_ Hv]].
    destruct (one_voter f a1 0 a1 0 (a1 + 1) 0 X) as [E|E]; auto; try voters;
      (eexists; eapply link_up; [exact L1|exact P| |exact Hp|exact E]); voters.
  - destruct (link_ends _ _ _ _ _ L2) as [_ [_ Hv]].
    destruct (one_voter f a2 b2 (a2 + 1) b2 a2 (b2 + 1) X) as [E|E]; auto; try voters;
      (eexists _, _; split; [|eapply link_up; [exact L2|exact P| |exact Hp|exact E]]); [lia|voters|lia|voters].
Qed.

(** *** From the larger triangle to the smaller *)

(** Neighbours of one colour are voters of a common cell. *)
Lemma common_vote N f X a b c d :
  mine (S N) f X a b -> mine (S N) f X c d -> nb a b c d ->
  exists x y, mine N (vote f) X x y /\ voter x y a b /\ voter x y c d.
Proof.
  intros [HN Ha] [HN' Hc] Hn.
  assert (exists x y, x + y < N /\ voter x y a b /\ voter x y c d) as (x & y & H & V & W).
  { unfold nb in Hn.
    destruct Hn as [[-> ->]|[[-> ->]|[[-> ->]|[[-> ->]|[[-> ->]|[-> ->]]]]]];
      [exists a, b|exists c, b|exists a, b|exists a, d|exists a, d|exists c, b]; unfold voter; lia. }
  exists x, y. repeat split; auto. eapply two_votes; [exact V|exact W| | |]; auto.
  unfold nb in Hn; lia.
Qed.

Lemma shared_voter x y x' y' a b :
  voter x y a b -> voter x' y' a b -> nb x y x' y' \/ (x = x' /\ y = y').
Proof. unfold voter, nb; lia. Qed.

Lemma link_down N f X p q c d x y :
  link (mine (S N) f X) p q c d -> mine N (vote f) X x y -> voter x y p q ->
  exists x' y', voter x' y' c d /\ link (mine N (vote f) X) x y x' y'.
Proof.
  intros Hl Hm V. induction Hl as [Hp|a b c d Hl IH Hn Hd].
  - exists x, y. split; [assumption|now apply link_refl].
  - destruct IH as (x1 & y1 & V1 & L1).
    destruct (link_ends _ _ _ _ _ Hl) as [_ Hab].
    destruct (common_vote N f X a b c d Hab Hd Hn) as (x2 & y2 & M2 & V2 & W2).
    exists x2, y2. split; [assumption|].
    destruct (shared_voter _ _ _ _ _ _ V1 V2) as [Hn'|[-> ->]]; [|assumption].
    eapply link_step; eauto.
Qed.

(** Where a path that moves ends, there is a vote. *)
Lemma end_votes N f X p q c d :
  link (mine (S N) f X) p q c d ->
  (p = c /\ q = d) \/ exists x y, mine N (vote f) X x y /\ voter x y c d.
Proof.
  intros Hl. destruct Hl as [Hp|a b c d Hl Hn Hd]; [now left|right].
  destruct (link_ends _ _ _ _ _ Hl) as [_ Hab].
  destruct (common_vote N f X a b c d Hab Hd Hn) as (x & y & M & _ & W). eauto.
Qed.

Lemma y_down N f X : N > 0 -> has_y (S N) f X -> has_y N (vote f) X.
Proof.
  intros HN (p & q & (b0 & L0) & (a1 & L1) & (a2 & b2 & H2 & L2)).
  assert (exists c d x y, mine N (vote f) X x y /\ voter x y c d /\ link (mine (S N) f X) p q c d)
    as (c & d & x & y & M & V & L).
  { destruct (end_votes _ _ _ _ _ _ _ L0) as [[E0 E0']|(x & y & M & V)]; [|eauto 8].
    destruct (end_votes _ _ _ _ _ _ _ L1) as [[E1 E1']|(x & y & M & V)]; [|eauto 8].
    destruct (end_votes _ _ _ _ _ _ _ L2) as [[E2 E2']|(x & y & M & V)]; [lia|eauto 8]. }
  apply link_sym in L.
  destruct (link_down N f X c d _ _ x y (link_trans _ _ _ _ _ _ _ L L0) M V) as (x0 & y0 & V0 & K0).
  destruct (link_down N f X c d _ _ x y (link_trans _ _ _ _ _ _ _ L L1) M V) as (x1 & y1 & V1 & K1).
  destruct (link_down N f X c d _ _ x y (link_trans _ _ _ _ _ _ _ L L2) M V) as (x2 & y2 & V2 & K2).
  exists x, y. repeat split.
  - assert (x0 = 0) as -> by (unfold voter in V0; lia). now exists y0.
  - assert (y1 = 0) as -> by (unfold voter in V1; lia). now exists x1.
  - exists x2, y2. split; [|assumption].
    destruct (link_ends _ _ _ _ _ K2) as [_ [H _]]. unfold voter in V2. lia.
Qed.

(** *** Exactly one player has a Y *)

Lemma y_exists N f : has_y (S N) f Black \/ has_y (S N) f White.
Proof.
  revert f; induction N as [|N IH]; intros f.
  - assert (H : has_y 1 f (f 0 0)).
    { assert (link (mine 1 f (f 0 0)) 0 0 0 0) by (apply link_refl; split; [lia|reflexivity]).
      exists 0, 0. repeat split; eauto. exists 0, 0. split; [lia|assumption]. }
    destruct (f 0 0); auto.
  - destruct (IH (vote f)) as [H|H]; apply y_up in H; auto.
Qed.

Lemma y_unique N f : has_y (S N) f Black -> has_y (S N) f White -> False.
Proof.
  revert f; induction N as [|N IH]; intros f HB HW.
  - destruct HB as (x & y & (b & L) & _), HW as (x' & y' & (b' & L') & _).
    apply link_ends in L, L'. unfold mine in *.
    assert (b = 0) by lia. assert (b' = 0) by lia. subst. intuition congruence.
  - apply y_down in HB, HW; [|lia|lia]. eauto.
Qed.
