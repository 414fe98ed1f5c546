"""Judging questions by the three criteria."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from readmark.corpus.values import Offsets, Passage, Question
from readmark.setting.challenge.deduction import Deduction, Limits, deduce
from readmark.setting.challenge.instances import Company, company
from readmark.setting.challenge.reading import Entities, Reading
from readmark.setting.challenge.verdict import Verdict
from readmark.setting.question_rules.limits import annotators, length

SHORT = {"zh": 10, "en": 5}
"""A single word or a short phrase: at most so many characters of Chinese, or words of English."""
LevelOf = Callable[[Question, Passage, str], int | None]
SHOWN = 8
"""How many instances a reason names."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges the questions of passages."""

    language: str
    entities: Entities
    limits: Limits = field(default_factory=Limits)
    short: int | None = None
    """Another limit of short answers than the language's."""
    least: int = 3
    """How many annotators are asked for."""
    long_pass: bool = True
    """Whether longer answers pass the first criterion, as the document has it; else they too must
    need several sentences, since one in two ordinary questions has a longer answer."""
    every: bool = True
    """Whether every criterion is judged; else only those after one that is met."""
    level_of: LevelOf | None = None
    """Tells SMART's level beside the verdict."""

    def verdicts(self, passage: Passage) -> Iterator[Verdict]:
        """A verdict a question."""
        reading = Reading(passage, self.language, self.entities)
        for question in passage.questions:
            yield self._verdict(reading, question)

    def _verdict(self, reading: Reading, question: Question) -> Verdict:
        given = question.key.answers if question.key is not None else ()
        people = annotators(given)
        few = ("annotators",) if people < self.least else ()
        spans = [span for answer in given if (span := reading.place(answer)) is not None]
        if not spans:
            fails = ("no_answer", *few)
            why = ("it has no answer that stands in the passage",)
            return Verdict(question, reading.passage, "", fails, why, annotators=people)
        answer = spans[0]
        text = reading.passage.text[slice(*answer)]
        short, reason, judged = self._deduced(reading, question, answer)
        single = judged.single and (short or not self.long_pass)
        beside = Company(None)
        reasons = [reason]
        if self.every or not single:
            beside = company(reading.passage.text, answer, reading.classes)
            reasons.append(_company_words(beside))
        if few:
            reasons.append(f"answers of {people}, {self.least} annotators are asked for")
        fails = (
            *(("single_sentence" if short else "long_answer",) if single else ()),
            *(("only_instance",) if beside.alone else ()),
            *few,
        )
        level = None
        if self.level_of is not None and (self.every or not (single or beside.alone)):
            level = self.level_of(question, reading.passage, reading.language)
        return Verdict(
            question,
            reading.passage,
            text,
            fails,
            tuple(reasons),
            sentences=_used(reading, judged),
            kind=beside.kind,
            others=beside.others,
            covered=judged.covered,
            level=level,
            annotators=people,
        )

    def _deduced(
        self, reading: Reading, question: Question, answer: Offsets
    ) -> tuple[bool, str, Deduction]:
        """The first criterion: whether the answer is short, a reason, and how it was judged."""
        text = reading.passage.text[slice(*answer)]
        size, unit = length(text, reading.language)
        most = self.short or SHORT.get(reading.language, SHORT["zh"])
        over = reading.over(answer)
        if len(over) > 1:
            why = f"the answer runs over {len(over)} sentences"
            return size <= most, why, Deduction(False, 0.0, over[0], tuple(over[1:]), (), why)
        judged = deduce(
            question.text,
            sorted({*over, *reading.holding(text)}),
            reading.words,
            reading.language,
            title=reading.passage.title,
            limits=self.limits,
        )
        if size <= most:
            return True, judged.why, judged
        longer = f"the answer has {size} {unit}, a short phrase at most {most}"
        return False, longer if self.long_pass else f"{longer}; {judged.why}", judged


def _used(reading: Reading, judged: Deduction) -> tuple[Offsets, ...]:
    if judged.single or judged.sentence < 0:
        return ()
    return tuple(reading.sentences[at] for at in sorted({judged.sentence, *judged.joined}))


def _company_words(beside: Company) -> str:
    if beside.kind is None:
        return "the answer is of no class that is known"
    if beside.alone:
        return f"the answer is the only {beside.kind} in the passage"
    named = ", ".join(one.text for one in beside.others[:SHOWN])
    more = ", …" if len(beside.others) > SHOWN else ""
    return f"others of its class ({beside.kind}): {named}{more}"
