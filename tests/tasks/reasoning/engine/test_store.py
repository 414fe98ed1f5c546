"""The store: what it makes of a signal that the database swallowed."""

from __future__ import annotations

import pytest

from readmark.tasks.reasoning.engine.store import Store


class _Broken:
    def __init__(self, message: str) -> None:
        self._message = message

    def execute(self, *_: object) -> None:
        raise RuntimeError(self._message)


@pytest.mark.parametrize(
    ("message", "kind"), [("Query interrupted", KeyboardInterrupt), ("another", RuntimeError)]
)
def test_an_interrupted_query_is_an_interruption(
    message: str, kind: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store()
    connection = store.connection
    monkeypatch.setattr(store, "connection", _Broken(message))
    with pytest.raises(kind):
        store.run("SELECT 1")
    connection.close()
