"""The two languages of a parallel corpus beside each other."""

from pathlib import Path

import pytest

from readmark.core.records import Layer, Passage
from readmark.core.test import Header, Test, in_memory
from readmark.formats.checks import check, check_together
from readmark.formats.parallel_checks import is_far, phrase_count_findings
from readmark.formats.registry import save_test


@pytest.mark.parametrize(
    ("one", "other", "far"),
    [
        (12, 13, False),
        (0, 5, False),
        (0, 6, True),
        (12, 18, False),
        (12, 19, True),
        (10, 15, False),
    ],
)
def test_far(one: int, other: int, far: bool) -> None:
    assert is_far(one, other) is is_far(other, one) is far


def side(language: str, **counts: int) -> Test:
    """A test whose passages have so many noun phrases; their parallel ids are their names."""
    text = "ab" * 40 if language == "en" else "他们" * 40
    records = [
        Passage(
            id=f"{language}-{name}",
            text=text,
            parallel=name,
            layers={"np": Layer(spans=tuple((2 * at, 2 * at + 2) for at in range(count)))},
        )
        for name, count in counts.items()
    ]
    return in_memory(Header(language=language), records, file=f"{language}.jsonl")


def test_passages_are_matched_by_their_parallel_ids() -> None:
    english, chinese = side("en", a=20, b=30, c=30), side("zh", c=10, a=19, x=1)
    found = list(phrase_count_findings([english, chinese]))
    assert [str(one) for one in found] == [
        "zh.jsonl:zh-c: np_count: warning: 10 noun phrases, its en parallel in en.jsonl has 30"
    ]
    assert list(phrase_count_findings([english, side("en", a=1, b=1)])) == []


def test_unmarked_passages_are_not_compared() -> None:
    bare = in_memory(Header(language="zh"), [Passage(id="a", text="他", parallel="a")])
    assert list(phrase_count_findings([side("en", a=30), bare])) == []


def test_files(tmp_path: Path) -> None:
    paths = [str(tmp_path / name) for name in ("en.jsonl", "zh.jsonl")]
    for test, path in zip((side("en", a=30), side("zh", a=10)), paths, strict=True):
        save_test(test, path)
    [problem] = check_together([*paths, str(tmp_path / "none.jsonl")])
    assert (problem.file, problem.where, problem.code) == (paths[1], 2, "np_count")
    assert problem.message == f"zh-a: 10 noun phrases, its en parallel in {paths[0]} has 30"
    assert problem.severity == "warning"
    assert list(check_together(paths[:1])) == []


def test_a_file_in_two_languages_is_checked_whole(tmp_path: Path) -> None:
    path = tmp_path / "t.brcc"
    path.write_text(
        "Passage: a\nEnglish passage\n"
        + "<NP>a</NP> " * 9
        + "<NP REF=1>it</NP>\nEnglish questions\n1. Who?\n"
        + "Chinese passage\n<NP>他</NP> 来 了。<NP NE=X>她</NP>\nChinese questions\n1. 谁？\n",
        encoding="utf-8",
    )
    found = [(one.where, one.code) for one in check(str(path))]
    assert found == [
        (3, "reference"),
        (3, "no_sentence"),
        (7, "entity"),
        (7, "no_sentence"),
        (7, "np_count"),
    ]
    wrong = tmp_path / "wrong.brcc"
    wrong.write_text(
        "English passage\n<NP>a\n\nFrench passage\n\nChinese passage\n他\n", encoding="utf-8"
    )
    # What is wrong with the file is reported once, not for each language.
    assert [(one.where, one.code) for one in check(str(wrong))][:2] == [
        (2, "unclosed_tag"),
        (4, "language"),
    ]
