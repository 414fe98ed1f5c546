"""The table of strings: complete, in both languages, with nothing that nobody says."""

import json
import re
import string
from pathlib import Path

import pytest
from markupsafe import Markup, escape

from readmark.reporting.page import words as words_module
from readmark.reporting.page.words import (
    Both,
    counted,
    isolated,
    joined,
    listed,
    metric_words,
    note_words,
    noun,
    phrase,
    table,
    value_words,
)

HOUSE = Path(words_module.__file__).parent
KEYS = [f"{group}.{name}" for group, names in table().items() for name in names]
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
    *(group for group in table() if group.startswith("value_")),
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
    english, chinese = table()[group][name]
    assert english
    assert chinese
    # Marking writes its notes in English: their own noun (passages, series) has no Chinese here.
    own = {"records"} if group == "note" else set()
    assert fields(english) - own == fields(chinese)
    assert re.findall(r"</?\w+>", english) == re.findall(r"</?\w+>", chinese)


def test_everything_said_is_in_the_table_and_nothing_else() -> None:
    text = sources()
    said = set(re.findall(r"""(?:say|phrase)(?:_html)?\(\s*["']([\w.-]+)["']""", text))
    said |= set(re.findall(r'data-label="([\w.]+)"', text))
    said |= set(re.findall(r'CannotUnpack\("([\w.]+)"\)', text))
    said |= {key for key in KEYS if f'"{key}"' in text}
    # spelt with a variable, such as f"summary.{side}": the rest must stand somewhere by itself
    said |= whose(text)
    spelt = re.findall(r"""(?:say|phrase)(?:_html)?\(\s*f?[`"'](\w+)\.(\w*)\$?\{""", text)
    quoted = set(re.findall(r"""["'](\w+)["']""", text))
    for key in KEYS:
        group, name = key.split(".", 1)
        rests = {name.removeprefix(start) for g, start in spelt if g == group}
        assert group in NAMED or key in said or rests & quoted, f"{key}: nobody says it"
    assert not {key for key in said if key not in KEYS}


def whose(text: str) -> set[str]:
    """What is said of people, or of the references in their place, by name and by method."""
    names = set(re.findall(r'people_(?:phrase(?:_html)?|words)\([^"]*"([\w-]+)"', text))
    for method in table()["method"]:
        names |= {method, f"sets_{method}"}
    return {f"{group}.{name}" for group in ("people", "references") for name in names} & set(KEYS)


def test_references_are_told_of_as_people_are() -> None:
    for name, (english, _) in table()["references"].items():
        assert fields(english) == fields(table()["people"][name][0])
        words = re.sub(r"\{\w+\}", "", english).lower()
        assert not re.search(r"\b(people|person|human score)\b", words), name


def test_a_name_that_runs_the_other_way_leaves_the_rest_alone() -> None:
    turned = isolated("\u202elead\u2069")
    assert escape(turned) == Markup("<bdi>\u202elead</bdi>")
    assert f"{turned}!" == "\u2068\u202elead\u2069!"
    assert f"{isolated('lead')}, {isolated('שלום')}" == "lead, \u2068שלום\u2069"
    said = words_module.phrase_html("summary.undefined", first=turned, metric="F1")
    assert "<bdi>\u202elead</bdi> in F1" in said.en


def test_values_are_escaped_where_there_is_markup() -> None:
    said = words_module.phrase_html(
        "summary.mark", score="<i>", metric=Both("a&b", "c"), interval=Both("", "")
    )
    assert said.en == Markup("<b>&lt;i&gt;</b> a&amp;b")
    assert escape(phrase("slices.by", field="<b>")) == Markup(
        '<span class="en" lang="en">By &lt;b&gt;</span>'
        '<span class="zh" lang="zh-Hans">按“&lt;b&gt;”</span>'
    )


@pytest.mark.parametrize(
    ("count", "name", "english", "chinese"),
    [
        (1, "question", "1 question", "1 道题目"),
        (1002, "passage", "1,002 passages", "1,002 篇"),
        (2, "series", "2 series", "2 组问题"),
        (3, "recital", "3 recitals", "3 个 recital"),
    ],
)
def test_counting(count: int, name: str, english: str, chinese: str) -> None:
    assert counted(count, name) == Both(english, chinese)


def test_chinese_nouns_bring_their_measure_words() -> None:
    few = phrase("compare.few", records=noun("series", several=True), few=20)
    assert few.zh.startswith("问题少于 20 组时")
    assert phrase("summary.jackknife", confidence="95%", records=noun("passage")).zh.endswith(
        "每次剔除一篇）。"
    )
    lead = phrase("spread.lead", metric="F1", unit=noun("question"))
    assert lead.zh.startswith("每道题目的 F1。")


def test_values_and_notes_of_the_bundled_tests_are_known_in_chinese() -> None:
    assert value_words("difficulty", "Easy") == Both("Easy", "易")
    assert value_words("split", "Easy") == "Easy"
    assert value_words("unanswerable", "true") == phrase("slices.yes")
    for path in (HOUSE.parents[1] / "bundle").glob("*.??.jsonl"):
        header = json.loads(path.read_text("utf-8").partition("\n")[0])
        assert isinstance(note_words(header["fields"]["note"]), Both), path.name
    assert note_words("another") == "another"


def test_no_space_follows_a_full_width_bracket() -> None:
    said = phrase("summary.undefined", first="a", metric=metric_words("em"))
    assert said.zh == "与 a 的精确匹配（EM）差值无定义"


def test_nouns_alone() -> None:
    assert noun("passage", several=True) == Both("passages", "篇章")
    assert noun("recital", several=True) == Both("recitals", "recital")


@pytest.mark.parametrize(
    ("name", "english"),
    [
        ("f1", "F1"),
        ("f1(profile=zh)", "F1 (zh)"),
        ("jaccard(u=2,b=1)", "jaccard (u 2, b 1)"),
        ("not a name(", "not a name("),
    ],
)
def test_metrics_in_words(name: str, english: str) -> None:
    said = metric_words(name)
    assert (said if isinstance(said, str) else said.en) == english


def test_the_metrics_of_reading_tasks_are_in_chinese() -> None:
    assert metric_words("facts") == Both("facts", "直述答案")
    assert metric_words("inferences") == Both("inferences", "推理答案")


def test_lists() -> None:
    assert listed(["a"]) == Both("a", "a")
    assert listed(["a", "b", "c"]) == Both("a, b and c", "a、b、c")
    assert joined([Markup("<b>"), "<"]).en == Markup("<b>, &lt;")
