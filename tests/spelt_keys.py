"""A key in many spellings, and a reader of them all that is not the product's."""

from __future__ import annotations

import base64
import html
import json
import quopri
import re
import textwrap
import unicodedata
from collections.abc import Callable
from urllib.parse import quote, unquote

SPELLINGS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "lower case": str.lower,
    "upper case": str.upper,
    "\\u, lower-case digits": lambda key: "".join(f"\\u{ord(sign):04x}" for sign in key),
    "\\u, upper-case digits": lambda key: "".join(f"\\u{ord(sign):04X}" for sign in key),
    "\\u, every other": lambda key: "".join(
        f"\\u{ord(sign):04x}" if at % 2 else json.dumps(sign)[1:-1] for at, sign in enumerate(key)
    ),
    "\\u{}": lambda key: "".join(f"\\u{{{ord(sign):x}}}" for sign in key),
    "\\x": lambda key: "".join(f"\\x{ord(sign):02x}" for sign in key),
    "octal": lambda key: "".join(f"\\{ord(sign):03o}" for sign in key),
    "JSON": lambda key: json.dumps(key)[1:-1],
    "JSON in JSON": lambda key: json.dumps(json.dumps(key)),
    "JSON, escaped slashes": lambda key: json.dumps(key)[1:-1].replace("/", "\\/"),
    "repr of bytes": lambda key: repr(key.encode()),
    "percent": lambda key: quote(key, safe=""),
    "percent, everything": lambda key: "".join(f"%{ord(sign):02x}" for sign in key),
    "percent, twice": lambda key: quote(quote(key, safe=""), safe=""),
    "percent in JSON": lambda key: json.dumps(quote(key, safe="")),
    "entities": html.escape,
    "decimal entities": lambda key: "".join(f"&#{ord(sign)};" for sign in key),
    "hexadecimal entities": lambda key: "".join(f"&#X{ord(sign):X};" for sign in key),
    "entities in percent": lambda key: quote(html.escape(key)),
    "quoted-printable": lambda key: quopri.encodestring(key.encode(), quotetabs=True).decode(),
    "base64": lambda key: base64.b64encode(key.encode()).decode(),
    "base64 of basic auth": lambda key: base64.b64encode(f"user:{key}".encode()).decode(),
    "base64 of a header": lambda key: base64.b64encode(f"Bearer {key}".encode()).decode(),
    "base64, URL-safe": lambda key: base64.urlsafe_b64encode(f"k:{key}".encode()).decode(),
    "base64, wrapped": lambda key: "\n".join(
        base64.b64encode(key.encode()).decode()[at : at + 9] for at in range(0, 2 * len(key), 9)
    ),
    "base64 in JSON": lambda key: base64.b64encode(key.encode()).decode().replace("/", "\\/"),
    "hexadecimal": lambda key: key.encode().hex(),
    "spaced": " ".join,
    "a sign a line": "\r\n".join,
    "wrapped": lambda key: "\n    ".join(key[at : at + 5] for at in range(0, len(key), 5)),
    "wrapped in JSON": lambda key: json.dumps(textwrap.fill(key, 5, break_on_hyphens=False)),
    "soft hyphens": "\u00ad".join,
    "zero-width": "\u200b".join,
    "NUL": "\0".join,
    "full width": lambda key: "".join(chr(ord(sign) + 0xFEE0) for sign in key),
    "dashes": lambda key: key.replace("-", "\u2013"),
}  # fmt: skip


def shows(text: str, key: str) -> str | None:
    """Eight characters of a key that can be read in a text by decoders other than the product's."""
    readings = {text, unicodedata.normalize("NFKC", text).replace("\u2013", "-")}
    for _ in range(3):
        for known in list(readings):
            readings |= {unquote(known), html.unescape(known), _unescaped(known)}
            readings.add(quopri.decodestring(known.encode()).decode("latin-1"))
    for known in list(readings):
        digits = known.replace("-", "+").replace("_", "/").replace("\\/", "/")
        for piece in re.findall("[A-Za-z0-9+/]{8,}", _joined(digits)):
            for at in range(min(4, len(piece))):
                whole = piece[at : len(piece) - (len(piece) - at) % 4]
                readings.add(base64.b64decode(whole).decode("latin-1"))
    readings |= {bytes.fromhex(one).decode("latin-1") for one in _HEXADECIMAL.findall(text)}
    flat = {_joined(known).lower() for known in readings}
    runs = (key[at : at + 8] for at in range(len(key) - 7))
    return next((run for run in runs if any(run.lower() in known for known in flat)), None)


_HEXADECIMAL = re.compile("(?:[0-9a-f]{2}){8,}")
_ESCAPE = re.compile(r"\\u\{?([0-9a-fA-F]{2,4})\}?|\\x(..)|\\([0-7]{3})|\\n|\\(.)")


def _unescaped(text: str) -> str:
    def sign(found: re.Match[str]) -> str:
        code = found[1] or found[2]
        try:
            return chr(int(code, 16)) if code else chr(int(found[3], 8))
        except (TypeError, ValueError):
            return found[4] or ""

    return _ESCAPE.sub(sign, text)


def _joined(text: str) -> str:
    return "".join(sign for sign in text if not sign.isspace() and sign not in "\0\u00ad\u200b")
