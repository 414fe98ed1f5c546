"""How a phrase is said in each place, by hand."""

import pytest

from readmark.series.guided.parses import parse_all
from readmark.series.learned.english import ENGLISH
from readmark.series.learned.features import apply_edits
from readmark.series.learned.places import content, places_of
from readmark.series.learned.values import MeantPhrase


def phrase(text: str, article: str = "", *, plural: bool = False) -> MeantPhrase:
    return MeantPhrase(text, article, "question", 0, content(text), text.split()[-1], plural=plural)


@pytest.mark.parametrize(
    ("question", "how", "link", "said", "made"),
    [
        ("Is it rare?", "thing", "", phrase("otter", "the"), "Is the otter rare?"),
        ("It eats what?", "thing", "", phrase("otter", "the"), "The otter eats what?"),
        ("Name their foes.", "own", "", phrase("otters", plural=True), "Name otters' foes."),
        ("How old is the dam?", "after", "of", phrase("Vell"), "How old is the dam of Vell?"),
        ("How old is the dam?", "whose", "", phrase("Vell"), "How old is Vell's dam?"),
        ("Who won?", "end", "in", phrase("race", "the"), "Who won in the race?"),
        ("Are others old?", "end", "besides", phrase("Vell"), "Besides Vell, are others old?"),
        ("How do I become one?", "one", "", phrase("smith", "a"), "How do I become a smith?"),
        ("List the main ones.", "one", "", phrase("canals", "the"), "List the main canals."),
        ("Where was Vell born?", "part", "", phrase("Mara Vell"), "Where was Mara Vell born?"),
    ],
)
def test_filled(question: str, how: str, link: str, said: MeantPhrase, made: str) -> None:
    [parsed] = parse_all([question])
    place = next(one for one in places_of(parsed) if (one.how, one.link) == (how, link))
    edit = ENGLISH.fill(question, place, said, "")
    assert edit is not None
    assert apply_edits(question, [edit]) == made


def test_what_about_changes_one_thing_in_the_question_before() -> None:
    question = "What about foxes?"
    [parsed] = parse_all([question])
    place = next(one for one in places_of(parsed) if one.how == "frame")
    edit = ENGLISH.fill(question, place, phrase("otters"), "Where do otters sleep?")
    assert edit == (0, len(question), "Where do foxes sleep?")


def test_why_asks_of_the_whole_question_before() -> None:
    [parsed] = parse_all(["Why?"])
    place = next(one for one in places_of(parsed) if one.how == "reason")
    edit = ENGLISH.fill("Why?", place, phrase("otters"), "Do otters sleep in pairs?")
    assert edit == (0, 4, "Why do otters sleep in pairs?")
    assert ENGLISH.fill("Why?", place, phrase("otters"), "Where do otters sleep?") is None
