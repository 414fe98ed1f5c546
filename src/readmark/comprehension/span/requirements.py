"""What a training of a span reader needs, checked before anything is learnt."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from readmark.comprehension.hub import positions_of
from readmark.comprehension.span.network import torch_parts
from readmark.comprehension.span.settings import SpanPlan, SpanSettings
from readmark.comprehension.span.shape import SHORTEST, SpanShape
from readmark.core.errors import DataError, UsageError
from readmark.core.progress import Tell


def require_plan(plan: SpanPlan, *, marked: bool) -> None:
    """A plan needs a rate above 0, a device that is there, and marks to be patient with."""
    torch, _ = torch_parts()
    if not 0 < plan.rate < math.inf:
        raise UsageError(f"the rate is {plan.rate:g}, expected more than 0")
    if plan.patience and not marked:
        raise UsageError("patience needs marks: give --check TEST or --hold-out SHARE")
    if plan.device:
        try:
            torch.zeros(1, device=plan.device)
        except (RuntimeError, AssertionError) as error:
            reason = " ".join(str(error).split())[:200]
            raise UsageError(f"the device {plan.device} cannot be used: {reason}") from None


def require_able(encoder: Any, settings: SpanSettings) -> None:
    """Not every encoder has its parts where BERT has them."""
    kind = encoder.config.model_type
    if settings.layers is not None and not hasattr(getattr(encoder, "encoder", None), "layer"):
        raise UsageError(f"the layers of a {kind} encoder cannot be stacked")
    if settings.dropout and not hasattr(type(encoder.config)(), "hidden_dropout_prob"):
        raise UsageError(f"the dropout of a {kind} encoder cannot be set; it keeps its own")
    if settings.masked and not hasattr(encoder.config, "layer_norm_eps"):
        raise UsageError(f"a {kind} encoder cannot be taught masked words")


def fit_shape(shape: SpanShape, network: Any, progress: Tell) -> SpanShape:
    """The shape with windows that the encoder has positions for."""
    positions = positions_of(network.encoder.config)
    if positions is None or shape.length <= positions:
        return shape
    if positions < SHORTEST:
        raise DataError(f"the encoder reads {positions} tokens, expected {SHORTEST} or more")
    progress(f"windows of {positions} tokens instead of {shape.length}: the encoder reads no more")
    return msgspec.structs.replace(shape, length=positions)
