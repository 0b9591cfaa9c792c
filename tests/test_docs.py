"""Every Python and shell snippet of the README and of the docs runs, in order, in a fresh folder.

A block marked ``output`` is what the snippet before it prints; ``...`` stands for what may differ from run to run.
Blocks marked ``text`` or ``json`` are read, not run.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [
    page
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("**/*.md")))
    if page.exists()
]
RUN = ("python", "sh")
READ = ("output", "text", "json", "console", "bibtex")

_BLOCK = re.compile(r"^```([\w-]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_LINK = re.compile(r"\]\(([^)#\s]+)(?:#([\w-]+))?\)")


@dataclass
class Snippet:
    language: str
    code: str
    line: int
    printed: str | None = None


def snippets(page: Path) -> Iterator[Snippet]:
    text = page.read_text(encoding="utf-8")
    last: Snippet | None = None
    for block in _BLOCK.finditer(text):
        line = text.count("\n", 0, block.start()) + 2
        if block[1] == "output":
            if last is None:
                raise ValueError(f"{page.name}:{line}: output without a snippet before it")
            last.printed = block[2]
        elif block[1] in RUN:
            if last is not None:
                yield last
            last = Snippet(block[1], block[2], line)
    if last is not None:
        yield last


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_snippets_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # a real module, so that classes defined in a snippet can be looked up by name, as pickling and typing do
    module = types.ModuleType("snippets_of_" + page.stem)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for snippet in snippets(page):
        where = f"{page.relative_to(ROOT)}:{snippet.line}"
        printed = run_python(snippet, module, where) if snippet.language == "python" else run_shell(snippet, where)
        if snippet.printed is not None:
            same = doctest.OutputChecker().check_output(
                snippet.printed, printed, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
            )
            assert same, f"{where} prints\n{printed}\nand not\n{snippet.printed}"


def run_python(snippet: Snippet, module: types.ModuleType, where: str) -> str:
    code = compile("\n" * (snippet.line - 1) + snippet.code, where, "exec")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, module.__dict__)
    return printed.getvalue()


def run_shell(snippet: Snippet, where: str) -> str:
    """A shell that stops at the first failure, with the command of this environment first on its path."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", snippet.code],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PATH": path, "COLUMNS": "120"},
    )
    assert done.returncode == 0, f"{where} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_block_names_a_known_language(page: Path) -> None:
    marks = [block[1] for block in _BLOCK.finditer(page.read_text(encoding="utf-8"))]
    assert [mark for mark in marks if mark not in (*RUN, *READ)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target, section in _LINK.findall(text):
        if "://" in target:
            continue
        file = page.parent / target
        assert file.exists(), f"{page.name} links to {target}, which does not exist"
        if section:
            assert section in anchors(file), f"{page.name} links to {target}#{section}; there is no such heading"


def anchors(page: Path) -> set[str]:
    headings = _HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def test_the_readme_is_tested() -> None:
    assert any(snippet.language == "python" for snippet in snippets(ROOT / "README.md"))
    assert any(snippet.language == "sh" for snippet in snippets(ROOT / "README.md"))
