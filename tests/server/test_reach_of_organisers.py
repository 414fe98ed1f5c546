"""What an organiser writes reaches no file and no address of the machine that the hall runs on."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from halls import add_person, hall_in, signed_in
from readmark.core.configuration import configuration, lift_restriction
from readmark.core.errors import UsageError
from readmark.core.registry import parameters_of
from readmark.marking.metrics import METRICS
from readmark.server.commands import require_hall
from readmark.server.shared_tasks.allowed_metrics import ALLOWED_METRICS
from readmark.server.shared_tasks.submissions import FAILED
from readmark.server.shipped import shipped_configuration
from readmark.server.tables import ConfigurationVersion, Submission
from readmark.sitting.candidates import CANDIDATES
from shared_task_hall import ANSWERS, comprehension_test, open_task, task_configuration

SECRET = "kestrel-hollow"
"""What a file of the machine has in its first line."""


@pytest.fixture
def private(tmp_path: Path) -> Path:
    """A folder of the machine: nothing in it is the hall's business."""
    folder = tmp_path / "private"
    folder.mkdir()
    (folder / "secret.csv").write_text(f"{SECRET}\n", "utf-8")
    (folder / "secret.txt").write_text(f"{SECRET} is the password.", "utf-8")
    (folder / "ontology.ttl").write_text(f"# {SECRET}\n@prefix : <urn:{SECRET}> .\n", "utf-8")
    (folder / "rules.toml").write_text(f'{SECRET} = "x"\n', "utf-8")
    return folder


@pytest.fixture
def address() -> Iterator[tuple[str, list[str]]]:
    """An address of the machine's network, and the requests that came to it."""
    requests: list[str] = []

    class Service(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            requests.append(self.path)
            self.send_response(500)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Service)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1", requests
    server.shutdown()
    thread.join()
    server.server_close()


JUDGES = (
    "judge(model=m,base_url=URL,labels=FOLDER/secret.csv)",
    "judge(model=m,base_url=URL,prompt=FOLDER/secret.txt)",
    "judge(model=m,base_url=URL,cache=FOLDER/new.sqlite)",
    "judge(model=m,base_url=URL,key=READMARK_DB)",
    "judge",
    "judge(model=kestrel)",
)


@pytest.mark.parametrize(
    ("option", "metric"), [("order_by", JUDGES[0]), *(("metrics", metric) for metric in JUDGES)]
)
def test_a_configuration_reads_writes_and_calls_nothing(
    hall_app: Any, private: Path, address: tuple[str, list[str]], metric: str, option: str
) -> None:
    url, requests = address
    owner = signed_in(hall_app, add_person(hall_app, "owner", is_owner=True))
    metric = metric.replace("URL", url).replace("FOLDER", str(private))
    options = {"metrics": ["f1", metric]} if option == "metrics" else {"order_by": metric}
    text = task_configuration(**options)
    file = {"configuration": ("project.toml", text.encode())}
    form = {"bundled": "reading.en.jsonl", "slug": "t"}
    refused = owner.post("/api/projects", data=form, files=file)
    assert refused.status_code == 422
    assert f"{option}: a hall does not mark by judge; choose em, f1," in refused.json()["detail"]
    sound = {"configuration": ("project.toml", task_configuration().encode())}
    assert owner.post("/api/projects", data=form, files=sound).status_code == 201
    changed = owner.put("/api/projects/t/configuration", json={"text": text})
    assert changed.status_code == 422
    assert SECRET not in refused.text + changed.text
    assert not requests
    assert not (private / "new.sqlite").exists()


@pytest.fixture
def operators_models(
    tmp_path: Path, address: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """A readmark.toml where the hall runs; the requests that reach its model."""
    folder = tmp_path / "operator"
    folder.mkdir()
    url, requests = address
    (folder / "readmark.toml").write_text(f'[models.kestrel]\nbase_url = "{url}"\n')
    monkeypatch.chdir(folder)
    return requests


def test_models_of_the_operator_are_nobodys_metric_and_baseline(
    hall_app: Any, operators_models: list[str], tmp_path: Path
) -> None:
    owner = signed_in(hall_app, add_person(hall_app, "owner", is_owner=True))
    text = task_configuration(metrics=["f1", "judge(model=kestrel)"])
    file = {"configuration": ("project.toml", text.encode())}
    form = {"bundled": "reading.en.jsonl", "slug": "t"}
    refused = owner.post("/api/projects", data=form, files=file)
    assert refused.status_code == 422
    assert "a hall does not mark by judge" in refused.json()["detail"]
    task = open_task(hall_app, comprehension_test(tmp_path / "mills.jsonl"))
    organiser = signed_in(hall_app, task.add_organiser())
    asked = organiser.post(f"/api/projects/{task.slug}/baselines", json={"candidate": "kestrel"})
    assert asked.status_code == 422
    assert "'kestrel' is not a baseline of this task" in asked.json()["detail"]
    assert not operators_models


def test_commands_of_the_hall_drop_the_operators_configuration(
    operators_models: list[str],
) -> None:
    assert "kestrel" in configuration().models
    try:
        require_hall()
        assert configuration().models == {}
        with pytest.raises(UsageError, match="unknown candidate 'kestrel'"):
            CANDIDATES.build("kestrel")
    finally:
        lift_restriction()


def test_a_configuration_that_was_stored_before_there_was_a_list_marks_nothing(
    hall_app: Any, tmp_path: Path, private: Path, address: tuple[str, list[str]]
) -> None:
    url, requests = address
    task = open_task(hall_app, comprehension_test(tmp_path / "mills.jsonl"))
    task.add_team("Reed")
    metric = f"judge(model=m,base_url={url},labels={private}/secret.csv,cache={private}/new.sqlite)"
    with hall_in(hall_app).database.writing() as session:
        text = task_configuration(metrics=["f1", metric])
        session.add(ConfigurationVersion(project_id=task.project.id, version=2, text=text))
    sent = task.program("reed").post(
        f"{task.api}/submissions",
        data={"system": "a"},
        files={"file": ("answers.json", json.dumps(ANSWERS).encode())},
    )
    assert sent.status_code in (200, 201, 202), sent.text
    task.work()
    with hall_in(hall_app).database.reading() as session:
        [submission] = session.query(Submission)
        assert submission.state == FAILED
        assert submission.error.startswith("a hall does not mark by judge; choose em, f1,")
    assert not requests
    assert not (private / "new.sqlite").exists()


def test_the_list_has_every_metric_but_the_judge() -> None:
    shipped = {name for name in METRICS if METRICS.entry(name).package == "readmark"}
    assert shipped - set(ALLOWED_METRICS) == {"judge"}


@pytest.mark.parametrize("metric", ALLOWED_METRICS)
def test_no_parameter_on_the_list_is_free_text(metric: str) -> None:
    declared = parameters_of(METRICS.load(metric))
    for name in ALLOWED_METRICS[metric]:
        assert declared[name].type is not str or declared[name].choices, name


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("f1(labels=x)", "metric f1 takes no parameter 'labels' in a hall; known: profile,"),
        ("humsent(file=x)", "metric humsent takes no parameter 'file' in a hall; it takes none"),
    ],
)
def test_parameters_that_are_not_on_the_list_are_refused(
    hall_app: Any, tmp_path: Path, metric: str, message: str
) -> None:
    owner = signed_in(hall_app, add_person(hall_app, "owner", is_owner=True))
    file = {"configuration": ("project.toml", task_configuration(metrics=[metric]).encode())}
    form = {"bundled": "reading.en.jsonl", "slug": "t"}
    refused = owner.post("/api/projects", data=form, files=file)
    assert refused.status_code == 422
    assert message in refused.json()["detail"]


# Brothers: every other name that an organiser or a file can give.


@pytest.mark.parametrize(
    "candidate",
    [
        "hf(model=FOLDER)",
        "span(model=FOLDER/secret.txt)",
        "keyed(file=FOLDER/secret.csv)",
        "statements(file=FOLDER/secret.txt)",
        "llm(model=m,base_url=URL)",
        "FOLDER/secret.txt",
    ],
)
def test_baselines_take_no_parameters(
    hall_app: Any, tmp_path: Path, private: Path, address: tuple[str, list[str]], candidate: str
) -> None:
    url, requests = address
    task = open_task(hall_app, comprehension_test(tmp_path / "mills.jsonl"))
    task.add_organiser()
    candidate = candidate.replace("URL", url).replace("FOLDER", str(private))
    refused = task.browser("olga").post(
        f"/api/projects/{task.slug}/baselines", json={"candidate": candidate}
    )
    assert refused.status_code == 422
    task.work()
    assert not requests
    assert SECRET not in refused.text


@pytest.mark.parametrize(
    ("shipped", "bundled", "old", "new"),
    [
        ("questions", "reading.en.jsonl", 'profile = "cmrc"', 'profile = "FOLDER/rules.toml"'),
        (
            "segmentation",
            "reading.zh.jsonl",
            "[options]",
            '[options]\nformat = "questions(passages=FOLDER)"',
        ),
        ("lives", "task.en.zip", 'domain = "lives"', 'domain = "FOLDER"'),
        ("lives", "task.en.zip", 'domain = "lives"', 'domain = "../../../../FOLDER"'),
        (
            "lives",
            "task.en.zip",
            'domain = "lives"',
            '[options.task]\n"task.toml" = \'domain = "FOLDER"\'\n[category.X]\n',
        ),
        (
            "lives",
            "task.en.zip",
            'domain = "lives"',
            '[options.task]\n"../../FOLDER/x.ttl" = "y"\n[category.X]\n',
        ),
    ],
)
def test_no_option_of_other_works_is_a_path(
    hall_app: Any, private: Path, shipped: str, bundled: str, old: str, new: str
) -> None:
    owner = signed_in(hall_app, add_person(hall_app, "owner", is_owner=True))
    text = shipped_configuration(shipped)
    assert old in text
    text = text.replace(old, new.replace("FOLDER", str(private)))
    file = {"configuration": ("project.toml", text.encode())}
    before = sorted(private.iterdir())
    refused = owner.post("/api/projects", data={"bundled": bundled, "slug": "t"}, files=file)
    assert refused.status_code == 422, refused.text
    assert SECRET not in refused.text
    assert sorted(private.iterdir()) == before


@pytest.mark.parametrize("name", ["../../server/assets/words/hall", "FOLDER/rules", "/etc/passwd"])
def test_shipped_configurations_and_tests_are_named_and_not_paths(
    hall_app: Any, private: Path, name: str
) -> None:
    owner = signed_in(hall_app, add_person(hall_app, "owner", is_owner=True))
    name = name.replace("FOLDER", str(private))
    configuration = owner.post("/api/projects", data={"shipped": name, "bundled": name})
    assert configuration.status_code in (404, 422)
    test = owner.post("/api/projects", data={"shipped": "sitting", "bundled": name})
    assert test.status_code in (404, 422)
    assert SECRET not in configuration.text + test.text


@pytest.mark.parametrize(
    "path", ["FOLDER/secret.txt", "../private/secret.txt", "file://FOLDER/secret.txt"]
)
@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("q.csv", "id,file,question,answer\n1,FILE,Who?,is\n"),
        ("q.csv", "id,passage,question,answer\n1,FILE,Who?,is\n"),
        (
            "h.jsonl",
            '{"readmark":1,"kind":"comprehension","profile":"FILE"}\n'
            '{"id":"p","text":"A mill.","questions":[{"id":"q","text":"What?",'
            '"key":{"answers":[{"text":"mill"}]}}]}\n',
        ),
    ],
)
def test_no_test_that_is_uploaded_names_a_file_outside_it(
    hall_app: Any, private: Path, file: str, content: str, path: str
) -> None:
    owner = signed_in(hall_app, add_person(hall_app, "owner", is_owner=True))
    data = content.replace("FILE", path.replace("FOLDER", str(private)))
    refused = owner.post(
        "/api/projects",
        data={"shipped": "shared_task", "slug": "t"},
        files={"test": (file, data.encode())},
    )
    assert refused.status_code == 422
    assert SECRET not in refused.text
