"""The pool: what candidates are read from, what becomes of each, and how the drawn are parted."""

import csv
import json
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panel_judges import prose
from readmark.core.errors import DataError
from readmark.core.fingerprint import text_id
from readmark.formats.passage_decisions import Decisions
from readmark.formats.sheets import read_rows, write_sheet
from readmark.readability.panels.candidates import (
    GENERAL,
    CandidateFile,
    PanelCandidate,
    read_candidates,
    topic_of,
    topics,
)
from readmark.readability.panels.formatting.rules import Standard
from readmark.readability.panels.pool import PoolSettings, pool
from readmark.readability.panels.selection import (
    COLUMNS,
    PassageLimits,
    Vetted,
    doubts,
    make_pool,
    pool_test,
    vetting_rows,
)


def candidates(
    count: int = 12, genres: tuple[str, ...] = ("forum", "caption")
) -> list[PanelCandidate]:
    return [
        PanelCandidate(
            id=f"c{at}",
            text=prose(at),
            genre=genres[at % len(genres)],
            file="f",
            where=str(at),
            topic=("sports", "health", "business")[at % 3],
        )
        for at in range(count)
    ]


@given(
    st.integers(1, 40),
    st.integers(1, 12),
    st.fractions(0, 1, max_denominator=10),
    st.integers(0, 3),
)
def test_every_candidate_has_an_outcome_and_splits_are_balanced(
    count: int, each: int, share: Fraction, seed: int
) -> None:
    pool = make_pool(candidates(count), per_genre=each, test_share=share, seed=seed)
    assert [one.id for one in pool.outcomes] == [f"c{at}" for at in range(count)]
    for genre, one in pool.genres.items():
        of = [each_ for each_ in pool.outcomes if each_.genre == genre]
        assert one.candidates == len(of)
        assert one.selected == min(each, len(of))
        assert one.short == max(0, each - len(of))
    assert all(value < 1 for value in pool.deviation.values())
    assert {one.outcome for one in pool.outcomes} <= {"selected", "not_drawn"}
    assert all((one.split is None) == (one.outcome != "selected") for one in pool.outcomes)


def test_who_is_drawn_depends_on_the_seed_and_not_on_the_order() -> None:
    def drawn(given: list[PanelCandidate], seed: int) -> set[str]:
        return {one.id for one in make_pool(given, per_genre=5, seed=seed).selected}

    given = candidates(30)
    assert drawn(given, 1) == drawn(given[::-1], 1)
    assert drawn(given, 1) != drawn(given, 2)


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("", "en", {"empty"}),
        (" \n ", "en", {"empty"}),
        (prose(1), "en", set()),
        (prose(1, 49), "en", {"too_short"}),
        (prose(1, 401), "en", {"too_long"}),
        (prose(1), "zh", {"wrong_language"}),
        ("河水上涨，鸟飞走了。" * 10, "zh", set()),
        ("河水上涨，鸟飞走了。" * 10, "en", {"wrong_language"}),
        ("Der Hund bellt, weil niemand mit ihm hinausgeht. " * 8, "en", {"wrong_language"}),
    ],
)
def test_what_rules_doubt(text: str, language: str, expected: set[str]) -> None:
    assert set(doubts(text, PassageLimits(language=language))) == expected


def test_of_two_that_are_alike_the_first_stays() -> None:
    one, two, *_ = candidates()
    twin = PanelCandidate(id="twin", text=one.text + " Yes.", genre="forum", file="f", where="")
    third = PanelCandidate(id="third", text=one.text + " No.", genre="forum", file="f", where="")
    pool = make_pool([one, two, twin, third], per_genre=None)
    gone = {each.id: each.reasons for each in pool.outcomes if each.outcome == "discarded"}
    assert set(gone) == {"twin", "third"}
    assert gone["twin"][0].startswith("near_duplicate: resembles c0 by 0.9")


def test_which_of_two_stays_does_not_depend_on_the_order() -> None:
    one, two, *_ = candidates()
    twin = PanelCandidate(id="b", text=one.text + " Yes.", genre="forum", file="f", where="")
    given = [one, two, twin]
    kept = [
        {each.id for each in make_pool(some, per_genre=None).selected}
        for some in (given, given[::-1])
    ]
    assert kept == [{"b", two.id}] * 2
    assert [each.id for each in make_pool(given[::-1], per_genre=None).outcomes] == [
        each.id for each in given[::-1]
    ]


def decided(path: Path, rows: list[tuple[str, str, str]]) -> Decisions:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("id", "decision", "reason"))
        writer.writerows(rows)
    return Decisions([path])


def test_people_go_before_rules_and_nothing_can_keep_an_empty_text(tmp_path: Path) -> None:
    given = [
        *candidates(2),
        PanelCandidate(id="short", text="Too short to see.", genre="forum", file="f", where=""),
        PanelCandidate(id="empty", text="", genre="forum", file="f", where=""),
        PanelCandidate(id="brief", text="As short as that.", genre="forum", file="f", where=""),
    ]
    rows = [("c0", "discard", "an advert"), ("short", "keep", ""), ("empty", "keep", "")]
    pool = make_pool(given, per_genre=None, decisions=decided(tmp_path / "ann.csv", rows))
    assert {one.id: (one.outcome, one.reasons) for one in pool.outcomes} == {
        "c0": ("discarded", ("ann: an advert",)),
        "c1": ("selected", ()),
        "short": ("selected", ()),
        "empty": ("discarded", ("empty: there is no text",)),
        "brief": ("discarded", ("too_short: 4 words, expected 50 at least",)),
    }


def test_a_sheet_has_every_candidate_and_comes_back(tmp_path: Path) -> None:
    pool = make_pool(candidates(4), per_genre=None)
    path = tmp_path / "ann.csv"
    write_sheet(path, COLUMNS, vetting_rows(pool))
    rows = [row for _, row in read_rows(path)]
    assert [row["id"] for row in rows] == ["c0", "c1", "c2", "c3"]
    assert all(row["version"] == text_id(row["passage"]) for row in rows)
    sheet = path.read_text(encoding="utf-8")
    path.write_text(sheet.replace("c2,forum,,", "c2,forum,discard,spam"), encoding="utf-8")
    again = make_pool(candidates(4), per_genre=None, decisions=Decisions([path]))
    assert [one.id for one in again.outcomes if one.outcome == "discarded"] == ["c2"]


def test_a_sheet_has_what_is_left_to_vet_and_none_is_written_for_nothing(tmp_path: Path) -> None:
    texts = tmp_path / "forum.jsonl"
    lines = [{"id": one.id, "text": one.text} for one in candidates(2)]
    lines.append({"id": "empty", "text": " "})
    texts.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    files = [CandidateFile(str(texts), "forum")]
    sheet = tmp_path / "sheet.csv"
    first = pool(files, sheet=str(sheet))
    assert [row["id"] for _, row in read_rows(sheet)] == ["c0", "c1"]
    assert first.written["sheet"] == str(sheet)

    vetted = tmp_path / "ann.csv"
    decided(vetted, [("c0", "keep", "")])
    pool(files, sheet=str(sheet), settings=PoolSettings(vetted=[str(vetted)]))
    assert [row["id"] for _, row in read_rows(sheet)] == ["c1"]

    decided(vetted, [("c0", "keep", ""), ("c1", "discard", "an advert")])
    done = pool(files, sheet=str(sheet), settings=PoolSettings(vetted=[str(vetted)]))
    assert f"nothing to vet: {sheet} not written" in done.notes
    assert done.written["sheet"] is None
    assert not sheet.exists()  # the blank one of before would be taken for a new one


def test_no_version_on_a_sheet_can_be_taken_for_a_number() -> None:
    texts = {str(at): prose(at) for at in range(3000)}
    numbers = {id for id, text in texts.items() if re.fullmatch(r"\d+(e\d+)?", text_id(text))}
    assert numbers
    given = candidates(1)
    pool = replace(
        make_pool(given, per_genre=None),
        texts={id: Standard(text, ()) for id, text in texts.items()},
        originals=dict.fromkeys(texts, given[0]),
        vetted=dict.fromkeys(texts, Vetted(True, (), {}, ())),
    )
    rows = vetting_rows(pool)
    assert {id for id, *_, version in rows if not version} == numbers


def test_a_decision_on_a_passage_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="the pool has no passage 'nobody'"):
        make_pool(
            candidates(2),
            per_genre=None,
            decisions=decided(tmp_path / "a.csv", [("nobody", "keep", "")]),
        )


def test_the_test_keeps_the_original_and_names_the_rules() -> None:
    story = prose(3)
    given = PanelCandidate(
        id="n",
        text=f"MARLOW, March 3 (Agency) -- {story}",
        genre="newswire",
        file="f",
        where="",
        licence="CC0-1.0",
        fields={"author": "ada"},
    )
    [record] = pool_test(make_pool([given], per_genre=None), name="x").records()
    assert record.text == story
    assert record.fields["original"] == {"text": given.text, "rules": ["dateline"]}
    assert record.fields["author"] == "ada"
    plain = pool_test(make_pool([given], per_genre=None, format_texts=False), name="x")
    [record] = plain.records()
    assert record.text == given.text
    assert "original" not in record.fields
    assert plain.header.licence == "CC0-1.0"


def test_a_pool_of_nothing_is_refused() -> None:
    empty = PanelCandidate(id="e", text="", genre="forum", file="f", where="")
    short = PanelCandidate(id="s", text="A boat.", genre="forum", file="f", where="")
    why = r"^f: no candidate was kept \(empty 1, too_short 1\); the rules are --least"
    with pytest.raises(DataError, match=why):
        pool_test(make_pool([empty, short], per_genre=None), name="x")


def test_files_of_all_sorts(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(
        json.dumps({"id": 1, "text": "One.", "genre": "forum", "topic": "sports", "by": "ada"})
        + "\n"
        + json.dumps({"text": "No id.", "genre": "forum"})
        + "\n",
        encoding="utf-8",
    )
    (tmp_path / "b.csv").write_text("id,text,genre\nx,Two.,weblog\n", encoding="utf-8")
    (tmp_path / "c.txt").write_bytes("Drei Käse.".encode("cp1252"))
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "e.txt").write_text("Five.", encoding="utf-8")
    (tmp_path / "d" / "f.txt").write_text("Six.", encoding="utf-8")
    (tmp_path / "t.jsonl").write_text(
        '{"readmark":1,"kind":"comprehension","name":"t","licence":"CC0-1.0"}\n'
        '{"id":"p","text":"Seven.","genre":"newswire","questions":[]}\n',
        encoding="utf-8",
    )
    given = [
        CandidateFile(str(tmp_path / "a.jsonl")),
        CandidateFile(str(tmp_path / "b.csv")),
        CandidateFile(str(tmp_path / "c.txt"), "caption"),
        CandidateFile(str(tmp_path / "d"), "transcript"),
        CandidateFile(str(tmp_path / "t.jsonl"), "encyclopaedia"),
    ]
    found = {one.id: one for one in read_candidates(given)}
    assert {id: (one.genre, one.text) for id, one in found.items()} == {
        "1": ("forum", "One."),
        text_id("No id."): ("forum", "No id."),
        "x": ("weblog", "Two."),
        "c": ("caption", "Drei Käse."),
        "e": ("transcript", "Five."),
        "f": ("transcript", "Six."),
        "p": ("encyclopaedia", "Seven."),
    }
    assert found["1"].topic == "sports"
    assert found["1"].fields == {"by": "ada"}
    assert found["p"].licence == "CC0-1.0"


def test_ids_of_several_files_are_told_apart_and_twins_of_one_refused(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text(f"id,text,genre\nx,{name},forum\n", encoding="utf-8")
    files = [CandidateFile(str(tmp_path / f"{name}.csv")) for name in ("a", "b")]
    assert [one.id for one in read_candidates(files)] == ["a-x", "b-x"]
    (tmp_path / "a.csv").write_text("id,text,genre\nx,1,forum\nx,2,forum\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"a\.csv:2: id 'x' occurs twice"):
        read_candidates(files)


def test_a_candidate_without_a_genre_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,text\nx,1\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"a\.csv:2: passage 'x' has no genre"):
        read_candidates([CandidateFile(str(tmp_path / "a.csv"))])


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("The striker scored twice before the referee ended the match.", "en", "sports"),
        ("Nurses gave the patients a vaccine against the virus.", "en", "health"),
        ("The council voted after the minister resigned.", "en", "current_events"),
        ("A minister and a vote, a nurse and her ward.", "en", GENERAL),
        ("A company.", "en", GENERAL),
        ("Nothing much happened.", "en", GENERAL),
        ("", "en", GENERAL),
        ("球队在决赛中靠点球获得冠军。", "zh", "sports"),
        ("医生给病人接种疫苗。", "zh", "health"),
        ("没有什么事。", "zh", GENERAL),
    ],
)
def test_topics_by_words(text: str, language: str, expected: str) -> None:
    assert topic_of(text, language) == expected
    assert expected in topics(language)


def test_a_topic_that_is_given_stays() -> None:
    one, *_ = candidates(1)
    [outcome] = make_pool([one], per_genre=None).outcomes
    assert (outcome.topic, outcome.topic_by) == ("sports", "given")


def test_rules_are_counted_over_candidates() -> None:
    given = [
        PanelCandidate(id=str(at), text=f">> {prose(at)}", genre="caption", file="f", where="")
        for at in range(3)
    ]
    assert make_pool(given, per_genre=1).rules == Counter({"caption_marks": 3})


def test_an_article_is_in_one_split() -> None:
    given = [replace(one, article="one article") for one in candidates(4)]
    pool = make_pool(given, per_genre=None)
    [split] = {outcome.split for outcome in pool.selected}
    assert pool.together == {"one article": split}
    assert pool.as_json()["articles_kept_whole"] == {"one article": split}
    assert f"now in one split: 1 (one article → {split})" in pool.as_text()
    assert make_pool(given, per_genre=None, test_share=Fraction(0)).together == {}


@pytest.mark.parametrize("seed", range(5))
def test_whole_articles_stay_near_the_share(seed: int) -> None:
    """Articles of three passages each among single ones: none divided, and the halves are equal."""
    given = [
        replace(one, article=f"a{at // 3}" if at < 12 else None)
        for at, one in enumerate(candidates(36))
    ]
    pool = make_pool(given, per_genre=None, seed=seed)
    sides: dict[str, set[str | None]] = {}
    for outcome in pool.selected:
        if (article := pool.originals[outcome.id].article) is not None:
            sides.setdefault(article, set()).add(outcome.split)
    assert len(sides) == 4
    assert all(len(splits) == 1 for splits in sides.values())
    tested = sum(outcome.split == "test" for outcome in pool.selected)
    assert 2 * tested == len(pool.selected) == 36
    assert max(pool.deviation.values()) <= 1.5
    again = make_pool(given[::-1], per_genre=None, seed=seed)
    assert {one.id: one.split for one in again.selected} == {
        one.id: one.split for one in pool.selected
    }
