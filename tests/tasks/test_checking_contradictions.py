"""Contradictions of a task are told with what to repair."""

import functools
import json
from pathlib import Path

import pytest

from command_line import in_process
from readmark.tasks.contradiction_checks import Contradicted
from readmark.tasks.reasoning.contradictions import contradictions
from readmark.tasks.reasoning.graphs import Asserted, Statement, read_statements
from readmark.tasks.reasoning.provenance import write_provenance
from readmark.tasks.reasoning.terms import Literal, Name
from readmark.tasks.task_folder import gather
from task_files import NAMES, statements, write_task
from task_problems import OTTERS, problems_in

CONTRADICTED = {
    "two periods": ("(Game-1 numberOfPeriods 6)", "numberOfPeriods has at most 1"),
    "of two sorts": ("(Otters type Game)", "Team and Event are disjoint"),
    "outside the range": ("(Game-1 winner Game-1)", "the range of winner is Team"),
    "outside the domain": ("(Otters hasOvertimePlay false)", "the domain of hasOvertimePlay is"),
    "by a rule": ("", "too-few"),
}


@pytest.mark.parametrize("case", CONTRADICTED)
def test_contradictions_name_what_to_repair(case: str, tmp_path: Path) -> None:
    more, words = CONTRADICTED[case]
    graph = f"((Game-1 numberOfPeriods 4)\n {more})" if more else "((Game-1 numberOfPeriods 4))"
    write_task(tmp_path, {"annotations/otters.graph": graph})
    by_rule = [problem for problem in problems_in(tmp_path) if words in problem.message]
    assert by_rule
    assert all(one.code == "contradiction" for one in by_rule)
    if case == "by a rule":
        [one] = by_rule
        assert isinstance(one, Contradicted)
        trig = (tmp_path / OTTERS).read_text(encoding="utf-8").splitlines()
        stated = 1 + next(at for at, line in enumerate(trig) if "hasOvertimePlay" in line)
        assert f"(Game-1 numberOfPeriods 4) at {tmp_path / 'annotations/otters.graph'}:1" in (
            one.message
        )
        assert f"(Game-1 hasOvertimePlay true) at {tmp_path / OTTERS}:{stated}" in one.message
        assert "“in overtime” otters:33-44" in one.derivation
        assert "(4 mrq:lessThanOrEqualTo 4)" in one.derivation


def test_contradictions_beyond_those_shown_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = functools.partial(contradictions, most=20)
    monkeypatch.setattr("readmark.tasks.contradiction_checks.contradictions", few)
    pairs = " ".join(
        f"(G{at} type Game) (G{at} numberOfPeriods 4) (G{at} hasOvertimePlay true)"
        for at in range(23)
    )
    write_task(tmp_path, {"annotations/gulls.graph": f"({pairs})"})
    problems = problems_in(tmp_path)
    assert len(problems) == 21
    assert problems[-1].message.startswith("3 more contradictions")


def test_annotators_may_contradict_each_other_but_not_themselves(tmp_path: Path) -> None:
    ida = statements()
    twice = [
        *ida,
        Asserted("otters", _periods(6), annotator="ben"),
        Asserted("otters", _periods(5), annotator="ida"),
    ]
    trig = write_provenance(twice, format="TRIG", namespaces=NAMES)
    assert problems_in(write_task(tmp_path / "one", {OTTERS: trig})) == []
    same = [*twice, Asserted("otters", _periods(7), annotator="ida")]
    trig = write_provenance(same, format="TRIG", namespaces=NAMES)
    [problem] = problems_in(write_task(tmp_path / "two", {OTTERS: trig}))
    assert "(Game-1 numberOfPeriods 5)" in problem.message
    assert "(Game-1 numberOfPeriods 7)" in problem.message


def _periods(count: int) -> Statement:
    return read_statements(f"(Game-1 numberOfPeriods {count})")[0]


BLANK = "@prefix : <http://example.org/league#> .\n_:a a :Game ; :numberOfPeriods {} .\n"


def test_blank_nodes_of_two_files_are_two(tmp_path: Path) -> None:
    """Both speak of _:a in one document: together it would have two numbers of periods."""
    first, second = "annotations/train/otters.ttl", "annotations/otters.ttl"
    write_task(tmp_path, {first: BLANK.format(5), second: BLANK.format(6)})
    assert {problem.code for problem in problems_in(tmp_path)} == {"stale_gold"}
    asserted = gather(tmp_path).package.asserted(NAMES)
    periods = {
        one.statement.subject.text: one.statement.object
        for one in asserted
        if one.statement.predicate == Name("numberOfPeriods")
    }
    assert set(periods.values()) == {Literal(5), Literal(6)}
    write_task(tmp_path, {second: None, first: BLANK.format(5) + "_:a :numberOfPeriods 6 .\n"})
    (tmp_path / second).unlink()
    [problem] = problems_in(tmp_path)
    assert "numberOfPeriods has at most 1" in problem.message


def test_probabilities_name_the_most_probable_context(tmp_path: Path) -> None:
    """0.6 · 0.1 against 0.4 · 0.9: 0.36 of 0.42."""
    text = "-> (Game-1 numberOfPeriods 5) p=0.9\n-> (Game-1 numberOfPeriods 6) p=0.6\n"
    write_task(tmp_path, {"annotations/otters.statements": text})
    done = in_process("check", str(tmp_path), cwd=tmp_path)
    assert done.returncode == 1
    wanted = f"{tmp_path}: otters by ida: the most probable context, 0.8571, drops "
    assert f"{wanted}(Game-1 numberOfPeriods 6)" in done.stdout.splitlines()
    document = json.loads(in_process("check", str(tmp_path), "--json").stdout)
    [contexts] = document["contexts"][str(tmp_path)].values()
    assert (contexts["exact"], contexts["conflicts"]) == (True, 1)
    assert [round(group["probability"], 4) for group in contexts["groups"]] == [0.8571, 0.1429]
    late = in_process("check", str(tmp_path), "--seconds", "0")
    assert late.returncode == 2
