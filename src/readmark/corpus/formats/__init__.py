"""The formats that tests and sittings come in: found by content, or asked for by name."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Protocol

from readmark.corpus.errors import UsageError
from readmark.corpus.kinds import Kind
from readmark.corpus.registry import Entry, Registry
from readmark.corpus.sitting import Sitting
from readmark.corpus.source import Source, unknown
from readmark.corpus.test import Test


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


FORMATS = Registry(
    "format",
    "readmark.formats",
    {
        "native": Entry("readmark.corpus.formats.native:NATIVE", "Readmark's own JSON Lines"),
        "squad": Entry("readmark.corpus.formats.squad:SQUAD", "SQuAD 1.1 JSON"),
        "squad2": Entry(
            "readmark.corpus.formats.squad:SQUAD2", "SQuAD 2.0 JSON, with unanswerable questions"
        ),
        "drcd": Entry("readmark.corpus.formats.squad:DRCD", "DRCD JSON: SQuAD with answer ids"),
        "smart": Entry(
            "readmark.corpus.formats.squad:SMART", "SMART JSON: SQuAD with levels 1 to 4"
        ),
        "cmrc2018": Entry(
            "readmark.corpus.formats.cmrc2018:CMRC2018",
            "CMRC 2018's own JSON: context_text, query_text, answers without offsets",
        ),
        "sitting": Entry(
            "readmark.corpus.formats.sittings:NATIVE_SITTING", "a sitting in JSON Lines"
        ),
        "predictions": Entry(
            "readmark.corpus.formats.sittings:PREDICTIONS",
            "a dictionary of predictions, {id: text}, as SQuAD's scorers take",
        ),
    },
)


def reads_tests(format: object) -> bool:
    """Whether a format holds tests."""
    return hasattr(format, "read") and hasattr(format, "recognises")


def reads_sittings(format: object) -> bool:
    """Whether a format holds sittings."""
    return hasattr(format, "read_sitting")


def open_test(path: str | Path, *, format: str | None = None) -> Test:
    """Read a test in the format named, or in the one that recognises it."""
    source = Source(path)
    if format is not None:
        named = FORMATS.load(format)
        if not reads_tests(named):
            raise UsageError(f"format {format!r} does not hold tests")
        found: TestFormat = named
        return found.read(source)
    for _, one in FORMATS.working():
        if reads_tests(one) and one.recognises(source):
            test: Test = one.read(source)
            return test
    known = ", ".join(name for name, one in FORMATS.working() if reads_tests(one))
    raise unknown(source, "a test of a format", known)


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
    """The format that a file's name asks for: JSON Lines are native, JSON is SQuAD's."""
    suffixes = Source(target).suffixes
    if suffixes and suffixes[-1] == ".json":
        return "squad2" if test.facts.unanswerable else "squad"
    if suffixes and suffixes[-1] == ".jsonl":
        return "native"
    raise UsageError(f"{target}: name the format with --to, or a file that ends in .jsonl or .json")


def save_test(test: Test, path: str | Path, *, format: str | None = None) -> list[str]:
    """Write a test in the format named (native by default); what it cannot hold is named."""
    named = FORMATS.load(format or "native")
    if not hasattr(named, "write"):
        raise UsageError(f"tests cannot be written as {format!r}")
    writer: TestFormat = named
    return writer.write(test, Path(path))
