"""The store: what it makes of a signal that the database swallowed."""

from __future__ import annotations

import pytest

from readmark.tasks.reasoning.engine.store import Store


class _Broken:
    def __init__(self, said: str) -> None:
        self._said = said

    def execute(self, *_: object) -> None:
        raise RuntimeError(self._said)


@pytest.mark.parametrize(
    ("said", "kind"), [("Query interrupted", KeyboardInterrupt), ("another", RuntimeError)]
)
def test_an_interrupted_query_is_an_interruption(
    said: str, kind: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store()
    connection = store.connection
    monkeypatch.setattr(store, "connection", _Broken(said))
    with pytest.raises(kind):
        store.run("SELECT 1")
    connection.close()
