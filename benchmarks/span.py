"""How well and how fast a span reader answers, compared with the pipeline of transformers.

    python benchmarks/span.py ../shared/data/xquad/en.json MODEL [--questions 100] [--beside]
    python benchmarks/span.py ../shared/data/xquad/en.json MODEL --characters 500
    python benchmarks/span.py ../shared/data/xquad/en.json MODEL --sit

MODEL is a folder that ``readmark train span`` wrote. Times are CPU seconds of this process, one
thread each, in interleaved rounds. ``--characters 500`` takes passages that have as many and reads
no more of them. ``--beside`` runs the same weights as a question-answering pipeline in float, one
question a call and sixteen; transformers 5 took that pipeline out, so it wants an environment of
its own: ``pip install . torch==2.13.0 'transformers<5'``. The folders that ship have weights in 8
bits only: for these the pipeline runs a network of the same shape with random weights, so that its
rate counts and its marks do not.

``--sit`` lets ``readmark sit`` answer the whole test with one worker and with two, in turns, and
tells wall and CPU seconds and the memory of the largest process; two workers need two idle cores.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.records import Answer, Unit
from readmark.core.test import Test
from readmark.formats.registry import open_test
from readmark.marking import build_metrics
from readmark.sitting.candidates import build_candidate

Reader = Callable[[Sequence[Unit]], list[str]]
LONGEST, STRIDE = 32, 128
ATTENTION_HEADS = 12
"""Of a network whose attention is not fused: such a file does not say."""


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("test")
    asked.add_argument("model")
    asked.add_argument("--questions", type=int, default=100)
    asked.add_argument("--characters", type=int, help="of each passage")
    asked.add_argument("--rounds", type=int, default=3)
    asked.add_argument("--beside", action="store_true")
    asked.add_argument("--sit", action="store_true")
    given = asked.parse_args()
    if given.sit:
        sit(given.test, given.model, given.rounds)
        return
    test = open_test(given.test)
    units = list(_cut(test.units(), given.characters))
    units = units[:: max(1, len(units) // given.questions)]
    readers: dict[str, Reader] = {
        f"span {one}": _candidate(f"span(model={given.model}, precision={one})", test)
        for one in ("int8", "float")
        if _has(Path(given.model), one)
    }
    if given.beside:
        readers["pipeline"] = _pipeline(given.model, 1)
        readers["pipeline 16"] = _pipeline(given.model, 16)
    spent = dict.fromkeys(readers, 0.0)
    said: dict[str, list[str]] = {}
    for _ in range(given.rounds):
        for name, reader in readers.items():
            started = time.process_time()
            said[name] = reader(units)
            spent[name] += time.process_time() - started
    print(f"{'reader':12} {'n':>5} {'q/CPU s':>8} {'F1':>6} {'EM':>6}")
    for name, answers in said.items():
        marks = _marks(test, units, answers)
        rate = given.rounds * len(units) / spent[name]
        print(f"{name:12} {len(units):5d} {rate:8.1f} {marks['f1']:6.2f} {marks['em']:6.2f}")


def _cut(units: Iterable[Unit], characters: int | None) -> Iterator[Unit]:
    """All units, or those of long passages with as much of them."""
    for unit in units:
        text = unit.record.text
        if characters is None:
            yield unit
        elif len(text) >= characters:
            short = msgspec.structs.replace(unit.record, text=text[:characters])
            yield msgspec.structs.replace(unit, record=short)


def sit(test: str, model: str, rounds: int) -> None:
    """Seconds and memory of the command itself, one worker and two."""
    found: dict[int, list[tuple[float, float, float]]] = {1: [], 2: []}
    for _ in range(rounds):
        for workers, sat in found.items():
            sat.append(_sitting(test, model, workers))
    print(f"{'workers':>7} {'wall s':>7} {'CPU s':>7} {'MB':>5}   best of {rounds}")
    for workers, sat in found.items():
        wall, spent, memory = (min(column) for column in zip(*sat, strict=True))
        print(f"{workers:7d} {wall:7.1f} {spent:7.1f} {memory:5.0f}")
    one, two = (min(each[0] for each in sat) for sat in found.values())
    print(f"two workers are {one / two:.2f} times as fast as one")


def _sitting(test: str, model: str, workers: int) -> tuple[float, float, float]:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "readmark", "sit", test, "-r", f"span(model={model})"]
        command += ["-o", f"{folder}/rows.jsonl", "--workers", str(workers)]
        started = time.perf_counter()
        child = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
        if status:
            raise SystemExit(f"{' '.join(command)} failed")
    return time.perf_counter() - started, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def _has(folder: Path, precision: str) -> bool:
    from readmark.comprehension.span.onnx.scoring import FILES

    return (folder / FILES[precision][0]).is_file()


def _candidate(name: str, test: Test) -> Reader:
    _, candidate = build_candidate(name, test)
    candidate.prepare(test.kind, test.language)

    def read(units: Sequence[Unit]) -> list[str]:
        rows = {row.id: row for row in candidate.answer(units)}
        return [str(rows[unit.id].text) for unit in units]

    return read


def _pipeline(folder: str, together: int) -> Reader:
    """Heads of ours, encoder and windows of theirs."""
    import torch
    import transformers

    from readmark.comprehension.span.network import load_network
    from readmark.comprehension.span.tokens import TOKENS_FILE as FILE

    torch.set_num_threads(1)
    kind = transformers.AutoModelForQuestionAnswering
    if (Path(folder) / "config.json").is_file():
        network = load_network(folder)
        model = kind.from_config(network.encoder.config)
        own = getattr(model, model.base_model_prefix)
        own.load_state_dict(network.encoder.state_dict())
        model.qa_outputs.load_state_dict(network.heads.state_dict())
    else:
        model = kind.from_config(_same_shape(folder))
    model.eval()  # it would drop out else
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
        asked = [{"question": unit.item.text, "context": unit.record.text} for unit in units]
        found = run(asked, batch_size=together, max_answer_len=LONGEST, doc_stride=STRIDE)
        return [one["answer"] for one in found]

    return read


def _same_shape(folder: str) -> Any:
    """The shape of an exported network: ELECTRA's is BERT's with narrower embeddings."""
    import onnx
    import transformers

    graph = onnx.load(Path(folder) / "model.int8.onnx").graph
    turning = any(node.op_type == "RotaryEmbedding" for node in graph.node)
    kind = transformers.RoFormerConfig if turning else transformers.ElectraConfig
    heads = [one.i for one in _attributes(graph) if one.name == "num_heads" and one.i]
    shapes = [tuple(one.dims) for one in graph.initializer if len(one.dims) == 2]
    width = next(rows for rows, columns in shapes if columns == 2)
    words, narrow = max(shapes)
    inner = max(columns for rows, columns in shapes if rows == width)
    return kind(
        vocab_size=words,
        embedding_size=narrow,
        hidden_size=width,
        intermediate_size=inner,
        num_hidden_layers=shapes.count((width, inner)),
        num_attention_heads=heads[0] if heads else ATTENTION_HEADS,
    )


def _attributes(graph: Any) -> Iterator[Any]:
    """Of all nodes, also those of branches."""
    for node in graph.node:
        for one in node.attribute:
            yield one
            if one.HasField("g"):
                yield from _attributes(one.g)


def _marks(test: Test, units: Sequence[Unit], answers: Sequence[str]) -> dict[str, float]:
    found = {}
    for name, metric in build_metrics(["f1", "em"], test).items():
        vectors = [
            metric.statistics(unit, test.kind.references(unit), Answer(text=answer))
            for unit, answer in zip(units, answers, strict=True)
        ]
        found[name] = (
            100
            * sum(vector[0] for vector in vectors)
            / max(1, sum(vector[1] for vector in vectors))
        )
    return found


if __name__ == "__main__":
    main()
