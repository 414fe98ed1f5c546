"""`readmark rate --formulas` through the real command line."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from text_folder import EASY, IDS, write_texts

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "easy.txt").write_text(EASY, encoding="utf-8")
    (tmp_path / "broken.jsonl").write_text('{"id": "a", "text": "x"}\n{bad\n', encoding="utf-8")
    (tmp_path / "empty").mkdir()
    write_texts(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("option", "member"), [("--formulas", "formulas"), ("-rfeatures", "ratings")]
)
def test_a_folder_of_texts(readmark_cli: Run, folder: Path, option: str, member: str) -> None:
    done = readmark_cli("rate", option, "texts", "easy.txt", "--json", cwd=folder)
    document = json.loads(done.stdout)
    assert list(document[member]) == [*IDS, "easy.txt"]
    assert done.stderr == (
        "readmark: texts/unit 1/c.TXT: read as utf-16, it is not UTF-8\n"
        "readmark: texts/猫.txt: read as gb18030, it is not UTF-8\n"
        "readmark: texts: 1 file skipped: no .txt or .text or .md\n"
    )
    values = [document[member][id] for id in [*IDS[:-1], "easy.txt"]]
    if option == "--formulas":
        values = [passage["flesch"] for passage in values]
    assert len(set(values)) == 1  # one text in several encodings


@pytest.mark.parametrize(
    ("arguments", "status", "line"),
    [
        (("--formulas", "absent.txt"), 1, "absent.txt: no such file"),
        (("--formulas", "broken.jsonl"), 1, "broken.jsonl:2:1: malformed JSON"),
        (("--formulas", "empty"), 1, "empty: holds neither a test nor texts"),
        (("empty",), 1, "it holds nothing"),
        (("--formulas", "easy.txt", "--language", "fr"), 2, "no formula for 'fr'"),
        (("--formulas",), 2, "FILE"),
        (("easy.txt", "--formulas", "-r", "features"), 2, "-r is for ratings, not for --formulas"),
        (("easy.txt", "--formulas", "--explain"), 2, "--explain is for ratings"),
        (("easy.txt", "--formulas", "-o", "why.html"), 2, "-o is for ratings"),
        (("easy.txt", "--names", "unfamiliar"), 2, "--names needs --formulas"),
    ],
)
def test_bad_usage_is_one_line(
    readmark_cli: Run, folder: Path, arguments: tuple[str, ...], status: int, line: str
) -> None:
    done = readmark_cli("rate", *arguments, cwd=folder)
    assert (done.returncode, done.stdout) == (status, "")
    [message] = done.stderr.splitlines()
    assert message.startswith("readmark: ")
    assert line in message
