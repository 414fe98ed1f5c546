"""Debugging a rewriter: each rewrite of a sitting next to its gold, and against an earlier sitting.

The document's section "Our system against the Metric": the distribution, the worst rewrites, and
that no rewrite that was right before is lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from rich.console import Console
from rich.text import Text

from readmark.core.display import Result, counted, headline, plain_table, print_signatures
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import UsageError
from readmark.core.numbers import decimal, percent
from readmark.core.pictures import COLOURS, INK, MUTED, picture, plain_axes, require_picture
from readmark.core.records import Answer, Unit
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.formats.inputs import SittingInput, as_sitting
from readmark.hooks import Metric, hook
from readmark.marking import METRICS, Marks, MarkSettings, mark
from readmark.series.failures import FAILURES, PERFECT, RewriteFailure, failure_of
from readmark.series.metrics.golds import golds
from readmark.series.tables import difference, score, without_interval, wrong_notes
from readmark.series.words import cutter

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Every rewrite of a sitting, judged: its scores, its nearest gold and what went wrong.


BINS = 20
"""Of the distribution from 0 to 1; the last one has 1 in it."""


@dataclass(frozen=True, slots=True)
class JudgedRewrite:
    """One question, what became of it, and what should have."""

    id: str
    series: str
    target: str
    question: str
    previous: tuple[str, ...]
    rewrite: str | None
    """None where the rewriter gave none, or an error."""
    gold: str
    """The nearest one."""
    golds: tuple[str, ...]
    score: float
    marks: Mapping[str, float | None]
    """Every metric's, by name."""
    failure: RewriteFailure


@dataclass(frozen=True, slots=True)
class LostScore:
    """A question that a sitting does worse on than an earlier one."""

    id: str
    target: str
    question: str
    gold: str
    before: float
    after: float
    rewrite_before: str | None
    rewrite: str | None


@dataclass(frozen=True, slots=True)
class JudgedRewrites(Result):
    """A sitting, question by question."""

    series: str
    candidate: str
    metric: str
    rewrites: Sequence[JudgedRewrite]
    """In the order of the test."""
    baseline: str | None = None
    before: Mapping[str, float] | None = None
    """The baseline's score of every question that both were asked."""
    worse: Sequence[LostScore] = ()
    """The largest loss first."""
    better: int = 0
    signature: str = ""
    """What decided the scores."""
    unanswered: Sequence[str] = ()
    """Questions without a rewrite, which count as wrong, as errors do."""
    errors: Sequence[str] = ()
    notes: Sequence[str] = ()
    shown: int = 10
    """How many of the worst are printed."""

    @property
    def mean(self) -> float:
        """The mark."""
        return sum(rewrite.score for rewrite in self.rewrites) / len(self.rewrites)

    def worst(self, failure: str | None = None) -> list[JudgedRewrite]:
        """What is not perfect, the worst first; ties in the order of the test."""
        rewrites = [rewrite for rewrite in self.rewrites if rewrite.failure.name != PERFECT]
        if failure is not None:
            rewrites = [rewrite for rewrite in rewrites if rewrite.failure.name == failure]
        return sorted(rewrites, key=lambda rewrite: rewrite.score)

    def groups(self) -> dict[str, tuple[int, float]]:
        """How many questions fail in each way, and their mean score; perfect ones first."""
        found = {}
        for name in (PERFECT, *FAILURES):
            scores = [rewrite.score for rewrite in self.rewrites if rewrite.failure.name == name]
            if scores:
                found[name] = len(scores), sum(scores) / len(scores)
        return found

    def distribution(self) -> list[int]:
        """How many questions score in each of the bins."""
        return distribution([rewrite.score for rewrite in self.rewrites])

    def as_json(self) -> dict[str, Any]:
        """One document, with every question that is not perfect."""
        document: dict[str, Any] = {
            "series": self.series,
            "candidate": self.candidate,
            "metric": self.metric,
            "signature": self.signature,
            "questions": len(self.rewrites),
            "unanswered": list(self.unanswered),
            "errors": list(self.errors),
            "mean": self.mean,
            "distribution": {"bins": BINS, "counts": self.distribution()},
            "failures": {
                name: {"questions": count, "mean": mean}
                for name, (count, mean) in self.groups().items()
            },
            "worst": [asdict(rewrite) for rewrite in self.worst()],
        }
        if self.baseline is not None:
            document["baseline"] = {
                "candidate": self.baseline,
                "questions": len(self.before or {}),
                "better": self.better,
                "worse": [asdict(lost_score) for lost_score in self.worse],
            }
        return document

    def show(self, console: Console) -> None:
        """Distribution, failures, the worst rewrites, and what got worse."""
        size = f": {counted(len(self.rewrites), 'question')}, {self.metric} {score(self.mean)}"
        console.print(headline(self.candidate, " on ", self.series, size))
        _print_distribution(console, self)
        _print_failures(console, self)
        worst = self.worst()
        if worst and self.shown:
            console.print(f"the worst {min(self.shown, len(worst))} of {len(worst)}", style="bold")
            chosen = worst[: self.shown]
            for name in FAILURES:
                group = [rewrite for rewrite in chosen if rewrite.failure.name == name]
                if group:
                    console.print(f"{name}: {len(group)}", style="bold")
                for rewrite in group:
                    _print_rewrite(console, rewrite)
        if self.baseline is not None:
            _print_worse(console, self)
        print_signatures(console, {self.metric: self.signature})


def distribution(scores: Sequence[float]) -> list[int]:
    """How many scores are in each bin; a bin has its lower bound, the last one also 1."""
    # 1e-9: a score of 0.15 may be kept as 0.1499999.
    at = Counter(min(max(int(score * BINS + 1e-9), 0), BINS - 1) for score in scores)
    return [at[bin] for bin in range(BINS)]


LEAST = 1e-6
"""A difference of scores below this is none: it is that of their rounding."""
_QUICK = MarkSettings(draws=1)


def worst_rewrites(
    test: Test,
    sitting: SittingInput,
    *,
    metric: str | None = None,
    baseline: SittingInput | None = None,
    plot: str | Path | None = None,
    show: int = 10,
) -> JudgedRewrites:
    """Every rewrite with its failure; with a baseline also what got worse.

    With ``plot`` the distribution of scores is drawn to that file. ``show`` is how many of the
    worst are printed.
    """
    test.require_kind("series")
    if show < 0:
        raise UsageError(f"--show {show} is negative, expected 0 or more")
    if plot is not None:
        require_picture(plot)
        paths = [one for one in (sitting, baseline) if isinstance(one, (str, Path))]
        require_distinct_files([plot], [test.file, *paths])
    read = as_sitting(sitting, test.kind)
    wanted = metric or test.kind.main_metric
    marks = mark(test, read, metrics=list(dict.fromkeys([wanted, *_every()])), settings=_QUICK)
    name = next(iter(marks.marks))
    ranked = marks.scores.metrics[name]
    if ranked.facts.scale != 1 or hook(ranked, "score") is not None:
        raise UsageError(f"metric {name} gives no question a similarity from 0 to 1")
    rows = rewrites_of(test, read)
    scores = marks.per_unit()
    rewrites = [
        _rewrite(unit, rows.get(unit.id), scores[unit.id], name, marks.scores.metrics[name], test)
        for unit in test.units()
        if unit.id in scores
    ]
    notes = [*marks.notes, *(f"{marks.candidate}: {note}" for note in wrong_notes(marks))]
    if marks.scores.repeats:
        notes.append("scores are means over repeats; the rewrites shown are the first ones")
    judged = JudgedRewrites(
        series=marks.test.name,
        candidate=marks.candidate,
        metric=name,
        rewrites=rewrites,
        signature=without_interval(marks[name].signature),
        unanswered=list(marks.coverage.unanswered),
        errors=list(marks.coverage.errors),
        notes=notes,
        shown=show,
    )
    if baseline is not None:
        judged = _compared(judged, test, baseline, name)
    if plot is not None:
        write_distribution(judged, plot)
        judged = replace(judged, notes=[*judged.notes, f"{plot}: the distribution of scores"])
    return judged


def _compared(
    judged: JudgedRewrites, test: Test, baseline: SittingInput, name: str
) -> JudgedRewrites:
    """The same with an earlier sitting's scores; what both were asked is compared."""
    read = as_sitting(baseline, test.kind)
    marks = mark(test, read, metrics=[name], settings=_QUICK)
    said = rewrites_of(test, read)
    scores = _scores(marks, name)
    both = [rewrite for rewrite in judged.rewrites if rewrite.id in scores]
    worse = [
        LostScore(
            id=rewrite.id,
            target=rewrite.target,
            question=rewrite.question,
            gold=rewrite.gold,
            before=scores[rewrite.id],
            after=rewrite.score,
            rewrite_before=said.get(rewrite.id),
            rewrite=rewrite.rewrite,
        )
        for rewrite in both
        if rewrite.score < scores[rewrite.id] - LEAST
    ]
    asked = {rewrite.id for rewrite in judged.rewrites}
    lost = [id for id in scores if id not in asked]
    further = [*marks.notes, *(f"{marks.candidate}: {note}" for note in wrong_notes(marks))]
    notes = [*judged.notes, *(one for one in further if one not in judged.notes)]
    if len(both) < len(judged.rewrites) or lost:
        apart = len(judged.rewrites) - len(both) + len(lost)
        notes.append(f"asked of one of the two only, so not compared: {counted(apart, 'question')}")
    return replace(
        judged,
        baseline=marks.candidate,
        before={rewrite.id: scores[rewrite.id] for rewrite in both},
        worse=sorted(worse, key=lambda lost_score: lost_score.after - lost_score.before),
        better=sum(rewrite.score > scores[rewrite.id] + LEAST for rewrite in both),
        notes=notes,
    )


def _every() -> list[str]:
    """Every metric of rewrites that comes with Readmark."""
    return [
        name
        for name, entry in METRICS.entries.items()
        if entry.kinds == ("series",) and entry.package == "readmark"
    ]


def _scores(marks: Marks, name: str) -> dict[str, float]:
    return {id: row[name] or 0.0 for id, row in marks.per_unit().items()}


def _rewrite(
    unit: Unit,
    text: str | None,
    marks: Mapping[str, float | None],
    name: str,
    metric: Metric,
    test: Test,
) -> JudgedRewrite:
    every = list(dict.fromkeys(golds(unit, test.kind.references(unit))))
    nearest = _nearest(unit, metric, text, every, test.language) if text else every[0]
    return JudgedRewrite(
        id=unit.id,
        series=unit.group,
        target=unit.record.target,
        question=unit.item.text,
        previous=unit.item.previous,
        rewrite=text,
        gold=nearest,
        golds=tuple(every),
        score=marks[name] or 0.0,
        marks=marks,
        failure=failure_of(unit, text, nearest, test.language),
    )


def _nearest(unit: Unit, metric: Metric, text: str, golds: Sequence[str], language: str) -> str:
    """The gold that a rewrite has the words of, else the nearest one by the metric itself."""
    cut = cutter(language)
    words = cut(text)
    for gold in golds:
        if cut(gold) == words:
            return gold
    # The golds have known answers in them already: here nothing more is known.
    alone = Unit(
        unit.id,
        unit.group,
        msgspec.structs.replace(unit.record, questions=()),
        msgspec.structs.replace(unit.item, previous=(), previous_of=None),
    )

    def alike(gold: str) -> float:
        vector = metric.statistics(alone, [[Answer(text=gold)]], Answer(text=text))
        return vector[0] / vector[1] if vector[1] else 0.0

    return max(golds, key=alike)


def rewrites_of(test: Test, sitting: Sitting | Mapping[str, str]) -> dict[str, str]:
    """The first rewrite of each question that was given."""
    if not isinstance(sitting, Sitting):
        return dict(sitting)
    found: dict[str, str] = {}
    for id in sitting:
        for row in sitting.of(id):
            if row.answered and id not in found:
                found[id] = row.text
    return found


# The worst rewrites of a sitting in a terminal, and what got worse since another.


LABEL = 10
BAR = 40
"""The longest bar of the distribution, in characters."""
NOTHING = "(none)"


def _print_distribution(console: Console, judged: JudgedRewrites) -> None:
    counts = judged.distribution()
    most = max(counts)
    table = plain_table(judged.metric, "questions", "")
    table.columns[2].justify = "left"
    for index, count in enumerate(counts):
        if count or any(counts[:index]):
            bar = "█" * max(round(BAR * count / most), 1 if count else 0)
            end = "]" if index == BINS - 1 else ")"
            table.add_row(
                f"[{decimal(index / BINS)}, {decimal((index + 1) / BINS)}{end}", f"{count:,}", bar
            )
    for line in console.render_lines(table, pad=False):  # no blanks after a bar
        shown = Text.assemble(*((part.text, part.style or "") for part in line))
        shown.rstrip()
        console.print(shown)


def _print_failures(console: Console, judged: JudgedRewrites) -> None:
    table = plain_table("what went wrong", "questions", "share", "mean")
    whole = len(judged.rewrites)
    for name, (count, mean) in judged.groups().items():
        shown = f"nothing ({PERFECT})" if name == PERFECT else name
        table.add_row(shown, f"{count:,}", percent(count / whole), score(mean))
    console.print(table)


def _print_rewrite(console: Console, rewrite: JudgedRewrite) -> None:
    console.print(Text.assemble((rewrite.id, "bold"), f" {score(rewrite.score)}"))
    texts: dict[str, str | None] = {
        "target": rewrite.target,
        "question": rewrite.question,
        "rewrite": rewrite.rewrite,
        "gold": rewrite.gold,
    }
    more = {
        "previous": "; ".join(rewrite.previous),
        "missing": " ".join(rewrite.failure.missing),
        "extra": " ".join(rewrite.failure.extra),
    }
    marks = ", ".join(f"{name} {score(value)}" for name, value in rewrite.marks.items())
    named = {label: text for label, text in more.items() if text}
    _print_labelled(console, {**texts, **named, "metrics": marks})


def _print_labelled(console: Console, texts: Mapping[str, str | None]) -> None:
    """Print labels, each with its text wrapped with a hanging indent, and a blank line."""
    for label, text in texts.items():
        shown = Text(NOTHING if text is None else text)
        for index, line in enumerate(shown.wrap(console, max(console.width - LABEL - 2, 10))):
            line.rstrip()
            console.print(Text(f"  {label if not index else '':<{LABEL}}", "dim").append_text(line))
    console.print()


def _print_worse(console: Console, judged: JudgedRewrites) -> None:
    console.print(
        f"compared with {judged.baseline}, {counted(len(judged.before or {}), 'question')}: "
        f"{judged.better} better, {len(judged.worse)} worse",
        style="bold",
    )
    for lost_score in judged.worse:
        _print_change(console, lost_score)


def _print_change(console: Console, loss: LostScore) -> None:
    scores = (
        f" {score(loss.before)} to {score(loss.after)} ({difference(loss.after - loss.before)})"
    )
    console.print(Text.assemble((loss.id, "bold"), scores))
    texts: dict[str, str | None] = {
        "target": loss.target,
        "question": loss.question,
        "before": loss.rewrite_before,
        "after": loss.rewrite,
        "gold": loss.gold,
    }
    _print_labelled(console, texts)


# The distribution of a sitting's scores as a picture: the document's Figure 2.


HEIGHT = 360.0


def write_distribution(judged: JudgedRewrites, path: str | Path) -> None:
    """Draw the distribution of scores, with the baseline's, into an SVG or PNG."""
    columns = {judged.candidate: judged.distribution()}
    if judged.before is not None:
        name = f"{judged.baseline}"
        label = name if name != judged.candidate else f"{name} (baseline)"
        columns[label] = distribution(list(judged.before.values()))
    title = f"{judged.series}: {judged.metric}, {counted(len(judged.rewrites), 'question')}"
    with picture(path, HEIGHT, title) as figure:
        axes = figure.add_subplot()
        _bars(axes, columns)
        plain_axes(axes, title)
        axes.set_xlabel(judged.metric, color=MUTED)
        axes.set_ylabel("questions", color=MUTED)
        if len(columns) > 1:
            axes.legend(frameon=False, labelcolor=INK)


def _bars(axes: Axes, columns: dict[str, list[int]]) -> None:
    """A group of bars a bin, a colour a sitting."""
    from matplotlib.ticker import MaxNLocator

    width = 1 / BINS
    each = width * 0.9 / len(columns)
    for lane, (name, counts) in enumerate(columns.items()):
        left = [index * width + width * 0.05 + lane * each for index in range(BINS)]
        axes.bar(left, counts, width=each, align="edge", color=COLOURS[lane], label=name)
    axes.set_xlim(0, 1)
    axes.set_xticks([index / 10 for index in range(11)])
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_axisbelow(True)
