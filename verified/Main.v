(** * The main theorem: what the checker prints about a text is true

    [checked_text] is about the functions that the program runs, [read_line] and [verdict]. To know what it says, read
    [Wins] in [Rex.v], the definitions in [Board.v], what lines say in [Text.v], and [root_claims] below. *)

From Coq Require Import String Arith Lia List Bool ZArith Uint63 FMapPositive.
From Rex Require Import Board Game Rex Table Check Sound Text Certificate Reading.
Import ListNotations.
Local Open Scope bool_scope.

(** The number that a line begins with, if there is one. *)
Definition numbered (l : line) : option int :=
  match split space l with a :: _ => number a | [] => None end.

(** [l] is the one line with number [i], and it claims that [X] wins position [P] of board [B] if [m] is to move. *)
Definition one_claims (l : line) (body : list line) (i : int) (B : board) (X m : player) (P : position) : Prop :=
  In l body /\ claims l i B X m P /\ forall l', In l' body -> numbered l' = Some i -> l' = l.

Definition names_board (l : line) (B : board) : Prop :=
  exists d, split space l = [bytes "board"; d] /\ board_name d = Some B.

(** The second line names the board, the last one is [root] and a number, and this is what the claim with that number says. *)
Definition root_claims (text : list line) (B : board) (X m : player) (P : position) : Prop :=
  exists first second third body last r i l,
    text = first :: second :: third :: body ++ [last] /\
    names_board second B /\ split space last = [bytes "root"; r] /\ number r = Some i /\ one_claims l body i B X m P.

(** ** The numbers of claims as keys *)

Lemma key_of_spec k : forall i, (1 <= to_Z i < 2 ^ Z.of_nat k)%Z -> Zpos (key_of k i) = to_Z i.
Proof.
  induction k as [|k IH]; intros i Hi; [simpl in Hi; lia|]. cbn [key_of].
  destruct (i <=? 1)%uint63 eqn:E1.
  { apply leb_spec in E1. change (to_Z 1) with 1%Z in E1. lia. }
  assert (1 < to_Z i)%Z as H1.
  { destruct (Z.lt_ge_cases 1 (to_Z i)) as [|H]; [assumption|]. change 1%Z with (to_Z 1) in H. apply leb_spec in H. congruence. }
  assert (H2 : to_Z (i >> 1) = (to_Z i / 2)%Z) by (rewrite lsr_spec; reflexivity).
  rewrite Nat2Z.inj_succ, Z.pow_succ_r in Hi by lia.
  pose proof (Z.div_mod (to_Z i) 2). pose proof (Z.mod_pos_bound (to_Z i) 2).
  specialize (IH (i >> 1)%uint63). rewrite H2 in IH.
  assert (H3 : to_Z (i land 1) = (to_Z i mod 2)%Z) by (rewrite land_spec'; apply (Z.land_ones _ 1); lia).
  destruct (i land 1 =? 0)%uint63 eqn:E0.
  - apply eqb_spec in E0. rewrite E0 in H3. change (to_Z 0) with 0%Z in H3. rewrite Pos2Z.inj_xO, IH by lia. lia.
  - assert (to_Z i mod 2 <> 0)%Z.
    { intros E. rewrite E in H3. change 0%Z with (to_Z 0) in H3. apply to_Z_inj in H3. rewrite H3 in E0. discriminate. }
    rewrite Pos2Z.inj_xI, IH by lia. lia.
Qed.

Lemma live_key_inj a b i j : number a = Some i -> number b = Some j -> live_key i = live_key j -> i = j.
Proof.
  assert (K : forall w k, number w = Some k -> Zpos (live_key k) = to_Z k).
  { intros w k Hk. apply number_range in Hk. change (to_Z most) with 4294967295%Z in Hk.
    apply (key_of_spec 40). change (2 ^ Z.of_nat 40)%Z with 1099511627776%Z. lia. }
  intros Hi Hj H. apply to_Z_inj. now rewrite <- (K a i Hi), <- (K b j Hj), H.
Qed.

Local Opaque live_key make_env w_magic w_full w_explicit w_drop w_root.

(** ** What holds after each line *)

Definition valid (B : board) : Prop := 0 < rows B /\ 0 < cols B <= 26 /\ size B <= 64.

Definition right_env (E : env) (second : line) : Prop :=
  E = make_env (the_board E) /\ valid (the_board E) /\ names_board second (the_board E).

Definition right_claim (B : board) (body : list line) (i : int) (cl : claim) : Prop :=
  true_claim B cl /\ exists l, one_claims l body i B (winner cl) (mover cl) (position_of cl).

Definition right_state (text : list line) (s : state) : Prop :=
  match s with
  | Start => text = []
  | Certificate.Board => exists first, text = [first]
  | Rules E => exists first second, text = [first; second] /\ right_env E second
  | Running r => exists first second third body, text = first :: second :: third :: body /\ right_env (r_env r) second /\
      (forall l i, In l body -> numbered l = Some i -> (to_Z i <= to_Z (r_latest r))%Z) /\
      (forall k cl, PositiveMap.find k (r_live r) = Some cl ->
        exists i, k = live_key i /\ right_claim (the_board (r_env r)) body i cl)
  | Rooted E cl => valid (the_board E) /\ true_claim (the_board E) cl /\
      root_claims text (the_board E) (winner cl) (mover cl) (position_of cl)
  | Failed _ => True
  end.

Lemma forget_spec l : forall m n m' n', forget m n l = Some (m', n') ->
  forall k cl, PositiveMap.find k m' = Some cl -> PositiveMap.find k m = Some cl.
Proof.
  induction l as [|w l IH]; intros m n m' n' H k cl Hk; cbn [forget] in H.
  - congruence.
  - destruct (number w) as [i|]; [|discriminate]. destruct (PositiveMap.find (live_key i) m); [|discriminate].
    specialize (IH _ _ _ _ H k cl Hk). destruct (Pos.eq_dec k (live_key i)) as [->|D].
    + rewrite PositiveMap.grs in IH. discriminate.
    + now rewrite PositiveMap.gro in IH.
Qed.

Lemma right_claim_more B body i cl l : numbered l <> Some i -> right_claim B body i cl -> right_claim B (body ++ [l]) i cl.
Proof.
  intros D (Ht & l0 & Hin & Hc & Hone). split; [assumption|]. exists l0. split; [apply in_or_app; now left|].
  split; [assumption|]. intros l' Hl' Hn. apply in_app_or in Hl' as [Hl'|[<-|[]]]; [now apply Hone|contradiction].
Qed.

Lemma on_claim_right r text l :
  right_state text (Running r) -> right_state (text ++ [l]) (on_claim r (split space l)).
Proof.
  intros (first & second & third & body & -> & (HE & HV & HB) & Hlatest & Hlive). pose proof HV as (Hr & [Hc _] & Hs).
  unfold on_claim. destruct (claim_of (r_env r) (split space l)) as [[[i cl] how]|] eqn:Hcl; [|exact I].
  destruct (r_latest r <? i)%uint63 eqn:Hi; [|exact I]. apply ltb_spec in Hi. cbn [negb].
  destruct (r_explicit r && _); [exact I|].
  destruct (holds (r_env r) (recall r) cl how) eqn:H; [|exact I]. cbn [negb]. destruct (negb _); [exact I|].
  set (B := the_board (r_env r)) in *. rewrite HE in Hcl, H.
  apply (read_claim B Hs Hr Hc) in Hcl.
  assert (Hn : numbered l = Some i).
  { destruct Hcl as (a & p & y & x & rest & E & Ha & _). unfold numbered. now rewrite E. }
  exists first, second, third, (body ++ [l]). split; [reflexivity|]. split; [repeat split; assumption || apply HV|].
  cbn [r_env r_live r_latest]. split.
  { intros l' j Hl' Hj. apply in_app_or in Hl' as [Hl'|[<-|[]]]; [specialize (Hlatest l' j Hl' Hj); lia|].
    assert (j = i) as -> by congruence. lia. }
  intros k cl' Hk. destruct (Pos.eq_dec k (live_key i)) as [->|D].
  - rewrite PositiveMap.gss in Hk. assert (cl' = cl) as -> by congruence. exists i. split; [reflexivity|]. split.
    + apply (holds_true B Hs Hr Hc (recall r)) in H; [exact H|].
      intros j c Hj. unfold recall in Hj. destruct (Hlive _ _ Hj) as (j' & _ & Ht & _). exact Ht.
    + exists l. split; [apply in_or_app; right; now left|]. split; [exact Hcl|]. intros l' Hl' Hj.
      apply in_app_or in Hl' as [Hl'|[<-|[]]]; [specialize (Hlatest l' i Hl' Hj); lia|reflexivity].
  - rewrite PositiveMap.gso in Hk by assumption. destruct (Hlive k cl' Hk) as (j & -> & Hj). exists j. split; [reflexivity|].
    apply right_claim_more; [congruence|exact Hj].
Qed.

Lemma board_name_narrow l B : board_name l = Some B -> cols B <= 26.
Proof.
  unfold board_name. destruct (split letter_x l) as [|r [|c []]]; try discriminate.
  destruct (number r) as [i|]; [|discriminate]. destruct (number c) as [j|]; [|discriminate].
  destruct (_ && _) eqn:H; [|discriminate]. apply andb_true_iff in H as [_ H]. apply leb_spec in H.
  change (to_Z 26) with 26%Z in H. intros E. injection E as <-. cbn [cols]. unfold nat_of. lia.
Qed.

Lemma read_line_right text s l : right_state text s -> right_state (text ++ [l]) (read_line s l).
Proof.
  destruct s as [| |E|r|E cl|why]; intros H; cbn [read_line]; try exact I.
  - rewrite H. destruct (equal l w_magic); [exists l; reflexivity|exact I].
  - destruct H as [first ->]. destruct (board_of l) as [B|] eqn:HB; [|exact I].
    destruct ((1 <=? rows B) && (1 <=? cols B) && (size B <=? 64)) eqn:V; [|exact I].
    rewrite !andb_true_iff, !Nat.leb_le in V. destruct V as [[V1 V2] V3].
    unfold board_of in HB. destruct (split space l) as [|w [|d []]] eqn:Hl; try discriminate.
    destruct (equal w w_board) eqn:Hw; [|discriminate]. apply equal_spec in Hw. exists first, l. split; [reflexivity|].
    repeat split; try assumption; [now apply board_name_narrow in HB|]. exists d. split; [rewrite Hl, Hw; reflexivity|exact HB].
  - destruct H as (first & second & -> & HE).
    destruct (equal l w_full); [|destruct (equal l w_explicit); [|exact I]];
      (exists first, second, l, []; split; [reflexivity|]; split; [exact HE|]; split; [contradiction|];
       cbn [r_live]; intros k cl Hk; rewrite PositiveMap.gempty in Hk; discriminate).
  - destruct (split space l) as [|w words] eqn:Hsplit; [exact I|].
    destruct (equal w w_drop) eqn:Hd.
    { apply equal_spec in Hd. destruct words as [|v words']; [exact I|].
      destruct (forget (r_live r) (r_count r) (v :: words')) as [[m n]|] eqn:Hf; [|exact I].
      assert (Hn : numbered l = None) by (unfold numbered; rewrite Hsplit, Hd; reflexivity).
      destruct H as (first & second & third & body & -> & HE & Hlatest & Hlive).
      exists first, second, third, (body ++ [l]). split; [reflexivity|]. split; [exact HE|]. cbn [r_env r_live r_latest]. split.
      - intros l' i Hl' Hi. apply in_app_or in Hl' as [Hl'|[<-|[]]]; [now apply (Hlatest l')|congruence].
      - intros k cl Hk. apply (forget_spec _ _ _ _ _ Hf) in Hk. destruct (Hlive k cl Hk) as (i & -> & Hi).
        exists i. split; [reflexivity|]. apply right_claim_more; [congruence|exact Hi]. }
    destruct (equal w w_root) eqn:Hw; [|rewrite <- Hsplit; now apply on_claim_right].
    apply equal_spec in Hw. destruct words as [|i []]; try exact I. destruct (number i) as [j|] eqn:Hj; [|exact I].
    destruct (recall r j) as [cl|] eqn:Hcl; [|exact I].
    destruct H as (first & second & third & body & -> & (_ & HV & HB) & _ & Hlive).
    destruct (Hlive _ _ Hcl) as (j' & Hk & Ht & l0 & Hl0). split; [exact HV|]. split; [exact Ht|].
    exists first, second, third, body, l, i, j, l0. split; [reflexivity|]. split; [exact HB|].
    split; [rewrite Hsplit, Hw; reflexivity|]. split; [exact Hj|].
    replace j with j'; [exact Hl0|]. destruct Hl0 as (_ & (a & p & y & x & how & _ & Ha & _) & _).
    now apply (live_key_inj a i).
Qed.

(** ** The theorem *)

(** If the checker prints a sentence about a text, then the claim that is the root of the text, and the sentence, say of the
    same board, position and side to move that the same player wins; and she does win it. *)
Theorem checked_text (text : list line) (closing digest printed : line) :
  verdict (fold_left read_line text Start) closing digest = Some printed ->
  exists B X m P, root_claims text B X m P /\ says printed B X m P /\ Wins B X m P.
Proof.
  assert (K : forall text seen s, right_state seen s -> right_state (seen ++ text) (fold_left read_line text s)).
  { induction text0 as [|l text0 IH]; intros seen s H; cbn [fold_left]; [now rewrite app_nil_r|].
    replace (seen ++ l :: text0) with ((seen ++ [l]) ++ text0) by now rewrite <- app_assoc.
    now apply IH, read_line_right. }
  specialize (K text [] Start eq_refl). cbn [app] in K. unfold verdict.
  destruct (fold_left read_line text Start) as [| | | |E cl|]; try discriminate. destruct (right_digest _ _); [|discriminate].
  intros H. injection H as <-. destruct K as ((Hr & [Hc Hn] & Hs) & Ht & Hroot).
  exists (the_board E), (winner cl), (mover cl), (position_of cl). split; [exact Hroot|]. split.
  - now apply show_says.
  - apply (W_Wins (the_board E) Hr Hc) in Ht. now rewrite turn_last in Ht.
Qed.
