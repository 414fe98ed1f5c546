"""Converting between formats: what is repaired, what is withheld, what is lost."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any, Protocol, runtime_checkable

import msgspec
from rich.console import Console

from readmark.core.addresses import is_remote, upload, without_scheme
from readmark.core.display import Result
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import DataError, UsageError
from readmark.core.json_lines import read_header
from readmark.core.kinds import KINDS, kind_named
from readmark.core.new_folders import making_folder
from readmark.core.numbers import first_ids, listed_ids
from readmark.core.parsed_names import ParsedName, parse_name
from readmark.core.parts import MOST_PARTS, part_name
from readmark.core.problems import Problem, ReportProblem
from readmark.core.records import Answer, Passage, Question
from readmark.core.sitting import Sitting, SittingHeader
from readmark.core.source import Source, suffixes_of
from readmark.core.spans import clip, offset_fault, places
from readmark.core.splits import without_keys
from readmark.core.streams import is_standard
from readmark.core.test import Header, Placed, Test, in_memory
from readmark.formats.kind_extras import lost_files
from readmark.formats.parts import part_names
from readmark.formats.predictions import kind_of_predictions
from readmark.formats.registry import (
    FORMATS,
    format_for,
    format_named,
    open_languages,
    open_sitting,
    open_test,
    reads_sittings,
    save_test,
    save_tests,
    several_languages,
)
from readmark.formats.sheets import is_table, is_table_name
from readmark.formats.tables.flat import (
    all_columns,
    is_question,
    require_columns,
    unrecognised,
    write_rows,
)
from readmark.formats.tables.questions import FREE_TEXT
from readmark.hooks import hook

# Repairing offsets that do not point at their answers, where the text leaves no choice.


SHOWN_PLACES = 5


@dataclass(frozen=True, slots=True)
class Repairs:
    """What a repair did, by question: ids that were repaired, and those left with the reason."""

    fixed: tuple[str, ...] = ()
    left: tuple[tuple[str, str], ...] = ()


def repair(test: Test) -> tuple[Test, Repairs]:
    """The test with every answer placed that occurs at exactly one place, and what was done.

    The text is trusted, never the numbers: of several places the nearest is still a guess.
    """
    if test.header.kind != "comprehension":
        return test, Repairs()
    fixed: dict[str, None] = {}
    left: list[tuple[str, str]] = []
    for passage in test.records():
        for question in passage.questions:
            for answer in _astray(passage.text, question):
                found = places(passage.text, answer.text)
                if len(found) == 1:
                    fixed[question.id] = None
                else:
                    left.append((question.id, _reason(answer, found)))

    def repaired(passage: Passage) -> Passage:
        questions = tuple(_repaired(passage.text, question) for question in passage.questions)
        return msgspec.structs.replace(passage, questions=questions)

    return test.changed(repaired), Repairs(tuple(fixed), tuple(left))


def _astray(text: str, question: Question) -> Iterator[Answer]:
    """The answers that have no place or a wrong one."""
    if question.key is not None:
        for answer in (*question.key.answers, *question.key.plausible):
            if _is_astray(text, answer):
                yield answer


def _is_astray(text: str, answer: Answer) -> bool:
    return answer.offsets is None or offset_fault(text, answer) is not None


def _repaired(text: str, question: Question) -> Question:
    key = question.key
    if key is None or not any(_astray(text, question)):
        return question
    answers = tuple(_placed(text, answer) for answer in key.answers)
    plausible = tuple(_placed(text, answer) for answer in key.plausible)
    mended = msgspec.structs.replace(key, answers=answers, plausible=plausible)
    return msgspec.structs.replace(question, key=mended)


def _placed(text: str, answer: Answer) -> Answer:
    if not _is_astray(text, answer):
        return answer
    found = places(text, answer.text)
    if len(found) != 1:
        return answer
    end = None if answer.end is None else found[0] + len(answer.text)
    return msgspec.structs.replace(answer, start=found[0], end=end)


def _reason(answer: Answer, found: list[int]) -> str:
    said = f"answer {clip(answer.text)!r}"
    if not found:
        return f"{said} does not occur in the passage" if answer.text else "the answer is empty"
    shown = first_ids([str(place) for place in found], SHOWN_PLACES)
    return f"{said} occurs at {len(found):,} places: {shown}"


TABLE = "table"
"""The format that ``map`` and ``passages`` are parameters of."""
SKIPPED = "skipped"
"""The field of a record in which its format counts what it passed over."""
SHOWN = 3
OTHERS = frozenset({".parquet", ".brcc", ".conllu", ".xml", ".txt", ".html"})
"""Suffixes that promise a file of another sort than a sitting."""


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
    map: str | None = None,
    passages: str | Path | None = None,
    parts: int | None = None,
) -> Conversion:
    """Convert a test, or a sitting when the source is one.

    The formats are found by the content of ``source`` and the suffix of ``target`` unless named.
    A file in two languages becomes a folder, with a test for each; ``source`` may be two such
    tests, which go into one file again. Statements of reading tasks are converted too, with names
    as the ``ontology`` spells them and ``passages`` as the text. ``repair_offsets`` corrects
    offsets that have one possible position. ``public`` leaves out the keys of hidden splits, and of
    those named in ``hide``. ``map`` names the columns of a table, such as
    ``question=Q,answer=A1+A2``, and ``passages`` the folder, table or test of its passages.
    ``split`` selects one split of a test. ``parts`` writes so many files of about equal size into a
    new folder, each packed as its name says: parts.zst. ``target`` may be an address that fsspec
    knows.
    """
    how = locals()
    if is_remote(target):
        return _convert_remotely(how)
    target = without_scheme(target)
    sources = [source] if isinstance(source, (str, Path)) else [*source]
    named = " and ".join(str(path) for path in sources)
    opened = [Source(path) for path in sources]
    for converter in _converters():
        if any(converter.recognises(one) for one in opened):
            if len(sources) > 1:
                raise UsageError(f"{named}: statements are converted one file at a time")
            return _convert_whole(converter, {**how, "source": sources[0]})
    _require_parts(parts)
    if hide and not public:
        raise UsageError("`hide` goes with `public`")
    from_format = _of_table(from_format, map, passages)
    require_distinct_files([target], sources)
    if ontology is not None:
        raise UsageError(
            f"`ontology` is for the statements of a reading task, which {named} is not; two "
            "parallel tests stand one after the other before the file to write"
        )
    if any(_is_sitting(one, from_format) for one in opened):
        if repair_offsets or public or split is not None:
            raise UsageError(
                "`repair_offsets`, `public` and `split` are for tests; this is a sitting"
            )
        if len(sources) > 1:
            raise UsageError(f"{named}: one sitting is converted at a time")
        return _convert_sitting(sources[0], target, to_format, parts)
    if len(opened) == 1:
        tests = open_languages(opened[0], format=from_format, split=split)
    else:
        tests = [open_test(one, format=from_format, split=split) for one in opened]
    files = _files_of_languages(tests, target, to_format) if len(sources) == 1 else []
    require_distinct_files(files, sources)
    if len(tests) > 1 and not files and not _holds_languages(target, to_format):
        if len(sources) == 1:
            raise several_languages(tests[0].file, [test.language for test in tests])
        raise UsageError(
            f"{named}: two tests become one file in two languages, which ends in .brcc; "
            "`readmark set join` puts tests of one language together"
        )
    repairs = None
    withheld = None
    if repair_offsets:
        repaired = [repair(test) for test in tests]
        tests = [test for test, _ in repaired]
        repairs = Repairs(
            tuple(id for _, done in repaired for id in done.fixed),
            tuple(one for _, done in repaired for one in done.left),
        )
    if public:
        shown = [_published(test, hide) for test in tests]
        tests = [test for test, _ in shown]
        withheld = sum(count for _, count in shown)
    chosen = to_format or ("native" if parts or files else format_for(Path(target), tests[0]))
    skipped: dict[str, dict[str, int]] = {}
    free: dict[str, None] = {}
    tests = [_watched(test, skipped, free) for test in tests]
    if parts is not None:
        if len(tests) > 1:
            raise several_languages(tests[0].file, [test.language for test in tests])
        if chosen not in PART_SUFFIXES:
            raise UsageError(f"`parts` are written as {' or '.join(PART_SUFFIXES)}")
        lost = _save_parts(tests[0], Path(target), chosen, parts)
    elif files:
        lost = _save_languages(tests, Path(target), files, chosen)
    else:
        lost = save_tests(tests, target, format=chosen)
    lost = [*_unread(skipped), *lost]
    notes = (
        [f"answers that are not in the passage, taken as free text: {listed_ids(list(free))}"]
        if free
        else []
    )
    written = files or [str(target)]
    return Conversion(named, str(target), chosen, lost, repairs, withheld, notes, written)


# A file in two languages, and the folder of its tests.


_SUFFIXES = {
    **dict.fromkeys(("native", "flat"), ".jsonl"),
    **dict.fromkeys(("squad", "squad2", "drcd", "smart", "cmrc2018", "web_annotation"), ".json"),
    "table": ".csv",
    "brat": "",  # a folder
}
"""How files of a format end where it does not end as it is called."""


def _holds_languages(target: str | Path, to_format: str | None) -> bool:
    """Whether one file of the format to write can have several languages."""
    if to_format is not None:
        return hook(format_named(to_format), "write_languages") is not None
    return suffixes_of(target)[-1:] == (".brcc",)


def _files_of_languages(
    tests: Sequence[Test], target: str | Path, to_format: str | None
) -> list[str]:
    """The files in the folder ``target``, one for each language; none where it is no folder."""
    if len(tests) < 2 or is_standard(target):
        return []
    is_folder = str(target).endswith(("/", os.sep)) or Path(target).is_dir()
    is_bare = not suffixes_of(target) and not _holds_languages(target, to_format)
    if not (is_folder or is_bare):
        return []
    name = parse_name(to_format).base if to_format else "native"
    suffix = _SUFFIXES.get(name, f".{name}")
    return [str(Path(target) / f"{test.language}{suffix}") for test in tests]


def _save_languages(
    tests: Sequence[Test], folder: Path, files: Sequence[str], format: str
) -> list[str]:
    """Write a test for each language; a new folder is whole or not there."""
    is_new = not folder.is_dir() or not any(folder.iterdir())
    lost = []
    with making_folder(folder) if is_new else nullcontext(folder) as place:
        for test, file in zip(tests, files, strict=True):
            losses = save_test(test, place / Path(file).name, format=format)
            lost += [f"{test.language}: {line}" for line in losses]
    return lost


@runtime_checkable
class ConvertsFiles(Protocol):
    """A format of files that are neither tests nor sittings, and are converted as they are."""

    def convert(
        self, source: str, target: str, *, passages: str | None = None, ontology: str | None = None
    ) -> Sequence[str]:
        """Convert a file, by the suffix of the target; returns notes, one per line.

        ``passages`` and ``ontology`` are the files of ``--passages`` and ``--with``.
        """


def _converters() -> Iterator[Any]:
    return (format for _, format in FORMATS.working() if isinstance(format, ConvertsFiles))


def _convert_whole(converter: ConvertsFiles, how: dict[str, Any]) -> Conversion:
    """Let a format convert a file; options that are for tests are refused."""
    source, target = str(how["source"]), str(how["target"])
    files = {
        name: None if how[name] is None else str(how[name]) for name in ("passages", "ontology")
    }
    for name, value in how.items():
        if value and name not in ("source", "target", *files):
            raise UsageError(f"`{name}` is for tests and sittings, which {source} is not")
    notes = converter.convert(source, target, **files)
    return Conversion(source, target, suffixes_of(target)[-1].removeprefix("."), [], notes=notes)


PART_SUFFIXES = {"native": ".jsonl", "flat": ".jsonl", "parquet": ".parquet"}
"""The formats of which a folder of parts is read as one test."""


def _require_parts(parts: int | None) -> None:
    if parts is not None and not 1 <= parts <= MOST_PARTS:
        raise UsageError(f"`parts` {parts} is not from 1 to {MOST_PARTS:,}")


def _packing(folder: Path) -> str:
    """How the parts in a folder are packed: as a file of its name would be."""
    return folder.suffix if folder.suffix in (".gz", ".zst") else ""


def _save_parts(test: Test, target: Path, format: str, count: int) -> list[str]:
    """Write the records in their order, so many to a part; the folder is whole or not there."""
    suffix = PART_SUFFIXES[format] + _packing(target)
    records, total = test.records(), test.facts.records
    if format == "flat" and count > total:
        raise UsageError(
            f"`parts` {count} is more than the test's {total} records: a flat part needs one"
        )
    lost = lost_files(test)
    if format != "native":  # of the whole test: those of a part repeat themselves in the next
        require_columns(test, format)
        with Path(os.devnull).open("wb") as nowhere:
            lost += write_rows(test, nowhere, all_columns(test))
    with making_folder(target) as folder:
        for index in range(count):
            size = total * (index + 1) // count - total * index // count
            part = in_memory(test.header, islice(records, size), file=test.file)
            save_test(part, folder / part_name(index, count, suffix), format=format)
    return lost


def _save_sitting_parts(sitting: Sitting, target: Path, writer: Any, count: int) -> None:
    """Write the rows in their order, those of a unit into one part."""
    suffix = f".jsonl{_packing(target)}"
    ids = list(sitting)
    with making_folder(target) as folder:
        for index in range(count):
            own = ids[len(ids) * index // count : len(ids) * (index + 1) // count]
            part = replace(sitting, rows={id: sitting.rows[id] for id in own})
            writer.write_sitting(part, folder / part_name(index, count, suffix))


def _convert_remotely(how: dict[str, Any]) -> Conversion:
    """Convert into a private folder, and put the result at its address when it is complete."""
    import tempfile

    address = str(how["target"]).rstrip("/")
    with tempfile.TemporaryDirectory(prefix="readmark-") as folder:
        local = Path(folder) / PurePosixPath(address).name
        ending = "/" if str(how["target"]).endswith("/") else ""
        try:
            done = convert(**{**how, "target": f"{local}{ending}"})
        except UsageError as error:  # nobody has heard of the private folder
            raise UsageError(str(error).replace(str(local), address)) from None
        upload(local, address)
    files = [file.replace(str(local), address, 1) for file in done.files]
    return replace(done, target=address, files=files)


def _of_table(format: str | None, map: str | None, passages: str | Path | None) -> str | None:
    """The format with the parameters of a table, where any are given."""
    given = {"map": map, "passages": None if passages is None else str(passages)}
    parameters = {name: value for name, value in given.items() if value is not None}
    if not parameters:
        return format
    if format not in (None, TABLE):
        raise UsageError(f"`map` and `passages` are for tables, not for {format}")
    return str(ParsedName(TABLE, parameters))


def _watched(test: Test, skipped: dict[str, dict[str, int]], free: dict[str, None]) -> Test:
    """The test; what its format passed over when reading is noted as its records come by.

    So are, as ``free``, the answers of a table that are not in their passages.
    """

    def stream(report: ReportProblem) -> Iterator[Placed]:
        def note(problem: Problem) -> None:
            if problem.code != FREE_TEXT:
                report(problem)
            else:
                free[f"line {problem.where}"] = None

        # Other formats remark on what they can still read, unless the first problem is raised.
        for place, record in test.stream(note if is_table(Source(test.file)) else report):
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
        named = first_ids(list(nodes), SHOWN)
        yield f"empty nodes of the source were not read ({sum(nodes.values())}: {named})"


def _published(test: Test, hide: Sequence[str]) -> tuple[Test, int]:
    hidden = tuple(dict.fromkeys((*test.header.hidden, *hide)))
    if not hidden:
        raise UsageError("the test's header names no hidden splits; name them with `hide`")
    shown = without_keys(test, hidden)
    return shown, sum(test.facts.splits[name].units for name in hidden)


def _is_sitting(source: Source, format: str | None) -> bool:
    if format is not None:
        return reads_sittings(format_named(format))
    if source.readmark_file is not None:
        return source.readmark_file == "sitting"
    rows = FORMATS.load("prediction_rows")
    if isinstance(source.first_line, dict) and rows.recognises(source):
        return True  # before formats that ask for a JSON document, which JSON Lines are not
    if any(
        hook(one, "read") is not None and one.recognises(source) for _, one in FORMATS.working()
    ):
        return False
    if rows.recognises(source):
        return True
    if is_question(source.document):
        raise unrecognised(source.file, source.document)
    return bool(FORMATS.load("predictions").recognises(source))


def _convert_sitting(
    source: str | Path,
    target: str | Path,
    to: str | None,
    parts: int | None,
) -> Conversion:
    if to is None and OTHERS.intersection(suffixes_of(target)[-1:]):
        raise UsageError(
            f"{target}: a sitting is written to a file that ends in .jsonl, .json, .csv or .xlsx"
        )
    chosen = to or ("predictions" if suffixes_of(target)[-1:] == (".json",) else "sitting")
    if to is None and is_table_name(target):
        chosen = "prediction_rows"
    writer = FORMATS.load(chosen)
    if hook(writer, "write_sitting") is None:
        raise UsageError(f"a sitting cannot be written as {chosen!r}")
    opened = Source(source)
    native = opened.readmark_file == "sitting"
    header = read_header(part_names(opened)[0], SittingHeader) if native else SittingHeader()
    kind = header.kind or kind_of_predictions(opened) or Header().kind
    if kind not in KINDS:
        known = ", ".join(KINDS)
        raise DataError(f"kind {kind!r} is unknown; known: {known}", file=source, where=1)
    sitting = open_sitting(source, kind_named(kind))
    if sitting.papers:
        raise UsageError(f"{source}: its parts are sittings of parts of a test and stay apart")
    if parts is not None:
        if chosen != "sitting":
            raise UsageError(f"`parts` of a sitting are written as sitting, not as {chosen!r}")
        _save_sitting_parts(sitting, Path(target), writer, parts)
        return Conversion(str(source), str(target), chosen, [])
    lost: list[str] = writer.write_sitting(sitting, Path(target))
    return Conversion(str(source), str(target), chosen, lost)
