(** * Reverse Hex: who connects her own two sides loses

    Defines the game: a player has lost when her stones join her sides, and [Wins] says that a player has a winning strategy.
    Exactly one player wins each position ([Wins_one], [Wins_once]); the rest of the file is what the rules need. *)

From Coq Require Import Arith Lia List Bool.
From Rex Require Import Hex Board Game.
Import ListNotations.

(** A position, of [Game.v], has for each cell a player's stone or none. These are the cells with stones of [X]. *)
Definition stones (P : position) (X : player) : cell -> Prop := fun c => P c = Some X.

Section Rex.
Variable B : board.

Definition has_lost (X : player) (P : position) : Prop := joined B X (stones P X).

(** [Wins X m P]: player [X] has a winning strategy from position [P], in which it is [m]'s turn. Either her opponent has lost
    already; or nobody has, and it is her turn and some move wins; or nobody has, and she wins after every move of her opponent. *)
Inductive Wins (X : player) : player -> position -> Prop :=
| wins_over m P : has_lost (opp X) P -> Wins X m P
| wins_by_a_move P c :
    ~ has_lost Black P -> ~ has_lost White P ->
    c < size B -> P c = None -> Wins X (opp X) (put P c X) -> Wins X X P
| wins_by_replies P :
    ~ has_lost Black P -> ~ has_lost White P ->
    (forall c, c < size B -> P c = None -> Wins X X (put P c (opp X))) -> Wins X (opp X) P.

Hypothesis rows_pos : 0 < rows B.
Hypothesis cols_pos : 0 < cols B.

Notation n := (size B).

(** A full board on which [X] has won. *)
Definition won (X : player) (f : position) : Prop := has_lost (opp X) f.

(** [X] wins position [P] where [L] is Last, if the game is played until the board is full. *)
Definition W (X L : player) (P : position) : Prop := wins n (won X) X L P.

(** ** The Hex theorem for positions *)

Definition colours (Y : player) (f : position) : cell -> player :=
  fun c => match f c with Some Z => Z | None => Y end.

Lemma lost_once P : has_lost Black P -> has_lost White P -> False.
Proof.
  intros HB HW. apply (hex_once B rows_pos cols_pos (colours Black P)).
  - eapply joined_mono; [|exact HB]. intros c _ E. unfold stones, colours in *. now rewrite E.
  - eapply joined_mono; [|exact HW]. intros c _ E. unfold stones, colours in *. now rewrite E.
Qed.

Lemma lost_once' X P : has_lost X P -> has_lost (opp X) P -> False.
Proof. destruct X; simpl; intros; eapply lost_once; eauto. Qed.

Lemma lost_one X f : empties n f = 0 -> has_lost X f \/ has_lost (opp X) f.
Proof.
  intros F. assert (K : forall Y, joined B Y (fun c => colours Black f c = Y) -> has_lost Y f).
  { intros Y. apply joined_mono. intros c Hc. unfold colours, stones.
    destruct (f c) as [Z|] eqn:E; [congruence|]. now apply (empties_zero n f c) in E. }
  destruct (hex B rows_pos cols_pos (colours Black f)) as [H|H]; apply K in H; destruct X; auto.
Qed.

Lemma lost_dec X P : has_lost X P \/ ~ has_lost X P.
Proof.
  pose (f := fun c => match P c with Some Y => if player_eq_dec Y X then X else opp X | None => opp X end).
  assert (K : joined B X (fun c => f c = X) -> has_lost X P).
  { apply joined_mono. intros c _. unfold f, stones. destruct (P c) as [Y|]; [destruct (player_eq_dec Y X)|];
      intros E; try congruence; symmetry in E; destruct X; discriminate. }
  assert (K' : has_lost X P -> joined B X (fun c => f c = X)).
  { apply joined_mono. intros c _. unfold f, stones. intros ->. now destruct (player_eq_dec X X). }
  destruct (hex B rows_pos cols_pos f) as [H|H]; destruct X; auto;
    right; intros J; apply K' in J; eapply (hex_once B rows_pos cols_pos f); eauto.
Qed.

Lemma lost_extends X f P : extends n f P -> has_lost X P -> has_lost X f.
Proof. intros H. apply joined_mono. unfold stones. auto. Qed.

Lemma won_monotone X : monotone n X (won X).
Proof.
  intros f g H. apply joined_mono. unfold stones. intros c Hc E. specialize (H c Hc). rewrite E in H.
  destruct H as [H|[H|H]]; [congruence| |assumption]. injection H as H. now apply opp_neq in H.
Qed.

Lemma W_one X L P : W X L P \/ W (opp X) L P.
Proof. apply wins_one. intros f F. unfold won. rewrite opp_opp. destruct (lost_one X f F); auto. Qed.

Lemma W_once X L P : W X L P -> W (opp X) L P -> False.
Proof. apply wins_once. unfold won. intros f F. rewrite opp_opp. intros H K. now apply (lost_once' X f). Qed.

Lemma W_mono X L P Q : le_all n X P Q -> W X L P -> W X L Q.
Proof. apply wins_mono, won_monotone. Qed.

Lemma W_ext X L P Q : (forall c, c < n -> P c = Q c) -> W X L P -> W X L Q.
Proof. intros H. apply W_mono. intros c Hc. rewrite H by assumption. apply le_refl. Qed.

(** ** Playing on until the board is full makes no difference *)

Definition last (m : player) (P : position) : player := if Nat.odd (empties n P) then m else opp m.

Lemma turn_last m P : turn (last m P) (empties n P) = m.
Proof. unfold turn, last. destruct (Nat.odd _); [reflexivity|apply opp_opp]. Qed.

Lemma last_turn L P : last (turn L (empties n P)) P = L.
Proof. unfold turn, last. destruct (Nat.odd _); [reflexivity|apply opp_opp]. Qed.

Lemma W_lost X L P : has_lost (opp X) P -> W X L P.
Proof. intros H. apply wins_any. intros f Hf _. unfold won. eapply lost_extends; eauto. Qed.

Lemma W_not_lost X L P : W X L P -> ~ has_lost X P.
Proof.
  intros H J. destruct (wins_final _ _ _ _ _ H) as (f & Hf & _ & K).
  apply (lost_once' X f); [eapply lost_extends; eauto|exact K].
Qed.

Lemma undecided_not_full P : ~ has_lost Black P -> ~ has_lost White P -> 0 < empties n P.
Proof.
  intros HB HW. destruct (Nat.eq_dec (empties n P) 0) as [E|]; [|lia].
  destruct (lost_one Black P E); contradiction.
Qed.

Lemma both_undecided X P : ~ has_lost X P -> ~ has_lost (opp X) P -> ~ has_lost Black P /\ ~ has_lost White P.
Proof. destruct X; auto. Qed.

Theorem W_Wins X L P : W X L P -> Wins X (turn L (empties n P)) P.
Proof.
  remember (empties n P) as k eqn:E. revert P E. induction k as [|k IH]; intros P E H.
  - apply wins_over. apply wins_full in H; [exact H|auto].
  - destruct (lost_dec (opp X) P) as [J|J]; [now apply wins_over|].
    destruct (both_undecided X P (W_not_lost _ _ _ H) J) as [NB NW].
    assert (K : forall c Y, c < n -> P c = None -> W X L (put P c Y) -> Wins X (opp (turn L (S k))) (put P c Y)).
    { intros c Y Hc Ec H'. rewrite turn_S, opp_opp. apply IH; [|assumption].
      rewrite (empties_put n P c Y) in E by assumption. now injection E. }
    destruct (turn_cases L (S k) X) as [Ht|Ht]; rewrite Ht in *.
    + unfold W in H. rewrite wins_move in H by (rewrite <- E; assumption || lia).
      destruct H as (c & Hc & Ec & H). apply wins_by_a_move with c; auto.
    + unfold W in H. rewrite wins_reply in H by (rewrite <- E; assumption || lia).
      apply wins_by_replies; auto. intros c Hc Ec.
      specialize (K c (opp X) Hc Ec (H c Hc Ec)). now rewrite opp_opp in K.
Qed.

Theorem Wins_W X m P : Wins X m P -> W X (last m P) P.
Proof.
  assert (T : forall m P, turn (last (opp m) P) (empties n P) = opp m) by (intros; apply turn_last).
  assert (S : forall m P c Y, c < n -> P c = None -> last (opp m) (put P c Y) = last m P).
  { intros m0 P0 c Y Hc Ec. unfold last. rewrite (empties_put n P0 c Y) by assumption.
    rewrite Nat.odd_succ, <- Nat.negb_odd. destruct (Nat.odd _); simpl; [reflexivity|apply opp_opp]. }
  induction 1 as [m P J|P c NB NW Hc Ec H IH|P NB NW H IH].
  - now apply W_lost.
  - rewrite S in IH by assumption. apply wins_move; [now apply undecided_not_full|apply turn_last|]. eauto.
  - apply wins_reply; [now apply undecided_not_full|apply turn_last|]. intros c Hc Ec.
    rewrite <- (S (opp X) P c (opp X)) by assumption. rewrite opp_opp. now apply IH.
Qed.

(** So every position is won by exactly one player. *)
Theorem Wins_one X m P : Wins X m P \/ Wins (opp X) m P.
Proof. rewrite <- (turn_last m P). destruct (W_one X (last m P) P); [left|right]; now apply W_Wins. Qed.

Theorem Wins_once X m P : Wins X m P -> Wins (opp X) m P -> False.
Proof. intros H K. apply Wins_W in H, K. exact (W_once X _ P H K). Qed.

(** ** Symmetry *)

(** What a symmetry does to cells ([pi], its own inverse) and to players ([s]). *)
Record symmetry (pi : cell -> cell) (s : player -> player) : Prop := {
  sym_opp : forall Y, s (opp Y) = opp (s Y);
  sym_inv : forall c, c < n -> pi c < n /\ pi (pi c) = c;
  sym_joined : forall Y (S S' : cell -> Prop), (forall c, c < n -> S c -> S' (pi c)) -> joined B Y S -> joined B (s Y) S'
}.

Lemma W_image pi s X L P Q :
  symmetry pi s ->
  (forall c, c < n -> Q (pi c) = match P c with Some Y => Some (s Y) | None => None end) ->
  W X L P -> W (s X) (s L) Q.
Proof.
  intros [Hs Hpi Hj] HQ. apply (transfer n _ _ pi pi s); auto.
  - intros c Hc. rewrite HQ by assumption. destruct (P c); split; congruence.
  - intros f g Hf Hg _ _ Hfg. unfold won, has_lost. rewrite <- Hs. apply Hj. unfold stones. intros c Hc E.
    destruct (P c) as [Y|] eqn:EP.
    + rewrite (Hf c Y Hc EP) in E. injection E as ->. apply Hg; [now apply Hpi|]. rewrite HQ, EP by assumption. reflexivity.
    + destruct (Hfg c Hc EP) as (Y & E1 & E2). congruence.
Qed.

(** ** Pairs *)

(** Where [X] leaves a cell of each pair, and perhaps a key, to her opponent, she is not joined. *)
Lemma W_pairs X L P pairs (key : option cell) :
  NoDup (cells_of pairs) ->
  (forall c, In c (cells_of pairs) -> c < n /\ P c = None) ->
  (forall k, key = Some k -> L = opp X /\ k < n /\ P k = None /\ ~ In k (cells_of pairs)) ->
  (forall g, extends n g P -> one_of_each (opp X) pairs g ->
     (forall k, key = Some k -> g k = Some (opp X)) -> ~ has_lost X g) ->
  W X L P.
Proof.
  intros ND Hin Hkey Hno.
  pose (Q := fun c => if in_dec Nat.eq_dec c (cells_of pairs) then Some (opp X) else P c).
  assert (Qin : forall c, In c (cells_of pairs) -> Q c = Some (opp X)).
  { intros c Hc. unfold Q. now destruct (in_dec Nat.eq_dec c (cells_of pairs)). }
  assert (Qout : forall c, ~ In c (cells_of pairs) -> Q c = P c).
  { intros c Hc. unfold Q. now destruct (in_dec Nat.eq_dec c (cells_of pairs)). }
  pose (T' := fun f => extends n f Q /\ forall k, key = Some k -> f k = Some (opp X)).
  apply (wins_pairs n (won X) T' X L pairs P Q); auto.
  - intros c Hc. destruct (Hin c Hc). rewrite Qin by assumption. repeat split; auto. discriminate.
  - intros f g G Hfg Hone [Hf Hk]. destruct (lost_one X g G) as [J|J]; [|exact J].
    exfalso. revert J. apply Hno; auto.
    + intros c Y Hc E.
      assert (~ In c (cells_of pairs)) as Hnot by (intros I; apply Hin in I as [_ I]; congruence).
      rewrite Hfg by assumption. apply Hf; [assumption|]. now rewrite Qout.
    + intros k Ek. destruct (Hkey k Ek) as (_ & Hkn & _ & Hnot). rewrite Hfg by assumption. auto.
  - destruct key as [k|].
    + destruct (Hkey k eq_refl) as (-> & Hk & Pk & Hnot).
      apply (same_moves n (fun f => f k = Some (opp X)) T' X (opp X) Q Q); [tauto| |].
      * intros f g Hf Hg _ _ Hfg Ef. split; [assumption|]. intros k' E. injection E as <-.
        rewrite <- Hfg; auto. now rewrite Qout.
      * apply wins_key; [assumption|]. now rewrite Qout.
    + apply wins_any. intros f Hf _. split; [assumption|discriminate].
Qed.

(** ** Mirror *)

Lemma W_mirror pi X P :
  symmetry pi opp ->
  (forall c, c < n -> P c = Some X -> P (pi c) = Some (opp X)) ->
  W X (opp X) P.
Proof.
  intros Sym Himage. pose proof Sym as [_ Hpi _].
  pose (P0 := fun c => match P c with
                       | Some Y => if player_eq_dec Y X then Some X
                                   else match P (pi c) with
                                        | Some Z => if player_eq_dec Z X then Some (opp X) else None
                                        | None => None
                                        end
                       | None => None end).
  assert (P0_self : forall c, c < n -> P0 (pi c) = match P0 c with Some Y => Some (opp Y) | None => None end).
  { intros c Hc. destruct (Hpi c Hc) as [Hp Hpp]. unfold P0. rewrite Hpp.
    pose proof (Himage c Hc) as I1. pose proof (Himage (pi c) Hp) as I2. rewrite Hpp in I2.
    destruct (P c) as [Y|] eqn:E1, (P (pi c)) as [Z|] eqn:E2; simpl;
      repeat match goal with |- context [player_eq_dec ?u ?v] => destruct (player_eq_dec u v); subst end;
      simpl; rewrite ?opp_opp; auto;
      try (specialize (I1 eq_refl)); try (specialize (I2 eq_refl)); try congruence. }
  assert (W X (opp X) P0) as H.
  { destruct (W_one X (opp X) P0) as [H|H]; [assumption|].
    apply (W_image pi opp (opp X) (opp X) P0 P0 Sym P0_self) in H. rewrite opp_opp in H.
    apply notlast; [apply won_monotone|assumption]. }
  revert H. apply W_mono. intros c Hc. unfold P0, le.
  destruct (P c) as [Y|] eqn:E1; [|now left].
  destruct (player_eq_dec Y X) as [->|D]; [now left|].
  apply not_eq_sym, other in D. subst Y. now right; right.
Qed.

End Rex.
