"""The variant marks of Chinese wikis, ``-{zh-hans:…;zh-hant:…}-``, resolved to one wording.

Rules as on MediaWiki's "Writing systems/Syntax" page: flags before a bar, then wordings by variant.
"""

from __future__ import annotations

import re

ORDER = ("zh-hans", "zh-cn", "zh-sg", "zh-my", "zh", "zh-hant", "zh-tw", "zh-hk", "zh-mo")
"""Which wording is taken, the first of these that is there; simplified before traditional."""

# Innermost first: a wording may hold marks of its own.
_MARK = re.compile(r"-\{((?:(?!-\{|\}-)[^\n]){0,2000}+)\}-")
_FLAGS = re.compile(r"\s*([A-Z+;\s-]*|zh(?:-\w+)?(?:\s*;\s*zh(?:-\w+)?)*)\s*\|")
_WORDING = re.compile(r"(?:^|;)\s*(zh(?:-[a-z]+)?)\s*:")
_SILENT = frozenset("HTD-")
"""Flags of marks that say how to convert elsewhere, or set the title, and show nothing here."""
_DEEPEST = 4


def resolve(text: str) -> tuple[str, int]:
    """The text with every mark replaced by what it shows, and how many there were."""
    count = 0
    for _ in range(_DEEPEST):
        if "-{" not in text:
            break
        text, found = _MARK.subn(_shown, text)
        count += found
        if not found:
            break
    return text, count


def _shown(mark: re.Match[str]) -> str:
    said = mark[1]
    flags = _FLAGS.match(said)
    if flags is not None:
        said = said[flags.end() :]
        given = set(re.sub(r"[;\s]", "", flags[1])) if not flags[1].startswith("zh") else set()
        if given & _SILENT:
            return ""
        if "R" in given:
            return said.strip()
    wordings = _wordings(said)
    if not wordings:
        return said.strip() if flags is not None else said
    return next((wordings[one] for one in ORDER if wordings.get(one)), _first(wordings))


def _wordings(said: str) -> dict[str, str]:
    """Each variant's wording; ``A=>zh-cn:B`` rules, which convert A, show B like any other."""
    found: dict[str, str] = {}
    marks = list(_WORDING.finditer(said))
    if not marks or said[: marks[0].start()].strip():
        return found
    ends = [*(mark.start() for mark in marks[1:]), len(said)]
    for mark, end in zip(marks, ends, strict=True):
        found.setdefault(mark[1], said[mark.end() : end].strip().rstrip(";").strip())
    return found


def _first(wordings: dict[str, str]) -> str:
    return next((one for one in wordings.values() if one), "")
