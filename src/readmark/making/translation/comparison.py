"""Two translators compared: the exact-match rate, each mismatch with a suggestion, the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from readmark.making.adjudication import AdjudicationHeader, Choice, Disagreement
from readmark.making.tables.corpus import percentages
from readmark.making.translation.causes import CAUSES, Cause, Confidence, Suggested, suggest_cause
from readmark.making.translation.differences import Difference
from readmark.making.translation.english import (
    English,
    Nearness,
    chinese_pronouns,
    english_passive,
    english_pronouns,
    nearness,
    says,
)
from readmark.making.translation.sheets import Pair, Sheet, Stray, named, pairs, strays

# Which of two translations to adopt: the document's rules for each cause, against the English.


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What is suggested of a mismatch: cause, adoption, how sure, and why."""

    cause: Cause
    adopt: Choice | None
    confidence: Confidence
    why: str


def suggest(english: str, a: str, b: str) -> Suggestion:
    """Suggest the cause of a mismatch and the translation to adopt."""
    found, differing = suggest_cause(english, a, b)
    if found.cause == "synonym":
        return Suggestion("synonym", "either", found.confidence, found.why)
    if found.cause == "voice":
        return _by_voice(english, found)
    if found.cause == "anaphora":
        return _by_reference(english, a, b, found, differing)
    return _by_meaning(english, a, b, found, differing)


def _by_voice(english: str, found: Suggested) -> Suggestion:
    passive = english_passive(english)
    marked = found.marked or "a"
    adopt: Choice = marked if passive else _other(marked)
    voice = f"passive ({passive})" if passive else "active"
    return Suggestion("voice", adopt, found.confidence, f"{found.why}; the English is {voice}")


def _by_reference(
    english: str, a: str, b: str, found: Suggested, differing: Difference
) -> Suggestion:
    """The one with about as many pronouns as the English has."""
    pronouns = english_pronouns(english)
    marked = found.marked or "a"
    own = differing.a if marked == "a" else differing.b
    pronoun = next(iter(chinese_pronouns(word.text for word in own)), None)
    if pronoun is None:  # 该, 此: as the English names or points
        return _by_meaning(english, a, b, found, differing)
    counts = {
        side: len(chinese_pronouns(word.text for word in words))
        for side, words in (("a", differing.words_a), ("b", differing.words_b))
    }
    far_a, far_b = (abs(len(pronouns) - counts[side]) for side in ("a", "b"))
    if far_a == far_b:
        agrees = any(says(one, pronoun) for one in pronouns)
        adopt: Choice = marked if agrees else _other(marked)
    else:
        adopt = "a" if far_a < far_b else "b"
    said = ", ".join(dict.fromkeys(pronouns)) or "no pronoun"
    return Suggestion("anaphora", adopt, found.confidence, f"{found.why}; the English has {said}")


def _by_meaning(
    english: str, a: str, b: str, found: Suggested, differing: Difference
) -> Suggestion:
    """The one that has more of the English and less that the English has not."""
    if found.nearer is not None:
        return Suggestion(
            found.cause,
            found.nearer,
            found.confidence,
            f"{found.why}; {found.nearer} agrees with the English",
        )
    source = English(english)
    near_a = nearness(source, a, differing.words_a, differing.a)
    near_b = nearness(source, b, differing.words_b, differing.b)
    if near_a.score == near_b.score:
        equal = f"{found.why}; by the word list both are as near to the English"
        if found.cause == "different_meaning":
            return Suggestion(found.cause, None, "low", equal)
        return Suggestion(found.cause, "either", found.confidence, equal)
    adopt: Choice = "a" if near_a.score > near_b.score else "b"
    better, worse = (near_a, near_b) if adopt == "a" else (near_b, near_a)
    why = _told(found.why, adopt, better, worse)
    return Suggestion(found.cause, adopt, found.confidence, why)


def _told(why: str, adopt: str, better: Nearness, worse: Nearness) -> str:
    more = [word for word in better.covered if word not in worse.covered]
    said = f"{adopt} has more of the English: {', '.join(more)}" if more else f"{adopt} is nearer"
    return f"{why}; {said}"


def _other(side: str) -> Choice:
    return "b" if side == "a" else "a"


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
