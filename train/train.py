"""Trains the nets that guide the search, and writes their integer weights.

    python3 train/train.py DATA.bin[.xz]... --out DIRECTORY [--check DATA.bin.xz ...]

The data come from `rex-tools export-training`, files of several boards together. First one large net, the teacher, learns to
judge positions of all boards. Then the nets of the search learn from it: one for each square board (--squares), and the
general net for all. --check reports how well they do on files they were not trained with.
"""

import argparse
import pathlib
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import general
from data import EMPTY, LAST, NOTLAST, SETTLED, load, shape_of
from teacher import Teacher, losses, settle_on
from teacher import train as train_teacher

WIDE, NARROW = 384, 32
ONE, WEIGHT_ONE, CEILING = 128, 64, 8.0
BATCH, RATE = 16384, 4e-3
MAGIC = b"RXN3"
# How the search makes proof numbers of the outputs, by side: see Trust in crates/rex-search/src/net.rs, and docs/notes.md for
# what other numbers gave.
TRUST = {5: [5, 80, 160, 16], 6: [5, 80, 160, 16], 7: [30, 80, 160, 14]}
NOT_TUNED = TRUST[7]


class Net(nn.Module):
    """The net of the search, as in crates/rex-search/src/net.rs, with the teacher's three outputs."""

    def __init__(self, cells):
        super().__init__()
        self.cells = cells
        self.stones = nn.Linear(3 * cells, WIDE, bias=False)
        self.empty = nn.Linear(cells + 1, WIDE, bias=False)
        nn.init.normal_(self.empty.weight, std=0.1)
        self.second = nn.Linear(WIDE, NARROW)
        self.third = nn.Linear(NARROW, 3)

    def forward(self, kind):
        kind = kind.flatten(1)
        planes = torch.stack([kind == what for what in (LAST, NOTLAST, SETTLED)], 1).flatten(1).float()
        count = (kind == EMPTY).sum(1)[:, None] == torch.arange(self.cells + 1, device=kind.device)
        hidden = (self.stones(planes) + self.empty(count.float())).clamp(0, CEILING)
        return self.third(torch.relu(self.second(hidden)))


@torch.no_grad()
def judge(net, kind):
    return torch.cat([net(part) for part in kind.split(1 << 15)])


def report(name, net, data):
    kind, winner, work, _ = data
    output = judge(net, kind)
    line = []
    for least in (0, 1, 5):
        chosen = work >= least
        unsure, off = losses(output[chosen], winner[chosen], work[chosen])
        right = ((output[chosen, 0] > 0) == (winner[chosen] > 0)).float().mean()
        line.append(f"{unsure.mean():.4f} {100 * right:.1f} % {off.mean():.2f}")
    print(f"  {name:24} all: {line[0]} | 2 nodes or more: {line[1]} | 32 or more: {line[2]}", flush=True)


def some_moves(kind, generator):
    """A random move from each position, as a cell; any cell if there is none."""
    empty = (kind == EMPTY).flatten(1)
    return torch.rand(empty.shape, device=kind.device, generator=generator).masked_fill(~empty, -1).argmax(1)


def after(kind, cell):
    """The position after a move, not filled in: that is how the search looks at moves."""
    flat = kind.flatten(1)
    empty = flat == EMPTY
    mover = torch.where(empty.sum(1) % 2 == 1, LAST, NOTLAST).to(torch.uint8)
    moved = flat.scatter(1, cell[:, None], mover[:, None])
    return torch.where(empty.any(1)[:, None], moved, flat).view_as(kind)


@torch.no_grad()
def lessons(teacher, data, moves, generator):
    """The positions with what the teacher thinks of them (where the truth is known, a third of it), and some moves from
    each with what it thinks of those; the first is a winning one, where the search has met one."""
    kind, winner, work, winning = data
    thought = judge(teacher, kind)
    thought[:, 0] = torch.sigmoid(thought[:, 0]) * 0.7 + winner * 0.3
    for output, known in ((1, winner > 0), (2, winner == 0)):
        thought[known, output] = thought[known, output] * 0.7 + work[known] * 0.3
    cells, thoughts = [], []
    for number in range(moves):
        cell = torch.cat([some_moves(part, generator) for part in kind.split(1 << 20)])
        if number == 0:
            cell = torch.where(winning < 255, winning.long(), cell)
        moved = torch.cat([after(*part) for part in zip(kind.split(1 << 20), cell.split(1 << 20))])
        thought_then = judge(teacher, moved)
        thought_then[:, 0] = torch.sigmoid(thought_then[:, 0])
        cells.append(cell.to(torch.uint8))
        thoughts.append(thought_then)
    return kind, thought, torch.stack(cells, 1), torch.stack(thoughts, 1)


def with_moves(kind, thought, cells, thoughts):
    """The same as positions alone: the moved ones beside the others."""
    moved = [after(kind, cell.long()) for cell in cells.t()]
    return torch.cat([kind, *moved]), torch.cat([thought, *thoughts.unbind(1)])


def train(net, kind, target, steps, generator):
    """The step is recorded once and replayed, where there is a GPU: it is so small that starting it is most of it."""
    device = kind.device
    rate = torch.tensor(0.0, device=device)
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3, capturable=device.type == "cuda", fused=device.type == "cuda")
    some, goal = kind[:BATCH].clone(), target[:BATCH].clone()
    net.train()

    def step():
        output = net(some)
        likely = goal[:, 0]
        unsure = F.binary_cross_entropy_with_logits(output[:, 0], likely, reduction="none")
        off = (output[:, 1:] - goal[:, 1:]) ** 2
        off = likely * off[:, 0] + (1 - likely) * off[:, 1] + 0.1 * off.sum(1)
        # Positions that took work decide how much there is to do; the others are many.
        weight = 1 + (likely * goal[:, 1] + (1 - likely) * goal[:, 2]).clamp(0, 12) / 2
        loss = ((unsure + off / 20) * weight).mean() / 2
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=False)
        return loss

    if device.type == "cuda":
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(3):
                step()
        torch.cuda.current_stream().wait_stream(aside)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            loss = step()
    for number in range(steps):
        pick = torch.randint(0, len(kind), (BATCH,), device=device, generator=generator)
        some.copy_(kind[pick].flip(1, 2) if number % 2 else kind[pick])  # the rotation
        goal.copy_(target[pick])
        rate.fill_(RATE * min(1.0, (number + 1) / 500) * (1 - number / steps))
        if device.type == "cuda":
            graph.replay()
        else:
            loss = step()
    print(f"  student: {steps} steps, loss {loss.item():.4f}", flush=True)


def write(net, side, path):
    def words(tensor, one):
        scaled = np.rint(tensor.detach().cpu().numpy().astype(np.float64) * one)
        assert np.abs(scaled).max() < 32768, "a weight does not fit"
        # By their place in 0, -1, 1, -2, ...; see net.rs.
        places = np.where(scaled < 0, -2 * scaled - 1, 2 * scaled).astype(int).flatten().tolist()
        return b"".join(bytes([place]) if place < 255 else b"\xff" + place.to_bytes(2, "little") for place in places)

    with open(path, "wb") as file:
        file.write(MAGIC + bytes([net.cells, *TRUST.get(side, NOT_TUNED)]))
        file.write(words(net.stones.weight.t(), ONE) + words(net.empty.weight.t(), ONE))
        file.write(words(net.second.weight.t(), WEIGHT_ONE) + words(net.second.bias, ONE))
        file.write(words(net.third.weight.t(), WEIGHT_ONE) + words(net.third.bias, ONE))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="a directory for 5x5.net and so on")
    parser.add_argument("--check", nargs="*", default=[], metavar="DATA")
    parser.add_argument("--leaves", type=float, default=1.0, help="share of the positions of one node to train with")
    parser.add_argument("--teacher", type=pathlib.Path, help="go on from this teacher; it is written there again")
    parser.add_argument("--teacher-steps", type=int, default=12_000)
    parser.add_argument("--seed", type=int, default=1, help="of the weights, of the order of positions and of the moves looked at")
    parser.add_argument("--steps", type=int, default=50_000, help="steps of each net of the search")
    parser.add_argument("--squares", nargs="*", default=["5x5", "6x6", "7x7"], metavar="BOARD", help="boards that get a net of their own")
    parser.add_argument("--general-steps", type=int, default=20_000, help="steps of the general net; 0 for none")
    parser.add_argument("--moves", type=int, default=4, help="moves to look at from each position")
    args = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(args.seed)
    generator = torch.Generator(device).manual_seed(args.seed)
    begun = time.time()

    def told(what):
        print(f"{time.time() - begun:5.0f} s  {what}", flush=True)

    shapes = {path: shape_of(path) for path in args.data + args.check}
    files = {shape: [path for path in args.data if shapes[path] == shape] for shape in map(shapes.get, args.data)}
    boards = {shape: load(paths, device, args.leaves, args.seed) for shape, paths in sorted(files.items())}
    for (rows, columns), (_, winner, *_) in boards.items():
        told(f"{rows}x{columns}: {len(winner)} positions, Last wins {winner.mean():.3f}")
    teacher = Teacher().to(device).to(memory_format=torch.channels_last)
    if args.teacher and args.teacher.exists():
        teacher.load_state_dict(torch.load(args.teacher, map_location=device))
    if args.teacher_steps:
        train_teacher(teacher, list(boards.values()), args.teacher_steps, generator)
    if args.teacher:
        torch.save(teacher.state_dict(), args.teacher)
    told(f"teacher: {args.teacher_steps} steps on {device}; per group: loss, right, error of the work")
    args.out.mkdir(exist_ok=True)
    checks = {path: load([path], device, 1.0, args.seed) for path in args.check}
    learned = {}
    if not args.moves:
        return
    for shape, data in boards.items():
        settle_on(teacher, data[0], generator)
        mine = [(path, check) for path, check in checks.items() if shapes[path] == shape]
        for path, check in mine:
            report(f"teacher, {pathlib.Path(path).name}", teacher, check)
        learned[shape] = lessons(teacher, data, args.moves, generator)
        name = "{}x{}".format(*shape)
        told(f"{name}: the teacher's answers")
        if name in args.squares:
            net = Net(shape[0] ** 2).to(device)
            train(net, *with_moves(*learned[shape]), args.steps, generator)
            for path, check in mine:
                report(f"{name}, {pathlib.Path(path).name}", net, check)
            write(net, shape[0], args.out / f"{name}.net")
            told(f"{name}.net")
    if args.general_steps:
        net = general.General().to(device).to(memory_format=torch.channels_last)
        general.train(net, list(learned.values()), args.general_steps, generator, told)
        for path, check in checks.items():
            report(f"general, {pathlib.Path(path).name}", lambda kind: net(kind)[0], check)
        general.write(net, args.out / "general.net")
        torch.save(net.state_dict(), args.out / "general.pt")
        told("general.net")


if __name__ == "__main__":
    main()
