"""What a question is written from: a passage, cut to the part that matters, its answer marked."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from readmark.comprehension.span.batches import batch, batches, to_device
from readmark.comprehension.span.lessons import PackedWindows, SpanLesson, pack
from readmark.comprehension.span.network import torch_parts
from readmark.comprehension.span.optimisation import optimiser
from readmark.comprehension.span.pace import Pace
from readmark.comprehension.span.settings import SpanPlan
from readmark.comprehension.span.shape import SpanShape
from readmark.comprehension.span.tokens import Tokenizer, Tokens
from readmark.comprehension.span.weight_average import WeightAverage
from readmark.core.arrays import Ints32
from readmark.core.spans import answer_spans
from readmark.formats.registry import open_test
from training.span.clozes.articles import Cloze


def lessons_of(path: str | Path, weight: float = 1.0) -> Iterator[SpanLesson]:
    """A test's questions that have an answer in the passage."""
    for unit in open_test(path).units():
        key = unit.item.key
        spans = tuple(answer_spans(unit.record.text, key.answers if key else ()))
        if spans:
            yield SpanLesson(unit.record.text, unit.item.text, spans, weight)


def cloze_of(lesson: SpanLesson) -> Cloze:
    """A lesson as what tests of questions are written from."""
    start, end = lesson.spans[0]
    return Cloze(lesson.text, lesson.question, lesson.text[start:end], start)


OPENING = 48
"""Tokens of a passage's beginning that are always there: they say what it is about."""
AROUND = 192
"""Tokens around and with the answer."""
QUESTION = 48
_BATCH = 512


@dataclass(frozen=True, slots=True)
class Source:
    """Tokens of a passage, and which of them are the answer."""

    ids: Ints32
    marks: Ints32
    question: Ints32
    """The question's tokens where it is known, with the one that ends it."""


def sources(
    asked: Sequence[tuple[str, int, int, str]], tokenizer: Tokenizer
) -> Iterator[Source | None]:
    """For each text, start, end and question its source; None where no token is the answer's."""
    for begun in range(0, len(asked), _BATCH):
        some = asked[begun : begun + _BATCH]
        places: dict[str, int] = {}
        for text, *_ in some:
            places.setdefault(text, len(places))
        texts = tokenizer.cut(list(places))
        questions = tokenizer.cut([question for *_, question in some])
        for (text, start, end, _), question in zip(some, questions, strict=True):
            yield _source(texts[places[text]], start, end, question, tokenizer)


def _source(
    passage: Tokens, start: int, end: int, question: Tokens, tokenizer: Tokenizer
) -> Source | None:
    found = passage.covering(start, end)
    if found is None:
        return None
    first, last = found
    last = min(last, first + AROUND - 2)
    before = max(0, (AROUND - (last - first + 1)) // 2)
    low = max(0, min(first - before, len(passage.ids) - AROUND))
    high = min(len(passage.ids), low + AROUND)
    opening = min(OPENING, low)
    kept = np.concatenate([np.arange(opening), np.arange(low, high)])
    ids = np.concatenate([[tokenizer.first], passage.ids[kept]])
    marks = np.concatenate([[0], (kept >= first) & (kept <= last)])
    told = np.concatenate([question.ids[: QUESTION - 1], [tokenizer.between]])
    return Source(ids.astype(np.int32), marks.astype(np.int32), told.astype(np.int32))


def side_by_side(sources: Sequence[Source]) -> tuple[Ints32, Ints32, Ints32]:
    """Ids, marks and which are there, padded with zeros."""
    width = max(len(one.ids) for one in sources)
    ids = np.zeros((len(sources), width), np.int32)
    marks, there = np.zeros_like(ids), np.zeros_like(ids)
    for row, one in enumerate(sources):
        ids[row, : len(one.ids)] = one.ids
        marks[row, : len(one.ids)] = one.marks
        there[row, : len(one.ids)] = 1
    return ids, marks, there


def questions_of(sources: Sequence[Source]) -> tuple[Ints32, Ints32]:
    """The questions' tokens and how many each has, padded with zeros."""
    sizes = np.array([len(one.question) for one in sources], np.int32)
    ids = np.zeros((len(sources), int(sizes.max())), np.int32)
    for row, one in enumerate(sources):
        ids[row, : sizes[row]] = one.question
    return ids, sizes


# What to ask for: stretches of a passage that a person might have asked about.


LONGEST = 100
"""Tokens of the longest stretch that is asked for."""
_WIDTH = 96
_AT_ONCE = 512


def make_chooser(network: Any) -> Any:
    """Scores of where an answer begins, and, given that, of where it ends.

    Apart, a start of one answer would go with the end of another.
    """
    torch, _ = torch_parts()
    hidden = network.encoder.config.hidden_size

    class Chooser(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.network = network
            self.begun = torch.nn.Linear(hidden, _WIDTH)
            self.over = torch.nn.Linear(hidden, _WIDTH)
            self.length = torch.nn.Parameter(torch.zeros(LONGEST))

        def states(self, one: dict[str, Any]) -> Any:
            return self.network.states(one["ids"], one["types"], one["mask"])

        def starts(self, states: Any, one: dict[str, Any]) -> Any:
            """A score for every token; what is no passage is never one."""
            inside = one["open"].clone()
            inside[:, 0] = False
            return self.network.heads(states)[..., 0].float().masked_fill(~inside, -1e4)

        def ends(self, states: Any, one: dict[str, Any], starts: Any) -> Any:
            """For (windows, some) starts a score for each length: (windows, some, LONGEST)."""
            rows = torch.arange(len(states), device=states.device).view(-1, 1)
            steps = torch.arange(LONGEST, device=states.device)
            places = starts.unsqueeze(-1) + steps
            past = places >= states.shape[1]
            places = places.clamp(max=states.shape[1] - 1)
            begun = self.begun(states[rows, starts])
            over = self.over(states)[rows.unsqueeze(-1), places]
            fit = (over * begun.unsqueeze(-2)).sum(-1) / _WIDTH**0.5
            alone = self.network.heads(states)[..., 1][rows.unsqueeze(-1), places]
            shut = past | ~one["open"][rows.unsqueeze(-1), places]
            return (fit + alone + self.length).float().masked_fill(shut, -1e4)

        def forward(self, one: dict[str, Any]) -> Any:
            """The loss of what people asked for."""
            states = self.states(one)
            first, last = one["answers"].unbind(1)
            starts = self.starts(states, one)
            ends = self.ends(states, one, first.unsqueeze(1)).squeeze(1)
            cross = torch.nn.functional.cross_entropy
            return cross(starts, first) + cross(ends, (last - first).clamp(max=LONGEST - 1))

    return Chooser()


def asked_for(
    lessons: Sequence[SpanLesson], shape: SpanShape, tokenizer: Tokenizer, seed: int
) -> PackedWindows:
    """Windows of passages alone, with what was asked for in them."""
    bare = [SpanLesson(lesson.text, "", lesson.spans) for lesson in lessons if lesson.spans]
    return pack(bare, shape, tokenizer, blank_share=0.0, seed=seed)


def choose_answers(
    chooser: Any,
    texts: Sequence[str],
    shape: SpanShape,
    tokenizer: Tokenizer,
    *,
    many: int,
    seed: int,
    half: bool = False,
) -> Iterator[tuple[int, int, int]]:
    """Up to ``many`` stretches of each text, drawn: its number, and where they begin and end."""
    torch, _ = torch_parts()
    device = str(next(chooser.parameters()).device)
    drawn = torch.Generator(device).manual_seed(seed)
    chooser.eval()
    for begun in range(0, len(texts), _AT_ONCE):
        some = texts[begun : begun + _AT_ONCE]
        cut = tokenizer.cut(some)
        # A passage must fit a window together with any question.
        fit = [at for at, one in enumerate(cut) if len(one.ids) <= shape.room(QUESTION)]
        bare = [SpanLesson(some[at], "", ()) for at in fit]
        packed = pack(bare, shape, tokenizer, blank_share=1.0)
        data = to_device(torch, packed, device)
        for places in batches(packed, _AT_ONCE, seed):
            one = batch(torch, data, places, device)
            kind = device.split(":")[0]
            with torch.inference_mode(), torch.autocast(kind, torch.bfloat16, enabled=half):
                states = chooser.states(one)
                starts = chooser.starts(states, one)
                noise = torch.empty_like(starts).exponential_(generator=drawn).log()
                first = (starts - noise).topk(min(many, starts.shape[1]), 1).indices
                ends = chooser.ends(states, one, first)
                noise = torch.empty_like(ends).exponential_(generator=drawn).log()
                last = first + (ends - noise).argmax(-1)
            low = one["answers"].new_tensor(packed.lows[places]).unsqueeze(1)
            for place, firsts, lasts in zip(
                places, (first - low).tolist(), (last - low).tolist(), strict=True
            ):
                tokens = cut[fit[place]]
                for start, end in sorted(set(zip(firsts, lasts, strict=True))):
                    if 0 <= start <= end < len(tokens.ids):
                        yield begun + fit[place], int(tokens.starts[start]), int(tokens.ends[end])


# Practice: batches of anything that has a loss, epoch by epoch.


def practise(
    module: Any,
    plan: SpanPlan,
    batches_of: Callable[[int], Sequence[Any]],
    loss_of: Callable[[Any], Any],
    notify: Callable[[str], None],
) -> list[float]:
    """Train in place and leave the mean of the weights; the loss of each epoch."""
    torch, _ = torch_parts()
    device = plan.device or ("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(plan.seed)
    module.to(device).train()
    half = plan.mixed and device.startswith("cuda")
    steps = optimiser(torch, module, plan)
    mean = WeightAverage(torch, module, plan.average) if plan.average else None
    first = batches_of(1)
    pace = Pace(len(first) * plan.epochs, warmup=plan.warmup, minutes=plan.minutes)
    done = 0
    losses: list[float] = []
    for epoch in range(1, plan.epochs + 1):
        started = time.perf_counter()
        total = torch.zeros((), device=device)
        some = first if epoch == 1 else batches_of(epoch)
        learnt = 0
        for one in some:
            kind = device.split(":")[0]
            with torch.autocast(kind, torch.bfloat16, enabled=half):
                loss = loss_of(one)
            loss.backward()
            for group in steps.param_groups:
                group["lr"] = plan.rate * pace.share(done)
            torch.nn.utils.clip_grad_norm_(module.parameters(), plan.clip)
            steps.step()
            steps.zero_grad(set_to_none=True)
            done += 1
            learnt += 1
            if mean is not None:
                mean.follow()
            total += loss.detach()
            if pace.is_up():
                break
        losses.append(float(total) / max(1, learnt))
        spent = time.perf_counter() - started
        notify(f"epoch {epoch} of {plan.epochs}: loss {losses[-1]:.4f}, {spent:.0f} s")
        if pace.is_up():
            break
    if mean is not None:
        mean.settle()
    return losses


# The way back: a question is kept where a reader finds what it was asked for.


_RETURNING_AT_ONCE = 16_384


def recovered(
    reader: Any,
    lessons: Sequence[SpanLesson],
    shape: SpanShape,
    tokenizer: Tokenizer,
    *,
    least: float,
    size: int = 256,
    half: bool = False,
) -> Iterator[bool]:
    """For each lesson of one answer and one window whether the best span overlaps it enough.

    ``least`` is F1 in tokens.
    """
    torch, _ = torch_parts()
    reader.eval()
    device = str(next(reader.parameters()).device)
    for begun in range(0, len(lessons), _RETURNING_AT_ONCE):
        packed = pack(
            lessons[begun : begun + _RETURNING_AT_ONCE], shape, tokenizer, blank_share=0.0
        )
        if len(packed) != len(lessons[begun : begun + _RETURNING_AT_ONCE]):
            raise ValueError("a passage is longer than a window")
        data = to_device(torch, packed, device)
        kept = torch.zeros(len(packed), dtype=torch.bool)
        for places in batches(packed, size, 1):
            one = batch(torch, data, places, device)
            kind = device.split(":")[0]
            with torch.inference_mode(), torch.autocast(kind, torch.bfloat16, enabled=half):
                scores = reader(one["ids"], one["types"], one["mask"]).float()
            first, last = best_spans(torch, scores, one["open"], shape.answer)
            low, high = one["answers"].unbind(1)
            shared = (torch.minimum(last, high) - torch.maximum(first, low) + 1).clamp(min=0)
            overlap = 2 * shared / (last - first + high - low + 2)
            kept[torch.from_numpy(places)] = (overlap >= least).cpu()
        yield from kept.tolist()


def best_spans(torch: Any, scores: Any, open_: Any, longest: int) -> tuple[Any, Any]:
    """The first and last token of each window's likeliest span."""
    inside = open_.clone()
    inside[:, 0] = False
    shut = ~inside.unsqueeze(-1)
    starts, ends = scores.masked_fill(shut, -1e4).unbind(-1)
    width = starts.shape[1]
    sums = starts.unsqueeze(2) + ends.unsqueeze(1)
    steps = torch.arange(width, device=scores.device)
    reach = steps - steps.unsqueeze(1)
    sums = sums.masked_fill((reach < 0) | (reach >= longest), -1e9)
    best = sums.flatten(1).argmax(1)
    return best // width, best % width
