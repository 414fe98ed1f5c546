"""What works add to Readmark: the work that a project's file describes, and its adjudication."""

from __future__ import annotations

from readmark.core.registry import Entry

PLUGINS: dict[str, dict[str, Entry]] = {
    "readmark.adjudications": {
        "form": Entry(
            "readmark.works.form_decisions:FORM_DECISIONS",
            "decide on fields that people filled in differently",
        ),
    },
    "readmark.works": {
        "form": Entry(
            "readmark.works.form:FORM",
            "fill in a form of the project's own on each passage or question",
        ),
    },
}
