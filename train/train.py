"""Trains the nets that guide the search, and writes their integer weights.

    python3 train/train.py DATA.bin[.xz]... --out DIRECTORY [--check DATA.bin.xz ...]

The data come from `rex-tools export-training`, files of several sizes together. First one large net, the teacher, learns to
judge positions of all sizes; then, for each size, the small net of the search learns from it. --check reports how well
both do on files they were not trained with.
"""

import argparse
import pathlib
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from data import EMPTY, LAST, NOTLAST, SETTLED, load, side_of
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
        planes = torch.stack([kind == what for what in (LAST, NOTLAST, SETTLED)], 1).flatten(1).float()
        count = (kind == EMPTY).sum(1)[:, None] == torch.arange(self.cells + 1, device=kind.device)
        hidden = (self.stones(planes) + self.empty(count.float())).clamp(0, CEILING)
        return self.third(torch.relu(self.second(hidden)))


@torch.no_grad()
def judge(net, kind):
    net.eval()
    return torch.cat([net(part) for part in kind.split(1 << 15)])


def report(name, net, data):
    kind, winner, work = data
    output = judge(net, kind)
    line = []
    for least in (0, 1, 5):
        chosen = work >= least
        unsure, off = losses(output[chosen], winner[chosen], work[chosen])
        right = ((output[chosen, 0] > 0) == (winner[chosen] > 0)).float().mean()
        line.append(f"{unsure.mean():.4f} {100 * right:.1f} % {off.mean():.2f}")
    print(f"  {name:24} all: {line[0]} | 2 nodes or more: {line[1]} | 32 or more: {line[2]}", flush=True)


def after_a_move(kind, generator):
    """The position after a random move, not filled in: that is how the search looks at moves."""
    empty = kind == EMPTY
    cell = torch.rand(kind.shape, device=kind.device, generator=generator).masked_fill(~empty, -1).argmax(1)
    mover = torch.where(empty.sum(1) % 2 == 1, LAST, NOTLAST).to(torch.uint8)
    moved = kind.clone()
    moved.scatter_(1, cell[:, None], mover[:, None])
    return torch.where(empty.any(1)[:, None], moved, kind)


@torch.no_grad()
def lessons(teacher, data, moves, generator):
    """The positions, and some after a move from each, with what the teacher thinks of them; where the truth is known, a
    third of it."""
    kind, winner, work = data
    thought = judge(teacher, kind)
    thought[:, 0] = torch.sigmoid(thought[:, 0]) * 0.7 + winner * 0.3
    for output, known in ((1, winner > 0), (2, winner == 0)):
        thought[known, output] = thought[known, output] * 0.7 + work[known] * 0.3
    kinds, targets = [kind], [thought]
    for _ in range(moves):
        moved = torch.cat([after_a_move(part, generator) for part in kind.split(1 << 20)])
        thought = judge(teacher, moved)
        thought[:, 0] = torch.sigmoid(thought[:, 0])
        kinds.append(moved)
        targets.append(thought)
    return torch.cat(kinds), torch.cat(targets)


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
        some.copy_(kind[pick].flip(1) if number % 2 else kind[pick])  # the rotation
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
    parser.add_argument("--moves", type=int, default=4, help="moves to look at from each position")
    args = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(args.seed)
    generator = torch.Generator(device).manual_seed(args.seed)
    begun = time.time()

    def told(what):
        print(f"{time.time() - begun:5.0f} s  {what}", flush=True)

    files = {side: [path for path in args.data if side_of(path) == side] for side in map(side_of, args.data)}
    boards = {side: load(paths, device, args.leaves, args.seed) for side, paths in sorted(files.items())}
    for side, (_, winner, _) in boards.items():
        told(f"{side}x{side}: {len(winner)} positions, Last wins {winner.mean():.3f}")
    teacher = Teacher().to(device).to(memory_format=torch.channels_last)
    if args.teacher and args.teacher.exists():
        teacher.load_state_dict(torch.load(args.teacher, map_location=device))
    if args.teacher_steps:
        train_teacher(teacher, list(boards.values()), args.teacher_steps, generator)
    if args.teacher:
        torch.save(teacher.state_dict(), args.teacher)
    told(f"teacher: {args.teacher_steps} steps on {device}; per group: loss, right, error of the work")
    args.out.mkdir(exist_ok=True)
    for side, data in boards.items():
        checks = [(path, load([path], device, 1.0, args.seed)) for path in args.check if side_of(path) == side]
        settle_on(teacher, data[0], generator)
        for path, check in checks:
            report(f"teacher, {pathlib.Path(path).name}", teacher, check)
        net = Net(side * side).to(device)
        train(net, *lessons(teacher, data, args.moves, generator), args.steps, generator)
        for path, check in checks:
            report(f"{side}x{side}, {pathlib.Path(path).name}", net, check)
        write(net, side, args.out / f"{side}x{side}.net")
        told(f"{side}x{side}.net")


if __name__ == "__main__":
    main()
