"""Sentences by plain rules, English and Chinese: fast, linear, and named in signatures.

They were chosen over three libraries on sentences written for that; benchmarks/making.md has the
figures. A stop ends a sentence with the quotes and brackets that close after it.
"""

from __future__ import annotations

import heapq
import re
import tomllib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import pairwise

from readmark.core.records import Offsets

# Which line breaks only wrap a line, and which end its text.


NARROWEST = 40
"""Lines shorter than this are no wrapped prose but titles, verse and lists, unless they show it."""
_HEADING = 0.5
"""The share of the width up to which a line of its own among wrapped ones is a heading."""

_ITEM = re.compile(
    r"\s*(?:[-*•·–—]\s|\(?(?:\d{1,3}|[A-Za-z])[.)]\s|[（(]?[一二三四五六七八九十]+[、）)])"
)
_WIDE = re.compile("[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]")
_ENDED = re.compile(r"[.!?…。！？⋯][\"'”’)\]」』）》]*$")
_CLAUSE = re.compile(r"[,;，；、].*\w$")
_CONTINUATION = re.compile(r"\s*[\"'“‘(]?[a-zß-öø-ÿ]")
_UNFINISHED = re.compile(
    r"(?:^|\s)(?:an?|the|of|in|on|at|to|by|for|from|with|and|or|but|nor|as|than|that|which|who|whose"
    r"|is|are|was|were|be|been|has|have|had|his|her|its|their|our|my|your|this|these|those|into|between"
    r")$|[,、，（(“‘-]$"
)


def ending_breaks(text: str, stops: Sequence[int]) -> Iterator[int]:
    """Where each line break that ends a sentence occurs; wraps and breaks after stops are none.

    ``stops`` are the ends of sentences within the text, in order. Lines between blank lines are one
    block. It is prose when a sentence ends inside a line, when a third of its lines continue with
    a small letter, or when it ends with a stop and a line breaks off inside a clause. In prose a
    break is a wrap, except after a heading: a line that holds one whole piece and is short or in
    title case. In other blocks (verse, lists) a break is a wrap when the next line's first word
    would not have fitted, or the line's last word cannot end it. Before an item of a list a line
    ends if it could end or there are several items.
    """
    at = 0
    block: list[tuple[int, str]] = []
    for line in text.split("\n") if "\n" in text else ():
        if bare := line.strip():
            block.append((at + line.index(bare), bare))
        else:
            yield from _breaks_of_block(block, stops)
            block = []
        at += len(line) + 1
    yield from _breaks_of_block(block, stops)


def _breaks_of_block(block: Sequence[tuple[int, str]], stops: Sequence[int]) -> Iterator[int]:
    if not block:
        return
    lines = [line for _, line in block]
    inner = [bisect_right(stops, at) < bisect_left(stops, at + len(line)) for at, line in block]
    width = max(map(_width, lines))
    items = sum(_ITEM.match(line) is not None for line in lines)
    running = [
        _CONTINUATION.match(following) is not None
        for line, following in pairwise(lines)
        if not _ENDED.search(line)
    ]
    is_prose = (
        any(inner)
        or (any(running) and 3 * sum(running) >= len(running))
        or (_ENDED.search(lines[-1]) is not None and any(map(_CLAUSE.search, lines)))
    )
    whole = True  # the line is the beginning of a piece
    for index, ((at, line), (_, following)) in enumerate(pairwise(block)):
        ends = _ENDED.search(line) is not None
        if not ends:
            if is_prose:
                ends = whole and not inner[index] and _is_heading(line, following, width)
            else:
                ends = _is_line_of_its_own(line, following, width)
            if _ITEM.match(following) and (ends or items > 1 or line[-1] in ":："):
                ends = True
            if ends:
                yield at + len(line)
        whole = ends
    at, line = block[-1]
    yield at + len(line)


def _is_line_of_its_own(line: str, following: str, width: int) -> bool:
    """Whether a line of a block that is no prose, such as a verse, is a piece of its own."""
    if width < NARROWEST or line[-1] in ":：":
        return not _CONTINUATION.match(following)
    return _has_room(line, following, width)


def _is_heading(line: str, following: str, width: int) -> bool:
    """Whether a line among wrapped ones is a piece of its own: short, or in title case."""
    if not _has_room(line, following, width):
        return False
    words = line.split()
    capital = all(len(word) < 4 or not _CONTINUATION.match(word) for word in words)
    if capital and len(words) > 2 and line.isascii():
        return True
    return _width(line) <= min(NARROWEST, _HEADING * width) and not _CLAUSE.search(line)


def _has_room(line: str, following: str, width: int) -> bool:
    """Whether a line could end where it does: the next line's first word would have fitted."""
    if _CONTINUATION.match(following) or _UNFINISHED.search(line):
        return False
    room = width - _width(line)
    return room > (2 if _WIDE.match(following.lstrip()) else len(following.split(None, 1)[0]))


def _width(line: str) -> int:
    """How wide a line looks: a Chinese character takes two columns."""
    line = line.rstrip()
    return len(line) if line.isascii() else len(line) + len(_WIDE.findall(line))


RULES = "rules-3"

_KNOWN = tomllib.loads(
    (files("readmark.text") / "data" / "sentences.en.toml").read_text(encoding="utf-8")
)
_BEFORE_NAME, _BEFORE_NUMBER, _MAY_END, _STARTERS = (
    frozenset(_KNOWN[name].split())
    for name in ("before_a_name", "before_a_number", "may_end", "starters")
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
_NEXT_WORD = re.compile(r"\s*([\"'“‘«(\[]*)([\w'’-]+)")
_LAST_WORD = re.compile(r"[^\s\"'“‘«(\[]+$")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]|Ph\.D|Ph\.Ds|M\.Sc|B\.Sc")
_LIST_ITEM = re.compile(r"\s*\(?(?:\d{1,3}|[A-Za-z])\.$")
_LISTED = re.compile(r":\s*\d{1,2}\.$")
_INITIAL = re.compile(r"\s*[A-Z]\.")
_SOLID = re.compile(r"\S")
_LONGEST_WORD = 24
_ENGLISH_SPEECH = re.compile(
    rf"\s+(?:[A-Z][\w'’-]*\s+){{1,3}}(?:{'|'.join(_KNOWN['speech'].split())})\b"
)
_CHINESE_SPEECH = re.compile(
    r"[^\s，。！？；：、“”「」『』]{1,10}?(?:[问说喊叫答道]|回答|笑道|喊道|写道|告诉[^，。]{1,4})"
    r"(?:道|着)?[，。：,]"
)
_BETWEEN_HAN = re.compile(r"[\u4e00-\u9fff]\.\S")
_QUOTED = re.compile(r"[^”」』\"][”」』\"]$")
_ENCLOSED = re.compile(r"《[^《》\n]{0,60}》|（[^（）\n]{0,200}）|\([^()\n]{0,200}\)")


def sentences(text: str, language: str) -> list[Offsets]:
    """The sentences of a text as offsets, without the white space around them."""
    stops = list(_chinese_stops(text) if language == "zh" else _english_stops(text))
    found: list[Offsets] = []
    start = 0
    for end in heapq.merge(stops, ending_breaks(text, stops)):
        start = _add(found, text, start, end)
    _add(found, text, start, len(text))
    return found


def _english_stops(text: str) -> Iterator[int]:
    for stop in _ENGLISH_STOP.finditer(text):
        if _ends_english(text, stop):
            yield stop.end()


def _ends_english(text: str, stop: re.Match[str]) -> bool:
    """Whether a stop ends an English sentence: not after Mr., not before a small letter."""
    end = stop.end()
    if stop[0][0] in "。！？":
        return True
    if not _BEGINS.match(text, end):
        return not text[end : end + 80].strip()
    if stop[0] != ".":
        quoted = len(stop[0]) > 1 and stop[0][0] in "?!"
        return not (quoted and _ENGLISH_SPEECH.match(text, end))
    before = _LAST_WORD.search(text, max(0, end - 1 - _LONGEST_WORD), end - 1)
    return before is None or _ends_after(before[0], text, end)


def _ends_after(word: str, text: str, end: int) -> bool:
    following = _NEXT_WORD.match(text, end)
    quote, after = following.groups() if following is not None else ("", "")
    if word in _BEFORE_NAME:
        return False
    if word in _BEFORE_NUMBER:
        return not after[:1].isdigit()
    if _LIST_ITEM.match(text, text.rfind("\n", 0, end) + 1, end):
        return False
    if word in _MAY_END or _INITIALS.fullmatch(word):
        return bool(quote) or (after in _STARTERS and not _INITIAL.match(text, end))
    return not (word.isdigit() and _LISTED.search(text, max(0, end - _LONGEST_WORD), end))


def _chinese_stops(text: str) -> Iterator[int]:
    enclosed = _ENCLOSED.finditer(text)
    inside = next(enclosed, None)
    begin = 0
    small_stops = "。" not in text  # else a small stop between Han characters may be a comma
    for stop in _CHINESE_STOP.finditer(text):
        if not small_stops and _BETWEEN_HAN.match(text, stop.start() - 1):
            continue
        while inside is not None and inside.end() < stop.end():
            inside = next(enclosed, None)
        within = inside is not None and inside.start() < stop.start()
        if inside is not None and within and _SOLID.search(text, begin, inside.start()):
            continue
        if _QUOTED.search(stop[0]) and _CHINESE_SPEECH.match(text, stop.end()):
            continue
        begin = stop.end()
        yield begin


def _add(found: list[Offsets], text: str, start: int, end: int) -> int:
    """Add a sentence; where the next one begins."""
    first, last = start, end
    while first < last and text[first].isspace():
        first += 1
    while last > first and text[last - 1].isspace():
        last -= 1
    if first < last:
        found.append((first, last))
    return max(start, end)
