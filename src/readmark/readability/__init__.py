"""Readability: passages rated by how easily they read, by formulas, raters and panels.

A rating goes from 1 (hardest) to 5, and experts' ratings are the key (`RatingKey`). `hardness` is
what the classic formula of a language says of a text; `train_rater` fits a rater to a test.

A panel is a project of the hall, too: `collect_project` gives what its judges have done so far.
`forecast_power` and `compare_machines` say of these results what ``readmark panel power`` and
``panel mark`` say of files; `rater_sitting` lets a rater of Readmark's (`own_raters`) be a machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from readmark.core.doors import door

if TYPE_CHECKING:
    from readmark.readability.formulas.by_language import hardness
    from readmark.readability.formulas.english import grades
    from readmark.readability.hall.forecast import PanelForecast, forecast_power
    from readmark.readability.hall.machines import (
        MachineComparison,
        compare_machines,
        own_raters,
        rater_sitting,
    )
    from readmark.readability.hall.results import PanelResults, collect_project
    from readmark.readability.kind import RatingKey
    from readmark.readability.raters.training import train_rater
    from readmark.readability.scale import STARS

__all__ = [
    "STARS",
    "MachineComparison",
    "PanelForecast",
    "PanelResults",
    "RatingKey",
    "collect_project",
    "compare_machines",
    "forecast_power",
    "grades",
    "hardness",
    "own_raters",
    "rater_sitting",
    "train_rater",
]

__getattr__ = door(
    __name__,
    {
        "formulas.by_language": "hardness",
        "formulas.english": "grades",
        "hall.forecast": "PanelForecast forecast_power",
        "hall.machines": "MachineComparison compare_machines own_raters rater_sitting",
        "hall.results": "PanelResults collect_project",
        "kind": "RatingKey",
        "raters.training": "train_rater",
        "scale": "STARS",
    },
)
