"""Text broken on purpose, as an example of what reads badly: seeded, and told by name.

Every sort takes a parsed passage and gives a text. They stand for what broken text looks like:
words out of order, function words lost, forms that do not agree, and a translation word for word.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from readmark.models.rating.parsed import Parsed

_FUNCTION = frozenset({"DET", "ADP", "AUX", "PRON", "PART", "SCONJ", "CCONJ"})
_PREPOSITIONS = ("of", "to", "in", "for", "on", "with", "at", "by", "from", "about", "into", "over")
_FORMS = ("", "s", "ed", "ing")
_SIGNS = frozenset(".,;:!?)]}%'’”")


def shuffled(parsed: Parsed, seed: int) -> str:
    """The words of every sentence in any order: word salad."""
    chance = random.Random(seed)
    return _by_sentence(parsed, lambda words: _mixed(words, chance, len(words)))


def jumbled(parsed: Parsed, seed: int) -> str:
    """Words moved by a place or two: an order that is nearly right."""
    chance = random.Random(seed)
    return _by_sentence(parsed, lambda words: _mixed(words, chance, 3))


def dropped(parsed: Parsed, seed: int) -> str:
    """Seven in ten of the articles, prepositions, pronouns and auxiliaries lost."""
    chance = random.Random(seed)
    kept = [
        at
        for at in range(len(parsed.raw))
        if parsed.pos[at] not in _FUNCTION or chance.random() > 0.7
    ]
    return _joined(parsed, [(at, parsed.raw[at]) for at in kept])


def misinflected(parsed: Parsed, seed: int) -> str:
    """Half of the nouns and verbs with an ending that does not fit."""
    chance = random.Random(seed)
    words = []
    for at, form in enumerate(parsed.raw):
        if parsed.pos[at] in ("NOUN", "VERB", "AUX") and form.isalpha() and chance.random() < 0.5:
            stem = parsed.lemmas[at].rstrip("e") or form
            form = stem + chance.choice(_FORMS)
        words.append((at, form))
    return _joined(parsed, words)


def word_for_word(parsed: Parsed, seed: int) -> str:
    """As an old machine translation: no articles, base forms, wrong prepositions, swapped pairs."""
    chance = random.Random(seed)
    words: list[tuple[int, str]] = []
    for at, form in enumerate(parsed.raw):
        pos = parsed.pos[at]
        if pos == "DET" and chance.random() < 0.8:
            continue
        if pos in ("VERB", "AUX") and chance.random() < 0.6:
            form = parsed.lemmas[at] or form
        elif pos == "ADP" and chance.random() < 0.5:
            form = chance.choice(_PREPOSITIONS)
        words.append((at, form))
        if len(words) > 1 and pos == "NOUN" and parsed.pos[words[-2][0]] == "ADJ":
            words[-2], words[-1] = words[-1], words[-2]
    return _joined(parsed, words)


SORTS: dict[str, tuple[Callable[[Parsed, int], str], float]] = {
    "shuffled": (shuffled, 0.05),
    "jumbled": (jumbled, 0.2),
    "dropped": (dropped, 0.4),
    "misinflected": (misinflected, 0.4),
    "word_for_word": (word_for_word, 0.4),
}
"""Each sort with how much of the rating over 1 it leaves of the sound text: a convention."""


def _mixed(words: list[str], chance: random.Random, reach: int) -> list[str]:
    order = sorted(range(len(words)), key=lambda at: at + chance.random() * reach)
    return [words[at] for at in order]


def _by_sentence(parsed: Parsed, change: Callable[[list[str]], list[str]]) -> str:
    made = []
    for first, last in parsed.spans:
        said = [form for form in parsed.raw[first:last] if any(map(str.isalnum, form))]
        if said:
            sentence = " ".join(change(said))
            made.append(sentence[:1].upper() + sentence[1:] + ".")
    return " ".join(made)


def _joined(parsed: Parsed, words: Sequence[tuple[int, str]]) -> str:
    """Words with the spaces that go between them, signs close to the word before."""
    made: list[str] = []
    for _, form in words:
        close = form[0] in _SIGNS or form == "n't" or (made and made[-1][-1:] in "([“‘$£")
        made.append(form if close or not made else " " + form)
    return "".join(made)
