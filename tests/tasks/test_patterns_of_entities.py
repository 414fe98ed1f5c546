"""Patterns: entities by lists, phrases, any words and Chinese surnames, and their attributes."""

from __future__ import annotations

import pytest

from readmark.core.problems import Problem
from readmark.tasks.categories.definitions import Categories, read_categories
from readmark.tasks.categories.mapping import statements_of
from readmark.tasks.extraction.engine import PatternReader
from readmark.tasks.extraction.notation import read_patterns
from readmark.tasks.reasoning.graphs import write_triple

CATEGORIES = """
[object.stay]
id = "Stay-{guest}-{inn}"
statements = ["({id} type Stay)"]

[category.Guest]
id = "{words}"
attributes.name = { type = "string", optional = true }
statements = ["({id} type Guest)", "({id} fullName {name})"]

[category.Inn]
id = "{words}"
attributes.sort = { type = "name", default = "Inn" }
statements = ["({id} type {sort})"]

[category.Arrival]
attributes.year = { type = "integer", optional = true }
relations.guest = "Guest"
relations.inn = { to = "Inn", optional = true }
statements = ["({stay} guest {guest})", "({stay} inn {inn})", "({guest} arrived {year})"]
"""

PATTERNS = """
[type.Guest]
category = "Guest"
names = true
surname = true
first = true
full = "name"
surnames = ["沈", "陆"]
never = ["于", "到", "住", "在"]

[type.Inn]
category = "Inn"
short = true

[type.Hostel]
category = "Inn"
values = { sort = "Hostel" }
entities = { "Red Lion" = ["Red Lion"] }

[type.HanInn]
category = "Inn"
words = 6
ends = ["客栈"]
values = { sort = "Hostel" }

[scope.guest]

[[phrase]]
as = "Inn"
find = ["inn of [the] {Words}", "inn"]
values = { sort = "Palace" }

[[phrase]]
as = "Came"
find = "(came | went) to the ({inn:Inn} | {inn:Hostel}) (in {year:Year} | on {year:Date})"

[[pattern]]
find = "^ {guest:Guest}"
set = { guest = "{guest}" }
early = true

[[pattern]]
find = "the {inn:Inn} , a ruin"
about = "inn"
values = { sort = "Ruin" }
early = true

[[pattern]]
find = ["{guest:Guest} {Came}", "{Came}", "{guest:Guest} left", "住 在 {inn:HanInn}"]
mark = "Arrival"
"""


@pytest.fixture(scope="module")
def categories() -> Categories:
    found = read_categories(CATEGORIES, "categories.toml")
    assert found is not None
    return found


def read(text: str, categories: Categories, patterns: str = PATTERNS) -> set[str]:
    known = read_patterns(patterns, "patterns.toml", categories)
    assert known is not None
    marked = PatternReader(known, categories).marks("d", text)
    return {write_triple(one.statement) for one in statements_of(marked, categories)}


CASES = {
    "a list with attributes, a full name, a year": (
        "Ada Venn came to the Red Lion in 1950.",
        '(Ada-Venn type Guest) (Ada-Venn fullName "Ada Venn") (Red-Lion type Hostel)'
        " (Stay-Ada-Venn-Red-Lion type Stay) (Stay-Ada-Venn-Red-Lion guest Ada-Venn)"
        " (Stay-Ada-Venn-Red-Lion inn Red-Lion) (Ada-Venn arrived 1950)",
    ),
    "an integer attribute takes the year of a date": (
        "Ada Venn came to the Red Lion on 3 May 1950.",
        "(Ada-Venn arrived 1950)",
    ),
    "a phrase is an entity, and its beginning the same one": (
        "Ada Venn came to the inn of harvest in 1950. Ada Venn went to the inn in 1951.",
        "(inn-of-harvest type Palace) (Ada-Venn arrived 1951)"
        " (Stay-Ada-Venn-inn-of-harvest inn inn-of-harvest)",
    ),
    "of several with a surname the first": (
        "Ada Venn came to the Red Lion in 1950. Bob Venn went to the Red Lion in 1951. In spring"
        " Venn came to the Red Lion in 1960.",
        "(Ada-Venn arrived 1960) (Bob-Venn arrived 1951)",
    ),
    "what is said about an entity, before phrases are joined": (
        "Ada Venn came to the inn of harvest in 1950. It was the inn of harvest, a ruin.",
        "(inn-of-harvest type Ruin)",
    ),
    "a Chinese name and words that end so": (
        "沈砚秋住在云泽客栈。",
        '(沈砚秋 type Guest) (沈砚秋 fullName "沈砚秋") (云泽客栈 type Hostel)'
        " (Stay-沈砚秋-云泽客栈 guest 沈砚秋)",
    ),
    "a name of two characters is followed by several": (
        "陆川笑。陆川哭。陆川住在云泽客栈。",
        "(Stay-陆川-云泽客栈 guest 陆川)",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_read(case: str, categories: Categories) -> None:
    text, expected = CASES[case]
    wanted = {f"({one})" for one in expected.strip("()").split(") (")}
    assert wanted <= read(text, categories)


def test_a_first_word_that_begins_as_the_name_after_it_does(categories: Categories) -> None:
    text = "Ada Venn came to the Red Lion in 1950. Adam Ada Venn went to the Red Lion in 1951."
    patterns = read_patterns(PATTERNS, "patterns.toml", categories)
    assert patterns is not None
    marked = PatternReader(patterns, categories).marks("d", text)
    support = {
        excerpt.quote
        for asserted in statements_of(marked, categories)
        for excerpt in asserted.support.subject
    }
    assert not {quote for quote in support if quote.startswith("Adam")}


def test_a_short_name_is_no_entity_of_its_own(categories: Categories) -> None:
    text = "Ada Venn came to the inn of harvest in 1950. Ada Venn went to the inn in 1951."
    assert "(inn type Palace)" not in read(text, categories)


def test_a_mark_that_states_nothing_is_not_made(categories: Categories) -> None:
    """A guest who left: no inn and no year, so that no statement would be complete."""
    found = read("Ada Venn left.", categories)
    assert found == {"(Ada-Venn type Guest)", '(Ada-Venn fullName "Ada Venn")'}


FAULTS = {
    '[type.Inn]\ncategory = "Inn"\n[[pattern]]\nfind = "{inn:Inn}"\nmark = "Arrival"': (
        "neither entities nor names"
    ),
    PATTERNS.replace('about = "inn"', 'about = "place"'): "is about 'place', which is not its slot",
    PATTERNS.replace('as = "Came"', 'as = "Number"'): "'Number' cannot be the name of a phrase",
}


@pytest.mark.parametrize("patterns", FAULTS)
def test_mistakes_have_their_line(patterns: str, categories: Categories) -> None:
    problems: list[Problem] = []
    assert read_patterns(patterns, "patterns.toml", categories, problems.append) is None
    found = [str(problem) for problem in problems]
    assert any(FAULTS[patterns] in one for one in found), found
    assert all(one.startswith("patterns.toml:") for one in found)
