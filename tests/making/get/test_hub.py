"""``readmark get hf:``: revisions, sizes, hashes and tokens of a hub."""

import hashlib
from pathlib import Path
from typing import Any

import pytest

from data_server import DataServer, moved
from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.making.get import hub
from readmark.making.get.get import get
from small_store import COMMIT, DATA, QUICK, about, hub_paths, left


@pytest.mark.server
class TestHub:
    """A hub that keeps the part of its protocol that is used."""

    @pytest.mark.parametrize(
        "name", ["hf:kilns/dev", "hf:kilns/dev/plain/dev 1.json", "hf:kilns/dev@main"]
    )
    def test_the_revision_is_pinned(self, tmp_path: Path, name: str) -> None:
        target = tmp_path / "kiln.json"
        with DataServer(hub_paths()) as server:
            provenance = get(name, target, mirror=server.url, limits=QUICK).provenance
        assert target.read_bytes() == DATA
        assert provenance.revision == COMMIT
        assert COMMIT in provenance.url
        assert (provenance.licence, provenance.checked) == ("cc-by-sa-4.0", "the hub")

    @pytest.mark.parametrize(
        ("name", "more", "words"),
        [
            ("hf:kilns", {}, "is not hf:OWNER/SET"),
            ("hf:kilns/dev/../../x", {}, "is not hf:OWNER/SET"),
            ("hf:kilns/dev@absent", {}, "no such file"),
            ("hf:kilns/dev/dev.json", {}, "it has: README.md, plain/dev 1.json"),
            ("hf:kilns/dev", {"siblings": []}, "there are: none"),
            ("hf:kilns/dev", {"sha": "main"}, "names no commit"),
            ("hf:kilns/dev", {"cardData": {"license": "cc-by-nc-4.0"}}, "--accept-licence"),
            ("hf:kilns/dev", {"cardData": None, "tags": ["license:cc-by-nc-4.0"]}, "--accept-l"),
        ],
    )
    def test_what_the_hub_does_not_have(
        self, tmp_path: Path, name: str, more: dict[str, Any], words: str
    ) -> None:
        with DataServer(hub_paths(**more)) as server, pytest.raises(ReadmarkError, match=words):
            get(name, tmp_path / "kiln.json", mirror=server.url, limits=QUICK)
        assert left(tmp_path) == []

    def unhashed(self, **more: Any) -> dict[str, Any]:
        """The set with its file in Git itself: the hub says its size and Git's own hash."""
        file = {"rfilename": "dev.json", "size": len(DATA), **more}
        return {
            "/api/datasets/kilns/dev/revision/main": about(siblings=[file]),
            f"/datasets/kilns/dev/resolve/{COMMIT}/dev.json": DATA,
        }

    @pytest.mark.parametrize(
        ("says_its_size", "words"),
        [
            (True, f"100 bytes, expected {len(DATA)}"),
            (False, rf"cut after 100 of {len(DATA)} bytes \(tried 3 times\)"),
        ],
    )
    def test_the_size_must_be_what_the_hub_says(
        self, tmp_path: Path, says_its_size: bool, words: str
    ) -> None:
        def cut(handler: Any) -> None:
            handler.send_response(200)
            if says_its_size:
                handler.send_header("Content-Length", "100")
            handler.send_header("Connection", "close")
            handler.end_headers()
            handler.wfile.write(DATA[:100])
            handler.close_connection = True

        paths = self.unhashed()
        paths[f"/datasets/kilns/dev/resolve/{COMMIT}/dev.json"] = cut
        with DataServer(paths) as server, pytest.raises(ReadmarkError, match=words) as caught:
            get("hf:kilns/dev", tmp_path / "kiln.json", mirror=server.url, limits=QUICK)
        assert caught.value.exit_status == 1
        assert not (tmp_path / "kiln.json").exists()

    def test_a_file_in_git_is_checked_by_gits_hash(self, tmp_path: Path) -> None:
        blob = hashlib.sha1(f"blob {len(DATA)}\0".encode() + DATA).hexdigest()
        target = tmp_path / "kiln.json"
        with DataServer(self.unhashed(blobId=blob)) as server:
            provenance = get("hf:kilns/dev", target, mirror=server.url, limits=QUICK).provenance
        assert provenance.checked == "the hub"
        target.unlink()
        Path(f"{target}.source.json").unlink()
        words = f"Git's SHA-1 {blob}, expected {'0' * 40} by the hub"
        wrong = self.unhashed(blobId="0" * 40)
        with DataServer(wrong) as server, pytest.raises(DataError, match=words):
            get("hf:kilns/dev", target, mirror=server.url, limits=QUICK)
        assert left(tmp_path) == ["kiln.json.refused"]

    @pytest.mark.parametrize("token", ["hf_SECRET\nabc", "hf_SECRET\u201c", "hf_SECRET abc"])
    def test_what_is_no_token_is_not_told(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, token: str
    ) -> None:
        monkeypatch.setenv("HF_TOKEN", token)
        with DataServer(hub_paths()) as server:
            monkeypatch.setattr(hub, "HUB", server.url)
            with pytest.raises(UsageError, match="HF_TOKEN is not a token") as caught:
                get("hf:kilns/dev", tmp_path / "kiln.json", limits=QUICK)
            assert server.asked == []
        assert "SECRET" not in str(caught.value)

    def test_a_token_goes_to_the_hub_alone(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HF_TOKEN", "hf_secret")
        with DataServer({"/store/blob": DATA}) as store:
            away = store.url.replace("127.0.0.1", "localhost")
            paths = hub_paths()
            paths[f"/datasets/kilns/dev/resolve/{COMMIT}/plain/dev%201.json"] = moved(
                f"{away}/store/blob"
            )
            with DataServer(paths) as server:
                monkeypatch.setattr(hub, "HUB", server.url)
                get("hf:kilns/dev", tmp_path / "kiln.json", limits=QUICK)
                sent = [headers.get("Authorization") for _, headers in server.asked]
                get("hf:kilns/dev", tmp_path / "k.json", mirror=server.url, limits=QUICK)
                later = [headers.get("Authorization") for _, headers in server.asked[2:]]
            assert sent == ["Bearer hf_secret"] * 2
            assert later == [None] * 2
            assert all("Authorization" not in headers for _, headers in store.asked)
        for file in tmp_path.iterdir():
            assert b"hf_secret" not in file.read_bytes()
