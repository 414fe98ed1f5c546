"""Where a question says the target, a part of it, or a name inside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from readmark.series.guided.inner_names import Inner
from readmark.series.guided.parses import ParsedText, QuestionToken, tokens
from readmark.series.guided.targets import SeriesTarget
from readmark.series.guided.word_forms import same_noun
from readmark.series.guided.word_tables import listed

_ABBREVIATIONS = {"mt": "mount", "st": "saint", "dr": "doctor", "corp": "corporation"}


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
    stretches = list(_runs(target, asked))
    has_whole = any(part.how == "whole" for part in stretches)
    if len(target.tokens) > 1 and stretches and not has_whole:
        words = {token.base for token in asked.tokens} | {token.key for token in asked.tokens}
        if all(token.base in words or token.key in words for token in target.tokens):
            # All its words, apart: won the Preakness in 1998.
            return [
                TargetPart(part.start, part.end, "spread", matched=part.matched)
                for part in stretches
            ]
    has_full_name = any(part.how in ("whole", "alias") for part in stretches)
    longest = max((len(part.matched) for part in stretches if part.how == "part"), default=0)
    # Next to a fuller name of the target, a shorter one names something else: Sony, SPE.
    return [
        TargetPart(part.start, part.end, "other", matched=part.matched)
        if part.how == "part" and (has_full_name or len(part.matched) < longest)
        else part
        for part in stretches
    ]


def _runs(target: SeriesTarget, asked: ParsedText) -> Iterator[TargetPart]:
    """Runs of the words of the target or of its alias, by what each of them names."""
    alias = tuple(token for token in tokens(target.alias) if not token.is_stop)
    index = 0
    while index < len(asked.tokens):
        if alias and (stop := _alias_end(asked, index, alias)) is not None:
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
        yield from _classified(target, asked, index, stop, matched)
        index = stop


def _alias_end(asked: ParsedText, index: int, alias: Sequence[QuestionToken]) -> int | None:
    """Where the alias ends that begins at a word; None if it is not there, in the same case."""
    for place, alias_token in enumerate(alias, index):
        if place >= len(asked.tokens):
            return None
        token = asked.tokens[place]
        if alias_token.base not in (token.base, token.key):
            return None
        if alias_token.text[:1].isupper() != token.is_capital:
            return None
        if _is_little_word(asked, place, alias_token):
            return None
    return index + len(alias)


def _is_little_word(asked: ParsedText, index: int, target_token: QuestionToken) -> bool:
    """Who, it or us that is no acronym: not in capitals, or the one word that asks."""
    token = asked.tokens[index]
    acronym = target_token.base
    if acronym not in listed("words", "little") or not target_token.text.isupper():
        return False
    if not token.text[: len(acronym)].isupper():
        return True
    asking = listed("words", "asking")
    asks_later = any(later.base in asking for later in asked.tokens[index + 1 :])
    return index == 0 and acronym in asking and not asks_later


def _run(target: SeriesTarget, asked: ParsedText, index: int) -> tuple[int, tuple[str, ...]] | None:
    """The longest run of the target's content words, its stop words between them."""
    tokens_asked = asked.tokens
    stops = {word.base for word in tokens(target.plain) if word.is_stop}
    matched: list[str] = []
    end = step = index
    while step < len(tokens_asked):
        token = tokens_asked[step]
        key = _key(target, asked, step, len(target.tokens) == 1)
        gap = asked.text[tokens_asked[step - 1].end : token.start] if step > index else " "
        if step > index and not set(gap) <= set(" .&\"'"):
            break
        if key is not None and key not in matched:
            matched.append(key)
            end = step + 1
            if token.key != token.base and token.base == key:  # a possessive ends it
                break
        elif (
            matched and same_noun(token.base, target.tokens[-1].base) and token.base not in matched
        ):
            matched.append(target.tokens[-1].base)  # Nobel prizes
            end = step + 1
        elif not (matched and (token.base in stops or token.base == "and")):
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
        size = next(
            (place for place, word in enumerate(matched) if word not in names), len(matched)
        )
        end, remaining = index, size
        while remaining and end < stop:
            remaining -= not asked.tokens[end].is_stop
            end += 1
        return end, matched[:size]
    return stop, matched


def _key(target: SeriesTarget, asked: ParsedText, index: int, alone: bool) -> str | None:
    """The target's word that a word of the question is; ``alone`` if the target has no other."""
    token = asked.tokens[index]
    if token.is_stop:
        return None
    spellings = {token.key, token.base}
    for target_token in target.tokens:
        is_abbreviated = _ABBREVIATIONS.get(token.base) == target_token.base
        if not is_abbreviated and not spellings & {target_token.key, target_token.base}:
            continue
        if _is_little_word(asked, index, target_token):
            continue
        needs_capital = target_token.text[:1].isupper() and not alone and not target.caseless
        if needs_capital and not token.is_capital:
            continue
        return target_token.key if token.key == target_token.key else target_token.base
    return None


def _classified(
    target: SeriesTarget, asked: ParsedText, index: int, stop: int, matched: tuple[str, ...]
) -> Iterator[TargetPart]:
    """A run as the part that it is; nothing where it is no name, or too little of one."""
    if all(token.key in matched or token.base in matched for token in target.tokens):
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
    is_name = target.plain != target.plain.lower() and not target.caseless
    if is_name and not asked.tokens[index].is_capital:
        return  # a common noun, which nominal_edits decides on
    order = [token.base for token in target.tokens]
    places = [order.index(word) for word in matched if word in order]
    if _within_name(asked, index, stop) or places != sorted(places):
        yield _part(target, asked, index, stop, "other", matched)
    elif _names(target, asked, index, stop, matched):
        yield _part(target, asked, index, stop, "part", matched)


def _of_both(target: SeriesTarget, matched: tuple[str, ...]) -> bool:
    """The surname of a couple, which names neither of the two alone."""
    if target.kind != "person":
        return False
    people = ({token.base for token in person.tokens} for person in target.inner)
    return all(set(matched) <= names for names in people)


def _within_name(asked: ParsedText, index: int, stop: int) -> bool:
    """Whether adjacent capitalised words make the run a part of another name."""
    if stop < len(asked.tokens):
        after = asked.tokens[stop]
        touching = asked.text[asked.tokens[stop - 1].end : after.start] in (" ", ". ")
        possessed = asked.tokens[stop - 1].key != asked.tokens[stop - 1].base
        if touching and after.text[:1].isupper() and not possessed:
            return True
    if index > 1:
        before = asked.tokens[index - 1]
        touching = asked.text[before.end : asked.tokens[index].start] == " "
        title = before.base in listed("people", "titles")
        place = before.text in ("U.S", "US", "UK", "British", "American")
        if touching and before.text[:1].isupper() and not title and not place:
            return True
    return False


def _names(
    target: SeriesTarget, asked: ParsedText, index: int, stop: int, matched: tuple[str, ...]
) -> bool:
    """Whether a part is enough of the name to stand for the target."""
    if not any(map(str.isalpha, "".join(matched))):
        return False
    if set(matched) <= listed("people", "titles") | listed("names", "general"):
        return False
    if "&" in target.plain or " and " in target.plain:
        sides = [token for token in target.tokens if token.base not in ("co", "company", "sons")]
        if len(sides) > 1 and len(matched) == 1:
            return False  # Ben of Ben & Jerry's
    if target.common:
        return any(same_noun(word, target.head) for word in matched)
    if target.kind == "person":
        return asked.tokens[index].is_capital
    if target.sentence:
        return False
    first = next((token for token in target.tokens if len(token.base) > 1), target.tokens[0])
    place_of_word = asked.word_at(asked.tokens[index].start)
    is_adjective = place_of_word is not None and asked.words[place_of_word].tag == "JJ"
    if len(matched) == 1 and is_adjective:
        return False  # Basque of Basque ETA
    starts = first.base in matched or first.key in matched
    heads = any(same_noun(word, target.head) for word in matched)
    place = asked.name_type(asked.tokens[index].start, asked.tokens[stop - 1].end) == "LOCATION"
    last = target.tokens[-1]
    if starts and not heads and not last.is_capital and place and target.kind != "place":
        return False  # Virginia of Virginia wine
    if target.kind == "event":
        before = asked.tokens[index - 1].base if index else ""
        if heads:
            return before not in ("first", "other", "next", "last")
        if place and len(matched) == 1 and len(target.tokens) > 1:
            return False  # Boston of Boston Tea Party
        name = all(token.is_capital for token in target.tokens) and asked.tokens[index].is_capital
        return name and any(len(word) > 3 and word.isalpha() for word in matched)
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
    """The stretch from a word up to another, its possessive apart, with brackets that follow."""
    last = asked.tokens[stop - 1]
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
    titled = index > 0 and asked.tokens[index - 1].base in listed("people", "titles")
    return TargetPart(asked.tokens[index].start, end, how, possessive, inner, titled, matched)


def variant(target: SeriesTarget, asked: ParsedText) -> bool:
    """Whether a one-word target occurs in the question in the other number: an avocado."""
    if not target.tokens:
        return False
    last = target.tokens[-1].base
    has_plural_head = target.head != last and target.head.endswith("s")
    if (
        has_plural_head
        and target.kind != "person"
        and any(same_noun(token.base, target.head) for token in asked.tokens)
    ):
        return True  # the largest pyramid, of Pyramids of Egypt
    earlier_words = {token.base for token in target.tokens[:-1]}
    for index, token in enumerate(asked.tokens):
        if same_noun(token.base, last) and (
            not earlier_words or (index > 0 and asked.tokens[index - 1].base in earlier_words)
        ):
            return token.is_capital == target.tokens[-1].is_capital
    return False
