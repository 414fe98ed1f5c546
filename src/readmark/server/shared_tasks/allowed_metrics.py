"""The metrics that a shared task may name, and their parameters: none takes a path or an address.

An organiser writes the configuration, and the hall carries it out with its own rights. So only
what is listed here is taken. ``judge`` is not: it sends answers to an address and reads and writes
files.
"""

from __future__ import annotations

from collections.abc import Iterable

from readmark.core.errors import UsageError, did_you_mean
from readmark.core.parsed_names import parse_name
from readmark.marking import METRICS

_PROFILE = ("profile", "simplify", "extract")
_NGRAMS = ("u", "b", "t", "variant", "pairs")
_ANSWERS = ("beta", "measure", "mentions", "unjudged")
ALLOWED_METRICS: dict[str, tuple[str, ...]] = {
    "em": _PROFILE,
    "f1": (*_PROFILE, "match"),
    "average": (*_PROFILE, "match"),
    "contains": (*_PROFILE, "holder"),
    "rouge_l": ("beta",),
    "accuracy": ("extract",),
    "humsent": (),
    "autsent": ("ties",),
    "precision": ("average",),
    "recall": ("average",),
    **dict.fromkeys(("jaccard", "dice", "cosine", "block"), _NGRAMS),
    **dict.fromkeys(
        (
            "euclidean",
            "monge_elkan",
            "levenshtein",
            "needleman_wunsch",
            "smith_waterman",
            "qgrams",
            "jaro",
            "jaro_winkler",
        ),
        ("variant",),
    ),
    "bleu": ("smooth", "lowercase"),
    "chrf": ("words", "lowercase"),
    "exact": (),
    "score_difference": (),
    "proportional_target": ("round",),
    "pearson": (),
    "spearman": (),
    "kendall": (),
    **dict.fromkeys(("facts", "inferences", "answers"), _ANSWERS),
    "provenance": ("mentions",),
    "unjudged": (),
}
"""Parameters by metric. Each is a number, yes or no, or one of a few words."""


def require_allowed(names: Iterable[str]) -> None:
    """Refuse metrics and parameters that are not on the list.

    A metric of another package, which the operator installed, is taken without parameters: what
    it does is the operator's choice, and nothing of the configuration goes into it.
    """
    for text in names:
        name = parse_name(text)
        entry = METRICS.entry(name.base)
        if entry.package == "readmark" and name.base not in ALLOWED_METRICS:
            alike = [
                metric for metric in ALLOWED_METRICS if METRICS.entry(metric).kinds == entry.kinds
            ]
            raise UsageError(f"a hall does not mark by {name.base}; choose {', '.join(alike)}")
        for key in name.parameters:
            if key not in (allowed := ALLOWED_METRICS.get(name.base, ())):
                hint = did_you_mean(key, allowed) if allowed else "it takes none"
                raise UsageError(f"metric {name.base} takes no parameter {key!r} in a hall; {hint}")
