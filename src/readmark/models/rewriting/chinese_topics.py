"""Chinese series without a target: a name that a question brings up is the topic of the next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from readmark.models.rewriting.chinese_reading import Read, pronouns, segmenter
from readmark.text.simplified import simplified

_BROUGHT_UP = re.compile(
    r"(?:请?(?:介绍|说说|谈谈|讲讲)(?:一下)?)(?P<told>[^的，,？?]{1,12})"
    r"|(?:什么|谁)是(?P<asked>[^的，,？?]{1,12})"
    r"|(?P<is>[^的，,？?谁哪]{1,12}?)是(?:谁|什么(?:人|东西)?)"
)
_TITLE = re.compile(r"《[^》]+》")
_NAMES = ("nr", "ns", "nt", "nz")

Topic = tuple[int, int, str, str | None]
"""The first question of a topic, the one after its last, the name, and the kind if it is told."""


def topics(questions: Sequence[Read]) -> Iterator[Topic]:
    """The series cut where a question brings up a name."""
    first, name, kind = 0, "", None
    for at, asked in enumerate(questions):
        found = _brought_up(asked, first_of_all=not name)
        if found is not None:
            if at > first:
                yield first, at, name, kind
            first, (name, kind) = at, found
    if questions:
        yield first, len(questions), name, kind


def _brought_up(asked: Read, *, first_of_all: bool) -> tuple[str, str | None] | None:
    """The topic of 李白是谁 or 什么是京剧; of a first question also any name in it."""
    if any(pronouns(asked)):
        return None
    names = _names(asked)
    end = len(asked.plain.rstrip("？?。！! "))
    found = _BROUGHT_UP.fullmatch(asked.plain, 0, end)
    if found is not None and found.lastgroup is not None:
        start, stop = found.span(found.lastgroup)
        who = "谁" in asked.plain or any(one[:2] == (start, stop) and one[2] for one in names)
        if first_of_all or any(one[0] >= start and one[1] == stop for one in names):
            return asked.text[start:stop], "person" if who else None
        return None
    if not first_of_all or not names:
        return None
    start, stop, who = names[0]
    return asked.text[start:stop], "person" if who else None


def _names(asked: Read) -> list[tuple[int, int, bool]]:
    """Names with their places, and whether they are of people."""
    found = [(*one.span(), False) for one in _TITLE.finditer(asked.text)]
    for start, end, tag in segmenter(hmm=True).tagged(simplified(asked.text)):
        if tag.startswith(_NAMES) and end - start > 1:
            found.append((start, end, tag.startswith("nr")))
    return sorted(found)
