"""Line breaks in running text: which only wrap a line, and which end a sentence.

A heading, a line of verse or an item of a list may end without a stop, and a line that is wrapped
at a width does not end at all. Lines between blank lines are judged as one block.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import pairwise

WORDS: dict[str, str] = tomllib.loads(
    (files("readmark.text") / "data" / "sentences.en.toml").read_text(encoding="utf-8")
)
"""Lists of words that decide where English sentences begin and end; the file says how."""
STARTERS = frozenset(WORDS["starters"].split())
"""Words that begin sentences far more often than names."""

_NARROWEST = 40
"""Blocks narrower than this are not wrapped: they are titles, verse and lists, unless they show
that they are prose."""
_HEADING = 0.5
"""The share of the width up to which a line of its own among wrapped ones is a heading."""

_ITEM = re.compile(
    r"(?:(?P<bullet>[*•])|(?P<dash>[-·–—]))\s|\(?(?P<number>\d{1,3}|[A-Za-z])[.)]\s"
    r"|[（(]?(?P<han>[一二三四五六七八九十]{1,3})[、）)]"
)
_HAN_DIGITS = "〇一二三四五六七八九十"
_WIDE = re.compile("[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]")
"""Characters that fixed-width fonts draw two columns wide."""
_ENDED = re.compile(r"[.!?…。！？⋯][\"'”’)\]」』）》]*$")
_HAN_END = re.compile(r"[。！？；;…][”’」』）》]*$")
_CLAUSE_MARK = re.compile(r"[,;:，；：、]")
_SMALL_LETTER = re.compile(r"\s*[\"'“‘(]?[a-zß-öø-ÿ]")
NEXT_WORD = re.compile(r"\s*([\"'“‘«(\[]*)([\w'’-]+)")
"""The quotation marks and brackets that open before the next word, and the word."""
_UNBREAKABLE = re.compile(
    r"\s*[“‘「『（《(\"']*(?:[\x21-\x7e]+|[^\x00-\x7f])[，。！？；：、”’」』）》…]*"
)
"""What a line cannot be broken inside: a word, or a character of Chinese with its punctuation."""
_DATELINE = re.compile(r"\([^()]*\)")
_BRACKETED = re.compile(r"[（(].*[^）)]$")
_OPEN = re.compile(r"[（(《][^（(《）)》]*$")
_LINKING = re.compile(
    r"(?:^|\s)(?:an?|the|of|in|on|at|to|by|for|from|with|and|or|but|nor|as|than|that|which|who|whose"
    r"|is|are|was|were|be|been|has|have|had|his|her|its|their|our|my|your|this|these|those|into|between"
    r")$"
)
"""A word at a line's end after which a clause goes on."""
UNFINISHED = re.compile(rf"{_LINKING.pattern}|[,、，（(“‘-]$")
"""A line's end that ends no sentence."""


def ending_breaks(text: str, stops: Sequence[int]) -> Iterator[int]:
    """Where each line break that ends a sentence occurs; wraps and breaks after stops are left out.

    ``stops`` are the ends of sentences within the text, in order. Lines between blank lines are one
    block. It is prose when a sentence ends inside a line, when a third of its lines continue with
    a small letter or end in a word such as "of", or when it ends with a stop and a line breaks off
    inside a clause. In prose a break is a wrap, except after a heading: a line that holds one whole
    piece and is at most half as wide as the others, or in title case above a word that begins
    sentences. In other blocks (verse, lists) a break is a wrap when the next line's first word
    would not have fitted, or the line's last word cannot end it. Before an item of a list a line
    ends if it could end or there are several items; a number is one next to its neighbour (1, 2).
    """
    start = 0
    block: list[tuple[int, str]] = []
    for line in text.split("\n") if "\n" in text else ():
        if bare := line.strip():
            block.append((start + line.index(bare), bare))
        else:
            yield from _breaks_of_block(block, stops)
            block = []
        start += len(line) + 1
    yield from _breaks_of_block(block, stops)


def line_width(line: str) -> int:
    """How wide a line looks: a Chinese character takes two columns."""
    line = line.rstrip()
    return len(line) if line.isascii() else len(line) + len(_WIDE.findall(line))


def _breaks_of_block(block: Sequence[tuple[int, str]], stops: Sequence[int]) -> Iterator[int]:
    """Where the lines of a block end that are not wrapped; ``block`` has starts and lines."""
    if not block:
        return
    lines = [line for _, line in block]
    has_stop_inside = [
        bisect_right(stops, start) < bisect_left(stops, start + len(line)) for start, line in block
    ]
    width = max(map(line_width, lines))
    items = _items(lines)
    continues = [
        _SMALL_LETTER.match(following) is not None or _LINKING.search(line) is not None
        for line, following in pairwise(lines)
        if not _ENDED.search(line)
    ]
    is_prose = (
        any(has_stop_inside)
        or (any(continues) and 3 * sum(continues) >= len(continues))
        or (_ENDED.search(lines[-1]) is not None and any(map(_breaks_off_in_clause, lines)))
    )
    begins_piece = True
    for index, ((start, line), (_, following)) in enumerate(pairwise(block)):
        ends = _ENDED.search(line) is not None
        if not ends:
            if is_prose:
                is_piece = begins_piece and not has_stop_inside[index]
                ends = is_piece and _is_heading(line, following, width)
            else:
                ends = _is_line_of_its_own(line, following, width)
            if index + 1 in items and (ends or len(items) > 1 or line[-1] in ":："):
                ends = True
            if ends:
                yield start + len(line)
        begins_piece = ends
    start, line = block[-1]
    yield start + len(line)


def _items(lines: Sequence[str]) -> set[int]:
    """Which lines are items of a list; a number or a dash may also begin a line of wrapped prose.

    A number needs the one before or after it at the beginning of another line, and dashes need
    the first of them at the top, after a colon or after a stop.
    """
    marks = {index: mark for index, line in enumerate(lines) if (mark := _ITEM.match(line))}
    numbers = {index: _item_number(mark) for index, mark in marks.items()}
    known = set(numbers.values()) - {0}
    first_dash = next((index for index, mark in marks.items() if mark["dash"]), 0)
    above = lines[first_dash - 1]
    dashes_are_items = not first_dash or above[-1] in ":：" or _ENDED.search(above)
    return {
        index
        for index, mark in marks.items()
        if mark["bullet"]
        or (mark["dash"] and dashes_are_items)
        or index == 0
        or lines[index - 1][-1] in ":："
        or (
            {numbers[index] - 1, numbers[index] + 1} & known
            and not UNFINISHED.search(lines[index - 1])
            and (mark["number"] or _HAN_END.search(lines[index - 1]))
        )
    }


def _item_number(mark: re.Match[str]) -> int:
    """The number of an item; letters count from 101, and 0 is none."""
    if han := mark["han"]:
        tens, ten, ones = han.rpartition("十")
        digit = _HAN_DIGITS.find
        return digit(ones[-1:] or "〇") + (10 * (digit(tens[-1:]) if tens else 1) if ten else 0)
    number = mark["number"]
    if not number:
        return 0
    return int(number) if number.isdigit() else 100 + ord(number.lower()) - ord("a") + 1


def _is_line_of_its_own(line: str, following: str, width: int) -> bool:
    """Whether a line of a block that is no prose, such as a verse, is a piece of its own."""
    if width < _NARROWEST or line[-1] in ":：":
        return not (_SMALL_LETTER.match(following) or _LINKING.search(line) or _OPEN.search(line))
    return _has_room(line, following, width)


def _is_heading(line: str, following: str, width: int) -> bool:
    """Whether a line among wrapped ones is a piece of its own: short, or in title case.

    Names in a sentence are in title case too (the Royal Geographical | Society of London), so the
    next line must begin as sentences do.
    """
    if not _has_room(line, following, width):
        return False
    words = line.split()
    is_title_case = all(len(word) < 4 or not _SMALL_LETTER.match(word) for word in words)
    if is_title_case and len(words) > 2 and line.isascii():
        begin = NEXT_WORD.match(following)
        if begin is not None and (begin[2] in STARTERS or _DATELINE.fullmatch(following)):
            return True
    is_short = line_width(line) <= min(_NARROWEST, _HEADING * width)
    if not is_short or _breaks_off_in_clause(line):
        return False
    return not (line[-1].isdigit() or _BRACKETED.match(following))


def _breaks_off_in_clause(line: str) -> bool:
    """Whether a line has a comma or the like and ends in a word."""
    return line[-1].isalnum() and _CLAUSE_MARK.search(line) is not None


def _has_room(line: str, following: str, width: int) -> bool:
    """Whether a line could end where it does: the next line's first word would have fitted."""
    if _SMALL_LETTER.match(following) or UNFINISHED.search(line) or _OPEN.search(line):
        return False
    word = _UNBREAKABLE.match(following)
    return width - line_width(line) > (line_width(word[0]) if word is not None else 0)
