"""The line of progress on standard error, with a rate and the time left."""

import pytest

from readmark.console import Ticker


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
    clock = [100.0]
    monkeypatch.setattr("readmark.console.time.monotonic", lambda: clock[0])
    for say in (lambda ticker, done: ticker.count(done, 3000),
                lambda ticker, done: ticker.count(done, 3000, "record"),
                lambda ticker, done: ticker.replies("replies", done, 3000)):  # fmt: skip
        ticker = Ticker()
        say(ticker, 0)  # what comes before the first unit does not count
        clock[0] += seconds
        say(ticker, done)
    lines = counted, counted.replace("units", "records"), replies
    assert capsys.readouterr().err.splitlines() == [f"readmark: {words}" for words in lines]


def test_what_comes_first_has_no_rate_yet(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = [100.0]
    monkeypatch.setattr("readmark.console.time.monotonic", lambda: clock[0])
    ticker = Ticker()
    clock[0] += 60
    ticker.count(64, 145, "record")  # a whole batch
    assert capsys.readouterr().err == "readmark: 64/145 records\n"
