"""patterns.toml: every mistake is one line with its place, and sound patterns match as they say."""

from __future__ import annotations

import pytest

from readmark.core.problems import Problem
from readmark.tasks.categories.definitions import Categories, read_categories
from readmark.tasks.categories.marks import MarkedText
from readmark.tasks.extraction.engine import PatternReader
from readmark.tasks.extraction.notation import read_patterns
from readmark.tasks.extraction.tokens import sentences_of, token_texts

CATEGORIES = """
[category.Person]
id = "Person-{n}"
statements = ["({id} type Person)"]
[category.Club]
id = "Club-{n}"
statements = ["({id} type Club)"]
[category.Catch]
id = "Catch-{n}"
attributes.fish = { type = "string" }
attributes.pounds = { type = "integer", optional = true }
attributes.hour = { type = "integer", optional = true }
attributes.year = { type = "integer", optional = true }
attributes.first = "flag"
relations.angler = { to = "Person", optional = true }
relations.club = { to = "Club", optional = true }
relations.after = { to = "Catch", optional = true }
statements = ["({id} type Catch)", "({id} fish {fish})", "({id} pounds {pounds})",
  "({id} hour {hour})", "({id} angler {angler})", "({id} club {club})", "({after} then {id})",
  "({id} year {year})"]
when.first = ["({id} isFirst true)"]
[category.Tally]
attributes.count = { type = "integer" }
relations.club = "Club"
statements = ["({club} tally {count})"]
"""
HEAD = """
[words]
landed = ["landed", "catch~", "caught"]
[type.Person]
category = "Person"
names = true
surname = true
member = "club"
title = ["[the] {club:Club} ['s] angler", "angler"]
[type.Club]
category = "Club"
pair = true
[type.Club.entities]
Herons = ["Herons", "Lakeside", "苍鹭"]
Otters = ["Otters", "the visitors", "水獭"]
[type.Hour]
entities = { 1 = ["first hour"], 2 = ["second hour"], 3 = ["third hour"] }
[scope.hour]
ordered = true
sentence = true
[scope.club]
[chain.Catch]
by = "club"
after = "after"
first = "first"
[[phrase]]
as = "Fish"
find = ["[a] {pounds:Number} - pound ((, | and)+ [a] {pounds:Number} - pound)* trout", "[a] trout"]
values = { fish = "trout" }
[[pattern]]
find = "(after | since) their (win | loss) over the {Club} ,"
hide = true
[[pattern]]
find = "lost ...2 {Fish}"
[[pattern]]
find = ["{angler:Person} <landed> {Fish}", "{Fish} by {angler:Person}"]
mark = "Catch"
[[pattern]]
find = "quiet {hour:Hour}"
set = { hour = "{after hour}" }
skip = ["hour"]
[[pattern]]
find = "{hour:Hour}"
set = { hour = "{hour}" }
[[pattern]]
find = "{club:Club} fell behind"
set = { club = "{other club}" }
[[pattern]]
find = "{club:Club}"
set = { club = "{club}" }
"""


def categories() -> Categories:
    found = read_categories(CATEGORIES, "categories.toml")
    assert found is not None
    return found


def marked(text: str, more: str = "") -> MarkedText:
    patterns = read_patterns(HEAD + more, "patterns.toml", categories())
    assert patterns is not None
    return PatternReader(patterns, categories()).marks("d", text)


def catches(text: str, more: str = "") -> list[tuple[str | None, int | None, str | None, object]]:
    """Angler, pounds, club and hour of each catch."""
    found = marked(text, more)
    names = {mark.id: mark.values.get("entity") for mark in found.marks}
    return [
        (
            names.get(mark.links.get("angler", "")),
            mark.values.get("pounds"),
            names.get(mark.links.get("club", "")),
            mark.values.get("hour"),
        )
        for mark in found.marks
        if mark.category == "Catch"
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The Herons met the Otters. Ann Bell landed a trout.",
            [("Ann-Bell", None, "Otters", None)],
        ),
        # a list is several marks
        (
            "The Otters met the Herons. Ann Bell caught a 3-pound and a 5-pound trout.",
            [("Ann-Bell", 3, "Herons", None), ("Ann-Bell", 5, "Herons", None)],
        ),
        # numbers in words, any form of a stem, the subject after the phrase
        (
            "The Otters met the Herons. There was a two-pound trout by Ann Bell.",
            [("Ann-Bell", 2, "Herons", None)],
        ),
        # a phrase is used once: the first pattern that takes it makes no mark
        ("The Herons met the Otters. Ann Bell lost a 3-pound trout.", []),
        # the other one of a pair
        (
            "The Herons met the Otters. The Herons fell behind. Ann Bell landed a 1-pound trout.",
            [("Ann-Bell", 1, "Otters", None)],
        ),
        # a title says whose somebody is, wherever the name comes again
        (
            "The Herons met the Otters. Herons angler Ann Bell landed a 1-pound trout. "
            "The Otters rested. Bell caught a 2-pound trout.",
            [("Ann-Bell", 1, "Herons", None), ("Ann-Bell", 2, "Herons", None)],
        ),
        # two of one surname: that of the club that acts
        (
            "Herons angler Ann Bell landed a 1-pound trout. Otters angler Cy Bell landed a 2-pound "
            "trout. The Herons answered: Bell landed a 3-pound trout.",
            [
                ("Ann-Bell", 1, "Herons", None),
                ("Cy-Bell", 2, "Otters", None),
                ("Ann-Bell", 3, "Herons", None),
            ],
        ),
        # scopes carry on, and the first of a sentence holds from its beginning
        (
            "The Herons met the Otters. Ann Bell landed a 1-pound trout in the first hour. "
            "Ann Bell landed a 2-pound trout. In the second hour, Ann Bell landed a 3-pound trout.",
            [
                ("Ann-Bell", 1, "Otters", 1),
                ("Ann-Bell", 2, "Otters", 1),
                ("Ann-Bell", 3, "Otters", 2),
            ],
        ),
        # where an hour is passed over, only the sentence that names the one before is sure
        (
            "The Herons met the Otters. In the first hour, Ann Bell landed a 1-pound trout. "
            "Ann Bell landed a 2-pound trout. After a quiet second hour, Ann Bell landed a 4-pound "
            "trout. In the third hour, Ann Bell landed a 3-pound trout.",
            [
                ("Ann-Bell", 1, "Otters", 1),
                ("Ann-Bell", 2, "Otters", 1),
                ("Ann-Bell", 4, "Otters", None),
                ("Ann-Bell", 3, "Otters", 3),
            ],
        ),
        (
            "The Herons met the Otters. In the first hour, Ann Bell landed a 1-pound trout. "
            "Ann Bell landed a 2-pound trout. In the third hour, Ann Bell landed a 3-pound trout.",
            [
                ("Ann-Bell", 1, "Otters", 1),
                ("Ann-Bell", 2, "Otters", None),
                ("Ann-Bell", 3, "Otters", 3),
            ],
        ),
        # a capitalised first word is no part of a name that the text has without it
        (
            "The Herons met the Otters. There Ann Bell landed a 1-pound trout. "
            "Yesterday Ann Bell landed a 2-pound trout.",
            [("Ann-Bell", 1, "Otters", None), ("Ann-Bell", 2, "Otters", None)],
        ),
        # hidden words count for nothing
        (
            "After their win over the Otters, the Herons rested. Ann Bell landed a trout.",
            [("Ann-Bell", None, "Herons", None)],
        ),
    ],
)
def test_marks(text: str, expected: list[object]) -> None:
    assert catches(text) == expected


def test_marks_of_a_chain_follow_each_other() -> None:
    text = "The Herons met the Otters. Ann Bell landed a trout. Ann Bell caught a 2-pound trout."
    first, second = (mark for mark in marked(text).marks if mark.category == "Catch")
    assert first.values["first"] is True
    assert second.links["after"] == first.id
    assert "first" not in second.values


def test_excerpts_are_the_words_that_match() -> None:
    text = "The Herons met the Otters. There Ann Bell  landed a\n3-pound trout."
    [mark] = [mark for mark in marked(text).marks if mark.category == "Catch"]
    [(start, end)] = mark.fragments
    assert text[start:end] == "Ann Bell  landed a\n3-pound trout"


def test_values_are_added_to_the_mark_before() -> None:
    more = '[[pattern]]\nfind = "late"\namend = "Catch"\nwhere = { fish = "trout" }\n'
    more += "values = { hour = 9 }\n"
    text = (
        "The Herons met the Otters. Ann Bell landed a trout. It was late. Cy Dunn caught a trout."
    )
    assert [row[3] for row in catches(text, more)] == [9, None]


def test_a_year_that_is_counted_from_another() -> None:
    more = """
[scope.year]
[[pattern]]
find = "in {year:Year}"
set = { year = "{year}" }
[[pattern]]
find = "{_count:Number} years later"
set = { year = "{scope year + _count}" }
"""
    text = "The Herons met the Otters in 1901. Two years later Ann Bell landed a trout."
    [mark] = [mark for mark in marked(text, more).marks if mark.category == "Catch"]
    assert mark.values["year"] == 1903


def test_totals_in_the_text_decide_whose_a_mark_is() -> None:
    more = """
[ledger.Catch]
by = "club"
kind = "fish"
worth = { trout = [1] }
[[pattern]]
find = "leading {_a:Number} to {_b:Number}"
check = ["_a", "_b"]
"""
    text = (
        "The Herons met the Otters. Herons angler Ann Bell landed a trout. "
        "Ann Bell landed a trout. Cy Dunn landed a trout{}."
    )
    assert [row[2] for row in catches(text.format(""), more)] == ["Herons"] * 3
    flipped = catches(text.format(", leading 2 to 1"), more)
    assert [row[2] for row in flipped] == ["Herons", "Herons", "Otters"]


def test_totals_in_the_text_say_what_a_mark_is_worth() -> None:
    more = """
[ledger.Catch]
by = "club"
kind = "fish"
worth = { trout = [5, 2] }
told = "pounds"
exact = { 4 = 2 }
[[pattern]]
find = "leading {_a:Number} to {_b:Number}"
check = ["_a", "_b"]
"""
    text = (
        "The Herons met the Otters. Herons angler Ann Bell landed a trout. "
        "Otters angler Cy Dunn landed a trout, leading 5 to 2."
    )
    assert sorted(str(row[1]) for row in catches(text, more)) == ["4", "None"]


@pytest.mark.parametrize(
    ("ending", "tallies"),
    [
        ("The Herons had 3 to 1.", {"Herons": 3, "Otters": 1}),  # two catches are not in the text
        ("The Otters had 2 to 0. Ann Bell landed a trout.", {"Herons": 1, "Otters": 2}),
        ("The Herons had 1 to 0.", {}),  # as the catches add up
    ],
)
def test_totals_count_where_marks_do_not_add_up(ending: str, tallies: dict[str, int]) -> None:
    more = """
[ledger.Catch]
by = "club"
kind = "fish"
worth = { trout = [1] }
total = "Tally"
amount = "count"
[[pattern]]
find = "{_c:Club} had {_a:Number} to {_b:Number}"
check = ["_a", "_b"]
values = { club = "{_c}" }
"""
    opening = "The Herons met the Otters. Herons angler Ann Bell landed a trout. "
    found = marked(opening + ending, more).marks
    named = {mark.id: mark.values["entity"] for mark in found if mark.category == "Club"}
    tally = [mark for mark in found if mark.category == "Tally"]
    assert {named[one.links["club"]]: one.values["count"] for one in tally} == tallies


def test_a_phrase_may_make_several_marks() -> None:
    more = """
[[phrase]]
as = "Several"
find = "{times:Number} pike"
values = { fish = "pike" }
[[pattern]]
find = "{angler:Person} netted {Several}"
mark = "Catch"
"""
    text = "The Herons met the Otters. Herons angler Ann Bell netted three pike."
    assert len(catches(text, more)) == 3


def test_chinese_words_and_numerals() -> None:
    more = """
[type.Angler]
category = "Person"
entities = { Lin = ["林娜"] }
[[pattern]]
find = "{angler:Angler} 钓到 {pounds:Number} 磅"
mark = "Catch"
values = { fish = "trout" }
"""
    text = "水獭队对阵苍鹭队。在第三节，林娜钓到十二磅的鱼。"
    assert catches(text, more) == [("Lin", 12, "Herons", None)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Brown's 12-yar run", ["Brown", "'s", "12", "-", "yar", "run"]),
        ("J.P. Marsh, Jr. won 31-17.", ["J.P.", "Marsh", ",", "Jr.", "won", "31", "-", "17", "."]),
        ("96&#160;yards", ["96", "yards"]),
        ("the game-winning two-yard run", ["the", "game-winning", "two", "-", "yard", "run"]),
        ("第二节二十一比14", ["第", "二", "节", "二十一", "比", "14"]),
        ("D'Angelo O'Shea-Drew's 49ers", ["D'Angelo", "O'Shea-Drew", "'s", "49ers"]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert list(token_texts(text)) == expected


def test_sentences_end_where_they_do() -> None:
    text = "St. Louis beat J.P. Marsh. He left. “Why?” He said. 完了。开始。"
    assert [" ".join(token.text for token in one) for one in sentences_of(text)] == [
        "St. Louis beat J.P. Marsh .",
        "He left .",
        "“ Why ? ”",
        "He said .",
        "完 了 。",
        "开 始 。",
    ]


MISTAKES = [
    ("[[pattern]", "1:10: toml"),
    ("pattern = 3", "1: schema"),
    ('[[pattern]]\nfind = "a"\nmarc = "Catch"', "1: schema"),
    ("[words]\na = ['b']", "1: no_pattern"),
    ('[[pattern]]\nfind = "(a"', "2: pattern"),
    ('[[pattern]]\nfind = "a ]"', "2: pattern"),
    ('[[pattern]]\nfind = "a *"', "2: pattern"),
    ('[[pattern]]\nfind = "<none> b"', "2: pattern"),
    ('[words]\na = ["<a>"]\n[[pattern]]\nfind = "<a>"', "4: pattern"),
    ('[[pattern]]\nfind = "{slot:Nothing}"', "2: pattern"),
    ('[[pattern]]\nfind = "a / b / c"', "2: pattern"),
    ('[[pattern]]\nfind = "two words~ "\n[[pattern]]\nfind = ""', "3: pattern"),
    ('[[pattern]]\nfind = "a"\nmark = "Cach"', "1: unknown_category"),
    ('[[pattern]]\nfind = "{weight:Number}"\nmark = "Catch"', "1: slot"),
    ('[[pattern]]\nfind = "a"\nmark = "Catch"', "1: slot"),
    ('[[pattern]]\nfind = "a"\nset = { hour = 1 }', "1: scope"),
    ('[scope.hour]\n[[pattern]]\nfind = "a"\nset = { hour = "{b}" }', "2: slot"),
    ('[[pattern]]\nfind = "a"\nskip = ["b"]', "1: slot"),
    ('[[pattern]]\nfind = "a"\nprobability = 2.0', "1: schema"),
    ('[type.Number]\nnames = true\n[[pattern]]\nfind = "a"', "1: name"),
    ('[type.Thing]\n[[pattern]]\nfind = "a"', "1: schema"),
    ('[type.Thing]\nnames = true\ncategory = "X"\n[[pattern]]\nfind = "a"', "1: unknown_category"),
    ('[chain.Catch]\nby = "clubs"\n[[pattern]]\nfind = "a"', "1: slot"),
    ('[chain.Cach]\nby = "club"\n[[pattern]]\nfind = "a"', "1: unknown_category"),
    ('[[phrase]]\nas = "Number"\nfind = "a"\n[[pattern]]\nfind = "a"', "1: name"),
]


@pytest.mark.parametrize(("text", "expected"), MISTAKES)
def test_mistakes(text: str, expected: str) -> None:
    problems: list[Problem] = []
    assert read_patterns(text, "p.toml", categories(), problems.append) is None
    assert any(str(one).startswith(f"p.toml:{expected}: ") for one in problems), problems
    assert all("\n" not in str(one) for one in problems)
