"""Runs of several rankers and the judgements, as columns of scores that can be combined."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rankwright.combination.fusion import reciprocal_rank_fusion
from rankwright.combination.normalise import Normalisation, normalised
from rankwright.data import Dataset
from rankwright.data.run_features import RunLike, from_runs, named_runs
from rankwright.data.trec import Scores, read_qrels
from rankwright.errors import InputError

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RunScores:
    """Documents and what each run says of them.

    Parameters
    ----------
    data : the queries and documents, labelled where there are judgements; its features are not used.
    raw : by name of the run, its scores as written; NaN for documents it did not return.
    """

    data: Dataset
    raw: dict[str, Floats]

    @property
    def names(self) -> list[str]:
        return list(self.raw)

    @property
    def found(self) -> npt.NDArray[np.bool_]:
        """Which documents some run returned; the others are judged, but no combination can reach them."""
        return np.asarray(~np.all([np.isnan(column) for column in self.raw.values()], axis=0))

    def normalised(self, how: Normalisation = "minmax") -> list[Floats]:
        """The runs' scores made comparable, query by query; see :func:`rankwright.combination.normalised`.

        A document that one run did not return is as low as that run's lowest; one that none returned is below all
        others for every mixture with weights ≥ 0, as it is in any list of the returned ones.
        """
        out = []
        for column in self.raw.values():
            made = normalised(column, self.data.qptr, how)
            made[~self.found] = (
                np.minimum.reduceat(made, self.data.qptr[:-1])[self.data.query_of_row][~self.found] - 1.0
            )
            out.append(made)
        return out

    def alone(self, name: str) -> Floats:
        """The scores of one run by itself, documents it did not return last."""
        return self._last(self.raw[name])

    def reciprocal_rank_fusion(self, k: float = 60.0) -> Floats:
        """RRF of all runs, documents that none returned last."""
        fused = reciprocal_rank_fusion(list(self.raw.values()), self.data.qptr, k)
        return self._last(np.where(self.found, fused, np.nan))

    def _last(self, scores: Floats) -> Floats:
        lowest = float(np.nanmin(scores))
        return np.where(np.isnan(scores), lowest - abs(lowest) - 1.0, scores)


def read_runs(
    runs: Mapping[str, RunLike] | Sequence[RunLike], qrels: str | Path | Scores | None, *, depth: int | None = None
) -> tuple[RunScores | None, RunScores]:
    """The judged queries, and all queries that some run has (to be fused).

    Judged documents that no run returned are kept, as trec_eval does: they count in what there is to find.

    Parameters
    ----------
    runs : files by name or in a list; or scores in memory, query id → document id → score.
    qrels : the judgements; None for none, and then there are no judged queries.
    depth : only the documents of a run's `depth` highest scores in a query; None for all.
    """
    named = named_runs(runs, depth)
    if len(named) < 2:
        raise InputError(f"there must be two runs or more to combine. Got {len(named)}. Name another.")
    grades = read_qrels(qrels) if isinstance(qrels, (str, Path)) else qrels
    with warnings.catch_warnings():  # of the runs all queries are wanted, judged or not
        warnings.simplefilter("ignore")
        every = of_runs(named, from_runs(named))
        judged = None if grades is None else of_runs(named, from_runs(named, grades, docs="all"))
    lost = 0 if grades is None else len(set(grades).difference(*named.values()))
    if lost:
        said = "judged query is in no run and is" if lost == 1 else "judged queries are in no run and are"
        warnings.warn(f"{lost} {said} left out of every mean. Check that the ids are the same.", UserWarning, 2)
    return judged, every


def of_runs(runs: Mapping[str, Scores], data: Dataset) -> RunScores:
    """The scores of each run for the documents of `data`, in the full precision they were written in."""
    documents = [] if data.doc_ids is None else data.doc_ids.tolist()
    queries = list(zip(data.query_ids.tolist(), data, strict=True))
    raw = {}
    for name, run in runs.items():
        column = np.full(data.n_docs, np.nan)
        for query, rows in queries:
            listed = run.get(query, {})
            column[rows] = [listed.get(document, np.nan) for document in documents[rows]]
        raw[name] = column
    return RunScores(data, raw)
