"""The order in which splits are told: train, dev, test, a challenge, then any other by name."""

from __future__ import annotations

_USUAL = ("train", "training", "dev", "development", "validation", "trial", "test", "challenge")


def split_order(split: str | None) -> tuple[int, str]:
    """A sort key; what has no split comes last."""
    if split is None:
        return len(_USUAL) + 1, ""
    known = split.lower()
    return (_USUAL.index(known) if known in _USUAL else len(_USUAL)), split
