"""The four kinds of English what-question: definition, action, thing, and the others that ask for
a reason, number, time, place, name or organisation.
"""

from __future__ import annotations

from collections.abc import Sequence

from readmark.text.question_types.lists import words_of

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


def what_type(tokens: Sequence[str], at: int, *, embedded: bool) -> str:
    """What-DEF, What-VP, What-NP or What-OTH for the ``what`` at a place among the tokens."""
    words = _clause(tokens, at)
    lower = [word.lower() for word in words]
    before = tokens[at - 1].lower() if at else ""
    if not lower:
        return _in_its_place([token.lower() for token in tokens[max(0, at - 2) : at]])
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


def _clause(tokens: Sequence[str], at: int) -> list[str]:
    """What follows ``what`` up to a comma; a parenthesis right after it is left out."""
    rest = list(tokens[at + 1 :])
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
    """Whether a participle stands where a verb does: first, last, or before a preposition."""
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
