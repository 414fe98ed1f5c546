"""A screening as a table for a terminal: checks, what each discarded, and how people agree."""

from __future__ import annotations

from readmark.reporting.terminal import ABSENT, counted, make_console, number, plain_table, some
from readmark.setting.screening.report import CheckTally, Pairwise, Screening


def print_screening(done: Screening) -> None:
    """How many passages were kept, which checks discarded the others, and people's part."""
    console = make_console()
    console.print(
        f"{counted(done.passages, 'passage')}: {done.kept:,} kept, {done.discarded:,} discarded"
        + _questions(done)
    )
    table = plain_table("check", "threshold", "discards", "of all", "alone")
    for name, tally in done.checks.items():
        share = f"{100 * tally.discarded / done.passages:.1f}%" if done.passages else ABSENT
        table.add_row(name, _threshold(tally), f"{tally.discarded:,}", share, f"{tally.alone:,}")
    console.print(table)
    if done.people:
        _print_people(done)


def _print_people(done: Screening) -> None:
    console = make_console()
    for person, votes in done.people.items():
        console.print(f"{person}: {votes['keep']:,} to keep, {votes['discard']:,} to discard")
    console.print(f"people against the rules: {counted(done.overruled, 'passage')}")
    if done.undecided:
        console.print(f"people divided, kept until somebody decides: {some(done.undecided)}")
    table = plain_table("agreement", "passages", "percent", "kappa")
    for one in done.agreement:
        table.add_row(f"{one.a} – {one.b}", f"{one.passages:,}", _percent(one), number(one.kappa))
    console.print(table)
    for one in done.agreement:
        if one.reason is not None:
            console.print(f"kappa of {one.a} – {one.b}: {one.reason}", style="dim")


def _questions(done: Screening) -> str:
    if not done.questions_kept and not done.questions_discarded:
        return ""
    return f" (questions: {done.questions_kept:,} and {done.questions_discarded:,})"


def _percent(one: Pairwise) -> str:
    return ABSENT if one.percent is None else f"{one.percent:.1f}%"


def _threshold(tally: CheckTally) -> str:
    if isinstance(tally.threshold, list):
        return "–".join(f"{bound:g}" for bound in tally.threshold)
    return ABSENT if tally.threshold is None else f"{tally.threshold:g}"
