"""Fields that are computed from a question, its answers and its passage, to slice marks by.

``readmark stats`` counts types and word overlap with the same functions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from readmark.core.records import PUBLISHER, Offsets, Unit
from readmark.marking import DerivedField
from readmark.text.answers.places import SOURCE, holding, passage_sentences, recalled, taken_by
from readmark.text.bags import Bags
from readmark.text.questions.types import RULED, RULES, question_type, wh_word
from readmark.text.words import LENGTHS, length_unit

if TYPE_CHECKING:
    from readmark.core.test import Test
    from readmark.hooks import Kind

HAS_ANSWER, NO_ANSWER = "HasAns", "NoAns"
"""What SQuAD 2.0's script calls questions with and without an answer in the passage."""


def derived_fields(test: Test) -> Mapping[str, DerivedField]:
    """The fields of a comprehension test; those by rules of a language only where it has them."""
    unit = length_unit(test.language)
    size = LENGTHS[unit]

    def answer_length(question: Unit) -> float | None:
        """The mean over all answers in words."""
        if question.key is None or question.key.unanswerable:
            return None
        answers = [answer.text for person in test.kind.references(question) for answer in person]
        return sum(map(size, answers)) / len(answers) if answers else None

    fields = {
        "answerable": DerivedField(_answerable, "answerable:key"),
        "answer_length": DerivedField(
            answer_length, f"unit:{unit}|answers:mean", quartiles=True, decimals=1
        ),
        "question_length": DerivedField(
            lambda question: size(question.item.text), f"unit:{unit}", quartiles=True
        ),
        "passage_length": DerivedField(
            lambda question: size(question.record.text), f"unit:{unit}", quartiles=True
        ),
    }
    if test.language not in RULED:
        return fields
    overlap = QuestionOverlap(test.kind, test.language)

    def word(question: Unit) -> str | None:
        return wh_word(question.item.text, test.language)

    return {
        "type": DerivedField(lambda question: type_of(test, question), f"types:{RULES}"),
        "question_word": DerivedField(word, f"question words:{RULES}"),
        **fields,
        "overlap": DerivedField(
            overlap.with_answer_sentence,
            f"with:answer sentence|{overlap.signature()}",
            quartiles=True,
            decimals=2,
        ),
        "passage_overlap": DerivedField(
            overlap.with_passage,
            f"with:passage|{overlap.signature()}",
            quartiles=True,
            decimals=2,
        ),
    }


def _answerable(unit: Unit) -> str | None:
    if unit.key is None:
        return None
    return NO_ANSWER if unit.key.unanswerable else HAS_ANSWER


def type_of(test: Test, unit: Unit, *, parallel: str | None = None) -> Any:
    """A question's type or types; None where the key has none and there are no rules for it."""
    own = unit.field("type")
    if own is not None:
        return own
    if test.kind.name != "comprehension" or test.language not in RULED:
        return None
    return question_type(unit.item.text, test.language, parallel=parallel)


class QuestionOverlap:
    """The share of a question's words that its answer sentence or its passage has, after stemming.

    "Design and Development of a Bilingual Reading Comprehension Corpus", Table 11, has the mean.
    """

    def __init__(self, kind: Kind, language: str) -> None:
        self._kind = kind
        self._language = language
        self._bags = Bags(language)
        self._record: Any = None
        self._sentences: list[Offsets] = []
        self._words: list[frozenset[str]] = []

    def with_answer_sentence(self, unit: Unit) -> float | None:
        """A question answered in several places is as near as its nearest; None without any."""
        right = self._answer_sentences(unit)
        asked = self._bags.of(unit.item.text) if right else frozenset()
        if not asked:
            return None
        return max(len(asked & self._words[index]) / len(asked) for index in right)

    def answer_sentences(self, unit: Unit) -> list[Offsets]:
        """The sentences that a question is compared with; none where the key shows none."""
        return [self._sentences[index] for index in sorted(self._answer_sentences(unit))]

    def with_passage(self, unit: Unit) -> float | None:
        """With all sentences of the passage; None for a question without words to compare."""
        self._cut(unit.record)
        asked = self._bags.of(unit.item.text)
        if not asked:
            return None
        return len(asked & frozenset().union(*self._words)) / len(asked)

    def signature(self) -> str:
        """Everything that decides a share."""
        parts = {**self._bags.signature(), "sentences": SOURCE}
        return "|".join(f"{name}:{value}" for name, value in parts.items())

    def _cut(self, record: Any) -> None:
        """Cut a passage into sentences; its questions come one after another."""
        if record is not self._record:
            self._record = record
            self._sentences = passage_sentences(record, self._language)
            self._words = [self._bags.of(record.text[start:end]) for start, end in self._sentences]

    def _answer_sentences(self, unit: Unit) -> frozenset[int]:
        """The sentences marked, else those with an answer's span, else that which recalls most."""
        self._cut(unit.record)
        if unit.key is None or unit.key.unanswerable:
            return frozenset()
        if unit.key.sentences:
            return frozenset(
                index
                for sentence in unit.key.sentences
                for index in taken_by(sentence, self._sentences)
            )
        people = self._kind.references(unit)
        answers = [answer for person in people for answer in person if answer.text]
        spans = [answer for answer in answers if answer.annotator != PUBLISHER]
        sentences = holding(spans, unit.record.text, self._sentences)
        if sentences or spans:
            return sentences
        recalls = recalled([self._bags.of(answer.text) for answer in answers], self._words)
        best = max(recalls, default=0.0)
        return frozenset({recalls.index(best)}) if best else frozenset()
