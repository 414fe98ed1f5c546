"""What a question of a conversation speaks of: its noun phrases, the likeliest topic first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from readmark.series.guided.answers import is_personal
from readmark.series.guided.parses import ParsedText, ParsedWord
from readmark.series.guided.surface import plural_of
from readmark.series.guided.word_forms import singular
from readmark.series.guided.word_tables import listed

_WITHIN = ("JJ", "JJR", "NN", "NNS", "NNP", "NNPS", "CD", "HYPH", "NFP", "VBG", "VBN")
_SUBJECTS = ("nsubj", "nsubjpass", "csubj")
_AGAINST = ("vs", "vs.", "v", "v.", "versus")
_LINKS = ("of", "de", "del", "da", "di", "la", "al", "von", "van", "the")
_INTRODUCED = re.compile(
    r"(?:(?:please |can you |could you )*(?:tell|teach) me (?:more |something )?about"
    r"|describe|explain|(?:what|who)(?:'s|’s| is| are| was| were)"
    r"|(?:what|how) about|i want to (?:know|learn) about|i(?:'m| am) interested in)\s+",
    re.IGNORECASE,
)
_WHO_IS = re.compile(r"who(?:'s|’s| is| are| was| were)\b", re.IGNORECASE)
_ANYONE = ("someone", "anyone", "everyone", "somebody", "something", "anything", "everything")
INTRODUCED, SUBJECT, OBJECT, DEFINITE, ASIDE = 3.5, 3.0, 2.0, 1.5, 1.0
MOST_WORDS = 6


@dataclass(frozen=True, slots=True)
class SpokenPhrase:
    """A noun phrase that later questions may speak of."""

    text: str
    """Without its article."""
    article: str
    plural: bool
    kind: str
    """person, somebody (by a common noun), name (of whom or what), place, time or thing."""
    weight: float
    """How much the question is about it."""
    start: int
    end: int

    @property
    def named(self) -> str:
        """As written in running text."""
        return f"{self.article} {self.text}" if self.article else self.text

    @property
    def single(self) -> str:
        """One of its sort, without an article."""
        before, _, last = self.text.rpartition(" ")
        return f"{before} {singular(last)}".strip() if self.plural else self.text

    @property
    def several(self) -> str:
        """Several of its sort."""
        return self.text if self.plural else plural_of(self.text)

    @property
    def is_sort(self) -> bool:
        """Whether it names any one of its sort: a virtual machine."""
        return self.article in ("a", "an")


def phrases(asked: ParsedText) -> list[SpokenPhrase]:
    """The noun phrases of a question by how much it is about them."""
    spoken_phrases = [
        phrase for first, end in _runs(asked) if (phrase := _phrase(asked, first, end)) is not None
    ]
    spoken_phrases += _gerunds(asked)
    whole = introduced(asked)
    if whole is not None:
        spoken_phrases = [
            phrase
            for phrase in spoken_phrases
            if phrase.end <= whole.start or phrase.start >= whole.end
        ]
        spoken_phrases.append(whole)
    return sorted(spoken_phrases, key=lambda phrase: (-phrase.weight, -phrase.start))


def introduced(asked: ParsedText) -> SpokenPhrase | None:
    """What a question brings up: tell me about …, what is …, when nothing more is said of it."""
    matches = [
        match for match in _INTRODUCED.finditer(asked.text) if _starts(asked.text, match.start())
    ]
    return None if not matches else _brought_up(asked, matches[-1].end())


def _starts(text: str, index: int) -> bool:
    return not index or text[:index].rstrip()[-1:] in (".", "?", "!")


def _brought_up(asked: ParsedText, start: int) -> SpokenPhrase | None:
    words = [word for word in asked.words if word.start >= start]
    stop = next(
        (index for index, word in enumerate(words) if word.text in (",", ".", "?")), len(words)
    )
    words = words[:stop]
    while words and (
        not words[-1].text[-1].isalnum() or (len(words) > 1 and words[-1].tag == "RB")
    ):
        words.pop()  # what is tofu exactly
    article = ""
    if words and words[0].lower in ("the", "a", "an", "some"):
        article, words = words[0].lower.replace("some", ""), words[1:]
    if (
        not words
        or len(words) > MOST_WORDS
        or any(_ends(words, index) for index in range(len(words)))
    ):
        return None
    head = words[-1]
    simple = head.is_noun or head.tag == "VBG"
    simple = simple or (len(words) == 1 and head.tag in ("JJ", "VB", "VBN", "RB", "FW"))
    owner = any(word.tag == "POS" for word in words)
    owned = is_general(head) and (owner or not any(word.text[:1].isupper() for word in words))
    if not simple or owned or head.lower in ("one", "ones"):
        return None
    return _made(asked, words, article, INTRODUCED)


def _ends(words: list[ParsedWord], index: int) -> bool:
    """Whether a word is none that a simple name has in it: Tió de Nadal, the Museum of Art."""
    word = words[index]
    if word.lower in _LINKS and 0 < index < len(words) - 1:
        return not (words[index - 1].text[:1].isupper() and words[index + 1].text[:1].isalnum())
    verb = word.tag in ("VBZ", "VBP", "VBD", "MD") and len(words) > 1
    return verb or word.tag in ("PRP", "PRP$", "WDT", "WP", "WRB", "IN", "TO", "DT", "RBS", "JJS")


def is_general(word: ParsedWord) -> bool:
    """Nouns that are somebody's or something's: its history, the main types."""
    general = listed("topics", "general")
    return word.lemma in general or word.lower in general or singular(word.lower) in general


def _runs(asked: ParsedText) -> list[tuple[int, int]]:
    words, found, index = asked.words, [], 0
    while index < len(words):
        last = index
        while last < len(words) and (
            words[last].tag in _WITHIN
            or _is_nominal(words[last])
            or (last > index and words[last].tag == "POS")
            or _joins_names(words, last)
            or (last > index and words[last].lower in _AGAINST and last + 1 < len(words))
        ):
            within = _is_nominal(words[last]) or _describes(words, last)
            if words[last].tag in ("VBG", "VBN") and not within:
                break
            last += 1
        end = last
        while end > index and not _is_nominal(words[end - 1]):
            end -= 1
        first = index
        while first < end and words[first].tag in ("HYPH", "POS"):
            first += 1
        if end > first:
            found.append((first, end))
        index = max(last, index + 1)
    return found


def _gerunds(asked: ParsedText) -> list[SpokenPhrase]:
    """What is done, when it ends the question: how do I stop smoking."""
    words = asked.words
    return [
        _made(asked, [word], "", OBJECT)
        for word, after in pairwise(words)
        if word.tag == "VBG" and word.dep in ("xcomp", "pcomp") and after.tag == "."
    ]


def compound(asked: ParsedText) -> list[SpokenPhrase]:
    """A noun that is something's, with nouns before it: of a first question, its topic."""
    spoken_phrases = []
    for first, end in _runs(asked):
        nouns = sum(word.is_noun for word in asked.words[first:end])
        of = asked.words[end].lower == "of" if end < len(asked.words) else False
        if nouns > 1 and not of and is_general(asked.words[end - 1]):
            before = asked.words[first - 1].lower if first else ""
            article = before if before in ("the", "a", "an") else ""
            spoken_phrases.append(_made(asked, list(asked.words[first:end]), article, OBJECT))
    return spoken_phrases


def _is_nominal(word: ParsedWord) -> bool:
    """A noun, or what the parser takes for a subject though the tagger does not: melatonin."""
    subject = word.dep in _SUBJECTS and word.tag in ("VB", "JJ", "VBG", "FW", "VBP")
    return word.is_noun or subject or (word.dep == "pobj" and word.tag == "VBG")


def _joins_names(words: tuple[ParsedWord, ...], index: int) -> bool:
    """Lewis and Clark expedition: two names before one noun."""
    if words[index].lower != "and" or not 0 < index < len(words) - 2:
        return False
    names = words[index - 1].tag == words[index + 1].tag == "NNP"
    return names and words[index - 1].head == index + 2 and words[index + 2].is_noun


def _describes(words: tuple[ParsedWord, ...], index: int) -> bool:
    """A participle before its noun: binge drinking, increased scale."""
    return words[index].dep in ("amod", "compound") and words[index].head > index


def _phrase(asked: ParsedText, first: int, end: int) -> SpokenPhrase | None:
    words = asked.words
    head = words[end - 1]
    before = words[first - 1] if first else None
    if before is not None and before.tag in ("WDT", "WP", "WRB", "WP$"):
        return None
    if before is not None and before.tag.startswith("VB") and before.head == end - 1:
        before = None
    if before is not None and before.lower in ("many", "much", "which", "what"):
        return None
    owner = next((index for index in range(first, end - 1) if words[index].tag == "POS"), None)
    if is_general(head) or head.lower in _ANYONE:
        if owner is None or owner == first:
            return None
        end, head = owner, words[owner - 1]  # of somebody's career, the somebody
    article = before.lower if before is not None and before.lower in ("the", "a", "an") else ""
    if before is not None and before.tag == "PRP$" and head.tag == "NN":
        article = "the"
    weight = _weight(asked, first, end)
    if before is not None and before.lower in ("my", "your", "our"):
        weight = min(weight, ASIDE)
    if article == "the" and not any(word.text[:1].isupper() for word in words[first:end]):
        weight = min(weight, DEFINITE)  # of what was spoken of, mostly
    return _made(asked, list(words[first:end]), article, weight)


def _weight(asked: ParsedText, first: int, end: int) -> float:
    words = asked.words
    head = words[end - 1]
    index = end - 1
    dep = head.dep
    while dep in ("compound", "poss", "nmod", "amod") and words[index].head != index:
        index = words[index].head
        dep = words[index].dep
    if dep in _SUBJECTS:
        return SUBJECT
    verb = words[words[index].head]
    asks = any(word.tag in ("WP", "WDT") and word.dep == "nsubj" for word in words)
    if dep == "dobj" and asks and verb.dep == "ROOT":
        return SUBJECT  # what causes throat cancer
    if dep in ("dobj", "attr", "conj", "ROOT"):
        return OBJECT
    if dep == "pobj":
        preposition = words[words[index].head]
        owned = words[preposition.head]
        if preposition.lower == "about":
            return SUBJECT
        if owned.is_noun and is_general(owned) and preposition.lower in ("of", "in", "for"):
            return SUBJECT
        if preposition.lower in ("of", "with"):
            return OBJECT
    return ASIDE


def _made(asked: ParsedText, words: list[ParsedWord], article: str, weight: float) -> SpokenPhrase:
    start, head = words[0].start, words[-1]
    type = asked.name_type(head.start, head.end)
    name = head.tag in ("NNP", "NNPS")
    who = _WHO_IS.match(asked.text) is not None and weight >= OBJECT and name
    kind = {"LOCATION": "place", "TIME": "time", "PERSON": "person"}.get(type or "", "thing")
    if kind == "person" and (article or not head.text[:1].isupper() or head.tag == "NN"):
        kind = "thing"
    if kind == "person" and weight == INTRODUCED and asked.text[:4].lower() == "what":
        kind = "thing"
    if kind == "person" and len(words) == 1:
        kind = "name"  # too little to tell
    if who and not article:
        kind = "person"
    if kind == "thing" and head.tag == "NN" and is_personal(head.lemma):
        kind = "somebody"
    plural = head.tag in ("NNS", "NNPS")
    if who and any(word.lower in ("is", "was") for word in asked.words):
        plural = False  # who was Richard Stevens
    if kind == "time":
        weight = min(weight, ASIDE) - 0.5
    return SpokenPhrase(
        asked.text[start : head.end], article, plural, kind, weight, words[0].start, head.end
    )
