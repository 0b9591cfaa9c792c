"""Options: every kind of declaration, what it takes, what it refuses, how it prints, parses and tabulates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from annotated_types import Ge, Gt, Interval, Le, Lt, MultipleOf

from rankwright.errors import InputError
from rankwright.options import Option, OptionRow, Unsaved, option_table, options_of


@dataclass
class Base:
    """Base.

    Parameters
    ----------
    whole : a whole number.
    number : a number,
        described on two lines.
    """

    whole: int = 3
    number: Annotated[float, Gt(0), Lt(1)] = 0.5


@dataclass
class Every(Base):
    """Every.

    Parameters
    ----------
    switch, word : one of two.
    """

    switch: bool = False
    word: Literal["fast", "slow"] = "fast"
    level: Literal[1, 2] | None = None
    maybe: Annotated[int, Ge(1)] | None = None
    between: Annotated[float, Interval(ge=0, le=1)] = 0.0
    path: Annotated[float, Gt(0)] | Literal["path"] = "path"
    count_or_share: Annotated[int, Ge(1)] | Annotated[float, Gt(0), Le(1)] = 1.0
    text: str = ""
    name_or_number: int | str | None = None
    layers: Annotated[tuple[int, ...], Ge(1)] = (64, 32)
    anything: str | Any = "ridge"
    many: Sequence[str] = ()
    made: tuple[float, ...] = field(default_factory=tuple)
    required: int = field(kw_only=True)
    inner: int = field(init=False, default=0)


OPTIONS = options_of(Every)


@pytest.mark.parametrize(
    ("name", "value", "taken"),
    [
        ("whole", 5, 5),
        ("whole", np.int32(5), 5),
        ("whole", np.uint8(5), 5),
        ("whole", 10**400, 10**400),
        ("number", 0.25, 0.25),
        ("number", np.float32(0.25), 0.25),
        ("between", 1, 1.0),
        ("between", np.int64(0), 0.0),
        ("switch", True, True),
        ("switch", np.bool_(False), False),
        ("word", "slow", "slow"),
        ("word", np.str_("slow"), "slow"),
        ("level", 2, 2),
        ("level", None, None),
        ("maybe", None, None),
        ("maybe", 1, 1),
        ("path", "path", "path"),
        ("path", 2, 2.0),
        ("count_or_share", 5, 5),
        ("count_or_share", 0.5, 0.5),
        ("name_or_number", "bm25", "bm25"),
        ("name_or_number", np.int16(2), 2),
        ("layers", [8, np.int64(4)], (8, 4)),
        ("layers", (), ()),
        ("anything", [1], [1]),
        ("anything", None, None),
        ("many", ["a"], ["a"]),
        ("made", (1, 2.5), (1.0, 2.5)),
    ],
)
def test_what_is_taken(name, value, taken) -> None:
    got = OPTIONS[name].check(value)
    assert got == taken
    assert type(got) is type(taken)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("whole", 5.0),
        ("whole", True),
        ("whole", np.bool_(True)),
        ("whole", "5"),
        ("whole", None),
        ("whole", np.array([1, 2])),
        ("number", 0.0),
        ("number", 1.0),
        ("number", float("nan")),
        ("number", float("inf")),
        ("number", 10**400),
        ("number", 1j),
        ("number", False),
        ("between", 1.0000001),
        ("switch", 1),
        ("switch", "yes"),
        ("word", "Slow"),
        ("word", None),
        ("level", 3),
        ("level", 1.5),
        ("level", True),
        ("maybe", 0),
        ("path", 0.0),
        ("path", "grid"),
        ("count_or_share", 0),
        ("count_or_share", 1.5),
        ("text", 3),
        ("name_or_number", 1.5),
        ("layers", (0,)),
        ("layers", (1.5,)),
        ("layers", 8),
        ("layers", "8"),
        ("many", 3),
    ],
)
def test_what_is_refused(name, value) -> None:
    with pytest.raises(InputError, match=f"^{name} must be"):
        OPTIONS[name].check(value)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("whole", 1.5, "whole must be whole number. Got 1.5. The default is 3."),
        ("number", 2, "number must be number > 0 and < 1. Got 2. The default is 0.5."),
        ("maybe", 0, "maybe must be whole number ≥ 1 or None. Got 0. The default is None."),
        ("word", "slwo", "word must be one of fast, slow. Got 'slwo'. Did you mean 'slow'?"),
        ("path", -1, "path must be path or number > 0. Got -1. The default is 'path'."),
        ("layers", 1, "layers must be whole numbers ≥ 1. Got 1. The default is (64, 32)."),
        ("switch", 1, "switch must be yes/no. Got 1. The default is False."),
        (
            "count_or_share",
            0,
            "count_or_share must be whole number ≥ 1 or number > 0 and ≤ 1. Got 0. The default is 1.0.",
        ),
        ("required", "x", "required must be whole number. Got 'x'. It has no default."),
        (
            "anything",
            Unsaved("Ridge()"),
            "anything must be given again before training. A file could not hold it (Ridge()). "
            "Use set_params(anything=...).",
        ),
    ],
)
def test_errors_say_what_must_hold(name, value, text) -> None:
    with pytest.raises(InputError) as error:
        OPTIONS[name].check(value)
    assert str(error.value) == text


def test_long_values_are_not_printed_whole() -> None:
    with pytest.raises(InputError) as error:
        OPTIONS["whole"].check("x" * 10_000)
    assert len(str(error.value)) < 200


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("whole", "5", 5),
        ("number", "0.5", 0.5),
        ("number", "5e-1", 0.5),
        ("between", "1", 1.0),
        ("switch", "yes", True),
        ("switch", "False", False),
        ("word", "slow", "slow"),
        ("level", "2", 2),
        ("maybe", "None", None),
        ("maybe", "3", 3),
        ("path", "path", "path"),
        ("path", "0.1", 0.1),
        ("count_or_share", "7", 7),
        ("count_or_share", "0.7", 0.7),
        ("text", "5", "5"),
        ("text", "none", "none"),
        ("name_or_number", "5", 5),
        ("name_or_number", "bm25", "bm25"),
        ("layers", "16,8", (16, 8)),
        ("layers", "16", (16,)),
        ("made", "0.5, 1", (0.5, 1.0)),
        ("anything", "logistic", "logistic"),
    ],
)
def test_what_is_typed(name, text, value) -> None:
    got = OPTIONS[name].parse(text)
    assert got == value
    assert type(got) is type(value)


@pytest.mark.parametrize(
    ("name", "text"), [("whole", "5.5"), ("number", "2"), ("word", "sluggish"), ("layers", "8,x"), ("switch", "1")]
)
def test_what_is_typed_wrongly(name, text) -> None:
    with pytest.raises(InputError, match=f"^{name} must be"):
        OPTIONS[name].parse(text)


def test_kinds_and_defaults() -> None:
    assert OPTIONS["maybe"].kinds == (int, type(None))
    assert OPTIONS["path"].kinds == (float,)
    assert OPTIONS["path"].choices == ("path",)
    assert (OPTIONS["required"].required, OPTIONS["required"].default) == (True, None)
    assert OPTIONS["made"].default == ()
    assert "inner" not in OPTIONS


def test_limits_that_nothing_checks_are_refused() -> None:
    @dataclass
    class Odd:
        step: Annotated[int, MultipleOf(2)] = 2

    with pytest.raises(TypeError, match="MultipleOf"):
        options_of(Odd)


def test_changing_the_table_changes_nothing_for_others() -> None:
    options_of(Every).clear()
    assert options_of(Every) == OPTIONS


def test_tables_are_made_from_the_declaration_and_the_docstrings() -> None:
    rows = option_table(Every)
    assert [row.name for row in rows] == list(OPTIONS)
    assert rows[0] == OptionRow("whole", "whole number", "3", "a whole number.")
    assert rows[1] == OptionRow("number", "number > 0 and < 1", "0.5", "a number, described on two lines.")
    assert rows[2] == OptionRow("switch", "yes/no", "False", "one of two.")
    assert rows[-1] == OptionRow("required", "whole number", "", "")


def test_an_option_can_be_made_by_hand() -> None:
    assert Option("mode", (), ("a", "b")).check("b") == "b"
