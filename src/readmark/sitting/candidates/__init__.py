"""The candidates: readers, rewriters and whoever else can sit a test. One registry for all."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Protocol

import msgspec

from readmark.corpus.errors import ReadmarkError, UsageError
from readmark.corpus.kinds import Kind
from readmark.corpus.names import Name
from readmark.corpus.redaction import NO_SECRETS, Secrets
from readmark.corpus.registry import Entry, Registry, parameters_of
from readmark.corpus.sitting import Row
from readmark.corpus.test import Test
from readmark.corpus.values import Unit
from readmark.sitting.leaving import Terminated


class Candidate(Protocol):
    """Whoever takes units and gives rows as they come, in any order.

    A dataclass: its fields are the candidate's parameters. It sees papers only. It may have
    ``kinds``, the kinds of test that it sits, ``needs``, the layers of the key that it wants,
    ``begin_repeat(number)``, called in every process before the units of a repeat,
    ``earlier``, the ``Sitting`` that its answers come from, and ``take_traffic(traffic, journal)``
    where it asks over a network, many units at once by itself, and ``closing_notes()``, what a
    user should know after the sitting, a line each.
    """

    def prepare(self, kind: Kind, language: str) -> None:
        """Load what is needed, once in every process, before the first unit."""

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        """A row a unit; what goes wrong with one unit is that unit's row."""

    def signature(self) -> Mapping[str, Any]:
        """Everything that decides the answers, library versions included."""


_COMPREHENSION = ("comprehension",)
_SERIES = ("series",)
_READABILITY = ("readability",)

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
        "bow": Entry(
            "readmark.sitting.candidates.bow:Bow",
            "bag of words: the sentence that shares most stems; nef and pr as in BRCC",
            _COMPREHENSION,
            embedded=True,
            variants=("bow(nef=true)", "bow(pr=auto)"),
        ),
        "evidence": Entry(
            "readmark.sitting.candidates.evidence:Evidence",
            "the sentence that a small learned ranker holds for the answer's",
            _COMPREHENSION,
            embedded=True,
        ),
        "closest_option": Entry(
            "readmark.sitting.candidates.closest_option:ClosestOption",
            "the option that shares most words, with the question, with a sentence",
            _COMPREHENSION,
        ),
        "random": Entry(
            "readmark.sitting.candidates.guess:Guess",
            "an option at random: what guessing gives",
            _COMPREHENSION,
        ),
        "span": Entry(
            "readmark.sitting.candidates.span:Span",
            "the stretch of text that a small trained network holds for the answer",
            _COMPREHENSION,
        ),
        "hf": Entry(
            "readmark.sitting.candidates.hf:Hf",
            "any question-answering model of transformers: a folder, or a name on the hub",
            _COMPREHENSION,
        ),
        "llm": Entry(
            "readmark.sitting.candidates.llm:Llm",
            "a language model behind a chat endpoint; answers, options, rewrites",
            ("comprehension", "series"),
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
        "guided": Entry(
            "readmark.sitting.candidates.guided:Guided",
            "the question rewritten to stand alone, by the guidelines as code; says why",
            _SERIES,
            embedded=True,
        ),
        "formula": Entry(
            "readmark.sitting.candidates.formula:Formula",
            "a classic readability formula on the scale from 1 to 5",
            _READABILITY,
            embedded=True,
            variants=("formula(name=dale_chall)",),
        ),
        "features": Entry(
            "readmark.sitting.candidates.features:Features",
            "named features of words, syntax, discourse and fluency, weighed; says why",
            _READABILITY,
            embedded=True,
        ),
        "learned": Entry(
            "readmark.sitting.candidates.learned:Learned",
            "the question with the edits that a small learned ranker holds for the likeliest",
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
    with _told_in_one_line(f"candidate {text} cannot be made"):
        name, candidate = CANDIDATES.build(text)
    kinds = CANDIDATES.entry(name.base).kinds or declared(candidate, "kinds", ())
    if kinds and test.kind.name not in kinds:
        raise UsageError(
            f"candidate {name.base} sits {', '.join(kinds)} tests, this one is {test.kind.name}"
        )
    return str(name), candidate


def declared(candidate: Candidate, name: str, otherwise: Any) -> Any:
    """What a candidate says of itself; a parameter of that name says nothing."""
    return (
        otherwise if name in parameters_of(type(candidate)) else getattr(candidate, name, otherwise)
    )


def make_ready(name: str, candidate: Candidate, kind: Kind, language: str) -> dict[str, Any]:
    """Prepare a candidate and take its signature; what goes wrong there is told in one line."""
    with _told_in_one_line(f"candidate {name} cannot sit"):
        candidate.prepare(kind, language)
        signature: dict[str, Any] = msgspec.to_builtins(dict(candidate.signature()))
    return signature


def begin_repeat(name: str, candidate: Candidate, repeat: int) -> None:
    """Tell a candidate that wants to know which repeat its next units belong to."""
    begin = declared(candidate, "begin_repeat", None)
    if begin is not None:
        with _told_in_one_line(f"candidate {name} cannot begin repeat {repeat}"):
            begin(repeat)


@contextlib.contextmanager
def _told_in_one_line(what: str) -> Iterator[None]:
    """A model that is not there, a device that does not answer, a library that exits."""
    try:
        yield
    except (ReadmarkError, KeyboardInterrupt, Terminated):
        raise
    except BaseException as error:
        raise ReadmarkError(f"{what}: {in_one_line(error)}") from error


def one_by_one(units: Iterable[Unit], reply: Callable[[Unit], Row]) -> Iterator[Row]:
    """Answer each unit by itself; an exception is that unit's error row."""
    for unit in units:
        try:
            yield reply(unit)
        except Exception as error:  # whatever a reader does wrong is a row, never a crash
            yield failure(unit.id, error)


def several_together(
    units: Iterable[Unit], rows: Callable[[Sequence[Unit]], Sequence[Row]], *, many: int = 128
) -> Iterator[Row]:
    """Answer many at a time: windows of like length share a batch."""
    waiting = iter(units)
    while together := list(islice(waiting, many)):
        try:
            found = rows(together)
        except Exception:  # one of them; each by itself tells which
            yield from one_by_one(together, lambda unit: rows([unit])[0])
        else:
            yield from found


def failure(id: str, error: BaseException, secrets: Secrets = NO_SECRETS) -> Row:
    """An error row that describes what happened in one line, without the secrets."""
    return Row(id=id, error=in_one_line(error, secrets))


def in_one_line(error: BaseException, secrets: Secrets = NO_SECRETS) -> str:
    """An exception's type and message; half a surrogate pair could not be written to a file."""
    said = secrets.one_line(f"{type(error).__name__}: {error}", 500)
    return said.encode("utf-8", "replace").decode("utf-8")
