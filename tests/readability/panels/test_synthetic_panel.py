"""A synthetic panel as files: where the quality comes from, and that all of it is labelled."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import readmark
from panel_files import passage, write_test
from readmark.core.errors import DataError, UsageError
from readmark.readability.panels.synthetic_judges import JudgeTraits
from reproductions.synthetic_panel import synthesise

EXAMPLES = Path(__file__).resolve().parents[3] / "docs" / "examples"
EXACT = JudgeTraits(bias=0, noise=0, stars=False)


def lines_of_test(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "test.jsonl").read_text().splitlines()]


def synthetic_ratings(
    tmp_path: Path, records: list[dict[str, Any]], **options: Any
) -> list[list[float]]:
    test = readmark.load(write_test(tmp_path / "test.jsonl", records))
    traits = {"expert_traits": EXACT, "novice_traits": EXACT, **options}
    synthesise(test, tmp_path / "made", novices=2, **traits)
    return [
        [rating["rating"] for rating in record["key"]["ratings"]]
        for record in lines_of_test(tmp_path / "made")[1:]
    ]


def test_the_quality_is_a_field_of_the_key_or_the_passage_or_the_mean_rating(
    tmp_path: Path,
) -> None:
    keyed = [{"id": "a", "text": "A.", "key": {"fields": {"quality": 2.5}}}]
    plain = [{"id": "a", "text": "A.", "fields": {"ease": 4}}]
    for index, (records, options, quality) in enumerate(
        (
            (keyed, {}, 2.5),
            (plain, {"quality": "ease"}, 4),
            ([passage(0)], {}, 4),
            ([{**passage(0), "fields": {"quality": 1.5}}], {"quality": "ratings"}, 4),
        )
    ):
        folder = tmp_path / str(index)
        folder.mkdir()
        assert synthetic_ratings(folder, records, **options) == [[quality] * 3]


def test_what_stood_in_the_test_stays_but_for_the_experts(tmp_path: Path) -> None:
    records = [
        {**passage(index), "genre": "weblog", "fields": {"own": index}} for index in range(3)
    ]
    synthetic_ratings(tmp_path, records)
    header, *rated = lines_of_test(tmp_path / "made")
    assert header["name"] == "boats (synthetic panel)"
    assert header["fields"]["synthetic"] is True
    assert [record["fields"] for record in rated] == [{"own": 0}, {"own": 1}, {"own": 2}]
    names = {rating["annotator"] for record in rated for rating in record["key"]["ratings"]}
    assert names == {"synthetic-expert-1", "synthetic-expert-2", "synthetic-expert-3"}
    before, after = (readmark.load(tmp_path / name) for name in ("test.jsonl", "made/test.jsonl"))
    assert before.facts.paper == after.facts.paper


def test_novices_are_sittings_of_the_paper(tmp_path: Path) -> None:
    records = [{**passage(index % 6), "id": f"p{index:02}"} for index in range(40)]
    test = readmark.load(write_test(tmp_path / "test.jsonl", records))
    panel = synthesise(test, tmp_path / "made", novices=3, novice_traits=JudgeTraits(missing=0.3))
    lines = [
        [
            json.loads(line)
            for line in (tmp_path / "made" / "novices" / f"{name}.jsonl").read_text().splitlines()
        ]
        for name in panel.novices
    ]
    assert panel.missing == sum(40 - len(rows) for _, *rows in lines) > 0
    for header, *rows in lines:
        assert header["paper"] == test.facts.paper
        assert header["signature"]["missing"] == 0.3
        assert header["covers"] == [row["id"] for row in rows]
        assert all(row["rating"] in (1, 2, 3, 4, 5) for row in rows)
        assert np.bincount([row["evidence"]["round"] for row in rows]).max() <= 10


def test_a_quality_that_is_missing_or_off_the_scale(tmp_path: Path) -> None:
    without_number = [
        {"id": "a", "text": "A.", "key": {"fields": {"quality": 2}}},
        {"id": "b", "text": "B.", "key": {"fields": {"quality": True}}},
    ]
    with pytest.raises(DataError, match=r"number in the field 'quality' .*: 1 \(b\)"):
        synthetic_ratings(tmp_path, without_number)
    with pytest.raises(DataError, match="no rating to take the quality from"):
        synthetic_ratings(tmp_path, [{"id": "a", "text": "A."}])
    with pytest.raises(DataError, match="between 1 and 5"):
        synthetic_ratings(tmp_path, [{"id": "a", "text": "A.", "fields": {"quality": 6}}])
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(("novices", "missing"), [(4, 0.2), (3, 0.0)])
def test_the_same_seed_makes_the_same_panel(tmp_path: Path, novices: int, missing: float) -> None:
    test = readmark.load(write_test(tmp_path / "test.jsonl"))
    traits = JudgeTraits(missing=missing)
    for name in ("one", "other"):
        panel = synthesise(test, tmp_path / name, novices=novices, novice_traits=traits)
        assert len(panel.novices) == novices
    written = [path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.jsonl")]
    assert len(written) == novices + 1
    for path in written:
        assert (tmp_path / "one" / path).read_bytes() == (tmp_path / "other" / path).read_bytes()
    with pytest.raises(DataError, match="is a folder that is not empty"):
        synthesise(test, tmp_path / "one")


def test_a_synthetic_panel_is_sound_and_named_once(tmp_path: Path) -> None:
    test = readmark.load(write_test(tmp_path / "test.jsonl"))
    synthesise(test, tmp_path / "made")
    synthetic = readmark.load(tmp_path / "made" / "test.jsonl")
    assert not readmark.check(synthetic).problems
    assert "made up by a program" in synthetic.header.fields["note"]
    synthesise(synthetic, tmp_path / "again")
    assert lines_of_test(tmp_path / "again")[0]["name"] == "boats (synthetic panel)"


def test_the_panel_of_the_documentation_is_made_so(tmp_path: Path) -> None:
    synthesise(readmark.load(EXAMPLES / "walks.jsonl"), tmp_path / "walks", novices=5)
    for path in (EXAMPLES / "walks").rglob("*.jsonl"):
        again = tmp_path / "walks" / path.relative_to(EXAMPLES / "walks")
        assert path.read_bytes() == again.read_bytes()


def test_a_panel_of_nobody_is_refused(tmp_path: Path) -> None:
    test = readmark.load(write_test(tmp_path / "test.jsonl"))
    with pytest.raises(UsageError, match="novices must be from 1 to 1,000, found 0"):
        synthesise(test, tmp_path / "made", novices=0)
