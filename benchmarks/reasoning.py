"""CPU seconds of rules over generated games, compared with Nemo, hand-written SQL and SPARQL.

Run: python benchmarks/reasoning.py [--games N] [--rounds N] [--linear] [--sparql]

Every measurement is a process of its own; rounds are interleaved and the least counts.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from figures import Figure
from reasoning_games import (
    NEMO,
    NEMO_CONCLUSIONS,
    RULES,
    SPARQL,
    SPARQL_PREFIXES,
    SQL,
    write_games,
)

GAMES = 100_000
EXPLAINED = 1_000
CONFLICTS = 1_000
CONTEXT_SECONDS = 30.0
FEW_GAMES = 1_000
"""For rdflib, which takes minutes for more."""

Measured = dict[str, float]


def ours(file: Path, *, provenance: bool = True) -> Measured:
    """Parsing and rules; with provenance also a thousand explanations."""
    start = time.process_time()
    from readmark.tasks.reasoning.engine.inference import infer_loaded
    from readmark.tasks.reasoning.engine.quads import load_quads
    from readmark.tasks.reasoning.engine.store import Store
    from readmark.tasks.reasoning.namespaces import Namespaces
    from readmark.tasks.reasoning.rules.parser import parse_rules

    theory = parse_rules(RULES)
    store = Store(files=[file])
    load_quads(store, file, Namespaces(), "games")
    loaded = time.process_time()
    inference = infer_loaded(store, {}, theory, provenance=provenance)
    done = time.process_time()
    found: Measured = {
        "total": done - start,
        "load": loaded - start,
        "rules": done - loaded,
        "memory": _memory(),
        **inference.counts(),
        "rows": sum(
            store.run(f"SELECT count(*) FROM {store.table(name)}")[0][0]
            for name in NEMO_CONCLUSIONS.values()
        ),
    }
    if provenance:
        from readmark.tasks.reasoning.derivations import explain

        wanted = [(one.graph, one.statement) for one in inference.derived()]
        step = max(len(wanted) // EXPLAINED, 1)
        start = time.process_time()
        explain(inference, wanted[::step][:EXPLAINED])
        found["explained"] = time.process_time() - start
    return found


def bare(file: Path) -> Measured:
    """The same without provenance."""
    return ours(file, provenance=False)


def batched(file: Path) -> Measured:
    """Without provenance, in batches of graphs, as a large file is inferred."""
    start = time.process_time()
    from readmark.tasks.reasoning.engine.batches import infer_batches
    from readmark.tasks.reasoning.rules.parser import parse_rules

    derived = batches = 0
    for inference in infer_batches(file, parse_rules(RULES), provenance=False):
        derived += inference.counts()["derived"]
        batches += 1
    total = time.process_time() - start
    return {"total": total, "memory": _memory(), "derived": derived, "batches": batches}


def nemo(file: Path) -> Measured:
    """Nemo: parsing and rules."""
    start = time.process_time()
    import nmo_python

    outputs = "".join(f"@output {conclusion} .\n" for conclusion in NEMO_CONCLUSIONS)
    program = NEMO.replace("FILE", str(file)) + outputs + "@output four .\n"
    engine = nmo_python.NemoEngine(nmo_python.load_string(program))
    engine.reason()
    total = time.process_time() - start
    rows = sum(1 for conclusion in NEMO_CONCLUSIONS for _ in engine.result(conclusion))
    return {"total": total, "memory": _memory(), "rows": rows}


def by_hand(file: Path) -> Measured:
    """Hand-written SQL over the coded tables, without provenance."""
    from readmark.tasks.reasoning.engine.quads import load_quads
    from readmark.tasks.reasoning.engine.store import Store
    from readmark.tasks.reasoning.namespaces import Namespaces

    store = Store(files=[file])
    load_quads(store, file, Namespaces(), "games")
    run = store.connection.execute
    for name, table in store.tables.items():
        value = "o"
        if name in ("pointsScored", "numberOfPeriods"):
            value = "(o + 4611686018427387904)::INTEGER AS o"
        elif name == "gameDate":
            value = "DATE '1970-01-01' + (o + 1152921504606846976)::INTEGER AS o"
        run(f"CREATE TABLE {name} AS SELECT g, s, {value} FROM {table}")
    start = time.process_time()
    for name, sql in SQL.items():
        run(f"CREATE TABLE {name} AS {sql}")
    return {"rules": time.process_time() - start, "memory": _memory()}


def oxigraph(file: Path) -> Measured:
    """SPARQL updates in pyoxigraph: loading and rules."""
    start = time.process_time()
    import pyoxigraph

    store = pyoxigraph.Store()
    store.bulk_load(path=str(file), format=pyoxigraph.RdfFormat.N_QUADS)
    for update in SPARQL:
        store.update(SPARQL_PREFIXES + update)
    return {"total": time.process_time() - start, "memory": _memory(), "rows": len(store)}


def rdflib(file: Path) -> Measured:
    """SPARQL updates in rdflib."""
    start = time.process_time()
    from rdflib import Dataset

    store = Dataset()
    store.parse(file, format="nquads")
    for update in SPARQL:
        store.update(SPARQL_PREFIXES + update)
    total = time.process_time() - start
    rows = sum(1 for _ in store.quads((None, None, None, None)))
    return {"total": total, "memory": _memory(), "rows": rows}


def settled(_: Path) -> Measured:
    """Contexts of a thousand conflicts: apart, in one chain, and of a tangle with bounds."""
    import random

    from readmark.tasks.reasoning.contexts import contexts
    from readmark.tasks.reasoning.graphs import Asserted, Statement
    from readmark.tasks.reasoning.rules.parser import parse_rules
    from readmark.tasks.reasoning.terms import Literal, Name

    theory = parse_rules(
        "(:theory T)(:rule clash :if (?a on true) (?a by ?b) (?b on true) :then (?i contradicts T))"
    )
    draw = random.Random(1)
    found: Measured = {}
    nodes = range(2 * CONFLICTS)
    shapes = {
        "apart": [(at, at + 1) for at in range(0, 2 * CONFLICTS, 2)],
        "chained": [(at, at + 1) for at in range(CONFLICTS)],
        "tangled": [tuple(draw.sample(range(CONFLICTS // 4), 2)) for _ in range(CONFLICTS)],
    }
    for name, pairs in shapes.items():
        on = [Statement(Name(f"x{at}"), Name("on"), Literal(True)) for at in nodes]
        asserted = [Asserted("g", one, probability=draw.uniform(0.05, 0.95)) for one in on]
        asserted += [
            Asserted("g", Statement(Name(f"x{one}"), Name("by"), Name(f"x{other}")))
            for one, other in pairs
        ]
        start, wall = time.process_time(), time.monotonic()
        settled = contexts(asserted, theory, seconds=CONTEXT_SECONDS)
        found[name] = time.process_time() - start
        found[f"{name} wall"] = time.monotonic() - wall
        found[f"{name} exact"] = float(settled.exact)
    return found


def linked(_: Path) -> Measured:
    """A thousand documents with ten games each, every game in ten documents, linked by a key."""
    from readmark.tasks.reasoning.corpus import gather
    from readmark.tasks.reasoning.graphs import Asserted, Statement
    from readmark.tasks.reasoning.rules.parser import parse_rules
    from readmark.tasks.reasoning.terms import Literal, Name

    theory = parse_rules("(:rule same :if (?a code ?c) (?b code ?c) :then (?a sameAs ?b))")
    asserted = [
        Asserted(f"d{document}", Statement(Name(f"G{game}"), Name(name), Literal(value)))
        for document in range(1_000)
        for game in range(10)
        for name, value in (("code", (document + 37 * game) % 1_000), ("seen", document))
    ]
    start = time.process_time()
    corpus = gather(asserted, theory)
    found = {"linked": time.process_time() - start, "links": float(len(corpus.links))}
    corpus.inference.close()
    return found


TASKS: dict[str, Callable[[Path], Measured]] = {
    one.__name__: one
    for one in (ours, bare, batched, nemo, by_hand, oxigraph, rdflib, settled, linked)
}


def measure(
    *, games: int = GAMES, rounds: int = 3, linear: bool = False, sparql: bool = False
) -> list[Figure]:
    """Print what was measured; the figures that are wanted come back."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "games.nq")
        triples = write_games(file, games)
        print(f"{games:,} games, {triples:,} triples, CPU seconds, the least of {rounds} rounds")
        names = ["ours", "bare", "nemo", "by_hand", "settled", "linked"]
        got: dict[str, list[Measured]] = {name: [] for name in names}
        for _ in range(rounds):
            for name in names:
                got[name].append(_in_process(name, file))
        least = {name: _least(found) for name, found in got.items()}
        if sparql:
            least["oxigraph"] = _in_process("oxigraph", file)
            write_games(few := Path(folder, "few.nq"), FEW_GAMES)
            by_rdflib = least[f"rdflib, {FEW_GAMES:,} games"] = _in_process("rdflib", few)
            own = least[f"ours, {FEW_GAMES:,} games"] = _in_process("ours", few)
            for mine, theirs in ((least["ours"], least["oxigraph"]), (own, by_rdflib)):
                if theirs["rows"] != mine["asserted"] + mine["derived"]:
                    raise SystemExit("not the same statements as SPARQL's")
        for name, found in least.items():
            print(f"  {name}: " + ", ".join(f"{key} {value:,.4g}" for key, value in found.items()))
        if least["ours"]["rows"] != least["nemo"]["rows"]:
            raise SystemExit("not the same statements as Nemo's")
        figures = _figures(least)
        if linear:
            figures.extend(_linear(Path(folder)))
    for figure in figures:
        print(figure)
    return figures


def _figures(least: dict[str, Measured]) -> list[Figure]:
    mine, bare_, by_nemo, hand = (least[name] for name in ("ours", "bare", "nemo", "by_hand"))
    contexts, links = least["settled"], least["linked"]
    return [
        Figure("reasoning: total beside Nemo", mine["total"] / by_nemo["total"], "times", most=1),
        Figure(
            "reasoning: rules beside SQL by hand", bare_["rules"] / hand["rules"], "times", most=2
        ),
        Figure(
            "reasoning: provenance beside none", mine["rules"] / bare_["rules"], "times", most=1.5
        ),
        Figure("reasoning: memory", mine["memory"], "GB", most=1.5),
        Figure("reasoning: a thousand explanations", mine["explained"], "s", most=5),
        *(
            Figure(f"reasoning: contexts of 1,000 conflicts, {shape}", value, "s", most=limit)
            for shape, value, limit in (
                ("apart", contexts["apart"], 5),
                ("chained", contexts["chained"], 5),
                ("tangled, by the clock", contexts["tangled wall"], CONTEXT_SECONDS),
            )
        ),
        Figure("reasoning: 9,000 links of 1,000 documents", links["linked"], "s", most=10),
    ]


def _linear(folder: Path) -> list[Figure]:
    """Seconds per game, and memory: a million games compared with a hundred thousand."""
    found: dict[int, Measured] = {}
    for games in (10_000, 100_000, 1_000_000):
        write_games(file := folder / f"{games}.nq", games)
        one = found[games] = _in_process("batched", file)
        file.unlink()
        print(
            f"  {games:,} games: {one['total']:.2f} s, {1e6 * one['total'] / games:.1f} µs a game, "
            f"{one['memory']:.2f} GB, {one['batches']:.0f} batches, {one['derived']:,.0f} derived"
        )
    few, many = found[100_000], found[1_000_000]
    growth = many["total"] / few["total"] / 10
    return [
        Figure("reasoning: a game of 1M beside one of 100k", growth, "times", most=1.2),
        Figure("reasoning: memory of 1M games", many["memory"], "GB", most=1.5),
    ]


def _least(runs: list[Measured]) -> Measured:
    return {key: min(one[key] for one in runs) for key in runs[0]}


def _in_process(name: str, file: Path) -> Measured:
    command = [sys.executable, __file__, "--task", name, "--file", str(file)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    measured: Measured = json.loads(done.stdout.splitlines()[-1])
    return measured


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--linear", action="store_true", help="10k, 100k and 1M games too")
    parser.add_argument("--sparql", action="store_true", help="pyoxigraph and rdflib too")
    parser.add_argument("--task", choices=TASKS, help="one measurement in this process")
    parser.add_argument("--file", type=Path)
    given = parser.parse_args()
    if given.task:
        print(json.dumps(TASKS[given.task](given.file)))
    else:
        figures = measure(
            games=given.games, rounds=given.rounds, linear=given.linear, sparql=given.sparql
        )
        sys.exit(0 if all(figure.ok for figure in figures) else 1)
