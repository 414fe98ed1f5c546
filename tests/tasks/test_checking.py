"""Every inconsistency of a task is named with its file and line."""

from pathlib import Path

import pytest

from readmark.core.spans import Excerpt
from readmark.tasks.reasoning.graphs import Asserted, Support
from readmark.tasks.reasoning.provenance import write_provenance
from readmark.tasks.task_folder import gather
from task_files import ANSWERS, NAMES, ONTOLOGY, QUERIES, RULES, lines, statements, write_task
from task_problems import OTTERS, places_in, problems_in


def test_the_task_itself_is_sound(tmp_path: Path) -> None:
    assert problems_in(write_task(tmp_path)) == []


@pytest.mark.parametrize(
    ("file", "content", "where", "code", "words"),
    [
        ("ontology.ttl", "no", "1:1", "unreadable", "not well formed"),
        (
            "ontology.ttl",
            ONTOLOGY.replace("rdfs:range :Team", "rdfs:range :Tem"),
            19,
            "unknown_class",
            "the rdfs:range of winner is Tem",
        ),
        (
            "rules.dsrs",
            RULES.replace(":then (?g numberOfPeriods 5)", ":then (?g numberOfPeriods ?m)"),
            "6:28",
            "rule",
            "?m is used only in :then",
        ),
        ("rules.dsrs", "(:if (?a b ?c)", "1:15", "rule", "expected"),
        (
            "rules.dsrs",
            "(:rule r :if (?a winner ?b) :if-not (?b type Team) :then (?b type Team))\n"
            "(:rule a :if (?a winner ?b) :if-not (?a hasOvertimePlay true)\n"
            " :then (?a numberOfPeriods 4))\n"
            "(:rule b :if (?a winner ?b) :if-not (?a numberOfPeriods ?n)\n"
            " :then (?a hasOvertimePlay true))\n",
            None,
            "rule",
            "hasOvertimePlay",
        ),
        (
            "rules.dsrs",
            RULES.replace("(?g hasOvertimePlay true)", "(?g hasOvertimPlay true)"),
            3,
            "unknown_property",
            "did you mean hasOvertimePlay?",
        ),
        (
            "rules.dsrs",
            RULES.replace(":then (?g numberOfPeriods 5)", ":then (?g playedLongerThan ?g)"),
            3,
            "builtin",
            "playedLongerThan cannot be stated",
        ),
        (
            "annotations/gulls.graph",
            "((Game-2 type Match)\n (Game-2 looser Gulls))",
            1,
            "unknown_class",
            "Match is not a class",
        ),
        (
            "annotations/gulls.graph",
            "((Game-2 type Game)\n (Game-2 looser Gulls))",
            2,
            "unknown_property",
            "looser is not a property",
        ),
        (
            "annotations/gulls.graph",
            "((Game-2 type Game)\n\n (Game-2 numberOfPeriods 4.5))",
            3,
            "range",
            "4.5 is not of type xsd:nonNegativeInteger",
        ),
        (
            "annotations/gulls.graph",
            '((Game-2 type Game)\n (Game-2 winner "Terns"))',
            2,
            "range",
            "winner has an entity (Team)",
        ),
        (
            "annotations/gulls.graph",
            "((Game-2 type Game)\n (Game-2 hasOvertimePlay Terns))",
            2,
            "range",
            "has a literal (xsd:boolean), not the entity Terns",
        ),
        (
            "annotations/gulls.graph",
            "((Game-2 playedLongerThan Game-3))",
            1,
            "builtin",
            "for queries and rules only",
        ),
        ("annotations/gulls.graph", "((Game-2 type Game)", "1:1", "unreadable", "never closed"),
        ("annotations/terns.graph", "((Game-2 type Game))", 1, "unknown_document", "'terns'"),
        ("annotations/gulls.ttl", "<a> .", "1:5", "unreadable", "not well formed"),
        (
            "annotations/gulls.rdf",
            '<!DOCTYPE r [\n<!ENTITY x SYSTEM "file:///etc/hostname">]><r>&x;</r>',
            2,
            "unreadable",
            "never resolved",
        ),
        ("queries.jsonl", '{"id": 5}', 1, "schema", "expected text"),
        (
            "queries.jsonl",
            lines([*QUERIES, QUERIES[0]]),
            3,
            "duplicate_id",
            "'periods' occurs twice",
        ),
        (
            "queries.jsonl",
            lines([QUERIES[0] | {"graph": "((?G type Game"}, QUERIES[1]]),
            1,
            "graph",
            "found the end (at 1:15)",
        ),
        (
            "queries.jsonl",
            lines([QUERIES[0] | {"graph": "((?G numberOfPeriods ?N) (?X mrq:lessThan 4))"}]),
            1,
            "graph",
            "?X has no value",
        ),
        (
            "queries.jsonl",
            lines([QUERIES[0] | {"graph": "((?G type Gme) (?G numberOfPeriods ?N))"}]),
            1,
            "unknown_class",
            "did you mean Game?",
        ),
        (
            "queries.jsonl",
            lines([QUERIES[0], QUERIES[1] | {"documents": ["otters", "terns"]}]),
            2,
            "unknown_document",
            "'terns'",
        ),
        ("answers.train.jsonl", "{", 1, "json", "not valid JSON"),
        (
            "answers.train.jsonl",
            lines([ANSWERS[0] | {"document": "terns"}]),
            1,
            "unknown_document",
            "'terns'",
        ),
        (
            "answers.train.jsonl",
            lines([ANSWERS[0] | {"document": "gulls"}]),
            1,
            "split",
            "of the split 'test', the file of 'train'",
        ),
        (
            "answers.train.jsonl",
            lines([ANSWERS[0] | {"query": "score"}]),
            1,
            "unknown_query",
            "'score'",
        ),
        (
            "answers.train.jsonl",
            lines([ANSWERS[0] | {"values": {"G": "Game-1", "M": 5}}]),
            1,
            "variable",
            "?M is bound, which the query does not have",
        ),
        (
            "answers.train.jsonl",
            lines([ANSWERS[0] | {"values": {"G": "Game-1"}}]),
            1,
            "variable",
            "?N is not bound",
        ),
        (
            "answers.train.jsonl",
            lines([ANSWERS[0] | {"values": {"G": "Game-1", "N": "many"}}]),
            1,
            "range",
            "not the entity many",
        ),
        (
            "answers.train.jsonl",
            lines([ANSWERS[0] | {"values": {"G": "Game-1", "N": '"open'}}]),
            1,
            "value",
            "is no string",
        ),
        (
            "answers.train.jsonl",
            lines([ANSWERS[0] | {"verdict": "perhaps"}]),
            1,
            "schema",
            "expected one of right, wrong, out_of_bounds",
        ),
        (
            "answers.train.jsonl",
            lines([*ANSWERS, ANSWERS[1]]),
            3,
            "duplicate_answer",
            "the answer is also at",
        ),
        ("documents/train/otters.txt", b"\n\xff", 2, "unreadable", "not valid UTF-8 (byte 2)"),
        ("documents/test/terns.txt", " \n", 1, "empty_text", "no text"),
        ("documents/train/gulls.txt", "x", 1, "duplicate_id", "the document id 'gulls'"),
    ],
)
def test_a_spoilt_file_is_named(
    file: str,
    content: str | bytes,
    where: int | str | None,
    code: str,
    words: str,
    tmp_path: Path,
) -> None:
    write_task(tmp_path, {file: content})
    problems = problems_in(tmp_path)
    spoilt = [each for each in problems if each.code == code and words in each.message]
    assert spoilt, problems
    if code != "duplicate_id" or file.endswith("jsonl"):
        assert spoilt[0].file == str(tmp_path / file)
    if where is not None:
        assert spoilt[0].where == where


def test_every_problem_of_a_file_is_reported_at_once(tmp_path: Path) -> None:
    graph = "((Game-2 type Match)\n (Game-2 looser Gulls)\n (Game-3 numberOfPeriods true))"
    write_task(tmp_path, {"annotations/gulls.graph": graph})
    assert places_in(tmp_path) == [
        ("annotations/gulls.graph", 1, "unknown_class"),
        ("annotations/gulls.graph", 2, "unknown_property"),
        ("annotations/gulls.graph", 3, "range"),
    ]


def test_every_faulty_rule_is_reported_at_once(tmp_path: Path) -> None:
    rules = (
        "(:rule a :if (?g winner ?t) :then (?g winner ?nobody))\n"
        "(:rule b :if (?g winner ?t) :then (?g numberOfPeriods 5))\n"
        "(:rule c :if (?g winner ?t)\n :then (?g numberOfPeriods ?n))\n"
        "(:rule d :if (?g winner ?t) (?x mrq:lessThan 5) :then (?g numberOfPeriods 5))\n"
    )
    write_task(tmp_path, {"rules.dsrs": rules})
    problems = [(each.where, each.code, each.message) for each in problems_in(tmp_path)]
    assert [(where, code) for where, code, _ in problems] == [
        ("1:46", "rule"),
        ("4:28", "rule"),
        ("5:30", "rule"),
    ]


def test_rules_of_several_files_are_one_theory(tmp_path: Path) -> None:
    more = "(:rule overtime :if (?g winner ?t) :then (?g numberOfPeriods 4))"
    write_task(tmp_path, {"more.dsrs": more})
    assert {problem.code for problem in problems_in(tmp_path)} == {"contradiction", "stale_gold"}
    theory = gather(tmp_path).package.theory()
    assert theory is not None
    assert [rule.name for rule in theory.rules] == ["1: overtime", "2: overtime", "too-few"]
    circle = (
        "(:rule x :if (?g winner ?t) :if-not (?g numberOfPeriods 5)\n"
        " :then (?g hasOvertimePlay true))"
    )
    write_task(tmp_path, {"more.dsrs": circle})
    [problem] = problems_in(tmp_path)
    assert problem.code == "rule"
    assert "cannot be stratified" in problem.message


@pytest.mark.parametrize(
    ("excerpt", "code", "words"),
    [
        (Excerpt("otters", 50, 99, "x"), "outside", "[50, 99] is not a stretch of the document"),
        (Excerpt("otters", -1, 2, "x"), "outside", "which has 55 code points"),
        (Excerpt("otters", 4, 4, ""), "outside", "[4, 4]"),
        (Excerpt("otters", 4, 10, "Herons"), "quote", "reads 'Otters', not 'Herons'"),
        (Excerpt("terns", 0, 1, "x"), "unknown_document", "'terns'"),
    ],
)
def test_provenance_must_lie_in_its_document(
    excerpt: Excerpt, code: str, words: str, tmp_path: Path
) -> None:
    first, *rest = statements()
    spoilt = [Asserted(first.graph, first.statement, Support(subject=(excerpt,))), *rest]
    trig = write_provenance(spoilt, format="TRIG", namespaces=NAMES)
    write_task(tmp_path, {OTTERS: trig})
    [problem] = problems_in(tmp_path)
    assert (problem.file, problem.code) == (str(tmp_path / OTTERS), code)
    assert problem.message.startswith("the subject of (Game-1 type Game): ")
    assert words in problem.message
    line = trig.decode().splitlines()[int(problem.where) - 1]
    assert "oa:start" in line


def test_a_gold_answer_must_lie_in_its_document(tmp_path: Path) -> None:
    moved = {"document": "otters", "start": 37, "end": 45, "quote": "overtime"}
    write_task(tmp_path, {"answers.train.jsonl": lines([ANSWERS[0] | {"excerpts": [moved]}])})
    assert places_in(tmp_path) == [("answers.train.jsonl", 1, "quote")]
