"""Results in a terminal, in Markdown and as CSV, and lists of what is registered."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text

from readmark.console import notify
from readmark.core.display import Result, headline, make_console, plain_table, print_registry
from readmark.core.latex import latex_table
from readmark.core.markdown import markdown_table


@dataclass(frozen=True, repr=False)
class Harvest(Result):
    """Two tables and the lines around them."""

    def as_json(self) -> dict[str, Any]:
        return {"rows": self.table_rows()}

    def table_rows(self) -> list[dict[str, Any]]:
        return [
            {"fruit": "=apple", "weight": -1.5, "ripe": True},
            {"fruit": "梨, 大", "weight": None, "boxes": [1, 2]},
        ]

    def show(self, console: Console) -> None:
        console.print(headline("apples", " against ", "pears_and_plums", " [all]"))
        table = plain_table("fruit", "weight", "a|b")
        table.add_row("苹果|red", "1.50", Text("2\n0–3"))
        table.add_row("pear", "12.25", "")
        console.print(table)
        console.print("a *line* _below_ (< 10)")

    def show_full(self, console: Console) -> None:
        self.show(console)
        console.print("  signature a|b_c", style="dim")


MARKDOWN = """\
**apples** against **pears_and_plums** \\[all\\]

| fruit | weight | a\\|b |
| --- | ---: | ---: |
| 苹果\\|red | 1.50 | 2<br>0–3 |
| pear | 12.25 |  |

a \\*line\\* \\_below\\_ (< 10)
"""


LATEX = r"""
% apples against pears_and_plums [all]

\begin{tabular}{lrr}
\toprule
fruit & weight & a\textbar{}b \\
\midrule
苹果\textbar{}red & 1.50 & 2 0–3 \\
pear & 12.25 &  \\
\bottomrule
\end{tabular}

% a *line* _below_ (< 10)
""".lstrip()


def test_latex_has_the_tables_and_what_is_between_them_as_comments() -> None:
    assert Harvest().as_latex() == LATEX
    assert Harvest().as_latex(full=True) == f"{LATEX}\n% signature a|b_c\n"


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("f1(profile=zh)", "f1(profile=zh)"),
        ("a_b & 50% #1 $", r"a\_b \& 50\% \#1 \$"),
        (r"\input{/etc/passwd}", r"\textbackslash{}input\{/etc/passwd\}"),
        ("x^2 ~ y", r"x\textasciicircum{}2 \textasciitilde{} y"),
        ("−1.25", "$-$1.25"),
        ("-1.25 to +2 (-3)", "$-$1.25 to +2 ($-$3)"),
        ("2026-11-19, f-1, top-5", "2026-11-19, f-1, top-5"),
        ("a\nb", "a b"),
        ("--full <x>", r"-{}-full \textless{}x\textgreater{}"),
        ("[x]", "{[}x]"),
    ],
)
def test_latex_shows_every_sign(text: str, latex: str) -> None:
    """A name of somebody else's is no command; `[` after a line's end would be its argument."""
    assert latex_table([text], []).splitlines()[2] == f"{latex} \\\\"


def test_markdown_has_the_tables_and_the_lines_between_them() -> None:
    assert Harvest().as_markdown() == MARKDOWN
    assert Harvest().as_markdown(full=True) == f"{MARKDOWN}\n`signature a|b_c`\n"


def test_csv_has_the_rows_of_a_data_frame() -> None:
    rows = list(csv.reader(io.StringIO(Harvest().as_csv())))
    assert rows == [
        ["fruit", "weight", "ripe", "boxes"],
        ["'=apple", "-1.5", "true", ""],
        ["梨, 大", "", "", "[1,2]"],
    ]


def test_a_pipe_in_a_cell_does_not_end_it() -> None:
    assert markdown_table(["a", "b", "c"], [["x|y", "<i>", "3"]], words=2) == (
        "| a | b | c |\n| --- | --- | ---: |\n| x\\|y | \\<i> | 3 |\n"
    )


def test_no_line_ends_with_spaces(capsys: pytest.CaptureFixture[str]) -> None:
    Harvest().show(make_console())
    shown = capsys.readouterr().out
    assert "pear " in shown
    for line in (*shown.splitlines(), *str(Harvest()).splitlines()):
        assert line == line.rstrip()


ROWS = [
    ("bow", "the sentence that shares most stems"),
    ("词袋", "词袋模型：与问题词语重合最多的句子"),
]
MORE = {"bow": "(nef, pr, seg)"}


def test_a_list_wraps_under_its_own_text(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    print_registry(ROWS, more=MORE)
    assert capsys.readouterr().out.splitlines() == [
        "bow   the sentence that shares most",
        "      stems",
        "      (nef, pr, seg)",
        "词袋  词袋模型：与问题词语重合最多的句子",
    ]


def test_in_a_pipe_each_name_has_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    print_registry(ROWS, more=MORE)
    assert capsys.readouterr().out.splitlines() == [
        "bow   the sentence that shares most stems  (nef, pr, seg)",
        "词袋  词袋模型：与问题词语重合最多的句子",
    ]


STEERING = "\x1b]0;owned\x07\x1b[2Jkiln\x9b31m\r\u202e"
"""Sets the title, clears the screen, changes colours and returns to the start of the line."""


def test_a_text_cannot_steer_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    console = make_console()
    table = plain_table("name", "mark")
    table.add_row(STEERING, "1.0")
    table.add_row(Text(STEERING), "2.0")
    console.print(STEERING)
    console.print(headline(STEERING, " on ", STEERING, ""))
    console.print(table)
    printed = capsys.readouterr().out
    assert printed.count("kiln") == 5
    assert [sign for sign in printed if not sign.isprintable()] == ["\n"] * printed.count("\n")


def test_colours_are_the_consoles_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    make_console().print(Text("kiln", "bold"))
    assert "\x1b[1mkiln" in capsys.readouterr().out


def test_messages_of_a_server_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    notify([f"the hall says: {STEERING}"])
    said = capsys.readouterr().err
    assert said.startswith("readmark: the hall says: ")
    assert said.rstrip("\n").isprintable()
