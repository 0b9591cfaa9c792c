"""Iterators that run ahead on threads and are read one after another, so that nothing depends on the threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from queue import SimpleQueue
from threading import Event
from typing import TypeVar

T = TypeVar("T")
Maker = Callable[[Event], Iterator[T]]


class _End(Exception):
    """An iterator has come to its end."""


@contextmanager
def side_by_side(makers: Sequence[Maker[T]], n_threads: int) -> Iterator[list[Iterator[T]]]:
    """What each maker gives, in order; made on threads ahead of time, or on one thread as it is asked for.

    Parameters
    ----------
    makers : each makes an iterator. The event that it is given is set when no one will ask for more: what takes long
        should look at it now and then.
    n_threads : how many run at a time.
    """
    left = Event()
    if min(n_threads, len(makers)) <= 1:
        yield [make(left) for make in makers]
        return
    queues: list[SimpleQueue[T | BaseException]] = [SimpleQueue() for _ in makers]
    with ThreadPoolExecutor(min(n_threads, len(makers)), "rankwright") as threads:
        try:
            for make, queue in zip(makers, queues, strict=True):
                threads.submit(_fill, make, left, queue)
            yield [_read(queue) for queue in queues]
        finally:
            left.set()
            threads.shutdown(cancel_futures=True)


def _fill(make: Maker[T], left: Event, queue: SimpleQueue[T | BaseException]) -> None:
    try:
        for item in make(left):
            queue.put(item)
            if left.is_set():
                return
        queue.put(_End())
    except BaseException as failure:
        queue.put(failure)


def _read(queue: SimpleQueue[T | BaseException]) -> Iterator[T]:
    while not isinstance(item := queue.get(), _End):
        if isinstance(item, BaseException):
            raise item
        yield item
