"""Formal reading tasks: ontology, rules, reasoning, provenance, gold and marks.

A task is a folder or a zip (`open_task`): `findings_of` checks it, `write_pairs` takes training
pairs from it, and `overlap` counts what two annotators' graphs have in common. People type answers:
`variables_asked` says what a query asks for, `choices_for` what can be picked, and `read_answer`
reads what they typed. `train_patterns` trains an extractor.

Halls serve tasks to programs. A `TaskPackage` is the zip of one: its documents, queries, graph and
parts (`TaskSelection`). `reason`, `score_answers`, `check_upload` and `make_task` do what the
commands do, each in a process of its own, and `task_answers` shows what an answer rests on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from readmark.core.doors import door

if TYPE_CHECKING:
    from readmark.tasks.annotator_graphs import (
        ENTITIES,
        RELATIONS,
        STATEMENTS,
        DocumentGraph,
        GraphOverlap,
        overlap,
    )
    from readmark.tasks.asked_values import asked_in, variables_asked
    from readmark.tasks.checks import TaskFindings, findings_of
    from readmark.tasks.extraction.induction import train_patterns
    from readmark.tasks.kind import TASK_FORMAT
    from readmark.tasks.package import Package, write_pairs
    from readmark.tasks.reasoning.graphs import Asserted
    from readmark.tasks.records import QueryKey
    from readmark.tasks.service.calls import (
        Notation,
        QueryMaking,
        ReasonerCall,
        ReasonerInput,
        check_upload,
        make_task,
        reason,
        score_answers,
    )
    from readmark.tasks.service.packages import TaskPackage
    from readmark.tasks.service.provenance import AnswerEntry, TaskAnswers, task_answers
    from readmark.tasks.service.selection import WHOLE, PartRequest, TaskSelection
    from readmark.tasks.task_folder import open_task
    from readmark.tasks.typed_answers import (
        DocumentEntity,
        ReadAnswer,
        choices_for,
        document_entities,
        read_answer,
    )

__all__ = [
    "ENTITIES",
    "RELATIONS",
    "STATEMENTS",
    "TASK_FORMAT",
    "WHOLE",
    "AnswerEntry",
    "Asserted",
    "DocumentEntity",
    "DocumentGraph",
    "GraphOverlap",
    "Notation",
    "Package",
    "PartRequest",
    "QueryKey",
    "QueryMaking",
    "ReadAnswer",
    "ReasonerCall",
    "ReasonerInput",
    "TaskAnswers",
    "TaskFindings",
    "TaskPackage",
    "TaskSelection",
    "asked_in",
    "check_upload",
    "choices_for",
    "document_entities",
    "findings_of",
    "make_task",
    "open_task",
    "overlap",
    "read_answer",
    "reason",
    "score_answers",
    "task_answers",
    "train_patterns",
    "variables_asked",
    "write_pairs",
]

__getattr__ = door(
    __name__,
    {
        "annotator_graphs": "DocumentGraph ENTITIES GraphOverlap RELATIONS STATEMENTS overlap",
        "asked_values": "asked_in variables_asked",
        "checks": "TaskFindings findings_of",
        "extraction.induction": "train_patterns",
        "kind": "TASK_FORMAT",
        "package": "Package write_pairs",
        "reasoning.graphs": "Asserted",
        "records": "QueryKey",
        "service.calls": "Notation QueryMaking ReasonerCall ReasonerInput check_upload make_task "
        "reason score_answers",
        "service.packages": "TaskPackage",
        "service.provenance": "AnswerEntry TaskAnswers task_answers",
        "service.selection": "PartRequest TaskSelection WHOLE",
        "task_folder": "open_task",
        "typed_answers": "DocumentEntity ReadAnswer choices_for document_entities read_answer",
    },
)
