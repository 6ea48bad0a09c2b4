(** The checker, and the theorem: what it believes is true. *)
Require Import Reals ZArith List Bool Lia Lra.
From Hardlim Require Import Statement Sums Cones Prefix Duality.
Import ListNotations.
Open Scope Z_scope.

(** * The checker *)

Definition row_z (r : row) : Z := zsum share (atoms r).
Definition points (P : problem) : list point := rmap (fun r => (row_z r, inputs r)) (rows P).

Definition numbers (P : problem) : bool :=
  (0 <? loss_den P) && (0 <? beta_num P) && (0 <? beta_den P) && (0 <? theta_num P)
  && (0 <? theta_den P) && (0 <? bound_den P) && (0 <? y_den P) && (0 <? s_den P) && (0 <? z_den P)
  && (0 <? columns P)%nat.
Definition lengths_right (P : problem) : bool :=
  forallb (fun r => (length (inputs r) =? columns P)%nat) (rows P).

(** Dual values are [theta_num * share / c_den]; terms are rounded down to multiples of [1 / grid]. *)
Definition c_den (P : problem) : Z := theta_den P * z_den P.
Definition fine : Z := 2 ^ 256.
Definition grid (P : problem) : Z := bound_den P * fine.
Definition allowed (P : problem) (a : atom) : bool :=
  in_domain (of_loss P) (loss_num P) (loss_den P) (y_den P) (s_den P) (c_den P)
    (target a) (weight a) (theta_num P * share a).
Definition term_of (P : problem) (a : atom) : Z :=
  term (of_loss P) (y_den P) (s_den P) (c_den P) (grid P) (target a) (weight a) (theta_num P * share a).
Definition all_allowed (P : problem) : bool := forallb (fun r => forallb (allowed P) (atoms r)) (rows P).
Definition bound_reached (P : problem) : bool :=
  bound_num P * fine <=? zsum (fun r => zsum (term_of P) (atoms r)) (rows P).

Definition balanced (P : problem) : bool := negb (output_bias P) || (zsum row_z (rows P) =? 0).

(** The total of every pattern must lie between [low] and [high]. *)
Definition low (P : problem) : Z := - (beta_num P * c_den P / (beta_den P * theta_num P)).
Definition high (P : problem) : Z :=
  if non_negative P then Z.max (- low P) (zsum (fun p => Z.max 0 (fst p)) (points P)) else - low P.
Fixpoint zdot (x w : list Z) : Z := match x, w with a :: x, v :: w => a * v + zdot x w | _, _ => 0 end.
Definition price (P : problem) (trees : option (list bool -> list tree)) : bool :=
  let lo := low P in
  let hi := high P in
  match of_family P, trees with
  | Inputs k, Some ts => bias P && cones lo hi (columns P) k (points P) ts
  | Inputs k, None => (k =? 1)%nat && (if bias P then axes else at_zero) lo hi (columns P) (points P)
  | Corners, None => corners lo hi (columns P) (points P)
  | Complete, None => (lo <=? zsum (fun p => Z.min 0 (fst p)) (points P))
                      && (zsum (fun p => Z.max 0 (fst p)) (points P) <=? hi)
  | Dictionary list, None =>
      forallb (fun n => inside lo hi (total (fun x => 0 <=? zdot x (fst n) + snd n) (points P))) list
  | _, Some _ => false
  end.

Inductive verdict :=
| Believed | BadNumbers | BadRow | OutsideTheDomain | BoundNotReached | NotBalanced | PriceTooHigh.
Definition check (P : problem) (trees : option (list bool -> list tree)) : verdict :=
  if negb (numbers P) then BadNumbers
  else if negb (lengths_right P) then BadRow
  else if negb (all_allowed P) then OutsideTheDomain
  else if negb (bound_reached P) then BoundNotReached
  else if negb (balanced P) then NotBalanced
  else if negb (price P trees) then PriceTooHigh
  else Believed.

(** * Soundness *)
Open Scope R_scope.
Lemma sum_le {A} (f g : A -> R) l : (forall a, In a l -> f a <= g a) -> sum f l <= sum g l.
Proof. induction l as [|a l IH]; simpl; intros H; [lra|]. apply Rplus_le_compat; auto. Qed.
Lemma sum_eq {A} (f g : A -> R) l : (forall a, In a l -> f a = g a) -> sum f l = sum g l.
Proof. intros H. apply Rle_antisym; apply sum_le; intros a I; rewrite H by auto; lra. Qed.
Lemma sum_add {A} (f g : A -> R) l : sum (fun a => f a + g a) l = sum f l + sum g l.
Proof. induction l as [|a l IH]; simpl; [|rewrite IH]; lra. Qed.
Lemma sum_scale {A} k (f : A -> R) l : sum (fun a => k * f a) l = k * sum f l.
Proof. induction l as [|a l IH]; simpl; [|rewrite IH]; lra. Qed.
Lemma sum_zsum {A} (f : A -> Z) l : IZR (zsum f l) = sum (fun a => IZR (f a)) l.
Proof. induction l as [|a l IH]; [reflexivity|]. rewrite zsum_cons, plus_IZR, IH. reflexivity. Qed.
Lemma ratio_scale a d : ratio a d = / IZR d * IZR a.
Proof. unfold ratio, Rdiv. ring. Qed.
Lemma dot_map_IZR x : forall w, dot x (map IZR w) = IZR (zdot x w).
Proof. induction x as [|a x IH]; intros [|v w]; simpl; auto. rewrite IH, plus_IZR, mult_IZR. auto. Qed.

Section Soundness.
  Variables (P : problem) (trees : option (list bool -> list tree)).
  Hypotheses (HN : numbers P = true) (HL : lengths_right P = true) (HA : all_allowed P = true)
    (HB : bound_reached P = true) (HO : balanced P = true) (HP : price P trees = true).
  Lemma positive : (0 < loss_den P /\ 0 < beta_num P /\ 0 < beta_den P /\ 0 < theta_num P
    /\ 0 < theta_den P /\ 0 < bound_den P /\ 0 < y_den P /\ 0 < s_den P /\ 0 < z_den P)%Z /\ (0 < columns P)%nat.
  Proof.
    pose proof HN as H. unfold numbers in H. rewrite !andb_true_iff, !Z.ltb_lt, Nat.ltb_lt in H. tauto.
  Qed.
  Lemma c_den_pos : (0 < c_den P)%Z.
  Proof. pose proof positive. unfold c_den. apply Z.mul_pos_pos; tauto. Qed.
  Lemma grid_pos : (0 < grid P)%Z.
  Proof. pose proof positive. unfold grid. apply Z.mul_pos_pos; [tauto|reflexivity]. Qed.

  (** The total of a pattern over the table. *)
  Definition totals (p : pattern) : R := sum (fun r => IZR (row_z r) * bit (p (inputs r))) (rows P).
  Lemma totals_total p : totals p = IZR (total p (points P)).
  Proof.
    unfold totals, total, points. rewrite zsum_rmap, sum_zsum. apply sum_eq. intros r _. simpl.
    destruct (p (inputs r)); simpl; lra.
  Qed.
  Lemma price_sound p : member (bias P) (columns P) (of_family P) p -> (low P <= total p (points P) <= high P)%Z.
  Proof.
    intros M. pose proof positive as [_ Hd]. pose proof HP as H. unfold price in H.
    assert (L : lengths (columns P) (points P)).
    { pose proof HL as L. unfold lengths_right in L. rewrite forallb_forall in L.
      intros q I. apply in_rmap in I as (r & <- & I). apply Nat.eqb_eq, L, I. }
    destruct (of_family P) as [k| | |list], trees as [ts|]; simpl in M; try discriminate.
    - apply andb_prop in H as [B H]. rewrite B in M. apply (cones_sound _ _ _ _ _ _ _ H); auto.
      apply Forall_forall. exact L.
    - apply andb_prop in H as [K H]. apply Nat.eqb_eq in K. subst k. destruct (bias P).
      + eapply axes_sound; eauto.
      + eapply at_zero_sound; eauto.
    - eapply (corners_sound _ _ _ _ _ (bias P)); eauto.
    - apply andb_prop in H as [H1 H2]. apply Z.leb_le in H1, H2. split;
        (eapply Z.le_trans; [eassumption || apply zsum_le|eassumption || apply zsum_le]);
        intros q _; destruct (p (snd q)); lia.
    - destruct M as (w & b & I & E). rewrite forallb_forall in H. specialize (H _ I).
      apply inside_true in H. simpl in H. unfold total in *. erewrite zsum_ext; [exact H|].
      intros q _. rewrite E, dot_map_IZR, <- plus_IZR.
      replace (nonneg _) with (0 <=? zdot (snd q) w + b)%Z; auto. symmetry. destruct (_ <=? _)%Z eqn:C.
      + apply nonneg_true, IZR_le, Z.leb_le, C.
      + apply nonneg_false, IZR_lt, Z.leb_gt, C.
  Qed.

  (** The scale of totals: [theta z / z_den]. *)
  Definition scale : R := ratio (theta_num P) (c_den P).
  Lemma scale_pos : 0 < scale.
  Proof. pose proof positive as H. apply Rdiv_lt_0_compat; apply (IZR_lt 0); [tauto|apply c_den_pos]. Qed.
  Lemma low_beta : - ratio (beta_num P) (beta_den P) <= scale * IZR (low P).
  Proof.
    pose proof positive as ((_ & H0 & H1 & H2 & _) & _). pose proof c_den_pos as H3. unfold low. rewrite opp_IZR.
    assert (D : IZR (beta_num P * c_den P / (beta_den P * theta_num P))
      <= IZR (beta_num P * c_den P) / IZR (beta_den P * theta_num P)) by (apply div_le; nia).
    apply (Rmult_le_compat_l scale) in D; [|left; apply scale_pos].
    replace (scale * (IZR (beta_num P * c_den P) / IZR (beta_den P * theta_num P)))
      with (ratio (beta_num P) (beta_den P)) in D; [lra|].
    unfold scale, ratio. rewrite !mult_IZR. apply IZR_lt in H1, H2, H3. field. lra.
  Qed.
  Lemma neuron_pays a p : member (bias P) (columns P) (of_family P) p -> (non_negative P = true -> 0 <= a) ->
    - (ratio (beta_num P) (beta_den P) * Rabs a) <= scale * (a * totals p).
  Proof.
    intros M S. destruct (price_sound p M) as [L H]. rewrite totals_total. unfold high in H.
    apply IZR_le in L. pose proof low_beta as B. pose proof scale_pos as K. pose proof (Rabs_pos a) as A.
    assert (N : - Rabs a * - IZR (low P) <= a * IZR (total p (points P))).
    { unfold Rabs in *. destruct (Rcase_abs a) as [Ha|Ha].
      - destruct (non_negative P); [specialize (S eq_refl); lra|]. apply IZR_le in H. rewrite opp_IZR in H. nra.
      - nra. }
    apply (Rmult_le_compat_l scale) in N; [|lra]. nra.
  Qed.

  (** What the outputs have to do with z. *)
  Lemma through f : belongs P f -> - (ratio (beta_num P) (beta_den P) * sum (fun n => Rabs (fst n)) (neurons f))
    <= scale * sum (fun r => IZR (row_z r) * output f (inputs r)) (rows P).
  Proof.
    intros [Off Mem]. unfold output. rewrite (sum_eq _ (fun r => offset f * IZR (row_z r) + IZR (row_z r)
      * sum (fun n => fst n * bit (snd n (inputs r))) (neurons f))) by (intros; ring).
    rewrite sum_add, sum_scale, <- sum_zsum. replace (offset f * IZR (zsum row_z (rows P))) with 0.
    2:{ pose proof HO as O. unfold balanced in O. apply orb_prop in O as [O|O].
        - rewrite Off; [ring|]. apply negb_true_iff. auto.
        - apply Z.eqb_eq in O. rewrite O. ring. }
    induction (neurons f) as [|[a p] ns IH]; simpl.
    - rewrite (sum_eq _ (fun r => 0 * IZR (row_z r))) by (intros; ring). rewrite sum_scale. lra.
    - destruct (Mem a p) as [M S]; [simpl; auto|]. pose proof (neuron_pays a p M S) as N.
      specialize (IH (fun b q I => Mem b q (or_intror I))).
      rewrite (sum_eq _ (fun r => a * (IZR (row_z r) * bit (p (inputs r))) + IZR (row_z r)
        * sum (fun n => fst n * bit (snd n (inputs r))) ns)) by (intros; ring).
      rewrite sum_add, sum_scale. fold (totals p). lra.
  Qed.

  (** The loss of a row, from below. *)
  Lemma row_below r u : In r (rows P) ->
    scale * (IZR (row_z r) * u) + / IZR (grid P) * IZR (zsum (term_of P) (atoms r))
    <= sum (fun a => ratio (weight a) (s_den P)
         * value (of_loss P) (ratio (loss_num P) (loss_den P)) u (ratio (target a) (y_den P))) (atoms r).
  Proof.
    intros I. pose proof HA as A. unfold all_allowed in A. rewrite forallb_forall in A.
    specialize (A r I). rewrite forallb_forall in A. pose proof positive as H. unfold row_z. rewrite !sum_zsum.
    replace (scale * (sum (fun a => IZR (share a)) (atoms r) * u))
      with (scale * u * sum (fun a => IZR (share a)) (atoms r)) by ring.
    rewrite <- !sum_scale, <- sum_add. apply sum_le. intros a J.
    replace (scale * u * IZR (share a)) with (ratio (theta_num P * share a) (c_den P) * u).
    - rewrite <- ratio_scale. apply term_sound; try tauto; auto using c_den_pos, grid_pos. apply A. exact J.
    - unfold scale, ratio, Rdiv. rewrite mult_IZR. ring.
  Qed.
  Lemma bound_below : bound P <= / IZR (grid P) * IZR (zsum (fun r => zsum (term_of P) (atoms r)) (rows P)).
  Proof.
    pose proof HB as B. apply Z.leb_le, IZR_le in B. rewrite mult_IZR in B. pose proof positive as H.
    pose proof grid_pos as G. apply IZR_lt in G. unfold bound, grid in *. rewrite mult_IZR in *.
    assert (D : 0 < IZR (bound_den P)) by (apply (IZR_lt 0); tauto).
    assert (E : 0 < IZR fine) by (apply (IZR_lt 0); reflexivity).
    apply (Rmult_le_compat_l (/ (IZR (bound_den P) * IZR fine))) in B; [|left; apply Rinv_0_lt_compat; auto].
    eapply Rle_trans; [|exact B]. right. unfold ratio. revert E. generalize (IZR fine). intros e E. field. lra.
  Qed.
  Lemma sound f : belongs P f -> bound P <= objective P f.
  Proof.
    intros F. pose proof (through f F) as T. pose proof bound_below as B. unfold objective.
    rewrite sum_zsum, <- !sum_scale in *.
    assert (R : sum (fun r => scale * (IZR (row_z r) * output f (inputs r))) (rows P)
      + sum (fun r => / IZR (grid P) * IZR (zsum (term_of P) (atoms r))) (rows P)
      <= sum (fun r => sum (fun a => ratio (weight a) (s_den P) * value (of_loss P)
           (ratio (loss_num P) (loss_den P)) (output f (inputs r)) (ratio (target a) (y_den P)))
         (atoms r)) (rows P)).
    { rewrite <- sum_add. apply sum_le. intros r I. apply row_below. exact I. } lra.
  Qed.
End Soundness.

(** If the checker believes a proof, no network of the class is below the bound, whatever its
    number of neurons. *)
Theorem no_network_is_below : forall (P : problem) (trees : option (list bool -> list tree)),
  check P trees = Believed -> forall f : network, belongs P f -> bound P <= objective P f.
Proof.
  intros P trees H f F. unfold check in H. repeat match type of H with
  | (if negb ?b then _ else _) = _ => destruct b eqn:?; simpl in H; try discriminate end. apply (sound P trees); auto.
Qed.
