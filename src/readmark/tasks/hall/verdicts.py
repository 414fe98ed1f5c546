"""Verdicts of judges on pooled answers, and what has become of each answer by them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from readmark.settling import Disagreement
from readmark.tasks.hall.judging_items import judges_of, rows_of
from readmark.tasks.hall.judging_view import ENTRY, entry_id
from readmark.tasks.pooled_answers import PooledRow
from readmark.tasks.verdicts import SORTS, JudgeVerdict, judges_by_sort, settled, with_verdict
from readmark.works import Objects, PoolVerdicts, ProjectWork, WorkItem
from readmark.works.forms import entries_of
from readmark.works.people_files import work_on


def verdicts_in(
    item: WorkItem, objects: Objects
) -> Iterator[tuple[str, JudgeVerdict, Mapping[str, Any]]]:
    """The answers of an item on which somebody has a verdict: the id, the verdict, the answer."""
    forms = dict(entries_of(objects, ENTRY))
    for number, answer in enumerate(item.paper["answers"], 1):
        fields = forms.get(entry_id(number), {})
        if fields.get("verdict") in SORTS:
            reason = fields.get("reason")
            why = reason.strip() if isinstance(reason, str) else ""
            yield item.key["ids"][number - 1], JudgeVerdict(fields["verdict"], why), answer


def verdicts_on(project: ProjectWork) -> dict[str, dict[str, JudgeVerdict]]:
    """Answer -> person -> verdict, of the items that are handed in."""
    verdicts: dict[str, dict[str, JudgeVerdict]] = {}
    for person in project.people:
        for item, objects in work_on(person, project.items):
            if item.name in person.finished:
                for id, verdict, _ in verdicts_in(item, objects):
                    verdicts.setdefault(id, {})[person.person] = verdict
    return verdicts


def judged_answers(project: ProjectWork, decisions: Iterable[Disagreement] = ()) -> PoolVerdicts:
    """What has become of the answers that a project's items ask about, each as a `PooledRow`.

    Where an adjudicator has decided, nothing else counts.
    """
    verdicts = verdicts_on(project)
    decision_on = {line.id: line for line in decisions if line.decision is not None}
    overlap = project.configuration.project.overlap
    done: dict[str, PooledRow] = {}
    waiting: dict[str, PooledRow] = {}
    disputed: dict[str, PooledRow] = {}
    for item in project.items:
        needed = judges_of(item, project.configuration) or (overlap if overlap != "all" else 1)
        for id, row in zip(item.key["ids"], rows_of(item), strict=True):
            by_judge = verdicts.get(id, {})
            if (decision := decision_on.get(id)) is not None:
                verdict = JudgeVerdict(str(decision.adopted), decision.reason or "")
                done[id] = with_verdict(row, verdict, str(decision.by))
            elif (agreed := settled(row, by_judge, needed=needed)) is not None:
                done[id] = agreed
            elif len(judges_by_sort(by_judge)) > 1:
                disputed[id] = row
            else:
                waiting[id] = row
    return PoolVerdicts(done, waiting, disputed)
