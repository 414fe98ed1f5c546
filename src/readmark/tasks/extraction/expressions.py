"""The language of patterns: words, ``<lists of words>`` and ``{slots}``, as regular expressions.

They match a rendering of the text in which each entity, number and phrase is one token, such as
``⟦Team#3⟧``, and every token is followed by a space.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from readmark.core.errors import DataError, did_you_mean
from readmark.tasks.extraction.pattern_set import (
    BUILT_IN,
    DATE,
    NAME,
    NUMBER,
    USED,
    WORDS,
    YEAR,
    Expression,
    Slot,
)
from readmark.tasks.extraction.pattern_tables import PatternFile
from readmark.tasks.extraction.tokens import COUNTS, token_texts

_GAP = 8
"""How many words ``...`` skips at most."""
_WIDE_GAP = 30
"""How many words and chunks ``....`` skips at most."""
_MOST_WORDS = 6
"""How many words ``{slot:Words}`` takes at most."""
MOST_NESTED = 20  # lists of words within lists: with more, a list is made of itself

LEXER = re.compile(
    r"(?P<space>\s+)|(?P<gap>\.\.\.\.?\d*)|<(?P<words>[^<>{}]+)>"
    r"|\{(?:(?P<slot>[^\W\d]\w*):)?(?P<type>[^\W\d]\w*)\}"
    r"|(?P<mark>[()\[\]|*+^$/])|(?P<text>(?:\\.|[^\s<>{}()\[\]|*+^$/.\\]|\.(?!\.\.))+)"
)


class PatternNames:
    """The lists of words and the types that the patterns of a file may name."""

    def __init__(self, tables: PatternFile) -> None:
        self._lists = tables.words
        self._tables = tables.type
        self._types = {*BUILT_IN, *tables.type, *(phrase.type for phrase in tables.phrase)}
        self._named_by_capitals = frozenset(
            name for name, table in tables.type.items() if table.names or table.surnames
        )
        values = [name for name, table in tables.type.items() if not table.category]
        self._passed_over = "|".join(map(re.escape, (USED, NUMBER, YEAR, DATE, *values)))

    def list_of_words(self, name: str) -> str:
        """The alternatives of a list of words, in brackets."""
        if name not in self._lists:
            hint = did_you_mean(name, self._lists)
            raise DataError(f"there is no list of words <{name}>; {hint}")
        return "(" + " | ".join(self._lists[name]) + ")"

    def gap(self, text: str) -> str:
        """What ``...`` matches: words, and chunks that are no entities; ``....`` any chunk."""
        is_wide = text.startswith("....")
        most = int(text.lstrip(".") or (_WIDE_GAP if is_wide else _GAP))
        word = "[^ ]+ " if is_wide else rf"(?:[^ ⟦⟧]+|⟦(?:{self._passed_over})#[^⟧]*⟧) "
        return rf"(?:{word}){{0,{most}}}?"

    def chunk(self, type: str) -> str:
        """What a chunk of a type looks like in a rendering."""
        if type not in self._types:
            raise DataError(f"there is no type {{{type}}}; {did_you_mean(type, self._types)}")
        if type == WORDS:
            return rf"(?:[^ ⟦⟧]+ ){{1,{_MOST_WORDS}}}?"
        names = "|".join(map(re.escape, self.accepted(type)))
        chunk = rf"⟦(?:{names})#\d+[^⟧ ]*⟧ "
        if not self.takes_words(type):
            return chunk
        table = self._tables[type]
        ends = [
            "".join(f"{re.escape(word.lower())} " for word in token_texts(end))
            for end in table.ends
        ]
        least = 0 if ends else 1
        return rf"(?:{chunk}|(?:[^ ⟦⟧]+ ){{{least},{table.words}}}?(?:{'|'.join(ends)}))"

    def takes_words(self, type: str) -> bool:
        """Whether a slot of a type takes words too that no list knows."""
        return type in self._tables and bool(self._tables[type].words)

    def accepted(self, type: str) -> tuple[str, ...]:
        """The types of chunks that a slot of a type takes."""
        if type == NUMBER:
            return NUMBER, YEAR
        return (type, NAME) if type in self._named_by_capitals else (type,)


def compile_expression(text: str, names: PatternNames) -> Expression:
    """One pattern's text as an expression."""
    return _Compiler(names).compile(text)


class _Token(NamedTuple):
    """A word of the language: its kind, its text, and the name of a slot."""

    kind: str
    text: str
    slot: str = ""

    def is_mark(self, marks: str) -> bool:
        """Whether it is one of these signs."""
        return self.kind == "mark" and self.text in marks


class _Compiler:
    """Compiles one pattern's text; what it meets on the way is collected."""

    def __init__(self, names: PatternNames, depth: int = 0) -> None:
        self._names, self._depth = names, depth
        self._slots: list[Slot] = []
        self._repeats: list[tuple[str, Expression]] = []
        self._needed: list[frozenset[str]] = []
        self._groups = 0

    def compile(self, text: str) -> Expression:
        tokens = _tokens(text)
        slashes = [index for index, token in enumerate(tokens) if token.is_mark("/")]
        if len(slashes) > 1:
            raise DataError("there is more than one /")
        following: list[_Token] = []
        if slashes:
            tokens, following = tokens[: slashes[0]], tokens[slashes[0] + 1 :]
        source = self._whole(tokens)
        if not source:
            raise DataError("is empty")
        if following:
            source = f"(?:{source})(?={self._whole(following)})"
        return self._expression(source)

    def _expression(self, source: str) -> Expression:
        regex = re.compile(rf"(?<![^ ])(?:{source})")
        return Expression(regex, tuple(self._slots), tuple(self._repeats), tuple(self._needed))

    def _whole(self, tokens: Sequence[_Token]) -> str:
        source, end = self._alternatives(tokens, 0)
        if end < len(tokens):
            raise DataError(f"{tokens[end].text!r} without an opening bracket")
        return source

    def _alternatives(self, tokens: Sequence[_Token], index: int) -> tuple[str, int]:
        """The alternatives from a token on, and the index of the token after them."""
        parts: list[str] = []
        first_needed = len(self._needed)
        needed_by_parts: list[frozenset[str]] = []
        while True:
            start = len(self._needed)
            part, index = self._sequence(tokens, index)
            parts.append(part)
            needed_by_parts.append(min(self._needed[start:], key=len, default=frozenset()))
            if index == len(tokens) or not tokens[index].is_mark("|"):
                break
            index += 1
        if len(parts) == 1:
            return parts[0], index
        # One of the alternatives has to match, so only what each of them needs is needed.
        del self._needed[first_needed:]
        if all(needed_by_parts):
            self._needed.append(frozenset().union(*needed_by_parts))
        return "(?:" + "|".join(parts) + ")", index

    def _sequence(self, tokens: Sequence[_Token], index: int) -> tuple[str, int]:
        """What stands side by side up to a ``|`` or a closing bracket."""
        sources: list[str] = []
        while index < len(tokens) and not tokens[index].is_mark("|)]"):
            token = tokens[index]
            if token.is_mark("(["):
                source, index = self._bracketed(tokens, index)
                sources.append(source)
                continue
            index += 1
            if token.is_mark("*+"):
                raise DataError(f"{token.text} follows no bracket")
            if token.is_mark("/"):
                raise DataError("/ is in a bracket")
            match token.kind:
                case "mark":
                    sources.append(r"\A" if token.text == "^" else r"\Z")
                case "gap":
                    sources.append(self._names.gap(token.text))
                case "words":
                    sources.append(self._list_of_words(token.text.strip()))
                case "type":
                    sources.append(self._slot(token.text, token.slot))
                case _:
                    sources.append(self._literal(token.text))
        return "".join(sources), index

    def _bracketed(self, tokens: Sequence[_Token], index: int) -> tuple[str, int]:
        """A group, an optional part in ``[]``, or a group that is repeated by ``*`` or ``+``."""
        opening = tokens[index].text
        end = _closing(tokens, index)
        if end is None or tokens[end].text != (")" if opening == "(" else "]"):
            raise DataError(f"{opening!r} is never closed")
        is_repeated = end + 1 < len(tokens) and tokens[end + 1].is_mark("*+")
        if opening == "(" and is_repeated:
            # A regular expression keeps the groups of the last round only, so that each round is
            # matched again by an expression of its own.
            round_ = _Compiler(self._names, self._depth)
            source, _ = round_._alternatives(tokens[index + 1 : end], 0)
            self._groups += 1
            group = f"r{self._groups}"
            self._repeats.append((group, round_._expression(source)))
            without_groups = re.sub(r"\(\?P<\w+>", "(?:", source)
            return f"(?P<{group}>(?:{without_groups}){tokens[end + 1].text})", end + 2
        first_needed = len(self._needed)
        source, _ = self._alternatives(tokens, index + 1)
        if opening == "[":
            del self._needed[first_needed:]
            return f"(?:{source})?", end + 1
        return f"(?:{source})", end + 1

    def _list_of_words(self, name: str) -> str:
        if self._depth > MOST_NESTED:
            raise DataError(f"the list of words <{name}> is made of itself")
        nested = _Compiler(self._names, self._depth + 1)
        nested._groups = self._groups
        source, _ = nested._alternatives(_tokens(self._names.list_of_words(name)), 0)
        self._groups = nested._groups
        self._slots += nested._slots
        self._repeats += nested._repeats
        self._needed += nested._needed
        return source

    def _slot(self, type: str, name: str) -> str:
        chunk = self._names.chunk(type)
        self._groups += 1
        group = f"g{self._groups}"
        self._slots.append(Slot(group, name, type))
        if type != WORDS and not self._names.takes_words(type):
            self._needed.append(frozenset(self._names.accepted(type)))
        return f"(?P<{group}>{chunk})"

    def _literal(self, text: str) -> str:
        text = re.sub(r"\\(.)", r"\1", text)
        if text.endswith("~"):
            stems = token_texts(text[:-1])
            if len(stems) != 1:
                raise DataError(f"{text}: ~ follows one word")
            return rf"{re.escape(stems[0].lower())}[^ ⟦⟧]* "
        sources = []
        for token in map(str.lower, token_texts(text)):
            if token.isdecimal() or token in COUNTS:
                value = int(token) if token.isdecimal() else COUNTS[token]
                sources.append(rf"⟦(?:{NUMBER}|{YEAR})#\d+={value}⟧ ")
                self._needed.append(frozenset((NUMBER, YEAR)))
            else:
                sources.append(re.escape(token) + " ")
                self._needed.append(frozenset((token,)))
        return "".join(sources)


def _tokens(text: str) -> list[_Token]:
    tokens, offset = [], 0
    while offset < len(text):
        match = LEXER.match(text, offset)
        if match is None:
            raise DataError(f"unexpected {text[offset]!r}")
        if match["type"]:
            tokens.append(_Token("type", match["type"], match["slot"] or ""))
        elif match.lastgroup not in (None, "space"):
            tokens.append(_Token(str(match.lastgroup), match[str(match.lastgroup)]))
        offset = match.end()
    return tokens


def _closing(tokens: Sequence[_Token], start: int) -> int | None:
    """The index of the bracket that closes the one at ``start``."""
    depth = 0
    for index in range(start, len(tokens)):
        if tokens[index].is_mark("(["):
            depth += 1
        elif tokens[index].is_mark(")]"):
            depth -= 1
            if depth == 0:
                return index
    return None
