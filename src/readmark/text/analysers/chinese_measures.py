"""Chinese numbers with their measure words as one token: 一门, 4小时, 154米, 两千三百册."""

from __future__ import annotations

import re
from collections.abc import Sequence

from readmark.text.analysers.chinese_entities import MEASURES, NUMERALS
from readmark.text.segmenter import Tagged

_WHOLE_NUMERAL = re.compile(rf"[{NUMERALS}.．,，]*[{NUMERALS}]多?")


def with_measures(text: str, tokens: Sequence[Tagged]) -> list[Tagged]:
    """The tokens; a number and its measure word are one, as in Table 9 of the BRCC document.

    A number without a measure word stays as it is.
    """
    measured: list[Tagged] = []
    index = 0
    while index < len(tokens):
        measure = _after_numeral(text, tokens, index)
        if measure > index and _is_measure(text, tokens, measure):
            numeral_and_measure = tokens[index : measure + 1]
            tags = {tag for _, _, tag in numeral_and_measure}
            start, end = numeral_and_measure[0][0], numeral_and_measure[-1][1]
            measured.append((start, end, "TIME" if "TIME" in tags else "m"))
            index = measure + 1
        else:
            measured.append(tokens[index])
            index += 1
    return measured


def _after_numeral(text: str, tokens: Sequence[Tagged], first: int) -> int:
    """The token after the longest numeral that begins with a token; the same if none does."""
    start, index = tokens[first][0], first
    while index < len(tokens) and _WHOLE_NUMERAL.fullmatch(text[start : tokens[index][1]]):
        if index > first and tokens[index][0] != tokens[index - 1][1]:
            break
        index += 1
    return index


def _is_measure(text: str, tokens: Sequence[Tagged], index: int) -> bool:
    """Whether a token is a measure word right after the one before it."""
    if index == len(tokens):
        return False
    start, end, tag = tokens[index]
    return start == tokens[index - 1][1] and (tag == "q" or text[start:end] in MEASURES)
