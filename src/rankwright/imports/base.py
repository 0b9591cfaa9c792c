"""What a reader of another engine's models gives, and how it says what is wrong with a file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rankwright.errors import FormatError, InputError
from rankwright.models import Model
from rankwright.models.reading import DAMAGE


@dataclass(frozen=True)
class Found:
    """A model that was read.

    Parameters
    ----------
    engine : whose it was.
    model : the model.
    features : the features' names, where the engine keeps them.
    notes : what to know when comparing scores with the engine's.
    """

    engine: str
    model: Model
    features: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()


class Refused(InputError):
    """A model is whole but of a kind that cannot be read."""


@contextmanager
def part(name: str, what: str, line: int = 0) -> Iterator[None]:
    """Whatever is wrong with this part of the file `name` becomes a FormatError that says which part it was."""
    try:
        yield
    except FormatError:
        raise
    except Refused as wrong:
        raise FormatError(name, line, str(wrong)) from None
    except DAMAGE as wrong:
        found = f"there is no {wrong}" if isinstance(wrong, KeyError) else str(wrong) or type(wrong).__name__
        reason = f"{what} must be complete. It is not: {found[:300].rstrip('.')}. Save the model again."
        raise FormatError(name, line, reason) from None


def refused(engine: str, what: str, instead: str) -> Refused:
    """The error for such a model."""
    return Refused(f"{engine}'s sums of trees and weights can be read. This {what}. {instead}")
