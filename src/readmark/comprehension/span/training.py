"""Training a span reader: from tests with known answers to a model's folder."""

from __future__ import annotations

import contextlib
import hashlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.comprehension.hub import is_fetched, positions_of, using_hub
from readmark.comprehension.metrics.exact_match import ExactMatch
from readmark.comprehension.metrics.f1 import F1
from readmark.comprehension.span.answers import read
from readmark.comprehension.span.confidence import FittedConfidence, train_confidence
from readmark.comprehension.span.lessons import (
    PackedWindows,
    SpanLesson,
    pack_apart,
    sample_windows,
)
from readmark.comprehension.span.network import (
    HEADS,
    copy_tokenizer,
    deepen,
    load_network,
    load_teacher,
    make_masker,
    make_words,
    save_network,
    save_words,
    torch_parts,
    torch_scorer,
)
from readmark.comprehension.span.onnx import FLOAT, SMALL
from readmark.comprehension.span.onnx import export as write_exports
from readmark.comprehension.span.optimisation import SpanPlan, learn
from readmark.comprehension.span.tokens import (
    FILE,
    SHORTEST,
    SpanShape,
    Tokenizer,
    load_tokenizer,
    read_shape,
    write_shape,
)
from readmark.core.counts import counted
from readmark.core.errors import DataError, UsageError
from readmark.core.files import JSON_ERRORS
from readmark.core.new_folders import claiming_folder
from readmark.core.pictures import COLOURS, INK, MUTED, SIZE, picture, plain_axes
from readmark.core.progress import Tell
from readmark.core.records import Answer, Unit
from readmark.core.spans import answer_spans
from readmark.core.test import Test
from readmark.core.version import __version__
from readmark.formats.registry import open_test
from readmark.formats.training_tests import TrainedModel, TrainingTests
from readmark.text.training_record import FILE as RECORD
from readmark.text.training_record_files import recorded_in

if TYPE_CHECKING:
    from rich.console import Console

# What a checkpoint resumes from: the same network, lessons and settings, or none of it.


def settings_file(checkpoint: Path) -> Path:
    """Where the settings of a checkpoint are kept."""
    return checkpoint.with_name(checkpoint.name + ".json")


def settings_of(network: Any, lessons: PackedWindows, **more: Any) -> dict[str, Any]:
    """What a training depends on in addition to its plan."""
    weights = hashlib.sha256()
    for name, one in sorted(network.state_dict().items()):
        weights.update(name.encode())
        weights.update(one.detach().cpu().contiguous().numpy())
    learnt = hashlib.sha256()
    for name in ("ids", "sizes", "splits", "lows", "starts", "ends", "weights"):
        learnt.update(getattr(lessons, name).tobytes())
    found = {"encoder": weights.hexdigest()[:16], "lessons": learnt.hexdigest()[:16]}
    return {**found, **more}


def write_settings(checkpoint: Path, settings: Mapping[str, Any]) -> None:
    """Write a checkpoint's settings next to it; an existing checkpoint must have the same."""
    path = settings_file(checkpoint)
    plain = msgspec.json.decode(msgspec.json.encode(settings))
    if checkpoint.is_file():
        _require_readable(checkpoint)
        other = [name for name, value in plain.items() if _read(path).get(name, value) != value]
        if other:
            message = f"{checkpoint} was written with other settings ({', '.join(other)})"
            raise UsageError(f"{message}; remove it to start over")
    path.write_bytes(msgspec.json.encode(plain))


def drop_checkpoint(checkpoint: Path) -> None:
    """Remove a checkpoint and its settings."""
    checkpoint.unlink(missing_ok=True)
    settings_file(checkpoint).unlink(missing_ok=True)


def _read(path: Path) -> dict[str, Any]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except (OSError, *JSON_ERRORS):
        return {}


def _require_readable(checkpoint: Path) -> None:
    torch, _ = torch_parts()
    try:
        held = torch.load(checkpoint, map_location="cpu", weights_only=True)
    except Exception as error:  # the library has one for every way to be damaged
        raise DataError(f"{checkpoint} is damaged; remove it to start over") from error
    if not isinstance(held, dict) or "step" not in held:
        raise DataError(f"{checkpoint} is no checkpoint; remove it to start over")


# What a training of a span reader needs of its settings, checked before anything is learnt.


def require_plan(plan: SpanPlan, *, marked: bool) -> None:
    """A rate that is one, a device that is there, and marks to be patient with."""
    torch, _ = torch_parts()
    if not 0 < plan.rate < math.inf:
        raise UsageError(f"the rate is {plan.rate:g}, expected more than 0")
    if plan.patience and not marked:
        raise UsageError("patience needs marks: give --check TEST or --hold-out SHARE")
    if plan.device:
        try:
            torch.zeros(1, device=plan.device)
        except (RuntimeError, AssertionError) as error:
            said = " ".join(str(error).split())[:200]
            raise UsageError(f"the device {plan.device} cannot be used: {said}") from None


def checks_of(paths: Sequence[str | Path], tests: TrainingTests) -> dict[str, Test]:
    """The tests that are marked each epoch, by the names their marks have."""
    stems = [Path(str(path)).stem for path in paths]
    found: dict[str, Test] = {}
    for path, stem in zip(paths, stems, strict=True):
        test = tests.open(path)  # the epoch that is best is chosen by it
        test.require_kind("comprehension")
        keys = (unit.item.key for unit in test.units())
        if not any(key is not None and (key.answers or key.unanswerable) for key in keys):
            raise DataError("no question has a known answer to be marked by", file=test.file)
        found[stem if stems.count(stem) == 1 else str(path)] = test
    return found


def fit_shape(shape: SpanShape, network: Any, progress: Tell) -> SpanShape:
    """The shape with windows that the encoder has positions for."""
    positions = positions_of(network.encoder.config)
    if positions is None or shape.length <= positions:
        return shape
    if positions < SHORTEST:
        raise DataError(f"the encoder reads {positions} tokens, expected {SHORTEST} or more")
    progress(f"windows of {positions} tokens instead of {shape.length}: the encoder reads no more")
    return msgspec.structs.replace(shape, length=positions)


def require_able(encoder: Any, settings: SpanSettings) -> None:
    """Not every encoder has its parts where BERT has them."""
    kind = encoder.config.model_type
    if settings.layers is not None and not hasattr(getattr(encoder, "encoder", None), "layer"):
        raise UsageError(f"the layers of a {kind} encoder cannot be stacked")
    if settings.dropout and not hasattr(type(encoder.config)(), "hidden_dropout_prob"):
        raise UsageError(f"the dropout of a {kind} encoder cannot be set; it keeps its own")
    if settings.masked and not hasattr(encoder.config, "layer_norm_eps"):
        raise UsageError(f"a {kind} encoder cannot be taught masked words")


def require_teachers(teachers: Sequence[Any], shape: SpanShape) -> None:
    """Teachers are trained readers that were put the texts in the same order."""
    for name in teachers:
        if not isinstance(name, str):
            continue
        own = read_shape(Path(name))
        if not (Path(name) / HEADS).is_file():
            raise DataError(f"{name} cannot teach: {HEADS} is missing")
        if own.passage_first != shape.passage_first:
            order = "passage" if own.passage_first else "question"
            raise UsageError(f"{name} cannot teach: it reads the {order} first")


def silence_libraries() -> None:
    """Keep the libraries' bars and warnings off the terminal."""
    import logging

    _, transformers = torch_parts()
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)


CHECKPOINT = "checkpoint.pt"
REPORT = "training.json"
CURVES = "training.svg"
SHOWN = 40
"""Windows that an export is shown, to learn how large its activations are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanSettings:
    """How a span reader is trained; what is None is the encoder's own."""

    plan: SpanPlan | None = None
    language: str | None = None
    length: int | None = None
    answer: int | None = None
    passage_first: bool = False
    check: Sequence[str | Path] = ()
    """Tests to mark after each epoch."""
    scores: Sequence[str | Path] = ()
    """Tests to fit scores and the no-answer threshold to; those of ``check`` if there are none."""
    hold_out: float = 0.0
    """Share of passages that is held out from training and marked after each epoch."""
    blank_share: float = 0.1
    """Share of the windows without their answer that is learnt from."""
    teachers: Sequence[Any] = ()
    """Trained models to distil from: their folders, or networks that score the same windows."""
    dropout: float | None = None
    layers: int | None = None
    masked: float = 0.0
    """Share of passage tokens that are masked and predicted as well."""
    resume: bool = False
    export: bool = True
    split: str | None = None
    """The split to learn from; hidden splits are not, unless selected by name."""
    processes: int = 1
    """Processes that cut the lessons into windows."""


@dataclass(frozen=True, slots=True)
class SpanTrainingTest:
    """What one test gave to the training."""

    file: str
    weight: float
    questions: int
    skipped: int
    """Questions without an answer that occurs in its passage."""


@dataclass(frozen=True, slots=True)
class SpanTraining(TrainedModel):
    """What a span reader learnt from, how it went, and where the model is."""

    tests: tuple[SpanTrainingTest, ...]
    epochs: tuple[dict[str, Any], ...]
    hidden: tuple[str, ...] = ()
    """The hidden splits that were not learnt from, a line a test."""
    scores: FittedConfidence | None = None
    """What scores and the no-answer threshold were fitted to."""

    def show(self, console: Console) -> None:
        """How well the scores do, where they were fitted."""
        if self.scores is not None:
            self.scores.show(console)


def train_span(
    tests: Sequence[str | Path],
    out: str | Path,
    *,
    encoder: str,
    also: Sequence[tuple[float, str]] = (),
    settings: SpanSettings | None = None,
    progress: Tell = lambda _: None,
) -> SpanTraining:
    """Train on tests and write a folder that ``span(model=FOLDER)`` reads with.

    ``also`` are further tests with the weights of their questions.
    """
    asked = settings or SpanSettings()
    plan = asked.plan or SpanPlan()
    if not tests and not also:
        raise UsageError("there is nothing to learn from: name a test")
    shape = chosen_shape([*tests, *(path for _, path in also)], encoder, asked)
    require_plan(plan, marked=bool(asked.check or asked.hold_out))
    lesson_tests = TrainingTests(progress)
    opened = [(1.0, lesson_tests.open(path, split=asked.split)) for path in tests]
    opened += [(weight, lesson_tests.open(path)) for weight, path in also]
    checks = checks_of(asked.check, lesson_tests)
    require_teachers(asked.teachers, shape)
    silence_libraries()
    fetched = is_fetched(encoder, progress)
    with _folder(out) as folder:
        with using_hub(allowed=fetched):
            copy_tokenizer(encoder, folder)
            tokenizer = load_tokenizer(folder, simplify=shape.simplify)
            torch_parts()[0].manual_seed(plan.seed)  # new heads are drawn as well
            network = load_network(encoder, dropout=asked.dropout)
        require_able(network.encoder, asked)
        shape = fit_shape(shape, network, progress)
        if asked.layers is not None:
            deepen(network.encoder, asked.layers)
        words = masker = None
        if asked.masked:
            words = make_words(network.encoder, encoder)
            masker = make_masker(words, share=asked.masked, mask=tokenizer.mask())
        taught = [_lessons(test, weight, asked.hold_out, progress) for weight, test in opened]
        held = [(test, units) for (_, test), (_, _, units) in zip(opened, taught, strict=True)]
        if asked.hold_out and not any(units for _, units in held):
            share = f"a share of {asked.hold_out:g}"
            raise UsageError(f"{share} holds none of the passages out: give more")
        lessons = [lesson for own, _, _ in taught for lesson in own]
        packed = pack_apart(
            lessons,
            shape,
            tokenizer,
            processes=asked.processes,
            blank_share=asked.blank_share,
            seed=plan.seed,
        )
        if not len(packed):
            raise DataError("there is no question with a known answer to learn from")
        progress(f"{len(packed)} windows, {int(packed.sizes.sum())} tokens")
        checkpoint = folder / CHECKPOINT
        if asked.resume:
            more: dict[str, Any] = {"masked": asked.masked, "dropout": asked.dropout}
            more |= {"teachers": list(map(str, asked.teachers)), "hold_out": asked.hold_out}
            write_settings(checkpoint, settings_of(network, packed, **more, checks=list(checks)))
        else:
            drop_checkpoint(checkpoint)
        done = learn(
            network,
            packed,
            plan,
            check=_checker(checks, held, shape, tokenizer),
            checkpoint=checkpoint if asked.resume else None,
            teachers=[
                load_teacher(one, folder) if isinstance(one, str) else one for one in asked.teachers
            ],
            masker=masker,
            progress=progress,
        )
        used = tuple(test for _, test, _ in taught)
        note = {
            "version": __version__,
            "encoder": Path(encoder).name,
            "plan": asdict(plan),
            "tests": [asdict(replace(test, file=Path(test.file).name)) for test in used],
            "layers": asked.layers,
            "masked": asked.masked,
            "before": shape.note,
        }
        for name in (FLOAT, SMALL):  # an earlier training's would be sat with
            (folder / name).unlink(missing_ok=True)
        save_network(network, folder)
        if words is not None:
            save_words(words, folder)
        # Scores that were fitted to the reader that training began with are void.
        write_shape(msgspec.structs.replace(shape, note=note, confidence=None), folder)
        before = (encoder, *(one for one in asked.teachers if isinstance(one, str)))
        record = lesson_tests.record().plus(*map(recorded_in, before))
        record.write(folder / RECORD)
        epochs = tuple(asdict(epoch) for epoch in done)
        (folder / REPORT).write_bytes(msgspec.json.format(msgspec.json.encode(epochs), indent=2))
        write_curves(epochs, folder / CURVES)
        if asked.export:
            write_exports(folder, folder, list(sample_windows(packed, SHOWN)))
        drop_checkpoint(checkpoint)
    hidden = tuple(dict.fromkeys(lesson_tests.hidden))
    return SpanTraining(str(out), used, epochs, hidden, fit_scores(out, asked, progress))


def fit_scores(folder: str | Path, asked: SpanSettings, progress: Tell) -> FittedConfidence | None:
    """The step after the training: without tests for it, scores are the probabilities."""
    if not asked.export or not (asked.scores or asked.check):
        return None
    try:
        return train_confidence(folder, asked.scores or asked.check, progress=progress)
    except DataError as error:
        if asked.scores:
            raise
        progress(f"scores are not fitted: {error}")  # nobody asked for it, and the model is done
        return None


@contextlib.contextmanager
def _folder(out: str | Path) -> Iterator[Path]:
    """The folder to train into, this process's alone until it is trained."""
    folder = Path(out)
    if folder.is_file() or not folder.parent.is_dir():
        raise UsageError(f"{out} cannot be written: it must be a folder in one that is there")
    folder.mkdir(exist_ok=True)
    with claiming_folder(folder, "training into"):
        yield folder


def chosen_shape(tests: Sequence[str | Path], encoder: str, settings: SpanSettings) -> SpanShape:
    """What was asked for; else what the encoder was trained with; else what the tests need."""
    if (Path(encoder) / FILE).is_file():
        shape = read_shape(Path(encoder))
    else:
        language = settings.language or open_test(tests[0]).language
        shape = SpanShape(language=language, simplify=language == "zh")
    names = ("language", "length", "answer", "passage_first")
    asked = {name: value for name in names if (value := getattr(settings, name))}
    return msgspec.structs.replace(shape, **asked)


def _lessons(
    test: Test, weight: float, hold_out: float, progress: Tell
) -> tuple[list[SpanLesson], SpanTrainingTest, list[Unit]]:
    """The lessons of a test, what it gave, and the units that are held out."""
    test.require_kind("comprehension")
    if not 0 < weight < math.inf:
        raise UsageError(f"the weight of {test.file} is {weight:g}, expected more than 0")
    lessons: list[SpanLesson] = []
    units: list[Unit] = []
    skipped = 0
    for unit in test.units():
        key = unit.item.key
        text = unit.record.text
        if _share(text) < hold_out:
            units.append(unit)
            continue
        spans = tuple(answer_spans(text, key.answers if key else ()))
        if spans or (key and key.unanswerable):
            lessons.append(SpanLesson(text, unit.item.text, spans, weight))
        else:
            skipped += 1
    progress(
        f"{test.file}: {counted(len(lessons), 'question')}, weight {weight:g}, {skipped} skipped"
    )
    return lessons, SpanTrainingTest(test.file, weight, len(lessons), skipped), units


def _share(text: str) -> float:
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()[0] / 256


def _checker(
    checks: dict[str, Test],
    held: Sequence[tuple[Test, Sequence[Unit]]],
    shape: SpanShape,
    tokenizer: Tokenizer,
) -> Callable[[Any], dict[str, float]] | None:
    """Marks by Readmark's own marking, first those that decide which epoch is best.

    Questions held out of several tests get one mark, their mean: a large test counts no more than
    a small one, or the epoch is chosen by the manner of its questions.
    """
    kept = [(test, units) for test, units in held if units]
    if not checks and not kept:
        return None

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
    shape: SpanShape,
    tokenizer: Tokenizer,
    scorer: Any,
    *,
    batch: int = 64,
) -> dict[str, float]:
    """F1 and EM of a scorer's answers to units of a test."""
    replies = read(
        [(unit.record.text, unit.item.text) for unit in units],
        shape,
        tokenizer,
        scorer,
        batch=batch,
    )
    found: dict[str, float] = {}
    for name, metric in (("f1", F1().resolve(test)), ("em", ExactMatch().resolve(test))):
        total = count = 0.0
        for unit, reply in zip(units, replies, strict=True):
            said = (
                unit.record.text[reply.answers[0].start : reply.answers[0].end]
                if reply.answers
                else ""
            )
            one, many = metric.statistics(unit, test.kind.references(unit), Answer(text=said))
            total, count = total + one, count + many
        found[name] = 100 * total / max(1.0, count)
    return found


# How a training went as a picture: the loss, and the marks, epoch by epoch.


HEIGHT = 220.0
_SHAPES = "osD^vP"


def lines_of(epochs: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, list[float]]]:
    """The lines of each panel, a value an epoch; what an epoch lacks is a gap."""
    names = dict.fromkeys(name for epoch in epochs for name in epoch["marks"])
    marks = {name: [epoch["marks"].get(name, math.nan) for epoch in epochs] for name in names}
    panels = {"loss": {"loss": [epoch["loss"] for epoch in epochs]}}
    return {**panels, "marks": marks} if marks else panels


def write_curves(epochs: Sequence[Mapping[str, Any]], path: str | Path) -> None:
    """Draw the curves of a training into a picture."""
    panels = lines_of(epochs)
    numbers = [epoch["number"] for epoch in epochs]
    with picture(path, HEIGHT * len(panels), "loss and marks by epoch") as figure:
        from matplotlib.ticker import MaxNLocator

        for index, (title, lines) in enumerate(panels.items(), 1):
            axes = figure.add_subplot(len(panels), 1, index)
            looks = zip(cycle(COLOURS), cycle(_SHAPES), strict=False)
            for (name, values), (colour, shape) in zip(lines.items(), looks, strict=False):
                axes.plot(numbers, values, color=colour, marker=shape, markersize=4, label=name)
            plain_axes(axes, title)
            axes.set_xlabel("epoch", color=MUTED)
            axes.set_ylim(bottom=0)
            axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
            if len(lines) > 1:
                axes.legend(frameon=False, labelcolor=INK, fontsize=SIZE - 1)
