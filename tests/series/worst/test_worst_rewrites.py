"""The worst rewrites, and everything that got worse, on series worked by hand."""

import pytest

from readmark.core.test import Test
from readmark.series.records import Series
from readmark.series.strategies import first_golds
from readmark.series.worst.worst_rewrites import worst_rewrites
from rewritten_series import BORN, LIGHT, NONE_BORN, QUILL, made, question


def test_the_worst_come_first_with_every_metric() -> None:
    result = worst_rewrites(
        made(QUILL), {"k1": "When was Ned Quill born?", "k2": "Who founded the Press?"}
    )
    assert [rewrite.id for rewrite in result.worst()] == ["k1", "k2"]
    first, second = result.worst()
    assert (first.failure.name, second.failure.name) == ("wrong antecedent", "other words")
    assert (first.gold, first.target, first.score) == (BORN, "Marta Quill", first.marks["jaccard"])
    assert {"dice", "levenshtein", "jaro", "bleu", "chrf", "exact"} <= set(first.marks)
    assert sum(result.distribution()) == 2
    assert result.groups()["wrong antecedent"] == (1, first.score)


def test_the_documents_worst_rewrite() -> None:
    gold = "How many people were killed during the Hindenburg disaster"
    airship = Series(
        id="airship",
        target="Hindenburg disaster",
        questions=(
            question("a1", "How many people were on board?"),
            question("a2", "How many of them were killed", gold),
        ),
    )
    result = worst_rewrites(made(airship), {"a2": "How many of Hindenburg disaster were killed"})
    [rewrite] = result.worst()
    assert rewrite.score == pytest.approx((2 * 0.6 + 3 / 11) / 3, abs=1e-6)
    assert (rewrite.failure.name, rewrite.failure.missing) == ("wrong antecedent", ("people",))
    assert result.distribution()[9] == 1


def test_a_known_answer_in_a_rewrite_is_right() -> None:
    for metric in (None, "exact", "jaccard(u=1,b=0,t=0)"):
        rewrites = {"l1": "Who built the Skerry lighthouse?", "l2": "Where did Ned Ames die?"}
        result = worst_rewrites(made(LIGHT), rewrites, metric=metric)
        assert result.worst() == []
        assert result.groups() == {"perfect": (2, 1.0)}


def test_a_known_answer_is_in_the_gold_that_is_shown() -> None:
    [_, rewrite] = worst_rewrites(made(LIGHT), {"l2": "Where did the old Ned Ames die?"}).worst()
    assert rewrite.gold == "Where did Ned Ames die?"
    assert (rewrite.failure.name, rewrite.failure.extra) == ("over-expansion", ("old",))


def test_the_same_words_are_nearest_whatever_the_metric() -> None:
    golds = ("Was Ames known to Pell?", "Was Pell known to Ames?")
    two = Series(id="t", target="Pell", questions=(question("t1", "Who?", *golds),))
    for words in golds:
        assert worst_rewrites(made(two), {"t1": words}, metric="jaccard(u=1,b=0,t=0)").worst() == []


def test_an_unanswered_question_has_no_rewrite() -> None:
    result = worst_rewrites(made(QUILL), {"k1": BORN})
    assert [(rewrite.id, rewrite.failure.name, rewrite.score) for rewrite in result.worst()] == [
        ("k2", "no rewrite", 0.0)
    ]


def test_the_nearest_gold_is_shown(four: Test) -> None:
    rewrites = first_golds(four) | {"f2": "Who steers the old ferry?"}
    [rewrite] = worst_rewrites(four, rewrites).worst()
    assert rewrite.gold == "Who steers the ferry?"
    assert (rewrite.failure.name, rewrite.failure.extra) == ("over-expansion", ("old",))


def test_everything_that_got_worse_is_listed() -> None:
    before = {"k1": BORN, "k2": "Who founded the Press?"}
    after = {"k1": "When was she born?", "k2": "Who founded the Quill Press?"}
    result = worst_rewrites(made(QUILL), after, baseline=before)
    [worse] = result.worse
    assert (worse.id, worse.before, worse.rewrite_before) == ("k1", 1.0, BORN)
    assert worse.after == pytest.approx(NONE_BORN, abs=1e-6)
    assert result.better == 1
    assert result.as_json()["baseline"]["worse"][0]["id"] == "k1"
    assert not worst_rewrites(made(QUILL), after, baseline=after).worse


def test_a_small_loss_is_a_loss() -> None:
    # 5 of 6 words and 4 of 6 pairs, then 5 of 7 and 4 of 7.
    before, after = "Who founded the Quill Press then?", "Who founded the Quill Press then once?"
    result = worst_rewrites(
        made(QUILL), {"k1": BORN, "k2": after}, baseline={"k1": BORN, "k2": before}
    )
    [worse] = result.worse
    assert worse.before - worse.after == pytest.approx(
        (2 * (5 / 6 - 5 / 7) + (4 / 5 - 4 / 6)) / 3, abs=1e-6
    )
    assert worse.before - worse.after < 0.2


def test_another_metric_may_decide() -> None:
    result = worst_rewrites(
        made(QUILL), {"k1": "born Quill Marta was When", "k2": "Who?"}, metric="exact"
    )
    assert result.metric == "exact"
    assert [rewrite.score for rewrite in result.rewrites] == [0.0, 0.0]
