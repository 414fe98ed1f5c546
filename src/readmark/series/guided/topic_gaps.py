"""Questions of a conversation that leave its topic out: the main types, the largest ever."""

from __future__ import annotations

from collections.abc import Sequence

from readmark.series.guided.edits import Edit
from readmark.series.guided.ellipsis import GUIDELINE, inserted
from readmark.series.guided.nominals import nominals
from readmark.series.guided.parses import NOUNS, ParsedText, ParsedWord
from readmark.series.guided.phrases import SpokenPhrase, is_general
from readmark.series.guided.surface import end_of
from readmark.series.guided.word_forms import same_noun
from readmark.series.guided.word_tables import kinds_of, listed, table

_SPEAKERS = ("i", "you", "we", "people", "one", "someone")
_AGAINST = {"compare": "to", "differ": "from", "different": "from", "similar": "to"}


def mentions_topic(asked: ParsedText, topic: SpokenPhrase) -> bool:
    """Whether the question contains the topic's last word."""
    last = topic.text.split()[-1].lower()
    return any(same_noun(word.lower, last) or same_noun(word.lemma, last) for word in asked.words)


def gap_edit(
    asked: ParsedText,
    topic: SpokenPhrase,
    new: SpokenPhrase | None,
    spoken: Sequence[Sequence[SpokenPhrase]],
) -> Edit | None:
    """Insert the topic where it was left out; None if the question stands alone."""
    listing = new is not None and new.plural and new.article == "the" and new.text.islower()
    if new is None or listing:
        edit = _shortened(asked, spoken)
        if edit is not None:
            return edit
        for look in (_superlative, _counted, _nominal, _gaps_owned, _compared):
            edit = None if mentions_topic(asked, topic) else look(asked, topic)
            if edit is not None:
                return edit
    if listing and new is not None and not mentions_topic(asked, topic):
        return inserted(new.end, f" of {topic.named}", "whose, is left out")
    return None


def _shortened(asked: ParsedText, spoken: Sequence[Sequence[SpokenPhrase]]) -> Edit | None:
    """The experiment: the end of a longer name that was said before."""
    for nominal in nominals(asked):
        noun = asked.words[nominal.last]
        if not nominal.bare or nominal.followed or nominal.modifies or nominal.owns:
            continue
        plural = noun.tag in ("NNS", "NNPS")
        start, end = asked.words[nominal.first].start, noun.end
        for phrases in reversed(spoken):
            for phrase in phrases:
                words = phrase.text.split()
                alike = same_noun(words[-1].lower(), noun.lower) and phrase.plural == plural
                if len(words) > 1 and alike and not phrase.is_sort:
                    why = f"{noun.lower}: the end of what an earlier question names"
                    was = asked.text[start:end]
                    return Edit(start, end, was, phrase.named, why, GUIDELINE)
    return None


def _superlative(asked: ParsedText, topic: SpokenPhrase) -> Edit | None:
    """The largest ever, the first invented: of what, is the topic."""
    words = asked.words
    if len(words) > 1 and words[0].tag in ("WDT", "WP") and words[1].is_noun:
        return None  # which museums are the most popular
    for index, word in enumerate(words):
        if word.lower != "the" or index + 1 >= len(words):
            continue
        last = index + 1
        if words[last].tag == "RBS" and last + 1 < len(words):
            last += 1
        most = words[last].tag == "JJS" or words[last - 1].tag == "RBS"
        if not most and words[last].lower not in ("first", "last", "second"):
            continue
        after = words[last + 1] if last + 1 < len(words) else None
        if after is None or after.tag in (".", "IN", "RB", "TO", "CC", "VBN", ","):
            name = topic.text[:1].isupper() and not topic.is_sort
            text = f"of {topic.named}" if name else topic.single
            return inserted(words[last].end, f" {text}", "of which sort, is left out")
    return None


def _counted(asked: ParsedText, topic: SpokenPhrase) -> Edit | None:
    """How many can you have: of the topic."""
    words = asked.words
    for index in range(len(words) - 3):
        much = words[index].lower == "how" and words[index + 1].lower in ("many", "much")
        if much and words[index + 2].tag in ("MD", "VBP") and words[index + 3].lower in _SPEAKERS:
            name = topic.several if words[index + 1].lower == "many" else topic.text
            return inserted(words[index + 1].end, f" {name}", "what is counted is left out")
    return None


def _nominal(asked: ParsedText, topic: SpokenPhrase) -> Edit | None:
    """This tradition, the city: a noun that can be said of the topic."""
    for nominal in nominals(asked):
        noun = asked.words[nominal.last]
        if (
            not (nominal.bare or nominal.pointing)
            or nominal.followed
            or nominal.modifies
            or nominal.owns
        ):
            continue
        start, end = asked.words[nominal.first].start, noun.end
        named = topic.text[:1].isupper()
        alike = bool(kinds_of(noun.lemma) & _kinds(topic)) and noun.tag == "NN" and named
        if alike and (nominal.pointing or not is_general(noun)):
            why = f"{noun.lemma} can be said of what the questions before are about"
            return Edit(start, end, asked.text[start:end], topic.named, why, GUIDELINE)
    return None


def _kinds(topic: SpokenPhrase) -> frozenset[str]:
    if topic.kind in ("person", "somebody"):
        return frozenset(("person",))
    if topic.kind == "place":
        return frozenset(("place",))
    return frozenset(("organisation", "event", "thing"))


def _gaps_owned(asked: ParsedText, topic: SpokenPhrase) -> Edit | None:
    """The main types, any side effects, the batteries: the owner is left out."""
    words = asked.words
    for index, word in enumerate(words):
        if not word.is_noun or (index + 1 < len(words) and words[index + 1].is_noun):
            continue
        if index + 1 < len(words) and words[index + 1].tag in ("POS", "HYPH"):
            continue
        first = asked.run_start(index, (*NOUNS, "JJ", "JJS", "JJR", "CD", "VBN"))
        if any(word.tag in ("NNP", "NNPS") for word in words[first : index + 1]):
            continue
        before = words[first - 1] if first else None
        owner = before is not None and before.tag in ("PRP$", "POS")
        if owner or not is_general(word) or word.lemma in listed("topics", "unowned"):
            continue
        bare = first == index and (before is None or before.tag.startswith("VB"))
        if bare and word.tag == "NN" and word.dep in ("dobj", "pobj"):
            continue  # affect development
        last = _joined(words, index)
        after = words[last + 1] if last + 1 < len(words) else None
        apart = word.lemma in ("difference", "similarity")
        if apart and after is not None and after.lower in ("with", "from"):
            now = f"between {topic.named} and"
            return Edit(after.start, after.end, after.text, now, "between what", GUIDELINE)
        if after is not None and after.lower in ("for", "to"):
            verb = words[last + 2] if last + 2 < len(words) else after
            if verb.tag.startswith("VB"):  # the best way to cook
                return None
        if after is not None and after.lower in ("of", "between", "that", "who", "which"):
            if word.lemma in ("role", "contribution") and after.lower == "of":
                link = table()["topics"]["prepositions"][word.lemma]
                return inserted(
                    end_of(asked.text), f" {link} {topic.named}", "in what, is left out"
                )
            return None
        link = table()["topics"]["prepositions"].get(word.lemma, "of")
        name = topic.several if topic.is_sort and word.lemma in ("type", "kind") else topic.named
        why = f"whose {word.lemma}, is left out"
        return inserted(words[last].end, f" {link} {name}", why)
    return None


def _joined(words: tuple[ParsedWord, ...], index: int) -> int:
    """The last of nouns joined by and: the pros and cons."""
    while (
        index + 2 < len(words) and words[index + 1].lower == "and" and is_general(words[index + 2])
    ):
        index += 2
    return index


def _compared(asked: ParsedText, topic: SpokenPhrase) -> Edit | None:
    """How does a container compare: with the topic."""
    words = asked.words
    last = len(words) - 1
    while last > 0 and not words[last].text[-1].isalnum():
        last -= 1
    link = _AGAINST.get(words[last].lemma) if words else None
    if link is None or not any(word.is_noun for word in words):
        return None
    return inserted(words[last].end, f" {link} {topic.named}", "with what, is left out")
