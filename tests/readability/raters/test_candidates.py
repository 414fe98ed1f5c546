"""The raters as candidates: rows, evidence, languages, and text that cannot be rated."""

import pytest

from readmark.core.errors import UsageError
from readmark.core.kinds import kind_named
from readmark.core.records import Unit
from readmark.core.sitting import Row
from readmark.readability.kind import RatedPassage
from readmark.sitting.candidates import CANDIDATES

EASY = "The cat sat by the fire. It was warm. Then a boy came in and gave it some milk."
HARD = (
    "Notwithstanding the ostensibly unambiguous stipulations promulgated by the authority, the "
    "interpretation of the aforementioned provisions engendered considerable controversy."
)


def rows(name: str, *texts: str, language: str = "en") -> list[Row]:
    _, candidate = CANDIDATES.build(name)
    candidate.prepare(kind_named("readability"), language)
    records = [RatedPassage(id=f"p{index}", text=text) for index, text in enumerate(texts)]
    return list(candidate.answer(Unit(record.id, record.id, record, record) for record in records))


@pytest.mark.parametrize(
    "name", ["features", "formula", "formula(name=fog)", "formula(name=dale_chall)"]
)
def test_easy_text_is_rated_easier(name: str) -> None:
    easy, hard = rows(name, EASY, HARD)
    assert isinstance(easy.answer, float)
    assert isinstance(hard.answer, float)
    assert 1 <= hard.answer < easy.answer <= 5


def test_features_say_what_moved_the_rating() -> None:
    [row] = rows("features", HARD)
    parts = row.evidence["parts"]
    assert len(parts) == 8
    assert {"feature", "says", "value", "usual", "points"} == set(parts[0])
    sizes = [abs(part["points"]) for part in parts]
    assert sizes == sorted(sizes, reverse=True)


def test_a_formula_says_its_value() -> None:
    [row] = rows("formula(name=fog)", EASY)
    assert row.evidence["formula"] == "fog"


@pytest.mark.parametrize("name", ["formula", "formula(name=dale_chall)"])
def test_a_formula_reads_what_a_reader_sees(name: str) -> None:
    wide = "".join(chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in EASY)
    plain, *others = rows(name, EASY, EASY.replace(" ", " \u200b"), wide)
    assert [row.answer for row in others] == [plain.answer, plain.answer]


def test_the_signature_has_tables_and_counts() -> None:
    _, candidate = CANDIDATES.build("features")
    signature = candidate.signature()
    assert len(signature["tables"]) == 12
    assert signature["counts"]
    assert signature["embedding"].startswith("span-")


@pytest.mark.parametrize("name", ["features", "formula"])
def test_a_chinese_rating_says_what_its_scale_rests_on(name: str) -> None:
    [row] = rows(name, "小猫坐在火边。天很冷。他给它一点水。", language="zh")
    assert "no person's ratings" in row.evidence["note"]
    _, candidate = CANDIDATES.build(name)
    candidate.prepare(kind_named("readability"), "zh")
    assert "English ratings of the same passages" in candidate.signature()["scale"]


@pytest.mark.parametrize("name", ["features", "formula"])
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the text is empty"),
        (" \n", "the text is empty"),
        ("*** 123 ***", "the text has no word"),
        ("这是一个中文段落，不是英文。", "most of its letters are not Latin"),
    ],
)
def test_what_cannot_be_rated_is_that_rows_error(name: str, text: str, reason: str) -> None:
    bad, good = rows(name, text, EASY)
    assert bad.error is not None
    assert reason in bad.error
    assert good.error is None


@pytest.mark.parametrize(
    ("name", "language"),
    [("features", "fr"), ("formula", "fr"), ("formula(name=fog)", "zh")],
)
def test_a_language_that_is_not_rated_is_refused(name: str, language: str) -> None:
    with pytest.raises(UsageError):
        rows(name, EASY, language=language)


def test_passages_are_rated_alike_alone_and_together() -> None:
    alone = rows("features", EASY)[0]
    together = rows("features", HARD, EASY, HARD)[1]
    assert alone.answer == together.answer
