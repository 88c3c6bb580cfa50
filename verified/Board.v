(** * The board, and who is joined

    Defines the two players, a board of hexagonal cells, which cells touch, and each player's two sides. A player is joined
    if a path over her cells leads from her one side to the other. *)

From Coq Require Import Arith Lia.

Inductive player := Black | White.

Definition opp (X : player) : player := match X with Black => White | White => Black end.

(** Cells have a row [x] and a column [y]. Each touches two cells in its row, two in its column,
    and the ones to its upper right and lower left. *)
Definition nb (x y a b : nat) : Prop :=
  (a = x + 1 /\ b = y) \/ (x = a + 1 /\ b = y) \/
  (a = x /\ b = y + 1) \/ (a = x /\ y = b + 1) \/
  (a = x + 1 /\ y = b + 1) \/ (x = a + 1 /\ b = y + 1).

Record board := { rows : nat; cols : nat }.

(** Cells are numbered from 0, row by row from the top and each row from the left. *)
Definition cell := nat.

Section Board.
Variable B : board.

(** The number of cells. *)
Definition size : nat := rows B * cols B.

(** Rows and columns are numbered from 0 too. *)
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

(** ** What follows from the definitions *)

Lemma opp_opp X : opp (opp X) = X.
Proof. now destruct X. Qed.

Lemma opp_neq X : opp X <> X.
Proof. now destruct X. Qed.

Lemma opp_inj X Y : opp X = opp Y -> X = Y.
Proof. now destruct X, Y. Qed.

Lemma player_eq_dec (X Y : player) : {X = Y} + {X <> Y}.
Proof. decide equality. Defined.

Lemma other X Y : X <> Y -> Y = opp X.
Proof. destruct X, Y; simpl; congruence. Qed.

Lemma nb_sym x y a b : nb x y a b -> nb a b x y.
Proof. unfold nb; lia. Qed.

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

(** Where a path that begins in [D] leaves it for good. *)
Lemma path_leaves S (D : cell -> bool) a b : path S a b -> D a = true ->
  D b = true \/ exists q r, D q = true /\ S q /\ adj q r /\ path (fun c => S c /\ D c = false) r b.
Proof.
  intros Hp Ha. induction Hp as [|b c Hp IH Hadj Hc]; [now left|].
  destruct (D c) eqn:Dc; [now left|right]. destruct IH as [Db|(q & r & Dq & Sq & Hqr & Hr)].
  - exists b, c. repeat split; auto; try apply Hadj; [now apply path_ends in Hp|]. now apply path_here.
  - exists q, r. repeat split; auto; try apply Hqr. eapply path_step; eauto.
Qed.

(** Only her own cells matter, and more of them never disconnect a player. *)
Lemma joined_mono X (S T : cell -> Prop) :
  (forall c, c < size -> S c -> T c) -> joined X S -> joined X T.
Proof.
  intros HST (a & b & Ha & Hb & Hp). exists a, b. repeat split; try apply Ha; try apply Hb.
  eapply path_mono; eauto. apply Ha.
Qed.

(** ** Cells by row and column *)

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

End Board.
