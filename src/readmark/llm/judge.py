"""A language model as the judge of free answers: opt-in, and validated against people first."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self

import msgspec

from readmark.core import numbers
from readmark.core.arrays import Floats
from readmark.core.counts import counted
from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.core.spans import clip
from readmark.core.test import Test
from readmark.core.unvalidated import UNVALIDATED
from readmark.hooks import MarkRun, MetricFacts, MetricReport
from readmark.llm.judge_labels import (
    JudgeAgreement,
    LabelledAnswers,
    compare_with_labels,
    read_labels,
    why_too_few,
)
from readmark.llm.verdicts import (
    NEEDED,
    PLACES,
    JudgedCase,
    each_once,
    key_texts,
    request_for,
    settled_without_judge,
    verdict_of,
)
from readmark.marking import Ratio

if TYPE_CHECKING:
    from readmark.core.configuration_sections import ModelSettings
    from readmark.hooks import Case
    from readmark.llm.client import Asker
    from readmark.llm.endpoint import Endpoint
    from readmark.llm.prompts import Prompt


_NO_RUN = MarkRun(name="judge")
_ADDRESS = "OPENAI_BASE_URL"
_CACHE = "judge.cache.sqlite"
_RIGHT, _WRONG = (1.0, 1.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0)
_UNREAD, _FAILED, _NOT_ASKED = (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 0.0)
_SAID: dict[tuple[float, ...], bool] = {_RIGHT: True, _WRONG: False}


@dataclass
class Judge(Ratio):
    """Share of answers that a language model calls right, given passage, question and key.

    A unit's vector is (right, judged, without a verdict, without a reply); the last two do not
    count. It may lead no table until labelled answers show how far people agree with it.
    """

    model: str = parameter("", help="the model's name at the endpoint")
    base_url: str = parameter("", help=f"the endpoint; {_ADDRESS}", unnamed=True)
    key: str = parameter(
        "OPENAI_API_KEY", help="the environment variable with the key", unnamed=True
    )
    labels: str = parameter(
        "", help="answers that people called right or wrong, in a table", unnamed=True
    )
    prompt: str = parameter("judge", help="a prompt file of your own")
    people: bool = parameter(False, help="judge people's answers too, for their figure")
    temperature: float = parameter(0.0, help="of the sampling")
    max_tokens: int = parameter(512, help="of a reply, reasoning included")
    cache: str = parameter(_CACHE, help='where verdicts are kept; "" is nowhere', unnamed=True)

    facts: ClassVar[MetricFacts] = dataclasses.replace(
        Ratio.facts, width=4, uncounted="there is no verdict of the judge"
    )

    _language: str = field(default="en", init=False, repr=False)
    _labelled: LabelledAnswers | None = field(default=None, init=False, repr=False)
    _run: MarkRun = field(default=_NO_RUN, init=False, repr=False)
    _tools: Any = field(default=None, init=False, repr=False)
    _verdicts: dict[str, tuple[float, ...]] = field(default_factory=dict, init=False, repr=False)
    _held: JudgeAgreement | None = field(default=None, init=False, repr=False)
    _failure: str = field(default="", init=False, repr=False)
    _unreadable: str = field(default="", init=False, repr=False)
    _shown: dict[str, None] = field(default_factory=dict, init=False, repr=False)
    _test: Any = field(default=None, init=False, repr=False)
    _received: int = field(default=0, init=False, repr=False)
    _wanted: int = field(default=0, init=False, repr=False)

    def resolve(self, test: Test) -> Self:
        """The judge for a test's language, with the labelled answers read."""
        resolved = dataclasses.replace(self)
        resolved._language = test.language
        resolved._test = test
        if self.labels:
            resolved._labelled = LabelledAnswers.of(read_labels(self.labels, test))
        resolved._endpoint()
        resolved._prompt()
        return resolved

    def begin(self, run: MarkRun) -> None:
        """How requests may go out; a judge without enough labels may not be the main mark.

        Verdicts on the labels are the first that are asked for, and too few end the marking then.
        """
        self._run, self._tools = run, None
        if run.leads:
            why = "no agreement with people is shown: labels=FILE, or name another metric first"
            reason = why if self._labelled is None else why_too_few(self._labelled.each)
            if reason is not None:
                raise UsageError(f"{run.name} may not be the main mark: {reason}")

    def _refusal(self) -> str | None:
        """Answers were shown to the judge, and no verdict came back on any of them.

        What needs no judge, such as an unanswered question, would be the whole mark otherwise.
        """
        vectors = [self._verdicts[case] for case in self._shown]
        if not vectors or any(vector in _SAID for vector in vectors):
            return None
        failed, unread = vectors.count(_FAILED), vectors.count(_UNREAD)
        if failed:
            said = f"{counted(failed, 'answer')} without a reply: {self._failure}"
            unreadable = f"{counted(unread, 'verdict')} could not be read; " if unread else ""
            return f"{unreadable}{said}; mark again to ask again"
        return (
            f"none of {counted(unread, 'verdict')} could be read; a reply begins "
            f"{clip(self._unreadable)!r}"
        )

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """The verdict on one answer."""
        self._held_against_people()
        if answer is None:
            return _WRONG if references else _NOT_ASKED
        case = self._case(unit, references, answer)
        if case is None:
            return _NOT_ASKED
        self._judge([case])
        return self._verdicts[case.known_by]

    def statistics_of_many(self, cases: Sequence[Case]) -> Sequence[Sequence[float]]:
        """The verdicts on many answers, asked for at once; the panel's and people's go along."""
        self._held_against_people()
        wanted: list[JudgedCase | None] = []
        for case in cases:
            wanted += [
                self._case(case.unit, case.references, said)
                for said in (case.answer, *case.people)
                if said is not None
            ]
            wanted += self._left_out(case)
        self._judge(judged_case for judged_case in wanted if judged_case is not None)
        return [self.statistics(*case) for case in cases]

    def report(self, rows: Floats) -> MetricReport:
        """Agreement with people, what could not be judged, and what it took."""
        if (reason := self._refusal()) is not None:
            raise ReadmarkError(f"{self._run.name} has no mark: {reason}")
        judge_agreement = self._held_against_people()
        said = []
        if judge_agreement is None or self._labelled is None:
            said.append(f"{UNVALIDATED}: no agreement with people is shown (labels=FILE)")
        else:
            said += [f"compared with people: {judge_agreement.words}", judge_agreement.table]
            said += [self._labelled.words] if self._labelled.words else []
            said += [f"{UNVALIDATED}: {judge_agreement.too_few}"] if judge_agreement.too_few else []
        unread, failed = (int((rows[:, at] > 0).sum()) for at in (2, 3))
        if unread:
            verdicts = counted(unread, "verdict")
            said.append(f"{verdicts} could not be read; their questions are not scored")
        if failed:
            were = (
                "answer was not judged and does"
                if failed == 1
                else "answers were not judged and do"
            )
            said.append(f"{failed} {were} not count: {self._failure}")
        budget = self._ready()[0].budget
        if budget.used.total:
            price = (
                f", {numbers.significant(budget.cost)} {budget.price.currency}"
                if budget.price
                else ""
            )
            tokens = f"{budget.used.input:,} input tokens, {budget.used.output:,} output"
            said.append(f"{tokens}{price}")
        return MetricReport(remarks=[*said, *self._ready()[0].notes], failed=failed)

    def averaged(self, vectors: Sequence[Sequence[float]]) -> Sequence[float]:
        """A unit's repeats: the share of those with a verdict that is right, of one unit."""
        right, judged, unread, failed = (sum(cells) for cells in zip(*vectors, strict=True))
        shares = (right / judged, 1.0) if judged else (0.0, 0.0)
        return *shares, unread / len(vectors), failed / len(vectors)

    def signature(self) -> Mapping[str, str]:
        """Model, endpoint, prompt and parameters, and how far people agree."""
        asker, prompt = self._ready()
        judge_agreement = self._held_against_people()
        temperature, max_tokens = self._sampling(self._settings())
        additions = {
            name: msgspec.json.encode(value, order="deterministic").decode()
            for name, value in asker.endpoint.extras.items()
        }
        few = f"{UNVALIDATED} " if judge_agreement is not None and judge_agreement.too_few else ""
        return {
            "judge": asker.endpoint.model,
            "endpoint": asker.endpoint.base_url,
            "prompt": f"{prompt.name}-{prompt.version}",
            "temperature": f"{temperature:g}",
            "max_tokens": str(max_tokens),
            **additions,
            "beside people": UNVALIDATED
            if judge_agreement is None
            else few + judge_agreement.words,
            "units": "mean",
        }

    def _held_against_people(self) -> JudgeAgreement | None:
        """The agreement, found before anything else is asked; a failed request is no verdict."""
        if self._held is None and self._labelled is not None:
            labels = self._labelled.each
            self._judge((label.case for label in labels), labelled=True)
            vectors = [self._verdicts[label.case.known_by] for label in labels]
            self._held = compare_with_labels(
                labels,
                [_SAID.get(vector) for vector in vectors],
                failed=vectors.count(_FAILED),
            )
        judge_agreement = self._held
        if judge_agreement is not None and judge_agreement.too_few and self._run.leads:
            why = (
                f" ({judge_agreement.failed} without a reply: {self._failure})"
                if judge_agreement.failed
                else ""
            )
            raise ReadmarkError(
                f"judge {self.model} may not be the main mark: {judge_agreement.too_few}{why}; "
                "name another metric first"
            )
        return judge_agreement

    def _case(
        self, unit: Unit, references: Sequence[Sequence[Any]], answer: Any
    ) -> JudgedCase | None:
        """What is to be judged; people's own figure only if it was asked for, as it costs most."""
        if not references:
            return None
        if not self.people and len(references) < len(self._test.kind.references(unit)):
            return None
        return JudgedCase(unit.record.text, unit.item.text, key_texts(references), answer.text)

    def _left_out(self, one: Case) -> list[JudgedCase | None]:
        """What leave-one-out will ask for."""
        if not self.people or len(one.references) < 2:
            return []
        judged_cases = []
        for index, person in enumerate(one.references):
            others = (*one.references[:index], *one.references[index + 1 :])
            said = [answer for answer in (one.answer, person[0]) if answer is not None]
            judged_cases += [self._case(one.unit, others, answer) for answer in said]
        return judged_cases

    def _judge(self, cases: Iterable[JudgedCase], *, labelled: bool = False) -> None:
        """Verdicts on the cases that have none yet; labelled answers are no part of a mark."""
        from readmark.llm.replies import RequestFailure

        asked = []
        for case in each_once(cases):
            known = settled_without_judge(case)
            if known is None and not labelled:
                self._shown[case.known_by] = None
            if case.known_by in self._verdicts:
                continue
            if known is None:
                asked.append(case)
            else:
                self._verdicts[case.known_by] = _RIGHT if known else _WRONG
        if not asked:
            return
        asker, prompt = self._ready()
        requests = (request_for(case, prompt, self._language) for case in asked)
        self._wanted += len(asked)
        for settled_request in asker.ask(requests):
            self._received += 1
            if self._run.watch is not None:
                self._run.watch("verdicts", self._received, self._wanted)
            if isinstance(settled_request.outcome, RequestFailure):
                self._failure = settled_request.outcome.error
                vector = _FAILED
            else:
                right = verdict_of(settled_request.outcome)
                vector = _UNREAD if right is None else _RIGHT if right else _WRONG
                if right is None:
                    self._unreadable = settled_request.outcome.content
            self._verdicts[settled_request.request.unit] = vector

    def _ready(self) -> tuple[Asker, Prompt]:
        if self._tools is None:
            from readmark.llm.cache import Cache
            from readmark.llm.client import Asker
            from readmark.llm.traffic import traffic_in_force

            model = self._settings()
            traffic = traffic_in_force(self._run.traffic, model)
            file = self.cache if traffic.cache is None else traffic.cache
            price = model.price if model is not None else None
            cache = Cache(file) if file else None
            shape = model.shape if model is not None else "auto"
            asker = Asker(self._endpoint(), traffic, price=price, cache=cache, shape=shape)
            self._tools = asker, self._prompt()
        tools: tuple[Asker, Prompt] = self._tools
        return tools

    def _endpoint(self) -> Endpoint:
        from readmark.llm.endpoint import Endpoint

        model = self._settings()
        address = self.base_url or (model.base_url if model is not None else "")
        address = address or os.environ.get(_ADDRESS, "")
        if not self.model or not address:
            raise UsageError(
                f"which judge? judge(model=NAME) of a model in readmark.toml, "
                f"judge(model=NAME,base_url=URL), or set {_ADDRESS}"
            )
        temperature, max_tokens = self._sampling(model)
        if model is None:
            return Endpoint(
                address, self.model, self.key, temperature=temperature, max_tokens=max_tokens
            )
        return Endpoint(
            address,
            model.model or model.name,
            model.key,
            temperature=temperature,
            top_p=model.top_p,
            seed=model.seed,
            max_tokens=max_tokens,
            **model.additions,
        )

    def _settings(self) -> ModelSettings | None:
        """The section of readmark.toml that the judge's model is, if it is one."""
        from readmark.core.configuration import configuration

        return None if self.base_url else configuration().models.get(self.model)

    def _sampling(self, model: ModelSettings | None) -> tuple[float, int]:
        """Temperature and longest reply: the judge's, unless only the model's section sets them."""
        temperature, max_tokens = self.temperature, self.max_tokens
        if model is not None:
            declared = {each.name: each for each in dataclasses.fields(self)}
            if temperature == declared["temperature"].default and model.temperature is not None:
                temperature = model.temperature
            if max_tokens == declared["max_tokens"].default and model.max_tokens is not None:
                max_tokens = model.max_tokens
        return temperature, max_tokens

    def _prompt(self) -> Prompt:
        from readmark.llm.prompts import load_prompt

        return load_prompt(self.prompt, self._language, PLACES, NEEDED)
