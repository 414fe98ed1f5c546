"""Names inside a target that are not the target: a person in a trial, a craft in a disaster."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from readmark.models.rewriting.articles import ROMAN
from readmark.models.rewriting.nouns import singular
from readmark.models.rewriting.parsing import Parsed, Token, tokens
from readmark.models.rewriting.tables import listed

_PERSONAL = ("he", "she")


@dataclass(frozen=True, slots=True)
class Inner:
    """A name inside a target that is not the target: a person in a trial, a craft in a disaster."""

    text: str
    tokens: tuple[Token, ...]
    person: bool


def inner_names(
    plain: str,
    content: Sequence[Token],
    kind: str,
    verb: int | None,
    parsed: Parsed,
    series: Sequence[Parsed],
) -> Iterable[Inner]:
    """Runs of capitalised words of an event, or of what somebody owns, less the event's noun."""
    owner = re.match(r"(.+?)['’]s?\s+(?=[a-z])", plain)
    if kind != "event" and owner is None:
        return
    events = listed("kinds", "event")
    run: list[Token] = []
    runs: list[list[Token]] = []
    for one in (*content, None):
        noun = one is not None and (one.base in events or singular(one.base) in events)
        noun = noun and verb is None
        touching = run and one is not None and plain[run[-1].end : one.start] == " "
        if touching and one is not None and ROMAN.fullmatch(one.text):
            runs.append([*run, one])  # EgyptAir Flight 990: a name ends at its number
            run = []
            continue
        joined = (
            one is not None
            and one.text[:1].isupper()
            and not noun
            and (not run or plain[run[-1].end : one.start] in (" ", ". "))
            and not (verb is not None and run and run[-1].end <= verb <= one.start)
        )
        if joined and one is not None:
            run.append(one)
            if one.text.endswith(("'s", "’s", "'", "’")):  # the owner ends here
                runs.append(run)
                run = []
            continue
        if run:
            runs.append(run)
        run = [one] if one is not None and one.text[:1].isupper() and not noun else []
    wordy = any(not one.text[:1].isupper() and not one.text[:1].isdigit() for one in content)
    wordy = wordy or " of " in plain
    for own in runs:
        if len(own) == len(content):
            continue
        if not wordy and verb is None:
            own = _placed(own, (parsed, *series))
            if not own:
                continue  # the Iditarod is the race
        text = re.sub(r"['’]s?$", "", plain[own[0].start : own[-1].end])
        at = parsed.at(own[0].start)
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


def _placed(own: Sequence[Token], texts: Sequence[Parsed]) -> list[Token]:
    """The place or person in the name of an event: Nagano in Nagano Olympic Games."""
    for text in texts:
        for start, end, type in text.names:
            said = {one.base for one in tokens(text.text[start:end]) if not one.is_stop}
            inside = [one for one in own if one.base in said]
            the = text.text[:start].lower().endswith("the ")  # the Iditarod is no place
            fits = type in ("LOCATION", "PERSON") and not the
            if fits and inside and len(inside) == len(said):
                return inside
    return []


def _is_person(own: Sequence[Token], series: Sequence[Parsed]) -> bool:
    """Whether the series speaks of a name as of a person: Mrs. McDougal, King's."""
    names = {one.base for one in own}
    for asked in series:
        for before, one in zip(asked.tokens, asked.tokens[1:], strict=False):
            title = before.base in listed("people", "titles") and before.base not in ("st", "saint")
            if one.base in names and title and before.base not in names:
                return True
        said = [at for at, one in enumerate(asked.tokens) if one.base in names]
        if said and any(one.base in _PERSONAL for one in asked.tokens[said[-1] + 1 :]):
            return True  # how old was Mbeki when he
    return False
