"""Discourse features: connectives, what neighbouring sentences share, and chains of mentions."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from readmark.readability.raters.features.feature import family
from readmark.readability.raters.features.word_tables import connectives
from readmark.readability.raters.parses import NOUNS, ParsedPassage

DISCOURSE = family(
    "discourse",
    ("connectives", "connectives per sentence", 0, 0.0, 2.5),
    ("causal", "connectives of cause, per hundred words", 0, 0.0, 5.0),
    ("temporal", "connectives of time, per hundred words", 1, 0.0, 6.0),
    ("adversative", "connectives of contrast, per hundred words", -1, 0.0, 5.0),
    ("additive", "connectives of addition, per hundred words", -1, 0.0, 4.0),
    ("overlap", "share of sentences that repeat a noun of the one before", 1, 0.0, 1.0),
    (
        "content_overlap",
        "share of nouns, names, verbs and adjectives repeated from the sentence before",
        1,
        0.0,
        0.5,
    ),
    ("chained", "share of nouns and pronouns that stand in a chain of mentions", 1, 0.0, 1.0),
    ("chain_length", "mentions per chain", 1, 1.0, 6.0),
    ("new_nouns", "nouns mentioned for the first time, per sentence", -1, 0.0, 10.0),
    ("pronoun_share", "pronouns among pronouns and nouns", 1, 0.0, 0.7),
    ("names", "share of names among all words", -1, 0.0, 0.3),
    ("definite", "share of nouns with the, this or that", 0, 0.0, 0.9),
)

_THIRD_PERSON = {
    **dict.fromkeys(("he", "him", "his"), "he"),
    **dict.fromkeys(("she", "her", "hers"), "she"),
    **dict.fromkeys(("they", "them", "their"), "they"),
    "it": None,
}
"""Pronouns that take up a mention, with the person that several forms share; *it* often has no
antecedent (*it rains*), so an earlier *it* is not taken for one."""
_NEAR = 2
"""Sentences over which a pronoun reaches back to a noun."""
_DEFINITE = frozenset({"the", "this", "that", "these", "those"})
_CONTENT = NOUNS | {"VERB", "ADJ"}
_KINDS = ("causal", "temporal", "adversative", "additive")


def measure_discourse(parsed: ParsedPassage) -> dict[str, float]:
    """The discourse features by name."""
    forms, pos, words, sentences = parsed.forms, parsed.pos, parsed.words, parsed.sentence_count
    connective_counts = count_connectives(parsed)
    hundred = 100 / parsed.count
    nouns = [word for word in words if pos[word] in NOUNS]
    uses = Counter(parsed.lemmas[noun] for noun in nouns)
    chains = [count for count in uses.values() if count > 1]
    pronouns = sum(pos[word] == "PRON" for word in words)
    mentions = len(nouns) + sum(forms[word] in _THIRD_PERSON for word in words)
    overlap, content_overlap = _overlaps(parsed)
    definite = sum(
        forms[index] in _DEFINITE and dep == "det" for index, dep in enumerate(parsed.deps)
    )
    return {
        "connectives": sum(connective_counts.values()) / sentences,
        **{kind: connective_counts[kind] * hundred for kind in _KINDS},
        "overlap": overlap,
        "content_overlap": content_overlap,
        "chained": (sum(chains) + _resumptions(parsed)) / mentions if mentions else 0.0,
        "chain_length": sum(chains) / len(chains) if chains else 1.0,
        "new_nouns": len(uses) / sentences,
        "pronoun_share": parsed.share(pronouns, of=pronouns + len(nouns)),
        "names": parsed.share(sum(pos[word] == "PROPN" for word in words)),
        "definite": parsed.share(definite, of=len(nouns)),
    }


def _resumptions(parsed: ParsedPassage) -> int:
    """Pronouns that take up a mention: a noun not far before them, or the same person's pronoun."""
    noun_sentence = -_NEAR - 1  # of the last noun; at first, too far away to be taken up
    persons: set[str] = set()
    count = 0
    for word in parsed.words:
        form, sentence = parsed.forms[word], int(parsed.sentences[word])
        if parsed.pos[word] in NOUNS:
            noun_sentence = sentence
        elif form in _THIRD_PERSON:
            person = _THIRD_PERSON[form]
            count += sentence - noun_sentence <= _NEAR or person in persons
            if person is not None:
                persons.add(person)
    return count


def count_connectives(parsed: ParsedPassage) -> dict[str, int]:
    """How many connectives of each kind; the longest at a place counts alone."""
    kinds, sizes_by_first_word = connectives()
    counts = dict.fromkeys(_KINDS, 0)
    forms = parsed.forms
    index = 0
    while index < len(forms):
        step = 1
        for size in sizes_by_first_word.get(forms[index], ()):  # the longest first
            kind = kinds.get(forms[index : index + size])
            if kind is not None:
                counts[kind] += 1
                step = size
                break
        index += step
    return counts


def _overlaps(parsed: ParsedPassage) -> tuple[float, float]:
    """Share of sentences with a noun of the one before, and of content words repeated from it."""
    if len(parsed.spans) < 2:
        return 0.3, 0.08  # about what is usual: one sentence is too little to judge
    nouns, content = (
        [
            {parsed.lemmas[index] for index in range(first, last) if parsed.pos[index] in tags}
            for first, last in parsed.spans
        ]
        for tags in (NOUNS, _CONTENT)
    )
    repeated = [bool(before & sentence) for before, sentence in pairwise(nouns)]
    shares = [len(before & words) / max(1, len(words)) for before, words in pairwise(content)]
    return sum(repeated) / len(repeated), sum(shares) / len(shares)
