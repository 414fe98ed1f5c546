"""The learned rewriter as a candidate: rows, evidence, signature and languages."""

from pathlib import Path

import pytest

from readmark.core.errors import DataError, UsageError
from readmark.core.kinds import kind_named
from readmark.core.records import Unit
from readmark.core.sitting import Row
from readmark.hooks import Candidate
from readmark.series.learned import fingerprint, load_confidence
from readmark.series.records import Series, SeriesQuestion
from readmark.sitting.candidates import CANDIDATES


def prepared(name: str = "learned", language: str = "en") -> Candidate:
    _, built = CANDIDATES.build(name)
    candidate: Candidate = built
    candidate.prepare(kind_named("series"), language)
    return candidate


def replies(
    target: str, *asked: SeriesQuestion, name: str = "learned", language: str = "en"
) -> list[Row]:
    record = Series(id="s", target=target, questions=asked)
    return list(prepared(name, language).answer(Unit(one.id, "s", record, one) for one in asked))


def question(at: int, text: str, *previous: str, category: str | None = None) -> SeriesQuestion:
    return SeriesQuestion(id=f"q{at}", text=text, previous=previous, category=category)


def test_a_row_has_the_rewrite_and_what_decided() -> None:
    first, second = replies(
        "", question(1, "What is a lamp beetle?"), question(2, "Where does it live?")
    )
    assert first.rewrite == "What is a lamp beetle?"
    assert second.rewrite == "Where does a lamp beetle live?"
    assert second.evidence is not None
    assert second.evidence["edits"][0]["now"] == "a lamp beetle"
    assert set(second.evidence) - {"edits"} <= {"for", "against"}
    assert second.score is not None
    assert 0 < second.score <= 1


def test_other_questions_are_kept() -> None:
    [row] = replies("Vell", question(1, "Other", category="OTHER"))
    assert row.rewrite == "Other"


def test_a_series_with_a_target_follows_the_guidelines() -> None:
    [row] = replies("Mara Vell", question(1, "When was she born?"))
    assert row.rewrite == "When was Mara Vell born?"


def test_chinese() -> None:
    [row] = replies("维尔湖", question(1, "它在哪里？"), language="zh")
    assert row.rewrite == "维尔湖在哪里？"


def test_other_languages_are_refused() -> None:
    with pytest.raises(UsageError, match="English and Chinese"):
        prepared(language="fr")


def test_the_signature_names_the_model() -> None:
    assert prepared().signature()["model"] == fingerprint(load_confidence())
    assert "segmenter" in prepared(language="zh").signature()


def test_the_rewrites_are_those_of_guided() -> None:
    asked = (question(1, "Who built it?"), question(2, "Where did he live?"), question(3, "Why?"))
    made = [replies("Vell mill", *asked, name=name) for name in ("guided", "learned")]
    assert [row.rewrite for row in made[0]] == [row.rewrite for row in made[1]]


def test_a_model_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text("{}")
    with pytest.raises(DataError, match="no rewriter model"):
        prepared(f"learned(model={tmp_path / 'model.json'})")
