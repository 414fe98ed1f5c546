"""Rules on the answers of a key: that there is one, a short span, by enough people who agree."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from readmark.comprehension.question_rules.copying import comparable_words
from readmark.comprehension.question_rules.page import PassagePage
from readmark.core.question_rules import RuleFinding, RuleSettings
from readmark.core.spans import clip, offset_fault
from readmark.text.words import words


def no_key(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    """Questions without an answer key."""
    if page.hidden:
        return
    for question in page.passage.questions:
        key = question.key
        if key is None or not (key.answers or key.published or key.unanswerable):
            yield question.id, "has no answer key"


def not_a_span(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    """Answers that do not occur in the passage."""
    text = page.passage.text
    for question, key in page.keyed():
        if key.unanswerable:
            yield question.id, "is marked unanswerable, expected a span of the passage"
        elif key.published and not key.answers:
            yield question.id, "has a published key only, expected a span of the passage"
        for answer in key.answers:
            if not answer.text.strip() or answer.text in text:
                continue  # reported as empty, or as misplaced
            if answer.offsets is None or offset_fault(text, answer) is not None:
                message = f"the answer {clip(answer.text)!r} does not occur in the passage"
                yield question.id, message


def long_answer(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    """Questions with an answer that is too long; the longest is shown."""
    most = settings["most"].get(page.language, settings["most"]["zh"])
    for question, key in page.keyed():
        if not key.answers:
            continue
        answer = max(key.answers, key=lambda answer: answer_length(answer.text, page.language)[0])
        size, unit = answer_length(answer.text, page.language)
        if size > most:
            message = f"the answer {clip(answer.text)!r} has {size} {unit}, at most {most}"
            yield question.id, message


def answer_length(text: str, language: str) -> tuple[int, str]:
    """How long an answer is, and in what: characters, or words of English."""
    if language == "en":
        return len(words(text, "en")), "words"
    return len(text.strip()), "characters"


def few_answers(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    """Questions of an evaluation split that too few people answered."""
    if page.passage.split not in settings["splits"] or page.hidden:
        return
    for question, key in page.keyed():
        people = count_annotators(key.answers)
        if people < settings["least"] and not key.unanswerable:
            message = f"answers of {people}, at least {settings['least']} annotators in evaluation"
            yield question.id, message


def count_annotators(answers: tuple[object, ...]) -> int:
    """How many people answered: the named ones, and each unnamed answer is one more."""
    names = [getattr(answer, "annotator", None) for answer in answers]
    return len({name for name in names if name is not None}) + names.count(None)


def answers_disagree(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    """Questions with two answers that have nothing in common: one person misread it."""
    unit = "character" if page.language == "zh" else "word"
    for question, key in page.keyed():
        bags = {
            answer.text: frozenset(comparable_words(answer.text, page.language))
            for answer in key.answers
        }
        for (text, bag), (other, other_bag) in combinations(bags.items(), 2):
            if bag and other_bag and not bag & other_bag:
                pair = f"{clip(text)!r} and {clip(other)!r}"
                yield question.id, f"the answers {pair} have no {unit} in common"
                break
