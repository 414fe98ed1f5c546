"""SMART's rule that nothing is to be calculated."""

from __future__ import annotations

from collections.abc import Iterator

from readmark.corpus.spans import clip
from readmark.setting.question_rules.rule import Page, Rule, Said, Settings
from readmark.text.arithmetic import calculation

_WORDS = {
    "calculation": "a calculation",
    "number": "a number that stands nowhere in the passage",
    "sum": "a sum",
    "difference": "a difference",
    "mean": "a mean",
    "ratio": "a ratio",
    "interval": "an interval",
}


def _arithmetic(page: Page, settings: Settings) -> Iterator[Said]:
    for question in page.passage.questions:
        key = question.key
        if key is None or key.unanswerable:
            continue
        language = page.language_of(question)
        for answer in page.answers(key):
            sentence = page.said_in(answer, key)
            found = calculation(
                question.text, language, answer_sentence=sentence, answer=answer.text
            )
            if found is not None:
                said = f"seems to ask for {_WORDS[found.kind]} ({clip(found.cue)!r})"
                yield question.id, said
                break


ARITHMETIC = Rule(
    "arithmetic", "a question that asks for a calculation", _arithmetic, needs_language=True
)
