"""Where title, dateline and story are in a passage that separates them."""

from __future__ import annotations

from collections.abc import Iterator

from readmark.core.records import Offsets, Passage

MEMBER = "parts"
"""The member of a passage's ``fields`` that has the parts."""
PARTS = ("title", "dateline", "story")


def parts_of(passage: Passage) -> dict[str, Offsets]:
    """The parts in the order of the text; none if one of them is faulty."""
    stated = passage.fields.get(MEMBER)
    if not isinstance(stated, dict) or any(parts_faults(passage)):
        return {}
    parts = {name: (stated[name][0], stated[name][1]) for name in PARTS if name in stated}
    return dict(sorted(parts.items(), key=lambda part: part[1]))


def parts_faults(passage: Passage) -> Iterator[str]:
    """What is wrong with the parts of a passage."""
    stated = passage.fields.get(MEMBER)
    if not isinstance(stated, dict):
        return
    for name in PARTS:
        if name in stated and not _is_span(stated[name], len(passage.text)):
            yield f"part {name} is {stated[name]!r}, expected [start, end] in the passage"
    if any(name in stated for name in PARTS) and "story" not in stated:
        yield "the parts do not say where the story is"


def _is_span(value: object, length: int) -> bool:
    return (
        isinstance(value, (list, tuple))
        and len(value) == 2
        and all(isinstance(offset, int) and not isinstance(offset, bool) for offset in value)
        and 0 <= value[0] <= value[1] <= length
    )
