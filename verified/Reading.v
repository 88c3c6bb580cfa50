(** * What is read and what is written is what the text spells out

    The stones of a claim that the checker reads are those that its line names, row by row. And the sentence that the checker
    writes about a claim names the stones of that claim. *)

From Coq Require Import Arith Lia List Bool ZArith Uint63.
From Rex Require Import Board Game Rex Cset Table Filling Steps Check Sound Text Certificate.
Import ListNotations.
Local Open Scope bool_scope.

Lemma nat_of_sub a b : (b <=? a)%uint63 = true -> nat_of (a - b) = nat_of a - nat_of b /\ nat_of b <= nat_of a.
Proof.
  intros H. apply leb_spec in H. unfold nat_of. rewrite sub_spec.
  pose proof (to_Z_bounded a). pose proof (to_Z_bounded b). rewrite Z.mod_small by lia. lia.
Qed.

Lemma nat_of_zero a : (a =? 0)%uint63 = Nat.eqb (nat_of a) 0.
Proof.
  destruct (a =? 0)%uint63 eqn:E.
  - apply eqb_spec in E. now subst a.
  - symmetry. apply Nat.eqb_neq. intros H. assert (to_Z a = to_Z 0) as K.
    { unfold nat_of in H. pose proof (to_Z_bounded a). change (to_Z 0) with 0%Z. lia. }
    apply to_Z_inj in K. subst a. now rewrite eqb_refl in E.
Qed.

Lemma nat_of_one a : nat_of a <> 0 -> (1 <=? a)%uint63 = true.
Proof. intros H. apply leb_spec. change (to_Z 1) with 1%Z. unfold nat_of in H. lia. Qed.

Lemma nat_of_small n : n < 100 -> nat_of (small_int n) = n.
Proof.
  intros H. unfold nat_of, small_int. rewrite of_Z_spec, Z.mod_small; [lia|].
  assert (100 < wB)%Z by reflexivity. lia.
Qed.

Lemma skip_spec l : forall n l', skip n l = Some l' -> l' = skipn (nat_of n) l /\ nat_of n <= length l.
Proof.
  induction l as [|e l IH]; intros n l' H; cbn [skip] in H; rewrite nat_of_zero in H.
  - destruct (Nat.eqb_spec (nat_of n) 0) as [E|]; [|discriminate]. rewrite E. split; [simpl; congruence|lia].
  - destruct (Nat.eqb_spec (nat_of n) 0) as [E|D]; [rewrite E; split; [simpl; congruence|lia]|].
    apply IH in H as [-> H]. destruct (nat_of_sub n 1 (nat_of_one n D)) as [E _]. rewrite E in *.
    change (nat_of 1) with 1 in *. destruct (nat_of n) as [|k]; [lia|]. cbn [skipn length].
    replace (S k - 1) with k in * by lia. split; [reflexivity|lia].
Qed.

Lemma skipn_twice {A} m k (l : list A) : skipn m (skipn k l) = skipn (k + m) l.
Proof.
  revert l; induction k as [|k IH]; intros l; [reflexivity|]. destruct l as [|e l]; [now rewrite !skipn_nil|apply IH].
Qed.

Lemma map_none (P : position) k m : (forall c, k <= c < k + m -> P c = None) -> map P (seq k m) = repeat None m.
Proof.
  revert k; induction m as [|m IH]; intros k H; [reflexivity|]. cbn [seq map repeat].
  rewrite H, IH by lia || (intros c Hc; apply H; lia). reflexivity.
Qed.

Section Reading.
Variable B : board.
Hypothesis small : size B <= 64.
Hypothesis rows_pos : 0 < rows B.
Hypothesis cols_pos : 0 < cols B.
Notation E := (make_env B).
Notation columns := (small_int (cols B)).

Lemma sides_small : rows B <= 64 /\ cols B <= 64.
Proof. unfold size in small. nia. Qed.

(** ** Reading *)

Lemma length_entries : length (entries E) = size B.
Proof. cbn [entries make_env]. now rewrite map_length, seq_length. Qed.

Lemma skipn_entry k e todo :
  skipn k (entries E) = e :: todo -> ex e = k /\ good B e /\ skipn (k + 1) (entries E) = todo.
Proof.
  intros H. assert (Hk : k < size B).
  { rewrite <- length_entries. destruct (Nat.lt_ge_cases k (length (entries E))) as [|G]; [assumption|].
    rewrite skipn_all2 in H by assumption. discriminate. }
  rewrite <- skipn_twice, H. cut (e = make_entry B k).
  { intros ->. split; [reflexivity|]. split; [|reflexivity]. apply entry_good; [assumption|]. now apply entry_of. }
  cbn [entries make_env] in H. replace (size B) with (k + S (size B - k - 1)) in H by lia.
  rewrite seq_app, map_app, skipn_app, skipn_all2, map_length, seq_length, Nat.sub_diag in H
    by now rewrite map_length, seq_length. now injection H as <- _.
Qed.

(** Cells from [k] on are to be read: the rest of a row, and the rows from [r] on. *)
Lemma stones_of_spec text : forall k r todo left' empty b w b' w',
  stones_of columns text todo left' empty b w = Some (b', w') ->
  todo = skipn k (entries E) -> k <= size B -> k + nat_of left' = r * cols B -> nat_of empty <= 64 ->
  (forall c, k <= c -> pos_of b w c = None) ->
  k + nat_of left' <= size B /\ (forall c, c < k -> pos_of b' w' c = pos_of b w c) /\
  exists t ts, split slash text = t :: ts /\ row_of t (nat_of empty) = Some (map (pos_of b' w') (seq k (nat_of left'))) /\
    all_of (fun t => row_of t 0) ts =
      Some (map (fun r => map (pos_of b' w') (seq (r * cols B) (cols B))) (seq r (rows B - r))).
Proof.
  induction text as [|x text IH]; intros k r todo left' empty b w b' w' H Ht Hk Hl He Hp; cbn [stones_of] in H; cbv zeta in H.
  - destruct (empty <=? left')%uint63 eqn:Hle; [|discriminate]. destruct (nat_of_sub _ _ Hle) as [Hs Hle'].
    destruct (skip empty todo) as [[|]|] eqn:Hskip; try discriminate. rewrite nat_of_zero, Hs in H.
    destruct (Nat.eqb_spec (nat_of left' - nat_of empty) 0) as [D|]; [|discriminate].
    assert (b' = b /\ w' = w) as [-> ->] by (split; congruence).
    apply skip_spec in Hskip as [E1 E2]. rewrite Ht, skipn_twice in E1. rewrite Ht, skipn_length, length_entries in E2.
    assert (size B <= k + nat_of empty).
    { symmetry in E1. apply (f_equal (@length entry)) in E1. rewrite skipn_length, length_entries in E1. simpl in E1. lia. }
    assert (nat_of left' = nat_of empty) as -> by lia. split; [lia|]. split; [auto|].
    exists [], []. split; [reflexivity|]. split.
    + cbn [row_of]. rewrite map_none; [reflexivity|]. intros c Hc. apply Hp. lia.
    + assert (rows B - r = 0) as -> by (unfold size in *; nia). reflexivity.
  - destruct (is_digit x) eqn:Dx.
    { destruct (_ && _) eqn:Hn; [|discriminate]. apply andb_true_iff in Hn as [_ Hn]. apply leb_spec in Hn.
      change (to_Z 64) with 64%Z in Hn.
      assert (Hd : nat_of (empty * 10 + (x - 48)) = nat_of empty * 10 + (nat_of x - 48) /\ (to_Z empty <= to_Z most)%Z).
      { change (to_Z most) with 4294967295%Z. unfold nat_of in *. pose proof (to_Z_bounded empty).
        split; [|lia]. rewrite next_digit; [|change (to_Z most) with 4294967295%Z; lia|assumption].
        apply digit_range in Dx. lia. }
      destruct Hd as [Hd _].
      destruct (IH k r _ _ _ _ _ _ _ H Ht Hk Hl) as (G1 & G2 & t & ts & G3 & G4 & G5); [unfold nat_of; lia|assumption|].
      split; [assumption|]. split; [assumption|]. exists (x :: t), ts. split; [|split; [|assumption]].
      - cbn [split]. rewrite G3. destruct (x =? slash)%uint63 eqn:Ex; [|reflexivity].
        apply eqb_spec in Ex. subst x. discriminate.
      - cbn [row_of]. rewrite Dx, <- Hd. exact G4. }
    destruct (empty <=? left')%uint63 eqn:Hle; [|discriminate]. destruct (nat_of_sub _ _ Hle) as [Hs Hle'].
    destruct (skip empty todo) as [todo'|] eqn:Hskip; [|discriminate].
    apply skip_spec in Hskip as [E1 E2]. rewrite Ht, skipn_twice in E1. rewrite Ht, skipn_length, length_entries in E2.
    rewrite nat_of_zero, Hs in H. set (m := nat_of empty) in *.
    destruct (x =? slash)%uint63 eqn:Ex.
    { destruct (Nat.eqb_spec (nat_of left' - m) 0) as [D|]; [|discriminate].
      assert (nat_of columns = cols B) as Hcols by (apply nat_of_small; pose proof sides_small; lia).
      destruct (IH (k + m) (S r) _ _ _ _ _ _ _ H E1) as (G1 & G2 & t & ts & G3 & G4 & G5); [lia|lia|unfold nat_of; simpl; lia| |].
      { intros c Hc. apply Hp. lia. }
      rewrite Hcols in *. assert (nat_of left' = m) as Hm by lia. rewrite Hm in *.
      split; [lia|]. split; [intros c Hc; apply G2; lia|].
      exists [], (t :: ts). split; [cbn [split]; now rewrite Ex, G3|]. split.
      - cbn [row_of]. rewrite map_none; [reflexivity|]. intros c Hc. rewrite G2 by lia. apply Hp. lia.
      - cbn [all_of]. change (nat_of 0) with 0 in G4. rewrite G4, G5.
        replace (rows B - r) with (S (rows B - S r)) by (unfold size in *; nia). cbn [seq map].
        now rewrite <- Hl. }
    destruct todo' as [|e todo'']; [discriminate|]. destruct (player_name [x]) as [X|] eqn:Hx; [|discriminate].
    destruct (Nat.eqb_spec (nat_of left' - m) 0) as [|D]; [discriminate|].
    symmetry in E1. apply skipn_entry in E1 as (Xe & Ge & E1). symmetry in E1.
    assert (Hone : nat_of (left' - empty - 1) = nat_of left' - m - 1).
    { rewrite <- Hs in D |- *. apply (nat_of_sub (left' - empty) 1), nat_of_one, D. }
    set (b1 := match X with Black => union b (em e) | White => b end).
    set (w1 := match X with Black => w | White => union w (em e) end).
    assert (H' : stones_of columns text todo'' (left' - empty - 1) 0 b1 w1 = Some (b', w')) by (destruct X; exact H).
    assert (Add : forall c, pos_of b1 w1 c = if c =? k + m then Some X else pos_of b w c).
    { intros c. specialize (Hp (k + m)). unfold b1, w1, pos_of in *.
      destruct X; rewrite mem_union, (good_mem B small rows_pos cols_pos), Xe by assumption;
        (destruct (Nat.eqb_spec c (k + m)) as [->|]; [|now rewrite orb_false_r]); [now rewrite orb_true_r|].
      destruct (mem b (k + m)); [discriminate Hp; lia|now rewrite orb_true_r]. }
    destruct (IH (k + m + 1) r _ _ _ _ _ _ _ H' E1) as (G1 & G2 & t & ts & G3 & G4 & G5);
      [assert (ex e < size B) by apply Ge; lia|rewrite Hone; lia|unfold nat_of; simpl; lia| |].
    { intros c Hc. rewrite Add. destruct (Nat.eqb_spec c (k + m)); [lia|]. apply Hp. lia. }
    rewrite Hone in *. split; [lia|].
    assert (Before : forall c, c < k + m + 1 -> pos_of b' w' c = if c =? k + m then Some X else pos_of b w c).
    { intros c Hc. rewrite G2 by assumption. apply Add. }
    split; [intros c Hc; rewrite Before by lia; destruct (Nat.eqb_spec c (k + m)); [lia|reflexivity]|].
    exists (x :: t), ts. split; [cbn [split]; now rewrite Ex, G3|]. split; [|assumption].
    cbn [row_of]. change (nat_of 0) with 0 in G4. rewrite Dx, Hx, G4.
    set (d := nat_of left' - m - 1). replace (nat_of left') with (m + S d) by lia. rewrite seq_app, map_app. cbn [seq map].
    rewrite (Before (k + m)), Nat.eqb_refl, (map_none _ k m) by lia ||
      (intros c Hc; rewrite Before by lia; destruct (Nat.eqb_spec c (k + m)); [lia|apply Hp; lia]).
    now rewrite Nat.add_1_r.
Qed.

(** A claim that was read has the number, the stones, the side to move and the winner that its words name. *)
Theorem read_claim words i cl how :
  claim_of E words = Some (i, cl, how) ->
  exists a p y x rest, words = a :: p :: y :: x :: rest /\ number a = Some i /\
    rows_of p = Some (table B (position_of cl)) /\ player_name y = Some (mover cl) /\ player_name x = Some (winner cl).
Proof.
  intros H. unfold claim_of in H. destruct words as [|a [|p [|y [|x rest]]]]; try discriminate.
  destruct (number a) as [j|] eqn:Ha; [|discriminate].
  destruct (stones_of _ p _ _ _ _ _) as [[b w]|] eqn:Hs; [|discriminate].
  destruct (player_name y) as [m|] eqn:Hm; [|discriminate]. destruct (player_name x) as [X|] eqn:Hx; [|discriminate].
  destruct (rule_of rest) as [R|]; [|discriminate]. assert (cl = Claim b w m X /\ j = i) as [-> ->] by (split; congruence).
  exists a, p, y, x, rest. repeat (split; [reflexivity || assumption|]). split; [|auto].
  assert (nat_of columns = cols B) as Hcols by (apply nat_of_small; pose proof sides_small; lia).
  cbn [the_board make_env] in Hs.
  apply (stones_of_spec p 0 1) in Hs as (_ & _ & t & ts & G3 & G4 & G5);
    [|reflexivity|lia|lia|unfold nat_of; simpl; lia|intros c _; unfold pos_of; now rewrite !mem_none].
  unfold rows_of. rewrite G3. cbn [all_of]. change (nat_of 0) with 0 in G4. rewrite G4, G5, Hcols.
  unfold table. replace (rows B) with (S (rows B - 1)) at 2 by lia. reflexivity.
Qed.

(** ** Writing *)

Lemma row_of_digits w rest e : forallb is_digit w = true ->
  row_of (w ++ rest) e = row_of rest (fold_left (fun e c => e * 10 + (nat_of c - 48)) w e).
Proof.
  revert e; induction w as [|c w IH]; intros e H; [reflexivity|]. cbn [forallb] in H. apply andb_true_iff in H as [H K].
  cbn [app row_of fold_left]. rewrite H. now apply IH.
Qed.

Lemma numbers : forallb (fun n =>
    forallb is_digit (show_number n) && forallb (fun sep => without sep (show_number n)) [space; slash; letter_x] &&
    (fold_left (fun e c => e * 10 + (nat_of c - 48)) (show_number n) 0 =? n) &&
    match number (show_number n) with Some i => nat_of i =? n | None => false end) (seq 1 99) = true.
Proof. vm_compute. reflexivity. Qed.

Lemma show_number_spec n : 0 < n < 100 ->
  (forall rest, row_of (show_number n ++ rest) 0 = row_of rest n) /\
  (forall sep, In sep [space; slash; letter_x] -> without sep (show_number n) = true) /\
  exists i, number (show_number n) = Some i /\ nat_of i = n.
Proof.
  intros Hn. pose proof numbers as H. rewrite forallb_forall in H. specialize (H n). rewrite !andb_true_iff in H.
  destruct H as [[[H1 H2] H3] H4]; [apply in_seq; lia|]. rewrite forallb_forall in H2. apply Nat.eqb_eq in H3.
  split; [intros rest; rewrite row_of_digits, H3 by assumption; reflexivity|]. split; [assumption|].
  destruct (number (show_number n)) as [i|]; [|discriminate]. apply Nat.eqb_eq in H4. eauto.
Qed.

Lemma show_empty_spec n : n < 100 ->
  (forall rest, row_of (show_empty n ++ rest) 0 = row_of rest n) /\
  forall sep, In sep [space; slash; letter_x] -> without sep (show_empty n) = true.
Proof.
  intros Hn. unfold show_empty. destruct (Nat.eqb_spec n 0) as [->|D]; [auto|].
  destruct (show_number_spec n) as (H1 & H2 & _); [lia|auto].
Qed.

Lemma show_row_spec l : forall e, e + length l < 100 ->
  row_of (show_row l e) 0 = Some (repeat None e ++ l) /\
  forall sep, In sep [space; slash] -> without sep (show_row l e) = true.
Proof.
  induction l as [|[X|] l IH]; intros e He; cbn [show_row length] in *.
  - destruct (show_empty_spec e) as [H1 H2]; [lia|]. specialize (H1 []). rewrite app_nil_r in *.
    split; [assumption|]. intros sep Hs. apply H2. destruct Hs as [|[|[]]]; simpl; auto.
  - destruct (show_empty_spec e) as [H1 H2]; [lia|]. destruct (IH 0) as [H3 H4]; [lia|]. split.
    + rewrite H1. cbn [row_of]. rewrite H3. now destruct X.
    + intros sep Hs. unfold without in *. rewrite forallb_app. cbn [forallb]. rewrite H2, H4 by (simpl in *; tauto).
      destruct X, Hs as [<-|[<-|[]]]; reflexivity.
  - destruct (IH (S e)) as [H1 H2]; [lia|]. split; [|assumption]. rewrite H1. cbn [repeat]. rewrite repeat_cons.
    now rewrite <- app_assoc.
Qed.

Lemma all_of_map {A} (f : A -> line) g l : (forall a, In a l -> g (f a) = Some a) -> all_of g (map f l) = Some l.
Proof.
  induction l as [|a l IH]; intros H; [reflexivity|]. cbn [map all_of]. rewrite H by now left.
  rewrite IH; [reflexivity|]. intros b Hb. apply H. now right.
Qed.

Lemma stone_at_spec cl c : c < size B -> stone_at cl c = position_of cl c.
Proof. intros H. unfold stone_at, position_of, pos_of. now rewrite !has_single by lia. Qed.

Lemma show_position_spec cl :
  rows_of (show_position B cl) = Some (table B (position_of cl)) /\ without space (show_position B cl) = true.
Proof.
  assert (table B (stone_at cl) = table B (position_of cl)) as E1.
  { apply map_ext_in. intros r Hr. apply map_ext_in. intros c Hc. apply in_seq in Hr, Hc.
    apply stone_at_spec. unfold size. nia. }
  unfold show_position. rewrite E1. set (T := table B (position_of cl)).
  assert (Hrow : forall r, In r T -> row_of (show_row r 0) 0 = Some r /\
    forall sep, In sep [space; slash] -> without sep (show_row r 0) = true).
  { intros r Hr. apply (show_row_spec r 0). unfold T, table in Hr. apply in_map_iff in Hr as (j & <- & _).
    rewrite map_length, seq_length. pose proof sides_small. lia. }
  assert (Hwords : forall sep, In sep [space; slash] -> forallb (without sep) (map (fun r => show_row r 0) T) = true).
  { intros sep Hs. apply forallb_forall. intros w Hw. apply in_map_iff in Hw as (r & <- & Hr). now apply Hrow. }
  split; [|apply without_join; [reflexivity|apply Hwords; simpl; auto]].
  unfold rows_of. assert (exists r rs, T = r :: rs) as (r & rs & ET).
  { unfold T, table. destruct (rows B); [lia|]. cbn [seq map]. eauto. }
  rewrite ET in *. cbn [map] in *. rewrite split_join by (apply Hwords; simpl; auto).
  apply (all_of_map (fun r => show_row r 0) (fun t => row_of t 0) (r :: rs)). intros a Ha. now apply Hrow.
Qed.

Hypothesis narrow : cols B <= 26.

Lemma show_board_spec : board_name (show_board B) = Some B /\ without space (show_board B) = true.
Proof.
  pose proof sides_small as [Hr Hc].
  destruct (show_number_spec (rows B)) as (_ & Wr & i & Ni & Ei); [lia|].
  destruct (show_number_spec (cols B)) as (_ & Wc & j & Nj & Ej); [lia|].
  assert (Hwords : forall sep, In sep [space; slash; letter_x] ->
    forallb (without sep) [show_number (rows B); show_number (cols B)] = true).
  { intros sep Hs. cbn [forallb]. now rewrite Wr, Wc by assumption. }
  split; [|apply without_join; [reflexivity|apply Hwords; simpl; auto]].
  unfold board_name, show_board. rewrite split_join by (apply Hwords; simpl; auto). rewrite Ni, Nj.
  assert ((i <=? 64)%uint63 = true) as ->.
  { apply leb_spec. change (to_Z 64) with 64%Z. unfold nat_of in *. lia. }
  assert ((j <=? 26)%uint63 = true) as ->.
  { apply leb_spec. change (to_Z 26) with 26%Z. unfold nat_of in *. lia. }
  cbn [andb]. rewrite Ei, Ej. now destruct B.
Qed.

(** The sentence that is printed says what the claim says. *)
Theorem show_says cl : says (show B cl) B (winner cl) (mover cl) (position_of cl).
Proof.
  destruct (show_position_spec cl) as [Hp Wp]. destruct show_board_spec as [Hb Wb].
  exists (show_position B cl), (show_board B). split; [|auto].
  assert (forall X, show_player X = colour X /\ without space (show_player X) = true) as HX by now intros [].
  unfold show. cbn [app]. rewrite split_join.
  - now rewrite !(proj1 (HX _)).
  - cbn [forallb w_to_move app]. rewrite Wp, Wb, !(proj2 (HX _)). reflexivity.
Qed.

End Reading.
