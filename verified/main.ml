(* The shell around the proved checker: it reads files, cuts them into lines, and prints what the checker says.
   Usage: rex-verified FILE...    Files that end in .zst are unpacked by the program zstd; - is standard input. *)

exception Refused of int * string

let read_all channel =
  set_binary_mode_in channel true;
  let text = Buffer.create 65536 in
  (try
     while true do
       Buffer.add_channel text channel 1
     done
   with End_of_file -> ());
  Buffer.contents text

let contents file =
  if file = "-" then read_all stdin
  else if Filename.check_suffix file ".zst" then begin
    let channel = Unix.open_process_args_in "zstd" [| "zstd"; "-q"; "-d"; "-c"; "--memory=128MiB"; "--"; file |] in
    let text = read_all channel in
    match Unix.close_process_in channel with
    | Unix.WEXITED 0 -> text
    | _ -> raise (Refused (0, "zstd could not unpack it"))
  end
  else begin
    let channel = open_in_bin file in
    let text = really_input_string channel (in_channel_length channel) in
    close_in channel;
    text
  end

(* The bytes of a part of the text, as the checker takes them. *)
let bytes text first past =
  let line = ref [] in
  for i = past - 1 downto first do
    line := Char.code text.[i] :: !line
  done;
  !line

let of_bytes line = String.concat "" (List.map (fun c -> String.make 1 (Char.chr c)) line)

let check text =
  let size = String.length text in
  let rec go state number first =
    let past =
      match String.index_from_opt text first '\n' with
      | Some past -> past
      | None -> raise (Refused (number, if first = size then "the file ends too early" else "the last line does not end"))
    in
    if past - first > 16384 then raise (Refused (number, "a line of more than 16,384 bytes"));
    if past > first && text.[past - 1] = '\r' then
      raise (Refused (number, "the line ends with a carriage return and a line feed; expected a line feed alone"));
    let line = bytes text first past in
    match state with
    | Checker.Rooted _ -> (
        let digest = Sha256.hex text first in
        match Checker.verdict state line (bytes digest 0 64) with
        | None -> raise (Refused (number, "the digest does not match: the text above has sha256 " ^ digest))
        | Some _ when past + 1 < size -> raise (Refused (number + 1, "text after the end of the certificate"))
        | Some sentence -> of_bytes sentence)
    | _ -> (
        match Checker.read_line state line with
        | Checker.Failed why -> raise (Refused (number, why))
        | state -> go state (number + 1) (past + 1))
  in
  go Checker.Start 1 0

let () =
  let files = List.tl (Array.to_list Sys.argv) in
  if files = [] then begin
    prerr_endline "usage: rex-verified FILE...";
    exit 2
  end;
  let refused = ref false in
  List.iter
    (fun file ->
      match check (contents file) with
      | sentence -> Printf.printf "%s: proved: %s\n%!" file sentence
      | exception Refused (number, why) ->
          refused := true;
          Printf.printf "%s: refused: line %d: %s\n%!" file number why
      | exception Sys_error why ->
          refused := true;
          Printf.printf "%s: refused: %s\n%!" file why
      | exception Unix.Unix_error (why, _, _) ->
          refused := true;
          Printf.printf "%s: refused: zstd: %s\n%!" file (Unix.error_message why))
    files;
  if !refused then exit 1
