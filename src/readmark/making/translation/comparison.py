"""Two translators compared: the exact-match rate, each mismatch with a suggestion, the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from readmark.core.counts import counted
from readmark.core.display import ABSENT, Result, plain_table
from readmark.core.errors import DataError
from readmark.core.numbers import decimal, first_ids
from readmark.making.translation.causes import CAUSES, Suggestion, suggest_cause
from readmark.making.translation.english import (
    EnglishWords,
    chinese_pronouns,
    english_passive,
    english_pronouns,
    match_english,
    pronouns_agree,
)
from readmark.making.translation.sheets import (
    Stray,
    TranslationPair,
    TranslationSheet,
    pairs,
    strays,
)
from readmark.making.translation.words import WordDifference
from readmark.settling import (
    AdjudicationHeader,
    ChosenSide,
    Disagreement,
    carry_decisions,
    name_two,
    read_earlier,
    require_work,
    show_versions,
    write_adjudication,
)

# Which of two translations to adopt: the document's rules for each cause, against the English.


def suggest(english: str, a: str, b: str) -> Suggestion:
    """Suggest the cause of a mismatch and the translation to adopt."""
    suggestion, differing = suggest_cause(english, a, b)
    if suggestion.cause == "synonym":
        return replace(suggestion, adopt="either")
    if suggestion.cause == "voice":
        return _by_voice(english, suggestion)
    if suggestion.cause == "anaphora":
        return _by_reference(english, a, b, suggestion, differing)
    return _by_meaning(english, a, b, suggestion, differing)


def _by_voice(english: str, found: Suggestion) -> Suggestion:
    passive = english_passive(english)
    marked = found.marked or "a"
    voice = f"passive ({passive})" if passive else "active"
    adopt = marked if passive else _other(marked)
    return replace(found, adopt=adopt, why=f"{found.why}; the English is {voice}")


def _by_reference(
    english: str, a: str, b: str, found: Suggestion, differing: WordDifference
) -> Suggestion:
    """The one with about as many pronouns as the English has."""
    pronouns = english_pronouns(english)
    marked = found.marked or "a"
    own = differing.a if marked == "a" else differing.b
    pronoun = next(iter(chinese_pronouns(word.text for word in own)), None)
    if pronoun is None:  # 该, 此: as the English names or points
        return _by_meaning(english, a, b, found, differing)
    far_a, far_b = (
        abs(len(pronouns) - len(chinese_pronouns(word.text for word in words)))
        for words in (differing.words_a, differing.words_b)
    )
    adopt: ChosenSide = "a" if far_a < far_b else "b"
    if far_a == far_b:
        adopt = marked if any(pronouns_agree(one, pronoun) for one in pronouns) else _other(marked)
    listed = ", ".join(dict.fromkeys(pronouns)) or "no pronoun"
    return replace(found, adopt=adopt, why=f"{found.why}; the English has {listed}")


def _by_meaning(
    english: str, a: str, b: str, found: Suggestion, differing: WordDifference
) -> Suggestion:
    """The one that has more of the English and less that the English has not."""
    if found.nearer is not None:
        why = f"{found.why}; {found.nearer} agrees with the English"
        return replace(found, adopt=found.nearer, why=why)
    source = EnglishWords(english)
    score_a, has_a = match_english(source, a, differing.words_a, differing.a)
    score_b, has_b = match_english(source, b, differing.words_b, differing.b)
    if score_a == score_b:
        why = f"{found.why}; by the word list both are as near to the English"
        if found.cause == "different_meaning":
            return replace(found, confidence="low", why=why)
        return replace(found, adopt="either", why=why)
    adopt: ChosenSide = "a" if score_a > score_b else "b"
    better, worse = (has_a, has_b) if adopt == "a" else (has_b, has_a)
    more = [word for word in better if word not in worse]
    reason = f"{adopt} has more of the English: {', '.join(more)}" if more else f"{adopt} is nearer"
    return replace(found, adopt=adopt, why=f"{found.why}; {reason}")


def _other(side: str) -> ChosenSide:
    return "b" if side == "a" else "a"


WORK = "translation"
EXACT = "exact"
STALE = "set_aside"
"""The header's field for decisions whose strings are no longer there."""
SHOWN = 20
SCOPES = {"all": "all", "question": "questions", "key": "keys"}
"""The table's columns with their titles: everything together as in the document, then apart."""
ROOM = 72
"""The width from which questions and keys have columns of their own."""
_ROWS = {
    EXACT: "exact matches",
    "synonym": "synonyms",
    "equivalent_description": "equivalent descriptions",
    "voice": "active or passive voice",
    "anaphora": "anaphora or direct reference",
    "different_meaning": "different meanings",
}


@dataclass(frozen=True, slots=True)
class CauseShare:
    """A count with its percentage of all translations."""

    count: int
    percent: float
    """Unrounded, so that printed ones need not add up to 100; 0 where there are none."""


CauseTable = dict[str, dict[str, CauseShare]]
"""Exact matches and the five causes of each scope."""


@dataclass(frozen=True)
class TranslationComparison(Result):
    """What comparing two translators found."""

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
        kept = [msgspec.to_builtins(row) for row in set_aside]
        files = [Path(sheet.file).name for sheet in self.sheets]
        return AdjudicationHeader(
            work=WORK,
            a=self.names[0],
            b=self.names[1],
            fields={
                "files": dict(zip(self.names, files, strict=True)),
                **({STALE: kept} if kept else {}),
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
            if sheet.unparted:
                notes.append(
                    f"{sheet.file}: a key holds | without spaces around it and is taken for one "
                    f"({first_ids(sheet.unparted, SHOWN)}); alternatives have ' | ' between them"
                )
        if self.stale:
            kept = f"; kept in {self.output}'s first line" if self.output else ""
            notes.append(f"{stale_message(self.stale)}{kept}")
        if self.unwritten:
            notes.append(self.unwritten)
        return tuple(notes)

    @property
    def closing(self) -> tuple[str, ...]:
        """What to do next, for people."""
        if self.unwritten:
            return ()
        kept = sum(row.touched for row in self.rows)
        unshown = 0 if self.shown is None else max(0, len(self.rows) - self.shown)
        return (
            *([f"{unshown} more are in {self.output}"] if unshown else []),
            *([f"{self.output}: {counted(kept, 'decision')} kept"] if kept else []),
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
            about = "not compared"
            if row.cause is not None:
                doubt = "?" if row.confidence == "low" else ""
                adopt = adoptions.get(row.suggestion or "", "undecidable")
                about = f"{row.cause}{doubt}, adopt {adopt}"
            lines = {"English": row.beside.get("english"), a: row.a, b: row.b, "why": row.why}
            texts = {label: ABSENT if text is None else str(text) for label, text in lines.items()}
            show_versions(console, row.id, about, texts)
            console.print()
        show_table(console, self.table)


def show_table(console: Console, columns: CauseTable) -> None:
    """Exact matches and causes as percentages of all translations, with the counts."""
    scopes = list(SCOPES) if console.width >= ROOM else ["all"]
    totals = {scope: sum(share.count for share in columns[scope].values()) for scope in scopes}
    table = plain_table("percent of translations", *(SCOPES[scope] for scope in scopes))
    for name, label in _ROWS.items():
        shares = {scope: columns[scope][name] for scope in scopes}
        cells = (
            f"{decimal(share.percent, 1)} ({share.count:,})" if totals[scope] else ABSENT
            for scope, share in shares.items()
        )
        table.add_row(label, *cells)
    table.add_section()
    whole = (f"{'100.0' if total else ABSENT} ({total:,})" for total in totals.values())
    table.add_row("translations", *whole)
    console.print(table)


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
    called = name_two((a.file, b.file), names, "translator")
    found = pairs(english, a, b)
    rows = []
    for done, pair in enumerate(found, 1):
        # Translators need not have a second alternative of a key.
        optional = "/key." in pair.id[len(pair.unit) :]
        if not pair.exact and (pair.a is not None or pair.b is not None or not optional):
            rows.append(mismatch(pair, called))
        if watch is not None:
            watch(done)
    beyond = (*strays(english, a, called[0]), *strays(english, b, called[1]))
    return TranslationComparison(english, called, (a, b), found, rows, beyond)


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
    earlier = read_earlier(output)
    found = compare(english, a, b, names=names, watch=watch)
    stale: list[Disagreement] = []
    rows = list(found.rows)
    if earlier is not None:
        header, lines = earlier
        require_same_work(found, header, output)
        rows, stale = carry_decisions(rows, [*set_aside(header, output), *lines], "english")
    note = write_adjudication(output, found.header(stale), rows)
    written = "" if note else output
    return replace(found, rows=rows, stale=stale, output=written, unwritten=note)


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
    made = header.fields.get("files")
    a, b = (Path(sheet.file).name for sheet in comparison.sheets)
    swapped = isinstance(made, dict) and (made.get(header.a), made.get(header.b)) == (b, a)
    if swapped and a != b:
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
        raise DataError(f"holds set-aside decisions that are none: {error}", file=file) from None


def stale_message(stale: Sequence[Disagreement]) -> str:
    """Decisions whose strings are no longer there, in words."""
    ids = first_ids([row.id for row in stale], 5)
    count = counted(len(stale), "decision")
    return f"not used, since their strings have changed or gone: {count} ({ids})"


def cause_table(compared: Iterable[TranslationPair], causes: Mapping[str, str]) -> CauseTable:
    """Exact matches and causes, for everything, questions and keys; ``causes`` are by row id."""
    columns: dict[str, Counter[str]] = {scope: Counter() for scope in SCOPES}
    for pair in compared:
        name = EXACT if pair.exact else causes[pair.id]
        columns["all"][name] += 1
        columns[pair.what][name] += 1
    table = {}
    for scope, counts in columns.items():
        total = max(counts.total(), 1)
        table[scope] = {
            name: CauseShare(counts[name], 100 * counts[name] / total) for name in (EXACT, *CAUSES)
        }
    return table


def mismatch(pair: TranslationPair, names: tuple[str, str]) -> Disagreement:
    """Two translations that differ, with a likely cause and a suggestion where both are there."""
    a, b = (None if text is None else text.strip() for text in (pair.a, pair.b))
    about: dict[str, Any]
    if a is None or b is None:
        missing = [name for name, text in zip(names, (a, b), strict=True) if text is None]
        about = {"why": f"no translation by {' and '.join(missing)}: nothing to check it against"}
    else:
        suggestion = suggest(pair.english, a, b)
        about = {
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
        **about,
    )
