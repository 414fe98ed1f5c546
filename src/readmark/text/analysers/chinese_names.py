"""Names of persons among Chinese words: LAC's, those that it misses, and the tokens over them.

LAC names persons in the context of a sentence, but not in every place; jieba has some names in its
dictionary and guesses others. A name is one token here, whoever saw it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence

from readmark.core.records import Offsets
from readmark.text.analysers.chinese_entities import OCCUPATIONS
from readmark.text.analysers.chinese_phrases import LAC_NAMES
from readmark.text.analysers.word_tables import table_endings, table_words
from readmark.text.segmenter import Tagged

PERSON = "PER"
"""LAC's tag."""

_NAME_DOTS = frozenset("·‧•．・")
_SURNAMES = table_endings("zh", "person", "surnames")
_TITLES = table_words("zh", "person", "titles")
_CALLED = table_words("zh", "person", "appellations") | OCCUPATIONS | _TITLES
"""What somebody is called before a name."""
_NICKNAME = frozenset("小老阿")
_BEFORE_SURNAME = ("老", "小")
_NO_NAME_AFTER = ("d", "zg", "m", "q", "mq")
"""Tags of words after which 老 and 小 are no part of a name: 很老, 一小."""
_VERBS = frozenset("说笑问去来走跑哭想看喊叫道答")
"""Verbs of one character that LAC takes into a name."""


def with_more_persons(
    text: str, tokens: Sequence[Tagged], lac_words: Sequence[Tagged], known: Callable[[str], bool]
) -> list[Tagged]:
    """LAC's words with persons that it misses in one place or another.

    A word that no dictionary has is a name if it begins with a surname after what somebody is
    called (参将张经), or if LAC saw it as one elsewhere in the text. 老 and 小 with a surname are
    one before anything but a noun, and 小宝笑 is 小宝 and what she does.
    """
    words = [part for word in _joined_names(text, lac_words) for part in _without_verb(text, word)]
    named = [(start, end) for start, end, tag in words if tag in LAC_NAMES]
    called = [span for span in _called(text, tokens, known) if not _overlapping(span, named)]
    persons = [(start, end) for start, end, tag in words if tag == PERSON]
    names = {text[start:end] for start, end in (*persons, *called) if end - start > 1}
    names = {name for name in names if not known(name)}
    if names:
        longest_first = sorted(names, key=len, reverse=True)
        for match in re.finditer("|".join(map(re.escape, longest_first)), text):
            overlapping = _overlapping(match.span(), named)
            if match.span() not in overlapping and all(
                match.start() <= start and end <= match.end() for start, end in overlapping
            ):
                called.append(match.span())
    return _with_persons_over(words, sorted(set(called)))


def with_names(
    text: str, tokens: Sequence[Tagged], lac_words: Sequence[Tagged], known: Callable[[str], bool]
) -> list[Tagged]:
    """The tokens with each name that LAC sees in one piece."""
    spans = {(start, end) for start, end, _ in lac_words}
    named: list[Tagged] = []
    place = 0
    for start, end, tag in lac_words:
        if tag != PERSON or not text[start:end].isprintable() or " " in text[start:end]:
            continue
        while place < len(tokens) and tokens[place][1] <= start:
            named.append(tokens[place])
            place += 1
        after = place
        while after < len(tokens) and tokens[after][0] < end:
            after += 1
        over = tokens[place:after]
        if not over or (named and named[-1][1] > start):
            continue
        first_start, last_end = over[0][0], over[-1][1]
        is_name_of_jieba = len(over) == 1 and first_start == start and over[0][2][:2] == "nr"
        crossing = [token for token in (over[0], over[-1]) if token[0] < start or token[1] > end]
        if any(known(text[token[0] : token[1]]) for token in crossing):
            # 欧阳修: a name in the dictionary that is longer than what LAC sees of it
            if is_name_of_jieba and text[end] not in _VERBS:
                named.append((first_start, last_end, PERSON))
                place = after
            continue
        is_rest_unknown = (end, last_end) not in spans
        if is_name_of_jieba and text.startswith(_SURNAMES, start) and is_rest_unknown:
            # 黄睿靓: LAC has no word for what it leaves of the segmenter's name
            end = last_end
        if first_start < start:
            named.append((first_start, start, over[0][2]))
        named.append((start, end, PERSON))
        if last_end > end:
            named.append((end, last_end, over[-1][2]))
        place = after
    return [*named, *tokens[place:]]


def _joined_names(text: str, lac_words: Sequence[Tagged]) -> list[Tagged]:
    """LAC's words; names without marks at their edges, and those with a dot between are one."""
    words: list[Tagged] = []
    for start, end, tag in lac_words:
        if tag != PERSON:
            words.append((start, end, tag))
            continue
        while not text[start].isalnum():
            start += 1
        while not text[end - 1].isalnum():
            end -= 1
        if words and words[-1][2] == PERSON and text[words[-1][1] : start] in _NAME_DOTS:
            start = words.pop()[0]
        words.append((start, end, tag))
    return words


def _without_verb(text: str, word: Tagged) -> list[Tagged]:
    """A word of LAC's; a name of three characters with 小, 老 or 阿 may be two and a verb."""
    start, end, tag = word
    if tag == PERSON and end - start == 3 and text[start] in _NICKNAME and text[end - 1] in _VERBS:
        return [(start, end - 1, tag), (end - 1, end, "v")]
    return [word]


def _overlapping(span: Offsets, ordered: Sequence[Offsets]) -> Sequence[Offsets]:
    """Those of some spans, in order and apart from each other, that overlap one."""
    first = bisect_right(ordered, span[0], key=lambda other: other[1])
    last = bisect_left(ordered, span[1], key=lambda other: other[0])
    return ordered[first:last]


def _called(text: str, tokens: Sequence[Tagged], known: Callable[[str], bool]) -> Iterator[Offsets]:
    """Names by their surname, after an appellation or after 老 and 小."""
    for index, (start, end, _) in enumerate(tokens):
        word = text[start:end]
        is_adjacent = index > 0 and tokens[index - 1][1] == start
        before_start, before_end = tokens[index - 1][:2] if is_adjacent else (0, 0)
        before = text[before_start:before_end]
        if 1 < len(word) < 4 and word.startswith(_SURNAMES) and not known(word):
            if before in _CALLED:
                yield start, end
        elif word in _SURNAMES and before in _BEFORE_SURNAME:
            following_tag = tokens[index + 1][2] if index + 1 < len(tokens) else ""
            begins_name = index < 2 or tokens[index - 2][2] not in _NO_NAME_AFTER
            is_described = following_tag[:1] in ("n", "m")
            if begins_name and not is_described and not known(text[before_start:end]):
                yield before_start, end


def _with_persons_over(words: Sequence[Tagged], persons: Sequence[Offsets]) -> list[Tagged]:
    """LAC's words, and persons over some of them; what is left of those keeps its tag."""
    tagged: list[Tagged] = [(start, end, PERSON) for start, end in persons]
    for start, end, tag in words:
        place = start
        for first, last in _overlapping((start, end), persons):
            if place < first:
                tagged.append((place, first, tag))
            place = max(place, last)
        if place < end:
            tagged.append((place, end, tag))
    return sorted(tagged)
