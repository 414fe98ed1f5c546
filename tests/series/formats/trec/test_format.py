"""TREC's XML: values, companions, encodings, what is refused."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

import readmark
from readmark.core.errors import DataError, UsageError
from readmark.core.records import Answer
from readmark.core.source import Source
from readmark.core.test import Header
from readmark.formats.checks import check
from readmark.formats.registry import FORMATS, open_test, save_test
from readmark.series.notation import OTHER_TEXT
from readmark.series.records import Series, SeriesQuestion

DECLARED = '<?xml version="1.0" encoding="ISO-8859-1"?>\n'
DTD = """<!DOCTYPE trec2004qa [
  <!ELEMENT q (CDATA)> <!-- as TREC has it -->
  <!ATTLIST q id ID #REQUIRED type (FACTOID|LIST|OTHER) #REQUIRED>
]>
"""
MILL = """<trecqa year="2004" task="main">
<target id = "7" text = "Heron &amp; Sons">
    <qa>
\t<q id = "7.1" type="FACTOID">
\t    Who founded the
\t    firm?
\t</q>
    </qa>
    <qa><q id="7.2" type="LIST"> What did he build? </q></qa>
    <qa><q id="7.3" type="OTHER">
      Other
    </q></qa>
</target>
</trecqa>
"""
ASKED = {1: "Who founded the firm?", 2: "What did he build?"}


def saved(path: Path, text: str, encoding: str = "iso-8859-1") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def read(path: Path, text: str, encoding: str = "iso-8859-1") -> list[Series]:
    return list(open_test(saved(path, text, encoding)).records())


def one_question(body: str) -> str:
    return (
        f'{DECLARED}<trecqa><target id="1" text="café">'
        f'<qa><q id="1.1" type="FACTOID">{body}</q></qa></target></trecqa>'
    )


def test_values_are_read(tmp_path: Path) -> None:
    test = open_test(saved(tmp_path / "mill.xml", DECLARED + DTD + MILL))
    assert test.header == Header(
        kind="series", name="mill", fields={"year": "2004", "task": "main"}
    )
    assert list(test.records()) == [
        Series(
            id="7",
            target="Heron & Sons",
            questions=(
                SeriesQuestion(id="7.1", text="Who founded the firm?", turn=1, category="FACTOID"),
                SeriesQuestion(id="7.2", text="What did he build?", turn=2, category="LIST"),
                SeriesQuestion(id="7.3", text=OTHER_TEXT, turn=3, category="OTHER"),
            ),
        )
    ]
    assert test.facts.keyed == 0
    assert list(check(str(tmp_path / "mill.xml"))) == []


def test_companions(tmp_path: Path) -> None:
    path = saved(tmp_path / "mill.questions.xml", MILL)
    (tmp_path / "mill.targettypes").write_text("#ORG Heron &amp; Sons\n#ODD the mill\n")
    (tmp_path / "mill.patterns_factoid").write_text("7.1 Joseph  Ames\n7.1 (J. )?Ames\n7.2 18\\d\n")
    (series,) = open_test(path).records()
    assert series.target_type == "organisation"
    assert [question.previous for question in series.questions] == [(), ("Joseph Ames",), ()]
    assert [question.previous_of for question in series.questions] == [None, "7.1", None]
    (alone,) = open_test(path, format="trec_series(companions=false)").records()
    assert alone.target_type is None
    assert all(question.previous == () for question in alone.questions)


def test_golds_from_another_file(tmp_path: Path) -> None:
    path = saved(tmp_path / "mill.xml", MILL)
    asked = [
        {"id": "7.1", "question": "Who founded the firm?", "gold": ["Who founded Heron & Sons?"]},
        {"id": "7.2", "question": "Something else?", "gold": ["Something else?"]},
    ]
    series = {"target_id": "7", "target": "Heron & Sons", "questions": asked}
    gold = tmp_path / "gold.json"
    gold.write_text(json.dumps({"guidelines": "x", "series": [series]}))
    test = open_test(path, format=f'trec_series(gold="{gold}")')
    keys = [unit.key for unit in test.units()]
    assert keys[0].rewrites == (Answer(text="Who founded Heron & Sons?"),)
    assert keys[1:] == [None, None]
    assert (test.facts.units, test.facts.keyed) == (3, 1)


def test_other_questions_stay_outside_the_marks(
    tmp_path: Path, readmark_cli: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    saved(tmp_path / "mill.xml", MILL)
    asked = [{"id": f"7.{at}", "question": text, "gold": [text]} for at, text in ASKED.items()]
    series = {"target_id": "7", "target": "Heron & Sons", "questions": asked}
    (tmp_path / "gold.json").write_text(json.dumps({"series": [series]}))
    done = readmark_cli(
        "convert",
        "mill.xml",
        "mill.jsonl",
        "--from",
        "trec_series(gold=gold.json)",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    rows = [{"id": item, "rewrite": text} for item, text in (("7.1", ASKED[1]), ("7.3", "x"))]
    lines = [{"readmark": 1, "file": "sitting", "kind": "series", "candidate": "c"}, *rows]
    (tmp_path / "c.jsonl").write_text("".join(json.dumps(item) + "\n" for item in lines))
    done = readmark_cli("mark", "mill.jsonl", "c.jsonl", "-m", "exact", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    marks = json.loads(done.stdout)
    # Of two questions with golds one is right; OTHER has none and does not count.
    assert (marks["units"], marks["unkeyed"]) == (2, 1)
    assert marks["marks"]["exact"]["score"] == 0.5


def test_faults_of_companions_are_told_by_check(tmp_path: Path) -> None:
    path = saved(tmp_path / "mill.questions.xml", MILL)
    (tmp_path / "mill.targettypes").write_text("Heron\n")
    (tmp_path / "mill.patterns_factoid").write_text("\n7.1\n")
    assert [(problem.where, problem.code, problem.severity) for problem in check(str(path))] == [
        (1, "companion", "warning"),
        (2, "companion", "warning"),
    ]
    assert len(list(open_test(path).records())) == 1


@pytest.mark.parametrize(
    "encoding", ["iso-8859-1", "utf-8", "windows-1252"], ids=["declared", "utf-8", "windows"]
)
def test_what_the_bytes_say(tmp_path: Path, encoding: str) -> None:
    words = "Qui a bâti l’église à Noël ?" if encoding != "iso-8859-1" else "Qui a bâti l'église ?"
    path = tmp_path / "x.xml"
    (series,) = read(path, one_question(words), encoding)
    assert series.target == "café"
    assert series.questions[0].text == words
    codes = [problem.code for problem in check(str(path))]
    assert codes == ([] if encoding == "iso-8859-1" else ["encoding"])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_other_declarations(tmp_path: Path, encoding: str) -> None:
    text = one_question("谁？").replace("ISO-8859-1", encoding)
    (series,) = read(tmp_path / "x.xml", text, encoding)
    assert (series.target, series.questions[0].text) == ("café", "谁？")


def test_mixed_encodings(tmp_path: Path) -> None:
    path = tmp_path / "x.xml"
    data = one_question("Où est\nle café ?").encode("utf-8")
    path.write_bytes(data + b"<!-- caf\xe9 -->")
    with pytest.raises(DataError, match=r"x\.xml:2: mixed encodings"):
        list(open_test(path).records())


def test_bytes_that_belie_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "x.xml"
    path.write_bytes(one_question("caf\xe9?").replace("ISO-8859-1", "UTF-8").encode("latin-1"))
    with pytest.raises(DataError, match=r"x\.xml:2: not UTF-8, as it declares \(byte 0xe9\)"):
        open_test(path)


BOMB = """<!DOCTYPE trecqa [
  <!ENTITY a "lots of words">
  <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
  <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
]>
<trecqa><target id="1" text="&c;"/></trecqa>"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOMB, "2: declares the entity 'a'"),
        (
            '<!DOCTYPE trecqa [<!ENTITY x SYSTEM "file:///etc/hostname">]><trecqa>&x;</trecqa>',
            "1: declares the entity 'x'",
        ),
        (
            '<!DOCTYPE trecqa [<!ENTITY % x SYSTEM "http://localhost/x.dtd"> %x;]><trecqa/>',
            "1: declares the entity 'x'",
        ),
        (
            '<!DOCTYPE trecqa SYSTEM "http://localhost/trec.dtd"><trecqa>&x;</trecqa>',
            "1: refers to an entity 'x' that is not declared",
        ),
        (MILL.replace("</target>", "</tarket>"), "13:3: not well-formed XML: mismatched tag"),
        (MILL.replace("</trecqa>", ""), "15:1: not well-formed XML: no element found"),
        (MILL.replace("Who", "Who & what"), "5:11: not well-formed XML"),
        ("<trecqas><trecqa/></trecqas>", "1: the root is <trecqas>, expected <trecqa>"),
        (
            '<trecqa><target id="1" text="a"><target id="2" text="b"/></target></trecqa>',
            "1: a <target> is inside another element",
        ),
        ('<trecqa><q id="1" type="LIST"/></trecqa>', "1: a <q> is outside any <target>"),
        (
            '<trecqa><target id="1" text="a"><q id="1"><q id="2"/></q></target></trecqa>',
            "1: a <q> is inside another",
        ),
        ('<?xml version="1.0" encoding="klingon"?><trecqa/>', "1: declares an unknown encoding"),
    ],
)
def test_refused(tmp_path: Path, text: str, message: str) -> None:
    path = saved(tmp_path / "x.xml", text)
    with pytest.raises(DataError) as caught:
        open_test(path, format="trec_series")
    assert str(caught.value).startswith(f"{path}:{message}")
    assert "\n" not in str(caught.value)


def test_an_outside_dtd_is_not_fetched(tmp_path: Path) -> None:
    text = f'<!DOCTYPE trecqa SYSTEM "http://localhost:1/trec.dtd">{MILL}'
    (series,) = read(tmp_path / "x.xml", text)
    assert series.target == "Heron & Sons"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ('id = "7" ', "", (2, "schema", "a target has no id")),
        ('text = "Heron &amp; Sons"', "", (2, "schema", "the target '7' has no text")),
        ("Heron &amp; Sons", " ", (2, "empty_text", "7: the series has no target")),
        ('id = "7.1"', "", (4, "schema", "7: a question has no id")),
        ('type="LIST"', "", (9, "schema", "7: the question '7.2' has no type")),
        ("What did he build?", "", (2, "empty_text", "7.2: the question has no text")),
        ("7.2", "7.1", (2, "duplicate_id", "id '7.1' occurs twice")),
        (
            "What did he build? </q>",
            "What did he build?</q><as><a src='x'>mills</a></as>",
            (9, "unread", "<a> and its content is not read"),
        ),
    ],
)
def test_check_tells(
    tmp_path: Path, before: str, after: str, expected: tuple[int, str, str]
) -> None:
    path = saved(tmp_path / "x.xml", MILL.replace(before, after))
    assert [(problem.where, problem.code, problem.message) for problem in check(str(path))] == [
        expected
    ]


def test_words_in_an_element_of_a_question_are_read(tmp_path: Path) -> None:
    text = MILL.replace("What did he build?", "What did he <b>build</b>?")
    path = saved(tmp_path / "x.xml", text)
    assert list(check(str(path))) == []
    (series,) = open_test(path).records()
    assert series.questions[1].text == "What did he build?"


WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp")), min_size=1
).filter(lambda text: text.split() == [text] and not {"\ufffe", "\uffff"} & set(text))
LINES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)


@st.composite
def series_tests(draw: st.DrawFn) -> list[Series]:
    """Series that the format holds whole."""
    ids = draw(st.lists(WORDS, unique=True, min_size=1, max_size=3))
    records = []
    for id in ids:
        texts = draw(st.lists(LINES, max_size=3))
        questions = tuple(
            SeriesQuestion(
                id=f"{id}.{at}",
                text=text,
                turn=at,
                category=draw(st.sampled_from(["FACTOID", "LIST"])),
            )
            for at, text in enumerate(texts, 1)
        )
        last = SeriesQuestion(
            id=f"{id}.o", text=OTHER_TEXT, turn=len(questions) + 1, category="OTHER"
        )
        records.append(Series(id=id, target=draw(LINES), questions=(*questions, last)))
    return records


def _xml(records: list[Series]) -> str:
    """Series in TREC's shape, all beyond ASCII by number."""
    parts = [f'{DECLARED}{DTD}<trecqa year="2007" task="main">\n']
    for series in records:
        parts.append(f"<target id = {quoteattr(series.id)} text = {quoteattr(series.target)}>\n")
        for question in series.questions:
            words = "Other" if question.category == "OTHER" else question.text
            parts.append(
                f"  <qa>\n\t<q id = {quoteattr(question.id)} type={quoteattr(question.category)}>\n"
            )
            parts.append(f"\t    {escape(words)}\n\t</q>\n  </qa>\n")
        parts.append("</target>\n")
    return "".join((*parts, "</trecqa>\n")).encode("ascii", "xmlcharrefreplace").decode()


@given(records=series_tests())
def test_any_series_are_read(
    tmp_path_factory: pytest.TempPathFactory, records: list[Series]
) -> None:
    test = open_test(saved(tmp_path_factory.mktemp("trec") / "t.xml", _xml(records)))
    fields = {"year": "2007", "task": "main"}
    assert test.header == Header(kind="series", name="t", fields=fields)
    assert list(test.records()) == records


def test_it_is_not_written(tmp_path: Path) -> None:
    test = open_test(saved(tmp_path / "mill.xml", MILL))
    with pytest.raises(
        UsageError, match=r"written as 'trec_series', only as native, .*series_gold"
    ):
        save_test(test, tmp_path / "again.xml", format="trec_series")
    with pytest.raises(UsageError, match=r"again\.xml: name the format with `format`"):
        readmark.save(test, tmp_path / "again.xml")


def test_other_files_are_not_taken_for_it(tmp_path: Path) -> None:
    recognises = FORMATS.load("trec_series").recognises
    for text in ("", "<html/>", "[]", '{"trecqa": 1}', "<doc>trecqa</doc>"):
        assert not recognises(Source(saved(tmp_path / "x", text)))


@pytest.mark.golden
def test_all_years(shared: Path) -> None:
    counts = {13: (65, 351), 14: (75, 530), 15: (75, 567)}
    for year, (series, questions) in counts.items():
        path = shared / f"data/trec_series/trec{year}questions.xml"
        test = open_test(path)
        assert (test.facts.records, test.facts.units) == (series, questions)
        assert all(record.target_type is not None for record in test.records())
        assert list(check(str(path))) == []
