"""Structural checks of a test: everything that can be checked without knowing the language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from readmark.core.errors import DataError
from readmark.core.kinds import Finding
from readmark.core.problems import Problem, of_owner, problem_of
from readmark.core.record_members import split_of
from readmark.core.test import Test
from readmark.formats.kind_extras import ChecksWholeTests
from readmark.formats.parallel_checks import phrase_count_findings
from readmark.formats.registry import open_languages


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
    # Problems of reading are collected while a record is made, and come before its findings.
    reading_problems: list[Problem] = []
    try:
        records = units = 0
        is_sound = True
        splits: set[str | None] = set()
        for place, record in test.placed(reading_problems.append):
            records += 1
            splits.add(split_of(record))
            units += sum(1 for _ in test.kind.units(record))
            is_sound = is_sound and not reading_problems
            yield from reading_problems
            reading_problems.clear()
            for owner, code, message in record_findings(test, record):
                yield of_owner(test.file, place, owner, code, message)
        is_sound = is_sound and not reading_problems
        yield from reading_problems
        for name in test.header.hidden:
            if name not in splits:
                yield Problem(test.file, 1, "hidden", f"no record is of the hidden split {name!r}")
        if records and not units and is_sound:
            yield Problem(test.file, 1, "no_questions", "the test has nothing to answer", "warning")
        if not records and not reading_problems:
            yield Problem(test.file, 1, "empty", "the test has no records")
    except DataError as error:
        yield from reading_problems
        yield problem_of(error, test.file)


def record_findings(test: Test, record: Any) -> Iterator[Finding]:
    """What is wrong in a record: in its structure, and given the whole test."""
    yield from test.kind.findings(record)
    if isinstance(test.kind, ChecksWholeTests):
        yield from test.kind.test_findings(record, test)
