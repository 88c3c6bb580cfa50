(** * If a claim holds, its player wins

    Defines what a claim says of its position, and shows rule by rule that a claim which [holds] is true if the
    known claims are ([holds_true]). *)

From Coq Require Import Arith Lia List Bool ZArith Uint63.
From Rex Require Import Hex Board Game Rex Dead Fill Cset Table Links Filling Steps Check.
Import ListNotations.
Local Open Scope bool_scope.

Definition position_of (cl : claim) : position := pos_of (cb cl) (cw cl).

(** The winner of the claim wins its position, played to the end. *)
Definition true_claim (B : board) (cl : claim) : Prop :=
  W B (winner cl) (last B (mover cl) (position_of cl)) (position_of cl).

Lemma same_player_spec X Y : same_player X Y = true -> X = Y.
Proof. now destruct X, Y. Qed.

Section Sound.
Variable B : board.
Hypothesis small : size B <= 64.
Hypothesis rows_pos : 0 < rows B.
Hypothesis cols_pos : 0 < cols B.
Notation n := (size B).
Notation E := (make_env B).
Notation good := (good B).
Variable known : id -> option claim.
Hypothesis known_true : forall i cl, known i = Some cl -> true_claim B cl.

Lemma lookup_good c e : lookup E c = Some e -> good e /\ In e (entries E).
Proof. intros H. apply find_some in H as [H _]. split; [now apply entry_good|assumption]. Qed.

Lemma lookup_pairs_good l pairs : lookup_pairs E l = Some pairs -> good_pairs B pairs.
Proof.
  revert pairs; induction l as [|[a b] l IH]; intros pairs H; cbn [lookup_pairs] in H.
  - injection H as <-. constructor.
  - destruct (lookup E a) as [ea|] eqn:Ea; [|discriminate]. destruct (lookup E b) as [eb|] eqn:Eb; [|discriminate].
    destruct (lookup_pairs E l) as [l'|] eqn:El; [|discriminate]. assert (pairs = (ea, eb) :: l') as -> by congruence.
    constructor; [|now apply IH]. split; [apply (lookup_good a ea Ea)|apply (lookup_good b eb Eb)].
Qed.

Lemma pos_start cl c : pos (start cl) c = position_of cl c.
Proof. reflexivity. Qed.

Lemma start_ok cl : settled_ok B (start cl).
Proof.
  split.
  - refine (irrelevant_less B _ _ _ _ (irrelevant_nothing B _)). intros c _. simpl. now rewrite mem_none.
  - intros c _. simpl. rewrite mem_none. discriminate.
Qed.

Lemma open_start cl c : mem (open_set E (start cl)) c = true <-> c < n /\ position_of cl c = None.
Proof. rewrite open_set_spec by assumption. simpl. rewrite mem_none, pos_start. intuition. Qed.

Lemma open_entry cl e : good e -> has (em e) (open_set E (start cl)) = true -> ex e < n /\ position_of cl (ex e) = None.
Proof. intros G H. rewrite (good_has B small rows_pos cols_pos) in H by assumption. now apply open_start in H. Qed.

(** ** Last *)

Lemma odd_empties_spec cl : odd_empties E cl = Nat.odd (empties n (position_of cl)).
Proof.
  unfold odd_empties, empties. cbn [nodes make_env].
  assert (K : forall l, (forall i, In i l -> i < n) ->
    fold_right (fun v odd => xorb (has (nm v) (diff (every E) (union (cb cl) (cw cl)))) odd) false (map (make_node B) l) =
    Nat.odd (length (filter (is_empty_at (position_of cl)) l))).
  { induction l as [|i l IH]; intros Hl; [reflexivity|]. cbn [map fold_right filter].
    rewrite IH by (intros; apply Hl; now right).
    assert (Hi : i < n) by (apply Hl; now left).
    assert (has (nm (make_node B i)) (diff (every E) (union (cb cl) (cw cl))) = is_empty_at (position_of cl) i) as ->.
    { cbn [make_node nm]. rewrite has_single by lia. rewrite mem_diff, mem_union.
      rewrite (proj2 (mem_every B small i) Hi). unfold is_empty_at, position_of, pos_of.
      destruct (mem (cb cl) i), (mem (cw cl) i); reflexivity. }
    destruct (is_empty_at (position_of cl) i); cbn [length]; [|now destruct (Nat.odd _)].
    rewrite Nat.odd_succ, <- Nat.negb_odd. now destruct (Nat.odd _). }
  apply K. intros i Hi. now apply in_cells in Hi.
Qed.

Lemma last_of_spec cl : last_of E cl = last B (mover cl) (position_of cl).
Proof. unfold last_of, last. now rewrite odd_empties_spec. Qed.

Lemma last_put m P c Y : c < n -> P c = None -> last B (opp m) (put P c Y) = last B m P.
Proof.
  intros Hc Ec. unfold last. rewrite (empties_put n P c Y) by assumption.
  rewrite Nat.odd_succ, <- Nat.negb_odd. destruct (Nat.odd _); simpl; [reflexivity|apply opp_opp].
Qed.

Lemma last_ext m P Q : (forall c, c < n -> P c = Q c) -> last B m P = last B m Q.
Proof. intros H. unfold last. rewrite (empties_ext n P Q); [reflexivity|]. intros c Hc. now rewrite H. Qed.

(** A known claim about the position after a move. *)
Lemma says_after cl i e m X :
  good e -> ex e < n -> position_of cl (ex e) = None ->
  known_says known i (add_stone (start cl) (em e) m) (opp m) X = true ->
  W B X (last B m (position_of cl)) (put (position_of cl) (ex e) m).
Proof.
  intros G He Pe H. unfold known_says in H. destruct (known i) as [cl'|] eqn:Ki; [|discriminate].
  apply known_true in Ki. unfold says in H.
  apply andb_true_iff in H as [H HX]. apply andb_true_iff in H as [H Hm]. apply andb_true_iff in H as [Hb Hw].
  apply same_player_spec in HX, Hm. apply same_spec in Hb, Hw.
  assert (Eq : forall c, c < n -> position_of cl' c = put (position_of cl) (ex e) m c).
  { intros c _. change (position_of cl) with (pos (start cl)). rewrite <- (add_stone_pos B small rows_pos cols_pos (start cl) e m c G). unfold position_of, pos. now rewrite Hb, Hw. }
  unfold true_claim in Ki. rewrite HX, Hm, (last_ext _ _ _ Eq), last_put in Ki by assumption.
  revert Ki. apply W_ext. exact Eq.
Qed.

(** ** Answers *)

Section All.
Variable cl : claim.
Hypothesis loser_moves : mover cl = opp (winner cl).
Let X := winner cl.
Let P := position_of cl.
Let L := last B (mover cl) P.

Definition refuted (c : cell) : Prop := c < n /\ P c = None /\ W B X L (put P c (opp X)).

Lemma prefers_spec better k r :
  good better -> good k -> ex k < n -> P (ex k) = None ->
  refuted (ex better) -> prefers E (start cl) (opp X) better k r = true -> refuted (ex k).
Proof.
  intros Gb Gk Hk Pk (Hb & Pb & Wb) H. split; [assumption|]. split; [assumption|].
  unfold prefers in H. apply andb_true_iff in H as [Hne H]. apply negb_true_iff in Hne.
  rewrite (good_has B small rows_pos cols_pos), (good_mem B small rows_pos cols_pos) in Hne by assumption. apply Nat.eqb_neq in Hne.
  assert (Open : mem (open_set E (start cl)) (ex k) = true) by now apply open_start.
  assert (OK : forall Y, settled_ok B (add_stone (start cl) (em k) Y)).
  { intros Y. apply settled_add; auto using start_ok. rewrite (good_has B small rows_pos cols_pos) by assumption. exact Open. }
  assert (At : forall Y c, pos (add_stone (start cl) (em k) Y) c = put P (ex k) Y c).
  { intros Y c. now apply (add_stone_pos B small rows_pos cols_pos). }
  assert (Fd : forall Y c, mem (fd (add_stone (start cl) (em k) Y)) c = false).
  { intros Y c. rewrite fd_add_stone. apply mem_none. }
  (* A settled cell of the test is dead in the position with the stone. *)
  assert (Dead : forall Y F', settle E (add_stone (start cl) (em k) Y) (em better) = Some F' ->
      irrelevant B (put P (ex k) Y) (mem (em better)) /\ stones_off B (mem (em better)) (put P (ex k) Y)).
  { intros Y F' HF. pose proof (settle_spec B small rows_pos cols_pos _ _ _ (OK Y) HF) as [[Irr Off] _].
    assert (Bare : stones_off B (mem (em better)) (put P (ex k) Y)).
    { intros c _ Hc. rewrite (good_mem B small rows_pos cols_pos) in Hc by assumption. apply Nat.eqb_eq in Hc as ->. now rewrite put_other. }
    split; [|exact Bare]. unfold settle in HF.
    match type of HF with (if ?b then _ else _) = _ => destruct b; [|discriminate] end.
    assert (F' = Filling (diff (fb (add_stone (start cl) (em k) Y)) (em better))
                         (diff (fw (add_stone (start cl) (em k) Y)) (em better))
                         (union (fd (add_stone (start cl) (em k) Y)) (em better))) as -> by congruence.
    refine (irrelevant_less B _ _ _ _ (irrelevant_ext B _ _ _ _ Irr)).
    - intros c _ Hc. cbn [fd]. now rewrite mem_union, Hc, orb_true_r.
    - intros c Hc. rewrite <- At. unfold pos, pos_of. cbn [fb fw]. rewrite !mem_diff.
      destruct (mem (em better) c) eqn:Ec; [|now rewrite !andb_true_r]. rewrite !andb_false_r.
      specialize (Bare c Hc Ec). rewrite <- At in Bare. unfold pos, pos_of in Bare. now rewrite Bare. }
  assert (Db : mem (em better) (ex better) = true) by (rewrite (good_mem B small rows_pos cols_pos) by assumption; apply Nat.eqb_refl).
  destruct r as [| |pairs].
  - destruct (settle E _ _) as [F'|] eqn:HF; [|discriminate]. destruct (Dead (opp X) F' HF) as [Irr Off].
    apply (victim B P (mem (em better)) X L (ex k) (ex better)); auto.
  - destruct (settle E _ _) as [F'|] eqn:HF; [|discriminate]. rewrite opp_opp in HF.
    destruct (Dead X F' HF) as [Irr Off].
    apply (vulnerable B rows_pos cols_pos P (mem (em better)) X L (ex k) (ex better)); auto.
  - destruct (lookup_pairs E pairs) as [l|] eqn:El; [|discriminate].
    apply lookup_pairs_good in El. apply andb_true_iff in H as [Hex Hcap].
    destruct (captured_pairs_spec B small rows_pos cols_pos _ _ _ (OK (opp X)) El Hcap) as (ND & Ho & Hc).
    apply (captured_by B rows_pos cols_pos P X L (ex k) (ex better) (cells_at l)); auto.
    + intros d Hd. apply Ho in Hd as (Hd & Pd & _). rewrite At in Pd. auto.
    + revert Hc. apply captures_weak; [|auto]. intros c _. apply At.
    + apply existsb_exists in Hex as ([a b] & Hin & Hab). cbn [fst snd] in Hab.
      unfold good_pairs in El. rewrite Forall_forall in El. destruct (El _ Hin) as [Ga Gb']. cbn [fst snd] in Ga, Gb'.
      unfold cells_of. apply in_flat_map. exists (ex a, ex b). split.
      * unfold cells_at. apply in_map_iff. exists (a, b). auto.
      * cbn [fst snd]. rewrite !(good_has B small rows_pos cols_pos), !(good_mem B small rows_pos cols_pos), orb_true_iff, !Nat.eqb_eq in Hab by assumption.
        destruct Hab as [->| ->]; simpl; auto.
Qed.

Lemma answers_spec l answered answered' :
  answers_hold E known cl l answered = Some answered' ->
  (forall c, mem answered c = true -> refuted c) -> forall c, mem answered' c = true -> refuted c.
Proof.
  revert answered; induction l as [|[c a] l IH]; intros answered H Hr; cbn [answers_hold] in H.
  - now injection H as <-.
  - destruct (lookup E c) as [e|] eqn:Ec; [|discriminate]. apply lookup_good in Ec as [G _].
    match type of H with (if ?b then _ else _) = _ => destruct b eqn:K; [|discriminate] end.
    apply andb_true_iff in K as [K Ha]. apply andb_true_iff in K as [Ho _].
    apply open_entry in Ho as [He Pe]; [|assumption].
    apply (IH _ H). intros d Hd. rewrite mem_union, orb_true_iff, (good_mem B small rows_pos cols_pos), Nat.eqb_eq in Hd by assumption.
    destruct Hd as [Hd| ->]; [auto|]. unfold answer_holds in Ha. rewrite loser_moves in Ha.
    destruct a as [|i|c' r].
    + split; [assumption|]. split; [assumption|]. apply W_lost.
      apply (is_joined_spec B small rows_pos cols_pos _ _ _ Ha). intros d _ Hd. apply stones_set_spec in Hd.
      unfold stones in *. rewrite (add_stone_pos B small rows_pos cols_pos) in Hd by assumption. exact Hd.
    + split; [assumption|]. split; [assumption|]. unfold L. rewrite loser_moves. fold X.
      apply (says_after cl i e (opp X) X); auto. fold X in Ha. now rewrite opp_opp.
    + destruct (lookup E c') as [better|] eqn:Eb; [|discriminate]. apply lookup_good in Eb as [Gb _].
      apply andb_true_iff in Ha as [Hb Hp]. rewrite (good_has B small rows_pos cols_pos) in Hb by assumption.
      apply (prefers_spec better e r); auto.
Qed.

End All.

(** ** Pairings *)

Lemma mates_spec pairs v c : good_pairs B pairs -> sound v -> mem (mates pairs v) c = true ->
  In (nx v, c) (cells_at pairs) \/ In (c, nx v) (cells_at pairs).
Proof.
  intros Hg Sv. induction Hg as [|[a b] pairs [Ga Gb] Hg IH]; cbn [mates fold_right fst snd] in *.
  - now rewrite mem_none.
  - cbn [fst snd] in Ga, Gb. fold (mates pairs v) in *.
    rewrite !sound_has, !(good_mem B small rows_pos cols_pos) by assumption.
    destruct (Nat.eqb_spec (nx v) (ex a)) as [Ea|]; [|destruct (Nat.eqb_spec (nx v) (ex b)) as [Eb|]];
      rewrite ?mem_union, ?(good_mem B small rows_pos cols_pos), ?orb_true_iff, ?Nat.eqb_eq by assumption; cbn [cells_at map].
    + intros [->|H]; [left; left; cbn; congruence|]. destruct (IH H); [left|right]; now right.
    + intros [->|H]; [right; left; cbn; congruence|]. destruct (IH H); [left|right]; now right.
    + intros H. destruct (IH H); [left|right]; now right.
Qed.

Lemma each_spec {A} (f : A -> int -> option int) l before after v :
  each f l before = Some after -> In v l -> exists x y, f v x = Some y.
Proof.
  revert before; induction l as [|u l IH]; cbn [each]; intros before H Hv; [easy|].
  destruct (f u before) as [x|] eqn:Hu; [|discriminate]. destruct Hv as [->|Hv]; eauto.
Qed.

Lemma paths_end_spec k pairs goal here from area steps left' (s : cell -> bool) a b :
  paths_end E k pairs goal here from area steps = Some left' -> good_pairs B pairs ->
  (forall a b, In (a, b) (cells_at pairs) -> s a = true -> s b = true -> False) ->
  path B (fun c => mem here c = true \/ s c = true /\ mem area c = true) a b ->
  mem here a = true \/ mem from a = true -> mem goal b = true -> False.
Proof.
  revert here from area steps left' a; induction k as [|k IH]; intros here from area steps left' a H Hg Hp Hab Ha Hb;
    cbn [paths_end] in H; [discriminate|].
  destruct (steps =? 0)%uint63; [discriminate|].
  set (next := inter (union (around E here) from) area) in H. set (reach := closure sweeps area (nodes E) next) in H.
  set (T := fun c => mem here c = true \/ s c = true /\ mem area c = true) in Hab.
  assert (Next : forall c d, mem here c = true -> adj B c d -> mem area d = true -> mem next d = true).
  { intros c d Hc Hcd Hd. unfold next. rewrite mem_inter, Hd, mem_union, andb_true_r, orb_true_iff. left.
    apply (mem_around B small). eauto. }
  assert (Start : mem here a = true \/ mem next a = true).
  { destruct Ha as [Ha|Ha]; [now left|]. destruct (proj1 (path_ends B _ _ _ Hab)) as [Ta|[_ Ta]]; [now left|right].
    unfold next. now rewrite mem_inter, Ta, mem_union, Ha, orb_true_r. }
  match type of H with (if ?x then _ else _) = _ => destruct x eqn:Hr end.
  { (* The goal is out of reach. *)
    apply andb_true_iff in Hr as [He Hn]. unfold encloses in He. apply andb_true_iff in He as [Hw Hc].
    apply (is_none_spec _ b) in Hn. rewrite mem_inter, mem_union, Hb, andb_true_r in Hn. apply orb_false_iff in Hn as [N1 N2].
    assert (K : forall c, path B T a c -> mem here c = true \/ mem reach c = true).
    { induction 1 as [|c d Hc' IHp Hadj Td].
      - destruct Start; [now left|right]. now apply (within_spec next).
      - destruct Td as [Td|[_ Td]]; [now left|right]. destruct IHp as [K|K].
        + apply (within_spec next); [assumption|]. eauto.
        + eapply (nodes_closed B small); eauto. }
    destruct (K b Hab); congruence. }
  match type of H with (if ?x then _ else _) = _ => destruct x eqn:Hm; [discriminate|] end.
  apply negb_false_iff in Hm. pose proof (is_none_spec _ b Hm) as Nb. rewrite mem_inter, Hb, andb_true_r in Nb. clear Hm Hr.
  destruct (path_leaves B T (mem (union here next)) a b Hab) as [Db|(q & r & Dq & Tq & Hqr & Hr)].
  { rewrite mem_union. destruct Start as [->| ->]; [reflexivity|apply orb_true_r]. }
  { congruence. }
  (* The path leaves from a cell [q] next to [here], not from [here] itself. *)
  assert (Hq : mem here q = false).
  { destruct (mem here q) eqn:Eq; [|reflexivity]. destruct (proj1 (path_ends B _ _ _ Hr)) as [[Tr|[_ Tr]] Dr];
      rewrite mem_union in Dr; apply orb_false_iff in Dr as [D1 D2]; [congruence|].
    rewrite (Next q r) in D2 by assumption. discriminate. }
  rewrite mem_union, Hq in Dq. cbn [orb] in Dq. destruct Tq as [Tq|[Sq _]]; [congruence|].
  destruct (node_of B small q) as (v & Hv & <-); [apply Hqr|].
  destruct (node_spec B small v Hv) as (Sv & _ & _).
  destruct (each_spec _ _ _ _ v H Hv) as (x & y & Hx). rewrite (sound_has v) in Hx by assumption. rewrite Dq in Hx.
  set (area' := diff (diff area next) (mates pairs v)) in Hx.
  set (here' := closure sweeps (free pairs area') (nodes E) (nm v)) in Hx.
  assert (Hhere : mem here' (nx v) = true).
  { apply closure_more. rewrite sound_mem by assumption. apply Nat.eqb_refl. }
  apply (IH _ _ _ _ _ (nx v) Hx Hg Hp); auto.
  assert (G : forall c, c < n -> T c /\ mem (union here next) c = false ->
      mem here' c = true \/ s c = true /\ mem (diff area' here') c = true).
  { intros c _ [Tc Dc]. rewrite mem_union in Dc. apply orb_false_iff in Dc as [D1 D2].
    destruct Tc as [Tc|[Sc Ac]]; [congruence|]. destruct (mem here' c) eqn:Hc; [now left|right]. split; [assumption|].
    unfold area'. rewrite !mem_diff, Ac, D2, Hc. destruct (mem (mates pairs v) c) eqn:M; [|reflexivity].
    exfalso. apply (mates_spec pairs v c Hg Sv) in M as [M|M]; eauto. }
  assert (Rn : r < n) by apply Hqr.
  apply path_trans with r; [|revert Hr; now apply path_mono].
  apply path_one; [now left| |exact Hqr]. apply G; [assumption|]. now apply path_ends in Hr.
Qed.

Lemma no_path_spec X pairs area (s : cell -> bool) :
  no_path E X pairs area = true -> good_pairs B pairs ->
  (forall c, c < n -> s c = true -> mem area c = true) ->
  (forall a b, In (a, b) (cells_at pairs) -> s a = true -> s b = true -> False) ->
  ~ joined B X (fun c => s c = true).
Proof.
  unfold no_path. set (here := closure _ _ _ _). intros H Hg Hs Hp (a & b & Ha & Hb & Hab).
  destruct (paths_end _ _ _ _ _ _ _ _) as [after|] eqn:He; [|discriminate].
  apply (paths_end_spec _ _ _ _ _ _ _ _ s a b He Hg Hp).
  - revert Hab. apply path_mono; [apply Ha|]. intros c Hc Sc. destruct (mem here c) eqn:E1; [now left|right].
    rewrite mem_diff, Hs, E1 by assumption. auto.
  - right. now apply mem_side.
  - now apply mem_side.
Qed.

Lemma pairs_spec cl pairs key :
  good_pairs B pairs -> (forall k, key = Some k -> good k) -> pairs_hold E cl pairs key = true -> true_claim B cl.
Proof.
  intros Hg Hk H. unfold pairs_hold in H. set (X := winner cl) in H. unfold true_claim. fold X.
  apply andb_true_iff in H as [H Hno]. apply andb_true_iff in H as [H Hkey]. apply andb_true_iff in H as [Hd Ho].
  pose proof (proj1 (distinct_spec B small rows_pos cols_pos pairs none Hg Hd)) as ND.
  pose proof (all_open_spec B small rows_pos cols_pos (start cl) pairs Hg Ho) as Open.
  apply (W_pairs B rows_pos cols_pos X _ (position_of cl) (cells_at pairs) (option_map ex key)); auto.
  - intros c Hc. apply Open in Hc as (Hc & Pc & _). auto.
  - intros k Ek. destruct key as [e|]; [|discriminate]. injection Ek as <-.
    assert (Ge : good e) by now apply Hk.
    apply andb_true_iff in Hkey as [Hkey Hout]. apply andb_true_iff in Hkey as [Hl Hopen].
    apply same_player_spec in Hl. rewrite last_of_spec in Hl. split; [assumption|].
    apply open_entry in Hopen as [He Pe]; [|assumption]. split; [assumption|]. split; [assumption|].
    intros Hin. unfold cells_of in Hin. apply in_flat_map in Hin as (p & Hp & Hin).
    unfold cells_at in Hp. apply in_map_iff in Hp as ([a b] & <- & Hp). cbn [fst snd] in Hin.
    rewrite forallb_forall in Hout. specialize (Hout _ Hp). cbn [fst snd] in Hout.
    unfold good_pairs in Hg. rewrite Forall_forall in Hg. destruct (Hg _ Hp) as [Ga Gb]. cbn [fst snd] in Ga, Gb.
    rewrite !(good_has B small rows_pos cols_pos), !(good_mem B small rows_pos cols_pos) in Hout by assumption.
    apply andb_true_iff in Hout as [N1 N2]. apply negb_true_iff, Nat.eqb_neq in N1, N2.
    destruct Hin as [Hin|[Hin|[]]]; congruence.
  - intros g Hext Hone Hgk.
    pose (s := fun c => match g c with Some Y => same_player Y X | None => false end).
    assert (Sg : forall c, s c = true <-> g c = Some X).
    { intros c. unfold s. destruct (g c) as [Y|]; [|split; discriminate]. destruct Y, X; simpl; split; congruence. }
    intros J. apply (no_path_spec _ _ _ s Hno Hg).
    + intros c Hc Sc. apply Sg in Sc.
      assert (mem (diff (every E) (stones_set (start cl) (opp X))) c = true) as M.
      { rewrite mem_diff, (proj2 (mem_every B small c) Hc).
        destruct (mem (stones_set (start cl) (opp X)) c) eqn:Ms; [|reflexivity].
        apply stones_set_spec in Ms. unfold stones in Ms. rewrite pos_start in Ms.
        rewrite (Hext c _ Hc Ms) in Sc. injection Sc as Sc. now apply opp_neq in Sc. }
      destruct key as [e|]; [|exact M]. rewrite mem_diff, M, (good_mem B small rows_pos cols_pos) by now apply Hk.
      destruct (Nat.eqb_spec c (ex e)) as [->|]; [|reflexivity].
      rewrite (Hgk (ex e) eq_refl) in Sc. injection Sc as Sc. now apply opp_neq in Sc.
    + intros a b Hab Sa Sb. apply Sg in Sa, Sb. pose proof (opp_neq X).
      destruct (Hone a b Hab) as [K|K]; congruence.
    + revert J. apply joined_mono. intros c _. apply Sg.
Qed.

(** ** Symmetry *)

Definition on_cells (k : kind) : cell -> cell :=
  match k with
  | Identity => fun c => c | Rotation => rotate B | Transpose => transpose B | Antitranspose => antitranspose B
  end.

Lemma kind_symmetry k : has_symmetry E k = true -> symmetry B (on_cells k) (on_players k).
Proof.
  intros H. unfold has_symmetry, square in H. cbn [the_board make_env] in H.
  destruct k; cbn [swaps negb orb] in H; try apply Nat.eqb_eq in H.
  - split; auto. intros Y S S' HS. apply joined_mono. auto.
  - now apply rotation_symmetry.
  - now apply transpose_symmetry.
  - now apply antitranspose_symmetry.
Qed.

Lemma image_mask_has k c s : has_symmetry E k = true -> c < n ->
  has (image_mask k (make_entry B c)) s = mem s (on_cells k c).
Proof.
  intros H Hc. destruct (kind_symmetry k H) as [_ Hinv _]. destruct (Hinv c Hc) as [Hi _].
  destruct k; cbn [image_mask make_entry em rot tra anti on_cells] in *; apply has_single; lia.
Qed.

Lemma mirror_spec cl k : mirror_holds E cl k = true -> true_claim B cl.
Proof.
  intros H. unfold mirror_holds in H.
  apply andb_true_iff in H as [H Hall]. apply andb_true_iff in H as [H Hl]. apply andb_true_iff in H as [Hs Hsym].
  apply same_player_spec in Hl. rewrite last_of_spec in Hl. unfold true_claim. rewrite Hl.
  pose proof (kind_symmetry k Hsym) as Sym. rewrite forallb_forall in Hall.
  apply (W_mirror B rows_pos cols_pos (on_cells k)).
  - destruct Sym as [S1 S2 S3]. unfold on_players in *. rewrite Hs in *. now split.
  - intros c Hc Pc. specialize (Hall _ (entry_of B small c Hc)).
    rewrite image_mask_has in Hall by assumption. cbn [make_entry em] in Hall. rewrite has_single in Hall by lia.
    apply orb_true_iff in Hall as [Hno|Hyes].
    + apply negb_true_iff in Hno. assert (mem (stones_set (start cl) (winner cl)) c = true) by now apply stones_set_spec.
      congruence.
    + now apply stones_set_spec in Hyes.
Qed.

Lemma image_spec cl k cl' : true_claim B cl' -> image_holds E cl k cl' = true -> true_claim B cl.
Proof.
  intros Ht H. unfold image_holds in H.
  apply andb_true_iff in H as [H Hall]. apply andb_true_iff in H as [H Hl]. apply andb_true_iff in H as [H Hm].
  apply andb_true_iff in H as [Hsym Hw]. apply same_player_spec in Hl, Hm, Hw. rewrite !last_of_spec in Hl.
  pose proof (kind_symmetry k Hsym) as Sym. rewrite forallb_forall in Hall.
  assert (Twice : forall X, on_players k (on_players k X) = X).
  { intros X. unfold on_players. destruct (swaps k); auto using opp_opp. }
  assert (Iff : forall c X, c < n -> (position_of cl c = Some X <-> position_of cl' (on_cells k c) = Some (on_players k X))).
  { intros c X Hc. specialize (Hall _ (entry_of B small c Hc)).
    rewrite !image_mask_has in Hall by assumption. cbn [make_entry em] in Hall. rewrite !has_single in Hall by lia.
    apply andb_true_iff in Hall as [H1 H2]. apply Bool.eqb_prop in H1, H2.
    assert (mem (stones_set (start cl) X) c = mem (stones_set (start cl') (on_players k X)) (on_cells k c)) as Eq
      by (destruct X; assumption).
    change (stones (pos (start cl)) X c <-> stones (pos (start cl')) (on_players k X) (on_cells k c)).
    rewrite <- !stones_set_spec, Eq. reflexivity. }
  unfold true_claim in *. rewrite <- (Twice (winner cl)), <- (Twice (last B (mover cl) _)).
  rewrite <- Hw, <- Hl. apply (W_image B (on_cells k) (on_players k) _ _ (position_of cl')); auto.
  intros c Hc. destruct Sym as [_ Hinv _]. destruct (Hinv c Hc) as [Hi Hii].
  destruct (position_of cl' c) as [Y|] eqn:E1.
  - apply Iff; [assumption|]. now rewrite Hii, Twice.
  - destruct (position_of cl (on_cells k c)) as [Z|] eqn:E2; [|reflexivity].
    apply Iff in E2; [|assumption]. rewrite Hii in E2. congruence.
Qed.

(** ** Fill-in, and worse positions *)

Lemma take_step_spec F s F' :
  settled_ok B F -> take_step E F s = Some F' -> settled_ok B F' /\ same_value B (pos F) (pos F').
Proof.
  intros OK H. destruct s as [cells|X pairs|[a a'] [b b']]; cbn [take_step] in H.
  - destruct (lookup_set E cells none) as [s|]; [|discriminate]. now apply (settle_spec B small rows_pos cols_pos F s).
  - destruct (lookup_pairs E pairs) as [l|] eqn:El; [|discriminate]. apply lookup_pairs_good in El.
    destruct (captured_pairs E F X l) eqn:Hc; [|discriminate]. assert (F' = add_pairs F X l) as -> by congruence.
    now apply captured_step.
  - destruct (lookup E a) as [ea|] eqn:Ea; [|discriminate]. destruct (lookup E a') as [ea'|] eqn:Ea'; [|discriminate].
    destruct (lookup E b) as [eb|] eqn:Eb; [|discriminate]. destruct (lookup E b') as [eb'|] eqn:Eb'; [|discriminate].
    apply lookup_good in Ea as [Ga _], Ea' as [Ga' _], Eb as [Gb _], Eb' as [Gb' _].
    now apply (mutual_step B small rows_pos cols_pos F ea ea' eb eb').
Qed.

Lemma take_steps_spec l F F' :
  settled_ok B F -> take_steps E F l = Some F' -> settled_ok B F' /\ same_value B (pos F) (pos F').
Proof.
  revert F; induction l as [|s l IH]; intros F OK H; cbn [take_steps] in H.
  - assert (F' = F) as -> by congruence. split; [assumption|]. now apply same_value_ext.
  - destruct (take_step E F s) as [F1|] eqn:H1; [|discriminate].
    destruct (take_step_spec F s F1 OK H1) as [OK1 V1]. destruct (IH F1 OK1 H) as [OK2 V2].
    split; [assumption|]. eapply same_value_trans; eauto.
Qed.

Lemma fill_spec cl steps cl' : true_claim B cl' -> fill_holds E cl steps cl' = true -> true_claim B cl.
Proof.
  intros Ht H. unfold fill_holds in H. destruct (take_steps E (start cl) steps) as [F|] eqn:HF; [|discriminate].
  destruct (take_steps_spec _ _ _ (start_ok cl) HF) as [[Irr Off] V].
  apply andb_true_iff in H as [H Hw]. apply andb_true_iff in H as [H Hb]. apply same_spec in Hb, Hw.
  unfold like in H. apply andb_true_iff in H as [HX Hl]. apply same_player_spec in HX, Hl. rewrite !last_of_spec in Hl.
  unfold true_claim in *. rewrite HX, Hl in Ht. apply (V (winner cl)).
  refine (W_irrelevant B (pos F) (mem (fd F)) _ _ _ _ Irr Off _ Ht).
  intros c Hc Dc. split; [|reflexivity]. unfold position_of, pos, pos_of. rewrite <- Hb, <- Hw, !mem_diff, Dc.
  now rewrite !andb_true_r.
Qed.

Lemma worse_spec cl cl' : true_claim B cl' -> worse_holds E cl cl' = true -> true_claim B cl.
Proof.
  intros Ht H. unfold worse_holds in H.
  apply andb_true_iff in H as [H H2]. apply andb_true_iff in H as [H H1].
  unfold like in H. apply andb_true_iff in H as [HX Hl]. apply same_player_spec in HX, Hl. rewrite !last_of_spec in Hl.
  unfold true_claim in *. rewrite HX, Hl in Ht. refine (W_mono B _ _ _ _ _ Ht). intros c Hc.
  assert (A1 : position_of cl c = Some (winner cl) -> position_of cl' c = Some (winner cl)).
  { intros Pc. apply (stones_set_spec (start cl)) in Pc. apply (within_spec _ _ c H1) in Pc.
    now apply stones_set_spec in Pc. }
  assert (A2 : position_of cl' c = Some (opp (winner cl)) -> position_of cl c = Some (opp (winner cl))).
  { intros Pc. apply (stones_set_spec (start cl')) in Pc. apply (within_spec _ _ c H2) in Pc.
    now apply stones_set_spec in Pc. }
  unfold le. destruct (position_of cl' c) as [Y|] eqn:E1, (position_of cl c) as [Z|] eqn:E2; auto.
  - destruct (player_eq_dec Z (winner cl)) as [->|D]; [left; now rewrite A1|].
    apply not_eq_sym, other in D. subst Z. auto.
  - destruct (player_eq_dec Y (winner cl)) as [->|D]; [auto|].
    apply not_eq_sym, other in D. subst Y. specialize (A2 eq_refl). discriminate.
  - destruct (player_eq_dec Z (winner cl)) as [->|D]; [specialize (A1 eq_refl); discriminate|].
    apply not_eq_sym, other in D. subst Z. auto.
Qed.

(** ** Every rule *)

Theorem holds_true cl r : holds E known cl r = true -> true_claim B cl.
Proof.
  intros H. unfold holds in H.
  assert (Rest : forall b : bool, negb (has_joined E (start cl) Black) && negb (has_joined E (start cl) White) && b = true -> b = true).
  { intros b Hb. now apply andb_true_iff in Hb. }
  destruct r as [|c i|answers|pairs key|k|k i|steps i|i]; try apply Rest in H; clear Rest.
  - apply W_lost. apply (is_joined_spec B small rows_pos cols_pos _ _ _ H). intros c _. apply stones_set_spec.
  - destruct (lookup E c) as [e|] eqn:Ec; [|discriminate]. apply lookup_good in Ec as [G _].
    apply andb_true_iff in H as [H Hs]. apply andb_true_iff in H as [Hm Ho]. apply same_player_spec in Hm.
    apply open_entry in Ho as [He Pe]; [|assumption].
    apply (says_after cl i e (winner cl) (winner cl) G He Pe) in Hs.
    unfold true_claim. rewrite Hm. apply wins_move; [|apply turn_last|eauto].
    rewrite (empties_put n _ (ex e) Black) by assumption. lia.
  - apply andb_true_iff in H as [H Ha]. apply andb_true_iff in H as [Hm Hopen]. apply same_player_spec in Hm.
    apply (meets_spec B small) in Hopen as (e & He & _ & Oe). apply open_start in Oe as [_ Pe].
    destruct (answers_hold E known cl answers none) as [answered|] eqn:Hans; [|discriminate].
    unfold true_claim. apply wins_reply.
    + rewrite (empties_put n _ e Black) by assumption. lia.
    + rewrite turn_last. exact Hm.
    + intros c Hc Pc.
      assert (mem answered c = true) as Ac by (apply (within_spec _ _ c Ha); now apply open_start).
      refine (proj2 (proj2 (answers_spec cl Hm answers none answered Hans _ c Ac))).
      intros d Hd. rewrite mem_none in Hd. discriminate.
  - destruct (lookup_pairs E pairs) as [l|] eqn:El; [|discriminate]. apply lookup_pairs_good in El.
    destruct key as [k|].
    + destruct (lookup E k) as [e|] eqn:Ek; [|discriminate]. apply lookup_good in Ek as [G _].
      apply (pairs_spec cl l (Some e)); auto. intros k' Ek'. congruence.
    + apply (pairs_spec cl l None); auto. discriminate.
  - now apply (mirror_spec cl k).
  - destruct (known i) as [cl'|] eqn:Ki; [|discriminate]. apply known_true in Ki. now apply (image_spec cl k cl').
  - destruct (known i) as [cl'|] eqn:Ki; [|discriminate]. apply known_true in Ki. now apply (fill_spec cl steps cl').
  - destruct (known i) as [cl'|] eqn:Ki; [|discriminate]. apply known_true in Ki. now apply (worse_spec cl cl').
Qed.

End Sound.
