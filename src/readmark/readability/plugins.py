"""What readability adds to Readmark."""

from __future__ import annotations

from readmark.core.registry import Entry

_READABILITY = ("readability",)

PLUGINS: dict[str, dict[str, Entry]] = {
    "readmark.kinds": {
        "readability": Entry(
            "readmark.readability.kind:READABILITY",
            "passages rated from 1 to 5 by how easily they read",
        ),
    },
    "readmark.formats": {
        "class_ratings": Entry(
            "readmark.readability.panels.class_tables:CLASS_RATINGS",
            "a table of people's ratings, a column or row per person: CSV, TSV or XLSX",
        ),
    },
    "readmark.candidates": {
        "formula": Entry(
            "readmark.readability.raters.formula_rater:Formula",
            "a classic readability formula on the scale from 1 to 5",
            _READABILITY,
            variants=("formula(name=dale_chall)",),
            baseline="quick",
        ),
        "features": Entry(
            "readmark.readability.raters.feature_rater:Features",
            "named features of a text, weighed; says why; English and Chinese",
            _READABILITY,
            baseline="slow",
        ),
    },
    "readmark.metrics": {
        "score_difference": Entry(
            "readmark.readability.metrics.score_difference:ScoreDifference",
            "how many stars nearer the experts' mean than the average novice is",
            _READABILITY,
        ),
        "proportional_target": Entry(
            "readmark.readability.metrics.proportional_target:ProportionalTarget",
            "hits of the range of the experts' ratings, narrow ranges worth more, summed",
            _READABILITY,
        ),
        "pearson": Entry(
            "readmark.readability.metrics.pearson:Pearson",
            "correlation of the ratings with the experts' mean",
            _READABILITY,
        ),
        "spearman": Entry(
            "readmark.readability.metrics.spearman:Spearman",
            "correlation of the ranks of the ratings with those of the experts' mean",
            _READABILITY,
        ),
        "kendall": Entry(
            "readmark.readability.metrics.kendall:Kendall",
            "pairs of passages in the experts' order less those in the opposite one (tau-b)",
            _READABILITY,
        ),
    },
    "readmark.report_sections": {
        "panel": Entry("readmark.readability.panels.report:panel_section"),
    },
    "readmark.commands": {
        "rate": Entry(
            "readmark.readability.rate:rate_command",
            "Rate how easily passages read, from 1 (hardest) to 5.",
        ),
        "panel": Entry(
            "readmark.readability.panels.command:panel_command",
            "Run readability panels: pool, plan, collect, mark, power.",
        ),
    },
    "readmark.panel_commands": {
        "pool": Entry(
            "readmark.readability.panels.pool:pool_command",
            "Vet, standardise and sample the passages to rate, by genre.",
        ),
        "plan": Entry(
            "readmark.readability.panels.plan:plan_command",
            "Plan balanced rounds for every judge and write their sheets.",
        ),
        "collect": Entry(
            "readmark.readability.panels.collect:collect_command",
            "Check completed sheets; make the key from experts, sittings from novices.",
        ),
        "mark": Entry(
            "readmark.readability.panels.mark:mark_command",
            "Test whether a rater is as good as a novice, or as one of the other raters.",
        ),
        "power": Entry(
            "readmark.readability.panels.power:power_command",
            "Estimate how many passages and judges a test of a rater needs.",
        ),
    },
    "readmark.works": {
        "panel": Entry(
            "readmark.readability.hall.panel:PANEL_WORK",
            "rate how easily passages read, in rounds, and put them in order",
        ),
    },
}
