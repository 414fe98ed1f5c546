"""Training a span reader: from tests with known answers to a model's folder."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.comprehension.hub import is_fetched, using_hub
from readmark.comprehension.span.checkpoint import (
    CHECKPOINT,
    drop_checkpoint,
    settings_of,
    write_settings,
)
from readmark.comprehension.span.confidence_training import FittedConfidence, train_confidence
from readmark.comprehension.span.curves import write_curves
from readmark.comprehension.span.epoch_marks import checks_of, epoch_marker
from readmark.comprehension.span.lessons import SpanLesson, pack_apart, sample_windows
from readmark.comprehension.span.masking import make_masker, make_words, save_words
from readmark.comprehension.span.network import (
    copy_tokenizer,
    deepen,
    load_network,
    save_network,
    torch_parts,
)
from readmark.comprehension.span.onnx.export import export as write_exports
from readmark.comprehension.span.onnx.scoring import FLOAT, SMALL
from readmark.comprehension.span.optimisation import learn
from readmark.comprehension.span.requirements import fit_shape, require_able, require_plan
from readmark.comprehension.span.settings import SpanPlan, SpanSettings
from readmark.comprehension.span.shape import FILE, SpanShape, read_shape, write_shape
from readmark.comprehension.span.teachers import load_teacher, require_teachers
from readmark.comprehension.span.tokens import load_tokenizer
from readmark.core.counts import counted
from readmark.core.errors import DataError, UsageError
from readmark.core.new_folders import claiming_folder
from readmark.core.progress import Tell
from readmark.core.records import Unit
from readmark.core.spans import answer_spans
from readmark.core.test import Test
from readmark.core.version import __version__
from readmark.formats.registry import open_test
from readmark.formats.training_tests import TrainedModel, TrainingTests
from readmark.text.training_record import FILE as RECORD
from readmark.text.training_record_files import recorded_in

if TYPE_CHECKING:
    from rich.console import Console

REPORT = "training.json"
CURVES = "training.svg"
SHOWN = 40
"""Windows that an export is shown, to learn how large its activations are."""


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
    settings = settings or SpanSettings()
    plan = settings.plan or SpanPlan()
    if not tests and not also:
        raise UsageError("there is nothing to learn from: name a test")
    shape = chosen_shape([*tests, *(path for _, path in also)], encoder, settings)
    require_plan(plan, marked=bool(settings.check or settings.hold_out))
    lesson_tests = TrainingTests(progress)
    opened = [(1.0, lesson_tests.open(path, split=settings.split)) for path in tests]
    opened += [(weight, lesson_tests.open(path)) for weight, path in also]
    checks = checks_of(settings.check, lesson_tests)
    require_teachers(settings.teachers, shape)
    _silence_libraries()
    may_fetch = is_fetched(encoder, progress)
    with _claimed_folder(out) as folder:
        with using_hub(allowed=may_fetch):
            copy_tokenizer(encoder, folder)
            tokenizer = load_tokenizer(folder, simplify=shape.simplify)
            torch_parts()[0].manual_seed(plan.seed)  # new heads are drawn as well
            network = load_network(encoder, dropout=settings.dropout)
        require_able(network.encoder, settings)
        shape = fit_shape(shape, network, progress)
        if settings.layers is not None:
            deepen(network.encoder, settings.layers)
        words = masker = None
        if settings.masked:
            words = make_words(network.encoder, encoder)
            masker = make_masker(words, share=settings.masked, mask=tokenizer.mask())

        lessons: list[SpanLesson] = []
        held_out: list[tuple[Test, list[Unit]]] = []
        training_tests: list[SpanTrainingTest] = []
        for weight, test in opened:
            from_test, units, training_test = _lessons(test, weight, settings.hold_out, progress)
            lessons += from_test
            held_out.append((test, units))
            training_tests.append(training_test)
        if settings.hold_out and not any(units for _, units in held_out):
            share = f"a share of {settings.hold_out:g}"
            raise UsageError(f"{share} holds none of the passages out: give more")
        packed = pack_apart(
            lessons,
            shape,
            tokenizer,
            processes=settings.processes,
            blank_share=settings.blank_share,
            seed=plan.seed,
        )
        if not len(packed):
            raise DataError("there is no question with a known answer to learn from")
        progress(f"{len(packed)} windows, {int(packed.sizes.sum())} tokens")

        checkpoint = folder / CHECKPOINT
        if settings.resume:
            checkpoint_settings = settings_of(
                network,
                packed,
                masked=settings.masked,
                dropout=settings.dropout,
                teachers=list(map(str, settings.teachers)),
                hold_out=settings.hold_out,
                checks=list(checks),
            )
            write_settings(checkpoint, checkpoint_settings)
        else:
            drop_checkpoint(checkpoint)
        done = learn(
            network,
            packed,
            plan,
            check=epoch_marker(checks, held_out, shape, tokenizer),
            checkpoint=checkpoint if settings.resume else None,
            teachers=[
                load_teacher(teacher, folder) if isinstance(teacher, str) else teacher
                for teacher in settings.teachers
            ],
            masker=masker,
            progress=progress,
        )

        note = {
            "version": __version__,
            "encoder": Path(encoder).name,
            "plan": asdict(plan),
            "tests": [asdict(replace(test, file=Path(test.file).name)) for test in training_tests],
            "layers": settings.layers,
            "masked": settings.masked,
            "before": shape.note,
        }
        for name in (FLOAT, SMALL):  # an earlier training's would be sat with
            (folder / name).unlink(missing_ok=True)
        save_network(network, folder)
        if words is not None:
            save_words(words, folder)
        # Scores that were fitted to the reader that training began with are void.
        write_shape(msgspec.structs.replace(shape, note=note, confidence=None), folder)
        learnt_from = (encoder, *(name for name in settings.teachers if isinstance(name, str)))
        record = lesson_tests.record().plus(*map(recorded_in, learnt_from))
        record.write(folder / RECORD)
        epochs = tuple(asdict(epoch) for epoch in done)
        (folder / REPORT).write_bytes(msgspec.json.format(msgspec.json.encode(epochs), indent=2))
        write_curves(epochs, folder / CURVES)
        if settings.export:
            write_exports(folder, folder, list(sample_windows(packed, SHOWN)))
        drop_checkpoint(checkpoint)
    hidden = tuple(dict.fromkeys(lesson_tests.hidden))
    scores = fit_scores(out, settings, progress)
    return SpanTraining(str(out), tuple(training_tests), epochs, hidden, scores)


def chosen_shape(tests: Sequence[str | Path], encoder: str, settings: SpanSettings) -> SpanShape:
    """What was asked for; else what the encoder was trained with; else what the tests need."""
    if (Path(encoder) / FILE).is_file():
        shape = read_shape(Path(encoder))
    else:
        language = settings.language or open_test(tests[0]).language
        shape = SpanShape(language=language, simplify=language == "zh")
    names = ("language", "length", "answer", "passage_first")
    changes = {name: value for name in names if (value := getattr(settings, name))}
    return msgspec.structs.replace(shape, **changes)


@contextlib.contextmanager
def _claimed_folder(out: str | Path) -> Iterator[Path]:
    """The folder to train into, this process's alone until it is trained."""
    folder = Path(out)
    if folder.is_file() or not folder.parent.is_dir():
        raise UsageError(f"{out} cannot be written: it must be a folder in an existing folder")
    folder.mkdir(exist_ok=True)
    with claiming_folder(folder, "training into"):
        yield folder


def _silence_libraries() -> None:
    """Keep the libraries' bars and warnings off the terminal."""
    _, transformers = torch_parts()
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)


def _lessons(
    test: Test, weight: float, hold_out: float, progress: Tell
) -> tuple[list[SpanLesson], list[Unit], SpanTrainingTest]:
    """The lessons of a test, the units that are held out, and what it gave."""
    test.require_kind("comprehension")
    if not 0 < weight < math.inf:
        raise UsageError(f"the weight of {test.file} is {weight:g}, expected more than 0")
    lessons: list[SpanLesson] = []
    held_out: list[Unit] = []
    skipped = 0
    for unit in test.units():
        key = unit.item.key
        text = unit.record.text
        # By the text: the same passage of two tests is on one side.
        if hashlib.sha256(text.encode("utf-8", "replace")).digest()[0] / 256 < hold_out:
            held_out.append(unit)
            continue
        spans = tuple(answer_spans(text, key.answers if key else ()))
        if spans or (key and key.unanswerable):
            lessons.append(SpanLesson(text, unit.item.text, spans, weight))
        else:
            skipped += 1
    progress(
        f"{test.file}: {counted(len(lessons), 'question')}, weight {weight:g}, {skipped} skipped"
    )
    return lessons, held_out, SpanTrainingTest(test.file, weight, len(lessons), skipped)


def fit_scores(
    folder: str | Path, settings: SpanSettings, progress: Tell
) -> FittedConfidence | None:
    """The step after the training: without tests for it, scores are the probabilities."""
    if not settings.export or not (settings.scores or settings.check):
        return None
    try:
        return train_confidence(folder, settings.scores or settings.check, progress=progress)
    except DataError as error:
        if settings.scores:
            raise
        progress(f"scores are not fitted: {error}")  # nobody asked for it, and the model is done
        return None
