"""The summary in words: a sentence a candidate, and everything a reader should be warned of."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence

from markupsafe import Markup

from readmark.core.numbers import first_ids
from readmark.marking import Comparison, Mark, PeopleComparison
from readmark.reporting.page import words as numbers
from readmark.reporting.page.comparisons import ComparedCandidates, WithPeople, on_part
from readmark.reporting.page.differences import ALPHA
from readmark.reporting.page.sections import MarkedCandidate, Section
from readmark.reporting.page.sheets import coverage, people_phrase_html
from readmark.reporting.page.words import (
    Both,
    Text,
    clauses,
    counted,
    isolated,
    listed,
    metric_words,
    named,
    noun,
    phrase,
    phrase_html,
    table,
)
from readmark.statistics.interval_methods import JACKKNIFE

# Notes of marking, once each and in both languages as far as they are known.


def known_note(note: str) -> tuple[str | None, dict[str, str]]:
    """The name under which the table of strings has a note, and what fills it."""
    for name, pattern in _patterns().items():
        match = pattern.fullmatch(note)
        if match is not None:
            return name, match.groupdict()
    return None, {}


def notes_of(candidates: Sequence[MarkedCandidate]) -> list[Both]:
    """Every note once, with the candidates whose marksheets have it."""
    whose: dict[str, list[Text]] = {}
    for candidate in candidates:
        for note in dict.fromkeys(map(portable, candidate.sheet.recorded.notes)):
            whose.setdefault(note, []).append(candidate.label)
    return [
        phrase_html("warning.note", name=listed(names), note=_in_both(note))
        for note, names in whose.items()
    ]


def portable(note: str) -> str:
    """A note without the folders of the machine that it was written on."""
    file, colon, rest = note.partition(": ")
    return f"{file.replace(chr(92), '/').rsplit('/', 1)[-1]}{colon}{rest}"


def _in_both(note: str) -> Both:
    name, values = known_note(note)
    if name is None:
        return Both(isolated(note), isolated(note))
    return phrase_html(f"note.{name}", **{key: isolated(value) for key, value in values.items()})


@functools.cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    """The English of every note as a pattern with its fields."""
    found = {}
    for name, (english, _) in table()["note"].items():
        parts = re.split(r"\{(\w+)\}", english)
        spelt = [
            re.escape(part) if index % 2 == 0 else f"(?P<{part}>.+?)"
            for index, part in enumerate(parts)
        ]
        found[name] = re.compile("".join(spelt), re.DOTALL)
    return found


_NAMED_IDS = 5


def sentences(
    section: Section, compared: ComparedCandidates, people: Sequence[WithPeople]
) -> list[Both]:
    """One sentence a candidate, in the order of the marksheets."""
    boths = [
        _sentence(section, candidate, compared, person)
        for candidate, person in zip(section.candidates, people, strict=True)
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
        boths.append(
            people_phrase_html(
                section.test,
                method,
                "sheet",
                marks=listed(marks),
                method=named("method", method or ""),
                units=counted(sheet.recorded.units, section.kind.unit_noun),
            )
        )
    return boths


def _sentence(
    section: Section, candidate: MarkedCandidate, compared: ComparedCandidates, people: WithPeople
) -> Both:
    recorded_marks = candidate.sheet.recorded
    marks = [
        phrase_html(
            "summary.mark",
            score=numbers.mark(
                recorded_marks.marks[metric].score, recorded_marks.marks[metric].scale
            ),
            metric=metric_words(metric),
            interval=in_brackets(recorded_marks.marks[metric]),
        )
        for metric in headline_metrics(section, candidate)
    ]
    parts: list[Text] = [
        phrase_html(
            "summary.scores",
            name=candidate.label,
            marks=listed(marks),
            test=section.test_name,
            size=size_words(section, recorded_marks.units, candidate.sheet.clusters),
        )
    ]
    parts += _missing(section, candidate)
    comparison = compared.of(section.main, candidate.name)
    if comparison is not None:
        parts.append(_compared(section, comparison))
    parts += people_clauses(section, people)
    return phrase_html("summary.sentence", clauses=clauses(parts))


def size_words(section: Section, units: int, records: int) -> Both:
    """How much was sat; once where a unit is a record."""
    kind = section.kind
    counts = counted(units, kind.unit_noun), counted(records, kind.record_noun)
    if kind.unit_noun == kind.record_noun:
        return counts[0]
    return phrase("summary.size", units=counts[0], records=counts[1])


def headline_metrics(section: Section, candidate: MarkedCandidate) -> list[str]:
    """The first two metrics of the section, the main one among them, or of the candidate's own.

    HumSent joins them where it was marked: readers that choose sentences are told apart by it.
    """
    found = list(section.metrics[:2])
    found += [name for name in section.metrics[2:] if name == "humsent"]
    headline = found if section.main in found else [section.main, *found[:1]]
    marks = candidate.sheet.recorded.marks
    return [metric for metric in headline if metric in marks] or list(marks)[:2]


def in_brackets(mark: Mark) -> Both:
    """The interval, and how many units the mark counts where that is not all of them."""
    span = numbers.spoken_interval(mark.low, mark.high, mark.scale)
    if span is None:
        return Both("", "") if mark.units is None else phrase("summary.of", count=f"{mark.units:,}")
    return phrase("summary.brackets", interval=numbers.with_count(span, mark.units))


def _missing(section: Section, candidate: MarkedCandidate) -> list[Text]:
    """What was not answered, what failed, and what was not to be sat."""
    recorded_marks = candidate.sheet.recorded
    found = coverage(candidate.sheet)
    missing: list[Text] = []
    if recorded_marks.unanswered:
        units = counted(len(recorded_marks.unanswered), section.kind.unit_noun)
        missing.append(phrase("summary.unanswered", units=units))
    if recorded_marks.errors:
        missing.append(
            phrase("summary.errors", errors=counted(len(recorded_marks.errors), "error"))
        )
    if missing:
        found.append(phrase("summary.as_wrong", what=listed(missing)))
    return found


def _compared(section: Section, one: Comparison) -> Both:
    p = one.decisive_p
    metric = metric_words(section.main)
    scale = section.scale(section.main)
    first = section.label(one.a)
    if p is None or one.difference is None:
        return phrase_html("summary.undefined", first=first, metric=metric)
    side = "better" if one.better(ALPHA) else "worse" if one.worse(ALPHA) else "same"
    verdict = phrase_html(
        f"summary.{side}",
        first=first,
        metric=metric,
        difference=numbers.mark(one.difference, scale, signed=True),
        p=Markup("<i>p</i>&nbsp;{}").format(numbers.p_words(p).replace(" ", "\N{NO-BREAK SPACE}")),
        adjusted=phrase("summary.adjusted") if one.adjusted_p is not None else Both("", ""),
    )
    if not on_part(section, one):
        return verdict
    return phrase_html(
        "summary.shared",
        units=counted(one.units, section.kind.unit_noun),
        score=numbers.mark(one.score_b, scale),
        first_score=numbers.mark(one.score_a, scale),
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
    one = people.marks.get(metric)
    if one is None or one.people is None or one.ratio is one.difference is None:
        return []
    scale = section.scale(metric)
    told = {
        "people": numbers.mark(one.people, scale),
        "metric": metric_words(metric),
        "where": named("people", f"sets_{people.method}"),
    }
    if section.lower_is_better(metric) or one.ratio is None:
        machine = numbers.mark(one.machine, scale)
        return [people_phrase_html(section.test, people.method, "lower", machine=machine, **told)]
    told |= {"machine": numbers.mark(one.machine, scale), "share": numbers.share(one.ratio)}
    return [people_phrase_html(section.test, people.method, "reaches", **told)]


def bracket_note(section: Section) -> Both:
    """What the brackets hold."""
    settings = section.sheets[0].settings
    return phrase(
        "summary.jackknife" if settings.interval == JACKKNIFE else "summary.intervals",
        confidence=f"{100 * settings.confidence:g}%",
        records=noun(section.kind.record_noun, several=True),
        draws=f"{settings.draws:,}",
    )


def warnings(section: Section) -> list[Text]:
    """What a reader should know before trusting the numbers, one per line."""
    found: list[Text] = []
    if section.other_key:
        found.append(phrase("warning.other_key"))
    found += _same_names(section)
    for candidate in section.candidates:
        sheet = candidate.sheet
        absent = [metric for metric in sheet.header.metrics if metric not in sheet.metrics]
        if absent:
            found.append(
                phrase_html("warning.metric", name=candidate.label, metrics=", ".join(absent))
            )
        found += _about(section, candidate)
    found += notes_of(section.candidates)
    if section.candidates and not any(unit.gold for unit in section.candidates[0].sheet.units):
        found.append(phrase("warning.redacted"))
    return found


def _same_names(section: Section) -> list[Text]:
    """Candidates that only a number distinguishes, with the files that they come from."""
    alike: dict[tuple[str, str | None], list[MarkedCandidate]] = {}
    for candidate in section.candidates:
        header = candidate.sheet.header
        alike.setdefault((header.candidate, header.covers), []).append(candidate)
    return [
        phrase_html(
            "warning.same_name",
            name=several[0].label,
            files=", ".join(marked_candidate.sheet.name for marked_candidate in several),
        )
        for several in alike.values()
        if len(several) > 1
    ]


def _about(section: Section, one: MarkedCandidate) -> list[Text]:
    recorded_marks = one.sheet.recorded
    noted = {known_note(note)[0] for note in recorded_marks.notes}
    found: list[Text] = []
    for key, ids in (("unanswered", recorded_marks.unanswered), ("errors", recorded_marks.errors)):
        if ids:
            some = first_ids(ids, _NAMED_IDS)
            count = f"{len(ids):,}"
            found.append(
                phrase_html(f"warning.{key}", name=one.label, count=count, ids=isolated(some))
            )
    if recorded_marks.unknown and "unknown" not in noted:
        count = f"{recorded_marks.unknown:,}"
        found.append(phrase_html("warning.unknown", name=one.label, count=count))
    if recorded_marks.unkeyed and not {"unkeyed", "unkeyed_one"}.intersection(noted):
        units = counted(recorded_marks.unkeyed, section.kind.unit_noun)
        found.append(phrase_html("warning.unkeyed", name=one.label, units=units))
    return found
