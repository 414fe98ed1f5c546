"""Which work annotators share, and how far they agree on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from readmark.core.errors import UsageError, did_you_mean
from readmark.core.record_members import questions_of
from readmark.making.agreement.annotated_texts import layers_of
from readmark.making.agreement.annotator import Annotator
from readmark.making.agreement.annotators import annotators_by_language
from readmark.making.agreement.answers import compare_answer_sentences, compare_answers
from readmark.making.agreement.comparison import AgreementComparison
from readmark.making.agreement.entities import MENTION
from readmark.making.agreement.labels import compare_labels
from readmark.making.agreement.layers import (
    SEGMENTATIONS,
    compare_coreference,
    compare_segmentation,
    compare_spans,
)
from readmark.making.agreement.report import AgreementReport
from readmark.making.agreement.rewrites import compare_rewrites, rewrites_of
from readmark.making.agreement.statements import compare_statements
from readmark.statistics.agreement.alpha import Scale
from readmark.statistics.agreement.value import Resampling
from readmark.tasks import STATEMENT_SORTS

CompareWork = Callable[..., AgreementComparison]
WatchAgreement = Callable[[str, str, int], None]

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
    watch: WatchAgreement | None = None,
) -> AgreementReport:
    """Compare the sorts of work in ``what``, or everything that at least two annotators have.

    ``watch`` is called with what is compared, the measure, and how many draws of it are done.
    """
    resampling = resampling or Resampling()
    shared = shared_work(people)
    if not what and not shared:
        raise UsageError(
            f"the annotators have nothing in common to compare: {_inventories(people)}"
        )
    sorts = _sorts_of_work(people, singletons=singletons)
    comparisons = []
    for name in dict.fromkeys(what or shared):
        sort = COREFERENCE if name == MENTION else name
        # What is no other sort of work is a field of labels.
        labels = partial(_has_labels, what=sort), partial(compare_labels, scale=scale, order=order)
        has, compare = sorts.get(sort, labels)
        annotators = [annotator for annotator in people if has(annotator)]
        _require_two(annotators, people, sort)
        how = resampling if watch is None else replace(resampling, watch=partial(watch, name))
        comparisons.append(compare(annotators, sort, resampling=how))
    return AgreementReport(
        tuple(people), tuple(comparisons), resampling.seed, resampling.draws, resampling.level
    )


def _sorts_of_work(
    people: Sequence[Annotator], *, singletons: bool
) -> dict[str, tuple[Callable[[Annotator], object], CompareWork]]:
    """Of each sort of work but labels: whether an annotator has it, and how it is compared."""
    sorts: dict[str, tuple[Callable[[Annotator], object], CompareWork]] = {
        ANSWERS: (lambda annotator: annotator.answers, compare_answers),
        REWRITES: (rewrites_of, compare_rewrites),
        SENTENCES: (_has_sentences, compare_answer_sentences),
    }
    for name in STATEMENT_SORTS:
        sorts[name] = (lambda annotator: annotator.statements, compare_statements)
    for layer in {name for annotator in people for name in layers_of(annotator)}:
        compare = compare_segmentation if layer in SEGMENTATIONS else compare_spans
        sorts[layer] = partial(_has_layer, layer=layer), compare
    sorts[COREFERENCE] = (
        partial(_has_layer, layer=MENTION),
        partial(compare_coreference, singletons=singletons),
    )
    return sorts


def agreement_of_files(
    files: Sequence[str], what: Sequence[str] = ()
) -> dict[str, AgreementReport]:
    """How far people agree whose work is in these files: a report for each language, else one.

    Of ``what``, the sorts are compared that two people have; everything if nothing is named.
    Reports name files without their folder.
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


def shared_work(people: Sequence[Annotator]) -> list[str]:
    """The sorts of work that at least two annotators have, in the order met."""
    fields = {name for annotator in people for name in annotator.fields}
    counts: dict[str, int] = {}
    for annotator in people:
        # A field in one person's key counts where another has it at all, such as "unanswerable".
        also = [
            name for name in fields if any(name in labels for labels in annotator.labels.values())
        ]
        for name in dict.fromkeys([*_work_of(annotator), *sorted(also)]):
            counts[name] = counts.get(name, 0) + 1
    return [name for name, count in counts.items() if count > 1]


def _work_of(annotator: Annotator) -> list[str]:
    """The sorts of work that an annotator has."""
    names = list(annotator.fields)
    names += [COREFERENCE if name == MENTION else name for name in layers_of(annotator)]
    if annotator.rewrites:
        names.append(REWRITES)
    elif annotator.answers:
        names.append(ANSWERS)
    if _has_sentences(annotator):
        names.append(SENTENCES)
    if annotator.statements:
        names += STATEMENT_SORTS
    return names


def _inventories(people: Sequence[Annotator]) -> str:
    return "; ".join(
        f"{annotator.name} has {', '.join(_work_of(annotator)) or 'nothing that can be compared'}"
        for annotator in people
    )


def _require_two(annotators: Sequence[Annotator], people: Sequence[Annotator], what: str) -> None:
    if len(annotators) >= 2:
        return
    if not annotators:
        names = sorted({name for annotator in people for name in _work_of(annotator)})
        raise UsageError(f"no annotator has {what!r}; {did_you_mean(what, names)}")
    raise UsageError(
        f"only {annotators[0].name!r} has {what!r}, and agreement needs two annotators"
    )


def _has_layer(annotator: Annotator, layer: str) -> bool:
    return layer in layers_of(annotator)


def _has_labels(annotator: Annotator, what: str) -> bool:
    """Whether an annotator has labels of a field; a column ``label`` stands for any field."""
    fields = {field for labels in annotator.labels.values() for field in labels}
    return what in fields or (not annotator.records and "label" in fields)


def _has_sentences(annotator: Annotator) -> bool:
    return any(
        question.key is not None and getattr(question.key, "sentences", ())
        for record in annotator.records.values()
        for question in questions_of(record)
    )
