"""The variant marks of Chinese wikis, ``-{zh-hans:…;zh-hant:…}-``, resolved to one wording.

They follow MediaWiki's syntax of language conversion: flags before a ``|``, then a wording for
each variant of Chinese.
"""

from __future__ import annotations

import functools
import re

from readmark.core.records import Offsets
from readmark.text.script_conversion import has_traditional

ORDER = ("zh-hans", "zh-cn", "zh-sg", "zh-my", "zh", "zh-hant", "zh-tw", "zh-hk", "zh-mo")
"""Which wording is taken, the first of these that is there; simplified before traditional."""

# Innermost first: a wording may hold marks of its own.
_MARK = re.compile(r"-\{((?:(?!-\{|\}-)[^\n]){0,2000}+)\}-")
_DEEPEST = 4
CHINESE_MARK = re.compile(r"-\{(?:(?!\}-)[^\n]){0,200}?(?:zh(?:-[a-z]+)?\s*:|[\u3400-\u9fff])")
"""What tells a mark from an author's own characters, where a text may be anything."""
_FLAGS = re.compile(r"\s*([A-Z+;\s-]*|zh(?:-\w+)?(?:\s*;\s*zh(?:-\w+)?)*)\s*\|")
_SILENT = frozenset("HTD-")
"""Flags of marks that say how to convert elsewhere, or set the title, and show nothing here."""
_RAW = "R"
"""The flag of a mark whose content is shown as it is written."""
_VARIANT = re.compile(r"(?:^|;)\s*(zh(?:-[a-z]+)?)\s*:")
_SIMPLIFIED = frozenset(ORDER[:5])

# Unicode's noncharacters: no text has them.
_KEEP, _END = "\ufdd0", "\ufdd1"
_BOUNDS = re.compile(f"[{_KEEP}{_END}]")


def resolve(text: str) -> tuple[str, int]:
    """The text with every mark replaced by what it shows, and how many there were.

    Text that is not to be converted to another script is put between two characters of ours, which
    ``without_bounds`` takes out: a mark without variants, and a wording that is simplified already.
    """
    total = 0
    text = _BOUNDS.sub("", text)
    for _ in range(_DEEPEST):
        if "-{" not in text:
            break
        text, count = _MARK.subn(lambda mark: _wording(mark[1]), text)
        total += count
        if not count:
            break
    return text, total


def without_bounds(text: str) -> tuple[str, list[Offsets]]:
    """The text without those characters, and where what they enclosed occurs in it."""
    if _KEEP not in text:
        return text, []
    parts: list[str] = []
    enclosed: list[Offsets] = []
    done = size = start = depth = 0
    for bound in _BOUNDS.finditer(text):
        parts.append(text[done : bound.start()])
        size += bound.start() - done
        done = bound.end()
        if bound[0] == _KEEP:
            start = start if depth else size
            depth += 1
        elif depth:
            depth -= 1
            if not depth and size > start:
                enclosed.append((start, size))
    return "".join(parts) + text[done:], enclosed


@functools.lru_cache(1024)  # a wiki marks the same names over and over
def _wording(content: str) -> str:
    """What the mark with this content shows."""
    flags = _FLAGS.match(content)
    if flags is not None:
        content = content[flags.end() :]
        # Names of variants in the place of flags say for which of them the content is.
        letters = set(re.sub(r"[;\s]", "", flags[1])) if not flags[1].startswith("zh") else set()
        if letters & _SILENT:
            return ""
        if _RAW in letters:
            return _bounded(content.strip())
    wordings = _wordings(content)
    if not wordings:
        return _bounded(content.strip() if flags is not None else content)
    for variant in ORDER:
        if wordings.get(variant):
            wording = wordings[variant]
            return _bounded(wording) if variant in _SIMPLIFIED else wording
    return next((wording for wording in wordings.values() if wording), "")


def _wordings(content: str) -> dict[str, str]:
    """Each variant's wording; ``A=>zh-cn:B`` rules, which convert A, show B like any other."""
    wordings: dict[str, str] = {}
    variants = list(_VARIANT.finditer(content))
    if not variants or content[: variants[0].start()].strip():
        return wordings
    ends = [*(variant.start() for variant in variants[1:]), len(content)]
    for variant, end in zip(variants, ends, strict=True):
        wording = content[variant.end() : end].strip().rstrip(";").strip()
        wordings.setdefault(variant[1], wording)
    return wordings


def _bounded(wording: str) -> str:
    """A wording between our two characters, where a conversion would change it."""
    if not has_traditional(wording):
        return wording
    bare = wording.strip()
    return wording.replace(bare, f"{_KEEP}{bare}{_END}", 1)
