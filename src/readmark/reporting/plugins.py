"""What reporting adds: the sections that every kind of test has."""

from __future__ import annotations

from readmark.core.registry import Entry

PLUGINS: dict[str, dict[str, Entry]] = {
    "readmark.report_sections": {
        "marks": Entry("readmark.reporting.page.overall:marks_section"),
        "slices": Entry("readmark.reporting.page.overall:slices_section"),
        "people": Entry("readmark.reporting.page.people:people_section"),
        "errors": Entry("readmark.reporting.page.errors:errors_section"),
        "spread": Entry("readmark.reporting.page.spread:spread_section"),
        "certainty": Entry("readmark.reporting.page.spread:certainty_section"),
        "repeats": Entry("readmark.reporting.page.spread:repeats_section"),
    },
}
