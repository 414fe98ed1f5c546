"""Any question-answering model of transformers, from a folder or from the hub, as a reader."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.comprehension.hub import hub_secrets, is_path, positions_of, using_hub
from readmark.comprehension.options import RULES
from readmark.comprehension.span.answers import (
    Window,
    read_windows,
    side_by_side,
    stretches,
)
from readmark.comprehension.span.reader import GPU_BATCH, SpanRows
from readmark.comprehension.span.tokens import Tokens
from readmark.core.arrays import Ints32
from readmark.core.errors import DataError, UsageError
from readmark.core.extras import require
from readmark.core.parsed_names import ParsedName
from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.core.sitting import Row
from readmark.hooks import Kind
from readmark.sitting import answer_in_batches
from readmark.text.answers.sentences import SOURCE

# A question and a piece of a passage as one sequence, put together as a tokenizer itself does it.


_PROBE = "1"


class PairTokenizer:
    """A fast tokenizer of transformers, and the way it joins two texts."""

    def __init__(self, tool: Any, name: str) -> None:
        if not getattr(tool, "is_fast", False):
            raise DataError(f"the tokenizer of {name} gives no offsets, so it cannot say where")
        self._tool = tool
        probe = tool(_PROBE, _PROBE, return_token_type_ids=True)
        owners = probe.sequence_ids(0)
        ids, types = probe["input_ids"], probe["token_type_ids"]
        asked = [index for index, owner in enumerate(owners) if owner == 0]
        read = [index for index, owner in enumerate(owners) if owner == 1]
        if not asked or not read or asked[-1] > read[0]:
            raise DataError(f"the tokenizer of {name} does not put a question before a passage")
        self._before = _special(ids, types, range(asked[0]))
        self._between = _special(ids, types, range(asked[-1] + 1, read[0]))
        self._behind = _special(ids, types, range(read[-1] + 1, len(ids)))
        self._types = types[asked[0]], types[read[0]]
        self._mark = tool.cls_token_id
        self.pad = int(tool.pad_token_id or 0)
        self.types = max(types) + 1
        """How many types of token it distinguishes: two texts are of one or of two."""
        self.special = len(ids) - len(asked) - len(read)
        """How many tokens a window has in addition to the two texts'."""

    def cut(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text with their places, without special ones."""
        ready = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        cut = self._tool(
            ready,
            add_special_tokens=False,
            return_offsets_mapping=True,
            return_attention_mask=False,
            return_token_type_ids=False,
            verbose=False,
        )
        return [
            _tokens(ids, places, text)
            for ids, places, text in zip(
                cut["input_ids"], cut["offset_mapping"], ready, strict=True
            )
        ]

    def windows(
        self, question: Tokens, passage: Tokens, *, length: int, longest_question: int, stride: int
    ) -> Iterator[Window]:
        """The windows of a question and its passage, in the passage's order."""
        asked = question.ids[:longest_question]
        room = length - len(asked) - self.special
        for first, count in stretches(len(passage.ids), room, stride):
            held = passage.ids[first : first + count]
            pieces = (
                self._before,
                (asked, np.full(len(asked), self._types[0], np.int32)),
                self._between,
                (held, np.full(count, self._types[1], np.int32)),
                self._behind,
            )
            ids, types = (np.concatenate(several) for several in zip(*pieces, strict=True))
            low = len(self._before[0]) + len(asked) + len(self._between[0])
            yield Window(ids, types, low, first, count, self._none(ids))

    def _none(self, ids: Ints32) -> int:
        """Where the class token occurs: first with most tokenizers, last with some."""
        at = np.flatnonzero(ids == self._mark) if self._mark is not None else ids[:0]
        return int(at[0]) if len(at) else 0


def _special(ids: Sequence[int], types: Sequence[int], places: range) -> tuple[Ints32, Ints32]:
    """The ids and types of the special tokens at some places."""
    own, kinds = ([column[place] for place in places] for column in (ids, types))
    return np.array(own, np.int32), np.array(kinds, np.int32)


def _tokens(ids: Sequence[int], places: Sequence[tuple[int, int]], text: str) -> Tokens:
    """Tokens and their places, without the spaces that some tokenizers count to them."""
    spans = np.array(places, dtype=np.int32).reshape(-1, 2)
    for index, (start, end) in enumerate(places):
        piece = text[start:end]
        if piece[:1].isspace() or piece[-1:].isspace():
            spans[index] = (
                start + len(piece) - len(piece.lstrip()),
                end - len(piece) + len(piece.rstrip()),
            )
            if spans[index, 0] > spans[index, 1]:  # nothing but space
                spans[index] = end, end
    return Tokens(np.array(ids, dtype=np.int32), spans[:, 0], spans[:, 1])


_MOST = 512
_LEAST = 16
_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model that is ready, its tokenizer, and what names both."""

    network: Any
    pairs: PairTokenizer
    length: int
    """The most tokens of a window."""
    device: str
    identity: str
    """The commit of a model of the hub, the hash of the weights of a folder's."""


def load(
    name: str,
    *,
    revision: str = "",
    download: bool = False,
    device: str = "auto",
    length: int = 0,
    threads: int = 0,
) -> Loaded:
    """The model of a folder or of a hub's name; nothing is fetched unless that is allowed."""
    torch, transformers = _libraries()
    if not name:
        raise UsageError("which model? hf(model=FOLDER) or hf(model=OWNER/NAME)")
    folder = Path(name).is_dir()
    if folder and revision:
        raise UsageError(f"revision={revision} is for a name on the hub; {name} is a folder")
    if not folder and is_path(name):
        raise DataError(f"{name}: no such folder")
    if threads:
        torch.set_num_threads(threads)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    given: dict[str, Any] = {
        "local_files_only": folder or not download,
        "trust_remote_code": False,  # by default, the library asks on standard input
    }
    if revision:
        given["revision"] = revision
    try:
        with using_hub(allowed=download and not folder):
            config = transformers.AutoConfig.from_pretrained(name, **given)
            identity = _weights(Path(name)) if folder else _commit(name, revision)
            if not folder:
                given["revision"] = identity  # all of it from one commit, should it move on
            tool = transformers.AutoTokenizer.from_pretrained(name, use_fast=True, **given)
            network, loading = transformers.AutoModelForQuestionAnswering.from_pretrained(
                name, config=config, dtype=torch.float32, output_loading_info=True, **given
            )
    except Exception as error:  # the libraries have one for every way to fail
        raise _unloadable(name, error, fetched=folder or download) from error
    missing = sorted(loading.get("missing_keys") or ())
    if missing:
        raise DataError(f"{name} has no trained question-answering head ({missing[0]} is missing)")
    if not hasattr(network, "qa_outputs"):
        raise DataError(f"{name} is a {config.model_type}, which does not score starts and ends")
    place = _device(torch, device)
    return Loaded(
        network.to(place).eval(),
        PairTokenizer(tool, name),
        _length(config, tool, length),
        place,
        identity,
    )


def _commit(name: str, revision: str) -> str:
    """The commit of a model of the hub, as its files are kept."""
    require("huggingface_hub")
    from huggingface_hub import try_to_load_from_cache

    kept = try_to_load_from_cache(name, "config.json", revision=revision or None)
    return Path(kept).parent.name if isinstance(kept, str) else revision


def _libraries() -> tuple[Any, Any]:
    require("torch", "transformers")
    import torch
    import transformers

    return torch, transformers


def _unloadable(name: str, error: Exception, *, fetched: bool) -> DataError:
    if not fetched and isinstance(error, OSError):
        fetching = ParsedName("hf", {"model": name, "download": True})
        return DataError(f"{name} is not on this machine: {fetching} fetches it")
    return DataError(f"the model {name} cannot be loaded: {hub_secrets().describe(error, 300)}")


def _device(torch: Any, asked: str) -> str:
    if asked == "auto":
        if torch.cuda.is_available():
            return "cuda"
        return "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        torch.zeros(1, device=asked)
    except (RuntimeError, AssertionError) as error:
        said = " ".join(str(error).split())[:200]
        raise UsageError(f"device={asked} cannot be used: {said}") from None
    return asked


def _length(config: Any, tool: Any, asked: int) -> int:
    """The longest window: what the positions allow, at most what was asked for."""
    bounds = [_MOST]
    positions = positions_of(config)
    if positions is not None:
        bounds.append(positions)
    if isinstance(tool.model_max_length, int) and tool.model_max_length < 10**6:
        bounds.append(tool.model_max_length)
    if asked > min(bounds[1:], default=asked):
        raise UsageError(f"length={asked} is more than the model's {min(bounds[1:])} tokens")
    found = asked or min(bounds)
    if found < _LEAST:
        raise UsageError(f"windows of {found} tokens hold nothing; at least {_LEAST} are needed")
    return found


def _weights(folder: Path) -> str:
    """A hash of the weights in a folder."""
    digest = hashlib.sha256()
    for pattern in _WEIGHTS:
        for path in sorted(folder.glob(pattern)):
            with path.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:12]


# Reading: windows, scores and spans, as the span reader has them.


def require_scores(model: Loaded, name: str) -> None:
    """Refuse a network that gives anything but a start and an end score a token, by one window."""
    question, passage = model.pairs.cut(["Who?", "Anna keeps goats."])
    window = next(_windows(model, question, passage, len(question.ids), 0))
    try:
        scores = _scores(model, [window])
    except Exception as error:  # each network has its own way to fail
        said = " ".join(str(error).split())[:200]
        raise DataError(f"{name} does not score starts and ends: {said}") from error
    if scores.shape != (1, len(window.ids), 2):
        raise DataError(f"{name} does not score starts and ends: its scores are {scores.shape}")


def _windows(
    model: Loaded, question: Tokens, passage: Tokens, longest_question: int, stride: int
) -> Iterator[Window]:
    return model.pairs.windows(
        question,
        passage,
        length=model.length,
        longest_question=min(longest_question, model.length // 2),
        stride=stride,
    )


def _scores(model: Loaded, some: Sequence[Window]) -> NDArray[np.float32]:
    """Starts and ends of a batch (windows, tokens, 2)."""
    require("torch")
    import torch

    given = dict(
        zip(
            ("input_ids", "token_type_ids", "attention_mask"),
            side_by_side(some, model.pairs.pad),
            strict=True,
        )
    )
    if not _takes_types(model):
        del given["token_type_ids"]
    with torch.inference_mode():
        said: Any = model.network(
            **{name: torch.from_numpy(one).to(model.device) for name, one in given.items()}
        )
        both = torch.stack([said.start_logits, said.end_logits], -1)
    return np.asarray(both.float().cpu().numpy(), dtype=np.float32)


def _takes_types(model: Loaded) -> bool:
    """Whether the network is given each token's text; some know fewer types than given."""
    known = "token_type_ids" in inspect.signature(model.network.forward).parameters
    types = getattr(model.network.config, "type_vocab_size", None)
    return known and model.pairs.types > 1 and (types is None or types >= model.pairs.types)


# Any question-answering model of transformers, from a folder or from the hub.


_STRIDE = 128
_BATCH = 16


@dataclass
class Hf:
    """Answers with the likeliest stretch of text; its place is the tokenizer's own."""

    model: str = parameter("", help="model folder, or a name on the Hugging Face hub")
    revision: str = parameter("", help="revision of a model on the hub; default: main")
    download: bool = parameter(False, help="allow downloading the model from the hub")
    device: str = parameter("auto", help="cpu, cuda or mps; default: the best one available")
    length: int = parameter(0, help="maximum tokens per window; default: what the model takes")
    stride: int | None = parameter(
        None, help="tokens that neighbouring windows share; default: 128, at most half a window"
    )
    question: int = parameter(64, help="maximum tokens per question")
    longest: int = parameter(30, help="maximum tokens per answer")
    batch: int | None = parameter(
        None, help="windows per batch; default: 16; on a GPU 512, or fewer if memory runs out"
    )
    best: int = parameter(3, help="likely answers that the evidence lists")
    decide: str = parameter(
        "em",
        choices=("em", "f1"),
        help="answer with the likeliest span, or the one with the greatest expected F1",
    )
    no_answer: float | None = parameter(
        None, help="threshold: give no answer where the score of having none is higher"
    )
    threads: int = parameter(0, help="CPU threads; default: torch's own number")
    _language: str = field(default="en", init=False, repr=False)
    _loaded: Any = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("question", "longest", "batch", "best"):
            if (value := getattr(self, name)) is not None and value < 1:
                raise UsageError(f"{name}={value} is less than 1")
        for name in ("stride", "length", "threads"):
            if (getattr(self, name) or 0) < 0:
                raise UsageError(f"{name}={getattr(self, name)} is less than 0")

    def prepare(self, kind: Kind, language: str) -> None:
        self._language = language
        self._loaded = load(
            self.model,
            revision=self.revision,
            download=self.download,
            device=self.device,
            length=self.length,
            threads=self.threads,
        )
        half = self._loaded.length // 2
        if self.stride is not None and self.stride > half:
            raise UsageError(
                f"stride={self.stride} is more than half of a window of "
                f"{self._loaded.length} tokens"
            )
        require_scores(self._loaded, self.model)

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return answer_in_batches(units, self._rows, windows=self._batch())

    def signature(self) -> Mapping[str, Any]:
        from importlib.metadata import version

        loaded = self._loaded
        return {
            "model": loaded.identity if loaded else "",
            "length": loaded.length if loaded else 0,
            "device": loaded.device if loaded else "",
            "sentences": SOURCE,
            "options": RULES,
            **{name: version(name) for name in ("torch", "transformers", "tokenizers")},
        }

    def _batch(self) -> int:
        on_gpu = self._loaded is not None and self._loaded.device.startswith("cuda")
        return self.batch or (GPU_BATCH if on_gpu else _BATCH)

    def _rows(self, units: Sequence[Unit]) -> list[Row]:
        loaded = self._loaded
        stride = _STRIDE if self.stride is None else self.stride
        rows = SpanRows(self._language, self.no_answer, self.best)
        return rows.rows(
            units,
            lambda asked, many: read_windows(
                asked,
                cut=loaded.pairs.cut,
                windows=lambda question, passage: _windows(
                    loaded, question, passage, self.question, stride
                ),
                score=lambda some: _scores(loaded, some),
                longest=self.longest,
                batch=self._batch(),
                wanted=many,
                decide=self.decide,
            ),
        )
