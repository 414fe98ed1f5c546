"""What rewriting does to retrieval and reading, on series and passages worked by hand."""

import functools
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

import readmark
from made import comprehension, passage
from readmark.core.display import make_console
from readmark.core.errors import DataError, UsageError
from readmark.core.records import Answer, Question, QuestionKey
from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import save_test
from readmark.marking.settings import MarkSettings
from readmark.series.effect.result import Effect
from readmark.series.effect.rewriting_effect import bundled_effects
from readmark.series.effect.series_effect import series_effect
from readmark.series.effect.settings import EffectSettings
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey
from readmark.statistics.randomisation import least_p

FEW = MarkSettings(draws=50, trials=200)
TEXTS = {
    "mill": "Ada Pell built the Orrin mill. The Orrin mill burned down in May.",
    "ferry": "The Lindow ferry is red. Bo Lund steers the Lindow ferry. "
    "It was built one summer at a yard.",
    "harp": "The Dunmore harp is kept in a barn.\nCy Vane carved the Dunmore harp.",
}


def question(id: str, text: str, gold: str, *answers: str, **more: Any) -> SeriesQuestion:
    fields = {"answers": list(answers)} if answers else {}
    fields |= {"passages": more.pop("passages")} if "passages" in more else {}
    rewrites = (Answer(text=gold),) if gold else ()
    key = SeriesQuestionKey(rewrites=rewrites, fields=fields)
    return SeriesQuestion(id=id, text=text, key=key, **more)


MILL = Series(
    id="mill",
    target="Orrin mill",
    fields={"passages": ["mill"]},
    questions=(
        question("m1", "Who built it?", "Who built the Orrin mill?", "Ada Pell"),
        question("m2", "And when?", "When did the Orrin mill burn down?", "May"),
        question("m3", "How high is it?", "How high is the Orrin mill?"),
    ),
)
FERRY = Series(
    id="ferry",
    target="Lindow ferry",
    fields={"passages": ["ferry"]},
    questions=(
        question("f1", "Who steers it?", "Who steers the Lindow ferry?", "Bo Lund"),
        question("f2", "Other", "", category="OTHER"),
    ),
)
HARP = Series(
    id="harp",
    target="Dunmore harp",
    fields={"passages": ["harp"]},
    questions=(
        question("h1", "Who carved it?", "Who carved the Dunmore harp?", "Cy Vane"),
        question(
            "h2",
            "Where is it kept?",
            "Where is PREVIOUS_ANSWER kept?",
            "a barn",
            previous=("the Dunmore harp",),
        ),
    ),
)


def series(*several: Series, **header: Any) -> Test:
    return in_memory(
        Header(**{"kind": "series", "name": "made", "language": "en"} | header), several
    )


def passages(**more: str) -> Test:
    every = {**TEXTS, **more}
    return comprehension(*(passage(id, text=text) for id, text in every.items()), language="en")


def effect(*several: Series, over: Test | None = None, **how: Any) -> Effect:
    how = {"settings": FEW, "reader": "bow", "rewriters": ("none", "gold"), **how}
    return series_effect(
        series(*(several or (MILL, FERRY, HARP))), over or passages(), EffectSettings(**how)
    )


def each(result: Effect, strategy: str) -> dict[str, dict[str, Any]]:
    return {row["id"]: row["strategies"][strategy] for row in result.each}


def test_what_is_retrieved() -> None:
    result = effect()
    assert (result.questions, result.clusters, result.left_out) == (5, 3, 2)
    assert (result.searched, result.unit, result.background) == (3, "passage", 0)
    plain, gold = each(result, "none"), each(result, "gold")
    # "built" stands in the passages of the mill and of the ferry; the mill's is shorter.
    assert (plain["m1"]["retrieved"], plain["m1"]["mrr"]) == ("mill", 1.0)
    assert (plain["m2"]["retrieved"], plain["m2"]["mrr"]) == (None, 0.0)
    assert (gold["m2"]["retrieved"], gold["m2"]["mrr"]) == ("mill", 1.0)
    assert result.retrieval.marks["none"]["mrr"].score == pytest.approx(4 / 5)
    assert result.retrieval.marks["gold"]["recall@1"].score == 1.0
    assert result.retrieval.differences["gold"]["mrr"].difference == pytest.approx(1 / 5)
    assert result.retrieval.differences["gold"]["mrr"].clusters == 3


def test_known_answers_take_their_place() -> None:
    assert each(effect(), "gold")["h2"]["rewrite"] == "Where is the Dunmore harp kept?"
    assert each(effect(previous="none"), "gold")["h2"]["rewrite"] == "Where is kept?"


def test_an_answer_to_another_question_takes_no_place() -> None:
    [first, second] = HARP.questions
    key = msgspec.structs.replace(second.key, refers="h1")
    third = msgspec.structs.replace(
        second, id="h3", previous=("a barn",), previous_of="h2", key=key
    )
    harp = msgspec.structs.replace(HARP, questions=(first, second, third))
    assert each(effect(harp), "gold")["h3"]["rewrite"] == "Where is kept?"


def test_what_is_read_is_marked_by_our_metrics() -> None:
    result = effect(metrics=("em", "f1", "contains"))
    gold = each(result, "gold")
    assert gold["f1"]["answer"] == "Bo Lund steers the Lindow ferry."
    answers = {id: str(item["answer"]) for id, item in gold.items()}
    # The same answers handed in as a sitting of a comprehension test of the same questions.
    parts = [
        passage(
            item.id,
            *(
                Question(
                    id=asked.id,
                    text=asked.text,
                    key=QuestionKey(
                        answers=tuple(Answer(text=text) for text in asked.key.fields["answers"])
                    ),
                )
                for asked in item.questions
                if asked.key is not None and asked.key.fields
            ),
            text=TEXTS[item.id],
        )
        for item in (MILL, FERRY, HARP)
    ]
    marks = readmark.mark(
        comprehension(*parts, language="en"), answers, metrics=["em", "f1", "contains"]
    )
    for name, mark in marks.marks.items():
        assert result.retrieved.marks["gold"][name].score == pytest.approx(mark.score)
    # m2 as it stands retrieves nothing: it is unanswered, and wrong.
    assert each(result, "none")["m2"]["answer"] is None
    assert each(result, "none")["m2"]["answer_on_right"] is not None


@pytest.mark.parametrize("metric", ["humsent", "autsent", "precision", "recall", "average"])
def test_any_reading_metric_marks(metric: str) -> None:
    result = effect(metrics=(metric,))
    assert result.retrieved.marks["gold"][metric].score is not None
    assert result.right.differences["gold"][metric].units == 5


def test_none_comes_first_whatever_is_named() -> None:
    result = effect(rewriters=("append",))
    assert result.strategies == ["none", "append"]
    assert list(result.retrieval.differences) == ["append"]


def test_units_smaller_than_passages() -> None:
    result = effect(unit="sentence")
    assert result.searched == 7
    gold = each(result, "gold")
    assert gold["f1"]["retrieved"] == "ferry"
    assert gold["f1"]["mrr"] == 1.0
    # "the Orrin mill burned down in May" shares more with its question than the other sentence.
    assert gold["m2"]["recall@1"] == 1.0
    assert effect(unit="paragraph").searched == 4


def test_a_background_makes_it_harder(tmp_path: Path) -> None:
    other = comprehension(
        passage("x", text="It was built to be built, and whoever built it built well."),
        passage("mill", text="A mill."),
        passage("same", text=TEXTS["mill"]),
        language="en",
    )
    result = effect(background=[other])
    assert (result.searched, result.background) == (5, 2)
    assert "left out of the background, since also in the test: 1 passage" in result.notes
    assert each(result, "none")["m1"]["mrr"] == 0.5
    assert each(result, "none")["m1"]["retrieved"] == "<memory>:x"
    assert each(result, "gold")["m1"]["mrr"] == 1.0


def test_grades_of_a_question_give_ndcg() -> None:
    graded = Series(
        id="g",
        target="Orrin mill",
        questions=(
            question(
                "g1",
                "Who built it?",
                "Who built the Orrin mill?",
                "Ada Pell",
                passages={"mill": 1, "ferry": 3},
            ),
        ),
    )
    result = effect(graded)
    assert result.retrieval.metrics == ["mrr", "recall@1", "recall@5", "ndcg@10"]
    value = each(result, "none")["g1"]["ndcg@10"]
    assert value == pytest.approx((1 + 3 / 1.584962500721156) / (3 + 1 / 1.584962500721156))
    assert result.each[0]["right"] == "ferry"


def test_the_order_of_files_decides_nothing() -> None:
    turned = comprehension(
        *(passage(id, text=text) for id, text in reversed(TEXTS.items())), language="en"
    )
    first, second = effect(), effect(HARP, FERRY, MILL, over=turned)
    assert first.retrieval.marks == second.retrieval.marks
    assert first.retrieved.marks == second.retrieved.marks
    assert first.right.differences == second.right.differences


def test_rewrites_of_a_sitting(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text('{"m1": "Who built the Orrin mill?"}', encoding="utf-8")
    result = effect(sittings=[path])
    assert result.strategies == ["none", "gold", "mine"]
    assert each(result, "mine")["m1"]["mrr"] == 1.0
    assert result.failed == {"mine": ["m2", "f1", "h1", "h2"]}
    assert result.retrieval.marks["mine"]["mrr"].score == pytest.approx(1 / 5)
    assert any(note.startswith("mine: no rewrite") for note in result.notes)
    readmark.sit(series(MILL), "none", tmp_path / "other.jsonl")
    with pytest.raises(DataError, match="another paper"):
        effect(sittings=[tmp_path / "other.jsonl"])


def test_questions_without_a_gold_are_asked_as_they_stand() -> None:
    bare = Series(
        id="b",
        target="Orrin mill",
        fields={"passages": ["mill"]},
        questions=(question("b1", "Who built it?", "", "Ada Pell"),),
    )
    result = effect(bare)
    assert each(result, "gold")["b1"]["rewrite"] == "Who built it?"
    assert any("they have no gold: 1 (b1)" in note for note in result.notes)


def test_an_answer_that_stands_nowhere_is_left_out_of_smaller_units() -> None:
    odd = Series(
        id="o",
        target="Orrin mill",
        fields={"passages": ["mill"]},
        questions=(question("o1", "Who?", "Who built the Orrin mill?", "Nobody"),),
    )
    result = effect(MILL, odd, unit="sentence")
    assert (result.questions, result.left_out) == (2, 2)
    assert any("answered in no sentence" in note for note in result.notes)
    with pytest.raises(DataError, match="no answer"):
        effect(odd, unit="sentence")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"passages": ["attic"]}, "names the passage 'attic'"),
        ({"passages": "mill"}, "expected a list of ids"),
        ({"passages": {"mill": -1}}, "expected a list of ids"),
        ({}, "no question has known passages"),
    ],
)
def test_bad_series(fields: dict[str, Any], message: str) -> None:
    bad = Series(id="b", target="x", fields=fields, questions=MILL.questions)
    with pytest.raises(DataError, match=message):
        effect(bad)


def test_bad_usage() -> None:
    with pytest.raises(UsageError, match="expected series"):
        series_effect(passages(), passages())
    with pytest.raises(UsageError, match="a comprehension test"):
        series_effect(series(MILL), series(MILL))
    with pytest.raises(UsageError, match="is in zh"):
        series_effect(series(MILL, language="zh"), passages())
    with pytest.raises(UsageError, match="not one of passage"):
        effect(unit="page")
    with pytest.raises(UsageError, match="sits series tests"):
        effect(reader="append")
    with pytest.raises(UsageError, match="did you mean guided"):
        effect(rewriters=("gided",))
    other = comprehension(passage("x"), language="de")
    with pytest.raises(UsageError, match="in de, the bundled series are in en and zh"):
        bundled_effects(EffectSettings(background=[other]))


def test_the_least_p() -> None:
    assert [least_p(count) for count in (1, 2, 4, 6)] == [1.0, 0.5, 0.125, 0.03125]


def test_the_bundled_series_at_once() -> None:
    beside = comprehension(passage("x", text="天气很好。"), language="zh")
    how = EffectSettings(rewriters=("append",), reader="lead", settings=FEW, background=[beside])
    effects = bundled_effects(how)
    assert [result.background for result in effects] == [0, 1]
    assert [result.language for result in effects] == ["en", "zh"]
    for result in effects:
        before, after = (
            result.retrieval.marks[name]["recall@1"].score for name in ("none", "append")
        )
        assert before is not None
        assert after is not None
        assert before < after


@pytest.mark.parametrize("width", range(70, 90))
def test_no_line_ends_in_a_blank(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    shown().show(make_console())
    lines = capsys.readouterr().out.splitlines()
    assert not [line for line in lines if line != line.rstrip()]
    assert "difference from none with its p, Holm-adjusted" in " ".join(lines)


@functools.cache
def shown() -> Effect:
    return effect(rewriters=("append", "gold"))


@pytest.mark.slow
def test_the_command(readmark_cli: Any, tmp_path: Path) -> None:
    save_test(series(MILL, FERRY, HARP), tmp_path / "s.jsonl")
    save_test(passages(), tmp_path / "p.jsonl")
    call = ("series", "effect", "s.jsonl", "p.jsonl", "-r", "bow", "-w", "append", "-w", "gold")
    done = readmark_cli(*call, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    [document] = json.loads(done.stdout)["effects"]
    assert document["strategies"] == ["none", "append", "gold"]
    assert set(document["retrieval"]["append"]["mrr"]) >= {"score", "low", "high", "against"}
    assert document["reading"]["right"]["gold"]["f1"]["against"]["a"] == "none"
    assert set(document["signatures"]) == {"none", "append", "bow"}
    again = readmark_cli(*call, "--json", cwd=tmp_path)
    assert again.stdout == done.stdout
    printed = readmark_cli(*call, cwd=tmp_path).stdout
    assert "reading what was retrieved, by bow" in printed
    assert "3 series can give no p much below 0.250" in printed
    assert all(len(line) <= 80 or "|" in line for line in printed.splitlines())
    alone = readmark_cli("series", "effect", "s.jsonl", cwd=tmp_path)
    assert alone.returncode == 2
    (tmp_path / "few.json").write_text('{"m1": "Who?"}', encoding="utf-8")
    failed = readmark_cli(*call, "-s", "few.json", cwd=tmp_path)
    assert failed.returncode == 1
    assert "few: no rewrite" in failed.stderr
