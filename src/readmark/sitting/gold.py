"""Gold annotation for the candidates that declare that they need it."""

from __future__ import annotations

from typing import Any

import msgspec


def with_gold(paper: Any, record: Any, needs: frozenset[str]) -> Any:
    """A paper with the needed layers of its key, on the record and on what stands inside it."""
    if not needs:
        return paper
    key = getattr(record, "key", None)
    known = {**getattr(record, "layers", {}), **getattr(key, "layers", {})}
    needed = {name: layer for name, layer in known.items() if name in needs}
    changed: dict[str, Any] = {"layers": {**paper.layers, **needed}} if needed else {}
    for name in record.__struct_fields__:
        inside = getattr(record, name)
        if name != "key" and isinstance(inside, tuple) and _are_values(inside):
            pairs = zip(getattr(paper, name), inside, strict=True)
            changed[name] = tuple(with_gold(mine, whole, needs) for mine, whole in pairs)
    return msgspec.structs.replace(paper, **changed)


def _are_values(inside: tuple[Any, ...]) -> bool:
    return bool(inside) and all(isinstance(one, msgspec.Struct) for one in inside)
