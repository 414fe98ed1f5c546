"""Pronouns that a gold leaves unresolved: nothing before them in it can be their referent."""

# ruff: noqa: SIM905

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from readmark.core.question_rules import RuleFinding, RuleSettings
from readmark.core.spans import clip
from readmark.series.notation import PREVIOUS_ANSWER
from readmark.series.rules.page import SeriesPage
from readmark.series.rules.words import GRAMMAR_WORDS, RuleWord
from readmark.text.wording import word_list

_PERSONAL = frozenset("he him himself she herself it itself they them themselves".split())
_POSSESSIVE = frozenset("his her hers its their theirs".split())
_DEMONSTRATIVE = frozenset("this these those".split())
_RELATIVE = frozenset("who whom whose which that of".split())
_INTERROGATIVE = frozenset("which what whose".split())
_AUXILIARY = frozenset(
    "be am is are was were do does did have has had "
    "can could will would shall should may might must".split()
)
_IMPERSONAL = frozenset("take cost mean matter rain snow".split())
"""Verbs after which *it* stands for nothing: "how long does it take"."""
_OF_EXISTENCE = frozenset(
    "be been is are was were has have had can could will would may might must should".split()
)
"""Words beside which *there* is no place: "there were", "will there"."""
_OF_PLACE = frozenset("in at on near from to into".split())
_REACH = 4
"""How many words after "this person" or "which one" may say which: "who ...", "of ..."."""


def unresolved_pronouns(page: SeriesPage, settings: RuleSettings) -> Iterator[RuleFinding]:
    """One finding for each gold with such pronouns."""
    unresolved_in = _in_chinese if page.language == "zh" else _in_english
    for question, golds in page.keyed():
        for gold in golds:
            if pronouns := dict.fromkeys(unresolved_in(page, gold)):
                names = ", ".join(map(repr, pronouns))
                yield question.id, f"{names} may be unresolved in {clip(gold)!r}"


def _in_english(page: SeriesPage, gold: str) -> list[str]:
    words = page.words(gold)
    opening = _opening_place(page, gold, words)
    referents = (
        index for index in range(opening, len(words)) if _may_be_referent(page, words[index], index)
    )
    first_referent = next(referents, None)
    before_referent = len(words) if first_referent is None else first_referent
    unresolved = [
        index
        for index in range(before_referent)
        if _needs_referent(words, index) and not _is_of_subject(words, index)
    ]
    unresolved += [
        index
        for index in range(len(words))
        if _is_unnamed_place(page, words, index) or _is_unnamed_choice(words, index)
    ]
    unresolved.sort()
    if first_referent is not None and words[0].base not in _INTERROGATIVE:
        # "After his death, who played Hamlet?": what opens a question may point forward.
        comma = gold.rfind(",", 0, words[first_referent].start)
        unresolved = [
            index
            for index in unresolved
            if words[index].base in _DEMONSTRATIVE or words[index].start > comma
        ]
    return [words[index].text for index in unresolved]


def _may_be_referent(page: SeriesPage, word: RuleWord, index: int) -> bool:
    """Whether a word may be what a pronoun after it means: a name, or a word of the target."""
    if word.text == PREVIOUS_ANSWER or _is_of_target(page, word):
        return True
    return index > 0 and word.text[:1].isupper() and word.base not in GRAMMAR_WORDS["en"]


def _is_of_target(page: SeriesPage, word: RuleWord) -> bool:
    return any(word.base == target_word.base for target_word in page.target)


def _opening_place(page: SeriesPage, gold: str, words: Sequence[RuleWord]) -> int:
    """How many words open a question with a place: in "In Paris, …" no pronoun means Paris."""
    if not words or words[0].base not in _OF_PLACE:
        return 0
    comma = gold.find(",")
    opening = [word for word in words if word.start < comma]
    return 0 if any(_is_of_target(page, word) for word in opening) else len(opening)


def _needs_referent(words: Sequence[RuleWord], index: int) -> bool:
    base = words[index].base
    following = [word.base for word in words[index + 1 : index + 1 + _REACH]]
    if base in _DEMONSTRATIVE:
        return not _RELATIVE & set(following)
    if base == "it" and following and following[0] in _IMPERSONAL:
        return False
    return base in _PERSONAL or base in _POSSESSIVE


def _is_of_subject(words: Sequence[RuleWord], index: int) -> bool:
    """Whether a possessive refers to what is asked for: "What company sold its shares?"."""
    if words[index].base not in _POSSESSIVE:
        return False
    if index < 3 or words[0].base not in _INTERROGATIVE:
        return False
    # With an auxiliary the subject is something else: "What company did he sell his shares to?".
    return not any(word.base in _AUXILIARY for word in words[1:index])


def _is_unnamed_place(page: SeriesPage, words: Sequence[RuleWord], index: int) -> bool:
    """Whether *there* is a place that nothing before it names, which it is not in "there were"."""
    if words[index].base != "there":
        return False
    neighbours = (*words[max(index - 1, 0) : index], *words[index + 1 : index + 2])
    if _OF_EXISTENCE & {word.base for word in neighbours}:
        return False
    before = [word for word in words[:index] if word.base != "the"]
    return not any(
        preposition.base in _OF_PLACE and _may_be_referent(page, word, 1)
        for preposition, word in itertools.pairwise(before)
    )


def _is_unnamed_choice(words: Sequence[RuleWord], index: int) -> bool:
    """Whether "which one" asks among things that the question does not name."""
    if index == 0 or words[index].base not in ("one", "ones") or words[index - 1].base != "which":
        return False
    return not any(word.base in ("of", "among") for word in words[index + 1 : index + 1 + _REACH])


def _in_chinese(page: SeriesPage, gold: str) -> list[str]:
    pronouns = word_list("pronouns") | word_list("demonstratives") | {"其"}
    target = {word.base for word in page.target}
    unresolved = []
    for word in page.words(gold):
        if word.base in target or word.text == PREVIOUS_ANSWER:
            break
        if word.text in pronouns:
            unresolved.append(word.text)
    return unresolved
