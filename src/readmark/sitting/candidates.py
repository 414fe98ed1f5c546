"""The candidates: one registry for readers, rewriters and whoever else can sit a test."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import msgspec

from readmark.core.candidate_run import Run
from readmark.core.configuration import configuration
from readmark.core.configuration_sections import FILE
from readmark.core.ending import Terminated
from readmark.core.error_rows import error_line, failure, one_by_one
from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.extras import MissingExtra
from readmark.core.parsed_names import ParsedName, parse_name
from readmark.core.records import Answer, Unit
from readmark.core.registry import Entry, Parameter, Registry, parameters_of
from readmark.core.row_lines import row_lines
from readmark.core.sitting import Row
from readmark.core.test import Test
from readmark.hooks import Candidate, Kind, hook

_MODEL = "llm"
"""The registered candidate behind every model of readmark.toml."""
_OF_SECTION = ("model", "base_url", "key")
"""Its parameters that a section of readmark.toml decides."""
_BATCH = 128


class Candidates(Registry):
    """What is registered, and the models of readmark.toml by their names."""

    def entry(self, name: str) -> Entry:
        models = configuration().models if name not in self else {}
        if name not in models:
            return super().entry(name)
        model = models[name]
        summary = f"{model.model or name} at {model.base_url or 'OPENAI_BASE_URL'}"
        return replace(super().entry(_MODEL), summary=summary, package=FILE)

    def names(self) -> list[str]:
        return [*self.entries, *configuration().models]

    def working(self, *, sittings: bool = False) -> Iterator[tuple[str, Any]]:
        yield from super().working(sittings=sittings)
        for name in configuration().models:
            yield name, self.load(name)

    def parameters(self, name: str) -> Mapping[str, Parameter]:
        declared = super().parameters(name)
        if name in self:
            return declared
        return {key: each for key, each in declared.items() if key not in _OF_SECTION}

    def build(self, text: str | ParsedName) -> tuple[ParsedName, Any]:
        name = parse_name(text) if isinstance(text, str) else text
        if not isinstance(name, ParsedName) or name.base in self:
            return super().build(text)
        self.entry(name.base)  # raises with a hint if it is unknown
        model = configuration().models[name.base]
        for parameter in _OF_SECTION:
            if parameter in name.parameters:
                raise UsageError(
                    f"{name.base}({parameter}=…): readmark.toml decides it; for once, "
                    f"--set models.{name.base}.{parameter}=…"
                )
        cls = self.load(name.base)
        canonical = self._canonical(name, cls)
        return canonical, cls(**{**model.sampling, **canonical.parameters}, settings=model)


CANDIDATES = Candidates("candidate", "readmark.candidates")


Function = Callable[[Unit], Any]
CandidateInput = str | Candidate | Function
"""What sits: a registered name, a candidate object, or a function of a unit."""


def build_candidate(text: str | ParsedName, test: Test) -> tuple[str, Candidate]:
    """The candidate of a name, which must sit tests of this kind, with its canonical name."""
    with reported_in_one_line(f"candidate {text} cannot be made"):
        name, candidate = CANDIDATES.build(text)
    kinds = CANDIDATES.entry(name.base).kinds or declared(candidate, "kinds", ())
    if kinds and test.kind.name not in kinds:
        raise UsageError(
            f"candidate {name.base} sits {', '.join(kinds)} tests, this one is {test.kind.name}"
        )
    return str(name), candidate


def take_candidate(candidate: CandidateInput, test: Test) -> tuple[str, Candidate]:
    """The candidate with its name; a function's is its ``__name__``."""
    if isinstance(candidate, str):
        return build_candidate(candidate, test)
    if isinstance(candidate, Candidate):
        if isinstance(candidate, type):
            raise UsageError(f"a candidate is an object, not its class: {candidate.__name__}()")
        return type(candidate).__name__, candidate
    if not callable(candidate):
        raise UsageError(
            "a candidate is a name, a candidate object or a function, not "
            f"{type(candidate).__name__}"
        )
    function: Function = candidate
    name = getattr(function, "__name__", type(function).__name__).strip("<>")  # <lambda>
    return name, FunctionCandidate(function, name)


class FunctionCandidate:
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
    """An optional member of a candidate, or ``otherwise``.

    A parameter of that name, such as a reader's own ``needs``, is not the member.
    """
    is_parameter = name in parameters_of(type(candidate))
    return otherwise if is_parameter else hook(candidate, name, otherwise)


def make_ready(
    name: str,
    candidate: Candidate,
    kind: Kind,
    language: str,
    run: Run | None = None,
) -> dict[str, Any]:
    """Prepare a candidate and return its signature; a failure is reported in one line."""
    begin = declared(candidate, "begin", None)
    with reported_in_one_line(f"candidate {name} cannot sit"):
        if begin is not None:
            begin(run or Run())
        candidate.prepare(kind, language)
        signature: dict[str, Any] = msgspec.to_builtins(dict(candidate.signature()))
    return signature


def begin_repeat(name: str, candidate: Candidate, repeat: int) -> None:
    """Tell a candidate which repeat its next units belong to, if it has that hook."""
    begin = declared(candidate, "begin_repeat", None)
    if begin is not None:
        with reported_in_one_line(f"candidate {name} cannot begin repeat {repeat}"):
            begin(repeat)


@contextlib.contextmanager
def reported_in_one_line(what: str) -> Iterator[None]:
    """Turn whatever a plug-in or a library raises, an exit included, into one line."""
    try:
        yield
    except (ReadmarkError, KeyboardInterrupt, Terminated):
        raise
    except BaseException as error:
        raise ReadmarkError(f"{what}: {error_line(error)}") from error


def answer_in_batches(
    units: Iterable[Unit], rows: Callable[[Sequence[Unit]], Sequence[Row]], *, windows: int = 1
) -> Iterator[Row]:
    """Answer many units at a time, so that windows of like length share a batch of the network.

    ``windows`` is how many of them such a batch has room for. Each unit has at least one.
    """
    stream = iter(units)
    while batch := list(islice(stream, max(_BATCH, windows))):
        try:
            batch_rows = rows(batch)
        except MissingExtra:
            raise
        except Exception:  # because of one of them: asked alone, each shows whether it is that one
            yield from one_by_one(batch, lambda unit: rows([unit])[0])
        else:
            yield from batch_rows
