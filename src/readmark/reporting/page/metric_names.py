"""Metrics as the page names them, with a sign after those that are not validated against people."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar

from readmark.core.errors import UsageError
from readmark.core.parsed_names import parse_name, spell
from readmark.core.unvalidated import SIGN
from readmark.reporting.page.bilingual import Text, joined
from readmark.reporting.page.words import named

# Names are written in many places that know nothing of marksheets, so the page says once which of
# its metrics are unvalidated.
_UNVALIDATED: ContextVar[frozenset[str]] = ContextVar("unvalidated", default=frozenset())


@contextlib.contextmanager
def signing(metrics: frozenset[str]) -> Iterator[None]:
    """While a page is made, put a sign after the names of these metrics, which are unvalidated."""
    before = _UNVALIDATED.set(metrics)
    try:
        yield
    finally:
        _UNVALIDATED.reset(before)


def metric_words(name: str) -> Text:
    """A metric's name as people say it, with its parameters in brackets."""
    words = _metric_words(name)
    return joined([words, SIGN], en="", zh="") if name in _UNVALIDATED.get() else words


def _metric_words(name: str) -> Text:
    try:
        parsed = parse_name(name)
    except UsageError:
        return name
    base = named("metric", parsed.base)
    if not parsed.parameters:
        return base
    parameters = ", ".join(
        spell(value) if key == "profile" else f"{key} {spell(value)}"
        for key, value in parsed.parameters.items()
    )
    return joined([base, f"({parameters})"], en=" ", zh=" ")
