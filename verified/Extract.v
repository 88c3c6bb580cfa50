(** The checker as an OCaml program. Machine integers become those of [uint63.ml], strings OCaml's own. *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOCamlInt63 ExtrOcamlNativeString.
From Rex Require Import Certificate Reading.

Set Printing Width 140.
Check checked_text.
Print Assumptions checked_text.

Extraction "checker.ml" read_line right_digest show.
