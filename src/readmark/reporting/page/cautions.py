"""What a reader should know before trusting the numbers of a section."""

from __future__ import annotations

from readmark.core.numbers import first_ids
from readmark.reporting.page.bilingual import Text
from readmark.reporting.page.isolation import isolated
from readmark.reporting.page.known_notes import known_note, notes_of
from readmark.reporting.page.nouns import counted
from readmark.reporting.page.sections import MarkedCandidate, Section
from readmark.reporting.page.words import phrase, phrase_html

NAMED_IDS = 5
"""How many units a line names."""


def cautions(section: Section) -> list[Text]:
    """What to know before trusting the numbers, one per line."""
    lines: list[Text] = []
    if section.has_other_key:
        lines.append(phrase("warning.other_key"))
    lines += _same_names(section)
    for candidate in section.candidates:
        sheet = candidate.sheet
        absent = [metric for metric in sheet.header.metrics if metric not in sheet.metrics]
        if absent:
            metrics = ", ".join(absent)
            lines.append(phrase_html("warning.metric", name=candidate.label, metrics=metrics))
        lines += _about_answers(section, candidate)
    lines += notes_of(section.candidates)
    if section.candidates and not any(unit.gold for unit in section.candidates[0].sheet.units):
        lines.append(phrase("warning.redacted"))
    return lines


def _same_names(section: Section) -> list[Text]:
    """Candidates that only a number distinguishes, with the files that they come from."""
    by_name: dict[tuple[str, str | None], list[MarkedCandidate]] = {}
    for candidate in section.candidates:
        header = candidate.sheet.header
        by_name.setdefault((header.candidate, header.covers), []).append(candidate)
    return [
        phrase_html(
            "warning.same_name",
            name=candidates[0].label,
            files=", ".join(candidate.sheet.name for candidate in candidates),
        )
        for candidates in by_name.values()
        if len(candidates) > 1
    ]


def _about_answers(section: Section, candidate: MarkedCandidate) -> list[Text]:
    """What is missing, failed or strange among a candidate's answers, unless a note says it."""
    recorded = candidate.sheet.recorded
    noted = {known_note(note)[0] for note in recorded.notes}
    lines: list[Text] = []
    for key, ids in (("unanswered", recorded.unanswered), ("errors", recorded.errors)):
        if ids:
            lines.append(
                phrase_html(
                    f"warning.{key}",
                    name=candidate.label,
                    count=f"{len(ids):,}",
                    ids=isolated(first_ids(ids, NAMED_IDS)),
                )
            )
    if recorded.unknown and "unknown" not in noted:
        count = f"{recorded.unknown:,}"
        lines.append(phrase_html("warning.unknown", name=candidate.label, count=count))
    if recorded.unkeyed and not {"unkeyed", "unkeyed_one"}.intersection(noted):
        units = counted(recorded.unkeyed, section.kind.unit_noun)
        lines.append(phrase_html("warning.unkeyed", name=candidate.label, units=units))
    return lines
