"""Settings that decide answers come over; keys do not, wherever they stand."""

import pytest

from readmark.formats.harness_logs.settings import error_line, generation_settings, model_settings

KEY = "sk-made-up-0123456789"


def test_only_what_says_which_model_it_is_comes_over() -> None:
    given = {
        "model": "m",
        "base_url": f"https://user:{KEY}@host.example:8000/v1?key={KEY}#x",
        "api_key": KEY,
        "header": {"Authorization": f"Bearer {KEY}"},
        "max_length": 2048,
        "revision": None,
    }
    assert model_settings(given) == {
        "model": "m",
        "max_length": 2048,
        "base_url": "https://host.example:8000/v1",
    }
    assert model_settings("model=m") == {}
    assert model_settings({"base_url": "http://[broken"}) == {"base_url": ""}


def test_later_settings_win() -> None:
    task, command = {"temperature": 0.0, "until": []}, {"temperature": 0.7, "api_key": KEY}
    assert generation_settings(task, command, None) == {"temperature": 0.7, "until": []}


@pytest.mark.parametrize(
    "error",
    [
        f"Incorrect API key provided: {KEY}",
        f"header Authorization: Bearer {KEY} was refused",
        f"url http://x/v1?api_key={KEY}",
        f"first line\nsecond {KEY}",
        "ModelError('Request: " + "x" * 500 + f" BadRequestError('no, {KEY}')')",
    ],
)
def test_an_error_is_one_line_without_keys(error: str) -> None:
    line = error_line(error)
    assert KEY not in line
    assert "\n" not in line
    assert len(line) <= 300


@pytest.mark.parametrize(
    ("error", "line"),
    [
        ("headers {'Authorization': 'Bearer abcdef0123'}", "headers {'[struck out]'}"),
        ("401: Authorization: Bearer abcdef0123", "401: [struck out]"),
        ("Authorization: Basic Ym9iOmh1bnRlcjI=", "[struck out]"),
        ("Bearer abcdef0123 is bad", "[struck out] is bad"),
        ('{"x-api-key": "0123abc"}', '{"x-[struck out]"}'),
        ("http://bob:hunter2@host/v1", "http://[struck out]@host/v1"),
        ("AIzaSyA1234567890abcdefg refused", "[struck out] refused"),
        ("no AKIAIOSFODNN7EXAMPLE", "no [struck out]"),
        ("got 0123456789abcdef0123456789abcdef", "got [struck out]"),
        ("eyJhbGciOiJI.eyJzdWIi.c2ln", "[struck out]"),
        # What is no key stays.
        ("4096 tokens, max_tokens is 5000", "4096 tokens, max_tokens is 5000"),
        ("no model Qwen/Qwen2.5-72B-Instruct", "no model Qwen/Qwen2.5-72B-Instruct"),
    ],
)
def test_keys_are_known_by_what_stands_before_them_or_by_their_shape(error: str, line: str) -> None:
    assert error_line(error) == line


def test_a_long_error_is_told_by_its_cause() -> None:
    long = "ModelError('\\nRequest:\\n" + "x" * 500 + "\\n\\nBadRequestError(\\'too long\\')')"
    assert error_line(long) == "BadRequestError('too long')')"
    assert error_line("") == "no message"
