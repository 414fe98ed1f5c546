"""The reasoner in a process of its own: what statements imply, contradict or answer.

It imports nothing of the hall, so that it starts quickly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.core.folders import Folder
from readmark.tasks.manifest import read_manifest

if TYPE_CHECKING:
    from readmark.tasks.knowledge_base import Reasoning

SECONDS = 20.0
"""How long rules may run, and a query after them."""
MEMORY = 1 << 29
"""Bytes for the database of a call."""
MOST_SHOWN = 10_000
"""Statements, answers or rows of a reply."""
_THEORY = ("ontology", "rules", "decomposition")


def answered(call: Callable[[], Any]) -> dict[str, Any]:
    """What a call's process replies: the result, or the line that the command line would print."""
    try:
        return {"result": call()}
    except ReadmarkError as error:
        return {"error": str(error)}


def reason_in_process(task: Mapping[str, Any]) -> dict[str, Any]:
    """The other process: one of the calls below."""
    return answered(lambda: _CALLS[task["call"]](task))


def _inputs(task: Mapping[str, Any]) -> tuple[list[str], Reasoning]:
    """The inputs with their folder, and the theory: the task's own, or its files alone."""
    from readmark.tasks.knowledge_base import Reasoning

    folder = Path(task["folder"])
    inputs = [str(folder / name) for name in task["inputs"]]
    limits: dict[str, Any] = {"seconds": SECONDS, "memory": MEMORY}
    if task["with_task"]:
        return inputs, Reasoning(**limits)
    files = _theory(folder)
    ontology = next(iter(files["ontology"]), None)
    return inputs, Reasoning(ontology=ontology, rules=files["rules"], **limits)


def _theory(folder: Path) -> dict[str, list[str]]:
    """The files of the task that say what follows from what, unpacked, by their role."""
    package = Folder(folder / "task.zip")
    target = folder / "theory"
    target.mkdir()
    files: dict[str, list[str]] = {role: [] for role in _THEORY}
    for file in read_manifest(package).of(*_THEORY):
        path = target / Path(file.path).name
        path.write_bytes(package.read(file.path))
        files[file.role].append(str(path))
    return files


def _consistency(task: Mapping[str, Any]) -> dict[str, Any]:
    from readmark.tasks.inferring import run_rules

    inputs, reasoning = _inputs(task)
    run = run_rules(inputs, reasoning, show=0)
    members = ("asserted", "contradictions", "contradicting", "not_listed", "findings")
    document = run.as_json()
    about = {name: document[name] for name in (*members, "derivations")}
    return {"consistent": not run.failed, **about}


def _consequences(task: Mapping[str, Any]) -> dict[str, Any]:
    from readmark.tasks.inferring import run_rules

    inputs, reasoning = _inputs(task)
    return run_rules(inputs, reasoning, show=MOST_SHOWN).as_json()


def _explanations(task: Mapping[str, Any]) -> dict[str, Any]:
    from readmark.tasks.explaining import explain_contradictions, explain_statements

    inputs, reasoning = _inputs(task)
    graphs = task["documents"]
    if task["statement"]:
        explained = explain_statements(inputs, task["statement"], reasoning, graphs=graphs)
    else:
        explained = explain_contradictions(inputs, reasoning, graphs=graphs)
    _require_few(explained.derivations, "derivations")
    return {**explained.as_json(), "text": str(explained), "notes": list(explained.notes)}


def _query(task: Mapping[str, Any]) -> dict[str, Any]:
    from readmark.tasks.querying import answer_query, answer_sparql

    inputs, reasoning = _inputs(task)
    graphs = task["documents"]
    if task["sparql"]:
        reply = answer_sparql(inputs, task["sparql"], reasoning, graphs=graphs)
        _require_few((*reply.found.rows, *reply.found.statements), "results")
        return {**reply.as_json(), "notes": list(reply.notes)}
    answers = answer_query(
        inputs, task["query"], reasoning, graphs=graphs, explained=task["explain"]
    )
    _require_few(answers.answers, "answers")
    return answers.as_json()


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


def _require_few(listed: Sequence[Any], noun: str) -> None:
    if len(listed) > MOST_SHOWN:
        raise DataError(f"there are more than {MOST_SHOWN:,} {noun}: ask for less at a time")


_CALLS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "consistency": _consistency,
    "consequences": _consequences,
    "explanations": _explanations,
    "query": _query,
    "decompositions": _decompositions,
}
