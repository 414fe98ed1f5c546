"""Lines that head what follows, and the sections at an article's end that nobody reads as text."""

from __future__ import annotations

import re
from dataclasses import dataclass

TAIL = "tail"
"""The reason of sections of references, notes and links, which are dropped before the text of an
article is settled: they are stretches without offsets in it."""

LONGEST_HEADING = 60
"""Characters of a heading, or of a line that announces a list."""
MOST_HEADINGS = 2
"""Headings that are adjacent, a section's and its first part's; more lines are a list."""
_MOST_WORDS = 8
_MOST_CHARACTERS_WITH_HAN = 20

_STOP = re.compile(r"[。！？!?…；;][”’」』）》\"')]*$|\.\.\.$")
_MARK_INSIDE = re.compile(r"[.!?;]\s|[。！？；，,]")
_HAN = re.compile("[\u3400-\u9fff]")

_TAIL_NAMES = (
    "references|external links?|see also|further reading|notes|notes and references|footnotes"
    "|bibliography|sources|citations|works cited|references and notes"
    "|参考文献|參考文獻|参考资料|參考資料|参考来源|參考來源|参考书目|參考書目|资料来源|資料來源"
    "|外部链接|外部連結|外部鏈接|外部链结|相关链接|相關連結|参见|參見|参看|參看|参阅|參閱"
    "|相关条目|相關條目|注释|註釋|注解|註解|脚注|腳註|备注|備註|延伸阅读|延伸閱讀|扩展阅读|引用"
)
_TAIL_NAME = re.compile(rf"\s*(?:{_TAIL_NAMES})\s*[.。:：]?\s*", re.IGNORECASE)
# An expression that begins with one character is several times as fast as one that begins with ^.
_TAIL_LINE = re.compile(rf"\n(?:{_TAIL_NAMES})[.。:：]?$", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class DroppedSection:
    """A section that was dropped before the text was settled."""

    reason: str
    heading: str
    length: int
    """Characters, line breaks not counted."""


def is_heading(line: str, language: str) -> bool:
    """Whether a line says what follows and is no sentence: few words and no end, or a colon's."""
    if len(line) > LONGEST_HEADING:
        return False
    if line.endswith((":", "：")):
        return True
    bare = line.removesuffix(".")
    if _STOP.search(bare) or _MARK_INSIDE.search(bare):
        return False
    if language == "zh" and _HAN.search(line):
        return len(line) <= _MOST_CHARACTERS_WITH_HAN
    return len(line.split()) <= _MOST_WORDS


def is_tail(heading: str) -> bool:
    """Whether a heading is that of references, notes, links or further reading."""
    return _TAIL_NAME.fullmatch(heading) is not None


def tail_start(text: str) -> int | None:
    """Where the first such section begins, if it begins in the text's second half.

    Earlier it may be an article's own subject, such as a song called Notes.
    """
    match = _TAIL_LINE.search(text, max(0, len(text) // 2 - 1))
    return None if match is None else match.start() + 1
