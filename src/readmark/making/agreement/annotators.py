"""Files as annotators: who they are. One file may be several people's, or in several languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from readmark.core.errors import UsageError
from readmark.core.source import Source
from readmark.formats.people_names import person_by_file, require_name
from readmark.formats.registry import (
    FORMATS,
    format_named,
    open_languages,
    open_test,
    reads_tests,
)
from readmark.formats.sheets import is_rows, is_table
from readmark.making.agreement.annotator import (
    Annotator,
    require_distinct,
    require_same_paper,
    require_same_texts,
)
from readmark.making.agreement.annotator_files import (
    annotator_of_sitting,
    annotator_of_test,
    annotators_in_key,
    annotators_of_gold_sheet,
    annotators_of_labels,
    annotators_of_task,
)
from readmark.making.gold_sheet import is_gold_sheet


def annotators_by_language(
    paths: Sequence[str],
    *,
    names: Sequence[str] = (),
    format: str | None = None,
    split: str | None = None,
) -> dict[str, list[Annotator]]:
    """The annotators of each language where the files are tests in several, else all under ""."""
    languages = files_by_language(paths, format=format)
    for language, files in languages.items():
        if len(files) == 1 and any(len(others) > 1 for others in languages.values()):
            raise UsageError(
                f"agreement needs two annotators in each language; only {files[0]} is in {language}"
            )
    how: dict[str, Any] = {"names": names, "format": format, "split": split}
    if not languages:
        return {"": open_annotators(paths, **how)}
    return {
        language: open_annotators(files, language=language, **how)
        for language, files in languages.items()
    }


def files_by_language(paths: Sequence[str], *, format: str | None = None) -> dict[str, list[str]]:
    """The files of each language where they are tests in several; nothing where they are not.

    A file that is in two languages is among those of both.
    """
    languages: dict[str, list[str]] = {}
    for path in paths:
        source = Source(path)
        if not _is_annotated_test(source, format):
            return {}
        for test in open_languages(source, format=_fitting_format(source, format)):
            languages.setdefault(test.language, []).append(path)
    return languages if len(languages) > 1 else {}


def open_annotators(
    paths: Sequence[str],
    *,
    names: Sequence[str] = (),
    format: str | None = None,
    split: str | None = None,
    language: str | None = None,
) -> list[Annotator]:
    """The annotators of the files; one file may be several people's.

    Refused are two people of one name, a single person, and work on another text or paper.
    ``language`` says which test to read in a file in two languages.
    """
    if format is not None:
        format_named(format)  # an unknown one is refused even where no file would ask for it
    by_file = _annotators_of_files(paths, format, split, language)
    first = by_file[0][0]
    if len(paths) == 1 and len(by_file[0]) == 1 and first.test and not first.statements:
        by_file = [annotators_in_key(first.test)]
    people = [annotator for annotators in by_file for annotator in annotators]
    if names:
        if len(names) != len(people):
            listed = ", ".join(annotator.name for annotator in people)
            raise UsageError(
                f"--names has {len(names)}; there are {len(people)} annotators: {listed}"
            )
        people = [
            replace(person, name=require_name(name, "annotator"))
            for person, name in zip(people, names, strict=True)
        ]
    require_distinct(people)
    if len(people) < 2:
        name = f" ({people[0].name!r})" if people else ""
        raise UsageError(f"agreement needs two annotators; found one{name} in {paths[0]}")
    require_same_texts(people)
    require_same_paper(people)
    return people


def annotators_in(path: str, *, language: str | None = None) -> list[Annotator]:
    """The people of one file, who may be one person: labels, a sitting, or a test.

    In a test they are those whose labels or answers the key names, else the file's own.
    ``language`` is that of the test to read in a file in two.
    """
    of_file = _annotators_of_file(path, None, None, language, is_only_file=True)
    test = of_file[0].test if len(of_file) == 1 else None
    in_key = [] if test is None else annotators_in_key(test)
    return in_key if any(person.labels for person in in_key) else of_file


def _annotators_of_files(
    paths: Sequence[str], format: str | None, split: str | None, language: str | None
) -> list[list[Annotator]]:
    """The annotators of each file; predictions name no kind and have that of the tests."""
    predictions = {path for path in paths if format is None and _is_predictions(Source(path))}
    is_only_file = len(paths) == 1
    by_file = {
        path: _annotators_of_file(path, format, split, language, is_only_file=is_only_file)
        for path in paths
        if path not in predictions
    }
    tests = [person.test for people in by_file.values() for person in people if person.test]
    kind = tests[0].kind.name if tests else "comprehension"
    for path in predictions:
        by_file[path] = [annotator_of_sitting(Source(path), person_by_file(path), kind)]
    return [by_file[path] for path in paths]


def _annotators_of_file(
    path: str,
    format: str | None,
    split: str | None,
    language: str | None,
    *,
    is_only_file: bool,
) -> list[Annotator]:
    source = Source(path)
    name = person_by_file(source.path)
    if source.folder is None:
        if is_gold_sheet(source):
            return annotators_of_gold_sheet(source, name)
        # A format is the tests'; a table of labels may be given with them.
        if is_table(source) or (format is None and is_rows(source, "id")):
            return annotators_of_labels(source, name)
        if format is None and _is_sitting(source):
            return [annotator_of_sitting(source, name)]
    elif format in (None, "task") and format_named("task").recognises(source):
        return annotators_of_task(path, name, split, is_only_file=is_only_file)
    fitting = _fitting_format(source, format)
    if language is None:
        return [annotator_of_test(open_test(source, format=fitting, split=split), name)]
    tests = open_languages(source, format=fitting, split=split)
    test = next(test for test in tests if test.language == language)
    return [annotator_of_test(test, name)]


def _is_annotated_test(source: Source, format: str | None) -> bool:
    """Whether `_annotators_of_file` reads a test here, and no task, labels or sitting."""
    if source.folder is not None and format in (None, "task"):
        return not format_named("task").recognises(source)
    if is_gold_sheet(source) or is_table(source):
        return False
    return format is not None or not (is_rows(source, "id") or _is_sitting(source))


def _fitting_format(source: Source, format: str | None) -> str | None:
    """The format asked for, unless the file is plainly of another: annotators differ."""
    if format is None or format_named(format).recognises(source):
        return format
    return None if _is_test(source) else format


def _is_test(source: Source) -> bool:
    formats = (format for _, format in FORMATS.working() if reads_tests(format))
    return any(format.recognises(source) for format in formats)


def _is_sitting(source: Source) -> bool:
    if source.readmark_file is not None:
        return source.readmark_file == "sitting"
    if _is_test(source):
        return False
    return bool(FORMATS.load("predictions").recognises(source))


def _is_predictions(source: Source) -> bool:
    """Whether a file is answers without a header."""
    if source.folder is not None or source.readmark_file is not None:
        return False
    return not is_table(source) and not is_rows(source, "id") and _is_sitting(source)
