"""One submission does not read many hidden units: the attack that weighs each guess by its padding.

An answer of one right word among n others has F1 2/(n + 2). A guess for each of 14 units, each
with another padding, and every digit of the mean shows which of the guesses are right.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from boards import RIGHT, WRONG, BoardHall, open_board_hall, wells
from halls import client_of
from readmark.core.hidden_marks import (
    LONGEST_ANSWER,
    on_grid,
    require_short_answers,
    rounded_mark,
    rounded_p,
)
from readmark.core.sitting import Row
from readmark.server.shared_tasks.submissions import FAILED
from readmark.server.tables import Submission

UNITS = 60
GUESSES = 14
OWN = [f"test-{number}-{index}" for number in range(UNITS // 2) for index in range(2)]
POWERS = [2 ** (index + 1) - 2 for index in range(GUESSES)]
"""Other words in an answer, which is then worth 1, 1/2, 1/4, ..."""
SHORT = [2, 6, 14, 30, 62, 126, 254, 510, 601, 659, 733, 811, 877, 953]
"""The same within the longest answer; the sums of any of these weights differ as well."""


def padded(guesses: Sequence[bool], padding: Sequence[int]) -> dict[str, str]:
    """Answers of which those to the first units are guesses among other words."""
    answers = dict.fromkeys(OWN, "nothing")
    for unit, is_right, words in zip(OWN, guesses, padding, strict=False):
        answers[unit] = " ".join([RIGHT if is_right else WRONG, *["x"] * words])
    return answers


def decoded(mark: float, padding: Sequence[int]) -> tuple[bool, ...]:
    """Which guesses are right, by the mark: the combination whose mean is nearest."""
    weights = [2 / (words + 2) for words in padding]

    def miss(mask: tuple[bool, ...]) -> float:
        return abs(100 * sum(itertools.compress(weights, mask)) / UNITS - mark)

    return min(itertools.product((False, True), repeat=GUESSES), key=miss)


def shown_marks(hall: BoardHall, id: str) -> Mapping[str, Any]:
    """What the board says of a submission on the hidden split."""
    rows = client_of(hall.app).get("/api/tasks/wells/board?show=all").json()["rows"]
    found: Mapping[str, Any] = next(row for row in rows if row["submission"] == id)
    return found["splits"]["test"]["marks"]  # type: ignore[no-any-return]


def test_padding_tells_no_more_than_tossing_coins(
    hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight teams guess 14 units each. With all digits every guess is decoded: 112 of 112. Coins
    are right in 56, and in 66 or fewer but for one time in forty."""
    hall = open_board_hall(hall_app, wells(tmp_path / "wells.jsonl"), monkeypatch)
    chance = random.Random(7)
    guesses = {f"Team {n}": [chance.random() < 0.5 for _ in range(GUESSES)] for n in range(8)}
    ids = {team: hall.submit(team, "Sieve", padded(own, SHORT)) for team, own in guesses.items()}
    hall.work()
    right = 0
    for team, own in guesses.items():
        exact = 100 * sum(2 / (words + 2) for words in itertools.compress(SHORT, own))
        assert decoded(exact / UNITS, SHORT) == tuple(own)  # the attack works where digits are
        told = decoded(shown_marks(hall, ids[team])["f1"]["score"], SHORT)
        right += sum(a == b for a, b in zip(told, own, strict=True))
    assert right <= 66


def test_answers_that_weigh_by_powers_of_two_are_too_long(
    hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = open_board_hall(hall_app, wells(tmp_path / "wells.jsonl"), monkeypatch)
    id = hall.submit("Rowers", "Sieve", padded([True] * GUESSES, POWERS))
    hall.work()
    with hall.database.reading() as session:
        submission = session.get(Submission, id)
        assert submission is not None
        assert submission.state == FAILED
        assert submission.error == (
            "the answer to test-4-1 has 2,050 characters, expected 2,000 at most on a hidden split"
        )


def test_long_answers_to_public_units_are_marked(
    hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = open_board_hall(hall_app, wells(tmp_path / "wells.jsonl"), monkeypatch)
    long = f"{RIGHT} {'x ' * 2000}"
    id = hall.submit("Rowers", "Wordy", {"dev-0-0": long, "test-0-0": RIGHT})
    hall.work()
    assert shown_marks(hall, id)["em"]["score"] == pytest.approx(100 / UNITS)


def numbers_in(value: Any, *path: str) -> Iterator[tuple[tuple[str, ...], float]]:
    """The marks in a document, with where they are."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield from numbers_in(member, *path, name)
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from numbers_in(member, *path, str(index))
    elif isinstance(value, float) and path[-1] in ("score", "low", "high"):
        yield path, value


@pytest.mark.parametrize("ladder", ["true", "false"])
def test_every_number_of_a_hidden_split_is_rounded(
    hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ladder: str
) -> None:
    """Of teams, baselines and people, with and without the ladder, on slices too."""
    hall = open_board_hall(
        hall_app, wells(tmp_path / "wells.jsonl"), monkeypatch, options=f"ladder = {ladder}"
    )
    wordy = padded([True] * GUESSES, SHORT)
    hall.submit("Rowers", "Sieve", wordy)
    hall.submit("Masons", "Brick", {**wordy, "test-20-0": RIGHT, "test-20-1": f"{RIGHT} x"})
    hall.baseline("lead", {**wordy, "test-9-0": f"{RIGHT} x x"})
    hall.work(people=True)
    board = client_of(hall_app).get("/api/tasks/wells/board?table=level").json()
    seen = 0
    for row in [*board["rows"], {"splits": {"test": board["people"]["splits"]["test"]}}]:
        split = row["splits"]["test"]
        for path, value in numbers_in({"marks": split["marks"], "by": split["by"]}):
            units = UNITS if path[0] == "marks" else UNITS // 2
            assert value * units / 100 == pytest.approx(round(value * units / 100)), path
            seen += 1
        compared = row.get("next") or {}
        assert set(compared) <= {"submission", "p", "units", "clusters", "signature"}
        assert compared.get("p") in (None, rounded_p(compared.get("p")))
    assert seen > 30


@pytest.mark.parametrize(
    ("value", "units", "scale", "shown"),
    [
        (66.667, 3, 100.0, 200 / 3),
        (51.3, 10, 100.0, 50.0),
        (0.26, 4, 1.0, 0.25),
        (None, 4, 1.0, None),
        (12.34567, 1_000_000, 100.0, 12.35),  # two decimals are coarser than one of a million
        (0.1234567, 1_000_000, 1.0, 0.1235),
    ],
)
def test_marks_are_on_the_grid_of_one_unit_or_of_two_decimals(
    value: float | None, units: int, scale: float, shown: float | None
) -> None:
    assert on_grid(value, units=units, scale=scale) == (
        None if shown is None else pytest.approx(shown)
    )
    mark = {"score": value, "low": value, "high": None, "scale": scale, "signature": "s"}
    rounded = rounded_mark(mark, units)
    assert (rounded["high"], rounded["signature"]) == (None, "s")
    assert rounded["score"] == rounded["low"] == on_grid(value, units=units, scale=scale)


@pytest.mark.parametrize(
    ("p", "shown"),
    [(None, None), (1.0, 1.0), (0.0449, 0.04), (0.00951, 0.01), (0.0042, 0.004), (0.0001, 0.001)],
)
def test_p_values_are_coarse(p: float | None, shown: float | None) -> None:
    assert rounded_p(p) == shown


LONG = "x" * (LONGEST_ANSWER + 1)


@pytest.mark.parametrize(
    ("row", "is_short"),
    [
        (Row("u", answer="x" * LONGEST_ANSWER), True),
        (Row("u", answer=LONG), False),
        (Row("u", answer=3.0), True),
        (Row("u", answer=[{"values": {"x": 3}}, {"values": {"x": LONG}}]), False),
        (Row("u", answer=[{"values": {}, "mentions": {"x": ["a", LONG]}}]), False),
        (Row("u", answer=[{"values": {"x": "a"}, "derivation": LONG}]), True),
        (Row("u", answer=[{"x": 3, "y": "a"}]), True),
        (Row("u", answer=[{"x": 3, "y": LONG}]), False),
        (Row("u", answer=[{"mentions": LONG}]), False),
        (Row("u", error="x"), True),
    ],
)
def test_answers_of_every_kind_are_capped(row: Row, is_short: bool) -> None:
    if is_short:
        require_short_answers([row])
    else:
        with pytest.raises(Exception, match="the answer to u has 2,001 characters"):
            require_short_answers([row])
