"""The passive: in English by the parser's relations, in Chinese by its marks."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from readmark.text.analysers import Analyser, analyser
from readmark.text.wording import listed

_PASSIVE = frozenset({"auxpass", "nsubjpass", "csubjpass", "agent"})


def english_passive(text: str) -> str | None:
    """The words that make an English text passive; None when it is active."""
    (analysis,) = _english().analyse([text], ("token",))
    layer = analysis.layers["token"]
    heads, relations = layer.columns["head"], layer.columns["dep"]
    for at, relation in enumerate(relations):
        if relation in _PASSIVE:
            shown = sorted({at, heads[at]} | _auxiliaries(heads[at], heads, relations))
            return " ".join(text[slice(*layer.spans[one])] for one in shown)
    return None


def passive_marks(words: Iterable[str], *, perhaps: bool = False) -> list[str]:
    """The passive marks among Chinese words; with ``perhaps`` those that often are none too."""
    known = listed("passive") | (listed("perhaps_passive") if perhaps else frozenset())
    return [word for word in words if word in known]


def _auxiliaries(verb: int, heads: Iterable[int], relations: Iterable[str]) -> set[int]:
    return {
        at
        for at, (head, relation) in enumerate(zip(heads, relations, strict=True))
        if head == verb and relation == "auxpass"
    }


@functools.cache
def _english() -> Analyser:
    return analyser("en")
