"""Training a span reader: from tests with known answers to a model's folder."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.comprehension.hub import is_fetched
from readmark.comprehension.span.checkpoint import (
    CHECKPOINT,
    drop_checkpoint,
    settings_of,
    write_settings,
)
from readmark.comprehension.span.confidence_training import FittedConfidence, train_confidence
from readmark.comprehension.span.curves import write_curves
from readmark.comprehension.span.epoch_marks import checks_of, epoch_marker
from readmark.comprehension.span.lessons import PackedWindows, pack_apart, sample_windows
from readmark.comprehension.span.network import torch_parts
from readmark.comprehension.span.onnx.export import export as write_exports
from readmark.comprehension.span.onnx.scoring import FLOAT, SMALL
from readmark.comprehension.span.optimisation import learn
from readmark.comprehension.span.pupil import Pupil, load_pupil
from readmark.comprehension.span.requirements import require_plan
from readmark.comprehension.span.settings import SpanPlan, SpanSettings
from readmark.comprehension.span.shape import FILE, SpanShape, read_shape, write_shape
from readmark.comprehension.span.teachers import load_teacher, require_teachers
from readmark.comprehension.span.training_lessons import SpanTrainingTest, training_lessons
from readmark.core.errors import DataError, UsageError
from readmark.core.new_folders import claiming_folder
from readmark.core.progress import Tell
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
    sources = TrainingTests(progress)
    weighted_tests = [(1.0, sources.open(path, split=settings.split)) for path in tests]
    weighted_tests += [(weight, sources.open(path)) for weight, path in also]
    checks = checks_of(settings.check, sources)
    require_teachers(settings.teachers, shape)
    _silence_libraries()
    may_fetch = is_fetched(encoder, progress)
    with _claimed_folder(out) as folder:
        pupil = load_pupil(
            encoder,
            folder,
            shape,
            settings,
            seed=plan.seed,
            may_fetch=may_fetch,
            progress=progress,
        )
        gathered = training_lessons(weighted_tests, settings.hold_out, progress)
        windows = pack_apart(
            gathered.lessons,
            pupil.shape,
            pupil.tokenizer,
            processes=settings.processes,
            blank_share=settings.blank_share,
            seed=plan.seed,
        )
        if not len(windows):
            raise DataError("there is no question with a known answer to learn from")
        progress(f"{len(windows)} windows, {int(windows.sizes.sum())} tokens")

        checkpoint = folder / CHECKPOINT
        _prepare_checkpoint(checkpoint, pupil, windows, settings, list(checks))
        learnt_epochs = learn(
            pupil.network,
            windows,
            plan,
            check=epoch_marker(checks, gathered.held_out, pupil.shape, pupil.tokenizer),
            checkpoint=checkpoint if settings.resume else None,
            teachers=[
                load_teacher(teacher, folder) if isinstance(teacher, str) else teacher
                for teacher in settings.teachers
            ],
            masker=pupil.masker,
            progress=progress,
        )
        epochs = tuple(asdict(epoch) for epoch in learnt_epochs)

        for name in (FLOAT, SMALL):  # exports of an earlier training would be read with
            (folder / name).unlink(missing_ok=True)
        pupil.save(folder)
        note = _training_note(pupil.shape, gathered.tests, encoder, settings, plan)
        # Scores that were fitted to the reader that training began with are void.
        write_shape(msgspec.structs.replace(pupil.shape, note=note, confidence=None), folder)
        models = (encoder, *(name for name in settings.teachers if isinstance(name, str)))
        sources.record().plus(*map(recorded_in, models)).write(folder / RECORD)
        (folder / REPORT).write_bytes(msgspec.json.format(msgspec.json.encode(epochs), indent=2))
        write_curves(epochs, folder / CURVES)
        if settings.export:
            write_exports(folder, folder, list(sample_windows(windows, SHOWN)))
        # Only now: where an export fails, the training itself need not be repeated.
        drop_checkpoint(checkpoint)
    hidden = tuple(dict.fromkeys(sources.hidden))
    scores = fit_scores(out, settings, progress)
    return SpanTraining(str(out), tuple(gathered.tests), epochs, hidden, scores)


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


def _prepare_checkpoint(
    checkpoint: Path,
    pupil: Pupil,
    windows: PackedWindows,
    settings: SpanSettings,
    checks: Sequence[str],
) -> None:
    """Require an existing checkpoint to be of this training, or remove it if nothing resumes."""
    if not settings.resume:
        drop_checkpoint(checkpoint)
        return
    checkpoint_settings = settings_of(
        pupil.network,
        windows,
        masked=settings.masked,
        dropout=settings.dropout,
        teachers=list(map(str, settings.teachers)),
        hold_out=settings.hold_out,
        checks=checks,
    )
    write_settings(checkpoint, checkpoint_settings)


def _training_note(
    shape: SpanShape,
    tests: Sequence[SpanTrainingTest],
    encoder: str,
    settings: SpanSettings,
    plan: SpanPlan,
) -> dict[str, Any]:
    """How a model was trained, for its folder: names of files without the folders of a machine."""
    return {
        "version": __version__,
        "encoder": Path(encoder).name,
        "plan": asdict(plan),
        "tests": [asdict(replace(test, file=Path(test.file).name)) for test in tests],
        "layers": settings.layers,
        "masked": settings.masked,
        "before": shape.note,
    }


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
