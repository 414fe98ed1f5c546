"""Words, numbers and sentences of a text, English or Chinese, with their places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from readmark.tasks.categories.values import COUNTS
from readmark.text.chinese_numbers import NUMERALS, number_of

__all__ = ["COUNTS", "TextToken", "number_in", "sentences_of", "token_texts", "tokens_of"]

_SPACE = re.compile(r"(?:\s|&#160;|&nbsp;|&#xa0;)+", re.IGNORECASE)
_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_ABBREVIATED = r"(?:Jr|Sr|St|Ste|Mr|Mrs|Ms|Dr|vs|No|Lt|Col|Gen|Rev|Prof)\."
_TOKEN = re.compile(
    rf"(?P<number>\d+(?:,\d{{3}})+(?!\d)|\d+(?:\.\d+)?(?![\w]))"
    rf"|(?P<short>(?:[A-Z]\.\s?)*[A-Z]\.(?=\s*[A-Z])|{_ABBREVIATED})"
    rf"|(?P<numeral>[{NUMERALS}]+(?=[{_HAN}]))"
    rf"|(?P<han>[{_HAN}])"
    rf"|(?P<word>\d+[^\W\d_]+|(?:(?!['’]s\b)[^\W\d_{_HAN}]|(?<=[^\W\d_])['’-](?!s\b)(?=[^\W\d_{_HAN}]))+)"
    r"|(?P<own>['’]s\b)|(?P<other>\S)"
)
_ENDS = frozenset(".!?。！？")
_CLOSING = frozenset("\"'”’)]")


class TextToken(NamedTuple):
    """A word, number or sign and its place."""

    text: str
    start: int
    end: int
    kind: str


def tokens_of(text: str) -> Iterator[TextToken]:
    """The tokens of a text, in order; entities of HTML that are spaces are spaces."""
    at = 0
    while at < len(text):
        space = _SPACE.match(text, at)
        if space is not None:
            at = space.end()
            continue
        match = _TOKEN.match(text, at)
        if match is None:  # pragma: no cover - any sign is a token
            at += 1
            continue
        words, hyphen, last = match[0].rpartition("-")
        # "two-yard" is cut as "2-yard" is; "sixty-one" is a number.
        if hyphen and words.lower() in COUNTS and match[0].lower() not in COUNTS:
            cut = at + len(words)
            yield TextToken(words, at, cut, "word")
            yield TextToken("-", cut, cut + 1, "other")
            yield TextToken(last, cut + 1, match.end(), "word")
        else:
            yield TextToken(match[0], at, match.end(), match.lastgroup or "other")
        at = match.end()


@lru_cache(maxsize=10_000)
def token_texts(text: str) -> tuple[str, ...]:
    """The words of a pattern, cut as those of a text are."""
    return tuple(token.text for token in tokens_of(text))


def number_in(token: TextToken) -> int | float | None:
    """The number that a token is, in digits, English words or Chinese numerals."""
    if token.kind == "number":
        plain = token.text.replace(",", "")
        return float(plain) if "." in plain else int(plain)
    if token.kind == "numeral":
        number = number_of(token.text)
        return int(number) if number is not None and number == int(number) else None
    return COUNTS.get(token.text.lower())


def sentences_of(text: str) -> list[list[TextToken]]:
    """The tokens of a text, sentence by sentence; a blank line ends one too."""
    found: list[list[TextToken]] = [[]]
    tokens = list(tokens_of(text))
    for index, token in enumerate(tokens):
        found[-1].append(token)
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        if following is None:
            break
        between = text[token.end : following.start]
        if (
            between.count("\n") > 1
            or (token.text in _ENDS and _begins(following, between, token.text))
            or (between and following.text[:1].isupper() and _closes(tokens, index))
        ):
            found.append([])
    return [sentence for sentence in found if sentence]


def _closes(tokens: Sequence[TextToken], index: int) -> bool:
    """Whether a token is a quotation mark or bracket after the end of a sentence."""
    return tokens[index].text in _CLOSING and index > 0 and tokens[index - 1].text in _ENDS


def _begins(following: TextToken, between: str, end: str) -> bool:
    """Whether a token after an end of a sentence begins the next one."""
    if following.text in _CLOSING and not between:
        return False
    if end in "。！？":
        return True
    first = following.text[:1]
    return bool(between) and (not first.isalpha() or first.isupper() or first > "\u2e80")
