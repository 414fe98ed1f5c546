"""Learning: the log-likelihood of starts and ends, epoch by epoch, on a CPU or a GPU."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from readmark.comprehension.span.lessons import (
    PackedWindows,
    Room,
    Unpadded,
    batch,
    batches,
    is_unpadded,
    room_for,
    row,
    rows,
    teacher_probabilities,
    to_device,
)
from readmark.comprehension.span.network import torch_parts
from readmark.core.errors import UsageError
from readmark.core.numbers import decimal
from readmark.core.progress import Tell
from readmark.core.writing import put_in_place

# The running mean of a network's weights, which reads better than the last step's.


class WeightAverage:
    """Weights that follow a network's slowly; the mean of the steps so far at the beginning."""

    def __init__(self, torch: Any, network: Any, keep: float) -> None:
        self._torch = torch
        self._keep = keep
        self._steps = 0
        self._parameters = [
            parameter for parameter in network.parameters() if parameter.requires_grad
        ]
        self._mean = [parameter.detach().clone() for parameter in self._parameters]

    def follow(self) -> None:
        """Take a step towards where the network is now."""
        self._steps += 1
        share = max(1 - self._keep, 1 / self._steps)
        with self._torch.no_grad():
            self._torch._foreach_lerp_(self._mean, self._parameters, share)

    @contextmanager
    def worn(self) -> Iterator[None]:
        """The network with the mean for its weights, as long as this lasts."""
        self._swap()
        try:
            yield
        finally:
            self._swap()

    def settle(self) -> None:
        """Leave the mean in the network for good."""
        self._swap()

    def state(self) -> dict[str, Any]:
        """What a checkpoint keeps."""
        return {"steps": self._steps, "mean": self._mean}

    def restore(self, state: dict[str, Any]) -> None:
        """Resume from the state in a checkpoint."""
        self._steps = state["steps"]
        with self._torch.no_grad():
            for mean, kept in zip(self._mean, state["mean"], strict=True):
                mean.copy_(kept)

    def _swap(self) -> None:
        for parameter, mean in zip(self._parameters, self._mean, strict=True):
            parameter.data, mean.data = mean.data, parameter.data


# How far a training is, by steps or by the clock, and how fast it learns there.


class Pace:
    """A rate that rises, then falls to nothing at the last step or when time is up."""

    def __init__(
        self,
        steps: int,
        *,
        warmup: float,
        minutes: float = 0.0,
        spent: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._steps = steps
        self._rise = max(1, int(steps * warmup))
        self._seconds = minutes * 60
        self._clock = clock
        self._begun = clock() - spent

    def share(self, step: int) -> float:
        """The share of the rate that this step learns with."""
        at = max(float(step), self._by_clock() * self._steps)
        rising = min(at + 1, self._rise) / self._rise
        falling = 1 - max(0.0, at - self._rise) / max(1, self._steps - self._rise)
        return rising * max(0.0, falling)

    def is_up(self) -> bool:
        """Whether the time is up, where there is a limit."""
        return self._by_clock() >= 1

    def _by_clock(self) -> float:
        return (self._clock() - self._begun) / self._seconds if self._seconds else 0.0


CheckModel = Callable[[Any], dict[str, float]]


@dataclass(frozen=True, slots=True)
class SpanPlan:
    """How a network is trained; the settings of CMRC 2018's baseline where nothing is said."""

    rate: float = 3e-5
    batch: int = 32
    epochs: int = 2
    warmup: float = 0.06
    decay: float = 0.01
    accumulate: int = 1
    clip: float = 1.0
    seed: int = 1
    device: str = ""
    mixed: bool = True
    """Half precision where the device has it."""
    patience: int = 0
    """Epochs without a better mark before it stops; 0 never stops."""
    minutes: float = 0.0
    """After how long it stops, the rate having fallen by then; 0 for no limit."""
    average: float = 0.0
    """How much of the mean of the weights each step keeps; 0 for the last weights alone."""
    distil: float = 0.7
    """The weight of teachers relative to the answers, if there are teachers."""
    unpadded: bool | None = None
    """Windows end to end instead of side by side; where nothing is said, on a GPU that can."""


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
    run = _Run(torch, network, plan, device, masker, progress)
    done: list[Epoch] = []
    best: tuple[float, Any] | None = None
    if checkpoint is not None and checkpoint.is_file():
        done, best = run.resume(checkpoint)
        progress(f"resumed after epoch {len(done)}")
    run.begin(steps, sum(epoch.seconds for epoch in done))
    for number in range(len(done) + 1, plan.epochs + 1):
        if plan.patience and _waited(done) >= plan.patience:
            progress(f"no better mark in {plan.patience} epochs")
            break
        started = time.perf_counter()
        loss = run.epoch(lessons, number, teachings)
        with run.averaged():
            marks = check(network) if check is not None else {}
            value = next(iter(marks.values()), None)
            if value is not None and (best is None or value > best[0]):
                best = (
                    value,
                    {key: one.detach().cpu().clone() for key, one in network.state_dict().items()},
                )
        done.append(Epoch(number, loss, time.perf_counter() - started, marks))
        said = [f"loss {decimal(loss, 4)}", f"{decimal(done[-1].seconds, 0)} s"]
        said += [f"{name} {decimal(value)}" for name, value in marks.items()]
        progress(f"epoch {number} of {plan.epochs}: {', '.join(said)}")
        if checkpoint is not None:
            run.save(checkpoint, done, best)
        if run.is_up():
            progress(f"{plan.minutes:g} minutes are up")
            break
    run.settle(None if best is None else best[1])
    return done


def _waited(done: Sequence[Epoch]) -> int:
    """How many epochs ago the best mark was."""
    marks = [next(iter(epoch.marks.values())) for epoch in done if epoch.marks]
    return len(marks) - 1 - marks.index(max(marks)) if marks else 0


def optimiser(torch: Any, network: Any, plan: SpanPlan) -> Any:
    """What takes the steps; only matrices decay."""
    plain = [parameter for parameter in network.parameters() if parameter.ndim < 2]
    matrices = [parameter for parameter in network.parameters() if parameter.ndim >= 2]
    groups = [
        {"params": matrices, "weight_decay": plan.decay},
        {"params": plain, "weight_decay": 0.0},
    ]
    fused = next(network.parameters()).is_cuda
    return torch.optim.AdamW(groups, lr=plan.rate, betas=(0.9, 0.98), eps=1e-6, fused=fused)


class _Run:
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
            own = {"params": list(masker.parameters()), "weight_decay": 0.0}
            self._optimiser.add_param_group(own)
        self._average = WeightAverage(torch, network, plan.average) if plan.average else None
        self._step = 0
        self._room: Room | None = None
        self._way: Unpadded | None = None

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
            half = plan.mixed and device.startswith("cuda")
            self._way = Unpadded(torch, self._network.encoder, self._room, half=half)
        seed = plan.seed * 1000 + number
        torch.manual_seed(seed)  # what is dropped and hidden is the same after a break
        if self._room is not None:
            drawn = list(rows(lessons, self._room, seed))
        else:
            drawn = list(batches(lessons, plan.batch, seed))
        said = time.perf_counter()
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
            if time.perf_counter() - said > 15:
                said = time.perf_counter()
                self._progress(
                    f"  {learnt} of {len(drawn)} batches, loss {decimal(float(total) / learnt, 4)}"
                )
        return float(total) / max(1, learnt)

    def averaged(self) -> AbstractContextManager[None]:
        """The network as it would be kept."""
        return nullcontext() if self._average is None else self._average.worn()

    def is_up(self) -> bool:
        """Whether the time is up."""
        return self._pace.is_up()

    def settle(self, best: Any) -> None:
        """Leave the best weights in the network, or the last ones."""
        if best is not None:
            self._network.load_state_dict(best)
        elif self._average is not None:
            self._average.settle()

    def _learn(self, one: dict[str, Any]) -> Any:
        torch, plan = self._torch, self._plan
        half = plan.mixed and self._device.startswith("cuda")
        with torch.autocast("cuda" if half else "cpu", torch.bfloat16, enabled=half):
            ids, hidden = one["ids"], None
            if self._masker is not None:
                ids, hidden = self._masker.hide(ids, one["free"])
            if self._way is not None:
                states = self._way.states(ids, one)
            else:
                states = self._network.states(ids, one["types"], one["mask"])
            loss = 0.0 if hidden is None else self._masker(states, one["ids"], hidden)
        # Scores in full: half precision is too coarse for the likelihood of one place in hundreds.
        scores = self._network.heads(states.float())
        if "grid" in one:
            scores = scores[one["grid"]]
        own = span_loss(torch, scores, one)
        if "teachings" in one:
            own = (1 - plan.distil) * own + plan.distil * _apart(scores, one)
        loss = loss + own
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
        beside = path.with_name(path.name + ".part")
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
            beside,
        )
        put_in_place(beside, path)

    def resume(self, path: Path) -> tuple[list[Epoch], tuple[float, Any] | None]:
        """Go on from what was saved: the epochs that are done, and the best weights so far."""
        held = self._torch.load(path, map_location=self._device, weights_only=True)
        if held.get("plan") != asdict(self._plan) or "step" not in held:
            raise UsageError(f"{path} was written with other settings; remove it to start over")
        self._network.load_state_dict(held["network"])
        self._optimiser.load_state_dict(held["optimiser"])
        if self._average is not None:
            self._average.restore(held["average"])
        if self._masker is not None:
            self._masker.load_state_dict(held["masker"])
        self._step = held["step"]
        return [Epoch(**one) for one in held["done"]], held["best"]


def span_loss(torch: Any, scores: Any, one: Any) -> Any:
    """How unlikely a batch's answers are by the scores."""
    closed = scores.masked_fill(~one["open"].unsqueeze(-1), -1e4)
    each = torch.nn.functional.cross_entropy(
        closed.permute(0, 2, 1).flatten(0, 1),
        one["answers"].flatten(),
        reduction="none",
    )
    weights = one["weights"].repeat_interleave(2)
    return (each * weights).sum() / weights.sum()


def _apart(scores: Any, one: Any) -> Any:
    """How far the scores are from what the teachers predict."""
    shut = ~one["open"].unsqueeze(-1)
    said = scores.masked_fill(shut, -1e4).log_softmax(1)
    # What lies past a window's end belongs to another window.
    return -(one["teachings"].float().masked_fill(shut, 0.0) * said).sum(1).mean()
