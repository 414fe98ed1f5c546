"""Few clusters: intervals by the jackknife, what the tables say, and what p can reach."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from click.testing import CliRunner

import readmark
from installed import Lazy
from made import asked, comprehension, passage, sat
from paired import FIRST, SECOND, TEST, A, B, sitting_of, test_of
from readmark.cli.main import cli
from readmark.core.display import make_console
from readmark.core.errors import UsageError
from readmark.core.test import Header, in_memory
from readmark.marking import Comparisons, MarkSettings
from readmark.marking.comparison_tables import is_out_of_reach
from readmark.readability.kind import RatedPassage, Rating, RatingKey
from readmark.statistics.interval_methods import few_words
from sheets import GOOD, POOR, harbour, sheet, sitting

scipy_stats = Lazy("scipy.stats")

JACKKNIFE = MarkSettings(interval="jackknife", draws=200, trials=500)
DRAWN = MarkSettings(draws=200, trials=500)
NARROW = "percentile intervals are too narrow; use --interval jackknife"
Values = dict[str, list[int]]


def error_of(clusters: list[tuple[float, int]]) -> tuple[float, float]:
    """A ratio of sums and its jackknife standard error, by a plain loop."""
    top, bottom = sum(one[0] for one in clusters), sum(one[1] for one in clusters)
    away = [(top - own) / (bottom - size) - top / bottom for own, size in clusters]
    n = len(clusters)
    return top / bottom, math.sqrt((n - 1) / n * sum(one * one for one in away))


def test_a_mark_by_another_implementation() -> None:
    values = {"p1": [1, 0, 1], "p2": [1], "p3": [0, 0], "p4": [1, 1, 0, 1], "p5": [1, 0]}
    found = readmark.mark(test_of(values), sitting_of(values, "x"), settings=JACKKNIFE)
    p, error = error_of([(sum(own), len(own)) for own in values.values()])
    t = scipy_stats.t.ppf(0.975, [11, 4])
    size = min(12, p * (1 - p) / error**2 * (t[0] / t[1]) ** 2)
    low = scipy_stats.beta.ppf(0.025, p * size, (1 - p) * size + 1)
    high = scipy_stats.beta.ppf(0.975, p * size + 1, (1 - p) * size)
    mark = found["em"]
    assert (mark.score, mark.low, mark.high) == pytest.approx((100 * p, 100 * low, 100 * high))
    assert "|interval:jackknife|confidence:0.95|seed:1|" in mark.signature
    assert mark.clusters == 5


def test_a_difference_by_hand() -> None:
    """B - A by passage is 2, 1, 0, 0 of 3, 2, 2, 1 questions."""
    one = readmark.compare(TEST, FIRST, SECOND, metrics="em", settings=JACKKNIFE)[0]
    gaps = [(float(sum(B[name]) - sum(A[name])), len(A[name])) for name in A]
    difference, error = error_of(gaps)
    assert difference == 3 / 8
    # Without each: 1/5, 2/6, 3/6, 3/7; squares of what is left sum to 0.0508559
    assert error == pytest.approx(math.sqrt(0.75 * 0.0508559), abs=1e-6)
    reach = 3.182446 * error
    assert (one.low, one.high) == pytest.approx((37.5 - 100 * reach, 37.5 + 100 * reach), abs=1e-3)
    assert "|interval:jackknife|" in one.signature
    drawn = readmark.compare(TEST, FIRST, SECOND, metrics="em", settings=DRAWN)[0]
    assert (drawn.p, drawn.detectable) == (one.p, one.detectable)


def test_a_difference_is_no_larger_than_the_scale() -> None:
    right, wrong = {"a": [1, 1], "b": [1], "c": [0]}, {"a": [0, 0], "b": [0], "c": [1]}
    one = readmark.compare(
        test_of(right), sitting_of(wrong, "a"), sitting_of(right, "b"), metrics="em",
        settings=JACKKNIFE,
    )[0]  # fmt: skip
    assert (one.low, one.high) == (-100, 100)


def test_people_and_the_ratio_to_them() -> None:
    test = harbour()
    people = readmark.people(test, metrics="em", settings=JACKKNIFE)
    em = people.marks["em"]
    assert "|people:leave-one-out|interval:jackknife|" in em.signature
    assert em.low is not None
    assert em.high is not None
    assert em.low < (em.score or 0) < em.high
    machine = readmark.mark(test, sitting("good", GOOD), metrics="em", settings=JACKKNIFE)
    assert machine.people is not None
    # People agree on 1 of 2, 1 of 2, 0 of 2 and 1 of 1 questions, without articles; the machine
    # has 1.5, 1.5, 1 and 1 over the same sets.
    ratio = machine.people.marks["em"]
    assert (ratio.machine, ratio.people) == pytest.approx((500 / 7, 300 / 7))
    away = [one - 5 / 3 for one in (3.5 / 2, 3.5 / 2, 4 / 3, 4 / 2)]
    reach = 3.182446305284263 * math.sqrt(3 / 4 * sum(one * one for one in away))
    assert (ratio.ratio, ratio.low, ratio.high) == pytest.approx(
        (5 / 3, 5 / 3 - reach, 5 / 3 + reach)
    )


@pytest.mark.parametrize("metric", ["pearson", "spearman"])
def test_a_correlation_by_another_implementation(metric: str) -> None:
    """Sums and rows alike: the correlation without each passage, on Fisher's scale."""
    gold, said = [1.0, 3.0, 2.0, 5.0, 4.0, 2.0], [2.0, 2.5, 3.0, 4.0, 5.0, 1.5]
    passages = [
        RatedPassage(
            id=f"p{at}",
            text="Some text.",
            key=RatingKey(ratings=(Rating(rating=one, annotator="ann"),)),
        )
        for at, one in enumerate(gold)
    ]
    test = in_memory(Header(name="rated", kind="readability"), passages)
    answers = {f"p{at}": one for at, one in enumerate(said)}
    found = readmark.mark(test, sat(answers), metrics=metric, settings=JACKKNIFE)[metric]
    measure = {"pearson": scipy_stats.pearsonr, "spearman": scipy_stats.spearmanr}[metric]
    whole = measure(gold, said).statistic
    left = [
        measure(gold[:at] + gold[at + 1 :], said[:at] + said[at + 1 :]).statistic for at in range(6)
    ]
    error = math.sqrt(5 / 6 * sum((one - whole) ** 2 for one in left))
    reach = scipy_stats.t.ppf(0.975, 5) * error / (1 - whole**2)
    ends = (math.tanh(math.atanh(whole) - reach), math.tanh(math.atanh(whole) + reach))
    assert (found.low, found.high) == pytest.approx(ends, abs=1e-7)
    assert "|interval:jackknife|" in found.signature


def perfect(passages: int) -> tuple[Any, Any]:
    values: Values = {f"p{at:02}": [1, 1, 1] for at in range(passages)}
    return test_of(values), sitting_of(values, "perfect")


def test_all_right_is_not_certain() -> None:
    test, answers = perfect(6)
    drawn = readmark.mark(test, answers, metrics="em", settings=DRAWN)
    assert (drawn["em"].low, drawn["em"].high) == (100, 100)
    assert drawn.scores.interval_notes == [
        f"6 passages (< 10): {NARROW}",
        "em: the same in every draw; an interval without width does not mean that the mark is "
        "certain",
    ]
    found = readmark.mark(test, answers, metrics="em", settings=JACKKNIFE)
    # As six coins that all fell heads.
    assert (found["em"].low, found["em"].high) == (pytest.approx(100 * 0.025 ** (1 / 6)), 100)
    assert found.scores.interval_notes == []


def test_a_constant_difference_has_no_interval() -> None:
    a: Values = {"a": [1, 0], "b": [0, 1], "c": [1, 0]}
    b: Values = {"a": [1, 1], "b": [1, 1], "c": [1, 1]}
    pair = sitting_of(a, "a"), sitting_of(b, "b")
    one = readmark.compare(test_of(a), *pair, metrics="em", settings=JACKKNIFE)[0]
    assert (one.difference, one.low, one.high) == (50, None, None)
    assert one.interval_note == (
        "no interval of the difference: no variation over the passages, or undefined without one "
        "of them"
    )


@pytest.mark.parametrize(
    ("clusters", "interval", "words"),
    [
        (0, "percentile", "0 passages: too few for an interval"),
        (1, "jackknife", "1 passage: too few for an interval"),
        (2, "percentile", f"2 passages (< 10): {NARROW}"),
        (9, "percentile", f"9 passages (< 10): {NARROW}"),
        (9, "bca", f"9 passages (< 10): {NARROW.replace('percentile', 'bca')}"),
        (10, "percentile", None),
        (3, "jackknife", "3 passages: so few leave the intervals wide, but not too narrow"),
        (4, "jackknife", None),
    ],
)
def test_words(clusters: int, interval: str, words: str | None) -> None:
    assert few_words(clusters, "passage", interval) == words


def test_series_are_the_same_in_the_plural() -> None:
    assert str(few_words(5, "series", "percentile")).startswith("5 series (< 10): ")


def mixed(passages: int) -> tuple[Any, Any]:
    """Passages with a right and a wrong answer, the first four at level 1."""
    records = [
        passage(
            f"p{at:02}", *(asked(f"p{at:02}.{to}", "kettle", level=1 + (at > 3)) for to in (0, 1))
        )
        for at in range(passages)
    ]
    answers = {f"p{at:02}.{to}": ("kettle", "boat")[(to + at) % 3 > 0] for at in range(passages) for to in (0, 1)}  # noqa: E501  # fmt: skip
    return comprehension(*records), sat(answers)


def test_slices() -> None:
    test, answers = mixed(20)
    found = readmark.mark(test, answers, metrics="em", by="level", settings=DRAWN)
    assert found.scores.interval_notes == [f"fewer than 10 passages in level 1 (4): {NARROW}"]
    assert found.as_json()["by"]["level"]["1"]["em"]["clusters"] == 4
    few = readmark.mark(*mixed(9), metrics="em", by="level", settings=DRAWN)
    assert few.scores.interval_notes == [f"9 passages (< 10): {NARROW}"]
    assert readmark.mark(*mixed(10), metrics="em", settings=DRAWN).scores.interval_notes == []


def test_units_that_do_not_count_make_no_cluster() -> None:
    """Of three passages one has a question without options, which accuracy does not count."""
    options = {"options": ("kettle", "boat")}
    test = comprehension(
        passage("a", asked("a1", "kettle", **options), asked("a2", "kettle", **options)),
        passage("b", asked("b1", "kettle", **options)),
        passage("c", asked("c1", "kettle")),
    )
    answers = sat({"a1": "kettle", "a2": "boat", "b1": "kettle", "c1": "kettle"})
    mark = readmark.mark(test, answers, metrics="accuracy", settings=JACKKNIFE)["accuracy"]
    assert mark.clusters == 2
    without = comprehension(*list(test.records())[:2])
    same = readmark.mark(without, answers, metrics="accuracy", settings=JACKKNIFE)["accuracy"]
    assert (mark.low, mark.high) == (same.low, same.high)


def test_the_least_p_counts_clusters_that_differ() -> None:
    one = readmark.compare(TEST, FIRST, SECOND, metrics="em", settings=DRAWN)[0]
    assert one.clusters == 4
    assert one.least_p == 0.5  # in p3 the gains cancel out, in p4 there are none
    assert is_out_of_reach(one, [one], 0.05)
    few = MarkSettings(trials=9, draws=10)
    many = {f"p{at}": [1] for at in range(12)}, {f"p{at}": [0] for at in range(12)}
    pair = [sitting_of(values, "x") for values in many]
    one = readmark.compare(test_of(many[0]), *pair, metrics="em", settings=few)[0]
    assert one.least_p == 0.1  # nine trials reach no less


def swept(passages: int, others: int) -> Comparisons:
    """A candidate that has nothing right, and others that have everything."""
    wrong: Values = {f"p{at}": [0] for at in range(passages)}
    right: Values = {f"p{at}": [1] for at in range(passages)}
    sittings = [sitting_of(right, f"right {at}") for at in range(others)]
    return readmark.compare(test_of(wrong), sitting_of(wrong, "wrong"), *sittings, metrics="em")


@pytest.mark.parametrize(
    ("passages", "others", "said"),
    [
        (2, 1, "right 0: no p below 0.5000 can be reached (0.4980 is an estimate of it): with so"),
        (5, 1, "right 0: no p below 0.0625 can be reached: with so few passages that differ"),
        (6, 1, None),
        (
            6,
            2,
            "right 1: no p below 0.0312 can be reached, 0.0625 after Holm: with so few passages",
        ),
        (7, 2, None),
    ],
)
def test_a_p_out_of_reach_is_named(
    passages: int, others: int, said: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    swept(passages, others).show(make_console())
    out = " ".join(capsys.readouterr().out.split())
    assert ("can be reached" in out) == (said is not None)
    assert said is None or said in out
    assert f"{passages} passages (< 10): {NARROW}" in out


def test_the_test_of_no_difference_is_not_rejected_too_often() -> None:
    """Every way to swap six passages is as likely as the one observed: at most 5% below 0.05."""
    from itertools import product

    from oracles.resampled import exact_p

    gaps = [3, 1, 4, 1, 5, 9]
    below = []
    for signs in product((1, -1), repeat=6):
        a = {f"p{at}": [0.0] for at in range(6)}
        b = {f"p{at}": [float(sign * gap)] for at, (sign, gap) in enumerate(zip(signs, gaps, strict=True))}  # noqa: E501  # fmt: skip
        below.append(exact_p(a, b) < 0.05)
    assert fmean(below) <= 0.05
    assert any(below)  # 2 / 64 is reached


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    readmark.save(harbour(), tmp_path / "test.jsonl")
    for name, answers in (("good", GOOD), ("poor", POOR)):
        (tmp_path / f"{name}.json").write_text(json.dumps(answers), encoding="utf-8")

    def call(*words: str) -> str:
        done = CliRunner().invoke(cli, words, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.stdout

    return call


@pytest.mark.command
def test_the_commands(run: Callable[..., str]) -> None:
    for words in (("mark", "test.jsonl", "good.json"), ("people", "test.jsonl")):
        assert f"4 passages (< 10): {NARROW}" in run(*words)
        assert json.loads(run(*words, "--json"))["interval_notes"] == [
            f"4 passages (< 10): {NARROW}"
        ]
        own = run(*words, "--interval", "jackknife", "--full")
        assert "too narrow" not in own
        assert "|interval:jackknife|" in own
        marks = json.loads(run(*words, "--interval", "jackknife", "--json"))["marks"]
        assert marks["f1"]["clusters"] == 4
    words = ("compare", "test.jsonl", "good.json", "poor.json")
    assert f"4 passages (< 10): {NARROW}" in run(*words)
    (told,) = json.loads(run(*words, "--interval", "jackknife", "--json"))["comparisons"]
    assert (told["interval_note"], told["clusters"]) == (None, 4)
    assert told["least_p"] == 0.125
    assert "|interval:jackknife|" in told["signature"]


@pytest.mark.command
def test_the_table(run: Callable[..., str], tmp_path: Path) -> None:
    few = "fewer than 10 passages (harbour 4): the order may be chance; readmark compare tests"
    sheet(tmp_path, harbour(), sitting("good", GOOD))
    assert few in run("table", "good.jsonl")
    assert few in run("table", "good.jsonl", "--format", "markdown").splitlines()[-1]
    assert few in json.loads(run("table", "good.jsonl", "--json"))["few_clusters"]
    test, answers = mixed(10)
    sheet(tmp_path, test, answers, name="many")
    assert "chance" not in run("table", "many.jsonl", "--format", "markdown")


@pytest.mark.parametrize("settings", [DRAWN, JACKKNIFE])
def test_the_page(settings: MarkSettings, tmp_path: Path) -> None:
    test = harbour()
    sheets = [
        sheet(tmp_path, test, sitting(name, answers), settings=settings, by=["level"])
        for name, answers in (("poor", POOR), ("good", GOOD))
    ]
    readmark.report(*sheets, path=tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text("utf-8")
    english = "4 passages: below 10, percentile intervals are too narrow."
    chinese = "篇章仅 4 篇：少于 10 篇时，百分位法置信区间偏窄。"
    for words in (english, chinese, "自助法，按整篇重抽样", "bootstrap draws of whole passages"):
        assert (words in page) == (settings is DRAWN), words
    for words in ("95%, by the jackknife", "刀切法", "--interval jackknife"):
        assert (words in page) == (words == "--interval jackknife" or settings is JACKKNIFE), words
    assert "it cannot be significant here" in page


def test_a_name_that_is_none() -> None:
    with pytest.raises(UsageError, match=r"'t' is not one of percentile\|bca\|jackknife"):
        MarkSettings(interval="t")
