"""Content words of a gold that neither its question, the target nor the series has.

Synonyms are allowed only where the target or the series has them: "How long is the Channel
Tunnel?" is no gold of a series about the Chunnel. Another form of a word is the same word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from readmark.corpus.series_notation import PREVIOUS_ANSWER
from readmark.corpus.spans import clip
from readmark.setting.series_rules.page import SeriesPage
from readmark.setting.series_rules.wording import STOPPED

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+")


def foreign_words(page: SeriesPage) -> Iterator[tuple[str, str]]:
    """A line a gold with such words."""
    for question, golds in page.keyed():
        for gold in golds:
            found = list(_chinese(page, gold) if page.language == "zh" else _english(page, gold))
            if found:
                named = ", ".join(repr(one) for one in dict.fromkeys(found))
                stand = "stands" if len(set(found)) == 1 else "stand"
                said = f"{named} {stand} neither in target nor series: {clip(gold)!r}"
                yield question.id, said


def _english(page: SeriesPage, gold: str) -> Iterator[str]:
    for word in page.content(gold):
        known = word.text == PREVIOUS_ANSWER or word.base in page.known
        parts = word.base.split("-")
        if not known and not (len(parts) > 1 and all(part in page.known for part in parts)):
            yield word.text


def _chinese(page: SeriesPage, gold: str) -> Iterator[str]:
    """Runs of characters that stand nowhere: the same ones may be cut otherwise elsewhere."""
    known = {*page.sources, *"".join(STOPPED["zh"])}
    for run in _HAN.findall(gold):
        new = "".join(one if one not in known else " " for one in run)
        yield from new.split()
