"""Two translators compared: the exact-match rate, and each mismatch with a suggestion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from readmark.core.counts import counted
from readmark.core.display import ABSENT, Result
from readmark.core.errors import DataError
from readmark.core.numbers import first_ids
from readmark.making.translation.cause_table import CauseTable, cause_table, show_table
from readmark.making.translation.pairs import Stray, TranslationPair, pairs, strays
from readmark.making.translation.sheets import TranslationSheet
from readmark.making.translation.suggestions import suggest
from readmark.settling import (
    AdjudicationHeader,
    Disagreement,
    carry_decisions,
    name_two,
    read_earlier,
    require_work,
    show_versions,
    write_adjudication,
)

WORK = "translation"
STALE = "set_aside"
"""The header's field for decisions whose strings are no longer there."""
SHOWN = 20
"""How many mismatches are printed, and ids named in a note."""


@dataclass(frozen=True)
class TranslationComparison(Result):
    """Two translators' files compared: every pair, and a row for each mismatch."""

    english: TranslationSheet
    names: tuple[str, str]
    sheets: tuple[TranslationSheet, TranslationSheet]
    pairs: Sequence[TranslationPair]
    rows: Sequence[Disagreement]
    """One row per mismatch, and a row for what only one translated."""
    strays: Sequence[Stray] = ()
    output: str = ""
    """The adjudication file that was written."""
    unwritten: str = ""
    """Why there is no file to decide in."""
    stale: Sequence[Disagreement] = ()
    """Decisions in that file whose strings are no longer there."""
    shown: int | None = SHOWN
    """How many mismatches are printed."""

    @property
    def compared(self) -> list[TranslationPair]:
        """What both translated: the rates are of these."""
        return [pair for pair in self.pairs if pair.is_complete]

    @property
    def incomplete(self) -> list[TranslationPair]:
        """What somebody did not translate; no rate counts it."""
        return [pair for pair in self.pairs if not pair.is_complete]

    @property
    def trimmed(self) -> int:
        """Exact matches that white space at an end would have hidden."""
        return sum(pair.exact and pair.a != pair.b for pair in self.compared)

    @property
    def table(self) -> CauseTable:
        """Exact matches and suggested causes."""
        causes = {row.id: row.cause for row in self.rows if row.cause is not None}
        return cause_table(self.compared, causes)

    def header(self, set_aside: Iterable[Disagreement] = ()) -> AdjudicationHeader:
        """The first line of the adjudication file."""
        stale = [msgspec.to_builtins(row) for row in set_aside]
        files = [Path(sheet.file).name for sheet in self.sheets]
        return AdjudicationHeader(
            work=WORK,
            a=self.names[0],
            b=self.names[1],
            fields={
                "files": dict(zip(self.names, files, strict=True)),
                **({STALE: stale} if stale else {}),
                "english": self.english.file,
                "english_digest": self.english.digest,
                "translations": len(self.compared),
                "exact": sum(pair.exact for pair in self.compared),
                "not_in_english": [asdict(stray) for stray in self.strays],
            },
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What is missing or beyond the English, and decisions that are not used."""
        notes = []
        for name, side in zip(self.names, "ab", strict=True):
            if missing := [pair.id for pair in self.pairs if getattr(pair, side) is None]:
                ids = first_ids(missing, SHOWN)
                notes.append(f"{name} has no translation of {len(missing)}: {ids}")
            if beyond := [stray.id for stray in self.strays if stray.by == name]:
                notes.append(
                    f"{name} translated what the English lacks: {first_ids(beyond, SHOWN)}"
                )
        for sheet in (self.english, *self.sheets):
            if sheet.keys_with_bars:
                notes.append(
                    f"{sheet.file}: a key holds | without spaces around it and is taken for one "
                    f"({first_ids(sheet.keys_with_bars, SHOWN)}); alternatives have ' | ' between "
                    "them"
                )
        if self.stale:
            place = f"; kept in {self.output}'s first line" if self.output else ""
            notes.append(f"{stale_message(self.stale)}{place}")
        if self.unwritten:
            notes.append(self.unwritten)
        return tuple(notes)

    @property
    def closing(self) -> tuple[str, ...]:
        """What to do next, for people."""
        if self.unwritten:
            return ()
        decided = sum(row.touched for row in self.rows)
        unshown = 0 if self.shown is None else max(0, len(self.rows) - self.shown)
        return (
            *([f"{unshown} more are in {self.output}"] if unshown else []),
            *([f"{self.output}: {counted(decided, 'decision')} kept"] if decided else []),
            f"{self.output}: {sum(row.decision is None for row in self.rows)} to decide",
        )

    def _missing(self, pair: TranslationPair) -> list[str]:
        texts = zip(self.names, (pair.a, pair.b), strict=True)
        return [name for name, text in texts if text is None]

    def summary(self, output: str | None) -> dict[str, Any]:
        """What the JSON documents of the comparison and of the adopted test both begin with."""
        return {
            "output": output,
            "translators": list(self.names),
            "translations": len(self.compared),
            "exact_after_trimming": self.trimmed,
            "incomplete": [
                {"id": pair.id, "missing": self._missing(pair)} for pair in self.incomplete
            ],
            "not_in_english": [asdict(stray) for stray in self.strays],
        }

    def as_json(self) -> dict[str, Any]:
        return {
            **self.summary(self.output or None),
            "table": self.table,
            "mismatches": [msgspec.to_builtins(row) for row in self.rows],
            "kept": sum(row.touched for row in self.rows),
            "set_aside": [row.id for row in self.stale],
        }

    def show(self, console: Console) -> None:
        """Mismatches one under the other, the two versions under the English; then the table."""
        a, b = (f"{side}: {name}" for side, name in zip("ab", self.names, strict=True))
        adoptions = {"a": self.names[0], "b": self.names[1], "either": "either"}
        for row in self.rows[: self.shown]:
            advice = "not compared"
            if row.cause is not None:
                doubt = "?" if row.confidence == "low" else ""
                adopt = adoptions.get(row.suggestion or "", "undecidable")
                advice = f"{row.cause}{doubt}, adopt {adopt}"
            lines = {"English": row.beside.get("english"), a: row.a, b: row.b, "why": row.why}
            texts = {label: ABSENT if text is None else str(text) for label, text in lines.items()}
            show_versions(console, row.id, advice, texts)
            console.print()
        show_table(console, self.table)


def compare(
    english: TranslationSheet,
    a: TranslationSheet,
    b: TranslationSheet,
    *,
    names: Sequence[str] = (),
    watch: Callable[[int], None] | None = None,
) -> TranslationComparison:
    """Compare two translators' sheets against the English.

    ``names`` are the translators', by default those of their files. ``watch`` is called with the
    number of texts done.
    """
    translators = name_two((a.file, b.file), names, "translator")
    compared = pairs(english, a, b)
    rows = []
    for done, pair in enumerate(compared, 1):
        # Translators need not have a second alternative of a key.
        optional = "/key." in pair.id[len(pair.unit) :]
        if not pair.exact and (pair.a is not None or pair.b is not None or not optional):
            rows.append(mismatch(pair, translators))
        if watch is not None:
            watch(done)
    beyond = (*strays(english, a, translators[0]), *strays(english, b, translators[1]))
    return TranslationComparison(english, translators, (a, b), compared, rows, beyond)


def write_comparison(
    english: TranslationSheet,
    a: TranslationSheet,
    b: TranslationSheet,
    output: str,
    *,
    names: Sequence[str] = (),
    watch: Callable[[int], None] | None = None,
) -> TranslationComparison:
    """Compare, and write the adjudication file; decisions in an earlier one are kept."""
    earlier = read_earlier(output)  # first, so that a damaged file costs no comparison
    comparison = compare(english, a, b, names=names, watch=watch)
    stale: list[Disagreement] = []
    rows = list(comparison.rows)
    if earlier is not None:
        header, lines = earlier
        require_same_work(comparison, header, output)
        rows, stale = carry_decisions(rows, [*set_aside(header, output), *lines], "english")
    note = write_adjudication(output, comparison.header(stale), rows)
    written = "" if note else output
    return replace(comparison, rows=rows, stale=stale, output=written, unwritten=note)


def require_same_work(
    comparison: TranslationComparison, header: AdjudicationHeader, file: str
) -> None:
    """Refuse decisions on other work, of other people, or of A and B the other way round."""
    require_work(header, WORK, file)
    if (header.a, header.b) != comparison.names:
        raise DataError(
            f"compares {header.a} with {header.b}, expected {' with '.join(comparison.names)}; "
            "give both files in the same order, and --names as before",
            file=file,
            where=1,
        )
    files = header.fields.get("files")
    a, b = (Path(sheet.file).name for sheet in comparison.sheets)
    is_swapped = isinstance(files, dict) and (files.get(header.a), files.get(header.b)) == (b, a)
    if is_swapped and a != b:
        raise DataError(
            f"says that {b} is {header.a}'s and {a} is {header.b}'s: give both files in the order "
            "in which they were compared",
            file=file,
            where=1,
        )


def set_aside(header: AdjudicationHeader, file: str) -> list[Disagreement]:
    """Decisions that an earlier comparison set aside, since their strings had gone."""
    try:
        return msgspec.convert(header.fields.get(STALE, []), list[Disagreement])
    except msgspec.ValidationError as error:
        raise DataError(f"set-aside decisions cannot be read: {error}", file=file) from None


def stale_message(stale: Sequence[Disagreement]) -> str:
    """Decisions whose strings are no longer there, in words."""
    ids = first_ids([row.id for row in stale], 5)
    count = counted(len(stale), "decision")
    return f"not used, since their strings have changed or gone: {count} ({ids})"


def mismatch(pair: TranslationPair, names: tuple[str, str]) -> Disagreement:
    """Two translations that differ, with a likely cause and a suggestion where both are there."""
    a, b = (None if text is None else text.strip() for text in (pair.a, pair.b))
    reasons: dict[str, Any]
    if a is None or b is None:
        missing = [name for name, text in zip(names, (a, b), strict=True) if text is None]
        reasons = {"why": f"no translation by {' and '.join(missing)}: nothing to check it against"}
    else:
        suggestion = suggest(pair.english, a, b)
        reasons = {
            "cause": suggestion.cause,
            "confidence": suggestion.confidence,
            "suggestion": suggestion.adopt,
            "why": suggestion.why,
        }
    return Disagreement(
        id=pair.id,
        what=pair.what,
        record=pair.record,
        unit=pair.unit,
        a=a,
        b=b,
        beside={"english": pair.english},
        **reasons,
    )
