(** * The position of a claim is the one its text spells out *)

From Coq Require Import Arith Lia List Bool ZArith Uint63.
From Coq Require Import FMapPositive.
From Rex Require Import Triangle Board Game Rex Cset Table Filling Steps Check Sound Certificate.
Import ListNotations.
Local Open Scope bool_scope.

(** The cells of a position, row by row: stones, and numbers of empty cells. [empty] is the number read so far. *)
Fixpoint spelled (text : line) (empty : int) : list (option player) :=
  match text with
  | [] => repeat None (Z.to_nat (to_Z empty))
  | c :: text =>
      if is_digit c then spelled text (empty * 10 + (c - 48))%uint63
      else repeat None (Z.to_nat (to_Z empty)) ++
           (if (c =? slash)%uint63 then spelled text 0%uint63
            else if (c =? 98)%uint63 then Some Black :: spelled text 0%uint63
            else Some White :: spelled text 0%uint63)
  end.

Lemma skip_spec m (l : list entry) : skip m l = skipn m l.
Proof. revert l; induction m as [|m IH]; intros [|e l]; simpl; auto. Qed.

Lemma skipn_twice m k (l : list entry) : skipn m (skipn k l) = skipn (m + k) l.
Proof.
  revert l; induction k as [|k IH]; intros l; [now rewrite Nat.add_0_r|].
  rewrite Nat.add_succ_r. destruct l as [|e l]; simpl; [apply skipn_nil|apply IH].
Qed.

Lemma nth_more c (l : list (option player)) m : nth c (l ++ repeat None m) None = nth c l None.
Proof.
  destruct (Nat.lt_ge_cases c (length l)) as [H|H].
  - now apply app_nth1.
  - rewrite app_nth2, (nth_overflow l) by assumption. apply nth_repeat.
Qed.

Section Reading.
Variable B : board.
Hypothesis small : size B <= 64.
Hypothesis rows_pos : 0 < rows B.
Hypothesis cols_pos : 0 < cols B.
Notation E := (make_env B).

Lemma skipn_entry k e todo :
  skipn k (entries E) = e :: todo -> ex e = k /\ good B e /\ skipn (S k) (entries E) = todo.
Proof.
  intros H.
  assert (K : forall (l : list entry) j, skipn j l = e :: todo -> nth_error l j = Some e /\ skipn (S j) l = todo).
  { induction l as [|a l IH]; intros [|j] Hj; simpl in Hj; try discriminate.
    - injection Hj as -> ->. auto.
    - apply IH in Hj. exact Hj. }
  apply K in H as [H1 H2]. cbn [entries make_env] in H1. rewrite nth_error_map in H1.
  destruct (nth_error (seq 0 (size B)) k) as [i|] eqn:Ei; [|discriminate]. cbn [option_map] in H1.
  assert (e = make_entry B i) as -> by congruence.
  assert (Hk : k < size B).
  { rewrite <- (seq_length (size B) 0). apply nth_error_Some. congruence. }
  assert (i = k) as ->.
  { apply (nth_error_nth _ _ 0) in Ei. rewrite seq_nth in Ei by assumption. lia. }
  split; [reflexivity|]. split; [|assumption]. apply entry_good; [assumption|]. now apply entry_of.
Qed.

Lemma stones_of_spec columns text : forall pre todo left' empty b w b' w',
  stones_of columns text todo left' empty b w = Some (b', w') ->
  todo = skipn (length pre) (entries E) ->
  (forall c, pos_of b w c = nth c pre None) ->
  forall c, pos_of b' w' c = nth c (pre ++ spelled text empty) None.
Proof.
  induction text as [|x text IH]; intros pre todo left' empty b w b' w' H Ht Hp c; cbn [stones_of spelled] in *.
  - destruct (empty <=? left')%uint63; [|discriminate]. destruct (skip _ todo); [|discriminate].
    destruct (_ =? 0)%uint63; [|discriminate]. assert (b' = b /\ w' = w) as [-> ->] by (split; congruence).
    now rewrite nth_more.
  - destruct (is_digit x).
    { destruct (_ && _); [|discriminate]. now apply (IH _ _ _ _ _ _ _ _ H). }
    destruct (empty <=? left')%uint63; [|discriminate].
    set (m := Z.to_nat (to_Z empty)) in *. rewrite skip_spec, Ht, skipn_twice in H.
    assert (Hp' : forall c, pos_of b w c = nth c (pre ++ repeat None m) None) by (intros d; now rewrite nth_more).
    assert (Hl : m + length pre = length (pre ++ repeat (@None player) m)) by (rewrite app_length, repeat_length; lia).
    rewrite Hl in H. set (pre' := pre ++ repeat None m) in *. rewrite app_assoc. fold pre'. cbv zeta in H.
    destruct (x =? slash)%uint63.
    { destruct (_ =? 0)%uint63; [|discriminate]. exact (IH pre' _ _ _ _ _ _ _ H eq_refl Hp' c). }
    destruct (skipn (length pre') (entries E)) as [|e todo'] eqn:Es; [discriminate|].
    apply skipn_entry in Es as (Ex & Ge & Es). destruct (_ =? 0)%uint63; [discriminate|].
    assert (Next : forall X, todo' = skipn (length (pre' ++ [Some X])) (entries E)).
    { intros X. rewrite app_length. cbn [length]. now rewrite Nat.add_1_r. }
    assert (None' : mem b (length pre') = false /\ mem w (length pre') = false).
    { specialize (Hp' (length pre')). rewrite nth_overflow in Hp' by lia. unfold pos_of in Hp'.
      destruct (mem b (length pre')), (mem w (length pre')); try discriminate. auto. }
    assert (Add : forall X b1 w1,
      (forall d, pos_of b1 w1 d = if d =? length pre' then Some X else pos_of b w d) ->
      forall d, pos_of b1 w1 d = nth d (pre' ++ [Some X]) None).
    { intros X b1 w1 H1 d. rewrite H1, Hp'. destruct (Nat.eqb_spec d (length pre')) as [->|D].
      - now rewrite app_nth2, Nat.sub_diag by lia.
      - destruct (Nat.lt_ge_cases d (length pre')); [now rewrite app_nth1|].
        rewrite !nth_overflow; [reflexivity| |assumption]. rewrite app_length. cbn [length]. lia. }
    destruct (x =? 98)%uint63; [|destruct (x =? 119)%uint63; [|discriminate]].
    + change (Some Black :: spelled text 0%uint63) with ([Some Black] ++ spelled text 0%uint63). rewrite app_assoc.
      refine (IH _ _ _ _ _ _ _ _ H (Next Black) (Add Black _ _ _) c).
      intros d. unfold pos_of. rewrite mem_union, (good_mem B small rows_pos cols_pos), Ex by assumption.
      destruct (d =? length pre'); [now rewrite orb_true_r|now rewrite orb_false_r].
    + change (Some White :: spelled text 0%uint63) with ([Some White] ++ spelled text 0%uint63). rewrite app_assoc.
      refine (IH _ _ _ _ _ _ _ _ H (Next White) (Add White _ _ _) c).
      intros d. unfold pos_of. rewrite mem_union, (good_mem B small rows_pos cols_pos), Ex by assumption.
      destruct (Nat.eqb_spec d (length pre')) as [->|]; [|now rewrite orb_false_r].
      destruct None' as [-> ->]. reflexivity.
Qed.

(** A claim that was read has the stones, the side to move and the winner that its words name. *)
Theorem read_claim words i cl how :
  claim_of E words = Some (i, cl, how) ->
  exists number_of position mover_is winner_is rest,
    words = number_of :: position :: mover_is :: winner_is :: rest /\
    (forall c, position_of cl c = nth c (spelled position 0%uint63) None) /\
    player_name mover_is = Some (mover cl) /\ player_name winner_is = Some (winner cl).
Proof.
  intros H. unfold claim_of in H. destruct words as [|a [|p [|m [|x r]]]]; try discriminate.
  destruct (number a) as [j|]; [|discriminate].
  destruct (stones_of _ p _ _ _ _ _) as [[b w]|] eqn:Hs; [|discriminate].
  destruct (player_name m) as [M|] eqn:Hm; [|discriminate]. destruct (player_name x) as [X|] eqn:Hx; [|discriminate].
  destruct (rule_of r) as [R|]; [|discriminate]. assert (cl = Claim b w M X) as -> by congruence.
  exists a, p, m, x, r. split; [reflexivity|]. split; [|auto].
  intros c. apply (stones_of_spec _ p [] _ _ _ _ _ _ _ Hs eq_refl). intros d. unfold pos_of. rewrite !mem_none.
  now destruct d.
Qed.

End Reading.

(** ** The theorem about texts *)

Local Opaque live_key make_env w_magic w_full w_explicit w_drop w_root.

(** The line says what the claim says. *)
Definition written (l : line) (cl : claim) : Prop :=
  exists number_of position mover_is winner_is rest,
    split space l = number_of :: position :: mover_is :: winner_is :: rest /\
    (forall c, position_of cl c = nth c (spelled position 0%uint63) None) /\
    player_name mover_is = Some (mover cl) /\ player_name winner_is = Some (winner cl).

Definition from_text (text : list line) (s : state) : Prop :=
  match s with
  | Running r => forall k cl, PositiveMap.find k (r_live r) = Some cl -> exists l, In l text /\ written l cl
  | Rooted _ cl => exists l, In l text /\ written l cl
  | _ => True
  end.

Lemma read_line_from text s l : right_state s -> from_text text s -> from_text (text ++ [l]) (read_line s l).
Proof.
  assert (More : forall cl, (exists l0, In l0 text /\ written l0 cl) -> exists l0, In l0 (text ++ [l]) /\ written l0 cl).
  { intros cl (l0 & H & K). exists l0. split; [apply in_or_app; now left|exact K]. }
  destruct s as [| |E|r|E cl|why]; intros HR HF; cbn [read_line]; try exact I.
  - destruct (equal l w_magic); exact I.
  - destruct (board_of l) as [B|]; [|exact I]. destruct (_ && _ && _); exact I.
  - destruct (equal l w_full); [|destruct (equal l w_explicit); [|exact I]];
      cbn [from_text r_live]; intros k cl Hk; rewrite PositiveMap.gempty in Hk; discriminate.
  - destruct (split space l) as [|w words] eqn:Hsplit; [exact I|]. cbn [from_text] in HF.
    destruct (equal w w_drop).
    { destruct words as [|v words']; [exact I|]. destruct (forget (r_live r) (v :: words')) as [m|] eqn:Hf; [|exact I].
      cbn [from_text r_live]. intros k cl Hk. apply More, (HF k). exact (forget_spec _ _ _ Hf k cl Hk). }
    destruct (equal w w_root).
    { destruct words as [|i []]; try exact I. destruct (number i) as [j|]; [|exact I].
      destruct (recall r j) as [cl|] eqn:Hj; [|exact I]. unfold recall in Hj. cbn [from_text]. apply More.
      exact (HF _ _ Hj). }
    unfold on_claim. destruct (claim_of (r_env r) (w :: words)) as [[[i cl] how]|] eqn:Hc; [|exact I].
    destruct (negb _); [exact I|]. destruct (r_explicit r && _); [exact I|].
    destruct (holds (r_env r) (recall r) cl how); [|exact I].
    cbn [from_text r_live]. intros k cl' Hk. destruct (Pos.eq_dec k (live_key i)) as [->|D].
    + rewrite PositiveMap.gss in Hk. assert (cl' = cl) as -> by congruence.
      destruct HR as [[HE (Hr & Hcols & Hs)] _]. rewrite HE in Hc.
      apply (read_claim (the_board (r_env r)) Hs Hr Hcols) in Hc. exists l. split; [apply in_or_app; right; now left|].
      unfold written. rewrite Hsplit. exact Hc.
    + rewrite PositiveMap.gso in Hk by assumption. apply More. now apply (HF k).
Qed.

(** If the checker comes to the root of a text, then a line of the text names a position, a side to move and a winner,
    and she wins that position. *)
Theorem checked_text (text : list line) (E : env) (cl : claim) :
  fold_left read_line text Start = Rooted E cl ->
  exists l number_of position mover_is winner_is rest X m,
    In l text /\ split space l = number_of :: position :: mover_is :: winner_is :: rest /\
    player_name mover_is = Some m /\ player_name winner_is = Some X /\
    Wins (the_board E) X m (fun c => nth c (spelled position 0%uint63) None).
Proof.
  assert (K : forall text seen s, right_state s -> from_text seen s ->
    right_state (fold_left read_line text s) /\ from_text (seen ++ text) (fold_left read_line text s)).
  { induction text0 as [|l text0 IH]; intros seen s HR HF; cbn [fold_left]; [rewrite app_nil_r; auto|].
    replace (seen ++ l :: text0) with ((seen ++ [l]) ++ text0) by now rewrite <- app_assoc.
    apply IH; [now apply read_line_right|now apply read_line_from]. }
  intros H. destruct (K text [] Start I I) as [HR HF]. rewrite H in HR, HF. cbn [app] in HF.
  destruct HR as [[_ (Hr & Hc & _)] Ht].
  destruct HF as (l & Hl & n & p & m & x & rest & Hs & Hp & Hm & Hx).
  exists l, n, p, m, x, rest, (winner cl), (mover cl). repeat (split; [assumption|]).
  unfold true_claim in Ht. apply (W_ext (the_board E) _ _ _ (fun c => nth c (spelled p 0%uint63) None)) in Ht; [|intros c _; apply Hp].
  apply (W_Wins (the_board E) Hr Hc) in Ht.
  rewrite <- (empties_ext (size (the_board E)) (position_of cl)), turn_last in Ht; [exact Ht|].
  intros c _. now rewrite Hp.
Qed.
