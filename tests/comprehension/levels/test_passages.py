"""Statements: what belongs to a clause, and what is a statement of its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.comprehension.levels.passages import reading


def statements(text: str, language: str) -> list[str]:
    view = reading(text, language)
    return [view.text[statement.start : statement.end].strip() for statement in view.statements]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        # A scene goes with what follows it; a later predicate stands by itself.
        (
            "zh",
            "1956年，林秀兰拜陈伯为师，专学剪纸。",
            ["1956年，林秀兰拜陈伯为师，", "专学剪纸。"],
        ),
        ("zh", "青溪桥全长46米，建于1782年。", ["青溪桥全长46米，", "建于1782年。"]),
        ("zh", "学成之后，她开了店。", ["学成之后，她开了店。"]),
        ("zh", "由于原料难得，他只做两百坛。", ["由于原料难得，他只做两百坛。"]),
        # A bare topic goes with the clause that follows it directly, and with no other.
        ("zh", "林秀兰（女），南屏人，是剪纸艺人。", ["林秀兰（女），南屏人，", "是剪纸艺人。"]),
        ("en", "The ferry carries 60 cars; the bridge carries 900.", 2),
        ("en", "When Ito retired, he moved to York, and his son took the shop.", 2),
        ("en", "Ito, a baker, moved to York.", 1),
    ],
)
def test_statements(language: str, text: str, expected: list[str] | int) -> None:
    texts = statements(text, language)
    assert (texts if isinstance(expected, list) else len(texts)) == expected


def test_glosses_are_no_tokens_unless_they_hold_an_answer() -> None:
    text = "灯塔（1903年落成）高31米。"
    at = text.index("1903年")
    assert "1903" not in reading(text, "zh").keys
    assert "1903" in reading(text, "zh", ((at, at + 5),)).keys


def test_offsets_are_those_of_the_text_as_given() -> None:
    text = "燈塔於1903年落成。"  # traditional: folded one for one
    view = reading(text, "zh")
    assert [text[token.start : token.end] for token in view.tokens][:3] == ["燈", "塔", "於"]
    assert view.keys[:3] == ("灯", "塔", "于")


@given(st.text(alphabet="桥是，。（）a1 2.“”\n在后林", max_size=60), st.sampled_from(["zh", "en"]))
def test_statements_cover_the_tokens_once_and_in_order(text: str, language: str) -> None:
    view = reading(text, language)
    clauses = [clause for statement in view.statements for clause in statement.clauses]
    covered = [at for clause in clauses for at in range(clause.first, clause.last)]
    assert covered == list(range(len(view.tokens)))
    assert [statement.place for statement in view.statements] == list(range(len(view.statements)))
