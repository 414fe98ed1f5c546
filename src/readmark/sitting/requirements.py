"""What a candidate needs of a test besides the paper: options, and layers of the key."""

from __future__ import annotations

from typing import Any

import msgspec

from readmark.core.errors import UsageError
from readmark.core.record_members import all_layers
from readmark.core.test import Test
from readmark.hooks import Candidate
from readmark.sitting.candidates import declared

OPTIONS = "options"
"""The one name in a candidate's ``requires`` that is not a layer."""


def require_what_it_needs(
    name: str, candidate: Candidate, test: Test, *, without_options: bool
) -> None:
    """Refuse a test that lacks what the candidate ``requires``, before the first unit is asked.

    A layer must be on one record at least: others may have nothing to annotate.
    """
    missing = set(declared(candidate, "requires", ()))
    if OPTIONS in missing and without_options:
        raise UsageError(f"{name} chooses among options, but no question of {test.file} has any")
    missing.discard(OPTIONS)
    if not missing:
        return
    for record in test.records():
        missing -= {*record.layers, *(record.key.layers if record.key is not None else ())}
        if not missing:
            return
    names = ", ".join(sorted(missing))
    raise UsageError(f"{name} reads gold annotation that {test.file} does not have: layer {names}")


def with_gold(paper: Any, record: Any, needs: frozenset[str]) -> Any:
    """A paper with the layers of its key that a candidate ``needs``.

    Questions and other values inside the record get theirs too.
    """
    if not needs:
        return paper
    needed = {name: layer for name, layer in all_layers(record).items() if name in needs}
    changed: dict[str, Any] = {"layers": {**paper.layers, **needed}} if needed else {}
    for name in record.__struct_fields__:
        values = getattr(record, name)
        if name == "key" or not isinstance(values, tuple) or not values:
            continue
        if all(isinstance(value, msgspec.Struct) for value in values):
            pairs = zip(getattr(paper, name), values, strict=True)
            changed[name] = tuple(with_gold(part, whole, needs) for part, whole in pairs)
    return msgspec.structs.replace(paper, **changed)
