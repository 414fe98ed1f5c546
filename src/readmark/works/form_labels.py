"""The labels that people give in the forms of the work ``form``: as sheets, and in a test's key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from readmark.formats.label_sheets import spell
from readmark.formats.sheets import write_sheet
from readmark.works.configuration import Configuration
from readmark.works.field_values import value_of
from readmark.works.form_options import FormUnit, form_of, form_options, units_of
from readmark.works.forms import NOTE, entries_of, fields_of
from readmark.works.notes import note_of
from readmark.works.people_files import save_records
from readmark.works.units import (
    keyed_record,
    label_members,
    paper_record,
    units_in,
    with_item,
    with_labels,
)
from readmark.works.work import Objects, ProjectWork, WorkItem

PERSON = "person"
COLUMNS = ("id", "passage", "text", NOTE, PERSON)
"""What a sheet of labels says besides labels, so no field can be called so."""

Labels = dict[str, str]
"""A label by field, as cells have them."""


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
    declared, forms = fields_of(configuration, entry), dict(entries_of(objects, entry))
    labels_of_units = {}
    for unit in units_of(item, configuration):
        fields = forms.get(unit.object, {})
        if is_done or any(spell(fields.get(name)) for name in declared):
            fields = with_flags(fields, configuration)
        labels = {name: label for name in declared if (label := spell(fields.get(name)))}
        if labels:
            labels_of_units[unit.id] = labels
    return labels_of_units


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
    project: ProjectWork, labels_of_units: Mapping[str, Mapping[str, Labels]], path: Path
) -> list[Path]:
    """Write the test with labels in its key: everybody's, and the one where all agree.

    ``labels_of_units`` has the labels of each person by what they are about.
    """
    records = []
    for item in project.items:
        record = keyed_record(item)
        for id, holder in holders_in(item, record, project.configuration).items():
            labels = _key_fields(labels_of_units.get(id, {}), project.configuration)
            if labels:
                record = with_item(record, holder, _labelled(holder, labels))
        records.append(record)
    return save_records(project.header, records, path)


def holders_in(item: WorkItem, record: Any, configuration: Configuration) -> dict[str, Any]:
    """What holds the labels of an item, by its id: the record, or what its units ask."""
    if form_options(configuration).about == "passage":
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


def _key_fields(
    labels_of_people: Mapping[str, Labels], configuration: Configuration
) -> dict[str, Any]:
    """Labels under their names in a key: ``NAME`` where all agree, ``NAME_labels`` with each."""
    output = form_options(configuration).output
    members: dict[str, Any] = {}
    for name, field in fields_of(configuration, form_of(configuration)).items():
        by_person = {
            person: labels[name] for person, labels in labels_of_people.items() if name in labels
        }
        key = output.get(name, name)
        if len(set(by_person.values())) == 1:
            members[key] = value_of(field, next(iter(by_person.values())))
        if by_person:
            members[f"{key}_labels"] = [
                {PERSON: person, key: label} for person, label in by_person.items()
            ]
    return members


def labels_in_key(item: WorkItem, unit: FormUnit, configuration: Configuration) -> Labels:
    """The labels that the key of a practice or qualifying item has."""
    output = form_options(configuration).output
    holder = holders_in(item, keyed_record(item), configuration)[unit.id]
    if holder.key is None:
        return {}
    members, labels = label_members(holder), {}
    for name in fields_of(configuration, form_of(configuration)):
        key = output.get(name, name)
        value = getattr(holder.key, key) if key in members else holder.key.fields.get(key)
        if (label := spell(value)) is not None:
            labels[name] = label
    return labels
