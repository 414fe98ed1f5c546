"""The model of a span reader: a folder with a network, its shape and its tokenizer."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from readmark.comprehension.span.shape import FILE, SpanShape, read_shape
from readmark.comprehension.span.tokens import Tokenizer, load_tokenizer
from readmark.core.errors import UsageError
from readmark.core.extras import require

if TYPE_CHECKING:
    from readmark.comprehension.span.scoring import ScoredQuestion, Scorer


def shipped_model(language: str) -> Path:
    """The folder of the reader that comes with the package for a language."""
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
        self, pairs: Sequence[tuple[str, str]], *, batch: int = 1
    ) -> Sequence[ScoredQuestion]:
        """The scores of pairs of passage and question."""
        from readmark.comprehension.span.scoring import score_windows
        from readmark.comprehension.span.windows import as_batch, windows

        return score_windows(
            pairs,
            cut=self.tokenizer.cut,
            windows=lambda question, passage: windows(
                question, passage, self.shape, self.tokenizer
            ),
            score=lambda batched: self.scorer(*as_batch(batched)),
            batch=batch,
        )


def load_span(
    folder: Path, *, precision: str = "int8", threads: int = 1, device: str = "auto"
) -> SpanModel:
    """The network of a model's folder, ready to score windows."""
    from readmark.comprehension.span.onnx.scoring import has_gpu, load_scorer, network_file

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
