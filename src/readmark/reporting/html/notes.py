"""Notes of marking, once each and in both languages as far as they are known.

Marking writes its notes in English. Those whose English is in the table of strings are told in
Chinese too; others stay as they are.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence

from readmark.reporting.html.sections import Candidate
from readmark.reporting.html.words import Both, Text, isolated, listed, say_html, table


def known_note(note: str) -> tuple[str | None, dict[str, str]]:
    """The name under which the table of strings has a note, and what fills it."""
    for name, pattern in _patterns().items():
        found = pattern.fullmatch(note)
        if found is not None:
            return name, found.groupdict()
    return None, {}


def notes_of(candidates: Sequence[Candidate]) -> list[Both]:
    """Every note once, with the candidates whose marksheets have it."""
    whose: dict[str, list[Text]] = {}
    for one in candidates:
        for note in dict.fromkeys(map(portable, one.sheet.told.notes)):
            whose.setdefault(note, []).append(one.label)
    return [
        say_html("warning.note", name=listed(names), note=_in_both(note))
        for note, names in whose.items()
    ]


def portable(note: str) -> str:
    """A note without the folders of the machine that it was written on."""
    file, colon, rest = note.partition(": ")
    return f"{file.replace(chr(92), '/').rsplit('/', 1)[-1]}{colon}{rest}"


def _in_both(note: str) -> Both:
    name, values = known_note(note)
    if name is None:
        return Both(isolated(note), isolated(note))
    return say_html(f"note.{name}", **{key: isolated(value) for key, value in values.items()})


@functools.cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    """The English of every note as a pattern with its fields."""
    found = {}
    for name, (english, _) in table()["note"].items():
        parts = re.split(r"\{(\w+)\}", english)
        spelt = [
            re.escape(part) if at % 2 == 0 else f"(?P<{part}>.+?)" for at, part in enumerate(parts)
        ]
        found[name] = re.compile("".join(spelt), re.DOTALL)
    return found
