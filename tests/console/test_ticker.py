"""The line of progress on standard error, with a rate and the time left."""

import sys

import pytest

from readmark.console import Ticker, clock
from readmark.sitting import RunProgress


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
    monkeypatch.setattr("readmark.console.ticker.time.monotonic", lambda: clock[0])
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
    monkeypatch.setattr("readmark.console.ticker.time.monotonic", lambda: clock[0])
    ticker = Ticker()
    clock[0] += 60
    ticker.count(64, 145, "record")  # a whole batch
    assert capsys.readouterr().err == "readmark: 64/145 records\n"


def test_a_step_replaces_the_line_before_on_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with Ticker() as ticker:
        ticker.step("reading: bow")
        ticker.is_terminal = True
        ticker.step("reading: span")
    # click leaves out the codes that clear a line where there is no terminal
    assert capsys.readouterr().err == "readmark: reading: bow\n\rreading: span\r"


def test_the_time_left_does_not_count_what_came_before_the_first_unit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    moment = [0.0]
    monkeypatch.setattr("readmark.console.ticker.time.monotonic", lambda: moment[0])
    ticker = Ticker()
    for seconds, done in ((60.0, 500), (90.0, 15_500)):  # a minute of reading comes first
        moment[0] = seconds
        ticker.count(done, 100_500)
    assert capsys.readouterr().err.splitlines()[-1] == (
        "readmark: 15500/100500 units, 500.0/s, 2:50 left"
    )


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0, "0:00"),
        (0.6, "0:01"),
        (59.4, "0:59"),
        (61, "1:01"),
        (3599.6, "1:00:00"),
        (7325, "2:02:05"),
    ],
)
def test_durations_are_shown_as_people_read_them(seconds: float, shown: str) -> None:
    assert clock(seconds) == shown


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_has_rate_and_time_left(
    terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    moment = [100.0]
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    monkeypatch.setattr("readmark.console.ticker.time.monotonic", lambda: moment[0])
    ticker = Ticker()
    for later, answered, errors in ((0.05, 1, 0), (0.06, 2, 0), (40.0, 5, 1), (0.01, 6, 1)):
        moment[0] += later
        ticker.show(
            RunProgress(total=100, before=40, answered=answered, errors=errors, seconds=2.0)
        )
    ticker.end()
    output = capsys.readouterr()
    assert output.out == ""
    last = "46/100 units, 3.0/s, 0:18 left, 1 error"
    if terminal:
        begin = "\r\033[K"
        assert output.err == f"{begin}42/100 units, 1.0/s{begin}{last}{begin}"
    else:
        assert output.err == f"readmark: {last}\n"
