"""Pictures for slides: marks and differences as dots with their intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from readmark.core import numbers
from readmark.core.dot_pictures import DrawnNumber, NumbersPanel, numbers_picture
from readmark.core.pictures import Picture

if TYPE_CHECKING:
    from readmark.marking.comparisons import Comparisons
    from readmark.marking.marks import Mark, Slice
    from readmark.marking.people_marks import PeopleMarks
    from readmark.marking.results import Marks
    from readmark.marking.significance import Comparison


def marks_picture(marks: Marks) -> Picture:
    """The score of every metric, then the main metric's slices by each field."""
    title = f"{marks.candidate} on {marks.test.title}"
    main = marks.scores.main
    panels = _score_panels(title, marks.marks)
    for field, slices in marks.by.items():
        panels.append(_slices_panel(f"{title}, by {field}", main, marks[main].scale, slices))
    return numbers_picture(panels, title)


def people_picture(people: PeopleMarks) -> Picture:
    """People's scores, then every person's and every slice's by each metric."""
    title = people.who if people.test is None else f"{people.who} on {people.test.title}"
    panels = _score_panels(title, people.marks)
    for name, mark in people.marks.items():
        panels.append(_slices_panel(f"{title}, each person", name, mark.scale, people.each))
        for field, slices in people.by.items():
            panels.append(_slices_panel(f"{title}, by {field}", name, mark.scale, slices))
    return numbers_picture(panels, title)


def _score_panels(title: str, marks: Mapping[str, Mark]) -> list[NumbersPanel]:
    together: dict[float, list[DrawnNumber]] = {}
    alone = []
    for name, mark in marks.items():
        for row in _row(name, mark):
            if NumbersPanel("", "", [row], mark.scale).ends == (0.0, mark.scale):
                together.setdefault(mark.scale, []).append(row)
            else:  # a sum or a difference needs another axis, which would press the others together
                alone.append(NumbersPanel(title, name, [row], mark.scale))
    panels = [NumbersPanel(title, "score", rows, scale) for scale, rows in together.items()]
    return [*panels, *alone]


def _slices_panel(
    title: str, metric: str, scale: float, slices: Mapping[str, Slice]
) -> NumbersPanel:
    rows = [row for value, part in slices.items() for row in _row(value, part.marks.get(metric))]
    return NumbersPanel(title, metric, rows, scale)


def comparisons_picture(comparisons: Comparisons) -> Picture:
    """Each sitting's difference from the first by each metric, then those of slices."""
    panels = []
    for metric in comparisons.metrics:
        of_metric = [comparison for comparison in comparisons if comparison.metric == metric]
        first = of_metric[0]
        title = f"{metric}, difference from {first.a}"
        groups = {title: [(comparison.b, comparison) for comparison in of_metric]}
        for comparison in of_metric:
            for field, parts in comparison.by.items():
                groups[f"{title}: {comparison.b}, by {field}"] = list(parts.items())
        for name, pairs in groups.items():
            rows = [row for label, compared in pairs for row in _difference(label, compared)]
            panels.append(NumbersPanel(name, metric, rows, first.scale, is_difference=True))
    return numbers_picture(panels, f"differences from {comparisons[0].a}")


def _row(label: str, mark: Mark | None) -> Iterator[DrawnNumber]:
    if mark is not None and mark.score is not None:
        figure = numbers.mark(mark.score, mark.scale)
        yield DrawnNumber(f"{label}  {figure}", mark.score, mark.low, mark.high)


def _difference(label: str, comparison: Comparison) -> Iterator[DrawnNumber]:
    if comparison.difference is not None:
        figure = numbers.mark(comparison.difference, comparison.scale, signed=True)
        yield DrawnNumber(
            f"{label}  {figure}", comparison.difference, comparison.low, comparison.high
        )
