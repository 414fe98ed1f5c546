"""How alike two entities are by what a document calls them: their equivalence classes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from readmark.text.script import simplified

CREDITS = ("partial", "any", "none")
"""Dice's coefficient of the two classes; 1 when they share a mention; only names count."""

_ARTICLE = re.compile(r"(?:the|an?)\s+(?=\S)", re.IGNORECASE)

_PERSONAL = ("it", "its", "he", "him", "his", "she", "her", "hers", "they", "them", "their")
_POINTING = ("this", "that", "these", "those", "who", "which")
_CHINESE = ("它", "他", "她", "它们", "他们", "她们", "这", "那", "该", "此", "其")
PRONOUNS = frozenset((*_PERSONAL, *_POINTING, *_CHINESE))


def mention_class(mentions: Iterable[str]) -> frozenset[str]:
    """The distinct mentions, whatever their case, spacing, width, script and English article."""
    return frozenset(mention for mention in map(_folded, mentions) if mention)


def _folded(mention: str) -> str:
    # Folding case can undo compatibility forms and the other way round, so width is folded twice.
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", mention).casefold())
    words = " ".join(folded.split()) if folded.isascii() else " ".join(simplified(folded).split())
    return without_article(words)


def without_article(mention: str) -> str:
    """The words without an English article before them."""
    return _ARTICLE.sub("", mention, count=1) if _ARTICLE.match(mention) else mention


def is_name(mention: str) -> bool:
    """Whether a mention names its entity: it has a capital letter, a figure, or no letter case.

    "the repair" and "It" only describe or point at something.
    """
    words = without_article(mention.strip())
    if words.casefold() in PRONOUNS:
        return False
    letters = [letter for letter in words if letter.isalpha()]
    is_cased = any(letter.lower() != letter.upper() for letter in letters)
    return not is_cased or words != words.lower() or any(letter.isdigit() for letter in words)


def class_similarity(a: frozenset[str], b: frozenset[str], credit: str) -> float:
    """0 to 1, by the rule ``credit`` of :data:`CREDITS`; classes without mentions are like none."""
    shared = len(a & b)
    if not shared or credit == "none":
        return 0.0
    return 1.0 if credit == "any" else 2 * shared / (len(a) + len(b))
