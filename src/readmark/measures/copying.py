"""How much of a text was copied from another: the share that stands in common runs of tokens."""

from __future__ import annotations

from collections.abc import Sequence


def copied(piece: Sequence[str], source: Sequence[str], *, run: int) -> int:
    """How many tokens of a piece stand in a run of at least ``run`` that the source has too.

    A piece shorter than that counts when it stands in the source whole.
    """
    size = min(run, len(piece))
    if not size:
        return 0
    wanted = tuple(piece)
    whole = tuple(source)
    runs = {whole[at : at + size] for at in range(len(whole) - size + 1)}
    marked = [False] * len(wanted)
    for at in range(len(wanted) - size + 1):
        if wanted[at : at + size] in runs:
            marked[at : at + size] = [True] * size
    return sum(marked)


def copied_share(pieces: Sequence[Sequence[str]], source: Sequence[str], *, run: int) -> float:
    """The share of the pieces' tokens that are copied; 0 when there are none."""
    total = sum(map(len, pieces))
    return sum(copied(piece, source, run=run) for piece in pieces) / total if total else 0.0
