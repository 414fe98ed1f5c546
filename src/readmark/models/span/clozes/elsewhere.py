"""Where else in its article the answer to a question is told, in other words.

After "Harvesting and Refining Question-Answer Pairs for Unsupervised QA" (Li and others, 2020): a
question made of one text is put to another that tells the same. Here both are of one article.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from readmark.models.span.clozes.english_questions import EMPTY, Asked
from readmark.models.span.clozes.passages import sentences
from readmark.models.span.clozes.values import Cloze
from readmark.text.stems import stem

_WORD = re.compile(r"[A-Za-z0-9]+")
SHARED = 3
"""How many words besides answer and title the other sentence must share with the question."""
OFTEN = 3
"""An answer that stands more often in a passage does not tell where it is meant."""


def elsewhere(asked: Asked, own: str, others: Sequence[str], title: str) -> Cloze | None:
    """The passage whose sentence tells most of the question, not the one it was made of."""
    start, end = asked.sentence
    texts = [f"{own[:start].rstrip()} {own[end:].lstrip()}".strip(), *others]
    wanted = _stems(asked.question) - _stems(asked.answer) - _stems(title)
    best: tuple[int, Cloze] | None = None
    for text in texts:
        found = list(_places(asked.answer, text))
        if not found or len(found) > OFTEN:
            continue
        for at, sentence in found:
            shared = len(wanted & _stems(sentence))
            if shared >= SHARED and (best is None or shared > best[0]):
                best = shared, Cloze(text, asked.question, asked.answer, at)
    return None if best is None else best[1]


def _places(answer: str, text: str) -> Iterator[tuple[int, str]]:
    """Where the answer stands as whole words, each with its sentence."""
    if answer not in text:
        return
    pattern = re.compile(rf"(?<!\w){re.escape(answer)}(?!\w)")
    after = 0
    for sentence in sentences(text, "en"):
        begin = text.find(sentence, after)
        if begin < 0:
            continue
        after = begin + len(sentence)
        for found in pattern.finditer(sentence):
            yield begin + found.start(), sentence


def _stems(text: str) -> set[str]:
    words = (one.lower() for one in _WORD.findall(text))
    return {stem(one) for one in words if one not in EMPTY and len(one) > 2}
