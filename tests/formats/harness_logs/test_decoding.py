"""JSON that holds half surrogate pairs is mended; other faults stay faults."""

from typing import Any

import msgspec
import pytest

from readmark.formats.harness_logs.decoding import decoded


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b'{"a": [1, "\\u00e9"]}', ({"a": [1, "é"]}, False)),
        (b'"\\ud83d\\ude00"', ("😀", False)),
        (b'{"a": ["x\\ud83d", null, 1]}', ({"a": ["x\ufffd", None, 1]}, True)),
        (b'{"\\ude00": 1}', ({"\ufffd": 1}, True)),
    ],
)
def test_half_pairs_are_mended(data: bytes, found: tuple[Any, bool]) -> None:
    assert decoded(data) == found


@pytest.mark.parametrize("data", [b"{", b'{"a": "\\ud83d"', b'"\\ud83d" x', b"nul"])
def test_other_faults_are_raised(data: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decoded(data)
