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


def each(found: Effect, strategy: str) -> dict[str, dict[str, Any]]:
    return {one["id"]: one["strategies"][strategy] for one in found.each}


def test_what_is_retrieved() -> None:
    found = effect()
    assert (found.questions, found.clusters, found.left_out) == (5, 3, 2)
    assert (found.searched, found.unit, found.background) == (3, "passage", 0)
    plain, gold = each(found, "none"), each(found, "gold")
    # "built" stands in the passages of the mill and of the ferry; the mill's is shorter.
    assert (plain["m1"]["retrieved"], plain["m1"]["mrr"]) == ("mill", 1.0)
    assert (plain["m2"]["retrieved"], plain["m2"]["mrr"]) == (None, 0.0)
    assert (gold["m2"]["retrieved"], gold["m2"]["mrr"]) == ("mill", 1.0)
    assert found.retrieval.marks["none"]["mrr"].score == pytest.approx(4 / 5)
    assert found.retrieval.marks["gold"]["recall@1"].score == 1.0
    assert found.retrieval.differences["gold"]["mrr"].difference == pytest.approx(1 / 5)
    assert found.retrieval.differences["gold"]["mrr"].clusters == 3


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
    found = effect(metrics=("em", "f1", "contains"))
    gold = each(found, "gold")
    assert gold["f1"]["answer"] == "Bo Lund steers the Lindow ferry."
    answers = {id: str(one["answer"]) for id, one in gold.items()}
    # The same answers handed in as a sitting of a comprehension test of the same questions.
    parts = [
        passage(
            one.id,
            *(
                Question(
                    id=asked.id,
                    text=asked.text,
                    key=QuestionKey(
                        answers=tuple(Answer(text=text) for text in asked.key.fields["answers"])
                    ),
                )
                for asked in one.questions
                if asked.key is not None and asked.key.fields
            ),
            text=TEXTS[one.id],
        )
        for one in (MILL, FERRY, HARP)
    ]
    marks = readmark.mark(
        comprehension(*parts, language="en"), answers, metrics=["em", "f1", "contains"]
    )
    for name, mark in marks.marks.items():
        assert found.retrieved.marks["gold"][name].score == pytest.approx(mark.score)
    # m2 as it stands retrieves nothing: it is unanswered, and wrong.
    assert each(found, "none")["m2"]["answer"] is None
    assert each(found, "none")["m2"]["answer_on_right"] is not None


@pytest.mark.parametrize("metric", ["humsent", "autsent", "precision", "recall", "average"])
def test_any_reading_metric_marks(metric: str) -> None:
    found = effect(metrics=(metric,))
    assert found.retrieved.marks["gold"][metric].score is not None
    assert found.right.differences["gold"][metric].units == 5


def test_none_comes_first_whatever_is_named() -> None:
    found = effect(rewriters=("append",))
    assert found.strategies == ["none", "append"]
    assert list(found.retrieval.differences) == ["append"]


def test_units_smaller_than_passages() -> None:
    found = effect(unit="sentence")
    assert found.searched == 7
    gold = each(found, "gold")
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
    found = effect(background=[other])
    assert (found.searched, found.background) == (5, 2)
    assert "left out of the background, since also in the test: 1 passage" in found.notes
    assert each(found, "none")["m1"]["mrr"] == 0.5
    assert each(found, "none")["m1"]["retrieved"] == "<memory>:x"
    assert each(found, "gold")["m1"]["mrr"] == 1.0


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
    found = effect(graded)
    assert found.retrieval.metrics == ["mrr", "recall@1", "recall@5", "ndcg@10"]
    value = each(found, "none")["g1"]["ndcg@10"]
    assert value == pytest.approx((1 + 3 / 1.584962500721156) / (3 + 1 / 1.584962500721156))
    assert found.each[0]["right"] == "ferry"


def test_the_order_of_files_decides_nothing() -> None:
    turned = comprehension(
        *(passage(id, text=text) for id, text in reversed(TEXTS.items())), language="en"
    )
    one, other = effect(), effect(HARP, FERRY, MILL, over=turned)
    assert one.retrieval.marks == other.retrieval.marks
    assert one.retrieved.marks == other.retrieved.marks
    assert one.right.differences == other.right.differences


def test_rewrites_of_a_sitting(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text('{"m1": "Who built the Orrin mill?"}', encoding="utf-8")
    found = effect(sittings=[path])
    assert found.strategies == ["none", "gold", "mine"]
    assert each(found, "mine")["m1"]["mrr"] == 1.0
    assert found.failed == {"mine": ["m2", "f1", "h1", "h2"]}
    assert found.retrieval.marks["mine"]["mrr"].score == pytest.approx(1 / 5)
    assert any(said.startswith("mine: no rewrite") for said in found.notes)
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
    found = effect(bare)
    assert each(found, "gold")["b1"]["rewrite"] == "Who built it?"
    assert any("they have no gold: 1 (b1)" in said for said in found.notes)


def test_an_answer_that_stands_nowhere_is_left_out_of_smaller_units() -> None:
    odd = Series(
        id="o",
        target="Orrin mill",
        fields={"passages": ["mill"]},
        questions=(question("o1", "Who?", "Who built the Orrin mill?", "Nobody"),),
    )
    found = effect(MILL, odd, unit="sentence")
    assert (found.questions, found.left_out) == (2, 2)
    assert any("answered in no sentence" in said for said in found.notes)
    with pytest.raises(DataError, match="no answer"):
        effect(odd, unit="sentence")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"passages": ["attic"]}, "names the passage 'attic'"),
        ({"passages": "mill"}, "expected a list of ids"),
        ({"passages": {"mill": -1}}, "expected a list of ids"),
        ({}, "no question has known passages"),
    ],
)
def test_bad_series(fields: dict[str, Any], said: str) -> None:
    bad = Series(id="b", target="x", fields=fields, questions=MILL.questions)
    with pytest.raises(DataError, match=said):
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
    found = bundled_effects(how)
    assert [one.background for one in found] == [0, 1]
    assert [one.language for one in found] == ["en", "zh"]
    for one in found:
        before, after = (one.retrieval.marks[name]["recall@1"].score for name in ("none", "append"))
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
    [told] = json.loads(done.stdout)["effects"]
    assert told["strategies"] == ["none", "append", "gold"]
    assert set(told["retrieval"]["append"]["mrr"]) >= {"score", "low", "high", "against"}
    assert told["reading"]["right"]["gold"]["f1"]["against"]["a"] == "none"
    assert set(told["signatures"]) == {"none", "append", "bow"}
    again = readmark_cli(*call, "--json", cwd=tmp_path)
    assert again.stdout == done.stdout
    shown = readmark_cli(*call, cwd=tmp_path).stdout
    assert "reading what was retrieved, by bow" in shown
    assert "3 series can give no p much below 0.250" in shown
    assert all(len(line) <= 80 or "|" in line for line in shown.splitlines())
    alone = readmark_cli("series", "effect", "s.jsonl", cwd=tmp_path)
    assert alone.returncode == 2
    (tmp_path / "few.json").write_text('{"m1": "Who?"}', encoding="utf-8")
    failed = readmark_cli(*call, "-s", "few.json", cwd=tmp_path)
    assert failed.returncode == 1
    assert "few: no rewrite" in failed.stderr
