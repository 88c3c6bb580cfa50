(** * The board, and who is joined

    Cells are numbered from 0, row by row from the top and each row from the left. *)

From Coq Require Import Arith Lia.
From Rex Require Import Triangle Hex.

Record board := { rows : nat; cols : nat }.

Definition cell := nat.

Section Board.
Variable B : board.

(** The number of cells. *)
Definition size : nat := rows B * cols B.

Definition row (c : cell) : nat := c / cols B.
Definition col (c : cell) : nat := c mod cols B.

(** Two cells of the board that touch: next to each other in a row or in a column, or the one is to the upper
    right of the other. *)
Definition adj (c d : cell) : Prop :=
  c < size /\ d < size /\ nb (row c) (col c) (row d) (col d).

(** Black's sides are the top row and the bottom row, White's the left column and the right column. *)
Definition first_side (X : player) (c : cell) : Prop :=
  c < size /\ match X with Black => row c = 0 | White => col c = 0 end.
Definition second_side (X : player) (c : cell) : Prop :=
  c < size /\ match X with Black => row c = rows B - 1 | White => col c = cols B - 1 end.

(** [path S a b]: a path of cells that touch, all of them in [S], leads from [a] to [b]. *)
Inductive path (S : cell -> Prop) (a : cell) : cell -> Prop :=
| path_here : S a -> path S a a
| path_step b c : path S a b -> adj b c -> S c -> path S a c.

(** [X] is joined if her cells are [S]. *)
Definition joined (X : player) (S : cell -> Prop) : Prop :=
  exists a b, first_side X a /\ second_side X b /\ path S a b.

Lemma adj_sym c d : adj c d -> adj d c.
Proof. unfold adj. intuition auto using nb_sym. Qed.

Lemma path_ends S a b : path S a b -> S a /\ S b.
Proof. induction 1; intuition. Qed.

Lemma path_trans S a b c : path S a b -> path S b c -> path S a c.
Proof. intros H; induction 1; eauto using path_step. Qed.

Lemma path_one (S : cell -> Prop) a b : S a -> S b -> adj a b -> path S a b.
Proof. intros; eapply path_step; eauto using path_here. Qed.

Lemma path_sym S a b : path S a b -> path S b a.
Proof.
  induction 1 as [|b c Hp IH Ha Hc]; [now apply path_here|].
  apply path_trans with b; [|exact IH]. apply path_one; auto using adj_sym. now apply path_ends in Hp.
Qed.

Lemma path_mono (S T : cell -> Prop) a b : a < size ->
  (forall c, c < size -> S c -> T c) -> path S a b -> path T a b.
Proof.
  intros Ha HST; induction 1 as [|b c Hp IH Hadj Hc]; [apply path_here; auto|].
  eapply path_step; eauto. apply HST; auto. now destruct Hadj as (_ & ? & _).
Qed.

(** Only her own cells matter, and more of them never disconnect a player. *)
Lemma joined_mono X (S T : cell -> Prop) :
  (forall c, c < size -> S c -> T c) -> joined X S -> joined X T.
Proof.
  intros HST (a & b & Ha & Hb & Hp). exists a, b. repeat split; try apply Ha; try apply Hb.
  eapply path_mono; eauto. apply Ha.
Qed.

(** ** The Hex theorem *)

Hypothesis rows_pos : 0 < rows B.
Hypothesis cols_pos : 0 < cols B.

Definition at_ (x y : nat) : cell := x * cols B + y.

Lemma row_at x y : y < cols B -> row (at_ x y) = x.
Proof.
  intros H. unfold row, at_. rewrite Nat.div_add_l by lia. rewrite Nat.div_small by assumption. lia.
Qed.

Lemma col_at x y : y < cols B -> col (at_ x y) = y.
Proof.
  intros H. unfold col, at_. rewrite Nat.add_comm, Nat.mod_add by lia. now apply Nat.mod_small.
Qed.

Lemma at_size x y : x < rows B -> y < cols B -> at_ x y < size.
Proof. intros. unfold at_, size. nia. Qed.

Lemma at_row_col c : at_ (row c) (col c) = c.
Proof.
  unfold at_, row, col. pose proof (Nat.div_mod c (cols B)). lia.
Qed.

Lemma row_lt c : c < size -> row c < rows B.
Proof. intros H. unfold row. apply Nat.div_lt_upper_bound; unfold size in H; lia. Qed.

Lemma col_lt c : col c < cols B.
Proof. apply Nat.mod_upper_bound. lia. Qed.

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
