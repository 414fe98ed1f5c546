"""Pictures of results for slides: one result's own, or several candidates side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from readmark.core.pictures import Picture
from readmark.marking import Comparisons, Marks, PeopleMarks
from readmark.reporting.side_by_side import table
from readmark.reporting.standings import Standings


def plot(
    results: Marks | PeopleMarks | Comparisons | Standings | Sequence[Marks | str | Path],
) -> Picture:
    """A picture of a result, or of several marks or marksheets side by side.

    A notebook shows it; ``plot(...).save("figure.svg")`` writes it, as .svg, .png or .pdf, and
    ``axes`` are those of matplotlib.
    """
    if isinstance(results, (Marks, PeopleMarks, Comparisons, Standings)):
        return results.plot()
    return table(*results).plot()
