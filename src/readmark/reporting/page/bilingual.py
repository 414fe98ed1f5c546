"""Texts in English and Chinese: the page holds both and shows one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup, escape

LANGUAGES = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Bilingual:
    """A text in both languages; each side may be markup that is safe already."""

    en: str
    zh: str

    def in_language(self, language: str) -> str:
        """One side."""
        return self.zh if language == "zh" else self.en

    def __html__(self) -> str:
        if self.en == self.zh:
            return str(escape(self.en))
        return (
            f'<span class="en" lang="en">{escape(self.en)}</span>'
            f'<span class="zh" lang="zh-Hans">{escape(self.zh)}</span>'
        )


Text = str | Bilingual
"""A given text, or one of the page's own."""


def side(value: object, language: int) -> object:
    """A value as one of the languages has it."""
    return (value.en, value.zh)[language] if isinstance(value, Bilingual) else value


def joined(parts: Iterable[Text], *, en: str = ", ", zh: str = "，") -> Bilingual:
    """Texts in a row."""
    texts = list(parts)
    return Bilingual(
        _join(en, [side(text, 0) for text in texts]), _join(zh, [side(text, 1) for text in texts])
    )


def clauses(parts: Iterable[Text]) -> Bilingual:
    """Texts as the clauses of a sentence."""
    return joined(parts, en="; ", zh="；")


def _join(between: str, parts: list[object]) -> str:
    if any(isinstance(part, Markup) for part in parts):
        return Markup(between).join(escape(part) for part in parts)
    return between.join(f"{part}" for part in parts)
