"""The SVM-map paper's experiment (Yue et al., SIGIR 2007, section 4) on four small collections.

The paper ranks WT10g for 50 queries of TREC 9 and 50 of TREC 10. Cranfield, CISI, MEDLINE and NFCorpus (its test
queries) stand in for it. The first set of functions is the paper's: five retrieval functions over three indexes, here
rankwright's own. For the second, the TREC submissions, which were never public as features, the seven features of the
AdaRank paper stand in. Candidates are the union of the 1,000 best of every function.

Protocol: 50 trials; in each, the queries (100 of them, where there are more) are parted at random like the paper's 50
into 10, 5 and 35: a fifth to train on, a tenth to choose C by and the rest to test on, every query as often as every
other in each part. A query's result is the mean of its average precisions over the trials that tested it.

"SVM-map, by query" is not in the paper: it has no thresholds, but scores from 0 to 1 within each query. Raw scores of
short texts differ from query to query, which a threshold on all queries cannot know.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rankwright.data.dataset import Dataset
from rankwright.errors import InputError
from rankwright.evaluation.table import Table
from rankwright.reproduce import Tell
from rankwright.reproduce.section import Section
from rankwright.reproduce.svmmap_tables import comparison
from rankwright.reproduce.svmmap_trials import METHODS, Results, run_trials
from rankwright.text.assembly import text_features

COLLECTIONS = {"cranfield": "Cranfield", "cisi": "CISI", "medline": "MEDLINE", "nfcorpus": "NFCorpus"}
BEST = ("Best Func.", "2nd Best", "3rd Best")


class Size(NamedTuple):
    """How much is tried."""

    n_trials: int
    n_queries: int  # of a trial


NOTE = (
    "W/L: queries on which SVM-map is better and worse; * and **: the Wilcoxon signed rank test, two-tailed, finds the "
    "difference significant at the levels .90 and .95."
)


def run(data: Path, *, quick: bool, tell: Tell) -> Iterator[Section]:
    """Every table of the experiment.

    Parameters
    ----------
    data : the folder that holds the collections.
    quick : 2 trials of 50 queries instead of 50 of 100, for a look.
    tell : is told what is being done.
    """
    size = Size(2, 50) if quick else Size(50, 100)
    base = {title: read_collection(data / name, "base") for name, title in COLLECTIONS.items()}
    yield Section("Collections (Table 5)", sizes(base), "Relevant: a grade of at least 1.")
    indri = _results(base, size, "15 base functions", tell)
    yield Section("SVM-map beside the best base functions (Table 6)", _functions(indri), NOTE)
    yield Section("SVM-map beside other SVMs, trained on the base functions (Table 9)", _methods(indri), NOTE)
    others = {title: read_collection(data / name, "adarank") for name, title in COLLECTIONS.items()}
    seven = _results(others, size, "7 functions", tell)
    yield Section("SVM-map beside the best of seven functions (Table 7)", _functions(seven), NOTE)
    yield Section("SVM-map beside other SVMs, trained on the seven functions (Table 10)", _methods(seven), NOTE)
    without = _results(
        {title: without_best(collection, seven[title]) for title, collection in others.items()},
        size,
        "7 functions without the best",
        tell,
    )
    beside = {title: found.with_functions(seven[title]) for title, found in without.items()}
    yield Section("Trained without the best function, beside the best functions (Table 8)", _functions(beside), NOTE)
    yield Section("Trained without the best function, beside other SVMs (Table 11)", _methods(without), NOTE)


def read_collection(folder: Path, features: str) -> Dataset:
    """The candidates of every judged query, with a relevant document among them or not."""
    part = ".test" if (folder / "queries.test.jsonl").exists() else ""
    return text_features(
        one_of(folder, "docs.jsonl"),
        one_of(folder, f"queries{part}.jsonl"),
        one_of(folder, f"qrels{part}.txt"),
        features=features,
    )


def one_of(folder: Path, name: str) -> Path:
    """The file of that name, compressed or not."""
    for path in (folder / name, folder / f"{name}.xz"):
        if path.exists():
            return path
    raise InputError(f"{folder} must hold {name} or {name}.xz. It has neither. Check --data.")


def sizes(collections: dict[str, Dataset]) -> Table:
    """Table 5: queries, documents, relevant ones."""
    data = list(collections.values())
    return Table(
        {
            "collection": list(collections),
            "queries": [d.n_queries for d in data],
            "candidates a query": [d.n_docs / d.n_queries for d in data],
            "relevant a query": [float((d.y >= 1).sum()) / d.n_queries for d in data],
            "features": [d.n_features for d in data],
        }
    )


def without_best(data: Dataset, found: Results) -> Dataset:
    """The same candidates without the function that ranks best."""
    kept = [k for k, name in enumerate(data.feature_names) if name != found.best_functions(1)[0]]
    return data.with_features(data.X[:, kept], [data.feature_names[k] for k in kept])


def _results(collections: dict[str, Dataset], size: Size, what: str, tell: Tell) -> dict[str, Results]:
    found = {}
    for title, data in collections.items():
        tell(f"{title}, {what}: {size.n_trials} trials of {len(METHODS)} methods …")
        found[title] = run_trials(data, *size)
    return found


def _functions(found: dict[str, Results]) -> Table:
    """SVM-map, then the three best functions of each collection."""
    rows = {
        title: [("SVM-map", "SVM-map"), *zip(BEST, results.best_functions(len(BEST)), strict=True)]
        for title, results in found.items()
    }
    return comparison(found, rows, names=True)


def _methods(found: dict[str, Results]) -> Table:
    return comparison(found, {title: [(name, name) for name in METHODS] for title in found})
