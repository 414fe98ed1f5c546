"""What judges said of pooled answers: verdicts in their work and in files, and what they settle.

The pool file has a row for each answer and is what ``readmark task gold --adjudicated`` takes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.files import read_lines
from readmark.core.json_lines import decode, json_line
from readmark.core.problems import fail
from readmark.core.source import Source
from readmark.core.writing import writing
from readmark.formats.label_sheets import read_labels
from readmark.formats.people_names import person_by_file
from readmark.formats.registry import open_sitting, open_test
from readmark.formats.sheets import is_table
from readmark.settling import Disagreement
from readmark.tasks.hall.judging_items import ENTRY, entry_id, judges_of, judging_view, rows_of
from readmark.tasks.pooled_answers import UNJUDGED, PooledRow, answer_id, pool
from readmark.tasks.verdicts import (
    SORTS,
    JudgeVerdict,
    judges_by_sort,
    settled,
    sort_of,
    with_verdict,
)
from readmark.works import Objects, PoolVerdicts, ProjectWork, WorkItem
from readmark.works.forms import entries_of
from readmark.works.people_files import work_on

TASK = "task.zip"
"""The task among a project's files; the others are sittings."""


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


def judged_answers(project: ProjectWork, decided: Iterable[Disagreement] = ()) -> PoolVerdicts:
    """What has become of the answers that a project's items ask about, each as a `PooledRow`.

    ``decided`` are the lines of adjudicators; what they say counts alone.
    """
    verdicts = verdicts_on(project)
    final = {line.id: line for line in decided if line.decision is not None}
    overlap = project.configuration.project.overlap
    done: dict[str, PooledRow] = {}
    waiting: dict[str, PooledRow] = {}
    disputed: dict[str, PooledRow] = {}
    for item in project.items:
        needed = judges_of(item, project.configuration) or (overlap if overlap != "all" else 1)
        for id, row in zip(item.key["ids"], rows_of(item), strict=True):
            by_judge = verdicts.get(id, {})
            if (line := final.get(id)) is not None:
                verdict = JudgeVerdict(str(line.adopted), line.reason or "")
                done[id] = with_verdict(row, verdict, str(line.by))
            elif (agreed := settled(row, by_judge, needed=needed)) is not None:
                done[id] = agreed
            elif len(judges_by_sort(by_judge)) > 1:
                disputed[id] = row
            else:
                waiting[id] = row
    return PoolVerdicts(done, waiting, disputed)


# Files.


def write_pool(project: ProjectWork, path: Path, decided: Iterable[Disagreement] = ()) -> Path:
    """Write the pool of all sittings, as ``task pool`` does, with the verdicts that are settled."""
    verdicts = judged_answers(project, decided).settled
    with writing(path) as stream:
        for row in _pooled_rows(project):
            judged = verdicts.get(answer_id(row))
            if judged is not None:
                verdict = JudgeVerdict(sort_of(judged), judged.why or "")
                row = with_verdict(row, verdict, judged.by or "")
            # What judges fill in is there, also where it is empty.
            filled = {"verdict": row.verdict, "by": row.by or "", "why": row.why or ""}
            stream.write(json_line(msgspec.to_builtins(row) | filled))
    return path


def _pooled_rows(project: ProjectWork) -> list[PooledRow]:
    """All that was pooled: from the sittings, which name every candidate, else from the items."""
    rows = {answer_id(row): row for item in project.items for row in rows_of(item)}
    if TASK in project.files:
        with tempfile.TemporaryDirectory(prefix="readmark-pool-") as folder:
            for name, content in project.files.items():
                Path(folder, Path(name).name).write_bytes(content)
            test = open_test(Path(folder, TASK))
            sittings = [
                open_sitting(Path(folder, Path(name).name), test.kind)
                for name in project.files
                if name != TASK
            ]
            rows |= {answer_id(row): row for row in pool(test, sittings) if answer_id(row) in rows}
    return list(rows.values())


def read_verdicts(
    path: Path, items: Mapping[str, WorkItem]
) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Verdicts in a file as people's work: person, item, id of the form, and the form."""
    places = {
        id: (item, number)
        for item in items.values()
        for number, id in enumerate(item.key["ids"], 1)
    }
    for person, id, verdict, place in _file_verdicts(path):
        if id not in places:
            raise DataError(f"the project has no answer {id!r}", file=path, where=place)
        item, number = places[id]
        form = dict(judging_view(item.paper).objects[entry_id(number)])
        fields = {"verdict": verdict.sort, **({"reason": verdict.why} if verdict.why else {})}
        yield person, item.name, entry_id(number), {**form, "fields": fields}


def _file_verdicts(path: Path) -> Iterator[tuple[str, str, JudgeVerdict, int | str | None]]:
    """Who says what of which answer, and where: a table of labels, or a pool file."""
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
