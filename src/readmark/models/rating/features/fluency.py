"""Fluency: how surprising the order of words is, and signs of broken or machine-made text."""

from __future__ import annotations

import functools

import numpy as np

from readmark.models.rating.features.feature import Feature, bounded
from readmark.models.rating.imperatives import imperatives
from readmark.models.rating.parsed import Parsed
from readmark.models.rating.word_frequency import is_listed
from readmark.models.rating.word_order import word_order

SHOCK = 7.0
"""Nats of surprise that are hardly ever met in sound text."""

FEATURES = tuple(
    Feature(name, "fluency", says, easier, low, high)
    for name, says, easier, low, high in (
        ("surprise", "mean surprise of the order of words and tags", -1, 1.5, 4.5),
        ("surprise_spread", "spread of that surprise", -1, 0.5, 3.0),
        ("shocks", "share of words that hardly ever follow those before", -1, 0.0, 0.4),
        ("worst_sentences", "surprise of the most surprising tenth of sentences", -1, 1.5, 6.0),
        ("unknown_words", "share of words in no word list, names aside", -1, 0.0, 0.3),
        ("disagreement", "errors of agreement a hundred words", -1, 0.0, 8.0),
        ("bare_nouns", "share of singular nouns without an article or the like", -1, 0.0, 1.0),
        ("verbless", "share of sentences without a finite verb or a command", -1, 0.0, 1.0),
        (
            "function_words",
            "share of articles, prepositions, pronouns and auxiliaries",
            1,
            0.1,
            0.7,
        ),
        ("doubled", "words said twice running, a hundred words", -1, 0.0, 4.0),
        (
            "odd_starts",
            "share of sentences that begin with a small letter or end in no stop",
            -1,
            0.0,
            1.0,
        ),
    )
)

_FINITE = frozenset({"VBD", "VBP", "VBZ", "MD"})
_STOPS = frozenset(".?!\"”'’)]…:") | {"...", "''"}
_FUNCTION = frozenset({"DET", "ADP", "PRON", "AUX", "PART", "SCONJ", "CCONJ"})
_MAY_DOUBLE = frozenset({"that", "had", "very", "ha", "bye", "no", "so", "her", "is"})
_VOWELS = frozenset("aeiou")
_PLURAL = frozenset({"we", "they", "these", "those", "you"})
_SINGULAR = frozenset({"he", "she", "it", "this"})
_MARKS = frozenset({"if", "though", "unless", "whether", "as"})
_COLLECTIVE = frozenset(
    {
        *("army", "audience", "band", "board", "class", "club"),
        *("committee", "company", "council", "couple", "crew", "crowd"),
        *("family", "firm", "gang", "generation", "government", "group"),
        *("jury", "majority", "minority", "number", "orchestra", "pair"),
        *("party", "police", "press", "public", "rest", "side"),
        *("staff", "team", "trio", "union", "variety", "youth"),
    }
)
"""Singular nouns that take a plural verb too, as British English has it."""
_SOME = frozenset({"these", "those", "many"})


def measure(parsed: Parsed) -> dict[str, float]:
    """Surprise by a small model of word order, and errors by rules."""
    surprise = word_order().surprise(parsed)
    sentences = parsed.sentences
    pos, tags, forms, words = parsed.pos, parsed.tags, parsed.forms, parsed.words
    per_sentence = [float(surprise[a:b].mean()) for a, b in parsed.spans if b - a > 3]
    finite = {int(sentences[at]) for at, tag in enumerate(tags) if tag in _FINITE}
    finite |= {int(sentences[at]) for at in imperatives(parsed)}
    spoken = {int(sentences[first]) for first, _ in parsed.spans}
    small = [at for at in words if pos[at] not in ("PROPN", "NUM")]
    unknown = sum(parsed.raw[at].islower() and not _listed(forms[at]) for at in small)
    hundred = 100 / parsed.count
    usual = len(surprise) > 3
    values = {
        "surprise": float(surprise.mean()) if usual else 2.6,
        "surprise_spread": float(surprise.std()) if usual else 1.8,
        "shocks": float((surprise > SHOCK).mean()) if usual else 0.0,
        "worst_sentences": float(np.quantile(per_sentence, 0.9)) if per_sentence else 2.6,
        "unknown_words": unknown / len(small) if small else 0.0,
        "disagreement": len(disagreements(parsed)) * hundred,
        "bare_nouns": _bare(parsed),
        "verbless": len(spoken - finite) / parsed.sentence_count,
        "function_words": parsed.share(sum(pos[at] in _FUNCTION for at in words)),
        "doubled": sum(
            forms[at] == forms[at - 1] and forms[at].isalpha() and forms[at] not in _MAY_DOUBLE
            for at in range(1, len(forms))
        )
        * hundred,
        "odd_starts": _odd(parsed),
    }
    return bounded(FEATURES, values)


def disagreements(parsed: Parsed) -> list[int]:
    """Tokens that do not agree: *they was*, *a books*, *can goes*, *an car*, *to went*."""
    forms, tags, deps, heads = parsed.forms, parsed.tags, parsed.deps, parsed.heads
    supposed = {heads[at] for at, dep in enumerate(deps) if dep == "mark" and forms[at] in _MARKS}
    found = []
    for at, tag in enumerate(tags):
        form = forms[at]
        head = heads[at]
        wrong = (
            (
                deps[at] == "nsubj"
                and _clash(form, tag, forms[head], tags[head])
                # if he were, as though it were, I wish she were
                and not (forms[head] == "were" and (head in supposed or _wished(parsed, head)))
            )
            or (deps[at] == "aux" and tag in ("MD", "TO") and tags[head] in ("VBZ", "VBD"))
            or (form in _SOME and deps[at] == "det" and tags[head] == "NN")
        )
        if not wrong and form in ("a", "an") and tag == "DT" and at + 1 < len(forms):
            plural = deps[at] == "det" and tags[head] == "NNS" and head == at + 1
            wrong = plural or _wrong_article(form, forms[at + 1])
        if wrong:
            found.append(at)
    return found


def _clash(form: str, tag: str, verb: str, verb_tag: str) -> bool:
    plural = tag == "NNS" or form in _PLURAL
    singular = (tag == "NN" and form not in _COLLECTIVE) or form in _SINGULAR
    if plural and (verb_tag == "VBZ" or (verb == "was" and form != "you")):
        return True
    return singular and form != "this" and (verb_tag == "VBP" or verb == "were") and verb != "be"


def _wished(parsed: Parsed, verb: int) -> bool:
    return parsed.deps[verb] == "ccomp" and parsed.lemmas[parsed.heads[verb]] == "wish"


def _wrong_article(article: str, word: str) -> bool:
    """*a apple*, *an car*; h, u, o, e and letters by name go both ways and are let pass."""
    if not word.isalpha() or len(word) < 3 or word[0] in "huoeymxslrfn":
        return False
    return (word[0] in _VOWELS) == (article == "a")


def _bare(parsed: Parsed) -> float:
    """Singular common nouns that nothing stands before: what dropped articles leave behind."""
    tags, deps, heads = parsed.tags, parsed.deps, parsed.heads
    dressed = {heads[at] for at, dep in enumerate(deps) if dep in ("det", "poss", "nummod")}
    nouns = [
        at for at, tag in enumerate(tags) if tag == "NN" and deps[at] not in ("compound", "conj")
    ]
    return sum(at not in dressed for at in nouns) / len(nouns) if nouns else 0.4


def _odd(parsed: Parsed) -> float:
    raw = parsed.raw
    odd = 0
    for first, last in parsed.spans:
        start = next((raw[at] for at in range(first, last) if raw[at][0].isalpha()), "A")
        odd += start[0].islower() or raw[last - 1] not in _STOPS
    return odd / parsed.sentence_count


@functools.lru_cache(maxsize=1 << 17)
def _listed(form: str) -> bool:
    return is_listed(form) or form.startswith("'") or form in ("n't", "ca", "wo", "gon", "na")
