"""The errors that a user can cause, each reported in one line."""

from __future__ import annotations

from collections.abc import Iterable, Set

from readmark.core.numbers import first_ids

GIVEN_NAMES: dict[str, str] = {}
"""The names that users gave, by the files that are read instead: copies of standard input."""


class ReadmarkError(Exception):
    """Base of every error that the command line turns into one line."""

    exit_status = 1


class DataError(ReadmarkError):
    """Bad data: says which file, which line or id, what was found and what was expected."""

    def __init__(self, message: str, *, file: object = None, where: object = None) -> None:
        file = GIVEN_NAMES.get(str(file), file)
        place = ":".join(str(part) for part in (file, where) if part not in (None, ""))
        super().__init__(f"{place}: {message}" if place else message)
        self.message = message
        self.file = file
        self.where = where


class UsageError(ReadmarkError):
    """Bad usage: a name, an option or a combination that does not exist."""

    exit_status = 2


_MOST_NAMES = 8
"""Names that a hint lists in full; more are cut, since a domain may declare hundreds."""
_FIRST_NAMES = 5


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a message on an unknown name: the nearest known name, or the first of them all."""
    import difflib

    names = sorted(known) if isinstance(known, Set) else list(known)
    nearest = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if nearest:
        return f"did you mean {nearest[0]}?"
    if len(names) > _MOST_NAMES:
        return f"known: {first_ids(names, _FIRST_NAMES)} ({len(names):,} in all)"
    return f"known: {', '.join(names)}" if names else "none is known"
