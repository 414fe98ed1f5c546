"""The summary in words: a sentence a candidate, and everything a reader should be warned of."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from readmark.marking.significance import Comparison
from readmark.reporting.html import numbers
from readmark.reporting.html.comparing import Compared
from readmark.reporting.html.parts.overall import ALPHA
from readmark.reporting.html.sections import Candidate, Section
from readmark.reporting.html.slices import WithPeople
from readmark.reporting.html.words import (
    Both,
    Text,
    counted,
    joined,
    listed,
    metric_words,
    named,
    noun,
    say,
    say_html,
)

_NAMED_IDS = 5


def sentences(section: Section, compared: Compared, people: Sequence[WithPeople]) -> list[Both]:
    """One sentence a candidate, in the order of the marksheets."""
    found = [
        _sentence(section, candidate, compared, beside)
        for candidate, beside in zip(section.candidates, people, strict=True)
    ]
    for sheet in section.people:
        marks = [
            say_html(
                "summary.mark",
                score=numbers.mark(mark.score, mark.scale),
                metric=metric_words(metric),
                interval=_in_brackets(mark.low, mark.high, mark.scale),
            )
            for metric, mark in list(sheet.told.marks.items())[:2]
        ]
        method = named("method", sheet.told.method or "")
        found.append(
            say_html(
                "summary.people_sheet",
                marks=listed(marks),
                method=method,
                units=counted(sheet.told.units, section.kind.unit_noun),
            )
        )
    return found


def _sentence(
    section: Section, candidate: Candidate, compared: Compared, people: WithPeople
) -> Both:
    told = candidate.sheet.told
    marks = [
        say_html(
            "summary.mark",
            score=numbers.mark(told.marks[metric].score, told.marks[metric].scale),
            metric=metric_words(metric),
            interval=_in_brackets(
                told.marks[metric].low, told.marks[metric].high, told.marks[metric].scale
            ),
        )
        for metric in _headline_metrics(section)
        if metric in told.marks
    ]
    clauses: list[Text] = [
        say_html(
            "summary.scores",
            name=candidate.name,
            marks=listed(marks),
            test=section.test.name,
            size=size_words(section, told.units, candidate.clusters),
        )
    ]
    clauses += _missing(section, candidate)
    comparison = compared.of(section.main, candidate.name)
    if comparison is not None:
        clauses.append(_compared(section, comparison))
    clauses += _beside_people(section, people)
    return say_html("summary.sentence", clauses=joined(clauses, en="; ", zh="；"))


def size_words(section: Section, units: int, records: int) -> Both:
    """How much was sat; once where a unit is a record."""
    kind = section.kind
    counts = counted(units, kind.unit_noun), counted(records, kind.record_noun)
    if kind.unit_noun == kind.record_noun:
        return counts[0]
    return say("summary.size", units=counts[0], records=counts[1])


def _headline_metrics(section: Section) -> list[str]:
    """The first two metrics, the main one always among them."""
    found = list(section.metrics[:2])
    return found if section.main in found else [section.main, *found[:1]]


def _in_brackets(low: float | None, high: float | None, scale: float) -> Both:
    span = numbers.rough_interval(low, high, scale)
    return Both("", "") if span is None else say("summary.brackets", interval=span)


def _missing(section: Section, candidate: Candidate) -> list[Text]:
    """What was not answered, what failed, and what was not to be sat."""
    told = candidate.sheet.told
    found: list[Text] = []
    if told.covers or candidate.sheet.header.covers:
        found.append(say("summary.covers", covers=told.covers or candidate.sheet.header.covers))
    missing: list[Text] = []
    if told.unanswered:
        units = counted(len(told.unanswered), section.kind.unit_noun)
        missing.append(say("summary.unanswered", units=units))
    if told.errors:
        missing.append(say("summary.errors", errors=counted(len(told.errors), "error")))
    if missing:
        found.append(say("summary.as_wrong", what=listed(missing)))
    return found


def _compared(section: Section, one: Comparison) -> Both:
    p = one.decisive_p
    metric = metric_words(section.main)
    scale = section.scale(section.main)
    if p is None or one.difference is None:
        return say_html("summary.undefined", first=one.a, metric=metric)
    side = "same" if p >= ALPHA else "better" if one.difference > 0 else "worse"
    return say_html(
        f"summary.{side}",
        first=one.a,
        metric=metric,
        difference=numbers.mark(one.difference, scale, signed=True),
        p=Markup("<i>p</i>&nbsp;{}").format(numbers.p_words(p).replace(" ", "\N{NO-BREAK SPACE}")),
        adjusted=say("summary.adjusted") if one.adjusted_p is not None else Both("", ""),
    )


def _beside_people(section: Section, people: WithPeople) -> list[Text]:
    one = people.marks.get(section.main)
    if one is None or one.people is None or one.ratio is None:
        return []
    return [
        say_html(
            "summary.people",
            people=numbers.mark(one.people, section.scale(section.main)),
            metric=metric_words(section.main),
            share=numbers.share(one.ratio),
            where=named("summary_method", people.method or ""),
        )
    ]


def bracket_note(section: Section) -> Both:
    """What the brackets hold."""
    settings = section.sheets[0].settings
    return say(
        "summary.intervals",
        confidence=f"{100 * settings.confidence:g}%",
        records=noun(section.kind.record_noun, several=True),
        draws=f"{settings.draws:,}",
    )


def warnings(section: Section) -> list[Text]:
    """What a reader should know before trusting the numbers, a line each."""
    found: list[Text] = []
    if section.other_key:
        found.append(say("warning.other_key"))
    names = [one.sheet.header.candidate for one in section.candidates]
    for name in dict.fromkeys(name for name in names if names.count(name) > 1):
        files = [one.sheet.name for one in section.candidates if one.sheet.header.candidate == name]
        found.append(say("warning.same_name", name=name, files=", ".join(files)))
    for one in section.candidates:
        absent = [metric for metric in one.sheet.header.metrics if metric not in one.metrics]
        if absent:
            found.append(say("warning.metric", name=one.name, metrics=", ".join(absent)))
        found += _about(section, one)
    if section.candidates and not any(unit.gold for unit in section.candidates[0].sheet.units):
        found.append(say("warning.redacted"))
    return found


def _portable(note: str) -> str:
    """A note without the folders of the machine that it was written on."""
    file, colon, rest = note.partition(": ")
    return f"{file.replace(chr(92), '/').rsplit('/', 1)[-1]}{colon}{rest}"


def _about(section: Section, one: Candidate) -> list[Text]:
    told = one.sheet.told
    found: list[Text] = []
    for key, ids in (("unanswered", told.unanswered), ("errors", told.errors)):
        if ids:
            some = ", ".join(ids[:_NAMED_IDS]) + (", …" if len(ids) > _NAMED_IDS else "")
            found.append(say(f"warning.{key}", name=one.name, count=f"{len(ids):,}", ids=some))
    if told.unknown:
        found.append(say("warning.unknown", name=one.name, count=f"{told.unknown:,}"))
    if told.unkeyed:
        units = counted(told.unkeyed, section.kind.unit_noun)
        found.append(say("warning.unkeyed", name=one.name, units=units))
    found += [say("warning.note", name=one.name, note=_portable(note)) for note in told.notes]
    return found
