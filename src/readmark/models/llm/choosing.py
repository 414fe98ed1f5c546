"""Which option a model meant: by a letter, by the option's words, or by naming it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from readmark.corpus.errors import DataError
from readmark.models.llm.saying import unquoted
from readmark.text.folding import folded
from readmark.text.word_edges import cuts_word

OPTION_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BARE = re.compile(r"[(\[{*]*([A-Z])[)\]}.。:、,*]*", re.ASCII | re.IGNORECASE)
_FIRST = re.compile(
    r"[(\[*]*(?:([A-Z])(?=[.。:、,*\s]*\n|[)\].。:、,*]|\s+(?:[-–—]|(?:is|because|as|since)\b))"
    r"|([a-z])(?=[)\].:]))[)\].。:、,*]*(.*)",
    re.ASCII | re.DOTALL,
)
_LETTER = r"[ \t]{0,4}:?[ \t]{0,4}[(\[\"'“*]{0,3}([A-Z])(?![A-Za-z0-9'])"
_CHOSEN = re.compile(
    r"(?:\b[Aa]nswer(?: is| would be)?|\b(?:[Cc]hoose|[Pp]ick|[Ss]elect)(?: option)?"
    rf"|答案(?:应该|应)?[是为选]?|选择?(?:项|的是)?){_LETTER}",
    re.ASCII,
)
_NAMED = re.compile(
    rf"(?:\b[Oo]ption|\b[Cc]hoice|选项){_LETTER}|(?<![A-Za-z0-9])([A-Z])[ \t]{{0,4}}(?:选项|项)",
    re.ASCII,
)
_LISTED = re.compile(
    r"[ \t]{0,4}(?:,|/|、|\+|&|\band\b|\bor\b|和|或|与)[ \t]{0,4}(?:[Oo]ption )?"
    r"([A-Z])(?![A-Za-z0-9'])",
    re.ASCII,
)
_A_WORD = re.compile(r" (?!(?:is|as|because|since|and|or)\b)[a-z]")
_IS_WRONG = re.compile(
    r"[)\]\"'”*]{0,3}[ ]?(?:(?:is|was|cannot|can't)(?: not|n't| be| wrong| incorrect| false){1,2}"
    r"|选?项?(?:是|并)?(?:不是|不对|不正确|错))"
)
_NOT = re.compile(
    r"(?:\b(?:not|never|neither|nor|no|without|except|instead of|rather than)"
    r"|不是|不会|不能|不应该|不应|不该|不可|并非|没有|而非|除了|不|没|非)[\s\"'“‘(]*(?:\w+ ){0,2}$",
    re.IGNORECASE,
)
_BEFORE = 40
"""How far before an option's name a word that denies it is sought."""
_CLAUSE = re.compile(r"[,.;:!?，。；：！？\n][\W_]*")
_GAPS = re.compile(r"[^\w,]+|_+")


def letters_for(options: Sequence[str]) -> str:
    """The letters that options go by."""
    if len(options) > len(OPTION_LETTERS):
        raise DataError(f"{len(options)} options are more than there are letters")
    return OPTION_LETTERS[: len(options)]


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
        same = [at for at, one in enumerate(options) if spelt(one) and spelt(one) == spelt(text)]
        if len(same) == 1:
            return same[0]
    first = _FIRST.match(text)
    if first is not None and (letter := (first[1] or first[2]).upper()) in letters:
        if _IS_WRONG.match(text, first.start(1 if first[1] else 2) + 1):
            return None
        return _agreed(letters.index(letter), first[3], options)
    for cue in (_CHOSEN, _NAMED):
        cued = set(_letters(cue, text, letters))
        if cued:
            return cued.pop() if len(cued) == 1 else None
    named = _named(text, options)
    return named[0] if len(named) == 1 else None


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().casefold()


def _agreed(at: int, rest: str, options: Sequence[str]) -> int | None:
    """The option of a letter, unless another letter or another option's words follow it."""
    other = _BARE.fullmatch(rest.strip())
    if other is None:
        other = _LISTED.match(f",{rest}")
    if other is not None and other[1].upper() in OPTION_LETTERS[: len(options)]:
        return at if OPTION_LETTERS.index(other[1].upper()) == at else None
    spelt = folded(rest)
    same = [one for one, option in enumerate(options) if spelt and folded(option) == spelt]
    return at if not same or at in same else None


def _letters(cue: re.Pattern[str], text: str, letters: str) -> Iterator[int]:
    """The options whose letters follow a cue, with those that are listed after them."""
    for found in cue.finditer(text):
        group = found.lastindex or 1
        letter, end = found[group], found.end(group)
        if letter in "AI" and _A_WORD.match(text, end):
            continue  # an article or a pronoun
        denied = _is_denied(text, found.start()) or _is_denied(text, found.start(group))
        if denied or _IS_WRONG.match(text, end):
            continue
        while letter in letters:
            yield letters.index(letter)
            more = _LISTED.match(text, end)
            if more is None:
                break
            letter, end = more[1], more.end()


def _named(text: str, options: Sequence[str]) -> list[int]:
    """The options that are named and not denied, without those that are part of another's name."""
    within = _words(text)
    known = {at: words for at, one in enumerate(options) if (words := _words(one))}
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
        if not (cuts_word(within, at) or cuts_word(within, end) or _is_denied(within, at)):
            return True
        at = within.find(words, end)
    return False


def _is_denied(text: str, at: int) -> bool:
    return _NOT.search(text[max(0, at - _BEFORE) : at]) is not None
