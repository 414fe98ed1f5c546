"""What people type is read by the datatype that a question asks for, in English and Chinese."""

from __future__ import annotations

import pytest

from readmark.tasks.typed.values import read_shape, read_value
from readmark.tasks.typed.words import UnreadValue

WHOLE = "nonNegativeInteger"


@pytest.mark.parametrize(
    ("text", "type", "value"),
    [
        ("2,900", WHOLE, 2900),
        ("2 900", WHOLE, 2900),
        ("２９００", WHOLE, 2900),
        ("about 2,900", WHOLE, 2900),
        ("2,900 hours", WHOLE, 2900),
        ("29-yard", WHOLE, 29),
        ("two thousand nine hundred", WHOLE, 2900),
        ("twenty-nine hundred", WHOLE, 2900),
        ("a hundred and five", WHOLE, 105),
        ("2.9 million", WHOLE, 2_900_000),
        ("3rd", WHOLE, 3),
        ("first", WHOLE, 1),
        ("两千九百", WHOLE, 2900),
        ("兩千九百小時", WHOLE, 2900),
        ("2.9万", WHOLE, 29_000),
        ("第三", WHOLE, 3),
        ("2,900!", WHOLE, 2900),
        ("after 2,900 hours", WHOLE, 2900),
        ("exactly 5", WHOLE, 5),
        ("约三千人", WHOLE, 3000),
        ("一共大约三千人", WHOLE, 3000),
        ("after about 2,900 hours", WHOLE, 2900),
        ("两亿三千万", WHOLE, 230_000_000),
        ("贰仟玖佰", WHOLE, 2900),
        ("廿五", WHOLE, 25),
        ("two dozen", WHOLE, 24),
        ("half a million", WHOLE, 500_000),
        ("three and a half thousand", WHOLE, 3500),
        ("5 hundred thousand", WHOLE, 500_000),
        ("twenty-one thousand three hundred and four", WHOLE, 21_304),
        ("nineteen eighty-seven", WHOLE, 1987),
        ("-5", "integer", -5),
        ("minus five", "integer", -5),
        ("–5 °C", "integer", -5),
        ("零下五度", "integer", -5),
        ("三点五", "decimal", 3.5),
        ("2½", "decimal", 2.5),
        ("-2 and a half", "decimal", -2.5),
        ("2.50", "decimal", 2.5),
        ("yes", "boolean", True),
        ("No.", "boolean", False),
        ("是", "boolean", True),
        ("否", "boolean", False),
        ("Yes, it was planned.", "boolean", True),
        ("no, nobody had", "boolean", False),
        ("没错", "boolean", True),
        ("不是的。", "boolean", False),
        ("10 August 2021", "date", "2021-08-10"),
        ("10 Aug. 2021", "date", "2021-08-10"),
        ("10-Aug-2021", "date", "2021-08-10"),
        ("Tue 10 August 2021", "date", "2021-08-10"),
        ("10 August 2021 (Tuesday)", "date", "2021-08-10"),
        ("2021年8月10日（星期二）", "date", "2021-08-10"),
        ("于2021年八月十号", "date", "2021-08-10"),
        ("2021年十二月卅一日", "date", "2021-12-31"),
        ("August 10, 2021", "date", "2021-08-10"),
        ("on Tuesday, the 10th of August 2021", "date", "2021-08-10"),
        ("2021/8/10", "date", "2021-08-10"),
        ("13/8/2021", "date", "2021-08-13"),
        ("2021年8月10日", "date", "2021-08-10"),
        ("二〇二一年八月十日", "date", "2021-08-10"),
        ("2:30 pm", "time", '"14:30:00"'),
        ("下午两点半", "time", '"14:30:00"'),
        ("下午2:30", "time", '"14:30:00"'),
        ("2:30 in the afternoon", "time", '"14:30:00"'),
        ("中午一点", "time", '"13:00:00"'),
        ("晚上十二点", "time", '"00:00:00"'),
        ("深夜两点", "time", '"02:00:00"'),
        ("十二点", "time", '"12:00:00"'),
        ("noon", "time", '"12:00:00"'),
        ("02:30", "time", '"02:30:00"'),
        ("2:30:00", "time", '"02:30:00"'),  # as spreadsheets write it
        ("0:30", "time", '"00:30:00"'),
        ("早上9:30", "time", '"09:30:00"'),
        ("10 August 2021 at 14:30", "dateTime", "2021-08-10T14:30:00"),
        ("2021年8月10日下午两点半", "dateTime", "2021-08-10T14:30:00"),
        ("2 hours and 30 minutes", "duration", '"PT2H30M"'),
        ("两小时三十分钟", "duration", '"PT2H30M"'),
        ("2.5 hours", "duration", '"PT2H30M"'),
        ("two and a half hours", "duration", '"PT2H30M"'),
        ("an hour and a half", "duration", '"PT1H30M"'),
        ("两个半小时", "duration", '"PT2H30M"'),
        ("三天半", "duration", '"P3DT12H"'),
        ("半年", "duration", '"P6M"'),
        ("2h 30m", "duration", '"PT2H30M"'),
        ("2021年", "gYear", 2021),
        ("in 2021", "gYear", 2021),
        ("a steel cap", "string", '"a steel cap"'),
    ],
)
def test_values_are_read_by_their_type(text: str, type: str, value: object) -> None:
    assert (read_value(text, type), read_value(text, type).__class__) == (value, value.__class__)


@pytest.mark.parametrize(
    ("text", "type", "message"),
    [
        ("a few", WHOLE, "“a few” is not a whole number such as 2900"),
        ("5 or 6", WHOLE, "“5 or 6” is not a whole number such as 2900"),
        ("5~6", WHOLE, "“5~6” is not a whole number such as 2900"),
        ("100-odd", WHOLE, "“100-odd” is not a whole number such as 2900"),
        ("20-something", WHOLE, "“20-something” is not a whole number such as 2900"),
        ("more than 5", WHOLE, "“more than 5” is not a whole number such as 2900"),
        ("20-17", WHOLE, "“20-17” is not a whole number such as 2900"),
        ("三月五日", WHOLE, "“三月五日” is not a whole number such as 2900"),
        ("2,90", WHOLE, "“2,90” is not a whole number such as 2900"),
        ("2.5", WHOLE, "“2.5” is not a whole number"),
        ("-3", WHOLE, "“-3” is not a whole number of 0 or more"),
        ("5千米", WHOLE, "“5千米” is not a whole number such as 2900"),
        ("3k", WHOLE, "“3k” is not a whole number such as 2900"),
        ("$5m", WHOLE, "“$5m” is not a whole number such as 2900"),
        ("十几", WHOLE, "“十几” is not a whole number such as 2900"),
        ("二十多人", WHOLE, "“二十多人” is not a whole number such as 2900"),
        ("三四个", WHOLE, "“三四个” is not a whole number such as 2900"),
        ("三成", WHOLE, "“三成” is not a whole number such as 2900"),
        ("三天半", WHOLE, "“三天半” is not a whole number such as 2900"),
        ("two thirds", WHOLE, "“two thirds” is not a whole number such as 2900"),
        ("one two", WHOLE, "“one two” is not a whole number such as 2900"),
        ("5 thousand two hundred", WHOLE, "“5 thousand two hundred” is not a whole number such"),
        ("three thousand two million", WHOLE, "“three thousand two million” is not a whole number"),
        ("three quarters", "decimal", "“three quarters” is not a number such as 2900 or 2.5"),
        ("5%", "decimal", "“5%” is not a number such as 2900 or 2.5"),
        ("perhaps", "boolean", "“perhaps” is not yes or no"),
        ("no doubt", "boolean", "“no doubt” is not yes or no"),
        ("10/8/2021", "date", "“10/8/2021” may be two dates: write the month as a word"),
        ("5 March", "date", "“5 March” has no year: add it"),
        ("31 June 2021", "date", "“31 June 2021” is not a day of the calendar"),
        ("10 August 2021", "dateTime", "“10 August 2021” has no time: add it"),
        ("25:00", "time", "“25:00” is not a time such as 14:30 or 2:30 pm"),
        ("2:30", "time", "“2:30” may be in the morning or in the afternoon: add which, or write"),
        ("13 pm", "time", "“13 pm” is not a time such as 14:30 or 2:30 pm"),
        ("两点", "time", "“两点” may be in the morning or in the afternoon: add which, or write"),
        ("2 o'clock", "time", "“2 o'clock” may be in the morning or in the afternoon: add which"),
        ("half past two", "time", "“half past two” is not a time such as 14:30 or 2:30 pm"),
        ("一个半月", "duration", "“一个半月” is not a length of time such as 2 hours"),
        ("5 m", "duration", "“5 m” is not a length of time such as 2 hours"),
        ("2 hours 3 hours", "duration", "“2 hours 3 hours” is not a length of time such as 2"),
    ],
)
def test_what_is_no_value_says_what_to_write(text: str, type: str, message: str) -> None:
    with pytest.raises(UnreadValue) as caught:
        read_value(text, type)
    assert str(caught.value).startswith(message)
    assert caught.value.chinese.startswith(f"“{text}”")


@pytest.mark.parametrize(
    ("document", "value"),
    [
        ("二〇二一年三月一日到三月五日。", "2021-03-05"),
        ("Opened on 5 March 1999 and closed in 2001.", "1999-03-05"),
        ("Opened in 1999 and closed in 2001.", None),
        ("Nobody knows when.", None),
    ],
)
def test_a_day_takes_the_year_that_its_document_leaves_no_doubt_about(
    document: str, value: str | None
) -> None:
    if value is not None:
        assert read_value("三月五日", "date", document=document) == value
    else:
        with pytest.raises(UnreadValue):
            read_value("三月五日", "date", document=document)


@pytest.mark.parametrize(
    ("text", "value"),
    [("190 km/h", 190), ("190", 190), ("一百九十公里", 190), ("118 mph", None), ("190 m", None)],
)
def test_a_number_is_in_the_unit_of_the_ontology(text: str, value: int | None) -> None:
    units = ["km/h", "公里"]
    if value is not None:
        assert read_value(text, WHOLE, units=units) == value
    else:
        with pytest.raises(UnreadValue, match="give the number in km/h"):
            read_value(text, WHOLE, units=units)


@pytest.mark.parametrize("units", [("g", "kg"), ("kg", "g")])
def test_the_longest_unit_that_a_number_ends_with_is_its_unit(units: tuple[str, ...]) -> None:
    assert read_value("5 kg", "decimal", units=units) == 5


@pytest.mark.parametrize("text", ["5%", "5", "5 percent", "five per cent", "百分之五"])
def test_per_cent_is_written_in_many_ways(text: str) -> None:
    assert read_value(text, "decimal", units=["%"]) == 5


@pytest.mark.parametrize(
    ("text", "value"), [("2,900", 2900), ("10 August 2021", "2021-08-10"), ("P-7", None)]
)
def test_numbers_and_dates_are_known_by_their_form_without_an_ontology(
    text: str, value: object
) -> None:
    assert read_shape(text) == value
