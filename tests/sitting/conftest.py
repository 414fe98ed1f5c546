"""Candidates of a package that is plugged in for one test, and a test for them to sit."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import readmark
from made import asked, comprehension, passage
from misbehaving_candidates import forget, plug_in
from readmark.core.kinds import KINDS
from readmark.core.test import Header, Test, in_memory
from readmark.marking.metrics import METRICS
from readmark.series.records import Series, SeriesQuestion
from readmark.sitting.candidates import CANDIDATES

Sit = Callable[..., Any]


@pytest.fixture(autouse=True)
def plugged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The understudies are registered, here and in worker processes."""
    folder = plug_in(tmp_path / "plugged")
    monkeypatch.syspath_prepend(str(folder))
    forget(CANDIDATES, KINDS, METRICS)
    yield folder
    forget(CANDIDATES, KINDS, METRICS)


@pytest.fixture
def six() -> Test:
    """Six questions on three passages."""
    return comprehension(
        passage("p1", asked("q1", "q1!"), asked("q2", "q2!", "other"), asked("q3", "q")),
        passage("p2", asked("q4", "boats"), asked("q5", "q5!")),
        passage("p3", asked("q6", "kettle")),
    )


@pytest.fixture
def rover() -> Test:
    """A series of questions on one target."""
    return in_memory(
        Header(name="rover", kind="series"),
        [
            Series(
                id="s",
                target="Lunokhod 1",
                questions=(
                    SeriesQuestion(id="q1", text="When?"),
                    SeriesQuestion(id="q2", text="Who?"),
                ),
            )
        ],
    )


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Where the sitting goes."""
    return tmp_path / "sitting.jsonl"


@pytest.fixture
def sit(six: Test, journal: Path) -> Sit:
    """Sits the test of six questions."""

    def run(candidate: str, **options: Any) -> Any:
        return readmark.sit(six, candidate, journal, **options)

    return run
