"""Ratings of files by a machine: plain text, tests, and JSON Lines of passages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from readmark import console as options
from readmark.console import OUTPUT_FILE, candidate_name
from readmark.core.display import Result, counted, plain_table
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import DataError, UsageError
from readmark.core.kinds import kind_named
from readmark.core.numbers import decimal
from readmark.core.records import Unit
from readmark.core.sitting import Row
from readmark.core.streams import is_standard
from readmark.core.writing import writing
from readmark.hooks import Candidate
from readmark.readability.file_passages import (
    FilePassage,
    PlacedPassage,
    by_name,
    passages_of,
    reading_notes,
    require_language,
)
from readmark.readability.kind import RatedPassage
from readmark.readability.measure import measure
from readmark.sitting import CANDIDATES, declared, make_ready

EVERY = 500
"""Passages from one report of progress to the next."""
DEFAULT = "features"
"""The rater when none is named."""
_NO_RATING = "the rater gave none"


@click.command("rate")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "-r",
    "--rater",
    metavar="RATER",
    help="Rater to use  [default: features]",
    type=candidate_name("readability"),
)
@click.option("--formulas", is_flag=True, help="Print readability formulas instead of ratings.")
@click.option(
    "--names",
    type=click.Choice(["familiar", "unfamiliar"]),
    help="Whether Dale-Chall counts names of persons and places as familiar words; needs "
    "--formulas  [default: familiar]",
)
@options.split_option
@options.from_option
@click.option(
    "--language",
    metavar="en|zh",
    help="Language of the passages  [default: from the file, otherwise detected from the text]",
)
@click.option("--explain", is_flag=True, help="Explain what raised or lowered each rating.")
@click.option(
    "-o",
    "--output",
    "out",
    metavar="FILE",
    help="Page (.html) or picture (.svg) to write, - for a page; needs --explain.",
    type=OUTPUT_FILE,
)
@options.json_option
def rate_command(
    files: tuple[str, ...],
    rater: str | None,
    formulas: bool,
    names: str | None,
    split: str | None,
    from_format: str | None,
    language: str | None,
    explain: bool,
    out: str | None,
    as_json: bool,
) -> None:
    """Rate each passage in FILEs from 1 (hardest) to 5 (easiest to read).

    A FILE is plain text, a test, JSON Lines with id and text, a folder of texts (.txt and .md),
    or - for standard input. With --formulas, prints Flesch, Dale-Chall and others for English,
    and word frequency, strokes and an index for Chinese.
    """
    if formulas:
        for option, value in (("-r", rater), ("--explain", explain), ("-o", out)):
            if value:
                raise click.UsageError(f"{option} is for ratings, not for --formulas")
        measured = measure(
            files,
            format=from_format,
            split=split,
            language=language,
            known_names=names != "unfamiliar",
        )
        options.notify(measured.notes)
        options.print_result(measured, as_json=as_json)
        return
    if names is not None:
        raise click.UsageError("--names needs --formulas")
    if out is not None:
        _require_output(out, files, explain=explain)
    result = rate(
        files,
        rater=rater,
        format=from_format,
        split=split,
        language=language,
        explain=explain,
        progress=lambda line: options.notify([line]),
    )
    options.notify(result.notes)
    options.print_result(result, as_json=as_json)
    if out is not None:
        result.write_explanation(out)
        options.notify([f"{out} written"])
    if result.passages and all(rating.rating is None for rating in result.passages):
        raise DataError("no passage could be rated")


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineRating(PlacedPassage):
    """A passage and its rating, or the reason why it has none."""

    rating: float | None = None
    rater: str = ""
    evidence: Any = None

    @property
    def note(self) -> str | None:
        """What the evidence says about the formula itself."""
        evidence = self.evidence
        if not isinstance(evidence, Mapping) or "note" not in evidence:
            return None
        return f"{evidence.get('formula', 'the rating')} is {evidence['note']}"


@dataclass(frozen=True, slots=True)
class MachineRatings(Result):
    """Every passage of some files, who rated them, and by what."""

    rater: str
    passages: tuple[MachineRating, ...]
    signatures: dict[str, dict[str, Any]] = field(default_factory=dict)
    explain: bool = False
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Ratings by name, null with a reason; evidence only where it was asked for."""
        placed = by_name(self.passages)
        evidence = {
            name: rating.evidence for name, rating in placed.items() if rating.evidence is not None
        }
        return {
            "rater": self.rater,
            "ratings": {name: rating.rating for name, rating in placed.items()},
            "reasons": {
                name: rating.reason for name, rating in placed.items() if rating.reason is not None
            },
            "left_out": {
                name: rating.left_out for name, rating in placed.items() if rating.left_out
            },
            "raters": {name: rating.rater for name, rating in placed.items() if rating.rater},
            "signature": self.signatures,
        } | ({"evidence": evidence} if self.explain else {})

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per passage."""
        return [
            {
                "passage": name,
                "file": rating.file,
                "rating": rating.rating,
                "reason": rating.reason,
                "rater": rating.rater or self.rater,
            }
            for name, rating in by_name(self.passages).items()
        ]

    def show(self, console: Console) -> None:
        """A passage a row; where explained, what moved each rating, below the table."""
        from readmark.readability.raters.explanation import in_words

        placed = by_name(self.passages)
        rated = sum(rating.rating is not None for rating in self.passages)
        head = f"{counted(rated, 'passage')} rated by {self.rater}"
        console.print(head, style="bold", highlight=False)
        table = plain_table("passage", "rating")
        for name, rating in placed.items():
            table.add_row(name, decimal(rating.rating))
        console.print(table)
        console.print("1 is hardest and 5 easiest to read")
        for note in sorted(filter(None, {rating.note for rating in self.passages})):
            console.print(note)
        for name, rating in placed.items():
            if rating.reason is not None:
                place = (
                    name
                    if name in (rating.file, Path(rating.file).name)
                    else f"{rating.file}: {name}"
                )
                console.print(f"{place}: no rating, {rating.reason}", highlight=False)
            elif self.explain and rating.rating is not None:
                console.print(f"\n{name}", style="bold", highlight=False)
                for line in in_words(rating.rating, rating.evidence or {}):
                    console.print(Padding(Text(line), (0, 0, 0, 2)))

    def write_explanation(self, out: str) -> None:
        """Write why: a page (.html) of all passages, or the picture (.svg) of one."""
        from readmark.readability.raters.explanation_page import explanation_page, explanation_svg

        placed = by_name(self.passages)
        if out.endswith(".svg"):
            rated = [(name, rating) for name, rating in placed.items() if rating.rating is not None]
            if len(rated) != 1:
                raise UsageError(f"an .svg shows one passage, not {len(rated)}: use .html")
            [(name, rating)] = rated
            text = explanation_svg(name, rating.rating or 0.0, rating.evidence or {})
        else:
            text = explanation_page(self.rater, placed)
        with writing(out) as stream:
            stream.write(text.encode())


def rate(
    files: Sequence[str],
    *,
    rater: str | None = None,
    format: str | None = None,
    split: str | None = None,
    language: str | None = None,
    explain: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> MachineRatings:
    """Rate every passage of some files; one that cannot be rated has the reason.

    A rater that is not for a language rates the others; where that leaves nothing, it is an error.
    """
    require_language(language, "rater")
    rater_name = _built(rater)[0] if rater is not None else DEFAULT
    ready: dict[str, tuple[str, Candidate]] = {}
    refused: dict[str, UsageError] = {}
    signatures: dict[str, dict[str, Any]] = {}
    rated: list[MachineRating] = []
    for file in files:
        with_language = (
            (passage, *passage.language_or_reason(language, "rater"))
            for passage in passages_of(file, format, split)
        )
        # Neighbours of one language go to its rater together, so that the order of the file stays.
        for (code, reason), group in groupby(with_language, key=lambda row: row[1:]):
            passages = [passage for passage, _, _ in group]
            if reason is None and code not in ready and code not in refused:
                name, candidate = _built(rater or DEFAULT)
                try:
                    kind = kind_named("readability")
                    signatures[code] = make_ready(name, candidate, kind, code)
                    ready[code] = name, candidate
                except UsageError as error:
                    refused[code] = error
            if reason is None and code in refused:
                reason = str(refused[code])
            if reason is None:
                rated += _rated(file, code, passages, *ready[code], progress)
            else:
                rated += [
                    MachineRating(**passage.placed(file, code), reason=reason)
                    for passage in passages
                ]
    if refused and not ready:
        raise next(iter(refused.values()))
    names = ", ".join(dict.fromkeys(name for name, _ in ready.values())) or rater_name
    return MachineRatings(names, tuple(rated), signatures, explain, reading_notes(files, rated))


def _require_output(out: str, files: Sequence[str], *, explain: bool) -> None:
    """Refuse an explanation that would replace an input, or that has no folder to be in."""
    if not explain:
        raise UsageError("-o needs --explain")
    if is_standard(out):
        return
    if not out.endswith((".html", ".svg")):
        raise UsageError(f"{out} must end in .html or .svg")
    require_distinct_files([out], files)
    if out.endswith(".svg") and len(files) > 1:
        raise UsageError(f"an .svg shows one passage, not {len(files)} files: use .html")
    if Path(out).is_dir() or not Path(out).parent.is_dir():
        raise UsageError(f"{out} cannot be written: it must be a file in an existing folder")


def _built(rater: str) -> tuple[str, Candidate]:
    name, candidate = CANDIDATES.build(rater)
    kinds = CANDIDATES.entry(name.base).kinds or declared(candidate, "kinds", ())
    if kinds and "readability" not in kinds:
        raise UsageError(f"{name.base} is not a rater: it sits {', '.join(kinds)} tests")
    return str(name), candidate


def _rated(
    file: str,
    language: str,
    passages: Sequence[FilePassage],
    name: str,
    candidate: Candidate,
    progress: Callable[[str], None],
) -> Iterator[MachineRating]:
    """The passages of one file and language in their order."""
    records = [
        RatedPassage(id=passage.id, text=passage.text, language=language) for passage in passages
    ]
    rows: dict[str, Row] = {}
    units = (Unit(record.id, record.id, record, record) for record in records)
    for count, row in enumerate(candidate.answer(units), 1):
        rows[row.id] = row
        if count % EVERY == 0:
            progress(f"{file}: {count} of {len(passages)} passages rated")
    for passage in passages:
        row = rows.get(passage.id, Row(id=passage.id, error=_NO_RATING))
        rating = None if row.answer is msgspec.UNSET else row.answer
        reason = row.error or row.no_answer_reason or _NO_RATING
        yield MachineRating(
            **passage.placed(file, language),
            reason=reason.removeprefix("DataError: ") if rating is None else None,
            rating=rating,
            rater=name,
            evidence=row.evidence,
        )
