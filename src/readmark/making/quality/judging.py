"""Judging people's work: all figures and findings of the checks.

`readmark.statistics.carelessness` has the checks.
"""

from __future__ import annotations

from pathlib import Path
from statistics import median

from readmark.making.quality.report import PersonQuality, QualityReport
from readmark.making.quality.work import CollectedWork, exported_work
from readmark.statistics.carelessness import (
    EXPECTED,
    ItemTime,
    QualityFinding,
    empty_answers,
    haste,
    known_answers,
    same_answer,
    same_as_somebody,
    self_agreement,
)

QUALITY_CODES = (
    "known_answers",
    "self_agreement",
    "too_fast",
    "faster_than_usual",
    "faster_than_others",
    "same_answer",
    "same_as_somebody",
    "empty_answers",
)
"""The codes of findings, in the order of a report."""


def judge_quality(work: CollectedWork, *, expected: float = EXPECTED) -> QualityReport:
    """Everybody's figures and all findings, in the order of `QUALITY_CODES`."""
    known_answer_figures, findings = known_answers(work.known, expected=expected)
    repeated: dict[str, list[QualityFinding]] = {}
    for name, again in work.again.items():
        figures, of_field = self_agreement(work.values.get(name, {}), again, field=name)
        findings += of_field
        for figure in figures:
            repeated.setdefault(figure.person, []).append(figure)
    findings += haste(work.times)
    for name, values in work.values.items():
        findings += same_answer(values, field=name)
        findings += same_as_somebody(values, field=name)
        findings += empty_answers(values, field=name)
    findings.sort(
        key=lambda finding: (QUALITY_CODES.index(finding.code), finding.person, finding.field)
    )
    by_known = {figure.person: figure for figure in known_answer_figures}
    times: dict[str, list[ItemTime]] = {}
    for time in work.times:
        if time.seconds > 0:
            times.setdefault(time.person, []).append(time)
    people = []
    for person in work.people:
        own_times = times.get(person, [])
        paces = [60 * time.amount / time.seconds for time in own_times if time.amount]
        units = {id for values in work.values.values() for id in values.get(person, ())}
        people.append(
            PersonQuality(
                person=person,
                units=len(units),
                known=by_known.get(person),
                repeated=tuple(repeated.get(person, ())),
                timed=len(own_times),
                seconds=median(time.seconds for time in own_times) if own_times else None,
                pace=median(paces) if paces else None,
            )
        )
    return QualityReport(tuple(people), tuple(findings), expected)


def export_quality(folder: str | Path, *, expected: float = EXPECTED) -> QualityReport:
    """The quality of the work in an export of the exam hall."""
    return judge_quality(exported_work(folder), expected=expected)
