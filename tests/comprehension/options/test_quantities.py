"""Quantities in Chinese: how they are read, and options that equal or follow from them."""

import numpy as np
import pytest

from readmark.comprehension.options.quantities import equal_quantities, quantities


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("差十分九点", ("clock", 8 * 60 + 50)),
        ("下午三点一刻", ("clock", 3 * 60 + 15)),
        ("15:20", ("clock", 3 * 60 + 20)),
        ("一个半小时", ("duration", 90)),
        ("半个小时", ("duration", 30)),
        ("星期天", ("day", 6)),
        ("四块五", ("money", 4.5)),
        ("3.8元", ("money", 3.8)),
        ("五毛", ("money", 0.5)),
        ("八折", ("discount", 8)),
        ("一千二", ("number", 1200)),
        ("快一点", ("number", 1)),
    ],
)
def test_a_quantity_is_read_however_it_is_written(text: str, expected: tuple[str, float]) -> None:
    assert [(kind, pytest.approx(value)) for kind, value, _, _ in quantities(text)] == [expected]


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        # stated but nowhere near a likely stretch: 0.3; what follows: 1.2
        ("会议九点开始。", ("9:00", "8:50"), (0.3, 0.0)),
        ("会议九点开始，还有十分钟。", ("9:00", "8:50", "9:10"), (0.3, 1.2, 0.0)),
        ("电影晚了半小时，本来八点开始。", ("八点半", "七点半"), (1.2, 0.0)),
        ("明天是星期五。", ("星期四", "星期一"), (1.2, 0.0)),
        ("原价200元，打八折。", ("160元", "40元"), (1.2, 0.0)),
        ("红的30元，蓝的便宜10元。", ("20元", "40元"), (1.2, 0.0)),
        ("两本书一共多少？一本30元，一本10元。", ("20元", "40元"), (0.0, 1.2)),
        ("会议九点开始。", ("9:00", "很早", "很晚"), (0.0, 0.0, 0.0)),
    ],
)
def test_equal_quantities(text: str, options: tuple[str, ...], expected: tuple[float, ...]) -> None:
    nowhere = np.zeros(len(text) + 1)
    assert equal_quantities(text, nowhere, options) == pytest.approx(expected)


def test_quantities_near_likely_stretches_count_more() -> None:
    text = "苹果3元，梨5元。"
    near = np.zeros(len(text) + 1)
    near[text.index("5")], near[text.index("3")] = 0.8, 0.2
    assert equal_quantities(text, near, ("三块", "五块")) == pytest.approx([0.3 + 0.25, 1.3])
