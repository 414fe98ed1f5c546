"""`readmark train record`: what a candidate of somebody's own learnt from, and what it is for."""

from pathlib import Path

from command_line import in_process
from readmark.text.training_record import read_record

BUNDLE = Path(__file__).parents[2] / "src" / "readmark" / "bundle"


def test_a_record_of_tests_and_texts_is_checked_against_a_test(tmp_path: Path) -> None:
    text = "A list of texts has one text in every line, and this line is long enough to be known."
    (tmp_path / "list.txt").write_text(f"{text}\n{text} Twice.\n", encoding="utf-8")
    record = tmp_path / "record.json"
    made = in_process(
        "train", "record", str(BUNDLE / "reading.en.jsonl"), str(tmp_path / "list.txt"),
        "-o", str(record),
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    sources = read_record(record).sources
    assert [source.passages for source in sources][1] == 2
    assert f"texts of {len(sources)} sources" in made.stderr
    english, chinese = (
        in_process("check", str(BUNDLE / f"reading.{code}.jsonl"), "--seen", str(record))
        for code in ("en", "zh")
    )
    assert english.returncode == 1
    assert english.stdout.count(": seen: passage ") == sources[0].passages
    assert ": seen: " not in chinese.stdout


def test_the_record_never_takes_the_place_of_a_source(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("Some text.\n", encoding="utf-8")
    made = in_process(
        "train", "record", str(tmp_path / "list.txt"), "-o", str(tmp_path / "list.txt")
    )
    assert made.returncode == 2
    assert (tmp_path / "list.txt").read_text() == "Some text.\n"
