"""How well patterns that were learnt from annotated documents read others.

    python benchmarks/induction.py folds TASK    # train split, in four parts: for development
    python benchmarks/induction.py test TASK     # train split -> test split
    python benchmarks/induction.py curve TASK    # 5, 10, 20, 40 documents -> test split
    python benchmarks/induction.py nfl SHARED    # six NFL recaps -> the other six

TASK is a task whose test split is annotated. Statements are marked as ``task statements`` does;
intervals resample documents. SHARED is the folder with golden/ and data/.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

from extraction import DEVELOPED_ON, compared, table

from readmark.tasks.categories.definitions import ENTITY
from readmark.tasks.categories.mapping import statements_of
from readmark.tasks.categories.marks import MarkedText, TextMark
from readmark.tasks.extraction.domain_summary import read_summary
from readmark.tasks.extraction.engine import PatternReader
from readmark.tasks.extraction.extract import Extraction, build_extractor, open_domain
from readmark.tasks.extraction.induction import induce, symmetric_in
from readmark.tasks.extraction.materials import Materials, shown_files
from readmark.tasks.extraction.notation import read_patterns
from readmark.tasks.extraction.statement_marks import StatementMark, compare_statements
from readmark.tasks.reasoning.graphs import Asserted
from readmark.tasks.reasoning.statement_notation import write_statements_file
from readmark.tasks.records import Document
from readmark.tasks.task_folder import open_task

Annotated = tuple[str, str, list[Asserted]]
SIZES, DRAWS, PARTS = (5, 10, 20, 40), 3, 4
SORTS = {
    "touchdown": "Touchdown",
    "field_goal": "FieldGoal",
    "safety": "Safety",
    "two_point_conversion": "TwoPointConversion",
}


def opened(task: str) -> tuple[Materials, list[Annotated], list[Annotated]]:
    """What an extractor may see, the training documents, and those of the test split."""
    package = open_task(task)
    own = {id: text for id, text in package.documents.items() if package.splits[id] == "test"}
    gold: dict[str, list[Asserted]] = {id: [] for id in own}
    for one in package.asserted():
        if one.graph in gold:
            gold[one.graph].append(one)
    materials = Materials(shown_files(package))
    return materials, list(materials.training()), [(id, own[id], gold[id]) for id in own]


def read(
    materials: Materials, training: Sequence[Annotated], others: Sequence[Annotated]
) -> list[Asserted]:
    """What patterns learnt from some documents find in others."""
    symmetric = symmetric_in(training, materials.theory, materials.ontology)
    learnt = induce(training, materials.categories, materials.namespaces, symmetric=symmetric)
    patterns = read_patterns(learnt.text, "patterns.toml", materials.categories)
    assert patterns is not None
    assert materials.categories is not None
    reader = PatternReader(patterns, materials.categories)
    return [
        one
        for id, text, _ in others
        for one in statements_of(reader.marks(id, text), materials.categories, materials.namespaces)
    ]


def marked(
    materials: Materials, said: list[Asserted], others: Sequence[Annotated]
) -> StatementMark:
    """Precision, recall and F of all statements."""
    gold = [one for _, _, asserted in others for one in asserted]
    return compare_statements(said, gold, materials.ontology)["all"]


def line(mark: StatementMark, documents: int) -> str:
    """A row of a table."""
    figures = " | ".join(f"{100 * (value or 0):.1f}" for value in mark[3:6])
    return f"| {documents} | {figures} | {100 * (mark.low or 0):.1f}–{100 * (mark.high or 0):.1f} |"


HEAD = "| documents | P | R | F | 95% |\n| ---: | ---: | ---: | ---: | ---: |"


def folds(task: str) -> None:
    """Each part of the train split, read by what the others teach."""
    materials, training, _ = opened(task)
    said: list[Asserted] = []
    for part in range(PARTS):
        others = [each for place, each in enumerate(training) if place % PARTS != part]
        said += read(materials, others, training[part::PARTS])
    print(HEAD, line(marked(materials, said, training), len(training)), sep="\n")


def test(task: str) -> None:
    """The test split, read by what the train split teaches."""
    materials, training, others = opened(task)
    started = time.process_time()
    said = read(materials, training, others)
    print(HEAD, line(marked(materials, said, others), len(others)), sep="\n")
    print(f"{time.process_time() - started:.1f} s of CPU for {len(training)} training documents")


def curve(task: str) -> None:
    """F on the test split by how many documents were learnt from."""
    materials, training, others = opened(task)
    print("| training documents | F | draws |\n| ---: | ---: | ---: |")
    for size in sorted({min(size, len(training)) for size in SIZES}):
        draws = 1 if size == len(training) else DRAWS
        scores = []
        for seed in range(draws):
            drawn = random.Random(seed).sample(training, size)
            scores.append(marked(materials, read(materials, drawn, others), others).f or 0)
        print(f"| {size} | {100 * sum(scores) / draws:.1f} | {draws} |")


def nfl(shared: str) -> None:
    """Events of six recaps, read by what the events of six others teach."""
    recaps = json.loads((Path(shared) / "data/nfl/recaps.json").read_text(encoding="utf-8"))
    gold = json.loads((Path(shared) / "golden/nfl_recaps.json").read_text(encoding="utf-8"))
    ids = sorted(gold)
    with tempfile.TemporaryDirectory() as folder:
        write_training(Path(folder), {id: recaps[id]["passage"] for id in ids[:DEVELOPED_ON]}, gold)
        package = open_task(folder)
        extractor = build_extractor("induced", package)
        documents = [Document(id=id, text=recaps[id]["passage"]) for id in ids[DEVELOPED_ON:]]
        readings = {one.document.id: one for one in extractor.extract(documents)}
        extraction = Extraction(readings, extractor.known.ontology, read_summary(package))
        found: dict[str, Any] = extraction.as_json()["documents"]
        counts = compared(found, gold, ids[DEVELOPED_ON:])
        print(table("six training recaps -> second half", counts))
        print(without_teams(found, gold, ids[DEVELOPED_ON:]))


def without_teams(read: Mapping[str, Any], gold: Mapping[str, Any], ids: Sequence[str]) -> str:
    """Events matched on type, player and yards: which team scores is not in the words of most."""
    right = said = there = 0
    for id in ids:
        ours, theirs = (
            Counter((event["type"], event["player"], event["yards"]) for event in side["events"])
            for side in (read[id], gold[id])
        )
        right += (ours & theirs).total()
        said, there = said + ours.total(), there + theirs.total()
    f = 2 * right / max(said + there, 1)
    return f"  without teams F {f:.3f}  ({right} right of {said} read, {there} there)"


def write_training(folder: Path, texts: Mapping[str, str], gold: Mapping[str, Any]) -> None:
    """The events of recaps as a task with annotated statements."""
    for part in ("documents/train", "annotations/train"):
        (folder / part).mkdir(parents=True)
    (folder / "task.toml").write_text('name = "recaps"\ndomain = "nfl_scoring"\nlanguage = "en"\n')
    categories = open_domain("nfl_scoring").categories()
    assert categories is not None
    for id, text in texts.items():
        statements = statements_of(marks_of_events(id, text, gold[id]["events"]), categories)
        (folder / f"documents/train/{id}.txt").write_text(text, encoding="utf-8")
        written = write_statements_file(statements, {id: text}, document=id)
        (folder / f"annotations/train/{id}.statements").write_text(written, encoding="utf-8")


def marks_of_events(id: str, text: str, events: Sequence[Mapping[str, Any]]) -> MarkedText:
    """A mark for each event whose words are quoted, and one for each name in them."""
    marks: list[TextMark] = []
    for event in events:
        start = text.find(event["evidence"] or "\0")
        if start < 0 or event["type"] not in SORTS:
            continue
        end = start + len(event["evidence"])
        values = {name: event[name] for name in ("yards", "quarter") if event[name] is not None}
        values["sort"] = SORTS[event["type"]]
        links: dict[str, str] = {}
        for role, category in (("team", "Team"), ("player", "Player"), ("passer", "Player")):
            name = event.get(role)
            if not name:
                continue
            entity = "-".join(name.split())
            place = next(
                (
                    (at, at + len(words))
                    for words in (name, name.split()[-1])
                    if (at := text.find(words, start, end)) >= 0
                ),
                None,
            )
            if place is None:
                values[role] = entity
                continue
            links[role] = f"T{len(marks) + 1}"
            marks.append(TextMark(links[role], category, (place,), {ENTITY: entity}))
        marks.append(TextMark(f"T{len(marks) + 1}", "Score", ((start, end),), values, links))
    return MarkedText(id, text, tuple(marks))


if __name__ == "__main__":
    {"folds": folds, "test": test, "curve": curve, "nfl": nfl}[sys.argv[1]](sys.argv[2])
