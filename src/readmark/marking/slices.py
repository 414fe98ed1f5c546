"""The fields that marks are broken down by: the one place where their names are resolved."""

from __future__ import annotations

from collections.abc import Sequence

from readmark.core.errors import UsageError
from readmark.core.test import Test


def known_fields(test: Test, asked: Sequence[str]) -> list[str]:
    """The fields that were asked for, each once; an unknown one is an error that lists the others.

    Known are the fields that some unit has, on its key, on itself or on its record, and those
    that the kind of test declares, even where no unit has them.
    """
    missing = dict.fromkeys(asked)
    there: set[str] = set()
    for unit in test.units() if missing else ():
        for name in [name for name in missing if unit.may_have(name)]:
            del missing[name]
        if not missing:
            break
        there |= unit.scalars().keys()
    if missing:
        unknown = " or ".join(repr(name) for name in missing)
        listed = f"its fields are {', '.join(sorted(there))}" if there else "its units have none"
        raise UsageError(f"{test.file} has no field {unknown}; {listed}")
    return list(dict.fromkeys(asked))
