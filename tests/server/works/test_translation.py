"""Translation: two sheets that `set translate` compares, and a test in the other language."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import msgspec
import pytest

from readmark.core.errors import DataError
from readmark.core.records import Passage, Phrase, Question, QuestionKey
from readmark.core.test import Header, in_memory
from readmark.formats.registry import open_test, save_test
from readmark.making.hall.translation import TRANSLATION
from readmark.works import Configuration, Objects
from shipped_projects import shipped, work_of

HEADER = Header(name="mills", language="en")
MILL = Passage(
    id="mill",
    text="The old mill was built in 1820. Its wheel turned until 1902.",
    questions=(
        Question(
            id="built",
            text="When was the old mill built?",
            key=QuestionKey(published=(Phrase(text="in 1820"),), level=1),
        ),
        Question(
            id="who",
            text="Who owned the mill?",
            key=QuestionKey(unanswerable=True),
        ),
    ),
)
TEST = in_memory(HEADER, [MILL])
CONFIGURATION = shipped("translation")
[ITEM] = TRANSLATION.divide([TEST], CONFIGURATION)


def _translated(*fields: dict[str, str]) -> dict[str, Objects]:
    """Two sentences and two questions."""
    view = TRANSLATION.view(ITEM, CONFIGURATION).objects
    filled = zip(view, fields, strict=True)
    return {"mill": {id: {**view[id], "fields": own} for id, own in filled if own}}


ADA = _translated(
    {"translation": "老磨坊建于1820年。"},
    {"translation": "水轮一直转到1902年。"},
    {"question": "老磨坊是什么时候建成的？", "key": "1820年"},
    {"question": "谁拥有这座磨坊？"},
)
BO = _translated(
    {"translation": "旧磨坊建于1820年。"},
    {},
    {"question": "旧磨坊是何时建成的？", "key": "1820年"},
    {"question": "谁拥有这座磨坊？"},
)


def test_translators_see_sentences_questions_and_keys() -> None:
    objects = TRANSLATION.view(ITEM, CONFIGURATION).objects
    assert [(id, value["prompt"], value.get("context")) for id, value in objects.items()] == [
        ("s-1", "The old mill was built in 1820.", None),
        ("s-2", "Its wheel turned until 1902.", None),
        ("q-1", "When was the old mill built?", "in 1820"),
        ("q-2", "Who owned the mill?", None),
    ]
    assert [value["order"] for value in objects.values()] == [1.0, 2.0, 3.0, 4.0]


def test_sheets_go_to_set_translate(
    tmp_path: Path, readmark_cli: Callable[..., CompletedProcess[str]]
) -> None:
    made = TRANSLATION.write(work_of(CONFIGURATION, HEADER, [ITEM], Ada=ADA, Bo=BO), tmp_path)
    assert [str(path.relative_to(tmp_path)) for path in made] == [
        "people/Ada.csv",
        "tests/Ada.jsonl",
        "people/Bo.csv",
    ]
    source = tmp_path / "source.jsonl"
    save_test(TEST, source)
    compared = tmp_path / "compared.jsonl"
    done = readmark_cli("set", "translate", source, made[0], made[2], "-o", compared, "--json")
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in compared.read_text("utf-8").splitlines()]
    # Of two questions and one key, one question differs.
    assert [line["id"] for line in lines[1:]] == ["built/question"]
    adopted = tmp_path / "zh.jsonl"
    done = readmark_cli(
        "set", "translate", source, made[0], made[2], "-o", adopted, "--decisions", compared,
        "--adopt-suggestions", "--passages", made[1],
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert readmark_cli("check", adopted).returncode == 0
    assert readmark_cli("check", made[1]).returncode == 0
    [record] = open_test(made[1]).records()
    assert record.text == "老磨坊建于1820年。水轮一直转到1902年。"
    assert record.layers["sentence"].spans == ((0, 11), (11, 23))


def test_what_was_written_reads_back_and_is_written_the_same(tmp_path: Path) -> None:
    first = TRANSLATION.write(
        work_of(CONFIGURATION, HEADER, [ITEM], Ada=ADA, Bo=BO), tmp_path / "1"
    )
    again: dict[str, dict[str, Objects]] = {}
    for path in first:
        for person, item, objects in TRANSLATION.read(path, {"mill": ITEM}, CONFIGURATION):
            again.setdefault(person, {})[item] = objects
    assert again["Ada"] == ADA  # the test was read last, and has everything
    assert again["Bo"] == {"mill": {id: BO["mill"][id] for id in ("q-1", "q-2")}}
    second = TRANSLATION.write(work_of(CONFIGURATION, HEADER, [ITEM], **again), tmp_path / "2")
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_sheets_of_other_words_are_refused(tmp_path: Path) -> None:
    sheet = tmp_path / "Cy.csv"
    sheet.write_text("id,question,english\nbuilt,何时建成？,When was it built?\n", encoding="utf-8")
    with pytest.raises(DataError, match="another version of the text"):
        list(TRANSLATION.read(sheet, {"mill": ITEM}, CONFIGURATION))
    sheet.write_text("id,question\nbuild,何时建成？\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"no question 'build'; did you mean built"):
        list(TRANSLATION.read(sheet, {"mill": ITEM}, CONFIGURATION))


def test_what_is_missing_or_not_translated_is_named() -> None:
    objects = _translated(
        {"translation": "The old mill was built in 1820."},
        {},
        {"question": "老磨坊是什么时候建成的？", "key": "1820年 | 一八二〇年"},
        {"question": "谁拥有这座磨坊？"},
    )["mill"]
    found = [(f.code, f.object) for f in TRANSLATION.check(ITEM, objects, CONFIGURATION)]
    assert found == [("language", "s-1"), ("stray", "q-1")]
    empty = TRANSLATION.view(ITEM, CONFIGURATION).objects
    found = [(f.code, f.object) for f in TRANSLATION.check(ITEM, empty, CONFIGURATION)]
    assert found == [
        ("missing", "s-1"),
        ("missing", "s-2"),
        ("missing", "q-1"),
        ("missing", "q-1"),
        ("missing", "q-2"),
    ]


def test_practice_compares_with_the_other_side() -> None:
    """Of a file of two sides one is translated; the other stays with the organiser."""
    asked = Question(
        id="built",
        text="老磨坊是什么时候建成的？",
        key=QuestionKey(published=(Phrase(text="1820年"),)),
    )
    chinese = Passage(id="mill", text="老磨坊建于1820年。", questions=(asked,))
    sides = [TEST, in_memory(Header(name="mills", language="zh"), [chinese])]
    for tests in (sides, sides[::-1]):
        [item] = TRANSLATION.divide(tests, CONFIGURATION, purpose="practice")
        assert item.paper == ITEM.paper
        assert not list(TRANSLATION.grade(item, ADA["mill"], CONFIGURATION))
        other = {"question": "谁造的？", "key": "1820年"}
        wrong = {"q-1": {**ADA["mill"]["q-1"], "fields": other}}
        [found] = TRANSLATION.grade(item, wrong, CONFIGURATION)
        assert (found.code, found.object, found.detail) == ("question", "q-1", asked.text)
    assert not list(TRANSLATION.grade(ITEM, {}, CONFIGURATION))
    with pytest.raises(DataError, match="one side in 'zh' and one in another language"):
        list(TRANSLATION.divide([TEST, TEST], CONFIGURATION))
    with pytest.raises(DataError, match="is in 'zh' already"):
        list(TRANSLATION.divide(sides[1:], _into("zh")))


def _into(language: str) -> Configuration:
    return msgspec.structs.replace(CONFIGURATION, options={"language": language})


def test_chinese_is_translated_into_english(tmp_path: Path) -> None:
    """Sentences of English are joined by spaces, paragraphs stay apart."""
    asked = Question(
        id="where", text="渡口在哪里？", key=QuestionKey(published=(Phrase(text="城南"),))
    )
    quay = Passage(id="quay", text="渡口在城南。老周开船。\n学生过河。", questions=(asked,))
    header = Header(name="quays", language="zh")
    [item] = TRANSLATION.divide([in_memory(header, [quay])], CONFIGURATION)
    texts = ("The ferry is south of town.", "Old Zhou steers.", "Pupils cross the river.")
    view = TRANSLATION.view(item, CONFIGURATION).objects
    objects = {
        f"s-{number}": {**view[f"s-{number}"], "fields": {"translation": text}}
        for number, text in enumerate(texts, 1)
    }
    fields = {"question": "Where is the ferry?", "key": "south of town"}
    objects["q-1"] = {**view["q-1"], "fields": fields}
    project = work_of(CONFIGURATION, header, [item], Ada={"quay": objects})
    [sheet, test] = TRANSLATION.write(project, tmp_path)
    [record] = open_test(test).records()
    assert record.text == f"{texts[0]} {texts[1]}\n{texts[2]}"
    assert record.language == "en"
    for path in (sheet, test):
        [(person, name, read)] = TRANSLATION.read(path, {"quay": item}, CONFIGURATION)
        assert (person, name) == ("Ada", "quay")
        assert read["q-1"] == objects["q-1"]
