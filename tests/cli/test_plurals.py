"""Counts of one: no command says "1 questions"."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from readmark.core.counts import counted, plural
from readmark.core.kinds import KINDS
from readmark.hooks import Kind
from test_four_kinds import EXAMPLES

Run = Callable[..., subprocess.CompletedProcess[str]]

NOUNS = (
    "units questions passages answers files rows documents annotators people golds ids "
    "splits pairs labels layers words sentences errors problems warnings decisions disagreements "
    "rewrites tests sittings records queries ratings raters judges repeats requests examples names"
)
WRONG = re.compile(rf"(?<![\d.,/–-])1 (?:\w+ )?(?:{'|'.join(NOUNS.split())})\b(?! of )")


@pytest.mark.parametrize(
    ("count", "noun", "words"),
    [
        (1, "question", "1 question"),
        (0, "question", "0 questions"),
        (1200, "question", "1,200 questions"),
        (2, "query", "2 queries"),
        (2, "key", "2 keys"),
        (2, "series", "2 series"),
        (1, "series", "1 series"),
        (2, "mismatch", "2 mismatches"),
        (2, "word of a text", "2 words of a text"),
        (2, "passage", "2 passages"),
    ],
)
def test_counted(count: int, noun: str, words: str) -> None:
    assert counted(count, noun) == words


def test_a_plural_and_a_verb_may_be_given() -> None:
    forms = ("person is", "people are")
    assert [counted(count, *forms) for count in (1, 2)] == ["1 person is", "2 people are"]


def test_nouns_of_the_kinds_have_plurals() -> None:
    kinds: list[Kind] = [kind for _, kind in KINDS.working()]
    nouns = {noun for kind in kinds for noun in (kind.record_noun, kind.unit_noun)}
    assert {noun: plural(noun) for noun in nouns} == {
        "passage": "passages",
        "question": "questions",
        "series": "series",
        "document": "documents",
        "query": "queries",
    }


COMMANDS = [
    "check T",
    "check T --profile smart",
    "check T --profile series",
    "stats T",
    "sit T -r C -o S",
    "sit T -r C -o S",
    "sit T -r C -o S2 --repeats 2 --plan",
    "mark T S -o M",
    "mark T S --full",
    "mark T S --by split",
    "compare T S S3",
    "people T",
    "convert T OUT.json",
    "report M -o R.html",
    "set sheet T -o SHEET.csv",
    "set blind T -o B --annotator x --each 1",
    "set merge T S3 -o MERGED.jsonl --name x",
    "set levels T -o L.jsonl",
    "set split T -o P.jsonl --proportions train=1,dev=1",
    "set screen T -o SC.jsonl",
    "set annotate T -o AN.jsonl",
    "set agree T S3 --draws 0",
    "set agree T MERGED.jsonl --draws 0",
    "set crosscheck AN.jsonl AN2.jsonl -o ADJ.jsonl",
    "set export T -o EX --licence CC0-1.0",
    "set challenge T -o CH.jsonl",
    "readability T",
    "rate T",
    "harness export T -o H --to lm-eval",
    "series table T",
    "series worst T S",
]
"""T is a test of one unit and C a candidate for it; a command may refuse the kind."""
CANDIDATES = {"comprehension": "lead", "series": "append", "readability": "formula"}


@pytest.mark.parametrize("kind", ["comprehension", "series", "readability", "task"])
def test_a_test_of_one_unit(kind: str, tmp_path: Path, readmark_cli: Run) -> None:
    record = json.loads(json.dumps(EXAMPLES[kind].records[-1]))
    header = {"readmark": 1, "file": "test", "kind": kind, "name": "one", "language": "en"}
    test = tmp_path / "T"
    test.write_text("".join(json.dumps(row) + "\n" for row in (header, record)))
    (tmp_path / "AN2.jsonl").write_bytes(test.read_bytes())
    answer = {"comprehension": "mill is old", "series": "Who is Ida", "readability": 3.0}
    sat = {"u3": answer.get(kind, [{"B": "nobody"}])}
    (tmp_path / "S3").write_text(json.dumps(sat))
    if kind not in CANDIDATES:
        (tmp_path / "S").write_text(json.dumps(sat))
    said, ran = [], 0
    for command in COMMANDS:
        words = [CANDIDATES.get(kind, "lead") if word == "C" else word for word in command.split()]
        done = readmark_cli(*words, cwd=tmp_path)
        assert "Traceback" not in done.stderr, (command, done.stderr)
        ran += done.returncode == 0
        said += [(command, line) for line in WRONG.findall(done.stdout + done.stderr)]
    assert said == []
    assert ran > 10, "most commands refused the test"


def test_the_pattern_finds_what_it_should() -> None:
    for line in ("1 questions", "all 1 questions", "has 1 wrong answers,"):
        assert WRONG.search(line), line
    for line in ("11 questions", "1 question", "1,001 questions", "5/1 units"):
        assert not WRONG.search(line), line
