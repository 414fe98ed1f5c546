"""The large numbers at the top of a section: a card for everybody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from readmark.marking import Comparison
from readmark.reporting.figures.looks import PEOPLE, Look
from readmark.reporting.page import numbers
from readmark.reporting.page.bilingual import Bilingual, Text, clauses, joined
from readmark.reporting.page.comparisons import WithPeople, on_part
from readmark.reporting.page.differences import ALPHA, p_words
from readmark.reporting.page.metric_names import metric_words
from readmark.reporting.page.nouns import counted, noun
from readmark.reporting.page.people_words import people_phrase
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.sections import MarkedCandidate, Section
from readmark.reporting.page.summary import headline_metrics, in_brackets
from readmark.reporting.page.verdict import comparable, main_mark, ranking
from readmark.reporting.page.words import named, phrase, phrase_html


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


def headlines(data: SectionData) -> list[Headline]:
    """A card for every candidate, and for people where there are any."""
    section, compared = data.section, data.compared
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
    return [*cards, *_people_cards(data)]


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
        is_first = index == 0 and len(section.candidates) > 1
        return phrase("lead.first") if is_first else None
    scale = section.scale(section.main)
    difference = phrase_html(
        "lead.difference",
        difference=numbers.mark(comparison.difference, scale, signed=True),
        first=section.label(comparison.a),
        interval=numbers.interval(comparison.low, comparison.high, scale, signed=True),
    )
    if not on_part(section, comparison):
        return difference
    units = counted(comparison.units, section.kind.unit_noun)
    return joined([difference, phrase("lead.on_shared", units=units)], en=", ", zh="，")


def _verdict_on(comparison: Comparison) -> Text:
    won, lost = comparison.better(ALPHA), comparison.worse(ALPHA)
    side = "better" if won else "worse" if lost else "chance"
    adjusted = (
        phrase("summary.adjusted") if comparison.adjusted_p is not None else Bilingual("", "")
    )
    return phrase_html(f"lead.p_{side}", p=p_words(comparison.decisive_p), adjusted=adjusted)


def _people_cards(data: SectionData) -> Iterator[Headline]:
    """People once for every way of marking them, with the machines on the same references."""
    section = data.section
    scale = section.scale(section.main)
    by_method: dict[str, list[WithPeople]] = {}
    for with_people in data.people:
        if with_people.method is not None and section.main in with_people.marks:
            by_method.setdefault(with_people.method, []).append(with_people)
    for method, compared in by_method.items():
        machines = [
            phrase_html(
                "lead.named",
                name=with_people.candidate.label,
                what=numbers.mark(with_people.marks[section.main].machine, scale),
            )
            for with_people in compared
        ]
        yield Headline(
            people_phrase(section.test, method, "row", method=named("method", method)),
            PEOPLE,
            metric_words(section.main),
            numbers.mark(compared[0].marks[section.main].people, scale),
            phrase_html("people.on_same", machines=clauses(machines)),
        )
    for sheet in section.people:
        mark, method = sheet.recorded.marks.get(section.main), sheet.recorded.method or ""
        if mark is not None and method not in by_method:
            yield Headline(
                people_phrase(section.test, method, "row", method=named("method", method)),
                PEOPLE,
                metric_words(section.main),
                numbers.mark(mark.score, scale),
                numbers.interval(mark.low, mark.high, scale),
            )
