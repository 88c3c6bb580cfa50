(** * The checker of certificates: a program that reads the text line by line

    A line that is a claim is accepted only if it holds. At the end the checker writes out the claim that the text names as
    its root. What this proves is said, and shown, in [Main.v]. *)

From Coq Require Import String List Bool ZArith Uint63 FMapPositive.
From Rex Require Import Board Game Cset Table Check Text.
Import ListNotations.
Local Open Scope bool_scope.

(** ** Cells, pairs, positions *)

Definition cell_name (l : line) : option name :=
  match l with
  | c :: l =>
      if (97 <=? c)%uint63 && (c <=? 122)%uint63 then
        match number l with
        | Some r => if (r <=? 64)%uint63 then Some (r * 32 + (c - 97))%uint63 else None
        | None => None
        end
      else None
  | [] => None
  end.

Definition pair_of (l : line) : option (name * name) :=
  match split hyphen l with
  | [a; b] => match cell_name a, cell_name b with Some a, Some b => Some (a, b) | _, _ => None end
  | _ => None
  end.

Definition pairs_of (l : line) : option (list (name * name)) := all_of pair_of (split comma l).

(** The cells that are left after the next [n]. *)
Fixpoint skip (n : int) (l : list entry) : option (list entry) :=
  if (n =? 0)%uint63 then Some l else match l with [] => None | _ :: l => skip (n - 1) l end.

(** [left']: the cells of this row still to come; [empty]: a number being read, 0 if there is none. *)
Fixpoint stones_of (columns : int) (text : line) (todo : list entry) (left' empty : int) (b w : cset) : option (cset * cset) :=
  let pass := if (empty <=? left')%uint63 then skip empty todo else None in
  let after := (left' - empty)%uint63 in
  match text with
  | [] => match pass with Some [] => if (after =? 0)%uint63 then Some (b, w) else None | _ => None end
  | c :: text =>
      if is_digit c then
        let n := (empty * 10 + (c - 48))%uint63 in
        if ((1 <=? n) && (n <=? 64))%uint63 then stones_of columns text todo left' n b w else None
      else
        match pass with
        | None => None
        | Some todo =>
            if (c =? slash)%uint63 then
              if (after =? 0)%uint63 then stones_of columns text todo columns 0 b w else None
            else
              match todo, player_name [c] with
              | e :: todo, Some X =>
                  if (after =? 0)%uint63 then None
                  else match X with
                       | Black => stones_of columns text todo (after - 1) 0 (union b (em e)) w
                       | White => stones_of columns text todo (after - 1) 0 b (union w (em e))
                       end
              | _, _ => None
              end
        end
  end.

Definition small_int (n : nat) : int := of_Z (Z.of_nat n).

(** ** Rules *)

Definition w_magic := Eval vm_compute in bytes "rex-certificate 1".
Definition w_board := Eval vm_compute in bytes "board".
Definition w_full := Eval vm_compute in bytes "rules full".
Definition w_explicit := Eval vm_compute in bytes "rules explicit".
Definition w_drop := Eval vm_compute in bytes "drop".
Definition w_root := Eval vm_compute in bytes "root".
Definition w_sha := Eval vm_compute in bytes "sha256".
Definition w_joined := Eval vm_compute in bytes "joined".
Definition w_move := Eval vm_compute in bytes "move".
Definition w_all := Eval vm_compute in bytes "all".
Definition w_pairs := Eval vm_compute in bytes "pairs".
Definition w_key := Eval vm_compute in bytes "key".
Definition w_mirror := Eval vm_compute in bytes "mirror".
Definition w_image := Eval vm_compute in bytes "image".
Definition w_fill := Eval vm_compute in bytes "fill".
Definition w_worse := Eval vm_compute in bytes "worse".
Definition w_joins := Eval vm_compute in bytes "joins".
Definition w_dead := Eval vm_compute in bytes "dead".
Definition w_captured := Eval vm_compute in bytes "captured".
Definition w_mutual := Eval vm_compute in bytes "mutual".
Definition w_identity := Eval vm_compute in bytes "identity".
Definition w_rotation := Eval vm_compute in bytes "rotation".
Definition w_transpose := Eval vm_compute in bytes "transpose".
Definition w_antitranspose := Eval vm_compute in bytes "antitranspose".
Definition w_none := Eval vm_compute in bytes "-".

Definition kind_of (l : line) : option kind :=
  if equal l w_identity then Some Identity else if equal l w_rotation then Some Rotation
  else if equal l w_transpose then Some Transpose else if equal l w_antitranspose then Some Antitranspose else None.

Definition reason_of (l : list line) : option reason :=
  match l with
  | [[c]] => if (c =? 54)%uint63 then Some By6 else if (c =? 55)%uint63 then Some By7 else None
  | [[c]; ps] => if (c =? 56)%uint63 then option_map By8 (pairs_of ps) else None
  | _ => None
  end.

Definition answer_of (l : line) : option (name * answer) :=
  match split equals l with
  | [c; a] =>
      match cell_name c with
      | Some c => if equal a w_joins then Some (c, Joins) else option_map (fun i => (c, Goes i)) (number a)
      | None => None
      end
  | [_] =>
      match split less l with
      | [k; r] =>
          match split colon r with
          | c :: r =>
              match cell_name k, cell_name c, reason_of r with
              | Some k, Some c, Some r => Some (k, Less c r)
              | _, _, _ => None
              end
          | [] => None
          end
      | _ => None
      end
  | _ => None
  end.

Definition step_of (l : line) : option step :=
  match split colon l with
  | [w; a] =>
      if equal w w_dead then option_map Dead (all_of cell_name (split comma a))
      else if equal w w_mutual then
        match pairs_of a with Some [p; q] => Some (Mutual p q) | _ => None end
      else None
  | [w; p; a] =>
      if equal w w_captured then
        match player_name p, pairs_of a with Some X, Some l => Some (Captured X l) | _, _ => None end
      else None
  | _ => None
  end.

(** Steps, and at the end a claim. *)
Fixpoint steps_of (l : list line) : option (list step * id) :=
  match l with
  | [] => None
  | [w] => option_map (fun i => ([], i)) (number w)
  | w :: l =>
      match step_of w, steps_of l with
      | Some s, Some (l, i) => Some (s :: l, i)
      | _, _ => None
      end
  end.

Definition some_pairs (l : line) : option (list (name * name)) := if equal l w_none then Some [] else pairs_of l.

Definition rule_of (l : list line) : option rule :=
  match l with
  | [] => None
  | w :: l =>
      if equal w w_joined then match l with [] => Some Joined | _ => None end
      else if equal w w_move then
        match l with
        | [c; i] => match cell_name c, number i with Some c, Some i => Some (Move c i) | _, _ => None end
        | _ => None
        end
      else if equal w w_all then option_map All (all_of answer_of l)
      else if equal w w_pairs then
        match l with
        | [ps] => option_map (fun ps => Pairs ps None) (some_pairs ps)
        | [ps; k; c] =>
            if equal k w_key then
              match some_pairs ps, cell_name c with Some ps, Some c => Some (Pairs ps (Some c)) | _, _ => None end
            else None
        | _ => None
        end
      else if equal w w_mirror then match l with [k] => option_map Mirror (kind_of k) | _ => None end
      else if equal w w_image then
        match l with
        | [k; i] => match kind_of k, number i with Some k, Some i => Some (Image k i) | _, _ => None end
        | _ => None
        end
      else if equal w w_fill then option_map (fun p => Fill (fst p) (snd p)) (steps_of l)
      else if equal w w_worse then match l with [i] => option_map Worse (number i) | _ => None end
      else None
  end.

Definition claim_of (E : env) (l : list line) : option (id * claim * rule) :=
  match l with
  | i :: p :: m :: x :: r =>
      let columns := small_int (cols (the_board E)) in
      match number i, stones_of columns p (entries E) columns 0%uint63 none none, player_name m, player_name x, rule_of r with
      | Some i, Some (b, w), Some m, Some x, Some r => Some (i, Claim b w m x, r)
      | _, _, _, _, _ => None
      end
  | _ => None
  end.

Definition board_of (l : line) : option board :=
  match split space l with
  | [w; s] => if equal w w_board then board_name s else None
  | _ => None
  end.

(** ** The checker: one line after the other *)

(** The claims that have not been dropped, how many they are, and the number of the latest claim. *)
Record run := Run { r_env : env; r_explicit : bool; r_live : PositiveMap.t claim; r_count : int; r_latest : id }.

(** The most claims to remember at a time. *)
Definition most_live : int := 4000000%uint63.

Inductive state :=
| Start                          (* nothing read yet *)
| Board                          (* the board comes next *)
| Rules (E : env)                (* then which rules *)
| Running (r : run)              (* then claims *)
| Rooted (E : env) (cl : claim)  (* then the digest *)
| Failed (why : string).

(** Numbers of claims as keys of a map. *)
Fixpoint key_of (k : nat) (i : int) : positive :=
  match k with
  | O => xH
  | S k =>
      if (i <=? 1)%uint63 then xH
      else if (i land 1 =? 0)%uint63 then xO (key_of k (i >> 1)%uint63) else xI (key_of k (i >> 1)%uint63)
  end.

Definition live_key (i : id) : positive := key_of 40 i.

Definition recall (r : run) (i : id) : option claim := PositiveMap.find (live_key i) (r_live r).

Fixpoint forget (m : PositiveMap.t claim) (count : int) (l : list line) : option (PositiveMap.t claim * int) :=
  match l with
  | [] => Some (m, count)
  | w :: l =>
      match number w with
      | Some i =>
          match PositiveMap.find (live_key i) m with
          | Some _ => forget (PositiveMap.remove (live_key i) m) (count - 1)%uint63 l
          | None => None
          end
      | None => None
      end
  end.

Definition refusal (r : rule) : string :=
  match r with
  | Joined => "the loser is not joined"
  | Move _ _ => "the rule 'move' does not apply"
  | All _ => "the rule 'all' does not apply"
  | Pairs _ _ => "the rule 'pairs' does not apply"
  | Mirror _ => "the rule 'mirror' does not apply"
  | Image _ _ => "the rule 'image' does not apply"
  | Fill _ _ => "the rule 'fill' does not apply"
  | Worse _ => "the rule 'worse' does not apply"
  end.

Definition on_claim (r : run) (words : list line) : state :=
  match claim_of (r_env r) words with
  | None => Failed "not a claim, 'drop' or 'root'"
  | Some (i, cl, how) =>
      if negb (r_latest r <? i)%uint63 then Failed "claim numbers must increase"
      else if r_explicit r && negb (is_explicit how) then Failed "'rules explicit' does not allow this"
      else if negb (holds (r_env r) (recall r) cl how) then Failed (refusal how)
      else if negb (r_count r <? most_live)%uint63 then Failed "more than 4000000 claims in memory at once"
      else Running (Run (r_env r) (r_explicit r) (PositiveMap.add (live_key i) cl (r_live r)) (r_count r + 1)%uint63 i)
  end.

Definition read_line (s : state) (l : line) : state :=
  match s with
  | Start => if equal l w_magic then Board else Failed "not a certificate"
  | Board =>
      match board_of l with
      | Some B =>
          if (1 <=? rows B)%nat && (1 <=? cols B)%nat && (size B <=? 64)%nat
          then Rules (make_env B) else Failed "a board has one to 64 cells"
      | None => Failed "expected a board such as 'board 6x6'"
      end
  | Rules E =>
      if equal l w_full then Running (Run E false (PositiveMap.empty claim) 0 0%uint63)
      else if equal l w_explicit then Running (Run E true (PositiveMap.empty claim) 0 0%uint63)
      else Failed "expected 'rules full' or 'rules explicit'"
  | Running r =>
      match split space l with
      | w :: words =>
          if equal w w_drop then
            match words, forget (r_live r) (r_count r) words with
            | _ :: _, Some (m, count) => Running (Run (r_env r) (r_explicit r) m count (r_latest r))
            | _, _ => Failed "there is no such claim to drop"
            end
          else if equal w w_root then
            match words with
            | [i] =>
                match number i with
                | Some i => match recall r i with Some cl => Rooted (r_env r) cl | None => Failed "there is no such claim" end
                | None => Failed "expected the number of a claim"
                end
            | _ => Failed "expected the number of a claim"
            end
          else on_claim r (w :: words)
      | [] => Failed "an empty line"
      end
  | Rooted _ _ => Failed "text after the end of the certificate"
  | Failed why => Failed why
  end.

(** The last line names the digest of all lines before it, which the shell computes. *)
Definition right_digest (l digest : line) : bool :=
  match split space l with
  | [w; d] => equal w w_sha && equal d digest
  | _ => false
  end.

(** ** What was proved, in words *)

(** Numbers up to 99. *)
Definition show_digit (n : nat) : int := small_int (48 + n).
Definition show_number (n : nat) : line := if n <? 10 then [show_digit n] else [show_digit (n / 10); show_digit (n mod 10)].
Definition show_empty (n : nat) : line := if n =? 0 then [] else show_number n.

Definition letter (X : player) : int := match X with Black => letter_b | White => letter_w end.

(** [empty] cells before these are to be counted. *)
Fixpoint show_row (l : list (option player)) (empty : nat) : line :=
  match l with
  | [] => show_empty empty
  | None :: l => show_row l (S empty)
  | Some X :: l => show_empty empty ++ letter X :: show_row l 0
  end.

(** The position of a claim, as a program. *)
Definition stone_at (cl : claim) (c : cell) : option player :=
  if has (single c) (cb cl) then Some Black else if has (single c) (cw cl) then Some White else None.

Definition show_position (B : board) (cl : claim) : line :=
  join slash (map (fun r => show_row r 0) (table B (stone_at cl))).

Definition show_board (B : board) : line := join letter_x [show_number (rows B); show_number (cols B)].

Definition w_black := Eval vm_compute in bytes "Black".
Definition w_white := Eval vm_compute in bytes "White".
Definition w_wins := Eval vm_compute in bytes "wins".
Definition w_with := Eval vm_compute in bytes "with".
Definition w_to_move := Eval vm_compute in [bytes "to"; bytes "move,"; bytes "on"; bytes "the"; bytes "board"].

Definition show_player (X : player) : line := match X with Black => w_black | White => w_white end.

Definition show (B : board) (cl : claim) : line :=
  join space ([show_player (winner cl); w_wins; show_position B cl; w_with; show_player (mover cl)] ++ w_to_move ++ [show_board B]).

(** What the program prints of a text whose lines led to this state, given the line after them and their digest. *)
Definition verdict (s : state) (l digest : line) : option line :=
  match s with
  | Rooted E cl => if right_digest l digest then Some (show (the_board E) cl) else None
  | _ => None
  end.
