"""The general net: small hexagonal convolutions that judge a position and all its moves at once, on every board. The
arithmetic is that of crates/rex-search/src/general.rs, in floating point."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from data import EMPTY, LAST, NOTLAST, SETTLED

CHANNELS, BLOCKS = 32, 4
# Fixed point in the program: the value of 1 in activations and in weights. Activations are clamped.
ONE, WEIGHT_ONE, CEILING = 128, 256, 8.0
BATCH, RATE = 8192, 2e-3
MAGIC = b"RXG1"
# How the search makes proof numbers of the outputs: see Trust in crates/rex-search/src/net.rs.
TRUST = [30, 80, 160, 14]
# The six neighbours of a cell and the cell itself, row by row, in a square of nine.
TAPS = [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)]


def active(x):
    return x.clamp(0, CEILING)


class Hexagon(nn.Conv2d):
    """A convolution over a cell and its six neighbours."""

    def __init__(self, inputs, outputs, padding=1, bias=True):
        super().__init__(inputs, outputs, 3, padding=padding, bias=bias)
        mask = torch.zeros(3, 3)
        for row, column in TAPS:
            mask[row, column] = 1
        self.register_buffer("mask", mask, persistent=False)

    def forward(self, x):
        return F.conv2d(x, self.weight * self.mask, self.bias, padding=self.padding)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = Hexagon(CHANNELS, CHANNELS)
        self.pool = nn.Linear(CHANNELS, CHANNELS, bias=False)
        self.two = Hexagon(CHANNELS, CHANNELS)
        nn.init.zeros_(self.two.weight)
        nn.init.zeros_(self.pool.weight)

    def forward(self, x):
        before = active(x)
        pooled = self.pool(before.mean((2, 3)))
        return x + self.two(active(self.one(before) + pooled[:, :, None, None]))


class General(nn.Module):
    def __init__(self, blocks=BLOCKS):
        super().__init__()
        self.stem = Hexagon(3, CHANNELS, padding=0)
        # By who moves: Notlast, Last.
        self.mover = nn.Embedding(2, CHANNELS)
        nn.init.zeros_(self.mover.weight)
        self.blocks = nn.ModuleList(Block() for _ in range(blocks))
        self.cell = nn.Conv2d(CHANNELS, CHANNELS, 1)
        self.around = nn.Linear(CHANNELS, CHANNELS, bias=False)
        self.move = nn.Conv2d(CHANNELS, 3, 1)
        self.whole = nn.Linear(2 * CHANNELS, CHANNELS)
        self.value = nn.Linear(CHANNELS, 3)

    def forward(self, kind):
        """Three numbers for the position, and three for the position after a move to each cell (position, 3, row, column).
        The search asks for the moves alone; the others are there because it helps to learn both."""
        count, rows, columns = kind.shape
        planes = torch.zeros(count, 3, rows + 2, columns + 2, device=kind.device)
        for plane, what in enumerate((LAST, NOTLAST, SETTLED)):
            planes[:, plane, 1:-1, 1:-1] = kind == what
        # The sides are stones around the board: Last owns the top and the bottom.
        planes[:, 0, 0, 1:] = planes[:, 0, -1, :-1] = 1
        planes[:, 1, 1:-1, 0] = planes[:, 1, 1:-1, -1] = 1
        mover = (kind == EMPTY).sum((1, 2)) % 2
        x = self.stem(planes) + self.mover(mover)[:, :, None, None]
        x = x.contiguous(memory_format=torch.channels_last)
        for block in self.blocks:
            x = block(x)
        x = active(x)
        pooled = x.mean((2, 3))
        moves = self.move(active(self.cell(x) + self.around(pooled)[:, :, None, None]))
        value = self.value(active(self.whole(torch.cat([pooled, x.amax((2, 3))], 1))))
        return value, moves


def mistakes(output, goal):
    """`goal`: likelihood that Last wins, and the work either way."""
    likely = goal[..., 0]
    unsure = F.binary_cross_entropy_with_logits(output[..., 0], likely, reduction="none")
    off = (output[..., 1:] - goal[..., 1:]) ** 2
    off = likely * off[..., 0] + (1 - likely) * off[..., 1] + 0.1 * off.sum(-1)
    # Positions that took work decide how much there is to do; the others are many.
    weight = 1 + (likely * goal[..., 1] + (1 - likely) * goal[..., 2]).clamp(0, 12) / 2
    return (unsure + off / 20) * weight


def train(net, sets, steps, generator, told):
    """`sets`: for each board (positions, goals, moves as cells, goals after them). All boards take turns."""
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=1e-3)
    sizes = torch.tensor([float(len(kind)) for kind, *_ in sets]) ** 0.7
    turns = torch.multinomial(sizes, steps, replacement=True, generator=torch.Generator().manual_seed(1)).tolist()
    net.train()
    for step, turn in enumerate(turns):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1, (step + 1) / 300) * (1 - step / steps)
        kind, goal, cells, goals = sets[turn]
        pick = torch.randint(0, len(kind), (BATCH,), device=kind.device, generator=generator)
        some, cell = kind[pick], cells[pick].long()
        if step % 2:  # the rotation
            some, cell = some.flip(1, 2), some.shape[1] * some.shape[2] - 1 - cell
        with torch.autocast(kind.device.type, torch.bfloat16):
            value, moves = net(some)
        value, moves = value.float(), moves.float().flatten(2)
        moves = moves.gather(2, cell[:, None].expand(-1, 3, -1)).transpose(1, 2)
        loss = mistakes(value, goal[pick]).mean() + mistakes(moves, goals[pick]).mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        if step % 2000 == 0:
            told(f"general net: step {step}, loss {loss.item():.4f}")


def write(net, path, trust=TRUST):
    """The weights in the order of general.rs, each by its place in the list 0, -1, 1, -2, 2, …: one byte, or 255 and two."""

    def words(tensor, one):
        scaled = np.rint(tensor.detach().cpu().numpy().astype(np.float64) * one)
        assert np.abs(scaled).max() < 32768, "a weight does not fit"
        places = np.where(scaled < 0, -2 * scaled - 1, 2 * scaled).astype(int).flatten().tolist()
        return b"".join(bytes([place]) if place < 255 else b"\xff" + place.to_bytes(2, "little") for place in places)

    def hexagon(layer):
        # By tap, input and output.
        weight = torch.stack([layer.weight[:, :, row, column].t() for row, column in TAPS])
        return words(weight, WEIGHT_ONE) + words(layer.bias, ONE)

    with open(path, "wb") as file:
        file.write(MAGIC + bytes([CHANNELS, len(net.blocks), *trust]))
        # The first layer adds rows, so its weights are in the unit of activations.
        weight = torch.stack([net.stem.weight[:, :, row, column].t() for row, column in TAPS])
        file.write(words(weight, ONE) + words(net.stem.bias, ONE) + words(net.mover.weight, ONE))
        for block in net.blocks:
            file.write(hexagon(block.one) + words(block.pool.weight.t(), WEIGHT_ONE) + hexagon(block.two))
        file.write(words(net.cell.weight[:, :, 0, 0].t(), WEIGHT_ONE) + words(net.cell.bias, ONE))
        file.write(words(net.around.weight.t(), WEIGHT_ONE))
        file.write(words(net.move.weight[:, :, 0, 0].t(), WEIGHT_ONE) + words(net.move.bias, ONE))


def read(path, blocks=BLOCKS):
    """The net of a file, with as many blocks; those that the file does not have change nothing. And its trust."""
    with open(path, "rb") as file:
        raw = file.read()
    assert raw[:4] == MAGIC, "expected the weights of a general net"
    had, trust = raw[5], list(raw[6:10])
    rest, words, at = raw[10:], [], 0
    while at < len(rest):
        place = rest[at]
        at += 1
        if place == 255:
            place = int.from_bytes(rest[at : at + 2], "little")
            at += 2
        words.append((place >> 1) ^ -(place & 1))
    words, at = torch.tensor(words, dtype=torch.float32), 0
    net = General(blocks)

    def take(*shape):
        nonlocal at
        size = int(np.prod(shape))
        at += size
        return words[at - size : at].reshape(shape)

    def hexagon(layer, inputs, one):
        weight = take(7, inputs, CHANNELS) / one
        for tap, (row, column) in enumerate(TAPS):
            layer.weight[:, :, row, column] = weight[tap].t()
        layer.bias.copy_(take(CHANNELS) / ONE)

    with torch.no_grad():
        hexagon(net.stem, 3, ONE)
        net.mover.weight.copy_(take(2, CHANNELS) / ONE)
        for block in net.blocks[:had]:
            hexagon(block.one, CHANNELS, WEIGHT_ONE)
            block.pool.weight.copy_(take(CHANNELS, CHANNELS).t() / WEIGHT_ONE)
            hexagon(block.two, CHANNELS, WEIGHT_ONE)
        net.cell.weight[:, :, 0, 0] = take(CHANNELS, CHANNELS).t() / WEIGHT_ONE
        net.cell.bias.copy_(take(CHANNELS) / ONE)
        net.around.weight.copy_(take(CHANNELS, CHANNELS).t() / WEIGHT_ONE)
        net.move.weight[:, :, 0, 0] = take(CHANNELS, 3).t() / WEIGHT_ONE
        net.move.bias.copy_(take(3) / ONE)
    assert at == len(words)
    return net, trust
