"""Agreement as a report: one JSON document, or a table of figures for each sort of work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from statistics import fmean
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from readmark.core import numbers
from readmark.core.display import (
    ABSENT,
    GAP,
    Result,
    counted,
    fitting,
    plain_table,
)
from readmark.core.numbers import listed_ids
from readmark.making.agreement.annotator import Annotator
from readmark.making.agreement.comparison import (
    MOST_RESAMPLED,
    AgreementComparison,
    PairAgreement,
)
from readmark.statistics.agreement.value import Agreement

MEMBERS = (
    "value",
    "low",
    "high",
    "n",
    "observed",
    "expected",
    "reason",
    "no_interval",
    "undefined_draws",
)
"""Members of a figure in JSON."""
UNDEFINED = "undefined"
NOTHING = "nothing has a value"
NO_PAIR_INTERVALS = f"pairs of more than {MOST_RESAMPLED} annotators get none"
SHOWN_DISAGREEMENTS = 8
"""Commonest disagreements on labels that are printed: two lines of a terminal."""
SHOWN_REWRITES = 10
"""Questions whose rewrites are shown side by side; JSON has all."""
SHOWN_PAIRS = 15
"""Pairs that are listed, those of six annotators; of more only the ends are, and JSON has all."""
LOWEST, HIGHEST = "lowest of pairs", "highest of pairs"
NAMES = {
    "percent": "equal",
    "kappa": "Cohen's kappa",
    "kappa(linear)": "  linear weights",
    "kappa(quadratic)": "  quadratic weights",
    "fleiss": "Fleiss' kappa",
    "alpha(nominal)": "alpha (nominal)",
    "alpha(ordinal)": "alpha (ordinal)",
    "alpha(interval)": "alpha (interval)",
    "alpha(ratio)": "alpha (ratio)",
    "alpha(unitizing)": "unitizing alpha",
    "exact": "exact span F1",
    "exact(untyped)": "  whatever the type",
    "overlap": "overlapping span F1",
    "characters": "character F1",
    "words": "word F1",
    "boundaries": "boundary F1",
    "f1": "F1",
    "f1(words)": "  with overlapping words",
    "f1(untyped)": "  whatever the class",
    "muc": "MUC F1",
    "b3": "B³ F1",
    "ceaf_e": "CEAF-e F1",
    "lea": "LEA F1",
    "conll": "CoNLL mean",
    "jaccard(u=2,b=1,t=0)": "Jaccard (2:1)",
}
SHORT = {
    "kappa": "kappa",
    "kappa(linear)": "linear",
    "kappa(quadratic)": "quadratic",
    "alpha(unitizing)": "unit. alpha",
    "exact": "exact F1",
    "exact(untyped)": "untyped F1",
    "overlap": "overlap F1",
    "characters": "char. F1",
}
"""Names for narrow columns, where they are shorter."""
_EQUAL_OR_NOT = ("labels", "answers", "rewrites")
"""Sorts of work in which two are either equal or not."""


@dataclass(frozen=True)
class AgreementReport(Result):
    """All comparisons, and how the intervals were made."""

    annotators: tuple[Annotator, ...]
    comparisons: tuple[AgreementComparison, ...]
    seed: int
    draws: int
    level: float

    def as_json(self) -> dict[str, Any]:
        return {
            "annotators": [
                {"name": annotator.name, "file": annotator.file} for annotator in self.annotators
            ],
            "seed": self.seed,
            "draws": self.draws,
            "confidence": self.level,
            "what": {
                comparison.what: _comparison_json(comparison) for comparison in self.comparisons
            },
        }

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per figure: of all annotators, then of each two."""
        rows = []
        for comparison in self.comparisons:
            rows += [
                {"what": comparison.what, "a": None, "b": None, **asdict(figure)}
                for figure in comparison.figures
            ]
            rows += [
                {"what": comparison.what, "a": pair.a, "b": pair.b, **asdict(figure)}
                for pair in comparison.pairs
                for figure in pair.figures
            ]
        return rows

    @property
    def figures(self) -> list[Agreement]:
        """The figures of all comparisons."""
        return [figure for comparison in self.comparisons for figure in comparison.all_figures]

    def show(self, console: Console) -> None:
        """Every comparison, then how its intervals were made."""
        has_intervals = any(figure.low is not None for figure in self.figures)
        for comparison in self.comparisons:
            _show_comparison(console, comparison, draws=self.draws, has_intervals=has_intervals)
            console.print()
        if has_intervals and self.draws:
            console.print(
                f"intervals: {100 * self.level:g}%, percentile, {self.draws:,} draws over passages "
                f"(units where no passage is known), seed {self.seed}",
                style="dim",
            )
        elif self.draws:
            has_values = any(figure.value is not None for figure in self.figures)
            default = NO_PAIR_INTERVALS if has_values else NOTHING
            for reason in _reasons_without_interval(self.figures) or (default,):
                console.print(f"no intervals: {reason}", style="dim")


def _comparison_json(comparison: AgreementComparison) -> dict[str, Any]:
    pairs = []
    for pair in comparison.pairs:
        members: dict[str, Any] = {"a": pair.a, "b": pair.b, "figures": _measures(pair.figures)}
        if pair.confusion:
            members["confusion"] = pair.confusion
        pairs.append(members)
    differing = [
        {
            "id": rewrites.id,
            "score": rewrites.score,
            "asked": rewrites.asked,
            "rewrites": dict(zip(comparison.annotators, rewrites.texts, strict=True)),
        }
        for rewrites in comparison.differing_rewrites
    ]
    return {
        "sort": comparison.sort,
        "units": comparison.units,
        "unit": comparison.noun,
        "annotators": comparison.annotators,
        "ids": comparison.ids,
        "partial": comparison.partial,
        **(
            {"scale": comparison.scale, "labels": comparison.labels}
            if comparison.sort == "labels"
            else {}
        ),
        "figures": _measures(comparison.figures),
        "pairs": pairs,
        **({"disagreed": comparison.disagreed} if comparison.sort in _EQUAL_OR_NOT else {}),
        **({"beside": differing} if differing else {}),
        "notes": comparison.notes,
    }


def _measures(figures: tuple[Agreement, ...]) -> dict[str, Any]:
    return {
        agreement.measure: {name: getattr(agreement, name) for name in MEMBERS}
        for agreement in figures
    }


def _show_comparison(
    console: Console, comparison: AgreementComparison, *, draws: int, has_intervals: bool
) -> None:
    sort = ""
    if comparison.sort != comparison.what:
        scale = f", {comparison.scale}" if comparison.scale else ""
        sort = f" ({comparison.sort}{scale})"
    units = f"{counted(comparison.units, comparison.noun)} by all"
    if comparison.partial:
        units += f", {listed_ids(tuple(comparison.partial))} by some only"
    console.print(Text.assemble((comparison.what, "bold"), f"{sort}: {units}"))
    console.print(f"by {', '.join(comparison.annotators)}")
    figures = list(comparison.figures)
    if len(comparison.pairs) == 1:
        (pair,) = comparison.pairs
        of_all = {figure.measure for figure in comparison.figures}
        figures += [figure for figure in pair.figures if figure.measure not in of_all]
    if figures:
        _show_figures(console, figures, draws)
    undefined = list(_undefined(figures))
    if len(comparison.pairs) == 1:
        _show_confusion(console, comparison.pairs[0], comparison.labels)
    else:
        _show_pairs(console, comparison.pairs)
        undefined += _undefined_of_pairs(comparison.pairs)
        _show_disagreements(console, comparison.pairs)
    if comparison.differing_rewrites:
        _show_rewrites(console, comparison)
    elif comparison.disagreed:
        console.print(f"not equal: {listed_ids(comparison.disagreed)}")
    lines = dict.fromkeys((*undefined, *_lost_draws(comparison)))
    if has_intervals:  # where all are missing, that is printed once, at the end
        figures_shown = comparison.figures if len(comparison.pairs) > 1 else comparison.all_figures
        for reason, names in _reasons_without_interval(figures_shown).items():
            lines[f"no interval of {', '.join(names)}: {reason}"] = None
    for line in (*lines, *comparison.notes):
        console.print(line)


def _show_rewrites(console: Console, comparison: AgreementComparison) -> None:
    """What people made of the questions that they rewrote least alike, one under the other."""
    count = len(comparison.differing_rewrites)
    least = f", the {SHOWN_REWRITES} least alike" if count > SHOWN_REWRITES else ""
    console.print(f"not equal: {counted(count, comparison.noun)}{least}")
    width = max(map(cell_len, comparison.annotators))
    for rewrites in comparison.differing_rewrites[:SHOWN_REWRITES]:
        score = numbers.mark(rewrites.score, 1)
        asked = f"  {rewrites.asked}" if rewrites.asked else ""
        console.print(Text.assemble((rewrites.id, "bold"), f"  {score}{asked}"))
        for name, golds in zip(comparison.annotators, rewrites.texts, strict=True):
            label = name + " " * (width - cell_len(name))
            for gold in golds or (ABSENT,):
                console.print(Text(f"  {label}  {gold}"))
                label = " " * width


def _reasons_without_interval(figures: Iterable[Agreement]) -> dict[str, dict[str, None]]:
    """Why values have no interval, and the measures each reason is of."""
    by_reason: dict[str, dict[str, None]] = {}
    for agreement in figures:
        if agreement.no_interval is not None:
            by_reason.setdefault(agreement.no_interval, {})[measure_name(agreement.measure)] = None
    return by_reason


def measure_name(measure: str) -> str:
    """What people call a measure."""
    return NAMES.get(measure, measure).strip()


def _lost_draws(comparison: AgreementComparison) -> Iterator[str]:
    """A line for intervals that leave draws out."""
    undefined = {
        figure.measure: figure.undefined_draws
        for figure in comparison.all_figures
        if figure.undefined_draws
    }
    if undefined:
        most = max(undefined.values())
        names = ", ".join(map(measure_name, undefined))
        yield f"undefined in up to {most:,} draws, which the intervals leave out: {names}"


def _show_figures(console: Console, figures: Sequence[Agreement], draws: int) -> None:
    table = plain_table("", "value", *(["interval"] if draws else []), "n")
    for figure in figures:
        measure = figure.measure
        value = Text(UNDEFINED)
        if figure.value is not None:
            value = Text(_formatted(measure, figure.value), "bold")
        interval = ABSENT
        if figure.low is not None and figure.high is not None:
            interval = f"{_formatted(measure, figure.low)} to {_formatted(measure, figure.high)}"
        name = NAMES.get(measure, measure)
        table.add_row(name, value, *([interval] if draws else []), f"{figure.n:,}")
    console.print(table)


def _show_pairs(console: Console, pairs: Sequence[PairAgreement]) -> None:
    """One row per pair and one column per measure, in as many tables as the width asks for."""
    measures = {
        SHORT.get(figure.measure, NAMES.get(figure.measure, figure.measure)): index
        for index, figure in enumerate(pairs[0].figures)
    }
    if len(pairs) <= SHOWN_PAIRS:
        rows = {f"{pair.a} – {pair.b}": partial(_summary, [pair], max) for pair in pairs}
    else:
        rows = {LOWEST: partial(_summary, pairs, min), HIGHEST: partial(_summary, pairs, max)}
    room = console.width - min(max(map(cell_len, rows)), console.width // 2) - GAP
    for columns in fitting(list(measures), room, least=len(UNDEFINED)):
        table = plain_table("", *columns)
        for label, cell in rows.items():
            table.add_row(label, *(cell(measures[column]) for column in columns))
        means = (_summary(pairs, fmean, measures[column], star=True) for column in columns)
        table.add_row("mean of pairs", *means)
        console.print(table)


def _show_confusion(console: Console, pair: PairAgreement, labels: Sequence[str]) -> None:
    """How often each label met each, where the table fits; else the commonest disagreements."""
    if not pair.confusion:
        return
    width = max(map(cell_len, labels), default=0)
    columns = sum(max(cell_len(label), 3) + GAP for label in labels)
    head = f"{pair.a} \\ {pair.b}"
    if max(width, cell_len(head)) + columns > console.width:
        _show_disagreements(console, [pair])
        return
    table = plain_table(head, *labels)
    for label in labels:
        row = pair.confusion.get(label, {})
        cells = [f"{row[other]:,}" if other in row else ABSENT for other in labels]
        table.add_row(label, *cells)
    console.print(table)


def _show_disagreements(console: Console, pairs: Sequence[PairAgreement]) -> None:
    """The commonest two labels that one unit got, whoever gave which."""
    counts: Counter[tuple[str, ...]] = Counter()
    for pair in pairs:
        for label_a, row in pair.confusion.items():
            for label_b, times in row.items():
                if label_a != label_b:
                    counts[tuple(sorted((label_a, label_b)))] += times
    if not counts:
        return
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    listed = [f"{a} / {b} {times:,}" for (a, b), times in ordered]
    console.print(f"disagreements: {numbers.first_ids(listed, SHOWN_DISAGREEMENTS)}")


def _undefined(figures: Sequence[Agreement]) -> Iterator[str]:
    """A line for what is undefined; measures with one reason share it."""
    by_reason: dict[str, list[str]] = {}
    for agreement in figures:
        if agreement.value is None:
            by_reason.setdefault(agreement.reason or "", []).append(measure_name(agreement.measure))
    for reason, names in by_reason.items():
        yield f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} undefined: {reason}"


def _undefined_of_pairs(pairs: Sequence[PairAgreement]) -> Iterator[str]:
    """A line for what is undefined in pairs; pairs with the same line share it."""
    lines: dict[str, list[str]] = {}
    for pair in pairs:
        for line in _undefined(pair.figures):
            lines.setdefault(line, []).append(f"{pair.a} – {pair.b}")
    yield from (f"{line}: {listed_ids(who)}" for line, who in lines.items())
    if lines:
        yield "* the mean of the pairs that have a value"


def _summary(
    pairs: Sequence[PairAgreement],
    summary: Callable[[list[float]], float],
    index: int,
    *,
    star: bool = False,
) -> str:
    """A summary of the defined values of a measure; a star where something is undefined."""
    figures = [pair.figures[index] for pair in pairs]
    values = [figure.value for figure in figures if figure.value is not None]
    if not values:
        return UNDEFINED
    mark = "*" if star and len(values) < len(figures) else ""
    return _formatted(figures[0].measure, summary(values)) + mark


def _formatted(measure: str, value: float) -> str:
    if measure == "percent":
        return numbers.percent(value)
    return numbers.mark(value, 1)
