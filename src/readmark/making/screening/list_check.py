"""A check that looks at lines: verse, and lists and tables of which an extractor left fragments."""

from __future__ import annotations

import re
from collections.abc import Mapping

from readmark.making.screening.findings import CheckFinding, ScreenedText, at_most

_SENTENCE = re.compile(r"[。！？；]|[.!?:：…][\"'”’」』）)]*$|[a-z][.!?] ")
"""What a line of running text has: a sentence's end anywhere in it (many paragraphs lack the last
one). A colon may announce a list, and is no part of one."""


def list_like(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """The share of the text in lines that hold no sentence, or are too short for prose.

    The share of an empty text is 1: there is nothing to ask about.
    """
    total = fragments = 0
    for line in reading.text.split("\n"):
        stripped = line.strip()
        total += len(stripped)
        # Most lines have a full stop, which is found faster than by the expression.
        has_sentence = "。" in stripped or _SENTENCE.search(stripped) is not None
        if len(stripped) < settings["short"] or not has_sentence:
            fragments += len(stripped)
    return at_most(fragments / total if total else 1.0, settings["most"])
