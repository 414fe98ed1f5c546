"""Weights fitted to people's judgements of rewrites, on series worked by hand."""

import csv
from pathlib import Path

import pytest

import readmark
from readmark.core.errors import DataError, UsageError
from readmark.core.test import Test
from readmark.series.records import Series
from readmark.series.tuning.halves import halves_of
from readmark.series.tuning.judgements import fit_judgements
from rewritten_series import FERRY, HARP, MILL, QUILL, made, question


@pytest.fixture
def judged(four: Test, tmp_path: Path) -> tuple[Path, Path]:
    """A sitting of append, and judgements that are 1 + 4 times its words' Jaccard."""
    sitting, table = tmp_path / "append.jsonl", tmp_path / "j.csv"
    readmark.sit(four, "append", sitting)
    marks = readmark.mark(four, sitting, metrics=["jaccard(u=1,b=0,t=0)"])
    with table.open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["id", "score"])
        for id, row in marks.per_unit().items():
            rows.writerow([id, 1 + 4 * (row["jaccard(u=1,b=0,t=0)"] or 0)])
    return sitting, table


def test_weights_are_fitted_to_judgements(four: Test, judged: tuple[Path, Path]) -> None:
    fit = fit_judgements(four, [judged[0]], judged[1])
    assert fit.regression.weights[0] == pytest.approx(1, abs=1e-3)
    assert fit.held.pearson == pytest.approx(1, abs=1e-3)
    assert fit.train.questions + fit.held.questions == 8
    assert fit.default_metric == "jaccard(u=2,b=1,t=0)"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("k1,high", r"j.csv:2: score 'high' is not a number"),
        ("k1,nan", r"j.csv:2: score 'nan' is not a number"),
        ("zz,3", r"j.csv:2: the series have no question 'zz'"),
        ("k1,3", r"judges \d rewrites of the \w+ half of the series"),
    ],
)
def test_bad_judgements_are_placed(
    four: Test, judged: tuple[Path, Path], row: str, message: str
) -> None:
    judged[1].write_text(f"id,score\n{row}\n", encoding="utf-8")
    with pytest.raises(DataError, match=message):
        fit_judgements(four, [judged[0]], judged[1])


def test_a_fit_leaves_out_what_is_too_short_for_triples(
    four: Test, judged: tuple[Path, Path], tmp_path: Path
) -> None:
    short = Series(id="short", target="harp", questions=(question("s1", "Harp?", "Harps?"),))
    test = made(QUILL, FERRY, MILL, HARP, short)
    sitting, table = tmp_path / "with-short.jsonl", tmp_path / "with-short.csv"
    readmark.sit(test, "none", sitting)
    table.write_text(judged[1].read_text(encoding="utf-8") + "s1,5\n", encoding="utf-8")
    trained = [seed for seed in range(20) if "short" in halves_of(test, seed).train]
    fit = fit_judgements(test, [sitting], table, seed=trained[0])
    assert any("leaves out 1 rewrite too short for triples" in note for note in fit.notes)


def test_judgements_are_of_one_sitting(four: Test, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the one sitting"):
        fit_judgements(four, [], tmp_path / "j.csv")
