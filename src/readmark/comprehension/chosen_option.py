"""Which option a model's reply chooses: by a letter, by the option's words, or by naming it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from readmark.core.errors import DataError
from readmark.llm import unquoted
from readmark.text.answers.option_letters import LETTERS, is_denied, letters_and_rest
from readmark.text.answers.options import agrees, options_worded
from readmark.text.folding import folded
from readmark.text.word_edges import cuts_word

_BARE_LETTER = re.compile(r"[(\[{*]*([A-Z])[)\]}.。:、,*]*", re.ASCII | re.IGNORECASE)
_CLAUSE_END = re.compile(r"[,.;:!?，。；：！？\n][\W_]*")
_GAPS = re.compile(r"[^\w,]+|_+")


def letters_for(options: Sequence[str]) -> str:
    """The letters that a prompt gives to options."""
    if len(options) > len(LETTERS):
        raise DataError(f"{len(options)} options are more than there are letters")
    return LETTERS[: len(options)]


def chosen_option(reply: str, options: Sequence[str]) -> int | None:
    """The index of the option that a reply chooses; None if it chooses none, or several.

    A letter alone is the letter that the prompt asked for, even if options are themselves letters.
    """
    text = unquoted(unicodedata.normalize("NFKC", reply))
    if not text:
        return None
    letters = letters_for(options)
    bare = _BARE_LETTER.fullmatch(text)
    if bare is not None and bare[1].upper() in letters:
        return letters.index(bare[1].upper())
    # The option's own words: first as spelt, for options may differ in punctuation alone.
    for spelling in (_plain, folded):
        equal = [
            index
            for index, option in enumerate(options)
            if spelling(option) and spelling(option) == spelling(text)
        ]
        if len(equal) == 1:
            return equal[0]
    # Not ``text``: it reads ①, which NFKC would turn into the figure 1.
    lettered, rest = letters_and_rest(unquoted(reply), options)
    if lettered:
        if len(lettered) > 1:
            return None
        index = lettered[0]
        below = options_worded(text.partition("\n")[2], options)
        contradicts = not agrees(index, rest, options) or (below and index not in below)
        return None if contradicts else index
    named = _named_options(text, options)
    return named[0] if len(named) == 1 else None


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().casefold()


def _named_options(reply: str, options: Sequence[str]) -> list[int]:
    """The options that are named and not denied, without those that are part of another's name."""
    within = _words(reply)
    worded = {index: words for index, option in enumerate(options) if (words := _words(option))}
    named = [index for index, words in worded.items() if _is_affirmed(words, within)]
    return [
        index
        for index in named
        if not any(other != index and worded[index] in worded[other] for other in named)
    ]


def _words(text: str) -> str:
    """The words of a text with one blank between them, and a comma where a clause ends."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'").replace("n't", " not")
    return _GAPS.sub(" ", _CLAUSE_END.sub(" , ", plain)).strip(" ,")


def _is_affirmed(words: str, within: str) -> bool:
    """Whether words occur whole, at least once without a denial before them."""
    start = within.find(words)
    while start >= 0:
        end = start + len(words)
        if not (cuts_word(within, start) or cuts_word(within, end) or is_denied(within, start)):
            return True
        start = within.find(words, end)
    return False
