"""What a candidate of somebody's own learnt from, and what the record is for."""

from pathlib import Path

import readmark
from command_line import in_process

BUNDLE = Path(__file__).parents[2] / "src" / "readmark" / "bundle"


def test_a_record_of_tests_and_texts_is_checked_against_a_test(tmp_path: Path) -> None:
    text = "A list of texts has one text in every line, and this line is long enough to be known."
    (tmp_path / "list.txt").write_text(f"{text}\n{text} Twice.\n", encoding="utf-8")
    record = readmark.training_record(BUNDLE / "reading.en.jsonl", tmp_path / "list.txt")
    assert [source.passages for source in record.sources] == [12, 2]
    path = tmp_path / "record.json"
    record.write(path)
    assert readmark.training_record(path) == record
    english, chinese = (
        in_process("check", str(BUNDLE / f"reading.{code}.jsonl"), "--seen", str(path))
        for code in ("en", "zh")
    )
    assert english.returncode == 1
    assert english.stdout.count(": seen: passage ") == 12
    assert ": seen: " not in chinese.stdout
