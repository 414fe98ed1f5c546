"""Trains the evidence reader, which takes the file as evidence(model=FILE).

    python -m training.evidence TEST... [--also 0.3 TEST] [--apart-from TEST] -o model.json
    python -m training.evidence --pool TEST... [--model model.json] [--span FOLDER] -o pooled.json

The first command trains the ranker on tests whose answers are spans. `--also WEIGHT TEST` adds a
test whose questions count less; with weight 0 it only teaches what answers look like. Passages that
share text with a test of `--apart-from` are left out and counted. A tenth of the passages chooses
the epoch. The same tests and seeds give the same file. Hidden splits are not learnt from, unless
`--split NAME` selects one.

The second learns how a trained ranker is pooled with the encoder of a span reader. Give it tests
that neither was trained on, a few hundred questions: both are too sure of questions that they know.
A language that no test is in keeps its powers. The model's card has the commands that made it.
"""

from __future__ import annotations

import argparse
import sys

from training.evidence.train import EvidenceTraining, train_evidence, train_pooling


def main(arguments: list[str] | None = None) -> EvidenceTraining:
    """Train or pool, as the arguments say."""
    parser = argparse.ArgumentParser(
        prog="python -m training.evidence",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("tests", metavar="TEST", nargs="+")
    parser.add_argument("-o", "--output", metavar="FILE", required=True)
    parser.add_argument("--also", nargs=2, action="append", default=[], metavar=("WEIGHT", "TEST"))
    parser.add_argument("--apart-from", action="append", default=[], metavar="TEST")
    parser.add_argument("--split", metavar="NAME")
    parser.add_argument("--seeds", type=int, metavar="N", help="networks to train and average (5)")
    parser.add_argument("--epochs", type=int, metavar="N", help="epochs of each network (6)")
    parser.add_argument("--pool", action="store_true", help="learn only the pooling")
    parser.add_argument("--model", metavar="FILE", help="with --pool: the ranker (the shipped one)")
    parser.add_argument("--span", metavar="FOLDER", help="with --pool: the span reader (shipped)")
    given = parser.parse_args(arguments)
    if given.pool and (given.seeds or given.epochs):
        parser.error("--seeds and --epochs train networks, which --pool does not")
    if not given.pool and (given.model or given.span):
        parser.error("--model and --span need --pool")
    shared = {
        "also": [(float(weight), test) for weight, test in given.also],
        "apart_from": given.apart_from,
        "split": given.split,
        "progress": lambda line: print(line, file=sys.stderr),
    }
    if given.pool:
        return train_pooling(
            given.tests, given.output, model=given.model or "", span=given.span or "", **shared
        )
    return train_evidence(
        given.tests, given.output, seeds=given.seeds, epochs=given.epochs, **shared
    )


if __name__ == "__main__":
    for note in main().notes:
        print(note)
