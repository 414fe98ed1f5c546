"""What the rules of a profile found, in a terminal: a table a test, and its question types."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from readmark.reporting.terminal import ABSENT, counted, make_console, plain_table
from readmark.setting.question_rules import Examination, Profile
from readmark.setting.question_rules.rules import RULES

SERIES = "series"
"""A noun whose plural is itself."""


def print_examinations(examinations: Sequence[Examination], profile: Profile) -> None:
    """A table a test on stderr: stdout has the problems themselves."""
    console = make_console(stderr=True)
    for one in examinations:
        records = (
            counted(one.passages, one.noun) if one.noun != SERIES else f"{one.passages:,} series"
        )
        size = f"{records}, {counted(one.questions, 'question')}"
        console.print(f"{one.file} ({one.language}), rules of {profile.name}: {size}")
        console.print(_codes(one, profile))
        console.print(_types(one), soft_wrap=False)


def _codes(one: Examination, profile: Profile) -> Table:
    table = plain_table("rule", "severity", "found", "of questions")
    for code, applied in profile.rules.items():
        count = one.codes.get(code, 0)
        of_passage = RULES[code].of_questions
        share = f"{count / one.questions:.1%}" if one.questions and of_passage else ABSENT
        found = ABSENT if code in one.unruled else f"{count:,}"
        table.add_row(code, applied.severity, found, ABSENT if found == ABSENT else share)
    return table


def _types(one: Examination) -> str:
    """The types in one paragraph, the most frequent first."""
    told = one.types.summary()
    share = told["largest_share"]
    if not isinstance(share, float):
        return "types: none told"
    found = sorted(one.types.counts.items(), key=lambda each: -each[1])
    named = ", ".join(f"{type} {count:,}" for type, count in found if count)
    return (
        f"types: {named}; entropy {told['entropy']:.2f} bits "
        f"(evenness {told['evenness']:.2f}), largest {told['largest']} {share:.1%}\n"
    )
