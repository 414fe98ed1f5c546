"""Questions that are asked of another passage, which does not have their answers."""

from made import asked, comprehension, passage
from readmark.comprehension.span.moved_questions import moved_questions
from readmark.core.test import Test


def towns() -> Test:
    names = ("Anna", "Bo", "Cleo", "Dan")
    return comprehension(
        *(
            passage(
                f"p{number}", asked(f"q{number}", name), text=f"{name} keeps goats. Near: {other}."
            )
            for number, (name, other) in enumerate(zip(names, (*names[1:], "Eve"), strict=True))
        ),
        language="en",
    )


def test_moved_questions_lose_their_answers() -> None:
    moved = moved_questions(towns(), share=1.0)
    by_id = {
        question.id: (record, question)
        for record in moved.records()
        for question in record.questions
    }
    assert sorted(by_id) == ["q0", "q1", "q2", "q3"]
    for number, name in enumerate(("Anna", "Bo", "Cleo", "Dan")):
        record, question = by_id[f"q{number}"]
        assert name not in record.text
        assert question.key is not None
        assert question.key.unanswerable
        assert not question.key.answers
    assert moved.facts.count("unanswerable") == 4
    again = moved_questions(towns(), share=1.0)
    assert list(again.records()) == list(moved.records())


def test_questions_stay_where_no_other_passage_will_do() -> None:
    test = comprehension(
        passage("a", asked("q", "goats"), text="Goats."),
        passage("b", text="GOATS！"),
        passage("c", text="ｇｏａｔｓ"),
    )
    moved = moved_questions(test, share=1.0)
    assert [[question.id for question in record.questions] for record in moved.records()] == [
        ["q"],
        [],
        [],
    ]
    assert not moved.facts.count("unanswerable")
    assert moved_questions(towns(), share=0.0).facts.count("unanswerable") == 0
