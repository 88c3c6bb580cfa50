(** * Connections as the checker computes them: areas that are closed, and a player's graph

    Defines the programs that find what is connected to a set of cells and build a player's graph, and shows that they
    compute what [Board.v] and [Dead.v] define. A closed area is evidence enough, however it was found. *)

From Coq Require Import Arith Lia List Bool ZArith Uint63.
From Rex Require Import Hex Board Game Rex Dead Cset Table.
Import ListNotations.
Local Open Scope bool_scope.

(** ** The program *)

(** One sweep: whatever is next to a point of [s] and lies in the area is added to [s]. *)
Definition grow (area : cset) (ns : list node) (s : cset) : cset :=
  fold_left (fun s v => if has (nm v) s then union s (inter (nn v) area) else s) ns s.

Fixpoint closure (k : nat) (area : cset) (ns : list node) (s : cset) : cset :=
  match k with
  | 0 => s
  | S k => let s' := grow area ns s in if same s' s then s else closure k area ns s'
  end.

(** More sweeps than there are cells are never needed. *)
Definition sweeps : nat := 65.

(** No point of the area outside [r] is next to one in [r]. *)
Definition closed (area : cset) (ns : list node) (r : cset) : bool :=
  forallb (fun v => negb (has (nm v) r) || within (inter (nn v) area) r) ns.

(** [r] has all of [s], and is closed. *)
Definition encloses (area : cset) (ns : list node) (s r : cset) : bool := within s r && closed area ns r.

(** [X] is not joined, whichever cells of the area she has. *)
Definition cannot_join (E : env) (X : player) (area : cset) : bool :=
  let s := inter (side_set E X true) area in
  let r := closure sweeps area (nodes E) s in
  encloses area (nodes E) s r && is_none (inter r (side_set E X false)).

(** By the Hex theorem, [X] is joined if her opponent cannot be with all the other cells. *)
Definition is_joined (E : env) (X : player) (s : cset) : bool := cannot_join E (opp X) (diff (every E) s).

Record graph := Graph {
  g_open : cset;
  g_first : cset;   (* the open cells at her first side *)
  g_second : cset;
  g_nodes : list node   (* the open cells *)
}.

Fixpoint groups (E : env) (own : cset) (l : list node) (found : list cset) : list cset :=
  match l with
  | [] => found
  | v :: l =>
      if has (nm v) own && negb (existsb (has (nm v)) found)
      then groups E own l (closure sweeps own (nodes E) (nm v) :: found)
      else groups E own l found
  end.

Definition around (E : env) (g : cset) : cset :=
  fold_right (fun v s => if has (nm v) g then union (nn v) s else s) none (nodes E).

Definition meets (E : env) (s t : cset) : bool :=
  existsb (fun v => has (nm v) s && has (nm v) t) (nodes E).

Definition unions (l : list cset) : cset := fold_right union none l.

Definition make_graph (E : env) (X : player) (own opn : cset) : option graph :=
  let gs := groups E own (nodes E) [] in
  if negb (forallb (closed own (nodes E)) gs) then None else
  let at_ i := inter opn (union (side_set E X i)
                 (unions (map (around E) (filter (fun g => meets E g (side_set E X i)) gs)))) in
  let free := map (around E)
                (filter (fun g => negb (meets E g (side_set E X true)) && negb (meets E g (side_set E X false))) gs) in
  let link v := Node (nx v) (nm v) (inter opn (union (nn v) (unions (filter (has (nm v)) free)))) in
  Some (Graph opn (at_ true) (at_ false) (map link (filter (fun v => has (nm v) opn) (nodes E)))).

(** ** What it means *)

Lemma mem_unions l c : mem (unions l) c = true <-> exists s, In s l /\ mem s c = true.
Proof.
  induction l as [|s l IH]; simpl.
  - rewrite mem_none. split; [discriminate|now intros (s & [] & _)].
  - rewrite mem_union, orb_true_iff, IH. split.
    + intros [H|(t & Ht & H)]; eauto.
    + intros (t & [->|Ht] & H); eauto.
Qed.

Lemma grow_more area ns s c : mem s c = true -> mem (grow area ns s) c = true.
Proof.
  unfold grow. revert s; induction ns as [|v ns IH]; simpl; intros s H; [assumption|]. apply IH. destruct (has (nm v) s); [|assumption]. now rewrite mem_union, H.
Qed.

Lemma closure_more k area ns s c : mem s c = true -> mem (closure k area ns s) c = true.
Proof.
  revert s; induction k as [|k IH]; simpl; intros s H; [assumption|].
  destruct (same _ _); [assumption|]. apply IH. now apply grow_more.
Qed.

Lemma grow_only area ns (I : cell -> Prop) s :
  Forall sound ns ->
  (forall v d, In v ns -> I (nx v) -> mem (nn v) d = true -> mem area d = true -> I d) ->
  (forall c, mem s c = true -> I c) -> forall c, mem (grow area ns s) c = true -> I c.
Proof.
  unfold grow. revert s; induction ns as [|v ns IH]; simpl; intros s Hs Hv Hi; [assumption|]. inversion Hs as [|? ? Sv Sns]; subst.
  apply IH; [assumption|intros u d Hu; apply Hv; now right|].
  rewrite sound_has by assumption. destruct (mem s (nx v)) eqn:E; [|assumption].
  intros c. rewrite mem_union, mem_inter, orb_true_iff, andb_true_iff. intros [H|[H K]]; [auto|]. eapply Hv; eauto.
Qed.

Lemma closure_only k area ns (I : cell -> Prop) s :
  Forall sound ns ->
  (forall v d, In v ns -> I (nx v) -> mem (nn v) d = true -> mem area d = true -> I d) ->
  (forall c, mem s c = true -> I c) -> forall c, mem (closure k area ns s) c = true -> I c.
Proof.
  intros Hs Hv. revert s; induction k as [|k IH]; simpl; intros s Hi; [assumption|].
  destruct (same _ _); [assumption|]. apply IH. eapply grow_only; eauto.
Qed.

Lemma closed_spec area ns r v d :
  closed area ns r = true -> In v ns -> sound v ->
  mem r (nx v) = true -> mem (nn v) d = true -> mem area d = true -> mem r d = true.
Proof.
  intros H Hv Sv Hr Hn Ha. unfold closed in H. rewrite forallb_forall in H. specialize (H v Hv).
  rewrite sound_has, Hr in H by assumption. simpl in H. apply (within_spec _ _ d) in H; [assumption|].
  now rewrite mem_inter, Hn, Ha.
Qed.

(** Nothing below looks into them. *)
Global Opaque closure grow sweeps.

Section Links.
Variable B : board.
Hypothesis small : size B <= 64.
Hypothesis rows_pos : 0 < rows B.
Hypothesis cols_pos : 0 < cols B.
Notation E := (make_env B).

Lemma nodes_sound : Forall sound (nodes E).
Proof. apply Forall_forall. intros v Hv. now apply node_spec in Hv. Qed.

Lemma nodes_closed area r c d :
  closed area (nodes E) r = true -> mem r c = true -> adj B c d -> mem area d = true -> mem r d = true.
Proof.
  intros H Hc Ha Hd. destruct (node_of B small c) as (v & Hv & <-); [apply Ha|].
  destruct (node_spec B small v Hv) as (Sv & _ & Hn). apply (closed_spec area (nodes E) r v d H Hv Sv Hc); [now apply Hn|exact Hd].
Qed.

Theorem cannot_join_spec X area (S : cell -> Prop) :
  cannot_join E X area = true -> (forall c, c < size B -> S c -> mem area c = true) -> ~ joined B X S.
Proof.
  unfold cannot_join, encloses. intros H HS (a & b & Ha & Hb & Hp).
  apply andb_true_iff in H as [H Hnone]. apply andb_true_iff in H as [Hin Hclosed].
  set (r := closure _ _ _ _) in *.
  assert (mem r b = true) as Hr.
  { assert (An : a < size B) by apply Ha. clear Hb. induction Hp as [Sa|b c Hp IH Hadj Sc].
    - eapply within_spec; [exact Hin|]. rewrite mem_inter, HS by assumption. rewrite (proj2 (mem_side B small X true a)); auto.
    - eapply nodes_closed; eauto. apply HS; [|assumption]. now destruct Hadj as (_ & ? & _). }
  apply (is_none_spec _ b) in Hnone. rewrite mem_inter, Hr, (proj2 (mem_side B small X false b)) in Hnone; [discriminate|exact Hb].
Qed.

Theorem is_joined_spec X s (S : cell -> Prop) :
  is_joined E X s = true -> (forall c, c < size B -> mem s c = true -> S c) -> joined B X S.
Proof.
  intros H HS.
  pose (f := fun c => if mem s c then X else opp X).
  assert (N : ~ joined B (opp X) (fun c => f c = opp X)).
  { apply (cannot_join_spec _ _ _ H). intros c Hc Ef. rewrite mem_diff, (proj2 (mem_every B small c) Hc).
    unfold f in Ef. destruct (mem s c); [|reflexivity]. symmetry in Ef. now apply opp_neq in Ef. }
  assert (J : joined B X (fun c => f c = X)).
  { destruct (hex B rows_pos cols_pos f) as [J|J]; destruct X; simpl in *; tauto. }
  revert J. apply joined_mono. intros c Hc Ef. apply HS; [assumption|]. unfold f in Ef.
  destruct (mem s c); [reflexivity|]. now apply opp_neq in Ef.
Qed.

(** ** The graph of a player *)

Section Graph.
Variable X : player.
Variables own opn : cset.
Let mine c := mem own c = true.

(** A group: what is connected to one of its stones. *)
Definition is_group (g : cset) : Prop :=
  exists s, s < size B /\ mine s /\ forall t, mem g t = true <-> path B mine s t.

Lemma closure_group v :
  In v (nodes E) -> mine (nx v) -> closed own (nodes E) (closure sweeps own (nodes E) (nm v)) = true ->
  is_group (closure sweeps own (nodes E) (nm v)).
Proof.
  intros Hv Hm Hc. destruct (node_spec B small v Hv) as (Sv & Hn & _).
  exists (nx v). split; [assumption|]. split; [assumption|]. intros t. split.
  - apply closure_only; [apply nodes_sound| |].
    + intros u d Hu Hp Hd Ha. destruct (node_spec B small u Hu) as (_ & _ & Hadj).
      eapply path_step; [exact Hp|now apply Hadj|exact Ha].
    + intros c. rewrite sound_mem by assumption. intros Ec. apply Nat.eqb_eq in Ec as ->. now apply path_here.
  - induction 1 as [|b c Hp IH Hadj Mc].
    + apply closure_more. rewrite sound_mem by assumption. apply Nat.eqb_refl.
    + eapply nodes_closed; eauto.
Qed.

Lemma groups_good l found :
  incl l (nodes E) -> forallb (closed own (nodes E)) (groups E own l found) = true ->
  (forallb (closed own (nodes E)) found = true -> Forall is_group found) ->
  Forall is_group (groups E own l found).
Proof.
  revert found; induction l as [|v l IH]; simpl; intros found Hl Hc Hf; [auto|].
  destruct (has (nm v) own && _) eqn:Ev.
  - apply IH; [intros u Hu; apply Hl; now right|assumption|]. simpl. intros Hc'.
    apply andb_true_iff in Hc' as [Hc1 Hc2]. constructor; auto.
    assert (In v (nodes E)) as Hv by (apply Hl; now left).
    apply closure_group; auto. apply andb_true_iff in Ev as [Ev _]. rewrite sound_has in Ev; [assumption|].
    now apply node_spec in Hv.
  - apply IH; auto. intros u Hu; apply Hl; now right.
Qed.

Lemma groups_all l found :
  incl l (nodes E) ->
  (forall g, In g found -> In g (groups E own l found)) /\
  (forall v, In v l -> mine (nx v) -> exists g, In g (groups E own l found) /\ mem g (nx v) = true).
Proof.
  revert found; induction l as [|v l IH]; simpl; intros found Hl; [split; [auto|easy]|].
  assert (Hl' : incl l (nodes E)) by (intros u Hu; apply Hl; now right).
  assert (Sv : sound v) by (apply node_spec with B; auto; apply Hl; now left).
  destruct (has (nm v) own && _) eqn:Ev.
  - destruct (IH (closure sweeps own (nodes E) (nm v) :: found) Hl') as [H1 H2]. split.
    + intros g Hg. apply H1. now right.
    + intros u [->|Hu] Mu; [|auto]. eexists. split; [apply H1; now left|].
      apply closure_more. rewrite sound_mem by assumption. apply Nat.eqb_refl.
  - destruct (IH found Hl') as [H1 H2]. split; [auto|].
    intros u [->|Hu] Mu; [|auto]. rewrite sound_has, Mu in Ev by assumption. simpl in Ev.
    apply negb_false_iff, existsb_exists in Ev as (g & Hg & Eg). rewrite sound_has in Eg by assumption. eauto.
Qed.

Lemma mem_around g c : mem (around E g) c = true <-> exists t, mem g t = true /\ adj B t c.
Proof.
  unfold around.
  assert (K : forall l, incl l (nodes E) ->
    (mem (fold_right (fun v s => if has (nm v) g then union (nn v) s else s) none l) c = true <->
     exists v, In v l /\ mem g (nx v) = true /\ adj B (nx v) c)).
  { induction l as [|v l IH]; simpl; intros Hl.
    - rewrite mem_none. split; [discriminate|now intros (v & [] & _)].
    - destruct (node_spec B small v) as (Sv & _ & Hn); [apply Hl; now left|].
      assert (IH' := IH ltac:(intros u Hu; apply Hl; now right)). clear IH.
      rewrite sound_has by assumption. destruct (mem g (nx v)) eqn:Eg.
      + rewrite mem_union, orb_true_iff, IH', Hn. split.
        * intros [H|(u & Hu & H)]; eauto.
        * intros (u & [->|Hu] & H1 & H2); eauto.
      + rewrite IH'. split; [intros (u & Hu & H); eauto|]. intros (u & [->|Hu] & H1 & H2); [congruence|eauto]. }
  rewrite K by apply incl_refl. split.
  - intros (v & _ & H1 & H2). eauto.
  - intros (t & H1 & H2). destruct (node_of B small t) as (v & Hv & <-); [apply H2|]. eauto.
Qed.

Lemma meets_spec s t : meets E s t = true <-> exists c, c < size B /\ mem s c = true /\ mem t c = true.
Proof.
  unfold meets. rewrite existsb_exists. split.
  - intros (v & Hv & H). destruct (node_spec B small v Hv) as (Sv & Hn & _).
    rewrite !sound_has, andb_true_iff in H by assumption. exists (nx v). tauto.
  - intros (c & Hc & H). destruct (node_of B small c Hc) as (v & Hv & <-). exists v. split; [assumption|].
    destruct (node_spec B small v Hv) as (Sv & _). rewrite !sound_has, andb_true_iff by assumption. tauto.
Qed.

Record graph_ok (G : graph) : Prop := {
  ok_open : g_open G = opn;
  ok_first : forall c, mem (g_first G) c = true <-> at_side B X mine true c /\ mem opn c = true;
  ok_second : forall c, mem (g_second G) c = true <-> at_side B X mine false c /\ mem opn c = true;
  ok_node : forall v, In v (g_nodes G) -> sound v /\ nx v < size B /\ mem opn (nx v) = true /\
              forall d, mem (nn v) d = true <-> near B X mine (nx v) d /\ mem opn d = true;
  ok_nodes : forall c, c < size B -> mem opn c = true -> exists v, In v (g_nodes G) /\ nx v = c
}.

Theorem make_graph_ok G : make_graph E X own opn = Some G -> graph_ok G.
Proof.
  unfold make_graph. set (gs := groups E own (nodes E) []).
  destruct (forallb (closed own (nodes E)) gs) eqn:Hc; [|discriminate]. cbn [negb]. intros H. injection H as <-.
  assert (Good : Forall is_group gs) by (apply groups_good; auto using incl_refl).
  rewrite Forall_forall in Good.
  assert (Cover : forall s, s < size B -> mine s -> exists g, In g gs /\ mem g s = true).
  { intros s Hs Ms. destruct (node_of B small s Hs) as (v & Hv & <-).
    now apply (groups_all (nodes E) [] (incl_refl _)). }
  (* Two stones of a group are connected, and what is connected to one belongs to it. *)
  assert (Same : forall g s t, In g gs -> mem g s = true -> (mem g t = true <-> path B mine s t)).
  { intros g s t Hg Hs. destruct (Good g Hg) as (r & _ & _ & Hr). rewrite Hr in *. split; intros H.
    - eapply path_trans; [apply path_sym; exact Hs|exact H].
    - eapply path_trans; eauto. }
  assert (Side : forall i c, mem (inter opn (union (side_set E X i)
      (unions (map (around E) (filter (fun g => meets E g (side_set E X i)) gs))))) c = true <->
      at_side B X mine i c /\ mem opn c = true).
  { intros i c. rewrite mem_inter, mem_union, andb_true_iff, orb_true_iff, mem_side, mem_unions by assumption.
    unfold at_side. rewrite (and_comm (mem opn c = true)). apply and_iff_compat_r. apply or_iff_compat_l. split.
    - intros (a & Ha & Hac). apply in_map_iff in Ha as (g & <- & Hg). apply filter_In in Hg as [Hg Hm].
      apply meets_spec in Hm as (s & _ & Hs & Hside). apply mem_side in Hside; [|assumption].
      apply mem_around in Hac as (t & Ht & Hadj). exists s, t. split; [assumption|]. split; [|assumption].
      now apply (Same g s t).
    - intros (s & t & Hs & Hp & Hadj).
      assert (s < size B) as Sn by (destruct i; apply Hs).
      destruct (Cover s Sn) as (g & Hg & Hgs); [now apply path_ends in Hp|].
      exists (around E g). split.
      + apply in_map, filter_In. split; [assumption|]. apply meets_spec. exists s.
        rewrite mem_side by assumption. auto.
      + apply mem_around. exists t. split; [|assumption]. now apply (Same g s t). }
  constructor.
  - reflexivity.
  - apply (Side true).
  - apply (Side false).
  - simpl. intros v Hv. apply in_map_iff in Hv as (u & <- & Hu). apply filter_In in Hu as [Hu Ho]. simpl.
    destruct (node_spec B small u Hu) as (Su & Hn & Hadj). rewrite sound_has in Ho by assumption.
    split; [exact Su|]. split; [assumption|]. split; [assumption|]. intros d.
    rewrite mem_inter, mem_union, andb_true_iff, orb_true_iff, Hadj, mem_unions.
    rewrite (and_comm (mem opn d = true)). apply and_iff_compat_r. unfold near. apply or_iff_compat_l. split.
    + intros (a & Ha & Had). apply filter_In in Ha as [Ha Hua]. apply in_map_iff in Ha as (g & <- & Hg).
      apply filter_In in Hg as [Hg Hm]. rewrite sound_has in Hua by assumption.
      apply mem_around in Hua as (s & Hs & Hsu). apply mem_around in Had as (t & Ht & Htd).
      exists s, t. split; [now apply adj_sym|]. split; [now apply (Same g s t)|]. split; [assumption|].
      intros i w Hw Sw. apply (Same g s w Hg Hs) in Hw.
      apply andb_true_iff in Hm as [M1 M2]. apply negb_true_iff in M1, M2.
      assert (meets E g (side_set E X i) = true) as M.
      { apply meets_spec. exists w. rewrite mem_side by assumption. split; [destruct i; apply Sw|auto]. }
      destruct i; congruence.
    + intros (s & t & Hus & Hp & Htd & Hno).
      destruct (Cover s) as (g & Hg & Hgs); [apply adj_sym in Hus; apply Hus|now apply path_ends in Hp|].
      exists (around E g). split.
      * apply filter_In. split.
        -- apply in_map, filter_In. split; [assumption|].
           assert (M : forall i, meets E g (side_set E X i) = false).
           { intros i. destruct (meets E g (side_set E X i)) eqn:M; [|reflexivity].
             apply meets_spec in M as (w & _ & Hw & Sw). apply mem_side in Sw; [|assumption].
             exfalso. apply (Hno i w); [now apply (Same g s w)|assumption]. }
           now rewrite !M.
        -- rewrite sound_has by assumption. apply mem_around. exists s. auto using adj_sym.
      * apply mem_around. exists t. split; [now apply (Same g s t)|assumption].
  - simpl. intros c Hn Hc'. destruct (node_of B small c Hn) as (v & Hv & <-).
    eexists. split; [apply in_map, filter_In; split; [exact Hv|]|reflexivity].
    rewrite sound_has; [assumption|]. now apply node_spec in Hv.
Qed.

End Graph.
End Links.
