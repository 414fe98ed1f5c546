"""Whether two people worked on the same text: a text that changed is refused, with the place."""

from __future__ import annotations

from readmark.corpus.errors import DataError

SHOWN = 12
"""How many characters are shown on each side of the first difference."""


def first_difference(one: str, other: str) -> int | None:
    """The first code point where two texts differ; None when they are equal."""
    if one == other:
        return None
    shorter = min(len(one), len(other))
    return next((at for at in range(shorter) if one[at] != other[at]), shorter)


def require_same_text(expected: str, found: str, *, file: str, id: str) -> None:
    """Refuse work on another version of a text: everything after the change would be misplaced."""
    at = first_difference(expected, found)
    if at is None:
        return
    raise DataError(
        f"is of another version of the text, which differs at character {at}: "
        f"expected {_around(expected, at)}, found {_around(found, at)}",
        file=file,
        where=id,
    )


def _around(text: str, at: int) -> str:
    start, end = max(0, at - SHOWN), at + SHOWN
    before = "…" if start else ""
    after = "…" if end < len(text) else ""
    return repr(f"{before}{text[start:end]}{after}")
