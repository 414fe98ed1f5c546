"""What making tests adds: `readmark set` and the commands beside it."""

from __future__ import annotations

from readmark.core.registry import Entry

PLUGINS: dict[str, dict[str, Entry]] = {
    "readmark.commands": {
        "get": Entry(
            "readmark.making.get.command:get_command",
            "Download a public test with its licence and checksum.",
        ),
        "stats": Entry(
            "readmark.making.stats:stats_command",
            "Print corpus statistics of tests side by side.",
        ),
        "set": Entry(
            "readmark.making.commands:set_command",
            "Make a test, from raw text to publication.",
        ),
        "harness": Entry(
            "readmark.making.harness.command:harness_command",
            "Exchange tests with lm-evaluation-harness and Inspect AI.",
        ),
    },
    "readmark.set_commands": {
        "text": Entry(
            "readmark.making.sources.command:text_command",
            "Cut plain text, HTML or Wikipedia into passages.",
        ),
        "screen": Entry(
            "readmark.making.screening.command:screen_command",
            "Select the passages that are suitable for a test, with reasons.",
        ),
        "sheet": Entry(
            "readmark.making.question_sheet:sheet_command",
            "Write a sheet in which people write questions on passages.",
        ),
        "collect": Entry(
            "readmark.making.collected_sheet:collect_command",
            "Check a completed sheet of questions row by row and make it a test.",
        ),
        "annotate": Entry(
            "readmark.making.annotation.command:annotate_command",
            "Add layers: sentences, tokens, noun phrases, entities.",
        ),
        "blind": Entry(
            "readmark.making.blind.material:blind_command",
            "Write sheets for second and third answers, without the key.",
        ),
        "merge": Entry(
            "readmark.making.blind.merge:merge_command",
            "Merge people's answers into the key of a test.",
        ),
        "challenge": Entry(
            "readmark.making.challenge.command:challenge_command",
            "Find or check questions that no single sentence answers.",
        ),
        "split": Entry(
            "readmark.making.splits.command:split_command",
            "Split a test by article into train, dev and test.",
        ),
        "join": Entry(
            "readmark.making.join:join_command",
            "Join several tests into one.",
        ),
        "filter": Entry(
            "readmark.making.filter:filter_command",
            "Keep or drop questions by field, by problem or by a list of ids.",
        ),
        "translate": Entry(
            "readmark.making.translation.command:translate_command",
            "Compare two translators' questions and keys, and adjudicate.",
        ),
        "crosscheck": Entry(
            "readmark.making.crosscheck.command:crosscheck_command",
            "Compare two annotators' layers and list the disagreements.",
        ),
        "adjudicate": Entry(
            "readmark.making.crosscheck.adjudicate:adjudicate_command",
            "Make one gold annotation from two and the decisions.",
        ),
        "agree": Entry(
            "readmark.making.agreement.command:agree_command",
            "Measure agreement of annotators: labels, spans, words, coreference.",
        ),
        "quality": Entry(
            "readmark.making.quality.command:quality_command",
            "Look for signs of careless work: known answers, repeats, haste, patterns.",
        ),
        "export": Entry(
            "readmark.making.export.command:export_command",
            "Write a test with its data card, ready to publish.",
        ),
    },
    "readmark.adjudications": {
        "rewriting": Entry(
            "readmark.making.hall.gold_decisions:GOLDS", "decide between two people's golds"
        ),
        "layers": Entry(
            "readmark.making.hall.layer_decisions:LAYERS", "decide between two annotators' layers"
        ),
        "levels": Entry(
            "readmark.making.hall.level_decisions:LEVELS", "decide on labels of questions"
        ),
        "second_answers": Entry(
            "readmark.making.hall.answer_decisions:ANSWERS", "decide which answer is best"
        ),
        "translation": Entry(
            "readmark.making.hall.translation_decisions:TRANSLATIONS",
            "decide between two translations",
        ),
        "vetting": Entry(
            "readmark.making.hall.vetting_decisions:VETTING", "decide which passages are kept"
        ),
    },
    "readmark.works": {
        "layers": Entry(
            "readmark.making.hall.layers:WORK", "mark words, sentences, phrases and references"
        ),
        "questions": Entry(
            "readmark.making.hall.questions:QUESTIONS",
            "write questions on a passage and mark their answers",
        ),
        "second_answers": Entry(
            "readmark.making.hall.second_answers:SECOND_ANSWERS",
            "answer the questions of others without seeing the key",
        ),
        "sitting": Entry(
            "readmark.making.hall.sitting:SITTING",
            "sit a test as machines do: answer, rewrite or rate",
        ),
        "levels": Entry(
            "readmark.making.hall.levels:LEVELS_WORK",
            "label questions by level, type or ability",
        ),
        "vetting": Entry(
            "readmark.making.hall.vetting:VETTING",
            "keep or discard passages, with reasons",
        ),
        "translation": Entry(
            "readmark.making.hall.translation:TRANSLATION",
            "translate passages, questions and keys independently",
        ),
        "rewriting": Entry(
            "readmark.making.hall.rewriting:REWRITING",
            "rewrite the questions of a series so that each can be understood alone",
        ),
    },
}
