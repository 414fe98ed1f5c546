"""Works: what people do on a text in the browser, whichever room a work is of.

A project is a file (`Configuration`): forms, categories, guidelines, and the work that it names.
The work makes items of a test, shows them, checks what people make of them, and writes it as files;
how versions become one gold is its adjudication. Both are hooks (`readmark.hooks`). What follows
here are the values that they take and return. A work builds on the modules `forms`, `passages` and
`decisions`, which are doors, too: fields and entries; passages as items and back; places to decide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from readmark.core.doors import door

if TYPE_CHECKING:
    from readmark.works.configuration import (
        Configuration,
        EntryField,
        FormEntry,
        HallRole,
        in_language,
        read_configuration,
    )
    from readmark.works.marks import MarkAttribute, MarkRelation, Text
    from readmark.works.work import (
        DraftText,
        ItemView,
        Objects,
        OptionFault,
        PersonsWork,
        PooledAnswers,
        ProjectMaterials,
        ProjectWork,
        StoredProject,
        TextView,
        Viewer,
        WorkFinding,
        WorkItem,
        read_project,
    )

__all__ = [
    "Configuration",
    "DraftText",
    "EntryField",
    "FormEntry",
    "HallRole",
    "ItemView",
    "MarkAttribute",
    "MarkRelation",
    "Objects",
    "OptionFault",
    "PersonsWork",
    "PooledAnswers",
    "ProjectMaterials",
    "ProjectWork",
    "StoredProject",
    "Text",
    "TextView",
    "Viewer",
    "WorkFinding",
    "WorkItem",
    "in_language",
    "read_configuration",
    "read_project",
]

__getattr__ = door(
    __name__,
    {
        "configuration": "Configuration EntryField FormEntry HallRole in_language "
        "read_configuration",
        "marks": "MarkAttribute MarkRelation Text",
        "work": "DraftText ItemView Objects OptionFault PersonsWork PooledAnswers "
        "ProjectMaterials ProjectWork StoredProject TextView Viewer WorkFinding WorkItem "
        "read_project",
    },
)
