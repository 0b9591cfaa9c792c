"""Features from texts and links: a small index in memory, retrieval functions, PageRank."""

from rankwright.text.assembly import text_features
from rankwright.text.features import Collection
from rankwright.text.functions import BASE, Parameters, Scorer
from rankwright.text.index import Index, count_words, index_of
from rankwright.text.words import STOP_WORDS, Analyser

__all__ = [
    "BASE",
    "STOP_WORDS",
    "Analyser",
    "Collection",
    "Index",
    "Parameters",
    "Scorer",
    "count_words",
    "index_of",
    "text_features",
]
