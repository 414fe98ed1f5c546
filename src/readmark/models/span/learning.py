"""Learning: the log-likelihood of starts and ends, epoch by epoch, on a CPU or a GPU."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from readmark.models.span.batches import batch, batches, to_device
from readmark.models.span.lessons import Packed
from readmark.models.span.network import torch_parts

Tell = Callable[[str], None]
Check = Callable[[Any], dict[str, float]]


@dataclass(frozen=True, slots=True)
class Plan:
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
    distil: float = 0.7
    """How much teachers count beside the answers, where there are teachers."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """What an epoch came to."""

    number: int
    loss: float
    seconds: float
    marks: dict[str, float]


def learn(
    network: Any,
    lessons: Packed,
    plan: Plan,
    *,
    check: Check | None = None,
    checkpoint: Path | None = None,
    teachers: Sequence[Any] = (),
    refresh: Callable[[int], Packed] | None = None,
    tell: Tell = lambda _: None,
) -> list[Epoch]:
    """Train in place; the best epoch's weights stay where a check says which is best."""
    torch, _ = torch_parts()
    device = plan.device or ("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(plan.seed)
    network.to(device)
    for teacher in teachers:
        teacher.to(device).eval()
    steps = math.ceil(len(lessons) / plan.batch / plan.accumulate) * plan.epochs
    optimiser = _optimiser(torch, network, plan)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, _slope(steps, plan.warmup))
    done: list[Epoch] = []
    best: tuple[float, Any] | None = None
    begun = 0
    if checkpoint is not None and checkpoint.is_file():
        begun, done = _resume(torch, checkpoint, plan, network, optimiser, schedule, device)
        tell(f"resumed after epoch {begun}")
    ahead = ThreadPoolExecutor(1)
    coming = None
    for number in range(begun + 1, plan.epochs + 1):
        started = time.perf_counter()
        if refresh is not None and number > 1:
            lessons = coming.result() if coming is not None else refresh(number)
        if refresh is not None and number < plan.epochs:
            coming = ahead.submit(refresh, number + 1)  # made while this epoch is learnt
        loss = _epoch(
            torch, network, lessons, plan, number, device, optimiser, schedule, teachers, tell
        )
        marks = check(network) if check is not None else {}
        done.append(Epoch(number, loss, time.perf_counter() - started, marks))
        said = ", ".join(f"{name} {value:.2f}" for name, value in marks.items())
        tell(f"epoch {number} of {plan.epochs}: loss {loss:.4f}, {done[-1].seconds:.0f} s {said}")
        if checkpoint is not None:
            _save(torch, checkpoint, plan, network, optimiser, schedule, done)
        if marks:
            value = next(iter(marks.values()))
            if best is None or value > best[0]:
                state = {
                    key: one.detach().cpu().clone() for key, one in network.state_dict().items()
                }
                best = value, state
            elif plan.patience and number - _best_epoch(done) >= plan.patience:
                tell(f"no better mark in {plan.patience} epochs")
                break
    if best is not None:
        network.load_state_dict(best[1])
    return done


def _best_epoch(done: Sequence[Epoch]) -> int:
    return max(done, key=lambda one: next(iter(one.marks.values()))).number


def _optimiser(torch: Any, network: Any, plan: Plan) -> Any:
    plain = [one for one in network.parameters() if one.ndim < 2]
    matrices = [one for one in network.parameters() if one.ndim >= 2]
    groups = [
        {"params": matrices, "weight_decay": plan.decay},
        {"params": plain, "weight_decay": 0.0},
    ]
    fused = next(network.parameters()).is_cuda
    return torch.optim.AdamW(groups, lr=plan.rate, betas=(0.9, 0.98), eps=1e-6, fused=fused)


def _slope(steps: int, warmup: float) -> Callable[[int], float]:
    rise = max(1, int(steps * warmup))
    return lambda step: (
        min(step + 1, rise) / rise * max(0.0, 1 - max(0, step - rise) / max(1, steps - rise))
    )


def _epoch(
    torch: Any,
    network: Any,
    lessons: Packed,
    plan: Plan,
    number: int,
    device: str,
    optimiser: Any,
    schedule: Any,
    teachers: Sequence[Any],
    tell: Tell,
) -> float:
    network.train()
    data = to_device(torch, lessons, device)
    half = plan.mixed and device.startswith("cuda")
    total = torch.zeros((), device=device)
    drawn = list(batches(lessons, plan.batch, plan.seed * 1000 + number))
    told = time.perf_counter()
    for at, places in enumerate(drawn):
        one = batch(torch, data, places, device)
        with torch.autocast("cuda" if half else "cpu", torch.bfloat16, enabled=half):
            scores = network(one["ids"], one["types"], one["mask"]).float()
            loss = _loss(torch, scores, one)
            if teachers:
                loss = (1 - plan.distil) * loss + plan.distil * _taught(
                    torch, scores, one, teachers
                )
        (loss / plan.accumulate).backward()
        if (at + 1) % plan.accumulate == 0 or at + 1 == len(drawn):
            torch.nn.utils.clip_grad_norm_(network.parameters(), plan.clip)
            optimiser.step()
            schedule.step()
            optimiser.zero_grad(set_to_none=True)
        total += loss.detach()
        if time.perf_counter() - told > 15:
            told = time.perf_counter()
            tell(f"  {at + 1} of {len(drawn)} batches, loss {float(total) / (at + 1):.4f}")
    return float(total) / max(1, len(drawn))


def _loss(torch: Any, scores: Any, one: Any) -> Any:
    closed = scores.masked_fill(~one["open"].unsqueeze(-1), -1e4)
    each = torch.nn.functional.cross_entropy(
        closed.permute(0, 2, 1).flatten(0, 1),
        one["answers"].flatten(),
        reduction="none",
    )
    weights = one["weights"].repeat_interleave(2)
    return (each * weights).sum() / weights.sum()


def _taught(torch: Any, scores: Any, one: Any, teachers: Sequence[Any]) -> Any:
    """How far the scores are from the mean of the teachers' probabilities."""
    shut = ~one["open"].unsqueeze(-1)
    with torch.no_grad():
        told = [
            teacher(one["ids"], one["types"], one["mask"])
            .float()
            .masked_fill(shut, -1e4)
            .softmax(1)
            for teacher in teachers
        ]
        wanted = torch.stack(told).mean(0)
    said = scores.masked_fill(shut, -1e4).log_softmax(1)
    return -(wanted * said).sum(1).mean()


def _save(
    torch: Any, path: Path, plan: Plan, network: Any, optimiser: Any, schedule: Any, done: Any
) -> None:
    beside = path.with_name(path.name + ".part")
    torch.save(
        {
            "plan": asdict(plan),
            "network": network.state_dict(),
            "optimiser": optimiser.state_dict(),
            "schedule": schedule.state_dict(),
            "done": [asdict(one) for one in done],
        },
        beside,
    )
    beside.replace(path)


def _resume(
    torch: Any, path: Path, plan: Plan, network: Any, optimiser: Any, schedule: Any, device: str
) -> tuple[int, list[Epoch]]:
    from readmark.corpus.errors import UsageError

    held = torch.load(path, map_location=device, weights_only=True)
    if held["plan"] != asdict(plan):
        raise UsageError(f"{path} was written with other settings; remove it to begin anew")
    network.load_state_dict(held["network"])
    optimiser.load_state_dict(held["optimiser"])
    schedule.load_state_dict(held["schedule"])
    done = [Epoch(**one) for one in held["done"]]
    return len(done), done
