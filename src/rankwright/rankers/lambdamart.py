"""LambdaMART: boosted trees on the λ-gradients of the measure itself.     Wu, Burges, Svore & Gao, Inf. Retrieval 2009

paper      here        meaning
F_m        F           scores after m trees
y_i        λ           what pushes document i up or down: its λ-gradient, Σ_j ± |ΔE_ij| / (1 + exp(s_better − s_worse))
w_i        w           −∂λ_i/∂F(x_i)
R_lm       tree        the L leaves of tree m
γ_lm       value       of a leaf: Σ λ / Σ w over its documents, one Newton step
v          v           shrinkage, or the exact best step (section 4)

Departs from the paper:
 - E is any measure, not nDCG alone; pairs of documents both below its cut-off count nothing, and by default that is
   twice the cut-off that the ranker is judged at;
 - pairs whose scores are near count more, and no query's sum of λ drowns the others (`normalise=False`: neither);
 - splits go by the second-order gain (`criterion="mse"`: by the variance of λ, as printed);
 - the exact step is found by the search of `rankwright.line_search`, which visits only crossings that matter.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

import numpy as np
import numpy.typing as npt
from annotated_types import Ge, Gt, Le

from rankwright.data import Dataset
from rankwright.errors import InputError
from rankwright.measures import Measure, MeasureLike, measure
from rankwright.models import Model
from rankwright.rankers.boosting import Boosting, Pair, Steps
from rankwright.rankers.exact_steps import RefittedModel, Search
from rankwright.rankers.lambdas import Lambdas
from rankwright.rankers.rounds import Rounds
from rankwright.rankers.trees import TreeRanker, forest, zeros

Floats = npt.NDArray[np.float64]

DEEPER = 2
NEAR = 0.01  # scores this near count as equal to the factor on ΔE


class LambdaMART(TreeRanker):
    """Boosts regression trees on the λ-gradients of a measure.

    Parameters
    ----------
    measure : what is maximised, and what validation and early stopping go by: any measure.
    gradients : the measure whose swaps make the λ-gradients; None: `measure`, cut twice as deep, which learns better
        than its own cut-off does: from more pairs, at more cost.
    normalise : whether pairs whose scores are near count more, and queries with many wrong pairs are held back, as
        LightGBM does it; learns faster and better than the paper's plain sums. See :mod:`rankwright.rankers.lambdas`.
    n_trees : rounds of boosting at most.
    n_leaves : leaves of a tree at most.
    learning_rate : what each tree's step is multiplied by, when it is not exact.
    step : ``"fixed"``: each tree is added with `learning_rate`. ``"exact"``: with the step at which `measure` is best
        of all in `step_range`, times `step_shrinkage`.
    step_on : the queries on which the exact step is best: ``"train"``, or ``"valid"``, which overfits less.
    step_range : the least and the largest exact step.
    step_shrinkage : what the exact step is multiplied by.
    refit : whether afterwards every tree's weight is set anew, exactly, one by one, until `measure` on the queries of
        `step_on` improves no more; what comes out is one more round.
    max_depth : splits above a leaf at most; 0: any number.
    min_docs : documents in a leaf at least.
    min_hessian : sum of second derivatives in a leaf at least.
    l2 : added to that sum, so that leaves of little weight stay small.
    criterion : what splits better: ``"newton"``, the second-order gain, or ``"mse"``, the variance of λ.
    feature_fraction : share of the features drawn for each tree.
    query_fraction : share of the queries drawn for each tree.
    doc_fraction : share of the documents, of those queries, drawn for each tree.
    max_bins : bins of a feature at most; a feature with no more values than that has all its thresholds.
    monotone : one sign per feature: 1 where scores must not fall as it grows, −1 where they must not rise, else 0.
    categorical : the features (0, 1, ...) that are categories: whole numbers with no order.
    patience : stop when the validation (else training) measure has not improved for so many rounds; None: never.
    tol : how much better counts as improved.
    rng : seed of what is drawn.
    n_threads : threads to use; None for all. The model does not depend on it.
    callbacks : watchers of the training.

    Notes
    -----
    The round best on validation data is kept, else the last. A missing value (NaN) goes to the side that is better,
    split by split. A pair of documents weighs the product of their weights, times that of their query.

    Examples
    --------
    >>> import rankwright as rw
    >>> train, valid = (rw.artificial(100, n_features=10, sample=s) for s in (0, 1))
    >>> ranker = rw.LambdaMART(n_trees=30, patience=10).fit(train, valid=valid)
    >>> ranker.score(valid) > rw.SingleFeature().fit(train).score(valid) + 0.1
    True
    """

    name = "lambdamart"
    paper = "Wu et al. 2009"

    gradients: MeasureLike | None = None
    normalise: bool = True
    step: Literal["fixed", "exact"] = "fixed"
    step_on: Literal["train", "valid"] = "train"
    step_range: Annotated[tuple[float, ...], Ge(0)] = (0.1, 5.0)
    step_shrinkage: Annotated[float, Gt(0), Le(1)] = 1.0
    refit: bool = False

    @classmethod
    def examples(cls) -> list[Self]:
        return [
            cls(n_trees=6, min_docs=5),
            cls(n_trees=4, min_docs=5, measure="KendallTau", step="exact", refit=True, query_fraction=0.7),
        ]

    def learn(self, train: Dataset, valid: Dataset | None, rounds: Rounds) -> Model:
        E = self._gradient_measure().bind(train.y)
        F, F_valid = self._start(train, valid)  # F_0
        near = NEAR if self.normalise else 0.0
        boosting = self._boosting(train, valid, lambda part, _: LambdaSlopes(part, E, near, self.threads), F, F_valid)
        search = Search.of(boosting, rounds.measure, self.step_on) if self.step == "exact" or self.refit else None
        steps = boosting.resumed(rounds)
        for m in rounds.of(self.n_trees + self.refit):
            if m > self.n_trees:
                break
            (tree,) = boosting.trees(m)  # on λ and w at F_{m−1}
            if tree.n_splits == 0 and not self._draws:
                rounds.stop("no split betters the trees")
                break
            v = self.learning_rate
            if self.step == "exact" and search is not None:
                v = self.step_shrinkage * search.best(tree, *self.step_range[:2])
            boosting.step(tree, v)  # F_m = F_{m−1} + v · tree
            steps.append((v, tree))
            self._record(rounds, boosting, steps, v)
            if rounds.stopped is not None:
                break
        if search is not None and self.refit and steps:
            return self._refit(rounds, boosting, steps, search)
        return self._model(steps, train.n_features)

    def _gradient_measure(self) -> Measure:
        if self.gradients is not None:
            return measure(self.gradients)
        E = measure(self.measure)
        return E if E.k is None else E @ (DEEPER * E.k)

    def _record(self, rounds: Rounds, boosting: Boosting, steps: Steps, v: float) -> None:
        K = rounds.train.n_features
        rounds.record(
            lambda: self._model(steps, K),
            train_scores=boosting.F[0],
            valid_scores=None if boosting.F_valid is None else boosting.F_valid[0],
            step=v,
        )

    def _refit(self, rounds: Rounds, boosting: Boosting, steps: Steps, search: Search) -> Model:
        """One more round: the weights of the best trees so far, set anew one by one."""
        best = steps[: rounds.best()]
        weights, passes = search.refitted(best, self.step_range[1] * self.step_shrinkage)
        again = [(w, tree) for w, (_, tree) in zip(weights, best, strict=True)]
        K = rounds.train.n_features
        model = RefittedModel(self._model(steps, K), self._model(again, K), len(steps))
        rounds.finish()
        boosting.restart()
        for w, tree in again:
            boosting.replay(tree, w)
        rounds.record(
            lambda: model,
            train_scores=boosting.F[0],
            valid_scores=None if boosting.F_valid is None else boosting.F_valid[0],
            step=passes,
        )
        return model

    def _check_options(self, unsaved: bool = False) -> None:
        super()._check_options(unsaved)
        if self.gradients is not None:
            measure(self.gradients)
        if len(self.step_range) != 2 or not self.step_range[0] < self.step_range[1]:
            raise InputError(
                f"step_range must be two numbers, the smaller first. Got {self.step_range!r}. The default is (0.1, 5)."
            )

    # -- what LambdaSMART changes ----------------------------------------------------------------------------------

    def _start(self, train: Dataset, valid: Dataset | None) -> tuple[Floats, Floats | None]:
        return zeros(train, valid)

    def _model(self, steps: Steps, n_features: int) -> Model:
        return forest(steps, n_features)


class LambdaSlopes:
    """λ and w on some queries."""

    def __init__(self, data: Dataset, E: Measure, near: float, n_threads: int) -> None:
        self.lambdas = Lambdas(data, E, near, n_threads)

    def at(self, F: Floats) -> Pair:
        lambdas, w = self.lambdas.at(F[0])
        return [lambdas], [w]
