"""Where every number comes from: signatures, and the commands that make them again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, fields

from readmark.marking import MarkSettings, Marksheet
from readmark.reporting.page.bilingual import Text, joined
from readmark.reporting.page.comparisons import ComparedCandidates
from readmark.reporting.page.metric_names import metric_words
from readmark.reporting.page.sections import MarkedCandidate, Section, portable_name
from readmark.reporting.page.words import phrase


@dataclass(frozen=True, slots=True)
class Signed:
    """Which numbers a signature describes."""

    what: Text
    signature: str


def signatures(section: Section, compared: ComparedCandidates) -> list[Signed]:
    """Every signature once, with what it describes."""
    numbers: dict[str, list[Text]] = {}

    def describe(signature: str, what: Text) -> None:
        numbers.setdefault(signature, []).append(what)

    for sheet in section.sheets:
        for metric, mark in sheet.recorded.marks.items():
            signature = mark.signature or sheet.header.metrics.get(metric, "")
            describe(signature, phrase("signed.marks", metric=metric_words(metric)))
    for metric, comparisons in compared.by_metric.items():
        for comparison in comparisons:
            difference = phrase("signed.differences", metric=metric_words(metric))
            describe(comparison.signature, difference)
    for sheet in section.sheets:
        if sheet.header.classes is not None:
            describe(sheet.header.classes.signature, phrase("signed.classes"))
    for candidate in section.candidates:
        for metric, (signature, is_ratio) in candidate.sheet.people_signatures().items():
            name = "people" if is_ratio else "people_difference"
            describe(signature, phrase(f"signed.{name}", metric=metric_words(metric)))
    return [
        Signed(joined(dict.fromkeys(what), zh="、"), signature)
        for signature, what in numbers.items()
        if signature
    ]


def commands(section: Section, compared: ComparedCandidates) -> list[str]:
    """The commands that make the marksheets, the comparison and this page again."""
    lines = [line for candidate in section.candidates for line in _sit_and_mark(candidate)]
    lines += [_people_command(sheet) for sheet in section.people]
    if compared.by_metric:
        settings = section.candidates[0].sheet.settings.without_bca()
        files = [candidate.sheet.name for candidate in section.candidates]
        options = _options(settings, "trials", "draws", "confidence", "interval", "seed")
        lines += [
            shlex.join(["readmark", "compare", "TEST", *files, "-m", metric, *options])
            for metric in compared.by_metric
        ]
    return lines


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
    words += _options(sheet.settings, "seed", "draws", "confidence", "interval")
    return shlex.join([*words, "-o", sheet.name])


def _people_command(sheet: Marksheet) -> str:
    words = ["readmark", "people", "TEST", *(f"SITTING:{name}" for name in sheet.header.panel)]
    words += [word for metric in sheet.header.metrics for word in ("-m", metric)]
    words += ["--by", ",".join(sheet.recorded.by)] if sheet.recorded.by else []
    words += _options(sheet.settings.without_bca(), "seed", "draws", "confidence", "interval")
    return shlex.join([*words, "-o", sheet.name])


def _options(settings: MarkSettings, *names: str) -> list[str]:
    """Options that are not the default; the seed always, since it is what people look for."""
    defaults = {field.name: field.default for field in fields(MarkSettings)}
    words: list[str] = []
    for name in names:
        value = getattr(settings, name)
        if value != defaults[name] or name == "seed":
            words += [f"--{name}", str(value)]
    return words
