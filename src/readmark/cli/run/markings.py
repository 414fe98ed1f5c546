"""How each test of a run is marked: with the people, metrics and fields that fit it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from readmark.cli.run.pairings import RunTest, of_key, short_name
from readmark.core.binding import sat_splits
from readmark.core.configuration_sections import RunSettings
from readmark.core.errors import ReadmarkError, UsageError
from readmark.formats.inputs import as_sitting
from readmark.marking import (
    METRICS,
    MarkSettings,
    derived_fields,
    known_fields,
    usual_fields,
)


def markings(settings: RunSettings, tests: Sequence[RunTest]) -> dict[str, MarkSettings]:
    """How each test is marked: with the people, metrics and fields of a run that fit it."""
    with of_key("people"):
        people = _people_by_test(settings.people, tests)
    with of_key("metrics"):
        metrics = _metrics_by_test(settings.metrics, tests)
    with of_key("by"):
        fields = _fields_by_test(settings.by, tests)
    return {
        test.name: MarkSettings(
            metrics=metrics[test.name],
            by=fields[test.name],
            people=people[test.name],
            seed=settings.seed,
            draws=settings.draws,
            trials=settings.trials,
        )
        for test in tests
    }


def optional_fields(settings: RunSettings, tests: Sequence[RunTest]) -> frozenset[str]:
    """Computed fields that nobody named: the report shows those whose slices are large."""
    if settings.by:
        return frozenset()
    usual = {name for test in tests for name in usual_fields(test.test)}
    computed = {name for test in tests for name in derived_fields(test.test)}
    return frozenset(computed - usual)


def _people_by_test(files: Sequence[str], tests: Sequence[RunTest]) -> dict[str, list[str]]:
    """Each person's sitting goes with the tests that it is of; one of no test is an error."""
    people: dict[str, list[str]] = {test.name: [] for test in tests}
    for file in _sittings_in(files):
        problem: ReadmarkError | None = None
        for test in tests:
            try:
                sat_splits(test.test, as_sitting(file, test.test.kind))
            except ReadmarkError as error:
                problem = problem or error
            else:
                people[test.name].append(file)
        if problem is not None and not any(file in sittings for sittings in people.values()):
            raise problem
    return people


def _sittings_in(files: Sequence[str]) -> Iterator[str]:
    """Files, and those in folders; a folder of a sitting's parts is one sitting."""
    for file in map(short_name, files):
        inside = sorted(Path(file).iterdir()) if Path(file).is_dir() else []
        if inside and not any(path.name.startswith("part-") for path in inside):
            yield from (os.fspath(path) for path in inside if not path.name.startswith("."))
        else:
            yield file


def _metrics_by_test(metrics: Sequence[str], tests: Sequence[RunTest]) -> dict[str, list[str]]:
    """The metrics that mark each kind of test; without any the kind's own are taken."""
    chosen: dict[str, list[str]] = {test.name: [] for test in tests}
    for metric in metrics:
        kinds = METRICS.kinds(metric)
        fitting = [test for test in tests if not kinds or test.test.kind.name in kinds]
        if not fitting:
            raise UsageError(f"{metric} cannot mark any of the tests")
        for test in fitting:
            chosen[test.name].append(metric)
    return chosen


def _fields_by_test(fields: Sequence[str], tests: Sequence[RunTest]) -> dict[str, list[str]]:
    """The fields that each test has; one that no test has is an error.

    Without any, they are those of a report of the test.
    """
    if not fields:
        return {
            test.name: list(dict.fromkeys([*usual_fields(test.test), *derived_fields(test.test)]))
            for test in tests
        }
    chosen: dict[str, list[str]] = {test.name: [] for test in tests}
    for name in fields:
        problem: UsageError | None = None
        for test in tests:
            try:
                chosen[test.name] += known_fields(test.test, [name])
            except UsageError as error:
                problem = problem or error
        if problem is not None and not any(name in fields for fields in chosen.values()):
            raise problem
    return chosen
