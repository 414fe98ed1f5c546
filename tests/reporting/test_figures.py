"""Plots: sound SVG, no colour or font of its own, texts escaped, equal for equal data."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence

import pytest

from readmark.core.label_widths import fitted
from readmark.reporting.figures.canvas import COLOURS
from readmark.reporting.figures.dots import Axis, Dot, DotRow, decimals, dot_plot
from readmark.reporting.figures.histograms import Bar, histogram
from readmark.reporting.figures.label_lines import wrapped
from readmark.reporting.figures.looks import series
from readmark.reporting.page.bilingual import Bilingual, Text

HOSTILE = "</svg><script>alert(1)</script> $x^2$ \"&'@0@"


def plot(label: Text = "level 1", name: str = "p1", **changes: float | None) -> str:
    dot = {"value": 60.0, "low": 29.0, "high": 93.0, **changes}
    rows = [DotRow(label, [Dot(series(0), **dot), Dot(series(1), 80.0)], 5)]
    axis = Axis(Bilingual("mark", "得分"), 0, 100)
    return dot_plot(name, rows, axis, title=Bilingual("Marks", "得分"), description="one: 60")


def texts(svg: str) -> list[str]:
    return ["".join(one.itertext()) for one in ET.fromstring(svg).iter("text")]


def test_it_is_one_sound_element_that_says_what_it_shows() -> None:
    root = ET.fromstring(plot())
    assert root.tag == "svg"
    assert root.attrib["role"] == "img"
    labelled = root.attrib["aria-labelledby"].split()
    by_id = {one.attrib["id"]: one for one in root.iter() if "id" in one.attrib}
    title, description = (by_id[id] for id in labelled)
    assert (title.tag, title.attrib["data-zh"]) == ("title", "得分")
    assert (description.tag, description.text) == ("desc", "one: 60")


def test_colours_are_the_style_sheet_s_and_fonts_the_page_s() -> None:
    svg = plot()
    assert "var(--s1)" in svg
    assert "var(--rule)" in svg
    assert not re.search(r"#[0-9a-fA-F]{6}", svg)
    assert "font-family" not in svg
    assert "DejaVu" not in svg
    assert len(set(COLOURS.values())) == len(COLOURS)


def test_it_is_small_and_the_same_again() -> None:
    assert plot() == plot()
    assert len(plot()) < 5_000
    assert not re.search(r"<(metadata|style|clipPath)", plot())
    assert not re.search(r"\d\.\d{3}", plot())


def test_ids_are_the_plot_s_own() -> None:
    def ids(svg: str) -> set[str]:
        return {one.attrib["id"] for one in ET.fromstring(svg).iter() if "id" in one.attrib}

    one, two = plot(name="p1"), plot(name="p2")
    assert not ids(one) & ids(two)
    for svg in (one, two):
        assert {link.removeprefix("#") for link in re.findall(r'href="([^"]+)"', svg)} <= ids(svg)


def test_texts_stand_in_both_languages() -> None:
    root = ET.fromstring(plot())
    found = {(one.attrib.get("class"), one.text) for one in root.iter("text")}
    assert {("en", "mark"), ("zh", "得分"), (None, "level 1"), (None, "5")} <= found


@pytest.mark.parametrize("label", [HOSTILE, "人工智能", "🦊", "عربي", "$\\frac{1}{2}$"])
def test_any_label_is_only_text(label: str) -> None:
    svg = plot(label)
    assert "<script" not in svg
    shown = "".join(texts(svg)).replace(" ", "")  # a long label is in several lines
    assert label.replace(" ", "") in shown


@pytest.mark.parametrize(
    ("label", "lines"),
    [
        ("level 1", [["level 1"]]),
        ("Computational_complexity_theory", [["Computational_", "complexity_", "theory"]]),
        ("W" * 22, [["W" * 10, "W" * 10, "WW"]]),
        (
            Bilingual("right sentence and more", "同句错位"),
            [["right sentence", "and more"], ["同句错位"]],
        ),
        ("较普通评分者的优势（星）", [["较普通评分者的优", "势（星）"]]),
        ("ab " * 60, [["ab ab ab ab ab ab"] * 5 + ["ab ab ab ab ab a…"]]),
        ("", [[""]]),
    ],
)
def test_labels_go_on_in_the_next_line(label: Text, lines: list[list[str]]) -> None:
    assert [*wrapped(label, 119, 6)] == lines


def test_values_are_written_and_dots_are_links() -> None:
    dots = [Dot(series(0), 60.0, 29.0, 93.0, "60.0", "#units?test=1&field.level=1")]
    svg = dot_plot(
        "p", [DotRow("level 1", dots, 5)], Axis("mark", 0, 100), title="", description=""
    )
    assert "60.0" in texts(svg)
    [link] = ET.fromstring(svg).iter("a")
    assert link.attrib == {"href": "#units?test=1&field.level=1", "tabindex": "-1"}
    assert [one.tag for one in link] == ["path"]


def test_what_has_no_interval_is_a_dot_and_what_has_no_mark_is_nothing() -> None:
    line = re.compile(r'<path d="M [\d.]+ [\d.]+ L [\d.]+ [\d.]+" style="[^"]*var\(--s1\)')
    assert len(line.findall(plot())) == 1
    assert not line.findall(plot(low=None, high=None))
    assert "var(--s1)" not in plot(value=None)


@pytest.mark.parametrize(
    ("values", "reference", "bounds", "digits"),
    [
        ([14.0, 61.0], 0.0, (0, 80), 0),
        ([-41.0, 30.0], 0.0, (-60, 40), 0),
        ([0.0, 0.31, 1.2], 1.0, (0, 1.25), 2),
        ([0.5], None, (0.0, 1.0), 1),
        ([], None, (0, 1), 1),
    ],
)
def test_axes_cover_their_values(
    values: Sequence[float], reference: float | None, bounds: tuple[float, float], digits: int
) -> None:
    axis = Axis.covering("x", values, reference=reference)
    assert (axis.low, axis.high) == pytest.approx(bounds)
    assert axis.digits == digits


def test_decimals() -> None:
    assert [decimals([0, 20]), decimals([0, 0.2]), decimals([0, 0.25])] == [0, 1, 2]


def test_histogram_says_its_counts() -> None:
    bars = [Bar(0, 0, 4), Bar(0, 50, 0), Bar(50, 100, 3), Bar(100, 100, 1_200)]
    svg = histogram(
        "h", bars, series(2), most=1_200, across="F1", up="questions", title="t", description="d"
    )
    assert {"4", "3", "1,200", "F1", "questions"} <= set(texts(svg))
    assert "var(--s3)" in svg


@pytest.mark.parametrize(
    ("text", "width", "short"),
    [
        ("short", 100, "short"),
        ("a rather long label", 70, "a rather…"),
        ("田里的事情说来话长", 70, "田里的事…"),
    ],
)
def test_labels_are_cut_to_their_column(text: str, width: float, short: str) -> None:
    assert fitted(text, width) == short


def test_candidates_are_told_apart_by_colour_and_shape() -> None:
    looks = [series(at) for at in range(12)]
    assert len({(one.colour, one.marker, one.hollow) for one in looks}) == 12
    assert len({(one.colour, one.sign) for one in looks[:6]}) == 6
