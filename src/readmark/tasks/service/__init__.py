"""What a hall computes for reading tasks: the second door of the room, without database or HTTP.

A `TaskSelection` is a part of a task. Packages of it are written here, its graph is a
`GraphRequest`, and `shown_answer` is an answer with what it rests on. `work`, `score`, `check` and
`make` run in a process of their own: they take and return JSON.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from readmark.core.doors import door

if TYPE_CHECKING:
    from readmark.tasks.manifest import content, read_manifest
    from readmark.tasks.package import open_package
    from readmark.tasks.query_making import SORTS
    from readmark.tasks.service.graph import GraphRequest
    from readmark.tasks.service.packages import (
        write_open_splits,
        write_public_package,
    )
    from readmark.tasks.service.provenance import (
        AnswerEntry,
        gold_answers,
        shown_answer,
        sitting_answers,
    )
    from readmark.tasks.service.selection import (
        WHOLE,
        PartRequest,
        TaskSelection,
        select_part,
        task_facts,
    )
    from readmark.tasks.service.worker import NATIVE, PACKED, SECONDS, check, make, score, work

__all__ = [
    "NATIVE",
    "PACKED",
    "SECONDS",
    "SORTS",
    "WHOLE",
    "AnswerEntry",
    "GraphRequest",
    "PartRequest",
    "TaskSelection",
    "check",
    "content",
    "gold_answers",
    "make",
    "open_package",
    "read_manifest",
    "score",
    "select_part",
    "shown_answer",
    "sitting_answers",
    "task_facts",
    "work",
    "write_open_splits",
    "write_public_package",
]

__getattr__ = door(
    __name__,
    {
        "manifest": "content read_manifest",
        "package": "open_package",
        "query_making": "SORTS",
        "service.graph": "GraphRequest",
        "service.packages": "write_open_splits write_public_package",
        "service.provenance": "AnswerEntry gold_answers shown_answer sitting_answers",
        "service.selection": "WHOLE PartRequest TaskSelection select_part task_facts",
        "service.worker": "NATIVE PACKED SECONDS check make score work",
    },
    room="readmark.tasks",
)
