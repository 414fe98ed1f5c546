"""``readmark set split``: a test split and written, or its splits checked for leakage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from readmark import console as options
from readmark.console import OUTPUT_FILE, Ticker
from readmark.core.display import Result, counted, plain_table
from readmark.core.distinct_files import require_distinct_files, same_file
from readmark.core.errors import UsageError, did_you_mean
from readmark.core.numbers import and_more, decimal, percent
from readmark.core.progress import WatchCount
from readmark.core.splits import split_order
from readmark.core.test import Test
from readmark.formats.registry import format_for, open_test, save_test
from readmark.making.splits.overlaps import (
    ARTICLE,
    SHARED,
    Alikes,
    Link,
    PassagePlace,
    TestPart,
    across_parts,
    between_parts,
    print_links,
)
from readmark.making.splits.plan import (
    Splitting,
    apply_splits,
    challenge_splits,
    existing_splits,
    plan_splits,
    read_proportions,
    splits_like,
)
from readmark.making.stats import print_crossed
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
    **wanted: Any,
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
                tests, threshold=wanted["threshold"], article=fields, progress=ticker.count
            )
        options.print_result(leaks, as_json=as_json)
        ctx.exit(1 if leaks.links else 0)
    source = open_test(test, format=from_format, split=split)
    asked = SplitOptions(
        by=None if by is None else options.fields(by),
        article=fields,
        hidden=options.fields(hidden),
        keep=None if keep is None else options.fields(keep),
        **wanted,
    )
    with Ticker() as ticker:
        done = split_test(source, output, asked, progress=ticker.count)
    options.notify(done.warnings)
    options.print_result(done, as_json=as_json)
    if not as_json:
        options.notify(done.notes)


SHOWN = 10
"""Links that are shown of those that joined articles; JSON has them all."""


@dataclass(frozen=True, slots=True)
class SplitOptions:
    """The options of `split`; ``by`` None stands for what is balanced in tests of that kind."""

    proportions: str = "80/10/10"
    seed: int = 1
    by: Sequence[str] | None = None
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
        done = self.splitting
        return {
            "output": self.output,
            "format": self.format,
            "lost": self.lost,
            **asdict(done),
            "joined": [link.as_json() for link in done.joined],
            "largest": dict(
                zip(("article", done.measured_in, "articles"), done.largest, strict=True)
            ),
        }

    def show(self, console: Console) -> None:
        done = self.splitting
        noun = done.measured_in[:-1]
        questions = f"{counted(done.questions, noun)} in " if done.questions else ""
        how = f"seed {done.seed}" if done.like is None else f"as in {done.like}"
        console.print(f"{self.name}: {questions}{counted(done.articles, 'article')}, {how}")
        apart = done.measured_in != "passages" or not done.questions  # units are not the passages
        units = ("questions",) if apart else ()
        table = plain_table("split", "articles", "passages", *units, "share", "wanted")
        for split, size in done.splits.items():
            numbers = (size.articles, size.passages, *((size.questions,) if apart else ()))
            shares = percent(size.share), percent(done.proportions[split])
            table.add_row(split, *(f"{number:,}" for number in numbers), *shares)
        for split, kept in done.kept.items():
            numbers = (kept.articles, kept.passages, *((kept.questions,) if apart else ()))
            table.add_row(split, *(f"{number:,}" for number in numbers), "", "kept")
        console.print(table)
        for field, values in done.strata.items():
            print_crossed(console, field, values, list(done.proportions), wanted=done.proportions)
        if done.strata:
            console.print("in brackets: what the proportions ask for")
        article, most, joined = done.largest
        whole = done.questions or sum(size.passages for size in done.splits.values())
        what = (
            "the largest article" if joined == 1 else f"the most kept together, {joined} articles"
        )
        console.print(f"{what}, {article}: {counted(most, noun)} ({percent(most / whole)})")
        console.print(f"chi-square of sizes and strata: {decimal(done.chi_square)}")
        if done.joined:
            pairs = counted(len(done.joined), "pair")
            console.print(f"articles kept together as they share a text or a question: {pairs}")
            print_links(console, done.joined[:SHOWN])
        if len(done.joined) > SHOWN:
            console.print(and_more(len(done.joined) - SHOWN, "--json has them all"))


def split_test(
    test: Test,
    output: str | Path,
    options: SplitOptions | None = None,
    *,
    progress: WatchCount | None = None,
) -> SplitTest:
    """Split a test by article and write it; one that has splits already needs ``force``."""
    options = options or SplitOptions()
    wanted = read_proportions(options.proportions)
    require_distinct_files([output], [test.file, options.like])
    format = options.format or format_for(Path(output), test)
    keep = _splits_to_keep(test, options, wanted)
    if options.like is not None:
        done = splits_like(
            test, open_test(options.like), by=options.by, article=options.article, keep=keep
        )
    else:
        done = plan_splits(
            test,
            wanted,
            seed=options.seed,
            by=options.by,
            article=options.article,
            alike=options.alike,
            threshold=options.threshold,
            keep=keep,
            progress=progress,
        )
    noun = test.kind.unit_noun
    unused = [name for name in options.by or () if name not in done.strata]
    made = apply_splits(test, done, hidden=options.hidden)
    lost = save_test(made, output, format=format)
    return SplitTest(
        test.header.name or test.file,
        str(output),
        format,
        lost,
        done,
        tuple(f"no {noun} has {name!r}: it has no effect" for name in unused),
    )


def _splits_to_keep(test: Test, options: SplitOptions, wanted: Mapping[str, float]) -> set[str]:
    """The existing splits that stay; others are refused unless they may be replaced."""
    splits = existing_splits(test)
    keep = challenge_splits(test) if options.keep is None else {*options.keep}
    for name in keep:
        if name not in splits:
            raise UsageError(f"--keep {name!r} is none of the splits; {did_you_mean(name, splits)}")
        if name in wanted and options.like is None:
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


# Leakage: what is in two parts of a test, or in two tests, so that one gives the other away.


@dataclass(frozen=True, slots=True)
class Leakage(Result):
    """What the parts have in common, part by part, and what was looked at."""

    threshold: float
    parts: Mapping[TestPart, tuple[int, int]]
    """How many passages and questions each has."""
    links: tuple[Link, ...]
    same_words: int
    """Questions asked in the same words in another part, whatever their answers."""

    def between(self) -> dict[tuple[TestPart, TestPart], list[Link]]:
        """The links by the two parts that they are between."""
        found: dict[tuple[TestPart, TestPart], list[Link]] = {}
        for link in self.links:
            found.setdefault((link.first.part, link.second.part), []).append(link)
        return found

    def as_json(self) -> dict[str, Any]:
        return {
            "threshold": self.threshold,
            "parts": [
                {**part._asdict(), "passages": passages, "questions": questions}
                for part, (passages, questions) in self.parts.items()
            ],
            "pairs": [link.as_json() for link in self.links],
            "same_words": self.same_words,
        }

    def show(self, console: Console) -> None:
        one_file = len({part.file for part in self.parts}) == 1
        names = {part: _name(part, bare=one_file) for part in self.parts}
        table = plain_table("part", "passages", "questions")
        for part, sizes in self.parts.items():
            table.add_row(names[part], *(f"{size:,}" for size in sizes))
        console.print(table)
        for (first, second), links in self.between().items():
            console.print(f"{names[first]} and {names[second]}: {counted(len(links), 'pair')}")
            print_links(console, links)
        if not self.links:
            console.print(
                f"nothing found: no two parts share an article or an answered question, no "
                f"passages resemble each other by {decimal(self.threshold)} or more, and none "
                "contains another"
            )
        if self.same_words:
            console.print(
                f"asked in the same words in another part, whatever the answer: "
                f"{counted(self.same_words, 'question')}"
            )


def _name(part: TestPart, *, bare: bool) -> str:
    """A part by its split, and by its file where there are several."""
    if bare:
        return "no split" if part.split is None else part.split
    return part.file if part.split is None else f"{part.file} ({part.split})"


def leakage(
    tests: Sequence[Test],
    *,
    threshold: float = THRESHOLD,
    article: Sequence[str] = ARTICLE,
    progress: WatchCount | None = None,
) -> Leakage:
    """Compare the splits of each test with each other and with those of every other test."""
    for index, test in enumerate(tests):
        for other in tests[:index]:
            if same_file(test.file, other.file):
                raise UsageError(f"{test.file} and {other.file} are one file")
    passages: Counter[TestPart] = Counter()
    questions: Counter[TestPart] = Counter()
    with Alikes(fields=article, threshold=threshold) as alikes:
        for test in tests:
            for part, record in alikes.read(test):
                passages[part] += 1
                questions[part] += sum(1 for _ in test.kind.units(record))
        if len(passages) < 2:
            raise UsageError(
                f"{tests[0].file}: one part and nothing to compare it with; "
                "split it first, or name other tests"
            )
        files = [test.file for test in tests]
        ordered = sorted(passages, key=lambda part: (files.index(part.file), split_order(part[1])))
        links = _each_once(
            _links(alikes, progress), {part: index for index, part in enumerate(ordered)}
        )
        sizes = {part: (passages[part], questions[part]) for part in ordered}
        return Leakage(threshold, sizes, links, alikes.same_words())


def _links(alikes: Alikes, progress: WatchCount | None) -> Iterator[Link]:
    for places in alikes.same_texts():
        for first, second in across_parts(places):
            yield Link("passage", first, second, 1.0)
    for passage_places, other, resemblance in alikes.near_texts(progress):
        for first, second in between_parts(passage_places, other):
            yield Link("passage", first, second, resemblance)
    for passage_places, other, share in alikes.parts_of_texts():
        for first, second in between_parts(passage_places, other):
            yield Link("part", first, second, share)
    for places in alikes.same_articles():
        for first, second in across_parts(places):
            yield Link("article", first, second, 1.0)
    for places in alikes.same_questions():
        for first, second in across_parts(places):
            yield Link("question", first, second, 1.0)


def _each_once(links: Iterator[Link], rank: Mapping[TestPart, int]) -> tuple[Link, ...]:
    """In the order of the parts; of alike passages, articles and questions go without saying."""
    kept: dict[tuple[PassagePlace, ...], Link] = {}
    for link in links:
        first, second = sorted((link.first, link.second), key=lambda place: rank[place.part])
        passages = first._replace(question=None), second._replace(question=None)
        if passages not in kept:
            kept.setdefault((first, second), replace(link, first=first, second=second))

    def order(link: Link) -> tuple[object, ...]:
        first, second = link.first, link.second
        ids = (first.passage, second.passage, first.question or "", second.question or "")
        ranks = rank[first.part], rank[second.part]
        return *ranks, SHARED.index(link.what), -link.resemblance, *ids

    return tuple(sorted(kept.values(), key=order))
