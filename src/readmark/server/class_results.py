"""The results of a class: who found what hard, question by question, and a machine's next to them.

Every figure is the library's: the pupils' files are written as an export has them, and marked.
"""

from __future__ import annotations

import json
import tempfile
import threading
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from sqlalchemy.orm import Session

from readmark.core.binding import paper_members
from readmark.core.csv_text import Cell, csv_text
from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.sitting import Row, Sitting
from readmark.core.test import Test
from readmark.formats.registry import open_sitting
from readmark.marking.mark import mark, people
from readmark.marking.marks import Mark
from readmark.server.accounts import AccountError, AuditAction, record
from readmark.server.classes import pupils_of
from readmark.server.log import last_event, people_by_label, work_of_project
from readmark.server.progress import PEOPLE
from readmark.server.projects import newest_version
from readmark.server.tables import Classroom
from readmark.server.views import work_named
from readmark.server.works.work import KeyedWork, ProjectWork
from readmark.sitting.runner import sit

MACHINES = ("span", "evidence", "bow")
"""Readmark's own readers that take seconds for the test of a class."""
LEAST = 0.8
"""The mark from which an answer is right, where a metric gives parts of it."""
FEWEST_KEPT = 5
"""Fewer pupils than these could be recognised in the class's figures."""
MOST_WRONG = 3
"""Wrong answers that are listed for a question."""


@dataclass(frozen=True)
class ClassQuestion:
    """A question and what became of it; marks are from 0 to 1, None where nothing was answered."""

    id: str
    text: str
    answered: int
    """How many pupils answered it."""
    right: int
    seconds: float | None
    """The median of those who answered."""
    wrong: tuple[tuple[str, int], ...]
    """The most common wrong answers, and how many gave each."""
    marks: Mapping[str, float | None]
    """By pupil."""
    machine: float | None = None

    @property
    def share(self) -> float | None:
        """How many of those who answered are right."""
        return self.right / self.answered if self.answered else None


@dataclass(frozen=True)
class ClassResults:
    """What a class found hard, up to an event."""

    event: int
    version: int
    metric: str
    least: float
    """The mark from which an answer is right."""
    pupils: Mapping[str, Mark]
    """Each pupil's mark; questions without an answer count as wrong."""
    questions: tuple[ClassQuestion, ...]
    mean: Mark | None = None
    machine: str = ""
    machine_mark: Mark | None = None
    problem: str = ""

    def right_of(self, pupil: str) -> int:
        """How many questions a pupil has right."""
        return sum(self.verdict(question.marks[pupil]) == "right" for question in self.questions)

    def verdict(self, value: float | None) -> str:
        """``right``, ``part``, ``wrong``, or nothing where there is no answer."""
        if value is None:
            return ""
        return "right" if value >= self.least else "part" if value > 0 else "wrong"

    def hardest_first(self) -> tuple[ClassQuestion, ...]:
        """The questions with the smallest share of right answers first; unanswered ones last."""
        shares = {
            question.id: 2.0 if question.share is None else question.share
            for question in self.questions
        }
        return tuple(sorted(self.questions, key=lambda question: shares[question.id]))

    def as_csv(self) -> str:
        """A row for each question, a column for each pupil."""
        columns = ["id", "question", "answered", "right", "seconds", "wrong"]
        columns += [self.machine] if self.machine_mark else []
        rows: list[list[Cell]] = []
        for question in self.questions:
            wrong = " | ".join(f"{text} ({count})" for text, count in question.wrong)
            cells: list[Cell] = [question.id, question.text, question.answered, question.right]
            cells += [question.seconds, wrong]
            cells += [question.machine] if self.machine_mark else []
            rows.append([*cells, *(question.marks[pupil] for pupil in self.pupils)])
        return csv_text([*columns, *self.pupils], rows)

    def as_json(self) -> dict[str, Any]:
        """Everything on the page, by question and by pupil."""
        document = self.without_pupils()
        for shown, question in zip(document["questions"], self.questions, strict=True):
            shown |= {"wrong": [list(pair) for pair in question.wrong], "marks": question.marks}
        each = {name: asdict(own) for name, own in self.pupils.items()}
        about = {"event": self.event, "configuration": self.version}
        return {**about, **document, "each": each, "problem": self.problem or None}

    def without_pupils(self) -> dict[str, Any]:
        """The figures of the class without pseudonyms, and without anything that pupils wrote."""
        return {
            "pupils": len(self.pupils),
            "metric": self.metric,
            "right_from": self.least,
            "mean": asdict(self.mean) if self.mean else None,
            "machine": self.machine or None,
            "machine_mark": asdict(self.machine_mark) if self.machine_mark else None,
            "questions": [
                {
                    "id": question.id,
                    "question": question.text,
                    "answered": question.answered,
                    "right": question.right,
                    "seconds": question.seconds,
                    "machine": question.machine,
                }
                for question in self.questions
            ],
        }


_CACHE: OrderedDict[tuple[Any, ...], ClassResults] = OrderedDict()
_MACHINE_SITTINGS: OrderedDict[tuple[str, str], Sitting] = OrderedDict()
_CACHED = 16
_LOCK = threading.Lock()


def class_results(session: Session, classroom: Classroom, machine: str = "") -> ClassResults:
    """The results of a class so far, with those of a machine; computed once per event."""
    if machine and machine not in MACHINES:
        raise UsageError(f"no machine {machine!r}; there are {', '.join(MACHINES)}")
    project_id = classroom.project_id
    event, version = last_event(session, project_id), newest_version(session, project_id).version
    labels = people_by_label(session, project_id)
    own = {person.id for person in pupils_of(session, classroom.id)}
    names = tuple(sorted(name for name, person in labels.items() if person.id in own))
    key = (classroom.id, event, version, names, machine)
    with _LOCK:
        if key in _CACHE:
            return _CACHE[key]
    project = work_of_project(session, project_id)
    own_work = [person for person in project.people if person.person in names]
    try:
        made = _results(replace(project, people=own_work), names, machine)
    except ReadmarkError as error:
        made = ClassResults(0, 0, "", LEAST, {}, (), problem=str(error))
    made = replace(made, event=event, version=version)
    with _LOCK:
        _CACHE[key] = made
        while len(_CACHE) > _CACHED:
            _CACHE.popitem(last=False)
    return made


def _results(project: ProjectWork, names: Sequence[str], machine: str) -> ClassResults:
    work = work_named(project.configuration.project.work)
    if not isinstance(work, KeyedWork):
        raise UsageError("this kind of work has no right and wrong answers")
    test = work.keyed_test(project)
    with tempfile.TemporaryDirectory(prefix="readmark-class-") as folder:
        work.write(project, Path(folder))
        sittings = {
            path.stem: open_sitting(path, test.kind)
            for path in sorted((Path(folder) / PEOPLE).glob("*"))
        }
        return _marked(test, sittings, _least(project), machine)


def _least(project: ProjectWork) -> float:
    least = project.configuration.options.get("least_f1", LEAST)
    return float(least) if isinstance(least, (int, float)) else LEAST


def _marked(
    test: Test, sittings: Mapping[str, Sitting], least: float, machine: str
) -> ClassResults:
    """Everybody's marks on every question by the main metric of the test."""
    names = test.kind.metrics(test.header, test.facts)
    metric = test.kind.main_metric if test.kind.main_metric in names else names[0]
    marks = {
        name: mark(test, sitting, metrics=[metric], classes=False)
        for name, sitting in sittings.items()
    }
    values = {name: own.per_unit() for name, own in marks.items()}
    by_machine: Mapping[str, Mapping[str, float | None]] = {}
    machine_mark = None
    problem = ""
    if machine and sittings:
        try:
            sat = mark(test, _machine_sitting(test, machine), metrics=[metric], classes=False)
            by_machine, machine_mark = sat.per_unit(), sat.marks[metric]
        except ReadmarkError as error:
            problem = f"{machine}: {error}"
    least = least if metric == "f1" else 1.0
    questions = []
    for unit in test.units():
        rows = {
            name: row
            for name, sitting in sittings.items()
            if (row := _row(sitting, unit.id)) is not None
        }
        own = {
            name: values[name].get(unit.id, {}).get(metric) if name in rows else None
            for name in sittings
        }
        right = {name for name, value in own.items() if value is not None and value >= least}
        wrong = Counter(
            text for name, row in rows.items() if name not in right and (text := row.words("text"))
        )
        seconds = [row.seconds for row in rows.values() if row.seconds is not None]
        questions.append(
            ClassQuestion(
                id=unit.id,
                text=str(unit.field("text") or unit.id),
                answered=len(rows),
                right=len(right),
                seconds=round(median(seconds), 3) if seconds else None,
                wrong=tuple(sorted(wrong.items(), key=lambda pair: (-pair[1], pair[0])))[
                    :MOST_WRONG
                ],
                marks=own,
                machine=by_machine.get(unit.id, {}).get(metric),
            )
        )
    mean = None
    if sittings:
        mean = people(test, *sittings.values(), metrics=[metric]).marks[metric]
    each = {name: own.marks[metric] for name, own in marks.items()}
    return ClassResults(
        0, 0, metric, least, each, tuple(questions), mean, machine, machine_mark, problem
    )


def _machine_sitting(test: Test, machine: str) -> Sitting:
    """A machine's answers, which stay the same while pupils work."""
    key = (json.dumps(paper_members(test), sort_keys=True, default=str), machine)
    with _LOCK:
        if key in _MACHINE_SITTINGS:
            return _MACHINE_SITTINGS[key]
    made = sit(test, machine)
    with _LOCK:
        _MACHINE_SITTINGS[key] = made
        while len(_MACHINE_SITTINGS) > _CACHED:
            _MACHINE_SITTINGS.popitem(last=False)
    return made


def _row(sitting: Sitting, id: str) -> Row | None:
    row = sitting.rows.get(id)
    first = row[0] if isinstance(row, tuple) else row
    return first if first is not None and first.answered else None


def keep_results(
    session: Session, classroom: Classroom, results: ClassResults, *, by: str | None = None
) -> None:
    """Store the class's figures without pseudonyms, so that they outlast the pupils' data."""
    if len(results.pupils) < FEWEST_KEPT:
        raise AccountError("class_too_small_to_keep")
    about = {"event": results.event, "configuration": results.version}
    text = json.dumps({**about, **results.without_pupils()}, ensure_ascii=False, indent=1)
    classroom.results = text
    record(
        session, AuditAction.CLASS_RESULTS_KEPT, by, classroom.project_id, classroom=classroom.id
    )
