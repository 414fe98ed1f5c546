"""What a kind of test may add to files: checks given the whole test, files beside its records."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
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


@runtime_checkable
class PublishesPackages(Protocol):
    """A kind of test that may come as a package of files, and is published as one then."""

    package_suffix: str
    """How packages end, such as ``.zip``."""

    def write_open_splits(
        self,
        source: Path,
        target: Path,
        *,
        closed: Collection[str],
        hidden: tuple[str, ...],
        licence: str | None,
        paper: bool,
    ) -> None:
        """Write a package without its closed splits (in lower case) and the keys of hidden ones."""


def lost_files(test: Test) -> list[str]:
    """What of a test's files no record stores, one per line."""
    return list(test.kind.other_files(test)) if isinstance(test.kind, HasOtherFiles) else []
