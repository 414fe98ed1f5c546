"""A part of the target that every gold of a question leaves short.

"What was Nissan formerly known as?" should say Nissan Corp. A part may name something else that
figures in the target, as the Hindenburg does in the Hindenburg disaster: a person decides.
"""

from __future__ import annotations

from collections.abc import Iterator

from readmark.corpus.spans import clip
from readmark.setting.series_rules.page import SeriesPage

EVENT = "event"


def short_targets(page: SeriesPage) -> Iterator[tuple[str, str]]:
    """A line a question whose golds have a part of the target and none the whole."""
    names = {word.base for word in page.target if word.is_name}
    for question, golds in page.keyed():
        said = [frozenset(word.base for word in page.content(gold)) for gold in golds]
        if any(form and form <= one for form in page.targets for one in said):
            continue
        for gold, bases in zip(golds, said, strict=True):
            part = [word for word in page.target if word.base in bases]
            if not part or (names and not names & bases):
                continue
            chinese = page.language == "zh"  # where names are not written as such
            if page.series.target_type == EVENT and (chinese or all(one.is_name for one in part)):
                continue  # who or what figured in it
            shown = " ".join(dict.fromkeys(word.text for word in part))
            yield (
                question.id,
                f"has {shown!r} of the target {clip(page.series.target)!r}: {clip(gold)!r}",
            )
            break
