"""What a sitting says about the time left."""

from readmark.sitting.runner import Progress


def test_the_first_units_forecast_nothing() -> None:
    # One unit after 60 s of loading a model would forecast 50 hours for 3,000 units.
    assert Progress(total=3000, before=0, answered=1, errors=0, seconds=60).left is None
    assert Progress(total=3000, before=0, answered=8, errors=2, seconds=20).left == 5980
    assert Progress(total=110, before=100, answered=5, errors=0, seconds=5).left == 5
    assert Progress(total=2, before=0, answered=2, errors=0, seconds=60).left == 0
