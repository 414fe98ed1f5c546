"""Structural checks of a test: everything that can be checked without knowing the language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, combinations
from typing import Any

from readmark.core.counts import counted
from readmark.core.errors import DataError
from readmark.core.kinds import Finding
from readmark.core.problems import Problem, ignore, of_owner, problem_of
from readmark.core.record_members import split_of
from readmark.core.records import Passage
from readmark.core.test import RecordPlace, Test
from readmark.formats.kind_extras import ChecksWholeTests
from readmark.formats.registry import open_languages

# The two languages of a parallel corpus compared: two tests with equal parallel ids.


FAR_RATIO = 1.5
FAR_DIFFERENCE = 5
"""Passages are far apart when one has over so many times, and so many more, noun phrases."""


def phrase_count_findings(tests: Iterable[Test], *, across: bool = False) -> Iterator[Problem]:
    """Parallel passages whose noun phrases differ much in number, reported for the later test.

    With ``across`` only tests of different files are compared.
    """
    counted_tests = [(test, *found) for test in tests if (found := _count(test)) is not None]
    for (one, language, first), (other, second_language, second) in combinations(counted_tests, 2):
        if language == second_language or (across and one.file == other.file):
            continue
        for parallel, (place, id, phrases) in second.items():
            if parallel in first and is_far(first[parallel][2], phrases):
                of = "" if one.file == other.file else f" in {one.file}"
                message = f"{counted(phrases, 'noun phrase')}, its {language} parallel{of} has "
                message += str(first[parallel][2])
                yield of_owner(other.file, place, id, "np_count", message, "warning")


def is_far(one: int, other: int) -> bool:
    """Whether two counts of noun phrases are far apart."""
    few, many = sorted((one, other))
    return many - few > FAR_DIFFERENCE and many > FAR_RATIO * few


def _count(test: Test) -> tuple[str, dict[str, tuple[RecordPlace, str, int]]] | None:
    """By parallel id, a passage's place, id and noun phrases; None for what is unsound."""
    if test.kind.record is not Passage:
        return None
    found: dict[str, tuple[RecordPlace, str, int]] = {}
    try:
        for place, passage in test.stream(ignore):
            np = passage.layers.get("np")
            if passage.parallel is not None and np is not None:
                found[passage.parallel] = place, passage.id, len(np.spans)
        return (test.language, found) if found else None
    except DataError:
        return None  # the check of that test reports it


def check(
    path: str | Test, *, format: str | None = None, split: str | None = None
) -> Iterator[Problem]:
    """Every problem of a test, in the order of the file; a file in two languages is two tests."""
    if isinstance(path, Test):
        yield from _check(path)
        return
    try:
        first, *others = open_languages(path, format=format, split=split)
    except DataError as error:
        yield problem_of(error, path)
        return
    problems = _check(first)
    if others:
        # What is wrong with the file is found in the test of each language.
        problems = iter(dict.fromkeys(chain(problems, *map(_check, others))))
    yield from problems
    if others:
        yield from phrase_count_findings([first, *others])


def check_together(
    paths: Sequence[str], *, format: str | None = None, split: str | None = None
) -> Iterator[Problem]:
    """What only shows between files: passages of a parallel corpus that are far apart."""
    if len(paths) > 1:
        tests = []
        for path in dict.fromkeys(paths):
            with suppress(DataError):  # the check of that file reports it
                tests += open_languages(path, format=format, split=split)
        yield from phrase_count_findings(tests, across=True)


def _check(test: Test) -> Iterator[Problem]:
    waiting: list[Problem] = []
    try:
        records = units = 0
        sound = True
        splits: set[str | None] = set()
        for place, record in test.placed(waiting.append):
            records += 1
            splits.add(split_of(record))
            units += sum(1 for _ in test.kind.units(record))
            sound = sound and not waiting
            yield from waiting
            waiting.clear()
            for owner, code, message in record_findings(test, record):
                yield of_owner(test.file, place, owner, code, message)
        sound = sound and not waiting
        yield from waiting
        for name in test.header.hidden:
            if name not in splits:
                yield Problem(test.file, 1, "hidden", f"no record is of the hidden split {name!r}")
        if records and not units and sound:
            yield Problem(test.file, 1, "no_questions", "the test has nothing to answer", "warning")
        if not records and not waiting:
            yield Problem(test.file, 1, "empty", "the test has no records")
    except DataError as error:
        yield from waiting
        yield problem_of(error, test.file)


def record_findings(test: Test, record: Any) -> Iterator[Finding]:
    """What is wrong in a record: in its structure, and given the whole test."""
    yield from test.kind.findings(record)
    if isinstance(test.kind, ChecksWholeTests):
        yield from test.kind.test_findings(record, test)
