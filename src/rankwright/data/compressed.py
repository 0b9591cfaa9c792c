"""Files that may be compressed: what their first bytes show decides, and their names must not say otherwise."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import shutil
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from rankwright.errors import FormatError

MAGIC = {".gz": b"\x1f\x8b", ".xz": b"\xfd7zXZ\x00", ".zst": b"\x28\xb5\x2f\xfd", ".bz2": b"BZh"}
BZ2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")  # follow "BZh9": the digits of π, or of √π where the file is empty
HEAD = 10  # bytes that tell the kind


def kind_of(name: str, head: bytes) -> str | None:
    """The compression that a file's first bytes show; its name must not say otherwise."""
    shown = next((suffix for suffix, magic in MAGIC.items() if head.startswith(magic)), None)
    if shown == ".bz2" and not any(block.startswith(head[4:HEAD]) for block in BZ2_BLOCKS):
        shown = None  # a text that happens to begin with these letters
    suffix = Path(name).suffix.lower()
    if suffix in MAGIC and suffix != shown and head:
        raise FormatError(name, 0, f"a {suffix} file must begin as one. This does not. Rename it, or fetch it again.")
    return shown


def read_bytes(path: str | Path) -> bytes:
    """What a file holds, decompressed where it is compressed."""
    content = decompressed(str(path), Path(path).read_bytes())
    return content if isinstance(content, bytes) else bytes(content)


def decompressed(name: str, data: bytes) -> Any:
    """The bytes inside `data`, which may be plain, gzip, xz, zstandard or bzip2."""
    kind = kind_of(name, data[:HEAD])
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


def without_compression(path: str | Path) -> Path:
    """The path as it is called when decompressed."""
    plain = Path(path)
    return plain.with_suffix("") if plain.suffix.lower() in MAGIC else plain
