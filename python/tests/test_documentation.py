"""Every example in the documentation runs and says what it shows."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest
from conftest import ROOT

import solrex

MODULES = [name for _, name, _ in pkgutil.iter_modules(solrex.__path__) if not name.startswith("_")]


@pytest.mark.parametrize("name", ["", *MODULES])
def test_docstrings_run(name: str) -> None:
    module = importlib.import_module(f"solrex.{name}" if name else "solrex")
    assert doctest.testmod(module).failed == 0


def test_there_are_many_examples() -> None:
    found = doctest.DocTestFinder(exclude_empty=True)
    tests = [test for name in MODULES for test in found.find(importlib.import_module(f"solrex.{name}"))]
    assert sum(len(test.examples) for test in tests) > 60


@pytest.mark.parametrize("path", ["python/README.md", "README.md", "docs/manual.md", "docs/python.md"])
def test_documents_run(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / path).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(>>> .*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks, path
    globals: dict[str, object] = {}
    for block in blocks:
        test = doctest.DocTestParser().get_doctest(block, globals, path, path, None)
        result = doctest.DocTestRunner().run(test, clear_globs=False)
        assert result.failed == 0 and result.attempted > 0
        globals = test.globs
