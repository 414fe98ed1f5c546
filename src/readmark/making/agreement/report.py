"""Agreement as a report: one JSON document, or a table of figures for each sort of work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.text import Text

from readmark.core.display import ABSENT, GAP, Result, counted, fitting, plain_table, some
from readmark.making.agreement.values import (
    MOST_RESAMPLED,
    AgreementComparison,
    Annotator,
    DifferingRewrites,
    PairAgreement,
)
from readmark.stats.agreement.value import Agreement

if TYPE_CHECKING:
    from rich.console import Console


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
            "annotators": [{"name": one.name, "file": one.file} for one in self.annotators],
            "seed": self.seed,
            "draws": self.draws,
            "confidence": self.level,
            "what": {one.what: _document(one) for one in self.comparisons},
        }

    def show(self, console: Console) -> None:
        """Every comparison, then how its intervals were made."""
        show_agreement(console, self)


def _document(one: AgreementComparison) -> dict[str, Any]:
    pairs = []
    for pair in one.pairs:
        about: dict[str, Any] = {"a": pair.a, "b": pair.b, "figures": _measures(pair.figures)}
        if pair.confusion:
            about["confusion"] = pair.confusion
        pairs.append(about)
    return {
        "sort": one.sort,
        "units": one.units,
        "unit": one.noun,
        "annotators": one.annotators,
        "ids": one.ids,
        "partial": one.partial,
        **({"scale": one.scale, "labels": one.labels} if one.sort == "labels" else {}),
        "figures": _measures(one.figures),
        "pairs": pairs,
        **({"disagreed": one.disagreed} if one.sort in _EQUAL_OR_NOT else {}),
        **({"beside": [_beside(each, one) for each in one.beside]} if one.beside else {}),
        "notes": one.notes,
    }


_EQUAL_OR_NOT = ("labels", "answers", "rewrites")
"""Sorts of work in which two are either equal or not."""


def _beside(each: DifferingRewrites, one: AgreementComparison) -> dict[str, Any]:
    texts = dict(zip(one.annotators, each.texts, strict=True))
    return {"id": each.id, "score": each.score, "asked": each.asked, "rewrites": texts}


def _measures(figures: tuple[Agreement, ...]) -> dict[str, Any]:
    members = ("value", "low", "high", "n", "observed", "expected", "reason", "no_interval")
    return {
        one.measure: {name: getattr(one, name) for name in (*members, "undefined_draws")}
        for one in figures
    }


UNDEFINED = "undefined"
NOTHING = "nothing has a value"
MANY = f"pairs of more than {MOST_RESAMPLED} annotators get none"
SHOWN_DISAGREEMENTS = 8
SHOWN_BESIDE = 10
"""Questions whose rewrites are shown side by side; JSON has all."""
SHOWN_PAIRS = 15
"""Pairs that are listed, those of six annotators; of more the ends are told, and JSON has all."""
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


def show_agreement(console: Console, report: AgreementReport) -> None:
    """Every comparison, then how its intervals were made."""
    for one in report.comparisons:
        _print_comparison(console, one, report)
        console.print()
    if report.draws and not _with_intervals(report):
        figures = [each for one in report.comparisons for each in _all(one)]
        otherwise = MANY if any(one.value is not None for one in figures) else NOTHING
        for reason in _without(figures) or (otherwise,):
            console.print(f"no intervals: {reason}", style="dim")
    elif report.draws:
        console.print(
            f"intervals: {100 * report.level:g}%, percentile, {report.draws:,} draws over passages "
            f"(units where no passage is known), seed {report.seed}",
            style="dim",
        )


def _print_comparison(console: Console, one: AgreementComparison, report: AgreementReport) -> None:
    sort = "" if one.sort == one.what else f" ({one.sort}{f', {one.scale}' if one.scale else ''})"
    lacking = f", {some(tuple(one.partial))} by some only" if one.partial else ""
    units = f"{counted(one.units, one.noun)} by all{lacking}"
    console.print(Text.assemble((one.what, "bold"), f"{sort}: {units}"))
    console.print(f"by {', '.join(one.annotators)}")
    undefined: dict[str, None] = {}
    if len(one.pairs) == 1:
        pair = one.pairs[0]
        own = {figure.measure for figure in one.figures}
        figures = [*one.figures, *(each for each in pair.figures if each.measure not in own)]
        _print_figures(console, figures, report.draws)
        undefined.update(_reasons(figures))
        _print_confusion(console, pair, one.labels)
    else:
        if one.figures:
            _print_figures(console, one.figures, report.draws)
            undefined.update(_reasons(one.figures))
        _print_pairs(console, one.pairs)
        undefined.update(_pair_reasons(one.pairs))
        _print_disagreements(console, one.pairs)
    if one.beside:
        _print_beside(console, one)
    elif one.disagreed:
        console.print(f"not equal: {some(one.disagreed)}")
    for line in (*undefined, *_lost(one), *_uncertain(one, report), *one.notes):
        console.print(line)


def _print_beside(console: Console, one: AgreementComparison) -> None:
    """What people made of the questions that they rewrote least alike, one under the other."""
    count = len(one.beside)
    least = f", the {SHOWN_BESIDE} least alike" if count > SHOWN_BESIDE else ""
    console.print(f"not equal: {counted(count, one.noun)}{least}")
    width = max(map(cell_len, one.annotators))
    for each in one.beside[:SHOWN_BESIDE]:
        asked = f"  {each.asked}" if each.asked else ""
        console.print(Text.assemble((each.id, "bold"), f"  {each.score:.3f}{asked}"))
        for name, golds in zip(one.annotators, each.texts, strict=True):
            label = name + " " * (width - cell_len(name))
            for gold in golds or (ABSENT,):
                console.print(Text(f"  {label}  {gold}"))
                label = " " * width


def _all(one: AgreementComparison) -> list[Agreement]:
    return [*one.figures, *(each for pair in one.pairs for each in pair.figures)]


def _with_intervals(report: AgreementReport) -> bool:
    return any(each.low is not None for one in report.comparisons for each in _all(one))


def _without(figures: Iterable[Agreement]) -> dict[str, list[str]]:
    """Why values have no interval, and the measures each reason is of."""
    by_reason: dict[str, dict[str, None]] = {}
    for one in figures:
        if one.no_interval is not None:
            name = NAMES.get(one.measure, one.measure).strip()
            by_reason.setdefault(one.no_interval, {})[name] = None
    return {reason: list(names) for reason, names in by_reason.items()}


def _uncertain(one: AgreementComparison, report: AgreementReport) -> Iterator[str]:
    """Intervals that are missing beside others; where all are, that is said once, at the end."""
    if _with_intervals(report):
        shown = one.figures if len(one.pairs) > 1 else _all(one)
        for reason, names in _without(shown).items():
            yield f"no interval of {', '.join(names)}: {reason}"


def _lost(one: AgreementComparison) -> Iterator[str]:
    """Intervals that are not of all draws."""
    lost = {each.measure: each.undefined_draws for each in _all(one) if each.undefined_draws}
    if lost:
        most = max(lost.values())
        names = ", ".join(NAMES.get(name, name).strip() for name in lost)
        yield f"undefined in up to {most:,} draws, which the intervals leave out: {names}"


def _print_figures(console: Console, figures: Sequence[Agreement], draws: int) -> None:
    table = plain_table("", "value", *(["interval"] if draws else []), "n")
    for one in figures:
        value = Text(_value(one), "bold" if one.value is not None else "")
        interval = [_interval(one)] if draws else []
        table.add_row(NAMES.get(one.measure, one.measure), value, *interval, f"{one.n:,}")
    console.print(table)


def _print_pairs(console: Console, pairs: Sequence[PairAgreement]) -> None:
    """A row a pair and a column a measure, in as many tables as the width asks for."""
    measures = {_short(one.measure): one.measure for one in pairs[0].figures}
    shown = pairs if len(pairs) <= SHOWN_PAIRS else []
    labels = [f"{pair.a} – {pair.b}" for pair in shown] or [LOWEST]
    room = console.width - min(max(map(cell_len, labels)), console.width // 2) - GAP
    for columns in fitting(list(measures), room, least=len(UNDEFINED)):
        table = plain_table("", *columns)
        group = [measures[column] for column in columns]
        for pair in shown:
            cells = [_value(_of(pair, name)) for name in group]
            table.add_row(f"{pair.a} – {pair.b}", *cells)
        if not shown:
            for label, end in ((LOWEST, min), (HIGHEST, max)):
                cells = [_end([_of(pair, name) for pair in pairs], end) for name in group]
                table.add_row(label, *cells)
        table.add_row(
            "mean of pairs", *(_mean([_of(pair, name) for pair in pairs]) for name in group)
        )
        console.print(table)


def _short(measure: str) -> str:
    return SHORT.get(measure, NAMES.get(measure, measure))


def _print_confusion(console: Console, pair: PairAgreement, labels: Sequence[str]) -> None:
    """How often each label met each, where the table fits; else the commonest disagreements."""
    if not pair.confusion:
        return
    width = max(map(cell_len, labels), default=0)
    columns = sum(max(cell_len(label), 3) + GAP for label in labels)
    head = f"{pair.a} \\ {pair.b}"
    if max(width, cell_len(head)) + columns > console.width:
        _print_disagreements(console, [pair])
        return
    table = plain_table(head, *labels)
    for label in labels:
        row = pair.confusion.get(label, {})
        cells = [f"{row[other]:,}" if other in row else ABSENT for other in labels]
        table.add_row(label, *cells)
    console.print(table)


def _print_disagreements(console: Console, pairs: Sequence[PairAgreement]) -> None:
    """The commonest two labels that one unit got, whoever gave which."""
    counts: dict[tuple[str, str], int] = {}
    for pair in pairs:
        for one, row in pair.confusion.items():
            for other, times in row.items():
                if one != other:
                    both = (one, other) if one < other else (other, one)
                    counts[both] = counts.get(both, 0) + times
    if not counts:
        return
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    shown = ", ".join(f"{a} / {b} {times:,}" for (a, b), times in ordered[:SHOWN_DISAGREEMENTS])
    more = len(ordered) - SHOWN_DISAGREEMENTS
    console.print(f"disagreements: {shown}{f', and {more:,} more' if more > 0 else ''}")


def _reasons(figures: Sequence[Agreement]) -> Iterator[tuple[str, None]]:
    """A line for what is undefined; measures with one reason share it."""
    by_reason: dict[str, list[str]] = {}
    for one in figures:
        if one.value is None:
            name = NAMES.get(one.measure, one.measure).strip()
            by_reason.setdefault(one.reason or "", []).append(name)
    for reason, names in by_reason.items():
        verb = "is" if len(names) == 1 else "are"
        yield f"{', '.join(names)} {verb} undefined: {reason}", None


def _pair_reasons(pairs: Sequence[PairAgreement]) -> Iterator[tuple[str, None]]:
    """The same of pairs; pairs with the same thing to tell share a line."""
    told: dict[str, list[str]] = {}
    for pair in pairs:
        for line, _ in _reasons(pair.figures):
            told.setdefault(line, []).append(f"{pair.a} – {pair.b}")
    for line, who in told.items():
        yield f"{line}: {some(who)}", None
    if told:
        yield "* the mean of the pairs that have a value", None


def _of(pair: PairAgreement, measure: str) -> Agreement:
    return next(one for one in pair.figures if one.measure == measure)


def _mean(figures: Sequence[Agreement]) -> str:
    """The mean of what is defined; a star where something is not."""
    values = [one.value for one in figures if one.value is not None]
    if not values:
        return UNDEFINED
    star = "*" if len(values) < len(figures) else ""
    return _spelt(figures[0].measure, sum(values) / len(values)) + star


def _end(figures: Sequence[Agreement], end: Callable[[list[float]], float]) -> str:
    values = [one.value for one in figures if one.value is not None]
    return _spelt(figures[0].measure, end(values)) if values else UNDEFINED


def _value(one: Agreement) -> str:
    return UNDEFINED if one.value is None else _spelt(one.measure, one.value)


def _spelt(measure: str, value: float) -> str:
    if measure == "percent":
        return f"{100 * value:.1f}%"
    return f"{value:.3f}".replace("-0.000", "0.000")


def _interval(one: Agreement) -> str:
    if one.low is None or one.high is None:
        return ABSENT
    return f"{_spelt(one.measure, one.low)} to {_spelt(one.measure, one.high)}"
