"""Training a span reader: from tests with known answers, and clozes, to a model's folder."""

from __future__ import annotations

import contextlib
import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.folders import claiming_folder
from readmark.corpus.formats import open_test
from readmark.corpus.spans import answer_spans
from readmark.corpus.test import Test
from readmark.corpus.values import Answer, Unit
from readmark.corpus.version import __version__
from readmark.workflows.span_settings import (
    checks_of,
    fitted,
    keep_still,
    require_able,
    require_comprehension,
    require_plan,
    require_teachers,
)

if TYPE_CHECKING:
    from readmark.models.span.ahead import Make
    from readmark.models.span.learning import Plan
    from readmark.models.span.lessons import Lesson, Packed
    from readmark.models.span.shape import Shape
    from readmark.models.span.tokens import Tokenizer

Tell = Callable[[str], None]
CHECKPOINT = "checkpoint.pt"
REPORT = "training.json"
CURVES = "training.svg"
SHOWN = 40
"""Windows that an export is shown, to learn how large its activations are."""
NOTHING = "there is nothing to learn from: name a test, or passages for clozes"


@dataclass(frozen=True, slots=True)
class Taught:
    """What one test gave to the training."""

    file: str
    weight: float
    questions: int
    skipped: int
    """Questions without an answer that stands in its passage."""


@dataclass(frozen=True, slots=True)
class Trained:
    """What was learnt from, how it went, and where the model is."""

    model: str
    tests: tuple[Taught, ...]
    epochs: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Clozes:
    """Raw passages to make clozes of, before or beside the tests."""

    file: str
    a_passage: int = 8
    processes: int = 1
    limit: int | None = None


def train_span(
    tests: Sequence[str | Path],
    out: str | Path,
    *,
    encoder: str,
    plan: Plan | None = None,
    shape: Shape | None = None,
    also: Sequence[tuple[float, str]] = (),
    clozes: Clozes | None = None,
    check: Sequence[str | Path] = (),
    hold_out: float = 0.0,
    blank_share: float = 0.1,
    teachers: Sequence[str] = (),
    dropout: float | None = None,
    layers: int | None = None,
    masked: float = 0.0,
    resume: bool = False,
    export: bool = True,
    tell: Tell = lambda _: None,
) -> Trained:
    """Train on tests or on clozes and write a folder that ``span(model=FOLDER)`` reads with."""
    from readmark.models.hf.hub import is_fetched, using_hub
    from readmark.models.span.batches import one_by_one
    from readmark.models.span.checkpoint import drop, keep, settings_of
    from readmark.models.span.learning import Plan, learn
    from readmark.models.span.lessons import pack
    from readmark.models.span.masking import make_masker
    from readmark.models.span.network import (
        copy_tokenizer,
        deepen,
        load_network,
        load_teacher,
        save_network,
        torch_parts,
    )
    from readmark.models.span.onnx_scoring import FLOAT, SMALL
    from readmark.models.span.shape import write_shape
    from readmark.models.span.tokens import load_tokenizer
    from readmark.models.span.words import make_words, save_words
    from readmark.reporting.training_plot import write_curves

    plan = plan or Plan()
    if not tests and not also and clozes is None:
        raise UsageError(NOTHING)
    require_plan(plan, marked=bool(check or hold_out))
    opened = [(1.0, open_test(path)) for path in tests]
    opened += [(weight, open_test(path)) for weight, path in also]
    checks = checks_of(check)
    shape = shape or chosen_shape(tests, encoder)
    require_teachers(teachers, shape)
    keep_still()
    fetched = is_fetched(encoder, tell)
    with _folder(out) as folder:
        with using_hub(allowed=fetched):
            copy_tokenizer(encoder, folder)
            tokenizer = load_tokenizer(folder, simplify=shape.simplify)
            torch_parts()[0].manual_seed(plan.seed)  # new heads are drawn as well
            network = load_network(encoder, dropout=dropout)
        require_able(network.encoder, layers=layers, dropout=dropout, masked=masked)
        shape = fitted(shape, network, tell)
        if layers is not None:
            deepen(network.encoder, layers)
        words = masker = None
        if masked:
            words = make_words(network.encoder, encoder)
            masker = make_masker(words, share=masked, mask=tokenizer.mask())
        lessons: list[Lesson] = []
        taught: list[Taught] = []
        held: list[tuple[Test, list[Unit]]] = []
        for weight, test in opened:
            found, told, kept = _lessons(test, weight, hold_out)
            asked = f"{told.questions} questions, weight {weight:g}, {told.skipped} skipped"
            tell(f"{test.file}: {asked}")
            lessons.extend(found)
            taught.append(told)
            held.append((test, kept))
        if hold_out and opened and not any(kept for _, kept in held):
            raise UsageError(f"a share of {hold_out:g} holds none of the passages out: give more")
        refresh = None
        if clozes is not None:
            refresh = _cloze_maker(clozes, shape, folder, plan.seed, tell)
        packed = pack(lessons, shape, tokenizer, blank_share=blank_share, seed=plan.seed)
        if refresh is not None:
            refresh = _beside(refresh, packed)
            packed = refresh(1, lambda: False)
        if not len(packed):
            raise DataError("there is no question with a known answer to learn from")
        tell(f"{len(packed)} windows, {int(packed.sizes.sum())} tokens")
        looked = _checker(checks, held, shape, tokenizer)
        checkpoint = folder / CHECKPOINT
        if resume:
            more = {"masked": masked, "dropout": dropout, "teachers": list(teachers)}
            more |= {"hold_out": hold_out, "checks": list(checks)}
            keep(checkpoint, settings_of(network, packed, **more))
        else:
            drop(checkpoint)
        done = learn(
            network,
            packed,
            plan,
            check=looked,
            checkpoint=checkpoint if resume else None,
            teachers=[load_teacher(name, folder) for name in teachers],
            refresh=refresh,
            masker=masker,
            tell=tell,
        )
        note = {
            "version": __version__,
            "encoder": Path(encoder).name,
            "plan": asdict(plan),
            "tests": [asdict(replace(one, file=Path(one.file).name)) for one in taught],
            "clozes": clozes and {**asdict(clozes), "file": Path(clozes.file).name},
            "layers": layers,
            "masked": masked,
            "before": shape.note,
        }
        for name in (FLOAT, SMALL):  # an earlier training's would be sat with
            (folder / name).unlink(missing_ok=True)
        save_network(network, folder)
        if words is not None:
            save_words(words, folder)
        write_shape(msgspec.structs.replace(shape, note=note), folder)
        epochs = tuple(asdict(one) for one in done)
        (folder / REPORT).write_bytes(msgspec.json.format(msgspec.json.encode(epochs), indent=2))
        write_curves(epochs, folder / CURVES)
        if export:
            from readmark.models.span.exporting import export as write_exports

            write_exports(folder, folder, list(one_by_one(packed, SHOWN)))
        drop(checkpoint)
        return Trained(str(out), tuple(taught), epochs)


@contextlib.contextmanager
def _folder(out: str | Path) -> Iterator[Path]:
    """The folder to train into, this process's alone until it is trained."""
    folder = Path(out)
    if folder.is_file() or not folder.parent.is_dir():
        raise UsageError(f"{out} cannot be written: it must be a folder in one that is there")
    folder.mkdir(exist_ok=True)
    with claiming_folder(folder, "training into"):
        yield folder


def chosen_shape(
    tests: Sequence[str | Path],
    encoder: str,
    *,
    language: str | None = None,
    length: int | None = None,
    answer: int | None = None,
    passage_first: bool = False,
) -> Shape:
    """What was asked for; else what the encoder was trained with; else what the tests need."""
    from readmark.models.span.shape import FILE, Shape, read_shape

    if (Path(encoder) / FILE).is_file():
        shape = read_shape(Path(encoder))
    else:
        spoken = language or (open_test(tests[0]).language if tests else "")
        if not spoken:
            raise UsageError("the language of the clozes is not told: give --language")
        shape = Shape(language=spoken, simplify=spoken == "zh")
    asked: dict[str, Any] = {"language": language, "length": length, "answer": answer}
    asked["passage_first"] = passage_first or None
    given = {name: value for name, value in asked.items() if value is not None}
    return msgspec.structs.replace(shape, **given)


def _lessons(test: Test, weight: float, hold_out: float) -> tuple[list[Lesson], Taught, list[Unit]]:
    from readmark.models.span.lessons import Lesson

    require_comprehension(test)
    if not 0 < weight < math.inf:
        raise UsageError(f"the weight of {test.file} is {weight:g}, expected more than 0")
    lessons: list[Lesson] = []
    held: list[Unit] = []
    counts: Counter[str] = Counter()
    for unit in test.units():
        key = unit.item.key
        text = unit.record.text
        if _share(text) < hold_out:
            held.append(unit)
            continue
        spans = tuple(answer_spans(text, key.answers if key else ()))
        if spans or (key and key.unanswerable):
            lessons.append(Lesson(text, unit.item.text, spans, weight))
        else:
            counts["skipped"] += 1
    return lessons, Taught(test.file, weight, len(lessons), counts["skipped"]), held


def _share(text: str) -> float:
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()[0] / 256


def _cloze_maker(clozes: Clozes, shape: Shape, folder: Path, seed: int, tell: Tell) -> Make:
    """Clozes of the passages, others each epoch."""
    from readmark.models.span.clozes.packing import pack_clozes, read_articles

    articles = read_articles(Path(clozes.file))[: clozes.limit]

    def make(epoch: int, is_stopped: Callable[[], bool]) -> Packed:
        made = pack_clozes(
            articles,
            shape,
            folder,
            many=clozes.a_passage,
            seed=seed * 1000 + epoch,
            processes=clozes.processes,
            is_stopped=is_stopped,
        )
        if not is_stopped():
            tell(f"{clozes.file}: {len(made)} clozes of {len(articles)} passages")
        return made

    return make


def _beside(make: Make, own: Packed) -> Make:
    from readmark.models.span.lessons import joined

    return lambda epoch, is_stopped: joined([make(epoch, is_stopped), own])


def _checker(
    checks: dict[str, Test],
    held: Sequence[tuple[Test, Sequence[Unit]]],
    shape: Shape,
    tokenizer: Tokenizer,
) -> Callable[[Any], dict[str, float]] | None:
    """Marks by Readmark's own marking, first those that decide which epoch is best.

    What was held out of several tests is one mark, their mean: a large test counts no more than
    a small one, or the epoch is chosen by the manner of its questions.
    """
    kept = [(test, units) for test, units in held if units]
    if not checks and not kept:
        return None
    from readmark.models.span.network import torch_scorer

    asked = {name: (test, list(test.units())) for name, test in checks.items()}

    def look(network: Any) -> dict[str, float]:
        scorer = torch_scorer(network)
        marks: dict[str, float] = {}
        for test, units in kept:
            for metric, value in marked(test, units, shape, tokenizer, scorer).items():
                name = f"held {metric}"
                marks[name] = marks.get(name, 0.0) + value / len(kept)
        for check, (test, units) in asked.items():
            for metric, value in marked(test, units, shape, tokenizer, scorer).items():
                marks[f"{check} {metric}"] = value
        return marks

    return look


def marked(
    test: Test,
    units: Sequence[Unit],
    shape: Shape,
    tokenizer: Tokenizer,
    scorer: Any,
    *,
    batch: int = 64,
) -> dict[str, float]:
    """F1 and EM of a scorer's answers to units of a test."""
    from readmark.marking.metrics import build_metrics
    from readmark.models.span.reading import read

    replies = read(
        [(unit.record.text, unit.item.text) for unit in units],
        shape,
        tokenizer,
        scorer,
        batch=batch,
    )
    found: dict[str, float] = {}
    for name, metric in build_metrics(["f1", "em"], test).items():
        total = count = 0.0
        for unit, reply in zip(units, replies, strict=True):
            said = (
                unit.record.text[reply.found[0].start : reply.found[0].end] if reply.found else ""
            )
            one, many = metric.statistics(unit, test.kind.references(unit), Answer(text=said))
            total, count = total + one, count + many
        found[name] = 100 * total / max(1.0, count)
    return found
