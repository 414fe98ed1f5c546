"""Formal reading tasks: ontology, rules, reasoning, provenance, gold and marks.

A task is a folder or a zip (`open_task`): `findings_of` checks it, `write_pairs` takes training
pairs from it, and `overlap` counts what two annotators' graphs have in common. People type answers:
`variables_asked` says what a query asks for, `choices_for` what can be picked, and `read_answer`
reads what they typed. `train_patterns` trains an extractor.

What the hall computes for tasks that programs use is a door of its own, `readmark.tasks.service`.
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
    "Asserted",
    "DocumentEntity",
    "DocumentGraph",
    "GraphOverlap",
    "Package",
    "QueryKey",
    "ReadAnswer",
    "TaskFindings",
    "asked_in",
    "choices_for",
    "document_entities",
    "findings_of",
    "open_task",
    "overlap",
    "read_answer",
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
        "task_folder": "open_task",
        "typed_answers": "DocumentEntity ReadAnswer choices_for document_entities read_answer",
    },
)
