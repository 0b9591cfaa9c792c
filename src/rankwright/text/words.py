"""From text to terms: words, stop words, Porter's stems."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rankwright.errors import InputError

WORD = re.compile(r"[^\W_]+")  # letters and digits of any script

_ARTICLES = "a an the"
_PRONOUNS = """
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
    herself it its itself they them their theirs themselves one oneself who whom whose which what that this these those
    whoever whatever whichever anybody anyone anything everybody everyone everything nobody none nothing somebody
    someone something each either neither both all any every few many much more most other others another several some
    such same own
"""
_PREPOSITIONS = """
    about above across after against along among amongst around as at before behind below beneath beside besides
    between beyond by despite down during except for from in inside into like near of off on onto out outside over past
    per since than through throughout till to toward towards under until up upon versus via with within without
"""
_CONJUNCTIONS = """
    and but or nor so yet if because although though unless while whereas whether when whenever where wherever why how
    however then therefore thus hence moreover otherwise else
"""
_VERBS = """
    am is are was were be been being have has had having do does did doing done can could may might must shall should
    will would ought cannot
"""
_ADVERBS = """
    again almost already also always ever even here there just never no not now often once only perhaps quite rather
    still too very well
"""
_REMAINS = "s t d ll m re ve don isn aren wasn weren didn doesn hasn haven hadn won wouldn couldn shouldn etc eg ie"

STOP_WORDS = frozenset(
    f"{_ARTICLES} {_PRONOUNS} {_PREPOSITIONS} {_CONJUNCTIONS} {_VERBS} {_ADVERBS} {_REMAINS}".split()
)
"""English words that say how a sentence is built and not what it is about, and what apostrophes leave of them."""


def words_of(text: str) -> list[str]:
    """The words of a text in lower case: runs of letters and digits."""
    return WORD.findall(text.lower())


@dataclass(frozen=True)
class Analyser:
    """What words count as: themselves or their stems, without stop words.

    Parameters
    ----------
    stem : whether words become Porter's stems. Needs PyStemmer.
    stop_words : words to leave out, looked up before stemming.
    """

    stem: bool = False
    stop_words: frozenset[str] = frozenset()

    def terms(self, words: Iterable[str]) -> list[str | None]:
        """The term of every word; None for a stop word."""
        listed = list(words)
        kept = listed if not self.stem else porter_stems(listed)
        return [None if word in self.stop_words else term for word, term in zip(listed, kept, strict=True)]


def porter_stems(words: list[str]) -> list[str]:
    """Porter's stems, by the Snowball project's own implementation."""
    try:
        import Stemmer
    except ImportError:
        raise InputError(
            "Porter's stems need PyStemmer. It is not installed. Try pip install 'rankwright[text]', or ask for "
            "features of plain words only."
        ) from None
    stems: list[str] = Stemmer.Stemmer("porter").stemWords(words)
    return stems
