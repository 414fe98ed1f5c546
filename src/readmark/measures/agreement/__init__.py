"""Agreement of annotators: labels, spans, words, coreference. Undefined is never read as 1."""

from readmark.measures.agreement.alpha import krippendorff_alpha
from readmark.measures.agreement.cohen import cohen_kappa
from readmark.measures.agreement.coreference import conll_mean, coreference_f1
from readmark.measures.agreement.fleiss import fleiss_kappa
from readmark.measures.agreement.percent import panel_agreement, percent_agreement
from readmark.measures.agreement.segmentation import boundary_f1, word_f1
from readmark.measures.agreement.span_f1 import character_f1, exact_f1, overlap_f1
from readmark.measures.agreement.unitizing import Continuum, Section, unitizing_alpha
from readmark.measures.agreement.value import Agreement, Resampling

__all__ = [
    "Agreement",
    "Continuum",
    "Resampling",
    "Section",
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
