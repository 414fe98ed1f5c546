"""The work ``form``: a form on each passage or question of a test of any kind, in a file.

It needs no Python. ``[entry.NAME]`` has the fields, and ``[options]`` says what the form is about,
which checks there are, by name, and what becomes of each field in the test (`FormOptions`).
People's labels are sheets that ``readmark set agree`` compares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from readmark.core.errors import DataError, did_you_mean
from readmark.core.json_lines import in_words
from readmark.core.records import Value
from readmark.core.test import Test
from readmark.formats.label_sheets import GROUPS, PEOPLE, read_labels, spell
from readmark.formats.people_names import person_by_file, repeated_name
from readmark.formats.sheets import write_sheet
from readmark.works.configuration import Configuration, EntryField, in_language
from readmark.works.forms import (
    NOTE,
    entries_of,
    fields_of,
    fields_of_labels,
    form_findings,
    is_filled,
    value_of,
)
from readmark.works.marks import Text
from readmark.works.passages import (
    by_item,
    fixed_entry,
    fixed_id,
    named_work,
    note_of,
    only_test,
    people_folder,
    save_records,
    work_on,
)
from readmark.works.units import (
    items_of_any_kind,
    keyed_record,
    label_members,
    paper_record,
    text_view,
    units_in,
    with_item,
    with_labels,
    words_of,
)
from readmark.works.work import ItemView, Objects, ProjectWork, WorkFinding, WorkItem

ALL, MERGED = "labels.csv", "labelled.jsonl"
PERSON = "person"
COLUMNS = ("id", "passage", "text", NOTE, PERSON)
"""What a sheet of labels says besides labels, so no field can be called so."""
SPANS = ("span", "spans")

Labels = dict[str, str]
"""A label by field, as cells have them."""


class FormCheck(Value, frozen=True):
    """A check of one field, by name."""

    check: str
    field: str
    when: dict[str, tuple[str | int | bool, ...]] = {}
    """Values of other fields without which the check does not apply."""
    least: float | None = None
    most: float | None = None
    severity: Literal["error", "warning", "hint"] = "warning"
    message: Text = ""
    """What the page says instead of the check's own words."""


class FormOptions(Value, frozen=True):
    """The ``[options]`` of a project with this work."""

    about: Literal["passage", "question"] = "passage"
    """What each form is about: a record, or a unit of it, whatever the test's kind calls them."""
    checks: tuple[FormCheck, ...] = ()
    output: dict[str, str] = {}
    """The name that a field has in the key of the test; by default its own."""
    compared: tuple[str, ...] = ()
    """The fields that an adjudicator decides on; by default those that are not optional."""


@dataclass(frozen=True)
class FormUnit:
    """What a form of an item is about: the record, or one of its units."""

    object: str
    """The id of the form on the page."""
    id: str
    text: str
    context: str = ""


def form_of(configuration: Configuration) -> str:
    """The name of the project's one form."""
    return next(iter(configuration.entry))


def options_of(configuration: Configuration) -> FormOptions:
    """The project's options."""
    return msgspec.convert(configuration.options, FormOptions)


def units_of(item: WorkItem, configuration: Configuration) -> list[FormUnit]:
    """What an item's forms are about, in order."""
    if options_of(configuration).about == "passage":
        return [FormUnit(fixed_id(1), paper_record(item).id, text_view(item).title)]
    return [
        FormUnit(fixed_id(number), unit.id, *words_of(item, unit))
        for number, unit in enumerate(units_in(item, paper_record(item)), 1)
    ]


def compared_fields(configuration: Configuration) -> dict[str, EntryField]:
    """The fields that make two versions different."""
    declared = fields_of(configuration, form_of(configuration))
    named = options_of(configuration).compared
    return {
        name: field
        for name, field in declared.items()
        if (name in named if named else not field.optional)
    } or declared


# Checks, by their names in the project's file.


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) else None


def _needed(check: FormCheck, value: Any) -> tuple[str, str] | None:
    return None if is_filled(value) else ("needed here", "此处需要填写")


def _between(check: FormCheck, value: Any) -> tuple[str, str] | None:
    number = _number(value)
    if number is None or _is_within(number, check):
        return None
    return _range(check), _range(check)


def _characters(check: FormCheck, value: Any) -> tuple[str, str] | None:
    if not isinstance(value, str) or not value.strip() or _is_within(len(value.strip()), check):
        return None
    return f"{_range(check)} characters", f"{_range(check)} 个字符"


def _is_within(number: float, check: FormCheck) -> bool:
    least, most = check.least, check.most
    return (least is None or number >= least) and (most is None or number <= most)


def _range(check: FormCheck) -> str:
    least, most = check.least, check.most
    if least is None:
        return f"≤ {most:g}"
    return f"≥ {least:g}" if most is None else f"{least:g}–{most:g}"


CHECKS: dict[str, Callable[[FormCheck, Any], tuple[str, str] | None]] = {
    "needed": _needed,
    "between": _between,
    "characters": _characters,
}
"""What is expected of a field whose value is wrong, in English and Chinese, by the check's name."""


# The work.


class FillingForms:
    """People fill in a form on each passage, or on each question of it."""

    def faults(self, configuration: Configuration) -> Iterator[tuple[tuple[str, ...], str]]:
        """More or less than one form, marked spans, and options that name no field or check."""
        if len(configuration.entry) != 1:
            message = (
                f"the work form needs one table [entry.NAME], found {len(configuration.entry)}"
            )
            yield ("entry",), message
            return
        entry = form_of(configuration)
        declared = fields_of(configuration, entry)
        for name, field in declared.items():
            if field.widget in SPANS:
                yield ("entry", entry, "fields", name), f"{name} is a span, expected a label"
            if name in (*COLUMNS, *PEOPLE, *GROUPS):
                message = f"{name} is a column of the sheet of labels: call the field otherwise"
                yield ("entry", entry, "fields", name), message
        try:
            options = options_of(configuration)
        except msgspec.ValidationError as error:
            yield ("options",), in_words(error)
            return
        for check in options.checks:
            if check.check not in CHECKS:
                message = f"no check {check.check!r}; {did_you_mean(check.check, CHECKS)}"
                yield ("options", "checks"), message
            if check.check != "needed" and check.least is None and check.most is None:
                yield ("options", "checks"), f"the check {check.check} needs least or most"
        named = {
            "checks": [name for check in options.checks for name in (check.field, *check.when)],
            "output": list(options.output),
            "compared": list(options.compared),
        }
        for option, names in named.items():
            for name in names:
                if name not in declared:
                    message = f"no field {name!r}; {did_you_mean(name, declared)}"
                    yield ("options", option), message
        for name in configuration.project.agree:
            if name not in declared:
                yield ("project", "agree"), f"no field {name!r}; {did_you_mean(name, declared)}"
        keyed = [options.output.get(name, name) for name in declared]
        if (pair := repeated_name(keyed)) is not None:
            yield ("options", "output"), f"two fields have the name {pair[0]} in the key"

    def divide(
        self, tests: Sequence[Test], configuration: Configuration, *, purpose: str = "work"
    ) -> Iterator[WorkItem]:
        """An item for each passage; where forms are about questions, for each that has any."""
        for item in items_of_any_kind(only_test(tests)):
            if units_of(item, configuration):
                yield item

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """The passage, and the forms to fill in: people add and remove none."""
        entry = form_of(configuration)
        defaults = {
            name: field.default
            for name, field in fields_of(configuration, entry).items()
            if field.default is not None
        }
        forms = {}
        for number, unit in enumerate(units_of(item, configuration), 1):
            form = fixed_entry(entry, number, unit.text, unit.context)
            forms[unit.object] = form | {"fields": dict(defaults)}
        declared = msgspec.structs.replace(configuration.entry[entry], fixed=True)
        fixed = msgspec.structs.replace(configuration, entry={entry: declared})
        return ItemView((text_view(item),), forms, configuration=fixed)

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """What the project's checks say, and fields that are still empty."""
        entry = form_of(configuration)
        entries = entries_of(objects, entry)
        found = []
        for id, fields in entries:
            ticked = with_flags(fields, configuration)
            for check in options_of(configuration).checks:
                if any(ticked.get(name) not in own for name, own in check.when.items()):
                    continue
                if (wrong := CHECKS[check.check](check, fields.get(check.field))) is not None:
                    field = fields_of(configuration, entry)[check.field]
                    en, zh = (label_of(field, check.field, spoken) for spoken in ("en", "zh"))
                    words = {"en": f"{en}: {wrong[0]}", "zh": f"{zh}：{wrong[1]}"}
                    message = check.message or words
                    found.append(WorkFinding(check.check, message, check.severity, id))
        yield from form_findings(found, configuration, entry, entries)

    def grade(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Labels that are not the key's."""
        labels = labels_in(item, objects, configuration, is_done=True)
        for unit in units_of(item, configuration):
            known = _known_labels(item, unit, configuration)
            for name, expected in known.items():
                own = labels.get(unit.id, {}).get(name)
                if own != expected:
                    detail = {"en": f"The key has {expected}.", "zh": f"标准答案是 {expected}。"}
                    message = f"{name}: {own or '–'}"
                    yield WorkFinding(name, message, "error", unit.object, detail)

    def write(self, project: ProjectWork, folder: Path) -> list[Path]:
        """Labels of each person, of all, and the test with everybody's labels in its key."""
        made: list[Path] = []
        rows: list[Labels] = []
        given: dict[str, dict[str, Labels]] = {}
        for person in named_work(project):
            own = []
            for item, objects in work_on(person, project.items):
                is_done = item.name in person.finished
                labels = labels_in(item, objects, project.configuration, is_done=is_done)
                own += label_rows(item, labels, project.configuration, person.person, objects)
                for id, label in labels.items():
                    given.setdefault(id, {})[person.person] = label
            if own:
                path = people_folder(folder) / f"{person.person}.csv"
                made += write_rows(path, project.configuration, own)
                rows += own
        if not rows:
            return []
        made += write_rows(folder / ALL, project.configuration, rows)
        return made + write_labelled(project, given, folder / MERGED)

    def read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, Objects]]:
        """Labels of a table or JSON Lines file: one with ``id`` and a column per field."""
        return by_item(_read(path, items, configuration))


def with_flags(fields: Mapping[str, Any], configuration: Configuration) -> dict[str, Any]:
    """The fields of a form; a flag that nobody has ticked is not set."""
    declared = fields_of(configuration, form_of(configuration))
    flags = [name for name, field in declared.items() if field.widget == "flag"]
    return {**fields, **{name: fields.get(name) is True for name in flags}}


def labels_in(
    item: WorkItem, objects: Objects, configuration: Configuration, *, is_done: bool = False
) -> dict[str, Labels]:
    """The labels that a person gave, by what they are about; a form without any is left out.

    A flag that is not ticked is the label no, in a form with another label and where ``is_done``.
    """
    entry = form_of(configuration)
    declared, given = fields_of(configuration, entry), dict(entries_of(objects, entry))
    found = {}
    for unit in units_of(item, configuration):
        fields = given.get(unit.object, {})
        if is_done or any(spell(fields.get(name)) for name in declared):
            fields = with_flags(fields, configuration)
        labels = {name: label for name in declared if (label := spell(fields.get(name)))}
        if labels:
            found[unit.id] = labels
    return found


def label_rows(
    item: WorkItem,
    labels: Mapping[str, Labels],
    configuration: Configuration,
    person: str,
    objects: Objects | None = None,
) -> list[Labels]:
    """A row for each unit with a label; the note on a passage is in the first."""
    rows: list[Labels] = []
    for unit in units_of(item, configuration):
        if unit.id in labels:
            about = {"id": unit.id, "passage": paper_record(item).id, "text": unit.text}
            note = note_of(objects or {}) if not rows else ""
            rows.append({**labels[unit.id], **about, NOTE: note, PERSON: person})
    return rows


def write_rows(
    path: Path, configuration: Configuration, rows: Iterable[Mapping[str, str]]
) -> list[Path]:
    """Write labels as a sheet that ``set agree`` reads."""
    declared = fields_of(configuration, form_of(configuration))
    columns = ("id", "passage", *declared, "text", NOTE, PERSON)
    write_sheet(path, columns, ([row.get(name, "") for name in columns] for row in rows))
    return [path]


def write_labelled(
    project: ProjectWork, given: Mapping[str, Mapping[str, Labels]], path: Path
) -> list[Path]:
    """Write the test with labels in its key: everybody's, and the one where all agree.

    ``given`` has the labels of each person by what they are about.
    """
    records = []
    for item in project.items:
        record = keyed_record(item)
        for id, holder in holders_in(item, record, project.configuration).items():
            labels = _key_fields(given.get(id, {}), project.configuration)
            if labels:
                record = with_item(record, holder, _labelled(holder, labels))
        records.append(record)
    return save_records(project.header, records, path)


def holders_in(item: WorkItem, record: Any, configuration: Configuration) -> dict[str, Any]:
    """What holds the labels of an item, by its id: the record, or what its units ask."""
    if options_of(configuration).about == "passage":
        return {record.id: record}
    return {unit.id: unit.item for unit in units_in(item, record)}


def _labelled(holder: Any, labels: Mapping[str, Any]) -> Any:
    """A record or unit with labels in its key; those that have a member there are texts.

    A number stays one where the member takes it, as a level does.
    """
    members: dict[str, Any] = {}
    for name, is_number in label_members(holder).items():
        if name in labels:
            label = spell(labels[name]) or ""
            members[name] = int(label) if is_number and label.isdigit() else label
    fields = {name: label for name, label in labels.items() if name not in members}
    return with_labels(holder, fields, members)


def _key_fields(given: Mapping[str, Labels], configuration: Configuration) -> dict[str, Any]:
    """Labels under their names in a key: ``NAME`` where all agree, ``NAME_labels`` with each."""
    output = options_of(configuration).output
    made: dict[str, Any] = {}
    for name, field in fields_of(configuration, form_of(configuration)).items():
        own = {person: labels[name] for person, labels in given.items() if name in labels}
        key = output.get(name, name)
        if len(set(own.values())) == 1:
            made[key] = value_of(field, next(iter(own.values())))
        if own:
            made[f"{key}_labels"] = [{PERSON: who, key: label} for who, label in own.items()]
    return made


def _known_labels(item: WorkItem, unit: FormUnit, configuration: Configuration) -> Labels:
    """The labels that the key of a practice or qualifying item has."""
    output = options_of(configuration).output
    holder = holders_in(item, keyed_record(item), configuration)[unit.id]
    if holder.key is None:
        return {}
    members, found = label_members(holder), {}
    for name in fields_of(configuration, form_of(configuration)):
        known = output.get(name, name)
        value = getattr(holder.key, known) if known in members else holder.key.fields.get(known)
        if (label := spell(value)) is not None:
            found[name] = label
    return found


def _read(
    path: Path, items: Mapping[str, WorkItem], configuration: Configuration
) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    entry = form_of(configuration)
    declared = fields_of(configuration, entry)
    units = {
        unit.id: (item, number, unit)
        for item in items.values()
        for number, unit in enumerate(units_of(item, configuration), 1)
    }
    for person, sheet in read_labels(str(path)).people.items():
        name = person or person_by_file(path)
        for id, labels in sheet.items():
            if id not in units:
                what = options_of(configuration).about
                message = f"the project has no {what} {id!r}; {did_you_mean(id, units)}"
                raise DataError(message, file=path)
            item, number, unit = units[id]
            fields = fields_of_labels(declared, labels, path, id)
            if note := labels.get(NOTE):
                yield name, item.name, NOTE, {"type": NOTE, "value": note}
            if fields:
                form = fixed_entry(entry, number, unit.text, unit.context)
                yield name, item.name, unit.object, form | {"fields": fields}


FORM = FillingForms()


def label_of(field: EntryField, name: str, language: str) -> str:
    """What a page calls a field."""
    return in_language(field.label, language) or name
