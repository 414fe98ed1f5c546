"""``readmark set agree``: which work annotators share, and how far they agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec

from readmark import console as options
from readmark.console import OUTPUT_FILE, Ticker
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import UsageError, did_you_mean
from readmark.core.record_members import questions_of
from readmark.core.writing import writing
from readmark.making.agreement.annotators import annotators_by_language
from readmark.making.agreement.answers import (
    compare_answer_sentences,
    compare_answers,
    compare_labels,
    compare_rewrites,
    rewrites_of,
)
from readmark.making.agreement.layers import (
    MENTION,
    SEGMENTATIONS,
    compare_coreference,
    compare_segmentation,
    compare_spans,
    layers_of,
)
from readmark.making.agreement.report import AgreementReport
from readmark.making.agreement.statements import compare_statements
from readmark.making.agreement.values import AgreementComparison, Annotator
from readmark.statistics.agreement.alpha import Scale
from readmark.statistics.agreement.value import Resampling
from readmark.tasks import STATEMENT_SORTS

CompareVersions = Callable[..., AgreementComparison]
WatchPairs = Callable[[str, str, int], None]

ANSWERS, SENTENCES, COREFERENCE = "answers", "answer_sentences", "coreference"
REWRITES = "rewrites"


def agree(
    people: Sequence[Annotator],
    what: Sequence[str] = (),
    *,
    scale: Scale | None = None,
    order: Sequence[str] = (),
    singletons: bool = True,
    resampling: Resampling | None = None,
    watch: WatchPairs | None = None,
) -> AgreementReport:
    """Compare what is asked for, or everything that at least two annotators have.

    ``watch`` is called with what is compared, the measure, and how many draws of it are done.
    """
    how = resampling or Resampling()
    shared = shared_work(people)
    if not what and not shared:
        raise UsageError(f"the annotators have nothing in common to compare: {_has(people)}")
    sorts: dict[str, tuple[Callable[[Annotator], object], CompareVersions]] = {
        ANSWERS: (lambda one: one.answers, compare_answers),
        REWRITES: (rewrites_of, compare_rewrites),
        SENTENCES: (_has_sentences, compare_answer_sentences),
    }
    sorts |= {name: (lambda one: one.statements, compare_statements) for name in STATEMENT_SORTS}
    for layer in {name for annotator in people for name in layers_of(annotator)}:
        compare = compare_segmentation if layer in SEGMENTATIONS else compare_spans
        sorts[layer] = partial(_has_layer, layer=layer), compare
    chains = partial(compare_coreference, singletons=singletons)
    sorts[COREFERENCE] = partial(_has_layer, layer=MENTION), chains
    made = []
    for name in dict.fromkeys(what or shared):
        sort = COREFERENCE if name == MENTION else name
        labels = partial(compare_labels, scale=scale, order=order)
        has, compare_sort = sorts.get(sort, (partial(_labelled, what=sort), labels))
        annotators = [annotator for annotator in people if has(annotator)]
        _two(annotators, people, sort)
        watched = how if watch is None else replace(how, watch=partial(watch, name))
        made.append(compare_sort(annotators, sort, resampling=watched))
    return AgreementReport(tuple(people), tuple(made), how.seed, how.draws, how.level)


def agreement_of_files(
    files: Sequence[str], what: Sequence[str] = ()
) -> dict[str, AgreementReport]:
    """How far people agree, a file each: a report for each language of the files, else one.

    Of ``what`` is compared as much as two people have; everything if nothing is named. Reports name
    files without their folder.
    """
    reports = {}
    for language, people in annotators_by_language(files).items():
        shared = shared_work(people) if what else []
        compared = [name for name in what if name in shared]
        if what and not compared:
            raise UsageError(f"nobody has anything of {', '.join(what)} in common yet")
        report = agree(people, compared)
        annotators = tuple(
            replace(annotator, file=Path(annotator.file).name) for annotator in report.annotators
        )
        reports[language] = replace(report, annotators=annotators)
    return reports


def _has_layer(one: Annotator, layer: str) -> bool:
    return layer in layers_of(one)


def _labelled(one: Annotator, what: str) -> bool:
    """Whether an annotator has labels of a field; a column ``label`` is whatever is asked for."""
    return any(what in own for own in one.labels.values()) or (
        not one.records and any("label" in own for own in one.labels.values())
    )


def _two(found: Sequence[Annotator], people: Sequence[Annotator], what: str) -> None:
    if len(found) >= 2:
        return
    known = sorted({name for annotator in people for name in _works(annotator)})
    if not found:
        raise UsageError(f"no annotator has {what!r}; {did_you_mean(what, known)}")
    raise UsageError(f"only {found[0].name!r} has {what!r}, and agreement needs two annotators")


def shared_work(people: Sequence[Annotator]) -> list[str]:
    """The sorts of work that at least two annotators have, in the order met."""
    fields = {name for annotator in people for name in annotator.fields}
    times: dict[str, int] = {}
    for annotator in people:
        # What one has in the key counts where another has it at all, such as "unanswerable".
        also = [name for name in fields if any(name in own for own in annotator.labels.values())]
        for name in dict.fromkeys([*_works(annotator), *sorted(also)]):
            times[name] = times.get(name, 0) + 1
    return [name for name, many in times.items() if many > 1]


def _works(one: Annotator) -> list[str]:
    names = list(one.fields)
    names += [COREFERENCE if name == MENTION else name for name in layers_of(one)]
    if one.rewrites:
        names.append(REWRITES)
    elif one.answers:
        names.append(ANSWERS)
    if _has_sentences(one):
        names.append(SENTENCES)
    if one.statements:
        names += STATEMENT_SORTS
    return names


def _has_sentences(one: Annotator) -> bool:
    return any(
        question.key is not None and getattr(question.key, "sentences", ())
        for record in one.records.values()
        for question in questions_of(record)
    )


def _has(people: Sequence[Annotator]) -> str:
    return "; ".join(
        f"{annotator.name} has {', '.join(_works(annotator)) or 'nothing that can be compared'}"
        for annotator in people
    )


@click.command("agree")
@click.argument("files", nargs=-1, required=True, metavar="A B...")
@click.option(
    "--what",
    multiple=True,
    metavar="WHAT,...",
    help="What to compare: level, type, np, ne, token, sentence, coreference, answers, "
    "answer_sentences, rewrites, decision, statements, entities, relations, or any other layer "
    "or field "
    "(repeatable)  [default: everything that at least two annotators have]",
)
@options.list_option(
    "--names",
    metavar="NAME,...",
    help="Names of the annotators  [default: the names of their files]",
)
@click.option(
    "--scale",
    type=click.Choice(["nominal", "ordinal", "interval", "ratio"]),
    help="Measurement scale of labels  [default: ordinal for level and rating, otherwise nominal]",
)
@options.list_option("--order", metavar="LABEL,...", help="Ordinal labels from lowest to highest.")
@click.option(
    "--singletons/--no-singletons",
    default=True,
    help="For coreference, include entities with a single mention",
)
@click.option(
    "-o", "--output", metavar="REPORT", help="Write the report to this JSON file.", type=OUTPUT_FILE
)
@options.split_option
@options.from_option
@options.seed_option
@options.draws_option
@options.confidence_option
@options.json_option
def agree_command(
    files: tuple[str, ...],
    what: tuple[str, ...],
    names: str | None,
    scale: str | None,
    order: str | None,
    singletons: bool,
    output: str | None,
    split: str | None,
    from_format: str | None,
    seed: int,
    draws: int,
    confidence: float,
    as_json: bool,
) -> None:
    """Measure the agreement of annotators who worked on the same passages or units.

    Each file belongs to one annotator: an annotated test in any format, a sitting, or labels as
    CSV, TSV or JSON Lines with the columns id and label. A column person makes several
    annotators of one file, as do several people's answers or ratings in the key of a single
    test, and the annotators of a reading task's statements. Undefined coefficients are shown
    as undefined, with the reason. Tests in two languages, such as ann/en.jsonl, ann/zh.jsonl and
    bo's, are compared in each language; a BRCC file may have both.
    """
    if not 0 < confidence < 1:
        raise UsageError(f"a confidence level is between 0 and 1, not {confidence:g}")
    if output is not None:
        require_distinct_files([output], files)
    compared = [name for names in what for name in options.fields(names)]
    ticker = Ticker()

    def compare(people: Sequence[Annotator]) -> AgreementReport:
        try:
            return agree(
                people,
                compared,
                scale=scale,  # type: ignore[arg-type]
                order=options.fields(order),
                singletons=singletons,
                resampling=Resampling(seed=seed, draws=draws, level=confidence),
                watch=lambda what, measure, done: ticker.say(
                    lambda: f"{what}: {done:,}/{draws:,} draws of {measure}"
                ),
            )
        finally:
            ticker.end()

    people = annotators_by_language(
        files, names=options.fields(names), format=from_format, split=split
    )
    reports = {language: compare(annotators) for language, annotators in people.items()}
    document: Any = {language: report.as_json() for language, report in reports.items()}
    document = document.get("", {"languages": document})
    if output is not None:
        with writing(output) as stream:
            stream.write(msgspec.json.format(msgspec.json.encode(document)) + b"\n")
    if as_json:
        options.print_json(document)
    for language, report in reports.items() if not as_json else ():
        if language:
            click.echo(f"language: {language}")
        options.print_result(report, as_json=False)
    if output is not None and not as_json:
        options.notify([f"{output} written"])
