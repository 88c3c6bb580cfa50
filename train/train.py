"""Trains the net that guides the search on one board, and writes its integer weights.

    python3 train/train.py SIDE STEPS DATA.bin[.xz]... --out 6x6.net [--check NAME=DATA.bin.xz ...]

Data files come from `solrex export-training`; docs/training.md describes them. --check reports how well the net does on
files that it was not trained with.
"""

import argparse
import lzma
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

WIDE, NARROW, KINDS = 384, 32, 3
ONE, WEIGHT_ONE, CEILING = 128, 64, 8.0
MAGIC = b"RXN2"
DATA_MAGIC, HEAD = b"RXTD\x01", 16
SEED = 1


def read(path, cells):
    """Stones (position, player, byte), labels and winning moves of a file."""
    opener = lzma.open if path.endswith(".xz") else open
    with opener(path, "rb") as file:
        raw = np.frombuffer(file.read(), np.uint8)
    head, body = raw[:HEAD].tobytes(), raw[HEAD:]
    if len(head) < HEAD or head[:5] != DATA_MAGIC or head[5] * head[6] != cells:
        raise SystemExit(f"{path}: expected positions of {cells} cells, from solrex export-training")
    count, width = int.from_bytes(head[8:16], "little"), (cells + 7) // 8
    if len(body) != count * (2 * width + 2):
        raise SystemExit(f"{path}: cut short")
    stones, labels, moves = np.split(body, [count * 2 * width, count * (2 * width + 1)])
    return stones.reshape(count, 2, width), labels, moves


def load(paths, cells, device, leaves=1.0):
    """Stones by kind (position, kind, cell), winner (1: Last) and logarithm of the work. Of the positions that took one
    node, the many easiest, only this share is kept."""
    parts = [read(path, cells) for path in paths]
    stones = np.concatenate([part[0] for part in parts])
    labels = np.concatenate([part[1] for part in parts])
    kept = (labels & 127 > 0) | (np.random.default_rng(SEED).random(len(labels)) < leaves)
    stones, labels = stones[kept], labels[kept]
    bits = np.unpackbits(stones, axis=2, bitorder="little")[:, :, :cells]
    last, notlast = (torch.tensor(bits[:, i], device=device, dtype=torch.bool) for i in range(2))
    settled = last & notlast
    planes = torch.stack([last & ~settled, notlast & ~settled, settled], 1)
    labels = torch.tensor(labels, device=device)
    return planes, (labels >> 7).float(), (labels & 127).float() / 4


class Net(nn.Module):
    def __init__(self, cells):
        super().__init__()
        self.cells = cells
        self.stones = nn.Linear(KINDS * cells, WIDE, bias=False)
        self.empty = nn.Embedding(cells + 1, WIDE)
        nn.init.normal_(self.empty.weight, std=0.1)
        self.second = nn.Linear(WIDE, NARROW)
        self.third = nn.Linear(NARROW, 3)

    def forward(self, planes):
        count = self.cells - planes.sum((1, 2))
        hidden = (self.stones(planes.flatten(1).float()) + self.empty(count)).clamp(0, CEILING)
        return self.third(torch.relu(self.second(hidden)))


def losses(output, winner, work):
    unsure = F.binary_cross_entropy_with_logits(output[:, 0], winner, reduction="none")
    guess = torch.where(winner > 0, output[:, 1], output[:, 2])
    return unsure, (guess - work) ** 2


@torch.no_grad()
def report(name, net, data):
    planes, winner, work = data
    output = torch.cat([net(part) for part in planes.split(1 << 16)])
    line = []
    for least in (0, 1, 5):
        chosen = work >= least
        unsure, off = losses(output[chosen], winner[chosen], work[chosen])
        right = ((output[chosen, 0] > 0) == (winner[chosen] > 0)).float().mean()
        line.append(f"{unsure.mean():.3f} {100 * right:.1f} % {off.mean():.2f}")
    print(f"  {name:8} all: {line[0]} | 2 nodes or more: {line[1]} | 32 or more: {line[2]}", flush=True)


def train(net, data, steps, rate=4e-3, batch=16384):
    planes, winner, work = data
    # Positions that took work decide how much there is to do; the others are many.
    weight = 1 + work.clamp(max=12) / 2
    weight /= weight.mean()
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / steps)
    generator = torch.Generator(planes.device).manual_seed(SEED)
    for step in range(steps):
        pick = torch.randint(0, len(winner), (batch,), device=planes.device, generator=generator)
        some = planes[pick]
        if step % 2:
            some = some.flip(2)  # the rotation
        unsure, off = losses(net(some), winner[pick], work[pick])
        loss = ((unsure + off / 20) * weight[pick]).mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        schedule.step()


def write(net, path, trust):
    def words(tensor, one):
        scaled = np.rint(tensor.detach().cpu().numpy().astype(np.float64) * one)
        assert np.abs(scaled).max() < 32768, "a weight does not fit"
        return scaled.astype("<i2").tobytes()

    with open(path, "wb") as file:
        file.write(MAGIC + bytes([net.cells, *trust]))
        file.write(words(net.stones.weight.t(), ONE) + words(net.empty.weight, ONE))
        file.write(words(net.second.weight.t(), WEIGHT_ONE) + words(net.second.bias, ONE))
        file.write(words(net.third.weight.t(), WEIGHT_ONE) + words(net.third.bias, ONE))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("side", type=int)
    parser.add_argument("steps", type=int)
    parser.add_argument("data", nargs="+")
    parser.add_argument("--out", required=True)
    parser.add_argument("--check", nargs="*", default=[], metavar="NAME=DATA")
    parser.add_argument("--leaves", type=float, default=0.5, help="share of the positions of one node to train with")
    parser.add_argument(
        "--trust",
        nargs=4,
        type=int,
        default=[20, 50, 130, 13],
        metavar=("BASE", "WORK", "LIKELIHOOD", "LARGEST"),
        help="how the search makes proof numbers of the outputs: see Trust in crates/rex-search/src/net.rs",
    )
    args = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(SEED)
    cells = args.side**2
    begun = time.time()
    data = load(args.data, cells, device, args.leaves)
    print(f"{args.side}x{args.side}: {len(data[1])} positions, Last wins {data[1].mean():.3f}", flush=True)
    net = Net(cells).to(device)
    train(net, data, args.steps)
    print(f"{args.steps} steps, {time.time() - begun:.0f} s on {device}; per group: loss, right, error of the work")
    report("training", net, tuple(part[:500_000] for part in data))
    for check in args.check:
        name, path = check.split("=")
        report(name, net, load([path], cells, device))
    write(net, args.out, args.trust)


if __name__ == "__main__":
    main()
