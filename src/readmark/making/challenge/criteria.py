"""Whether one sentence gives the answer (CMRC 2018's first criterion for its challenge set).

A short answer is not deduced from a single sentence when the question speaks of things that no
sentence with the answer has, and other sentences do: they must be joined. What the passage is
about needs no other sentence: it is known wherever the passage speaks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import msgspec

from readmark.comprehension import answer_length, count_annotators
from readmark.core import numbers
from readmark.core.problems import ReportProblem
from readmark.core.records import Offsets, Passage, Question, QuestionKey
from readmark.core.test import Placed, Test
from readmark.making.challenge.clues import (
    Clue,
    Company,
    Entities,
    Instance,
    QuestionedPassage,
    SentenceWords,
    clues,
    company,
)

_HALF = 0.5
_SUBJECT = re.compile(r"[，,（(。:：;；]|(?<=.)(?:是|为|位于)| (?:is|was|are|were) ")


@dataclass(frozen=True, slots=True)
class DeductionLimits:
    """The thresholds of the first criterion."""

    covered: float = 0.7
    """The share of a question's weight that makes one sentence enough."""
    joined: float = 0.25
    """The share that must come from other sentences."""
    words: int = 2
    """How many words must come from there, where the best sentence has any at all."""
    topic: float = 0.34
    """A word in so many of the sentences is what the passage is about."""
    unknown: float = 0.3
    """The share that occurs nowhere from which the words decide nothing, where no sentence has
    half of the question."""


@dataclass(frozen=True, slots=True)
class Deduction:
    """How the first criterion was judged for a question."""

    single: bool
    """Whether a single sentence gives the answer."""
    covered: float
    """The share of the question's content that the best sentence with the answer has."""
    sentence: int
    """That sentence; -1 when none holds the answer."""
    joined: tuple[int, ...]
    """The other sentences that have what is missing there."""
    missing: tuple[str, ...]
    """The words that they have."""
    why: str
    undecided: bool = False
    """Whether the question's words are not in the passage, so that nothing is shown."""

    @property
    def needed(self) -> list[int]:
        """The sentences to join, where one is not enough."""
        if self.single or self.undecided or self.sentence < 0:
            return []
        return sorted({self.sentence, *self.joined})


def deduce(
    question: str,
    holding: Sequence[int],
    passage: SentenceWords,
    language: str,
    *,
    title: str | None = None,
    limits: DeductionLimits | None = None,
) -> Deduction:
    """Judge whether the best sentence with the answer gives it alone."""
    limits = limits or DeductionLimits()
    all_clues = clues(question, passage, language)
    if not holding:
        return Deduction(False, 0.0, -1, (), (), "no sentence of the passage holds the answer")
    total = sum(clue.weight for clue in all_clues)
    if not total:
        return Deduction(True, 1.0, holding[0], (), (), "the question has no content words")
    about = _topic(all_clues, passage, title, limits)

    def share(sentence: int) -> float:
        has = (clue for clue in all_clues if sentence in clue.near or clue.word in about)
        return sum(clue.weight for clue in has) / total

    best = max(holding, key=lambda at: (share(at), -at))
    covered = share(best)
    missing = [clue for clue in all_clues if best not in clue.near and clue.word not in about]
    elsewhere = [clue for clue in missing if clue.exact]
    moved = sum(clue.weight for clue in elsewhere) / total
    why = f"one sentence has {numbers.percent(covered, 0)} of the question"
    heard = any(best in clue.near for clue in all_clues)
    # One word alone must be a thing: a verb that is missing has a synonym that is not known.
    few = len(elsewhere) < limits.words and (heard or not all(clue.nominal for clue in elsewhere))
    one_phrase = heard and _is_noun_phrase(elsewhere)
    if covered >= limits.covered:
        return Deduction(True, covered, best, (), (), why)
    if moved >= limits.joined and not (few or one_phrase):
        joined = _fewest(elsewhere, passage)
        words = tuple(clue.word for clue in elsewhere)
        why = f"the best sentence has {numbers.percent(covered, 0)} of the question; elsewhere: "
        why += ", ".join(words)
        return Deduction(False, covered, best, joined, words, why)
    unknown = 1 - covered - moved
    if covered < _HALF and unknown >= limits.unknown:
        why += f", {numbers.percent(unknown, 0)} occurs nowhere: a person must decide"
        return Deduction(False, covered, best, (), (), why, undecided=True)
    if elsewhere and one_phrase:
        name = "".join(clue.word for clue in elsewhere) if language == "zh" else "a name"
        why += f"; only {name} is taken up from before"
    elif elsewhere:
        why += f"; elsewhere only: {', '.join(clue.word for clue in elsewhere)}"
        if covered < _HALF:
            why += "; a person must decide"
            return Deduction(False, covered, best, (), (), why, undecided=True)
    return Deduction(True, covered, best, (), (), why)


def _topic(
    found: Sequence[Clue], passage: SentenceWords, title: str | None, limits: DeductionLimits
) -> frozenset[str]:
    """Words of the title, of the passage's first subject, or of many sentences."""
    first = passage.sentences[0] if passage.sentences else ""
    subject = _SUBJECT.split(first, maxsplit=1)[0][:30]
    said = f"{title or ''} {subject}".lower()
    many = limits.topic * len(passage.sentences)
    return frozenset(
        clue.word for clue in found if clue.word in said or len(clue.exact) >= max(2.0, many)
    )


def _is_noun_phrase(missing: Sequence[Clue]) -> bool:
    """Whether what is missing is one noun phrase: a sentence takes it up by a pronoun or none."""
    places = sorted(clue.place for clue in missing)
    together = all(after - before <= 1 for before, after in pairwise(places))
    return together and all(clue.nominal for clue in missing)


def _fewest(wanted: Sequence[Clue], passage: SentenceWords) -> tuple[int, ...]:
    """Few sentences that together have all the words: each time the one with the most."""
    left = list(wanted)
    chosen: list[int] = []
    while left:
        at = max(
            range(len(passage.sentences)), key=lambda at: sum(at in clue.exact for clue in left)
        )
        chosen.append(at)
        left = [clue for clue in left if at not in clue.exact]
    return tuple(sorted(chosen))


# The verdict on a question: which of CMRC 2018's criteria for its challenge set it fails, and
# why.


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
"""What a question fails by, in the order of judging; ``long_answer`` only where longer answers
must need several sentences as well, which the document does not ask. ``undecided`` is no failure
where questions are checked: a person must look at them."""


@dataclass(frozen=True, slots=True)
class ChallengeVerdict:
    """What was found of a question, and which criteria it fails."""

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
    """SMART's level, where that was asked for."""
    annotators: int = 0
    undecided: bool = False
    """Whether the first criterion is left to a person."""

    @property
    def meets_criteria(self) -> bool:
        """Whether the question itself meets the criteria, however many have answered it."""
        return not self.undecided and not set(self.fails) - {"annotators"}

    def record(self) -> dict[str, Any]:
        """What a file keeps of it."""
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


# Judging questions by the three criteria.


SHORT = {"zh": 10, "en": 5}
"""A single word or a short phrase: at most so many characters of Chinese, or words of English."""
LevelOf = Callable[[Question, Passage, str], int | None]
SHOWN = 8
"""How many instances a reason names."""


@dataclass(frozen=True, slots=True)
class ChallengeJudge:
    """Judges the questions of passages."""

    language: str
    entities: Entities
    limits: DeductionLimits = field(default_factory=DeductionLimits)
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
    """Determines SMART's level, which is reported with the verdict."""

    def verdicts(self, passage: Passage) -> Iterator[ChallengeVerdict]:
        """A verdict a question."""
        reading = QuestionedPassage(passage, self.language, self.entities)
        for question in passage.questions:
            yield self._verdict(reading, question)

    def _verdict(self, reading: QuestionedPassage, question: Question) -> ChallengeVerdict:
        answers = question.key.answers if question.key is not None else ()
        people = count_annotators(answers)
        few = ("annotators",) if people < self.least else ()
        spans = [span for answer in answers if (span := reading.place(answer)) is not None]
        if not spans:
            fails = ("no_answer", *few)
            why = ("it has no answer that occurs in the passage",)
            return ChallengeVerdict(question, reading.passage, "", fails, why, annotators=people)
        answer = spans[0]
        text = reading.passage.text[slice(*answer)]
        short, reason, judged = self._deduced(reading, question, answer)
        judged_so = short or not self.long_pass
        single = judged.single and judged_so
        undecided = judged.undecided and judged_so
        sought = undecided and not self.every
        beside = Company(None)
        reasons = [reason]
        if self.every or not (single or sought):
            beside = company(reading.passage.text, answer, reading.classes)
            reasons.append(_company_words(beside))
        if few:
            reasons.append(f"answers of {people}, {self.least} annotators are asked for")
        fails = (
            *(("single_sentence" if short else "long_answer",) if single else ()),
            *(("undecided",) if sought else ()),
            *(("only_instance",) if beside.alone else ()),
            *few,
        )
        level = None
        if self.level_of is not None and (self.every or not (single or sought or beside.alone)):
            level = self.level_of(question, reading.passage, reading.language)
        return ChallengeVerdict(
            question,
            reading.passage,
            text,
            fails,
            tuple(reasons),
            sentences=tuple(reading.sentences[at] for at in judged.needed),
            kind=beside.kind,
            others=beside.others,
            covered=judged.covered,
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


def _company_words(company: Company) -> str:
    if company.kind is None:
        return "the answer is of no class that is known"
    if company.alone:
        return f"the answer is the only {company.kind} in the passage"
    named = numbers.first_ids([other.text for other in company.others], SHOWN)
    return f"others of its class ({company.kind}): {named}"


# A challenge set out of a test: the questions that meet the criteria, or all with verdicts.


FIELD = "challenge"
"""The field of a question's key that keeps its verdict."""

WatchSelection = Callable[["Selection"], None]


@dataclass(slots=True)
class Selection:
    """What was judged; it counts along while the test is read."""

    questions: int = 0
    verdicts: list[ChallengeVerdict] = field(default_factory=list)
    """Of the questions found; of all of them when they were to be checked."""
    fails: Counter[str] = field(default_factory=Counter)
    """How many questions fail by what; of those to be found, only the first that each fails by."""

    def summary(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "questions": self.questions,
            "met": sum(verdict.meets_criteria for verdict in self.verdicts),
            "fails": {name: self.fails[name] for name in WORDS},
            "verdicts": {
                verdict.question.id: {
                    "question": verdict.question.text,
                    "answer": verdict.answer,
                    "found": verdict.meets_criteria,
                    **verdict.record(),
                }
                for verdict in self.verdicts
            },
        }


def selected(
    test: Test, judge: ChallengeJudge, *, find: bool, watch: WatchSelection | None = None
) -> tuple[Test, Selection]:
    """The test with the questions found, each with its verdict; or with every verdict.

    Passages without a question found are left out. The second value counts while records are read.
    """
    test.require_kind("comprehension")
    done = Selection()

    def stream(report: ReportProblem) -> Iterator[Placed]:
        # A test may be read more than once; the last reading counts.
        done.questions = 0
        done.verdicts.clear()
        done.fails.clear()
        for place, passage in test.stream(report):
            questions = []
            for verdict in judge.verdicts(passage):
                done.questions += 1
                # What comes after the first failure is not judged where questions are found.
                done.fails.update(verdict.fails[:1] if find else verdict.fails)
                if verdict.undecided and not find:
                    done.fails["undecided"] += 1
                if verdict.meets_criteria or not find:
                    done.verdicts.append(verdict)
                    questions.append(_noted(verdict))
            if watch is not None:
                watch(done)
            if questions or not find:
                yield place, msgspec.structs.replace(passage, questions=tuple(questions))

    return replace(test, stream=stream), done


def _noted(verdict: ChallengeVerdict) -> Question:
    key = verdict.question.key or QuestionKey()
    key = msgspec.structs.replace(key, fields={**key.fields, FIELD: verdict.record()})
    return msgspec.structs.replace(verdict.question, key=key)
