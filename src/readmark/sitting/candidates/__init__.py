"""The candidates: readers, rewriters and whoever else can sit a test. One registry for all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

import msgspec

from readmark.corpus.errors import ReadmarkError, UsageError
from readmark.corpus.kinds import Kind
from readmark.corpus.names import Name
from readmark.corpus.registry import Entry, Registry
from readmark.corpus.sitting import Row
from readmark.corpus.test import Test
from readmark.corpus.values import Unit


class Candidate(Protocol):
    """Whoever takes units and gives rows as they come, in any order.

    A dataclass: its fields are the candidate's parameters. It sees papers only. It may have
    ``kinds``, the kinds of test that it sits, and ``needs``, the layers of the key that it wants.
    """

    def prepare(self, kind: Kind, language: str) -> None:
        """Load what is needed, once in every process, before the first unit."""

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        """A row a unit; what goes wrong with one unit is that unit's row."""

    def signature(self) -> Mapping[str, Any]:
        """Everything that decides the answers, library versions included."""


_COMPREHENSION = ("comprehension",)
_SERIES = ("series",)

CANDIDATES = Registry(
    "candidate",
    "readmark.candidates",
    {
        "lead": Entry(
            "readmark.sitting.candidates.lead:Lead",
            "the first sentence of the passage",
            _COMPREHENSION,
            embedded=True,
        ),
        "longest_overlap": Entry(
            "readmark.sitting.candidates.longest_overlap:LongestOverlap",
            "the sentence that shares most words with the question",
            _COMPREHENSION,
            embedded=True,
        ),
        "keyed": Entry(
            "readmark.sitting.candidates.keyed:Keyed",
            "answers from a file: people's, or another system's",
            ("comprehension", "series", "readability", "task"),
        ),
        "none": Entry(
            "readmark.sitting.candidates.none:Unchanged",
            "the question as it stands",
            _SERIES,
            embedded=True,
        ),
        "append": Entry(
            "readmark.sitting.candidates.append:AppendTarget",
            "the question with the target appended",
            _SERIES,
            embedded=True,
        ),
    },
)

SITS = {
    "readers": "comprehension",
    "rewriters": "series",
    "raters": "readability",
    "extractors": "task",
}
"""What candidates of each kind of test are called."""


def build_candidate(text: str | Name, test: Test) -> tuple[str, Candidate]:
    """The candidate asked for by its canonical name, fit for the kind of test."""
    name, candidate = CANDIDATES.build(text)
    kinds = CANDIDATES.entry(name.base).kinds or getattr(candidate, "kinds", ())
    if kinds and test.kind.name not in kinds:
        raise UsageError(
            f"candidate {name.base} sits {', '.join(kinds)} tests, this one is {test.kind.name}"
        )
    return str(name), candidate


def make_ready(name: str, candidate: Candidate, kind: Kind, language: str) -> dict[str, Any]:
    """Prepare a candidate and take its signature; what goes wrong there is told in one line."""
    try:
        candidate.prepare(kind, language)
        signature: dict[str, Any] = msgspec.to_builtins(dict(candidate.signature()))
    except ReadmarkError:
        raise
    except Exception as error:  # a model that is not there, a device that does not answer
        raise ReadmarkError(f"candidate {name} cannot sit: {in_one_line(error)}") from error
    return signature


def one_by_one(units: Iterable[Unit], reply: Callable[[Unit], Row]) -> Iterator[Row]:
    """Answer each unit by itself; an exception is that unit's error row."""
    for unit in units:
        try:
            yield reply(unit)
        except Exception as error:  # whatever a reader does wrong is a row, never a crash
            yield failure(unit.id, error)


def failure(id: str, error: BaseException) -> Row:
    """An error row that says what happened in one line."""
    return Row(id=id, error=in_one_line(error))


def in_one_line(error: BaseException) -> str:
    """An exception by its type and words; half a surrogate pair could not be written to a file."""
    said = " ".join(f"{type(error).__name__}: {error}".split())[:500]
    return said.encode("utf-8", "replace").decode("utf-8")
