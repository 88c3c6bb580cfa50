(** * The checker of claims: every rule of a certificate, as a program

    Defines claims and rules, and [holds]: whether a claim follows by its rule from claims that are known. Numbers of claims and
    names of cells are machine integers. *)

From Coq Require Import Arith List Bool ZArith Uint63.
From Rex Require Import Board Cset Table Links Filling.
Import ListNotations.
Local Open Scope bool_scope.

(** Stones, the side to move, and the winner. *)
Record claim := Claim { cb : cset; cw : cset; mover : player; winner : player }.

(** Cells have the names of [key], claims have numbers. *)
Definition name := int.
Definition id := int.

Inductive kind := Identity | Rotation | Transpose | Antitranspose.
Inductive reason := By6 | By7 | By8 (pairs : list (name * name)).
Inductive answer := Joins | Goes (i : id) | Less (better : name) (r : reason).
Inductive step := Dead (cells : list name) | Captured (X : player) (pairs : list (name * name))
                | Mutual (black white : name * name).
Inductive rule :=
| Joined
| Move (c : name) (i : id)
| All (answers : list (name * answer))
| Pairs (pairs : list (name * name)) (key : option name)
| Mirror (k : kind)
| Image (k : kind) (i : id)
| Fill (steps : list step) (i : id)
| Worse (i : id).

Definition same_player (X Y : player) : bool :=
  match X, Y with Black, Black | White, White => true | _, _ => false end.

Section Program.
Variable E : env.
Variable known : id -> option claim.

Definition start (cl : claim) : filling := Filling (cb cl) (cw cl) none.

Definition lookup (c : name) : option entry := find (fun e => (key e =? c)%uint63) (entries E).

Fixpoint lookup_pairs (l : list (name * name)) : option (list (entry * entry)) :=
  match l with
  | [] => Some []
  | (a, b) :: l =>
      match lookup a, lookup b, lookup_pairs l with
      | Some a, Some b, Some l => Some ((a, b) :: l)
      | _, _, _ => None
      end
  end.

(** Whether an odd number of cells is empty. *)
Definition odd_empties (cl : claim) : bool :=
  let e := diff (every E) (union (cb cl) (cw cl)) in
  fold_right (fun v odd => xorb (has (nm v) e) odd) false (nodes E).

Definition last_of (cl : claim) : player := if odd_empties cl then mover cl else opp (mover cl).

(** The claim says that [X] wins these stones, with [m] to move. *)
Definition says (cl : claim) (F : filling) (m X : player) : bool :=
  same (cb cl) (fb F) && same (cw cl) (fw F) && same_player (mover cl) m && same_player (winner cl) X.

Definition known_says (i : id) (F : filling) (m X : player) : bool :=
  match known i with Some cl => says cl F m X | None => false end.

Definition has_joined (F : filling) (X : player) : bool := is_joined E X (stones_set F X).

(** ** Answers to all moves *)

Definition prefers (F : filling) (X : player) (better k : entry) (r : reason) : bool :=
  negb (has (em better) (em k)) &&
  match r with
  | By6 => match settle E (add_stone F (em k) X) (em better) with Some _ => true | None => false end
  | By7 => match settle E (add_stone F (em k) (opp X)) (em better) with Some _ => true | None => false end
  | By8 pairs =>
      match lookup_pairs pairs with
      | Some pairs =>
          existsb (fun p => has (em better) (em (fst p)) || has (em better) (em (snd p))) pairs &&
          captured_pairs E (add_stone F (em k) X) X pairs
      | None => false
      end
  end.

Definition answer_holds (cl : claim) (e : entry) (a : answer) (answered : cset) : bool :=
  let F := start cl in
  let after := add_stone F (em e) (mover cl) in
  match a with
  | Joins => has_joined after (mover cl)
  | Goes i => known_says i after (winner cl) (winner cl)
  | Less c r =>
      match lookup c with
      | Some better => has (em better) answered && prefers F (mover cl) better e r
      | None => false
      end
  end.

Fixpoint answers_hold (cl : claim) (l : list (name * answer)) (answered : cset) : option cset :=
  match l with
  | [] => Some answered
  | (c, a) :: l =>
      match lookup c with
      | Some e =>
          if has (em e) (open_set E (start cl)) && negb (has (em e) answered) && answer_holds cl e a answered
          then answers_hold cl l (union answered (em e)) else None
      | None => None
      end
  end.

(** ** Pairings *)

(** The cells that are paired with this one. *)
Definition mates (pairs : list (entry * entry)) (v : node) : cset :=
  fold_right (fun p s =>
    if has (nm v) (em (fst p)) then union (em (snd p)) s
    else if has (nm v) (em (snd p)) then union (em (fst p)) s else s) none pairs.

(** The cells of the area that are in no pair within it. A path may have all of them. *)
Definition free (pairs : list (entry * entry)) (area : cset) : cset :=
  fold_right (fun p s =>
    if has (em (fst p)) area && has (em (snd p)) area then diff (diff s (em (fst p))) (em (snd p)) else s) area pairs.

(** Calls [f] with each element. Counts down what is left. *)
Fixpoint each {A} (f : A -> int -> option int) (l : list A) (budget : int) : option int :=
  match l with
  | [] => Some budget
  | v :: l => match f v budget with Some budget => each f l budget | None => None end
  end.

(** All paths end before the goal that come from [here], or begin in [from], go on through the area, and have at most one
    cell of each pair. Counts down the steps that are left. Of the cells next to [here], a path is followed from the last
    one that it has. That [here] grows over free cells is not trusted: it may be any set with that cell. *)
Fixpoint paths_end (k : nat) (pairs : list (entry * entry)) (goal here from area : cset) (steps : int) : option int :=
  match k with
  | 0 => None
  | S k =>
      if (steps =? 0)%uint63 then None else
      let next := inter (union (around E here) from) area in
      let reach := closure sweeps area (nodes E) next in
      if encloses area (nodes E) next reach && is_none (inter (union here reach) goal) then Some (steps - 1)%uint63 else
      if negb (is_none (inter (union here next) goal)) then None else
      each (fun v budget =>
        if has (nm v) next then
          let area := diff (diff area next) (mates pairs v) in
          let here := closure sweeps (free pairs area) (nodes E) (nm v) in
          paths_end k pairs goal here none (diff area here) budget
        else Some budget) (nodes E) (steps - 1)%uint63
  end.

(** [X] has no path from side to side through the area that has at most one cell of each pair. *)
Definition no_path (X : player) (pairs : list (entry * entry)) (area : cset) : bool :=
  let from := side_set E X true in
  let here := closure sweeps (free pairs area) (nodes E) (inter from (free pairs area)) in
  match paths_end 65 pairs (side_set E X false) here from (diff area here) 20000 with
  | Some _ => true | None => false
  end.

Definition pairs_hold (cl : claim) (pairs : list (entry * entry)) (key : option entry) : bool :=
  let F := start cl in
  let X := winner cl in
  let area := diff (every E) (stones_set F (opp X)) in
  distinct pairs none && all_open E F pairs &&
  match key with
  | Some k =>
      same_player (last_of cl) (opp X) && has (em k) (open_set E F) &&
      forallb (fun p => negb (has (em k) (em (fst p))) && negb (has (em k) (em (snd p)))) pairs
  | None => true
  end &&
  no_path X pairs (match key with Some k => diff area (em k) | None => area end).

(** ** Symmetry *)

Definition square : bool := (rows (the_board E) =? cols (the_board E))%nat.

Definition swaps (k : kind) : bool := match k with Transpose | Antitranspose => true | _ => false end.

Definition on_players (k : kind) (X : player) : player := if swaps k then opp X else X.

Definition image_mask (k : kind) (e : entry) : cset :=
  match k with Identity => em e | Rotation => rot e | Transpose => tra e | Antitranspose => anti e end.

(** The board has this symmetry. *)
Definition has_symmetry (k : kind) : bool := negb (swaps k) || square.

Definition mirror_holds (cl : claim) (k : kind) : bool :=
  let X := winner cl in
  swaps k && has_symmetry k && same_player (last_of cl) (opp X) &&
  forallb (fun e => negb (has (em e) (stones_set (start cl) X)) ||
                    has (image_mask k e) (stones_set (start cl) (opp X))) (entries E).

Definition image_holds (cl : claim) (k : kind) (cl' : claim) : bool :=
  let F := start cl in
  let F' := start cl' in
  has_symmetry k &&
  same_player (winner cl') (on_players k (winner cl)) && same_player (mover cl') (on_players k (mover cl)) &&
  same_player (last_of cl') (on_players k (last_of cl)) &&
  forallb (fun e =>
    Bool.eqb (has (em e) (stones_set F Black)) (has (image_mask k e) (stones_set F' (on_players k Black))) &&
    Bool.eqb (has (em e) (stones_set F White)) (has (image_mask k e) (stones_set F' (on_players k White))))
    (entries E).

(** ** Fill-in *)

Fixpoint lookup_set (l : list name) (found : cset) : option cset :=
  match l with
  | [] => Some found
  | c :: l =>
      match lookup c with
      | Some e => if has (em e) found then None else lookup_set l (union found (em e))
      | None => None
      end
  end.

Definition take_step (F : filling) (s : step) : option filling :=
  match s with
  | Dead cells => match lookup_set cells none with Some cells => settle E F cells | None => None end
  | Captured X pairs =>
      match lookup_pairs pairs with
      | Some pairs => if captured_pairs E F X pairs then Some (add_pairs F X pairs) else None
      | None => None
      end
  | Mutual (a, a') (b, b') =>
      match lookup a, lookup a', lookup b, lookup b' with
      | Some a, Some a', Some b, Some b' => mutual_fill E F a a' b b'
      | _, _, _, _ => None
      end
  end.

Fixpoint take_steps (F : filling) (l : list step) : option filling :=
  match l with
  | [] => Some F
  | s :: l => match take_step F s with Some F => take_steps F l | None => None end
  end.

Definition like (cl cl' : claim) : bool :=
  same_player (winner cl') (winner cl) && same_player (last_of cl') (last_of cl).

Definition fill_holds (cl : claim) (steps : list step) (cl' : claim) : bool :=
  match take_steps (start cl) steps with
  | Some F => like cl cl' && same (diff (cb cl') (fd F)) (fb F) && same (diff (cw cl') (fd F)) (fw F)
  | None => false
  end.

Definition worse_holds (cl cl' : claim) : bool :=
  let X := winner cl in
  like cl cl' &&
  within (stones_set (start cl) X) (stones_set (start cl') X) &&
  within (stones_set (start cl') (opp X)) (stones_set (start cl) (opp X)).

(** ** A claim *)

(** The rules of an explicit certificate. *)
Definition is_explicit (r : rule) : bool :=
  match r with
  | Joined | Move _ _ | Pairs _ _ | Image _ _ => true
  | All answers => forallb (fun a => match snd a with Less _ _ => false | _ => true end) answers
  | _ => false
  end.

Definition holds (cl : claim) (r : rule) : bool :=
  let F := start cl in
  let X := winner cl in
  match r with
  | Joined => has_joined F (opp X)
  | _ =>
      negb (has_joined F Black) && negb (has_joined F White) &&
      match r with
      | Joined => false
      | Move c i =>
          match lookup c with
          | Some e =>
              same_player (mover cl) X && has (em e) (open_set E F) && known_says i (add_stone F (em e) X) (opp X) X
          | None => false
          end
      | All answers =>
          same_player (mover cl) (opp X) && meets E (every E) (open_set E F) &&
          match answers_hold cl answers none with
          | Some answered => within (open_set E F) answered
          | None => false
          end
      | Pairs pairs key =>
          match lookup_pairs pairs, key with
          | Some pairs, None => pairs_hold cl pairs None
          | Some pairs, Some k => match lookup k with Some k => pairs_hold cl pairs (Some k) | None => false end
          | None, _ => false
          end
      | Mirror k => mirror_holds cl k
      | Image k i => match known i with Some cl' => image_holds cl k cl' | None => false end
      | Fill steps i => match known i with Some cl' => fill_holds cl steps cl' | None => false end
      | Worse i => match known i with Some cl' => worse_holds cl cl' | None => false end
      end
  end.

End Program.
