"""The large numbers at the top of a section: a card for everybody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from readmark.marking import Comparison
from readmark.reporting.figures.looks import PEOPLE, Look
from readmark.reporting.page import words as numbers
from readmark.reporting.page.comparisons import WithPeople, on_part
from readmark.reporting.page.differences import ALPHA, p_words
from readmark.reporting.page.people_words import people_phrase
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.sections import MarkedCandidate, Section
from readmark.reporting.page.summary import headline_metrics, in_brackets
from readmark.reporting.page.verdict import comparable, main_mark, ranking
from readmark.reporting.page.words import (
    Both,
    Text,
    clauses,
    counted,
    joined,
    metric_words,
    named,
    noun,
    phrase,
    phrase_html,
)


@dataclass(frozen=True, slots=True)
class Headline:
    """Somebody's main mark in large figures, and the difference from the first candidate."""

    name: Text
    look: Look
    metric: Text
    score: str
    interval: Text
    others: Sequence[Text] = ()
    """The other marks, in small figures."""
    difference: Text | None = None
    p: Text | None = None
    best: bool = False


def headlines(shown: SectionData) -> list[Headline]:
    """A card for every candidate, and for people where there are any."""
    section, compared = shown.section, shown.compared
    ranked = ranking(section)
    best = ranked[0] if len(ranked) > 1 and comparable(section, compared) else None
    cards = []
    for index, candidate in enumerate(section.candidates):
        mark = main_mark(section, candidate)
        comparison = compared.of(section.main, candidate.name)
        interval = numbers.interval(mark.low, mark.high, mark.scale)
        cards.append(
            Headline(
                candidate.label,
                candidate.look,
                metric_words(section.main),
                numbers.mark(mark.score, mark.scale),
                numbers.with_count(interval, mark.units),
                list(_other_marks(section, candidate)),
                _difference(section, index, comparison),
                None if comparison is None else _verdict_on(comparison),
                index == best,
            )
        )
    return [*cards, *_people_cards(shown)]


def _other_marks(section: Section, candidate: MarkedCandidate) -> Iterator[Text]:
    recorded = candidate.sheet.recorded
    for metric in headline_metrics(section, candidate):
        if metric != section.main:
            mark = recorded.marks[metric]
            yield phrase_html(
                "summary.mark",
                score=numbers.mark(mark.score, mark.scale),
                metric=metric_words(metric),
                interval=in_brackets(mark),
            )
    if (seen := candidate.sheet.header.seen) is not None:
        yield phrase(
            "lead.seen",
            count=f"{seen.passages:,}",
            all=f"{seen.of:,}",
            records=noun(section.kind.record_noun, several=True),
        )
    missing = len(recorded.unanswered) + len(recorded.errors)
    if missing:
        yield phrase("lead.missing", units=counted(missing, section.kind.unit_noun))


def _difference(section: Section, index: int, comparison: Comparison | None) -> Text | None:
    if comparison is None or comparison.difference is None:
        several = len(section.candidates) > 1
        return phrase("lead.first") if several and index == 0 else None
    scale = section.scale(section.main)
    shown = phrase_html(
        "lead.difference",
        difference=numbers.mark(comparison.difference, scale, signed=True),
        first=section.label(comparison.a),
        interval=numbers.interval(comparison.low, comparison.high, scale, signed=True),
    )
    if not on_part(section, comparison):
        return shown
    units = counted(comparison.units, section.kind.unit_noun)
    return joined([shown, phrase("lead.on_shared", units=units)], en=", ", zh="，")


def _verdict_on(comparison: Comparison) -> Text:
    won, lost = comparison.better(ALPHA), comparison.worse(ALPHA)
    side = "better" if won else "worse" if lost else "chance"
    adjusted = phrase("summary.adjusted") if comparison.adjusted_p is not None else Both("", "")
    return phrase_html(f"lead.p_{side}", p=p_words(comparison.decisive_p), adjusted=adjusted)


def _people_cards(shown: SectionData) -> Iterator[Headline]:
    """People once for every way of marking them, with the machines on the same references."""
    section = shown.section
    scale = section.scale(section.main)
    seen: dict[str, list[WithPeople]] = {}
    for person in shown.people:
        if person.method is not None and section.main in person.marks:
            seen.setdefault(person.method, []).append(person)
    for method, several in seen.items():
        machines = [
            phrase_html(
                "lead.named",
                name=person.candidate.label,
                what=numbers.mark(person.marks[section.main].machine, scale),
            )
            for person in several
        ]
        yield Headline(
            people_phrase(section.test, method, "row", method=named("method", method)),
            PEOPLE,
            metric_words(section.main),
            numbers.mark(several[0].marks[section.main].people, scale),
            phrase_html("people.on_same", machines=clauses(machines)),
        )
    for sheet in section.people:
        mark, method = sheet.recorded.marks.get(section.main), sheet.recorded.method or ""
        if mark is not None and method not in seen:
            yield Headline(
                people_phrase(section.test, method, "row", method=named("method", method)),
                PEOPLE,
                metric_words(section.main),
                numbers.mark(mark.score, scale),
                numbers.interval(mark.low, mark.high, scale),
            )
