"""Which names the hub is asked for; a hub that misbehaves is in tests/cli."""

from pathlib import Path

import pytest

pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")

from huggingface_hub import constants

from readmark.comprehension import hub
from readmark.core.errors import DataError


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("owner/name", False),
        ("bert-base-chinese", False),
        ("./name", True),
        ("../owner/name", True),
        ("/owner/name", True),
        ("~/name", True),
        ("a/b/c", True),
        ("here", True),
        ("here/inside", True),
    ],
)
def test_what_can_only_be_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, path: bool
) -> None:
    (tmp_path / "here" / "inside").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert hub.is_path(name) is path


def test_a_folder_is_never_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[str] = []
    monkeypatch.setattr(hub, "_refusal", names.append)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own").mkdir()
    assert not hub.is_fetched("own", print)
    for name in ("./none", "/none/at/all", "~none"):
        with pytest.raises(DataError, match=f"^{name}: no such folder$"):
            hub.is_fetched(name, print)
    with pytest.raises(
        DataError, match=r"^a name! is not a folder, and it cannot be a name on the hub either$"
    ):
        hub.is_fetched("a name!", print)
    assert names == []
    assert hub.is_fetched("owner/name", print)
    assert names == ["owner/name"]


def test_a_hub_that_is_not_to_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with hub.using_hub(allowed=True):
        before = constants.HF_HUB_OFFLINE
    monkeypatch.setattr(hub, "_refusal_of_hub", lambda *_: pytest.fail("it was asked"))
    with (
        hub.using_hub(allowed=False),
        pytest.raises(DataError, match=r"^no-such/name is not a folder, and .*HF_HUB_OFFLINE"),
    ):
        hub.is_fetched("no-such/name", print)
    assert before == constants.HF_HUB_OFFLINE


def test_a_hub_out_of_reach_is_reported_without_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    token, password = "hf_NeverToBeSeen0815", "proxy-password"
    monkeypatch.setenv("HF_TOKEN", token)
    monkeypatch.setenv("https_proxy", f"http://user:{password}@127.0.0.1:9")

    def fail(*_: object, **__: object) -> None:
        raise OSError(f"{'x' * 150} {token} {password} {'y' * 20} {token}")

    monkeypatch.setattr("huggingface_hub.get_hf_file_metadata", fail)
    words = hub._refusal_of_hub("owner/name", "the hub", 1.0)
    assert words == f"the hub cannot be reached: {'x' * 150} [key] [key] {'y' * 20} [key]"
