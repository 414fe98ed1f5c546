"""Analysers: sentences, tokens, base noun phrases, entities and mentions of a text.

One protocol, English and Chinese. Offsets are code points into the text exactly as given.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from readmark.core.errors import UsageError, did_you_mean
from readmark.core.language import primary
from readmark.core.records import PAPER_LAYERS
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
    options = {"hmm": hmm, "lexicon": lexicon} if code == "zh" else {}
    built: Analyser = ANALYSERS.load(code)(**options)
    return built


def known_layers(layers: Iterable[str], others: Iterable[str] = ()) -> tuple[str, ...]:
    """Names of layers, each once and in the order of the paper; an unknown one is named.

    ``others`` are names that are known besides.
    """
    names = tuple(layers)
    for name in names:
        if name not in PAPER_LAYERS:
            raise UsageError(f"no layer {name!r}; {did_you_mean(name, (*PAPER_LAYERS, *others))}")
    if not names:
        raise UsageError(f"no layer was asked for; known: {', '.join(PAPER_LAYERS)}")
    return tuple(name for name in PAPER_LAYERS if name in names)
