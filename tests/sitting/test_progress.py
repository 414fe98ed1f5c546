"""What a sitting, and any other long work, says about the time left."""

import pytest

from readmark.console import Ticker
from readmark.sitting.results import RunProgress


def test_the_first_units_forecast_nothing() -> None:
    # One unit after 60 s of loading a model would forecast 50 hours for 3,000 units.
    assert RunProgress(total=3000, before=0, answered=1, errors=0, seconds=60).left is None
    assert RunProgress(total=3000, before=0, answered=8, errors=2, seconds=20).left == 5980
    assert RunProgress(total=110, before=100, answered=5, errors=0, seconds=5).left == 5
    assert RunProgress(total=2, before=0, answered=2, errors=0, seconds=60).left == 0


@pytest.mark.parametrize(
    ("done", "seconds", "counted", "replies"),
    [
        (1, 60, "1/3000 units, 1.0/min", "1/3000 replies, 1.0/min"),
        (0, 60, "0/3000 units, 0.0/s", "0/3000 replies, 0.0/s"),
        (20, 40, "20/3000 units, 0.5/s, 1:39:20 left", "20/3000 replies, 0.5/s, 1:39:20 left"),
        (3000, 60, "3000/3000 units, 50.0/s, 0:00 left", "3000/3000 replies, 50.0/s, 0:00 left"),
    ],
)
def test_a_ticker_forecasts_after_the_first_units(
    done: int,
    seconds: float,
    counted: str,
    replies: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    now = [100.0]
    monkeypatch.setattr("readmark.console.time.monotonic", lambda: now[0])
    for say in (lambda ticker, done: ticker.count(done, 3000),
                lambda ticker, done: ticker.count(done, 3000, "record"),
                lambda ticker, done: ticker.replies("replies", done, 3000)):  # fmt: skip
        ticker = Ticker()
        say(ticker, 0)  # what comes before the first unit does not count
        now[0] += seconds
        say(ticker, done)
    lines = counted, counted.replace("units", "records"), replies
    assert capsys.readouterr().err.splitlines() == [f"readmark: {words}" for words in lines]


def test_what_comes_first_has_no_rate_yet(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [100.0]
    monkeypatch.setattr("readmark.console.time.monotonic", lambda: now[0])
    ticker = Ticker()
    now[0] += 60
    ticker.count(64, 145, "record")  # a whole batch
    assert capsys.readouterr().err == "readmark: 64/145 records\n"
