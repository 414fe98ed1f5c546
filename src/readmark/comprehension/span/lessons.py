"""Lessons: windows with the places of their answers, packed for a network to learn from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from readmark.comprehension.span.answers import Window, windows
from readmark.comprehension.span.tokens import SpanShape, Tokenizer
from readmark.core.arrays import Ints32
from readmark.core.extras import require
from readmark.core.records import Offsets

if TYPE_CHECKING:
    from readmark.comprehension.span.optimisation import SpanPlan

TOKENIZED_AT_ONCE = 512


@dataclass(frozen=True, slots=True)
class SpanLesson:
    """A question on a text and where its answers occur; none where it has no answer."""

    text: str
    question: str
    spans: tuple[Offsets, ...]
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class PackedWindows:
    """Windows one after the other; an answer at (0, 0) is none."""

    ids: Ints32
    sizes: Ints32
    splits: Ints32
    lows: Ints32
    counts: Ints32
    starts: Ints32
    ends: Ints32
    weights: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.sizes)


def pack(
    lessons: Iterable[SpanLesson],
    shape: SpanShape,
    tokenizer: Tokenizer,
    *,
    blank_share: float = 0.1,
    seed: int = 1,
) -> PackedWindows:
    """The windows of lessons; of those without their answer only a share is kept."""
    draw = Random(seed)
    found: list[tuple[Window, int, int, float]] = []
    waiting: list[SpanLesson] = []
    for lesson in lessons:
        waiting.append(lesson)
        if len(waiting) == TOKENIZED_AT_ONCE:
            _take(waiting, shape, tokenizer, blank_share, draw, found)
            waiting = []
    _take(waiting, shape, tokenizer, blank_share, draw, found)
    return _packed(found)


def pack_apart(
    lessons: Sequence[SpanLesson],
    shape: SpanShape,
    tokenizer: Tokenizer,
    *,
    processes: int,
    blank_share: float = 0.1,
    seed: int = 1,
) -> PackedWindows:
    """The windows of lessons as ``pack`` gives them, cut by several processes."""
    if processes < 2 or len(lessons) < processes * TOKENIZED_AT_ONCE:
        return pack(lessons, shape, tokenizer, blank_share=blank_share, seed=seed)
    size = -(-len(lessons) // processes)
    with ProcessPoolExecutor(processes) as pool:
        waiting = [
            pool.submit(
                pack,
                lessons[first : first + size],
                shape,
                tokenizer,
                blank_share=blank_share,
                seed=seed + first,
            )
            for first in range(0, len(lessons), size)
        ]
        parts = [part.result() for part in waiting]
    names = [field.name for field in fields(PackedWindows)]
    return PackedWindows(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in names)
    )


def _take(
    lessons: Sequence[SpanLesson],
    shape: SpanShape,
    tokenizer: Tokenizer,
    blank_share: float,
    draw: Random,
    found: list[tuple[Window, int, int, float]],
) -> None:
    # Many questions share a text, which is cut once.
    places: dict[str, int] = {}
    for lesson in lessons:
        places.setdefault(lesson.text, len(places))
    texts = tokenizer.cut(list(places))
    questions = tokenizer.cut([lesson.question for lesson in lessons])
    for lesson, question in zip(lessons, questions, strict=True):
        passage = texts[places[lesson.text]]
        spans = [at for span in lesson.spans if (at := passage.covering(*span)) is not None]
        if lesson.spans and not spans:
            continue
        for window in windows(question, passage, shape, tokenizer):
            inside = [
                (first - window.first + window.low, last - window.first + window.low)
                for first, last in spans
                if window.first <= first and last < window.first + window.count
            ]
            if inside:
                found.append((window, *draw.choice(inside), lesson.weight))
            elif not lesson.spans or draw.random() < blank_share:
                found.append((window, 0, 0, lesson.weight))


def _packed(found: Sequence[tuple[Window, int, int, float]]) -> PackedWindows:
    def column(values: Iterable[int]) -> Ints32:
        return np.fromiter(values, np.int32, len(found))

    return PackedWindows(
        np.concatenate([one[0].ids for one in found]) if found else np.zeros(0, np.int32),
        column(len(one[0].ids) for one in found),
        column(one[0].split for one in found),
        column(one[0].low for one in found),
        column(one[0].count for one in found),
        column(one[1] for one in found),
        column(one[2] for one in found),
        np.fromiter((one[3] for one in found), np.float32, len(found)),
    )


# Batches of packed windows, made where the network is.


def batches(lessons: PackedWindows, size: int, seed: int) -> Iterator[Any]:
    """Windows of about one length together, in an order that is drawn."""
    draw = np.random.default_rng(seed)
    order = draw.permutation(len(lessons))
    wide = size * 64
    found: list[Any] = []
    for index in range(0, len(order), wide):
        some = order[index : index + wide]
        some = some[np.argsort(lessons.sizes[some], kind="stable")]
        found.extend(some[first : first + size] for first in range(0, len(some), size))
    for at in draw.permutation(len(found)):
        yield found[at]


def to_device(
    torch: Any, lessons: PackedWindows, device: str, teachings: Any | None = None
) -> dict[str, Any]:
    """The packed windows on the device, with what teachers predict for each token."""
    offsets = np.zeros(len(lessons), np.int64)
    np.cumsum(lessons.sizes[:-1], out=offsets[1:])
    data = {
        name: torch.from_numpy(getattr(lessons, name)).to(device)
        for name in ("ids", "sizes", "splits", "lows", "counts", "weights")
    }
    data["at"] = torch.from_numpy(offsets).to(device)
    data["answers"] = (
        torch.from_numpy(np.stack([lessons.starts, lessons.ends], 1)).to(device).long()
    )
    data["host_sizes"] = lessons.sizes
    if teachings is not None:
        data["teachings"] = teachings
    return data


def batch(torch: Any, data: dict[str, Any], places: Any, device: str) -> dict[str, Any]:
    """Windows side by side: ids, types, masks, answers; ``free`` is the passage but its answer."""
    width = int(data["host_sizes"][places].max())
    if device.startswith("cuda"):
        width = -(-width // 16) * 16
    chosen = torch.from_numpy(np.ascontiguousarray(places)).to(device)
    steps = torch.arange(width, device=device)
    mask = steps < data["sizes"][chosen].unsqueeze(1)
    where = (data["at"][chosen].unsqueeze(1) + steps).clamp_(max=len(data["ids"]) - 1)
    ids = torch.where(mask, data["ids"][where], 0).long()
    lows = data["lows"][chosen].unsqueeze(1)
    inside = (steps >= lows) & (steps < lows + data["counts"][chosen].unsqueeze(1))
    answers = data["answers"][chosen]
    free = inside & ((steps < answers[:, :1]) | (steps > answers[:, 1:]))
    inside[:, 0] = True
    made = {
        "ids": ids,
        "types": (mask & (steps >= data["splits"][chosen].unsqueeze(1))).long(),
        "mask": mask.long(),
        "open": inside,
        "free": free,
        "where": where,
        "answers": answers,
        "weights": data["weights"][chosen],
    }
    if "teachings" in data:
        made["teachings"] = data["teachings"][where]
    return made


def sample_windows(lessons: PackedWindows, count: int) -> Iterator[tuple[Any, Any, Any]]:
    """Ids, types and masks of some windows, as many as wanted, from all over the lessons."""
    ends = np.cumsum(lessons.sizes, dtype=np.int64)
    for at in np.unique(np.linspace(0, len(lessons) - 1, min(count, len(lessons)), dtype=np.int64)):
        ids = lessons.ids[ends[at] - lessons.sizes[at] : ends[at]].astype(np.int64)[None]
        types = (np.arange(ids.shape[1]) >= lessons.splits[at]).astype(np.int64)[None]
        yield ids, types, np.ones_like(ids)


# Windows laid end to end, as a GPU reads them fastest: no padding, one shape for every step.
#
# The weights are those of a BERT, an ELECTRA or a RoFormer; only the way through them is written
# anew, since transformers' own leaves most of a large GPU idle on small encoders.


KINDS = ("bert", "electra", "roformer")
WIDEST = 512
"""No window has more tokens: what a BERT has places for."""
_ALIGN = 8
"""A head's width is made a multiple of this, which fused attention wants."""


@dataclass(frozen=True, slots=True)
class Room:
    """How many tokens and windows every step has room for."""

    tokens: int
    windows: int


def is_unpadded(encoder: Any, device: str, asked: bool | None) -> bool:
    """Whether an encoder's windows are laid end to end; where nothing is asked, on a GPU."""
    able = encoder.config.model_type in KINDS
    return able and (device.startswith("cuda") if asked is None else asked)


def room_for(lessons: PackedWindows, batch: int) -> Room:
    """Room for about as many windows as a batch has."""
    tokens = max(WIDEST, int(batch * lessons.sizes.mean()))
    return Room(-(-tokens // 256) * 256, 2 * batch)


def rows(lessons: PackedWindows, room: Room, seed: int) -> Iterator[Any]:
    """Windows in an order that is drawn, as many at a time as there is room for."""
    order = np.random.default_rng(seed).permutation(len(lessons))
    begun = held = 0
    for index, place in enumerate(order):
        size = int(lessons.sizes[place])
        if held + size > room.tokens or index - begun == room.windows:
            yield order[begun:index]
            begun, held = index, 0
        held += size
    if begun < len(order):
        yield order[begun:]


def row(torch: Any, data: dict[str, Any], places: Any, room: Room, device: str) -> dict[str, Any]:
    """Windows end to end, and where each begins; what room is left is filled with windows of
    nothing."""
    sizes = data["host_sizes"][places].astype(np.int64)
    total = int(sizes.sum())
    starts = np.concatenate([[0], np.cumsum(sizes)])
    filler = np.arange(total + WIDEST, room.tokens + WIDEST, WIDEST)
    edges = np.full(room.windows + room.tokens // WIDEST + 2, room.tokens, np.int32)
    edges[: len(starts)] = starts
    edges[len(starts) : len(starts) + len(filler)] = np.minimum(filler, room.tokens)
    chosen, begins, lengths = (
        torch.from_numpy(one).to(device, non_blocking=True)
        for one in (np.ascontiguousarray(places), starts[:-1].copy(), sizes)
    )
    of = torch.repeat_interleave(
        torch.arange(len(sizes), device=device), lengths, output_size=total
    )
    positions = torch.arange(total, device=device) - begins[of]
    where = data["at"][chosen][of] + positions
    lows, answers = data["lows"][chosen], data["answers"][chosen]
    inside = (positions >= lows[of]) & (positions < (lows + data["counts"][chosen])[of])
    width = int(sizes.max())
    steps = torch.arange(width, device=device)
    grid = (begins.unsqueeze(1) + steps).clamp_(max=room.tokens - 1)
    low = lows.unsqueeze(1)
    opened = (steps >= low) & (steps < low + data["counts"][chosen].unsqueeze(1))
    opened[:, 0] = True
    rest = (0, room.tokens - total)
    fill = torch.nn.functional.pad
    made = {
        "ids": fill(data["ids"][where].long(), rest),
        "types": fill((positions >= data["splits"][chosen][of]).long(), rest),
        "positions": fill(positions, rest),
        "free": fill(inside & ((positions < answers[of, 0]) | (positions > answers[of, 1])), rest),
        "edges": torch.from_numpy(edges).to(device, non_blocking=True),
        "where": where,
        "sizes": lengths,
        "grid": grid,
        "open": opened,
        "answers": answers,
        "weights": data["weights"][chosen],
    }
    if "teachings" in data:
        made["teachings"] = fill(data["teachings"][where], (0, 0, *rest))[grid]
    return made


class Unpadded:
    """The way through an encoder for windows that lie end to end."""

    def __init__(self, torch: Any, encoder: Any, room: Room, *, half: bool) -> None:
        self._torch = torch
        self._encoder = encoder
        self._room = room
        config = encoder.config
        self._options = {
            "heads": config.num_attention_heads,
            "eps": config.layer_norm_eps,
            "dtype": torch.bfloat16 if half else torch.float32,
        }
        self._dropout = config.hidden_dropout_prob
        self._step: Callable[..., Any] = _step
        if next(encoder.parameters()).is_cuda:
            self._step = torch.compile(_step, dynamic=False)

    def states(self, ids: Any, batch: dict[str, Any]) -> Any:
        """A vector for every token of a row."""
        torch, encoder = self._torch, self._encoder
        dropout = self._dropout if encoder.training else 0.0
        held = encoder.embeddings
        known = held.word_embeddings(ids) + held.token_type_embeddings(batch["types"])
        turn = None
        if encoder.config.model_type == "roformer":
            turn = self._turn(encoder.encoder.embed_positions.weight[batch["positions"]])
        else:
            known = known + held.position_embeddings(batch["positions"])
        known = torch.nn.functional.dropout(held.LayerNorm(known), dropout, True)
        if hasattr(encoder, "embeddings_project"):
            known = encoder.embeddings_project(known)
        known = known.to(self._options["dtype"])
        for layer in encoder.encoder.layer:
            known = self._step(
                known, _weights(layer), batch["edges"], turn, dropout=dropout, **self._options
            )
        return known

    def _turn(self, angles: Any) -> Any:
        """Sine and cosine of each token's position, for each pair of a head's numbers."""
        torch, dtype = self._torch, self._options["dtype"]
        both = torch.stack(angles.chunk(2, -1)).repeat_interleave(2, -1)
        both = torch.nn.functional.pad(both, (0, -both.shape[-1] % _ALIGN))
        return both.unsqueeze(2).to(dtype)


def _weights(layer: Any) -> list[Any]:
    own, out = layer.attention.self, layer.attention.output
    parts = [own.query, own.key, own.value, out.dense, out.LayerNorm]
    parts += [layer.intermediate.dense, layer.output.dense, layer.output.LayerNorm]
    return [one for part in parts for one in (part.weight, part.bias)]


def _step(
    known: Any,
    weights: list[Any],
    edges: Any,
    turn: Any,
    *,
    dropout: float,
    heads: int,
    eps: float,
    dtype: Any,
) -> Any:
    """One layer: attention within each window, then two dense ones."""
    require("torch")
    import torch

    do = torch.nn.functional
    query, query0, key, key0, value, value0, mix, mix0, norm, norm0 = weights[:10]
    wide, wide0, back, back0, last, last0 = weights[10:]
    width = query.shape[0] // heads
    spare = -width % _ALIGN
    # What fused attention divides by is the width it sees, not the head's own.
    scale = ((width + spare) / width) ** 0.5

    def spread(one: Any, by: float = 1.0) -> Any:
        shaped = (one * by).reshape(heads, width, -1)
        return do.pad(shaped, (0, 0, 0, spare)).reshape(heads * (width + spare), -1)

    together = torch.cat([spread(query, scale), spread(key), spread(value)]).to(dtype)
    biases = torch.cat([spread(query0, scale), spread(key0), spread(value0)]).squeeze(1).to(dtype)
    three = do.linear(known, together, biases).view(len(known), 3, heads, width + spare)
    asking, asked = three[:, 0], three[:, 1]
    if turn is not None:
        asking, asked = rotated(asking, turn), rotated(asked, turn)
    seen = attend(asking, asked, three[:, 2], edges)
    mixed = do.pad(mix.reshape(-1, heads, width), (0, spare)).reshape(len(mix), -1)
    update = do.linear(seen.reshape(len(known), -1), mixed.to(dtype), mix0.to(dtype))
    update = known.float() + do.dropout(update, dropout, True).float()
    known = do.layer_norm(update, norm.shape, norm, norm0, eps).to(dtype)
    update = do.gelu(do.linear(known, wide.to(dtype), wide0.to(dtype)))
    update = do.linear(update, back.to(dtype), back0.to(dtype))
    update = known.float() + do.dropout(update, dropout, True).float()
    return do.layer_norm(update, last.shape, last, last0, eps).to(dtype)


def rotated(one: Any, turn: Any) -> Any:
    """Queries or keys turned by their positions, two numbers of a head at a time (RoFormer)."""
    require("torch")
    import torch

    sine, cosine = turn
    other = torch.stack([-one[..., 1::2], one[..., ::2]], -1).reshape(one.shape)
    return one * cosine + other * sine


def attend(query: Any, key: Any, value: Any, edges: Any) -> Any:
    """Each window's tokens to one another: (tokens, heads, width) in and out."""
    require("torch")
    import torch

    if query.is_cuda:
        from torch.nn.attention.varlen import varlen_attn

        return varlen_attn(query, key, value, edges, edges, WIDEST, WIDEST)
    found = [
        torch.nn.functional.scaled_dot_product_attention(
            *(one[first:last].transpose(0, 1) for one in (query, key, value))
        ).transpose(0, 1)
        for first, last in pairwise(edges.tolist())
        if last > first
    ]
    return torch.cat(found)


# What teachers predict for a network's lessons.


def teacher_probabilities(
    torch: Any, lessons: PackedWindows, teachers: Sequence[Any], plan: SpanPlan, device: str
) -> Any:
    """For every token the mean of the teachers' probabilities that an answer starts, ends there."""
    data = to_device(torch, lessons, device)
    means = torch.zeros((len(lessons.ids), 2), dtype=torch.float16, device=device)
    half = plan.mixed and device.startswith("cuda")
    for teacher in teachers:
        teacher.to(device).eval()
        with (
            torch.inference_mode(),
            torch.autocast("cuda" if half else "cpu", torch.bfloat16, enabled=half),
        ):
            for where, likely in _likely(torch, lessons, data, teacher, plan, device):
                means[where] += (likely / len(teachers)).half()
        teacher.to("cpu")
    return means


def _likely(
    torch: Any,
    lessons: PackedWindows,
    data: dict[str, Any],
    teacher: Any,
    plan: SpanPlan,
    device: str,
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
