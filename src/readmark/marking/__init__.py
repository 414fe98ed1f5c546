"""Scoring sittings against the key: marks with intervals, slices, people, significance.

`mark` marks a sitting, `people` those who wrote the key or sat the test, `compare` sets sittings
against each other, and `score` is for one answer. `MarkSettings` says how. A `Marksheet` is what
was marked, read back: nothing is marked again for a table or a page.

A kind of test brings its metrics, most of which are a `Ratio`, and may add fields, error classes
and tables (`DerivedField`, `ErrorClassifier`, `ExtraTable`). Who has vectors of their own, such as
those of rankings, has them marked and compared by `compare_vectors`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from readmark.core.doors import door

if TYPE_CHECKING:
    from readmark.marking.certainty import Certainty
    from readmark.marking.comparisons import Comparisons, compare
    from readmark.marking.error_counts import ClassCounts, Errors
    from readmark.marking.fields import (
        derived_fields,
        known_fields,
        units_by_slice,
        usual_fields,
    )
    from readmark.marking.kind_extras import DerivedField, ErrorClassifier, ExtraTable
    from readmark.marking.mark_people import people
    from readmark.marking.mark_sitting import mark
    from readmark.marking.marks import Mark, Slice
    from readmark.marking.marksheet import Marksheet, compare_sheets
    from readmark.marking.metrics import METRICS, build_metrics
    from readmark.marking.one_answer import Score, score, score_all
    from readmark.marking.people_comparison import PeopleComparison, PeopleSlice
    from readmark.marking.people_marks import PeopleMarks
    from readmark.marking.ratio import Ratio, RatioInLanguage
    from readmark.marking.results import Marks
    from readmark.marking.settings import MarkSettings
    from readmark.marking.sheet_people import SheetPerson
    from readmark.marking.significance import Comparison
    from readmark.marking.vector_marks import compare_vectors, unit_vectors
    from readmark.marking.vectors import unit_vector

__all__ = [
    "METRICS",
    "Certainty",
    "ClassCounts",
    "Comparison",
    "Comparisons",
    "DerivedField",
    "ErrorClassifier",
    "Errors",
    "ExtraTable",
    "Mark",
    "MarkSettings",
    "Marks",
    "Marksheet",
    "PeopleComparison",
    "PeopleMarks",
    "PeopleSlice",
    "Ratio",
    "RatioInLanguage",
    "Score",
    "SheetPerson",
    "Slice",
    "build_metrics",
    "compare",
    "compare_sheets",
    "compare_vectors",
    "derived_fields",
    "known_fields",
    "mark",
    "people",
    "score",
    "score_all",
    "unit_vector",
    "unit_vectors",
    "units_by_slice",
    "usual_fields",
]

__getattr__ = door(
    __name__,
    {
        "certainty": "Certainty",
        "comparisons": "Comparisons compare",
        "error_counts": "ClassCounts Errors",
        "fields": "derived_fields known_fields units_by_slice usual_fields",
        "kind_extras": "DerivedField ErrorClassifier ExtraTable",
        "mark_people": "people",
        "mark_sitting": "mark",
        "marks": "Mark Slice",
        "marksheet": "Marksheet compare_sheets",
        "metrics": "METRICS build_metrics",
        "one_answer": "Score score score_all",
        "people_comparison": "PeopleComparison PeopleSlice",
        "people_marks": "PeopleMarks",
        "ratio": "Ratio RatioInLanguage",
        "results": "Marks",
        "settings": "MarkSettings",
        "sheet_people": "SheetPerson",
        "significance": "Comparison",
        "vector_marks": "compare_vectors unit_vectors",
        "vectors": "unit_vector",
    },
)
