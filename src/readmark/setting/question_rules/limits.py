"""Rules that count: questions a passage, the length of answers, answers a question."""

from __future__ import annotations

from collections.abc import Iterator

from readmark.corpus.spans import clip
from readmark.setting.question_rules.rule import Page, Rule, Said, Settings
from readmark.text.words import words


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
