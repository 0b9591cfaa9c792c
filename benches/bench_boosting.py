"""AdaRank and RankBoost beside RankLib, round for round; and what a round costs as documents grow.

The whole command on MQ2008 fold 1 (reading, training, choosing the round on validation data, writing the model);
training alone on artificial data of 10,000 queries × 100 documents × 136 features.
"""

from __future__ import annotations

import lzma
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import ranklib
import rankwright as rw
from measuring import arguments, report, row, seconds
from rankwright.rankers import Ranker

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
            start = time.perf_counter()
            subprocess.run([str(word) for word in command], check=True)
            best["ours"] = min(best["ours"], time.perf_counter() - start)
        what = f"{name}, MQ2008 fold 1, whole command, {rounds} rounds, beside RankLib"
        rows.append(row(what, seconds(best["ours"]), seconds(best["theirs"]), best["theirs"] / best["ours"], bar))
    return rows


def training_alone(jar: Path, folder: Path, n_queries: int) -> Rows:
    """Training from data in memory; RankLib's from its own first line of training to its last."""
    data = web_like(n_queries)
    file = folder / "large.txt"
    rw.write(data, file)
    rows = []
    settings: tuple[tuple[Ranker, str, int, float], ...] = (
        (rw.AdaRank(measure="nDCG@10", n_rounds=5, directions="given"), "3", 5, 30.0),
        (rw.RankBoost(measure="nDCG@10", n_rounds=5), "2", 5, 100.0),
    )
    for ranker, number, rounds, bar in settings:
        options = ("-ranker", number, "-metric2t", "NDCG@10", "-round", str(rounds), "-tolerance", "1000", "-noeq")
        theirs = ranklib.run(jar, file, folder / "java.txt", *options, memory="16g")
        ours = min(timed(ranker, data) for _ in range(2))
        what = f"{ranker.name}, {n_queries:,} × 100 × 136, {rounds} rounds, training alone, beside RankLib"
        rows.append(row(what, seconds(ours), seconds(theirs.training), theirs.training / ours, bar))
    return rows


def web_like(n_queries: int, n_docs: int = 100, n_features: int = 136) -> rw.Dataset:
    """Features of few and of many values, labels 0–4 that depend on some of them; no zeros, for RankLib cannot read
    rows that leave features out."""
    rng = np.random.default_rng(0)
    n = n_queries * n_docs
    X = np.maximum(rng.random((n, n_features), dtype=np.float32), 1e-6)
    X[:, ::3] = np.ceil(X[:, ::3] * 20)
    y = np.digitize(X[:, 1] + X[:, 4] + 0.5 * rng.random(n), [1.1, 1.5, 1.8, 2.1])
    return rw.Dataset(X, y, group=np.full(n_queries, n_docs))


def timed(ranker: Ranker, data: rw.Dataset) -> float:
    start = time.perf_counter()
    ranker.fit(data)
    return time.perf_counter() - start


def growth() -> Rows:
    """What one more round costs at 10⁵, 10⁶ and 10⁷ documents of 10 features: (T rounds − 1 round) / (T − 1)."""
    rows: Rows = []
    last: dict[str, float] = {}
    for n_docs in (10**5, 10**6, 10**7):
        data = web_like(n_docs // 100, n_features=10)
        for make in (rw.AdaRank, rw.RankBoost, rw.DiffRank):
            one, many = (timed(make(measure="nDCG@10", n_rounds=rounds), data) for rounds in (1, 6))
            cost = (many - one) / 5
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
    asked = arguments(__doc__, queries=(int, 10_000, "queries of the large set"))
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
            rows += training_alone(jar, folder, asked.queries)
    rows += growth()
    report(rows, asked.json)


if __name__ == "__main__":
    main()
