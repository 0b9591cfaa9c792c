"""What a report is made from: whatever is known; a section is shown where there is something for it to show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from rankwright.evaluation import Comparison
from rankwright.evaluation.table import Table
from rankwright.report.charts import StepChart
from rankwright.report.theme import Style, style

if TYPE_CHECKING:
    from rankwright.adaptation.target_weights import TargetWeights
    from rankwright.rankers import Ranker


class CurvesOf(Protocol):
    """Columns of a table to be drawn over another."""

    @property
    def x(self) -> str: ...
    @property
    def y(self) -> Sequence[str]: ...
    @property
    def title(self) -> str: ...


class Exhibit(Protocol):
    """One titled table of an experiment, with curves drawn from it, and what must be said of them."""

    @property
    def title(self) -> str: ...
    @property
    def table(self) -> Table: ...
    @property
    def note(self) -> str: ...
    @property
    def curves(self) -> Sequence[CurvesOf]: ...


@dataclass(frozen=True)
class Contents:
    """All that a report may be made from.

    Parameters
    ----------
    comparison : the systems, query by query.
    rankers : by the comparison's names, the fitted ranker of each fold.
    curve : the measure at every α of a combination; `curve_facts` and `curve_note`: what is known of it.
    weights : target weights of a source domain.
    exhibits : tables and curves of an experiment.
    skipped : what was not done, and why.
    seconds : what training took, by name.
    """

    comparison: Comparison | None = None
    rankers: Mapping[str, Sequence[Ranker]] = field(default_factory=dict)
    curve: StepChart | None = None
    curve_facts: Sequence[Sequence[str]] = ()
    curve_note: str = ""
    weights: TargetWeights | None = None
    exhibits: Sequence[Exhibit] = ()
    skipped: Mapping[str, str] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def order(self) -> list[str]:
        """The names of all systems, best first; of rankers alone, as they came."""
        if self.comparison is None:
            return list(self.rankers)
        return [str(name) for name in self.comparison.leaderboard()["system"].tolist()]

    def style(self, name: str) -> Style:
        """A system looks the same in every chart."""
        return style(self.order.index(name)) if name in self.order else style(0)

    def fitted(self) -> dict[str, Sequence[Ranker]]:
        """The rankers in the order of the leaderboard."""
        return {name: self.rankers[name] for name in self.order if name in self.rankers}
