"""Grammar: the shape of sentences, how they hang together, and what they assert."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from readmark.readability.raters.feature import family
from readmark.readability.raters.imperatives import imperatives
from readmark.readability.raters.parses import NOUNS, ParsedPassage
from readmark.readability.raters.word_tables import connectives

# Syntactic: depth and distance in the parse, clauses, verbs, and how much a noun carries.

SYNTACTIC = family(
    "syntactic",
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

_SUBORDINATE = frozenset({"advcl", "ccomp", "csubj", "csubjpass", "acl", "relcl", "pcomp"})
_RELATIVE = frozenset({"relcl", "acl"})
_MODIFIERS = frozenset({"amod", "compound", "nmod", "nummod", "poss", "relcl", "acl", "prep"})
_USUAL_BEFORE = 5.0
_PRESENT = frozenset({"VBP", "VBZ"})


def measure_syntactic(parsed: ParsedPassage) -> dict[str, float]:
    """Shape of the parse, clauses, and shares of the word classes."""
    pos, tags, deps, heads = parsed.pos, parsed.tags, parsed.deps, parsed.heads
    words, count, sentences = parsed.words, parsed.count, parsed.sentence_count
    classes = Counter([pos[word] for word in words])
    relations = Counter(deps)
    tagged = Counter(tags)
    depth, distance = _shape(parsed)
    nouns = sum(classes[noun] for noun in NOUNS)
    clauses = sum(
        pos[index] in ("VERB", "AUX") and (dep == "ROOT" or dep in _SUBORDINATE or dep == "conj")
        for index, dep in enumerate(deps)
    )
    weight = sum(dep in _MODIFIERS and pos[heads[index]] in NOUNS for index, dep in enumerate(deps))
    chains = sum(dep == "prep" and deps[heads[index]] == "pobj" for index, dep in enumerate(deps))
    present = sum(tagged[one] for one in _PRESENT)
    finite = present + tagged["VBD"]
    return {
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
        "prepositions": sum(tags[word] == "IN" and pos[word] == "ADP" for word in words) / count,
        "prepositional_chains": chains / sentences,
        "passives": (relations["nsubjpass"] + 0.0) / max(1, clauses),
        "coordination": relations["conj"] / sentences,
        "adjectives": classes["ADJ"] / count,
        "adverbs": classes["ADV"] / count,
        "past": tagged["VBD"] / finite if finite else 0.5,
    }


def _shape(parsed: ParsedPassage) -> tuple[float, float]:
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


def _before_verb(parsed: ParsedPassage) -> float:
    """Mean words before a root that is a verb; sentences without one say nothing."""
    deps, pos, words = parsed.deps, parsed.pos, set(parsed.words)
    found = []
    for first, last in parsed.spans:
        root = next((index for index in range(first, last) if deps[index] == "ROOT"), first)
        if pos[root] in ("VERB", "AUX"):
            found.append(sum(index in words for index in range(first, root)))
    return sum(found) / len(found) if found else _USUAL_BEFORE


# Discourse: connectives, what neighbouring sentences share, and chains of mentions.

DISCOURSE = family(
    "discourse",
    ("connectives", "connectives a sentence", 0, 0.0, 2.5),
    ("causal", "connectives of cause, a hundred words", 0, 0.0, 5.0),
    ("temporal", "connectives of time, a hundred words", 1, 0.0, 6.0),
    ("adversative", "connectives of contrast, a hundred words", -1, 0.0, 5.0),
    ("additive", "connectives of addition, a hundred words", -1, 0.0, 4.0),
    ("overlap", "share of sentences that repeat a noun of the one before", 1, 0.0, 1.0),
    (
        "content_overlap",
        "share of nouns, names, verbs and adjectives said in the sentence before",
        1,
        0.0,
        0.5,
    ),
    ("chained", "share of nouns and pronouns that stand in a chain of mentions", 1, 0.0, 1.0),
    ("chain_length", "mentions a chain", 1, 1.0, 6.0),
    ("new_nouns", "nouns said for the first time, a sentence", -1, 0.0, 10.0),
    ("pronoun_share", "pronouns among pronouns and nouns", 1, 0.0, 0.7),
    ("names", "share of names among all words", -1, 0.0, 0.3),
    ("definite", "share of nouns with the, this or that", 0, 0.0, 0.9),
)

_MENTIONED = frozenset({"he", "him", "his", "she", "her", "hers", "they", "them", "their", "it"})
_PERSONS = {
    **dict.fromkeys(("he", "him", "his"), "he"),
    **dict.fromkeys(("she", "her", "hers"), "she"),
    **dict.fromkeys(("they", "them", "their"), "they"),
}
_NEAR = 2
"""Sentences over which a pronoun reaches back to a noun."""
_DEFINITE = frozenset({"the", "this", "that", "these", "those"})
_KINDS = ("causal", "temporal", "adversative", "additive")


def measure_discourse(parsed: ParsedPassage) -> dict[str, float]:
    """Connectives by sort, overlap of neighbours, chains of nouns."""
    pos, lemmas, words, sentences = parsed.pos, parsed.lemmas, parsed.words, parsed.sentence_count
    found = count_connectives(parsed)
    hundred = 100 / parsed.count
    nouns = [word for word in words if pos[word] in NOUNS]
    said = Counter(lemmas[noun] for noun in nouns)
    chains = [times for times in said.values() if times > 1]
    pronouns = _resumed(parsed)
    every = sum(pos[word] == "PRON" for word in words)
    mentions = len(nouns) + sum(parsed.forms[word] in _MENTIONED for word in words)
    overlap, shared = _overlaps(parsed)
    definite = sum(
        parsed.forms[index] in _DEFINITE and dep == "det" for index, dep in enumerate(parsed.deps)
    )
    return {
        "connectives": sum(found.values()) / sentences,
        **{kind: found[kind] * hundred for kind in _KINDS},
        "overlap": overlap,
        "content_overlap": shared,
        "chained": (sum(chains) + pronouns) / mentions if mentions else 0.0,
        "chain_length": sum(chains) / len(chains) if chains else 1.0,
        "new_nouns": len(said) / sentences,
        "pronoun_share": every / (every + len(nouns)) if every + len(nouns) else 0.0,
        "names": parsed.share(sum(pos[word] == "PROPN" for word in words)),
        "definite": definite / len(nouns) if nouns else 0.0,
    }


def _resumed(parsed: ParsedPassage) -> int:
    """Pronouns that take up a mention: a noun not far before them, or a person named alike."""
    forms, pos, sentences = parsed.forms, parsed.pos, parsed.sentences
    noun = -_NEAR - 1
    persons: set[str] = set()
    count = 0
    for word in parsed.words:
        here = int(sentences[word])
        if pos[word] in NOUNS:
            noun = here
        elif forms[word] in _MENTIONED:
            person = _PERSONS.get(forms[word], "")
            count += here - noun <= _NEAR or person in persons
            if person:
                persons.add(person)
    return count


def count_connectives(parsed: ParsedPassage) -> dict[str, int]:
    """How many connectives of each sort; the longest at a place counts alone."""
    table, longest = connectives()
    found = dict.fromkeys(_KINDS, 0)
    forms = parsed.forms
    index = 0
    while index < len(forms):
        step = 1
        sizes = longest.get(forms[index])
        if sizes:
            for size in sizes:
                kind = table.get(forms[index : index + size])
                if kind is not None:
                    found[kind] += 1
                    step = size
                    break
        index += step
    return found


def _overlaps(parsed: ParsedPassage) -> tuple[float, float]:
    """Share of sentences with a noun of the one before, and of content words said there."""
    pos, lemmas = parsed.pos, parsed.lemmas
    nouns: list[set[str]] = []
    content: list[set[str]] = []
    for first, last in parsed.spans:
        nouns.append({lemmas[index] for index in range(first, last) if pos[index] in NOUNS})
        content.append(
            {lemmas[index] for index in range(first, last) if pos[index] in ("VERB", "ADJ")}
            | nouns[-1]
        )
    pairs = len(nouns) - 1
    if pairs < 1:
        return 0.3, 0.08  # one sentence: about what is usual: too little to judge
    repeated = sum(bool(nouns[index] & nouns[index + 1]) for index in range(pairs))
    shares = [
        len(content[index] & content[index + 1]) / max(1, len(content[index + 1]))
        for index in range(pairs)
    ]
    return repeated / pairs, sum(shares) / pairs


# Assertions: who does what to whom, as a reading system would extract it, and how densely.

ASSERTIONS = family(
    "assertions",
    ("assertions", "assertions a sentence", -1, 0.0, 6.0),
    ("assertion_density", "assertions a hundred words", 1, 0.0, 20.0),
    ("asserting", "share of sentences that assert something whole", 1, 0.0, 1.0),
    ("arguments", "arguments an assertion", -1, 1.0, 4.0),
    ("simple_subjects", "share of subjects that are one word", 1, 0.0, 1.0),
    ("negation", "share of assertions that are denied", 0, 0.0, 0.6),
)

_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "expl"})
_OBJECTS = frozenset({"dobj", "attr", "acomp", "dative", "oprd", "ccomp", "xcomp", "agent"})
_AROUND = frozenset({"prep", "advmod", "npadvmod", "advcl"})


@dataclass(frozen=True, slots=True)
class Assertion:
    """A verb with its subject, none in a command; objects, complements, circumstances if any."""

    verb: int
    subject: int | None
    objects: tuple[int, ...]
    around: int
    denied: bool


def assertions_of(parsed: ParsedPassage) -> list[Assertion]:
    """Every verb with a subject, shared by verbs coordinated with it; and every command."""
    pos, deps, heads = parsed.pos, parsed.deps, parsed.heads
    subjects: dict[int, int] = {}
    objects: dict[int, list[int]] = {}
    around: dict[int, int] = {}
    denied: set[int] = set()
    for index, dep in enumerate(deps):
        head = heads[index]
        if dep in _SUBJECTS:
            subjects.setdefault(head, index)
        elif dep in _OBJECTS:
            objects.setdefault(head, []).append(index)
        elif dep in _AROUND:
            around[head] = around.get(head, 0) + 1
        elif dep == "neg":
            denied.add(head)
    commands = set(imperatives(parsed))
    assertions = []
    for index, tag in enumerate(pos):
        if tag not in ("VERB", "AUX") or deps[index] in ("aux", "auxpass"):
            continue
        subject = subjects.get(index)
        if subject is None and deps[index] == "conj":
            subject = subjects.get(heads[index])
        if subject is not None or index in commands:
            mine = tuple(objects.get(index, ()))
            assertions.append(
                Assertion(index, subject, mine, around.get(index, 0), index in denied)
            )
    return assertions


def measure_assertions(parsed: ParsedPassage) -> dict[str, float]:
    """How many assertions, how whole, and how much each carries."""
    assertions = assertions_of(parsed)
    count = len(assertions)
    with_one = {int(parsed.sentences[assertion.verb]) for assertion in assertions}
    held = {
        parsed.heads[index] for index in range(len(parsed.heads)) if parsed.heads[index] != index
    }
    return {
        "assertions": count / parsed.sentence_count,
        "assertion_density": 100 * count / parsed.count,
        "asserting": len(with_one) / parsed.sentence_count,
        "arguments": sum(1 + len(assertion.objects) + assertion.around for assertion in assertions)
        / count
        if count
        else 2.0,
        "simple_subjects": sum(assertion.subject not in held for assertion in assertions) / count
        if count
        else 0.5,
        "negation": sum(assertion.denied for assertion in assertions) / count if count else 0.0,
    }
