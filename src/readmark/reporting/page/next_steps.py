"""What is worth looking at next in a section, with links to the units that show it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from readmark.marking import Mark
from readmark.reporting.page import numbers
from readmark.reporting.page.bilingual import Text
from readmark.reporting.page.differences import ALPHA
from readmark.reporting.page.links import units_link
from readmark.reporting.page.metric_names import metric_words
from readmark.reporting.page.nouns import counted
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.sections import Section
from readmark.reporting.page.slice_rows import FEWEST_UNITS
from readmark.reporting.page.units import UnitVerdict, verdicts_of
from readmark.reporting.page.verdict import Pair, main_mark, ranking
from readmark.reporting.page.words import named, phrase, phrase_html, value_words

MOST_STEPS = 4
"""More would be a list to work through, not a hint."""


@dataclass(frozen=True, slots=True)
class NextStep:
    """What is worth a look, and where it is."""

    text: Text
    href: str


def next_steps(data: SectionData, pair: Pair | None) -> list[NextStep]:
    """Links to the units that say most, the most telling first."""
    section = data.section
    ranked = ranking(section)
    if not ranked:
        return []
    steps = [*_missing(section), *_against_next(section, pair)]
    steps += [*_weakest(section, ranked[0]), *_largest_class(section, ranked[0])]
    comparison = None if pair is None else pair[2]
    if (
        comparison is not None
        and not comparison.significant(ALPHA)
        and comparison.detectable is not None
    ):
        text = phrase(
            "next.detectable",
            detectable=numbers.mark(comparison.detectable, section.scale(section.main)),
            metric=metric_words(section.main),
        )
        steps.append(NextStep(text, f"#test-{section.number}-marks"))
    return steps[:MOST_STEPS]


def _missing(section: Section) -> Iterator[NextStep]:
    for index, candidate in enumerate(section.candidates):
        recorded = candidate.sheet.recorded
        for letter, ids in (
            (UnitVerdict.ERROR, recorded.errors),
            (UnitVerdict.UNANSWERED, recorded.unanswered),
        ):
            if ids:
                units = counted(len(ids), section.kind.unit_noun)
                text = phrase_html(f"next.{letter}", name=candidate.label, units=units)
                yield NextStep(text, units_link(section.number, candidate=index, verdict=letter))


def _against_next(section: Section, pair: Pair | None) -> Iterator[NextStep]:
    """Units that one of the two leading candidates answered right and the other did not."""
    if pair is None:
        return
    best, second, _ = pair
    verdicts = {index: verdicts_of(section, section.candidates[index]) for index in (best, second)}
    for right, wrong in ((second, best), (best, second)):
        count = sum(
            judged.verdict == UnitVerdict.RIGHT and verdicts[wrong][id].verdict != UnitVerdict.RIGHT
            for id, judged in verdicts[right].items()
            if id in verdicts[wrong]
        )
        if count:
            text = phrase_html(
                "next.only",
                units=counted(count, section.kind.unit_noun),
                right=section.candidates[right].label,
                wrong=section.candidates[wrong].label,
            )
            yield NextStep(text, units_link(section.number, right=right, wrong=wrong))


def _weakest(section: Section, best: int) -> Iterator[NextStep]:
    """The slice that the best candidate does worst on, where its interval leaves out the mark."""
    candidate = section.candidates[best]
    overall = main_mark(section, candidate)
    if overall.score is None:
        return
    sign = -1 if section.lower_is_better(section.main) else 1
    weak = []
    for field in section.fields:
        for label, part in candidate.sheet.slices(field).items():
            mark = part.marks.get(section.main, Mark())
            end = mark.high if sign > 0 else mark.low
            if mark.score is None or end is None or part.units < FEWEST_UNITS:
                continue
            if sign * (end - overall.score) < 0:
                weak.append((sign * mark.score, field, label, part.units))
    if weak:
        score, field, label, units = min(weak)
        text = phrase_html(
            "next.weakest",
            name=candidate.label,
            field=named("field", field),
            label=value_words(field, label),
            units=counted(units, section.kind.unit_noun),
            score=numbers.mark(sign * score, overall.scale),
            overall=numbers.mark(overall.score, overall.scale),
            metric=metric_words(section.main),
        )
        yield NextStep(text, section.link(field, label) or f"#test-{section.number}-slices")


def _largest_class(section: Section, best: int) -> Iterator[NextStep]:
    """The class of most of the best candidate's wrong answers."""
    candidate = section.candidates[best]
    errors = candidate.sheet.errors()
    if errors is None or errors.machine is None:
        return
    (right, _), *wrong = errors.machine.counts.items()
    name, count = max(wrong, key=lambda counts: counts[1], default=(right, 0))
    if count:
        text = phrase_html(
            "next.class",
            name=candidate.label,
            error_class=named("error_class", name),
            count=f"{count:g}",
            all=f"{sum(count for _, count in wrong):g}",
        )
        yield NextStep(text, units_link(section.number, candidate=best, error_class=name))
