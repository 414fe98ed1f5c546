"""What surrounds a news story: headline, byline, dateline."""

from __future__ import annotations

import re

from readmark.readability.prose import (
    BYLINE,
    MONTH,
    MOST_TITLE_CHARACTERS,
    MOST_TITLE_WORDS,
    SENTENCE_END,
    WIDE,
    in_title_case,
)

_DATE = rf"(?:,\s*{MONTH}\s+\d{{1,2}}(?:,\s*\d{{4}})?)"
_REGION = r"(?:,[^\S\n]*[A-Z][A-Za-z.' ]{1,25}?)?"
_BEGINS = r"""(?=[A-Z0-9"“'‘])"""
_DATELINE = re.compile(
    rf"^[A-Z][A-Z.'’ -]{{2,40}}{_REGION}(?:{_DATE}\s*(?:--|[-–—])|\s*(?:--|[–—]))\s+{_BEGINS}"
)
"""A place in capitals; a single hyphen only after a date, and the story begins with a capital."""
_AGENCY = re.compile(
    rf"^[A-Z][A-Za-z.'’ -]{{2,40}}{_REGION}{_DATE}?\s*\([A-Z][A-Za-z ./]{{1,30}}\)"
    rf"\s*(?:--|[-–—])\s+(?=\S)"
)
"""A place in any case, with an agency in brackets: ``Port Ashby, Oct. 12, 2019 (AP) -``."""
_ZH_DATELINE = re.compile(
    r"^(?:【[^】\n]{2,20}】|[\u4e00-\u9fff]{2,10}(?:社|网|報|报)[^\n，。]{0,20}?(?:电|電|讯|訊))"
    r"\s*(?:[（(][^（()）\n]{2,40}[)）])?\s*"
)
"""An agency with its report, as in 河口社3月3日电, or what is in 【】."""


def headline(text: str) -> str:
    """First lines that are titles: short, without a full stop, the story below them."""
    while True:
        first, _, rest = text.lstrip().partition("\n")
        if not rest.strip() or not _is_title(first.strip(), rest):
            return text
        text = rest.lstrip("\n")


def _is_title(line: str, rest: str) -> bool:
    if not line or SENTENCE_END.search(line) or line.endswith((",", ";", ":", "，", "；", "：")):
        return False
    if _DATELINE.match(line) or _AGENCY.match(line):
        return False
    is_wide = WIDE.search(line) is not None
    length, most = len(line.split()), MOST_TITLE_WORDS
    if is_wide:
        length, most = len(line), MOST_TITLE_CHARACTERS
    if length > most:
        return False
    below = rest.lstrip(" \t")
    if below[:1] == "\n" or _DATELINE.match(below) or _AGENCY.match(below):
        return True
    # Without a blank line it may be a wrapped line: then only one written as a title goes.
    return not is_wide and in_title_case(line)


def byline(text: str) -> str:
    """``By Jane Doe`` on a line of its own at the top."""
    first, _, rest = text.lstrip().partition("\n")
    return rest.lstrip("\n") if rest.strip() and BYLINE.match(first.strip()) else text


def dateline(text: str) -> str:
    """``LONDON, March 3 (Agency) --`` before the first word."""
    bare = text.lstrip()
    for pattern in (_AGENCY, _DATELINE, _ZH_DATELINE):
        match = pattern.match(bare)
        if match is not None:
            return bare[match.end() :]
    return text
