"""The pool file of a judging project, and verdicts read from files.

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
from readmark.tasks.hall.judging_items import rows_of
from readmark.tasks.hall.judging_view import entry_id, judging_view
from readmark.tasks.hall.verdicts import judged_answers
from readmark.tasks.pooled_answers import UNJUDGED, PooledRow, answer_id, pool
from readmark.tasks.verdicts import SORTS, JudgeVerdict, sort_of, with_verdict
from readmark.works import ProjectWork, WorkItem

_TASK = "task.zip"
"""The task among a project's files; the others are sittings."""


def write_pool(project: ProjectWork, path: Path, decisions: Iterable[Disagreement] = ()) -> Path:
    """Write the pool of all sittings, as ``task pool`` does, with the verdicts that are settled."""
    verdicts = judged_answers(project, decisions).settled
    with writing(path) as stream:
        for row in _pooled_rows(project):
            settled = verdicts.get(answer_id(row))
            if settled is not None:
                verdict = JudgeVerdict(sort_of(settled), settled.why or "")
                row = with_verdict(row, verdict, settled.by or "")
            # What judges fill in is there, also where it is empty.
            fields = {"verdict": row.verdict, "by": row.by or "", "why": row.why or ""}
            stream.write(json_line(msgspec.to_builtins(row) | fields))
    return path


def _pooled_rows(project: ProjectWork) -> list[PooledRow]:
    """All that was pooled: from the sittings, which name every candidate, else from the items."""
    rows = {answer_id(row): row for item in project.items for row in rows_of(item)}
    if _TASK in project.files:
        with tempfile.TemporaryDirectory(prefix="readmark-pool-") as folder:
            for name, content in project.files.items():
                Path(folder, Path(name).name).write_bytes(content)
            test = open_test(Path(folder, _TASK))
            sittings = [
                open_sitting(Path(folder, Path(name).name), test.kind)
                for name in project.files
                if name != _TASK
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
    """Person, id of the answer, verdict and place, from a table of labels or a pool file."""
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
                message = "a verdict needs its sort and the person who gave it"
                raise DataError(message, file=path, where=number)
            yield row.by, answer_id(row), JudgeVerdict(sort_of(row), row.why or ""), number
