"""Which work of which annotators is compared: labels, layers, chains, answers."""

import gzip
from pathlib import Path
from typing import Any

import msgspec
import pytest

from readmark.corpus.errors import DataError, ReadmarkError, UsageError
from readmark.corpus.formats import save_test
from readmark.corpus.test import Header, in_memory
from readmark.corpus.values import (
    Answer,
    Layer,
    Passage,
    Phrase,
    Question,
    QuestionKey,
    RatedPassage,
    Rating,
    RatingKey,
    RecordKey,
)
from readmark.measures.agreement import Resampling
from readmark.setting.agreement import Comparison, agree, open_annotators
from readmark.setting.agreement.chains import chains_of
from readmark.setting.agreement.texts import texts_of

TEXT = "小明把伞借给了老师。他第二天又去了。"
QUICK = Resampling(draws=0)


def mention(*rows: tuple[int, int, int | None, int | None]) -> Layer:
    return Layer(
        spans=tuple((start, end) for start, end, _, _ in rows),
        columns={"id": tuple(row[2] for row in rows), "ref": tuple(row[3] for row in rows)},
    )


def entities(*rows: tuple[int, int, str]) -> Layer:
    return Layer(
        spans=tuple((start, end) for start, end, _ in rows),
        columns={"type": tuple(row[2] for row in rows)},
    )


def passage(id: str = "p", **changes: Any) -> Passage:
    return msgspec.structs.replace(Passage(id=id, text=TEXT), **changes)


def question(id: str, **key: Any) -> Question:
    return Question(id=id, text="谁去了？", key=QuestionKey(**key))


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def to_file(name: str, *records: Passage) -> str:
        path = tmp_path / name
        save_test(in_memory(Header(language="zh"), records), path)
        return str(path)

    return to_file


def compared(paths: list[str], what: str, **options: Any) -> Comparison:
    (one,) = agree(open_annotators(paths), [what], resampling=QUICK, **options).comparisons
    return one


def values(one: Comparison, pair: int = 0) -> dict[str, float | None]:
    return {each.measure: each.value for each in one.pairs[pair].figures}


def test_levels_of_questions(write: Any) -> None:
    a = write("a.jsonl", passage(questions=tuple(question(f"q{n}", level=n) for n in (1, 2, 3))))
    b = write(
        "b.jsonl", passage(questions=tuple(question(f"q{n}", level=min(n, 2)) for n in (1, 2, 3)))
    )
    one = compared([a, b], "level")
    assert (one.sort, one.scale, one.units, one.noun) == ("labels", "ordinal", 3, "question")
    assert one.disagreed == ("q3",)
    assert one.pairs[0].confusion == {"1": {"1": 1}, "2": {"2": 1}, "3": {"2": 1}}
    # Observed 2/3; A 1 2 3, B 1 2 2: chance 1/9 + 2/9. (2/3 - 1/3) / (2/3) = 1/2
    assert values(one)["kappa"] == pytest.approx(0.5)
    assert set(values(one)) == {"percent", "kappa", "kappa(linear)", "kappa(quadratic)"}
    assert [each.measure for each in one.figures] == [
        "percent",
        "fleiss",
        "alpha(nominal)",
        "alpha(ordinal)",
    ]
    assert compared([a, b], "level", scale="nominal").scale == "nominal"


def test_units_that_only_some_labelled(tmp_path: Path) -> None:
    rows = {"a": "q1,x\nq2,y\nq3,x\n", "b": "q1,x\nq2,x\n", "c": "q1,x\nq2,y\nq4,y\n"}
    paths = []
    for name, text in rows.items():
        (tmp_path / f"{name}.csv").write_text(f"id,decision\n{text}", "utf-8")
        paths.append(str(tmp_path / f"{name}.csv"))
    one = compared(paths, "decision")
    assert one.units == 2
    assert one.partial == {"q3": ("a",), "q4": ("c",)}
    made = {each.measure: each for each in one.figures}
    assert made["fleiss"].n == made["percent"].n == made["alpha(nominal)"].n == 2
    # q1 3 of 3 pairs equal, q2 1 of 3.
    assert made["percent"].value == pytest.approx(4 / 6)
    assert [(pair.a, pair.b) for pair in one.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert one.disagreed == ("q2",)


def test_people_in_one_file_and_lists_as_labels(tmp_path: Path) -> None:
    rows = [
        {"id": "q1", "person": "ann", "reasons": ["b", "a"]},
        {"id": "q1", "person": "bo", "reasons": ["a", "b"]},
        {"id": "q2", "person": "ann", "reasons": ["a"]},
        {"id": "q2", "person": "bo", "reasons": ["b"]},
    ]
    path = tmp_path / "all.jsonl"
    path.write_bytes(b"\n".join(map(msgspec.json.encode, rows)))
    one = compared([str(path)], "reasons")
    assert one.annotators == ("ann", "bo")
    assert one.pairs[0].confusion == {"a": {"b": 1}, "a + b": {"a + b": 1}}


def test_a_table_of_labels_beside_a_test(write: Any, tmp_path: Path) -> None:
    a = write(
        "a.jsonl", passage(questions=(question("q1", type="Who"), question("q2", type="When")))
    )
    (tmp_path / "b.tsv").write_text("id\tlabel\nq1\tWho\nq2\tWhere\n", "utf-8")
    one = compared([a, str(tmp_path / "b.tsv")], "type")
    assert (one.units, one.disagreed) == (2, ("q2",))
    with pytest.raises(UsageError, match=r"nothing in common.*a has type; b has label"):
        agree(open_annotators([a, str(tmp_path / "b.tsv")]))


def test_words_in_an_order(tmp_path: Path) -> None:
    for name, text in {"a": "q1,low\nq2,mid\nq3,high\n", "b": "q1,low\nq2,high\nq3,high\n"}.items():
        (tmp_path / f"{name}.csv").write_text(f"id,label\n{text}", "utf-8")
    paths = [str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]
    one = compared(paths, "label", order=["low", "mid", "high"])
    assert (one.scale, one.labels) == ("ordinal", ("low", "mid", "high"))
    # |difference| 0 1 0; A one of each, B low 1 high 2: (0*1 + 2*2 + 1*1 + 1*2 + 2*1 + 0*2) / 9 = 1
    assert values(one)["kappa(linear)"] == pytest.approx(1 - (1 / 3) / 1)


def tables(folder: Path, what: str, **columns: str) -> list[str]:
    """A table a person: the labels of q1, q2 and so on."""
    for name, labels in columns.items():
        rows = "".join(f"q{at},{label}\n" for at, label in enumerate(labels.split(), 1))
        (folder / f"{name}.csv").write_text(f"id,{what}\n{rows}", "utf-8")
    return [str(folder / f"{name}.csv") for name in columns]


def test_whole_numbers_with_a_fraction_are_the_same_labels(tmp_path: Path) -> None:
    # pandas writes 1.0 where a column has a gap.
    for what in ("type", "level"):
        one = compared(tables(tmp_path, what, a="1 2 3", b="1.0 2.00 1.0"), what)
        assert values(one)["percent"] == pytest.approx(2 / 3)
        assert one.disagreed == ("q3",)
        assert one.labels == ("1", "2", "3")
        assert one.pairs[0].confusion == {"1": {"1": 1}, "2": {"2": 1}, "3": {"1": 1}}
    # Sections are no numbers, and on a nominal scale nothing else is.
    one = compared(tables(tmp_path, "type", a="1.10 1.1 -0.0", b="1.1 1.1 0"), "type")
    assert one.disagreed == ("q1",)


def test_spellings_of_one_number_are_one_label_on_a_scale(tmp_path: Path) -> None:
    paths = tables(tmp_path, "level", a="2.5 03 1", b="2.50 3 2")
    one = compared(paths, "level")
    assert one.scale == "ordinal"
    assert values(one)["percent"] == pytest.approx(2 / 3)
    assert one.disagreed == ("q3",)
    assert len(one.labels) == 4
    assert sum(row.get(label, 0) for label, row in one.pairs[0].confusion.items()) == 2
    one = compared(paths, "level", scale="nominal")
    assert one.disagreed == ("q1", "q2", "q3")


def test_an_order_of_numbers(tmp_path: Path) -> None:
    paths = tables(tmp_path, "grade", a="3 2 1", b="3.0 2.0 2.0")
    one = compared(paths, "grade", order=["3.0", "2.0", "1.0"])
    assert (one.labels, one.disagreed) == (("3", "2", "1"), ("q3",))
    with pytest.raises(UsageError, match="--order names '1' twice"):
        compared(paths, "grade", order=["1", "2", "3", "1.0"])


def test_an_id_is_as_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,label\n1,x\n1.0,y\n", "utf-8")
    (tmp_path / "b.csv").write_text("id,label\n1,x\n1.0,x\n", "utf-8")
    one = compared([str(tmp_path / "a.csv"), str(tmp_path / "b.csv")], "label")
    assert (one.units, one.disagreed) == (2, ("1.0",))


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
    assert [one.name for one in people] == called


def test_typed_spans_and_what_nobody_marked(write: Any) -> None:
    a = write("a.jsonl", passage(layers={"ne": entities((0, 2, "PERSON"), (7, 9, "PERSON"))}))
    b = write("b.jsonl", passage(layers={"ne": entities((0, 2, "PERSON"), (7, 9, "ORGANIZATION"))}))
    one = compared([a, b], "ne")
    assert values(one)["exact"] == pytest.approx(0.5)
    assert values(one)["exact(untyped)"] == 1
    # A record with some layer was annotated: without entities there, it disagrees.
    np = Layer(spans=((0, 2),))
    a = write("a.jsonl", passage(layers={"np": np, "ne": entities((0, 2, "PERSON"))}), passage("r"))
    b = write("b.jsonl", passage(layers={"np": np}), passage("r", layers={"ne": entities()}))
    one = compared([a, b], "ne")
    assert values(one)["exact"] == 0
    assert one.partial == {"r": ("b",)}


def test_words_of_passages_and_questions(write: Any) -> None:
    def tokens(*ends: int) -> Layer:
        return Layer(spans=tuple(zip((0, *ends), ends, strict=False)))

    asked = Question(id="q", text="谁去了？")
    one, other = tokens(2, 3, 4), tokens(2, 4)
    half = msgspec.structs.replace(asked, layers={"token": tokens(1, 3, 4)})
    a = write("a.jsonl", passage(layers={"token": one}, questions=(half,)))
    b = write("b.jsonl", passage(layers={"token": other}, questions=(asked,)))
    made = compared([a, b], "token")
    # The question has words on one side only and does not count: 1 of 3 and 2.
    assert values(made) == {"words": pytest.approx(0.4), "boundaries": pytest.approx(2 / 3)}


def test_chains_across_passage_question_and_key() -> None:
    own = QuestionKey(
        layers={"mention": mention((0, 1, None, 1))},
        published=(Phrase(text="小明", layers={"mention": mention((0, 2, None, 1))}),),
    )
    record = passage(
        key=RecordKey(
            layers={"mention": mention((0, 2, 1, None), (10, 11, 2, 1), (7, 9, 3, None))}
        ),
        questions=(Question(id="q", text="他去了？", key=own),),
    )
    found = chains_of({text.owner: text for text in texts_of(record)})
    assert sorted(map(len, found)) == [1, 4]
    (large,) = (entity for entity in found if len(entity) == 4)
    assert (("key", "q", "小明"), 0, 2) in large


def test_a_number_of_its_own_comes_before_the_passage_s() -> None:
    asked = QuestionKey(layers={"mention": mention((0, 1, 1, None), (2, 3, None, 1))})
    record = passage(
        key=RecordKey(layers={"mention": mention((0, 2, 1, None))}),
        questions=(Question(id="q", text="他和他", key=asked),),
    )
    found = chains_of({text.owner: text for text in texts_of(record)})
    assert sorted(map(len, found)) == [1, 2]


def test_coreference_of_two(write: Any) -> None:
    both = [(0, 2, 1, None), (7, 9, 2, None)]
    layer_a = mention(*both, (10, 11, None, 1))
    layer_b = mention(*both, (10, 11, None, 2))
    a = write("a.jsonl", passage(key=RecordKey(layers={"mention": layer_a})))
    b = write("b.jsonl", passage(key=RecordKey(layers={"mention": layer_b})))
    made = values(compared([a, b], "coreference"))
    # {1,3} {2} against {1} {2,3}. B³: (1/2 + 1/2 + 1) / 3 both ways. CEAF-e: 2/3 + 2/3 of 2.
    assert made["muc"] == 0
    assert made["b3"] == pytest.approx(2 / 3)
    assert made["ceaf_e"] == pytest.approx(2 / 3)
    assert made["lea"] == 0
    assert values(compared([a, b], "mention")) == made
    without = values(compared([a, b], "coreference", singletons=False))
    # {1,3} against {2,3}: B³ recalls 1/2 of mention 3, none of 1.
    assert without["b3"] == pytest.approx(0.25)


def answered(id: str, *people: tuple[str | None, int, int]) -> Question:
    return question(
        id,
        answers=tuple(
            Answer(text=TEXT[start:end], start=start, end=end, annotator=name)
            for name, start, end in people
        ),
    )


def test_answers_in_one_key(write: Any) -> None:
    record = passage(
        questions=(
            answered("q1", ("r1", 0, 2), ("r2", 0, 2), ("r1", 7, 9)),
            answered("q2", ("r1", 0, 2), ("r2", 0, 3)),
            answered("q3", ("r1", 7, 9)),
        ),
        layers={"np": Layer(spans=((0, 2),))},
    )
    path = write("test.jsonl", record)
    report = agree(open_annotators([path]), resampling=QUICK)
    (one,) = report.comparisons  # the layer is of one hand
    assert (one.what, one.annotators, one.units) == ("answers", ("r1", "r2"), 2)
    assert one.partial == {"q3": ("r1",)}
    assert values(one)["percent"] == values(one)["exact"] == pytest.approx(0.5)
    assert values(one)["overlap"] == 1
    assert values(one)["characters"] == pytest.approx(2 * 4 / 9)
    assert values(one)["alpha(unitizing)"] == one.figures[1].value
    assert one.disagreed == ("q2",)


def test_unnamed_answers_are_people_by_their_order(write: Any) -> None:
    path = write("test.jsonl", passage(questions=(answered("q", (None, 0, 2), (None, 0, 2)),)))
    one = compared([path], "answers")
    assert one.annotators == ("answer 1", "answer 2")


def test_sittings(tmp_path: Path, write: Any) -> None:
    test = write("key.jsonl", passage(questions=(answered("q1", ("r1", 0, 2)),)))
    (tmp_path / "bo.json").write_text('{"q1": "小明"}', "utf-8")
    header = b'{"readmark": 1, "file": "sitting", "candidate": "cy"}\n'
    row = '{"id": "q1", "text": "小明把", "start": 0, "end": 3}\n'.encode()
    (tmp_path / "cy.jsonl").write_bytes(header + row + b'{"id": "q2", "error": "late"}\n')
    paths = [test, str(tmp_path / "bo.json"), str(tmp_path / "cy.jsonl")]
    one = compared(paths, "answers")
    assert one.annotators == ("key", "bo", "cy")
    assert values(one, 0)["percent"] == 1
    assert values(one, 0)["exact"] is None  # predictions have no places
    assert values(one, 1)["characters"] == pytest.approx(4 / 5)
    sitting = str(tmp_path / "cy.jsonl")
    alone = compared([sitting, str(tmp_path / "bo.json")], "answers")
    assert alone.figures[1].reason == "no question has answers of all with their offsets"
    (tmp_path / "dee.jsonl").write_bytes(header + row)
    alone = compared([sitting, str(tmp_path / "dee.jsonl")], "answers")
    assert alone.figures[1].reason == "no file has the passages, whose length counts"


def sat(folder: Path, name: str, paper: str | None) -> str:
    header = {"readmark": 1, "file": "sitting", "candidate": name, "paper": paper}
    rows = [header, {"id": "q1", "text": "小明"}]
    path = folder / f"{name}.jsonl"
    path.write_bytes(b"\n".join(map(msgspec.json.encode, rows)))
    return str(path)


def test_sittings_of_other_papers_are_refused(tmp_path: Path, write: Any) -> None:
    record = passage(questions=(answered("q1", ("r1", 0, 2)),))
    key, longer = write("key.jsonl", record), write("longer.jsonl", record, passage("r"))
    paper = in_memory(Header(language="zh"), [record]).facts.paper
    ann, bo = sat(tmp_path, "ann", paper), sat(tmp_path, "bo", "0" * 16)
    unbound = sat(tmp_path, "cy", None)
    with pytest.raises(DataError, match=rf"bo.jsonl: .* another paper .*ann.jsonl is of {paper}"):
        open_annotators([ann, bo])
    with pytest.raises(DataError, match=rf"bo.jsonl: .* another paper .*key.jsonl has {paper}"):
        open_annotators([key, bo])
    with pytest.raises(DataError, match=r"ann.jsonl: .* another paper .*longer.jsonl has"):
        open_annotators([longer, ann])
    # A test with more passages may stand beside the test that was sat: its texts are compared.
    for paths in ([key, ann, unbound], [ann, unbound], [longer, ann, key]):
        assert len(open_annotators(paths)) == len(paths)


def test_offsets_that_do_not_point_at_the_words(write: Any) -> None:
    wrong = question("q", answers=(Answer(text="小明", start=5, end=7),))
    a = write("a.jsonl", passage(questions=(wrong,)))
    b = write("b.jsonl", passage(questions=(answered("q", (None, 0, 2)),)))
    one = compared([a, b], "answers")
    assert values(one)["percent"] == 1
    assert values(one)["exact"] is None
    assert "a: 1 answers do not stand" in one.notes[0]


def test_answer_sentences(write: Any) -> None:
    def marked(*sentences: tuple[tuple[int, int], ...]) -> Passage:
        return passage(
            questions=tuple(question(f"q{n}", sentences=own) for n, own in enumerate(sentences))
        )

    first, second = (0, 10), (10, 18)
    a = write("a.jsonl", marked((first,), (second,), ()))
    b = write("b.jsonl", marked((first,), (first, second), ()))
    one = compared([a, b], "answer_sentences")
    assert values(one)["exact"] == pytest.approx(4 / 5)
    assert one.units == 3


def test_draws_are_watched(tmp_path: Path) -> None:
    told: list[tuple[str, str, int]] = []
    people = open_annotators(tables(tmp_path, "level", a="1 2 3", b="1 2 2"))
    agree(people, resampling=Resampling(draws=20), watch=lambda *one: told.append(one))
    assert {what for what, _, _ in told} == {"level"}
    assert {"alpha(ordinal)", "kappa(linear)", "fleiss", "percent"} <= {one for _, one, _ in told}
    assert all(done == 20 for _, _, done in told)


def test_layers_of_an_analyser_are_told(write: Any) -> None:
    made = passage(layers={"np": Layer(spans=((0, 2),), source="readmark-zh-2(x)")})
    one = compared([write("a.jsonl", made), write("b.jsonl", made)], "np")
    assert one.notes == ("every file says that readmark-zh-2(x) made this layer, not people",)


def test_the_report_as_json(write: Any) -> None:
    a = write("a.jsonl", passage(questions=(question("q1", level=1),)))
    b = write("b.jsonl", passage(questions=(question("q1", level=1),)))
    document = msgspec.json.decode(
        msgspec.json.encode(agree(open_annotators([a, b]), resampling=Resampling()).document())
    )
    assert document["annotators"] == [{"name": "a", "file": a}, {"name": "b", "file": b}]
    assert (document["seed"], document["draws"], document["confidence"]) == (1, 1000, 0.95)
    level = document["what"]["level"]
    assert level["figures"]["percent"]["value"] == 1
    assert level["figures"]["alpha(ordinal)"]["value"] is None
    assert level["pairs"][0]["figures"]["kappa"]["reason"].startswith("every label is")


@pytest.mark.parametrize(
    ("first", "second", "error", "line"),
    [
        ((), (), DataError, "a.jsonl: the test has no records"),
        ((passage(),), (passage(text=TEXT + "!"),), DataError, "b.jsonl:p: is of another version"),
        ((passage(),), (passage(),), UsageError, "nothing in common"),
        (
            (passage(layers={"np": Layer(spans=((0, 2),))}),),
            (passage("r", layers={"np": Layer(spans=((0, 2),))}),),
            DataError,
            "annotated no passage in common",
        ),
        (
            (passage(layers={"np": Layer(spans=((0, 2),))}),),
            (passage(layers={"np": Layer(spans=((0, 99),))}),),
            DataError,
            "b.jsonl:p: np 0–99 lies outside its text of 18 characters",
        ),
        (
            (passage(questions=(question("q", level=1),)),),
            (passage(questions=(question("r", level=1),)),),
            DataError,
            "'a' and 'b' labelled no unit in common with 'level'",
        ),
    ],
)
def test_bad_input(
    write: Any, first: Any, second: Any, error: type[ReadmarkError], line: str
) -> None:
    paths = [write("a.jsonl", *first), write("b.jsonl", *second)]
    with pytest.raises(error, match=line):
        agree(open_annotators(paths))


def test_a_question_of_another_wording_is_refused(write: Any) -> None:
    other = Question(id="q", text="谁来了？")
    paths = [
        write("a.jsonl", passage(questions=(question("q", level=1),))),
        write("b.jsonl", passage(questions=(other,))),
    ]
    with pytest.raises(DataError, match="p:q: is of another version"):
        open_annotators(paths)


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
        ('id,label\nq,"1\n', "no sound table"),
    ],
)
def test_bad_tables(tmp_path: Path, text: str, line: str) -> None:
    (tmp_path / "a.csv").write_text(text, "utf-8")
    with pytest.raises(DataError, match=line):
        open_annotators([str(tmp_path / "a.csv")])


def rated(*ratings: tuple[str, float]) -> RatingKey:
    return RatingKey(ratings=tuple(Rating(rating=one, annotator=who) for who, one in ratings))


def test_the_ratings_of_one_test_are_compared_as_labels_in_order(tmp_path: Path) -> None:
    said = [(1, 2), (2, 2), (4, 5), (5, 5), (3.5, 3.5)]
    records = [
        RatedPassage(id=f"p{at}", text="Words.", key=rated(("ann", a), ("bo", b)))
        for at, (a, b) in enumerate(said)
    ]
    records.append(RatedPassage(id="p9", text="Words.", key=rated(("ann", 3))))
    path = tmp_path / "rated.jsonl"
    save_test(in_memory(Header(kind="readability", language="en"), records), path)
    [done] = agree(open_annotators([str(path)]), resampling=QUICK).comparisons
    assert (done.what, done.scale, done.units) == ("rating", "ordinal", 5)
    assert done.partial == {"p9": ("ann",)}
    assert done.disagreed == ("p0", "p2")
    assert done.labels == ("1", "2", "3", "3.5", "4", "5")
    figures = {one.measure: one.value for one in done.figures}
    assert done.figures[0].value == pytest.approx(3 / 5)
    assert (figures["alpha(ordinal)"] or 0) > 0.8


def test_ratings_of_two_tests(tmp_path: Path) -> None:
    for name, value in (("ann", 2.0), ("bo", 3.0)):
        record = RatedPassage(id="p", text="Words.", key=rated((name, value)))
        save_test(in_memory(Header(kind="readability"), [record]), tmp_path / f"{name}.jsonl")
    people = open_annotators([str(tmp_path / f"{name}.jsonl") for name in ("ann", "bo")])
    [done] = agree(people, resampling=QUICK).comparisons
    assert (done.what, done.disagreed) == ("rating", ("p",))
