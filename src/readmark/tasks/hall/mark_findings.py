"""What is found in a person's marks: those that state nothing, contradictions, and the key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import msgspec

from readmark.core.errors import ReadmarkError
from readmark.tasks.annotator_graphs import DocumentGraph, aligned, mapped
from readmark.tasks.categories.mapping import broken_marks, statements_of
from readmark.tasks.categories.marks import MarkedText, TextMark
from readmark.tasks.hall.knowledge import Knowledge, knowledge_of
from readmark.tasks.hall.mark_objects import marked_text
from readmark.tasks.reasoning.graphs import Asserted, Statement, write_triple
from readmark.tasks.reasoning.statement_notation import read_statements_file
from readmark.works import (
    HEAVY_CALLS,
    Configuration,
    Objects,
    WorkFinding,
    WorkItem,
    run_call,
)

SECONDS = 10.0
"""How long a check of one document may take."""
FEW_MARKS = 60
"""So many are checked in the hall's own process, in a quarter of a second; more in one apart."""
MOST_MARKS = 2000
"""Marks of a document beyond which it is not checked."""
MOST_CONTRADICTIONS = 100
"""Contradictions that a check shows: marks of one person's 30 births and deaths make 900."""


def check_marks(
    item: WorkItem, objects: Objects, configuration: Configuration
) -> Iterator[WorkFinding]:
    """Marks that state nothing yet, and contradictions with how they come about."""
    if len(objects) > FEW_MARKS:
        yield from _from_process("check", item, objects, configuration)
    else:
        yield from check_here(item, objects, configuration)


def grade_marks(
    item: WorkItem, objects: Objects, configuration: Configuration
) -> Iterator[WorkFinding]:
    """Statements that are missing, and those that the key does not have."""
    if len(objects) > FEW_MARKS:
        yield from _from_process("grade", item, objects, configuration)
    else:
        yield from grade_here(item, objects, configuration)


def _from_process(
    call: str, item: WorkItem, objects: Objects, configuration: Configuration
) -> list[WorkFinding]:
    """The findings on many marks, made in a process that is ended when it takes too long."""
    if len(objects) > MOST_MARKS:
        message = {
            "en": f"There are more than {MOST_MARKS:,} marks: they are saved, and not checked.",
            "zh": f"标注超过 {MOST_MARKS} 个：已保存，但不检查。",
        }
        return [WorkFinding("too_many", message)]
    task = {
        "call": call,
        "item": msgspec.to_builtins(item),
        "objects": objects,
        "configuration": msgspec.to_builtins(configuration),
    }
    with HEAVY_CALLS.turn(None):  # the person's calls are counted by who asks for the check
        findings = run_call(find_in_process, task, seconds=SECONDS)
    return msgspec.convert(findings, list[WorkFinding])


def find_in_process(task: Mapping[str, Any]) -> dict[str, Any]:
    """The other process: findings on marks."""
    item = msgspec.convert(task["item"], WorkItem)
    configuration = msgspec.convert(task["configuration"], Configuration)
    find = check_here if task["call"] == "check" else grade_here
    try:
        findings = list(find(item, task["objects"], configuration))
    except ReadmarkError as error:
        return {"error": str(error)}
    return {"result": msgspec.to_builtins(findings)}


def check_here(
    item: WorkItem, objects: Objects, configuration: Configuration
) -> Iterator[WorkFinding]:
    """`check_marks` in this process, however many marks there are."""
    knowledge = knowledge_of(configuration)
    marked, findings = sound_marks(marked_text(item, objects), knowledge)
    yield from findings
    if marked.marks:
        yield from _contradictions(marked, knowledge)


def grade_here(
    item: WorkItem, objects: Objects, configuration: Configuration
) -> Iterator[WorkFinding]:
    """`grade_marks` in this process, however many marks there are."""
    knowledge = knowledge_of(configuration)
    marked, findings = sound_marks(marked_text(item, objects), knowledge)
    yield from findings
    stated = statements_of(marked, knowledge.categories, knowledge.namespaces)
    gold = read_statements_file(
        item.key["statements"], {item.name: item.paper["text"]}, file=item.name, document=item.name
    )
    key_graph, person_graph = DocumentGraph([row.asserted for row in gold]), DocumentGraph(stated)
    names = aligned(key_graph, person_graph)
    names_in_key = {other: name for name, other in names.items()}
    for statement in key_graph.words:
        if mapped(statement, names) not in person_graph.words:
            yield _graded("missing", "Missing: {}", "缺少：{}", statement)
    for statement in person_graph.words:
        if mapped(statement, names_in_key) not in key_graph.words:
            yield _graded("added", "The key does not have {}", "答案里没有 {}", statement)


def _graded(code: str, english: str, chinese: str, statement: Statement) -> WorkFinding:
    triple = write_triple(statement)
    return WorkFinding(code, {"en": english.format(triple), "zh": chinese.format(triple)}, "error")


def sound_marks(marked: MarkedText, knowledge: Knowledge) -> tuple[MarkedText, list[WorkFinding]]:
    """The marks that state something, and a finding for each that does not."""
    findings = []
    marks = []
    for mark in marked.marks:
        if mark.category in knowledge.categories.categories:
            marks.append(mark)
        else:
            message = f"{mark.category} is not a category of this project"
            findings.append(WorkFinding("unknown_category", message, "error", mark.id))
    marked = _with_marks(marked, marks)
    # A mark without another that it needs states nothing either, so this is repeated.
    while errors := broken_marks(marked, knowledge.categories, knowledge.namespaces):
        for id, error in errors.items():
            message = error.message.removeprefix(f"{id}: ")
            findings.append(WorkFinding("incomplete", message, "warning", id))
        marked = _with_marks(marked, [mark for mark in marked.marks if mark.id not in errors])
    return marked, findings


def _with_marks(marked: MarkedText, marks: Sequence[TextMark]) -> MarkedText:
    """The text with some of its marks, and no line to any other."""
    ids = {mark.id for mark in marks}
    linked = tuple(
        replace(
            mark,
            links={name: target for name, target in mark.links.items() if target in ids},
            same=tuple(target for target in mark.same if target in ids),
        )
        for mark in marks
    )
    return replace(marked, marks=linked)


def _contradictions(marked: MarkedText, knowledge: Knowledge) -> Iterator[WorkFinding]:
    from readmark.tasks.reasoning.contradictions import contradictions
    from readmark.tasks.reasoning.derivation_text import contradiction_text, rule_title
    from readmark.tasks.reasoning.engine.inference import infer

    stated = statements_of(marked, knowledge.categories, knowledge.namespaces)
    mark_of = _mark_of_statement(marked, stated)
    with infer(stated, knowledge.theory, knowledge.ontology, seconds=SECONDS) as inference:
        for contradiction in islice(contradictions(inference), MOST_CONTRADICTIONS):
            inputs = contradiction.inputs
            marks = (mark_of[statement] for statement in inputs if statement in mark_of)
            triples = "; ".join(write_triple(statement) for statement in inputs)
            title = rule_title(contradiction.rule)
            message = {
                "en": f"These cannot all be right ({title}): {triples}",
                "zh": f"这些不可能同时成立（{title}）：{triples}",
            }
            details = contradiction_text(contradiction)
            yield WorkFinding("contradiction", message, "error", next(marks, None), details)


def _mark_of_statement(marked: MarkedText, stated: Sequence[Asserted]) -> dict[Statement, str]:
    """The first mark whose words a statement was read from, to point at it on the page."""
    marks = {mark.fragments[0]: mark.id for mark in reversed(marked.marks)}
    mark_of: dict[Statement, str] = {}
    for asserted in stated:
        for excerpt in asserted.support.statement[:1]:
            if (id := marks.get((excerpt.start, excerpt.end))) is not None:
                mark_of.setdefault(asserted.statement, id)
    return mark_of
