"""The engines that run on a virtual machine of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

HERE = Path(__file__).parent
JARS = HERE.parents[1] / "bench-data"


@pytest.fixture(scope="session")
def jars() -> Callable[..., list[Path]]:
    """Java archives of Maven Central, fetched once; the test is skipped without Java and Maven."""

    def fetch(*artifacts: str) -> list[Path]:
        if shutil.which("java") is None or shutil.which("javac") is None or shutil.which("mvn") is None:
            pytest.skip("needs a Java development kit and Maven")
        JARS.mkdir(exist_ok=True)
        found = [JARS / "{1}-{2}.jar".format(*artifact.split(":")) for artifact in artifacts]
        for artifact, path in zip(artifacts, found, strict=True):
            if not path.exists():
                copy = ["mvn", "-q", "dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={JARS}"]
                subprocess.run(copy, check=True, timeout=300)
        return found

    return fetch


@pytest.fixture
def java_scores(tmp_path: Path) -> Callable[..., list[npt.NDArray[np.float64]]]:
    """Scores of (model, rows) pairs by one of the programs beside this file, in one run."""

    def scores(program: str, classes: list[Path], *pairs: tuple[bytes, npt.NDArray[np.float32]]) -> list[Any]:
        command: list[Any] = ["java", "-XX:TieredStopAtLevel=1", "-cp", os.pathsep.join(map(str, classes))]
        command.append(HERE / "java" / program)
        for i, (model, X) in enumerate(pairs):
            command += [tmp_path / f"model{i}", tmp_path / f"rows{i}"]
            command[-2].write_bytes(model)
            command[-1].write_text("".join(" ".join(map(_java_number, row)) + "\n" for row in X.tolist()))
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        found = [float(line.removeprefix("score ")) for line in done.stdout.splitlines() if line.startswith("score ")]
        ends = np.cumsum([len(X) for _, X in pairs])
        assert len(found) == ends[-1]
        return np.split(np.array(found), ends[:-1])

    return scores


def _java_number(value: float) -> str:
    return "NaN" if np.isnan(value) else repr(value)
