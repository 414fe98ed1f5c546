"""What language models add: a candidate, a metric and a report section."""

from __future__ import annotations

from readmark.core.registry import Entry

_COMPREHENSION = ("comprehension",)

PLUGINS: dict[str, dict[str, Entry]] = {
    "readmark.candidates": {
        "llm": Entry(
            "readmark.llm.candidate:Llm",
            "a language model behind a chat endpoint; answers, rewrites, ratings, statements",
            ("comprehension", "series", "readability", "task"),
        ),
    },
    "readmark.metrics": {
        "judge": Entry(
            "readmark.llm.judge:Judge",
            "share of answers that a language model calls right; validated against people first",
            _COMPREHENSION,
        ),
    },
    "readmark.report_sections": {
        "spent": Entry("readmark.llm.costs:costs_section"),
    },
}
