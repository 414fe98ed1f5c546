"""What a training of a span reader needs of its settings, told before anything is learnt."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.formats import open_test
from readmark.corpus.test import Test

if TYPE_CHECKING:
    from readmark.models.span.learning import Plan
    from readmark.models.span.shape import Shape


def require_plan(plan: Plan, *, marked: bool) -> None:
    """A rate that is one, a device that is there, and marks to be patient with."""
    from readmark.models.span.network import torch_parts

    torch, _ = torch_parts()
    if not 0 < plan.rate < math.inf:
        raise UsageError(f"the rate is {plan.rate:g}, expected more than 0")
    if plan.patience and not marked:
        raise UsageError("patience needs marks: give --check TEST or --hold-out SHARE")
    if plan.device:
        try:
            torch.zeros(1, device=plan.device)
        except (RuntimeError, AssertionError) as error:
            said = " ".join(str(error).split())[:200]
            raise UsageError(f"the device {plan.device} cannot be used: {said}") from None


def checks_of(paths: Sequence[str | Path]) -> dict[str, Test]:
    """The tests that are marked each epoch, by the names their marks have."""
    stems = [Path(str(path)).stem for path in paths]
    found: dict[str, Test] = {}
    for path, stem in zip(paths, stems, strict=True):
        test = open_test(path)
        require_comprehension(test)
        keys = (unit.item.key for unit in test.units())
        if not any(key is not None and (key.answers or key.unanswerable) for key in keys):
            raise DataError("no question has a known answer to be marked by", file=test.file)
        found[stem if stems.count(stem) == 1 else str(path)] = test
    return found


def require_comprehension(test: Test) -> None:
    """Span readers answer questions on passages."""
    if test.kind.name != "comprehension":
        raise UsageError(f"{test.file} is a {test.kind.name} test, expected comprehension")


def fitted(shape: Shape, network: Any, tell: Callable[[str], None]) -> Shape:
    """The shape with windows that the encoder has positions for."""
    from readmark.models.hf.loading import positions_of
    from readmark.models.span.shape import SHORTEST

    positions = positions_of(network.encoder.config)
    if positions is None or shape.length <= positions:
        return shape
    if positions < SHORTEST:
        raise DataError(f"the encoder reads {positions} tokens, expected {SHORTEST} or more")
    tell(f"windows of {positions} tokens instead of {shape.length}: the encoder reads no more")
    return msgspec.structs.replace(shape, length=positions)


def require_able(encoder: Any, *, layers: int | None, dropout: float | None, masked: float) -> None:
    """Not every encoder has its parts where BERT has them."""
    kind = encoder.config.model_type
    if layers is not None and not hasattr(getattr(encoder, "encoder", None), "layer"):
        raise UsageError(f"the layers of a {kind} encoder cannot be stacked")
    if dropout and not hasattr(type(encoder.config)(), "hidden_dropout_prob"):
        raise UsageError(f"the dropout of a {kind} encoder cannot be set; it keeps its own")
    if masked and not hasattr(encoder.config, "layer_norm_eps"):
        raise UsageError(f"a {kind} encoder cannot be taught masked words")


def require_teachers(folders: Sequence[str], shape: Shape) -> None:
    """Teachers are trained readers that were put the texts in the same order."""
    from readmark.models.span.network import HEADS
    from readmark.models.span.shape import read_shape

    for name in folders:
        own = read_shape(Path(name))
        if not (Path(name) / HEADS).is_file():
            raise DataError(f"{name} cannot teach: {HEADS} is missing")
        if own.passage_first != shape.passage_first:
            order = "passage" if own.passage_first else "question"
            raise UsageError(f"{name} cannot teach: it reads the {order} first")


def keep_still() -> None:
    """Keep the libraries' bars and warnings off the terminal."""
    import logging

    from readmark.models.span.network import torch_parts

    _, transformers = torch_parts()
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)
