(** Weak duality, target by target: [s l(u, y) >= c u + t] for every output u, where [t = -s l*(c / s)]
    is rounded down to a grid. The dual value is [c = theta * share / z_den]. *)
Require Import Reals ZArith List Bool Lia Lra.
From Hardlim Require Import Statement Sums.
Import ListNotations.
Open Scope Z_scope.

(** * Upper bounds on logarithms *)

(** Numbers are integers times [2^-192]: [ln x <= 2^80 (y - 1)] where y is at least the [2^80]th root of x. *)
Definition one : Z := 2 ^ 192.
Definition root (x : Z) : Z :=
  let v := x * one in
  let r := Z.sqrt v in
  if r * r =? v then r else r + 1.
Fixpoint roots (k : nat) (x : Z) : Z := match k with O => x | S k => roots k (root x) end.
(** [ln (n / d) <= ln_above n d / unit], where [unit = 2^112]. *)
Definition unit : Z := 2 ^ 112.
Definition ln_above (n d : Z) : Z := roots 80 (- (- (n * one) / d)) - one.

(** * Terms *)

Section Atom.
  Variables (l : loss) (kn kd : Z) (yd sd cd grid : Z).
  (** [y = t / yd], [s = s / sd], [c = c / cd] *)
  Variables (t s c : Z).

  (** For labels, [a = -y c]. *)
  Definition against : Z := if t =? yd then - c else c.
  Definition label : bool := (t =? yd) || (t =? - yd).
  (** [c <= (n / d) s] *)
  Definition at_most (c n d : Z) : bool := c * (d * sd) <=? n * s * cd.

  Definition in_domain : bool :=
    if s =? 0 then c =? 0
    else (0 <? s) && match l with
    | Squared => true
    | Absolute => at_most c 1 1 && at_most (- c) 1 1
    | Quantile => at_most c (kd - kn) kd && at_most (- c) kn kd
    | Huber => at_most c kn kd && at_most (- c) kn kd
    | SquaredHinge => label && (0 <=? against)
    | Hinge | Logistic => label && (0 <=? against) && at_most against 1 1
    end.

  (** [-c y] *)
  Definition linear : Z := - (c * t) * grid / (cd * yd).
  (** [-c^2 / (2 s) - c y] *)
  Definition quadratic : Z := - (c * (c * sd * yd + 2 * t * cd * s)) * grid / (2 * cd * cd * s * yd).
  (** [-a ln (a / s) - (s - a) ln (1 - a / s)] *)
  Definition entropy : Z :=
    let a := against * sd in
    let w := s * cd in
    if (a =? 0) || (a =? w) then 0
    else - (a * ln_above a w + (w - a) * ln_above (w - a) w) * grid / (cd * sd * unit).

  Definition term : Z :=
    if s =? 0 then 0 else match l with
    | Absolute | Quantile | Hinge => linear
    | Squared | SquaredHinge | Huber => quadratic
    | Logistic => entropy
    end.
End Atom.

(** * Soundness *)
Open Scope R_scope.
Lemma div_le a b : (0 < b)%Z -> IZR (a / b) <= IZR a / IZR b.
Proof.
  intros H. pose proof (Z.mul_div_le a b H) as D. apply IZR_le in D. rewrite mult_IZR in D.
  apply IZR_lt in H. apply (Rmult_le_reg_l (IZR b)); auto.
  replace (IZR b * (IZR a / IZR b)) with (IZR a) by (field; lra). lra.
Qed.
Lemma ratio_le a b c d : (0 < b)%Z -> (0 < d)%Z -> (a * d <= c * b)%Z -> ratio a b <= ratio c d.
Proof.
  intros Hb Hd H. apply IZR_le in H. rewrite !mult_IZR in H. apply IZR_lt in Hb, Hd. unfold ratio.
  apply (Rmult_le_reg_r (IZR b * IZR d)); [nra|].
  replace (IZR a / IZR b * (IZR b * IZR d)) with (IZR a * IZR d) by (field; lra).
  replace (IZR c / IZR d * (IZR b * IZR d)) with (IZR c * IZR b) by (field; lra). lra.
Qed.
Lemma ln_le_minus x : 0 < x -> ln x <= x - 1.
Proof. intros H. pose proof (exp_ineq1_le (ln x)) as E. rewrite exp_ln in E by auto. lra. Qed.
Lemma ln_mono x y : 0 < x -> x <= y -> ln x <= ln y.
Proof. intros H [L| ->]; [left; apply ln_increasing; auto|right; auto]. Qed.
Lemma unit_pos : (0 < unit)%Z. Proof. reflexivity. Qed.
Lemma one_pos : 0 < IZR one. Proof. apply (IZR_lt 0). reflexivity. Qed.
Lemma root_pos x : (0 < x)%Z -> (0 < root x)%Z /\ (x * one <= root x * root x)%Z.
Proof.
  intros H. assert (V : (0 < x * one)%Z) by (apply Z.mul_pos_pos; [auto|reflexivity]).
  unfold root. set (v := (x * one)%Z) in *. pose proof (Z.sqrt_spec v) as S.
  pose proof (Z.sqrt_nonneg v). set (r := Z.sqrt v) in *. specialize (S ltac:(lia)).
  unfold Z.succ in S. destruct (r * r =? v)%Z eqn:E; [apply Z.eqb_eq in E|]; split; nia.
Qed.
Lemma roots_sound k : forall x, (0 < x)%Z ->
  (0 < roots k x)%Z /\ ln (IZR x / IZR one) <= 2 ^ k * (IZR (roots k x) / IZR one - 1).
Proof.
  pose proof one_pos as O. induction k as [|k IH]; intros x H; simpl.
  - split; [auto|]. rewrite Rmult_1_l. apply ln_le_minus. apply IZR_lt in H. apply Rdiv_lt_0_compat; lra.
  - destruct (root_pos x H) as [P Q]. destruct (IH (root x) P) as [P' L]. split; [auto|].
    apply IZR_lt in H, P. apply IZR_le in Q. rewrite !mult_IZR in Q. set (y := IZR (root x)) in *.
    assert (Y : 0 < y / IZR one) by (apply Rdiv_lt_0_compat; lra).
    enough (ln (IZR x / IZR one) <= 2 * ln (y / IZR one)) by (rewrite Rmult_assoc; lra).
    replace (2 * ln (y / IZR one)) with (ln (y / IZR one * (y / IZR one))) by (rewrite ln_mult by auto; lra).
    apply ln_mono; [apply Rdiv_lt_0_compat; lra|]. apply (Rmult_le_reg_r (IZR one * IZR one)); [nra|].
    replace (IZR x / IZR one * (IZR one * IZR one)) with (IZR x * IZR one) by (field; lra).
    replace (y / IZR one * (y / IZR one) * (IZR one * IZR one)) with (y * y) by (field; lra). lra.
Qed.
Lemma ln_above_sound n d : (0 < n)%Z -> (0 < d)%Z -> ln (IZR n / IZR d) <= IZR (ln_above n d) / IZR unit.
Proof.
  intros Hn Hd. unfold ln_above. set (x := (- (- (n * one) / d))%Z). assert (X : (n * one <= x * d)%Z).
  { unfold x. pose proof (Z.mul_div_le (- (n * one)) d Hd). lia. }
  assert (P : (0 < x)%Z) by (assert (0 < one)%Z by reflexivity; nia).
  destruct (roots_sound 80 x P) as [_ L]. pose proof one_pos as O. apply Rle_trans with (ln (IZR x / IZR one)).
  - apply IZR_lt in Hn, Hd. apply IZR_le in X. rewrite !mult_IZR in X. apply ln_mono; [apply Rdiv_lt_0_compat; lra|].
    apply (Rmult_le_reg_r (IZR d * IZR one)); [nra|].
    replace (IZR n / IZR d * (IZR d * IZR one)) with (IZR n * IZR one) by (field; lra).
    replace (IZR x / IZR one * (IZR d * IZR one)) with (IZR x * IZR d) by (field; lra). lra.
  - eapply Rle_trans; [exact L|]. generalize (roots 80 x). intros v. rewrite minus_IZR.
    assert (E : IZR one = 2 ^ 80 * IZR unit) by (rewrite (pow_IZR 2 80), <- mult_IZR; reflexivity).
    assert (H : 0 < IZR unit) by (apply (IZR_lt 0), unit_pos). assert (G : 0 < 2 ^ 80) by (apply pow_lt; lra).
    revert E H G. generalize (IZR unit) (2 ^ 80) (IZR one) (IZR v).
    intros h g o r E H G. rewrite E. right. field. lra.
Qed.

(** The losses, in real numbers. *)
Lemma fenchel_quadratic s u y c : 0 < s -> c * u + (- (c * c / (2 * s)) - c * y) <= s * ((u - y) ^ 2 / 2).
Proof.
  intros H. assert (E : s * ((u - y) ^ 2 / 2) - (c * u + (- (c * c / (2 * s)) - c * y))
    = s / 2 * ((u - y - c / s) * (u - y - c / s))) by (field; lra).
  assert (0 <= (u - y - c / s) * (u - y - c / s)) by apply Rle_0_sqr. nra.
Qed.
Lemma fenchel_huber s k u y c : 0 < s -> c <= k * s -> - c <= k * s ->
  c * u + (- (c * c / (2 * s)) - c * y) <= s * value Huber k u y.
Proof.
  intros H C1 C2. simpl. destruct (Rle_dec (Rabs (u - y)) k) as [D|D].
  - apply fenchel_quadratic. auto.
  - apply Rnot_le_lt in D. assert (A : forall e v, e <= k * s -> k < v -> - e <= k * s ->
      e * v - e * e / (2 * s) <= s * (k * v - k ^ 2 / 2)).
    { intros e v E V E'. replace (s * (k * v - k ^ 2 / 2) )
        with (e * v - e * e / (2 * s) + (s * k - e) * (v - (k + e / s) / 2)) by (field; lra).
      assert (e / s <= k) by (apply (Rmult_le_reg_r s); auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
      assert (0 <= (s * k - e) * (v - (k + e / s) / 2)) by (apply Rmult_le_pos; lra). lra. }
    unfold Rabs in *. destruct (Rcase_abs (u - y)).
    + specialize (A (- c) (- (u - y))). replace (- c * - c) with (c * c) in A by ring. lra.
    + specialize (A c (u - y)). lra.
Qed.
Lemma fenchel_quantile s k u y c : c <= (1 - k) * s -> - c <= k * s -> c * u + - (c * y) <= s * value Quantile k u y.
Proof.
  intros C1 C2. simpl. unfold Rmax.
  assert (P : forall a b, 0 <= a -> 0 <= b -> 0 <= a * b) by (intros; apply Rmult_le_pos; auto).
  pose proof (P (k * s + c) (y - u)). pose proof (P ((1 - k) * s - c) (u - y)).
  destruct (Rle_dec 0 (y - u)), (Rle_dec 0 (u - y)); try lra. assert (E : u = y) by lra. subst u. lra.
Qed.
Lemma fenchel_absolute s k u y c : c <= s -> - c <= s -> c * u + - (c * y) <= s * value Absolute k u y.
Proof. intros C1 C2. simpl. unfold Rabs. destruct (Rcase_abs (u - y)); nra. Qed.
Lemma fenchel_hinge s k u y c : y * y = 1 -> 0 <= - (y * c) -> - (y * c) <= s ->
  c * u + - (c * y) <= s * value Hinge k u y.
Proof.
  intros Y C1 C2. replace (c * u) with (y * c * (y * u)) by (rewrite <- (Rmult_1_l (c * u)), <- Y; ring).
  simpl. unfold Rmax. destruct (Rle_dec 0 (1 - y * u)); nra.
Qed.
Lemma fenchel_squared_hinge s k u y c : 0 < s -> y * y = 1 -> 0 <= - (y * c) ->
  c * u + (- (c * c / (2 * s)) - c * y) <= s * value SquaredHinge k u y.
Proof.
  intros H Y C. replace (c * u) with (y * c * (y * u)) by (rewrite <- (Rmult_1_l (c * u)), <- Y; ring).
  replace (c * c) with (y * c * (y * c)) by (rewrite <- (Rmult_1_l (c * c)), <- Y; ring).
  set (a := y * c) in *. replace (c * y) with a by (unfold a; ring). simpl. set (v := y * u).
  unfold Rmax. destruct (Rle_dec 0 (1 - v)).
  - pose proof (fenchel_quadratic s v 1 a H). replace ((1 - v) * ((1 - v) * 1)) with ((v - 1) ^ 2) by ring. lra.
  - assert (0 <= a * a / (2 * s)) by (apply Rmult_le_pos; [nra|left; apply Rinv_0_lt_compat; lra]). nra.
Qed.
(** Jensen's inequality for two terms: [a], [s - a] are the parts of [s]. *)
Lemma fenchel_logistic s k u y c : 0 < - (y * c) -> - (y * c) < s -> y * y = 1 -> let a := - (y * c) in
  c * u + - (a * ln (a / s) + (s - a) * ln ((s - a) / s)) <= s * value Logistic k u y.
Proof.
  intros A B Y a. fold a in A, B.
  replace (c * u) with (- a * (y * u)) by (unfold a; rewrite <- (Rmult_1_l (c * u)), <- Y; ring).
  simpl. set (v := y * u). set (M := 1 + exp (- v)). pose proof (exp_pos (- v)) as E.
  assert (P : 0 < a / s) by (apply Rdiv_lt_0_compat; lra).
  assert (Q : 0 < (s - a) / s) by (apply Rdiv_lt_0_compat; lra). assert (M0 : 0 < M) by (unfold M; lra).
  assert (I : forall p e, 0 < p -> 0 < e -> p * (ln e - ln p - ln M) <= e / M - p).
  { intros p e Hp He. replace (ln e - ln p - ln M) with (ln (e / (p * M))).
    - assert (0 < e / (p * M)) by (apply Rdiv_lt_0_compat; nra).
      pose proof (ln_le_minus (e / (p * M)) H). apply (Rmult_le_compat_l p) in H0; [|lra].
      replace (p * (e / (p * M) - 1)) with (e / M - p) in H0 by (field; lra). exact H0.
    - unfold Rdiv. rewrite ln_mult by (auto; apply Rinv_0_lt_compat; nra).
      rewrite ln_Rinv by nra. rewrite ln_mult by lra. ring. }
  pose proof (I (a / s) (exp (- v)) P E) as I1. pose proof (I ((s - a) / s) 1 Q Rlt_0_1) as I2.
  rewrite ln_exp in I1. rewrite ln_1 in I2. assert (S : a / s + (s - a) / s = 1) by (field; lra).
  assert (T : exp (- v) / M + 1 / M = 1) by (unfold M; field; lra).
  assert (F : a / s * (- v - ln (a / s) - ln M) + (s - a) / s * (0 - ln ((s - a) / s) - ln M) <= 0) by lra.
  apply (Rmult_le_compat_l s) in F; [|lra]. rewrite Rmult_0_r in F.
  replace (s * _) with (a * (- v - ln (a / s) - ln M) + (s - a) * (0 - ln ((s - a) / s) - ln M)) in F by (field; lra).
  nra.
Qed.
Lemma fenchel_logistic_end s k u y c : 0 <= s -> c = 0 \/ - (y * c) = s -> y * y = 1 ->
  c * u + 0 <= s * value Logistic k u y.
Proof.
  intros S C Y. simpl. set (v := y * u). pose proof (exp_pos (- v)) as E.
  assert (A : 0 <= ln (1 + exp (- v))) by (rewrite <- ln_1; apply ln_mono; lra).
  assert (B : - v <= ln (1 + exp (- v))) by (rewrite <- (ln_exp (- v)) at 1; apply ln_mono; lra).
  destruct C as [->|C]; [nra|].
  replace (c * u) with (s * - v) by (unfold v; rewrite <- C, <- (Rmult_1_l (c * u)), <- Y; ring). nra.
Qed.

(** The term of a target is right. *)
Section Sound.
  Variables (l : loss) (kn kd yd sd cd grid t s c : Z).
  Hypotheses (Hk : (0 < kd)%Z) (Hy : (0 < yd)%Z) (Hs : (0 < sd)%Z) (Hc : (0 < cd)%Z) (Hg : (0 < grid)%Z).
  Lemma at_most_sound e n d : (0 < d)%Z -> at_most sd cd s e n d = true -> ratio e cd <= ratio n d * ratio s sd.
  Proof.
    intros Hd H. apply Z.leb_le in H. replace (ratio n d * ratio s sd) with (ratio (n * s) (d * sd)).
    - apply ratio_le; auto; nia.
    - unfold ratio. rewrite !mult_IZR. apply IZR_lt in Hd, Hs. field. lra.
  Qed.

  (** What a term rounded down gives. *)
  Lemma down a b x : (0 < b)%Z -> IZR a / IZR b = x * IZR grid -> ratio (a / b) grid <= x.
  Proof.
    intros Hb E. pose proof (div_le a b Hb) as D. rewrite E in D. apply IZR_lt in Hg. unfold ratio.
    apply (Rmult_le_reg_r (IZR grid)); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  Qed.
  Lemma entropy_sound k u y v a w l1 l2 : w = (s * cd)%Z -> (0 < a * sd)%Z -> (0 < w - a * sd)%Z ->
    ln (IZR (a * sd) / IZR w) <= IZR l1 / IZR unit -> ln (IZR (w - a * sd) / IZR w) <= IZR l2 / IZR unit ->
    y * y = 1 -> ratio a cd = - (y * v) ->
    v * u + ratio (- (a * sd * l1 + (w - a * sd) * l2) * grid / (cd * sd * unit)) grid
    <= ratio s sd * value Logistic k u y.
  Proof.
    intros W P1 P2 L1 L2 Y L. assert (W0 : (0 < w)%Z) by lia. pose proof (IZR_lt _ _ unit_pos) as HU.
    pose proof (IZR_lt _ _ Hs) as Rs. pose proof (IZR_lt _ _ Hc) as Rc. pose proof (IZR_lt _ _ Hg) as Rg.
    pose proof (IZR_lt _ _ P1) as R1. pose proof (IZR_lt _ _ P2) as R2. pose proof (IZR_lt _ _ W0) as R0.
    assert (CS : 0 < IZR cd * IZR sd) by nra.
    assert (RA : ratio a cd = IZR (a * sd) / (IZR cd * IZR sd)) by (unfold ratio; rewrite mult_IZR; field; lra).
    assert (RW : ratio s sd = IZR w / (IZR cd * IZR sd)) by (unfold ratio; rewrite W, mult_IZR; field; lra).
    assert (RB : ratio s sd - ratio a cd = IZR (w - a * sd) / (IZR cd * IZR sd))
      by (rewrite RA, RW, minus_IZR; field; lra).
    assert (X1 : ratio a cd / ratio s sd = IZR (a * sd) / IZR w) by (rewrite RA, RW; field; lra).
    assert (X2 : (ratio s sd - ratio a cd) / ratio s sd = IZR (w - a * sd) / IZR w) by (rewrite RB, RW; field; lra).
    assert (Q1 : 0 < ratio a cd) by (rewrite RA; apply Rdiv_lt_0_compat; lra).
    assert (Q2 : 0 < ratio s sd - ratio a cd) by (rewrite RB; apply Rdiv_lt_0_compat; lra).
    pose proof (fenchel_logistic (ratio s sd) k u y v) as F.
    cbv zeta in F. rewrite <- L, X1, X2 in F. specialize (F Q1 ltac:(lra) Y).
    apply (Rmult_le_compat_l (ratio a cd)) in L1; [|lra].
    apply (Rmult_le_compat_l (ratio s sd - ratio a cd)) in L2; [|lra].
    eapply Rle_trans; [apply Rplus_le_compat_l, down with (x := - (ratio a cd * (IZR l1 / IZR unit)
      + (ratio s sd - ratio a cd) * (IZR l2 / IZR unit)))|lra].
    - auto using Z.mul_pos_pos, unit_pos.
    - rewrite RB, RA, mult_IZR, opp_IZR, plus_IZR, !mult_IZR. generalize (IZR (w - a * sd)). intros r.
      revert HU. generalize (IZR unit). intros h HU. field. lra.
  Qed.
  Theorem term_sound : in_domain l kn kd yd sd cd t s c = true -> forall u,
    ratio c cd * u + ratio (term l yd sd cd grid t s c) grid <= ratio s sd * value l (ratio kn kd) u (ratio t yd).
  Proof.
    intros H u. unfold in_domain, term in *. destruct (s =? 0)%Z eqn:S0.
    { apply Z.eqb_eq in S0, H. rewrite S0, H. unfold ratio, Rdiv. lra. }
    apply andb_prop in H as [S H]. apply Z.ltb_lt in S. pose proof (IZR_lt _ _ S) as RS.
    pose proof (IZR_lt _ _ Hk) as Rk. pose proof (IZR_lt _ _ Hy) as Ry. pose proof (IZR_lt _ _ Hs) as Rs.
    pose proof (IZR_lt _ _ Hc) as Rc. pose proof (IZR_lt _ _ Hg) as Rg.
    assert (P : 0 < ratio s sd) by (apply Rdiv_lt_0_compat; auto).
    assert (Lin : ratio (linear yd cd grid t c) grid <= - (ratio c cd * ratio t yd)).
    { apply down; [nia|]. unfold ratio. rewrite mult_IZR, opp_IZR, !mult_IZR. field. lra. }
    assert (Quad : ratio (quadratic yd sd cd grid t s c) grid
      <= - (ratio c cd * ratio c cd / (2 * ratio s sd)) - ratio c cd * ratio t yd).
    { apply down; [repeat apply Z.mul_pos_pos; lia|]. unfold ratio.
      rewrite mult_IZR, opp_IZR, mult_IZR, plus_IZR, !mult_IZR. field. repeat split; lra. }
    assert (Opp : ratio (- c) cd = - ratio c cd) by (unfold ratio; rewrite opp_IZR; field; lra).
    assert (One : ratio 1 1 = 1) by (unfold ratio; field).
    assert (Lab : label yd t = true -> ratio t yd * ratio t yd = 1
      /\ ratio (against yd t c) cd = - (ratio t yd * ratio c cd)).
    { unfold label, against. intros L. destruct (t =? yd)%Z eqn:E.
      - apply Z.eqb_eq in E. rewrite E, Opp. unfold ratio. split; field; lra.
      - apply Z.eqb_eq in L. rewrite L. unfold ratio. rewrite opp_IZR. split; field; lra. }
    assert (Not : (0 <=? against yd t c)%Z = true -> 0 <= ratio (against yd t c) cd).
    { intros A. apply Rmult_le_pos; [apply (IZR_le 0), Z.leb_le, A|left; apply Rinv_0_lt_compat; lra]. }
    set (k := ratio kn kd) in *. set (y := ratio t yd) in *. destruct l; rewrite ?andb_true_iff in H.
    - pose proof (fenchel_quadratic _ u y (ratio c cd) P). simpl in *. lra.
    - destruct H as [A B]. apply at_most_sound in A, B; try lia. rewrite Opp, One in *.
      pose proof (fenchel_absolute (ratio s sd) k u y (ratio c cd)). lra.
    - destruct H as [A B]. apply at_most_sound in A, B; try lia. rewrite Opp in *.
      replace (ratio (kd - kn) kd) with (1 - k) in A by (unfold k, ratio; rewrite minus_IZR; field; lra).
      pose proof (fenchel_quantile (ratio s sd) k u y (ratio c cd)). fold k in B. lra.
    - destruct H as [[L A] B]. apply Lab in L as [Y L]. apply at_most_sound in B; [|lia]. apply Not in A.
      rewrite One, L in *. pose proof (fenchel_hinge (ratio s sd) k u y (ratio c cd) Y). lra.
    - destruct H as [L A]. apply Lab in L as [Y L]. apply Not in A. rewrite L in *.
      pose proof (fenchel_squared_hinge _ k u y (ratio c cd) P Y). lra.
    - destruct H as [A B]. apply at_most_sound in A, B; try lia. rewrite Opp in *.
      pose proof (fenchel_huber _ k u y (ratio c cd) P A B). lra.
    - destruct H as [[L A] B]. apply Lab in L as [Y L]. apply Z.leb_le in A, B.
      unfold entropy. set (a := against yd t c) in *. set (w := (s * cd)%Z).
      destruct ((a * sd =? 0) || (a * sd =? w))%Z eqn:E.
      + replace (ratio 0 grid) with 0 by (unfold ratio, Rdiv; ring). apply fenchel_logistic_end; try lra.
        apply orb_prop in E as [E|E]; apply Z.eqb_eq in E; [left|right].
        * replace (ratio c cd) with (- (y * ratio a cd)) by (rewrite L, <- Ropp_mult_distr_r, <- Rmult_assoc, Y; ring).
          replace a with 0%Z by nia. unfold ratio, Rdiv. ring.
        * rewrite <- L. unfold w in E. apply (f_equal IZR) in E. rewrite !mult_IZR in E. unfold ratio.
          apply (Rmult_eq_reg_r (IZR cd * IZR sd)); [field_simplify; lra|nra].
      + apply orb_false_iff in E as [E1 E2]. apply Z.eqb_neq in E1, E2.
        assert (P1 : (0 < a * sd)%Z) by nia. assert (P2 : (0 < w - a * sd)%Z) by (unfold w in *; nia).
        assert (W0 : (0 < w)%Z) by lia. apply entropy_sound; auto using ln_above_sound.
  Qed.
End Sound.
