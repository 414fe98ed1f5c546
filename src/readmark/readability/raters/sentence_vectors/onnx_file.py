"""Cutting an ONNX file after some of its tensors, without the ``onnx`` package.

The file is a protocol buffer. A message is a row of fields, each a tag (field number and wire type)
and its content; numbers are varints, seven bits a byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

# Field numbers of onnx.proto: ModelProto, GraphProto, NodeProto, TensorProto, ValueInfoProto.
_MODEL_GRAPH = 7
_GRAPH_NODE, _GRAPH_INITIALIZER, _GRAPH_OUTPUT = 1, 5, 12
_NODE_INPUT, _NODE_OUTPUT = 1, 2
_INITIALIZER_NAME = 8
_VALUE_NAME, _VALUE_TYPE = 1, 2
_FLOAT_TENSOR = b"\x0a\x02\x08\x01"
"""A TypeProto: a tensor (field 1) whose element type (field 1) is float (1)."""

_VARINT, _EIGHT_BYTES, _WITH_LENGTH = 0, 1, 2


def cut_model(data: bytes, outputs: Sequence[str]) -> bytes:
    """An ONNX model whose outputs are the named tensors: later layers are not in it.

    onnxruntime would compute all layers, whatever outputs are asked for.
    """
    model = list(_fields(memoryview(data)))
    graph = [
        field
        for number, content, _ in model
        if number == _MODEL_GRAPH
        for field in _fields(content)
    ]
    producers: dict[bytes, int] = {}
    inputs: dict[int, list[bytes]] = {}
    for index, (number, content, _) in enumerate(graph):
        if number == _GRAPH_NODE:
            parts = list(_fields(content))
            inputs[index] = [bytes(part) for field, part, _ in parts if field == _NODE_INPUT]
            producers |= {bytes(part): index for field, part, _ in parts if field == _NODE_OUTPUT}
    needed = {output.encode() for output in outputs}
    waiting = list(needed)
    nodes: set[int] = set()
    while waiting:
        node = producers.get(waiting.pop())
        if node is not None and node not in nodes:
            nodes.add(node)
            needed.update(inputs[node])
            waiting += inputs[node]
    kept = [
        whole
        for index, (number, content, whole) in enumerate(graph)
        if (number != _GRAPH_NODE or index in nodes)
        and (number != _GRAPH_INITIALIZER or _initializer_name(content) in needed)
        and number != _GRAPH_OUTPUT
    ]
    new_outputs = [
        _field(
            _GRAPH_OUTPUT,
            _field(_VALUE_NAME, output.encode()) + _field(_VALUE_TYPE, _FLOAT_TENSOR),
        )
        for output in outputs
    ]
    rest = [whole for number, _, whole in model if number != _MODEL_GRAPH]
    return b"".join([*rest, _field(_MODEL_GRAPH, b"".join([*kept, *new_outputs]))])


def _initializer_name(content: memoryview) -> bytes:
    return next(bytes(part) for number, part, _ in _fields(content) if number == _INITIALIZER_NAME)


def _fields(message: memoryview) -> Iterator[tuple[int, memoryview, memoryview]]:
    """The fields of a message: number, content (empty if it has no length), and the whole."""
    position = 0
    while position < len(message):
        start = position
        tag, position = _varint(message, position)
        number, wire_type = tag >> 3, tag & 7
        content = message[0:0]
        if wire_type == _WITH_LENGTH:
            size, position = _varint(message, position)
            content = message[position : position + size]
            position += size
        elif wire_type == _VARINT:
            _, position = _varint(message, position)
        else:
            position += 8 if wire_type == _EIGHT_BYTES else 4
        yield number, content, message[start:position]


def _varint(message: memoryview, position: int) -> tuple[int, int]:
    """A number in groups of seven bits, the lowest first, and where it ends."""
    value = shift = 0
    while True:
        byte = message[position]
        position += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, position


def _field(number: int, content: bytes) -> bytes:
    """A field of bytes: tag, length, content."""
    length, size = bytearray(), len(content)
    while size > 127:
        length.append(size & 127 | 128)
        size >>= 7
    return bytes([number << 3 | _WITH_LENGTH, *length, size]) + content
