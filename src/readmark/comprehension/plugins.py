"""What reading comprehension adds to Readmark."""

from __future__ import annotations

from readmark.core.registry import Entry

_COMPREHENSION = ("comprehension",)

PLUGINS: dict[str, dict[str, Entry]] = {
    "readmark.kinds": {
        "comprehension": Entry(
            "readmark.comprehension.kind:COMPREHENSION",
            "questions on a passage, answered by a span, a sentence or free text",
        ),
    },
    "readmark.formats": {
        "c3": Entry(
            "readmark.comprehension.formats.c3:C3_FORMAT",
            "C3's and DREAM's JSON: documents with multiple-choice questions, with C3's labels",
            sittings=False,
        ),
        "brcc": Entry(
            "readmark.comprehension.brcc.format:BRCC",
            "BRCC: annotated passages, questions and answer keys, English and Chinese",
            sittings=False,
        ),
        "cbc4kids": Entry(
            "readmark.comprehension.formats.cbc4kids.format:CBC4KIDS",
            "CBC4Kids: a folder of .story, .questions and .answers files",
            sittings=False,
            folders=True,
        ),
        "remedia": Entry(
            "readmark.comprehension.formats.remedia.format:REMEDIA",
            "Remedia reading sheets, plain or with MITRE's tags: a file or a folder of them",
            sittings=False,
            folders=True,
        ),
    },
    "readmark.candidates": {
        "lead": Entry(
            "readmark.comprehension.baselines:Lead",
            "the first sentence of the passage",
            _COMPREHENSION,
            baseline="quick",
        ),
        "longest_overlap": Entry(
            "readmark.comprehension.baselines:LongestOverlap",
            "the sentence that shares most words with the question",
            _COMPREHENSION,
            baseline="quick",
        ),
        "bow": Entry(
            "readmark.comprehension.bow.reader:Bow",
            "bag of words: the sentence that shares most stems; nef and pr as in BRCC",
            _COMPREHENSION,
            baseline="quick",
        ),
        "dependency": Entry(
            "readmark.comprehension.bow.dependency:DependencyReader",
            "the sentence that shares most words and verbs with the same arguments",
            _COMPREHENSION,
        ),
        "evidence": Entry(
            "readmark.comprehension.evidence.reader:Evidence",
            "the likeliest sentence, by named features and the encoder of span",
            _COMPREHENSION,
            baseline="slow",
        ),
        "closest_option": Entry(
            "readmark.comprehension.baselines:ClosestOption",
            "the option that shares most words, with the question, with a sentence",
            _COMPREHENSION,
            baseline="choice",
        ),
        "random": Entry(
            "readmark.comprehension.baselines:Guess",
            "an option at random: what guessing gives",
            _COMPREHENSION,
            baseline="choice",
        ),
        "span": Entry(
            "readmark.comprehension.span.reader:SpanReader",
            "the most likely span, by a small trained network",
            _COMPREHENSION,
            baseline="slow",
        ),
        "hf": Entry(
            "readmark.comprehension.hf.reader:Hf",
            "any question-answering model of transformers: a folder, or a name on the hub",
            _COMPREHENSION,
        ),
    },
    "readmark.metrics": {
        "em": Entry(
            "readmark.comprehension.metrics.exact_match:ExactMatch",
            "share of answers equal to a reference once both are normalised",
            _COMPREHENSION,
        ),
        "f1": Entry(
            "readmark.comprehension.metrics.f1:F1",
            "overlap of answer and reference tokens, best over references",
            _COMPREHENSION,
        ),
        "average": Entry(
            "readmark.comprehension.metrics.average:Average",
            "mean of EM and F1, which CMRC 2018 ranks by",
            _COMPREHENSION,
        ),
        "contains": Entry(
            "readmark.comprehension.metrics.contains:Contains",
            "share of answers that hold a whole reference, for wordy candidates",
            _COMPREHENSION,
        ),
        "rouge_l": Entry(
            "readmark.comprehension.metrics.rouge_l:RougeL",
            "longest common subsequence of answer and reference, for answers in free text",
            _COMPREHENSION,
        ),
        "accuracy": Entry(
            "readmark.comprehension.metrics.accuracy:Accuracy",
            "share of multiple-choice questions whose chosen option is the keyed one",
            _COMPREHENSION,
        ),
        "humsent": Entry(
            "readmark.comprehension.metrics.humsent:HumSent",
            "share of answers in a sentence that people marked as answering",
            _COMPREHENSION,
        ),
        "autsent": Entry(
            "readmark.comprehension.metrics.autsent:AutSent",
            "share of answers in the sentence that recalls most of the key's words",
            _COMPREHENSION,
        ),
        "precision": Entry(
            "readmark.comprehension.metrics.precision_recall:Precision",
            "share of the answer's words that are in the key, as sets of stems",
            _COMPREHENSION,
        ),
        "recall": Entry(
            "readmark.comprehension.metrics.precision_recall:Recall",
            "share of the key's words that are in the answer, as sets of stems",
            _COMPREHENSION,
        ),
    },
    "readmark.transforms": {
        "cross": Entry(
            "readmark.comprehension.crossing:Cross",
            "questions of a parallel test in another language",
            _COMPREHENSION,
        ),
        "shuffle_options": Entry(
            "readmark.comprehension.shuffled_options:ShuffleOptions",
            "the options of each question in another order",
            _COMPREHENSION,
        ),
    },
    "readmark.report_sections": {
        "splits": Entry("readmark.comprehension.report_sections.splits:splits_section"),
        "levels": Entry("readmark.comprehension.report_sections.levels:levels_section"),
        "positions": Entry("readmark.comprehension.report_sections.positions:positions_section"),
    },
    "readmark.set_commands": {
        "levels": Entry(
            "readmark.comprehension.levels.command:levels_command",
            "Label each question from 1 to 4 by the reasoning that it needs.",
        ),
    },
}
