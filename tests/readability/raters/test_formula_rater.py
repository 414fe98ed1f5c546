"""Formulas as ratings: monotone, anchored, and plain Chinese easier than officialese."""

from dataclasses import replace

import pytest

from readmark.readability.formulas.chinese import chinese_readability
from readmark.readability.formulas.english import english_readability
from readmark.readability.raters.formula_rater import FORMULAS, anchors, rate_chinese, rate_english
from training.rater import LEVELS, _monotone, fit_formulas

MEASURES = english_readability("The dog bit the man. Then the man ran away and shouted for help.")


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_harder_value_is_never_rated_easier(formula: str) -> None:
    assert MEASURES is not None
    values = [float(value) for value in range(-60, 130, 5)]
    if formula != "flesch":  # the others are higher for harder text
        values.reverse()
    ratings = [rate_english(replace(MEASURES, **{formula: value}), formula) for value in values]
    assert ratings == sorted(ratings)
    assert 1 <= ratings[0] < ratings[-1] <= 5


@pytest.mark.parametrize("formula", FORMULAS)
def test_the_line_goes_through_the_levels(formula: str) -> None:
    assert MEASURES is not None
    for (value, _), rating in zip(
        sorted(anchors()[formula], key=lambda point: point[1]), sorted(LEVELS.values()), strict=True
    ):
        on_line = rate_english(replace(MEASURES, **{formula: value}), formula)
        assert on_line == pytest.approx(rating, abs=1e-3)


def test_a_middle_that_runs_the_wrong_way_is_left_out() -> None:
    assert _monotone([(1, 5), (2, 6), (3, 1)]) == [(1, 5), (3, 1)]
    assert _monotone([(1, 5), (2, 3), (3, 1)]) == [(1, 5), (2, 3), (3, 1)]


def test_the_table_is_made_of_means_by_level() -> None:
    assert MEASURES is not None
    harder, hardest = replace(MEASURES, flesch=50.0), replace(MEASURES, flesch=40.0)
    for formula in FORMULAS[1:]:
        value = getattr(MEASURES, formula)
        harder = replace(harder, **{formula: value + 1})
        hardest = replace(hardest, **{formula: value + 2})
    measures = [MEASURES, MEASURES, None, None, harder, hardest]
    levels = ["elementary", "elementary", "elementary", "advanced", "intermediate", "advanced"]
    table = fit_formulas(measures, levels)
    assert f"{MEASURES.flesch:.4f}".rstrip("0") in table


def test_plain_chinese_rates_easier_than_officialese() -> None:
    plain = chinese_readability("小猫坐在火边。天很冷。他给它一点水。")
    heavy = chinese_readability(
        "鉴于上述规章所规定之追溯责任条款在司法实践中引发之诠释争议日趋激烈且久悬未决。"
    )
    assert plain is not None
    assert heavy is not None
    assert rate_chinese(plain) > rate_chinese(heavy)
