import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from oracles import official
from readmark.comprehension.profiles import PROFILES, ScoringProfile, cmrc2018, profile, zh
from readmark.comprehension.profiles.squad import normal
from readmark.core.errors import UsageError

OFFICIAL = ("squad", "squad2", "cmrc2018", "smart")
VARIANTS = [
    *(profile(name) for name in PROFILES),
    profile("zh", match="subsequence"),
    profile("zh", match="bag"),
]

PIECES = [
    *"ab中文京。，.,-−_…·〇%$()'\"`—“”’!?;:éЯ½²①℃\u3000\n ",
    *["the ", "a ", " An ", "cannot", "Nova ", "new ", "york ", "3.5", "1,234", "'s ", "北京市"],
]
answers = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str]:
    """A reference and an answer that often share a stretch."""
    before, shared, after = draw(answers), draw(answers), draw(answers)
    return before + shared, draw(st.sampled_from([shared + after, before + shared, after]))


def has_token(name: str, text: str) -> bool:
    if name == "cmrc2018":
        return bool(cmrc2018.split(cmrc2018.bare(text)))
    if name == "zh":
        return bool(zh.tokens(text))
    return bool(normal(text))


@pytest.mark.parametrize("name", OFFICIAL)
@given(pair=pairs())
def test_scores_are_the_official_ones(name: str, pair: tuple[str, str]) -> None:
    reference, answer = pair
    rules = profile(name)
    assert rules.em(reference, answer) == official.EM[name](reference, answer)
    expected = official.F1[name](reference, answer)
    assert rules.f1(reference, answer) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", OFFICIAL)
@given(reference=st.text(), answer=st.text())
def test_scores_are_the_official_ones_on_any_text(name: str, reference: str, answer: str) -> None:
    rules = profile(name)
    assert rules.em(reference, answer) == official.EM[name](reference, answer)
    expected = official.F1[name](reference, answer)
    assert rules.f1(reference, answer) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: " ".join(rules.signature().values()))
@given(pair=pairs())
@example(pair=("……", "……"))
@example(pair=("a.", ""))
def test_invariants(rules: ScoringProfile, pair: tuple[str, str]) -> None:
    reference, answer = pair
    em, f1 = rules.em(reference, answer), rules.f1(reference, answer)
    assert em in (0.0, 1.0)
    assert 0.0 <= f1 <= 1.0
    if has_token(rules.name, reference):
        assert em <= f1
        assert rules.em(reference, reference) == rules.f1(reference, reference) == 1.0
        assert rules.contains(reference, reference) == 1.0
        assert rules.contains(reference, answer) >= em
    else:
        assert rules.contains(reference, answer) == 0.0


@given(pair=pairs())
def test_a_run_is_a_subsequence_and_a_subsequence_a_bag(pair: tuple[str, str]) -> None:
    marks = [profile("zh", match=m).f1(*pair) for m in ("substring", "subsequence", "bag")]
    assert marks == sorted(marks)


@pytest.mark.parametrize(
    ("match", "expected"),
    # 红绿蓝白 against 红黄蓝绿白: the runs are single, 红蓝白 and 红绿白 in order, four in all
    [("substring", 2 / 9), ("subsequence", 6 / 9), ("bag", 8 / 9)],
)
def test_match(match: str, expected: float) -> None:
    assert profile("zh", match=match).f1("红绿蓝白", "红黄蓝绿白") == expected


@pytest.mark.parametrize(
    ("name", "reference", "answer", "expected"),
    [
        ("squad", "the copper kettle", "a big copper kettle!", 1),
        ("squad", "copper kettle", "copper-kettle", 0),
        ("squad", "the", "the kettle", 0),  # no token left to look for
        ("squad", "", "kettle", 0),
        ("squad2", "", "", 0),
        ("cmrc2018", "李大同", "主编“李大同”。", 1),
        ("cmrc2018", "3", "3.5", 0),
        ("cmrc2018", "nova", "supernova", 0),
        ("smart", "nova", "supernova", 1),
        ("smart", "cd", "c d", 1),
        ("zh", "李大同", "主编「李大同」", 1),
        ("zh", "5", "-5", 0),
        ("zh", "5度", "35度", 0),
        ("zh", "3.5%", "约３．５％的人", 1),
        ("zh", "……", "等……", 0),
    ],
)
def test_contains(name: str, reference: str, answer: str, expected: float) -> None:
    assert profile(name).contains(reference, answer) == expected


def test_references() -> None:
    texts = ["the", "", "kettle", "?!"]
    assert profile("squad2").references(texts) == ["kettle"]
    assert profile("squad2").references(["the", "?!"]) == [""]
    assert profile("squad2").references([]) == [""]
    for name in ("squad", "cmrc2018", "smart", "zh"):
        assert list(profile(name).references(texts)) == texts


def test_simplify() -> None:
    pytest.importorskip("opencc")
    rules = profile("zh", simplify=True)
    assert rules.em("台湾大学", "臺灣大學") == rules.f1("台湾大学", "臺灣大學") == 1.0
    assert profile("zh").f1("台湾大学", "臺灣大學") == 0.25
    assert "opencc" in rules.signature()["script"]


def test_profiles_are_made_once_and_named() -> None:
    assert list(PROFILES) == ["squad", "squad2", "cmrc2018", "smart", "zh"]
    assert [profile(name).name for name in PROFILES] == list(PROFILES)
    assert profile("zh") is profile("zh", match="substring")
    assert profile("zh") is not profile("zh", match="bag")


def test_signatures_tell_profiles_apart() -> None:
    signatures = [tuple(sorted(rules.signature().items())) for rules in VARIANTS]
    assert len(set(signatures)) == len(VARIANTS)
    for rules in VARIANTS:
        assert next(iter(rules.signature())) == "profile"
        assert "match" in rules.signature()


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("cmrc2081", {}, "unknown profile 'cmrc2081'; did you mean cmrc2018?"),
        ("xx", {}, "unknown profile 'xx'; known: squad, squad2, cmrc2018, smart, zh"),
        ("squad", {"match": "bag"}, "profile squad has no match=bag; only zh and"),
        ("smart", {"simplify": True}, "profile smart has no simplify; only zh has it"),
        ("zh", {"match": "substrings"}, "has no match=substrings; did you mean substring?"),
    ],
)
def test_bad_usage(name: str, options: dict[str, bool], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        profile(name, **options)  # type: ignore[arg-type]
    assert message in str(caught.value)


GOLDEN = [
    ("cmrc2018", "cmrc2018_trial.expected.json", "golden/cmrc2018_trial.predictions.json"),
    ("squad", "xquad_en.logistic_regression_baseline.expected.json", None),
    ("squad", "xquad_en.match-lstm_with_ans-ptr.expected.json", None),
]


def questions(test: Path) -> Iterator[tuple[str, list[str]]]:
    for article in json.loads(test.read_text(encoding="utf-8"))["data"]:
        for paragraph in article["paragraphs"]:
            for question in paragraph["qas"]:
                yield question["id"], [answer["text"] for answer in question["answers"]]


@pytest.mark.golden
@pytest.mark.parametrize(("name", "expected", "predictions"), GOLDEN)
def test_golden(name: str, expected: str, predictions: str | None, shared: Path) -> None:
    gold = json.loads((shared / "golden" / expected).read_text(encoding="utf-8"))
    given_path = shared / (predictions or gold["predictions"])
    given_answers = json.loads(given_path.read_text(encoding="utf-8"))
    rules = profile(name)
    marks, oracle = {}, {}
    for id_, texts in questions(shared / gold["test"]):
        marks[id_] = oracle[id_] = [0.0, 0.0]
        if id_ in given_answers:
            answer = given_answers[id_]
            em = max(rules.em(text, answer) for text in texts)
            f1 = max(rules.f1(text, answer) for text in texts)
            marks[id_] = [em, round(f1, 6)]
            em, f1 = official.best(name, texts, answer)
            oracle[id_] = [em, round(f1, 6)]
    assert len(marks) == gold["questions"]
    assert marks == gold["per_question"]
    assert oracle == gold["per_question"]
