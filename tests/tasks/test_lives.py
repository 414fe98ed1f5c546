"""The domain of lives: time, families and offices by rules, with cases worked by hand."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

from readmark.tasks.inferring import run_rules
from readmark.tasks.knowledge_base import Reasoning
from readmark.tasks.reasoning.contradictions import contradictions
from readmark.tasks.reasoning.derivation_text import contradiction_text
from readmark.tasks.reasoning.engine.inference import infer
from readmark.tasks.reasoning.graphs import Asserted, read_statements, write_triple
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.owl import read_ontology
from readmark.tasks.reasoning.rules.parser import parse_rules
from readmark.tasks.reasoning.rules.values import Theory

pytestmark = pytest.mark.reasoning

SOURCE = Path(str(files("readmark")))
FOLDER = SOURCE / "tasks" / "domains" / "lives"


def text(name: str) -> str:
    return (FOLDER / name).read_text("utf-8")


@pytest.fixture(scope="module")
def ontology() -> Ontology:
    return read_ontology(text("ontology.ttl").encode(), file="ontology.ttl")


@pytest.fixture(scope="module")
def theory() -> Theory:
    return parse_rules(text("rules.dsrs"), "rules.dsrs")


TENURE = "(T type Tenure) (T holder A) (T office Mayor)"
NEXT = "(U type Tenure) (U holder B) (U termStart 1958)"
WEDDING = "(W type Marriage) (W partner A) (W partner B)"

FOLLOWS = {
    # the birthday on 3 June was not reached in February 1998
    "dates-early": (
        "(A birthDate 1919-06-03) (A deathDate 1998-02-14)",
        "(A birthYear 1919) (A deathYear 1998) (A lifeSpan 79) (A ageAtDeath 78)",
    ),
    "dates-late": ("(A birthDate 1919-06-03) (A deathDate 1998-07-01)", "(A ageAtDeath 79)"),
    "dates-day": ("(A birthDate 1919-06-03) (A deathDate 1998-06-03)", "(A ageAtDeath 79)"),
    "dates-day-before": ("(A birthDate 1919-06-03) (A deathDate 1998-06-02)", "(A ageAtDeath 78)"),
    "wedding": (WEDDING, "(A spouse B) (B spouse A)"),
    "widow": (
        "(A spouse B) (A deathYear 1966) (B deathYear 1971)",
        "(A survivedBy B) (B widowedYear 1966)",
    ),
    "siblings": ("(A parent C) (B parent C)", "(A sibling B) (B sibling A) (C child A)"),
    "succession": (
        f"{TENURE} (T termEnd 1958) {NEXT} (U office Mayor)",
        "(U predecessor A)",
    ),
    "predecessor": (
        f"{TENURE} {NEXT} (U office Mayor) (U predecessor A)",
        "(T termEnd 1958)",
    ),
    "country": (
        "(A birthPlace V) (V locatedIn P) (P locatedIn N) (N type Country)",
        "(V locatedIn N) (A birthCountry N)",
    ),
    "one-person": (
        '(A fullName "Ada Venn") (B fullName "Ada Venn") (A birthYear 1919) (B birthYear 1919)',
        "(A sameAs B)",
    ),
}

DOES_NOT_FOLLOW = {
    "divorced": (
        f"{WEDDING} (W divorceYear 1950) (A deathYear 1966) (B deathYear 1971)",
        "(A survivedBy B) (B widowedYear 1966)",
    ),
    "both-in-one-year": ("(A spouse B) (A deathYear 1966) (B deathYear 1966)", "(A survivedBy B)"),
    "stated-age": (
        "(A birthDate 1919-06-03) (A deathDate 1998-02-14) (A ageAtDeath 79)",
        "(A ageAtDeath 78)",
    ),
    "another-office": (
        f"{TENURE} (T termEnd 1958) {NEXT} (U office Abbot)",
        "(U predecessor A)",
    ),
    "another-birth": (
        '(A fullName "Ada Venn") (B fullName "Ada Venn") (A birthYear 1919) (B birthYear 1920)',
        "(A sameAs B)",
    ),
}

CONTRADICTS = {
    "no-death-before-birth": "(A birthYear 1950) (A deathYear 1949)",
    "age-too-high": "(A birthYear 1900) (A deathYear 1950) (A ageAtDeath 52)",
    "age-too-low": "(A birthYear 1900) (A deathYear 1950) (A ageAtDeath 48)",
    "no-marriage-before-birth": f"{WEDDING} (W marriageYear 1940) (B birthYear 1941)",
    # dead at 30 in 1950: born in 1919 at the earliest
    "no-marriage-before-birth by age": (
        f"{WEDDING} (W marriageYear 1919) (B deathYear 1950) (B ageAtDeath 30)"
    ),
    "no-marriage-after-death": f"{WEDDING} (W marriageYear 1951) (A deathYear 1950)",
    # born in 1900, dead at 50: in 1951 at the latest
    "no-marriage-after-death by age": (
        f"{WEDDING} (W marriageYear 1952) (A birthYear 1900) (A ageAtDeath 50)"
    ),
    "no-divorce-before-marriage": f"{WEDDING} (W marriageYear 1950) (W divorceYear 1949)",
    "no-office-before-birth": f"{TENURE} (T termStart 1940) (A birthYear 1941)",
    "no-office-after-death": f"{TENURE} (T termStart 1951) (A deathYear 1950)",
    "no-office-until-after-death": f"{TENURE} (T termEnd 1951) (A deathYear 1950)",
    "no-term-ends-before-it-begins": f"{TENURE} (T termStart 1951) (T termEnd 1950)",
    "no-child-before-its-parent": "(A parent B) (A birthYear 1905) (B birthYear 1900)",
    "no-child-of-the-long-dead": "(A parent B) (A birthYear 1905) (B deathYear 1903)",
    "no-survivor-who-died-before": "(A survivedBy B) (A deathYear 1950) (B deathYear 1949)",
    "nobody-succeeds-oneself": f"{TENURE} (T predecessor A)",
    "ontology": "(A type Person) (A type City)",
    "ontology: two births": "(A birthYear 1900) (A birthYear 1901)",
    "ontology: three parents": "(A parent B) (A parent C) (A parent D)",
}

AGREES = (
    "(A birthYear 1900) (A deathYear 1950) (A ageAtDeath 49)",
    "(A birthYear 1900) (A deathYear 1950) (A ageAtDeath 51)",
    f"{WEDDING} (W marriageYear 1950) (A deathYear 1950) (B deathYear 1960) (B ageAtDeath 30)",
    f"{TENURE} (T termStart 1950) (T termEnd 1950) (A deathYear 1950)",
    "(A parent B) (A birthYear 1904) (B deathYear 1903)",
)


def asserted(graph: str, name: str = "case") -> list[Asserted]:
    return [Asserted(name, statement) for statement in read_statements(f"({graph})")]


@pytest.fixture(scope="module")
def followed(theory: Theory, ontology: Ontology) -> dict[str, set[str]]:
    """What follows in each case; they are graphs of one run."""
    cases = {**FOLLOWS, **DOES_NOT_FOLLOW}
    statements = [one for case, (given, _) in cases.items() for one in asserted(given, case)]
    derived: dict[str, set[str]] = {case: set() for case in cases}
    with infer(statements, theory, ontology) as found:
        for one in found.derived():
            derived[one.graph].add(write_triple(one.statement))
    return derived


def wanted(graph: str) -> set[str]:
    return {write_triple(statement) for statement in read_statements(f"({graph})")}


@pytest.mark.parametrize("case", FOLLOWS)
def test_what_follows(case: str, followed: dict[str, set[str]]) -> None:
    assert wanted(FOLLOWS[case][1]) <= followed[case]


@pytest.mark.parametrize("case", DOES_NOT_FOLLOW)
def test_what_does_not_follow(case: str, followed: dict[str, set[str]]) -> None:
    assert not wanted(DOES_NOT_FOLLOW[case][1]) & followed[case]


def test_what_cannot_be(theory: Theory, ontology: Ontology) -> None:
    """Each case contradicts by the rule that it is named after, in one run."""
    statements = [one for case, graph in CONTRADICTS.items() for one in asserted(graph, case)]
    with infer(statements, theory, ontology) as found:
        rules: dict[str, set[str]] = {}
        for one in contradictions(found):
            rules.setdefault(one.graph, set()).add(one.rule.name)
    for case in CONTRADICTS:
        named = re.split(r" by |:", case)[0]
        assert any(rule.startswith(named) for rule in rules.get(case, ())), (case, rules.get(case))


def test_what_can_be(theory: Theory, ontology: Ontology) -> None:
    statements = [one for at, graph in enumerate(AGREES) for one in asserted(graph, f"case{at}")]
    with infer(statements, theory, ontology) as found:
        assert [(one.graph, one.rule.name) for one in contradictions(found)] == []


def test_people_are_linked_over_documents(tmp_path: Path) -> None:
    """One full name and one year of birth: two documents that differ on a death contradict."""
    papers = {
        "gazette": '((A fullName "Ada Venn") (A birthDate 1919-06-03) (A deathYear 1998))',
        "herald": '((B fullName "Ada Venn") (B birthYear 1919) (B deathYear 1997))',
        "courier": '((C fullName "Ada Venn") (C birthYear 1920) (C deathYear 1990))',
    }
    for name, graph in papers.items():
        (tmp_path / f"{name}.graph").write_text(graph, encoding="utf-8")
    files = [str(tmp_path / f"{name}.graph") for name in papers]
    apart = run_rules(files, Reasoning(domain="lives"))
    assert apart.counts["contradictions"] == 0
    found = run_rules(files, Reasoning(domain="lives", across=True))
    assert {one.rule.name for one in found.contradictions} == {
        "ontology: deathYear has at most 1",
        "ontology: lifeSpan has at most 1",
    }
    assert not any("courier" in contradiction_text(one) for one in found.contradictions)


def test_questions_are_those_of_the_ontology(ontology: Ontology) -> None:
    for line in text("queries.jsonl").splitlines():
        row = json.loads(line)
        if "property" in row:
            known = next(
                one for one in ontology.properties.values() if one.name.text == row["property"]
            )
            assert row["text"] == known.annotations["question"]


def test_no_python_file_knows_the_domain() -> None:
    """What it is about is data: no class or property of it is in the source."""
    declared = r"(?m)^:(\w+) a owl:(?:Class|ObjectProperty|DatatypeProperty)"
    names = set(re.findall(declared, text("ontology.ttl")))
    common = {"Person", "Place", "Event", "City", "Office", "Cause", "Country"}
    own = {name for name in names - common if not name.islower()}
    assert {"birthYear", "widowedYear", "Tenure", "Marriage"} <= own
    words = re.compile(rf"\b(?:{'|'.join(sorted(own))}|tasks/domains/lives|[\"']lives[\"'])\b")
    found = [
        f"{path.relative_to(SOURCE)}: {match[0]}"
        for path in SOURCE.rglob("*.py")
        if (match := words.search(path.read_text("utf-8")))
    ]
    assert found == []
