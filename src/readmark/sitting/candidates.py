"""The candidates: readers, rewriters and whoever else can sit a test. One registry for all."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import msgspec

from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.extras import MissingExtra
from readmark.core.kinds import Kind
from readmark.core.processes import Terminated
from readmark.core.records import Answer, Unit
from readmark.core.redaction import NO_SECRETS, Secrets
from readmark.core.registry import Name, Registry, parameters_of
from readmark.core.sitting import Row, Sitting
from readmark.core.test import Test
from readmark.formats.registry import open_sitting
from readmark.hooks import hook


@runtime_checkable
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


CANDIDATES = Registry("candidate", "readmark.candidates")


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


Function = Callable[[Unit], Any]
CandidateInput = str | Candidate | Function
"""What sits: a registered name, a candidate object, or a function of a unit."""


def take_candidate(given: CandidateInput, test: Test) -> tuple[str, Candidate]:
    """The candidate with its name; a function's is its ``__name__``."""
    if isinstance(given, str):
        return build_candidate(given, test)
    if isinstance(given, Candidate):
        return type(given).__name__, given
    if not callable(given):
        raise UsageError(
            f"a candidate is a name, a candidate object or a function, not {type(given).__name__}"
        )
    name = getattr(given, "__name__", type(given).__name__).strip("<>")
    return name, Called(given, name)


class Called:
    """A function as a candidate: it takes a unit and returns the answer.

    The answer is a text (or a number, for ratings), an ``Answer``, a mapping with the members of
    a sitting's row, a ``Row``, or None for no answer. An exception is that unit's error row.
    """

    def __init__(self, function: Function, name: str) -> None:
        self._function = function
        self._name = name
        self._member = ""

    def prepare(self, kind: Kind, language: str) -> None:
        self._member = kind.answer

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        for unit in units:
            try:
                answer = self._function(unit)
                if answer is not None:
                    yield self._row(unit.id, answer)
            except MissingExtra:
                raise
            except Exception as error:  # whatever the function does wrong is a row
                yield failure(unit.id, error)

    def signature(self) -> Mapping[str, Any]:
        return {"function": self._name}

    def _row(self, id: str, answer: Any) -> Row:
        if isinstance(answer, Row):
            return msgspec.structs.replace(answer, id=id)
        members: Mapping[str, Any] = {self._member: answer}
        if isinstance(answer, Answer):
            place = {"start": answer.start, "end": answer.end, "sentence": answer.sentence}
            members = {self._member: answer.text, **place, "score": answer.score}
        elif isinstance(answer, Mapping):
            members = answer
        return msgspec.convert({**members, "id": id}, Row)


def declared(candidate: Candidate, name: str, otherwise: Any) -> Any:
    """What a candidate says of itself; a parameter of that name says nothing."""
    is_parameter = name in parameters_of(type(candidate))
    return otherwise if is_parameter else hook(candidate, name, otherwise)


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
        except MissingExtra:  # every other unit would miss it too
            raise
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
        except MissingExtra:
            raise
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


# Answers that somebody gave elsewhere: people on paper, or a system that ran before.


@dataclass
class Keyed:
    """Takes each answer from a file: a dictionary of predictions or a native sitting."""

    file: str = field(default="", metadata={"help": "the file with the answers"})
    earlier: Sitting | None = field(default=None, init=False, repr=False)
    """The answers with their header: the runner sees that what was sat then is what is sat now."""
    _repeat: int = field(default=0, init=False, repr=False)

    def prepare(self, kind: Kind, language: str) -> None:
        if not self.file:
            raise UsageError("candidate keyed needs a file: keyed(file=answers.json)")
        self.earlier = open_sitting(self.file, kind)

    def begin_repeat(self, number: int) -> None:
        self._repeat = number

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        for unit in units:
            rows = self.earlier.of(unit.id) if self.earlier is not None else ()
            row = next((one for one in rows if one.repeat == self._repeat), None)
            if row is not None:
                yield row

    def signature(self) -> Mapping[str, str]:
        content = Path(self.file).read_bytes() if Path(self.file).is_file() else b""
        return {"file": Path(self.file).name, "sha256": hashlib.sha256(content).hexdigest()[:16]}
