"""Questions in one language on passages in another, by the real command line."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from made import asked, comprehension, passage
from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.formats import open_sitting, save_sides, save_test
from readmark.corpus.test import Test
from readmark.sitting.crossing import crossing
from readmark.workflows import api

ENGLISH = "The 1861 rider was called Lee. He left Joplin in October."
CHINESE = "骑手名叫 Lee。他在10月离开 Joplin。"


def side(text: str, language: str, *questions: str) -> Test:
    made = [asked(f"{language}-{at}", "Lee", text=one) for at, one in enumerate(questions)]
    parallel = [msgspec.structs.replace(one, parallel=f"q{at}") for at, one in enumerate(made)]
    return comprehension(passage("p", *parallel, text=text), language=language, name=language)


def both() -> tuple[Test, Test]:
    return (
        side(ENGLISH, "en", "Who left Joplin?", "What was Lee called?"),
        side(CHINESE, "zh", "谁离开了 Joplin？", "Lee 叫什么？"),
    )


def test_the_other_sides_questions_are_asked_under_this_sides_ids(tmp_path: Path) -> None:
    english, chinese = both()
    path = tmp_path / "sitting.jsonl"
    api.sit(chinese, "bow", path, cross="en-zh", questions=english)
    sitting = open_sitting(path, chinese.kind)
    assert sitting.header.cross == "en-zh"
    assert sitting.header.paper == chinese.facts.paper
    assert sitting.header.signature["questions"] == f"en {english.facts.paper}"
    row = sitting.of("zh-0")[0]
    assert row.text == "他在10月离开 Joplin。"  # the name is all that both languages share
    assert row.evidence == {"shared": ["joplin"]}
    marks = api.mark(chinese, path, metrics=["humsent"])
    assert marks.covers == "questions in en on passages in zh"


def test_a_journal_is_not_gone_on_with_in_another_language(tmp_path: Path) -> None:
    english, chinese = both()
    path = tmp_path / "sitting.jsonl"
    api.sit(chinese, "bow", path)
    with pytest.raises(DataError, match=r"--cross|questions"):
        api.sit(chinese, "bow", path, cross="en-zh", questions=english)


def test_what_does_not_fit_is_said() -> None:
    english, chinese = both()
    with pytest.raises(UsageError, match="passages in en"):
        crossing("zh-en", chinese, english)
    with pytest.raises(UsageError, match="two languages"):
        crossing("en", chinese, english)
    fewer = side(ENGLISH, "en", "Who left Joplin?")
    with pytest.raises(DataError, match="1 of 2 questions have no parallel"):
        crossing("en-zh", chinese, fewer)


def test_with_and_cross_go_together(tmp_path: Path) -> None:
    english, chinese = both()
    with pytest.raises(UsageError, match="--cross"):
        api.sit(chinese, "bow", tmp_path / "a.jsonl", questions=english)
    with pytest.raises(UsageError, match="--with"):
        api.sit(chinese, "bow", tmp_path / "b.jsonl", cross="en-zh")


def test_a_file_of_both_sides_needs_no_other(tmp_path: Path) -> None:
    english, chinese = both()
    file = tmp_path / "both.brcc"
    save_sides([english, chinese], file, format="brcc")
    done = api.sit(str(file), "bow", tmp_path / "s.jsonl", cross="en-zh")
    assert done.progress.answered == 2
    header = json.loads((tmp_path / "s.jsonl").read_text().splitlines()[0])
    assert header["cross"] == "en-zh"


def test_native_files_through_the_interface(tmp_path: Path) -> None:
    english, chinese = both()
    for test, name in ((english, "en.jsonl"), (chinese, "zh.jsonl")):
        save_test(test, tmp_path / name)
    done = api.sit(
        tmp_path / "en.jsonl",
        "bow",
        tmp_path / "s.jsonl",
        cross="zh-en",
        questions=tmp_path / "zh.jsonl",
    )
    assert done.progress.answered == 2
