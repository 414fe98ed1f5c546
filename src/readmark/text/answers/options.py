"""Which option of a multiple-choice question an answer means: by its words, else by its letter."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Sequence

from readmark.text.answers.option_letters import is_denied, letters_and_rest
from readmark.text.folding import folded_with_places
from readmark.text.word_edges import is_whole

RULES = "options-2"
"""The version of these rules, for signatures."""

_LETTER = r"(?P<letter>[A-Za-zＡ-Ｚａ-ｚ])"
_BEFORE_WORDS = re.compile(rf"\W*{_LETTER}\s+(?P<words>\S.*)", re.DOTALL)
_AFTER_WORDS = re.compile(rf"(?P<words>.*\S)\s*[(（\[]{_LETTER}[)）\]]\W*", re.DOTALL)
_CLAUSE = re.compile(r"[,.;:!?，。；：！？\n]+")
_AND_OR = r"(?:\band\b|\bor\b|和|或者|或|与|及|还是|、|/|&|\+)\s*"


def options_meant(
    reply: str, options: Sequence[str], order: Sequence[int] | None = None
) -> tuple[int, ...]:
    """The places of the option that is meant, several only where their texts are equal.

    A text that is not an option may be a letter, with or without the option's words or a reason,
    or say which letter the answer is; letters are of ``order`` where options were shown in
    another. Nothing comes back for what is neither, names several, or contradicts itself.
    """
    worded = options_worded(reply, options)
    if worded:
        return worded
    order = range(len(options)) if order is None else order
    if sorted(order) != [*range(len(options))]:
        return ()
    index = _by_letter(reply, [options[place] for place in order])
    return () if index is None else (order[index],)


def options_worded(reply: str, options: Sequence[str]) -> tuple[int, ...]:
    """The places of the option whose words these are, whatever order the options are in."""
    plain = reply.strip()
    if not plain:
        return ()
    exact = options_exactly(plain, options)
    if exact:
        return exact
    spelling = _spelling(plain)
    same = tuple(
        index for index, option in enumerate(options) if spelling and _spelling(option) == spelling
    )
    # Options that differ in no more than their punctuation are distinguished by it alone.
    return same if len({options[index].strip() for index in same}) == 1 else ()


def options_exactly(text: str, options: Sequence[str]) -> tuple[int, ...]:
    """The places of the option that is this text, but for spaces around it."""
    words = text.strip()
    return tuple(index for index, option in enumerate(options) if words and option.strip() == words)


def _by_letter(reply: str, options: Sequence[str]) -> int | None:
    letters, rest = letters_and_rest(reply, options)
    if len(letters) == 1:
        return letters[0] if agrees(letters[0], rest, options) else None
    if letters:
        return None
    # A letter with nothing between it and the words, or after them: they must be its option's.
    plain = reply.strip()
    for form in (_BEFORE_WORDS, _AFTER_WORDS):
        match = form.fullmatch(plain)
        if match is not None:
            index = ord(unicodedata.normalize("NFKC", match["letter"]).upper()) - ord("A")
            if index in options_worded(match["words"], options):
                return index
    return None


def agrees(index: int, rest: str, options: Sequence[str]) -> bool:
    """Whether what follows a letter is not another option, nor its option joined with another."""
    worded = options_worded(rest, options)
    if worded:
        return index in worded
    for clause in _CLAUSE.split(rest):
        worded = options_worded(clause, options)
        if worded and index not in worded:
            return False
    option = options[index].strip()
    others = {other.strip() for other in options} - {option, ""}
    if option:
        rest = rest.replace(unicodedata.normalize("NFKC", option), " ")
    return not any(_is_joined(other, rest) for other in others)


def _is_joined(option: str, rest: str) -> bool:
    """Whether an option occurs in a text next to ``and``, ``or`` and the like."""
    words = re.escape(unicodedata.normalize("NFKC", option))
    for match in re.finditer(rf"{_AND_OR}({words})|({words})\s*{_AND_OR}", rest, re.IGNORECASE):
        span = match.span(match.lastindex or 1)
        if is_whole(rest, span) and not is_denied(rest, span[0]):
            return True
    return False


@functools.lru_cache(maxsize=2**14)
def _spelling(text: str) -> str:
    return folded_with_places(text)[0]
