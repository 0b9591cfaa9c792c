"""rankwright: learning to rank in Python.

Names are imported when they are first used, so that ``import rankwright`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the same table, for type checkers
    from rankwright.data import Dataset as Dataset
    from rankwright.data import read_comments as read_comments
    from rankwright.data import read_letor as read_letor
    from rankwright.data import write_letor as write_letor
    from rankwright.errors import FormatError as FormatError
    from rankwright.errors import InputError as InputError
    from rankwright.measures import Measure as Measure
    from rankwright.measures import measure as measure
    from rankwright.rankers import AdaRank as AdaRank
    from rankwright.rankers import Ranker as Ranker
    from rankwright.rankers import SampledQueries as SampledQueries
    from rankwright.rankers import SingleFeature as SingleFeature
    from rankwright.rankers import load as load

_HOME = {
    "Dataset": "rankwright.data",
    "read_comments": "rankwright.data",
    "read_letor": "rankwright.data",
    "write_letor": "rankwright.data",
    "FormatError": "rankwright.errors",
    "InputError": "rankwright.errors",
    "Measure": "rankwright.measures",
    "measure": "rankwright.measures",
    "AdaRank": "rankwright.rankers",
    "Ranker": "rankwright.rankers",
    "SampledQueries": "rankwright.rankers",
    "SingleFeature": "rankwright.rankers",
    "load": "rankwright.rankers",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = globals()[name] = getattr(import_module(_HOME[name]), name)
        return value
    if name == "__version__":
        from importlib.metadata import version

        return version("rankwright")
    raise AttributeError(f"rankwright has no {name!r}. It has {', '.join(__all__)}.")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
