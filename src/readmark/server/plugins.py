"""What the exam hall adds: its commands, and the works that people do in it."""

from __future__ import annotations

from readmark.core.registry import Entry

_TASK = ("task",)

PLUGINS: dict[str, dict[str, Entry]] = {
    "readmark.commands": {
        "serve": Entry(
            "readmark.server.commands:serve_command",
            "Start the exam hall, where people work in the browser.",
        ),
        "hall": Entry(
            "readmark.server.commands:hall_command",
            "Move work in and out of an exam hall; back it up.",
        ),
    },
    "readmark.hall_commands": {
        "backup": Entry(
            "readmark.server.operations.commands:backup_command",
            "Write the whole hall to one file.",
        ),
        "restore": Entry(
            "readmark.server.operations.commands:restore_command",
            "Fill an empty database with a backup.",
        ),
        "prune": Entry(
            "readmark.server.operations.commands:prune_command",
            "Delete what has expired.",
        ),
        "owner": Entry(
            "readmark.server.operations.commands:owner_command",
            "Create an owner's account.",
        ),
        "export": Entry(
            "readmark.server.commands:export_command",
            "Write the work of a project as files.",
        ),
        "import": Entry(
            "readmark.server.commands:import_command",
            "Add work in files to a project.",
        ),
        "erase": Entry(
            "readmark.server.commands:erase_command",
            "Erase everything of the pupils of a class.",
        ),
        "worker": Entry(
            "readmark.server.commands:worker_command",
            "Mark submissions of shared tasks until it is interrupted.",
        ),
    },
    "readmark.adjudications": {
        "judging": Entry(
            "readmark.server.works.judging:JUDGING_DISPUTES",
            "decide where judges of pooled answers differ",
        ),
        "rewriting": Entry(
            "readmark.server.works.gold_decisions:GOLDS", "decide between two people's golds"
        ),
        "layers": Entry(
            "readmark.server.works.layer_decisions:LAYERS", "decide between two annotators' layers"
        ),
        "levels": Entry(
            "readmark.server.works.label_decisions:LEVELS", "decide on labels of questions"
        ),
        "second_answers": Entry(
            "readmark.server.works.answer_decisions:ANSWERS", "decide which answer is best"
        ),
        "translation": Entry(
            "readmark.server.works.translation_decisions:TRANSLATIONS",
            "decide between two translations",
        ),
        "vetting": Entry(
            "readmark.server.works.label_decisions:VETTING", "decide which passages are kept"
        ),
    },
    "readmark.works": {
        "layers": Entry(
            "readmark.server.works.layers:WORK", "mark words, sentences, phrases and references"
        ),
        "reading_task": Entry(
            "readmark.server.works.reading_task:WORK", "mark what documents state, with an ontology"
        ),
        "questions": Entry(
            "readmark.server.works.questions:QUESTIONS",
            "write questions on a passage and mark their answers",
        ),
        "second_answers": Entry(
            "readmark.server.works.second_answers:SECOND_ANSWERS",
            "answer the questions of others without seeing the key",
        ),
        "sitting": Entry(
            "readmark.server.works.sitting:SITTING",
            "sit a test as machines do: answer, rewrite or rate",
        ),
        "levels": Entry(
            "readmark.server.works.levels:LEVELS_WORK",
            "label questions by level, type or ability",
        ),
        "vetting": Entry(
            "readmark.server.works.vetting:VETTING",
            "keep or discard passages, with reasons",
        ),
        "translation": Entry(
            "readmark.server.works.translation:TRANSLATION",
            "translate passages, questions and keys independently",
        ),
        "panel": Entry(
            "readmark.server.works.panel:PANEL_WORK",
            "rate how easily passages read, in rounds, and put them in order",
        ),
        "judging": Entry(
            "readmark.server.works.judging:JUDGING",
            "judge answers of systems that are in no gold yet",
        ),
        "rewriting": Entry(
            "readmark.server.works.rewriting:REWRITING",
            "rewrite the questions of a series so that each can be understood alone",
        ),
        "shared_task": Entry(
            "readmark.server.shared_tasks.work:SHARED_TASK",
            "publish a test that systems sit, with a board",
        ),
    },
}
