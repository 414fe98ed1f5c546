"""The commands of a case, by what the spoilt file is, and a call of ``readmark`` in process.

In a command ``{it}`` is the spoilt file, ``{from}`` its format or nothing, ``{answers}`` sound
answers to it if it is a test, ``{out.jsonl}`` an output, ``{sound}`` what it was before, and
any other name a sound document of ``seeds.py``. A ``|`` is a space within an argument.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from unittest import mock

from command_line import captured, text_of
from readmark.cli.main import main
from readmark.formats.registry import FORMATS

WRITABLE = tuple(name for name, format in FORMATS.working() if hasattr(format, "write"))
SERIES_ONLY = ("series_gold",)
SUFFIXES = {
    "native": "jsonl",
    "flat": "jsonl",
    "parquet": "parquet",
    "conllu": "conllu",
    "table": "csv",
}

ANY_TEST = (
    "check {it} {from}",
    "check {it} {from} --json",
    "stats {it} {from} --json",
    "stats {it} {sound} --plot {out.svg}",
    "mark {it} {answers} {from} --draws 20 -o {out.jsonl}",
    "mark {it} {answers} {from} --draws 20 --by split,topic,language --json",
    "compare {it} {answers} {answers} {from} --trials 20 --draws 20 --json --by split",
    "people {it} {answers} {answers} {from} --draws 20 --json",
    "set split {it} {from} -o {out.jsonl} --proportions 50/25/25 --force",
    "set split {it} {sound} {from} --check --json",
    "set agree {it} {sound} {from} --names a,b --draws 20 --json",
    "set agree {it} {from} --draws 20 -o {out.json}",
    "set export {it} {from} -o {out.folder} --licence CC0-1.0",
    "set filter {it} {from} -o {out.jsonl} --keep split=test --keep level=1 --drop offset",
    "set join {it} {sound} {from} -o {out.jsonl} --prefix --licence CC0-1.0",
    "convert {it} {out.jsonl} {from} --repair",
    "mark {it} {answers} {from} --draws 20 --split test --json",
    "convert {it} {out.jsonl.gz} {from} --public --hide test",
)


def _conversions(formats: Iterable[str]) -> tuple[str, ...]:
    return tuple(
        f"convert {{it}} {{out.{SUFFIXES.get(name, 'json')}}} {{from}} --to {name}"
        for name in formats
    )


COMPREHENSION = (
    *ANY_TEST,
    *_conversions(name for name in WRITABLE if name not in SERIES_ONLY),
    "people {it} {from} --draws 20 --by level -o {out.jsonl}",
    "mark {it} {answers} {from} --draws 20 --by level,type --json",
    "rate --formulas {it} {from} --json",
    "rate {it} {from} -r formula --explain",
    "check {it} {from} --profile smart --json",
    "check {it} {from} --profile cmrc",
    "check {it} {from} --profile brcc",
    "sit {it} {from} -r lead -o {out.jsonl}",
    "sit {it} {from} -r longest_overlap -o {out.jsonl} --json --shuffle-options 3",
    "sit {it} {from} -r bow -o {out.jsonl} --without question --limit 2",
    "sit {it} {from} -r closest_option -o {out.jsonl} --repeats 2",
    "sit {it} {from} -r evidence -o {out.jsonl}",
    "mark {it} {answers} {from} --draws 20 -m recall -m contains -m humsent --json --redact "
    "--by question_word,answerable,answer_length,passage_length,overlap,passage_overlap",
    "set levels {it} {from} -o {out.jsonl} --why",
    "set levels {it} {from} --json",
    "set screen {it} {from} -o {out.jsonl} --form {out.csv}",
    "set sheet {it} {from} -o {out.xlsx}",
    "set collect {it} {from} -o {out.jsonl} --profile smart --discard {out.csv}",
    "convert {it} {out.xlsx} {from}",
    "set annotate {it} {from} -o {out.jsonl} --layers sentence,token --force",
    "set annotate {it} {from} -o {out.jsonl} --mentions",
    "set blind {it} {from} -o {out.folder} --annotator ann --annotator bo --each 1",
    "set merge {it} {answers} {from} -o {out.jsonl}",
    "set merge {sound} {it} -o {out.jsonl} --name zed",
    "set challenge {it} {from} --find --json",
    "set challenge {it} {from} --check --show 3",
    "set crosscheck {it} {sound} {from} --names a,b -o {out.jsonl}",
    "set crosscheck {sound} {it} {from} --corrections --names a,b --json",
    "set crosscheck {it} {from} --english {sound} --consistency --json",
    "set translate {it} {sound} {it} {from} --names a,b -o {out.jsonl}",
    "harness export {it} {from} --to lm-eval -o {out.folder}",
    "harness export {it} {from} --to inspect -o {out.folder} --shots 1 --shots-from {rye}",
)
SERIES = (
    *ANY_TEST,
    *_conversions(("native", "flat", "parquet", *SERIES_ONLY)),
    "check {it} {from} --profile series --json",
    "sit {it} {from} -r append -o {out.jsonl}",
    "sit {it} {from} -r guided -o {out.jsonl}",
    "series table {it} {from} -w guided -m jaccard -m bleu --json",
    "series table {it} {from} -s {answers}",
    "series worst {it} {answers} {from} --json",
    "series worst {it} {answers} {from} --baseline {answers} --plot {out.svg}",
    "series tune {it} {from} --most 2 --json",
    "series effect {it} {braille} {from} -r lead --trials 20 --draws 20",
)
READABILITY = (
    *ANY_TEST,
    "people {it} {from} --draws 20 --by topic -o {out.jsonl}",
    "rate --formulas {it} {from} --json",
    "rate {it} {from} -r formula --explain -o {out.html}",
    "sit {it} {from} -r formula -o {out.jsonl}",
    "rate {it} {from} -r features --json",
    "panel plan {it} {from} -o {out.folder} --experts 2 --novices 2 --round 3",
    "panel collect {it} {plan} {judged} {from} -o {out.jsonl} --draws 20",
    "panel mark {it} {answers} {from} --novice {novice1} --novice {novice2} --draws 20 --json",
    "panel mark {it} {answers} {from} --draws 20 --full",
    "panel pool {it} {from} -o {out.jsonl} --least 3",
)
REASONING = (
    "task infer {it} --seconds 5 -o {out.nq}",
    "task infer {it} --seconds 5 --json",
    "task query {it} --seconds 5 --explain -q ((?G|winner|?T))",
    "task query {it} --seconds 5 --json -q ((?G|type|Game)|(?G|numberOfPeriods|?N))",
    "task explain {it} --seconds 5 -s (?G|numberOfPeriods|?N) -o {out.html}",
    "task queries {ontology} {it} -o {out.jsonl}",
)
PACKING = (
    "task gold {it} -o {out.jsonl} --union",
    "task gold {it} -o {out.jsonl} --annotator ida --as-sitting --json",
    "task pack {it} -o {out.zip}",
    "task pack {it} -o {out.folder} --public --anyway",
)
TASK = (
    *(command.replace(" {from}", "") for command in ANY_TEST if "--to" not in command),
    *REASONING,
    *PACKING,
    "check {it} --pairs {out.jsonl}",
    "task gold {it} --history --json",
    "task pack {it} -o {out.zip} --gold 1 --anyway",
    "task pool {it} {sitting.task} -o {out.jsonl}",
    "mark {it} {answers} --draws 20 --json",
)
ANY_SITTING = (
    "convert {it} {out.json} --to predictions",
    "convert {it} {out.jsonl} --to sitting",
    "convert {it} {out.csv}",
    "mark {test} {it} --draws 20 -o {out.jsonl}",
    "mark {test} {it} --draws 20 --json --errors-as-wrong --by split",
    "mark {test} {answers} --people {it} --draws 20",
    "compare {test} {it} {answers} --trials 20 --draws 20 --errors-as-wrong",
    "compare {test} {answers} {it} --trials 20 --draws 20 --json",
    "people {test} {it} {answers} --draws 20",
    "set agree {it} {sound} --names a,b --draws 20 --json",
)
CUTTING = (
    "",
    "--recipe cmrc --json",
    "--skipped {out.skipped.jsonl}",
    *(f"--shape {shape}" for shape in ("html", "mediawiki", "wikiextractor")),
    "--shape plain --script keep --language zh",
)
COMMANDS: dict[str, tuple[str, ...]] = {
    "comprehension": COMPREHENSION,
    "series": SERIES,
    "readability": READABILITY,
    "task": TASK,
    "task folder": PACKING,
    "sitting": (
        *ANY_SITTING,
        "set merge {test} {it} -o {out.jsonl}",
        "sit {test} -r keyed(file={it}) -o {out.jsonl}",
    ),
    "harness log": (*ANY_SITTING, "harness import {it} {test} -o {out.jsonl} --json")
    + ("harness import {it} {test} -o {out.jsonl}",) * 3,
    "series sitting": (
        *ANY_SITTING,
        "series table {test} -s {it} -m jaccard",
        "series worst {test} {it} --json",
        "series tune {test} {it} {answers} --most 2",
        "series tune {test} {it} --judgements {judgements} --json",
        "sit {test} -r keyed(file={it}) -o {out.jsonl}",
    ),
    "readability sitting": (
        *ANY_SITTING,
        "panel mark {test} {it} --novice {novice1} --novice {novice2} --draws 20 --json",
        "panel mark {test} {answers} --novice {it} --novice {novice2} --draws 20 -o {out.folder}",
    ),
    "class ratings": (
        "people {test} {it} --draws 20",
        "mark {test} {answers} --people {it} --draws 20 --json",
        "mark {test} {it} --draws 20",
        "panel mark {test} {answers} --novice {it} --draws 20 --json",
        "panel mark {test} {answers} --novice {it} --by-row --draws 20",
    ),
    "task sitting": (*ANY_SITTING, "task pool {test} {it} -o {out.jsonl}"),
    "marksheet": (
        "table {it}",
        "table {it} {it} --json",
        "table dev={it} --by level --format csv",
        "table {it} --same-sets --format markdown",
        "compare {test} {it} {it} --trials 20 --draws 20",
        "compare {test} {it} {answers} --trials 20 --draws 20 --json",
        "report {it} -o {out.html}",
        "report {it} {marksheet} -o {out.html} --language zh --json",
    ),
    "source": (
        *(f"set text {{it}} -o {{out.jsonl}} --min 1 --article-min 1 {more}" for more in CUTTING),
        "rate --formulas {it} --json",
        "rate {it} -r formula",
        "panel pool --genre forum={it} -o {out.jsonl} --least 1",
        "check {it}",
    ),
    "translator": (
        "set translate {english} {it} {translator2} --names a,b -o {out.jsonl} --json",
        "set translate {english} {translator} {it} --names a,b -o {out.jsonl} --full",
        "set translate {it} {translator} {translator2} --names a,b -o {out.jsonl}",
        "set agree {it} {translator} --draws 20",
    ),
    "translation decisions": (
        "set translate {english} {translator} {translator2} --decisions {it} -o {out.jsonl}"
        " --adopt-suggestions --passages {chinese} --by me",
        "set translate {english} {translator} {translator2} --decisions {it} -o {out.jsonl}"
        " --passages {chinese}",
        "set translate {english} {translator} {translator2} -o {it.copy}",
    ),
    "labels": (
        "set levels {bridge} --labels {it} -o {out.jsonl}",
        "set levels {bridge} --labels {it} --json",
        "set agree {it} {labels2} --draws 20 --what level --scale ordinal",
        "set agree {it} {labels2} --draws 20 --json",
    ),
    "screen decisions": (
        "set screen {street} --decisions {it} -o {out.jsonl} --report {out.report.jsonl}",
        "set screen {street} --decisions {it} --decisions {decisions2} -o {out.jsonl} --json",
        "set agree {it} {decisions2} --draws 20 --json",
    ),
    "screen config": ("set screen {street} --profile {it} -o {out.jsonl}",),
    "profile config": ("check {native} --profile {it} --json",),
    "adjudication": (
        "set adjudicate {layers} {layers2} --decisions {it} -o {out.jsonl}",
        "set adjudicate {layers} {layers2} --decisions {it} -o {out.jsonl} --undecided drop --json",
        "set crosscheck {layers} {layers2} -o {it.copy}",
    ),
    "braille": ("series effect {series.read} {it} -r lead --trials 20 --draws 20 --json",),
    "bilingual": (
        "convert {it} {out.folder}/ {from}",
        "convert {it} {out.brcc} {from}",
        "set agree {it} {sound} {from} --names a,b --draws 20 --json",
        "readability {it} {from} --json",
    ),
    "layers": (
        "set adjudicate {it} {layers2} {from} --decisions {adjudication} -o {out.jsonl}",
        "set crosscheck {it} {layers2} {from} -o {out.jsonl} --common",
    ),
    "blind sheet": (
        "set merge {bridge} {it} -o {out.jsonl}",
        "set merge {bridge} {it} {blind.sheet2} -o {out.jsonl} --name x --name y --json",
        "set agree {it} {blind.sheet2} --draws 20",
    ),
    "vetting sheet": ("panel pool {candidates} --vetted {it} -o {out.jsonl} --least 3",),
    "candidates": (
        "panel pool {it} -o {out.jsonl} --least 3 --per-genre 1 --json",
        "panel pool {it} --sheet {out.csv} --least 3",
        "rate --formulas {it}",
    ),
    "judge's sheet": (
        "panel collect {readability.small} {plan} {it} -o {out.jsonl} --draws 20",
        "panel collect {readability.small} {plan} {it} {judged} --novices {out.folder}"
        " --report {out.jsonl} --draws 20 --json",
        "panel collect {readability.small} {plan} {it} --remaining {out.folder} --real --draws 20",
    ),
    "plan": (
        "panel collect {readability.small} {it} {judged} -o {out.jsonl} --draws 20",
        "panel collect {readability.small} {it} {judged} --remaining {out.folder} --json",
    ),
    "judgements": ("series tune {series} {sitting.series} --judgements {it} --json",),
    "pool": (
        "task gold {task.copied} -o {out.jsonl} --adjudicated {it}",
        "task gold {task.copied} -o {out.jsonl} --adjudicated {it} --json --annotator ida",
        "task gold {task.judged.copied} -o {out.jsonl} --adjudicated {it} --revise",
    ),
    "statements": (
        *REASONING,
        "task infer {it} --rules {rules} --ontology {ontology} --seconds 5 --json",
        "task query {it} --rules {rules} --seconds 5 -q ((?G|numberOfPeriods|?N)) --explain",
        "task query {it} --seconds 5 --json --sparql SELECT|?s|WHERE|{{{{?s|?p|?o}}}}",
        "task decompose nfl_scoring --statements {it} --json",
        "convert {it} {out.statements}",
        "convert {it} {out.trig} --json",
        "task explain {it} --contradictions --ontology {ontology} --seconds 5 --json",
    ),
    "rules": (
        "task infer {statements} --rules {it} --seconds 5 --json",
        "task infer {statements} --rules {it} --seconds 5 -o {out.graph}",
        "task query {statements} --rules {it} --seconds 5 --explain -q ((?G|numberOfPeriods|?N))",
        "task explain {statements} --rules {it} --seconds 5 -s (?G|numberOfPeriods|?N)",
    ),
    "ontology": (
        "task infer {statements} --ontology {it} --seconds 5 --json",
        "task query {statements} --ontology {it} --seconds 5 -q ((?G|type|?C))",
        "task queries {it} {statements} -o {out.jsonl} --json",
    ),
    "decomposition": (
        "task decompose {it} 7|to|3 --json",
        "task decompose {it} A|9,|B|2 --known field_goal|>=|1 --most 3",
    ),
    "prompt": ("harness export {native} --to lm-eval -o {out.folder} --prompt {it}",),
    "lexicon": ("set annotate {zh} -o {out.jsonl} --layers token --lexicon {it} --force",),
}
"""By what a document is, or by its name where it is the only one of its sort."""


@dataclass(frozen=True)
class Result:
    """What a command left behind: its exit status, what it printed, how it raised."""

    status: int | None
    stdout: str
    stderr: str
    raised: str = ""
    place: str = ""
    """The exception and the innermost function of Readmark: what failures are counted by."""


def call(args: Sequence[str]) -> Result:
    """``readmark ARGS`` in this process."""
    status, raised, place = None, "", ""
    with captured() as (stdout, stderr), mock.patch.object(sys, "argv", ["readmark", *args]):
        try:
            main()
        except SystemExit as left:
            status = left.code if isinstance(left.code, int) else 1
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raised = traceback.format_exc()
            place = _place(error)
        return Result(status, text_of(stdout), text_of(stderr), raised, place)


def _place(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "/readmark/" in frame.filename] or list(frames)
    where = own[-1]
    return f"{type(error).__name__} in {where.filename.rpartition('/readmark/')[2]}:{where.name}"
