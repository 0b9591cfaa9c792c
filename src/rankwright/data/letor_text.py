"""The bytes of a text file: mapped into memory when plain, decompressed when not."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import mmap
import os
import shutil
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import IO, Any, Self

import numpy as np
import numpy.typing as npt

from rankwright.errors import FormatError

Bytes = npt.NDArray[np.uint8]
Source = str | PathLike[str] | bytes | bytearray | memoryview

MAGIC = {".gz": b"\x1f\x8b", ".xz": b"\xfd7zXZ\x00", ".zst": b"\x28\xb5\x2f\xfd", ".bz2": b"BZh"}
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
            head = file.read(8)
            regular = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
            if regular and head and not _kind(path, head):
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


def _kind(name: str, head: bytes) -> str | None:
    """The compression a file's first bytes show; its name must not say otherwise."""
    shown = next((suffix for suffix, magic in MAGIC.items() if head.startswith(magic)), None)
    suffix = Path(name).suffix.lower()
    if suffix in MAGIC and suffix != shown and head:
        raise FormatError(name, 0, f"a {suffix} file must begin as one. This does not. Rename it, or fetch it again.")
    return shown


def decompressed(name: str, data: bytes) -> Any:
    """The bytes inside `data`, which may be plain, gzip, xz, zstandard or bzip2."""
    kind = _kind(name, data[:8])
    if kind is None:
        return data
    out = io.BytesIO()
    try:
        with _reader(kind, data) as stream:
            shutil.copyfileobj(stream, out, 1 << 20)
    except (EOFError, OSError, zlib.error, lzma.LZMAError, ValueError) as wrong:
        reason = f"a {kind} file must be whole. Decompressing it failed ({wrong}). Fetch or compress it again."
        raise FormatError(name, 0, reason) from None
    return out.getbuffer()


@contextmanager
def _reader(kind: str, data: bytes) -> Iterator[IO[bytes]]:
    stream: Any
    if kind == ".gz":
        stream = gzip.GzipFile(fileobj=io.BytesIO(data))
    elif kind == ".xz":
        stream = lzma.LZMAFile(io.BytesIO(data))  # noqa: SIM115 (closed below)
    elif kind == ".bz2":
        stream = bz2.BZ2File(io.BytesIO(data))
    elif sys.version_info >= (3, 14):
        from compression import zstd

        stream = zstd.ZstdFile(io.BytesIO(data))
    else:
        stream = _zstandard(data)
    with stream:
        yield stream


def _zstandard(data: bytes) -> IO[bytes]:
    """All frames of a zstandard file, each checked to be whole."""
    import zstandard

    out, rest = io.BytesIO(), data
    try:
        while rest:
            frame = zstandard.ZstdDecompressor().decompressobj()
            out.write(frame.decompress(rest))
            if not frame.eof:
                raise EOFError("the last frame is cut off")
            rest = frame.unused_data
    except zstandard.ZstdError as wrong:
        raise EOFError(str(wrong)) from None
    out.seek(0)
    return out


@contextmanager
def compressing(path: Path, out: IO[bytes]) -> Iterator[IO[bytes]]:
    """A stream into `out`, compressed as the suffix of `path` says."""
    stream: Any
    if path.suffix.lower() == ".gz":
        stream = gzip.GzipFile(filename="", fileobj=out, mode="wb", mtime=0)
    elif path.suffix.lower() == ".xz":
        stream = lzma.LZMAFile(out, "wb")  # noqa: SIM115 (closed below)
    elif path.suffix.lower() == ".bz2":
        stream = bz2.BZ2File(out, "wb")
    elif path.suffix.lower() != ".zst":
        yield out
        return
    elif sys.version_info >= (3, 14):
        from compression import zstd

        stream = zstd.ZstdFile(out, "wb")
    else:
        import zstandard

        stream = zstandard.ZstdCompressor().stream_writer(out, closefd=False)
    with stream:
        yield stream
