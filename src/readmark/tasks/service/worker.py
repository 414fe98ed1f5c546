"""The other process of a call: what statements imply, and how answers are scored.

It imports nothing of the hall, so that it starts quickly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.binding import require_known_ids, sat_splits
from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.core.folders import Folder
from readmark.core.hidden_marks import require_short_answers, rounded_mark, rounded_ratio
from readmark.core.json_lines import json_line
from readmark.core.sitting import Sitting
from readmark.core.splits import only_splits
from readmark.core.test import Test, split_of
from readmark.formats.native import NATIVE_SITTING
from readmark.formats.registry import open_sitting
from readmark.marking import mark
from readmark.tasks.adjudication import pool
from readmark.tasks.gold_versions import make_gold
from readmark.tasks.kind import TASK
from readmark.tasks.manifest import read_manifest
from readmark.tasks.package import Package, open_package
from readmark.tasks.packer import pack, pack_task, put_file
from readmark.tasks.query_making import write_queries
from readmark.tasks.service.selection import (
    WHOLE,
    TaskSelection,
    gold_version,
    selected_parts,
    selected_test,
)
from readmark.tasks.task_folder import Parts, gather

SECONDS = 20.0
"""How long rules may run, and a query after them."""
MEMORY = 1 << 29
"""Bytes for the database of a call."""
MOST_SHOWN = 10_000
"""Statements, answers or rows of a reply."""
_THEORY = ("ontology", "rules", "decomposition")


def _answered(call: Callable[[], Any]) -> dict[str, Any]:
    """What a call's process replies: the result, or the line that the command line would print."""
    try:
        return {"result": call()}
    except ReadmarkError as error:
        return {"error": str(error)}


# The reasoner.


def work(task: Mapping[str, Any]) -> dict[str, Any]:
    """The other process: what statements imply, contradict or answer."""
    return _answered(lambda: _REASONER[task["call"]](task))


def _given(task: Mapping[str, Any]) -> tuple[list[str], Any]:
    """The inputs with their folder, and the theory: the task's own, or its files alone."""
    from readmark.tasks.ground import Reasoning

    folder = Path(task["folder"])
    inputs = [str(folder / name) for name in task["inputs"]]
    limits: dict[str, Any] = {"seconds": SECONDS, "memory": MEMORY}
    if task["with_task"]:
        return inputs, Reasoning(**limits)
    files = _theory(folder)
    ontology = next(iter(files["ontology"]), None)
    return inputs, Reasoning(ontology=ontology, rules=files["rules"], **limits)


def _theory(folder: Path) -> dict[str, list[str]]:
    """The files of the task that say what follows from what, unpacked."""
    package = Folder(folder / "task.zip")
    target = folder / "theory"
    target.mkdir()
    found: dict[str, list[str]] = {role: [] for role in _THEORY}
    for file in read_manifest(package).of(*_THEORY):
        path = target / Path(file.path).name
        path.write_bytes(package.read(file.path))
        found[file.role].append(str(path))
    return found


def _consistency(task: Mapping[str, Any]) -> dict[str, Any]:
    from readmark.tasks.answers import run_rules

    inputs, reasoning = _given(task)
    found = run_rules(inputs, reasoning, show=0)
    whole = found.as_json()
    members = (
        *("asserted", "contradictions", "contradicting", "not_listed"),
        *("findings", "derivations"),
    )
    return {"consistent": not found.failed, **{name: whole[name] for name in members}}


def _consequences(task: Mapping[str, Any]) -> dict[str, Any]:
    from readmark.tasks.answers import run_rules

    inputs, reasoning = _given(task)
    return run_rules(inputs, reasoning, show=MOST_SHOWN).as_json()


def _explanations(task: Mapping[str, Any]) -> dict[str, Any]:
    from readmark.tasks.answers import explain_contradictions, explain_statements

    inputs, reasoning = _given(task)
    graphs = task["documents"]
    if task["statement"]:
        found = explain_statements(inputs, task["statement"], reasoning, graphs=graphs)
    else:
        found = explain_contradictions(inputs, reasoning, graphs=graphs)
    _require_few(found.derivations, "derivations")
    return {**found.as_json(), "text": str(found), "notes": list(found.notes)}


def _query(task: Mapping[str, Any]) -> dict[str, Any]:
    from readmark.tasks.answers import answer_query, answer_sparql

    inputs, reasoning = _given(task)
    graphs = task["documents"]
    if task["sparql"]:
        rows = answer_sparql(inputs, task["sparql"], reasoning, graphs=graphs)
        _require_few((*rows.found.rows, *rows.found.statements), "results")
        return {**rows.as_json(), "notes": list(rows.notes)}
    found = answer_query(inputs, task["query"], reasoning, graphs=graphs, explained=task["explain"])
    _require_few(found.answers, "answers")
    return found.as_json()


def _decompositions(task: Mapping[str, Any]) -> dict[str, Any]:
    from readmark.tasks.decompositions.totals import QUANTITIES, decompose, decompose_stated

    folder = Path(task["folder"])
    files = _theory(folder)
    if not files["decomposition"]:
        raise DataError("the task declares no quantities", file=QUANTITIES)
    file, most = files["decomposition"][0], task["most"]
    if task["scores"]:
        return decompose(
            file,
            task["scores"],
            sides=task["sides"],
            known=task["known"],
            final=not task["running"],
            most=most,
        ).as_json()
    inputs = [str(folder / name) for name in task["inputs"]]
    if not inputs:
        raise UsageError("give scores or statements")
    return decompose_stated(file, inputs, most=most).as_json()


def _require_few(found: Sequence[Any], noun: str) -> None:
    if len(found) > MOST_SHOWN:
        raise DataError(f"there are more than {MOST_SHOWN:,} {noun}: ask for less at a time")


_REASONER: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "consistency": _consistency,
    "consequences": _consequences,
    "explanations": _explanations,
    "query": _query,
    "decompositions": _decompositions,
}


# Scoring.


MOST_ANSWERS = 100_000
"""Answers of a submission."""
NATIVE = "native.jsonl"
"""The submitted answers as a native sitting, which is kept."""


def score(task: Mapping[str, Any]) -> dict[str, Any]:
    """The other process: a submission's answers, marked by the library."""
    return _answered(lambda: _scored(task))


def _scored(task: Mapping[str, Any]) -> dict[str, Any]:
    """Marks of the splits that are not hidden as ``mark`` gives them; totals of the others.

    The sitting is written again as a native one of the whole task that the part is of.
    """
    folder = Path(task["folder"])
    selection = msgspec.convert(task["selection"], TaskSelection)
    test = selected_test(folder / "task.zip", selection)
    sitting = open_sitting(folder / task["file"], test.kind)
    splits = sat_splits(test, sitting)
    require_known_ids(test, sitting)
    given = [row.answer for id in sitting for row in sitting.of(id)]
    count = sum(len(bindings) for bindings in given if isinstance(bindings, list))
    if not 0 < count <= MOST_ANSWERS:
        raise DataError(f"has {count} answers, expected 1 to {MOST_ANSWERS}", file=sitting.file)
    answered_splits = {split_of(unit.record) for unit in test.units() if unit.id in sitting.rows}
    hidden = [name for name in splits if name in test.header.hidden]
    shown = [name for name in splits if name not in hidden and name in answered_splits]
    ids = {unit.id for unit in test.units() if split_of(unit.record) in hidden}
    require_short_answers(row for id in sitting if id in ids for row in sitting.of(id))
    _write_native(sitting, test, folder / NATIVE, is_part=selection != WHOLE)
    result: dict[str, Any] = {
        "candidate": sitting.candidate,
        "answers": count,
        "gold": gold_version(test),
        "paper": test.facts.paper,
        "public": None,
        "hidden": [],
    }
    if findings := list(TASK.answer_notes(test, sitting, of_person=False)):
        result["findings"] = findings
    if shown:
        part = only_splits(test, shown)
        marks = mark(part, sitting, people=_people(part, task["people"]), classes=False)
        result["public"] = marks.as_json(units=False)
        result["unjudged"] = sum(1 for _ in pool(part, [sitting]))
    for name in hidden:
        if name in answered_splits:
            result["hidden"].append(_totals(only_splits(test, [name]), name, sitting, task))
    return result


def _totals(part: Test, name: str | None, sitting: Sitting, task: Mapping[str, Any]) -> Any:
    """The marks of a hidden split: of the whole of it, rounded, and nothing of single units."""
    header = msgspec.structs.replace(sitting.header, covers=None, limit=None)
    whole = replace(sitting, header=header)
    marks = mark(part, whole, people=_people(part, task["people"]), classes=False)
    found = marks.as_json(units=False)
    counted = marks.scores.counted
    units = {metric: counted.get(metric, marks.units) for metric in found["marks"]}
    shown = {metric: rounded_mark(each, units[metric]) for metric, each in found["marks"].items()}
    totals = {"split": name, "units": found["units"], "marks": shown}
    if "people" in found:
        ratios = {
            metric: rounded_ratio(each, units[metric], found["marks"][metric]["scale"])
            for metric, each in found["people"]["marks"].items()
        }
        totals["people"] = {"marks": ratios}
    return totals


def _write_native(sitting: Sitting, test: Test, path: Path, *, is_part: bool) -> None:
    """The answers with their candidate; those to a part of a task are known by their ids."""
    header = msgspec.structs.replace(
        sitting.header, candidate=sitting.candidate, kind=test.kind.name
    )
    if is_part:
        covers = header.covers or tuple(unit.id for unit in test.units())
        header = msgspec.structs.replace(header, paper=None, splits={}, limit=None, covers=covers)
    NATIVE_SITTING.write_sitting(replace(sitting, header=header), path)


def _people(part: Test, folder: str | None) -> list[Sitting]:
    """What people answered to a part of a task, where they sat the task."""
    if folder is None:
        return []
    ids = {unit.id for unit in part.units()}
    found = []
    for file in sorted(Path(folder).glob("*.jsonl")):
        sitting = open_sitting(file, part.kind)
        rows = {id: row for id, row in sitting.rows.items() if id in ids}
        covers = sitting.header.covers
        header = msgspec.structs.replace(
            sitting.header,
            paper=None,
            splits={},
            covers=None if covers is None else tuple(id for id in covers if id in ids),
        )
        if rows:
            found.append(replace(sitting, header=header, rows=rows))
    return found


# Packages that people send, and tasks with queries of their own.


PACKED = "packed.zip"
MOST_UNPACKED = 64 << 20
"""Bytes of the files of a package: the hall's own process reads them when they are asked for."""


def check(task: Mapping[str, Any]) -> dict[str, Any]:
    """The other process: checks a package that was uploaded, and packs it."""
    return _answered(lambda: _checked(Path(task["folder"]), task["file"]))


def _checked(folder: Path, file: str, **about: Any) -> dict[str, Any]:
    packed = pack_task(folder / file, folder / PACKED, about=about)
    if packed.failed:
        first, *rest = (one for one in packed.problems if one.severity != "warning")
        more = f" (and {len(rest):,} more: see readmark check)" if rest else ""
        raise DataError(f"{first}{more}")
    manifest = open_package(folder / PACKED).manifest
    size = sum(each.bytes for each in manifest.files)
    if size > MOST_UNPACKED:
        message = f"has {size >> 20} MB unpacked, expected {MOST_UNPACKED >> 20} MB at most"
        raise DataError(message, file=file)
    return {"name": manifest.name}


def make(task: Mapping[str, Any]) -> dict[str, Any]:
    """The other process: a part of a task with queries made from its ontology, and their gold."""
    return _answered(lambda: _made(task))


def _made(task: Mapping[str, Any]) -> dict[str, Any]:
    folder = Path(task["folder"])
    selection = TaskSelection(documents=tuple(task["documents"]))
    parts = selected_parts(gather(folder / "task.zip"), selection)
    manifest = parts.package.manifest
    files = tuple(file for file in manifest.files if file.role not in ("queries", "answers"))
    manifest = msgspec.structs.replace(manifest, files=files)
    target = folder / "made"
    pack(Parts(Package(parts.package.folder, manifest), parts.lent), target)
    ontologies = [file.path for file in files if file.role == "ontology"]
    if not ontologies:
        raise DataError("the task has no ontology to make queries from")
    rows = write_queries(
        str(target / ontologies[0]),
        [str(target)] if task["attested"] else (),
        sorts=task["sorts"],
        language=task["language"],
        most=task["most"],
        seed=task["seed"],
    ).queries
    put_file(open_package(target), "queries.jsonl", b"".join(map(json_line, rows)))
    for split in {file.split for file in files if file.role == "document"}:
        name = "answers.jsonl" if split is None else f"answers.{split}.jsonl"
        several = len({one.annotator for one in open_package(target).asserted()}) > 1
        make_gold(target, target / name, split=split, union=several)
    return _checked(folder, "made", name=task["name"])
