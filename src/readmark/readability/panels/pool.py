"""``readmark panel pool``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from readmark import console as options
from readmark.core.display import ABSENT, counted, make_console, plain_table, some
from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.files import line, require_apart, writing
from readmark.core.language import language_of, primary
from readmark.formats.registry import save_test
from readmark.formats.returned_work import Decisions
from readmark.formats.sheets import read_rows, write_sheet
from readmark.readability.formulas.measures import LANGUAGES
from readmark.readability.panels.candidates import Given, read_candidates
from readmark.readability.panels.selection import (
    COLUMNS,
    DISCARDED,
    FILLED_IN,
    TEST,
    TRAIN,
    Limits,
    Pool,
    make_pool,
    pool_test,
    vetting_rows,
)


@click.command("pool")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option(
    "-o", "--output", metavar="TEST", help="Readability test to write, with the passages to rate."
)
@click.option(
    "--genre",
    "genres",
    multiple=True,
    metavar="NAME=FILE",
    help="File or folder with candidates of one genre (repeatable).",
)
@click.option(
    "--per-genre",
    metavar="N",
    help="Passages per genre: a number, or numbers by name such as forum=20,caption=10  "
    "[default: all]",
)
@click.option(
    "--sheet", metavar="FILE", help="CSV sheet to write, for people to vet the candidates."
)
@click.option(
    "--vetted",
    multiple=True,
    metavar="FILE",
    help="Completed vetting sheet as CSV, TSV or JSON Lines (repeatable).",
)
@click.option(
    "--report",
    metavar="FILE",
    help="Report to write, one line per candidate  [default: TEST with the suffix .pool.jsonl]",
)
@click.option(
    "--language", metavar="en|zh", help="Language of the panel  [default: detected from the text]"
)
@click.option("--least", type=int, metavar="N", help="Minimum words per passage  [default: 50]")
@click.option("--most", type=int, metavar="N", help="Maximum words per passage  [default: 400]")
@click.option(
    "--test-share",
    type=float,
    default=0.5,
    help="Share of passages in the split test; the others go to train",
)
@click.option(
    "--format/--no-format",
    "format_texts",
    default=True,
    help="Standardise the formatting by the rules of the genre",
)
@options.seed_option
@options.from_option
@options.json_option
def pool_command(
    files: tuple[str, ...],
    output: str | None,
    genres: tuple[str, ...],
    per_genre: str | None,
    sheet: str | None,
    vetted: tuple[str, ...],
    report: str | None,
    language: str | None,
    least: int | None,
    most: int | None,
    test_share: float,
    format_texts: bool,
    seed: int,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Make the pool of a readability panel from FILEs of candidates.

    FILE is a test, a table or JSON Lines with text and genre; with --genre, also plain text or
    a folder of it. --sheet writes a table in which people keep or discard candidates; --vetted
    reads it back. A candidate that only a rule rejects (language, length, near-duplicates) is
    omitted until a person keeps it. The report lists every candidate with its reasons.
    """
    from readmark.readability.panels.candidates import Given

    given = [Given(one) for one in files]
    for one in genres:
        name, equals, path = one.partition("=")
        if not equals or not name.strip() or not path:
            raise UsageError(f"--genre {one!r}: expected NAME=FILE, such as forum=posts.jsonl")
        given.append(Given(path, name.strip()))
    if not given:
        raise UsageError("no candidates: name files, or --genre NAME=FILE")
    if report is None and output is not None:
        report = report_beside(output)
    done = pool(
        given,
        output=output,
        sheet=sheet,
        report=report,
        vetted=vetted,
        per_genre=per_genre,
        language=language,
        least=least,
        most=most,
        test_share=test_share,
        format_texts=format_texts,
        format=from_format,
        seed=seed,
    )
    if as_json:
        written = {"output": output, "sheet": sheet, "report": report}
        options.print_json({**written, **pool_json(done)})
        return

    print_pool(done)
    options.notify(
        f"{name}: {one.selected} of the {one.wanted} wanted"
        for name, one in done.genres.items()
        if one.short
    )
    if sheet is not None:
        options.notify([f"{sheet}: fill in keep or discard, then --vetted {sheet}"])
    options.notify([f"{report}: every candidate with its reasons"] if report else [])


# A pool of passages as tables for a terminal.


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


# A pool for a readability panel: from files of candidates to a test that nobody has rated.


def pool(
    given: Sequence[Given],
    *,
    output: str | None = None,
    sheet: str | None = None,
    report: str | None = None,
    vetted: Sequence[str] = (),
    per_genre: str | None = None,
    language: str | None = None,
    least: int | None = None,
    most: int | None = None,
    test_share: float = 0.5,
    format_texts: bool = True,
    format: str | None = None,
    seed: int = 1,
) -> Pool:
    """Make a pool; write the test, the sheet for people, and the report, whichever are named."""
    if output is None and sheet is None:
        raise UsageError("name what to write: -o TEST, or --sheet FILE to let people vet first")
    wanted = read_per_genre(per_genre)
    if language is not None and primary(language) not in LANGUAGES:
        raise UsageError(f"a panel is in en or zh, not in {language!r}")
    if not 0 <= test_share <= 1:
        raise UsageError(f"a share is between 0 and 1, not {test_share:g}")
    require_apart([output, sheet, report], [*(one.path for one in given), *vetted])
    if sheet is not None:
        _require_blank(sheet)
    candidates = read_candidates(given, format=format)
    if isinstance(wanted, dict):
        known = sorted({one.genre for one in candidates})
        for genre in wanted:
            if genre not in known:
                hint = did_you_mean(genre, known)
                raise UsageError(f"no candidate is of the genre {genre!r}; {hint}")
    plain = Limits(language=language or language_of(one.text for one in candidates))
    limits = Limits(
        language=plain.language,
        least=plain.least if least is None else least,
        most=plain.most if most is None else most,
    )
    if not 0 <= limits.least <= limits.most:
        raise UsageError(f"from {limits.least} to {limits.most} words there is no passage")
    done = make_pool(
        candidates,
        per_genre=wanted,
        decisions=Decisions(vetted),
        limits=limits,
        test_share=Fraction(test_share).limit_denominator(1000),
        format_texts=format_texts,
        seed=seed,
    )
    test = pool_test(done, name=_bare(output)) if output is not None else None
    if sheet is not None:
        texts = {id: one.text for id, one in done.texts.items()}
        genres = {id: one.genre for id, one in done.originals.items()}
        write_sheet(sheet, COLUMNS, vetting_rows(texts, genres, done.vetted))
    if report is not None:
        with writing(report) as stream:
            for one in done.outcomes:
                stream.write(line(asdict(one)))
    if test is not None and output is not None:
        save_test(test, output)
    return done


def _require_blank(sheet: str) -> None:
    """Refuse to write over a sheet in which somebody has decided, or over what is no sheet."""
    if not Path(sheet).exists():
        return
    advice = "write another sheet"
    try:
        rows = [row for _, row in read_rows(sheet, ("id", "decision"))]
    except DataError:
        raise UsageError(f"{sheet} is there and is no sheet for vetting: {advice}") from None
    decided = sum(any(str(row.get(name, "")).strip() for name in FILLED_IN) for row in rows)
    if decided:
        raise UsageError(
            f"{sheet} has been filled in ({decided} of {len(rows)} rows): {advice}, or take it in "
            f"with --vetted {sheet}"
        )


def read_per_genre(told: str | None) -> int | dict[str, int] | None:
    """``20`` for every genre, or ``forum=20,caption=10`` by name."""
    if told is None:
        return None
    pairs = [one.partition("=") for one in told.split(",")] if "=" in told else []
    try:
        numbers = [int(number) for _, _, number in pairs] or [int(told)]
    except ValueError:
        numbers = [0]
    if min(numbers) < 1 or not all(name.strip() for name, _, _ in pairs):
        raise UsageError(
            f"--per-genre {told!r}: expected a number from 1, or forum=20,caption=10 by name"
        )
    if not pairs:
        return numbers[0]
    return dict(zip((name.strip() for name, _, _ in pairs), numbers, strict=True))


def report_beside(output: str) -> str:
    """Where the report goes when nobody says: beside the test."""
    return str(Path(output).with_name(f"{_bare(output)}.pool.jsonl"))


def pool_json(done: Pool) -> dict[str, Any]:
    """What ``readmark panel pool --json`` prints."""
    return {
        "seed": done.seed,
        "per_genre": done.per_genre,
        "language": done.limits.language,
        "test_share": float(done.test_share),
        "deviation": dict(done.deviation),
        "genres": {name: {**asdict(one), "short": one.short} for name, one in done.genres.items()},
        "rules": dict(done.rules),
        "articles_in_both_splits": done.astride,
        "candidates": [asdict(one) for one in done.outcomes],
    }


def _bare(output: str | None) -> str:
    name = Path(output or "pool").name
    for suffix in (".gz", ".zst", ".jsonl", ".json"):
        name = name.removesuffix(suffix)
    return name
