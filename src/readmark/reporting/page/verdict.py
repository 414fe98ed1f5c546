"""The verdict on a section: who does best, by how much, and whether that may be chance."""

from __future__ import annotations

from dataclasses import replace

from readmark.marking import Comparison, Mark
from readmark.reporting.page import numbers
from readmark.reporting.page.bilingual import Bilingual, Text, clauses, joined
from readmark.reporting.page.comparisons import ComparedCandidates, compare_two, on_part
from readmark.reporting.page.differences import ALPHA, p_words
from readmark.reporting.page.metric_names import metric_words
from readmark.reporting.page.nouns import counted
from readmark.reporting.page.people_words import people_phrase
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.sections import MarkedCandidate, Section
from readmark.reporting.page.summary import in_brackets, people_clauses
from readmark.reporting.page.words import listed, phrase, phrase_html

Pair = tuple[int, int, Comparison]
"""The best candidate, the next best, and the comparison of the two."""


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
    comparison = compare_two(section, second, best)
    pairs = len(section.candidates) * (len(section.candidates) - 1) // 2
    p = None if comparison.p is None else min(1.0, comparison.p * pairs)
    return best, second, replace(comparison, adjusted_p=p)


def verdict_sentence(data: SectionData, pair: Pair | None) -> Bilingual:
    """Who does best, by how much, whether that may be chance, and how people do."""
    section = data.section
    ranked = ranking(section)
    if not ranked:
        return _no_ranking(section)
    others_learnt = any(not candidate.sheet.may_lead for candidate in section.candidates)
    if len(section.candidates) == 1 or (len(ranked) == 1 and others_learnt):
        candidate = section.candidates[ranked[0]]
        first = phrase_html("lead.scores", name=candidate.label, mark=_mark(section, candidate))
        parts: list[Text] = [first, *people_clauses(section, data.people[ranked[0]])]
        return phrase_html("summary.sentence", clauses=clauses(parts))
    if pair is None:
        return _on_shared(data) if len(section.candidates) == 2 else _no_ranking(section)
    best, second, comparison = pair
    parts = [_lead(section, best, second, comparison)]
    parts += people_clauses(section, data.people[best])
    return phrase_html("summary.sentence", clauses=clauses(parts))


def _lead(section: Section, best: int, second: int, comparison: Comparison) -> Bilingual:
    """The best candidate against the next best."""
    candidate, runner_up = section.candidates[best], section.candidates[second]
    forward = comparison.b == candidate.name
    won = comparison.better(ALPHA) if forward else comparison.worse(ALPHA)
    scale = section.scale(section.main)
    score = main_mark(section, candidate).score
    second_score = main_mark(section, runner_up).score
    if score == second_score:
        key = "equal"
    elif len(ranking(section)) > 2:
        key = "best_of" if won else "ahead_of"
    else:
        key = "best" if won else "ahead"
    difference = comparison.difference
    return phrase_html(
        f"lead.{key}",
        name=candidate.label,
        other=runner_up.label,
        count=len(ranking(section)),
        mark=_mark(section, candidate),
        other_mark=numbers.mark(second_score, scale),
        difference=numbers.mark(None if difference is None else abs(difference), scale),
        metric=metric_words(section.main),
        p=p_words(comparison.decisive_p),
    )


def _mark(section: Section, candidate: MarkedCandidate) -> Bilingual:
    mark = main_mark(section, candidate)
    return phrase_html(
        "summary.mark",
        score=numbers.mark(mark.score, mark.scale),
        metric=metric_words(section.main),
        interval=in_brackets(mark),
    )


def _on_shared(data: SectionData) -> Bilingual:
    """Two candidates on the units that both sat."""
    section = data.section
    first, second = section.candidates
    comparison = data.compared.of(section.main, second.name)
    if comparison is None or comparison.gain is None:
        return _no_ranking(section)
    scale = section.scale(section.main)
    scored = [(second.label, comparison.score_b), (first.label, comparison.score_a)]
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


def _no_ranking(section: Section) -> Bilingual:
    """That candidates are in no order, or people's marks where there are no candidates."""
    if section.candidates:
        return phrase("lead.unranked", metric=metric_words(section.main))
    [sheet, *_] = section.people
    marks = [
        joined([metric_words(name), numbers.mark(mark.score, mark.scale)], en=" ", zh=" ")
        for name, mark in list(sheet.recorded.marks.items())[:2]
    ]
    return people_phrase(section.test, sheet.recorded.method, "only", marks=listed(marks))
