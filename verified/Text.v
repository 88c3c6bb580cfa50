(** * Texts: lines, words and numbers, and the positions they spell out

    A line is the list of its bytes, without the line feed. This file says how a line falls into words, what a number, a
    player and a board are called, and which stones the text of a position names. *)

From Coq Require Import String Ascii Arith Lia List Bool ZArith Uint63.
From Rex Require Import Board Game.
Import ListNotations.
Local Open Scope bool_scope.

Definition line := list int.

Fixpoint bytes (s : string) : line :=
  match s with
  | EmptyString => []
  | String c s => of_Z (Z.of_nat (nat_of_ascii c)) :: bytes s
  end.

Fixpoint equal (a b : line) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => (x =? y)%uint63 && equal a b
  | _, _ => false
  end.

(** ** Words *)

(** What stands before, between and after the separators. *)
Fixpoint split (sep : int) (l : line) : list line :=
  match l with
  | [] => [[]]
  | c :: l =>
      if (c =? sep)%uint63 then [] :: split sep l
      else match split sep l with
           | w :: ws => (c :: w) :: ws
           | [] => [[c]]
           end
  end.

Fixpoint join (sep : int) (l : list line) : line :=
  match l with
  | [] => []
  | [w] => w
  | w :: l => w ++ sep :: join sep l
  end.

Definition space : int := 32%uint63.
Definition comma : int := 44%uint63.
Definition hyphen : int := 45%uint63.
Definition slash : int := 47%uint63.
Definition colon : int := 58%uint63.
Definition less : int := 60%uint63.
Definition equals : int := 61%uint63.
Definition letter_b : int := 98%uint63.
Definition letter_w : int := 119%uint63.
Definition letter_x : int := 120%uint63.

Fixpoint all_of {A} (f : line -> option A) (l : list line) : option (list A) :=
  match l with
  | [] => Some []
  | w :: l => match f w, all_of f l with Some a, Some l => Some (a :: l) | _, _ => None end
  end.

(** ** Numbers *)

Definition is_digit (c : int) : bool := (48 <=? c)%uint63 && (c <=? 57)%uint63.

Definition most : int := 4294967295%uint63.

Fixpoint digits (l : line) (n : int) : option int :=
  match l with
  | [] => Some n
  | c :: l =>
      if is_digit c then
        let n := (n * 10 + (c - 48))%uint63 in if (n <=? most)%uint63 then digits l n else None
      else None
  end.

(** Starts with a digit from 1 to 9. *)
Definition number (l : line) : option int :=
  match l with
  | [] => None
  | c :: _ => if (c =? 48)%uint63 then None else digits l 0%uint63
  end.

Definition nat_of (i : int) : nat := Z.to_nat (to_Z i).

(** ** Players, boards, positions *)

Definition player_name (l : line) : option player :=
  match l with
  | [c] => if (c =? letter_b)%uint63 then Some Black else if (c =? letter_w)%uint63 then Some White else None
  | _ => None
  end.

(** Rows, [x], columns. *)
Definition board_name (l : line) : option board :=
  match split letter_x l with
  | [r; c] =>
      match number r, number c with
      | Some r, Some c =>
          if (r <=? 64)%uint63 && (c <=? 26)%uint63 then Some {| rows := nat_of r; cols := nat_of c |} else None
      | _, _ => None
      end
  | _ => None
  end.

(** The cells of a row: stones, and numbers of empty cells. [empty] is the number read so far. *)
Fixpoint row_of (text : line) (empty : nat) : option (list (option player)) :=
  match text with
  | [] => Some (repeat None empty)
  | c :: text =>
      if is_digit c then row_of text (empty * 10 + (nat_of c - 48))
      else match player_name [c], row_of text 0 with
           | Some X, Some l => Some (repeat None empty ++ Some X :: l)
           | _, _ => None
           end
  end.

(** The rows of a position, from the top. *)
Definition rows_of (text : line) : option (list (list (option player))) :=
  all_of (fun r => row_of r 0) (split slash text).

(** The same of a position that is given: what it has on the cells of each row of the board. *)
Definition table (B : board) (P : position) : list (list (option player)) :=
  map (fun r => map P (seq (r * cols B) (cols B))) (seq 0 (rows B)).

(** ** What lines say *)

(** The claim on this line has number [i] and says that [X] wins position [P] of board [B] if [m] is to move. *)
Definition claims (l : line) (i : int) (B : board) (X m : player) (P : position) : Prop :=
  exists a p y x how, split space l = a :: p :: y :: x :: how /\ number a = Some i /\
    rows_of p = Some (table B P) /\ player_name y = Some m /\ player_name x = Some X.

Definition colour (X : player) : line := match X with Black => bytes "Black" | White => bytes "White" end.

(** The line reads, for example, [Black wins 3/w1b/3 with White to move, on the board 3x3]. *)
Definition says (l : line) (B : board) (X m : player) (P : position) : Prop :=
  exists p d, split space l =
      [colour X; bytes "wins"; p; bytes "with"; colour m; bytes "to"; bytes "move,"; bytes "on"; bytes "the"; bytes "board"; d] /\
    rows_of p = Some (table B P) /\ board_name d = Some B.

(** ** What follows from the definitions *)

Lemma equal_spec a b : equal a b = true -> a = b.
Proof.
  revert b; induction a as [|x a IH]; intros [|y b] H; try discriminate; [reflexivity|].
  cbn [equal] in H. apply andb_true_iff in H as [H K]. apply eqb_spec in H. f_equal; auto.
Qed.

(** Words without the separator are what their join falls into. *)
Definition without (sep : int) (w : line) : bool := forallb (fun c => negb (c =? sep)%uint63) w.

Lemma split_word sep w : without sep w = true ->
  split sep w = [w] /\ forall l, split sep (w ++ sep :: l) = w :: split sep l.
Proof.
  induction w as [|c w IH]; intros H.
  - split; [reflexivity|]. intros l. cbn [app split]. now rewrite eqb_refl.
  - cbn [without forallb] in H. apply andb_true_iff in H as [H K]. apply negb_true_iff in H.
    destruct (IH K) as [IH1 IH2]. cbn [app split]. rewrite H, IH1. split; [reflexivity|]. intros l. now rewrite IH2.
Qed.

Lemma split_join sep w l : forallb (without sep) (w :: l) = true -> split sep (join sep (w :: l)) = w :: l.
Proof.
  revert w; induction l as [|v l IH]; intros w H; cbn [forallb] in H; apply andb_true_iff in H as [H K].
  - now apply split_word.
  - change (join sep (w :: v :: l)) with (w ++ sep :: join sep (v :: l)).
    rewrite (proj2 (split_word sep w H)). f_equal. now apply IH.
Qed.

Lemma without_join sep sep' l :
  (sep' =? sep)%uint63 = false -> forallb (without sep) l = true -> without sep (join sep' l) = true.
Proof.
  intros D. induction l as [|w [|v l] IH]; intros H; [reflexivity| |]; cbn [forallb] in H; apply andb_true_iff in H as [H K].
  - exact H.
  - change (join sep' (w :: v :: l)) with (w ++ sep' :: join sep' (v :: l)).
    unfold without in *. rewrite forallb_app, H. cbn [forallb]. rewrite D. now apply IH.
Qed.

Lemma digit_range c : is_digit c = true -> (48 <= to_Z c <= 57)%Z.
Proof.
  unfold is_digit. rewrite andb_true_iff, !leb_spec. change (to_Z 48) with 48%Z. change (to_Z 57) with 57%Z. lia.
Qed.

Lemma next_digit n c : (to_Z n <= to_Z most)%Z -> is_digit c = true ->
  to_Z (n * 10 + (c - 48)) = (to_Z n * 10 + (to_Z c - 48))%Z.
Proof.
  intros Hn Hc. apply digit_range in Hc. pose proof (to_Z_bounded n). change (to_Z most) with 4294967295%Z in Hn.
  assert (10000000000000 < wB)%Z by reflexivity.
  rewrite add_spec, mul_spec, sub_spec. change (to_Z 10) with 10%Z. change (to_Z 48) with 48%Z.
  rewrite (Z.mod_small (_ * _)), (Z.mod_small (_ - _)), Z.mod_small by lia. reflexivity.
Qed.

Lemma digits_range l n m : (to_Z n <= to_Z most)%Z -> digits l n = Some m -> (to_Z n <= to_Z m <= to_Z most)%Z.
Proof.
  revert n; induction l as [|c l IH]; intros n Hn H; cbn [digits] in H; cbv zeta in H.
  - assert (n = m) as -> by congruence. lia.
  - destruct (is_digit c) eqn:Hc; [|discriminate]. destruct (_ <=? most)%uint63 eqn:Hm; [|discriminate].
    apply leb_spec in Hm. apply IH in H; [|assumption]. rewrite next_digit in H by assumption.
    apply digit_range in Hc. pose proof (to_Z_bounded n). lia.
Qed.

Lemma number_range l n : number l = Some n -> (1 <= to_Z n <= to_Z most)%Z.
Proof.
  destruct l as [|c l]; [discriminate|]. unfold number. destruct (c =? 48)%uint63 eqn:D; [discriminate|].
  cbn [digits]. cbv zeta. destruct (is_digit c) eqn:Hc; [|discriminate]. destruct (_ <=? most)%uint63 eqn:Hm; [|discriminate].
  apply leb_spec in Hm. intros H. apply digits_range in H; [|assumption].
  rewrite next_digit in H; [|apply leb_spec; reflexivity|assumption]. change (to_Z 0) with 0%Z in H.
  assert (to_Z c <> 48)%Z.
  { intros E. change 48%Z with (to_Z 48) in E. apply to_Z_inj in E. subst c. now rewrite eqb_refl in D. }
  apply digit_range in Hc. lia.
Qed.

(** The rows of a position say what it has on each cell of the board. *)
Lemma table_inj B P Q : 0 < cols B -> table B P = table B Q -> forall c, c < size B -> P c = Q c.
Proof.
  unfold table. intros Hc H c Hs. rewrite map_ext_in_iff in H.
  assert (Hr : row B c < rows B).
  { apply Nat.div_lt_upper_bound; unfold size in Hs; lia. }
  specialize (H (row B c)). rewrite map_ext_in_iff in H.
  apply H; apply in_seq; [lia|]. unfold row in *. pose proof (Nat.div_mod c (cols B)).
  pose proof (Nat.mod_upper_bound c (cols B)). nia.
Qed.

(** A sentence says one thing only. *)
Theorem says_once l B X m P B' X' m' P' : says l B X m P -> says l B' X' m' P' ->
  B = B' /\ X = X' /\ m = m' /\ (0 < cols B -> forall c, c < size B -> P c = P' c).
Proof.
  intros (p & d & H & Hp & Hd) (p' & d' & H' & Hp' & Hd'). rewrite H in H'.
  assert (Inj : forall Y Z, colour Y = colour Z -> Y = Z).
  { intros [] [] K; try reflexivity; apply (f_equal (equal (bytes "Black"))) in K; discriminate K. }
  assert (p = p' /\ d = d' /\ colour X = colour X' /\ colour m = colour m') as (<- & <- & EX & Em) by (repeat split; congruence).
  assert (B' = B) as -> by congruence. repeat (split; auto). intros Hc. apply table_inj; [assumption|congruence].
Qed.
