"""The pages made from the code are current."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[1] / "docs"


def generator() -> Any:
    spec = importlib.util.spec_from_file_location("docs_generate", DOCS / "generate.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(DOCS / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", generator().PAGES)
def test_page_is_current(page: str) -> None:
    made = generator().PAGES[page]()
    assert (DOCS / page).read_text(encoding="utf-8") == made, f"{page} is old; run `python docs/generate.py`"


def test_every_registered_ranker_has_a_section() -> None:
    from rankwright.rankers import REGISTRY

    page = (DOCS / "rankers.md").read_text(encoding="utf-8")
    own = [name for name, cls in REGISTRY.items() if cls.__module__.startswith("rankwright.")]
    assert [name for name in own if f"\n## {name}\n" not in page] == []
