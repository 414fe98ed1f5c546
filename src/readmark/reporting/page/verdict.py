"""The top of a section: who does best in one sentence, the large numbers, what to look at next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from readmark.marking import Comparison, Mark
from readmark.reporting.figures.canvas import PEOPLE, Look
from readmark.reporting.page import words as numbers
from readmark.reporting.page.comparisons import (
    ComparedCandidates,
    SectionData,
    WithPeople,
    compare_two,
    on_part,
)
from readmark.reporting.page.layout import units_link
from readmark.reporting.page.overall import ALPHA, FEWEST_UNITS, p_words
from readmark.reporting.page.sections import MarkedCandidate, Section
from readmark.reporting.page.sheets import people_phrase
from readmark.reporting.page.summary import headline_metrics, in_brackets, people_clauses
from readmark.reporting.page.units import UnitVerdict, verdicts_of
from readmark.reporting.page.words import (
    Both,
    Text,
    clauses,
    counted,
    joined,
    listed,
    metric_words,
    named,
    noun,
    phrase,
    phrase_html,
    value_words,
)

MOST_STEPS = 4
"""Of what to look at next."""

Pair = tuple[int, int, Comparison]
"""The best candidate, the next best, and the comparison of the two."""


@dataclass(frozen=True, slots=True)
class Headline:
    """Somebody's main mark in large figures, and the difference from the first candidate."""

    name: Text
    look: Look
    metric: Text
    score: str
    interval: Text
    others: Sequence[Text] = ()
    """The other marks, in small figures."""
    difference: Text | None = None
    p: Text | None = None
    best: bool = False


@dataclass(frozen=True, slots=True)
class NextStep:
    """What is worth a look, and where it is."""

    text: Text
    href: str


def ranking(section: Section) -> list[int]:
    """The numbers of the candidates, best main mark first; those without one are left out.

    So are, of several, those that learnt from the test.
    """
    alone = len(section.candidates) == 1
    scores = {
        index: score
        for index, candidate in enumerate(section.candidates)
        if (score := main_mark(section, candidate).score) is not None
        and (alone or candidate.sheet.may_lead)
    }
    sign = 1 if section.lower_is_better(section.main) else -1
    return sorted(scores, key=lambda index: (sign * scores[index], index))


def main_mark(section: Section, candidate: MarkedCandidate) -> Mark:
    """A candidate's main mark; one without a score where it was not marked."""
    return candidate.sheet.recorded.marks.get(section.main, Mark())


def comparable(section: Section, compared: ComparedCandidates) -> bool:
    """Whether all candidates sat the same units and were marked by the same rules."""
    comparisons = compared.by_metric.get(section.main, ())
    return len(comparisons) == len(section.candidates) - 1 and not any(
        on_part(section, comparison) for comparison in comparisons
    )


def leading_pair(section: Section, compared: ComparedCandidates) -> Pair | None:
    """The best candidate, the next best, and the comparison of the two.

    Where neither is the first, the pair was chosen after the fact among all pairs: then p is
    multiplied by their number (Bonferroni).
    """
    if not comparable(section, compared):
        return None
    best, second, *_ = [*ranking(section), -1, -1]
    if second < 0:
        return None
    names = [section.candidates[index].name for index in (best, second)]
    if 0 in (best, second):
        comparison = compared.of(section.main, names[0] if second == 0 else names[1])
        return None if comparison is None else (best, second, comparison)
    made = compare_two(section, second, best)
    pairs = len(section.candidates) * (len(section.candidates) - 1) // 2
    p = None if made.p is None else min(1.0, made.p * pairs)
    return best, second, replace(made, adjusted_p=p)


def verdict_sentence(shown: SectionData, pair: Pair | None) -> Both:
    """Who does best, by how much, whether that may be chance, and how people do."""
    section = shown.section
    ranked = ranking(section)
    if not ranked:
        return _no_ranking(shown)
    others_learnt = any(not candidate.sheet.may_lead for candidate in section.candidates)
    if len(section.candidates) == 1 or (len(ranked) == 1 and others_learnt):
        candidate = section.candidates[ranked[0]]
        first = phrase_html("lead.scores", name=candidate.label, mark=_mark(section, candidate))
        parts: list[Text] = [first, *people_clauses(section, shown.people[ranked[0]])]
        return phrase_html("summary.sentence", clauses=clauses(parts))
    if pair is None:
        return _on_shared(shown) if len(section.candidates) == 2 else _no_ranking(shown)
    best, second, comparison = pair
    parts = [_lead(section, best, second, comparison)]
    parts += people_clauses(section, shown.people[best])
    return phrase_html("summary.sentence", clauses=clauses(parts))


def _lead(section: Section, best: int, second: int, comparison: Comparison) -> Both:
    candidate, other = section.candidates[best], section.candidates[second]
    forward = comparison.b == candidate.name
    won = comparison.better(ALPHA) if forward else comparison.worse(ALPHA)
    scale = section.scale(section.main)
    scores = [main_mark(section, each).score for each in (candidate, other)]
    if scores[0] == scores[1]:
        key = "equal"
    elif len(ranking(section)) > 2:
        key = "best_of" if won else "ahead_of"
    else:
        key = "best" if won else "ahead"
    difference = comparison.difference
    return phrase_html(
        f"lead.{key}",
        name=candidate.label,
        other=other.label,
        count=len(ranking(section)),
        mark=_mark(section, candidate),
        other_mark=numbers.mark(scores[1], scale),
        difference=numbers.mark(None if difference is None else abs(difference), scale),
        metric=metric_words(section.main),
        p=p_words(comparison.decisive_p),
    )


def _mark(section: Section, candidate: MarkedCandidate) -> Both:
    mark = main_mark(section, candidate)
    return phrase_html(
        "summary.mark",
        score=numbers.mark(mark.score, mark.scale),
        metric=metric_words(section.main),
        interval=in_brackets(mark),
    )


def _on_shared(shown: SectionData) -> Both:
    """Two candidates on the units that both sat."""
    section = shown.section
    first, other = section.candidates
    comparison = shown.compared.of(section.main, other.name)
    if comparison is None or comparison.gain is None:
        return _no_ranking(shown)
    scale = section.scale(section.main)
    scored = [(other.label, comparison.score_b), (first.label, comparison.score_a)]
    (name, score), (behind, behind_score) = scored if comparison.gain > 0 else scored[::-1]
    return phrase_html(
        "lead.shared" if comparison.significant(ALPHA) else "lead.shared_ahead",
        units=counted(comparison.units, section.kind.unit_noun),
        name=name,
        other=behind,
        score=numbers.mark(score, scale),
        other_mark=numbers.mark(behind_score, scale),
        metric=metric_words(section.main),
        p=p_words(comparison.decisive_p),
    )


def _no_ranking(shown: SectionData) -> Both:
    section = shown.section
    if section.candidates:
        return phrase("lead.unranked", metric=metric_words(section.main))
    [sheet, *_] = section.people
    marks = [
        joined([metric_words(name), numbers.mark(mark.score, mark.scale)], en=" ", zh=" ")
        for name, mark in list(sheet.recorded.marks.items())[:2]
    ]
    return people_phrase(section.test, sheet.recorded.method, "only", marks=listed(marks))


# The large numbers.


def headlines(shown: SectionData) -> list[Headline]:
    """A card for every candidate, and for people where there are any."""
    section, compared = shown.section, shown.compared
    ranked = ranking(section)
    best = ranked[0] if len(ranked) > 1 and comparable(section, compared) else None
    cards = []
    for index, candidate in enumerate(section.candidates):
        mark = main_mark(section, candidate)
        comparison = compared.of(section.main, candidate.name)
        interval = numbers.interval(mark.low, mark.high, mark.scale)
        cards.append(
            Headline(
                candidate.label,
                candidate.look,
                metric_words(section.main),
                numbers.mark(mark.score, mark.scale),
                numbers.with_count(interval, mark.units),
                list(_other_marks(section, candidate)),
                _difference(section, index, comparison),
                None if comparison is None else _verdict_on(comparison),
                index == best,
            )
        )
    return [*cards, *_people_cards(shown)]


def _other_marks(section: Section, candidate: MarkedCandidate) -> Iterator[Text]:
    recorded = candidate.sheet.recorded
    for metric in headline_metrics(section, candidate):
        if metric != section.main:
            mark = recorded.marks[metric]
            yield phrase_html(
                "summary.mark",
                score=numbers.mark(mark.score, mark.scale),
                metric=metric_words(metric),
                interval=in_brackets(mark),
            )
    if (seen := candidate.sheet.header.seen) is not None:
        yield phrase(
            "lead.seen",
            count=f"{seen.passages:,}",
            all=f"{seen.of:,}",
            records=noun(section.kind.record_noun, several=True),
        )
    missing = len(recorded.unanswered) + len(recorded.errors)
    if missing:
        yield phrase("lead.missing", units=counted(missing, section.kind.unit_noun))


def _difference(section: Section, index: int, comparison: Comparison | None) -> Text | None:
    if comparison is None or comparison.difference is None:
        several = len(section.candidates) > 1
        return phrase("lead.first") if several and index == 0 else None
    scale = section.scale(section.main)
    shown = phrase_html(
        "lead.difference",
        difference=numbers.mark(comparison.difference, scale, signed=True),
        first=section.label(comparison.a),
        interval=numbers.interval(comparison.low, comparison.high, scale, signed=True),
    )
    if not on_part(section, comparison):
        return shown
    units = counted(comparison.units, section.kind.unit_noun)
    return joined([shown, phrase("lead.on_shared", units=units)], en=", ", zh="，")


def _verdict_on(comparison: Comparison) -> Text:
    won, lost = comparison.better(ALPHA), comparison.worse(ALPHA)
    side = "better" if won else "worse" if lost else "chance"
    adjusted = phrase("summary.adjusted") if comparison.adjusted_p is not None else Both("", "")
    return phrase_html(f"lead.p_{side}", p=p_words(comparison.decisive_p), adjusted=adjusted)


def _people_cards(shown: SectionData) -> Iterator[Headline]:
    """People once for every way of marking them, with the machines on the same references."""
    section = shown.section
    scale = section.scale(section.main)
    seen: dict[str, list[WithPeople]] = {}
    for person in shown.people:
        if person.method is not None and section.main in person.marks:
            seen.setdefault(person.method, []).append(person)
    for method, several in seen.items():
        machines = [
            phrase_html(
                "lead.named",
                name=person.candidate.label,
                what=numbers.mark(person.marks[section.main].machine, scale),
            )
            for person in several
        ]
        yield Headline(
            people_phrase(section.test, method, "row", method=named("method", method)),
            PEOPLE,
            metric_words(section.main),
            numbers.mark(several[0].marks[section.main].people, scale),
            phrase_html("people.on_same", machines=clauses(machines)),
        )
    for sheet in section.people:
        mark, method = sheet.recorded.marks.get(section.main), sheet.recorded.method or ""
        if mark is not None and method not in seen:
            yield Headline(
                people_phrase(section.test, method, "row", method=named("method", method)),
                PEOPLE,
                metric_words(section.main),
                numbers.mark(mark.score, scale),
                numbers.interval(mark.low, mark.high, scale),
            )


# What to look at next.


def next_steps(shown: SectionData, pair: Pair | None) -> list[NextStep]:
    """Links to the units that say most, the most telling first."""
    section = shown.section
    ranked = ranking(section)
    if not ranked:
        return []
    steps = [*_missing(section), *_against_next(section, pair)]
    steps += [*_weakest(section, ranked[0]), *_largest_class(section, ranked[0])]
    if pair is not None and not pair[2].significant(ALPHA) and pair[2].detectable is not None:
        text = phrase(
            "next.detectable",
            detectable=numbers.mark(pair[2].detectable, section.scale(section.main)),
            metric=metric_words(section.main),
        )
        steps.append(NextStep(text, f"#test-{section.number}-marks"))
    return steps[:MOST_STEPS]


def _missing(section: Section) -> Iterator[NextStep]:
    for index, candidate in enumerate(section.candidates):
        recorded = candidate.sheet.recorded
        for letter, ids in (
            (UnitVerdict.ERROR, recorded.errors),
            (UnitVerdict.UNANSWERED, recorded.unanswered),
        ):
            if ids:
                units = counted(len(ids), section.kind.unit_noun)
                text = phrase_html(f"next.{letter}", name=candidate.label, units=units)
                yield NextStep(text, units_link(section.number, candidate=index, verdict=letter))


def _against_next(section: Section, pair: Pair | None) -> Iterator[NextStep]:
    """Units that one of the two leading candidates answered right and the other did not."""
    if pair is None:
        return
    best, second, _ = pair
    verdicts = {index: verdicts_of(section, section.candidates[index]) for index in (best, second)}
    for right, wrong in ((second, best), (best, second)):
        count = sum(
            judged.verdict == UnitVerdict.RIGHT and verdicts[wrong][id].verdict != UnitVerdict.RIGHT
            for id, judged in verdicts[right].items()
            if id in verdicts[wrong]
        )
        if count:
            text = phrase_html(
                "next.only",
                units=counted(count, section.kind.unit_noun),
                right=section.candidates[right].label,
                wrong=section.candidates[wrong].label,
            )
            yield NextStep(text, units_link(section.number, right=right, wrong=wrong))


def _weakest(section: Section, best: int) -> Iterator[NextStep]:
    """The slice that the best candidate does worst on, where its interval leaves out the mark."""
    candidate = section.candidates[best]
    overall = main_mark(section, candidate)
    if overall.score is None:
        return
    sign = -1 if section.lower_is_better(section.main) else 1
    weak = []
    for field in section.fields:
        for label, part in candidate.sheet.slices(field).items():
            mark = part.marks.get(section.main, Mark())
            end = mark.high if sign > 0 else mark.low
            if mark.score is None or end is None or part.units < FEWEST_UNITS:
                continue
            if sign * (end - overall.score) < 0:
                weak.append((sign * mark.score, field, label, part.units))
    if weak:
        score, field, label, units = min(weak)
        text = phrase_html(
            "next.weakest",
            name=candidate.label,
            field=named("field", field),
            label=value_words(field, label),
            units=counted(units, section.kind.unit_noun),
            score=numbers.mark(sign * score, overall.scale),
            overall=numbers.mark(overall.score, overall.scale),
            metric=metric_words(section.main),
        )
        yield NextStep(text, section.link(field, label) or f"#test-{section.number}-slices")


def _largest_class(section: Section, best: int) -> Iterator[NextStep]:
    """The class of most of the best candidate's wrong answers."""
    candidate = section.candidates[best]
    errors = candidate.sheet.errors()
    if errors is None or errors.machine is None:
        return
    (right, _), *wrong = errors.machine.counts.items()
    name, count = max(wrong, key=lambda counts: counts[1], default=(right, 0))
    if count:
        text = phrase_html(
            "next.class",
            name=candidate.label,
            error_class=named("error_class", name),
            count=f"{count:g}",
            all=f"{sum(count for _, count in wrong):g}",
        )
        yield NextStep(text, units_link(section.number, candidate=best, error_class=name))
