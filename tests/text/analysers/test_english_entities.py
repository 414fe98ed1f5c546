"""Entity types of English phrases that are tagged by hand: no model."""

import pytest

from readmark.text.analysers.english_entities import PhraseWord, entity_type, gender_of

# A word is text/lemma/tag, or text/lemma/tag/LABEL of the recogniser.
PHRASES: dict[str, str | None] = {
    "the/the/DT soldier/soldier/NN": "PERSON",
    "three/three/CD soldiers/soldier/NNS": "PERSON",
    "two/two/CD policewomen/policewomen/NNS": "PERSON",
    "a/a/DT marine/marine/JJ biologist/biologist/NN": "PERSON",
    "a/a/DT seismologist/seismologist/NN": "PERSON",
    "a/a/DT long/long/JJ list/list/NN": None,
    "a/a/DT typewriter/typewriter/NN": None,
    "Edison/Edison/NNP/PERSON": "PERSON",
    "Captain/Captain/NNP Ito/Ito/NNP": "PERSON",
    "a/a/DT 30-week/30-week/JJ course/course/NN": "TIME",
    "a/a/DT 30/30/CD -/-/HYPH week/week/NN course/course/NN": "TIME",
    "four/four/CD hours/hour/NNS a/a/DT week/week/NN": "TIME",
    "100/100/CD years/year/NNS": "TIME",
    "the/the/DT weekend/weekend/NN": "TIME",
    "the/the/DT year/year/NN 1066/1066/CD": "TIME",
    "1962/1962/CD": "TIME",
    "the/the/DT 1840s/1840s/NNS": "TIME",
    "a/a/DT second/second/JJ chance/chance/NN": None,
    "spring/spring/NN onions/onion/NNS": None,
    "the/the/DT spring/spring/NN": "TIME",
    "May/May/NNP/DATE": "TIME",
    "May/May/NNP": None,
    "Britain/Britain/NNP/GPE": "LOCATION",
    "the/the/DT United/United/NNP/GPE States/States/NNP/GPE": "LOCATION",
    "Baker/Baker/NNP Street/Street/NNP": "LOCATION",
    "the/the/DT street/street/NN": None,
    "Oxford/Oxford/NNP/ORG University/University/NNP/ORG": "ORGANIZATION",
    "Nord/Nord/NNP Bank/Bank/NNP": "ORGANIZATION",
    "20/20/CD stories/story/NNS": "NUM",
    "Millions/million/NNS": "NUM",
    "Millions/million/NNS/ORG": "NUM",
    "the/the/DT Empire/Empire/NNP/ORG State/State/NNP/ORG Building/Building/NNP/ORG": "LOCATION",
    "Penn/Penn/NNP/ORG Station/Station/NNP/ORG": "LOCATION",
    "Manchester/Manchester/NNP/ORG City/City/NNP/ORG": "ORGANIZATION",
    "the/the/DT building/building/NN": None,
    "$/$/$ 5/5/CD": "NUM",
    "one/one/CD mile/mile/NN": "NUM",
    "one/one/CD day/day/NN": "TIME",
    "one/one/CD boy/boy/NN": None,
    "three/three/CD times/time/NNS a/a/DT week/week/NN": "NUM",
    "a/a/DT nine/nine/CD -/-/HYPH year/year/NN -/-/HYPH old/old/JJ boy/boy/NN": "NUM",
    "the/the/DT two/two/CD kinds/kind/NNS": None,
    "the/the/DT age/age/NN/DATE": None,
    "an/an/DT English/English/JJ/NORP course/course/NN": None,
    "he/he/PRP": None,
}


def words(phrase: str) -> list[PhraseWord]:
    """The words of a phrase, each written as text/lemma/tag, or with the label of its entity."""
    return [PhraseWord(*token.split("/")) for token in phrase.split()]


@pytest.mark.parametrize("phrase", PHRASES)
def test_entity_type(phrase: str) -> None:
    assert entity_type(words(phrase)) == PHRASES[phrase]


def test_age_by_the_words_around_it() -> None:
    years = words("nine/nine/CD years/year/NNS")
    assert entity_type(years) == "TIME"
    assert entity_type(years, "old") == "NUM"
    fifteen = words("fifteen/fifteen/CD/DATE")
    assert entity_type(fifteen, "", ("age", "of")) == "NUM"
    assert entity_type(fifteen, "", ("Aged",)) == "NUM"


def test_gender_by_title() -> None:
    assert gender_of(["Mrs."]) == "female"
    assert gender_of(["King"]) == "male"
    assert gender_of(["Dr.", "Holm"]) is None
