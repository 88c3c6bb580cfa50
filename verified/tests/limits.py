#!/usr/bin/env python3
"""Runs checkers on files at the limits that docs/certificate.md names, and just past them.

    python3 verified/tests/limits.py [--claims] CHECKER...

Lines have at most 16,384 bytes, a pairing takes at most 20,000 steps to verify, and unpacking takes at most 128 MiB. With --claims also: at most 4,000,000 claims are
remembered at a time; that takes minutes and some 900 MB. Checkers in Python do not unpack.
"""

import pathlib
import subprocess
import sys
import tempfile

from agree import seal

HEADER = "rex-certificate 1\nboard 1x1\nrules full\n"


# Pairs on a board of 8x8 with some white stones that make White connect, and the number of steps that it takes to see it.
PAIRS = {
    20_000:
    "a1-f1,b1-c1,d1-a2,e1-g1,h1-g2,b2-a7,c2-h6,d2-d3,e2-d4,f2-f3,h2-d5,a3-b3,c3-a4,e3-h7,"
    "g3-f4,h3-b7,b4-a5,c4-b5,e4-e5,g4-g6,h4-c7,c5-c6,f5-g5,h5-b6,a6-f6,d6-g7,e6-f7,d7-d8",
    20_001:
    "a1-g1,b1-c1,d1-f1,e1-h1,a2-d2,b2-g3,c2-g5,e2-e3,f2-f3,g2-g7,h2-b3,a3-c3,d3-d4,h3-d6,"
    "a4-b4,c4-g6,e4-h5,f4-h7,g4-c6,h4-a5,b5-a6,c5-f6,d5-h6,e5-c7,f5-b7,b6-a7,e6-f7,d7-d8",
}


def claims(numbers):
    return "".join(f"{i} b w w joined\n" for i in numbers)


def with_line(length):
    """A certificate whose longest line, a drop, has this many bytes."""
    room = length - len("drop")
    long = next(count for count in range(8) if (room - 11 * count) % 8 == 0)
    numbers = [*range(10**6, 10**6 + (room - 11 * long) // 8), *range(10**9, 10**9 + long)]
    drop = " ".join(["drop", *map(str, numbers)])
    assert len(drop) == length
    return seal(f"{HEADER}{claims(numbers)}{drop}\n{claims([2 * 10**9])}", 2 * 10**9)


def with_pairs(steps):
    """A pairing that takes this many steps."""
    return seal(f"rex-certificate 1\nboard 8x8\nrules explicit\n1 8/8/8/8/8/8/4w3/www1wwww b b pairs {PAIRS[steps]}\n", 1)


def with_claims(count, dropped):
    """One claim more than `count`, some of them dropped before it."""
    drop = "drop 7 8\n" if dropped else ""
    return seal(f"{HEADER}{claims(range(1, count + 1))}{drop}{claims([count + 1])}", count + 1)


def packed(text, window):
    """Compressed so that unpacking takes a window of 2 to this power."""
    return subprocess.run(["zstd", "-q", "-c", f"--long={window}"], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout


def main(arguments):
    small = seal(HEADER + claims([1]), 1)
    cases = [
        ("line of 16,384 bytes", True, with_line(16_384).encode()),
        ("line of 16,385 bytes", False, with_line(16_385).encode()),
        ("pairing of 20,000 steps", True, with_pairs(20_000).encode()),
        ("pairing of 20,001 steps", False, with_pairs(20_001).encode()),
        ("window of 128 MiB", True, packed(small, 27)),
        ("window of 256 MiB", False, packed(small, 28)),
    ]
    if arguments[:1] == ["--claims"]:
        arguments = arguments[1:]
        cases += [
            ("4,000,001 claims, two dropped", True, with_claims(4_000_000, True).encode()),
            ("4,000,001 claims", False, with_claims(4_000_000, False).encode()),
        ]
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for name, holds, text in cases:
            path = pathlib.Path(folder) / ("limit.cert.zst" if name.startswith("window") else "limit.cert")
            path.write_bytes(text)
            for checker in arguments:
                python = [sys.executable] if checker.endswith(".py") else []
                if python and path.suffix == ".zst":
                    continue
                result = subprocess.run([*python, checker, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                if result.returncode != (0 if holds else 1):
                    failed = True
                    print(f"{name}: {checker} should {'accept' if holds else 'refuse'} it: {result.stdout}")
    if not failed:
        print(f"the limits hold: {len(cases)} files, {len(arguments)} checkers")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
