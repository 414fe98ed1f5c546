"""``readmark set levels``: the reasoning that each question needs, 1 to 4, with reasons."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from readmark.cli import options
from readmark.cli.ticker import Ticker

SHOWN = 3
"""How many levels of another scale a line names."""

if TYPE_CHECKING:
    from readmark.setting.levels.comparing import Compared
    from readmark.setting.levels.levelling import Judged, Judgements


@click.command("levels")
@click.argument("test")
@click.option("-o", "--output", metavar="OUT", help="The test to write, with levels in its key.")
@click.option(
    "--labels",
    metavar="FILE",
    help="People's labels, JSON Lines or CSV (id, level, reasons, person); they stand.",
)
@click.option("--why", is_flag=True, help="Print each question with the reasons that were found.")
@options.from_option
@click.option(
    "--to",
    "to_format",
    metavar="FORMAT",
    help="The format to write; by OUT's suffix (.json: smart).",
)
@options.json_option
def levels_command(
    test: str,
    output: str | None,
    labels: str | None,
    why: bool,
    from_format: str | None,
    to_format: str | None,
    as_json: bool,
) -> None:
    """Label each question of a TEST by the reasoning that it needs.

    Level 1 is a string match, 2 differs in wording or order, 3 takes one type of reasoning
    (reference, time, cause, several sentences, comparison), 4 takes several. A level that a person
    gave, in the test or in --labels, stands; the rules' is kept beside it, and both are compared.
    A level of another scale is kept as the field level_given.
    """
    from readmark.corpus.formats import format_for, open_test, save_test
    from readmark.corpus.outputs import require_apart
    from readmark.setting.levels.comparing import beside_people
    from readmark.setting.levels.labels import read_labels
    from readmark.setting.levels.levelling import judged, with_levels
    from readmark.sitting.runner import Progress

    require_apart([output], [test, labels])
    asked = open_test(test, format=from_format)
    format = None
    if output is not None:
        format = to_format or format_for(Path(output), asked)
        if to_format is None and format.startswith("squad"):
            format = "smart"  # the JSON of that shape that holds levels
    people = read_labels(labels) if labels else {}
    total = asked.facts.units
    ticker = Ticker()
    began = time.monotonic()

    def watch(done: int) -> None:
        ticker.show(Progress(total, 0, done, 0, time.monotonic() - began))

    try:
        judgements = judged(asked, people, watch=watch)
        lost: list[str] = []
        if output is not None:
            lost = save_test(with_levels(asked, judgements), output, format=format)
    finally:
        ticker.end()
    options.say(_remarks(judgements, written=output is not None))
    beside = beside_people(judgements.values())
    if as_json:
        about = {"output": output, "format": format, "lost": lost}
        options.print_json({**_document(asked.header.name or test, judgements, beside), **about})
        return
    from readmark.reporting.levels import print_levels, print_reasons

    options.say(f"{format}: {line}" for line in lost)
    if why:
        print_reasons(judgements)
    print_levels(asked.header.name or test, judgements, beside)
    if output is not None:
        without = any(line.startswith("levels cannot be held") for line in lost)
        said = f"out levels: {format} has no place for them" if without else " levels"
        options.say([f"{output}: written with{said}"])


def _remarks(judgements: Judgements, *, written: bool) -> list[str]:
    split = sum(len({one.level for one in each.people}) > 1 for each in judgements.values())
    foreign = {
        id: str(one.given)
        for id, one in judgements.items()
        if one.given is not None and one.level is not None
    }
    remarks = []
    if foreign:
        from readmark.reporting.terminal import some

        scale = ", ".join(list(dict.fromkeys(foreign.values()))[:SHOWN])
        kept = "kept as the field level_given" if written else "-o keeps them as level_given"
        remarks.append(f"levels of another scale ({scale}), {kept}: {some(list(foreign))}")
    if split:
        remarks.append(
            f"{split} questions whose people disagree: most labels decide, else the first"
        )
    return remarks


def _document(name: str, judgements: Judgements, beside: Compared | None) -> dict[str, Any]:
    from readmark.setting.levels.levelling import RULES

    return {
        "test": name,
        "rules": RULES,
        "levels": {id: _told(one) for id, one in judgements.items()},
        "agreement": None if beside is None else _agreement(beside),
    }


def _told(one: Judged) -> dict[str, Any]:
    told: dict[str, Any] = {
        "level": one.level,
        "reasons": one.reasons,
        "sentences": one.machine.sentences,
        "why": one.machine.why,
        "by": one.by,
    }
    if one.given is not None:
        told["given"] = one.given
    if one.person is not None:
        told["machine"] = {"level": one.machine.level, "reasons": one.machine.reasons}
        told["people"] = [
            {"person": each.person, "level": each.level, "reasons": each.reasons}
            for each in one.people
        ]
    return told


def _agreement(beside: Compared) -> dict[str, Any]:
    def figure(one: Any) -> dict[str, Any]:
        told = {"value": one.value, "low": one.low, "high": one.high}
        return {**told, "reason": one.reason} if one.value is None else told

    return {
        "questions": beside.questions,
        "exact": figure(beside.exact),
        "easy_hard": figure(beside.hard),
        "kappa": figure(beside.kappa),
        "easy_hard_kappa": figure(beside.hard_kappa),
        "confusion": beside.confusion,
    }
