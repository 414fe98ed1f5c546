"""Sentences by plain rules, English and Chinese: fast, linear, and named in signatures.

They were chosen over three libraries on sentences written for that; benchmarks/making.md has the
figures. A stop ends a sentence with the quotes and brackets that close after it.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Sequence
from itertools import chain

from readmark.core.records import Offsets
from readmark.text.line_breaks import (
    NEXT_WORD,
    STARTERS,
    UNFINISHED,
    WORDS,
    ending_breaks,
    line_width,
)

RULES = "rules-4"

_BEFORE_NAME, _BEFORE_NUMBER, _MAY_END = (
    frozenset(WORDS[name].split()) for name in ("before_a_name", "before_a_number", "may_end")
)

# A run of stops is tried once, from its beginning and whole: a page of dots must not take minutes.
_ENGLISH_STOP = re.compile(
    r"(?<![.!?…])[.!?…]++[\"'”’)\]]*+(?:\[\d{1,3}\])*+(?=\s|$)|[。！？]++[”’」』）》\"')]*+"
)
_CHINESE_STOP = re.compile(
    r"(?:[。！？!?…⋯]|(?<![.])\.{3,})++[”’」』）》〉\"')]*+"
    r"|(?<=[\u4e00-\u9fff])\.(?![A-Za-z\d])|(?<=[a-z]{2})\.(?=\s|[\u4e00-\u9fff]|$)[”\"]?"
)
_BEGINS = re.compile(r"\s*[\"'“‘«(\[]*(?:[^\W_a-zß-öø-ÿ]|[a-z]{1,2}[A-Z])")
"""How a sentence begins: not in a small letter, unless it is that of iPhone or eBay."""
_LAST_WORD = re.compile(r"[^\s\"'“‘«(\[]+$")
_LONGEST_WORD = 24
"""Characters before a stop that are looked at: a page without a space must not take minutes."""
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]|Ph\.D|Ph\.Ds|M\.Sc|B\.Sc")
_INITIAL = re.compile(r"\s*[A-Z]\.")
_ITEM_NUMBER = re.compile(r"[ \t]*+\(?(\d{1,3}|[A-Za-z])\.")
_ITEM_NUMBER_OF_LINE = re.compile(rf"^{_ITEM_NUMBER.pattern}", re.MULTILINE)
_NUMBER_AFTER_COLON = re.compile(r":\s*\d{1,2}\.$")
_NO_SPACE = re.compile(r"\S")
_ENGLISH_SPEECH = re.compile(
    rf"\s+(?:[A-Z][\w'’-]*\s+){{1,3}}(?:{'|'.join(WORDS['speech'].split())})\b"
)
_CHINESE_SPEECH = re.compile(
    r"[^\s，。！？；：、“”「」『』]{1,10}?(?:[问说喊叫答道]|回答|笑道|喊道|写道|告诉[^，。]{1,4})"
    r"(?:道|着)?[，。：,]"
)
_BETWEEN_HAN = re.compile(r"[\u4e00-\u9fff]\.\S")
_QUOTED = re.compile(r"[^”」』\"][”」』\"]$")
_ENCLOSED = re.compile(r"《[^《》\n]{0,60}》|（[^（）\n]{0,200}）|\([^()\n]{0,200}\)")
"""Titles and brackets: a stop inside one ends the sentence only if the sentence begins there."""
_WRAP = re.compile(r"(?<=\S)[ \t\r\u3000]*\n[ \t\u3000]*(?=\S)")
_FULL = 0.6
"""The share of the widest line from which a Chinese line counts as full."""
_LEAST_WRAPPED = 24


def sentences(text: str, language: str) -> list[Offsets]:
    """The sentences of a text as offsets, without the white space around them."""
    stops = list(_chinese_stops(text) if language == "zh" else _english_stops(text))
    spans: list[Offsets] = []
    begin = 0
    for end in chain(heapq.merge(stops, ending_breaks(text, stops)), (len(text),)):
        first, last = begin, end
        while first < last and text[first].isspace():
            first += 1
        while last > first and text[last - 1].isspace():
            last -= 1
        if first < last:
            spans.append((first, last))
        begin = max(begin, end)
    return spans


def _english_stops(text: str) -> Iterator[int]:
    item_numbers = _ItemNumbers(text)
    for stop in _ENGLISH_STOP.finditer(text):
        if not item_numbers.includes(stop) and _ends_english(text, stop):
            item_numbers.begin_sentence(stop.end())
            yield stop.end()


class _ItemNumbers:
    """The numbers before the items of a list: the stop after one ends no sentence.

    Where a sentence begins, a number is one at the beginning of a line or if it counts on.
    Elsewhere it must begin a line, at the top of a block or with its neighbour on another line:
    wrapping puts other numbers there (both 0 and | 1. It is).
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._on_lines = set(_ITEM_NUMBER_OF_LINE.findall(text)) if "\n" in text else set()
        self._last = 0
        self.begin_sentence(0)

    def begin_sentence(self, place: int) -> None:
        """Note where a sentence begins."""
        first = _NO_SPACE.search(self._text, place)
        self._begin = first.start() if first is not None else len(self._text)

    def includes(self, stop: re.Match[str]) -> bool:
        """Whether a stop ends such a number."""
        if stop[0] != ".":
            return False
        text, end = self._text, stop.end()
        line = text.rfind("\n", 0, end) + 1
        number = _ITEM_NUMBER.fullmatch(text, line, end)
        if number is None:
            number = _ITEM_NUMBER.fullmatch(text, self._begin, end)
            if number is None or not number[1].isdigit() or int(number[1]) != self._last + 1:
                return False
        elif not (line == 0 or self._begin >= line or self._is_listed(number[1], line)):
            return False
        self._last = int(number[1]) if number[1].isdigit() else 0
        return True

    def _is_listed(self, number: str, line: int) -> bool:
        """Whether a number at the beginning of a line, inside a sentence, is an item's."""
        above = self._text[max(0, line - 1 - _LONGEST_WORD) : line - 1].rstrip(" \t\r")
        if not above or above[-1] in "\n:":
            return True
        if UNFINISHED.search(above):
            return False
        if number.isdigit():
            neighbours = {str(int(number) - 1), str(int(number) + 1)}
        else:
            neighbours = {chr(ord(number) - 1), chr(ord(number) + 1)}
        return not neighbours.isdisjoint(self._on_lines)


def _ends_english(text: str, stop: re.Match[str]) -> bool:
    """Whether a stop ends an English sentence: not after Mr., not before a small letter."""
    end = stop.end()
    if stop[0][0] in "。！？":
        return True
    if not _BEGINS.match(text, end):
        return not text[end : end + 80].strip()
    if stop[0] != ".":
        is_quoted = len(stop[0]) > 1 and stop[0][0] in "?!"
        return not (is_quoted and _ENGLISH_SPEECH.match(text, end))
    before = _LAST_WORD.search(text, max(0, end - 1 - _LONGEST_WORD), end - 1)
    return before is None or _ends_after(before[0], text, end)


def _ends_after(word: str, text: str, end: int) -> bool:
    """Whether the full stop after a word ends a sentence, rather than an abbreviation."""
    if word in _BEFORE_NAME:
        return False
    following = NEXT_WORD.match(text, end)
    quote, next_word = following.groups() if following is not None else ("", "")
    if word in _BEFORE_NUMBER:
        return not next_word[:1].isdigit()
    if word in _MAY_END or _INITIALS.fullmatch(word):
        return bool(quote) or (next_word in STARTERS and not _INITIAL.match(text, end))
    is_number_of_item = word.isdigit() and _NUMBER_AFTER_COLON.search(
        text, max(0, end - _LONGEST_WORD), end
    )
    return not is_number_of_item


def _chinese_stops(text: str) -> Iterator[int]:
    unwrapped, places = _unwrapped(text)
    enclosures = _ENCLOSED.finditer(unwrapped)
    enclosure = next(enclosures, None)
    begin = 0
    # Where 。 ends sentences, a full stop between Han characters may be a comma.
    full_stops_count = "。" not in unwrapped
    for stop in _CHINESE_STOP.finditer(unwrapped):
        if not full_stops_count and _BETWEEN_HAN.match(unwrapped, stop.start() - 1):
            continue
        while enclosure is not None and enclosure.end() < stop.end():
            enclosure = next(enclosures, None)
        if (
            enclosure is not None
            and enclosure.start() < stop.start()
            and _NO_SPACE.search(unwrapped, begin, enclosure.start())
        ):
            continue
        if _QUOTED.search(stop[0]) and _CHINESE_SPEECH.match(unwrapped, stop.end()):
            continue
        begin = stop.end()
        yield places[begin - 1] + 1 if places is not None else begin


def _unwrapped(text: str) -> tuple[str, Sequence[int] | None]:
    """A Chinese text without the breaks of full lines, and where each character occurs.

    A break after a short line stays: what is said after a quote may be the next paragraph.
    """
    if "\n" not in text:
        return text, None
    full = max(_LEAST_WRAPPED, _FULL * max(map(line_width, text.split("\n"))))
    parts: list[str] = []
    places: list[int] = []
    done = 0
    for wrap in _WRAP.finditer(text):
        start, end = wrap.span()
        if line_width(text[text.rfind("\n", 0, start) + 1 : start]) >= full:
            space = " " if text[start - 1].isascii() and text[end].isascii() else ""
            parts.append(text[done:start] + space)
            places += range(done, start + len(space))
            done = end
    parts.append(text[done:])
    places += range(done, len(text))
    return "".join(parts), places
