"""Learning: the log-likelihood of starts and ends, epoch by epoch, on a CPU or a GPU."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from readmark.comprehension.span.batches import batch, batches, to_device
from readmark.comprehension.span.lessons import PackedWindows
from readmark.comprehension.span.network import torch_parts
from readmark.comprehension.span.pace import Pace
from readmark.comprehension.span.settings import SpanPlan
from readmark.comprehension.span.teachers import teacher_probabilities
from readmark.comprehension.span.unpadded import (
    Room,
    Unpadded,
    is_unpadded,
    room_for,
    row,
    rows,
)
from readmark.comprehension.span.weight_average import WeightAverage
from readmark.core.errors import UsageError
from readmark.core.numbers import decimal
from readmark.core.progress import Tell
from readmark.core.writing import put_in_place

CheckModel = Callable[[Any], dict[str, float]]

_PROGRESS_SECONDS = 15  # between two lines on an epoch that takes long


@dataclass(frozen=True, slots=True)
class Epoch:
    """What an epoch came to."""

    number: int
    loss: float
    seconds: float
    marks: dict[str, float]


def learn(
    network: Any,
    lessons: PackedWindows,
    plan: SpanPlan,
    *,
    check: CheckModel | None = None,
    checkpoint: Path | None = None,
    teachers: Sequence[Any] = (),
    masker: Any = None,
    progress: Tell = lambda _: None,
) -> list[Epoch]:
    """Train in place; the best epoch's weights stay where a check says which is best."""
    torch, _ = torch_parts()
    device = plan.device or ("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(plan.seed)
    network.to(device)
    if masker is not None:
        masker.to(device)
    teachings = None
    if teachers:
        teachings = teacher_probabilities(torch, lessons, teachers, plan, device)
    steps = math.ceil(len(lessons) / plan.batch / plan.accumulate) * plan.epochs
    run = _TrainingRun(torch, network, plan, device, masker, progress)
    done: list[Epoch] = []
    best: tuple[float, Any] | None = None
    if checkpoint is not None and checkpoint.is_file():
        done, best = run.resume(checkpoint)
        progress(f"resumed after epoch {len(done)}")
    run.begin(steps, sum(epoch.seconds for epoch in done))
    for number in range(len(done) + 1, plan.epochs + 1):
        if plan.patience and _epochs_since_best(done) >= plan.patience:
            progress(f"no better mark in {plan.patience} epochs")
            break
        started = time.perf_counter()
        loss = run.epoch(lessons, number, teachings)
        with run.averaged():
            marks = check(network) if check is not None else {}
            value = next(iter(marks.values()), None)
            if value is not None and (best is None or value > best[0]):
                state = network.state_dict()
                weights = {name: part.detach().cpu().clone() for name, part in state.items()}
                best = value, weights
        epoch = Epoch(number, loss, time.perf_counter() - started, marks)
        done.append(epoch)
        figures = [f"loss {decimal(loss, 4)}", f"{decimal(epoch.seconds, 0)} s"]
        figures += [f"{name} {decimal(value)}" for name, value in marks.items()]
        progress(f"epoch {number} of {plan.epochs}: {', '.join(figures)}")
        if checkpoint is not None:
            run.save(checkpoint, done, best)
        if run.is_up():
            progress(f"{plan.minutes:g} minutes are up")
            break
    run.settle(None if best is None else best[1])
    return done


def _epochs_since_best(done: Sequence[Epoch]) -> int:
    marks = [next(iter(epoch.marks.values())) for epoch in done if epoch.marks]
    return len(marks) - 1 - marks.index(max(marks)) if marks else 0


class _TrainingRun:
    """A network being trained, with all its state from step to step."""

    def __init__(
        self,
        torch: Any,
        network: Any,
        plan: SpanPlan,
        device: str,
        masker: Any,
        progress: Tell,
    ) -> None:
        self._torch = torch
        self._network = network
        self._plan = plan
        self._device = device
        self._masker = masker
        self._progress = progress
        self._optimiser = optimiser(torch, network, plan)
        if masker is not None:
            group = {"params": list(masker.parameters()), "weight_decay": 0.0}
            self._optimiser.add_param_group(group)
        self._average = WeightAverage(torch, network, plan.average) if plan.average else None
        self._step = 0
        self._room: Room | None = None
        self._unpadded: Unpadded | None = None

    def begin(self, steps: int, spent: float) -> None:
        """Set the pace, with the seconds that were spent before a break."""
        plan = self._plan
        self._pace = Pace(steps, warmup=plan.warmup, minutes=plan.minutes, spent=spent)

    def epoch(self, lessons: PackedWindows, number: int, teachings: Any | None = None) -> float:
        """Learn each window once, or until time is up; the mean loss."""
        torch, plan, device = self._torch, self._plan, self._device
        self._network.train()
        data = to_device(torch, lessons, device, teachings)
        total = torch.zeros((), device=device)
        if is_unpadded(self._network.encoder, device, plan.unpadded) and self._room is None:
            self._room = room_for(lessons, plan.batch)
            half = plan.is_half(device)
            self._unpadded = Unpadded(torch, self._network.encoder, half=half)
        seed = plan.seed * 1000 + number
        torch.manual_seed(seed)  # what is dropped and hidden is the same after a break
        if self._room is not None:
            drawn = list(rows(lessons, self._room, seed))
        else:
            drawn = list(batches(lessons, plan.batch, seed))
        last_line = time.perf_counter()
        learnt = 0
        for index, places in enumerate(drawn):
            if self._room is not None:
                loss = self._learn(row(torch, data, places, self._room, device))
            else:
                loss = self._learn(batch(torch, data, places, device))
            if (index + 1) % plan.accumulate == 0 or index + 1 == len(drawn):
                self._take_step()
            total += loss
            learnt = index + 1
            if self.is_up():
                break
            if time.perf_counter() - last_line > _PROGRESS_SECONDS:
                last_line = time.perf_counter()
                self._progress(
                    f"  {learnt} of {len(drawn)} batches, loss {decimal(float(total) / learnt, 4)}"
                )
        return float(total) / max(1, learnt)

    def averaged(self) -> AbstractContextManager[None]:
        """The network as it would be kept."""
        return nullcontext() if self._average is None else self._average.in_network()

    def is_up(self) -> bool:
        """Whether the time is up."""
        return self._pace.is_up()

    def settle(self, best: Any) -> None:
        """Leave the best weights in the network, or the last ones."""
        if best is not None:
            self._network.load_state_dict(best)
        elif self._average is not None:
            self._average.settle()

    def _learn(self, windows: dict[str, Any]) -> Any:
        """Add the gradient of some windows; their loss."""
        torch, plan = self._torch, self._plan
        half = plan.is_half(self._device)
        with torch.autocast("cuda" if half else "cpu", torch.bfloat16, enabled=half):
            ids, hidden = windows["ids"], None
            if self._masker is not None:
                ids, hidden = self._masker.hide(ids, windows["free"])
            if self._unpadded is not None:
                states = self._unpadded.states(ids, windows)
            else:
                states = self._network.states(ids, windows["types"], windows["mask"])
            loss = 0.0 if hidden is None else self._masker(states, windows["ids"], hidden)
        # Scores in full: half precision is too coarse for the likelihood of one place in hundreds.
        scores = self._network.heads(states.float())
        if "grid" in windows:
            scores = scores[windows["grid"]]
        loss_of_spans = span_loss(torch, scores, windows)
        if "teachings" in windows:
            loss_of_spans = (1 - plan.distil) * loss_of_spans
            loss_of_spans = loss_of_spans + plan.distil * teaching_loss(scores, windows)
        loss = loss + loss_of_spans
        (loss / plan.accumulate).backward()
        return loss.detach()

    def _take_step(self) -> None:
        rate = self._plan.rate * self._pace.share(self._step)
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        self._torch.nn.utils.clip_grad_norm_(self._network.parameters(), self._plan.clip)
        self._optimiser.step()
        self._optimiser.zero_grad(set_to_none=True)
        self._step += 1
        if self._average is not None:
            self._average.follow()

    def save(self, path: Path, done: Sequence[Epoch], best: tuple[float, Any] | None) -> None:
        """Write all that is needed to resume."""
        unfinished = path.with_name(path.name + ".part")
        self._torch.save(
            {
                "plan": asdict(self._plan),
                "network": self._network.state_dict(),
                "optimiser": self._optimiser.state_dict(),
                "average": None if self._average is None else self._average.state(),
                "masker": None if self._masker is None else self._masker.state_dict(),
                "step": self._step,
                "done": [asdict(epoch) for epoch in done],
                "best": best,
            },
            unfinished,
        )
        put_in_place(unfinished, path)

    def resume(self, path: Path) -> tuple[list[Epoch], tuple[float, Any] | None]:
        """Go on from what was saved: the epochs that are done, and the best weights so far."""
        state = self._torch.load(path, map_location=self._device, weights_only=True)
        if state.get("plan") != asdict(self._plan) or "step" not in state:
            raise UsageError(f"{path} was written with other settings; remove it to start over")
        self._network.load_state_dict(state["network"])
        self._optimiser.load_state_dict(state["optimiser"])
        if self._average is not None:
            self._average.restore(state["average"])
        if self._masker is not None:
            self._masker.load_state_dict(state["masker"])
        self._step = state["step"]
        return [Epoch(**epoch) for epoch in state["done"]], state["best"]


def optimiser(torch: Any, network: Any, plan: SpanPlan) -> Any:
    """What takes the steps; only matrices decay."""
    vectors = [parameter for parameter in network.parameters() if parameter.ndim < 2]
    matrices = [parameter for parameter in network.parameters() if parameter.ndim >= 2]
    groups = [
        {"params": matrices, "weight_decay": plan.decay},
        {"params": vectors, "weight_decay": 0.0},
    ]
    fused = next(network.parameters()).is_cuda
    return torch.optim.AdamW(groups, lr=plan.rate, betas=(0.9, 0.98), eps=1e-6, fused=fused)


def span_loss(torch: Any, scores: Any, windows: dict[str, Any]) -> Any:
    """How unlikely a batch's answers are by the scores."""
    closed = scores.masked_fill(~windows["open"].unsqueeze(-1), -1e4)
    of_places = torch.nn.functional.cross_entropy(
        closed.permute(0, 2, 1).flatten(0, 1),
        windows["answers"].flatten(),
        reduction="none",
    )
    weights = windows["weights"].repeat_interleave(2)
    return (of_places * weights).sum() / weights.sum()


def teaching_loss(scores: Any, windows: dict[str, Any]) -> Any:
    """How far the scores are from what the teachers predict."""
    shut = ~windows["open"].unsqueeze(-1)
    logs = scores.masked_fill(shut, -1e4).log_softmax(1)
    # What lies past a window's end belongs to another window.
    return -(windows["teachings"].float().masked_fill(shut, 0.0) * logs).sum(1).mean()
