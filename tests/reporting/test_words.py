"""The table of strings: complete, in both languages, with nothing that nobody says."""

import json
import re
import string
from pathlib import Path

import pytest
from markupsafe import Markup, escape

from readmark.reporting.page import words as words_module
from readmark.reporting.page.bilingual import Bilingual, joined
from readmark.reporting.page.metric_names import metric_words
from readmark.reporting.page.words import (
    listed,
    note_words,
    phrase,
    phrase_html,
    strings,
    value_words,
)

HOUSE = Path(words_module.__file__).parent
KEYS = [f"{group}.{name}" for group, names in strings().items() for name in names]
NAMED = {
    "metric",
    "field",
    "label",
    "noun",
    "method",
    "verdict",
    "note",
    "error_class",
    "doing",
    "interval",
    "evidence",
    "cue",
    "bundled",
    *(group for group in strings() if group.startswith("value_")),
}
"""Groups that are looked up by what a test, a metric or the data say."""


def sources() -> str:
    """Everything that uses the table: the page, the sections of the kinds, and reasons of marks."""
    code = (path.read_text(encoding="utf-8") for path in HOUSE.parents[1].rglob("*.py"))
    using = [text for text in code if re.search(r"readmark\.(reporting|marking)", text)]
    pages = [*HOUSE.rglob("*.html"), *HOUSE.rglob("*.js")]
    return "\n".join([*using, *(path.read_text(encoding="utf-8") for path in pages)])


def fields(text: str) -> set[str]:
    """What a text is filled in with; a noun's measure word is part of the noun."""
    return {name.partition(".")[0] for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("key", KEYS)
def test_both_languages_say_the_same_things(key: str) -> None:
    group, name = key.split(".", 1)
    english, chinese = strings()[group][name]
    assert english
    assert chinese
    # Marking writes its notes in English: their own noun (passages, series) has no Chinese here.
    untranslated = {"records"} if group == "note" else set()
    assert fields(english) - untranslated == fields(chinese)
    assert re.findall(r"</?\w+>", english) == re.findall(r"</?\w+>", chinese)


def test_everything_said_is_in_the_table_and_nothing_else() -> None:
    text = sources()
    used = set(re.findall(r"""(?:say|phrase)(?:_html)?\(\s*["']([\w.-]+)["']""", text))
    used |= set(re.findall(r'data-label="([\w.]+)"', text))
    used |= set(re.findall(r'CannotUnpack\("([\w.]+)"\)', text))
    used |= {key for key in KEYS if f'"{key}"' in text}
    # spelt with a variable, such as f"summary.{side}": the rest must stand somewhere by itself
    used |= keys_on_people(text)
    spelt = re.findall(r"""(?:say|phrase)(?:_html)?\(\s*f?[`"'](\w+)\.(\w*)\$?\{""", text)
    quoted = set(re.findall(r"""["'](\w+)["']""", text))
    for key in KEYS:
        group, name = key.split(".", 1)
        rests = {name.removeprefix(start) for of_group, start in spelt if of_group == group}
        assert group in NAMED or key in used or rests & quoted, f"{key}: nobody says it"
    assert not {key for key in used if key not in KEYS}


def keys_on_people(text: str) -> set[str]:
    """What is said of people, or of the references in their place, by name and by method."""
    names = set(re.findall(r'people_(?:phrase(?:_html)?|words)\([^"]*"([\w-]+)"', text))
    for method in strings()["method"]:
        names |= {method, f"sets_{method}"}
    return {f"{group}.{name}" for group in ("people", "references") for name in names} & set(KEYS)


def test_references_are_told_of_as_people_are() -> None:
    for name, (english, _) in strings()["references"].items():
        assert fields(english) == fields(strings()["people"][name][0])
        words = re.sub(r"\{\w+\}", "", english).lower()
        assert not re.search(r"\b(people|person|human score)\b", words), name


def test_values_are_escaped_where_there_is_markup() -> None:
    sentence = phrase_html(
        "summary.mark", score="<i>", metric=Bilingual("a&b", "c"), interval=Bilingual("", "")
    )
    assert sentence.en == Markup("<b>&lt;i&gt;</b> a&amp;b")
    assert escape(phrase("slices.by", field="<b>")) == Markup(
        '<span class="en" lang="en">By &lt;b&gt;</span>'
        '<span class="zh" lang="zh-Hans">按“&lt;b&gt;”</span>'
    )


def test_values_and_notes_of_the_bundled_tests_are_known_in_chinese() -> None:
    assert value_words("difficulty", "Easy") == Bilingual("Easy", "易")
    assert value_words("split", "Easy") == "Easy"
    assert value_words("unanswerable", "true") == phrase("slices.yes")
    for path in (HOUSE.parents[1] / "bundle").glob("*.??.jsonl"):
        header = json.loads(path.read_text("utf-8").partition("\n")[0])
        assert isinstance(note_words(header["fields"]["note"]), Bilingual), path.name
    assert note_words("another") == "another"


def test_no_space_follows_a_full_width_bracket() -> None:
    sentence = phrase("summary.undefined", first="a", metric=metric_words("em"))
    assert sentence.zh == "与 a 的精确匹配（EM）差值无定义"


def test_lists() -> None:
    assert listed(["a"]) == Bilingual("a", "a")
    assert listed(["a", "b", "c"]) == Bilingual("a, b and c", "a、b、c")
    assert joined([Markup("<b>"), "<"]).en == Markup("<b>, &lt;")
