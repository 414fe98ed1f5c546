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
_LONGEST = 512  # tokens of a verdict: a yes or no in JSON, after some reasoning
# The vectors of units: right, judged, without a verdict, without a reply.
_RIGHT = (1.0, 1.0, 0.0, 0.0)
_WRONG = (0.0, 1.0, 0.0, 0.0)
_UNREADABLE = (0.0, 0.0, 1.0, 0.0)
_FAILED = (0.0, 0.0, 0.0, 1.0)
_NOT_ASKED = (0.0, 0.0, 0.0, 0.0)
_IS_RIGHT: dict[tuple[float, ...], bool] = {_RIGHT: True, _WRONG: False}
"""What the vectors with a verdict say."""


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
    temperature: float | None = parameter(
        None, help="sampling temperature; 0, unless the model's section sets it"
    )
    max_tokens: int | None = parameter(
        None,
        help=f"longest reply, reasoning included; {_LONGEST}, unless the model's section sets it",
    )
    cache: str = parameter(_CACHE, help='where verdicts are kept; "" is nowhere', unnamed=True)

    facts: ClassVar[MetricFacts] = dataclasses.replace(
        Ratio.facts, width=4, uncounted="there is no verdict of the judge"
    )

    _language: str = field(default="en", init=False, repr=False)
    _labelled: LabelledAnswers | None = field(default=None, init=False, repr=False)
    _run: MarkRun = field(default=_NO_RUN, init=False, repr=False)
    _tools: Any = field(default=None, init=False, repr=False)
    _verdicts: dict[str, tuple[float, ...]] = field(default_factory=dict, init=False, repr=False)
    _agreement: JudgeAgreement | None = field(default=None, init=False, repr=False)
    _last_failure: str = field(default="", init=False, repr=False)
    _last_unreadable: str = field(default="", init=False, repr=False)
    _submitted: dict[str, None] = field(default_factory=dict, init=False, repr=False)
    """The cases that needed the judge, whether or not a verdict came."""
    _test: Any = field(default=None, init=False, repr=False)
    _received: int = field(default=0, init=False, repr=False)
    _requested: int = field(default=0, init=False, repr=False)

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
            reason: str | None
            if self._labelled is None:
                reason = (
                    "no agreement with people is shown: labels=FILE, or name another metric first"
                )
            else:
                reason = why_too_few(self._labelled.each)
            if reason is not None:
                raise UsageError(f"{run.name} may not be the main mark: {reason}")

    def _refusal(self) -> str | None:
        """Why there is no mark: answers were sent to the judge, and no verdict came on any of them.

        What needs no judge, such as an unanswered question, would be the whole mark otherwise.
        """
        vectors = [self._verdicts[case] for case in self._submitted]
        if not vectors or any(vector in _IS_RIGHT for vector in vectors):
            return None
        failed, unreadable = vectors.count(_FAILED), vectors.count(_UNREADABLE)
        if failed:
            reason = f"{counted(unreadable, 'verdict')} could not be read; " if unreadable else ""
            reason += f"{counted(failed, 'answer')} without a reply: {self._last_failure}"
            return f"{reason}; mark again to ask again"
        return (
            f"none of {counted(unreadable, 'verdict')} could be read; a reply begins "
            f"{clip(self._last_unreadable)!r}"
        )

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """The verdict on one answer."""
        self._agreement_with_people()
        if answer is None:
            return _WRONG if references else _NOT_ASKED
        case = self._case(unit, references, answer)
        if case is None:
            return _NOT_ASKED
        self._judge([case])
        return self._verdicts[case.known_by]

    def statistics_of_many(self, cases: Sequence[Case]) -> Sequence[Sequence[float]]:
        """The verdicts on many answers, asked for at once; the panel's and people's go along."""
        self._agreement_with_people()
        judged_cases: list[JudgedCase | None] = []
        for case in cases:
            judged_cases += [
                self._case(case.unit, case.references, answer)
                for answer in (case.answer, *case.people)
                if answer is not None
            ]
            judged_cases += self._leave_one_out_cases(case)
        self._judge(judged_case for judged_case in judged_cases if judged_case is not None)
        return [self.statistics(*case) for case in cases]

    def report(self, rows: Floats) -> MetricReport:
        """Agreement with people, what could not be judged, and what it took."""
        if (reason := self._refusal()) is not None:
            raise ReadmarkError(f"{self._run.name} has no mark: {reason}")
        agreement = self._agreement_with_people()
        remarks = []
        if agreement is None or self._labelled is None:
            remarks.append(f"{UNVALIDATED}: no agreement with people is shown (labels=FILE)")
        else:
            remarks += [f"compared with people: {agreement.words}", agreement.table]
            remarks += [self._labelled.words] if self._labelled.words else []
            remarks += [f"{UNVALIDATED}: {agreement.too_few}"] if agreement.too_few else []
        unreadable, failed = (int((rows[:, column] > 0).sum()) for column in (2, 3))
        # A row is a unit. Of several repeats one may lack a verdict, and the others have one.
        scored = int(((rows[:, 2] > 0) & (rows[:, 1] > 0)).sum())
        if scored:
            questions = counted(unreadable, "question")
            remarks.append(
                f"some verdicts on {questions} could not be read; scored by other repeats: {scored}"
            )
        elif unreadable:
            verdicts = counted(unreadable, "verdict")
            remarks.append(f"{verdicts} could not be read; their questions are not scored")
        if failed == 1:
            remarks.append(f"1 answer was not judged and does not count: {self._last_failure}")
        elif failed:
            remarks.append(
                f"{failed} answers were not judged and do not count: {self._last_failure}"
            )
        asker, _ = self._ready()
        budget = asker.budget
        if budget.used.total:
            line = f"{budget.used.input:,} input tokens, {budget.used.output:,} output"
            if budget.price:
                line += f", {numbers.significant(budget.cost)} {budget.price.currency}"
            remarks.append(line)
        return MetricReport(remarks=[*remarks, *asker.notes], failed=failed)

    def averaged(self, vectors: Sequence[Sequence[float]]) -> Sequence[float]:
        """The repeats of a unit as one: the share that is right of those with a verdict."""
        right, judged, unreadable, failed = (sum(cells) for cells in zip(*vectors, strict=True))
        shares = (right / judged, 1.0) if judged else (0.0, 0.0)
        return *shares, unreadable / len(vectors), failed / len(vectors)

    def signature(self) -> Mapping[str, str]:
        """Model, endpoint, prompt and parameters, and how far people agree."""
        asker, prompt = self._ready()
        agreement = self._agreement_with_people()
        temperature, max_tokens = self._sampling(self._settings())
        additions = {
            name: msgspec.json.encode(value, order="deterministic").decode()
            for name, value in asker.endpoint.extras.items()
        }
        beside_people = UNVALIDATED
        if agreement is not None:
            mark = f"{UNVALIDATED} " if agreement.too_few else ""
            beside_people = f"{mark}{agreement.words}"
        return {
            "judge": asker.endpoint.model,
            "endpoint": asker.endpoint.base_url,
            "prompt": f"{prompt.name}-{prompt.version}",
            "temperature": f"{temperature:g}",
            "max_tokens": str(max_tokens),
            **additions,
            "beside people": beside_people,
            "units": "mean",
        }

    def _agreement_with_people(self) -> JudgeAgreement | None:
        """How far the judge agrees with the labels, which it is asked about before anything else.

        A request that failed is no verdict.
        """
        if self._agreement is None and self._labelled is not None:
            labels = self._labelled.each
            self._judge((label.case for label in labels), labelled=True)
            vectors = [self._verdicts[label.case.known_by] for label in labels]
            self._agreement = compare_with_labels(
                labels,
                [_IS_RIGHT.get(vector) for vector in vectors],
                failed=vectors.count(_FAILED),
            )
        agreement = self._agreement
        if agreement is not None and agreement.too_few and self._run.leads:
            reason = agreement.too_few
            if agreement.failed:
                reason += f" ({agreement.failed} without a reply: {self._last_failure})"
            raise ReadmarkError(
                f"judge {self.model} may not be the main mark: {reason}; name another metric first"
            )
        return agreement

    def _case(
        self, unit: Unit, references: Sequence[Sequence[Any]], answer: Any
    ) -> JudgedCase | None:
        """What is to be judged; people's own figure only if it was asked for, as it costs most."""
        if not references:
            return None
        if not self.people and len(references) < len(self._test.kind.references(unit)):
            return None
        return JudgedCase(unit.record.text, unit.item.text, key_texts(references), answer.text)

    def _leave_one_out_cases(self, case: Case) -> list[JudgedCase | None]:
        """What will be asked for when each person's answers are left out of the key."""
        if not self.people or len(case.references) < 2:
            return []
        judged_cases = []
        for index, person in enumerate(case.references):
            others = (*case.references[:index], *case.references[index + 1 :])
            for answer in (case.answer, person[0]):
                if answer is not None:
                    judged_cases.append(self._case(case.unit, others, answer))
        return judged_cases

    def _judge(self, cases: Iterable[JudgedCase], *, labelled: bool = False) -> None:
        """Verdicts on the cases that have none yet; labelled answers are no part of a mark."""
        from readmark.llm.replies import RequestFailure

        to_ask = []
        for case in each_once(cases):
            is_right = settled_without_judge(case)
            if is_right is None and not labelled:
                self._submitted[case.known_by] = None
            if case.known_by in self._verdicts:
                continue
            if is_right is None:
                to_ask.append(case)
            else:
                self._verdicts[case.known_by] = _RIGHT if is_right else _WRONG
        if not to_ask:
            return
        asker, prompt = self._ready()
        requests = (request_for(case, prompt, self._language) for case in to_ask)
        self._requested += len(to_ask)
        for settled in asker.ask(requests):
            self._received += 1
            if self._run.watch is not None:
                self._run.watch("verdicts", self._received, self._requested)
            if isinstance(settled.outcome, RequestFailure):
                self._last_failure = settled.outcome.error
                vector = _FAILED
            elif (is_right := verdict_of(settled.outcome)) is None:
                self._last_unreadable = settled.outcome.content
                vector = _UNREADABLE
            else:
                vector = _RIGHT if is_right else _WRONG
            self._verdicts[settled.request.unit] = vector

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
        """Temperature and longest reply: the judge's own, else those of the model's section."""
        temperatures = self.temperature, model.temperature if model is not None else None, 0.0
        lengths = self.max_tokens, model.max_tokens if model is not None else None, _LONGEST
        # Not `or`: a temperature of 0 that somebody named wins over the section's.
        return (
            next(value for value in temperatures if value is not None),
            next(value for value in lengths if value is not None),
        )

    def _prompt(self) -> Prompt:
        from readmark.llm.prompts import load_prompt

        return load_prompt(self.prompt, self._language, PLACES, NEEDED)
