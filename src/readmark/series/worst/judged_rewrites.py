"""Every rewrite of a sitting with its scores, its nearest gold and what went wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console
from rich.text import Text

from readmark.core.display import Result, counted, headline, plain_table, print_signatures
from readmark.core.numbers import decimal, percent
from readmark.series.failures import FAILURES, PERFECT, RewriteFailure
from readmark.series.printed_scores import difference, score
from readmark.statistics.grid import GRID

BINS = 20
"""Of the distribution from 0 to 1; the last one has 1 in it."""
_LABEL_WIDTH = 10
_BAR = 40  # characters of the longest bar of the distribution
_NO_TEXT = "(none)"


@dataclass(frozen=True, slots=True)
class JudgedRewrite:
    """One question, its rewrite, and the gold that the rewrite is nearest to."""

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
    """The baseline's score of every question that both sittings were asked."""
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
        """The mark of the sitting."""
        return sum(rewrite.score for rewrite in self.rewrites) / len(self.rewrites)

    def worst(self, failure: str | None = None) -> list[JudgedRewrite]:
        """What is not perfect, the worst first; ties in the order of the test."""
        rewrites = [rewrite for rewrite in self.rewrites if rewrite.failure.name != PERFECT]
        if failure is not None:
            rewrites = [rewrite for rewrite in rewrites if rewrite.failure.name == failure]
        return sorted(rewrites, key=lambda rewrite: rewrite.score)

    def groups(self) -> dict[str, tuple[int, float]]:
        """How many questions fail in each way, and their mean score; perfect ones first."""
        groups = {}
        for name in (PERFECT, *FAILURES):
            scores = [rewrite.score for rewrite in self.rewrites if rewrite.failure.name == name]
            if scores:
                groups[name] = len(scores), sum(scores) / len(scores)
        return groups

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
                "worse": [asdict(loss) for loss in self.worse],
            }
        return document

    def show(self, console: Console) -> None:
        """Distribution, failures, the worst rewrites by failure, and what got worse."""
        size = f": {counted(len(self.rewrites), 'question')}, {self.metric} {score(self.mean)}"
        console.print(headline(self.candidate, " on ", self.series, size))
        self._show_distribution(console)
        self._show_failures(console)
        worst = self.worst()
        if worst and self.shown:
            console.print(f"the worst {min(self.shown, len(worst))} of {len(worst)}", style="bold")
            for name in FAILURES:
                group = [rewrite for rewrite in worst[: self.shown] if rewrite.failure.name == name]
                if group:
                    console.print(f"{name}: {len(group)}", style="bold")
                for rewrite in group:
                    _print_rewrite(console, rewrite)
        if self.baseline is not None:
            console.print(
                f"compared with {self.baseline}, {counted(len(self.before or {}), 'question')}: "
                f"{self.better} better, {len(self.worse)} worse",
                style="bold",
            )
            for loss in self.worse:
                _print_loss(console, loss)
        print_signatures(console, {self.metric: self.signature})

    def _show_distribution(self, console: Console) -> None:
        """A bar for each bin from the lowest one with a score."""
        counts = self.distribution()
        largest = max(counts)
        table = plain_table(self.metric, "questions", "")
        table.columns[2].justify = "left"
        for index, count in enumerate(counts):
            if count or any(counts[:index]):
                bar = "█" * max(round(_BAR * count / largest), 1 if count else 0)
                bracket = "]" if index == BINS - 1 else ")"
                bounds = f"[{decimal(index / BINS)}, {decimal((index + 1) / BINS)}{bracket}"
                table.add_row(bounds, f"{count:,}", bar)
        for segments in console.render_lines(table, pad=False):  # no blanks after a bar
            line = Text.assemble(*((part.text, part.style or "") for part in segments))
            line.rstrip()
            console.print(line)

    def _show_failures(self, console: Console) -> None:
        table = plain_table("what went wrong", "questions", "share", "mean")
        for name, (count, mean) in self.groups().items():
            label = f"nothing ({PERFECT})" if name == PERFECT else name
            share = percent(count / len(self.rewrites))
            table.add_row(label, f"{count:,}", share, score(mean))
        console.print(table)


def distribution(scores: Sequence[float]) -> list[int]:
    """How many scores are in each bin; a bin has its lower bound, the last one also 1."""
    # Scores lie on the grid: 0.35 is stored as a little less, and belongs to the bin from 0.35.
    counts = Counter(min(max(int((score + GRID) * BINS), 0), BINS - 1) for score in scores)
    return [counts[bin] for bin in range(BINS)]


def _print_rewrite(console: Console, rewrite: JudgedRewrite) -> None:
    console.print(Text.assemble((rewrite.id, "bold"), f" {score(rewrite.score)}"))
    texts: dict[str, str | None] = {
        "target": rewrite.target,
        "question": rewrite.question,
        "rewrite": rewrite.rewrite,
        "gold": rewrite.gold,
    }
    optional = {
        "previous": "; ".join(rewrite.previous),
        "missing": " ".join(rewrite.failure.missing),
        "extra": " ".join(rewrite.failure.extra),
    }
    texts |= {label: text for label, text in optional.items() if text}
    texts["metrics"] = ", ".join(f"{name} {score(mark)}" for name, mark in rewrite.marks.items())
    _print_labelled(console, texts)


def _print_loss(console: Console, loss: LostScore) -> None:
    change = difference(loss.after - loss.before)
    scores = f" {score(loss.before)} to {score(loss.after)} ({change})"
    console.print(Text.assemble((loss.id, "bold"), scores))
    texts: dict[str, str | None] = {
        "target": loss.target,
        "question": loss.question,
        "before": loss.rewrite_before,
        "after": loss.rewrite,
        "gold": loss.gold,
    }
    _print_labelled(console, texts)


def _print_labelled(console: Console, texts: Mapping[str, str | None]) -> None:
    """Print labels, each with its text wrapped with a hanging indent, and a blank line."""
    width = max(console.width - _LABEL_WIDTH - 2, 10)
    for label, text in texts.items():
        lines = Text(_NO_TEXT if text is None else text).wrap(console, width)
        for index, line in enumerate(lines):
            line.rstrip()
            margin = Text(f"  {label if not index else '':<{_LABEL_WIDTH}}", "dim")
            console.print(margin.append_text(line))
    console.print()
