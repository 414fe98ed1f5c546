"""Which option a model meant: by a letter, by the option's words, or by naming it."""

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

_BARE = re.compile(r"[(\[{*]*([A-Z])[)\]}.。:、,*]*", re.ASCII | re.IGNORECASE)
_CLAUSE = re.compile(r"[,.;:!?，。；：！？\n][\W_]*")
_GAPS = re.compile(r"[^\w,]+|_+")


def letters_for(options: Sequence[str]) -> str:
    """The letters that options go by."""
    if len(options) > len(LETTERS):
        raise DataError(f"{len(options)} options are more than there are letters")
    return LETTERS[: len(options)]


def chosen_option(said: str, options: Sequence[str]) -> int | None:
    """Which option was meant; None where it is none of them, or more than one.

    A letter by itself is the letter that was asked for, even where options are letters.
    """
    text = unquoted(unicodedata.normalize("NFKC", said))
    if not text:
        return None
    letters = letters_for(options)
    bare = _BARE.fullmatch(text)
    if bare is not None and bare[1].upper() in letters:
        return letters.index(bare[1].upper())
    for spelt in (_plain, folded):
        same = [
            index
            for index, option in enumerate(options)
            if spelt(option) and spelt(option) == spelt(text)
        ]
        if len(same) == 1:
            return same[0]
    meant, rest = letters_and_rest(unquoted(said), options)  # it reads ①, which is 1 in ``text``
    if meant:
        return meant[0] if len(meant) == 1 and _agreed(meant[0], text, rest, options) else None
    named = _named(text, options)
    return named[0] if len(named) == 1 else None


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().casefold()


def _agreed(at: int, text: str, rest: str, options: Sequence[str]) -> bool:
    """Whether no other option's words follow a letter, on its line or as all that is below."""
    below = options_worded(text.partition("\n")[2], options)
    return agrees(at, rest, options) and (not below or at in below)


def _named(text: str, options: Sequence[str]) -> list[int]:
    """The options that are named and not denied, without those that are part of another's name."""
    within = _words(text)
    known = {index: words for index, option in enumerate(options) if (words := _words(option))}
    held = [at for at, words in known.items() if _stands(words, within)]
    return [
        at for at in held if not any(other != at and known[at] in known[other] for other in held)
    ]


def _words(text: str) -> str:
    """The words of a text with one blank between them, and a comma where a clause ends."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'").replace("n't", " not")
    return _GAPS.sub(" ", _CLAUSE.sub(" , ", plain)).strip(" ,")


def _stands(words: str, within: str) -> bool:
    at = within.find(words)
    while at >= 0:
        end = at + len(words)
        if not (cuts_word(within, at) or cuts_word(within, end) or is_denied(within, at)):
            return True
        at = within.find(words, end)
    return False
