"""Adjudication of labels: levels of questions, and passages that are kept or discarded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from readmark.comprehension import levelled
from readmark.formats.passage_decisions import Decision, majority, write_decisions
from readmark.making.hall import levels, vetting
from readmark.settling import (
    Disagreement,
    grouped_versions,
    settled_version,
    version_line,
    write_decision_lines,
)
from readmark.works import Configuration, EntryField, ProjectWork, Text, WorkItem
from readmark.works.decisions import DecisionForms, DisputedPlace, dispute_item, finished_by
from readmark.works.forms import entries_of, fields_of
from readmark.works.passages import fixed_id, language_of_item, paper_of, passage_view, record_of
from readmark.works.people_files import save_records

ADJUDICATED = "adjudicated"
"""Who the labels of a gold are of; the file of decisions says who decided what."""


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
        given = super().other_version(fields, line)
        return {next(iter(line.beside["versions"][0])): str(given)} if given else None

    def write(self, project: ProjectWork, decided: ProjectWork, folder: Path) -> list[Path]:
        """The labels as ``adjudicated.csv``, which ``set levels --labels`` reads, and the test."""
        declared = fields_of(project.configuration, levels.ENTRY)
        lines = self.decided(decided)
        rows = []
        for item in project.items:
            known = {line.id: line for line in lines.get(item.name, ())}
            for number, question in enumerate(paper_of(item).questions, 1):
                line = known.get(question.id)
                groups = _label_groups(project, item, number, declared)
                label = settled_version(line, groups)
                if label is None:
                    continue
                about = {"id": question.id, "passage": record_of(item).id, "text": question.text}
                rows.append({**label, **about, "person": ADJUDICATED})
        columns = ("id", "passage", *declared, "text", "person")
        made = levels.write_labels(folder / "adjudicated.csv", columns, rows)
        made += levels.write_levels(project, rows, folder / "gold.jsonl")
        return made + write_decision_lines(
            folder, "levels", [line for own in lines.values() for line in own]
        )


def _compared(declared: Mapping[str, EntryField]) -> list[str]:
    """The labels that make two versions different: those that everybody must give."""
    return [name for name, field in declared.items() if not field.optional] or list(declared)


def _label_groups(
    project: ProjectWork, item: WorkItem, number: int, declared: Mapping[str, EntryField]
) -> list[tuple[dict[str, str], list[str]]]:
    """Labels of a question that differ in what is compared, with the people who gave them."""
    compared = _compared(declared)
    given = []
    for person in finished_by(project, item.name):
        forms = dict(entries_of(person.objects.get(item.name, {}), levels.ENTRY))
        columns = levels.label_columns(forms.get(fixed_id(number), {}))
        own = {name: columns[name] for name in declared if name in columns}
        if any(name in own for name in compared):
            given.append((person.person, own))
    firsts: dict[tuple[str, ...], dict[str, str]] = {}
    for _, own in given:
        firsts.setdefault(tuple(own.get(name, "") for name in compared), own)
    return grouped_versions(
        (person, firsts[tuple(own.get(name, "") for name in compared)]) for person, own in given
    )


def _label_words(version: Mapping[str, str]) -> str:
    first, *others = version.values()
    return f"{first} ({', '.join(others)})" if others else first


def _rules_words(level: str | None, why: str) -> Text:
    if level is None:
        return {"en": f"The rules give no level: {why}.", "zh": f"规则没有给出等级：{why}。"}
    return {"en": f"The rules give level {level}: {why}.", "zh": f"规则给出 {level} 级：{why}。"}


class VettingDecisions(DecisionForms):
    """Keep or discard, where people are of two minds."""

    fields = ("decision", "reason")

    def disputes(self, project: ProjectWork) -> Iterator[WorkItem]:
        """An item for each passage that some would keep and others discard."""
        for item in project.items:
            votes = _votes(project, item)
            groups = grouped_versions((vote.person, vote.decision) for vote in votes)
            if len(groups) < 2:
                continue
            record = paper_of(item)
            line = version_line(record.id, "decision", record.id, groups)
            most = majority(votes)
            counts = " : ".join(str(len(people)) for _, people in groups)
            tie = {
                "en": f"As many would keep it as discard it ({counts}).",
                "zh": f"票数相同（{counts}）。",
            }
            most_words = {"en": f"Most people ({counts}).", "zh": f"多数意见（{counts}）。"}
            place = DisputedPlace(
                line,
                record.title or record.id,
                [_vote_words(project.configuration, votes, version) for version, _ in groups],
                suggested=None if most is None else [v for v, _ in groups].index(most),
                why=tie if most is None else most_words,
            )
            seed = project.configuration.project.seed
            yield dispute_item(item.name, passage_view(item).texts, [place], seed)

    def write(self, project: ProjectWork, decided: ProjectWork, folder: Path) -> list[Path]:
        """The decisions as ``adjudicated.csv``, which ``set screen --decisions`` reads, and the
        test of what is kept."""
        lines = self.decided(decided)
        rows, kept = [], []
        for item in project.items:
            record = record_of(item)
            votes = _votes(project, item)
            line = next(iter(lines.get(item.name, ())), None)
            if line is not None and line.decision is not None:
                made = Decision(person=ADJUDICATED, decision=line.adopted, reason=line.reason)
            elif votes:
                made = msgspec.structs.replace(votes[0], person=ADJUDICATED)
            else:
                continue
            rows.append((record.id, record.text, made))
            if made.decision == "keep":
                kept.append(record)
        write_decisions(folder / "adjudicated.csv", rows, {})
        return [
            folder / "adjudicated.csv",
            *save_records(project.header, kept, folder / "gold.jsonl"),
            *write_decision_lines(
                folder, "vetting", [line for own in lines.values() for line in own]
            ),
        ]


def _votes(project: ProjectWork, item: WorkItem) -> list[Decision]:
    found = []
    for person in finished_by(project, item.name):
        made = vetting.decision_of(person.objects.get(item.name, {}), person.person)
        if made is not None:
            found.append(made)
    return found


def _vote_words(configuration: Configuration, votes: Sequence[Decision], version: str) -> str:
    own = [vote for vote in votes if vote.decision == version]
    reasons = ", ".join(dict.fromkeys(vote.reason for vote in own if vote.reason))
    return f"{version} × {len(own)}" + (f" ({reasons})" if reasons else "")


LEVELS = LevelDecisions()
VETTING = VettingDecisions()
