"""Sentences by plain rules, English and Chinese: enough for the first readers, and fast.

The rules are named in the signatures of what uses them; full analysers may take their place.
"""

from __future__ import annotations

import re

from readmark.corpus.values import Offsets

RULES = "rules-1"

_CHINESE_END = re.compile(r"[。！？!?…]+[”’」』）》〉\"')]*|\n+")
# A run of stops is tried once, from its beginning and whole: a page of dots must not take minutes.
_ENGLISH_END = re.compile(
    r"(?<![.!?…])[.!?…]++[\"'”’)\]]*+(?=\s|$)|\n\s*\n|\n(?=\S)(?![a-zß-öø-ÿ])"
)
_ABBREVIATION = re.compile(
    r"(?:^|[(\"'“‘])(?:Mr|Mrs|Ms|Dr|Prof|St|Mt|Gen|Col|Capt|Lt|Sgt|Rev|Hon|Sen|Rep|Gov|Jr|Sr|vs|"
    r"No|Nos|Vol|Fig|pp|ca|approx|e\.g|i\.e|etc|cf|al|Inc|Ltd|Co|Corp|Jan|Feb|Mar|Apr|Jun|Jul|Aug|"
    r"Sept|Sep|Oct|Nov|Dec|[A-Z]|(?:[A-Za-z]\.)+[A-Za-z])\.$"
)
_BEGINS = re.compile(r"\s+[\"'“‘(\[]*[A-Z0-9À-ÖØ-Þ]")


def sentences(text: str, language: str) -> list[Offsets]:
    """The sentences of a text as offsets, without the white space around them."""
    ends = _CHINESE_END if language == "zh" else _ENGLISH_END
    found: list[Offsets] = []
    start = 0
    for end in ends.finditer(text):
        if language != "zh" and not _ends_here(text, start, end):
            continue
        _add(found, text, start, end.end())
        start = end.end()
    _add(found, text, start, len(text))
    return found


def _ends_here(text: str, start: int, end: re.Match[str]) -> bool:
    """Whether a stop ends an English sentence: not after Mr., not before a small letter."""
    if end[0].isspace() or end.end() == len(text):
        return True
    if not _BEGINS.match(text, end.end()):
        return False
    return not (end[0] == "." and _ABBREVIATION.search(_last_word(text, start, end.end())))


def _last_word(text: str, start: int, end: int) -> str:
    at = end
    while at > start and not text[at - 1].isspace():
        at -= 1
    return text[at:end]


def _add(found: list[Offsets], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        found.append((start, end))
