"""Reading parameters out of docstrings."""

from __future__ import annotations

from typing import Any

from rankwright.docstrings import completed, inherited_parameters, parameters, section

TEXT = """First line.

    Parameters
    ----------
    a : the first: with a colon,
        over two lines.
    b, c : both.
    *args, **kwargs : the rest.

    Attributes
    ----------
    d : not a parameter.
    """


def test_parameters_are_read_with_their_continuation_lines() -> None:
    assert parameters(TEXT) == {
        "a": "the first: with a colon, over two lines.",
        "b": "both.",
        "c": "both.",
        "args": "the rest.",
        "kwargs": "the rest.",
    }


def test_sections_end_where_the_next_begins() -> None:
    assert section(TEXT, "Attributes") == ["d : not a parameter."]
    assert section(TEXT, "Returns") == []
    assert parameters(None) == parameters("No parameters.") == {}


def test_the_nearest_class_has_the_last_word() -> None:
    class Far:
        """Far.

        Parameters
        ----------
        a : far.
        b : far.
        """

    class Near(Far):
        """Near.

        Parameters
        ----------
        b : near.
        """

    assert inherited_parameters(Near) == {"a": "far.", "b": "near."}


class Shared:
    """What others share.

    Parameters
    ----------
    a : the first,
        over two lines.
    b, c : both.
    unused : of no signature.
    """

    def __init__(self, a: Any = 1, b: Any = 2, c: Any = 3, d: Any = 4) -> None: ...


def test_what_a_class_leaves_to_its_bases_is_filled_in() -> None:
    class Own(Shared):
        """Own.

        More of it.

        Parameters
        ----------
        d : its own.
        b : said better.

        Notes
        -----
        The end.
        """

    assert completed(Own) == (
        "Own.\n\nMore of it.\n\nParameters\n----------\n"
        "a : the first,\n    over two lines.\nb : said better.\nc : both.\n"
        "d : its own.\n\nNotes\n-----\nThe end."
    )


def test_parameters_stand_before_the_other_sections_or_at_the_end() -> None:
    class Noted(Shared):
        """Noted.

        Notes
        -----
        The end.
        """

    class Bare(Shared):
        """Bare."""

    described = "Parameters\n----------\na : the first,\n    over two lines.\nb : both.\nc : both.\n"
    assert completed(Noted) == f"Noted.\n\n{described}\nNotes\n-----\nThe end."
    assert completed(Bare) == f"Bare.\n\n{described}"
    Noted.__doc__ = completed(Noted)
    assert completed(Noted) == Noted.__doc__  # nothing is left to fill in
    assert completed(type("Silent", (Shared,), {})) is None
