"""The summary in words: a sentence for each candidate, and one for people's own marks."""

from __future__ import annotations

from collections.abc import Sequence

from readmark.marking import Comparison, Mark, PeopleComparison
from readmark.reporting.page import numbers
from readmark.reporting.page.bilingual import Bilingual, Text, clauses
from readmark.reporting.page.comparisons import ComparedCandidates, WithPeople, on_part
from readmark.reporting.page.coverage import coverage
from readmark.reporting.page.differences import ALPHA, p_words
from readmark.reporting.page.metric_names import metric_words
from readmark.reporting.page.nouns import counted, noun
from readmark.reporting.page.people_words import people_phrase_html
from readmark.reporting.page.sections import MarkedCandidate, Section
from readmark.reporting.page.words import listed, named, phrase, phrase_html
from readmark.statistics.interval_methods import JACKKNIFE


def sentences(
    section: Section, compared: ComparedCandidates, people: Sequence[WithPeople]
) -> list[Bilingual]:
    """A sentence for each candidate, in the order of the marksheets."""
    texts = [
        _sentence(section, candidate, compared, with_people)
        for candidate, with_people in zip(section.candidates, people, strict=True)
    ]
    for sheet in section.people:
        marks = [
            phrase_html(
                "summary.mark",
                score=numbers.mark(mark.score, mark.scale),
                metric=metric_words(metric),
                interval=in_brackets(mark),
            )
            for metric, mark in list(sheet.recorded.marks.items())[:2]
        ]
        method = sheet.recorded.method
        texts.append(
            people_phrase_html(
                section.test,
                method,
                "sheet",
                marks=listed(marks),
                method=named("method", method or ""),
                units=counted(sheet.recorded.units, section.kind.unit_noun),
            )
        )
    return texts


def _sentence(
    section: Section, candidate: MarkedCandidate, compared: ComparedCandidates, people: WithPeople
) -> Bilingual:
    """What a candidate scored, what it missed, and how it compares with the first and people."""
    recorded = candidate.sheet.recorded
    marks = []
    for metric in headline_metrics(section, candidate):
        mark = recorded.marks[metric]
        marks.append(
            phrase_html(
                "summary.mark",
                score=numbers.mark(mark.score, mark.scale),
                metric=metric_words(metric),
                interval=in_brackets(mark),
            )
        )
    parts: list[Text] = [
        phrase_html(
            "summary.scores",
            name=candidate.label,
            marks=listed(marks),
            test=section.test_name,
            size=size_words(section, recorded.units, candidate.sheet.clusters),
        )
    ]
    parts += _missing(section, candidate)
    comparison = compared.of(section.main, candidate.name)
    if comparison is not None:
        parts.append(_compared(section, comparison))
    parts += people_clauses(section, people)
    return phrase_html("summary.sentence", clauses=clauses(parts))


def size_words(section: Section, units: int, records: int) -> Bilingual:
    """How much was sat; once where a unit is a record."""
    kind = section.kind
    unit_words = counted(units, kind.unit_noun)
    if kind.unit_noun == kind.record_noun:
        return unit_words
    return phrase("summary.size", units=unit_words, records=counted(records, kind.record_noun))


def headline_metrics(section: Section, candidate: MarkedCandidate) -> list[str]:
    """The first two metrics of the section, the main one among them, or of the candidate's own.

    HumSent joins them where it was marked: readers that choose sentences are told apart by it.
    """
    first = list(section.metrics[:2])
    first += [name for name in section.metrics[2:] if name == "humsent"]
    headline = first if section.main in first else [section.main, *first[:1]]
    marks = candidate.sheet.recorded.marks
    return [metric for metric in headline if metric in marks] or list(marks)[:2]


def in_brackets(mark: Mark) -> Bilingual:
    """The interval, and how many units the mark counts where that is not all of them."""
    span = numbers.spoken_interval(mark.low, mark.high, mark.scale)
    if span is None:
        return (
            Bilingual("", "")
            if mark.units is None
            else phrase("summary.of", count=f"{mark.units:,}")
        )
    return phrase("summary.brackets", interval=numbers.with_count(span, mark.units))


def _missing(section: Section, candidate: MarkedCandidate) -> list[Text]:
    """What was not answered, what failed, and what was not to be sat."""
    recorded = candidate.sheet.recorded
    parts = coverage(candidate.sheet)
    missing: list[Text] = []
    if recorded.unanswered:
        units = counted(len(recorded.unanswered), section.kind.unit_noun)
        missing.append(phrase("summary.unanswered", units=units))
    if recorded.errors:
        missing.append(phrase("summary.errors", errors=counted(len(recorded.errors), "error")))
    if missing:
        parts.append(phrase("summary.as_wrong", what=listed(missing)))
    return parts


def _compared(section: Section, comparison: Comparison) -> Bilingual:
    """The difference from the first candidate, and whether it may be chance."""
    p = comparison.decisive_p
    metric = metric_words(section.main)
    scale = section.scale(section.main)
    first = section.label(comparison.a)
    if p is None or comparison.difference is None:
        return phrase_html("summary.undefined", first=first, metric=metric)
    won, lost = comparison.better(ALPHA), comparison.worse(ALPHA)
    side = "better" if won else "worse" if lost else "same"
    is_adjusted = comparison.adjusted_p is not None
    verdict = phrase_html(
        f"summary.{side}",
        first=first,
        metric=metric,
        difference=numbers.mark(comparison.difference, scale, signed=True),
        p=p_words(p),
        adjusted=phrase("summary.adjusted") if is_adjusted else Bilingual("", ""),
    )
    if not on_part(section, comparison):
        return verdict
    return phrase_html(
        "summary.shared",
        units=counted(comparison.units, section.kind.unit_noun),
        score=numbers.mark(comparison.score_b, scale),
        first_score=numbers.mark(comparison.score_a, scale),
        metric=metric,
        verdict=verdict,
    )


def people_clauses(section: Section, people: WithPeople) -> list[Text]:
    """People's figure for the main metric; for facts and inferences both, where one is the main."""
    metrics = [section.main]
    if PeopleComparison.ratio_name(section.main):
        metrics += [
            metric
            for metric in section.metrics
            if metric != section.main and PeopleComparison.ratio_name(metric)
        ]
    return [text for metric in metrics for text in _compared_with_people(section, people, metric)]


def _compared_with_people(section: Section, people: WithPeople, metric: str) -> list[Text]:
    compared = people.marks.get(metric)
    if compared is None or compared.people is None:
        return []
    if compared.ratio is None and compared.difference is None:
        return []
    scale = section.scale(metric)
    values = {
        "people": numbers.mark(compared.people, scale),
        "machine": numbers.mark(compared.machine, scale),
        "metric": metric_words(metric),
        "where": named("people", f"sets_{people.method}"),
    }
    if section.lower_is_better(metric) or compared.ratio is None:
        return [people_phrase_html(section.test, people.method, "lower", **values)]
    share = numbers.share(compared.ratio)
    return [people_phrase_html(section.test, people.method, "reaches", share=share, **values)]


def bracket_note(section: Section) -> Bilingual:
    """What the brackets hold."""
    settings = section.sheets[0].settings
    return phrase(
        "summary.jackknife" if settings.interval == JACKKNIFE else "summary.intervals",
        confidence=f"{100 * settings.confidence:g}%",
        records=noun(section.kind.record_noun, several=True),
        draws=f"{settings.draws:,}",
    )
