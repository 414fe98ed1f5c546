"""Metrics on small tests: vectors worked by hand, default profiles, names, signatures."""

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import readmark
from made import asked, comprehension, passage, sat
from readmark.core.errors import DataError, UsageError
from readmark.core.parsed_names import parse_name
from readmark.core.records import Answer, QuestionKey
from readmark.core.test import Header, Test, in_memory
from readmark.marking.metrics import METRICS, build_metrics, is_additive
from readmark.marking.results import Marks
from readmark.marking.settings import MarkSettings
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey

ENGLISH = comprehension(
    passage("p1", asked("q1", "the copper kettle"), asked("q2", "iron pot", "kettle")),
    passage("p2", asked("q3", "seven boats")),
)
CHINESE_TEXT = "码头上停着七条木船，船夫老周正在补网。"
CHINESE = comprehension(
    passage("p1", asked("q1", "七条木船"), asked("q2", "老周", "船夫老周"), text=CHINESE_TEXT),
    passage("p2", asked("q3", "补网"), text=CHINESE_TEXT),
)
UNANSWERABLE = comprehension(
    passage("p1", asked("q1", "kettle"), asked("q2", unanswerable=True)),
)
SERIES = in_memory(
    Header(kind="series", name="made"),
    [
        Series(
            id="s1",
            target="Copper Kettle Inn",
            questions=(
                SeriesQuestion(
                    id="s1.1",
                    text="Who owns it?",
                    key=SeriesQuestionKey(
                        rewrites=(
                            Answer(text="Who owns the Copper Kettle Inn?"),
                            Answer(text="Whose is the Copper Kettle Inn?"),
                        )
                    ),
                ),
                SeriesQuestion(
                    id="s1.2",
                    text="When was it built?",
                    key=SeriesQuestionKey(rewrites=(Answer(text="When was the inn built?"),)),
                ),
            ),
        )
    ],
)


def vectors(test: Test, answers: dict[str, str], *metrics: str) -> dict[str, list[list[float]]]:
    found = readmark.mark(test, sat(answers), metrics=metrics)
    return {name: matrix.tolist() for name, matrix in found.unit_vectors.by_metric.items()}


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        # q1 "A big copper kettle!": of big copper kettle, two stand among copper kettle
        # q2 "iron kettle": half of iron pot (1/2), all of kettle (2/3); q3 is not answered
        ("em", [[0, 1], [0, 1], [0, 1]]),
        ("f1", [[4 / 5, 1], [2 / 3, 1], [0, 1]]),
        ("average", [[2 / 5, 1], [1 / 3, 1], [0, 1]]),
        ("contains", [[1, 1], [1, 1], [0, 1]]),
        # without spaces: bigcopperkettle 15, copperkettle 12, all shared; ironkettle 10 and
        # kettle 6, all shared (6/8), ironpot 7 shares iront (5/8.5)
        ("f1(profile=smart)", [[24 / 27, 1], [12 / 16, 1], [0, 1]]),
    ],
)
def test_english_vectors(metric: str, expected: list[list[float]]) -> None:
    answers = {"q1": "A big copper kettle!", "q2": "iron kettle"}
    found = vectors(ENGLISH, answers, metric)[metric]
    assert found == [pytest.approx(row, abs=1e-9) for row in expected]


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        # 木船七条 against 七条木船: runs of two of four; 船夫老周 is the second answer to q2
        ("em", [[0, 1], [1, 1], [1, 1]]),
        ("f1", [[1 / 2, 1], [1, 1], [1, 1]]),
        ("average", [[1 / 4, 1], [1, 1], [1, 1]]),
        ("contains", [[0, 1], [1, 1], [1, 1]]),
        ("f1(profile=zh)", [[1 / 2, 1], [1, 1], [1, 1]]),
        ("f1(profile=zh,match=subsequence)", [[1 / 2, 1], [1, 1], [1, 1]]),
        ("f1(profile=zh,match=bag)", [[1, 1], [1, 1], [1, 1]]),
    ],
)
def test_chinese_vectors(metric: str, expected: list[list[float]]) -> None:
    answers = {"q1": "木船七条", "q2": "“船夫老周”。", "q3": "补网"}
    assert vectors(CHINESE, answers, metric)[metric] == expected


def test_average_of_an_exact_match_without_a_token() -> None:
    # Bare strings are equal, so EM is 1; there is no token to share, so F1 is 0.
    test = comprehension(passage("p", asked("q", "。", "水。"), text=CHINESE_TEXT))
    found = vectors(test, {"q": "。"}, "em", "f1", "average")
    assert found == {"em": [[1, 1]], "f1": [[0, 1]], "average": [[0.5, 1]]}


def test_a_question_with_a_marked_sentence_alone_counts_for_none_of_them() -> None:
    # Its key has no answer in words: the average of EM and F1 is over the questions of both.
    marked = asked("q2")
    marked = msgspec.structs.replace(marked, key=QuestionKey(sentences=((0, 9),)))
    test = comprehension(passage("p", asked("q1", "七条木船"), marked, text=CHINESE_TEXT))
    found = vectors(test, {"q1": "七条木船", "q2": "补网"}, "em", "f1", "average")
    assert found == {name: [[1, 1], [0, 0]] for name in ("em", "f1", "average")}


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({"q1": "", "q2": ""}, [[0, 1], [1, 1]]),  # saying nothing is right where nothing is
        ({"q1": "the kettle", "q2": "a"}, [[1, 1], [1, 1]]),  # an article alone is nothing
        ({"q1": "kettle", "q2": "kettle"}, [[1, 1], [0, 1]]),
        ({"q1": "kettle"}, [[1, 1], [0, 1]]),  # not answered at all is wrong even there
    ],
)
def test_unanswerable(answers: dict[str, str], expected: list[list[float]]) -> None:
    found = vectors(UNANSWERABLE, answers, "em", "f1")
    assert found == {"em": expected, "f1": expected}


@pytest.mark.parametrize(
    ("rewrite", "expected"),
    [
        ("Who owns the Copper Kettle Inn?", 1),
        ("  Whose is   the Copper\tKettle Inn? ", 1),
        ("who owns the copper kettle inn?", 0),
        ("Who owns the Copper Kettle Inn", 0),
        ("WhoownstheCopperKettleInn?", 0),
        ("", 0),
    ],
)
def test_exact(rewrite: str, expected: float) -> None:
    assert vectors(SERIES, {"s1.1": rewrite}, "exact") == {"exact": [[expected, 1], [0, 1]]}


@pytest.mark.parametrize(("name", "scale"), [("em", 100), ("f1", 100), ("exact", 1)])
def test_aggregate(name: str, scale: float) -> None:
    metric = METRICS.build(name)[1]
    sums = np.array([[[3.0, 4.0], [0.5, 1.0]], [[0.0, 2.0], [0.0, 0.0]]])
    found = metric.aggregate(sums)
    assert found.shape == (2, 2)
    assert found[0].tolist() == [0.75, 0.5]
    assert found[1, 0] == 0
    assert np.isnan(found[1, 1])  # of no units there is no mean, and it is not 0
    assert (metric.facts.scale, metric.facts.width, is_additive(metric)) == (scale, 2, True)


def test_scores_are_in_the_metrics_scale_and_units_are_not() -> None:
    found = readmark.mark(ENGLISH, sat({"q1": "copper kettle", "q2": "kettle"}))
    assert found["em"].score == pytest.approx(200 / 3)
    assert found["em"].scale == 100
    assert found.per_unit()["q1"] == {"em": 1, "f1": 1}
    series = readmark.mark(SERIES, sat({"s1.2": "When was the inn built?"}))
    assert (series["exact"].score, series["exact"].scale) == (0.5, 1)


def profile_of(result: Marks, name: str = "f1") -> str:
    return dict(part.split(":", 1) for part in result[name].signature.split("|"))["profile"]


@pytest.mark.parametrize(
    ("test", "header", "profile", "names"),
    [
        (ENGLISH, {}, "squad", ["em", "f1"]),
        (ENGLISH, {"profile": "smart"}, "smart", ["em", "f1"]),
        (ENGLISH, {"profile": "zh"}, "zh", ["em", "f1"]),
        (UNANSWERABLE, {}, "squad2", ["em", "f1"]),
        (UNANSWERABLE, {"profile": "squad"}, "squad", ["em", "f1"]),
        (CHINESE, {}, "cmrc2018", ["em", "f1", "average", "f1(profile=zh)"]),
        (CHINESE, {"profile": "cmrc2018"}, "cmrc2018", ["em", "f1", "average", "f1(profile=zh)"]),
        (CHINESE, {"profile": "smart"}, "smart", ["em", "f1", "f1(profile=zh)"]),
        (CHINESE, {"profile": "zh"}, "zh", ["em", "f1"]),
        # the file's language goes before what the letters say
        (ENGLISH, {"language": "zh"}, "cmrc2018", ["em", "f1", "average", "f1(profile=zh)"]),
        (CHINESE, {"language": "en"}, "squad", ["em", "f1"]),
    ],
)
def test_default_profile(
    test: Test, header: dict[str, str], profile: str, names: list[str]
) -> None:
    test = comprehension(*test.records(), **header)
    found = readmark.mark(test, sat({"q1": "kettle"}))
    assert list(found.marks) == names
    assert profile_of(found, "em") == profile_of(found) == profile
    if "f1(profile=zh)" in names:
        assert profile_of(found, "f1(profile=zh)") == "zh"


def test_unanswerable_chinese_keeps_the_chinese_rules() -> None:
    test = comprehension(
        passage("p", asked("q1", "老周"), asked("q2", unanswerable=True), text=CHINESE_TEXT)
    )
    assert profile_of(readmark.mark(test, sat({"q1": "老周"}))) == "cmrc2018"


def test_language_by_letters() -> None:
    # 3 Han letters of 10 are not over 30%; 4 of 11 are
    for text, profile in (("猫狗鸟 abcdefg", "squad"), ("猫狗鸟鱼 abcdefg", "cmrc2018")):
        test = comprehension(passage("p", asked("q", "abc"), text=text))
        assert profile_of(readmark.mark(test, sat({"q": "abc"}))) == profile


@pytest.mark.parametrize("language", ["zh-TW", "zh-Hans", "ZH"])
def test_language_tags_with_more_than_a_language(language: str) -> None:
    test = comprehension(*CHINESE.records(), language=language)
    found = readmark.mark(test, sat({"q1": "木船"}))
    assert list(found.marks) == ["em", "f1", "average", "f1(profile=zh)"]
    assert profile_of(found) == "cmrc2018"


def test_smart_files_bring_their_profile(tmp_path: Path) -> None:
    question = {
        "id": "q1",
        "question": "谁在补网？",
        "level": 2,
        "answers": [{"text": "老周", "answer_start": CHINESE_TEXT.index("老周")}],
    }
    document = {
        "version": "1.0",
        "data": [{"title": "码头", "paragraphs": [{"context": CHINESE_TEXT, "qas": [question]}]}],
    }
    file = tmp_path / "smart.json"
    file.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    found = readmark.mark(readmark.load(file), sat({"q1": "周老"}), by=["level"])
    assert profile_of(found) == "smart"
    assert found["f1"].score == 100  # bags of characters: their order does not count
    assert found["f1(profile=zh)"].score == 50
    assert list(found.by["level"]) == ["2"]


def test_unknown_profile_of_a_header_is_bad_data() -> None:
    test = comprehension(*ENGLISH.records(), profile="sqaud")
    with pytest.raises(DataError, match="'sqaud' is unknown; did you mean squad"):
        readmark.mark(test, sat({}))


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ("f1", "f1"),
        ("f1()", "f1"),
        (" f1 ( ) ", "f1"),
        ("f1( match = bag , profile=zh )", "f1(profile=zh,match=bag)"),
        ('f1(profile="zh")', "f1(profile=zh)"),
        ("f1(match=bag,simplify=false,profile=zh)", "f1(profile=zh,simplify=false,match=bag)"),
        ("em(profile=cmrc2018)", "em(profile=cmrc2018)"),
    ],
)
def test_names_are_canonical(given: str, canonical: str) -> None:
    found = readmark.mark(ENGLISH, sat({"q1": "kettle"}), metrics=[given])
    assert list(found.marks) == [canonical]
    assert found[canonical].signature.startswith(f"metric:{canonical}|")
    assert list(found.per_unit()["q1"]) == [canonical]
    assert str(parse_name(canonical)) == canonical


def test_a_metric_asked_for_twice_is_marked_once() -> None:
    found = build_metrics(["f1", "f1()", "em", "f1(profile=squad)"], ENGLISH)
    assert list(found) == ["f1", "em", "f1(profile=squad)"]


@pytest.mark.parametrize(
    ("test", "name", "message"),
    [
        (ENGLISH, "exact", "metric exact marks series tests, this one is comprehension"),
        (SERIES, "f1", "metric f1 marks comprehension tests, this one is series"),
        (ENGLISH, "avarage", "unknown metric 'avarage'; did you mean average?"),
        (ENGLISH, "f1(profil=zh)", "no parameter 'profil'; did you mean profile?"),
        (ENGLISH, "em(match=bag)", "metric em has no parameter 'match'"),
        (SERIES, "exact(profile=zh)", "metric exact has no parameter 'profile'; it takes none"),
        (ENGLISH, "f1(profile=squad3)", "is not one of squad|squad2|cmrc2018|smart|zh"),
        (ENGLISH, "f1(match=bag)", "profile squad has no match=bag; only zh and cmrc2018 have"),
        (CHINESE, "f1(match=bag)", "profile cmrc2018 has no match=bag; known: substring"),
        (ENGLISH, "f1(simplify=yes)", "simplify=yes is not true or false"),
        (ENGLISH, "f1(profile=zh,profile=zh)", "gives profile twice"),
        (ENGLISH, "f1(profile=zh", "cannot read the parameters"),
        (ENGLISH, "F1", "not a name"),
    ],
)
def test_bad_metrics(test: Test, name: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        readmark.mark(test, sat({}), metrics=[name])
    assert message in str(caught.value)


def signature(metric: str = "f1(profile=zh)", test: Test = CHINESE, **settings: Any) -> str:
    made = MarkSettings(**{"draws": 10, **settings})
    return readmark.mark(test, sat({"q1": "船"}), metrics=[metric], settings=made)[metric].signature


def test_signature_says_everything() -> None:
    parts = dict(part.split(":", 1) for part in signature("f1(profile=squad)").split("|"))
    assert parts == {
        "metric": "f1(profile=squad)",
        "profile": "squad",
        "normal": "lower,-punctuation(ascii),-articles,spaces",
        "tokens": "words",
        "match": "bag",
        "references": "best",
        "units": "mean",
        "clusters": "passage",
        "interval": "percentile",
        "confidence": "0.95",
        "draws": "10",
        "seed": "1",
        "readmark": readmark.__version__,
    }


def test_signature_changes_with_whatever_decides_the_number() -> None:
    pytest.importorskip("opencc")
    made = [
        signature(),
        signature(seed=2),
        signature(draws=11),
        signature(confidence=0.9),
        signature(interval="bca"),
        *(signature(f"f1(profile={name})") for name in ("squad", "squad2", "cmrc2018", "smart")),
        signature("f1(profile=zh,match=bag)"),
        signature("f1(profile=zh,match=subsequence)"),
        signature("f1(profile=zh,simplify=true)"),
        signature("em(profile=zh)"),
        signature("average(profile=zh)"),
        signature("contains(profile=zh)"),
    ]
    # beside the metric's name, so that a resolved default is told apart as well
    assert len({one.split("|", 1)[1] for one in made}) == len(made)


def test_signature_tells_what_a_default_became() -> None:
    rest = [
        signature(name, test).split("|", 1)[1]
        for name, test in (
            ("f1", CHINESE),
            ("f1(profile=cmrc2018)", ENGLISH),
            ("f1", ENGLISH),
            ("f1(profile=squad)", CHINESE),
        )
    ]
    assert rest[0] == rest[1] != rest[2] == rest[3]
    assert "profile:cmrc2018" in rest[0]
    assert "profile:squad|" in rest[2]


def test_signature_of_contains_does_not_claim_a_bag() -> None:
    assert "match:whole" in signature("contains(profile=squad)")
    assert "match:" not in signature("em(profile=squad)")


@pytest.mark.parametrize(
    ("name", "reference", "answer", "expected"),
    [
        ("contains(profile=squad)", "art", "The art of war", 1.0),
        ("contains(profile=squad)", "art", "The party", 0.0),
        ("contains(profile=squad)", "the red kite", "It was a red kite, they say.", 1.0),
        ("contains(profile=squad)", "red kite", "a kite that is red", 0.0),
        ("contains(profile=squad)", "nine in the morning", "nine", 0.0),
        ("contains(holder=reference,profile=squad)", "nine in the morning", "nine", 1.0),
        ("contains(holder=reference,profile=squad)", "nine in the morning", "", 0.0),
        ("contains(holder=reference,profile=squad)", "nine", "at nine", 0.0),
        ("contains(holder=either,profile=squad)", "nine", "at nine", 1.0),
        ("contains(holder=either,profile=squad)", "at nine", "nine", 1.0),
        ("contains(profile=cmrc2018)", "旧码头", "船从旧码头开出。", 1.0),
        ("contains(profile=cmrc2018)", "旧码头", "旧的码头", 0.0),
        ("contains(profile=cmrc2018)", "184", "在1840年", 0.0),
        ("contains(profile=zh)", "1840年", "是１８４０年", 1.0),
        ("em(profile=squad)", "Tom", "The answer is Tom.", 0.0),
        ("em(extract=true,profile=squad)", "Tom", "The answer is Tom.", 1.0),
        ("f1(extract=true,profile=squad)", "red kite", "Answer: the red kite", 1.0),
        ("average(extract=true,profile=cmrc2018)", "周日", "答案是周日。因为那天有风。", 1.0),
        ("em(extract=true,profile=cmrc2018)", "周日", "周日", 1.0),
    ],
)
def test_wordy_answers(name: str, reference: str, answer: str, expected: float) -> None:
    metric: Any = METRICS.build(name)[1]
    (one,) = comprehension(passage("p", asked("q", reference))).units()
    vector = metric.statistics(one, ((Answer(text=reference),),), Answer(text=answer))
    assert tuple(vector) == (expected, 1.0)


def test_extraction_is_in_the_signature_where_it_is_done() -> None:
    assert "extract:wording-2" in signature("f1(profile=squad,extract=true)")
    assert "extract" not in signature("f1(profile=squad)")
    assert "holder:reference" in signature("contains(profile=squad,holder=reference)")
