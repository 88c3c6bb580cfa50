"""Trains the general net on what searches found out about the moves they looked at, and writes its integer weights.

    python3 train/looks.py LOOKS.bin[.xz]... --from general.net --out general.net [--steps N] [--blocks N]

The data come from `rex-tools export-looks`. For each move that a search has visited there are the proof numbers it ended with.
The net learns their logarithms, so that a first guess is what a look would have found.
"""

import argparse
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import general
from data import EMPTY, kinds, unpacked

MAGIC, HEAD = b"RXLK\x01", 16
# A number in the file is eight times its binary logarithm. The loser's of a solved position is 255, the winner's 0.
STEP, LOST = 8, 255
# The largest number that is told apart, and what a solved position counts: its work to a power.
LARGEST, FIRST, POWER = 31.0, 2.5, 0.8
# At most so many moves of a position at a time, and what the choice among them counts.
MOVES, CHOICE = 12, 1.0
BATCH = 8192
# How the search makes proof numbers of the outputs: it takes their powers of two as they are.
TRUST = [0, 100, 0, int(LARGEST)]


def read(path, device):
    """Positions (position, row, column), where the moves of each begin, and moves: cell, numbers of Last and Notlast, work."""
    raw = unpacked(path)
    head, body = raw[:HEAD].tobytes(), raw[HEAD:]
    if head[:5] != MAGIC:
        raise SystemExit(f"{path}: expected a file from rex-tools export-looks")
    rows, columns, count = head[5], head[6], int.from_bytes(head[8:16], "little")
    width = (rows * columns + 7) // 8
    stones, counts, moves = np.split(body, [2 * width * count, (2 * width + 1) * count])
    stones = torch.tensor(stones.reshape(count, 2, width), device=device)
    counts = torch.tensor(counts, device=device).long()
    starts = torch.cumsum(counts, 0) - counts
    moves = torch.tensor(moves.reshape(-1, 4), device=device)
    assert len(moves) == counts.sum()
    return kinds(stones, rows, columns), starts, counts, moves


def goals(moves):
    """The logarithms to learn, for Last and Notlast, and who has won (1: Last, 0: Notlast, -1: nobody yet)."""
    numbers, work = moves[..., 1:3].float(), moves[..., 3].float() / 4
    lost = moves[..., 1:3] == LOST
    solved = lost.any(-1)
    number = (numbers / STEP).clamp(max=LARGEST)
    won = (FIRST + POWER * work)[..., None].expand_as(number)
    number = torch.where(solved[..., None], torch.where(lost, LARGEST, won), number)
    winner = torch.where(solved, lost[..., 1].float(), -1.0)
    return number, winner


def batch(data, pick, generator):
    kind, starts, counts, moves = data
    device = kind.device
    count = counts[pick]
    # Some of the moves, from a random one on.
    shift = (torch.rand(len(pick), device=device, generator=generator) * count).long()
    place = torch.arange(MOVES, device=device)[None].expand(len(pick), -1)
    there = place < count[:, None]
    some = moves[(starts[pick][:, None] + (place + shift[:, None]) % count[:, None])]
    return kind[pick], some, there


def outputs(net, kind, cells):
    with torch.autocast(kind.device.type, torch.bfloat16):
        moves = net(kind)[1]
    moves = moves.float().flatten(2)
    return moves.gather(2, cells[:, None].expand(-1, 3, -1)).transpose(1, 2)


def of_mover(numbers, mover):
    return torch.where(mover[:, None] == 1, numbers[..., 0], numbers[..., 1])


def loss_of(out, number, winner, there, mover):
    guess = out[..., 1:]
    off = F.smooth_l1_loss(guess, number, reduction="none", beta=1.0)
    # Beyond the largest all is the same.
    off = torch.where((number >= LARGEST) & (guess >= LARGEST), 0.0, off)
    off = off / (1 + (number - 9).clamp(0) / 3)
    # The mover's number chooses among moves. So it counts more, and what it would choose counts as well.
    off = off.sum(-1) + of_mover(off, mover)
    unsure = F.binary_cross_entropy_with_logits(out[..., 0], winner.clamp(0), reduction="none") * (winner >= 0)
    chances = lambda numbers: (-of_mover(numbers, mover) * np.log(2)).masked_fill(~there, -1e4)
    choice = -(chances(number).softmax(1) * chances(guess).log_softmax(1)).sum(1)
    return ((off + unsure) * there).sum() / there.sum() + CHOICE * choice.mean()


@torch.no_grad()
def report(name, data, picks, judge, generator):
    """How far off guesses are, in doublings, and how often the move with the least number is found."""
    off, spread, right, hit, n = 0.0, 0.0, 0, 0, 0
    for pick in picks.split(BATCH):
        kind, some, there = batch(data, pick, generator)
        number, _ = goals(some)
        mover = (kind == EMPTY).sum((1, 2)) % 2
        guess = judge(kind, some[..., 0].long())
        own, thought = of_mover(number, mover), of_mover(guess, mover).clamp(max=LARGEST)
        diff = (own - thought)[there]
        off, spread, n = off + diff.sum().item(), spread + (diff**2).sum().item(), n + len(diff)
        several = there.sum(1) > 1
        best = own.masked_fill(~there, 99).argmin(1)
        first = thought.masked_fill(~there, 99).argmin(1)
        right += (best == first)[several].sum().item()
        hit += several.sum().item()
    mean = off / n
    print(f"  {name}: mean {mean:+.2f}, spread {(spread / n - mean**2) ** 0.5:.2f}, best of several {100 * right / hit:.1f} %", flush=True)


def as_numbers(out, trust):
    """The logarithms of proof numbers, as the search makes them."""
    base, work, likelihood, largest = trust
    odds = out[..., 0]
    unlikely = torch.stack([(-odds).clamp(0), odds.clamp(0)], -1) * 1.4427
    return (base / 10 + work / 100 * out[..., 1:].clamp(0) + likelihood / 100 * unlikely).clamp(max=largest)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+")
    parser.add_argument("--from", dest="before", required=True, help="the net to begin with")
    parser.add_argument("--out", required=True)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(args.seed)
    generator = torch.Generator(device).manual_seed(args.seed)
    begun = time.time()
    sets = [read(path, device) for path in args.data]
    for path, (kind, _, counts, moves) in zip(args.data, sets):
        print(f"{path}: {len(kind)} positions, {len(moves)} moves", flush=True)
    held = [torch.arange(0, len(kind), 50, device=device) for kind, *_ in sets]
    net, trust = general.read(args.before, args.blocks)
    net = net.to(device).to(memory_format=torch.channels_last)
    net.eval()
    for path, data, picks in zip(args.data, sets, held):
        report(f"before, {path}", data, picks, lambda kind, cells: as_numbers(outputs(net, kind, cells), trust), generator)
    if trust[:3] != TRUST[:3]:  # its outputs mean something else
        nn.init.normal_(net.move.weight, std=0.02)
        with torch.no_grad():
            net.move.bias.copy_(torch.tensor([0.0, 8.0, 8.0]))
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-3)
    sizes = torch.tensor([float(len(kind)) for kind, *_ in sets]) ** 0.8
    turns = torch.multinomial(sizes, args.steps, replacement=True, generator=torch.Generator().manual_seed(1)).tolist()
    net.train()
    for step, turn in enumerate(turns):
        for group in optimizer.param_groups:
            group["lr"] = args.rate * min(1, (step + 1) / 300) * (1 - step / args.steps)
        data = sets[turn]
        pick = torch.randint(0, len(data[0]), (BATCH,), device=device, generator=generator)
        pick = pick + (pick % 50 == 0)  # those are held out
        kind, some, there = batch(data, pick.clamp(max=len(data[0]) - 1), generator)
        cells = some[..., 0].long()
        if step % 2:  # the rotation
            kind, cells = kind.flip(1, 2), kind.shape[1] * kind.shape[2] - 1 - cells
        number, winner = goals(some)
        mover = ((kind == EMPTY).sum((1, 2)) % 2).float()
        loss = loss_of(outputs(net, kind, cells), number, winner, there, mover)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        if step % 2000 == 0:
            print(f"{time.time() - begun:5.0f} s  step {step}, loss {loss.item():.4f}", flush=True)
    net.eval()
    for path, data, picks in zip(args.data, sets, held):
        report(f"after, {path}", data, picks, lambda kind, cells: outputs(net, kind, cells)[..., 1:], generator)
    general.write(net, args.out, TRUST)
    print(f"{time.time() - begun:5.0f} s  {args.out}", flush=True)


if __name__ == "__main__":
    main()
