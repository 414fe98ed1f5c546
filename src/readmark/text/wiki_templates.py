"""Templates of wikitext that stand for words of the article: dashes, spaces, numbers, names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

LAST = -1
WORDS_OF = {
    "lang": 2,
    "transl": LAST,
    "nowrap": 1,
    "nobr": 1,
    "small": 1,
    "big": 1,
    "ill": 1,
    "le": 1,
    "link": 2,
    "tsl": LAST,
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
_BETWEEN_NUMBERS = frozenset({"to", "-", "–", "and", "by", "x", "×", "or"})


def template_words(name: str, arguments: Mapping[str, Any]) -> str | Any | None:
    """A sign, the argument whose words belong to the article, or None."""
    if name in SIGNS:
        return SIGNS[name]
    if name.startswith("formatnum:"):
        return name.removeprefix("formatnum:")
    if name in ("convert", "cvt"):  # {{convert|5|to|6|km|mi}}: the numbers and their own unit
        quantity = [str(arguments[key]).strip() for key in "1234" if key in arguments]
        is_range = len(quantity) == 4 and quantity[1] in _BETWEEN_NUMBERS
        return " ".join(quantity if is_range else quantity[:2])
    if name in ("frac", "fraction"):
        return "/".join(str(arguments[key]).strip() for key in "123" if key in arguments)
    if name in ("circa", "c."):
        return f"c. {arguments['1']}" if "1" in arguments else "c. "
    if name in ("sup", "e") and "1" in arguments:
        return ("×10" if name == "e" else "") + raised(str(arguments["1"]))
    place = 1 if name.startswith(("link-", "lang-")) else WORDS_OF.get(name)
    if place is None:
        return None
    if place != LAST:
        return arguments.get(str(place))
    numbers = [int(key) for key in arguments if key.isascii() and key.isdigit()]
    return arguments[str(max(numbers))] if numbers else None


def raised(text: str) -> str:
    """A superscript: digits as raised ones, other exponents after ^, letters as they are."""
    bare = text.strip()
    if _CAN_BE_RAISED.fullmatch(bare):
        return bare.translate(_RAISED)
    return f"^{bare}" if _DIGIT.search(bare) else text
