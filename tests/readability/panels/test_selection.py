"""The pool: what becomes of each candidate, and how those that are drawn are parted."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panel_candidates import candidate, candidates
from panel_judges import prose
from readmark.core.errors import DataError
from readmark.readability.panels.candidates import PanelCandidate
from readmark.readability.panels.selection import make_pool, pool_test


@given(
    st.integers(1, 40),
    st.integers(1, 12),
    st.fractions(0, 1, max_denominator=10),
    st.integers(0, 3),
)
def test_every_candidate_has_an_outcome_and_splits_are_balanced(
    count: int, per_genre: int, share: Fraction, seed: int
) -> None:
    pool = make_pool(candidates(count), per_genre=per_genre, test_share=share, seed=seed)
    outcomes = pool.outcomes
    assert [outcome.id for outcome in outcomes] == [f"c{index}" for index in range(count)]
    for genre, counts in pool.genres.items():
        in_genre = sum(outcome.genre == genre for outcome in outcomes)
        assert counts.candidates == in_genre
        assert counts.selected == min(per_genre, in_genre)
        assert counts.short == max(0, per_genre - in_genre)
    assert all(distance < 1 for distance in pool.deviation.values())
    assert {outcome.outcome for outcome in outcomes} <= {"selected", "not_drawn"}
    assert all((outcome.split is None) == (outcome.outcome != "selected") for outcome in outcomes)


def test_who_is_drawn_depends_on_the_seed_and_not_on_the_order() -> None:
    def drawn(passages: list[PanelCandidate], seed: int) -> set[str]:
        return {outcome.id for outcome in make_pool(passages, per_genre=5, seed=seed).selected}

    passages = candidates(30)
    assert drawn(passages, 1) == drawn(passages[::-1], 1)
    assert drawn(passages, 1) != drawn(passages, 2)


def test_the_test_keeps_the_original_and_names_the_rules() -> None:
    story = prose(3)
    original = replace(
        candidate("n", f"MARLOW, March 3 (Agency) -- {story}", "newswire"),
        licence="CC0-1.0",
        fields={"author": "ada"},
    )
    [record] = pool_test(make_pool([original], per_genre=None), name="x").records()
    assert record.text == story
    assert record.fields["original"] == {"text": original.text, "rules": ["dateline"]}
    assert record.fields["author"] == "ada"
    plain = pool_test(make_pool([original], per_genre=None, format_texts=False), name="x")
    [record] = plain.records()
    assert record.text == original.text
    assert "original" not in record.fields
    assert plain.header.licence == "CC0-1.0"


def test_a_pool_of_nothing_is_refused() -> None:
    pool = make_pool([candidate("e", ""), candidate("s", "A boat.")], per_genre=None)
    reason = r"^f: no candidate was kept \(empty 1, too_short 1\); the rules are --least"
    with pytest.raises(DataError, match=reason):
        pool_test(pool, name="x")


def test_a_topic_in_the_file_stays() -> None:
    [outcome] = make_pool(candidates(1), per_genre=None).outcomes
    assert (outcome.topic, outcome.topic_by) == ("sports", "given")


def test_rules_are_counted_over_candidates() -> None:
    passages = [candidate(str(index), f">> {prose(index)}", "caption") for index in range(3)]
    assert make_pool(passages, per_genre=1).rules == Counter({"caption_marks": 3})


def test_an_article_is_in_one_split() -> None:
    passages = [replace(passage, article="one article") for passage in candidates(4)]
    pool = make_pool(passages, per_genre=None)
    [split] = {outcome.split for outcome in pool.selected}
    assert pool.together == {"one article": split}
    assert pool.as_json()["articles_kept_whole"] == {"one article": split}
    assert f"now in one split: 1 (one article → {split})" in pool.as_text()
    assert make_pool(passages, per_genre=None, test_share=Fraction(0)).together == {}


@pytest.mark.parametrize("seed", range(5))
def test_whole_articles_stay_near_the_share(seed: int) -> None:
    """Articles of three passages each among single ones: none divided, and the halves are equal."""
    passages = [
        replace(passage, article=f"a{index // 3}" if index < 12 else None)
        for index, passage in enumerate(candidates(36))
    ]
    pool = make_pool(passages, per_genre=None, seed=seed)
    splits_of: dict[str, set[str | None]] = {}
    for outcome in pool.selected:
        if (article := pool.originals[outcome.id].article) is not None:
            splits_of.setdefault(article, set()).add(outcome.split)
    assert len(splits_of) == 4
    assert all(len(splits) == 1 for splits in splits_of.values())
    tested = sum(outcome.split == "test" for outcome in pool.selected)
    assert 2 * tested == len(pool.selected) == 36
    assert max(pool.deviation.values()) <= 1.5
    again = make_pool(passages[::-1], per_genre=None, seed=seed)
    assert {outcome.id: outcome.split for outcome in again.selected} == {
        outcome.id: outcome.split for outcome in pool.selected
    }
