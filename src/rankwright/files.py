"""Files are written whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def atomic(path: str | Path) -> Iterator[IO[bytes]]:
    """A binary file that takes its name only when everything was written; on any error nothing is left behind.

    A link stays a link to the file it points to. Pipes and devices, which cannot be replaced, are written to.
    """
    if _is_special(path):
        with open(path, "wb") as out:
            yield out
        return
    target = Path(os.path.realpath(path))
    part = target.with_name(f".{target.name[:50]}.{os.urandom(6).hex()}.part")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)  # the umask applies, as to any new file
    try:
        with os.fdopen(handle, "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        if target.exists():
            os.chmod(part, stat.S_IMODE(target.stat().st_mode))
        os.replace(part, target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def write_atomically(path: str | Path, data: bytes) -> None:
    with atomic(path) as out:
        out.write(data)


def _is_special(path: str | Path) -> bool:
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
