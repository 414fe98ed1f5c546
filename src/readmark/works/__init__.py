"""Works: what people do on a text in the browser, whichever room a work is of.

A project is a file (`Configuration`): forms, categories, guidelines, and the work that it names.
The work makes items of a test, shows them, checks what people make of them, and writes it as files;
how versions become one gold is its adjudication. Both are hooks (`readmark.hooks`) and registered
(`WORKS`, `ADJUDICATIONS`). What follows here are the values that they take and return.

Four modules are doors of their own. A work builds on `forms` (fields and entries), `passages`
(passages as items and back) and `decisions` (places to decide); `heavy_calls` runs what takes
seconds in a process of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from readmark.core.doors import door

if TYPE_CHECKING:
    from readmark.works.configuration import (
        WORKERS,
        Configuration,
        ConfigurationListing,
        EntryField,
        FormEntry,
        HallRole,
        ProjectCategory,
        in_language,
        line_of,
        listing_of,
        read_configuration,
    )
    from readmark.works.marks import MarkAttribute, MarkRelation, Text
    from readmark.works.work import (
        ADJUDICATIONS,
        MATERIALS,
        WORKS,
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
    "ADJUDICATIONS",
    "MATERIALS",
    "WORKERS",
    "WORKS",
    "Configuration",
    "ConfigurationListing",
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
    "ProjectCategory",
    "ProjectMaterials",
    "ProjectWork",
    "StoredProject",
    "Text",
    "TextView",
    "Viewer",
    "WorkFinding",
    "WorkItem",
    "in_language",
    "line_of",
    "listing_of",
    "read_configuration",
    "read_project",
]

__getattr__ = door(
    __name__,
    {
        "configuration": "Configuration ConfigurationListing EntryField FormEntry HallRole "
        "ProjectCategory WORKERS in_language line_of listing_of read_configuration",
        "marks": "MarkAttribute MarkRelation Text",
        "work": "ADJUDICATIONS DraftText ItemView MATERIALS Objects OptionFault PersonsWork "
        "PooledAnswers ProjectMaterials ProjectWork StoredProject TextView Viewer WORKS "
        "WorkFinding WorkItem read_project",
    },
)
