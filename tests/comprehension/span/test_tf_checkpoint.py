"""A TensorFlow checkpoint, written here by hand as its formats are described."""

import struct
from pathlib import Path

import numpy as np
import pytest

from readmark.core.errors import DataError
from training.tf_checkpoint import read_checkpoint


def varint(value: int) -> bytes:
    found = b""
    while value > 127:
        found += bytes([value & 127 | 128])
        value >>= 7
    return found + bytes([value])


def member(number: int, value: int | bytes) -> bytes:
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def entry(kind: int, shape: tuple[int, ...], offset: int, size: int) -> bytes:
    sizes = b"".join(member(2, member(1, one)) for one in shape)
    crc = varint(6 << 3 | 5) + b"\0\0\0\0"
    return member(1, kind) + member(2, sizes) + member(4, offset) + member(5, size) + crc


def block(rows: list[tuple[bytes, bytes]]) -> bytes:
    found, last = b"", b""
    for key, value in rows:
        shared = 0
        while shared < min(len(key), len(last)) and key[shared] == last[shared]:
            shared += 1
        found += varint(shared) + varint(len(key) - shared) + varint(len(value))
        found += key[shared:] + value
        last = key
    return found + struct.pack("<II", 0, 1)


def write(prefix: Path, tensors: dict[str, np.ndarray]) -> None:
    kinds = {"float32": 1, "float64": 2, "int64": 9}
    data, rows = b"", [(b"", member(1, 1))]
    for name, array in sorted(tensors.items()):
        raw = array.tobytes()
        rows.append(
            (name.encode(), entry(kinds[str(array.dtype)], array.shape, len(data), len(raw)))
        )
        data += raw
    body = block(rows)
    index = body + b"\0" + b"\0" * 4
    handles = block([(b"z", varint(0) + varint(len(body)))])
    at = len(index)
    index += handles + b"\0" + b"\0" * 4
    footer = varint(0) + varint(0) + varint(at) + varint(len(handles))
    index += footer.ljust(40, b"\0") + struct.pack("<Q", 0xDB4775248B80FB57)
    Path(f"{prefix}.index").write_bytes(index)
    Path(f"{prefix}.data-00000-of-00001").write_bytes(data)


def test_tensors_come_back_by_name(tmp_path: Path) -> None:
    draw = np.random.default_rng(1)
    tensors = {
        "bert/a/kernel": draw.normal(size=(300, 3)).astype(np.float32),
        "bert/a/kernel_of": draw.normal(size=(2, 2, 2)),
        "step": np.array([7], dtype=np.int64),
    }
    write(tmp_path / "model.ckpt", tensors)
    found = read_checkpoint(tmp_path / "model.ckpt")
    assert set(found) == set(tensors)
    for name, array in tensors.items():
        np.testing.assert_array_equal(found[name], array.astype(np.float32))


@pytest.mark.parametrize("index", [b"", b"not a table at all, though long enough to hold a footer"])
def test_what_is_no_checkpoint_is_told_in_one_line(tmp_path: Path, index: bytes) -> None:
    (tmp_path / "x.index").write_bytes(index)
    (tmp_path / "x.data-00000-of-00001").write_bytes(b"")
    with pytest.raises(DataError, match="cannot be read as a TensorFlow checkpoint"):
        read_checkpoint(tmp_path / "x")
    with pytest.raises(DataError, match="cannot be read"):
        read_checkpoint(tmp_path / "absent")
