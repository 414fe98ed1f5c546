"""A test split by article and written: the options, what was done, and how it is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from readmark.core.display import Result, counted, plain_table
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import UsageError, did_you_mean
from readmark.core.numbers import and_more, decimal, percent
from readmark.core.progress import WatchCount
from readmark.core.test import Test
from readmark.formats.registry import format_for, open_test, save_test
from readmark.making.crossed_table import print_crossed
from readmark.making.splits.overlaps import ARTICLE, print_links
from readmark.making.splits.parallel import splits_like
from readmark.making.splits.plan import (
    KeptSplit,
    SplitSize,
    Splitting,
    apply_splits,
    challenge_splits,
    existing_splits,
    plan_splits,
    read_proportions,
)
from readmark.text.shingles import THRESHOLD

SHOWN = 10
"""How many of the links that joined articles are printed; JSON has them all."""


@dataclass(frozen=True, slots=True)
class SplitOptions:
    """How a test is split."""

    proportions: str = "80/10/10"
    seed: int = 1
    by: Sequence[str] | None = None
    """Fields that are balanced; None stands for the usual ones of tests of that kind."""
    article: Sequence[str] = ARTICLE
    """Fields that name a passage's article; the first that a passage has counts."""
    alike: bool = True
    """Whether articles stay together that share a text or a question."""
    threshold: float = THRESHOLD
    """The similarity from which two texts count as the same."""
    like: str | Path | None = None
    """A parallel test whose splits are copied."""
    hidden: Sequence[str] = ()
    force: bool = False
    """Whether existing splits are replaced."""
    keep: Sequence[str] | None = None
    """Existing splits that stay as they are; None stands for challenge sets."""
    format: str | None = None


@dataclass(frozen=True, slots=True)
class SplitTest(Result):
    """A test that was split and written."""

    name: str
    output: str
    format: str
    lost: list[str]
    """What the format cannot hold."""
    splitting: Splitting
    warnings: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What the format lost, and what was written."""
        lost = (f"{self.format}: {line}" for line in self.lost)
        return (*lost, f"{self.output} written as {self.format}")

    def as_json(self) -> dict[str, Any]:
        splitting = self.splitting
        largest = zip(
            ("article", splitting.measured_in, "articles"), splitting.largest, strict=True
        )
        return {
            "output": self.output,
            "format": self.format,
            "lost": self.lost,
            **asdict(splitting),
            "joined": [link.as_json() for link in splitting.joined],
            "largest": dict(largest),
        }

    def show(self, console: Console) -> None:
        """Sizes of splits, the strata, and what had to stay together."""
        splitting = self.splitting
        noun = splitting.measured_in[:-1]
        questions = f"{counted(splitting.questions, noun)} in " if splitting.questions else ""
        origin = f"seed {splitting.seed}" if splitting.like is None else f"as in {splitting.like}"
        console.print(f"{self.name}: {questions}{counted(splitting.articles, 'article')}, {origin}")
        self._show_sizes(console)
        for field, values in splitting.strata.items():
            proportions = splitting.proportions
            print_crossed(console, field, values, list(proportions), wanted=proportions)
        if splitting.strata:
            console.print("in brackets: what the proportions ask for")
        article, size, articles = splitting.largest
        total = splitting.questions or sum(split.passages for split in splitting.splits.values())
        if articles == 1:
            largest = "the largest article"
        else:
            largest = f"the most kept together, {articles} articles"
        console.print(f"{largest}, {article}: {counted(size, noun)} ({percent(size / total)})")
        console.print(f"chi-square of sizes and strata: {decimal(splitting.chi_square)}")
        if splitting.joined:
            pairs = counted(len(splitting.joined), "pair")
            console.print(f"articles kept together as they share a text or a question: {pairs}")
            print_links(console, splitting.joined[:SHOWN])
        if len(splitting.joined) > SHOWN:
            console.print(and_more(len(splitting.joined) - SHOWN, "--json has them all"))

    def _show_sizes(self, console: Console) -> None:
        splitting = self.splitting
        # Where the units are the passages themselves, one column is enough.
        has_questions = splitting.measured_in != "passages" or not splitting.questions
        columns = ["articles", "passages"] + (["questions"] if has_questions else [])

        def cells(size: SplitSize | KeptSplit) -> list[str]:
            return [f"{getattr(size, column):,}" for column in columns]

        table = plain_table("split", *columns, "share", "wanted")
        for split, size in splitting.splits.items():
            shares = percent(size.share), percent(splitting.proportions[split])
            table.add_row(split, *cells(size), *shares)
        for split, kept_size in splitting.kept.items():
            table.add_row(split, *cells(kept_size), "", "kept")
        console.print(table)


def split_test(
    test: Test,
    output: str | Path,
    options: SplitOptions | None = None,
    *,
    progress: WatchCount | None = None,
) -> SplitTest:
    """Split a test by article and write it; one that has splits already needs ``force``."""
    options = options or SplitOptions()
    proportions = read_proportions(options.proportions)
    require_distinct_files([output], [test.file, options.like])
    format = options.format or format_for(Path(output), test)
    keep = _splits_to_keep(test, options, proportions)
    if options.like is not None:
        splitting = splits_like(
            test, open_test(options.like), by=options.by, article=options.article, keep=keep
        )
    else:
        splitting = plan_splits(
            test,
            proportions,
            seed=options.seed,
            by=options.by,
            article=options.article,
            alike=options.alike,
            threshold=options.threshold,
            keep=keep,
            progress=progress,
        )
    lost = save_test(apply_splits(test, splitting, hidden=options.hidden), output, format=format)
    noun = test.kind.unit_noun
    warnings = tuple(
        f"no {noun} has {name!r}: it has no effect"
        for name in options.by or ()
        if name not in splitting.strata
    )
    name = test.header.name or test.file
    return SplitTest(name, str(output), format, lost, splitting, warnings)


def _splits_to_keep(
    test: Test, options: SplitOptions, proportions: Mapping[str, float]
) -> set[str]:
    """The existing splits that stay; others are refused unless they may be replaced."""
    splits = existing_splits(test)
    keep = challenge_splits(test) if options.keep is None else {*options.keep}
    for name in keep:
        if name not in splits:
            raise UsageError(
                f"`keep` {name!r} is not one of the splits; {did_you_mean(name, splits)}"
            )
        if name in proportions and options.like is None:
            raise UsageError(
                f"{test.file} has a split {name!r} already, which is kept: leave it out of the "
                "proportions, or replace it with --force --keep ''"
            )
    replaced = [name for name in splits if name not in keep]
    if replaced and not options.force:
        raise UsageError(
            f"{test.file} has splits already ({', '.join(replaced)}); --force replaces them"
        )
    return keep
