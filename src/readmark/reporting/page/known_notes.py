"""Notes of marking, once each and in both languages as far as they are known."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence

from readmark.reporting.page.bilingual import Bilingual, Text
from readmark.reporting.page.isolation import isolated
from readmark.reporting.page.sections import MarkedCandidate
from readmark.reporting.page.words import listed, phrase_html, strings


def known_note(note: str) -> tuple[str | None, dict[str, str]]:
    """The name under which the table of strings has a note, and what fills it."""
    for name, pattern in _patterns().items():
        match = pattern.fullmatch(note)
        if match is not None:
            return name, match.groupdict()
    return None, {}


def notes_of(candidates: Sequence[MarkedCandidate]) -> list[Bilingual]:
    """Every note once, with the candidates whose marksheets have it."""
    whose: dict[str, list[Text]] = {}
    for candidate in candidates:
        for note in dict.fromkeys(map(portable, candidate.sheet.recorded.notes)):
            whose.setdefault(note, []).append(candidate.label)
    return [
        phrase_html("warning.note", name=listed(names), note=_in_both(note))
        for note, names in whose.items()
    ]


def portable(note: str) -> str:
    """A note without the folders of the machine that it was written on."""
    file, colon, rest = note.partition(": ")
    return f"{file.replace(chr(92), '/').rsplit('/', 1)[-1]}{colon}{rest}"


def _in_both(note: str) -> Bilingual:
    name, values = known_note(note)
    if name is None:
        return Bilingual(isolated(note), isolated(note))
    return phrase_html(f"note.{name}", **{key: isolated(value) for key, value in values.items()})


@functools.cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    """The English of every note as a pattern with its fields."""
    patterns = {}
    for name, (english, _) in strings()["note"].items():
        parts = re.split(r"\{(\w+)\}", english)
        spelt = [
            re.escape(part) if index % 2 == 0 else f"(?P<{part}>.+?)"
            for index, part in enumerate(parts)
        ]
        patterns[name] = re.compile("".join(spelt), re.DOTALL)
    return patterns
