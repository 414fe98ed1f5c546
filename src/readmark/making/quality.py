"""``readmark set quality``: signs of careless work, for somebody to look at.

Nothing is left out because of a finding. `readmark.statistics.carelessness` has the checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.text import Text

from readmark import console as options
from readmark.console import OUTPUT_FILE
from readmark.core import numbers
from readmark.core.display import ABSENT, Result, plain_table
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import DataError, UsageError
from readmark.core.numbers import listed_ids
from readmark.core.record_members import language_in, options_of, text_of
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.core.version import __version__
from readmark.core.writing import writing
from readmark.formats.people_names import person_by_file
from readmark.formats.registry import open_sitting, open_test
from readmark.formats.sheets import read_rows, write_sheet
from readmark.making.agreement.annotated_texts import layers_of, texts_of
from readmark.making.agreement.annotator import Annotator
from readmark.making.agreement.annotators import (
    annotators_in,
    files_by_language,
    open_annotators,
)
from readmark.statistics.carelessness import (
    EXPECTED,
    ItemTime,
    KnownAnswer,
    QualityFinding,
    empty_answers,
    haste,
    known_answers,
    same_answer,
    same_as_somebody,
    self_agreement,
)
from readmark.text.words import words

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
PEOPLE, QUALITY, AGAIN = "people", "hall/quality", "again"
TIMES, KNOWN = "times.csv", "known.csv"
ANSWERS, OPTION, REWRITES = "answers", "option", "rewrites"
SIGNATURE = "quality:exact|adjusted:holm|significant:0.05|interval:0.95"


@dataclass(frozen=True)
class CollectedWork:
    """What quality is judged by. Answers are by field, person and unit."""

    values: Mapping[str, Mapping[str, Mapping[str, str]]]
    again: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)
    """The answers to items that people got a second time."""
    times: Sequence[ItemTime] = ()
    known: Sequence[KnownAnswer] = ()

    @property
    def people(self) -> list[str]:
        """Everybody who did anything, by name."""
        found = {person for by_person in self.values.values() for person in by_person}
        found |= {time.person for time in self.times} | {answer.person for answer in self.known}
        return sorted(found)


@dataclass(frozen=True, slots=True)
class PersonQuality:
    """A person's figures, whether or not there is a finding about them."""

    person: str
    units: int
    known: QualityFinding | None
    repeated: tuple[QualityFinding, ...]
    timed: int
    seconds: float | None
    """The median for an item."""
    pace: float | None
    """The median of words, in Chinese characters, a minute."""


@dataclass(frozen=True)
class QualityReport(Result):
    """Everybody's figures, and what somebody should look at."""

    people: tuple[PersonQuality, ...]
    findings: tuple[QualityFinding, ...]
    expected: float = EXPECTED

    @property
    def signature(self) -> str:
        """One line that says what decided the findings."""
        return f"{SIGNATURE}|expected:{self.expected:g}|readmark:{__version__}"

    def as_json(self) -> dict[str, Any]:
        return {
            "signature": self.signature,
            "people": [asdict(person) for person in self.people],
            "findings": [
                {
                    **asdict(finding),
                    "message": message(finding),
                    "does_not_show": DOES_NOT_SHOW[finding.code],
                }
                for finding in self.findings
            ],
        }

    def show(self, console: Console) -> None:
        """A row for each person, then each finding and what it does not show."""
        table = plain_table("", "units", "known right", "same again", "seconds", "a minute")
        for one in self.people:
            table.add_row(
                one.person,
                f"{one.units:,}",
                _count(one.known),
                ", ".join(map(_count, one.repeated)) or ABSENT,
                numbers.decimal(one.seconds, 0),
                numbers.decimal(one.pace, 0),
            )
        console.print(table)
        console.print()
        for finding in self.findings:
            heading = (finding.person, "bold"), f": {message(finding)}"
            console.print(Text.assemble(*heading), soft_wrap=True)
            if finding.ids:
                console.print(f"  {listed_ids(finding.ids)}", soft_wrap=True)
            console.print(f"  {DOES_NOT_SHOW[finding.code]}", style="dim", soft_wrap=True)
        if not self.findings:
            console.print("nothing to look at")
        console.print(self.signature, style="dim", soft_wrap=True)


def _count(figure: QualityFinding | None) -> str:
    return ABSENT if figure is None else f"{figure.count}/{figure.total}"


DOES_NOT_SHOW = {
    "known_answers": "The key may be wrong, or these items harder than the others.",
    "self_agreement": "Somebody may have changed their mind for a reason.",
    "too_fast": "They may know the text already, or have read it elsewhere.",
    "faster_than_usual": "Some items take less work than their length suggests.",
    "faster_than_others": "Practice makes people quick; compare what they answered.",
    "same_answer": "The answer may be right for these units.",
    "same_as_somebody": "They may have had the same teacher. It does not show who followed whom.",
    "empty_answers": "A careful person may find no answer where others guess.",
}
"""By the code of a finding, what else may be the reason for it."""


def message(finding: QualityFinding) -> str:
    """A finding in words, with the numbers that it is made of."""
    count, total = f"{finding.count:,}", f"{finding.total:,}"
    where = f" ({finding.field})" if finding.field else ""
    share = numbers.percent(finding.count / finding.total, 0)
    if finding.low is not None and finding.high is not None:
        share += f", interval {numbers.percent_interval(finding.low, finding.high, 0)}"
    expected = "" if finding.expected is None else numbers.percent(finding.expected, 0)
    said = {
        "known_answers": f"{count} of {total} known answers right ({share}), expected {expected}",
        "self_agreement": f"{count} of {total} repeated units answered the same{where} ({share}); "
        f"two people agree on {expected}",
        "too_fast": f"{count} of {total} items read faster than people read ({share})",
        "faster_than_usual": f"{count} of {total} items in less than a fifth of their usual time "
        f"for the length ({share})",
        "faster_than_others": f"{count} of {total} items in less than a third of the others' time "
        f"({share})",
        "same_answer": f"{count} of {total} units have the same answer {finding.other!r:.60}"
        f"{where} ({share})" + (f"; by the others' answers {expected}" if expected else ""),
        "same_as_somebody": f"{count} of {total} unusual answers are those of {finding.other}"
        f"{where} ({share}); of other pairs {expected}",
        "empty_answers": f"{count} of {total} answers are empty{where} ({share}); by the others' "
        f"answers {expected}",
    }[finding.code]
    return said + (
        f"; p {numbers.p_words(finding.adjusted)} (Holm)" if finding.adjusted is not None else ""
    )


def judge_quality(work: CollectedWork, *, expected: float = EXPECTED) -> QualityReport:
    """Everybody's figures and all findings, in the order of `QUALITY_CODES`."""
    known, findings = known_answers(work.known, expected=expected)
    repeated: dict[str, list[QualityFinding]] = {}
    for name, again in work.again.items():
        figures, found = self_agreement(work.values.get(name, {}), again, field=name)
        findings += found
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
    by_known = {figure.person: figure for figure in known}
    times: dict[str, list[ItemTime]] = {}
    for time in work.times:
        if time.seconds > 0:
            times.setdefault(time.person, []).append(time)
    people = []
    for person in work.people:
        own = times.get(person, [])
        paces = [60 * time.amount / time.seconds for time in own if time.amount]
        units = {id for values in work.values.values() for id in values.get(person, ())}
        people.append(
            PersonQuality(
                person=person,
                units=len(units),
                known=by_known.get(person),
                repeated=tuple(repeated.get(person, ())),
                timed=len(own),
                seconds=median(time.seconds for time in own) if own else None,
                pace=median(paces) if paces else None,
            )
        )
    return QualityReport(tuple(people), tuple(findings), expected)


# What people returned, as files.


def reading_amount(text: str, language: str) -> int:
    """How much there is to read: words, in Chinese characters."""
    return len(words(text, "zh" if language == "zh" else "en"))


def collected_work(test: Test, files: Sequence[str]) -> CollectedWork:
    """Work of people on a test, a file each: sittings, labels or annotated tests.

    Times are those of sittings, added up for each passage. Work on other splits is left out where
    the test is one of its splits.
    """
    items, amounts, shown = _about(test)
    times: list[ItemTime] = []
    for file in files:
        seconds: dict[str, float] = {}
        for row in _rows(file, test):
            if row.seconds is not None and row.id in items:
                item = items[row.id]
                seconds[item] = seconds.get(item, 0.0) + row.seconds
        times += [
            ItemTime(person_by_file(file), item, taken, *amounts[item])
            for item, taken in seconds.items()
        ]
    values = _values(files)
    if test.whole is not None:
        values = {
            field: {
                person: {id: value for id, value in own.items() if id in items or id in amounts}
                for person, own in people.items()
            }
            for field, people in values.items()
        }
    if shown and ANSWERS in values:
        chosen = {
            person: {
                id: str(shown[id].index(answer) + 1)
                for id, answer in own.items()
                if answer in shown.get(id, ())
            }
            for person, own in values[ANSWERS].items()
        }
        values[OPTION] = {person: own for person, own in chosen.items() if own}
    return CollectedWork(values, times=times)


def _about(
    test: Test,
) -> tuple[dict[str, str], dict[str, tuple[int, str]], dict[str, tuple[str, ...]]]:
    """The record of each unit, how much each record has to read, and the options of questions."""
    items: dict[str, str] = {}
    amounts: dict[str, tuple[int, str]] = {}
    shown: dict[str, tuple[str, ...]] = {}
    for record in test.records():
        language = language_in(record) or test.language or "en"
        amounts[record.id] = reading_amount(text_of(record) or "", language), language
        for unit in test.kind.units(record):
            items[unit.id] = record.id
            if options := options_of(unit.item):
                shown[unit.id] = options
    return items, amounts, shown


def _rows(file: str, test: Test) -> Iterator[Any]:
    """The rows of a file that is a sitting; none of any other."""
    try:
        sitting: Sitting = open_sitting(file, test.kind)
    except DataError:
        return
    for id in sitting:
        yield sitting.of(id)[0]


def exported_work(folder: str | Path) -> CollectedWork:
    """The work in an export of the exam hall."""
    base = Path(folder)
    files = [str(path) for path in sorted((base / PEOPLE).glob("*"))]
    if not files:
        raise DataError(f"has no folder {PEOPLE} with work in it", file=base)
    again = [str(path) for path in sorted((base / QUALITY / AGAIN / PEOPLE).glob("*"))]
    return CollectedWork(
        _values(files),
        _values(again),
        tuple(_times(base / QUALITY / TIMES)),
        tuple(_known(base / QUALITY / KNOWN)),
    )


def export_quality(folder: str | Path, *, expected: float = EXPECTED) -> QualityReport:
    """The quality of the work in an export of the exam hall."""
    return judge_quality(exported_work(folder), expected=expected)


def write_quality_checks(
    folder: Path,
    times: Sequence[ItemTime],
    known: Sequence[KnownAnswer],
    write_again: Callable[[Path], object] | None = None,
) -> None:
    """Write what `export_quality` reads of an export besides people's work, where there is any.

    ``write_again`` writes into a folder the work on items that people got a second time.
    """
    own = folder / QUALITY
    if times or known or write_again is not None:
        own.mkdir(parents=True)
    if times:
        rows = [
            (time.person, time.item, f"{time.seconds:.3f}", time.amount, time.language)
            for time in times
        ]
        write_sheet(own / TIMES, ("person", "id", "seconds", "amount", "language"), rows)
    if known:
        marked = [
            (answer.person, answer.item, "yes" if answer.is_right else "no") for answer in known
        ]
        write_sheet(own / KNOWN, ("person", "id", "right"), marked)
    if write_again is not None:
        write_again(own / AGAIN)


def _times(path: Path) -> Iterator[ItemTime]:
    for place, row in read_rows(path, ("person", "id", "seconds")) if path.exists() else ():
        try:
            seconds, amount = float(row["seconds"]), int(row.get("amount") or 0)
        except (TypeError, ValueError):
            message = f"seconds is {row['seconds']!r:.40}, expected a number"
            raise DataError(message, file=path, where=place) from None
        language = str(row.get("language") or "en")
        yield ItemTime(str(row["person"]), str(row["id"]), seconds, amount, language)


def _known(path: Path) -> Iterator[KnownAnswer]:
    for place, row in read_rows(path, ("person", "id", "right")) if path.exists() else ():
        if row["right"] not in ("yes", "no"):
            message = f"right is {row['right']!r:.40}, expected yes or no"
            raise DataError(message, file=path, where=place)
        yield KnownAnswer(str(row["person"]), str(row["id"]), row["right"] == "yes")


def _values(files: Sequence[str]) -> dict[str, dict[str, dict[str, str]]]:
    """Everybody's answers by field; those in two languages are of two fields."""
    values: dict[str, dict[str, dict[str, str]]] = {}
    groups = files_by_language(files)
    for language in groups or [None]:
        own_files = groups[language] if language else files
        if len(own_files) > 1:
            people = open_annotators(own_files, language=language)
        else:
            people = [one for file in own_files for one in annotators_in(file, language=language)]
        for person in people:
            for name, answers in _answers(person):
                field = f"{language}:{name}" if language else name
                values.setdefault(field, {}).setdefault(person.name, {}).update(answers)
    return values


def _answers(person: Annotator) -> Iterator[tuple[str, dict[str, str]]]:
    """A person's answers by field: labels, answers, and layers as one text for each record."""
    for name in person.fields:
        yield name, {id: own[name] for id, own in person.labels.items() if name in own}
    if person.rewrites:
        yield REWRITES, {id: "\n".join(golds) for id, golds in person.rewrites.items()}
    elif person.answers:
        yield ANSWERS, {id: answer.text for id, answer in person.answers.items()}
    for name in layers_of(person):
        layers = {
            id: [
                [part.owner, layer.spans, layer.columns]
                for part in texts_of(record)
                if (layer := part.layers.get(name)) is not None
            ]
            for id, record in person.records.items()
        }
        encode = msgspec.json.Encoder(order="deterministic").encode
        yield name, {id: encode(own).decode() for id, own in layers.items() if own}


@click.command("quality")
@click.argument("files", nargs=-1, required=True, metavar="EXPORT | TEST WORK...")
@click.option(
    "--expected",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=EXPECTED,
    show_default=True,
    help="Share of known answers that a careful person gets right",
)
@click.option(
    "-o", "--output", metavar="REPORT", help="Write the report to this JSON file.", type=OUTPUT_FILE
)
@options.split_option
@options.from_option
@options.json_option
def quality_command(
    files: tuple[str, ...],
    expected: float,
    output: str | None,
    split: str | None,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Look for signs of careless work: known answers, repeats, haste, patterns of answers.

    EXPORT is a folder that `hall export` wrote. TEST is a test, and each WORK a person's file:
    a sitting, labels or an annotated test. Every finding has its numbers and what it does not
    show. Nothing is left out because of one.
    """
    if output is not None:
        require_distinct_files([output], files)
    if len(files) > 1:
        work = collected_work(open_test(files[0], format=from_format, split=split), files[1:])
    elif split is not None or from_format is not None:
        raise UsageError("--split and --from are for a test and people's work, not for an export")
    elif Path(files[0]).is_dir():
        work = exported_work(files[0])
    else:
        raise UsageError(f"{files[0]} is not a folder: name an export, or a test and people's work")
    report = judge_quality(work, expected=expected)
    if output is not None:
        with writing(output) as stream:
            stream.write(msgspec.json.format(msgspec.json.encode(report.as_json())) + b"\n")
    options.print_result(report, as_json=as_json)
