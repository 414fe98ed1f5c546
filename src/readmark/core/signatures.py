"""A mark's signature read: ``metric:f1|profile:squad|…|clusters:passage|…|seed:1|readmark:0.6``."""

from __future__ import annotations


def signature_parts(signature: str) -> dict[str, str]:
    """What decided a number, by name."""
    return dict(part.partition(":")[::2] for part in signature.split("|"))


def metric_rules(signature: str) -> dict[str, str]:
    """The part of it that the metric itself decides: what comes before the clusters."""
    rules = {}
    for name, value in signature_parts(signature).items():
        if name == "clusters":
            break
        if name != "metric":
            rules[name] = value
    return rules
