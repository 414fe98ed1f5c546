"""How a span reader is trained: the plan of its network, and the settings of the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class SpanPlan:
    """How a network is trained; the defaults are those of CMRC 2018's baseline."""

    rate: float = 3e-5
    batch: int = 32
    epochs: int = 2
    warmup: float = 0.06
    decay: float = 0.01
    accumulate: int = 1
    clip: float = 1.0
    seed: int = 1
    device: str = ""
    mixed: bool = True
    """Half precision where the device has it."""
    patience: int = 0
    """Epochs without a better mark before it stops; 0 never stops."""
    minutes: float = 0.0
    """After how long it stops, the rate having fallen by then; 0 for no limit."""
    average: float = 0.0
    """How much of the mean of the weights each step keeps; 0 for the last weights alone."""
    distil: float = 0.7
    """The weight of teachers relative to the answers, if there are teachers."""
    unpadded: bool | None = None
    """Windows end to end instead of side by side; by default on a GPU that can."""

    def is_half(self, device: str) -> bool:
        """Whether the network is run in half precision there."""
        return self.mixed and device.startswith("cuda")


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanSettings:
    """How a span reader is trained; what is None is the encoder's own."""

    plan: SpanPlan | None = None
    language: str | None = None
    length: int | None = None
    answer: int | None = None
    passage_first: bool = False
    check: Sequence[str | Path] = ()
    """Tests to mark after each epoch."""
    scores: Sequence[str | Path] = ()
    """Tests to fit scores and the no-answer threshold to; those of ``check`` if there are none."""
    hold_out: float = 0.0
    """Share of passages that is held out from training and marked after each epoch."""
    blank_share: float = 0.1
    """Share of the windows without their answer that is learnt from."""
    teachers: Sequence[Any] = ()
    """Trained models to distil from: their folders, or networks that score the same windows."""
    dropout: float | None = None
    layers: int | None = None
    masked: float = 0.0
    """Share of passage tokens that are masked and predicted as well."""
    resume: bool = False
    export: bool = True
    split: str | None = None
    """The split to learn from; hidden splits are not, unless selected by name."""
    processes: int = 1
    """Processes that cut the lessons into windows."""
