"""Adjudication of levels: one label for each question that people labelled differently."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from readmark.comprehension import levelled
from readmark.making.hall import levels
from readmark.settling import (
    Disagreement,
    grouped_versions,
    settled_version,
    version_line,
    write_decision_lines,
)
from readmark.works import Configuration, EntryField, ProjectWork, Text, WorkItem
from readmark.works.decisions import DecisionForms
from readmark.works.disputed_places import DisputedPlace, dispute_item
from readmark.works.forms import entries_of, fields_of
from readmark.works.passages import fixed_id, language_of_item, paper_of, passage_view, record_of

ADJUDICATED = "adjudicated"
"""The person of a gold's labels; the file of decisions says who decided what."""


class LevelDecisions(DecisionForms):
    """One label for each question that people labelled differently."""

    def other_field(self, project: Configuration) -> EntryField:
        """The choices of the first label that differs."""
        declared = fields_of(project, levels.ENTRY)
        name = _compared(declared)[0]
        return declared[name]

    def disputes(self, project: ProjectWork) -> Iterator[WorkItem]:
        """An item for each passage with a question that was labelled differently."""
        declared = fields_of(project.configuration, levels.ENTRY)
        for item in project.items:
            record, places = record_of(item), []
            for number, question in enumerate(record.questions, 1):
                groups = _label_groups(project, item, number, declared)
                if len(groups) < 2:
                    continue
                line = version_line(question.id, "label", record.id, groups, unit=question.id)
                rules = levelled(question, record, record.language or language_of_item(item))
                texts = [_label_words(version) for version, _ in groups]
                names = [version.get("level") for version, _ in groups]
                level = str(rules.level) if rules.level is not None else None
                places.append(
                    DisputedPlace(
                        line,
                        question.text,
                        texts,
                        suggested=names.index(level) if level in names else None,
                        why=_rules_words(level, rules.why) if "level" in declared else "",
                    )
                )
            if places:
                seed = project.configuration.project.seed
                yield dispute_item(item.name, passage_view(item).texts, places, seed)

    def other_version(self, fields: Mapping[str, Any], line: Disagreement) -> Any:
        """The label of the first field."""
        label = super().other_version(fields, line)
        return {next(iter(line.beside["versions"][0])): str(label)} if label else None

    def write(self, project: ProjectWork, decided: ProjectWork, folder: Path) -> list[Path]:
        """The labels as ``adjudicated.csv``, which ``set levels --labels`` reads, and the test."""
        declared = fields_of(project.configuration, levels.ENTRY)
        lines = self.decided(decided)
        rows = []
        for item in project.items:
            lines_of_item = {line.id: line for line in lines.get(item.name, ())}
            for number, question in enumerate(paper_of(item).questions, 1):
                line = lines_of_item.get(question.id)
                groups = _label_groups(project, item, number, declared)
                label = settled_version(line, groups)
                if label is None:
                    continue
                rows.append(
                    {
                        **label,
                        "id": question.id,
                        "passage": record_of(item).id,
                        "text": question.text,
                        "person": ADJUDICATED,
                    }
                )
        columns = ("id", "passage", *declared, "text", "person")
        paths = levels.write_labels(folder / "adjudicated.csv", columns, rows)
        paths += levels.write_levels(project, rows, folder / "gold.jsonl")
        all_lines = [line for of_item in lines.values() for line in of_item]
        return paths + write_decision_lines(folder, "levels", all_lines)


def _compared(declared: Mapping[str, EntryField]) -> list[str]:
    """The labels that make two versions different: those that everybody must give."""
    return [name for name, field in declared.items() if not field.optional] or list(declared)


def _label_groups(
    project: ProjectWork, item: WorkItem, number: int, declared: Mapping[str, EntryField]
) -> list[tuple[dict[str, str], list[str]]]:
    """Labels of a question that differ in what is compared, with the people who gave them."""
    compared = _compared(declared)
    by_person = []
    for person in project.finished_by(item.name):
        forms = dict(entries_of(person.objects.get(item.name, {}), levels.ENTRY))
        columns = levels.label_columns(forms.get(fixed_id(number), {}))
        labels = {name: columns[name] for name in declared if name in columns}
        if any(name in labels for name in compared):
            key = tuple(labels.get(name, "") for name in compared)
            by_person.append((person.person, key, labels))
    # Labels that nobody must give may differ: a version has those of the first person with it.
    first_labels: dict[tuple[str, ...], dict[str, str]] = {}
    for _, key, labels in by_person:
        first_labels.setdefault(key, labels)
    return grouped_versions((person, first_labels[key]) for person, key, _ in by_person)


def _label_words(version: Mapping[str, str]) -> str:
    first, *others = version.values()
    return f"{first} ({', '.join(others)})" if others else first


def _rules_words(level: str | None, why: str) -> Text:
    if level is None:
        return {"en": f"The rules give no level: {why}.", "zh": f"规则没有给出等级：{why}。"}
    return {"en": f"The rules give level {level}: {why}.", "zh": f"规则给出 {level} 级：{why}。"}


LEVELS = LevelDecisions()
