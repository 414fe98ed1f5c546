"""Syntactic: depth and distance in the parse, clauses, verbs, and how much a noun carries."""

from __future__ import annotations

from collections import Counter

import numpy as np

from readmark.readability.raters.features.families import Feature, bounded
from readmark.readability.raters.parses import NOUNS, Parsed

FEATURES = tuple(
    Feature(name, "syntactic", says, easier, low, high)
    for name, says, easier, low, high in (
        ("depth", "mean depth of the parse tree", -1, 1.0, 12.0),
        ("distance", "mean distance between a word and its head", -1, 1.0, 5.0),
        ("before_verb", "words before the main verb", -1, 0.0, 18.0),
        ("clauses", "clauses a sentence", -1, 0.5, 6.0),
        ("subordinate", "subordinate clauses a sentence", -1, 0.0, 4.0),
        ("relative", "relative and participial clauses a sentence", -1, 0.0, 2.0),
        ("verbs", "share of verbs among all words", 1, 0.0, 0.35),
        ("nouns", "share of nouns and names among all words", -1, 0.05, 0.6),
        ("noun_weight", "modifiers a noun", -1, 0.0, 3.0),
        ("compounds", "nouns that modify nouns, a noun", -1, 0.0, 0.8),
        ("noun_phrases", "noun phrases a sentence", -1, 0.5, 14.0),
        ("prepositions", "share of prepositions among all words", -1, 0.0, 0.25),
        ("prepositional_chains", "prepositional phrases inside others, a sentence", -1, 0.0, 3.0),
        ("passives", "share of clauses in the passive", -1, 0.0, 0.7),
        ("coordination", "coordinated words a sentence", -1, 0.0, 4.0),
        ("adjectives", "share of adjectives among all words", -1, 0.0, 0.25),
        ("adverbs", "share of adverbs among all words", 0, 0.0, 0.2),
        ("past", "share of finite verbs in the past tense", 1, 0.0, 1.0),
    )
)

_SUBORDINATE = frozenset({"advcl", "ccomp", "csubj", "csubjpass", "acl", "relcl", "pcomp"})
_RELATIVE = frozenset({"relcl", "acl"})
_MODIFIERS = frozenset({"amod", "compound", "nmod", "nummod", "poss", "relcl", "acl", "prep"})
_USUAL_BEFORE = 5.0
_PRESENT = frozenset({"VBP", "VBZ"})


def measure(parsed: Parsed) -> dict[str, float]:
    """Shape of the parse, clauses, and shares of the word classes."""
    pos, tags, deps, heads = parsed.pos, parsed.tags, parsed.deps, parsed.heads
    words, count, sentences = parsed.words, parsed.count, parsed.sentence_count
    classes = Counter([pos[at] for at in words])
    relations = Counter(deps)
    tagged = Counter(tags)
    depth, distance = _shape(parsed)
    nouns = sum(classes[one] for one in NOUNS)
    clauses = sum(
        pos[at] in ("VERB", "AUX") and (dep == "ROOT" or dep in _SUBORDINATE or dep == "conj")
        for at, dep in enumerate(deps)
    )
    weight = sum(dep in _MODIFIERS and pos[heads[at]] in NOUNS for at, dep in enumerate(deps))
    chains = sum(dep == "prep" and deps[heads[at]] == "pobj" for at, dep in enumerate(deps))
    present = sum(tagged[one] for one in _PRESENT)
    finite = present + tagged["VBD"]
    values = {
        "depth": depth,
        "distance": distance,
        "before_verb": _before_verb(parsed),
        "clauses": clauses / sentences,
        "subordinate": sum(relations[one] for one in _SUBORDINATE) / sentences,
        "relative": sum(relations[one] for one in _RELATIVE) / sentences,
        "verbs": classes["VERB"] / count,
        "nouns": nouns / count,
        "noun_weight": weight / nouns if nouns else 0.0,
        "compounds": relations["compound"] / nouns if nouns else 0.0,
        "noun_phrases": (nouns - relations["compound"] + classes["PRON"]) / sentences,
        "prepositions": sum(tags[at] == "IN" and pos[at] == "ADP" for at in words) / count,
        "prepositional_chains": chains / sentences,
        "passives": (relations["nsubjpass"] + 0.0) / max(1, clauses),
        "coordination": relations["conj"] / sentences,
        "adjectives": classes["ADJ"] / count,
        "adverbs": classes["ADV"] / count,
        "past": tagged["VBD"] / finite if finite else 0.5,
    }
    return bounded(FEATURES, values)


def _shape(parsed: Parsed) -> tuple[float, float]:
    """Mean over sentences of the deepest word's depth, and the mean distance to heads."""
    size = len(parsed.heads)
    if not size:
        return 1.0, 1.0
    heads = np.array(parsed.heads, np.intp)
    at = np.arange(size)
    depth = np.zeros(size)
    place = at.copy()
    # Every step moves all words one head up; who has arrived stays where he is.
    for _ in range(40):
        above = heads[place]
        moved = above != place
        if not moved.any():
            break
        depth += moved
        place = above
    deepest = [float(depth[a:b].max()) for a, b in parsed.spans]
    away = np.abs(heads - at)
    linked = away[away > 0]
    return (
        sum(deepest) / len(deepest) if deepest else 1.0,
        float(linked.mean()) if len(linked) else 1.0,
    )


def _before_verb(parsed: Parsed) -> float:
    """Mean words before a root that is a verb; sentences without one say nothing."""
    deps, pos, words = parsed.deps, parsed.pos, set(parsed.words)
    found = []
    for first, last in parsed.spans:
        root = next((at for at in range(first, last) if deps[at] == "ROOT"), first)
        if pos[root] in ("VERB", "AUX"):
            found.append(sum(at in words for at in range(first, root)))
    return sum(found) / len(found) if found else _USUAL_BEFORE
