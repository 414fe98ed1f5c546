"""``readmark series worst``."""

from __future__ import annotations

import logging
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.text import Text

from readmark import console as options
from readmark.core.display import counted, headline, make_console, plain_table, print_signatures
from readmark.core.files import writing
from readmark.reporting.pictures import (
    COLOURS,
    FONTS,
    INK,
    MUTED,
    RULE,
    SIZE,
    WIDTH,
    require_picture,
)
from readmark.series.commands.table import difference, score
from readmark.series.failures import FAILURES, PERFECT
from readmark.series.worst import BINS, Judged, Rewrite, Worse, distribution

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@click.command("worst")
@click.argument("series")
@click.argument("sitting")
@click.option(
    "-m", "--metric", metavar="METRIC", help="Metric that ranks the rewrites  [default: jaccard]"
)
@click.option("--show", type=int, default=10, help="Number of rewrites to show")
@click.option(
    "--plot", metavar="FILE", help="Plot the distribution of scores to this file, .svg or .png."
)
@click.option(
    "--baseline",
    metavar="SITTING",
    help="Earlier sitting to compare with; lists what got worse, and exits with status "
    "1 if anything did.",
)
@options.from_option
@options.json_option
@click.pass_context
def worst_command(
    ctx: click.Context,
    series: str,
    sitting: str,
    metric: str | None,
    show: int,
    plot: str | None,
    baseline: str | None,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Show the worst rewrites of a SITTING with target, question, gold and every metric.

    Rewrites are grouped by error: wrong antecedent, over-expansion, missing target, grammar.
    --json lists every question that is not perfect. Exits with status 1 if a rewrite is an
    error.
    """
    from readmark.core.errors import UsageError
    from readmark.core.files import require_apart
    from readmark.formats.registry import load
    from readmark.series.worst import judge

    if show < 0:
        raise UsageError(f"--show {show} is negative, expected 0 or more")
    if plot is not None:
        from readmark.reporting.pictures import require_picture

        require_picture(plot)
        require_apart([plot], [series, sitting, baseline])
    found = judge(load(series, format=from_format), sitting, metric=metric, baseline=baseline)
    options.notify(found.notes)
    if plot is not None:
        write_distribution(found, plot)
        options.notify([f"{plot}: the distribution of scores"])
    if as_json:
        options.print_json(found.as_json())
    else:
        print_judged(found, show=show)
    if found.worse or found.errors:
        ctx.exit(1)


# The distribution of a sitting's scores as a picture: the document's Figure 2.


HEIGHT = 360.0
_RC: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "readmark",
    "font.size": SIZE,
    "text.parse_math": False,
}


def write_distribution(found: Judged, path: str | Path) -> None:
    """Draw how many questions score how well, and the baseline's beside, into an SVG or PNG."""
    format = require_picture(path)
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it tells of its font cache
    import matplotlib
    from matplotlib.figure import Figure

    columns = {found.candidate: found.distribution()}
    if found.before is not None:
        name = f"{found.baseline}"
        label = name if name != found.candidate else f"{name} (baseline)"
        columns[label] = distribution(list(found.before.values()))
    title = f"{found.series}: {found.metric}, {len(found.rewrites):,} questions"
    families = ["sans-serif"] if format == "svg" else list(FONTS)
    with matplotlib.rc_context({**_RC, "font.family": families}), warnings.catch_warnings():
        # In an SVG the reader's fonts are used; in a PNG a box would stand for the character.
        if format == "svg":
            warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        else:
            warnings.filterwarnings("error", message="Glyph .* missing from font")
        figure = Figure(figsize=(WIDTH / 72, HEIGHT / 72), dpi=72, layout="constrained")
        axes = figure.add_subplot()
        _bars(axes, columns)
        axes.set_title(title, color=INK, loc="left", fontsize=SIZE, fontweight="bold")
        axes.set_xlabel(found.metric, color=MUTED)
        axes.set_ylabel("questions", color=MUTED)
        if len(columns) > 1:
            axes.legend(frameon=False, labelcolor=INK)
        undated = {"Date": None, "Creator": None} if format == "svg" else {"Software": None}
        with writing(path) as stream:
            figure.savefig(
                stream,
                format=format,
                metadata={"Title": title} | undated,
                dpi=144,
                facecolor="white",
            )


def _bars(axes: Axes, columns: dict[str, list[int]]) -> None:
    """A group of bars a bin, a colour a sitting."""
    from matplotlib.ticker import MaxNLocator

    width = 1 / BINS
    each = width * 0.9 / len(columns)
    for lane, (name, counts) in enumerate(columns.items()):
        left = [at * width + width * 0.05 + lane * each for at in range(BINS)]
        axes.bar(left, counts, width=each, align="edge", color=COLOURS[lane], label=name)
    axes.set_xlim(0, 1)
    axes.set_xticks([at / 10 for at in range(11)])
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_axisbelow(True)
    axes.grid(axis="y", color=RULE, linewidth=0.8)
    axes.tick_params(length=3, width=0.8, labelsize=SIZE - 1, color=MUTED, labelcolor=MUTED)
    for side in ("top", "left", "right"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)


# The worst rewrites of a sitting in a terminal, and what got worse since another.


LABEL = 10
BAR = 40
"""The longest bar of the distribution, in characters."""
NOTHING = "(none)"


def print_judged(found: Judged, *, show: int) -> None:
    """Distribution, failures, the worst rewrites, and what got worse."""
    console = make_console()
    size = f": {counted(len(found.rewrites), 'question')}, {found.metric} {score(found.mean)}"
    console.print(headline(found.candidate, " on ", found.series, size))
    _print_distribution(console, found)
    _print_failures(console, found)
    worst = found.worst()
    if worst and show:
        console.print(f"the worst {min(show, len(worst))} of {len(worst)}", style="bold")
        chosen = worst[:show]
        for name in FAILURES:
            group = [one for one in chosen if one.failure.name == name]
            if group:
                console.print(f"{name}: {len(group)}", style="bold")
            for one in group:
                _print_rewrite(console, one)
    if found.baseline is not None:
        _print_worse(console, found)
    print_signatures(console, {found.metric: found.signature})


def _print_distribution(console: Console, found: Judged) -> None:
    counts = found.distribution()
    most = max(counts)
    table = plain_table(found.metric, "questions", "")
    table.columns[2].justify = "left"
    for at, count in enumerate(counts):
        if count or any(counts[:at]):
            bar = "█" * max(round(BAR * count / most), 1 if count else 0)
            end = "]" if at == BINS - 1 else ")"
            table.add_row(f"[{at / BINS:.2f}, {(at + 1) / BINS:.2f}{end}", f"{count:,}", bar)
    for line in console.render_lines(table, pad=False):  # no blanks after a bar
        shown = Text.assemble(*((part.text, part.style or "") for part in line))
        shown.rstrip()
        console.print(shown)


def _print_failures(console: Console, found: Judged) -> None:
    table = plain_table("what went wrong", "questions", "share", "mean")
    whole = len(found.rewrites)
    for name, (count, mean) in found.groups().items():
        shown = f"nothing ({PERFECT})" if name == PERFECT else name
        table.add_row(shown, f"{count:,}", f"{count / whole:.1%}", score(mean))
    console.print(table)


def _print_rewrite(console: Console, one: Rewrite) -> None:
    console.print(Text.assemble((one.id, "bold"), f" {score(one.score)}"))
    _say(console, "target", one.target)
    _say(console, "question", one.question)
    _say(console, "rewrite", NOTHING if one.rewrite is None else one.rewrite)
    _say(console, "gold", one.gold)
    if one.previous:
        _say(console, "previous", "; ".join(one.previous))
    if one.failure.missing:
        _say(console, "missing", " ".join(one.failure.missing))
    if one.failure.extra:
        _say(console, "extra", " ".join(one.failure.extra))
    marks = (f"{name} {score(value)}" for name, value in one.marks.items())
    _say(console, "metrics", ", ".join(marks))
    console.print()


def _say(console: Console, label: str, text: str) -> None:
    """A label, and a text that goes on under itself."""
    lines = Text(text).wrap(console, max(console.width - LABEL - 2, 10))
    for at, line in enumerate(lines):
        line.rstrip()
        console.print(Text(f"  {label if not at else '':<{LABEL}}", "dim").append_text(line))


def _print_worse(console: Console, found: Judged) -> None:
    console.print(
        f"compared with {found.baseline}, {counted(len(found.before or {}), 'question')}: "
        f"{found.better} better, {len(found.worse)} worse",
        style="bold",
    )
    for one in found.worse:
        _print_change(console, one)


def _print_change(console: Console, one: Worse) -> None:
    scores = f" {score(one.before)} to {score(one.after)} ({difference(one.after - one.before)})"
    console.print(Text.assemble((one.id, "bold"), scores))
    _say(console, "target", one.target)
    _say(console, "question", one.question)
    _say(console, "before", NOTHING if one.rewrite_before is None else one.rewrite_before)
    _say(console, "after", NOTHING if one.rewrite is None else one.rewrite)
    _say(console, "gold", one.gold)
    console.print()
