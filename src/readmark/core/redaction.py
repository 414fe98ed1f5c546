"""Striking secrets out of text, in whatever spelling they appear there.

A secret is recognised by any eight characters of it in a row, so a text that was cut in the middle
of a key is as safe as a whole one. The text is read in several ways: as it is, and with JSON or
Python escapes, percent-encoding, HTML entities and quoted-printable decoded, also when nested.
Case, white space and invisible characters never count. Base64 and hexadecimal spellings of a secret
are recognised too, wherever they begin in a longer encoded text.
"""

from __future__ import annotations

import base64
import html
import logging
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import islice
from traceback import format_exception
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

MARK = "[key]"
RUN = 8
"""Characters of a secret in a row that are never shown."""
_SHORTEST = 4
"""Characters of the shortest secret that is struck out: a shorter one is in any ordinary text."""
_LONGEST = 1 << 18
"""Characters of a text beyond which all of it is struck out, not only the secret in it."""
_BEFORE_CUT = 1 << 14
"""Characters of a message that are read before it is cut to its length."""
_NESTED = 4
"""Encodings inside each other that are decoded."""
_READINGS = 64
"""Ways in which a text is read at most: each encoding doubles them."""


class Secrets:
    """A set of secrets to strike out: keys, tokens, passwords. Its repr does not show them."""

    def __init__(self, *secrets: str | None) -> None:
        distinct = dict.fromkeys(_without_gaps(secret) for secret in secrets if secret)
        self._forms = [form for secret in distinct if len(secret) >= RUN for form in _forms(secret)]
        self._short = [_folded(secret) for secret in distinct if _SHORTEST <= len(secret) < RUN]

    def __bool__(self) -> bool:
        return bool(self._forms or self._short)

    def __repr__(self) -> str:
        return "Secrets(...)" if self else "Secrets()"

    def strike_out(self, text: str | bytes) -> str:
        """The text with every trace of a secret replaced by ``[key]``."""
        clear = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
        if not self:
            return clear
        # Text around a mark may spell a secret that contains the mark's characters: look again.
        while len(struck := self._struck_once(clear)) < len(clear):
            clear = struck
        return struck

    def one_line(self, text: str | bytes, longest: int) -> str:
        """The text in one line without secrets, cut to a length only after they are struck out."""
        return " ".join(self.strike_out(text[:_BEFORE_CUT]).split())[:longest]

    def describe(self, error: BaseException, longest: int) -> str:
        """An exception's message in one line without secrets; its type if it has no message."""
        return self.one_line(str(error), longest) or type(error).__name__

    def clean_record(self, record: logging.LogRecord) -> bool:
        """A filter for loggers: the record is kept, its message and traceback without secrets."""
        record.msg, record.args = self.strike_out(record.getMessage()), ()
        if record.exc_info and record.exc_info[0] is not None:
            record.exc_text = self.strike_out("".join(format_exception(*record.exc_info)).rstrip())
            record.exc_info = None
        return True

    def _struck_once(self, text: str) -> str:
        spans: list[tuple[int, int]] = []
        for reading in _readings(text):
            spans += (reading.place(*span) for span in self._runs(reading.folded))
            places = (reading.place(*span) for span in self._short_runs(reading.folded))
            spans += (place for place in places if _is_word(text, *place))
            if spans and len(text) > _LONGEST:
                return MARK
        return _replaced(text, spans)

    def _runs(self, folded: str) -> Iterator[tuple[int, int]]:
        for form in self._forms:
            for seed in form.seeds:
                for occurrence in _occurrences(seed, folded):
                    for start in range(
                        max(0, occurrence + len(seed) - form.length), occurrence + 1
                    ):
                        end = start + form.length
                        if folded[start:end] in form.runs:
                            yield start, end

    def _short_runs(self, folded: str) -> Iterator[tuple[int, int]]:
        for secret in self._short:
            for start in _occurrences(secret, folded):
                yield start, start + len(secret)


NO_SECRETS = Secrets()


def credentials(address: str | None) -> tuple[str, ...]:
    """The user and password in an address, as they are written there and as they are sent."""
    try:
        parts = urlsplit(address or "")
        user, password = parts.username or "", parts.password or ""
    except ValueError:
        return ()
    written = f"{user}:{password}" if password else user
    return written, unquote(written), password, unquote(password)


def hide_credentials(text: str) -> str:
    """A text without the user, password, query and fragment of the addresses in it."""
    return _ADDRESS.sub(r"\1\2", text)


_ADDRESS = re.compile(r"(\w://)(?:[^\s\"']*@)?([^\s?#\"']*)(?:[?#][^\s\"']*)?")


class _Form(NamedTuple):
    """One spelling of a secret: the runs that give it away, and pieces that each run contains."""

    length: int
    runs: frozenset[str]
    seeds: tuple[str, ...]


def _forms(secret: str) -> Iterator[_Form]:
    data = secret.encode("utf-8", "replace")
    yield _form(_folded(secret), RUN)
    yield _form(data.hex(), 2 * RUN)
    for before in range(3):
        digits = base64.b64encode(bytes(before) + data).decode()
        # Only digits that hold no bit of another byte are the same whatever is around the secret.
        inner = digits[-(-8 * before // 6) : 8 * (before + len(data)) // 6]
        yield _form(_folded(inner), 8 * RUN // 6)


def _form(spelling: str, length: int) -> _Form:
    size = length // 2
    step = length - size + 1
    seeds = [spelling[index : index + size] for index in range(0, len(spelling) - size + 1, step)]
    runs = (spelling[index : index + length] for index in range(len(spelling) - length + 1))
    return _Form(length, frozenset(runs), tuple(dict.fromkeys(seeds)))


class _Spelling(NamedTuple):
    """A way to write a character: what it looks like, and what it means."""

    pattern: re.Pattern[str]
    meaning: Callable[[re.Match[str]], str] | None
    """None where it means no character."""

    def read(self, match: re.Match[str]) -> str:
        return _without_gaps(self.meaning(match)) if self.meaning is not None else ""

    def decode(self, text: str) -> str:
        return self.pattern.sub(self.read if self.meaning is not None else "", text)


def _escaped(match: re.Match[str]) -> str:
    if match["sign"] or match.lastgroup is None:
        return match["sign"] or ""
    base = 8 if match.lastgroup == "octal" else 16
    return chr(min(int(match[match.lastgroup], base), 0x10FFFF))


def _numbered(match: re.Match[str]) -> str:
    return chr(int(match[1], 16))


_BLANK = r"[\s\x00-\x1f\x7f-\xa0\xad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]"
_GAPS = _Spelling(re.compile(f"{_BLANK}+"), None)
_SOFT_BREAKS = _Spelling(re.compile(f"(?:=\r?\n|{_BLANK})+"), None)
_SPELLINGS = (
    _Spelling(
        re.compile(
            r"\\(?:u\{(?P<braced>[0-9a-f]{1,6})\}|u(?P<four>[0-9a-f]{4})|x(?P<two>[0-9a-f]{2})"
            r"|(?P<octal>[0-3][0-7]{2})|[nrtbfv]|(?P<sign>[^0-9a-z]))",
            re.IGNORECASE,
        ),
        _escaped,
    ),
    _Spelling(re.compile(r"%(?:u00)?([0-9a-f]{2})", re.IGNORECASE), _numbered),
    _Spelling(
        re.compile(r"&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});?", re.IGNORECASE),
        lambda match: html.unescape(match[0]),
    ),
    _Spelling(re.compile(r"=([0-9A-F]{2})"), _numbered),
)


class _Reading:
    """A text with one spelling decoded, which may itself be such a reading of another."""

    def __init__(self, source: str | _Reading, spelling: _Spelling) -> None:
        self._source, self._spelling = source, spelling
        self._before: str = source if isinstance(source, str) else source.text
        self.text: str = spelling.decode(self._before)

    @cached_property
    def folded(self) -> str:
        return _folded(self.text)

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of this reading is in the text that it was made from."""
        starts, ends = self._origins
        place = starts[start], ends[end - 1]
        return place if isinstance(self._source, str) else self._source.place(*place)

    @cached_property
    def _origins(self) -> tuple[list[int], list[int]]:
        """Where each character's spelling begins and ends in the source."""
        starts: list[int] = []
        ends: list[int] = []
        plain = 0  # where unencoded text begins
        for match in self._spelling.pattern.finditer(self._before):
            starts += range(plain, match.start())
            ends += range(plain + 1, match.start() + 1)
            plain = match.end()
            size = len(self._spelling.read(match))
            starts += [match.start()] * size
            ends += [plain] * size
        starts += range(plain, len(self._before))
        ends += range(plain + 1, len(self._before) + 1)
        return starts, ends


def _readings(text: str) -> Iterator[_Reading]:
    """The text as it is, then with spellings decoded one after another in every order."""
    last = [_Reading(text, _GAPS)]
    if "=\n" in text or "=\r\n" in text:
        last.append(_Reading(text, _SOFT_BREAKS))
    seen: set[str] = set()
    for _ in range(_NESTED + 1):
        new = {reading.text: reading for reading in last if reading.text not in seen}
        yield from new.values()
        seen |= new.keys()
        last = [
            _Reading(reading, spelling)
            for reading in islice(new.values(), max(0, _READINGS - len(seen)))
            for spelling in _SPELLINGS
            if spelling.pattern.search(reading.text)
        ]


_WIDE = re.compile("[\uff01-\uff5e\u2010-\u2015\u2212\u0130]")


def _folded(text: str) -> str:
    """A text without differences of case, width and dashes, as long as it was."""
    if not text.isascii():
        text = _WIDE.sub(_narrow, text)
    return text.lower().replace("-", "+").replace("_", "/")


def _narrow(match: re.Match[str]) -> str:
    sign = match[0]
    if sign == "\u0130":  # the one letter whose lower case is two characters
        return "i"
    return chr(ord(sign) - 0xFEE0) if sign >= "\uff01" else "-"


def _without_gaps(text: str) -> str:
    return _GAPS.pattern.sub("", text)


def _occurrences(piece: str, text: str) -> Iterator[int]:
    index = text.find(piece)
    while index >= 0:
        yield index
        index = text.find(piece, index + 1)


def _is_word(text: str, start: int, end: int) -> bool:
    around = text[max(0, start - 1) : start] + text[end : end + 1]
    return not any(map(str.isalnum, around)) and not _GAPS.pattern.search(text, start, end)


def _replaced(text: str, spans: Iterable[tuple[int, int]]) -> str:
    pieces: list[str] = []
    struck_to = 0
    for start, end in sorted(spans):
        if start > struck_to or not pieces:
            pieces += [text[struck_to:start], MARK]
        struck_to = max(struck_to, end)
    return "".join((*pieces, text[struck_to:]))
