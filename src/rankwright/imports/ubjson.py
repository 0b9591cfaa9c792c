"""Universal Binary JSON as XGBoost writes it (UBJSON draft 12): numbers are big-endian, arrays may state their type.

{L........namei.   an object: names without mark, each a length and as many bytes
[$d#L........      an array of float32 numbers, their count, and then the numbers
[#L........        an array of a stated count, each value with its mark
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rankwright.errors import InputError

DEEPEST = 64
_NUMBERS = {"i": ">i1", "U": ">u1", "I": ">i2", "l": ">i4", "L": ">i8", "d": ">f4", "D": ">f8"}
_WORDS = {"Z": None, "T": True, "F": False}


def parsed(data: bytes) -> Any:
    """The value that the bytes hold; arrays of numbers are NumPy arrays. Else an InputError that names the byte."""
    reader = _Reader(data)
    value = reader.value(reader.mark(), 0)
    if reader.at != len(data):
        raise InputError(f"at byte {reader.at} the file should end")
    return value


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, n: int) -> bytes:
        """The next bytes."""
        if not 0 <= n <= len(self.data) - self.at:
            raise InputError(f"at byte {self.at} there should be {n} more bytes. There are {len(self.data) - self.at}")
        self.at += n
        return self.data[self.at - n : self.at]

    def mark(self) -> str:
        return chr(self.take(1)[0])

    def length(self) -> int:
        mark = self.mark()
        if mark not in "iUIlL":
            raise InputError(f"at byte {self.at - 1} there should be a length. There is {mark!r}")
        return int(self.number(mark))

    def number(self, mark: str) -> int | float:
        kind = np.dtype(_NUMBERS[mark])
        found: int | float = np.frombuffer(self.take(kind.itemsize), kind)[0].item()
        return found

    def text(self) -> str:
        return self.take(self.length()).decode("utf-8", "replace")

    def value(self, mark: str, depth: int) -> Any:
        if depth > DEEPEST:
            raise InputError(f"at byte {self.at} values stand more than {DEEPEST} deep in one another")
        if mark in _NUMBERS:
            return self.number(mark)
        if mark in _WORDS:
            return _WORDS[mark]
        if mark in "SH":
            return self.text()
        if mark == "C":
            return self.mark()
        if mark == "[":
            return self.array(depth)
        if mark == "{":
            return self.object(depth)
        raise InputError(f"at byte {self.at - 1} there should be a value. There is {mark!r}")

    def header(self) -> tuple[str, int | None]:
        """The type and count that an array or object may state."""
        kind = ""
        if self.data[self.at : self.at + 1] == b"$":
            self.take(1)
            kind = self.mark()
            if self.data[self.at : self.at + 1] != b"#":
                raise InputError(f"at byte {self.at} there should be a count after the type")
        if self.data[self.at : self.at + 1] != b"#":
            return kind, None
        self.take(1)
        count = self.length()
        if count < 0 or (kind in _WORDS and count > len(self.data)):
            raise InputError(f"at byte {self.at} the count {count} cannot be")
        return kind, count

    def array(self, depth: int) -> Any:
        kind, count = self.header()
        if kind in _NUMBERS and count is not None:
            dtype = np.dtype(_NUMBERS[kind])
            return np.frombuffer(self.take(count * dtype.itemsize), dtype).astype(dtype.newbyteorder("="))
        out: list[Any] = []
        while len(out) != count:
            mark = kind or self.mark()
            if count is None and mark == "]":
                break
            out.append(self.value(mark, depth + 1))
        return out

    def object(self, depth: int) -> dict[str, Any]:
        kind, count = self.header()
        out: dict[str, Any] = {}
        n = 0
        while n != count:
            if count is None and self.data[self.at : self.at + 1] == b"}":
                self.take(1)
                break
            name = self.text()
            if name in out:
                raise InputError(f"at byte {self.at} the name {name:.60} stands twice")
            out[name] = self.value(kind or self.mark(), depth + 1)
            n += 1
        return out
