(** * The checker as an OCaml program

    Machine integers become those of [uint63.ml], strings OCaml's own. The main theorem and all that it assumes are shown. *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOCamlInt63 ExtrOcamlNativeString.
From Rex Require Import Board Game Rex Text Certificate Main.

Set Printing Width 140.
Check checked_text.
Print Assumptions checked_text.

Extraction "checker.ml" read_line verdict.
