"""What features and an encoder find likely, pooled.

A sentence's probability is a product of powers of both (a logarithmic opinion pool: "Combining
Probability Distributions: A Critique and an Annotated Bibliography", Genest and Zidek, 1986).
Exponents below 1 tone down a side that is too sure of itself, so they are learnt on questions that
neither side was trained on. Nothing in them depends on the encoder's size.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from readmark.core.arrays import AnyFloats

FLOOR = 1e-6
"""The least probability that either side gives a sentence: neither can rule one out."""


@dataclass(frozen=True, slots=True)
class Pooling:
    """The exponents of both sides, and what they were learnt from."""

    features: float
    encoder: float
    note: Mapping[str, Any] = field(default_factory=dict)

    def pooled(self, features: AnyFloats, encoder: AnyFloats) -> AnyFloats:
        """The probabilities of a passage's sentences by both, or by features if that is all."""
        scores = self.features * floored_logs(features)
        if encoder.any():
            scores = scores + self.encoder * floored_logs(encoder)
        raised = np.exp(scores - scores.max())
        shares: AnyFloats = raised / raised.sum()
        return shares

    def as_json(self) -> dict[str, Any]:
        """Its part of a model's file."""
        return {
            "features": round(self.features, 4),
            "encoder": round(self.encoder, 4),
            "note": self.note,
        }


def pooling_from(member: Mapping[str, Any]) -> Pooling:
    """The exponents of a model's file."""
    return Pooling(float(member["features"]), float(member["encoder"]), member.get("note", {}))


def floored_logs(shares: AnyFloats) -> AnyFloats:
    """Logarithms of probabilities, none of them lower than the floor's."""
    logs: AnyFloats = np.log(np.maximum(shares.astype(np.float64), FLOOR))
    return logs
