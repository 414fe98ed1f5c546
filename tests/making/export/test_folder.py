"""A folder that is ready to publish: complete, sound, the same again, and without hidden keys."""

import hashlib
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from readmark.core.errors import DataError, UsageError
from readmark.core.records import Answer, Layer, Passage, Phrase, Question, QuestionKey, RecordKey
from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import open_test
from readmark.making.export.about import About, about
from readmark.making.export.folder import publish
from readmark.making.export.licences import licence_named
from readmark.making.export.publication import Publication
from readmark.making.export.reports import Reports

SECRET = "暗号"
ABOUT = About("小测试", licence_named("CC BY 4.0"))


def passage(id: str, split: str | None, **others: Any) -> Passage:
    """A passage whose key says the secret word everywhere, and whose paper never does."""
    text = f"{id}段说的是甲、乙和丙。"
    key = QuestionKey(
        answers=(Answer(text="甲", start=text.index("甲"), annotator=f"{SECRET}人"),),
        published=(Phrase(text=f"{SECRET}答"),),
        plausible=(Answer(text=f"{SECRET}似"),),
        sentences=((0, 4),),
        type=f"{SECRET}类",
        level=f"{SECRET}级",
        difficulty=f"{SECRET}难",
        layers={"mention": Layer(spans=((0, 1),), source=f"{SECRET}层")},
        fields={"why": f"{SECRET}因"},
    )
    return Passage(
        id=id,
        text=text,
        title=f"第{id}篇",
        split=split,
        layers={"sentence": Layer(spans=((0, len(text)),)), f"{SECRET}层": Layer(spans=())},
        questions=(Question(id=f"{id}-1", text="说的是什么？", key=key),),
        key=RecordKey(fields={"editor": f"{SECRET}编"}),
        **others,
    )


def made(*splits: str | None, **header: Any) -> Test:
    records = [passage(f"p{at}", split) for at, split in enumerate(splits)]
    return in_memory(Header(language="zh", **header), records)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def out(test: Test, folder: Path, **options: Any) -> tuple[Publication, dict[str, bytes]]:
    done = publish(test, folder, ABOUT, **options)
    return done, contents(folder)


def test_everything_is_there_and_adds_up(tmp_path: Path) -> None:
    test = made("train", "train", "test", source="自编", fields={"recipe": {"name": "smart"}})
    done, files = out(
        test, tmp_path / "out", reports=Reports(screening=b"{}\n", agreement=b'{"what": {}}\n')
    )
    assert list(files) == sorted(item.path for item in done.files)
    assert set(files) == {
        *(f"data/{split}.jsonl" for split in ("train", "test")),
        *(f"native/{split}.jsonl" for split in ("train", "test")),
        *(f"squad/{split}.json" for split in ("train", "test")),
        "reports/screening.jsonl",
        "reports/agreement.json",
        "README.md",
        "LICENSE",
        "SHA256SUMS",
        "croissant.json",
        "provenance.json",
        "statistics.json",
    }
    sums = dict(line.split("  ")[::-1] for line in files["SHA256SUMS"].decode().splitlines())
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    assert sums == {name: item for name, item in digests.items() if name != "SHA256SUMS"}
    for item in done.files:
        assert (item.size, item.sha256) == (len(files[item.path]), digests[item.path])

    provenance = json.loads(files["provenance.json"])
    assert provenance["test"]["source"] == "自编"
    assert provenance["test"]["fields"] == {"recipe": {"name": "smart"}}
    assert provenance["fingerprints"]["whole"] == {"paper": test.facts.paper, "key": test.facts.key}
    for split in ("train", "test"):
        part = open_test(tmp_path / f"out/native/{split}.jsonl")
        fingerprints = {"paper": part.facts.paper, "key": part.facts.key}
        assert provenance["fingerprints"][split] == fingerprints
        assert (part.header.name, part.header.licence) == ("小测试", "CC BY 4.0")
        assert {item.split for item in part.records()} == {split}
    assert json.loads(files["statistics.json"])["units"] == 3
    assert "creativecommons.org/licenses/by/4.0/" in files["LICENSE"].decode()
    card = files["README.md"].decode()
    assert "| train | 2 | 2 | 2.00 | published |" in card
    assert "Source: 自编" in card


def test_hidden_keys_are_nowhere(tmp_path: Path) -> None:
    test = made("dev", "test", "test", hidden=("test",))
    open_one = made("dev").records()
    words = {word for item in open_one for word in re.findall(f"{SECRET}.", str(item))}
    assert len(words) == 9  # the fixture does fill every sort of key
    # Only the hidden splits have a key at all, so the secret may be nowhere.
    records = [test.kind.paper(item) if item.split == "dev" else item for item in test.records()]
    done, files = out(in_memory(test.header, records), tmp_path / "out", hidden=("test",))
    assert done.withheld == 2
    for name, data in files.items():
        assert SECRET not in data.decode(), name
        assert json.dumps(SECRET)[1:-1] not in data.decode(), name  # nor escaped
    rows = [json.loads(line) for line in files["data/test.jsonl"].splitlines()]
    assert [row["answers"]["text"] for row in rows] == [[], []]
    assert open_test(tmp_path / "out/native/test.jsonl").header.hidden == ("test",)
    assert "| test | 2 | 2 |  | withheld |" in files["README.md"].decode()

    _, files = out(in_memory(test.header, records), tmp_path / "keyed")
    assert all(SECRET in files[f"{name}/test.jsonl"].decode() for name in ("data", "native"))


def test_equal_input_gives_equal_bytes(tmp_path: Path) -> None:
    assert (
        out(made("dev", "test", "dev"), tmp_path / "one")[1]
        == out(made("dev", "test", "dev"), tmp_path / "two")[1]
    )


def test_a_test_without_splits(tmp_path: Path) -> None:
    done, files = out(made(None, None), tmp_path / "out")
    assert done.parts == {"unsplit": {"records": 2, "units": 2, "withheld": False}}
    assert b'split: "unsplit"' in files["README.md"]
    assert "| unsplit | 2 | 2 | 2.00 | published |" in files["README.md"].decode()
    _, files = out(made(None, "test"), tmp_path / "both")
    assert {"data/test.jsonl", "data/unsplit.jsonl"} <= set(files)


def test_passages_without_questions(tmp_path: Path) -> None:
    test = in_memory(Header(language="zh"), [Passage(id="p", text="一段话。")])
    done, files = out(test, tmp_path / "out")
    assert done.parts["unsplit"]["units"] == 0
    assert files["data/unsplit.jsonl"] == b""
    assert open_test(tmp_path / "out/native/unsplit.jsonl").facts.paper == test.facts.paper


def test_unanswerable_questions_make_it_squad2(tmp_path: Path) -> None:
    nothing = Question(id="n", text="说了丁吗？", key=QuestionKey(unanswerable=True))
    record = Passage(id="p", text="说的是甲。", questions=(nothing,))
    _, files = out(in_memory(Header(language="zh"), [record]), tmp_path / "out")
    [article] = json.loads(files["squad/unsplit.json"])["data"]
    assert article["paragraphs"][0]["qas"][0]["is_impossible"] is True
    assert json.loads(files["data/unsplit.jsonl"])["unanswerable"] is True


def test_the_version_of_squad_does_not_tell_of_hidden_keys(tmp_path: Path) -> None:
    """Whether a hidden question has an answer changes no byte but the key's fingerprint."""

    def published(key: QuestionKey, folder: str) -> dict[str, str]:
        asked = Question(id="n", text="说了丁吗？", key=key)
        records = [
            passage("a", "dev"),
            Passage(id="p", text="甲。", split="test", questions=(asked,)),
        ]
        test = in_memory(Header(language="zh"), records)
        _, files = out(test, tmp_path / folder, hidden=("test",))
        texts = {name: data.decode() for name, data in files.items() if name != "SHA256SUMS"}
        whole = test.facts.key
        return {
            name: re.sub(r'"(sha256|contentSize)": ".*?"', "", text.replace(whole, "KEY"))
            for name, text in texts.items()
        }

    with_answer = published(QuestionKey(answers=(Answer(text="甲"),)), "one")
    assert with_answer == published(QuestionKey(unanswerable=True), "two")
    assert "SQuAD 1.1" in with_answer["README.md"]


def test_what_is_not_held_is_told_once(tmp_path: Path) -> None:
    layer = Layer(spans=((0, 1),))
    records = [
        Passage(id="a", text="甲。", split="dev", layers={"sentence": layer}),
        Passage(id="b", text="乙。", split="test", layers={"token": layer, "sentence": layer}),
    ]
    done, files = out(in_memory(Header(language="zh"), records), tmp_path / "out")
    lost = "layers (sentence, token) cannot be stored"
    assert done.losses == {
        "data": ["passages without questions cannot be stored", lost],
        "squad": [lost],
    }
    assert files["README.md"].decode().count(f"- {lost}") == 2  # under data and under squad
    assert json.loads(files["provenance.json"])["not_held"] == done.losses


@pytest.mark.parametrize(
    ("splits", "words"),
    [
        (("a/b",), "split 'a/b' cannot be a file's name"),
        (("..",), "cannot be a file's name"),
        (("all",), "cannot be a file's name"),
        (("dev", "Dev"), "split 'Dev' and split 'dev' would be one file"),
        (("unsplit", None), "'unsplit' and the passages without a split would be one file"),
    ],
)
def test_splits_that_cannot_be_files(
    splits: tuple[str | None, ...], words: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=re.escape(words)):
        publish(made(*splits), tmp_path / "out", ABOUT)
    assert list(tmp_path.iterdir()) == []


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    def watch(done: int, total: int) -> None:
        if done > 12:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        publish(made("dev", "test"), tmp_path / "out", ABOUT, progress=watch)
    assert list(tmp_path.iterdir()) == []


def test_progress_never_passes_its_end(tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    publish(made("dev", "test"), tmp_path / "out", ABOUT, progress=lambda *at: steps.append(at))
    assert steps == sorted(steps)
    assert len({total for _, total in steps}) == 1
    assert all(0 < done <= total for done, total in steps)


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        ({}, "names no licence"),
        ({"licence": " "}, "--licence is empty"),
        ({"licence": "MIT", "name": ""}, "--name is empty"),
        ({"licence": "MIT", "published": "31.1.2026"}, "is a date such as"),
        ({"licence": "MIT", "published": "20260131"}, "is a date such as"),
        ({"licence": "MIT", "published": "2026-W05-6"}, "is a date such as"),
        ({"licence": "MIT", "release": "v1"}, "is a version such as"),
        ({"licence": "MIT", "url": "example.org"}, "begins with https://"),
    ],
)
def test_what_the_publisher_must_say(statements: dict[str, str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        about(made("dev"), **statements)  # type: ignore[arg-type]


def test_the_card_is_not_broken_by_what_it_quotes(tmp_path: Path) -> None:
    odd = About("a | b <script>", licence_named("x | y"), citation="```\n# no heading", url="")
    publish(made("dev", source="one\n# two <b>"), tmp_path / "out", odd)
    card = (tmp_path / "out/README.md").read_text("utf-8")
    assert "# a | b &lt;script>" in card
    assert "Source: one # two &lt;b>" in card
    assert card.count("```") == 4


def test_croissant_by_its_rules(tmp_path: Path) -> None:
    """The rules of the specification that a reader leans on."""
    done, files = out(made("dev", "test", hidden=("test",)), tmp_path / "out", hidden=("test",))
    croissant = json.loads(files["croissant.json"])
    assert croissant["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert (croissant["@type"], croissant["version"], croissant["inLanguage"]) == (
        "sc:Dataset",
        "1.0.0",
        "zh",
    )
    assert croissant["license"] == "https://creativecommons.org/licenses/by/4.0/"
    objects = {item["@id"]: item for item in croissant["distribution"]}
    for item in objects.values():
        path = item["contentUrl"]
        assert item["contentSize"] == f"{len(files[path])} B"
        assert item["sha256"] == hashlib.sha256(files[path]).hexdigest()
        assert item["encodingFormat"] in ("application/json", "application/jsonlines", "text/plain")
    assert [item["@id"] for item in croissant["recordSet"]] == ["dev", "test"]
    ids = [*objects]
    for records in croissant["recordSet"]:
        fields = [*records["field"]]
        fields += [sub for item in records["field"] for sub in item.get("subField", ())]
        ids += [records["@id"], *(item["@id"] for item in fields)]
        assert records["key"]["@id"] in {item["@id"] for item in fields}
        row = json.loads(files[f"data/{records['@id']}.jsonl"].splitlines()[0])
        assert [item["@id"].split("/")[1] for item in records["field"]] == list(row)
        for item in fields:
            if "subField" not in item:
                assert item["source"]["fileObject"]["@id"] in objects
                column = item["source"]["extract"]["column"]
                value = row[column]
                if "transform" in item["source"]:
                    value = value[item["source"]["transform"]["jsonPath"]]
                assert isinstance(value, list) is item.get("repeated", False)
    assert len(ids) == len(set(ids))
    assert done.unsaid == ["--creator", "--url", "--cite", "--published"]


def test_a_split_may_be_called_as_a_file_is(tmp_path: Path) -> None:
    _, files = out(made("LICENSE", "statistics.json", "file", "data"), tmp_path / "out")
    croissant = json.loads(files["croissant.json"])

    def ids(value: Any) -> list[str]:
        """The ids of what is described: what is but referred to has no type."""
        if isinstance(value, list):
            return [id for member in value for id in ids(member)]
        if not isinstance(value, dict):
            return []
        id_of_value = [value["@id"]] if "@type" in value and "@id" in value else []
        return id_of_value + [
            id for name, member in value.items() if name != "@context" for id in ids(member)
        ]

    all_ids = ids(croissant)
    assert {"LICENSE", "file/LICENSE", "file", "data/id"} <= set(all_ids)
    assert len(all_ids) == len(set(all_ids))


def test_croissant_by_the_reference_reader(tmp_path: Path) -> None:
    reader = pytest.importorskip("mlcroissant")
    statements = About(
        "小测试",
        licence_named("CC BY 4.0"),
        "说明",
        ("张三",),
        "https://example.org/t",
        "@misc{t}",
        "2026-01-31",
    )
    publish(made("dev", "test"), tmp_path / "out", statements)
    dataset = reader.Dataset(jsonld=str(tmp_path / "out/croissant.json"))
    assert not dataset.metadata.ctx.issues.warnings
    [row] = dataset.records(record_set="dev")
    assert row["dev/id"] == b"p0-1"
    assert row["dev/answers"]["dev/answers/text"][0] == "甲".encode()


def test_checksums_are_those_of_the_usual_program(tmp_path: Path) -> None:
    publish(made("dev"), tmp_path / "out", ABOUT)
    try:
        done = subprocess.run(
            ["sha256sum", "-c", "--quiet", "SHA256SUMS"], cwd=tmp_path / "out", check=False
        )
    except FileNotFoundError:
        pytest.skip("sha256sum is not here")
    assert done.returncode == 0
