"""Every inconsistency of a task is named with its file and line."""

import functools
import json
from pathlib import Path

import pytest

from readmark.corpus.problems import Problem
from readmark.reasoning.contradictions import contradictions
from readmark.reasoning.graphs import Asserted, Excerpt, Statement, Support, read_statements
from readmark.reasoning.provenance_rdf import write_provenance
from readmark.setting.tasks.checking import check_task
from readmark.setting.tasks.contradiction_checks import Contradicted
from readmark.setting.tasks.package import open_package
from readmark.setting.tasks.packing import gather, pack
from task_files import (
    ANSWERS,
    NAMES,
    ONTOLOGY,
    QUERIES,
    RULES,
    lines,
    statements,
    write_task,
)


def found(folder: Path) -> list[Problem]:
    return list(check_task(gather(folder).package))


def told(folder: Path) -> list[tuple[str, int | str, str]]:
    """File within the folder, line, code."""
    return [(str(Path(one.file).relative_to(folder)), one.where, one.code) for one in found(folder)]


def test_the_task_itself_is_sound(tmp_path: Path) -> None:
    assert found(write_task(tmp_path)) == []


OTTERS = "annotations/train/otters.trig"


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
            "Match is no class",
        ),
        (
            "annotations/gulls.graph",
            "((Game-2 type Game)\n (Game-2 looser Gulls))",
            2,
            "unknown_property",
            "looser is no property",
        ),
        (
            "annotations/gulls.graph",
            "((Game-2 type Game)\n\n (Game-2 numberOfPeriods 4.5))",
            3,
            "range",
            "4.5 is no xsd:nonNegativeInteger",
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
            "'periods' stands twice",
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
            "stands at",
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
    spoilt = [one for one in found(tmp_path) if one.code == code and words in one.message]
    assert spoilt, found(tmp_path)
    if code != "duplicate_id" or file.endswith("jsonl"):
        assert spoilt[0].file == str(tmp_path / file)
    if where is not None:
        assert spoilt[0].where == where


def test_every_problem_of_a_file_is_told_at_once(tmp_path: Path) -> None:
    graph = "((Game-2 type Match)\n (Game-2 looser Gulls)\n (Game-3 numberOfPeriods true))"
    write_task(tmp_path, {"annotations/gulls.graph": graph})
    assert told(tmp_path) == [
        ("annotations/gulls.graph", 1, "unknown_class"),
        ("annotations/gulls.graph", 2, "unknown_property"),
        ("annotations/gulls.graph", 3, "range"),
    ]


def test_every_faulty_rule_is_told_at_once(tmp_path: Path) -> None:
    rules = (
        "(:rule a :if (?g winner ?t) :then (?g winner ?nobody))\n"
        "(:rule b :if (?g winner ?t) :then (?g numberOfPeriods 5))\n"
        "(:rule c :if (?g winner ?t)\n :then (?g numberOfPeriods ?n))\n"
        "(:rule d :if (?g winner ?t) (?x mrq:lessThan 5) :then (?g numberOfPeriods 5))\n"
    )
    write_task(tmp_path, {"rules.dsrs": rules})
    problems = [(one.where, one.code, one.message) for one in found(tmp_path)]
    assert [(where, code) for where, code, _ in problems] == [
        ("1:46", "rule"),
        ("4:28", "rule"),
        ("5:30", "rule"),
    ]


def test_rules_of_several_files_are_one_theory(tmp_path: Path) -> None:
    more = "(:rule overtime :if (?g winner ?t) :then (?g numberOfPeriods 4))"
    write_task(tmp_path, {"more.dsrs": more})
    assert {one.code for one in found(tmp_path)} == {"contradiction"}
    theory = gather(tmp_path).package.theory()
    assert theory is not None
    assert [rule.name for rule in theory.rules] == ["1: overtime", "2: overtime", "too-few"]
    circle = (
        "(:rule x :if (?g winner ?t) :if-not (?g numberOfPeriods 5)\n"
        " :then (?g hasOvertimePlay true))"
    )
    write_task(tmp_path, {"more.dsrs": circle})
    [problem] = found(tmp_path)
    assert problem.code == "rule"
    assert "cannot be stratified" in problem.message


@pytest.mark.parametrize(
    ("excerpt", "code", "words"),
    [
        (Excerpt("otters", 50, 99, "x"), "outside", "[50, 99] is no stretch of the document"),
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
    [problem] = found(tmp_path)
    assert (problem.file, problem.code) == (str(tmp_path / OTTERS), code)
    assert problem.message.startswith("the subject of (Game-1 type Game): ")
    assert words in problem.message
    line = trig.decode().splitlines()[int(problem.where) - 1]
    assert "oa:start" in line


def test_a_gold_answer_must_lie_in_its_document(tmp_path: Path) -> None:
    moved = {"document": "otters", "start": 37, "end": 45, "quote": "overtime"}
    write_task(tmp_path, {"answers.train.jsonl": lines([ANSWERS[0] | {"excerpts": [moved]}])})
    assert told(tmp_path) == [("answers.train.jsonl", 1, "quote")]


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
    by_rule = [one for one in found(tmp_path) if words in one.message]
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
    monkeypatch.setattr("readmark.setting.tasks.contradiction_checks.contradictions", few)
    pairs = " ".join(
        f"(G{at} type Game) (G{at} numberOfPeriods 4) (G{at} hasOvertimePlay true)"
        for at in range(23)
    )
    write_task(tmp_path, {"annotations/gulls.graph": f"({pairs})"})
    problems = found(tmp_path)
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
    assert found(write_task(tmp_path / "one", {OTTERS: trig})) == []
    same = [*twice, Asserted("otters", _periods(7), annotator="ida")]
    trig = write_provenance(same, format="TRIG", namespaces=NAMES)
    [problem] = found(write_task(tmp_path / "two", {OTTERS: trig}))
    assert "(Game-1 numberOfPeriods 5)" in problem.message
    assert "(Game-1 numberOfPeriods 7)" in problem.message


def _periods(count: int) -> Statement:
    return read_statements(f"(Game-1 numberOfPeriods {count})")[0]


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    pack(gather(write_task(tmp_path / "made")), tmp_path / "packed")
    return tmp_path / "packed"


def test_a_packed_task_is_sound(packed: Path) -> None:
    assert list(check_task(open_package(packed))) == []


def test_a_changed_document_is_told_by_its_hash(packed: Path) -> None:
    document = packed / "documents/train/otters.txt"
    document.write_text(document.read_text() + " ", encoding="utf-8")
    [problem] = check_task(open_package(packed))
    assert (problem.file, problem.code) == (str(document), "changed")


def test_missing_and_unlisted_files_are_told(packed: Path) -> None:
    (packed / "guidelines.md").unlink()
    (packed / "notes.txt").write_text("x", encoding="utf-8")
    manifest = (packed / "task.json").read_text(encoding="utf-8").splitlines()
    line = 1 + next(at for at, one in enumerate(manifest) if "guidelines.md" in one)
    assert [(one.file, one.where, one.code) for one in check_task(open_package(packed))] == [
        (str(packed / "task.json"), line, "missing_file"),
        (str(packed / "notes.txt"), 1, "unlisted_file"),
    ]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"annotation": "some"}, "schema"),
        ({"hidden": ["exam"]}, "hidden"),
        ({"files": []}, "no_files"),
    ],
)
def test_what_the_manifest_says_is_checked(
    change: dict[str, object], code: str, packed: Path
) -> None:
    manifest = packed / "task.json"
    said = json.loads(manifest.read_text(encoding="utf-8"))
    manifest.write_text(json.dumps(said | change), encoding="utf-8")
    assert code in [one.code for one in check_task(open_package(packed))]


def test_a_manifest_cannot_lead_out_of_its_folder(packed: Path) -> None:
    manifest = packed / "task.json"
    (packed.parent / "secret.txt").write_text("secret", encoding="utf-8")
    text = manifest.read_text(encoding="utf-8")
    text = text.replace("documents/train/otters.txt", "../secret.txt")
    manifest.write_text(text, encoding="utf-8")
    package = open_package(packed)
    assert "missing_file" in [one.code for one in check_task(package)]
    assert "secret" not in str(package.documents)
