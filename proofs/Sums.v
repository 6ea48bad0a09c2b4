(** Sums over lists, and tables of points: integers z with a key, sorted and merged. *)
Require Import ZArith List Bool Lia Permutation Orders Mergesort.
Import ListNotations.
Open Scope Z_scope.

(** Tail recursive, as everything that walks over rows: tables are long, stacks are not. *)
Definition zsum {A} (f : A -> Z) (l : list A) : Z := fold_left (fun s a => s + f a) l 0.

Lemma fold_sum {A} (f : A -> Z) l : forall s, fold_left (fun s a => s + f a) l s = s + zsum f l.
Proof. unfold zsum. induction l as [|a l IH]; intros s; simpl; [lia|]. rewrite IH, (IH (f a)). lia. Qed.
Lemma zsum_cons {A} (f : A -> Z) a l : zsum f (a :: l) = f a + zsum f l.
Proof. unfold zsum at 1. simpl. rewrite fold_sum. lia. Qed.
Lemma zsum_nil {A} (f : A -> Z) : zsum f [] = 0. Proof. reflexivity. Qed.
Lemma zsum_ext {A} (f g : A -> Z) l : (forall a, In a l -> f a = g a) -> zsum f l = zsum g l.
Proof. induction l as [|a l IH]; intros H; [reflexivity|]. rewrite !zsum_cons, H, IH; auto with datatypes. Qed.
Lemma zsum_le {A} (f g : A -> Z) l : (forall a, In a l -> f a <= g a) -> zsum f l <= zsum g l.
Proof.
  induction l as [|a l IH]; intros H; [reflexivity|]. rewrite !zsum_cons. apply Z.add_le_mono; auto with datatypes.
Qed.
Lemma zsum_map {A B} (f : B -> Z) (g : A -> B) l : zsum f (map g l) = zsum (fun a => f (g a)) l.
Proof. induction l as [|a l IH]; [reflexivity|]. simpl. rewrite !zsum_cons, IH. reflexivity. Qed.
Lemma zsum_perm {A} (f : A -> Z) l m : Permutation l m -> zsum f l = zsum f m.
Proof. induction 1; rewrite ?zsum_cons in *; lia. Qed.
(** What a condition keeps is all but what its opposite keeps. *)
Lemma zsum_split {A} (c : A -> bool) (f : A -> Z) l :
  zsum (fun a => if c a then f a else 0) l = zsum f l - zsum (fun a => if negb (c a) then f a else 0) l.
Proof. induction l as [|a l IH]; [reflexivity|]. rewrite !zsum_cons, IH. destruct (c a); simpl; lia. Qed.

(** [map], backwards. *)
Definition rmap {A B} (f : A -> B) (l : list A) : list B := fold_left (fun m a => f a :: m) l [].
Lemma rmap_perm {A B} (f : A -> B) l : Permutation (rmap f l) (map f l).
Proof.
  unfold rmap. enough (H : forall m, Permutation (fold_left (fun m a => f a :: m) l m) (map f l ++ m)).
  { rewrite H, app_nil_r. reflexivity. } induction l as [|a l IH]; intros m; simpl; [reflexivity|]. rewrite IH.
  symmetry. apply Permutation_middle.
Qed.
Lemma zsum_rmap {A B} (f : B -> Z) (g : A -> B) l : zsum f (rmap g l) = zsum (fun a => f (g a)) l.
Proof. rewrite (zsum_perm _ _ _ (rmap_perm g l)). apply zsum_map. Qed.
Lemma in_rmap {A B} (f : A -> B) l b : In b (rmap f l) <-> exists a, f a = b /\ In a l.
Proof. rewrite <- in_map_iff. split; apply Permutation_in; [|symmetry]; apply rmap_perm. Qed.

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

(** Merge sort of the standard library, the greatest key first. *)
Module Greatest <: TotalLeBool.
  Definition t := point.
  Definition leb (p q : point) : bool := key_le (snd q) (snd p).
  Lemma leb_total p q : leb p q = true \/ leb q p = true.
  Proof.
    unfold leb. generalize (snd p) (snd q). intros a. induction a as [|x a IH]; intros [|y b]; simpl; auto.
    rewrite (Z.compare_antisym x y). destruct (x ?= y); simpl; auto.
  Qed.
End Greatest.
Module Sorted := Sort Greatest.

(** Neighbours with one key become one point: after sorting, the least key first. *)
Fixpoint squash (l acc : list point) : list point :=
  match l with
  | [] => acc
  | (z, x) :: l => squash l
      match acc with
      | (z', x') :: rest => if list_eq_dec Z.eq_dec x x' then (z + z', x') :: rest else (z, x) :: acc
      | [] => [(z, x)]
      end
  end.
Definition merged (l : list point) : list point := squash (Sorted.sort l) [].
Lemma squash_total on l : forall acc, total on (squash l acc) = total on l + total on acc.
Proof.
  unfold total. induction l as [|[z x] l IH]; intros acc; simpl; [reflexivity|].
  rewrite IH. destruct acc as [|[z' x'] acc]; [rewrite !zsum_cons, !zsum_nil; simpl; unfold point; lia|].
  destruct (list_eq_dec Z.eq_dec x x') as [<-|_]; rewrite !zsum_cons; simpl; [destruct (on x)|]; lia.
Qed.
Lemma merged_total on l : total on (merged l) = total on l.
Proof.
  unfold merged. rewrite squash_total. unfold total at 1.
  rewrite <- (zsum_perm _ _ _ (Sorted.Permuted_sort l)). apply Z.add_0_r.
Qed.
Lemma squash_in x l : forall acc, In x (map snd (squash l acc)) <-> In x (map snd l) \/ In x (map snd acc).
Proof.
  induction l as [|[z y] l IH]; intros acc; simpl; [intuition|].
  rewrite IH. destruct acc as [|[z' y'] acc]; simpl; [intuition|].
  destruct (list_eq_dec Z.eq_dec y y') as [<-|_]; simpl; intuition.
Qed.
Lemma merged_in x l : In x (map snd (merged l)) <-> In x (map snd l).
Proof.
  unfold merged. rewrite squash_in. pose proof (Permutation_map snd (Sorted.Permuted_sort l)) as P.
  split; [intros [H|[]]|left]; [apply (Permutation_in _ (Permutation_sym P))|apply (Permutation_in _ P)]; auto.
Qed.
