"""Questions in one language on passages in another, by the real command line."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import readmark
from made import asked, comprehension, passage
from readmark.comprehension.crossing import crossing
from readmark.core.errors import DataError, UsageError
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.core.test import Test
from readmark.formats.registry import open_sitting, save_test
from readmark.sitting.runner import sit

ENGLISH = "The 1861 rider was called Lee. He left Joplin in October."
CHINESE = "骑手名叫 Lee。他在10月离开 Joplin。"


def side(text: str, language: str, *questions: str) -> Test:
    items = [asked(f"{language}-{at}", "Lee", text=item) for at, item in enumerate(questions)]
    parallel = [msgspec.structs.replace(item, parallel=f"q{at}") for at, item in enumerate(items)]
    return comprehension(passage("p", *parallel, text=text), language=language, name=language)


def both() -> tuple[Test, Test]:
    return (
        side(ENGLISH, "en", "Who left Joplin?", "What was Lee called?"),
        side(CHINESE, "zh", "谁离开了 Joplin？", "Lee 叫什么？"),
    )


def test_the_other_sides_questions_are_asked_under_this_sides_ids(tmp_path: Path) -> None:
    english, chinese = both()
    path = tmp_path / "sitting.jsonl"
    sit(chinese, "bow", path, cross="en-zh", questions=english)
    sitting = open_sitting(path, chinese.kind)
    assert sitting.header.cross == "en-zh"
    assert sitting.header.paper == chinese.facts.paper
    assert sitting.header.signature["questions"] == f"en {english.facts.paper}"
    row = sitting.of("zh-0")[0]
    assert row.text == "他在10月离开 Joplin。"
    assert row.evidence == {"shared": ["joplin", "left"]}  # 离开 is to leave
    marks = readmark.mark(chinese, path, metrics=["humsent"])
    assert marks.coverage.covers == "questions in en on passages in zh"


STORY = {
    "en": (
        "The mill by the river was built in 1923.",
        "A flood destroyed the bridge twenty years later.",
        "Today, a painter named Karlsdorfer sells honey there.",
    ),
    "zh": (
        "河边的磨坊建于1923年。",
        "20年后，洪水冲毁了桥。",
        "如今，一位名叫卡尔斯多弗的画家在那里卖蜂蜜。",
    ),
}
ASKED = {
    "en": ("When was the mill built?", "What happened to the bridge?", "Who sells honey?"),
    "zh": ("磨坊是哪一年建的？", "是什么毁了那座桥？", "谁在卖蜂蜜？"),
}


@pytest.mark.parametrize("reader", ["bow", "evidence(encoder=false)"])
@pytest.mark.parametrize(("asked_in", "read"), [("en", "zh"), ("zh", "en")])
def test_readers_translate_the_question(
    reader: str, asked_in: str, read: str, tmp_path: Path
) -> None:
    between = " " if read == "en" else ""
    passages = side(between.join(STORY[read]), read, *ASKED[read])
    questions = side(between.join(STORY[asked_in]), asked_in, *ASKED[asked_in])
    path = tmp_path / "sitting.jsonl"
    sit(passages, reader, path, cross=f"{asked_in}-{read}", questions=questions)
    sitting = open_sitting(path, passages.kind)
    assert [sitting.of(f"{read}-{at}")[0].text for at in range(3)] == list(STORY[read])
    assert "cc-cedict" in sitting.header.signature["lexicon"]
    assert "words of questions" in sitting.header.signature
    plain = tmp_path / "plain.jsonl"
    sit(passages, reader, plain)
    assert "lexicon" not in open_sitting(plain, passages.kind).header.signature


@pytest.mark.parametrize("reader", ["bow", "evidence(encoder=false)"])
def test_a_question_and_a_passage_without_words_are_answered(reader: str, tmp_path: Path) -> None:
    english = side("?", "en", "?", "…")
    chinese = side("。", "zh", "？", "……")
    path = tmp_path / "sitting.jsonl"
    sit(chinese, reader, path, cross="en-zh", questions=english)
    assert all(row.error is None for row in open_sitting(path, chinese.kind).of("zh-0"))


@pytest.mark.parametrize("reader", ["bow", "evidence(encoder=false)"])
@pytest.mark.parametrize(("asked_in", "read"), [("en", "zh"), ("zh", "en")])
def test_xquad_is_read_across_languages(
    reader: str, asked_in: str, read: str, shared: Path, tmp_path: Path
) -> None:
    data = shared / "data" / "xquad"
    path = tmp_path / "sitting.jsonl"
    questions = data / f"{asked_in}.json"
    sit(data / f"{read}.json", reader, path, cross=f"{asked_in}-{read}", questions=questions)
    marks = readmark.mark(data / f"{read}.json", path, metrics=["humsent"])
    assert marks.marks["humsent"].score > 60  # the first sentence alone: 35


def test_a_journal_is_not_gone_on_with_in_another_language(tmp_path: Path) -> None:
    english, chinese = both()
    path = tmp_path / "sitting.jsonl"
    sit(chinese, "bow", path)
    with pytest.raises(DataError, match=r"--cross|questions"):
        sit(chinese, "bow", path, cross="en-zh", questions=english)


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
    with pytest.raises(UsageError, match="is for `cross`"):
        sit(chinese, "bow", tmp_path / "a.jsonl", questions=english)
    with pytest.raises(UsageError, match="are in: `questions`"):
        sit(chinese, "bow", tmp_path / "b.jsonl", cross="en-zh")


def test_native_files_through_the_interface(tmp_path: Path) -> None:
    english, chinese = both()
    for test, name in ((english, "en.jsonl"), (chinese, "zh.jsonl")):
        save_test(test, tmp_path / name)
    done = sit(
        tmp_path / "en.jsonl",
        "bow",
        tmp_path / "s.jsonl",
        cross="zh-en",
        questions=tmp_path / "zh.jsonl",
    )
    assert done.progress.answered == 2


LANTERNS = ("a red lantern", "a white sail", "an old ledger")
CHINESE_LANTERNS = ("红灯笼", "白帆布", "旧账本")


def choosing(language: str, options: tuple[str, ...], *keyed: str | None, name: str = "") -> Test:
    """A side of three options a question; a key of None is withheld."""
    items = [
        asked(f"{language}{at}", *((item,) if item else ()), options=options, key=item is not None)
        for at, item in enumerate(keyed)
    ]
    parallel = [msgspec.structs.replace(item, parallel=f"q{at}") for at, item in enumerate(items)]
    return comprehension(passage("p", *parallel), language=language, name=name or language)


def choices() -> tuple[Test, Test]:
    return (
        choosing("en", LANTERNS, *LANTERNS),
        choosing(
            "zh", CHINESE_LANTERNS, CHINESE_LANTERNS[0], CHINESE_LANTERNS[1], CHINESE_LANTERNS[2]
        ),
    )


@pytest.mark.parametrize("seed", [None, 4])
def test_an_option_is_marked_as_its_parallel(seed: int | None, tmp_path: Path) -> None:
    english, chinese = choices()
    path = tmp_path / "s.jsonl"
    sit(chinese, "random", path, cross="en-zh", questions=english, shuffle_options=seed, repeats=4)
    sitting = open_sitting(path, chinese.kind)
    right = 0
    for at in range(3):
        for row in sitting.of(f"zh{at}"):
            assert CHINESE_LANTERNS.index(row.text) == LANTERNS.index(row.evidence["chosen"])
            right += LANTERNS.index(row.evidence["chosen"]) == at
    marks = readmark.mark(chinese, path, metrics=["accuracy"])
    assert 0 < right < 12  # or nothing is told apart
    assert marks["accuracy"].score == pytest.approx(100 * right / 12)
    assert ("positions" in marks.tables) == (seed is not None)
    if seed is not None:
        assert sitting.header.signature["options"] == f"shuffled, seed {seed}"


@pytest.mark.parametrize(
    ("answer", "order", "text", "accurate"),
    [
        ("a white sail", None, "白帆布", True),
        ("A White Sail.", None, "白帆布", True),
        ("B", None, "白帆布", True),
        ("B. a white sail", None, "白帆布", True),
        ("C", (0, 2, 1), "白帆布", True),
        ("白帆布", None, "白帆布", True),  # said in the passages' language
        ("an old ledger", None, "旧账本", False),
        ("B. an old ledger", None, "", False),  # at odds with itself in the words shown
        ("no idea", None, "no idea", False),
        ("", None, "", False),
    ],
)
def test_what_is_said_becomes_an_option_of_the_test(
    answer: str, order: tuple[int, ...] | None, text: str, accurate: bool
) -> None:
    english, chinese = choices()
    crossed = crossing("en-zh", chinese, english)
    row = crossed.translated(Row(id="zh1", answer=answer, start=1, end=4, order=order))
    assert row.text == text
    if text != answer:
        assert row.evidence["chosen"] == answer
        assert (row.start, row.end) == (None, None)
        assert row.no_answer_reason == (None if text else "unreadable")
    marks = readmark.mark(
        chinese, Sitting(SittingHeader(candidate="c"), {"zh1": row}), metrics=["accuracy"]
    )
    assert marks.per_unit()["zh1"]["accuracy"] == float(accurate)


def test_evidence_of_any_shape_is_kept() -> None:
    english, chinese = choices()
    crossed = crossing("en-zh", chinese, english)
    for evidence, expected in (
        ({"quote": "q"}, {"quote": "q", "chosen": "B"}),
        ([1, 2], {"evidence": [1, 2], "chosen": "B"}),
        ({"chosen": 1}, {"evidence": {"chosen": 1}, "chosen": "B"}),
    ):
        assert crossed.translated(Row(id="zh1", answer="B", evidence=evidence)).evidence == expected
    free = Row(id="elsewhere", answer="B")
    assert crossed.translated(free) is free


def test_options_that_are_not_parallel_are_refused() -> None:
    _, chinese = choices()
    turned = choosing("en", LANTERNS[1:] + LANTERNS[:1], *LANTERNS)
    with pytest.raises(DataError, match=r"3 of 3 questions have other options .*: zh0, zh1, zh2"):
        crossing("en-zh", chinese, turned)
    fewer = choosing("en", LANTERNS[:2], LANTERNS[0], LANTERNS[1], None)
    with pytest.raises(DataError, match=r"3 of 3 questions have other options"):
        crossing("en-zh", chinese, fewer)
    plain = choosing("en", (), "kettle", "coat", "boats")
    with pytest.raises(DataError, match=r"3 of 3 questions have other options"):
        crossing("en-zh", chinese, plain)
    # Without a key on one side nobody can tell, and both sides are taken at their word.
    keyless = choosing("en", LANTERNS, None, None, None)
    assert len(crossing("en-zh", chinese, keyless).options) == 3


def test_options_across_languages_on_the_command_line(
    readmark_cli: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    english, chinese = choices()
    turned = choosing("en", LANTERNS[::-1], *LANTERNS)
    for test, name in ((english, "en"), (chinese, "zh"), (turned, "turned")):
        save_test(test, tmp_path / f"{name}.jsonl")
    sits = ("sit", "zh.jsonl", "-r", "random", "--cross", "en-zh", "-o", "s.sat", "--with")
    refused = readmark_cli(*sits, "turned.jsonl", cwd=tmp_path)
    assert refused.returncode == 1
    assert refused.stderr == (
        "readmark: zh.jsonl: 2 of 3 questions have other options in turned.jsonl "
        "(as many, in the same order): zh0, zh2\n"
    )
    assert not (tmp_path / "s.sat").exists()
    assert readmark_cli(*sits, "en.jsonl", cwd=tmp_path).returncode == 0
