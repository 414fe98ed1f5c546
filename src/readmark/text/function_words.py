"""Words that carry no content, English and Chinese: articles, pronouns, auxiliaries and so on."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files

_LISTS = tomllib.loads(
    (files("readmark.text") / "data" / "function_words.toml").read_text(encoding="utf-8")
)

FUNCTION: Mapping[str, frozenset[str]] = {
    language: frozenset(_LISTS[language].split()) for language in ("en", "zh")
}
"""Function words by language."""
ENDS_FOCUS = frozenset(_LISTS["ends_focus"].split())
"""English words that end the noun after *what* or *which*: in "what town has", it is *has*."""
