"""The work ``form``: a form on each passage or question of a test of any kind, in a file.

It needs no Python. ``[entry.NAME]`` has the fields, and ``[options]`` says what the form is about,
which checks there are, by name, and what becomes of each field in the test (`FormOptions`).
People's labels are sheets that ``readmark set agree`` compares.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError, did_you_mean
from readmark.core.json_lines import in_words
from readmark.core.test import Test
from readmark.formats.label_sheets import GROUPS, PEOPLE, read_labels
from readmark.formats.people_names import person_by_file, repeated_name
from readmark.works.configuration import Configuration
from readmark.works.field_values import fields_of_labels
from readmark.works.form_labels import (
    COLUMNS,
    Labels,
    label_rows,
    labels_in,
    labels_in_key,
    with_flags,
    write_labelled,
    write_rows,
)
from readmark.works.form_options import CHECKS, form_of, form_options, label_of, units_of
from readmark.works.forms import NOTE, entries_of, fields_of, form_findings
from readmark.works.passages import fixed_entry, only_test
from readmark.works.people_files import by_item, named_work, people_folder, work_on
from readmark.works.units import items_of_any_kind, text_view
from readmark.works.work import ItemView, Objects, ProjectWork, WorkFinding, WorkItem

ALL, MERGED = "labels.csv", "labelled.jsonl"
_SPANS = ("span", "spans")
"""Widgets whose values are places in a text, which no label is."""


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
            if field.widget in _SPANS:
                yield ("entry", entry, "fields", name), f"{name} is a span, expected a label"
            if name in (*COLUMNS, *PEOPLE, *GROUPS):
                message = f"{name} is a column of the sheet of labels: call the field otherwise"
                yield ("entry", entry, "fields", name), message
        try:
            options = form_options(configuration)
        except msgspec.ValidationError as error:
            yield ("options",), in_words(error)
            return
        for check in options.checks:
            if check.check not in CHECKS:
                message = f"no check {check.check!r}; {did_you_mean(check.check, CHECKS)}"
                yield ("options", "checks"), message
            if check.check != "needed" and check.least is None and check.most is None:
                yield ("options", "checks"), f"the check {check.check} needs least or most"
        fields_of_options = {
            "checks": [name for check in options.checks for name in (check.field, *check.when)],
            "output": list(options.output),
            "compared": list(options.compared),
        }
        for option, names in fields_of_options.items():
            for name in names:
                if name not in declared:
                    message = f"no field {name!r}; {did_you_mean(name, declared)}"
                    yield ("options", option), message
        for name in configuration.project.agree:
            if name not in declared:
                yield ("project", "agree"), f"no field {name!r}; {did_you_mean(name, declared)}"
        key_names = [options.output.get(name, name) for name in declared]
        if (pair := repeated_name(key_names)) is not None:
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
        findings = []
        for id, fields in entries:
            values = with_flags(fields, configuration)
            for check in form_options(configuration).checks:
                if any(values.get(name) not in allowed for name, allowed in check.when.items()):
                    continue
                if (expected := CHECKS[check.check](check, fields.get(check.field))) is not None:
                    field = fields_of(configuration, entry)[check.field]
                    en, zh = (label_of(field, check.field, lang) for lang in ("en", "zh"))
                    words = {"en": f"{en}: {expected[0]}", "zh": f"{zh}：{expected[1]}"}
                    message = check.message or words
                    findings.append(WorkFinding(check.check, message, check.severity, id))
        yield from form_findings(findings, configuration, entry, entries)

    def grade(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Labels that are not the key's."""
        labels = labels_in(item, objects, configuration, is_done=True)
        for unit in units_of(item, configuration):
            for name, expected in labels_in_key(item, unit, configuration).items():
                label = labels.get(unit.id, {}).get(name)
                if label != expected:
                    detail = {"en": f"The key has {expected}.", "zh": f"参考答案是 {expected}。"}
                    message = f"{name}: {label or '–'}"
                    yield WorkFinding(name, message, "error", unit.object, detail)

    def write(self, project: ProjectWork, folder: Path) -> list[Path]:
        """Labels of each person, of all, and the test with everybody's labels in its key."""
        files: list[Path] = []
        rows: list[Labels] = []
        labels_of_units: dict[str, dict[str, Labels]] = {}
        for person in named_work(project):
            persons_rows = []
            for item, objects in work_on(person, project.items):
                is_done = item.name in person.finished
                labels = labels_in(item, objects, project.configuration, is_done=is_done)
                persons_rows += label_rows(
                    item, labels, project.configuration, person.person, objects
                )
                for id, of_unit in labels.items():
                    labels_of_units.setdefault(id, {})[person.person] = of_unit
            if persons_rows:
                path = people_folder(folder) / f"{person.person}.csv"
                files += write_rows(path, project.configuration, persons_rows)
                rows += persons_rows
        if not rows:
            return []
        files += write_rows(folder / ALL, project.configuration, rows)
        return files + write_labelled(project, labels_of_units, folder / MERGED)

    def read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, Objects]]:
        """Labels of a table or JSON Lines file: one with ``id`` and a column per field."""
        return by_item(_read(path, items, configuration))


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
                what = form_options(configuration).about
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
