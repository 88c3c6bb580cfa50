"""What several tests need."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

# Tests never use the user's store.
os.environ["SOLREX_DB"] = "none"

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def command() -> str:
    """The command that the wheel installs, of the environment in which the tests run."""
    found = shutil.which("solrex", path=os.path.dirname(sys.executable))
    assert found is not None, "the package is not installed here"
    return found
