"""What noun phrases end in: a noun, pronoun or adjective, by section 4.3 of the BRCC's document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache

from readmark.core.errors import UsageError
from readmark.core.extras import MissingExtra
from readmark.core.kinds import Finding
from readmark.core.problems import WarningCode
from readmark.core.records import Layer, Layers, Offsets
from readmark.core.spans import clip
from readmark.text.analysers.registry import ANALYSER_PREFIX, analyser
from readmark.text.guidelines import ALONE, ENDINGS

LastWord = Callable[[Offsets], str | None]
"""The part of speech of the last word of a span, a UD tag; None where it is not known."""

_NO_ENDINGS = {
    **dict.fromkeys("的地得了着過过吗呢吧", "PART"),
    **dict.fromkeys("和与與或及", "CCONJ"),
    **dict.fromkeys("在从從向对對把被让讓给給于於", "ADP"),
    **dict.fromkeys("很也都就不没沒还還又再", "ADV"),
    **dict.fromkeys("是有会會能", "VERB"),
}
"""Chinese words that no noun phrase ends in."""
_SPOKEN_SYMBOLS = frozenset("%％‰$")


def ending_findings(
    id: str,
    text: str,
    layers: Layers,
    *,
    last_word: LastWord | None = None,
    called: str = "",
) -> Iterator[Finding]:
    """Noun phrases that do not end in a noun, pronoun or adjective.

    Parts of speech are those of the token layer, unless ``last_word`` gives others.
    """
    phrases = layers.get("np")
    last_word = last_word or _tagged(layers.get("token"))
    if phrases is None or last_word is None:
        return
    for start, end in phrases.spans:
        pos = last_word((start, end))
        is_one_word = not any(character.isspace() for character in text[start:end])
        if pos is not None and pos not in (ALONE if is_one_word else ENDINGS):
            yield (
                id,
                WarningCode("np_ending"),
                f"{called}the noun phrase {clip(text[start:end])!r} ends in {pos}, "
                "expected a noun, pronoun or adjective",
            )


def has_phrases_by_hand(layers: Layers) -> bool:
    """Whether people marked the noun phrases."""
    phrases = layers.get("np")
    return phrases is not None and not phrases.source.startswith(ANALYSER_PREFIX)


def untagged_last_word(text: str, layers: Layers, language: str) -> LastWord | None:
    """Parts of speech where people marked noun phrases on words that have none."""
    token = layers.get("token")
    if not has_phrases_by_hand(layers) or _tagged(token) is not None:
        return None
    return _by_words(text, token) if language == "zh" else _by_analyser(text, language)


def _tagged(token: Layer | None) -> LastWord | None:
    """The tags of a token layer that has them, by the end of the word."""
    tags = token.columns.get("pos", ()) if token is not None else ()
    if token is None or len(tags) != len(token.spans):
        return None
    by_end = dict(zip((end for _, end in token.spans), tags, strict=True))
    return lambda span: by_end.get(span[1])


def _by_words(text: str, token: Layer | None) -> LastWord | None:
    """The part of speech of Chinese words that end no noun phrase; nothing is said of others.

    An analyser would take many nouns for verbs: 拼写, 蒸发, 英文说明.
    """
    if token is None:
        return None
    by_end = {end: (start, _NO_ENDINGS.get(text[start:end])) for start, end in token.spans}

    def last_word(span: Offsets) -> str | None:
        start, pos = by_end.get(span[1], (0, None))
        return pos if span[0] < start else None  # 地 alone is the ground

    return last_word


@lru_cache(maxsize=256)  # the hall checks a text again with every change of a mark
def _by_analyser(text: str, language: str) -> LastWord | None:
    """What an analyser takes the last word of a span for; None where none is installed."""
    try:
        [analysis] = analyser(language).analyse([text], ("sentence", "token"))
    except (MissingExtra, UsageError):
        return None
    token = analysis.layers["token"]
    words = [  # end, start and part of speech; punctuation ends no phrase
        (end, start, "NOUN" if _is_used_as_noun(text[start:end], pos, tag) else pos)
        for (start, end), pos, tag in zip(
            token.spans, token.columns["pos"], token.columns["tag"], strict=True
        )
        if any(map(str.isalnum, text[start:end])) or text[start:end] in _SPOKEN_SYMBOLS
    ]

    def last_word(span: Offsets) -> str | None:
        index = bisect_right(words, span[1], key=lambda word: word[0]) - 1
        if index < 0 or words[index][1] < span[0]:
            return None
        _, start, pos = words[index]
        # A noun by itself is often taken for a verb: sun and shade.
        if pos == "VERB" and start == span[0]:
            return None
        # A phrase that ends within a word says nothing.
        is_cut = index + 1 < len(words) and words[index + 1][1] < span[1]
        return None if is_cut else pos

    return last_word


def _is_used_as_noun(word: str, pos: str, tag: str) -> bool:
    """A gerund (his swimming), nothing else, and words that are named: the word “hello”."""
    return tag == "VBG" or word.lower() == "else" or pos in ("INTJ", "X")
