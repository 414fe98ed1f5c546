"""Percent, Cohen's and Fleiss' kappa, Krippendorff's alpha: worked by hand, and by definition."""

import tracemalloc
from functools import partial
from itertools import chain
from math import nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import agreement as oracle
from readmark.statistics.agreement import alpha, label_cells, sums
from readmark.statistics.agreement import value as agreement_value
from readmark.statistics.agreement.alpha import SCALES, krippendorff_alpha
from readmark.statistics.agreement.cohen import cohen_kappa
from readmark.statistics.agreement.fleiss import fleiss_kappa
from readmark.statistics.agreement.percent import panel_agreement, percent_agreement
from readmark.statistics.agreement.value import Agreement, Resampling
from readmark.statistics.draws import picks

# Two annotators, fifty proposals: yes/yes 20, yes/no 5, no/yes 10, no/no 15.
# observed agreement 35/50 = 0.7; A says yes 25/50, B 30/50: chance 0.5*0.6 + 0.5*0.4 = 0.5;
# kappa (0.7 - 0.5) / (1 - 0.5) = 0.4
FIFTY = (["y"] * 25 + ["n"] * 25, ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15)

# Krippendorff's four observers and twelve units, "Computing Krippendorff's Alpha-Reliability".
N = None
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]
PANEL = list(zip(*OBSERVERS, strict=True))


def test_kappa_by_hand() -> None:
    made = cohen_kappa(*FIFTY)
    assert made.value == pytest.approx(0.4)
    assert (made.n, made.reason) == (50, None)
    assert (made.observed, made.expected) == (pytest.approx(0.3), pytest.approx(0.5))
    assert percent_agreement(*FIFTY).value == pytest.approx(0.7)


def test_weighted_kappa_by_hand() -> None:
    # a 1 1 2 3, b 1 2 2 1: |difference| 0 1 0 2. Linear: observed 3/4.
    # A has 1:2 2:1 3:1, B has 1:2 2:2: expected (2*2*0 + 2*2*1 + 1*2*1 + 1*2*0 + 1*2*2 + 1*2*1)/16
    # = 12/16, so kappa 1 - 12/12 = 0. Quadratic: observed 5/4; expected (4 + 2 + 8 + 2)/16 = 1,
    # so 1 - 1.25 = -0.25.
    a, b = [1, 1, 2, 3], [1, 2, 2, 1]
    assert cohen_kappa(a, b, weights="linear").value == pytest.approx(0)
    assert cohen_kappa(a, b, weights="quadratic").value == pytest.approx(-0.25)
    words = {1: "low", 2: "mid", 3: "high"}
    named = [[words[one] for one in side] for side in (a, b)]
    ordered = cohen_kappa(*named, weights="quadratic", order=["low", "mid", "high"])
    assert ordered.value == pytest.approx(-0.25)
    with pytest.raises(ValueError, match="'high'"):
        cohen_kappa(*named, weights="linear", order=["low", "mid"])


def test_a_step_of_the_scale_that_nobody_used_is_still_a_step() -> None:
    # Apart 0, 2, 0, 2 of 4 units: 1 observed; 7 + 5 + 2 * 5 over 16 pairs by chance.
    a, b = [1, 2, 4, 4], [1, 4, 4, 2]
    whole = cohen_kappa(a, b, weights="linear", order=[1, 2, 3, 4])
    assert whole.value == pytest.approx(1 - 16 / 22)
    # Without a declared scale, 2 and 4 are neighbours: 0.5 observed; 5 + 3 + 2 * 3 over 16.
    assert cohen_kappa(a, b, weights="linear").value == pytest.approx(1 - 8 / 14)


def test_fleiss_by_hand() -> None:
    # Three annotators. Units: yyy, yyn, nnn, ynn. Equal pairs of 3: 3, 1, 3, 1: observed 8/12.
    # y 6 of 12, n 6 of 12: chance 1/2. (2/3 - 1/2) / (1/2) = 1/3
    made = fleiss_kappa(["yyy", "yyn", "nnn", "ynn"])
    assert made.value == pytest.approx(1 / 3)
    assert panel_agreement(["yyy", "yyn", "nnn", "ynn"]).value == pytest.approx(2 / 3)
    # A unit that one left out is left out.
    assert fleiss_kappa(["yyy", "yyn", "nnn", "ynn", ("y", "n", None)]) == made


@pytest.mark.parametrize(
    ("scale", "published"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_alpha_as_published(scale: Any, published: float) -> None:
    made = krippendorff_alpha(PANEL, scale=scale)
    assert made.value == pytest.approx(published, abs=5e-4)
    assert made.n == 11  # the last unit has one value
    assert made.observed is not None
    assert made.expected is not None
    assert 1 - made.observed / made.expected == pytest.approx(made.value, abs=1e-8)


def test_alpha_of_words_in_an_order() -> None:
    words = [N, "very low", "low", "mid", "high", "very high"]
    panel = [[words[one] if one else N for one in row] for row in PANEL]
    made = krippendorff_alpha(panel, scale="ordinal", order=words[1:])
    assert made.value == pytest.approx(0.815, abs=5e-4)
    with pytest.raises(ValueError, match="numbers"):
        krippendorff_alpha(panel, scale="interval")


def test_alpha_by_sums_alone_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    for scale in SCALES:
        by_coincidences = krippendorff_alpha(PANEL, scale=scale).value
        with monkeypatch.context() as patch:
            patch.setattr(alpha, "MOST_CELLS", 0)
            assert krippendorff_alpha(PANEL, scale=scale).value == pytest.approx(
                by_coincidences, abs=1e-8
            )


@given(
    st.sampled_from(SCALES),
    st.lists(
        st.lists(st.sampled_from([0, 0.25, 1, 2, 3.5, 70, 1e3]), min_size=2, max_size=5),
        min_size=2,
        max_size=12,
    ),
)
def test_alpha_equals_another_implementation(scale: Any, rows: list[list[float]]) -> None:
    krippendorff = pytest.importorskip("krippendorff")
    domain = sorted(set(chain.from_iterable(rows)))
    made = krippendorff_alpha(rows, scale=scale)
    if len(domain) == 1:
        assert made.value is None
        return
    expected = krippendorff.alpha(
        value_counts=[[row.count(label) for label in domain] for row in rows],
        value_domain=domain if scale in ("interval", "ratio") else list(range(len(domain))),
        level_of_measurement=scale,
    )
    assert made.value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (cohen_kappa("aaa", "aaa"), "every label is 'a'"),
        (cohen_kappa([1, 1], [1, 1], weights="linear"), "every label is 1"),
        (cohen_kappa([], []), "no unit has labels of both"),
        (cohen_kappa(["a", None], [None, "b"]), "no unit has labels of both"),
        (fleiss_kappa([]), "no unit has labels of all"),
        (fleiss_kappa(["aa", "aa"]), "every label is 'a'"),
        (fleiss_kappa([("a", None)]), "no unit has labels of all"),
        (krippendorff_alpha([]), "no unit has labels of two"),
        (krippendorff_alpha([("a", None), (None, "b")]), "no unit has labels of two"),
        (krippendorff_alpha(["aa", "aa"]), "every label is 'a'"),
        (krippendorff_alpha([(-1, 1), (1, 1)], scale="ratio"), "negative"),
        (percent_agreement([], []), "no unit has labels of two"),
        (panel_agreement([("a",), ("b",)]), "no unit has labels of two"),
    ],
)
def test_undefined_says_so(made: Any, reason: str) -> None:
    assert made.value is None
    assert reason in made.reason
    assert (made.low, made.high) == (None, None)


def test_opposites_are_defined() -> None:
    assert cohen_kappa("aaa", "bbb").value == 0  # chance would never agree either
    assert cohen_kappa("ab", "ba").value == -1


def test_lengths_must_be_equal() -> None:
    with pytest.raises(ValueError, match="argument 2"):
        cohen_kappa("aa", "a")


LABELS = st.sampled_from("abc")
RATED = st.one_of(st.none(), st.integers(0, 4))


@given(st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=12))
def test_kappa_by_definition(pairs: list[tuple[str, str]]) -> None:
    a, b = [one for one, _ in pairs], [other for _, other in pairs]
    made, turned = cohen_kappa(a, b), cohen_kappa(b, a)
    assert made.value == (None if oracle.kappa(a, b) is None else pytest.approx(oracle.kappa(a, b)))
    assert made.value == (None if turned.value is None else pytest.approx(turned.value))
    assert made.value is None or -1 - 1e-9 <= made.value <= 1
    assert cohen_kappa(a, a).value == (None if len(set(a)) == 1 else 1.0)


@given(st.lists(st.tuples(LABELS, LABELS, LABELS), min_size=1, max_size=10))
def test_fleiss_by_definition(panel: list[tuple[str, str, str]]) -> None:
    expected = oracle.fleiss(panel)
    made = fleiss_kappa(panel).value
    assert made == (None if expected is None else pytest.approx(expected, abs=1e-8))
    assert fleiss_kappa([row[::-1] for row in panel]).value == made


@given(st.lists(st.tuples(RATED, RATED, RATED), min_size=1, max_size=8), st.sampled_from(SCALES))
def test_alpha_by_definition(panel: list[tuple[int | None, ...]], scale: Any) -> None:
    expected = oracle.alpha(panel, scale)
    made = krippendorff_alpha(panel, scale=scale)
    assert made.value == (None if expected is None else pytest.approx(expected, abs=1e-8))
    assert made.value is None or made.value <= 1
    same = [(row[0], row[0], row[0]) for row in panel]
    if len({row[0] for row in panel} - {None}) > 1:
        assert krippendorff_alpha(same, scale=scale).value == 1


def test_intervals_are_over_clusters_and_seeded() -> None:
    a, b = FIFTY
    clusters = [at // 4 for at in range(50)]
    how = Resampling(seed=3, draws=200)
    for measure in (cohen_kappa, percent_agreement):
        one = measure(a, b, clusters=clusters, resampling=how)
        assert one == measure(a, b, clusters=clusters, resampling=how)
        assert one.value == measure(a, b).value
        assert one.low is not None
        assert one.high is not None
        assert one.low < one.value < one.high  # type: ignore[operator]
        other = measure(a, b, clusters=clusters, resampling=Resampling(seed=4, draws=200))
        assert (other.low, other.high) != (one.low, one.high)
        alone = measure(a, b, clusters=[0] * 50, resampling=how)
        assert (alone.low, alone.high) == (None, None)
    made = krippendorff_alpha(PANEL, scale="ordinal", clusters=range(12), resampling=how)
    assert made.low is not None
    assert made.low < 0.815
    assert fleiss_kappa(["yyy", "yyn"] * 5, clusters=range(10), resampling=how).high is not None


def test_draws_without_a_value_are_counted() -> None:
    # Two clusters, each of one label: half of all draws have a single label in them.
    how = Resampling(draws=400)
    made = cohen_kappa("ab", "ab", clusters=[0, 1], resampling=how)
    assert made.value == 1
    assert 100 < made.undefined_draws < 300


def spread(n: int) -> list[tuple[float, float]]:
    """Two ratings a unit, of which no two are equal."""
    return [(at + 0.25, at * 0.9 + 0.5) for at in range(n)]


def kappa_of_panel(panel: Any, **options: Any) -> Agreement:
    return cohen_kappa([row[0] for row in panel], [row[1] for row in panel], **options)


MEASURES: dict[str, Any] = {
    "kappa": kappa_of_panel,
    "linear": partial(kappa_of_panel, weights="linear"),
    "quadratic": partial(kappa_of_panel, weights="quadratic"),
    "fleiss": fleiss_kappa,
    **{f"alpha({scale})": partial(krippendorff_alpha, scale=scale) for scale in SCALES},
}


@pytest.mark.parametrize("measure", MEASURES)
def test_memory_does_not_grow_with_labels_squared(measure: str) -> None:
    panel = spread(2000)  # 4,000 labels: their square has 128 MiB
    how = Resampling(draws=3)
    tracemalloc.start()
    try:
        made = MEASURES[measure](panel, clusters=range(2000), resampling=how)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert made.low is not None
    assert most < 64 << 20


@pytest.mark.parametrize("measure", MEASURES)
def test_intervals_are_the_same_however_sums_are_held(
    measure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = [*spread(20), (1.0, 1.0), (1.0, 2.0), (2.0, 2.0)] * 2
    clusters = [at // 3 for at in range(len(panel))]
    how = Resampling(draws=50)
    made = []
    for dense, block in ((0, 1 << 20), (0, 1), (1 << 30, 1 << 20), (1 << 30, 1)):
        monkeypatch.setattr(sums, "DENSE", dense)
        monkeypatch.setattr(label_cells, "DENSE", dense)
        monkeypatch.setattr(sums, "BLOCK_CELLS", block)
        one = MEASURES[measure](panel, clusters=clusters, resampling=how)
        made.append((one.value, one.low, one.high))
    assert None not in made[0]
    for other in made[1:]:
        assert other == pytest.approx(made[0], abs=1e-12)


@pytest.mark.parametrize("measure", MEASURES)
def test_each_draw_is_the_measure_of_what_was_drawn(
    measure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = [(1, 1), (1, 2), (2, 4), (4, 4), (7, 2), (2, 2)]
    drawn: list[float] = []

    def kept(values: Any, level: float) -> tuple[None, None]:
        drawn.extend(values)
        return None, None

    monkeypatch.setattr(agreement_value, "interval", kept)
    how = Resampling(seed=5, draws=40)
    MEASURES[measure](panel, clusters=range(6), resampling=how)
    seen = 0
    for value, row in zip(drawn, (row for block in picks(5, 40, 6) for row in block), strict=True):
        again = [panel[at] for at in row]
        if measure in ("linear", "quadratic") and len({*chain(*again)}) < 4:
            continue  # places are those of all labels, of which some were not drawn
        expected = MEASURES[measure](again).value
        assert value == pytest.approx(nan if expected is None else expected, abs=1e-9, nan_ok=True)
        seen += 1
    assert seen > 10


def test_draws_of_a_single_label_are_undefined_whatever_its_size() -> None:
    panel = [(0.1, 0.1), (0.7, 0.7)]
    for scale in SCALES:
        made = krippendorff_alpha(
            panel, scale=scale, clusters=[0, 1], resampling=Resampling(draws=200)
        )
        assert made.value == 1
        assert 50 < made.undefined_draws < 150


def test_why_there_is_no_interval() -> None:
    a, b = FIFTY
    how = Resampling(draws=20)
    assert cohen_kappa(a, b, clusters=range(50), resampling=how).no_interval is None
    assert cohen_kappa(a, b).no_interval is None  # none was asked for
    alone = cohen_kappa(a, b, clusters=[0] * 50, resampling=how)
    assert alone.no_interval == "there is one passage, which cannot be resampled"
    few = cohen_kappa(a, b, clusters=range(50), resampling=Resampling(draws=1))
    assert (few.low, few.no_interval) == (None, "fewer than two draws have a value")


def test_draws_are_watched() -> None:
    told: list[tuple[str, int]] = []
    how = Resampling(draws=30, watch=lambda measure, done: told.append((measure, done)))
    made = cohen_kappa(*FIFTY, clusters=range(50), resampling=how)
    assert told[-1] == ("kappa", 30)
    assert made == cohen_kappa(*FIFTY, clusters=range(50), resampling=Resampling(draws=30))
