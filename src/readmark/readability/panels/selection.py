"""The pool: candidates standardised, vetted, drawn to a number a genre, and parted in two splits.

Nothing vanishes: every candidate has an outcome and its reasons. As in the DARPA Machine Reading
evaluation (section 2.1), formatting that shows the genre is removed, and both splits are balanced
for genre and topic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

import msgspec
from rich.console import Console

from readmark.core.display import ABSENT, Result, counted, plain_table
from readmark.core.errors import DataError
from readmark.core.fingerprint import text_id
from readmark.core.language import language_of, primary
from readmark.core.numbers import and_more, decimal, listed_ids
from readmark.core.test import Header, Test, in_memory
from readmark.formats.passage_decisions import Decisions
from readmark.readability.kind import RatedPassage
from readmark.readability.panels import topics
from readmark.readability.panels.candidates import PanelCandidate
from readmark.readability.panels.fair_share import GenreTopic, share_of, whole_articles
from readmark.readability.panels.formatting.rules import FORMATTING_VERSION, Standard, standardise
from readmark.readability.panels.lots import by_lot
from readmark.readability.panels.vetting import PassageLimits, Vetted, vet

SELECTED, DISCARDED, NOT_DRAWN = "selected", "discarded", "not_drawn"
TRAIN, TEST = "train", "test"
PerGenre = int | Mapping[str, int] | None
"""How many passages of every genre, or of each by name; None for all."""
_SHOWN = 10
"""Discarded candidates in the table of a terminal; the report has them all."""
ORIGINAL = "original"
"""The field with the text of a candidate that a formatting rule changed."""


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
    """How many candidates a genre has; how many of them were discarded, wanted and selected."""

    candidates: int
    discarded: int
    wanted: int | None
    selected: int

    @property
    def short(self) -> int:
        """How many of the wanted passages are missing."""
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
    """How far the test split is from its share of any genre, any topic, and any pair of them, in
    passages."""
    limits: PassageLimits
    rules: Mapping[str, int] = field(default_factory=dict)
    """How many candidates each rule changed."""
    together: Mapping[str, str] = field(default_factory=dict)
    """The split of every article that the draw divided. An article is kept whole, since what is
    learnt from one of its passages may help with another."""
    written: Mapping[str, str | None] = field(default_factory=dict)
    """The files that were written: output, sheet, report."""
    unwritten: str | None = None
    """The sheet that was not written, since there is nothing to vet."""

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
        """Files, settings, counts, and every candidate."""
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
        selected = self.selected
        candidates = counted(len(self.outcomes), "candidate")
        console.print(f"{candidates}: {len(selected):,} selected, seed {self.seed}")
        table = plain_table("genre", "candidates", "discarded", "wanted", "selected", TRAIN, TEST)
        for name, genre in self.genres.items():
            splits = Counter(outcome.split for outcome in selected if outcome.genre == name)
            counts = (genre.candidates, genre.discarded, genre.wanted, genre.selected)
            cells = (*counts, splits[TRAIN], splits[TEST])
            table.add_row(name, *(ABSENT if cell is None else f"{cell:,}" for cell in cells))
        console.print(table)
        table = plain_table("topic", "selected", TRAIN, TEST)
        for topic in sorted({outcome.topic for outcome in selected}):
            splits = Counter(outcome.split for outcome in selected if outcome.topic == topic)
            table.add_row(topic, *map(str, (splits.total(), splits[TRAIN], splits[TEST])))
        console.print(table)
        distances = ", ".join(f"{name} {decimal(value)}" for name, value in self.deviation.items())
        bound = " (each less than 1)" if max(self.deviation.values()) < 1 else ""
        console.print(f"furthest from the test share, in passages{bound}: {distances}")
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
            for outcome in discarded[:_SHOWN]:
                table.add_row(outcome.id, outcome.genre, "; ".join(outcome.reasons))
            console.print(table)
        if len(discarded) > _SHOWN:
            console.print(and_more(len(discarded) - _SHOWN, "the report has them all"))


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
    """Draw a pool of the candidates; without ``per_genre`` all that are eligible are taken.

    Where ``per_genre`` names genres, none is taken of the others.
    """
    decisions = decisions or Decisions()
    limits = limits or PassageLimits(
        language=language_of(candidate.text for candidate in candidates)
    )
    originals = {candidate.id: candidate for candidate in candidates}
    texts = {
        candidate.id: standardise(candidate.text, candidate.genre)
        if format_texts
        else Standard(candidate.text, ())
        for candidate in candidates
    }
    # Judges see standardised texts, so these are what is vetted and what topics are told from.
    vetted = vet({id: standard.text for id, standard in texts.items()}, decisions, limits)
    decisions.require_all_seen("the pool")
    cells: dict[str, GenreTopic] = {}
    eligible: dict[str, list[str]] = {}
    for id, candidate in originals.items():
        language = primary(candidate.language or limits.language)
        topic = candidate.topic or topics.topic_of(texts[id].text, language)
        cells[id] = candidate.genre, topic
        eligible.setdefault(candidate.genre, [])
        if vetted[id].is_eligible:
            eligible[candidate.genre].append(id)
    drawn = {
        id
        for genre, ids in eligible.items()
        for id in by_lot(ids, seed, "pool", genre)[: _wanted(per_genre, genre)]
    }

    drawn_cells = {id: cell for id, cell in cells.items() if id in drawn}
    articles = {id: article for id in drawn_cells if (article := originals[id].article) is not None}
    share = share_of(drawn_cells, test_share, seed=seed)
    testing = whole_articles(share, drawn_cells, articles, test_share, seed=seed)

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
            decisions=tuple(msgspec.to_builtins(decision) for decision in vetted[id].decisions),
            rules=texts[id].rules,
            split=(TEST if id in testing else TRAIN) if id in drawn else None,
            version=text_id(texts[id].text),
        )
        for id, candidate in originals.items()
    )
    return PassagePool(
        outcomes=outcomes,
        texts=texts,
        originals=originals,
        vetted=vetted,
        genres={genre: _count(outcomes, genre, _wanted(per_genre, genre)) for genre in eligible},
        seed=seed,
        per_genre=per_genre,
        test_share=test_share,
        deviation=deviation(drawn_cells, testing, test_share),
        limits=limits,
        rules=Counter(rule for standard in texts.values() for rule in standard.rules),
        together=_divided(articles, share, testing),
    )


def _wanted(per_genre: PerGenre, genre: str) -> int | None:
    """How many passages of a genre are wanted; None for all."""
    return per_genre.get(genre, 0) if isinstance(per_genre, Mapping) else per_genre


def _count(outcomes: Sequence[CandidateOutcome], genre: str, wanted: int | None) -> GenreCount:
    counts = Counter(outcome.outcome for outcome in outcomes if outcome.genre == genre)
    return GenreCount(counts.total(), counts[DISCARDED], wanted, counts[SELECTED])


def _divided(articles: Mapping[str, str], share: set[str], testing: set[str]) -> dict[str, str]:
    """The articles that the share divided, with the split that each of them is in now."""
    sides: dict[str, set[bool]] = {}
    for id, article in articles.items():
        sides.setdefault(article, set()).add(id in share)
    return {
        article: TEST if id in testing else TRAIN
        for id, article in sorted(articles.items(), key=lambda pair: pair[1])
        if len(sides[article]) > 1
    }


def deviation(
    cells: Mapping[str, GenreTopic], testing: set[str], share: Fraction
) -> dict[str, float]:
    """The largest distance from the share, in passages; less than 1 where no article was moved."""

    def largest(labels: Mapping[str, str | GenreTopic]) -> float:
        total = Counter(labels.values())
        tested = Counter(labels[id] for id in testing)
        distances = (abs(tested[label] - share * total[label]) for label in total)
        return float(max(distances, default=0))

    return {
        "genre": largest({id: genre for id, (genre, _) in cells.items()}),
        "topic": largest({id: topic for id, (_, topic) in cells.items()}),
        "genre_topic": largest(cells),
    }


def pool_test(pool: PassagePool, *, name: str) -> Test:
    """The pool as a readability test that nobody has rated yet."""
    selected = pool.selected
    if not selected:
        files = ", ".join(dict.fromkeys(candidate.file for candidate in pool.originals.values()))
        hints = Counter(name for vetted in pool.vetted.values() for name in vetted.hints)
        why = ", ".join(f"{name} {count}" for name, count in hints.most_common())
        raise DataError(
            f"no candidate was kept{f' ({why})' if why else ''}; the rules are --least, --most and "
            "--language; --sheet lists every candidate with its reasons",
            file=files,
        )
    licences = {pool.originals[outcome.id].licence for outcome in selected}
    records = []
    for outcome in selected:
        candidate = pool.originals[outcome.id]
        fields = dict(candidate.fields)
        if outcome.rules:
            fields[ORIGINAL] = {"text": candidate.text, "rules": list(outcome.rules)}
        is_in_main_language = candidate.language in (None, "", pool.limits.language)
        records.append(
            RatedPassage(
                id=outcome.id,
                text=pool.texts[outcome.id].text,
                language=None if is_in_main_language else candidate.language,
                genre=outcome.genre,
                topic=outcome.topic,
                split=outcome.split,
                article=candidate.article,
                fields=fields,
            )
        )
    settings = {
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
        fields={"pool": settings},
    )
    return in_memory(header, records)
