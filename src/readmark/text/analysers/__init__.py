"""Analysers: sentences, tokens, base noun phrases, entities and mentions of a text.

One protocol, English and Chinese. Offsets are code points into the text exactly as given.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from readmark.corpus.errors import UsageError, did_you_mean
from readmark.corpus.language import primary
from readmark.corpus.values import PAPER_LAYERS, Layer

LANGUAGES = ("en", "zh")
TYPES = ("PERSON", "TIME", "LOCATION", "NUM", "ORGANIZATION")
"""The entity types of the BRCC document, and the one that it keeps for later."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a person's name or a pronoun stands; gender and number where they are known."""

    start: int
    end: int
    gender: str | None = None
    number: str | None = None


@dataclass(frozen=True, slots=True)
class Analysis:
    """What an analyser found in one text: the layers asked for, and who is mentioned.

    ``persons`` are names and come with layer ``ne``; ``pronouns`` are those that "Deep Read: A
    Reading Comprehension System" resolves (he him his she her, 他 她 他的 她的).
    """

    layers: dict[str, Layer] = field(default_factory=dict)
    persons: tuple[Mention, ...] = ()
    pronouns: tuple[Mention, ...] = ()


class Analyser(Protocol):
    """Analyses texts of one language."""

    language: str

    def analyse(
        self, texts: Iterable[str], layers: Collection[str] = PAPER_LAYERS
    ) -> Iterator[Analysis]:
        """An analysis a text, in order, a batch at a time; only what the layers need is run."""

    def signature(self) -> str:
        """Which analyser this is, short enough for a layer's source."""


def analyser(language: str, *, hmm: bool = True, lexicon: str | Path | None = None) -> Analyser:
    """The analyser of a language; ``hmm`` and ``lexicon`` are the Chinese segmenter's."""
    if not isinstance(language, str):  # such as a record's that says none
        raise UsageError(f"the language is {language!r}; known: {', '.join(LANGUAGES)}")
    code = primary(language)
    if code == "zh":
        from readmark.text.analysers.chinese import ChineseAnalyser

        return ChineseAnalyser(hmm=hmm, lexicon=lexicon)
    if code != "en":
        raise UsageError(f"no analyser for language {language!r}; known: {', '.join(LANGUAGES)}")
    if lexicon is not None:
        raise UsageError("a lexicon is for Chinese; this is English")
    from readmark.text.analysers.english import EnglishAnalyser

    return EnglishAnalyser()


def known_layers(layers: Iterable[str]) -> tuple[str, ...]:
    """Names of layers, each once and in the order of the paper; an unknown one is named."""
    asked = tuple(layers)
    for name in asked:
        if name not in PAPER_LAYERS:
            raise UsageError(f"no layer {name!r}; {did_you_mean(name, PAPER_LAYERS)}")
    if not asked:
        raise UsageError(f"no layer was asked for; known: {', '.join(PAPER_LAYERS)}")
    return tuple(name for name in PAPER_LAYERS if name in asked)
