"""What a made-up panel consists of, once it is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

SYNTHETIC, SYNTHETIC_NAME = "synthetic", " (synthetic panel)"
"""The field of a header that says that ratings are made up, and what its name ends in."""


@dataclass(frozen=True, slots=True)
class Synthesised:
    """What was written."""

    folder: str
    passages: int
    experts: Sequence[str]
    novices: Sequence[str]
    files: Sequence[str]
    missing: int
    """Ratings that novices were made to leave out."""
    seed: int

    def as_json(self) -> dict[str, Any]:
        """One document."""
        return {**asdict(self), "synthetic": True}
