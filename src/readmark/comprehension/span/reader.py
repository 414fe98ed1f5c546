"""The span reader: rows of a sitting from the stretches that a trained network finds likely."""

from __future__ import annotations

import hashlib
import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from readmark.comprehension.options import RULES, WEIGHED, nearest_option
from readmark.comprehension.span.tokens import (
    FILE,
    SpanShape,
    Tokenizer,
    load_tokenizer,
    read_shape,
)
from readmark.core.errors import UsageError
from readmark.core.extras import require
from readmark.core.records import Offsets, Unit
from readmark.core.registry import parameter
from readmark.core.sitting import PER_LANGUAGE, Row
from readmark.hooks import Kind
from readmark.sitting import answer_in_batches
from readmark.text.answers.sentences import SOURCE, passage_sentences
from readmark.text.training_record import SCORES, TrainingRecord
from readmark.text.training_record_files import recorded_in

if TYPE_CHECKING:
    from readmark.comprehension.span.answers import ScoredQuestion, Scorer, SpanReply
    from readmark.comprehension.span.tokens import SpanConfidence


# The readers that come with the package, a folder a language.


def shipped(language: str) -> Path:
    """The folder of a language's reader."""
    folder = Path(str(files("readmark.comprehension.span"))) / "weights" / language
    if not (folder / FILE).is_file():
        raise UsageError(
            f"no span reader for {language!r} comes with this version: train one with "
            "readmark train span, then name its folder: span(model=FOLDER)"
        )
    return folder


class SpanModel(NamedTuple):
    """An exported network with what is needed to put texts to it."""

    file: Path
    shape: SpanShape
    tokenizer: Tokenizer
    scorer: Scorer
    device: str = "cpu"

    def fingerprint(self) -> str:
        """The weights, in the signatures of what runs them."""
        return hashlib.sha256(self.file.read_bytes()).hexdigest()[:12]

    def score(
        self, asked: Sequence[tuple[str, str]], *, batch: int = 1
    ) -> Sequence[ScoredQuestion]:
        """The scores of pairs of passage and question."""
        from readmark.comprehension.span.answers import score_windows, side_by_side, windows

        return score_windows(
            asked,
            cut=self.tokenizer.cut,
            windows=lambda question, passage: windows(
                question, passage, self.shape, self.tokenizer
            ),
            score=lambda some: self.scorer(*side_by_side(some)),
            batch=batch,
        )


def load_span(
    folder: Path, *, precision: str = "int8", threads: int = 1, device: str = "auto"
) -> SpanModel:
    """The network of a model's folder, ready to score windows."""
    from readmark.comprehension.span.onnx import has_gpu, load_scorer, network_file

    shape = read_shape(folder)
    file = network_file(folder, precision)
    tokenizer = load_tokenizer(folder, simplify=shape.simplify)
    if device == "auto":
        device = "cuda" if has_gpu(file) else "cpu"
    scorer = load_scorer(file, threads=threads, device=device)
    return SpanModel(file, shape, tokenizer, scorer, device)


def span_libraries() -> dict[str, str]:
    """The versions of the libraries that scores depend on."""
    require("onnxruntime", "tokenizers")
    import onnxruntime
    import tokenizers

    # The package onnxruntime has another name for GPUs.
    return {"onnxruntime": onnxruntime.__version__, "tokenizers": tokenizers.__version__}


if TYPE_CHECKING:
    Read = Callable[[Sequence[tuple[str, str]], int], Sequence[SpanReply]]
    """Pairs of passage and question, and how many likely answers are wanted, to replies."""

_JOINED = "\u200d\ufe0e\ufe0f"


class SpanRows:
    """Makes rows: the likeliest stretch, its sentence, the runners-up; or an option; or none."""

    def __init__(
        self,
        language: str,
        no_answer: float | None,
        best: int,
        confidence: SpanConfidence | None = None,
    ) -> None:
        self._language, self._no_answer, self._best = language, no_answer, best
        self._confidence = confidence
        self._sentences: tuple[Any, list[Offsets]] | None = None

    def rows(self, units: Sequence[Unit], read: Read) -> list[Row]:
        """The rows of units, in their order.

        Those with options are read by themselves, for more of what is likely than is listed.
        """
        found: dict[int, Row] = {}
        for many, with_options in ((self._best, False), (max(self._best, WEIGHED), True)):
            some = [
                index for index, unit in enumerate(units) if bool(unit.item.options) is with_options
            ]
            asked = [(units[at].record.text, units[at].item.text) for at in some]
            for at, reply in zip(some, read(asked, many) if asked else (), strict=True):
                found[at] = self._row(units[at], reply)
        return [found[index] for index in range(len(units))]

    def _row(self, unit: Unit, reply: SpanReply) -> Row:
        text = unit.record.text
        said = {"none": round(reply.none, 4)}
        if not reply.answers or (self._no_answer is not None and reply.none > self._no_answer):
            return Row(id=unit.id, answer="", score=self._none_score(reply), evidence=said)
        places: dict[Offsets, float] = {}
        for answer in reply.answers:  # two that end in one letter and its marks are one
            place = answer.start, end_with_marks(text, answer.end)
            places[place] = places.get(place, 0.0) + answer.probability
        likely = [_likely_answer(text, *item) for item in places.items()][: self._best]
        evidence: dict[str, Any] = {"likely": likely, **said}
        if unit.item.options:
            return self._option(unit, list(places.items()), evidence)
        start, end = next(iter(places))
        return Row(
            id=unit.id,
            answer=text[start:end],
            start=start,
            end=end,
            sentence=self._sentence(unit.record, start),
            score=self._score(likely[0]["probability"], reply.none),
            evidence=evidence,
        )

    def _score(self, probability: float, none: float) -> float:
        """The fitted score of an answer; its probability where nothing is fitted."""
        if self._confidence is None:
            return probability
        mixed = self._no_answer is not None
        return round(self._confidence.score(probability, none, mixed=mixed), 6)

    def _none_score(self, reply: SpanReply) -> float | None:
        """The fitted score of giving no answer."""
        if self._confidence is None or not reply.answers:
            return None
        return round(self._confidence.none_score(reply.answers[0].probability, reply.none), 6)

    def _option(
        self, unit: Unit, likely: list[tuple[Offsets, float]], evidence: dict[str, Any]
    ) -> Row:
        """An option has no place of its own; the stretch that speaks most for it is kept."""
        found = nearest_option(unit, likely, self._language)
        span = _likely_answer(unit.record.text, found.place, dict(likely)[found.place])
        return Row(
            id=unit.id,
            answer=found.option,
            sentence=self._sentence(unit.record, found.place[0]),
            score=round(found.score, 6),
            evidence={"span": span, **evidence},
        )

    def _sentence(self, record: Any, start: int) -> Offsets | None:
        if self._sentences is None or self._sentences[0] is not record:
            self._sentences = record, list(passage_sentences(record, self._language))
        return next(
            (sentence for sentence in self._sentences[1] if sentence[0] <= start < sentence[1]),
            None,
        )


def _likely_answer(text: str, place: Offsets, probability: float) -> dict[str, Any]:
    start, end = place
    return {"text": text[start:end], "start": start, "probability": round(probability, 6)}


def end_with_marks(text: str, end: int) -> int:
    """The end moved past marks that belong to the last character: the tokenizer drops them."""
    while end < len(text) and (unicodedata.combining(text[end]) or text[end] in _JOINED):
        end += 1
    return end


# The span reader: the stretch of the passage that a small network predicts to be the answer.


AUTO = "auto"
"""The threshold that was fitted for the model."""


def threshold_of(value: Any) -> float | str:
    """A threshold as it is written: a number, or the model's own."""
    if value == AUTO:
        return AUTO
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise UsageError(f"no_answer={value} is neither a number nor {AUTO}")
    return number


def _fingerprint(confidence: SpanConfidence) -> str:
    return hashlib.sha256(msgspec.json.encode(confidence)).hexdigest()[:12]


GPU_BATCH = 512
"""Windows that are scored together on a GPU; a batch that memory has no room for is halved."""


@dataclass
class SpanReader:
    """Answers with the likeliest stretch of text, its probability and the runners-up."""

    model: str = parameter("", help="model folder; default: the reader that ships")
    precision: str = parameter(
        "int8", choices=("int8", "float"), help="which exported network to run"
    )
    # In 8 bits what is scored together shares its scales: alone, an answer hangs on no other.
    batch: int | None = parameter(
        None, help="windows per batch; default: 1; on a GPU 512, or fewer if memory runs out"
    )
    best: int = parameter(3, help="likely answers that the evidence lists")
    longest: int = parameter(0, help="maximum tokens per answer; default: the model's own")
    decide: str = parameter(
        "em",
        choices=("em", "f1"),
        help="answer with the likeliest span, or the one with the greatest expected F1",
    )
    no_answer: str | float | None = parameter(
        None,
        help="give no answer where the score of having none is higher than this number; "
        "auto: the model's own threshold",
        spelt=threshold_of,
    )
    threads: int = parameter(1, help="CPU threads")
    device: str = parameter(
        "auto",
        choices=("auto", "cpu", "cuda"),
        help="default: a GPU for float networks where there is one",
    )
    _language: str = field(default="en", init=False, repr=False)
    _network: SpanModel | None = field(default=None, init=False, repr=False)
    _threshold: float | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.no_answer is not None and (given := threshold_of(self.no_answer)) != AUTO:
            self._threshold = float(given)
        for name, least in (("batch", 1), ("best", 1), ("longest", 0), ("threads", 0)):
            if (value := getattr(self, name)) is not None and value < least:
                raise UsageError(f"{name}={value} is less than {least}")

    def prepare(self, kind: Kind, language: str) -> None:
        self._language = language
        folder = Path(self.model) if self.model else shipped(language)
        self._network = load_span(
            folder, precision=self.precision, threads=self.threads, device=self.device
        )
        if self.no_answer == AUTO:
            fitted = self._network.shape.confidence
            if fitted is None:
                raise UsageError(
                    f"{folder} has no threshold of its own: give a number, or fit one with "
                    "readmark train span --scores"
                )
            self._threshold = fitted.no_answer

    def training_record(self) -> TrainingRecord | None:
        """What the network learnt from, and the threshold where it decides."""
        record = recorded_in(Path(self.model) if self.model else shipped(self._language))
        return record if record is None or self.no_answer == AUTO else record.without(SCORES)

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return answer_in_batches(units, self._rows, windows=self._batch())

    def signature(self) -> Mapping[str, Any]:
        fitted = self._network.shape.confidence if self._network else None
        own = {} if fitted is None else {"confidence": _fingerprint(fitted)}
        device = self._network.device if self._network else "cpu"
        return {
            "model": self._network.fingerprint() if self._network else "",
            "sentences": SOURCE,
            "options": RULES,
            **span_libraries(),
            **own,
            **({} if self.model else {PER_LANGUAGE: ["model", *own]}),
            **({"device": device} if device != "cpu" else {}),
        }

    def _batch(self) -> int:
        on_gpu = self._network is not None and self._network.device == "cuda"
        return self.batch or (GPU_BATCH if on_gpu else 1)

    def _rows(self, units: Sequence[Unit]) -> list[Row]:
        from readmark.comprehension.span.answers import read

        assert self._network is not None
        _, shape, tokenizer, scorer, _ = self._network
        rows = SpanRows(self._language, self._threshold, self.best, shape.confidence)
        return rows.rows(
            units,
            lambda asked, many: read(
                asked,
                shape,
                tokenizer,
                scorer,
                batch=self._batch(),
                count=many,
                longest=self.longest or None,
                decide=self.decide,
            ),
        )
