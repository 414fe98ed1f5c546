"""Training records in files of their own, in models and next to them."""

from pathlib import Path

import msgspec
import pytest

from readmark.core.errors import DataError
from readmark.text.training_record import TrainingRecord, make_source
from readmark.text.training_record_files import read_record, record_in_toml, recorded_in, toml_table

PASSAGES = [f"The ferry to island {index} leaves at eight in the morning." for index in range(9)]
RECORD = TrainingRecord(sources=(make_source("lessons", PASSAGES, use="scores"),))


def test_record_of_a_file_is_the_same(tmp_path: Path) -> None:
    RECORD.write(tmp_path / "r.json")
    assert read_record(tmp_path / "r.json") == RECORD


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "is not a training record"),
        ("{", "is not a training record"),
        ('{"file":"training_record","readmark":9}', "newer_schema"),
        ('{"file":"training_record","rules":"other"}', "compares texts by 'other'"),
        ('{"file":"training_record","sources":[{"name":"x"}]}', "passages"),
        (
            '{"file":"training_record","sources":[{"name":"x","passages":1,"fingerprints":3}]}',
            "the filter is damaged",
        ),
        (
            '{"file":"training_record","sources":[{"name":"x","passages":1,"window":[3,4]}]}',
            "powers of two",
        ),
    ],
)
def test_damaged_record_is_one_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "r.json"
    path.write_text(content)
    with pytest.raises(DataError, match=message):
        read_record(path)


def test_record_of_a_model(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    RECORD.write(tmp_path / "folder" / "training_record.json")
    model = tmp_path / "model.json"
    model.write_bytes(msgspec.json.encode({"note": {"training_record": RECORD.as_json()}}))
    bare = tmp_path / "bare.json"
    bare.write_text("{}")
    shipped = tmp_path / "shipped.json"
    shipped.write_text("{}")
    RECORD.write(tmp_path / "shipped.training_record.json")
    assert recorded_in(tmp_path / "folder") == RECORD
    assert recorded_in(model) == RECORD
    assert recorded_in(shipped) == RECORD
    assert recorded_in(bare) is None
    assert recorded_in(tmp_path / "absent") is None


def test_record_in_a_toml_file_is_the_same() -> None:
    lines = ["[note]", 'name = "x"', "", *toml_table(RECORD)]
    assert record_in_toml("\n".join(lines).encode(), "patterns.toml") == RECORD
    assert record_in_toml(b"name = 'x'", "patterns.toml") is None
