"""The passive: in English by the parser's relations, in Chinese by its marks."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from itertools import pairwise

from readmark.core.records import Layer
from readmark.hooks import Analyser
from readmark.text.analysers.registry import analyser
from readmark.text.wording import word_list

_PASSIVE = frozenset({"auxpass", "nsubjpass", "csubjpass", "agent"})


def english_passive(text: str) -> str | None:
    """The words that make an English text passive; None when it is active."""
    (analysis,) = _english().analyse([text], ("token",))
    layer = analysis.layers["token"]
    heads, relations = layer.columns["head"], layer.columns["dep"]
    for index, relation in enumerate(relations):
        if relation in _PASSIVE:
            verb = heads[index]
            auxiliaries = {
                place
                for place, (head, relation) in enumerate(zip(heads, relations, strict=True))
                if head == verb and relation == "auxpass"
            }
            places = sorted({index, verb} | auxiliaries)
            break
    else:
        places = _by_whom([text[slice(*span)].lower() for span in layer.spans], layer)
    return " ".join(text[slice(*layer.spans[place])] for place in places) or None


def _by_whom(words: Sequence[str], layer: Layer) -> list[int]:
    """ "By whom was …ed": the parser misses the relations of this one, not the tags."""
    tags, lemmas = layer.columns["tag"], layer.columns["lemma"]
    for index, (word, following) in enumerate(pairwise(zip(words, tags, strict=True))):
        if word[0] == "by" and following[1] in ("WP", "WDT", "WRB"):
            after = range(index, len(words))
            be = next((place for place in after if lemmas[place] == "be"), len(words))
            participles = [place for place in range(be, len(words)) if tags[place] == "VBN"]
            if participles:
                return [index, index + 1, be, participles[-1]]
    return []


def passive_marks(words: Iterable[str], *, perhaps: bool = False) -> list[str]:
    """The passive marks among Chinese words; with ``perhaps`` also words that often are none."""
    marks = word_list("passive") | (word_list("perhaps_passive") if perhaps else frozenset())
    return [word for word in words if word in marks]


@functools.cache
def _english() -> Analyser:
    return analyser("en")
