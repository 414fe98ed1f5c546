"""The dependency reader: the bilingual corpus document's example, and passages worked by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from made import asked, comprehension, passage
from readmark.core.errors import UsageError
from readmark.core.sitting import Row
from readmark.core.test import Test
from readmark.formats.registry import open_sitting
from readmark.sitting.runner import sit

MACHINE = "A new machine has been made. The machine is called a typewriter."


def one(text: str, *questions: str, language: str = "en") -> Test:
    items = [asked(f"q{at}", "x", text=question) for at, question in enumerate(questions)]
    return comprehension(passage("p", *items, text=text), language=language)


def said(test: Test, candidate: str, folder: Path) -> Row:
    path = folder / f"{candidate}.jsonl"
    sit(test, candidate, path)
    return open_sitting(path, test.kind).of("q0")[0]


def test_a_shared_argument_decides_where_words_do_not(tmp_path: Path) -> None:
    test = one(MACHINE, "What is the new machine called?")
    assert said(test, "bow", tmp_path).text == "A new machine has been made."
    row = said(test, "dependency", tmp_path)
    assert row.text == "The machine is called a typewriter."
    assert row.evidence == {
        "shared": ["call", "machine"],
        "dependencies": ["call object machine"],
    }
    # two of four words, one of one argument: (2 + 1) / (4 + 1)
    assert row.score == pytest.approx(3 / 5)


def test_without_weight_it_is_bow(tmp_path: Path) -> None:
    test = one(MACHINE, "What is the new machine called?")
    assert said(test, "dependency(weight=0)", tmp_path).text == "A new machine has been made."


def test_an_argument_in_another_role_counts_half(tmp_path: Path) -> None:
    text = "The fox chased the hare. The hare chased the fox."
    row = said(one(text, "Did the hare chase the fox?"), "dependency", tmp_path)
    assert row.text == "The hare chased the fox."
    assert row.score == 1.0


def test_chinese_goes_by_rules(tmp_path: Path) -> None:
    text = "小明的风筝很大，小刚想要。风筝被小刚挂在树上。小明看见小刚，哭了。"
    test = one(text, "小刚把什么挂在树上？", language="zh")
    row = said(test, "dependency", tmp_path)
    assert row.text == "风筝被小刚挂在树上。"
    assert "挂 subject 小刚" in row.evidence["dependencies"]


def test_nothing_to_read_is_an_empty_answer(tmp_path: Path) -> None:
    assert said(one(" ", "Why?"), "dependency", tmp_path).text == ""
    assert said(one("Owls sleep. Foxes bark.", "?"), "dependency(parts=story)", tmp_path).score == 0


def test_a_sitting_resumes(tmp_path: Path) -> None:
    test = one(MACHINE, "What is called a typewriter?", "What has been made?")
    path = tmp_path / "s.jsonl"
    sit(test, "dependency", path, limit=1)
    progress = sit(test, "dependency", path).progress
    assert (progress.before, progress.answered) == (1, 1)


def test_a_question_in_another_language_is_refused(tmp_path: Path) -> None:
    english = one(MACHINE, "What is the machine called?")
    chinese = one("这台机器叫打字机。", "这台机器叫什么？", language="zh")
    with pytest.raises(UsageError, match="bow and evidence read across languages"):
        sit(chinese, "dependency", tmp_path / "s.jsonl", cross="en-zh", questions=english)
