"""What an earlier question asks for, and so what its answer may be called later in the series."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.series.guided.parses import ParsedText, ParsedWord
from readmark.series.guided.word_tables import alike, kinds_of, listed, table
from readmark.text.analysers.word_tables import table_endings, table_words

_ASKING = ("what", "which", "whose", "name", "list", "give", "identify")
_BE = ("is", "are", "was", "were", "'s", "’s", "'re", "’re")
_SORTS = ("kind", "type", "sort", "form", "name", "title")
_NAMING = ("name", "title")
_DETERMINERS = ("the", "a", "an", "some", "his", "her", "its", "their")
_COUNTS = ("number", "percentage", "amount", "price", "cost", "population", "length", "height")
_NO_ANSWER = ("time", "number", "reason")


@dataclass(frozen=True, slots=True)
class Expected:
    """The answer that a question asks for."""

    kind: str
    """person, organisation, place, time, number, reason, thing, or something unknown."""
    noun: str
    """The noun after what or which, in its base form."""
    phrase: str
    """That noun with the words before it."""
    calls: frozenset[str]
    """Nouns that the answer may be called by."""
    plural: bool
    gender: str | None
    subject: bool = False
    """Whether the noun is the subject of its question: which lake lies in the basin."""

    @property
    def is_referent(self) -> bool:
        """Whether a pronoun or nominal can stand for it: a date or a number hardly can."""
        return self.kind not in _NO_ANSWER


def expected(asked: ParsedText) -> Expected:
    """The expected answer of a question by its asking word, the noun after it and its verb."""
    words = asked.words
    at = next((i for i, word in enumerate(words) if word.tag in ("WP", "WDT", "WRB", "WP$")), None)
    listing = bool(words) and words[0].lower in ("name", "list", "give", "identify")
    if listing:
        at = 0
    if at is None:
        return Expected("unknown", "", "", frozenset(), False, None)
    word = words[at].lower
    noun, phrase, plural = _focus(words, at) if word in _ASKING else ("", "", False)
    calls = set(alike(noun)) if noun else set()
    verbs = {word.lemma for word in words if word.tag.startswith("VB") and word.dep == "ROOT"}
    for verb in verbs:
        calls |= set(table()["answers"].get(verb, "").split())
    kind = _kind(words, at, noun)
    if kind in ("time", "number"):
        calls = set(alike(noun)) if noun else set()
    if kind == "person" and word in ("who", "whom"):
        calls |= {"person", "man", "woman"} | _attributes(words, at)
        company = {"company", "manufacturer", "publisher", "organization", "organisation"}
        plural = plural or any(
            word.lower in ("are", "were", "have") for word in words[at + 1 : at + 2]
        )
        if calls & {"company"}:
            calls |= company
    if kind == "place" and word == "where":
        calls |= {"place", "location"}
    several = plural or listing
    subject = bool(phrase) and _is_subject(words, at, noun)
    return Expected(kind, noun, phrase, frozenset(calls), several, _gender(words, noun), subject)


def _is_subject(words: tuple[ParsedWord, ...], index: int, noun: str) -> bool:
    """What dam caused …: a verb of its own follows the noun, and no auxiliary with a subject."""
    last = next((i for i in range(index + 1, len(words)) if words[i].lemma == noun), None)
    if index != 0 or last is None or last + 1 >= len(words) or words[index + 1].lemma in _SORTS:
        return False
    verb = words[last + 1 :]
    first = next((word for word in verb if word.tag.startswith(("VB", "MD"))), None)
    if first is None or first.lemma in ("be", "do", "have") or first.tag == "MD":
        return False
    return first is verb[0] or (len(verb) > 1 and first is verb[1] and verb[0].tag == "RB")


def _focus(words: tuple[ParsedWord, ...], index: int) -> tuple[str, str, bool]:
    """The head noun right after the asking word: what U.S. state -> state."""
    first = index + 1
    last = first
    while last < len(words) and (
        words[last].is_noun
        or words[last].tag in ("JJ", "JJS", "JJR", "CD", "POS", "DT", "HYPH", "PRP$", "VBN", "VBG")
    ):
        if words[last].tag == "VBN" and last > first and words[last - 1].is_noun:
            break
        last += 1
    nouns = [index for index in range(first, last) if words[index].is_noun]
    if not nouns:
        if first < len(words) and words[first].lower in _BE:
            return _complement(words, first)
        return "", "", False
    end = nouns[-1]
    while end + 2 < len(words) and words[end].lemma in _NAMING:
        if words[end + 1].lower != "of":
            break
        after = [index for index in range(end + 2, len(words)) if words[index].is_noun]
        if not after:
            break
        end = after[0]
    phrase = " ".join(word.text for word in words[first : end + 1])
    return words[end].lemma, phrase, words[end].tag in ("NNS", "NNPS")


def _complement(words: tuple[ParsedWord, ...], be: int) -> tuple[str, str, bool]:
    """What is the largest meteorite …, What is the name of the company …: the noun after be."""
    index = be + 1
    if index >= len(words) or words[index].lower not in _DETERMINERS:
        return "", "", False
    noun = None
    for one in range(index + 1, len(words)):
        if words[one].is_noun:
            noun = one
        elif noun is not None and words[one].tag == "POS":
            continue
        elif noun is not None and words[one].lower == "of" and words[noun].lemma in _NAMING:
            noun = None
        elif noun is not None:
            break
    if noun is None or words[noun].tag in ("NNS", "NNPS"):
        return "", "", False
    return words[noun].lemma, words[noun].text, words[noun].tag in ("NNS", "NNPS")


def _kind(words: tuple[ParsedWord, ...], index: int, noun: str) -> str:
    word = words[index].lower
    following = words[index + 1].lower if index + 1 < len(words) else ""
    if word in ("who", "whom", "whose"):
        return "person"
    if word == "where":
        return "place"
    if word == "when":
        return "time"
    if word == "why":
        return "reason"
    if word == "how":
        many = following in ("many", "much", "old", "long", "far", "often", "fast", "large", "high")
        return "number" if many or following else "reason"
    if noun in _SORTS:
        return "reason"
    if noun in ("year", "date", "day", "month", "time", "decade", "century", "age"):
        return "time" if noun != "age" else "number"
    if noun in _COUNTS:
        return "number"
    if noun in listed("people", "male") | listed("people", "female"):
        return "person"
    capital = any(
        word.lemma == noun and word.text[:1].isupper() for word in words[index + 1 : index + 3]
    )
    nation = capital and noun.endswith(("an", "ese", "man", "shman"))  # which American
    kinds = kinds_of(noun) | ({"person"} if nation or is_personal(noun) else set())
    for kind in ("person", "organisation", "place", "thing", "event"):
        if kind in kinds:
            return kind
    return "thing" if noun else "unknown"


def is_personal(noun: str) -> bool:
    """Whether a noun says what a person is: traveller, novelist."""
    if "person" in kinds_of(noun) or noun in table_words("en", "person", "occupations"):
        return True
    other = table_words("en", "person", "no_occupations")
    ends = noun.endswith(table_endings("en", "person", "occupation_endings"))
    return ends and len(noun) > 5 and noun not in other and not kinds_of(noun)


def _attributes(words: tuple[ParsedWord, ...], index: int) -> set[str]:
    """Who was the prosecutor? may be called the prosecutor; Who was her father?, the father."""
    if index + 1 >= len(words) or words[index + 1].lemma != "be":
        return set()
    for word in words[index + 2 :]:
        if word.tag in ("IN", "WDT", "WP"):
            break
        if word.tag in ("NN", "NNP") and word.dep in ("attr", "nsubj", "ROOT"):
            return {word.lemma}
    return set()


def _gender(words: tuple[ParsedWord, ...], noun: str) -> str | None:
    """The gender implied by kinship: her father is a man; so is whoever she married."""
    lemmas = {word.lemma for word in words if word.dep != "pobj" or word.lemma == noun}
    if words and not lemmas.isdisjoint(listed("people", "spouse")):
        she = any(word.lower in ("she", "her") for word in words)
        he = any(word.lower in ("he", "his", "him") for word in words)
        if she != he:
            return "male" if she else "female"
    male, female = lemmas & listed("people", "male"), lemmas & listed("people", "female")
    if bool(male) != bool(female):
        return "male" if male else "female"
    return None
