"""What question series add to Readmark."""

from __future__ import annotations

from readmark.core.registry import Entry

_COMPREHENSION = ("comprehension",)
_SERIES = ("series",)

PLUGINS: dict[str, dict[str, Entry]] = {
    "readmark.kinds": {
        "series": Entry(
            "readmark.series.kind:SERIES",
            "questions in a series with a target, rewritten to stand alone",
        ),
    },
    "readmark.formats": {
        "trec_series": Entry(
            "readmark.series.formats.trec.format:TREC_SERIES",
            "TREC question series 2004 to 2007: XML, with target types and patterns next to it",
            sittings=False,
        ),
        "cast": Entry(
            "readmark.series.formats.cast.format:CAST",
            "TREC CAsT 2019 to 2022: topics in JSON or text, resolved questions in TSV",
            sittings=False,
        ),
        "canard": Entry(
            "readmark.series.formats.canard:CANARD",
            "CANARD JSON: questions of a dialogue with their history, rewritten by people",
            sittings=False,
        ),
        "series_gold": Entry(
            "readmark.series.formats.gold:SERIES_GOLD",
            "gold rewrites of question series with their guidelines, in one JSON document",
            sittings=False,
        ),
        "cast_automatic": Entry(
            "readmark.series.formats.cast.automatic:CAST_AUTOMATIC",
            "the automatic rewrites of a TREC CAsT file as a sitting",
        ),
    },
    "readmark.candidates": {
        "none": Entry(
            "readmark.series.baseline_rewriters:Unchanged",
            "the question as it stands",
            _SERIES,
            baseline="quick",
        ),
        "append": Entry(
            "readmark.series.baseline_rewriters:AppendTarget",
            "the question with the target appended",
            _SERIES,
            baseline="quick",
        ),
        "guided": Entry(
            "readmark.series.guided_rewriter:Guided",
            "the question rewritten to stand alone, by the guidelines as code; says why",
            _SERIES,
            baseline="quick",
        ),
    },
    "readmark.metrics": {
        "jaccard": Entry(
            "readmark.series.metrics.jaccard:Jaccard",
            "Jaccard coefficient of words and pairs of words, best over golds",
            _SERIES,
        ),
        "dice": Entry(
            "readmark.series.metrics.dice:Dice",
            "Dice coefficient of words and pairs of words",
            _SERIES,
        ),
        "cosine": Entry(
            "readmark.series.metrics.cosine:Cosine",
            "cosine of the counts of words and pairs of words",
            _SERIES,
        ),
        "block": Entry(
            "readmark.series.metrics.block:Block",
            "city-block similarity of the counts of words and pairs of words",
            _SERIES,
        ),
        "euclidean": Entry(
            "readmark.series.metrics.euclidean:Euclidean",
            "Euclidean similarity of the counts of words",
            _SERIES,
        ),
        "monge_elkan": Entry(
            "readmark.series.metrics.monge_elkan:MongeElkan",
            "mean similarity of each word to the most similar word of the other text",
            _SERIES,
        ),
        "levenshtein": Entry(
            "readmark.series.metrics.levenshtein:Levenshtein",
            "edits that make one text the other, over the longer length",
            _SERIES,
        ),
        "needleman_wunsch": Entry(
            "readmark.series.metrics.needleman_wunsch:NeedlemanWunsch",
            "best global alignment of characters",
            _SERIES,
        ),
        "smith_waterman": Entry(
            "readmark.series.metrics.smith_waterman:SmithWaterman",
            "best local alignment of characters, over the shorter length",
            _SERIES,
        ),
        "qgrams": Entry(
            "readmark.series.metrics.qgrams:QGrams",
            "share of substrings of three characters that pair off",
            _SERIES,
        ),
        "jaro": Entry(
            "readmark.series.metrics.jaro:Jaro", "Jaro similarity of characters", _SERIES
        ),
        "jaro_winkler": Entry(
            "readmark.series.metrics.jaro_winkler:JaroWinkler",
            "Jaro similarity with a bonus for a common beginning",
            _SERIES,
        ),
        "bleu": Entry("readmark.series.metrics.bleu:Bleu", "sentence BLEU by sacreBLEU", _SERIES),
        "chrf": Entry("readmark.series.metrics.chrf:ChrF", "sentence chrF by sacreBLEU", _SERIES),
        "exact": Entry(
            "readmark.series.metrics.exact:Exact",
            "share of rewrites equal to a gold rewrite, letter for letter but for spaces",
            _SERIES,
        ),
    },
    "readmark.transforms": {
        "rewrite": Entry(
            "readmark.series.transform:RewriteSeries",
            "questions of series, rewritten to stand alone",
            _COMPREHENSION,
        ),
    },
    "readmark.commands": {
        "series": Entry(
            "readmark.series.commands:series_command",
            "Compare, tune and debug rewriters of question series.",
        ),
    },
    "readmark.series_commands": {
        "ask": Entry(
            "readmark.series.commands.ask:ask_command",
            "Rewrite one question about a target, without files.",
        ),
        "table": Entry(
            "readmark.series.commands.table:table_command",
            "Compare rewriters by metric and weighting.",
        ),
        "worst": Entry(
            "readmark.series.commands.worst:worst_command",
            "Show the worst rewrites of a sitting, by type of error.",
        ),
        "effect": Entry(
            "readmark.series.commands.effect:effect_command",
            "Measure what rewriting does for retrieval and reading.",
        ),
        "tune": Entry(
            "readmark.series.commands.tune:tune_command",
            "Search a metric's weights, or fit them to people's judgements.",
        ),
    },
}
