"""Adjudication of the work ``form``: each field that people filled in differently is decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from readmark.formats.label_sheets import spell
from readmark.settling import (
    Disagreement,
    grouped_versions,
    settled_version,
    version_line,
    write_decision_lines,
)
from readmark.works.configuration import Configuration, EntryField, Widget
from readmark.works.decisions import DecisionForms
from readmark.works.disputed_places import DisputedPlace, dispute_item
from readmark.works.field_values import value_of
from readmark.works.form_labels import Labels, label_rows, labels_in, write_labelled, write_rows
from readmark.works.form_options import FormUnit, compared_fields, form_of, label_of, units_of
from readmark.works.forms import fields_of
from readmark.works.passages import language_of_item
from readmark.works.units import paper_record, text_view
from readmark.works.work import ProjectWork, WorkItem

GOLD = "gold.jsonl"
SHEET = "adjudicated.csv"
_OTHER: dict[Widget, Widget] = {
    "choice": "choice",
    "flag": "choice",
    "choices": "choices",
    "number": "number",
}
"""How another version is given, by the widget that people had; all others are texts."""
ADJUDICATED = "adjudicated"
"""Who the labels of a gold are of; the file of decisions says who decided what."""


class FormDecisions(DecisionForms):
    """One label for each field of a form that is not optional, or that the project names."""

    def other_field(self, project: Configuration) -> EntryField:
        """The widget of the compared fields where all have one, each form with its own choices.

        Else it is a text, which must be a value of the field; a flag is a choice of yes and no.
        """
        fields = compared_fields(project).values()
        widgets = {_OTHER.get(field.widget, "text") for field in fields}
        choices = {choice: label for field in fields for choice, label in _choices(field).items()}
        return EntryField(widget=widgets.pop() if len(widgets) == 1 else "text", choices=choices)

    def disputes(self, project: ProjectWork) -> Iterator[WorkItem]:
        """An item for each passage with a field that people filled in differently."""
        fields = compared_fields(project.configuration)
        for item in project.items:
            labels_of_people = _labels_of_people(project, item)
            places = []
            for unit in units_of(item, project.configuration):
                for name, field in fields.items():
                    groups = _versions(labels_of_people, unit, name)
                    if len(groups) > 1:
                        place = _disputed_place(item, unit, name, field, groups)
                        # Of several fields, the page's other version has the choices of all.
                        others = tuple(_choices(field)) if len(fields) > 1 else ()
                        places.append(replace(place, others=others))
            if places:
                seed = project.configuration.project.seed
                yield dispute_item(item.name, (text_view(item),), places, seed)

    def other_version(self, fields: Mapping[str, Any], line: Disagreement) -> str | None:
        """Another label, as cells have it."""
        return spell(super().other_version(fields, line))

    def write(self, project: ProjectWork, decided: ProjectWork, folder: Path) -> list[Path]:
        """The labels as ``adjudicated.csv``, the test with them in its key, and the decisions."""
        lines = {
            item: {line.id: line for line in decisions}
            for item, decisions in self.decided(decided).items()
        }
        rows: list[Labels] = []
        gold: dict[str, dict[str, Labels]] = {}
        for item in project.items:
            labels_of_units = _gold_labels(project, item, lines.get(item.name, {}))
            rows += label_rows(item, labels_of_units, project.configuration, ADJUDICATED)
            gold |= {id: {ADJUDICATED: labels} for id, labels in labels_of_units.items()}
        files = write_rows(folder / SHEET, project.configuration, rows)
        files += write_labelled(project, gold, folder / GOLD)
        decisions = [line for by_id in lines.values() for line in by_id.values()]
        return files + write_decision_lines(folder, project.configuration.project.work, decisions)


def _disputed_place(
    item: WorkItem,
    unit: FormUnit,
    name: str,
    field: EntryField,
    groups: Sequence[tuple[str, Sequence[str]]],
) -> DisputedPlace:
    """A field of a unit that people filled in differently; what most of them gave is suggested."""
    record = paper_record(item).id
    line = version_line(f"{unit.id}/{name}", "label", record, groups, unit=unit.id)
    title = label_of(field, name, language_of_item(item))
    place = DisputedPlace(
        line,
        f"{title}: {unit.text}" if unit.text else title,
        [version for version, _ in groups],
        field=field,
    )
    counts = [len(people) for _, people in groups]
    if counts[0] == counts[1]:
        return place
    shares = " : ".join(map(str, counts))
    reason = {"en": f"Most people ({shares}).", "zh": f"多数意见（{shares}）。"}
    return replace(place, suggested=0, why=reason)


def _choices(field: EntryField) -> dict[str, Any]:
    if field.widget == "flag":
        return {"yes": {"en": "yes", "zh": "是"}, "no": {"en": "no", "zh": "否"}}
    if isinstance(field.choices, dict):
        return dict(field.choices)
    return {str(choice): str(choice) for choice in field.choices}


def _labels_of_people(project: ProjectWork, item: WorkItem) -> list[tuple[str, dict[str, Labels]]]:
    """Who has handed an item in, with all of the labels that each gave."""
    return [
        (
            person.person,
            labels_in(item, person.objects.get(item.name, {}), project.configuration, is_done=True),
        )
        for person in project.finished_by(item.name)
    ]


def _versions(
    labels_of_people: Sequence[tuple[str, Mapping[str, Labels]]], unit: FormUnit, name: str
) -> list[tuple[str, list[str]]]:
    """The labels that people gave in a field of a unit, those of most people first."""
    labels = [(person, labels.get(unit.id, {}).get(name)) for person, labels in labels_of_people]
    return grouped_versions([(person, label) for person, label in labels if label])


def _gold_labels(
    project: ProjectWork, item: WorkItem, lines: Mapping[str, Disagreement]
) -> dict[str, Labels]:
    """What was decided, and what people agree on; of an optional field nothing else is kept."""
    declared = fields_of(project.configuration, form_of(project.configuration))
    labels_of_people = _labels_of_people(project, item)
    labels_of_units: dict[str, Labels] = {}
    for unit in units_of(item, project.configuration):
        labels: Labels = {}
        for name, field in declared.items():
            line = lines.get(f"{unit.id}/{name}")
            groups = _versions(labels_of_people, unit, name)
            agreed = groups if len(groups) == 1 else ()
            if (label := settled_version(line, agreed)) is not None:
                # As people's labels are spelt: an adjudicator may have typed another version.
                labels[name] = spell(value_of(field, label)) or label
        if labels:
            labels_of_units[unit.id] = labels
    return labels_of_units


FORM_DECISIONS = FormDecisions()
