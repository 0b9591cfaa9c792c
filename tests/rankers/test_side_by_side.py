"""Iterators that run ahead on threads: read in order, failing where they failed, left when no one asks for more."""

from __future__ import annotations

import time
from collections.abc import Iterator
from threading import Event, get_ident

import pytest

from rankwright.rankers.side_by_side import Maker, side_by_side


def _counting(start: int, n: int = 3) -> Maker[int]:
    def make(left: Event) -> Iterator[int]:
        for i in range(n):
            time.sleep(0.002 * (5 - start))  # later ones are done first
            yield 10 * start + i

    return make


@pytest.mark.parametrize("n_threads", [1, 2, 8])
def test_they_are_read_in_order(n_threads: int) -> None:
    with side_by_side([_counting(start) for start in range(4)], n_threads) as parts:
        assert [list(part) for part in parts] == [[10 * s + i for i in range(3)] for s in range(4)]


@pytest.mark.parametrize("n_threads", [1, 2])
def test_a_failure_is_raised_where_it_is_read(n_threads: int) -> None:
    def failing(left: Event) -> Iterator[int]:
        yield 1
        raise ValueError("no second")

    with side_by_side([_counting(0), failing, _counting(2)], n_threads) as parts:
        assert list(parts[0]) == [0, 1, 2]
        assert next(parts[1]) == 1
        with pytest.raises(ValueError, match="no second"):
            next(parts[1])


@pytest.mark.parametrize("n_threads", [1, 2])
def test_those_that_no_one_reads_are_left(n_threads: int) -> None:
    told = []

    def endless(left: Event) -> Iterator[int]:
        while not left.is_set():
            yield 0
        told.append(True)

    def read_one() -> None:
        with side_by_side([endless] * 3, n_threads) as parts:
            assert next(parts[0]) == 0
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        read_one()
    assert len(told) <= 2  # of three, two were begun


def test_one_thread_is_the_callers() -> None:
    def where(left: Event) -> Iterator[int]:
        yield get_ident()

    with side_by_side([where, where], 1) as parts:
        assert {next(part) for part in parts} == {get_ident()}
    with side_by_side([where, where], 2) as parts:
        assert get_ident() not in {next(part) for part in parts}
