
(** val xorb : bool -> bool -> bool **)

let xorb b1 b2 =
  if b1 then if b2 then false else true else b2

(** val negb : bool -> bool **)

let negb = function
| true -> false
| false -> true

type nat =
| O
| S of nat

(** val option_map : ('a1 -> 'a2) -> 'a1 option -> 'a2 option **)

let option_map f = function
| Some a -> Some (f a)
| None -> None

(** val fst : ('a1 * 'a2) -> 'a1 **)

let fst = function
| (x, _) -> x

(** val snd : ('a1 * 'a2) -> 'a2 **)

let snd = function
| (_, y) -> y

(** val length : 'a1 list -> nat **)

let rec length = function
| [] -> O
| _ :: l' -> S (length l')

(** val app : 'a1 list -> 'a1 list -> 'a1 list **)

let rec app l m =
  match l with
  | [] -> m
  | a :: l1 -> a :: (app l1 m)

(** val add : nat -> nat -> nat **)

let rec add n m =
  match n with
  | O -> m
  | S p -> S (add p m)

(** val mul : nat -> nat -> nat **)

let rec mul n m =
  match n with
  | O -> O
  | S p -> add m (mul p m)

(** val sub : nat -> nat -> nat **)

let rec sub n m =
  match n with
  | O -> n
  | S k -> (match m with
            | O -> n
            | S l -> sub k l)

type positive =
| XI of positive
| XO of positive
| XH

type z =
| Z0
| Zpos of positive
| Zneg of positive

(** val eqb : bool -> bool -> bool **)

let eqb b1 b2 =
  if b1 then b2 else if b2 then false else true

module Nat =
 struct
  (** val sub : nat -> nat -> nat **)

  let rec sub n m =
    match n with
    | O -> n
    | S k -> (match m with
              | O -> n
              | S l -> sub k l)

  (** val eqb : nat -> nat -> bool **)

  let rec eqb n m =
    match n with
    | O -> (match m with
            | O -> true
            | S _ -> false)
    | S n' -> (match m with
               | O -> false
               | S m' -> eqb n' m')

  (** val leb : nat -> nat -> bool **)

  let rec leb n m =
    match n with
    | O -> true
    | S n' -> (match m with
               | O -> false
               | S m' -> leb n' m')

  (** val ltb : nat -> nat -> bool **)

  let ltb n m =
    leb (S n) m

  (** val divmod : nat -> nat -> nat -> nat -> nat * nat **)

  let rec divmod x y q u =
    match x with
    | O -> (q, u)
    | S x' ->
      (match u with
       | O -> divmod x' y (S q) y
       | S u' -> divmod x' y q u')

  (** val div : nat -> nat -> nat **)

  let div x y = match y with
  | O -> y
  | S y' -> fst (divmod x y' O y')

  (** val modulo : nat -> nat -> nat **)

  let modulo x = function
  | O -> x
  | S y' -> sub y' (snd (divmod x y' O y'))
 end

module Pos =
 struct
  (** val succ : positive -> positive **)

  let rec succ = function
  | XI p -> XO (succ p)
  | XO p -> XI p
  | XH -> XO XH

  (** val pred_double : positive -> positive **)

  let rec pred_double = function
  | XI p -> XI (XO p)
  | XO p -> XI (pred_double p)
  | XH -> XH

  (** val iter_op : ('a1 -> 'a1 -> 'a1) -> positive -> 'a1 -> 'a1 **)

  let rec iter_op op p a =
    match p with
    | XI p0 -> op a (iter_op op p0 (op a a))
    | XO p0 -> iter_op op p0 (op a a)
    | XH -> a

  (** val to_nat : positive -> nat **)

  let to_nat x =
    iter_op add x (S O)

  (** val of_succ_nat : nat -> positive **)

  let rec of_succ_nat = function
  | O -> XH
  | S x -> succ (of_succ_nat x)
 end

module Z =
 struct
  (** val double : z -> z **)

  let double = function
  | Z0 -> Z0
  | Zpos p -> Zpos (XO p)
  | Zneg p -> Zneg (XO p)

  (** val succ_double : z -> z **)

  let succ_double = function
  | Z0 -> Zpos XH
  | Zpos p -> Zpos (XI p)
  | Zneg p -> Zneg (Pos.pred_double p)

  (** val to_nat : z -> nat **)

  let to_nat = function
  | Zpos p -> Pos.to_nat p
  | _ -> O

  (** val of_nat : nat -> z **)

  let of_nat = function
  | O -> Z0
  | S n0 -> Zpos (Pos.of_succ_nat n0)
 end

(** val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list **)

let rec map f = function
| [] -> []
| a :: t0 -> (f a) :: (map f t0)

(** val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1 **)

let rec fold_left f l a0 =
  match l with
  | [] -> a0
  | b :: t0 -> fold_left f t0 (f a0 b)

(** val fold_right : ('a2 -> 'a1 -> 'a1) -> 'a1 -> 'a2 list -> 'a1 **)

let rec fold_right f a0 = function
| [] -> a0
| b :: t0 -> f b (fold_right f a0 t0)

(** val existsb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec existsb f = function
| [] -> false
| a :: l0 -> (||) (f a) (existsb f l0)

(** val forallb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec forallb f = function
| [] -> true
| a :: l0 -> (&&) (f a) (forallb f l0)

(** val filter : ('a1 -> bool) -> 'a1 list -> 'a1 list **)

let rec filter f = function
| [] -> []
| x :: l0 -> if f x then x :: (filter f l0) else filter f l0

(** val find : ('a1 -> bool) -> 'a1 list -> 'a1 option **)

let rec find f = function
| [] -> None
| x :: tl -> if f x then Some x else find f tl

(** val seq : nat -> nat -> nat list **)

let rec seq start0 = function
| O -> []
| S len0 -> start0 :: (seq (S start0) len0)

(** val lsl0 : Uint63.t -> Uint63.t -> Uint63.t **)

let lsl0 = Uint63.l_sl

(** val lsr0 : Uint63.t -> Uint63.t -> Uint63.t **)

let lsr0 = Uint63.l_sr

(** val land0 : Uint63.t -> Uint63.t -> Uint63.t **)

let land0 = Uint63.l_and

(** val lor0 : Uint63.t -> Uint63.t -> Uint63.t **)

let lor0 = Uint63.l_or

(** val lxor0 : Uint63.t -> Uint63.t -> Uint63.t **)

let lxor0 = Uint63.l_xor

(** val add0 : Uint63.t -> Uint63.t -> Uint63.t **)

let add0 = Uint63.add

(** val sub0 : Uint63.t -> Uint63.t -> Uint63.t **)

let sub0 = Uint63.sub

(** val mul0 : Uint63.t -> Uint63.t -> Uint63.t **)

let mul0 = Uint63.mul

(** val div0 : Uint63.t -> Uint63.t -> Uint63.t **)

let div0 = Uint63.div

(** val mod0 : Uint63.t -> Uint63.t -> Uint63.t **)

let mod0 = Uint63.rem

(** val eqb0 : Uint63.t -> Uint63.t -> bool **)

let eqb0 = Uint63.equal

(** val ltb0 : Uint63.t -> Uint63.t -> bool **)

let ltb0 = Uint63.lt

(** val leb0 : Uint63.t -> Uint63.t -> bool **)

let leb0 = Uint63.le

(** val size : nat **)

let size =
  S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S
    (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S
    (S (S (S (S (S (S (S (S (S (S (S (S (S (S
    O))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))

(** val is_zero : Uint63.t -> bool **)

let is_zero i =
  eqb0 i (Uint63.of_int (0))

(** val is_even : Uint63.t -> bool **)

let is_even i =
  is_zero (land0 i (Uint63.of_int (1)))

(** val opp : Uint63.t -> Uint63.t **)

let opp i =
  sub0 (Uint63.of_int (0)) i

(** val to_Z_rec : nat -> Uint63.t -> z **)

let rec to_Z_rec n i =
  match n with
  | O -> Z0
  | S n0 ->
    if is_even i
    then Z.double (to_Z_rec n0 (lsr0 i (Uint63.of_int (1))))
    else Z.succ_double (to_Z_rec n0 (lsr0 i (Uint63.of_int (1))))

(** val to_Z : Uint63.t -> z **)

let to_Z =
  to_Z_rec size

(** val of_pos_rec : nat -> positive -> Uint63.t **)

let rec of_pos_rec n p =
  match n with
  | O -> (Uint63.of_int (0))
  | S n0 ->
    (match p with
     | XI p0 ->
       lor0 (lsl0 (of_pos_rec n0 p0) (Uint63.of_int (1))) (Uint63.of_int (1))
     | XO p0 -> lsl0 (of_pos_rec n0 p0) (Uint63.of_int (1))
     | XH -> (Uint63.of_int (1)))

(** val of_pos : positive -> Uint63.t **)

let of_pos =
  of_pos_rec size

(** val of_Z : z -> Uint63.t **)

let of_Z = function
| Z0 -> (Uint63.of_int (0))
| Zpos p -> of_pos p
| Zneg p -> opp (of_pos p)

module PositiveMap =
 struct
  type key = positive

  type 'a tree =
  | Leaf
  | Node of 'a tree * 'a option * 'a tree

  type 'a t = 'a tree

  (** val empty : 'a1 t **)

  let empty =
    Leaf

  (** val find : key -> 'a1 t -> 'a1 option **)

  let rec find i = function
  | Leaf -> None
  | Node (l, o, r) ->
    (match i with
     | XI ii -> find ii r
     | XO ii -> find ii l
     | XH -> o)

  (** val add : key -> 'a1 -> 'a1 t -> 'a1 t **)

  let rec add i v = function
  | Leaf ->
    (match i with
     | XI ii -> Node (Leaf, None, (add ii v Leaf))
     | XO ii -> Node ((add ii v Leaf), None, Leaf)
     | XH -> Node (Leaf, (Some v), Leaf))
  | Node (l, o, r) ->
    (match i with
     | XI ii -> Node (l, o, (add ii v r))
     | XO ii -> Node ((add ii v l), o, r)
     | XH -> Node (l, (Some v), r))

  (** val remove : key -> 'a1 t -> 'a1 t **)

  let rec remove i m =
    match i with
    | XI ii ->
      (match m with
       | Leaf -> Leaf
       | Node (l, o, r) ->
         (match l with
          | Leaf ->
            (match o with
             | Some _ -> Node (l, o, (remove ii r))
             | None ->
               (match remove ii r with
                | Leaf -> Leaf
                | Node (t0, o0, t1) -> Node (Leaf, None, (Node (t0, o0, t1)))))
          | Node (_, _, _) -> Node (l, o, (remove ii r))))
    | XO ii ->
      (match m with
       | Leaf -> Leaf
       | Node (l, o, r) ->
         (match o with
          | Some _ -> Node ((remove ii l), o, r)
          | None ->
            (match r with
             | Leaf ->
               (match remove ii l with
                | Leaf -> Leaf
                | Node (t0, o0, t1) -> Node ((Node (t0, o0, t1)), None, Leaf))
             | Node (_, _, _) -> Node ((remove ii l), o, r))))
    | XH ->
      (match m with
       | Leaf -> Leaf
       | Node (l, _, r) ->
         (match l with
          | Leaf ->
            (match r with
             | Leaf -> Leaf
             | Node (_, _, _) -> Node (l, None, r))
          | Node (_, _, _) -> Node (l, None, r)))
 end

type player =
| Black
| White

(** val opp0 : player -> player **)

let opp0 = function
| Black -> White
| White -> Black

type board = { rows : nat; cols : nat }

type cell = nat

(** val size0 : board -> nat **)

let size0 b =
  mul b.rows b.cols

(** val row : board -> cell -> nat **)

let row b c =
  Nat.div c b.cols

(** val col : board -> cell -> nat **)

let col b c =
  Nat.modulo c b.cols

(** val at_ : board -> nat -> nat -> cell **)

let at_ b x y =
  add (mul x b.cols) y

type cset = { lo : Uint63.t; hi : Uint63.t }

(** val none : cset **)

let none =
  { lo = (Uint63.of_int (0)); hi = (Uint63.of_int (0)) }

(** val union : cset -> cset -> cset **)

let union s t0 =
  { lo = (lor0 s.lo t0.lo); hi = (lor0 s.hi t0.hi) }

(** val inter : cset -> cset -> cset **)

let inter s t0 =
  { lo = (land0 s.lo t0.lo); hi = (land0 s.hi t0.hi) }

(** val diff : cset -> cset -> cset **)

let diff s t0 =
  { lo = (lxor0 s.lo (land0 s.lo t0.lo)); hi =
    (lxor0 s.hi (land0 s.hi t0.hi)) }

(** val is_none : cset -> bool **)

let is_none s =
  (&&) (eqb0 s.lo (Uint63.of_int (0))) (eqb0 s.hi (Uint63.of_int (0)))

(** val within : cset -> cset -> bool **)

let within s t0 =
  is_none (diff s t0)

(** val same : cset -> cset -> bool **)

let same s t0 =
  (&&) (eqb0 s.lo t0.lo) (eqb0 s.hi t0.hi)

(** val single : nat -> cset **)

let single i =
  if Nat.ltb i (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S
       (S (S (S (S (S (S (S (S (S (S (S O))))))))))))))))))))))))))))))))
  then { lo = (lsl0 (Uint63.of_int (1)) (of_Z (Z.of_nat i))); hi =
         (Uint63.of_int (0)) }
  else { lo = (Uint63.of_int (0)); hi =
         (lsl0 (Uint63.of_int (1))
           (of_Z
             (Z.of_nat
               (sub i (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S
                 (S (S (S (S (S (S (S (S (S (S (S (S (S (S
                 O)))))))))))))))))))))))))))))))))))) }

(** val set_of : nat list -> cset **)

let set_of l =
  fold_right (fun i s -> union (single i) s) none l

(** val has : cset -> cset -> bool **)

let has =
  within

type node = { nx : nat; nm : cset; nn : cset }

type entry = { ex : nat; key0 : Uint63.t; em : cset; rot : cset; tra : 
               cset; anti : cset }

type env = { the_board : board; nodes : node list; entries : entry list;
             every : cset; top : cset; bottom : cset; left_side : cset;
             right_side : cset }

(** val side_set : env -> player -> bool -> cset **)

let side_set e x first =
  match x with
  | Black -> if first then e.top else e.bottom
  | White -> if first then e.left_side else e.right_side

(** val nbb : nat -> nat -> nat -> nat -> bool **)

let nbb x y a b =
  (||)
    ((||)
      ((||)
        ((||)
          ((||) ((&&) (Nat.eqb a (add x (S O))) (Nat.eqb b y))
            ((&&) (Nat.eqb x (add a (S O))) (Nat.eqb b y)))
          ((&&) (Nat.eqb a x) (Nat.eqb b (add y (S O)))))
        ((&&) (Nat.eqb a x) (Nat.eqb y (add b (S O)))))
      ((&&) (Nat.eqb a (add x (S O))) (Nat.eqb y (add b (S O)))))
    ((&&) (Nat.eqb x (add a (S O))) (Nat.eqb b (add y (S O))))

(** val sideb : board -> player -> bool -> cell -> bool **)

let sideb b x first c =
  match x with
  | Black ->
    if first
    then Nat.eqb (row b c) O
    else Nat.eqb (row b c) (sub b.rows (S O))
  | White ->
    if first
    then Nat.eqb (col b c) O
    else Nat.eqb (col b c) (sub b.cols (S O))

(** val rotate : board -> cell -> cell **)

let rotate b c =
  at_ b (sub (sub b.rows (S O)) (row b c)) (sub (sub b.cols (S O)) (col b c))

(** val transpose : board -> cell -> cell **)

let transpose b c =
  at_ b (col b c) (row b c)

(** val antitranspose : board -> cell -> cell **)

let antitranspose b c =
  at_ b (sub (sub b.cols (S O)) (col b c)) (sub (sub b.rows (S O)) (row b c))

(** val make_node : board -> nat -> node **)

let make_node b i =
  { nx = i; nm = (single i); nn =
    (set_of
      (filter (fun j -> nbb (row b i) (col b i) (row b j) (col b j))
        (seq O (size0 b)))) }

(** val make_entry : board -> nat -> entry **)

let make_entry b i =
  { ex = i; key0 =
    (of_Z
      (Z.of_nat
        (add
          (mul (add (row b i) (S O)) (S (S (S (S (S (S (S (S (S (S (S (S (S
            (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S
            O))))))))))))))))))))))))))))))))) (col b i)))); em = (single i);
    rot = (single (rotate b i)); tra = (single (transpose b i)); anti =
    (single (antitranspose b i)) }

(** val make_side : board -> player -> bool -> cset **)

let make_side b x first =
  set_of (filter (sideb b x first) (seq O (size0 b)))

(** val make_env : board -> env **)

let make_env b =
  { the_board = b; nodes = (map (make_node b) (seq O (size0 b))); entries =
    (map (make_entry b) (seq O (size0 b))); every =
    (set_of (seq O (size0 b))); top = (make_side b Black true); bottom =
    (make_side b Black false); left_side = (make_side b White true);
    right_side = (make_side b White false) }

(** val grow : cset -> node list -> cset -> cset **)

let grow area ns s =
  fold_left (fun s0 v ->
    if has v.nm s0 then union s0 (inter v.nn area) else s0) ns s

(** val closure : nat -> cset -> node list -> cset -> cset **)

let rec closure k area ns s =
  match k with
  | O -> s
  | S k0 ->
    let s' = grow area ns s in if same s' s then s else closure k0 area ns s'

(** val sweeps : nat **)

let sweeps =
  S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S
    (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S
    (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S
    O))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))

(** val closed : cset -> node list -> cset -> bool **)

let closed area ns r =
  forallb (fun v -> (||) (negb (has v.nm r)) (within (inter v.nn area) r)) ns

(** val encloses : cset -> node list -> cset -> cset -> bool **)

let encloses area ns s r =
  (&&) (within s r) (closed area ns r)

(** val cannot_join : env -> player -> cset -> bool **)

let cannot_join e x area =
  let s = inter (side_set e x true) area in
  let r = closure sweeps area e.nodes s in
  (&&) (encloses area e.nodes s r) (is_none (inter r (side_set e x false)))

(** val is_joined : env -> player -> cset -> bool **)

let is_joined e x s =
  cannot_join e (opp0 x) (diff e.every s)

type graph = { g_open : cset; g_first : cset; g_second : cset;
               g_nodes : node list }

(** val groups : env -> cset -> node list -> cset list -> cset list **)

let rec groups e own l found =
  match l with
  | [] -> found
  | v :: l0 ->
    if (&&) (has v.nm own) (negb (existsb (has v.nm) found))
    then groups e own l0 ((closure sweeps own e.nodes v.nm) :: found)
    else groups e own l0 found

(** val around : env -> cset -> cset **)

let around e g =
  fold_right (fun v s -> if has v.nm g then union v.nn s else s) none e.nodes

(** val meets : env -> cset -> cset -> bool **)

let meets e s t0 =
  existsb (fun v -> (&&) (has v.nm s) (has v.nm t0)) e.nodes

(** val unions : cset list -> cset **)

let unions l =
  fold_right union none l

(** val make_graph : env -> player -> cset -> cset -> graph option **)

let make_graph e x own opn =
  let gs = groups e own e.nodes [] in
  if negb (forallb (closed own e.nodes) gs)
  then None
  else let at_0 = fun i ->
         inter opn
           (union (side_set e x i)
             (unions
               (map (around e)
                 (filter (fun g -> meets e g (side_set e x i)) gs))))
       in
       let free =
         map (around e)
           (filter (fun g ->
             (&&) (negb (meets e g (side_set e x true)))
               (negb (meets e g (side_set e x false)))) gs)
       in
       let link = fun v -> { nx = v.nx; nm = v.nm; nn =
         (inter opn (union v.nn (unions (filter (has v.nm) free)))) }
       in
       Some { g_open = opn; g_first = (at_0 true); g_second = (at_0 false);
       g_nodes = (map link (filter (fun v -> has v.nm opn) e.nodes)) }

type filling = { fb : cset; fw : cset; fd : cset }

(** val stones_set : filling -> player -> cset **)

let stones_set f = function
| Black -> f.fb
| White -> diff f.fw f.fb

(** val open_set : env -> filling -> cset **)

let open_set e f =
  diff (diff e.every (union f.fb f.fw)) f.fd

(** val add_stone : filling -> cset -> player -> filling **)

let add_stone f m = function
| Black -> { fb = (union f.fb m); fw = (diff f.fw m); fd = f.fd }
| White -> { fb = (diff f.fb m); fw = (union f.fw m); fd = f.fd }

(** val clique : graph -> cset -> bool **)

let clique g k =
  (&&) (within k g.g_open)
    (forallb (fun v -> (||) (negb (has v.nm k)) (within (diff k v.nm) v.nn))
      g.g_nodes)

(** val surrounded : graph -> node -> bool **)

let surrounded g v =
  let k = diff v.nn v.nm in
  let a = has v.nm g.g_first in
  let b = has v.nm g.g_second in
  (&&)
    ((&&) ((&&) (negb ((&&) a b)) ((||) (negb a) (within k g.g_first)))
      ((||) (negb b) (within k g.g_second))) (clique g k)

(** val all_surrounded : graph -> cset **)

let all_surrounded g =
  unions (map (fun n -> n.nm) (filter (surrounded g) g.g_nodes))

(** val behind : graph -> cset -> cset **)

let behind g k =
  let area = diff g.g_open k in
  let s1 = inter g.g_first area in
  let s2 = inter g.g_second area in
  let r1 = closure sweeps area g.g_nodes s1 in
  let r2 = closure sweeps area g.g_nodes s2 in
  if (&&)
       ((&&) (encloses area g.g_nodes s1 r1) (encloses area g.g_nodes s2 r2))
       (clique g k)
  then union (diff (diff area r1) r2)
         (union (if within k g.g_first then diff area r2 else none)
           (if within k g.g_second then diff area r1 else none))
  else none

(** val triples : cset -> cset -> node list -> cset list **)

let rec triples m common = function
| [] -> []
| v :: l0 ->
  if has v.nm common
  then (union m v.nm) :: (triples m common l0)
  else triples m common l0

(** val doubles : cset -> cset -> node list -> cset list **)

let rec doubles m ns = function
| [] -> []
| v :: l0 ->
  if has v.nm ns
  then let m2 = union m v.nm in
       m2 :: (app (triples m2 (inter ns v.nn) l0) (doubles m ns l0))
  else doubles m ns l0

(** val singles_and_more : node list -> cset list **)

let rec singles_and_more = function
| [] -> []
| v :: l0 -> v.nm :: (app (doubles v.nm v.nn l0) (singles_and_more l0))

(** val all_cut_off : graph -> cset **)

let all_cut_off g =
  unions (map (behind g) (none :: (singles_and_more g.g_nodes)))

(** val find_dead : nat -> env -> filling -> cset -> bool **)

let rec find_dead k e f cells =
  match k with
  | O -> false
  | S k0 ->
    if within cells f.fd
    then true
    else (match make_graph e Black (stones_set f Black) (open_set e f) with
          | Some g ->
            (match make_graph e White (stones_set f White) (open_set e f) with
             | Some h ->
               let d = union (all_surrounded g) (all_surrounded h) in
               let d0 =
                 if is_none d
                 then union (all_cut_off g) (all_cut_off h)
                 else d
               in
               let d1 = inter d0 (open_set e f) in
               if is_none d1
               then false
               else find_dead k0 e { fb = f.fb; fw = f.fw; fd =
                      (union f.fd d1) } cells
             | None -> false)
          | None -> false)

(** val all_dead : env -> filling -> cset -> bool **)

let all_dead e f cells =
  (||)
    ((||) ((||) (within cells f.fd) (is_joined e Black (stones_set f Black)))
      (is_joined e White (stones_set f White)))
    (find_dead (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S
      (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S
      (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S
      O))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))) e f
      cells)

(** val settle : env -> filling -> cset -> filling option **)

let settle e f cells =
  let b = diff f.fb cells in
  let w = diff f.fw cells in
  let bare = is_none (inter cells (union f.fb f.fw)) in
  if (&&) ((&&) (negb (is_none cells)) (is_none (inter cells f.fd)))
       (all_dead e { fb = b; fw = w; fd = (if bare then f.fd else none) }
         cells)
  then Some { fb = b; fw = w; fd = (union f.fd cells) }
  else None

(** val capture :
    env -> filling -> player -> (entry * entry) list -> cset -> bool **)

let rec capture e f x pairs rest =
  match pairs with
  | [] -> all_dead e f rest
  | p :: pairs0 ->
    let (a, b) = p in
    (&&)
      ((&&) ((&&) (has a.em (open_set e f)) (has b.em (open_set e f)))
        (capture e (add_stone f a.em x) x pairs0 (union rest b.em)))
      (capture e (add_stone f b.em x) x pairs0 (union rest a.em))

(** val distinct : (entry * entry) list -> cset -> bool **)

let rec distinct pairs seen =
  match pairs with
  | [] -> true
  | p :: pairs0 ->
    let (a, b) = p in
    (&&) ((&&) (negb (has a.em seen)) (negb (has b.em (union seen a.em))))
      (distinct pairs0 (union (union seen a.em) b.em))

(** val all_open : env -> filling -> (entry * entry) list -> bool **)

let all_open e f pairs =
  forallb (fun p ->
    (&&) (has (fst p).em (open_set e f)) (has (snd p).em (open_set e f)))
    pairs

(** val most_pairs : (entry * entry) list -> bool **)

let most_pairs pairs =
  (&&) (Nat.leb (S O) (length pairs))
    (Nat.leb (length pairs) (S (S (S (S (S (S O)))))))

(** val add_pairs : filling -> player -> (entry * entry) list -> filling **)

let rec add_pairs f x = function
| [] -> f
| p :: pairs0 ->
  let (a, b) = p in add_pairs (add_stone (add_stone f a.em x) b.em x) x pairs0

(** val captured_pairs :
    env -> filling -> player -> (entry * entry) list -> bool **)

let captured_pairs e f x pairs =
  (&&)
    ((&&) ((&&) (most_pairs pairs) (distinct pairs none))
      (all_open e f pairs)) (capture e f x pairs none)

(** val mutual_fill :
    env -> filling -> entry -> entry -> entry -> entry -> filling option **)

let mutual_fill e f a a' b b' =
  if (&&)
       ((&&)
         ((&&) ((&&) (has a.em (open_set e f)) (has b.em (open_set e f)))
           (negb (has a.em b.em)))
         (captured_pairs e (add_stone f b.em White) Black ((a, a') :: [])))
       (captured_pairs e (add_stone f a.em Black) White ((b, b') :: []))
  then Some (add_stone (add_stone f a.em Black) b.em White)
  else None

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

(** val same_player : player -> player -> bool **)

let same_player x y =
  match x with
  | Black -> (match y with
              | Black -> true
              | White -> false)
  | White -> (match y with
              | Black -> false
              | White -> true)

(** val start : claim -> filling **)

let start cl =
  { fb = cl.cb; fw = cl.cw; fd = none }

(** val lookup : env -> name -> entry option **)

let lookup e c =
  find (fun e0 -> eqb0 e0.key0 c) e.entries

(** val lookup_pairs :
    env -> (name * name) list -> (entry * entry) list option **)

let rec lookup_pairs e = function
| [] -> Some []
| p :: l0 ->
  let (a, b) = p in
  (match lookup e a with
   | Some a0 ->
     (match lookup e b with
      | Some b0 ->
        (match lookup_pairs e l0 with
         | Some l1 -> Some ((a0, b0) :: l1)
         | None -> None)
      | None -> None)
   | None -> None)

(** val odd_empties : env -> claim -> bool **)

let odd_empties e cl =
  let e0 = diff e.every (union cl.cb cl.cw) in
  fold_right (fun v odd -> xorb (has v.nm e0) odd) false e.nodes

(** val last_of : env -> claim -> player **)

let last_of e cl =
  if odd_empties e cl then cl.mover else opp0 cl.mover

(** val says : claim -> filling -> player -> player -> bool **)

let says cl f m x =
  (&&)
    ((&&) ((&&) (same cl.cb f.fb) (same cl.cw f.fw)) (same_player cl.mover m))
    (same_player cl.winner x)

(** val known_says :
    (id -> claim option) -> id -> filling -> player -> player -> bool **)

let known_says known i f m x =
  match known i with
  | Some cl -> says cl f m x
  | None -> false

(** val has_joined : env -> filling -> player -> bool **)

let has_joined e f x =
  is_joined e x (stones_set f x)

(** val prefers :
    env -> filling -> player -> entry -> entry -> reason -> bool **)

let prefers e f x better k r =
  (&&) (negb (has better.em k.em))
    (match r with
     | By6 ->
       (match settle e (add_stone f k.em x) better.em with
        | Some _ -> true
        | None -> false)
     | By7 ->
       (match settle e (add_stone f k.em (opp0 x)) better.em with
        | Some _ -> true
        | None -> false)
     | By8 pairs ->
       (match lookup_pairs e pairs with
        | Some pairs0 ->
          (&&)
            (existsb (fun p ->
              (||) (has better.em (fst p).em) (has better.em (snd p).em))
              pairs0) (captured_pairs e (add_stone f k.em x) x pairs0)
        | None -> false))

(** val answer_holds :
    env -> (id -> claim option) -> claim -> entry -> answer -> cset -> bool **)

let answer_holds e known cl e0 a answered =
  let f = start cl in
  let after = add_stone f e0.em cl.mover in
  (match a with
   | Joins -> has_joined e after cl.mover
   | Goes i -> known_says known i after cl.winner cl.winner
   | Less (c, r) ->
     (match lookup e c with
      | Some better ->
        (&&) (has better.em answered) (prefers e f cl.mover better e0 r)
      | None -> false))

(** val answers_hold :
    env -> (id -> claim option) -> claim -> (name * answer) list -> cset ->
    cset option **)

let rec answers_hold e known cl l answered =
  match l with
  | [] -> Some answered
  | p :: l0 ->
    let (c, a) = p in
    (match lookup e c with
     | Some e0 ->
       if (&&)
            ((&&) (has e0.em (open_set e (start cl)))
              (negb (has e0.em answered)))
            (answer_holds e known cl e0 a answered)
       then answers_hold e known cl l0 (union answered e0.em)
       else None
     | None -> None)

(** val layers :
    env -> nat -> cset -> cset -> cset -> cset -> cset list -> cset list
    option **)

let rec layers e k area goal seen last before =
  match k with
  | O -> None
  | S k0 ->
    if negb (is_none (inter last goal))
    then Some (last :: before)
    else let next = diff (inter (around e last) area) seen in
         if is_none next
         then None
         else layers e k0 area goal (union seen next) next (last :: before)

(** val trace : env -> cset list -> cset -> cset -> cset **)

let rec trace e l close path =
  match l with
  | [] -> path
  | s :: l0 ->
    (match find (fun v -> has v.nm (inter s close)) e.nodes with
     | Some v -> trace e l0 v.nn (union path v.nm)
     | None -> path)

(** val no_path :
    env -> nat -> player -> (entry * entry) list -> cset -> Uint63.t ->
    Uint63.t option **)

let rec no_path e k x pairs area paths =
  match k with
  | O -> None
  | S k0 ->
    if eqb0 paths (Uint63.of_int (0))
    then None
    else let from = inter (side_set e x true) area in
         let goal = inter (side_set e x false) area in
         (match layers e sweeps area goal from from [] with
          | Some l ->
            let path = trace e l goal none in
            (match find (fun p ->
                     (&&) (has (fst p).em path) (has (snd p).em path)) pairs with
             | Some p ->
               let (a, b) = p in
               (match no_path e k0 x pairs (diff area a.em)
                        (sub0 paths (Uint63.of_int (1))) with
                | Some paths0 -> no_path e k0 x pairs (diff area b.em) paths0
                | None -> None)
             | None -> None)
          | None ->
            if cannot_join e x area
            then Some (sub0 paths (Uint63.of_int (1)))
            else None)

(** val pairs_hold :
    env -> claim -> (entry * entry) list -> entry option -> bool **)

let pairs_hold e cl pairs key1 =
  let f = start cl in
  let x = cl.winner in
  let area = diff e.every (stones_set f (opp0 x)) in
  (&&)
    ((&&) ((&&) (distinct pairs none) (all_open e f pairs))
      (match key1 with
       | Some k ->
         (&&)
           ((&&) (same_player (last_of e cl) (opp0 x))
             (has k.em (open_set e f)))
           (forallb (fun p ->
             (&&) (negb (has k.em (fst p).em)) (negb (has k.em (snd p).em)))
             pairs)
       | None -> true))
    (match no_path e (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S
             (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S
             (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S
             (S (S (S
             O))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
             x pairs
             (match key1 with
              | Some k -> diff area k.em
              | None -> area) (Uint63.of_int (20000)) with
     | Some _ -> true
     | None -> false)

(** val square : env -> bool **)

let square e =
  Nat.eqb e.the_board.rows e.the_board.cols

(** val swaps : kind -> bool **)

let swaps = function
| Identity -> false
| Rotation -> false
| _ -> true

(** val on_players : kind -> player -> player **)

let on_players k x =
  if swaps k then opp0 x else x

(** val image_mask : kind -> entry -> cset **)

let image_mask k e =
  match k with
  | Identity -> e.em
  | Rotation -> e.rot
  | Transpose -> e.tra
  | Antitranspose -> e.anti

(** val has_symmetry : env -> kind -> bool **)

let has_symmetry e k =
  (||) (negb (swaps k)) (square e)

(** val mirror_holds : env -> claim -> kind -> bool **)

let mirror_holds e cl k =
  let x = cl.winner in
  (&&)
    ((&&) ((&&) (swaps k) (has_symmetry e k))
      (same_player (last_of e cl) (opp0 x)))
    (forallb (fun e0 ->
      (||) (negb (has e0.em (stones_set (start cl) x)))
        (has (image_mask k e0) (stones_set (start cl) (opp0 x)))) e.entries)

(** val image_holds : env -> claim -> kind -> claim -> bool **)

let image_holds e cl k cl' =
  let f = start cl in
  let f' = start cl' in
  (&&)
    ((&&)
      ((&&)
        ((&&) (has_symmetry e k)
          (same_player cl'.winner (on_players k cl.winner)))
        (same_player cl'.mover (on_players k cl.mover)))
      (same_player (last_of e cl') (on_players k (last_of e cl))))
    (forallb (fun e0 ->
      (&&)
        (eqb (has e0.em (stones_set f Black))
          (has (image_mask k e0) (stones_set f' (on_players k Black))))
        (eqb (has e0.em (stones_set f White))
          (has (image_mask k e0) (stones_set f' (on_players k White)))))
      e.entries)

(** val lookup_set : env -> name list -> cset -> cset option **)

let rec lookup_set e l found =
  match l with
  | [] -> Some found
  | c :: l0 ->
    (match lookup e c with
     | Some e0 ->
       if has e0.em found then None else lookup_set e l0 (union found e0.em)
     | None -> None)

(** val take_step : env -> filling -> step -> filling option **)

let take_step e f = function
| Dead cells ->
  (match lookup_set e cells none with
   | Some cells0 -> settle e f cells0
   | None -> None)
| Captured (x, pairs) ->
  (match lookup_pairs e pairs with
   | Some pairs0 ->
     if captured_pairs e f x pairs0 then Some (add_pairs f x pairs0) else None
   | None -> None)
| Mutual (black, white) ->
  let (a, a') = black in
  let (b, b') = white in
  (match lookup e a with
   | Some a0 ->
     (match lookup e a' with
      | Some a'0 ->
        (match lookup e b with
         | Some b0 ->
           (match lookup e b' with
            | Some b'0 -> mutual_fill e f a0 a'0 b0 b'0
            | None -> None)
         | None -> None)
      | None -> None)
   | None -> None)

(** val take_steps : env -> filling -> step list -> filling option **)

let rec take_steps e f = function
| [] -> Some f
| s :: l0 ->
  (match take_step e f s with
   | Some f0 -> take_steps e f0 l0
   | None -> None)

(** val like : env -> claim -> claim -> bool **)

let like e cl cl' =
  (&&) (same_player cl'.winner cl.winner)
    (same_player (last_of e cl') (last_of e cl))

(** val fill_holds : env -> claim -> step list -> claim -> bool **)

let fill_holds e cl steps cl' =
  match take_steps e (start cl) steps with
  | Some f ->
    (&&) ((&&) (like e cl cl') (same (diff cl'.cb f.fd) f.fb))
      (same (diff cl'.cw f.fd) f.fw)
  | None -> false

(** val worse_holds : env -> claim -> claim -> bool **)

let worse_holds e cl cl' =
  let x = cl.winner in
  (&&)
    ((&&) (like e cl cl')
      (within (stones_set (start cl) x) (stones_set (start cl') x)))
    (within (stones_set (start cl') (opp0 x))
      (stones_set (start cl) (opp0 x)))

(** val is_explicit : rule -> bool **)

let is_explicit = function
| All answers ->
  forallb (fun a -> match snd a with
                    | Less (_, _) -> false
                    | _ -> true) answers
| Mirror _ -> false
| Fill (_, _) -> false
| Worse _ -> false
| _ -> true

(** val holds : env -> (id -> claim option) -> claim -> rule -> bool **)

let holds e known cl r =
  let f = start cl in
  let x = cl.winner in
  (match r with
   | Joined -> has_joined e f (opp0 x)
   | _ ->
     (&&) ((&&) (negb (has_joined e f Black)) (negb (has_joined e f White)))
       (match r with
        | Joined -> false
        | Move (c, i) ->
          (match lookup e c with
           | Some e0 ->
             (&&) ((&&) (same_player cl.mover x) (has e0.em (open_set e f)))
               (known_says known i (add_stone f e0.em x) (opp0 x) x)
           | None -> false)
        | All answers ->
          (&&)
            ((&&) (same_player cl.mover (opp0 x))
              (meets e e.every (open_set e f)))
            (match answers_hold e known cl answers none with
             | Some answered -> within (open_set e f) answered
             | None -> false)
        | Pairs (pairs, key1) ->
          (match lookup_pairs e pairs with
           | Some pairs0 ->
             (match key1 with
              | Some k ->
                (match lookup e k with
                 | Some k0 -> pairs_hold e cl pairs0 (Some k0)
                 | None -> false)
              | None -> pairs_hold e cl pairs0 None)
           | None -> false)
        | Mirror k -> mirror_holds e cl k
        | Image (k, i) ->
          (match known i with
           | Some cl' -> image_holds e cl k cl'
           | None -> false)
        | Fill (steps, i) ->
          (match known i with
           | Some cl' -> fill_holds e cl steps cl'
           | None -> false)
        | Worse i ->
          (match known i with
           | Some cl' -> worse_holds e cl cl'
           | None -> false)))

type line = Uint63.t list

(** val equal : line -> line -> bool **)

let rec equal a b =
  match a with
  | [] -> (match b with
           | [] -> true
           | _ :: _ -> false)
  | x :: a0 ->
    (match b with
     | [] -> false
     | y :: b0 -> (&&) (eqb0 x y) (equal a0 b0))

(** val split : Uint63.t -> line -> line list **)

let rec split sep = function
| [] -> [] :: []
| c :: l0 ->
  if eqb0 c sep
  then [] :: (split sep l0)
  else (match split sep l0 with
        | [] -> (c :: []) :: []
        | w :: ws -> (c :: w) :: ws)

(** val space : Uint63.t **)

let space =
  (Uint63.of_int (32))

(** val comma : Uint63.t **)

let comma =
  (Uint63.of_int (44))

(** val hyphen : Uint63.t **)

let hyphen =
  (Uint63.of_int (45))

(** val slash : Uint63.t **)

let slash =
  (Uint63.of_int (47))

(** val colon : Uint63.t **)

let colon =
  (Uint63.of_int (58))

(** val less : Uint63.t **)

let less =
  (Uint63.of_int (60))

(** val equals : Uint63.t **)

let equals =
  (Uint63.of_int (61))

(** val is_digit : Uint63.t -> bool **)

let is_digit c =
  (&&) (leb0 (Uint63.of_int (48)) c) (leb0 c (Uint63.of_int (57)))

(** val most : Uint63.t **)

let most =
  (Uint63.of_int (4294967295))

(** val digits : line -> Uint63.t -> Uint63.t option **)

let rec digits l n =
  match l with
  | [] -> Some n
  | c :: l0 ->
    if is_digit c
    then let n0 =
           add0 (mul0 n (Uint63.of_int (10))) (sub0 c (Uint63.of_int (48)))
         in
         if leb0 n0 most then digits l0 n0 else None
    else None

(** val number : line -> Uint63.t option **)

let number l = match l with
| [] -> None
| c :: _ ->
  if eqb0 c (Uint63.of_int (48)) then None else digits l (Uint63.of_int (0))

(** val cell_name : line -> name option **)

let cell_name = function
| [] -> None
| c :: l0 ->
  if (&&) (leb0 (Uint63.of_int (97)) c) (leb0 c (Uint63.of_int (122)))
  then (match number l0 with
        | Some r ->
          if leb0 r (Uint63.of_int (64))
          then Some
                 (add0 (mul0 r (Uint63.of_int (32)))
                   (sub0 c (Uint63.of_int (97))))
          else None
        | None -> None)
  else None

(** val player_name : line -> player option **)

let player_name = function
| [] -> None
| c :: l0 ->
  (match l0 with
   | [] ->
     if eqb0 c (Uint63.of_int (98))
     then Some Black
     else if eqb0 c (Uint63.of_int (119)) then Some White else None
   | _ :: _ -> None)

(** val all_of : (line -> 'a1 option) -> line list -> 'a1 list option **)

let rec all_of f = function
| [] -> Some []
| w :: l0 ->
  (match f w with
   | Some a ->
     (match all_of f l0 with
      | Some l1 -> Some (a :: l1)
      | None -> None)
   | None -> None)

(** val pair_of : line -> (name * name) option **)

let pair_of l =
  match split hyphen l with
  | [] -> None
  | a :: l0 ->
    (match l0 with
     | [] -> None
     | b :: l1 ->
       (match l1 with
        | [] ->
          (match cell_name a with
           | Some a0 ->
             (match cell_name b with
              | Some b0 -> Some (a0, b0)
              | None -> None)
           | None -> None)
        | _ :: _ -> None))

(** val pairs_of : line -> (name * name) list option **)

let pairs_of l =
  all_of pair_of (split comma l)

(** val skip : nat -> entry list -> entry list **)

let rec skip n l =
  match n with
  | O -> l
  | S n0 -> (match l with
             | [] -> l
             | _ :: l0 -> skip n0 l0)

(** val stones_of :
    Uint63.t -> line -> entry list -> Uint63.t -> Uint63.t -> cset -> cset ->
    (cset * cset) option **)

let rec stones_of columns text todo left' empty0 b w =
  let pass =
    if leb0 empty0 left'
    then Some ((skip (Z.to_nat (to_Z empty0)) todo), (sub0 left' empty0))
    else None
  in
  (match text with
   | [] ->
     (match pass with
      | Some p ->
        let (l0, l) = p in
        (match l0 with
         | [] -> if eqb0 l (Uint63.of_int (0)) then Some (b, w) else None
         | _ :: _ -> None)
      | None -> None)
   | c :: text0 ->
     if is_digit c
     then let n =
            add0 (mul0 empty0 (Uint63.of_int (10)))
              (sub0 c (Uint63.of_int (48)))
          in
          if (&&) (leb0 (Uint63.of_int (1)) n) (leb0 n (Uint63.of_int (64)))
          then stones_of columns text0 todo left' n b w
          else None
     else (match pass with
           | Some p ->
             let (todo0, left'0) = p in
             if eqb0 c slash
             then if eqb0 left'0 (Uint63.of_int (0))
                  then stones_of columns text0 todo0 columns
                         (Uint63.of_int (0)) b w
                  else None
             else (match todo0 with
                   | [] -> None
                   | e :: todo1 ->
                     if eqb0 left'0 (Uint63.of_int (0))
                     then None
                     else if eqb0 c (Uint63.of_int (98))
                          then stones_of columns text0 todo1
                                 (sub0 left'0 (Uint63.of_int (1)))
                                 (Uint63.of_int (0)) (union b e.em) w
                          else if eqb0 c (Uint63.of_int (119))
                               then stones_of columns text0 todo1
                                      (sub0 left'0 (Uint63.of_int (1)))
                                      (Uint63.of_int (0)) b (union w e.em)
                               else None)
           | None -> None))

(** val small_int : nat -> Uint63.t **)

let small_int n =
  of_Z (Z.of_nat n)

(** val w_magic : Uint63.t list **)

let w_magic =
  (Uint63.of_int (114)) :: ((Uint63.of_int (101)) :: ((Uint63.of_int (120)) :: ((Uint63.of_int (45)) :: ((Uint63.of_int (99)) :: ((Uint63.of_int (101)) :: ((Uint63.of_int (114)) :: ((Uint63.of_int (116)) :: ((Uint63.of_int (105)) :: ((Uint63.of_int (102)) :: ((Uint63.of_int (105)) :: ((Uint63.of_int (99)) :: ((Uint63.of_int (97)) :: ((Uint63.of_int (116)) :: ((Uint63.of_int (101)) :: ((Uint63.of_int (32)) :: ((Uint63.of_int (49)) :: []))))))))))))))))

(** val w_board : Uint63.t list **)

let w_board =
  (Uint63.of_int (98)) :: ((Uint63.of_int (111)) :: ((Uint63.of_int (97)) :: ((Uint63.of_int (114)) :: ((Uint63.of_int (100)) :: []))))

(** val w_full : Uint63.t list **)

let w_full =
  (Uint63.of_int (114)) :: ((Uint63.of_int (117)) :: ((Uint63.of_int (108)) :: ((Uint63.of_int (101)) :: ((Uint63.of_int (115)) :: ((Uint63.of_int (32)) :: ((Uint63.of_int (102)) :: ((Uint63.of_int (117)) :: ((Uint63.of_int (108)) :: ((Uint63.of_int (108)) :: [])))))))))

(** val w_explicit : Uint63.t list **)

let w_explicit =
  (Uint63.of_int (114)) :: ((Uint63.of_int (117)) :: ((Uint63.of_int (108)) :: ((Uint63.of_int (101)) :: ((Uint63.of_int (115)) :: ((Uint63.of_int (32)) :: ((Uint63.of_int (101)) :: ((Uint63.of_int (120)) :: ((Uint63.of_int (112)) :: ((Uint63.of_int (108)) :: ((Uint63.of_int (105)) :: ((Uint63.of_int (99)) :: ((Uint63.of_int (105)) :: ((Uint63.of_int (116)) :: [])))))))))))))

(** val w_drop : Uint63.t list **)

let w_drop =
  (Uint63.of_int (100)) :: ((Uint63.of_int (114)) :: ((Uint63.of_int (111)) :: ((Uint63.of_int (112)) :: [])))

(** val w_root : Uint63.t list **)

let w_root =
  (Uint63.of_int (114)) :: ((Uint63.of_int (111)) :: ((Uint63.of_int (111)) :: ((Uint63.of_int (116)) :: [])))

(** val w_sha : Uint63.t list **)

let w_sha =
  (Uint63.of_int (115)) :: ((Uint63.of_int (104)) :: ((Uint63.of_int (97)) :: ((Uint63.of_int (50)) :: ((Uint63.of_int (53)) :: ((Uint63.of_int (54)) :: [])))))

(** val w_joined : Uint63.t list **)

let w_joined =
  (Uint63.of_int (106)) :: ((Uint63.of_int (111)) :: ((Uint63.of_int (105)) :: ((Uint63.of_int (110)) :: ((Uint63.of_int (101)) :: ((Uint63.of_int (100)) :: [])))))

(** val w_move : Uint63.t list **)

let w_move =
  (Uint63.of_int (109)) :: ((Uint63.of_int (111)) :: ((Uint63.of_int (118)) :: ((Uint63.of_int (101)) :: [])))

(** val w_all : Uint63.t list **)

let w_all =
  (Uint63.of_int (97)) :: ((Uint63.of_int (108)) :: ((Uint63.of_int (108)) :: []))

(** val w_pairs : Uint63.t list **)

let w_pairs =
  (Uint63.of_int (112)) :: ((Uint63.of_int (97)) :: ((Uint63.of_int (105)) :: ((Uint63.of_int (114)) :: ((Uint63.of_int (115)) :: []))))

(** val w_key : Uint63.t list **)

let w_key =
  (Uint63.of_int (107)) :: ((Uint63.of_int (101)) :: ((Uint63.of_int (121)) :: []))

(** val w_mirror : Uint63.t list **)

let w_mirror =
  (Uint63.of_int (109)) :: ((Uint63.of_int (105)) :: ((Uint63.of_int (114)) :: ((Uint63.of_int (114)) :: ((Uint63.of_int (111)) :: ((Uint63.of_int (114)) :: [])))))

(** val w_image : Uint63.t list **)

let w_image =
  (Uint63.of_int (105)) :: ((Uint63.of_int (109)) :: ((Uint63.of_int (97)) :: ((Uint63.of_int (103)) :: ((Uint63.of_int (101)) :: []))))

(** val w_fill : Uint63.t list **)

let w_fill =
  (Uint63.of_int (102)) :: ((Uint63.of_int (105)) :: ((Uint63.of_int (108)) :: ((Uint63.of_int (108)) :: [])))

(** val w_worse : Uint63.t list **)

let w_worse =
  (Uint63.of_int (119)) :: ((Uint63.of_int (111)) :: ((Uint63.of_int (114)) :: ((Uint63.of_int (115)) :: ((Uint63.of_int (101)) :: []))))

(** val w_joins : Uint63.t list **)

let w_joins =
  (Uint63.of_int (106)) :: ((Uint63.of_int (111)) :: ((Uint63.of_int (105)) :: ((Uint63.of_int (110)) :: ((Uint63.of_int (115)) :: []))))

(** val w_dead : Uint63.t list **)

let w_dead =
  (Uint63.of_int (100)) :: ((Uint63.of_int (101)) :: ((Uint63.of_int (97)) :: ((Uint63.of_int (100)) :: [])))

(** val w_captured : Uint63.t list **)

let w_captured =
  (Uint63.of_int (99)) :: ((Uint63.of_int (97)) :: ((Uint63.of_int (112)) :: ((Uint63.of_int (116)) :: ((Uint63.of_int (117)) :: ((Uint63.of_int (114)) :: ((Uint63.of_int (101)) :: ((Uint63.of_int (100)) :: [])))))))

(** val w_mutual : Uint63.t list **)

let w_mutual =
  (Uint63.of_int (109)) :: ((Uint63.of_int (117)) :: ((Uint63.of_int (116)) :: ((Uint63.of_int (117)) :: ((Uint63.of_int (97)) :: ((Uint63.of_int (108)) :: [])))))

(** val w_identity : Uint63.t list **)

let w_identity =
  (Uint63.of_int (105)) :: ((Uint63.of_int (100)) :: ((Uint63.of_int (101)) :: ((Uint63.of_int (110)) :: ((Uint63.of_int (116)) :: ((Uint63.of_int (105)) :: ((Uint63.of_int (116)) :: ((Uint63.of_int (121)) :: [])))))))

(** val w_rotation : Uint63.t list **)

let w_rotation =
  (Uint63.of_int (114)) :: ((Uint63.of_int (111)) :: ((Uint63.of_int (116)) :: ((Uint63.of_int (97)) :: ((Uint63.of_int (116)) :: ((Uint63.of_int (105)) :: ((Uint63.of_int (111)) :: ((Uint63.of_int (110)) :: [])))))))

(** val w_transpose : Uint63.t list **)

let w_transpose =
  (Uint63.of_int (116)) :: ((Uint63.of_int (114)) :: ((Uint63.of_int (97)) :: ((Uint63.of_int (110)) :: ((Uint63.of_int (115)) :: ((Uint63.of_int (112)) :: ((Uint63.of_int (111)) :: ((Uint63.of_int (115)) :: ((Uint63.of_int (101)) :: []))))))))

(** val w_antitranspose : Uint63.t list **)

let w_antitranspose =
  (Uint63.of_int (97)) :: ((Uint63.of_int (110)) :: ((Uint63.of_int (116)) :: ((Uint63.of_int (105)) :: ((Uint63.of_int (116)) :: ((Uint63.of_int (114)) :: ((Uint63.of_int (97)) :: ((Uint63.of_int (110)) :: ((Uint63.of_int (115)) :: ((Uint63.of_int (112)) :: ((Uint63.of_int (111)) :: ((Uint63.of_int (115)) :: ((Uint63.of_int (101)) :: []))))))))))))

(** val w_none : Uint63.t list **)

let w_none =
  (Uint63.of_int (45)) :: []

(** val kind_of : line -> kind option **)

let kind_of l =
  if equal l w_identity
  then Some Identity
  else if equal l w_rotation
       then Some Rotation
       else if equal l w_transpose
            then Some Transpose
            else if equal l w_antitranspose then Some Antitranspose else None

(** val reason_of : line list -> reason option **)

let reason_of = function
| [] -> None
| l0 :: l1 ->
  (match l0 with
   | [] -> None
   | c :: l2 ->
     (match l2 with
      | [] ->
        (match l1 with
         | [] ->
           if eqb0 c (Uint63.of_int (54))
           then Some By6
           else if eqb0 c (Uint63.of_int (55)) then Some By7 else None
         | ps :: l3 ->
           (match l3 with
            | [] ->
              if eqb0 c (Uint63.of_int (56))
              then option_map (fun x -> By8 x) (pairs_of ps)
              else None
            | _ :: _ -> None))
      | _ :: _ -> None))

(** val answer_of : line -> (name * answer) option **)

let answer_of l =
  match split equals l with
  | [] -> None
  | c :: l0 ->
    (match l0 with
     | [] ->
       (match split less l with
        | [] -> None
        | k :: l1 ->
          (match l1 with
           | [] -> None
           | r :: l2 ->
             (match l2 with
              | [] ->
                (match split colon r with
                 | [] -> None
                 | c0 :: r0 ->
                   (match cell_name k with
                    | Some k0 ->
                      (match cell_name c0 with
                       | Some c1 ->
                         (match reason_of r0 with
                          | Some r1 -> Some (k0, (Less (c1, r1)))
                          | None -> None)
                       | None -> None)
                    | None -> None))
              | _ :: _ -> None)))
     | a :: l1 ->
       (match l1 with
        | [] ->
          (match cell_name c with
           | Some c0 ->
             if equal a w_joins
             then Some (c0, Joins)
             else option_map (fun i -> (c0, (Goes i))) (number a)
           | None -> None)
        | _ :: _ -> None))

(** val step_of : line -> step option **)

let step_of l =
  match split colon l with
  | [] -> None
  | w :: l0 ->
    (match l0 with
     | [] -> None
     | p :: l1 ->
       (match l1 with
        | [] ->
          if equal w w_dead
          then option_map (fun x -> Dead x) (all_of cell_name (split comma p))
          else if equal w w_mutual
               then (match pairs_of p with
                     | Some l2 ->
                       (match l2 with
                        | [] -> None
                        | p0 :: l3 ->
                          (match l3 with
                           | [] -> None
                           | q :: l4 ->
                             (match l4 with
                              | [] -> Some (Mutual (p0, q))
                              | _ :: _ -> None)))
                     | None -> None)
               else None
        | a :: l2 ->
          (match l2 with
           | [] ->
             if equal w w_captured
             then (match player_name p with
                   | Some x ->
                     (match pairs_of a with
                      | Some l3 -> Some (Captured (x, l3))
                      | None -> None)
                   | None -> None)
             else None
           | _ :: _ -> None)))

(** val steps_of : line list -> (step list * id) option **)

let rec steps_of = function
| [] -> None
| w :: l0 ->
  (match l0 with
   | [] -> option_map (fun i -> ([], i)) (number w)
   | _ :: _ ->
     (match step_of w with
      | Some s ->
        (match steps_of l0 with
         | Some p -> let (l1, i) = p in Some ((s :: l1), i)
         | None -> None)
      | None -> None))

(** val some_pairs : line -> (name * name) list option **)

let some_pairs l =
  if equal l w_none then Some [] else pairs_of l

(** val rule_of : line list -> rule option **)

let rule_of = function
| [] -> None
| w :: l0 ->
  if equal w w_joined
  then (match l0 with
        | [] -> Some Joined
        | _ :: _ -> None)
  else if equal w w_move
       then (match l0 with
             | [] -> None
             | c :: l1 ->
               (match l1 with
                | [] -> None
                | i :: l2 ->
                  (match l2 with
                   | [] ->
                     (match cell_name c with
                      | Some c0 ->
                        (match number i with
                         | Some i0 -> Some (Move (c0, i0))
                         | None -> None)
                      | None -> None)
                   | _ :: _ -> None)))
       else if equal w w_all
            then option_map (fun x -> All x) (all_of answer_of l0)
            else if equal w w_pairs
                 then (match l0 with
                       | [] -> None
                       | ps :: l1 ->
                         (match l1 with
                          | [] ->
                            option_map (fun ps0 -> Pairs (ps0, None))
                              (some_pairs ps)
                          | k :: l2 ->
                            (match l2 with
                             | [] -> None
                             | c :: l3 ->
                               (match l3 with
                                | [] ->
                                  if equal k w_key
                                  then (match some_pairs ps with
                                        | Some ps0 ->
                                          (match cell_name c with
                                           | Some c0 ->
                                             Some (Pairs (ps0, (Some c0)))
                                           | None -> None)
                                        | None -> None)
                                  else None
                                | _ :: _ -> None))))
                 else if equal w w_mirror
                      then (match l0 with
                            | [] -> None
                            | k :: l1 ->
                              (match l1 with
                               | [] ->
                                 option_map (fun x -> Mirror x) (kind_of k)
                               | _ :: _ -> None))
                      else if equal w w_image
                           then (match l0 with
                                 | [] -> None
                                 | k :: l1 ->
                                   (match l1 with
                                    | [] -> None
                                    | i :: l2 ->
                                      (match l2 with
                                       | [] ->
                                         (match kind_of k with
                                          | Some k0 ->
                                            (match number i with
                                             | Some i0 ->
                                               Some (Image (k0, i0))
                                             | None -> None)
                                          | None -> None)
                                       | _ :: _ -> None)))
                           else if equal w w_fill
                                then option_map (fun p -> Fill ((fst p),
                                       (snd p))) (steps_of l0)
                                else if equal w w_worse
                                     then (match l0 with
                                           | [] -> None
                                           | i :: l1 ->
                                             (match l1 with
                                              | [] ->
                                                option_map (fun x -> Worse x)
                                                  (number i)
                                              | _ :: _ -> None))
                                     else None

(** val claim_of : env -> line list -> ((id * claim) * rule) option **)

let claim_of e = function
| [] -> None
| i :: l0 ->
  (match l0 with
   | [] -> None
   | p :: l1 ->
     (match l1 with
      | [] -> None
      | m :: l2 ->
        (match l2 with
         | [] -> None
         | x :: r ->
           let columns = small_int e.the_board.cols in
           (match number i with
            | Some i0 ->
              (match stones_of columns p e.entries columns
                       (Uint63.of_int (0)) none none with
               | Some p0 ->
                 let (b, w) = p0 in
                 (match player_name m with
                  | Some m0 ->
                    (match player_name x with
                     | Some x0 ->
                       (match rule_of r with
                        | Some r0 ->
                          Some ((i0, { cb = b; cw = w; mover = m0; winner =
                            x0 }), r0)
                        | None -> None)
                     | None -> None)
                  | None -> None)
               | None -> None)
            | None -> None))))

(** val board_of : line -> board option **)

let board_of l =
  match split space l with
  | [] -> None
  | w :: l0 ->
    (match l0 with
     | [] -> None
     | s :: l1 ->
       (match l1 with
        | [] ->
          if equal w w_board
          then (match split (Uint63.of_int (120)) s with
                | [] -> None
                | r :: l2 ->
                  (match l2 with
                   | [] -> None
                   | c :: l3 ->
                     (match l3 with
                      | [] ->
                        (match number r with
                         | Some r0 ->
                           (match number c with
                            | Some c0 ->
                              if (&&) (leb0 r0 (Uint63.of_int (64)))
                                   (leb0 c0 (Uint63.of_int (26)))
                              then Some { rows = (Z.to_nat (to_Z r0)); cols =
                                     (Z.to_nat (to_Z c0)) }
                              else None
                            | None -> None)
                         | None -> None)
                      | _ :: _ -> None)))
          else None
        | _ :: _ -> None))

type run = { r_env : env; r_explicit : bool; r_live : claim PositiveMap.t;
             r_latest : id }

type state =
| Start
| Board
| Rules of env
| Running of run
| Rooted of env * claim
| Failed of string

(** val key_of : nat -> Uint63.t -> positive **)

let rec key_of k i =
  match k with
  | O -> XH
  | S k0 ->
    if leb0 i (Uint63.of_int (1))
    then XH
    else if eqb0 (land0 i (Uint63.of_int (1))) (Uint63.of_int (0))
         then XO (key_of k0 (lsr0 i (Uint63.of_int (1))))
         else XI (key_of k0 (lsr0 i (Uint63.of_int (1))))

(** val live_key : id -> positive **)

let live_key i =
  key_of (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S
    (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S
    O)))))))))))))))))))))))))))))))))))))))) i

(** val recall : run -> id -> claim option **)

let recall r i =
  PositiveMap.find (live_key i) r.r_live

(** val forget :
    claim PositiveMap.t -> line list -> claim PositiveMap.t option **)

let rec forget m = function
| [] -> Some m
| w :: l0 ->
  (match number w with
   | Some i ->
     (match PositiveMap.find (live_key i) m with
      | Some _ -> forget (PositiveMap.remove (live_key i) m) l0
      | None -> None)
   | None -> None)

(** val refusal : rule -> string **)

let refusal = function
| Joined -> "the loser is not joined"
| Move (_, _) -> "the rule 'move' does not apply"
| All _ -> "the rule 'all' does not apply"
| Pairs (_, _) -> "the rule 'pairs' does not apply"
| Mirror _ -> "the rule 'mirror' does not apply"
| Image (_, _) -> "the rule 'image' does not apply"
| Fill (_, _) -> "the rule 'fill' does not apply"
| Worse _ -> "the rule 'worse' does not apply"

(** val on_claim : run -> line list -> state **)

let on_claim r words =
  match claim_of r.r_env words with
  | Some p ->
    let (p0, how) = p in
    let (i, cl) = p0 in
    if negb (ltb0 r.r_latest i)
    then Failed "claim numbers must increase"
    else if (&&) r.r_explicit (negb (is_explicit how))
         then Failed "'rules explicit' does not allow this"
         else if holds r.r_env (recall r) cl how
              then Running { r_env = r.r_env; r_explicit = r.r_explicit;
                     r_live = (PositiveMap.add (live_key i) cl r.r_live);
                     r_latest = i }
              else Failed (refusal how)
  | None -> Failed "not a claim, 'drop' or 'root'"

(** val read_line : state -> line -> state **)

let read_line s l =
  match s with
  | Start -> if equal l w_magic then Board else Failed "not a certificate"
  | Board ->
    (match board_of l with
     | Some b ->
       if (&&) ((&&) (Nat.leb (S O) b.rows) (Nat.leb (S O) b.cols))
            (Nat.leb (size0 b) (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S
              (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S
              (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S
              (S (S (S (S (S (S (S
              O)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
       then Rules (make_env b)
       else Failed "a board has one to 64 cells"
     | None -> Failed "expected a board such as 'board 6x6'")
  | Rules e ->
    if equal l w_full
    then Running { r_env = e; r_explicit = false; r_live = PositiveMap.empty;
           r_latest = (Uint63.of_int (0)) }
    else if equal l w_explicit
         then Running { r_env = e; r_explicit = true; r_live =
                PositiveMap.empty; r_latest = (Uint63.of_int (0)) }
         else Failed "expected 'rules full' or 'rules explicit'"
  | Running r ->
    (match split space l with
     | [] -> Failed "an empty line"
     | w :: words ->
       if equal w w_drop
       then (match words with
             | [] -> Failed "there is no such claim to drop"
             | l0 :: l1 ->
               (match forget r.r_live (l0 :: l1) with
                | Some m ->
                  Running { r_env = r.r_env; r_explicit = r.r_explicit;
                    r_live = m; r_latest = r.r_latest }
                | None -> Failed "there is no such claim to drop"))
       else if equal w w_root
            then (match words with
                  | [] -> Failed "expected the number of a claim"
                  | i :: l0 ->
                    (match l0 with
                     | [] ->
                       (match number i with
                        | Some i0 ->
                          (match recall r i0 with
                           | Some cl -> Rooted (r.r_env, cl)
                           | None -> Failed "there is no such claim")
                        | None -> Failed "expected the number of a claim")
                     | _ :: _ -> Failed "expected the number of a claim"))
            else on_claim r (w :: words))
  | Rooted (_, _) -> Failed "text after the end of the certificate"
  | Failed why -> Failed why

(** val right_digest : line -> line -> bool **)

let right_digest l digest =
  match split space l with
  | [] -> false
  | w :: l0 ->
    (match l0 with
     | [] -> false
     | d :: l1 ->
       (match l1 with
        | [] -> (&&) (equal w w_sha) (equal d digest)
        | _ :: _ -> false))

(** val small_number : Uint63.t -> line **)

let small_number n =
  if ltb0 n (Uint63.of_int (10))
  then (add0 (Uint63.of_int (48)) n) :: []
  else (add0 (Uint63.of_int (48)) (div0 n (Uint63.of_int (10)))) :: (
         (add0 (Uint63.of_int (48)) (mod0 n (Uint63.of_int (10)))) :: [])

(** val show_empty : Uint63.t -> line **)

let show_empty n =
  if eqb0 n (Uint63.of_int (0)) then [] else small_number n

(** val show_rows :
    Uint63.t -> entry list -> filling -> Uint63.t -> Uint63.t -> line **)

let rec show_rows columns l f col0 empty0 =
  match l with
  | [] -> show_empty empty0
  | e :: l0 ->
    let at_end = eqb0 col0 columns in
    let col1 =
      if at_end then (Uint63.of_int (1)) else add0 col0 (Uint63.of_int (1))
    in
    let before = if at_end then app (show_empty empty0) (slash :: []) else []
    in
    let empty1 = if at_end then (Uint63.of_int (0)) else empty0 in
    if has e.em (stones_set f Black)
    then app before
           (app (show_empty empty1)
             ((Uint63.of_int (98)) :: (show_rows columns l0 f col1
                                        (Uint63.of_int (0)))))
    else if has e.em (stones_set f White)
         then app before
                (app (show_empty empty1)
                  ((Uint63.of_int (119)) :: (show_rows columns l0 f col1
                                              (Uint63.of_int (0)))))
         else app before
                (show_rows columns l0 f col1
                  (add0 empty1 (Uint63.of_int (1))))

(** val w_black : Uint63.t list **)

let w_black =
  (Uint63.of_int (66)) :: ((Uint63.of_int (108)) :: ((Uint63.of_int (97)) :: ((Uint63.of_int (99)) :: ((Uint63.of_int (107)) :: []))))

(** val w_white : Uint63.t list **)

let w_white =
  (Uint63.of_int (87)) :: ((Uint63.of_int (104)) :: ((Uint63.of_int (105)) :: ((Uint63.of_int (116)) :: ((Uint63.of_int (101)) :: []))))

(** val w_wins : Uint63.t list **)

let w_wins =
  (Uint63.of_int (32)) :: ((Uint63.of_int (119)) :: ((Uint63.of_int (105)) :: ((Uint63.of_int (110)) :: ((Uint63.of_int (115)) :: ((Uint63.of_int (32)) :: [])))))

(** val w_to_move : Uint63.t list **)

let w_to_move =
  (Uint63.of_int (32)) :: ((Uint63.of_int (116)) :: ((Uint63.of_int (111)) :: ((Uint63.of_int (32)) :: ((Uint63.of_int (109)) :: ((Uint63.of_int (111)) :: ((Uint63.of_int (118)) :: ((Uint63.of_int (101)) :: ((Uint63.of_int (44)) :: ((Uint63.of_int (32)) :: ((Uint63.of_int (111)) :: ((Uint63.of_int (110)) :: ((Uint63.of_int (32)) :: ((Uint63.of_int (116)) :: ((Uint63.of_int (104)) :: ((Uint63.of_int (101)) :: ((Uint63.of_int (32)) :: ((Uint63.of_int (98)) :: ((Uint63.of_int (111)) :: ((Uint63.of_int (97)) :: ((Uint63.of_int (114)) :: ((Uint63.of_int (100)) :: ((Uint63.of_int (32)) :: []))))))))))))))))))))))

(** val w_with : Uint63.t list **)

let w_with =
  (Uint63.of_int (32)) :: ((Uint63.of_int (119)) :: ((Uint63.of_int (105)) :: ((Uint63.of_int (116)) :: ((Uint63.of_int (104)) :: ((Uint63.of_int (32)) :: [])))))

(** val show_player : player -> line **)

let show_player = function
| Black -> w_black
| White -> w_white

(** val show : env -> claim -> line **)

let show e cl =
  let columns = small_int e.the_board.cols in
  app (show_player cl.winner)
    (app w_wins
      (app
        (show_rows columns e.entries (start cl) (Uint63.of_int (0))
          (Uint63.of_int (0)))
        (app w_with
          (app (show_player cl.mover)
            (app w_to_move
              (app (small_number (small_int e.the_board.rows))
                (app ((Uint63.of_int (120)) :: []) (small_number columns))))))))
