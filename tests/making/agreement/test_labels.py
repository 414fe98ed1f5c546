"""Which labels of which annotators are compared: of questions, in tables, in an order."""

import gzip
from pathlib import Path
from typing import Any

import msgspec
import pytest

from annotated_work import QUICK, compared, passage, question, values
from readmark.core.errors import DataError, UsageError
from readmark.core.test import Header, in_memory
from readmark.formats.registry import save_test
from readmark.making.agreement.agree import agree
from readmark.making.agreement.annotators import open_annotators
from readmark.readability.kind import RatedPassage, Rating, RatingKey
from readmark.statistics.agreement.value import Resampling


def test_levels_of_questions(write: Any) -> None:
    a = write("a.jsonl", passage(questions=tuple(question(f"q{n}", level=n) for n in (1, 2, 3))))
    b = write(
        "b.jsonl", passage(questions=tuple(question(f"q{n}", level=min(n, 2)) for n in (1, 2, 3)))
    )
    comparison = compared([a, b], "level")
    assert (comparison.sort, comparison.scale, comparison.units, comparison.noun) == (
        "labels",
        "ordinal",
        3,
        "question",
    )
    assert comparison.disagreed == ("q3",)
    assert comparison.pairs[0].confusion == {"1": {"1": 1}, "2": {"2": 1}, "3": {"2": 1}}
    # Observed 2/3; A 1 2 3, B 1 2 2: chance 1/9 + 2/9. (2/3 - 1/3) / (2/3) = 1/2
    assert values(comparison)["kappa"] == pytest.approx(0.5)
    assert set(values(comparison)) == {"percent", "kappa", "kappa(linear)", "kappa(quadratic)"}
    assert [each.measure for each in comparison.figures] == [
        "percent",
        "fleiss",
        "alpha(nominal)",
        "alpha(ordinal)",
    ]
    assert compared([a, b], "level", scale="nominal").scale == "nominal"


def test_a_level_that_nobody_gave_is_a_step_all_the_same(write: Any) -> None:
    def levels(*given: int) -> Any:
        return passage(questions=tuple(question(f"q{n}", level=at) for n, at in enumerate(given)))

    a, b = write("a.jsonl", levels(1, 1, 2, 4)), write("b.jsonl", levels(1, 2, 2, 4))
    # Steps apart: 1 of 4 units; by chance 20 over 16 pairs. Nobody gave 3: 4 is two steps from 2.
    assert values(compared([a, b], "level"))["kappa(linear)"] == pytest.approx(1 - 0.25 / 1.25)
    # Squared: 1/4, and by chance 2 (2 + 9) + (1 + 4) + (9 + 2 * 4) over 16 pairs.
    assert values(compared([a, b], "level"))["kappa(quadratic)"] == pytest.approx(
        1 - 0.25 * 16 / 44
    )


def test_units_that_only_some_labelled(tmp_path: Path) -> None:
    rows = {"a": "q1,x\nq2,y\nq3,x\n", "b": "q1,x\nq2,x\n", "c": "q1,x\nq2,y\nq4,y\n"}
    paths = []
    for name, text in rows.items():
        (tmp_path / f"{name}.csv").write_text(f"id,decision\n{text}", "utf-8")
        paths.append(str(tmp_path / f"{name}.csv"))
    comparison = compared(paths, "decision")
    assert comparison.units == 2
    assert comparison.partial == {"q3": ("a",), "q4": ("c",)}
    figures = {each.measure: each for each in comparison.figures}
    assert figures["fleiss"].n == figures["percent"].n == figures["alpha(nominal)"].n == 2
    # q1 3 of 3 pairs equal, q2 1 of 3.
    assert figures["percent"].value == pytest.approx(4 / 6)
    assert [(pair.a, pair.b) for pair in comparison.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert comparison.disagreed == ("q2",)


def test_people_in_one_file_and_lists_as_labels(tmp_path: Path) -> None:
    rows = [
        {"id": "q1", "person": "ann", "reasons": ["b", "a"]},
        {"id": "q1", "person": "bo", "reasons": ["a", "b"]},
        {"id": "q2", "person": "ann", "reasons": ["a"]},
        {"id": "q2", "person": "bo", "reasons": ["b"]},
    ]
    path = tmp_path / "all.jsonl"
    path.write_bytes(b"\n".join(map(msgspec.json.encode, rows)))
    comparison = compared([str(path)], "reasons")
    assert comparison.annotators == ("ann", "bo")
    assert comparison.pairs[0].confusion == {"a": {"b": 1}, "a + b": {"a + b": 1}}


def test_a_table_of_labels_beside_a_test(write: Any, tmp_path: Path) -> None:
    a = write(
        "a.jsonl", passage(questions=(question("q1", type="Who"), question("q2", type="When")))
    )
    (tmp_path / "b.tsv").write_text("id\tlabel\nq1\tWho\nq2\tWhere\n", "utf-8")
    comparison = compared([a, str(tmp_path / "b.tsv")], "type")
    assert (comparison.units, comparison.disagreed) == (2, ("q2",))
    with pytest.raises(UsageError, match=r"nothing in common.*a has type; b has label"):
        agree(open_annotators([a, str(tmp_path / "b.tsv")]))


def test_words_in_an_order(tmp_path: Path) -> None:
    for name, text in {"a": "q1,low\nq2,mid\nq3,high\n", "b": "q1,low\nq2,high\nq3,high\n"}.items():
        (tmp_path / f"{name}.csv").write_text(f"id,label\n{text}", "utf-8")
    paths = [str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]
    comparison = compared(paths, "label", order=["low", "mid", "high"])
    assert (comparison.scale, comparison.labels) == ("ordinal", ("low", "mid", "high"))
    # |difference| 0 1 0; A one of each, B low 1 high 2: (0*1 + 2*2 + 1*1 + 1*2 + 2*1 + 0*2) / 9 = 1
    assert values(comparison)["kappa(linear)"] == pytest.approx(1 - (1 / 3) / 1)


def tables(folder: Path, what: str, **columns: str) -> list[str]:
    """A table a person: the labels of q1, q2 and so on."""
    for name, labels in columns.items():
        rows = "".join(f"q{at},{label}\n" for at, label in enumerate(labels.split(), 1))
        (folder / f"{name}.csv").write_text(f"id,{what}\n{rows}", "utf-8")
    return [str(folder / f"{name}.csv") for name in columns]


def test_whole_numbers_with_a_fraction_are_the_same_labels(tmp_path: Path) -> None:
    # pandas writes 1.0 where a column has a gap.
    for what in ("type", "level"):
        comparison = compared(tables(tmp_path, what, a="1 2 3", b="1.0 2.00 1.0"), what)
        assert values(comparison)["percent"] == pytest.approx(2 / 3)
        assert comparison.disagreed == ("q3",)
        assert comparison.labels == ("1", "2", "3")
        assert comparison.pairs[0].confusion == {"1": {"1": 1}, "2": {"2": 1}, "3": {"1": 1}}
    # Sections are no numbers, and on a nominal scale nothing else is.
    comparison = compared(tables(tmp_path, "type", a="1.10 1.1 -0.0", b="1.1 1.1 0"), "type")
    assert comparison.disagreed == ("q1",)


def test_spellings_of_one_number_are_one_label_on_a_scale(tmp_path: Path) -> None:
    paths = tables(tmp_path, "level", a="2.5 03 1", b="2.50 3 2")
    comparison = compared(paths, "level")
    assert comparison.scale == "ordinal"
    assert values(comparison)["percent"] == pytest.approx(2 / 3)
    assert comparison.disagreed == ("q3",)
    assert len(comparison.labels) == 4
    assert sum(row.get(label, 0) for label, row in comparison.pairs[0].confusion.items()) == 2
    comparison = compared(paths, "level", scale="nominal")
    assert comparison.disagreed == ("q1", "q2", "q3")


def test_an_order_of_numbers(tmp_path: Path) -> None:
    paths = tables(tmp_path, "grade", a="3 2 1", b="3.0 2.0 2.0")
    comparison = compared(paths, "grade", order=["3.0", "2.0", "1.0"])
    assert (comparison.labels, comparison.disagreed) == (("3", "2", "1"), ("q3",))
    with pytest.raises(UsageError, match="--order names '1' twice"):
        compared(paths, "grade", order=["1", "2", "3", "1.0"])


def test_an_id_is_as_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,label\n1,x\n1.0,y\n", "utf-8")
    (tmp_path / "b.csv").write_text("id,label\n1,x\n1.0,x\n", "utf-8")
    comparison = compared([str(tmp_path / "a.csv"), str(tmp_path / "b.csv")], "label")
    assert (comparison.units, comparison.disagreed) == (2, ("1.0",))


@pytest.mark.parametrize(
    ("names", "called"),
    [
        (("dr.smith.csv", "dr.jones.csv"), ["dr.smith", "dr.jones"]),
        (("J. Smith.CSV", "刘.明.tsv"), ["J. Smith", "刘.明"]),
        (("ann.answers.csv", "bo.jsonl.gz"), ["ann", "bo"]),
        (("street.ann.csv", "street.bo.csv"), ["street.ann", "street.bo"]),
    ],
)
def test_a_name_may_have_a_dot(tmp_path: Path, names: tuple[str, ...], called: list[str]) -> None:
    for name in names:
        text = '{"id": "q", "label": "x"}\n' if ".jsonl" in name else "id\tlabel\nq\tx\n"
        data = text.encode()
        (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    people = open_annotators([str(tmp_path / name) for name in names])
    assert [person.name for person in people] == called


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "has no labels"),
        ("id,label\n", "has no labels"),
        ("name,label\nq,1\n", "a.csv:1: has no column 'id'; found: name, label"),
        ("id,label,label\nq,1,1\n", "two columns are called .label."),
        ("id,label\nq,1,2\n", "a.csv:2: has 3 cells, expected 2"),
        ("id,label\nq,1\nq,2\n", "a.csv:3: 'q' is labelled twice"),
        ("id,label,person\nq,1,ann\nq,2,ann\n", "'q' is labelled twice by 'ann'"),
        ("id,label,person\nq,1,ann\nq,2,\n", "names a person in some rows only"),
        ("id,label\n,1\n", "a.csv:2: has no id"),
        ('id,label\nq,"1\n', "not a valid table"),
    ],
)
def test_bad_tables(tmp_path: Path, text: str, line: str) -> None:
    (tmp_path / "a.csv").write_text(text, "utf-8")
    with pytest.raises(DataError, match=line):
        open_annotators([str(tmp_path / "a.csv")])


def rated(*ratings: tuple[str, float]) -> RatingKey:
    return RatingKey(ratings=tuple(Rating(rating=rating, annotator=who) for who, rating in ratings))


def test_the_ratings_of_one_test_are_compared_as_labels_in_order(tmp_path: Path) -> None:
    ratings = [(1, 2), (2, 2), (4, 5), (5, 5), (3.5, 3.5)]
    records = [
        RatedPassage(id=f"p{at}", text="Words.", key=rated(("ann", a), ("bo", b)))
        for at, (a, b) in enumerate(ratings)
    ]
    records.append(RatedPassage(id="p9", text="Words.", key=rated(("ann", 3))))
    path = tmp_path / "rated.jsonl"
    save_test(in_memory(Header(kind="readability", language="en"), records), path)
    [done] = agree(open_annotators([str(path)]), resampling=QUICK).comparisons
    assert (done.what, done.scale, done.units) == ("rating", "ordinal", 5)
    assert done.partial == {"p9": ("ann",)}
    assert done.disagreed == ("p0", "p2")
    assert done.labels == ("1", "2", "3", "3.5", "4", "5")
    figures = {figure.measure: figure.value for figure in done.figures}
    assert done.figures[0].value == pytest.approx(3 / 5)
    assert (figures["alpha(ordinal)"] or 0) > 0.8


def test_ratings_of_two_tests(tmp_path: Path) -> None:
    for name, value in (("ann", 2.0), ("bo", 3.0)):
        record = RatedPassage(id="p", text="Words.", key=rated((name, value)))
        save_test(in_memory(Header(kind="readability"), [record]), tmp_path / f"{name}.jsonl")
    people = open_annotators([str(tmp_path / f"{name}.jsonl") for name in ("ann", "bo")])
    [done] = agree(people, resampling=QUICK).comparisons
    assert (done.what, done.disagreed) == ("rating", ("p",))


def test_draws_are_watched(tmp_path: Path) -> None:
    calls: list[tuple[str, str, int]] = []
    people = open_annotators(tables(tmp_path, "level", a="1 2 3", b="1 2 2"))
    agree(people, resampling=Resampling(draws=20), watch=lambda *measure: calls.append(measure))
    assert {what for what, _, _ in calls} == {"level"}
    assert {"alpha(ordinal)", "kappa(linear)", "fleiss", "percent"} <= {
        measure for _, measure, _ in calls
    }
    assert all(done == 20 for _, _, done in calls)
