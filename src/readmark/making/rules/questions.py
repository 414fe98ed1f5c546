"""Rules on a question's own words: asked twice, no question, the answer given away."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from readmark.core.language import primary
from readmark.core.records import Question, QuestionKey
from readmark.core.spans import clip
from readmark.making.rules.rule import LANGUAGES, Page, Rule, Said, Settings
from readmark.stats.overlap import copied_share
from readmark.text.questions.types import question_type, wh_word
from readmark.text.script import simplified
from readmark.text.words import words

# Questions that ask for a calculation: a sum, a difference, a mean, a ratio, an interval.


@dataclass(frozen=True, slots=True)
class Calculation:
    """What a question wants calculated, and the words that say so."""

    kind: str
    cue: str


@dataclass(frozen=True, slots=True)
class _Group:
    kind: str
    cue: re.Pattern[str]
    stated: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Table:
    quantity: re.Pattern[str]
    explicit: re.Pattern[str]
    numeral: re.Pattern[str]
    groups: tuple[_Group, ...]


def calculation(
    question: str, language: str, *, answer_sentence: str | None, answer: str = ""
) -> Calculation | None:
    """The calculation that a question asks for, or None.

    ``answer_sentence`` is the sentence that holds the answer; None when the answer does not stand
    in the passage, and then a quantity is asked for that somebody worked out.
    """
    table = _table(primary(language))
    if table is None:
        return None
    asked = simplified(question).lower()
    said = None if answer_sentence is None else simplified(answer_sentence).lower()
    numbers = len(table.numeral.findall(simplified(answer).lower()))
    if not numbers:
        return None  # what is calculated is a number
    explicit = table.explicit.search(asked)
    if explicit is not None and (said is None or explicit[0] not in said):
        return Calculation("calculation", explicit[0])
    for group in table.groups:
        cue = group.cue.search(asked)
        if cue is None:
            continue
        counted = said is not None and group.kind == "sum" and numbers == 1
        if counted or (said is not None and group.stated.search(said)):
            return None
        return Calculation(group.kind, cue[0])
    quantity = table.quantity.search(asked)
    if quantity is not None and said is None:
        return Calculation("number", quantity[0])
    return None


@functools.cache
def _table(language: str) -> _Table | None:
    lists = _lists().get(language)
    if lists is None:
        return None
    groups = tuple(
        _Group(one["name"], re.compile(one["cue"]), re.compile(one["stated"]))
        for one in lists["groups"]
    )
    quantity, explicit, numeral = (
        re.compile(lists[name]) for name in ("quantity", "explicit", "numeral")
    )
    return _Table(quantity, explicit, numeral, groups)


@functools.cache
def _lists() -> dict[str, Any]:
    data = files("readmark.text").joinpath("data/arithmetic.toml")
    return tomllib.loads(data.read_text("utf-8"))


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


# Questions that copy the wording of the passage: most of them stands in their answer's sentence.


_ASIDE = re.compile(r"^(?:请问|那么)|[吗呢吧啊呀](?=\W*$)")
_AUXILIARY = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "do",
        "does",
        "did",
        "has",
        "have",
        "had",
        "can",
        "could",
    ]
)


def overlap(page: Page, question: Question, key: QuestionKey, settings: Settings) -> float | None:
    """How much of a question was copied from the sentence of its answer; None when too short."""
    language = page.language_of(question)
    if language not in LANGUAGES or language != page.language:
        return None
    pieces = _pieces(question.text, language)
    held = page.holding(key)
    if sum(map(len, pieces)) < settings["least"][language] or not held:
        return None
    run = settings["run"][language]
    return max(copied_share(pieces, _tokens(page.sentence(at), language), run=run) for at in held)


def _pieces(question: str, language: str) -> list[Sequence[str]]:
    """What stands before and after the question word."""
    if language == "zh":
        asked = _ASIDE.sub("", simplified(question))
        word = wh_word(question, language)
        return [_tokens(part, "zh") for part in (asked.split(word, 1) if word else [asked])]
    said = words(question, "en")
    word = (wh_word(question, "en") or "").lower().split(" ")[0]
    at = said.index(word) if word in said else -1
    after = at + 1
    while after < len(said) and said[after] in _AUXILIARY:
        after += 1
    return [said[: max(at, 0)], said[after:]]


def _tokens(text: str, language: str) -> list[str]:
    return words(simplified(text) if language == "zh" else text, language)


def _copied(page: Page, settings: Settings) -> Iterator[Said]:
    for question, key in page.keyed():
        found = overlap(page, question, key, settings)
        limit = settings["least_share"].get(page.language)
        if found is not None and found >= limit:
            said = f"{found:.0%} of the question is the passage's wording ({limit:.0%} or more)"
            yield question.id, f"overlap {found:.2f}: {said}"


COPIED = Rule(
    "copied_wording",
    "a question in the words of its answer's sentence",
    _copied,
    {
        "least_share": {"zh": 0.9, "en": 0.8},
        "run": {"zh": 4, "en": 3},
        "least": {"zh": 6, "en": 5},
    },
    needs_language=True,
)


_MARK = re.compile(r"[?？]\W*$")
_REQUEST = re.compile(
    r"^(?:请|试)?(?:列举|说出|写出|指出|举出|简述|描述|解释|说明)|^(?:请|试)"
    r"|^(?:name|list|describe|explain|define|give|state|identify|find|tell)\b",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[\W_]+")
_SHORTEST = 2
"""An answer of one character stands in a question by chance."""


def _duplicate(page: Page, settings: Settings) -> Iterator[Said]:
    first: dict[str, str] = {}
    for question in page.passage.questions:
        spelt = _bare(question.text)
        if spelt and spelt in first:
            yield question.id, f"asks what {first[spelt]} asks: {clip(question.text)!r}"
        first.setdefault(spelt, question.id)


def _no_question(page: Page, settings: Settings) -> Iterator[Said]:
    for question in page.passage.questions:
        text = question.text.strip()
        if not text:
            continue  # told as empty_text
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


def _given_away(page: Page, settings: Settings) -> Iterator[Said]:
    for question, key in page.keyed():
        if question_type(question.text, page.language_of(question)) == "Yes/No":
            continue  # its answer repeats the question, or is one of two that it names
        for text in dict.fromkeys(answer.text.strip() for answer in page.answers(key)):
            if _stands_in(text, question.text, page.language_of(question)):
                yield question.id, f"the answer {clip(text)!r} stands in the question"


def _stands_in(answer: str, question: str, language: str) -> bool:
    if language == "zh":
        spelt = _bare(answer)
        return len(spelt) >= _SHORTEST and spelt in _bare(question)
    wanted, said = words(answer, "en"), words(question, "en")
    size = len(wanted)
    if not size or len("".join(wanted)) < _SHORTEST:
        return False
    return any(said[at : at + size] == wanted for at in range(len(said) - size + 1))


def _bare(text: str) -> str:
    return _LETTERS.sub("", simplified(text).lower())


DUPLICATE = Rule("duplicate_question", "a question that a passage has twice", _duplicate)
NO_QUESTION = Rule(
    "no_question",
    "a question without a question mark or a question word",
    _no_question,
    needs_language=True,
)
GIVEN_AWAY = Rule(
    "answer_in_question", "an answer that occurs in its question", _given_away, needs_language=True
)
