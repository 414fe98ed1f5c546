"""The running text of a passage: without title lines, bylines, and the marks and scraps of lists.

Formulas and raters count sentences. A title has no verb and no stop, so a rater takes it for broken
text, and a formula for a very short sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

RULES = "prose-2"

MOST_TITLE_WORDS = 18
"""Words of a line that may be a title."""
MOST_TITLE_CHARACTERS = 40
"""The same where a line is Chinese."""

SENTENCE_END = re.compile(r"[.!?。！？…⋯][\"'”’)\]」』）》]*$")
WIDE = re.compile("[\u3000-\u9fff\uff00-\uffef]")
BYLINE = re.compile(
    r"^(?:By|BY)\s+[A-Z][\w.'’-]+(?:\s+(?:[A-Z][\w.'’-]+|and|de|van|von|of|the|for)){0,8}"
    r"(?:,[^\n]{0,60})?$"
)
MONTH = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?"

_CREDIT = re.compile(
    r"(?:(?:written|retold|adapted|translated|story|text|words|report|posted|published|reported)"
    r"\s+)?by\s+[A-Z][\w.'’-]*(?:[\s,&]+(?:[A-Z][\w.'’-]*|and|de|van|von|of|the|for)){0,9}"
    r"|[-–—]+\s?[A-Z][\w.'’-]+(?:\s+(?:[A-Z][\w.'’-]+|de|van|von)){1,3}"
    r"|(?:作者|记者|記者|编辑|編輯|译者|譯者|来源|來源|撰文|翻译|翻譯)\s*[:：/／|]?\s*\S.{0,30}"
    r"|[文图譯译]\s*[/／|｜:：]\s*\S.{0,20}"
)
_DATED = re.compile(
    rf"(?:(?i:published|posted|updated|last updated)(?:\s+on)?\s*:?\s*)?"
    rf"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,?\s+)?"
    rf"(?:{MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}|\d{{1,2}}(?:st|nd|rd|th)?\s+{MONTH},?\s+\d{{4}}"
    r"|\d{4}-\d\d-\d\d|\d{4}\s?年\s?\d{1,2}\s?月(?:\s?\d{1,2}\s?日)?)(?:,?\s+\d{1,2}:\d\d)?"
)
_BRACKETED = re.compile(r"[(（\[【][^()（）\[\]【】]{2,80}[)）\]】]")
_MARKDOWN_HEADING = re.compile(r"#{1,6}\s+\S")
_MARKDOWN_LINE = re.compile(r"(?:={3,}|-{3,}|\*{3,}|_{3,}|(?:[-*_]\s+){2,}[-*_])")
"""A rule, or what makes the line above it a heading."""
_EMPHASISED = re.compile(r"(\*{1,3}|_{1,3})(?=\S)(.*[^\s*_])\1")
_MAY_CLOSE_TITLE = re.compile(r"[\w)\]）】”’\"'》」』!?！？]$")
_STOP_INSIDE = re.compile(r"[.!?…][\"'”’)]*\s")
_BEGINS = re.compile(r"[\"'“‘「『《(（]*(?:[^\W_a-zß-öø-ÿ])")
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+(?:['’-][^\W_\u3400-\u9fff]+)*")
_BULLET = re.compile(r"([-*–•·‣◦▪●○■□◆►])\s+(?=\S)")
_NUMBER = re.compile(
    r"[(（]?(\d{1,3})[.)）、．]\s*(?=\D)|[(（]?([A-Za-z])[.)）]\s+(?=\S)"
    r"|[（(]?([一二三四五六七八九十]{1,3})[、）)．]\s*(?=\S)"
)
_HAN_NUMERALS = "〇一二三四五六七八九十"


@dataclass(frozen=True, slots=True)
class Prose:
    """The running text, and the lines that are none of it."""

    text: str
    left_out: tuple[str, ...] = ()


def running_text(text: str) -> str:
    """A passage without its titles, bylines and list marks."""
    return prose(text).text


def prose(text: str) -> Prose:
    """The running text of a passage; one that has none of it is returned as it is.

    A passage without a title, byline or list is returned unchanged.
    """
    if "\n" not in text.strip():
        return Prose(text)
    lines = [line.strip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    outside = _titles(lines)
    marks = _list_marks(lines, outside)
    scraps = _scraps(lines, marks)
    words = [len(_WORD.findall(line)) for line in lines]
    running = sum(words) - sum(words[index] for index in outside)
    # Where a list is most of the text, its items are the text.
    if 2 * sum(words[index] for index in scraps) < running:
        outside |= scraps
    if not (outside or marks) or not any(
        count for index, count in enumerate(words) if index not in outside
    ):
        return Prose(text)
    rest = [line[marks.get(index, 0) :] for index, line in enumerate(lines) if index not in outside]
    return Prose("\n".join(rest).strip("\n"), tuple(lines[index] for index in sorted(outside)))


def in_title_case(line: str) -> bool:
    """Whether every word of over three letters has a capital."""
    long = [word for word in re.findall(r"[^\W\d_]+", line) if len(word) > 3]
    return bool(long) and all(word[0].isupper() for word in long)


def _titles(lines: Sequence[str]) -> set[int]:
    """The lines that are titles, headings, bylines and datelines."""
    solid = [index for index, line in enumerate(lines) if line]
    last_sentence = max((index for index in solid if SENTENCE_END.search(lines[index])), default=-1)
    widths = accumulate((len(lines[index]) for index in reversed(solid)), max)
    widest_from = dict(zip(reversed(solid), widths, strict=True))
    titles: set[int] = set()
    at_top = True
    for index, next_index in pairwise(solid):
        line, below = _plain(lines[index]), _plain(lines[next_index])
        sentences_follow = index < last_sentence
        is_underlined = _MARKDOWN_LINE.fullmatch(lines[index + 1]) is not None
        is_alone = not lines[index + 1] and (
            index == solid[0] or not lines[index - 1] or index - 1 in titles
        )
        if (
            _MARKDOWN_HEADING.match(line)
            or _MARKDOWN_LINE.fullmatch(line)
            or (at_top and _is_credit(line))
            or (
                sentences_follow
                and (is_alone or is_underlined)
                and _may_be_title(line, at_top=at_top or is_underlined)
            )
            or (
                sentences_follow
                and at_top
                and _stands_above(line, below, widest=widest_from[next_index])
            )
        ):
            titles.add(index)
        else:
            at_top = False
    if len(solid) > 1 and solid[-2] not in titles and _CREDIT.fullmatch(lines[solid[-1]]):
        titles.add(solid[-1])
    return titles


def _plain(line: str) -> str:
    """A line without the marks of Markdown, if all of it is bold or in italics."""
    emphasised = _EMPHASISED.fullmatch(line)
    return emphasised[2] if emphasised else line


def _is_credit(line: str) -> bool:
    """A byline, a date, or a bracketed place and date, on a line of its own."""
    return any(pattern.fullmatch(line) for pattern in (BYLINE, _CREDIT, _DATED, _BRACKETED))


def _may_be_title(line: str, *, at_top: bool) -> bool:
    """Whether a line may be a title, if sentences follow it: it is short and ends in no stop."""
    if _BULLET.match(line) or not _BEGINS.match(line) or not _MAY_CLOSE_TITLE.search(line):
        return False
    if SENTENCE_END.search(line) and not (
        # Titles that ask or exclaim; talk does so too, but not with a capital on every word.
        at_top
        and not SENTENCE_END.search(line.rstrip("!?！？"))
        and not _STOP_INSIDE.search(line)
        and in_title_case(line)
        and len(line.split()) > 2
    ):
        return False
    if WIDE.search(line):
        return len(line) <= MOST_TITLE_CHARACTERS
    return len(line.split()) <= MOST_TITLE_WORDS


def _stands_above(line: str, below: str, *, widest: int) -> bool:
    """Whether the first line is a title although no blank line follows it.

    A wrapped line is nearly as long as the others: a title is at most half as long, or it is
    written as one and leaves room. ``widest`` is the length of the longest line after it.
    """
    if not _may_be_title(line, at_top=True):
        return False
    if _is_credit(below):
        return True
    if not _BEGINS.match(below) or _BULLET.match(below):
        return False
    if 2 * len(line) <= len(below) and widest > MOST_TITLE_CHARACTERS // 2:
        return True
    return not WIDE.search(line) and in_title_case(line) and 4 * len(line) <= 3 * widest


def _list_marks(lines: Sequence[str], outside: set[int]) -> dict[int, int]:
    """How long the mark of each list item is: one bullet makes no list, nor does one number."""
    bullets: dict[str, list[tuple[int, int]]] = {}
    numbers: list[tuple[int, int, int]] = []
    for index, line in enumerate(lines):
        if index in outside:
            continue
        if bullet := _BULLET.match(line):
            bullets.setdefault(bullet[1], []).append((index, bullet.end()))
        elif number := _NUMBER.match(line):
            numbers.append((_value(number), index, number.end()))
    marks = {index: end for items in bullets.values() if len(items) > 1 for index, end in items}
    for position, (value, index, end) in enumerate(numbers):
        neighbours = numbers[max(0, position - 1) : position + 2]
        if any(abs(value - near) == 1 for near, _, _ in neighbours):
            marks[index] = end
    return marks


def _value(mark: re.Match[str]) -> int:
    """The number of an item; letters count from 101, Han numerals from 201."""
    plain, letter, han = mark.groups()
    if plain:
        return int(plain)
    if letter:
        return 100 + ord(letter.lower()) - ord("a") + 1
    tens, ten, ones = han.rpartition("十")
    digit = _HAN_NUMERALS.find
    return 200 + digit(ones[-1:] or "〇") + (10 * (digit(tens[-1:]) if tens else 1) if ten else 0)


def _scraps(lines: Sequence[str], marks: dict[int, int]) -> set[int]:
    """The lines of list items that are no sentences: without a stop."""
    return {
        line
        for item in _items(lines, marks)
        if not any(SENTENCE_END.search(lines[line]) for line in item)
        for line in item
    }


def _items(lines: Sequence[str], marks: dict[int, int]) -> Iterator[list[int]]:
    """The lines of each item: the one with the mark, and those that go on in small letters."""
    for first in marks:
        item = [first]
        while (
            (following := item[-1] + 1) < len(lines)
            and lines[following]
            and following not in marks
            and not _BEGINS.match(lines[following])
        ):
            item.append(following)
        yield item
