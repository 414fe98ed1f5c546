"""Practice: batches of anything that has a loss, epoch by epoch."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from readmark.models.span.averaging import Average
from readmark.models.span.learning import Plan, optimiser
from readmark.models.span.network import torch_parts
from readmark.models.span.pace import Pace


def practise(
    module: Any,
    plan: Plan,
    batches_of: Callable[[int], Sequence[Any]],
    loss_of: Callable[[Any], Any],
    tell: Callable[[str], None],
) -> list[float]:
    """Train in place and leave the mean of the weights; the loss of each epoch."""
    torch, _ = torch_parts()
    device = plan.device or ("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(plan.seed)
    module.to(device).train()
    half = plan.mixed and device.startswith("cuda")
    steps = optimiser(torch, module, plan)
    mean = Average(torch, module, plan.average) if plan.average else None
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
        tell(f"epoch {epoch} of {plan.epochs}: loss {losses[-1]:.4f}, {spent:.0f} s")
        if pace.is_up():
            break
    if mean is not None:
        mean.settle()
    return losses
