"""Where a question says the target, a part of it, or a name inside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from readmark.series.guided.parses import ParsedText, QuestionToken, listed, same_noun, tokens
from readmark.series.guided.targets import Inner, SeriesTarget

_SAME_SHORT = {"mt": "mount", "st": "saint", "dr": "doctor", "corp": "corporation"}


@dataclass(frozen=True, slots=True)
class TargetPart:
    """A stretch of a question that is made of the target's words."""

    start: int
    end: int
    how: str
    """whole, alias, part, inner (a name inside the target), other (another name), or
    spread (all of the target's words, apart)."""
    possessive: str = ""
    inner: Inner | None = None
    titled: bool = False
    said: tuple[str, ...] = ()


def parts(target: SeriesTarget, asked: ParsedText) -> list[TargetPart]:
    """Every such stretch, from left to right."""
    found = list(_runs(target, asked))
    if len(target.tokens) > 1 and found and not any(one.how == "whole" for one in found):
        keys = {one.base for one in asked.tokens} | {one.key for one in asked.tokens}
        if all(one.base in keys or one.key in keys for one in target.tokens):
            # All its words, apart: won the Preakness in 1998.
            return [TargetPart(one.start, one.end, "spread", said=one.said) for one in found]
    whole = any(one.how in ("whole", "alias") for one in found)
    longest = max((len(one.said) for one in found if one.how == "part"), default=0)
    kept: list[TargetPart] = []
    for one in found:
        if one.how == "part" and (whole or len(one.said) < longest):
            # Next to a fuller name of the target, a shorter one names something else: Sony, SPE.
            kept.append(TargetPart(one.start, one.end, "other", said=one.said))
        else:
            kept.append(one)
    return kept


def _runs(target: SeriesTarget, asked: ParsedText) -> Iterator[TargetPart]:
    own = asked.tokens
    alias = tuple(one for one in tokens(target.alias) if not one.is_stop)
    at = 0
    while at < len(own):
        if alias and (stop := _matches(asked, at, alias)) is not None:
            yield _part(target, asked, at, stop, "alias")
            at = stop
            continue
        run = _run(target, asked, at)
        if run is None:
            at += 1
            continue
        stop, said = run
        if target.inner and len(said) < len(target.tokens):
            stop, said = _of_one_name(target, asked, at, stop, said)
        yield from _judged(target, asked, at, stop, said)
        at = stop


def _matches(asked: ParsedText, at: int, wanted: Sequence[QuestionToken]) -> int | None:
    own = asked.tokens
    for step, one in enumerate(wanted):
        if at + step >= len(own):
            return None
        mine = own[at + step]
        if one.base not in (mine.base, mine.key) or one.text[:1].isupper() != mine.is_capital:
            return None
        if _is_little_word(asked, at + step, one):
            return None
    return at + len(wanted)


def _is_little_word(asked: ParsedText, at: int, wanted: QuestionToken) -> bool:
    """Who, it or us that is no acronym: not in capitals, or the one word that asks."""
    mine = asked.tokens[at]
    if wanted.base not in listed("words", "little") or not wanted.text.isupper():
        return False
    if not mine.text[: len(wanted.base)].isupper():
        return True
    asking = listed("words", "asking")
    others = any(one.base in asking for one in asked.tokens[at + 1 :])
    return at == 0 and wanted.base in asking and not others


def _run(target: SeriesTarget, asked: ParsedText, at: int) -> tuple[int, tuple[str, ...]] | None:
    """The longest run of the target's content words, its stop words between them."""
    own = asked.tokens
    stops = {one.base for one in tokens(target.plain) if one.is_stop}
    said: list[str] = []
    end = at
    step = at
    while step < len(own):
        mine = own[step]
        key = _key(target, asked, step, len(target.tokens) == 1)
        gap = asked.text[own[step - 1].end : mine.start] if step > at else " "
        if step > at and not set(gap) <= set(" .&\"'"):
            break
        if key is not None and key not in said:
            said.append(key)
            end = step + 1
            if mine.key != mine.base and mine.base == key:  # a possessive ends it
                break
        elif said and same_noun(mine.base, target.tokens[-1].base) and mine.base not in said:
            said.append(target.tokens[-1].base)  # Nobel prizes
            end = step + 1
        elif not (said and (mine.base in stops or mine.base == "and")):
            break
        step += 1
    return (end, tuple(said)) if said else None


def _of_one_name(
    target: SeriesTarget, asked: ParsedText, at: int, stop: int, said: tuple[str, ...]
) -> tuple[int, tuple[str, ...]]:
    """A run cut where a name inside the target ends: King | convicted."""
    for inner in target.inner:
        names = {one.base for one in inner.tokens} | {one.key for one in inner.tokens}
        if said[0] not in names:
            continue
        size = next((i for i, one in enumerate(said) if one not in names), len(said))
        end = at
        left = size
        while left and end < stop:
            left -= not asked.tokens[end].is_stop
            end += 1
        return end, said[:size]
    return stop, said


def _key(target: SeriesTarget, asked: ParsedText, at: int, alone: bool) -> str | None:
    """The target's word that a word of the question is."""
    mine = asked.tokens[at]
    if mine.is_stop:
        return None
    for one in target.tokens:
        forms = (one.key, one.base)
        short = _SAME_SHORT.get(mine.base)
        if (
            mine.key not in forms
            and mine.base not in forms
            and (short is None or short != one.base)
        ):
            continue
        if _is_little_word(asked, at, one):
            continue
        if one.text[:1].isupper() and not mine.is_capital and not alone and not target.caseless:
            continue
        return one.key if mine.key == one.key else one.base
    return None


def _judged(
    target: SeriesTarget, asked: ParsedText, at: int, stop: int, said: tuple[str, ...]
) -> Iterator[TargetPart]:
    own = asked.tokens
    full = sum(1 for one in target.tokens if one.key in said or one.base in said)
    if full == len(target.tokens):
        yield _part(target, asked, at, stop, "whole", said)
        return
    for inner in target.inner:
        names = {one.base for one in inner.tokens} | {one.key for one in inner.tokens}
        if set(said) <= names:
            if len(said) == len(inner.tokens) > 1 or not _within_name(asked, at, stop):
                yield _part(target, asked, at, stop, "inner", said, inner)
            else:
                yield _part(target, asked, at, stop, "other", said)
            return
    if not own[at].is_capital and target.plain != target.plain.lower() and not target.caseless:
        return  # a common noun: the nominals look at it
    order = [one.base for one in target.tokens]
    places = [order.index(one) for one in said if one in order]
    if _within_name(asked, at, stop) or places != sorted(places):
        yield _part(target, asked, at, stop, "other", said)
    elif not _names(target, asked, at, stop, said):
        return
    else:
        yield _part(target, asked, at, stop, "part", said)


def _within_name(asked: ParsedText, at: int, stop: int) -> bool:
    """Whether adjacent capitalised words make the run a part of another name."""
    own = asked.tokens
    if stop < len(own):
        after = own[stop]
        touching = asked.text[own[stop - 1].end : after.start] in (" ", ". ")
        possessed = own[stop - 1].key != own[stop - 1].base
        if touching and after.text[:1].isupper() and not possessed:
            return True
    if at > 1:
        before = own[at - 1]
        touching = asked.text[before.end : own[at].start] == " "
        title = before.base in listed("people", "titles")
        place = before.text in ("U.S", "US", "UK", "British", "American")
        if touching and before.text[:1].isupper() and not title and not place:
            return True
    return False


def _names(
    target: SeriesTarget, asked: ParsedText, at: int, stop: int, said: tuple[str, ...]
) -> bool:
    """Whether a part is enough of the name to stand for the target."""
    own = asked.tokens
    if not any(char.isalpha() for one in said for char in one):
        return False
    if all(one in listed("people", "titles") or one in listed("names", "general") for one in said):
        return False
    if "&" in target.plain or " and " in target.plain:
        sides = [one for one in target.tokens if one.base not in ("co", "company", "sons")]
        if len(sides) > 1 and len(said) == 1:
            return False  # Ben of Ben & Jerry's
    if target.common:
        return any(same_noun(one, target.head) for one in said)
    if target.kind == "person":
        return own[at].is_capital
    if target.sentence:
        return False
    first = next((one for one in target.tokens if len(one.base) > 1), target.tokens[0])
    word = asked.at(own[at].start)
    if len(said) == 1 and word is not None and asked.words[word].tag == "JJ":
        return False  # Basque of Basque ETA
    starts = first.base in said or first.key in said
    heads = any(same_noun(one, target.head) for one in said)
    place = asked.name_type(own[at].start, own[stop - 1].end) == "LOCATION"
    last = target.tokens[-1]
    if starts and not heads and not last.is_capital and place and target.kind != "place":
        return False  # Virginia of Virginia wine
    if target.kind == "event":
        before = own[at - 1].base if at else ""
        if heads:
            return before not in ("first", "other", "next", "last")
        name = all(one.is_capital for one in target.tokens) and own[at].is_capital
        return name and any(len(one) > 3 and one.isalpha() for one in said)
    return starts or heads or target.tokens[-1].base in said


def _part(
    target: SeriesTarget,
    asked: ParsedText,
    at: int,
    stop: int,
    how: str,
    said: tuple[str, ...] = (),
    inner: Inner | None = None,
) -> TargetPart:
    own = asked.tokens
    last = own[stop - 1]
    end = last.end
    possessive = ""
    whole_text = target.alias if how == "alias" else target.plain
    if whole_text.endswith(".") and asked.text[end : end + 1] == "." and how in ("whole", "alias"):
        end += 1
    in_name = said and said[-1] == last.key and last.key != last.base
    if last.key != last.base and not in_name:
        end -= len(last.text) - len(last.base)
        possessive = asked.text[end : last.end]
    elif last.text[-1:] in ("'", "’") and not in_name:
        end -= 1
        possessive = asked.text[end : last.end]
    if how == "whole" and target.alias and asked.text[end:].lstrip().startswith("("):
        close = asked.text.find(")", end)
        if close > 0 and target.alias in asked.text[end:close]:
            end = close + 1
    titled = at > 0 and own[at - 1].base in listed("people", "titles")
    return TargetPart(own[at].start, end, how, possessive, inner, titled, said)


def variant(target: SeriesTarget, asked: ParsedText) -> bool:
    """Whether a one-word target occurs in the question in the other number: an avocado."""
    if not target.tokens:
        return False
    wanted = target.tokens[-1].base
    many = target.head != wanted and target.head.endswith("s") and target.kind != "person"
    if many and any(same_noun(one.base, target.head) for one in asked.tokens):
        return True  # the largest pyramid, of Pyramids of Egypt
    early = {one.base for one in target.tokens[:-1]}
    for at, one in enumerate(asked.tokens):
        if same_noun(one.base, wanted) and (
            not early or (at > 0 and asked.tokens[at - 1].base in early)
        ):
            return one.is_capital == target.tokens[-1].is_capital
    return False
