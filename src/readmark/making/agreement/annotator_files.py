"""What one file holds of people's work: labels, golds of series, a sitting, a test or a task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from readmark.core.errors import DataError
from readmark.core.json_lines import read_header
from readmark.core.kinds import KINDS, kind_named
from readmark.core.record_members import text_of
from readmark.core.records import AS_WRITTEN, Answer, Unit, annotator_names
from readmark.core.sitting import SittingHeader
from readmark.core.source import Source
from readmark.core.test import Test
from readmark.formats.label_sheets import PEOPLE, read_labels, spell
from readmark.formats.registry import open_sitting, open_test
from readmark.hooks import Kind
from readmark.making.agreement.annotator import Annotator, Labels
from readmark.making.gold_sheet import read_gold_sheet
from readmark.tasks import Asserted, open_task

KEYED = ("level", "type", "difficulty")
"""Members of a question's key that are labels."""
RATING, REWRITE = "rating", "rewrite"
LABELS = "_labels"
"""How a field of a key ends that has a label of each person, such as ``level_labels``."""


def annotators_of_labels(source: Source, name: str) -> list[Annotator]:
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


def annotators_of_gold_sheet(source: Source, name: str) -> list[Annotator]:
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


def annotator_of_sitting(
    source: Source, name: str, default_kind: str = "comprehension"
) -> Annotator:
    """The work in a sitting; ``default_kind`` is that of a sitting without a header."""
    header = SittingHeader()
    if source.readmark_file == "sitting":
        header = read_header(source.file, SittingHeader)
    if (header.kind or default_kind) not in KINDS:
        raise DataError(f"kind {header.kind!r} is unknown", file=source.file, where=1)
    kind = kind_named(header.kind or default_kind)
    sitting = open_sitting(source.file, kind)
    labels: Labels = {}
    references: dict[str, Sequence[Any]] = {}
    for id in sitting:
        row = sitting.of(id)[0]
        if not row.answered:
            continue
        if kind.answer == RATING:
            labels[id] = {RATING: spell(row.answer) or ""}
        else:
            references[id] = (kind.read_answer(row),)
    answers = _first_answers(references)
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


def annotator_of_test(test: Test, name: str) -> Annotator:
    """The work in a test as one person's; of several references, the first."""
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
            references = test.kind.references(unit)
            unit_labels, keyed = _unit_labels(unit)
            if references and test.kind.answer == RATING:
                unit_labels[RATING] = spell(references[0][0].rating) or ""
                keyed.append(RATING)
            elif references:
                golds[unit.id] = references[0]
            labels[unit.id] = unit_labels
            fields.update(dict.fromkeys(keyed))
        record_labels, keyed = _record_labels(record)
        labels.setdefault(record.id, record_labels)
        groups.setdefault(record.id, record.id)
        fields.update(dict.fromkeys(keyed))
    return Annotator(
        name=name,
        file=test.file,
        records=records,
        labels=labels,
        fields=tuple(fields),
        answers=_first_answers(golds),
        rewrites=_rewrites(test.kind, golds),
        groups=groups,
        passages=_passages(records),
        test=test,
    )


def annotators_in_key(test: Test) -> list[Annotator]:
    """The people whose work is in one test's key; unnamed ones by the order of answers.

    That is answers, ratings, and labels that name their person, as ``set levels`` stores them.
    Everything else in the file is by one person, so it cannot be compared.
    """
    records = {record.id: record for record in test.records()}
    labels: dict[str, Labels] = {}
    golds: dict[str, dict[str, Sequence[Answer]]] = {}
    groups = {}
    for record in records.values():
        for unit in test.kind.units(record):
            groups[unit.id] = record.id
            references = test.kind.references(unit)
            for name, reference in zip(annotator_names(references), references, strict=True):
                if test.kind.answer == RATING:
                    rating = spell(reference[0].rating) or ""
                    labels.setdefault(name, {})[unit.id] = {RATING: rating}
                else:
                    golds.setdefault(name, {})[unit.id] = reference
            for name, field, label in signed_labels(unit):
                labels.setdefault(name, {}).setdefault(unit.id, {})[field] = label
    return [
        Annotator(
            name,
            test.file,
            labels=labels.get(name, {}),
            fields=tuple(
                dict.fromkeys(
                    field for by_field in labels.get(name, {}).values() for field in by_field
                )
            ),
            answers=_first_answers(golds.get(name, {})),
            rewrites=_rewrites(test.kind, golds.get(name, {})),
            groups=groups,
            passages=_passages(records),
        )
        for name in {**golds, **labels}
    ]


def annotators_of_task(
    path: str, name: str, split: str | None, *, is_only_file: bool
) -> list[Annotator]:
    """A task as one annotator's work; if it is the only file, the people who signed statements.

    Statements that nobody signed are everybody's, so they are not compared.
    """
    package, test = open_task(path), open_test(path, split=split)
    statements: dict[str | None, dict[str, list[Asserted]]] = {}
    for asserted in package.asserted():
        if split in (None, package.splits.get(asserted.graph)):
            of_person = statements.setdefault(asserted.annotator, {})
            of_person.setdefault(asserted.graph, []).append(asserted)
    people = [person for person in statements if person is not None]
    if len(people) < 2:
        everything: dict[str, list[Asserted]] = {}
        for of_person in statements.values():
            for graph, in_graph in of_person.items():
                everything.setdefault(graph, []).extend(in_graph)
        return [replace(annotator_of_test(test, name), statements=everything)]
    if not is_only_file:
        return [annotator_of_test(test, name)]
    records = {record.id: record for record in test.records()}
    return [
        Annotator(
            person,
            test.file,
            records=records,
            passages=_passages(records),
            statements=statements[person],
            unsigned=sum(map(len, statements.get(None, {}).values())),
        )
        for person in people
    ]


def _unit_labels(unit: Unit) -> tuple[dict[str, str], list[str]]:
    """A unit's own labels, and which of them are in its key."""
    public = _spelt(unit.item.fields)
    key = unit.key
    if key is None:
        return public, []
    keyed = _spelt(key.fields)
    for name in KEYED:
        if label := spell(getattr(key, name, None)):
            keyed[name] = label
    unanswerable = getattr(key, "unanswerable", None)  # not every kind's key says it
    if unanswerable:
        keyed["unanswerable"] = "yes"
    elif unanswerable is not None:
        public["unanswerable"] = "no"  # the default: nobody need have thought of it
    return {**public, **keyed}, list(keyed)


def _record_labels(record: Any) -> tuple[dict[str, str], list[str]]:
    public = _spelt(record.fields)
    for name in ("genre", "topic"):
        if label := spell(getattr(record, name, None)):
            public[name] = label
    keyed = _spelt(record.key.fields) if record.key is not None else {}
    return {**public, **keyed}, list(keyed)


def _spelt(fields: dict[str, Any]) -> dict[str, str]:
    return {
        name: label
        for name, value in fields.items()
        if name != AS_WRITTEN and (label := spell(value)) is not None
    }


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


def _first_answers(golds: Mapping[str, Sequence[Any]]) -> dict[str, Answer]:
    """A person's first answers; the answers to a query are words without a place, in any order."""
    return {
        id: references[0]
        if isinstance(references[0], Answer)
        else Answer(text="; ".join(sorted(references[0].text.split("; "))))
        for id, references in golds.items()
    }


def _rewrites(kind: Kind, golds: Mapping[str, Sequence[Answer]]) -> dict[str, tuple[str, ...]]:
    """All rewrites of a person by question, for kinds whose answers are rewrites."""
    if kind.answer != REWRITE:
        return {}
    return {id: tuple(answer.text for answer in answers) for id, answers in golds.items()}


def _passages(records: dict[str, Any]) -> dict[str, str]:
    texts = {id: text_of(record) for id, record in records.items()}
    return {id: text for id, text in texts.items() if text is not None}
