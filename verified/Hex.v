(** * A full Hex board joins exactly one player

    The board has [R] rows and [C] columns. It lies in a corner of the triangle of size [R + C]: the
    cells of the triangle below it are Black's and those to the right of it are White's. *)

From Coq Require Import Arith Lia Bool.
From Rex Require Import Board Triangle.

Section Hex.
Variables R C : nat.
Hypothesis R_pos : 0 < R.
Hypothesis C_pos : 0 < C.
Variable g : nat -> nat -> player.

Definition field (X : player) (x y : nat) : Prop := x < R /\ y < C /\ g x y = X.

Definition connects (X : player) : Prop :=
  match X with
  | Black => exists y b, link (field Black) 0 y (R - 1) b
  | White => exists x a, link (field White) x 0 a (C - 1)
  end.

Let N := R + C.

Definition extended (x y : nat) : player :=
  if R <=? x then Black else if C <=? y then White else g x y.

Lemma extended_below x y : R <= x -> extended x y = Black.
Proof. intros H. unfold extended. apply Nat.leb_le in H. now rewrite H. Qed.

Lemma extended_right x y : x < R -> C <= y -> extended x y = White.
Proof.
  intros H K. unfold extended. apply Nat.leb_gt in H. apply Nat.leb_le in K. now rewrite H, K.
Qed.

Lemma extended_inside x y : x < R -> y < C -> extended x y = g x y.
Proof. intros H K. unfold extended. apply Nat.leb_gt in H, K. now rewrite H, K. Qed.

Lemma field_mine X x y : field X x y -> mine N extended X x y.
Proof. intros (H & K & E). split; [unfold N; lia|]. now rewrite extended_inside. Qed.

Lemma below_link n : n < C -> link (mine N extended Black) R 0 R n.
Proof.
  induction n as [|n IH]; intros H.
  - apply link_refl. split; [unfold N; lia|now apply extended_below].
  - eapply link_step; [apply IH; lia|unfold nb; lia|]. split; [unfold N; lia|now apply extended_below].
Qed.

Lemma right_link n : n < R -> link (mine N extended White) 0 C n C.
Proof.
  induction n as [|n IH]; intros H.
  - apply link_refl. split; [unfold N; lia|now apply extended_right].
  - eapply link_step; [apply IH; lia|unfold nb; lia|]. split; [unfold N; lia|apply extended_right; lia].
Qed.

(** A player who connects has a Y. *)
Lemma connects_y X : connects X -> has_y N extended X.
Proof.
  destruct X; simpl.
  - intros (y & b & L). pose proof (link_ends _ _ _ _ _ L) as [_ (Hb & Kb & Eb)].
    assert (link (mine N extended Black) 0 y R b) as L'.
    { eapply link_step; [eapply link_mono; [|exact L]; apply field_mine|unfold nb; lia|].
      split; [unfold N; lia|now apply extended_below]. }
    exists R, b. repeat split.
    + exists y. now apply link_sym.
    + exists R. now apply link_sym, below_link.
    + exists R, (C - 1). split; [unfold N; lia|].
      eapply link_trans; [apply link_sym, below_link; assumption|apply below_link; lia].
  - intros (x & a & L). pose proof (link_ends _ _ _ _ _ L) as [_ (Ha & Ka & Ea)].
    assert (link (mine N extended White) x 0 a C) as L'.
    { eapply link_step; [eapply link_mono; [|exact L]; apply field_mine|unfold nb; lia|].
      split; [unfold N; lia|now apply extended_right]. }
    exists a, C. repeat split.
    + exists C. now apply link_sym, right_link.
    + exists x. now apply link_sym.
    + exists (R - 1), C. split; [unfold N; lia|].
      eapply link_trans; [apply link_sym, right_link; assumption|apply right_link; lia].
Qed.

(** A path of Black's that starts on the board and leaves it crosses the bottom row; one of White's crosses the
    right column. *)
Lemma black_leaves x y a b :
  link (mine N extended Black) x y a b -> x < R -> y < C ->
  (a < R /\ link (field Black) x y a b) \/ exists d, link (field Black) x y (R - 1) d.
Proof.
  intros L Hx Hy. induction L as [[_ E]|a b c d L IH Hn [HN E]].
  - left. split; [assumption|]. apply link_refl. rewrite extended_inside in E by lia. now repeat split.
  - destruct IH as [[Ha IH]|IH]; [|now right].
    destruct (Nat.lt_ge_cases c R) as [Hc|Hc].
    + left. split; [assumption|]. eapply link_step; eauto.
      destruct (Nat.lt_ge_cases d C) as [Hd|Hd].
      * rewrite extended_inside in E by assumption. now repeat split.
      * rewrite extended_right in E by assumption. discriminate.
    + right. exists b. replace (R - 1) with a by (unfold nb in Hn; lia). assumption.
Qed.

Lemma white_leaves x y a b :
  link (mine N extended White) x y a b -> x < R -> y < C ->
  (b < C /\ link (field White) x y a b) \/ exists d, link (field White) x y d (C - 1).
Proof.
  intros L Hx Hy. induction L as [[_ E]|a b c d L IH Hn [HN E]].
  - left. split; [assumption|]. apply link_refl. rewrite extended_inside in E by lia. now repeat split.
  - destruct IH as [[Ha IH]|IH]; [|now right].
    destruct (Nat.lt_ge_cases c R) as [Hc|Hc]; [|rewrite extended_below in E by assumption; discriminate].
    destruct (Nat.lt_ge_cases d C) as [Hd|Hd].
    + left. split; [assumption|]. eapply link_step; eauto.
      rewrite extended_inside in E by assumption. now repeat split.
    + right. exists a. replace (C - 1) with b by (unfold nb in Hn; lia). assumption.
Qed.

Lemma y_connects X : has_y N extended X -> connects X.
Proof.
  intros (x & y & (b0 & L0) & (a1 & L1) & (a2 & b2 & H2 & L2)). destruct X; simpl.
  - pose proof (link_trans _ _ _ _ _ _ _ (link_sym _ _ _ _ _ L0) L2) as L.
    pose proof (link_ends _ _ _ _ _ L) as [[_ E] [_ E2]].
    destruct (Nat.lt_ge_cases b0 C) as [Hb|Hb]; [|rewrite extended_right in E by assumption; discriminate].
    destruct (black_leaves _ _ _ _ L R_pos Hb) as [[Ha K]|[d K]]; [|eauto].
    destruct (link_ends _ _ _ _ _ K) as [_ (? & ? & _)]. unfold N in H2. lia.
  - pose proof (link_trans _ _ _ _ _ _ _ (link_sym _ _ _ _ _ L1) L2) as L.
    pose proof (link_ends _ _ _ _ _ L) as [[_ E] [_ E2]].
    destruct (Nat.lt_ge_cases a1 R) as [Ha|Ha]; [|rewrite extended_below in E by assumption; discriminate].
    destruct (white_leaves _ _ _ _ L Ha C_pos) as [[Hb K]|[d K]]; [|eauto].
    destruct (link_ends _ _ _ _ _ K) as [_ (? & ? & _)]. unfold N in H2. lia.
Qed.

Lemma connects_exists : connects Black \/ connects White.
Proof.
  destruct (y_exists (R + C - 1) extended) as [H|H];
    replace (S (R + C - 1)) with N in H by (unfold N; lia); apply y_connects in H; auto.
Qed.

Lemma connects_unique : connects Black -> connects White -> False.
Proof.
  intros HB HW. apply connects_y in HB, HW. apply (y_unique (R + C - 1) extended);
    replace (S (R + C - 1)) with N by (unfold N; lia); assumption.
Qed.

End Hex.

(** ** The same for boards *)

Section Board.
Variable B : board.
Hypothesis rows_pos : 0 < rows B.
Hypothesis cols_pos : 0 < cols B.
Notation size := (size B).
Notation row := (row B).
Notation col := (col B).
Notation at_ := (at_ B).
Notation path := (path B).
Notation joined := (joined B).

Variable f : cell -> player.

Let g x y := f (at_ x y).

Lemma link_path X x y a b :
  link (field (rows B) (cols B) g X) x y a b -> path (fun c => f c = X) (at_ x y) (at_ a b).
Proof.
  induction 1 as [(Hx & Hy & E)|a b c d L IH Hn (Hc & Hd & E)]; [now apply path_here|].
  destruct (link_ends _ _ _ _ _ L) as [_ (Ha & Hb & _)].
  eapply path_step; eauto. unfold adj. rewrite !row_at, !col_at by assumption.
  auto using at_size.
Qed.

Lemma path_link X a b :
  a < size -> path (fun c => f c = X) a b ->
  link (field (rows B) (cols B) g X) (row a) (col a) (row b) (col b).
Proof.
  assert (K : forall c, c < size -> f c = X -> field (rows B) (cols B) g X (row c) (col c)).
  { intros c Hc E. repeat split; auto using row_lt, col_lt. unfold g. now rewrite at_row_col. }
  intros Ha. induction 1 as [E|b c Hp IH (Hb & Hc & Hn) E]; [apply link_refl; auto|].
  eapply link_step; eauto.
Qed.

Lemma joined_connects X : joined X (fun c => f c = X) <-> connects (rows B) (cols B) g X.
Proof.
  split.
  - intros (a & b & [Ha Sa] & [Hb Sb] & Hp). apply path_link in Hp; [|assumption].
    destruct X; simpl; rewrite Sa, Sb in Hp; eauto.
  - destruct X; simpl.
    + intros (y & b & L). pose proof (link_ends _ _ _ _ _ L) as [(? & ? & _) (? & ? & _)].
      exists (at_ 0 y), (at_ (rows B - 1) b). repeat split; auto using at_size, row_at. now apply link_path.
    + intros (x & a & L). pose proof (link_ends _ _ _ _ _ L) as [(? & ? & _) (? & ? & _)].
      exists (at_ x 0), (at_ a (cols B - 1)). repeat split; auto using at_size, col_at. now apply link_path.
Qed.

(** On a full board exactly one player is joined. *)
Theorem hex : joined Black (fun c => f c = Black) \/ joined White (fun c => f c = White).
Proof. rewrite !joined_connects. now apply connects_exists. Qed.

Theorem hex_once : joined Black (fun c => f c = Black) -> joined White (fun c => f c = White) -> False.
Proof. rewrite !joined_connects. now apply connects_unique. Qed.

End Board.
