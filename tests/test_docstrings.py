"""Reading parameters out of docstrings."""

from __future__ import annotations

from rankwright.docstrings import inherited_parameters, parameters, section

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
