"""The formats that tests and sittings come in: found by content, or asked for by name."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from readmark.core.error_rows import error_line
from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.core.problems import ReportProblem
from readmark.core.registry import Registry
from readmark.core.sitting import Sitting
from readmark.core.source import Source, suffixes_of, unknown
from readmark.core.splits import select_split
from readmark.core.streams import is_pipe, is_standard
from readmark.core.test import Placed, Test
from readmark.formats.kind_extras import lost_files
from readmark.hooks import Format, Kind, hook

FORMATS = Registry("format", "readmark.formats")


def reads_tests(format: object) -> bool:
    """Whether a format holds tests."""
    return hook(format, "read") is not None and hook(format, "recognises") is not None


def reads_sittings(format: object) -> bool:
    """Whether a format holds sittings."""
    return hook(format, "read_sitting") is not None


def format_named(text: str) -> Any:
    """The format of a name such as ``brcc(notation=brackets)``."""
    _, format = FORMATS.set(text)
    return format


@contextmanager
def _naming(name: str, member: str, file: object) -> Iterator[None]:
    """A plug-in's format that fails is one line that names it; other errors pass."""
    try:
        yield
    except (ReadmarkError, OSError):
        raise
    except Exception as error:
        package = FORMATS.entry(name).package
        if package == "readmark":
            raise
        failed = f"format {name} of package {package} failed in {member}: {error_line(error)}"
        raise DataError(failed, file=file) from error


def _recognised(name: str, format: Any, source: Source) -> bool:
    with _naming(name, "recognises", source.file):
        return bool(format.recognises(source))


def _with_hook(name: str) -> Iterator[tuple[str, Any]]:
    return ((own, one) for own, one in FORMATS.working() if hook(one, name) is not None)


def open_test(
    path: str | Path | Source, *, format: str | None = None, split: str | None = None
) -> Test:
    """Read a test, or one split of it, in the format named or in the one that recognises it.

    A file in two languages is two tests, which `open_languages` reads.
    """
    source = path if isinstance(path, Source) else Source(path)
    name, reader = _reader_of(source, format)
    with _naming(name, "read", source.file):
        test = reader.read(source)
    return _selected(_named_in_errors(name, test), split)


def open_languages(
    path: str | Path | Source, *, format: str | None = None, split: str | None = None
) -> list[Test]:
    """The test in a file, or the tests of its languages where it has several."""
    source = path if isinstance(path, Source) else Source(path)
    name, reader = _reader_of(source, format)
    read_languages = hook(reader, "read_languages")
    if read_languages is None:
        return [open_test(source, format=format, split=split)]
    with _naming(name, "read_languages", source.file):
        tests = read_languages(source)
    return [_selected(_named_in_errors(name, test), split) for test in tests]


def _reader_of(source: Source, format: str | None) -> tuple[str, Format]:
    """The format named, or the one that recognises the file, and what it is called."""
    if format is not None:
        name, named = FORMATS.set(format)
        if not reads_tests(named):
            raise UsageError(f"format {format!r} does not hold tests")
        return name.base, named
    for own, one in FORMATS.working():
        if reads_tests(one) and _recognised(own, one, source):
            return own, one
    known = ", ".join(name for name, one in FORMATS.working() if reads_tests(one))
    folders = ", ".join(name for name in FORMATS if FORMATS.entry(name).folders)
    raise unknown(source, "a test of a format", known, folders)


def _selected(test: Test, split: str | None) -> Test:
    return test if split is None else select_split(test, split)


def _named_in_errors(name: str, test: Test) -> Test:
    """The test; where a plug-in reads it, errors in its records name the plug-in."""
    if FORMATS.entry(name).package == "readmark":
        return test

    def stream(report: ReportProblem) -> Iterator[Placed]:
        with _naming(name, "read", test.file):
            yield from test.stream(report)

    return replace(test, stream=stream)


def several_languages(file: str, languages: Sequence[str]) -> UsageError:
    """The error for a file in several languages where one test is expected."""
    folder = folder_of_languages(file)
    count = {2: "two"}.get(len(languages), str(len(languages)))
    return UsageError(
        f"{file} has {count} languages, {' and '.join(languages)}: "
        f"run `readmark.convert({file!r}, {folder!r})` and use "
        + " or ".join(f"{folder}{language}.jsonl" for language in languages)
    )


def folder_of_languages(file: str) -> str:
    """The folder that the tests of a file in several languages go to: book/ for book.brcc."""
    if is_standard(file) or is_pipe(file):
        return "languages/"
    suffixes = Path(file).suffixes
    ending = "".join(suffixes[-2:] if suffixes[-1:] in ([".gz"], [".zst"]) else suffixes[-1:])
    return f"{file.removesuffix(ending)}/" if ending else f"{file}.languages/"


def save_tests(tests: Sequence[Test], path: str | Path, *, format: str) -> list[str]:
    """Write a test, or parallel tests in several languages; what cannot be stored is named."""
    if len(tests) == 1:
        return save_test(tests[0], path, format=format)
    writer = format_named(format)
    if hook(writer, "write_languages") is None:
        raise UsageError(
            f"two tests cannot be written into one file as {format!r}; "
            "only brcc has two languages in a file"
        )
    lost: list[str] = writer.write_languages(tests, Path(path))
    return lost


def open_sitting(path: str | Path, kind: Kind) -> Sitting:
    """Read a sitting: native, or predictions in a dictionary or in rows."""
    source = Source(path)
    for name, one in FORMATS.working(sittings=True):
        if reads_sittings(one) and _recognised(name, one, source):
            with _naming(name, "read_sitting", source.file):
                sitting: Sitting = one.read_sitting(source, kind)
            return sitting
    from readmark.formats.sheets import is_table_name

    known = ", ".join(name for name, one in FORMATS.working(sittings=True) if reads_sittings(one))
    if is_table_name(path):
        known += f"; a table has the columns id and {kind.answer}"
    raise unknown(source, "a sitting of a format", known)


def open_people(path: str | Path, test: Test) -> list[Sitting]:
    """Read the sittings of people: those of a file that holds several, or the one in a file."""
    source = Source(path)
    for name, one in _with_hook("read_people"):
        if _recognised(name, one, source):
            sittings: list[Sitting] = one.read_people(source, test)
            return sittings
    return [open_sitting(path, test.kind)]


def format_for(target: Path, test: Test) -> str:
    """The format that a file's name asks for: JSON Lines are native, JSON is SQuAD's.

    A series in JSON is one of golds. Standard output is native.
    """
    suffix = "".join(suffixes_of(target)[-1:])
    if suffix == ".json" and test.kind.name == "series":
        return "series_gold"
    if suffix == ".json":
        return "squad2" if test.facts.count("unanswerable") else "squad"
    if is_standard(target) or suffix == ".jsonl":
        return "native"
    if suffix in (".brcc", ".conllu", ".parquet"):
        return suffix[1:]
    if suffix in (".csv", ".tsv", ".xlsx"):
        return "table"
    raise UsageError(
        f"{target}: name the format with `format`, or a file that ends in .jsonl, .json, .csv, "
        ".xlsx, .parquet or .brcc"
    )


def save_test(test: Test, path: str | Path, *, format: str | None = None) -> list[str]:
    """Write a test in the format named (native by default); what it cannot hold is named."""
    name, named = FORMATS.set(format or "native")
    if hook(named, "write") is None:
        known = ", ".join(own for own, _ in _with_hook("write"))
        raise UsageError(f"tests cannot be written as {format!r}, only as {known}")
    writer: Format = named
    lost = lost_files(test)
    with _naming(name.base, "write", path):
        return [*lost, *writer.write(test, Path(path))]


# What the public functions take: a test or a sitting, or where to find one.


@runtime_checkable
class AnswerSeries(Protocol):
    """What is used of a pandas ``Series``: answers, with the units' ids as its index."""

    def dropna(self) -> Any:
        """The series without missing values."""


@runtime_checkable
class AnswerFrame(Protocol):
    """What is used of a pandas ``DataFrame``: a column of answers, and ids in one or the index."""

    @property
    def columns(self) -> Any:
        """The names of the columns."""

    def set_index(self, name: str) -> Any:
        """The frame with a column as its index."""


TestInput = Test | str | os.PathLike[str]
"""A test, or the file of one."""
SittingInput = Sitting | str | os.PathLike[str] | Mapping[str, Any] | AnswerSeries | AnswerFrame
"""A sitting, a file of one, a dictionary of answers by id, or a pandas object of answers."""
ANSWER_COLUMNS = ("prediction_text", "prediction", "answer", "text")
"""Columns of a data frame that may hold the answers, besides the kind's own member."""


def load(path: str | Path, *, format: str | None = None, split: str | None = None) -> Test:
    """Read a test in any registered format, found by its content unless it is named.

    ``split`` selects one split, which is a test of its own.
    """
    return open_test(path, format=format, split=split)


def save(test: TestInput, path: str | Path, *, format: str | None = None) -> list[str]:
    """Write a test in the format named, or that the file's name asks for.

    A name in .jsonl asks for the native format, one in .json for SQuAD's. What the format
    cannot hold comes back, one per line.
    """
    saved = as_test(test)
    return save_test(saved, path, format=format or format_for(Path(path), saved))


def as_test(test: TestInput) -> Test:
    """The test itself, read where a path is given."""
    return test if isinstance(test, Test) else open_test(os.fspath(test))


def as_sitting(sitting: SittingInput, kind: Kind) -> Sitting:
    """The sitting itself, read where a path is given, or made of answers by id."""
    if isinstance(sitting, Sitting):
        return sitting
    if isinstance(sitting, (str, os.PathLike)):
        return open_sitting(os.fspath(sitting), kind)
    from readmark.formats.predictions import PREDICTIONS

    answers = sitting if isinstance(sitting, Mapping) else _answers_of_frame(sitting, kind)
    return PREDICTIONS.sitting(answers, kind, file="<answers>", candidate="answers")


def as_people(sittings: Sequence[SittingInput], test: Test) -> list[Sitting]:
    """The sittings of people; a file may hold those of several."""
    people: list[Sitting] = []
    for sitting in sittings:
        if isinstance(sitting, (str, os.PathLike)):
            people += open_people(os.fspath(sitting), test)
        else:
            people.append(as_sitting(sitting, test.kind))
    return people


def _answers_of_frame(frame: AnswerSeries | AnswerFrame, kind: Kind) -> dict[str, Any]:
    """Answers by id of a pandas object; a missing value is no answer."""
    column: Any = frame
    if isinstance(frame, AnswerFrame):
        names = list(frame.columns)
        known = dict.fromkeys((kind.answer, *ANSWER_COLUMNS))
        name = next((one for one in known if one in names), None)
        if name is None:
            raise UsageError(f"the data frame has no column of answers: {' or '.join(known)}")
        column = (frame.set_index("id") if "id" in names else frame)[name]  # type: ignore[index]
    if not isinstance(column, AnswerSeries):
        raise UsageError(
            "a sitting is a file, a dictionary, a Sitting, or a pandas Series or DataFrame, "
            f"not {type(frame).__name__}"
        )
    answers: dict[str, Any] = {}
    for id, answer in column.dropna().items():
        if str(id) in answers:
            raise DataError("the id occurs twice among the answers", file="<answers>", where=id)
        answers[str(id)] = answer
    return answers
