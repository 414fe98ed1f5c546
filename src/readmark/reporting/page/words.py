"""The page's own texts, which are in assets/words.toml: each in both languages, filled in."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files

from markupsafe import Markup

from readmark.reporting.page.bilingual import Bilingual, Text, joined, side

_WIDE = "[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]"
"""Chinese characters and full-width signs."""
_QUARTILE = re.compile(r"([\d.]+) to ([\d.]+)")
"""As computed fields label their quartiles."""


@functools.cache
def strings() -> Mapping[str, Mapping[str, tuple[str, str]]]:
    """The page's strings by group and name: English, Chinese."""
    text = files("readmark.reporting.page").joinpath("assets", "words.toml").read_text("utf-8")
    return {
        group: {name: (english, chinese) for name, (english, chinese) in names.items()}
        for group, names in tomllib.loads(text).items()
    }


def phrase(key: str, **values: object) -> Bilingual:
    """The text of ``group.name``, filled in; a value in both languages is taken in each."""
    return Bilingual(*(_filled(key, language, values) for language in range(2)))


def phrase_html(key: str, **values: object) -> Bilingual:
    """The same for texts that hold markup: values are escaped, the text is not."""
    return Bilingual(*(_filled(key, language, values, markup=True) for language in range(2)))


def _filled(key: str, language: int, values: Mapping[str, object], *, markup: bool = False) -> str:
    group, _, name = key.partition(".")
    template = strings()[group][name][language]
    sides = {field: side(value, language) for field, value in values.items()}
    for field, text in sides.items():
        template = _without_spaces(template, field, str(text))
    return (Markup(template) if markup else template).format(**sides)


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


def named(group: str, name: str) -> Text:
    """What the page calls something that the test or a metric names; itself when unknown."""
    sides = strings().get(group, {}).get(name)
    return name if sides is None else Bilingual(*sides)


def value_words(field: str, label: str) -> Text:
    """A field's value as a label: those of the bundled tests, true, false and none in words."""
    if (ends := _QUARTILE.fullmatch(label)) is not None:
        return phrase("slices.range", least=ends[1], greatest=ends[2])
    key = {"-": "slices.absent", "true": "slices.yes", "false": "slices.no"}.get(label)
    return named(f"value_{field}", label) if key is None else phrase(key)


def note_words(note: str) -> Text:
    """A test's own note; those of the bundled tests are known in both languages."""
    bundled = strings()["bundled"].values()
    return next((Bilingual(note, chinese) for english, chinese in bundled if english == note), note)


def listed(parts: Iterable[Text]) -> Bilingual:
    """Texts in a list with an "and" before the last."""
    texts = list(parts)
    if len(texts) < 2:
        return joined(texts)
    has_markup = any(isinstance(side(text, 0), Markup) for text in texts)
    fill = phrase_html if has_markup else phrase
    return fill("summary.and", rest=joined(texts[:-1], zh="、"), last=texts[-1])
