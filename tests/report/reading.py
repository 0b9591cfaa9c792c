"""A page taken apart."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

VOID = {"meta", "link", "br", "hr", "img", "input"}


class Parsed(HTMLParser):
    """The elements of a page, and its words outside of scripts and styles.

    Attributes
    ----------
    elements : tags with their attributes.
    words : all that can be read.
    tables : by caption, the rows with their headings.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.tables: dict[str, list[list[str]]] = {}
        self._open: list[str] = []
        self._caption = ""
        self.feed(text)
        assert self._open == [], f"left open: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)
        if tag == "tr":
            self.tables[self._caption].append([])
        elif tag in ("td", "th"):
            self.tables[self._caption][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] in ("script", "style"):
            return
        self.words += data
        if self._open and self._open[-1] == "caption":
            self._caption = data
            self.tables[data] = []
        elif self._open and self._open[-1] in ("td", "th"):
            self.tables[self._caption][-1][-1] += data

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def charts_of(text: str) -> list[dict[str, Any]]:
    """The charts of a page, as its script gets them."""
    return json.loads(re.search(r'<script type="application/json" id="given">(.*?)</script>', text)[1])["charts"]
