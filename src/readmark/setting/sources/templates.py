"""The templates of wikitext that stand for words of the article: dashes, spaces, numbers, names.

All others show what only the wiki itself knows, and are left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

WORDS_OF = {
    "lang": 2,
    "transl": -1,
    "nowrap": 1,
    "nobr": 1,
    "small": 1,
    "big": 1,
    "ill": 1,
    "le": 1,
    "link": 2,
    "tsl": -1,
    "internal link helper": 1,
    "abbr": 1,
    "color": 2,
    "ruby": 1,
    "interlanguage link": 1,
    "mono": 1,
    "code": 1,
    "sub": 1,
}
"""Templates whose words belong to the article, and which of their arguments those are."""

SIGNS = {
    **dict.fromkeys(("ndash", "en dash", "–"), "–"),
    **dict.fromkeys(("mdash", "em dash", "—"), "—"),
    **dict.fromkeys(("snd", "spnd", "spaced ndash", "spaced en dash"), " – "),
    **dict.fromkeys(("nbsp", "space", "spaces", "thinsp", "thin space", "hair space"), " "),
    **dict.fromkeys(("·", "dot", "middot", "•", "bullet"), " · "),
    "'": "'",
    "'s": "'s",
    "=": "=",
    "!": "|",
    "times": "×",
}
"""Templates that are a sign."""

_RAISED = str.maketrans("0123456789+-−n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿ")
_CAN_BE_RAISED = re.compile("[0-9+−n-]+")
_DIGIT = re.compile(r"\d")
_JOINS = frozenset({"to", "-", "–", "and", "by", "x", "×", "or"})


def raised(said: str) -> str:
    """What stands raised: digits as raised ones, other exponents after ^, letters as they are."""
    bare = said.strip()
    if _CAN_BE_RAISED.fullmatch(bare):
        return bare.translate(_RAISED)
    return f"^{bare}" if _DIGIT.search(bare) else said


def arguments(node: Any) -> dict[str, Any]:
    """The arguments by name, those without one by number, as ``1=`` and ``2=`` give them too."""
    return {str(one.name).strip(): one.value for one in node.params}


def shown(name: str, given: Mapping[str, Any]) -> str | Any | None:
    """A sign, the argument whose words belong to the article, or None."""
    if name in SIGNS:
        return SIGNS[name]
    if name.startswith("formatnum:"):
        return name.removeprefix("formatnum:")
    if name in ("convert", "cvt"):
        return _quantity([str(given[key]).strip() for key in "1234" if key in given])
    if name in ("frac", "fraction"):
        return "/".join(str(given[key]).strip() for key in "123" if key in given)
    if name in ("circa", "c."):
        return f"c. {given['1']}" if "1" in given else "c. "
    if name in ("sup", "e") and "1" in given:
        return ("×10" if name == "e" else "") + raised(str(given["1"]))
    at = 1 if name.startswith(("link-", "lang-")) else WORDS_OF.get(name)
    if at is None:
        return None
    if at > 0:
        return given.get(str(at))
    numbers = [int(key) for key in given if key.isascii() and key.isdigit()]
    return given[str(max(numbers))] if numbers else None


def _quantity(said: list[str]) -> str:
    """``{{convert|5|to|6|km|mi}}``: the numbers and their own unit."""
    many = 4 if len(said) == 4 and said[1] in _JOINS else 2
    return " ".join(said[:many])
