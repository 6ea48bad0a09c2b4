(** Sums over lists, and tables of points: integers z with a key, sorted and merged. *)
Require Import ZArith List Bool Lia Permutation.
Import ListNotations.
Open Scope Z_scope.

(** Tail recursive, as everything that walks over rows: tables are long, stacks are not. *)
Definition zsum {A} (f : A -> Z) (l : list A) : Z := fold_left (fun s a => s + f a) l 0.

Lemma fold_sum {A} (f : A -> Z) l : forall s, fold_left (fun s a => s + f a) l s = s + zsum f l.
Proof.
  unfold zsum. induction l as [|a l IH]; intros s; simpl; [lia|]. rewrite IH, (IH (f a)). lia.
Qed.
Lemma zsum_cons {A} (f : A -> Z) a l : zsum f (a :: l) = f a + zsum f l.
Proof. unfold zsum at 1. simpl. rewrite fold_sum. lia. Qed.
Lemma zsum_nil {A} (f : A -> Z) : zsum f [] = 0. Proof. reflexivity. Qed.
Lemma zsum_ext {A} (f g : A -> Z) l : (forall a, In a l -> f a = g a) -> zsum f l = zsum g l.
Proof.
  induction l as [|a l IH]; intros H; [reflexivity|].
  rewrite !zsum_cons, H, IH; auto with datatypes.
Qed.
Lemma zsum_add {A} (f g : A -> Z) l : zsum (fun a => f a + g a) l = zsum f l + zsum g l.
Proof. induction l as [|a l IH]; [reflexivity|]. rewrite !zsum_cons, IH. lia. Qed.
Lemma zsum_le {A} (f g : A -> Z) l : (forall a, In a l -> f a <= g a) -> zsum f l <= zsum g l.
Proof.
  induction l as [|a l IH]; intros H; [reflexivity|].
  rewrite !zsum_cons. apply Z.add_le_mono; auto with datatypes.
Qed.
Lemma zsum_map {A B} (f : B -> Z) (g : A -> B) l : zsum f (map g l) = zsum (fun a => f (g a)) l.
Proof. induction l as [|a l IH]; [reflexivity|]. simpl. rewrite !zsum_cons, IH. reflexivity. Qed.
Lemma zsum_perm {A} (f : A -> Z) l m : Permutation l m -> zsum f l = zsum f m.
Proof. induction 1; rewrite ?zsum_cons in *; lia. Qed.

Lemma zsum_neg {A} (f : A -> Z) l : zsum (fun a => - f a) l = - zsum f l.
Proof. induction l as [|a l IH]; [reflexivity|]. rewrite !zsum_cons, IH. lia. Qed.

(** [map], backwards. *)
Definition rmap {A B} (f : A -> B) (l : list A) : list B := fold_left (fun m a => f a :: m) l [].
Lemma rmap_perm {A B} (f : A -> B) l : Permutation (rmap f l) (map f l).
Proof.
  unfold rmap. enough (H : forall m, Permutation (fold_left (fun m a => f a :: m) l m) (map f l ++ m)).
  { rewrite H, app_nil_r. reflexivity. }
  induction l as [|a l IH]; intros m; simpl; [reflexivity|]. rewrite IH.
  symmetry. apply Permutation_middle.
Qed.
Lemma zsum_rmap {A B} (f : B -> Z) (g : A -> B) l : zsum f (rmap g l) = zsum (fun a => f (g a)) l.
Proof. rewrite (zsum_perm _ _ _ (rmap_perm g l)). apply zsum_map. Qed.
Lemma in_rmap {A B} (f : A -> B) l b : In b (rmap f l) <-> exists a, f a = b /\ In a l.
Proof.
  rewrite <- in_map_iff. split; apply Permutation_in; [|symmetry]; apply rmap_perm.
Qed.

(** * Points *)

Definition point : Type := (Z * list Z)%type.

(** The total over the points whose key is on. *)
Definition total (on : list Z -> bool) (l : list point) : Z :=
  zsum (fun p => if on (snd p) then fst p else 0) l.

Fixpoint key_le (a b : list Z) : bool :=
  match a, b with
  | [], _ => true
  | _ :: _, [] => false
  | x :: a, y :: b => match x ?= y with Lt => true | Gt => false | Eq => key_le a b end
  end.
Fixpoint key_eq (a b : list Z) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => (x =? y) && key_eq a b
  | _, _ => false
  end.
Lemma key_eq_true a : forall b, key_eq a b = true -> a = b.
Proof.
  induction a as [|x a IH]; intros [|y b] H; simpl in H; try discriminate; auto.
  apply andb_prop in H as [H1 H2]. apply Z.eqb_eq in H1. f_equal; auto.
Qed.

(** Merge sort, the greatest key first. *)
Fixpoint merge (a : list point) : list point -> list point -> list point :=
  match a with
  | [] => fun b acc => rev_append acc b
  | x :: a' => fix inner (b acc : list point) : list point :=
      match b with
      | [] => rev_append acc (x :: a')
      | y :: b' => if key_le (snd y) (snd x) then merge a' b (x :: acc) else inner b' (y :: acc)
      end
  end.
Fixpoint merge_pairs (ls : list (list point)) (acc : list (list point)) : list (list point) :=
  match ls with
  | a :: b :: ls => merge_pairs ls (merge a b [] :: acc)
  | [a] => a :: acc
  | [] => acc
  end.
Fixpoint merge_all (fuel : nat) (ls : list (list point)) : list point :=
  match fuel, ls with
  | _, [] => []
  | _, [a] => a
  | O, _ => concat ls
  | S fuel, _ => merge_all fuel (merge_pairs ls [])
  end.
Definition sort (l : list point) : list point := merge_all 64 (rmap (fun p => [p]) l).

(** Neighbours with one key become one point: after [sort], the least key first. *)
Fixpoint squash (l acc : list point) : list point :=
  match l with
  | [] => acc
  | (z, x) :: l => squash l
      match acc with
      | (z', x') :: rest => if key_eq x x' then (z + z', x') :: rest else (z, x) :: acc
      | [] => [(z, x)]
      end
  end.
Definition merged (l : list point) : list point := squash (sort l) [].

(** Sorting and merging change no total, and lose no key. *)
Lemma zsum_rev_append {A} (f : A -> Z) a : forall b, zsum f (rev_append a b) = zsum f a + zsum f b.
Proof. induction a as [|x a IH]; intros b; simpl; [reflexivity|]. rewrite IH, !zsum_cons. lia. Qed.
Lemma merge_sum f a : forall b acc, zsum f (merge a b acc) = zsum f acc + zsum f a + zsum f b.
Proof.
  induction a as [|x a IH]; intros b; simpl.
  - intros acc. rewrite zsum_rev_append, zsum_nil. lia.
  - induction b as [|y b IHb]; intros acc.
    + rewrite zsum_rev_append, zsum_nil. lia.
    + destruct (key_le (snd y) (snd x)); [rewrite IH|rewrite IHb]; rewrite !zsum_cons; lia.
Qed.
Lemma merge_pairs_sum f n : forall ls acc, (length ls <= n)%nat ->
  zsum (zsum f) (merge_pairs ls acc) = zsum (zsum f) acc + zsum (zsum f) ls.
Proof.
  induction n as [|n IH]; intros [|a [|b ls]] acc H; simpl in *; try lia; rewrite ?zsum_cons, ?zsum_nil;
    try lia. rewrite IH by lia. rewrite zsum_cons, merge_sum, zsum_nil. lia.
Qed.
Lemma zsum_app {A} (f : A -> Z) a b : zsum f (a ++ b) = zsum f a + zsum f b.
Proof. induction a as [|x a IH]; simpl; [reflexivity|]. rewrite !zsum_cons, IH. lia. Qed.
Lemma zsum_concat {A} (f : A -> Z) ls : zsum f (concat ls) = zsum (zsum f) ls.
Proof. induction ls as [|a ls IH]; simpl; rewrite ?zsum_app, ?zsum_cons, ?IH; reflexivity. Qed.
Lemma merge_all_sum f n : forall ls, zsum f (merge_all n ls) = zsum (zsum f) ls.
Proof.
  induction n as [|n IH]; intros [|a [|b ls]]; simpl;
    rewrite ?zsum_cons, ?zsum_nil; try lia.
  - rewrite !zsum_app, zsum_concat. lia.
  - rewrite IH. rewrite (merge_pairs_sum f (length ls)) by auto.
    rewrite zsum_cons, merge_sum, !zsum_nil. lia.
Qed.
Lemma sort_sum f l : zsum f (sort l) = zsum f l.
Proof.
  unfold sort. rewrite merge_all_sum, zsum_rmap. apply zsum_ext.
  intros a _. rewrite zsum_cons, zsum_nil. lia.
Qed.
Lemma squash_total on l : forall acc, total on (squash l acc) = total on l + total on acc.
Proof.
  unfold total. induction l as [|[z x] l IH]; intros acc; simpl; [reflexivity|].
  rewrite IH. destruct acc as [|[z' x'] acc]; [rewrite !zsum_cons, !zsum_nil; simpl; unfold point; lia|].
  destruct (key_eq x x') eqn:E; rewrite !zsum_cons; simpl; [|lia].
  apply key_eq_true in E. subst x'. destruct (on x); lia.
Qed.
Lemma merged_total on l : total on (merged l) = total on l.
Proof. unfold merged. rewrite squash_total. unfold total. rewrite sort_sum. apply Z.add_0_r. Qed.

(** A key occurs when the number of its points is not zero. *)
Definition times (x : list Z) (l : list point) : Z :=
  zsum (fun p => if key_eq (snd p) x then 1 else 0) l.
Lemma key_eq_refl x : key_eq x x = true.
Proof. induction x as [|a x IH]; simpl; auto. rewrite Z.eqb_refl. auto. Qed.
Lemma times_pos x l : 0 < times x l <-> In x (map snd l).
Proof.
  unfold times. induction l as [|p l IH]; simpl; [rewrite zsum_nil; lia|]. rewrite zsum_cons.
  assert (0 <= zsum (fun p => if key_eq (snd p) x then 1 else 0) l).
  { clear IH. induction l as [|q l IH]; [reflexivity|].
    rewrite zsum_cons. destruct (key_eq (snd q) x); lia. }
  destruct (key_eq (snd p) x) eqn:E.
  - apply key_eq_true in E. intuition lia.
  - rewrite <- IH. intuition; try lia. subst x. rewrite key_eq_refl in E. discriminate.
Qed.
Lemma squash_in x l : forall acc,
  In x (map snd (squash l acc)) <-> In x (map snd l) \/ In x (map snd acc).
Proof.
  induction l as [|[z y] l IH]; intros acc; simpl; [intuition|].
  rewrite IH. destruct acc as [|[z' y'] acc]; simpl; [intuition|].
  destruct (key_eq y y') eqn:E; simpl; [|intuition].
  apply key_eq_true in E. subst y'. intuition.
Qed.
Lemma merged_in x l : In x (map snd (merged l)) <-> In x (map snd l).
Proof.
  unfold merged. rewrite squash_in, <- (times_pos x (sort l)), <- (times_pos x l).
  unfold times. rewrite sort_sum. simpl. intuition.
Qed.
