"""Teachers: trained readers, and what they predict for the lessons of a network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from readmark.comprehension.span.batches import batch, batches, to_device
from readmark.comprehension.span.lessons import PackedWindows
from readmark.comprehension.span.network import HEADS, load_network, torch_parts
from readmark.comprehension.span.settings import SpanPlan
from readmark.comprehension.span.shape import SpanShape, read_shape
from readmark.comprehension.span.tokens import TOKENS_FILE
from readmark.comprehension.span.unpadded import Unpadded, is_unpadded, room_for, row, rows
from readmark.core.errors import DataError, UsageError
from readmark.core.extras import require

_ALIKE = {"[CLS]": "<s>", "[SEP]": "</s>", "[PAD]": "<pad>", "[MASK]": "<mask>"}
"""Special tokens of one vocabulary that are those of another under other names."""


def require_teachers(teachers: Sequence[Any], shape: SpanShape) -> None:
    """Teachers are trained readers that were put the texts in the same order."""
    for name in teachers:
        if not isinstance(name, str):
            continue
        teacher_shape = read_shape(Path(name))
        if not (Path(name) / HEADS).is_file():
            raise DataError(f"{name} cannot teach: {HEADS} is missing")
        if teacher_shape.passage_first != shape.passage_first:
            order = "passage" if teacher_shape.passage_first else "question"
            raise UsageError(f"{name} cannot teach: it reads the {order} first")


def load_teacher(name: str, folder: Path) -> Any:
    """A trained network that reads another's ids, where both cut texts alike."""
    torch, _ = torch_parts()
    network = load_network(name)
    table = _translation(folder / TOKENS_FILE, Path(name) / TOKENS_FILE)
    if table is None:
        return network

    class Translated(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.network = network
            self.register_buffer("table", torch.tensor(table))

        def forward(self, input_ids: Any, token_type_ids: Any, attention_mask: Any) -> Any:
            return self.network(self.table[input_ids], token_type_ids, attention_mask)

    return Translated()


def _translation(pupil_file: Path, teacher_file: Path) -> list[int] | None:
    """For each id of the pupil's tokenizer the teacher's; None where they are one."""
    if pupil_file.read_bytes() == teacher_file.read_bytes():
        return None
    require("tokenizers")
    from tokenizers import Tokenizer

    vocabulary = Tokenizer.from_file(str(pupil_file)).get_vocab()
    teacher_vocabulary = Tokenizer.from_file(str(teacher_file)).get_vocab()
    if vocabulary == teacher_vocabulary:
        return None
    table = [0] * (max(vocabulary.values()) + 1)
    for word, pupil_id in vocabulary.items():
        teacher_id = teacher_vocabulary.get(_ALIKE.get(word, word), teacher_vocabulary.get(word))
        if teacher_id is None and not word.startswith("[unused"):
            raise UsageError(f"a teacher must know every token; {teacher_file} has no {word!r}")
        table[pupil_id] = teacher_id or 0
    return table


def teacher_probabilities(
    torch: Any, lessons: PackedWindows, teachers: Sequence[Any], plan: SpanPlan, device: str
) -> Any:
    """For every token the mean of the teachers' probabilities that an answer starts, ends there."""
    data = to_device(torch, lessons, device)
    means = torch.zeros((len(lessons.ids), 2), dtype=torch.float16, device=device)
    half = plan.is_half(device)
    for teacher in teachers:
        teacher.to(device).eval()
        with (
            torch.inference_mode(),
            torch.autocast("cuda" if half else "cpu", torch.bfloat16, enabled=half),
        ):
            for where, shares in _probabilities(torch, lessons, data, teacher, plan, device):
                means[where] += (shares / len(teachers)).half()
        teacher.to("cpu")
    return means


def _probabilities(
    torch: Any,
    lessons: PackedWindows,
    data: dict[str, Any],
    teacher: Any,
    plan: SpanPlan,
    device: str,
) -> Iterator[tuple[Any, Any]]:
    """Tokens' places among all, and how likely an answer starts and ends there by one teacher."""
    # A teacher with a vocabulary of its own reads through a table.
    network, table = getattr(teacher, "network", teacher), getattr(teacher, "table", None)
    if is_unpadded(network.encoder, device, plan.unpadded):
        room = room_for(lessons, plan.batch)
        unpadded = Unpadded(torch, network.encoder, half=plan.is_half(device))
        for places in rows(lessons, room, plan.seed):
            windows = row(torch, data, places, room, device)
            ids = windows["ids"] if table is None else table[windows["ids"]]
            scores = network.heads(unpadded.states(ids, windows).float())
            scores = scores[windows["grid"]].float()
            within = torch.arange(scores.shape[1], device=device) < windows["sizes"].unsqueeze(1)
            where = windows["where"][windows["grid"][within]]
            yield where, _open_shares(scores, windows)[within]
        return
    for places in batches(lessons, plan.batch, plan.seed):
        windows = batch(torch, data, places, device)
        scores = teacher(windows["ids"], windows["types"], windows["mask"]).float()
        within = windows["mask"].bool()
        yield windows["where"][within], _open_shares(scores, windows)[within]


def _open_shares(scores: Any, windows: dict[str, Any]) -> Any:
    """Probabilities over the places that may begin or end an answer."""
    return scores.masked_fill(~windows["open"].unsqueeze(-1), -1e4).softmax(1)
