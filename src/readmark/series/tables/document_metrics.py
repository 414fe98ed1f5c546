"""The metrics and weights that the question series document compares rewriters by.

"A gold standard of question reformulations for TREC question series", tables 1 to 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from readmark.core.parsed_names import ParsedName
from readmark.core.registry import parameters_of
from readmark.marking import METRICS
from readmark.statistics.similarity.order_weights import OrderWeights

WEIGHTED = ("dice", "cosine", "jaccard", "block")
"""The metrics that weigh words, pairs and triples, in the document's order."""
UNIGRAMS: OrderWeights = (1, 0, 0)
CHOSEN: OrderWeights = (2, 1, 0)
"""The document's choice, and the default of the metrics."""
WEIGHTINGS: tuple[OrderWeights, ...] = (UNIGRAMS, (1, 1, 0), (1, 1, 1), (1, 2, 0), CHOSEN)
"""Those of the document's tables 2 to 6."""
TABLE_1 = (
    "jaccard",
    "dice",
    "cosine",
    "block",
    "euclidean",
    "monge_elkan",
    "levenshtein",
    "needleman_wunsch",
    "smith_waterman",
    "qgrams",
    "jaro_winkler",
    "jaro",
)


def document_metrics(definitions: Mapping[str, str]) -> list[str]:
    """The canonical names of the metrics of all tables, each once."""
    names = [metric_name(base, UNIGRAMS, definitions) for base in TABLE_1]
    names += [
        metric_name(base, weights, definitions) for weights in WEIGHTINGS for base in WEIGHTED
    ]
    return list(dict.fromkeys(names))


def metric_name(base: str, weights: OrderWeights, definitions: Mapping[str, str]) -> str:
    """A metric's canonical name, with those of the parameters that it takes."""
    accepted = parameters_of(METRICS.load(base))
    parameters: dict[str, Any] = {}
    if "u" in accepted:
        parameters |= dict(zip("ubt", map(float, weights), strict=True))
    parameters |= {name: value for name, value in definitions.items() if name in accepted}
    name, _ = METRICS.build(ParsedName(base, parameters))
    return str(name)


def weights_text(weights: OrderWeights) -> str:
    """Weights as the document writes them."""
    return ", ".join(f"{name}:{weight:g}" for name, weight in zip("UBT", weights, strict=True))
