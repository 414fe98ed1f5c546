"""People: leave-one-out and panels worked by hand, and the machine on the same reference sets."""

import gzip
import json
from fractions import Fraction
from pathlib import Path

import pytest

import readmark
from made import asked, comprehension, passage, sat
from oracles.official import cmrc_em, cmrc_f1
from oracles.resampled import drawn_statistics, mean, percentiles
from readmark.core.errors import DataError
from readmark.core.test import Test
from readmark.marking import PeopleComparison
from readmark.marking.settings import MarkSettings
from readmark.reporting import table as standings

FEW = MarkSettings(draws=200)

# Worked by hand; F1 of bags of words is 2 shared / (answered + wanted).
#   q1  ann and ben agree; cat's "kettle" is 2/3 of theirs.   EM 1 1 0, F1 1 1 2/3
#   q2  ann gives two alternatives: leaving ann out removes both, so "crimson coat" meets
#       "coat" (2/3) and "crimson coat sleeve" (4/5).          EM 0 0 0, F1 4/5 2/3 4/5
#   q3  two people, each half of the other and more.           EM 0 0,   F1 2/3 2/3
#   q4  one person: skipped.
TABLE = comprehension(
    passage(
        "p1",
        asked(
            "q1",
            ("ann", "copper kettle"),
            ("ben", "the copper kettle"),
            ("cat", "kettle"),
            level=1,
        ),
        asked(
            "q2",
            ("ann", "crimson coat"),
            ("ben", "coat"),
            ("ann", "the crimson coat"),
            ("cat", "crimson coat sleeve"),
            level=2,
        ),
    ),
    passage(
        "p2",
        asked("q3", ("ben", "seven boats"), ("dan", "boats"), level=1),
        asked("q4", ("ann", "dusk"), level=2),
    ),
)
PEOPLE_EM = {"q1": Fraction(2, 3), "q2": Fraction(0), "q3": Fraction(0)}
PEOPLE_F1 = {"q1": Fraction(8, 9), "q2": Fraction(34, 45), "q3": Fraction(2, 3)}
# The machine on the same sets, with "kettle", "crimson coat", "boats" and "dusk":
#   q1  cat's word is among the references unless cat is left out    EM 1 1 0, F1 1 1 2/3
#   q2  without ann neither alternative is there                     EM 0 1 1, F1 4/5 1 1
#   q3  dan's word, until dan is left out                            EM 1 0,   F1 1 2/3
MACHINE = sat({"q1": "kettle", "q2": "crimson coat", "q3": "boats", "q4": "dusk"})
MACHINE_EM = {"q1": Fraction(2, 3), "q2": Fraction(2, 3), "q3": Fraction(1, 2)}
MACHINE_F1 = {"q1": Fraction(8, 9), "q2": Fraction(14, 15), "q3": Fraction(5, 6)}


def share(values: dict[str, Fraction], *ids: str) -> float:
    chosen = [values[id] for id in ids or values]
    return float(100 * sum(chosen) / len(chosen))


def each_score(found: readmark.PeopleMarks, metric: str) -> dict[str, float]:
    return {person: own.marks[metric].score or 0.0 for person, own in found.each.items()}


def test_leave_one_out_by_hand() -> None:
    found = readmark.people(TABLE, settings=FEW)
    assert (found.method, found.units, found.skipped) == ("leave-one-out", 3, 1)
    assert found.marks["em"].score == pytest.approx(share(PEOPLE_EM))  # 2/9
    assert found.marks["f1"].score == pytest.approx(share(PEOPLE_F1))  # 104/135
    assert found.marks["f1"].score == pytest.approx(100 * 104 / 135)
    assert "people:leave-one-out" in found.marks["em"].signature


# The same table, each person's own answers over the units that the person answered.
EACH = {  # units, EM, F1
    "ann": (2, Fraction(1, 2), Fraction(9, 10)),
    "ben": (3, Fraction(1, 3), Fraction(7, 9)),
    "cat": (2, Fraction(0), Fraction(11, 15)),
    "dan": (1, Fraction(0), Fraction(2, 3)),
}


def test_each_person_of_the_key_by_hand() -> None:
    found = readmark.people(TABLE, settings=FEW)
    told = found.as_json()["each"]
    assert list(told) == list(EACH)
    for person, (units, em, f1) in EACH.items():
        assert told[person]["units"] == units
        assert told[person]["em"]["score"] == pytest.approx(float(100 * em))
        assert told[person]["f1"]["score"] == pytest.approx(float(100 * f1))
    assert told["dan"]["f1"]["low"] is None  # one passage
    assert "dan 1 0.00 66.67" in " ".join(found.as_text().split())
    assert "66.67" in found.as_text(full=True).split("person")[1]


def test_unnamed_answers_are_people_by_their_places() -> None:
    """As CMRC 2018 does: the first answers are one person's, the second ones another's."""
    records = [
        passage("p1", asked("a", "dusk", "dusk", "dawn")),
        passage("p2", asked("b", "tin", "pan", "tin")),
    ]
    found = readmark.people(comprehension(*records), settings=FEW)
    scores = each_score(found, "em")
    assert scores == {"answer 1": 100, "answer 2": 50, "answer 3": 50}
    assert found.marks["em"].score == pytest.approx(sum(scores.values()) / 3)


def test_many_people_are_listed_in_full_only() -> None:
    records = [
        passage(f"p{at}", asked(f"q{at}", (f"w{2 * at}", "dusk"), (f"w{2 * at + 1}", "dusk")))
        for at in range(15)
    ]
    found = readmark.people(comprehension(*records), settings=FEW)
    assert len(found.as_json()["each"]) == 30
    assert "and 10 others: --full lists everybody" in found.as_text()
    assert "w29" not in found.as_text()
    assert "w29" in found.as_text(full=True)


def test_leave_one_out_by_slice() -> None:
    found = readmark.people(TABLE, by=["level"], settings=FEW).by["level"]
    assert {label: one.units for label, one in found.items()} == {"1": 2, "2": 1}
    assert found["1"].marks["em"].score == pytest.approx(share(PEOPLE_EM, "q1", "q3"))
    assert found["1"].marks["f1"].score == pytest.approx(share(PEOPLE_F1, "q1", "q3"))
    assert found["2"].marks["f1"].score == pytest.approx(share(PEOPLE_F1, "q2"))


def test_machine_faces_the_same_reference_sets() -> None:
    found = readmark.mark(TABLE, MACHINE, by=["level"], settings=FEW)
    # the published-style figure, apart: every reference, every question, the skipped one too
    assert found["em"].score == found["f1"].score == 100
    people = found.people
    assert people is not None
    assert (people.method, people.units, people.skipped) == ("leave-one-out", 3, 1)
    for name, machine, human in (("em", MACHINE_EM, PEOPLE_EM), ("f1", MACHINE_F1, PEOPLE_F1)):
        one = people.marks[name]
        assert one.machine == pytest.approx(share(machine))
        assert one.people == pytest.approx(share(human))
        assert one.ratio == pytest.approx(share(machine) / share(human))
    assert people.marks["em"].ratio == pytest.approx(11 / 4)
    assert people.marks["f1"].ratio == pytest.approx(239 / 208)
    part = people.by["level"]["1"]
    assert part.units == 2
    assert part.marks["f1"].ratio == pytest.approx(
        share(MACHINE_F1, "q1", "q3") / share(PEOPLE_F1, "q1", "q3")
    )
    alone = people.by["level"]["2"]
    assert alone.units == 1
    assert alone.marks["em"] == PeopleComparison(pytest.approx(200 / 3), 0, None, None, None)


def test_ratio_interval_by_a_plain_loop() -> None:
    """Machine and people are resampled together, and the ratio is taken draw by draw."""
    records = [
        passage(
            f"p{at}",
            asked(f"q{at}a", "copper kettle", "kettle" if at % 2 else "copper kettle"),
            asked(f"q{at}b", "coat", "crimson coat" if at % 3 else "coat"),
        )
        for at in range(8)
    ]
    test = comprehension(*records)
    answers = {f"q{at}a": "kettle" for at in range(8)} | {f"q{at}b": "coat" for at in range(8)}
    found = readmark.mark(test, sat(answers), settings=MarkSettings(draws=300))
    f1: dict[str, list[list[float]]] = {"machine": [], "people": []}
    for at in range(8):
        # both people say the same, or one of two words is missing: 2/3 each
        same_a, same_b = at % 2 == 0, at % 3 == 0
        f1["people"].append([1 if same_a else 2 / 3, 1 if same_b else 2 / 3])
        f1["machine"].append([2 / 3 if same_a else (1 + 2 / 3) / 2, 1 if same_b else 5 / 6])
    columns = [{f"p{at}": values[at] for at in range(8)} for values in f1.values()]
    ratios = drawn_statistics(columns, lambda m, p: mean(m) / mean(p), draws=300)
    assert found.people is not None
    one = found.people.marks["f1"]
    assert (one.low, one.high) == pytest.approx(percentiles(ratios), abs=1e-8)
    assert one.low is not None
    assert one.high is not None
    assert one.low < (one.ratio or 0) < one.high
    own = readmark.people(test, settings=MarkSettings(draws=300)).marks["f1"]
    expected = percentiles(drawn_statistics(columns[1:], mean, draws=300))
    assert (own.low, own.high) == pytest.approx([100 * end for end in expected], abs=1e-6)


def test_one_passage_has_no_intervals() -> None:
    test = comprehension(passage("p", asked("a", "x", "x"), asked("b", "x", "y")))
    found = readmark.mark(test, sat({"a": "x", "b": "y"}), settings=FEW)
    assert found.people is not None
    assert found.people.marks["em"] == PeopleComparison(75, 50, 1.5, None, None)
    own = readmark.people(test, settings=FEW).marks["em"]
    assert (own.score, own.low, own.high) == (50, None, None)


def test_published_key_is_one_person() -> None:
    test = comprehension(
        passage("p1", asked("a", ("ann", "dusk"), published=["at dusk", "evening"])),
        passage("p2", asked("b", published=["dusk", "evening"])),  # one publisher: no second person
    )
    found = readmark.people(test, settings=FEW)
    # ann against both alternatives (dusk, at dusk: 2/3), the first of them against ann's
    assert (found.units, found.skipped) == (1, 1)
    assert found.marks["em"].score == 0
    assert found.marks["f1"].score == pytest.approx(200 / 3)
    # an annotator who bears the publisher's name is still someone else
    named = comprehension(passage("p", asked("a", ("publisher", "dusk"), published=["dusk"])))
    assert readmark.people(named, settings=FEW).marks["em"].score == 100


def test_unnamed_answers_are_a_person_each() -> None:
    test = comprehension(passage("p1", asked("a", "dusk", "dusk", "dawn")))
    assert readmark.people(test, settings=FEW).marks["em"].score == pytest.approx(200 / 3)
    named = comprehension(passage("p1", asked("a", ("ann", "dusk"), ("ann", "dusk"))))
    with pytest.raises(DataError, match="no human score"):
        readmark.people(named)


@pytest.mark.parametrize(
    "question",
    [
        asked("a", "dusk"),
        asked("a", published=["dusk", "evening"]),
        asked("a", unanswerable=True),
    ],
)
def test_one_answer_a_question_has_no_human_figure(question: object) -> None:
    test = comprehension(passage("p", question))  # type: ignore[arg-type]
    with pytest.raises(DataError, match="has no human score: no unit has answers by two people"):
        readmark.people(test)
    found = readmark.mark(test, sat({"a": "dusk"}), settings=FEW)
    assert found.people is None
    assert "people" not in found.as_json()


def test_skipped_units_are_never_zero() -> None:
    """Many questions with one answer do not pull people down."""
    more = [passage(f"x{at}", asked(f"x{at}", "dusk")) for at in range(50)]
    test = comprehension(*TABLE.records(), *more)
    found = readmark.people(test, settings=FEW)
    assert (found.units, found.skipped) == (3, 51)
    assert found.marks["f1"].score == pytest.approx(share(PEOPLE_F1))


def test_coverage_without_two_people_gives_no_number() -> None:
    part = sat({"q4": "dusk"}, covers=("q4",))
    found = readmark.mark(TABLE, part, settings=FEW)
    assert found.people is None


def test_people_marks_do_not_claim_a_bca_interval() -> None:
    percentile, bca = (
        readmark.people(TABLE, settings=MarkSettings(draws=50, interval=how)).marks["f1"]
        for how in ("percentile", "bca")
    )
    assert percentile == bca
    assert "interval:percentile" in bca.signature


# A panel of three on four questions, marked against the whole key:
#   ann is right on all four, ben on q1 alone, cat sat q3 and q4 only and is wrong on both.
PANEL_TEST = comprehension(
    passage("p1", asked("q1", "kettle", level=1), asked("q2", "red coat", level=1)),
    passage("p2", asked("q3", "boats", level=2), asked("q4", "dusk", level=2)),
)
ANN = sat({"q1": "kettle", "q2": "red coat", "q3": "boats", "q4": "dusk"}, candidate="ann")
BEN = sat({"q1": "kettle", "q2": "coat", "q3": "", "q4": "dawn"}, candidate="ben")
CAT = sat({"q3": "oars", "q4": "dawn"}, candidate="cat", covers=("q3", "q4"))


def test_panel_by_hand() -> None:
    found = readmark.people(PANEL_TEST, ANN, BEN, CAT, by=["level"], settings=FEW)
    assert (found.method, found.units, found.skipped) == ("panel", 4, 0)
    assert each_score(found, "em") == {"ann": 100, "ben": 25, "cat": 0}
    assert each_score(found, "f1") == pytest.approx(
        {"ann": 100, "ben": 100 * (1 + 2 / 3) / 4, "cat": 0}
    )
    assert {person: own.units for person, own in found.each.items()}["cat"] < 4
    # the mean over people (125/3), not over their answers (5 of 10 right)
    assert found.marks["em"].score == pytest.approx(125 / 3)
    assert found.marks["f1"].score == pytest.approx((100 + 500 / 12) / 3)
    level = found.by["level"]
    assert level["1"].marks["em"].score == pytest.approx(75)  # cat sat none of these
    assert level["2"].marks["em"].score == pytest.approx(100 / 3)
    assert {label: one.units for label, one in level.items()} == {"1": 2, "2": 2}
    assert "people:panel" in found.marks["em"].signature


def test_machine_beside_a_panel() -> None:
    machine = sat({"q1": "kettle", "q2": "red coat"})
    found = readmark.mark(PANEL_TEST, machine, people=[ANN, BEN, CAT], by=["level"], settings=FEW)
    people = found.people
    assert people is not None
    assert (people.method, people.units, people.skipped) == ("panel", 4, 0)
    assert people.marks["em"].machine == found["em"].score == 50
    assert people.marks["em"].people == pytest.approx(125 / 3)
    assert people.marks["em"].ratio == pytest.approx(6 / 5)
    assert people.by["level"]["1"].marks["em"].ratio == pytest.approx(4 / 3)
    assert people.by["level"]["2"].marks["em"].machine == 0
    assert people.by["level"]["2"].marks["em"].ratio == 0


def test_panel_interval_by_a_plain_loop() -> None:
    found = readmark.people(PANEL_TEST, ANN, BEN, settings=FEW).marks["em"]
    columns = [{"p1": [1, 1], "p2": [1, 1]}, {"p1": [1, 0], "p2": [0, 0]}]
    values = drawn_statistics(columns, lambda a, b: (mean(a) + mean(b)) / 2, draws=200)
    low, high = percentiles(values)
    assert (found.low, found.high) == pytest.approx((100 * low, 100 * high))


def test_units_that_nobody_of_the_panel_was_to_sit_are_skipped() -> None:
    machine = sat({"q1": "kettle", "q3": "boats", "q4": "dusk"})
    found = readmark.mark(PANEL_TEST, machine, people=[CAT], settings=FEW).people
    assert found is not None
    assert (found.units, found.skipped) == (2, 2)
    # the machine too is marked on those two alone
    assert (found.marks["em"].machine, found.marks["em"].people) == (100, 0)
    assert found.marks["em"].ratio is None


@pytest.mark.parametrize("part", [{"limit": 1}, {"covers": ("q1",)}])
def test_a_member_who_sat_part_is_marked_on_that_part(part: dict[str, object]) -> None:
    early = sat({"q1": "kettle"}, candidate="early", **part)
    found = readmark.people(PANEL_TEST, early, settings=FEW)
    assert (found.units, found.skipped) == (1, 3)
    assert found.marks["em"].score == 100


def test_a_member_who_left_a_unit_out_is_wrong_there() -> None:
    lazy = sat({"q1": "kettle", "q2": None}, candidate="lazy")
    found = readmark.people(PANEL_TEST, lazy, settings=FEW)
    assert (found.units, found.marks["em"].score) == (4, 25)
    assert any("error rows: 1 (q2)" in note for note in found.notes)


def test_a_members_repeats_are_averaged() -> None:
    steady = sat({"q1": ("kettle", "pot", "kettle", None)}, candidate="steady", covers=("q1",))
    assert readmark.people(PANEL_TEST, steady, settings=FEW).marks["em"].score == 50


def test_members_of_one_name_are_told_apart() -> None:
    found = readmark.people(PANEL_TEST, ANN, sat({"q1": "kettle"}, candidate="ann"), settings=FEW)
    assert each_score(found, "em") == {"ann": 100, "ann (2)": 25}
    assert found.marks["em"].score == 62.5


def test_strangers_in_a_panel_are_noted() -> None:
    lost = sat({"q9": "kettle", "q1": "kettle"}, candidate="lost")
    for notes in (
        readmark.people(PANEL_TEST, lost, settings=FEW).notes,
        readmark.mark(PANEL_TEST, ANN, people=[lost], settings=FEW).notes,
    ):
        assert any("does not have: 1 (q9)" in note for note in notes)
    both = [sat({"q9": "kettle", "q1": "kettle"}, candidate=name) for name in ("lost", "astray")]
    notes = readmark.people(PANEL_TEST, *both, settings=FEW).notes
    assert sum("does not have: 1 (q9)" in note for note in notes) == 1  # both are of one file


def test_a_unit_is_sat_even_if_its_vector_is_all_zeros() -> None:
    """Whether someone was to sit a unit is known, not guessed from the numbers."""
    from array import array

    from readmark.marking import build_metrics
    from readmark.marking.people_marks import people_marks
    from readmark.marking.tally import Tally
    from readmark.marking.unit_marker import UnitMarker

    built = build_metrics(["em"], PANEL_TEST)
    found = Tally.empty(built, None, members=[ANN.candidate, CAT.candidate])
    marker = UnitMarker.of_test(PANEL_TEST, None, built, panel=[ANN, CAT])
    for marked in marker.mark(PANEL_TEST.units()):
        found.add(marked)
    for column in found.panel["em"]:
        column.cells = array("d", [0.0] * len(column.cells))
    marks = people_marks(found, "panel", PANEL_TEST.kind, FEW)
    assert (marks.units, marks.skipped) == (4, 0)


def test_em_and_f1_may_disagree_about_who_is_better() -> None:
    """People are near every time, the machine either hits or misses."""
    pairs = [(f"q{at}", "old copper kettle", "copper kettle") for at in range(4)]
    test = comprehension(*(passage(id, asked(id, one, other)) for id, one, other in pairs))
    hits = sat({"q0": "copper kettle", "q1": "old copper kettle", "q2": "boat", "q3": "boat"})
    people = readmark.mark(test, hits, settings=FEW).people
    assert people is not None
    em, f1 = people.marks["em"], people.marks["f1"]
    assert (em.machine, em.people) == (25, 0)
    assert (f1.machine, f1.people) == (pytest.approx(45), pytest.approx(80))
    assert em.ratio is None  # nothing can be divided by nobody's success
    assert f1.ratio == pytest.approx(0.5625)


def drcd_loop(file: Path) -> tuple[float, float, int]:
    """Each annotator's answer against the other's, by the official rules, question by question."""
    with gzip.open(file, "rt", encoding="utf-8") as stream:
        document = json.load(stream)
    em, f1 = [], []
    for article in document["data"]:
        for paragraph in article["paragraphs"]:
            for question in paragraph["qas"]:
                people: dict[str, list[str]] = {}
                for answer in question["answers"]:
                    people.setdefault(answer["id"], []).append(answer["text"])
                if len(people) < 2:
                    continue
                ems, f1s = [], []
                for name, own in people.items():
                    others = [text for one in people if one != name for text in people[one]]
                    ems.append(max(cmrc_em(other, own[0]) for other in others))
                    f1s.append(max(cmrc_f1(other, own[0]) for other in others))
                em.append(sum(ems) / len(ems))
                f1.append(sum(f1s) / len(f1s))
    return 100 * sum(em) / len(em), 100 * sum(f1) / len(f1), len(em)


@pytest.mark.golden
def test_drcd_people(shared: Path) -> None:
    file = shared / "data" / "drcd" / "dev.json.gz"
    test: Test = readmark.load(file)
    found = readmark.people(test, metrics=["em", "f1"], settings=FEW)
    em, f1, units = drcd_loop(file)
    assert units == 3524
    assert (found.units, found.skipped) == (units, 0)
    assert found.marks["em"].score == pytest.approx(em, abs=1e-6)
    assert found.marks["f1"].score == pytest.approx(f1, abs=1e-6)
    assert "profile:cmrc2018" in found.marks["f1"].signature


NAMED = (("ann", "kettle"), ("ben", "copper kettle"))
UNNAMED = ("kettle", "copper kettle")


@pytest.mark.parametrize(
    ("answers", "fields", "who"),
    [
        (NAMED, {}, "people"),
        (UNNAMED, {}, "references"),  # nobody says whose they are
        (("kettle", ("ben", "copper kettle")), {}, "references"),  # one person is named
        ((*NAMED, "pan"), {}, "people"),
        (NAMED, {"people": "authors"}, "references"),
        (UNNAMED, {"people": "three crowd workers a question"}, "people"),  # the header does
    ],
)
def test_answers_of_a_key_are_peoples_where_it_names_them(
    answers: tuple[tuple[str, str] | str, ...], fields: dict[str, str], who: str, tmp_path: Path
) -> None:
    test = comprehension(passage("p", asked("q", *answers)), language="en", fields=fields)
    sheet = tmp_path / "m.jsonl"
    marks = readmark.mark(test, sat({"q": "kettle"}), settings=FEW, marksheet=sheet)
    assert f"\n{who}: f1 " in marks.as_text()
    assert marks.as_json()["people"]["who"] == who
    assert f"compared with {who} (leave-one-out: " in marks.as_text(full=True)
    own = readmark.people(test, settings=FEW)
    assert own.as_text().startswith(f"{who} on made (leave-one-out)")
    assert own.as_json()["who"] == who
    assert standings(str(sheet)).rows[0].name == f"{who} (leave-one-out)"
    page = tmp_path / "r.html"
    readmark.report(sheet, path=page)
    html = page.read_text(encoding="utf-8")
    assert ("Machine against the references" in html) is (who == "references")
    assert ("Machine against people" in html) is (who == "people")


def test_a_panel_is_people_whoever_wrote_the_key() -> None:
    test = comprehension(passage("p", asked("q", *UNNAMED)), language="en")
    panel = sat({"q": "kettle"}, candidate="cat")
    marks = readmark.mark(test, sat({"q": "kettle"}), people=[panel], settings=FEW)
    assert marks.as_json()["people"]["who"] == "people"
    assert readmark.people(test, panel, settings=FEW).as_text().startswith("people on made (panel)")
