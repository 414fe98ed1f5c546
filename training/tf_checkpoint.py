"""Reads the tensors of a TensorFlow checkpoint without TensorFlow.

The index is a LevelDB table of BundleEntryProto messages ("tensor_bundle.proto"); the data file
holds the numbers as they are.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.core.errors import DataError

_FOOTER = 48
_MAGIC = 0xDB4775248B80FB57
_TYPES = {1: np.float32, 2: np.float64, 3: np.int32, 9: np.int64}


def read_checkpoint(prefix: Path) -> dict[str, NDArray[np.float32]]:
    """Every tensor of numbers by its name; ``prefix`` is the path before ``.index``."""
    try:
        index = prefix.with_name(prefix.name + ".index").read_bytes()
        data = prefix.with_name(prefix.name + ".data-00000-of-00001").read_bytes()
        return dict(_tensors(index, data))
    except (OSError, struct.error, IndexError, ValueError) as error:
        raise DataError(f"{prefix} cannot be read as a TensorFlow checkpoint: {error}") from error


def _tensors(index: bytes, data: bytes) -> Iterator[tuple[str, NDArray[np.float32]]]:
    for key, value in _table(index):
        if not key:
            continue  # the header of the bundle
        entry = _message(value)
        kind = int(entry.get(1, [1])[0])
        if kind not in _TYPES:
            continue
        shape = [
            int(_message(size).get(1, [0])[0])
            for part in entry.get(2, [])
            for size in _message(part).get(2, [])
        ]
        start, size = int(entry.get(4, [0])[0]), int(entry.get(5, [0])[0])
        array = np.frombuffer(data[start : start + size], dtype=_TYPES[kind])
        yield key.decode("utf-8"), array.reshape(shape).astype(np.float32)


def _table(index: bytes) -> Iterator[tuple[bytes, bytes]]:
    if struct.unpack("<Q", index[-8:])[0] != _MAGIC:
        raise ValueError("no table")
    at = len(index) - _FOOTER
    for _ in range(2):
        _, at = _varint(index, at)  # the handle of the meta-index
    offset, at = _varint(index, at)
    size, _ = _varint(index, at)
    for _, handle in _block(index, offset, size):
        first, after = _varint(handle, 0)
        length, _ = _varint(handle, after)
        yield from _block(index, first, length)


def _block(index: bytes, offset: int, size: int) -> Iterator[tuple[bytes, bytes]]:
    if index[offset + size] != 0:
        raise ValueError("compressed blocks are not read")
    block = index[offset : offset + size]
    (restarts,) = struct.unpack("<I", block[-4:])
    end = len(block) - 4 * (restarts + 1)
    at, key = 0, b""
    while at < end:
        shared, at = _varint(block, at)
        fresh, at = _varint(block, at)
        length, at = _varint(block, at)
        key = key[:shared] + block[at : at + fresh]
        at += fresh
        yield key, block[at : at + length]
        at += length


def _message(data: bytes) -> dict[int, list[Any]]:
    """The fields of a protocol buffer message, by number."""
    fields: dict[int, list[Any]] = {}
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        value: int | bytes
        if tag & 7 == 0:
            value, at = _varint(data, at)
        elif tag & 7 == 2:
            length, at = _varint(data, at)
            value, at = data[at : at + length], at + length
        else:
            width = 8 if tag & 7 == 1 else 4
            value, at = data[at : at + width], at + width
        fields.setdefault(tag >> 3, []).append(value)
    return fields


def _varint(data: bytes, offset: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[offset]
        offset += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, offset
        shift += 7
