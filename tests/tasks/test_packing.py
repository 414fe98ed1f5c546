"""Packing: hashes, folders and zips, what is kept back, what a domain lends."""

import gzip
import json
import zipfile
from pathlib import Path

import pytest

from readmark.core.errors import DataError, UsageError
from readmark.formats.registry import open_test
from readmark.tasks.manifest import Manifest, sha256
from readmark.tasks.package import open_package
from readmark.tasks.packer import pack
from readmark.tasks.task_folder import gather
from task_files import OTTERS, task_files, write_task


@pytest.fixture
def task(tmp_path: Path) -> Path:
    return write_task(tmp_path / "task")


@pytest.mark.parametrize("output", ["packed", "packed.zip"])
def test_every_file_is_packed_with_its_hash(output: str, task: Path, tmp_path: Path) -> None:
    pack(gather(task), tmp_path / output)
    package = open_package(tmp_path / output)
    files = {name: data for name, data in task_files().items() if name != "task.toml"}
    assert {file.path: (file.sha256, file.bytes) for file in package.manifest.files} == {
        name: (sha256(data), len(data)) for name, data in files.items()
    }
    for name, data in files.items():
        assert package.folder.read(name, whole=True) == data
    manifest = package.manifest
    assert (manifest.name, manifest.language, manifest.phase, manifest.capabilities) == (
        "League",
        "en",
        "1",
        ("overtime",),
    )
    assert manifest.preparation == {"hours": 3}
    assert package.documents["otters"] == OTTERS
    assert package.splits == {"gulls": "test", "otters": "train"}


def test_equal_content_gives_equal_zips(task: Path, tmp_path: Path) -> None:
    for name in ("a.zip", "b.zip"):
        pack(gather(task), tmp_path / name)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_a_packed_task_can_be_packed_again(task: Path, tmp_path: Path) -> None:
    first = pack(gather(task), tmp_path / "one")
    assert pack(gather(tmp_path / "one"), tmp_path / "two.zip") == first
    assert pack(gather(tmp_path / "two.zip"), tmp_path / "three") == first


def test_a_public_task_reveals_nothing_of_hidden_splits(task: Path, tmp_path: Path) -> None:
    pack(gather(task), tmp_path / "public.zip", public=True)
    with zipfile.ZipFile(tmp_path / "public.zip") as packed:
        names = packed.namelist()
    assert "answers.train.jsonl" in names
    assert "documents/test/gulls.txt" in names
    assert "answers.test.jsonl" not in names
    assert "annotations/gulls.graph" not in names  # called after a hidden document
    assert "annotations/train/otters.trig" in names


def test_a_zip_of_an_unpacked_task_is_read_with_its_description(task: Path, tmp_path: Path) -> None:
    """A public task made from the zip would else give away the answers of hidden splits."""
    with zipfile.ZipFile(tmp_path / "sent.zip", "w") as sent:
        for file in sorted(path for path in task.rglob("*") if path.is_file()):
            sent.write(file, Path("sent", file.relative_to(task)))
    public = pack(gather(tmp_path / "sent.zip"), tmp_path / "public", public=True)
    assert public.hidden == ("test",)
    assert public == pack(gather(task), tmp_path / "other", public=True)


@pytest.mark.parametrize("name", ["task.toml", "task.json"])
def test_a_wrong_description_is_an_error_of_the_file_that_has_it(
    name: str, task: Path, tmp_path: Path
) -> None:
    if name == "task.json":
        pack(gather(task), tmp_path / "packed")
        task = tmp_path / "packed"
    with pytest.raises(UsageError, match=r"description of the task: .*phase") as fault:
        gather(task, phase=3)
    assert "task.toml" not in str(fault.value)
    (task / name).write_text("hidden = 3" if name == "task.toml" else '{"hidden": 3}')
    with pytest.raises(DataError, match=name):
        gather(task, phase="2")


def test_the_public_task_goes_by_what_is_in_its_files(task: Path, tmp_path: Path) -> None:
    """Whatever they are called: hidden graphs in a train file, gold packed otherwise, pools."""
    (task / "annotations/train/all.trig").write_bytes(
        b"@prefix : <http://example.org/league#> .\n"
        b"<urn:readmark:document:gulls> { :Game-2 a :Game . }\n"
    )
    others = ("pool.jsonl", "answers.test.jsonl.gz", "gold/answers.jsonl", "notes.md")
    for name in (*others, "annotations/test/ida.txt"):
        (task / name).parent.mkdir(exist_ok=True)
        (task / name).write_bytes(gzip.compress(b"x") if name.endswith(".gz") else b"x")
    manifest = pack(gather(task), tmp_path / "public", public=True, keep=["notes.md"])
    assert {file.path for file in manifest.files} == {
        "annotations/train/otters.trig",
        "answers.train.jsonl",
        "background/more.txt",
        "documents/test/gulls.txt",
        "documents/train/otters.txt",
        "guidelines.md",
        "notes.md",
        "ontology.ttl",
        "queries.jsonl",
        "rules.dsrs",
    }
    with pytest.raises(UsageError, match=r"--keep note\.md: no such file; did you mean notes\.md"):
        pack(gather(task), tmp_path / "more", public=True, keep=["note.md"])


def test_the_prefixes_of_the_ontology_are_packed(task: Path, tmp_path: Path) -> None:
    manifest = pack(gather(task), tmp_path / "packed.zip")
    assert manifest.namespaces[""] == "http://example.org/league#"
    answers = task / "answers.train.jsonl"
    iris = answers.read_text().replace('"Otters"', '"<http://example.org/league#Otters>"')
    answers.write_text(iris)
    pack(gather(task), tmp_path / "iris.zip")

    def gold(path: Path) -> list[object]:
        key = next(unit for unit in open_test(path).units() if unit.id == "otters:winner").key
        return [(solution.values, solution.mentions) for solution in key.solutions]

    assert gold(tmp_path / "iris.zip") == gold(tmp_path / "packed.zip")


def test_overrides_replace_the_description(task: Path) -> None:
    manifest = gather(task, name="Other", phase=None, hidden=()).package.manifest
    assert (manifest.name, manifest.phase, manifest.hidden) == ("Other", "1", ("test",))


def test_a_domain_lends_what_the_task_lacks(task: Path, tmp_path: Path) -> None:
    domain = tmp_path / "domain"
    domain.mkdir()
    for name in ("ontology.ttl", "rules.dsrs", "guidelines.md"):
        (task / name).rename(domain / name)
    (domain / "queries.jsonl").write_text("{}", encoding="utf-8")
    parts = gather(task, domain=domain)
    assert set(parts.lent) == {"ontology.ttl", "rules.dsrs", "guidelines.md"}
    pack(parts, tmp_path / "packed")
    package = open_package(tmp_path / "packed")
    ontology = package.ontology()
    assert ontology is not None
    assert len(ontology.classes) == 3
    assert [row.id for _, _, row in package.queries()] == ["periods", "winner"]


@pytest.mark.parametrize(
    ("text", "message"),
    [("name = 5", "expected text"), ("colour = 'red'", "unknown field"), ("=", "not valid TOML")],
)
def test_a_bad_description_is_an_error(text: str, message: str, task: Path) -> None:
    (task / "task.toml").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=f"task.toml: .*{message}"):
        gather(task)


def test_nothing_takes_the_place_of_a_folder_with_files(task: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="not empty"):
        pack(gather(task), task)
    with pytest.raises(DataError, match="expected the folder of a task"):
        gather(task / "rules.dsrs")
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="nothing to pack"):
        pack(gather(tmp_path / "empty"), tmp_path / "out")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", r"task\.json:1:\d+: not valid JSON"),
        ('{"files": [{"path": 1}]}', "expected text"),
        ('{"readmark": 99}', "newer_schema"),
        ("[]", "expected object"),
    ],
)
def test_a_bad_manifest_is_one_line(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "task.json").write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        open_package(tmp_path)


def test_what_is_not_a_task_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"it has no task\.json"):
        open_package(tmp_path)
    with pytest.raises(DataError, match="no such file"):
        open_package(tmp_path / "x")
    (tmp_path / "x").write_text("x", encoding="utf-8")
    with pytest.raises(DataError, match="expected the folder or zip of a task"):
        open_package(tmp_path / "x")


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("background/notes.txt", "{outside}"),
        ("background/notes.txt", "../../outside/secret.txt"),
        ("background/more", "{folder}"),
        ("task.toml", "{outside}"),
        ("background/loop.txt", "../../outside/loop.txt"),
        ("background/gone.txt", "../../outside/gone.txt"),
    ],
)
def test_a_link_out_of_the_folder_is_refused(
    link: str, target: str, task: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside" / "secret.txt"
    outside.parent.mkdir()
    outside.write_text("name = 'secret'", encoding="utf-8")
    (outside.parent / "loop.txt").symlink_to("loop.txt")
    pack(gather(task), tmp_path / "packed")
    for folder in (task, tmp_path / "packed"):
        (folder / link).unlink(missing_ok=True)
        (folder / link).symlink_to(target.format(outside=outside, folder=outside.parent))
    for read in (
        lambda: gather(task),
        lambda: gather(tmp_path / "packed"),
        lambda: open_package(tmp_path / "packed"),
        lambda: open_test(tmp_path / "packed", format="task"),
    ):
        with pytest.raises(DataError, match=f"{link}: is a link that leads out of the folder$"):
            read()


def test_a_link_within_the_folder_is_packed(task: Path, tmp_path: Path) -> None:
    (task / "background/again.txt").symlink_to("../documents/train/otters.txt")
    pack(gather(task), tmp_path / "packed.zip")
    with zipfile.ZipFile(tmp_path / "packed.zip") as packed:
        assert packed.read("background/again.txt") == OTTERS.encode()


def test_packing_a_zip_writes_nothing_outside(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "task.zip", "w") as packed:
        packed.writestr("documents/train/a.txt", "a")
        packed.writestr(str(tmp_path / "written.txt"), "x")
    with pytest.raises(DataError, match="names a file outside it"):
        pack(gather(tmp_path / "task.zip"), tmp_path / "packed")
    assert not (tmp_path / "written.txt").exists()


def test_the_manifest_names_itself(task: Path, tmp_path: Path) -> None:
    pack(gather(task), tmp_path / "packed")
    manifest = json.loads((tmp_path / "packed/task.json").read_text(encoding="utf-8"))
    assert (manifest["readmark"], manifest["file"], manifest["kind"]) == (1, "task", "task")
    assert Manifest().annotation == "complete"


def test_a_description_may_name_a_domain_that_ships(task: Path) -> None:
    for name in ("ontology.ttl", "rules.dsrs"):
        (task / name).unlink()
    (task / "task.toml").write_text('domain = "nfl_scoring"', encoding="utf-8")
    assert {"ontology.ttl", "rules.dsrs"} <= set(gather(task).lent)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ('"nfl"', "no domain 'nfl'; known: "),
        ('"../secrets"', "expected the name of one that ships"),
        ("5", "expected the name of one that ships"),
    ],
)
def test_no_other_domain_is_read(value: str, message: str, task: Path) -> None:
    (task / "task.toml").write_text(f"domain = {value}", encoding="utf-8")
    with pytest.raises(DataError, match=f"task.toml: .*{message}"):
        gather(task)
