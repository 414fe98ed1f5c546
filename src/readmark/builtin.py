"""Everything that ships with Readmark, by entry-point group: one per line.

Other packages add to the same groups with entry points (docs/extending.md). Nothing here is
imported before it is used, and no other module names a kind.
"""

from __future__ import annotations

from readmark.core.registry import Entry

_COMPREHENSION = ("comprehension",)
_SERIES = ("series",)
_READABILITY = ("readability",)
_TASK = ("task",)

BUILTIN: dict[str, dict[str, Entry]] = {
    "readmark.kinds": {
        "comprehension": Entry(
            "readmark.comprehension.kind:COMPREHENSION",
            "questions on a passage, answered by a span, a sentence or free text",
        ),
        "series": Entry(
            "readmark.series.kind:SERIES",
            "questions in a series with a target, rewritten to stand alone",
        ),
        "readability": Entry(
            "readmark.readability.kind:READABILITY",
            "passages rated from 1 to 5 by how easily they read",
        ),
        "task": Entry(
            "readmark.tasks.kind:TASK",
            "queries on documents, answered by bindings with their excerpts",
        ),
    },
    "readmark.formats": {
        "native": Entry("readmark.formats.native:NATIVE", "Readmark's own JSON Lines"),
        # Before those that ask for a JSON document, which JSON Lines are not.
        "flat": Entry(
            "readmark.formats.tables.flat:FLAT",
            "flat JSON Lines: a question a line, as the Hugging Face hub has SQuAD",
        ),
        "parquet": Entry(
            "readmark.formats.tables.parquet:PARQUET",
            "Parquet with the columns of flat: a file, or a folder of shards as on the hub",
        ),
        "table": Entry(
            "readmark.formats.tables.questions:TABLE",
            "a table of questions that people write: CSV, TSV or XLSX",
        ),
        "squad": Entry("readmark.formats.squad:SQUAD", "SQuAD 1.1 JSON"),
        "squad2": Entry(
            "readmark.formats.squad:SQUAD2", "SQuAD 2.0 JSON, with unanswerable questions"
        ),
        "drcd": Entry("readmark.formats.squad:DRCD", "DRCD JSON: SQuAD with answer ids"),
        "smart": Entry("readmark.formats.squad:SMART", "SMART JSON: SQuAD with levels 1 to 4"),
        "cmrc2018": Entry(
            "readmark.formats.cmrc2018:CMRC2018",
            "CMRC 2018's own JSON: context_text, query_text, answers without offsets",
        ),
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
            "readmark.comprehension.formats.cbc4kids:CBC4KIDS",
            "CBC4Kids: a folder of .story, .questions and .answers files",
            sittings=False,
        ),
        "remedia": Entry(
            "readmark.comprehension.formats.remedia:REMEDIA",
            "Remedia reading sheets, plain or with MITRE's tags: a file or a folder of them",
            sittings=False,
        ),
        "brat": Entry(
            "readmark.formats.brat:BRAT",
            "brat standoff: a folder of .txt and .ann files",
            sittings=False,
        ),
        "conllu": Entry(
            "readmark.formats.conllu:CONLLU",
            "CoNLL-U: sentences, tokens, lemmas, tags and dependencies",
            sittings=False,
        ),
        "trec_series": Entry(
            "readmark.series.formats.trec:TREC_SERIES",
            "TREC question series 2004 to 2007: XML, with target types and patterns next to it",
            sittings=False,
        ),
        "cast": Entry(
            "readmark.series.formats.cast:CAST",
            "TREC CAsT 2019 to 2022: topics in JSON or text, resolved questions in TSV",
            sittings=False,
        ),
        "canard": Entry(
            "readmark.series.formats.canard:CANARD",
            "CANARD JSON: questions of a dialogue with their history, rewritten by people",
            sittings=False,
        ),
        "series_gold": Entry(
            "readmark.series.formats.gold:SERIES_GOLD",
            "gold rewrites of question series with their guidelines, in one JSON document",
            sittings=False,
        ),
        "task": Entry(
            "readmark.tasks.kind:TASK_FORMAT",
            "a reading task: a folder or zip of documents, queries and answers with a manifest",
            sittings=False,
        ),
        "statements": Entry(
            "readmark.tasks.statement_files:STATEMENTS",
            "statements about a document, .statements, .graph or RDF: converted into each other",
            sittings=False,
        ),
        "sitting": Entry("readmark.formats.native:NATIVE_SITTING", "a sitting in JSON Lines"),
        # Before those that ask for a JSON document, which samples in JSON Lines are not.
        "lm_eval_log": Entry(
            "readmark.formats.harness_logs.lm_eval:LM_EVAL_LOG",
            "the samples that lm-evaluation-harness logs, as a sitting",
        ),
        "inspect_log": Entry(
            "readmark.formats.harness_logs.inspect_ai:INSPECT_LOG",
            "a log of Inspect AI, .eval or .json, as a sitting",
        ),
        "prediction_rows": Entry(
            "readmark.formats.predictions:PREDICTION_ROWS",
            "predictions a row each, with id and answer: CSV, TSV, XLSX, JSON Lines or a JSON list",
        ),
        "cast_automatic": Entry(
            "readmark.series.formats.cast:CAST_AUTOMATIC",
            "the automatic rewrites of a TREC CAsT file as a sitting",
        ),
        "class_ratings": Entry(
            "readmark.readability.panels.rating_files:CLASS_RATINGS",
            "a table of people's ratings, a column or row per person: CSV, TSV or XLSX",
        ),
        "predictions": Entry(
            "readmark.formats.predictions:PREDICTIONS",
            "a dictionary of predictions, {id: text}, as SQuAD's scorers take",
        ),
    },
    "readmark.candidates": {
        "lead": Entry(
            "readmark.comprehension.baselines:Lead",
            "the first sentence of the passage",
            _COMPREHENSION,
        ),
        "longest_overlap": Entry(
            "readmark.comprehension.baselines:LongestOverlap",
            "the sentence that shares most words with the question",
            _COMPREHENSION,
        ),
        "bow": Entry(
            "readmark.comprehension.bow:Bow",
            "bag of words: the sentence that shares most stems; nef and pr as in BRCC",
            _COMPREHENSION,
        ),
        "dependency": Entry(
            "readmark.comprehension.bow:DependencyReader",
            "the sentence that shares most words and verbs with the same arguments",
            _COMPREHENSION,
        ),
        "evidence": Entry(
            "readmark.comprehension.evidence.reader:Evidence",
            "the likeliest sentence, by named features and the encoder of span",
            _COMPREHENSION,
        ),
        "closest_option": Entry(
            "readmark.comprehension.baselines:ClosestOption",
            "the option that shares most words, with the question, with a sentence",
            _COMPREHENSION,
        ),
        "random": Entry(
            "readmark.comprehension.baselines:Guess",
            "an option at random: what guessing gives",
            _COMPREHENSION,
        ),
        "span": Entry(
            "readmark.comprehension.span.reader:SpanReader",
            "the most likely span, by a small trained network",
            _COMPREHENSION,
        ),
        "hf": Entry(
            "readmark.comprehension.hf:Hf",
            "any question-answering model of transformers: a folder, or a name on the hub",
            _COMPREHENSION,
        ),
        "llm": Entry(
            "readmark.llm.candidate:Llm",
            "a language model behind a chat endpoint; answers, rewrites, ratings, statements",
            ("comprehension", "series", "readability", "task"),
        ),
        "keyed": Entry(
            "readmark.sitting.candidates:Keyed",
            "answers from a file: people's, or another system's",
            ("comprehension", "series", "readability", "task"),
        ),
        "none": Entry(
            "readmark.series.rewriters:Unchanged",
            "the question as it stands",
            _SERIES,
        ),
        "append": Entry(
            "readmark.series.rewriters:AppendTarget",
            "the question with the target appended",
            _SERIES,
        ),
        "guided": Entry(
            "readmark.series.rewriters:Guided",
            "the question rewritten to stand alone, by the guidelines as code; says why",
            _SERIES,
        ),
        "formula": Entry(
            "readmark.readability.raters.candidates:Formula",
            "a classic readability formula on the scale from 1 to 5",
            _READABILITY,
            variants=("formula(name=dale_chall)",),
        ),
        "features": Entry(
            "readmark.readability.raters.candidates:Features",
            "named features of a text, weighed; says why; English and Chinese",
            _READABILITY,
        ),
        "statements": Entry(
            "readmark.tasks.extraction.extractor:StatementFile",
            "statements from a file: people's, or another system's",
            _TASK,
        ),
        "patterns": Entry(
            "readmark.tasks.extraction.extractor:PatternExtractor",
            "statements read by the patterns of a domain, with what follows from them",
            _TASK,
        ),
        "induced": Entry(
            "readmark.tasks.extraction.extractor:InducedExtractor",
            "patterns learnt from the annotated train split",
            _TASK,
        ),
    },
    "readmark.metrics": {
        "em": Entry(
            "readmark.comprehension.metrics.overlap:ExactMatch",
            "share of answers equal to a reference once both are normalised",
            _COMPREHENSION,
        ),
        "f1": Entry(
            "readmark.comprehension.metrics.overlap:F1",
            "overlap of answer and reference tokens, best over references",
            _COMPREHENSION,
        ),
        "average": Entry(
            "readmark.comprehension.metrics.overlap:Average",
            "mean of EM and F1, which CMRC 2018 ranks by",
            _COMPREHENSION,
        ),
        "contains": Entry(
            "readmark.comprehension.metrics.overlap:Contains",
            "share of answers that hold a whole reference, for wordy candidates",
            _COMPREHENSION,
        ),
        "rouge_l": Entry(
            "readmark.comprehension.metrics.overlap:RougeL",
            "longest common subsequence of answer and reference, for answers in free text",
            _COMPREHENSION,
        ),
        "accuracy": Entry(
            "readmark.comprehension.metrics.accuracy:Accuracy",
            "share of multiple-choice questions whose chosen option is the keyed one",
            _COMPREHENSION,
        ),
        "judge": Entry(
            "readmark.llm.judge:Judge",
            "share of answers that a language model calls right; validated against people first",
            _COMPREHENSION,
        ),
        "humsent": Entry(
            "readmark.comprehension.metrics.bags:HumSent",
            "share of answers in a sentence that people marked as answering",
            _COMPREHENSION,
        ),
        "autsent": Entry(
            "readmark.comprehension.metrics.bags:AutSent",
            "share of answers in the sentence that recalls most of the key's words",
            _COMPREHENSION,
        ),
        "precision": Entry(
            "readmark.comprehension.metrics.bags:Precision",
            "share of the answer's words that are in the key, as sets of stems",
            _COMPREHENSION,
        ),
        "recall": Entry(
            "readmark.comprehension.metrics.bags:Recall",
            "share of the key's words that are in the answer, as sets of stems",
            _COMPREHENSION,
        ),
        "jaccard": Entry(
            "readmark.series.metrics.similarities:Jaccard",
            "Jaccard coefficient of words and pairs of words, best over golds",
            _SERIES,
        ),
        "dice": Entry(
            "readmark.series.metrics.similarities:Dice",
            "Dice coefficient of words and pairs of words",
            _SERIES,
        ),
        "cosine": Entry(
            "readmark.series.metrics.similarities:Cosine",
            "cosine of the counts of words and pairs of words",
            _SERIES,
        ),
        "block": Entry(
            "readmark.series.metrics.similarities:Block",
            "city-block similarity of the counts of words and pairs of words",
            _SERIES,
        ),
        "euclidean": Entry(
            "readmark.series.metrics.similarities:Euclidean",
            "Euclidean similarity of the counts of words",
            _SERIES,
        ),
        "monge_elkan": Entry(
            "readmark.series.metrics.similarities:MongeElkan",
            "mean similarity of each word to the most similar word of the other text",
            _SERIES,
        ),
        "levenshtein": Entry(
            "readmark.series.metrics.similarities:Levenshtein",
            "edits that make one text the other, over the longer length",
            _SERIES,
        ),
        "needleman_wunsch": Entry(
            "readmark.series.metrics.similarities:NeedlemanWunsch",
            "best global alignment of characters",
            _SERIES,
        ),
        "smith_waterman": Entry(
            "readmark.series.metrics.similarities:SmithWaterman",
            "best local alignment of characters, over the shorter length",
            _SERIES,
        ),
        "qgrams": Entry(
            "readmark.series.metrics.similarities:QGrams",
            "share of substrings of three characters that pair off",
            _SERIES,
        ),
        "jaro": Entry(
            "readmark.series.metrics.similarities:Jaro", "Jaro similarity of characters", _SERIES
        ),
        "jaro_winkler": Entry(
            "readmark.series.metrics.similarities:JaroWinkler",
            "Jaro similarity with a bonus for a common beginning",
            _SERIES,
        ),
        "bleu": Entry(
            "readmark.series.metrics.similarities:Bleu", "sentence BLEU by sacreBLEU", _SERIES
        ),
        "chrf": Entry(
            "readmark.series.metrics.similarities:ChrF", "sentence chrF by sacreBLEU", _SERIES
        ),
        "exact": Entry(
            "readmark.series.metrics.rewrites:Exact",
            "share of rewrites equal to a gold rewrite, letter for letter but for spaces",
            _SERIES,
        ),
        "score_difference": Entry(
            "readmark.readability.metrics:ScoreDifference",
            "how many stars nearer the experts' mean than the average novice is",
            _READABILITY,
        ),
        "proportional_target": Entry(
            "readmark.readability.metrics:ProportionalTarget",
            "hits of the range of the experts' ratings, narrow ranges worth more, summed",
            _READABILITY,
        ),
        "pearson": Entry(
            "readmark.readability.metrics:Pearson",
            "correlation of the ratings with the experts' mean",
            _READABILITY,
        ),
        "spearman": Entry(
            "readmark.readability.metrics:Spearman",
            "correlation of the ranks of the ratings with those of the experts' mean",
            _READABILITY,
        ),
        "kendall": Entry(
            "readmark.readability.metrics:Kendall",
            "pairs of passages in the experts' order less those in the opposite one (tau-b)",
            _READABILITY,
        ),
        "facts": Entry(
            "readmark.tasks.metrics:StatedAnswers",
            "F of the answers that a text states, over all queries together",
            _TASK,
        ),
        "inferences": Entry(
            "readmark.tasks.metrics:Inferences",
            "F of the answers that take inference, over all queries together",
            _TASK,
        ),
        "answers": Entry(
            "readmark.tasks.metrics:Answers",
            "F of all answers to queries, stated and inferred",
            _TASK,
        ),
        "provenance": Entry(
            "readmark.tasks.metrics:ProvenanceOverlap",
            "overlap of right answers' excerpts with the gold's, in code points",
            _TASK,
        ),
        "unjudged": Entry(
            "readmark.tasks.metrics:Unjudged",
            "share of answers that are neither in the gold nor judged",
            _TASK,
        ),
    },
    "readmark.analysers": {
        "en": Entry(
            "readmark.text.analysers.english:EnglishAnalyser", "English, with spaCy and NLTK"
        ),
        "zh": Entry(
            "readmark.text.analysers.chinese:ChineseAnalyser", "Chinese, with jieba and LAC"
        ),
    },
    # In the order in which they are applied.
    "readmark.transforms": {
        "cross": Entry(
            "readmark.comprehension.transforms:Cross",
            "questions of a parallel test in another language",
            _COMPREHENSION,
        ),
        "shuffle_options": Entry(
            "readmark.comprehension.transforms:ShuffleOptions",
            "the options of each question in another order",
            _COMPREHENSION,
        ),
        "rewrite": Entry(
            "readmark.series.transform:RewriteSeries",
            "questions of series, rewritten to stand alone",
            _COMPREHENSION,
        ),
        "without": Entry(
            "readmark.sitting.transforms:Without", "the paper without one of its parts"
        ),
    },
    "readmark.report_sections": {
        "marks": Entry("readmark.reporting.page.overall:marks_section"),
        "slices": Entry("readmark.reporting.page.overall:slices_section"),
        "people": Entry("readmark.reporting.page.people:people_section"),
        "splits": Entry("readmark.comprehension.report:splits_section"),
        "levels": Entry("readmark.comprehension.report:levels_section"),
        "errors": Entry("readmark.reporting.page.errors:errors_section"),
        "positions": Entry("readmark.comprehension.report:positions_section"),
        "spent": Entry("readmark.llm.costs:costs_section"),
        "panel": Entry("readmark.readability.panels.report:panel_section"),
        "derivations": Entry("readmark.tasks.report:derivations_section"),
        "spread": Entry("readmark.reporting.page.spread:spread_section"),
        "certainty": Entry("readmark.reporting.page.spread:certainty_section"),
        "repeats": Entry("readmark.reporting.page.spread:repeats_section"),
    },
    "readmark.commands": {
        "demo": Entry(
            "readmark.cli.demo:demo_command",
            "Run the bundled example: sit, mark, compare, report.",
        ),
        "run": Entry(
            "readmark.cli.run:run_command",
            "Sit, mark and compare what a run file names; resumes.",
        ),
        "get": Entry(
            "readmark.making.get.command:get_command",
            "Download a public test with its licence and checksum.",
        ),
        "list": Entry(
            "readmark.cli.list:list_command",
            "List candidates, metrics, formats, kinds of test and works.",
        ),
        "doctor": Entry(
            "readmark.cli.doctor:doctor_command",
            "Show what works here and what to install for the rest.",
        ),
        "check": Entry(
            "readmark.cli.check:check_command",
            "Find problems in tests and tasks, with file and line.",
        ),
        "stats": Entry(
            "readmark.making.stats:stats_command",
            "Print corpus statistics of tests side by side.",
        ),
        "convert": Entry(
            "readmark.cli.convert:convert_command",
            "Convert tests and sittings between formats.",
        ),
        "sit": Entry(
            "readmark.cli.sit:sit_command",
            "Let a candidate take a test; resumes where it stopped.",
        ),
        "mark": Entry(
            "readmark.cli.mark:mark_command",
            "Score a sitting, with intervals, slices and people's level.",
        ),
        "compare": Entry(
            "readmark.cli.compare:compare_command",
            "Test whether candidates differ significantly.",
        ),
        "people": Entry(
            "readmark.cli.people:people_command",
            "Measure how well people do on a test.",
        ),
        "table": Entry(
            "readmark.cli.table:table_command",
            "Print standings of candidates from marksheets.",
        ),
        "report": Entry(
            "readmark.cli.report:report_command",
            "Write one HTML page from marksheets or sittings.",
        ),
        "ask": Entry(
            "readmark.cli.one_off:ask_command",
            "Ask readers a question about a passage.",
        ),
        "score": Entry(
            "readmark.cli.one_off:score_command",
            "Score one answer against references.",
        ),
        "rate": Entry(
            "readmark.readability.rate:rate_command",
            "Rate how easily passages read, from 1 (hardest) to 5.",
        ),
        "set": Entry(
            "readmark.making.commands:set_command",
            "Make a test, from raw text to publication.",
        ),
        "train": Entry(
            "readmark.cli.train:train_command",
            "Train a candidate on tests with known answers.",
        ),
        "series": Entry(
            "readmark.series.commands:series_command",
            "Compare, tune and debug rewriters of question series.",
        ),
        "panel": Entry(
            "readmark.readability.panels.command:panel_command",
            "Run readability panels: pool, plan, collect, mark, power.",
        ),
        "task": Entry(
            "readmark.tasks.commands:task_command",
            "Build formal reading tasks, reason over them, extract.",
        ),
        "serve": Entry(
            "readmark.server.commands:serve_command",
            "Start the exam hall, where people work in the browser.",
        ),
        "hall": Entry(
            "readmark.server.commands:hall_command",
            "Move work in and out of an exam hall; back it up.",
        ),
        "submit": Entry(
            "readmark.cli.submit:submit_command",
            "Submit a sitting to a shared task of an exam hall.",
        ),
        "harness": Entry(
            "readmark.making.harness.command:harness_command",
            "Exchange tests with lm-evaluation-harness and Inspect AI.",
        ),
    },
    "readmark.hall_commands": {
        "backup": Entry(
            "readmark.server.operations.commands:backup_command",
            "Write the whole hall to one file.",
        ),
        "restore": Entry(
            "readmark.server.operations.commands:restore_command",
            "Fill an empty database with a backup.",
        ),
        "prune": Entry(
            "readmark.server.operations.commands:prune_command",
            "Delete what has expired.",
        ),
        "owner": Entry(
            "readmark.server.operations.commands:owner_command",
            "Create an owner's account.",
        ),
        "export": Entry(
            "readmark.server.commands:export_command",
            "Write the work of a project as files.",
        ),
        "import": Entry(
            "readmark.server.commands:import_command",
            "Add work in files to a project.",
        ),
        "erase": Entry(
            "readmark.server.commands:erase_command",
            "Erase everything of the pupils of a class.",
        ),
        "worker": Entry(
            "readmark.server.commands:worker_command",
            "Mark submissions of shared tasks until it is interrupted.",
        ),
    },
    "readmark.adjudications": {
        "judging": Entry(
            "readmark.tasks.hall.judging:JUDGING_DISPUTES",
            "decide where judges of pooled answers differ",
        ),
        "rewriting": Entry(
            "readmark.making.hall.gold_decisions:GOLDS", "decide between two people's golds"
        ),
        "layers": Entry(
            "readmark.making.hall.layer_decisions:LAYERS", "decide between two annotators' layers"
        ),
        "levels": Entry(
            "readmark.making.hall.label_decisions:LEVELS", "decide on labels of questions"
        ),
        "second_answers": Entry(
            "readmark.making.hall.answer_decisions:ANSWERS", "decide which answer is best"
        ),
        "translation": Entry(
            "readmark.making.hall.translation_decisions:TRANSLATIONS",
            "decide between two translations",
        ),
        "vetting": Entry(
            "readmark.making.hall.label_decisions:VETTING", "decide which passages are kept"
        ),
    },
    "readmark.works": {
        "layers": Entry(
            "readmark.making.hall.layers:WORK", "mark words, sentences, phrases and references"
        ),
        "reading_task": Entry(
            "readmark.tasks.hall.reading_task:WORK", "mark what documents state, with an ontology"
        ),
        "questions": Entry(
            "readmark.making.hall.questions:QUESTIONS",
            "write questions on a passage and mark their answers",
        ),
        "second_answers": Entry(
            "readmark.making.hall.second_answers:SECOND_ANSWERS",
            "answer the questions of others without seeing the key",
        ),
        "sitting": Entry(
            "readmark.making.hall.sitting:SITTING",
            "sit a test as machines do: answer, rewrite or rate",
        ),
        "levels": Entry(
            "readmark.making.hall.levels:LEVELS_WORK",
            "label questions by level, type or ability",
        ),
        "vetting": Entry(
            "readmark.making.hall.vetting:VETTING",
            "keep or discard passages, with reasons",
        ),
        "translation": Entry(
            "readmark.making.hall.translation:TRANSLATION",
            "translate passages, questions and keys independently",
        ),
        "panel": Entry(
            "readmark.readability.hall.panel:PANEL_WORK",
            "rate how easily passages read, in rounds, and put them in order",
        ),
        "judging": Entry(
            "readmark.tasks.hall.judging:JUDGING",
            "judge answers of systems that are in no gold yet",
        ),
        "rewriting": Entry(
            "readmark.making.hall.rewriting:REWRITING",
            "rewrite the questions of a series so that each can be understood alone",
        ),
        "shared_task": Entry(
            "readmark.server.shared_tasks.work:SHARED_TASK",
            "publish a test that systems sit, with a board",
        ),
    },
    "readmark.set_commands": {
        "text": Entry(
            "readmark.making.sources.build:text_command",
            "Cut plain text, HTML or Wikipedia into passages.",
        ),
        "screen": Entry(
            "readmark.making.screening.command:screen_command",
            "Select the passages that are suitable for a test, with reasons.",
        ),
        "sheet": Entry(
            "readmark.making.question_sheet:sheet_command",
            "Write a sheet in which people write questions on passages.",
        ),
        "collect": Entry(
            "readmark.making.collected_sheet:collect_command",
            "Check a completed sheet of questions row by row and make it a test.",
        ),
        "annotate": Entry(
            "readmark.making.annotate:annotate_command",
            "Add layers: sentences, tokens, noun phrases, entities.",
        ),
        "blind": Entry(
            "readmark.making.blind.plan:blind_command",
            "Write sheets for second and third answers, without the key.",
        ),
        "merge": Entry(
            "readmark.making.blind.merge:merge_command",
            "Merge people's answers into the key of a test.",
        ),
        "levels": Entry(
            "readmark.making.levels:levels_command",
            "Label each question from 1 to 4 by the reasoning that it needs.",
        ),
        "challenge": Entry(
            "readmark.making.challenge.command:challenge_command",
            "Find or check questions that no single sentence answers.",
        ),
        "split": Entry(
            "readmark.making.splits.command:split_command",
            "Split a test by article into train, dev and test.",
        ),
        "join": Entry(
            "readmark.making.join:join_command",
            "Join several tests into one.",
        ),
        "filter": Entry(
            "readmark.making.filter:filter_command",
            "Keep or drop questions by field, by problem or by a list of ids.",
        ),
        "translate": Entry(
            "readmark.making.translation.command:translate_command",
            "Compare two translators' questions and keys, and adjudicate.",
        ),
        "crosscheck": Entry(
            "readmark.making.crosscheck.comparison:crosscheck_command",
            "Compare two annotators' layers and list the disagreements.",
        ),
        "adjudicate": Entry(
            "readmark.making.crosscheck.adjudicate:adjudicate_command",
            "Make one gold annotation from two and the decisions.",
        ),
        "agree": Entry(
            "readmark.making.agreement.command:agree_command",
            "Measure agreement of annotators: labels, spans, words, coreference.",
        ),
        "quality": Entry(
            "readmark.making.quality:quality_command",
            "Look for signs of careless work: known answers, repeats, haste, patterns.",
        ),
        "export": Entry(
            "readmark.making.export.command:export_command",
            "Write a test with its data card, ready to publish.",
        ),
    },
    "readmark.series_commands": {
        "ask": Entry(
            "readmark.series.ask:ask_command",
            "Rewrite one question about a target, without files.",
        ),
        "table": Entry(
            "readmark.series.commands:table_command",
            "Compare rewriters by metric and weighting.",
        ),
        "worst": Entry(
            "readmark.series.commands:worst_command",
            "Show the worst rewrites of a sitting, by type of error.",
        ),
        "effect": Entry(
            "readmark.series.commands:effect_command",
            "Measure what rewriting does for retrieval and reading.",
        ),
        "tune": Entry(
            "readmark.series.commands:tune_command",
            "Search a metric's weights, or fit them to people's judgements.",
        ),
    },
    "readmark.panel_commands": {
        "pool": Entry(
            "readmark.readability.panels.pool:pool_command",
            "Vet, standardise and sample the passages to rate, by genre.",
        ),
        "plan": Entry(
            "readmark.readability.panels.plan:plan_command",
            "Plan balanced rounds for every judge and write their sheets.",
        ),
        "collect": Entry(
            "readmark.readability.panels.collect:collect_command",
            "Check completed sheets; make the key from experts, sittings from novices.",
        ),
        "mark": Entry(
            "readmark.readability.panels.mark:mark_command",
            "Test whether a rater is as good as a novice, or as one of the other raters.",
        ),
        "power": Entry(
            "readmark.readability.panels.power:power_command",
            "Estimate how many passages and judges a test of a rater needs.",
        ),
    },
    "readmark.task_commands": {
        "new": Entry(
            "readmark.tasks.commands:new_command",
            "Make a folder with a small, commented task to start from.",
        ),
        "pack": Entry(
            "readmark.tasks.commands:pack_command",
            "Pack a task into a folder or zip with a manifest of roles and hashes.",
        ),
        "infer": Entry(
            "readmark.tasks.commands:infer_command",
            "Run rules over statements; print what follows and what contradicts.",
        ),
        "annotate": Entry(
            "readmark.tasks.commands:annotate_command",
            "Turn annotators' marks into statements by categories, and back.",
        ),
        "query": Entry(
            "readmark.tasks.commands:query_command",
            "Answer queries over stated and inferred facts.",
        ),
        "explain": Entry(
            "readmark.tasks.commands:explain_command",
            "Show the derivation of a statement, down to the words of the text.",
        ),
        "decompose": Entry(
            "readmark.tasks.commands:decompose_command",
            "List the possible compositions of a score, most likely first.",
        ),
        "queries": Entry(
            "readmark.tasks.commands:queries_command",
            "Make a query for every property of an ontology, with its question.",
        ),
        "gold": Entry(
            "readmark.tasks.commands:gold_command",
            "Answer a task's queries from its annotated graphs and rules.",
        ),
        "sheet": Entry(
            "readmark.tasks.commands:sheet_command",
            "Write queries as a sheet for people; read their answers as a sitting.",
        ),
        "extract": Entry(
            "readmark.tasks.commands:extract_command",
            "Read texts into statements of a domain, with what follows from them.",
        ),
        "statements": Entry(
            "readmark.tasks.commands:statements_command",
            "Mark statements by class and property against the annotated ones.",
        ),
        "pool": Entry(
            "readmark.tasks.commands:pool_command",
            "Pool the unjudged answers of sittings for adjudication.",
        ),
    },
}

REMOVED: dict[str, dict[str, str]] = {
    "readmark.formats": {"web_annotation": "use brat, conllu or native"},
    "readmark.candidates": {"learned": "use guided, which rewrites the same"},
}
"""What 0.5 had under a name, by group: what to use instead."""
