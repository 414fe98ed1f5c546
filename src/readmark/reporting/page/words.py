"""Every string of the page in English and Chinese; the page holds both and shows one."""

from __future__ import annotations

import contextlib
import functools
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from importlib.resources import files

from markupsafe import Markup, escape

from readmark.core.errors import UsageError
from readmark.core.parsed_names import parse_name, spell
from readmark.core.unvalidated import SIGN

LANGUAGES = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Both:
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


Text = str | Both
"""A given text, or one of the page's own."""

_TURNING = frozenset(("R", "AL", "RLE", "RLO", "LRE", "LRO", "PDF"))
"""Bidirectional classes of characters that run from right to left, or turn what follows."""
_ISOLATES = re.compile("[\u2066-\u2069]")


class Isolated(str):
    """A text from outside Readmark; whatever its direction, the text after it keeps its own.

    In markup it is a ``bdi`` element, in plain text it is between U+2068 and U+2069.
    """

    __slots__ = ()

    def __html__(self) -> str:
        return Markup("<bdi>{}</bdi>").format(str(self))

    def __format__(self, spec: str) -> str:
        turning = any(unicodedata.bidirectional(character) in _TURNING for character in self)
        return f"\u2068{self!s}\u2069" if turning else str(self)


def isolated(text: str) -> Isolated:
    """A text from outside Readmark without isolates of its own, which could end ours."""
    return Isolated(_ISOLATES.sub("", text))


@functools.cache
def table() -> Mapping[str, Mapping[str, tuple[str, str]]]:
    """The strings by group and name: English, Chinese."""
    text = files("readmark.reporting.page").joinpath("assets", "words.toml").read_text("utf-8")
    return {
        group: {name: (english, chinese) for name, (english, chinese) in names.items()}
        for group, names in tomllib.loads(text).items()
    }


def phrase(key: str, **values: object) -> Both:
    """The text of ``group.name``, filled in; a value in both languages is taken in each."""
    return Both(*(_filled(key, language, values) for language in range(2)))


def phrase_html(key: str, **values: object) -> Both:
    """The same for texts that hold markup: values are escaped, the text is not."""
    return Both(*(_filled(key, language, values, markup=True) for language in range(2)))


def _filled(key: str, language: int, values: Mapping[str, object], *, markup: bool = False) -> str:
    group, _, name = key.partition(".")
    template = table()[group][name][language]
    sides = {field: side(value, language) for field, value in values.items()}
    for field, text in sides.items():
        template = _without_spaces(template, field, str(text))
    return (Markup(template) if markup else template).format(**sides)


_WIDE = "[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]"


def _without_spaces(template: str, name: str, text: str) -> str:
    """A template without its spaces around a value where Chinese writes none.

    A space parts Chinese from Latin letters and figures only, and nothing from a bracket.
    """
    place = re.escape(f"{{{name}}}")
    if re.match(_WIDE, text):
        template = re.sub(f"(?<={_WIDE}) (?={place})", "", template)
    if text.endswith("）"):
        return re.sub(f"(?<={place}) ", "", template)
    if re.match(_WIDE, text[-1:]):
        return re.sub(f"(?<={place}) (?={_WIDE})", "", template)
    return template


def side(value: object, language: int) -> object:
    """A value as one of the languages has it."""
    return (value.en, value.zh)[language] if isinstance(value, Both) else value


def named(group: str, name: str) -> Text:
    """What the page calls something that the test or a metric names; itself when unknown."""
    sides = table().get(group, {}).get(name)
    return name if sides is None else Both(*sides)


_QUARTILE = re.compile(r"([\d.]+) to ([\d.]+)")
"""As computed fields label their quartiles."""


def value_words(field: str, label: str) -> Text:
    """A field's value as a label: those of the bundled tests, true, false and none in words."""
    if (ends := _QUARTILE.fullmatch(label)) is not None:
        return phrase("slices.range", least=ends[1], greatest=ends[2])
    key = {"-": "slices.absent", "true": "slices.yes", "false": "slices.no"}.get(label)
    return named(f"value_{field}", label) if key is None else phrase(key)


def note_words(note: str) -> Text:
    """A test's own note; those of the bundled tests are known in both languages."""
    bundled = table()["bundled"].values()
    return next((Both(note, chinese) for english, chinese in bundled if english == note), note)


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


class ChineseNoun(str):
    """A Chinese noun with its measure word, for texts such as ``{records.measure}``."""

    measure: str

    def __new__(cls, measure: str, noun: str) -> ChineseNoun:
        word = super().__new__(cls, noun)
        word.measure = measure
        return word

    @property
    def measured(self) -> str:
        """The noun after its measure word, which alone stands for 篇章: 三篇, not 三篇篇章."""
        if self.startswith(self.measure):
            return self.measure
        return f"{self.measure} {self}" if self.isascii() else f"{self.measure}{self}"


def counted(count: int, name: str) -> Both:
    """A number with its noun: English singular and plural, Chinese with its measure word."""
    english, chinese = _noun(name, several=count != 1)
    return Both(f"{count:,} {english}", f"{count:,} {chinese.measured}")


def noun(name: str, *, several: bool = False) -> Both:
    """A noun by itself: the Chinese one without its measure word."""
    return Both(*_noun(name, several=several))


def _noun(name: str, *, several: bool) -> tuple[str, ChineseNoun]:
    spelling = table()["noun"].get(name)
    if spelling is None:
        plural = name if name.endswith("s") else f"{name}s"
        return plural if several else name, ChineseNoun("个", name)
    singular, _, plural = spelling[0].partition("|")
    measure, chinese = spelling[1].split(" ")
    return plural if several else singular, ChineseNoun(measure, chinese)


def joined(parts: Iterable[Text], *, en: str = ", ", zh: str = "，") -> Both:
    """Texts in a row."""
    texts = list(parts)
    return Both(
        _join(en, [side(text, 0) for text in texts]), _join(zh, [side(text, 1) for text in texts])
    )


def clauses(parts: Iterable[Text]) -> Both:
    """Texts as the clauses of a sentence."""
    return joined(parts, en="; ", zh="；")


def _join(between: str, parts: list[object]) -> str:
    if any(isinstance(part, Markup) for part in parts):
        return Markup(between).join(escape(part) for part in parts)
    return between.join(f"{part}" for part in parts)


def listed(parts: Iterable[Text]) -> Both:
    """Texts in a list with an "and" before the last."""
    texts = list(parts)
    if len(texts) < 2:
        return joined(texts)
    has_markup = any(isinstance(side(text, 0), Markup) for text in texts)
    fill = phrase_html if has_markup else phrase
    return fill("summary.and", rest=joined(texts[:-1], zh="、"), last=texts[-1])
