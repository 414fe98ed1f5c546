"""Addresses of units in the answer browser of the page."""

from __future__ import annotations

from urllib.parse import quote, urlencode


def units_link(
    test: int,
    *,
    field: tuple[str, str] | None = None,
    candidate: int | None = None,
    verdict: str | None = None,
    error_class: str | None = None,
    right: int | None = None,
    wrong: int | None = None,
) -> str:
    """The address of some units in the answer browser, by the number of their test.

    ``field`` is a field with its value; ``verdict`` and ``error_class`` are the candidate's;
    ``right`` and ``wrong`` are candidates of which one answered right and the other did not.
    """
    query: dict[str, str | int | None] = {
        "test": test,
        "candidate": candidate,
        "verdict": verdict,
        "class": error_class,
        "right": right,
        "wrong": wrong,
    }
    if field is not None:
        query[f"field.{field[0]}"] = field[1]
    chosen = {name: value for name, value in query.items() if value is not None}
    return f"#units?{urlencode(chosen, quote_via=quote)}"


def unit_link(test: int, id: str) -> str:
    """The address of one unit in the answer browser."""
    return f"#{urlencode({'unit': id, 'test': test}, quote_via=quote)}"
