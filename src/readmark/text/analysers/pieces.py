"""Long texts in pieces that a model can take: cut between sentences, else at white space."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from readmark.core.records import Offsets

TokenRange = tuple[int, int]
"""The first token of a phrase and the one after its last."""

_SPACE = re.compile(r"\s+")


def pieces(text: str, sentences: Sequence[Offsets], most: int) -> Iterator[Offsets]:
    """Stretches of at most ``most`` characters that begin and end with sentences.

    A sentence that is longer itself is cut at white space, or wherever the room ends.
    """
    begin: int | None = None
    last = 0
    for start, end in sentences:
        if begin is not None and end - begin > most:
            yield begin, last
            begin = None
        if end - start > most:
            yield from _cut_at_spaces(text, start, end, most)
            continue
        begin = start if begin is None else begin
        last = end
    if begin is not None:
        yield begin, last


def _cut_at_spaces(text: str, start: int, end: int, most: int) -> Iterator[Offsets]:
    while end - start > most:
        cut = start + most
        # From the second character at the earliest: an empty piece would never end.
        for space in _SPACE.finditer(text, start + max(1, most // 2), start + most):
            cut = space.start()
        yield start, cut
        start = cut
    if start < end:
        yield start, end
