"""Splits and what leaks between them, in a terminal."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from readmark import console as options
from readmark.console import Ticker
from readmark.core.display import counted, make_console, plain_table
from readmark.core.errors import UsageError
from readmark.core.files import require_apart, same_file
from readmark.making.splits.overlaps import Leakage, Link, Part, Place
from readmark.making.splits.plan import Splitting
from readmark.making.tables.command import print_crossed

# ``readmark set split``.


@click.command("split")
@click.argument("test")
@click.argument("others", nargs=-1, metavar="[OTHER]...")
@click.option("-o", "--output", metavar="OUT", help="Test to write, with the splits.")
@click.option(
    "--proportions",
    default="80/10/10",
    metavar="P",
    help="Share of questions per split, as train/dev/test or as train=80,dev=10,test=10",
)
@options.seed_option
@click.option(
    "--by",
    metavar="FIELD,...",
    help="Fields to balance across splits; '' for none  [default: level,type, or "
    "genre,topic for readability]",
)
@click.option(
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
@click.option("--hidden", metavar="SPLIT,...", help="Splits whose keys must not be published.")
@click.option("--force", is_flag=True, help="Replace existing splits.")
@click.option(
    "--check",
    is_flag=True,
    help="Check existing splits for leakage instead of writing; exit with status 1 if "
    "there is any.",
)
@options.from_option
@click.option(
    "--to",
    "to_format",
    metavar="FORMAT",
    help="Format to write  [default: detected from OUT's suffix]",
)
@options.json_option
@click.pass_context
def split_command(
    ctx: click.Context,
    test: str,
    others: tuple[str, ...],
    output: str | None,
    proportions: str,
    seed: int,
    by: str | None,
    article: str,
    alike: bool,
    threshold: float,
    like: str | None,
    hidden: str | None,
    force: bool,
    check: bool,
    from_format: str | None,
    to_format: str | None,
    as_json: bool,
) -> None:
    """Split a TEST by article, never by question; proportions are measured in questions.

    Levels and types (for readability, genres and topics) are balanced as evenly as the articles
    allow. The same TEST and seed give the same splits, whatever the order of its passages. Text
    and key stay the same, so existing sittings can still be marked. With --like, both sides of
    a parallel corpus get the same splits.

    With --check, the existing splits of TEST are compared with each other and with OTHER tests,
    to find identical or nearly identical passages, articles in two splits, and repeated
    questions with the same answers.
    """
    fields = options.fields(article)
    if check:
        if output is not None:
            raise UsageError("--check writes nothing: leave -o out")
        leaks = _check((test, *others), from_format, fields, threshold, as_json)
        ctx.exit(1 if leaks else 0)
    if output is None:
        raise UsageError("name the file to write with -o OUT, or look for leaks with --check")
    if others:
        raise UsageError("one test is split at a time; OTHER tests are for --check")
    from readmark.formats.registry import format_for, open_test, save_test
    from readmark.making.splits.plan import (
        apply_splits,
        existing_splits,
        plan_splits,
        read_proportions,
        splits_like,
    )

    wanted = read_proportions(proportions)
    require_apart([output], [test, like])
    source = open_test(test, format=from_format)
    format = to_format or format_for(Path(output), source)
    has = existing_splits(source)
    if has and not force:
        raise UsageError(f"{test} has splits already ({', '.join(has)}); --force replaces them")
    spread = None if by is None else options.fields(by)
    if like is not None:
        done = splits_like(source, open_test(like), by=spread, article=fields)
    else:
        watch = _Watch()
        done = plan_splits(
            source,
            wanted,
            seed=seed,
            by=spread,
            article=fields,
            alike=alike,
            threshold=threshold,
            watch=watch,
        )
        watch.end()
    noun = source.kind.unit_noun
    unused = [name for name in spread or () if name not in done.strata]
    options.notify(f"no {noun} has {name!r}: it has no effect" for name in unused)
    lost = save_test(
        apply_splits(source, done, hidden=options.fields(hidden)), output, format=format
    )
    if as_json:
        about = {"output": output, "format": format, "lost": lost}
        told = asdict(done) | {
            "joined": [_link(link) for link in done.joined],
            "largest": dict(
                zip(("article", done.measured_in, "articles"), done.largest, strict=True)
            ),
        }
        options.print_json(about | told)
        return

    print_splitting(done, name=source.header.name or test)
    options.notify(f"{format}: {line}" for line in lost)
    options.notify([f"{output} written as {format}"])


def _check(
    paths: tuple[str, ...],
    from_format: str | None,
    article: list[str],
    threshold: float,
    as_json: bool,
) -> bool:
    from readmark.formats.registry import open_test
    from readmark.making.splits.overlaps import leakage

    for at, path in enumerate(paths):
        for other in paths[:at]:
            if same_file(path, other):
                raise UsageError(f"{path} and {other} are one file")
    watch = _Watch()
    found = leakage(
        [open_test(path, format=from_format) for path in paths],
        threshold=threshold,
        article=article,
        watch=watch,
    )
    watch.end()
    if as_json:
        parts = [
            {**size.part._asdict(), "passages": size.passages, "questions": size.questions}
            for size in found.parts
        ]
        pairs = [_link(link) for link in found.links]
        options.print_json(
            {
                "threshold": found.threshold,
                "parts": parts,
                "pairs": pairs,
                "same_words": found.same_words,
            }
        )
    else:
        print_leakage(found)
    return bool(found.links)


def _link(link: Link) -> dict[str, Any]:
    return {
        "shared": link.what,
        "resemblance": link.resemblance,
        "first": _place(link.first),
        "second": _place(link.second),
    }


def _place(place: Place) -> dict[str, Any]:
    return {**place.part._asdict(), "passage": place.passage, "question": place.question}


class _Watch:
    """Where the comparison of texts is, on stderr."""

    def __init__(self) -> None:
        self._ticker = Ticker()
        self._began = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        from readmark.sitting.runner import Progress

        self._ticker.show(Progress(total, 0, done, 0, time.monotonic() - self._began))

    def end(self) -> None:
        self._ticker.end()


SHOWN = 10
"""Links that are shown of those that joined articles; JSON has them all."""

_WHY = {
    "passage": "the text",
    "part": "one contains the other",
    "article": "one article",
    "question": "question and answer",
}


def print_splitting(done: Splitting, *, name: str) -> None:
    """Sizes and strata, what was got beside what was wanted; then what was kept together."""
    console = make_console()
    noun = done.measured_in[:-1]
    questions = f"{counted(done.questions, noun)} in " if done.questions else ""
    how = f"seed {done.seed}" if done.like is None else f"as in {done.like}"
    console.print(f"{name}: {questions}{counted(done.articles, 'article')}, {how}")
    apart = done.measured_in != "passages" or not done.questions  # units are not the passages
    units = ("questions",) if apart else ()
    table = plain_table("split", "articles", "passages", *units, "share", "wanted")
    for split, size in done.splits.items():
        numbers = (size.articles, size.passages, *((size.questions,) if apart else ()))
        shares = (f"{100 * size.share:.1f}%", f"{100 * done.proportions[split]:.1f}%")
        table.add_row(split, *(f"{number:,}" for number in numbers), *shares)
    console.print(table)
    for field, values in done.strata.items():
        print_crossed(console, field, values, list(done.proportions), wanted=done.proportions)
    if done.strata:
        console.print("in brackets: what the proportions ask for")
    article, most, joined = done.largest
    whole = done.questions or sum(one.passages for one in done.splits.values())
    share = f"{100 * most / whole:.1f}%"
    what = "the largest article" if joined == 1 else f"the most kept together, {joined} articles"
    console.print(f"{what}, {article}: {counted(most, noun)} ({share})")
    console.print(f"chi-square of sizes and strata: {done.chi_square:.1f}")
    if done.joined:
        _print_joined(console, done.joined)


def _print_joined(console: Console, joined: Sequence[Link]) -> None:
    console.print(
        f"articles kept together as they share a text or a question: {counted(len(joined), 'pair')}"
    )
    _print_links(console, joined[:SHOWN])
    if len(joined) > SHOWN:
        console.print(f"… and {len(joined) - SHOWN} more; --json has them all")


def print_leakage(found: Leakage) -> None:
    """The parts, then every pair between two of them."""
    console = make_console()
    one_file = len({size.part.file for size in found.parts}) == 1
    table = plain_table("part", "passages", "questions")
    for size in found.parts:
        table.add_row(
            part_words(size.part, bare=one_file), f"{size.passages:,}", f"{size.questions:,}"
        )
    console.print(table)
    for (first, second), links in found.between().items():
        names = part_words(first, bare=one_file), part_words(second, bare=one_file)
        console.print(f"{names[0]} and {names[1]}: {counted(len(links), 'pair')}")
        _print_links(console, links)
    if not found.links:
        console.print(
            f"nothing found: no two parts share an article or an answered question, no passages "
            f"resemble each other by {found.threshold:.2f} or more, and none contains another"
        )
    if found.same_words:
        console.print(
            f"asked in the same words in another part, whatever the answer: "
            f"{counted(found.same_words, 'question')}"
        )


def _print_links(console: Console, links: Sequence[Link]) -> None:
    table = plain_table("", "alike")
    table.columns[0].header = "shared"
    for header in ("first", "second"):
        table.add_column(header, overflow="fold")
    for link in links:
        how = f"{link.resemblance:.2f}" if link.what in ("passage", "part") else ""
        table.add_row(_WHY[link.what], how, _id(link.first), _id(link.second))
    console.print(table)


def _id(place: Place) -> str:
    return place.question if place.question is not None else place.passage


def part_words(part: Part, *, bare: bool) -> str:
    """A part by its split, and by its file where there are several."""
    split = "no split" if part.split is None else part.split
    if bare:
        return split
    return part.file if part.split is None else f"{part.file} ({split})"
