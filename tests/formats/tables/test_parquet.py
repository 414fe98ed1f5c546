"""Parquet: the columns of flat files, packed; shards, other people's types, damage."""

import gzip
import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import readmark
from readmark.core.errors import DataError, UsageError
from readmark.core.records import Answer, Passage, Phrase, Question, QuestionKey
from readmark.core.test import Header, Test, in_memory
from readmark.formats.checks import check
from readmark.formats.registry import open_test, save_test
from readmark.readability.kind import RatedPassage
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey

TEXT = "磨坊边的水车停了，白鹭才飞走。"
OPTIONS = ("白鹭", "水车", "磨坊")


def made(path: Path, query: str, **options: Any) -> Path:
    """What a query gives, as somebody else's Parquet file."""
    said = "".join(f", {name} {value}" for name, value in options.items())
    duckdb.connect().execute(f"COPY ({query}) TO '{path}' (FORMAT parquet{said})")
    return path


def test_of(*passages: Passage, **header: Any) -> Test:
    return in_memory(Header(name="out", **header), passages)


test_of.__test__ = False  # type: ignore[attr-defined]


def asked(id: str, **key: Any) -> Question:
    answers = tuple(Answer(text=one) for one in key.pop("answers", ("白鹭",)))
    made_key = QuestionKey(answers=answers, **key)
    return Question(id=id, text="谁飞走了？", options=OPTIONS, key=made_key)


SPELT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)


@st.composite
def keys(draw: st.DrawFn) -> QuestionKey | None:
    if draw(st.booleans()):
        return None
    about = {"type": draw(st.none() | SPELT), "level": draw(st.none() | st.integers(0, 9))}
    if draw(st.booleans()):
        return QuestionKey(unanswerable=True, **about)
    placed = st.builds(Answer, text=SPELT, start=st.integers(0, 20), annotator=st.none())
    return QuestionKey(
        answers=tuple(draw(st.lists(placed, max_size=3))),
        published=tuple(draw(st.lists(st.builds(Phrase, text=SPELT), max_size=2))),
        **about,
    )


@pytest.mark.slow
@given(st.lists(st.tuples(keys(), st.lists(SPELT, max_size=3), SPELT), min_size=1, max_size=4))
def test_everything_comes_back(
    tmp_path_factory: pytest.TempPathFactory,
    drawn: list[tuple[QuestionKey | None, list[str], str]],
) -> None:
    questions = tuple(
        Question(id=f"q{at}", text=text, options=tuple(options), key=key)
        for at, (key, options, text) in enumerate(drawn)
    )
    test = test_of(
        Passage(id="p", text=TEXT, split="dev", questions=questions),
        Passage(id="r", text="雨。", questions=(asked("one", level=1),)),
    )
    path = tmp_path_factory.mktemp("parquet") / "out.parquet"
    assert save_test(test, path, format="parquet") == []
    found = open_test(path)
    assert list(found.records()) == list(test.records())
    assert (found.facts.paper, found.facts.key) == (test.facts.paper, test.facts.key)


def test_native_parquet_and_flat_lines_hold_the_same(tmp_path: Path) -> None:
    first = test_of(Passage(id="p", text=TEXT, genre="说明", questions=(asked("a"), asked("b"))))
    readmark.save(first, tmp_path / "a.jsonl")
    readmark.save(tmp_path / "a.jsonl", tmp_path / "b.parquet")
    readmark.save(tmp_path / "b.parquet", tmp_path / "c.jsonl", format="flat")
    readmark.save(tmp_path / "c.jsonl", tmp_path / "d.jsonl")
    records = [list(open_test(tmp_path / name).records()) for name in
               ("a.jsonl", "b.parquet", "c.jsonl", "d.jsonl")]  # fmt: skip
    assert all(one == records[0] for one in records)


def test_losses_are_those_of_flat_lines(tmp_path: Path) -> None:
    test = test_of(
        Passage(id="p", text=TEXT, questions=(asked("a", fields={"weight": 1.5}),)),
        language="zh",
    )
    lost = save_test(test, tmp_path / "t.parquet", format="parquet")
    assert lost == save_test(test, tmp_path / "t.jsonl", format="flat")
    assert lost[1] == "fields (weight) cannot be stored (1: a)"


def test_names_that_differ_in_case_alone_and_levels_too_large(tmp_path: Path) -> None:
    fields = {"Kind": "x", "kind": "y", "Question": "z"}
    first = Passage(id="p", text=TEXT, questions=(asked("a", fields=fields, level=2**31),))
    path = tmp_path / "t.parquet"
    assert save_test(test_of(first), path, format="parquet") == [
        "fields (kind, Question) cannot be stored (1: a)",
        "levels that are numbers are read back as words (1: a)",
    ]
    [unit] = open_test(path).units()
    assert (unit.key.fields, unit.key.level) == ({"Kind": "x"}, str(2**31))
    assert unit.item.text == "谁飞走了？"


def test_series_too(tmp_path: Path) -> None:
    key = SeriesQuestionKey(rewrites=(Answer(text="白鹭吃什么？"),))
    question = SeriesQuestion(id="1", text="它吃什么？", turn=1, key=key)
    test = in_memory(Header(kind="series"), [Series(id="s", target="白鹭", questions=(question,))])
    save_test(test, tmp_path / "s.parquet", format="parquet")
    assert list(open_test(tmp_path / "s.parquet").records()) == list(test.records())


def test_other_kinds_are_refused(tmp_path: Path) -> None:
    test = in_memory(Header(kind="readability"), [RatedPassage(id="p", text="雨。")])
    with pytest.raises(UsageError, match="only comprehension and series tests can be written as"):
        save_test(test, tmp_path / "t.parquet", format="parquet")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("codec", ["snappy", "zstd", "gzip", "uncompressed", "lz4", "brotli"])
def test_squad_as_the_hub_packs_it(codec: str, tmp_path: Path) -> None:
    query = (
        "SELECT 'q' || i AS id, '磨坊' AS title, repeat('水', 30) || '车停了。' AS context, "
        "'什么停了？' AS question, {'text': ['车'], 'answer_start': [30::INTEGER]} AS answers "
        "FROM range(3000) t(i)"
    )
    path = made(tmp_path / "squad.parquet", query, COMPRESSION=codec, ROW_GROUP_SIZE=2048)
    test = open_test(path)
    assert (test.facts.units, test.facts.records, test.facts.faulty) == (3000, 1, ())
    assert list(check(str(path))) == []


def test_other_peoples_types(tmp_path: Path) -> None:
    query = (
        f"SELECT 7::BIGINT AS id, '{TEXT}' AS passage, '谁飞走了？' AS question, "
        "{'text': ['白鹭', '水车'], 'label': ['A', 'B']} AS choices, 'A' AS answerKey, "
        "DATE '2024-05-01' AS written, 1.5::DECIMAL(4, 2) AS weight, 'ab'::BLOB AS picture, "
        'MAP {\'k\': 2} AS more, NULL AS nothing, TIME \'10:00\' AS "at ""ten""", '
        "TIMESTAMPTZ '2024-05-01 10:00:00+00' AT TIME ZONE 'UTC' AS plain, "
        "TIMESTAMPTZ '2024-05-01 10:00:00+00' AS zoned"
    )
    [unit] = open_test(made(tmp_path / "t.parquet", query)).units()
    assert (unit.id, unit.item.options, unit.key.answers[0].text) == ("7", ("白鹭", "水车"), "白鹭")
    assert unit.key.fields == {
        "written": "2024-05-01",
        "weight": "1.50",
        "picture": "YWI=",
        "more": {"k": 2},
        'at "ten"': "10:00:00",
        "plain": "2024-05-01T10:00:00",
        "zoned": unit.key.fields["zoned"],
    }
    assert unit.key.fields["zoned"].startswith("2024-0")
    json.dumps(unit.key.fields)


def test_shards_of_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    (folder / "data").mkdir(parents=True)
    for at, (name, text) in enumerate((("train-00000-of-00002", "一。"),
                                       ("train-00001-of-00002", "二。"),
                                       ("validation-00000-of-00001", "三。"))):  # fmt: skip
        passage = Passage(id=f"p{at}", text=text, questions=(asked(f"q{at}"),))
        save_test(test_of(passage), folder / "data" / f"{name}.parquet", format="parquet")
    test = open_test(folder)
    assert {unit.id: unit.field("split") for unit in test.units()} == {
        "q0": "train",
        "q1": "train",
        "q2": "validation",
    }
    assert list(check(str(folder))) == []
    one = open_test(folder / "data" / "train-00001-of-00002.parquet")
    assert [unit.field("split") for unit in one.units()] == ["train"]
    other = folder / "zh"
    other.mkdir()
    (folder / "data" / "train-00000-of-00002.parquet").rename(other / "test.parquet")
    with pytest.raises(DataError, match=r"tests in several folders \(data, zh\): name one of them"):
        open_test(folder)


def test_names_are_no_patterns(tmp_path: Path) -> None:
    for name in ("a[b]*?.parquet", "it's.parquet"):
        save_test(test_of(Passage(id="p", text=TEXT, questions=(asked("q"),))), tmp_path / name,
                  format="parquet")  # fmt: skip
        assert open_test(tmp_path / name).facts.units == 1


def test_damaged_files(tmp_path: Path) -> None:
    whole = tmp_path / "whole.parquet"
    save_test(test_of(Passage(id="p", text=TEXT, questions=(asked("q"),))), whole, format="parquet")
    data = whole.read_bytes()
    for name, damaged, told in (
        ("cut.parquet", data[: len(data) // 2], "not a valid Parquet file (Invalid Input Error"),
        ("empty.parquet", b"", "it looks like an empty file"),
        ("text.parquet", b"id,context\n", "not a valid Parquet file (Invalid Input Error"),
        ("lfs.parquet", b"version https://git-lfs.github.com/spec/v1\noid", "Git LFS pointer"),
    ):
        (tmp_path / name).write_bytes(damaged)
        with pytest.raises(DataError) as caught:
            open_test(tmp_path / name).facts  # noqa: B018
        assert told in str(caught.value)
        assert "\n" not in str(caught.value)
        assert str(caught.value).count(str(tmp_path)) == 1


def test_other_columns_are_told(tmp_path: Path) -> None:
    path = made(tmp_path / "t.parquet", "SELECT 1 AS a, 'x' AS b")
    with pytest.raises(DataError, match=r"expected rows with id, context.*found: a, b"):
        open_test(path)
    path = made(tmp_path / "none.parquet", "SELECT 'x' AS id WHERE false")
    with pytest.raises(DataError, match="has no rows"):
        open_test(path)


def test_a_row_that_is_wrong_is_placed(tmp_path: Path) -> None:
    query = (
        f"SELECT id, '{TEXT}' AS context, '谁？' AS question, ['白鹭', '水车'] AS options, answer "
        "FROM (VALUES ('a', 0), ('b', 5), ('c', 1)) t(id, answer)"
    )
    path = made(tmp_path / "t.parquet", query)
    [problem] = check(str(path))
    assert str(problem) == (
        f"{path}:2: schema: b: answer is 5, expected one of 2 options, by text, letter or number "
        "from 0"
    )


def test_the_old_file_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    path.write_bytes(b"old")

    def broken(report: Any) -> Any:
        yield 1, Passage(id="p", text=TEXT, questions=(asked("q"),))
        raise DataError("half way")

    with pytest.raises(DataError, match="half way"):
        save_test(Test(Header(name="t"), broken), path, format="parquet")
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["t.parquet"]


def test_parquet_is_not_packed_again(tmp_path: Path) -> None:
    test = test_of(Passage(id="p", text=TEXT, questions=(asked("q"),)))
    with pytest.raises(DataError, match="compressed by itself"):
        save_test(test, tmp_path / "t.parquet.gz", format="parquet")
    assert not list(tmp_path.iterdir())
    save_test(test, tmp_path / "t.parquet", format="parquet")
    (tmp_path / "u.parquet.gz").write_bytes(gzip.compress((tmp_path / "t.parquet").read_bytes()))
    with pytest.raises(DataError, match="compressed by itself"):
        open_test(tmp_path / "u.parquet.gz")
