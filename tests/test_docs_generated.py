"""The pages made from the code are current."""

from __future__ import annotations

from pathlib import Path

import pytest

from rankwright.cli.pages import PAGES
from rankwright.rankers import REGISTRY

DOCS = Path(__file__).parents[1] / "docs"


@pytest.mark.parametrize("page", PAGES)
def test_page_is_current(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    assert PAGES[page](text) == text, f"docs/{page} is old; run `make docs`"


def test_every_ranker_has_a_section() -> None:
    page = PAGES["rankers.md"]("")
    own = [name for name, cls in REGISTRY.items() if cls.__module__.startswith("rankwright.")]
    assert own
    assert [name for name in own if f"\n## {name}\n" not in page] == []
