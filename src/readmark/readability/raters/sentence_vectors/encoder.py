"""What every encoder of passages has, and how long texts are cut for it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Protocol

from readmark.core.arrays import Floats


class Encoder(Protocol):
    """Turns a text into numbers."""

    def embed(self, text: str) -> Floats:
        """The means of the pooled layers over all pieces, one after the other."""


def stretches(pieces: Sequence[int], most: int) -> Iterator[Sequence[int]]:
    """The pieces in as few stretches as possible, of about one length."""
    size = math.ceil(len(pieces) / math.ceil(len(pieces) / most))
    for start in range(0, len(pieces), size):
        yield pieces[start : start + size]
