"""What may be claimed of raters compared with novices, in words."""

import math
from dataclasses import replace

import pytest

from readmark.readability.panels.novice_claims import claims
from readmark.readability.panels.novices import METRICS, NoviceVerdict, WholeJudges
from readmark.readability.panels.rater_lines import LeftOut, RaterLine


def line(p_values: tuple[float, ...], beaten: int = 3, judges: int = 8) -> RaterLine:
    whole = WholeJudges(beaten, judges, (judges - beaten + 1) / (judges + 1))
    return RaterLine(
        "tortoise",
        100,
        {},
        {name: NoviceVerdict(0.5, 0.4, p) for name, p in zip(METRICS, p_values, strict=True)},
        dict.fromkeys(METRICS, whole),
    )


def novice(*p_values: float) -> LeftOut:
    verdicts = {name: NoviceVerdict(0.1, 0.4, p) for name, p in zip(METRICS, p_values, strict=True)}
    return LeftOut("n", 100, verdicts)


@pytest.mark.parametrize(
    ("rater", "parts"),
    [
        (
            line((0.001, 0.002, 0.025)),
            ["by all three metrics", "does not show that", "below 0.111"],
        ),
        (
            line((0.001, 0.5, 0.02)),
            [
                "by score_difference and pearson",
                "not shown by proportional_target",
                "beats at least 3",
            ],
        ),
        (line((0.3, 0.5, 0.2)), ["not shown to be better", "does not show it to be worse"]),
        (line((math.nan,) * 3), ["nothing can be claimed"]),
        (line((0.001,) * 3, 39, 39), ["as persons too: it beats at least 39 of 39"]),
        (
            line((0.001,) * 3, 30, 39),
            ["does not show that it is better than a novice as a person", "(p 0.2500)"],
        ),
    ],
)
def test_a_rater(rater: RaterLine, parts: list[str]) -> None:
    [claim] = claims([rater], [])
    assert claim.startswith("tortoise: ")
    for part in parts:
        assert part in claim


def test_how_many_novices_pass_themselves() -> None:
    [quiet] = claims([], [novice(0.5, 0.6, 0.9)] * 8)
    assert quiet.startswith("of your 8 novices, 0 would pass the same test by at least one")
    assert "consistent" not in quiet
    [loud] = claims([], [novice(0.01, 0.01, 0.02), novice(0.01, 0.6, 0.9), *[novice(1, 1, 1)] * 6])
    assert "2 would pass the same test by at least one metric and 1 by all three" in loud
    assert "not than each of them" in loud


def test_metrics_by_which_every_draw_was_at_least_as_good_are_named() -> None:
    [claim] = claims([line((0.3, 1.0, 0.2))], [])
    assert claim.endswith(". Every draw was at least as good by proportional_target")
    [claim] = claims([line((0.001, 1.0, 0.02))], [])
    every_draw = ". Every draw was at least as good by proportional_target. This does not show that"
    assert every_draw in claim
    [claim] = claims([line((0.3, 0.9999, 0.2))], [])
    assert "Every draw" not in claim


@pytest.mark.parametrize(
    ("single", "part"), [(3, "3 of 20 passages have"), (1, "1 of 20 passages has")]
)
def test_fewer_passages_and_passages_of_one_novice_are_named(single: int, part: str) -> None:
    few = replace(line((0.3, 0.5, 0.2)), candidate="hare", passages=20, single=single)
    whole, partial = claims([line((0.3, 0.5, 0.2)), few], [])
    assert whole.startswith("tortoise: not shown")
    assert "one novice" not in whole
    assert partial.startswith("hare (on 20 of 100 passages): not shown")
    assert f"But {part} one novice alone, where nothing is drawn" in partial


def test_a_rater_above_the_whole_judges_is_not_said_to_be_below_one() -> None:
    steady = [novice(0.01, 0.01, 0.02)] * 39
    [_, panel] = claims([line((0.001,) * 3, 39, 39)], steady)
    assert panel.endswith("better than the novices mixed together")
    [_, _, panel] = claims([line((0.001,) * 3, 39, 39), line((0.001,) * 3, 30, 39)], steady)
    assert panel.endswith("not than each of them")
