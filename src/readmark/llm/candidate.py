"""Any language model behind a chat endpoint: reads, chooses options, rewrites questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.core.errors import UsageError
from readmark.core.records import Offsets, Unit
from readmark.core.sitting import Row, failure
from readmark.hooks import Kind
from readmark.text.answers.places import SOURCE, passage_sentences

if TYPE_CHECKING:
    from readmark.core.traffic import Traffic
    from readmark.llm.client import Asker, SettledRequest
    from readmark.llm.endpoint import Message, Request
    from readmark.llm.prompts import Prompt
    from readmark.llm.replies import Reply
    from readmark.llm.shots import Shots


_ADDRESS = "OPENAI_BASE_URL"
_PASSAGES_KEPT = 128
"""Whose sentences are kept."""


def _without_slash(address: str) -> str:
    """One address has one name."""
    return address.rstrip("/")


@dataclass
class Llm:
    """Asks a model by its prompts, and says where its answers are in the passage."""

    model: str = field(default="", metadata={"help": "the model's name at the endpoint"})
    base_url: str = field(
        default="",
        metadata={
            "help": f"the endpoint, such as http://localhost:8000/v1; {_ADDRESS}",
            "spelt": _without_slash,
        },
    )
    key: str = field(
        default="OPENAI_API_KEY", metadata={"help": "the environment variable with the key"}
    )
    answer_in: str = field(
        default="span",
        metadata={"help": "words of the passage, or its own", "choices": ("span", "free")},
    )
    none: bool = field(default=False, metadata={"help": "may say that there is no answer"})
    prompt: str = field(default="", metadata={"help": "a prompt file of your own"})
    shots: int = field(default=0, metadata={"help": "how many examples come first"})
    shots_from: str = field(
        default="", metadata={"help": "the test whose train split they are from"}
    )
    shots_seed: int = field(default=1, metadata={"help": "which examples"})
    temperature: float = field(
        default=0.0, metadata={"help": "of the sampling; below 0 it is not sent"}
    )
    top_p: float | None = field(default=None, metadata={"help": "of the sampling"})
    seed: int | None = field(default=None, metadata={"help": "sent to the endpoint"})
    max_tokens: int = field(default=1024, metadata={"help": "of a reply, reasoning included"})
    shape: str = field(
        default="auto",
        metadata={
            "help": "how JSON is asked for; auto tries",
            "choices": ("auto", "schema", "json", "text"),
        },
    )
    _asker: Any = field(default=None, init=False, repr=False)
    _traffic: Any = field(default=None, init=False, repr=False)
    _prompts: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    _shots: Any = field(default=None, init=False, repr=False)
    _language: str = field(default="en", init=False, repr=False)
    _form: Any = field(default=None, init=False, repr=False)
    _answer: str = field(default="text", init=False, repr=False)
    _repeat: int = field(default=0, init=False, repr=False)
    _sentences: dict[int, tuple[Any, list[Offsets]]] = field(
        default_factory=dict, init=False, repr=False
    )

    def take_traffic(self, traffic: Traffic, journal: Path) -> None:
        """How requests may go out; replies are cached next to the journal by default."""
        if traffic.cache and Path(traffic.cache).resolve() == journal.resolve():
            raise UsageError("the cache and the journal cannot be one file")
        beside = f"{journal}.cache.sqlite"
        self._traffic = traffic if traffic.cache is not None else replace(traffic, cache=beside)

    def prepare(self, kind: Kind, language: str) -> None:
        import os

        from readmark.core.traffic import Traffic
        from readmark.llm.answers import asking_prompt, form_of
        from readmark.llm.cache import Cache
        from readmark.llm.client import Asker
        from readmark.llm.endpoint import Endpoint
        from readmark.llm.shots import Shots

        if self.shots and not self.shots_from:
            raise UsageError("shots need the test that they are from: shots_from=FILE")
        address = self.base_url or os.environ.get(_ADDRESS, "")
        if not address:
            raise UsageError(f"which endpoint? llm(base_url=URL), or set {_ADDRESS}")
        endpoint = Endpoint(
            address,
            self.model,
            self.key,
            temperature=self.temperature if self.temperature >= 0 else None,
            top_p=self.top_p,
            seed=self.seed,
            max_tokens=self.max_tokens,
        )
        self._language = language
        form = form_of(kind)
        self._form, self._answer = form, kind.answer
        self._prompts = {
            name: asking_prompt(self.prompt, name, language, form)
            for name in form.prompts(self.answer_in)
        }
        self._shots = Shots(self.shots_from, self.shots, self.shots_seed) if self.shots else None
        traffic = self._traffic or Traffic()
        cache = Cache(traffic.cache) if traffic.cache else None
        self._asker = Asker(endpoint, traffic, cache=cache, shape=self.shape)

    def begin_repeat(self, number: int) -> None:
        self._repeat = number

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        asker = self._ready()
        held: dict[str, Unit] = {}
        unasked: list[Row] = []

        def requests() -> Iterator[Request]:
            for unit in units:
                try:
                    request = self._request(unit)
                except Exception as error:  # what cannot be asked is that unit's row
                    unasked.append(failure(unit.id, error, asker.secrets))
                else:
                    held[unit.id] = unit
                    yield request

        for asked in asker.ask(requests()):
            unit = held.pop(asked.request.unit)
            try:
                yield self._row(unit, asked)
            except Exception as error:  # one odd reply is one row
                yield failure(unit.id, error, asker.secrets)
            while unasked:
                yield unasked.pop()
        yield from unasked

    def signature(self) -> Mapping[str, Any]:
        from importlib.metadata import version

        endpoint = self._ready().endpoint
        return {
            "model": self.model,
            "base_url": endpoint.base_url,
            "prompt": {name: one.version for name, one in self._prompts.items()},
            "answer_in": self.answer_in,
            "none": self.none,
            "temperature": self.temperature,
            "top_p": self.top_p,
            "seed": self.seed,
            "max_tokens": self.max_tokens,
            "shape": self.shape,
            "shots": self._shots.signature if self._shots is not None else None,
            "sentences": SOURCE,
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

    def _row(self, unit: Unit, asked: SettledRequest) -> Row:
        from readmark.llm.answers import read_answer
        from readmark.llm.replies import RequestFailure

        strike_out, outcome = self._ready().secrets.strike_out, asked.outcome
        if isinstance(outcome, RequestFailure):
            return Row(id=unit.id, error=outcome.error)
        free = self.answer_in == "free"
        read = read_answer(unit, outcome, self._form, free=free, none=self.none)
        usage = self._usage(outcome)
        text = strike_out(read.text)
        said = {"shape": outcome.shape, **read.evidence}
        said = {
            name: strike_out(one) if isinstance(one, str) else one for name, one in said.items()
        }
        row = Row(id=unit.id, evidence=said, usage=usage, seconds=outcome.seconds)
        if self._answer != "text":
            return msgspec.structs.replace(row, **{self._answer: text})
        return msgspec.structs.replace(
            row,
            text=text,
            start=read.start,
            end=read.end,
            sentence=self._sentence(unit.record, read.start),
        )

    def _usage(self, reply: Reply) -> dict[str, Any]:
        """What a reply took, earlier attempts included, as far as the endpoint said."""
        if reply.cached:
            known = reply.usage
            return {"input": known.input, "output": known.output, "cached": True}
        took = reply.usage.plus(reply.wasted)
        cost = self._ready().cost_of(took)
        usage: dict[str, Any] = {}
        if reply.usage.counted:
            usage = {"input": took.input, "output": took.output}
            usage |= {"cost": cost} if cost is not None else {}
        usage |= {"uncounted": reply.uncounted} if reply.uncounted else {}
        usage |= {"attempts": reply.attempts} if reply.attempts > 1 else {}
        return usage

    def closing_notes(self) -> list[str]:
        """What a user should know after the sitting."""
        return self._ready().notes

    def _sentence(self, record: Any, start: int | None) -> Offsets | None:
        """The sentence of a place; replies come in any order, so some passages' are kept."""
        if start is None:
            return None
        known = self._sentences.get(id(record))
        if known is None:
            if len(self._sentences) >= _PASSAGES_KEPT:
                del self._sentences[next(iter(self._sentences))]
            known = record, list(passage_sentences(record, self._language))
            self._sentences[id(record)] = known  # with the record, so that no other has its id
        return next((at for at in known[1] if at[0] <= start < at[1]), None)
