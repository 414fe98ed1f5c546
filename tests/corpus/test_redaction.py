"""Secrets are struck out of text, whatever their spelling and wherever the text is cut."""

from __future__ import annotations

import base64
import html
import json
import quopri
import re
import string
import textwrap
import unicodedata
from collections.abc import Callable
from urllib.parse import quote, unquote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from readmark.corpus.redaction import MARK, Secrets, credentials, hide_credentials

KEY = "sk-proj-Ab3/xY+9_zQ.kLm=nOp"
PRINTABLE = string.ascii_letters + string.digits + string.punctuation

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


KEYS = st.text(PRINTABLE, min_size=12, max_size=60) | st.text(
    "%\\&;=#x25u0" + "ab", min_size=12, max_size=24
)


@given(
    key=KEYS,
    spelling=st.sampled_from(sorted(SPELLINGS)),
    before=st.text('xyz .{"\\%&=', max_size=12),
    after=st.text('xyz .}"\\%&=', max_size=12),
    longest=st.integers(0, 400),
)
@example(KEY, "\\u, lower-case digits", "x" * 9, "", 30)
@example("x[key]yyyyyyy", "as it is", "x", "yyyyyyy", 400)
@settings(max_examples=300, deadline=None)
def test_no_piece_of_a_key_survives(
    key: str, spelling: str, before: str, after: str, longest: int
) -> None:
    text = f"{before} {SPELLINGS[spelling](key)} {after}"
    secrets = Secrets(key)
    assert shows(secrets.strike_out(text), key) is None
    assert shows(secrets.one_line(text, longest), key) is None
    assert len(secrets.one_line(text, longest)) <= longest
    assert shows(secrets.strike_out(text[: len(before) + longest]), key) is None


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_at_the_cut(spelling: str) -> None:
    spelt = SPELLINGS[spelling](KEY)
    assert shows(spelt, KEY) is not None, "the test's own decoders must read it"
    for at in range(200 - len(spelt), 201, 7):
        text = "x" * at + " " + spelt + " and more words" * 20
        shown = Secrets(KEY).one_line(text, 200)
        assert shows(shown, KEY) is None
        assert shown.startswith("x" * max(0, at))


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_only_the_key_is_struck_out(spelling: str) -> None:
    struck = Secrets(KEY).strike_out(f"before {SPELLINGS[spelling](KEY)} after 小明 {{}} 100%25")
    assert struck.startswith("before ")
    assert struck.endswith(" after 小明 {} 100%25")
    assert MARK in struck
    assert len(struck) <= len(f"before user:Bearer k:{MARK} after 小明 {{}} 100%25") + 10


@pytest.mark.parametrize(
    "text",
    [
        "Mina mended the red kite. 100% of \\n it &amp; more = 3D \\u4e2d%E4%B8%AD",
        "sk-proj",
        "",
        '{"answer": "at nine", "evidence": "The ferry left at nine."}',
        "小明在河边放风筝。",
    ],
)
def test_other_text_is_left_as_it_is(text: str) -> None:
    assert Secrets(KEY, "pass", None, "").strike_out(text) == text
    assert Secrets().strike_out(text) == text


def test_a_short_password_is_struck_out_as_a_word() -> None:
    secrets = Secrets("pass", "no")
    assert secrets.strike_out("no passage: pass, p\\u0061ss!") == "no passage: [key], [key]!"
    assert secrets.strike_out("pa ss") == "pa ss"


def test_several_secrets_and_bytes() -> None:
    secrets = Secrets(KEY, "another-secret")
    assert secrets.strike_out(f"{KEY}another-secret\xff".encode("latin-1")) == "[key]\ufffd"
    assert KEY not in repr(secrets)


def test_a_very_long_text_with_a_key_is_struck_out_as_a_whole() -> None:
    secrets = Secrets(KEY)
    assert secrets.strike_out("x" * 300_000) == "x" * 300_000
    assert secrets.strike_out("x" * 300_000 + KEY[3:14]) == MARK


@pytest.mark.parametrize(
    ("address", "known"),
    [
        ("http://us%40er:p%2Fpassword@host:8080/", "p/password"),
        ("http://token-of-a-proxy@host", "token-of-a-proxy"),
        ("http://host:8080/", ""),
        ("http://[", ""),
        (None, ""),
    ],
)
def test_credentials_of_an_address(address: str | None, known: str) -> None:
    struck = Secrets(*credentials(address)).strike_out(f"{address} and {known}!")
    assert not known or known not in struck
    basic = base64.b64encode(b"us@er:p/password").decode()
    if address is not None and "us%40er" in address:
        assert basic[2:-4] not in Secrets(*credentials(address)).strike_out(f"Basic {basic}")


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("'http://u:p@host:1/v1'", "'http://host:1/v1'"),
        ("see https://host/v1?key=abc#d, or not", "see https://host/v1 or not"),
        ('llm(base_url="http://u:p@h/")', 'llm(base_url="http://h/")'),
        ("a@b.org and a?b#c", "a@b.org and a?b#c"),
    ],
)
def test_addresses_are_shown_without_credentials(text: str, hidden: str) -> None:
    assert hide_credentials(text) == hidden
