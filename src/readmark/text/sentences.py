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
    r"(?:([*•])|([-·–—]))\s|\(?(\d{1,3}|[A-Za-z])[.)]\s|[（(]?([一二三四五六七八九十]{1,3})[、）)]"
)
_HAN_NUMERALS = "〇一二三四五六七八九十"
_WIDE = re.compile("[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]")
_ENDED = re.compile(r"[.!?…。！？⋯][\"'”’)\]」』）》]*$")
_HAN_END = re.compile(r"[。！？；;…][”’」』）》]*$")
_CLAUSE_MARK = re.compile(r"[,;:，；：、]")
_CONTINUATION = re.compile(r"\s*[\"'“‘(]?[a-zß-öø-ÿ]")
_FIRST_WORD = re.compile(
    r"\s*[“‘「『（《(\"']*(?:[\x21-\x7e]+|[^\x00-\x7f])[，。！？；：、”’」』）》…]*"
)
_DATELINE = re.compile(r"\([^()]*\)")
_BRACKETED = re.compile(r"[（(].*[^）)]$")
_OPEN = re.compile(r"[（(《][^（(《）)》]*$")
_LINKING = re.compile(
    r"(?:^|\s)(?:an?|the|of|in|on|at|to|by|for|from|with|and|or|but|nor|as|than|that|which|who|whose"
    r"|is|are|was|were|be|been|has|have|had|his|her|its|their|our|my|your|this|these|those|into|between"
    r")$"
)
_UNFINISHED = re.compile(rf"{_LINKING.pattern}|[,、，（(“‘-]$")


def ending_breaks(text: str, stops: Sequence[int]) -> Iterator[int]:
    """Where each line break that ends a sentence occurs; wraps and breaks after stops are none.

    ``stops`` are the ends of sentences within the text, in order. Lines between blank lines are one
    block. It is prose when a sentence ends inside a line, when a third of its lines continue with
    a small letter or end in a word such as "of", or when it ends with a stop and a line breaks off
    inside a clause. In prose a break is a wrap, except after a heading: a line that holds one whole
    piece and is at most half as wide as the others, or in title case above a word that begins
    sentences. In other blocks (verse, lists) a break is a wrap when the next line's first word
    would not have fitted, or the line's last word cannot end it. Before an item of a list a line
    ends if it could end or there are several items; a number is one next to its neighbour (1, 2).
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
    items = _items(lines)
    running = [
        _CONTINUATION.match(following) is not None or _LINKING.search(line) is not None
        for line, following in pairwise(lines)
        if not _ENDED.search(line)
    ]
    is_prose = (
        any(inner)
        or (any(running) and 3 * sum(running) >= len(running))
        or (_ENDED.search(lines[-1]) is not None and any(map(_is_in_clause, lines)))
    )
    whole = True  # the line is the beginning of a piece
    for index, ((at, line), (_, following)) in enumerate(pairwise(block)):
        ends = _ENDED.search(line) is not None
        if not ends:
            if is_prose:
                ends = whole and not inner[index] and _is_heading(line, following, width)
            else:
                ends = _is_line_of_its_own(line, following, width)
            if index + 1 in items and (ends or len(items) > 1 or line[-1] in ":："):
                ends = True
            if ends:
                yield at + len(line)
        whole = ends
    at, line = block[-1]
    yield at + len(line)


def _items(lines: Sequence[str]) -> set[int]:
    """Which lines are items of a list; a number or a dash may also begin a line of wrapped prose.

    A number needs the one before or after it at the beginning of another line, and dashes need
    the first of them at the top, after a colon or after a stop.
    """
    marks = {index: found for index, line in enumerate(lines) if (found := _ITEM.match(line))}
    values = {index: _value(found) for index, found in marks.items()}
    known = set(values.values())
    dashes = [index for index, found in marks.items() if found[2]]
    first = dashes[0] if dashes else 0
    dashed = not first or lines[first - 1][-1] in ":：" or _ENDED.search(lines[first - 1])
    return {
        index
        for index, found in marks.items()
        if found[1]
        or (found[2] and dashed)
        or index == 0
        or lines[index - 1][-1] in ":："
        or (
            {values[index] - 1, values[index] + 1} & known - {0}
            and not _UNFINISHED.search(lines[index - 1])
            and (found[3] or _HAN_END.search(lines[index - 1]))
        )
    }


def _value(mark: re.Match[str]) -> int:
    """The number of an item; letters count from 101, and 0 is none."""
    _, _, plain, han = mark.groups()
    if han:
        tens, ten, ones = han.rpartition("十")
        digit = _HAN_NUMERALS.find
        return digit(ones[-1:] or "〇") + (10 * (digit(tens[-1:]) if tens else 1) if ten else 0)
    if not plain:
        return 0
    return int(plain) if plain.isdigit() else 100 + ord(plain.lower()) - ord("a") + 1


def _is_line_of_its_own(line: str, following: str, width: int) -> bool:
    """Whether a line of a block that is no prose, such as a verse, is a piece of its own."""
    if width < NARROWEST or line[-1] in ":：":
        return not (_CONTINUATION.match(following) or _LINKING.search(line) or _OPEN.search(line))
    return _has_room(line, following, width)


def _is_heading(line: str, following: str, width: int) -> bool:
    """Whether a line among wrapped ones is a piece of its own: short, or in title case.

    Names in a sentence are in title case too (the Royal Geographical | Society of London), so the
    next line must begin as sentences do.
    """
    if not _has_room(line, following, width):
        return False
    words = line.split()
    capital = all(len(word) < 4 or not _CONTINUATION.match(word) for word in words)
    if capital and len(words) > 2 and line.isascii():
        begins = _NEXT_WORD.match(following)
        if begins is not None and (begins[2] in _STARTERS or _DATELINE.fullmatch(following)):
            return True
    short = _width(line) <= min(NARROWEST, _HEADING * width) and not _is_in_clause(line)
    return short and not (line[-1].isdigit() or _BRACKETED.match(following))


def _is_in_clause(line: str) -> bool:
    """Whether a line breaks off inside a clause: it has a comma or the like and ends in a word."""
    return line[-1].isalnum() and _CLAUSE_MARK.search(line) is not None


def _has_room(line: str, following: str, width: int) -> bool:
    """Whether a line could end where it does: the next line's first word would have fitted."""
    if _CONTINUATION.match(following) or _UNFINISHED.search(line) or _OPEN.search(line):
        return False
    word = _FIRST_WORD.match(following)
    return width - _width(line) > (_width(word[0]) if word is not None else 0)


def _width(line: str) -> int:
    """How wide a line looks: a Chinese character takes two columns."""
    line = line.rstrip()
    return len(line) if line.isascii() else len(line) + len(_WIDE.findall(line))


RULES = "rules-4"

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
_MARKER = re.compile(r"[ \t]*+\(?(\d{1,3}|[A-Za-z])\.")
_LINE_MARKER = re.compile(rf"^{_MARKER.pattern}", re.MULTILINE)
_LISTED = re.compile(r":\s*\d{1,2}\.$")
_INITIAL = re.compile(r"\s*[A-Z]\.")
_SOLID = re.compile(r"\S")
_WRAP = re.compile(r"(?<=\S)[ \t\r\u3000]*\n[ \t\u3000]*(?=\S)")
_FULL = 0.6
"""The share of the widest line from which a Chinese line counts as full."""
_LEAST_WRAPPED = 24
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
    markers = _Markers(text)
    for stop in _ENGLISH_STOP.finditer(text):
        if not markers.includes(stop) and _ends_english(text, stop):
            markers.begin(stop.end())
            yield stop.end()


class _Markers:
    """The numbers before the items of a list: the stop after one ends no sentence.

    Where a sentence begins, a number is one at the beginning of a line or if it counts on.
    Elsewhere it must begin a line, at the top of a block or with its neighbour on another line:
    wrapping puts other numbers there (both 0 and | 1. It is).
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = set(_LINE_MARKER.findall(text)) if "\n" in text else set()
        self._last = 0
        self.begin(0)

    def begin(self, place: int) -> None:
        """Note where a sentence begins."""
        solid = _SOLID.search(self._text, place)
        self._begin = solid.start() if solid is not None else len(self._text)

    def includes(self, stop: re.Match[str]) -> bool:
        """Whether a stop ends such a number."""
        if stop[0] != ".":
            return False
        text, end = self._text, stop.end()
        line = text.rfind("\n", 0, end) + 1
        found = _MARKER.fullmatch(text, line, end)
        if found is None:
            found = _MARKER.fullmatch(text, self._begin, end)
            if found is None or not found[1].isdigit() or int(found[1]) != self._last + 1:
                return False
        elif not (line == 0 or self._begin >= line or self._is_listed(found[1], line)):
            return False
        self._last = int(found[1]) if found[1].isdigit() else 0
        return True

    def _is_listed(self, mark: str, line: int) -> bool:
        above = self._text[max(0, line - 1 - _LONGEST_WORD) : line - 1].rstrip(" \t\r")
        if not above or above[-1] in "\n:":
            return True
        if _UNFINISHED.search(above):
            return False
        if mark.isdigit():
            near = {str(int(mark) - 1), str(int(mark) + 1)}
        else:
            near = {chr(ord(mark) - 1), chr(ord(mark) + 1)}
        return not near.isdisjoint(self._lines)


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
    if word in _MAY_END or _INITIALS.fullmatch(word):
        return bool(quote) or (after in _STARTERS and not _INITIAL.match(text, end))
    return not (word.isdigit() and _LISTED.search(text, max(0, end - _LONGEST_WORD), end))


def _chinese_stops(text: str) -> Iterator[int]:
    joined, places = _joined(text)
    for end in _stops_of_line(joined):
        yield places[end - 1] + 1 if places is not None else end


def _joined(text: str) -> tuple[str, Sequence[int] | None]:
    """A Chinese text without the breaks of full lines, and where each character occurs.

    A break after a short line is kept: what is said after a quote may be the next paragraph.
    """
    if "\n" not in text:
        return text, None
    least = max(_LEAST_WRAPPED, _FULL * max(map(_width, text.split("\n"))))
    parts: list[str] = []
    places: list[int] = []
    at = 0
    for wrap in _WRAP.finditer(text):
        start, end = wrap.span()
        if _width(text[text.rfind("\n", 0, start) + 1 : start]) >= least:
            space = " " if text[start - 1].isascii() and text[end].isascii() else ""
            parts.append(text[at:start] + space)
            places += range(at, start + len(space))
            at = end
    parts.append(text[at:])
    places += range(at, len(text))
    return "".join(parts), places


def _stops_of_line(text: str) -> Iterator[int]:
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
