"""The metrics: what one gives for a unit, and how the units' vectors make a mark.

A metric first gives a vector of sufficient statistics a unit; the mark is a function of their
sums, so intervals, slices and paired tests work on vectors and never on text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, fields, is_dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from readmark.corpus.errors import ReadmarkError, UsageError
from readmark.corpus.names import Name
from readmark.corpus.registry import Entry, Registry
from readmark.corpus.test import Test
from readmark.corpus.values import Unit

Floats = NDArray[np.float64]
SHARE, CORRELATION = "share", "correlation"
"""What a metric's ``quantity`` may be: a number from 0 to 1, or from -1 to 1."""


class Metric(Protocol):
    """One way of marking. A dataclass: its fields are the metric's parameters.

    It may have ``quantity``, which says in what range the unscaled mark lies.
    """

    @property
    def scale(self) -> float:
        """What the mark is multiplied by when it is shown: 100 for shares."""

    @property
    def width(self) -> int:
        """How many numbers a unit's vector has."""

    @property
    def additive(self) -> bool:
        """Whether the mark is a function of sums; if not, the metric has ``score(rows)``."""

    def resolve(self, test: Test) -> Metric:
        """The metric with what the test decides filled in, such as the profile."""

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """A unit's vector; None is an unanswered unit and gets the worst value.

        ``people`` are the panel's answers to the unit, for metrics that set them against.
        """

    def aggregate(self, sums: Floats) -> Floats:
        """The mark, unscaled, of sums (..., width); NaN where it is undefined."""

    def signature(self) -> Mapping[str, str]:
        """Everything that decides the number."""


_COMPREHENSION = ("comprehension",)
_SERIES = ("series",)
_READABILITY = ("readability",)
_TASK = ("task",)

METRICS = Registry(
    "metric",
    "readmark.metrics",
    {
        "em": Entry(
            "readmark.marking.metrics.em:ExactMatch",
            "share of answers equal to a reference once both are normalised",
            _COMPREHENSION,
        ),
        "f1": Entry(
            "readmark.marking.metrics.f1:F1",
            "overlap of answer and reference tokens, best over references",
            _COMPREHENSION,
        ),
        "average": Entry(
            "readmark.marking.metrics.average:Average",
            "mean of EM and F1, which CMRC 2018 ranks by",
            _COMPREHENSION,
        ),
        "contains": Entry(
            "readmark.marking.metrics.contains:Contains",
            "share of answers that hold a whole reference, for wordy candidates",
            _COMPREHENSION,
        ),
        "accuracy": Entry(
            "readmark.marking.metrics.accuracy:Accuracy",
            "share of multiple-choice questions whose chosen option is the keyed one",
            _COMPREHENSION,
        ),
        "judge": Entry(
            "readmark.marking.metrics.judge:Judge",
            "share of answers that a language model calls right; held against people first",
            _COMPREHENSION,
        ),
        "humsent": Entry(
            "readmark.marking.metrics.humsent:HumSent",
            "share of answers in a sentence that people marked as answering",
            _COMPREHENSION,
        ),
        "autsent": Entry(
            "readmark.marking.metrics.autsent:AutSent",
            "share of answers in the sentence that recalls most of the key's words",
            _COMPREHENSION,
        ),
        "precision": Entry(
            "readmark.marking.metrics.key_words:Precision",
            "share of the answer's words that are in the key, as sets of stems",
            _COMPREHENSION,
        ),
        "recall": Entry(
            "readmark.marking.metrics.key_words:Recall",
            "share of the key's words that are in the answer, as sets of stems",
            _COMPREHENSION,
        ),
        "jaccard": Entry(
            "readmark.marking.metrics.jaccard:Jaccard",
            "Jaccard coefficient of words and pairs of words, best over golds",
            _SERIES,
        ),
        "dice": Entry(
            "readmark.marking.metrics.dice:Dice",
            "Dice coefficient of words and pairs of words",
            _SERIES,
        ),
        "cosine": Entry(
            "readmark.marking.metrics.cosine:Cosine",
            "cosine of the counts of words and pairs of words",
            _SERIES,
        ),
        "block": Entry(
            "readmark.marking.metrics.block:Block",
            "city-block similarity of the counts of words and pairs of words",
            _SERIES,
        ),
        "euclidean": Entry(
            "readmark.marking.metrics.euclidean:Euclidean",
            "Euclidean similarity of the counts of words",
            _SERIES,
        ),
        "monge_elkan": Entry(
            "readmark.marking.metrics.monge_elkan:MongeElkan",
            "mean similarity of each word to the likest of the other text",
            _SERIES,
        ),
        "levenshtein": Entry(
            "readmark.marking.metrics.levenshtein:Levenshtein",
            "edits that make one text the other, over the longer length",
            _SERIES,
        ),
        "needleman_wunsch": Entry(
            "readmark.marking.metrics.needleman_wunsch:NeedlemanWunsch",
            "best global alignment of characters",
            _SERIES,
        ),
        "smith_waterman": Entry(
            "readmark.marking.metrics.smith_waterman:SmithWaterman",
            "best local alignment of characters, over the shorter length",
            _SERIES,
        ),
        "qgrams": Entry(
            "readmark.marking.metrics.qgrams:QGrams",
            "share of substrings of three characters that pair off",
            _SERIES,
        ),
        "jaro": Entry(
            "readmark.marking.metrics.jaro:Jaro",
            "Jaro similarity of characters",
            _SERIES,
        ),
        "jaro_winkler": Entry(
            "readmark.marking.metrics.jaro_winkler:JaroWinkler",
            "Jaro similarity with a bonus for a common beginning",
            _SERIES,
        ),
        "bleu": Entry(
            "readmark.marking.metrics.bleu:Bleu",
            "sentence BLEU by sacreBLEU",
            _SERIES,
        ),
        "chrf": Entry(
            "readmark.marking.metrics.chrf:ChrF",
            "sentence chrF by sacreBLEU",
            _SERIES,
        ),
        "exact": Entry(
            "readmark.marking.metrics.exact:Exact",
            "share of rewrites equal to a gold rewrite, letter for letter but for spaces",
            _SERIES,
        ),
        "score_difference": Entry(
            "readmark.marking.metrics.score_difference:ScoreDifference",
            "how many stars nearer the experts' mean than the average novice is",
            _READABILITY,
        ),
        "proportional_target": Entry(
            "readmark.marking.metrics.proportional_target:ProportionalTarget",
            "hits of the range of the experts' ratings, narrow ranges worth more, summed",
            _READABILITY,
        ),
        "pearson": Entry(
            "readmark.marking.metrics.pearson:Pearson",
            "correlation of the ratings with the experts' mean",
            _READABILITY,
        ),
        "spearman": Entry(
            "readmark.marking.metrics.spearman:Spearman",
            "correlation of the ranks of the ratings with those of the experts' mean",
            _READABILITY,
        ),
        "kendall": Entry(
            "readmark.marking.metrics.kendall:Kendall",
            "pairs of passages in the experts' order less those in the opposite one (tau-b)",
            _READABILITY,
        ),
        "facts": Entry(
            "readmark.marking.metrics.facts:Facts",
            "F of the answers that a text states, over all queries together",
            _TASK,
        ),
        "inferences": Entry(
            "readmark.marking.metrics.inferences:Inferences",
            "F of the answers that take inference, over all queries together",
            _TASK,
        ),
        "answers": Entry(
            "readmark.marking.metrics.answers:Answers",
            "F of all answers to queries, stated and inferred",
            _TASK,
        ),
        "provenance": Entry(
            "readmark.marking.metrics.provenance:Provenance",
            "overlap of right answers' excerpts with the gold's, in code points",
            _TASK,
        ),
        "unjudged": Entry(
            "readmark.marking.metrics.unjudged:Unjudged",
            "share of answers that are neither in the gold nor judged",
            _TASK,
        ),
    },
)


def parameter(
    default: Any, *, help: str, choices: Sequence[str] = (), unnamed: bool = False
) -> Any:
    """A declared parameter of a metric: default, allowed values, one line of prose.

    An ``unnamed`` one is no part of what the metric is called in tables and files.
    """
    told = {"help": help, "choices": tuple(choices), "unnamed": unnamed}
    return field(default=default, metadata=told)


def build_metrics(names: Sequence[str], test: Test) -> dict[str, Metric]:
    """The metrics asked for, by canonical name, resolved for a test and fit for its kind."""
    built: dict[str, Metric] = {}
    for text in names:
        name, metric = METRICS.build(text)
        kinds = METRICS.entry(name.base).kinds or getattr(metric, "kinds", ())
        if kinds and test.kind.name not in kinds:
            raise UsageError(
                f"metric {name.base} marks {', '.join(kinds)} tests, this one is {test.kind.name}"
            )
        short = _short(name, metric)
        built[str(name) if short in built else short] = metric.resolve(test)
    _require_main(built)
    return built


def installed_metrics(names: Iterable[str]) -> dict[str, Any]:
    """The metrics of these names that are installed here, as their defaults and parameters say."""
    found = {}
    for name in names:
        try:
            found[name] = METRICS.build(name)[1]
        except ReadmarkError:
            continue  # a plug-in's, or of another version
    return found


def _short(name: Name, metric: Any) -> str:
    """A metric's name without what only says where things are: its signature has the rest."""
    places = fields(metric) if is_dataclass(metric) else ()
    unnamed = {one.name for one in places if one.metadata.get("unnamed")}
    said = {key: value for key, value in name.parameters.items() if key not in unnamed}
    return str(Name(name.base, said))


def _require_main(built: Mapping[str, Metric]) -> None:
    """The first metric leads tables and plots; one that may not says why when it is to lead."""
    for name, metric in built.items():
        reason = metric.lead() if hasattr(metric, "lead") else None
        if reason is not None:
            raise UsageError(f"{name} may not be the main mark: {reason}")
        return


def main_metric(test: Test) -> str:
    """What candidates are compared by: the kind's main metric, or the first that is marked."""
    marked = test.kind.metrics(test.header, test.facts)
    return test.kind.main_metric if test.kind.main_metric in marked else marked[0]
