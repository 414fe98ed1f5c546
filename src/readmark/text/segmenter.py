"""Chinese words: the most probable path through jieba's dictionary, by rjieba.

``hmm=False`` is the method of "Design and Development of a Bilingual Reading Comprehension
Corpus" (the path alone); ``hmm=True`` also finds words that no dictionary has. The dictionary is
in simplified characters: traditional ones are looked up as those, and stay in the words.
"""

from __future__ import annotations

import functools
import re
import sys
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from itertools import accumulate, pairwise
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING

from readmark.core.errors import UsageError
from readmark.core.records import Offsets
from readmark.text.script import TABLE, simplified
from readmark.text.user_lexicon import LexiconEntry, UserLexicon, read_lexicon

if TYPE_CHECKING:
    from rjieba import Jieba

Tagged = tuple[int, int, str]
"""Start, end and jieba's tag of a word."""

# What jieba looks up as one stretch; it cuts at anything else, whatever its dictionary says.
_LOOKED_UP = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffdA-Za-z0-9]+")
_NEW_WORD = "nz"
"""The tag of words of a lexicon that neither it nor the dictionary tags: another name."""
_NUMBER = "m"
_SURROGATE = re.compile("[\ud800-\udfff]")
_FIGURE = re.compile(r"\d+(?:[.．,]\d+)+[%％‰]?|\d+[%％‰]")
_IMPORTING = Lock()


class Segmenter:
    """Cuts Chinese into words; offsets are code points, white space is dropped."""

    def __init__(
        self, *, hmm: bool = True, lexicon: UserLexicon | str | Path | None = None
    ) -> None:
        self.hmm = hmm
        self.added: set[str] = set()
        """The words of the lexicon, in simplified characters."""
        # Words of the lexicon that jieba could not look up, such as C++语言, with their tags.
        self._uncuttable: re.Pattern[str] | None = None
        self._tags: dict[str, str] = {}
        if isinstance(lexicon, (str, Path)):
            lexicon = read_lexicon(lexicon)
        self._digest = lexicon.digest if lexicon is not None else ""
        self._jieba = _shared_dictionary() if lexicon is None else _new_dictionary()
        if lexicon is not None:
            self._add(lexicon.entries)

    def spans(self, text: str) -> list[Offsets]:
        """Where the words of a text occur."""
        return self._spans(simplified(text))

    def words(self, text: str) -> list[str]:
        """The words of a text, as they are written there."""
        plain = simplified(text)
        if self._uncuttable is not None or plain is not text:
            return [text[start:end] for start, end in self._spans(plain)]
        words = self._cut(text)
        return words if _is_solid(text) else [word for word in words if not word.isspace()]

    def tagged(self, text: str) -> list[Tagged]:
        """Where the words of a text occur, each with its tag."""
        text = simplified(text)
        if self._uncuttable is None:
            return self._tagged(text, 0)
        words: list[Tagged] = []
        end = 0
        for match in self._uncuttable.finditer(text):
            words += self._tagged(text[end : match.start()], end)
            words.append((match.start(), match.end(), self._tags[match[0]]))
            end = match.end()
        return words + self._tagged(text[end:], end)

    def knows(self, word: str) -> bool:
        """Whether a word in simplified characters is in the dictionary or the lexicon."""
        return word in self.added or self._jieba.has_word(word)

    def signature(self) -> str:
        """Which segmenter this is, with its lexicon's hash."""
        from importlib.metadata import version

        hmm = str(self.hmm).lower()
        lexicon = f",lexicon={self._digest}" if self._digest else ""
        figures = "" if self.hmm else ",figures=whole"
        return f"rjieba-{version('rjieba')}(hmm={hmm}{figures},{TABLE}{lexicon})"

    def _spans(self, simplified_text: str) -> list[Offsets]:
        if self._uncuttable is not None:
            return [(start, end) for start, end, _ in self.tagged(simplified_text)]
        words = self._cut(simplified_text)
        spans = list(pairwise(accumulate(map(len, words), initial=0)))
        if _is_solid(simplified_text):
            return spans
        return [span for span, word in zip(spans, words, strict=True) if not word.isspace()]

    def _cut(self, text: str) -> list[str]:
        try:
            words = self._jieba.cut(text, self.hmm)
        except UnicodeEncodeError:
            words = self._jieba.cut(whole_characters(text), self.hmm)
            spans = pairwise(accumulate(map(len, words), initial=0))
            words = [text[start:end] for start, end in spans]
        if self.hmm or not _FIGURE.search(text):
            return words
        return [word for word, _ in _with_whole_figures(text, [(word, "") for word in words])]

    def _tagged(self, text: str, offset: int) -> list[Tagged]:
        """The tagged words of a stretch that begins at an offset of the text."""
        try:
            tagged = self._jieba.tag(text, self.hmm)
        except UnicodeEncodeError:
            tagged = self._jieba.tag(whole_characters(text), self.hmm)
        if not self.hmm and _FIGURE.search(text):
            tagged = _with_whole_figures(text, tagged)
        words: list[Tagged] = []
        for word, tag in tagged:
            end = offset + len(word)
            words.append((offset, end, tag))
            offset = end
        if _is_solid(text):
            return words
        pairs = zip(words, tagged, strict=True)
        return [placed for placed, (word, _) in pairs if not word.isspace()]

    def _add(self, entries: tuple[LexiconEntry, ...]) -> None:
        for entry in entries:
            word = simplified(entry.word)
            self.added.add(word)
            if not _LOOKED_UP.fullmatch(word):
                self._tags[word] = entry.tag or _NEW_WORD
                continue
            is_known = self._jieba.has_word(word)
            if not is_known or not entry.yields:
                tag = entry.tag or (None if is_known else _NEW_WORD)
                self._jieba.add_word(word, entry.frequency, tag)
        if self._tags:
            longest_first = sorted(self._tags, key=len, reverse=True)
            self._uncuttable = re.compile("|".join(map(re.escape, longest_first)))


@functools.cache
def segmenter(*, hmm: bool = True) -> Segmenter:
    """The segmenter without a lexicon, which is shared: a dictionary takes 25 MB."""
    return Segmenter(hmm=hmm)


def whole_characters(text: str) -> str:
    """A text of the same length without halves of surrogate pairs, which libraries refuse."""
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def _is_solid(text: str) -> bool:
    """Whether a text has no white space; several times as fast as searching with an expression."""
    parts = text.split(None, 1)
    return bool(parts) and len(parts[0]) == len(text)


def _with_whole_figures(text: str, tagged: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The words with figures such as 3.3% and 1,066 in one piece: the path alone cuts them."""
    figures = iter(_FIGURE.finditer(text))
    figure = next(figures, None)
    words: list[tuple[str, str]] = []
    start = 0
    for word, tag in tagged:
        while figure is not None and figure.end() <= start:
            figure = next(figures, None)
        end = start + len(word)
        goes_on = figure is not None and figure.start() < start and end <= figure.end()
        if goes_on and words:
            words[-1] = (words[-1][0] + word, _NUMBER)
        else:
            words.append((word, tag))
        start = end
    return words


@functools.cache
def _shared_dictionary() -> Jieba:
    """The dictionary of every segmenter without a lexicon: nothing changes it."""
    return _new_dictionary()


def _new_dictionary() -> Jieba:
    try:
        dictionary: Jieba = _compiled_rjieba().Jieba()
    except ImportError:
        raise UsageError(
            "Chinese words need rjieba: pip install rjieba (see readmark doctor)"
        ) from None
    return dictionary


def _compiled_rjieba() -> ModuleType:
    """What of rjieba is compiled, alone: the package makes a dictionary for functions of its own.

    That would take as long as making ours, and 25 MB.
    """
    name = "rjieba.rjieba"
    with _IMPORTING:
        if name in sys.modules:
            return sys.modules[name]
        package = find_spec("rjieba")
        places = package.submodule_search_locations if package is not None else None
        spec = PathFinder.find_spec(name, places) if places is not None else None
        if spec is None or spec.loader is None:
            return import_module("rjieba")
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return sys.modules.setdefault(name, module)
