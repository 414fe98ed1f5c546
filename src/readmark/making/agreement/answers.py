"""Agreement on answers and on answer sentences: their words, and where in the passage they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from readmark.core.counts import counted
from readmark.core.errors import DataError
from readmark.core.numbers import first_ids
from readmark.core.record_members import questions_of
from readmark.core.records import Offsets
from readmark.core.spans import offset_fault
from readmark.making.agreement.annotator import Annotator, groups_of
from readmark.making.agreement.comparison import (
    AgreementComparison,
    compare_work,
    disagreed,
    for_pairs,
    in_common,
    units_of,
)
from readmark.statistics.agreement.percent import panel_agreement, percent_agreement
from readmark.statistics.agreement.spans import character_f1, exact_f1, overlap_f1
from readmark.statistics.agreement.unitizing import Continuum, unitizing_alpha
from readmark.statistics.agreement.value import Agreement, Resampling, undefined

AnswerSpans = dict[str, tuple[Offsets, ...]]
"""Questions, and where in the passage each one's answer or sentences occur."""
UNPLACED = "no question has answers of all with their offsets"


def compare_answers(
    people: Sequence[Annotator], what: str, *, resampling: Resampling | None = None
) -> AgreementComparison:
    """Equal words, and where answers are spans the F1 of spans and unitizing alpha.

    A person's first answer counts. Case and spaces do not matter to the words.
    """
    work = [annotator.answers for annotator in people]
    questions = units_of(work)
    places = {id: place for place, id in enumerate(questions)}
    groups = groups_of(people)
    clusters = [groups.get(id, id) for id in questions]
    texts = [
        [
            " ".join(answers[id].text.split()).casefold() if id in answers else None
            for answers in work
        ]
        for id in questions
    ]
    notes: list[str] = []
    passages = _passages(people)
    spans = [_answer_spans(annotator, groups, passages, notes) for annotator in people]
    span_figures = _SpanFigures(people, spans, questions, resampling)

    def pair(a: int, b: int) -> tuple[Agreement, ...]:
        shared = [places[id] for id in in_common(work[a], work[b], places)]
        equal_words = percent_agreement(
            [texts[place][a] for place in shared],
            [texts[place][b] for place in shared],
            clusters=[clusters[place] for place in shared],
            resampling=for_pairs(resampling, people),
        )
        return equal_words, *span_figures.pair(a, b)

    together = panel_agreement(texts, clusters=clusters, resampling=resampling)
    return compare_work(
        people,
        what,
        work,
        pair,
        nothing_shared="answered no question in common",
        sort="answers",
        noun="question",
        figures=(together, span_figures.together),
        disagreed=disagreed(questions, texts),
        notes=tuple(notes),
    )


def compare_answer_sentences(
    people: Sequence[Annotator], what: str, *, resampling: Resampling | None = None
) -> AgreementComparison:
    """The sentences of the passage that people marked as answering a question."""
    sentences = [_answer_sentences(annotator) for annotator in people]
    span_figures = _SpanFigures(people, sentences, units_of(sentences), resampling)
    return compare_work(
        people,
        what,
        sentences,
        span_figures.pair,
        nothing_shared="marked the sentences of no question in common",
        sort="spans",
        noun="question",
        figures=(span_figures.together,),
    )


class _SpanFigures:
    """Span measures over questions: each question has the whole passage to itself."""

    def __init__(
        self,
        people: Sequence[Annotator],
        spans: Sequence[AnswerSpans],
        questions: Sequence[str],
        resampling: Resampling | None,
    ) -> None:
        self._spans = spans
        self._questions = questions
        self._places = {id: place for place, id in enumerate(questions)}
        self._groups = groups_of(people)
        self._passages = _passages(people)
        self._resampling = resampling
        self._for_pairs = for_pairs(resampling, people)

    def pair(self, a: int, b: int) -> tuple[Agreement, ...]:
        """Exact, overlapping, characters and unitizing alpha of two."""
        spans_a, spans_b = self._spans[a], self._spans[b]
        shared = in_common(spans_a, spans_b, self._places)
        if not shared:
            names = ("exact", "overlap", "characters", "alpha(unitizing)")
            return tuple(undefined(name, UNPLACED) for name in names)
        spans = [(spans_a[id], spans_b[id]) for id in shared]
        clusters = [self._groups.get(id, id) for id in shared]
        return (
            *(
                measure(spans, clusters=clusters, resampling=self._for_pairs)
                for measure in (exact_f1, overlap_f1, character_f1)
            ),
            self._alpha([spans_a, spans_b], shared, self._for_pairs),
        )

    @property
    def together(self) -> Agreement:
        """Unitizing alpha of all, over the questions that all of them answered."""
        shared = [id for id in self._questions if all(id in spans for spans in self._spans)]
        return self._alpha(self._spans, shared, self._resampling)

    def _alpha(
        self,
        spans_of_people: Sequence[AnswerSpans],
        questions: Sequence[str],
        resampling: Resampling | None,
    ) -> Agreement:
        if not questions:
            return undefined("alpha(unitizing)", UNPLACED)
        on_passages = [id for id in questions if self._groups.get(id, "") in self._passages]
        if not on_passages:
            return undefined("alpha(unitizing)", "no file has the passages, whose length counts")
        continua = []
        for id in on_passages:
            units = [[(start, end, None) for start, end in spans[id]] for spans in spans_of_people]
            group = self._groups[id]
            continua.append(Continuum(len(self._passages[group]), units, group))
        return unitizing_alpha(continua, resampling=resampling)


def _passages(people: Sequence[Annotator]) -> dict[str, str]:
    return {id: text for annotator in people for id, text in annotator.passages.items()}


def _answer_spans(
    person: Annotator, groups: Mapping[str, str], passages: Mapping[str, str], notes: list[str]
) -> AnswerSpans:
    """Places of a person's answers; one whose offsets do not point at its words has none."""
    spans: AnswerSpans = {}
    misplaced = []
    for id, answer in person.answers.items():
        if answer.offsets is None:
            continue
        text = passages.get(groups.get(id, ""))
        if text is not None and offset_fault(text, answer):
            misplaced.append(id)
            continue
        spans[id] = (answer.offsets,)
    if misplaced:
        notes.append(
            f"{person.name}: not at their offsets, so only their words count: "
            f"{counted(len(misplaced), 'answer')} ({first_ids(misplaced)})"
        )
    return spans


def _answer_sentences(person: Annotator) -> AnswerSpans:
    """The sentences of each question on a passage that the person worked on.

    Where any sentence of a passage is marked, its other questions were looked at and have none.
    """
    marked: AnswerSpans = {}
    for record in person.records.values():
        questions = questions_of(record)
        in_record = {
            question.id: tuple(question.key.sentences)
            for question in questions
            if question.key is not None
        }
        if not any(in_record.values()):
            continue
        for id, sentences in in_record.items():
            for start, end in sentences:
                if not 0 <= start < end <= len(record.text):
                    raise DataError(
                        f"answer sentence {start}–{end} is not in the passage",
                        file=person.file,
                        where=id,
                    )
        marked |= in_record
    return marked
