"""Judging the answers of systems that are in no gold yet.

"Annotators can quickly view the machine-provided answers along with their provenance" ("The DARPA
Machine Reading Program", section 3.3). The library pools what nobody has judged, each answer once.
Judges see where an answer was read and how it was found, never which systems gave it. Their
verdicts are the pool file that ``readmark task gold --adjudicated`` takes.
"""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError, did_you_mean
from readmark.core.files import read_lines
from readmark.core.json_lines import decode, json_line
from readmark.core.language import primary
from readmark.core.problems import fail
from readmark.core.sitting import Sitting
from readmark.core.source import Source
from readmark.core.spans import excerpt_fault
from readmark.core.test import Test
from readmark.core.writing import writing
from readmark.formats.label_sheets import read_labels
from readmark.formats.registry import open_sitting, open_test
from readmark.formats.returned_work import person_by_file
from readmark.formats.sheets import is_table, write_sheet
from readmark.settling import (
    Disagreement,
    grouped_versions,
    version_line,
    write_decision_lines,
)
from readmark.tasks.adjudication import (
    SORTS,
    UNJUDGED,
    JudgeVerdict,
    PooledRow,
    answer_id,
    judged_as,
    pool,
    settled,
    sort_of,
)
from readmark.tasks.metrics import pieces
from readmark.tasks.records import token
from readmark.tasks.task_folder import open_task
from readmark.works import (
    Configuration,
    EntryField,
    ItemView,
    Objects,
    ProjectMaterials,
    ProjectWork,
    TextView,
    WorkFinding,
    WorkItem,
    in_language,
)
from readmark.works.decisions import DecisionForms, DisputedPlace, dispute_item
from readmark.works.forms import (
    NOTE,
    entries_of,
    fields_of,
    form_faults,
)
from readmark.works.passages import by_item, named_work, note_of, people_folder, work_on

ENTRY = "judgement"
DOUBLE = "double"
"""The option with the share of items that two people judge; in an item's key, whether it is one."""
MOST_ANSWERS = 20
"""Answers of an item."""
POOL, TASK = "pool.jsonl", "task.zip"
_TEXT = "document"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True)
class UnjudgedAnswers:
    """Pooled answers, and the documents that they are about."""

    rows: Sequence[PooledRow]
    documents: Mapping[str, TextView]

    def __len__(self) -> int:
        return len(self.rows)

    def items(self, known: Sequence[WorkItem], configuration: Configuration) -> Iterator[WorkItem]:
        """An item for each document with answers that no item asks about; a share is for two."""
        ids = {id for item in known for id in item.key["ids"]}
        by_document: dict[str, list[PooledRow]] = {}
        for row in self.rows:
            if answer_id(row) not in ids:
                by_document.setdefault(row.document, []).append(row)
        taken = {item.name for item in known}
        made = []
        for document, new in by_document.items():
            text = self.documents[document]
            for first in range(0, len(new), MOST_ANSWERS):
                name = _free_name(document, taken)
                taken.add(name)
                made.append(_item(name, text, new[first : first + MOST_ANSWERS]))
        share = float(configuration.options.get(DOUBLE, 0))
        before = sum(bool(item.key[DOUBLE]) for item in known)
        wanted = max(0, round(share * (len(known) + len(made))) - before)
        drawn = sorted(
            (item.name for item in made),
            key=lambda name: random.Random(f"{configuration.project.seed}:{name}").random(),
        )[:wanted]
        for item in made:
            yield WorkItem(item.name, item.paper, {**item.key, DOUBLE: item.name in drawn})


def _documents(test: Test, ids: Container[str]) -> dict[str, TextView]:
    """The documents of these ids, as pages show them."""
    return {
        record.id: TextView(
            record.id, record.text, primary(record.language or test.language), record.title or ""
        )
        for record in test.records()
        if record.id in ids
    }


class JudgingAnswers:
    """Say of each pooled answer whether it is explicit, inferred, wrong or out of bounds."""

    def faults(self, configuration: Configuration) -> Iterable[tuple[tuple[str, ...], str]]:
        """A form without verdicts, verdicts that there are not, and a share that is none."""
        yield from form_faults(configuration, ENTRY, "verdict")
        verdict = fields_of(configuration, ENTRY).get("verdict")
        for choice in verdict.choices if verdict is not None else ():
            if choice not in SORTS:
                message = f"no verdict {choice!r}; {did_you_mean(str(choice), SORTS)}"
                yield ("entry", ENTRY, "fields", "verdict"), message
        share = configuration.options.get(DOUBLE, 0)
        if not isinstance(share, (int, float)) or not 0 <= share <= 1:
            yield ("options", DOUBLE), f"{DOUBLE} is {share!r}, expected a share from 0 to 1"

    def divide(
        self, tests: Sequence[Test], configuration: Configuration, *, purpose: str = "work"
    ) -> Iterator[WorkItem]:
        """Nothing: sittings bring the items."""
        if purpose != "work":
            raise DataError(f"the work 'judging' has no {purpose} items", file=tests[0].file)
        return iter(())

    def keep(self, tests: Sequence[Test], configuration: Configuration) -> ProjectMaterials:
        """The task, whole; what is no reading task with answers is refused."""
        for test in tests:
            test.require_kind("task")
            package = open_task(test.file)
            if not any(True for _ in package.manifest.of("answers")):
                message = "the task has no answers yet: readmark task gold makes them"
                raise DataError(message, file=test.file)
        return ProjectMaterials(about={})

    def pool(self, test: Test, sittings: Sequence[Sitting]) -> UnjudgedAnswers:
        """The answers of the sittings that the gold does not decide on, with their documents."""
        rows = list(pool(test, sittings))
        return UnjudgedAnswers(rows, _documents(test, {row.document for row in rows}))

    def people_for(self, item: WorkItem, configuration: Configuration) -> int | None:
        """Two for the items that were drawn, as long as the project asks for a share of them."""
        is_double = item.key[DOUBLE] and configuration.options.get(DOUBLE, 0)
        return 2 if is_double and configuration.project.overlap == 1 else None

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """The document and its answers."""
        return _view(item.paper)

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Nothing: the page itself lists answers without a verdict."""
        return iter(())

    def grade(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Nothing: nobody knows the verdicts before."""
        return iter(())

    def write(self, project: ProjectWork, folder: Path) -> list[Path]:
        """Labels of each judge, the pool with the verdicts that are settled, and what it is of."""
        made: list[Path] = []
        for person in named_work(project):
            rows = []
            for item, objects in work_on(person, project.items):
                note = note_of(objects)
                for id, verdict, answer in _given(item, objects):
                    document = item.paper["id"]
                    text = f"{answer['question']} {_values_text(answer)}"
                    rows.append([id, document, verdict.sort, verdict.why, text, note])
                    note = ""
            if rows:
                path = people_folder(folder) / f"{person.person}.csv"
                columns = ("id", "passage", "verdict", "reason", "text", NOTE)
                write_sheet(path, columns, rows)
                made.append(path)
        for name, content in project.files.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            made.append(target)
        if project.items:
            made.append(_write_pool(project, (), folder / POOL))
        return made

    def read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, Objects]]:
        """Labels of judges in CSV, or a pool file with verdicts."""
        return by_item(_read(path, items))


# Items and what a page shows of them.


def _free_name(document: str, taken: set[str]) -> str:
    name, number = document, 1
    while name in taken:
        number += 1
        name = f"{document} ({number})"
    return name


def _item(name: str, document: TextView, rows: Sequence[PooledRow]) -> WorkItem:
    """An item; its paper names no candidate."""
    paper = {
        "id": document.id,
        "title": document.title,
        "text": document.text,
        "language": document.language,
        "answers": [_shown(row, document.text) for row in rows],
    }
    key = {
        "ids": [answer_id(row) for row in rows],
        "rows": [msgspec.to_builtins(row) for row in rows],
        DOUBLE: False,
    }
    return WorkItem(name, paper, key)


def _shown(row: PooledRow, text: str) -> dict[str, Any]:
    """What a judge sees of an answer: texts of systems are cut, so that a form can be saved."""
    here = [
        excerpt
        for excerpt in row.excerpts
        if excerpt.document == row.document and not excerpt_fault(excerpt, text)
    ]
    others = [
        context
        for excerpt, context in zip(row.excerpts, row.context, strict=True)
        if excerpt not in here
    ]
    return {
        "question": _cut(row.question or row.graph or row.query, 500),
        "values": {
            _cut(name, 60): value_words(value, row.mentions)
            for name, value in list(row.values.items())[:12]
        },
        "places": pieces(here).get(row.document, [])[:12],
        "context": [_cut(context, 300) for context in others[:8]],
        "derivation": _cut(row.derivation or "", 4000),
    }


def value_words(value: Any, mentions: Mapping[str, Sequence[str]]) -> str:
    """A value with the words that the document has for it."""
    text = token(value)
    shown = _cut(text[1:-1] if re.fullmatch(r'".*"', text, re.DOTALL) else text, 200)
    words = [word for word in mentions.get(str(value), ()) if word != str(value)]
    return f"{shown} (“{_cut('”, “'.join(words), 200)}”)" if words else shown


def _cut(text: str, most: int) -> str:
    text = _CONTROL.sub(" ", text)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _values_text(answer: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}: {value}" for name, value in answer["values"].items())


def _view(paper: Mapping[str, Any]) -> ItemView:
    text: str = paper["text"]
    objects = {}
    for number, answer in enumerate(paper["answers"], 1):
        quotes = [f"“{_cut(text[start:end], 200)}”" for start, end in answer["places"][:8]]
        value: dict[str, Any] = {
            "type": "entry",
            "entry": ENTRY,
            "order": float(number),
            "prompt": f"{answer['question']} → {_values_text(answer)}",
            "context": "\n".join([*quotes, *answer["context"]]),
            "places": [
                {"text": _TEXT, "start": start, "end": end} for start, end in answer["places"]
            ],
            "fields": {},
        }
        if answer["derivation"]:
            value["detail"] = answer["derivation"]
        objects[_entry_id(number)] = value
    shown = TextView(_TEXT, text, paper["language"], paper["title"] or paper["id"])
    return ItemView((shown,), objects)


def _entry_id(number: int) -> str:
    return f"a-{number}"


# Verdicts.


def _given(
    item: WorkItem, objects: Objects
) -> Iterator[tuple[str, JudgeVerdict, Mapping[str, Any]]]:
    """The answers of an item on which somebody has a verdict."""
    filled = dict(entries_of(objects, ENTRY))
    for number, answer in enumerate(item.paper["answers"], 1):
        fields = filled.get(_entry_id(number), {})
        if fields.get("verdict") in SORTS:
            why = fields.get("reason")
            verdict = JudgeVerdict(fields["verdict"], why.strip() if isinstance(why, str) else "")
            yield item.key["ids"][number - 1], verdict, answer


@dataclass(frozen=True)
class JudgedPool:
    """The rows of a pool by what has become of them."""

    settled: tuple[PooledRow, ...]
    waiting: tuple[PooledRow, ...]
    """Not judged, or not by enough people."""
    disputed: tuple[PooledRow, ...]
    """Judged differently, and nobody has decided."""

    @property
    def settled_ids(self) -> frozenset[str]:
        """The ids of the answers whose verdict is settled."""
        return frozenset(map(answer_id, self.settled))


def settled_verdicts(project: ProjectWork, decided: ProjectWork) -> JudgedPool:
    """What judges' verdicts and adjudicators' decisions make of a project's pooled answers."""
    lines = JUDGING_DISPUTES.decided(decided).values()
    return judged_pool(project, [line for own in lines for line in own])


def judged_pool(project: ProjectWork, decided: Iterable[Disagreement] = ()) -> JudgedPool:
    """The verdicts of judges on the answers in the items that they handed in.

    ``decided`` are the lines of adjudicators; what they say counts alone.
    """
    verdicts = verdicts_on(project)
    final = {line.id: line for line in decided if line.decision is not None}
    overlap = project.configuration.project.overlap
    groups: tuple[list[PooledRow], ...] = ([], [], [])
    for item in project.items:
        wanted = JUDGING.people_for(item, project.configuration)
        needed = wanted or (overlap if overlap != "all" else 1)
        for id, row in zip(item.key["ids"], rows_of(item), strict=True):
            said = verdicts.get(id, {})
            if (line := final.get(id)) is not None:
                verdict = JudgeVerdict(str(line.adopted), line.reason or "")
                groups[0].append(judged_as(row, verdict, str(line.by)))
            elif (done := settled(row, said, needed=needed)) is not None:
                groups[0].append(done)
            else:
                differ = len({verdict.sort for verdict in said.values()}) > 1
                groups[2 if differ else 1].append(row)
    return JudgedPool(*map(tuple, groups))


def rows_of(item: WorkItem) -> list[PooledRow]:
    """The pooled answers that an item asks about."""
    return msgspec.convert(item.key["rows"], list[PooledRow])


def verdicts_on(project: ProjectWork) -> dict[str, dict[str, JudgeVerdict]]:
    """Answer -> person -> verdict, of the items that are handed in."""
    found: dict[str, dict[str, JudgeVerdict]] = {}
    for person in project.people:
        for item, objects in work_on(person, project.items):
            if item.name in person.finished:
                for id, verdict, _ in _given(item, objects):
                    found.setdefault(id, {})[person.person] = verdict
    return found


# Files.


def _write_pool(project: ProjectWork, decided: Iterable[Disagreement], path: Path) -> Path:
    """The pool of all sittings, as ``task pool`` writes it, with the verdicts that are settled."""
    done = {answer_id(row): row for row in judged_pool(project, decided).settled}
    with writing(path) as stream:
        for row in _every_row(project):
            said = done.get(answer_id(row))
            if said is not None:
                row = judged_as(row, JudgeVerdict(sort_of(said), said.why or ""), said.by or "")
            # What judges fill in is there, also where it is empty.
            filled = {"verdict": row.verdict, "by": row.by or "", "why": row.why or ""}
            stream.write(json_line(msgspec.to_builtins(row) | filled))
    return path


def _every_row(project: ProjectWork) -> list[PooledRow]:
    """All that was pooled: from the sittings, which name every candidate, else from the items."""
    asked = {answer_id(row): row for item in project.items for row in rows_of(item)}
    if TASK in project.files:
        with tempfile.TemporaryDirectory(prefix="readmark-pool-") as folder:
            for name, content in project.files.items():
                path = Path(folder, Path(name).name)
                path.write_bytes(content)
            test = open_test(Path(folder, TASK))
            sat = [
                open_sitting(Path(folder, Path(name).name), test.kind)
                for name in project.files
                if name != TASK
            ]
            asked |= {answer_id(row): row for row in pool(test, sat) if answer_id(row) in asked}
    return list(asked.values())


def _read(
    path: Path, items: Mapping[str, WorkItem]
) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    places = {
        id: (item, number)
        for item in items.values()
        for number, id in enumerate(item.key["ids"], 1)
    }
    for person, id, verdict, place in _said(path):
        if id not in places:
            raise DataError(f"the project has no answer {id!r}", file=path, where=place)
        item, number = places[id]
        value = dict(_view(item.paper).objects[_entry_id(number)])
        fields = {"verdict": verdict.sort, **({"reason": verdict.why} if verdict.why else {})}
        yield person, item.name, _entry_id(number), {**value, "fields": fields}


def _said(path: Path) -> Iterator[tuple[str, str, JudgeVerdict, int | str | None]]:
    """Who says what of which answer: labels, or a pool file with verdicts."""
    if is_table(Source(path)):
        for person, answers in read_labels(str(path)).people.items():
            for id, labels in answers.items():
                if labels.get("verdict") in SORTS:
                    verdict = JudgeVerdict(labels["verdict"], labels.get("reason") or "")
                    yield person or person_by_file(path), id, verdict, id
        return
    decoder = msgspec.json.Decoder(PooledRow)
    for number, raw in read_lines(str(path)):
        row = decode(str(path), number, raw, decoder, fail)
        if row is not None and row.verdict != UNJUDGED:
            if sort_of(row) not in SORTS or not row.by:
                raise DataError("a verdict says what and by whom it is", file=path, where=number)
            yield row.by, answer_id(row), JudgeVerdict(sort_of(row), row.why or ""), number


# Where judges differ.


class JudgingDisputes(DecisionForms):
    """An adjudicator decides on the answers that judges judged differently."""

    def other_field(self, project: Configuration) -> EntryField:
        """The verdicts."""
        return fields_of(project, ENTRY)["verdict"]

    def lines(self, item: WorkItem, objects: Objects, by: str) -> Iterator[Disagreement]:
        """The decided lines; another verdict is one of those that there are."""
        for own in super().lines(item, objects, by):
            is_verdict = own.decision is None or own.adopted in SORTS
            yield own if is_verdict else msgspec.structs.replace(own, decision=None, other=None)

    def disputes(self, project: ProjectWork) -> Iterator[WorkItem]:
        """The answers of an item on which finished judgements differ."""
        verdicts = verdicts_on(project)
        choices = fields_of(project.configuration, ENTRY)["verdict"].choices
        for item in project.items:
            text, forms = _view(item.paper).texts, list(_view(item.paper).objects.values())
            language = item.paper["language"]
            places, shown = [], []
            for id, form in zip(item.key["ids"], forms, strict=True):
                said = verdicts.get(id, {})
                groups = grouped_versions((who, verdict.sort) for who, verdict in said.items())
                if len(groups) < 2:
                    continue
                labels = dict(choices) if isinstance(choices, dict) else {}
                reasons = {
                    sort: [said[who].why for who in people if said[who].why]
                    for sort, people in groups
                }
                words = [
                    " – ".join([in_language(labels.get(sort, sort), language), *reasons[sort]])
                    for sort, _ in groups
                ]
                line = version_line(id, "verdict", item.paper["id"], groups, unit=id)
                places.append(DisputedPlace(line, form["prompt"], words, form["context"]))
                shown.append({name: form[name] for name in ("places", "detail") if name in form})
            if places:
                made = dispute_item(item.name, text, places, project.configuration.project.seed)
                for form, more in zip(made.paper["objects"].values(), shown, strict=True):
                    form |= more
                yield made

    def write(self, project: ProjectWork, decided: ProjectWork, folder: Path) -> list[Path]:
        """The pool with all verdicts, these as labels, and the decisions."""
        lines = [line for own in self.decided(decided).values() for line in own]
        judged = judged_pool(project, lines).settled
        columns = ("id", "passage", "verdict", "person")
        rows = [[answer_id(row), row.document, sort_of(row), row.by or ""] for row in judged]
        write_sheet(folder / "adjudicated.csv", columns, rows)
        made = [folder / "adjudicated.csv", _write_pool(project, lines, folder / POOL)]
        return made + write_decision_lines(folder, "judging", lines)


JUDGING = JudgingAnswers()
JUDGING_DISPUTES = JudgingDisputes()
