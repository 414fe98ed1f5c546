"""The evidence reader: the sentence that a small learned ranker predicts to have the answer.

It has two speeds: by features alone, or with the encoder of a span reader, which is slower and
better.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

from readmark.comprehension.answering import lexicon_signature, sentence_row
from readmark.comprehension.evidence.features import (
    MATCHES,
    QUESTION_SIDE,
    SENTENCES,
    WORD_SIDE,
    WORDS,
    FeaturesOfAll,
    QuestionFeatures,
    features_of_all,
)
from readmark.comprehension.evidence.pooling import Pooling, pooling_from
from readmark.comprehension.evidence.readings import (
    ReadPassage,
    ReadQuestion,
    read_across,
    read_passage,
    read_question,
)
from readmark.comprehension.span.reader import SpanModel, load_span, shipped, span_libraries
from readmark.core.arrays import AnyFloats
from readmark.core.candidate_run import Run
from readmark.core.error_rows import one_by_one
from readmark.core.errors import DataError, UsageError
from readmark.core.extras import require
from readmark.core.files import require_file
from readmark.core.json_lines import refuse_newer
from readmark.core.records import Offsets, Unit
from readmark.core.registry import parameter
from readmark.core.sitting import PER_LANGUAGE, Row
from readmark.hooks import Kind
from readmark.text.answers.sentences import SOURCE, passage_sentences
from readmark.text.training_record import POOLING, SCORES, TrainingRecord
from readmark.text.training_record_files import recorded_in
from readmark.text.word_vectors import lexicon

if TYPE_CHECKING:
    from readmark.comprehension.span.answers import ScoredQuestion

Weights = dict[str, AnyFloats]

# A short phrase around the word that looks most like the answer: the rest of a name or number.


# What may come between the words of one name, number or date.
_JOINS = re.compile(r"[\s\-–·•.,/%$€£]{0,2}")


def phrase_around(text: str, passage: ReadPassage, place: int) -> Offsets:
    """The offsets of the name or number that a word occurs in; the word itself if in none."""
    first = last = place
    if _belongs(passage, place):
        while first > 0 and _belongs(passage, first - 1) and _joined(text, passage, first - 1):
            first -= 1
        while _belongs(passage, last + 1) and _joined(text, passage, last):
            last += 1
    return int(passage.offsets[first]), _end(passage, last)


def _belongs(passage: ReadPassage, place: int) -> bool:
    """Whether a word is part of a name, a number or a date, and no sentence's end."""
    if place >= len(passage.keys) or passage.keys[place] < 0:
        return False
    named = passage.capitals[place] > 0 and passage.figures[place, 1] == 0
    return bool(named or passage.figures[place, 2:5].any())


def _joined(text: str, passage: ReadPassage, place: int) -> bool:
    between = text[_end(passage, place) : int(passage.offsets[place + 1])]
    return _JOINS.fullmatch(between) is not None


def _end(passage: ReadPassage, place: int) -> int:
    return int(passage.offsets[place]) + len(passage.words[place])


LANGUAGES = ("en", "zh")
BATCH = 16
"""How many questions on a passage are answered together."""
SURE = 0.5
"""How likely a sentence must be before a phrase of it may answer alone."""


@dataclass
class Evidence:
    """Answers with the likeliest sentence, says how likely it is and what decided."""

    model: str = parameter("", help="model file; default: the model that ships")
    answer_with: str = parameter(
        "sentence",
        choices=("sentence", "phrase"),
        help="answer with the whole sentence, or with its likeliest words",
    )
    parts: str = parameter(
        "all", choices=("all", "story"), help="whether title and dateline may be answers"
    )
    encoder: bool = parameter(
        True, help="also use the encoder of a span reader; without it: faster, and worse"
    )
    span: str = parameter("", help="span reader's folder; default: the reader that ships")
    batch: int = parameter(1, help="windows per batch of the encoder")
    threads: int = parameter(1, help="CPU threads of the encoder")
    _languages: str = field(default="", init=False, repr=False)
    _language: str = field(default="en", init=False, repr=False)
    _ranker: SentenceRanker = field(init=False, repr=False)
    _blas: Any = field(default=None, init=False, repr=False)
    _last: tuple[Any, Any] | None = field(default=None, init=False, repr=False)
    _network: SpanModel | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        for name, least in (("batch", 1), ("threads", 0)):
            if getattr(self, name) < least:
                raise UsageError(f"{name}={getattr(self, name)} is less than {least}")
        if self.span and not self.encoder:
            raise UsageError(f"span={self.span} is not used with encoder=false")

    def begin(self, run: Run) -> None:
        if run.languages and self.encoder:
            raise UsageError(
                f"`cross` {run.languages}: the encoder reads questions in the language of the "
                "passage; evidence(encoder=false) reads across languages"
            )
        self._languages = run.languages

    def training_record(self) -> TrainingRecord | None:
        """What the ranker learnt from; with an encoder also what that one and pooling did."""
        record = recorded_in(self.model or shipped_ranker())
        if record is None or self.encoder is False:
            return None if record is None else record.without(POOLING)
        folder = Path(self.span) if self.span else shipped(self._language)
        span = recorded_in(folder)
        return record.plus(None if span is None else span.without(SCORES))

    def prepare(self, kind: Kind, language: str) -> None:
        require("threadpoolctl")
        from threadpoolctl import ThreadpoolController

        if language not in LANGUAGES:
            raise UsageError(f"evidence reads English and Chinese, this test is in {language!r}")
        self._language = language
        self._ranker = load_ranker(self.model or None)
        if language not in self._ranker.fitting:
            raise UsageError(f"the model {self.model} was not trained on {language!r}")
        if self.encoder:
            if language not in self._ranker.pooling:
                raise UsageError(
                    f"the model {self.model} was not pooled with an encoder in {language!r}: write "
                    f"evidence(model={self.model},encoder=false)"
                )
            folder = Path(self.span) if self.span else shipped(language)
            self._network = load_span(folder, threads=self.threads)
        lexicon(language)
        # Its matrices are so small that threads cost half as much again as they save.
        self._blas = ThreadpoolController().select(user_api="blas")

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        for record, asked in groupby(units, key=_Same):
            while together := list(islice(asked, BATCH)):
                try:
                    with self._blas.limit(limits=1):
                        rows = self._replies(record.record, together)
                except Exception:  # one of them; asking each by itself shows which
                    yield from one_by_one(together, self._reply)
                else:
                    yield from rows

    def signature(self) -> Mapping[str, Any]:
        signature = {
            "model": _fingerprint(self.model or None, pooled=self.encoder),
            "sentences": SOURCE,
            "words": _segmenter(self._language),
            PER_LANGUAGE: ["words"],
        }
        if self._network is not None:
            own = [] if self.span else ["encoder"]
            signature |= {"encoder": self._network.fingerprint(), **span_libraries()}
            signature[PER_LANGUAGE] = ["words", *own]
        if self._languages:
            asked, _, _ = self._languages.partition("-")
            signature |= lexicon_signature(_segmenter(asked))
        return signature

    def _reply(self, unit: Unit) -> Row:
        return self._replies(unit.record, [unit])[0]

    def _replies(self, record: Any, units: Sequence[Unit]) -> list[Row]:
        """The answers to questions on one passage, which is read once."""
        if self._last is None or self._last[0] is not record:
            self._last = record, self._read(record)
        passage = self._last[1]
        if passage is None:
            return [Row(id=unit.id, answer="") for unit in units]
        known = lexicon(self._language)
        rows = []
        if any(unit.item.language not in (None, self._language) for unit in units):
            for unit in units:
                if (asked := unit.item.language or self._language) not in LANGUAGES:
                    raise UsageError(f"evidence reads English and Chinese, not {asked!r}")
                one, question = read_across(unit.item.text, passage, lexicon(asked), known)
                ranking = self._ranker.rank_all(one, [question])[0]
                rows.append(self._row(unit, one, question, ranking))
            return rows
        questions = [read_question(unit.item.text, known) for unit in units]
        rankings = self._ranker.rank_all(passage, questions)
        scored = self._scored(record.text, [unit.item.text for unit in units])
        return [
            self._row(unit, passage, question, ranking, scores)
            for unit, question, ranking, scores in zip(
                units, questions, rankings, scored, strict=True
            )
        ]

    def _scored(self, text: str, questions: Sequence[str]) -> Sequence[ScoredQuestion | None]:
        """The encoder's scores for each question; none without one."""
        if self._network is None:
            return [None] * len(questions)
        return self._network.score([(text, question) for question in questions], batch=self.batch)

    def _row(
        self,
        unit: Unit,
        passage: ReadPassage,
        question: ReadQuestion,
        ranking: Ranking,
        scores: ScoredQuestion | None = None,
    ) -> Row:
        chosen, best = ranking.probabilities, ranking.best
        evidence: dict[str, Any] = {}
        if scores is not None:
            shares = scores.shares(passage.sentences)
            chosen = self._ranker.pooling[self._language].pooled(chosen, shares)
            best = int(np.argmax(chosen))
            evidence = {
                "features": round(float(ranking.probabilities[best]), 6),
                "encoder": round(float(shares[best]), 6),
            }
        if best == ranking.best:
            evidence["decided"] = list(ranking.reasons)
        row = sentence_row(
            unit,
            passage.sentences[best],
            score=round(float(chosen[best]), 6),
            evidence={"shared": _shared(passage, question, best), **evidence},
        )
        if self.answer_with == "sentence" or chosen[best] < SURE:
            return row
        phrase = self._phrase(unit.record.text, passage, ranking, scores, best)
        if phrase is None:
            return row
        start, end = phrase
        return msgspec.structs.replace(
            row, answer=unit.record.text[start:end], start=start, end=end
        )

    def _phrase(
        self,
        text: str,
        passage: ReadPassage,
        ranking: Ranking,
        scores: ScoredQuestion | None,
        best: int,
    ) -> Offsets | None:
        """The likeliest span of the encoder in a sentence, or the name or number by features."""
        if scores is not None and self._network is not None:
            return scores.span_in(passage.sentences[best], self._network.shape.answer)
        if ranking.likely_word is None:
            return None
        return phrase_around(text, passage, ranking.likely_word)

    def _read(self, record: Any) -> ReadPassage | None:
        found = passage_sentences(record, self._language, story_only=self.parts == "story")
        return read_passage(record.text, found, lexicon(self._language)) if found else None


class _Same:
    """A record by its identity, which shows where the units of the next one begin."""

    __slots__ = ("record",)

    def __init__(self, unit: Unit) -> None:
        self.record = unit.record

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.record is other.record

    __hash__ = None  # type: ignore[assignment]


def _shared(passage: ReadPassage, question: ReadQuestion, sentence: int) -> list[str]:
    """The content words of the question that the sentence has, in the question's order."""
    said = set(passage.keys[passage.sentence_of == sentence].tolist())
    return [
        word
        for word, key, weight in zip(
            question.words, question.keys.tolist(), question.content.tolist(), strict=True
        )
        if weight and key in said
    ]


@functools.lru_cache(maxsize=4)
def _fingerprint(model: str | None, *, pooled: bool) -> str:
    """The weights that are used: how to pool is none of them without an encoder."""
    ranker = load_ranker(model)
    used = ranker if pooled else replace(ranker, pooling={})
    return hashlib.sha256(to_json(used).encode()).hexdigest()[:12]


def _segmenter(language: str) -> str:
    if language != "zh":
        return "rules, wordnet bases, snowball"
    from importlib.metadata import version

    return f"rjieba {version('rjieba')}"


# The trained ranker: several small networks as one, and the file that it is kept in.


SCHEMA = 1
POOL_SCALE = 0.25
"""What the activations of a question's words are multiplied by when they are summed."""
BLOCKS = {"sentences": SENTENCES, "matches": MATCHES, "words": WORDS}
"""The features that weights are for, by block; a file made for others is refused."""

Scaling = Mapping[str, tuple[AnyFloats, AnyFloats]]
"""The mean and the spread of each feature, by block."""


class Ranking(NamedTuple):
    """The sentences' probabilities, and what spoke most for the best one over the next."""

    probabilities: AnyFloats
    best: int
    reasons: tuple[str, ...]
    likely_word: int | None


@dataclass(frozen=True)
class SentenceRanker:
    """Weights for standardised features; every network has a say of equal weight."""

    fitting: Mapping[str, AnyFloats]
    scaling: Scaling
    networks: Sequence[Weights]
    note: Mapping[str, Any]
    pooling: Mapping[str, Pooling] = field(default_factory=dict)
    """How it is pooled with an encoder, by language."""

    def rank_all(self, passage: ReadPassage, questions: Sequence[ReadQuestion]) -> list[Ranking]:
        """Rank the sentences of a passage for several questions, faster than one by one."""
        data = features_of_all(passage, questions, self.fitting[passage.language])
        inputs = self._inputs(data)
        joint = self._joint
        hidden = np.maximum(inputs @ joint["hidden"] + joint["hidden_bias"], 0.0)
        scores = hidden @ joint["out"]
        raised = np.exp(scores - scores.max(1, keepdims=True))
        probabilities = raised / raised.sum(1, keepdims=True)
        best = np.argmax(scores, axis=1).tolist()
        return [
            Ranking(
                probabilities=probabilities[index],
                best=one,
                reasons=self._reasons(inputs[index], hidden[index], scores[index], one),
                likely_word=_likeliest(data.of(index), one),
            )
            for index, one in enumerate(best)
        ]

    def _inputs(self, data: FeaturesOfAll) -> AnyFloats:
        joint = self._joint
        many, count, _ = data.sentences.shape
        rows = data.matches.reshape(-1, len(MATCHES)) @ joint["match"] + joint["match_bias"]
        met = np.maximum(rows, 0.0).reshape(-1, count, rows.shape[1])
        matched = np.add.reduceat(met, data.asked.chosen_starts, axis=0) * POOL_SCALE
        worded = np.maximum(data.words @ joint["word"] + joint["word_bias"], 0.0)
        largest = np.maximum.reduceat(worded, data.word_starts, axis=0)
        return np.concatenate([data.sentences, matched, largest.reshape(many, count, -1)], axis=2)

    def _reasons(
        self, inputs: AnyFloats, hidden: AnyFloats, scores: AnyFloats, best: int
    ) -> tuple[str, ...]:
        """The three inputs that put the best sentence before the next, by slope times distance."""
        if len(scores) < 2:
            return ()
        joint = self._joint
        order = np.argsort(-scores, kind="stable")
        rival = int(order[1] if order[0] == best else order[0])
        slope = joint["hidden"] @ (joint["out"] * ((hidden[best] > 0) + (hidden[rival] > 0)) / 2)
        pull = slope * (inputs[best] - inputs[rival])
        width, units = len(SENTENCES), joint["match"].shape[1]
        named = np.append(
            pull[:width], [pull[width : width + units].sum(), pull[width + units :].sum()]
        )
        top = np.argsort(-named, kind="stable")[:3]
        return tuple(_REASONS[at] for at in top if named[at] > 0)

    @functools.cached_property
    def _joint(self) -> Weights:
        return _as_one(self.networks, self.scaling)


_REASONS = (*SENTENCES, "words of the question", "likely answer")


def _likeliest(data: QuestionFeatures, best: int) -> int | None:
    """The place of the word in the best sentence that looks most like the answer."""
    start = int(data.word_starts[best])
    ends = data.word_starts[best + 1] if best + 1 < len(data.word_starts) else len(data.words)
    rows = data.words[start : int(ends) - 1]
    if not len(rows):
        return None
    return int(data.word_places[start + int(np.argmax(rows[:, 0] + rows[:, 11]))])


def _as_one(networks: Sequence[Weights], scaling: Scaling) -> Weights:
    """All networks as one that takes raw features: the standardising is in the weights."""
    units = networks[0]["match"].shape[1]
    width, hidden = len(SENTENCES), networks[0]["hidden"].shape[1]
    many = len(networks)
    whole = np.zeros((width + 2 * units * many, hidden * many), np.float32)
    bias = np.zeros(hidden * many, np.float32)
    for index, weights in enumerate(networks):
        to = slice(index * hidden, (index + 1) * hidden)
        own, own_bias = _unscaled(
            weights["hidden"][:width], weights["hidden_bias"], scaling["sentences"]
        )
        whole[:width, to], bias[to] = own, own_bias
        for pool in (0, 1):
            rows = weights["hidden"][width + pool * units : width + (pool + 1) * units]
            start = width + (pool * many + index) * units
            whole[start : start + units, to] = rows
    parts: Weights = {"hidden": whole, "hidden_bias": bias}
    parts["out"] = np.concatenate([network["out"].ravel() for network in networks]) / many
    for name, block in (("match", "matches"), ("word", "words")):
        pairs = [
            _unscaled(network[name], network[f"{name}_bias"], scaling[block])
            for network in networks
        ]
        parts[name] = np.hstack([matrix for matrix, _ in pairs])
        parts[f"{name}_bias"] = np.concatenate([offset for _, offset in pairs])
    return {name: np.ascontiguousarray(one, np.float32) for name, one in parts.items()}


def _unscaled(
    matrix: AnyFloats, bias: AnyFloats, scaling: tuple[AnyFloats, AnyFloats]
) -> tuple[AnyFloats, AnyFloats]:
    mean, spread = scaling
    scaled = matrix / spread[:, None]
    return scaled, bias - mean @ scaled


def to_json(ranker: SentenceRanker) -> str:
    """The file of a ranker: features by name, numbers with four figures, one row per line."""
    said: dict[str, Any] = {"readmark": SCHEMA, "model": "evidence", "note": dict(ranker.note)}
    said["scaling"] = {
        block: {
            name: [_short(mean), _short(spread)]
            for name, mean, spread in zip(names, *ranker.scaling[block], strict=True)
        }
        for block, names in BLOCKS.items()
    }
    said["fitting"] = {name: _rows(matrix) for name, matrix in ranker.fitting.items()}
    said["networks"] = [
        {name: _rows(matrix) for name, matrix in network.items()} for network in ranker.networks
    ]
    if ranker.pooling:
        said["pooling"] = {name: one.as_json() for name, one in ranker.pooling.items()}
    return _one_row_per_line(said)


def _rows(matrix: AnyFloats) -> list[Any]:
    if matrix.ndim == 1:
        return [_short(one) for one in matrix]
    return [[_short(one) for one in row] for row in matrix]


def _short(number: Any) -> float:
    return float(f"{float(number):.4g}")


def _one_row_per_line(said: Any, depth: int = 0) -> str:
    pad = " " * (depth + 1)
    if isinstance(said, dict) and said and depth < 4:
        inside = [
            f"{pad}{json.dumps(k)}: {_one_row_per_line(v, depth + 1)}" for k, v in said.items()
        ]
        return "{\n" + ",\n".join(inside) + "\n" + " " * depth + "}"
    if isinstance(said, list) and said and isinstance(said[0], (list, dict)):
        inside = [pad + _one_row_per_line(one, depth + 1) for one in said]
        return "[\n" + ",\n".join(inside) + "\n" + " " * depth + "]"
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


def from_json(text: str, *, file: str) -> SentenceRanker:
    """A ranker from its file; one for other features than these is refused."""
    try:
        refuse_newer(text, SCHEMA, file=file)
        said = json.loads(text)
        if said.get("model") != "evidence" or said.get("readmark") != SCHEMA:
            raise DataError("this is no evidence model of schema 1", file=file)
        scaling = {
            block: _scaling(said["scaling"][block], names) for block, names in BLOCKS.items()
        }
        fitting = {name: _matrix(rows) for name, rows in said["fitting"].items()}
        networks = [{name: _matrix(rows) for name, rows in one.items()} for one in said["networks"]]
        pooling = {name: pooling_from(one) for name, one in said.get("pooling", {}).items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise DataError(f"the evidence model cannot be read: {error}", file=file) from None
    for name, matrix in fitting.items():
        if matrix.shape != (QUESTION_SIDE, WORD_SIDE):
            raise DataError(f"fitting {name} has the shape {matrix.shape}", file=file)
    return SentenceRanker(fitting, scaling, networks, said.get("note", {}), pooling)


def _scaling(said: Mapping[str, Any], names: Sequence[str]) -> tuple[AnyFloats, AnyFloats]:
    if tuple(said) != tuple(names):
        raise ValueError("it was made for other features; train it again")
    table = np.array(list(said.values()), np.float32)
    return table[:, 0], table[:, 1]


def _matrix(rows: Any) -> AnyFloats:
    return np.array(rows, np.float32)


@functools.lru_cache(maxsize=4)
def load_ranker(path: str | None = None) -> SentenceRanker:
    """The ranker in a file, or the one that ships."""
    if path is not None:
        try:
            require_file(path)
            return from_json(Path(path).read_text(encoding="utf-8"), file=path)
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(f"the model cannot be read ({error})", file=path) from None
    shipped = shipped_ranker()
    return from_json(shipped.read_text(encoding="utf-8"), file=str(shipped))


def shipped_ranker() -> Path:
    """The model that ships."""
    return Path(str(files("readmark.comprehension.evidence"))) / "data" / "ranker.json"
