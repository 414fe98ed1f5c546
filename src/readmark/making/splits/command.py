"""``readmark set split``: a test split and written, or its splits checked for leakage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from readmark import console as options
from readmark.console import OUTPUT_FILE, Ticker
from readmark.core.display import Result, counted, plain_table
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import UsageError, did_you_mean
from readmark.core.numbers import and_more, decimal, percent
from readmark.core.progress import WatchCount
from readmark.core.test import Test
from readmark.formats.registry import format_for, open_test, save_test
from readmark.making.crossed_table import print_crossed
from readmark.making.splits.leakage import leakage
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


@click.command("split")
@click.argument("test")
@click.argument("others", nargs=-1, metavar="[OTHER]...")
@click.option(
    "-o", "--output", metavar="OUT", help="Test to write, with the splits.", type=OUTPUT_FILE
)
@click.option(
    "--proportions",
    default="80/10/10",
    metavar="P",
    help="Share of questions per split, as train/dev/test or as train=80,dev=10,test=10; dev=100 "
    "puts the whole test into one split",
)
@options.seed_option
@options.list_option(
    "--by",
    metavar="FIELD,...",
    help="Fields to balance across splits; '' for none  [default: level,type, or "
    "genre,topic for readability]",
)
@options.list_option(
    "--article",
    default="article,title",
    metavar="FIELD,...",
    help="Fields that identify a passage's article; the first one present is used",
)
@click.option(
    "--alike/--no-alike",
    default=True,
    help="Keep articles in the same split if they share a text or a question",
)
@click.option(
    "--threshold",
    type=float,
    default=0.8,
    help="Similarity from which two texts count as near-duplicates",
)
@click.option("--like", metavar="TEST2", help="Copy the splits of a parallel test.")
@options.list_option(
    "--hidden", metavar="SPLIT,...", help="Splits whose keys must not be published."
)
@click.option("--force", is_flag=True, help="Replace existing splits, except those to keep.")
@options.list_option(
    "--keep",
    metavar="SPLIT,...",
    help="Existing splits that stay as they are; '' for none  [default: challenge sets]",
)
@click.option(
    "--check",
    is_flag=True,
    help="Check existing splits for leakage instead of writing; exit with status 1 if "
    "there is any.",
)
@options.split_option
@options.from_option
@click.option(
    "--to",
    "format",
    metavar="FORMAT",
    help="Format to write  [default: detected from OUT's suffix]",
)
@options.json_option
@click.pass_context
def split_command(
    ctx: click.Context,
    /,
    test: str,
    others: tuple[str, ...],
    output: str | None,
    by: str | None,
    article: str,
    hidden: str | None,
    keep: str | None,
    check: bool,
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Split a TEST by article, never by question; proportions are measured in questions.

    Levels and types (for readability, genres and topics) are balanced as evenly as the articles
    allow. The same TEST and seed give the same splits, whatever the order of its passages. Text
    and key stay the same, so existing sittings can still be marked. With --like, both
    languages of a parallel corpus get the same splits. A challenge set that is a split already is
    kept.

    With --check, the existing splits of TEST are compared with each other and with OTHER tests,
    to find identical or nearly identical passages, articles in two splits, and repeated
    questions with the same answers.
    """
    if check and output is not None:
        raise UsageError("--check writes nothing: leave -o out")
    if not check and output is None:
        raise UsageError("name the file to write with -o OUT, or look for leaks with --check")
    if not check and others:
        raise UsageError("one test is split at a time; OTHER tests are for --check")
    fields = options.fields(article)
    if output is None:
        tests = [open_test(path, format=from_format, split=split) for path in (test, *others)]
        with Ticker() as ticker:
            leaks = leakage(
                tests, threshold=settings["threshold"], article=fields, progress=ticker.count
            )
        options.print_result(leaks, as_json=as_json)
        ctx.exit(1 if leaks.links else 0)
    source = open_test(test, format=from_format, split=split)
    split_options = SplitOptions(
        by=None if by is None else options.fields(by),
        article=fields,
        hidden=options.fields(hidden),
        keep=None if keep is None else options.fields(keep),
        **settings,
    )
    with Ticker() as ticker:
        result = split_test(source, output, split_options, progress=ticker.count)
    options.notify(result.warnings)
    options.print_result(result, as_json=as_json)
    if not as_json:
        options.notify(result.notes)


SHOWN = 10
"""How many of the links that joined articles are printed; JSON has them all."""


@dataclass(frozen=True, slots=True)
class SplitOptions:
    """The options of `set split`."""

    proportions: str = "80/10/10"
    seed: int = 1
    by: Sequence[str] | None = None
    """Fields that are balanced; None stands for the usual ones of tests of that kind."""
    article: Sequence[str] = ARTICLE
    alike: bool = True
    threshold: float = THRESHOLD
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
        splitting = self.splitting
        noun = splitting.measured_in[:-1]
        questions = f"{counted(splitting.questions, noun)} in " if splitting.questions else ""
        how = f"seed {splitting.seed}" if splitting.like is None else f"as in {splitting.like}"
        console.print(f"{self.name}: {questions}{counted(splitting.articles, 'article')}, {how}")
        self._show_sizes(console)
        for field, values in splitting.strata.items():
            proportions = splitting.proportions
            print_crossed(console, field, values, list(proportions), wanted=proportions)
        if splitting.strata:
            console.print("in brackets: what the proportions ask for")
        article, most, articles = splitting.largest
        whole = splitting.questions or sum(size.passages for size in splitting.splits.values())
        if articles == 1:
            largest = "the largest article"
        else:
            largest = f"the most kept together, {articles} articles"
        console.print(f"{largest}, {article}: {counted(most, noun)} ({percent(most / whole)})")
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
    noun = test.kind.unit_noun
    unused = [name for name in options.by or () if name not in splitting.strata]
    new = apply_splits(test, splitting, hidden=options.hidden)
    lost = save_test(new, output, format=format)
    return SplitTest(
        test.header.name or test.file,
        str(output),
        format,
        lost,
        splitting,
        tuple(f"no {noun} has {name!r}: it has no effect" for name in unused),
    )


def _splits_to_keep(
    test: Test, options: SplitOptions, proportions: Mapping[str, float]
) -> set[str]:
    """The existing splits that stay; others are refused unless they may be replaced."""
    splits = existing_splits(test)
    keep = challenge_splits(test) if options.keep is None else {*options.keep}
    for name in keep:
        if name not in splits:
            raise UsageError(
                f"--keep {name!r} is not one of the splits; {did_you_mean(name, splits)}"
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
