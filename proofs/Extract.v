(** The checker as an OCaml program with zarith's integers, and what its theorem assumes. *)
Require Import ZArith Extraction ExtrOcamlBasic ExtrOcamlZBigInt.
From Hardlim Require Import Statement Cones Checker.

(** As [Z.add] and the others in [ExtrOcamlZBigInt]. [Z.sqrt] is called for positive numbers only. *)
Extract Constant Z.leb => "Big_int_Z.le_big_int".
Extract Constant Z.ltb => "Big_int_Z.lt_big_int".
Extract Constant Z.geb => "Big_int_Z.ge_big_int".
Extract Constant Z.sqrt => "Big_int_Z.sqrt_big_int".
Extraction "checker.ml" check.

Print Assumptions no_network_is_below.
