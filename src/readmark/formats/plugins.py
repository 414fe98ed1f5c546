"""What the formats of several kinds of test add."""

from __future__ import annotations

from readmark.core.registry import Entry

PLUGINS: dict[str, dict[str, Entry]] = {
    "readmark.formats": {
        "native": Entry("readmark.formats.native:NATIVE", "Readmark's own JSON Lines"),
        "flat": Entry(
            "readmark.formats.tables.flat:FLAT",
            "flat JSON Lines: a question a line, as the Hugging Face hub has SQuAD",
            folders=True,
        ),
        "parquet": Entry(
            "readmark.formats.tables.parquet:PARQUET",
            "Parquet with the columns of flat: a file, or a folder of shards as on the hub",
            folders=True,
        ),
        "table": Entry(
            "readmark.formats.tables.questions:TABLE",
            "a table of questions that people write: CSV, TSV or XLSX",
        ),
        "squad": Entry("readmark.formats.squad.format:SQUAD", "SQuAD 1.1 JSON"),
        "squad2": Entry(
            "readmark.formats.squad.format:SQUAD2", "SQuAD 2.0 JSON, with unanswerable questions"
        ),
        "drcd": Entry("readmark.formats.squad.format:DRCD", "DRCD JSON: SQuAD with answer ids"),
        "smart": Entry(
            "readmark.formats.squad.format:SMART", "SMART JSON: SQuAD with levels 1 to 4"
        ),
        "cmrc2018": Entry(
            "readmark.formats.cmrc2018:CMRC2018",
            "CMRC 2018's own JSON: context_text, query_text, answers without offsets",
        ),
        "brat": Entry(
            "readmark.formats.brat.format:BRAT",
            "brat standoff: a folder of .txt and .ann files",
            sittings=False,
            folders=True,
        ),
        "conllu": Entry(
            "readmark.formats.conllu.format:CONLLU",
            "CoNLL-U: sentences, tokens, lemmas, tags and dependencies",
            sittings=False,
        ),
        "sitting": Entry(
            "readmark.formats.native_sitting:NATIVE_SITTING", "a sitting in JSON Lines"
        ),
        "lm_eval_log": Entry(
            "readmark.formats.harness_logs.lm_eval:LM_EVAL_LOG",
            "the samples that lm-evaluation-harness logs, as a sitting",
        ),
        "inspect_log": Entry(
            "readmark.formats.harness_logs.inspect_ai:INSPECT_LOG",
            "a log of Inspect AI, .eval or .json, as a sitting",
        ),
        "prediction_rows": Entry(
            "readmark.formats.prediction_rows:PREDICTION_ROWS",
            "predictions a row each, with id and answer: CSV, TSV, XLSX, JSON Lines or a JSON list",
        ),
        "predictions": Entry(
            "readmark.formats.predictions:PREDICTIONS",
            "a dictionary of predictions, {id: text}, as SQuAD's scorers take",
        ),
    },
}
