"""Properties, whether they hold, and the report when some do not."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from rankwright.errors import unknown

T = TypeVar("T")
Check = Callable[[T], None]


class CheckFailed(AssertionError):
    """Some properties do not hold; the message lists them.

    Parameters
    ----------
    subject : what was checked.
    failures : for each property that does not hold, what was seen.
    n_checked : how many properties were checked.
    """

    def __init__(self, subject: str, failures: Mapping[str, str], n_checked: int) -> None:
        self.subject, self.failures, self.n_checked = subject, dict(failures), n_checked
        lines = [f"  {name}: {seen}" for name, seen in failures.items()]
        head = f"{len(failures)} of {n_checked} properties do not hold for {subject}:"
        super().__init__("\n".join([head, *lines]))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.subject, self.failures, self.n_checked)


class Broken(AssertionError):
    """What a check saw that must not be."""


def require(holds: Any, otherwise: str) -> None:
    """A check goes on only when the property holds so far."""
    if not holds:
        raise Broken(otherwise)


def registered(checks: dict[str, Check[T]]) -> Callable[[Check[T]], Check[T]]:
    """Adds a check to a table under the name of its function."""

    def add(check: Check[T]) -> Check[T]:
        checks[check.__name__] = check
        return check

    return add


def run(subject: T, checks: Mapping[str, Check[T]], skip: Collection[str], what: str) -> list[str]:
    """Runs every check that is not skipped; the names of those that hold, or `CheckFailed`."""
    for name in skip:
        if name not in checks:
            raise unknown("a check to skip", name, checks)
    chosen = {name: check for name, check in checks.items() if name not in skip}
    failures: dict[str, str] = {}
    first: Exception | None = None
    for name, check in chosen.items():
        try:
            check(subject)
        except Exception as wrong:
            seen = str(wrong) if isinstance(wrong, Broken) else f"raised {type(wrong).__name__}: {wrong}"
            failures[name] = f"{seen} ({inspect.getdoc(check)})"
            first = first or wrong
    if failures:
        raise CheckFailed(what, failures, len(chosen)) from first
    return list(chosen)
