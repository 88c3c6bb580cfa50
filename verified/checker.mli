
val xorb : bool -> bool -> bool

val negb : bool -> bool

type nat =
| O
| S of nat

val option_map : ('a1 -> 'a2) -> 'a1 option -> 'a2 option

val fst : ('a1 * 'a2) -> 'a1

val snd : ('a1 * 'a2) -> 'a2

val length : 'a1 list -> nat

val app : 'a1 list -> 'a1 list -> 'a1 list

val add : nat -> nat -> nat

val mul : nat -> nat -> nat

val sub : nat -> nat -> nat

type positive =
| XI of positive
| XO of positive
| XH

type z =
| Z0
| Zpos of positive
| Zneg of positive

val eqb : bool -> bool -> bool

module Nat :
 sig
  val sub : nat -> nat -> nat

  val eqb : nat -> nat -> bool

  val leb : nat -> nat -> bool

  val ltb : nat -> nat -> bool

  val divmod : nat -> nat -> nat -> nat -> nat * nat

  val div : nat -> nat -> nat

  val modulo : nat -> nat -> nat
 end

module Pos :
 sig
  val succ : positive -> positive

  val pred_double : positive -> positive

  val iter_op : ('a1 -> 'a1 -> 'a1) -> positive -> 'a1 -> 'a1

  val to_nat : positive -> nat

  val of_succ_nat : nat -> positive
 end

module Z :
 sig
  val double : z -> z

  val succ_double : z -> z

  val to_nat : z -> nat

  val of_nat : nat -> z
 end

val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list

val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1

val fold_right : ('a2 -> 'a1 -> 'a1) -> 'a1 -> 'a2 list -> 'a1

val existsb : ('a1 -> bool) -> 'a1 list -> bool

val forallb : ('a1 -> bool) -> 'a1 list -> bool

val filter : ('a1 -> bool) -> 'a1 list -> 'a1 list

val find : ('a1 -> bool) -> 'a1 list -> 'a1 option

val seq : nat -> nat -> nat list

val lsl0 : Uint63.t -> Uint63.t -> Uint63.t

val lsr0 : Uint63.t -> Uint63.t -> Uint63.t

val land0 : Uint63.t -> Uint63.t -> Uint63.t

val lor0 : Uint63.t -> Uint63.t -> Uint63.t

val lxor0 : Uint63.t -> Uint63.t -> Uint63.t

val add0 : Uint63.t -> Uint63.t -> Uint63.t

val sub0 : Uint63.t -> Uint63.t -> Uint63.t

val mul0 : Uint63.t -> Uint63.t -> Uint63.t

val div0 : Uint63.t -> Uint63.t -> Uint63.t

val mod0 : Uint63.t -> Uint63.t -> Uint63.t

val eqb0 : Uint63.t -> Uint63.t -> bool

val ltb0 : Uint63.t -> Uint63.t -> bool

val leb0 : Uint63.t -> Uint63.t -> bool

val size : nat

val is_zero : Uint63.t -> bool

val is_even : Uint63.t -> bool

val opp : Uint63.t -> Uint63.t

val to_Z_rec : nat -> Uint63.t -> z

val to_Z : Uint63.t -> z

val of_pos_rec : nat -> positive -> Uint63.t

val of_pos : positive -> Uint63.t

val of_Z : z -> Uint63.t

module PositiveMap :
 sig
  type key = positive

  type 'a tree =
  | Leaf
  | Node of 'a tree * 'a option * 'a tree

  type 'a t = 'a tree

  val empty : 'a1 t

  val find : key -> 'a1 t -> 'a1 option

  val add : key -> 'a1 -> 'a1 t -> 'a1 t

  val remove : key -> 'a1 t -> 'a1 t
 end

type player =
| Black
| White

val opp0 : player -> player

type board = { rows : nat; cols : nat }

type cell = nat

val size0 : board -> nat

val row : board -> cell -> nat

val col : board -> cell -> nat

val at_ : board -> nat -> nat -> cell

type cset = { lo : Uint63.t; hi : Uint63.t }

val none : cset

val union : cset -> cset -> cset

val inter : cset -> cset -> cset

val diff : cset -> cset -> cset

val is_none : cset -> bool

val within : cset -> cset -> bool

val same : cset -> cset -> bool

val single : nat -> cset

val set_of : nat list -> cset

val has : cset -> cset -> bool

type node = { nx : nat; nm : cset; nn : cset }

type entry = { ex : nat; key0 : Uint63.t; em : cset; rot : cset; tra : 
               cset; anti : cset }

type env = { the_board : board; nodes : node list; entries : entry list;
             every : cset; top : cset; bottom : cset; left_side : cset;
             right_side : cset }

val side_set : env -> player -> bool -> cset

val nbb : nat -> nat -> nat -> nat -> bool

val sideb : board -> player -> bool -> cell -> bool

val rotate : board -> cell -> cell

val transpose : board -> cell -> cell

val antitranspose : board -> cell -> cell

val make_node : board -> nat -> node

val make_entry : board -> nat -> entry

val make_side : board -> player -> bool -> cset

val make_env : board -> env

val grow : cset -> node list -> cset -> cset

val closure : nat -> cset -> node list -> cset -> cset

val sweeps : nat

val closed : cset -> node list -> cset -> bool

val encloses : cset -> node list -> cset -> cset -> bool

val cannot_join : env -> player -> cset -> bool

val is_joined : env -> player -> cset -> bool

type graph = { g_open : cset; g_first : cset; g_second : cset;
               g_nodes : node list }

val groups : env -> cset -> node list -> cset list -> cset list

val around : env -> cset -> cset

val meets : env -> cset -> cset -> bool

val unions : cset list -> cset

val make_graph : env -> player -> cset -> cset -> graph option

type filling = { fb : cset; fw : cset; fd : cset }

val stones_set : filling -> player -> cset

val open_set : env -> filling -> cset

val add_stone : filling -> cset -> player -> filling

val clique : graph -> cset -> bool

val surrounded : graph -> node -> bool

val all_surrounded : graph -> cset

val behind : graph -> cset -> cset

val triples : cset -> cset -> node list -> cset list

val doubles : cset -> cset -> node list -> cset list

val singles_and_more : node list -> cset list

val all_cut_off : graph -> cset

val find_dead : nat -> env -> filling -> cset -> bool

val all_dead : env -> filling -> cset -> bool

val settle : env -> filling -> cset -> filling option

val capture : env -> filling -> player -> (entry * entry) list -> cset -> bool

val distinct : (entry * entry) list -> cset -> bool

val all_open : env -> filling -> (entry * entry) list -> bool

val most_pairs : (entry * entry) list -> bool

val add_pairs : filling -> player -> (entry * entry) list -> filling

val captured_pairs : env -> filling -> player -> (entry * entry) list -> bool

val mutual_fill :
  env -> filling -> entry -> entry -> entry -> entry -> filling option

type claim = { cb : cset; cw : cset; mover : player; winner : player }

type name = Uint63.t

type id = Uint63.t

type kind =
| Identity
| Rotation
| Transpose
| Antitranspose

type reason =
| By6
| By7
| By8 of (name * name) list

type answer =
| Joins
| Goes of id
| Less of name * reason

type step =
| Dead of name list
| Captured of player * (name * name) list
| Mutual of (name * name) * (name * name)

type rule =
| Joined
| Move of name * id
| All of (name * answer) list
| Pairs of (name * name) list * name option
| Mirror of kind
| Image of kind * id
| Fill of step list * id
| Worse of id

val same_player : player -> player -> bool

val start : claim -> filling

val lookup : env -> name -> entry option

val lookup_pairs : env -> (name * name) list -> (entry * entry) list option

val odd_empties : env -> claim -> bool

val last_of : env -> claim -> player

val says : claim -> filling -> player -> player -> bool

val known_says :
  (id -> claim option) -> id -> filling -> player -> player -> bool

val has_joined : env -> filling -> player -> bool

val prefers : env -> filling -> player -> entry -> entry -> reason -> bool

val answer_holds :
  env -> (id -> claim option) -> claim -> entry -> answer -> cset -> bool

val answers_hold :
  env -> (id -> claim option) -> claim -> (name * answer) list -> cset ->
  cset option

val layers :
  env -> nat -> cset -> cset -> cset -> cset -> cset list -> cset list option

val trace : env -> cset list -> cset -> cset -> cset

val no_path :
  env -> nat -> player -> (entry * entry) list -> cset -> Uint63.t ->
  Uint63.t option

val pairs_hold : env -> claim -> (entry * entry) list -> entry option -> bool

val square : env -> bool

val swaps : kind -> bool

val on_players : kind -> player -> player

val image_mask : kind -> entry -> cset

val has_symmetry : env -> kind -> bool

val mirror_holds : env -> claim -> kind -> bool

val image_holds : env -> claim -> kind -> claim -> bool

val lookup_set : env -> name list -> cset -> cset option

val take_step : env -> filling -> step -> filling option

val take_steps : env -> filling -> step list -> filling option

val like : env -> claim -> claim -> bool

val fill_holds : env -> claim -> step list -> claim -> bool

val worse_holds : env -> claim -> claim -> bool

val is_explicit : rule -> bool

val holds : env -> (id -> claim option) -> claim -> rule -> bool

type line = Uint63.t list

val equal : line -> line -> bool

val split : Uint63.t -> line -> line list

val space : Uint63.t

val comma : Uint63.t

val hyphen : Uint63.t

val slash : Uint63.t

val colon : Uint63.t

val less : Uint63.t

val equals : Uint63.t

val is_digit : Uint63.t -> bool

val most : Uint63.t

val digits : line -> Uint63.t -> Uint63.t option

val number : line -> Uint63.t option

val cell_name : line -> name option

val player_name : line -> player option

val all_of : (line -> 'a1 option) -> line list -> 'a1 list option

val pair_of : line -> (name * name) option

val pairs_of : line -> (name * name) list option

val skip : nat -> entry list -> entry list

val stones_of :
  Uint63.t -> line -> entry list -> Uint63.t -> Uint63.t -> cset -> cset ->
  (cset * cset) option

val small_int : nat -> Uint63.t

val w_magic : Uint63.t list

val w_board : Uint63.t list

val w_full : Uint63.t list

val w_explicit : Uint63.t list

val w_drop : Uint63.t list

val w_root : Uint63.t list

val w_sha : Uint63.t list

val w_joined : Uint63.t list

val w_move : Uint63.t list

val w_all : Uint63.t list

val w_pairs : Uint63.t list

val w_key : Uint63.t list

val w_mirror : Uint63.t list

val w_image : Uint63.t list

val w_fill : Uint63.t list

val w_worse : Uint63.t list

val w_joins : Uint63.t list

val w_dead : Uint63.t list

val w_captured : Uint63.t list

val w_mutual : Uint63.t list

val w_identity : Uint63.t list

val w_rotation : Uint63.t list

val w_transpose : Uint63.t list

val w_antitranspose : Uint63.t list

val w_none : Uint63.t list

val kind_of : line -> kind option

val reason_of : line list -> reason option

val answer_of : line -> (name * answer) option

val step_of : line -> step option

val steps_of : line list -> (step list * id) option

val some_pairs : line -> (name * name) list option

val rule_of : line list -> rule option

val claim_of : env -> line list -> ((id * claim) * rule) option

val board_of : line -> board option

type run = { r_env : env; r_explicit : bool; r_live : claim PositiveMap.t;
             r_latest : id }

type state =
| Start
| Board
| Rules of env
| Running of run
| Rooted of env * claim
| Failed of string

val key_of : nat -> Uint63.t -> positive

val live_key : id -> positive

val recall : run -> id -> claim option

val forget : claim PositiveMap.t -> line list -> claim PositiveMap.t option

val refusal : rule -> string

val on_claim : run -> line list -> state

val read_line : state -> line -> state

val right_digest : line -> line -> bool

val small_number : Uint63.t -> line

val show_empty : Uint63.t -> line

val show_rows :
  Uint63.t -> entry list -> filling -> Uint63.t -> Uint63.t -> line

val w_black : Uint63.t list

val w_white : Uint63.t list

val w_wins : Uint63.t list

val w_to_move : Uint63.t list

val w_with : Uint63.t list

val show_player : player -> line

val show : env -> claim -> line
