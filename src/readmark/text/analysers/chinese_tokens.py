"""Tokens of Chinese in context: jieba's words with LAC's tags, names whole, objects apart."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from readmark.core.records import Offsets
from readmark.text.analysers.chinese_names import PERSON, with_more_persons, with_names
from readmark.text.analysers.chinese_phrases import LAC_NAMES
from readmark.text.analysers.pieces import pieces
from readmark.text.analysers.word_tables import table_words
from readmark.text.segmenter import Segmenter, Tagged

LONGEST = 400
"""Characters that LAC is given at once."""

_NOMINAL = frozenset({"n", "nz", "vn", "an"})
_BEFORE_STATE = table_words("zh", "phrases", "state_verbs") | {"d"}
"""What comes before an idiom that describes a state: 感到灰心丧气; d is any adverb."""
_BEFORE_VERB = table_words("zh", "phrases", "modal_verbs") | table_words(
    "zh", "phrases", "pronouns"
)
_OBJECT_LENGTH = 2
"""Characters of the objects that are cut from their verbs."""
_LIGHT_VERBS = frozenset("有为是叫做当任")
"""Verbs of one character whose object is always a word of its own.

Another verb of one character is often one word with what follows it.
"""


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
                parts: Sequence[tuple[str, str]] = [(word, tag)]
                if tag == "vn" and len(word) == 1 + _OBJECT_LENGTH:
                    parts = self._verb_and_object(word) or parts
                if len(parts) > 1:
                    cuts.add((start, start + len(word)))
                for part, part_tag in parts:
                    words.append((start, start + len(part), part_tag))
                    start += len(part)
        knows = self._segmenter.knows
        words = with_more_persons(text, tokens, words, knows)
        tokens = with_names(text, tokens, words, knows)
        return _retagged(text, list(self._with_objects_apart(text, tokens, words, cuts)), words)

    def _verb_and_object(self, word: str) -> Sequence[tuple[str, str]]:
        """A verb of one character and its object, if LAC sees them in a word; else nothing."""
        if word not in self._verbs_and_objects:
            parts = [*self._lac.run(word[:1]), *self._lac.run(word[1:])]
            is_cut = [tag for _, tag in parts] == ["v", "n"] and self._segmenter.knows(word[1:])
            self._verbs_and_objects[word] = parts if is_cut else ()
        return self._verbs_and_objects[word]

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
            is_idiom, is_of_lexicon = tag == "i", text[start:end] in self._segmenter.added
            if is_idiom or is_of_lexicon or not _is_verb_and_object(pair, start, end):
                yield token
                continue
            before = words[place - 1] if place else None
            if (start, end) in cuts or self._takes_object(text, pair[0], before):
                yield from pair
            else:
                yield token

    def _takes_object(self, text: str, verb: Tagged, before: Tagged | None) -> bool:
        """Whether a verb and the two characters after it are two words where they occur."""
        start, end, _ = verb
        is_known = self._segmenter.knows(text[start : end + _OBJECT_LENGTH])
        if end - start == 1:
            return not is_known and text[start:end] in _LIGHT_VERBS
        if not is_known:
            return True
        if before is None or before[1] != start:
            return False
        return before[2] in ("d", PERSON) or text[before[0] : before[1]] in _BEFORE_VERB


def _is_verb_and_object(words: Sequence[Tagged], start: int, end: int) -> bool:
    """Whether two words of LAC's are a verb and its object, and make up a token."""
    if [tag for _, _, tag in words] != ["v", "n"]:
        return False
    (verb_start, _, _), (object_start, object_end, _) = words
    return (verb_start, object_end) == (start, end) and object_end - object_start == _OBJECT_LENGTH


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
