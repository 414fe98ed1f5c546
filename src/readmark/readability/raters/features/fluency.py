"""Fluency features: how surprising the order of words is, and signs of broken text."""

from __future__ import annotations

import functools

import numpy as np

from readmark.readability.raters.features.disagreement import disagreements
from readmark.readability.raters.features.feature import family
from readmark.readability.raters.features.imperatives import imperatives
from readmark.readability.raters.features.word_order import word_order
from readmark.readability.raters.parses import ParsedPassage
from readmark.text.frequency import is_listed

SHOCK = 7.0
"""Nats of surprise that are hardly ever met in sound text."""

FLUENCY = family(
    "fluency",
    ("surprise", "mean surprise of the order of words and tags", -1, 1.5, 4.5),
    ("surprise_spread", "spread of that surprise", -1, 0.5, 3.0),
    ("shocks", "share of words that hardly ever follow those before", -1, 0.0, 0.4),
    ("worst_sentences", "surprise of the most surprising tenth of sentences", -1, 1.5, 6.0),
    ("unknown_words", "share of words in no word list, names aside", -1, 0.0, 0.3),
    ("disagreement", "errors of agreement per hundred words", -1, 0.0, 8.0),
    ("bare_nouns", "share of singular nouns without an article or the like", -1, 0.0, 1.0),
    ("verbless", "share of sentences without a finite verb or a command", -1, 0.0, 1.0),
    (
        "function_words",
        "share of articles, prepositions, pronouns and auxiliaries",
        1,
        0.1,
        0.7,
    ),
    ("doubled", "words repeated at once, per hundred words", -1, 0.0, 4.0),
    (
        "odd_starts",
        "share of sentences that begin with a small letter or end in no stop",
        -1,
        0.0,
        1.0,
    ),
)

_FINITE = frozenset({"VBD", "VBP", "VBZ", "MD"})
_STOPS = frozenset(".?!\"”'’)]…:") | {"...", "''"}
_FUNCTION = frozenset({"DET", "ADP", "PRON", "AUX", "PART", "SCONJ", "CCONJ"})
_MAY_DOUBLE = frozenset({"that", "had", "very", "ha", "bye", "no", "so", "her", "is"})
_PARTS_OF_CONTRACTIONS = frozenset({"n't", "ca", "wo", "gon", "na"})
"""What the tokenizer makes of *can't*, *won't*, *gonna* and *wanna*."""
_LEAST_TOKENS = 4
"""Tokens of a passage or sentence below which its surprise says nothing."""


def measure_fluency(parsed: ParsedPassage) -> dict[str, float]:
    """Surprise by a small model of word order, and errors by rules."""
    pos, tags, forms, sentences = parsed.pos, parsed.tags, parsed.forms, parsed.sentences
    surprise = word_order().surprise(parsed)
    is_long = len(surprise) >= _LEAST_TOKENS
    of_sentences = [
        float(surprise[first:last].mean())
        for first, last in parsed.spans
        if last - first >= _LEAST_TOKENS
    ]
    with_verb = {int(sentences[index]) for index, tag in enumerate(tags) if tag in _FINITE}
    with_verb |= {int(sentences[imperative]) for imperative in imperatives(parsed)}
    verbless = {int(sentences[first]) for first, _ in parsed.spans} - with_verb
    unknown = sum(
        parsed.raw[index].islower() and not _is_known(forms[index]) for index in parsed.ordinary
    )
    doubled = sum(
        forms[index] == forms[index - 1]
        and forms[index].isalpha()
        and sentences[index] == sentences[index - 1]  # not the end of a line of verse
        and forms[index] not in _MAY_DOUBLE
        for index in range(1, len(forms))
    )
    hundred = 100 / parsed.count
    return {
        "surprise": float(surprise.mean()) if is_long else 2.6,
        "surprise_spread": float(surprise.std()) if is_long else 1.8,
        "shocks": float((surprise > SHOCK).mean()) if is_long else 0.0,
        "worst_sentences": float(np.quantile(of_sentences, 0.9)) if of_sentences else 2.6,
        "unknown_words": parsed.share(unknown, of=len(parsed.ordinary)),
        "disagreement": len(disagreements(parsed)) * hundred,
        "bare_nouns": _bare_nouns(parsed),
        "verbless": len(verbless) / parsed.sentence_count,
        "function_words": parsed.share(sum(pos[word] in _FUNCTION for word in parsed.words)),
        "doubled": doubled * hundred,
        "odd_starts": _odd_starts(parsed),
    }


def _bare_nouns(parsed: ParsedPassage) -> float:
    """Share of singular common nouns without a determiner: what dropped articles leave behind."""
    determined = {
        head
        for head, dep in zip(parsed.heads, parsed.deps, strict=True)
        if dep in ("det", "poss", "nummod")
    }
    nouns = [
        index
        for index, tag in enumerate(parsed.tags)
        if tag == "NN" and parsed.deps[index] not in ("compound", "conj")
    ]
    return sum(noun not in determined for noun in nouns) / len(nouns) if nouns else 0.4


def _odd_starts(parsed: ParsedPassage) -> float:
    """Share of sentences that begin with a small letter or end in no stop."""
    count = 0
    for first, last in parsed.spans:
        sentence = parsed.raw[first:last]
        first_word = next((form for form in sentence if form[0].isalpha()), "A")
        count += first_word[0].islower() or sentence[-1] not in _STOPS
    return count / parsed.sentence_count


@functools.lru_cache(maxsize=1 << 17)
def _is_known(form: str) -> bool:
    return is_listed(form) or form.startswith("'") or form in _PARTS_OF_CONTRACTIONS
