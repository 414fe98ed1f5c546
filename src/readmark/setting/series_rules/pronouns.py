"""Pronouns that a gold leaves unresolved: nothing in it stands before them that they could mean."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from readmark.corpus.series_notation import PREVIOUS_ANSWER
from readmark.corpus.spans import clip
from readmark.setting.series_rules.page import SeriesPage
from readmark.setting.series_rules.wording import STOPPED, Word
from readmark.text.wording import listed

_PERSONAL = frozenset({"he", "him", "himself", "she", "herself", "it", "itself", "they", "them"})
_PERSONAL |= {"themselves"}
_OWNING = frozenset({"his", "her", "hers", "its", "their", "theirs"})
_POINTING = frozenset({"this", "these", "those"})
_RELATIVE = frozenset({"who", "whom", "whose", "which", "that", "of"})
_ASKING = frozenset({"which", "what", "whose"})
_AUXILIARY = frozenset({"be", "am", "is", "are", "was", "were", "do", "does", "did", "have", "has"})
_AUXILIARY |= {"had", "can", "could", "will", "would", "shall", "should", "may", "might", "must"}
_IMPERSONAL = frozenset(["take", "cost", "mean", "matter", "rain", "snow"])
_BE = frozenset({"be", "been", "is", "are", "was", "were", "will", "would", "can", "could", "has"})
_BE |= {"have", "had", "may", "might", "must", "should"}
_PLACING = frozenset({"in", "at", "on", "near", "from", "to", "into"})
_REACH = 4
"""Words after "this person" in which "who ..." may begin and say who."""


def unresolved_pronouns(page: SeriesPage) -> Iterator[tuple[str, str]]:
    """A line a gold with such pronouns."""
    for question, golds in page.keyed():
        for gold in golds:
            left = _chinese(page, gold) if page.language == "zh" else _english(page, gold)
            if left:
                named = ", ".join(repr(one) for one in dict.fromkeys(left))
                yield question.id, f"{named} may be unresolved in {clip(gold)!r}"


def _english(page: SeriesPage, gold: str) -> list[str]:
    words = page.words(gold)
    aside = _place_aside(page, gold, words)
    meant = [at for at, word in enumerate(words) if at >= aside and _names(page, word, at)]
    first = meant[0] if meant else len(words)
    left = [at for at in range(first) if _is_open(words, at)]
    left = [at for at in left if not (words[at].base in _OWNING and _subject_asked(words, at))]
    left += [at for at in range(len(words)) if _is_nowhere(page, words, at) or _is_some(words, at)]
    left.sort()
    if meant and words[0].base not in _ASKING:
        # "After his death, who played Hamlet?": what opens a question may point forward.
        opening = gold.rfind(",", 0, words[first].start)
        left = [at for at in left if words[at].base in _POINTING or words[at].start > opening]
    return [words[at].text for at in left]


def _names(page: SeriesPage, word: Word, at: int) -> bool:
    """Whether a word may be what a pronoun after it means: a name, or a word of the target."""
    if word.text == PREVIOUS_ANSWER or _is_of_target(page, word):
        return True
    return at > 0 and word.text[:1].isupper() and word.base not in STOPPED["en"]


def _is_of_target(page: SeriesPage, word: Word) -> bool:
    return any(word.base == one.base for one in page.target)


def _place_aside(page: SeriesPage, gold: str, words: Sequence[Word]) -> int:
    """How many words open a question with a place, which no person after it is: In Paris, …."""
    if not words or words[0].base not in _PLACING:
        return 0
    comma = gold.find(",")
    opening = [word for word in words if word.start < comma]
    return 0 if any(_is_of_target(page, word) for word in opening) else len(opening)


def _is_nowhere(page: SeriesPage, words: Sequence[Word], at: int) -> bool:
    """Whether "there" is a place that nothing before it names; "there were" is none."""
    if words[at].base != "there":
        return False
    around = {word.base for word in (*words[max(at - 1, 0) : at], *words[at + 1 : at + 2])}
    if around & _BE:
        return False
    placed = (
        before.base in _PLACING and _names(page, one, 1)
        for before, one in itertools.pairwise(word for word in words[:at] if word.base != "the")
    )
    return not any(placed)


def _is_some(words: Sequence[Word], at: int) -> bool:
    """Whether "which one" asks among things that the question does not name."""
    if at == 0 or words[at].base not in ("one", "ones") or words[at - 1].base != "which":
        return False
    return not any(word.base in ("of", "among") for word in words[at + 1 : at + 1 + _REACH])


def _is_open(words: Sequence[Word], at: int) -> bool:
    base = words[at].base
    after = [word.base for word in words[at + 1 : at + 1 + _REACH]]
    if base in _POINTING:
        return not _RELATIVE & set(after)
    if base == "it" and after and after[0] in _IMPERSONAL:
        return False
    return base in _PERSONAL or base in _OWNING


def _subject_asked(words: Sequence[Word], at: int) -> bool:
    """Whether what is asked for does something: "What company sold its shares?"."""
    if at < 3 or words[0].base not in _ASKING:
        return False
    return not any(word.base in _AUXILIARY for word in words[1:at])


def _chinese(page: SeriesPage, gold: str) -> list[str]:
    words = page.words(gold)
    pronouns = listed("pronouns") | {"其"}
    pointing = listed("demonstratives")
    own = {word.base for word in page.target}
    left = []
    for word in words:
        if word.base in own or word.text == PREVIOUS_ANSWER:
            break
        if word.text in pronouns or word.text in pointing:
            left.append(word.text)
    return left
