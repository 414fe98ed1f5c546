"""How far a run is: its rate, and the time left once that can be told."""

from readmark.sitting.results import RunProgress


def test_progress_has_a_rate_and_the_time_left() -> None:
    progress = RunProgress(total=100, before=40, answered=15, errors=5, seconds=4.0)
    assert progress.rate == 5.0
    assert progress.left == 8.0
    nothing = RunProgress(total=10, before=0, answered=0, errors=0, seconds=0.0)
    assert (nothing.rate, nothing.left) == (0.0, None)


def test_the_first_units_forecast_nothing() -> None:
    # One unit after 60 s of loading a model would forecast 50 hours for 3,000 units.
    assert RunProgress(total=3000, before=0, answered=1, errors=0, seconds=60).left is None
    assert RunProgress(total=3000, before=0, answered=8, errors=2, seconds=20).left == 5980
    assert RunProgress(total=110, before=100, answered=5, errors=0, seconds=5).left == 5
    assert RunProgress(total=2, before=0, answered=2, errors=0, seconds=60).left == 0
