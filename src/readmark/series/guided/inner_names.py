"""Names inside a target that are not the target: a person in a trial, a craft in a disaster."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from readmark.series.guided.parses import ParsedText, QuestionToken, tokens
from readmark.series.guided.target_articles import ROMAN, is_joined
from readmark.series.guided.word_forms import singular
from readmark.series.guided.word_tables import listed

_PERSONAL = ("he", "she")


@dataclass(frozen=True, slots=True)
class Inner:
    """A name inside a target that is not the target: a person in a trial, a craft in a disaster."""

    text: str
    tokens: tuple[QuestionToken, ...]
    person: bool


def inner_names(
    plain: str,
    content: Sequence[QuestionToken],
    kind: str,
    verb: int | None,
    parsed: ParsedText,
    series: Sequence[ParsedText],
) -> Iterable[Inner]:
    """Runs of capitalised words of an event, or of what somebody owns, less the event's noun.

    Of a couple, each of the two.
    """
    if kind == "person" and is_joined(plain):
        yield from _each_of(plain, content)
        return
    owner = re.match(r"(.+?)['’]s?\s+(?=[a-z])", plain)
    if kind != "event" and owner is None:
        return
    events = listed("kinds", "event")
    run: list[QuestionToken] = []
    runs: list[list[QuestionToken]] = []
    for token in (*content, None):
        noun = token is not None and (token.base in events or singular(token.base) in events)
        noun = noun and verb is None
        touching = run and token is not None and plain[run[-1].end : token.start] == " "
        if touching and token is not None and ROMAN.fullmatch(token.text):
            runs.append([*run, token])  # EgyptAir Flight 990: a name ends at its number
            run = []
            continue
        joined = (
            token is not None
            and token.text[:1].isupper()
            and not noun
            and (not run or plain[run[-1].end : token.start] in (" ", ". "))
            and not (verb is not None and run and run[-1].end <= verb <= token.start)
        )
        if joined and token is not None:
            run.append(token)
            if token.text.endswith(("'s", "’s", "'", "’")):  # the owner ends here
                runs.append(run)
                run = []
            continue
        if run:
            runs.append(run)
        run = [token] if token is not None and token.text[:1].isupper() and not noun else []
    wordy = any(not token.text[:1].isupper() and not token.text[:1].isdigit() for token in content)
    wordy = wordy or " of " in plain
    for own in runs:
        if len(own) == len(content):
            continue
        if not wordy and verb is None:
            own = _placed(own, (parsed, *series))
            if not own:
                continue  # the Iditarod is the race
        text = re.sub(r"['’]s?$", "", plain[own[0].start : own[-1].end])
        at = parsed.word_at(own[0].start)
        after = None if at is None or at + 1 >= len(parsed.words) else parsed.words[at + 1]
        described = at is not None and parsed.words[at].tag == "JJ" and after is not None
        if len(own) == 1 and described and after is not None and after.is_noun:
            continue  # Chinese, Pakistani
        type = parsed.name_type(own[0].start, own[-1].end)
        if at is not None and parsed.words[at].tag in ("NN", "NNS") and at == 0:
            continue  # Plane clips cable wires
        hill = own[0].base in ("mount", "mt", "lake")
        titled = own[0].base in listed("people", "titles") and len(own) > 1
        person = not hill and (type == "PERSON" or titled or _is_person(own, series))
        yield Inner(text, tuple(own), person)


def _each_of(plain: str, content: Sequence[QuestionToken]) -> Iterator[Inner]:
    """Pierre Curie and Marie Curie, of Pierre and Marie Curie."""
    at = re.search(r" (?:and|&) ", plain)
    if at is None:
        return
    left = [token for token in content if token.end <= at.start()]
    right = [token for token in content if token.start >= at.end()]
    if not left or not right:
        return
    if len(left) == 1 and len(right) > 1:
        left.append(right[-1])
    for own in (left, right):
        yield Inner(" ".join(token.text for token in own), tuple(own), True)


def _placed(own: Sequence[QuestionToken], texts: Sequence[ParsedText]) -> list[QuestionToken]:
    """The place or person in the name of an event: Nagano in Nagano Olympic Games."""
    for text in texts:
        for start, end, type in text.names:
            said = {token.base for token in tokens(text.text[start:end]) if not token.is_stop}
            inside = [token for token in own if token.base in said]
            the = text.text[:start].lower().endswith("the ")  # the Iditarod is no place
            fits = type in ("LOCATION", "PERSON") and not the
            if fits and inside and len(inside) == len(said):
                return inside
    return []


def _is_person(own: Sequence[QuestionToken], series: Sequence[ParsedText]) -> bool:
    """Whether the series speaks of a name as of a person: Mrs. McDougal, King's."""
    names = {token.base for token in own}
    for asked in series:
        for before, token in zip(asked.tokens, asked.tokens[1:], strict=False):
            title = before.base in listed("people", "titles") and before.base not in ("st", "saint")
            if token.base in names and title and before.base not in names:
                return True
        said = [index for index, token in enumerate(asked.tokens) if token.base in names]
        if said and any(token.base in _PERSONAL for token in asked.tokens[said[-1] + 1 :]):
            return True  # how old was Mbeki when he
    return False
