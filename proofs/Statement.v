(** What is proven, in definitions. A referee reads this file and the theorem at the end of [Checker.v].

    A problem: a table of integers (each column times a positive number, which leaves all classes as they are),
    targets, a loss, a strength beta, and a class of threshold networks. The theorem: no network of the class,
    with any number of neurons and any real weights, has an objective below the bound. *)
Require Import Reals ZArith List Bool.
Import ListNotations.
Open Scope R_scope.

(** * The table *)

(** A target [target / y_den] with the weight [weight / s_den]. The share is part of the proof. *)
Record atom := Atom { target : Z; weight : Z; share : Z }.
(** The inputs of a row, and its targets: several where rows with equal inputs were merged. *)
Record row := Row { inputs : list Z; atoms : list atom }.

(** * Losses of an output u for a target y *)

Inductive loss := Squared | Absolute | Quantile | Hinge | SquaredHinge | Huber | Logistic.

(** [k] is the level of the quantile loss and the threshold of Huber's; the others have none. *)
Definition value (l : loss) (k u y : R) : R :=
  match l with
  | Squared => (u - y) ^ 2 / 2
  | Absolute => Rabs (u - y)
  | Quantile => k * Rmax 0 (y - u) + (1 - k) * Rmax 0 (u - y)
  | Hinge => Rmax 0 (1 - y * u)
  | SquaredHinge => (Rmax 0 (1 - y * u)) ^ 2 / 2
  | Huber => if Rle_dec (Rabs (u - y)) k then (u - y) ^ 2 / 2 else k * Rabs (u - y) - k ^ 2 / 2
  | Logistic => ln (1 + exp (- (y * u)))
  end.

(** * Neurons *)

(** What a neuron answers: on or off for every row of inputs. *)
Definition pattern := list Z -> bool.

Fixpoint dot (x : list Z) (w : list R) : R :=
  match x, w with a :: x, v :: w => IZR a * v + dot x w | _, _ => 0 end.
Definition nonneg (t : R) : bool := if Rle_dec 0 t then true else false.
Definition is_zero (v : R) : bool := if Req_EM_T v 0 then true else false.
Definition bit (b : bool) : R := if b then 1 else 0.

(** A threshold neuron that reads at most [k] of [d] inputs, with a bias or without. Zero is on. *)
Definition neuron (bias : bool) (d k : nat) (p : pattern) : Prop :=
  exists (w : list R) (b : R),
    length w = d /\ (length (filter (fun v => negb (is_zero v)) w) <= k)%nat
    /\ (bias = false -> b = 0) /\ forall x, p x = nonneg (dot x w + b).

(** Classes of patterns. *)
Inductive family :=
| Inputs (k : nat)                       (* neurons of at most k inputs *)
| Corners                                (* a neuron above two neurons of one input each *)
| Complete                               (* any function of the inputs: networks of any depth *)
| Dictionary (list : list (list Z * Z)). (* the listed weights and biases *)

Definition member (bias : bool) (d : nat) (c : family) (p : pattern) : Prop :=
  match c with
  | Inputs k => neuron bias d k p
  | Corners => exists (h1 h2 : pattern) (u1 u2 u0 : R), neuron true d 1 h1 /\ neuron true d 1 h2
      /\ forall x, p x = nonneg (u1 * bit (h1 x) + u2 * bit (h2 x) + u0)
  | Complete => True
  | Dictionary list => exists w b, In (w, b) list
      /\ forall x, p x = nonneg (dot x (map IZR w) + IZR b)
  end.

(** * Problems and networks *)

(** Rationals are pairs; the checker refuses denominators, beta, theta and [y_den] to [z_den] that are not positive. *)
Record problem := Problem {
  of_loss : loss;
  loss_num : Z; loss_den : Z;            (* the parameter of the loss *)
  beta_num : Z; beta_den : Z;
  theta_num : Z; theta_den : Z;          (* part of the proof *)
  bound_num : Z; bound_den : Z;
  y_den : Z; s_den : Z; z_den : Z;
  bias : bool; output_bias : bool; non_negative : bool;
  of_family : family;
  columns : nat;
  rows : list row
}.

Definition ratio (n d : Z) : R := IZR n / IZR d.

(** A constant, and neurons: what each adds to the output where it is on. *)
Record network := Network { offset : R; neurons : list (R * pattern) }.

Definition belongs (P : problem) (f : network) : Prop :=
  (output_bias P = false -> offset f = 0)
  /\ forall a p, In (a, p) (neurons f) ->
       member (bias P) (columns P) (of_family P) p /\ (non_negative P = true -> 0 <= a).

Fixpoint sum {A} (f : A -> R) (l : list A) : R :=
  match l with [] => 0 | a :: l => f a + sum f l end.

Definition output (f : network) (x : list Z) : R :=
  offset f + sum (fun n => fst n * bit (snd n x)) (neurons f).

(** [L(f) + beta * (sum of |a|)] *)
Definition objective (P : problem) (f : network) : R :=
  sum (fun r => sum (fun a =>
         ratio (weight a) (s_den P)
         * value (of_loss P) (ratio (loss_num P) (loss_den P)) (output f (inputs r))
                 (ratio (target a) (y_den P)))
       (atoms r)) (rows P)
  + ratio (beta_num P) (beta_den P) * sum (fun n => Rabs (fst n)) (neurons f).

Definition bound (P : problem) : R := ratio (bound_num P) (bound_den P).
