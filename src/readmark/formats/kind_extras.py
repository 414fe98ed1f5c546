"""What a kind of test may add to files: checks given the whole test, files beside its records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol, runtime_checkable

from readmark.core.kinds import Finding
from readmark.core.test import Test


@runtime_checkable
class ChecksWholeTests(Protocol):
    """A kind of test in which a record can be wrong for the test that it is in."""

    def test_findings(self, record: Any, test: Test) -> Iterator[Finding]:
        """What is wrong in a record given the whole test: its language, its hidden splits."""


@runtime_checkable
class HasOtherFiles(Protocol):
    """A kind of test with files that no record stores."""

    def other_files(self, test: Test) -> Iterable[str]:
        """What the files of a test have that other formats lose, one per line."""


def lost_files(test: Test) -> list[str]:
    """What of a test's files no record stores, one per line."""
    return list(test.kind.other_files(test)) if isinstance(test.kind, HasOtherFiles) else []
