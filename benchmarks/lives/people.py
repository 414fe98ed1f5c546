"""Sittings of people who do not exist: the gold of a task's split with omissions and slips.

    python benchmarks/lives/people.py TASK FOLDER

Every second document is read by two of the three. They stand in for a panel so that the demo can
compare candidates with people; they say nothing of how people read.
"""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.binding import paper_members
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.formats.inputs import load
from readmark.formats.native_sitting import NATIVE_SITTING
from readmark.tasks.manifest import AnswerRow
from readmark.tasks.task_folder import open_task

SPLIT = "test"
PEOPLE = 3
CARE = ({"stated": 0.06, "inferred": 0.30, "slip": 0.03},
        {"stated": 0.12, "inferred": 0.40, "slip": 0.05},
        {"stated": 0.09, "inferred": 0.55, "slip": 0.02})  # fmt: skip
"""How often each leaves out an answer that is stated or inferred, and writes a number wrong."""


def answered(rows: list[AnswerRow], care: dict[str, float], random_: random.Random) -> list[Any]:
    """What somebody of this care writes of the gold's answers to a query."""
    found = []
    for row in rows:
        if random_.random() < care["inferred" if row.inferred else "stated"]:
            continue
        values = dict(row.values)
        if random_.random() < care["slip"]:
            for name, value in values.items():
                if isinstance(value, int) and not isinstance(value, bool):
                    values[name] = value + random_.choice((-10, -1, 1, 10))
                elif isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
                    values[name] = value[:8] + ("11" if value[8:] != "11" else "12")
        found.append({"values": values, "mentions": msgspec.to_builtins(row.mentions)})
    return found


def main(task: str, folder: str) -> None:
    test = load(task, split=SPLIT)
    package = open_task(task)
    rows: dict[tuple[str, str], list[AnswerRow]] = {}
    for file in package.manifest.of("answers"):
        if file.split == SPLIT:
            for line in package.folder.read(file.path).splitlines():
                row = msgspec.json.decode(line, type=AnswerRow)
                rows.setdefault((row.document, row.query), []).append(row)
    units = list(test.units())
    documents = list(dict.fromkeys(unit.group for unit in units))[::2]
    Path(folder).mkdir(parents=True, exist_ok=True)
    for person in range(PEOPLE):
        random_ = random.Random(person)
        own = {id for at, id in enumerate(documents) if at % PEOPLE != person}
        read = [unit for unit in units if unit.group in own]
        sat = {
            unit.id: Row(
                id=unit.id,
                answer=answered(rows.get((unit.group, unit.item.query), []), CARE[person], random_),
            )
            for unit in read
        }
        name = f"synthetic-person-{person + 1}"
        header = SittingHeader(
            kind=test.kind.name,
            **paper_members(test),
            candidate=name,
            signature={"synthetic": "the gold with omissions and slips", **CARE[person]},
            covers=tuple(unit.id for unit in read),
            fields={"synthetic": True},
        )
        NATIVE_SITTING.write_sitting(Sitting(header, sat), Path(folder) / f"{name}.jsonl")


if __name__ == "__main__":
    main(*sys.argv[1:])
