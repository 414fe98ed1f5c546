"""Quality of people's work: the findings of ``readmark set quality``, live and for exports."""

from __future__ import annotations

import tempfile
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from readmark.core.errors import ReadmarkError
from readmark.making import QualityReport, export_quality, reading_amount, write_quality_checks
from readmark.server.items import items_of
from readmark.server.project_work import work_of_project
from readmark.server.result_cache import ByState, ResultState
from readmark.server.training import is_right
from readmark.server.views import CONTROL, REPEAT, item_of, work_named
from readmark.statistics.carelessness import EXPECTED, ItemTime, KnownAnswer
from readmark.works import PEOPLE, Configuration, ProjectWork, WorkItem

NOT_YET = "nobody has handed in anything yet"
MOST_EXPECTED = 0.95
"""Nobody is asked to get everything right."""


@dataclass(frozen=True)
class LiveQuality:
    """Findings on handed-in work up to an event; or why there are none."""

    event: int
    version: int
    report: QualityReport | None
    problem: str = ""
    items: Mapping[str, str] = field(default_factory=dict)
    """The items of what findings name, by the ids there."""

    @property
    def signature(self) -> str:
        """One line that says what decided the findings."""
        about = f"event:{self.event}|configuration:{self.version}"
        return "" if self.report is None else f"{self.report.signature}|{about}"

    def as_json(self) -> dict[str, Any]:
        """The document of ``set quality --json``, with its event and signature."""
        report = {"people": [], "findings": []} if self.report is None else self.report.as_json()
        about = {"event": self.event, "configuration": self.version}
        return {**about, "problem": self.problem or None, **report, "signature": self.signature}


def expected_share(configuration: Configuration) -> float:
    """The share of known answers that people should get right: that of the qualifying items."""
    return min(configuration.project.qualify or EXPECTED, MOST_EXPECTED)


def live_quality(session: Session, project_id: str) -> LiveQuality:
    """The findings on what people have handed in; computed once per event."""
    return _LIVE.find(session, project_id)


def _live_quality(session: Session, project_id: str, state: ResultState) -> LiveQuality:
    project = work_of_project(session, project_id).finished()
    with tempfile.TemporaryDirectory(prefix="readmark-quality-") as name:
        folder = Path(name)
        try:
            work_named(project.configuration.project.work).write(project, folder)
            write_checks(session, project_id, project, folder)
            if not any((folder / PEOPLE).glob("*")):
                return LiveQuality(state.event, state.version, None, NOT_YET)
            report = export_quality(folder, expected=expected_share(project.configuration))
        except ReadmarkError as error:
            problem = str(error).replace(f"{folder}/", "")
            return LiveQuality(state.event, state.version, None, problem)
    ids = {id for finding in report.findings for id in finding.ids}
    controls = items_of(session, project_id, CONTROL)
    items = _item_names(ids, [*project.items, *map(item_of, controls)])
    return LiveQuality(state.event, state.version, report, items=items)


def _item_names(ids: Collection[str], items: Iterable[WorkItem]) -> dict[str, str]:
    """For ids of items, or of questions in items, the names of these items."""
    names: dict[str, str] = {}
    for item in items:
        record = item.paper.get("record")
        questions = record.get("questions", ()) if isinstance(record, Mapping) else ()
        item_ids = [item.name] + [
            str(question.get("id")) for question in questions if isinstance(question, Mapping)
        ]
        names |= {id: item.name for id in item_ids if id in ids}
    return names


_LIVE = ByState(_live_quality)


def write_checks(session: Session, project_id: str, project: ProjectWork, folder: Path) -> None:
    """Write what ``set quality`` reads of an export besides people's work.

    That is the times of handed-in items, whether known answers are right, and the work on items
    that people got again; each only where there is any.
    """
    amounts = _amounts(project_id, project)
    times = [
        ItemTime(person.person, item.name, person.seconds[item.name], *amounts[item.name])
        for person in project.people
        for item in project.items
        if item.name in person.finished and item.name in person.seconds
    ]
    answers = _known_answers(work_of_project(session, project_id, CONTROL))
    repeats = work_of_project(session, project_id, REPEAT).finished()
    work = work_named(project.configuration.project.work)
    write_repeats = partial(work.write, repeats) if repeats.people else None
    write_quality_checks(folder, times, answers, write_repeats)


def _known_answers(controls: ProjectWork) -> list[KnownAnswer]:
    """Whether people got the controls right that they have handed in."""
    configuration = controls.configuration
    work = work_named(configuration.project.work)
    return [
        KnownAnswer(
            person.person,
            item.name,
            is_right(work, item, person.objects[item.name], configuration),
        )
        for person in controls.people
        for item in controls.items
        if item.name in person.finished
    ]


_AMOUNTS: OrderedDict[str, dict[str, tuple[int, str]]] = OrderedDict()
"""By project and item; items never change."""
_MOST_PROJECTS = 16


def _amounts(project_id: str, project: ProjectWork) -> dict[str, tuple[int, str]]:
    """How much there is to read in the longest text of each finished item, and its language."""
    amounts = _AMOUNTS.setdefault(project_id, {})
    while len(_AMOUNTS) > _MOST_PROJECTS:
        _AMOUNTS.popitem(last=False)
    finished = {name for person in project.people for name in person.finished}
    work = work_named(project.configuration.project.work)
    for item in project.items:
        if item.name in finished and item.name not in amounts:
            view = work.view(WorkItem(item.name, item.paper), project.configuration)
            texts = [
                (reading_amount(text.text, text.language), text.language) for text in view.texts
            ]
            amounts[item.name] = max(texts, default=(0, "en"))
    return amounts
