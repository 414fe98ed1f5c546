"""What stands around a news story: headline, byline, dateline."""

from __future__ import annotations

import re

_SENTENCE_END = re.compile(r"[.!?。！？…][\"'”’)\]]*$")
_WIDE = re.compile("[\u3000-\u9fff\uff00-\uffef]")
_BYLINE = re.compile(
    r"^(?:By|BY)\s+[A-Z][\w.'’-]+(?:\s+(?:[A-Z][\w.'’-]+|and|de|van|von|of|the|for)){0,8}"
    r"(?:,[^\n]{0,60})?$"
)
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?"
_DATE = rf"(?:,\s*{_MONTH}\s+\d{{1,2}}(?:,\s*\d{{4}})?)"
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
_ZH_DATELINE = re.compile(
    r"^(?:【[^】\n]{2,20}】|[\u4e00-\u9fff]{2,10}(?:社|网|報|报)[^\n，。]{0,20}?(?:电|電|讯|訊))"
    r"\s*(?:[（(][^（()）\n]{2,40}[)）])?\s*"
)
MOST_HEADLINE = 18
"""Words of a line that may be a headline."""


def headline(text: str) -> str:
    """First lines that are titles: short, without a full stop, the story below them."""
    while True:
        first, _, rest = text.lstrip().partition("\n")
        if not rest.strip() or not _is_title(first.strip(), rest):
            return text
        text = rest.lstrip("\n")


def _is_title(line: str, rest: str) -> bool:
    if not line or _SENTENCE_END.search(line) or line.endswith((",", ";", ":", "，", "；", "：")):
        return False
    if _DATELINE.match(line) or _AGENCY.match(line):
        return False
    wide = _WIDE.search(line)
    if len(line) > 40 if wide else len(line.split()) > MOST_HEADLINE:
        return False
    below = rest.lstrip(" \t")
    if below[:1] == "\n" or _DATELINE.match(below) or _AGENCY.match(below):
        return True
    # Without a blank line it may be a wrapped line: then only one written as a title goes.
    return not wide and _in_title_case(line)


def _in_title_case(line: str) -> bool:
    long = [word for word in re.findall(r"[^\W\d_]+", line) if len(word) > 3]
    return bool(long) and all(word[0].isupper() for word in long)


def byline(text: str) -> str:
    """``By Jane Doe`` on a line of its own at the top."""
    first, _, rest = text.lstrip().partition("\n")
    return rest.lstrip("\n") if rest.strip() and _BYLINE.match(first.strip()) else text


def dateline(text: str) -> str:
    """``LONDON, March 3 (Agency) --`` before the first word."""
    bare = text.lstrip()
    for pattern in (_AGENCY, _DATELINE, _ZH_DATELINE):
        found = pattern.match(bare)
        if found is not None:
            return bare[found.end() :]
    return text
