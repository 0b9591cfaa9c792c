"""The command run in this process, on small files."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.testing import CliRunner

import rankwright as rw
from rankwright.cli.main import COMMANDS, application
from rankwright.rankers import REGISTRY

APP = application(*COMMANDS)


class Done(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Done]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs `rankwright ARGS` as a process of its own would: without the rankers that other tests have declared.

    Exceptions that should have become a message fail the test.
    """
    for name in [name for name, cls in REGISTRY.items() if not cls.__module__.startswith("rankwright.")]:
        monkeypatch.delitem(REGISTRY, name)
    monkeypatch.setattr(os, "environ", os.environ.copy())  # --threads sets a variable

    def runs(*args: object, stdin: bytes | None = None) -> Done:
        done = CliRunner().invoke(APP, [str(arg) for arg in args], input=stdin)
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return Done(done.exit_code, done.stdout, done.stderr)

    return runs


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Train, valid and test files, and a model of the first."""
    folder = tmp_path_factory.mktemp("cli")
    data = rw.artificial(n_queries=45, docs_per_query=8, n_features=5, rng=0)
    paths = {name: folder / f"{name}.svm" for name in ("train", "valid", "test")}
    for at, path in enumerate(paths.values()):
        rw.write(data.queries(range(15 * at, 15 * at + 15)), path)
    paths["model"] = folder / "model.json"
    rw.SingleFeature(feature=1).fit(rw.read(paths["train"])).save(paths["model"])
    return paths
