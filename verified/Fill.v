(** * Captured pairs, mutual fill-in, and moves that are at least as good as others

    Shows that irrelevant cells and captured pairs can be filled in without changing the winner. The reasons why one
    move is at least as good as another follow. *)

From Coq Require Import Arith Lia List Bool.
From Rex Require Import Hex Board Game Rex Dead.
Import ListNotations.

Section Fill.
Variable B : board.
Hypothesis rows_pos : 0 < rows B.
Hypothesis cols_pos : 0 < cols B.
Notation n := (size B).
Notation W := (W B).

(** The same player wins both, if the same one is Last. *)
Definition same_value (P Q : position) : Prop := forall X L, W X L P <-> W X L Q.

Lemma same_value_one X P Q :
  (forall L, W X L P <-> W X L Q) -> same_value P Q.
Proof.
  intros H Y L. destruct (player_eq_dec Y X) as [->|D]; [apply H|].
  apply not_eq_sym, other in D. subst Y.
  split; intros H1.
  - destruct (W_one B rows_pos cols_pos X L Q) as [H2|H2]; [|assumption].
    apply H in H2. exfalso. eapply (W_once B rows_pos cols_pos X L P); eauto.
  - destruct (W_one B rows_pos cols_pos X L P) as [H2|H2]; [|assumption].
    apply H in H2. exfalso. eapply (W_once B rows_pos cols_pos X L Q); eauto.
Qed.

Lemma same_value_trans P Q R : same_value P Q -> same_value Q R -> same_value P R.
Proof. intros H K X L. now rewrite (H X L). Qed.

Lemma same_value_sym P Q : same_value P Q -> same_value Q P.
Proof. intros H X L. now rewrite (H X L). Qed.

Lemma same_value_ext P Q : (forall c, c < n -> P c = Q c) -> same_value P Q.
Proof. intros H X L. split; apply W_ext; auto. intros; symmetry; auto. Qed.

(** ** Captured pairs *)

(** The position with stones of [X]'s on these cells. *)
Definition fill (P : position) (cells : list cell) (X : player) : position :=
  fun c => if in_dec Nat.eq_dec c cells then Some X else P c.

Lemma fill_in P cells X c : In c cells -> fill P cells X c = Some X.
Proof. intros H. unfold fill. now destruct (in_dec Nat.eq_dec c cells). Qed.

Lemma fill_out P cells X c : ~ In c cells -> fill P cells X c = P c.
Proof. intros H. unfold fill. now destruct (in_dec Nat.eq_dec c cells). Qed.

(** If [X] has one cell of each pair, who is joined does not depend on who has the other ones and the cells of [Z]. *)
Definition captures (X : player) (P : position) (pairs : list (cell * cell)) (Z : cell -> bool) : Prop :=
  forall f g, empties n f = 0 -> empties n g = 0 -> extends n f P -> extends n g P ->
    one_of_each X pairs g -> (forall c, In c (cells_of pairs) -> f c = Some X) ->
    (forall c, c < n -> ~ In c (cells_of pairs) -> Z c = false -> f c = g c) ->
    forall Y, has_lost B Y f -> has_lost B Y g.

Lemma captures_nil X P Z : irrelevant B P Z -> captures X P [] Z.
Proof. intros H f g F G Hf Hg _ _ Hfg. apply H; auto. Qed.

Definition add (c : cell) (Z : cell -> bool) : cell -> bool := fun d => (d =? c) || Z d.

Lemma captures_cons X P a b pairs Z :
  captures X (put P a X) pairs (add b Z) -> captures X (put P b X) pairs (add a Z) ->
  captures X P ((a, b) :: pairs) Z.
Proof.
  assert (K : forall f c, extends n f P -> f c = Some X -> extends n f (put P c X)).
  { intros f c H E d Y Hd Ed. unfold put in Ed. destruct (Nat.eqb_spec d c) as [->|]; [congruence|auto]. }
  assert (K' : forall f g a b, (forall c, c < n -> ~ In c (a :: b :: cells_of pairs) -> Z c = false -> f c = g c) ->
             f a = Some X -> g a = Some X ->
             forall c, c < n -> ~ In c (cells_of pairs) -> add b Z c = false -> f c = g c).
  { intros f g a' b' Hfg Fa Ga c Hc Hnot E. unfold add in E. apply orb_false_iff in E as [E1 E2].
    apply Nat.eqb_neq in E1. destruct (Nat.eq_dec c a') as [->|Hne]; [congruence|].
    apply Hfg; auto. simpl. intuition congruence. }
  intros Ha Hb f g F G Hf Hg Hone Hall Hfg.
  assert (one_of_each X pairs g) as Hone' by (intros c d Hcd; apply Hone; now right).
  assert (Fa : f a = Some X) by (apply Hall; simpl; auto).
  assert (Fb : f b = Some X) by (apply Hall; simpl; auto).
  assert (forall c, In c (cells_of pairs) -> f c = Some X) as Hall' by (intros c Hc; apply Hall; simpl; auto).
  destruct (Hone a b) as [Ga|Gb]; [now left| |].
  - apply Ha; auto. apply (K' f g a b); auto.
  - apply Hb; auto. apply (K' f g b a); auto. intros c Hc Hnot. apply Hfg; auto. simpl in *. tauto.
Qed.

(** Captured pairs can be filled in. *)
Theorem captured X P pairs :
  NoDup (cells_of pairs) -> (forall c, In c (cells_of pairs) -> c < n /\ P c = None) ->
  captures X P pairs (fun _ => false) ->
  same_value P (fill P (cells_of pairs) X).
Proof.
  intros ND Hin Hcap. apply (same_value_one (opp X)). intros L. split; intros H.
  - revert H. apply W_mono. intros c Hc. unfold fill. destruct (in_dec Nat.eq_dec c (cells_of pairs)); [|apply le_refl].
    right; right. now rewrite opp_opp.
  - pose (Q := fill P (cells_of pairs) X). fold Q in H.
    pose (T' := fun f => won B (opp X) f /\ extends n f Q /\ empties n f = 0).
    apply (wins_pairs n (won B (opp X)) T' (opp X) L pairs P Q); auto.
    + intros c Hc. destruct (Hin c Hc). repeat split; auto. unfold Q. rewrite fill_in by assumption. discriminate.
    + intros c _ Hc. now apply fill_out.
    + intros f g G Hfg Hone (Tf & Hf & F). revert Tf. unfold won. rewrite opp_opp in *. apply (Hcap f g); auto.
      * intros c Y Hc E. apply Hf; [assumption|]. unfold Q. rewrite fill_out; [assumption|].
        intros I. apply Hin in I as [_ I]. congruence.
      * intros c Y Hc E. assert (~ In c (cells_of pairs)) as Hnot by (intros I; apply Hin in I as [_ I]; congruence).
        rewrite Hfg by assumption. apply Hf; [assumption|]. unfold Q. now rewrite fill_out.
      * intros c Hc. apply Hf; [now apply Hin|]. now apply fill_in.
      * intros c Hc Hnot _. symmetry. auto.
    + revert H. apply same_moves; [tauto|]. intros f g Hf Hg F G Hfg Tf. split; [|split; assumption].
      revert Tf. apply (won_monotone B (opp X)). intros c Hc.
      replace (g c) with (f c); [apply le_refl|].
      destruct (Q c) as [Y|] eqn:E; [rewrite (Hf c Y Hc E), (Hg c Y Hc E); reflexivity|auto].
Qed.

(** ** Dead cells *)

Lemma dead_value P D Q1 Q2 :
  irrelevant B P D -> stones_off B D P ->
  (forall c, c < n -> D c = false -> Q1 c = P c /\ Q2 c = P c) -> same_value Q1 Q2.
Proof.
  intros HD Hoff HQ X L. split; apply (W_irrelevant B P D); auto.
  intros c Hc Dc. destruct (HQ c Hc Dc). auto.
Qed.

(** Stones that are dead may be removed, and what was dead with them stays dead. *)
Lemma irrelevant_stones P P' D Z :
  irrelevant B P D -> irrelevant B P' Z -> stones_off B D P ->
  (forall c, c < n -> Z c = false -> P' c = P c) ->
  (forall c, c < n -> Z c = true -> P' c = None) ->
  irrelevant B P' (fun c => D c || Z c).
Proof.
  intros HD HZ Hoff Hout Hin f g F G Hf Hg Hfg X J.
  (* On [Z], both boards get the stones of [P], and else what [f] has. *)
  pose (over := fun (h : position) c => if Z c then match P c with Some Y => Some Y | None => f c end else h c).
  assert (Full : forall h, empties n h = 0 -> empties n (over h) = 0).
  { intros h Hh. destruct (Nat.eq_dec (empties n (over h)) 0) as [|E]; [assumption|].
    destruct (empties_pos n (over h)) as (c & Hc & Ec); [lia|]. unfold over in Ec.
    destruct (Z c); [destruct (P c); [discriminate|now apply (empties_zero n f c) in Ec]|now apply (empties_zero n h c) in Ec]. }
  assert (Ext' : forall h, extends n h P' -> extends n (over h) P').
  { intros h Hh c Y Hc E. unfold over. destruct (Z c) eqn:Zc; [rewrite Hin in E; congruence|auto]. }
  assert (Ext : forall h, extends n h P' -> extends n (over h) P).
  { intros h Hh c Y Hc E. unfold over. destruct (Z c) eqn:Zc; [now rewrite E|]. apply Hh; [assumption|]. now rewrite Hout. }
  assert (Agree : forall h, (forall c, c < n -> Z c = false -> h c = over h c)).
  { intros h c _ Zc. unfold over. now rewrite Zc. }
  apply (HZ (over g) g); auto; [intros; symmetry; auto|].
  apply (HD (over f) (over g)); auto.
  - intros c Hc Dc. unfold over. destruct (Z c) eqn:Zc; [reflexivity|]. apply Hfg; auto. now rewrite Dc, Zc.
  - apply (HZ f (over f)); auto.
Qed.

(** ** Mutual fill-in *)

Theorem mutual P a a' b b' :
  a < n -> b < n -> a <> b -> P a = None -> P b = None ->
  a' < n -> a' <> a -> a' <> b -> P a' = None -> b' < n -> b' <> b -> b' <> a -> P b' = None ->
  captures Black (put P b White) [(a, a')] (fun _ => false) ->
  captures White (put P a Black) [(b, b')] (fun _ => false) ->
  same_value P (put (put P a Black) b White).
Proof.
  intros Ha Hb Hab Pa Pb Ha' Na'a Na'b Pa' Hb' Nb'b Nb'a Pb' HB HW.
  apply captured in HB; [|repeat constructor; simpl; intuition congruence|].
  2:{ simpl. intros c [<-|[<-|[]]]; split; auto; rewrite put_other; auto. }
  apply captured in HW; [|repeat constructor; simpl; intuition congruence|].
  2:{ simpl. intros c [<-|[<-|[]]]; split; auto; rewrite put_other; auto. }
  apply (same_value_one Black). intros L. split; intros H.
  - (* Black wins with White's stone on b, so with her own on a and a' as well, so without the one on a'. *)
    apply (W_mono B Black L P (put P b White)) in H.
    2:{ intros c Hc. unfold put. destruct (Nat.eqb_spec c b) as [->|]; [now right; right|apply le_refl]. }
    apply HB in H. revert H. apply W_mono. intros c Hc. unfold fill, put. simpl.
    destruct (Nat.eq_dec a c) as [<-|Nac].
    { destruct (Nat.eqb_spec a b); [contradiction|]. rewrite Nat.eqb_refl. apply le_refl. }
    destruct (Nat.eq_dec a' c) as [<-|Na'c]; [now right; left|].
    destruct (Nat.eqb_spec c b); [apply le_refl|]. destruct (Nat.eqb_spec c a); [congruence|apply le_refl].
  - apply (W_mono B Black L _ (fill (put P a Black) (cells_of [(b, b')]) White)) in H.
    2:{ intros c Hc. unfold fill, put. simpl.
        destruct (Nat.eq_dec b c) as [<-|Nbc]; [now right; right|].
        destruct (Nat.eq_dec b' c) as [<-|Nb'c]; [now right; right|].
        destruct (Nat.eqb_spec c b); [congruence|apply le_refl]. }
    apply HW in H. revert H. apply W_mono. intros c Hc. unfold put.
    destruct (Nat.eqb_spec c a) as [->|]; [now right; left|apply le_refl].
Qed.

(** ** Moves that are at least as good: [X] wins after her opponent's move to [c], hence after one to [k] *)

(** Theorem 6: with her opponent's stone on [k], the cell [c] is dead. *)
Lemma victim P D X L k c :
  k <> c -> irrelevant B (put P k (opp X)) D -> stones_off B D (put P k (opp X)) -> D c = true ->
  W X L (put P c (opp X)) -> W X L (put P k (opp X)).
Proof.
  intros Hne HD Hoff Dc H.
  apply (W_irrelevant B (put P k (opp X)) D X L (put (put P k (opp X)) c (opp X))); auto.
  - intros d Hd Dd. assert (d <> c) by congruence. now rewrite put_other.
  - revert H. apply W_mono. intros d Hd. unfold put.
    destruct (d =? c); [apply le_refl|]. destruct (d =? k); [now right; right|apply le_refl].
Qed.

Definition swap (a b c : cell) : cell := if c =? a then b else if c =? b then a else c.

(** Theorem 7: with [X]'s own stone on [k], the cell [c] is dead. *)
Lemma vulnerable P D X L k c :
  k < n -> c < n -> k <> c -> P k = None -> P c = None ->
  irrelevant B (put P k X) D -> D c = true ->
  W X L (put P c (opp X)) -> W X L (put P k (opp X)).
Proof.
  intros Hk Hc Hne Pk Pc HD Dc.
  assert (Hswap : forall d, d < n -> swap k c d < n /\ swap k c (swap k c d) = d).
  { intros d Hd. unfold swap. destruct (Nat.eqb_spec d k) as [->|].
    - destruct (Nat.eqb_spec c k); [congruence|]. rewrite Nat.eqb_refl. auto.
    - destruct (Nat.eqb_spec d c) as [->|].
      + now rewrite Nat.eqb_refl.
      + destruct (Nat.eqb_spec d k); [congruence|]. destruct (Nat.eqb_spec d c); [congruence|]. auto. }
  assert (Sk : swap k c k = c) by (unfold swap; now rewrite Nat.eqb_refl).
  assert (Sc : swap k c c = k) by (unfold swap; rewrite Nat.eqb_refl; destruct (Nat.eqb_spec c k); congruence).
  assert (So : forall d, d <> k -> d <> c -> swap k c d = d).
  { intros d H1 H2. unfold swap. apply Nat.eqb_neq in H1, H2. now rewrite H1, H2. }
  apply (transfer n _ _ (swap k c) (swap k c) (fun Y => Y)); auto.
  - intros d Hd. destruct (Nat.eq_dec d k) as [->|Hdk]; [|destruct (Nat.eq_dec d c) as [->|Hdc]].
    + rewrite Sk, !put_other by congruence. now rewrite Pk, Pc.
    + rewrite Sc, !put_same. split; discriminate.
    + rewrite So, !put_other by congruence. tauto.
  - intros f g Hf Hg F G Hfg Tf.
    assert (Fc : f c = Some (opp X)) by (apply Hf; [assumption|apply put_same]).
    assert (Gk : g k = Some (opp X)) by (apply Hg; [assumption|apply put_same]).
    assert (Out : forall d, d < n -> d <> k -> d <> c -> f d = g d).
    { intros d Hd H1 H2. destruct (P d) as [Y|] eqn:E.
      - rewrite (Hf d Y), (Hg d Y); auto; now rewrite put_other.
      - destruct (Hfg d Hd) as (Y & E1 & E2); [now rewrite put_other|]. rewrite So in E2 by assumption. congruence. }
    destruct (Hfg k Hk) as (Y & Fk & Gc); [now rewrite put_other by congruence|]. rewrite Sk in Gc.
    destruct (player_eq_dec Y X) as [->|HY].
    + (* Her opponent has [c] in the copied game, and [k] in this one. *)
      pose (h := put f c X).
      assert (won B X h) as Th.
      { apply (HD f h); auto.
        - destruct (Nat.eq_dec (empties n h) 0) as [|E]; [assumption|].
          destruct (empties_pos n h) as (d & Hd & Ed); [lia|]. unfold h, put in Ed.
          destruct (d =? c); [discriminate|]. now apply (empties_zero n f d) in Ed.
        - intros d Y Hd E. unfold put in E. destruct (Nat.eqb_spec d k) as [->|]; [congruence|].
          apply Hf; [assumption|]. rewrite put_other; congruence.
        - intros d Y Hd E. unfold h. unfold put in E. destruct (Nat.eqb_spec d k) as [->|].
          + rewrite put_other by assumption. congruence.
          + rewrite put_other by congruence. apply Hf; [assumption|]. rewrite put_other; congruence.
        - intros d Hd E. unfold h. rewrite put_other; congruence. }
      revert Th. apply (won_monotone B X). intros d Hd. unfold h.
      destruct (Nat.eq_dec d c) as [->|Hdc]; [rewrite put_same, Gc; apply le_refl|].
      rewrite put_other by assumption.
      destruct (Nat.eq_dec d k) as [->|Hdk]; [rewrite Fk; now right; left|].
      rewrite Out by assumption. apply le_refl.
    + apply not_eq_sym, other in HY. subst Y.
      revert Tf. apply (won_monotone B X). intros d Hd.
      destruct (Nat.eq_dec d c) as [->|Hdc]; [rewrite Fc, Gc; apply le_refl|].
      destruct (Nat.eq_dec d k) as [->|Hdk]; [rewrite Fk, Gk; apply le_refl|].
      rewrite Out by assumption. apply le_refl.
Qed.

(** Theorem 8: with her stone on [k], the opponent captures pairs, one of which has [c]. *)
Lemma captured_by P X L k c pairs :
  NoDup (cells_of pairs) -> (forall d, In d (cells_of pairs) -> d < n /\ put P k (opp X) d = None) ->
  captures (opp X) (put P k (opp X)) pairs (fun _ => false) -> In c (cells_of pairs) ->
  W X L (put P c (opp X)) -> W X L (put P k (opp X)).
Proof.
  intros ND Hin Hcap Hc H. apply (captured (opp X) _ pairs ND Hin Hcap). revert H.
  apply W_mono. intros d Hd. unfold fill. destruct (in_dec Nat.eq_dec d (cells_of pairs)) as [|Hnot].
  - now right; right.
  - assert (d <> c) by (intros ->; contradiction). rewrite put_other by assumption. unfold put.
    destruct (d =? k); [now right; right|apply le_refl].
Qed.

End Fill.
