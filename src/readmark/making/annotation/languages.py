"""The languages of a test's texts: a record or question may have one of its own."""

from __future__ import annotations

from typing import Any

from readmark.core.errors import UsageError
from readmark.core.language import primary
from readmark.core.record_members import language_in, questions_of
from readmark.core.test import Test
from readmark.text.analysers.registry import LANGUAGES


def languages_of(test: Test) -> list[str]:
    """The languages of a test's texts, its own first; one that cannot be analysed is refused."""
    languages = {test.language: None}
    for record in test.records():
        for item in (record, *questions_of(record)):
            if language := language_in(item):
                if primary(language) not in LANGUAGES:
                    raise UsageError(
                        f"{test.file}:{item.id}: no analyser for language {language!r}; "
                        f"known: {', '.join(LANGUAGES)}"
                    )
                languages[primary(language)] = None
    return list(languages)


def language_or(item: Any, otherwise: str) -> str:
    """A record's or question's own language where it says one."""
    language = language_in(item)
    return primary(language) if language else otherwise
