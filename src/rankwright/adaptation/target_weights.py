"""Target weights: how much each document of a source domain looks like the target's.      Gao et al., SIGIR 2010

symbol     here           meaning
p(d)       probability    that document d is from the target, by a linear separator of the two domains
v_d        documents      its weight: p, or the odds p/(1 − p), which is the ratio of the domains' densities;
                          drawn towards its mean v̄: s v + (1 − s) v̄
s          strength       how far weights are to be trusted; by default 2 AUC − 1 of the separator
w_ij       pairs          weight of a pair, from those of its documents

No relevance label is used, of either domain.

Departs from the paper: there, s is 1. A separator that hardly tells the domains apart says little of which documents
matter, but what it says tilts the ranker all the same, to where its source happens to have other documents; where the
domains have another idea of relevance, too, that may do harm. 2 AUC − 1 is how much more often than by chance it knows
a document of the target from one of the source.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from rankwright.adaptation.matching import matched
from rankwright.adaptation.picture import bars, histogram_svg
from rankwright.adaptation.separator import Floats, Kind, separate
from rankwright.data import Dataset
from rankwright.data.checked import as_weights
from rankwright.errors import InputError
from rankwright.evaluation.table import Table
from rankwright.files import write_atomically
from rankwright.rankers.weighted_pairs import OfPair, pair_weights

Form = Literal["probability", "odds"]
PERFECT = 0.999  # AUC from which on the domains hardly overlap
FEW = 0.02  # effective share of the documents below which weights are degenerate


@dataclass(frozen=True, eq=False, repr=False)
class TargetWeights:
    """The weights of a source domain's documents.

    Parameters
    ----------
    source : the source domain.
    values : one weight per document, in the order of the source's rows.
    auc : of each separator, on documents it has not seen.
    importance : per feature, the mean coefficient of the standardised feature.
    form : whether weights are probabilities or odds.
    strength : how much of their departure from the mean they have kept.
    """

    source: Dataset
    values: Floats
    auc: Floats
    importance: Floats
    form: Form
    strength: float = 1.0

    def __post_init__(self) -> None:
        as_weights(self.values, self.source.n_docs, "target weights")

    @property
    def documents(self) -> Floats:
        """One weight per document, in the order the caller's rows came in."""
        return self.source.to_caller(self.values)

    @property
    def queries(self) -> Floats:
        """The mean weight of each query's documents."""
        sizes = self.source.group_sizes
        sums = np.bincount(self.source.query_of_row, self.values, minlength=self.source.n_queries)
        return np.divide(sums, sizes, out=np.zeros(len(sizes)), where=sizes > 0)

    def pairs(self, first: Sequence[int], second: Sequence[int], pair: OfPair = "mean") -> Floats:
        """The weights of pairs of documents, which are numbered as the caller's rows."""
        of = self.documents
        return pair_weights(pair, of[np.asarray(first)], of[np.asarray(second)])

    def refuse_other(self, source: Dataset) -> None:
        """The weights must be those of this source's documents."""
        mine = self.source
        if mine is not source and (
            mine.feature_names != source.feature_names or mine.qptr.tolist() != source.qptr.tolist()
        ):
            raise InputError(
                f"target weights must be those of the source's documents. Got those of {mine!r} for {source!r}. "
                "Make them anew: target_weights(source, target)."
            )

    def weighted(self, by: Literal["documents", "queries"] = "documents") -> Dataset:
        """The source with these weights on its documents, or on its queries; times those it has. Their mean is made 1:
        what a ranker demands of a leaf or pays for a large weight stays in proportion to the data."""
        old = self.source.doc_weight if by == "documents" else self.source.query_weight
        new = self.values if by == "documents" else self.queries
        weight = new / new.mean() if old is None else new / new.mean() * old
        return self.source.replace(doc_weight=weight) if by == "documents" else self.source.replace(query_weight=weight)

    @property
    def effective_size(self) -> float:
        """How many equally weighted documents they are worth: (Σ v)² / Σ v²."""
        return float(self.values.sum() ** 2 / (self.values**2).sum())

    @property
    def effective_share(self) -> float:
        """The effective size as a share of the documents."""
        return self.effective_size / len(self.values)

    @property
    def degenerate(self) -> str | None:
        """Why the weights are of little use, or None."""
        if float(self.auc.mean()) >= PERFECT:
            return f"the separator tells the domains apart perfectly, AUC {self.auc.mean():.4f}"
        if self.effective_share < FEW:
            return f"{len(self.values)} documents weigh as much as {self.effective_size:.1f} equal ones"
        return None

    def features(self) -> Table:
        """The features by how much they tell the domains apart; positive where they are larger in the target."""
        order = np.argsort(-np.abs(self.importance), kind="stable")
        names = [self.source.feature_names[k] for k in order]
        return Table(feature=names, coefficient=self.importance[order])

    def histogram(self, n_bins: int = 20) -> Table:
        """How many documents have a weight from `low` to `high`."""
        top = 1.0 if self.form == "probability" else float(self.values.max())
        counts, edges = np.histogram(self.values, bins=n_bins, range=(0.0, top))
        return Table(low=edges[:-1], high=edges[1:], documents=counts)

    def picture(self, path: str | Path | None = None) -> str:
        """The distribution of the weights as an SVG image; written to `path`, if one is given."""
        text = histogram_svg(self.histogram(40), f"{self.form} of being a target document", self._summary())
        if path is not None:
            write_atomically(Path(path), text.encode())
        return text

    def _repr_svg_(self) -> str:
        return self.picture()

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "form": self.form,
            "strength": self.strength,
            "auc": float(self.auc.mean()),
            "auc_spread": float(self.auc.std()),
            "n_docs": len(self.values),
            "effective_size": self.effective_size,
            "degenerate": self.degenerate,
            "histogram": self.histogram().to_dict(),
            "features": self.features().to_dict(),
        }

    def _summary(self) -> str:
        return (
            f"AUC {self.auc.mean():.3f} ± {self.auc.std():.3f} over {len(self.auc)} subsamples; strength "
            f"{self.strength:.2f}; {len(self.values):,} documents weigh as much as {self.effective_size:,.0f} equal "
            f"ones ({self.effective_share:.0%})"
        )

    def __repr__(self) -> str:
        return f"Target weights ({self.form}): {self._summary()}\n{bars(self.histogram())}"


def target_weights(
    source: Dataset,
    target: Dataset,
    *,
    separator: Kind = "logistic",
    form: Form = "probability",
    strength: float | None = None,
    n_subsamples: int = 10,
    max_docs: int = 20_000,
    rng: int = 0,
) -> TargetWeights:
    """Weighs each document of the source by how much it looks like one of the target. No label is used.

    Parameters
    ----------
    source, target : lists of both domains, with features of the same names. Labels are not read.
    separator : ``"logistic"`` regression, or a linear ``"svm"`` with calibrated probabilities.
    form : weights are the ``"probability"`` p, as in the paper, or the ``"odds"`` p/(1 − p): the ratio of the domains'
        densities, which makes source data unbiased for the target, at the price of variance.
    strength : how much of their departure from the mean the weights keep: 1 for all, as in the paper; 0 makes them
        equal; None for 2 · AUC − 1, so that domains that look alike are left alone.
    n_subsamples : separators that are averaged, each fitted to half of the queries.
    max_docs : documents of each domain that a separator is fitted to at most.
    rng : seed of the subsamples.

    Notes
    -----
    The AUC says how separable the domains are: near 0.5 there is nothing to adapt to, near 1 nothing to adapt from, and
    a warning says so. It is measured, and weights are taken, on documents of queries that the separator has not seen.

    Examples
    --------
    >>> import rankwright as rw
    >>> source = rw.artificial(n_queries=40, n_features=5)
    >>> weights = rw.target_weights(source, rw.artificial(n_queries=40, n_features=5, sample=1))
    >>> bool(0.4 < weights.auc.mean() < 0.6), round(weights.effective_share, 1)
    (True, 1.0)
    """
    target = matched(source, target)
    for name, number in (("n_subsamples", n_subsamples), ("max_docs", max_docs), ("rng", rng)):
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 0:
            raise InputError(f"{name} must be a whole number of at least 0. Got {number!r:.60}. Correct it.")
    for name, value, known in (("separator", separator, ("logistic", "svm")), ("form", form, ("probability", "odds"))):
        if value not in known:
            raise InputError(f"{name} must be {' or '.join(known)}. Got {value!r}. Choose one.")
    if strength is not None and not (isinstance(strength, (int, float)) and 0 <= strength <= 1):
        raise InputError(f"strength must be from 0 to 1, or None for 2 · AUC − 1. Got {strength!r:.60}. Correct it.")
    if n_subsamples < 1 or max_docs < 2:
        raise InputError(f"there must be a subsample of two documents. Got {n_subsamples} of {max_docs}. Use defaults.")
    if min(source.n_docs, target.n_docs) < 4:
        raise InputError(
            f"each domain must have 4 documents or more to be told apart. Got {source.n_docs} and {target.n_docs}. "
            "Pass more lists."
        )
    for role, data in (("source", source), ("target", target)):
        if np.isinf(data.X if not data.is_sparse else data.X.data).any():
            raise InputError(
                f"features must be finite, or NaN where missing, to tell domains apart. The {role}'s are infinite. "
                "Replace infinities by NaN or by a large number."
            )
    found = separate(source, target, separator, n_subsamples, max_docs, np.random.default_rng(rng))
    p = found.probability
    values = p if form == "probability" else p / (1.0 - p)
    kept = min(max(2.0 * float(found.auc.mean()) - 1.0, 0.0), 1.0) if strength is None else float(strength)
    values = kept * values + (1.0 - kept) * values.mean()
    weights = TargetWeights(source, values, found.auc, found.importance, form, kept)
    if weights.degenerate is not None:
        warnings.warn(
            f"Target weights are degenerate: {weights.degenerate}. A ranker trained with them sees little of the "
            "source; leave out features that only tell the domains apart (`weights.features()`), or scale per query.",
            UserWarning,
            stacklevel=2,
        )
    return weights
