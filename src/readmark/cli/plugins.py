"""What the command line adds: the commands of the path."""

from __future__ import annotations

from readmark.core.registry import Entry

PLUGINS: dict[str, dict[str, Entry]] = {
    "readmark.commands": {
        "demo": Entry(
            "readmark.cli.demo:demo_command",
            "Run the bundled example: sit, mark, compare, report.",
        ),
        "run": Entry(
            "readmark.cli.run.command:run_command",
            "Sit, mark and compare everything that a run file names.",
        ),
        "list": Entry(
            "readmark.cli.list:list_command",
            "List candidates, metrics, formats, kinds of test and works.",
        ),
        "doctor": Entry(
            "readmark.cli.doctor:doctor_command",
            "Show what works here and what to install for the rest.",
        ),
        "new": Entry(
            "readmark.cli.new:new_command",
            "Create a plug-in package to start from.",
        ),
        "check": Entry(
            "readmark.cli.check:check_command",
            "Find problems in tests and tasks, with file and line.",
        ),
        "convert": Entry(
            "readmark.cli.convert:convert_command",
            "Convert tests and sittings between formats.",
        ),
        "sit": Entry(
            "readmark.cli.sit:sit_command",
            "Let a candidate take a test, or resume one.",
        ),
        "mark": Entry(
            "readmark.cli.mark:mark_command",
            "Score a sitting, and compare it with people.",
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
            "Rank candidates in a table, from marksheets.",
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
        "train": Entry(
            "readmark.cli.train:train_command",
            "Train a candidate on tests with known answers.",
        ),
        "submit": Entry(
            "readmark.cli.submit:submit_command",
            "Submit a sitting to a shared task of an exam hall.",
        ),
    },
}
