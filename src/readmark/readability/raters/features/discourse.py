"""Discourse: connectives, what neighbouring sentences share, and chains of mentions."""

from __future__ import annotations

from collections import Counter

from readmark.readability.raters.features.families import Feature, bounded
from readmark.readability.raters.parses import NOUNS, Parsed, connectives

FEATURES = tuple(
    Feature(name, "discourse", says, easier, low, high)
    for name, says, easier, low, high in (
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


def measure(parsed: Parsed) -> dict[str, float]:
    """Connectives by sort, overlap of neighbours, chains of nouns."""
    pos, lemmas, words, sentences = parsed.pos, parsed.lemmas, parsed.words, parsed.sentence_count
    found = count_connectives(parsed)
    hundred = 100 / parsed.count
    nouns = [at for at in words if pos[at] in NOUNS]
    said = Counter(lemmas[at] for at in nouns)
    chains = [times for times in said.values() if times > 1]
    pronouns = _resumed(parsed)
    every = sum(pos[at] == "PRON" for at in words)
    mentions = len(nouns) + sum(parsed.forms[at] in _MENTIONED for at in words)
    overlap, shared = _overlaps(parsed)
    definite = sum(
        parsed.forms[at] in _DEFINITE and dep == "det" for at, dep in enumerate(parsed.deps)
    )
    values = {
        "connectives": sum(found.values()) / sentences,
        **{kind: found[kind] * hundred for kind in _KINDS},
        "overlap": overlap,
        "content_overlap": shared,
        "chained": (sum(chains) + pronouns) / mentions if mentions else 0.0,
        "chain_length": sum(chains) / len(chains) if chains else 1.0,
        "new_nouns": len(said) / sentences,
        "pronoun_share": every / (every + len(nouns)) if every + len(nouns) else 0.0,
        "names": parsed.share(sum(pos[at] == "PROPN" for at in words)),
        "definite": definite / len(nouns) if nouns else 0.0,
    }
    return bounded(FEATURES, values)


def _resumed(parsed: Parsed) -> int:
    """Pronouns that take up a mention: a noun not far before them, or a person named alike."""
    forms, pos, sentences = parsed.forms, parsed.pos, parsed.sentences
    noun = -_NEAR - 1
    persons: set[str] = set()
    found = 0
    for at in parsed.words:
        here = int(sentences[at])
        if pos[at] in NOUNS:
            noun = here
        elif forms[at] in _MENTIONED:
            person = _PERSONS.get(forms[at], "")
            found += here - noun <= _NEAR or person in persons
            if person:
                persons.add(person)
    return found


def count_connectives(parsed: Parsed) -> dict[str, int]:
    """How many connectives of each sort; the longest at a place counts alone."""
    table, longest = connectives()
    found = dict.fromkeys(_KINDS, 0)
    forms = parsed.forms
    at = 0
    while at < len(forms):
        step = 1
        sizes = longest.get(forms[at])
        if sizes:
            for size in sizes:
                kind = table.get(forms[at : at + size])
                if kind is not None:
                    found[kind] += 1
                    step = size
                    break
        at += step
    return found


def _overlaps(parsed: Parsed) -> tuple[float, float]:
    """Share of sentences with a noun of the one before, and of content words said there."""
    pos, lemmas = parsed.pos, parsed.lemmas
    nouns: list[set[str]] = []
    content: list[set[str]] = []
    for first, last in parsed.spans:
        nouns.append({lemmas[at] for at in range(first, last) if pos[at] in NOUNS})
        content.append(
            {lemmas[at] for at in range(first, last) if pos[at] in ("VERB", "ADJ")} | nouns[-1]
        )
    pairs = len(nouns) - 1
    if pairs < 1:
        return 0.3, 0.08  # one sentence: about what is usual, for it tells nothing
    repeated = sum(bool(nouns[at] & nouns[at + 1]) for at in range(pairs))
    shares = [
        len(content[at] & content[at + 1]) / max(1, len(content[at + 1])) for at in range(pairs)
    ]
    return repeated / pairs, sum(shares) / pairs
