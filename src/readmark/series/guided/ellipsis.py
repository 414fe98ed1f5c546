"""Questions that leave the target out: what was the final score, how many people were killed."""

from __future__ import annotations

import re

from readmark.series.guided.edits import Edit, Referent, Situation
from readmark.series.guided.nominals import Nominal, is_deictic, nominals
from readmark.series.guided.parses import ParsedText, ParsedWord
from readmark.series.guided.stand_ins import is_alone
from readmark.series.guided.surface import end_of, inner_named, plural_of
from readmark.series.guided.target_parts import variant
from readmark.series.guided.targets import SeriesTarget
from readmark.series.guided.word_forms import past, same_noun
from readmark.series.guided.word_tables import listed

GUIDELINE = "Context independence and readability"
_AT_THE_TIME = re.compile(r"\bat the time(?=\s*[?.]|$)")
_THEN = re.compile(r"\s+then(?=\s*[?.]|$)")
_DEFINED = re.compile(r"what (?:is|are) [a-z-]+\s*\?", re.IGNORECASE)
_HAPPENED = re.compile(r"what (?:else |then )?happen(?:ed|s)\b(?! to\b)", re.IGNORECASE)
_TAKES = re.compile(r"\bit (?:takes?|took|costs?)\b.*( to [a-z]+)(?=\W*$)")
_HOW_MANY = re.compile(r"(how many)(?= (?:were|are|have been|has been|was) \w+)", re.IGNORECASE)
_YEAR = re.compile(r"(?:1\d|20)\d\d\b")
_BE = (["is"], ["are"], ["was"], ["were"])
_NATIONS = ("an", "ese", "ish", "ch", "eek", "ss")
_NOT_NAMES = frozenset(("us", "uk", "u.s", "u.n", "i", "mvp", "tv", "ceo"))


def independent(situation: Situation) -> str:
    """Why a question without a word on the target stands alone; nothing where it does not."""
    asked = situation.current.parsed
    if variant(situation.target, asked):
        return "it says the target in another form"
    if any(part.how == "other" for part in situation.current.parts):
        return "it speaks of something else by name"
    if _happens(situation.target) and _AT_THE_TIME.search(asked.text):
        return ""
    if _linked(asked) and _happens(situation.target):
        return ""
    if situation.current.inner is not None:
        return "" if _happened(situation) else "it names what it is about"
    own = {token.base for token in situation.target.tokens}
    past_verb = any(word.tag == "VBD" for word in asked.words)
    if (
        sum(token.base in own for token in asked.tokens) > 1
        and not past_verb
        and _happens(situation.target)
    ):
        return "it asks of things in general"
    bare = [nominal for nominal in nominals(asked) if _open(asked, nominal)]
    if bare:
        return ""
    if _names(asked, nations=situation.target.kind != "event"):
        return "it names what it is about"
    if _general(asked) or _DEFINED.match(asked.text):
        return "it asks of things in general"
    long = sum(not token.is_stop for token in asked.tokens) > 8
    return "it says enough by itself" if long and situation.target.kind != "event" else ""


def elliptic_edit(situation: Situation) -> Edit | None:
    """The target put in after the noun that is its own, or at the end.

    Nothing where a word that nothing was found for stays in the question: of the target would
    then be said of that word.
    """
    asked, target = situation.current.parsed, situation.target
    text = asked.text
    match = _AT_THE_TIME.search(text)
    if match is not None and _happens(target):
        link = f" when {headline(target)}" if target.sentence else f" of {target.named()}"
        return inserted(match.end(), link, "at the time: of the event")
    then = _THEN.search(text)
    if then is not None and target.kind == "event" and not target.sentence:
        now = f" at the time of {target.named()}"
        why = "then: at the time of the event"
        return Edit(then.start(), then.end(), then[0], now, why, GUIDELINE)
    if (build := _TAKES.search(text)) is not None and not target.sentence:
        return inserted(build.end(1), f" {target.named()}", "what is done is left out")
    made = _HOW_MANY.match(text)
    if made is not None and target.kind == "thing" and not target.common:
        name = target.text if target.plural else plural_of(target.text)
        return inserted(made.end(1), f" {name}", "what is counted is left out")
    happened = _HAPPENED.match(text)
    if happened is not None and not _happens(target):
        return inserted(happened.end(), f" to {target.named()}", "to whom, is left out")
    inner = situation.current.inner
    if inner is not None and inner.person and (own := _own_event(situation)) is not None:
        return inserted(end_of(text), f" {own}", "the happening is left out")
    link = _linked(asked)
    if link and not target.sentence:
        return inserted(end_of(text), f" {link} {target.named()}", "what it was of is left out")
    craft = _craft(situation)
    board = re.search(r"\b(?:on board|aboard)(?=\s*[?.]|$)", text)
    if board is not None and craft:
        return inserted(board.end(), f" {craft}", "on board what the event names")
    if (bare := _after_bare_noun(situation)) is not None:
        return bare
    owner = None if inner is not None else _after_its_noun(situation, craft)
    if owner is not None:
        return owner
    if target.sentence:
        return inserted(end_of(text), f" when {headline(target)}", "the event is left out")
    if target.kind == "event":
        word = "during" if inner is not None else "in"
        verb = asked.words[-2] if len(asked.words) > 1 and asked.words[-1].tag == "." else None
        ends = verb is not None and verb.tag.startswith("VB")
        if ends and verb is not None and verb.lemma in listed("events", "objects"):
            return inserted(end_of(text), f" {target.named()}", "the event is left out")
        if ends and verb is not None and verb.lemma in ("come", "travel", "go"):
            word = "to" if asked.words[0].lower != "where" else word
        now = f" {word} {target.named()}"
        return inserted(end_of(text), now, "the event is left out")
    counted = _after_what_is_counted(situation)
    return counted or (
        None
        if _dangles(asked, place=target.kind == "place") or _is_stranded(asked)
        else appended(situation)
    )


def _linked(asked: ParsedText) -> str:
    """The preposition that a noun at the end still wants: in response, during construction."""
    words = [word for word in asked.words if word.text[-1].isalnum()]
    last = words[-1] if len(words) > 2 else None
    if last is None or last.dep != "pobj" or not last.is_noun:
        return ""
    return next((to for to in ("of", "to") if last.lemma in listed("relations", f"ends_{to}")), "")


def _is_stranded(asked: ParsedText) -> bool:
    """Whether a preposition ends the question: of after it would be one too many."""
    words = [word for word in asked.words if word.text[-1].isalnum()]
    return bool(words) and words[-1].tag == "IN"


def _dangles(asked: ParsedText, *, place: bool) -> bool:
    """Whether it, that or one occurs in the question without a noun: what does it mean."""
    inhabitants = ("they", "them") if place else ()
    for index, word in enumerate(asked.words):
        if word.lower in ("it", "they", "them", "he", "she", "him"):
            return word.lower not in inhabitants
        if word.lower in ("that", "this", "these", "those") and is_alone(asked, index):
            return True
        before = asked.words[index - 1].tag if index else ""
        if word.lower in ("one", "ones") and before in ("JJ", "JJS", "DT"):
            return True
    return False


def _after_its_noun(situation: Situation, craft: str) -> Edit | None:
    """After an open definite noun that is the target's: the score of, the captain of."""
    asked, target = situation.current.parsed, situation.target
    for nominal in nominals(asked):
        if not _open(asked, nominal):
            continue
        noun = _owned(asked, nominal.last)
        why = f"{noun.lemma} is the target's"
        if craft and noun.lemma in listed("relations", "craft"):
            return inserted(noun.end, f" of {craft}", f"{noun.lemma} of what the event names")
        for preposition in ("of", "at"):
            if noun.lemma in listed("relations", preposition) and not target.sentence:
                return inserted(noun.end, f" {preposition} {target.named()}", why)
        if target.kind != "event":
            return inserted(noun.end, f" of {target.named()}", why)
    return None


def _after_bare_noun(situation: Situation) -> Edit | None:
    """When did production start: of what, after a noun without an article."""
    asked, target = situation.current.parsed, situation.target
    if target.kind == "event" or target.sentence:
        return None
    for index, word in enumerate(asked.words[1:], 1):
        before = asked.words[index - 1]
        bare = before.tag not in ("DT", "JJ", "PRP$", "POS", "IN", "WDT") and not before.is_noun
        if word.tag == "NN" and bare and word.lemma in listed("relations", "bare"):
            after = asked.words[index + 1].lower if index + 1 < len(asked.words) else ""
            if after != "of":
                return inserted(word.end, f" of {target.named()}", f"{word.lemma} is the target's")
    return None


def _after_what_is_counted(situation: Situation) -> Edit | None:
    """After the noun of how many, name and list: name officials of."""
    asked, wanted = situation.current.parsed, situation.current.expected.noun
    if asked.text.lower().startswith("how many") and len(asked.words) > 2:
        nouns = [word for word in asked.words[2:5] if word.tag == "NNS"]
        wanted = nouns[0].lemma if nouns and not situation.target.common else wanted
    if not wanted or not asked.text.lower().startswith(("how many", "name ", "list ")):
        return None
    for index, word in enumerate(asked.words):
        of = [word.lower for word in asked.words[index + 1 : index + 2]] == ["of"]
        if word.lemma == wanted and word.is_noun and not of:
            now = f" of {situation.target.named()}"
            clause = [word.lower for word in asked.words[index + 1 : index + 3]]
            clause_is = clause[:1] in (["that"], ["who"], ["which"]) and clause[1:] in _BE
            end = end_of(asked.text) if clause_is else word.end  # that are competitors of
            return inserted(end, now, "its owner is left out")
    return None


def _happens(target: SeriesTarget) -> bool:
    """An event, or a thing whose noun names an event: a scandal."""
    return target.kind == "event" or target.head in listed("kinds", "event")


def _craft(situation: Situation) -> str:
    """The one thing that an event is named after, when it is neither a person nor a place."""
    if situation.target.kind != "event" or len(situation.target.inner) != 1:
        return ""
    inner = situation.target.inner[0]
    text = inner_named(situation, inner.text, inner.person)
    craft = text.startswith("the ") or "flight" in text.lower().split()
    return text if not inner.person and craft else ""


def year_edit(situation: Situation, meant: list[Referent]) -> Edit | None:
    """The year of an event whose verb the question has: did Mount Pinatubo erupt in 1991."""
    year = _YEAR.match(situation.target.plain)
    text = situation.current.parsed.text
    named = any(referent.what == "inner" for referent in meant)
    verbs = [word.lemma for word in situation.current.parsed.words if word.tag.startswith("VB")]
    own = {token.base for token in situation.target.tokens}
    if year is None or not named or year[0] in text or not any(_shares(v, own) for v in verbs):
        return None
    return inserted(end_of(text), f" in {year[0]}", "the year of the event")


def appended(situation: Situation) -> Edit:
    """The fallback: the target said at the end, as the document's system does."""
    text = situation.current.parsed.text
    word = {"person": "of", "place": "in", "event": "in"}.get(situation.target.kind, "of")
    return inserted(end_of(text), f" {word} {situation.target.named()}", "the target is left out")


def inserted(index: int, now: str, why: str) -> Edit:
    return Edit(index, index, "", now, why, GUIDELINE)


def _own_event(situation: Situation) -> str | None:
    """in her 1998 indictment and trial, where the person of the event is named already."""
    target, inner = situation.target, situation.current.inner
    if inner is None or not target.plain.endswith(f" of {inner.text}"):
        return None
    whose = _possessive_pronoun(situation)
    if not whose:
        return None
    return f"in {whose} {target.plain[: -len(inner.text) - 4]}"


def _possessive_pronoun(situation: Situation) -> str:
    """his or her, by a title before the name, else by the pronouns of the series."""
    text = situation.current.parsed.text
    title = next((part for part in situation.current.parts if part.titled), None)
    said = {one.lower().rstrip(".") for one in text[: title.start].split()[-1:]} if title else set()
    if said & listed("people", "female_titles"):
        return "her"
    if said & listed("people", "male_titles"):
        return "his"
    words = {word.lower for asked in situation.asked for word in asked.parsed.words}
    she, he = bool(words & {"she", "her"}), bool(words & {"he", "his", "him"})
    return ("her" if she else "his") if she != he else ""


def _happened(situation: Situation) -> bool:
    """Whether a question that names only someone in an event asks of the event itself."""
    asked, target = situation.current.parsed, situation.target
    if target.kind != "event" or target.sentence:
        return False
    own = {token.base for token in target.tokens}
    verbs = [word for word in asked.words if word.tag.startswith("VB") or word.tag == "MD"]
    main = [word for word in verbs if word.dep == "ROOT"] or verbs[-1:]
    if not main or any(_shares(word.lemma, own) for word in verbs):
        return False
    person = situation.current.inner is not None and situation.current.inner.person
    clause = any(word.lower == "when" for word in asked.words[1:])  # says when by itself
    named = any(same_noun(word.lower, target.head) for word in asked.words)
    if "at the time" in asked.text or clause or named:
        return False
    inner = situation.current.inner
    if inner is not None and target.plain.endswith(f" {inner.text}"):
        return inner.person and bool(
            _possessive_pronoun(situation)
        )  # not: the Titanic … the sinking of the Titanic
    counts = asked.text.lower().startswith(("how many", "how much"))
    if _other_names(situation) or (not person and not counts):
        return False  # who named Mount St. Helens
    past = any(word.tag == "VBD" for word in verbs)
    return past and (main[0].lemma != "be" or person)


def _other_names(situation: Situation) -> bool:
    """Whether names besides the one in the event say what is asked of: did INTERFET enter."""
    for index, token in enumerate(situation.current.parsed.tokens):
        inside = any(part.start <= token.start < part.end for part in situation.current.parts)
        if index and token.text[:1].isupper() and not inside and token.base not in _NOT_NAMES:
            title = token.base in listed("people", "titles")
            if not title:
                return True
    return False


def _general(asked: ParsedText) -> bool:
    """What is a karez, why does a comet have a tail: the present, of any of a sort."""
    present = any(word.tag in ("VBZ", "VBP") for word in asked.words)
    return present and any(
        word.lower in ("a", "an") and asked.words[word.head].dep in ("nsubj", "attr")
        for word in asked.words
    )


def _shares(verb: str, own: set[str]) -> bool:
    """Whether the event's own noun is of the verb: erupt, eruption."""
    return len(verb) > 3 and any(one.startswith(verb[:5]) for one in own)


def _owned(asked: ParsedText, last: int) -> ParsedWord:
    """The noun of a phrase; past a possessive, what is possessed: the members' names."""
    words = asked.words
    if last + 1 < len(words) and words[last + 1].tag == "POS":
        after = [word for word in words[last + 2 :] if word.is_noun]
        if after:
            return after[0]
    return words[last]


def headline(target: SeriesTarget) -> str:
    """A headline as a clause in the past: France won World Cup, King was convicted."""
    verb = target.plain[target.verb :]
    first, _, rest = verb.partition(" ")
    if first.endswith(("ed", "en", "n")) or first == target.verb_lemma:
        many = target.subject.endswith("s") and not target.subject.startswith("the ")
        text = f"{'were' if many else 'was'} {first}"
    else:
        text = past(target.verb_lemma)
    return " ".join(one for one in (target.subject, text, rest) if one)


def _open(asked: ParsedText, nominal: Nominal) -> bool:
    """A definite phrase that nothing in the question makes definite."""
    word = asked.words[nominal.last]
    if (
        nominal.followed
        or nominal.modifies
        or is_deictic(word.lemma)
        or word.tag in ("NNP", "NNPS")
    ):
        return False
    if word.text[:1].isupper():
        return False  # a name, whatever the tagger says
    first = asked.words[nominal.first + 1]
    if first.tag in ("NNP", "NNPS", "CD", "JJS") or is_deictic(first.lower):
        return False
    after = asked.words[nominal.last + 1] if nominal.last + 1 < len(asked.words) else None
    return after is None or after.tag not in ("IN", "WDT", "WP") or after.dep == "mark"


def _names(asked: ParsedText, *, nations: bool = True) -> bool:
    """Whether the question contains a name or a quotation; French ships may take part in it."""
    if '"' in asked.text or "“" in asked.text:
        return True
    for index, token in enumerate(asked.tokens):
        if index and token.text[:1].isupper() and token.base not in _NOT_NAMES:
            at = asked.word_at(token.start)
            adjective = at is not None and asked.words[at].tag == "JJ"
            if nations or not (adjective and token.base.endswith(_NATIONS)):
                return True
    return False
