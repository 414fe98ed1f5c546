"""Annotation categories: marks become statements, statements marks; what is wrong has its place."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import readmark
from readmark.core.errors import DataError
from readmark.core.problems import Problem
from readmark.tasks.categories.conversion import convert_marks, open_categories
from readmark.tasks.categories.definitions import Categories, read_categories
from readmark.tasks.categories.inversion import marks_of
from readmark.tasks.categories.mapping import statements_of
from readmark.tasks.categories.mark_files import read_marks
from readmark.tasks.categories.marks import MarkedText, TextMark
from readmark.tasks.categories.values import value_in_words
from readmark.tasks.domain_folders import domain_folder
from readmark.tasks.file_roles import role_of
from readmark.tasks.new_task import new_task
from readmark.works import MarkAttribute

TEXT = (
    "The Otters hosted the Herons on 8 November 2009 and beat them 20-17 in overtime. "
    "Otters kicker Dale Voss made three field goals. It was their fourth win."
)
MARKS = [
    ("T1", "Team", "Otters", 1),
    ("T2", "Venue", "hosted", 1),
    ("T3", "Team", "Herons", 1),
    ("T4", "Date", "8 November 2009", 1),
    ("T5", "Result", "beat", 1),
    ("T6", "Team", "them", 1),
    ("T7", "FinalScore", "20", 2),
    ("T8", "FinalScore", "17", 1),
    ("T9", "Overtime", "in overtime", 1),
    ("T10", "Team", "Otters", 2),
    ("T11", "Count", "three field goals", 1),
]
LINES = [
    "R1\thome Arg1:T2 Arg2:T1",
    "R2\taway Arg1:T2 Arg2:T3",
    "R3\twinner Arg1:T5 Arg2:T1",
    "R4\tloser Arg1:T5 Arg2:T6",
    "R5\tteam Arg1:T7 Arg2:T1",
    "R6\tteam Arg1:T8 Arg2:T6",
    "R7\tteam Arg1:T11 Arg2:T10",
    "R8\tCoref Arg1:T6 Arg2:T3",
    "*\tEquiv T1 T10",
    "A1\tof T11 fieldGoalCompleteCount",
    "A2\tentity T1 Otters",
]
STATEMENTS = """\
document: otters

annotator: ida
"Otters"#1 -> (Otters="Otters"#1 type NFLTeam)
"hosted" -> (Game-1 homeTeamInGame Otters="Otters"#1)
"hosted" -> (Game-1 awayTeamInGame Team-1="Herons")
"Herons" -> (Team-1="Herons" type NFLTeam)
"8 November 2009" -> (Game-1 gameDate 2009-11-08="8 November 2009")
"beat" -> (Game-1 gameWinner Otters="Otters"#1)
"beat" -> (Game-1 gameLoser Team-1="them")
"them" -> (Team-1="them" type NFLTeam)
"20"#2 -> (Score-Otters-Game-1 pointsScored 20="20"#2)
"20"#2 -> (Score-Otters-Game-1 teamScoringAll Otters="Otters"#1)
"20"#2 -> (Game-1 teamFinalScoreInGame Score-Otters-Game-1)
"17" -> (Score-Team-1-Game-1 pointsScored 17="17")
"17" -> (Score-Team-1-Game-1 teamScoringAll Team-1="them")
"17" -> (Game-1 teamFinalScoreInGame Score-Team-1-Game-1)
"in overtime" -> (Game-1 hasOvertimePlay true)
"Otters"#2 -> (Otters="Otters"#2 type NFLTeam)
"three field goals" -> (Score-Otters-Game-1 fieldGoalCompleteCount 3="three")
"three field goals" -> (Score-Otters-Game-1 teamScoringAll Otters="Otters"#2)
"three field goals" -> (Game-1 teamFinalScoreInGame Score-Otters-Game-1)
-> (Game-1 type NFLGame)
-> (Score-Otters-Game-1 type TeamSummaryScore)
-> (Score-Team-1-Game-1 type TeamSummaryScore)
"""
"""What the marks state, by hand: the game and the scores have no words of their own."""
HARBOUR = """\
[object.game]
id = "Game-1"
statements = ["({id} type NFLGame)"]

[category.Team]
statements = ["({id} type NFLTeam)"]

[category.Periods]
attributes.count = { type = "integer", words = true }
statements = ["({game} numberOfPeriods {count})"]
"""


def span(words: str, number: int = 1, text: str = TEXT) -> str:
    start = -1
    for _ in range(number):
        start = text.index(words, start + 1)
    return f"{start} {start + len(words)}"


def brat(folder: Path, extra: tuple[str, ...] = (), drop: tuple[str, ...] = ()) -> str:
    """The marks as brat's files; ``drop`` names lines that are left out."""
    lines = [f"{id}\t{name} {span(words, at)}\t{words}" for id, name, words, at in MARKS]
    kept = [line for line in (*lines, *LINES, *extra) if line.partition("\t")[0] not in drop]
    (folder / "otters.txt").write_text(TEXT, encoding="utf-8")
    (folder / "otters.ann").write_text("\n".join(kept) + "\n", encoding="utf-8")
    return str(folder / "otters.ann")


def converted(source: str, output: Path, **options: Any) -> str:
    output.parent.mkdir(exist_ok=True)
    settings = {"categories": "nfl_scoring", **options}
    result = convert_marks(source, str(output), **settings)
    assert (result.lost, result.added) == ((), ())
    return output.read_text(encoding="utf-8")


def test_marks_yield_statements_and_the_objects_that_no_words_name(tmp_path: Path) -> None:
    source = brat(tmp_path)
    assert converted(source, tmp_path / "otters.statements", annotator="ida") == STATEMENTS


@pytest.mark.parametrize("suffix", [".ann", ".jsonl"])
@pytest.mark.parametrize("notation", [".statements", ".trig", ".rdf"])
def test_marks_and_statements_both_ways(suffix: str, notation: str, tmp_path: Path) -> None:
    source = brat(tmp_path)
    stated = tmp_path / f"otters{notation}"
    first = converted(source, stated, annotator="ida")
    (tmp_path / "back").mkdir()
    marks = tmp_path / "back" / f"otters{suffix}"
    converted(str(stated), marks)
    assert converted(str(marks), tmp_path / "again" / f"otters{notation}") == first
    known, _, _ = open_categories("nfl_scoring")
    before, after = (read_marks(path, known)[0].marks for path in (source, str(marks)))
    assert [(mark.category, mark.fragments, mark.links) for mark in before] == [
        (mark.category, mark.fragments, mark.links) for mark in after
    ]
    # Values that the words say stay with the words; entities are named.
    assert {mark.id: dict(mark.values) for mark in after if mark.values} == {
        "T1": {"entity": "Otters"},
        "T3": {"entity": "Team-1"},
        "T6": {"entity": "Team-1"},
        "T10": {"entity": "Otters"},
        "T11": {"of": "fieldGoalCompleteCount"},
    }


def test_a_task_of_such_statements_has_no_contradictions(tmp_path: Path) -> None:
    folder = tmp_path / "task"
    for name in ("ontology.ttl", "rules.dsrs", "queries.jsonl", "categories.toml"):
        target = folder / name
        target.parent.mkdir(exist_ok=True)
        target.write_bytes((domain_folder("nfl_scoring") / name).read_bytes())
    (folder / "documents").mkdir()
    (folder / "annotations").mkdir()
    (folder / "documents" / "otters.txt").write_text(TEXT, encoding="utf-8")
    converted(brat(tmp_path), folder / "annotations" / "otters.statements", annotator="ida")
    assert readmark.check(folder).problems == ()


def test_events_flags_and_a_game_that_words_name(tmp_path: Path) -> None:
    text = "In the first game the Otters kicked a field goal, then ran for a touchdown."
    (tmp_path / "otters.txt").write_text(text, encoding="utf-8")
    marks = [("T1", "Game", "first game"), ("T2", "Team", "Otters")]
    marks += [("T3", "Score", "a field goal"), ("T4", "Score", "a touchdown")]
    lines = [f"{id}\t{name} {span(words, 1, text)}\t{words}" for id, name, words in marks]
    lines += [
        "E1\tScore:T3 team:T2 game:T1",
        "E2\tScore:T4 after:E1",
        "A1\tsort E1 FieldGoal",
        "A2\tfirst E1",
        "A3\tsort E2 Touchdown",
        "A4\tentity T1 Opener",
        "A5\tentity T2 Otters",
        "A6\tprobability E2 0.5",
    ]
    (tmp_path / "otters.ann").write_text("\n".join(lines), encoding="utf-8")
    stated = converted(str(tmp_path / "otters.ann"), tmp_path / "otters.statements")
    assert stated.splitlines()[1:] == [
        '"first game" -> (Opener="first game" type NFLGame)',
        '"Otters" -> (Otters="Otters" type NFLTeam)',
        '"a field goal" -> (Event-1="a field goal" type FieldGoal)',
        '"a field goal" -> (Event-1="a field goal" scoringTeam Otters="Otters")',
        '"a field goal" -> (Score-Otters-Opener firstScoringEvent Event-1="a field goal")',
        '"a field goal" -> (Score-Otters-Opener teamScoringAll Otters="Otters")',
        '"a field goal" -> (Opener="first game" teamFinalScoreInGame Score-Otters-Opener)',
        '"a touchdown" -> (Event-2="a touchdown" type Touchdown) p=0.5',
        '"a touchdown" -> (Event-1="a field goal" nextScoringEvent Event-2="a touchdown") p=0.5',
        "-> (Score-Otters-Opener type TeamSummaryScore)",
    ]
    converted(str(tmp_path / "otters.statements"), tmp_path / "back" / "otters.ann")
    again = converted(str(tmp_path / "back" / "otters.ann"), tmp_path / "back" / "o.statements")
    assert again.splitlines()[1:] == stated.splitlines()[1:]


def test_a_folder_of_brat_files_keeps_relations_and_pieces(tmp_path: Path) -> None:
    """Words in two pieces are two excerpts; a note is named, for no statement has it."""
    folder = tmp_path / "brat"
    folder.mkdir()
    brat(folder, ("T20\tTeam 4 10;81 87\tOtters Otters", "#1\tAnnotatorNotes T20\tplural"))
    result = convert_marks(str(folder), str(tmp_path / "all.trig"), categories="nfl_scoring")
    assert (result.documents, result.marks) == (1, 12)
    assert result.unused == ("T20: the note “plural”",)
    stated = tmp_path / "otters.statements"
    convert_marks(str(folder / "otters.txt"), str(stated), categories="nfl_scoring")
    pieces = '"Otters"#1 + "Otters"#2'
    assert f"{pieces} -> (Team-1={pieces} type NFLTeam)" in stated.read_text(encoding="utf-8")
    marks = tmp_path / "marks.ann"
    text = str(folder / "otters.txt")
    converted(str(stated), marks, text=text)
    assert "Team 4 10;81 87" in marks.read_text(encoding="utf-8")


def random_marks(draw: random.Random, known: Categories) -> tuple[TextMark, ...]:
    """Marks of random categories with random values, lines and names; many are unsound."""
    places = [match.span() for match in re.finditer(r"\w+", TEXT)]
    chosen = [(f"T{at}", draw.choice([*known.categories])) for at in range(draw.randint(1, 12))]
    marks = []
    for id, name in chosen:
        category = known.categories[name]
        values: dict[str, Any] = {}
        links = {}
        for each, attribute in category.attributes.items():
            if attribute.choices:
                values[each] = draw.choice([*attribute.choices])
            elif attribute.type == "integer":
                values[each] = draw.randint(0, 20)
            elif attribute.type == "date":
                values[each] = f"2009-11-{draw.randint(10, 12)}"
            elif draw.random() < 0.5:
                values[each] = True
        for each, relation in category.relations.items():
            targets = [other for other, of in chosen if of in relation.targets]
            if targets and draw.random() < 0.7:
                links[each] = draw.choice(targets)
            elif draw.random() < 0.7:
                values[each] = f"Named-{draw.randint(1, 2)}"
        if draw.random() < 0.3:
            values["entity"] = f"Entity-{draw.randint(1, 3)}"
        if draw.random() < 0.1:
            values["probability"] = 0.5
        fragments = tuple(sorted(set(draw.choices(places, k=draw.choice([1, 1, 1, 2])))))
        marks.append(TextMark(id, name, fragments, values, links, annotator="ida"))
    return tuple(marks)


def test_random_marks_come_back_with_the_same_statements() -> None:
    known, names, _ = open_categories("nfl_scoring")
    tried = 0
    for seed in range(300):
        marks = random_marks(random.Random(seed), known)
        try:
            stated = statements_of(MarkedText("d", TEXT, marks), known, names)
        except DataError:
            continue
        tried += 1
        placed = [(one, line) for line, one in enumerate(stated, 1)]
        found = marks_of(placed, known, document="d", text=TEXT, namespaces=names)
        assert (found.lost, found.added) == ((), ())
        assert set(statements_of(found.marked, known, names)) == set(stated)
    assert tried > 50


def test_what_no_category_yields_is_named(tmp_path: Path, readmark_cli: Callable[..., Any]) -> None:
    (tmp_path / "otters.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "otters.statements").write_text(
        'annotator: ida\n"Otters"#1 -> (Otters type NFLTeam)\n"beat" -> (Otters sameAs Them)\n'
        '"20"#2 -> (S pointsScored 20)\n-> (Game-2 type NFLGame)\n'
        '"hosted" -> (Game-1="fourth win" homeTeamInGame Otters)\n',
        encoding="utf-8",
    )
    file, out = tmp_path / "otters.statements", tmp_path / "marks.jsonl"
    done = readmark_cli("task", "annotate", file, "-o", out, "--categories", "nfl_scoring")
    assert done.returncode == 1
    for line, what in (
        (3, "no category yields (Otters sameAs Them)"),
        (4, "no category yields (S pointsScored 20)"),  # nobody says which team's
        (5, "no category yields (Game-2 type NFLGame)"),
        (6, "no category yields the words of the subject of (Game-1 homeTeamInGame Otters)"),
    ):
        assert f"{file}:{line}: {what}" in done.stderr
    assert "implied by the marks too: (Game-1 type NFLGame)" in done.stderr
    [passage] = readmark.load(out).records()
    assert passage.text == TEXT


@pytest.mark.parametrize(
    ("extra", "drop", "place", "message"),
    [
        (("T20\tTeem 4 10\tOtters",), (), "23", "T20: 'Teem' is not a category of"),
        (("T20\tTeam 4 900\tOtters",), (), "23", "T20 is at 4 900, outside"),
        (("T20\tTeam 4 4\t",), (), "23", "T20: 4–4 is not a stretch of the text"),
        (("A9\tpoints T1 20",), (), "1", "T1: Team has no attribute 'points'"),
        (("A9\tpoints T7 many",), (), "7", "T7: points: 'many' is no integer"),
        (("A9\tof T11 kicks",), ("A1",), "11", "T11: of: 'kicks' is none of the choices"),
        (("R9\tcoach Arg1:T1 Arg2:T3",), (), "23", "R9: 'coach' is not a relation of any category"),
        (("R9\tteam Arg1:T7 Arg2:T3",), (), "7", "T7: has two relations team"),
        (("R9\tteam Arg1:T8 Arg2:T2",), ("R6",), "8", "team leads to T2, a Venue, expected Team"),
        (("A9\tentity T10 Herons",), (), "10", "is called Herons, and a mark of the same entity"),
        (("E1\tScore:T90",), (), "23", "E1 is about T90, which is not there"),
        (("*\tEquiv",), (), "23", "*: found 'Equiv', expected what it is about"),
        ((), ("R5",), "7", "T7: FinalScore needs a relation team to a mark of Team"),
        ((), ("R1", "R2"), "2", "T2: Venue yields no statement without one of home, away, game"),
        (("T20\tPeriods 4 10\tOtters",), (), "23", "“Otters” does not say one"),
    ],
)
def test_bad_marks_have_their_line(
    extra: tuple[str, ...], drop: tuple[str, ...], place: str, message: str, tmp_path: Path
) -> None:
    source = brat(tmp_path, extra, drop)
    with pytest.raises(DataError) as caught:
        convert_marks(source, str(tmp_path / "o.trig"), categories="nfl_scoring")
    assert message in str(caught.value)
    assert (caught.value.file, str(caught.value.where)) == (source, place)
    assert not (tmp_path / "o.trig").exists()


@pytest.mark.parametrize(
    ("old", "new", "line", "code", "message"),
    [
        ("NFLTeam", "Teem", 6, "unknown_class", "Teem is not a class"),
        ("numberOfPeriods", "periods", 10, "unknown_property", "periods is not a property"),
        ("{count})", "{kount})", 10, "placeholder", "there is no {kount}; did you mean count?"),
        ('"integer"', '"string"', 10, "range", '"a" is not of type xsd:nonNegativeInteger'),
        ('["({id} type NFLTeam)"]', "[]", 5, "no_statement", "Team yields no statement"),
        ("category.Team", "category.Token", 5, "name", "'Token' cannot be a category"),
        ("words = true", "word = true", 9, "schema", "word"),
        ('"Game-1"', '"Game-{team}"', 1, "placeholder", "{team}, which no category has"),
        ('"Game-1"', '"Game-{game}"', 1, "placeholder", "made of itself"),
        ("({id} type NFLTeam)", "({id} type)", 6, "graph", "three terms"),
        ("({id} type NFLTeam)", "(?id type NFLTeam)", 6, "graph", "?id is a variable"),
        ("({id} type NFLTeam)", "(T-{n} type NFLTeam)", 6, "graph", "mixes a name"),
        ("[category.Team]", "[category.Team]\nrelations.at = 'Tame'", 6, "unknown_category", "at"),
        ("[category.Team]", "[category.Team", "5:15", "toml", "Expected"),
    ],
)
def test_check_names_the_line_of_what_is_wrong(
    old: str, new: str, line: int | str, code: str, message: str, tmp_path: Path
) -> None:
    folder = tmp_path / "task"
    new_task(folder)
    text = HARBOUR.replace(old, new, 1)
    (folder / "categories.toml").write_text(text, encoding="utf-8")
    domain = domain_folder("nfl_scoring")
    (folder / "ontology.ttl").write_bytes((domain / "ontology.ttl").read_bytes())
    found = [
        problem for problem in readmark.check(folder) if problem.file.endswith("categories.toml")
    ]
    assert [(problem.where, problem.code) for problem in found][:1] == [(line, code)]
    assert message in found[0].message


def test_shipped_categories_are_sound_and_describe_a_tool(tmp_path: Path) -> None:
    """Every reading target of the ontology can be marked, with a label in both languages."""
    found: list[Problem] = []
    path = domain_folder("nfl_scoring") / "categories.toml"
    known = read_categories(path.read_text(encoding="utf-8"), str(path), found.append)
    assert known is not None
    assert found == []
    new_task(tmp_path / "new")
    assert readmark.check(tmp_path / "new").is_sound
    assert role_of("categories.toml") == ("categories", None)
    ontology = (domain_folder("nfl_scoring") / "ontology.ttl").read_text(encoding="utf-8")
    targets = {
        block.split()[0].removeprefix(":")
        for block in ontology.split("\n\n")
        if "rm:role rm:target" in block
    }
    stated = {
        str(getattr(term, "text", ""))
        for owner in (*known.categories.values(), *known.objects.values())
        for template in owner.templates
        for term in template.terms
    }
    assert targets - stated == set()
    for category in known.categories.values():
        for words in (category.label, category.guideline):
            assert isinstance(words, dict)
            assert {*words} == {"en", "zh"}
        assert (category.shortcut == "", category.colour == "") == (False, False)


@pytest.mark.parametrize(
    ("type", "words", "value"),
    [
        ("integer", "winds of 190 km/h", (190, "190")),
        ("integer", "1,204 fans", (1204, "1,204")),
        ("integer", "Twenty-four points", (24, "Twenty-four")),
        ("integer", "三个射门", (3, "三")),
        ("integer", "24-17", None),  # two of them
        ("integer", "a 3.5-point lead", None),
        ("integer", "nobody", None),
        ("number", "about 3.5 km", (3.5, "3.5")),
        ("date", "on 3 September 2019", ("2019-09-03", "3 September 2019")),
        ("date", "Sept. 3, 2019", None),
        ("date", "Sep. 3, 2019", ("2019-09-03", "Sep. 3, 2019")),
        ("date", "2019年9月3日", ("2019-09-03", "2019年9月3日")),
        ("date", "31 February 2019", None),
        ("boolean", "true", None),
    ],
)
def test_values_that_words_say(type: str, words: str, value: Any) -> None:
    said = value_in_words(MarkAttribute(type=type), words)  # type: ignore[arg-type]
    if value is None:
        assert said is None
    else:
        assert said is not None
        literal, (start, end) = said
        assert (literal.lexical, words[start:end]) == (str(value[0]), value[1])
