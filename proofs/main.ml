(* hardlim-check PROOF: reads PROOF/core*.txt, asks the extracted checker, prints the theorem.
   Exit 0 only where every file is believed. docs/proofs.md has the format. *)
module I = Z (* zarith's; the checker has a module of this name, too *)
open Checker

exception Refused of string

let refuse format = Printf.ksprintf (fun s -> raise (Refused s)) format

(* Words between white space. *)
type source = { channel : in_channel; mutable words : int }

let word source =
  let buffer = Buffer.create 32 in
  let rec read () =
    match input_char source.channel with
    | ' ' | '\n' | '\r' | '\t' -> if Buffer.length buffer = 0 then read ()
    | c -> Buffer.add_char buffer c; read ()
    | exception End_of_file -> if Buffer.length buffer = 0 then refuse "the file ends early"
  in
  read (); source.words <- source.words + 1; Buffer.contents buffer

let expect source name =
  let w = word source in if w <> name then refuse "word %d: expected %s, got %S" source.words name w

let integer source =
  let w = word source in
  let digit i c = (c >= '0' && c <= '9') || (c = '-' && i = 0 && String.length w > 1) in
  String.iteri (fun i c -> if not (digit i c) then refuse "word %d: %S is no integer" source.words w) w;
  I.of_string w

let small source least most =
  let n = integer source in
  if I.leq (I.of_int least) n && I.leq n (I.of_int most) then I.to_int n
  else refuse "word %d: expected a number from %d to %d" source.words least most

let rec nat n = if n <= 0 then O else S (nat (n - 1))
let flag source name = expect source name; small source 0 1 = 1

let two source = let n = integer source in (n, integer source)
let pair source name = expect source name; two source

(* In order: List.init does not promise one. *)
let many n f =
  let rec go k acc = if k = 0 then List.rev acc else go (k - 1) (f () :: acc) in go n []

let rec tree source generators =
  let r = Array.length generators in
  match small source 0 r with
  | 0 -> Leaf
  | k ->
      let l = small source 1 r in
      let p, q = two source in
      let g = integer source in
      let first = tree source generators in
      Split (generators.(k - 1), generators.(l - 1), p, q, g, first, tree source generators)

(* The trees of a choice of columns, which the checker asks for in the order of the file. *)
let trees source mask =
  expect source "c";
  let column j chosen =
    if chosen && small source 1 (List.length mask) <> j + 1 then
      refuse "word %d: not the next choice of columns" source.words in
  List.iteri column mask;
  let r = 1 + List.length (List.filter Fun.id mask) in
  let generators = Array.init r nat in
  many (1 lsl r) (fun () -> tree source generators)

let row source d =
  let inputs = many d (fun () -> integer source) in
  let z = integer source in
  let atom () =
    let target, weight = two source in { target; weight; share = integer source } in
  let atoms = many (small source 0 max_int) atom in
  if not (I.equal z (List.fold_left (fun s a -> I.add s a.share) I.zero atoms)) then
    refuse "word %d: z is not the sum of its shares" source.words;
  { inputs; atoms }

let losses =
  [ "squared", Squared; "absolute", Absolute; "quantile", Quantile; "hinge", Hinge; "squared_hinge", SquaredHinge;
    "huber", Huber; "logistic", Logistic ]

(* A problem, and whether trees follow. *)
let problem source =
  List.iter (expect source) [ "hardlim-proof"; "1"; "loss" ];
  let name = word source in
  let of_loss = try List.assoc name losses with Not_found -> refuse "there is no loss %S" name in
  let loss_num, loss_den = two source in
  let beta_num, beta_den = pair source "beta" in
  let theta_num, theta_den = pair source "theta" in
  let bound_num, bound_den = pair source "bound" in
  let bias = flag source "bias" in
  let output_bias = flag source "output_bias" in
  let non_negative = flag source "non_negative" in
  expect source "class";
  let kind = word source in
  let most = if kind = "cones" then 20 else max_int in
  let count = if kind = "cones" || kind = "dictionary" then small source 1 most else 0 in
  expect source "columns";
  let d = small source 1 1_000_000 in
  expect source "scale";
  let y_den, s_den = two source in
  let z_den = integer source in
  expect source "rows";
  let rows = many (small source 0 max_int) (fun () -> row source d) in
  expect source "proof";
  let neuron () = let weights = many d (fun () -> integer source) in (weights, integer source) in
  let of_family, words =
    match kind with
    | "axes" -> (Inputs (nat 1), "neurons of one input")
    | "cones" -> (Inputs (nat (min count d)), Printf.sprintf "neurons of at most %d inputs" count)
    | "corners" -> (Corners, "neurons of two conditions")
    | "complete" -> (Complete, "threshold neurons in any number of layers")
    | "dictionary" -> (Dictionary (many count neuron), Printf.sprintf "copies of the %d listed neurons" count)
    | _ -> refuse "there is no class %S" kind
  in
  let ratio n d = Printf.sprintf "%s/%s (about %.12g)" (I.to_string n) (I.to_string d) (Q.to_float (Q.make n d)) in
  let parameter = match of_loss with Quantile | Huber -> " " ^ ratio loss_num loss_den | _ -> "" in
  let text =
    Printf.sprintf "sum of s * %s%s loss + %s * sum |a| >= %s for %d targets of weights s on %d rows of %d inputs, \
                    for all networks%s of any number of %s%s%s" name parameter (ratio beta_num beta_den)
      (ratio bound_num bound_den) (List.length (List.concat_map (fun r -> r.atoms) rows)) (List.length rows) d
      (if output_bias then " with a constant" else "") words (if bias then "" else " without bias")
      (if non_negative then ", a >= 0" else "") in
  ( { of_loss; loss_num; loss_den; beta_num; beta_den; theta_num; theta_den; bound_num; bound_den; y_den; s_den;
      z_den; bias; output_bias; non_negative; of_family; columns = nat d; rows }, kind = "cones", text )

let why = function
  | Believed -> "believed"
  | BadNumbers -> "a denominator, theta or beta is not positive"
  | BadRow -> "a row has not the stated number of inputs"
  | OutsideTheDomain -> "a dual value is outside of the conjugate's domain, or a label is not -1 or 1"
  | BoundNotReached -> "the dual value is below the bound"
  | NotBalanced -> "the sum of z is not zero, which an output bias needs"
  | PriceTooHigh -> "the price is not proven: a pattern may have a total above beta"

let file path =
  let channel = open_in_bin path in
  Fun.protect ~finally:(fun () -> close_in channel) (fun () ->
      let source = { channel; words = 0 } in
      let p, with_trees, text = problem source in
      match check p (if with_trees then Some (trees source) else None) with
      | Believed ->
          expect source "end";
          (match word source with w -> refuse "%S after the end" w | exception Refused _ -> text)
      | verdict -> refuse "%s (word %d)" (why verdict) source.words)

let () =
  try
    match Sys.argv with
    | [| _; folder |] ->
        let core name = String.length name >= 8 && String.sub name 0 4 = "core" && Filename.check_suffix name ".txt" in
        let names = List.filter core (List.sort compare (Array.to_list (Sys.readdir folder))) in
        if names = [] then refuse "there is no core.txt in %s" folder;
        let one name =
          try "proven: " ^ file (Filename.concat folder name)
          with Refused reason -> refuse "%s: %s" name reason in
        List.iter print_endline (List.map one names)
    | _ -> refuse "usage: hardlim-check PROOF, a folder with core.txt"
  with
  | Refused reason | Sys_error reason -> prerr_endline ("hardlim-check: " ^ reason); exit 1
  | Stack_overflow -> prerr_endline "hardlim-check: a tree or a table is too deep"; exit 1
  | e -> prerr_endline ("hardlim-check: " ^ Printexc.to_string e); exit 1
