"""Remedia's sheets: plain as Table 1 shows them, and in the editions of MITRE's release."""

from pathlib import Path

import pytest

from readmark.comprehension.formats.remedia.inline_tags import untagged
from readmark.core.errors import DataError
from readmark.core.problems import Problem
from readmark.core.records import Passage, Question
from readmark.core.source import Source
from readmark.formats.checks import check
from readmark.formats.registry import FORMATS, open_test

PLAIN = """Kite Club Opens
(DUNMORE, Ohio, May 3, 1921) - A club for kites opened
today. Ann Bell started it. She has ten kites.

1. Who started the club?
2. How many kites does
   she have?
"""
HEADED = """Passage

Kite Club Opens
(DUNMORE, Ohio, May 3, 1921)
A club for kites opened today. It has ten kites.

Questions
What opened?
How many kites has it?

Answer keys
a club | a kite club
ten
"""
EDITIONS = {
    "level2/org/rm2-1": PLAIN,
    "level2/snra/rm2-1.snra": PLAIN.replace("opened\ntoday", "opened today")
    .replace("Ann Bell started it.", "<ANSQ1>Ann Bell <ANSQ2>started it.</ANSQ1>")
    .replace("ten kites.", "ten kites. </ANSQ2>"),
    "level2/ne/rm2-1.ne": PLAIN.replace("Ohio", '<ENAMEX TYPE="LOCATION">Ohio</ENAMEX>')
    .replace("May 3, 1921", '<TIMEX TYPE="DATE">May 3, 1921</TIMEX>')
    .replace("Ann Bell", '<ENAMEX TYPE="PERSON">Ann Bell</ENAMEX>'),
    "level2/coref/rm2-1.coref": PLAIN.replace(
        "A club", '<COREF ID="1"><MARKABLE>A club</MARKABLE></COREF>'
    )
    .replace("the club", '<COREF ID="5" REF="1">the club</COREF>')
    .replace("started it", 'started <COREF ID="3" REF="1">it</COREF>'),
}


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return folder


def only(path: Path) -> Passage:
    (passage,) = open_test(path).records()
    assert isinstance(passage, Passage)
    return passage


def told(path: Path) -> list[str]:
    problems: list[Problem] = []
    list(open_test(path).placed(problems.append))
    return [f"{Path(problem.file).name}:{problem.where}: {problem.code}" for problem in problems]


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_a_plain_sheet(tmp_path: Path, eol: str) -> None:
    written(tmp_path, {"kites.txt": PLAIN.replace("\n", eol)})
    passage = only(tmp_path / "kites.txt")
    assert passage.text == PLAIN.partition("\n\n")[0].replace("\n", eol)
    assert (passage.id, passage.title) == ("kites", "Kite Club Opens")
    assert passage.dateline == "(DUNMORE, Ohio, May 3, 1921)"
    parts = {name: passage.text[slice(*span)] for name, span in passage.fields["parts"].items()}
    assert parts["title"] == passage.title
    assert parts["dateline"] == passage.dateline
    assert parts["story"].startswith("A club for kites")
    assert parts["story"].endswith("ten kites.")
    assert passage.questions == (
        Question(id="kites-1", text="Who started the club?"),
        Question(id="kites-2", text=f"How many kites does{eol}   she have?"),
    )


def test_headings_and_answer_keys(tmp_path: Path) -> None:
    written(tmp_path, {"kites.txt": HEADED + HEADED.replace("Kite", "Boat")})
    first, second = open_test(tmp_path / "kites.txt").records()
    assert (first.id, second.id) == ("kites-1", "kites-2")
    assert second.title == "Boat Club Opens"
    keys = [[item.text for item in question.key.published] for question in first.questions]
    assert keys == [["a club", "a kite club"], ["ten"]]
    assert [question.text for question in first.questions] == [
        "What opened?",
        "How many kites has it?",
    ]
    problems = check(str(tmp_path / "kites.txt"))
    assert [item for item in problems if item.severity == "error"] == []


def test_a_sheet_without_dateline_or_title(tmp_path: Path) -> None:
    questions = "\n1. Who came?\n"
    written(
        tmp_path,
        {
            "a.txt": "Questions and Kites\n\nBen came.\nQuestions\n1. Who came?\n",
            "b.txt": "(HERE, 1921)\nBen came." + questions,
            "c.txt": "Passage\nBen came.\nQuestions" + questions,
        },
    )
    titles = {}
    for name in "abc":
        test = open_test(tmp_path / f"{name}.txt", format="remedia")
        (passage,) = test.records()
        titles[name] = (passage.title, passage.dateline)
        start, end = passage.fields["parts"]["story"]
        assert passage.text[start:end] == "Ben came."
    assert titles == {
        "a": ("Questions and Kites", None),
        "b": (None, "(HERE, 1921)"),
        "c": (None, None),
    }


def test_the_editions_of_a_release_are_one_passage(tmp_path: Path) -> None:
    written(tmp_path, EDITIONS)
    assert told(tmp_path) == []
    passage = only(tmp_path)
    assert passage.id == "level2/rm2-1"
    assert passage.fields["grade"] == 2
    text = passage.text
    assert text == PLAIN.partition("\n\n")[0]
    entities = passage.layers["ne"]
    assert [(span.quote, span.labels["type"]) for span in entities.over(text)] == [
        ("Ohio", "LOCATION"),
        ("May 3, 1921", "TIME"),
        ("Ann Bell", "PERSON"),
    ]
    assert passage.key is not None
    mentions = passage.key.layers["mention"]
    assert [(span.quote, span.labels) for span in mentions.over(text)] == [
        ("A club", {"id": 1, "ref": None}),
        ("it", {"id": 3, "ref": 1}),
    ]
    assert [span.quote for span in passage.key.layers["markable"].over(text)] == ["A club"]
    first, second = passage.questions
    assert first.key is not None
    assert second.key is not None
    assert [text[s:e] for s, e in first.key.sentences] == ["Ann Bell started it."]
    assert [text[s:e] for s, e in second.key.sentences] == ["started it. She has ten kites."]
    (asked,) = first.key.layers["mention"].over(first.text)
    assert (asked.quote, asked.labels) == ("the club", {"id": 5, "ref": 1})
    for layer in (*passage.layers.values(), *passage.key.layers.values()):
        assert all(span.quote.strip() == span.quote for span in layer.over(text))


def test_an_edition_of_another_text_is_told_and_left_out(tmp_path: Path) -> None:
    other = EDITIONS["level2/ne/rm2-1.ne"].replace("Bell", "Ball")
    written(tmp_path, {**EDITIONS, "level2/ne/rm2-1.ne": other})
    assert told(tmp_path) == ["rm2-1.ne:ne: text"]
    assert only(tmp_path).layers == {}


@pytest.mark.parametrize(
    ("tagged", "line"),
    [
        ("<ANSQ1>Ann Bell", "rm2-1.snra:3: tag"),
        ("Ann Bell</ANSQ1>", "rm2-1.snra:3: tag"),
        ("<FOO>Ann Bell</FOO>", "rm2-1.snra:FOO: tag"),
        ("<ANSQ7>Ann Bell</ANSQ7>", "rm2-1:level2/rm2-1: no_question"),
    ],
)
def test_tags_that_are_not_closed_or_not_known(tmp_path: Path, tagged: str, line: str) -> None:
    snra = PLAIN.replace("Ann Bell", tagged)
    written(tmp_path, {"level2/org/rm2-1": PLAIN, "level2/snra/rm2-1.snra": snra})
    assert told(tmp_path) == [line]
    assert only(tmp_path).text == PLAIN.partition("\n\n")[0]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("A story.\n", "1: schema: no question was found: neither 1. nor a heading"),
        ("Passage\nA story.\nQuestions\n\n", "there is no question under the heading"),
        ("Passage\nQuestions\nWho?\n", "there is no story before the questions"),
        (PLAIN + "2. What?\n", "schema: number 2 occurs twice"),
    ],
)
def test_malformed_sheets_get_one_line(tmp_path: Path, text: str, line: str) -> None:
    written(tmp_path, {"a.txt": text})
    with pytest.raises(DataError) as caught:
        list(open_test(tmp_path / "a.txt", format="remedia").records())
    assert str(caught.value).startswith(f"{tmp_path / 'a.txt'}:")
    assert line in str(caught.value)


@pytest.mark.parametrize(
    ("files", "path", "recognised"),
    [
        ({"a.txt": PLAIN}, "a.txt", True),
        ({"a.txt": PLAIN}, "", True),
        ({"a.txt": HEADED}, "a.txt", True),
        ({"x.snra": "nothing"}, "", True),
        ({"a.txt": "A story (long).\n1. What?\n"}, "a.txt", False),
        ({"a.txt": "Passage\nQuestions\n<NP>who</NP>?\n"}, "a.txt", False),
        ({"a.txt": "English passage\nA.\n\nEnglish questions\n1. Who?\n"}, "a.txt", False),
        ({"a.txt": PLAIN, "a.ann": ""}, "", False),
        ({"a.py": PLAIN}, "", False),
        ({"a.json": '{"a": "Passage"}'}, "a.json", False),
    ],
)
def test_it_is_known_by_its_shape(
    tmp_path: Path, files: dict[str, str], path: str, recognised: bool
) -> None:
    source = Source(written(tmp_path, files) / path)
    assert FORMATS.load("remedia").recognises(source) is recognised


def test_long_and_odd_texts_are_kept(tmp_path: Path) -> None:
    long = "😀 e\u0301 < b & " * 10_000 + "<" + " " * 100_000 + "end."
    written(tmp_path, {"a.txt": PLAIN.replace("ten kites.", long)})
    assert only(tmp_path / "a.txt").text.endswith(long)


def test_taking_tags_out() -> None:
    plain = untagged('a < b <X N=1> c <Y M="2 3">d</X> e</ Y > <z/>')
    assert plain.text == "a < b  c d e "
    assert [
        (tag.name, plain.text[tag.start : tag.end], tag.attributes) for tag in plain.stretches
    ] == [
        ("X", "c d", {"N": "1"}),
        ("Y", "d e", {"M": "2 3"}),
    ]
    assert plain.unpaired == ((1, "<z/>"),)


@pytest.mark.parametrize(
    ("keys", "left"),
    [
        ("ten\n", [None, None]),
        ("a club\nten\nmore\n", [None, None]),
        ("2. ten\n", [None, "ten"]),
        ("1. a club\n3. ten\n", ["a club", None]),
    ],
)
def test_keys_that_are_not_the_questions_are_told(
    tmp_path: Path, keys: str, left: list[str | None]
) -> None:
    head = HEADED.partition("Answer keys\n")[0]
    written(tmp_path, {"kites.txt": f"{head}Answer keys\n{keys}"})
    path = tmp_path / "kites.txt"
    assert told(path) == ["kites.txt:11: answer_keys"]
    with pytest.raises(
        DataError, match=r"kites.txt:11: answer_keys: 2 questions and \d answer key"
    ):
        list(open_test(path).records())
    problems: list[Problem] = []
    ((_, passage),) = open_test(path).placed(problems.append)
    published = [
        question.key.published[0].text if question.key else None for question in passage.questions
    ]
    assert published == left
