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
SAID: Any = {"across": "x", "up": "y", "title": "t", "description": "d"}


def marked(folder: Path, **machines: dict[str, float]) -> tuple[Any, Section]:
    test = readmark.load(write_test(folder / "test.jsonl"))
    files = [write_machine(folder / f"{name}.json", said) for name, said in machines.items()]
    sheets = folder / "sheets"
    found = compare_with_novices(test, files, write_novices(folder), settings=FEW, folder=sheets)
    read = [Marksheet.read(str(one)) for one in sorted(sheets.iterdir())]
    return found, sections_of(read)[0]


def made(section: Section) -> Part:
    found = panel(section)
    assert found is not None
    return found


def english(text: object) -> str:
    return str(text.en if isinstance(text, Bilingual) else text)


def test_the_p_values_are_those_of_panel_mark(tmp_path: Path) -> None:
    poor = {f"p{at}": 5.0 - at % 2 for at in range(6)}
    found, section = marked(tmp_path, machine=MACHINE, poor=poor)
    part = made(section)
    shown = [[english(cell.text) for cell in row] for row in part.tables[0].rows]
    assert [row[0] for row in shown] == ["machine"] * 3 + ["poor"] * 3
    wanted = [f"{line.verdicts[name].p:.4f}" for line in found.raters for name in METRICS]
    assert [row[2] for row in shown] == wanted
    novices = [[english(cell.text) for cell in row] for row in part.tables[1].rows]
    assert [row[0] for row in novices] == sorted(NOVICES)
    assert [row[2:] for row in novices] == [
        [
            "–" if np.isnan(one.verdicts[name].p) else f"{one.verdicts[name].p:.4f}"
            for name in METRICS
        ]
        for one in found.left_out
    ]
    said = "\n".join(english(text) for text in part.notes)
    assert "machine: better than ratings drawn from the novices by" in said
    assert "with 3 novices p cannot fall below 0.250" in said
    assert "2 of 6 targets (33%) have no width" in said


def test_plots_are_sound_and_of_every_candidate(tmp_path: Path) -> None:
    _, section = marked(tmp_path, machine=MACHINE, other={**MACHINE, "p0": 3.0})
    part = made(section)
    # a scatter each, a null a metric, the panels' ranges
    assert len(part.figures) == 2 + 3 + 1
    for figure in part.figures:
        root = ET.fromstring(figure.svg)
        assert root.tag == "svg"
        assert not re.search(r"#[0-9a-fA-F]{6}", figure.svg)
    ids = [ET.fromstring(one.svg).attrib["aria-labelledby"] for one in part.figures]
    assert len(set(ids)) == len(ids)
    assert made(section) == part


def test_a_rater_with_unanswered_passages_has_no_scatter(tmp_path: Path) -> None:
    some = {id: said for id, said in MACHINE.items() if id != "p1"}
    _, section = marked(tmp_path, some=some)
    part = made(section)
    assert len(part.figures) == 3 + 1
    assert english(part.tables[0].rows[2][2].text) == "–"


def test_there_is_no_part_without_novices_and_no_ranges_without_gold(tmp_path: Path) -> None:
    test = readmark.load(write_test(tmp_path / "test.jsonl"))
    machine = write_machine(tmp_path / "machine.json")
    alone, hidden = tmp_path / "alone.jsonl", tmp_path / "hidden.jsonl"
    readmark.mark(test, machine, settings=FEW, marksheet=alone)
    assert panel(sections_of([Marksheet.read(str(alone))])[0]) is None
    people = write_novices(tmp_path)
    readmark.mark(test, machine, people=people, settings=FEW, marksheet=hidden, redact=True)
    section = sections_of([Marksheet.read(str(hidden))])[0]
    assert len(made(section).figures) == 1 + 3
    assert "panel" in [part.name for part in view_of(section).parts]


def test_candidates_of_other_passages_have_nulls_of_their_own(tmp_path: Path) -> None:
    test = readmark.load(write_test(tmp_path / "test.jsonl"))
    machine, people = write_machine(tmp_path / "machine.json"), write_novices(tmp_path)
    header = {"readmark": 1, "file": "sitting", "candidate": "half", "limit": 3}
    rows = [{"id": id, "rating": said} for id, said in list(MACHINE.items())[:3]]
    half = tmp_path / "half.jsonl"
    half.write_text("".join(json.dumps(one) + "\n" for one in [header, *rows]))
    sheets = []
    for name, one in (("a", machine), ("b", half)):
        sheet = tmp_path / f"{name}.marks.jsonl"
        readmark.mark(test, one, people=people, settings=FEW, marksheet=sheet)
        sheets.append(Marksheet.read(str(sheet)))
    part = made(sections_of(sheets)[0])
    assert len(part.figures) == 2 + 2 * 3 + 1


def test_the_page_has_it_in_both_languages(tmp_path: Path) -> None:
    marked(tmp_path, machine=MACHINE)
    readmark.report(*list((tmp_path / "sheets").iterdir()), path=tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Is it as good as a novice?" in page
    assert "是否达到普通评分者水平？" in page


def test_values_off_the_scale_and_flat_draws_are_drawn() -> None:
    gold = np.array([1.0, 3.0, 5.0])
    ET.fromstring(scatter("s", gold, np.array([-2.0, 3.0, 9.0]), series(0), **SAID))
    ET.fromstring(null_plot("n", np.full(5, 2.0), float("nan"), [], **SAID))
    outside = [Observed(series(1), 7.0), Observed(series(2), float("nan"))]
    ET.fromstring(null_plot("n", np.array([1.0, 2.0]), 1.5, outside, **SAID))
    ends = np.column_stack([gold, gold])
    ET.fromstring(ranges_plot("r", Ranges(gold, ends, ends), **SAID))


def test_many_passages_are_thinned_and_said_to_be(tmp_path: Path) -> None:
    records = [{**passage(at % 6), "id": f"q{at:03}"} for at in range(300)]
    test = readmark.load(write_test(tmp_path / "many.jsonl", records))
    said = {one["id"]: float(MACHINE[f"p{at % 6}"]) for at, one in enumerate(records)}
    novices: list[Any] = [
        {one["id"]: novice[f"p{at % 6}"] for at, one in enumerate(records)}
        for novice in NOVICES.values()
    ]
    sheet = tmp_path / "many.marks.jsonl"
    readmark.mark(test, said, people=novices, settings=FEW, marksheet=sheet)
    part = made(sections_of([Marksheet.read(str(sheet))])[0])
    assert "Shown are 100 of 300." in english(part.figures[-1].note)


@pytest.mark.parametrize("metric", METRICS)
def test_the_metrics_have_names_in_both_languages(metric: str) -> None:
    from readmark.reporting.page.metric_names import metric_words

    found = metric_words(metric)
    assert isinstance(found, Bilingual)
    assert found.en != found.zh


def test_what_was_not_tested_is_not_said(tmp_path: Path) -> None:
    """No lower tail is tested; but a rater below every draw is said to be."""
    worst = {"p0": 1.0, "p1": 5.0, "p2": 1.0, "p3": 5.0, "p4": 1.0, "p5": 5.0}
    _, section = marked(tmp_path, worst=worst)
    said = "\n".join(english(text) for text in made(section).notes)
    assert "nor to be worse" not in said
    assert "that does not show it to be worse, or as good" in said
    assert "worst: every draw was at least as good by" in said


def test_rounding_fewer_passages_and_single_novices_are_said(tmp_path: Path) -> None:
    test = readmark.load(write_test(tmp_path / "test.jsonl"))
    header = {"readmark": 1, "file": "sitting", "candidate": "half", "limit": 3}
    rows = [{"id": id, "rating": said} for id, said in list(MACHINE.items())[:3]]
    half = tmp_path / "half.jsonl"
    half.write_text("".join(json.dumps(one) + "\n" for one in [header, *rows]))
    files = [write_machine(tmp_path / "machine.json"), half]
    novices = [write_novices(tmp_path)[0], write_novice(tmp_path, "gus", {"p0": 3, "p1": 2})]
    sheets = tmp_path / "sheets"
    compare_with_novices(test, files, novices, settings=FEW, folder=sheets, round=True)
    section = sections_of([Marksheet.read(str(one)) for one in sorted(sheets.iterdir())])[0]
    part = made(section)
    said = "\n".join(english(text) for text in part.notes)
    assert "have no width: the rating rounded to stars hits them" in said
    assert re.search(r"half.*: on only 3 of 6 passages\.", said)
    assert "4 of 6 passages have only one novice" in said
    assert "Novices are not compared with each other" in said
    assert "round true" in english(part.tables[0].rows[1][1].text)
    assert len(part.tables) == 1


def test_bars_of_sums_show_no_gaps_that_are_not_there() -> None:
    source = np.random.default_rng(1)
    worths = np.array([1, 1 / 2, 1 / 3])[source.integers(0, 3, size=50)]
    drawn = (source.random((5000, 50)) < 0.5) @ worths
    edges = bins(drawn)
    counts, _ = np.histogram(drawn, bins=edges)
    assert counts.sum() == len(drawn)
    assert len(counts) <= 41
    inner = counts[len(counts) // 4 : -len(counts) // 4]
    assert (inner > 0).all()
    # as many places of the lattice of sixths to each bar
    assert np.allclose(np.diff(edges) * 6, np.rint(np.diff(edges) * 6))
    smooth = source.normal(size=500)
    assert len(bins(smooth)) == 41
    assert np.histogram(np.full(5, 2.0), bins=bins(np.full(5, 2.0)))[0].sum() == 5


def test_passages_at_one_place_make_a_larger_sign() -> None:
    gold, said = np.array([1.0, 3.0, 3.0, 3.0, 3.0]), np.array([1.0, 4.0, 4.0, 4.0, 4.0])
    many = scatter("s", gold, said, series(0), **SAID)
    assert len(many) > len(scatter("s", gold[:1], said[:1], series(0), **SAID))
    assert many != scatter("s", gold[:2], said[:2], series(0), **SAID)


def test_a_correlation_is_not_divided_by_peoples(tmp_path: Path) -> None:
    _, section = marked(tmp_path, machine=MACHINE)
    people = [WithPeople(one) for one in section.candidates]
    [said] = sentences(section, compare_all(section), people)
    assert "% of that" not in str(said.en)
    assert re.search(r"people score <?.*and the machine <b>[\d.]+</b>", str(said.en))
    figures = dict(people_section(SectionData.of(section)).by_metric)
    [pearson] = figures["pearson"][:1]
    assert pearson.table is not None
    assert english(pearson.table.head[-1].text) == "difference"
    assert english(pearson.table.rows[0][-1].text).startswith(("+", "−"))
    [target] = figures["proportional_target"][:1]
    assert target.table is not None
    assert english(target.table.head[-1].text) == "ratio"
