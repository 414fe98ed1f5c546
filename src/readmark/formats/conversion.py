"""Converting between formats: what is repaired, what is withheld, what is lost."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, Protocol, runtime_checkable

from rich.console import Console

from readmark.core.addresses import is_remote, upload, without_scheme
from readmark.core.display import Result
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import UsageError
from readmark.core.numbers import first_ids, listed_ids
from readmark.core.parsed_names import ParsedName
from readmark.core.problems import Problem, ReportProblem
from readmark.core.source import Source, suffixes_of
from readmark.core.splits import without_keys
from readmark.core.test import Placed, Test
from readmark.formats.language_folders import holds_languages, language_files, save_languages
from readmark.formats.part_writing import require_part_count, save_parts
from readmark.formats.registry import (
    FORMATS,
    format_for,
    open_languages,
    open_test,
    save_tests,
    several_languages,
)
from readmark.formats.repairs import Repairs, repair
from readmark.formats.sheets import is_table
from readmark.formats.sitting_conversion import convert_sitting, is_sitting
from readmark.formats.tables.cells import FREE_TEXT
from readmark.formats.tables.column_map import mapped

_TABLE = "table"
"""The format that ``passages`` is a parameter of."""
_SKIPPED = "skipped"
"""The field of a record in which its format counts what it passed over."""
_SHOWN_IDS = 3


@dataclass(frozen=True, repr=False)
class Conversion(Result):
    """What a conversion did: the format written, what it could not hold, what was repaired."""

    source: str
    target: str
    format: str
    lost: Sequence[str]
    repairs: Repairs | None = None
    withheld: int | None = None
    """Units written without their key; None unless hidden splits were to be withheld."""
    notes: Sequence[str] = ()
    """What a reader of the new file should know."""
    files: Sequence[str] = ()
    """The files that were written: one for each language where there are several."""

    def as_json(self) -> dict[str, Any]:
        """The document that ``convert --json`` prints."""
        document = asdict(self)
        del document["source"], document["target"]
        files = list(self.files) or [self.target]
        return {**document, "withheld": self.withheld or 0, "files": files}

    def show(self, console: Console) -> None:
        """Print what was lost, repaired and withheld, one per line."""
        lines = [f"{self.source}: {line}" for line in self.notes]
        lines += [f"{self.format}: {line}" for line in self.lost]
        if self.repairs is not None:
            fixed, left = self.repairs.fixed, self.repairs.left
            lines += [f"{self.source}:{id}: not repaired: {reason}" for id, reason in left]
            lines.append(f"offsets repaired: {len(fixed)}, left as they were: {len(left)}")
        if self.withheld is not None:
            lines.append(f"units whose key was withheld: {self.withheld}")
        lines += [f"{file} written as {self.format}" for file in self.files or [self.target]]
        for line in lines:
            console.print(line, soft_wrap=True)


@runtime_checkable
class ConvertsFiles(Protocol):
    """A format of files that are neither tests nor sittings, and are converted as they are."""

    def convert(
        self, source: str, target: str, *, passages: str | None = None, ontology: str | None = None
    ) -> Sequence[str]:
        """Convert a file, by the suffix of the target; returns notes, one per line.

        ``passages`` and ``ontology`` are the files of ``--passages`` and ``--with``.
        """


@dataclass(frozen=True, kw_only=True)
class _Request:
    """What `convert` was called with; its fields have the names of the arguments."""

    source: Sequence[str | Path]
    target: str | Path
    from_format: str | None
    split: str | None
    to_format: str | None
    ontology: str | Path | None
    repair_offsets: bool
    public: bool
    hide: Sequence[str]
    passages: str | Path | None
    parts: int | None

    @property
    def names(self) -> str:
        """The files to convert, in words."""
        return " and ".join(str(path) for path in self.source)


def convert(
    source: str | Path | Sequence[str | Path],
    target: str | Path,
    *,
    from_format: str | None = None,
    split: str | None = None,
    to_format: str | None = None,
    ontology: str | Path | None = None,
    repair_offsets: bool = False,
    public: bool = False,
    hide: Sequence[str] = (),
    map: Mapping[str, str] | None = None,
    passages: str | Path | None = None,
    parts: int | None = None,
) -> Conversion:
    """Convert a test, or a sitting when the source is one.

    The formats are found by the content of ``source`` and the suffix of ``target`` unless named.
    A file in two languages becomes a folder, with a test for each; ``source`` may be two such
    tests, which go into one file again. Statements of reading tasks are converted too, with names
    as the ``ontology`` spells them and ``passages`` as the text. ``repair_offsets`` corrects
    offsets that have one possible position. ``public`` leaves out the keys of hidden splits, and of
    those named in ``hide``. ``map`` says what the columns of a table, or the members of rows, are,
    such as ``{"Q": "question", "Li": "answer", "Wang": "answer"}``, and ``passages`` names the
    folder, table or test of a table's passages. ``split`` selects one split of a test. ``parts``
    writes so many files of about equal size into a
    new folder, each packed as its name says: parts.zst. ``target`` may be an address that fsspec
    knows.
    """
    if isinstance(source, Test):
        raise UsageError("convert takes files; save(test, path) writes a test that is loaded")
    request = _Request(
        source=[source] if isinstance(source, (str, Path)) else [*source],
        target=target,
        from_format=from_format,
        split=split,
        to_format=to_format,
        ontology=ontology,
        repair_offsets=repair_offsets,
        public=public,
        hide=hide,
        passages=passages,
        parts=parts,
    )
    with mapped(map, request.names):
        if is_remote(target):
            return _convert_remotely(request)
        return _convert(replace(request, target=without_scheme(target)))


def _convert_remotely(request: _Request) -> Conversion:
    """Convert into a private folder, and put the result at its address when it is complete."""
    require_distinct_files([request.target], request.source)
    address = str(request.target).rstrip("/")
    with tempfile.TemporaryDirectory(prefix="readmark-") as folder:
        local = Path(folder) / PurePosixPath(address).name
        ending = "/" if str(request.target).endswith("/") else ""
        try:
            conversion = _convert(replace(request, target=f"{local}{ending}"))
        except UsageError as error:  # the private folder means nothing to the user
            raise UsageError(str(error).replace(str(local), address)) from None
        upload(local, address)
    files = [file.replace(str(local), address, 1) for file in conversion.files]
    return replace(conversion, target=address, files=files)


def _convert(request: _Request) -> Conversion:
    sources = [Source(path) for path in request.source]
    for converter in _converters():
        if any(converter.recognises(source) for source in sources):
            return _convert_file(converter, request)
    require_part_count(request.parts)
    if request.hide and not request.public:
        raise UsageError("`hide` goes with `public`")
    from_format = _with_passages(request)
    require_distinct_files([request.target], request.source)
    if request.ontology is not None:
        raise UsageError(
            f"`ontology` is for the statements of a reading task, which {request.names} is not; to "
            "convert two parallel tests, name both before the file to write"
        )
    if not any(is_sitting(source, from_format) for source in sources):
        return _convert_tests(request, sources, from_format)
    if request.repair_offsets or request.public or request.split is not None:
        raise UsageError("`repair_offsets`, `public` and `split` are for tests; this is a sitting")
    if len(sources) > 1:
        raise UsageError(f"{request.names}: one sitting is converted at a time")
    path = request.source[0]
    format, lost = convert_sitting(path, request.target, request.to_format, request.parts)
    return Conversion(str(path), str(request.target), format, lost)


def _converters() -> Iterator[Any]:
    return (format for _, format in FORMATS.working() if isinstance(format, ConvertsFiles))


def _convert_file(converter: ConvertsFiles, request: _Request) -> Conversion:
    """Let a format convert a file; options that are for tests are refused."""
    if len(request.source) > 1:
        raise UsageError(f"{request.names}: statements are converted one file at a time")
    source, target = str(request.source[0]), str(request.target)
    for name, value in vars(request).items():
        if value and name not in ("source", "target", "passages", "ontology"):
            raise UsageError(f"`{name}` is for tests and sittings, which {source} is not")
    notes = converter.convert(
        source,
        target,
        passages=None if request.passages is None else str(request.passages),
        ontology=None if request.ontology is None else str(request.ontology),
    )
    return Conversion(source, target, suffixes_of(target)[-1].removeprefix("."), [], notes=notes)


def _with_passages(request: _Request) -> str | None:
    """The format to read, with the passages of a table where they are named."""
    if request.passages is None:
        return request.from_format
    if request.from_format not in (None, _TABLE):
        raise UsageError(f"`passages` is for tables, not for {request.from_format}")
    return str(ParsedName(_TABLE, {"passages": str(request.passages)}))


def _convert_tests(
    request: _Request, sources: Sequence[Source], from_format: str | None
) -> Conversion:
    """Convert a test, the tests of a file in several languages, or two tests into such a file."""
    target = Path(request.target)
    if len(sources) == 1:
        tests = open_languages(sources[0], format=from_format, split=request.split)
        files = language_files(tests, request.target, request.to_format)
    else:
        tests = [open_test(source, format=from_format, split=request.split) for source in sources]
        files = []
    require_distinct_files(files, request.source)
    if len(tests) > 1 and not files and not holds_languages(request.target, request.to_format):
        if len(sources) == 1:
            raise several_languages(tests[0].file, [test.language for test in tests])
        raise UsageError(
            f"{request.names}: two tests become one file in two languages, which ends in .brcc; "
            "`readmark set join` puts tests of one language together"
        )
    repairs = None
    if request.repair_offsets:
        repaired = [repair(test) for test in tests]
        tests = [test for test, _ in repaired]
        repairs = Repairs(
            fixed=tuple(id for _, of_test in repaired for id in of_test.fixed),
            left=tuple(left for _, of_test in repaired for left in of_test.left),
        )
    withheld = None
    if request.public:
        published = [_published(test, request.hide) for test in tests]
        tests = [test for test, _ in published]
        withheld = sum(count for _, count in published)
    format = request.to_format or (
        "native" if request.parts or files else format_for(target, tests[0])
    )
    remarks = _ReadingRemarks()
    tests = [remarks.watch(test) for test in tests]
    if request.parts is not None:
        if len(tests) > 1:
            raise several_languages(tests[0].file, [test.language for test in tests])
        lost = save_parts(tests[0], target, format, request.parts)
    elif files:
        lost = save_languages(tests, target, files, format)
    else:
        lost = save_tests(tests, request.target, format=format)
    return Conversion(
        request.names,
        str(request.target),
        format,
        [*remarks.lost(), *lost],
        repairs,
        withheld,
        remarks.notes(),
        files or [str(request.target)],
    )


def _published(test: Test, hide: Sequence[str]) -> tuple[Test, int]:
    """The test without the keys of its hidden splits, and how many units that concerns."""
    hidden = tuple(dict.fromkeys((*test.header.hidden, *hide)))
    if not hidden:
        raise UsageError("the test's header names no hidden splits; name them with `hide`")
    published = without_keys(test, hidden)
    return published, sum(test.facts.splits[name].units for name in hidden)


class _ReadingRemarks:
    """What formats said while records were read: what they passed over, and free answers."""

    def __init__(self) -> None:
        self._skipped: dict[str, dict[str, int]] = {}
        """What was passed over in a record, by its id."""
        self._free: dict[str, None] = {}
        """The rows of a table whose answers are not in their passages."""

    def watch(self, test: Test) -> Test:
        """The test; remarks are collected as its records come by."""
        is_from_table = is_table(Source(test.file))

        def stream(report: ReportProblem) -> Iterator[Placed]:
            def note(problem: Problem) -> None:
                if problem.code == FREE_TEXT:
                    self._free[f"line {problem.where}"] = None
                else:
                    report(problem)

            # Only for tables: `remark` drops what another format finds odd if it is given `fail`
            # itself. A listener around that would make an error of it, which ends the reading.
            for place, record in test.stream(note if is_from_table else report):
                skipped = record.fields.get(_SKIPPED)
                if isinstance(skipped, dict):
                    self._skipped[record.id] = skipped
                yield place, record

        watched = replace(test, stream=stream)
        if "facts" in test.__dict__:  # of the same records: they are not surveyed again
            watched.__dict__["facts"] = test.facts
        return watched

    def lost(self) -> list[str]:
        """What was in the source and not read."""
        nodes = {id: n["empty_nodes"] for id, n in self._skipped.items() if "empty_nodes" in n}
        if not nodes:
            return []
        ids = first_ids(list(nodes), _SHOWN_IDS)
        return [f"empty nodes of the source were not read ({sum(nodes.values())}: {ids})"]

    def notes(self) -> list[str]:
        """What a reader of the new file should know."""
        if not self._free:
            return []
        lines = listed_ids(list(self._free))
        return [f"answers that are not in the passage, taken as free text: {lines}"]
