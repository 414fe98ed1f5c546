"""The four kinds of English what-question: definitions, actions, things and others.

The others ask for a reason, number, time, place, name or organisation. The kinds are those of
Table 5 of "Design and Development of a Bilingual Reading Comprehension Corpus"; the rules were
written on examples.
"""

from __future__ import annotations

from collections.abc import Sequence

from readmark.text.questions.word_lists import words_of

AUXILIARIES = words_of("en", "auxiliaries") | {"'s"}
PREPOSITIONS = words_of("en", "prepositions")
OTHER_NOUNS = words_of("en", "sought")
"""Nouns whose questions are What-OTH: reasons, numbers, times, places, names, organisations."""
_BE = words_of("en", "be")
_MODALS = words_of("en", "modals")
_RELATIONAL = words_of("en", "relational", "nouns")
"""Nouns that are of something: the idea, the prize. Asked for, they are named, not defined."""
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
CLAUSE_MARKS = frozenset(",;:—–")


def what_type(tokens: Sequence[str], position: int, *, embedded: bool) -> str:
    """What-DEF, What-VP, What-NP or What-OTH for the ``what`` at a place among the tokens."""
    words = _clause(tokens, position)
    lower = [word.lower() for word in words]
    if not lower:
        return _in_its_place([token.lower() for token in tokens[max(0, position - 2) : position]])
    if embedded and lower[0] not in AUXILIARIES:
        if lower[-1] in _BE:  # "what a sonnet is"
            words, lower = [lower[-1], *words[:-1]], [lower[-1], *lower[:-1]]
        elif lower[-1] in _DOING:
            return "What-VP"
        elif lower[-1] in _MEAN:
            return "What-DEF"
    before = tokens[position - 1].lower() if position else ""
    if before == "for" and lower[0] in AUXILIARIES:
        return "What-OTH"
    main = _main_clause(lower)
    if lower[0] not in AUXILIARIES:
        return _with_noun_or_verb(lower)
    if _asks_action(main) or _asks_action_after_relative(lower):
        return "What-VP"
    if _asks_meaning(main):
        return "What-DEF"
    if _asks_purpose(lower) or _asks_name(main) or _asks_cause(main):
        return "What-OTH"
    if lower[0] in _BE:
        return _with_be(words, lower)
    if "be" in main or "been" in main:  # "what may be the prize": never a definition
        be = main.index("be") if "be" in main else main.index("been")
        thing = lower[2:] if be == 1 else main[1:be]
        return "What-OTH" if _asks_other_noun(thing) else "What-NP"
    return "What-OTH" if _asks_measure(main) else "What-NP"


def _clause(tokens: Sequence[str], index: int) -> list[str]:
    """What follows ``what`` up to a comma; a parenthesis right after it is left out."""
    rest = list(tokens[index + 1 :])
    while rest and rest[0] in CLAUSE_MARKS:
        close = next((i for i, token in enumerate(rest[1:], 1) if token in CLAUSE_MARKS), 0)
        rest = rest[close + 1 :]
    end = next((i for i, token in enumerate(rest) if i > 1 and token in CLAUSE_MARKS), len(rest))
    rest = [token for token in rest[:end] if token not in CLAUSE_MARKS]
    while rest and rest[0].lower() in _ADVERBS:
        rest = rest[1:]
    return rest


def _main_clause(lower: Sequence[str]) -> Sequence[str]:
    """The words before a relative or an if-clause: what such a clause says is not asked."""
    end = next((i for i, word in enumerate(lower) if i and word in _RELATIVES), len(lower))
    return lower[:end]


def _in_its_place(before: Sequence[str]) -> str:
    """``He did what?``, ``It stands for what?``"""
    if before[-1:] and before[-1] in _DOING:
        return "What-VP"
    if list(before) in (["stands", "for"], ["stood", "for"]) or before[-1:] == ["means"]:
        return "What-DEF"
    return "What-NP"


def _with_noun_or_verb(lower: Sequence[str]) -> str:
    """``what company built ...``, ``what causes ...``, ``what hangs ...``."""
    if lower[0] in _CAUSE and lower[1:2] != ["up"]:
        return "What-OTH"
    if lower[0] in _HAPPEN:
        return "What-VP"
    if lower[0] in _KINDS:
        return "What-NP"
    for i, word in enumerate(lower[:3]):
        if word in AUXILIARIES or word in PREPOSITIONS or word in _ARTICLES:
            break
        if i and word in _LIKE_NOUNS:
            break
        if word in OTHER_NOUNS:
            return "What-OTH"
    return "What-NP"


def _asks_action(main: Sequence[str]) -> bool:
    """``what did she do``, ``what was he asked to do``; not ``what are good things to do``."""
    if any(word in _HAPPEN for word in main):
        return True
    return any(
        word in _DOING and not (main[i] == "to" and main[i - 1] in _DONE_TO)
        for i, word in enumerate(main[1:])
    )


def _asks_action_after_relative(lower: Sequence[str]) -> bool:
    """``what did the boy who won do``."""
    return lower[0] in ("do", "does", "did") and any(
        word == "do" and lower[i] not in _RELATIVES | {"to"} for i, word in enumerate(lower[1:])
    )


def _asks_meaning(main: Sequence[str]) -> bool:
    """``what is meant by a fjord``, ``what does a fjord mean``, ``what does it stand for``."""
    if main[0] in _BE:
        return "meaning" in main or "definition" in main or ("meant" in main and "by" in main)
    if any(word in _MEAN for word in main):
        return True
    return list(main[-2:]) in (["stand", "for"], ["stood", "for"], ["refer", "to"])


def _asks_purpose(lower: Sequence[str]) -> bool:
    """``what is the lamp used for``, but not ``what did he ask for``."""
    for i, word in enumerate(lower):
        if word == "for" and i and lower[i - 1] == "used":
            return lower[1] != "used" if lower[0] in _BE else True
    if len(lower) < 3 or lower[-1] != "for":
        return False
    return lower[-2] not in _WITH_FOR and not lower[-2].endswith("ing")


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
    if main[0] not in _MODALS | {"have", "has", "had"} or len(words) < 2:
        return False
    verb = next((word for word in words if word not in AUXILIARIES), "")
    return verb in _CAUSE


def _asks_measure(main: Sequence[str]) -> bool:
    """``what does a litre of milk cost``; not ``what does the cost depend on``."""
    return any(
        word in _MEASURE and i > 1 and main[i - 1] not in _ARTICLES for i, word in enumerate(main)
    )


def _asks_other_noun(words: Sequence[str]) -> bool:
    """Whether the head of the noun phrase at the beginning is a reason, number, time and so on."""
    end = next(
        (
            i
            for i, word in enumerate(words)
            if word in PREPOSITIONS or word in _RELATIVES or (i and word in _ARTICLES)
        ),
        len(words),
    )
    phrase = [word for word in words[:end] if word != "today"]
    if phrase and phrase[-1] in OTHER_NOUNS:
        return True
    # the name given, the time needed
    return len(phrase) > 1 and _is_participle(phrase[-1], phrase[-2]) and phrase[-2] in OTHER_NOUNS


def _with_be(words: Sequence[str], lower: Sequence[str]) -> str:
    """``what is a fjord``, ``what is the size of``, ``what is the roof made of``."""
    words, lower = words[1:], lower[1:]
    while lower and lower[0] in _ADVERBS:
        words, lower = words[1:], lower[1:]
    if not lower:
        return "What-NP"
    is_stranded = lower[-1] in PREPOSITIONS
    is_determined = lower[0] in _POSSESSIVES | {"the", "another"} or "'s" in lower
    # A name is to be defined, whatever its last word means: "the Baltic States".
    without_names = [word if word == words[i] else "" for i, word in enumerate(lower)]
    is_specified = _is_specified(lower)
    may_be_other = is_specified or (is_determined and not is_stranded)
    if may_be_other and _asks_other_noun(without_names):
        return "What-OTH"
    if is_stranded or lower[0] in _ADJECTIVES | PREPOSITIONS | _POSSESSIVES or "'s" in lower:
        return "What-NP"
    if _has_verb(words, lower):
        return "What-NP"
    if lower[0] == "the":
        return _with_the(words, lower)
    if lower[0] in ("a", "an"):
        is_of_something = lower[1:2] and lower[1] in _RELATIONAL and is_specified
        return "What-NP" if "to" in lower or is_of_something else "What-DEF"
    return "What-NP" if lower[0] in _RELATIONAL else "What-DEF"


def _is_specified(words: Sequence[str]) -> bool:
    """Whether "of" or a relative follows the first noun phrase: "the name of the planet that"."""
    first = next((word for word in words if word in PREPOSITIONS or word in _RELATIVES), "")
    return first in ("of", "for") or first in _RELATIVES


def _with_the(words: Sequence[str], lower: Sequence[str]) -> str:
    """``the Silk Road`` is to be defined, ``the main idea`` and ``the prize`` to be named."""
    if any(
        word.endswith("est") and len(word) > 5 and word == words[i] for i, word in enumerate(lower)
    ):
        return "What-NP"
    if any(word in _RELATIONAL for word in lower[1:4] if word in words):
        return "What-NP"
    for i, word in enumerate(lower):
        if word in PREPOSITIONS or word in _RELATIVES:
            is_name = words[i - 1][:1].isupper() and words[-1][:1].isupper()
            return "What-DEF" if is_name else "What-NP"
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
        is_last = i + 1 == len(lower)
        if not is_last and not (lower[i + 1] in PREPOSITIONS or lower[i + 1].endswith("ly")):
            continue
        before = lower[i - 1] if i else ""
        if before in _ARTICLES:
            continue
        if word.endswith("ing") and len(word) > 4 and i and _begins_subject(words[0]):
            return True
        if _is_participle(word, before) and (i or len(lower) > 1 or word.endswith("ed")):
            return True
    return False


def _begins_subject(first: str) -> bool:
    """Whether a subject begins before an -ing: "the girl", "Maria", but not "bird"."""
    return first.lower() in _ARTICLES | _ADJECTIVES or first[:1].isupper()


def _is_participle(word: str, before: str) -> bool:
    if before in _ARTICLES or word in _NO_PARTICIPLES:
        return False
    return word in _PARTICIPLES or (word.endswith("ed") and len(word) > 3)
