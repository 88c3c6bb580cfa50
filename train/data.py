"""Reads what `rex-tools export-training` has written; docs/training.md describes the files."""

import lzma

import numpy as np
import torch

MAGIC, HEAD = b"RXTD\x01", 16
EMPTY, LAST, NOTLAST, SETTLED = range(4)


def shape_of(path):
    """Rows and columns of the board a file is about."""
    with (lzma.open if path.endswith(".xz") else open)(path, "rb") as file:
        head = file.read(HEAD)
    if len(head) < HEAD or head[:5] != MAGIC:
        raise SystemExit(f"{path}: expected a file from rex-tools export-training")
    return head[5], head[6]


def unpacked(path):
    """The bytes of a file."""
    with (lzma.open if path.endswith(".xz") else open)(path, "rb") as file:
        return np.frombuffer(file.read(), np.uint8)


def kinds(stones, rows, columns):
    """What lies on each cell (position, row, column), from stones (position, player, byte)."""
    bits = (stones[..., None] >> torch.arange(8, device=stones.device, dtype=torch.uint8)) & 1
    bits = bits.flatten(2)[:, :, : rows * columns].unflatten(2, (rows, columns))
    return LAST * bits[:, 0] + NOTLAST * bits[:, 1]


def read(path):
    """Stones (position, player, byte), labels and moves of a file."""
    raw = unpacked(path)
    head, body = raw[:HEAD].tobytes(), raw[HEAD:]
    count, width = int.from_bytes(head[8:16], "little"), (head[5] * head[6] + 7) // 8
    if len(body) != count * (2 * width + 2):
        raise SystemExit(f"{path}: cut short")
    stones, labels, moves = np.split(body, [count * 2 * width, count * (2 * width + 1)])
    return stones.reshape(count, 2, width), labels, moves


def load(paths, device, leaves, seed):
    """What lies on each cell (position, row, column), the winner (1: Last), the binary logarithm of the work it took, and
    a winning move (255: none is known). Of the positions that took one node, the many easiest, only this share is kept."""
    rows, columns = shape_of(paths[0])
    stones, labels, moves = (np.concatenate(parts) for parts in zip(*map(read, paths)))
    kept = (labels & 127 > 0) | (np.random.default_rng(seed).random(len(labels)) < leaves)
    stones = torch.tensor(stones[kept], device=device)
    labels = torch.tensor(labels[kept], device=device)
    moves = torch.tensor(moves[kept], device=device)
    return kinds(stones, rows, columns), (labels >> 7).float(), (labels & 127).float() / 4, moves
