"""Marks of a test in parts are those of one file, bit for bit, however it and its rows are cut."""

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

import readmark
from made import asked, comprehension, passage
from readmark.comprehension.kind import COMPREHENSION
from readmark.core.errors import DataError
from readmark.core.json_lines import json_line
from readmark.core.new_folders import claiming_folder
from readmark.core.parts import part_name
from readmark.core.records import Question
from readmark.core.row_lines import row_lines
from readmark.core.sitting import Row, SittingHeader
from readmark.formats.native import header_line
from readmark.marking import part_survey
from readmark.sitting.journal import first_line
from readmark.sitting.planning import plan

PASSAGES = 40
ROWS = row_lines(COMPREHENSION)
WORDS = [
    "a",
    "kettle",
    "stood",
    "on",
    "the",
    "old",
    "coat",
    "by",
    "two",
    "small",
    "boats",
    "in",
    "the",
    "dark",
]


def question(draw: random.Random, id: str) -> Question:
    """With answers of one to three people, or, rarely, without a key."""
    said = [
        (name, " ".join(draw.sample(WORDS, 3)))
        for name in ("ann", "bo", "cy")[: draw.randint(1, 3)]
    ]
    return asked(id, *said, level=draw.randint(1, 3), key=draw.random() > 0.05)


@pytest.fixture
def test() -> readmark.Test:
    draw = random.Random(5)
    return comprehension(
        *(
            passage(f"p{at}", *(question(draw, f"p{at}q{n}") for n in range(draw.randint(1, 5))))
            for at in range(PASSAGES)
        ),
        language="en",
    )


def rows_of(test: readmark.Test, repeats: int = 1, seed: int = 7) -> list[Row]:
    """Answers right, half right and wrong; some rows are errors, refusals, or missing."""
    draw = random.Random(seed)
    rows = []
    for unit in test.units():
        for repeat in range(repeats):
            way = draw.random()
            base: dict[str, Any] = {"id": unit.id, "repeat": repeat}
            answers = unit.key.answers if unit.key is not None else ()
            if way < 0.05:
                continue
            if way < 0.1:
                rows.append(Row(**base, error="timed out"))
                if draw.random() < 0.5:
                    continue  # else it is tried again
            if way < 0.15:
                rows.append(Row(**base, answer="", evidence={"reason": "refused"}))
                continue
            right = draw.choice(answers).text if answers and way < 0.6 else ""
            text = right if way < 0.4 else f"{right} {' '.join(draw.sample(WORDS, 2))}"
            usage = {"input": 10, "output": 3, "cost": draw.random() / 1000}
            rows.append(Row(**base, answer=text, attempt=2, usage=usage))
    return rows


def write_test(test: readmark.Test, folder: Path, sizes: Sequence[int]) -> None:
    """Parts with so many records each."""
    folder.mkdir()
    records = list(test.records())
    for index, size in enumerate(sizes):
        own, records = records[:size], records[size:]
        data = header_line(test.header) + b"".join(map(json_line, own))
        (folder / part_name(index, len(sizes), ".jsonl")).write_bytes(data)
    assert not records


def write_rows(header: SittingHeader, folder: Path, parts: Sequence[Sequence[Row]]) -> None:
    folder.mkdir()
    for index, rows in enumerate(parts):
        data = first_line(header) + b"".join(map(ROWS.line, rows))
        (folder / part_name(index, len(parts), ".jsonl")).write_bytes(data)


def by_part(test: readmark.Test, sizes: Sequence[int], rows: Sequence[Row]) -> list[list[Row]]:
    """The rows of each part's units."""
    home: dict[str, int] = {}
    records = iter(test.records())
    for index, size in enumerate(sizes):
        for _ in range(size):
            home.update({unit.id: index for unit in test.kind.units(next(records))})
    return [[row for row in rows if home[row.id] == index] for index in range(len(sizes))]


def document(marks: readmark.Marks, *, units: bool = True) -> dict[str, Any]:
    """Everything that is printed of marks, less the names of files."""
    found = json.loads(json.dumps(marks.as_json(units=units)))
    found["notes"] = [note.partition(": ")[2] for note in found.get("notes", [])]
    return found


@pytest.fixture
def never_gathered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fails where rows of all parts are read into one sitting."""

    def gathered(*_: object, **__: object) -> None:
        raise AssertionError("the whole sitting was read")

    monkeypatch.setattr("readmark.marking.mark_sitting.covered_units", gathered)


OPTIONS: list[dict[str, Any]] = [
    {},
    {"metrics": ["em", "f1"], "classes": False},
    {"metrics": ["f1", "contains", "rouge_l"], "by": ["level"]},
]
SIZES = [(20, 20), (1, 0, 30, 9), (3,) * 13 + (1,)]


@pytest.mark.parametrize("repeats", [1, 3])
@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("options", OPTIONS, ids=["defaults", "plain", "slices"])
@pytest.mark.usefixtures("never_gathered")
def test_marks_of_parts_are_those_of_one_file(
    test: readmark.Test, tmp_path: Path, sizes: Sequence[int], options: dict[str, Any], repeats: int
) -> None:
    header = SittingHeader(
        candidate="c", kind="comprehension", paper=test.facts.paper, repeats=repeats
    )
    rows = rows_of(test, repeats)
    write_test(test, tmp_path / "test", sizes)
    write_rows(header, tmp_path / "aligned", by_part(test, sizes, rows))
    mixed = random.Random(1).sample(sorted({row.id for row in rows}), len({row.id for row in rows}))
    third = len(mixed) // 3
    cut = [set(mixed[:third]), set(mixed[third:])]
    write_rows(header, tmp_path / "mixed", [[r for r in rows if r.id in ids] for ids in cut])
    (tmp_path / "one.jsonl").write_bytes(first_line(header) + b"".join(map(ROWS.line, rows)))
    expected = document(_whole(test, tmp_path / "one.jsonl", options))
    for sitting in ("aligned", "mixed", "one.jsonl"):
        found = readmark.mark(tmp_path / "test", tmp_path / sitting, **options)
        assert document(found) == expected


def one_answer(test: readmark.Test) -> readmark.Test:
    """The test with one person's answers, some marked as sentences only: no words to compare."""

    def changed(one: Question) -> Question:
        if one.id.endswith("q3") or one.id.startswith("p5q"):
            return asked(one.id, sentences=((0, 9),))
        return asked(one.id, *(one.key.answers[0].text,) if one.key else (), key=bool(one.key))

    return comprehension(
        *(
            msgspec.structs.replace(record, questions=tuple(map(changed, record.questions)))
            for record in test.records()
        ),
        language="en",
    )


def scored(rows: Sequence[Row], how: str) -> list[Row]:
    """Rows with scores: none, of the first half of them, from 0 to 1, or of another scale."""
    draw = random.Random(3)
    scores = {"none": 0, "some": len(rows) // 2, "all": len(rows), "large": len(rows)}[how]
    return [
        msgspec.structs.replace(row, score=draw.random() * (7 if how == "large" else 1))
        if index < scores and row.error is None
        else row
        for index, row in enumerate(rows)
    ]


SUMMED: list[dict[str, Any]] = [
    {"metrics": ["em", "f1"], "settings": readmark.MarkSettings(draws=50)},
    {"metrics": ["f1"], "settings": readmark.MarkSettings(interval="bca", draws=50)},
    {"metrics": ["em"], "settings": readmark.MarkSettings(interval="jackknife")},
    {"metrics": ["f1", "contains"], "by": ["level"], "settings": readmark.MarkSettings(draws=50)},
]


@pytest.mark.parametrize(
    ("repeats", "scores"), [(1, "none"), (1, "some"), (3, "all"), (1, "large")]
)
@pytest.mark.parametrize("index", range(len(SUMMED)))
@pytest.mark.usefixtures("never_gathered")
def test_sums_of_passages_give_the_marks_of_one_file(
    test: readmark.Test, tmp_path: Path, repeats: int, scores: str, index: int
) -> None:
    """Without units, what comes back of a part is a sum for each passage, where that is enough."""
    single, options = one_answer(test), {**SUMMED[index], "classes": False}
    header = SittingHeader(
        candidate="c", kind="comprehension", paper=single.facts.paper, repeats=repeats
    )
    rows = scored(rows_of(single, repeats), scores)
    sizes = (3, 0, 30, 7)
    write_test(single, tmp_path / "test", sizes)
    write_rows(header, tmp_path / "sat", by_part(single, sizes, rows))
    (tmp_path / "one.jsonl").write_bytes(first_line(header) + b"".join(map(ROWS.line, rows)))
    expected = _whole(single, tmp_path / "one.jsonl", options)
    found = readmark.mark(tmp_path / "test", tmp_path / "sat", units=False, **options)
    assert document(found, units=False) == document(expected, units=False)
    assert found.scores.counted[options["metrics"][0]] < found.units
    assert found["f1" if index % 2 else "em"].clusters < PASSAGES  # one has nothing to be counted
    if index < 2:
        assert (list(found.unit_vectors.ids), found.unit_vectors.by_metric) == ([], {})
        with pytest.raises(readmark.UsageError, match="made without `units`"):
            found.per_unit()
    else:
        assert found.per_unit() == expected.per_unit()


def _whole(test: readmark.Test, sitting: Path, options: dict[str, Any]) -> readmark.Marks:
    """Marks of one file, by the path that reads the whole sitting."""
    from readmark.marking.covered_units import covered_units

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("readmark.marking.mark_sitting.covered_units", covered_units)
        return readmark.mark(test, sitting, **options)


@pytest.mark.parametrize("workers", [2])
@pytest.mark.usefixtures("never_gathered")
def test_several_processes_give_the_same_marks(
    test: readmark.Test, tmp_path: Path, workers: int
) -> None:
    sizes = (5, 0, 20, 15)
    header = SittingHeader(candidate="c", kind="comprehension", paper=test.facts.paper)
    rows = rows_of(test)
    write_test(test, tmp_path / "test", sizes)
    write_rows(header, tmp_path / "sat", by_part(test, sizes, rows))
    (tmp_path / "one.jsonl").write_bytes(first_line(header) + b"".join(map(ROWS.line, rows)))
    expected = document(_whole(test, tmp_path / "one.jsonl", {}))
    for sitting in ("sat", "one.jsonl"):
        found = readmark.mark(tmp_path / "test", tmp_path / sitting, workers=workers)
        assert document(found) == expected


@pytest.mark.usefixtures("never_gathered")
def test_parts_in_another_order_change_no_mark(test: readmark.Test, tmp_path: Path) -> None:
    """Ids come in another order; scores, intervals and units' values do not change."""
    header = SittingHeader(candidate="c", kind="comprehension", paper=test.facts.paper)
    sizes = (7, 13, 20)
    write_test(test, tmp_path / "test", sizes)
    write_rows(header, tmp_path / "sat", by_part(test, sizes, rows_of(test)))
    first = readmark.mark(tmp_path / "test", tmp_path / "sat", by=["level"])
    for folder in ("test", "sat"):
        names = [tmp_path / folder / part_name(index, 3, ".jsonl") for index in range(3)]
        contents = [name.read_bytes() for name in names]
        for name, content in zip(names, (contents[2], contents[0], contents[1]), strict=True):
            name.write_bytes(content)
    then = readmark.mark(tmp_path / "test", tmp_path / "sat", by=["level"])
    assert (then.marks, then.by, then.people) == (first.marks, first.by, first.people)
    assert then.per_unit() == first.per_unit()
    assert list(then.unit_vectors.ids) != list(first.unit_vectors.ids)
    assert sorted(then.coverage.unanswered) == sorted(first.coverage.unanswered)


def test_comparisons_of_parts_are_those_of_files(test: readmark.Test, tmp_path: Path) -> None:
    sizes = (11, 29)
    write_test(test, tmp_path / "test", sizes)
    readmark.save(test, tmp_path / "test.jsonl")
    for name, seed in (("a", 7), ("b", 8)):
        header = SittingHeader(candidate=name, kind="comprehension", paper=test.facts.paper)
        rows = rows_of(test, seed=seed)
        write_rows(header, tmp_path / name, by_part(test, sizes, rows))
        (tmp_path / f"{name}.jsonl").write_bytes(
            first_line(header) + b"".join(map(ROWS.line, rows))
        )
    how: dict[str, Any] = {"metrics": ["em", "f1"], "by": ["level"], "errors_as_wrong": True}
    whole = readmark.compare(
        tmp_path / "test.jsonl", tmp_path / "a.jsonl", tmp_path / "b.jsonl", **how
    )
    parts = readmark.compare(tmp_path / "test", tmp_path / "a", tmp_path / "b", **how)
    assert parts.as_json() == whole.as_json()


def test_each_part_may_be_sat_by_itself(test: readmark.Test, tmp_path: Path) -> None:
    """As machines do that share nothing but the folders."""
    sizes = (10, 10, 20)
    write_test(test, tmp_path / "test", sizes)
    (tmp_path / "sat").mkdir()
    for index in range(3):
        name = part_name(index, 3, ".jsonl")
        readmark.sit(tmp_path / "test" / name, "lead", tmp_path / "sat" / name)
    readmark.sit(tmp_path / "test", "lead", tmp_path / "one.jsonl")
    expected = document(readmark.mark(tmp_path / "test", tmp_path / "one.jsonl"))
    assert document(readmark.mark(tmp_path / "test", tmp_path / "sat")) == expected
    other = comprehension(passage("x", asked("xq", "kettle")), language="en")
    write_test(other, tmp_path / "other", (1, 0))
    with pytest.raises(DataError, match="part 0 is a sitting of another paper"):
        readmark.mark(tmp_path / "other", tmp_path / "sat")


def parts_of(folder: Path) -> list[Path]:
    return sorted(folder.glob("part-*.jsonl"))


@pytest.mark.parametrize("how", [{}, {"repeats": 2}, {"workers": 2}], ids=str)
def test_a_test_in_parts_is_sat_into_a_folder(
    test: readmark.Test, tmp_path: Path, how: dict[str, Any]
) -> None:
    """Each row is in the part of its unit; the folder resumes as one file does."""
    sizes = (10, 0, 30)
    write_test(test, tmp_path / "test", sizes)
    whole = tmp_path / "one.jsonl"
    readmark.sit(tmp_path / "test", "lead", whole, **how)
    first = readmark.sit(tmp_path / "test", "lead", f"{tmp_path}/sat/", **how, limit=60)
    assert first.progress.answered == 60 * how.get("repeats", 1)
    last = parts_of(tmp_path / "sat")[2]
    last.write_bytes(last.read_bytes()[:-9])
    done = readmark.sit(tmp_path / "test", "lead", tmp_path / "sat", **how)
    assert done.progress.before == first.progress.answered - 1
    assert done.repaired == f"{last}: the last line was incomplete and has been removed"
    rows: list[bytes] = []
    for part, sat in zip(parts_of(tmp_path / "test"), parts_of(tmp_path / "sat"), strict=True):
        header, *own = sat.read_bytes().splitlines()
        assert header == whole.read_bytes().splitlines()[0]
        units = {unit.id for unit in readmark.load(part).units()}
        assert {json.loads(row)["id"] for row in own} == units
        rows += own
    assert timeless(rows) == timeless(whole.read_bytes().splitlines()[1:])
    marked = readmark.mark(tmp_path / "test", done)
    assert document(marked) == document(readmark.mark(tmp_path / "test", whole))


def timeless(rows: Sequence[bytes]) -> list[str]:
    """Rows without their seconds, in order."""
    found = [json.loads(row) for row in rows]
    return sorted(json.dumps({**row, "seconds": 0}, sort_keys=True) for row in found)


def test_a_folder_that_is_not_this_sitting_s_is_refused(
    test: readmark.Test, tmp_path: Path
) -> None:
    write_test(test, tmp_path / "test", (20, 20))
    readmark.save(test, tmp_path / "test.jsonl")
    sat = tmp_path / "sat"
    with pytest.raises(DataError, match="is a folder, which needs a test in parts"):
        readmark.sit(tmp_path / "test.jsonl", "lead", f"{sat}/")
    assert not sat.exists()
    sat.mkdir()
    other = sat / part_name(2, 3, ".jsonl")
    other.write_bytes(b"")
    with pytest.raises(DataError, match=f"has {other.name}, which is not one of the test's 2"):
        readmark.sit(tmp_path / "test", "lead", sat)
    other.unlink()
    with (
        claiming_folder(sat, "sitting into"),
        pytest.raises(DataError, match=r"process \d+ is sitting into this folder"),
    ):
        readmark.sit(tmp_path / "test", "lead", sat)
    readmark.sit(tmp_path / "test", "lead", sat, limit=3)
    with pytest.raises(DataError, match="was begun with another candidate"):
        readmark.sit(tmp_path / "test", "longest_overlap", sat)


def test_a_probe_is_kept_next_to_a_folder(test: readmark.Test, tmp_path: Path) -> None:
    write_test(test, tmp_path / "test", (20, 20))
    sat = f"{tmp_path}/sat/"
    planned = plan(tmp_path / "test", "lead", sat, probe=30)
    assert (planned.answered, planned.asked) == (30, 30)
    assert (tmp_path / "sat.probe.json").exists()
    assert plan(tmp_path / "test", "lead", sat).forecast is not None


def test_answers_to_nothing_in_the_test(test: readmark.Test, tmp_path: Path) -> None:
    write_test(test, tmp_path / "test", (20, 20))
    rows = [*rows_of(test), Row(id="stranger", answer="x"), Row(id="other", answer="y")]
    header = SittingHeader(candidate="c")
    (tmp_path / "one.jsonl").write_bytes(first_line(header) + b"".join(map(ROWS.line, rows)))
    found = readmark.mark(tmp_path / "test", tmp_path / "one.jsonl")
    assert found.coverage.unknown == ("stranger", "other")
    assert document(found) == document(readmark.mark(test, tmp_path / "one.jsonl"))
    with pytest.raises(DataError, match="units that the test does not have: 2"):
        readmark.mark(tmp_path / "test", tmp_path / "one.jsonl", strict=True)
    (tmp_path / "none.jsonl").write_bytes(first_line(header) + ROWS.line(rows[-1]))
    with pytest.raises(DataError, match="no answer is to a unit of"):
        readmark.mark(tmp_path / "test", tmp_path / "none.jsonl")


def test_a_split_of_a_test_in_parts(test: readmark.Test, tmp_path: Path) -> None:
    """What was selected or changed is never read from the parts again."""
    halves = comprehension(
        *(
            passage(f"p{at}", asked(f"p{at}q", "kettle"), split="dev" if at % 3 else "test")
            for at in range(12)
        )
    )
    write_test(halves, tmp_path / "test", (6, 6))
    readmark.sit(tmp_path / "test", "lead", tmp_path / "lead.jsonl")
    dev = readmark.load(tmp_path / "test", split="dev")
    assert (dev.parts, len(readmark.load(tmp_path / "test").parts)) == ((), 2)
    assert readmark.mark(dev, tmp_path / "lead.jsonl").units == 8


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda text: text + '{"id":"p1q0","te', None),
        (lambda text: text.replace('"text"', '"txet"', 1), "unknown field txet"),
        (lambda text: text + '{"id":"p1q0"}\n', "has neither 'text' nor 'error'"),
    ],
)
def test_what_is_wrong_with_rows_is_found_in_their_own_file(
    test: readmark.Test, tmp_path: Path, spoil: Callable[[str], str], message: str | None
) -> None:
    write_test(test, tmp_path / "test", (20, 20))
    path = tmp_path / "one.jsonl"
    header = first_line(SittingHeader(candidate="c")).decode()
    path.write_text(spoil(header + '{"id":"p0q0","text":"a"}\n'), "utf-8")
    if message is None:
        notes = readmark.mark(tmp_path / "test", path).notes
        assert f"{path}:3: the last line is cut off and was left out" in notes
        return
    with pytest.raises(DataError, match=message) as wrong:
        readmark.mark(tmp_path / "test", path)
    assert wrong.value.file == str(path)


def test_ids_with_one_digest_are_looked_at(
    test: readmark.Test, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two ids may share a digest: then the sitting is read whole, and nothing is lost."""
    write_test(test, tmp_path / "test", (20, 20))
    rows = rows_of(test)
    path = tmp_path / "one.jsonl"
    path.write_bytes(first_line(SittingHeader(candidate="c")) + b"".join(map(ROWS.line, rows)))
    expected = document(readmark.mark(tmp_path / "test", path))
    monkeypatch.setattr(part_survey, "_digest", lambda id: b"\0" * 8)
    assert document(readmark.mark(tmp_path / "test", path)) == expected


def test_workers_are_counted(test: readmark.Test) -> None:
    with pytest.raises(readmark.UsageError, match="`workers` 0 is not from 1 to 1,024"):
        readmark.mark(test, {"p0q0": "kettle"}, workers=0)
