"""Secrets are struck out of text, whatever their spelling and wherever the text is cut."""

from __future__ import annotations

import base64
import logging
import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from readmark.core.redaction import MARK, Secrets, credentials, hide_credentials
from spelt_keys import SPELLINGS, shows

KEY = "sk-proj-Ab3/xY+9_zQ.kLm=nOp"
PRINTABLE = string.ascii_letters + string.digits + string.punctuation

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
@example("0000=0000000", "wrapped", "", "", 400)
@example('ab"%41"%41"%41cd', "JSON", "", "", 400)
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


def test_log_records_lose_their_secrets(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("asyncio")
    secrets = Secrets(KEY)
    logger.addFilter(secrets.clean_record)
    try:
        try:
            raise ValueError(f"header {KEY}")
        except ValueError:
            logger.exception("bad cookie %r at %d%%", KEY, 7)
    finally:
        logger.removeFilter(secrets.clean_record)
    assert "bad cookie '[key]' at 7%" in caplog.text
    assert "ValueError: header [key]" in caplog.text
    assert shows(caplog.text, KEY) is None
