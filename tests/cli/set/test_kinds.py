"""Every ``set`` command on every kind of test: it works, or refuses the kind in one line."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from readmark.making.commands import VERBS
from test_four_kinds import EXAMPLES

Run = Callable[..., CompletedProcess[str]]

ALL = frozenset(EXAMPLES)
PASSAGES = frozenset({"comprehension"})
COMMANDS: dict[str, tuple[list[str], frozenset[str]]] = {
    "screen": (["A", "-o", "OUT"], PASSAGES),
    "annotate": (["A", "-o", "OUT"], ALL),
    "blind": (["A", "-o", "DIR", "--annotator", "x", "--annotator", "y"], PASSAGES),
    "merge": (["A", "SITTING", "-o", "OUT"], PASSAGES | {"series"}),
    "sheet": (["A", "-o", "SHEET"], ALL),
    "levels": (["A", "-o", "OUT"], PASSAGES),
    "challenge": (["A", "-o", "OUT"], PASSAGES),
    "split": (["A", "-o", "OUT", "--proportions", "train=1,dev=1"], ALL),
    "translate": (["A", "A", "B", "-o", "DIR"], frozenset()),  # B would have to be Chinese
    "crosscheck": (["A", "B", "-o", "FORM"], PASSAGES),
    "adjudicate": (["A", "B", "-o", "OUT", "--decisions", "DECISIONS"], PASSAGES),
    "agree": (["A", "B"], ALL),
    "export": (["A", "-o", "EXPORT"], ALL),
}
ELSEWHERE = {"text", "join", "filter", "collect", "quality"}
"""Commands that read sources or have their own tests of kinds."""


def test_every_command_is_in_the_table() -> None:
    assert set(COMMANDS) | ELSEWHERE >= set(VERBS)


@pytest.mark.parametrize("kind", sorted(ALL))
def test_a_command_works_for_a_kind_or_refuses_it(
    kind: str, tmp_path: Path, readmark_cli: Run
) -> None:
    def written(name: str, kind: str) -> str:
        header = {"readmark": 1, "file": "test", "kind": kind, "name": kind, "language": "en"}
        rows = [{**header, "licence": "CC0-1.0"}, *EXAMPLES[kind].records]
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        return str(path)

    places = {
        name: str(tmp_path / name.lower()) for name in ("DIR", "EXPORT", "SITTING", "DECISIONS")
    }
    places |= {"OUT": str(tmp_path / "out.jsonl"), "FORM": str(tmp_path / "form.jsonl")}
    places["SHEET"] = str(tmp_path / "sheet.csv")
    places |= {name: written(name.lower(), kind) for name in ("A", "B")}
    Path(places["SITTING"]).write_text(json.dumps(EXAMPLES[kind].keyed), "utf-8")
    passages = [written(name, "comprehension") for name in ("c", "d")]
    readmark_cli("set", "crosscheck", *passages, "-o", places["DECISIONS"])
    wrong = []
    for command, (arguments, kinds) in COMMANDS.items():
        done = readmark_cli("set", command, *(places.get(word, word) for word in arguments))
        refused = f"is a {kind} test, expected" in done.stderr and done.returncode == 2
        works = done.returncode == 0
        if "Traceback" in done.stderr or (works if kind in kinds else refused) is False:
            if command == "translate" and kind == "comprehension" and "'zh'" in done.stderr:
                continue
            wrong.append((command, done.returncode, done.stderr))
    assert not wrong, "\n".join(map(str, wrong))
