"""Traditional Chinese as simplified, one for one or by OpenCC; and which of the two a text is in.

Unlike the one-for-one table of ``simplified``, OpenCC looks at words: 乾 in 乾隆 stays. Where its
words do not suffice, ``script_phrases`` decides: 著 or 着, 乾 or 干. The result is a new text, and
who keeps both can show what was changed.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING

from readmark.core.errors import UsageError
from readmark.core.records import Offsets
from readmark.text.script_phrases import PHRASES, dry_places, is_particle, staying_names

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_HAN_CHARACTER = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003347f]")


def is_han(sign: str) -> bool:
    """Whether a character is a Han character."""
    return _HAN_CHARACTER.match(sign) is not None


# Traditional characters as simplified ones, one for one: lengths and offsets stay as they are.


TABLE = "t2s"
"""How signatures name the table: OpenCC's, for single characters."""

_UNCONVERTED_NAMES = re.compile("干(?=[隆坤])")
"""乾 is 干 but in names that simplified texts write so too: 乾隆, 乾坤."""


def simplified(text: str) -> str:
    """The text in simplified characters; the text itself where none is traditional."""
    # Looking is several times as fast as translating, and most texts need no more.
    if _traditional().search(text) is None:
        return text
    import numpy as np

    table = _table()
    # Five times as fast as str.translate, which makes a string of every character.
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    found = table[points].tobytes().decode("utf-32-le", "surrogatepass")
    return _UNCONVERTED_NAMES.sub("乾", found) if "乾" in text else found


@functools.cache
def pairs() -> tuple[str, str]:
    """The traditional characters of the table, and what each of them becomes."""
    source = files("readmark.text").joinpath("data", "simplified.txt").read_text("utf-8")
    before, after = source.split()
    return before, after


@functools.cache
def _traditional() -> re.Pattern[str]:
    return re.compile(f"[{pairs()[0]}]")


@functools.cache
def _table() -> NDArray[np.uint32]:
    import numpy as np

    table = np.arange(sys.maxunicode + 1, dtype=np.uint32)
    before, after = pairs()
    table[list(map(ord, before))] = list(map(ord, after))
    return table


CONFIGURATION = "t2s"
BOTH = "乾徵昇陞谿脩氾夥吒拚捱摺榘菸薹袷醣麴麽"
"""Characters that OpenCC converts and simplified texts write too, most of all in names: 萧乾, 毕昇.
Of GB 2312, and those that the General Standard Chinese Characters of 2013 took up again."""
DENSE = 0.1
"""From this share of traditional characters on, a line is in traditional characters. Chosen by
looking at lines of the Chinese Wikipedia: most have none or 0.2 to 0.4, and some are mixed."""

_HAN = re.compile("[\u3400-\u9fff]")
_BOTH = re.compile(f"[{BOTH}]")
_BEYOND = re.compile("[\U00020000-\U0003347f]")
"""Characters outside the Basic Multilingual Plane, which fonts often lack."""


def traditional_in(text: str) -> str:
    """The traditional characters of a text, each once, in order."""
    if not _traditional().search(text) and not _BEYOND.search(text):
        return ""
    found = dict.fromkeys(_traditional().findall(text))
    if _BEYOND.search(text):
        found |= dict.fromkeys(_converted_beyond(_BEYOND.findall(text)))
    return "".join(found)


def has_traditional(text: str) -> bool:
    """Whether any character is one that OpenCC converts."""
    return _traditional().search(text) is not None or (
        _BEYOND.search(text) is not None and bool(traditional_in(text))
    )


def script_of(text: str) -> str:
    """``traditional`` where one character or more is, else ``simplified``."""
    return "traditional" if has_traditional(text) else "simplified"


def written_in_both(text: str) -> bool:
    """Whether a text has characters of ``BOTH``, so that the text around it matters."""
    return _BOTH.search(text) is not None


def is_dense(text: str) -> bool:
    """Whether a text is in traditional characters, and does not only hold some."""
    written = len(_HAN.findall(text))
    certain = len(_traditional().findall(text)) - len(_BOTH.findall(text))
    return certain > 0 and certain >= DENSE * written


def to_simplified(
    text: str, *, unconverted: Sequence[Offsets] = (), dense: bool | None = None
) -> str:
    """The text in simplified characters; the text itself where nothing changes.

    ``unconverted`` spans stay, and so does what OpenCC would move out of the basic plane.
    Characters of ``BOTH`` stay in lines that are not dense with traditional ones; ``dense`` says
    that of a title, which is too short to decide. 著 becomes 着 where it is the particle.
    """
    # Looking is many times as fast as converting.
    if not has_traditional(text) and "著" not in text:
        return text
    source = _by_phrases(text, unconverted, dense)
    if not unconverted and not _BOTH.search(source) and not _outside_plane().search(source):
        found = _converter()(source)
        return text if found == text else found
    parts: list[str] = []
    at = 0
    for start, end in _staying(source, unconverted, dense):
        if start > at:
            parts.append(_converter()(source[at:start]))
        parts.append(source[max(at, start) : end])
        at = max(at, end)
    parts.append(_converter()(source[at:]) if at < len(source) else "")
    found = "".join(parts)
    return text if found == text else found


def _by_phrases(text: str, unconverted: Sequence[Offsets], dense: bool | None) -> str:
    """The text with 着 for 著 and 干 for 乾 where the phrase decides; OpenCC leaves these two."""
    if "著" not in text and "乾" not in text:
        return text
    characters = list(text)
    offset = 0
    for line in text.split("\n"):
        traditional = is_dense(line) if dense is None else dense
        changes = dict.fromkeys(dry_places(line), "干")
        for match in re.finditer("著", line):
            if is_particle(line, match.start(), traditional=traditional):
                changes[match.start()] = "着"
        for place, character in changes.items():
            if not any(start <= offset + place < end for start, end in unconverted):
                characters[offset + place] = character
        offset += len(line) + 1
    return "".join(characters)


def _staying(text: str, unconverted: Iterable[Offsets], dense: bool | None) -> list[Offsets]:
    spans = sorted(unconverted)
    seen = list(text)
    for start, end in spans:  # unconverted text says nothing about the line around it
        seen[start:end] = " " * (end - start)
    leaving = (match.span() for match in _outside_plane().finditer(text))
    both = _both("".join(seen) if spans else text, dense)
    return sorted([*spans, *leaving, *both, *staying_names(text)])


def _both(text: str, dense: bool | None) -> Iterator[Offsets]:
    """Where characters of ``BOTH`` occur in lines of simplified text."""
    at = 0
    for line in text.split("\n"):
        if _BOTH.search(line) and not (is_dense(line) if dense is None else dense):
            yield from ((at + match.start(), at + match.end()) for match in _BOTH.finditer(line))
        at += len(line) + 1


def converter_name() -> str:
    """Which converter that is, for the record: library, version, configuration, phrase rules."""
    from importlib.metadata import version

    return f"opencc-{version('opencc')}({CONFIGURATION})+{PHRASES}"


@functools.cache
def _converter() -> Callable[[str], str]:
    try:
        from opencc import OpenCC
    except ImportError:
        raise UsageError(
            "simplified Chinese needs opencc: pip install opencc (see readmark doctor)"
        ) from None
    convert: Callable[[str], str] = OpenCC(CONFIGURATION).convert
    return convert


def _converted_beyond(characters: list[str]) -> list[str]:
    """Which of these characters OpenCC converts; none where it is not installed."""
    try:
        return [character for character in characters if _converter()(character) != character]
    except UsageError:
        return []


@functools.cache
def _outside_plane() -> re.Pattern[str]:
    """Characters of the Basic Multilingual Plane that OpenCC takes out of it."""
    before = [*map(chr, range(0x3400, 0x4DC0)), *map(chr, range(0x4E00, 0xA000))]
    after = _converter()("\n".join(before)).split("\n")
    found = (one for one, other in zip(before, after, strict=True) if _BEYOND.match(other))
    return re.compile(f"[{''.join(found)}]")
