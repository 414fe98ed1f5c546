"""Which layers, chains and answers of which annotators are compared, and what is refused."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from annotated_work import QUICK, TEXT, compared, entities, mention, passage, question, values
from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.core.records import Answer, Layer, Passage, Phrase, Question, QuestionKey, RecordKey
from readmark.core.test import Header, in_memory
from readmark.making.agreement.agree import agree
from readmark.making.agreement.annotated_texts import texts_of
from readmark.making.agreement.annotators import open_annotators
from readmark.making.agreement.entities import entities_of
from readmark.statistics.agreement.percent import percent_agreement
from readmark.statistics.agreement.value import Resampling
from readmark.tasks.packer import pack
from readmark.tasks.task_folder import gather
from task_files import ANSWERS, lines, write_task


def test_typed_spans_and_what_nobody_marked(write: Any) -> None:
    a = write("a.jsonl", passage(layers={"ne": entities((0, 2, "PERSON"), (7, 9, "PERSON"))}))
    b = write("b.jsonl", passage(layers={"ne": entities((0, 2, "PERSON"), (7, 9, "ORGANIZATION"))}))
    comparison = compared([a, b], "ne")
    assert values(comparison)["exact"] == pytest.approx(0.5)
    assert values(comparison)["exact(untyped)"] == 1
    # A record with some layer was annotated: without entities there, it disagrees.
    np = Layer(spans=((0, 2),))
    a = write("a.jsonl", passage(layers={"np": np, "ne": entities((0, 2, "PERSON"))}), passage("r"))
    b = write("b.jsonl", passage(layers={"np": np}), passage("r", layers={"ne": entities()}))
    comparison = compared([a, b], "ne")
    assert values(comparison)["exact"] == 0
    assert comparison.partial == {"r": ("b",)}


def test_answers_to_the_queries_of_two_tasks(tmp_path: Path) -> None:
    paths = []
    for name, periods in (("a", 5), ("b", 4)):
        answers = [{**ANSWERS[0], "values": {"G": "Game-1", "N": periods}}, ANSWERS[1]]
        folder = write_task(tmp_path / name, {"answers.train.jsonl": lines(answers)})
        pack(gather(folder), tmp_path / f"{name}.zip")
        paths.append(str(tmp_path / f"{name}.zip"))
    comparison = compared(paths, "answers")
    assert (comparison.units, comparison.disagreed) == (3, ("otters:periods",))


def test_labels_in_lists_within_lists(write: Any) -> None:
    deep: Any = "x"
    for _ in range(900):
        deep = [deep]
    files = [
        write(f"{name}.jsonl", passage(questions=(question("q", fields={"topic": topic}),)))
        for name, topic in (("a", [["b"], "a"]), ("b", deep))
    ]
    comparison = compared(files, "topic")
    assert comparison.disagreed == ("q",)


def test_words_of_passages_and_questions(write: Any) -> None:
    def tokens(*ends: int) -> Layer:
        return Layer(spans=tuple(zip((0, *ends), ends, strict=False)))

    asked = Question(id="q", text="谁去了？")
    first, second = tokens(2, 3, 4), tokens(2, 4)
    half = msgspec.structs.replace(asked, layers={"token": tokens(1, 3, 4)})
    a = write("a.jsonl", passage(layers={"token": first}, questions=(half,)))
    b = write("b.jsonl", passage(layers={"token": second}, questions=(asked,)))
    comparison = compared([a, b], "token")
    # The question has words on one side only and does not count: 1 of 3 and 2.
    assert values(comparison) == {"words": pytest.approx(0.4), "boundaries": pytest.approx(2 / 3)}


def test_chains_across_passage_question_and_key() -> None:
    key = QuestionKey(
        layers={"mention": mention((0, 1, None, 1))},
        published=(Phrase(text="小明", layers={"mention": mention((0, 2, None, 1))}),),
    )
    record = passage(
        key=RecordKey(
            layers={"mention": mention((0, 2, 1, None), (10, 11, 2, 1), (7, 9, 3, None))}
        ),
        questions=(Question(id="q", text="他去了？", key=key),),
    )
    by_entity = entities_of({text.owner: text for text in texts_of(record)})
    assert sorted(map(len, by_entity)) == [1, 4]
    (large,) = (entity for entity in by_entity if len(entity) == 4)
    assert (("key", "q", "小明"), 0, 2) in large


def test_a_number_of_its_own_comes_before_the_passage_s() -> None:
    asked = QuestionKey(layers={"mention": mention((0, 1, 1, None), (2, 3, None, 1))})
    record = passage(
        key=RecordKey(layers={"mention": mention((0, 2, 1, None))}),
        questions=(Question(id="q", text="他和他", key=asked),),
    )
    by_entity = entities_of({text.owner: text for text in texts_of(record)})
    assert sorted(map(len, by_entity)) == [1, 2]


def test_a_damaged_number_is_a_number_like_any_other() -> None:
    record = passage(
        key=RecordKey(layers={"mention": mention((0, 2, [1], None), (2, 3, None, [1]))})
    )
    [entity] = entities_of({text.owner: text for text in texts_of(record)})
    assert len(entity) == 2


def test_coreference_of_two(write: Any) -> None:
    both = [(0, 2, 1, None), (7, 9, 2, None)]
    layer_a = mention(*both, (10, 11, None, 1))
    layer_b = mention(*both, (10, 11, None, 2))
    a = write("a.jsonl", passage(key=RecordKey(layers={"mention": layer_a})))
    b = write("b.jsonl", passage(key=RecordKey(layers={"mention": layer_b})))
    figures = values(compared([a, b], "coreference"))
    # {1,3} {2} against {1} {2,3}. B³: (1/2 + 1/2 + 1) / 3 both ways. CEAF-e: 2/3 + 2/3 of 2.
    assert figures["muc"] == 0
    assert figures["b3"] == pytest.approx(2 / 3)
    assert figures["ceaf_e"] == pytest.approx(2 / 3)
    assert figures["lea"] == 0
    assert values(compared([a, b], "mention")) == figures
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
    (comparison,) = report.comparisons  # the layer is of one hand
    assert (comparison.what, comparison.annotators, comparison.units) == (
        "answers",
        ("r1", "r2"),
        2,
    )
    assert comparison.partial == {"q3": ("r1",)}
    assert values(comparison)["percent"] == values(comparison)["exact"] == pytest.approx(0.5)
    assert values(comparison)["overlap"] == 1
    assert values(comparison)["characters"] == pytest.approx(2 * 4 / 9)
    assert values(comparison)["alpha(unitizing)"] == comparison.figures[1].value
    assert comparison.disagreed == ("q2",)


def test_unnamed_answers_are_people_by_their_order(write: Any) -> None:
    path = write("test.jsonl", passage(questions=(answered("q", (None, 0, 2), (None, 0, 2)),)))
    comparison = compared([path], "answers")
    assert comparison.annotators == ("answer 1", "answer 2")


def test_sittings(tmp_path: Path, write: Any) -> None:
    test = write("key.jsonl", passage(questions=(answered("q1", ("r1", 0, 2)),)))
    (tmp_path / "bo.json").write_text('{"q1": "小明"}', "utf-8")
    header = b'{"readmark": 1, "file": "sitting", "candidate": "cy"}\n'
    row = '{"id": "q1", "text": "小明把", "start": 0, "end": 3}\n'.encode()
    (tmp_path / "cy.jsonl").write_bytes(header + row + b'{"id": "q2", "error": "late"}\n')
    paths = [test, str(tmp_path / "bo.json"), str(tmp_path / "cy.jsonl")]
    comparison = compared(paths, "answers")
    assert comparison.annotators == ("key", "bo", "cy")
    assert values(comparison, 0)["percent"] == 1
    assert values(comparison, 0)["exact"] is None  # predictions have no places
    assert values(comparison, 1)["characters"] == pytest.approx(4 / 5)
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
    comparison = compared([a, b], "answers")
    assert values(comparison)["percent"] == 1
    assert values(comparison)["exact"] is None
    assert "a: not at their offsets, so only their words count: 1 answer (q)" in comparison.notes[0]


def test_answer_sentences(write: Any) -> None:
    def marked(*sentences: tuple[tuple[int, int], ...]) -> Passage:
        return passage(
            questions=tuple(
                question(f"q{n}", sentences=offsets) for n, offsets in enumerate(sentences)
            )
        )

    first, second = (0, 10), (10, 18)
    a = write("a.jsonl", marked((first,), (second,), ()))
    b = write("b.jsonl", marked((first,), (first, second), ()))
    comparison = compared([a, b], "answer_sentences")
    assert values(comparison)["exact"] == pytest.approx(4 / 5)
    assert comparison.units == 3


def test_layers_of_an_analyser_are_told(write: Any) -> None:
    record = passage(layers={"np": Layer(spans=((0, 2),), source="readmark-zh-2(x)")})
    comparison = compared([write("a.jsonl", record), write("b.jsonl", record)], "np")
    assert comparison.notes == (
        "every file says that readmark-zh-2(x) made this layer, not people",
    )


def test_the_report_as_json(write: Any) -> None:
    a = write("a.jsonl", passage(questions=(question("q1", level=1),)))
    b = write("b.jsonl", passage(questions=(question("q1", level=1),)))
    document = msgspec.json.decode(
        msgspec.json.encode(agree(open_annotators([a, b]), resampling=Resampling()).as_json())
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
        (
            (passage(),),
            (passage(text=TEXT + "!"),),
            DataError,
            "b.jsonl:p: belongs to another version",
        ),
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
            "labelled no unit in common with 'level'",
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
    with pytest.raises(DataError, match="p:q: belongs to another version"):
        open_annotators(paths)


# Work of a reading task, and labels of several people in one file.


def task(path: Path, *answers: list[dict[str, str]]) -> str:
    keys = [{"solutions": [{"values": values} for values in solutions]} for solutions in answers]
    queries = [
        {"id": f"q{at}", "graph": f"((?A met{at} ?B))", "key": key} for at, key in enumerate(keys)
    ]
    header = {"readmark": 1, "file": "test", "kind": "task", "name": "t", "language": "en"}
    record = {"id": "d", "text": "Ida met Lund.", "queries": queries}
    path.write_text(json.dumps(header) + "\n" + json.dumps(record) + "\n")
    return str(path)


def sat_task(path: Path, *answers: list[dict[str, str]]) -> str:
    header = {"readmark": 1, "file": "sitting", "kind": "task"}
    rows = [{"id": f"q{at}", "bindings": bindings} for at, bindings in enumerate(answers)]
    path.write_text("".join(json.dumps(row) + "\n" for row in [header, *rows]))
    return str(path)


IDA, LUND = {"A": "Ida", "B": "Lund"}, {"A": "Lund", "B": "Ida"}


@pytest.mark.parametrize(
    ("first", "second", "equal"),
    [
        (([IDA], [LUND]), ([IDA], [LUND]), 1.0),
        (([IDA], [LUND]), ([LUND], [IDA]), 0.0),
        (([IDA, LUND], []), ([LUND, IDA], []), 1.0),
        (([{"B": "Lund", "A": "Ida"}], [IDA]), ([IDA], [IDA]), 1.0),
        (([IDA], [LUND]), ([], [LUND]), 0.5),
        (([IDA], [LUND]), ([IDA, LUND], [LUND]), 0.5),
    ],
)
@pytest.mark.parametrize("form", ["tests", "sittings", "both"])
def test_answers_to_queries_are_compared(
    first: Any, second: Any, equal: float, form: str, tmp_path: Path
) -> None:
    a = (sat_task if form == "sittings" else task)(tmp_path / "a.jsonl", *first)
    b = (task if form == "tests" else sat_task)(tmp_path / "b.jsonl", *second)
    report = agree(open_annotators([a, b]), resampling=Resampling(draws=0))
    assert report.comparisons[0].figures[0].value == equal


def test_levels_of_several_people_in_one_file(tmp_path: Path) -> None:
    levels = {"q0": (1, 1), "q1": (2, 3), "q2": (3, 3)}
    questions = [
        {
            "id": id,
            "text": "What?",
            "key": {
                "answers": [{"text": "mill"}],
                "level": levels_of_question[0],
                "fields": {
                    "level_labels": [
                        {"person": "ann", "level": levels_of_question[0], "reasons": []},
                        {"annotator": "bo", "level": levels_of_question[1]},
                    ]
                },
            },
        }
        for id, levels_of_question in levels.items()
    ]
    record = {"id": "p", "text": "The mill is old.", "questions": questions}
    path = tmp_path / "levelled.jsonl"
    header = {"readmark": 1, "file": "test", "kind": "comprehension", "language": "en"}
    path.write_text(json.dumps(header) + "\n" + json.dumps(record) + "\n")
    people = open_annotators([str(path)])
    for what in (["level"], []):
        (level,) = agree(people, what, resampling=Resampling(draws=0)).comparisons
        assert (level.what, level.annotators, level.disagreed) == ("level", ("ann", "bo"), ("q1",))
        assert level.figures[0].value == pytest.approx(2 / 3)


def test_each_two_are_compared_on_what_they_share_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else everybody's units are looked at for each two people, which takes minutes for many."""
    files = []
    for number in range(5):  # each shares a unit with the one before, and one with the next
        rows = [f"u{number},1,{number}", f"u{number + 1},{1 + number % 2},{number}"]
        path = tmp_path / f"p{number}.csv"
        path.write_text("\n".join(["id,level,person", *rows]) + "\n", "utf-8")
        files.append(str(path))
    lengths: list[int] = []

    def counting(own: Any, others: Any, **how: Any) -> Any:
        lengths.append(len(own))
        return percent_agreement(own, others, **how)

    monkeypatch.setattr("readmark.making.agreement.labels.percent_agreement", counting)
    comparison = compared(files, "level")
    assert sorted(lengths) == [0] * 6 + [1] * 4
    figures = {(pair.a, pair.b): pair.figures[0] for pair in comparison.pairs}
    shared = {pair: figure.value for pair, figure in figures.items() if figure.n}
    assert [*shared.values()] == [1, 0, 1, 0]
