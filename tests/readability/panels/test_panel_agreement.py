"""How far the judges of a panel agree, worked by hand."""

from pathlib import Path

import pytest

from collected_panels import collect_panel
from panel_judges import Row


def test_agreement_within_and_between_panels(tmp_path: Path) -> None:
    agreement = collect_panel(tmp_path).agreement
    expert, novice = agreement.panels["expert"], agreement.panels["novice"]
    assert expert.judges == ("e1", "e2", "e3")
    assert expert.ratings == 60
    assert {figure.measure for figure in expert.measures} == {
        "alpha(interval)",
        "alpha(ordinal)",
        "pearson(pairwise)",
        "icc(single)",
        "icc(mean)",
        "kendall_w",
    }
    # e1 and e3 rate alike; e2 one star more, from 5 on to 1: over 1..5 that correlates by 0.
    pairwise = next(figure for figure in expert.measures if figure.measure == "pearson(pairwise)")
    assert pairwise.value == pytest.approx((0 + 1 + 0) / 3)
    # n1 rates as e2 does, n2 as e1.
    assert novice.rounds == 2
    assert agreement.judges["n1"].with_experts.value == pytest.approx(1 / 5**0.5)
    assert agreement.judges["n2"].with_experts.value == pytest.approx(2 / 5**0.5)
    assert agreement.between.value == pytest.approx(3 / 10**0.5)


def test_constant_ratings_have_no_correlation_and_the_reason_is_given(tmp_path: Path) -> None:
    def same(rows: list[Row]) -> None:
        for row in rows:
            row["stars"] = "3"

    agreement = collect_panel(tmp_path, {"n1": same, "n2": same}).agreement
    assert agreement.between.value is None
    assert agreement.between.reason == "one of them is constant"
    alpha = agreement.panels["novice"].measures[0]
    assert alpha.value is None
    assert alpha.reason
