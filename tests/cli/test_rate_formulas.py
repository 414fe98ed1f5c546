"""`readmark rate --formulas` through the real command line."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.cells import cell_len

pytestmark = pytest.mark.slow

Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]

EASY = "The cat sat on the mat. It was a good day, and the dog went home with Tom.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [
        {"id": "a", "text": "Hello there, my friend."},
        {"id": "b", "text": ""},
        {"id": 3, "text": "小猫坐在垫子上。它很高兴。"},
        {"id": "f", "text": "Le chat dort.", "language": "fr"},
    ]
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    test = [
        {"readmark": 1, "name": "kitchen", "language": "en"},
        {"id": "a", "text": "The kettle stood on the stove.", "questions": []},
    ]
    (tmp_path / "easy.txt").write_text(EASY, encoding="utf-8")
    (tmp_path / "rows.jsonl").write_text(lines, encoding="utf-8")
    written = "".join(json.dumps(row) + "\n" for row in test)
    (tmp_path / "test.jsonl").write_text(written, encoding="utf-8")
    (tmp_path / "empty.txt").write_text("", encoding="utf-8")
    (tmp_path / "bracket.txt").write_text("[Music] The dog ran.", encoding="utf-8")
    (tmp_path / "broken.jsonl").write_text('{"id": "a", "text": "x"}\n{bad\n', encoding="utf-8")
    (tmp_path / "twice.jsonl").write_text('{"id": "a", "text": "x"}\n' * 2, encoding="utf-8")
    (tmp_path / "number.jsonl").write_text('{"id": "a", "text": 3}\n', encoding="utf-8")
    return tmp_path


def test_json_of_plain_text(readmark_cli: Run, folder: Path) -> None:
    """18 words of one syllable in two sentences: 0.0496 x 9 + 3.6365, 206.835 - 9.135 - 84.6."""
    done = readmark_cli("rate", "--formulas", "easy.txt", "--json", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    found = document["formulas"]["easy.txt"]
    assert (found["words"], found["sentences"], found["language"]) == (18, 2, "en")
    assert found["dale_chall"] == 4.0829
    assert found["grades"] == "4 and below"
    assert found["flesch"] == 113.1
    assert found["reason"] is None
    assert set(document["signature"]) == {"en"}


def test_json_lines_of_both_languages(readmark_cli: Run, folder: Path) -> None:
    done = readmark_cli("rate", "--formulas", "rows.jsonl", "--json", cwd=folder)
    passages = json.loads(done.stdout)["formulas"]
    assert list(passages) == ["a", "b", "3", "f"]
    assert passages["b"]["dale_chall"] is None
    assert passages["b"]["reason"] == "the text is empty"
    assert passages["3"]["characters_per_sentence"] == 5.5
    assert "flesch" not in passages["3"]
    assert passages["f"]["reason"] == "there is no formula for fr"
    assert passages["f"]["flesch"] is None


def test_ids_of_several_files_are_told_apart(readmark_cli: Run, folder: Path) -> None:
    done = readmark_cli("rate", "--formulas", "rows.jsonl", "test.jsonl", "--json", cwd=folder)
    assert {"rows.jsonl:a", "test.jsonl:a", "b"} <= set(json.loads(done.stdout)["formulas"])


def test_tables_fit_80_columns(readmark_cli: Run, folder: Path) -> None:
    done = readmark_cli(
        "rate",
        "--formulas",
        "rows.jsonl",
        "test.jsonl",
        "easy.txt",
        cwd=folder,
        env={"COLUMNS": "80"},
    )
    assert done.returncode == 0
    lines = [line for line in done.stdout.splitlines() if not line.startswith("signature ")]
    assert max(cell_len(line) for line in lines) <= 80
    assert "rows.jsonl: b: no measure, the text is empty" in lines
    row = next(line for line in lines if line.startswith("easy.txt "))
    assert row.split()[:7] == ["easy.txt", "18", "2", "4.08", "4", "and", "below"]


def test_odd_texts(readmark_cli: Run, folder: Path) -> None:
    done = readmark_cli("rate", "--formulas", "empty.txt", "bracket.txt", "--json", cwd=folder)
    assert done.returncode == 0
    passages = json.loads(done.stdout)["formulas"]
    assert passages["empty.txt"]["reason"] == "the text is empty"
    assert passages["bracket.txt"]["words"] == 4


def test_the_language_may_be_said(readmark_cli: Run, folder: Path) -> None:
    done = readmark_cli("rate", "--formulas", "easy.txt", "--language", "zh", "--json", cwd=folder)
    found = json.loads(done.stdout)["formulas"]["easy.txt"]
    assert found["reason"] == "the text has no Chinese word"


@pytest.mark.parametrize(
    ("args", "status", "line"),
    [
        (("absent.txt",), 1, "absent.txt: no such file"),
        (("broken.jsonl",), 1, "broken.jsonl:2:1: malformed JSON"),
        (("twice.jsonl",), 1, "twice.jsonl:2: id 'a' occurs twice"),
        (("number.jsonl",), 1, "number.jsonl:1: text: expected a string, found int"),
        (("easy.txt", "--language", "fr"), 2, "no formula for 'fr'"),
        ((), 2, "FILE"),
    ],
)
def test_bad_input(
    readmark_cli: Run, folder: Path, args: tuple[str, ...], status: int, line: str
) -> None:
    done = readmark_cli("rate", "--formulas", *args, cwd=folder)
    assert done.returncode == status
    assert done.stdout == ""
    [told] = done.stderr.splitlines()
    assert line in told


def test_a_third_language_that_nobody_tells(readmark_cli: Run, tmp_path: Path) -> None:
    (tmp_path / "ru.txt").write_text("Это книга о большой собаке.", encoding="utf-8")
    done = readmark_cli("rate", "--formulas", "ru.txt", "--json", cwd=tmp_path)
    found = json.loads(done.stdout)["formulas"]["ru.txt"]
    assert (found["language"], found["dale_chall"], found["flesch"]) == ("und", None, None)
    said = "most of its letters are Cyrillic; there are formulas for English and Chinese"
    assert found["reason"] == said
    done = readmark_cli("rate", "--formulas", "ru.txt", "--language", "en", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["formulas"]["ru.txt"]["reason"] is None


def test_a_passage_has_its_own_language(readmark_cli: Run, tmp_path: Path) -> None:
    rows = [
        {"readmark": 1, "kind": "comprehension", "language": "en"},
        {"id": "z", "text": "小猫坐在垫子上。", "language": "zh", "questions": []},
        {"id": "e", "text": "The cat sat.", "questions": []},
    ]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    done = readmark_cli("rate", "--formulas", "t.jsonl", "--json", cwd=tmp_path)
    passages = json.loads(done.stdout)["formulas"]
    assert {id: one["language"] for id, one in passages.items()} == {"z": "zh", "e": "en"}


def test_gb18030_is_read_and_said(readmark_cli: Run, tmp_path: Path) -> None:
    text = "小猫坐在垫子上。它很高兴。"
    (tmp_path / "gb.txt").write_bytes(text.encode("gb18030"))
    (tmp_path / "utf.txt").write_text(text, encoding="utf-8")
    done = readmark_cli("rate", "--formulas", "gb.txt", "utf.txt", "--json", cwd=tmp_path)
    assert done.stderr == "readmark: gb.txt: read as gb18030, it is not UTF-8\n"
    one, other = json.loads(done.stdout)["formulas"].values()
    assert one.pop("encoding") == "gb18030"
    assert one | {"file": ""} == other | {"file": ""}


def write_texts(folder: Path) -> None:
    """Texts in several encodings and depths, with files that are passed over."""
    (folder / "texts" / "unit 1").mkdir(parents=True)
    (folder / "texts" / ".hidden").mkdir()
    (folder / "empty").mkdir()
    chinese = "小猫坐在垫子上。它很高兴。"
    for name, data in {
        "b.txt": EASY.encode(),
        "a.md": EASY.encode("utf-8-sig"),
        "unit 1/c.TXT": EASY.encode("utf-16"),
        "unit 1/same.md": EASY.encode(),
        "unit 1/same.txt": EASY.encode(),
        "猫.txt": chinese.encode("gb18030"),
        ".hidden/d.txt": EASY.encode(),
        ".e.txt": EASY.encode(),
        "picture.png": b"\x89PNG",
    }.items():
        (folder / "texts" / name).write_bytes(data)


IDS = ["a", "b", "unit 1/c", "unit 1/same.md", "unit 1/same.txt", "猫"]


@pytest.mark.parametrize(
    ("option", "member"), [("--formulas", "formulas"), ("-rfeatures", "ratings")]
)
def test_a_folder_of_texts(readmark_cli: Run, folder: Path, option: str, member: str) -> None:
    write_texts(folder)
    done = readmark_cli("rate", option, "texts", "easy.txt", "--json", cwd=folder)
    document = json.loads(done.stdout)
    assert list(document[member]) == [*IDS, "easy.txt"]
    assert done.stderr == (
        "readmark: texts/unit 1/c.TXT: read as utf-16, it is not UTF-8\n"
        "readmark: texts/猫.txt: read as gb18030, it is not UTF-8\n"
        "readmark: texts: 1 file skipped: no .txt or .text or .md\n"
    )
    if option == "--formulas":
        assert {
            passage["flesch"] for passage in document[member].values() if "flesch" in passage
        } == {113.1}
        assert document[member]["猫"]["language"] == "zh"
    else:
        assert len({document[member][id] for id in [*IDS[:-1], "easy.txt"]}) == 1


def test_several_files_of_one_encoding_are_one_note(readmark_cli: Run, folder: Path) -> None:
    (folder / "texts").mkdir()
    for number in range(4):
        (folder / "texts" / f"{number}.txt").write_bytes(EASY.encode("utf-16"))
    done = readmark_cli("rate", "--formulas", "texts", cwd=folder)
    assert done.stderr == "readmark: texts: 4 files read as utf-16, they are not UTF-8\n"


def test_folders_without_texts(readmark_cli: Run, folder: Path) -> None:
    write_texts(folder)
    (folder / "binary").mkdir()
    (folder / "binary" / "x.txt").write_bytes(b"\x80\0\x81")
    for options in ((), ("--formulas",)):
        for name, line in (
            ("empty", "empty: holds neither a test nor texts (.txt, .text, .md); it holds nothing"),
            ("binary", "binary/x.txt: is a binary file, expected text"),
        ):
            done = readmark_cli("rate", *options, name, cwd=folder)
            assert (done.returncode, done.stderr) == (1, f"readmark: {line}\n")


def test_passages_of_a_folder(readmark_cli: Run, folder: Path) -> None:
    write_texts(folder)
    bounds = ("--min", "5", "--article-min", "5", "--licence", "CC0-1.0")
    done = readmark_cli("set", "text", "texts", "easy.txt", "-o", "-", *bounds, cwd=folder)
    assert done.returncode == 0, done.stderr
    articles = [json.loads(line)["article"] for line in done.stdout.splitlines()[1:]]
    assert articles == ["a", "b", "unit 1/c", "unit 1/same", "unit 1/unit 1/same", "easy"]
    done = readmark_cli("set", "text", "empty", "-o", "out.jsonl", cwd=folder)
    assert (done.returncode, done.stderr) == (1, "readmark: empty: the folder holds no files\n")
    assert not (folder / "out.jsonl").exists()


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (("--formulas", "-r", "features"), "-r is for ratings, not for --formulas"),
        (("--formulas", "--explain"), "--explain is for ratings, not for --formulas"),
        (("--formulas", "-o", "why.html"), "-o is for ratings, not for --formulas"),
        (("--names", "unfamiliar"), "--names needs --formulas"),
    ],
)
def test_options_that_do_not_go_together(
    readmark_cli: Run, folder: Path, options: tuple[str, ...], line: str
) -> None:
    done = readmark_cli("rate", "easy.txt", *options, cwd=folder)
    assert done.returncode == 2
    assert done.stderr.startswith(f"readmark: {line}")
