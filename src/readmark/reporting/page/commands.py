"""Where every number comes from: signatures, and the commands that make them again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, fields

from readmark.marking import MarkSettings, Marksheet
from readmark.reporting.page.comparisons import ComparedCandidates
from readmark.reporting.page.sections import MarkedCandidate, Section, portable_name
from readmark.reporting.page.words import Text, joined, metric_words, phrase


@dataclass(frozen=True, slots=True)
class Signed:
    """Which numbers a signature describes."""

    what: Text
    signature: str


def signatures(section: Section, compared: ComparedCandidates) -> list[Signed]:
    """Every signature once, with what it describes."""
    found: dict[str, list[Text]] = {}
    for sheet in section.sheets:
        for metric, mark in sheet.recorded.marks.items():
            said = mark.signature or sheet.header.metrics.get(metric, "")
            found.setdefault(said, []).append(phrase("signed.marks", metric=metric_words(metric)))
    for metric, several in compared.by_metric.items():
        for comparison in several:
            found.setdefault(comparison.signature, []).append(
                phrase("signed.differences", metric=metric_words(metric))
            )
    for sheet in section.sheets:
        if sheet.header.classes is not None:
            found.setdefault(sheet.header.classes.signature, []).append(phrase("signed.classes"))
    for candidate in section.candidates:
        for metric, (said, is_ratio) in candidate.sheet.people_signatures().items():
            name = "people" if is_ratio else "people_difference"
            found.setdefault(said, []).append(phrase(f"signed.{name}", metric=metric_words(metric)))
    return [
        Signed(joined(dict.fromkeys(what), zh="、"), said) for said, what in found.items() if said
    ]


def commands(section: Section, compared: ComparedCandidates) -> list[str]:
    """The commands that make the marksheets, the comparison and this page again."""
    found = [line for candidate in section.candidates for line in _sit_and_mark(candidate)]
    found += [_people_command(sheet) for sheet in section.people]
    if compared.by_metric:
        first = section.candidates[0].sheet
        files = [candidate.sheet.name for candidate in section.candidates]
        settings = [
            word
            for name in ("trials", "draws", "confidence", "interval", "seed")
            for word in _option(first.settings.without_bca(), name)
        ]
        found += [
            shlex.join(["readmark", "compare", "TEST", *files, "-m", metric, *settings])
            for metric in compared.by_metric
        ]
    return found


def report_command(sections: Sequence[Section], output: str) -> str:
    """The command that writes the page."""
    files = [sheet.name for section in sections for sheet in section.sheets]
    return shlex.join(["readmark", "report", *files, "-o", output])


def _sit_and_mark(candidate: MarkedCandidate) -> list[str]:
    """How the candidate sat, where it was one of Readmark's, and how it was marked."""
    header = candidate.sheet.header
    if not header.signature:  # a file of answers: nobody knows where they come from
        return [_mark_command(candidate)]
    registered = header.registered or header.candidate
    words = ["readmark", "sit", "TEST", "-r", portable_name(registered)]
    words += ["--name", header.candidate] if header.registered is not None else []
    words += ["--limit", str(header.limit)] if header.limit is not None else []
    words += ["--repeats", str(header.repeats)] if header.repeats != 1 else []
    words += ["--without", header.without] if header.without is not None else []
    words += ["--cross", header.cross, "--with", "TEST2"] if header.cross is not None else []
    words += ["--rewrite", portable_name(header.rewrite)] if header.rewrite is not None else []
    shuffled = header.shuffle_options
    words += ["--shuffle-options", str(shuffled)] if shuffled is not None else []
    return [shlex.join([*words, "-o", f"SITTING:{candidate.name}"]), _mark_command(candidate)]


def _mark_command(candidate: MarkedCandidate) -> str:
    sheet = candidate.sheet
    words = ["readmark", "mark", "TEST", f"SITTING:{candidate.name}"]
    words += [word for metric in sheet.header.metrics for word in ("-m", metric)]
    words += ["--by", ",".join(sheet.recorded.by)] if sheet.recorded.by else []
    words += [word for name in sheet.header.panel for word in ("--people", f"SITTING:{name}")]
    words += _settings(sheet, ("seed", "draws", "confidence", "interval"))
    return shlex.join([*words, "-o", sheet.name])


def _people_command(sheet: Marksheet) -> str:
    words = ["readmark", "people", "TEST", *(f"SITTING:{name}" for name in sheet.header.panel)]
    words += [word for metric in sheet.header.metrics for word in ("-m", metric)]
    words += ["--by", ",".join(sheet.recorded.by)] if sheet.recorded.by else []
    words += [
        word
        for name in ("seed", "draws", "confidence", "interval")
        for word in _option(sheet.settings.without_bca(), name)
    ]
    return shlex.join([*words, "-o", sheet.name])


def _settings(sheet: Marksheet, names: Sequence[str]) -> list[str]:
    return [word for name in names for word in _option(sheet.settings, name)]


def _option(settings: MarkSettings, name: str) -> list[str]:
    """An option where it is not the default; the seed always, since it is what one looks for."""
    value = getattr(settings, name)
    default = next(field.default for field in fields(MarkSettings) if field.name == name)
    return [f"--{name}", str(value)] if value != default or name == "seed" else []
