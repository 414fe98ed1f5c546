"""Whether people worked on the same text: a text that changed is refused, with the place."""

from __future__ import annotations

from readmark.core.errors import DataError

_SHOWN = 12
"""How many characters are shown on each side of the first difference."""


def first_difference(text: str, other: str) -> int | None:
    """The first code point where two texts differ; None when they are equal."""
    if text == other:
        return None
    shorter = min(len(text), len(other))
    return next((index for index in range(shorter) if text[index] != other[index]), shorter)


def require_same_text(expected: str, text: str, *, file: str, id: str) -> None:
    """Refuse work on another version of a text: everything after the change would be misplaced."""
    offset = first_difference(expected, text)
    if offset is None:
        return
    raise DataError(
        f"belongs to another version of the text, which differs at character {offset}: "
        f"expected {_around(expected, offset)}, found {_around(text, offset)}",
        file=file,
        where=id,
    )


def _around(text: str, offset: int) -> str:
    start, end = max(0, offset - _SHOWN), offset + _SHOWN
    before = "…" if start else ""
    after = "…" if end < len(text) else ""
    return repr(f"{before}{text[start:end]}{after}")
