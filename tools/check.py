#!/usr/bin/env python3
"""Checks certificates: proofs of who wins a position of Rex, which is Hex in which the player who joins her sides has lost.

This program was written from docs/certificate.md alone, by someone who had not seen the code of the other checkers.
It follows that page from top to bottom and uses its words. The page also says why the tests are enough.

A file that holds gives one line. For a file that does not, a message on standard error names the line and the claim.
Exit status: 0 if all files hold, 1 if one does not, 2 if one cannot be read.

example:
  python3 tools/check.py docs/proofs/7x7/c4.cert
  zstd -dc docs/proofs/7x7/b3.cert.zst | python3 tools/check.py /dev/stdin
"""

import argparse
import hashlib
import re
import sys
from collections import Counter
from itertools import product
from typing import NamedTuple

BYTES, CLAIMS, PAIRING = 16_384, 4_000_000, 20_000    # at most so many in a line, to remember, steps for a pairing
BLACK, WHITE = 0, 1                                   # the opponent of X is 1 - X
PLAYERS = {"b": BLACK, "w": WHITE}
NAMES = ("Black", "White")


class Refused(Exception):
    """The certificate does not hold, for this reason."""


def need(condition, reason):
    if not condition:
        raise Refused(reason)


def quote(text):
    """Words of the file, fit to be printed."""
    return ascii(text if len(text) <= 40 else text[:40] + "...")


# A set of cells is a number: bit c is set if cell c is in the set. So | is union, & is intersection, & ~ is difference.
# `near` says which cells are neighbours: near[c] is the set of the neighbours of c.

def cells_of(cells):
    """The cells of a set, one by one."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


def set_of(cells):
    """The set of some different cells."""
    return sum(1 << c for c in cells)


def around(cells, near):
    """All neighbours of the cells of a set."""
    found = 0
    for c in cells_of(cells):
        found |= near[c]
    return found


def connected(start, within, near):
    """The cells of `within` that are connected to a cell of `start`, over neighbours in `within`."""
    found = new = start & within
    while new:
        lowest = new & -new
        more = near[lowest.bit_length() - 1] & within & ~found
        found |= more
        new = new ^ lowest | more
    return found


# ---------------------------------------------------------------------------------------------- The board

class Board:
    """Cells have the numbers 0, 1, ... row by row. `touch` says which ones touch; `sides` has each player's two sides."""

    def __init__(self, rows, columns):
        self.rows, self.columns, self.all = rows, columns, (1 << rows * columns) - 1
        self.places = [(r, c) for r in range(rows) for c in range(columns)]
        self.number = {"abcdefghijklmnopqrstuvwxyz"[c] + str(r + 1): i for i, (r, c) in enumerate(self.places)}
        steps = ((0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1))    # the last two: upper right, lower left
        self.touch = [self.at((r + i, c + j) for i, j in steps) for r, c in self.places]
        top, bottom = (self.at((r, c) for c in range(columns)) for r in (0, rows - 1))
        left, right = (self.at((r, c) for r in range(rows)) for c in (0, columns - 1))
        self.sides = ((top, bottom), (left, right))    # Black's, White's

    def at(self, places):
        """The set of the cells at these places, as far as they are on the board."""
        return set_of(r * self.columns + c for r, c in places if 0 <= r < self.rows and 0 <= c < self.columns)

    def joined(self, X, stones):
        """Is X joined? Stones are a pair of sets, Black's and White's."""
        one, other = self.sides[X]
        return connected(one, stones[X], self.touch) & other != 0

    def image(self, symmetry, cells):
        """Where a symmetry takes a set of cells."""
        rows, columns = self.rows, self.columns
        take = {"identity": lambda r, c: (r, c),
                "rotation": lambda r, c: (rows - 1 - r, columns - 1 - c),
                "transpose": lambda r, c: (c, r),
                "antitranspose": lambda r, c: (rows - 1 - c, rows - 1 - r)}.get(symmetry)
        need(take and (rows == columns or symmetry not in REFLECTIONS), f"the board has no symmetry {quote(symmetry)}")
        return self.at(take(*self.places[c]) for c in cells_of(cells))


REFLECTIONS = ("transpose", "antitranspose")    # these swap the colours


# ---------------------------------------------------------------------------------------------- Form

class Claim(NamedTuple):
    """The winner has a winning strategy from this position with this side to move."""
    stones: tuple    # Black's, White's
    to_move: int
    winner: int


def read_player(word):
    need(word in PLAYERS, f"{quote(word)} is not a player")
    return PLAYERS[word]


def read_cell(board, word):
    need(word in board.number, f"{quote(word)} is not a cell of the board")
    return board.number[word]


def read_pairs(board, text):
    """Pairs of cells, such as a1-b1,c2-c3."""
    halves = [pair.partition("-") for pair in text.split(",")]
    return [(read_cell(board, a), read_cell(board, b)) for a, _, b in halves]


def read_id(word):
    good = re.fullmatch("[1-9][0-9]{0,9}", word) and int(word) <= 4_294_967_295
    need(good, f"{quote(word)} is not the number of a claim")
    return int(word)


def read_stones(board, text):
    """The stones of a position, such as 1b1w/3w/w2b/2b1."""
    rows, stones = text.split("/"), [0, 0]
    need(len(rows) == board.rows, f"{quote(text)} has not {board.rows} rows")
    for r, row in enumerate(rows):
        column = 0
        for part in re.findall("[0-9]+|[^0-9]", row):
            if part in PLAYERS:
                stones[PLAYERS[part]] |= 1 << r * board.columns + column
                column += 1
            else:
                need(re.fullmatch("[1-9][0-9]?", part), f"{quote(part)} is wrong in row {r + 1} of the position")
                column += int(part)
        need(column == board.columns, f"row {r + 1} of the position has not {board.columns} cells")
    return tuple(stones)


def write_stones(board, stones):
    """Writes a position in the same way."""
    signs = ["b" if stones[BLACK] >> c & 1 else "w" if stones[WHITE] >> c & 1 else "." for c in range(len(board.places))]
    rows = ["".join(signs[i:i + board.columns]) for i in range(0, len(signs), board.columns)]
    return re.sub("[.]+", lambda empty: str(len(empty.group())), "/".join(rows))


class Certificate:
    """A certificate: its board, its rules, its root, and, while it is read, the claims that have not been dropped."""

    def __init__(self, file):
        self.file, self.line, self.sha256 = file, 0, hashlib.sha256()
        self.claims, self.newest, self.count = {}, 0, Counter()

    def next_line(self):
        """The next line, without its line feed."""
        self.line += 1
        line = self.file.readline(BYTES + 2)
        need(line, "the file ends too early")
        need(len(line.rstrip(b"\n")) <= BYTES, f"gave up, the line has more than {BYTES:,} bytes")
        need(line.endswith(b"\n"), "the line does not end with a line feed")
        need(not line.endswith(b"\r\n"), "the line ends with a carriage return and a line feed; expected a line feed alone")
        self.sha256.update(line)
        return line[:-1].decode("latin-1")    # this takes any bytes; the tests below pass ASCII only

    def check(self):
        """Reads the file and checks everything in it."""
        need(self.next_line() == "rex-certificate 1", "expected: rex-certificate 1")
        size = re.fullmatch("board ([1-9][0-9]?)x([1-9][0-9]?)", self.next_line())
        need(size, "expected: board ROWSxCOLUMNS")
        rows, columns = int(size[1]), int(size[2])
        need(columns <= 26 and rows * columns <= 64, "a board has at most 26 columns and at most 64 cells")
        rules = re.fullmatch("rules (full|explicit)", self.next_line())
        need(rules, "expected: rules full, or: rules explicit")
        self.board, self.rules, self.root = Board(rows, columns), rules[1], None
        while not self.root:
            word, *words = self.next_line().split(" ")
            if word == "root":
                need(len(words) == 1, "expected: root ID")
                self.root = self.claim(words[0])
            elif word == "drop":
                need(words, "expected: drop ID ...")
                for name in words:
                    self.claim(name)
                    del self.claims[int(name)]
            else:
                self.check_claim(read_id(word), words)
        digest = self.sha256.hexdigest()
        need(self.next_line() == "sha256 " + digest, f"expected: sha256 {digest}")
        self.line += 1
        need(not self.file.read(1), "something follows the digest")

    def check_claim(self, number, words):
        """Reads a claim, checks it, and remembers it."""
        try:
            need(number > self.newest, f"claim {self.newest} came before it, and numbers must increase")
            need(len(words) >= 4, "expected: ID POSITION PLAYER PLAYER RULE")
            position, to_move, winner, rule, *words = words
            claim = Claim(read_stones(self.board, position), read_player(to_move), read_player(winner))
            need(rule in RULES, f"there is no rule {quote(rule)}")
            need(self.rules == "full" or rule in EXPLICIT, f"rules explicit do not have the rule {rule}")
            for X in (BLACK, WHITE):
                need(rule == "joined" or not self.board.joined(X, claim.stones), f"{NAMES[X]} is joined: use joined")
            RULES[rule](self, claim, words)
            need(len(self.claims) < CLAIMS, f"gave up, there are more than {CLAIMS:,} claims to remember")
        except Refused as reason:
            raise Refused(f"claim {number}: {reason}") from None
        self.claims[number], self.newest = claim, number
        self.count[rule] += 1

    def claim(self, word):
        """The claim with this number. It must be an earlier one that has not been dropped."""
        number = read_id(word)
        need(number in self.claims, f"{number} is not an earlier claim, or it was dropped")
        return self.claims[number]


# ---------------------------------------------------------------------------------------------- What a claim says

def empty_cells(board, stones):
    return board.all & ~(stones[BLACK] | stones[WHITE])


def last(board, claim):
    """Last is the player who would colour the last empty cell."""
    odd = bin(empty_cells(board, claim.stones)).count("1") % 2
    return claim.to_move if odd else 1 - claim.to_move


def put(stones, X, cells):
    """These stones, and stones of X's on these cells."""
    black, white = stones
    return (black | cells, white) if X == BLACK else (black, white | cells)


def all_different(cells, within):
    """Are these cells all different, and in the set `within`?"""
    return len(set(cells)) == len(cells) and all(within >> c & 1 for c in cells)


# ---------------------------------------------------------------------------------------------- The rules

def rule_joined(cert, claim, words):
    """joined: the loser is joined."""
    need(not words, "expected: joined")
    need(cert.board.joined(1 - claim.winner, claim.stones), "the loser is not joined")


def rule_move(cert, claim, words):
    """move CELL ID: the winner moves there, and the claim is about the position after it."""
    need(len(words) == 2, "expected: move CELL ID")
    cell = 1 << read_cell(cert.board, words[0])
    need(claim.to_move == claim.winner, "the winner is not to move")
    need(cell & empty_cells(cert.board, claim.stones), f"{words[0]} is not empty")
    check_next(cert, claim, cell, words[1])


def check_next(cert, claim, cell, name):
    """The claim of this name is about the position after a move to the cell, and has the same winner."""
    after = Claim(put(claim.stones, claim.to_move, cell), 1 - claim.to_move, claim.winner)
    need(cert.claim(name) == after, f"claim {name} is not about the position after this move, or has another winner")


def rule_all(cert, claim, words):
    """all ANSWERS: the loser is to move, and every empty cell is answered, exactly once."""
    board, X, empty, answered = cert.board, claim.to_move, empty_cells(cert.board, claim.stones), 0
    need(X != claim.winner, "the loser is not to move")
    for word in words:
        name, sign, answer = re.fullmatch("([^<=]*)([<=]?)(.*)", word, re.DOTALL).groups()
        cell = 1 << read_cell(board, name)
        need(cell & empty & ~answered, f"{name} is answered, but is not empty, or was answered before")
        if sign == "<":
            need(cert.rules == "full", "rules explicit do not have answers with <")
            better, _, reason = answer.partition(":")
            c = 1 << read_cell(board, better)
            need(c & answered, f"{better} is not answered further left than {name}")
            need(at_least_as_good(board, claim.stones, X, cell, c, reason), f"{quote(word)} is not so")
        elif answer == "joins":
            need(board.joined(X, put(claim.stones, X, cell)), f"{name} does not join her sides")
        else:
            check_next(cert, claim, cell, answer)
        answered |= cell
    need(answered == empty, "a move is not answered")


def at_least_as_good(board, stones, X, k, c, reason):
    """k<c:reason. X is to move, c and k are different empty cells, and nothing is settled."""
    open_cells = empty_cells(board, stones) & ~k
    if reason == "6":    # c is found dead with X's stone on k
        return found_dead(board, put(stones, X, k), open_cells, c)
    if reason == "7":    # c is found dead with her opponent's stone on k
        return found_dead(board, put(stones, 1 - X, k), open_cells, c)
    need(reason.startswith("8:"), f"there is no reason {quote(reason)}")
    pairs = read_pairs(board, reason[2:])    # with her stone on k, X captures these pairs, and c is in one of them
    return any(c >> d & 1 for d in sum(pairs, ())) and captures(board, put(stones, X, k), open_cells, X, pairs)


def rule_pairs(cert, claim, words):
    """pairs PAIRS, pairs PAIRS key CELL: there is no path for the winner."""
    board, winner = cert.board, claim.winner
    need(len(words) == 1 or len(words) == 3 and words[1] == "key", "expected: pairs PAIRS, or: pairs PAIRS key CELL")
    pairs = [] if words[0] == "-" else read_pairs(board, words[0])
    key = tuple(read_cell(board, word) for word in words[2:])
    need(all_different(sum(pairs, key), empty_cells(board, claim.stones)), "the cells are not all empty and different")
    need(not key or last(board, claim) != winner, "there is a key, but the loser is not Last")
    mate = [0] * len(board.places)    # the mate of each cell, as a set; empty if it is in no pair
    for a, b in pairs:
        mate[a], mate[b] = 1 << b, 1 << a
    check_no_path(board, winner, board.all & ~claim.stones[1 - winner] & ~set_of(key), mate)


def check_no_path(board, winner, area, mate):
    """Follows paths through the area from the winner's first side, step by step, until all have ended."""
    first, second = board.sides[winner]
    H = connected(first, free(area, mate), board.touch)
    area &= ~H
    steps, to_do = 0, [(H, area, area & (around(H, board.touch) | first))]
    while to_do:    # N has the cells of the area that touch a cell of H, and in the first step those of the first side
        H, area, N = to_do.pop()
        steps += 1
        need(steps <= PAIRING, f"gave up, the pairing takes more than {PAIRING:,} steps")
        if not (H | connected(N, area, board.touch)) & second:
            continue    # all these paths end here
        need(not (H | N) & second, "the winner has a path with at most one cell of each pair")
        for c in cells_of(N):    # the last cell in N of a path that goes on
            rest = area & ~N & ~mate[c]
            H = 1 << c | connected(board.touch[c], free(rest, mate), board.touch)
            rest &= ~H
            to_do.append((H, rest, rest & around(H, board.touch)))


def free(area, mate):
    """The cells of the area that are in no pair, or whose mate is not in the area."""
    return area & ~around(area, mate)


def rule_mirror(cert, claim, words):
    """mirror SYMMETRY: the winner is Notlast, and a reflection takes each of her stones to a stone of Last's."""
    need(len(words) == 1, "expected: mirror SYMMETRY")
    image = cert.board.image(words[0], claim.stones[claim.winner])
    need(words[0] in REFLECTIONS, f"{words[0]} is not a reflection")
    need(last(cert.board, claim) != claim.winner, "the winner is Last")
    need(not image & ~claim.stones[1 - claim.winner], "a stone of the winner's has no mirror image")


def rule_image(cert, claim, words):
    """image SYMMETRY ID: the claim is about the image of this position, side to move and winner."""
    need(len(words) == 2, "expected: image SYMMETRY ID")
    black, white = (cert.board.image(words[0], cells) for cells in claim.stones)
    image = Claim((black, white), claim.to_move, claim.winner)
    if words[0] in REFLECTIONS:
        image = Claim((white, black), 1 - claim.to_move, 1 - claim.winner)
    need(cert.claim(words[1]) == image, f"claim {words[1]} is not about the image")


def rule_worse(cert, claim, words):
    """worse ID: the claim has the same winner and Last, all the winner's stones, and no more of the loser's."""
    need(len(words) == 1, "expected: worse ID")
    there = same_winner_and_last(cert, claim, words[0])
    need(not claim.stones[claim.winner] & ~there.stones[claim.winner], "the winner lacks a stone there")
    need(not there.stones[1 - claim.winner] & ~claim.stones[1 - claim.winner], "the loser has one more stone there")


def same_winner_and_last(cert, claim, name):
    there = cert.claim(name)
    need(there.winner == claim.winner, f"claim {name} has another winner")
    need(last(cert.board, there) == last(cert.board, claim), f"claim {name} has another Last")
    return there


def rule_fill(cert, claim, words):
    """fill STEPS ID: the steps hold, and on cells that they have not settled the claim has what they led to."""
    need(words, "expected: fill STEPS ID")
    filling = Filling(claim.stones, empty_cells(cert.board, claim.stones), 0)
    for step in words[:-1]:
        kind, _, rest = step.partition(":")
        need(kind in STEPS, f"there is no step {quote(step)}")
        filling = STEPS[kind](cert.board, filling, rest)
    there = same_winner_and_last(cert, claim, words[-1])
    need(tuple(cells & ~filling.settled for cells in there.stones) == filling.stones, "the steps led to something else")


EXPLICIT = {"joined": rule_joined, "move": rule_move, "all": rule_all, "pairs": rule_pairs, "image": rule_image}
RULES = {**EXPLICIT, "mirror": rule_mirror, "worse": rule_worse, "fill": rule_fill}


# ---------------------------------------------------------------------------------------------- Fill-in

class Filling(NamedTuple):
    """Each cell has a stone, is open, or is settled."""
    stones: tuple    # Black's, White's
    open: int
    settled: int


# A step takes a filling to the next one.

def step_dead(board, filling, text):
    """dead:CELLS. Stones on them are removed. The cells are found dead, and are then settled."""
    cells = [read_cell(board, word) for word in text.split(",")]
    need(all_different(cells, board.all & ~filling.settled), f"dead: {quote(text)} has a cell twice, or a settled one")
    named = set_of(cells)
    stones = tuple(some & ~named for some in filling.stones)
    open_cells = filling.open | named
    if stones != filling.stones:    # a stone was removed, so for this test the settled cells are open as well
        open_cells |= filling.settled
    need(found_dead(board, stones, open_cells, named), f"{quote(text)} are not all found dead")
    return Filling(stones, filling.open & ~named, filling.settled | named)


def step_captured(board, filling, text):
    """captured:X:PAIRS. X captures the pairs. Then she has stones on all their cells."""
    player, _, rest = text.partition(":")
    X, pairs = read_player(player), read_pairs(board, rest)
    need(captures(board, filling.stones, filling.open, X, pairs), f"{NAMES[X]} does not capture {quote(rest)}")
    cells = set_of(sum(pairs, ()))
    return Filling(put(filling.stones, X, cells), filling.open & ~cells, filling.settled)


def captures(board, stones, open_cells, X, pairs):
    """With X's stones on one cell of each pair, whichever she chooses, the other cells are all found dead."""
    if len(pairs) > 6 or not all_different(sum(pairs, ()), open_cells):
        return False
    cells = set_of(sum(pairs, ()))
    chosen = [set_of(choice) for choice in product(*pairs)]
    return all(found_dead(board, put(stones, X, hers), open_cells & ~hers, cells & ~hers) for hers in chosen)


def step_mutual(board, filling, text):
    """mutual:a-a',b-b'. With White on b Black captures a-a', with Black on a White b-b'. Then a and b are theirs."""
    pairs, (stones, free, settled) = read_pairs(board, text), filling
    need(len(pairs) == 2, "expected: mutual:PAIR,PAIR")
    a, b = 1 << pairs[0][0], 1 << pairs[1][0]
    need(a != b and a & free and b & free, f"mutual: {quote(text)} is not about open, different cells")
    need(captures(board, put(stones, WHITE, b), free & ~b, BLACK, pairs[:1]), f"{quote(text)}: no capture by Black")
    need(captures(board, put(stones, BLACK, a), free & ~a, WHITE, pairs[1:]), f"{quote(text)}: no capture by White")
    return Filling(put(put(stones, BLACK, a), WHITE, b), free & ~a & ~b, settled)


STEPS = {"dead": step_dead, "captured": step_captured, "mutual": step_mutual}


# ---------------------------------------------------------------------------------------------- The test for dead cells

def found_dead(board, stones, open_cells, wanted):
    """Are the wanted cells, which are open, all found dead? Cells that are not open and have no stone are settled.
    The order does not matter, so this finds the easy ones first, and stops when it has found all that are wanted."""
    if board.joined(BLACK, stones) or board.joined(WHITE, stones):
        return True
    graphs = [graph(board, stones, open_cells, X) for X in (BLACK, WHITE)]
    left = open_cells    # the cells that have not been set aside
    while wanted & left:
        found = set_of(c for c in cells_of(left) if any(surrounded(g, left, c) for g in graphs))
        if not found:
            sets = (cut_off(g, left, K) for g in graphs for K in cliques(g, left))
            found = next((cells for cells in sets if cells), 0)
        if not found:
            return False
        left &= ~found
    return True


class Graph(NamedTuple):
    near: dict    # the neighbours of each open cell
    at: list      # the cells at her one side, and at her other side


def graph(board, stones, open_cells, X):
    """The graph of player X, if nobody is joined."""
    near = {c: board.touch[c] & open_cells for c in cells_of(open_cells)}
    at = [side & open_cells for side in board.sides[X]]
    rest = stones[X]
    while rest:
        group = connected(rest & -rest, rest, board.touch)
        rest &= ~group
        border = around(group, board.touch) & open_cells
        in_sides = [i for i in (0, 1) if group & board.sides[X][i]]
        for i in in_sides:
            at[i] |= border
        for c in cells_of(border if not in_sides else 0):
            near[c] |= border & ~(1 << c)
    return Graph(near, at)


def surrounded(g, left, c):
    """c is at no more than one side, its neighbours are neighbours of each other, and at its side if it is at one."""
    neighbours = g.near[c] & left
    sides = [at for at in g.at if at >> c & 1]
    return (len(sides) < 2 and all(not neighbours & ~at for at in sides)
            and all(not neighbours & ~g.near[d] & ~(1 << d) for d in cells_of(neighbours)))


def cliques(g, left):
    """All sets of at most three cells in which any two are neighbours."""
    yield 0
    for a in cells_of(left):
        yield 1 << a
        for b in cells_of(g.near[a] & left & -(2 << a)):    # cells with a higher number
            yield 1 << a | 1 << b
            for c in cells_of(g.near[a] & g.near[b] & left & -(2 << b)):
                yield 1 << a | 1 << b | 1 << c


def cut_off(g, left, K):
    """The cells that, outside of K, are connected to no cell at either side, or to none at the side where K is not."""
    outside = left & ~K
    one, other = (connected(at, outside, g.near) for at in g.at)
    cut = outside & ~one & ~other
    if not K & ~g.at[0]:    # all of K is at the one side
        cut |= outside & ~other
    if not K & ~g.at[1]:
        cut |= outside & ~one
    return cut


# ---------------------------------------------------------------------------------------------- The program

def check_file(name):
    """Checks a file, prints what it proves or what is wrong, and gives the exit status."""
    if name.endswith(".zst"):
        print(f"{name}: is compressed, unpack it first: zstd -d", file=sys.stderr)
        return 2
    try:
        with open(name, "rb") as file:
            cert = Certificate(file)
            cert.check()
    except Refused as reason:
        print(f"{name}: line {cert.line}: {reason}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{name}: cannot be read: {error.strerror}", file=sys.stderr)
        return 2
    board, root = cert.board, cert.root
    rules = ", ".join(f"{rule} {number}" for rule, number in cert.count.most_common())
    print(f"{name}: {board.rows}x{board.columns} {write_stones(board, root.stones)}, {NAMES[root.to_move]} to move: "
          f"{NAMES[root.winner]} wins; rules {cert.rules}; claims {sum(cert.count.values()):,} ({rules})")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE", help="a certificate as text")
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")    # names of files may have any bytes
    sys.exit(max([check_file(name) for name in parser.parse_args().files]))


if __name__ == "__main__":
    main()
