"""What kind of thing a target is: person, organisation, event, place or thing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from readmark.series.guided.answers import expected
from readmark.series.guided.parses import ParsedText, QuestionToken, tokens
from readmark.series.guided.target_articles import ROMAN, YEAR, after_the
from readmark.series.guided.word_forms import singular
from readmark.series.guided.word_tables import alike, kinds_of, listed

_BY_HEAD = ("person", "organisation", "thing", "place", "event")
_LIVES = re.compile(r"\b(?:born|die|died|dies|marry|married|buried|wife|husband|birth name)\b")
_NAMED_KINDS = {
    "person": "person",
    "per": "person",
    "organization": "organisation",
    "organisation": "organisation",
    "org": "organisation",
    "event": "event",
    "place": "place",
    "location": "place",
    "loc": "place",
    "thing": "thing",
}


def kind_named(name: str | None) -> str | None:
    """The kind that a record's target_type says, by whatever name."""
    return _NAMED_KINDS.get((name or "").strip().lower())


def infer_kind(
    plain: str,
    content: Sequence[QuestionToken],
    head: str,
    sentence: bool,
    parsed: ParsedText,
    series: Sequence[ParsedText],
) -> str:
    """The kind of a target that its record does not tell: by its noun, then by its series."""
    nouns = kinds_of(head) | kinds_of(singular(head))
    if not nouns:  # the band Nirvana, television show Cheers
        small = [token.base for token in content if token.text.islower()]
        nouns = frozenset(kind for one in small for kind in kinds_of(one))
    year = any(YEAR.fullmatch(token.text) for token in content)
    first = content[0].base if content else ""
    if sentence or (year and len(content) > 1) or _is_event(content, head, first):
        return "event"
    if not nouns and (beside := _kinds_before(plain, series)):
        nouns = beside
    pronoun = first_pronoun(series)
    if pronoun in ("thing", "group"):
        nouns -= {"person"}
    if pronoun != "thing" and _lives(plain, series) and not nouns - {"person"}:
        return "person"
    things = nouns & {"thing", "place"} and plain.lower() != plain
    if pronoun == "person" and "organisation" not in nouns and not things:
        return "person"
    spoken = _spoken_of(series, content)
    if "organisation" in nouns or is_company(content):
        return "organisation"
    last = content[-1] if content else None
    type = None if last is None else parsed.name_type(last.start, last.end)
    names = len(content) in (2, 3) and all(token.is_capital for token in content)
    names = names and not any(
        after_the(content[-1].text).search(question.text) for question in series
    )
    if type == "PERSON" and pronoun != "thing" and not spoken and not nouns and names:
        return "person"
    if spoken:
        return spoken
    if nouns:
        return next(kind for kind in _BY_HEAD if kind in nouns)
    if pronoun == "group" and last is not None and last.is_capital:
        return "organisation"
    by_type = {"ORGANIZATION": "organisation", "LOCATION": "place"}
    return by_type.get(type or "", "thing") if plain[:1].isupper() else "thing"


def _kinds_before(plain: str, series: Sequence[ParsedText]) -> frozenset[str]:
    """The kinds of a noun right before the name: the movie "…", the publishing company …."""
    shape = re.compile(rf"\bthe (?:\w+ )?([a-z]+) [\"'“‘]?{re.escape(plain)}(?!\w)")
    for asked in series:
        match = shape.search(asked.text)
        if match is not None and kinds_of(match[1]):
            return kinds_of(match[1])
    return frozenset()


def _is_event(content: Sequence[QuestionToken], head: str, first: str) -> bool:
    events = listed("kinds", "event")
    firm = events - {"show", "series", "fair", "cup", "game", "games", "fire", "mission", "return"}
    if first == "hurricane" or (head in firm or singular(head) in firm):
        return True
    loose = head in events or singular(head) in events
    return loose and any(ROMAN.fullmatch(token.text) for token in content)


def _lives(plain: str, series: Sequence[ParsedText]) -> bool:
    """Whether the series asks of the target what is asked of people."""
    names = {token.base for token in tokens(plain) if not token.is_stop}
    return any(
        _LIVES.search(question.text) and any(word.base in names for word in question.tokens)
        for question in series
    )


def is_company(content: Sequence[QuestionToken]) -> bool:
    """Whether a name ends like a company's."""
    return any(
        token.base in ("corp", "inc", "co", "ltd", "corporation", "company") for token in content
    )


def first_pronoun(series: Sequence[ParsedText]) -> str | None:
    """What the first pronoun of the series that can mean the target says of it."""
    for index, asked in enumerate(series):
        for word in asked.words:
            lower = word.lower
            if lower in ("he", "him", "his", "she", "her", "hers"):
                own = expected(asked)
                asking = own.kind == "person" and bool(own.noun)
                if asking or any(
                    expected(question).kind == "person" for question in series[:index]
                ):
                    continue  # an answer may be meant
                return "person"
            if lower in ("it", "its"):
                return "thing"
            if lower in ("they", "them", "their") and not _plural_before(asked, word.start):
                return "group"
    return None


def _plural_before(asked: ParsedText, offset: int) -> bool:
    return any(word.tag in ("NNS", "NNPS") and word.end <= offset for word in asked.words)


def _spoken_of(series: Sequence[ParsedText], content: Sequence[QuestionToken]) -> str | None:
    """The kind of the noun that a series calls its target by: the company, this facility."""
    own = {token.base for token in content}
    asked_for: set[str] = set()
    for number, asked in enumerate(series):
        if number:
            earlier = expected(series[number - 1])
            asked_for |= earlier.calls | alike(earlier.noun)
        for index, word in enumerate(asked.words[1:], 1):
            the = asked.words[index - 1].lower
            last = index + 1 >= len(asked.words) or not asked.words[index + 1].is_noun
            if the not in ("the", "this") or not word.is_noun or not last or word.lower in own:
                continue
            found = kinds_of(word.lemma)
            if word.lemma in asked_for or len(found) != 1:
                continue
            if found & {"organisation", "place"} or the == "this":
                return next(iter(found))
    return None
