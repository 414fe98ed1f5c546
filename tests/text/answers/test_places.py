"""Where an answer occurs in its passage."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.records import Answer
from readmark.text.answers.places import answer_places
from readmark.text.word_edges import cuts_letter, is_whole

TEXT = "A fox sat. The fox ran 24 – 10 miles; ８８米."


@pytest.mark.parametrize(
    ("answer", "places"),
    [
        (Answer(text="fox"), [(2, 5), (15, 18)]),
        (Answer(text="fox", start=15), [(15, 18)]),
        (Answer(text="fox", start=14), [(15, 18)]),  # astray: the nearest
        (Answer(text="fox", start=0, end=3), [(2, 5)]),
        (Answer(text=" fox ran "), [(15, 22)]),
        (Answer(text="THE FOX"), [(11, 18)]),
        (Answer(text="24–10"), [(23, 30)]),
        (Answer(text="88米"), [(38, 41)]),
        (Answer(text="a badger"), []),
        (Answer(text="a badger", start=3), []),
        (Answer(text="  "), []),
    ],
)
def test_places(answer: Answer, places: list[tuple[int, int]]) -> None:
    assert answer_places(TEXT, answer) == places


@pytest.mark.parametrize(
    ("text", "words", "places"),
    [
        ("She grated it at a fair rate.", "rate", [(24, 28)]),
        ("She grated it.", "rate", []),
        ("In 1995 it was 5.", "5", [(15, 16)]),
        ("In 1995 it was 2.5.", "5", []),
        ("他是学生会主席。", "学生", [(2, 4)]),
        ("The caf\u00e9s closed.", "cafe\u0301s", [(4, 9)]),
        ("The cafe\u0301s closed.", "caf\u00e9s", [(4, 10)]),
        ("The cafe\u0301 closed.", "cafe", []),
        ("The cafe\u0301 closed.", "CAF\u00c9", [(4, 9)]),
        ("Tom\u2019s “red” kite", 'Tom\'s "red" kite', [(0, 16)]),
        ("Tom's kite", "Tom\u2019s kite", [(0, 10)]),
        ("It was \ufb01xed.", "fixed", [(7, 11)]),
        ("It was \ufb01xed.", "ixed", []),
        ("It was fixed.", "\ufb01xed", [(7, 12)]),
        ("about 10² units", "102", []),
        ("the ni\u00adne", "nine", [(4, 9)]),
        ("Die STRASSE", "Straße", [(4, 11)]),
        ("a \u2764\ufe0f b", "\u2764", [(2, 4)]),
        ("第１９９５年", "1995年", [(1, 6)]),
    ],
)
def test_places_however_words_are_spelt(
    text: str, words: str, places: list[tuple[int, int]]
) -> None:
    assert answer_places(text, Answer(text=words)) == places


@pytest.mark.parametrize(
    ("text", "words", "places"),
    [
        ("达卡基达(Kaji Dha)。", "卡基达(Ka", [(1, 7)]),
        ("达卡基达(Kaji Dha)。", "卡基达 (KA", [(1, 7)]),
        ("高程为8848.86米。", "高程为8848", [(0, 7)]),
        ("He drives a train to Rye.", "a train to R", [(10, 22)]),
        ("He drives trains; a train too.", "a train", [(18, 25)]),  # whole words first
        ("A Rye train, and trains to Ryes.", "train to Rye", []),
        ("He saw a cafe\u0301 there.", "a cafe", []),  # a letter is never cut
    ],
)
def test_edge_may_cut_a_word_where_the_answer_is_nowhere_whole(
    text: str, words: str, places: list[tuple[int, int]]
) -> None:
    assert answer_places(text, Answer(text=words)) == places
    assert answer_places(text, Answer(text=words), parts=True) == places


@pytest.mark.parametrize(
    ("text", "words", "places"),
    [
        ("采用BOT模式", "BO", [(2, 4)]),
        ("面积1.601 km²", "1.60", [(2, 6)]),
        ("在2007年", "20", [(1, 3)]),
        ("在2007年", "2", []),  # less than half
        ("They know Norway.", "no", []),  # amid it
        ("They know Norway.", "No", []),
        ("They know Norway.", "way", [(13, 16)]),
        ("They said bots, not a bot.", "bot", [(22, 25)]),
    ],
)
def test_half_a_word_is_a_place_where_parts_count(
    text: str, words: str, places: list[tuple[int, int]]
) -> None:
    assert answer_places(text, Answer(text=words), parts=True) == places


@given(st.text("aé\u0301e 5.字’'\ufb01fi", max_size=12), st.data(), st.booleans())
def test_all_places_are_whole_or_none_is(text: str, data: st.DataObject, parts: bool) -> None:
    start = data.draw(st.integers(0, len(text)))
    words = text[start : data.draw(st.integers(start, len(text)))]
    places = answer_places(text, Answer(text=words), parts=parts)
    assert all(text[start:end].strip() for start, end in places)
    assert not any(cuts_letter(text, edge) for place in places for edge in place)
    assert len({is_whole(text, place) for place in places}) <= 1
    first = start + len(words) - len(words.lstrip())
    drawn = (first, first + len(words.strip()))
    if words.strip() and is_whole(text, drawn):
        assert drawn in places
    elif drawn in places:
        assert all(not is_whole(text, place) for place in places)
