(** * Fillings: the test for dead cells, captured pairs and mutual fill-in as programs

    Defines a filling, that is stones and settled cells, and the programs that test it. What the test for dead cells finds is
    shown to be irrelevant to who is joined. *)

From Coq Require Import Arith Lia List Bool ZArith Uint63.
From Rex Require Import Hex Board Game Rex Dead Fill Cset Table Links.
Import ListNotations.
Local Open Scope bool_scope.

(** ** The program *)

(** Stones of both players, and settled cells. *)
Record filling := Filling { fb : cset; fw : cset; fd : cset }.

Definition stones_set (F : filling) (X : player) : cset :=
  match X with Black => fb F | White => diff (fw F) (fb F) end.

Definition open_set (E : env) (F : filling) : cset := diff (diff (every E) (union (fb F) (fw F))) (fd F).

(** One more stone. *)
Definition add_stone (F : filling) (m : cset) (X : player) : filling :=
  match X with
  | Black => Filling (union (fb F) m) (diff (fw F) m) (fd F)
  | White => Filling (diff (fb F) m) (union (fw F) m) (fd F)
  end.

(** Any two cells of [K] are neighbours. *)
Definition clique (G : graph) (K : cset) : bool :=
  within K (g_open G) &&
  forallb (fun v => negb (has (nm v) K) || within (diff K (nm v)) (nn v)) (g_nodes G).

Definition surrounded (G : graph) (v : node) : bool :=
  let K := diff (nn v) (nm v) in
  let a := has (nm v) (g_first G) in
  let b := has (nm v) (g_second G) in
  negb (a && b) && (negb a || within K (g_first G)) && (negb b || within K (g_second G)) && clique G K.

Definition all_surrounded (G : graph) : cset := unions (map nm (filter (surrounded G) (g_nodes G))).

(** What the clique [K] cuts off. *)
Definition behind (G : graph) (K : cset) : cset :=
  let area := diff (g_open G) K in
  let s1 := inter (g_first G) area in
  let s2 := inter (g_second G) area in
  let r1 := closure sweeps area (g_nodes G) s1 in
  let r2 := closure sweeps area (g_nodes G) s2 in
  if encloses area (g_nodes G) s1 r1 && encloses area (g_nodes G) s2 r2 && clique G K then
    union (diff (diff area r1) r2)
      (union (if within K (g_first G) then diff area r2 else none)
             (if within K (g_second G) then diff area r1 else none))
  else none.

(** All cliques of at most three cells. *)
Fixpoint triples (m common : cset) (l : list node) : list cset :=
  match l with
  | [] => []
  | v :: l => if has (nm v) common then union m (nm v) :: triples m common l else triples m common l
  end.

Fixpoint doubles (m ns : cset) (l : list node) : list cset :=
  match l with
  | [] => []
  | v :: l =>
      if has (nm v) ns
      then let m2 := union m (nm v) in m2 :: triples m2 (inter ns (nn v)) l ++ doubles m ns l
      else doubles m ns l
  end.

Fixpoint singles_and_more (l : list node) : list cset :=
  match l with
  | [] => []
  | v :: l => nm v :: doubles (nm v) (nn v) l ++ singles_and_more l
  end.

Definition all_cut_off (G : graph) : cset :=
  unions (map (behind G) (none :: singles_and_more (g_nodes G))).

Fixpoint find_dead (k : nat) (E : env) (F : filling) (cells : cset) : bool :=
  match k with
  | 0 => false
  | S k =>
      if within cells (fd F) then true else
      match make_graph E Black (stones_set F Black) (open_set E F),
            make_graph E White (stones_set F White) (open_set E F) with
      | Some G, Some H =>
          let d := union (all_surrounded G) (all_surrounded H) in
          let d := if is_none d then union (all_cut_off G) (all_cut_off H) else d in
          let d := inter d (open_set E F) in
          if is_none d then false else find_dead k E (Filling (fb F) (fw F) (union (fd F) d)) cells
      | _, _ => false
      end
  end.

(** The cells are dead. *)
Definition all_dead (E : env) (F : filling) (cells : cset) : bool :=
  within cells (fd F) ||
  is_joined E Black (stones_set F Black) || is_joined E White (stones_set F White) || find_dead 65 E F cells.

Definition settle (E : env) (F : filling) (cells : cset) : option filling :=
  let b := diff (fb F) cells in
  let w := diff (fw F) cells in
  let bare := is_none (inter cells (union (fb F) (fw F))) in
  if negb (is_none cells) && is_none (inter cells (fd F)) &&
     all_dead E (Filling b w (if bare then fd F else none)) cells
  then Some (Filling b w (union (fd F) cells)) else None.

Fixpoint capture (E : env) (F : filling) (X : player) (pairs : list (entry * entry)) (rest : cset) : bool :=
  match pairs with
  | [] => all_dead E F rest
  | (a, b) :: pairs =>
      has (em a) (open_set E F) && has (em b) (open_set E F) &&
      capture E (add_stone F (em a) X) X pairs (union rest (em b)) &&
      capture E (add_stone F (em b) X) X pairs (union rest (em a))
  end.

Fixpoint distinct (pairs : list (entry * entry)) (seen : cset) : bool :=
  match pairs with
  | [] => true
  | (a, b) :: pairs =>
      negb (has (em a) seen) && negb (has (em b) (union seen (em a))) &&
      distinct pairs (union (union seen (em a)) (em b))
  end.

Definition all_open (E : env) (F : filling) (pairs : list (entry * entry)) : bool :=
  forallb (fun p => has (em (fst p)) (open_set E F) && has (em (snd p)) (open_set E F)) pairs.

Definition most_pairs (pairs : list (entry * entry)) : bool :=
  (1 <=? length pairs) && (length pairs <=? 6).

Fixpoint add_pairs (F : filling) (X : player) (pairs : list (entry * entry)) : filling :=
  match pairs with
  | [] => F
  | (a, b) :: pairs => add_pairs (add_stone (add_stone F (em a) X) (em b) X) X pairs
  end.

Definition captured_pairs (E : env) (F : filling) (X : player) (pairs : list (entry * entry)) : bool :=
  most_pairs pairs && distinct pairs none && all_open E F pairs && capture E F X pairs none.

Definition mutual_fill (E : env) (F : filling) (a a' b b' : entry) : option filling :=
  if has (em a) (open_set E F) && has (em b) (open_set E F) && negb (has (em a) (em b)) &&
     captured_pairs E (add_stone F (em b) White) Black [(a, a')] &&
     captured_pairs E (add_stone F (em a) Black) White [(b, b')]
  then Some (add_stone (add_stone F (em a) Black) (em b) White) else None.

(** ** What it means *)

Definition pos_of (b w : cset) : position :=
  fun c => if mem b c then Some Black else if mem w c then Some White else None.

Definition pos (F : filling) : position := pos_of (fb F) (fw F).

Lemma stones_set_spec F X c : mem (stones_set F X) c = true <-> stones (pos F) X c.
Proof.
  unfold stones, pos, pos_of. destruct X; simpl; rewrite ?mem_diff;
    destruct (mem (fb F) c), (mem (fw F) c); simpl; split; congruence.
Qed.

Lemma mem_diff_iff s t c : mem (diff s t) c = true <-> mem s c = true /\ mem t c = false.
Proof. rewrite mem_diff, andb_true_iff, negb_true_iff. reflexivity. Qed.

(** *** Other descriptions of the same stones *)

Lemma path_iff B (S T : cell -> Prop) a b : (forall c, S c <-> T c) -> path B S a b <-> path B T a b.
Proof.
  intros H. split; induction 1; try (apply path_here; now apply H); (eapply path_step; [eassumption|assumption|now apply H]).
Qed.

Lemma near_iff B X (S T : cell -> Prop) c d : (forall c, S c <-> T c) -> near B X S c d <-> near B X T c d.
Proof.
  intros H. unfold near. split; (intros [K|(s & t & K1 & K2 & K3 & K4)]; [now left|right; exists s, t]);
    (split; [assumption|]; split; [now apply (path_iff B S T s t H)|]; split; [assumption|]);
    intros i u Hu; apply K4; now apply (path_iff B S T s u H).
Qed.

Lemma at_side_iff B X (S T : cell -> Prop) i c : (forall c, S c <-> T c) -> at_side B X S i c <-> at_side B X T i c.
Proof.
  intros H. unfold at_side. split; (intros [K|(s & t & K1 & K2 & K3)]; [now left|right; exists s, t]);
    (split; [assumption|]; split; [now apply (path_iff B S T s t H)|assumption]).
Qed.

Section Filling.
Variable B : board.
Hypothesis small : size B <= 64.
Hypothesis rows_pos : 0 < rows B.
Hypothesis cols_pos : 0 < cols B.
Notation n := (size B).
Notation E := (make_env B).

Lemma open_set_spec F c :
  mem (open_set E F) c = true <-> c < n /\ pos F c = None /\ mem (fd F) c = false.
Proof.
  unfold open_set. rewrite !mem_diff, mem_union, !andb_true_iff, !negb_true_iff, orb_false_iff, mem_every by assumption.
  unfold pos, pos_of. destruct (mem (fb F) c), (mem (fw F) c); intuition discriminate.
Qed.

(** The settled cells of a filling have no stones, and their colours do not matter. *)
Definition settled_ok (F : filling) : Prop :=
  irrelevant B (pos F) (mem (fd F)) /\ stones_off B (mem (fd F)) (pos F).

Lemma irrelevant_union P C D : irrelevant B P C -> irrelevant B P D -> irrelevant B P (fun c => C c || D c).
Proof.
  intros HC HD f g F G Hf Hg Hfg X J.
  pose (h := fun c => if C c then g c else f c).
  assert (empties n h = 0) as H.
  { destruct (Nat.eq_dec (empties n h) 0) as [|Z]; [assumption|].
    destruct (empties_pos n h) as (c & Hc & Ec); [lia|]. unfold h in Ec.
    destruct (C c); [now apply (empties_zero n g c) in Ec|now apply (empties_zero n f c) in Ec]. }
  assert (extends n h P) as Hh.
  { intros c Y Hc Ec. unfold h. destruct (C c); auto. }
  apply (HD h g); auto.
  - intros c Hc Dc. unfold h. destruct (C c) eqn:Cc; [reflexivity|]. apply Hfg; auto. now rewrite Cc, Dc.
  - apply (HC f h); auto. intros c Hc Cc. unfold h. now rewrite Cc.
Qed.

Lemma irrelevant_ext P Q D : (forall c, c < n -> P c = Q c) -> irrelevant B P D -> irrelevant B Q D.
Proof.
  intros H. apply irrelevant_more. intros c X Hc Ec. now rewrite <- H.
Qed.

Section Graphs.
Variable F : filling.
Variable X : player.
Variable G : graph.
Hypothesis OK : settled_ok F.
Hypothesis HG : make_graph E X (stones_set F X) (open_set E F) = Some G.

Let S := stones (pos F) X.
Let ok := make_graph_ok B small X (stones_set F X) (open_set E F) G HG.

Lemma g_first_spec c : mem (g_first G) c = true <-> at_side B X S true c /\ mem (open_set E F) c = true.
Proof. rewrite (ok_first _ _ _ _ _ ok). apply and_iff_compat_r, at_side_iff. apply stones_set_spec. Qed.

Lemma g_second_spec c : mem (g_second G) c = true <-> at_side B X S false c /\ mem (open_set E F) c = true.
Proof. rewrite (ok_second _ _ _ _ _ ok). apply and_iff_compat_r, at_side_iff. apply stones_set_spec. Qed.

Lemma g_node_spec v : In v (g_nodes G) -> sound v /\ nx v < n /\ mem (open_set E F) (nx v) = true /\
  forall d, mem (nn v) d = true <-> near B X S (nx v) d /\ mem (open_set E F) d = true.
Proof.
  intros Hv. destruct (ok_node _ _ _ _ _ ok v Hv) as (H1 & H2 & H3 & H4). repeat (split; [assumption|]).
  intros d. rewrite H4. apply and_iff_compat_r, near_iff. apply stones_set_spec.
Qed.

Lemma g_node_of c : mem (open_set E F) c = true -> exists v, In v (g_nodes G) /\ nx v = c.
Proof. intros H. apply (ok_nodes _ _ _ _ _ ok); [|assumption]. now apply open_set_spec in H. Qed.

Lemma g_sound : Forall sound (g_nodes G).
Proof. apply Forall_forall. intros v Hv. now apply g_node_spec in Hv. Qed.

Lemma clique_spec K k l : clique G K = true -> mem K k = true -> mem K l = true -> k = l \/ near B X S k l.
Proof.
  unfold clique. intros H Hk Hl. apply andb_true_iff in H as [Hin H]. rewrite forallb_forall in H.
  rewrite (ok_open _ _ _ _ _ ok) in Hin.
  pose proof (within_spec _ _ k Hin Hk) as Ok.
  destruct (g_node_of k Ok) as (v & Hv & <-). specialize (H v Hv).
  destruct (g_node_spec v Hv) as (Sv & _ & _ & Hn). rewrite sound_has, Hk in H by assumption. simpl in H.
  destruct (Nat.eq_dec (nx v) l) as [->|Hne]; [now left|right].
  apply Hn. apply (within_spec _ _ l H). rewrite mem_diff, Hl, sound_mem by assumption.
  apply Nat.eqb_neq in Hne. rewrite Nat.eqb_sym, Hne. reflexivity.
Qed.

(** What is cut off by a clique of the graph is dead. *)
Lemma graph_cut K C :
  clique G K = true ->
  (forall c, mem C c = true -> mem (open_set E F) c = true) ->
  (forall c d, mem C c = true -> mem (open_set E F) d = true -> near B X S c d -> mem C d = true \/ mem K d = true) ->
  (forall c i, mem C c = true -> ~ at_side B X S i c) \/
  (exists i, (forall k, mem K k = true -> at_side B X S i k) /\ (forall c, mem C c = true -> ~ at_side B X S (negb i) c)) ->
  irrelevant B (pos F) (fun c => mem (fd F) c || mem C c).
Proof.
  intros Hcl Hin Hclosed Hsides. destruct OK as [HD Hoff].
  apply (cut_irrelevant B rows_pos cols_pos (pos F) (mem (fd F)) X (mem K) (mem C)); auto.
  - split; auto.
    + intros k l Hk Hl. now apply (clique_spec K).
    + intros c d Hc Hd. apply Hclosed; auto. now apply open_set_spec.
  - intros c Hc. apply Hin, open_set_spec in Hc. tauto.
Qed.

Lemma surrounded_spec v : In v (g_nodes G) -> surrounded G v = true ->
  irrelevant B (pos F) (fun c => mem (fd F) c || mem (nm v) c).
Proof.
  intros Hv H. destruct (g_node_spec v Hv) as (Sv & Hn & Ho & Hnear).
  unfold surrounded in H. rewrite !sound_has in H by assumption.
  apply andb_true_iff in H as [H Hcl]. apply andb_true_iff in H as [H Hb]. apply andb_true_iff in H as [Hab Ha].
  assert (Hm : forall c, mem (nm v) c = true <-> c = nx v) by (intros c; rewrite sound_mem, Nat.eqb_eq by assumption; tauto).
  apply (graph_cut (diff (nn v) (nm v))); auto.
  - intros c Hc. apply Hm in Hc as ->. assumption.
  - intros c d Hc Hd Hcd. apply Hm in Hc as ->.
    destruct (Nat.eq_dec d (nx v)) as [->|Hne]; [left; now apply Hm|right].
    rewrite mem_diff. assert (mem (nn v) d = true) as -> by (apply Hnear; auto).
    rewrite sound_mem by assumption. apply Nat.eqb_neq in Hne. now rewrite Hne.
  - assert (N : forall i : bool, mem (if i then g_first G else g_second G) (nx v) = false -> ~ at_side B X S i (nx v)).
    { intros i H K. destruct i; [assert (mem (g_first G) (nx v) = true) by (now apply g_first_spec)
                                |assert (mem (g_second G) (nx v) = true) by (now apply g_second_spec)]; congruence. }
    destruct (mem (g_first G) (nx v)) eqn:E1, (mem (g_second G) (nx v)) eqn:E2; simpl in *; try discriminate.
    + right. exists true. split.
      * intros k Hk. apply (within_spec _ _ k Ha) in Hk. now apply g_first_spec in Hk.
      * intros c Hc. apply Hm in Hc as ->. now apply (N false).
    + right. exists false. split.
      * intros k Hk. apply (within_spec _ _ k Hb) in Hk. now apply g_second_spec in Hk.
      * intros c Hc. apply Hm in Hc as ->. now apply (N true).
    + left. intros c i Hc. apply Hm in Hc as ->. destruct i; [now apply (N true)|now apply (N false)].
Qed.

Lemma irrelevant_unions l :
  Forall (fun C => irrelevant B (pos F) (fun c => mem (fd F) c || mem C c)) l ->
  irrelevant B (pos F) (fun c => mem (fd F) c || mem (unions l) c).
Proof.
  induction 1 as [|C l HC Hl IH]; simpl.
  - apply (irrelevant_less B _ (mem (fd F))); [|apply OK]. intros c Hc. rewrite mem_none, orb_false_r. auto.
  - apply (irrelevant_less B _ _ _ ) with (2 := irrelevant_union _ _ _ HC IH). intros c Hc.
    rewrite mem_union. destruct (mem (fd F) c), (mem C c); auto.
Qed.

Lemma all_surrounded_spec : irrelevant B (pos F) (fun c => mem (fd F) c || mem (all_surrounded G) c).
Proof.
  apply irrelevant_unions, Forall_forall. intros C HC. apply in_map_iff in HC as (v & <- & Hv).
  apply filter_In in Hv as [Hv Hs]. now apply surrounded_spec.
Qed.

(** Cells of the area that a closed set does not reach do not touch it. *)
Lemma beyond area s r c d :
  encloses area (g_nodes G) s r = true -> mem area c = true -> mem r c = false ->
  mem (open_set E F) c = true -> mem (open_set E F) d = true -> near B X S c d -> mem r d = false.
Proof.
  intros H Ha Hr Oc Od Hn. destruct (mem r d) eqn:Rd; [|reflexivity].
  destruct (g_node_of d Od) as (v & Hv & <-). destruct (g_node_spec v Hv) as (Sv & _ & _ & Hnear).
  apply andb_true_iff in H as [_ H]. rewrite (closed_spec _ _ _ v c H Hv Sv Rd) in Hr; [discriminate| |assumption].
  apply Hnear. split; [now apply near_sym|assumption].
Qed.

Lemma behind_spec K : irrelevant B (pos F) (fun c => mem (fd F) c || mem (behind G K) c).
Proof.
  unfold behind. rewrite (ok_open _ _ _ _ _ ok). set (area := diff (open_set E F) K).
  set (r1 := closure _ _ _ (inter (g_first G) area)). set (r2 := closure _ _ _ (inter (g_second G) area)).
  assert (Nothing : irrelevant B (pos F) (fun c => mem (fd F) c || mem none c)).
  { apply (irrelevant_less B _ (mem (fd F))); [|apply OK]. intros c Hc. rewrite mem_none, orb_false_r. auto. }
  destruct (encloses _ _ _ r1 && encloses _ _ _ r2 && clique G K) eqn:H; [|exact Nothing].
  apply andb_true_iff in H as [H Hcl]. apply andb_true_iff in H as [H1 H2].
  assert (Area : forall c, mem area c = true -> mem (open_set E F) c = true).
  { intros c Hc. now apply mem_diff_iff in Hc. }
  assert (Rest : forall d, mem (open_set E F) d = true -> mem K d = false -> mem area d = true).
  { intros d Hd Kd. unfold area. now rewrite mem_diff, Hd, Kd. }
  pose (at_ := fun i : bool => if i then g_first G else g_second G).
  assert (At : forall i c, mem (at_ i) c = true <-> at_side B X S i c /\ mem (open_set E F) c = true).
  { intros [] c; [apply g_first_spec|apply g_second_spec]. }
  assert (N : forall i r, encloses area (g_nodes G) (inter (at_ i) area) r = true ->
    forall c, mem area c = true -> mem r c = false -> ~ at_side B X S i c).
  { intros i r Hr c Hc Rc K1. apply andb_true_iff in Hr as [Hin _].
    rewrite (within_spec _ _ c Hin) in Rc; [discriminate|]. rewrite mem_inter, Hc, (proj2 (At i c)); auto. }
  (* What neither side reaches, and what the one side does not reach if the clique is at the other. *)
  assert (P0 : irrelevant B (pos F) (fun c => mem (fd F) c || mem (diff (diff area r1) r2) c)).
  { assert (M : forall c, mem (diff (diff area r1) r2) c = true <-> mem area c = true /\ mem r1 c = false /\ mem r2 c = false).
    { intros c. rewrite !mem_diff_iff. apply and_assoc. }
    apply (graph_cut K); [exact Hcl| | |].
    - intros c Hc. apply M in Hc as [Hc _]. now apply Area.
    - intros c d Hc Hd Hn. apply M in Hc as (Ac & R1 & R2). destruct (mem K d) eqn:Kd; [now right|left].
      apply M. split; [now apply Rest|].
      split; [exact (beyond area _ r1 c d H1 Ac R1 (Area c Ac) Hd Hn)|exact (beyond area _ r2 c d H2 Ac R2 (Area c Ac) Hd Hn)].
    - left. intros c i Hc. apply M in Hc as (Ac & R1 & R2). destruct i; [exact (N true r1 H1 c Ac R1)|exact (N false r2 H2 c Ac R2)]. }
  assert (P1 : forall i r, encloses area (g_nodes G) (inter (at_ (negb i)) area) r = true ->
    irrelevant B (pos F) (fun c => mem (fd F) c || mem (if within K (at_ i) then diff area r else none) c)).
  { intros i r Hr. destruct (within K (at_ i)) eqn:HK; [|exact Nothing].
    apply (graph_cut K); [exact Hcl| | |].
    - intros c Hc. apply mem_diff_iff in Hc as [Hc _]. now apply Area.
    - intros c d Hc Hd Hn. apply mem_diff_iff in Hc as (Ac & Rc). destruct (mem K d) eqn:Kd; [now right|left].
      apply mem_diff_iff. split; [now apply Rest|]. exact (beyond area _ r c d Hr Ac Rc (Area c Ac) Hd Hn).
    - right. exists i. split.
      + intros k Hk. apply (within_spec _ _ k HK) in Hk. now apply At in Hk.
      + intros c Hc. apply mem_diff_iff in Hc as (Ac & Rc). exact (N (negb i) r Hr c Ac Rc). }
  apply (irrelevant_less B (pos F) (fun c => mem (fd F) c || mem (unions [diff (diff area r1) r2;
    if within K (g_first G) then diff area r2 else none; if within K (g_second G) then diff area r1 else none]) c)).
  - intros c _. cbn [unions fold_right]. rewrite !mem_union, mem_none, orb_false_r. exact (fun H => H).
  - apply irrelevant_unions. repeat constructor; [exact P0|exact (P1 true r2 H2)|exact (P1 false r1 H1)].
Qed.

Lemma all_cut_off_spec : irrelevant B (pos F) (fun c => mem (fd F) c || mem (all_cut_off G) c).
Proof.
  apply irrelevant_unions, Forall_forall. intros C HC. apply in_map_iff in HC as (K & <- & _). apply behind_spec.
Qed.

End Graphs.
End Filling.
