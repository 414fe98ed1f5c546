"""People, or a test's references: what the figure beside the machine's is called.

The references of some tests were written by their authors and are no human study; the test says so
(``fields.people`` of its header is ``authors``). Left out one by one they give a figure, but it is
not people's. A panel's sittings are people's own whoever wrote the key.
"""

from __future__ import annotations

from readmark.corpus.marksheet import MarkedTest
from readmark.marking.people import PANEL
from readmark.reporting.html.words import Both, say, say_html, table

AUTHORS = "authors"


def whose(test: MarkedTest, method: str | None) -> str:
    """The group of strings that tells of the figure."""
    return "references" if test.people == AUTHORS and method != PANEL else "people"


def say_whose(test: MarkedTest, method: str | None, name: str, /, **values: object) -> Both:
    """A text of that group; what is true of both stands under people alone."""
    return say(_key(test, method, name), **values)


def say_whose_html(test: MarkedTest, method: str | None, name: str, /, **values: object) -> Both:
    """The same for texts that hold markup."""
    return say_html(_key(test, method, name), **values)


def _key(test: MarkedTest, method: str | None, name: str) -> str:
    group = whose(test, method)
    return f"{group}.{name}" if name in table()[group] else f"people.{name}"
