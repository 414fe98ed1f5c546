"""The first candidates: hand-worked answers, parameters by name, and what they refuse."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import readmark
from made import asked, comprehension, passage
from misbehaving_candidates import standing
from readmark.comprehension import baselines
from readmark.core.error_rows import error_line, failure, one_by_one
from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.core.kinds import KINDS, kind_named
from readmark.core.records import Passage, Question, Unit
from readmark.core.sitting import Row
from readmark.core.test import Header, Test, in_memory
from readmark.sitting.candidates import CANDIDATES, build_candidate
from strategies import texts

Sit = Callable[..., Any]
TRAM = (
    "Dr. Holm keeps bees on the roof. The last tram leaves Mill Street at 10.30 p.m. every day! "
    "Ida, who is late, always misses the tram.\n\nNobody else takes it."
)
MILL = "码头上停着七条木船。老周问：“谁在补网？”磨坊的水车靠北边的小河转动！\n二〇二〇年，水车坏了"


def replies(candidate: str, text: str, *questions: str, language: str) -> list[Row]:
    """What a candidate says to questions on a text."""
    items = tuple(Question(id=str(at), text=one) for at, one in enumerate(questions))
    record = Passage(id="p", text=text, questions=items)
    _, built = CANDIDATES.build(candidate)
    built.prepare(kind_named("comprehension"), language)
    return list(built.answer(Unit(one.id, "p", record, one) for one in items))


def at(text: str, quote: str) -> tuple[int, int]:
    start = text.index(quote)
    return start, start + len(quote)


@pytest.mark.parametrize(
    ("text", "language", "first"),
    [
        (TRAM, "en", "Dr. Holm keeps bees on the roof."),
        ("  \n No end here ", "en", "No end here"),
        ("One. Two.", "en", "One."),
        (MILL, "zh", "码头上停着七条木船。"),
        ("\u3000\u3000老周说：“走吧！”说完就走了。", "zh", "老周说：“走吧！”"),
        ("没有标点", "zh", "没有标点"),
        ("😀😀 gone. Then.", "en", "😀😀 gone."),
    ],
)
def test_lead_says_the_first_sentence(text: str, language: str, first: str) -> None:
    [row] = replies("lead", text, "Why?", language=language)
    assert row.text == first
    assert (row.start, row.end) == row.sentence == at(text, first)
    assert (row.score, row.error) == (None, None)


@pytest.mark.parametrize("name", ["lead", "longest_overlap", "closest_option"])
def test_a_passage_is_cut_into_sentences_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many questions there are on it: a long one would take most of the time."""
    cut: list[str] = []
    whole = baselines.sentences

    def counting(text: str, language: str) -> list[tuple[int, int]]:
        cut.append(text)
        return whole(text, language)

    monkeypatch.setattr(baselines, "sentences", counting)
    text = f"The kiln of {name} was fired at noon. The clay came from the river."
    questions = tuple(
        Question(id=f"q{number}", text="What was fired?", options=("clay", "the kiln"))
        for number in range(20)
    )
    record = Passage(id="p", text=text, questions=questions)
    readmark.sit(in_memory(Header(language="en"), [record]), name)
    assert cut == [text]


@pytest.mark.parametrize("candidate", ["lead", "longest_overlap"])
@pytest.mark.parametrize("text", ["", " \n\t\u3000"])
def test_nothing_to_read_is_an_empty_answer(candidate: str, text: str) -> None:
    assert replies(candidate, text, "Why?", language="en") == [Row(id="0", answer="")]


@pytest.mark.parametrize(
    ("question", "quote", "shared", "score"),
    [
        # the, last, tram, leave(s): "leave" is not "leaves"
        (
            "When does the last tram leave?",
            "The last tram leaves Mill Street at 10.30 p.m. every day!",
            ["last", "the", "tram"],
            3 / 6,
        ),
        ("Who misses the tram?", "Ida, who is late, always misses the tram.", None, 4 / 4),
        ("WHAT DOES DR. HOLM KEEP?", "Dr. Holm keeps bees on the roof.", ["dr", "holm"], 2 / 5),
        # a tie of one: the first
        ("The end?", "Dr. Holm keeps bees on the roof.", ["the"], 1 / 2),
        # distinct words count once
        ("it it it takes", "Nobody else takes it.", ["it", "takes"], 2 / 2),
        # nothing is shared: the first sentence, and no score
        ("Warum?", "Dr. Holm keeps bees on the roof.", [], 0.0),
        ("", "Dr. Holm keeps bees on the roof.", [], 0.0),
    ],
)
def test_longest_overlap_in_english(
    question: str, quote: str, shared: list[str] | None, score: float
) -> None:
    [row] = replies("longest_overlap", TRAM, question, language="en")
    assert row.text == quote
    assert (row.start, row.end) == row.sentence == at(TRAM, quote)
    assert row.score == pytest.approx(score)
    if shared is not None:
        assert row.evidence == {"shared": shared}


@pytest.mark.parametrize(
    ("question", "quote", "shared", "score"),
    [
        # 水车靠什么转动: 水 车 靠 转 动 of 7
        ("水车靠什么转动？", "磨坊的水车靠北边的小河转动！", "动水车转靠", 5 / 7),
        ("谁补网？", "老周问：“谁在补网？”", "网补谁", 3 / 3),
        ("二〇二〇年怎么了", "二〇二〇年，水车坏了", "〇二了年", 4 / 6),
        ("Why?", "码头上停着七条木船。", "", 0.0),
    ],
)
def test_longest_overlap_in_chinese(question: str, quote: str, shared: str, score: float) -> None:
    [row] = replies("longest_overlap", MILL, question, language="zh")
    assert row.text == quote
    assert (row.start, row.end) == row.sentence == at(MILL, quote)
    assert row.evidence == {"shared": sorted(shared)}
    assert row.score == pytest.approx(score)


@given(text=texts, question=texts, language=st.sampled_from(["en", "zh"]))
def test_offsets_are_those_of_the_quote(text: str, question: str, language: str) -> None:
    for candidate in ("lead", "longest_overlap"):
        [row] = replies(candidate, text, question, language=language)
        assert row.error is None
        if row.start is not None:
            assert text[row.start : row.end] == row.text == row.text.strip() != ""
            assert row.sentence == (row.start, row.end)
        else:
            assert not text.strip()
        assert row.score is None or 0 <= row.score <= 1


def test_the_rules_are_in_the_signature(sit: Sit, journal: Path) -> None:
    sit("longest_overlap")
    signature = standing(journal)[0]["signature"]
    assert signature == {
        "sentences": "rules-4",
        "words": "rules-1",
        "readmark": readmark.__version__,
    }


@pytest.mark.parametrize(
    ("candidate", "without", "said"),
    [
        ("none", None, ["When?", "Who?"]),
        ("append", None, ["When? Lunokhod 1", "Who? Lunokhod 1"]),
        ("append", "target", ["When?", "Who?"]),
        ("append", "question", [" Lunokhod 1", " Lunokhod 1"]),
        ("none", "question", ["", ""]),
    ],
)
def test_rewriters(
    rover: Test, journal: Path, candidate: str, without: str | None, said: list[str]
) -> None:
    readmark.sit(rover, candidate, journal, without=without)
    assert [row["rewrite"] for row in standing(journal)[1]] == said


@pytest.mark.parametrize(
    ("candidate", "error", "said"),
    [
        ("keyed", UsageError, r"candidate keyed needs a file: keyed\(file=answers.json\)"),
        ('keyed(file="")', UsageError, "candidate keyed needs a file"),
        ("keyed(file=none.json)", DataError, "none.json: no such file"),
        ("keyed(fiel=a.json)", UsageError, r"has no parameter 'fiel'; did you mean file\?"),
        ("keyed(file=a.json,b=1)", UsageError, "has no parameter 'b'; known: file"),
        ("lead(n=2)", UsageError, "candidate lead has no parameter 'n'; it takes none"),
        ("lead(language=zh)", UsageError, "candidate lead has no parameter 'language'"),
        ("leed", UsageError, r"unknown candidate 'leed'; did you mean lead\?"),
        ("longestoverlap", UsageError, r"did you mean longest_overlap\?"),
        ("slow(ms=fast)", UsageError, "candidate slow: ms=fast is not a number"),
        ("slow(ms=true)", UsageError, "candidate slow: ms=true is not a number"),
        ("none", UsageError, "candidate none sits series tests, this one is comprehension"),
        ("guess", UsageError, "candidate guess sits readability tests, this one is compr"),
        ("lead(", UsageError, "cannot read the parameters of 'lead\\('"),
        ("Lead", UsageError, "not a name: 'Lead'"),
        ("", UsageError, "not a name: ''"),
    ],
)
def test_what_is_refused(
    sit: Sit, journal: Path, candidate: str, error: type[ReadmarkError], said: str
) -> None:
    with pytest.raises(error, match=said):
        sit(candidate)
    assert not journal.exists()


@pytest.mark.parametrize(
    ("asked_for", "canonical"),
    [
        ("slow( ms = 0 )", "slow(ms=0)"),
        ("slow(ms=0.50)", "slow(ms=0.5)"),
        ("slow()", "slow"),
        ('moody(how="raise",on=q1)', "moody(on=q1,how=raise)"),
        ('moody(on="q1 q2")', 'moody(on="q1 q2")'),
    ],
)
def test_names_are_spelt_canonically(
    sit: Sit, journal: Path, asked_for: str, canonical: str
) -> None:
    sit(asked_for)
    assert standing(journal)[0]["candidate"] == canonical
    assert sit(canonical).progress.before >= 4  # and the journal is gone on with by that name


def test_every_candidate_says_what_it_is() -> None:
    for name, entry in CANDIDATES.entries.items():
        if entry.package == "readmark":
            assert entry.summary
            assert set(entry.kinds) <= set(KINDS)
            _, built = CANDIDATES.build(name)
            assert (built.__doc__ or "").strip()


def test_one_by_one_goes_on_after_an_exception() -> None:
    record = next(iter(comprehension(passage("p", asked("a"), asked("b"), asked("c"))).records()))
    units = list(kind_named("comprehension").units(record))

    def reply(unit: Unit) -> Row:
        if unit.id == "b":
            raise KeyError("b")
        return Row(id=unit.id, answer="x")

    found = list(one_by_one(units, reply))
    assert [row.error for row in found] == [None, "KeyError: 'b'", None]


def test_errors_are_told_in_one_line() -> None:
    assert failure("q", ValueError("a\n  b\u2028c")) == Row(id="q", error="ValueError: a b c")
    assert error_line(ValueError("x" * 900)) == "ValueError: " + "x" * 488
    assert error_line(OSError("\udcff")) == "OSError: ?"


def test_answers_in_a_file_are_sat_whatever_the_kind_of_test() -> None:
    dictation = SimpleNamespace(kind=SimpleNamespace(name="dictation"))
    assert build_candidate("keyed(file=answers.json)", dictation)[0] == "keyed(file=answers.json)"
    with pytest.raises(UsageError, match="lead sits comprehension tests, this one is dictation"):
        build_candidate("lead", dictation)
