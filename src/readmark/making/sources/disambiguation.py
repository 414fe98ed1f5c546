"""Disambiguation pages: known by their title, or by how the text begins."""

from __future__ import annotations

import re

_TITLE = re.compile(r"[（(](?:消歧[义義][页頁]?|disambiguation)[）)]\s*$", re.IGNORECASE)
_FIRST = re.compile(
    r"(?:may|can|could) (?:also )?(?:refer|stand|mean)[^.\n]{0,40}:\s*$"
    r"|(?:可以|可能|可|能够|通常)?(?:是)?(?:指|表示|指的是|代表)(?:以下|下列|下述)?[^。\n]{0,8}[：:]\s*$",
    re.IGNORECASE,
)
_LONGEST_FIRST = 80
"""Characters of a first line that announces other pages."""


def is_disambiguation(title: str, text: str) -> bool:
    """Whether a page says which pages its title may stand for, and is no article."""
    if title.endswith((")", "）")) and _TITLE.search(title):
        return True
    first = text[: _LONGEST_FIRST + 1].partition("\n")[0]
    if len(first) > _LONGEST_FIRST or not first.rstrip().endswith((":", "：")):
        return False
    return "。" not in first and _FIRST.search(first) is not None
