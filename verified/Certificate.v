(** * Certificates: the text, line by line, and the main theorem

    A line is the list of its bytes, without the line feed. What is read is a claim, and a claim is accepted only if it
    holds; [Reading.v] proves that its position is the one that the text spells out. What was proved in the end is written
    out again by [show], about which nothing is proved. *)

From Coq Require Import Arith Lia List Bool ZArith Uint63 String Ascii FMapPositive.
From Rex Require Import Triangle Hex Board Game Rex Cset Table Links Filling Check Sound.
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

(** ** Words, numbers, cells *)

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

Definition space : int := 32%uint63.
Definition comma : int := 44%uint63.
Definition hyphen : int := 45%uint63.
Definition slash : int := 47%uint63.
Definition colon : int := 58%uint63.
Definition less : int := 60%uint63.
Definition equals : int := 61%uint63.

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

Definition player_name (l : line) : option player :=
  match l with
  | [c] => if (c =? 98)%uint63 then Some Black else if (c =? 119)%uint63 then Some White else None
  | _ => None
  end.

Fixpoint all_of {A} (f : line -> option A) (l : list line) : option (list A) :=
  match l with
  | [] => Some []
  | w :: l => match f w, all_of f l with Some a, Some l => Some (a :: l) | _, _ => None end
  end.

Definition pair_of (l : line) : option (name * name) :=
  match split hyphen l with
  | [a; b] => match cell_name a, cell_name b with Some a, Some b => Some (a, b) | _, _ => None end
  | _ => None
  end.

Definition pairs_of (l : line) : option (list (name * name)) := all_of pair_of (split comma l).

(** ** Positions *)

Fixpoint skip (n : nat) (l : list entry) : list entry :=
  match n, l with S n, _ :: l => skip n l | _, _ => l end.

(** [left']: the cells of this row still to come; [empty]: a number being read, 0 if there is none. *)
Fixpoint stones_of (columns : int) (text : line) (todo : list entry) (left' empty : int) (b w : cset) : option (cset * cset) :=
  let pass :=
    if (empty <=? left')%uint63 then Some (skip (Z.to_nat (to_Z empty)) todo, (left' - empty)%uint63) else None in
  match text with
  | [] =>
      match pass with
      | Some ([], l) => if (l =? 0)%uint63 then Some (b, w) else None
      | _ => None
      end
  | c :: text =>
      if is_digit c then
        let n := (empty * 10 + (c - 48))%uint63 in
        if ((1 <=? n) && (n <=? 64))%uint63 then stones_of columns text todo left' n b w else None
      else
        match pass with
        | None => None
        | Some (todo, left') =>
            if (c =? slash)%uint63 then
              if (left' =? 0)%uint63 then stones_of columns text todo columns 0%uint63 b w else None
            else
              match todo with
              | [] => None
              | e :: todo =>
                  if (left' =? 0)%uint63 then None
                  else if (c =? 98)%uint63 then stones_of columns text todo (left' - 1)%uint63 0%uint63 (union b (em e)) w
                  else if (c =? 119)%uint63 then stones_of columns text todo (left' - 1)%uint63 0%uint63 b (union w (em e))
                  else None
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
  | [w; s] =>
      if equal w w_board then
        match split 120%uint63 s with
        | [r; c] =>
            match number r, number c with
            | Some r, Some c =>
                if (r <=? 64)%uint63 && (c <=? 26)%uint63 then
                  Some {| rows := Z.to_nat (to_Z r); cols := Z.to_nat (to_Z c) |}
                else None
            | _, _ => None
            end
        | _ => None
        end
      else None
  | _ => None
  end.

(** ** The checker: one line after the other *)

Record run := Run { r_env : env; r_explicit : bool; r_live : PositiveMap.t claim; r_latest : id }.

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

Fixpoint forget (m : PositiveMap.t claim) (l : list line) : option (PositiveMap.t claim) :=
  match l with
  | [] => Some m
  | w :: l =>
      match number w with
      | Some i =>
          match PositiveMap.find (live_key i) m with
          | Some _ => forget (PositiveMap.remove (live_key i) m) l
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
      else if holds (r_env r) (recall r) cl how
      then Running (Run (r_env r) (r_explicit r) (PositiveMap.add (live_key i) cl (r_live r)) i)
      else Failed (refusal how)
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
      if equal l w_full then Running (Run E false (PositiveMap.empty claim) 0%uint63)
      else if equal l w_explicit then Running (Run E true (PositiveMap.empty claim) 0%uint63)
      else Failed "expected 'rules full' or 'rules explicit'"
  | Running r =>
      match split space l with
      | w :: words =>
          if equal w w_drop then
            match words, forget (r_live r) words with
            | _ :: _, Some m => Running (Run (r_env r) (r_explicit r) m (r_latest r))
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

Definition small_number (n : int) : line :=
  if (n <? 10)%uint63 then [(48 + n)%uint63] else [(48 + n / 10)%uint63; (48 + n mod 10)%uint63].

Definition show_empty (n : int) : line := if (n =? 0)%uint63 then [] else small_number n.

(** The rows of a position: [col] cells of this row are written, the last [empty] of them only counted. *)
Fixpoint show_rows (columns : int) (l : list entry) (F : filling) (col empty : int) : line :=
  match l with
  | [] => show_empty empty
  | e :: l =>
      let at_end := (col =? columns)%uint63 in
      let col := if at_end then 1%uint63 else (col + 1)%uint63 in
      let before := if at_end then (show_empty empty ++ [slash])%list else [] in
      let empty := if at_end then 0%uint63 else empty in
      if has (em e) (stones_set F Black)
      then before ++ show_empty empty ++ 98%uint63 :: show_rows columns l F col 0%uint63
      else if has (em e) (stones_set F White)
      then before ++ show_empty empty ++ 119%uint63 :: show_rows columns l F col 0%uint63
      else before ++ show_rows columns l F col (empty + 1)%uint63
  end.

Definition w_black := Eval vm_compute in bytes "Black".
Definition w_white := Eval vm_compute in bytes "White".
Definition w_wins := Eval vm_compute in bytes " wins ".
Definition w_to_move := Eval vm_compute in bytes " to move, on the board ".
Definition w_with := Eval vm_compute in bytes " with ".

Definition show_player (X : player) : line := match X with Black => w_black | White => w_white end.

Definition show (E : env) (cl : claim) : line :=
  let columns := small_int (cols (the_board E)) in
  show_player (winner cl) ++ w_wins ++ show_rows columns (entries E) (start cl) 0%uint63 0%uint63 ++
  w_with ++ show_player (mover cl) ++ w_to_move ++
  small_number (small_int (rows (the_board E))) ++ [120%uint63] ++ small_number columns.

(** ** The main theorem *)

Definition valid (B : board) : Prop := 0 < rows B /\ 0 < cols B /\ size B <= 64.

Definition right_env (E : env) : Prop := E = make_env (the_board E) /\ valid (the_board E).

Definition right_state (s : state) : Prop :=
  match s with
  | Rules E => right_env E
  | Running r => right_env (r_env r) /\
      forall k cl, PositiveMap.find k (r_live r) = Some cl -> true_claim (the_board (r_env r)) cl
  | Rooted E cl => right_env E /\ true_claim (the_board E) cl
  | _ => True
  end.

Opaque live_key.

Lemma forget_spec l m m' : forget m l = Some m' ->
  forall k cl, PositiveMap.find k m' = Some cl -> PositiveMap.find k m = Some cl.
Proof.
  revert m; induction l as [|w l IH]; intros m H k cl Hk; cbn [forget] in H.
  - now injection H as <-.
  - destruct (number w) as [i|]; [|discriminate]. destruct (PositiveMap.find (live_key i) m); [|discriminate].
    specialize (IH _ H k cl Hk). destruct (Pos.eq_dec k (live_key i)) as [->|D].
    + rewrite PositiveMap.grs in IH. discriminate.
    + now rewrite PositiveMap.gro in IH.
Qed.

Lemma on_claim_right r words : right_state (Running r) -> right_state (on_claim r words).
Proof.
  intros [HE Hlive]. unfold on_claim. destruct (claim_of (r_env r) words) as [[[i cl] how]|]; [|exact I].
  destruct (negb _); [exact I|]. destruct (r_explicit r && _); [exact I|].
  destruct (holds (r_env r) (recall r) cl how) eqn:H; [|exact I].
  split; [exact HE|]. cbn [r_env r_live]. intros k cl' Hk.
  destruct (Pos.eq_dec k (live_key i)) as [->|D].
  - rewrite PositiveMap.gss in Hk. assert (cl' = cl) as -> by congruence.
    destruct HE as [HE (Hr & Hc & Hs)]. rewrite HE in H.
    apply (holds_true (the_board (r_env r)) Hs Hr Hc (recall r)) in H; [exact H|].
    intros j c Hj. unfold recall in Hj. apply Hlive in Hj. exact Hj.
  - rewrite PositiveMap.gso in Hk by assumption. now apply (Hlive k).
Qed.

Lemma read_line_right s l : right_state s -> right_state (read_line s l).
Proof.
  destruct s as [| |E|r|E cl|why]; intros H; cbn [read_line]; try exact I.
  - destruct (equal l w_magic); exact I.
  - destruct (board_of l) as [B|]; [|exact I].
    destruct ((1 <=? rows B) && (1 <=? cols B) && (size B <=? 64)) eqn:V; [|exact I].
    rewrite !andb_true_iff, !Nat.leb_le in V. destruct V as [[V1 V2] V3].
    split; [reflexivity|]. repeat split; assumption.
  - destruct (equal l w_full); [|destruct (equal l w_explicit); [|exact I]];
      (split; [exact H|]; cbn [r_live]; intros k cl Hk; rewrite PositiveMap.gempty in Hk; discriminate).
  - destruct (split space l) as [|w words]; [exact I|].
    destruct (equal w w_drop).
    { destruct words as [|v words']; [exact I|]. destruct (forget (r_live r) (v :: words')) as [m|] eqn:Hf; [|exact I].
      destruct H as [HE Hlive]. split; [exact HE|]. cbn [r_env r_live]. intros k cl Hk.
      apply (Hlive k). exact (forget_spec _ _ _ Hf k cl Hk). }
    destruct (equal w w_root); [|now apply on_claim_right].
    destruct words as [|i []]; try exact I. destruct (number i) as [j|]; [|exact I].
    destruct (recall r j) as [cl|] eqn:Hj; [|exact I]. destruct H as [HE Hlive].
    unfold recall in Hj. apply Hlive in Hj. split; [exact HE|exact Hj].
Qed.

(** If the checker reads a text and comes to its root, then the player who is said to win this position does win it: she has
    a strategy after which her opponent connects her own two sides. *)
Theorem checked (text : list line) (E : env) (cl : claim) :
  fold_left read_line text Start = Rooted E cl ->
  Wins (the_board E) (winner cl) (mover cl) (position_of cl).
Proof.
  assert (K : forall text s, right_state s -> right_state (fold_left read_line text s)).
  { induction text0 as [|l text0 IH]; intros s Hs; cbn [fold_left]; [exact Hs|]. apply IH. now apply read_line_right. }
  intros H. pose proof (K text Start I) as Hs. rewrite H in Hs. destruct Hs as [[_ (Hr & Hc & _)] Ht].
  apply (W_Wins (the_board E) Hr Hc) in Ht. now rewrite turn_last in Ht.
Qed.
