"""Reading a LETOR file of 500 MB: rankwright beside scikit-learn's, XGBoost's and LightGBM's text loaders."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from letor_file import made
from measuring import arguments, report, row

# Resident memory of a fresh process: before reading, at its highest, and the arrays returned. Pages of the mapped file
# count. Not getrusage: its maximum is inherited from the process that started this one.
PEAK = """
import json, sys
import rankwright as rw
import numpy as np
rw.read_letor(b"1 qid:1 1:1 # x", n_threads=2)
def status(name):
    return int(next(line for line in open("/proc/self/status") if line.startswith(name)).split()[1]) * 1024
before = status("VmRSS")
data = rw.read_letor(sys.argv[1], n_threads=2)
arrays = sum(a.nbytes for a in (data.X, data.y, data.qptr, data.query_ids))
print(json.dumps({"peak": status("VmHWM") - before, "arrays": arrays}))
"""


def slice_of(path: Path, megabytes: float) -> Path:
    """The first whole lines of a file."""
    part = path.with_suffix(f".first-{megabytes:g}mb")
    if not part.exists():
        with path.open("rb") as file:
            text = file.read(int(megabytes * 1e6))
        part.write_bytes(text[: text.rindex(b"\n") + 1])
    return part


def ours(path: Path) -> Any:
    import rankwright as rw

    return rw.read_letor(path, n_threads=2)


def scikit_learn(path: Path) -> Any:
    from sklearn.datasets import load_svmlight_file

    return load_svmlight_file(str(path), query_id=True)


def xgboost(path: Path) -> Any:
    import xgboost

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return xgboost.DMatrix(f"{path}?format=libsvm", nthread=2)


def lightgbm(path: Path) -> Any:
    """LightGBM bins as it reads, and knows no qids: its file has a side file instead."""
    import lightgbm

    return lightgbm.Dataset(str(path), params={"verbose": -1, "num_threads": 2}).construct()


def rates(loaders: dict[str, tuple[Callable[[Path], Any], Path]], times: int) -> dict[str, float]:
    """MB/s of each loader on its file, best of several rounds in which they take turns."""
    best = dict.fromkeys(loaders, 0.0)
    for _ in range(times):
        for name, (load, path) in loaders.items():
            start = time.perf_counter()
            loaded = load(path)
            best[name] = max(best[name], path.stat().st_size / 1e6 / (time.perf_counter() - start))
            del loaded
    return best


def main() -> None:
    given = arguments(
        __doc__,
        mb=(float, 500.0, "size of the file"),
        sklearn_mb=(float, 25.0, "how much of it scikit-learn reads (0: all)"),
        rounds=(int, 8, "rounds; the best counts"),
    )
    path, plain = made(given.mb), made(given.mb, qid=False)
    size = path.stat().st_size / 1e6
    loaders = {
        "ours": (ours, path),
        "XGBoost": (xgboost, path),
        "LightGBM": (lightgbm, plain),
        "scikit-learn": (scikit_learn, slice_of(path, given.sklearn_mb) if given.sklearn_mb else path),
    }
    found = rates(loaders, given.rounds)
    fastest = max(("XGBoost", "LightGBM"), key=found.__getitem__)
    what = f"read a LETOR file of {size:.0f} MB, 2 threads"

    def beside(peer: str, bar: float | None) -> dict[str, Any]:
        name = f"{peer} {found[peer]:.0f} MB/s"
        return row(what, f"{found['ours']:.0f} MB/s", name, found["ours"] / found[peer], bar)

    memory = json.loads(subprocess.check_output([sys.executable, "-c", PEAK, path]))
    rows = [
        beside("scikit-learn", 30),
        *(beside(peer, 1.5 if peer == fastest else None) for peer in ("XGBoost", "LightGBM")),
        row(
            "peak memory of reading it: growth of the process, pages of the file included",
            f"{memory['peak'] / 1e6:.0f} MB",
            f"arrays {memory['arrays'] / 1e6:.0f} MB",
            memory["peak"] / memory["arrays"],
            1.3,
            at_least=False,
        ),
    ]
    report(rows, given.json)


if __name__ == "__main__":
    main()
