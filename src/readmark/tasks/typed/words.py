"""Typed words in one form, and the message about words that are not what a question asks for."""

from __future__ import annotations

import re
import unicodedata

from readmark.text.script import simplified

_FORMAL = str.maketrans(
    dict(zip("壹贰叁肆伍陆柒捌玖拾佰仟", "一二三四五六七八九十百千", strict=True))
    | {"廿": "二十", "卅": "三十", "\u2212": "-"}
)
"""Numerals of contracts and calendars as everyday ones; the minus sign as a hyphen."""
_LONGEST = 40  # characters of the typed words that fit a message


class UnreadValue(ValueError):
    """Words that are no value of the type; ``chinese`` is the message in Chinese."""

    def __init__(self, message: str, chinese: str) -> None:
        super().__init__(message)
        self.chinese = chinese


def not_a(expected: str, chinese: str, text: str) -> UnreadValue:
    """The error that says what was expected instead of a text, in English and Chinese."""
    quote = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    return UnreadValue(f"“{quote}” is not {expected}", f"“{quote}”不是{chinese}")


def plain_words(text: str) -> str:
    """One width, script, case and spacing; no quotation marks and no punctuation around it."""
    # Before NFKC, which makes ½ three characters: 2½ would become 21⁄2.
    with_decimals = re.sub(r"(\d*) ?([¼½¾])", _decimal, text)
    folded = simplified(unicodedata.normalize("NFKC", with_decimals)).casefold()
    words = " ".join(folded.translate(_FORMAL).split())
    words = words.strip(" \"'“”‘’。,;!?，；！？").removesuffix(".")
    return re.sub(r"^[\u2012-\u2014](?=[\d.])", "-", words)  # a dash before a number is a minus


def _decimal(match: re.Match[str]) -> str:
    return f"{match[1] or 0}.{str(unicodedata.numeric(match[2]))[2:]}"
