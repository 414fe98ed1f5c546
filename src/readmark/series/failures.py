"""What went wrong with a rewrite, judged by the content words it shares with its gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from readmark.core.records import Unit
from readmark.series.words import cutter, grammar_words
from readmark.text.stems import stem

PERFECT = "perfect"
NO_REWRITE = "no rewrite"
WRONG_ANTECEDENT = "wrong antecedent"
OVER_EXPANSION = "over-expansion"
MISSING_TARGET = "missing target"
GRAMMAR = "grammar"
OTHER_WORDS = "other words"
FAILURES = (
    WRONG_ANTECEDENT,
    OVER_EXPANSION,
    MISSING_TARGET,
    GRAMMAR,
    OTHER_WORDS,
    NO_REWRITE,
)
"""Every way to fail, in the order of the report."""

_FUNCTION = grammar_words("failures")
_POSSESSIVES = ("'s", "s'")


@dataclass(frozen=True, slots=True)
class RewriteFailure:
    """A way to fail, with the words of content that the gold has and the rewrite lacks, and those
    that it has beyond the gold."""

    name: str
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()


def failure_of(unit: Unit, rewrite: str | None, gold: str, language: str) -> RewriteFailure:
    """What is wrong with a rewrite, measured by the gold that it is nearest to."""
    if rewrite is None:
        return RewriteFailure(NO_REWRITE)
    cut = cutter(language)
    said, wanted = cut(rewrite), cut(gold)
    if said == wanted:
        return RewriteFailure(PERFECT)
    if not said:
        return RewriteFailure(NO_REWRITE)
    has, needs = _content(said, language), _content(wanted, language)
    missing = [base for base in needs if base not in has]
    extra = [base for base in has if base not in needs]
    if not missing and not extra:
        return RewriteFailure(GRAMMAR)
    asked = _content(cut(unit.item.text), language)
    target = _content(cut(unit.record.target), language)
    earlier = _content(_earlier(unit, language), language)
    added = [word for word in has if word not in asked]
    unsaid = [word for word in missing if word not in asked]
    strange = [word for word in added if word not in needs]
    if strange and unsaid:
        name = WRONG_ANTECEDENT
    elif any(word in target for word in added) and any(
        word in earlier and word not in target for word in unsaid
    ):
        # The target was put in, but not what an earlier question or answer speaks of.
        name = WRONG_ANTECEDENT
    elif unsaid:
        name = MISSING_TARGET
    elif not missing:
        name = OVER_EXPANSION
    else:
        name = OTHER_WORDS
    return RewriteFailure(
        name, tuple(needs[base] for base in missing), tuple(has[base] for base in extra)
    )


def is_content(word: str, language: str) -> bool:
    """Whether a word, as it was cut, is none of grammar."""
    function = _FUNCTION.get(language, frozenset())
    return word not in function and _bare(word) not in function


def _content(words: Sequence[str], language: str) -> dict[str, str]:
    """Content words as written, by the form that they are compared in."""
    return {_base(word, language): word for word in words if is_content(word, language)}


def _base(word: str, language: str) -> str:
    """Number, tense and possession are grammar: they make no other word."""
    return word if language == "zh" else stem(_bare(word))


def _bare(word: str) -> str:
    for ending in _POSSESSIVES:
        if word.endswith(ending):
            return word.removesuffix("'s") if ending == "'s" else word.removesuffix("'")
    return word


def _earlier(unit: Unit, language: str) -> list[str]:
    """The words of earlier questions and answers, PREVIOUS_ANSWER among them."""
    cut = cutter(language)
    found = ["previous_answer"]
    for answer in unit.item.previous:
        found += cut(answer)
    for question in unit.record.questions:
        if question.id == unit.id:
            break
        found += cut(question.text)
    return found
