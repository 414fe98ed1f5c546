"""Questions of a conversation that leave its topic out: the main types, the largest ever."""

from __future__ import annotations

from collections.abc import Sequence

from readmark.models.rewriting.nominals import nominals
from readmark.models.rewriting.nouns import same_noun
from readmark.models.rewriting.parsing import Parsed, Word
from readmark.models.rewriting.phrases import Phrase, is_general
from readmark.models.rewriting.surface import end_of
from readmark.models.rewriting.tables import kinds_of, listed, table
from readmark.models.rewriting.values import Edit

GUIDELINE = "Context independence and readability"
_SPEAKERS = ("i", "you", "we", "people", "one", "someone")
_AGAINST = {"compare": "to", "differ": "from", "different": "from", "similar": "to"}


def says(asked: Parsed, topic: Phrase) -> bool:
    """Whether the question says the topic's last word itself."""
    last = topic.text.split()[-1].lower()
    return any(same_noun(word.lower, last) or same_noun(word.lemma, last) for word in asked.words)


def gap_edit(
    asked: Parsed,
    topic: Phrase,
    new: Phrase | None,
    spoken: Sequence[Sequence[Phrase]],
) -> Edit | None:
    """The topic put in where it was left out; nothing where the question stands alone."""
    listing = new is not None and new.plural and new.article == "the" and new.text.islower()
    if new is None or listing:
        found = _shortened(asked, spoken)
        if found is not None:
            return found
        for look in (_superlative, _counted, _nominal, _owned, _compared):
            found = None if says(asked, topic) else look(asked, topic)
            if found is not None:
                return found
    if listing and new is not None and not says(asked, topic):
        return _put(new.end, f" of {topic.named}", "whose, is left out")
    return None


def _shortened(asked: Parsed, spoken: Sequence[Sequence[Phrase]]) -> Edit | None:
    """The experiment: the end of a longer name that was said before."""
    for one in nominals(asked):
        noun = asked.words[one.last]
        if not one.bare or one.followed or one.modifies or one.owns:
            continue
        plural = noun.tag in ("NNS", "NNPS")
        start, end = asked.words[one.first].start, noun.end
        for said in reversed(spoken):
            for phrase in said:
                words = phrase.text.split()
                alike = same_noun(words[-1].lower(), noun.lower) and phrase.plural == plural
                if len(words) > 1 and alike and not phrase.is_sort:
                    why = f"{noun.lower}: the end of what an earlier question names"
                    was = asked.text[start:end]
                    return Edit(start, end, was, phrase.named, why, GUIDELINE, 0.7)
    return None


def _superlative(asked: Parsed, topic: Phrase) -> Edit | None:
    """The largest ever, the first invented: of what, is the topic."""
    words = asked.words
    if len(words) > 1 and words[0].tag in ("WDT", "WP") and words[1].is_noun:
        return None  # which museums are the most popular
    for at, word in enumerate(words):
        if word.lower != "the" or at + 1 >= len(words):
            continue
        last = at + 1
        if words[last].tag == "RBS" and last + 1 < len(words):
            last += 1
        most = words[last].tag == "JJS" or words[last - 1].tag == "RBS"
        if not most and words[last].lower not in ("first", "last", "second"):
            continue
        after = words[last + 1] if last + 1 < len(words) else None
        if after is None or after.tag in (".", "IN", "RB", "TO", "CC", "VBN", ","):
            name = topic.text[:1].isupper() and not topic.is_sort
            said = f"of {topic.named}" if name else topic.single
            return _put(words[last].end, f" {said}", "of which sort, is left out")
    return None


def _counted(asked: Parsed, topic: Phrase) -> Edit | None:
    """How many can you have: of the topic."""
    words = asked.words
    for at in range(len(words) - 3):
        much = words[at].lower == "how" and words[at + 1].lower in ("many", "much")
        if much and words[at + 2].tag in ("MD", "VBP") and words[at + 3].lower in _SPEAKERS:
            name = topic.several if words[at + 1].lower == "many" else topic.text
            return _put(words[at + 1].end, f" {name}", "what is counted is left out")
    return None


def _nominal(asked: Parsed, topic: Phrase) -> Edit | None:
    """This tradition, the city: a noun that can be said of the topic."""
    for one in nominals(asked):
        noun = asked.words[one.last]
        if not (one.bare or one.pointing) or one.followed or one.modifies or one.owns:
            continue
        start, end = asked.words[one.first].start, noun.end
        named = topic.text[:1].isupper()
        alike = bool(kinds_of(noun.lemma) & _kinds(topic)) and noun.tag == "NN" and named
        if alike and (one.pointing or not is_general(noun)):
            why = f"{noun.lemma} can be said of what the questions before are about"
            return Edit(start, end, asked.text[start:end], topic.named, why, GUIDELINE, 0.5)
    return None


def _kinds(topic: Phrase) -> frozenset[str]:
    if topic.kind in ("person", "somebody"):
        return frozenset(("person",))
    if topic.kind == "place":
        return frozenset(("place",))
    return frozenset(("organisation", "event", "thing"))


def _owned(asked: Parsed, topic: Phrase) -> Edit | None:
    """The main types, any side effects, the batteries: whose, is left out."""
    words = asked.words
    for at, word in enumerate(words):
        if not word.is_noun or (at + 1 < len(words) and words[at + 1].is_noun):
            continue
        if at + 1 < len(words) and words[at + 1].tag in ("POS", "HYPH"):
            continue
        first = at
        while first and (
            words[first - 1].is_noun or words[first - 1].tag in ("JJ", "JJS", "JJR", "CD", "VBN")
        ):
            first -= 1
        if any(one.tag in ("NNP", "NNPS") for one in words[first : at + 1]):
            continue
        before = words[first - 1] if first else None
        owner = before is not None and before.tag in ("PRP$", "POS")
        if owner or not is_general(word) or word.lemma in listed("topics", "unowned"):
            continue
        bare = first == at and (before is None or before.tag.startswith("VB"))
        if bare and word.tag == "NN" and word.dep in ("dobj", "pobj"):
            continue  # affect development
        last = _joined(words, at)
        after = words[last + 1] if last + 1 < len(words) else None
        apart = word.lemma in ("difference", "similarity")
        if apart and after is not None and after.lower in ("with", "from"):
            now = f"between {topic.named} and"
            return Edit(after.start, after.end, after.text, now, "between what", GUIDELINE, 0.5)
        if after is not None and after.lower in ("for", "to"):
            verb = words[last + 2] if last + 2 < len(words) else after
            if verb.tag.startswith("VB"):  # the best way to cook
                return None
        if after is not None and after.lower in ("of", "between", "that", "who", "which"):
            if word.lemma in ("role", "contribution") and after.lower == "of":
                link = table()["topics"]["prepositions"][word.lemma]
                return _put(end_of(asked.text), f" {link} {topic.named}", "in what, is left out")
            return None
        link = table()["topics"]["prepositions"].get(word.lemma, "of")
        name = topic.several if topic.is_sort and word.lemma in ("type", "kind") else topic.named
        why = f"whose {word.lemma}, is left out"
        return _put(words[last].end, f" {link} {name}", why)
    return None


def _joined(words: tuple[Word, ...], at: int) -> int:
    """The last of nouns joined by and: the pros and cons."""
    while at + 2 < len(words) and words[at + 1].lower == "and" and is_general(words[at + 2]):
        at += 2
    return at


def _compared(asked: Parsed, topic: Phrase) -> Edit | None:
    """How does a container compare: with the topic."""
    words = asked.words
    last = len(words) - 1
    while last > 0 and not words[last].text[-1].isalnum():
        last -= 1
    link = _AGAINST.get(words[last].lemma) if words else None
    if link is None or not any(word.is_noun for word in words):
        return None
    return _put(words[last].end, f" {link} {topic.named}", "with what, is left out")


def _put(at: int, now: str, why: str, sure: float = 0.5) -> Edit:
    return Edit(at, at, "", now, why, GUIDELINE, sure)
