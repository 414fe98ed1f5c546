"""Analysers: sentences, tokens, base noun phrases, entities and mentions of a text.

One protocol, English and Chinese. Offsets are code points into the text exactly as given.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from readmark.core.errors import UsageError, did_you_mean
from readmark.core.language import primary
from readmark.core.records import PAPER_LAYERS, Offsets
from readmark.core.registry import Registry
from readmark.hooks import Analyser

ANALYSERS = Registry("analyser", "readmark.analysers")
LANGUAGES = ("en", "zh")
ANALYSER_PREFIX = "readmark-"
"""How the sources of layers begin that our analysers made."""


def analyser(language: str, *, hmm: bool = True, lexicon: str | Path | None = None) -> Analyser:
    """The analyser of a language; ``hmm`` and ``lexicon`` are the Chinese segmenter's."""
    if not isinstance(language, str):  # such as a record's that says none
        raise UsageError(f"the language is {language!r}; known: {', '.join(ANALYSERS)}")
    code = primary(language)
    if code not in ANALYSERS:
        raise UsageError(f"no analyser for language {language!r}; known: {', '.join(ANALYSERS)}")
    if code != "zh" and lexicon is not None:
        raise UsageError("a lexicon is for Chinese; this is English")
    made: Analyser = ANALYSERS.load(code)(
        **({"hmm": hmm, "lexicon": lexicon} if code == "zh" else {})
    )
    return made


def known_layers(layers: Iterable[str], others: Iterable[str] = ()) -> tuple[str, ...]:
    """Names of layers, each once and in the order of the paper; an unknown one is named.

    ``others`` are names that are known besides.
    """
    asked = tuple(layers)
    for name in asked:
        if name not in PAPER_LAYERS:
            raise UsageError(f"no layer {name!r}; {did_you_mean(name, (*PAPER_LAYERS, *others))}")
    if not asked:
        raise UsageError(f"no layer was asked for; known: {', '.join(PAPER_LAYERS)}")
    return tuple(name for name in PAPER_LAYERS if name in asked)


# Long texts in pieces that a model can take: cut between sentences, else at white space.


_SPACE = re.compile(r"\s+")


def pieces(text: str, sentences: Sequence[Offsets], most: int) -> Iterator[Offsets]:
    """Stretches of at most ``most`` characters that begin and end with sentences.

    A sentence that is longer itself is cut at white space, or wherever the room ends.
    """
    begin: int | None = None
    last = 0
    for start, end in sentences:
        if begin is not None and end - begin > most:
            yield begin, last
            begin = None
        if end - start > most:
            yield from _cut(text, start, end, most)
            continue
        begin = start if begin is None else begin
        last = end
    if begin is not None:
        yield begin, last


def _cut(text: str, start: int, end: int, most: int) -> Iterator[Offsets]:
    while end - start > most:
        cut = start + most
        # from the second character at the earliest: an empty piece would never end
        for space in _SPACE.finditer(text, start + max(1, most // 2), start + most):
            cut = space.start()
        yield start, cut
        start = cut
    if start < end:
        yield start, end


# The word tables of the analysers, read once from their data files.


@functools.cache
def table(language: str) -> dict[str, Any]:
    """The table of a language."""
    path = files("readmark.text.analysers") / "data" / f"{language}.toml"
    found: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    return found


@functools.cache
def words(language: str, section: str, name: str) -> frozenset[str]:
    """A list of words of a table."""
    return frozenset(table(language)[section][name].split())


@functools.cache
def endings(language: str, section: str, name: str) -> tuple[str, ...]:
    """A list of endings of a table, for ``str.endswith``."""
    return tuple(table(language)[section][name].split())
