"""The span reader: rows of a sitting from the stretches that a trained network finds likely."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readmark.comprehension.baselines import RULES, WEIGHED, nearest_option, parameter
from readmark.comprehension.span.tokens import FILE
from readmark.core.errors import UsageError
from readmark.core.extras import require
from readmark.core.records import Offsets, Unit
from readmark.core.sitting import PER_LANGUAGE, Row
from readmark.hooks import Kind
from readmark.sitting.candidates import answer_in_batches
from readmark.text.answers.places import SOURCE, passage_sentences

if TYPE_CHECKING:
    from readmark.comprehension.span.answers import SpanReply


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


if TYPE_CHECKING:
    Read = Callable[[Sequence[tuple[str, str]], int], Sequence[SpanReply]]
    """Pairs of passage and question, and how many likely answers are wanted, to replies."""

_JOINED = "\u200d\ufe0e\ufe0f"


class SpanRows:
    """Makes rows: the likeliest stretch, its sentence, the runners-up; or an option; or none."""

    def __init__(self, language: str, no_answer: float | None, best: int) -> None:
        self._language, self._no_answer, self._best = language, no_answer, best
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
            return Row(id=unit.id, text="", evidence=said)
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
            text=text[start:end],
            start=start,
            end=end,
            sentence=self._sentence(unit.record, start),
            score=likely[0]["probability"],
            evidence=evidence,
        )

    def _option(
        self, unit: Unit, likely: list[tuple[Offsets, float]], evidence: dict[str, Any]
    ) -> Row:
        """An option has no place of its own; the stretch that speaks most for it is kept."""
        found = nearest_option(unit, likely, self._language)
        span = _likely_answer(unit.record.text, found.place, dict(likely)[found.place])
        return Row(
            id=unit.id,
            text=found.option,
            sentence=self._sentence(unit.record, found.place[0]),
            score=round(found.expected, 6),
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


GPU_BATCH = 512
"""Windows that are scored together on a GPU; a batch that memory has no room for is halved."""


@dataclass
class SpanReader:
    """Answers with the likeliest stretch of text, its probability and the runners-up."""

    model: str = parameter("", "model folder; default: the reader that ships")
    precision: str = parameter("int8", "which exported network to run", "int8", "float")
    # In 8 bits what is scored together shares its scales: alone, an answer hangs on no other.
    batch: int | None = parameter(
        None, "windows per batch; default: 1, on a GPU as many as it has room for"
    )
    best: int = parameter(3, "likely answers that the evidence lists")
    longest: int = parameter(0, "maximum tokens per answer; default: the model's own")
    decide: str = parameter(
        "em", "answer with the likeliest span, or the one with the greatest expected F1", "em", "f1"
    )
    no_answer: float | None = parameter(
        None, "threshold: give no answer where the score of having none is higher"
    )
    threads: int = parameter(1, "CPU threads")
    device: str = parameter(
        "auto", "default: a GPU for float networks where there is one", "auto", "cpu", "cuda"
    )
    _language: str = field(default="en", init=False, repr=False)
    _device: str = field(default="cpu", init=False, repr=False)
    _file: Path | None = field(default=None, init=False, repr=False)
    _parts: Any = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        for name, least in (("batch", 1), ("best", 1), ("longest", 0), ("threads", 0)):
            if (value := getattr(self, name)) is not None and value < least:
                raise UsageError(f"{name}={value} is less than {least}")

    def prepare(self, kind: Kind, language: str) -> None:
        from readmark.comprehension.span.onnx import has_gpu, load_scorer, network_file
        from readmark.comprehension.span.tokens import load_tokenizer, read_shape

        self._language = language
        folder = Path(self.model) if self.model else shipped(language)
        shape = read_shape(folder)
        self._file = network_file(folder, self.precision)
        tokenizer = load_tokenizer(folder, simplify=shape.simplify)
        self._device = self.device
        if self.device == "auto":
            self._device = "cuda" if has_gpu(self._file) else "cpu"
        scorer = load_scorer(self._file, threads=self.threads, device=self._device)
        self._parts = shape, tokenizer, scorer

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return answer_in_batches(units, self._rows)

    def signature(self) -> Mapping[str, Any]:
        from importlib.metadata import version

        require("onnxruntime")
        import onnxruntime

        file = self._file
        return {
            "model": hashlib.sha256(file.read_bytes()).hexdigest()[:12] if file else "",
            "sentences": SOURCE,
            "options": RULES,
            "onnxruntime": onnxruntime.__version__,  # the package has another name for GPUs
            "tokenizers": version("tokenizers"),
            **({} if self.model else {PER_LANGUAGE: ["model"]}),
            **({"device": self._device} if self._device != "cpu" else {}),
        }

    def _rows(self, units: Sequence[Unit]) -> list[Row]:
        from readmark.comprehension.span.answers import read

        shape, tokenizer, scorer = self._parts
        rows = SpanRows(self._language, self.no_answer, self.best)
        return rows.rows(
            units,
            lambda asked, many: read(
                asked,
                shape,
                tokenizer,
                scorer,
                batch=self.batch or (GPU_BATCH if self._device == "cuda" else 1),
                count=many,
                longest=self.longest or None,
                decide=self.decide,
            ),
        )
