"""What the columns of several tests are called in one table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from readmark.core.marksheet import MarkedTest


def columns_of_tests(tests: Sequence[MarkedTest]) -> list[str]:
    """The name of each test, with its language where tests of several languages have that name.

    The two tests that a two-language file is converted to have the name of the file.
    """
    languages: defaultdict[str, set[str | None]] = defaultdict(set)
    for test in tests:
        languages[test.name].add(test.language)
    return [
        test.name if len(languages[test.name]) == 1 else f"{test.name} ({test.language})"
        for test in tests
    ]
