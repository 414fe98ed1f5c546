"""Bags of words: the sets of stems that questions, sentences and keys are compared by.

English words are runs of letters and digits, hyphenated words whole, clitics (*'s*, *n't*) cut
off; Chinese words are the segmenter's, or those that the caller gives.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping, Sequence

from readmark.core.errors import UsageError
from readmark.core.records import Layer, Offsets
from readmark.text.segmenter import Segmenter
from readmark.text.words import SOURCE, STOP_WORDS, STOP_WORDS_SOURCE, stem

RULES = "bags-2"

_WORD = re.compile(r"\d+(?:[.,]\d+)+|(?:[^\W\d_]\.){2,}|\w+(?:['’\-‐‑]\w+)*")
_CLITIC = re.compile(r"(?:n['’]t|['’](?:s|re|ve|ll|d|m))$")
_CONTRACTED = {"ca": "can", "wo": "will", "sha": "shall"}
_ALSO_NAMES = frozenset({"us", "it"})
_SPOKEN = re.compile(r"\w")


class Bags:
    """Makes bags of the texts of one language."""

    def __init__(self, language: str, *, hmm: bool = True) -> None:
        if language not in STOP_WORDS:
            raise UsageError(f"bags of words are made in en and zh, this text is {language!r}")
        self.language = language
        self._stop = STOP_WORDS[language]
        self._segmenter = Segmenter(hmm=hmm) if language == "zh" else None
        self.stem = functools.lru_cache(maxsize=200_000)(self._stem)
        """A word as it is compared; None for a stop word or what is no word."""

    def words_in(self, text: str, layer: Layer | None) -> Sequence[Offsets]:
        """Words as :meth:`words` gives them, from a stored layer where it holds just those."""
        cut = self._segmenter is not None and layer is not None
        if cut and self._segmenter.signature() in layer.source:  # type: ignore[union-attr]
            return layer.spans  # type: ignore[union-attr]
        return self.words(text)

    def words(self, text: str) -> list[Offsets]:
        """Where the words of a text occur; punctuation is none."""
        if self._segmenter is None:
            return [match.span() for match in _WORD.finditer(text)]
        spans = self._segmenter.spans(text)
        return [(start, end) for start, end in spans if _SPOKEN.search(text, start, end)]

    def _stem(self, word: str) -> str | None:
        if not _SPOKEN.search(word):
            return None
        if self.language != "en":
            small = word.lower()
            return None if small in self._stop else small
        whole = _CLITIC.sub("", word.lower())
        whole = _CONTRACTED.get(whole, whole) if whole != word.lower() else whole
        # US and IT in capitals are names, not pronouns.
        named = len(word) > 1 and word.isupper() and not word.isdigit()
        if whole in self._stop and not (named and whole in _ALSO_NAMES):
            return None
        return stem(whole)

    def of_words(self, words: Iterable[str]) -> frozenset[str]:
        """The bag of words that are cut already."""
        found = set(map(self.stem, words))
        found.discard(None)
        return frozenset(found)  # type: ignore[arg-type]

    def of(self, text: str) -> frozenset[str]:
        """The bag of a text."""
        if self._segmenter is None:
            return self.of_words(_WORD.findall(text))
        return self.of_words(self._segmenter.words(text))

    def signature(self) -> Mapping[str, str]:
        """Everything that decides a bag."""
        said = {"words": RULES, "stop words": STOP_WORDS_SOURCE}
        if self._segmenter is not None:
            return {**said, "segmenter": self._segmenter.signature()}
        return {**said, "stems": SOURCE}
