"""The formats that tests and sittings come in: found by content, or asked for by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Protocol

from readmark.core.errors import UsageError
from readmark.core.kinds import Kind
from readmark.core.registry import Registry
from readmark.core.sitting import Sitting
from readmark.core.source import Source, unknown
from readmark.core.test import Test


class TestFormat(Protocol):
    """A format that tests are read from and written to."""

    __test__: ClassVar[bool] = False

    def recognises(self, source: Source) -> bool:
        """Whether a file is of this format, by its content (and suffix where that tells)."""

    def read(self, source: Source) -> Test:
        """The test in a file."""

    def write(self, test: Test, path: Path) -> list[str]:
        """Write a test; what the format cannot hold is named, a line each."""


class SittingFormat(Protocol):
    """A format that sittings are read from."""

    def recognises(self, source: Source) -> bool:
        """Whether a file is of this format."""

    def read_sitting(self, source: Source, kind: Kind) -> Sitting:
        """The sitting in a file."""


FORMATS = Registry("format", "readmark.formats")


def reads_tests(format: object) -> bool:
    """Whether a format holds tests."""
    return hasattr(format, "read") and hasattr(format, "recognises")


def reads_sittings(format: object) -> bool:
    """Whether a format holds sittings."""
    return hasattr(format, "read_sitting")


def format_named(text: str) -> Any:
    """The format of a name such as ``brcc(side=zh)``."""
    _, format = FORMATS.set(text)
    return format


def sides_of(path: str | Path, *, format: str | None = None) -> list[str | None]:
    """The formats to read a file in, a side each, where it holds the two of a parallel corpus."""
    if format is None or format in FORMATS:  # one with parameters has chosen its side
        source = Source(path)
        for name, one in FORMATS.working():
            if format in (None, name) and hasattr(one, "sides") and one.recognises(source):
                found = [f"{name}(side={side})" for side in one.sides(source)]
                return [*found] if len(found) > 1 else [format]
    return [format]


def open_test(path: str | Path | Source, *, format: str | None = None) -> Test:
    """Read a test in the format named, or in the one that recognises it."""
    source = path if isinstance(path, Source) else Source(path)
    if format is not None:
        named = format_named(format)
        if not reads_tests(named):
            raise UsageError(f"format {format!r} does not hold tests")
        found: TestFormat = named
        return found.read(source)
    for _, one in FORMATS.working():
        if reads_tests(one) and one.recognises(source):
            test: Test = one.read(source)
            return test
    known = ", ".join(name for name, one in FORMATS.working() if reads_tests(one))
    folders = ", ".join(name for name, one in FORMATS.working() if getattr(one, "folders", False))
    raise unknown(source, "a test of a format", known, folders)


def open_sitting(path: str | Path, kind: Kind) -> Sitting:
    """Read a sitting: native, or a dictionary of predictions."""
    source = Source(path)
    for _, one in FORMATS.working():
        if reads_sittings(one) and one.recognises(source):
            sitting: Sitting = one.read_sitting(source, kind)
            return sitting
    known = ", ".join(name for name, one in FORMATS.working() if reads_sittings(one))
    raise unknown(source, "a sitting of a format", known)


def format_for(target: Path, test: Test) -> str:
    """The format that a file's name asks for: JSON Lines are native, JSON is SQuAD's.

    A series in JSON is one of golds.
    """
    suffixes = Source(target).suffixes
    if test.kind.name == "series" and suffixes and suffixes[-1] == ".json":
        return "series_gold"
    if suffixes and suffixes[-1] == ".json":
        return "squad2" if test.facts.unanswerable else "squad"
    if suffixes and suffixes[-1] == ".jsonl":
        return "native"
    if suffixes and suffixes[-1] in (".brcc", ".conllu", ".parquet"):
        return suffixes[-1][1:]
    raise UsageError(
        f"{target}: name the format with --to, or a file that ends in .jsonl, .json, .parquet "
        "or .brcc"
    )


def save_test(test: Test, path: str | Path, *, format: str | None = None) -> list[str]:
    """Write a test in the format named (native by default); what it cannot hold is named."""
    named = format_named(format or "native")
    if not hasattr(named, "write"):
        known = ", ".join(name for name, one in FORMATS.working() if hasattr(one, "write"))
        raise UsageError(f"tests cannot be written as {format!r}, only as {known}")
    writer: TestFormat = named
    return writer.write(test, Path(path))


def save_sides(tests: Sequence[Test], path: str | Path, *, format: str) -> list[str]:
    """Write the two sides of a parallel corpus into one file; what does not align is named."""
    named = format_named(format)
    if not hasattr(named, "write_sides"):
        raise UsageError(f"two sides cannot be written into one file as {format!r}")
    lost: list[str] = named.write_sides(tests, Path(path))
    return lost


# What the public functions take: a test or a sitting, or where to find one.


TestInput = Test | str | Path
"""A test, or the file of one."""
SittingInput = Sitting | str | Path | Mapping[str, Any]
"""A sitting, a file of one, or a dictionary of answers by id."""


def load(path: str | Path, *, format: str | None = None) -> Test:
    """Read a test in any registered format, found by its content unless it is named."""
    return open_test(path, format=format)


def save(test: TestInput, path: str | Path, *, format: str | None = None) -> list[str]:
    """Write a test in the format named, or that the file's name asks for.

    A name in .jsonl asks for the native format, one in .json for SQuAD's. What the format
    cannot hold comes back, a line each.
    """
    saved = as_test(test)
    return save_test(saved, path, format=format or format_for(Path(path), saved))


def as_test(test: TestInput) -> Test:
    """The test itself, read where a path is given."""
    return test if isinstance(test, Test) else open_test(test)


def as_sitting(sitting: SittingInput, kind: Kind) -> Sitting:
    """The sitting itself, read where a path is given, or made of a dictionary of answers."""
    if isinstance(sitting, Mapping):
        from readmark.formats.native import PREDICTIONS

        return PREDICTIONS.sitting(sitting, kind, file="<answers>", candidate="answers")
    return sitting if isinstance(sitting, Sitting) else open_sitting(sitting, kind)
