"""``readmark panel power``: power, error and inflation of the test against novices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, get_type_hints

import click
from rich.console import Console
from rich.text import Text

from readmark import console as options
from readmark.console import Ticker
from readmark.core.display import GAP, Result, counted, fitting, plain_table
from readmark.core.errors import UsageError, did_you_mean
from readmark.core.numbers import percent, percent_interval
from readmark.readability.panels.novices import METRICS
from readmark.readability.panels.simulation import (
    RATERS,
    SIZES,
    Design,
    PassRate,
    PassRates,
    Simulation,
    needed,
    passing,
)
from readmark.readability.panels.synthetic_judges import EXPERTS, NOVICES, JudgeTraits

ADVANTAGE = 0.1
"""How many stars nearer the gold than the mean novice the rater is, unless another is named."""
_TRAITS = [name for name, type in get_type_hints(JudgeTraits).items() if type is float]


def _sizes(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> list[int]:
    joined = ",".join(values)
    try:
        return [int(size) for size in joined.split(",")]
    except ValueError:
        raise click.BadParameter(f"{joined!r} is not a list of whole numbers") from None


def _traits(default: JudgeTraits) -> Callable[..., JudgeTraits]:
    """A parser of ``bias=0.2,noise=0.5``; a trait that is not named keeps its default."""

    def parse(
        context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
    ) -> JudgeTraits:
        changes: dict[str, Any] = {}
        for part in ",".join(values).split(",") if values else ():
            name, _, value = part.partition("=")
            name = name.strip()
            if name not in _TRAITS:
                raise click.BadParameter(f"no trait {name!r}; {did_you_mean(name, _TRAITS)}")
            try:
                changes[name] = float(value)
            except ValueError:
                raise click.BadParameter(f"{name}: {value.strip()!r} is not a number") from None
        return replace(default, **changes)

    return parse


@click.command("power")
@options.list_option(
    "--passages",
    default="100",
    metavar="N,...",
    callback=_sizes,
    help="Numbers of passages to simulate",
)
@click.option("--experts", type=int, default=3, help="Number of experts")
@options.list_option(
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
    type=click.Choice(RATERS),
    default="advantage",
    help="Rater under test: one with the --advantage, one drawn from the novices anew "
    "for each passage, or an additional novice",
)
@click.option(
    "--target",
    type=float,
    metavar="POWER",
    help="Also find the number of passages that reaches this power, such as 0.8.",
)
@click.option(
    "--panels",
    type=int,
    default=400,
    help="Panels to simulate for each size, up to 100,000",
)
@options.list_option(
    "--expert-traits",
    metavar="TRAIT=N,...",
    callback=_traits(EXPERTS),
    help="How experts rate: standard deviations of bias (constant, per judge), noise (per "
    "passage), drift (per round) and stretch (of the logarithm of how widely a judge uses the "
    "scale), and the share of missing ratings  [default: bias=0.15,noise=0.4, others 0]",
)
@options.list_option(
    "--novice-traits",
    metavar="TRAIT=N,...",
    callback=_traits(NOVICES),
    help="How novices rate, in the same words  [default: bias=0.3,noise=0.7, others 0]",
)
@options.seed_option
@options.json_option
def power_command(
    passages: list[int],
    experts: int,
    novices: list[int],
    advantage: float | None,
    rater: str,
    target: float | None,
    panels: int,
    expert_traits: JudgeTraits,
    novice_traits: JudgeTraits,
    seed: int,
    as_json: bool,
) -> None:
    """Estimate by simulation how often a rater is shown to be better than novices.

    --rater drawn estimates the test's false-positive rate; --rater novice estimates how often
    an additional novice, with their own bias, passes the test.
    """
    if advantage is not None and rater != "advantage":
        raise UsageError(f"--advantage is for --rater advantage, not for --rater {rater}")
    ticker = Ticker()
    result = power(
        [
            Design(size, experts, count, expert_traits, novice_traits)
            for count in novices
            for size in passages
        ],
        Simulation(
            rater=rater,
            advantage=ADVANTAGE if advantage is None else advantage,
            panels=panels,
            seed=seed,
        ),
        target=target,
        progress=lambda done, total: ticker.say(lambda: f"{done}/{total} panels"),
    )
    ticker.end()
    options.print_result(result, as_json=as_json)


_RATERS = {
    "advantage": "a rater {advantage} nearer the gold than the mean novice",
    "drawn": "a fresh draw from the novices for every passage",
    "novice": "one more novice, the same person on every passage",
}


@dataclass(frozen=True, slots=True)
class PanelPower(Result):
    """How often a rater passes, by the size of the panel."""

    by: Simulation
    sizes: Sequence[PassRates]
    target: float | None
    fewest: Sequence[tuple[int, str, PassRates | None]]
    """The rates with the fewest passages that reach the target, by novices and metric."""

    def as_json(self) -> dict[str, Any]:
        """The simulation, the rates of each size, and the passages needed."""
        design = self.sizes[0].design
        return {
            "rater": self.by.rater,
            "advantage": self.by.advantage if self.by.rater == "advantage" else None,
            "round": True,
            "panels": self.by.panels,
            "draws": self.by.draws,
            "seed": self.by.seed,
            "traits": {
                "experts": asdict(design.expert_traits),
                "novices": asdict(design.novice_traits),
            },
            "sizes": [
                {
                    "passages": rates.design.passages,
                    "experts": rates.design.experts,
                    "novices": rates.design.novices,
                    "passed": {name: _rate_json(rate) for name, rate in rates.drawn.items()},
                    "whole_judges": {name: _rate_json(rate) for name, rate in rates.judges.items()},
                    "mean": rates.mean,
                }
                for rates in self.sizes
            ],
            "target": self.target,
            "needed": [
                {
                    "novices": novices,
                    "metric": metric,
                    "passages": None if rates is None else rates.design.passages,
                    "power": None if rates is None else _rate_json(rates.drawn[metric]),
                    "tried": list(SIZES),
                }
                for novices, metric, rates in self.fewest
            ],
        }

    def show(self, console: Console) -> None:
        """How often the rater passes, one column per size, and the passages needed."""
        stars = f"{self.by.advantage:g} {'star' if self.by.advantage == 1 else 'stars'}"
        rater = _RATERS[self.by.rater].format(advantage=stars)
        console.print(
            f"how often {rater} is called better than a novice (p <= 0.025)", style="bold"
        )
        self._show_sizes(console)
        if self.target is not None:
            self._show_needed(console)
        console.print(
            "under each figure the 95% interval of the simulation, "
            f"{counted(self.by.panels, 'panel')} made up; {self.by.draws:,} draws of each null, "
            f"seed {self.by.seed}; whole judges: better than those by all three, p <= 0.025",
            style="dim",
        )

    def _show_sizes(self, console: Console) -> None:
        """Metrics down and sizes across, in as many tables as fit."""
        rows = {name: name for name in METRICS} | {"all": "all three"}
        sizes = {f"{size.design.passages:,} × {size.design.novices:,}": size for size in self.sizes}
        room = console.width - max(map(len, METRICS)) - GAP
        for shown in fitting(list(sizes), room):
            table = plain_table("% (passages × novices)", *shown)
            for name, label in rows.items():
                table.add_row(label, *(_cell(sizes[size].drawn[name]) for size in shown))
            table.add_row("whole judges", *(_cell(sizes[size].judges["all"]) for size in shown))
            console.print(table)

    def _show_needed(self, console: Console) -> None:
        table = plain_table("novices", "metric", "passages", "power %")
        for novices, metric, rates in self.fewest:
            if rates is None:
                table.add_row(str(novices), metric, f"over {SIZES[-1]:,}", "")
            else:
                passages = f"{rates.design.passages:,}"
                table.add_row(str(novices), metric, passages, _cell(rates.drawn[metric]))
        sizes = ", ".join(map(str, SIZES))
        console.print(f"passages for a power of {self.target:g} (of {sizes})", style="bold")
        console.print(table)


def power(
    designs: Sequence[Design],
    by: Simulation,
    *,
    target: float | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> PanelPower:
    """How often the rater passes in each design; with a target, also the passages it takes."""
    if target is not None and by.rater != "advantage":
        raise UsageError("`target` is for a rater with an advantage")
    if target is not None and not 0 < target < 1:
        raise UsageError(f"a power is between 0 and 1, not {target:g}")
    done = 0

    def tick() -> None:
        nonlocal done
        done += 1
        progress(done, len(designs) * by.panels)

    sizes = [passing(design, by, progress=tick) for design in designs]
    fewest: list[tuple[int, str, PassRates | None]] = []
    if target is not None:
        for novices, design in {design.novices: design for design in designs}.items():
            known: dict[int, PassRates] = {}
            for metric in METRICS:
                # The metrics search the same sizes: what one has simulated, the next one reads.
                best = needed(design, metric, by, power=target, known=known)
                fewest.append((novices, metric, best))
    return PanelPower(by, sizes, target, fewest)


def _rate_json(rate: PassRate) -> dict[str, float]:
    low, high = rate.interval
    return {"share": rate.share, "low": low, "high": high}


def _cell(rate: PassRate) -> Text:
    low, high = rate.interval
    return Text(f"{percent(rate.share)}\n").append(percent_interval(low, high), "dim")
