"""The passive: in English by the parser's relations, in Chinese by its marks."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from itertools import pairwise

from readmark.corpus.values import Layer
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
    shown = _by_whom([text[slice(*span)].lower() for span in layer.spans], layer)
    return " ".join(text[slice(*layer.spans[one])] for one in shown) or None


def passive_marks(words: Iterable[str], *, perhaps: bool = False) -> list[str]:
    """The passive marks among Chinese words; with ``perhaps`` those that often are none too."""
    known = listed("passive") | (listed("perhaps_passive") if perhaps else frozenset())
    return [word for word in words if word in known]


def _by_whom(words: Sequence[str], layer: Layer) -> list[int]:
    """ "By whom was …ed": the parser misses the relations of this one, not the tags."""
    tags, lemmas = layer.columns["tag"], layer.columns["lemma"]
    for at, (word, following) in enumerate(pairwise(zip(words, tags, strict=True))):
        if word[0] == "by" and following[1] in ("WP", "WDT", "WRB"):
            be = next((one for one in range(at, len(words)) if lemmas[one] == "be"), len(words))
            done = [one for one in range(be, len(words)) if tags[one] == "VBN"]
            if done:
                return [at, at + 1, be, done[-1]]
    return []


def _auxiliaries(verb: int, heads: Iterable[int], relations: Iterable[str]) -> set[int]:
    return {
        at
        for at, (head, relation) in enumerate(zip(heads, relations, strict=True))
        if head == verb and relation == "auxpass"
    }


@functools.cache
def _english() -> Analyser:
    return analyser("en")
