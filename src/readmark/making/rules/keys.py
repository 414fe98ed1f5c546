"""Rules on labels: a level 1 to 4, one of the twelve types, a marked answer sentence."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from readmark.core.spans import clip, offset_fault
from readmark.making.levels.labels import as_level
from readmark.making.rules.rule import Page, Rule, Said, Settings
from readmark.text.questions.types import TYPES
from readmark.text.script import simplified
from readmark.text.words import words

# People's answers to one question that have nothing in common: one of them misread it.


def _disagree(page: Page, settings: Settings) -> Iterator[Said]:
    for question, key in page.keyed():
        said = {answer.text: _bag(answer.text, page.language) for answer in key.answers}
        for (one, its), (other, others) in combinations(said.items(), 2):
            if its and others and not its & others:
                shown = f"{clip(one)!r} and {clip(other)!r}"
                unit = "character" if page.language == "zh" else "word"
                yield question.id, f"the answers {shown} have no {unit} in common"
                break


def _bag(text: str, language: str) -> frozenset[str]:
    return frozenset(words(simplified(text) if language == "zh" else text, language))


DISAGREE = Rule("answers_disagree", "people's answers with nothing in common", _disagree)


def _no_level(page: Page, settings: Settings) -> Iterator[Said]:
    if page.hidden:
        return
    levels = settings["levels"]
    for question in page.passage.questions:
        level = question.key.level if question.key is not None else None
        if level is None:
            yield question.id, f"has no level, expected one of {_listed(levels)}"
        elif level not in levels and as_level(level) not in levels:
            yield question.id, f"has the level {level!r}, expected one of {_listed(levels)}"


def _unknown_type(page: Page, settings: Settings) -> Iterator[Said]:
    for question, key in page.keyed():
        if key.type is not None and key.type not in TYPES:
            yield question.id, f"has the type {key.type!r}, expected one of {_listed(TYPES)}"


def _no_type(page: Page, settings: Settings) -> Iterator[Said]:
    if page.hidden:
        return
    for question, key in page.keyed():
        if key.type is None:
            yield question.id, "has no type; the tables use the type found by the rules"


def _no_answer_sentence(page: Page, settings: Settings) -> Iterator[Said]:
    if page.hidden:
        return
    for question in page.passage.questions:
        key = question.key
        if key is None or not (key.sentences or key.unanswerable):
            yield question.id, "no sentence of the passage is marked as its answer"


def _listed(values: object) -> str:
    return ", ".join(map(str, values))  # type: ignore[call-overload]


NO_LEVEL = Rule("no_level", "a question without a level", _no_level, {"levels": [1, 2, 3, 4]})
UNKNOWN_TYPE = Rule("unknown_type", "a type that is none of the twelve", _unknown_type)
NO_TYPE = Rule("no_type", "a question whose key has no type", _no_type)
NO_ANSWER_SENTENCE = Rule(
    "no_answer_sentence", "a question whose answer sentence is not marked", _no_answer_sentence
)


# Rules that count: questions a passage, the length of answers, answers a question.


def _too_many(page: Page, settings: Settings) -> Iterator[Said]:
    count = len(page.passage.questions)
    if count > settings["most"]:
        yield page.passage.id, f"{count} questions, at most {settings['most']} a passage"


def length(text: str, language: str) -> tuple[int, str]:
    """How long an answer is, and in what: characters, or words of English."""
    if language == "en":
        return len(words(text, "en")), "words"
    return len(text.strip()), "characters"


def _long(page: Page, settings: Settings) -> Iterator[Said]:
    most = settings["most"].get(page.language, settings["most"]["zh"])
    for question, key in page.keyed():
        sizes = [(length(answer.text, page.language), answer) for answer in key.answers]
        if not sizes:
            continue
        (size, unit), answer = max(sizes, key=lambda one: one[0][0])
        if size > most:
            said = f"the answer {clip(answer.text)!r} has {size} {unit}, at most {most}"
            yield question.id, said


def _few_answers(page: Page, settings: Settings) -> Iterator[Said]:
    if page.passage.split not in settings["splits"] or page.hidden:
        return
    for question, key in page.keyed():
        people = annotators(key.answers)
        if people < settings["least"] and not key.unanswerable:
            said = f"answers of {people}, at least {settings['least']} annotators in evaluation"
            yield question.id, said


def annotators(answers: tuple[object, ...]) -> int:
    """How many people answered: the named ones, and each unnamed answer is one more."""
    names = [getattr(answer, "annotator", None) for answer in answers]
    return len({name for name in names if name is not None}) + names.count(None)


TOO_MANY = Rule(
    "too_many_questions", "many questions on a passage", _too_many, {"most": 5}, of_questions=False
)
LONG = Rule("long_answer", "a long answer", _long, {"most": {"zh": 30, "en": 20}})
FEW_ANSWERS = Rule(
    "few_answers",
    "too few annotators answered a question of an evaluation split",
    _few_answers,
    {"least": 3, "splits": ["dev", "test", "challenge"]},
)


# Rules on what the key holds: an answer at all, and one that is a span of the passage.


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
                said = f"the answer {clip(answer.text)!r} does not occur in the passage"
                yield question.id, said


NO_KEY = Rule("no_key", "a question without an answer key", _no_key)
NOT_A_SPAN = Rule("not_a_span", "an answer that is no span of the passage", _not_a_span)
