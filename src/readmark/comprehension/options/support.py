"""How far a Chinese passage supports an option, word by word."""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from readmark.comprehension.options.word_meanings import (
    excludes,
    is_negation,
    sameness,
    word_weights,
)
from readmark.core.arrays import Floats
from readmark.core.records import Offsets

_DENIED, _EXCLUDED = -0.3, 0.7
"""What a word counts that one side denies, and one that excludes a word of the other side."""
_REACH_OF_NOT = 4
"""Words over which a negation denies."""
_RHETORICAL = re.compile("哪儿?能|哪里能|怎么能|怎么会|怎么可能|难道|谁说|哪有|何必|何苦|用得着")
"""Questions that say the opposite."""
_CLAUSE = re.compile(r"[，。？！；：,?!;:\n]")
_SPEAKER = re.compile(r"^[ \t]*([^\s：:]{1,4})[：:]", re.MULTILINE)
"""The label before a turn of a dialogue, such as 男：."""

LocatedWords = Sequence[tuple[str, int]]
"""Words with where they begin."""


class OptionSupport:
    """How far clauses, denials, the last sentence and one speaker support the words of options."""

    def __init__(self, text: str, places: Sequence[Offsets], question: str) -> None:
        from readmark.text.word_vectors import simplified_words

        # Labels are no words of the passage, and blanks in their place keep the offsets.
        plain = _SPEAKER.sub(lambda label: " " * len(label[0]), text)
        located_words = simplified_words(plain)
        self._starts = np.array([start for _, start in located_words], int)
        self._is_denied = _are_denied(plain, located_words)
        # Each different word is compared once, and stands in the column of each of its places.
        self._words = sorted({word for word, _ in located_words})
        columns = {word: index for index, word in enumerate(self._words)}
        self._columns = [columns[word] for word, _ in located_words]
        self._sentences = self._parts([start for start, _ in places])
        self._clauses = self._parts([0, *(sign.end() for sign in _CLAUSE.finditer(plain))])
        self._by_speaker = _words_of_named_speaker(text, self._starts, question)

    def figures(self, options: Sequence[str]) -> list[list[float]]:
        """How much of each option is in a clause, is asserted and not denied, is in the last
        sentence, and in the turns of the speaker that the question asks about."""
        return [list(column) for column in zip(*map(self._of, options), strict=True)]

    def _of(self, option: str) -> tuple[float, float, float, float]:
        from readmark.text.word_vectors import simplified_words

        located_words = simplified_words(option)
        words = [word for word, _ in located_words]
        weights = word_weights(words)
        if not weights.sum() or not self._words:
            return 0.0, 0.0, 0.0, 0.0
        weights /= weights.sum()
        same = self._table(sameness, words)
        is_excluded = self._table(excludes, words)
        is_contrary = _are_denied(option, located_words)[:, None] != self._is_denied[None, :]
        agreement = same * np.where(is_contrary, _DENIED, 1.0)
        # To deny what excludes a word is to say the word.
        agreement = np.where(is_excluded, np.where(is_contrary, _EXCLUDED, -_EXCLUDED), agreement)

        def covered(part: slice | NDArray[np.bool_]) -> float:
            return float(weights @ same[:, part].max(axis=1, initial=0.0))

        by_sentence = [covered(sentence) for sentence in self._sentences]
        in_best = agreement[:, self._sentences[int(np.argmax(by_sentence))]]
        most, least = in_best.max(axis=1, initial=0.0), in_best.min(axis=1, initial=0.0)
        asserted = float(weights @ np.where(most >= -least, most, least))
        return (
            max(map(covered, self._clauses)),
            asserted,
            by_sentence[-1],
            covered(self._by_speaker),
        )

    def _table(self, compare: Callable[[str, str], float], words: Sequence[str]) -> Floats:
        """A row for each word of an option, a column for each of the text."""
        rows = [[compare(word, other) for other in self._words] for word in words]
        return np.array(rows, float)[:, self._columns]

    def _parts(self, starts: Sequence[int]) -> list[slice]:
        """The words of the parts of the text that begin there."""
        cuts = [*np.searchsorted(self._starts, starts).tolist(), len(self._starts)]
        return [slice(first, after) for first, after in itertools.pairwise(cuts)]


def _words_of_named_speaker(
    text: str, starts: NDArray[np.int_], question: str
) -> NDArray[np.bool_]:
    """Which words the one speaker says whom the question names: 男的, 女士, or the label."""
    turns = [(turn.end(), turn[1]) for turn in _SPEAKER.finditer(text)]
    named = {label for _, label in turns if re.search(_naming(label), question)}
    by_speaker = np.zeros(len(starts), bool)
    if len({label[0] for label in named}) == 1:
        ends = [start for start, _ in turns[1:]] + [len(text) + 1]
        for (start, label), end in zip(turns, ends, strict=True):
            by_speaker |= (label in named) & (start <= starts) & (starts < end)
    return by_speaker


def _naming(label: str) -> str:
    return f"{label[0]}[的士人方]" if label[0] in "男女" else re.escape(label)


def _are_denied(text: str, located_words: LocatedWords) -> NDArray[np.bool_]:
    """Whether each word is denied: an odd number of negations before it in its clause."""
    are_denied = np.zeros(len(located_words), bool)
    clauses = [0, *(sign.end() for sign in _CLAUSE.finditer(text))]
    for index, (_, start) in enumerate(located_words):
        clause = clauses[bisect.bisect_right(clauses, start) - 1]
        before = located_words[max(0, index - _REACH_OF_NOT) : index]
        count = sum(place >= clause and is_negation(word) for word, place in before)
        are_denied[index] = (count + bool(_RHETORICAL.search(text, clause, start))) % 2
    return are_denied
