"""Rows of units that could not be answered: an exception in one line, without secrets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from readmark.core.extras import MissingExtra
from readmark.core.numbers import listed_ids
from readmark.core.records import Unit
from readmark.core.sitting import Row

if TYPE_CHECKING:
    from readmark.core.redaction import Secrets


def one_by_one(units: Iterable[Unit], reply: Callable[[Unit], Row]) -> Iterator[Row]:
    """Answer each unit by itself; an exception is that unit's error row."""
    for unit in units:
        try:
            yield reply(unit)
        except MissingExtra:  # every other unit would need it too
            raise
        except Exception as error:  # whatever a reader does wrong is a row, never a crash
            yield failure(unit.id, error)


def failure(id: str, error: BaseException, secrets: Secrets | None = None) -> Row:
    """An error row, without the secrets."""
    return Row(id=id, error=error_line(error, secrets))


def error_line(error: BaseException, secrets: Secrets | None = None) -> str:
    """An exception's type and message in one line that can be written to any file."""
    from readmark.core.redaction import NO_SECRETS

    text = (secrets or NO_SECRETS).one_line(f"{type(error).__name__}: {error}", 500)
    return text.encode("utf-8", "replace").decode("utf-8")  # without half surrogate pairs


def listed_errors(ids: Sequence[str], *, counted: bool = False) -> str:
    """A message on error rows: what to do about them, unless they are ``counted`` as wrong."""
    if counted:
        return f"error rows: {listed_ids(ids)}; they count as wrong"
    return (
        f"error rows: {listed_ids(ids)}; resume the sitting, or count them as wrong "
        "with `errors_as_wrong`"
    )
