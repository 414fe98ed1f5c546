"""Where title, dateline and story are in a passage that separates them."""

from __future__ import annotations

from collections.abc import Iterator

from readmark.core.records import Offsets, Passage

MEMBER = "parts"
"""The member of a passage's ``fields`` that says so."""
PARTS = ("title", "dateline", "story")


def parts_of(passage: Passage) -> dict[str, Offsets]:
    """The parts in the order of the text; none where the record of them is faulty."""
    said = passage.fields.get(MEMBER)
    if not isinstance(said, dict) or any(parts_faults(passage)):
        return {}
    found = {name: (said[name][0], said[name][1]) for name in PARTS if name in said}
    return dict(sorted(found.items(), key=lambda item: item[1]))


def parts_faults(passage: Passage) -> Iterator[str]:
    """What is wrong with the parts of a passage."""
    said = passage.fields.get(MEMBER)
    if not isinstance(said, dict):
        return
    for name in PARTS:
        if name in said and not _is_span(said[name], len(passage.text)):
            yield f"part {name} is {said[name]!r}, expected [start, end] in the passage"
    if any(name in said for name in PARTS) and "story" not in said:
        yield "the parts do not say where the story stands"


def _is_span(value: object, length: int) -> bool:
    return (
        isinstance(value, (list, tuple))
        and len(value) == 2
        and all(isinstance(one, int) and not isinstance(one, bool) for one in value)
        and 0 <= value[0] <= value[1] <= length
    )
