"""Where a question says the target, a part of it, or a name inside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from readmark.series.guided.inner_names import Inner
from readmark.series.guided.parses import ParsedText, QuestionToken, tokens
from readmark.series.guided.targets import SeriesTarget
from readmark.series.guided.word_forms import same_noun
from readmark.series.guided.word_tables import listed

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
    matched: tuple[str, ...] = ()


def parts(target: SeriesTarget, asked: ParsedText) -> list[TargetPart]:
    """Every such stretch, from left to right."""
    target_parts = list(_runs(target, asked))
    if (
        len(target.tokens) > 1
        and target_parts
        and not any(part.how == "whole" for part in target_parts)
    ):
        keys = {token.base for token in asked.tokens} | {token.key for token in asked.tokens}
        if all(token.base in keys or token.key in keys for token in target.tokens):
            # All its words, apart: won the Preakness in 1998.
            return [
                TargetPart(part.start, part.end, "spread", matched=part.matched)
                for part in target_parts
            ]
    whole = any(part.how in ("whole", "alias") for part in target_parts)
    longest = max((len(part.matched) for part in target_parts if part.how == "part"), default=0)
    kept: list[TargetPart] = []
    for part in target_parts:
        if part.how == "part" and (whole or len(part.matched) < longest):
            # Next to a fuller name of the target, a shorter one names something else: Sony, SPE.
            kept.append(TargetPart(part.start, part.end, "other", matched=part.matched))
        else:
            kept.append(part)
    return kept


def _runs(target: SeriesTarget, asked: ParsedText) -> Iterator[TargetPart]:
    own = asked.tokens
    alias = tuple(token for token in tokens(target.alias) if not token.is_stop)
    index = 0
    while index < len(own):
        if alias and (stop := _matches(asked, index, alias)) is not None:
            yield _part(target, asked, index, stop, "alias")
            index = stop
            continue
        run = _run(target, asked, index)
        if run is None:
            index += 1
            continue
        stop, matched = run
        if target.inner and len(matched) < len(target.tokens):
            stop, matched = _cut_at_name(target, asked, index, stop, matched)
        yield from _judged(target, asked, index, stop, matched)
        index = stop


def _matches(asked: ParsedText, index: int, wanted: Sequence[QuestionToken]) -> int | None:
    own = asked.tokens
    for step, token in enumerate(wanted):
        if index + step >= len(own):
            return None
        mine = own[index + step]
        if token.base not in (mine.base, mine.key) or token.text[:1].isupper() != mine.is_capital:
            return None
        if _is_little_word(asked, index + step, token):
            return None
    return index + len(wanted)


def _is_little_word(asked: ParsedText, index: int, wanted: QuestionToken) -> bool:
    """Who, it or us that is no acronym: not in capitals, or the one word that asks."""
    mine = asked.tokens[index]
    if wanted.base not in listed("words", "little") or not wanted.text.isupper():
        return False
    if not mine.text[: len(wanted.base)].isupper():
        return True
    asking = listed("words", "asking")
    others = any(token.base in asking for token in asked.tokens[index + 1 :])
    return index == 0 and wanted.base in asking and not others


def _run(target: SeriesTarget, asked: ParsedText, index: int) -> tuple[int, tuple[str, ...]] | None:
    """The longest run of the target's content words, its stop words between them."""
    own = asked.tokens
    stops = {token.base for token in tokens(target.plain) if token.is_stop}
    matched: list[str] = []
    end = index
    step = index
    while step < len(own):
        mine = own[step]
        key = _key(target, asked, step, len(target.tokens) == 1)
        gap = asked.text[own[step - 1].end : mine.start] if step > index else " "
        if step > index and not set(gap) <= set(" .&\"'"):
            break
        if key is not None and key not in matched:
            matched.append(key)
            end = step + 1
            if mine.key != mine.base and mine.base == key:  # a possessive ends it
                break
        elif matched and same_noun(mine.base, target.tokens[-1].base) and mine.base not in matched:
            matched.append(target.tokens[-1].base)  # Nobel prizes
            end = step + 1
        elif not (matched and (mine.base in stops or mine.base == "and")):
            break
        step += 1
    return (end, tuple(matched)) if matched else None


def _cut_at_name(
    target: SeriesTarget, asked: ParsedText, index: int, stop: int, matched: tuple[str, ...]
) -> tuple[int, tuple[str, ...]]:
    """A run cut where a name inside the target ends: King | convicted."""
    for inner in target.inner:
        names = {token.base for token in inner.tokens} | {token.key for token in inner.tokens}
        if matched[0] not in names:
            continue
        size = next((i for i, one in enumerate(matched) if one not in names), len(matched))
        end = index
        left = size
        while left and end < stop:
            left -= not asked.tokens[end].is_stop
            end += 1
        return end, matched[:size]
    return stop, matched


def _key(target: SeriesTarget, asked: ParsedText, index: int, alone: bool) -> str | None:
    """The target's word that a word of the question is."""
    mine = asked.tokens[index]
    if mine.is_stop:
        return None
    for token in target.tokens:
        forms = (token.key, token.base)
        short = _SAME_SHORT.get(mine.base)
        if (
            mine.key not in forms
            and mine.base not in forms
            and (short is None or short != token.base)
        ):
            continue
        if _is_little_word(asked, index, token):
            continue
        if token.text[:1].isupper() and not mine.is_capital and not alone and not target.caseless:
            continue
        return token.key if mine.key == token.key else token.base
    return None


def _judged(
    target: SeriesTarget, asked: ParsedText, index: int, stop: int, matched: tuple[str, ...]
) -> Iterator[TargetPart]:
    own = asked.tokens
    full = sum(1 for token in target.tokens if token.key in matched or token.base in matched)
    if full == len(target.tokens):
        yield _part(target, asked, index, stop, "whole", matched)
        return
    for inner in target.inner:
        names = {token.base for token in inner.tokens} | {token.key for token in inner.tokens}
        if set(matched) <= names and not _of_both(target, matched):
            if len(matched) == len(inner.tokens) > 1 or not _within_name(asked, index, stop):
                yield _part(target, asked, index, stop, "inner", matched, inner)
            else:
                yield _part(target, asked, index, stop, "other", matched)
            return
    if not own[index].is_capital and target.plain != target.plain.lower() and not target.caseless:
        return  # a common noun: the nominals look at it
    order = [token.base for token in target.tokens]
    places = [order.index(one) for one in matched if one in order]
    if _within_name(asked, index, stop) or places != sorted(places):
        yield _part(target, asked, index, stop, "other", matched)
    elif not _names(target, asked, index, stop, matched):
        return
    else:
        yield _part(target, asked, index, stop, "part", matched)


def _of_both(target: SeriesTarget, matched: tuple[str, ...]) -> bool:
    """The surname of a couple, which names neither of the two alone."""
    if target.kind != "person":
        return False
    return all(set(matched) <= {token.base for token in one.tokens} for one in target.inner)


def _within_name(asked: ParsedText, index: int, stop: int) -> bool:
    """Whether adjacent capitalised words make the run a part of another name."""
    own = asked.tokens
    if stop < len(own):
        after = own[stop]
        touching = asked.text[own[stop - 1].end : after.start] in (" ", ". ")
        possessed = own[stop - 1].key != own[stop - 1].base
        if touching and after.text[:1].isupper() and not possessed:
            return True
    if index > 1:
        before = own[index - 1]
        touching = asked.text[before.end : own[index].start] == " "
        title = before.base in listed("people", "titles")
        place = before.text in ("U.S", "US", "UK", "British", "American")
        if touching and before.text[:1].isupper() and not title and not place:
            return True
    return False


def _names(
    target: SeriesTarget, asked: ParsedText, index: int, stop: int, matched: tuple[str, ...]
) -> bool:
    """Whether a part is enough of the name to stand for the target."""
    own = asked.tokens
    if not any(char.isalpha() for one in matched for char in one):
        return False
    if all(
        one in listed("people", "titles") or one in listed("names", "general") for one in matched
    ):
        return False
    if "&" in target.plain or " and " in target.plain:
        sides = [token for token in target.tokens if token.base not in ("co", "company", "sons")]
        if len(sides) > 1 and len(matched) == 1:
            return False  # Ben of Ben & Jerry's
    if target.common:
        return any(same_noun(one, target.head) for one in matched)
    if target.kind == "person":
        return own[index].is_capital
    if target.sentence:
        return False
    first = next((token for token in target.tokens if len(token.base) > 1), target.tokens[0])
    word = asked.word_at(own[index].start)
    if len(matched) == 1 and word is not None and asked.words[word].tag == "JJ":
        return False  # Basque of Basque ETA
    starts = first.base in matched or first.key in matched
    heads = any(same_noun(one, target.head) for one in matched)
    place = asked.name_type(own[index].start, own[stop - 1].end) == "LOCATION"
    last = target.tokens[-1]
    if starts and not heads and not last.is_capital and place and target.kind != "place":
        return False  # Virginia of Virginia wine
    if target.kind == "event":
        before = own[index - 1].base if index else ""
        if heads:
            return before not in ("first", "other", "next", "last")
        if place and len(matched) == 1 and len(target.tokens) > 1:
            return False  # Boston of Boston Tea Party
        name = all(token.is_capital for token in target.tokens) and own[index].is_capital
        return name and any(len(one) > 3 and one.isalpha() for one in matched)
    return starts or heads or target.tokens[-1].base in matched


def _part(
    target: SeriesTarget,
    asked: ParsedText,
    index: int,
    stop: int,
    how: str,
    matched: tuple[str, ...] = (),
    inner: Inner | None = None,
) -> TargetPart:
    own = asked.tokens
    last = own[stop - 1]
    end = last.end
    possessive = ""
    whole_text = target.alias if how == "alias" else target.plain
    if whole_text.endswith(".") and asked.text[end : end + 1] == "." and how in ("whole", "alias"):
        end += 1
    in_name = matched and matched[-1] == last.key and last.key != last.base
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
    titled = index > 0 and own[index - 1].base in listed("people", "titles")
    return TargetPart(own[index].start, end, how, possessive, inner, titled, matched)


def variant(target: SeriesTarget, asked: ParsedText) -> bool:
    """Whether a one-word target occurs in the question in the other number: an avocado."""
    if not target.tokens:
        return False
    wanted = target.tokens[-1].base
    many = target.head != wanted and target.head.endswith("s") and target.kind != "person"
    if many and any(same_noun(token.base, target.head) for token in asked.tokens):
        return True  # the largest pyramid, of Pyramids of Egypt
    early = {token.base for token in target.tokens[:-1]}
    for index, token in enumerate(asked.tokens):
        if same_noun(token.base, wanted) and (
            not early or (index > 0 and asked.tokens[index - 1].base in early)
        ):
            return token.is_capital == target.tokens[-1].is_capital
    return False
