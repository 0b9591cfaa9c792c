"""Errors say what must hold, what was got, and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from os import PathLike


class InputError(ValueError):
    """What was passed cannot be used; the message says what to pass instead.

    Parameters
    ----------
    message : what must hold, what was got, what to do.
    row : the caller's row that is wrong, from 0; None when it is not one row.
    """

    def __init__(self, message: str, row: int | None = None) -> None:
        self.row = row
        super().__init__(message)


class FormatError(InputError):
    """A file does not have the form its reader needs.

    Parameters
    ----------
    path : the file (or ``"<bytes>"``).
    line : 1-based number of the line that is wrong; 0 when the whole file is.
    reason : what must hold, what was found, what to do.
    """

    def __init__(self, path: str | PathLike[str], line: int, reason: str) -> None:
        self.path, self.line, self.reason = str(path), line, reason
        super().__init__(f"{self.path}:{line}: {reason}" if line else f"{self.path}: {reason}")

    def __reduce__(self) -> tuple[type[FormatError], tuple[str, int, str]]:
        return type(self), (self.path, self.line, self.reason)


class NotFittedError(InputError, AttributeError):
    """A ranker was asked to predict before it was fitted."""


def unknown(what: str, got: object, known: Iterable[str]) -> InputError:
    """The error for a name that is not in a registry: the known names, and the nearest."""
    names = sorted(known)
    near = difflib.get_close_matches(str(got).lower(), [n.lower() for n in names], n=1, cutoff=0.5)
    hint = next((f" Did you mean {n!r}?" for n in names if near and n.lower() == near[0]), "")
    return InputError(f"{what} must be one of {', '.join(names)}. Got {got!r}.{hint}")
