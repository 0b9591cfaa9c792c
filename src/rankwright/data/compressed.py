"""Files that may be compressed, read whole."""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys
import zlib
from pathlib import Path

from rankwright.errors import FormatError

SUFFIXES = (".gz", ".xz", ".zst", ".bz2")


def read_bytes(path: str | Path) -> bytes:
    """What a file holds; decompressed when its first bytes say it is gzip, xz, Zstandard or bzip2."""
    raw = Path(path).read_bytes()
    try:
        if raw[:2] == b"\x1f\x8b":
            return gzip.decompress(raw)
        if raw[:6] == b"\xfd7zXZ\x00":
            return lzma.decompress(raw)
        if raw[:4] == b"\x28\xb5\x2f\xfd":
            return _zstandard(raw)
        if raw[:3] == b"BZh" and Path(path).suffix == ".bz2":
            return bz2.decompress(raw)
    except (OSError, EOFError, lzma.LZMAError, zlib.error, ValueError) as wrong:
        reason = f"a compressed file must be whole. It could not be read ({wrong}). Copy or compress it again."
        raise FormatError(path, 0, reason) from None
    return raw


def _zstandard(raw: bytes) -> bytes:
    if sys.version_info >= (3, 14):
        from compression import zstd

        return zstd.decompress(raw)
    import zstandard

    parts = []
    while raw:  # a file may hold several frames
        frame = zstandard.ZstdDecompressor().decompressobj()
        try:
            parts.append(frame.decompress(raw))
        except zstandard.ZstdError as wrong:
            raise ValueError(str(wrong)) from None
        if not frame.eof:
            raise ValueError("it ends in the middle of a frame")
        raw = frame.unused_data
    return b"".join(parts)


def without_compression(path: str | Path) -> Path:
    """The path as it is called when decompressed."""
    plain = Path(path)
    return plain.with_suffix("") if plain.suffix.lower() in SUFFIXES else plain
