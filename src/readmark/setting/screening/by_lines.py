"""A check that looks at lines: lists and tables of which an extractor left the fragments, verse."""

from __future__ import annotations

import re
from collections.abc import Mapping

from readmark.setting.screening import Finding, Reading, at_most

_SENTENCE = re.compile(r"[。！？；]|[.!?:：…][\"'”’」』）)]*$|[a-z][.!?] ")
"""What a line of running text has: a sentence's end anywhere in it (many paragraphs lack the last
one). A colon may announce a list, and is no part of one."""


def list_like(reading: Reading, settings: Mapping[str, float]) -> Finding:
    """The share of the text in lines that hold no sentence, or are too short for prose.

    An empty text is all of it: there is nothing to ask about.
    """
    whole = fragments = 0
    for line in reading.text.split("\n"):
        bare = line.strip()
        whole += len(bare)
        # Most lines have a full stop, which is found faster than by the expression.
        sentence = "。" in bare or _SENTENCE.search(bare) is not None
        if len(bare) < settings["short"] or not sentence:
            fragments += len(bare)
    return at_most(fragments / whole if whole else 1.0, settings["most"])
