"""``readmark set``: the verbs that make a test. Each is imported only when it is called."""

from __future__ import annotations

import click

from readmark.cli.verbs import Verbs

VERBS = {
    "wiki": "Cut Wikipedia, HTML or plain text into passages.",
    "screen": "Keep the passages that are fit for a test; list the others with reasons.",
    "annotate": "Store the layers of an analyser: sentences, tokens, noun phrases, entities.",
    "blind": "Write answer sheets for second and third answers, without the key.",
    "merge": "Take people's answers into the key of a test.",
    "levels": "Label each question by the reasoning that it needs, 1 to 4, with reasons.",
    "challenge": "Find or check questions that one sentence does not answer.",
    "split": "Split by article into train, dev and test.",
    "translate": "Compare two translators' questions and keys; adjudicate.",
    "crosscheck": "Compare two annotators' layers, place by place.",
    "adjudicate": "Make one gold annotation of two, by decisions.",
    "agree": "Agreement of annotators: labels, spans, words, coreference.",
    "export": "Write a test with its data card, ready to publish.",
}
"""Every verb with its one line; ``readmark.cli.set.NAME`` has it as ``NAME_command``."""


@click.group("set", cls=Verbs, verbs=VERBS, package=__name__)
def set_command() -> None:
    """Make a test; each verb takes a TEST or a source and writes OUT."""
