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
_BEFORE = re.compile(rf"\W*{_LETTER}\s+(?P<words>\S.*)", re.DOTALL)
_BEHIND = re.compile(rf"(?P<words>.*\S)\s*[(（\[]{_LETTER}[)）\]]\W*", re.DOTALL)
_CLAUSE = re.compile(r"[,.;:!?，。；：！？\n]+")
_JOINED = r"(?:\band\b|\bor\b|和|或者|或|与|及|还是|、|/|&|\+)\s*"


def options_meant(
    reply: str, options: Sequence[str], order: Sequence[int] | None = None
) -> tuple[int, ...]:
    """The places of the option that is meant, several only where their texts are equal.

    A text that is no option may be a letter, with or without the option's words or a reason, or
    say which letter the answer is; letters are of ``order`` where options were shown in another.
    Nothing comes back for what is neither, names several, or contradicts itself.
    """
    same = options_worded(reply, options)
    if same:
        return same
    if order is not None and sorted(order) != [*range(len(options))]:
        return ()
    shown = [options[at] for at in order] if order is not None else options
    at = _by_letter(reply, shown)
    if at is None:
        return ()
    return (order[at] if order is not None else at,)


def options_worded(reply: str, options: Sequence[str]) -> tuple[int, ...]:
    """The places of the option whose words these are, whatever order the options are in."""
    plain = reply.strip()
    if not plain:
        return ()
    exact = options_exactly(plain, options)
    if exact:
        return exact
    sought = _spelt(plain)
    same = tuple(
        index for index, option in enumerate(options) if sought and _spelt(option) == sought
    )
    # Options that differ in no more than their punctuation are distinguished by it alone.
    return same if len({options[at].strip() for at in same}) == 1 else ()


def options_exactly(text: str, options: Sequence[str]) -> tuple[int, ...]:
    """The places of the option that is this text, but for spaces around it."""
    sought = text.strip()
    return tuple(
        index for index, option in enumerate(options) if sought and option.strip() == sought
    )


def _by_letter(reply: str, options: Sequence[str]) -> int | None:
    letters, rest = letters_and_rest(reply, options)
    if len(letters) == 1:
        return letters[0] if agrees(letters[0], rest, options) else None
    if letters:
        return None
    # A letter with nothing between it and the words, or behind them: they must be its option's.
    plain = reply.strip()
    for form in (_BEFORE, _BEHIND):
        match = form.fullmatch(plain)
        if match is not None:
            at = ord(unicodedata.normalize("NFKC", match["letter"]).upper()) - ord("A")
            if at in options_worded(match["words"], options):
                return at
    return None


def agrees(index: int, rest: str, options: Sequence[str]) -> bool:
    """Whether what follows a letter is not another option, nor its own joined with another."""
    exact = options_worded(rest, options)
    if exact:
        return index in exact
    for clause in _CLAUSE.split(rest):
        words = options_worded(clause, options)
        if words and index not in words:
            return False
    own = options[index].strip()
    others = {option.strip() for option in options} - {own, ""}
    left = rest.replace(unicodedata.normalize("NFKC", own), " ") if own else rest
    return not any(_is_joined(other, left) for other in others)


def _is_joined(option: str, rest: str) -> bool:
    """Whether an option occurs in a text next to ``and``, ``or`` and the like."""
    words = re.escape(unicodedata.normalize("NFKC", option))
    for match in re.finditer(rf"{_JOINED}({words})|({words})\s*{_JOINED}", rest, re.IGNORECASE):
        span = match.span(match.lastindex or 1)
        if is_whole(rest, span) and not is_denied(rest, span[0]):
            return True
    return False


@functools.lru_cache(maxsize=2**14)
def _spelt(text: str) -> str:
    return folded_with_places(text)[0]
