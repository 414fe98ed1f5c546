"""The variant marks of Chinese wikis, ``-{zh-hans:…;zh-hant:…}-``, resolved to one wording.

Rules as on MediaWiki's "Writing systems/Syntax" page: flags before a bar, then wordings by variant.
"""

from __future__ import annotations

import functools
import re

from readmark.corpus.values import Offsets
from readmark.text.script import has_traditional

ORDER = ("zh-hans", "zh-cn", "zh-sg", "zh-my", "zh", "zh-hant", "zh-tw", "zh-hk", "zh-mo")
"""Which wording is taken, the first of these that is there; simplified before traditional."""

# Innermost first: a wording may hold marks of its own.
_MARK = re.compile(r"-\{((?:(?!-\{|\}-)[^\n]){0,2000}+)\}-")
_FLAGS = re.compile(r"\s*([A-Z+;\s-]*|zh(?:-\w+)?(?:\s*;\s*zh(?:-\w+)?)*)\s*\|")
_WORDING = re.compile(r"(?:^|;)\s*(zh(?:-[a-z]+)?)\s*:")
_SILENT = frozenset("HTD-")
"""Flags of marks that say how to convert elsewhere, or set the title, and show nothing here."""
_DEEPEST = 4
_SIMPLIFIED = frozenset(ORDER[:5])
_KEEP, _END = "\ufdd0", "\ufdd1"  # Unicode's noncharacters: no text has them
_BOUNDS = re.compile(f"[{_KEEP}{_END}]")


def resolve(text: str) -> tuple[str, int]:
    """The text with every mark replaced by what it shows, and how many there were.

    What is not to be converted to another script stands between two characters of ours, which
    ``unbound`` takes out: a mark without variants, and a wording that is simplified already.
    """
    count = 0
    text = _BOUNDS.sub("", text)
    for _ in range(_DEEPEST):
        if "-{" not in text:
            break
        text, found = _MARK.subn(_shown, text)
        count += found
        if not found:
            break
    return text, count


def unbound(text: str) -> tuple[str, list[Offsets]]:
    """The text without those characters, and where what they enclosed stands in it."""
    if _KEEP not in text:
        return text, []
    parts: list[str] = []
    kept: list[Offsets] = []
    at = size = start = depth = 0
    for bound in _BOUNDS.finditer(text):
        parts.append(text[at : bound.start()])
        size += bound.start() - at
        at = bound.end()
        if bound[0] == _KEEP:
            start = start if depth else size
            depth += 1
        elif depth:
            depth -= 1
            if not depth and size > start:
                kept.append((start, size))
    return "".join(parts) + text[at:], kept


def _kept(said: str) -> str:
    if not has_traditional(said):  # nothing in it would be converted
        return said
    core = said.strip()
    return said.replace(core, f"{_KEEP}{core}{_END}", 1)


def _shown(mark: re.Match[str]) -> str:
    return _wording(mark[1])


@functools.lru_cache(1024)  # a wiki marks the same names over and over
def _wording(said: str) -> str:
    flags = _FLAGS.match(said)
    if flags is not None:
        said = said[flags.end() :]
        given = set(re.sub(r"[;\s]", "", flags[1])) if not flags[1].startswith("zh") else set()
        if given & _SILENT:
            return ""
        if "R" in given:
            return _kept(said.strip())
    wordings = _wordings(said)
    if not wordings:
        return _kept(said.strip() if flags is not None else said)
    for one in ORDER:
        if wordings.get(one):
            return _kept(wordings[one]) if one in _SIMPLIFIED else wordings[one]
    return _first(wordings)


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
