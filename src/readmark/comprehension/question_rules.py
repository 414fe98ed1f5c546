"""The documents' rules for questions on passages: how many, a span, a key, no copied wording."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import combinations
from typing import Any

from readmark.comprehension.levels.scale import as_level
from readmark.core import numbers
from readmark.core.errors import UsageError, did_you_mean
from readmark.core.language import primary
from readmark.core.question_rules import (
    RULED_LANGUAGES,
    QuestionRule,
    QuestionRules,
    RuleFinding,
    RuleSettings,
    profiles_in,
)
from readmark.core.records import PROPOSED, Answer, Offsets, Passage, Question, QuestionKey
from readmark.core.spans import clip, offset_fault
from readmark.statistics.copying import copied_share
from readmark.text.answers.sentences import passage_sentences, sentences_of_answers
from readmark.text.questions.abilities import ABILITIES, abilities
from readmark.text.questions.calculation import calculation
from readmark.text.questions.types import TYPES, question_type, wh_word
from readmark.text.script import simplified
from readmark.text.words import words


class PassagePage:
    """A passage as rules look at it: with its language, and its sentences once they are wanted."""

    def __init__(self, passage: Passage, language: str, hidden: bool = False) -> None:
        self.passage = passage
        self.language = primary(passage.language) if passage.language else language
        self._is_known = language in RULED_LANGUAGES
        self.hidden = hidden
        """Whether the key of this passage's split is withheld, so that none can be asked for."""

    def question_types(self) -> Iterator[str | None]:
        """The type of each question by its key, else by rule where the language is known."""
        for question in self.passage.questions:
            own = question.key.type if question.key is not None else None
            if not own and self._is_known:
                own = question_type(question.text, self.language_of(question))
            yield own

    @functools.cached_property
    def sentences(self) -> list[Offsets]:
        """The sentences of the passage."""
        return passage_sentences(self.passage, self.language)

    def keyed(self) -> Iterator[tuple[Question, QuestionKey]]:
        """The questions that have a key."""
        for question in self.passage.questions:
            if question.key is not None:
                yield question, question.key

    def language_of(self, question: Question) -> str:
        """The language that a question is in."""
        return primary(question.language) if question.language else self.language

    def answers(self, key: QuestionKey) -> tuple[Answer, ...]:
        """People's answers, else the published ones."""
        return key.answers or tuple(Answer(text=phrase.text) for phrase in key.published)

    def holding(self, key: QuestionKey) -> list[int]:
        """The sentences marked as answers, else those that hold one."""
        if key.sentences:
            return [
                index
                for index, (start, end) in enumerate(self.sentences)
                if any(start < last and first < end for first, last in key.sentences)
            ]
        return sorted(sentences_of_answers(key.answers, self.passage.text, self.sentences))

    def sentences_of(self, answer: Answer, key: QuestionKey) -> str | None:
        """The sentences that hold one answer; None when it does not occur in the passage.

        A published key is in its publisher's words: what is marked as its sentence counts.
        """
        indexes = sorted(sentences_of_answers([answer], self.passage.text, self.sentences))
        if not indexes and not key.answers:
            indexes = self.holding(key)
        return " ".join(map(self.sentence, indexes)) or None

    def sentence(self, index: int) -> str:
        """A sentence's text."""
        start, end = self.sentences[index]
        return self.passage.text[start:end]


# People's answers to one question that have nothing in common: one of them misread it.


def _disagree(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    for question, key in page.keyed():
        bags = {
            answer.text: frozenset(_tokens(answer.text, page.language)) for answer in key.answers
        }
        for (one, its), (other, others) in combinations(bags.items(), 2):
            if its and others and not its & others:
                shown = f"{clip(one)!r} and {clip(other)!r}"
                unit = "character" if page.language == "zh" else "word"
                yield question.id, f"the answers {shown} have no {unit} in common"
                break


def _no_level(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    if page.hidden:
        return
    levels = settings["levels"]
    for question in page.passage.questions:
        level = question.key.level if question.key is not None else None
        if level is None:
            yield question.id, f"has no level, expected one of {_listed(levels)}"
        elif level not in levels and as_level(level) not in levels:
            yield question.id, f"has the level {level!r}, expected one of {_listed(levels)}"


def _unknown_type(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    for question, key in page.keyed():
        if key.type is not None and key.type not in TYPES:
            yield question.id, f"has the type {key.type!r}, expected one of {_listed(TYPES)}"


def _unknown_ability(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    for question, key in page.keyed():
        for ability in abilities(key.fields):
            if ability not in ABILITIES:
                message = f"has the ability {ability!r}, expected one of {_listed(ABILITIES)}"
                yield question.id, message


def _no_type(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    if page.hidden:
        return
    for question, key in page.keyed():
        if key.type is None:
            yield question.id, "has no type; the tables use the type found by the rules"


def _no_answer_sentence(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    if page.hidden:
        return
    for question in page.passage.questions:
        key = question.key
        if key is None or not (key.sentences or key.unanswerable):
            yield question.id, "no sentence of the passage is marked as its answer"
        elif key.sentences and "sentences" in key.fields.get(PROPOSED, ()):
            yield question.id, "its answer sentence is a proposal that nobody has confirmed"


def _listed(values: object) -> str:
    return ", ".join(map(str, values))  # type: ignore[call-overload]


# Rules that count: questions a passage, the length of answers, answers a question.


def _question_limit(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    count = len(page.passage.questions)
    if count > settings["most"]:
        yield page.passage.id, f"{count} questions, at most {settings['most']} a passage"


def answer_length(text: str, language: str) -> tuple[int, str]:
    """How long an answer is, and in what: characters, or words of English."""
    if language == "en":
        return len(words(text, "en")), "words"
    return len(text.strip()), "characters"


def _long(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    most = settings["most"].get(page.language, settings["most"]["zh"])
    for question, key in page.keyed():
        sizes = [(answer_length(answer.text, page.language), answer) for answer in key.answers]
        if not sizes:
            continue
        (size, unit), answer = max(sizes, key=lambda size: size[0][0])
        if size > most:
            message = f"the answer {clip(answer.text)!r} has {size} {unit}, at most {most}"
            yield question.id, message


def _few_answers(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
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


# Rules on what the key holds: an answer at all, and one that is a span of the passage.


def _no_key(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    if page.hidden:
        return
    for question in page.passage.questions:
        key = question.key
        if key is None or not (key.answers or key.published or key.unanswerable):
            yield question.id, "has no answer key"


def _not_a_span(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
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


# SMART's rule that nothing is to be calculated.


_WORDS = {
    "calculation": "a calculation",
    "number": "a number that does not occur in the passage",
    "sum": "a sum",
    "difference": "a difference",
    "mean": "a mean",
    "ratio": "a ratio",
    "interval": "an interval",
}


def _arithmetic(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    for question in page.passage.questions:
        key = question.key
        if key is None or key.unanswerable:
            continue
        language = page.language_of(question)
        for answer in page.answers(key):
            sentence = page.sentences_of(answer, key)
            found = calculation(
                question.text, language, answer_sentence=sentence, answer=answer.text
            )
            if found is not None:
                message = f"seems to ask for {_WORDS[found.kind]} ({clip(found.cue)!r})"
                yield question.id, message
                break


# Questions that copy the wording of the passage: most words are in the answer's sentence.


_ASIDE = re.compile(r"^(?:请问|那么)|[吗呢吧啊呀](?=\W*$)")
_AUXILIARY = frozenset(
    {"is", "are", "was", "were", "be", "been", "do", "does", "did"}
    | {"has", "have", "had", "can", "could"}
)


def overlap(
    page: PassagePage, question: Question, key: QuestionKey, settings: RuleSettings
) -> float | None:
    """How much of a question was copied from the sentence of its answer; None when too short."""
    language = page.language_of(question)
    if language not in RULED_LANGUAGES or language != page.language:
        return None
    pieces = _pieces(question.text, language)
    held = page.holding(key)
    if sum(map(len, pieces)) < settings["least"][language] or not held:
        return None
    run = settings["run"][language]
    return max(copied_share(pieces, _tokens(page.sentence(at), language), run=run) for at in held)


def _pieces(question: str, language: str) -> list[Sequence[str]]:
    """What comes before and after the question word."""
    if language == "zh":
        asked = _ASIDE.sub("", simplified(question))
        word = wh_word(question, language)
        return [_tokens(part, "zh") for part in (asked.split(word, 1) if word else [asked])]
    tokens = words(question, "en")
    word = (wh_word(question, "en") or "").lower().split(" ")[0]
    at = tokens.index(word) if word in tokens else -1
    after = at + 1
    while after < len(tokens) and tokens[after] in _AUXILIARY:
        after += 1
    return [tokens[: max(at, 0)], tokens[after:]]


def _tokens(text: str, language: str) -> list[str]:
    return words(simplified(text) if language == "zh" else text, language)


def _copied(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    for question, key in page.keyed():
        found = overlap(page, question, key, settings)
        limit = settings["least_share"].get(page.language)
        if found is not None and found >= limit:
            share, least = numbers.percent(found, 0), numbers.percent(limit, 0)
            copied = f"{share} of the question is the passage's wording ({least} or more)"
            yield question.id, f"overlap {numbers.decimal(found)}: {copied}"


_MARK = re.compile(r"[?？]\W*$")
_REQUEST = re.compile(
    r"^(?:请|试)?(?:列举|说出|写出|指出|举出|简述|描述|解释|说明)|^(?:请|试)"
    r"|^(?:name|list|describe|explain|define|give|state|identify|find|tell)\b",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[\W_]+")
_SHORTEST = 2
"""An answer of one character occurs in a question by chance."""


def _duplicate(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    first: dict[str, str] = {}
    for question in page.passage.questions:
        spelt = _bare(question.text)
        if spelt and spelt in first:
            yield question.id, f"asks what {first[spelt]} asks: {clip(question.text)!r}"
        first.setdefault(spelt, question.id)


def _no_question(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    for question in page.passage.questions:
        text = question.text.strip()
        if not text:
            continue  # reported as empty_text
        missing = []
        if not _MARK.search(text):
            missing.append("question mark")
        if not _asks(text, page.language_of(question)):
            missing.append("question word")
        if missing and not _REQUEST.search(text):
            yield question.id, f"has no {' and no '.join(missing)}: {clip(text)!r}"


def _asks(text: str, language: str) -> bool:
    """Whether something asks: a question word, or a yes/no question's form.

    A Chinese statement with a question mark is no form; an English one begins with an auxiliary.
    """
    if wh_word(text, language) is not None or _BURIED.search(text):
        return True
    if question_type(text, language) != "Yes/No":
        return False
    if language == "zh":
        return question_type(_MARK.sub("", text), language) == "Yes/No"
    return bool(_WORDING_AUXILIARY.match(text))


_BURIED = re.compile(r"\b(?:who|whom|whose|what|which|when|where|why|how)\b", re.IGNORECASE)
"""Question words that the types do not go by, as in "… are not ones who can deal with?"."""
_WORDING_AUXILIARY = re.compile(
    r"(?:.*[,;:] *)?(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|shall|"
    r"should|may|might|must|isn|aren|wasn|weren|don|doesn|didn|hasn|haven|hadn|can|won|wouldn)\b",
    re.IGNORECASE,
)


def _given_away(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    for question, key in page.keyed():
        if question_type(question.text, page.language_of(question)) == "Yes/No":
            continue  # its answer repeats the question, or is one of two that it names
        for text in dict.fromkeys(answer.text.strip() for answer in page.answers(key)):
            if _occurs_in(text, question.text, page.language_of(question)):
                yield question.id, f"the answer {clip(text)!r} occurs in the question"


def _occurs_in(answer: str, question: str, language: str) -> bool:
    if language == "zh":
        spelt = _bare(answer)
        return len(spelt) >= _SHORTEST and spelt in _bare(question)
    wanted, asked = words(answer, "en"), words(question, "en")
    size = len(wanted)
    if not size or len("".join(wanted)) < _SHORTEST:
        return False
    return any(asked[index : index + size] == wanted for index in range(len(asked) - size + 1))


def _bare(text: str) -> str:
    return _LETTERS.sub("", simplified(text).lower())


QUESTION_RULES = QuestionRules(
    rules=(
        QuestionRule(
            "too_many_questions",
            "many questions on a passage",
            _question_limit,
            {"most": 5},
            of_questions=False,
        ),
        QuestionRule("no_key", "a question without an answer key", _no_key),
        QuestionRule("not_a_span", "an answer that is no span of the passage", _not_a_span),
        QuestionRule(
            "long_answer",
            "a long answer",
            _long,
            {"most": {"zh": 30, "en": 20}},
            discards=True,
        ),
        QuestionRule(
            "few_answers",
            "too few annotators answered a question of an evaluation split",
            _few_answers,
            {"least": 3, "splits": ["dev", "test", "challenge"]},
        ),
        QuestionRule("no_level", "a question without a level", _no_level, {"levels": [1, 2, 3, 4]}),
        QuestionRule(
            "no_answer_sentence",
            "a question whose answer sentence is not marked",
            _no_answer_sentence,
        ),
        QuestionRule("unknown_type", "a type that is none of the twelve", _unknown_type),
        QuestionRule("unknown_ability", "an ability that is none of the eight", _unknown_ability),
        QuestionRule("no_type", "a question whose key has no type", _no_type),
        QuestionRule(
            "arithmetic", "a question that asks for a calculation", _arithmetic, needs_language=True
        ),
        QuestionRule(
            "copied_wording",
            "a question in the words of its answer's sentence",
            _copied,
            {
                "least_share": {"zh": 0.9, "en": 0.8},
                "run": {"zh": 4, "en": 3},
                "least": {"zh": 6, "en": 5},
            },
            needs_language=True,
        ),
        QuestionRule("duplicate_question", "a question that a passage has twice", _duplicate),
        QuestionRule(
            "no_question",
            "a question without a question mark or a question word",
            _no_question,
            needs_language=True,
        ),
        QuestionRule(
            "answer_in_question",
            "an answer that occurs in its question",
            _given_away,
            needs_language=True,
        ),
        QuestionRule("answers_disagree", "people's answers with nothing in common", _disagree),
        QuestionRule(
            "missing_types",
            "a test without any question of a type that is asked for",
            None,
            {"types": ["Who", "When", "Where", "Why", "How"], "least": 20},
            of_questions=False,
            needs_language=True,
        ),
        QuestionRule(
            "high_overlap",
            "a split whose questions repeat the words of their answer sentences",
            None,
            {"most": 0.55, "least": 20},
            of_questions=False,
            needs_language=True,
        ),
        QuestionRule(
            "no_parallel",
            "a passage or question that the other language does not have",
            None,
            of_questions=False,
        ),
    ),
    profiles=profiles_in(
        files("readmark.comprehension").joinpath("data/question_rules"), "cmrc", "smart", "brcc"
    ),
    page=PassagePage,
)


# What authors of questions are told: the documents' rules, and their levels by examples.


@functools.cache
def _guidelines(language: str) -> dict[str, Any]:
    path = files("readmark.comprehension") / "data" / "guidelines" / f"{language}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def guideline_profiles() -> tuple[str, ...]:
    """The documents whose rules authors can be given."""
    return tuple(_guidelines("en")["profiles"])


def rule_explanation(code: str, language: str, settings: RuleSettings) -> tuple[str, str] | None:
    """What a rule says in a few words, and why there is such a rule, in a language (en, zh).

    ``settings`` are its thresholds. None for a rule that has no explanation.
    """
    rule = rules_of(language).get(code)
    if rule is None:
        return None
    known = next((rule.settings for rule in QUESTION_RULES.rules if rule.code == code), {})
    return rule["title"], rule["why"].format_map({**known, **settings})


def rules_of(language: str) -> dict[str, dict[str, str]]:
    """The explanations of rules in a language, by code."""
    rules: dict[str, dict[str, str]] = _guidelines(language)["rules"]
    return rules


def question_guidelines(
    language: str, *, choices: bool = False, profile: str | None = None
) -> list[str]:
    """The guidelines in a language (en, zh), with the rules of a document where one is named.

    Every level has an example, a line each.
    """
    table = _guidelines(language)
    if profile is not None and profile not in table["profiles"]:
        hint = did_you_mean(profile, table["profiles"])
        raise UsageError(f"no guidelines of {profile!r}; {hint}")
    levels = table["levels"]
    return [
        table["title"],
        *table["lines"],
        *([] if profile == "smart" else [table["wording"]]),  # SMART asks for all levels alike
        table["choices" if choices else "answers"],
        *(table["profiles"][profile] if profile is not None else ()),
        table["type"],
        table["closing"],
        levels["title"],
        *levels["lines"],
        *(levels["example"].format_map(one) for one in levels["examples"]),
    ]
