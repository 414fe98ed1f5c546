"""The running mean of a network's weights, worked by hand on one weight."""

from typing import Any

import pytest

from readmark.comprehension.span.weight_average import WeightAverage

pytestmark = pytest.mark.torch


@pytest.fixture
def torch() -> Any:
    """Imported by these tests alone: whoever leaves them out need not wait for it."""
    return pytest.importorskip("torch", reason="torch is not installed")


def test_the_mean_follows_and_is_in_the_network_for_a_while(torch: Any) -> None:
    network = torch.nn.Linear(1, 1, bias=False)
    average = WeightAverage(torch, network, 0.75)
    for value in (4.0, 8.0, 0.0, 0.0, 1.0):
        network.weight.data.fill_(value)
        average.follow()
    # 4, then shares 1/2, 1/3, 1/4 and 1/4: 6, 4, 3, 2.5.
    with average.in_network():
        assert network.weight.item() == pytest.approx(2.5)
        assert network.state_dict()["weight"].item() == pytest.approx(2.5)
    assert network.weight.item() == 1.0
    other = torch.nn.Linear(1, 1, bias=False)
    resumed = WeightAverage(torch, other, 0.75)
    resumed.restore(average.state())
    other.weight.data.fill_(6.5)
    resumed.follow()
    resumed.settle()
    assert other.weight.item() == pytest.approx(3.5)


def test_the_network_is_given_back_after_an_error(torch: Any) -> None:
    network = torch.nn.Linear(1, 1, bias=False)
    average = WeightAverage(torch, network, 0.5)
    network.weight.data.fill_(7.0)
    with pytest.raises(KeyError), average.in_network():
        raise KeyError
    assert network.weight.item() == 7.0
