#!/usr/bin/env python3
"""Runs the checkers on claims that hold and claims that do not, and on certificates with mistakes put into them.

    python3 verified/tests/agree.py REX_VERIFIED [REX_CHECK]

The proved checker and tools/check.py, and rex-check where it is named, must say the same of each file.
"""

import hashlib
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import check  # noqa: E402


def seal(body, root):
    text = f"{body}root {root}\n"
    return f"{text}sha256 {hashlib.sha256(text.encode()).hexdigest()}\n"


def blocks():
    """The claims of claims.txt: whether they hold, and the certificate."""
    for block in (ROOT / "verified/tests/claims.txt").read_text().split("\n\n"):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        if not lines:
            continue
        word, board, rules = lines[0].split(" ")
        claims = lines[1:]
        header = f"rex-certificate 1\nboard {board}\nrules {rules}\n"
        numbered = [f"{i} {claim}\n" for i, claim in enumerate(claims, 1)]
        if word == "false" and len(claims) > 1:
            yield True, seal(header + "".join(numbered[:-1]), len(claims) - 1)
        yield word == "true", seal(header + "".join(numbered), len(claims))


def mutated(text, rng):
    """The certificate with one mistake, perhaps, and the right digest."""
    lines = text.splitlines()[:-2]
    root = text.splitlines()[-2].split(" ")[1]
    at = rng.randrange(3, len(lines))
    words = lines[at].split(" ")
    cells = re.findall(r"[a-h][1-9]", lines[at])
    kind = rng.randrange(8)
    if kind == 0 and len(words) > 3:
        i = rng.choice([2, 3])
        words[i] = "w" if words[i] == "b" else "b"
    elif kind == 1 and len(words) > 1:
        i = rng.randrange(len(words[1]))
        words[1] = words[1][:i] + rng.choice("bw1") + words[1][i + 1:]
    elif kind == 2 and cells:
        cell, new = rng.choice(cells), rng.choice("abcd") + rng.choice("1234")
        words = [words[0], *words[1:4], *" ".join(words[4:]).replace(cell, new, 1).split(" ")]
    elif kind == 3 and len(words) > 5:
        del words[rng.randrange(5, len(words))]
    elif kind == 4 and len(words) > 6:
        i, j = rng.sample(range(5, len(words)), 2)
        words[i], words[j] = words[j], words[i]
    elif kind == 5:
        reason = rng.choice(["6", "7"])
        words = [re.sub(r":[67]$", f":{reason}", word) for word in words]
    elif kind == 6:
        words = [re.sub(r"=[0-9]+$", f"={rng.randrange(1, at + 1)}", word) if rng.random() < 0.2 else word for word in words]
    else:
        words = [word.replace(":b:", ":x:").replace(":w:", ":b:").replace(":x:", ":w:") for word in words]
        words = [word.rsplit(",", 1)[0] if rng.random() < 0.3 else word for word in words]
    lines[at] = " ".join(words)
    return seal("\n".join(lines) + "\n", root)


def damaged(text):
    """The certificate with its frame broken in every way that has a name."""
    digest = text[-65:-1]
    yield ""
    yield text[:-1]
    yield text + "more\n"
    yield text.replace("\n", "\r\n")
    yield text[: text.index("root ")]
    yield text[: text.index("sha256 ")]
    yield text.replace(digest, digest[1:] + digest[0])
    for old, new in [("rex-certificate 1", "rex-certificate 2"), ("board ", "board 0"), ("rules ", "rules  "), ("\n1 ", "\n01 ")]:
        lines = text.replace(old, new, 1).splitlines()
        yield seal("\n".join(lines[:-2]) + "\n", lines[-2].split(" ")[1])
    for root in ["0", "999999", "x"]:
        yield seal(text[: text.index("root ")], root)


def by_python(path):
    try:
        with path.open("rb") as file:
            check.Certificate(file).check()
        return True
    except check.Refused:
        return False


def main(proved, rust=None):
    wanted, texts = [], []
    for holds, text in blocks():
        wanted.append(holds)
        texts.append(text)
    rng = random.Random(24)
    for path in sorted((ROOT / "fuzz/corpus").glob("*.cert")) + sorted((ROOT / "docs/proofs/7x7").glob("d4.cert")):
        text = path.read_text()
        if not text.endswith("\n"):
            continue
        wanted.append(True)
        texts.append(text)
        for broken in damaged(text):
            wanted.append(False)
            texts.append(broken)
        for _ in range(60):
            wanted.append(None)
            texts.append(mutated(text, rng))
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder) / f"{i:04}.cert" for i in range(len(texts))]
        for path, text in zip(paths, texts):
            path.write_bytes(text.encode())
        said = subprocess.run([proved, *map(str, paths)], stdout=subprocess.PIPE, text=True).stdout.splitlines()
        accepted = refused = 0
        for path, line, holds in zip(paths, said, wanted):
            verdicts = {"rex-verified": ": proved: " in line, "check.py": by_python(path)}
            if rust:
                verdicts["rex-check"] = subprocess.run([rust, path], capture_output=True).returncode == 0
            if holds is not None:
                verdicts["the test"] = holds
            if len(set(verdicts.values())) > 1:
                print(f"{verdicts}\n{line}\n{path.read_text()}")
                return 1
            accepted += verdicts["check.py"]
            refused += not verdicts["check.py"]
    names = "rex-verified, check.py" + (", rex-check" if rust else "")
    print(f"{names} agree: {accepted} files accepted, {refused} refused")
    return int(len(said) != len(texts))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
