"""Passage vetting: people keep or discard passages, with reasons.

Each person's decisions are the form that ``readmark set screen --decisions`` reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from readmark.core.test import Test
from readmark.formats.label_sheets import spell
from readmark.formats.passage_decisions import (
    VERDICTS,
    Decision,
    Decisions,
    majority,
    write_decisions,
)
from readmark.formats.sheets import read_rows
from readmark.works import Configuration, ItemView, Objects, ProjectWork, WorkFinding, WorkItem
from readmark.works.field_values import is_filled
from readmark.works.forms import NOTE, entries_of, fields_of, form_faults, form_findings
from readmark.works.notes import note_of
from readmark.works.passages import only_test, paper_of, passage_items, passage_view, record_of
from readmark.works.people_files import by_item, named_work, people_folder, save_records, work_on

ENTRY = "decision"
MERGED = "kept.jsonl"
"""The test of the passages that most people keep, in an export."""


class VettingPassages:
    """Decide whether a passage is fit for questions."""

    def faults(self, configuration: Configuration) -> Iterable[tuple[tuple[str, ...], str]]:
        """A form without a decision, or with other choices than keep and discard."""
        yield from form_faults(configuration, ENTRY, "decision")
        field = fields_of(configuration, ENTRY).get("decision")
        if field is not None and set(field.choices) != set(VERDICTS):
            message = f"the choices of decision are {' and '.join(VERDICTS)}"
            yield ("entry", ENTRY, "fields", "decision", "choices"), message

    def divide(
        self, tests: Sequence[Test], configuration: Configuration, *, purpose: str = "work"
    ) -> Iterator[WorkItem]:
        """An item for each passage."""
        return passage_items(only_test(tests))

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """The passage and its form, without what the rules decide: that would sway people."""
        empty = {"type": "entry", "entry": ENTRY, "order": 1.0, "fields": {}}
        return passage_view(item, {ENTRY: empty})

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """A missing decision, and a discarded passage without a reason."""
        entries = entries_of(objects, ENTRY)
        findings = [
            WorkFinding(
                "no_reason",
                {"en": "A passage is discarded for a reason.", "zh": "不收的篇章要写明理由。"},
                "warning",
                id,
            )
            for id, fields in entries
            if fields.get("decision") == "discard" and not is_filled(fields.get("reason"))
        ]
        return form_findings(findings, configuration, ENTRY, entries)

    def grade(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """A decision that is not the one in the passage's key (``fields``: decision, reason)."""
        key = record_of(item).key
        expected = key.fields.get("decision") if key is not None else None
        if key is None or expected not in VERDICTS:
            return
        decision = decision_of(objects, "")
        if decision is None or decision.decision != expected:
            reason = key.fields.get("reason") or ""
            chinese = {"keep": "保留", "discard": "不收"}[expected]
            yield WorkFinding(
                "decision",
                {"en": f"The key says {expected}.", "zh": f"参考答案是“{chinese}”。"},
                "error",
                next((id for id, _ in entries_of(objects, ENTRY)), None),
                str(reason),
            )

    def write(self, project: ProjectWork, folder: Path) -> list[Path]:
        """Decisions of each person, and a test of the passages that most people keep.

        A passage stays where as many would keep as discard it, as in ``set screen``.
        """
        paths: list[Path] = []
        for person in named_work(project):
            rows = []
            notes = {}
            for item, objects in work_on(person, project.items):
                record = paper_of(item)
                decision = decision_of(objects, person.person)
                if decision is not None:
                    rows.append((record.id, record.text, decision))
                    notes[record.id] = note_of(objects)
            if rows:
                path = people_folder(folder) / f"{person.person}.csv"
                write_decisions(path, rows, notes)
                paths.append(path)
        if paths:
            decisions = Decisions(paths)
            passages = []
            for item in project.items:
                record = record_of(item)
                votes = decisions.on(record.id, record.text)
                if votes and majority(votes) != "discard":
                    passages.append(record)
            paths += save_records(project.header, passages, folder / MERGED)
        return paths

    def read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, Objects]]:
        """The decisions of a form that ``set screen --form`` wrote, in CSV or JSON Lines."""
        return by_item(_read(path, items, configuration))


def decision_of(objects: Objects, person: str) -> Decision | None:
    """What a person decided about a passage, if anything."""
    for _, fields in entries_of(objects, ENTRY):
        reason = spell(fields.get("reason"))
        if fields.get("decision") == "keep":
            return Decision(person=person, decision="keep", reason=reason)
        if fields.get("decision") == "discard":
            return Decision(person=person, decision="discard", reason=reason)
    return None


def _read(
    path: Path, items: Mapping[str, WorkItem], configuration: Configuration
) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    decisions = Decisions([path])
    reason_field = fields_of(configuration, ENTRY).get("reason")
    takes_several = reason_field is not None and reason_field.widget == "choices"
    notes = {
        str(row["id"]): row[NOTE]
        for _, row in read_rows(path, ("id", "decision"))
        if isinstance(row.get(NOTE), str) and row[NOTE].strip()
    }
    for item in items.values():
        record = paper_of(item)
        for decision in decisions.on(record.id, record.text):
            fields: dict[str, Any] = {"decision": decision.decision}
            if decision.reason:
                parts = [part.strip() for part in decision.reason.split("+")]
                fields["reason"] = parts if takes_several else decision.reason
            value = {"type": "entry", "entry": ENTRY, "order": 1.0, "fields": fields}
            yield decision.person, item.name, ENTRY, value
            if record.id in notes and len(decisions.people) == 1:
                # A file of several people does not say whose note it is.
                note = {"type": NOTE, "value": notes[record.id]}
                yield decision.person, item.name, NOTE, note
    decisions.require_all_seen("the project")


VETTING = VettingPassages()
