"""Members of closed classes in a text: colours, seasons, animals, languages, and titles of works.

People, places, bodies, times and numbers are the analysers' entities; this finds the rest.
"""

from __future__ import annotations

import functools
import re
import tomllib
from importlib.resources import files
from typing import Any

from readmark.corpus.language import primary
from readmark.corpus.values import Offsets
from readmark.text.simplified import simplified

_WORKS = re.compile(r"《[^《》]{1,60}》")


def members(text: str, language: str) -> dict[str, list[Offsets]]:
    """Where members of each class stand in a text; longer ones before shorter ones."""
    code = primary(language)
    plain = simplified(text).lower()
    if len(plain) != len(text):  # a letter whose small form is longer
        plain = text
    found = {name: [one.span() for one in shape.finditer(plain)] for name, shape in _shapes(code)}
    found["work"] = [one.span() for one in _WORKS.finditer(text)]
    return {name: spans for name, spans in found.items() if spans}


@functools.cache
def _shapes(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    lists: dict[str, Any] = _lists().get(language, {})
    shapes = []
    for name, words in lists.items():
        if name == "endings":
            continue
        longest_first = sorted(words.split(), key=len, reverse=True)
        ending = lists["endings"].get(name, "")
        if language == "zh":
            shape = _chinese(longest_first, ending)
        else:
            shape = rf"\b(?:{'|'.join(longest_first)})(?:s|es)?\b"
        shapes.append((name, re.compile(shape)))
    return tuple(shapes)


def _chinese(words: list[str], ending: str) -> str:
    """A single character is a member only with its class's ending: 红 stands in 红军 too."""
    long = "|".join(word for word in words if len(word) > 1)
    short = "".join(word for word in words if len(word) == 1)
    if ending:
        return f"(?:{long})(?:{ending})?|[{short}]{{1,2}}{ending}"
    return long


@functools.cache
def _lists() -> dict[str, Any]:
    data = files("readmark.text").joinpath("data/classes.toml")
    return tomllib.loads(data.read_text("utf-8"))
