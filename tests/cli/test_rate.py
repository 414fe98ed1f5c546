"""``readmark rate`` and ``readmark train rater`` through the real command line."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]

EASY = "The cat sat by the fire. It was warm. Then a boy came in and gave it some milk."
HARD = (
    "Notwithstanding the ostensibly unambiguous stipulations promulgated by the authority, the "
    "interpretation of the aforementioned provisions engendered considerable controversy."
)
FRENCH = (
    "Le chat est près du feu et le garçon lui donne du lait parce que la maison est froide en "
    "hiver et que tout le monde dort."
)


def _of(noun: str, text: str) -> str:
    """The text of an article of its own: equal texts would be one group."""
    return text.replace("cat", noun).replace("authority", f"{noun} authority")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [
        {"id": "easy", "text": EASY},
        {"id": "hard", "text": HARD},
        {"id": "none", "text": ""},
        {"id": "zh", "text": "小猫坐在垫子上。它很高兴。"},
        {"id": "fr", "text": FRENCH},
    ]
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (tmp_path / "rows.jsonl").write_text(lines, encoding="utf-8")
    (tmp_path / "easy.txt").write_text(EASY, encoding="utf-8")
    (tmp_path / "page.html").write_text(EASY, encoding="utf-8")
    (tmp_path / "zh.txt").write_text("小猫坐在垫子上。它很高兴。", encoding="utf-8")
    (tmp_path / "none.txt").write_text("", encoding="utf-8")
    nouns = ("dog", "cat", "man", "boy", "cow", "fox", "hen", "pig")
    rated = [
        {"id": f"{noun}{at}", "text": _of(noun, text), "article": noun}
        | {"key": {"ratings": [{"rating": stars, "annotator": "e1"}]}}
        for noun in nouns
        for at, (text, stars) in enumerate(
            ((EASY, 5), (f"{EASY} The cat, which had waited, was glad.", 4), (HARD, 1))
        )
    ]
    header = {"readmark": 1, "kind": "readability", "name": "stars", "language": "en"}
    written = "".join(json.dumps(row) + "\n" for row in [header, *rated])
    (tmp_path / "stars.jsonl").write_text(written, encoding="utf-8")
    alike = written.replace('"rating": 5', '"rating": 3').replace('"rating": 4', '"rating": 3')
    alike = alike.replace('"rating": 1', '"rating": 3')
    (tmp_path / "alike.jsonl").write_text(alike, encoding="utf-8")
    few = "\n".join(written.splitlines()[:5]) + "\n"
    (tmp_path / "few.jsonl").write_text(few, encoding="utf-8")
    return tmp_path


def test_json_keeps_to_the_contract(readmark_cli: Run, folder: Path) -> None:
    done = readmark_cli("rate", "rows.jsonl", "-r", "features", "--json", cwd=folder)
    assert done.returncode == 0
    told = json.loads(done.stdout)
    assert 1 <= told["ratings"]["zh"] <= 5
    assert told["ratings"]["easy"] > told["ratings"]["hard"]
    done = readmark_cli("rate", "rows.jsonl", "--json", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    ratings = document["ratings"]
    assert list(ratings) == ["easy", "hard", "none", "zh", "fr"]
    assert 1 <= ratings["hard"] < ratings["easy"] <= 5
    assert ratings["none"] is ratings["fr"] is None
    assert document["reasons"]["none"] == "the text is empty"
    assert "English" in document["reasons"]["fr"]
    assert document["rater"] == "features"
    assert document["raters"]["zh"] == "features"
    assert "no person's ratings" in document["signature"]["zh"]["scale"]


def test_a_rater_is_named_as_asked(readmark_cli: Run, folder: Path) -> None:
    done = readmark_cli("rate", "easy.txt", "-r", "formula( name = fog )", "--json", cwd=folder)
    document = json.loads(done.stdout)
    assert document["rater"] == "formula(name=fog)"
    assert set(document["ratings"]) == {"easy.txt"}


def test_the_table_explains(readmark_cli: Run, folder: Path) -> None:
    done = readmark_cli("rate", "rows.jsonl", "--explain", "-o", "why.html", cwd=folder)
    assert done.returncode == 0
    assert "5 easiest to read" in done.stdout
    assert "no person's ratings of Chinese" in done.stdout
    assert "no rating, the text is empty" in done.stdout
    assert "usual" in done.stdout
    page = (folder / "why.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 3
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_a_picture_is_sound_xml(readmark_cli: Run, folder: Path) -> None:
    import xml.etree.ElementTree as ET

    done = readmark_cli("rate", "easy.txt", "--explain", "-o", "why.svg", cwd=folder)
    assert done.returncode == 0
    root = ET.fromstring((folder / "why.svg").read_text(encoding="utf-8"))
    assert root.tag.endswith("svg")


@pytest.mark.parametrize(
    ("args", "status", "line"),
    [
        (["rows.jsonl", "-r", "lead"], 2, "lead is not a rater"),
        (["rows.jsonl", "-r", "nobody"], 2, "nobody"),
        (["rows.jsonl", "-o", "x.html"], 2, "--explain"),
        (["rows.jsonl", "--explain", "-o", "x.png"], 2, "must end in .html or .svg"),
        (["easy.txt", "rows.jsonl", "--explain", "-o", "x.svg"], 2, "one passage"),
        (["easy.txt", "--explain", "-o", "nowhere/x.svg"], 2, "folder"),
        (["page.html", "--explain", "-o", "page.html"], 2, "being read"),
        (["zh.txt", "-r", "formula(name=fog)"], 2, "fog is not for zh"),
        (["rows.jsonl", "--language", "fr"], 2, "raters for en and zh"),
        (["easy.txt", "-r", "features(model=none.json)"], 2, "none.json"),
    ],
)
def test_bad_usage_is_one_line(
    readmark_cli: Run, folder: Path, args: list[str], status: int, line: str
) -> None:
    done = readmark_cli("rate", *args, cwd=folder)
    [told] = done.stderr.splitlines()
    assert line in told
    assert done.returncode == status
    assert done.stdout == ""


def test_training_then_rating(readmark_cli: Run, folder: Path) -> None:
    done = readmark_cli("train", "rater", "stars.jsonl", "-o", "m.json", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["passages"] == 24
    assert document["validated"]["folds"] == 5
    assert document["validated"]["r"] > 0.8
    card = json.loads((folder / "m.json").read_text(encoding="utf-8"))["note"]
    assert card["seed"] == 1
    assert card["trained_on"][0]["name"] == "stars"
    again = readmark_cli("train", "rater", "stars.jsonl", "-o", "n.json", cwd=folder)
    assert "r " in again.stdout
    assert (folder / "m.json").read_bytes() == (folder / "n.json").read_bytes()
    rated = readmark_cli(
        "rate",
        "rows.jsonl",
        "--language",
        "en",
        "-r",
        "features(model=m.json)",
        "--json",
        cwd=folder,
    )
    ratings = json.loads(rated.stdout)["ratings"]
    assert ratings["easy"] > 4 > 2 > ratings["hard"]


@pytest.mark.parametrize(
    ("file", "status", "line"),
    [
        ("alike.jsonl", 1, "nothing to learn"),
        ("few.jsonl", 1, "4 rated passages"),
        ("rows.jsonl", 1, "rows.jsonl"),
    ],
)
def test_training_on_too_little(
    readmark_cli: Run, folder: Path, file: str, status: int, line: str
) -> None:
    done = readmark_cli("train", "rater", file, "-o", "m.json", cwd=folder)
    assert line in done.stderr.splitlines()[-1]
    assert done.returncode == status
    assert not (folder / "m.json").exists()


def test_nothing_rated_is_no_success(readmark_cli: Run, folder: Path) -> None:
    done = readmark_cli("rate", "none.txt", cwd=folder)
    assert done.returncode == 1
    assert "none.txt: no rating, the text is empty" in done.stdout
    assert "none.txt: none.txt" not in done.stdout
    assert "no passage could be rated" in done.stderr


def test_ratings_are_printed_although_the_picture_cannot_be(
    readmark_cli: Run, folder: Path
) -> None:
    done = readmark_cli("rate", "rows.jsonl", "--explain", "-o", "x.svg", cwd=folder)
    assert done.returncode == 2
    assert "one passage" in done.stderr
    assert "easy" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_a_model_worth_nothing_is_told(readmark_cli: Run, folder: Path) -> None:
    lines = (folder / "stars.jsonl").read_text(encoding="utf-8").splitlines()
    mixed = [lines[0]]
    for at, line in enumerate(lines[1:]):
        row = json.loads(line)
        row["key"]["ratings"][0]["rating"] = 1 + (at // 3 + at) % 5
        mixed.append(json.dumps(row))
    (folder / "mixed.jsonl").write_text("\n".join(mixed) + "\n", encoding="utf-8")
    done = readmark_cli(
        "train", "rater", "mixed.jsonl", "-o", "m.json", "--no-embeddings", cwd=folder
    )
    assert done.returncode == 0
    assert "saying the mean" in done.stdout
    assert "do not trust this model" in done.stderr
