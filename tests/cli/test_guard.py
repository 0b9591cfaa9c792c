"""Exit codes, interruptions and pipes, in processes of their own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer

import rankwright as rw
from rankwright.cli.guard import GuardedGroup
from rankwright.errors import FormatError, InputError

COMMAND = [sys.executable, "-m", "rankwright"]


def failing(error: BaseException) -> typer.Typer:
    app = typer.Typer(cls=GuardedGroup, rich_markup_mode=None)

    @app.command()
    def fail() -> None:
        raise error

    @app.callback()
    def about() -> None: ...

    return app


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (InputError("labels must be numbers."), 2, "error: labels must be numbers.\n"),
        (FormatError("a.svm", 3, "no label."), 2, "error: a.svm:3: no label.\n"),
        (FileNotFoundError(2, "No such file or directory", "a.svm"), 2, "error: a.svm: No such file or directory\n"),
        (KeyboardInterrupt(), 130, "interrupted. Nothing was written.\n"),
        (KeyboardInterrupt("The model so far is k.json."), 130, "interrupted. The model so far is k.json.\n"),
        (typer.Exit(3), 3, ""),
        (typer.BadParameter("Not good"), 2, "Not good. Try `x fail --help`.\n"),
    ],
)
def test_what_goes_wrong_is_one_line_and_a_code(
    error: BaseException, code: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as done:
        failing(error)(["fail"], prog_name="x")
    assert done.value.code == code
    assert says in capsys.readouterr().err


def test_what_is_unforeseen_says_so(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit) as done:
        failing(ZeroDivisionError("division by zero"))(["fail"])
    assert done.value.code == 1
    assert "ZeroDivisionError: division by zero" in capsys.readouterr().err
    monkeypatch.setenv("RANKWRIGHT_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        failing(ZeroDivisionError("division by zero"))(["fail"])


def test_a_warning_is_one_line(files: dict[str, Path], tmp_path: Path) -> None:
    ran, qrels = tmp_path / "a.run", tmp_path / "qrels.txt"
    ran.write_text("1 Q0 a 1 2.5 x\n2 Q0 b 1 1.5 x\n")
    qrels.write_text("1 0 a 1\n1 0 missed 1\n")
    done = subprocess.run([*COMMAND, "evaluate", ran, qrels, "-m", "P@1", "--json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("warning: ")
    assert done.stderr.count("\n") == 1
    assert json.loads(done.stdout)["means"] == {"P@1": 1.0}


def test_no_command_shows_the_help() -> None:
    done = subprocess.run(COMMAND, capture_output=True, text=True, check=True)
    assert "rankwright demo" in done.stdout


def test_the_version_is_the_packages() -> None:
    done = subprocess.run([*COMMAND, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"rankwright {rw.__version__}\n"


@pytest.mark.parametrize("args", [["tran"], ["--nothing"], ["train", "--folds", "3"], ["synth"]])
def test_wrong_usage_is_code_2(args: list[str]) -> None:
    done = subprocess.run([*COMMAND, *args], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr


def test_a_reader_that_leaves_is_no_error(files: dict[str, Path]) -> None:
    with subprocess.Popen(
        [*COMMAND, "rank", files["model"], files["test"]], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()  # type: ignore[union-attr]
        said = process.stderr.read()  # type: ignore[union-attr]
    assert process.returncode == 141
    assert said == b""


@pytest.mark.parametrize("kept", [True, False])
def test_an_interrupted_training_leaves_its_checkpoint(tmp_path: Path, kept: bool) -> None:
    data, checkpoint, model = tmp_path / "a.svm", tmp_path / "kept.json", tmp_path / "m.json"
    rw.write(rw.artificial(n_queries=100, docs_per_query=20, n_features=20, rng=0), data)
    args = ["train", data, "-r", "adarank", "--n-rounds", 100_000_000, "-o", model]
    args += ["--checkpoint", checkpoint] if kept else []
    started = tmp_path / "started"
    # a training that says when it has begun, so that the signal does not come while modules are imported
    code = (
        "import sys, pathlib, rankwright.rankers.rounds as r\n"
        "record = r.Rounds.record\n"
        f"def first(self, *a, **k): row = record(self, *a, **k); pathlib.Path({str(started)!r}).touch(); return row\n"
        "r.Rounds.record = first\n"
        "from rankwright.cli.main import main; main()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        until = time.monotonic() + 60
        while not started.exists() and process.poll() is None and time.monotonic() < until:
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert out == ""
    assert err.startswith("interrupted. ")
    assert not model.exists()
    assert checkpoint.exists() == kept
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    if kept:
        assert str(checkpoint) in err
        assert rw.load(checkpoint).predict(rw.read(data)).shape == (2000,)
