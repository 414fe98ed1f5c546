"""Numbers, p-values and ids as terminal, page and board write them."""

import re
from pathlib import Path

import pytest

from readmark.core import numbers


@pytest.mark.parametrize(
    ("value", "scale", "signed", "written"),
    [
        (53.1936, 100, False, "53.19"),
        (0.53194, 1, False, "0.532"),
        (-4.256, 100, False, "-4.26"),
        (25.1, 100, True, "+25.10"),
        (-0.001, 100, True, "+0.00"),
        (-0.0001, 1, False, "0.000"),
        (0.0, 1, True, "+0.000"),
        (3.25, 5, False, "3.25"),  # stars
        (None, 100, False, "–"),
    ],
)
def test_marks_have_the_decimals_of_their_scale(
    value: float | None, scale: float, signed: bool, written: str
) -> None:
    assert numbers.mark(value, scale, signed=signed) == written


def test_intervals_have_the_decimals_of_their_mark() -> None:
    assert numbers.interval(0.9871, 1.0, 1) == "0.987 to 1.000"
    assert numbers.interval(29.414, 92.857, 100) == "29.41 to 92.86"
    assert numbers.interval(-3, 4, 100, signed=True) == "-3.00 to +4.00"
    assert numbers.narrow_interval(0.9871, 1.0, 1) == "0.987–1.000"
    assert numbers.narrow_interval(98.71, 100, 100) == "98.71–100.00"
    assert numbers.narrow_interval(-0.5, 0.25, 1) == "-0.500 to 0.250"
    assert numbers.interval(None, 4, 100) == numbers.narrow_interval(1, None, 1) == "–"


def test_ratios() -> None:
    assert numbers.ratio(0.5194) == "0.52"
    assert numbers.ratio_interval(0.361, 0.66) == "0.36 to 0.66"
    assert numbers.ratio(None) == numbers.ratio_interval(None, 1.0) == "–"


@pytest.mark.parametrize(
    ("p", "alone", "in_words"),
    [
        (1.0, "1.0000", "= 1.0000"),
        (0.25314, "0.2531", "= 0.2531"),
        (0.0001, "0.0001", "= 0.0001"),
        (0.00001, "< 0.0001", "< 0.0001"),
        (0.0, "< 0.0001", "< 0.0001"),
    ],
)
def test_p_is_never_zero(p: float, alone: str, in_words: str) -> None:
    assert numbers.p_value(p) == alone
    assert numbers.p_words(p) == in_words


def test_ids_are_counted_and_the_first_named() -> None:
    ids = [f"q{number}" for number in range(1, 1235)]
    assert numbers.listed_ids(ids[:2]) == "2 (q1, q2)"
    assert numbers.listed_ids(ids) == "1,234 (q1, q2, q3, q4, q5, …)"
    assert numbers.listed_ids(ids[:5], 9) == "9 (q1, q2, q3, q4, q5, …)"
    assert numbers.first_ids(ids) == "q1, q2, q3, …"
    assert numbers.first_ids(["x" * 90]) == "x" * 80 + "…"


def test_counts_are_whole_and_means_have_a_decimal() -> None:
    assert numbers.count(1234) == "1,234"
    assert numbers.count(1234.0) == "1,234.0"


def test_shares_ratings_and_probabilities() -> None:
    assert numbers.percent(0.14634) == "14.6%"
    assert numbers.percent(0.995, 0) == "100%"
    assert numbers.percent(-0.0001) == "0.0%"
    assert numbers.percent_interval(0.331, 0.4456) == "33.1–44.6%"
    assert numbers.decimal(3.14159) == "3.14"
    assert numbers.decimal(0.126, signed=True) == "+0.13"
    assert numbers.significant(0.000123456) == "0.0001235"
    for written in (numbers.percent, numbers.decimal, numbers.significant):
        assert written(None) == "–"
    assert numbers.percent_interval(None, 0.5) == "–"


def test_lists_that_are_cut_say_so() -> None:
    assert numbers.and_more(1234) == "… and 1,234 more"
    assert numbers.and_more(3, "--json has them all") == "… and 3 more; --json has them all"
    assert numbers.first_ids(["a", "b"], 1, quoted=True, between="; ") == "'a'; …"


SOURCE = Path(numbers.__file__).parents[1]
NUMBER = re.compile(r":[+,]?\.\d+[efg%]\}|[\"']%[+]?\.\d|\.toFixed\(")
FIRST_IDS = re.compile(r"""(?:", "|', ')\.join\(.*\[: ?\w+\]|and \{.*\} more\b""")
ELSEWHERE = {
    # what is not a result: durations, rates, bytes
    "cli/doctor.py": 1,
    "console/ticker.py": 2,
    "core/confinement.py": 1,
    "llm/attempts.py": 1,
    "making/get/command.py": 2,
    "making/sources/command.py": 2,
    "server/operations/clock_check.py": 1,
    "sitting/forecast.py": 4,
    "sitting/outcome.py": 1,
    # places in a picture, and the same rule in the browser
    "readability/raters/explanation_page.py": 3,
    "reporting/figures/dots.py": 1,
    "reporting/figures/svg.py": 2,
    "reporting/page/assets/detail.js": 1,
    "reporting/page/assets/parts.html": 1,
    "server/assets/templates/project_figures.html": 2,
    # numbers that are stored or compared, not shown
    "comprehension/evidence/ranker_files.py": 1,
    "formats/number_formats.py": 1,
    "making/quality/work.py": 1,
    "making/translation/contradictions.py": 1,
    "readability/raters/rater_files.py": 1,
    "tasks/extraction/induction/trials.py": 1,
    "text/chinese_numbers.py": 1,
    # a chance so small that four decimals are nothing
    "tasks/decompositions/totals.py": 1,
    # some of the names that a program knows, not a list that was cut
    "formats/prediction_rows.py": 2,
    "formats/tables/headings.py": 1,
    # counts of what is missing, not lists
    "core/parts.py": 1,
    "tasks/service/uploads.py": 1,
}
"""How often a file formats numbers or cuts lists itself, and why it may."""


def test_numbers_and_lists_are_written_in_one_place() -> None:
    strays = {}
    for path in sorted(SOURCE.rglob("*")):
        if path.suffix not in (".py", ".html", ".js") or path == Path(numbers.__file__):
            continue
        text = path.read_text("utf-8")
        count = len(NUMBER.findall(text)) + len(FIRST_IDS.findall(text))
        name = path.relative_to(SOURCE).as_posix()
        if count > ELSEWHERE.get(name, 0):
            strays[name] = count
    assert not strays, "use readmark.core.numbers, or say above why not"
    assert not [name for name in ELSEWHERE if not (SOURCE / name).exists()], (
        "moved: correct the list"
    )
