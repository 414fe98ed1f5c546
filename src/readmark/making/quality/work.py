"""What quality is judged by: people's answers and times, from files or an export of the hall."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.record_members import language_in, options_of, text_of
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.formats.people_names import person_by_file
from readmark.formats.registry import open_sitting
from readmark.formats.sheets import read_rows, write_sheet
from readmark.making.agreement.annotated_texts import layers_of, texts_of
from readmark.making.agreement.annotator import Annotator
from readmark.making.agreement.annotators import (
    annotators_in,
    files_by_language,
    open_annotators,
)
from readmark.statistics.carelessness import ItemTime, KnownAnswer
from readmark.text.words import words

PEOPLE, QUALITY, AGAIN = "people", "hall/quality", "again"
TIMES, KNOWN = "times.csv", "known.csv"
_encode = msgspec.json.Encoder(order="deterministic").encode

ANSWERS, OPTION, REWRITES = "answers", "option", "rewrites"


@dataclass(frozen=True)
class CollectedWork:
    """People's work; answers are by field, person and unit."""

    values: Mapping[str, Mapping[str, Mapping[str, str]]]
    again: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)
    """The answers to items that people got a second time."""
    times: Sequence[ItemTime] = ()
    known: Sequence[KnownAnswer] = ()

    @property
    def people(self) -> list[str]:
        """Everybody who did anything, by name."""
        people = {person for by_person in self.values.values() for person in by_person}
        people |= {time.person for time in self.times}
        people |= {answer.person for answer in self.known}
        return sorted(people)


def reading_amount(text: str, language: str) -> int:
    """How much there is to read: words, in Chinese characters."""
    return len(words(text, "zh" if language == "zh" else "en"))


def collected_work(test: Test, files: Sequence[str]) -> CollectedWork:
    """Work of people on a test, a file each: sittings, labels or annotated tests.

    Times are those of sittings, added up for each passage. Work on other splits is left out where
    the test is one of its splits.
    """
    items, amounts, options = _items_and_options(test)
    times: list[ItemTime] = []
    for file in files:
        seconds: dict[str, float] = {}
        for row in _rows(file, test):
            if row.seconds is not None and row.id in items:
                item = items[row.id]
                seconds[item] = seconds.get(item, 0.0) + row.seconds
        times += [
            ItemTime(person_by_file(file), item, spent, *amounts[item])
            for item, spent in seconds.items()
        ]
    values = _values(files)
    if test.whole is not None:
        values = {
            field: {
                person: {id: value for id, value in answers.items() if id in items or id in amounts}
                for person, answers in people.items()
            }
            for field, people in values.items()
        }
    if options and ANSWERS in values:
        # The number of the option that was chosen, which shows who always takes the first.
        chosen = {
            person: {
                id: str(options[id].index(answer) + 1)
                for id, answer in answers.items()
                if answer in options.get(id, ())
            }
            for person, answers in values[ANSWERS].items()
        }
        values[OPTION] = {person: numbers for person, numbers in chosen.items() if numbers}
    return CollectedWork(values, times=times)


def _items_and_options(
    test: Test,
) -> tuple[dict[str, str], dict[str, tuple[int, str]], dict[str, tuple[str, ...]]]:
    """The record of each unit, how much each record has to read, and the options of questions."""
    items: dict[str, str] = {}
    amounts: dict[str, tuple[int, str]] = {}
    options: dict[str, tuple[str, ...]] = {}
    for record in test.records():
        language = language_in(record) or test.language or "en"
        amounts[record.id] = reading_amount(text_of(record) or "", language), language
        for unit in test.kind.units(record):
            items[unit.id] = record.id
            if unit_options := options_of(unit.item):
                options[unit.id] = unit_options
    return items, amounts, options


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


def write_quality_checks(
    folder: Path,
    times: Sequence[ItemTime],
    known: Sequence[KnownAnswer],
    write_again: Callable[[Path], object] | None = None,
) -> None:
    """Write what `export_quality` reads from an export besides people's work, where there is any.

    ``write_again`` writes into a folder the work on items that people got a second time.
    """
    quality_folder = folder / QUALITY
    if times or known or write_again is not None:
        quality_folder.mkdir(parents=True)
    if times:
        rows = [
            (time.person, time.item, f"{time.seconds:.3f}", time.amount, time.language)
            for time in times
        ]
        write_sheet(quality_folder / TIMES, ("person", "id", "seconds", "amount", "language"), rows)
    if known:
        marked = [
            (answer.person, answer.item, "yes" if answer.is_right else "no") for answer in known
        ]
        write_sheet(quality_folder / KNOWN, ("person", "id", "right"), marked)
    if write_again is not None:
        write_again(quality_folder / AGAIN)


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
        in_language = groups[language] if language else files
        if len(in_language) > 1:
            people = open_annotators(in_language, language=language)
        else:
            people = [
                person for file in in_language for person in annotators_in(file, language=language)
            ]
        for person in people:
            for name, answers in _answers(person):
                field = f"{language}:{name}" if language else name
                values.setdefault(field, {}).setdefault(person.name, {}).update(answers)
    return values


def _answers(person: Annotator) -> Iterator[tuple[str, dict[str, str]]]:
    """A person's answers by field: labels, answers, and layers as one text for each record."""
    for name in person.fields:
        yield name, {id: labels[name] for id, labels in person.labels.items() if name in labels}
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
        yield name, {id: _encode(layer).decode() for id, layer in layers.items() if layer}
