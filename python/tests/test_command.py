"""The command that the wheel installs is the program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

import solrex
from solrex._processor import require_processor


def run(*arguments: str | bytes, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(arguments, input=stdin, capture_output=True, text=True, timeout=60)


def test_it_says_what_the_program_says(command: str) -> None:
    assert run(command, "--version").stdout == f"solrex {solrex.__version__}\n"
    assert run(sys.executable, "-m", "solrex", "--version").stdout == f"solrex {solrex.__version__}\n"
    assert "Black wins, after " in run(command, "solve", "4x4", "d1", "--threads", "1").stdout
    assert run(command, "solve", "-", "--json", stdin="4x4\n3x3\n").stdout.count('"winner"') == 2
    assert "serve" in run(command, "--help").stdout


def test_it_ends_as_the_program_does(command: str) -> None:
    bad = run(command, "solve", "5x5", "z9")
    assert bad.returncode == 2 and "off the 5x5 board" in bad.stderr and "^" in bad.stderr
    assert run(command, "solve", "8x8", "a1", "--nodes", "10", "--memory", "64M").returncode == 3
    assert run(command, "dance").returncode == 2
    assert "Traceback" not in run(command, os.fsencode("solve"), b"\xff\xfe").stderr


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_ctrl_c_stops_it_with_what_is_known(command: str) -> None:
    arguments = [command, "solve", "8x8", "a1", "--memory", "64M"]
    child = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(3)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 3, err
    assert "Stopped by Ctrl-C." in out and "Traceback" not in err


def test_a_reader_that_leaves_is_no_error(command: str) -> None:
    done = run("bash", "-c", f"set -o pipefail; {command} solve 4x4 --json | head -c 1")
    assert (done.stderr, done.stdout) == ("", "{")


def test_an_old_processor_is_told_so(tmp_path: object) -> None:
    path = f"{tmp_path}/cpuinfo"
    for flags, fits in [("fpu sse4_2 avx", False), ("fpu avx avx2 bmi2", True)]:
        with open(path, "w", encoding="ascii") as file:
            file.write(f"processor\t: 0\nflags\t\t: {flags}\n")
        if fits:
            require_processor(path)
        else:
            with pytest.raises(ImportError, match="AVX2"):
                require_processor(path)
    require_processor("/no/such/file")
