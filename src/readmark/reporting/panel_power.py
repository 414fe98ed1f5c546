"""Power of panels, and made-up panels, in a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from readmark.marking.panel.power import Power
from readmark.measures.novice_null import METRICS
from readmark.measures.panel_power import SIZES, Rate
from readmark.reporting.terminal import GAP, counted, fitting, make_console, plain_table
from readmark.setting.panels.synthesised import Synthesised

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
