"""Bags of words: the sets of stems that questions, sentences and keys are compared by.

English words are runs of letters and digits, hyphenated words whole, clitics (*'s*, *n't*) cut
off; Chinese words are the segmenter's, or those that the caller gives. What is done with them is
section 5 of "Design and Development of a Bilingual Reading Comprehension Corpus".
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping, Sequence

from readmark.core.errors import UsageError
from readmark.core.records import Layer, Offsets
from readmark.text.segmenter import Segmenter
from readmark.text.stems import SOURCE as STEMS
from readmark.text.stems import stem
from readmark.text.stop_words import SOURCE as STOP_WORDS_SOURCE
from readmark.text.stop_words import STOP_WORDS

RULES = "bags-2"

_WORD = re.compile(r"\d+(?:[.,]\d+)+|(?:[^\W\d_]\.){2,}|\w+(?:['’\-‐‑]\w+)*")
_CLITIC = re.compile(r"(?:n['’]t|['’](?:s|re|ve|ll|d|m))$")
_CONTRACTED = {"ca": "can", "wo": "will", "sha": "shall"}
"""What n't leaves of can't, won't and shan't."""
_ALSO_NAMES = frozenset({"us", "it"})
_SPOKEN = re.compile(r"\w")


class Bags:
    """Makes bags of the texts of one language."""

    def __init__(self, language: str, *, hmm: bool = True) -> None:
        if language not in STOP_WORDS:
            raise UsageError(f"bags of words are made in en and zh, this text is {language!r}")
        self.language = language
        self._stop_words = STOP_WORDS[language]
        self._segmenter = Segmenter(hmm=hmm) if language == "zh" else None
        self.stem = functools.lru_cache(maxsize=200_000)(self._stem)
        """A word as it is compared; None for a stop word or a punctuation mark."""

    def words_in(self, text: str, layer: Layer | None) -> Sequence[Offsets]:
        """Words as :meth:`words` gives them, from a stored layer where it holds just those."""
        segmenter = self._segmenter
        if segmenter is not None and layer is not None and segmenter.signature() in layer.source:
            return layer.spans
        return self.words(text)

    def words(self, text: str) -> list[Offsets]:
        """Where the words of a text occur; punctuation is left out."""
        if self._segmenter is None:
            return [match.span() for match in _WORD.finditer(text)]
        spans = self._segmenter.spans(text)
        return [(start, end) for start, end in spans if _SPOKEN.search(text, start, end)]

    def of_words(self, words: Iterable[str]) -> frozenset[str]:
        """The bag of words that are cut already."""
        return frozenset(stem for stem in set(map(self.stem, words)) if stem is not None)

    def of(self, text: str) -> frozenset[str]:
        """The bag of a text."""
        if self._segmenter is None:
            return self.of_words(_WORD.findall(text))
        return self.of_words(self._segmenter.words(text))

    def signature(self) -> Mapping[str, str]:
        """Everything that decides a bag."""
        rules = {"words": RULES, "stop words": STOP_WORDS_SOURCE}
        if self._segmenter is not None:
            return {**rules, "segmenter": self._segmenter.signature()}
        return {**rules, "stems": STEMS}

    def _stem(self, word: str) -> str | None:
        if not _SPOKEN.search(word):
            return None
        small = word.lower()
        if self.language != "en":
            return None if small in self._stop_words else small
        bare = _CLITIC.sub("", small)
        if bare != small:
            bare = _CONTRACTED.get(bare, bare)
        # US and IT in capitals are names, not pronouns.
        is_name = len(word) > 1 and word.isupper() and bare in _ALSO_NAMES
        if bare in self._stop_words and not is_name:
            return None
        return stem(bare)
