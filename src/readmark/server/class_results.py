"""The results of a class: who found what hard, question by question, and a machine's next to them.

Every figure is the library's: the pupils' files are written as an export has them, and marked.
"""

from __future__ import annotations

import json
import tempfile
import threading
from collections import Counter, OrderedDict
from collections.abc import Container, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from sqlalchemy.orm import Session

from readmark.core.binding import paper_members
from readmark.core.csv_text import SheetCell, csv_text
from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.records import Unit
from readmark.core.sitting import Row, Sitting
from readmark.core.test import Test
from readmark.formats.registry import open_sitting
from readmark.hooks import hook
from readmark.marking import Mark, Marks, mark, people
from readmark.server.accounts import AccountError, AuditAction, record
from readmark.server.baselines import baselines
from readmark.server.classes import pupils_of
from readmark.server.log import last_event, people_by_label, work_of_project
from readmark.server.projects import newest_version
from readmark.server.results import machines_of
from readmark.server.tables import Classroom, Project, ProjectFile
from readmark.server.views import headers_of, work_named
from readmark.sitting import sit
from readmark.works import PEOPLE, ProjectWork

LEAST = 0.8
"""The mark from which an answer is right, where a metric gives parts of it."""
RIGHT_OR_WRONG = ("f1", "em", "accuracy")
"""Metrics by which an answer is right or wrong."""
FEWEST_KEPT = 5
"""Fewer pupils than these could be recognised in the class's figures."""
MOST_WRONG = 3
"""Wrong answers that are listed for a question."""


@dataclass(frozen=True)
class ClassQuestion:
    """A question and what became of it; marks are from 0 to 1, None where there is no answer."""

    id: str
    text: str
    sat: int
    """How many pupils answered it, or handed it in without an answer."""
    right: int
    seconds: float | None
    """The median of those who answered."""
    wrong: tuple[tuple[str, int], ...]
    """The most common wrong answers, and how many gave each."""
    marks: Mapping[str, float | None]
    """By pupil."""
    skipped: frozenset[str] = frozenset()
    """The pupils who handed it in without an answer."""
    machine: float | None = None

    @property
    def share(self) -> float | None:
        """How many of those who sat it are right."""
        return self.right / self.sat if self.sat else None


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
        columns = ["id", "question", "sat", "right", "seconds", "wrong"]
        columns += [self.machine] if self.machine_mark else []
        rows: list[list[SheetCell]] = []
        for question in self.questions:
            wrong = " | ".join(f"{text} ({count})" for text, count in question.wrong)
            cells: list[SheetCell] = [question.id, question.text, question.sat, question.right]
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
                    "sat": question.sat,
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


def machine_choices(session: Session, project_id: str) -> dict[str, str]:
    """Machines to show next to pupils: uploaded sittings by number, and our own readers."""
    stored = {str(own.number): own.name for own in machines_of(session, project_id)}
    return {**stored, **{name: name for name in _readers(session, project_id)}}


def best_reader(session: Session, project_id: str) -> str:
    """The reader of our own that a page shows next to pupils unless another is chosen."""
    return next(iter(_readers(session, project_id)), "")


def _readers(session: Session, project_id: str) -> list[str]:
    """Readmark's own readers, the best first; each takes seconds for the test of a class."""
    headers = headers_of(session.get_one(Project, project_id))
    return baselines(headers[0].kind)[::-1] if headers else []


def class_results(session: Session, classroom: Classroom, machine: str = "") -> ClassResults:
    """The results of a class so far, with those of a machine; computed once per event."""
    project_id = classroom.project_id
    choices = machine_choices(session, project_id)
    if machine and machine not in choices:
        raise UsageError(f"no machine {machine!r}; there are {', '.join(choices)}")
    event, version = last_event(session, project_id), newest_version(session, project_id).version
    labels = people_by_label(session, project_id)
    own = {person.id for person in pupils_of(session, classroom.id)}
    names = tuple(sorted(name for name, person in labels.items() if person.id in own))
    key = (classroom.id, event, version, names, machine)
    with _LOCK:
        if key in _CACHE:
            return _CACHE[key]
    project = work_of_project(session, project_id)
    project = replace(project, people=[one for one in project.people if one.person in names])
    stored = session.get(ProjectFile, int(machine)) if machine.isdecimal() else None
    reader = stored.content if stored is not None else machine
    try:
        made = _results(project, reader, choices.get(machine, ""))
    except ReadmarkError as error:
        made = ClassResults(0, 0, "", LEAST, {}, (), problem=str(error))
    made = replace(made, event=event, version=version)
    with _LOCK:
        _CACHE[key] = made
        while len(_CACHE) > _CACHED:
            _CACHE.popitem(last=False)
    return made


def _results(project: ProjectWork, reader: str | bytes, machine: str) -> ClassResults:
    """``reader`` is the name of one of our own, or a machine's sitting as a file."""
    work = work_named(project.configuration.project.work)
    keyed_test = hook(work, "keyed_test")
    if keyed_test is None:
        raise UsageError("this kind of work has no right and wrong answers")
    test: Test = keyed_test(project)
    names = test.kind.metrics(test.header, test.facts)
    metric = test.kind.main_metric if test.kind.main_metric in names else names[0]
    if metric not in RIGHT_OR_WRONG:
        raise UsageError("this kind of test has no right and wrong answers")
    finished = {person.person: person.finished for person in project.people}
    with tempfile.TemporaryDirectory(prefix="readmark-class-") as folder:
        work.write(project, Path(folder))
        sittings = {
            path.stem: open_sitting(path, test.kind)
            for path in sorted((Path(folder) / PEOPLE).glob("*"))
        }
        pupils = {
            name: PupilSitting(
                mark(test, sitting, metrics=[metric], classes=False), sitting, finished[name]
            )
            for name, sitting in sittings.items()
        }
        mean = people(test, *sittings.values(), metrics=[metric]).marks[metric] if pupils else None
        sat, problem = None, ""
        if machine and pupils:
            try:
                answers: Sitting | Path = Path(folder) / "machine.jsonl"
                if isinstance(reader, bytes):
                    Path(folder, "machine.jsonl").write_bytes(reader)
                else:
                    answers = _machine_sitting(test, reader)
                sat = mark(test, answers, metrics=[metric], classes=False)
            except ReadmarkError as error:
                problem = f"{machine}: {error}".replace(f"{folder}/", "")
    least = _least(project) if metric == "f1" else 1.0
    by_machine = sat.per_unit() if sat is not None else {}
    questions = [
        _question(unit, metric, least, pupils, by_machine.get(unit.id, {}).get(metric))
        for unit in test.units()
    ]
    return ClassResults(
        event=0,
        version=0,
        metric=metric,
        least=least,
        pupils={name: pupil.marks.marks[metric] for name, pupil in pupils.items()},
        questions=tuple(questions),
        mean=mean,
        machine=machine,
        machine_mark=sat.marks[metric] if sat is not None else None,
        problem=problem,
    )


def _least(project: ProjectWork) -> float:
    least = project.configuration.options.get("least_f1", LEAST)
    return float(least) if isinstance(least, (int, float)) else LEAST


class PupilSitting:
    """A pupil's sitting with its marks by question."""

    def __init__(self, marks: Marks, sitting: Sitting, finished: Container[str]) -> None:
        self.marks = marks
        self._values = marks.per_unit()
        self._sitting = sitting
        self._finished = finished

    def row(self, unit: Unit) -> Row | None:
        """The answer to a question."""
        rows = self._sitting.rows.get(unit.id)
        first = rows[0] if isinstance(rows, tuple) else rows
        return first if first is not None and first.answered else None

    def value(self, unit: Unit, metric: str) -> float | None:
        """The mark of the answer to a question."""
        return None if self.row(unit) is None else self._values.get(unit.id, {}).get(metric)

    def has_skipped(self, unit: Unit) -> bool:
        """Whether a question was handed in without an answer."""
        if self.row(unit) is not None:
            return False
        covers = self._sitting.header.covers
        return unit.record.id in self._finished if covers is None else unit.id in covers


def _question(
    unit: Unit,
    metric: str,
    least: float,
    pupils: Mapping[str, PupilSitting],
    machine: float | None,
) -> ClassQuestion:
    rows = {name: row for name, own in pupils.items() if (row := own.row(unit)) is not None}
    marks = {name: own.value(unit, metric) for name, own in pupils.items()}
    skipped = frozenset(name for name, own in pupils.items() if own.has_skipped(unit))
    right = {name for name, value in marks.items() if value is not None and value >= least}
    wrong = Counter(text for name, row in rows.items() if name not in right and (text := row.text))
    seconds = [row.seconds for row in rows.values() if row.seconds is not None]
    return ClassQuestion(
        id=unit.id,
        text=str(unit.field("text") or unit.id),
        sat=len(rows) + len(skipped),
        right=len(right),
        seconds=round(median(seconds), 3) if seconds else None,
        wrong=tuple(sorted(wrong.items(), key=lambda pair: (-pair[1], pair[0])))[:MOST_WRONG],
        marks=marks,
        skipped=skipped,
        machine=machine,
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
