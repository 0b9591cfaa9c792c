"""The bytes of a text file: mapped into memory when plain, decompressed when not."""

from __future__ import annotations

import mmap
import os
import stat
from collections.abc import Iterator
from os import PathLike
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from rankwright.data.compressed import HEAD, decompressed, kind_of

Bytes = npt.NDArray[np.uint8]
Source = str | PathLike[str] | bytes | bytearray | memoryview

BOM = b"\xef\xbb\xbf"


class Text:
    """A file's bytes as an array, and a way to give back the memory of the parts already read.

    Attributes
    ----------
    name : the path, or ``"<bytes>"``.
    bytes : uint8, without a byte-order mark.
    """

    def __init__(self, name: str, buffer: Any, mapped: mmap.mmap | None = None) -> None:
        whole = np.frombuffer(buffer, dtype=np.uint8)
        self.name, self._mapped = name, mapped
        self._skipped = len(BOM) if whole[: len(BOM)].tobytes() == BOM else 0
        self.bytes: Bytes = whole[self._skipped :]

    @classmethod
    def of(cls, source: Source) -> Self:
        if isinstance(source, (bytes, bytearray, memoryview)):
            return cls("<bytes>", decompressed("<bytes>", bytes(source)))
        path = os.fspath(source)
        with open(path, "rb") as file:
            head = file.read(HEAD)
            regular = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
            if regular and head and not kind_of(path, head):
                mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
                return cls(path, mapped, mapped)
            return cls(path, decompressed(path, head + file.read()))

    def release(self, start: int, end: int) -> None:
        """Lets the system take back the pages of ``bytes[start:end]``; they are read again when needed."""
        if self._mapped is None or not hasattr(mmap, "MADV_DONTNEED"):
            return
        page = mmap.PAGESIZE
        first, last = (start + self._skipped) // page * page, (end + self._skipped) // page * page
        if last > first:
            self._mapped.madvise(mmap.MADV_DONTNEED, first, last - first)

    def windows(self, size: int) -> Iterator[tuple[int, int]]:
        """Consecutive ranges of whole lines, of about `size` bytes; a longer line is a range of its own."""
        start = 0
        while start < len(self.bytes):
            end = min(start + size, len(self.bytes))
            while end < len(self.bytes) and self.bytes[end - 1] != 10:
                found = np.flatnonzero(self.bytes[end : end + 65536] == 10)
                end = min(end + (int(found[0]) + 1 if len(found) else 65536), len(self.bytes))
            yield start, end
            self.release(start, end)
            start = end
