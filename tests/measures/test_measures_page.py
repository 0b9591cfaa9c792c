"""docs/measures.md: its tables are the registry's, its snippets run."""

from __future__ import annotations

import re
import sys
import types
from pathlib import Path

import pytest

from rankwright.measures import REGISTRY, table
from rankwright.measures.table import fill, preset_table

PAGE = Path(__file__).parents[2] / "docs" / "measures.md"


def test_the_page_has_the_tables_of_the_registry() -> None:
    page = PAGE.read_text()
    assert fill(page) == page
    assert table() in page
    assert preset_table() in page


def test_every_measure_of_the_library_is_in_the_table() -> None:
    for kind in REGISTRY.values():
        if kind.__module__.startswith("rankwright."):
            assert f"| `{kind.name}` |" in table()


def test_snippets_of_the_page_print_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```(python|output)\n(.*?)^```$", PAGE.read_text(), flags=re.MULTILINE | re.DOTALL)
    module = types.ModuleType("measures_page")
    before = dict(REGISTRY)
    checked = 0
    sys.modules[module.__name__] = module
    try:
        for language, text in blocks:
            if language == "python":
                exec(text, module.__dict__)
            else:
                assert capsys.readouterr().out == text
                checked += 1
    finally:
        REGISTRY.clear()
        REGISTRY.update(before)
        del sys.modules[module.__name__]
    assert checked == 5
