"""Adjudication of the work ``judging``: answers that judges judged differently."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from readmark.formats.sheets import write_sheet
from readmark.settling import Disagreement, version_line, write_decision_lines
from readmark.tasks.hall.judging_view import ENTRY, judging_view
from readmark.tasks.hall.verdict_files import write_pool
from readmark.tasks.hall.verdicts import judged_answers, verdicts_on
from readmark.tasks.verdicts import SORTS, judges_by_sort, sort_of
from readmark.works import Configuration, EntryField, Objects, ProjectWork, WorkItem, in_language
from readmark.works.decisions import DecisionForms
from readmark.works.disputed_places import DisputedPlace, dispute_item
from readmark.works.forms import fields_of

POOL = "pool.jsonl"


class JudgingDisputes(DecisionForms):
    """An adjudicator decides on the answers that judges judged differently."""

    def other_field(self, project: Configuration) -> EntryField:
        """The verdicts."""
        return fields_of(project, ENTRY)["verdict"]

    def lines(self, item: WorkItem, objects: Objects, by: str) -> Iterator[Disagreement]:
        """The decided lines, without decisions for a verdict that does not exist."""
        for line in super().lines(item, objects, by):
            is_verdict = line.decision is None or line.adopted in SORTS
            yield line if is_verdict else msgspec.structs.replace(line, decision=None, other=None)

    def disputes(self, project: ProjectWork) -> Iterator[WorkItem]:
        """The answers of an item on which finished judgements differ."""
        verdicts = verdicts_on(project)
        choices = fields_of(project.configuration, ENTRY)["verdict"].choices
        labels = dict(choices) if isinstance(choices, dict) else {}
        for item in project.items:
            view, language = judging_view(item.paper), item.paper["language"]
            places, members_of_forms = [], []
            for id, form in zip(item.key["ids"], view.objects.values(), strict=True):
                by_judge = verdicts.get(id, {})
                groups = judges_by_sort(by_judge)
                if len(groups) < 2:
                    continue
                versions = []
                for sort, judges in groups:
                    reasons = [by_judge[judge].why for judge in judges if by_judge[judge].why]
                    label = in_language(labels.get(sort, sort), language)
                    versions.append(" – ".join([label, *reasons]))
                line = version_line(id, "verdict", item.paper["id"], groups, unit=id)
                places.append(DisputedPlace(line, form["prompt"], versions, form["context"]))
                members = {name: form[name] for name in ("places", "detail") if name in form}
                members_of_forms.append(members)
            if places:
                seed = project.configuration.project.seed
                dispute = dispute_item(item.name, view.texts, places, seed)
                forms = dispute.paper["objects"].values()
                for form, members in zip(forms, members_of_forms, strict=True):
                    form |= members
                yield dispute

    def write(self, project: ProjectWork, decided: ProjectWork, folder: Path) -> list[Path]:
        """The pool with all verdicts, these as labels, and the decisions."""
        lines = [line for decisions in self.decided(decided).values() for line in decisions]
        judged = judged_answers(project, lines).settled
        rows = [[id, row.document, sort_of(row), row.by or ""] for id, row in judged.items()]
        sheet = folder / "adjudicated.csv"
        write_sheet(sheet, ("id", "passage", "verdict", "person"), rows)
        pool = write_pool(project, folder / POOL, lines)
        return [sheet, pool, *write_decision_lines(folder, "judging", lines)]


JUDGING_DISPUTES = JudgingDisputes()
