"""SQuAD 1.1's normal form of an answer, after the task's official evaluation script."""

from __future__ import annotations

import re
import string

_PUNCTUATION = re.compile(f"[{re.escape(string.punctuation)}]+")
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


def normal(text: str) -> str:
    """Lower-case, drop ASCII punctuation, drop a/an/the, collapse white space, in that order.

    The order decides: `a.` loses its full stop first and is then an article.
    """
    return " ".join(_ARTICLES.sub(" ", _PUNCTUATION.sub("", text.lower())).split())
