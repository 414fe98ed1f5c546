"""Which candidates sit which tests of a run, and what their files are called."""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from readmark.core.configuration import configuration
from readmark.core.configuration_sections import RunSettings, short_path
from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.parsed_names import parse_name
from readmark.core.test import Test
from readmark.formats.inputs import as_test
from readmark.hooks import hook
from readmark.sitting import CANDIDATES


@dataclass(frozen=True, slots=True)
class Pairing:
    """A candidate on a test, and the files of it."""

    candidate: str
    sitting: Path
    marksheet: Path


@dataclass(frozen=True, slots=True)
class RunTest:
    """A test of a run with the candidates that sit it."""

    name: str
    test: Test
    pairings: Sequence[Pairing]


def paired_tests(settings: RunSettings, folder: Path) -> list[RunTest]:
    """The tests of a run, each with the candidates of its kind."""
    with of_key("tests"):
        files = [short_name(file) for file in settings.tests]
        _require_names(files, files)
        names = _test_names(files)
        wholes = [as_test(file) for file in files]
    with of_key("splits"):
        for name in settings.splits:
            if name not in names:
                raise UsageError(f"no test is called {name}; {did_you_mean(name, names)}")
    tests = [_chosen_split(settings, *pair) for pair in zip(names, wholes, strict=True)]
    with of_key("candidates"):
        canonical = [str(CANDIDATES.build(name)[0]) for name in settings.candidates]
        _require_names(settings.candidates, canonical)
        parts = [_file_name(name) for name in canonical]
        paired = []
        for name, test in zip(names, tests, strict=True):
            pairings = [
                Pairing(
                    candidate,
                    folder / f"{name}.{part}.sitting.jsonl",
                    folder / f"{name}.{part}.marks.jsonl",
                )
                for candidate, part in zip(settings.candidates, parts, strict=True)
                if _sits(candidate, test.kind.name)
            ]
            if not pairings:
                raise UsageError(
                    f"none of these candidates can sit {test.file}, a {test.kind.name} test"
                )
            paired.append(RunTest(name, test, pairings))
        sitting = {pairing.candidate for test in paired for pairing in test.pairings}
        for candidate in settings.candidates:
            if candidate not in sitting:
                raise UsageError(f"{candidate} cannot sit any of the tests")
    return paired


@contextlib.contextmanager
def of_key(*key: str) -> Iterator[None]:
    """Name the line of a key of [run] in its errors; errors in a file that exists name its own."""
    try:
        yield
    except DataError as error:
        if error.file is not None and Path(str(error.file)).exists():
            raise
        place = configuration().place(("run", *key))
        raise DataError(f"{place}: {error}") from None
    except UsageError as error:
        place = configuration().place(("run", *key))
        raise UsageError(f"{place}: {error}") from None


def _require_names(names: Sequence[str], meant: Sequence[str]) -> None:
    """Refuse an empty list, and two names that mean the same."""
    if not names:
        raise UsageError("is empty, so there is nothing to run")
    for index, name in enumerate(names):
        if meant[index] in meant[:index]:
            raise UsageError(f"{name} is listed twice")


def _chosen_split(settings: RunSettings, name: str, whole: Test) -> Test:
    if name in settings.splits:
        with of_key("splits", name):
            return whole.split(settings.splits[name])
    if settings.split is None:
        return whole
    with of_key("split"):
        return whole.split(settings.split)


def short_name(file: str) -> str:
    """A file as it is called from here; an address stays as it is."""
    return file if "://" in file else short_path(Path(file))


def _test_names(files: Sequence[str]) -> list[str]:
    """What the tests are called in the names of files: theirs, with the folder's if need be."""
    stems = [
        re.sub(r"(\.jsonl|\.json|\.zip)?(\.gz|\.zst)?$", "", Path(file).name) for file in files
    ]
    names = [
        stem if stems.count(stem) == 1 else f"{Path(file).absolute().parent.name}-{stem}"
        for stem, file in zip(stems, files, strict=True)
    ]
    return [
        name if names.count(name) == 1 else f"{name}-{names[:index].count(name) + 1}"
        for index, name in enumerate(names)
    ]


def _sits(candidate: str, kind: str) -> bool:
    base = parse_name(candidate).base
    entry = CANDIDATES.entry(base)
    kinds = entry.kinds or hook(CANDIDATES.load(base), "kinds", ())
    return not kinds or kind in kinds


def _file_name(candidate: str) -> str:
    """A candidate's name as part of a file's name, on every system."""
    safe = re.sub(r"[^A-Za-z0-9._()=,+-]+", "_", candidate)[:80]
    if safe == candidate:
        return safe
    return f"{safe}-{hashlib.sha256(candidate.encode()).hexdigest()[:8]}"
