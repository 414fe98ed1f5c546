"""The sound documents that mutators start from: every registered format and every sheet."""

from __future__ import annotations

import bz2
import csv
import io
import json
import shutil
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brcc_files import CANONICAL, in_language
from fuzz.commands import call
from harness_runs import write_test as write_harness_test
from panel_judges import panel_test, rate, rows_of
from readmark.formats.registry import open_test, save_test
from task_files import ANSWERS, ONTOLOGY, OTTERS, RULES, write_task

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs/examples"
BUNDLE = ROOT / "src/readmark/bundle"
LOGS = ROOT / "tests/formats/harness_logs"

CBC = {
    "2001-W18-1.story": "HEADLINE: A Raft\nDATE: May 4, 2001\nSTORYID: 2001-W18-1\n\nTEXT:\n\n"
    "Pupils have built a raft\nfrom bottles. Ms. Hale says it floats.\n\nThey sail on Sunday.\n",
    "2001-W18-1.questions": "QuestionID: 2001-W18-1-1\nQuestion: What did they build?\n"
    "Difficulty: Easy\n\nQuestionID: 2001-W18-1-2\nQuestion: When do they sail?\n",
    "2001-W18-1.answers": "QuestionID: 2001-W18-1-1\nQuestion: What did they build?\n"
    "Answer: a raft | a raft from bottles\nDifficulty: Easy\n\n"
    "QuestionID: 2001-W18-1-2\nQuestion: When do they sail?\nAnswer: Sunday\n",
}
SHEET = (
    "Kite Club Opens\n(DUNMORE, Ohio, May 3, 1921) - A club opened\ntoday. Ann Bell began it.\n\n"
    "1. Who began the club?\n2. What opened?\n"
)
REMEDIA = {
    "level2/org/rm2-1": SHEET,
    "level2/snra/rm2-1.snra": SHEET.replace("Ann", "<ANSQ1>Ann").replace("it.", "it.</ANSQ1>"),
    "level2/ne/rm2-1.ne": SHEET.replace("Ohio", '<ENAMEX TYPE="LOCATION">Ohio</ENAMEX>'),
    "level2/coref/rm2-1.coref": SHEET.replace(
        "A club", '<COREF ID="1"><MARKABLE>A club</MARKABLE></COREF>'
    ).replace("the club", '<COREF ID="5" REF="1">the club</COREF>'),
}
HEADED = (
    "Passage\n\nKite Club\n(OHIO, May 3)\nA club opened today.\n\nQuestions\nWhat opened?\n\n"
    "Answer keys\na club | a kite club\n"
)
TURNS = [
    {
        "number": 5,
        "title": "canals",
        "turn": [
            {
                "number": number,
                "raw_utterance": raw,
                "manual_rewritten_utterance": manual,
                "automatic_rewritten_utterance": raw,
            }
            for number, raw, manual in (
                (1, "What is a lock?", "What is a lock?"),
                (2, "Who keeps it?", "Who keeps a lock?"),
            )
        ],
    }
]
CANARD = [
    {
        "History": ["Mary Ames", "Early life", *before],
        "QuAC_dialog_id": "C_1",
        "Question": question,
        "Question_no": number,
        "Rewrite": rewrite,
    }
    for number, question, rewrite, before in (
        (1, "Where was she born?", "Where was Mary Ames born?", ()),
        (2, "Did she stay?", "Did Mary Ames stay?", ("Where was she born?", "in Ely")),
    )
]
CHINESE = in_language(CANONICAL, "zh")
RETYPED = CHINESE.replace("<NP>一支</NP>", "<NP NE=NUM>一支</NP>").replace("<NP>商店</NP>", "商店")
PAGE = (
    "<page><title>Mill</title><ns>0</ns><id>{id}</id><revision><id>{id}00</id>"
    "<text xml:space='preserve'>'''The mill''' was built in 1890 by [[Ada Marlow|Ada]]. "
    "{{{{infobox|a=1}}}} It burnt down.&lt;ref&gt;Hale&lt;/ref&gt;\n== Later ==\nIt was sold."
    "</text></revision></page>"
)
SOURCES = {
    "extractor.txt": '<doc id="1" url="https://a.example/1" title="Mill">\nMill\n\n'
    "The mill was built in 1890. It burnt down.\n\nIt was sold.\n\n</doc>\n",
    "extractor.jsonl": json.dumps({"id": "1", "title": "Mill", "url": "u", "text": "A mill. Sold."})
    + "\n",
    "dump.xml": "<mediawiki xml:lang='en'><siteinfo><dbname>enwiki</dbname></siteinfo>"
    + "".join(PAGE.format(id=id) for id in (1, 2))
    + "</mediawiki>\n",
    "page.html": "<html lang=en><head><title>Mill</title></head><body><h1>Mill</h1><nav>x</nav>"
    "<p>The mill was built in 1890 by &amp; for Ada.<p>It burnt <b>down</b>.</p><ul><li>sold</ul>"
    "</body></html>",
    "plain.txt": "Mill\n\nThe mill was built in 1890. It burnt down.\n\n水车建于1890年。\n",
}


@dataclass(frozen=True)
class Document:
    """A sound document in a folder of its own, with whatever has to be there with it."""

    name: str
    role: str
    path: Path
    """What a command is given: a file or a folder."""
    folder: Path
    """What is copied for a case: a mutator spoils one of the files in it."""
    format: str | None = None
    test: str = ""
    """The document that a sitting or a marksheet belongs to."""

    def files(self) -> list[str]:
        """Every file, relative to the folder."""
        paths = (path for path in self.folder.rglob("*") if path.is_file())
        return sorted(path.relative_to(self.folder).as_posix() for path in paths)


class Bench:
    """Every sound document, written into a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.documents: dict[str, Document] = {}
        self._comprehension()
        self._series()
        self._readability()
        self._task()
        self._sittings()
        self._sources_and_sheets()

    def path(self, name: str) -> Path:
        return self.documents[name].path

    def answers(self, name: str) -> Path:
        """Sound answers to a test, or to the test that a document belongs to."""
        test = self.documents[name].test or name
        path = self.folder / "answers" / f"{test}.json"
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            document = self.documents[test]
            opened = open_test(document.path, format=document.format)
            sound: dict[str, Any] = {"comprehension": "It was 1890", "series": "Who was Ada?"}
            answer = sound | {"readability": 3.5, "task": [ANSWERS[0]["values"]]}
            ids = [unit.id for unit in opened.units()]
            path.write_bytes(_json(dict.fromkeys(ids, answer[opened.kind.name])))
        return path

    def add(
        self, name: str, role: str, files: Mapping[str, str | bytes], *, path: str = "", **more: str
    ) -> Path:
        """Write a document; its path is its only file unless one is named, or ``.``."""
        folder = self.folder / name
        for file, content in files.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            data = content.encode() if isinstance(content, str) else content
            (folder / file).write_bytes(data)
        chosen = folder / (path or next(iter(files)))
        self.documents[name] = Document(name, role, chosen, folder, **more)
        return chosen

    def run(self, *args: str | Path) -> None:
        """A command that makes a document of others; it must be fine."""
        done = call([str(arg) for arg in args])
        if done.status != 0:
            raise RuntimeError(f"readmark {args}: {done.status} {done.stderr} {done.raised}")

    def _saved(self, name: str, source: str, file: str, format: str) -> None:
        test = open_test(self.path(source))
        (self.folder / name).mkdir()
        target = self.folder / name / file
        save_test(test, target, format=format)
        self.documents[name] = Document(
            name, test.kind.name, target, self.folder / name, format=format
        )

    def _comprehension(self) -> None:
        english = _first(BUNDLE / "reading.en.jsonl", 2)
        self.add("native", "comprehension", {"en.jsonl": english}, format="native")
        chinese = _first(BUNDLE / "reading.zh.jsonl", 1)
        self.add("zh", "comprehension", {"zh.jsonl": chinese}, format="native")
        plain = (EXAMPLES / "reading.jsonl").read_bytes()
        self.add("plain", "comprehension", {"reading.jsonl": plain}, format="native")
        choices = (EXAMPLES / "choices.en.jsonl").read_bytes()
        self.add("choices", "comprehension", {"choices.jsonl": choices}, format="flat")
        for file, format in (
            *(
                ("t.jsonl", "flat"),
                ("t.parquet", "parquet"),
                ("t.json", "squad"),
                ("t.csv", "table"),
            ),
            *(
                ("t.json", "squad2"),
                ("t.json", "drcd"),
                ("t.json", "smart"),
                ("t.json", "cmrc2018"),
            ),
        ):
            self._saved(format, "plain", file, format)
        self._saved("table.xlsx", "plain", "t.xlsx", "table")
        for suffix in ("gz", "zst"):
            self._saved(f"native.{suffix}", "native", f"t.jsonl.{suffix}", "native")
        self._saved("squad.gz", "plain", "t.json.gz", "squad")
        english = in_language(CANONICAL, "en")
        self.add("brcc", "comprehension", {"t.brcc": english}, format="brcc")
        self.add("both", "bilingual", {"t.brcc": CANONICAL}, format="brcc")
        for file, format in (("t", "brat"), ("t.conllu", "conllu")):
            self._saved(format, "native", file, format)
        c3 = {f"choices.{suffix}": _example(f"choices.{suffix}") for suffix in ("json", "txt")}
        self.add("c3", "comprehension", c3, format="c3")
        self.add("cbc4kids", "comprehension", CBC, path=".", format="cbc4kids")
        packed = {"stories.zip": _zip(CBC)}
        self.add("cbc4kids.zip", "comprehension", packed, format="cbc4kids")
        self.add("remedia", "comprehension", REMEDIA, path=".", format="remedia")
        self.add("remedia.sheet", "comprehension", {"kites.txt": HEADED}, format="remedia")

    def _series(self) -> None:
        series = _first(BUNDLE / "series.en.jsonl", 3)
        self.add("series", "series", {"series.jsonl": series}, format="native")
        lights = {"lights.xml": _example("lights.xml")}
        self.add("trec_series", "series", lights, format="trec_series")
        rows = (BUNDLE / "series.en.jsonl").read_bytes().splitlines(keepends=True)
        braille = b"".join(row for row in rows if b'"passages":["braille"]' in row)
        self.add("series.read", "series", {"braille.jsonl": rows[0] + braille}, format="native")
        rows = (BUNDLE / "reading.en.jsonl").read_bytes().splitlines(keepends=True)
        braille = b"".join(row for row in rows if row.startswith(b'{"id":"braille"'))
        self.add("braille", "comprehension", {"passages.jsonl": rows[0] + braille}, format="native")
        self.add(
            "series_gold", "series", {"l.json": _example("lights.ann.json")}, format="series_gold"
        )
        self.add("canard", "series", {"dev.json": _json(CANARD)}, format="canard")
        self.add("cast", "series", {"topics.json": _json(TURNS)}, format="cast")
        text = "Number: 5\nTitle: canals\n1\tWhat is a lock?\n2\tWho keeps it?\n\n"
        resolved = "5_1\tWhat is a lock?\n5_2\tWho keeps a lock?\n"
        topics = {
            "evaluation_topics_v1.0.txt": text,
            "evaluation_topics_annotated_resolved_v1.0.tsv": resolved,
        }
        self.add("cast.text", "series", topics)
        automatic = {"topics.json": _json(TURNS)}
        self.add(
            "cast_automatic", "series sitting", automatic, format="cast_automatic", test="cast"
        )

    def _readability(self) -> None:
        rated = _first(BUNDLE / "readability.en.jsonl", 6)
        self.add("readability", "readability", {"r.jsonl": rated}, format="native")
        small = self.folder / "readability.small" / "small.jsonl"
        small.parent.mkdir()
        save_test(panel_test(6), small)
        self.documents["readability.small"] = Document(
            "readability.small", "readability", small, small.parent, format="native"
        )
        for index in (1, 2):
            novice = f"readability.en.people/synthetic-novice-{index}.jsonl"
            rows = {f"novice{index}.jsonl": (BUNDLE / novice).read_bytes()}
            self.add(f"novice{index}", "readability sitting", rows, test="readability")
        names = [json.loads(row)["id"] for row in rated.splitlines()[1:]]
        ratings = [
            [name, str(index % 5 + 1), str(index % 4 + 2)] for index, name in enumerate(names)
        ]
        self.add(
            "class",
            "class ratings",
            {"class.csv": _table(["passage", "Ann", "Bo"], ratings)},
            format="class_ratings",
            test="readability",
        )
        plan = self.folder / "plan"
        self.run("panel", "plan", small, "-o", plan, "--experts", "2", "--novices", "2")
        for index, sheet in enumerate(sorted(plan.glob("*.csv"))[:2]):
            rows = rows_of(sheet.read_text("utf-8"))
            rate(rows, shift=index)
            filled = {sheet.name: _table(list(rows[0]), [list(row.values()) for row in rows])}
            self.add("judged" if index == 0 else "judged2", "judge's sheet", filled)
        self.add("plan", "plan", {"plan.json": (plan / "plan.json").read_bytes()})
        candidates = "".join(
            json.dumps({"id": f"{genre}{index}", "genre": genre, "text": SHEET * 2}) + "\n"
            for genre in ("forum", "weblog")
            for index in range(2)
        )
        pool = self.add("candidates", "candidates", {"candidates.jsonl": candidates})
        sheet = self.folder / "vetting.csv"
        self.run("panel", "pool", pool, "--sheet", sheet, "--least", "3")
        self.add("vetting", "vetting sheet", {"vetting.csv": sheet.read_bytes()})

    def _task(self) -> None:
        raw = write_task(self.folder / "league")
        self.documents["task.raw"] = Document("task.raw", "task folder", raw, raw)
        for name, target in (("task", "packed"), ("task.zip", "packed.zip")):
            (self.folder / name).mkdir()
            packed = self.folder / name / target
            self.run("task", "pack", raw, "-o", packed)
            self.documents[name] = Document(name, "task", packed, packed.parent, format="task")
        graph = "((Game-1 type Game)\n (Game-1 hasOvertimePlay true) (Game-1 winner Otters))\n"
        graphs = self.add("statements", "statements", {"s.graph": graph}, format="statements")
        trig = (raw / "annotations/train/otters.trig").read_bytes()
        self.add("statements.trig", "statements", {"s.trig": trig})
        light = (
            "document: s\nannotator: ida\n"
            '"The Otters" + "beat"#1 -> (Game-1 winner Otters="The Otters") p=0.5\n'
            '"in overtime" ->\n  (Game-1 hasOvertimePlay true)\n  (Game-1 type Game)\n'
            '-> (Otters name "The \\"Otters\\"")\n'
        )
        files = {"s.statements": light, "s.txt": OTTERS}
        self.add("statements.light", "statements", files)
        for suffix in ("nq", "ttl", "rdf"):
            made = self.folder / f"made.{suffix}"
            rules = raw / "rules.dsrs"
            self.run("task", "infer", graphs, "--rules", rules, "-o", made)
            self.add(f"statements.{suffix}", "statements", {f"s.{suffix}": made.read_bytes()})
        self.add("rules", "rules", {"rules.dsrs": RULES})
        nfl = ROOT / "src/readmark/tasks/domains/nfl_scoring"
        self.add("rules.nfl", "rules", {"rules.dsrs": (nfl / "rules.dsrs").read_bytes()[:6000]})
        self.add("ontology", "ontology", {"ontology.ttl": ONTOLOGY})
        quantities = (nfl / "decomposition.toml").read_bytes()
        self.add("decomposition", "decomposition", {"decomposition.toml": quantities})
        pooled = self.folder / "pool.jsonl"
        wrong = {"otters:winner": [{"G": "Game-1", "T": "Herons"}]}
        (self.folder / "wrong.json").write_bytes(_json(wrong))
        self.run("task", "pool", self.path("task"), self.folder / "wrong.json", "-o", pooled)
        verdict = pooled.read_bytes().replace(b'"verdict":""', b'"verdict":"wrong"')
        judged = verdict.replace(b'"by":""', b'"by":"eva"')
        filled = self.add("pool", "pool", {"pool.jsonl": judged})
        again = write_task(self.folder / "task.judged" / "league")
        gold = again / "answers.train.jsonl"
        self.run("task", "gold", again, "--split", "train", "-o", gold, "--adjudicated", filled)
        self.documents["task.judged"] = Document(
            "task.judged", "task", again, again.parent, format="task"
        )

    def _sittings(self) -> None:
        for name, role, candidate, test in (
            ("sitting", "sitting", "lead", "native"),
            ("sitting.series", "series sitting", "append", "series"),
            ("sitting.readability", "readability sitting", "formula", "readability"),
        ):
            (self.folder / name).mkdir()
            journal = self.folder / name / "sitting.jsonl"
            self.run("sit", self.path(test), "-r", candidate, "-o", journal)
            self.documents[name] = Document(name, role, journal, journal.parent, test=test)
        rows = [
            {"readmark": 1, "file": "sitting", "kind": "task", "candidate": "x"},
            {"id": "otters:periods", "bindings": [ANSWERS[0]["values"]]},
            {"id": "otters:winner", "error": "no reply", "attempt": 1},
        ]
        task_rows = b"".join(_json(row) + b"\n" for row in rows)
        self.add("sitting.task", "task sitting", {"sitting.jsonl": task_rows}, test="task")
        self.documents["sitting"] = _of(self.documents["sitting"], "sitting")
        predictions = {"p.json": self.answers("plain").read_bytes()}
        self.add("predictions", "sitting", predictions, format="predictions", test="plain")
        for suffix in ("csv", "xlsx", "jsonl"):
            rows = self.folder / f"prediction_rows.{suffix}" / f"p.{suffix}"
            rows.parent.mkdir()
            self.run("convert", self.answers("plain"), rows, "--to", "prediction_rows")
            self.documents[rows.parent.name] = Document(
                rows.parent.name, "sitting", rows, rows.parent, "prediction_rows", "plain"
            )
        (self.folder / "rye").mkdir()
        rye = write_harness_test(self.folder / "rye" / "rye.jsonl")
        self.documents["rye"] = Document("rye", "comprehension", rye, rye.parent, format="native")
        whole = "samples_whole_2026-01-01T00-00-00.000003.jsonl"
        results = "results_2026-01-01T00-00-00.000003.json"
        for name, file, format in (
            ("lm_eval_log", whole, "lm_eval_log"),
            ("inspect_log", "whole.eval", "inspect_log"),
            ("inspect_log.pieces", "pieces.eval", "inspect_log"),
            ("inspect_log.json", "part.json", "inspect_log"),
        ):
            files = {file: (LOGS / file).read_bytes()}
            if name == "lm_eval_log":
                files[results] = (LOGS / results).read_bytes()
            self.add(name, "harness log", files, format=format, test="rye")
        for name, test, sitting in (
            ("marksheet", "native", "sitting"),
            ("marksheet.series", "series", "sitting.series"),
            ("marksheet.readability", "readability", "sitting.readability"),
            ("marksheet.task", "task", "sitting.task"),
        ):
            (self.folder / name).mkdir()
            sheet = self.folder / name / "marks.jsonl"
            marked = ("mark", self.path(test), self.path(sitting), "--draws", "20", "-o", sheet)
            self.run(*marked, "--by", "split", "--errors-as-wrong")
            self.documents[name] = Document(name, "marksheet", sheet, sheet.parent, test=test)

    def _sources_and_sheets(self) -> None:
        for file, text in SOURCES.items():
            self.add(f"source.{file}", "source", {file: text})
        dump = bz2.compress(SOURCES["dump.xml"].encode())
        self.add("source.dump.xml.bz2", "source", {"dump.xml.bz2": dump})
        for name, file in (("english", "en"), ("translator", "ann"), ("translator2", "bo")):
            table = {f"{file}.tsv": _example(f"harbour.{file}.tsv")}
            self.add(name, "translator", table)
        harbour = {"zh.jsonl": _example("harbour.zh.jsonl")}
        self.add("chinese", "comprehension", harbour, format="native")
        made = self.folder / "translation.jsonl"
        files = [self.path(name) for name in ("english", "translator", "translator2")]
        self.run("set", "translate", *files, "-o", made)
        self.add("translation", "translation decisions", {"adj.jsonl": _decided(made)})
        for name, file in (("bridge", "bridge.jsonl"), ("street", "street.jsonl")):
            self.add(name, "comprehension", {file: _example(file)}, format="native")
        labels = _example("bridge.labels.csv")
        self.add("labels", "labels", {"labels.csv": labels})
        self.add("labels2", "labels", {"others.csv": labels.replace(b"Lin", b"Bo")})
        for name, file in (("decisions", "street.ann.csv"), ("decisions2", "street.bo.csv")):
            self.add(name, "screen decisions", {file: _example(file)})
        for name, text in (("layers", CHINESE), ("layers2", RETYPED)):
            self.add(name, "comprehension", {f"{name}.brcc": text}, format="brcc")
        made = self.folder / "adjudication.jsonl"
        two = (self.path("layers"), self.path("layers2"))
        self.run("set", "crosscheck", *two, "-o", made)
        self.add("adjudication", "adjudication", {"adj.jsonl": _decided(made)})
        blind = self.folder / "blind"
        who = ("--annotator", "ann", "--annotator", "bo")
        self.run("set", "blind", self.path("bridge"), "-o", blind, *who)
        sheets = sorted(blind.rglob("*.csv"))
        for index, sheet in enumerate(sheets):
            rows = list(csv.reader(io.StringIO(sheet.read_text("utf-8-sig"))))
            answer = rows[0].index("answer")
            filled = [[*row[:answer], "the bridge", *row[answer + 1 :]] for row in rows[1:]]
            name = "blind.sheet" if index == 0 else "blind.sheet2"
            self.add(name, "blind sheet", {sheet.name: _table(rows[0], filled)})
        marked = call(["mark", *map(str, map(self.path, ("series", "sitting.series"))), "--json"])
        units = json.loads(marked.stdout)["per_unit"].items()
        scores = [
            [id, f"{1 + 4 * marks['jaccard']:.1f}"] for id, marks in units if marks["jaccard"]
        ]
        self.add("judgements", "judgements", {"scores.csv": _table(["id", "score"], scores)})
        config = "[zh.symbols]\non = true\nmost = 0.04\n\n[zh.list_like]\nmost = 0.5\nshort = 20\n"
        self.add("screen.toml", "screen config", {"screen.toml": config})
        rules = '[too_many_questions]\nmost = 6\n[not_a_span]\nseverity = "warning"\n'
        self.add("profile.toml", "profile config", {"profile.toml": f'profile = "cmrc"\n{rules}'})
        self.add(
            "prompt",
            "prompt",
            {"prompt.txt": "=== system\nRead.\n=== user\n{passage}\n\n{question}\n"},
        )
        self.add("lexicon", "lexicon", {"words.txt": "灯塔\n水车 3 n\n"})
        shutil.rmtree(self.folder / "blind")


def _of(document: Document, format: str) -> Document:
    return Document(**{**document.__dict__, "format": format})


def _decided(path: Path) -> bytes:
    """Disagreements, each decided for the first version."""
    head, *rows = path.read_bytes().splitlines()
    decided = (json.loads(row) | {"decision": "a", "by": "chen"} for row in rows)
    return b"".join(row + b"\n" for row in (head, *map(_json, decided)))


def _first(path: Path, records: int) -> bytes:
    return b"".join(path.read_bytes().splitlines(keepends=True)[: records + 1])


def _example(name: str) -> bytes:
    return (EXAMPLES / name).read_bytes()


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([head, *rows])
    return out.getvalue()


def _zip(files: Mapping[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()
