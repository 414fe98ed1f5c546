"""The rules of NLTK's word tokenizer (Apache-2.0, copyright NLTK Project), in its order.

They are here because the base install, which has no NLTK, marks CMRC 2018 too.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

NLTK = "nltk-3.10.4"
"""The version that the rules are of, for signatures."""

_BEFORE_PADDING = [
    ("([«“‘„]|[`]+)", r" \1 "),
    (r"^\"", r"``"),
    (r"(``)", r" \1 "),
    (r"([ \(\[{<])(\"|\'{2})", r"\1 `` "),
    (r"(?i)(?<!\w)(\')(?!(?:re|ve|ll|m|t|s|d|n)\b)(?=\w)", r"\1 "),
    (r"""([^\.])(\.)([\]\)}>"\'»”’ ]*+)\s*$""", r"\1 \2 \3 "),
    (r"([:,])([^\d])", r" \1 \2"),
    (r"([:,])$", r" \1 "),
    (r"\.{2,}", r" \g<0> "),
    (r"[;@#$%&]", r" \g<0> "),
    (r"[\u2012-\u2015]", r" \g<0> "),
    (r"""([^\.])(\.)([\]\)}>"\']*)\s*$""", r"\1 \2\3 "),
    (r"[?!]", r" \g<0> "),
    (r"([^'])' ", r"\1 ' "),
    (r"[*]", r" \g<0> "),
    (r"[\]\[\(\)\{\}\<\>]", r" \g<0> "),
    (r"--", r" -- "),
]
_AFTER_PADDING = [
    ("([»”’])", r" \1 "),
    (r"''", " '' "),
    (r'"', " '' "),
    (r"\s+", " "),
    (r"([^' ])('[sS]|'[mM]|'[dD]|') ", r"\1 \2 "),
    (r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 "),
]
_CONTRACTIONS = [
    r"(?i)\b(can)(not)\b",
    r"(?i)\b(d)('ye)\b",
    r"(?i)\b(gim)(me)\b",
    r"(?i)\b(gon)(na)\b",
    r"(?i)\b(got)(ta)\b",
    r"(?i)\b(lem)(me)\b",
    r"(?i)\b(more)('n)\b",
    r"(?i)\b(wan)(na)(?=\s)",
    r"(?i) ('t)(is)\b",
    r"(?i) ('t)(was)\b",
]


@functools.cache
def word_tokenizer() -> Callable[[str], list[str]]:
    """A function that splits a text into words."""
    import regex  # as NLTK does: its character classes differ from those of re

    before = [(regex.compile(pattern), replacement) for pattern, replacement in _BEFORE_PADDING]
    after = [(regex.compile(pattern), replacement) for pattern, replacement in _AFTER_PADDING]
    contractions = [re.compile(pattern) for pattern in _CONTRACTIONS]

    def tokenize(text: str) -> list[str]:
        for rule, replacement in before:
            text = rule.sub(replacement, text)
        text = f" {text} "
        for rule, replacement in after:
            text = rule.sub(replacement, text)
        for contraction in contractions:
            text = contraction.sub(r" \1 \2 ", text)
        return text.split()

    return tokenize
