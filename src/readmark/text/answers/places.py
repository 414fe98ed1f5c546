"""Where an answer occurs in its passage: by its offsets, else wherever its words occur."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterator

from readmark.core.records import Answer, Offsets
from readmark.core.spans import answer_spans, places
from readmark.text.word_edges import cuts_letter, cuts_word, is_mark, is_whole

_DISTINCT_FORMS = ("<super>", "<sub>", "<fraction>", "<circle>")
"""Unicode's compatibility forms that are not their plain letters: 10² is not 102."""
_ALIKE = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛ʼ′`´", "'"),
        **dict.fromkeys("“”„‟″«»「」『』", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
    }
)
_MUCH_LONGER = 4
"""An answer that is so many times as long as the passage is not in it."""
_FIRST_LETTERS = 40
"""Letters of an answer among which a word must end: a passage of one word must not take minutes."""


def answer_places(text: str, answer: Answer, *, parts: bool = False) -> list[Offsets]:
    """Every place where an answer may occur; none where its words are not in the passage.

    Offsets that point at the words give the one place, and offsets that are astray the nearest.
    Without any it is every place of the words, as they are or but for spaces, capitals, width,
    forms of quotation marks and dashes, and ways to write one letter. Where they are nowhere whole
    words, it is where their edge cuts one. A part of one word is no place for it, unless ``parts``
    are asked for: then half of the word or more is, from its beginning or up to its end.
    """
    if answer.start is not None:
        spans = list(answer_spans(text, [answer]))
        if spans:
            return spans
    words = answer.text.strip()
    if not words:
        return []
    exact = [(place, place + len(words)) for place in places(text, words)]
    whole = [span for span in exact if is_whole(text, span)]
    if whole:
        return whole
    loose = _loose_places(text, words)
    whole = [span for span in loose if is_whole(text, span)]
    for candidates in (whole, exact, loose):
        spans = [span for span in candidates if _is_enough(text, span, parts=parts)]
        if spans:
            return spans
    return []


def _is_enough(text: str, span: Offsets, *, parts: bool) -> bool:
    """Whether a stretch cuts no letter, and is more than a part of one word, or half of it."""
    if any(cuts_letter(text, edge) for edge in span):
        return False
    start, end = span
    inside = range(start + 1, min(end, start + _FIRST_LETTERS))
    if is_whole(text, span) or not all(cuts_word(text, place) for place in inside):
        return True
    if not parts or (cuts_word(text, start) and cuts_word(text, end)):
        return False
    while cuts_word(text, start):
        start -= 1
    while cuts_word(text, end):
        end += 1
    return 2 * (span[1] - span[0]) >= end - start


def _loose_places(text: str, words: str) -> list[Offsets]:
    """Places but for spaces and spelling: predictions are often put together of tokens."""
    words = "".join(words.split())
    if len(words) > _MUCH_LONGER * len(text) + _MUCH_LONGER:
        return []
    spelling, letters = _spelling(text)
    pattern = "".join(character for character, _ in _spelt_characters(words))
    spans = []
    for place in places(spelling, pattern):
        last = place + len(pattern) - 1
        # One letter of the text may be spelt with two: no place begins or ends between them.
        begins_letter = place == 0 or letters[place - 1] != letters[place]
        ends_letter = last + 1 == len(letters) or letters[last + 1] != letters[last]
        if begins_letter and ends_letter:
            spans.append((letters[place][0], letters[last][1]))
    return spans


@functools.lru_cache(maxsize=4)
def _spelling(text: str) -> tuple[str, list[Offsets]]:
    """A text's spelling without spaces, and where the letter occurs that each character is of."""
    characters, letters = [], []
    for character, letter in _spelt_characters(text):
        characters.append(character)
        letters.append(letter)
    return "".join(characters), letters


def _spelt_characters(text: str) -> Iterator[tuple[str, Offsets]]:
    """The characters of a text's spelling, each with its letter and the letter's marks."""
    start = 0
    while start < len(text):
        end = start + 1
        while end < len(text) and is_mark(text[end]):
            end += 1
        for character in _letter_spelling(text[start:end]):
            yield character, (start, end)
        start = end


@functools.lru_cache(maxsize=4096)
def _letter_spelling(letter: str) -> str:
    """A letter in small letters of common width; nothing of a space or what is unseen."""
    if unicodedata.decomposition(letter[0]).startswith(_DISTINCT_FORMS):
        return letter
    plain = unicodedata.normalize("NFKD", letter).casefold().translate(_ALIKE)
    return "".join(
        character
        for character in plain
        if not character.isspace()
        and unicodedata.category(character) != "Cf"
        and not "\ufe00" <= character <= "\ufe0f"  # variation selectors
    )
