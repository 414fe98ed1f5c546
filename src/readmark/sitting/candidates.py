"""The candidates: readers, rewriters and whoever else can sit a test. One registry for all."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import msgspec

from readmark.core.candidate_run import Run
from readmark.core.configuration import configuration
from readmark.core.ending import Terminated
from readmark.core.error_rows import error_line, failure, one_by_one
from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.extras import MissingExtra
from readmark.core.parsed_names import ParsedName, parse_name
from readmark.core.records import Answer, Unit
from readmark.core.registry import Entry, Registry, parameters_of
from readmark.core.row_lines import row_lines
from readmark.core.sitting import Row, Sitting
from readmark.core.streams import readable_file, shown_name
from readmark.core.test import Test
from readmark.formats.registry import open_sitting
from readmark.hooks import Candidate, Kind, hook

_MODEL = "llm"
"""The registered candidate that asks a model."""
_OF_SECTION = ("model", "base_url", "key")
"""Its parameters that a section of readmark.toml decides."""


class Candidates(Registry):
    """What is registered, and the models of readmark.toml by their names."""

    def entry(self, name: str) -> Entry:
        models = configuration().models if name not in self else {}
        if name not in models:
            return super().entry(name)
        model = models[name]
        summary = f"{model.model or name} at {model.base_url or 'OPENAI_BASE_URL'}"
        return replace(super().entry(_MODEL), summary=summary)

    def names(self) -> list[str]:
        return [*self.entries, *configuration().models]

    def build(self, text: str | ParsedName) -> tuple[ParsedName, Any]:
        name = parse_name(text) if isinstance(text, str) else text
        if not isinstance(name, ParsedName) or name.base in self:
            return super().build(text)
        self.entry(name.base)  # an unknown name gets its hint
        model = configuration().models[name.base]
        for parameter in _OF_SECTION:
            if parameter in name.parameters:
                raise UsageError(
                    f"{name.base}({parameter}=…): readmark.toml decides it; for once, "
                    f"--set models.{name.base}.{parameter}=…"
                )
        cls = self.load(name.base)
        taken = self._taken(name, cls)
        return taken, cls(**{**model.sampling, **taken.parameters}, settings=model)


CANDIDATES = Candidates("candidate", "readmark.candidates")


def build_candidate(text: str | ParsedName, test: Test) -> tuple[str, Candidate]:
    """The candidate asked for by its canonical name, fit for the kind of test."""
    with reported_in_one_line(f"candidate {text} cannot be made"):
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
        if isinstance(given, type):
            raise UsageError(f"a candidate is an object, not its class: {given.__name__}()")
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
        self._kind: Kind | None = None

    def prepare(self, kind: Kind, language: str) -> None:
        self._kind = kind

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
        assert self._kind is not None
        members: Mapping[str, Any] = {self._kind.answer: answer}
        if isinstance(answer, Answer):
            place = {"start": answer.start, "end": answer.end, "sentence": answer.sentence}
            members = {self._kind.answer: answer.text, **place, "score": answer.score}
        elif isinstance(answer, Mapping):
            members = answer
        return row_lines(self._kind).convert({**members, "id": id})


def declared(candidate: Candidate, name: str, otherwise: Any) -> Any:
    """What a candidate says of itself; a parameter of that name says nothing."""
    is_parameter = name in parameters_of(type(candidate))
    return otherwise if is_parameter else hook(candidate, name, otherwise)


def make_ready(
    name: str,
    candidate: Candidate,
    kind: Kind,
    language: str,
    run: Run | None = None,
) -> dict[str, Any]:
    """Prepare a candidate and take its signature; a failure there is reported in one line."""
    begin = declared(candidate, "begin", None)
    with reported_in_one_line(f"candidate {name} cannot sit"):
        if begin is not None:
            begin(run or Run())
        candidate.prepare(kind, language)
        signature: dict[str, Any] = msgspec.to_builtins(dict(candidate.signature()))
    return signature


def begin_repeat(name: str, candidate: Candidate, repeat: int) -> None:
    """Tell a candidate that wants to know which repeat its next units belong to."""
    begin = declared(candidate, "begin_repeat", None)
    if begin is not None:
        with reported_in_one_line(f"candidate {name} cannot begin repeat {repeat}"):
            begin(repeat)


@contextlib.contextmanager
def reported_in_one_line(what: str) -> Iterator[None]:
    """A model that is not there, a device that does not answer, a library that exits."""
    try:
        yield
    except (ReadmarkError, KeyboardInterrupt, Terminated):
        raise
    except BaseException as error:
        raise ReadmarkError(f"{what}: {error_line(error)}") from error


_AT_A_TIME = 128


def answer_in_batches(
    units: Iterable[Unit], rows: Callable[[Sequence[Unit]], Sequence[Row]], *, windows: int = 1
) -> Iterator[Row]:
    """Answer many at a time: windows of like length share a batch.

    ``windows`` is how many of them a batch has room for. Each unit has at least one.
    """
    waiting = iter(units)
    while batch := list(islice(waiting, max(_AT_A_TIME, windows))):
        try:
            found = rows(batch)
        except MissingExtra:
            raise
        except Exception:  # one of them; asking each alone shows which
            yield from one_by_one(batch, lambda unit: rows([unit])[0])
        else:
            yield from found


# Answers that somebody gave elsewhere: people on paper, or a system that ran before.


@dataclass
class Keyed:
    """Takes each answer from a file: predictions or a native sitting."""

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
            row = next((row for row in rows if row.repeat == self._repeat), None)
            if row is not None:
                yield row

    def signature(self) -> Mapping[str, str]:
        file = readable_file(self.file)
        content = file.read_bytes() if file.is_file() else b""
        return {"file": shown_name(self.file), "sha256": hashlib.sha256(content).hexdigest()[:16]}
