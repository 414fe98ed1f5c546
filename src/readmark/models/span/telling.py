"""What teachers tell of a network's lessons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from readmark.models.span.batches import batch, batches, to_device
from readmark.models.span.lessons import Packed
from readmark.models.span.unpadded import Unpadded, is_unpadded, room_for, row, rows

if TYPE_CHECKING:
    from readmark.models.span.learning import Plan


def what_they_tell(
    torch: Any, lessons: Packed, teachers: Sequence[Any], plan: Plan, device: str
) -> Any:
    """For every token the mean of the teachers' probabilities that an answer starts, ends there."""
    data = to_device(torch, lessons, device)
    told = torch.zeros((len(lessons.ids), 2), dtype=torch.float16, device=device)
    half = plan.mixed and device.startswith("cuda")
    for teacher in teachers:
        teacher.to(device).eval()
        with (
            torch.inference_mode(),
            torch.autocast("cuda" if half else "cpu", torch.bfloat16, enabled=half),
        ):
            for where, likely in _likely(torch, lessons, data, teacher, plan, device):
                told[where] += (likely / len(teachers)).half()
        teacher.to("cpu")
    return told


def _likely(
    torch: Any, lessons: Packed, data: dict[str, Any], teacher: Any, plan: Plan, device: str
) -> Iterator[tuple[Any, Any]]:
    """Tokens' places among all, and how likely an answer starts and ends there by one teacher."""
    # A teacher with a vocabulary of its own reads through a table.
    own, table = getattr(teacher, "network", teacher), getattr(teacher, "table", None)
    if is_unpadded(own.encoder, device, plan.unpadded):
        room = room_for(lessons, plan.batch)
        half = plan.mixed and device.startswith("cuda")
        way = Unpadded(torch, own.encoder, room, half=half)
        for places in rows(lessons, room, plan.seed):
            one = row(torch, data, places, room, device)
            ids = one["ids"] if table is None else table[one["ids"]]
            scores = own.heads(way.states(ids, one).float())[one["grid"]].float()
            within = torch.arange(scores.shape[1], device=device) < one["sizes"].unsqueeze(1)
            yield one["where"][one["grid"][within]], _shares(scores, one)[within]
        return
    for places in batches(lessons, plan.batch, plan.seed):
        one = batch(torch, data, places, device)
        scores = teacher(one["ids"], one["types"], one["mask"]).float()
        within = one["mask"].bool()
        yield one["where"][within], _shares(scores, one)[within]


def _shares(scores: Any, one: dict[str, Any]) -> Any:
    return scores.masked_fill(~one["open"].unsqueeze(-1), -1e4).softmax(1)
