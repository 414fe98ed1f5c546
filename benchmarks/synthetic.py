"""Invented tests in the shape of CMRC 2018, and sittings of them, from a seed.

The text means nothing. What matters for speed is as in the real thing: Han characters with
Latin words, numbers and punctuation between, frequent words and rare ones, and answers that are
right, nearly right, too long, wrong, empty or missing.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass

from readmark.core.records import Answer, Passage, Question, QuestionKey

_WORDS = 4_000
_FOREIGN_EVERY = 25
_PUNCTUATION = (
    "，",
    "，",
    "，",
    "。",
    "。",
    "、",
    "、",
    "（",
    "）",
    "《",
    "》",
    "：",
    "“",
    "”",
    " ",
    "-",
)
_QUESTION_WORDS = ("什么", "哪里", "谁", "何时", "多少", "为什么")

SHORTEST, LONGEST = 3, 20
"""Lengths of an answer, in characters."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How large a test is and how long its passages are."""

    passages: int
    questions: int = 4
    characters: int = 450
    answers: int = 3


class Writer:
    """Writes passages and answers; equal seeds write the same."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._words = [self._word(at) for at in range(_WORDS)]
        # By Zipf's law, flattened at the top as Chinese characters are.
        weights = (1 / (rank + 10) for rank in range(_WORDS))
        self._weights = list(itertools.accumulate(weights))

    def passages(self, shape: Shape) -> Iterator[Passage]:
        """The passages of a test, one by one."""
        for number in range(shape.passages):
            text = self.text(shape.characters)
            questions = tuple(
                self._question(f"P{number}Q{at}", text, shape.answers)
                for at in range(shape.questions)
            )
            yield Passage(id=f"P{number}", text=text, questions=questions)

    def text(self, characters: int) -> str:
        """Running text, a mark of punctuation after every sixth word or so."""
        parts: list[str] = []
        length = 0
        while length < characters:
            some = self._random.choices(self._words, cum_weights=self._weights, k=6)
            some.append(self._random.choice(_PUNCTUATION))
            parts += some
            length += sum(map(len, some))
        return "".join(parts)[:characters]

    def prediction(self, text: str, gold: Answer) -> str | None:
        """What a middling reader says: half right, the rest wrong in every usual way."""
        start, size = gold.start or 0, len(gold.text)
        way = self._random.random()
        if way < 0.50:
            return gold.text
        if way < 0.60:  # shifted
            start = max(0, start + self._random.randint(-4, 4))
            return text[start : start + size]
        if way < 0.70:  # cut short
            return gold.text[: self._random.randint(1, size)]
        if way < 0.80:  # too long
            return text[max(0, start - self._random.randint(0, 15)) : start + 2 * size]
        if way < 0.88:  # punctuated
            return f"“{gold.text}”。"
        if way < 0.96:  # another place
            return self._span(text).text
        return "" if way < 0.98 else None

    def _word(self, rank: int) -> str:
        if rank % _FOREIGN_EVERY:
            size = self._random.choice((1, 1, 2, 2, 2, 3))
            return "".join(chr(self._random.randint(0x4E00, 0x9FA5)) for _ in range(size))
        if rank % (2 * _FOREIGN_EVERY):
            letters = self._random.choices("abcdefghijklmnopqrstuvwxyzABCNT", k=5)
            return "".join(letters)
        number = self._random.randint(1, 3000)
        return self._random.choice((str(number), f"{number}.5", f"{number},000", f"{number}%"))

    def _question(self, id: str, text: str, answers: int) -> Question:
        gold = self._span(text)
        others = tuple(self._perturbed(text, gold) for _ in range(answers - 1))
        asked = self.text(12) + self._random.choice(_QUESTION_WORDS) + "？"
        return Question(id=id, text=asked, key=QuestionKey(answers=(gold, *others)))

    def _span(self, text: str) -> Answer:
        size = self._random.randint(SHORTEST, LONGEST)
        start = self._random.randrange(len(text) - size)
        return Answer(text=text[start : start + size], start=start)

    def _perturbed(self, text: str, gold: Answer) -> Answer:
        """Another person's answer: the same place, its ends a little elsewhere."""
        start = max(0, (gold.start or 0) + self._random.randint(-2, 2))
        end = start + max(1, len(gold.text) + self._random.randint(-2, 4))
        return Answer(text=text[start:end], start=start)


class EnglishWriter(Writer):
    """The same in the shape of SQuAD: words of letters between spaces, answers of whole words."""

    def text(self, characters: int) -> str:
        """Words up to about so many characters."""
        count = max(8, characters // 6)
        words = self._random.choices(self._words, cum_weights=self._weights, k=count)
        return " ".join(words) + "."

    def _word(self, rank: int) -> str:
        size = self._random.randint(2, 9)
        return "".join(self._random.choices("etaoinshrdlcumwfgypb", k=size))

    def _span(self, text: str) -> Answer:
        words = text.split(" ")
        first = self._random.randrange(len(words) - 4)
        said = " ".join(words[first : first + self._random.randint(1, 4)])
        return Answer(text=said, start=sum(len(word) + 1 for word in words[:first]))
