"""How much of a text was copied from another: the share that is in common runs of tokens."""

from __future__ import annotations

from collections.abc import Sequence


def copied(piece: Sequence[str], source: Sequence[str], *, run: int) -> int:
    """How many tokens of a piece are in a run of at least ``run`` that the source has too.

    A shorter piece counts if the source contains all of it.
    """
    size = min(run, len(piece))
    if not size:
        return 0
    tokens = tuple(piece)
    source = tuple(source)
    runs = {source[index : index + size] for index in range(len(source) - size + 1)}
    is_copied = [False] * len(tokens)
    for index in range(len(tokens) - size + 1):
        if tokens[index : index + size] in runs:
            is_copied[index : index + size] = [True] * size
    return sum(is_copied)


def copied_share(pieces: Sequence[Sequence[str]], source: Sequence[str], *, run: int) -> float:
    """The share of the pieces' tokens that are copied; 0 when there are none."""
    total = sum(map(len, pieces))
    return sum(copied(piece, source, run=run) for piece in pieces) / total if total else 0.0
