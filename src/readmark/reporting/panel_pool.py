"""A pool of passages as tables for a terminal."""

from __future__ import annotations

from collections import Counter

from readmark.reporting.terminal import ABSENT, counted, make_console, plain_table, some
from readmark.setting.panels.pooling import DISCARDED, TEST, TRAIN, Pool

SHOWN = 10
"""Discarded candidates that are shown; the report has them all."""


def print_pool(done: Pool) -> None:
    """Genres, rules, topics by split, and what was discarded with the reasons."""
    console = make_console()
    chosen = done.selected
    console.print(
        f"{counted(len(done.outcomes), 'candidate')}: {len(chosen):,} selected, seed {done.seed}"
    )
    table = plain_table("genre", "candidates", "discarded", "wanted", "selected", TRAIN, TEST)
    for genre, one in done.genres.items():
        splits = Counter(each.split for each in chosen if each.genre == genre)
        wanted = ABSENT if one.wanted is None else f"{one.wanted:,}"
        numbers = (one.selected, splits[TRAIN], splits[TEST])
        table.add_row(
            genre,
            f"{one.candidates:,}",
            f"{one.discarded:,}",
            wanted,
            *(f"{number:,}" for number in numbers),
        )
    console.print(table)
    topics = plain_table("topic", "selected", TRAIN, TEST)
    for topic in sorted({one.topic for one in chosen}):
        splits = Counter(one.split for one in chosen if one.topic == topic)
        topics.add_row(topic, *map(str, (splits.total(), splits[TRAIN], splits[TEST])))
    console.print(topics)
    worst = ", ".join(f"{name} {value:.2f}" for name, value in done.deviation.items())
    console.print(f"furthest from the test share, in passages (each less than 1): {worst}")
    if done.rules:
        rules = ", ".join(f"{name} {count}" for name, count in sorted(done.rules.items()))
        console.print(f"formatting rules, candidates changed: {rules}")
    if done.astride:
        console.print(f"articles with passages in both splits: {some(done.astride)}")
    undecided = [id for id, one in done.vetted.items() if one.undecided]
    if undecided:
        console.print(f"people divided, kept until somebody decides: {some(undecided)}")
    _print_discarded(done)


def _print_discarded(done: Pool) -> None:
    gone = [one for one in done.outcomes if one.outcome == DISCARDED]
    if not gone:
        return
    console = make_console()
    table = plain_table("discarded", "genre")
    table.add_column("why", overflow="fold")
    for one in gone[:SHOWN]:
        table.add_row(one.id, one.genre, "; ".join(one.reasons))
    console.print(table)
    if len(gone) > SHOWN:
        console.print(f"… and {len(gone) - SHOWN} more; the report has them all")
