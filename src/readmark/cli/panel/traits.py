"""The options that say how made-up judges rate, and the traits that they make."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from readmark.measures.synthetic_panel import Traits

_OPTIONS = (
    ("--expert-bias", 0.15, "Deviation between experts of what one adds to every rating."),
    ("--expert-noise", 0.4, "Deviation of an expert from passage to passage."),
    ("--novice-bias", 0.3, "Deviation between novices of what one adds to every rating."),
    ("--novice-noise", 0.7, "Deviation of a novice from passage to passage."),
    ("--drift", 0.0, "Deviation between judges of what each round adds."),
    ("--stretch", 0.0, "Deviation of the logarithm of how wide a judge uses the scale."),
    ("--missing", 0.0, "Share of the novices' ratings that are not given."),
)


def traits_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of all traits."""
    for name, default, help in reversed(_OPTIONS):
        command = click.option(name, type=float, default=default, show_default=True, help=help)(
            command
        )
    return command


def panels(given: dict[str, float]) -> tuple[Traits, Traits]:
    """The experts' and the novices' traits."""
    from readmark.measures.synthetic_panel import Traits

    drift, stretch = given["drift"], given["stretch"]
    return (
        Traits(given["expert_bias"], given["expert_noise"], drift, stretch),
        Traits(
            given["novice_bias"], given["novice_noise"], drift, stretch, missing=given["missing"]
        ),
    )
