"""What a target is taken for: kind, number, article, and the names inside it."""

import pytest

from readmark.series.guided.parses import parse_all
from readmark.series.guided.targets import SeriesTarget, read_target


def read(target: str, *questions: str, type: str | None = None) -> SeriesTarget:
    first, *others = parse_all([target, *questions])
    return read_target(target, first, others, type)


@pytest.mark.parametrize(
    ("target", "question", "kind"),
    [
        ("Marta Kolb", "When was she born?", "person"),
        ("boxer Otto Lang", "When did he win?", "person"),
        ("Halden Institute", "Where is it?", "organisation"),
        ("Zellweg", "Who runs the company?", "organisation"),
        ("1954 Halden flood", "When did it end?", "event"),
        ("Coalition wins election in Norland", "When was this?", "event"),
        ("kudzu", "Why is it a problem?", "thing"),
    ],
)
def test_the_kind_is_told_by_the_noun_and_the_series(target: str, question: str, kind: str) -> None:
    assert read(target, question).kind == kind


@pytest.mark.parametrize(
    ("said", "kind"),
    [("PERSON", "person"), ("organization", "organisation"), ("ORG", "organisation")],
)
def test_the_record_s_type_goes_first(said: str, kind: str) -> None:
    assert read("kudzu", "Why is it a problem?", type=said).kind == kind


@pytest.mark.parametrize(
    ("target", "question", "article"),
    [
        ("Halden Institute", "Where is it?", "the"),
        ("Halden University", "Where is it?", ""),
        ("University of Halden", "Where is it?", "the"),
        ("Marta Kolb", "When was she born?", ""),
        ("Super Cup XX", "Who won it?", ""),
        ("agouti", "What kind of animal is an agouti?", "an"),
        ("Zephyr", "How fast does the Zephyr fly?", "the"),
        ("The Halden Times", "Who owns it?", ""),
        ("Kolb's Comet", "Who found it?", ""),
        ("quarks", "Who discovered them?", ""),
    ],
)
def test_the_article(target: str, question: str, article: str) -> None:
    assert read(target, question).article == article


def test_brackets_give_a_plain_name_and_another() -> None:
    target = read("Northern Ferry Board (NFB)", "Where is it?")
    assert (target.plain, target.alias) == ("Northern Ferry Board", "NFB")


def test_names_inside_an_event() -> None:
    [name] = read("trial of Otto Lang", "Who was Mr. Lang's lawyer?").inner
    assert (name.text, name.person) == ("Otto Lang", True)


def test_a_name_by_itself_has_none_inside() -> None:
    assert read("Marta Kolb", "When was she born?").inner == ()


def test_a_headline_has_a_subject_and_a_verb() -> None:
    target = read("Ferry Astrid sinks in storm", "When did it happen?")
    assert target.sentence
    assert target.verb_lemma == "sink"
    assert target.subject == "Ferry Astrid"
