"""What tests of series share: four that are worked by hand."""

import pytest

from readmark.core.test import Test
from rewritten_series import FERRY, HARP, MILL, QUILL, made


@pytest.fixture
def four() -> Test:
    return made(QUILL, FERRY, MILL, HARP)
