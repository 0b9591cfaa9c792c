"""RankLib, the Java original (RankyMcRankFace is the same code): fetched from Maven Central, run, and timed."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

CACHE = Path(__file__).parents[1] / "bench-data"
ARTIFACT = "com.o19s:RankyMcRankFace:0.1.1"
ROUND = re.compile(r"^\d+\s*\|\s*(\d+)\s*\|")
ON_TEST = re.compile(r"^\S+ on test data: (\S+)")


def jar() -> Path | None:
    """The jar, or None where Java or Maven is absent."""
    if shutil.which("java") is None or shutil.which("mvn") is None:
        return None
    found = CACHE / "RankyMcRankFace-0.1.1.jar"
    if not found.exists():
        CACHE.mkdir(exist_ok=True)
        command = ["mvn", "-q", "dependency:copy", f"-Dartifact={ARTIFACT}", f"-DoutputDirectory={CACHE}"]
        subprocess.run(command, check=True)
    return found


@dataclass
class Run:
    """One training run of RankLib.

    Parameters
    ----------
    seconds : the whole command.
    training : from the start of initialisation to the end of the last round.
    chosen : the feature of each round.
    model : the model file's last line.
    on_test : its own measure of the test file, when it was given one.
    """

    seconds: float
    training: float
    chosen: list[int] = field(default_factory=list)
    model: str = ""
    on_test: float | None = None


def run(jar: Path, train: Path, model: Path, *options: str, memory: str = "8g") -> Run:
    """Trains, watching the clock as its lines come."""
    command = ["java", f"-Xmx{memory}", "-jar", jar, "-train", train, "-save", model, *options]
    start = time.perf_counter()
    began = ended = start
    chosen, on_test = [], None
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("Initializing"):
                began = time.perf_counter()
            elif row := ROUND.match(line):
                chosen.append(int(row[1]))
            elif line.startswith("Finished"):
                ended = time.perf_counter()
            elif measured := ON_TEST.match(line):
                on_test = float(measured[1])
    whole = time.perf_counter() - start
    if process.returncode:
        raise RuntimeError(f"RankLib ended with {process.returncode}: {' '.join(map(str, command))}")
    return Run(whole, ended - began, chosen, model.read_text().strip().splitlines()[-1], on_test)
