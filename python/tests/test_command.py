"""The command that the wheel installs is the program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import ENDLESS, finished, start

import solrex
from solrex._processor import require_processor


def run(*arguments: str | bytes, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(arguments, input=stdin, capture_output=True, text=True, check=False)


def test_it_says_what_the_program_says(command: str) -> None:
    assert run(command, "--version").stdout == f"solrex {solrex.__version__}\n"
    assert run(sys.executable, "-m", "solrex", "--version").stdout == f"solrex {solrex.__version__}\n"
    assert "Black wins, after " in run(command, "solve", "4x4", "d1", "--threads", "1").stdout
    assert run(command, "solve", "-", "--json", stdin="4x4\n3x3\n").stdout.count('"winner"') == 2
    assert "serve" in run(command, "--help").stdout


def test_it_ends_as_the_program_does(command: str) -> None:
    bad = run(command, "solve", "5x5", "z9")
    assert bad.returncode == 2 and "off the 5x5 board" in bad.stderr and "^" in bad.stderr
    assert run(command, "solve", *ENDLESS.split(), "--nodes", "10", "--memory", "64M").returncode == 3
    assert run(command, "dance").returncode == 2
    assert "Traceback" not in run(command, os.fsencode("solve"), b"\xff\xfe").stderr


def wait_until_it_listens(child: subprocess.Popen[str]) -> None:
    """Waits until the program has its own handlers: Python has none for these two. Only Linux tells."""
    status = Path(f"/proc/{child.pid}/status")
    if not status.exists():
        time.sleep(10)
        return
    wanted, known = 1 << (signal.SIGTERM - 1) | 1 << (signal.SIGHUP - 1), 0
    while known & wanted != wanted:
        assert child.poll() is None, child.communicate()
        said = dict(line.split(":\t") for line in status.read_text().splitlines())
        known = int(said["SigCgt"], 16) | int(said["SigIgn"], 16)
        time.sleep(0.01)


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_ctrl_c_stops_it_with_what_is_known(command: str) -> None:
    child = start(command, "solve", *ENDLESS.split(), "--memory", "64M")
    wait_until_it_listens(child)
    child.send_signal(signal.SIGINT)
    status, out, err = finished(child)
    assert status == 3, err
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
