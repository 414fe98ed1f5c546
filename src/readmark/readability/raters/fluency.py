"""Fluency: how surprising the order of words is, and signs of broken or machine-made text."""

from __future__ import annotations

import functools
import io
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from readmark.readability.raters.feature import family
from readmark.readability.raters.imperatives import imperatives
from readmark.readability.raters.parses import ParsedPassage
from readmark.text.frequency import is_listed

# A small model of word order: how surprising a word or tag is after the two before it.


DISCOUNT = 0.75
BREAK = "<s>"
"""Stands before a sentence."""
OTHER = "<other>"

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class WordOrder:
    """Counts of runs of one, two and three symbols; a run's key is a number in base ``size``."""

    symbols: dict[str, int]
    singles: Counts
    pair_keys: Counts
    pair_counts: Counts
    triple_keys: Counts
    triple_counts: Counts

    @functools.cached_property
    def _followed(self) -> tuple[tuple[Counts, Counts, Counts], tuple[Counts, Counts, Counts]]:
        """For histories of one and of two: keys, how often they are followed, and by how many."""
        return (
            _histories(self.pair_keys, self.pair_counts, len(self.singles)),
            _histories(self.triple_keys, self.triple_counts, len(self.singles)),
        )

    def codes(self, parsed: ParsedPassage) -> Counts:
        """The tokens as symbols."""
        known, other = self.symbols, self.symbols[OTHER]
        return np.array(
            [
                code if (code := known.get(form)) is not None else known.get(tag, other)
                for form, tag in zip(parsed.forms, parsed.tags, strict=True)
            ],
            np.int64,
        )

    def surprise(self, parsed: ParsedPassage) -> NDArray[np.float64]:
        """Nats of surprise a token, given the two before it in its sentence."""
        codes = self.codes(parsed)
        if not len(codes):
            return np.zeros(0)
        size = len(self.singles)
        start = self.symbols[BREAK]
        first = np.r_[True, np.diff(parsed.sentences) != 0]
        one = np.where(first, start, np.r_[start, codes[:-1]])
        second = np.r_[True, first[:-1]]
        two = np.where(first | second, start, np.r_[start, start, codes[:-2]][: len(codes)])
        ones, twos = self._followed
        single = (self.singles[codes] + 1) / (self.singles.sum() + size)
        pair = _mixed(one * size + codes, one, self.pair_keys, self.pair_counts, ones, single)
        history = two * size + one
        triple = _mixed(
            history * size + codes, history, self.triple_keys, self.triple_counts, twos, pair
        )
        surprise: NDArray[np.float64] = -np.log(triple)
        return surprise


def _mixed(
    keys: Counts,
    histories: Counts,
    known: Counts,
    counts: Counts,
    followed: tuple[Counts, Counts, Counts],
    lower: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The discounted share of a run among what follows its history, and the rest from below."""
    seen = _looked_up(keys, known, counts)
    history_keys, totals, kinds = followed
    total = _looked_up(histories, history_keys, totals)
    kind = _looked_up(histories, history_keys, kinds)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.maximum(seen - DISCOUNT, 0) / total
        left = DISCOUNT * kind / total
    return np.where(total > 0, share + left * lower, lower)


def _looked_up(keys: Counts, known: Counts, values: Counts) -> Counts:
    at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.where(known[at] == keys, values[at], 0)


def _histories(keys: Counts, counts: Counts, size: int) -> tuple[Counts, Counts, Counts]:
    before, at = np.unique(keys // size, return_index=True)
    kinds = np.diff(np.r_[at, len(keys)])
    return before, np.add.reduceat(counts, at), kinds.astype(np.int64)


def unpacked(data: bytes) -> WordOrder:
    """A model from its archive."""
    with np.load(io.BytesIO(data), allow_pickle=False) as held:
        return WordOrder(
            {str(symbol): index for index, symbol in enumerate(held["symbols"])},
            held["singles"].astype(np.int64),
            np.cumsum(held["pair_steps"].astype(np.int64)),
            held["pair_counts"].astype(np.int64),
            np.cumsum(held["triple_steps"].astype(np.int64)),
            held["triple_counts"].astype(np.int64),
        )


@functools.cache
def word_order() -> WordOrder:
    """The model that ships."""
    return unpacked(
        files("readmark.readability.raters").joinpath("data", "word_order.npz").read_bytes()
    )


SHOCK = 7.0
"""Nats of surprise that are hardly ever met in sound text."""

FLUENCY = family(
    "fluency",
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
        "army",
        "audience",
        "band",
        "board",
        "class",
        "club",
        "committee",
        "company",
        "council",
        "couple",
        "crew",
        "crowd",
        "family",
        "firm",
        "gang",
        "generation",
        "government",
        "group",
        "jury",
        "majority",
        "minority",
        "number",
        "orchestra",
        "pair",
        "party",
        "police",
        "press",
        "public",
        "rest",
        "side",
        "staff",
        "team",
        "trio",
        "union",
        "variety",
        "youth",
    }
)
"""Singular nouns that take a plural verb too, as British English has it."""
_PLURAL_DETERMINERS = frozenset({"these", "those", "many"})


def measure_fluency(parsed: ParsedPassage) -> dict[str, float]:
    """Surprise by a small model of word order, and errors by rules."""
    surprise = word_order().surprise(parsed)
    sentences = parsed.sentences
    pos, tags, forms, words = parsed.pos, parsed.tags, parsed.forms, parsed.words
    per_sentence = [float(surprise[a:b].mean()) for a, b in parsed.spans if b - a > 3]
    finite = {int(sentences[index]) for index, tag in enumerate(tags) if tag in _FINITE}
    finite |= {int(sentences[imperative]) for imperative in imperatives(parsed)}
    spoken = {int(sentences[first]) for first, _ in parsed.spans}
    small = [word for word in words if pos[word] not in ("PROPN", "NUM")]
    unknown = sum(parsed.raw[index].islower() and not _listed(forms[index]) for index in small)
    hundred = 100 / parsed.count
    usual = len(surprise) > 3
    return {
        "surprise": float(surprise.mean()) if usual else 2.6,
        "surprise_spread": float(surprise.std()) if usual else 1.8,
        "shocks": float((surprise > SHOCK).mean()) if usual else 0.0,
        "worst_sentences": float(np.quantile(per_sentence, 0.9)) if per_sentence else 2.6,
        "unknown_words": unknown / len(small) if small else 0.0,
        "disagreement": len(disagreements(parsed)) * hundred,
        "bare_nouns": _bare(parsed),
        "verbless": len(spoken - finite) / parsed.sentence_count,
        "function_words": parsed.share(sum(pos[word] in _FUNCTION for word in words)),
        "doubled": sum(
            forms[index] == forms[index - 1]
            and forms[index].isalpha()
            and sentences[index] == sentences[index - 1]  # not the end of a line of verse
            and forms[index] not in _MAY_DOUBLE
            for index in range(1, len(forms))
        )
        * hundred,
        "odd_starts": _odd(parsed),
    }


def disagreements(parsed: ParsedPassage) -> list[int]:
    """Tokens that do not agree: *they was*, *a books*, *can goes*, *an car*, *to went*."""
    forms, tags, deps, heads = parsed.forms, parsed.tags, parsed.deps, parsed.heads
    supposed = {
        heads[index] for index, dep in enumerate(deps) if dep == "mark" and forms[index] in _MARKS
    }
    found = []
    for index, tag in enumerate(tags):
        form = forms[index]
        head = heads[index]
        wrong = (
            (
                deps[index] == "nsubj"
                and _clash(form, tag, forms[head], tags[head])
                # if he were, as though it were, I wish she were
                and not (forms[head] == "were" and (head in supposed or _wished(parsed, head)))
            )
            or (deps[index] == "aux" and tag in ("MD", "TO") and tags[head] in ("VBZ", "VBD"))
            or (form in _PLURAL_DETERMINERS and deps[index] == "det" and tags[head] == "NN")
        )
        if not wrong and form in ("a", "an") and tag == "DT" and index + 1 < len(forms):
            plural = deps[index] == "det" and tags[head] == "NNS" and head == index + 1
            wrong = plural or _wrong_article(form, forms[index + 1])
        if wrong:
            found.append(index)
    return found


def _clash(form: str, tag: str, verb: str, verb_tag: str) -> bool:
    plural = tag == "NNS" or form in _PLURAL
    singular = (tag == "NN" and form not in _COLLECTIVE) or form in _SINGULAR
    if plural and (verb_tag == "VBZ" or (verb == "was" and form != "you")):
        return True
    return singular and form != "this" and (verb_tag == "VBP" or verb == "were") and verb != "be"


def _wished(parsed: ParsedPassage, verb: int) -> bool:
    return parsed.deps[verb] == "ccomp" and parsed.lemmas[parsed.heads[verb]] == "wish"


def _wrong_article(article: str, word: str) -> bool:
    """*a apple*, *an car*; h, u, o, e and letters by name go both ways and are ignored."""
    if not word.isalpha() or len(word) < 3 or word[0] in "huoeymxslrfn":
        return False
    return (word[0] in _VOWELS) == (article == "a")


def _bare(parsed: ParsedPassage) -> float:
    """Singular common nouns without a determiner: what dropped articles leave behind."""
    tags, deps, heads = parsed.tags, parsed.deps, parsed.heads
    dressed = {heads[index] for index, dep in enumerate(deps) if dep in ("det", "poss", "nummod")}
    nouns = [
        index
        for index, tag in enumerate(tags)
        if tag == "NN" and deps[index] not in ("compound", "conj")
    ]
    return sum(noun not in dressed for noun in nouns) / len(nouns) if nouns else 0.4


def _odd(parsed: ParsedPassage) -> float:
    raw = parsed.raw
    odd = 0
    for first, last in parsed.spans:
        start = next((raw[index] for index in range(first, last) if raw[index][0].isalpha()), "A")
        odd += start[0].islower() or raw[last - 1] not in _STOPS
    return odd / parsed.sentence_count


@functools.lru_cache(maxsize=1 << 17)
def _listed(form: str) -> bool:
    return is_listed(form) or form.startswith("'") or form in ("n't", "ca", "wo", "gon", "na")
