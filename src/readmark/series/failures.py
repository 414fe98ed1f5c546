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

_GRAMMAR_WORDS = grammar_words("failures")


@dataclass(frozen=True, slots=True)
class RewriteFailure:
    """A way to fail, with the content words that make it one."""

    name: str
    missing: tuple[str, ...] = ()
    """Those that only the gold has."""
    extra: tuple[str, ...] = ()
    """Those that only the rewrite has."""


def failure_of(unit: Unit, rewrite: str | None, gold: str, language: str) -> RewriteFailure:
    """What is wrong with a rewrite, measured by the gold that it is nearest to."""
    if rewrite is None:
        return RewriteFailure(NO_REWRITE)
    cut = cutter(language)
    rewrite_words, gold_words = cut(rewrite), cut(gold)
    if rewrite_words == gold_words:
        return RewriteFailure(PERFECT)
    if not rewrite_words:
        return RewriteFailure(NO_REWRITE)
    in_rewrite, in_gold = _content(rewrite_words, language), _content(gold_words, language)
    missing = [base for base in in_gold if base not in in_rewrite]
    extra = [base for base in in_rewrite if base not in in_gold]
    if not missing and not extra:
        return RewriteFailure(GRAMMAR)
    # Words of the question itself say nothing of what the rewriter put in or forgot.
    in_question = _content(cut(unit.item.text), language)
    in_target = _content(cut(unit.record.target), language)
    in_earlier = _content(_earlier_words(unit, language), language)
    added = [base for base in in_rewrite if base not in in_question]
    forgotten = [base for base in missing if base not in in_question]
    wrong = [base for base in added if base not in in_gold]
    if wrong and forgotten:
        name = WRONG_ANTECEDENT
    elif any(base in in_target for base in added) and any(
        base in in_earlier and base not in in_target for base in forgotten
    ):
        # The target was put in, but not what an earlier question or answer speaks of.
        name = WRONG_ANTECEDENT
    elif forgotten:
        name = MISSING_TARGET
    elif not missing:
        name = OVER_EXPANSION
    else:
        name = OTHER_WORDS
    return RewriteFailure(
        name, tuple(in_gold[base] for base in missing), tuple(in_rewrite[base] for base in extra)
    )


def is_content(word: str, language: str) -> bool:
    """Whether a word, as it was cut, is none of grammar."""
    grammar = _GRAMMAR_WORDS.get(language, frozenset())
    return word not in grammar and _without_possessive(word) not in grammar


def _content(words: Sequence[str], language: str) -> dict[str, str]:
    """Content words as written, by the form that they are compared in."""
    return {_base(word, language): word for word in words if is_content(word, language)}


def _base(word: str, language: str) -> str:
    """The form of a word without number, tense and possession, which are grammar."""
    return word if language == "zh" else stem(_without_possessive(word))


def _without_possessive(word: str) -> str:
    """A word without 's, or without the apostrophe after the s of a plural."""
    if word.endswith("'s"):
        return word.removesuffix("'s")
    return word.removesuffix("'") if word.endswith("s'") else word


def _earlier_words(unit: Unit, language: str) -> list[str]:
    """The words of earlier questions and answers, PREVIOUS_ANSWER among them."""
    cut = cutter(language)
    words = ["previous_answer"]  # as `words` cuts it
    for answer in unit.item.previous:
        words += cut(answer)
    for question in unit.record.questions:
        if question.id == unit.id:
            break
        words += cut(question.text)
    return words
