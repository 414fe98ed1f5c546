"""A passage as the features read it: words, tags, heads and sentences in plain columns."""

from __future__ import annotations

import functools
import hashlib
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.resources import files
from itertools import pairwise, tee
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.core.records import Layers
from readmark.hooks import Analyser
from readmark.readability.formulas.english import EnglishCounts, count_english
from readmark.readability.prose import running_text
from readmark.text import sentences as sentence_rules
from readmark.text import words as word_rules
from readmark.text.analysers.registry import analyser

# A text as a reader sees it: equal spellings made one, what is no writing left out.


_WIDE = re.compile("[\uff01-\uff5e\u3000\ufb00-\ufb06]")
_UNSEEN = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]"
)
_EMOJI = re.compile(
    "[\U0001f000-\U0001faff\u2600-\u27bf\u2b50\u2b55\u231a\u231b\u23e9-\u23fa\ufe0e\ufe0f\u20e3"
    "\U000e0020-\U000e007f]+"
)
_FOOTNOTE = re.compile(r"(?<=[\w.,;:!?\"”’)])(?:\[(?:\d{1,3}|[a-z]|note \d{1,2})\])+")


def as_read(text: str) -> str:
    """The running text in composed letters of ordinary width.

    Unseen signs, emoji and footnote marks are left out, and so are titles and bylines.
    """
    if "[" in text:
        text = _FOOTNOTE.sub("", text)
    if not text.isascii():
        text = _EMOJI.sub(" ", _UNSEEN.sub("", text))
        text = _WIDE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
        text = unicodedata.normalize("NFC", text)
    return running_text(text)


CONTENT = frozenset({"NOUN", "VERB", "ADJ", "ADV"})
"""Universal tags of words that carry the matter; names are left out, being no measure of a text."""
NOUNS = frozenset({"NOUN", "PROPN"})
NEEDED = ("sentence", "token")
"""The layers that features are measured on."""


@dataclass(frozen=True)
class ParsedPassage:
    """One passage; the columns run over its tokens, ``words`` are those with a letter or digit."""

    text: str
    raw: tuple[str, ...]
    lemmas: tuple[str, ...]
    pos: tuple[str, ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...]
    deps: tuple[str, ...]
    sentences: NDArray[np.intp]
    """The sentence that each token is in."""

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The tokens in small letters, with straight apostrophes."""
        return tuple(form.lower().replace("’", "'") for form in self.raw)

    @cached_property
    def words(self) -> list[int]:
        """The tokens that are words or figures."""
        return [index for index, form in enumerate(self.raw) if any(map(str.isalnum, form))]

    @cached_property
    def count(self) -> int:
        """How many words, at least one: shares are taken of it."""
        return max(1, len(self.words))

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """First and last token (exclusive) of every sentence that has a word."""
        cuts = np.flatnonzero(np.diff(self.sentences)) + 1
        edges = [0, *cuts.tolist(), len(self.raw)]
        spoken = set(self.sentences[self.words].tolist())
        return [(a, b) for a, b in pairwise(edges) if b > a and int(self.sentences[a]) in spoken]

    @cached_property
    def sentence_count(self) -> int:
        """How many sentences, at least one."""
        return max(1, len(self.spans))

    @cached_property
    def content(self) -> list[int]:
        """The content words: nouns, verbs, adjectives and adverbs, no names, no auxiliaries."""
        pos = self.pos
        return [word for word in self.words if pos[word] in CONTENT]

    @cached_property
    def counts(self) -> EnglishCounts | None:
        """What the classic formulas count, with the rules that the weights were made with."""
        spans = sentence_rules.sentences(self.text, "en")
        return count_english(self.text, spans, split=partial(word_rules.words, language="en"))

    def share(self, count: int | float, of: int | float | None = None) -> float:
        """The share of a total, by default of all words; 0 of nothing."""
        whole = self.count if of is None else of
        return count / whole if whole else 0.0


def from_layers(text: str, layers: Layers) -> ParsedPassage:
    """A passage from its sentence and token layers."""
    tokens = layers["token"]
    spans = tokens.spans
    columns: dict[str, Sequence[Any]] = dict(tokens.columns)
    starts = np.array([start for start, _ in layers["sentence"].spans], np.intp)
    at = np.array([start for start, _ in spans], np.intp)
    return ParsedPassage(
        text=text,
        raw=tuple(text[start:end] for start, end in spans),
        lemmas=tuple(lemma.lower() for lemma in columns["lemma"]),
        pos=tuple(columns["pos"]),
        tags=tuple(columns["tag"]),
        heads=tuple(columns["head"]),
        deps=tuple(columns["dep"]),
        sentences=np.maximum(np.searchsorted(starts, at, side="right") - 1, 0),
    )


def parse_all(texts: Iterable[str]) -> Iterator[ParsedPassage]:
    """Passages analysed by the English analyser, as they come and as a reader sees them."""
    mine, given = tee(map(as_read, texts))
    for text, analysis in zip(mine, _english().analyse(given, NEEDED), strict=True):
        yield from_layers(text, analysis.layers)


def signature() -> str:
    """Which analyser reads the passages."""
    return _english().signature()


@functools.cache
def _english() -> Analyser:
    return analyser("en")


# What is known of a feature before anything is measured.


@dataclass(frozen=True, slots=True)
class Feature:
    """A named number of a passage.

    ``easier`` is what readability research expects: 1 where more of it reads more easily, -1 where
    it reads harder, 0 where nothing is expected. ``low`` and ``high`` bound the value: a freak of
    the parser or a two-word text must not swing a rating.
    """

    name: str
    family: str
    description: str
    """What is counted, in words that go before a number."""
    easier: int
    low: float
    high: float


def family(name: str, *rows: tuple[str, str, int, float, float]) -> tuple[Feature, ...]:
    """The features of a family; a row has name, words, direction and bounds."""
    return tuple(
        Feature(feature, name, says, easier, low, high) for feature, says, easier, low, high in rows
    )


# Commands: sentences whose subject is a *you* that nobody says.


_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})


def imperatives(parsed: ParsedPassage) -> list[int]:
    """Verbs in the base form that are roots, or joined to one, without subject, *to* or modal."""
    tags, deps, heads = parsed.tags, parsed.deps, parsed.heads
    bound: set[int] = set()
    for index, dep in enumerate(deps):
        if dep in _SUBJECTS or (dep == "aux" and tags[index] in ("TO", "MD", "VBD", "VBZ")):
            bound.add(heads[index])
    found: set[int] = set()
    for index, tag in enumerate(tags):
        if tag != "VB" or index in bound:
            continue
        if deps[index] == "ROOT" or (deps[index] == "conj" and heads[index] in found):
            found.add(index)
    return sorted(found)


# The small word tables of the features.


@functools.cache
def connectives() -> tuple[dict[tuple[str, ...], str], dict[str, tuple[int, ...]]]:
    """Connectives by their words, and by their first word how many words one may have."""
    given = tomllib.loads(_read("connectives.toml"))
    table = {tuple(one.split()): kind for kind, listed in given.items() for one in listed}
    sizes: dict[str, set[int]] = {}
    for words in table:
        sizes.setdefault(words[0], set()).add(len(words))
    return table, {first: tuple(sorted(some, reverse=True)) for first, some in sizes.items()}


@functools.cache
def story_odds() -> dict[str, float]:
    """How much more a word belongs to children's stories than to an encyclopaedia: log odds."""
    return _odds("story_words.tsv")


@functools.cache
def level_odds() -> dict[str, float]:
    """How much more a lemma belongs to elementary than to advanced versions: log odds."""
    return _odds("level_words.tsv")


@functools.cache
def fingerprint() -> str:
    """A short hash of every table that features are measured by, for signatures."""
    found = hashlib.sha256()
    for name in ("connectives.toml", "level_words.tsv", "story_words.tsv", "word_order.npz"):
        found.update(files("readmark.readability.raters").joinpath("data", name).read_bytes())
    return found.hexdigest()[:12]


def _odds(name: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for line in _read(name).splitlines():
        if line and not line.startswith("#"):
            odds, _, words = line.partition("\t")
            found.update(dict.fromkeys(words.split(" "), float(odds)))
    return found


def _read(name: str) -> str:
    return files("readmark.readability.raters").joinpath("data", name).read_text("utf-8")
