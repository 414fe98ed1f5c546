"""Chinese series without a target: a name that a question brings up is the topic of the next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from readmark.series.guided.chinese_questions import ChineseQuestion, pronouns
from readmark.text.script import simplified
from readmark.text.segmenter import segmenter

_BROUGHT_UP = re.compile(
    r"(?:请?(?:介绍|说说|谈谈|讲讲)(?:一下)?)(?P<told>[^的，,？?]{1,12})"
    r"|(?:什么|谁)是(?P<asked>[^的，,？?]{1,12})"
    r"|(?P<is>[^的，,？?谁哪]{1,12}?)是(?:谁|什么(?:人|东西)?)"
)
_TITLE = re.compile(r"《[^》]+》")
_NAMES = ("nr", "ns", "nt", "nz")

Topic = tuple[int, int, str, str | None]
"""The first question of a topic, the one after its last, the name, and the kind if known."""


def topics(questions: Sequence[ChineseQuestion]) -> Iterator[Topic]:
    """The series cut where a question brings up a name."""
    first, name, kind = 0, "", None
    for index, asked in enumerate(questions):
        found = _brought_up(asked, first_of_all=not name)
        if found is not None:
            if index > first:
                yield first, index, name, kind
            first, (name, kind) = index, found
    if questions:
        yield first, len(questions), name, kind


def _brought_up(asked: ChineseQuestion, *, first_of_all: bool) -> tuple[str, str | None] | None:
    """The topic of 李白是谁 or 什么是京剧; of a first question also any name in it."""
    if any(pronouns(asked)):
        return None
    names = _names(asked)
    end = len(asked.plain.rstrip("？?。！! "))
    match = _BROUGHT_UP.fullmatch(asked.plain, 0, end)
    if match is not None and match.lastgroup is not None:
        start, stop = match.span(match.lastgroup)
        who = "谁" in asked.plain or any(name[:2] == (start, stop) and name[2] for name in names)
        if first_of_all or any(name[0] >= start and name[1] == stop for name in names):
            return asked.text[start:stop], "person" if who else None
        return None
    if not first_of_all or not names:
        return None
    start, stop, who = names[0]
    return asked.text[start:stop], "person" if who else None


def _names(asked: ChineseQuestion) -> list[tuple[int, int, bool]]:
    """Names with their places, and whether they are of people."""
    names = [(*match.span(), False) for match in _TITLE.finditer(asked.text)]
    for start, end, tag in segmenter(hmm=True).tagged(simplified(asked.text)):
        if tag.startswith(_NAMES) and end - start > 1:
            names.append((start, end, tag.startswith("nr")))
    return sorted(names)
