"""A pool for a readability panel: from files of candidates to a test that nobody has rated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

from readmark.corpus.errors import DataError, UsageError, did_you_mean
from readmark.corpus.files import writing
from readmark.corpus.formats import save_test
from readmark.corpus.formats.lines import line
from readmark.corpus.language import language_of, primary
from readmark.corpus.outputs import require_apart
from readmark.corpus.rows import read_rows, write_sheet
from readmark.setting.panels.candidates import Given, read_candidates
from readmark.setting.panels.pooling import Pool, make_pool, pool_test
from readmark.setting.panels.vetting import COLUMNS, FILLED_IN, Limits, vetting_rows
from readmark.setting.screening.decisions import Decisions
from readmark.text.readability import LANGUAGES


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
        raise UsageError(f"a share lies between 0 and 1, not at {test_share:g}")
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


def as_json(done: Pool) -> dict[str, Any]:
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
