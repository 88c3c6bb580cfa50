(** * Sets of cells as two machine words

    A board has at most 64 cells; cells 0 to 31 are bits of the first word, cells 32 to 63 bits of the second. *)

From Coq Require Import Arith Lia List Bool ZArith Uint63.
Import ListNotations.
Local Open Scope bool_scope.

Record cset := Cset { lo : int; hi : int }.

(** What a set means. Proofs speak of [mem]; the program never computes it. *)
Definition mem (s : cset) (c : nat) : bool :=
  if c <? 32 then Z.testbit (to_Z (lo s)) (Z.of_nat c)
  else if c <? 64 then Z.testbit (to_Z (hi s)) (Z.of_nat (c - 32)) else false.

Definition none : cset := Cset 0 0.
Definition union (s t : cset) : cset := Cset (lo s lor lo t) (hi s lor hi t).
Definition inter (s t : cset) : cset := Cset (lo s land lo t) (hi s land hi t).
Definition diff (s t : cset) : cset := Cset (lo s lxor (lo s land lo t)) (hi s lxor (hi s land hi t)).
Definition is_none (s : cset) : bool := (lo s =? 0)%uint63 && (hi s =? 0)%uint63.
Definition within (s t : cset) : bool := is_none (diff s t).
Definition same (s t : cset) : bool := (lo s =? lo t)%uint63 && (hi s =? hi t)%uint63.

Definition single (i : nat) : cset :=
  if i <? 32 then Cset (1 << of_Z (Z.of_nat i)) 0 else Cset 0 (1 << of_Z (Z.of_nat (i - 32))).

Definition set_of (l : list nat) : cset := fold_right (fun i s => union (single i) s) none l.

Ltac cases_of_mem := unfold mem; repeat match goal with |- context [?a <? ?b] => destruct (a <? b) end; simpl.

Lemma mem_none c : mem none c = false.
Proof. cases_of_mem; auto; apply Z.testbit_0_l. Qed.

Lemma mem_union s t c : mem (union s t) c = mem s c || mem t c.
Proof. cases_of_mem; rewrite ?lor_spec', ?Z.lor_spec; reflexivity. Qed.

Lemma mem_inter s t c : mem (inter s t) c = mem s c && mem t c.
Proof. cases_of_mem; rewrite ?land_spec', ?Z.land_spec; reflexivity. Qed.

Lemma mem_diff s t c : mem (diff s t) c = mem s c && negb (mem t c).
Proof.
  cases_of_mem; rewrite ?lxor_spec', ?land_spec', ?Z.lxor_spec, ?Z.land_spec; auto;
    repeat match goal with |- context [Z.testbit ?a ?b] => destruct (Z.testbit a b) end; reflexivity.
Qed.

Lemma is_none_spec s c : is_none s = true -> mem s c = false.
Proof.
  unfold is_none. intros H. apply andb_true_iff in H as [H K]. apply eqb_spec in H, K.
  replace s with none; [apply mem_none|]. destruct s; simpl in *. now subst.
Qed.

Lemma within_spec s t c : within s t = true -> mem s c = true -> mem t c = true.
Proof.
  intros H E. apply (is_none_spec _ c) in H. rewrite mem_diff, E in H. destruct (mem t c); [reflexivity|discriminate].
Qed.

Lemma same_spec s t : same s t = true -> s = t.
Proof.
  unfold same. intros H. apply andb_true_iff in H as [H K]. apply eqb_spec in H, K.
  destruct s, t; simpl in *. now subst.
Qed.

Lemma mem_big s c : 64 <= c -> mem s c = false.
Proof.
  intros H. unfold mem. destruct (Nat.ltb_spec c 32); [lia|]. destruct (Nat.ltb_spec c 64); [lia|reflexivity].
Qed.

Lemma singles : forallb (fun i => forallb (fun c => Bool.eqb (mem (single i) c) (c =? i)) (seq 0 64)) (seq 0 64) = true.
Proof. vm_compute. reflexivity. Qed.

Lemma mem_single i c : i < 64 -> mem (single i) c = (c =? i).
Proof.
  intros Hi. destruct (Nat.lt_ge_cases c 64) as [Hc|Hc].
  - pose proof singles as H. rewrite forallb_forall in H. specialize (H i). rewrite forallb_forall in H.
    apply eqb_prop, H; apply in_seq; lia.
  - rewrite mem_big by assumption. symmetry. apply Nat.eqb_neq. lia.
Qed.

(** For single cells the test of inclusion is exact. *)
Definition has (m s : cset) : bool := within m s.

Lemma has_single i s : i < 64 -> has (single i) s = mem s i.
Proof.
  intros Hi. destruct (mem s i) eqn:E.
  - unfold has, within, is_none. apply andb_true_iff.
    assert (Z : forall w (j : nat), j < 32 -> Z.testbit (to_Z w) (Z.of_nat j) = true ->
              ((1 << of_Z (Z.of_nat j)) lxor ((1 << of_Z (Z.of_nat j)) land w) =? 0)%uint63 = true).
    { clear. intros w j Hj Hw. apply eqb_spec, to_Z_inj. rewrite lxor_spec', land_spec'.
      assert (to_Z (1 << of_Z (Z.of_nat j)) = 2 ^ Z.of_nat j)%Z as ->.
      { rewrite lsl_spec, of_Z_spec, to_Z_1, Z.mul_1_l, (Z.mod_small (Z.of_nat j)).
        - apply Z.mod_small. split; [apply Z.pow_nonneg; lia|]. apply Z.pow_lt_mono_r; [lia|unfold size; lia|unfold size; lia].
        - split; [lia|]. unfold wB, size. apply Z.lt_trans with 64%Z; [lia|reflexivity]. }
      rewrite to_Z_0. apply Z.bits_inj'. intros m Hm.
      rewrite Z.lxor_spec, Z.land_spec, Z.bits_0, Z.pow2_bits_eqb by lia.
      destruct (Z.eqb_spec (Z.of_nat j) m) as [<-|]; [now rewrite Hw|reflexivity]. }
    assert (N : forall w, (0 lxor (0 land w) =? 0)%uint63 = true).
    { intros w. apply eqb_spec, to_Z_inj. rewrite lxor_spec', land_spec', to_Z_0. reflexivity. }
    unfold mem in E. unfold single, diff. destruct (Nat.ltb_spec i 32) as [Hlt|Hge]; simpl.
    + split; [now apply Z|apply N].
    + destruct (Nat.ltb_spec i 64); [|lia]. split; [apply N|]. apply Z; [lia|assumption].
  - destruct (has (single i) s) eqn:H; [|reflexivity]. apply (within_spec _ _ i) in H; [congruence|].
    rewrite mem_single by assumption. apply Nat.eqb_refl.
Qed.

Lemma mem_set_of l c : (forall i, In i l -> i < 64) -> (mem (set_of l) c = true <-> In c l).
Proof.
  induction l as [|i l IH]; simpl; intros H.
  - rewrite mem_none. intuition discriminate.
  - rewrite mem_union, mem_single, orb_true_iff, IH, Nat.eqb_eq by auto. intuition.
Qed.

(** From here on only the lemmas above say what sets are. *)
Global Opaque mem none union inter diff is_none within same single set_of has.
