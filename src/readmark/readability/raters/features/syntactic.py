"""Syntactic features: depth and distance in the parse, clauses, and what a noun carries."""

from __future__ import annotations

from collections import Counter

import numpy as np

from readmark.readability.raters.features.feature import family
from readmark.readability.raters.parses import NOUNS, ParsedPassage

SYNTACTIC = family(
    "syntactic",
    ("depth", "mean depth of the parse tree", -1, 1.0, 12.0),
    ("distance", "mean distance between a word and its head", -1, 1.0, 5.0),
    ("before_verb", "words before the main verb", -1, 0.0, 18.0),
    ("clauses", "clauses per sentence", -1, 0.5, 6.0),
    ("subordinate", "subordinate clauses per sentence", -1, 0.0, 4.0),
    ("relative", "relative and participial clauses per sentence", -1, 0.0, 2.0),
    ("verbs", "share of verbs among all words", 1, 0.0, 0.35),
    ("nouns", "share of nouns and names among all words", -1, 0.05, 0.6),
    ("noun_weight", "modifiers per noun", -1, 0.0, 3.0),
    ("compounds", "nouns that modify nouns, per noun", -1, 0.0, 0.8),
    ("noun_phrases", "noun phrases per sentence", -1, 0.5, 14.0),
    ("prepositions", "share of prepositions among all words", -1, 0.0, 0.25),
    ("prepositional_chains", "prepositional phrases inside others, per sentence", -1, 0.0, 3.0),
    ("passives", "share of clauses in the passive", -1, 0.0, 0.7),
    ("coordination", "coordinated words per sentence", -1, 0.0, 4.0),
    ("adjectives", "share of adjectives among all words", -1, 0.0, 0.25),
    ("adverbs", "share of adverbs among all words", 0, 0.0, 0.2),
    ("past", "share of finite verbs in the past tense", 1, 0.0, 1.0),
)

_SUBORDINATE = frozenset({"advcl", "ccomp", "csubj", "csubjpass", "acl", "relcl", "pcomp"})
_RELATIVE = frozenset({"relcl", "acl"})
_MODIFIERS = frozenset({"amod", "compound", "nmod", "nummod", "poss", "relcl", "acl", "prep"})
_USUAL_BEFORE_VERB = 5.0
"""Words before the main verb, for a passage in which no sentence has one."""
_MOST_DEPTH = 40
"""Deeper tokens count as this deep."""


def measure_syntactic(parsed: ParsedPassage) -> dict[str, float]:
    """The syntactic features by name."""
    pos, tags, deps, heads = parsed.pos, parsed.tags, parsed.deps, parsed.heads
    words, count, sentences = parsed.words, parsed.count, parsed.sentence_count
    classes = Counter(pos[word] for word in words)
    relations = Counter(deps)
    tag_counts = Counter(tags)
    depth, distance = _depth_and_distance(parsed)
    nouns = sum(classes[noun] for noun in NOUNS)
    clauses = sum(
        pos[index] in ("VERB", "AUX") and (dep in ("ROOT", "conj") or dep in _SUBORDINATE)
        for index, dep in enumerate(deps)
    )
    modifiers = sum(
        dep in _MODIFIERS and pos[heads[index]] in NOUNS for index, dep in enumerate(deps)
    )
    chains = sum(dep == "prep" and deps[heads[index]] == "pobj" for index, dep in enumerate(deps))
    finite = tag_counts["VBP"] + tag_counts["VBZ"] + tag_counts["VBD"]
    return {
        "depth": depth,
        "distance": distance,
        "before_verb": _before_verb(parsed),
        "clauses": clauses / sentences,
        "subordinate": sum(relations[relation] for relation in _SUBORDINATE) / sentences,
        "relative": sum(relations[relation] for relation in _RELATIVE) / sentences,
        "verbs": classes["VERB"] / count,
        "nouns": nouns / count,
        "noun_weight": modifiers / nouns if nouns else 0.0,
        "compounds": relations["compound"] / nouns if nouns else 0.0,
        "noun_phrases": (nouns - relations["compound"] + classes["PRON"]) / sentences,
        # The tag IN alone would count *that* and *if*, which join clauses.
        "prepositions": sum(tags[word] == "IN" and pos[word] == "ADP" for word in words) / count,
        "prepositional_chains": chains / sentences,
        "passives": relations["nsubjpass"] / max(1, clauses),
        "coordination": relations["conj"] / sentences,
        "adjectives": classes["ADJ"] / count,
        "adverbs": classes["ADV"] / count,
        "past": tag_counts["VBD"] / finite if finite else 0.5,
    }


def _depth_and_distance(parsed: ParsedPassage) -> tuple[float, float]:
    """Mean over sentences of the deepest word's depth, and the mean distance to heads."""
    size = len(parsed.heads)
    if not size:
        return 1.0, 1.0
    heads = np.array(parsed.heads, np.intp)
    tokens = np.arange(size)
    depth = np.zeros(size)
    ancestor = tokens.copy()
    # Every step goes one head up from all tokens; a root is its own head, so it stays.
    for _ in range(_MOST_DEPTH):
        above = heads[ancestor]
        has_moved = above != ancestor
        if not has_moved.any():
            break
        depth += has_moved
        ancestor = above
    deepest = [float(depth[first:last].max()) for first, last in parsed.spans]
    distances = np.abs(heads - tokens)
    linked = distances[distances > 0]
    return (
        sum(deepest) / len(deepest) if deepest else 1.0,
        float(linked.mean()) if len(linked) else 1.0,
    )


def _before_verb(parsed: ParsedPassage) -> float:
    """Mean words before a root that is a verb, over the sentences that have one."""
    words = set(parsed.words)
    counts = []
    for first, last in parsed.spans:
        root = next((index for index in range(first, last) if parsed.deps[index] == "ROOT"), first)
        if parsed.pos[root] in ("VERB", "AUX"):
            counts.append(sum(index in words for index in range(first, root)))
    return sum(counts) / len(counts) if counts else _USUAL_BEFORE_VERB
