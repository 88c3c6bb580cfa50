(** * The steps of a fill-in keep the winner

    Shows this of each step of [Filling.v]: dead cells, captured pairs and mutual fill-in. It also says when an entry of the
    tables stands for a cell of the board. *)

From Coq Require Import Arith Lia List Bool ZArith Uint63.
From Rex Require Import Hex Board Game Rex Dead Fill Cset Table Links Filling.
Import ListNotations.
Local Open Scope bool_scope.

Section Steps.
Variable B : board.
Hypothesis small : size B <= 64.
Hypothesis rows_pos : 0 < rows B.
Hypothesis cols_pos : 0 < cols B.
Notation n := (size B).
Notation E := (make_env B).
Notation settled_ok := (settled_ok B).
Notation irrelevant := (irrelevant B).

(** ** Dead cells *)

Lemma find_dead_spec k F cells :
  settled_ok F -> find_dead k E F cells = true -> irrelevant (pos F) (fun c => mem (fd F) c || mem cells c).
Proof.
  revert F; induction k as [|k IH]; intros F OK H; [discriminate|]. cbn [find_dead] in H.
  destruct (within cells (fd F)) eqn:Hin.
  { apply (irrelevant_less B _ (mem (fd F))); [|apply OK]. intros c _ Hc. apply orb_true_iff in Hc as [Hc|Hc]; [assumption|].
    now apply (within_spec _ _ c Hin). }
  destruct (make_graph E Black _ _) as [G|] eqn:HG; [|discriminate].
  destruct (make_graph E White _ _) as [G'|] eqn:HG'; [|discriminate].
  set (d1 := union (all_surrounded G) (all_surrounded G')) in H.
  set (d2 := union (all_cut_off G) (all_cut_off G')) in H.
  set (d := if is_none d1 then d2 else d1) in H.
  cbv zeta in H. set (d' := inter d (open_set E F)) in H. destruct (is_none d'); [discriminate|].
  assert (Pair : forall C D, irrelevant (pos F) (fun c => mem (fd F) c || mem C c) ->
      irrelevant (pos F) (fun c => mem (fd F) c || mem D c) ->
      irrelevant (pos F) (fun c => mem (fd F) c || mem (union C D) c)).
  { intros C D HC HD. refine (irrelevant_less B _ _ _ _ (irrelevant_union B small rows_pos cols_pos _ _ _ HC HD)). intros c _.
    rewrite mem_union. destruct (mem (fd F) c), (mem C c); auto. }
  assert (Hd : irrelevant (pos F) (fun c => mem (fd F) c || mem d c)).
  { unfold d. destruct (is_none d1).
    - apply Pair; eapply all_cut_off_spec; eauto.
    - apply Pair; eapply all_surrounded_spec; eauto. }
  assert (OK' : settled_ok (Filling (fb F) (fw F) (union (fd F) d'))).
  { split.
    - refine (irrelevant_less B _ _ _ _ Hd). intros c _. simpl. unfold d'. rewrite mem_union, mem_inter.
      destruct (mem (fd F) c), (mem d c); auto.
    - intros c Hc. simpl. unfold d'. rewrite mem_union, mem_inter. intros Hm.
      destruct (mem (fd F) c) eqn:Fc; [now apply OK|]. simpl in Hm. apply andb_true_iff in Hm as [_ Hm].
      apply open_set_spec in Hm; [|assumption]. tauto. }
  apply (IH _ OK') in H. refine (irrelevant_less B _ _ _ _ H). intros c _ Hc. simpl. rewrite mem_union.
  destruct (mem (fd F) c), (mem cells c); try discriminate; rewrite ?orb_true_r; reflexivity.
Qed.

Theorem all_dead_spec F cells :
  settled_ok F -> all_dead E F cells = true -> irrelevant (pos F) (fun c => mem (fd F) c || mem cells c).
Proof.
  intros OK H. unfold all_dead in H. rewrite !orb_true_iff in H.
  assert (Over : forall X, is_joined E X (stones_set F X) = true -> irrelevant (pos F) (fun c => mem (fd F) c || mem cells c)).
  { intros X J. apply (irrelevant_over B rows_pos cols_pos _ _ X).
    apply (is_joined_spec B small rows_pos cols_pos X _ _ J). intros c _. apply stones_set_spec. }
  destruct H as [[[H|H]|H]|H]; [|now apply (Over Black)|now apply (Over White)|now apply find_dead_spec in H].
  apply (irrelevant_less B _ (mem (fd F))); [|apply OK]. intros c _ Hc. apply orb_true_iff in Hc as [Hc|Hc]; [assumption|].
  now apply (within_spec _ _ c H).
Qed.

Theorem settle_spec F cells F' :
  settled_ok F -> settle E F cells = Some F' -> settled_ok F' /\ same_value B (pos F) (pos F').
Proof.
  intros OK H. unfold settle in H. set (b := diff (fb F) cells) in H. set (w := diff (fw F) cells) in H.
  set (bare := is_none (inter cells (union (fb F) (fw F)))) in H.
  destruct (negb (is_none cells) && _ && _) eqn:K; [|discriminate]. injection H as <-.
  apply andb_true_iff in K as [_ Hdead].
  set (P' := pos_of b w).
  assert (Out : forall c, mem cells c = false -> P' c = pos F c).
  { intros c Hc. unfold P', pos, pos_of, b, w. rewrite !mem_diff, Hc, !andb_true_r. reflexivity. }
  assert (In' : forall c, mem cells c = true -> P' c = None).
  { intros c Hc. unfold P', pos_of, b, w. rewrite !mem_diff, Hc, !andb_false_r. reflexivity. }
  assert (Off : stones_off B (fun c => mem (fd F) c || mem cells c) P').
  { intros c Hn Hc. destruct (mem cells c) eqn:Cc; [now apply In'|]. rewrite orb_false_r in Hc.
    rewrite Out by assumption. now apply OK. }
  assert (Irr : irrelevant P' (fun c => mem (fd F) c || mem cells c)).
  { destruct bare eqn:Bare.
    - apply all_dead_spec in Hdead; [exact Hdead|].
      assert (Same : forall c, P' c = pos F c).
      { intros c. destruct (mem cells c) eqn:Cc; [|now apply Out]. apply (is_none_spec _ c) in Bare.
        rewrite mem_inter, mem_union, Cc in Bare. apply orb_false_iff in Bare as [B1 B2].
        rewrite In' by assumption. unfold pos, pos_of. now rewrite B1, B2. }
      split.
      + apply (irrelevant_ext B (pos F)); [intros c _; symmetry; apply Same|apply OK].
      + intros c Hn Hc. change (P' c = None). rewrite Same. now apply OK.
    - apply all_dead_spec in Hdead.
      + apply (irrelevant_stones B rows_pos cols_pos (pos F) P' (mem (fd F)) (mem cells)); try apply OK.
        * refine (irrelevant_less B _ _ _ _ Hdead). intros c _ Hc. simpl. now rewrite Hc, orb_true_r.
        * intros c _. apply Out.
        * intros c _. apply In'.
      + split.
        * refine (irrelevant_less B _ _ _ _ (irrelevant_nothing B _)). intros c _. simpl. now rewrite mem_none.
        * intros c _. simpl. rewrite mem_none. discriminate. }
  split.
  - split.
    + refine (irrelevant_less B _ _ _ _ Irr). intros c _. simpl. now rewrite mem_union.
    + intros c Hn Hc. simpl in Hc. rewrite mem_union in Hc. exact (Off c Hn Hc).
  - apply (dead_value B P' (fun c => mem (fd F) c || mem cells c)); [exact Irr|exact Off|].
    intros c Hn Hc. apply orb_false_iff in Hc as [_ Hc]. split; [symmetry; now apply Out|reflexivity].
Qed.

(** ** Captured pairs *)

Definition good (e : entry) : Prop := ex e < n /\ em e = single (ex e).

Lemma entry_good e : In e (entries E) -> good e.
Proof. intros H. destruct (entry_spec B small e H) as [Hn He]. split; [assumption|]. now rewrite He. Qed.

Lemma good_has e s : good e -> has (em e) s = mem s (ex e).
Proof. intros [H ->]. apply has_single. lia. Qed.

Lemma good_mem e c : good e -> mem (em e) c = (c =? ex e).
Proof. intros [H ->]. apply mem_single. lia. Qed.

Lemma add_stone_pos F e X c : good e -> pos (add_stone F (em e) X) c = put (pos F) (ex e) X c.
Proof.
  intros He. unfold pos, pos_of, put. destruct X; simpl; rewrite mem_union, mem_diff, !good_mem by assumption;
    destruct (c =? ex e); simpl; rewrite ?orb_true_r, ?orb_false_r, ?andb_true_r, ?andb_false_r; reflexivity.
Qed.

Lemma open_spec F e : good e -> has (em e) (open_set E F) = true ->
  ex e < n /\ pos F (ex e) = None /\ mem (fd F) (ex e) = false.
Proof. intros He H. rewrite good_has in H by assumption. now apply open_set_spec in H. Qed.

Lemma fd_add_stone F m X : fd (add_stone F m X) = fd F.
Proof. now destruct X. Qed.

Lemma settled_more F F' :
  settled_ok F -> fd F' = fd F -> extends n (pos F') (pos F) -> stones_off B (mem (fd F)) (pos F') -> settled_ok F'.
Proof.
  intros [H1 H2] Hfd Hext Hoff. split; rewrite Hfd; [|assumption]. now apply (irrelevant_more B (pos F)).
Qed.

Lemma settled_add F e X : settled_ok F -> good e -> has (em e) (open_set E F) = true -> settled_ok (add_stone F (em e) X).
Proof.
  intros OK He Ho. destruct (open_spec F e He Ho) as (Hn & Hp & Hd).
  apply (settled_more F); auto using fd_add_stone.
  - intros c Y Hc Ec. rewrite add_stone_pos by assumption. rewrite put_other; [assumption|congruence].
  - intros c Hc Dc. rewrite add_stone_pos by assumption. rewrite put_other by congruence. now apply OK.
Qed.

Definition cells_at (pairs : list (entry * entry)) : list (cell * cell) :=
  map (fun p => (ex (fst p), ex (snd p))) pairs.

Definition good_pairs (pairs : list (entry * entry)) : Prop :=
  Forall (fun p => good (fst p) /\ good (snd p)) pairs.

Lemma captures_weak X P P' pairs Z Z' :
  (forall c, c < n -> P c = P' c) -> (forall c, c < n -> Z' c = true -> Z c = true) ->
  captures B X P pairs Z -> captures B X P' pairs Z'.
Proof.
  intros HP HZ H f g F G Hf Hg H1 H2 Hfg. apply H; auto.
  - intros c Y Hc Ec. apply Hf; [assumption|]. now rewrite <- HP.
  - intros c Y Hc Ec. apply Hg; [assumption|]. now rewrite <- HP.
  - intros c Hc Hnot Zc. apply Hfg; auto. destruct (Z' c) eqn:Zc'; [|reflexivity].
    rewrite HZ in Zc; congruence.
Qed.

Lemma capture_spec F X pairs rest :
  settled_ok F -> good_pairs pairs -> capture E F X pairs rest = true ->
  captures B X (pos F) (cells_at pairs) (fun c => mem (fd F) c || mem rest c).
Proof.
  revert F rest; induction pairs as [|[a b] pairs IH]; intros F rest OK Hg H; cbn [capture] in H.
  - apply captures_nil. now apply all_dead_spec.
  - inversion Hg as [|? ? [Ga Gb] Hg']; subst. simpl in Ga, Gb.
    apply andb_true_iff in H as [H Hb]. apply andb_true_iff in H as [H Ha]. apply andb_true_iff in H as [Oa Ob].
    assert (Step : forall c d, good c -> good d -> has (em c) (open_set E F) = true ->
       capture E (add_stone F (em c) X) X pairs (union rest (em d)) = true ->
       captures B X (put (pos F) (ex c) X) (cells_at pairs) (add (ex d) (fun c => mem (fd F) c || mem rest c))).
    { intros c d Gc Gd Oc Hc. apply IH in Hc; [|now apply settled_add|assumption].
      revert Hc. apply captures_weak.
      - intros e _. now apply add_stone_pos.
      - intros e _. rewrite fd_add_stone, mem_union, good_mem by assumption. unfold add.
        destruct (e =? ex d), (mem (fd F) e), (mem rest e); auto. }
    simpl. apply captures_cons; auto.
Qed.

Lemma distinct_spec pairs seen :
  good_pairs pairs -> distinct pairs seen = true ->
  NoDup (cells_of (cells_at pairs)) /\ forall c, In c (cells_of (cells_at pairs)) -> mem seen c = false.
Proof.
  revert seen; induction pairs as [|[a b] pairs IH]; intros seen Hg H; [split; [constructor|easy]|].
  inversion Hg as [|? ? [Ga Gb] Hg']; subst. simpl in Ga, Gb. cbn [distinct] in H.
  apply andb_true_iff in H as [H Hrest]. apply andb_true_iff in H as [Na Nb].
  apply negb_true_iff in Na, Nb. rewrite good_has in Na, Nb by assumption.
  rewrite mem_union, good_mem in Nb by assumption. apply orb_false_iff in Nb as [Nb Nab].
  apply Nat.eqb_neq in Nab. destruct (IH _ Hg' Hrest) as [ND Hout].
  assert (Hout' : forall c, In c (cells_of (cells_at pairs)) -> c <> ex a /\ c <> ex b /\ mem seen c = false).
  { intros c Hc. specialize (Hout c Hc). rewrite !mem_union, !good_mem in Hout by assumption.
    apply orb_false_iff in Hout as [Hout Eb]. apply orb_false_iff in Hout as [Hs Ea].
    apply Nat.eqb_neq in Ea, Eb. auto. }
  cbn. split.
  - constructor; [|constructor; [|assumption]].
    + intros [Eq|Hin]; [now apply Nab|]. now apply Hout' in Hin.
    + intros Hin. now apply Hout' in Hin.
  - intros c [<-|[<-|Hc]]; [assumption|assumption|]. now apply Hout' in Hc.
Qed.

Lemma all_open_spec F pairs :
  good_pairs pairs -> all_open E F pairs = true ->
  forall c, In c (cells_of (cells_at pairs)) -> c < n /\ pos F c = None /\ mem (fd F) c = false.
Proof.
  induction pairs as [|[a b] pairs IH]; intros Hg H; [easy|].
  inversion Hg as [|? ? [Ga Gb] Hg']; subst. simpl in Ga, Gb. cbn [all_open forallb fst snd] in H.
  apply andb_true_iff in H as [H Hrest]. apply andb_true_iff in H as [Oa Ob].
  cbn. intros c [<-|[<-|Hc]]; [now apply open_spec|now apply open_spec|]. now apply IH.
Qed.

Theorem captured_pairs_spec F X pairs :
  settled_ok F -> good_pairs pairs -> captured_pairs E F X pairs = true ->
  NoDup (cells_of (cells_at pairs)) /\
  (forall c, In c (cells_of (cells_at pairs)) -> c < n /\ pos F c = None /\ mem (fd F) c = false) /\
  captures B X (pos F) (cells_at pairs) (fun _ => false).
Proof.
  intros OK Hg H. unfold captured_pairs in H.
  apply andb_true_iff in H as [H Hc]. apply andb_true_iff in H as [H Ho]. apply andb_true_iff in H as [_ Hd].
  split; [now apply (distinct_spec pairs none)|]. split; [now apply all_open_spec|].
  apply capture_spec in Hc; auto. revert Hc. apply captures_weak; [reflexivity|discriminate].
Qed.

Lemma add_pairs_pos F X pairs c :
  good_pairs pairs -> pos (add_pairs F X pairs) c = fill (pos F) (cells_of (cells_at pairs)) X c.
Proof.
  revert F; induction pairs as [|[a b] pairs IH]; intros F Hg; [reflexivity|].
  inversion Hg as [|? ? [Ga Gb] Hg']; subst. simpl in Ga, Gb. cbn [add_pairs]. rewrite IH by assumption.
  assert (Cells : cells_of (cells_at ((a, b) :: pairs)) = ex a :: ex b :: cells_of (cells_at pairs)) by reflexivity.
  destruct (in_dec Nat.eq_dec c (cells_of (cells_at pairs))) as [I|I].
  { rewrite !fill_in; [reflexivity| |assumption]. rewrite Cells. now right; right. }
  rewrite fill_out by assumption. rewrite add_stone_pos by assumption. unfold put.
  destruct (Nat.eqb_spec c (ex b)) as [->|Nb]; [rewrite fill_in; [reflexivity|rewrite Cells; simpl; auto]|].
  rewrite add_stone_pos by assumption. unfold put.
  destruct (Nat.eqb_spec c (ex a)) as [->|Na]; [rewrite fill_in; [reflexivity|rewrite Cells; simpl; auto]|].
  rewrite fill_out; [reflexivity|]. rewrite Cells. intros [J|[J|J]]; auto.
Qed.

Lemma fd_add_pairs F X pairs : fd (add_pairs F X pairs) = fd F.
Proof.
  revert F; induction pairs as [|[a b] pairs IH]; intros F; [reflexivity|]. cbn [add_pairs]. now rewrite IH, !fd_add_stone.
Qed.

Theorem captured_step F X pairs :
  settled_ok F -> good_pairs pairs -> captured_pairs E F X pairs = true ->
  settled_ok (add_pairs F X pairs) /\ same_value B (pos F) (pos (add_pairs F X pairs)).
Proof.
  intros OK Hg H. destruct (captured_pairs_spec F X pairs OK Hg H) as (ND & Ho & Hc).
  split.
  - apply (settled_more F); auto using fd_add_pairs.
    + intros c Y Hn Ec. rewrite add_pairs_pos by assumption. rewrite fill_out; [assumption|].
      intros I. apply Ho in I. destruct I as (_ & I & _). congruence.
    + intros c Hn Dc. rewrite add_pairs_pos by assumption. rewrite fill_out; [now apply OK|].
      intros I. apply Ho in I. destruct I as (_ & _ & I). congruence.
  - eapply same_value_trans; [apply (captured B rows_pos cols_pos X (pos F) (cells_at pairs) ND); [|exact Hc]|].
    + intros c I. apply Ho in I. tauto.
    + apply same_value_ext. intros c _. symmetry. now apply add_pairs_pos.
Qed.

Theorem mutual_step F a a' b b' F' :
  settled_ok F -> good a -> good a' -> good b -> good b' -> mutual_fill E F a a' b b' = Some F' ->
  settled_ok F' /\ same_value B (pos F) (pos F').
Proof.
  intros OK Ga Ga' Gb Gb' H. unfold mutual_fill in H.
  destruct (has (em a) _ && _ && _ && _ && _) eqn:K; [|discriminate].
  assert (F' = add_stone (add_stone F (em a) Black) (em b) White) as -> by congruence. clear H.
  apply andb_true_iff in K as [K HW]. apply andb_true_iff in K as [K HB]. apply andb_true_iff in K as [K Nab].
  apply andb_true_iff in K as [Oa Ob]. apply negb_true_iff in Nab. rewrite good_has, good_mem in Nab by assumption.
  apply Nat.eqb_neq in Nab.
  assert (OKb : settled_ok (add_stone F (em b) White)) by now apply settled_add.
  assert (OKa : settled_ok (add_stone F (em a) Black)) by now apply settled_add.
  assert (Pairs : forall c d, good c -> good d -> good_pairs [(c, d)]) by (intros; constructor; [split; assumption|constructor]).
  apply captured_pairs_spec in HB; [|assumption|now apply Pairs]. destruct HB as (ND1 & O1 & C1).
  apply captured_pairs_spec in HW; [|assumption|now apply Pairs]. destruct HW as (ND2 & O2 & C2).
  cbn in ND1, ND2.
  destruct (open_spec F a Ga Oa) as (An & Pa & Da). destruct (open_spec F b Gb Ob) as (Bn & Pb & Db).
  destruct (O1 (ex a')) as (An' & Pa' & _); [cbn; auto|]. destruct (O2 (ex b')) as (Bn' & Pb' & _); [cbn; auto|].
  rewrite add_stone_pos in Pa', Pb' by assumption.
  assert (ex a' <> ex b) as N1 by (intros Eq; rewrite Eq, put_same in Pa'; discriminate).
  assert (ex b' <> ex a) as N2 by (intros Eq; rewrite Eq, put_same in Pb'; discriminate).
  rewrite put_other in Pa', Pb' by assumption.
  assert (ex a' <> ex a) as N3 by (inversion ND1 as [|? ? Hn _]; intros Eq; apply Hn; simpl; auto).
  assert (ex b' <> ex b) as N4 by (inversion ND2 as [|? ? Hn _]; intros Eq; apply Hn; simpl; auto).
  split.
  - apply settled_add; auto. rewrite good_has by assumption. apply open_set_spec; [assumption|].
    rewrite fd_add_stone, add_stone_pos, put_other by auto. auto.
  - eapply same_value_trans.
    + apply (mutual B rows_pos cols_pos (pos F) (ex a) (ex a') (ex b) (ex b')); auto.
      * revert C1. apply captures_weak; [|auto]. intros c _. now apply add_stone_pos.
      * revert C2. apply captures_weak; [|auto]. intros c _. now apply add_stone_pos.
    + apply same_value_ext. intros c _. rewrite add_stone_pos by assumption. unfold put at 1 3.
      destruct (c =? ex b); [reflexivity|]. symmetry. now apply add_stone_pos.
Qed.

End Steps.
