"""CMRC 2018's criteria for its challenge set: which of them a question fails, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from readmark.comprehension import answer_length, count_annotators
from readmark.core import numbers
from readmark.core.records import Offsets, Passage, Question
from readmark.making.challenge.classes import Company, Instance, company
from readmark.making.challenge.deduction import Deduction, DeductionLimits, deduce
from readmark.making.challenge.questioned_passage import Entities, QuestionedPassage

CRITERIA = ("single_sentence", "only_instance", "annotators")
"""The document's: one sentence is enough, nothing else of its class, too few people."""

WORDS = {
    "no_answer": "no answer occurs in the passage",
    "single_sentence": "one sentence gives the answer",
    "undecided": "the question's words are not in the passage",
    "long_answer": "a longer answer that one sentence gives, not taken",
    "only_instance": "the answer is the only one of its class",
    "annotators": "too few people answered",
}
"""Why a question fails, in the order of judging. ``long_answer`` is used only where longer answers
must need several sentences as well, which the document does not ask. ``undecided`` is no failure
where questions are checked: a person must look at them."""

SHORT = {"zh": 10, "en": 5}
"""A single word or a short phrase: at most so many characters of Chinese, or words of English."""

SHOWN = 8
"""How many instances a reason names."""

LevelOf = Callable[[Question, Passage, str], int | None]


@dataclass(frozen=True, slots=True)
class ChallengeVerdict:
    """Which criteria a question fails, and what the verdict rests on."""

    question: Question
    passage: Passage
    answer: str
    fails: tuple[str, ...]
    why: tuple[str, ...]
    """One line per criterion that was judged."""
    sentences: tuple[Offsets, ...] = ()
    """The sentence with the answer and those to join with it, where one is not enough."""
    kind: str | None = None
    """The class of the answer."""
    others: tuple[Instance, ...] = ()
    """The other instances of it in the passage."""
    covered: float | None = None
    """The share of the question that the best sentence with the answer has."""
    level: int | None = None
    """SMART's level, if the judge determines levels."""
    annotators: int = 0
    undecided: bool = False
    """Whether the first criterion is left to a person."""

    @property
    def meets_criteria(self) -> bool:
        """Whether the question itself meets the criteria, however many have answered it."""
        return not self.undecided and not set(self.fails) - {"annotators"}

    def record(self) -> dict[str, Any]:
        """The verdict as a file stores it."""
        return {
            "fails": list(self.fails),
            "why": list(self.why),
            "sentences": [list(sentence) for sentence in self.sentences],
            "class": self.kind,
            "others": [[other.text, other.start, other.end] for other in self.others],
            "covered": None if self.covered is None else round(self.covered, 3),
            "level": self.level,
            "annotators": self.annotators,
            "undecided": self.undecided,
        }


@dataclass(frozen=True, slots=True)
class ChallengeJudge:
    """Judges the questions of passages."""

    language: str
    entities: Entities
    limits: DeductionLimits = field(default_factory=DeductionLimits)
    short: int | None = None
    """The length of short answers, if it is not the language's."""
    least: int = 3
    """How many annotators must have answered."""
    long_pass: bool = True
    """Whether longer answers pass the first criterion, as the document has it; else they too must
    need several sentences, since one in two ordinary questions has a longer answer."""
    every: bool = True
    """Whether every criterion is judged; if not, a question that fails the first is not judged by
    the others, which saves the search for entities."""
    level_of: LevelOf | None = None
    """Determines SMART's level, which is reported with the verdict."""

    def verdicts(self, passage: Passage) -> Iterator[ChallengeVerdict]:
        """The verdict on each question of a passage."""
        reading = QuestionedPassage(passage, self.language, self.entities)
        for question in passage.questions:
            yield self._verdict(reading, question)

    def _verdict(self, reading: QuestionedPassage, question: Question) -> ChallengeVerdict:
        passage = reading.passage
        answers = question.key.answers if question.key is not None else ()
        people = count_annotators(answers)
        spans = [span for answer in answers if (span := reading.place(answer)) is not None]
        if not spans:
            why = ("it has no answer that occurs in the passage",)
            fails = ["no_answer"]
            if people < self.least:
                fails.append("annotators")
            return ChallengeVerdict(question, passage, "", tuple(fails), why, annotators=people)
        answer = spans[0]

        short, reason, deduction = self._deduced(reading, question, answer)
        reasons = [reason]
        fails = []
        undecided = False
        if short or not self.long_pass:
            undecided = deduction.undecided
            if deduction.single:
                fails.append("single_sentence" if short else "long_answer")
            if undecided and not self.every:
                fails.append("undecided")
        others = Company(None)
        if self.every or not fails:
            others = company(passage.text, answer, reading.classes)
            reasons.append(_company_words(others))
        if others.alone:
            fails.append("only_instance")
        level = None
        if self.level_of is not None and (self.every or not fails):
            level = self.level_of(question, passage, reading.language)
        # Last, since it speaks of the work that is left and not of the question.
        if people < self.least:
            fails.append("annotators")
            reasons.append(f"answers of {people}, {self.least} annotators are asked for")
        return ChallengeVerdict(
            question,
            passage,
            passage.text[slice(*answer)],
            tuple(fails),
            tuple(reasons),
            sentences=tuple(reading.sentences[index] for index in deduction.needed),
            kind=others.kind,
            others=others.others,
            covered=deduction.covered,
            level=level,
            annotators=people,
            undecided=undecided,
        )

    def _deduced(
        self, reading: QuestionedPassage, question: Question, answer: Offsets
    ) -> tuple[bool, str, Deduction]:
        """The first criterion: whether the answer is short, a reason, and how it was judged."""
        text = reading.passage.text[slice(*answer)]
        size, unit = answer_length(text, reading.language)
        most = self.short or SHORT.get(reading.language, SHORT["zh"])
        over = reading.over(answer)
        if len(over) > 1:
            why = f"the answer runs over {len(over)} sentences"
            return size <= most, why, Deduction(False, 0.0, over[0], tuple(over[1:]), (), why)
        deduction = deduce(
            question.text,
            sorted({*over, *reading.holding(text)}),
            reading.words,
            reading.language,
            title=reading.passage.title,
            limits=self.limits,
        )
        if size <= most:
            return True, deduction.why, deduction
        longer = f"the answer has {size} {unit}, a short phrase at most {most}"
        return False, longer if self.long_pass else f"{longer}; {deduction.why}", deduction


def _company_words(company: Company) -> str:
    if company.kind is None:
        return "the answer is of no class that is known"
    if company.alone:
        return f"the answer is the only {company.kind} in the passage"
    others = numbers.first_ids([other.text for other in company.others], SHOWN)
    return f"others of its class ({company.kind}): {others}"
