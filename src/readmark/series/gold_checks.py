"""Checks of gold rewrites that hold in every language: how many, PREVIOUS_ANSWER, brackets.

The rules are the guidelines of "A gold standard of question reformulations for TREC question
series". Those that look at the words of a language are in `readmark.series.rules`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from readmark.core.kinds import Finding
from readmark.core.spans import clip
from readmark.series.notation import (
    MOST_GOLDS,
    OTHER,
    OTHER_GUIDELINES,
    PREVIOUS_ANSWER,
    Bracketed,
    bracketed,
    misspelt_variables,
    unmatched_bracket,
)
from readmark.series.records import Series, SeriesQuestion

_WORD = re.compile(r"[\u3400-\u9fff]+|[^\W_\u3400-\u9fff]+")
_HAN_RUN = re.compile(r"[\u3400-\u9fff]+")
_SHORT = 3
"""Words of at most so many letters do not count: in any language most are articles and the like."""
_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)


def series_findings(series: Series) -> Iterator[Finding]:
    """What the guidelines do not allow, whatever the language."""
    if unmatched_bracket(series.target):
        message = f"a bracket of the target is not matched: {clip(series.target)!r}"
        yield series.id, "target_brackets", message
    forms = bracketed(series.target)
    for index, question in enumerate(series.questions):
        earlier = series.questions[:index]
        yield from _dangling_references(earlier, question)
        for annotator, golds in _golds_by_annotator(question):
            prefix = f"{annotator}: " if annotator is not None else ""
            if len(golds) > MOST_GOLDS:
                message = f"{prefix}{len(golds)} golds, expected {MOST_GOLDS} at most"
                yield question.id, "too_many_golds", message
            for gold in golds:
                for variable in misspelt_variables(gold):
                    message = f"{prefix}{variable!r} in {clip(gold)!r}, expected {PREVIOUS_ANSWER}"
                    yield question.id, "misspelt_variable", message
            if any(PREVIOUS_ANSWER in gold for gold in golds):
                for code, message in _variable_faults(earlier, question, golds):
                    yield question.id, code, prefix + message
            elif forms is not None and _follows_trec_guidelines(question):
                for message in _bracket_faults(forms, question.text, golds):
                    yield question.id, "bracket_variants", prefix + message


def _dangling_references(
    earlier: Sequence[SeriesQuestion], question: SeriesQuestion
) -> Iterator[Finding]:
    """Members that name a question must name one that was asked before."""
    earlier_ids = {earlier_question.id for earlier_question in earlier}
    refers = question.key.refers if question.key is not None else None
    for member, id in (("previous_of", question.previous_of), ("refers", refers)):
        if id is not None and id not in earlier_ids:
            message = f"{member} names {id!r}, which is not an earlier question of the series"
            yield question.id, "no_such_question", message


def _golds_by_annotator(question: SeriesQuestion) -> Iterator[tuple[str | None, list[str]]]:
    golds: dict[str | None, list[str]] = {}
    for answer in question.key.rewrites if question.key is not None else ():
        golds.setdefault(answer.annotator, []).append(answer.text)
    yield from golds.items()


def _follows_trec_guidelines(question: SeriesQuestion) -> bool:
    return question.key is None or question.key.guidelines not in OTHER_GUIDELINES


def _variable_faults(
    earlier: Sequence[SeriesQuestion], question: SeriesQuestion, golds: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Golds with PREVIOUS_ANSWER need a question that supplies it, and a gold that does without."""
    sources = [source for source in earlier if source.category != OTHER]
    if not sources:
        yield "no_earlier_question", f"{PREVIOUS_ANSWER} where no earlier question can supply it"
        return
    without = [gold for gold in golds if PREVIOUS_ANSWER not in gold]
    if not any(_embeds_earlier_question(gold, question, sources) for gold in without):
        yield (
            "no_embedding_gold",
            f"{PREVIOUS_ANSWER} without a second gold that embeds an earlier question",
        )


def _embeds_earlier_question(
    gold: str, question: SeriesQuestion, earlier: Iterable[SeriesQuestion]
) -> bool:
    """Whether a gold has a word of an earlier question, or of its golds, that its own lacks."""
    new = _words(gold) - _words(question.text)
    for source in earlier:
        golds = source.key.rewrites if source.key is not None else ()
        if any(new & _words(text) for text in (source.text, *(gold.text for gold in golds))):
            return True
    return False


def _words(text: str) -> set[str]:
    """The longer words of a text; of Chinese every two neighbouring characters."""
    words = set()
    for run in _WORD.findall(text.casefold()):
        if _HAN_RUN.fullmatch(run):
            words |= {run[index : index + 2] for index in range(len(run) - 1)}
        elif len(run) > _SHORT:
            words.add(run)
    return words


def _bracket_faults(forms: Bracketed, question: str, golds: Sequence[str]) -> Iterator[str]:
    """If one gold has the target in one of its forms, others must have the other forms."""
    texts = [_folded(gold) for gold in golds]
    full, outer = _folded(forms.full), _folded(forms.outer)
    inner = [_folded(part) for part in forms.inner]
    without_full = [text.replace(full, " ") for text in texts]
    has_full = any(full in text for text in texts)
    has_outer = any(_has_word(text, outer) for text in without_full)
    has_inner = any(
        _has_word(text, part) and not _has_word(text, outer)
        for part in inner
        for text in without_full
    )
    # Words in brackets that the question itself has may be no name of the target there.
    naming = [
        part
        for part in inner
        if not _has_word(_folded(question), part) or _is_short_for(part, outer)
    ]
    names_target = any(_has_word(text, part) for part in naming for text in without_full)
    if not (has_full or has_outer or names_target):
        return
    if not has_full:
        yield f"no gold has the target with its brackets, {forms.full!r}"
    if not has_outer:
        yield f"no gold has the target without its brackets, {forms.outer!r}"
    if not has_inner:
        parts = " or ".join(map(repr, forms.inner))
        yield f"no gold has what stands in the target's brackets, {parts}"


def _is_short_for(part: str, name: str) -> bool:
    """Whether a part is made of first letters: SPE of Sony Pictures Entertainment."""
    initials = iter([word[0] for word in _WORD.findall(name)])
    return part.isalnum() and all(letter in initials for letter in part)  # in this order


def _folded(text: str) -> str:
    return _ARTICLE.sub("", " ".join(text.casefold().split()))


def _has_word(text: str, word: str) -> bool:
    """Whether a text contains a word by itself; Han characters need no space around them."""
    letter = r"[^\W\u3400-\u9fff]"
    before = rf"(?<!{letter})" if re.match(letter, word) else ""
    after = rf"(?!{letter})" if re.search(rf"{letter}$", word) else ""
    return re.search(rf"{before}{re.escape(word)}{after}", text) is not None
