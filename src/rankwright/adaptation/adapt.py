"""One entry to adapting: every way that the data at hand allows, side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rankwright.adaptation.matching import judged_target, matched
from rankwright.adaptation.target_weights import TargetWeights, target_weights
from rankwright.adaptation.ways import LABELLED, WAYS, Trainer, as_ranker, interpolated, starting_from_another
from rankwright.data import Dataset
from rankwright.data.splits import concat
from rankwright.errors import InputError, unknown
from rankwright.evaluation.compare import compare
from rankwright.evaluation.comparison import Comparison
from rankwright.evaluation.cross_validate import Fold, query_folds
from rankwright.evaluation.evaluate import Measures, chosen_measures
from rankwright.rankers import AddWRB, Ranker

Tell = Callable[[str], object]


@dataclass(frozen=True, eq=False, repr=False)
class Adaptation:
    """What adapting came to.

    Parameters
    ----------
    weights : the target weights of the source's documents.
    rankers : the fitted ranker of each way; those that learn from target labels have learned from all of them.
    comparison : of all ways on the target's judged queries, out of fold; None without labels.
    skipped : the ways that were not gone, and why.
    """

    weights: TargetWeights
    rankers: dict[str, Ranker]
    comparison: Comparison | None
    skipped: dict[str, str]

    @property
    def best(self) -> str:
        """The way with the best mean of the first measure; without labels, nobody knows, and it is "weighted"."""
        if self.comparison is None:
            return "weighted" if "weighted" in self.rankers else next(iter(self.rankers))
        return str(self.comparison.leaderboard()["system"][0])

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "ways": list(self.rankers),
            "best": self.best,
            "skipped": self.skipped,
            "alpha": getattr(self.rankers.get("interpolated"), "alpha_", None),
            "weights": self.weights.to_dict(),
            "comparison": None if self.comparison is None else self.comparison.to_dict(),
        }

    def __repr__(self) -> str:
        parts = [repr(self.weights)]
        if self.comparison is not None:
            parts.append(repr(self.comparison))
        else:
            parts.append(f"Trained: {', '.join(self.rankers)}. Without target labels nobody knows which is best.")
        parts += [f"{way}: not gone; {why}." for way, why in self.skipped.items()]
        return "\n\n".join(parts)


def adapt(
    source: Dataset,
    target: Dataset,
    ranker: str | Ranker | None = None,
    *,
    target_labels: Dataset | Sequence[float] | None = None,
    measures: Measures = "nDCG@10",
    ways: Sequence[str] | None = None,
    submodel: str | Ranker | None = None,
    weights: TargetWeights | None = None,
    folds: int = 5,
    held_out: float = 0.2,
    rng: int = 0,
    tell: Tell | None = None,
    n_threads: int | None = None,
) -> Adaptation:
    """Rankers for a target domain from judged queries of a source domain, in every way that the data allow.

    Without target labels: the ranker trained on the source, and on the source weighted by target weights. With some:
    also on the target alone, on the target starting from the source's ranker, and an interpolation of source and
    target; all compared on the target's judged queries by cross-validation.

    Parameters
    ----------
    source : judged queries of the source domain.
    target : lists of the target domain, with features of the same names; their labels are not read.
    ranker : a ranker, or the name of one to train for the first measure; None for AddWRB.
        ExpWRB, LinWRB and AddWRB are compared with RankBoost on the unweighted source; rankers without document weights
        get query weights.
    target_labels : judged queries of the target: a Dataset, perhaps a few queries only; or one label per row of
        `target`, NaN for all rows of queries that are not judged.
    measures : one or several; the first decides.
    ways : some of "source", "weighted", "target", "submodel", "interpolated"; None for all that can be gone.
    submodel : the ranker that starts from the source's; None for LambdaSMART.
    weights : target weights that were made before, with other settings.
    folds : into how many parts the judged target queries are divided; fewer where there are fewer queries.
    held_out : the share of the source's queries that choose the round.
    rng : seed of the subsamples, the held-out queries and the folds.
    tell : is told what is being done.
    n_threads : threads for measuring; the rankers have their own.

    Examples
    --------
    >>> import rankwright as rw
    >>> source, target = (rw.artificial(30, n_features=5, tilt=tilt) for tilt in (0, 3))
    >>> found = rw.adapt(source, target, rw.AddWRB(n_rounds=10), target_labels=target)
    >>> list(found.rankers)
    ['source', 'weighted', 'target', 'submodel', 'interpolated']
    """
    tell = tell or (lambda text: None)
    if not 0 <= held_out < 1:
        raise InputError(f"held_out must be a share from 0 to below 1. Got {held_out!r}. Pass 0 to hold nothing out.")
    first = chosen_measures(measures)[0]
    chosen = AddWRB(measure=first) if ranker is None else as_ranker(ranker, measure=first)
    target = matched(source, target)
    judged = judged_target(source, target, target_labels)
    trainer = Trainer(chosen, starting_from_another(chosen, submodel), held_out, rng)
    going, skipped = _possible(ways, judged)
    if weights is None:
        tell("telling the domains apart …")
        weights = target_weights(source, target, rng=rng)
    weights.refuse_other(source)
    fitted: dict[str, Ranker] = {}
    if {"source", "submodel", "interpolated"} & set(going):
        tell("training on the source …")
        fitted["source"] = trainer.on_source(source)
    if "weighted" in going:
        tell("training on the weighted source …")
        fitted["weighted"] = trainer.weighted(weights)
    comparison = None
    if judged is not None:
        divided = list(query_folds(judged, min(folds, judged.n_queries), rng))
        by_fold = []
        for k, fold in enumerate(divided):
            tell(f"target fold {k + 1} of {len(divided)} …")
            by_fold.append(of_fold(trainer, fitted, going, fold, measures))
        systems = {way: [rankers[way] for rankers in by_fold] for way in going}
        baseline = "source" if "source" in going and len(going) > 1 else None
        tests = [test for _, _, test in divided]
        comparison = compare(systems, tests, measures, baseline=baseline, rng=rng, n_threads=n_threads)
        train, valid, test = divided[0]
        fitted = of_fold(trainer, fitted, going, (concat([train, test]), valid, test), measures)
    return Adaptation(weights, {way: fitted[way] for way in going}, comparison, skipped)


def of_fold(
    trainer: Trainer, known: dict[str, Ranker], going: Sequence[str], fold: Fold, m: Measures
) -> dict[str, Ranker]:
    """The rankers of all ways, those that learn from target labels on this fold."""
    train, valid, _ = fold
    fitted = dict(known)
    if valid is None:
        raise InputError("a fold must hold out queries to choose by. Got none. Use query_folds.")
    if {"target", "interpolated"} & set(going):
        fitted["target"] = trainer.on_target(train, valid)
    if "submodel" in going:
        fitted["submodel"] = trainer.from_source(fitted["source"], train, valid)
    if "interpolated" in going:
        fitted["interpolated"] = interpolated(fitted["source"], fitted["target"], valid, chosen_measures(m)[0])
    return fitted


def _possible(ways: Sequence[str] | None, judged: Dataset | None) -> tuple[list[str], dict[str, str]]:
    """The ways to go, and why not the others."""
    asked = WAYS if ways is None else (ways,) if isinstance(ways, str) else tuple(dict.fromkeys(ways))
    if not asked:
        raise InputError(f"there must be a way to go. Got none. Name some of {', '.join(WAYS)}.")
    for way in asked:
        if way not in WAYS:
            raise unknown("way", way, WAYS)
    skipped = {way: "there are no target labels" for way in LABELLED if judged is None}
    wanted = {way: why for way, why in skipped.items() if way in asked}
    if ways is not None and wanted:
        way, why = next(iter(wanted.items()))
        raise InputError(f"the way {way!r} cannot be gone: {why}. Leave it out.")
    going = [way for way in asked if way not in skipped]
    return going, wanted
