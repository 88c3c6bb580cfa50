(** * What the checker knows of a board, as sets of cells

    Defines the tables that are made once for a board: each cell's name, its neighbours and its images, and the sides. They are
    shown to agree with [Board.v], and the rotation and the two reflections to be symmetries. *)

From Coq Require Import Arith Lia List Bool ZArith Uint63.
From Rex Require Import Hex Board Game Rex Dead Cset.
Import ListNotations.
Local Open Scope bool_scope.

(** A point of a graph: its cell, the set of that cell alone, and its neighbours. *)
Record node := Node { nx : nat; nm : cset; nn : cset }.

(** A cell by name: 32 times the row plus the column, with rows from 1 and columns from 0; then its image under each
    symmetry. *)
Record entry := Entry { ex : nat; key : int; em : cset; rot : cset; tra : cset; anti : cset }.

Record env := Env {
  the_board : board;
  nodes : list node;
  entries : list entry;
  every : cset;
  top : cset; bottom : cset; left_side : cset; right_side : cset
}.

Definition side_set (E : env) (X : player) (first : bool) : cset :=
  match X, first with
  | Black, true => top E | Black, false => bottom E | White, true => left_side E | White, false => right_side E
  end.

Section Table.
Variable B : board.

Definition nbb (x y a b : nat) : bool :=
  ((a =? x + 1) && (b =? y)) || ((x =? a + 1) && (b =? y)) ||
  ((a =? x) && (b =? y + 1)) || ((a =? x) && (y =? b + 1)) ||
  ((a =? x + 1) && (y =? b + 1)) || ((x =? a + 1) && (b =? y + 1)).

Lemma nbb_spec x y a b : nbb x y a b = true <-> nb x y a b.
Proof. unfold nbb, nb. rewrite !orb_true_iff, !andb_true_iff, !Nat.eqb_eq. tauto. Qed.

Definition sideb (X : player) (first : bool) (c : cell) : bool :=
  match X, first with
  | Black, true => row B c =? 0 | Black, false => row B c =? rows B - 1
  | White, true => col B c =? 0 | White, false => col B c =? cols B - 1
  end.

Definition rotate (c : cell) : cell := at_ B (rows B - 1 - row B c) (cols B - 1 - col B c).
Definition transpose (c : cell) : cell := at_ B (col B c) (row B c).
Definition antitranspose (c : cell) : cell := rotate (transpose c).

Definition make_node (i : nat) : node :=
  Node i (single i) (set_of (filter (fun j => nbb (row B i) (col B i) (row B j) (col B j)) (seq 0 (size B)))).

Definition make_entry (i : nat) : entry :=
  Entry i (of_Z (Z.of_nat ((row B i + 1) * 32 + col B i))) (single i)
    (single (rotate i)) (single (transpose i)) (single (antitranspose i)).

Definition make_side X first : cset := set_of (filter (sideb X first) (seq 0 (size B))).

Definition make_env : env :=
  Env B (map make_node (seq 0 (size B))) (map make_entry (seq 0 (size B))) (set_of (seq 0 (size B)))
    (make_side Black true) (make_side Black false) (make_side White true) (make_side White false).

Hypothesis small : size B <= 64.

(** A node of a graph is in order. *)
Definition sound (v : node) : Prop := nx v < 64 /\ nm v = single (nx v).

Lemma sound_has v s : sound v -> has (nm v) s = mem s (nx v).
Proof. intros [H ->]. now apply has_single. Qed.

Lemma sound_mem v c : sound v -> mem (nm v) c = (c =? nx v).
Proof. intros [H ->]. now apply mem_single. Qed.

Lemma in_cells c : In c (seq 0 (size B)) <-> c < size B.
Proof. rewrite in_seq. lia. Qed.

Lemma node_spec v : In v (nodes make_env) ->
  sound v /\ nx v < size B /\ forall c, mem (nn v) c = true <-> adj B (nx v) c.
Proof.
  simpl. intros H. apply in_map_iff in H as (i & <- & Hi). apply in_cells in Hi.
  split; [split; simpl; [lia|reflexivity]|]. split; [assumption|]. simpl. intros c. split.
  - intros H. apply mem_set_of in H.
    + apply filter_In in H as [H K]. apply in_cells in H. apply nbb_spec in K. repeat split; auto.
    + intros j Hj. apply filter_In in Hj as [Hj _]. apply in_cells in Hj. lia.
  - intros (_ & Hc & K). apply mem_set_of.
    + intros j Hj. apply filter_In in Hj as [Hj _]. apply in_cells in Hj. lia.
    + apply filter_In. rewrite in_cells. split; [assumption|now apply nbb_spec].
Qed.

Lemma node_of c : c < size B -> exists v, In v (nodes make_env) /\ nx v = c.
Proof. intros H. exists (make_node c). split; [|reflexivity]. apply in_map, in_cells, H. Qed.

Lemma entry_spec e : In e (entries make_env) -> ex e < size B /\ e = make_entry (ex e).
Proof. simpl. intros H. apply in_map_iff in H as (i & <- & Hi). apply in_cells in Hi. auto. Qed.

Lemma entry_of c : c < size B -> In (make_entry c) (entries make_env).
Proof. intros H. apply in_map, in_cells, H. Qed.

Lemma mem_every c : mem (every make_env) c = true <-> c < size B.
Proof. simpl. rewrite mem_set_of, in_cells; [tauto|]. intros i Hi. apply in_cells in Hi. lia. Qed.

Lemma mem_side X i c : mem (side_set make_env X i) c = true <-> side B X i c.
Proof.
  assert (side_set make_env X i = make_side X i) as -> by (destruct X, i; reflexivity).
  unfold make_side. rewrite mem_set_of, filter_In, in_cells.
  - unfold sideb, side, first_side, second_side. destruct X, i; rewrite Nat.eqb_eq; tauto.
  - intros j Hj. apply filter_In in Hj as [Hj _]. apply in_cells in Hj. lia.
Qed.

(** ** The symmetries *)

Hypothesis rows_pos : 0 < rows B.
Hypothesis cols_pos : 0 < cols B.

(** A map of cells that keeps touching, and takes sides to sides. *)
Lemma make_symmetry (pi : cell -> cell) (s : player -> player) (swap : bool) :
  (forall Y, s (opp Y) = opp (s Y)) ->
  (forall c, c < size B -> pi c < size B /\ pi (pi c) = c) ->
  (forall c d, adj B c d -> adj B (pi c) (pi d)) ->
  (forall Y i c, side B Y i c -> side B (s Y) (xorb swap i) (pi c)) ->
  symmetry B pi s.
Proof.
  intros H1 H2 H3 H4. split; auto.
  intros Y S S' HS (a & b & Ha & Hb & Hp).
  assert (path B S' (pi a) (pi b)) as Hp'.
  { assert (a < size B) by apply Ha. clear Ha Hb. induction Hp as [Sa|b c Hp IH Hadj Sc]; [apply path_here; auto|].
    eapply path_step; eauto. apply HS; auto. now destruct Hadj as (_ & ? & _). }
  pose proof (H4 Y true a Ha) as Ka. pose proof (H4 Y false b Hb) as Kb. destruct swap; simpl in *.
  - exists (pi b), (pi a). split; [exact Kb|]. split; [exact Ka|]. now apply path_sym.
  - exists (pi a), (pi b). auto.
Qed.

Ltac coordinates c :=
  pose proof (row_lt B rows_pos cols_pos c); pose proof (col_lt B rows_pos cols_pos c).

Lemma rotate_at c : c < size B -> rotate c < size B /\
  row B (rotate c) = rows B - 1 - row B c /\ col B (rotate c) = cols B - 1 - col B c.
Proof. intros Hc. coordinates c. unfold rotate. rewrite row_at, col_at by lia. split; [apply at_size; lia|auto]. Qed.

Lemma rotation_symmetry : symmetry B rotate (fun Y => Y).
Proof.
  apply (make_symmetry _ _ true); auto.
  - intros c Hc. destruct (rotate_at c Hc) as (K & R1 & C1). split; [assumption|].
    unfold rotate at 1. rewrite R1, C1. coordinates c.
    replace (rows B - 1 - (rows B - 1 - row B c)) with (row B c) by lia.
    replace (cols B - 1 - (cols B - 1 - col B c)) with (col B c) by lia. now apply at_row_col.
  - intros c d (Hc & Hd & Hn). destruct (rotate_at c Hc) as (K & R1 & C1), (rotate_at d Hd) as (K' & R2 & C2).
    split; [assumption|]. split; [assumption|]. rewrite R1, C1, R2, C2. coordinates c. coordinates d.
    unfold nb in Hn |- *. destruct Hn as [Hn|[Hn|[Hn|[Hn|[Hn|Hn]]]]];
      [right; left|left|do 3 right; left|do 2 right; left|do 5 right|do 4 right; left]; lia.
  - intros Y i c H. assert (Hc : c < size B) by (destruct i; apply H). destruct (rotate_at c Hc) as (K & R1 & C1). coordinates c.
    destruct i, Y; simpl in *; destruct H as [_ H]; (split; [assumption|]); lia.
Qed.

Hypothesis square : rows B = cols B.

Lemma transpose_at c : c < size B -> transpose c < size B /\ row B (transpose c) = col B c /\ col B (transpose c) = row B c.
Proof. intros Hc. coordinates c. unfold transpose. rewrite row_at, col_at by lia. split; [apply at_size; lia|auto]. Qed.

Lemma transpose_symmetry : symmetry B transpose opp.
Proof.
  apply (make_symmetry _ _ false); auto.
  - intros c Hc. destruct (transpose_at c Hc) as (K & R1 & C1). split; [assumption|].
    unfold transpose at 1. rewrite R1, C1. now apply at_row_col.
  - intros c d (Hc & Hd & Hn). destruct (transpose_at c Hc) as (K & R1 & C1), (transpose_at d Hd) as (K' & R2 & C2).
    split; [assumption|]. split; [assumption|]. rewrite R1, C1, R2, C2.
    unfold nb in Hn |- *. destruct Hn as [Hn|[Hn|[Hn|[Hn|[Hn|Hn]]]]];
      [do 2 right; left|do 3 right; left|left|right; left|do 5 right|do 4 right; left]; lia.
  - intros Y i c H. assert (Hc : c < size B) by (destruct i; apply H). destruct (transpose_at c Hc) as (K & R1 & C1).
    destruct i, Y; simpl in *; destruct H as [_ H]; (split; [assumption|]); lia.
Qed.

Lemma antitranspose_symmetry : symmetry B antitranspose opp.
Proof.
  destruct rotation_symmetry as [_ Ri Rj]. destruct transpose_symmetry as [To Ti Tj]. split; [exact To| |].
  - intros c Hc. unfold antitranspose. split; [now apply Ri, Ti|].
    assert (transpose (rotate (transpose c)) = rotate c) as ->; [|now apply Ri].
    destruct (transpose_at c Hc) as (K & R1 & C1), (rotate_at (transpose c) K) as (_ & R2 & C2).
    unfold transpose at 1. rewrite R2, C2, R1, C1. unfold rotate. now rewrite square.
  - intros Y S S' HS J. apply (Rj (opp Y) (fun d => exists c, c < size B /\ S c /\ d = transpose c)).
    + intros d _ (c & Hc & Sc & ->). now apply HS.
    + apply (Tj Y S); [|exact J]. intros c Hc Sc. eauto.
Qed.

End Table.
