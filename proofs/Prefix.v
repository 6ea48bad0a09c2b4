(** The price of neurons of one input, and of corners: prefix sums over sorted values. *)
Require Import Reals ZArith List Bool Lia Lra.
From Hardlim Require Import Statement Sums Cones.
Import ListNotations.
Open Scope Z_scope.

Definition inside (lo hi s : Z) : bool := (lo <=? s) && (s <=? hi).
Definition first (p : point) : Z := nth 0 (snd p) 0.
Definition second (p : point) : Z := nth 1 (snd p) 0.

(** The first values never fall, and all prefix sums that end before a greater value are inside. *)
Fixpoint scan (lo hi : Z) (w : point -> Z) (v s : Z) (l : list point) : bool :=
  match l with
  | [] => inside lo hi s
  | p :: l =>
      if first p =? v then scan lo hi w v (s + w p) l
      else (v <? first p) && inside lo hi s && scan lo hi w (first p) (s + w p) l
  end.
(** All sums over the points up to a value, and over those from a value on, are inside. *)
Definition halves (lo hi : Z) (w : point -> Z) (l : list point) : bool :=
  let t := zsum w l in
  let lo' := Z.max lo (t - hi) in
  let hi' := Z.min hi (t - lo) in
  inside lo' hi' 0 && match l with [] => true | p :: _ => scan lo' hi' w (first p) 0 l end.

Definition entry (j : nat) (p : point) : Z := nth j (snd p) 0.
Definition axes (lo hi : Z) (d : nat) (points : list point) : bool :=
  forallb (fun j => halves lo hi fst (merged (rmap (fun p => (fst p, [entry j p])) points))) (seq 0 d).

(** Without a bias a neuron of one input asks for a sign. *)
Definition at_zero (lo hi : Z) (d : nat) (points : list point) : bool :=
  inside lo hi (zsum fst points) &&
  forallb (fun j => inside lo hi (total (fun x => 0 <=? nth j x 0) points)
                    && inside lo hi (total (fun x => nth j x 0 <=? 0) points)) (seq 0 d).

(** A column, how many values it has, and the values. *)
Definition column : Type := (nat * (Z * list Z))%type.
Definition values (points : list point) (j : nat) : column :=
  let vs := rmap first (merged (rmap (fun p => (0, [entry j p])) points)) in
  (j, (zsum (fun _ => 1) vs, vs)).
Definition cut (lo hi : Z) (points : list point) (i : column) (j : nat) : bool :=
  let l := merged (rmap (fun p => (fst p, [entry j p; entry (fst i) p])) points) in
  forallb (fun a => halves lo hi (fun p => if second p <=? a then fst p else 0) l
                    && halves lo hi (fun p => if second p <=? a then 0 else fst p) l) (snd (snd i)).
(** Every corner and its complement are inside. *)
Definition corners (lo hi : Z) (d : nat) (points : list point) : bool :=
  let s := zsum fst points in
  let lo' := Z.max lo (s - hi) in
  let hi' := Z.min hi (s - lo) in
  let columns := map (values points) (seq 0 d) in
  inside lo' hi' 0 &&
  forallb (fun i => forallb (fun j =>
    (fst j <? fst i)%nat ||
    if fst (snd i) <=? fst (snd j) then cut lo' hi' points i (fst j) else cut lo' hi' points j (fst i))
    columns) columns.

(** * Soundness *)
Lemma inside_true lo hi s : inside lo hi s = true <-> lo <= s <= hi.
Proof. unfold inside. rewrite andb_true_iff, !Z.leb_le. reflexivity. Qed.
Definition falls (g : Z -> bool) : Prop := forall x y, x <= y -> g y = true -> g x = true.
Definition half (g : Z -> bool) : Prop := falls g \/ falls (fun x => negb (g x)).
Definition part (g : Z -> bool) (w : point -> Z) (l : list point) : Z :=
  zsum (fun p => if g (first p) then w p else 0) l.
Lemma part_cons g w p l : part g w (p :: l) = (if g (first p) then w p else 0) + part g w l.
Proof. apply zsum_cons. Qed.
Lemma part_none g w l : (forall p, In p l -> g (first p) = false) -> part g w l = 0.
Proof. induction l as [|p l IH]; intros H; [reflexivity|]. rewrite part_cons, H, IH; auto with datatypes. Qed.
Lemma scan_sorted lo hi w l : forall v s, scan lo hi w v s l = true -> forall p, In p l -> v <= first p.
Proof.
  induction l as [|q l IH]; intros v s H p I; simpl in *; [tauto|]. destruct (first q =? v) eqn:E.
  - apply Z.eqb_eq in E. destruct I as [->|I]; [lia|eauto].
  - apply andb_prop in H as [H H2]. apply andb_prop in H as [H _]. apply Z.ltb_lt in H.
    destruct I as [->|I]; [lia|]. specialize (IH _ _ H2 p I). lia.
Qed.
Lemma scan_sound lo hi w g l : falls g -> forall v s, scan lo hi w v s l = true -> g v = true ->
  lo <= s + part g w l <= hi.
Proof.
  intros G. induction l as [|q l IH]; intros v s H V; simpl in H.
  - apply inside_true in H. unfold part. rewrite zsum_nil. lia.
  - rewrite part_cons. destruct (first q =? v) eqn:E.
    + apply Z.eqb_eq in E. rewrite E, V. specialize (IH _ _ H V). lia.
    + apply andb_prop in H as [H H2]. apply andb_prop in H as [_ H]. apply inside_true in H.
      destruct (g (first q)) eqn:Q.
      * specialize (IH _ _ H2 Q). lia.
      * rewrite part_none; [lia|]. intros p I. destruct (g (first p)) eqn:P; auto.
        rewrite (G _ _ (scan_sorted _ _ _ _ _ _ H2 p I) P) in Q. discriminate.
Qed.
Lemma halves_sound lo hi w g l : half g -> halves lo hi w l = true -> lo <= part g w l <= hi.
Proof.
  intros G H. unfold halves in H. apply andb_prop in H as [H0 H]. apply inside_true in H0.
  assert (F : forall g, falls g -> Z.max lo (zsum w l - hi) <= part g w l <= Z.min hi (zsum w l - lo)).
  { intros f F. destruct l as [|p l]; [exact H0|]. destruct (f (first p)) eqn:E.
    - apply (scan_sound _ _ _ f _ F _ _ H E).
    - rewrite part_none; [lia|]. intros q I. destruct (f (first q)) eqn:Q; auto.
      rewrite (F _ _ (scan_sorted _ _ _ _ _ _ H q I) Q) in E. discriminate. }
  destruct G as [G|G]; [specialize (F g G); lia|]. specialize (F _ G). unfold part in *. rewrite zsum_split. lia.
Qed.

Open Scope R_scope.

(** A neuron of one input is a half-line of a column. *)
Lemma one_input w : (0 < length w)%nat -> (nonzeros w <= 1)%nat -> exists j v, (j < length w)%nat
  /\ forall x, length x = length w -> dot x w = v * IZR (nth j x 0%Z).
Proof.
  unfold nonzeros. induction w as [|v w IH]; intros L N; simpl in *; [lia|].
  assert (Z : length (filter (fun v => negb (is_zero v)) w) = 0%nat -> forall x, dot x w = 0).
  { clear. induction w as [|v w IH]; intros Z [|a x]; simpl in *; auto.
    unfold is_zero in Z at 1. destruct (Req_EM_T v 0) as [->|]; simpl in Z; [|lia]. rewrite IH by auto. lra. }
  unfold is_zero in N at 1. destruct (Req_EM_T v 0) as [->|V]; simpl in N.
  - destruct w as [|u w].
    + exists 0%nat, 0. split; [lia|]. intros [|a [|b x]]; simpl; intros; try lia. lra.
    + destruct IH as (j & c & J & D); simpl; auto; try lia. exists (S j), c.
      split; [simpl in J; lia|]. intros [|a x] E; simpl in E; [lia|]. simpl nth.
      rewrite <- D by (simpl; lia). simpl. lra.
  - exists 0%nat, v. split; [lia|]. intros [|a x] E; simpl in E; [lia|]. simpl. rewrite Z by lia. lra.
Qed.
Lemma neuron_half b d p : (0 < d)%nat -> neuron b d 1 p -> exists j g, (j < d)%nat /\ half g
  /\ forall x, length x = d -> p x = g (nth j x 0%Z).
Proof.
  intros Hd (w & c & L & N & _ & H). subst d. destruct (one_input w Hd N) as (j & v & J & D).
  exists j, (fun t => nonneg (v * IZR t + c)). split; [auto|]. split.
  - destruct (Rle_dec 0 v); [right|left]; intros s t Hst Ht.
    + apply negb_true_iff, nonneg_false in Ht. apply negb_true_iff, nonneg_false. apply IZR_le in Hst. nra.
    + apply nonneg_true in Ht. apply nonneg_true. apply IZR_le in Hst. nra.
  - intros x E. rewrite H, D by auto. reflexivity.
Qed.

Open Scope Z_scope.
Definition lengths (d : nat) (points : list point) : Prop := forall p, In p points -> length (snd p) = d.
Theorem axes_sound lo hi d points p b : axes lo hi d points = true -> (0 < d)%nat ->
  lengths d points -> neuron b d 1 p -> lo <= total p points <= hi.
Proof.
  intros H Hd Hl Hp. destruct (neuron_half _ _ _ Hd Hp) as (j & g & J & G & E).
  unfold axes in H. rewrite forallb_forall in H. specialize (H j (proj2 (in_seq _ _ _) (conj (Nat.le_0_l j) J))).
  apply (halves_sound _ _ _ g) in H; auto. unfold part, first in H.
  change (zsum _ _) with (total (fun x => g (nth 0 x 0)) (merged
    (rmap (fun p : Z * list Z => (fst p, [entry j p])) points))) in H.
  rewrite merged_total in H. unfold total in H. rewrite zsum_rmap in H. simpl in H.
  unfold total. erewrite zsum_ext; [exact H|]. intros q I. rewrite E; auto.
Qed.
Theorem at_zero_sound lo hi d points p : at_zero lo hi d points = true -> (0 < d)%nat ->
  lengths d points -> neuron false d 1 p -> lo <= total p points <= hi.
Proof.
  intros H Hd Hl (w & c & L & N & C & P). specialize (C eq_refl). subst c.
  rewrite <- L in Hd. destruct (one_input w Hd N) as (j & v & J & D). rewrite L in J, D.
  unfold at_zero in H. apply andb_prop in H as [H0 H]. rewrite forallb_forall in H.
  specialize (H j (proj2 (in_seq _ _ _) (conj (Nat.le_0_l j) J))). apply andb_prop in H as [H1 H2].
  apply inside_true in H0, H1, H2.
  assert (E : forall f, (forall t, nonneg (v * IZR t + 0) = f t) ->
    total p points = total (fun x => f (nth j x 0)) points).
  { intros f F. apply zsum_ext. intros q I. rewrite P, D, F; auto. }
  assert (S : forall u t, (0 < u)%R -> nonneg (u * IZR t + 0) = (0 <=? t)).
  { intros u t U. destruct (0 <=? t) eqn:Q.
    - apply nonneg_true. apply Z.leb_le, IZR_le in Q. nra.
    - apply nonneg_false. apply Z.leb_gt, IZR_lt in Q. nra. }
  destruct (Rtotal_order v 0) as [V|[->|V]].
  - rewrite (E (fun t => t <=? 0)); auto. intros t.
    replace (v * IZR t)%R with (- v * IZR (- t))%R by (rewrite opp_IZR; ring). rewrite S by lra. lia.
  - rewrite (E (fun _ => true)); auto. intros t. apply nonneg_true. lra.
  - rewrite (E (Z.leb 0)); auto.
Qed.

(** On finitely many values, half-lines are those up to a value and those beyond it. *)
Lemma greatest (l : list Z) : l <> [] -> exists a, In a l /\ forall v, In v l -> v <= a.
Proof.
  induction l as [|b l IH]; [tauto|]. intros _. destruct l as [|c l].
  - exists b. simpl. intuition lia.
  - destruct IH as (a & I & A); [discriminate|]. exists (Z.max a b). split.
    + destruct (Z.max_spec a b) as [[_ ->]|[_ ->]]; [left; auto|right; auto].
    + intros v [->|J]; [lia|]. specialize (A v J). lia.
Qed.
Lemma half_cut g vs : half g -> vs <> [] -> exists a, In a vs
  /\ ((forall v, In v vs -> g v = (v <=? a)) \/ (forall v, In v vs -> g v = negb (v <=? a))).
Proof.
  assert (F : forall g, falls g -> vs <> [] -> exists a, In a vs
    /\ ((forall v, In v vs -> g v = (v <=? a)) \/ (forall v, In v vs -> g v = negb (v <=? a)))).
  { intros f F N. destruct (filter f vs) as [|b l] eqn:E.
    - destruct (greatest vs N) as (a & I & A). exists a. split; auto. right. intros v J.
      rewrite (proj2 (Z.leb_le v a)) by auto. destruct (f v) eqn:V; auto.
      enough (In v []) by (simpl in *; tauto). rewrite <- E. apply filter_In. auto.
    - destruct (greatest (filter f vs)) as (a & I & A); [rewrite E; discriminate|].
      apply filter_In in I as [I V]. exists a. split; auto. left. intros v J.
      destruct (f v) eqn:W; symmetry; [apply Z.leb_le, A, filter_In; auto|].
      apply Z.leb_gt. destruct (Z.lt_ge_cases a v); auto. rewrite (F v a) in W; auto. discriminate. }
  intros [G|G] N; [auto|]. destruct (F _ G N) as (a & I & [A|A]); exists a; (split; [auto|]);
    [right|left]; intros v J; specialize (A v J); destruct (g v), (v <=? a); auto.
Qed.
Definition both (i j : nat) (g h : Z -> bool) (x : list Z) : bool := g (nth i x 0) && h (nth j x 0).
Lemma cut_sound lo hi points i j g h : inside lo hi 0 = true -> half g -> half h ->
  cut lo hi points (values points i) j = true -> lo <= total (both i j g h) points <= hi.
Proof.
  intros H0 G H C. unfold cut, values in C. simpl in C. rewrite forallb_forall in C.
  match type of C with context [rmap first ?m] => set (vs := rmap first m) in C end.
  assert (V : forall p, In p points -> In (entry i p) vs).
  { intros p I. apply in_rmap.
    assert (K : In [entry i p] (map snd (merged (rmap (fun p => (0, [entry i p])) points)))).
    { apply merged_in, in_map_iff. exists (0, [entry i p]). split; [auto|]. apply in_rmap. exists p. auto. }
    apply in_map_iff in K as (q & E & K). exists q. unfold first. rewrite E. auto. }
  destruct points as [|p0 points'] eqn:P.
  { unfold total. rewrite zsum_nil. apply inside_true in H0. lia. } rewrite <- P in *.
  destruct (half_cut g vs G) as (a & I & A).
  { specialize (V p0). rewrite P in V. intros E. rewrite E in V. apply V. simpl. auto. }
  specialize (C a I). apply andb_prop in C as [C1 C2].
  apply (halves_sound _ _ _ h) in C1; auto. apply (halves_sound _ _ _ h) in C2; auto.
  match type of C1 with context [merged ?m] => set (l := merged m) in * end.
  assert (T : forall f (w : point -> Z), (forall p, In p points -> g (entry i p) = f (entry i p)) ->
    (forall p, w p = if f (second p) then fst p else 0) -> part h w l = total (both i j g h) points).
  { intros f w F W. transitivity (total (fun k => f (nth 1 k 0) && h (nth 0 k 0)) l).
    - apply zsum_ext. intros p _. rewrite W. unfold first, second. destruct (h _), (f _); auto.
    - unfold l. rewrite merged_total. unfold total. rewrite zsum_rmap. apply zsum_ext. intros p J.
      unfold both. specialize (F p J). unfold entry in F. rewrite F. reflexivity. }
  destruct A as [A|A]; [rewrite (T (fun v => v <=? a)) in C1|rewrite (T (fun v => negb (v <=? a))) in C2];
    auto; intros p; destruct (_ <=? a); auto.
Qed.
Lemma half_fun (t : bool -> bool) g : half g -> half (fun v => t (g v)).
Proof.
  unfold half, falls. intros G. destruct (t true) eqn:T, (t false) eqn:F.
  1, 4: left; intros x y _; destruct (g x), (g y); congruence.
  - destruct G as [G|G]; [left|right]; intros x y L; specialize (G x y L);
    destruct (g x), (g y); rewrite ?T, ?F; simpl in *; auto.
  - destruct G as [G|G]; [right|left]; intros x y L; specialize (G x y L);
    destruct (g x), (g y); rewrite ?T, ?F; simpl in *; auto.
Qed.

(** The fourteen threshold functions of two answers are an AND or a complement of one. *)
Lemma threshold_function (q : bool -> bool -> bool) :
  (exists u1 u2 u0 : R, forall a b, q a b = nonneg (u1 * bit a + u2 * bit b + u0)) ->
  exists n s t, forall a b : bool, q a b = xorb n (s a && t b).
Proof.
  intros (u1 & u2 & u0 & Q). pose (k := fun (e f : bool) (a : bool) => if a then e else f).
  assert (X : forall e, ~ (q false false = e /\ q true true = e /\ q true false = negb e /\ q false true = negb e)).
  { intros e (A & B & C & D). rewrite Q in A, B, C, D. destruct e; simpl in *;
      rewrite ?nonneg_true, ?nonneg_false in *; lra. }
  clear Q. pose proof (X true) as X1. pose proof (X false) as X0. clear X.
  enough (exists n e f e' f', forall a b, q a b = xorb n (k e f a && k e' f' b)) as
    (n & e & f & e' & f' & E) by eauto.
  assert (E : forall n e f e' f', (forall a b, q a b = xorb n (k e f a && k e' f' b)) <->
    (q true true = xorb n (e && e') /\ q true false = xorb n (e && f') /\
     q false true = xorb n (f && e') /\ q false false = xorb n (f && f'))).
  { intros. split; [intros H; repeat split; rewrite H; reflexivity|]. intros (A & B & C & D) [|] [|]; auto. }
  destruct (q true true) eqn:A, (q true false) eqn:B, (q false true) eqn:C, (q false false) eqn:D;
    simpl in *; try (exfalso; tauto);
    let go n e f e' f' := (exists n, e, f, e', f'; apply E; simpl; rewrite ?A, ?B, ?C, ?D; repeat split; reflexivity) in
    first [ go true false false false false | go false false false false false
          | go false true false true true | go false false true true true
          | go false true true true false | go false true true false true
          | go false true false true false | go false true false false true
          | go false false true true false | go false false true false true
          | go true true false true false | go true true false false true
          | go true false true true false | go true false true false true ].
Qed.
Theorem corners_sound lo hi d points p b : corners lo hi d points = true -> (0 < d)%nat ->
  lengths d points -> member b d Corners p -> lo <= total p points <= hi.
Proof.
  intros C Hd Hl (h1 & h2 & u1 & u2 & u0 & N1 & N2 & P). destruct (neuron_half _ _ _ Hd N1) as (i & g & I & G & E1).
  destruct (neuron_half _ _ _ Hd N2) as (j & h & J & H & E2).
  destruct (threshold_function (fun a b => nonneg (u1 * bit a + u2 * bit b + u0))) as (n & s & t & T); [eauto|].
  unfold corners in C. apply andb_prop in C as [C0 C]. rewrite forallb_forall in C.
  set (lo' := Z.max lo _) in *. set (hi' := Z.min hi _) in *.
  assert (A : forall i j g h, (i <= j < d)%nat -> half g -> half h -> lo' <= total (both i j g h) points <= hi').
  { clear - C C0. intros i j g h L G H.
    assert (V : forall i, (i < d)%nat -> In (values points i) (map (values points) (seq 0 d))).
    { intros k K. apply in_map, in_seq. lia. } specialize (C _ (V i ltac:(lia))). rewrite forallb_forall in C.
    specialize (C _ (V j ltac:(lia))). simpl in C. apply orb_prop in C as [C|C]; [apply Nat.ltb_lt in C; lia|].
    destruct (_ <=? _) in C; [apply cut_sound; auto|]. apply (cut_sound _ _ _ _ _ h g) in C; auto.
    unfold total in *. erewrite zsum_ext; [exact C|]. intros q _. unfold both. rewrite andb_comm. auto. }
  assert (B : lo' <= total (both i j (fun v => s (g v)) (fun v => t (h v))) points <= hi').
  { destruct (Nat.le_gt_cases i j) as [L|L]; [apply A; auto using half_fun; lia|].
    assert (B : lo' <= total (both j i (fun v => t (h v)) (fun v => s (g v))) points <= hi')
      by (apply A; auto using half_fun; lia).
    unfold total in *. erewrite zsum_ext; [exact B|]. intros q _. unfold both. rewrite andb_comm. auto. }
  set (f := both _ _ _ _) in B. assert (F : forall q, In q points -> p (snd q) = xorb n (f (snd q))).
  { intros q Q. rewrite P, E1, E2 by auto. apply T. } destruct n.
  - enough (X : total p points = zsum fst points - total f points) by lia.
    unfold total. rewrite zsum_split. f_equal. apply zsum_ext. intros q Q. rewrite F by auto. destruct (f _); auto.
  - enough (X : total p points = total f points) by lia.
    apply zsum_ext. intros q Q. rewrite F by auto. destruct (f (snd q)); auto.
Qed.
