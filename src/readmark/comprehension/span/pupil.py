"""The network that learns: an encoder with new heads, its tokenizer, and the words it may guess."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from readmark.comprehension.hub import using_hub
from readmark.comprehension.span.masking import make_masker, make_words, save_words
from readmark.comprehension.span.network import (
    copy_tokenizer,
    deepen,
    load_network,
    save_network,
    torch_parts,
)
from readmark.comprehension.span.requirements import fit_shape, require_able
from readmark.comprehension.span.settings import SpanSettings
from readmark.comprehension.span.shape import SpanShape
from readmark.comprehension.span.tokens import Tokenizer, load_tokenizer
from readmark.core.progress import Tell


@dataclass(frozen=True, slots=True)
class Pupil:
    """A network before and while it learns."""

    network: Any
    tokenizer: Tokenizer
    shape: SpanShape
    """How it reads, with windows that the encoder has positions for."""
    words: Any = None
    """The head that predicts masked words, if the settings mask any."""
    masker: Any = None

    def save(self, folder: Path) -> None:
        """Write the weights next to the tokenizer."""
        save_network(self.network, folder)
        if self.words is not None:
            save_words(self.words, folder)


def load_pupil(
    encoder: str,
    folder: Path,
    shape: SpanShape,
    settings: SpanSettings,
    *,
    seed: int,
    may_fetch: bool,
    progress: Tell,
) -> Pupil:
    """Load an encoder to train; its tokenizer is copied to the folder of the new model."""
    with using_hub(allowed=may_fetch):
        copy_tokenizer(encoder, folder)
        tokenizer = load_tokenizer(folder, simplify=shape.simplify)
        torch_parts()[0].manual_seed(seed)  # new heads are drawn, too
        network = load_network(encoder, dropout=settings.dropout)
    require_able(network.encoder, settings)
    shape = fit_shape(shape, network, progress)
    if settings.layers is not None:
        deepen(network.encoder, settings.layers)
    if not settings.masked:
        return Pupil(network, tokenizer, shape)
    words = make_words(network.encoder, encoder)
    masker = make_masker(words, share=settings.masked, mask=tokenizer.mask())
    return Pupil(network, tokenizer, shape, words, masker)
