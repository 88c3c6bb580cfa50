(** * Dead cells: the graph of a player, and cliques that cut cells off

    Defines which cells are near each other over a player's groups, and what it means that the colours of cells are irrelevant
    to who is joined on the full board. Cells that a clique cuts off from a side are irrelevant. *)

From Coq Require Import Arith Lia List Bool.
From Rex Require Import Hex Board Game Rex.

Section Graph.
Variable B : board.
Variable X : player.

(** Her stones. *)
Variable own : cell -> Prop.

Definition side (i : bool) : cell -> Prop := if i then first_side B X else second_side B X.

(** [c] touches a group of hers that has a stone in side [i], or belongs to that side. *)
Definition at_side (i : bool) (c : cell) : Prop :=
  side i c \/ exists s t, side i s /\ path B own s t /\ adj B t c.

(** Two cells touch, or touch the same group of hers, which has no stone in her sides. *)
Definition near (c d : cell) : Prop :=
  adj B c d \/
  exists s t, adj B c s /\ path B own s t /\ adj B t d /\ forall i u, path B own s u -> ~ side i u.

Lemma near_sym c d : near c d -> near d c.
Proof.
  intros [H|(s & t & H1 & H2 & H3 & H4)]; [left; now apply adj_sym|].
  right. exists t, s. split; [now apply adj_sym|]. split; [now apply path_sym|]. split; [now apply adj_sym|].
  intros i u Hu. apply H4. eapply path_trans; eauto.
Qed.

(** [reach O c]: a path of cells in [O], each near the next, leads from the first side to [c]. *)
Inductive reach (O : cell -> Prop) : cell -> Prop :=
| reach_side c : O c -> at_side true c -> reach O c
| reach_near c d : reach O c -> near c d -> O d -> reach O d.

Definition crosses (O : cell -> Prop) : Prop := exists c, reach O c /\ at_side false c.

Lemma reach_in O c : reach O c -> O c.
Proof. now destruct 1. Qed.

(** ** Connections on the board and in the graph *)

Lemma crosses_joined (O S : cell -> Prop) :
  (forall c, c < size B -> own c -> S c) -> (forall c, O c -> S c) -> crosses O -> joined B X S.
Proof.
  intros Hown HO (c & Hr & Hc).
  assert (Lift : forall s t, s < size B -> path B own s t -> path B S s t).
  { intros s t Hs. apply path_mono; auto. }
  assert (K : forall c, reach O c -> exists a, first_side B X a /\ path B S a c).
  { induction 1 as [d Od [Hd|(s & t & Hs & Hp & Ha)]|d e Hr' IH Hn Oe].
    - exists d. split; [exact Hd|]. apply path_here. auto.
    - exists s. split; [exact Hs|]. eapply path_step; [apply Lift; [apply Hs|exact Hp]|exact Ha|auto].
    - destruct IH as (a & Ha & Hp). exists a. split; [assumption|].
      destruct Hn as [Hn|(s & t & H1 & H2 & H3 & _)]; [eapply path_step; eauto|].
      eapply path_step; [|exact H3|auto]. eapply path_trans; [|apply Lift; [|exact H2]].
      + eapply path_step; [exact Hp|exact H1|]. apply Hown; [apply H1|]. now apply path_ends in H2.
      + now destruct H1 as (_ & ? & _). }
  destruct (K c Hr) as (a & Ha & Hp).
  destruct Hc as [Hc|(s & t & Hs & Hp' & Hadj)]; [exists a, c; auto|].
  exists a, s. split; [exact Ha|]. split; [exact Hs|]. eapply path_trans; [exact Hp|].
  apply path_sym. eapply path_step; [apply Lift; [apply Hs|exact Hp']|exact Hadj|]. apply path_ends in Hp. tauto.
Qed.

Lemma no_middle (A : Prop) : ~ ~ (A \/ ~ A).
Proof. tauto. Qed.

Lemma joined_crosses (O S : cell -> Prop) :
  (forall c, c < size B -> S c -> own c \/ O c) ->
  joined B X S -> ~ joined B X own -> ~ crosses O -> False.
Proof.
  intros HS (a & b & Ha & Hb & Hp) Nown Ncross.
  (* A cell of hers that is connected to the first side is so in the graph, or belongs to a group that is. *)
  pose (tied := fun c => reach O c \/
    (own c /\ ((exists s, first_side B X s /\ path B own s c) \/
               exists o t, reach O o /\ adj B o t /\ path B own t c))).
  assert (K : ~ ~ tied b).
  { assert (An : a < size B) by apply Ha. clear Hb.
    induction Hp as [Sa|b c Hp IH Hadj Sc].
    - intros N. apply N. destruct (HS a An Sa) as [Oa|Oa].
      + right. split; [assumption|]. left. exists a. split; [assumption|now apply path_here].
      + left. apply reach_side; [assumption|]. left. exact Ha.
    - intros N. apply IH. intros Tb. assert (Cn : c < size B) by (now destruct Hadj as (_ & ? & _)).
      destruct (HS c Cn Sc) as [Oc|Oc].
      + apply N. right. split; [assumption|]. destruct Tb as [Rb|[Ob [(s & Hs & Hps)|(o & t & Ro & Hot & Hpt)]]].
        * right. exists b, c. split; [assumption|]. split; [assumption|]. now apply path_here.
        * left. exists s. split; [assumption|]. eapply path_step; eauto.
        * right. exists o, t. split; [assumption|]. split; [assumption|]. eapply path_step; eauto.
      + destruct Tb as [Rb|[Ob [(s & Hs & Hps)|(o & t & Ro & Hot & Hpt)]]].
        * apply N. left. eapply reach_near; eauto. now left.
        * apply N. left. apply reach_side; [assumption|]. right. exists s, b. auto.
        * apply (no_middle (exists s, first_side B X s /\ path B own s b)). intros [(s & Hs & Hps)|N1].
          { apply N. left. apply reach_side; [assumption|]. right. exists s, b. auto. }
          apply (no_middle (exists s, second_side B X s /\ path B own s t)). intros [(s & Hs & Hps)|N2].
          { apply Ncross. exists o. split; [assumption|]. right. exists s, t. auto using adj_sym. }
          apply N. left. eapply reach_near; [exact Ro| |assumption].
          right. exists t, b. split; [assumption|]. split; [assumption|]. split; [assumption|].
          intros [] u Hu Su.
          -- apply N1. exists u. split; [exact Su|]. eapply path_trans; [apply path_sym; exact Hu|exact Hpt].
          -- apply N2. exists u. split; [exact Su|]. now apply path_sym. }
  apply K. intros [Rb|[Ob [(s & Hs & Hps)|(o & t & Ro & Hot & Hpt)]]].
  - apply Ncross. exists b. split; [assumption|]. left. exact Hb.
  - apply Nown. exists s, b. auto.
  - apply Ncross. exists o. split; [assumption|]. right. exists b, t. split; [exact Hb|].
    split; [now apply path_sym|now apply adj_sym].
Qed.

(** ** A clique that cuts cells off *)

(** The open cells. *)
Variable opn : cell -> Prop.

Record cut (K C : cell -> bool) : Prop := {
  cut_clique : forall k l, K k = true -> K l = true -> k = l \/ near k l;
  cut_closed : forall c d, C c = true -> opn d -> near c d -> C d = true \/ K d = true;
  cut_sides :
    (forall c i, C c = true -> ~ at_side i c) \/
    exists i, (forall k, K k = true -> at_side i k) /\ (forall c, C c = true -> ~ at_side (negb i) c)
}.

(** A path from side to side that enters what is cut off can as well stay outside. *)
Lemma cut_dead K C (O : cell -> Prop) :
  cut K C -> (forall c, O c -> opn c) -> crosses O -> crosses (fun c => O c /\ C c = false).
Proof.
  intros [Hcl Hclosed Hsides] HO (e & Hr & He).
  pose (O' := fun c => O c /\ C c = false). fold O'.
  pose (entry := (exists k, K k = true /\ reach O' k) \/
                 ((forall k, K k = true -> at_side true k) /\ (forall c, C c = true -> ~ at_side false c))).
  assert (I : forall c, reach O c -> (C c = false /\ reach O' c) \/ (C c = true /\ entry)).
  { induction 1 as [c Oc Hc|c d Hr' IH Hn Od].
    - destruct (C c) eqn:E.
      + right. split; [reflexivity|]. right. destruct Hsides as [N|([] & HK & N)].
        * now apply N in Hc.
        * auto.
        * now apply N in Hc.
      + left. split; [reflexivity|]. apply reach_side; [split|]; auto.
    - destruct (C d) eqn:Ed.
      + right. split; [reflexivity|]. destruct IH as [[Ec Rc]|[Ec En]]; [|assumption].
        left. exists c. split; [|assumption].
        destruct (Hclosed d c Ed) as [E|E]; auto using near_sym; [|congruence].
        apply HO. now apply reach_in in Hr'.
      + left. split; [reflexivity|]. assert (O' d) as Od' by now split.
        destruct IH as [[Ec Rc]|[Ec En]]; [eapply reach_near; eauto|].
        assert (K d = true) as Kd by (destruct (Hclosed c d Ec); auto; congruence).
        destruct En as [(k & Kk & Rk)|[HK _]].
        * destruct (Hcl k d Kk Kd) as [->|Hkd]; [assumption|]. eapply reach_near; eauto.
        * apply reach_side; auto. }
  destruct (I e Hr) as [[_ R]|[Ee En]]; [exists e; auto|].
  destruct Hsides as [N|([] & HK & N)].
  - now apply N in He.
  - now apply N in He.
  - destruct En as [(k & Kk & Rk)|[_ N']]; [exists k; auto|now apply N' in He].
Qed.

End Graph.

(** ** Cells whose colours do not matter *)

Section Dead.
Variable B : board.
Hypothesis rows_pos : 0 < rows B.
Hypothesis cols_pos : 0 < cols B.
Notation n := (size B).

(** With the stones of [P], who is joined on a full board does not depend on the colours of [D]. *)
Definition irrelevant (P : position) (D : cell -> bool) : Prop :=
  forall f g, empties n f = 0 -> empties n g = 0 -> extends n f P -> extends n g P ->
    (forall c, c < n -> D c = false -> f c = g c) -> forall X, has_lost B X f -> has_lost B X g.

(** It is enough to look at one player. *)
Lemma irrelevant_one P D X :
  (forall f g, empties n f = 0 -> empties n g = 0 -> extends n f P -> extends n g P ->
    (forall c, c < n -> D c = false -> f c = g c) -> has_lost B X f -> has_lost B X g) -> irrelevant P D.
Proof.
  intros H f g F G Hf Hg Hfg Y J. destruct (player_eq_dec Y X) as [->|D'].
  - eapply H; eauto.
  - apply not_eq_sym, other in D'. subst Y.
    destruct (lost_one B rows_pos cols_pos X g G) as [J'|J']; [|assumption].
    exfalso. apply (lost_once' B rows_pos cols_pos X f); [|assumption].
    apply (H g f); auto. intros c Hc E. symmetry. auto.
Qed.

Lemma irrelevant_nothing P : irrelevant P (fun _ => false).
Proof.
  intros f g _ _ _ _ Hfg X. apply joined_mono. intros c Hc. unfold stones. now rewrite Hfg.
Qed.

Lemma irrelevant_less P D E : (forall c, c < n -> E c = true -> D c = true) -> irrelevant P D -> irrelevant P E.
Proof.
  intros HDE H f g F G Hf Hg Hfg. apply H; auto. intros c Hc Dc. apply Hfg; auto.
  destruct (E c) eqn:Ec; [|reflexivity]. apply HDE in Ec; [congruence|assumption].
Qed.

(** More stones never make colours matter. *)
Lemma irrelevant_more P Q D : extends n Q P -> irrelevant P D -> irrelevant Q D.
Proof.
  assert (K : forall f Q, extends n f Q -> extends n Q P -> extends n f P) by (intros f Q' H1 H2 c X Hc E; auto).
  intros HQ H f g F G Hf Hg. apply H; eauto.
Qed.

Lemma irrelevant_over P D X : has_lost B X P -> irrelevant P D.
Proof. intros J. apply (irrelevant_one P D X). intros f g _ _ _ Hg _ _. eapply lost_extends; eauto. Qed.

Definition stones_off (D : cell -> bool) (P : position) : Prop := forall c, c < n -> D c = true -> P c = None.

(** [f], with [X]'s stones on [D]. *)
Definition paint (f : position) (D : cell -> bool) (X : player) : position :=
  fun c => if D c then Some X else f c.

Lemma paint_full f D X : empties n f = 0 -> empties n (paint f D X) = 0.
Proof.
  intros F. destruct (Nat.eq_dec (empties n (paint f D X)) 0) as [|E]; [assumption|].
  destruct (empties_pos n (paint f D X)) as (c & Hc & Ec); [lia|]. unfold paint in Ec.
  destruct (D c); [discriminate|]. now apply (empties_zero n f c) in Ec.
Qed.

Lemma paint_extends f D X P : stones_off D P -> extends n f P -> extends n (paint f D X) P.
Proof.
  intros HD H c Y Hc E. unfold paint. destruct (D c) eqn:Dc; [|now apply H].
  rewrite HD in E; congruence.
Qed.

(** What a clique cuts off in one player's graph is dead, and dead together with what was dead before. *)
Theorem cut_irrelevant P D X K C :
  irrelevant P D -> stones_off D P ->
  cut B X (stones P X) (fun c => c < n /\ P c = None /\ D c = false) K C ->
  (forall c, C c = true -> P c = None) ->
  irrelevant P (fun c => D c || C c).
Proof.
  intros HD Hoff Hcut HC. apply (irrelevant_one _ _ X). intros f g F G Hf Hg Hfg J.
  destruct (lost_dec B rows_pos cols_pos X g) as [|N]; [assumption|exfalso].
  pose (f1 := paint f D (opp X)). pose (g1 := paint g D (opp X)).
  assert (has_lost B X f1) as J1.
  { apply (HD f f1); [assumption|now apply paint_full|assumption|now apply paint_extends| |assumption].
    intros c Hc E. unfold f1, paint. now rewrite E. }
  pose (O := fun c => (c < n /\ P c = None /\ D c = false) /\ f1 c = Some X).
  apply (joined_crosses B X (stones P X) O (stones f1 X)).
  - intros c Hc E. unfold stones, O in *. destruct (P c) as [Y|] eqn:EP.
    + left. assert (f1 c = Some Y) by (apply (paint_extends f D (opp X) P); auto). congruence.
    + right. repeat split; auto. unfold f1, paint in E. destruct (D c); [|reflexivity].
      injection E as E. now apply opp_neq in E.
  - exact J1.
  - intros K1. apply N. eapply (lost_extends B X g P); auto.
  - intros K1. apply N. apply (cut_dead B X (stones P X) _ K C O Hcut) in K1; [|now intros c [? _]].
    apply (HD g1 g); [now apply paint_full|assumption|now apply paint_extends|assumption| |].
    { intros c Hc E. unfold g1, paint. now rewrite E. }
    apply (crosses_joined B X (stones P X) (fun c => O c /\ C c = false)); [| |exact K1].
    + intros c Hc E. apply (paint_extends g D (opp X) P); auto.
    + intros c [[(Hc & Ec & Dc) Fc] Cc]. unfold stones, g1, f1, paint in *. rewrite Dc in *.
      rewrite <- Hfg; auto. now rewrite Dc, Cc.
Qed.

(** ** Positions that differ only where colours do not matter *)

Theorem W_irrelevant P D X L Q1 Q2 :
  irrelevant P D -> stones_off D P ->
  (forall c, c < n -> D c = false -> Q1 c = P c /\ Q2 c = P c) ->
  W B X L Q1 -> W B X L Q2.
Proof.
  intros HD Hoff HQ H1.
  assert (W B X L (paint Q1 D (opp X))) as H2.
  { revert H1. apply W_mono. intros c Hc. unfold paint. destruct (D c); [now right; right|apply le_refl]. }
  assert (W B X L (paint Q1 D X)) as H3.
  { revert H2. apply same_moves.
    - intros c Hc. unfold paint. destruct (D c); [split; discriminate|tauto].
    - intros f g Hf Hg F G Hfg. assert (K : forall c Y, c < n -> D c = false -> P c = Some Y -> f c = Some Y /\ g c = Some Y).
      { intros c Y Hc Dc E. split; [apply Hf|apply Hg]; auto; unfold paint; rewrite Dc;
          destruct (HQ c Hc Dc); congruence. }
      assert (K' : forall c Y, c < n -> P c = Some Y -> D c = false).
      { intros c Y Hc E. destruct (D c) eqn:Dc; [|reflexivity]. rewrite Hoff in E; congruence. }
      unfold won. apply HD; auto.
      + intros c Y Hc E. destruct (K c Y Hc (K' c Y Hc E) E). assumption.
      + intros c Y Hc E. destruct (K c Y Hc (K' c Y Hc E) E). assumption.
      + intros c Hc Dc. destruct (HQ c Hc Dc) as [E1 _]. destruct (P c) as [Y|] eqn:E.
        * destruct (K c Y Hc Dc E). congruence.
        * apply Hfg; [assumption|]. unfold paint. now rewrite Dc. }
  revert H3. apply W_mono. intros c Hc. unfold paint. destruct (D c) eqn:Dc; [now right; left|].
  destruct (HQ c Hc Dc) as [-> ->]. apply le_refl.
Qed.

End Dead.
