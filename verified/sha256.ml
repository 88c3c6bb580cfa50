(* SHA-256 of the first [length] bytes of a string, as 64 hexadecimal digits. *)

let k =
  [| 0x428a2f98; 0x71374491; 0xb5c0fbcf; 0xe9b5dba5; 0x3956c25b; 0x59f111f1; 0x923f82a4; 0xab1c5ed5;
     0xd807aa98; 0x12835b01; 0x243185be; 0x550c7dc3; 0x72be5d74; 0x80deb1fe; 0x9bdc06a7; 0xc19bf174;
     0xe49b69c1; 0xefbe4786; 0x0fc19dc6; 0x240ca1cc; 0x2de92c6f; 0x4a7484aa; 0x5cb0a9dc; 0x76f988da;
     0x983e5152; 0xa831c66d; 0xb00327c8; 0xbf597fc7; 0xc6e00bf3; 0xd5a79147; 0x06ca6351; 0x14292967;
     0x27b70a85; 0x2e1b2138; 0x4d2c6dfc; 0x53380d13; 0x650a7354; 0x766a0abb; 0x81c2c92e; 0x92722c85;
     0xa2bfe8a1; 0xa81a664b; 0xc24b8b70; 0xc76c51a3; 0xd192e819; 0xd6990624; 0xf40e3585; 0x106aa070;
     0x19a4c116; 0x1e376c08; 0x2748774c; 0x34b0bcb5; 0x391c0cb3; 0x4ed8aa4a; 0x5b9cca4f; 0x682e6ff3;
     0x748f82ee; 0x78a5636f; 0x84c87814; 0x8cc70208; 0x90befffa; 0xa4506ceb; 0xbef9a3f7; 0xc67178f2 |]

let mask = 0xffffffff
let turn x n = ((x lsr n) lor (x lsl (32 - n))) land mask

let hex (text : string) (length : int) : string =
  let blocks = (length + 9 + 63) / 64 in
  let byte i =
    if i < length then Char.code (String.unsafe_get text i)
    else if i = length then 0x80
    else
      let from_end = (blocks * 64) - 1 - i in
      if from_end < 8 then ((length * 8) lsr (8 * from_end)) land 255 else 0
  in
  let h =
    [| 0x6a09e667; 0xbb67ae85; 0x3c6ef372; 0xa54ff53a; 0x510e527f; 0x9b05688c; 0x1f83d9ab; 0x5be0cd19 |]
  in
  let w = Array.make 64 0 in
  for block = 0 to blocks - 1 do
    let at = block * 64 in
    for i = 0 to 15 do
      let b j = byte (at + (4 * i) + j) in
      w.(i) <- (b 0 lsl 24) lor (b 1 lsl 16) lor (b 2 lsl 8) lor b 3
    done;
    for i = 16 to 63 do
      let x = w.(i - 15) and y = w.(i - 2) in
      let s0 = turn x 7 lxor turn x 18 lxor (x lsr 3) and s1 = turn y 17 lxor turn y 19 lxor (y lsr 10) in
      w.(i) <- (w.(i - 16) + s0 + w.(i - 7) + s1) land mask
    done;
    let s = Array.copy h in
    for i = 0 to 63 do
      let a = s.(0) and e = s.(4) in
      let big1 = turn e 6 lxor turn e 11 lxor turn e 25 in
      let choice = (e land s.(5)) lxor (lnot e land mask land s.(6)) in
      let one = (s.(7) + big1 + choice + k.(i) + w.(i)) land mask in
      let big0 = turn a 2 lxor turn a 13 lxor turn a 22 in
      let majority = (a land s.(1)) lxor (a land s.(2)) lxor (s.(1) land s.(2)) in
      Array.blit s 0 s 1 7;
      s.(4) <- (s.(4) + one) land mask;
      s.(0) <- (one + big0 + majority) land mask
    done;
    Array.iteri (fun i x -> h.(i) <- (h.(i) + x) land mask) s
  done;
  String.concat "" (Array.to_list (Array.map (Printf.sprintf "%08x") h))
