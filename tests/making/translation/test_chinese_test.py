"""The Chinese test on passages that have questions and keys already."""

from dataclasses import replace

from installed import require
from readmark.core.records import Answer, Passage, Phrase, Question, QuestionKey
from readmark.core.test import Header, Test, in_memory
from readmark.making.translation.adoption import adopt
from readmark.making.translation.chinese_test import chinese_test
from readmark.making.translation.comparison import compare
from readmark.making.translation.sheets import SheetEntry, TranslationSheet

require("spacy")

TEXT = "暴风雨之前，水手走了。"


def passages_of(key: QuestionKey | None) -> Test:
    question = Question(id="q", text="何时？", key=key)
    header = Header(language="zh")
    return in_memory(header, [Passage(id="p", text=TEXT, questions=(question,))], file="zh")


def adopted(
    english: QuestionKey | None, chinese: QuestionKey, key: str = "暴风雨之前"
) -> tuple[Test, dict[str, tuple[str, ...]]]:
    """Both translators say the same; A's file is the test with ``chinese`` as key."""
    own = Question(id="q", text="When?", key=english)
    keys = ("before the storm",) if english is not None and english.published else ()
    source = TranslationSheet("en", {"q": SheetEntry("q", "When?", keys, "p", source_question=own)})
    entry = SheetEntry("q", "何时？", (key,), "p")
    a = TranslationSheet("zh", {"q": entry}, passages_of(chinese))
    b = TranslationSheet("b", {"q": replace(entry)})
    found = compare(source, a, b)
    done, _ = adopt(found, found.header(), [], file="adj")
    return chinese_test(found, done, None)


def key_of(made: tuple[Test, dict[str, tuple[str, ...]]]) -> QuestionKey:
    (unit,) = made[0].units()
    assert isinstance(unit.key, QuestionKey)
    return unit.key


PUBLISHED = QuestionKey(published=(Phrase(text="before the storm"),), type="when", level=2)


def test_a_translators_answer_is_not_written_a_second_time() -> None:
    own = QuestionKey(answers=(Answer(text="暴风雨之前", start=0),))
    made = adopted(PUBLISHED, own)
    assert (key_of(made).answers, key_of(made).published) == (own.answers, ())
    assert made[0].facts.several == 0
    assert made[1] == {}


def test_what_gave_way_is_told() -> None:
    made = adopted(PUBLISHED, QuestionKey(published=(Phrase(text="战争之后"),)))
    assert [one.text for one in key_of(made).published] == ["暴风雨之前"]
    assert made[1] == {"q": ("战争之后",)}


def test_a_key_that_the_english_has_not_stays() -> None:
    own = QuestionKey(
        published=(Phrase(text="雨前"), Phrase(text="风前")),
        answers=(Answer(text="暴风雨之前", start=0, annotator="wu"),),
    )
    made = adopted(None, own)
    assert (key_of(made).published, key_of(made).answers) == (own.published, own.answers)
    assert made[1] == {}


def test_what_the_english_key_says_of_the_question_is_taken_over() -> None:
    made = key_of(adopted(PUBLISHED, QuestionKey(level=3)))
    assert (made.type, made.level, made.difficulty) == ("when", 3, None)
    assert key_of(adopted(QuestionKey(unanswerable=True), QuestionKey())).unanswerable
