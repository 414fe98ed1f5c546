"""Every family by itself: values worked by hand on passages parsed by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rating_passages import DOG, MAN, Word, by_hand
from readmark.readability.raters.features.assertions import assertions_of
from readmark.readability.raters.features.disagreement import disagreements
from readmark.readability.raters.features.discourse import count_connectives
from readmark.readability.raters.features.families import FAMILIES, features_of, measure, row
from readmark.readability.raters.features.lexical import variety
from readmark.readability.raters.parses import ParsedPassage, parse_all


def measure_family(name: str, parsed: ParsedPassage) -> dict[str, float]:
    return measure(parsed, [name])


def test_every_feature_has_a_unique_name_a_family_and_a_description() -> None:
    features = features_of()
    assert len({feature.name for feature in features}) == len(features) > 60
    assert {feature.family for feature in features} == set(FAMILIES)
    for feature in features:
        assert feature.description
        assert feature.low < feature.high
        assert feature.easier in (-1, 0, 1)


def test_surface_counts_words_a_sentence_and_signs() -> None:
    values = measure_family("surface", by_hand(DOG, MAN))
    assert values["sentence_length"] == pytest.approx(math.log(11 / 2))
    assert values["length_spread"] == pytest.approx(0.5 / 5.5)
    assert values["long_words"] == pytest.approx(1 / 11)  # shouted
    assert values["commas"] == values["figures"] == 0


def test_syntax_by_hand() -> None:
    values = measure_family("syntactic", by_hand(DOG, MAN))
    assert values["depth"] == 2  # The -> dog -> bit; the -> man -> ran
    assert values["distance"] == pytest.approx((1 + 1 + 1 + 2 + 3 + 3 + 1 + 1 + 1 + 2 + 3) / 11)
    assert values["before_verb"] == pytest.approx((2 + 3) / 2)
    assert values["clauses"] == 1.5  # bit, ran, shouted in two sentences
    assert values["past"] == 1.0
    assert values["passives"] == values["subordinate"] == 0


def test_discourse_by_hand() -> None:
    values = measure_family("discourse", by_hand(DOG, MAN))
    assert values["overlap"] == 1.0  # man
    assert values["content_overlap"] == pytest.approx(1 / 3)  # man of man, run, shout
    assert values["chained"] == pytest.approx(2 / 3)  # man, man; dog stands alone
    assert values["chain_length"] == 2
    assert values["temporal"] == 6.0  # then: 9 in a hundred words, over the bound
    assert values["definite"] == 0.9  # all of them: its bound


def test_the_longest_connective_counts_alone() -> None:
    words = ["as", "a", "result", "of", "rain", "because"]
    sentence: list[Word] = [(word, word, "X", "XX", 0, "dep") for word in words]
    assert count_connectives(by_hand(sentence)) == {
        "causal": 2,
        "temporal": 0,
        "adversative": 0,
        "additive": 0,
    }


def test_a_coordinated_verb_shares_its_subject() -> None:
    assertions = assertions_of(by_hand(DOG, MAN))
    assert [(each.verb, each.subject, each.objects) for each in assertions] == [
        (2, 1, (4,)),
        (9, 8, ()),
        (11, 8, ()),
    ]
    values = measure_family("assertions", by_hand(DOG, MAN))
    assert values["assertions"] == 1.5
    assert values["asserting"] == 1.0


@pytest.mark.parametrize(
    ("sentence", "wrong"),
    [
        ([("They", "they", "PRON", "PRP", 1, "nsubj"), ("was", "be", "AUX", "VBD", 1, "ROOT")], 1),
        ([("He", "he", "PRON", "PRP", 1, "nsubj"), ("was", "be", "AUX", "VBD", 1, "ROOT")], 0),
        (
            [
                ("Dogs", "dog", "NOUN", "NNS", 1, "nsubj"),
                ("barks", "bark", "VERB", "VBZ", 1, "ROOT"),
            ],
            1,
        ),
        ([("can", "can", "AUX", "MD", 1, "aux"), ("goes", "go", "VERB", "VBZ", 1, "ROOT")], 1),
        ([("a", "a", "DET", "DT", 1, "det"), ("books", "book", "NOUN", "NNS", 1, "ROOT")], 1),
        ([("an", "a", "DET", "DT", 1, "det"), ("car", "car", "NOUN", "NN", 1, "ROOT")], 1),
        ([("a", "a", "DET", "DT", 1, "det"), ("car", "car", "NOUN", "NN", 1, "ROOT")], 0),
    ],
)
def test_disagreement(sentence: list[Word], wrong: int) -> None:
    assert len(disagreements(by_hand(sentence))) == wrong


def test_lexical_features_know_common_from_rare() -> None:
    easy, hard = parse_all(
        [
            "The boy went home. He saw his mother and gave her the red ball.",
            "Jurisprudential promulgation engenders epistemological obfuscation.",
        ]
    )
    common, rare = measure_family("lexical", easy), measure_family("lexical", hard)
    for name in ("frequency", "band_1", "band_2", "story_words", "pronouns"):
        assert common[name] > rare[name], name
    for name in ("rare_words", "unfamiliar", "abstract"):
        assert common[name] < rare[name], name


@pytest.mark.parametrize(
    ("words", "share"),
    [([], 0.85), (["a"] * 100, 1 / 50), ([str(n) for n in range(80)], 1.0)],
)
def test_variety(words: list[str], share: float) -> None:
    assert variety(words) == pytest.approx(share)


@given(st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=51, max_size=120))
def test_variety_equals_counting_each_stretch(words: list[str]) -> None:
    stretches = [words[start : start + 50] for start in range(len(words) - 49)]
    direct = sum(len(set(stretch)) / 50 for stretch in stretches) / len(stretches)
    assert variety(words) == pytest.approx(direct)


def test_values_keep_their_bounds_whatever_the_text() -> None:
    texts = ["", "!", "a", "1 2 3", "word " * 300, "AAAA. BBBB. ? ! ...", "x" * 400, "的 一 是"]
    for parsed in parse_all(texts):
        values = measure(parsed)
        for feature in features_of():
            assert feature.low <= values[feature.name] <= feature.high
            assert math.isfinite(values[feature.name])


def test_a_row_is_in_the_order_asked_for() -> None:
    parsed = by_hand(DOG)
    values = measure(parsed)
    assert row(parsed, ["depth", "letters"]).tolist() == [values["depth"], values["letters"]]
    with pytest.raises(KeyError):
        row(parsed, ["nothing"])


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("small letters begin here. and here too.", "odd_starts", 1.0),
        ("this one begins small. That one is sound.", "odd_starts", 0.5),
        ("He left because she said that he lied if asked.", "prepositions", 0.0),
        ("He sat on the wall by the sea in silence and said many kind words.", "prepositions", 0.2),
        ('"Yes," said the man.', "before_verb", 1.0),
        ("She sat down; he rose (at last): a record was set. All were glad.", "heavy_signs", 2.0),
        ("It rains. It is late. It seems that it snows.", "chained", 0.0),
        ("The dog came in. It was wet.", "chained", 0.5),
        ("Sit down. Eat your soup. Go to bed. Do not cry.", "verbless", 0.0),
        ("Sit down. Eat your soup. Go to bed. Do not cry.", "asserting", 1.0),
        ("To have gone there. The house on the hill.", "verbless", 1.0),
        ("The team were happy. If he were here, he would sing.", "disagreement", 0.0),
        ("The shop opens at 9 a.m. and shuts at 6 p.m. or so, etc. as said.", "unknown_words", 0.0),
    ],
)
def test_features_are_what_their_names_say(text: str, name: str, value: float) -> None:
    [parsed] = parse_all([text])
    assert measure(parsed)[name] == pytest.approx(value)
