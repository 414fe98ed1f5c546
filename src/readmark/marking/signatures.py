"""What decided each metric's number, in one line."""

from __future__ import annotations

from collections.abc import Mapping

from readmark.hooks import Kind, Metric
from readmark.marking.metrics import is_additive
from readmark.marking.settings import MarkSettings


def metric_signatures(
    metrics: Mapping[str, Metric], kind: Kind, settings: MarkSettings
) -> dict[str, str]:
    """Every metric's signature, as its marks and a marksheet's header have it."""
    signatures = {}
    for name, metric in metrics.items():
        # A BCa interval takes a function of sums.
        rules = settings if is_additive(metric) else settings.without_bca()
        signatures[name] = rules.signature(name, metric, kind.record_noun, **rules.interval_rules())
    return signatures
