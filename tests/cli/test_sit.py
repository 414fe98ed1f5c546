"""``readmark sit`` through the real command: messages, refusals, bad input, lists, progress."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from examination import Run, marked
from misbehaving_candidates import standing, timeless

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("cut", [1, 20, 7 + len("码头上停着七条木船。".encode())])
def test_a_torn_line_is_taken_out_and_said(sits: Run, hall: Path, cut: int) -> None:
    args = ("sit", "small.jsonl", "-r", "lead", "-o", "s.jsonl")
    sits(*args)
    whole = marked(sits, "s.jsonl", "small.jsonl")
    journal = hall / "s.jsonl"
    journal.write_bytes(journal.read_bytes()[:-cut])
    done = sits(*args)
    assert done.stderr == (
        "readmark: s.jsonl: the last line was incomplete and has been removed\n"
        "readmark: s.jsonl: lead sat 6 units: 1 answered, 5 before\n"
    )
    assert done.stdout == ""
    assert marked(sits, "s.jsonl", "small.jsonl") == whole
    journal.write_bytes(journal.read_bytes()[:-cut])
    told = json.loads(sits(*args, "--json").stdout)
    assert told["repaired"] == "s.jsonl: the last line was incomplete and has been removed"


def test_a_torn_line_is_said_when_the_run_begins(sits: Run, hall: Path) -> None:
    args = ("sit", "small.jsonl", "-r", 'moody(on="q1 q2",how=print)', "-o", "s.jsonl")
    sits(*args)
    journal = hall / "s.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(lines[0] + lines[1][:-2])
    said = sits(*args).stderr
    assert 0 <= said.find("the last line was incomplete") < said.find("Loading the model...")
    assert said.count("incomplete") == 1


REFUSED: dict[str, tuple[list[str], str]] = {
    "a candidate": (["-r", "longest_overlap"], r"another candidate \(lead, now longest_overlap\)"),
    "repeats": (["-r", "lead", "--repeats", "3"], r"another --repeats \(1, now 3\)"),
    "a limit": (["-r", "lead", "--limit", "2"], r"another --limit \(none, now 2\)"),
    "a part": (
        ["-r", "lead", "--without", "question"],
        r"another --without \(none, now question\)",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_another_sitting_is_refused(sits: Run, hall: Path, what: str) -> None:
    sits("sit", "small.jsonl", "-r", "lead", "-o", "s.jsonl")
    journal = hall / "s.jsonl"
    with journal.open("ab") as stream:
        stream.write(b'{"id": "q')
    before = journal.read_bytes()
    args, said = REFUSED[what]
    done = sits("sit", "small.jsonl", *args, "-o", "s.jsonl", status=1)
    assert re.fullmatch(
        f"readmark: s.jsonl: was begun with {said}; choose another file\n", done.stderr
    )
    assert (done.stdout, journal.read_bytes()) == ("", before)


def test_another_paper_is_refused(sits: Run, hall: Path) -> None:
    sits("sit", "small.jsonl", "-r", "lead", "-o", "s.jsonl")
    before = (hall / "s.jsonl").read_bytes()
    done = sits("sit", "t.jsonl", "-r", "lead", "-o", "s.jsonl", status=1)
    assert re.fullmatch(
        r"readmark: s.jsonl: was begun with another paper \(\w{32}, now \w{32}\); "
        "choose another file\n",
        done.stderr,
    )
    assert (hall / "s.jsonl").read_bytes() == before
    done = sits("mark", "t.jsonl", "s.jsonl", status=1)
    assert re.fullmatch(r"readmark: s.jsonl: is a sitting of another paper .*\n", done.stderr)


@pytest.mark.parametrize("target", ["t.jsonl", "answers.json", "."])
def test_inputs_are_never_written_over(sits: Run, hall: Path, target: str) -> None:
    before = {path.name: path.read_bytes() for path in hall.iterdir()}
    done = sits("sit", "t.jsonl", "-r", "keyed(file=answers.json)", "-o", target, status=1)
    assert re.fullmatch(rf"readmark: {re.escape(target)}: (is|cannot be) .*\n", done.stderr)
    assert {path.name: path.read_bytes() for path in hall.iterdir()} == before


def test_json_is_all_that_stands_on_stdout(sits: Run) -> None:
    for workers in ("1", "2"):
        args = ("small.jsonl", "-r", 'moody(on="q1 q2",how=print)', "--workers", workers)
        done = sits("sit", *args, "-o", f"s{workers}.jsonl", "--json")
        told = json.loads(done.stdout)
        assert told.pop("progress").pop("seconds") > 0
        assert set(told.pop("spent").values()) == {0}
        assert told == {
            "sitting": f"s{workers}.jsonl",
            "candidate": 'moody(on="q1 q2",how=print)',
            "repaired": None,
            "errors": 0,
            "unanswered": 0,
            "refused": 0,
            "notes": [],
            "workers": int(workers),
        }
        assert "Loading the model..." in done.stderr


def test_errors_end_in_status_1_and_a_hint(sits: Run, hall: Path) -> None:
    args = ("sit", "small.jsonl", "-r", "moody(on=q3,until=cure)", "-o", "s.jsonl")
    for attempt, counts in ((1, "5 answered, 1 error"), (2, "0 answered, 5 before, 1 error")):
        done = sits(*args, status=1)
        assert done.stderr == (
            "readmark: s.jsonl: 1 error: ValueError: no idea ?\n"
            f"readmark: s.jsonl: moody(on=q3,until=cure) sat 6 units: {counts}\n"
            "readmark: s.jsonl: run the command again to retry the error rows\n"
        )
        last = timeless(hall / "s.jsonl")
        assert [row.get("attempt", 1) for row in last if row["id"] == "q3"][-1] == attempt
    sits("mark", "small.jsonl", "s.jsonl", status=1)
    (hall / "cure").touch()
    assert "1 answered, 5 before\n" in sits(*args).stderr
    assert json.loads(marked(sits, "s.jsonl", "small.jsonl"))["errors"] == []


def test_a_limited_ablation_says_so_in_the_marks(sits: Run, hall: Path) -> None:
    args = ("--limit", "4", "--without", "passage", "--repeats", "2")
    sits("sit", "small.jsonl", "-r", "slow(ms=0)", "-o", "s.jsonl", *args)
    header = standing(hall / "s.jsonl")[0]
    assert (header["limit"], header["without"], header["repeats"]) == (4, "passage", 2)
    assert header["covers"] == ["q0", "q1", "q2", "q3"]
    told = json.loads(sits("mark", "small.jsonl", "s.jsonl", "--json", "-m", "em").stdout)
    assert (told["units"], told["answered"]) == (4, 4)
    assert told["covers"] == "the first 4 units, without the passage"
    # q1 and q3 are right each time
    assert told["repeats"] == {"em": {"scores": [50.0, 50.0], "deviation": 0.0}}
    shown = sits("mark", "small.jsonl", "s.jsonl", "-m", "em").stdout
    assert "what was sat: the first 4 units, without the passage" in shown
    assert "em by repeat: 50.00, 50.00; standard deviation 0.00" in shown


USAGE: dict[str, tuple[list[str], str]] = {
    "no candidate": ([], "Missing option '-r' / '--candidate'"),
    "a misspelt one": (["-r", "leed"], "unknown candidate 'leed'; did you mean lead?"),
    "one of another kind": (["-r", "append"], "candidate append sits series tests"),
    "a misspelt parameter": (["-r", "keyed(fil=a)"], "no parameter 'fil'; did you mean file?"),
    "a parameter of another type": (["-r", "slow(ms=x)"], "ms=x is not a number"),
    "an unknown part": (["-r", "lead", "--without", "questions"], "did you mean question?"),
    "no workers": (["-r", "lead", "--workers", "0"], "--workers 0 is less than 1"),
    "no time": (["-r", "lead", "--unit-timeout", "0"], "--unit-timeout 0 is not a number of sec"),
    "a limit of words": (["-r", "lead", "--limit", "few"], "'few' is not a valid integer"),
    "a keyed candidate without a file": (["-r", "keyed"], "candidate keyed needs a file"),
}


@pytest.mark.parametrize("what", USAGE)
def test_bad_usage_is_one_line_and_no_file(sits: Run, hall: Path, what: str) -> None:
    args, said = USAGE[what]
    done = sits("sit", "small.jsonl", *args, "-o", "s.jsonl", status=2)
    [line] = done.stderr.splitlines()
    assert line.startswith("readmark: ")
    assert said in line
    assert not (hall / "s.jsonl").exists()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["none.jsonl", "-r", "lead", "-o", "s.jsonl"], "none.jsonl: no such file"),
        (["small.jsonl", "-r", "keyed(file=n.json)", "-o", "s.jsonl"], "n.json: no such file"),
        (["small.jsonl", "-r", "lead", "-o", "no/s.jsonl"], "no/s.jsonl: cannot be written (No"),
        (["small.jsonl", "-r", "lead", "-o", "s.jsonl.gz"], "cannot be compressed"),
        (["small.jsonl", "-r", "unready", "-o", "s.jsonl"], "cannot sit: RuntimeError: no CUDA d"),
        (["small.jsonl", "-r", "unready(how=exit)", "-o", "s.jsonl"], "cannot sit: SystemExit: 3"),
        (["answers.json", "-r", "lead", "-o", "s.jsonl"], "holds answers and is no test"),
    ],
)
def test_bad_data_is_one_line_and_no_file(
    sits: Run, hall: Path, args: list[str], said: str
) -> None:
    done = sits("sit", *args, status=1)
    [line] = done.stderr.splitlines()
    assert line.startswith("readmark: ")
    assert said in line
    assert not (hall / args[-1]).exists()


def test_candidates_are_listed_by_the_kind_that_they_serve(sits: Run) -> None:
    entries = json.loads(sits("list", "candidates", "--json").stdout)["candidates"]
    assert entries["lead"]["kinds"] == ["comprehension"]
    assert entries["keyed"]["parameters"]["file"]["help"]
    assert entries["needy"]["package"] == "readmark-understudies"
    groups = sits("list", "candidates").stdout.split("\n\n")
    names = {group.splitlines()[0]: group for group in groups}
    assert "\nlead " in names["comprehension"]
    assert "\nappend " in names["series"]
    assert "append" not in names["comprehension"]
    keyed = names["comprehension, series, readability, task"]
    assert "\nkeyed " in keyed
    assert "(file)" in keyed


@pytest.mark.parametrize("workers", ["1", "2"])
def test_what_is_odd_in_the_rows_is_said_at_the_end(sits: Run, hall: Path, workers: str) -> None:
    for how, said in {
        "astray": "offsets of 1 (q3) do not point at their answers; the answer's text was trusted",
        "nan": "scores that are not finite numbers were left out: 1 (q3)",
        "infinite": "scores that are not finite numbers were left out: 1 (q3)",
    }.items():
        args = ("small.jsonl", "-r", f"clumsy(on=q3,how={how})", "--workers", workers)
        done = sits("sit", *args, "-o", f"{how}.jsonl", "--json")
        assert done.stderr == f"readmark: {how}.jsonl: {said}\n"
        assert json.loads(done.stdout)["notes"] == [f"{how}.jsonl: {said}"]
        assert "score" not in timeless(hall / f"{how}.jsonl")[3]
    # mark says the same of offsets, and a paper with something left out has none to look at
    told = sits("mark", "small.jsonl", "astray.jsonl").stderr
    assert "offsets of 1 (q3) do not point at their answers" in told
    blind = ("small.jsonl", "-r", "clumsy(on=q3,how=astray)", "--without", "passage")
    assert "offsets" not in sits("sit", *blind, "-o", "blind.jsonl").stderr


def test_a_parameter_may_have_any_name(sits: Run, hall: Path) -> None:
    for workers in ("1", "2"):
        args = ("small.jsonl", "-r", "parametric(paper=a5,needs=tea,earlier=true)")
        sits("sit", *args, "-o", f"{workers}.jsonl", "--workers", workers, "--repeats", "2")
        header, rows = standing(hall / f"{workers}.jsonl")
        assert len(rows) == 12
        assert "gold" not in header["signature"]


def test_only_what_is_asked_is_counted(sits: Run, hall: Path) -> None:
    """Rows that somebody put into the journal: strange ids and repeats, and one without a text."""
    args = ("sit", "small.jsonl", "-r", "slow(ms=0)", "-o", "s.jsonl")
    sits(*args)
    journal = hall / "s.jsonl"
    lines = journal.read_text(encoding="utf-8").splitlines()
    odd: list[dict[str, Any]] = [
        {"id": "nobody", "text": "x"},
        {"id": "q1", "text": "x", "repeat": 4},
        {"id": "stranger", "error": "x"},
        {"id": "q2"},
    ]
    kept = lines[:-2]
    journal.write_text("\n".join([*kept, *map(json.dumps, odd)]) + "\n", encoding="utf-8")
    done = sits("mark", "small.jsonl", "s.jsonl", status=1)
    assert "s.jsonl:9: the row of 'q2' has neither 'text' nor 'error'" in done.stderr
    told = json.loads(sits(*args, "--json").stdout)
    assert told.pop("progress").items() >= {"total": 6, "before": 3, "answered": 3}.items()
    assert (told["errors"], told["unanswered"]) == (0, 0)
    said = sits("mark", "small.jsonl", "s.jsonl", "--errors-as-wrong").stderr
    assert "rows of repeats beyond the 1 of its header were averaged with the rest: 1 (q1)" in said
    assert "answers to units that the test does not have: 2 (nobody, stranger)" in said
    assert "6 before" in sits(*args).stderr


def test_an_interrupted_sitting_of_repeats_says_so(sits: Run, hall: Path) -> None:
    args = ("sit", "small.jsonl", "-r", "slow(ms=0)", "-o", "s.jsonl", "--repeats", "3")
    sits(*args)
    whole = marked(sits, "s.jsonl", "small.jsonl")
    journal = hall / "s.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:7]))
    done = sits("mark", "small.jsonl", "s.jsonl", "-m", "em", "--json", "--no-units")
    said = (
        "s.jsonl: the sitting is not finished: repeats 2, 3 of 3 were not sat, and every answer "
        "there counts as wrong; sit again to resume"
    )
    assert done.stderr == f"readmark: {said}\n"
    told = json.loads(done.stdout)
    assert (told["answered"], told["unanswered"]) == (0, [f"q{at}" for at in range(6)])
    assert (told["not_sat"], told["notes"]) == ([1, 2], [said])
    assert "missing" not in told
    # every second answer is right in the one repeat of three
    assert told["marks"]["em"]["score"] == pytest.approx(50 / 3)
    assert told["repeats"]["em"] == {"scores": [50.0, None, None], "deviation": None}
    assert "em by repeat: 50.00, –, –;" in sits("mark", "small.jsonl", "s.jsonl", "-m", "em").stdout
    journal.write_bytes(b"".join(lines[:11]))
    told = json.loads(sits("mark", "small.jsonl", "s.jsonl", "-m", "em", "--json").stdout)
    assert (told["not_sat"], told["missing"]) == ([2], {"1": ["q4", "q5"]})
    assert "repeat 3 of 3 was not sat" in told["notes"][0]
    assert told["notes"][1] == (
        "s.jsonl: answers are missing and count as wrong: 2 (q4 in repeat 2, q5 in repeat 2)"
    )
    sits(*args)
    assert marked(sits, "s.jsonl", "small.jsonl") == whole


def test_a_file_of_answers_to_another_test_is_refused(sits: Run, hall: Path) -> None:
    (hall / "other.json").write_text('{"x": "y", "z": "w"}', encoding="utf-8")
    args = ("sit", "small.jsonl", "-r", "keyed(file=other.json)", "-o", "s.jsonl")
    assert sits(*args, status=1).stderr == (
        "readmark: other.json: no answer is to a unit of small.jsonl: the answers are to 'x', 'z'; "
        "the test has 'q0', 'q1', 'q2', …\n"
    )
    assert not (hall / "s.jsonl").exists()


BAD_ROWS: dict[str, tuple[list[Any], int, str]] = {
    "offsets that are no offsets": (
        [{"id": "q1", "text": "x", "sentence": [1]}],
        1,
        "b.jsonl:2: schema: expected array of length 2 - at $.sentence",
    ),
    "an offset in words": (
        [{"id": "q1", "text": "x", "start": "three"}],
        1,
        "b.jsonl:2: schema: expected int | null, got str - at $.start",
    ),
    "truncated inside a character": (['{"id": "q1", "text": "码'.encode()[:-1]], 0, "cut off"),
    "a newer schema": ([{"readmark": 4}], 1, "newer_schema: made for schema 4"),
}


@pytest.mark.parametrize("what", BAD_ROWS)
def test_bad_rows_are_told_in_one_line(sits: Run, hall: Path, what: str) -> None:
    rows, status, said = BAD_ROWS[what]
    header: dict[str, Any] = {"readmark": 1, "file": "sitting", "candidate": "ann"}
    if what == "a newer schema":
        header, rows = header | rows[0], []
    data = json.dumps(header).encode() + b"\n"
    data += b"\n".join(one if isinstance(one, bytes) else json.dumps(one).encode() for one in rows)
    (hall / "b.jsonl").write_bytes(data)
    for args in (
        ("mark", "small.jsonl", "b.jsonl"),
        ("compare", "small.jsonl", "b.jsonl", "b.jsonl"),
    ):
        done = sits(*args, status=status)
        told = [one for one in done.stderr.splitlines() if "unanswered" not in one]
        assert all(said in line for line in told)
        assert done.stderr
    keyed = sits("sit", "small.jsonl", "-r", "keyed(file=b.jsonl)", "-o", "k.jsonl", status=status)
    if status:
        assert said in keyed.stderr
        assert not (hall / "k.jsonl").exists()
