"""A part of the target that every gold of a question leaves short."""

from __future__ import annotations

from collections.abc import Iterator

from readmark.core.question_rules import RuleFinding, RuleSettings
from readmark.core.spans import clip
from readmark.series.rules.page import SeriesPage

EVENT = "event"


def short_targets(page: SeriesPage, settings: RuleSettings) -> Iterator[RuleFinding]:
    """One line for each question whose golds have a part of the target and none the whole."""
    names = {word.base for word in page.target if word.is_name}
    for question, golds in page.keyed():
        contents = [frozenset(word.base for word in page.content(gold)) for gold in golds]
        if any(form and form <= content for form in page.targets for content in contents):
            continue
        for gold, content in zip(golds, contents, strict=True):
            part = [word for word in page.target if word.base in content]
            if not part or (names and not names & content):
                continue
            # Of an event, who or what figured in it may be meant. Chinese does not show names.
            if page.series.target_type == EVENT and (
                page.language == "zh" or all(word.is_name for word in part)
            ):
                continue
            words = " ".join(dict.fromkeys(word.text for word in part))
            target = clip(page.series.target)
            yield question.id, f"has {words!r} of the target {target!r}: {clip(gold)!r}"
            break
