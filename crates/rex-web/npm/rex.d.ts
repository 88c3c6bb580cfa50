// What docs/api.md says, as types.

/** A player. */
export type Player = 'black' | 'white';
/** The name of a cell: a letter for the column and a number for the row, such as `d1`. */
export type Cell = string;
/** What a move is worth to the player who makes it. */
export type Value = 'win' | 'loss' | 'unknown';
/** Which limit ended a search. */
export type StopReason = 'time' | 'nodes' | 'interrupt';

/** Who wins a position, by which move. */
export interface Solution {
  v: 1;
  position: string;
  to_move: Player;
  /** Null if a limit ended the search. */
  winner: Player | null;
  /** The winner's move, or the loser's move that is hardest to refute. */
  best: Cell | null;
  /** The line of play. */
  pv: Cell[];
  /** Why that line ends. */
  pv_end?: 'over' | 'fill-in' | 'pairing' | 'symmetry' | 'unknown';
  nodes: number;
  /** Moves that were decided without a visit. */
  struck: number;
  seconds: number;
  stopped?: StopReason;
  /** With `verdict_only`: symmetry says who wins, but not how. */
  existence?: true;
}

/** The same with the value of every move. */
export interface Moves extends Solution {
  moves: Record<Cell, Value>;
  /** A winning reply to each losing move. */
  refutations: Record<Cell, Cell>;
  /** How many replies refute each losing move, if that was asked for. */
  replies?: Record<Cell, number>;
  /** Of a stream: whether the replies are being counted. */
  counting?: boolean;
}

export interface Pairing {
  loser: Player;
  pairs: [Cell, Cell][];
  key: Cell | null;
}

/** What a cell is. */
export interface CellKind {
  is: 'stone' | 'dead stone' | 'dead' | 'captured' | 'filled' | 'dominated' | 'own key' | 'open';
  player?: Player;
  better?: Cell;
  theorem?: number;
  key_of?: Player;
  mate?: { of: Player; cell: Cell };
}

/** What is known of a position without search. */
export interface Explanation {
  v: 1;
  position: string;
  to_move: Player;
  last: Player;
  winner: Player | null;
  reason: 'joined' | 'fill-in' | 'symmetry' | 'join pairing' | 'pre-join pairing' | null;
  fill: ({ kind: 'dead' | 'dead-stone' | 'captured' | 'decomposition' | 'mutual' } & Record<string, unknown>)[];
  filled: string;
  dead: Cell[];
  captured: Record<Player, Cell[]>;
  dominated: { cell: Cell; better: Cell; theorem: number }[];
  pairings: Pairing[];
  own_keys: Cell[];
  cells: Record<Cell, CellKind>;
}

/** A move against a player. */
export interface Choice {
  v: 1;
  position: string;
  /** Null if the game is over. */
  move: Cell | null;
  winner: Player | null;
  replies: number | null;
}

/** A game: a position, a tree of moves, and the current place in it. */
export interface Game {
  position: string;
  moves?: string;
  at?: number;
  /** By the number of the place. */
  comments?: [number, string][];
  /** The names of the players, where they are known. */
  black?: string;
  white?: string;
}

/** What a picture shows besides stones. */
export interface Shown {
  pairs?: [Cell, Cell][];
  key?: Cell;
  /** Cells that count as stones, with the player's letter. */
  filled?: [Cell, 'b' | 'w'][];
  /** Moves that are not played yet. */
  line?: Cell[];
}

/** The winner's moves against the longest resistance, up to where the theory decides. */
export interface Line {
  v: 1;
  position: string;
  /** Null if a limit ended the search. */
  winner: Player | null;
  line: Cell[];
  /** Why it ends there; null if a limit cut it off. */
  end: 'over' | 'fill-in' | 'pairing' | 'symmetry' | 'unknown' | null;
  /** What the theory says of the position where it ends. */
  there: Explanation;
  stopped?: StopReason;
}

/** A game that was read; or what the text does not say. */
export type Imported = (Game & Required<Pick<Game, 'position' | 'moves' | 'at'>> & { note?: string; missing?: undefined }) | { v: 1; missing: 'to_move' };

/** A game in every notation. */
export interface Exported {
  v: 1;
  ren: string;
  moves: string | null;
  hexworld: string;
  sgf: string;
  diagram: string;
  svg: string;
}

/** What a certificate proves. */
export interface Checked {
  v: 1;
  position: string;
  to_move: Player;
  winner: Player;
  rules: 'explicit' | 'full';
  claims: number;
  by_rule: Record<string, number>;
  most_live: number;
  bytes: number;
  file_bytes: number;
  check_seconds: number;
  /** If it is kept: its name, and the number of the claim that all others lead to. */
  certificate?: string;
  root?: number;
  error?: undefined;
}

/** The symmetry through which a claim is seen. */
export type View = 'identity' | 'rotation' | 'transpose' | 'antitranspose';

/** A claim that another one rests on: after a move, or about another position. */
export interface Premise {
  claim: number;
  view: View;
  move?: Cell;
  position?: string;
}

/** A claim of a certificate: who wins a position, by which rule. */
export interface Claim {
  v: 1;
  claim: number;
  view: View;
  position: string;
  to_move: Player;
  last: Player;
  winner: Player;
  rule: 'joined' | 'move' | 'all' | 'pairs' | 'mirror' | 'image' | 'fill' | 'worse';
  /** Of `all`: moves that connect the loser's own sides, and moves that are no better than others. */
  joins?: Cell[];
  dominated?: { cell: Cell; better: Cell; theorem: 6 | 7 | 8; pairs?: [Cell, Cell][] }[];
  /** Of `pairs`. */
  pairs?: [Cell, Cell][];
  key?: Cell | null;
  /** Of `mirror` and `image`. */
  symmetry?: View;
  /** Of `fill`. */
  steps?: (
    | { kind: 'dead'; cells: Cell[] }
    | { kind: 'captured'; player: Player; pairs: [Cell, Cell][] }
    | { kind: 'mutual'; black: Cell; white: Cell }
  )[];
  premises: Premise[];
  /** As it is in the file. */
  line: string;
}

/** What a certificate answers. */
export interface Reply {
  v: 1;
  /** Where the game goes on. */
  claim: number;
  view: View;
  position: string;
  to_move: Player;
  /** Null if the game is over. */
  move: Cell | null;
  winner: Player;
}

/** Why a file is not a proof. */
export interface CheckFailure {
  v: 1;
  error: string;
  line: number;
}

/** A certificate. Without `file` if a limit ended the search or the proof; `stopped` then says which. */
export type Proved =
  | (Checked & { solve_seconds: number; prove_seconds: number; file: Uint8Array; stopped?: undefined })
  | { v: 1; position: string; winner: Player | null; stopped?: StopReason; file?: undefined };

/** How a search is doing. */
export interface Progress {
  nodes?: number;
  seconds?: number;
  line?: Cell[];
  /** Of a stream: solved moves, and moves in all. */
  decided?: number;
  moves?: number;
  /** Of a certificate: claims found or checked, and bytes checked. */
  claims?: number;
  bytes?: number;
  /** Of a check: bytes of the file that were read, and in all. */
  read?: number;
  file_bytes?: number;
}

/** What a request says before its answer. */
export interface Events {
  start: { v: 1; position: string };
  verdict: { winner: Player };
  progress: Progress;
  /** How likely the net thinks each move wins, from 0 to 1. */
  opinion: { moves: Record<Cell, number> };
  move: { cell: Cell; value: Value; joins: boolean; nodes: number };
  done: Moves;
  /** How many winning moves the winner has next; after a winning move, against the hardest `reply`. */
  grade: { cell: Cell; value: Value; winning: number; of: number; reply?: Cell };
  replies: Moves;
  answer: object;
  failed: { error: string };
  file: Uint8Array;
}

export interface Limits {
  nodes?: number;
  seconds?: number;
}

/** How a request runs. */
export interface Control {
  onEvent?: <Name extends keyof Events>(name: Name, data: Events[Name]) => void;
  /** Rest after this many milliseconds, again and again. Without it, and without a signal, the thread is busy until the answer. */
  slice?: number;
  /** Ends the request. */
  signal?: AbortSignal;
}

/** Bytes for the table of one board, unless `load` says otherwise. */
export const MEMORY: number;

/** The module stopped: a bug, or no memory left. It cannot be used any more. */
export class Stopped extends Error {}

/** Why this browser cannot run the solver; empty if it can. */
export function unfit(): string;

/** Compiles the module: a URL, a response, its bytes, or a compiled one; without any, `rex.wasm` beside `rex.js`. */
export function compile(source?: string | URL | Response | BufferSource | WebAssembly.Module): Promise<WebAssembly.Module>;

/** A solver. Its tables stay warm from request to request. */
export class Rex {
  static load(options?: {
    source?: Parameters<typeof compile>[0];
    /** Bytes for the table of one board; tables of two boards are kept. Smaller if there is less. */
    memory?: number;
    /** Whether openings are looked up in the book instead of searched; they are, unless this is false. */
    book?: boolean;
  }): Promise<Rex>;

  /** Who wins, by which move, and the line of play. */
  solve(position: string, options?: Limits & { verdict_only?: boolean }, control?: Control): Promise<Solution>;
  /** The value of every move. */
  moves(position: string, options?: Limits & { replies?: boolean }, control?: Control): Promise<Moves>;
  /** The value of every move, the easy ones first, each as an event. At most five minutes. */
  stream(position: string, options?: Limits & { replies?: boolean }, control?: Control): Promise<Moves>;
  /** What is known without search. */
  explain(position: string): Promise<Explanation>;
  /** The line of play, after at most ten seconds. */
  line(position: string, control?: Control): Promise<Line>;
  /** A move against a player, after at most ten seconds. */
  move(position: string, options?: { level?: 'novice' | 'casual' | 'skilled' | 'expert' | 'perfect'; seed?: number }, control?: Control): Promise<Choice>;
  /** A game from any notation. */
  import(text: string, options?: { board?: string; to_move?: Player }): Promise<Imported>;
  /** A game in every notation. */
  export(game: Game & Shown): Promise<Exported>;
  /** A certificate of who wins. With `keep`, `claim` and `reply` can read it, until the next one is kept. */
  prove(position: string, options?: { explicit?: boolean; compressed?: boolean; keep?: boolean; seconds?: number }, control?: Control): Promise<Proved>;
  /** Whether these bytes are a proof. */
  check(file: Uint8Array, control?: Control & { keep?: boolean }): Promise<Checked | CheckFailure>;
  /** What a claim of the kept certificate says; without `claim`, the root. */
  claim(certificate: string, at?: { claim?: number; view?: View }): Promise<Claim>;
  /** How the kept certificate answers a move of the loser; without `move`, it is the winner's turn. */
  reply(certificate: string, at: { claim?: number; view?: View; position?: string; move?: Cell }): Promise<Reply>;

  /** The same step by step: takes a request as `docs/embedding.md` describes, and returns the number of its job. */
  begin(request: object, listener: (name: string, data: unknown) => void, file?: Uint8Array): number;
  /** Works on a job for about this many milliseconds. Returns whether it is finished. */
  step(job: number, slice?: number): boolean;
  /** Forgets a job. What it found is kept for the next one. */
  end(job: number): void;
}
