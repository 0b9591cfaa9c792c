"""AdaRank and RankBoost beside RankLib, round for round; and what a round costs as documents grow.

The whole command on MQ2008 fold 1 (reading, training, choosing the round on validation data, writing the model). For
training alone on much data see bench_boosting_large.py.
"""

from __future__ import annotations

import lzma
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import ranklib
import rankwright as rw
from measuring import arguments, command_seconds, report, row, seconds
from ranker_data import timed, web_like

DATA = Path(__file__).parents[2] / "shared" / "data"
Rows = list[dict[str, Any]]


def mq2008(folder: Path) -> tuple[Path, Path]:
    """Fold 1 as text files: S1, S2 and S3 to train on, S4 to validate on."""
    parts = [lzma.decompress((DATA / "mq2008" / f"S{k}.txt.xz").read_bytes()) for k in range(1, 5)]
    train, valid = folder / "train.txt", folder / "vali.txt"
    train.write_bytes(b"".join(parts[:3]))
    valid.write_bytes(parts[3])
    return train, valid


def whole_command(jar: Path, folder: Path) -> Rows:
    """The command against the command, taking turns, best of three."""
    train, valid = mq2008(folder)
    rows = []
    for name, number, bar in (("adarank", "3", 10.0), ("rankboost", "2", 20.0)):
        best = {"ours": np.inf, "theirs": np.inf}
        rounds = 300
        for _ in range(3):
            options = ("-validate", str(valid), "-ranker", number, "-metric2t", "NDCG@10")
            theirs = ranklib.run(jar, train, folder / "java.txt", *options)
            rounds = 300 if name == "rankboost" else len(theirs.chosen)
            best["theirs"] = min(best["theirs"], theirs.seconds)
            command = [
                sys.executable,
                "-m",
                "rankwright",
                "train",
                train,
                "--valid",
                valid,
                "--ranker",
                name,
                "-m",
                "nDCG@10",
            ]
            command += ["--n-rounds", str(rounds), "-o", folder / "model.json"]
            best["ours"] = min(best["ours"], command_seconds([str(word) for word in command]))
        what = f"{name}, MQ2008 fold 1, whole command, {rounds} rounds, beside RankLib"
        rows.append(row(what, seconds(best["ours"]), seconds(best["theirs"]), best["theirs"] / best["ours"], bar))
    return rows


def growth() -> Rows:
    """What one more round costs at 10⁵, 10⁶ and 10⁷ documents of 10 features: (T rounds − 1 round)/(T − 1), best of
    several."""
    rows: Rows = []
    last: dict[str, float] = {}
    for n_docs, n_rounds, times in ((10**5, 41, 5), (10**6, 11, 3), (10**7, 6, 2)):
        data = web_like(n_docs // 100, n_features=10)
        for make in (rw.AdaRank, rw.RankBoost, rw.DiffRank):
            one, many = (
                min(timed(make(measure="nDCG@10", n_rounds=rounds), data) for _ in range(times))
                for rounds in (1, n_rounds)
            )
            cost = (many - one) / (n_rounds - 1)
            name = make.name
            grown = cost / last[name] if name in last else None
            what = f"{name}, one round on {n_docs:,} documents × 10 features (ratio: to a tenth of them)"
            rows.append(row(what, seconds(cost), "", grown, 15.0 if grown else None, at_least=False))
            last[name] = cost
    return rows


def same_choices(jar: Path, folder: Path) -> Rows:
    """RankLib multiplies its weights round by round; so told, and without ties, ours makes the same choices."""
    rng = np.random.default_rng(1)
    X = (1 + rng.permutation(300 * 40 * 12).reshape(-1, 12)).astype(np.float32) / 2**10
    y = np.digitize(X[:, 3] / X.max() + X[:, 7] / X.max() + rng.random(len(X)), [1.4, 1.9])
    data = rw.Dataset(X, y, group=np.full(300, 40))
    file = folder / "choices.txt"
    rw.write(data, file)
    rounds = 30
    options = ("-ranker", "3", "-metric2t", "NDCG@10", "-round", str(rounds), "-tolerance", "1000", "-noeq")
    theirs = ranklib.run(jar, file, folder / "java.txt", *options, "-max", "1000000")
    ours = rw.AdaRank(
        measure="nDCG@10", n_rounds=rounds, directions="given", max_consecutive=None, reweight="cumulative"
    ).fit(data)
    their_steps = [(int(k) - 1, float(w)) for k, w in (part.split(":") for part in theirs.model.split())]
    our_steps = [(int(r["feature"]), r["step"]) for r in ours.history_]
    alike = [k for k, _ in their_steps] == [k for k, _ in our_steps[: len(their_steps)]]
    apart = max(abs(a - b) for (_, a), (_, b) in zip(their_steps, our_steps, strict=False))
    what = f"adarank, {len(their_steps)} rounds: largest difference of weights from RankLib's (same features: {alike})"
    return [row(what, f"{apart:.1e}", "", apart, 1e-6, at_least=False)]


def main() -> None:
    asked = arguments(__doc__)
    rows: Rows = []
    jar = ranklib.jar()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if jar is None:
            print("RankLib needs java and mvn on the PATH; without them only our own growth is measured")
        else:
            rows += same_choices(jar, folder)
            if (DATA / "mq2008").exists():
                rows += whole_command(jar, folder)
    rows += growth()
    report(rows, asked.json)


if __name__ == "__main__":
    main()
