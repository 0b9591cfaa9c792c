"""Documents and queries as people keep them: JSON lines, tables of two columns, dicts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rankwright.data.compressed import read_bytes, without_compression
from rankwright.errors import FormatError, InputError

ID_KEYS = ("id", "_id", "docid", "doc_id", "docno", "qid", "query_id")
TEXT_KEYS = ("title", "text")
Documents = str | Path | Mapping[str, str] | Iterable[Mapping[str, Any]]


@dataclass(frozen=True)
class Texts:
    """Identified texts, and where pages have them, their addresses and links.

    Parameters
    ----------
    ids : one per text.
    texts : their words.
    urls : addresses, or None where some text has none.
    links : pairs (from, to) of positions; links to texts that are not here are left out.
    """

    ids: list[str]
    texts: list[str]
    urls: list[str] | None = None
    links: tuple[tuple[int, int], ...] = ()


def read_texts(given: Documents, what: str, fields: Sequence[str] = TEXT_KEYS) -> Texts:
    """Documents or queries, from a file or from memory.

    Parameters
    ----------
    given : a file of JSON lines (.jsonl) or of lines "id, tab, text" (.tsv), plain or compressed; a dict from id to
        text; or dicts as the JSON lines hold them. Their id is under "id", "_id", "docid", "doc_id", "docno", "qid"
        or "query_id".
    what : what they are called in errors.
    fields : the keys whose texts are joined, where they are there. "url" and "links" (a list of ids) are read beside.
    """
    if isinstance(given, Mapping):
        given = ({"id": key, fields[-1]: text} for key, text in given.items())
    rows = _rows_of_file(Path(given)) if isinstance(given, (str, Path)) else ((k, r) for k, r in enumerate(given, 1))
    where = str(given) if isinstance(given, (str, Path)) else f"<{what}>"
    seen: dict[str, int] = {}
    texts: list[str] = []
    urls: list[str | None] = []
    links: list[tuple[int, Any]] = []
    for number, row in rows:
        identity = _identity(row, where, number)
        if identity in seen:
            raise FormatError(where, number, f"ids must be different. Got {identity!r} twice. Drop or rename one.")
        links.extend((len(texts), target) for target in row.get("links") or ())
        seen[identity] = len(texts)
        texts.append(" ".join(str(row[field]) for field in fields if row.get(field)))
        urls.append(str(row["url"]) if row.get("url") else None)
    if not texts:
        raise InputError(f"there must be {what}. Got none in {where}. Pass at least one.")
    _check_some_text(texts, fields, where)
    known = tuple((a, seen[str(b)]) for a, b in links if str(b) in seen)
    return Texts(list(seen), texts, None if None in urls else [str(url) for url in urls], known)


def _identity(row: Any, where: str, number: int) -> str:
    if not isinstance(row, Mapping):
        raise FormatError(where, number, f"each line must be a JSON object. Got {row!r:.40}. Correct or drop the line.")
    key = next((key for key in ID_KEYS if row.get(key) not in (None, "")), None)
    if key is None:
        keys = ", ".join(map(str, row)) or "none"
        reason = f"each text must have an id, under one of {', '.join(ID_KEYS)}. Got the keys {keys}. Add an id."
        raise FormatError(where, number, reason)
    return str(row[key])


def _check_some_text(texts: list[str], fields: Sequence[str], where: str) -> None:
    if not any(texts):
        raise InputError(
            f"texts must be under one of the keys {', '.join(fields)}. Got none in {where}. Name the right keys with "
            "fields=."
        )


def _rows_of_file(path: Path) -> Iterator[tuple[int, Any]]:
    try:
        content = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FormatError(path, 0, "texts must be UTF-8. Got other bytes. Convert the file.") from None
    tabbed = without_compression(path).suffix.lower() in (".tsv", ".txt")
    for number, line in enumerate(content.split("\n"), 1):
        if line.strip():
            yield number, _tabbed(line, path, number) if tabbed else _json(line, path, number)


def _tabbed(line: str, path: Path, number: int) -> dict[str, str]:
    identity, tab, text = line.rstrip("\r").partition("\t")
    if not tab:
        raise FormatError(
            path, number, f"each line must be id, tab, text. Got {line[:40]!r}. Correct or drop the line."
        )
    return {"id": identity.strip(), "text": text}


def _json(line: str, path: Path, number: int) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as wrong:
        reason = f"each line must be a JSON object. It is not ({wrong.msg}). Correct or drop the line."
        raise FormatError(path, number, reason) from None
