"""Noun phrases of two languages beside each other in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from readmark.corpus.values import Offsets
from readmark.reporting.terminal import ABSENT, headline, make_console, plain_table
from readmark.setting.crosscheck.consistency import Consistency, TextConsistency


def print_consistency(made: Consistency, *, show: int) -> None:
    """Counts a passage (questions together), then the phrases without a counterpart."""
    console = make_console()
    passages = [one for one in made.texts if one.unit is None]
    questions = [one for one in made.texts if one.unit is not None]
    console.print(headline("noun phrases", ": ", made.chinese, f" beside {made.english}"))
    table = plain_table("passage", "English", "Chinese", "aligned", "of Chinese", "")
    for one in passages:
        table.add_row(one.record, *_cells([one]), "far apart" if one.far else "")
    table.add_section()
    table.add_row("passages", *_cells(passages), "")
    if questions:
        table.add_row("questions", *_cells(questions), "")
    console.print(table)
    left = show
    for one in made.texts:
        if left <= 0:
            break
        left -= _print_alone(console, one)
    alone = sum(1 for one in made.texts if one.english_alone or one.chinese_alone)
    if show and alone > show:
        console.print(f"and {alone - show:,} more texts; --show {alone} lists them all")


def _cells(texts: Sequence[TextConsistency]) -> list[str]:
    english = sum(len(one.english) for one in texts)
    chinese = sum(len(one.chinese) for one in texts)
    pairs = sum(len(one.pairs) for one in texts)
    share = f"{100 * pairs / chinese:.1f}%" if chinese else ABSENT
    return [f"{english:,}", f"{chinese:,}", f"{pairs:,}", share]


def _print_alone(console: Console, one: TextConsistency) -> int:
    """The phrases of a text that have no counterpart; how many texts were printed."""
    if not one.english_alone and not one.chinese_alone:
        return 0
    name = one.record if one.unit is None else f"{one.record}:{one.unit}"
    console.print(Text(name, "bold"))
    for label, text, spans in (
        ("Chinese without a counterpart", one.chinese_text, one.chinese_alone),
        ("English without a counterpart", one.english_text, one.english_alone),
    ):
        if spans:
            said = f"{label}: {_quotes(text, spans)}"
            console.print(Padding(Text(said), (0, 0, 0, 2), expand=False))
    return 1


def _quotes(text: str, spans: Sequence[Offsets]) -> str:
    return ", ".join(" ".join(text[slice(*span)].split()) for span in spans)
