"""Series worked by hand: questions, and how each is rewritten."""

from readmark.core.records import Answer
from readmark.core.test import Header, Test, in_memory
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey

BORN = "When was Marta Quill born?"
MOVED = "钟楼的价格减到了多少？"
NONE_BORN, APPEND_BORN = (2 * 3 / 6 + 1 / 6) / 3, (2 * 5 / 6 + 2 / 7) / 3
APPEND_PRESS = (2 * 5 / 6 + 4 / 6) / 3


def question(id: str, text: str, *golds: str, category: str = "FACTOID") -> SeriesQuestion:
    rewrites = tuple(Answer(text=one) for one in golds)
    key = SeriesQuestionKey(rewrites=rewrites) if golds else None
    return SeriesQuestion(id=id, text=text, category=category, key=key)


QUILL = Series(
    id="quill",
    target="Marta Quill",
    questions=(
        question("k1", "When was she born?", BORN),
        question("k2", "Who founded the Quill Press?", "Who founded the Quill Press?"),
        question("k3", "Other", category="OTHER"),
    ),
)
FERRY = Series(
    id="ferry",
    target="Lindow ferry",
    questions=(
        question("f1", "How long is it?", "How long is the Lindow ferry?"),
        question("f2", "Who steers it?", "Who steers the Lindow ferry?", "Who steers the ferry?"),
    ),
)
MILL = Series(
    id="mill",
    target="Orrin mill",
    questions=(
        question("m1", "Who built it?", "Who built the Orrin mill?"),
        question("m2", "When did it burn down?", "When did the Orrin mill burn down?"),
    ),
)
HARP = Series(
    id="harp",
    target="Dunmore harp",
    questions=(
        question("h1", "Who carved it?", "Who carved the Dunmore harp?"),
        question("h2", "How many strings has it?", "How many strings has the Dunmore harp?"),
    ),
)


def made(*records: Series) -> Test:
    return in_memory(Header(kind="series", name="made", language="en"), records)


LIGHT = Series(
    id="light",
    target="Skerry lighthouse",
    questions=(
        question("l1", "Who built it?", "Who built the Skerry lighthouse?"),
        SeriesQuestion(
            id="l2",
            text="Where did he die?",
            previous=("Ned Ames",),
            key=SeriesQuestionKey(
                rewrites=(
                    Answer(text="Where did PREVIOUS_ANSWER die?"),
                    Answer(text="Where did the man who built the Skerry lighthouse die?"),
                )
            ),
        ),
    ),
)
