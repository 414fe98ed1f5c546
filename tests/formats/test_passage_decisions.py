"""People's decisions: read, merged, and refused where they do not fit."""

import json
from pathlib import Path

import pytest

from readmark.core.errors import DataError
from readmark.core.fingerprint import text_id
from readmark.formats.passage_decisions import Decision, Decisions, majority
from readmark.making.screening.votes import Votes

TEXT = "河水很清。"


def write(path: Path, *rows: dict[str, str]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", "utf-8")
    return path


def votes(letters: str) -> list[Decision]:
    said = {"k": "keep", "d": "discard"}
    return [Decision(person=str(at), decision=said[one]) for at, one in enumerate(letters)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("letters", "expected"),
    [("", None), ("k", "keep"), ("d", "discard"), ("kd", None), ("kdd", "discard"), ("kkdd", None)],
)
def test_the_majority_decides_and_a_tie_does_not(letters: str, expected: str | None) -> None:
    assert majority(votes(letters)) == expected


def test_both_kinds_of_file_and_the_person_by_its_name(tmp_path: Path) -> None:
    lines = write(tmp_path / "ann.jsonl", {"id": "p", "decision": "keep"})
    table = tmp_path / "b.csv"
    table.write_text("\ufeffid,decision,reason,person\np,discard,太难,bo\nq,,,\n", "utf-8")
    decisions = Decisions([lines, table])
    assert decisions.people == ["ann", "bo"]
    assert decisions.on("p", TEXT) == (
        Decision(person="ann", decision="keep"),
        Decision(person="bo", decision="discard", reason="太难"),
    )
    decisions.require_all_seen("t")  # q was left blank in the form


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        (
            [{"id": "p", "decision": "kep"}],
            "decision 'kep', expected keep or discard; did you mean keep?",
        ),
        ([{"decision": "keep"}], "expected an object with id and decision"),
        ([{"id": "", "decision": "keep"}], "the line has no id"),
        ([{"id": "p", "decision": "keep"}] * 2, "'ann' decides on 'p' twice"),
    ],
)
def test_bad_rows(tmp_path: Path, rows: list[dict[str, str]], line: str) -> None:
    with pytest.raises(DataError) as caught:
        Decisions([write(tmp_path / "ann.jsonl", *rows)])
    assert line in str(caught.value)
    assert f"ann.jsonl:{len(rows)}: " in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("{oops\n")
    (tmp_path / "b.jsonl").write_text("[1]\n")
    (tmp_path / "c.csv").write_text("name,decision\np,keep\n")
    (tmp_path / "d.jsonl").write_text("")
    said = {
        "a.jsonl": "not valid JSON",
        "b.jsonl": "expected an object",
        "c.csv": "no column 'id'; found: name, decision",
        "d.jsonl": "the file is empty",
    }
    for name, line in said.items():
        with pytest.raises(DataError, match=line):
            Decisions([tmp_path / name])


def test_two_files_of_one_person(tmp_path: Path) -> None:
    one = write(tmp_path / "a.jsonl", {"id": "p", "decision": "keep", "person": "ann"})
    two = write(tmp_path / "b.jsonl", {"id": "q", "decision": "keep", "person": "ann"})
    with pytest.raises(DataError, match=r"'ann' has decisions in .*a\.jsonl as well"):
        Decisions([one, two])


def test_capitals_and_spaces_do_not_count(tmp_path: Path) -> None:
    one = tmp_path / "ann.csv"
    one.write_text("id,decision,person\np,Keep,Ann\nq, DISCARD ,ann \nr,  ,\n", "utf-8")
    decisions = Decisions([one])
    assert decisions.people == ["Ann"]
    assert decisions.on("p", TEXT) == (Decision(person="Ann", decision="keep"),)
    assert decisions.on("q", TEXT) == (Decision(person="Ann", decision="discard"),)
    (tmp_path / "more").mkdir()
    two = write(tmp_path / "more" / "Ann.jsonl", {"id": "s", "decision": "keep"})
    with pytest.raises(DataError, match=r"'Ann' has decisions in .*ann\.csv as well"):
        Decisions([one, two])
    assert Decisions([two]).people == ["Ann"]


def test_another_version_of_the_text(tmp_path: Path) -> None:
    row = {"id": "p", "decision": "keep", "version": text_id(TEXT)}
    decisions = Decisions([write(tmp_path / "a.jsonl", row)])
    assert decisions.on("p", TEXT)
    with pytest.raises(
        DataError, match=r"a\.jsonl:1: the decision on 'p' belongs to another version"
    ):
        decisions.on("p", TEXT + "！")
    whole = Decisions([write(tmp_path / "b.jsonl", {"id": "p", "decision": "keep", "text": TEXT})])
    with pytest.raises(DataError, match="differs at character 3"):
        whole.on("p", "河水很浊。")


def test_unknown_passages_are_named(tmp_path: Path) -> None:
    rows = [{"id": f"p{at}", "decision": "keep"} for at in range(5)]
    decisions = Decisions([write(tmp_path / "a.jsonl", *rows)])
    decisions.on("p0", TEXT)
    with pytest.raises(DataError, match="t has no passage 'p1', 'p2', 'p3', … \\(4 unknown\\)"):
        decisions.require_all_seen("t")


def test_agreement_by_hand() -> None:
    """Rules k k d d, one person k d d d: 3 of 4; chance (2·1 + 2·3) / 16 = 1/2; kappa 1/2."""
    both = Votes(["ann"])
    for rules, said in zip("kkdd", "kddd", strict=True):
        (vote,) = votes(said)
        mine = Decision(person="ann", decision=vote.decision)
        both.add("keep" if rules == "k" else "discard", vote.decision, [mine])
    (one,) = both.agreement()
    assert (one.a, one.b, one.passages) == ("rules", "people", 4)
    assert one.percent == pytest.approx(75)
    assert one.kappa == pytest.approx(0.5)
    assert both.counts() == {"ann": {"keep": 1, "discard": 3}}


def test_kappa_that_is_undefined_says_why() -> None:
    same = Votes(["ann"])
    same.add("keep", "keep", [Decision(person="ann", decision="keep")])
    (one,) = same.agreement()
    assert (one.percent, one.kappa) == (100, None)
    assert one.reason
