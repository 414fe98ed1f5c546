"""Verdicts on challenge questions in a terminal: a question with its reasons, then the counts."""

from __future__ import annotations

from rich.text import Text

from readmark.reporting.terminal import ABSENT, counted, make_console, plain_table
from readmark.setting.challenge import CRITERIA, Selection, Verdict
from readmark.setting.challenge.verdict import WORDS


def print_selection(done: Selection, *, find: bool, show: int) -> None:
    """The questions found, or those that fail, then a line a criterion."""
    console = make_console()
    listed = [one for one in done.verdicts if find or one.fails]
    for verdict in listed[:show]:
        console.print(_told(verdict, find=find), soft_wrap=True)  # Chinese has no spaces
    if len(listed) > show:
        console.print(f"… and {len(listed) - show:,} more; all of them with --json\n")
    met = sum(one.found for one in done.verdicts)
    share = f" ({met / done.questions:.1%})" if done.questions else ""
    of = f"{met:,} of {counted(done.questions, 'question')}{share}"
    console.print(f"{of}: no single sentence, not the only one of its class")
    table = plain_table("fails first by" if find else "fails by", "questions")
    for name, words in WORDS.items():
        if done.fails[name] or name in CRITERIA:
            of_found = " (of those found)" if find and name == "annotators" else ""
            table.add_row(f"{name}: {words}{of_found}", f"{done.fails[name]:,}")
    console.print(table)


def _told(verdict: Verdict, *, find: bool) -> Text:
    question = verdict.question
    said = Text.assemble((question.id, "bold"), f"  {question.text}\n")
    level = f" (level {verdict.level})" if verdict.level is not None else ""
    said.append(f"  answer: {verdict.answer or ABSENT}{level}\n")
    if not find:
        said.append(f"  fails: {', '.join(verdict.fails)}\n")
    for reason in verdict.why:
        said.append(f"  {reason}\n", "dim")
    for start, end in verdict.sentences:
        said.append(f"  | {verdict.passage.text[start:end]}\n", "dim")
    return said
