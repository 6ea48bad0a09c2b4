(** The price of neurons of few inputs: trees that split the space of their weights.

    A row's point is its z and its products with the generators of a cone. Weights in the cone are
    [mu], numbers that are not negative; the row is on when the sum of products times [mu] is. *)
Require Import Reals ZArith List Bool Lia Lra Permutation.
From Hardlim Require Import Statement Sums.
Import ListNotations.
Open Scope Z_scope.

(** [Split k l p q g]: the generator [(p v_k + q v_l) / g] takes the place of [v_k], then of [v_l]. *)
Inductive tree := Leaf | Split (k l : nat) (p q g : Z) (first second : tree).

Fixpoint set {A} (k : nat) (v : A) (x : list A) : list A :=
  match x, k with [], _ => [] | _ :: x, O => v :: x | a :: x, S k => a :: set k v x end.

(** The sum of z of rows that are on in the whole cone, and the rows that may be on or off. *)
Record state := State { on : Z; open : list point }.
Definition add (s : state) (p : point) : state :=
  if forallb (Z.leb 0) (snd p) then State (on s + fst p) (open s)
  else if forallb (Z.geb 0) (snd p) then s
  else State (on s) (p :: open s).

Definition product (k l : nat) (p q : Z) (x : list Z) : Z := p * nth k x 0 + q * nth l x 0.
Definition quotient (v g : Z) : Z := if g =? 1 then v else v / g.
Definition split (k l : nat) (p q g : Z) (acc : bool * (state * state)) (r : point)
  : bool * (state * state) :=
  let '(exact, (s1, s2)) := acc in
  let '(z, x) := r in
  let v := product k l p q x in
  let m := quotient v g in
  (exact && (m * g =? v), (add s1 (z, set k m x), add s2 (z, set l m x))).

(** Every total of the cone lies between [lo] and [hi]. *)
Fixpoint bounded (lo hi : Z) (r : nat) (s : state) (t : tree) : bool :=
  match t with
  | Leaf => (lo <=? on s + zsum (fun p => Z.min 0 (fst p)) (open s))
            && (on s + zsum (fun p => Z.max 0 (fst p)) (open s) <=? hi)
  | Split k l p q g first second =>
      (k <? r)%nat && (l <? r)%nat && negb (k =? l)%nat && (0 <? p) && (0 <? q) && (0 <? g) &&
      let '(exact, (s1, s2)) :=
        fold_left (split k l p q g) (open s) (true, (State (on s) [], State (on s) [])) in
      exact && bounded lo hi r s1 first && bounded lo hi r s2 second
  end.

(** The whole space is the union of the orthants. The sign of the first weight changes fastest. *)
Fixpoint signs (r : nat) : list (list bool) :=
  match r with
  | O => [[]]
  | S r => flat_map (fun s => [true :: s; false :: s]) (signs r)
  end.
Fixpoint flip (s : list bool) (x : list Z) : list Z :=
  match s, x with b :: s, a :: x => (if b : bool then a else - a) :: flip s x | _, _ => [] end.
Definition root (points : list point) (s : list bool) : state :=
  fold_left (fun st p => add st (fst p, flip s (snd p))) points (State 0 []).
Fixpoint orthants (lo hi : Z) (r : nat) (points : list point) (ss : list (list bool))
  (ts : list tree) : bool :=
  match ss, ts with
  | [], [] => true
  | s :: ss, t :: ts => bounded lo hi r (root points s) t && orthants lo hi r points ss ts
  | _, _ => false
  end.

(** The choices of [k] of [d] columns, in lexicographic order. *)
Fixpoint masks (d k : nat) : list (list bool) :=
  match d with
  | O => [[]]
  | S d => match k with O => [] | S k => map (cons true) (masks d k) end
           ++ if (k <=? d)%nat then map (cons false) (masks d k) else []
  end.
Fixpoint project {A} (m : list bool) (x : list A) : list A :=
  match m, x with
  | true :: m, a :: x => a :: project m x
  | false :: m, _ :: x => project m x
  | _, _ => []
  end.
Definition key (m : list bool) (x : list Z) : list Z := project m x ++ [1].
Definition choice (lo hi : Z) (points : list point) (ts : list bool -> list tree) (m : list bool) :=
  let r := length (key m (map (fun _ => 0) m)) in
  orthants lo hi r (merged (rmap (fun p => (fst p, key m (snd p))) points)) (signs r) (ts m).
Definition cones (lo hi : Z) (d k : nat) (points : list point) (ts : list bool -> list tree) : bool :=
  forallb (choice lo hi points ts) (masks d k).

(** * Soundness of a tree *)
Open Scope R_scope.
Definition fires (mu : list R) (x : list Z) : bool := nonneg (dot x mu).
(** Where weights are real, rows of the cone's length with a product that is not zero. *)
Definition clear (mu : list R) (p : point) : Prop :=
  length (snd p) = length mu /\ dot (snd p) mu <> 0.
Lemma nonneg_true t : nonneg t = true <-> 0 <= t.
Proof. unfold nonneg. destruct (Rle_dec 0 t); intuition; discriminate. Qed.
Lemma nonneg_false t : nonneg t = false <-> t < 0.
Proof. unfold nonneg. destruct (Rle_dec 0 t); intuition; try discriminate; lra. Qed.
Lemma dot_nonneg mu : Forall (Rle 0) mu -> forall x, forallb (Z.leb 0) x = true -> 0 <= dot x mu.
Proof.
  induction 1 as [|v mu Hv _ IH]; intros [|a x] H; simpl in *; try lra.
  apply andb_prop in H as [H1 H2]. apply Z.leb_le, IZR_le in H1. specialize (IH x H2). nra.
Qed.
Lemma dot_nonpos mu : Forall (Rle 0) mu -> forall x, forallb (Z.geb 0) x = true -> dot x mu <= 0.
Proof.
  induction 1 as [|v mu Hv _ IH]; intros [|a x] H; simpl in *; try lra.
  apply andb_prop in H as [H1 H2]. apply Z.geb_le, IZR_le in H1. specialize (IH x H2). nra.
Qed.
Definition whole (mu : list R) (s : state) : Z := (on s + total (fires mu) (open s))%Z.
Lemma total_cons f p l : total f (p :: l) = ((if f (snd p) then fst p else 0) + total f l)%Z.
Proof. apply zsum_cons. Qed.
Lemma add_whole mu s p : Forall (Rle 0) mu -> clear mu p ->
  whole mu (add s p) = (whole mu s + if fires mu (snd p) then fst p else 0)%Z.
Proof.
  intros Hm [_ Hp]. unfold whole, add. destruct (forallb (Z.leb 0) (snd p)) eqn:E.
  - apply (dot_nonneg mu Hm), nonneg_true in E. unfold fires. rewrite E. simpl. lia.
  - destruct (forallb (Z.geb 0) (snd p)) eqn:F; simpl.
    + apply (dot_nonpos mu Hm) in F. unfold fires.
      replace (nonneg _) with false; [lia|]. symmetry. apply nonneg_false. lra.
    + rewrite total_cons. lia.
Qed.
Lemma add_clear mu s p : clear mu p -> Forall (clear mu) (open s) -> Forall (clear mu) (open (add s p)).
Proof. intros. unfold add. destruct (forallb _ _); auto. destruct (forallb _ _); simpl; auto. Qed.
Lemma whole_empty mu nu s : (whole nu (State (on s) []) + total (fires mu) (open s))%Z = whole mu s.
Proof. unfold whole, total at 1. simpl. rewrite zsum_nil. lia. Qed.

(** Adding all points of a list that was changed in a way that keeps products. *)
Lemma adds mu nu (h : point -> list Z) : Forall (Rle 0) nu -> forall l s,
  (forall p, In p l -> clear nu (fst p, h p) /\ dot (h p) nu = dot (snd p) mu) -> Forall (clear nu) (open s) ->
  let s' := fold_left (fun s p => add s (fst p, h p)) l s in
  whole nu s' = (whole nu s + total (fires mu) l)%Z /\ Forall (clear nu) (open s').
Proof.
  intros Hn. induction l as [|p l IH]; intros s H Hs; simpl.
  - unfold total. rewrite zsum_nil. split; [lia|auto].
  - destruct (H p) as [Hc Hd]; [simpl; auto|].
    destruct (IH (add s (fst p, h p))) as [IH1 IH2]; auto using add_clear with datatypes.
    rewrite IH1, add_whole, total_cons by auto. unfold fires. simpl. rewrite Hd. split; [lia|auto].
Qed.
Lemma split_fold k l p q g rows : forall e s1 s2, fold_left (split k l p q g) rows (e, (s1, s2)) =
  let m := fun r : point => quotient (product k l p q (snd r)) g in
  (e && forallb (fun r => (m r * g =? product k l p q (snd r))%Z) rows,
    (fold_left (fun s r => add s (fst r, set k (m r) (snd r))) rows s1,
     fold_left (fun s r => add s (fst r, set l (m r) (snd r))) rows s2)).
Proof.
  induction rows as [|[z x] rows IH]; intros e s1 s2; simpl; [rewrite andb_true_r; auto|].
  rewrite IH. simpl. rewrite andb_assoc. reflexivity.
Qed.
Lemma set_length {A} k (v : A) x : length (set k v x) = length x.
Proof. revert k. induction x as [|a x IH]; intros [|k]; simpl; auto. Qed.
Lemma nth_set {A} k l (v d : A) x : k <> l -> nth k (set l v x) d = nth k x d.
Proof. revert k l. induction x as [|a x IH]; intros [|k] [|l] H; simpl; auto; lia. Qed.
Lemma set_nonneg k v mu : 0 <= v -> Forall (Rle 0) mu -> Forall (Rle 0) (set k v mu).
Proof. intros Hv H. revert k. induction H; intros [|k]; simpl; auto. Qed.
Lemma nth_nonneg k mu : Forall (Rle 0) mu -> 0 <= nth k mu 0.
Proof. intros H. revert k. induction H; intros [|k]; simpl; auto; lra. Qed.
Lemma dot_set k m v : forall x mu, length x = length mu -> (k < length mu)%nat ->
  dot (set k m x) (set k v mu) = dot x mu - IZR (nth k x 0%Z) * nth k mu 0 + IZR m * v.
Proof. induction k as [|k IH]; intros [|a x] [|u mu] H1 H2; simpl in *; try lia; [lra|]. rewrite IH by lia. lra. Qed.
Lemma dot_set_r k v : forall x mu, length x = length mu -> (k < length mu)%nat ->
  dot x (set k v mu) = dot x mu + IZR (nth k x 0%Z) * (v - nth k mu 0).
Proof. induction k as [|k IH]; intros [|a x] [|u mu] H1 H2; simpl in *; try lia; [lra|]. rewrite IH by lia. lra. Qed.

(** One half of a split cone: weights whose share of [v_l] is the larger one. *)
Definition move (k l : nat) (p q g : Z) (mu : list R) : list R :=
  set k (nth k mu 0 * IZR g / IZR p) (set l (nth l mu 0 - nth k mu 0 * IZR q / IZR p) mu).
Lemma move_length k l p q g mu : length (move k l p q g mu) = length mu.
Proof. unfold move. rewrite !set_length. reflexivity. Qed.
Lemma move_nonneg k l p q g mu : (0 < p)%Z -> (0 < g)%Z -> Forall (Rle 0) mu ->
  nth k mu 0 * IZR q <= nth l mu 0 * IZR p -> Forall (Rle 0) (move k l p q g mu).
Proof.
  intros Hp Hg Hm H. apply IZR_lt in Hp, Hg. pose proof (nth_nonneg k mu Hm). repeat apply set_nonneg; auto.
  - unfold Rdiv. apply Rmult_le_pos; [nra|]. left. apply Rinv_0_lt_compat. auto.
  - apply (Rmult_le_compat_r (/ IZR p)) in H; [|left; apply Rinv_0_lt_compat; auto].
    assert (E : nth l mu 0 * IZR p * / IZR p = nth l mu 0) by (field; lra). unfold Rdiv. lra.
Qed.
Lemma move_dot k l p q g mu x m : (0 < p)%Z -> k <> l -> (k < length mu)%nat -> (l < length mu)%nat ->
  length x = length mu -> (m * g = product k l p q x)%Z -> dot (set k m x) (move k l p q g mu) = dot x mu.
Proof.
  intros Hp Hkl Hk Hl Hx Hm. apply IZR_lt in Hp. unfold move.
  rewrite dot_set by (rewrite ?set_length; auto). rewrite dot_set_r by auto.
  rewrite nth_set by auto. apply (f_equal IZR) in Hm. unfold product in Hm. rewrite plus_IZR, !mult_IZR in Hm.
  replace (IZR m * (nth k mu 0 * IZR g / IZR p)) with (IZR m * IZR g * nth k mu 0 / IZR p) by (field; lra).
  rewrite Hm. field. lra.
Qed.
Theorem bounded_sound lo hi : forall t s mu, bounded lo hi (length mu) s t = true ->
  Forall (Rle 0) mu -> Forall (clear mu) (open s) -> (lo <= whole mu s <= hi)%Z.
Proof.
  induction t as [|k l p q g t1 IH1 t2 IH2]; intros s mu H Hm Hs; simpl in H.
  - apply andb_prop in H as [H1 H2]. apply Z.leb_le in H1, H2. unfold whole.
    assert (A : (zsum (fun p => Z.min 0 (fst p)) (open s) <= total (fires mu) (open s))%Z).
    { apply zsum_le. intros p _. destruct (fires mu (snd p)); lia. }
    assert (B : (total (fires mu) (open s) <= zsum (fun p => Z.max 0 (fst p)) (open s))%Z).
    { apply zsum_le. intros p _. destruct (fires mu (snd p)); lia. } lia.
  - rewrite split_fold in H. simpl in H. repeat (apply andb_prop in H as [H ?]). repeat match goal with
    | E : (_ <? _)%nat = true |- _ => apply Nat.ltb_lt in E | E : (_ <? _)%Z = true |- _ => apply Z.ltb_lt in E
    | E : negb _ = true |- _ => apply negb_true_iff, Nat.eqb_neq in E
    | E : forallb (fun r => (_ =? _)%Z) _ = true |- _ => rewrite forallb_forall in E; rename E into X
    | E : (_ && _)%bool = true |- _ => apply andb_prop in E as [? ?] end.
    rewrite Forall_forall in Hs. set (m := fun r : point => quotient (product k l p q (snd r)) g) in *.
    assert (E : forall r, In r (open s) -> (m r * g = product k l p q (snd r))%Z)
      by (intros r I; apply Z.eqb_eq, X, I).
    (* the child where the i-th generator was replaced, if its weights nu are not negative *)
    assert (Child : forall i nu, length nu = length mu -> Forall (Rle 0) nu ->
      (forall r, In r (open s) -> dot (set i (m r) (snd r)) nu = dot (snd r) mu) ->
      let s' := fold_left (fun s r => add s (fst r, set i (m r) (snd r))) (open s) (State (on s) []) in
      whole nu s' = whole mu s /\ Forall (clear nu) (open s')).
    { intros i nu L N D. rewrite <- (whole_empty mu nu s).
      apply (adds mu nu (fun r => set i (m r) (snd r))); simpl; auto.
      intros r I. destruct (Hs r I). unfold clear. simpl. rewrite D, set_length, L by auto. auto. }
    destruct (Rle_dec (nth k mu 0 * IZR q) (nth l mu 0 * IZR p)) as [C|C].
    + destruct (Child k (move k l p q g mu)) as [W O]; [apply move_length|apply move_nonneg; auto| |].
      { intros r I. destruct (Hs r I). apply move_dot; auto. }
      rewrite <- W. apply IH1; [rewrite move_length|apply move_nonneg|]; auto.
    + assert (N : Forall (Rle 0) (move l k q p g mu)) by (apply move_nonneg; auto; lra).
      destruct (Child l (move l k q p g mu)) as [W O]; [apply move_length|exact N| |].
      { intros r I. destruct (Hs r I). apply move_dot; auto. rewrite E by auto. unfold product. lia. }
      rewrite <- W. apply IH2; [rewrite move_length|exact N|]; auto.
Qed.

(** * Soundness of all orthants, and of all choices of columns *)
Lemma orthant (w : list R) : exists s, In s (signs (length w)) /\ forall x, dot (flip s x) (map Rabs w) = dot x w
     /\ (length x = length w -> length (flip s x) = length w).
Proof.
  induction w as [|v w (s & Hs & H)]; simpl.
  - exists []. split; [auto|]. intros [|a x]; simpl; auto; split; auto; discriminate.
  - exists ((if Rle_dec 0 v then true else false) :: s). split.
    + apply in_flat_map. exists s. destruct (Rle_dec 0 v); simpl; auto.
    + intros [|a x]; simpl; [split; [auto|discriminate]|]. destruct (H x) as [D L]. rewrite D.
      split; [|intros E; injection E as E; auto].
      destruct (Rle_dec 0 v); [rewrite Rabs_pos_eq|rewrite Rabs_left, opp_IZR]; lra.
Qed.
Lemma orthants_tree lo hi r points s : forall ss ts, orthants lo hi r points ss ts = true ->
  In s ss -> exists t, bounded lo hi r (root points s) t = true.
Proof.
  induction ss as [|s' ss IH]; intros [|t ts] H I; simpl in *; try discriminate; [tauto|].
  apply andb_prop in H as [H1 H2]. destruct I as [->|I]; eauto.
Qed.
Lemma orthants_sound lo hi points w ts : Forall (clear w) points ->
  orthants lo hi (length w) points (signs (length w)) ts = true -> (lo <= total (fires w) points <= hi)%Z.
Proof.
  intros Hp H. destruct (orthant w) as (s & Hs & D). destruct (orthants_tree _ _ _ _ s _ _ H Hs) as [t C].
  assert (N : Forall (Rle 0) (map Rabs w)).
  { apply Forall_map, Forall_forall. intros v _. apply Rabs_pos. } rewrite Forall_forall in Hp.
  destruct (adds w (map Rabs w) (fun p => flip s (snd p)) N points (State 0 [])) as [A B].
  { intros p I. destruct (Hp p I) as [L Z]. destruct (D (snd p)) as [D1 D2].
    unfold clear. simpl. rewrite D1, map_length. auto. }
  { simpl. auto. } rewrite <- (map_length Rabs w) in C. apply bounded_sound in C; auto.
  unfold root in C. rewrite A in C. exact C.
Qed.
Definition nonzeros (w : list R) : nat := length (filter (fun v => negb (is_zero v)) w).
Lemma masks_length m : forall d k, In m (masks d k) -> length m = d.
Proof.
  induction m as [|b m IH]; intros [|d] k H; simpl in H; auto; try (intuition discriminate);
    apply in_app_or in H as [H|H]; destruct k as [|k]; try destruct (_ <=? _)%nat;
    try (apply in_map_iff in H as (? & E & I); discriminate || (injection E as; subst; simpl; eauto));
    simpl in H; tauto.
Qed.
Lemma filter_short {A} (f : A -> bool) l : (length (filter f l) <= length l)%nat.
Proof. induction l as [|a l IH]; simpl; [|destruct (f a); simpl]; lia. Qed.
(** What [masks_cover] says of weights, at the first of them. *)
Definition covers (d k : nat) (w : list R) : Prop := exists m, In m (masks d k)
  /\ forall x, length x = length w -> dot (project m x) (project m w) = dot x w.
Lemma take d k v w : covers d k w -> covers (S d) (S k) (v :: w).
Proof.
  intros (m & I & D). exists (true :: m). split; [apply in_or_app; left; apply in_map; auto|].
  intros [|a x] E; simpl in *; try discriminate. rewrite D; auto.
Qed.
Lemma skip d k w : (k <= d)%nat -> covers d k w -> covers (S d) k (0 :: w).
Proof.
  intros K (m & I & D). apply Nat.leb_le in K. exists (false :: m). split.
  - simpl. rewrite K. apply in_or_app. right. apply in_map. auto.
  - intros [|a x] E; simpl in *; try discriminate. rewrite D by lia. lra.
Qed.
Lemma masks_cover w : forall k, (nonzeros w <= k)%nat -> covers (length w) k w.
Proof.
  unfold nonzeros. induction w as [|v w IH]; intros k H; simpl in *.
  - exists []. split; [simpl; auto|]. intros [|a x] E; auto; discriminate.
  - pose proof (filter_short (fun v => negb (is_zero v)) w) as F.
    unfold is_zero in H at 1. destruct (Req_EM_T v 0) as [->|V]; simpl in H.
    + destruct (Nat.le_gt_cases k (length w)); [apply skip; auto|]. destruct k; [|apply take, IH]; lia.
    + destruct k; [|apply take, IH]; lia.
Qed.

(** A bias can be raised a little such that no row is zero and no answer changes. *)
Lemma raise (l : list R) : exists e, 0 < e /\ forall t, In t l -> nonneg (t + e) = nonneg t /\ t + e <> 0.
Proof.
  enough (H : exists e, 0 < e /\ forall t, In t l -> 0 <= t \/ t + e < 0).
  { destruct H as (e & He & H). exists e. split; auto. intros t I. destruct (H t I) as [A|A].
    - split; [|lra]. rewrite (proj2 (nonneg_true t)), (proj2 (nonneg_true _)); auto; lra.
    - split; [|lra]. rewrite (proj2 (nonneg_false t)), (proj2 (nonneg_false _)); auto; lra. }
  induction l as [|t l (e & He & H)]; [exists 1; simpl; split; [lra|tauto]|]. destruct (Rle_dec 0 t) as [T|T].
  - exists e. split; auto. intros s [<-|I]; auto.
  - exists (Rmin e (- t / 2)). pose proof (Rmin_l e (- t / 2)). pose proof (Rmin_r e (- t / 2)).
    split; [apply Rmin_glb_lt; lra|]. intros s [<-|I]; [right; lra|]. destruct (H s I); [auto|right; lra].
Qed.
Lemma dot_app x : forall w a b, length x = length w -> dot (x ++ [a]) (w ++ [b]) = dot x w + IZR a * b.
Proof. induction x as [|c x IH]; intros [|v w] a b H; simpl in *; try discriminate; [|rewrite IH by lia]; lra. Qed.
Lemma project_length {A B} m : forall (x : list A) (w : list B), length x = length m ->
  length w = length m -> length (project m x) = length (project m w).
Proof. induction m as [|[|] m IH]; intros [|a x] [|v w] H1 H2; simpl in *; try discriminate; auto. Qed.
Theorem cones_sound lo hi d k points ts (p : pattern) : cones lo hi d k points ts = true ->
  Forall (fun q => length (snd q) = d) points -> neuron true d k p -> (lo <= total p points <= hi)%Z.
Proof.
  intros C Hd (w & b & Hw & Hk & _ & Hp). rewrite Forall_forall in Hd.
  destruct (masks_cover w k Hk) as (m & Hm & D). rewrite Hw in *.
  unfold cones in C. rewrite forallb_forall in C. specialize (C m Hm). unfold choice in C.
  pose proof (masks_length _ _ _ Hm) as Lm. set (keys := merged (rmap (fun p => (fst p, key m (snd p))) points)) in *.
  pose (u := project m w). assert (K : forall x : list Z, length x = d -> length (project m x) = length u)
    by (intros; apply project_length; lia).
  assert (In_keys : forall q, In q keys -> exists x, length x = d /\ snd q = key m x).
  { intros q I. apply (in_map snd) in I. unfold keys in I. rewrite merged_in in I.
    apply in_map_iff in I as (q' & E & I). apply in_rmap in I as (r & <- & I). exists (snd r). simpl in E. auto. }
  assert (T : forall f, total f keys = total (fun x => f (key m x)) points).
  { intros f. unfold keys. rewrite merged_total. unfold total. rewrite zsum_rmap. reflexivity. }
  destruct (raise (map (fun q => dot (snd q) (u ++ [b])) keys)) as (e & _ & He).
  assert (R : forall q, In q keys -> dot (snd q) (u ++ [b + e]) = dot (snd q) (u ++ [b]) + e).
  { intros q I. destruct (In_keys q I) as (x & Lx & ->). unfold key. rewrite !dot_app by auto. simpl. lra. }
  assert (F : total p points = total (fires (u ++ [b + e])) keys).
  { transitivity (total (fires (u ++ [b])) keys).
    - rewrite T. apply zsum_ext. intros q I. rewrite Hp. unfold fires, key.
      rewrite dot_app, D by auto. rewrite Rmult_1_l. reflexivity.
    - apply zsum_ext. intros q I. unfold fires. rewrite R by auto.
      destruct (He (dot (snd q) (u ++ [b]))) as [-> _]; auto.
      apply (in_map (fun q => dot (snd q) (u ++ [b]))). auto. }
  rewrite F. apply orthants_sound with (ts := ts m).
  - apply Forall_forall. intros q I. split.
    + destruct (In_keys q I) as (x & Lx & ->). unfold key. rewrite !app_length, K by auto. auto.
    + rewrite R by auto. apply He. apply (in_map (fun q => dot (snd q) (u ++ [b]))). auto.
  - replace (length (u ++ [b + e])) with (length (key m (map (fun _ => 0%Z) m))); auto.
    unfold key. rewrite !app_length, K; auto. rewrite map_length. auto.
Qed.
