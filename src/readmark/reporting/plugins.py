"""What reporting adds: the sections that every kind of test has."""

from __future__ import annotations

from readmark.core.registry import Entry

PLUGINS: dict[str, dict[str, Entry]] = {
    "readmark.report_sections": {
        "marks": Entry("readmark.reporting.page.marks_part:marks_section"),
        "slices": Entry("readmark.reporting.page.slices_part:slices_section"),
        "people": Entry("readmark.reporting.page.people_part:people_section"),
        "errors": Entry("readmark.reporting.page.errors_part:errors_section"),
        "spread": Entry("readmark.reporting.page.spread_part:spread_section"),
        "certainty": Entry("readmark.reporting.page.certainty_part:certainty_section"),
        "repeats": Entry("readmark.reporting.page.repeats_part:repeats_section"),
    },
}
