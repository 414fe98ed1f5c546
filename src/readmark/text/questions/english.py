"""English question types: which wh-word asks, then what it asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from readmark.text.questions.classes import word_lists, words_of
from readmark.text.sentences import sentences

# The four kinds of English what-question: definition, action, thing, and the others that ask for
# a reason, number, time, place, name or organisation.


_AUXILIARIES = words_of("en", "auxiliaries") | {"'s"}
_BE = words_of("en", "be")
_MODALS = words_of("en", "modals")
_PREPOSITIONS = words_of("en", "prepositions")
_SOUGHT = words_of("en", "sought")
_RELATIONAL = words_of("en", "relational", "nouns")
_ADJECTIVES = words_of("en", "relational", "adjectives")
_CAUSE = words_of("en", "verbs", "cause")
_HAPPEN = words_of("en", "verbs", "happen")
_DOING = words_of("en", "verbs", "doing")
_DONE_TO = words_of("en", "verbs", "done_to")
_MEAN = words_of("en", "verbs", "mean")
_CALL = words_of("en", "verbs", "call")
_CALLED = words_of("en", "verbs", "called")
_CALLED_AS = words_of("en", "verbs", "called_as")
_LIKE_NOUNS = words_of("en", "verbs", "like_nouns")
_MEASURE = words_of("en", "verbs", "measure")
_WITH_FOR = words_of("en", "verbs", "with_for")
_PARTICIPLES = words_of("en", "verbs", "participles")
_NO_PARTICIPLES = words_of("en", "verbs", "no_participles")

_RELATIVES = frozenset(
    {"who", "whom", "whose", "which", "that", "when", "where", "why", "if", "because"}
)
_ARTICLES = frozenset({"a", "an", "the"})
_OBJECTS = words_of("en", "pronouns") | {"him", "them", "us", "me"}
_POSSESSIVES = frozenset({"my", "your", "his", "her", "its", "our", "their", "whose"})
_ADVERBS = frozenset({"else", "exactly", "precisely", "ever", "actually", "really", "then"})
_KINDS = frozenset({"kind", "kinds", "type", "types", "sort", "sorts", "form", "forms"})
_STOPS = frozenset(",;:—–")


def what_type(tokens: Sequence[str], position: int, *, embedded: bool) -> str:
    """What-DEF, What-VP, What-NP or What-OTH for the ``what`` at a place among the tokens."""
    words = _clause(tokens, position)
    lower = [word.lower() for word in words]
    before = tokens[position - 1].lower() if position else ""
    if not lower:
        return _in_its_place([token.lower() for token in tokens[max(0, position - 2) : position]])
    if embedded and lower[0] not in _AUXILIARIES:
        if lower[-1] in _BE:  # "what a sonnet is"
            words, lower = [lower[-1], *words[:-1]], [lower[-1], *lower[:-1]]
        elif lower[-1] in _DOING:
            return "What-VP"
        elif lower[-1] in _MEAN:
            return "What-DEF"
    if before == "for" and lower[0] in _AUXILIARIES:
        return "What-OTH"
    main = _main(lower)
    if lower[0] not in _AUXILIARIES:
        return _with_noun_or_verb(lower)
    if _asks_action(main) or _does_after_relative(lower):
        return "What-VP"
    if _asks_meaning(main):
        return "What-DEF"
    if _asks_purpose(lower) or _asks_name(main) or _asks_cause(main):
        return "What-OTH"
    if lower[0] in _BE:
        return _with_be(words, lower)
    if "be" in main or "been" in main:  # "what may be the prize": never a definition
        at_be = main.index("be") if "be" in main else main.index("been")
        thing = lower[2:] if at_be == 1 else main[1:at_be]
        return "What-OTH" if _sought_head(thing) else "What-NP"
    return "What-OTH" if _asks_measure(main) else "What-NP"


def _in_its_place(before: Sequence[str]) -> str:
    """``He did what?``, ``It stands for what?``"""
    if before[-1:] and before[-1] in _DOING:
        return "What-VP"
    if list(before) in (["stands", "for"], ["stood", "for"]) or before[-1:] == ["means"]:
        return "What-DEF"
    return "What-NP"


def _clause(tokens: Sequence[str], index: int) -> list[str]:
    """What follows ``what`` up to a comma; a parenthesis right after it is left out."""
    rest = list(tokens[index + 1 :])
    while rest and rest[0] in _STOPS:
        close = next((i for i, token in enumerate(rest[1:], 1) if token in _STOPS), 0)
        rest = rest[close + 1 :]
    end = next((i for i, token in enumerate(rest) if i > 1 and token in _STOPS), len(rest))
    rest = [token for token in rest[:end] if token not in _STOPS]
    while rest and rest[0].lower() in _ADVERBS:
        rest = rest[1:]
    return rest


def _main(lower: Sequence[str]) -> Sequence[str]:
    """The main clause only: what a relative or an if-clause says is not asked."""
    end = next((i for i, word in enumerate(lower) if i and word in _RELATIVES), len(lower))
    return lower[:end]


def _asks_action(main: Sequence[str]) -> bool:
    """``what did she do``, ``what was he asked to do``; not ``what are good things to do``."""
    if any(word in _HAPPEN for word in main):
        return True
    return any(
        word in _DOING and not (main[i] == "to" and main[i - 1] in _DONE_TO)
        for i, word in enumerate(main[1:])
    )


def _does_after_relative(lower: Sequence[str]) -> bool:
    """``what did the boy who won do``."""
    return lower[0] in ("do", "does", "did") and any(
        word == "do" and lower[i] not in _RELATIVES | {"to"} for i, word in enumerate(lower[1:])
    )


def _with_noun_or_verb(lower: Sequence[str]) -> str:
    """``what company built ...``, ``what causes ...``, ``what hangs ...``."""
    if lower[0] in _CAUSE and lower[1:2] != ["up"]:
        return "What-OTH"
    if lower[0] in _HAPPEN:
        return "What-VP"
    if lower[0] in _KINDS:
        return "What-NP"
    for i, word in enumerate(lower[:3]):
        if word in _AUXILIARIES or word in _PREPOSITIONS or word in _ARTICLES:
            break
        if i and word in _LIKE_NOUNS:
            break
        if word in _SOUGHT:
            return "What-OTH"
    return "What-NP"


def _asks_purpose(lower: Sequence[str]) -> bool:
    """``what is the lamp used for``, but not ``what did he ask for``."""
    for i, word in enumerate(lower):
        if word == "for" and i and lower[i - 1] == "used":
            return lower[1] != "used" if lower[0] in _BE else True
    if len(lower) < 3 or lower[-1] != "for":
        return False
    return lower[-2] not in _WITH_FOR and not lower[-2].endswith("ing")


def _asks_measure(main: Sequence[str]) -> bool:
    """``what does a litre of milk cost``; not ``what does the cost depend on``."""
    return any(
        word in _MEASURE and i > 1 and main[i - 1] not in _ARTICLES for i, word in enumerate(main)
    )


def _asks_name(main: Sequence[str]) -> bool:
    """``what is the dog called``, ``what do they call it``; not ``what is called a fjord``."""
    verbs = _CALLED if main[0] in _BE else _CALL
    for i, word in enumerate(main):
        if word in verbs and i > 1 and main[i + 1 : i + 2] not in (["for"], ["on"], ["off"]):
            return True
        if word in _CALLED_AS and i > 1 and "as" in main[i + 1 : i + 3]:
            return True
    return False


def _asks_cause(main: Sequence[str]) -> bool:
    """``what might have caused``: a verb of cause with no subject of its own before it."""
    words = [word for word in main if word not in ("not", "have", "be", "been")]
    return main[0] in _MODALS | {"have", "has", "had"} and len(words) > 1 and _verb(words) in _CAUSE


def _verb(words: Sequence[str]) -> str:
    return next((word for word in words if word not in _AUXILIARIES), "")


def _asks_meaning(main: Sequence[str]) -> bool:
    if main[0] in _BE:
        return "meaning" in main or "definition" in main or ("meant" in main and "by" in main)
    if any(word in _MEAN for word in main):
        return True
    return list(main[-2:]) in (["stand", "for"], ["stood", "for"], ["refer", "to"])


def _sought_head(words: Sequence[str]) -> bool:
    """Whether the head of the noun phrase at the beginning is a reason, number, time and so on."""
    end = next(
        (
            i
            for i, word in enumerate(words)
            if word in _PREPOSITIONS or word in _RELATIVES or (i and word in _ARTICLES)
        ),
        len(words),
    )
    phrase = [word for word in words[:end] if word != "today"]
    return any(word in _SOUGHT for word in phrase[-1:]) or (
        len(phrase) > 1 and _is_participle(phrase[-1], phrase[-2]) and phrase[-2] in _SOUGHT
    )


def _specified(words: Sequence[str]) -> bool:
    """Whether "of" or a relative follows the first noun phrase: "the name of the planet that"."""
    first = next((w for w in words if w in _PREPOSITIONS or w in _RELATIVES), "")
    return first in ("of", "for") or first in _RELATIVES


def _with_be(words: Sequence[str], lower: Sequence[str]) -> str:
    """``what is a fjord``, ``what is the size of``, ``what is the roof made of``."""
    words, lower = words[1:], lower[1:]
    while lower and lower[0] in _ADVERBS:
        words, lower = words[1:], lower[1:]
    if not lower:
        return "What-NP"
    stranded = lower[-1] in _PREPOSITIONS
    determined = lower[0] in _POSSESSIVES | {"the", "another"} or "'s" in lower
    # A name is to be defined, whatever its last word means: "the Baltic States".
    plain = [word if word == words[i] else "" for i, word in enumerate(lower)]
    specified = _specified(lower)
    if (specified or (determined and not stranded)) and _sought_head(plain):
        return "What-OTH"
    if stranded or lower[0] in _ADJECTIVES | _PREPOSITIONS | _POSSESSIVES or "'s" in lower:
        return "What-NP"
    if _has_verb(words, lower):
        return "What-NP"
    if lower[0] == "the":
        return _with_the(words, lower)
    if lower[0] in ("a", "an"):
        thing = "to" in lower or (lower[1:2] and lower[1] in _RELATIONAL and _specified(lower))
        return "What-NP" if thing else "What-DEF"
    return "What-NP" if lower[0] in _RELATIONAL else "What-DEF"


def _with_the(words: Sequence[str], lower: Sequence[str]) -> str:
    """``the Silk Road`` is to be defined, ``the main idea`` and ``the prize`` to be named."""
    if any(
        word.endswith("est") and len(word) > 5 and word == words[i] for i, word in enumerate(lower)
    ):
        return "What-NP"
    if any(word in _RELATIONAL for word in lower[1:4] if word in words):
        return "What-NP"
    for i, word in enumerate(lower):
        if word in _PREPOSITIONS or word in _RELATIVES:
            named = words[i - 1][:1].isupper() and words[-1][:1].isupper()
            return "What-DEF" if named else "What-NP"
    return "What-DEF"


def _has_verb(words: Sequence[str], lower: Sequence[str]) -> bool:
    """Whether a participle occurs where a verb does: first, last, or before a preposition."""
    if (
        lower[0].endswith("ing")
        and len(lower) > 2
        and (lower[1] in _OBJECTS or lower[2] in _OBJECTS)
    ):
        return True  # "what is giving the firefighters a hand", but not "what is shocking story"
    for i, word in enumerate(lower):
        if words[i] != word and i:  # a name: the United Kingdom
            continue
        last = i + 1 == len(lower)
        followed = not last and (lower[i + 1] in _PREPOSITIONS or lower[i + 1].endswith("ly"))
        if not (last or followed):
            continue
        before = lower[i - 1] if i else ""
        if before in _ARTICLES:
            continue
        if word.endswith("ing") and len(word) > 4 and i and _subject(words[0]):
            return True
        if _is_participle(word, before) and (i or len(lower) > 1 or word.endswith("ed")):
            return True
    return False


def _subject(first: str) -> bool:
    """Whether a subject begins before an -ing: "the girl", "Maria", but not "bird"."""
    return first.lower() in _ARTICLES | _ADJECTIVES or first[:1].isupper()


def _is_participle(word: str, before: str) -> bool:
    if before in _ARTICLES or word in _NO_PARTICIPLES:
        return False
    return word in _PARTICIPLES or (word.endswith("ed") and len(word) > 3)


_WH = words_of("en", "wh")
_FILLERS = words_of("en", "fillers")
# "And then?" asks what came next: nobody answers it with yes.
_FOLLOWING_ON = frozenset({"then", "next", "after", "afterwards", "later", "else", "that", "so"})
_QUANTITIES = words_of("en", "quantities")
_IMPERATIVES = {
    name: words_of("en", "imperatives", name) for name in word_lists("en")["imperatives"]
}

_QUOTED = re.compile(r'"[^"]*"|“[^“”]*”|«[^«»]*»')
_TOKEN = re.compile(r"[a-z]+n't|'s\b|[^\W_]+(?:-[^\W_]+)*|[,;:—–]", re.IGNORECASE)
_INNER_END = re.compile(r"[.!?]\s+\w")
_RUN_TOGETHER = re.compile(r"\b(who|what|when|where|why|how)s\b", re.IGNORECASE)
_OPENINGS = "|".join(word_lists("en")["openings"]["patterns"])
_OPENING = re.compile(
    rf"\W*(?:{_OPENINGS})\W+(?:about\W+|of\W+)?(?=(?:\w+\W+)?(?:{'|'.join(sorted(_WH))})\b)",
    re.IGNORECASE,
)
_LETTER = re.compile(r"[^\W\d_]")
_REQUESTS = _IMPERATIVES["name"] | _IMPERATIVES["define"]
_BY_WORD = {"who": "Who", "whom": "Who", "whose": "Who"} | {
    word: word.capitalize() for word in ("which", "when", "where", "why")
}
# Words that open another clause than the question's: "When it rains, do ...?"
_SUBORDINATE = frozenset({"when", "where"})
# Rarely relative pronouns, so that they ask wherever they occur.
_NEVER_RELATIVE = frozenset({"what", "why", "how", "whom"})
# "the house which the ...", "in which he ...": no question, unlike "he lived in which house?".
_AFTER_RELATIVE = _AUXILIARIES | words_of("en", "pronouns")


class _Asked(NamedTuple):
    """Where a question asks: the place of its wh-word, or none for yes/no and for requests."""

    tokens: Sequence[str]
    lower: Sequence[str]
    at: int | None
    yes_no: bool
    embedded: bool


def question_type(question: str) -> str:
    """One of the twelve types."""
    asked = _asked(question)
    if asked.at is None:
        return "Yes/No" if asked.yes_no else _requested(asked.lower)
    word = asked.lower[asked.at]
    after = asked.lower[asked.at + 1 :]
    if word == "what":
        return what_type(asked.tokens, asked.at, embedded=asked.embedded)
    if word == "how":
        if after and after[0] in _QUANTITIES:
            return "Others"
        return "Why" if after and after[0] == "come" else "How"
    return _BY_WORD[word]


def wh_word(question: str) -> str | None:
    """The wh-word that asks, in lower case."""
    asked = _asked(question)
    return None if asked.at is None else asked.lower[asked.at]


def _asked(question: str) -> _Asked:
    text = question.replace("’", "'").replace("``", '"').replace("''", '"')
    text = _QUOTED.sub(" Quotation ", text)
    text = _RUN_TOGETHER.sub(r"\1's", _asking_sentence(text))
    opening = _OPENING.match(text)
    if opening:
        text = text[opening.end() :]
    tokens = _TOKEN.findall(text)
    lower = [token.lower() for token in tokens]
    at, yes_no = (_first_wh(lower), False) if opening else _asking(lower, text.rstrip())
    return _Asked(tokens, lower, at, yes_no, opening is not None)


def _asking_sentence(text: str) -> str:
    """The first sentence with a question mark, else the whole."""
    if "?" not in text or not _INNER_END.search(text):
        return text
    for start, end in sentences(text, "en"):
        if text[end - 1] == "?" and _LETTER.search(text, start, end):
            return text[start:end]
    return text


def _first_wh(lower: Sequence[str]) -> int | None:
    return next((index for index, token in enumerate(lower) if token in _WH), None)


def _asking(lower: Sequence[str], text: str) -> tuple[int | None, bool]:
    """The place of the asking wh-word, or whether the question is one of yes or no."""
    openers = _openers(lower)
    if openers and openers[0].clause == 0:
        first, *later = openers
        if later and first.wh is not None and _subordinate(lower, first.wh):
            first = later[0]
        return first.wh, first.wh is None
    final = _final_wh(lower)
    if final is not None:
        return final, False
    if openers:
        return openers[0].wh, openers[0].wh is None
    return _inside(lower, text)


class _Opener(NamedTuple):
    """A clause that begins as a question does: its number, and where its wh-word occurs."""

    clause: int
    wh: int | None


def _openers(lower: Sequence[str]) -> list[_Opener]:
    """The clauses that begin with a wh-word, or with an auxiliary."""
    openers: list[_Opener] = []
    start = clause = 0
    while start < len(lower):
        at = start
        while at < len(lower) and lower[at] in _FILLERS:
            at += 1
        here, after = (*lower[at : at + 2], "", "")[:2]
        if here in _WH:
            openers.append(_Opener(clause, at))
        elif here in _PREPOSITIONS and after in _WH:
            openers.append(_Opener(clause, at + 1))
        elif here in _AUXILIARIES and here != "'s":
            # "The artist, a Dane, is how old?"
            openers.append(_Opener(clause, at + 1 if clause and after in _NEVER_RELATIVE else None))
        end = next((i for i in range(at, len(lower)) if lower[i] in _STOPS), len(lower))
        start, clause = end + 1, clause + 1
    return openers


def _subordinate(lower: Sequence[str], at: int) -> bool:
    """Whether a first clause with "when" or "where" only says when: its verb is not inverted."""
    after = lower[at + 1] if at + 1 < len(lower) else ","
    return lower[at] in _SUBORDINATE and after not in _AUXILIARIES and after not in _STOPS


def _final_wh(lower: Sequence[str]) -> int | None:
    """A wh-word left in its place at the end: "It was written by whom?"."""
    return len(lower) - 1 if lower and lower[-1] in _WH else None


def _inside(lower: Sequence[str], text: str) -> tuple[int | None, bool]:
    """A wh-word in the middle of the one clause, else a statement with a question mark."""
    is_question = text.endswith("?")
    if lower and lower[0] in _REQUESTS:
        return None, False
    places = [index for index, token in enumerate(lower) if token in _WH]
    for place in places:
        if lower[place] in _NEVER_RELATIVE:
            return place, False
    for place in places:
        after = lower[place + 1] if place + 1 < len(lower) else ""
        if after in _AUXILIARIES and lower[0] in _PREPOSITIONS:
            return place, False
        if lower[place] == "which" and is_question and after not in _AFTER_RELATIVE:
            return place, False
    said = [token for token in lower if token not in _STOPS and token not in _FILLERS]
    return None, is_question and not _FOLLOWING_ON.issuperset(said)


def _requested(lower: Sequence[str]) -> str:
    """The type of a request ("Name two animals") or of a fragment without a wh-word."""
    words = [word for word in lower if word not in _STOPS and word not in _FILLERS]
    if _FOLLOWING_ON.issuperset(words):
        return "Others"
    verb, rest = words[0], words[1:]
    head = next((word for word in rest if word in _SOUGHT), None)
    if verb in _IMPERATIVES["define"]:
        return "What-DEF"
    if verb in _IMPERATIVES["tell"] and _IMPERATIVES["define_nouns"].intersection(rest[:4]):
        return "What-DEF"
    if verb in _IMPERATIVES["name"]:
        if _IMPERATIVES["people"].intersection(rest[:3]):
            return "Who"
        return "What-OTH" if head is not None and head in rest[:4] else "What-NP"
    return "How" if verb in _IMPERATIVES["manner"] else "What-NP"
