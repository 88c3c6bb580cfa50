(** * Games that colour cells until none is left

    Two players take turns to colour an empty cell. [T] says of a full board whether the player wins. Nothing here
    knows the geometry of a board; it has [n] cells. *)

From Coq Require Import Arith Lia List Permutation.
From Rex Require Import Board.
Import ListNotations.

(** A position says of each cell who has a stone on it. *)
Definition position := cell -> option player.

Definition put (P : position) (c : cell) (X : player) : position :=
  fun d => if d =? c then Some X else P d.

Definition is_empty_at (P : position) (c : cell) : bool :=
  match P c with None => true | Some _ => false end.

Lemma put_same P c X : put P c X c = Some X.
Proof. unfold put. now rewrite Nat.eqb_refl. Qed.

Lemma put_other P c X d : d <> c -> put P c X d = P d.
Proof. intros H. unfold put. apply Nat.eqb_neq in H. now rewrite H. Qed.

Lemma is_empty_spec P c : is_empty_at P c = true <-> P c = None.
Proof. unfold is_empty_at. destruct (P c); split; congruence. Qed.

(** The side to move, if [L] colours the last cell and [k] cells are empty. *)
Definition turn (L : player) (k : nat) : player := if Nat.odd k then L else opp L.

Lemma turn_S L k : turn L (S k) = opp (turn L k).
Proof.
  unfold turn. rewrite Nat.odd_succ, <- Nat.negb_odd. destruct (Nat.odd k); simpl; [reflexivity|now rewrite opp_opp].
Qed.

Lemma turn_opp L k : turn (opp L) k = opp (turn L k).
Proof. unfold turn. now destruct (Nat.odd k). Qed.

Section Game.
Variable n : nat.

(** The number of empty cells. *)
Definition empties (P : position) : nat := length (filter (is_empty_at P) (seq 0 n)).

Fixpoint wins_in (T : position -> Prop) (X L : player) (k : nat) (P : position) : Prop :=
  match k with
  | 0 => T P
  | S k' =>
      if player_eq_dec (turn L k) X
      then exists c, c < n /\ P c = None /\ wins_in T X L k' (put P c X)
      else forall c, c < n -> P c = None -> wins_in T X L k' (put P c (opp X))
  end.

(** [X] can reach a full board with [T], from position [P], where [L] is Last. *)
Definition wins (T : position -> Prop) (X L : player) (P : position) : Prop :=
  wins_in T X L (empties P) P.

(** ** Counting empty cells *)

Lemma count_put l P c X :
  NoDup l -> In c l -> P c = None ->
  length (filter (is_empty_at P) l) = S (length (filter (is_empty_at (put P c X)) l)).
Proof.
  assert (K : forall l, ~ In c l -> filter (is_empty_at (put P c X)) l = filter (is_empty_at P) l).
  { clear. intros l H. apply filter_ext_in. intros d Hd. unfold is_empty_at. rewrite put_other; [reflexivity|congruence]. }
  induction l as [|d l IH]; [easy|]. intros ND [->|Hin] Hc; inversion ND; subst; simpl.
  - assert (is_empty_at (put P c X) c = false) as -> by (unfold is_empty_at; now rewrite put_same).
    assert (is_empty_at P c = true) as -> by now apply is_empty_spec. simpl. now rewrite K.
  - assert (is_empty_at (put P c X) d = is_empty_at P d) as ->
      by (unfold is_empty_at; rewrite put_other; congruence).
    destruct (is_empty_at P d); simpl; auto using f_equal.
Qed.

Lemma empties_put P c X : c < n -> P c = None -> empties P = S (empties (put P c X)).
Proof. intros Hc He. apply count_put; auto using seq_NoDup. apply in_seq. lia. Qed.

Lemma empties_ext P Q :
  (forall c, c < n -> (P c = None <-> Q c = None)) -> empties P = empties Q.
Proof.
  intros H. unfold empties. f_equal. apply filter_ext_in. intros c Hc. apply in_seq in Hc.
  specialize (H c). unfold is_empty_at. destruct (P c), (Q c); intuition congruence.
Qed.

Lemma empties_pos P : 0 < empties P -> exists c, c < n /\ P c = None.
Proof.
  unfold empties. destruct (filter _ _) as [|c l] eqn:E; simpl; [lia|]. intros _. exists c.
  assert (In c (filter (is_empty_at P) (seq 0 n))) as H by (rewrite E; now left).
  apply filter_In in H. rewrite in_seq, is_empty_spec in H. intuition lia.
Qed.

Lemma empties_zero P c : empties P = 0 -> c < n -> P c <> None.
Proof. intros E Hc He. rewrite (empties_put P c Black) in E by assumption. discriminate. Qed.

Lemma empties_perm P Q (pi rho : cell -> cell) :
  (forall c, c < n -> pi c < n /\ rho (pi c) = c) ->
  (forall c, c < n -> rho c < n /\ pi (rho c) = c) ->
  (forall c, c < n -> (P c = None <-> Q (pi c) = None)) -> empties P = empties Q.
Proof.
  intros H K E.
  transitivity (length (filter (is_empty_at Q) (map pi (seq 0 n)))).
  - unfold empties. assert (G : forall l, (forall c, In c l -> c < n) ->
      length (filter (is_empty_at P) l) = length (filter (is_empty_at Q) (map pi l))).
    { induction l as [|c l IH]; intros Hl; simpl; [reflexivity|].
      assert (is_empty_at P c = is_empty_at Q (pi c)) as ->.
      { assert (c < n) as Hc by (apply Hl; now left). specialize (E c Hc).
        unfold is_empty_at. destruct (P c), (Q (pi c)); intuition congruence. }
      rewrite <- (map_length pi) in *. destruct (is_empty_at Q (pi c)); simpl; rewrite IH; auto; intros; apply Hl; now right. }
    apply G. intros c Hc. apply in_seq in Hc. lia.
  - unfold empties. assert (Pm : Permutation (map pi (seq 0 n)) (seq 0 n)).
    { apply NoDup_Permutation_bis.
      - apply (NoDup_map_inv rho). rewrite map_map, (map_ext_in _ (fun c => c)), map_id; [apply seq_NoDup|].
        intros c Hc. apply in_seq in Hc. apply H. lia.
      - rewrite map_length. auto.
      - intros d Hd. apply in_map_iff in Hd as (c & <- & Hc). apply in_seq in Hc. apply in_seq.
        destruct (H c ltac:(lia)). lia. }
    revert Pm. generalize (map pi (seq 0 n)) (seq 0 n). clear. intros l l' Pm.
    induction Pm; simpl; auto; try congruence.
    + destruct (is_empty_at Q x); simpl; congruence.
    + destruct (is_empty_at Q x), (is_empty_at Q y); reflexivity.
Qed.

(** ** What [wins] means, move by move *)

Lemma wins_full (T : position -> Prop) X L P : empties P = 0 -> (wins T X L P <-> T P).
Proof. intros E. unfold wins. now rewrite E. Qed.

Lemma wins_move (T : position -> Prop) X L P :
  0 < empties P -> turn L (empties P) = X ->
  (wins T X L P <-> exists c, c < n /\ P c = None /\ wins T X L (put P c X)).
Proof.
  intros Hk Ht. unfold wins at 1. destruct (empties P) as [|k] eqn:E; [lia|]. cbn [wins_in].
  destruct (player_eq_dec _ _) as [_|D]; [|contradiction].
  split; intros (c & Hc & He & H); exists c; repeat split; auto; revert H; unfold wins;
    rewrite (empties_put P c X) in E by assumption; now injection E as ->.
Qed.

Lemma wins_reply (T : position -> Prop) X L P :
  0 < empties P -> turn L (empties P) = opp X ->
  (wins T X L P <-> forall c, c < n -> P c = None -> wins T X L (put P c (opp X))).
Proof.
  intros Hk Ht. unfold wins at 1. destruct (empties P) as [|k] eqn:E; [lia|]. cbn [wins_in].
  destruct (player_eq_dec _ _) as [D|_]; [rewrite D in Ht; symmetry in Ht; now apply opp_neq in Ht|].
  split; intros H c Hc He; specialize (H c Hc He); revert H; unfold wins;
    rewrite (empties_put P c (opp X)) in E by assumption; now injection E as ->.
Qed.

Lemma turn_cases L k X : turn L k = X \/ turn L k = opp X.
Proof. destruct (turn L k), X; auto. Qed.

Lemma search (p : cell -> bool) : (exists c, c < n /\ p c = true) \/ forall c, c < n -> p c = false.
Proof.
  destruct (existsb p (seq 0 n)) eqn:E.
  - left. apply existsb_exists in E as (c & Hc & H). apply in_seq in Hc. exists c. split; [lia|assumption].
  - right. intros c Hc. destruct (p c) eqn:Hp; [|reflexivity].
    rewrite <- E. symmetry. apply existsb_exists. exists c. rewrite in_seq. split; [lia|assumption].
Qed.

(** [f] has all the stones of [P]. *)
Definition extends (f P : position) : Prop := forall c X, c < n -> P c = Some X -> f c = Some X.

Lemma extends_refl P : extends P P.
Proof. now intros c X. Qed.

Lemma extends_put f P c X : P c = None -> extends f (put P c X) -> extends f P.
Proof. intros He H d Y Hd E. apply H; [assumption|]. rewrite put_other; congruence. Qed.

Lemma extends_put_at f P c X : c < n -> extends f (put P c X) -> f c = Some X.
Proof. intros Hc H. apply H; [assumption|apply put_same]. Qed.

(** A winner reaches a winning board. *)
Lemma wins_final (T : position -> Prop) X L P : wins T X L P -> exists f, extends f P /\ empties f = 0 /\ T f.
Proof.
  remember (empties P) as k eqn:E. revert P E. induction k as [|k IH]; intros P E H.
  - exists P. split; [apply extends_refl|]. split; [auto|]. now apply wins_full in H.
  - assert (exists c Y, c < n /\ P c = None /\ wins T X L (put P c Y)) as (c & Y & Hc & He & W).
    { destruct (turn_cases L (empties P) X) as [Ht|Ht].
      - apply wins_move in H; [|lia|assumption]. destruct H as (c & Hc & He & W). eauto.
      - destruct (empties_pos P) as (c & Hc & He); [lia|].
        exists c, (opp X). repeat split; auto. apply (proj1 (wins_reply T X L P ltac:(lia) Ht) H); assumption. }
    rewrite (empties_put P c Y) in E by assumption. injection E as E.
    destruct (IH _ E W) as (f & Hf & Hfull & HT). exists f. repeat split; auto. eauto using extends_put.
Qed.

(** Whoever plays, a board comes about that extends this one. *)
Lemma wins_any (T : position -> Prop) X L P : (forall f, extends f P -> empties f = 0 -> T f) -> wins T X L P.
Proof.
  remember (empties P) as k eqn:E. revert P E. induction k as [|k IH]; intros P E H.
  - apply wins_full; [auto|]. apply H; auto using extends_refl.
  - assert (K : forall c Y, c < n -> P c = None -> wins T X L (put P c Y)).
    { intros c Y Hc He. apply IH.
      - rewrite (empties_put P c Y) in E by assumption. now injection E.
      - eauto using extends_put. }
    destruct (turn_cases L (empties P) X) as [Ht|Ht].
    + apply wins_move; [lia|assumption|]. destruct (empties_pos P) as (c & Hc & He); [lia|]. eauto.
    + apply wins_reply; [lia|assumption|]. auto.
Qed.

(** ** A strategy for one game, used in another one with the same empty cells, perhaps under other names *)

Lemma transfer (T1 T2 : position -> Prop) (pi rho : cell -> cell) (s : player -> player) X L :
  (forall Y, s (opp Y) = opp (s Y)) ->
  (forall c, c < n -> pi c < n /\ rho (pi c) = c) ->
  (forall c, c < n -> rho c < n /\ pi (rho c) = c) ->
  forall P Q,
  (forall c, c < n -> (P c = None <-> Q (pi c) = None)) ->
  (forall f g, extends f P -> extends g Q -> empties f = 0 -> empties g = 0 ->
     (forall c, c < n -> P c = None -> exists Y, f c = Some Y /\ g (pi c) = Some (s Y)) -> T1 f -> T2 g) ->
  wins T1 X L P -> wins T2 (s X) (s L) Q.
Proof.
  intros Hs H K P. remember (empties P) as k eqn:E. revert P E. induction k as [|k IH]; intros P E Q HPQ HT W.
  - assert (empties Q = 0) as E' by (rewrite <- (empties_perm P Q pi rho); auto).
    apply wins_full; [assumption|]. apply wins_full in W; [|auto].
    apply (HT P Q); auto using extends_refl.
    intros c Hc He. exfalso. now apply (empties_zero P c).
  - assert (S k = empties Q) as E' by (rewrite <- (empties_perm P Q pi rho); auto).
    assert (Step : forall c Y, c < n -> P c = None -> wins T1 X L (put P c Y) -> wins T2 (s X) (s L) (put Q (pi c) (s Y))).
    { intros c Y Hc He W'. destruct (H c Hc) as [Hpc Hrc]. apply (IH (put P c Y)); [| | |assumption].
      - rewrite (empties_put P c Y) in E by assumption. now injection E.
      - intros d Hd. destruct (H d Hd) as [Hpd Hrd].
        destruct (Nat.eq_dec d c) as [->|Hne]; [rewrite !put_same; split; discriminate|].
        rewrite !put_other; auto. intros C. apply Hne. rewrite <- Hrd, <- Hrc. now f_equal.
      - intros f g Hf Hg F G Hfg. apply HT; auto.
        + eapply extends_put; eauto.
        + eapply extends_put; [|eauto]. now apply HPQ.
        + intros d Hd Hde. destruct (Nat.eq_dec d c) as [->|Hne].
          * exists Y. split; eapply extends_put_at; eauto.
          * apply Hfg; auto. now rewrite put_other. }
    destruct (turn_cases L (empties P) X) as [Ht|Ht].
    + assert (turn (s L) (empties Q) = s X) as Ht'.
      { rewrite <- E', E, <- Ht. unfold turn. destruct (Nat.odd _); auto. }
      apply wins_move; [lia|assumption|]. apply wins_move in W; [|lia|assumption].
      destruct W as (c & Hc & He & W). exists (pi c). destruct (H c Hc). repeat split; auto.
      now apply HPQ.
    + assert (turn (s L) (empties Q) = opp (s X)) as Ht'.
      { rewrite <- E', E, <- Hs, <- Ht. unfold turn. destruct (Nat.odd _); auto. }
      apply wins_reply; [lia|assumption|]. pose proof (proj1 (wins_reply T1 X L P ltac:(lia) Ht) W) as W'.
      intros d Hd He. destruct (K d Hd) as [Hrd Hprd].
      assert (P (rho d) = None) as Pe by (apply HPQ; [assumption|now rewrite Hprd]).
      pose proof (Step (rho d) (opp X) Hrd Pe (W' _ Hrd Pe)) as G. now rewrite Hprd, Hs in G.
Qed.

(** The same, cell by cell. *)
Lemma same_moves (T1 T2 : position -> Prop) X L P Q :
  (forall c, c < n -> (P c = None <-> Q c = None)) ->
  (forall f g, extends f P -> extends g Q -> empties f = 0 -> empties g = 0 ->
     (forall c, c < n -> P c = None -> f c = g c) -> T1 f -> T2 g) ->
  wins T1 X L P -> wins T2 X L Q.
Proof.
  intros HPQ HT. apply (transfer T1 T2 (fun c => c) (fun c => c) (fun Y => Y)); auto.
  intros f g Hf Hg F G Hfg. apply HT; auto. intros c Hc He. destruct (Hfg c Hc He) as (Y & -> & ->). reflexivity.
Qed.

(** ** Monotonicity, with Last held fixed *)

(** For [X], an empty cell is as good as a stone of her own or better, and a stone of her opponent's is best. *)
Definition le (X : player) (p q : option player) : Prop := p = q \/ p = Some X \/ q = Some (opp X).

Definition le_all (X : player) (P Q : position) : Prop := forall c, c < n -> le X (P c) (Q c).

Definition monotone (X : player) (T : position -> Prop) : Prop :=
  forall f g, le_all X f g -> T f -> T g.

Lemma le_refl X p : le X p p.
Proof. now left. Qed.

Lemma le_trans X p q r : le X p q -> le X q r -> le X p r.
Proof. unfold le. pose proof (opp_neq X). intuition (subst; auto); congruence. Qed.

Lemma le_opp X p q : le X p q -> le (opp X) q p.
Proof. unfold le. rewrite opp_opp. intuition. Qed.

Lemma le_put_both X P Q c Y : le_all X P Q -> le_all X (put P c Y) (put Q c Y).
Proof.
  intros H d Hd. destruct (Nat.eq_dec d c) as [->|Hne]; [rewrite !put_same; apply le_refl|].
  rewrite !put_other by assumption. auto.
Qed.

Lemma le_put_left X P Q c Y : le_all X P Q -> le X (Some Y) (Q c) -> le_all X (put P c Y) Q.
Proof.
  intros H K d Hd. destruct (Nat.eq_dec d c) as [->|Hne]; [rewrite put_same; assumption|].
  rewrite put_other by assumption. auto.
Qed.

Lemma le_put_right X P Q c Y : le_all X P Q -> le X (P c) (Some Y) -> le_all X P (put Q c Y).
Proof.
  intros H K d Hd. destruct (Nat.eq_dec d c) as [->|Hne]; [rewrite put_same; assumption|].
  rewrite put_other by assumption. auto.
Qed.

Theorem wins_mono (T : position -> Prop) X L P Q : monotone X T -> le_all X P Q -> wins T X L P -> wins T X L Q.
Proof.
  intros HT. remember (empties P + empties Q) as m eqn:Em. revert P Q Em.
  induction m as [m IH] using lt_wf_ind; intros P Q -> Hle W.
  destruct (Nat.eq_dec (empties Q) 0) as [Q0|Qpos].
  { (* The board is full: the other game, however it ends, ends worse. *)
    apply wins_full; [assumption|]. destruct (wins_final _ _ _ _ W) as (f & Hf & _ & Tf).
    apply (HT f Q); [|assumption]. intros c Hc. specialize (Hle c Hc).
    destruct (P c) as [Y|] eqn:EP.
    - rewrite (Hf c Y Hc EP). assumption.
    - destruct Hle as [E|[E|E]]; [symmetry in E; now apply empties_zero in E|discriminate|].
      rewrite E. now right; right. }
  destruct (turn_cases L (empties Q) X) as [Ht|Ht].
  - destruct (search (fun c => andb (is_empty_at Q c) (negb (is_empty_at P c)))) as [(d & Hd & E)|Hsub].
    { (* A cell that she believed to be hers is still there to be taken. *)
      apply Bool.andb_true_iff in E as [E1 E2]. apply is_empty_spec in E1.
      assert (P d = Some X) as E3.
      { unfold is_empty_at in E2. specialize (Hle d Hd). rewrite E1 in Hle. unfold le in Hle.
        destruct (P d); [|discriminate]. intuition congruence. }
      apply wins_move; [lia|assumption|]. exists d. repeat split; auto.
      apply (IH (empties P + empties (put Q d X))) with P; auto.
      - rewrite (empties_put Q d X) by assumption. lia.
      - apply le_put_right; auto. rewrite E3. apply le_refl. }
    assert (Hsub' : forall c, c < n -> Q c = None -> P c = None).
    { intros c Hc E. specialize (Hsub c Hc). unfold is_empty_at in Hsub. rewrite E in Hsub.
      destruct (P c); [discriminate|reflexivity]. }
    destruct (empties_pos Q) as (e & He & Ee); [lia|].
    assert (0 < empties P) as Ppos.
    { rewrite (empties_put P e X) by auto. lia. }
    destruct (turn_cases L (empties P) X) as [HtP|HtP].
    + apply wins_move in W; [|assumption|assumption]. destruct W as (c & Hc & Ec & W).
      destruct (Q c) as [Y|] eqn:EQ.
      * (* Her move is to a cell that is lost to her opponent already. *)
        apply (IH (empties (put P c X) + empties Q)) with (put P c X); auto.
        -- rewrite (empties_put P c X) by assumption. lia.
        -- apply le_put_left; auto. now right; left.
      * apply wins_move; [lia|assumption|]. exists c. repeat split; auto.
        apply (IH (empties (put P c X) + empties (put Q c X))) with (put P c X); auto using le_put_both.
        rewrite (empties_put P c X), (empties_put Q c X) by assumption. lia.
    + destruct (search (fun c => andb (is_empty_at P c) (negb (is_empty_at Q c)))) as [(d & Hd & E)|Hsame].
      * (* Her opponent has more stones than she believed: that was her last move. *)
        apply Bool.andb_true_iff in E as [E1 E2]. apply is_empty_spec in E1.
        apply (IH (empties (put P d (opp X)) + empties Q)) with (put P d (opp X)); auto.
        -- rewrite (empties_put P d (opp X)) by assumption. lia.
        -- apply le_put_left; auto. specialize (Hle d Hd). rewrite E1 in Hle. unfold is_empty_at in E2.
           destruct Hle as [E|[E|E]]; [rewrite <- E in E2; discriminate|discriminate|].
           rewrite E. apply le_refl.
        -- apply (proj1 (wins_reply T X L P Ppos HtP) W); assumption.
      * exfalso. rewrite (empties_ext P Q), Ht in HtP.
        -- symmetry in HtP. now apply opp_neq in HtP.
        -- intros c Hc. split; auto. intros E. specialize (Hsame c Hc). unfold is_empty_at in Hsame. rewrite E in Hsame.
           destruct (Q c); [discriminate|reflexivity].
  - apply wins_reply; [lia|assumption|]. intros e He Ee.
    apply (IH (empties P + empties (put Q e (opp X)))) with P; auto.
    + rewrite (empties_put Q e (opp X)) by assumption. lia.
    + apply le_put_right; auto. now right; right.
Qed.

(** ** Last is never better off than Notlast *)

(** [Q] is [P] with one more stone of her opponent's, on [e]. *)
Lemma notlast_imagines (T : position -> Prop) X P Q e :
  monotone X T -> e < n -> P e = None -> Q e = Some (opp X) -> (forall c, c < n -> c <> e -> Q c = P c) ->
  wins T X X Q -> wins T X (opp X) P.
Proof.
  intros HT. remember (empties P) as k eqn:E. revert P Q e E. induction k as [|k IH]; intros P Q e E He Ee Qe HPQ W.
  { now apply (empties_zero P e) in Ee. }
  assert (k = empties Q) as E'.
  { rewrite (empties_put P e (opp X)) in E by assumption. injection E as ->. apply empties_ext.
    intros c Hc. destruct (Nat.eq_dec c e) as [->|Hne]; [now rewrite put_same, Qe|].
    now rewrite put_other, HPQ. }
  assert (Hturn : turn (opp X) (empties P) = turn X (empties Q)).
  { rewrite <- E, <- E', turn_S, turn_opp, opp_opp. reflexivity. }
  assert (Step : forall c Y, c < n -> c <> e -> P c = None -> wins T X X (put Q c Y) -> wins T X (opp X) (put P c Y)).
  { intros c Y Hc Hne Ec W'. apply (IH _ (put Q c Y) e); auto.
    - rewrite (empties_put P c Y) in E by assumption. now injection E.
    - now rewrite put_other by congruence.
    - now rewrite put_other by congruence.
    - intros d Hd Hde. destruct (Nat.eq_dec d c) as [->|Hdc]; [now rewrite !put_same|].
      rewrite !put_other; auto. }
  destruct (turn_cases (opp X) (empties P) X) as [Ht|Ht].
  - (* With one empty cell it would be Last's turn. *)
    assert (0 < empties Q) as Qpos.
    { destruct (empties Q); [|lia]. rewrite Hturn in Ht. unfold turn in Ht. simpl in Ht. now apply opp_neq in Ht. }
    apply wins_move in W; [|assumption|congruence]. destruct W as (c & Hc & Ec & W).
    assert (c <> e) as Hne by congruence. rewrite HPQ in Ec by assumption.
    apply wins_move; [lia|assumption|]. exists c. auto.
  - apply wins_reply; [lia|assumption|]. intros c Hc Ec.
    destruct (Nat.eq_dec c e) as [->|Hne].
    + assert (HQ : forall d, d < n -> Q d = put P e (opp X) d).
      { intros d Hd. destruct (Nat.eq_dec d e) as [->|Hde]; [now rewrite put_same|]. rewrite put_other; auto. }
      assert (Eput : empties (put P e (opp X)) = empties Q).
      { apply empties_ext. intros d Hd. now rewrite HQ. }
      destruct (Nat.eq_dec (empties Q) 0) as [Q0|Qpos].
      * apply wins_full; [congruence|]. apply wins_full in W; [|assumption].
        apply (HT Q); [|assumption]. intros d Hd. rewrite HQ by assumption. apply le_refl.
      * destruct (empties_pos Q) as (d & Hd & Ed); [lia|].
        apply (IH _ (put Q d (opp X)) d); auto.
        -- congruence.
        -- now rewrite <- HQ.
        -- apply put_same.
        -- intros c Hc' Hcd. rewrite put_other by assumption. auto.
        -- apply (proj1 (wins_reply T X X Q ltac:(lia) ltac:(congruence)) W); assumption.
    + apply Step; auto. assert (Q c = None) as Qc by now rewrite HPQ.
      apply (proj1 (wins_reply T X X Q ltac:(rewrite (empties_put Q c X); [lia|assumption|assumption]) ltac:(congruence)) W); assumption.
Qed.

Theorem notlast (T : position -> Prop) X P : monotone X T -> wins T X X P -> wins T X (opp X) P.
Proof.
  intros HT W. destruct (Nat.eq_dec (empties P) 0) as [E|E].
  - apply wins_full; [assumption|]. now apply wins_full in W.
  - destruct (empties_pos P) as (e & He & Ee); [lia|].
    apply (notlast_imagines T X P (put P e (opp X)) e); auto using put_same.
    + intros c _ Hne. now apply put_other.
    + apply (wins_mono T X X P); auto. intros c Hc. destruct (Nat.eq_dec c e) as [->|Hne].
      * rewrite put_same. now right; right.
      * rewrite put_other by assumption. apply le_refl.
Qed.

(** ** Somebody wins, and only one *)

Theorem wins_one (T1 T2 : position -> Prop) X L P :
  (forall f, empties f = 0 -> T1 f \/ T2 f) -> wins T1 X L P \/ wins T2 (opp X) L P.
Proof.
  intros HT. remember (empties P) as k eqn:E. revert P E. induction k as [|k IH]; intros P E.
  - rewrite !wins_full; auto.
  - assert (IH' : forall c Y, c < n -> P c = None -> wins T1 X L (put P c Y) \/ wins T2 (opp X) L (put P c Y)).
    { intros c Y Hc Ec. apply IH. rewrite (empties_put P c Y) in E by assumption. now injection E. }
    assert (All : forall (A C : cell -> Prop), (forall c, c < n -> A c \/ C c) ->
              (exists c, c < n /\ A c) \/ forall c, c < n -> C c).
    { clear. intros A C H.
      assert (K : forall m, m <= n -> (exists c, c < n /\ A c) \/ forall c, c < m -> C c).
      { induction m as [|m IH]; intros Hm; [right; lia|].
        destruct IH as [?|IH]; [lia|now left|]. destruct (H m) as [?|Cm]; [lia|left; eauto|].
        right. intros c Hc. destruct (Nat.eq_dec c m) as [->|]; [assumption|apply IH; lia]. }
      apply K. lia. }
    destruct (turn_cases L (empties P) X) as [Ht|Ht].
    + destruct (All (fun c => P c = None /\ wins T1 X L (put P c X))
                    (fun c => P c = None -> wins T2 (opp X) L (put P c X))) as [(c & Hc & Ec & W)|W].
      * intros c Hc. destruct (P c) eqn:Ec; [right; discriminate|].
        destruct (IH' c X Hc Ec); auto.
      * left. apply wins_move; [lia|assumption|eauto].
      * right. apply wins_reply; [lia|now rewrite opp_opp|]. rewrite opp_opp. auto.
    + destruct (All (fun c => P c = None /\ wins T2 (opp X) L (put P c (opp X)))
                    (fun c => P c = None -> wins T1 X L (put P c (opp X)))) as [(c & Hc & Ec & W)|W].
      * intros c Hc. destruct (P c) eqn:Ec; [right; discriminate|].
        destruct (IH' c (opp X) Hc Ec); auto.
      * right. apply wins_move; [lia|assumption|eauto].
      * left. apply wins_reply; [lia|assumption|]. auto.
Qed.

Theorem wins_once (T1 T2 : position -> Prop) X L P :
  (forall f, empties f = 0 -> T1 f -> T2 f -> False) -> wins T1 X L P -> wins T2 (opp X) L P -> False.
Proof.
  intros HT. remember (empties P) as k eqn:E. revert P E. induction k as [|k IH]; intros P E W1 W2.
  - apply wins_full in W1, W2; auto. eauto.
  - assert (IH' : forall c Y, c < n -> P c = None -> wins T1 X L (put P c Y) -> wins T2 (opp X) L (put P c Y) -> False).
    { intros c Y Hc Ec. apply IH. rewrite (empties_put P c Y) in E by assumption. now injection E. }
    destruct (turn_cases L (empties P) X) as [Ht|Ht].
    + apply wins_move in W1; [|lia|assumption]. destruct W1 as (c & Hc & Ec & W1).
      pose proof (proj1 (wins_reply T2 (opp X) L P ltac:(lia) ltac:(now rewrite opp_opp)) W2 c Hc Ec) as W.
      rewrite opp_opp in W. eauto.
    + apply wins_move in W2; [|lia|assumption]. destruct W2 as (c & Hc & Ec & W2).
      pose proof (proj1 (wins_reply T1 X L P ltac:(lia) Ht) W1 c Hc Ec) as W. eauto.
Qed.

(** ** Pairs *)

(** [X] can leave at least one of two cells to her opponent. Elsewhere she plays as in [Q], where both are coloured. *)
Lemma wins_pair (T T' : position -> Prop) X L a b P Q :
  a < n -> b < n -> a <> b -> P a = None -> P b = None -> Q a <> None -> Q b <> None ->
  (forall c, c < n -> c <> a -> c <> b -> Q c = P c) ->
  (forall f g, empties g = 0 -> (forall c, c < n -> c <> a -> c <> b -> g c = f c) ->
     g a = Some (opp X) \/ g b = Some (opp X) -> T' f -> T g) ->
  wins T' X L Q -> wins T X L P.
Proof.
  intros Ha Hb Hab. intros Pa Pb Qa Qb HPQ HT. revert Pa Pb Qa Qb HPQ.
  remember (empties Q) as k eqn:E. revert P Q E. induction k as [|k IH]; intros P Q E Pa Pb Qa Qb HPQ W.
  all: assert (EP : empties P = S (S (empties Q))).
  1, 3: (rewrite (empties_put P a X) by assumption; rewrite (empties_put _ b X); [|assumption|rewrite put_other; auto];
    do 2 f_equal; apply empties_ext; intros c Hc;
    destruct (Nat.eq_dec c b) as [->|]; [rewrite put_same; split; [discriminate|tauto]|rewrite put_other by assumption];
    destruct (Nat.eq_dec c a) as [->|]; [rewrite put_same; split; [discriminate|tauto]|rewrite put_other by assumption];
    now rewrite HPQ).
  all: assert (Ht' : turn L (empties P) = turn L (empties Q)) by (rewrite EP, !turn_S, opp_opp; reflexivity).
  all: assert (Close : forall c d, (c = a /\ d = b \/ c = b /\ d = a) -> turn L (empties P) = opp X ->
         wins T X L (put P c (opp X))).
  1, 3: (intros c d Hcd Ht;
    assert (c < n /\ P c = None /\ d < n /\ P d = None /\ d <> c) as (Hc & Pc & Hd & Pd & Hdc)
      by (destruct Hcd as [[-> ->]|[-> ->]]; auto);
    assert (empties P = S (empties (put P c (opp X)))) as Ec by (apply empties_put; auto);
    apply wins_move; [lia|rewrite Ec, turn_S in Ht; now apply opp_inj|];
    exists d; split; [assumption|]; split; [now rewrite put_other|];
    apply (same_moves T' T X L Q); [| |assumption];
    [ intros e He; unfold put; destruct (Nat.eqb_spec e d) as [->|];
      [destruct Hcd as [[-> ->]|[-> ->]]; split; (contradiction || discriminate)|];
      destruct (Nat.eqb_spec e c) as [->|]; [destruct Hcd as [[-> ->]|[-> ->]]; split; (contradiction || discriminate)|];
      rewrite HPQ; [reflexivity|assumption| |]; destruct Hcd as [[-> ->]|[-> ->]]; congruence
    | intros f g Hf Hg _ G Hfg; apply HT; [exact G| |];
      [ intros e He Hea Heb; destruct (Q e) as [Y|] eqn:Qe; [|symmetry; auto];
        rewrite (Hf e Y He Qe); apply Hg; [assumption|]; rewrite !put_other; [rewrite <- HPQ; assumption| |];
        destruct Hcd as [[-> ->]|[-> ->]]; congruence
      | assert (g c = Some (opp X)) as Gc by (apply Hg; [assumption|]; rewrite put_other by congruence; apply put_same);
        destruct Hcd as [[-> ->]|[-> ->]]; auto ] ]).
  - (* Only the two cells are left. *)
    destruct (turn_cases L (empties P) X) as [Ht|Ht].
    + apply wins_move; [lia|assumption|]. exists a. repeat split; auto.
      assert (empties P = S (empties (put P a X))) as Ea by (apply empties_put; auto).
      apply wins_reply; [lia|rewrite Ea, turn_S in Ht; apply opp_inj; now rewrite opp_opp|].
      intros c Hc Ec.
      assert (c = b) as ->.
      { destruct (Nat.eq_dec c b) as [|Hcb]; [assumption|].
        destruct (Nat.eq_dec c a) as [->|Hca]; [rewrite put_same in Ec; discriminate|].
        rewrite put_other in Ec by assumption. rewrite <- HPQ in Ec by assumption.
        symmetry in E. now apply (empties_zero Q c E Hc) in Ec. }
      assert (empties (put (put P a X) b (opp X)) = 0) as Full.
      { rewrite (empties_put (put P a X) b (opp X)) in Ea by assumption. lia. }
      apply wins_full; [exact Full|]. apply (HT Q); [exact Full| | |].
      * intros c Hc' Hca Hcb. rewrite !put_other by assumption. symmetry. auto.
      * right. apply put_same.
      * apply wins_full in W; auto.
    + apply wins_reply; [lia|assumption|]. intros c Hc Ec.
      destruct (Nat.eq_dec c a) as [->|Hca]; [eapply (Close a b); auto|].
      destruct (Nat.eq_dec c b) as [->|Hcb]; [eapply (Close b a); auto|].
      rewrite <- HPQ in Ec by assumption. symmetry in E. now apply (empties_zero Q c E Hc) in Ec.
  - assert (Step : forall c Y, c < n -> Q c = None -> wins T' X L (put Q c Y) -> P c = None /\ wins T X L (put P c Y)).
    { intros c Y Hc Ec W'. assert (c <> a) by congruence. assert (c <> b) by congruence.
      split; [now rewrite <- HPQ|]. apply (IH _ (put Q c Y)).
      - rewrite (empties_put Q c Y) in E by assumption. now injection E.
      - now rewrite put_other by auto.
      - now rewrite put_other by auto.
      - now rewrite put_other by auto.
      - now rewrite put_other by auto.
      - intros d Hd Hda Hdb. unfold put. destruct (d =? c); auto.
      - assumption. }
    destruct (turn_cases L (empties P) X) as [Ht|Ht].
    + apply wins_move in W; [|lia|congruence]. destruct W as (c & Hc & Ec & W).
      apply wins_move; [lia|assumption|]. exists c. destruct (Step c X Hc Ec W). auto.
    + apply wins_reply; [lia|assumption|]. intros c Hc Ec.
      destruct (Nat.eq_dec c a) as [->|Hca]; [eapply (Close a b); auto|].
      destruct (Nat.eq_dec c b) as [->|Hcb]; [eapply (Close b a); auto|].
      assert (Q c = None) as Qc by now rewrite HPQ.
      apply (Step c (opp X) Hc Qc). apply (proj1 (wins_reply T' X L Q ltac:(lia) ltac:(congruence)) W); assumption.
Qed.

Definition cells_of (pairs : list (cell * cell)) : list cell := flat_map (fun p => [fst p; snd p]) pairs.

(** [Y] has a cell of each pair. *)
Definition one_of_each (Y : player) (pairs : list (cell * cell)) (g : position) : Prop :=
  forall a b, In (a, b) pairs -> g a = Some Y \/ g b = Some Y.

Theorem wins_pairs (T T' : position -> Prop) X L pairs P Q :
  NoDup (cells_of pairs) ->
  (forall c, In c (cells_of pairs) -> c < n /\ P c = None /\ Q c <> None) ->
  (forall c, c < n -> ~ In c (cells_of pairs) -> Q c = P c) ->
  (forall f g, empties g = 0 -> (forall c, c < n -> ~ In c (cells_of pairs) -> g c = f c) ->
     one_of_each (opp X) pairs g -> T' f -> T g) ->
  wins T' X L Q -> wins T X L P.
Proof.
  revert P T. induction pairs as [|[a b] pairs IH]; intros P T ND Hin Hout HT W.
  - apply (same_moves T' T X L Q); [| |assumption].
    + intros c Hc. rewrite Hout; [reflexivity|assumption|easy].
    + intros f g Hf Hg _ G Hfg. apply HT; [exact G| |easy]. intros c Hc _.
      destruct (Q c) as [Y|] eqn:Qc; [|symmetry; auto].
      rewrite (Hf c Y Hc Qc). apply Hg; [assumption|]. rewrite <- Hout; auto.
  - simpl in ND, Hin, Hout, HT. apply NoDup_cons_iff in ND as [Na ND]. apply NoDup_cons_iff in ND as [Nb ND].
    simpl in Na.
    pose (P1 := fun c => if c =? a then Q c else if c =? b then Q c else P c).
    assert (P1out : forall c, c <> a -> c <> b -> P1 c = P c).
    { intros c Hca Hcb. unfold P1. apply Nat.eqb_neq in Hca, Hcb. now rewrite Hca, Hcb. }
    assert (P1a : P1 a = Q a) by (unfold P1; now rewrite Nat.eqb_refl).
    assert (P1b : P1 b = Q b) by (unfold P1; rewrite Nat.eqb_refl; now destruct (b =? a)).
    pose (T1 := fun f => forall g, empties g = 0 -> (forall c, c < n -> c <> a -> c <> b -> g c = f c) ->
      g a = Some (opp X) \/ g b = Some (opp X) -> T g).
    destruct (Hin a) as (Ha & Pa & Qa); [auto|]. destruct (Hin b) as (Hb & Pb & Qb); [auto|].
    assert (a <> b) as Hab by (intros ->; tauto).
    apply (wins_pair T T1 X L a b P P1); auto; try congruence.
    apply IH; auto.
    + intros c Hc. destruct (Hin c) as (Hcn & Pc & Qc); [auto|]. repeat split; auto.
        rewrite P1out; [assumption| |]; intros ->; tauto.
    + intros c Hc Hnot. destruct (Nat.eq_dec c a) as [->|Hca]; [auto|].
        destruct (Nat.eq_dec c b) as [->|Hcb]; [auto|].
        rewrite P1out by assumption. apply Hout; [assumption|]. intros [?|[?|?]]; auto.
    + intros f g _ Hfg H1 Tf h Fh Hh Hone. apply (HT f); [exact Fh| | |assumption].
      * intros c Hc Hnot. rewrite Hh; [|assumption|intros ->; tauto|intros ->; tauto].
           apply Hfg; [assumption|tauto].
      * intros c d [E|Hcd]; [injection E as <- <-; assumption|].
           assert (In c (cells_of pairs) /\ In d (cells_of pairs)) as [Hc Hd].
           { unfold cells_of. split; apply in_flat_map; exists (c, d); simpl; auto. }
           rewrite !Hh; [now apply H1| | | | | |]; try (intros ->; tauto);
             [destruct (Hin d)|destruct (Hin c)]; auto.
Qed.

(** If [X] is Notlast, she can leave one more cell to her opponent. *)
Theorem wins_key X P k :
  k < n -> P k = None -> wins (fun f => f k = Some (opp X)) X (opp X) P.
Proof.
  remember (empties P) as m eqn:E. revert P E. induction m as [|m IH]; intros P E Hk Ek.
  { now apply (empties_zero P k) in Ek. }
  assert (Step : forall c Y, c < n -> c <> k -> P c = None -> wins (fun f => f k = Some (opp X)) X (opp X) (put P c Y)).
  { intros c Y Hc Hne Ec. apply IH; auto.
    - rewrite (empties_put P c Y) in E by assumption. now injection E.
    - now rewrite put_other by congruence. }
  destruct (turn_cases (opp X) (empties P) X) as [Ht|Ht].
  - apply wins_move; [lia|assumption|].
    destruct (empties_pos (put P k X)) as (c & Hc & Ec).
    { rewrite (empties_put P k X) in Ht by assumption. rewrite turn_S, turn_opp, opp_opp in Ht.
      destruct (empties (put P k X)); [|lia]. unfold turn in Ht. simpl in Ht. now apply opp_neq in Ht. }
    assert (c <> k) by (intros ->; rewrite put_same in Ec; discriminate).
    rewrite put_other in Ec by assumption. exists c. auto.
  - apply wins_reply; [lia|assumption|]. intros c Hc Ec.
    destruct (Nat.eq_dec c k) as [->|Hne]; [|auto].
    apply wins_any. intros f Hf _. now apply extends_put_at in Hf.
Qed.

End Game.
