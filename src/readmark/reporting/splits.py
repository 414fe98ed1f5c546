"""Splits and what leaks between them, in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from readmark.reporting.crossed import print_crossed
from readmark.reporting.terminal import counted, make_console, plain_table
from readmark.setting.splits.alike import Link, Part, Place
from readmark.setting.splits.leakage import Leakage
from readmark.setting.splits.splitting import Splitting

SHOWN = 10
"""Links that are shown of those that joined articles; JSON has them all."""

_WHY = {
    "passage": "the text",
    "part": "one stands in the other",
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
            f"resemble each other by {found.threshold:.2f} or more, and none stands in another"
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
