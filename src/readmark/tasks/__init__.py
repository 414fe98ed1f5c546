"""Formal reading tasks: ontology, rules, reasoning, provenance, gold and marks.

A task is a folder or a zip (`open_task`): `task_findings` checks it, `write_pairs` takes training
pairs from it, and `AnnotatorGraphs` has what each annotator stated. People type answers:
`variables_asked` says what a query asks for, `offers_for` what can be picked, and `DocumentAnswers`
reads what they typed. `train_patterns` trains an extractor.

Halls serve tasks to programs. A `TaskPackage` is the zip of one: its documents, queries, graph and
parts (`TaskSelection`). `reason`, `score_answers`, `check_upload` and `make_task` do what the
commands do, each in a process of its own, and `task_answers` shows what an answer rests on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from readmark.core.doors import door

if TYPE_CHECKING:
    from readmark.tasks.annotator_graphs import STATEMENT_SORTS, AnnotatorGraphs
    from readmark.tasks.asked_values import variables_asked
    from readmark.tasks.assertion_pairs import write_pairs
    from readmark.tasks.checks import TaskFindings, task_findings
    from readmark.tasks.extraction.induction import train_patterns
    from readmark.tasks.reasoning.graphs import Asserted
    from readmark.tasks.records import QueryKey
    from readmark.tasks.service.answer_entries import AnswerEntry
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
    from readmark.tasks.service.selection import WHOLE, PartRequest, TaskSelection
    from readmark.tasks.service.task_answers import TaskAnswers, task_answers
    from readmark.tasks.task_folder import open_task
    from readmark.tasks.typed.answers import DocumentAnswers, ReadAnswer
    from readmark.tasks.typed.offers import offers_for

__all__ = [
    "STATEMENT_SORTS",
    "WHOLE",
    "AnnotatorGraphs",
    "AnswerEntry",
    "Asserted",
    "DocumentAnswers",
    "Notation",
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
    "check_upload",
    "make_task",
    "offers_for",
    "open_task",
    "reason",
    "score_answers",
    "task_answers",
    "task_findings",
    "train_patterns",
    "variables_asked",
    "write_pairs",
]

__getattr__ = door(
    __name__,
    {
        "annotator_graphs": "STATEMENT_SORTS AnnotatorGraphs",
        "assertion_pairs": "write_pairs",
        "asked_values": "variables_asked",
        "checks": "TaskFindings task_findings",
        "extraction.induction": "train_patterns",
        "reasoning.graphs": "Asserted",
        "records": "QueryKey",
        "service.calls": "Notation QueryMaking ReasonerCall ReasonerInput check_upload "
        "make_task reason score_answers",
        "service.packages": "TaskPackage",
        "service.answer_entries": "AnswerEntry",
        "service.selection": "PartRequest TaskSelection WHOLE",
        "service.task_answers": "TaskAnswers task_answers",
        "task_folder": "open_task",
        "typed.answers": "DocumentAnswers ReadAnswer",
        "typed.offers": "offers_for",
    },
)
