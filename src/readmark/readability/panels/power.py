"""Power, error and inflation of the test against novices, over sizes of panels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from readmark import console as options
from readmark.console import Ticker
from readmark.core.display import GAP, counted, fitting, make_console, plain_table
from readmark.core.errors import UsageError
from readmark.readability.panels.novices import METRICS
from readmark.readability.panels.simulation import (
    EXPERTS,
    NOVICES,
    SIZES,
    Design,
    Passed,
    Rate,
    Synthesised,
    Traits,
    needed,
    passing,
)

# The options that say how made-up judges rate, and the traits that they make.


_OPTIONS = (
    ("--expert-bias", 0.15, "Standard deviation of the experts' constant biases"),
    ("--expert-noise", 0.4, "Standard deviation of an expert's noise per passage"),
    ("--novice-bias", 0.3, "Standard deviation of the novices' constant biases"),
    ("--novice-noise", 0.7, "Standard deviation of a novice's noise per passage"),
    ("--drift", 0.0, "Standard deviation of the judges' drifts per round"),
    ("--stretch", 0.0, "Standard deviation of the logarithm of how widely a judge uses the scale"),
    ("--missing", 0.0, "Share of the novices' ratings that are missing"),
)


def traits_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of all traits."""
    for name, default, help in reversed(_OPTIONS):
        command = click.option(name, type=float, default=default, help=help)(command)
    return command


def panels(given: dict[str, float]) -> tuple[Traits, Traits]:
    """The experts' and the novices' traits."""
    from readmark.readability.panels.simulation import Traits

    drift, stretch = given["drift"], given["stretch"]
    return (
        Traits(given["expert_bias"], given["expert_noise"], drift, stretch),
        Traits(
            given["novice_bias"], given["novice_noise"], drift, stretch, missing=given["missing"]
        ),
    )


# ``readmark panel power``.


def _sizes(_: click.Context, parameter: click.Parameter, value: str) -> list[int]:
    try:
        found = [int(one) for one in value.split(",")]
    except ValueError:
        raise click.BadParameter(f"{value!r} is no list of whole numbers") from None
    return found


@click.command("power")
@click.option(
    "--passages",
    default="100",
    metavar="N,...",
    callback=_sizes,
    help="Numbers of passages to simulate",
)
@click.option("--experts", type=int, default=3, help="Number of experts")
@click.option(
    "--novices",
    default="8",
    metavar="N,...",
    callback=_sizes,
    help="Numbers of novices to simulate",
)
@click.option(
    "--advantage",
    type=float,
    help="How many stars closer to the gold than the average novice the rater truly is  "
    "[default: 0.1]",
)
@click.option(
    "--rater",
    type=click.Choice(["advantage", "drawn", "novice"]),
    default="advantage",
    help="Rater under test: one with the --advantage, one drawn from the novices anew "
    "for each passage, or an additional novice",
)
@click.option(
    "--round", "rounded", is_flag=True, help="Round ratings to whole stars for the metric target."
)
@click.option("--target", type=float, default=0.8, help="Power that --find aims for")
@click.option(
    "--find", is_flag=True, help="Also find the number of passages that reaches --target."
)
@click.option(
    "--panels",
    "many",
    type=int,
    default=400,
    help="Panels to simulate for each size, up to 100,000",
)
@click.option(
    "--draws",
    type=int,
    default=999,
    help="Draws for the null distribution of each panel, up to 1,000,000",
)
@traits_options
@options.seed_option
@options.json_option
def power_command(
    passages: list[int],
    experts: int,
    novices: list[int],
    advantage: float | None,
    rater: str,
    rounded: bool,
    target: float,
    find: bool,
    many: int,
    draws: int,
    seed: int,
    as_json: bool,
    **traits: float,
) -> None:
    """Estimate by simulation how often a rater is shown to be better than novices.

    --rater drawn estimates the test's false-positive rate; --rater novice estimates how often
    an additional novice, with their own bias, passes the test.
    """

    ticker = Ticker()
    expert, novice = panels(traits)
    found = power(
        passages=passages,
        experts=experts,
        novices=novices,
        expert_traits=expert,
        novice_traits=novice,
        rater=rater,
        advantage=advantage,
        rounded=rounded,
        target=target if find else None,
        panels=many,
        draws=draws,
        seed=seed,
        watch=lambda done, total: ticker.say(lambda: f"{done}/{total} panels"),
    )
    ticker.end()
    if as_json:
        options.print_json(found.as_json())
    else:
        print_power(found)


ADVANTAGE = 0.1


@dataclass(frozen=True, slots=True)
class Power:
    """Everything that ``panel power`` shows."""

    rater: str
    advantage: float | None
    rounded: bool
    panels: int
    draws: int
    seed: int
    expert_traits: Traits
    novice_traits: Traits
    sizes: Sequence[Passed]
    target: float | None
    found: Sequence[tuple[int, str, Passed | None]]
    """The fewest passages for the target: by novices and metric."""

    def as_json(self) -> dict[str, Any]:
        """One document."""
        return {
            "rater": self.rater,
            "advantage": self.advantage,
            "round": self.rounded,
            "panels": self.panels,
            "draws": self.draws,
            "seed": self.seed,
            "traits": {
                "experts": asdict(self.expert_traits),
                "novices": asdict(self.novice_traits),
            },
            "sizes": [_passed_json(one) for one in self.sizes],
            "target": self.target,
            "needed": [
                {
                    "novices": novices,
                    "metric": metric,
                    "passages": None if one is None else one.design.passages,
                    "power": None if one is None else _rate_json(one.drawn[metric]),
                    "tried": list(SIZES),
                }
                for novices, metric, one in self.found
            ],
        }


def power(
    *,
    passages: Sequence[int] = (100,),
    experts: int = 3,
    novices: Sequence[int] = (8,),
    expert_traits: Traits = EXPERTS,
    novice_traits: Traits = NOVICES,
    rater: str = "advantage",
    advantage: float | None = None,
    rounded: bool = False,
    target: float | None = None,
    panels: int = 400,
    draws: int = 999,
    seed: int = 1,
    watch: Callable[[int, int], None] | None = None,
) -> Power:
    """How often the rater passes for each size; and, with a target, the passages that it takes.

    The advantage is a tenth of a star unless another is asked for.
    """
    if advantage is not None and rater != "advantage":
        raise UsageError(f"--advantage is for --rater advantage, a rater {rater!r} has none to set")
    advantage = ADVANTAGE if advantage is None else advantage
    if target is not None and rater != "advantage":
        raise UsageError("--find is for a rater with an advantage")
    if target is not None and not 0 < target < 1:
        raise UsageError(f"a power is between 0 and 1, not {target:g}")
    designs = [
        Design(k, experts, many, expert_traits, novice_traits) for many in novices for k in passages
    ]
    total, before = len(designs) * panels, 0
    sizes = []
    for design in designs:

        def tell(done: int, _: int, before: int = before) -> None:
            if watch is not None:
                watch(before + done, total)

        one = passing(
            design,
            rater=rater,
            advantage=advantage,
            panels=panels,
            draws=draws,
            seed=seed,
            rounded=rounded,
            watch=tell,
        )
        sizes.append(one)
        before += panels
    found: list[tuple[int, str, Passed | None]] = []
    for many in novices if target is not None else ():
        kept: dict[int, Passed] = {}
        for metric in METRICS:
            best = needed(
                Design(2, experts, many, expert_traits, novice_traits),
                metric,
                advantage=advantage,
                power=target or 0.0,
                panels=panels,
                draws=draws,
                seed=seed,
                rounded=rounded,
                kept=kept,
            )
            found.append((many, metric, best))
    return Power(
        rater,
        advantage if rater == "advantage" else None,
        rounded,
        panels,
        draws,
        seed,
        expert_traits,
        novice_traits,
        sizes,
        target,
        found,
    )


def _passed_json(one: Passed) -> dict[str, Any]:
    return {
        "passages": one.design.passages,
        "experts": one.design.experts,
        "novices": one.design.novices,
        "passed": {name: _rate_json(rate) for name, rate in one.drawn.items()},
        "whole_judges": {name: _rate_json(rate) for name, rate in one.judges.items()},
        "mean": one.mean,
    }


def _rate_json(rate: Rate) -> dict[str, float]:
    low, high = rate.interval
    return {"share": rate.share, "low": low, "high": high}


# Power of panels, and made-up panels, in a terminal.


_WHO = {
    "advantage": "a rater {advantage} nearer the gold than the mean novice",
    "drawn": "a fresh draw from the novices for every passage",
    "novice": "one more novice, the same person on every passage",
}


def print_power(found: Power) -> None:
    """How often the rater passes, a row a size, and the passages that it takes."""
    console = make_console()
    stars = found.advantage or 0.0
    who = _WHO[found.rater].format(advantage=f"{stars:g} star{'' if stars == 1 else 's'}")
    console.print(f"how often {who} is called better than a novice (p <= 0.025)", style="bold")
    _print_sizes(console, found)
    if found.rater == "advantage" and not found.rounded:
        console.print(
            "proportional_target, and so all three: this rater's ratings are no whole stars and "
            "miss every target without width, however near they are; --round rounds them"
        )
    if found.target is not None:
        _print_needed(console, found)
    console.print(
        f"under each figure the 95% interval of the simulation, {counted(found.panels, 'panel')} "
        f"made up; {found.draws:,} draws of each null, seed {found.seed}; whole judges: better "
        "than those by all three, p <= 0.025",
        style="dim",
    )


def _print_sizes(console: Console, found: Power) -> None:
    """Metrics down and sizes across, in as many tables as fit."""
    rows = {name: name for name in METRICS} | {"all": "all three"}
    sizes = {f"{one.design.passages:,} × {one.design.novices:,}": one for one in found.sizes}
    room = console.width - max(map(len, METRICS)) - GAP
    for shown in fitting(list(sizes), room):
        table = plain_table("% (passages × novices)", *shown)
        for name, told in rows.items():
            table.add_row(told, *(_cell(sizes[size].drawn[name]) for size in shown))
        table.add_row("whole judges", *(_cell(sizes[size].judges["all"]) for size in shown))
        console.print(table)


def _print_needed(console: Console, found: Power) -> None:
    table = plain_table("novices", "metric", "passages", "power %")
    for novices, metric, one in found.found:
        if one is None:
            table.add_row(str(novices), metric, f"over {SIZES[-1]:,}", "")
        else:
            passages = f"{one.design.passages:,}"
            table.add_row(str(novices), metric, passages, _cell(one.drawn[metric]))
    sizes = ", ".join(map(str, SIZES))
    console.print(f"passages for a power of {found.target:g} (of {sizes})", style="bold")
    console.print(table)


def print_synthesised(made: Synthesised) -> None:
    """What was made up, and what to do with it."""
    console = make_console()
    left = f", {counted(made.missing, 'rating')} left out" if made.missing else ""
    console.print(
        f"{made.folder}: {counted(made.passages, 'passage')} rated by "
        f"{counted(len(made.experts), 'expert')} (the key of {made.files[0]}) and "
        f"{counted(len(made.novices), 'novice')} (a sitting each){left}; all of it made up, "
        f"seed {made.seed}",
        soft_wrap=True,
    )


def _cell(rate: Rate) -> Text:
    low, high = rate.interval
    return Text(f"{100 * rate.share:.1f}\n").append(f"{100 * low:.1f}–{100 * high:.1f}", "dim")
