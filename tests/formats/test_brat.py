"""brat standoff: texts with layers in and out, coreference, fragments, what goes wrong."""

import shutil
from pathlib import Path

import msgspec
import pytest
from hypothesis import given

from layered import passages
from readmark.core.errors import DataError
from readmark.core.problems import Problem
from readmark.core.records import Answer, Layer, Passage, Question, QuestionKey, RecordKey
from readmark.core.source import Source
from readmark.core.test import Header, in_memory
from readmark.formats.brat.format import file_name
from readmark.formats.brat.standoff import fragments_of, read_value, written_value
from readmark.formats.registry import FORMATS, open_test, save_test

TEXT = "Old Tom 😀 fished.\nHe sold 鱼 in Bray.\n"
ANN = """T1\tNP 0 7\tOld Tom
T2\tPERSON 0 7\tOld Tom
T3\tNP 18 20\tHe
T4\tLOCATION 31 35\tBray
T5\tSentence 0 17\tOld Tom 😀 fished.
T6\tSentence 18 36\tHe sold 鱼 in Bray.
R1\tCoref Arg1:T3 Arg2:T1\t
A1\tCertain T4
A2\tRank T4 2
#1\tAnnotatorNotes T4\ta seaside town
"""


def pair(folder: Path, ann: str = ANN, text: str = TEXT, name: str = "tom") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.txt").write_text(text, encoding="utf-8", newline="")
    (folder / f"{name}.ann").write_text(ann, encoding="utf-8", newline="")
    return folder


def only(path: Path) -> Passage:
    (passage,) = open_test(path).records()
    assert isinstance(passage, Passage)
    return passage


def again(passage: Passage, folder: Path) -> tuple[Passage, list[str]]:
    """A passage written and read, and what was lost."""
    shutil.rmtree(folder, ignore_errors=True)
    lost = save_test(in_memory(Header(), [passage]), folder, format="brat")
    return only(folder), lost


def fixed(ann: str) -> str:
    """The sample with the second sentence where it truly ends."""
    return ann.replace("T6\tSentence 18 36", f"T6\tSentence 18 {len(TEXT) - 1}").replace(
        "T4\tLOCATION 31 35", f"T4\tLOCATION {TEXT.index('Bray')} {TEXT.index('Bray') + 4}"
    )


def test_layers_relations_attributes_and_notes(tmp_path: Path) -> None:
    passage = only(pair(tmp_path / "f", fixed(ANN)))
    assert (passage.id, passage.text, passage.questions) == ("tom", TEXT, ())
    found = {
        name: [(one.quote, dict(one.labels)) for one in layer.over(TEXT)]
        for name, layer in passage.layers.items()
    }
    assert found == {
        "np": [("Old Tom", {}), ("He", {})],
        "ne": [
            ("Old Tom", {"Certain": None, "Rank": None, "note": None, "type": "PERSON"}),
            ("Bray", {"Certain": True, "Rank": 2, "note": "a seaside town", "type": "LOCATION"}),
        ],
        "sentence": [("Old Tom 😀 fished.", {}), ("He sold 鱼 in Bray.", {})],
    }
    assert passage.key is not None
    mentions = passage.key.layers["mention"]
    assert [(one.quote, one.labels) for one in mentions.over(TEXT)] == [
        ("Old Tom", {"id": 1, "ref": None}),
        ("He", {"id": None, "ref": 1}),
    ]


@given(passages())
def test_any_layers_come_back_equal(
    tmp_path_factory: pytest.TempPathFactory, passage: Passage
) -> None:
    back, lost = again(passage, tmp_path_factory.getbasetemp() / "brat")
    assert lost == []
    assert back == passage


def test_a_zip_and_one_pair(tmp_path: Path) -> None:
    folder = pair(tmp_path / "f", fixed(ANN))
    save_test(open_test(folder), tmp_path / "out.zip", format="brat")
    wanted = only(folder)
    assert only(tmp_path / "out.zip") == wanted
    assert only(folder / "tom.ann") == only(folder / "tom.txt") == wanted


def test_coreference_is_written_as_relations(tmp_path: Path) -> None:
    mentions = Layer(
        spans=((0, 7), (18, 20)), columns={"id": (4, None), "ref": (None, 4)}, source="by hand"
    )
    passage = Passage(id="p", text=TEXT, key=RecordKey(layers={"mention": mentions}))
    save_test(in_memory(Header(), [passage]), tmp_path / "out", format="brat")
    assert (tmp_path / "out" / "p.ann").read_text(encoding="utf-8").splitlines() == [
        "T1\tMention 0 7\tOld Tom",
        "T2\tMention 18 20\tHe",
        "R1\tCoref Arg1:T2 Arg2:T1",
        "A1\tREFID T1 4",
        "#1\tLayerSource T1\tby hand",
    ]


def test_a_span_over_a_line_break_is_written_in_fragments(tmp_path: Path) -> None:
    layer = Layer(spans=((8, 20),))
    passage = Passage(id="p", text=TEXT, layers={"np": layer})
    back, _ = again(passage, tmp_path / "out")
    assert "T1\tNP 8 17;18 20\t😀 fished. He" in (tmp_path / "out" / "p.ann").read_text("utf-8")
    assert back == passage
    assert fragments_of("\na\r\n\r\nb\n", 0, 8) == [(0, 2), (6, 8)]


def test_a_discontinuous_span_goes_from_first_to_last_and_keeps_its_fragments(
    tmp_path: Path,
) -> None:
    folder = pair(tmp_path / "f", "T1\tNP 0 3;10 16\tOld fished\nT2\tNP 4 7\tTom\n")
    passage = only(folder)
    layer = passage.layers["np"]
    assert layer.spans == ((0, 16), (4, 7))
    assert layer.columns["fragments"] == ([[0, 3], [10, 16]], None)
    assert again(passage, tmp_path / "out") == (passage, [])


def test_lines_of_other_sorts_are_kept_and_written_back(tmp_path: Path) -> None:
    more = "T9\tSell 21 25\tsold\nE1\tSell:T9 Agent:T3\n*\tEquiv T1 T3\n"
    more += "N1\tReference T4 Wiki:7\tBray\nR9\tOther Arg1:T1 Arg2:T4\nA7\tNegated E1\n"
    passage = only(pair(tmp_path / "f", fixed(ANN) + more))
    assert passage.key is not None
    back, lost = again(passage, tmp_path / "out")
    assert lost == []
    assert back.layers == passage.layers
    lines = (tmp_path / "out" / "tom.ann").read_text("utf-8").splitlines()
    ids = [line.partition("\t")[0] for line in lines]
    assert len(ids) == len(set(ids))
    assert "E1\tSell:T9 Agent:T3" in lines
    assert any(line.startswith("T9\tSell 21 25") for line in lines)
    assert any(line.startswith("T3\tNP 18 20") for line in lines)
    assert again(back, tmp_path / "out")[0] == back


@pytest.mark.parametrize("counted", ["as two", "as one"])
def test_carriage_returns_may_be_counted_or_not(tmp_path: Path, counted: str) -> None:
    text = TEXT.replace("\n", "\r\n")
    start = 19 if counted == "as two" else 18
    passage = only(pair(tmp_path / "f", f"T1\tNP {start} {start + 2}\tHe\n", text))
    assert passage.text == text
    assert [one.quote for one in passage.layers["np"].over(text)] == ["He"]
    assert passage.layers["np"].spans == ((19, 21),)


def test_what_brat_cannot_store_is_named(tmp_path: Path) -> None:
    question = Question(id="q", text="Who?", key=QuestionKey(answers=(Answer(text="Tom"),)))
    passage = Passage(
        id="p",
        text=TEXT,
        title="Tom",
        fields={"seen": 1},
        questions=(question,),
        layers={"np": Layer(spans=())},
        key=RecordKey(layers={"np": Layer(spans=((0, 1),)), "own x": Layer(spans=((0, 1),))}),
    )
    header = Header(name="t", language="en", fields={"note": "x"})
    assert save_test(in_memory(header, [passage]), tmp_path / "out", format="brat") == [
        "the header's (language) cannot be stored (1: t)",
        "the header's fields (note) cannot be stored (1: t)",
        "the passage's title cannot be stored (1: p)",
        "fields (seen) cannot be stored (1: p)",
        "questions cannot be stored (1: q)",
        "layers (np) under the key, by whose name candidates would see them, cannot be stored "
        "(1: p)",
        "layers (np) without spans cannot be stored (1: p)",
        "layers (own x) whose name is not a single word cannot be stored (1: p)",
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("T1\tNP 0 7\tOld Jim", "T1 should read 'Old Jim' at 0 7, found 'Old Tom'"),
        ("T1\tNP 0 99\tOld", "T1 is at 0 99, outside or out of order in the text"),
        ("T1\tNP 5 2\t", "T1 is at 5 2, outside or out of order in the text"),
        ("T1\tNP 0\tOld", "found 'T1\\tNP 0\\tOld', expected an id, a tab, a type with start"),
        ("T1 NP 0 3", "found 'T1 NP 0 3', expected an id, a tab, a type with start"),
        ("T1\tNP 0 3\tOld\nT1\tNP 0 3\tOld", "id T1 occurs twice"),
        ("A1\tRank T8 1", "A1 is about T8, which is not there"),
        ("R1\tCoref Arg1:T8 Arg2:T9", "R1 is about T8, which is not there"),
        ("R1\tCoref T8", "R1 is 'Coref T8', expected a type, Arg1:T1 and Arg2:T2"),
        ("?", "found '?', expected an id, a tab and an annotation"),
    ],
)
def test_malformed_lines_are_told_with_their_number(
    tmp_path: Path, line: str, message: str
) -> None:
    folder = pair(tmp_path / "f", f"T0\tNP 0 3\tOld\n{line}\n")
    with pytest.raises(DataError) as caught:
        list(open_test(folder).records())
    number = 2 + line.count("\n")
    assert str(caught.value).startswith(f"{folder}/tom.ann:{number}: annotation: {message}")
    problems: list[Problem] = []
    ((_, passage),) = open_test(folder).placed(problems.append)
    assert [one.where for one in problems] == [number]
    assert (0, 3) in passage.layers["np"].spans


def test_two_antecedents_are_told(tmp_path: Path) -> None:
    ann = fixed(ANN) + "R2\tCoref Arg1:T3 Arg2:T4\n"
    problems: list[Problem] = []
    ((_, passage),) = open_test(pair(tmp_path / "f", ann)).placed(problems.append)
    assert [one.message for one in problems] == [
        "T3-mention refers to 1 and to 2; the first is kept"
    ]
    assert passage.key.layers["mention"].columns["ref"] == (None, 1, None)


def test_missing_and_unreadable_files(tmp_path: Path) -> None:
    folder = pair(tmp_path / "f", fixed(ANN))
    (folder / "b.ann").write_text("")
    (folder / "c.ann").write_text("")
    (folder / "c.txt").write_bytes("鱼".encode() + b"\xff")
    problems: list[Problem] = []
    assert len(list(open_test(folder).placed(problems.append))) == 1
    assert [(Path(one.file).name, one.code) for one in problems] == [
        ("b.txt", "unreadable"),
        ("c.txt", "unreadable"),
    ]
    (tmp_path / "none").mkdir()
    with pytest.raises(DataError, match=r"holds no \.ann files, expected those of brat"):
        open_test(tmp_path / "none", format="brat")


@pytest.mark.parametrize(
    ("id", "name"),
    [("p1", "p1"), ("北 京", "北%20京"), ("a/b", "a%2Fb"), ("..", "%2E."), ("a.b", "a.b")],
)
def test_ids_are_names_of_files(id: str, name: str) -> None:
    assert file_name(id, Path()) == name


def test_an_id_that_is_too_long_is_refused(tmp_path: Path) -> None:
    passage = Passage(id="x" * 300, text="a")
    with pytest.raises(DataError, match="is too long for the name of a file"):
        save_test(in_memory(Header(), [passage]), tmp_path / "out", format="brat")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (True, ""),
        ("run", "run"),
        ("7", '"7"'),
        (7, "7"),
        ("New York", '"New\\u0020York"'),
        (None, "null"),
        ([1, "a b"], '[1,"a\\u0020b"]'),
        ("NaN", "NaN"),
        ("", '""'),
        ("北京", "北京"),
    ],
)
def test_values_are_one_word(value: object, written: str) -> None:
    assert written_value(value) == written
    assert read_value(written) == value


def test_a_long_line_and_an_empty_text(tmp_path: Path) -> None:
    text = "😀e\u0301 " * 30_000
    layer = Layer(spans=tuple((at, at + 3) for at in range(0, 40_000, 4)))
    passage = Passage(id="p", text=text, layers={"token": layer})
    assert again(passage, tmp_path / "out") == (passage, [])
    empty = only(pair(tmp_path / "f", "", ""))
    assert empty == msgspec.structs.replace(empty, text="", id="tom")


def test_it_is_known_by_pairs(tmp_path: Path) -> None:
    brat = FORMATS.load("brat")
    folder = pair(tmp_path / "f")
    assert brat.recognises(Source(folder))
    (folder / "tom.ann").unlink()
    assert not brat.recognises(Source(folder))
    assert not brat.recognises(Source(folder / "tom.txt"))


def test_gb18030_is_read_and_said(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("船长在岛上。".encode("gb18030"))
    (tmp_path / "a.ann").write_bytes("T1\tPERSON 0 2\t船长\n".encode("gb18030"))
    passage = only(tmp_path)
    assert passage.text == "船长在岛上。"
    assert passage.layers["ne"].spans == ((0, 2),)
    assert passage.fields == {"encoding": "gb18030"}
