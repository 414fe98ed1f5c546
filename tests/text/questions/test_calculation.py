"""Which questions ask for a calculation, and which only for a number that is stated."""

import pytest

from readmark.text.questions.calculation import calculation

ZH = [
    ("两队一共得了多少分？", None, "57分", "sum"),
    ("甲乙两座桥长度之和是多少米？", None, "420米", "sum"),
    ("两队一共得了多少分？", "两队共得57分。", "57分", None),
    ("这套书一共有几册？", "这套书出了五册。", "五册", None),  # one number, and it is stated
    ("鱼身上共有多少个发光器？", "腹部有24个，尾部有35个。", "腹部有24个，尾部有35个", "sum"),
    ("东塔比西塔高多少米？", None, "12米", "difference"),
    ("东塔比西塔高多少米？", "东塔比西塔高出12米。", "12米", None),
    ("东桥比西桥早建多少年？", None, "18年", "difference"),
    ("东桥比西桥早建多少年？", "东桥建于1782年，西桥建于1800年。", "18年", "difference"),
    ("东桥比西桥早建多少年？", "东桥比西桥早18年。", "18年", None),
    ("白石岛比青石岛大多少？", None, "2亩", "difference"),
    ("两次考试相差几分？", None, "三分", "difference"),
    ("这座塔高多少米？", "塔身为灰砖，45米。", "45米", None),  # a height is no difference
    ("平均每天卖出多少碗面？", None, "80碗", "mean"),
    ("平均每天卖出多少碗面？", "小店平均每天卖80碗。", "80碗", None),
    ("今年的收成是去年的几倍？", None, "两倍", "ratio"),
    ("果园占地多少亩？", "果园有三十亩。", "三十亩", None),
    ("从建桥到通车过了多少年？", None, "6年", "interval"),
    ("请计算全程的票价是多少？", "单程票为4元。", "4元", "calculation"),
    ("票价是怎么计算的？", "按里程收费，每公里2元。", "每公里2元", None),
    ("计算机室有几台机器？", "机房里有九台机器。", "九台", None),
    ("村里有多少户人家？", "村里有九十户人家。", "九十户", None),
    ("村里有多少户人家？", None, "91户", "number"),
    ("村里有多少户人家？", None, "很多户", None),  # not a number
    ("誰比較高？", None, "王明", None),
    ("兩隊一共得了多少分？", None, "57分", "sum"),
]
EN = [
    ("How many boats are there altogether?", None, "14", "sum"),
    ("How many boats are there altogether?", "In all, 14 boats lay there.", "14", None),
    ("How many boats are there altogether?", "Three large and 14 small.", "14", None),
    ("How many more pupils came than last year?", None, "seven", "difference"),
    ("How many more pupils came than last year?", "Seven more came.", "Seven", None),
    ("What was the average price of a ticket?", None, "4.50", "mean"),
    ("What was the average price of a ticket?", "The average price was 4.50.", "4.50", None),
    ("What percentage of the pupils walked?", None, "40%", "ratio"),
    ("What percentage of the pupils walked?", "Some 40% walked.", "40%", None),
    ("Calculate the length of both bridges.", None, "420 metres", "calculation"),
    ("How many houses does the village have?", "It has ninety houses.", "ninety", None),
    ("How many houses does the village have?", None, "91", "number"),
    ("Who works out at the gym?", "Ben works out daily.", "Ben", None),
]


@pytest.mark.parametrize(("question", "sentence", "answer", "kind"), ZH)
def test_chinese(question: str, sentence: str | None, answer: str, kind: str | None) -> None:
    result = calculation(question, "zh", answer_sentence=sentence, answer=answer)
    assert (result.kind if result else None) == kind


@pytest.mark.parametrize(("question", "sentence", "answer", "kind"), EN)
def test_english(question: str, sentence: str | None, answer: str, kind: str | None) -> None:
    result = calculation(question, "en", answer_sentence=sentence, answer=answer)
    assert (result.kind if result else None) == kind


def test_other_languages_are_not_judged() -> None:
    assert calculation("Combien en tout ?", "fr", answer_sentence=None, answer="3") is None
