"""Tokens of Chinese in context: jieba's words with LAC's tags, objects apart, measures whole."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from readmark.core.records import Offsets
from readmark.text.analysers.chinese_entities import MEASURES, NUMERALS
from readmark.text.analysers.chinese_names import PERSON, with_more_persons, with_names
from readmark.text.analysers.chinese_phrases import LAC_NAMES
from readmark.text.analysers.pieces import pieces
from readmark.text.analysers.word_tables import table_words
from readmark.text.segmenter import Segmenter, Tagged

LONGEST = 400
"""Characters that LAC is given at once."""

_NOMINAL = frozenset({"n", "nz", "vn", "an"})
_BEFORE_STATE = table_words("zh", "phrases", "state_verbs") | {"d"}
"""What an idiom follows that describes somebody's state: 感到灰心丧气; d is any adverb."""
_BEFORE_VERB = table_words("zh", "phrases", "modal_verbs") | table_words(
    "zh", "phrases", "pronouns"
)
_LIGHT_VERBS = frozenset("有为是叫做当任")
"""Verbs of one character whose object is a word of its own: the two of others are often a word."""
_WHOLE_NUMERAL = re.compile(rf"[{NUMERALS}.．,，]*[{NUMERALS}]多?")


class ContextualTagger:
    """Tags words as LAC sees them in their sentences; names are whole.

    A person's name of LAC's is one token. It is cut out of a longer one that no dictionary has
    (小兰去), and a known name that begins with it is taken whole (欧阳修). A verb with its object
    in one token is cut where LAC cuts it (浪费时间). An idiom is a noun only after 的, a classifier
    or the like. Another word of LAC's that is cut into several tokens says nothing about them, so
    they keep jieba's tags.
    """

    def __init__(self, lac: Any, segmenter: Segmenter) -> None:
        self._lac = lac
        self._segmenter = segmenter
        self._verbs_and_objects: dict[str, Sequence[tuple[str, str]]] = {}

    def tagged(
        self, text: str, tokens: Sequence[Tagged], sentences: Sequence[Offsets]
    ) -> list[Tagged]:
        """The tokens of a text in simplified characters, in context."""
        words: list[Tagged] = []
        cuts: set[Offsets] = set()
        for begin, end in pieces(text, sentences, LONGEST):
            start = begin
            for word, tag in self._lac.run(text[begin:end]):
                if not any(map(str.isalnum, word)):
                    start += len(word)
                    continue
                parts = self._verb_and_object(word) if tag == "vn" and len(word) == 3 else None
                if parts is not None:
                    cuts.add((start, start + len(word)))
                for part, part_tag in parts or [(word, tag)]:
                    words.append((start, start + len(part), part_tag))
                    start += len(part)
        knows = self._segmenter.knows
        words = with_more_persons(text, tokens, words, knows)
        tokens = with_names(text, tokens, words, knows)
        return _retagged(text, list(self._with_objects_apart(text, tokens, words, cuts)), words)

    def _verb_and_object(self, word: str) -> Sequence[tuple[str, str]] | None:
        """The parts of a word of three characters in which LAC sees a verb and its object."""
        if word not in self._verbs_and_objects:
            parts = [*self._lac.run(word[:1]), *self._lac.run(word[1:])]
            is_cut = [tag for _, tag in parts] == ["v", "n"] and self._segmenter.knows(word[1:])
            self._verbs_and_objects[word] = parts if is_cut else ()
        return self._verbs_and_objects[word] or None

    def _with_objects_apart(
        self,
        text: str,
        tokens: Sequence[Tagged],
        words: Sequence[Tagged],
        cuts: Collection[Offsets],
    ) -> Iterator[Tagged]:
        """The tokens; one in which LAC sees a verb and its object of two characters is two.

        A word of the dictionary may also be a noun as a whole (奇袭战术): it is cut only where a
        verb is expected, after a pronoun, a name, an adverb or a modal verb. Words of a lexicon
        stay.
        """
        place = 0
        for token in tokens:
            start, end, tag = token
            while place < len(words) and words[place][1] <= start:
                place += 1
            pair = words[place : place + 2]
            if (
                [word[2] for word in pair] == ["v", "n"]
                and (pair[0][0], pair[1][1]) == (start, end)
                and pair[1][1] - pair[1][0] == 2
                and tag != "i"
                and text[start:end] not in self._segmenter.added
                and (
                    (start, end) in cuts
                    or self._takes_object(text, pair[0], words[place - 1] if place else None)
                )
            ):
                yield from pair
            else:
                yield token

    def _takes_object(self, text: str, verb: Tagged, before: Tagged | None) -> bool:
        """Whether a verb and the two characters after it are two words where they occur."""
        start, end, _ = verb
        is_known = self._segmenter.knows(text[start : end + 2])
        if end - start == 1:
            return not is_known and text[start:end] in _LIGHT_VERBS
        if not is_known:
            return True
        if before is None or before[1] != start:
            return False
        return before[2] in ("d", PERSON) or text[before[0] : before[1]] in _BEFORE_VERB


def _retagged(text: str, tokens: Sequence[Tagged], words: Sequence[Tagged]) -> list[Tagged]:
    """The tokens with LAC's tags."""
    tags = [tag for _, _, tag in tokens]
    place = 0
    before = ""  # the word before, or d for any adverb
    for start, end, tag in words:
        while place < len(tokens) and tokens[place][1] <= start:
            place += 1
        index = place
        while index < len(tokens) and tokens[index][0] < end:
            token_start, token_end, token_tag = tokens[index]
            if token_tag == PERSON:
                tags[index] = PERSON
            elif tag in LAC_NAMES or token_end >= end:
                has_whole_word = token_start <= start or tag in LAC_NAMES
                is_state = token_tag == "i" and tag in _NOMINAL and before in _BEFORE_STATE
                if has_whole_word and not is_state:
                    tags[index] = tag
            index += 1
        before = "d" if tag == "d" else text[start:end]
    return [(start, end, tag) for (start, end, _), tag in zip(tokens, tags, strict=True)]


def with_measures(text: str, tokens: Sequence[Tagged]) -> list[Tagged]:
    """The tokens; a number and its measure word are one: 一门, 4小时, 154米, 两千三百册.

    Table 9 of the BRCC document has them so. A number without one stays as it is.
    """
    measured: list[Tagged] = []
    index = 0
    while index < len(tokens):
        start, end, tag = tokens[index]
        measure = index
        while measure < len(tokens) and _WHOLE_NUMERAL.fullmatch(text[start : tokens[measure][1]]):
            if measure > index and tokens[measure][0] != tokens[measure - 1][1]:
                break
            measure += 1
        is_counted = (
            index < measure < len(tokens)
            and tokens[measure][0] == tokens[measure - 1][1]
            and (tokens[measure][2] == "q" or text[slice(*tokens[measure][:2])] in MEASURES)
        )
        if is_counted:
            tags = {tokens[place][2] for place in range(index, measure + 1)}
            measured.append((start, tokens[measure][1], "TIME" if "TIME" in tags else "m"))
            index = measure + 1
        else:
            measured.append((start, end, tag))
            index += 1
    return measured
