"""The teacher: a residual convolutional net, far too slow for the search, that judges positions of every size."""

import time

import torch
import torch.nn as nn
import torch.nn.functional as F

from data import EMPTY, LAST, NOTLAST, SETTLED

CHANNELS, BLOCKS = 96, 8
BATCH, RATE = 8192, 1.5e-3


class Teacher(nn.Module):
    """Three outputs: the odds that Last wins (a logarithm), and the work it takes to show it if she does and if she does not."""

    def __init__(self):
        super().__init__()
        convolution = lambda: nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1, bias=False)
        self.stem = nn.Conv2d(6, CHANNELS, 3, padding=1, bias=False)
        self.bn0 = nn.BatchNorm2d(CHANNELS)
        self.c1 = nn.ModuleList(convolution() for _ in range(BLOCKS))
        self.b1 = nn.ModuleList(nn.BatchNorm2d(CHANNELS) for _ in range(BLOCKS))
        self.c2 = nn.ModuleList(convolution() for _ in range(BLOCKS))
        self.b2 = nn.ModuleList(nn.BatchNorm2d(CHANNELS) for _ in range(BLOCKS))
        for norm in self.b2:
            nn.init.constant_(norm.weight, 0.3)
        self.h1 = nn.Linear(2 * CHANNELS + 1, 256)
        self.h2 = nn.Linear(256, 3)

    def forward(self, kind):
        count, rows, columns = kind.shape
        planes = torch.zeros(count, 6, rows + 2, columns + 2, device=kind.device)
        for plane, what in enumerate((LAST, NOTLAST, SETTLED, EMPTY)):
            planes[:, plane, 1:-1, 1:-1] = kind == what
        # The sides are stones around the board: Last owns the top and the bottom.
        planes[:, 0, 0, 1:] = planes[:, 0, -1, :-1] = 1
        planes[:, 1, 1:-1, 0] = planes[:, 1, 1:-1, -1] = 1
        empty = (kind == EMPTY).sum((1, 2))
        planes[:, 4] = (empty % 2).float()[:, None, None]  # Last moves
        planes[:, 5, 1:-1, 1:-1] = 1
        x = planes.contiguous(memory_format=torch.channels_last)
        with torch.autocast(kind.device.type, torch.bfloat16):
            x = F.relu(self.bn0(self.stem(x)))
            for c1, b1, c2, b2 in zip(self.c1, self.b1, self.c2, self.b2):
                x = F.relu(x + b2(c2(F.relu(b1(c1(x))))))
        x = x[:, :, 1:-1, 1:-1].float()
        features = torch.cat([x.mean((2, 3)), x.amax((2, 3)), (empty / 20.0)[:, None]], 1)
        return self.h2(F.relu(self.h1(features)))


def losses(output, winner, work):
    unsure = F.binary_cross_entropy_with_logits(output[:, 0], winner, reduction="none")
    guess = torch.where(winner > 0, output[:, 1], output[:, 2])
    return unsure, (guess - work) ** 2


def unsettle(kind, generator):
    """A settled cell may have any colour or none: the winner is the same. So three in eight do."""
    random = torch.randint(0, 8, kind.shape, device=kind.device, generator=generator, dtype=torch.uint8)
    return torch.where((kind == SETTLED) & (random < 3), random, kind)


def train(teacher, sets, steps, generator):
    """`sets`: for each board (positions, winners, work, moves). All boards take turns."""
    optimizer = torch.optim.AdamW(teacher.parameters(), lr=RATE, weight_decay=1e-2)
    weights = [1 + work.clamp(max=12) / 2 for _, _, work, _ in sets]
    sizes = torch.tensor([float(len(work)) for _, _, work, _ in sets]).sqrt()
    turns = torch.multinomial(sizes, steps, replacement=True, generator=torch.Generator().manual_seed(1)).tolist()
    teacher.train()
    begun = time.time()
    for step, turn in enumerate(turns):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1, (step + 1) / 200) * (1 - step / steps)
        kind, winner, work, _ = sets[turn]
        pick = torch.randint(0, len(winner), (BATCH,), device=kind.device, generator=generator)
        some = kind[pick].flip(1, 2) if step % 2 else kind[pick]  # the rotation
        unsure, off = losses(teacher(unsettle(some, generator)), winner[pick], work[pick])
        weight = weights[turn][pick]
        loss = ((unsure + off / 20) * weight).sum() / weight.sum()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(teacher.parameters(), 1.0)
        optimizer.step()
        if step % 1000 == 0:
            print(f"  teacher: step {step}, loss {loss.item():.3f}, {time.time() - begun:.0f} s", flush=True)


@torch.no_grad()
def settle_on(teacher, kind, generator, steps=60):
    """Boards of different sizes have different statistics; takes those of one size before the teacher is asked about it."""
    norms = [module for module in teacher.modules() if isinstance(module, nn.BatchNorm2d)]
    for norm in norms:
        norm.reset_running_stats()
        norm.momentum = None  # the mean over all that follows
    teacher.train()
    for _ in range(steps):
        pick = torch.randint(0, len(kind), (BATCH,), device=kind.device, generator=generator)
        teacher(unsettle(kind[pick], generator))
    teacher.eval()
    for norm in norms:
        norm.momentum = 0.1
