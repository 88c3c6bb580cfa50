#!/usr/bin/env python3
"""Checks certificates of Reverse Hex, as docs/certificate.md describes them. Plain Python 3, no packages.

    python3 tools/check.py FILE...        .cert files; unpack .cert.zst with zstd first, or name - for standard input

A set of cells is an integer: bit r * columns + c is the cell in row r and column c, both from 0. Players are 'b' and 'w'.
"""

import hashlib
import re
import sys
from itertools import product


class Refused(Exception):
    """Why a certificate is not a proof."""


def need(condition, reason):
    if not condition:
        raise Refused(reason)


def bits(cells):
    """The cells of a set, each as a set of one."""
    while cells:
        yield cells & -cells
        cells &= cells - 1


def other(player):
    return "w" if player == "b" else "b"


class Board:
    def __init__(self, rows, cols):
        need(rows >= 1 and 1 <= cols <= 26 and rows * cols <= 64, "not a board of one to 64 cells")
        self.rows, self.cols, self.all = rows, cols, (1 << rows * cols) - 1
        self.cell = {f"{chr(97 + c)}{r + 1}": self.at(r, c) for r in range(rows) for c in range(cols)}
        self.touching = {}
        for r, c in product(range(rows), range(cols)):
            around = [(r, c - 1), (r, c + 1), (r - 1, c), (r + 1, c), (r - 1, c + 1), (r + 1, c - 1)]
            self.touching[self.at(r, c)] = sum(self.at(*p) for p in around if 0 <= p[0] < rows and 0 <= p[1] < cols)
        top, left = sum(self.at(0, c) for c in range(cols)), sum(self.at(r, 0) for r in range(rows))
        self.sides = {"b": (top, top << (rows - 1) * cols), "w": (left, left << cols - 1)}
        maps = {"identity": lambda r, c: (r, c), "rotation": lambda r, c: (rows - 1 - r, cols - 1 - c)}
        if rows == cols:
            maps["transpose"] = lambda r, c: (c, r)
            maps["antitranspose"] = lambda r, c: (rows - 1 - c, rows - 1 - r)
        self.symmetry = {name: {self.at(r, c): self.at(*f(r, c)) for r in range(rows) for c in range(cols)}
                         for name, f in maps.items()}

    def at(self, row, col):
        return 1 << row * self.cols + col

    def around(self, cells):
        """All that touches a set."""
        result = 0
        for cell in bits(cells):
            result |= self.touching[cell]
        return result

    def group(self, start, area):
        """What is connected to `start` within the area."""
        fresh = reached = start
        while fresh:
            fresh = self.around(fresh) & area & ~reached
            reached |= fresh
        return reached

    def joined(self, player, stones):
        first, second = self.sides[player]
        return bool(self.group(first & stones, stones) & second)

    def path(self, player, area):
        """The cells of a shortest path from side to side, or None."""
        first, second = (side & area for side in self.sides[player])
        layers, seen = [first], first
        while not layers[-1] & second:
            layers.append(self.around(layers[-1]) & area & ~seen)
            seen |= layers[-1]
            if not layers[-1]:
                return None
        found, near = 0, second
        for layer in reversed(layers):
            cell = next(bits(layer & near))
            found, near = found | cell, self.touching[cell]
        return found

    def image(self, symmetry, cells):
        return sum(self.symmetry[symmetry][cell] for cell in bits(cells))


class Graph:
    """A player's graph: the open cells, who is whose neighbour, and who is at which side."""

    def __init__(self, board, player, own, open_cells):
        self.open = open_cells
        self.at = [side & open_cells for side in board.sides[player]]
        self.near = {cell: board.touching[cell] & open_cells for cell in bits(open_cells)}
        while own:
            group = board.group(own & -own, own)
            own &= ~group
            touched = board.around(group) & open_cells
            in_sides = [bool(group & side) for side in board.sides[player]]
            for i in (0, 1):
                if in_sides[i]:
                    self.at[i] |= touched
            if not any(in_sides):
                for cell in bits(touched):
                    self.near[cell] |= touched & ~cell

    def clique(self, cells):
        return all(not cells & ~cell & ~self.near[cell] for cell in bits(cells))

    def surrounded(self, cell):
        near, sides = self.near[cell], [i for i in (0, 1) if cell & self.at[i]]
        return len(sides) < 2 and not any(near & ~self.at[i] for i in sides) and self.clique(near)

    def reach(self, start, area):
        fresh = reached = start
        while fresh:
            cell = fresh & -fresh
            new = self.near[cell] & area & ~reached
            reached |= new
            fresh = fresh & ~cell | new
        return reached

    def behind(self, clique):
        """What a clique cuts off."""
        area = self.open & ~clique
        reach = [self.reach(at & area, area) for at in self.at]
        dead = area & ~reach[0] & ~reach[1]
        for i in (0, 1):
            if not clique & ~self.at[i]:
                dead |= area & ~reach[1 - i]
        return dead

    def cut_off(self):
        dead = self.behind(0)
        for one in self.near:
            later = self.near[one] & -(one << 1)
            dead |= self.behind(one)
            for two in bits(later):
                dead |= self.behind(one | two)
                for three in bits(later & self.near[two] & -(two << 1)):
                    dead |= self.behind(one | two | three)
        return dead


class Filling:
    """Stones, and settled cells, which have none."""

    def __init__(self, board, stones, settled=0):
        self.board, self.stones, self.settled = board, dict(stones), settled

    def open(self):
        return self.board.all & ~(self.stones["b"] | self.stones["w"] | self.settled)

    def plus(self, player, cells):
        more = Filling(self.board, self.stones, self.settled)
        more.stones[player] |= cells
        return more

    def all_dead(self, cells):
        """Whether the test finds all of these open cells dead."""
        if any(self.board.joined(p, self.stones[p]) for p in "bw"):
            return True
        settled = self.settled
        while cells & ~settled:
            now = Filling(self.board, self.stones, settled)
            graphs = [Graph(self.board, p, now.stones[p], now.open()) for p in "bw"]
            dead = sum(cell for cell in bits(now.open()) if any(g.surrounded(cell) for g in graphs))
            dead = dead or graphs[0].cut_off() | graphs[1].cut_off()
            if not dead:
                return False
            settled |= dead
        return True

    def settle(self, cells):
        need(not cells & self.settled, "a cell is settled twice")
        bare = Filling(self.board, {p: self.stones[p] & ~cells for p in "bw"}, self.settled)
        if bare.stones != self.stones:
            bare.settled = 0  # what was settled may have been dead only because of the stone
        need(bare.all_dead(cells), "a cell is not found dead")
        return Filling(self.board, bare.stones, self.settled | cells)

    def capture(self, player, pairs):
        cells = distinct(pairs)
        need(1 <= len(pairs) <= 6 and not cells & ~self.open(), "one to six pairs of open cells")
        for choice in product(*pairs):
            taken = sum(choice)
            need(self.plus(player, taken).all_dead(cells & ~taken), "a pair is not captured")
        return self.plus(player, cells)

    def mutual(self, black, white):
        need(black[0] & self.open() and white[0] & self.open() and black[0] != white[0], "two open cells")
        self.plus("w", white[0]).capture("b", [black])
        self.plus("b", black[0]).capture("w", [white])
        return self.plus("b", black[0]).plus("w", white[0])


def distinct(pairs, *more):
    """The cells of the pairs, which are all different."""
    cells = [cell for pair in pairs for cell in pair] + list(more)
    need(len(set(cells)) == len(cells), "a cell is named twice")
    return sum(cells)


def no_path(board, player, pairs, area, budget):
    """Whether the player has no path through the area with at most one cell of each pair."""
    need(budget[0] > 0, "the pairs take too long to verify")
    budget[0] -= 1
    path = board.path(player, area)
    if path is None:
        return True
    for one, two in pairs:
        if path & one and path & two:  # a path that counts avoids one of the two
            return all(no_path(board, player, pairs, area & ~cell, budget) for cell in (one, two))
    return False


NUMBER = re.compile(r"[1-9][0-9]*", re.ASCII)


def number(text):
    need(NUMBER.fullmatch(text) and len(text) <= 10 and int(text) < 1 << 32, f"'{text}' is not a number")
    return int(text)


class Checker:
    def __init__(self, board, explicit):
        self.board, self.explicit, self.claims, self.latest = board, explicit, {}, 0

    def cell(self, text):
        need(text in self.board.cell, f"'{text}' is not a cell of the board")
        return self.board.cell[text]

    def pairs(self, text):
        pairs = [tuple(map(self.cell, pair.split("-"))) for pair in text.split(",")]
        need(all(len(pair) == 2 for pair in pairs), f"'{text}' is not a list of pairs")
        return pairs

    def player(self, text):
        need(text in ("b", "w"), f"'{text}' is not a player")
        return text

    def position(self, text):
        stones, at, lines = {"b": 0, "w": 0}, 1, text.split("/")
        need(len(lines) == self.board.rows, "wrong number of rows")
        for line in lines:
            words, width = re.findall(r"[bw]|[1-9][0-9]*", line, re.ASCII), 0
            need("".join(words) == line, f"'{line}' is not a row")
            for word in words:
                step = 1 if word in "bw" else int(word[:3])
                if word in "bw":
                    stones[word] |= at << width
                width += step
            need(width == self.board.cols, f"'{line}' is not as wide as the board")
            at <<= width
        return stones

    def known(self, text):
        ident = number(text)
        need(ident in self.claims, f"there is no claim {ident}, or it was dropped")
        return self.claims[ident]

    def empty(self, stones):
        return self.board.all & ~(stones["b"] | stones["w"])

    def last(self, stones, mover):
        return mover if bin(self.empty(stones)).count("1") % 2 else other(mover)

    def symmetry(self, name):
        need(name in self.board.symmetry, f"the board has no symmetry '{name}'")
        return name, name in ("transpose", "antitranspose")

    def claim(self, line):
        words = line.split(" ")
        need(len(words) >= 5, "not a claim")
        ident, stones = number(words[0]), self.position(words[1])
        mover, winner = self.player(words[2]), self.player(words[3])
        need(ident > self.latest, "claim numbers must increase")
        self.verify(stones, mover, winner, words[4], words[5:])
        self.claims[ident], self.latest = (stones, mover, winner), ident

    def verify(self, stones, mover, winner, rule, words):
        loser, over = other(winner), [p for p in "bw" if self.board.joined(p, stones[p])]
        if rule == "joined":
            return need(not words and over == [loser], "the loser is not joined")
        need(not over, "the game is over, so only the rule 'joined' applies")
        count = {"move": (2,), "pairs": (1, 3), "mirror": (1,), "image": (2,), "worse": (1,)}.get(rule)
        need(count is None or len(words) in count, f"wrong arguments of '{rule}'")
        need(not self.explicit or rule in ("move", "all", "pairs", "image"), "'rules explicit' does not allow this")
        if rule == "move":
            need(mover == winner, "the winner is not to move")
            self.expect_after(stones, mover, self.cell(words[0]), winner, words[1])
        elif rule == "all":
            need(mover == loser, "the loser is not to move")
            self.all(stones, winner, words)
        elif rule == "pairs":
            need(len(words) == 1 or words[1] == "key", "expected 'key'")
            pairs = [] if words[0] == "-" else self.pairs(words[0])
            key = self.cell(words[2]) if len(words) == 3 else 0
            need(not distinct(pairs, *[key] * bool(key)) & ~self.empty(stones), "a cell is not empty")
            need(not key or self.last(stones, mover) == loser, "a key needs the loser to be Last")
            area = self.board.all & ~stones[loser] & ~key
            need(no_path(self.board, winner, pairs, area, [20000]), "the winner has a path")
        elif rule == "mirror":
            name, reflection = self.symmetry(words[0])
            need(reflection and self.last(stones, mover) == loser, "no reflection, or the winner is Last")
            need(not self.board.image(name, stones[winner]) & ~stones[loser], "a stone has no mirror image")
        elif rule == "image":
            name, reflection = self.symmetry(words[0])
            swap = other if reflection else lambda player: player
            image = {swap(p): self.board.image(name, stones[p]) for p in "bw"}
            need(self.known(words[1]) == (image, swap(mover), swap(winner)), "the claim is not about the image")
        elif rule in ("worse", "fill"):
            need(words, "no claim is named")
            there, their_mover, their_winner = self.known(words[-1])
            same = their_winner == winner and self.last(there, their_mover) == self.last(stones, mover)
            need(same, "the claim has a different winner or a different Last")
            if rule == "worse":
                need(not stones[winner] & ~there[winner] and not there[loser] & ~stones[loser], "not worse on every cell")
            else:
                filling = Filling(self.board, stones)
                for step in words[:-1]:
                    filling = self.step(filling, step)
                agrees = all(there[p] & ~filling.settled == filling.stones[p] for p in "bw")
                need(agrees, "the claim is not about the filled position")
        else:
            raise Refused(f"there is no rule '{rule}'")

    def expect_after(self, stones, mover, cell, winner, ident):
        need(cell & self.empty(stones), "the cell is not empty")
        after = {**stones, mover: stones[mover] | cell}
        need(self.known(ident) == (after, other(mover), winner), "the claim is not about the position after the move")

    def all(self, stones, winner, answers):
        mover, answered = other(winner), 0
        for text in answers:
            match = re.fullmatch(r"([a-z][0-9]+)(?:=(joins|[0-9]+)|<([a-z][0-9]+):(6|7|8:(.+)))", text, re.ASCII)
            need(match, f"'{text}' is not an answer")
            name, result, better, reason, pairs = match.groups()
            cell = self.cell(name)
            need(cell & self.empty(stones) & ~answered, f"{name} is not empty, or answered twice")
            if result == "joins":
                need(self.board.joined(mover, stones[mover] | cell), f"{name} does not join")
            elif result:
                self.expect_after(stones, mover, cell, winner, result)
            else:
                need(not self.explicit, "'rules explicit' does not allow this")
                better = self.cell(better)
                need(better & answered, "the better cell is not answered further left")
                filling = Filling(self.board, stones)
                if reason == "6":
                    filling.plus(mover, cell).settle(better)
                elif reason == "7":
                    filling.plus(winner, cell).settle(better)
                else:
                    pairs = self.pairs(pairs)
                    need(any(better in pair for pair in pairs), "no pair has the better cell")
                    filling.plus(mover, cell).capture(mover, pairs)
            answered |= cell
        need(answered == self.empty(stones), "a cell is not answered")

    def step(self, filling, text):
        kind, _, rest = text.partition(":")
        if kind == "dead":
            return filling.settle(distinct([list(map(self.cell, rest.split(",")))]))
        if kind == "captured":
            player, _, pairs = rest.partition(":")
            return filling.capture(self.player(player), self.pairs(pairs))
        pairs = self.pairs(rest) if kind == "mutual" else []
        need(len(pairs) == 2, f"'{text}' is not a step of a fill-in")
        return filling.mutual(*pairs)


def check(data):
    """Checks the bytes of a certificate. Returns what it proves, or raises Refused with the line."""
    at = 1
    try:
        need(data.endswith(b"\n"), "the last line does not end")
        lines = data.decode("ascii", "replace").split("\n")[:-1]
        need(len(lines) >= 5, "not a certificate")
        need(lines[0] == "rex-certificate 1", "not a certificate")
        at = 2
        size = re.fullmatch(r"board (\S+)x(\S+)", lines[1], re.ASCII)
        need(size, "expected a board such as 'board 6x6'")
        board = Board(number(size[1]), number(size[2]))
        at = 3
        need(lines[2] in ("rules full", "rules explicit"), "expected 'rules full' or 'rules explicit'")
        checker = Checker(board, lines[2] == "rules explicit")
        for at, line in enumerate(lines[3:-2], 4):
            if line.startswith("drop "):
                for ident in line.split(" ")[1:]:
                    checker.known(ident)
                    del checker.claims[number(ident)]
            else:
                checker.claim(line)
        at = len(lines) - 1
        need(lines[-2].startswith("root "), "expected 'root' and the number of a claim")
        root = lines[-2][5:]
        checker.known(root)
        at = len(lines)
        digest = hashlib.sha256(data[: data[:-1].rindex(b"\n") + 1]).hexdigest()
        need(lines[-1] == f"sha256 {digest}", f"the digest does not match: the text above has sha256 {digest}")
    except Refused as why:
        raise Refused(f"line {at}: {why}") from None
    position = next(line for line in lines[3:] if line.startswith(f"{root} ")).split(" ")
    names = {"b": "Black", "w": "White"}
    return f"{names[position[3]]} wins {position[1]} with {names[position[2]]} to move, on the board {board.rows}x{board.cols}"


def main(files):
    failed = not files
    if failed:
        print("usage: check.py FILE...", file=sys.stderr)
    for name in files:
        try:
            with sys.stdin.buffer if name == "-" else open(name, "rb") as file:
                print(f"{name}: proved: {check(file.read())}")
        except (Refused, OSError) as why:
            failed = True
            print(f"{name}: refused: {why}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
