"""Traditional Chinese converted to simplified by OpenCC, and which of the two a text is in.

Unlike the table of ``script``, OpenCC looks at words: 乾 in 乾隆 stays. Where its words do not
suffice, ``script_phrases`` decides: 著 or 着, 乾 or 干. The result is a new text; a caller that
keeps both can show what was changed.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence

from readmark.core.errors import UsageError
from readmark.core.records import Offsets
from readmark.text.script import traditional_pattern
from readmark.text.script_phrases import PHRASES, dry_places, is_particle, staying_names

CONFIGURATION = "t2s"
"""OpenCC's configuration that converts from traditional to simplified characters alone, not the
vocabulary of Taiwan to that of the mainland."""
BOTH = "乾徵昇陞谿脩氾夥吒拚捱摺榘菸薹袷醣麴麽"
"""Characters that OpenCC converts and simplified texts write too, most of all in names: 萧乾, 毕昇.
They are in GB 2312, or the General Standard Chinese Characters of 2013 took them up again."""
DENSE = 0.1
"""From this share of traditional characters on, a line is in traditional characters. Chosen by
looking at lines of the Chinese Wikipedia: most have none or 0.2 to 0.4, and some are mixed."""

_HAN = re.compile("[\u3400-\u9fff]")
_BOTH = re.compile(f"[{BOTH}]")
_BEYOND = re.compile("[\U00020000-\U0003347f]")
"""Characters outside the Basic Multilingual Plane, which fonts often lack."""


def script_of(text: str) -> str:
    """``traditional`` where one character or more is, else ``simplified``."""
    return "traditional" if has_traditional(text) else "simplified"


def has_traditional(text: str) -> bool:
    """Whether any character is one that OpenCC converts."""
    return traditional_pattern().search(text) is not None or (
        _BEYOND.search(text) is not None and bool(traditional_in(text))
    )


def traditional_in(text: str) -> str:
    """The traditional characters of a text, each once, in order."""
    characters = dict.fromkeys(traditional_pattern().findall(text))
    if beyond := _BEYOND.findall(text):
        characters |= dict.fromkeys(_convertible(beyond))
    return "".join(characters)


def written_in_both(text: str) -> bool:
    """Whether a text has characters of ``BOTH``, so that the text around it matters."""
    return _BOTH.search(text) is not None


def is_dense(text: str) -> bool:
    """Whether a text is written in traditional characters, rather than quoting a few."""
    han = len(_HAN.findall(text))
    surely_traditional = len(traditional_pattern().findall(text)) - len(_BOTH.findall(text))
    return surely_traditional > 0 and surely_traditional >= DENSE * han


def to_simplified(
    text: str, *, unconverted: Sequence[Offsets] = (), dense: bool | None = None
) -> str:
    """The text in simplified characters; the text itself where nothing changes.

    ``unconverted`` spans stay, and so does what OpenCC would move out of the basic plane.
    Characters of ``BOTH`` stay in lines that are not dense with traditional ones; ``dense`` says
    whether a title is, which is too short to tell. 著 becomes 着 where it is the particle.
    """
    # A search is many times as fast as a conversion.
    if not has_traditional(text) and "著" not in text:
        return text
    source = _by_phrases(text, unconverted, dense)
    if not unconverted and not _BOTH.search(source) and not _outside_plane().search(source):
        converted = _converter()(source)
        return text if converted == text else converted
    parts: list[str] = []
    place = 0
    for start, end in _unconverted_spans(source, unconverted, dense):
        if start > place:
            parts.append(_converter()(source[place:start]))
        parts.append(source[max(place, start) : end])  # spans may overlap
        place = max(place, end)
    if place < len(source):
        parts.append(_converter()(source[place:]))
    converted = "".join(parts)
    return text if converted == text else converted


def converter_name() -> str:
    """The converter, for the record: library, version, configuration, phrase rules."""
    from importlib.metadata import version

    return f"opencc-{version('opencc')}({CONFIGURATION})+{PHRASES}"


def _by_phrases(text: str, unconverted: Sequence[Offsets], dense: bool | None) -> str:
    """The text with 着 for 著 and 干 for 乾 where the phrase decides; OpenCC leaves these two."""
    if "著" not in text and "乾" not in text:
        return text
    characters = list(text)
    line_start = 0
    for line in text.split("\n"):
        traditional = is_dense(line) if dense is None else dense
        changes = dict.fromkeys(dry_places(line), "干")
        for match in re.finditer("著", line):
            if is_particle(line, match.start(), traditional=traditional):
                changes[match.start()] = "着"
        for index, character in changes.items():
            if not any(start <= line_start + index < end for start, end in unconverted):
                characters[line_start + index] = character
        line_start += len(line) + 1
    return "".join(characters)


def _unconverted_spans(
    text: str, unconverted: Sequence[Offsets], dense: bool | None
) -> list[Offsets]:
    """What OpenCC is not given: the caller's spans, names, and characters that stay as they are."""
    characters = list(text)
    for start, end in unconverted:  # they say nothing about the script of the line around them
        characters[start:end] = " " * (end - start)
    spans = [*unconverted, *staying_names(text)]
    spans += (match.span() for match in _outside_plane().finditer(text))
    line_start = 0
    for line in "".join(characters).split("\n"):
        if _BOTH.search(line) and not (is_dense(line) if dense is None else dense):
            spans += (
                (line_start + match.start(), line_start + match.end())
                for match in _BOTH.finditer(line)
            )
        line_start += len(line) + 1
    return sorted(spans)


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


def _convertible(characters: list[str]) -> list[str]:
    """The characters that OpenCC converts; none where it is not installed."""
    try:
        return [character for character in characters if _converter()(character) != character]
    except UsageError:
        return []


@functools.cache
def _outside_plane() -> re.Pattern[str]:
    """Characters of the Basic Multilingual Plane that OpenCC takes out of it."""
    characters = [*map(chr, range(0x3400, 0x4DC0)), *map(chr, range(0x4E00, 0xA000))]
    converted = _converter()("\n".join(characters)).split("\n")
    leaving = (
        character
        for character, simple in zip(characters, converted, strict=True)
        if _BEYOND.match(simple)
    )
    return re.compile(f"[{''.join(leaving)}]")
