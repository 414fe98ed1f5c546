"""The names of the two people whose versions are compared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from readmark.core.errors import UsageError
from readmark.formats.people_names import person_by_file, require_name


def require_two(names: Sequence[str], noun: str) -> tuple[str, str]:
    """The two names of `names`; another number is refused, and so is what is no name."""
    if len(names) != 2:
        raise UsageError(f"`names` takes two names, found {len(names)}: {', '.join(names)}")
    first, second = (require_name(name, noun) for name in names)
    return first, second


def name_two(
    files: tuple[str, str], names: Sequence[str], noun: str, *, with_folder: bool = False
) -> tuple[str, str]:
    """The names of two people: ``names``, or else those of their files; equal ones are refused.

    With ``with_folder`` files of one name are distinguished by their folders.
    """
    if names:
        first, second = require_two(names, noun)
    else:
        paths = [Path(file).resolve() for file in files]
        first, second = map(person_by_file, paths)
        if first == second and with_folder:
            first, second = (f"{path.parent.name}/{first}" for path in paths)
    if first == second:
        raise UsageError(f"both {noun}s are called {first!r}: give them other names with `names`")
    return first, second
