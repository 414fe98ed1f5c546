"""``readmark panel pool``: from files of candidates to a test that nobody has rated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.json_lines import json_line
from readmark.core.language import language_of, primary
from readmark.core.streams import is_standard
from readmark.core.writing import writing
from readmark.formats.passage_decisions import Decisions
from readmark.formats.registry import save_test
from readmark.formats.sheets import read_rows, write_sheet
from readmark.readability.formulas.by_language import LANGUAGES
from readmark.readability.panels.candidates import (
    CandidateFile,
    PanelCandidate,
    read_candidates,
)
from readmark.readability.panels.selection import PassagePool, PerGenre, make_pool, pool_test
from readmark.readability.panels.vetting import COLUMNS, FILLED_IN, PassageLimits, vetting_rows


@click.command("pool")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option(
    "-o",
    "--output",
    metavar="TEST",
    help="Readability test to write, with the passages to rate.",
    type=OUTPUT_FILE,
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
    type=OUTPUT_FILE,
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
    "--no-format",
    "keep_format",
    is_flag=True,
    help="Keep the formatting of the texts; without it, the rules of their genre standardise it.",
)
@options.seed_option
@options.split_option
@options.from_option
@options.json_option
def pool_command(
    files: tuple[str, ...],
    genres: tuple[str, ...],
    output: str | None,
    sheet: str | None,
    report: str | None,
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Make the pool of a readability panel from FILEs of candidates.

    FILE is a test, a table or JSON Lines with text and genre; with --genre, also plain text or
    a folder of it. --sheet writes a table in which people keep or discard candidates; --vetted
    reads it back. A candidate that only a rule rejects (language, length, near-duplicates) is
    omitted until a person keeps it. The report lists every candidate with its reasons.
    """
    result = pool(
        [*map(CandidateFile, files), *map(CandidateFile.of_genre, genres)],
        output=output,
        sheet=sheet,
        report=report,
        settings=PoolSettings(format=from_format, split=split, **settings),
    )
    options.print_result(result, as_json=as_json)
    if not as_json:
        options.notify(result.notes)


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolSettings:
    """How candidates are vetted and drawn."""

    per_genre: str | None = None
    """``20`` for every genre, ``forum=20,caption=10`` by name, or None for all."""
    vetted: Sequence[str] = ()
    """Vetting sheets that people filled in."""
    language: str | None = None
    least: int | None = None
    most: int | None = None
    """Words per passage."""
    test_share: float = 0.5
    keep_format: bool = False
    """Whether texts keep their formatting, which the rules of their genre standardise otherwise."""
    format: str | None = None
    split: str | None = None
    """The split to take candidates from, of files that are tests."""
    seed: int = 1


def pool(
    files: Sequence[CandidateFile],
    *,
    output: str | None = None,
    sheet: str | None = None,
    report: str | None = None,
    settings: PoolSettings | None = None,
) -> PassagePool:
    """Make a pool; write the test, the sheet for people, and the report, whichever are named.

    The report of a test goes next to it unless another place is named.
    """
    settings = settings or PoolSettings()
    if not files:
        raise UsageError("no candidates: name files, or --genre NAME=FILE")
    if output is None and sheet is None:
        raise UsageError("name what to write: -o TEST, or --sheet FILE to let people vet first")
    name = _bare_name("pool" if output is None or is_standard(output) else output)
    if report is None and output is not None and not is_standard(output):
        report = str(Path(output).with_name(f"{name}.pool.jsonl"))
    per_genre = read_per_genre(settings.per_genre)
    if settings.language is not None and primary(settings.language) not in LANGUAGES:
        raise UsageError(f"a panel is in en or zh, not in {settings.language!r}")
    if not 0 <= settings.test_share <= 1:
        raise UsageError(f"a share is between 0 and 1, not {settings.test_share:g}")
    require_distinct_files(
        [output, sheet, report], [*(file.path for file in files), *settings.vetted]
    )
    if sheet is not None:
        _require_blank(sheet)
    candidates = read_candidates(files, format=settings.format, split=settings.split)
    if isinstance(per_genre, dict):
        _require_genres(per_genre, candidates)
    passages = make_pool(
        candidates,
        per_genre=per_genre,
        decisions=Decisions(settings.vetted),
        limits=_limits(settings, candidates),
        test_share=Fraction(settings.test_share).limit_denominator(1000),
        format_texts=not settings.keep_format,
        seed=settings.seed,
    )
    # Before anything is written: a pool without passages is refused here.
    test = pool_test(passages, name=name) if output is not None else None
    unwritten = None
    if sheet is not None and not _write_sheet(sheet, passages):
        sheet, unwritten = None, sheet
    if report is not None:
        with writing(report) as stream:
            for outcome in passages.outcomes:
                stream.write(json_line(asdict(outcome)))
    if test is not None and output is not None:
        save_test(test, output)
    files_written = {"output": output, "sheet": sheet, "report": report}
    return replace(passages, written=files_written, unwritten=unwritten)


def _require_genres(per_genre: Mapping[str, int], candidates: Sequence[PanelCandidate]) -> None:
    genres = sorted({candidate.genre for candidate in candidates})
    for genre in per_genre:
        if genre not in genres:
            hint = did_you_mean(genre, genres)
            raise UsageError(f"no candidate is of the genre {genre!r}; {hint}")


def _limits(settings: PoolSettings, candidates: Sequence[PanelCandidate]) -> PassageLimits:
    limits = PassageLimits(
        language=settings.language or language_of(candidate.text for candidate in candidates)
    )
    if settings.least is not None:
        limits = replace(limits, least=settings.least)
    if settings.most is not None:
        limits = replace(limits, most=settings.most)
    if not 0 <= limits.least <= limits.most:
        raise UsageError(f"no passage can have from {limits.least} to {limits.most} words")
    return limits


def _write_sheet(sheet: str, passages: PassagePool) -> bool:
    """Write the candidates that people should decide on; whether there are any."""
    texts = {id: standard.text for id, standard in passages.texts.items()}
    genres = {outcome.id: outcome.genre for outcome in passages.outcomes}
    rows = list(vetting_rows(texts, genres, passages.vetted))
    if rows:
        write_sheet(sheet, COLUMNS, rows)
    elif Path(sheet).is_file():
        Path(sheet).unlink()  # the blank sheet of an earlier run would be taken for a new one
    return bool(rows)


def _require_blank(sheet: str) -> None:
    """Refuse to write over a sheet in which somebody has decided, or over any other file."""
    if not Path(sheet).exists():
        return
    advice = "write another sheet"
    try:
        rows = [row for _, row in read_rows(sheet, ("id", "decision"))]
    except DataError:
        raise UsageError(f"{sheet} exists and is not a sheet for vetting: {advice}") from None
    decided = sum(any(str(row.get(name, "")).strip() for name in FILLED_IN) for row in rows)
    if decided:
        raise UsageError(
            f"{sheet} has been filled in ({decided} of {len(rows)} rows): {advice}, or take it in "
            f"with --vetted {sheet}"
        )


def read_per_genre(text: str | None) -> PerGenre:
    """``20`` for every genre, or ``forum=20,caption=10`` by name."""
    if text is None:
        return None
    pairs = [pair.partition("=") for pair in text.split(",")] if "=" in text else []
    try:
        numbers = [int(number) for _, _, number in pairs] or [int(text)]
    except ValueError:
        numbers = [0]
    if min(numbers) < 1 or not all(name.strip() for name, _, _ in pairs):
        raise UsageError(
            f"--per-genre {text!r}: expected a number from 1, or forum=20,caption=10 by name"
        )
    if not pairs:
        return numbers[0]
    return dict(zip((name.strip() for name, _, _ in pairs), numbers, strict=True))


def _bare_name(output: str) -> str:
    name = Path(output).name
    for suffix in (".gz", ".zst", ".jsonl", ".json"):
        name = name.removesuffix(suffix)
    return name
