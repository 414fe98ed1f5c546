"""Files as annotators: who they are, and what each has labelled and answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from readmark.core.errors import DataError, UsageError
from readmark.core.json_lines import read_header
from readmark.core.kinds import KINDS, kind_named
from readmark.core.record_members import text_of
from readmark.core.records import AS_WRITTEN, Answer, Unit, annotator_names
from readmark.core.sitting import SittingHeader
from readmark.core.source import Source
from readmark.core.test import Test
from readmark.formats.label_sheets import PEOPLE, read_labels, spell
from readmark.formats.people_names import person_by_file, require_name
from readmark.formats.registry import (
    FORMATS,
    format_named,
    open_languages,
    open_sitting,
    open_test,
    reads_tests,
)
from readmark.formats.sheets import is_rows, is_table
from readmark.hooks import Kind
from readmark.making.agreement.values import (
    Annotator,
    Labels,
    require_distinct,
    require_same_paper,
    require_same_texts,
)
from readmark.making.gold_sheet import is_gold_sheet, read_gold_sheet
from readmark.tasks import Asserted, open_task


def _of_labels(source: Source, name: str) -> list[Annotator]:
    """The people of a file of labels; ``name`` is whose it is where the file names nobody."""
    sheet = read_labels(source.file)
    return [
        Annotator(
            person or name,
            source.file,
            labels=labels,
            fields=tuple(sheet.fields),
            groups=sheet.groups,
        )
        for person, labels in sheet.people.items()
    ]


KEYED = ("level", "type", "difficulty")
RATING, REWRITE = "rating", "rewrite"
LABELS = "_labels"
"""How a field of a key ends that has a label of each person, such as ``level_labels``."""


def files_by_language(paths: Sequence[str], *, format: str | None = None) -> dict[str, list[str]]:
    """The files of each language where they are tests in several; nothing where they are not.

    A file that is in two languages is among those of both.
    """
    languages: dict[str, list[str]] = {}
    for path in paths:
        source = Source(path)
        if not _is_annotated_test(source, format):
            return {}
        for test in open_languages(source, format=_fitting(source, format)):
            languages.setdefault(test.language, []).append(path)
    return languages if len(languages) > 1 else {}


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


def open_annotators(
    paths: Sequence[str],
    *,
    names: Sequence[str] = (),
    format: str | None = None,
    split: str | None = None,
    language: str | None = None,
) -> list[Annotator]:
    """The annotators of the files; one file may be several people's.

    Two of one name, one alone, and work on another text or paper are refused. Of a file in two
    languages, ``language`` is the one whose test is read.
    """
    if format is not None:
        format_named(format)  # an unknown one is refused even where no file would ask for it
    found = _of_files(paths, format, split, language)
    first = found[0][0]
    if len(paths) == 1 and len(found[0]) == 1 and first.test and not first.statements:
        found = [people_of(first.test)]
    people = [annotator for annotators in found for annotator in annotators]
    if names:
        people = _named(people, names)
    require_distinct(people)
    if len(people) < 2:
        whose = f" ({people[0].name!r})" if people else ""
        raise UsageError(f"agreement needs two annotators; found one{whose} in {paths[0]}")
    require_same_texts(people)
    require_same_paper(people)
    return people


def annotators_in(path: str, *, language: str | None = None) -> list[Annotator]:
    """The people of one file, who may be one person: labels, a sitting, or a test.

    In a test they are those whose labels or answers the key names, else the file's own.
    ``language`` is that of the test to read in a file in two.
    """
    found = _of_file(path, None, None, language, alone=True)
    test = found[0].test if len(found) == 1 else None
    people = [] if test is None else people_of(test)
    return people if any(person.labels for person in people) else found


def _of_files(
    paths: Sequence[str], format: str | None, split: str | None, language: str | None
) -> list[list[Annotator]]:
    """The annotators of each file; predictions name no kind and have that of the tests."""
    bare = {path for path in paths if format is None and _is_predictions(Source(path))}
    alone = len(paths) == 1
    found = {
        path: _of_file(path, format, split, language, alone=alone)
        for path in paths
        if path not in bare
    }
    tests = [own.test for annotators in found.values() for own in annotators if own.test]
    kind = tests[0].kind.name if tests else "comprehension"
    found |= {path: [_of_sitting(Source(path), person_by_file(path), kind)] for path in bare}
    return [found[path] for path in paths]


def _is_predictions(source: Source) -> bool:
    """Whether a file is answers without a header."""
    if source.folder is not None or source.readmark_file is not None:
        return False
    return not is_table(source) and not is_rows(source, "id") and _is_sitting(source)


def _named(people: list[Annotator], names: Sequence[str]) -> list[Annotator]:
    if len(names) != len(people):
        found = ", ".join(annotator.name for annotator in people)
        raise UsageError(f"--names has {len(names)}; there are {len(people)} annotators: {found}")
    return [
        replace(person, name=require_name(name, "annotator"))
        for person, name in zip(people, names, strict=True)
    ]


def _of_file(
    path: str,
    format: str | None,
    split: str | None,
    language: str | None,
    *,
    alone: bool = False,
) -> list[Annotator]:
    source = Source(path)
    name = person_by_file(source.path)
    if source.folder is None:
        if is_gold_sheet(source):
            return _of_gold_sheet(source, name)
        # A format is the tests'; a table of labels may be given with them.
        if is_table(source) or (format is None and is_rows(source, "id")):
            return _of_labels(source, name)
        if format is None and _is_sitting(source):
            return [_of_sitting(source, name)]
    elif format in (None, "task") and format_named("task").recognises(source):
        return _of_task(path, name, split, alone=alone)
    fitting = _fitting(source, format)
    if language is None:
        return [_of_test(open_test(source, format=fitting, split=split), name)]
    tests = open_languages(source, format=fitting, split=split)
    return [_of_test(next(test for test in tests if test.language == language), name)]


def _is_annotated_test(source: Source, format: str | None) -> bool:
    """Whether `_of_file` reads a file as a test and not as a task, labels or a sitting."""
    if source.folder is not None and format in (None, "task"):
        return not format_named("task").recognises(source)
    if is_gold_sheet(source) or is_table(source):
        return False
    return format is not None or not (is_rows(source, "id") or _is_sitting(source))


def _fitting(source: Source, format: str | None) -> str | None:
    """The format asked for, but for a file that is plainly of another: annotators differ."""
    if format is None or format_named(format).recognises(source):
        return format
    return None if _is_test(source) else format


def _is_test(source: Source) -> bool:
    tests = (format for _, format in FORMATS.working() if reads_tests(format))
    return any(test.recognises(source) for test in tests)


def _of_gold_sheet(source: Source, name: str) -> list[Annotator]:
    """The people whose golds of series are in a sheet."""
    people: dict[str, dict[str, tuple[str, ...]]] = {}
    groups: dict[str, str] = {}
    for row in read_gold_sheet(source.file):
        groups[row.id] = row.target or row.id
        if row.golds:
            people.setdefault(row.person or name, {})[row.id] = row.golds
    if not people:
        raise DataError("has no golds", file=source.file)
    return [
        Annotator(person, source.file, rewrites=golds, groups=groups)
        for person, golds in people.items()
    ]


def _is_sitting(source: Source) -> bool:
    if source.readmark_file is not None:
        return source.readmark_file == "sitting"
    if _is_test(source):
        return False
    return bool(FORMATS.load("predictions").recognises(source))


def _of_sitting(source: Source, name: str, called: str = "comprehension") -> Annotator:
    """The work in a sitting; ``called`` is the kind of one that names none."""
    header = SittingHeader()
    if source.readmark_file == "sitting":
        header = read_header(source.file, SittingHeader)
    if (header.kind or called) not in KINDS:
        raise DataError(f"kind {header.kind!r} is unknown", file=source.file, where=1)
    kind = kind_named(header.kind or called)
    sitting = open_sitting(source.file, kind)
    labels: Labels = {}
    given: dict[str, Sequence[Any]] = {}
    for id in sitting:
        row = sitting.of(id)[0]
        if not row.answered:
            continue
        if kind.answer == RATING:
            labels[id] = {RATING: spell(row.answer) or ""}
        else:
            given[id] = (kind.read_answer(row),)
    answers = _first(given)
    if not labels and not answers:
        raise DataError("has no answers", file=source.file)
    return Annotator(
        name,
        source.file,
        labels=labels,
        fields=(RATING,) if labels else (),
        answers=answers,
        rewrites=_rewrites(kind, {id: (answer,) for id, answer in answers.items()}),
        paper=header.paper,
    )


def _of_test(test: Test, name: str) -> Annotator:
    records = {record.id: record for record in test.records()}
    if not records:
        raise DataError("the test has no records", file=test.file)
    labels: Labels = {}
    fields: dict[str, None] = {}
    golds: dict[str, Sequence[Answer]] = {}
    groups: dict[str, str] = {}
    for record in records.values():
        for unit in test.kind.units(record):
            groups[unit.id] = record.id
            people = test.kind.references(unit)
            own, keyed = _unit_labels(unit)
            if people and test.kind.answer == RATING:
                own[RATING] = spell(people[0][0].rating) or ""
                keyed.append(RATING)
            elif people:
                golds[unit.id] = people[0]
            labels[unit.id] = own
            fields.update(dict.fromkeys(keyed))
        own, keyed = _record_labels(record)
        labels.setdefault(record.id, own)
        groups.setdefault(record.id, record.id)
        fields.update(dict.fromkeys(keyed))
    return Annotator(
        name=name,
        file=test.file,
        records=records,
        labels=labels,
        fields=tuple(fields),
        answers=_first(golds),
        rewrites=_rewrites(test.kind, golds),
        groups=groups,
        passages=_passages(records),
        test=test,
    )


def _of_task(path: str, name: str, split: str | None, *, alone: bool) -> list[Annotator]:
    """A task as one annotator's work; where it is ``alone``, the people who signed statements.

    Statements that nobody signed are everybody's, so they are not compared.
    """
    package, test = open_task(path), open_test(path, split=split)
    found: dict[str | None, dict[str, list[Asserted]]] = {}
    for asserted in package.asserted():
        if split in (None, package.splits.get(asserted.graph)):
            own = found.setdefault(asserted.annotator, {})
            own.setdefault(asserted.graph, []).append(asserted)
    signed = [person for person in found if person is not None]
    if len(signed) < 2:
        whole: dict[str, list[Asserted]] = {}
        for statements in found.values():
            for id, asserted_here in statements.items():
                whole.setdefault(id, []).extend(asserted_here)
        return [replace(_of_test(test, name), statements=whole)]
    if not alone:
        return [_of_test(test, name)]
    records = {record.id: record for record in test.records()}
    return [
        Annotator(
            person,
            test.file,
            records=records,
            passages=_passages(records),
            statements=found[person],
            unsigned=sum(map(len, found.get(None, {}).values())),
        )
        for person in signed
    ]


def _unit_labels(unit: Unit) -> tuple[dict[str, str], list[str]]:
    """A unit's own labels, and which of them are in its key."""
    found = _spelt(unit.item.fields)
    key = unit.key
    if key is None:
        return found, []
    keyed = _spelt(key.fields)
    for name in KEYED:
        if spelt := spell(getattr(key, name, None)):
            keyed[name] = spelt
    unanswerable = getattr(key, "unanswerable", None)  # not every kind's key says it
    if unanswerable is not None:
        (keyed if unanswerable else found)["unanswerable"] = "yes" if unanswerable else "no"
    return {**found, **keyed}, list(keyed)


def _record_labels(record: Any) -> tuple[dict[str, str], list[str]]:
    found = _spelt(record.fields)
    for name in ("genre", "topic"):
        if spelt := spell(getattr(record, name, None)):
            found[name] = spelt
    keyed = _spelt(record.key.fields) if record.key is not None else {}
    return {**found, **keyed}, list(keyed)


def _spelt(fields: dict[str, Any]) -> dict[str, str]:
    return {
        name: spelt
        for name, value in fields.items()
        if name != AS_WRITTEN and (spelt := spell(value)) is not None
    }


def _first(golds: Mapping[str, Sequence[Any]]) -> dict[str, Answer]:
    """A person's first answers; the answers to a query are words without a place, in any order."""
    return {
        id: own[0]
        if isinstance(own[0], Answer)
        else Answer(text="; ".join(sorted(own[0].text.split("; "))))
        for id, own in golds.items()
    }


def people_of(test: Test) -> list[Annotator]:
    """The people whose work is in one test's key; unnamed ones by the order of answers.

    That is answers, ratings, and labels that name their person, as ``set levels`` stores them. All
    else in the file is of one hand, so it cannot be compared.
    """
    records = {record.id: record for record in test.records()}
    labels: dict[str, Labels] = {}
    golds: dict[str, dict[str, Sequence[Answer]]] = {}
    groups = {}
    for record in records.values():
        for unit in test.kind.units(record):
            groups[unit.id] = record.id
            references = test.kind.references(unit)
            for name, person in zip(annotator_names(references), references, strict=True):
                if test.kind.answer == RATING:
                    rating = spell(person[0].rating) or ""
                    labels.setdefault(name, {})[unit.id] = {RATING: rating}
                else:
                    golds.setdefault(name, {})[unit.id] = person
            for name, field, label in signed_labels(unit):
                labels.setdefault(name, {}).setdefault(unit.id, {})[field] = label
    return [
        Annotator(
            name,
            test.file,
            labels=labels.get(name, {}),
            fields=tuple(
                dict.fromkeys(field for own in labels.get(name, {}).values() for field in own)
            ),
            answers=_first(golds.get(name, {})),
            rewrites=_rewrites(test.kind, golds.get(name, {})),
            groups=groups,
            passages=_passages(records),
        )
        for name in {**golds, **labels}
    ]


def signed_labels(unit: Unit) -> Iterator[tuple[str, str, str]]:
    """People's labels in a field such as ``level_labels``: the person, the field, the label."""
    for name, value in (unit.key.fields if unit.key is not None else {}).items():
        field = name.removesuffix(LABELS)
        if field == name or not isinstance(value, list):
            continue
        for entry in value:
            if isinstance(entry, dict):
                person = next((entry[who] for who in PEOPLE if entry.get(who)), None)
                if isinstance(person, str) and (label := spell(entry.get(field))):
                    yield person, field, label


def _rewrites(kind: Kind, golds: Mapping[str, Sequence[Answer]]) -> dict[str, tuple[str, ...]]:
    """All rewrites of a person by question, for kinds whose answers are rewrites."""
    if kind.answer != REWRITE:
        return {}
    return {id: tuple(answer.text for answer in own) for id, own in golds.items()}


def _passages(records: dict[str, Any]) -> dict[str, str]:
    texts = {id: text_of(record) for id, record in records.items()}
    return {id: text for id, text in texts.items() if text is not None}
