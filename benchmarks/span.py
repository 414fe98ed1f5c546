"""How well and how fast a span reader answers, beside the pipeline of transformers.

    python benchmarks/span.py ../shared/data/xquad/en.json MODEL [--questions 100] [--beside]

MODEL is a folder that ``readmark train span`` wrote. Times are CPU seconds of this process, one
thread each, in interleaved rounds. ``--beside`` needs torch and transformers below 5, which took
the pipeline out: it runs the same weights as a question-answering pipeline in float.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from readmark.corpus.formats import open_test
from readmark.corpus.test import Test
from readmark.corpus.values import Answer, Unit
from readmark.marking.metrics import build_metrics
from readmark.sitting.candidates import build_candidate

Reader = Callable[[Sequence[Unit]], list[str]]
ROUNDS = 3


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("test")
    asked.add_argument("model")
    asked.add_argument("--questions", type=int, default=100)
    asked.add_argument("--beside", action="store_true")
    given = asked.parse_args()
    test = open_test(given.test)
    units = list(test.units())
    units = units[:: max(1, len(units) // given.questions)]
    readers: dict[str, Reader] = {
        f"span {one}": _candidate(f"span(model={given.model}, precision={one})", test)
        for one in ("int8", "float")
        if _has(Path(given.model), one)
    }
    if given.beside:
        readers["pipeline"] = _pipeline(given.model)
    spent = dict.fromkeys(readers, 0.0)
    said: dict[str, list[str]] = {}
    for _ in range(ROUNDS):
        for name, reader in readers.items():
            started = time.process_time()
            said[name] = reader(units)
            spent[name] += time.process_time() - started
    print(f"{'reader':12} {'n':>5} {'q/CPU s':>8} {'F1':>6} {'EM':>6}")
    for name, answers in said.items():
        marks = _marks(test, units, answers)
        rate = ROUNDS * len(units) / spent[name]
        print(f"{name:12} {len(units):5d} {rate:8.1f} {marks['f1']:6.2f} {marks['em']:6.2f}")
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most")


def _has(folder: Path, precision: str) -> bool:
    from readmark.models.span.onnx_scoring import FILES

    return (folder / FILES[precision][0]).is_file()


def _candidate(name: str, test: Test) -> Reader:
    _, candidate = build_candidate(name, test)
    candidate.prepare(test.kind, test.language)

    def read(units: Sequence[Unit]) -> list[str]:
        rows = {row.id: row for row in candidate.answer(units)}
        return [str(rows[unit.id].text) for unit in units]

    return read


def _pipeline(folder: str) -> Reader:
    """Heads of ours, encoder and windows of theirs."""
    import torch
    import transformers

    from readmark.models.span.network import load_network
    from readmark.models.span.tokens import FILE

    torch.set_num_threads(1)
    network = load_network(folder)
    kind = transformers.AutoModelForQuestionAnswering
    model = kind.from_config(network.encoder.config)
    own = getattr(model, model.base_model_prefix)
    own.load_state_dict(network.encoder.state_dict())
    model.qa_outputs.load_state_dict(network.heads.state_dict())
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(Path(folder) / FILE),
        cls_token="[CLS]",
        sep_token="[SEP]",
        pad_token="[PAD]",
        unk_token="[UNK]",
        mask_token="[MASK]",
    )
    try:
        run: Any = transformers.pipeline("question-answering", model=model, tokenizer=tokenizer)
    except KeyError as error:
        raise SystemExit("transformers 5 has no such pipeline: install transformers<5") from error

    def read(units: Sequence[Unit]) -> list[str]:
        return [
            run(question=unit.item.text, context=unit.record.text, max_answer_len=64)["answer"]
            for unit in units
        ]

    return read


def _marks(test: Test, units: Sequence[Unit], answers: Sequence[str]) -> dict[str, float]:
    found = {}
    for name, metric in build_metrics(["f1", "em"], test).items():
        vectors = [
            metric.statistics(unit, test.kind.references(unit), Answer(text=answer))
            for unit, answer in zip(units, answers, strict=True)
        ]
        found[name] = 100 * sum(one[0] for one in vectors) / max(1, sum(one[1] for one in vectors))
    return found


if __name__ == "__main__":
    main()
