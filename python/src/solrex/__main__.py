"""The program `solrex`: what the command and `python -m solrex` run."""

from __future__ import annotations

import os
import signal
import sys

from . import _native


def main() -> int:
    """Runs the program with the arguments of this process, and returns its exit status."""
    # The program has its own way with Ctrl-C: it stops the search and says what is known. Python would only note the
    # signal and raise an exception when everything is over.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    arguments = [os.fsencode(argument) for argument in sys.argv[1:]]
    return _native.run(["solrex", *map(os.fsdecode, arguments)])


if __name__ == "__main__":
    sys.exit(main())
