"""The report's part on panels: from marksheets alone, the same p, sound plots, both languages."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import readmark
from panel_files import (
    MACHINE,
    NOVICES,
    passage,
    write_machine,
    write_novice,
    write_novices,
    write_test,
)
from readmark.marking import Marksheet
from readmark.marking.settings import MarkSettings
from readmark.readability.panels.novice_comparison import compare_with_novices
from readmark.readability.panels.novices import METRICS
from readmark.readability.panels.plots import (
    Observed,
    Ranges,
    bins,
    null_plot,
    ranges_plot,
    scatter,
)
from readmark.readability.panels.report import panel
from readmark.reporting.figures.looks import series
from readmark.reporting.page.bilingual import Bilingual
from readmark.reporting.page.comparisons import WithPeople, compare_all
from readmark.reporting.page.layout import Part
from readmark.reporting.page.page import view_of
from readmark.reporting.page.people_part import people_section
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.sections import Section, sections_of
from readmark.reporting.page.summary import sentences

FEW = MarkSettings(draws=50, trials=300)
LABELS: Any = {"across": "x", "up": "y", "title": "t", "description": "d"}


def marked(folder: Path, **machines: dict[str, float]) -> tuple[Any, Section]:
    test = readmark.load(write_test(folder / "test.jsonl"))
    files = [write_machine(folder / f"{name}.json", ratings) for name, ratings in machines.items()]
    sheets = folder / "sheets"
    tables = compare_with_novices(test, files, write_novices(folder), settings=FEW, folder=sheets)
    return tables, section_of(*sorted(sheets.iterdir()))


def section_of(*sheets: Path) -> Section:
    return sections_of([Marksheet.read(str(sheet)) for sheet in sheets])[0]


def part_of(section: Section) -> Part:
    part = panel(section)
    assert part is not None
    return part


def write_half(folder: Path) -> Path:
    """A sitting that is limited to the first three passages."""
    header = {"readmark": 1, "file": "sitting", "candidate": "half", "limit": 3}
    rows = [{"id": id, "rating": rating} for id, rating in list(MACHINE.items())[:3]]
    path = folder / "half.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in [header, *rows]))
    return path


def notes_of(part: Part) -> str:
    return "\n".join(english(note) for note in part.notes)


def english(text: object) -> str:
    return str(text.en if isinstance(text, Bilingual) else text)


def test_the_p_values_are_those_of_panel_mark(tmp_path: Path) -> None:
    poor = {f"p{index}": 5.0 - index % 2 for index in range(6)}
    tables, section = marked(tmp_path, machine=MACHINE, poor=poor)
    part = part_of(section)
    rows = [[english(cell.text) for cell in row] for row in part.tables[0].rows]
    assert [row[0] for row in rows] == ["machine"] * 3 + ["poor"] * 3
    expected = [f"{line.verdicts[name].p:.4f}" for line in tables.raters for name in METRICS]
    assert [row[2] for row in rows] == expected
    novices = [[english(cell.text) for cell in row] for row in part.tables[1].rows]
    assert [row[0] for row in novices] == sorted(NOVICES)
    assert [row[2:] for row in novices] == [
        [
            "–" if np.isnan(out.verdicts[name].p) else f"{out.verdicts[name].p:.4f}"
            for name in METRICS
        ]
        for out in tables.left_out
    ]
    notes = notes_of(part)
    assert "machine: better than ratings drawn from the novices by" in notes
    assert "with 3 novices p cannot fall below 0.250" in notes
    assert "2 of 6 targets (33%) have no width" in notes


def test_plots_are_sound_and_of_every_candidate(tmp_path: Path) -> None:
    _, section = marked(tmp_path, machine=MACHINE, other={**MACHINE, "p0": 3.0})
    part = part_of(section)
    # A scatter for each candidate, a null for each metric, the panels' ranges.
    assert len(part.figures) == 2 + 3 + 1
    for figure in part.figures:
        root = ET.fromstring(figure.svg)
        assert root.tag == "svg"
        assert not re.search(r"#[0-9a-fA-F]{6}", figure.svg)
    ids = [ET.fromstring(figure.svg).attrib["aria-labelledby"] for figure in part.figures]
    assert len(set(ids)) == len(ids)
    assert part_of(section) == part


def test_a_rater_with_unanswered_passages_has_no_scatter(tmp_path: Path) -> None:
    _, section = marked(tmp_path, some={id: MACHINE[id] for id in MACHINE if id != "p1"})
    part = part_of(section)
    assert len(part.figures) == 3 + 1
    assert english(part.tables[0].rows[2][2].text) == "–"


def test_there_is_no_part_without_novices_and_no_ranges_without_gold(tmp_path: Path) -> None:
    test = readmark.load(write_test(tmp_path / "test.jsonl"))
    machine = write_machine(tmp_path / "machine.json")
    alone, hidden = tmp_path / "alone.jsonl", tmp_path / "hidden.jsonl"
    readmark.mark(test, machine, settings=FEW, marksheet=alone)
    assert panel(section_of(alone)) is None
    people = write_novices(tmp_path)
    readmark.mark(test, machine, people=people, settings=FEW, marksheet=hidden, redact=True)
    section = section_of(hidden)
    assert len(part_of(section).figures) == 1 + 3
    assert "panel" in [part.name for part in view_of(section).parts]


def test_candidates_of_other_passages_have_nulls_of_their_own(tmp_path: Path) -> None:
    test = readmark.load(write_test(tmp_path / "test.jsonl"))
    machine, people = write_machine(tmp_path / "machine.json"), write_novices(tmp_path)
    sheets = []
    for name, sitting in (("a", machine), ("b", write_half(tmp_path))):
        sheets.append(tmp_path / f"{name}.marks.jsonl")
        readmark.mark(test, sitting, people=people, settings=FEW, marksheet=sheets[-1])
    assert len(part_of(section_of(*sheets)).figures) == 2 + 2 * 3 + 1


def test_the_page_has_it_in_both_languages(tmp_path: Path) -> None:
    marked(tmp_path, machine=MACHINE)
    readmark.report(*list((tmp_path / "sheets").iterdir()), path=tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Is it as good as a novice?" in page
    assert "是否达到普通评分者水平？" in page


def test_values_off_the_scale_and_flat_draws_are_drawn() -> None:
    gold = np.array([1.0, 3.0, 5.0])
    ET.fromstring(scatter("s", gold, np.array([-2.0, 3.0, 9.0]), series(0), **LABELS))
    ET.fromstring(null_plot("n", np.full(5, 2.0), float("nan"), [], **LABELS))
    outside = [Observed(series(1), 7.0), Observed(series(2), float("nan"))]
    ET.fromstring(null_plot("n", np.array([1.0, 2.0]), 1.5, outside, **LABELS))
    ends = np.column_stack([gold, gold])
    ET.fromstring(ranges_plot("r", Ranges(gold, ends, ends), **LABELS))


def test_many_passages_are_thinned_and_the_plot_says_so(tmp_path: Path) -> None:
    originals = {f"q{index:03}": f"p{index % 6}" for index in range(300)}
    records = [{**passage(int(original[1:])), "id": id} for id, original in originals.items()]
    test = readmark.load(write_test(tmp_path / "many.jsonl", records))
    machine, *novices = (
        {id: float(ratings[original]) for id, original in originals.items()}
        for ratings in (MACHINE, *NOVICES.values())
    )
    sheet = tmp_path / "many.marks.jsonl"
    people: list[Any] = novices
    readmark.mark(test, machine, people=people, settings=FEW, marksheet=sheet)
    part = part_of(section_of(sheet))
    assert "Shown are 100 of 300." in english(part.figures[-1].note)


@pytest.mark.parametrize("metric", METRICS)
def test_the_metrics_have_names_in_both_languages(metric: str) -> None:
    from readmark.reporting.page.metric_names import metric_words

    words = metric_words(metric)
    assert isinstance(words, Bilingual)
    assert words.en != words.zh


def test_what_was_not_tested_is_not_claimed(tmp_path: Path) -> None:
    """No lower tail is tested; but a rater below every draw is named."""
    worst = {"p0": 1.0, "p1": 5.0, "p2": 1.0, "p3": 5.0, "p4": 1.0, "p5": 5.0}
    _, section = marked(tmp_path, worst=worst)
    notes = notes_of(part_of(section))
    assert "nor to be worse" not in notes
    assert "that does not show it to be worse, or as good" in notes
    assert "worst: every draw was at least as good by" in notes


def test_rounding_fewer_passages_and_single_novices_are_noted(tmp_path: Path) -> None:
    test = readmark.load(write_test(tmp_path / "test.jsonl"))
    files = [write_machine(tmp_path / "machine.json"), write_half(tmp_path)]
    novices = [write_novices(tmp_path)[0], write_novice(tmp_path, "gus", {"p0": 3, "p1": 2})]
    sheets = tmp_path / "sheets"
    compare_with_novices(test, files, novices, settings=FEW, folder=sheets, round=True)
    part = part_of(section_of(*sorted(sheets.iterdir())))
    notes = notes_of(part)
    assert "have no width: the rating rounded to stars hits them" in notes
    assert re.search(r"half.*: on only 3 of 6 passages\.", notes)
    assert "4 of 6 passages have only one novice" in notes
    assert "Novices are not compared with each other" in notes
    assert "round true" in english(part.tables[0].rows[1][1].text)
    assert len(part.tables) == 1


def test_bars_of_sums_show_no_gaps_that_are_not_there() -> None:
    source = np.random.default_rng(1)
    worths = np.array([1, 1 / 2, 1 / 3])[source.integers(0, 3, size=50)]
    draws = (source.random((5000, 50)) < 0.5) @ worths
    edges = bins(draws)
    counts, _ = np.histogram(draws, bins=edges)
    assert counts.sum() == len(draws)
    assert len(counts) <= 41
    inner = counts[len(counts) // 4 : -len(counts) // 4]
    assert (inner > 0).all()
    # Each bar covers as many points of the lattice of sixths.
    assert np.allclose(np.diff(edges) * 6, np.rint(np.diff(edges) * 6))
    smooth = source.normal(size=500)
    assert len(bins(smooth)) == 41
    assert np.histogram(np.full(5, 2.0), bins=bins(np.full(5, 2.0)))[0].sum() == 5


def test_passages_at_one_place_make_a_larger_sign() -> None:
    gold, ratings = np.array([1.0, 3.0, 3.0, 3.0, 3.0]), np.array([1.0, 4.0, 4.0, 4.0, 4.0])
    many = scatter("s", gold, ratings, series(0), **LABELS)
    assert len(many) > len(scatter("s", gold[:1], ratings[:1], series(0), **LABELS))
    assert many != scatter("s", gold[:2], ratings[:2], series(0), **LABELS)


def test_a_correlation_is_not_divided_by_peoples(tmp_path: Path) -> None:
    _, section = marked(tmp_path, machine=MACHINE)
    people = [WithPeople(candidate) for candidate in section.candidates]
    [sentence] = sentences(section, compare_all(section), people)
    assert "% of that" not in str(sentence.en)
    assert re.search(r"people score <?.*and the machine <b>[\d.]+</b>", str(sentence.en))
    figures = dict(people_section(SectionData.of(section)).by_metric)
    [pearson] = figures["pearson"][:1]
    assert pearson.table is not None
    assert english(pearson.table.head[-1].text) == "difference"
    assert english(pearson.table.rows[0][-1].text).startswith(("+", "−"))
    [target] = figures["proportional_target"][:1]
    assert target.table is not None
    assert english(target.table.head[-1].text) == "ratio"
