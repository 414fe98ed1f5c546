"""How alike a rewrite and a gold are: in words and their order, in characters, by sacreBLEU."""

from __future__ import annotations

import functools
from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, ClassVar

from readmark.core.errors import UsageError
from readmark.core.registry import parameter
from readmark.hooks import Case
from readmark.series import words
from readmark.series.metrics.rewrites import (
    VARIANT_HELP,
    VARIANTS,
    BestOverRewrites,
    OverPlainTexts,
    OverWords,
    golds,
)
from readmark.statistics.similarity import (
    alignment,
    edits,
    monge_elkan,
    ngrams,
    qgrams,
    simmetrics,
)
from readmark.statistics.similarity.ngrams import (
    ORDERS,
    Grams,
    Measure,
    SharedGrams,
    TextGrams,
    Weights,
    check_weights,
    weighted,
)

if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF


@functools.lru_cache(maxsize=1024)
def _grams(text: str, language: str, pairs: str) -> TextGrams:
    """The n-grams of a text; several metrics look at the same texts one after the other."""
    return TextGrams(words.cutter(language)(text), disjoint=pairs == "disjoint")


@dataclass
class WeightedOrders(BestOverRewrites, ABC):
    """(u S₁ + b S₂ + t S₃) / (u + b + t), where Sₙ is the similarity of the texts' n-grams.

    An order that neither text has is left out of both sums.
    "Evaluation against the Gold Standard" of the question series document.
    """

    u: float = parameter(2.0, help="the weight of words")
    b: float = parameter(1.0, help="the weight of pairs of words")
    t: float = parameter(0.0, help="the weight of triples of words")
    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)
    pairs: str = parameter(
        "sliding",
        choices=("sliding", "disjoint"),
        help="pairs and triples begin at each word, or where the one before ended",
    )

    name: ClassVar[str]
    formulas: ClassVar[tuple[Measure, Measure]]
    """The usual one, and SimMetrics': the similarity of what two texts share of one order."""

    def __post_init__(self) -> None:
        check_weights(self.weights, of=f"metric {self.name}")

    @property
    def weights(self) -> Weights:
        """u, b and t."""
        return self.u, self.b, self.t

    def alike(self, answer: str, gold: str) -> float:
        """The weighted mean over the orders."""
        if answer == gold:
            return 1.0
        a = _grams(answer, self.language, self.pairs)
        b = _grams(gold, self.language, self.pairs)
        return weighted(self.measure, self.weights, a, b)

    def signature(self) -> Mapping[str, str]:
        """How words are cut, the variant, and which orders count."""
        return {
            "weights": "/".join(f"{weight:g}" for weight in self.weights),
            "orders": ORDERS,
            "variant": self.variant,
            **({"pairs": self.pairs} if self.pairs != "sliding" else {}),
            "words": words.signature(self.language),
            **super().signature(),
        }

    @property
    def measure(self) -> Measure:
        """The variant's."""
        return self.formulas[VARIANTS.index(self.variant)]


@dataclass
class Block(WeightedOrders):
    """1 - Σ |a - b| / (Σ a + Σ b), over counts in both variants."""

    name: ClassVar[str] = "block"
    formulas = ngrams.block, ngrams.block


@dataclass
class Cosine(WeightedOrders):
    """Σ a b / √(Σ a² Σ b²), over counts; SimMetrics' over sets."""

    name: ClassVar[str] = "cosine"
    formulas = ngrams.cosine, simmetrics.cosine


@dataclass
class Dice(WeightedOrders):
    """2 |A ∩ B| / (|A| + |B|), over sets in both variants."""

    name: ClassVar[str] = "dice"
    formulas = ngrams.dice, ngrams.dice


@dataclass
class Jaccard(WeightedOrders):
    """|A ∩ B| / |A ∪ B|, over sets in both variants."""

    name: ClassVar[str] = "jaccard"
    formulas = ngrams.jaccard, ngrams.jaccard


@dataclass
class Euclidean(OverWords):
    """Of the counts of words, from the greatest distance (0) to none (1)."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    def sequences(self, answer: Sequence[str], gold: Sequence[str]) -> float:
        """The variant's formula."""
        formulas: tuple[Measure, Measure] = ngrams.euclidean, simmetrics.euclidean
        return formulas[VARIANTS.index(self.variant)](SharedGrams(Grams(answer, 1), Grams(gold, 1)))


# Metrics that compare the characters of rewrite and gold, or word with word.


StringSimilarity = Callable[[str, str], float]


@dataclass
class VariantOfStrings(OverPlainTexts):
    """A similarity of strings in two variants."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    formulas: ClassVar[tuple[StringSimilarity, StringSimilarity]]
    """The usual one, and SimMetrics'."""

    def strings(self, answer: str, gold: str) -> float:
        """The variant's."""
        return self.formulas[VARIANTS.index(self.variant)](answer, gold)


@dataclass
class Jaro(VariantOfStrings):
    """SimMetrics' never matches a text's last character."""

    formulas = edits.jaro, simmetrics.jaro


@dataclass
class JaroWinkler(VariantOfStrings):
    """Jaro's and up to four characters of common prefix; SimMetrics' own Jaro and up to six."""

    formulas = edits.jaro_winkler, simmetrics.jaro_winkler


@dataclass
class Levenshtein(VariantOfStrings):
    """1 - d / max(|a|, |b|), the same in both variants."""

    formulas = edits.levenshtein, edits.levenshtein


@dataclass
class NeedlemanWunsch(VariantOfStrings):
    """Match 1, mismatch -1, gap -1; SimMetrics' costs are 0, 1 and 2."""

    formulas = edits.needleman_wunsch, simmetrics.needleman_wunsch


@dataclass
class QGrams(VariantOfStrings):
    """Substrings of three characters; SimMetrics' also over both ends of the text."""

    formulas = qgrams.qgrams, simmetrics.qgrams


@dataclass
class SmithWaterman(VariantOfStrings):
    """Match 1, mismatch -1, gap -1; SimMetrics' are 1, -2 and -1/2."""

    formulas = alignment.smith_waterman, simmetrics.smith_waterman

    def statistics_of_many(self, cases: Sequence[Case]) -> Sequence[Sequence[float]]:
        """(best, 1) of every answer, with the tables of many pairs filled at once."""
        formulas = alignment.smith_waterman_of_each, simmetrics.smith_waterman_of_each
        of_each = formulas[VARIANTS.index(self.variant)]
        pairs = [
            (index, self._plain(case.answer.text), self._plain(gold))
            for index, case in enumerate(cases)
            if case.answer is not None
            for gold in golds(case.unit, case.references)
        ]
        best = [0.0] * len(cases)
        values = of_each([answer for _, answer, _ in pairs], [gold for *_, gold in pairs])
        for (index, *_), value in zip(pairs, values, strict=True):
            best[index] = max(best[index], value)
        return [(value, 1.0) for value in best]


@dataclass
class MongeElkan(OverWords):
    """Mean similarity of each word to its nearest in the other text; SimMetrics: gold only."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    def sequences(self, answer: Sequence[str], gold: Sequence[str]) -> float:
        """The gold comes first: that direction fits the document's table, the other does not."""
        formulas = monge_elkan.monge_elkan, simmetrics.monge_elkan
        return formulas[VARIANTS.index(self.variant)](gold, answer)


# BLEU and chrF of a rewrite against a gold, by sacreBLEU.


@dataclass
class Bleu(BestOverRewrites):
    """Sentence by sentence, with effective order: a short text lacks the long orders unpunished.

    "A Call for Clarity in Reporting BLEU Scores". The mean over questions is no corpus BLEU.
    """

    smooth: str = parameter(
        "exp", choices=("exp", "floor", "add-k", "none"), help="sacreBLEU's smoothing of zeros"
    )
    lowercase: bool = parameter(False, help="whether case is ignored")

    def alike(self, answer: str, gold: str) -> float:
        """BLEU from 0 to 1; equal texts have 1, even where they are too short for it."""
        if answer.split() == gold.split():
            return 1.0
        return min(float(self._bleu.sentence_score(answer, [gold]).score) / 100, 1.0)

    def signature(self) -> Mapping[str, str]:
        """sacreBLEU's own."""
        return {
            "sacrebleu": version("sacrebleu"),
            "case": "lc" if self.lowercase else "mixed",
            "eff": "yes",
            "tok": self._tokens,
            "smooth": self.smooth,
            **super().signature(),
        }

    @property
    def _tokens(self) -> str:
        return "zh" if self.language == "zh" else "13a"

    @functools.cached_property
    def _bleu(self) -> BLEU:
        from sacrebleu.metrics.bleu import BLEU

        return BLEU(
            lowercase=self.lowercase,
            tokenize=self._tokens,
            smooth_method=self.smooth,
            effective_order=True,
        )


_CHARACTERS = 6
_BETA = 2


@dataclass
class ChrF(BestOverRewrites):
    """F2 of character n-grams up to six, and of word n-grams up to ``words``.

    "chrF: character n-gram F-score for automatic MT evaluation"; ``words=2`` is chrF++.
    """

    words: int = parameter(0, help="up to how many words in a row count as well; 2 is chrF++")
    lowercase: bool = parameter(False, help="whether case is ignored")

    def __post_init__(self) -> None:
        if self.words < 0:
            raise UsageError(f"metric chrf: words={self.words} is less than 0")

    def alike(self, answer: str, gold: str) -> float:
        """chrF from 0 to 1; equal texts have 1."""
        if answer.split() == gold.split():
            return 1.0
        return min(float(self._chrf.sentence_score(answer, [gold]).score) / 100, 1.0)

    def signature(self) -> Mapping[str, str]:
        """sacreBLEU's own."""
        return {
            "sacrebleu": version("sacrebleu"),
            "case": "lc" if self.lowercase else "mixed",
            "eff": "yes",
            "nc": str(_CHARACTERS),
            "nw": str(self.words),
            "beta": str(_BETA),
            "space": "no",
            **super().signature(),
        }

    @functools.cached_property
    def _chrf(self) -> CHRF:
        from sacrebleu.metrics.chrf import CHRF

        return CHRF(
            char_order=_CHARACTERS, word_order=self.words, beta=_BETA, lowercase=self.lowercase
        )
