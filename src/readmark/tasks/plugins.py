"""What reading tasks add to Readmark."""

from __future__ import annotations

from readmark.core.registry import Entry

_TASK = ("task",)

PLUGINS: dict[str, dict[str, Entry]] = {
    "readmark.kinds": {
        "task": Entry(
            "readmark.tasks.kind:TASK",
            "queries on documents, answered by bindings with their excerpts",
        ),
    },
    "readmark.formats": {
        "task": Entry(
            "readmark.tasks.task_format:TASK_FORMAT",
            "a reading task: a folder or zip of documents, queries and answers with a manifest",
            sittings=False,
            folders=True,
        ),
        "statements": Entry(
            "readmark.tasks.statement_files:STATEMENTS",
            "statements about a document, .statements, .graph or RDF: converted into each other",
            sittings=False,
        ),
    },
    "readmark.candidates": {
        "statements": Entry(
            "readmark.tasks.extraction.statement_file:StatementFile",
            "statements from a file: people's, or another system's",
            _TASK,
        ),
        "patterns": Entry(
            "readmark.tasks.extraction.pattern_extractors:PatternExtractor",
            "statements read by the patterns of a domain, with what follows from them",
            _TASK,
            baseline="slow",
        ),
        "induced": Entry(
            "readmark.tasks.extraction.pattern_extractors:InducedExtractor",
            "patterns learnt from the annotated train split",
            _TASK,
            baseline="slow",
        ),
    },
    "readmark.metrics": {
        "facts": Entry(
            "readmark.tasks.metrics.answers:StatedAnswers",
            "F of the answers that a text states, over all queries together",
            _TASK,
        ),
        "inferences": Entry(
            "readmark.tasks.metrics.answers:Inferences",
            "F of the answers that take inference, over all queries together",
            _TASK,
        ),
        "answers": Entry(
            "readmark.tasks.metrics.answers:Answers",
            "F of all answers to queries, stated and inferred",
            _TASK,
        ),
        "provenance": Entry(
            "readmark.tasks.metrics.provenance:ProvenanceOverlap",
            "overlap of right answers' excerpts with the gold's, in code points",
            _TASK,
        ),
        "unjudged": Entry(
            "readmark.tasks.metrics.unjudged:Unjudged",
            "share of answers that are neither in the gold nor judged",
            _TASK,
        ),
    },
    "readmark.report_sections": {
        "derivations": Entry("readmark.tasks.derivations_section:derivations_section"),
    },
    "readmark.commands": {
        "task": Entry(
            "readmark.tasks.commands:task_command",
            "Build formal reading tasks, reason over them, extract.",
        ),
    },
    "readmark.task_commands": {
        "new": Entry(
            "readmark.tasks.commands.new:new_command",
            "Make a folder with a small, commented task to start from.",
        ),
        "pack": Entry(
            "readmark.tasks.commands.pack:pack_command",
            "Pack a task into a folder or zip with a manifest of roles and hashes.",
        ),
        "infer": Entry(
            "readmark.tasks.commands.infer:infer_command",
            "Run rules over statements; print what follows and what contradicts.",
        ),
        "annotate": Entry(
            "readmark.tasks.commands.annotate:annotate_command",
            "Turn annotators' marks into statements by categories, and back.",
        ),
        "query": Entry(
            "readmark.tasks.commands.query:query_command",
            "Answer queries over stated and inferred facts.",
        ),
        "explain": Entry(
            "readmark.tasks.commands.explain:explain_command",
            "Show the derivation of a statement, down to the words of the text.",
        ),
        "decompose": Entry(
            "readmark.tasks.commands.decompose:decompose_command",
            "List the possible compositions of a score, most likely first.",
        ),
        "queries": Entry(
            "readmark.tasks.commands.queries:queries_command",
            "Make a query for every property of an ontology, with its question.",
        ),
        "gold": Entry(
            "readmark.tasks.commands.gold:gold_command",
            "Answer a task's queries from its annotated graphs and rules.",
        ),
        "sheet": Entry(
            "readmark.tasks.commands.sheet:sheet_command",
            "Write queries as a sheet for people; read their answers as a sitting.",
        ),
        "extract": Entry(
            "readmark.tasks.commands.extract:extract_command",
            "Read texts into statements of a domain, with what follows from them.",
        ),
        "statements": Entry(
            "readmark.tasks.commands.statements:statements_command",
            "Mark statements by class and property against the annotated ones.",
        ),
        "pool": Entry(
            "readmark.tasks.commands.pool:pool_command",
            "Pool the unjudged answers of sittings for adjudication.",
        ),
    },
    "readmark.adjudications": {
        "judging": Entry(
            "readmark.tasks.hall.judging_disputes:JUDGING_DISPUTES",
            "decide where judges of pooled answers differ",
        ),
    },
    "readmark.works": {
        "reading_task": Entry(
            "readmark.tasks.hall.reading_task:WORK", "mark what documents state, with an ontology"
        ),
        "judging": Entry(
            "readmark.tasks.hall.judging:JUDGING",
            "judge answers of systems that are in no gold yet",
        ),
    },
}
