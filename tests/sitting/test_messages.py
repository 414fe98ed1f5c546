"""Messages between the runner and its workers: whole ones arrive, damage is noticed."""

import io

import msgspec
import pytest

from readmark.core.sitting import Row
from readmark.sitting.messages import (
    AnswerMessage,
    FromWorker,
    Inbox,
    Ready,
    Took,
    frame,
    receive,
    send,
)

MARK = b"8 bytes!"
GOOD = frame(Took("a"), MARK)


@pytest.mark.parametrize(
    ("data", "messages", "damaged"),
    [
        (GOOD + frame(Ready(), MARK), 2, False),
        (GOOD + GOOD[:-1], 1, False),
        (GOOD + b"x", 1, True),
        (GOOD + MARK[:3], 1, False),
        (GOOD + MARK[:3] + b"\n" + GOOD, 1, True),
        (b"\x05\x00\x00\x00hello", 0, True),
        (MARK + b"\xff\xff\xff\xff", 0, True),
        (MARK + b"\x01\x04\x00\x00", 0, True),
        (MARK + b"\x02\x00\x00\x00{}" + GOOD, 0, True),
        (GOOD[:-1] + b"\xc1" + GOOD, 0, True),
    ],
)
def test_a_byte_that_belongs_to_no_message_is_noticed_at_once(
    data: bytes, messages: int, damaged: bool
) -> None:
    for size in (1, 3, len(data)):
        inbox = Inbox(MARK, FromWorker, largest=1024)
        for start in range(0, len(data), size):
            inbox.feed(data[start : start + size])
        assert (len(inbox.messages), inbox.damaged) == (messages, damaged)


def test_messages_come_back_as_they_were_sent() -> None:
    rows = [
        Row(id="a", answer="码头\x00", sentence=(0, 2), evidence={"x": [2**70, None]}, score=0.1),
        Row(id="b", error="no"),
    ]
    encoded = [msgspec.json.encode(row) for row in rows]
    assert [msgspec.json.decode(row, type=Row) for row in encoded] == rows
    messages = [
        message
        for id, row in zip("ab", encoded, strict=True)
        for message in (Took(id), AnswerMessage(id, row))
    ]
    stream = io.BytesIO()
    for message in messages:
        send(stream, message)
    data = stream.getvalue()
    for chunk in (1, 3, len(data)):
        source = Dribble(data, chunk)
        assert [receive(source, FromWorker) for _ in range(5)] == [*messages, None]
    for cut in range(len(data)):
        source = Dribble(data[:cut], 7)
        received = []
        while (message := receive(source, FromWorker)) is not None:
            received.append(message)
        assert received == messages[: len(received)]


class Dribble:
    """A pipe that gives a few bytes at a time."""

    def __init__(self, data: bytes, most: int) -> None:
        self._stream = io.BytesIO(data)
        self._most = most

    def read(self, size: int, /) -> bytes:
        return self._stream.read(min(size, self._most))
