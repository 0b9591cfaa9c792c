"""What is wrong with a line of LETOR text, in words."""

from __future__ import annotations

from rankwright.errors import FormatError

MAX_ID = 1 << 22
LONGEST_NAME = 4096

_REASONS = {
    "label-missing": "a line must begin with its label. It begins with {token}. Put the label first: 2 qid:7 1:0.5.",
    "label-number": "a label must be a number. Got {token}. Correct it, or remove the line.",
    "label-range": "a label must be finite and at least 0. Got {token}. Remove unjudged documents, or label them 0.",
    "qid-empty": "qid: must be followed by the query's id, without a blank. Got {token}. Write qid:7.",
    "qid-long": "a query id must have at most {longest} bytes. This is longer: {token}. Use shorter ids.",
    "qid-utf8": "query ids must be UTF-8 text. This one is not. Write the file as UTF-8.",
    "qid-place": "qid: must follow the label, once. Got {token} among the features. Move or remove it.",
    "feature-form": "a feature must be written id:value. Got {token}. Correct it, or put # before a comment.",
    "feature-id": "a feature id must be a whole number. Got {token}. Number the features from {first}.",
    "feature-zero": "feature ids must start at 1. Got {token}. Pass zero_based=True for files that count from 0.",
    "feature-large": "feature ids must be at most {largest}. Got {token}. Correct the line, or renumber the features.",
    "feature-twice": "a feature must stand once in a line. Feature {token} stands twice. Remove one.",
    "value-number": "a feature's value must be a number. Got {token}. Correct it, or leave the feature out.",
    "value-infinite": "a value must be finite in float32. Got {token}. Write nan for missing, or a smaller number.",
    "comment-long": f"a document's id must have at most {LONGEST_NAME} bytes. This comment is longer. "
    "Pass doc_ids=False to ignore comments.",
    "changed": "a file must stay as it is while it is read. This one changed. Read it again.",
}


def shown(token: bytes) -> str:
    """A piece of a file, short enough and safe to print."""
    text = token[:40].decode("utf-8", "replace")
    return repr(text + "…" if len(token) > 40 else text)


def fault(name: str, line: int, kind: str, token: bytes, *, first_id: int, max_id: int) -> FormatError:
    """The error for a fault the kernel found; `line` counts from 0."""
    words = shown(token) if kind != "feature-twice" else token.decode()
    reason = _REASONS[kind].format(token=words, first=first_id, largest=max_id, longest=LONGEST_NAME)
    return FormatError(name, line + 1, reason)


def qid_mismatch(name: str, with_qid: int, without_qid: int) -> FormatError:
    """The error for a file in which some lines have a qid and some have none; lines count from 0."""
    if without_qid > with_qid:
        reason = f"every line must have a qid, or none. Line {with_qid + 1} has one, this has not. Add qid: to it."
        return FormatError(name, without_qid + 1, reason)
    reason = f"every line must have a qid, or none. Line {without_qid + 1} has none, this has. Add qid: to every line."
    return FormatError(name, with_qid + 1, reason)
