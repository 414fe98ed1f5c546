"""Layers that a candidate cannot do without: told before the first unit, not in every row."""

from __future__ import annotations

from readmark.corpus.errors import UsageError
from readmark.corpus.test import Test
from readmark.sitting.candidates import Candidate, declared


def check_layers(name: str, candidate: Candidate, test: Test) -> None:
    """Refuse a test in which no record has a layer that the candidate says it reads."""
    missing = set(declared(candidate, "layers", ()))
    for record in test.records() if missing else ():
        hidden = record.key.layers if record.key is not None else {}
        missing -= {*record.layers, *hidden}
        if not missing:
            return
    if missing:
        said = ", ".join(sorted(missing))
        raise UsageError(
            f"{name} reads gold annotation that {test.file} does not have: layer {said}"
        )
