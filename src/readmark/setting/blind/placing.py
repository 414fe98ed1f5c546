"""Where an answer in words stands in a passage: as written, or but for spaces and punctuation."""

from __future__ import annotations

from typing import Literal, NamedTuple

from readmark.corpus.spans import places
from readmark.corpus.values import Answer
from readmark.text.folding import folded, folded_with_places

How = Literal["given", "exact", "several", "folded", "absent"]


class Stood(NamedTuple):
    """An answer as the passage spells it, and how its place was found."""

    answer: Answer
    how: How


def placed(text: str, said: str, start: int | None, annotator: str) -> Stood:
    """The span of a passage that somebody's answer is; ``start`` is trusted where it fits.

    Of several places the first is taken, and said so: a blind annotator meant any of them.
    """
    bare = said.strip()
    if start is not None:
        for at in {start, start + len(said) - len(said.lstrip())}:
            if text[at : at + len(bare)] == bare:
                return Stood(_span(text, at, at + len(bare), annotator), "given")
    found = places(text, bare)
    if found:
        at = found[0] if start is None else min(found, key=lambda one: abs(one - start))
        how: How = "exact" if len(found) == 1 or start is not None else "several"
        return Stood(_span(text, at, at + len(bare), annotator), how)
    wanted = folded(bare)
    spelt, origins = folded_with_places(text)
    first = spelt.find(wanted) if wanted else -1
    if first < 0:
        return Stood(Answer(text=bare, annotator=annotator), "absent")
    last = first + len(wanted) - 1
    return Stood(_span(text, int(origins[first]), int(origins[last]) + 1, annotator), "folded")


def _span(text: str, start: int, end: int, annotator: str) -> Answer:
    return Answer(text=text[start:end], start=start, annotator=annotator)
