"""How frequent a Chinese word is, by the lists of ``wordfreq``, without its tokenizer."""

from __future__ import annotations

import functools
import gzip
import math
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from readmark.corpus.errors import UsageError

LEAST = 3.0
"""The Zipf value where the list ends: one in a million. Rarer words count as that."""


def zipf(word: str) -> float:
    """The Zipf value of a word in simplified characters: log10 of its uses in a billion words."""
    return _values().get(word, LEAST)


def simplified(text: str) -> str:
    """Text in simplified characters, one for one, as the frequency list was made."""
    return text.translate(_mapping())


def source() -> str:
    """The list, for signatures."""
    try:
        return f"wordfreq-{version('wordfreq')}/small"
    except PackageNotFoundError:
        return "wordfreq absent"


@functools.cache
def _values() -> dict[str, float]:
    try:
        from wordfreq import get_frequency_dict
    except ImportError:
        raise UsageError(
            "readability of Chinese needs wordfreq, which is not installed: pip install wordfreq"
        ) from None
    table = get_frequency_dict("zh", wordlist="small")
    return {word: max(LEAST, math.log10(share) + 9) for word, share in table.items()}


@functools.cache
def _mapping() -> dict[int, str]:
    """wordfreq's table of characters; its module for Chinese cannot be imported without jieba."""
    msgpack: Any = import_module("msgpack")  # wordfreq brings it; it has no type information
    spec = find_spec("wordfreq")
    folders = (spec.submodule_search_locations or ()) if spec is not None else ()
    for folder in folders:
        file = Path(folder) / "data" / "_chinese_mapping.msgpack.gz"
        if file.is_file():
            with gzip.open(file) as stream:
                table: dict[int, str] = msgpack.load(stream, raw=False, strict_map_key=False)
            return table
    return {}
