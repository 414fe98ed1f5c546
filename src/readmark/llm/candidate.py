"""Any language model behind a chat endpoint: reads, chooses options, rewrites questions, rates."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from readmark.core.candidate_run import Run
from readmark.core.counts import counted
from readmark.core.error_rows import failure
from readmark.core.errors import UsageError
from readmark.core.records import Offsets, Unit
from readmark.core.registry import parameter
from readmark.core.sitting import PER_LANGUAGE, Row
from readmark.core.spent import Usage
from readmark.hooks import Kind
from readmark.llm.forms import LlmRecordForm
from readmark.text.answers.sentences import SOURCE, passage_sentences

if TYPE_CHECKING:
    from readmark.core.traffic import Estimate, Traffic
    from readmark.llm.client import Asker
    from readmark.llm.endpoint import Endpoint, Message, Request
    from readmark.llm.in_flight import SettledRequest
    from readmark.llm.prompts import Prompt
    from readmark.llm.replies import Reply
    from readmark.llm.shots import Shots


_ADDRESS = "OPENAI_BASE_URL"
_ENDPOINT = "endpoint"
"""The member of a sitting's header that has what the endpoint takes."""
_ATTEMPTS_APART = 1_000_000  # more than repeats: a retry's number in the cache is no repeat's
_PASSAGES_REMEMBERED = 128  # whose sentences; replies to several passages come interleaved


def _by_record(units: Iterable[Unit]) -> Iterator[tuple[Unit, ...]]:
    """Units that follow each other and are of one record."""
    for _, record_units in groupby(units, key=lambda unit: unit.group):
        yield tuple(record_units)


def _without_slash(address: str) -> str:
    """The address as it is spelt in names: with and without a slash it is the same candidate."""
    return address.rstrip("/")


@dataclass
class Llm:
    """Asks a model by its prompts, and says where its answers are in the passage."""

    model: str = parameter("", help="the model's name at the endpoint")
    base_url: str = parameter(
        "",
        help=f"the endpoint, such as http://localhost:8000/v1; {_ADDRESS}",
        spelt=_without_slash,
    )
    key: str = parameter("OPENAI_API_KEY", help="the environment variable with the key")
    answer_in: str = parameter(
        "span", help="words of the passage, or its own", choices=("span", "free")
    )
    none: bool = parameter(False, help="may say that there is no answer")
    prompt: str = parameter("", help="a prompt file of your own")
    shots: int = parameter(0, help="how many examples come first")
    shots_from: str = parameter("", help="the test whose train split they are from")
    shots_seed: int = parameter(1, help="which examples")
    temperature: float = parameter(
        0.0, help="of the sampling; below 0 it is not sent, nor is 0 where it is refused"
    )
    top_p: float | None = parameter(None, help="of the sampling")
    seed: int | None = parameter(None, help="sent to the endpoint")
    max_tokens: int = parameter(1024, help="of a reply, reasoning included")
    shape: str = parameter(
        "auto", help="how JSON is asked for; auto tries", choices=("auto", "schema", "json", "text")
    )
    reason: bool = parameter(True, help="on a reading task: infer what follows from what was read")
    sends_requests: ClassVar[bool] = True
    settings: Any = field(default=None, metadata={"internal": True}, repr=False)
    """The section of readmark.toml that this model is, if it is one."""
    _asker: Any = field(default=None, init=False, repr=False)
    _run: Run = field(default_factory=Run, init=False, repr=False)
    _dropped: Counter[str] = field(default_factory=Counter, init=False, repr=False)
    _prompts: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    _shots: Any = field(default=None, init=False, repr=False)
    _language: str = field(default="en", init=False, repr=False)
    _form: Any = field(default=None, init=False, repr=False)
    _answer_type: Any = field(default=str, init=False, repr=False)
    _repeat: int = field(default=0, init=False, repr=False)
    _sentences: dict[int, tuple[Any, list[Offsets]]] = field(
        default_factory=dict, init=False, repr=False
    )

    def begin(self, run: Run) -> None:
        """The run has the limits of requests, and what a prompt may show besides units."""
        self._run = run

    def prepare(self, kind: Kind, language: str) -> None:
        from readmark.llm.answers import asking_prompt, form_of
        from readmark.llm.cache import Cache
        from readmark.llm.client import Asker
        from readmark.llm.endpoint import Dialect
        from readmark.llm.shots import Shots

        if self.shots and not self.shots_from:
            raise UsageError("shots need the test that they are from: shots_from=FILE")
        endpoint = self.endpoint()
        self._language = language
        form = form_of(kind)
        self._form, self._answer_type = form, kind.answer_type
        if isinstance(form, LlmRecordForm):
            if self.shots:
                raise UsageError(f"shots are not for {kind.name} tests")
            form.take_materials(self._run.materials, reason=self.reason)
        self._prompts = {
            name: asking_prompt(self.prompt, name, language, form)
            for name in form.prompts(self.answer_in)
        }
        self._shots = Shots(self.shots_from, self.shots, self.shots_seed) if self.shots else None
        traffic = self._traffic()
        cache = Cache(traffic.cache) if traffic.cache else None
        price = self.settings.price if self.settings is not None else None
        self._asker = Asker(endpoint, traffic, price=price, cache=cache, shape=self.shape)
        with contextlib.suppress(msgspec.ValidationError):
            if _ENDPOINT in self._run.before:
                self._asker.recall(msgspec.convert(self._run.before[_ENDPOINT], Dialect))
        if self._run.may_ask and (line := self._asker.probe()) is not None:
            self._run.notes.append(line)
        self._run.fields[_ENDPOINT] = msgspec.to_builtins(self._asker.dialect)

    def _traffic(self) -> Traffic:
        """How requests may go out; replies are cached next to the journal by default."""
        from readmark.llm.traffic import traffic_in_force

        run = self._run
        traffic = traffic_in_force(run.traffic, self.settings)
        if run.journal is None or run.traffic is None:
            return traffic
        if traffic.cache and Path(traffic.cache).resolve() == run.journal.resolve():
            raise UsageError("the cache and the journal cannot be one file")
        beside = f"{run.journal}.cache.sqlite"
        return traffic if traffic.cache is not None else replace(traffic, cache=beside)

    def endpoint(self) -> Endpoint:
        """Where it asks, and with which parameters."""
        import os

        from readmark.llm.endpoint import Endpoint

        address = self.base_url or os.environ.get(_ADDRESS, "")
        if not address:
            raise UsageError(self._without_address())
        return Endpoint(
            address,
            self.model,
            self.key,
            temperature=self.temperature if self.temperature >= 0 else None,
            top_p=self.top_p,
            seed=self.seed,
            max_tokens=self.max_tokens,
            **(self.settings.additions if self.settings is not None else {}),
        )

    def _without_address(self) -> str:
        from readmark.core.configuration import configuration

        if self.settings is not None:
            return f"which endpoint? set models.{self.settings.name}.base_url, or {_ADDRESS}"
        if self.model in configuration().models:
            return f"{self.model} is a model of readmark.toml: write {self.model}, not llm(…)"
        return (
            "which endpoint? give base_url to a model in readmark.toml, or llm(base_url=URL), "
            f"or set {_ADDRESS}"
        )

    @property
    def form(self) -> Any:
        """How the kind's units are asked about."""
        return self._form

    def _overhead(self) -> Mapping[str, Any] | None:
        """What the probes took, as the usage of a row."""
        asker = self._ready()
        overhead, cost = asker.overhead, asker.cost_of(asker.overhead)
        if not overhead.total:
            return None
        usage = {"input": overhead.input, "output": overhead.output}
        return usage | ({"cost": cost} if cost is not None else {})

    def estimate(self, units: Iterable[Unit]) -> Estimate:
        """What asking about units would take; nothing is asked."""
        from readmark.llm.estimate import estimate_requests

        if isinstance(self._form, LlmRecordForm):
            units = (first for first, *_ in _by_record(units))
        return estimate_requests(self._ready(), map(self._request, units))

    def begin_repeat(self, number: int) -> None:
        self._repeat = number
        if number == 0:  # what earlier runs took counts towards the limits on the total
            spent = self._run.spent
            self._ready().budget.resume(spent.input + spent.output, spent.cost)

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        yield from self._answers(units)
        self._run.overhead = self._overhead()

    def _answers(self, units: Iterable[Unit]) -> Iterator[Row]:
        if isinstance(self._form, LlmRecordForm):
            yield from self._answers_by_record(units, self._form)
            return
        asker = self._ready()
        in_flight: dict[str, Unit] = {}
        unasked: list[Row] = []

        def requests() -> Iterator[Request]:
            for unit in units:
                try:
                    request = self._request(unit)
                except Exception as error:  # what cannot be asked is that unit's row
                    unasked.append(failure(unit.id, error, asker.secrets))
                else:
                    in_flight[unit.id] = unit
                    yield request

        for settled in asker.ask(requests()):
            unit = in_flight.pop(settled.request.unit)
            try:
                yield self._row(unit, settled)
            except Exception as error:  # one odd reply is one row
                yield failure(unit.id, error, asker.secrets)
            while unasked:
                yield unasked.pop()
        yield from unasked

    def _answers_by_record(self, units: Iterable[Unit], form: LlmRecordForm) -> Iterator[Row]:
        """Rows of records that are asked about in one request each.

        A reply in the cache that cannot be used is asked for again.
        """
        waiting: Iterable[tuple[Unit, ...]] = _by_record(units)
        attempt = 0
        while waiting:
            asker = self._ready()
            in_flight: dict[str, tuple[Unit, ...]] = {}
            retries: list[tuple[Unit, ...]] = []
            unasked: list[Row] = []
            requests = self._requests(waiting, in_flight, unasked, attempt)
            for settled in asker.ask(requests):
                record_units = in_flight.pop(settled.request.unit)
                try:
                    rows, is_final = self._record_rows(record_units, settled, form)
                except Exception as error:  # one odd reply is the rows of one record
                    rows = [failure(unit.id, error, asker.secrets) for unit in record_units]
                    is_final = True
                if is_final:
                    yield from rows
                else:
                    retries.append(record_units)
            yield from unasked
            waiting, attempt = retries, attempt + 1

    def _requests(
        self,
        waiting: Iterable[tuple[Unit, ...]],
        in_flight: dict[str, tuple[Unit, ...]],
        unasked: list[Row],
        attempt: int,
    ) -> Iterator[Request]:
        """A request a record, in the name of its first unit; what cannot be asked is rows."""
        for record_units in waiting:
            try:
                request = self._request(record_units[0])
            except Exception as error:
                secrets = self._ready().secrets
                unasked += [failure(unit.id, error, secrets) for unit in record_units]
            else:
                in_flight[record_units[0].id] = record_units
                repeat = request.repeat + attempt * _ATTEMPTS_APART
                yield msgspec.structs.replace(request, repeat=repeat)

    def _record_rows(
        self, units: tuple[Unit, ...], settled: SettledRequest, form: LlmRecordForm
    ) -> tuple[list[Row], bool]:
        """The rows of a record, and whether they are final; the first has what the reply took.

        They are not final if the reply cannot be used and came from the cache.
        """
        from readmark.llm.answers import prompt_text, reply_text
        from readmark.llm.replies import RequestFailure

        strike_out, outcome = self._ready().secrets.strike_out, settled.outcome
        if isinstance(outcome, RequestFailure):
            wasted = self._counted(outcome.wasted, outcome.uncounted, outcome.attempts)
            rows = [Row(id=unit.id, error=outcome.error) for unit in units]
            return [msgspec.structs.replace(rows[0], usage=wasted or None), *rows[1:]], True
        usage = self._usage(outcome)
        read = form.answers(units, strike_out(outcome.content))
        reason = outcome.reason
        if read.error:
            error = f"{read.error} ({reason})" if reason else read.error
            rows = [Row(id=unit.id, error=strike_out(error)) for unit in units]
            return [msgspec.structs.replace(rows[0], usage=usage), *rows[1:]], not outcome.cached
        self._dropped.update(read.dropped)
        evidence = {
            "shape": outcome.shape,
            **({"reason": reason} if reason else {}),
            **({"dropped": dict(read.dropped)} if read.dropped else {}),
            "prompt": strike_out(prompt_text(settled.request.messages)),
            "reply": strike_out(reply_text(outcome)),
        }
        first, *others = read.rows
        first = msgspec.structs.replace(
            first, evidence=evidence, usage=usage, seconds=outcome.seconds
        )
        return [first, *others], True

    def signature(self) -> Mapping[str, Any]:
        from importlib.metadata import version

        asker = self._ready()
        endpoint, left_out = asker.endpoint, asker.dialect.left_out
        return {
            "model": self.model,
            "base_url": endpoint.base_url,
            "prompt": {name: prompt.version for name, prompt in self._prompts.items()},
            **({PER_LANGUAGE: ["prompt"]} if not self.prompt else {}),
            "answer_in": self.answer_in,
            "none": self.none,
            "temperature": None if "temperature" in left_out else self.temperature,
            "top_p": self.top_p,
            "seed": self.seed,
            "max_tokens": self.max_tokens,
            "shape": self.shape,
            **endpoint.extras,
            "shots": self._shots.signature if self._shots is not None else None,
            "sentences": SOURCE,
            **({"reason": self.reason} if isinstance(self._form, LlmRecordForm) else {}),
            "aiohttp": version("aiohttp"),
        }

    def _ready(self) -> Asker:
        if self._asker is None:
            raise UsageError("the candidate has not been prepared")
        asker: Asker = self._asker
        return asker

    def _request(self, unit: Unit) -> Request:
        from readmark.llm.answers import request_for

        prompt = self._prompts[self._form.prompt_name(unit, free=self.answer_in == "free")]
        return request_for(
            unit,
            prompt,
            self._form,
            language=self._language,
            none=self.none,
            shots=self._examples(unit, prompt),
            repeat=self._repeat,
        )

    def _examples(self, unit: Unit, prompt: Prompt) -> list[Message]:
        if self._shots is None:
            return []
        shots: Shots = self._shots
        return shots.messages(unit, prompt, self._language)

    def _row(self, unit: Unit, settled: SettledRequest) -> Row:
        from readmark.llm.answers import prompt_text, read_answer, reply_text
        from readmark.llm.replies import RequestFailure

        strike_out, outcome = self._ready().secrets.strike_out, settled.outcome
        if isinstance(outcome, RequestFailure):
            usage = self._counted(outcome.wasted, outcome.uncounted, outcome.attempts)
            return Row(id=unit.id, error=outcome.error, usage=usage or None)
        free = self.answer_in == "free"
        read = read_answer(unit, outcome, self._form, free=free, none=self.none)
        text = strike_out(read.text) if isinstance(read.text, str) else read.text
        evidence = {
            "shape": outcome.shape,
            **read.evidence,
            "prompt": prompt_text(settled.request.messages),
            "reply": reply_text(outcome),
        }
        evidence = {
            name: strike_out(value) if isinstance(value, str) else value
            for name, value in evidence.items()
        }
        row = Row(
            id=unit.id, evidence=evidence, usage=self._usage(outcome), seconds=outcome.seconds
        )
        if isinstance(text, str) and self._answer_type is not str:
            return row  # there is no number, and the evidence has the reason
        return msgspec.structs.replace(
            row,
            answer=text,
            start=read.start,
            end=read.end,
            sentence=self._sentence(unit.record, read.start),
        )

    def _usage(self, reply: Reply) -> dict[str, Any]:
        """What a reply took, earlier attempts included, as far as the endpoint said."""
        if reply.cached:
            return {"input": reply.usage.input, "output": reply.usage.output, "cached": True}
        if not reply.usage.counted:
            return self._counted(None, reply.uncounted, reply.attempts)
        total = reply.usage.plus(reply.wasted)
        return self._counted(total, reply.uncounted, reply.attempts) or {"input": 0, "output": 0}

    def _counted(self, usage: Usage | None, uncounted: int, attempts: int) -> dict[str, Any]:
        """Tokens and cost, where there are any, and how many attempts nobody counted."""
        members: dict[str, Any] = {}
        if usage is not None and usage.total:
            cost = self._ready().cost_of(usage)
            members = {"input": usage.input, "output": usage.output}
            members |= {"cost": cost} if cost is not None else {}
        members |= {"uncounted": uncounted} if uncounted else {}
        members |= {"attempts": attempts} if attempts > 1 else {}
        return members

    def closing_notes(self) -> list[str]:
        """What a user should know after the sitting."""
        notes = self._ready().notes
        if self._dropped:
            reasons = ", ".join(f"{count} with {why}" for why, count in self._dropped.most_common())
            notes = [
                *notes,
                f"{counted(self._dropped.total(), 'statement')} of replies dropped: {reasons}",
            ]
        return notes

    def _sentence(self, record: Any, start: int | None) -> Offsets | None:
        """The sentence in which an answer begins."""
        if start is None:
            return None
        entry = self._sentences.get(id(record))
        if entry is None:
            if len(self._sentences) >= _PASSAGES_REMEMBERED:
                del self._sentences[next(iter(self._sentences))]
            entry = record, list(passage_sentences(record, self._language))
            # The record is held too: otherwise its id could become that of another record.
            self._sentences[id(record)] = entry
        return next((span for span in entry[1] if span[0] <= start < span[1]), None)
