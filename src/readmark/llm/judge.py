"""A language model as the judge of free answers: opt-in, and validated against people first."""

from __future__ import annotations

import dataclasses
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
from readmark.llm.case_verdicts import CaseVerdict, CaseVerdicts
from readmark.llm.judge_labels import (
    JudgeAgreement,
    LabelledAnswers,
    compare_with_labels,
    read_labels,
    why_too_few,
)
from readmark.llm.judge_model import ADDRESS, LONGEST, JudgeModel
from readmark.llm.prompts import Prompt, load_prompt
from readmark.llm.verdicts import NEEDED, PLACES, JudgedCase, key_texts, settled_without_judge
from readmark.marking import Ratio

if TYPE_CHECKING:
    from readmark.hooks import Case
    from readmark.llm.client import Asker


_NO_RUN = MarkRun(name="judge")
_CACHE = "judge.cache.sqlite"
# The vectors of units: right, judged, without a verdict, without a reply.
_VECTORS = {
    CaseVerdict.RIGHT: (1.0, 1.0, 0.0, 0.0),
    CaseVerdict.WRONG: (0.0, 1.0, 0.0, 0.0),
    CaseVerdict.UNREADABLE: (0.0, 0.0, 1.0, 0.0),
    CaseVerdict.FAILED: (0.0, 0.0, 0.0, 1.0),
}
_NOT_ASKED = (0.0, 0.0, 0.0, 0.0)


class _Tools:
    """What a judge asks with; made when it is first needed."""

    def __init__(self, asker: Asker, prompt: Prompt) -> None:
        self.asker = asker
        self.prompt = prompt


@dataclass
class Judge(Ratio):
    """Share of answers that a language model calls right, given passage, question and key.

    A unit's vector is (right, judged, without a verdict, without a reply); the last two do not
    count. It may lead no table until labelled answers show how far people agree with it.
    """

    model: str = parameter("", help="the model's name at the endpoint")
    base_url: str = parameter("", help=f"the endpoint; {ADDRESS}", unnamed=True)
    key: str = parameter(
        "OPENAI_API_KEY", help="the environment variable with the key", unnamed=True
    )
    labels: str = parameter(
        "", help="answers that people called right or wrong, in a table", unnamed=True
    )
    prompt: str = parameter("judge", help="a prompt file of your own")
    people: bool = parameter(False, help="judge people's answers too, for their figure")
    temperature: float | None = parameter(
        None,
        help="sampling temperature; 0, unless the model's section sets it; below 0 it is not sent",
    )
    max_tokens: int | None = parameter(
        None,
        help=f"longest reply, reasoning included; {LONGEST}, unless the model's section sets it",
    )
    cache: str = parameter(_CACHE, help='where verdicts are kept; "" is nowhere', unnamed=True)

    facts: ClassVar[MetricFacts] = dataclasses.replace(
        Ratio.facts, width=4, uncounted="there is no verdict of the judge"
    )

    _test: Test | None = field(default=None, init=False, repr=False)
    _labelled: LabelledAnswers | None = field(default=None, init=False, repr=False)
    _run: MarkRun = field(default=_NO_RUN, init=False, repr=False)
    _tools: _Tools | None = field(default=None, init=False, repr=False)
    _verdicts: CaseVerdicts = field(default_factory=CaseVerdicts, init=False, repr=False)
    _submitted: dict[str, None] = field(default_factory=dict, init=False, repr=False)
    """The cases of marked answers that needed the judge, whether or not a verdict came."""
    _agreement: JudgeAgreement | None = field(default=None, init=False, repr=False)

    def resolve(self, test: Test) -> Self:
        """The judge for a test's language, with the labelled answers read."""
        resolved = dataclasses.replace(self)
        resolved._test = test
        if self.labels:
            resolved._labelled = LabelledAnswers.of(read_labels(self.labels, test))
        resolved._model()  # a judge without an endpoint is refused before anything is marked
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
        verdicts = [self._verdicts[case] for case in self._submitted]
        if not verdicts or any(verdict.is_right is not None for verdict in verdicts):
            return None
        failed, unreadable = (
            verdicts.count(CaseVerdict.FAILED),
            verdicts.count(CaseVerdict.UNREADABLE),
        )
        if failed:
            reason = f"{counted(unreadable, 'verdict')} could not be read; " if unreadable else ""
            reason += f"{counted(failed, 'answer')} without a reply: {self._verdicts.last_failure}"
            return f"{reason}; mark again to ask again"
        return (
            f"none of {counted(unreadable, 'verdict')} could be read; a reply begins "
            f"{clip(self._verdicts.last_unreadable)!r}"
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
            return _VECTORS[CaseVerdict.WRONG] if references else _NOT_ASKED
        case = self._case(unit, references, answer)
        if case is None:
            return _NOT_ASKED
        self._judge_answers([case])
        return _VECTORS[self._verdicts[case.known_by]]

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
        self._judge_answers(
            [judged_case for judged_case in judged_cases if judged_case is not None]
        )
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
        if failed:
            verb = "was not judged and does" if failed == 1 else "were not judged and do"
            failure = self._verdicts.last_failure
            remarks.append(f"{counted(failed, 'answer')} {verb} not count: {failure}")
        asker = self._ready().asker
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
        tools, model = self._ready(), self._model()
        agreement = self._agreement_with_people()
        additions = {
            name: msgspec.json.encode(value, order="deterministic").decode()
            for name, value in model.endpoint.extras.items()
        }
        beside_people = UNVALIDATED
        if agreement is not None:
            mark = f"{UNVALIDATED} " if agreement.too_few else ""
            beside_people = f"{mark}{agreement.words}"
        return {
            "judge": model.endpoint.model,
            "endpoint": model.endpoint.base_url,
            "prompt": f"{tools.prompt.name}-{tools.prompt.version}",
            "temperature": f"{model.temperature:g}",
            "max_tokens": str(model.max_tokens),
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
            self._judge(label.case for label in labels)
            verdicts = [self._verdicts[label.case.known_by] for label in labels]
            self._agreement = compare_with_labels(
                labels,
                [verdict.is_right for verdict in verdicts],
                failed=verdicts.count(CaseVerdict.FAILED),
            )
        agreement = self._agreement
        if agreement is not None and agreement.too_few and self._run.leads:
            reason = agreement.too_few
            if agreement.failed:
                reason += f" ({agreement.failed} without a reply: {self._verdicts.last_failure})"
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
        assert self._test is not None  # a metric is resolved before it marks
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

    def _judge_answers(self, cases: Sequence[JudgedCase]) -> None:
        """Verdicts on answers that are marked, which labelled answers are not."""
        self._submitted |= {
            case.known_by: None for case in cases if settled_without_judge(case) is None
        }
        self._judge(cases)

    def _judge(self, cases: Iterable[JudgedCase]) -> None:
        """Verdicts on the cases that have none yet."""
        if unsettled := self._verdicts.unsettled(cases):
            tools = self._ready()
            self._verdicts.ask(
                unsettled, tools.asker, tools.prompt, self._language, self._run.watch
            )

    @property
    def _language(self) -> str:
        return self._test.language if self._test is not None else "en"

    def _ready(self) -> _Tools:
        if self._tools is None:
            asker = self._model().asker(self._run.traffic, self.cache)
            self._tools = _Tools(asker, self._prompt())
        return self._tools

    def _model(self) -> JudgeModel:
        return JudgeModel.named(
            self.model,
            self.base_url,
            self.key,
            temperature=self.temperature,
            max_tokens=self.max_tokens,
        )

    def _prompt(self) -> Prompt:
        return load_prompt(self.prompt, self._language, PLACES, NEEDED)
