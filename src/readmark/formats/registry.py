"""The formats that tests and sittings come in: found by content, or asked for by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

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


def format_named(name: str) -> Any:
    """The format of a name such as ``brcc(notation=brackets)``."""
    _, format = FORMATS.set(name)
    return format


def open_test(
    path: str | Path | Source, *, format: str | None = None, split: str | None = None
) -> Test:
    """Read a test, or one split of it, in the format named or in the one that recognises it.

    A file in two languages is two tests, which `open_languages` reads.
    """
    source = path if isinstance(path, Source) else Source(path)
    name, reader = _reader_of(source, format)
    with _naming_plugin(name, "read", source.file):
        test = reader.read(source)
    return _selected(_with_named_errors(name, test), split)


def open_languages(
    path: str | Path | Source, *, format: str | None = None, split: str | None = None
) -> list[Test]:
    """The test in a file, or the tests of its languages where it has several."""
    source = path if isinstance(path, Source) else Source(path)
    name, reader = _reader_of(source, format)
    read_languages = hook(reader, "read_languages")
    if read_languages is None:
        return [open_test(source, format=format, split=split)]
    with _naming_plugin(name, "read_languages", source.file):
        tests = read_languages(source)
    return [_selected(_with_named_errors(name, test), split) for test in tests]


def _reader_of(source: Source, format: str | None) -> tuple[str, Format]:
    """The format named, or the one that recognises the file, and what it is called."""
    if format is not None:
        parsed, reader = FORMATS.set(format)
        if not reads_tests(reader):
            raise UsageError(f"format {format!r} does not hold tests")
        return parsed.base, reader
    for name, reader in FORMATS.working():
        if reads_tests(reader) and _recognises(name, reader, source):
            return name, reader
    known = ", ".join(name for name, reader in FORMATS.working() if reads_tests(reader))
    folders = ", ".join(name for name in FORMATS if FORMATS.entry(name).folders)
    if _holds_answers(source):
        raise DataError("holds answers and is no test; the test comes first", file=source.file)
    error = unknown(source, "a test of a format", known, folders)
    if _has_rows(source):
        hint = "if a member is the question under another name, say so with `map`: COLUMN=question"
        raise DataError(f"{error.message}; {hint}", file=error.file, where=error.where)
    raise error


def _holds_answers(source: Source) -> bool:
    """Whether a file is a sitting; a dictionary of predictions has a text for every id."""
    if source.folder is not None:
        return False
    for name, reader in FORMATS.working(sittings=True):
        if reads_sittings(reader) and _recognises(name, reader, source):
            document = source.document
            return not isinstance(document, dict) or all(
                isinstance(value, str) and not id.startswith("@") for id, value in document.items()
            )
    return False


def _has_rows(source: Source) -> bool:
    """Whether a file is objects in JSON Lines, or in a JSON array."""
    if source.folder is not None or not source.looks_json or source.readmark_file is not None:
        return False
    if isinstance(source.first_line, dict):
        return True
    document = source.document
    return isinstance(document, list) and bool(document) and isinstance(document[0], dict)


def _recognises(name: str, format: Any, source: Source) -> bool:
    with _naming_plugin(name, "recognises", source.file):
        return bool(format.recognises(source))


def _selected(test: Test, split: str | None) -> Test:
    return test if split is None else select_split(test, split)


@contextmanager
def _naming_plugin(name: str, member: str, file: object) -> Iterator[None]:
    """A plug-in's format that fails is one line that names it; other errors pass."""
    try:
        yield
    except (ReadmarkError, OSError):
        raise
    except Exception as error:
        package = FORMATS.entry(name).package
        if package == "readmark":
            raise
        message = f"format {name} of package {package} failed in {member}: {error_line(error)}"
        raise DataError(message, file=file) from error


def _with_named_errors(name: str, test: Test) -> Test:
    """The test; where a plug-in reads it, errors in its records name the plug-in."""
    if FORMATS.entry(name).package == "readmark":
        return test

    def stream(report: ReportProblem) -> Iterator[Placed]:
        with _naming_plugin(name, "read", test.file):
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
    parsed, writer = FORMATS.set(format or "native")
    if hook(writer, "write") is None:
        known = ", ".join(
            name for name, other in FORMATS.working() if hook(other, "write") is not None
        )
        raise UsageError(f"tests cannot be written as {format!r}, only as {known}")
    lost = lost_files(test)
    with _naming_plugin(parsed.base, "write", path):
        return [*lost, *writer.write(test, Path(path))]


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
    for name, reader in FORMATS.working(sittings=True):
        if reads_sittings(reader) and _recognises(name, reader, source):
            with _naming_plugin(name, "read_sitting", source.file):
                sitting: Sitting = reader.read_sitting(source, kind)
            return sitting
    from readmark.formats.sheets import is_table_name

    known = ", ".join(
        name for name, reader in FORMATS.working(sittings=True) if reads_sittings(reader)
    )
    if is_table_name(path):
        known += f"; a table has the columns id and {kind.answer}"
    raise unknown(source, "a sitting of a format", known)


def open_people(path: str | Path, test: Test) -> list[Sitting]:
    """Read the sittings of people: those of a file that holds several, or the one in a file."""
    source = Source(path)
    for name, reader in FORMATS.working():
        if hook(reader, "read_people") is not None and _recognises(name, reader, source):
            sittings: list[Sitting] = reader.read_people(source, test)
            return sittings
    return [open_sitting(path, test.kind)]
