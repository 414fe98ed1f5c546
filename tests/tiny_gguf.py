"""A language model of a few kilobytes in GGUF, with random weights and a token for every byte.

The format is described in ggml's docs/gguf.md; the architecture is the smallest that llama.cpp
knows as ``llama``: one layer, two heads.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

_ALIGNED = 32
_FLOAT, _BOOL, _STRING, _ARRAY, _UINT, _INT = 6, 7, 8, 9, 4, 5
_UNKNOWN, _CONTROL, _NORMAL, _BYTE = 2, 3, 1, 6
_WIDTH, _HEADS, _INSIDE, CONTEXT = 32, 2, 64, 4096
_TEMPLATE = (
    "{% for message in messages %}{{ message['role'] }}: {{ message['content'] }}\n"
    "{% endfor %}assistant: "
)


def write_tiny_model(path: Path, seed: int = 1) -> None:
    """Write the model."""
    tokens, kinds = _vocabulary()
    size = len(tokens)
    draw = np.random.default_rng(seed)
    shapes: dict[str, tuple[int, ...]] = {
        "token_embd.weight": (size, _WIDTH),
        "blk.0.attn_norm.weight": (_WIDTH,),
        "blk.0.attn_q.weight": (_WIDTH, _WIDTH),
        "blk.0.attn_k.weight": (_WIDTH, _WIDTH),
        "blk.0.attn_v.weight": (_WIDTH, _WIDTH),
        "blk.0.attn_output.weight": (_WIDTH, _WIDTH),
        "blk.0.ffn_norm.weight": (_WIDTH,),
        "blk.0.ffn_gate.weight": (_INSIDE, _WIDTH),
        "blk.0.ffn_up.weight": (_INSIDE, _WIDTH),
        "blk.0.ffn_down.weight": (_WIDTH, _INSIDE),
        "output_norm.weight": (_WIDTH,),
        "output.weight": (size, _WIDTH),
    }
    tensors = {
        name: np.ones(shape, np.float32)
        if len(shape) == 1
        else draw.normal(0, 0.2, shape).astype(np.float32)
        for name, shape in shapes.items()
    }
    facts: list[tuple[str, int, Any]] = [
        ("general.architecture", _STRING, "llama"),
        ("general.name", _STRING, "tiny"),
        ("general.file_type", _UINT, 0),
        ("llama.context_length", _UINT, CONTEXT),
        ("llama.embedding_length", _UINT, _WIDTH),
        ("llama.block_count", _UINT, 1),
        ("llama.feed_forward_length", _UINT, _INSIDE),
        ("llama.attention.head_count", _UINT, _HEADS),
        ("llama.attention.head_count_kv", _UINT, _HEADS),
        ("llama.attention.layer_norm_rms_epsilon", _FLOAT, 1e-5),
        ("llama.rope.dimension_count", _UINT, _WIDTH // _HEADS),
        ("llama.vocab_size", _UINT, size),
        ("tokenizer.ggml.model", _STRING, "llama"),
        ("tokenizer.ggml.tokens", _ARRAY, (_STRING, tokens)),
        ("tokenizer.ggml.scores", _ARRAY, (_FLOAT, [0.0] * size)),
        ("tokenizer.ggml.token_type", _ARRAY, (_INT, kinds)),
        ("tokenizer.ggml.unknown_token_id", _UINT, 0),
        ("tokenizer.ggml.bos_token_id", _UINT, 1),
        ("tokenizer.ggml.eos_token_id", _UINT, 2),
        ("tokenizer.ggml.add_bos_token", _BOOL, True),
        ("tokenizer.chat_template", _STRING, _TEMPLATE),
    ]
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(facts))
    for name, kind, value in facts:
        head += _text(name) + struct.pack("<I", kind) + _value(kind, value)
    place = 0
    for name, tensor in tensors.items():
        dimensions = tensor.shape[::-1]
        head += _text(name) + struct.pack("<I", len(dimensions))
        head += struct.pack(f"<{len(dimensions)}Q", *dimensions) + struct.pack("<IQ", 0, place)
        place += _padded(tensor.nbytes)
    data = head.ljust(_padded(len(head)), b"\0")
    for tensor in tensors.values():
        data += tensor.tobytes().ljust(_padded(tensor.nbytes), b"\0")
    path.write_bytes(data)


def _vocabulary() -> tuple[list[str], list[int]]:
    """Unknown, begin, end; a token per byte; and the printable characters as themselves."""
    characters = [" \u2581"[1], *(chr(code) for code in range(33, 127))]
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *characters]
    kinds = [_UNKNOWN, _CONTROL, _CONTROL, *[_BYTE] * 256, *[_NORMAL] * len(characters)]
    return tokens, kinds


def _padded(size: int) -> int:
    return -(-size // _ALIGNED) * _ALIGNED


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _value(kind: int, value: Any) -> bytes:
    if kind == _STRING:
        return _text(value)
    if kind == _ARRAY:
        inner, several = value
        return struct.pack("<IQ", inner, len(several)) + _values(inner, several)
    forms = {_UINT: "<I", _INT: "<i", _FLOAT: "<f", _BOOL: "<?"}
    return struct.pack(forms[kind], value)


def _values(kind: int, several: Sequence[Any]) -> bytes:
    return b"".join(_value(kind, each) for each in several)
