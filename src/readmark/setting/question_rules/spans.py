"""Rules on what the key holds: an answer at all, and one that is a span of the passage."""

from __future__ import annotations

from collections.abc import Iterator

from readmark.corpus.spans import clip, offset_fault
from readmark.setting.question_rules.rule import Page, Rule, Said, Settings


def _no_key(page: Page, settings: Settings) -> Iterator[Said]:
    if page.hidden:
        return
    for question in page.passage.questions:
        key = question.key
        if key is None or not (key.answers or key.published or key.unanswerable):
            yield question.id, "has no answer key"


def _not_a_span(page: Page, settings: Settings) -> Iterator[Said]:
    text = page.passage.text
    for question, key in page.keyed():
        if key.unanswerable:
            yield question.id, "is marked unanswerable, expected a span of the passage"
        elif key.published and not key.answers:
            yield question.id, "has a published key only, expected a span of the passage"
        for answer in key.answers:
            if not answer.text.strip() or answer.text in text:
                continue  # an empty one is told as such, a misplaced one by its offsets
            if answer.offsets is None or offset_fault(text, answer) is not None:
                said = f"the answer {clip(answer.text)!r} stands nowhere in the passage"
                yield question.id, said


NO_KEY = Rule("no_key", "a question without an answer key", _no_key)
NOT_A_SPAN = Rule("not_a_span", "an answer that is no span of the passage", _not_a_span)
