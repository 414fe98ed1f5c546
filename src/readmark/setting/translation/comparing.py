"""Two translators compared: the exact-match rate, each mismatch with a suggestion, the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from readmark.measures.shares import percentages
from readmark.setting.adjudication import AdjudicationHeader, Disagreement
from readmark.setting.translation.adoption import suggest
from readmark.setting.translation.cause import CAUSES
from readmark.setting.translation.pairing import Pair, Stray, named, pairs, strays
from readmark.setting.translation.sheets import Sheet

WORK = "translation"
EXACT = "exact"
STALE = "set_aside"
"""The header's field for decisions whose strings are no longer there."""
SCOPES = ("all", "question", "key")
"""The table's columns: everything together as in the document, then apart."""

Watch = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Share:
    """A count with its percentage of all translations."""

    count: int
    percent: float


Column = dict[str, Share]
"""Exact matches and the five causes; the percentages add up to 100."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What comparing two translators found."""

    english: Sheet
    names: tuple[str, str]
    files: tuple[str, str]
    pairs: tuple[Pair, ...]
    rows: tuple[Disagreement, ...]
    """A row a mismatch, and a row for what only one translated."""
    strays: tuple[Stray, ...]

    @property
    def compared(self) -> list[Pair]:
        """What both translated: the rates are of these."""
        return [pair for pair in self.pairs if pair.whole]

    @property
    def incomplete(self) -> list[Pair]:
        """What somebody did not translate; no rate counts it."""
        return [pair for pair in self.pairs if not pair.whole]

    @property
    def trimmed(self) -> int:
        """Exact matches that white space at an end would have hidden."""
        return sum(pair.exact and pair.a != pair.b for pair in self.compared)

    def header(self, set_aside: Iterable[Disagreement] = ()) -> AdjudicationHeader:
        """The first line of the adjudication file."""
        kept = [msgspec.to_builtins(one) for one in set_aside]
        return AdjudicationHeader(
            work=WORK,
            a=self.names[0],
            b=self.names[1],
            fields={
                "files": {
                    name: Path(file).name for name, file in zip(self.names, self.files, strict=True)
                },
                **({STALE: kept} if kept else {}),
                "english": self.english.file,
                "english_digest": self.english.digest,
                "translations": len(self.compared),
                "exact": sum(pair.exact for pair in self.compared),
                "not_in_english": [
                    {"id": one.id, "by": one.by, "question": one.question, "keys": list(one.keys)}
                    for one in self.strays
                ],
            },
        )


def compare(
    english: Sheet,
    a: Sheet,
    b: Sheet,
    *,
    names: tuple[str, str] | None = None,
    watch: Watch | None = None,
) -> Comparison:
    """Compare two translators' sheets against the English."""
    called = named(names, a, b)
    found = tuple(pairs(english, a, b))
    rows = []
    for at, pair in enumerate(found):
        if not pair.exact and (pair.a is not None or pair.b is not None or not _spare(pair)):
            rows.append(_row(pair, called))
        if watch is not None:
            watch(at + 1, len(found))
    beyond = (*strays(english, a, called[0]), *strays(english, b, called[1]))
    return Comparison(english, called, (a.file, b.file), found, tuple(rows), beyond)


def table(compared: Iterable[Pair], causes: dict[str, str]) -> dict[str, Column]:
    """Exact matches and causes, for everything, questions and keys; ``causes`` are by row id."""
    columns: dict[str, Counter[str]] = {scope: Counter() for scope in SCOPES}
    for pair in compared:
        name = EXACT if pair.exact else causes[pair.id]
        columns["all"][name] += 1
        columns[pair.what][name] += 1
    made = {}
    for scope, counted in columns.items():
        counts = {name: counted[name] for name in (EXACT, *CAUSES)}
        percents = percentages(counts)
        made[scope] = {name: Share(counts[name], percents[name]) for name in counts}
    return made


def suggested_causes(comparison: Comparison) -> dict[str, str]:
    """The suggested cause of each mismatch, by row id."""
    return {row.id: row.cause for row in comparison.rows if row.cause is not None}


def _spare(pair: Pair) -> bool:
    """A second alternative of a key, which translators need not have."""
    return "/key." in pair.id[len(pair.unit) :]


def _row(pair: Pair, names: tuple[str, str]) -> Disagreement:
    a, b = (None if text is None else text.strip() for text in (pair.a, pair.b))
    beside = {"english": pair.english}
    if a is None or b is None:
        missing = " and ".join(
            name for name, text in zip(names, (a, b), strict=True) if text is None
        )
        return Disagreement(
            id=pair.id,
            what=pair.what,
            record=pair.record,
            unit=pair.unit,
            a=a,
            b=b,
            beside=beside,
            why=f"no translation by {missing}: nothing to check it against",
        )
    found = suggest(pair.english, a, b)
    return Disagreement(
        id=pair.id,
        what=pair.what,
        record=pair.record,
        unit=pair.unit,
        a=a,
        b=b,
        beside=beside,
        cause=found.cause,
        confidence=found.confidence,
        suggestion=found.adopt,
        why=found.why,
    )
