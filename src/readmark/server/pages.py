"""Pages: templates, and every string of the interface in English and Chinese."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jinja2
from fastapi import Request
from starlette.responses import HTMLResponse

from readmark.core import numbers

ASSETS = Path(__file__).with_name("assets")
LANGUAGES = ("en", "zh")
LANGUAGE_COOKIE = "readmark_language"


@functools.cache
def _templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(ASSETS / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )
    environment.globals["number_format"] = numbers
    for words_of_time in (moment, date_words, time_words):
        environment.globals[words_of_time.__name__] = words_of_time
    return environment


def load_pages() -> None:
    """Take in every template and string now.

    An upgrade replaces the files under a running hall, and templates of the new version asked
    the old version's code for values that it does not have: every page was an error until the
    restart.
    """
    for name in _templates().list_templates():
        _templates().get_template(name)
    for language in LANGUAGES:
        words(language)
        words(language, "pseudonyms")


@functools.cache
def words(language: str, area: str = "") -> Mapping[str, str]:
    """The interface's strings in a language: of one file in ``assets/words``, or of all."""
    sentences: dict[str, str] = {}
    for path in sorted((ASSETS / "words").glob(f"{area or '*'}.toml")):
        for name, texts in tomllib.loads(path.read_text("utf-8")).items():
            sentences[name] = texts[language]
    return sentences


def language_of(request: Request) -> str:
    """The reader's language: chosen on the page, else the browser's, else English."""
    chosen = request.cookies.get(LANGUAGE_COOKIE)
    if chosen in LANGUAGES:
        return chosen
    preferred = request.headers.get("accept-language", "").lower()
    return "zh" if preferred.startswith("zh") else "en"


def is_api(request: Request) -> bool:
    """Whether a program asks: it gets JSON where a person gets a page."""
    return request.url.path.startswith("/api/")


def local_path(text: str) -> str:
    """The path, if it is a page of this hall; else the first page."""
    is_plain = all(" " < character != "\\" for character in text) and len(text) <= 500
    if not is_plain or not text.startswith("/") or text.startswith("//"):
        return "/"
    parts = urlsplit(text)
    return "/" if parts.scheme or parts.netloc else text


def render(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page in the reader's language; ``t`` has the strings."""
    language = language_of(request)
    page = _templates().get_template(template)
    path = request.url.path if request.method == "GET" and status < 400 else "/"
    text = page.render(
        t=words(language), language=language, path=path, **{"person": None, **values}
    )
    return HTMLResponse(text, status)


def moment(seconds: float | None) -> str:
    """A time as pages show it."""
    if seconds is None:
        return ""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


def date_words(seconds: float | None) -> str:
    """A day as pages show it."""
    return "" if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")


def time_words(seconds: float | None) -> str:
    """A duration in hours, minutes and seconds."""
    if seconds is None:
        return "–"
    whole = round(seconds)
    hours, minutes = whole // 3600, whole % 3600 // 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
