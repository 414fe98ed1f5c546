"""The pool: candidates standardised, vetted, drawn to a number a genre, and parted in two.

Nothing vanishes: every candidate has an outcome and its reasons.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

import msgspec
from rich.console import Console

from readmark.core.display import (
    ABSENT,
    Result,
    counted,
    plain_table,
)
from readmark.core.errors import DataError
from readmark.core.fingerprint import text_id
from readmark.core.language import language_of, primary
from readmark.core.numbers import and_more, decimal, listed_ids
from readmark.core.test import Header, Test, in_memory
from readmark.formats.passage_decisions import Decision, Decisions, majority
from readmark.readability.formulas.foreign import foreign
from readmark.readability.kind import RatedPassage
from readmark.readability.panels import candidates as topics
from readmark.readability.panels.candidates import PanelCandidate
from readmark.readability.panels.fair_share import Cell, share_of, whole_articles
from readmark.readability.panels.formatting.rules import FORMATTING_VERSION, Standard, standardise
from readmark.readability.panels.lots import by_lot
from readmark.text.near_duplicates import near_duplicates
from readmark.text.words import words

# Vetting: what rules doubt of a candidate, and a sheet on which people keep or discard each.


COLUMNS = ("id", "genre", "decision", "reason", "person", "hint", "passage", "version")
FILLED_IN = ("decision", "reason", "person")
"""The columns that are people's."""
EMPTY = "empty"
_NUMBER = re.compile(r"\d+(?:e\d+)?")
_NAMES = {"en": "English", "zh": "Chinese"}


@dataclass(frozen=True, slots=True)
class PassageLimits:
    """What a passage should be, for the rules: its language, and words at least and at most."""

    language: str = "en"
    least: int = 50
    most: int = 400
    alike: float = 0.8


@dataclass(frozen=True, slots=True)
class Vetted:
    """Whether a candidate is kept, why not, and who said what."""

    is_eligible: bool
    reasons: tuple[str, ...]
    hints: Mapping[str, str]
    decisions: tuple[Decision, ...]
    undecided: bool = False
    """People were divided; it is kept until somebody decides."""


def vet(texts: Mapping[str, str], decisions: Decisions, limits: PassageLimits) -> dict[str, Vetted]:
    """Every candidate by id, in the order of the pool; of two alike the first by id stays."""
    alike: dict[str, list[tuple[str, float]]] = {}
    full = {id: text for id, text in sorted(texts.items()) if text.strip()}
    for pair in near_duplicates(lambda: iter(full.items()), threshold=limits.alike):
        alike.setdefault(pair.second, []).append((pair.first, pair.resemblance))
    found: dict[str, Vetted] = {}
    for id, text in sorted(texts.items()):
        hints = doubts(text, limits)
        for other, how in alike.get(id, ()):
            if found[other].is_eligible:  # of two that are alike the first by id stays
                hints["near_duplicate"] = f"resembles {other} by {decimal(how)}"
                break
        found[id] = _decided(hints, decisions.on(id, text))
    return {id: found[id] for id in texts}


def doubts(text: str, limits: PassageLimits) -> dict[str, str]:
    """What rules doubt of a text by itself, and why."""
    if not text.strip():
        return {EMPTY: "there is no text"}
    found: dict[str, str] = {}
    wrong = foreign(text)
    language = language_of([text])
    if wrong is None and language != primary(limits.language):
        wrong = f"it looks {_NAMES[language]}"
    if wrong is not None:
        found["wrong_language"] = wrong
    count = len(words(text, language))
    unit = "characters" if language == "zh" else "words"
    if count < limits.least:
        found["too_short"] = f"{count} {unit}, expected {limits.least} at least"
    elif count > limits.most:
        found["too_long"] = f"{count} {unit}, expected {limits.most} at most"
    return found


def _decided(hints: Mapping[str, str], decisions: tuple[Decision, ...]) -> Vetted:
    verdict = majority(decisions)
    if EMPTY in hints:
        return Vetted(False, _reasons(hints), hints, decisions)
    if verdict == "discard":
        why = tuple(
            f"{decision.person}: {decision.reason or 'no reason given'}"
            for decision in decisions
            if decision.decision == "discard"
        )
        return Vetted(False, why, hints, decisions)
    if verdict == "keep" or not hints:
        return Vetted(True, (), hints, decisions, undecided=bool(decisions) and verdict is None)
    if decisions:  # divided: a rule that doubts as well has no say
        return Vetted(True, (), hints, decisions, undecided=True)
    return Vetted(False, _reasons(hints), hints, decisions)


def _reasons(hints: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(f"{name}: {why}" for name, why in hints.items())


SELECTED, DISCARDED, NOT_DRAWN = "selected", "discarded", "not_drawn"
TRAIN, TEST = "train", "test"
PerGenre = int | Mapping[str, int] | None
"""How many passages of every genre, or of each by name; None for all."""
SHOWN = 10
"""Discarded candidates that are shown; the report has them all."""
ORIGINAL = "original"
"""The field that holds a passage as it was given, where a rule changed it."""


@dataclass(frozen=True, slots=True)
class CandidateOutcome:
    """What became of a candidate; a line of the report."""

    id: str
    file: str
    where: str
    genre: str
    topic: str
    topic_by: str
    outcome: str
    reasons: tuple[str, ...]
    hints: Mapping[str, str]
    decisions: tuple[dict[str, Any], ...]
    rules: tuple[str, ...]
    split: str | None
    version: str


@dataclass(frozen=True, slots=True)
class GenreCount:
    """How many candidates of a genre there were, were kept, were wanted and drawn."""

    candidates: int
    discarded: int
    wanted: int | None
    selected: int

    @property
    def short(self) -> int:
        """How many are missing."""
        return 0 if self.wanted is None else max(0, self.wanted - self.selected)


@dataclass(frozen=True, slots=True)
class PassagePool(Result):
    """A pool and what was done to make it."""

    outcomes: tuple[CandidateOutcome, ...]
    texts: Mapping[str, Standard]
    originals: Mapping[str, PanelCandidate]
    vetted: Mapping[str, Vetted]
    genres: Mapping[str, GenreCount]
    seed: int
    per_genre: PerGenre
    test_share: Fraction
    deviation: Mapping[str, float]
    """How far the test share of any genre, topic, and pair of them is from what was asked for."""
    limits: PassageLimits
    rules: Mapping[str, int] = field(default_factory=dict)
    """How many candidates each rule changed."""
    together: Mapping[str, str] = field(default_factory=dict)
    """The split of every article that the draw divided: what is learnt of one passage may help
    with another, so that an article is kept whole."""

    written: Mapping[str, str | None] = field(default_factory=dict)
    """The files that were written: output, sheet, report."""
    unwritten: str | None = None
    """The sheet that was asked for, where there is nothing to vet."""

    @property
    def selected(self) -> list[CandidateOutcome]:
        """The passages of the pool."""
        return [outcome for outcome in self.outcomes if outcome.outcome == SELECTED]

    @property
    def notes(self) -> tuple[str, ...]:
        """Genres with too few passages, and what to do with the files."""
        notes = [
            f"{name}: {genre.selected} of the {genre.wanted} wanted"
            for name, genre in self.genres.items()
            if genre.short
        ]
        sheet, report = self.written.get("sheet"), self.written.get("report")
        if sheet is not None:
            notes.append(f"{sheet}: fill in keep or discard, then --vetted {sheet}")
        if self.unwritten is not None:
            notes.append(f"nothing to vet: {self.unwritten} not written")
        if report is not None:
            notes.append(f"{report}: every candidate with its reasons")
        return tuple(notes)

    def as_json(self) -> dict[str, Any]:
        """The files, the settings, the counts, and every candidate."""
        return {
            **self.written,
            "seed": self.seed,
            "per_genre": self.per_genre,
            "language": self.limits.language,
            "test_share": float(self.test_share),
            "deviation": dict(self.deviation),
            "genres": {
                name: {**asdict(genre), "short": genre.short} for name, genre in self.genres.items()
            },
            "rules": dict(self.rules),
            "articles_kept_whole": dict(self.together),
            "candidates": [asdict(outcome) for outcome in self.outcomes],
        }

    def show(self, console: Console) -> None:
        """Genres, topics by split, rules, and what was discarded with the reasons."""
        chosen = self.selected
        candidates = counted(len(self.outcomes), "candidate")
        console.print(f"{candidates}: {len(chosen):,} selected, seed {self.seed}")
        table = plain_table("genre", "candidates", "discarded", "wanted", "selected", TRAIN, TEST)
        for name, genre in self.genres.items():
            splits = Counter(outcome.split for outcome in chosen if outcome.genre == name)
            counts = (genre.candidates, genre.discarded, genre.wanted, genre.selected)
            cells = (*counts, splits[TRAIN], splits[TEST])
            table.add_row(name, *(ABSENT if cell is None else f"{cell:,}" for cell in cells))
        console.print(table)
        topics = plain_table("topic", "selected", TRAIN, TEST)
        for topic in sorted({outcome.topic for outcome in chosen}):
            splits = Counter(outcome.split for outcome in chosen if outcome.topic == topic)
            topics.add_row(topic, *map(str, (splits.total(), splits[TRAIN], splits[TEST])))
        console.print(topics)
        worst = ", ".join(f"{name} {decimal(value)}" for name, value in self.deviation.items())
        least = " (each less than 1)" if max(self.deviation.values()) < 1 else ""
        console.print(f"furthest from the test share, in passages{least}: {worst}")
        if self.rules:
            rules = ", ".join(f"{name} {count}" for name, count in sorted(self.rules.items()))
            console.print(f"formatting rules, candidates changed: {rules}")
        if self.together:
            articles = listed_ids(
                [f"{name} → {split}" for name, split in self.together.items()], shown=3
            )
            console.print(f"articles that were divided, now in one split: {articles}")
        undecided = [id for id, vetted in self.vetted.items() if vetted.undecided]
        if undecided:
            console.print(f"people divided, kept until somebody decides: {listed_ids(undecided)}")
        discarded = [outcome for outcome in self.outcomes if outcome.outcome == DISCARDED]
        if discarded:
            table = plain_table("discarded", "genre")
            table.add_column("why", overflow="fold")
            for outcome in discarded[:SHOWN]:
                table.add_row(outcome.id, outcome.genre, "; ".join(outcome.reasons))
            console.print(table)
        if len(discarded) > SHOWN:
            console.print(and_more(len(discarded) - SHOWN, "the report has them all"))


def make_pool(
    candidates: Sequence[PanelCandidate],
    *,
    per_genre: PerGenre,
    decisions: Decisions | None = None,
    limits: PassageLimits | None = None,
    test_share: Fraction = Fraction(1, 2),
    format_texts: bool = True,
    seed: int = 1,
) -> PassagePool:
    """Draw a pool of some candidates; without ``per_genre`` all that are kept are taken.

    Of a genre that ``per_genre`` does not name, where it names some, none is taken.
    """
    decisions = decisions or Decisions()
    limits = limits or PassageLimits(
        language=language_of(candidate.text for candidate in candidates)
    )
    given = {candidate.id: candidate for candidate in candidates}
    texts = {
        candidate.id: standardise(candidate.text, candidate.genre)
        if format_texts
        else Standard(candidate.text, ())
        for candidate in candidates
    }
    vetted = vet({id: standard.text for id, standard in texts.items()}, decisions, limits)
    decisions.require_all_seen("the pool")
    cells: dict[str, Cell] = {}
    drawn: set[str] = set()
    for id, candidate in given.items():
        tongue = primary(candidate.language or limits.language)
        cells[id] = candidate.genre, candidate.topic or topics.topic_of(texts[id].text, tongue)
    for genre in dict.fromkeys(candidate.genre for candidate in candidates):
        kept = [
            id
            for id, candidate in given.items()
            if candidate.genre == genre and vetted[id].is_eligible
        ]
        drawn.update(by_lot(kept, seed, "pool", genre)[: wanted_of(per_genre, genre)])
    chosen = {id: cells[id] for id in given if id in drawn}
    articles = {id: article for id in chosen if (article := given[id].article) is not None}
    fair = share_of(chosen, test_share, seed=seed)
    testing = whole_articles(fair, chosen, articles, test_share, seed=seed)
    outcomes = tuple(
        CandidateOutcome(
            id=id,
            file=candidate.file,
            where=candidate.where,
            genre=candidate.genre,
            topic=cells[id][1],
            topic_by="given" if candidate.topic else topics.RULES,
            outcome=SELECTED if id in drawn else NOT_DRAWN if vetted[id].is_eligible else DISCARDED,
            reasons=vetted[id].reasons,
            hints=vetted[id].hints,
            decisions=tuple(msgspec.to_builtins(each) for each in vetted[id].decisions),
            rules=texts[id].rules,
            split=(TEST if id in testing else TRAIN) if id in drawn else None,
            version=text_id(texts[id].text),
        )
        for id, candidate in given.items()
    )
    genres: dict[str, GenreCount] = {}
    for genre in dict.fromkeys(outcome.genre for outcome in outcomes):
        of = Counter(outcome.outcome for outcome in outcomes if outcome.genre == genre)
        wanted = wanted_of(per_genre, genre)
        genres[genre] = GenreCount(of.total(), of[DISCARDED], wanted, of[SELECTED])
    sides: dict[str, set[bool]] = {}
    for id, article in articles.items():
        sides.setdefault(article, set()).add(id in fair)
    together = {
        article: TEST if id in testing else TRAIN
        for id, article in sorted(articles.items(), key=lambda pair: pair[1])
        if len(sides[article]) > 1
    }
    return PassagePool(
        outcomes=outcomes,
        texts=texts,
        originals=given,
        vetted=vetted,
        genres=genres,
        seed=seed,
        per_genre=per_genre,
        test_share=test_share,
        deviation=deviation(chosen, testing, test_share),
        limits=limits,
        rules=Counter(rule for standard in texts.values() for rule in standard.rules),
        together=together,
    )


def deviation(cells: Mapping[str, Cell], testing: set[str], share: Fraction) -> dict[str, float]:
    """The largest distance, in passages, from the share; less than one if no article is whole."""

    def worst(label: Mapping[str, Any]) -> float:
        whole = Counter(label.values())
        got = Counter(label[id] for id in testing)
        return float(max((abs(got[one] - share * whole[one]) for one in whole), default=0))

    return {
        "genre": worst({id: cell[0] for id, cell in cells.items()}),
        "topic": worst({id: cell[1] for id, cell in cells.items()}),
        "genre_topic": worst(cells),
    }


def vetting_rows(pool: PassagePool) -> Iterator[tuple[str, ...]]:
    """The rows under ``COLUMNS``: candidates to decide on, what rules doubt, an empty decision.

    There is nothing to decide where there is no text, or where people have, with one verdict.
    """
    for id, standard in pool.texts.items():
        own = pool.vetted[id]
        if EMPTY in own.hints or (own.decisions and not own.undecided):
            continue
        version = text_id(standard.text)
        if _NUMBER.fullmatch(version):  # a spreadsheet would take it for a number
            version = ""
        hint = "; ".join(_reasons(pool.vetted[id].hints))
        yield id, pool.originals[id].genre, "", "", "", hint, standard.text, version


def pool_test(pool: PassagePool, *, name: str) -> Test:
    """The pool as a readability test that nobody has rated yet."""
    chosen = pool.selected
    if not chosen:
        files = ", ".join(dict.fromkeys(candidate.file for candidate in pool.originals.values()))
        rules = Counter(name for vetted in pool.vetted.values() for name in vetted.hints)
        why = ", ".join(f"{name} {count}" for name, count in rules.most_common())
        raise DataError(
            f"no candidate was kept{f' ({why})' if why else ''}; the rules are --least, --most and "
            "--language; --sheet lists every candidate with its reasons",
            file=files,
        )
    licences = {pool.originals[outcome.id].licence for outcome in chosen}
    records = []
    for outcome in chosen:
        panel_candidate = pool.originals[outcome.id]
        fields = dict(panel_candidate.fields)
        if outcome.rules:
            fields[ORIGINAL] = {"text": panel_candidate.text, "rules": list(outcome.rules)}
        own = panel_candidate.language if panel_candidate.language != pool.limits.language else None
        records.append(
            RatedPassage(
                id=outcome.id,
                text=pool.texts[outcome.id].text,
                language=own or None,
                genre=outcome.genre,
                topic=outcome.topic,
                split=outcome.split,
                article=panel_candidate.article,
                fields=fields,
            )
        )
    about = {
        "seed": pool.seed,
        "per_genre": pool.per_genre,
        "formatting": FORMATTING_VERSION,
        "topics": topics.RULES,
        "test_share": float(pool.test_share),
    }
    header = Header(
        kind="readability",
        name=name,
        language=pool.limits.language,
        licence=licences.pop() if len(licences) == 1 else None,
        fields={"pool": about},
    )
    return in_memory(header, records)


def wanted_of(per_genre: PerGenre, genre: str) -> int | None:
    """How many passages of a genre are wanted; None for all."""
    return per_genre.get(genre, 0) if isinstance(per_genre, Mapping) else per_genre
