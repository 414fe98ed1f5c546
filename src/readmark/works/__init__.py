"""Works: what people do on a text in the browser, whichever room a work is of.

A project is a file (`Configuration`): forms, categories, guidelines, and the work that it names.
The work makes items of a test, shows them, checks what people make of them, and writes it as files;
how versions become one gold is its adjudication. Both are hooks (`readmark.hooks`) and registered
(`WORKS`, `ADJUDICATIONS`). What follows here are the values that they take and return, and what
runs calls that take seconds (`run_call`, in a turn of `HEAVY_CALLS`). The hall needs no more.

Whoever writes a work builds it with seven modules: `forms` (fields and entries), `field_values`,
`passages` (passages as items and back), `notes`, `people_files` (a file for each person),
`disputed_places` and `decisions` (what is to be decided, and what was). They are a library: each
lists in its own ``__all__`` what works of other rooms use.
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
    from readmark.works.decisions import carried_forms, decisions_in, undecided
    from readmark.works.exams import (
        OpenQuestions,
        PrintedPaper,
        PrintedText,
        ProjectExam,
        SatFiles,
        TypedEntries,
    )
    from readmark.works.heavy_calls import HEAVY_CALLS, CallLimit, HallBusy, run_call
    from readmark.works.marks import MarkAttribute, MarkRelation, Text
    from readmark.works.object_ids import OBJECT_ID
    from readmark.works.pools import (
        AnswerPool,
        DroppedAnswers,
        NewItems,
        PooledGold,
        PooledMarks,
        PooledSitting,
        PooledTask,
        PoolVerdicts,
        UnjudgedAnswers,
    )
    from readmark.works.work import (
        ADJUDICATIONS,
        MATERIALS,
        PEOPLE,
        WORKS,
        DraftText,
        ItemView,
        Objects,
        OptionFault,
        PersonsWork,
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
    "HEAVY_CALLS",
    "MATERIALS",
    "OBJECT_ID",
    "PEOPLE",
    "WORKERS",
    "WORKS",
    "AnswerPool",
    "CallLimit",
    "Configuration",
    "ConfigurationListing",
    "DraftText",
    "DroppedAnswers",
    "EntryField",
    "FormEntry",
    "HallBusy",
    "HallRole",
    "ItemView",
    "MarkAttribute",
    "MarkRelation",
    "NewItems",
    "Objects",
    "OpenQuestions",
    "OptionFault",
    "PersonsWork",
    "PoolVerdicts",
    "PooledGold",
    "PooledMarks",
    "PooledSitting",
    "PooledTask",
    "PrintedPaper",
    "PrintedText",
    "ProjectCategory",
    "ProjectExam",
    "ProjectMaterials",
    "ProjectWork",
    "SatFiles",
    "StoredProject",
    "Text",
    "TextView",
    "TypedEntries",
    "UnjudgedAnswers",
    "Viewer",
    "WorkFinding",
    "WorkItem",
    "carried_forms",
    "decisions_in",
    "in_language",
    "line_of",
    "listing_of",
    "read_configuration",
    "read_project",
    "run_call",
    "undecided",
]

__getattr__ = door(
    __name__,
    {
        "configuration": "Configuration ConfigurationListing EntryField FormEntry HallRole "
        "ProjectCategory WORKERS in_language line_of listing_of read_configuration",
        "decisions": "carried_forms decisions_in undecided",
        "exams": "OpenQuestions PrintedPaper PrintedText SatFiles ProjectExam TypedEntries",
        "heavy_calls": "CallLimit HEAVY_CALLS HallBusy run_call",
        "object_ids": "OBJECT_ID",
        "marks": "MarkAttribute MarkRelation Text",
        "pools": "AnswerPool DroppedAnswers PoolVerdicts NewItems PooledGold PooledMarks "
        "PooledSitting PooledTask UnjudgedAnswers",
        "work": "ADJUDICATIONS DraftText ItemView MATERIALS Objects OptionFault PEOPLE "
        "PersonsWork ProjectMaterials ProjectWork StoredProject TextView Viewer "
        "WORKS WorkFinding WorkItem read_project",
    },
)
