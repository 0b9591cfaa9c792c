"""Several rankers tried on a test set, or on the folds of one data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import rankwright as rw
from rankwright.cli.choices import measures_of, ranker_of, split_list
from rankwright.cli.contest import Entry, bars, train_all
from rankwright.cli.inputs import read_data
from rankwright.errors import InputError
from rankwright.evaluation import Comparison
from rankwright.rankers import REGISTRY

if TYPE_CHECKING:
    from rankwright.data import Dataset
    from rankwright.rankers import Ranker
    from rankwright.report.contents import Contents

ALL = "all"


@dataclass(frozen=True)
class Done:
    """What came of the trials.

    Parameters
    ----------
    comparison : of all rankers.
    rankers : by name, as fitted on each fold.
    entries : what was trained once, and how long that took; nothing on folds.
    data : what the two best may be combined on, or None.
    """

    comparison: Comparison
    rankers: Mapping[str, Sequence[Ranker]]
    entries: Sequence[Entry] = ()
    data: Dataset | None = None

    def contents(self) -> Contents:
        """What a report shows of them."""
        from rankwright.report.report import contents_of

        seconds = {entry.name: entry.seconds for entry in self.entries}
        return replace(contents_of(self.comparison, self.rankers, self.data), seconds=seconds)


class Trials:
    """What is to be compared, and how.

    Parameters
    ----------
    rankers : as typed, separated by commas; or ``all``.
    measures : as typed; the rankers are trained for the first.
    preset, seed, threads, baseline : as the command takes them.
    """

    def __init__(
        self,
        rankers: str,
        measures: Sequence[str] | None,
        *,
        preset: str | None,
        seed: int,
        threads: int | None,
        baseline: str | None,
    ) -> None:
        self.measures = measures_of(measures)
        self.preset, self.seed, self.threads, self.baseline = preset, seed, threads, baseline
        names = list(REGISTRY) if rankers == ALL else split_list([rankers])
        if len(set(names)) < len(names) or not names:
            raise InputError(f"rankers must be different. Got {rankers}. Write each once, or with other options.")
        self.rankers = {name: self._ranker(name) for name in names}

    def _ranker(self, text: str) -> Ranker:
        return ranker_of(text, seed=self.seed, measure=self.measures[0], n_threads=self.threads)

    def on_test(self, train: str, valid: str | None, test: str) -> Done:
        """Trains on one file and compares on another."""
        train_data = read_data(train)
        valid_data, test_data = (
            None if path is None else read_data(path, train_data.n_features) for path in (valid, test)
        )
        entries = train_all(self.rankers, train_data, valid_data)
        found = rw.compare(
            {entry.name: entry.ranker for entry in entries},
            test_data,
            self.measures,
            baseline=self.baseline,
            preset=self.preset,
            rng=self.seed,
            n_threads=self.threads,
        )
        return Done(found, {entry.name: [entry.ranker] for entry in entries}, entries, test_data)

    def on_folds(self, data: str, folds: int) -> Done:
        """Cross-validates on one file: every query is ranked once, by a ranker that has not seen it."""
        read = read_data(data)
        with bars() as shown:
            count = shown.count("cross-validation", folds * len(self.rankers))
            found = rw.cross_validate(
                self.rankers,
                read,
                self.measures,
                folds=folds,
                valid=folds > 2,
                rng=self.seed,
                baseline=self.baseline,
                preset=self.preset,
                on_fold=lambda done: count(f"{done.name}, fold {done.fold}"),
                n_threads=self.threads,
            )
        return Done(found.comparison, found.rankers)
