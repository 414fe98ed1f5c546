"""Converting between formats: what is repaired, what is withheld, what is lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.formats import (
    FORMATS,
    format_for,
    format_named,
    open_sitting,
    open_test,
    reads_sittings,
    save_sides,
    save_test,
)
from readmark.corpus.formats.flat.recognition import is_question, unrecognised
from readmark.corpus.formats.lines import read_header
from readmark.corpus.kinds import KINDS, kind_named
from readmark.corpus.outputs import require_apart
from readmark.corpus.problems import Report
from readmark.corpus.published import without_keys
from readmark.corpus.repair import Repairs, repair
from readmark.corpus.sitting import SittingHeader
from readmark.corpus.source import Source
from readmark.corpus.test import Placed, Test

SKIPPED = "skipped"
"""The field of a record in which its format counts what it passed over."""
SHOWN = 3
OTHERS = frozenset({".parquet", ".csv", ".tsv", ".brcc", ".conllu", ".xml", ".txt", ".html"})
"""Suffixes that promise a file of another sort than a sitting."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """What a conversion did: the format written, what it could not hold, what was mended."""

    format: str
    lost: Sequence[str]
    repairs: Repairs | None = None
    withheld: int = 0
    """Units written without their key."""


def convert(
    source: str | Path,
    target: str | Path,
    *,
    from_format: str | None = None,
    to_format: str | None = None,
    other_side: str | Path | None = None,
    repair_offsets: bool = False,
    public: bool = False,
    hide: Sequence[str] = (),
) -> Conversion:
    """Convert a test, or a sitting when the source is one.

    With ``other_side``, a parallel test in the other language, both go into one file.
    """
    require_apart([target], [source, other_side])
    opened = Source(source)
    if _is_sitting(opened, from_format):
        if repair_offsets or public:
            raise UsageError("--repair and --public are for tests; this is a sitting")
        if other_side is not None:
            raise UsageError("--with is for the two sides of a parallel test; this is a sitting")
        return _convert_sitting(source, target, to_format)
    tests = [open_test(opened, format=from_format)]
    if other_side is not None:
        tests.append(open_test(other_side))
    repairs = None
    withheld = 0
    if repair_offsets:
        mended = [repair(test) for test in tests]
        tests = [test for test, _ in mended]
        repairs = Repairs(
            tuple(id for _, done in mended for id in done.fixed),
            tuple(one for _, done in mended for one in done.left),
        )
    if public:
        shown = [_published(test, hide) for test in tests]
        tests = [test for test, _ in shown]
        withheld = sum(count for _, count in shown)
    chosen = to_format or format_for(Path(target), tests[0])
    skipped: dict[str, dict[str, int]] = {}
    tests = [_watched(test, skipped) for test in tests]
    if other_side is not None:
        lost = save_sides(tests, target, format=chosen)
    else:
        lost = save_test(tests[0], target, format=chosen)
    return Conversion(chosen, [*_unread(skipped), *lost], repairs, withheld)


def _watched(test: Test, skipped: dict[str, dict[str, int]]) -> Test:
    """The test; what its format passed over when reading is noted as its records come by."""

    def stream(report: Report) -> Iterator[Placed]:
        for place, record in test.stream(report):
            found = record.fields.get(SKIPPED)
            if isinstance(found, dict):
                skipped[record.id] = found
            yield place, record

    watched = replace(test, stream=stream)
    if "facts" in test.__dict__:  # of the same records: they are not surveyed again
        watched.__dict__["facts"] = test.facts
    return watched


def _unread(skipped: dict[str, dict[str, int]]) -> Iterator[str]:
    nodes = {id: found["empty_nodes"] for id, found in skipped.items() if "empty_nodes" in found}
    if nodes:
        named = ", ".join(list(nodes)[:SHOWN]) + (", …" if len(nodes) > SHOWN else "")
        yield f"empty nodes of the source were not read ({sum(nodes.values())}: {named})"


def _published(test: Test, hide: Sequence[str]) -> tuple[Test, int]:
    hidden = tuple(dict.fromkeys((*test.header.hidden, *hide)))
    if not hidden:
        raise UsageError("the test's header names no hidden splits; name them with --hide SPLIT")
    shown, sizes = without_keys(test, hidden)
    return shown, sum(sizes[name].units for name in hidden)


def _is_sitting(source: Source, format: str | None) -> bool:
    if format is not None:
        return reads_sittings(format_named(format))
    if source.readmark_file is not None:
        return source.readmark_file == "sitting"
    if any(hasattr(one, "read") and one.recognises(source) for _, one in FORMATS.working()):
        return False
    if not FORMATS.load("predictions").recognises(source):
        return False
    if is_question(source.document):
        raise unrecognised(source.file, source.document)
    return True


def _convert_sitting(source: str | Path, target: str | Path, to: str | None) -> Conversion:
    if to is None and OTHERS.intersection(Source(target).suffixes[-1:]):
        raise UsageError(f"{target}: a sitting is written to a file that ends in .jsonl or .json")
    chosen = to or ("predictions" if Source(target).suffixes[-1:] == (".json",) else "sitting")
    writer = FORMATS.load(chosen)
    if not hasattr(writer, "write_sitting"):
        raise UsageError(f"a sitting cannot be written as {chosen!r}")
    native = Source(source).readmark_file == "sitting"
    header = read_header(str(source), SittingHeader) if native else SittingHeader()
    kind = header.kind or "comprehension"
    if kind not in KINDS:
        known = ", ".join(KINDS)
        raise DataError(f"kind {kind!r} is unknown; known: {known}", file=source, where=1)
    sitting = open_sitting(source, kind_named(kind))
    lost: list[str] = writer.write_sitting(sitting, Path(target))
    return Conversion(chosen, lost)
