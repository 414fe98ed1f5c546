"""People, or a test's references: what the figure next to the machine's is called."""

from __future__ import annotations

from readmark.core.marksheet import PEOPLE, MarkedTest
from readmark.reporting.page.bilingual import Bilingual
from readmark.reporting.page.words import phrase, phrase_html, strings


def people_phrase(
    test: MarkedTest, method: str | None, name: str, /, **values: object
) -> Bilingual:
    """A text about people, or about references where those of the key are no study of people.

    Texts that serve both are in the group ``people`` of the table of strings.
    """
    return phrase(_key(test, method, name), **values)


def people_phrase_html(
    test: MarkedTest, method: str | None, name: str, /, **values: object
) -> Bilingual:
    """The same for texts that hold markup."""
    return phrase_html(_key(test, method, name), **values)


def _key(test: MarkedTest, method: str | None, name: str) -> str:
    group = test.who(method)
    return f"{group}.{name}" if name in strings()[group] else f"{PEOPLE}.{name}"
