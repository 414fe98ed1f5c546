"""The story of the demo: the sentences and tables of each chapter.

The sentences are in the bundle (``story.toml``); here they get their figures and examples, which
are looked up in the marks, so that they stay true when a bundled model changes.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

from rich.table import Table

from readmark.cli.run.results import SatTest
from readmark.core import numbers
from readmark.core.display import ABSENT, plain_table
from readmark.core.sitting import Row
from readmark.formats.inputs import as_sitting
from readmark.marking import Marks, PeopleComparison

StoryPart = str | Table | Sequence[str]
"""A paragraph, a table, or lines that are cut to the terminal's width."""

STORY: Mapping[str, Any] = tomllib.loads(
    files("readmark.bundle").joinpath("story.toml").read_text(encoding="utf-8")
)
LANGUAGES = {"en": "English", "zh": "Chinese"}
WORD_READERS = ("span",)
"""The readers that answer in words; the others choose a sentence."""


def _reading(tests: Sequence[SatTest], says: Mapping[str, str]) -> Iterator[StoryPart]:
    facts = tests[0].test.facts
    yield says["readers"].format(units=facts.units, records=facts.records)
    for test in tests:
        p_of = {
            comparison.b: numbers.p_value(comparison.decisive_p)
            for comparison in test.comparisons or ()
            if comparison.metric == "humsent"  # all readers have a sentence
        }
        table = plain_table(_language(test), "humsent", "interval", "p", "em", "f1")
        for marks in test.marks:
            has_words = marks.candidate in WORD_READERS
            words = [_scored(marks, name)[0] if has_words else ABSENT for name in ("em", "f1")]
            p = p_of.get(marks.candidate, "")
            table.add_row(marks.candidate, *_scored(marks, "humsent"), p, *words)
        yield table
    yield _reading_example(tests[0])
    yield says["levels"]
    for test in tests:
        yield _levels_table(test)


def _levels_table(test: SatTest) -> Table:
    """Readers and references on the same units and sets, a column for each level."""
    readers = test.marks
    last = readers[-1].people
    levels = [*(last.by.get("level", ()) if last is not None else ()), None]
    table = plain_table(f"{_language(test)}, by level", *(level or "all" for level in levels))
    if last is None:
        return table
    units = [last.units if level is None else last.by["level"][level].units for level in levels]
    table.add_row("questions", *(f"{count:,}" for count in units))
    rows = [(marks, "humsent") for marks in readers]
    rows += [(marks, "f1") for marks in readers if marks.candidate in WORD_READERS]
    for marks, metric in rows:
        scores = [_compared(marks, level)[metric].machine for level in levels]
        cells = (numbers.mark(score, 100) for score in scores)
        table.add_row(f"{marks.candidate}, {metric}", *cells)
    people = [_compared(readers[-1], level)["f1"].people for level in levels]
    table.add_row("references, f1", *(numbers.mark(score, 100) for score in people))
    return table


def _reading_example(test: SatTest) -> list[str]:
    """A question that the last reader answers exactly, while the first chooses another sentence."""
    readers, answers = test.marks, _answers(test)
    values = [marks.per_unit() for marks in readers]
    for unit in test.test.units():
        if values[-1][unit.id]["em"] == 1 and values[0][unit.id]["humsent"] == 0:
            lines = [f"For example: {unit.item.text}"]
            for marks, value, rows in zip(readers, values, answers, strict=True):
                verdict = "right" if value[unit.id]["humsent"] == 1 else "wrong"
                lines.append(f"  {marks.candidate:<8}  {verdict}  {rows[unit.id].text}")
            return lines
    return []


def _rewriting(tests: Sequence[SatTest], says: Mapping[str, str]) -> Iterator[StoryPart]:
    # The shortest question that the last rewriter changes into a gold one.
    values, rows = tests[0].marks[-1].per_unit(), _answers(tests[0])[-1]
    changed = [
        (unit.item.text, rewrite)
        for unit in tests[0].test.units()
        if values.get(unit.id, {}).get("exact") == 1
        and (rewrite := rows[unit.id].text) != unit.item.text
    ]
    question, rewrite = min(changed, key=lambda pair: len(pair[0]))
    yield says["rewriters"].format(question=question, rewrite=rewrite)
    heads = [head for test in tests for head in (f"{_language(test)}\njaccard", "\ninterval")]
    table = plain_table("\nrewriter", *heads)
    for rewriter in zip(*(test.marks for test in tests), strict=True):
        cells = [cell for marks in rewriter for cell in _scored(marks, "jaccard")]
        table.add_row(rewriter[0].candidate, *cells)
    yield table


def _rating(tests: Sequence[SatTest], says: Mapping[str, str]) -> Iterator[StoryPart]:
    for test in tests:
        yield says["raters"].format(units=test.test.facts.units)
        table = plain_table("rater", "pearson", "interval")
        for marks in test.marks:
            table.add_row(marks.candidate, *_scored(marks, "pearson"))
        if novices := _compared(test.marks[0]).get("pearson"):
            table.add_row("novices, on average", numbers.mark(novices.people, 1), "")
        yield table


def _reading_tasks(tests: Sequence[SatTest], says: Mapping[str, str]) -> Iterator[StoryPart]:
    units = sum(test.test.facts.units for test in tests)
    records = sum(test.test.facts.records for test in tests)
    yield says["extractors"].format(units=f"{units:,}", records=records)
    for test in tests:
        table = plain_table(_language(test), "facts", "interval", "inferences")
        for marks in test.marks:
            table.add_row(
                marks.candidate, *_scored(marks, "facts"), _scored(marks, "inferences")[0]
            )
        if people := _compared(test.marks[0]):
            stated, inferred = (
                numbers.mark(people[name].people, 100) for name in ("facts", "inferences")
            )
            table.add_row("people, on average", stated, "", inferred)
        yield table
    # The shortest derivation of an inferred answer that the first extractor gets right.
    first, rows = tests[0].marks[0], _answers(tests[0])[0]
    values = first.per_unit()
    derivations = [
        (len(derivation), unit.item.text, derivation)
        for unit in tests[0].test.units()
        if values.get(unit.id, {}).get("inferences") == 1
        for binding in rows[unit.id].answer or ()
        if (derivation := binding.get("derivation")) and binding.get("inferred")
    ]
    if derivations:
        _, text, derivation = min(derivations)
        intro = says["derived"].format(candidate=first.candidate)
        yield [intro, f"  {text}", *(f"  {line}" for line in derivation.splitlines())]


def _answers(test: SatTest) -> list[dict[str, Row]]:
    """Each candidate's rows, by unit; none was asked several times."""
    sittings = [as_sitting(sat.pairing.sitting, test.test.kind) for sat in test.marked]
    return [
        {id: row for id, row in sitting.rows.items() if isinstance(row, Row)}
        for sitting in sittings
    ]


def _scored(marks: Marks, metric: str) -> tuple[str, str]:
    """A mark and its interval."""
    mark = marks[metric]
    interval = numbers.interval(mark.low, mark.high, mark.scale)
    return numbers.mark(mark.score, mark.scale), interval


def _compared(marks: Marks, level: str | None = None) -> Mapping[str, PeopleComparison]:
    """A candidate compared with people, at a level or overall."""
    people = marks.people
    if people is None:
        return {}
    return people.marks if level is None else people.by["level"][level].marks


def _language(test: SatTest) -> str:
    return LANGUAGES.get(test.test.language, test.test.language)


CHAPTERS: Mapping[str, Callable[[Sequence[SatTest], Mapping[str, str]], Iterator[StoryPart]]] = {
    "reading": _reading,
    "series": _rewriting,
    "readability": _rating,
    "task": _reading_tasks,
}
"""What writes the chapter on a bundled test, by the first part of the test's file name."""
