"""Questions that were made, as the passages of an ordinary test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from readmark.corpus.values import Answer, Passage, Question, QuestionKey
from readmark.models.span.clozes.values import Cloze


def records(clozes: Iterable[Cloze], before: int = 0) -> Iterator[Passage]:
    """A passage for each text with all its questions; ``before`` were made already."""
    texts: dict[str, list[Cloze]] = {}
    for one in clozes:
        texts.setdefault(one.text, []).append(one)
    for at, (text, own) in enumerate(texts.items(), before):
        yield Passage(
            id=f"p{at}",
            text=text,
            questions=tuple(
                Question(
                    id=f"q{at}-{number}",
                    text=one.question,
                    key=QuestionKey(answers=(Answer(text=one.answer, start=one.start),)),
                )
                for number, one in enumerate(own)
            ),
        )
