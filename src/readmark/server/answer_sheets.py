"""A test on paper: numbered questions to print, their key, and answers typed back in.

Typed answers go through the event log as the person's own work; the client of the events names who
typed them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from readmark.core.errors import UsageError
from readmark.core.numbers import decimal
from readmark.core.test import Header
from readmark.formats.returned_work import require_name
from readmark.making.hall.sitting import (
    LETTERS,
    NO_ANSWER,
    AskedUnit,
    asked_in_item,
    entries_for,
    records_with_key,
    text_of,
    typed_answer,
    with_fields,
)
from readmark.making.hall.sitting import SITTING as WORK
from readmark.readability import RatingKey
from readmark.series import Series, SeriesQuestionKey
from readmark.server import log
from readmark.server.accounts import AuditAction, record
from readmark.server.assignment import workers_of
from readmark.server.clock import SITTING, minutes_of
from readmark.server.exchange import assignment_for, placeholder
from readmark.server.objects import check_object
from readmark.server.projects import items_of
from readmark.server.tables import Assignment, Event, Item, Person, Project
from readmark.server.views import item_of, newest_configuration, open_item
from readmark.tasks.records import QueryKey
from readmark.works import ProjectWork, WorkItem
from readmark.works.passages import fixed_id

TYPED = "typed-"
"""How the client of typed answers begins; the id of who typed them follows."""


@dataclass(frozen=True)
class PrintedQuestion:
    """A question with its number on the paper."""

    number: int
    unit: AskedUnit
    item: str
    entry: str
    """The id of its object in the item."""
    key: tuple[str, ...] = ()
    """What the key has, in words."""

    @property
    def options(self) -> list[tuple[str, str]]:
        """Letters and options."""
        return list(zip(LETTERS, self.unit.options, strict=False))

    @property
    def sort(self) -> str:
        """What the box on the answer sheet takes: ``letter``, ``rating``, ``line`` or ``lines``."""
        if self.unit.options:
            return "letter"
        if "rating" in self.unit.fields:
            return "rating"
        return "lines" if self.unit.values or "rewrite" in self.unit.fields else "line"


@dataclass(frozen=True)
class PrintedText:
    """A text with its questions."""

    number: int
    title: str
    text: str
    language: str
    questions: tuple[PrintedQuestion, ...]


@dataclass(frozen=True)
class PrintedPaper:
    """A test to print. ``number`` tells papers apart: it is that of the paper's fingerprint."""

    number: str
    kind: str
    language: str
    minutes: float | None
    texts: tuple[PrintedText, ...]

    @property
    def questions(self) -> list[PrintedQuestion]:
        """All of them, in order."""
        return [question for text in self.texts for question in text.questions]


def printed_paper(session: Session, project_id: str, *, with_key: bool = False) -> PrintedPaper:
    """The paper of a project's test; keys are in it only where they are asked for."""
    configuration = newest_configuration(session, project_id)
    if configuration.project.work != SITTING:
        raise UsageError("people do not sit a test in this project")
    items = [item_of(item) for item in items_of(session, project_id, "work")]
    texts: list[PrintedText] = []
    number = 0
    for item in items:
        keys = _keys(item) if with_key else {}
        printed: dict[str, list[PrintedQuestion]] = {}
        records: dict[str, Any] = {}
        for place, unit in enumerate(asked_in_item(item), 1):
            number += 1
            records[unit.text] = unit.record
            question = PrintedQuestion(
                number, unit, item.name, fixed_id(place), tuple(keys.get(unit.id, ()))
            )
            printed.setdefault(unit.text, []).append(question)
        for text, questions in printed.items():
            own = records[text]
            language = own.language or item.paper["language"]
            title = getattr(own, "title", None) or getattr(own, "target", None) or ""
            # A series is its questions, which follow.
            words = "" if isinstance(own, Series) else text_of(own)
            texts.append(PrintedText(len(texts) + 1, title, words, language, tuple(questions)))
    project = session.get(Project, project_id)
    assert project is not None
    headers = msgspec.json.decode(project.headers, type=tuple[Header, ...])
    test = WORK.keyed_test(ProjectWork(configuration, headers, items, ()))
    return PrintedPaper(
        test.facts.paper[:8].upper(),
        items[0].paper["kind"] if items else "",
        test.language,
        minutes_of(configuration),
        tuple(texts),
    )


def _keys(item: WorkItem) -> dict[str, Iterator[str]]:
    """What the key has for each unit, in words."""
    found = {}
    for stored in records_with_key(item):
        units = getattr(stored, "questions", None) or getattr(stored, "queries", None) or [stored]
        for unit in units:
            if unit.key is not None:
                found[unit.id] = _key_words(unit)
    return found


def _key_words(unit: Any) -> Iterator[str]:
    key = unit.key
    if getattr(key, "unanswerable", False):
        yield NO_ANSWER
    elif isinstance(key, RatingKey):
        ratings = [one.rating for one in key.ratings]
        yield decimal(sum(ratings) / len(ratings), 1) if ratings else ""
    elif isinstance(key, SeriesQuestionKey):
        yield from dict.fromkeys(one.text for one in key.rewrites)
    elif isinstance(key, QueryKey):
        yield from (one.text for one in key.solutions)
    else:
        texts = dict.fromkeys(one.text for one in (*key.answers, *key.published))
        letters = dict(zip(getattr(unit, "options", ()), LETTERS, strict=False))
        yield from (f"{letters[text]}. {text}" if text in letters else text for text in texts)


# Typing answers in.


@dataclass(frozen=True)
class TypedIn:
    """What became of typed answers: how many are stored, and what to look at, by number."""

    person: str
    name: str
    count: int
    problems: Mapping[int, str]


def people_to_type_for(session: Session, project_id: str) -> list[Person]:
    """People of a project whose answers can be typed in, by name."""
    people = log.people_by_label(session, project_id).values()
    own = select(Assignment.person_id).where(Assignment.project_id == project_id).distinct()
    events = own.join(Event, Event.assignment_id == Assignment.id)
    begun = {
        *session.scalars(events.where(~Event.client.startswith(TYPED))),
        *session.scalars(own.where(Assignment.ends.is_not(None))),  # their clock runs
    }
    sitters = {person.id for person in workers_of(session, project_id)} - begun
    chosen = (person for person in people if person.id in sitters or _is_placeholder(person))
    return sorted(chosen, key=lambda person: person.name)


def _is_placeholder(person: Person) -> bool:
    """Whether nobody can log in as this person."""
    return person.is_disabled and person.password == "!"


def last_typed(session: Session, project_id: str, person_id: str) -> int:
    """The last event of a person's answers: a form that shows them says which it has seen."""
    own = select(Assignment.id).where(
        Assignment.project_id == project_id, Assignment.person_id == person_id
    )
    return session.scalar(select(func.max(Event.number)).where(Event.assignment_id.in_(own))) or 0


def typed_before(session: Session, project_id: str, person_id: str) -> dict[int, str]:
    """What was typed in for a person, by the numbers of the paper."""
    rows = session.execute(
        select(Item.name, Assignment.id)
        .join(Item, Item.id == Assignment.item_id)
        .where(Assignment.project_id == project_id, Assignment.person_id == person_id)
    ).all()
    states = log.states_of(session, [row.id for row in rows])
    objects = {row.name: states.get(row.id, {}) for row in rows}
    return {
        question.number: words
        for question in printed_paper(session, project_id).questions
        if (words := _typed_words(question, objects.get(question.item, {})))
    }


def _typed_words(question: PrintedQuestion, objects: Mapping[str, Any]) -> str:
    """Stored answers as they would be typed."""
    lines = []
    for _, fields in entries_for(objects, int(question.entry[2:])):
        if fields.get("unanswerable") is True:
            lines.append(NO_ANSWER)
        elif question.unit.values:
            if any(fields.get(name) for name in question.unit.values):
                lines.append(" | ".join(str(fields.get(name, "")) for name in question.unit.values))
        else:
            span = fields.get("answer")
            named = (fields.get(name) for name in ("option", "written", "rewrite", "rating"))
            quote = span.get("quote") if isinstance(span, Mapping) else None
            lines += [str(quote or next(filter(None, named), ""))]
    return "\n".join(filter(None, lines))


def type_in(
    session: Session,
    project: Project,
    answers: Mapping[int, str],
    *,
    by: str,
    person_id: str = "",
    name: str = "",
    seen: int = 0,
) -> TypedIn:
    """Store typed answers as a person's work, and hand them in.

    The person has not begun or cannot log in; a new ``name`` gets an account that nobody can use.
    Nothing takes the place of answers that the form did not show: ``seen`` is their last event.
    """
    session.get(Project, project.id, with_for_update=True)
    person = _person(session, project, person_id, name.strip())
    if last_typed(session, project.id, person.id) != seen:
        message = f"there are answers of {person.name} already: choose Show to see and change them"
        raise UsageError(message)
    stored = {item.name: item for item in items_of(session, project.id, "work")}
    problems: dict[int, str] = {}
    values: dict[str, dict[str, dict[str, Any] | None]] = {name: {} for name in stored}
    unread: set[str] = set()
    count = 0
    paper = printed_paper(session, project.id)
    for question in paper.questions:
        language = question.unit.record.language or paper.language
        typed = typed_answer(question.unit, answers.get(question.number, ""), language)
        if typed.problem:
            problems[question.number] = typed.problem
        if typed.problem == "unreadable":
            unread.add(question.item)
            continue
        count += bool(typed.fields)
        opened = open_item(session, project.id, stored[question.item].id)
        entry = opened.view.objects[question.entry]
        own = values[question.item]
        own[question.entry] = with_fields(entry, typed.fields[0] if typed.fields else {})
        for place, fields in enumerate(typed.fields[1:], 2):
            own[f"{question.entry}.{place}"] = with_fields(entry, fields)
    for item_name, item in stored.items():
        done = {"type": "status", "done": item_name not in unread}
        assignment = assignment_for(session, project, item.id, person)
        _store(session, assignment, by, {**values[item_name], log.STATUS: done})
    detail = {"person": person.id, "typed": count}
    record(session, AuditAction.IMPORTED, by, project.id, **detail)
    return TypedIn(person.id, person.name, count, problems)


def _person(session: Session, project: Project, person_id: str, name: str) -> Person:
    if person_id:
        for person in people_to_type_for(session, project.id):
            if person.id == person_id:
                return person
        raise UsageError("this person works in the hall: nobody types answers in their place")
    if not name:
        raise UsageError("choose a person, or give a name or number")
    require_name(name, "person's", is_file=True)
    known = log.people_by_label(session, project.id)
    if any(
        name.casefold() in (label.casefold(), own.name.casefold()) for label, own in known.items()
    ):
        raise UsageError(f"there is somebody called {name!r} already: choose them from the list")
    return placeholder(session, project, name)


def _store(
    session: Session,
    assignment: Assignment,
    by: str,
    values: Mapping[str, dict[str, Any] | None],
) -> None:
    """Append what differs from what is stored; further answers that are no longer typed go."""
    client = f"{TYPED}{by}"[:40]
    opened = open_item(session, assignment.project_id, assignment.item_id)
    states = log.object_states(session, assignment.id)
    present = log.state_with(opened.view.objects, states)
    gone = [id for id in present if "." in id and id not in values]
    wanted: dict[str, dict[str, Any] | None] = {**values, **dict.fromkeys(gone)}
    before = session.scalar(
        select(func.max(Event.sequence)).where(
            Event.assignment_id == assignment.id, Event.client == client
        )
    )
    changes: list[log.Change] = []
    for id, value in wanted.items():
        if present.get(id) == value:
            continue
        check_object(id, value, opened.texts)
        base = states[id].event if id in states else None
        changes.append(log.Change((before or 0) + len(changes) + 1, id, value, base))
    if changes:
        log.append(session, assignment, client, changes, by=by)
