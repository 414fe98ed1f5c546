"""A machine among raters: a table worked by hand, copies of raters, and what is refused."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import readmark
from examination import Run
from panel_files import NOVICES, passage, write_lines, write_machine, write_novice, write_test
from readmark.core.errors import DataError, UsageError
from readmark.core.records import Unit
from readmark.marking.settings import MarkSettings
from readmark.readability.kind import Rating
from readmark.readability.panels.equivalence import PeerVerdict, judge_machine
from readmark.readability.panels.peer_comparison import compare_with_peers
from readmark.readability.panels.peer_ratings import PeerRatings
from readmark.readability.panels.synthetic_judges import Draws, JudgeTraits, qualities, rate

FEW = MarkSettings(draws=50)
RATERS = {"ann": (1, 2, 3, 4), "bo": (1, 3, 3, 5), "cy": (2, 2, 4, 4)}
MACHINE = (1, 2, 4, 5)


def ids(ratings: Sequence[float | None]) -> dict[str, float]:
    return {f"p{index}": rating for index, rating in enumerate(ratings) if rating is not None}


def compare(
    folder: Path,
    raters: Mapping[str, Sequence[float | None]] = RATERS,
    machine: Sequence[float | None] = MACHINE,
    **options: Any,
) -> Any:
    records = [passage(index, {}) for index in range(len(machine))]
    test = readmark.load(write_test(folder / "test.jsonl", records))
    people: list[Path] = []
    for name, ratings in raters.items():  # in folders, since Ann.jsonl may be ann.jsonl
        of_rater = folder / f"{len(people)}"
        of_rater.mkdir(exist_ok=True)
        people.append(write_novice(of_rater, name, ids(ratings)))
    sitting = write_machine(folder / "machine.json", ids(machine))
    return compare_with_peers(test, [sitting], people, **{"settings": FEW, **options})


def judge(ratings: np.ndarray, machine: np.ndarray, metric: str, margin: float) -> PeerVerdict:
    passages, raters = ratings.shape
    units = [Unit(f"p{index}", f"p{index}", None, None) for index in range(passages)]
    names = [f"r{index}" for index in range(raters)]
    machine_ratings = [(Rating(rating=float(rating), annotator=""),) for rating in machine]
    peers = PeerRatings(units, names, ratings.astype(float))
    settings = MarkSettings(draws=1)
    return judge_machine(peers, machine_ratings, metric, margin=margin, settings=settings)


def test_a_folder_of_sittings_is_its_raters(tmp_path: Path) -> None:
    """As `panel collect --novices` writes it, with pseudonyms that have spaces."""
    alone = compare(tmp_path)
    folder = tmp_path / "novices"
    folder.mkdir()
    for name, ratings in RATERS.items():
        write_novice(folder, f"Calm {name}", ids(ratings))
    (folder / ".DS_Store").write_bytes(b"x")
    test = readmark.load(tmp_path / "test.jsonl")
    with_folder = compare_with_peers(test, [tmp_path / "machine.json"], [folder], settings=FEW)
    from_files, from_folder = (
        json.dumps(tables.as_json()["machines"]) for tables in (alone, with_folder)
    )
    assert from_folder.replace("Calm ", "") == from_files


def test_a_table_worked_by_hand(tmp_path: Path) -> None:
    [line] = compare(tmp_path).machines
    verdict = line.verdicts["score_difference"]
    # Without ann the others' means are 1.5, 2.5, 3.5, 4.5; without bo 1.5, 2, 3.5, 4; without
    # cy 1, 2.5, 3, 4.5.
    assert {peer.rater: (-peer.rater_figure, -peer.machine_figure) for peer in verdict.each} == {
        "ann": (0.5, 0.5),
        "bo": (0.75, 0.5),
        "cy": (0.75, 0.5),
    }
    assert (-verdict.machine, -verdict.raters) == pytest.approx((0.5, 2 / 3))
    assert verdict.rank == 1  # level with ann, ahead of the others
    assert [peer.place for peer in verdict.each] == [0, -1, -1]
    # The machine is nearer by 1/3 on two of the passages.
    gaps = [1 / 3, 1 / 3, 0.0, 0.0]
    test = verdict.test
    assert test is not None
    assert test.difference == pytest.approx(1 / 6)
    assert test.p_lower == pytest.approx(
        stats.ttest_1samp(gaps, -0.1, alternative="greater").pvalue
    )
    assert test.p_upper == pytest.approx(stats.ttest_1samp(gaps, 0.1, alternative="less").pvalue)
    assert verdict.verdict == "cannot tell"
    low, high = verdict.interval
    assert low is not None
    assert high is not None
    assert 0 <= low < 1 / 6 < high <= 1 / 3


@pytest.mark.parametrize(
    ("metric", "correlation"),
    [
        ("pearson", stats.pearsonr),
        ("spearman", stats.spearmanr),
        ("kendall", stats.kendalltau),
    ],
)
@pytest.mark.parametrize("reference", ["mean", "median"])
def test_correlations_are_those_of_scipy(
    tmp_path: Path, metric: str, correlation: Any, reference: str
) -> None:
    raters = {**RATERS, "dee": (5, 2, 3, 3), "eli": (2, 1, 1, 5)}
    [line] = compare(tmp_path, raters, metrics=[metric], reference=reference).machines
    verdict = line.verdicts[metric]
    combined = {"mean": np.mean, "median": np.median}[reference]
    for peer in verdict.each:
        others = [ratings for name, ratings in raters.items() if name != peer.rater]
        gold = combined(others, axis=0)
        assert peer.rater_figure == pytest.approx(correlation(raters[peer.rater], gold)[0])
        assert peer.machine_figure == pytest.approx(correlation(MACHINE, gold)[0])
    assert verdict.raters == pytest.approx(np.mean([peer.rater_figure for peer in verdict.each]))


def test_whole_panels_in_every_order_give_the_same(tmp_path: Path) -> None:
    turned = dict(reversed(RATERS.items()))
    assert compare(tmp_path).as_json() == compare(tmp_path, turned).as_json()


def test_the_raters_may_be_the_key(tmp_path: Path) -> None:
    from_sittings = compare(tmp_path)
    test = write_test(tmp_path / "keyed.jsonl", [passage(index, RATERS) for index in range(4)])
    keyed = compare_with_peers(readmark.load(test), [tmp_path / "machine.json"], settings=FEW)
    assert keyed.as_json()["machines"] == from_sittings.as_json()["machines"]


stars = st.integers(1, 5)


@st.composite
def panels(draw: st.DrawFn) -> np.ndarray:
    passages, raters = draw(st.integers(2, 9)), draw(st.integers(3, 5))
    row = st.lists(stars, min_size=raters, max_size=raters)
    return np.array(draw(st.lists(row, min_size=passages, max_size=passages)))


@given(panels(), st.data(), st.sampled_from(["score_difference", "pearson", "spearman"]))
def test_the_copy_of_a_rater_is_never_called_worse(
    ratings: np.ndarray, data: st.DataObject, metric: str
) -> None:
    copied = data.draw(st.integers(0, ratings.shape[1] - 1))
    verdict = judge(ratings, ratings[:, copied], metric, 0.1)
    assert verdict.verdict != "worse"
    peer = verdict.each[copied]
    assert peer.test is None or (
        peer.place == 0 and peer.test.verdict in ("equivalent", "cannot tell")
    )


def test_the_copy_of_a_rater_who_turns_the_scale_round_is_below_average() -> None:
    quality = qualities(40, Draws(2))
    ratings = rate(quality, 6, JudgeTraits(bias=0.0, noise=0.3), Draws(3)).ratings
    ratings[:, 5] = 6 - ratings[:, 5]
    for metric in ("score_difference", "pearson", "spearman"):
        copy = judge(ratings, ratings[:, 5], metric, 0.1)
        assert (copy.verdict, copy.rank) == ("below average", 6)
        assert judge(ratings, 6 - np.round(quality), metric, 0.1).rank is not None
        assert judge(ratings[:, :5], ratings[:, 5], metric, 0.1).verdict == "worse"


def difference(ratings: np.ndarray, machine: np.ndarray) -> float:
    """The mean over raters of their distances minus the machine's, in a loop."""
    total = 0.0
    for rater in range(ratings.shape[1]):
        gold = np.delete(ratings, rater, axis=1).mean(axis=1)
        total += np.abs(ratings[:, rater] - gold).mean() - np.abs(machine - gold).mean()
    return float(total / ratings.shape[1])


def simulated(passages: int, noise: float, draws: Draws) -> tuple[np.ndarray, np.ndarray]:
    quality = qualities(passages, draws)
    ratings = rate(quality, 4, JudgeTraits(bias=0.0), draws).ratings
    machine = rate(quality, 1, JudgeTraits(bias=0.0, noise=noise), draws).ratings[:, 0]
    return ratings, machine


def test_a_machine_at_the_edge_of_the_margin_is_seldom_called_equivalent() -> None:
    truth = difference(*simulated(40_000, 1.1, Draws(1)))
    assert truth < -0.1
    draws = Draws(2)
    tests = [judge(*simulated(40, 1.1, draws), "score_difference", -truth) for _ in range(150)]
    share = np.mean([verdict.verdict == "equivalent" for verdict in tests])
    assert 0 < share < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 150)
    # With a margin that is wider most are: the test does call machines equivalent.
    wide = [judge(*simulated(40, 1.1, draws), "score_difference", -2.5 * truth) for _ in range(30)]
    assert np.mean([verdict.verdict == "equivalent" for verdict in wide]) > 0.8


def test_missing_ratings_leave_out_a_rater_there_and_passages_with_fewer_than_three(
    tmp_path: Path,
) -> None:
    raters: dict[str, Sequence[float | None]] = {
        **{name: (*ratings, None) for name, ratings in RATERS.items()},
        "dee": (None, 3, 3, 4, 5),
    }
    tables = compare(tmp_path, raters, (*MACHINE, 3))
    notes = "\n".join(tables.notes)
    assert "left out, fewer than 3 raters: 1 (p4)" in notes
    assert "dee did not rate 1 (p0); the rest counts" in notes
    verdict = tables.machines[0].verdicts["score_difference"]
    assert [peer.passages for peer in verdict.each] == [4, 4, 4, 3]
    dee = verdict.each[3]
    gold = np.array([7 / 3, 10 / 3, 13 / 3])
    assert -dee.rater_figure == pytest.approx(np.abs(gold - [3, 3, 4]).mean())
    assert -dee.machine_figure == pytest.approx(np.abs(gold - [2, 4, 5]).mean())  # on her passages


def test_a_constant_rater_has_no_correlation(tmp_path: Path) -> None:
    tables = compare(tmp_path, {**RATERS, "dee": (3, 3, 3, 3)})
    note = "pearson: without dee: undefined: the ratings are all the same"
    assert f"{tmp_path / 'machine.json'}: {note}" in tables.notes
    verdicts = tables.machines[0].verdicts
    assert [peer.rater for peer in verdicts["pearson"].counted] == ["ann", "bo", "cy"]
    assert len(verdicts["score_difference"].counted) == 4


def test_a_constant_machine_has_no_correlation_and_no_verdict_by_it(tmp_path: Path) -> None:
    tables = compare(tmp_path, machine=(3, 3, 3, 3))
    file = tmp_path / "machine.json"
    assert f"{file}: pearson: the machine: undefined: the ratings are all the same" in tables.notes
    pearson = tables.as_json()["machines"]["machine"]["metrics"]["pearson"]
    assert (pearson["machine"], pearson["p"], pearson["verdict"]) == (None, None, "cannot tell")


def test_an_unanswered_passage_gets_the_worst_distance(tmp_path: Path) -> None:
    tables = compare(tmp_path, machine=(1, 2, 4, None))
    assert f"{tmp_path / 'machine.json'}: unanswered: 1 (p3)" in tables.notes
    verdicts = tables.machines[0].verdicts
    ann = verdicts["score_difference"].each[0]
    assert -ann.machine_figure == pytest.approx((0.5 + 0.5 + 0.5 + 3.5) / 4)  # 4.5 is 3.5 from 1
    assert verdicts["pearson"].test is None


def test_a_margin_that_one_rating_for_all_is_within(tmp_path: Path) -> None:
    # 3 for all is 1 star from the others' means, whoever is left out; the raters are 2/3 off.
    assert not [note for note in compare(tmp_path).notes if "every passage" in note]
    [note] = [note for note in compare(tmp_path, margin=0.4).notes if "every passage" in note]
    assert "rating every passage 3 would be 0.33 stars farther from the others" in note


@pytest.mark.parametrize(
    ("raters", "message"),
    [
        ({"ann": (1, 2), "bo": (2, 3)}, "takes 3 raters or more, found 2 (ann, bo)"),
        (
            {"ann": (1, 2, None, None), "bo": (2, 3, None, None), "cy": (None, None, 1, 3)},
            "0 passages have 3 raters or more, expected 2 or more: the raters rated different "
            "passages (at most 2 the same)",
        ),
        ({**RATERS, "dee": (None, None, None, None)}, "'dee' rated no passage of"),
        ({**RATERS, "Ann": (1, 2, 3, 4)}, "'Ann' is also the rater of"),
        (
            {**RATERS, "dee": (1, 2, 3, 4000)},
            "p3: the rating 4000 is far off the scale",
        ),
    ],
)
def test_raters_that_cannot_be_compared(
    tmp_path: Path, raters: Mapping[str, Sequence[float | None]], message: str
) -> None:
    with pytest.raises(DataError) as caught:
        compare(tmp_path, raters)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_arguments_that_are_refused(tmp_path: Path) -> None:
    for options, message in (
        ({"metrics": ["f1"]}, "metric 'f1' does not compare raters; known: score_difference, "),
        ({"margin": 0.0}, "margin 0 is not above 0"),
        ({"reference": "mode"}, "reference 'mode' is not one of mean|median"),
    ):
        with pytest.raises(UsageError, match=message.replace("|", r"\|")):
            compare(tmp_path, **options)


def test_the_command(tmp_path: Path, readmark_cli: Run) -> None:
    test = write_test(tmp_path / "test.jsonl", [passage(index, {}) for index in range(6)])
    names = list(NOVICES)
    rows = [",".join(["passage", *names])]
    for index in range(6):
        rows.append(",".join([f"p{index}", *(str(NOVICES[name][f"p{index}"]) for name in names)]))
    table = tmp_path / "class.csv"
    table.write_text("\n".join(rows), encoding="utf-8")
    machine = write_machine(tmp_path / "machine.json")
    args = ("panel", "mark", str(test), str(machine), "--novice", str(table))
    result = readmark_cli(*args, "--json")
    assert result.returncode == 0
    document = json.loads(result.stdout)
    assert document["raters"] == ["dee", "eli", "fay"]
    figures = document["machines"]["machine"]["metrics"]["score_difference"]
    assert figures["of"] == 4
    assert set(figures["each"]) == {"dee", "eli", "fay"}
    assert "6 passages (< 10)" in result.stderr
    full = readmark_cli(*args, "--full").stdout
    assert all(text in full for text in ("machine: better", "dee", "signature"))
    few = readmark_cli("panel", "mark", str(test), str(machine))
    assert (few.returncode, few.stdout) == (2, "")
    assert "has no ratings in its key: give people's sittings as --novice" in few.stderr
    header = {"readmark": 1, "file": "sitting", "kind": "readability", "candidate": "half"}
    half = tmp_path / "half.jsonl"
    write_lines(half, [header, {"id": "p0", "rating": 3}, {"id": "p1", "error": "no reply"}])
    failed = readmark_cli("panel", "mark", str(test), str(half), "--novice", str(table))
    assert failed.returncode == 1
    assert "half: error rows: 1 (p1)" in failed.stderr


CLASS = ("walks.jsonl", "tortoise.json", "--novice", "class.csv")
KEY = (
    "{bundle}/readability.en.jsonl",
    "{bundle}/readability.en.people/synthetic-novice-1.jsonl",
    "-m",
    "kendall",
    "-m",
    "score_difference",
    "--margin",
    "0.2",
    "--reference",
    "median",
    "--draws",
    "200",
)


@pytest.mark.parametrize(("args", "name"), [(CLASS, "class"), (KEY, "key")])
def test_the_numbers_are_those_of_0_5(args: Sequence[str], name: str, readmark_cli: Run) -> None:
    """`raters-0.5.json` has what `panel raters` of 0.5 printed for the same files."""
    root = Path(__file__).resolve().parents[3]
    bundle = root / "src" / "readmark" / "bundle"
    parts = [part.format(bundle=bundle) for part in args]
    result = readmark_cli("panel", "mark", *parts, "--json", cwd=root / "docs" / "examples")
    assert result.returncode == 0, result.stderr
    document = json.loads(result.stdout)
    for metric, signature in document["signatures"].items():
        document["signatures"][metric] = signature.rpartition("|readmark:")[0]
    stored = json.loads(Path(__file__).with_name("raters-0.5.json").read_text("utf-8"))
    assert document == stored[name]


def test_experts_in_the_key_can_be_set_aside(tmp_path: Path, readmark_cli: Run) -> None:
    test = write_test(tmp_path / "test.jsonl")
    keyless = write_test(tmp_path / "keyless.jsonl", [passage(index, {}) for index in range(6)])
    machine = write_machine(tmp_path / "machine.json")
    novices = [
        f"--novice={write_novice(tmp_path, name, ratings)}" for name, ratings in NOVICES.items()
    ]
    with_experts, without, keyless_too = (
        json.loads(readmark_cli("panel", "mark", *args, machine, *novices, "--json").stdout)
        for args in ((test,), (test, "--no-experts"), (keyless,))
    )
    assert set(with_experts["raters"]) == {"machine"}
    assert without["raters"] == ["dee", "eli", "fay"]
    assert without["machines"] == keyless_too["machines"]
