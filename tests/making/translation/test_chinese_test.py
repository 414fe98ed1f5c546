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
    question = Question(id="q", text="When?", key=english)
    keys = ("before the storm",) if english is not None and english.published else ()
    source = TranslationSheet(
        "en", {"q": SheetEntry("q", "When?", keys, "p", source_question=question)}
    )
    entry = SheetEntry("q", "何时？", (key,), "p")
    a = TranslationSheet("zh", {"q": entry}, passages_of(chinese))
    b = TranslationSheet("b", {"q": replace(entry)})
    comparison = compare(source, a, b)
    done, _ = adopt(comparison, comparison.header(), [], file="adj")
    return chinese_test(comparison, done, None)


def key_of(result: tuple[Test, dict[str, tuple[str, ...]]]) -> QuestionKey:
    (unit,) = result[0].units()
    assert isinstance(unit.key, QuestionKey)
    return unit.key


PUBLISHED = QuestionKey(published=(Phrase(text="before the storm"),), type="when", level=2)


def test_a_translators_answer_is_not_written_a_second_time() -> None:
    key = QuestionKey(answers=(Answer(text="暴风雨之前", start=0),))
    result = adopted(PUBLISHED, key)
    assert (key_of(result).answers, key_of(result).published) == (key.answers, ())
    assert result[0].facts.several == 0
    assert result[1] == {}


def test_what_gave_way_is_told() -> None:
    result = adopted(PUBLISHED, QuestionKey(published=(Phrase(text="战争之后"),)))
    assert [phrase.text for phrase in key_of(result).published] == ["暴风雨之前"]
    assert result[1] == {"q": ("战争之后",)}


def test_a_key_that_the_english_has_not_stays() -> None:
    key = QuestionKey(
        published=(Phrase(text="雨前"), Phrase(text="风前")),
        answers=(Answer(text="暴风雨之前", start=0, annotator="wu"),),
    )
    result = adopted(None, key)
    assert (key_of(result).published, key_of(result).answers) == (key.published, key.answers)
    assert result[1] == {}


def test_what_the_english_key_says_of_the_question_is_taken_over() -> None:
    key = key_of(adopted(PUBLISHED, QuestionKey(level=3)))
    assert (key.type, key.level, key.difficulty) == ("when", 3, None)
    assert key_of(adopted(QuestionKey(unanswerable=True), QuestionKey())).unanswerable
