"""Agreement of annotators: labels, spans, words, coreference. Undefined is never read as 1."""

from __future__ import annotations

from readmark.statistics.agreement.alpha import krippendorff_alpha
from readmark.statistics.agreement.cohen import cohen_kappa
from readmark.statistics.agreement.coreference import conll_mean, coreference_f1
from readmark.statistics.agreement.fleiss import fleiss_kappa
from readmark.statistics.agreement.percent import panel_agreement, percent_agreement
from readmark.statistics.agreement.spans import (
    boundary_f1,
    character_f1,
    exact_f1,
    overlap_f1,
    word_f1,
)
from readmark.statistics.agreement.unitizing import Continuum, ContinuumSection, unitizing_alpha
from readmark.statistics.agreement.value import Agreement, Resampling

__all__ = [
    "Agreement",
    "Continuum",
    "ContinuumSection",
    "Resampling",
    "boundary_f1",
    "character_f1",
    "cohen_kappa",
    "conll_mean",
    "coreference_f1",
    "exact_f1",
    "fleiss_kappa",
    "krippendorff_alpha",
    "overlap_f1",
    "panel_agreement",
    "percent_agreement",
    "unitizing_alpha",
    "word_f1",
]
