"""Coordinate ascent beside RankLib's: the measure on test data, and the time of the whole command.

The five folds of MQ2008 and of OHSUMED by RankLib's own count (preset "ranklib"), features of OHSUMED scaled by query
in both (RankLib's `-norm linear`). RankLib starts at random and its values differ from run to run. What is chosen is
chosen on validation data.
"""

from __future__ import annotations

import lzma
import sys
import tempfile
from pathlib import Path
from typing import Any

import ranklib
import rankwright as rw
from measuring import arguments, command_seconds, report, row, seconds
from rankwright.data.scaling import scale_queries
from text_runs import DATA

BAR = 0.4927  # NDCG@10 of RankLib's coordinate ascent on MQ2008 fold 1, test
Rows = list[dict[str, Any]]


def fold_files(collection: str, k: int, folder: Path) -> list[Path]:
    """Training, validation and test text of fold k, as LETOR rotates its five parts."""
    found = sorted((DATA / collection).glob("S?.txt*"))
    turned = [lzma.decompress(found[(k - 1 + step) % 5].read_bytes()) for step in range(5)]
    paths = [folder / f"{name}.txt" for name in ("train", "vali", "test")]
    for path, content in zip(paths, (b"".join(turned[:3]), turned[3], turned[4]), strict=True):
        path.write_bytes(content)
    return paths


def theirs(jar: Path, files: list[Path], folder: Path, *options: str) -> ranklib.Run:
    train, valid, test = files
    asked = (
        "-validate",
        str(valid),
        "-test",
        str(test),
        "-ranker",
        "4",
        "-metric2t",
        "NDCG@10",
        "-metric2T",
        "NDCG@10",
    )
    return ranklib.run(jar, train, folder / "java.txt", *asked, *options)


def ours_on_test(files: list[Path], scaled: bool, restarts: int = 5) -> float:
    """NDCG@10 of the test part, counted as RankLib does."""
    train, valid, test = (scale_queries(rw.read(f)) if scaled else rw.read(f) for f in files)
    ranker = rw.CoordinateAscent(measure="nDCG@10", n_restarts=restarts).fit(train, valid=valid)
    return rw.evaluate(ranker, test, "nDCG@10", preset="ranklib").means.popitem()[1]


def command(files: list[Path], folder: Path) -> float:
    """Seconds of the whole command: reading, 5 starts, choosing on validation data, writing the model."""
    words = [
        sys.executable,
        "-m",
        "rankwright",
        "train",
        files[0],
        "--valid",
        files[1],
        "--ranker",
        "coordinate_ascent",
    ]
    return command_seconds([str(w) for w in (*words, "-m", "nDCG@10", "-o", folder / "ours.json")])


def fold_1(jar: Path, folder: Path) -> Rows:
    """The time of the whole command, and what it finds."""
    files = fold_files("mq2008", 1, folder)
    runs = []
    mine = float("inf")
    for _ in range(2):
        mine = min(mine, *(command(files, folder) for _ in range(3)))
        runs.append(theirs(jar, files, folder))
    fastest = min(run.seconds for run in runs)
    found = ours_on_test(files, scaled=False)
    peers = " and ".join(f"{run.on_test:.4f}" for run in runs)
    what = "MQ2008 fold 1, NDCG@10 on test by RankLib's count (ratio: the value)"
    time_row = "MQ2008 fold 1, whole command, 5 restarts, beside RankLib"
    return [
        row(what, f"{found:.4f}", peers, found, BAR),
        row(time_row, seconds(mine), seconds(fastest), fastest / mine, 20),
    ]


def all_folds(jar: Path, folder: Path, collection: str, name: str, *options: str) -> Rows:
    """Mean NDCG@10 on test; `options` scale features in RankLib where they are scaled in ours."""
    ours, peer = [], []
    for k in range(1, 6):
        files = fold_files(collection, k, folder)
        ours.append(ours_on_test(files, scaled=bool(options)))
        peer.append(theirs(jar, files, folder, *options).on_test or float("nan"))
        print(f"{name} fold {k}: ours {ours[-1]:.4f}, RankLib {peer[-1]:.4f}", flush=True)
    means = sum(ours) / 5, sum(peer) / 5
    what = f"{name}, five folds, mean NDCG@10 on test by RankLib's count, beside RankLib"
    return [row(what, f"{means[0]:.4f}", f"{means[1]:.4f}", means[0] / means[1], 1.0)]


def main() -> None:
    asked = arguments(__doc__)
    jar = ranklib.jar()
    rows: Rows = []
    if jar is None:
        print("RankLib needs java and mvn on the PATH: nothing to measure beside")
    elif not (DATA / "mq2008").exists():
        print("MQ2008 and OHSUMED are not beside the project: nothing to measure on")
    else:
        with tempfile.TemporaryDirectory() as name:
            rows = fold_1(jar, Path(name))
            rows += all_folds(jar, Path(name), "mq2008", "MQ2008")
            rows += all_folds(jar, Path(name), "ohsumed-letor2", "OHSUMED", "-norm", "linear")
    report(rows, asked.json)


if __name__ == "__main__":
    main()
