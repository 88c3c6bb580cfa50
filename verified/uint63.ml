(* Coq's 63-bit machine integers are OCaml's, read without a sign. *)
type t = int

let of_int (x : int) : t = x
let equal (x : t) (y : t) = x = y
let le (x : t) (y : t) = x lxor min_int <= y lxor min_int
let lt (x : t) (y : t) = x lxor min_int < y lxor min_int
let l_and = ( land )
let l_or = ( lor )
let l_xor = ( lxor )
let l_sl x n = if 0 <= n && n < 63 then x lsl n else 0
let l_sr x n = if 0 <= n && n < 63 then x lsr n else 0
let add = ( + )
let sub = ( - )
let mul = ( * )
