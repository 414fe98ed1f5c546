"""The slices of a page that nobody asked for by name: which are shown, and in which order."""

import re
from pathlib import Path

import readmark
from made import asked, comprehension, passage
from readmark.marking import Marksheet
from readmark.marking.settings import MarkSettings
from readmark.reporting.page.bilingual import Bilingual
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.sections import sections_of
from readmark.reporting.page.slices_part import slices_section

PLACES = 12


def plain(text: object) -> str:
    return str(text.en if isinstance(text, Bilingual) else text)


def harbours(passages: int = PLACES) -> readmark.Test:
    """Two questions a passage: a short answer, which the reader knows, and a long one."""
    text = "The old keeper of harbour number {at} sold a kettle to the two men of the mill."
    return comprehension(
        *(
            passage(
                f"p{at}",
                asked(f"short-{at}", "kettle"),
                asked(f"long-{at}", "the two men of the mill"),
                text=text.format(at=at),
            )
            for at in range(passages)
        ),
        language="en",
    )


def answers(passages: int = PLACES) -> dict[str, str]:
    """Short ones right; of the long ones half of the words: F1 2/3 at best, EM 0."""
    return {
        **{f"short-{at}": "kettle" for at in range(passages)},
        **{f"long-{at}": "men of" for at in range(passages)},
    }


def page(tmp_path: Path, test: readmark.Test, given: dict[str, str], **more: object) -> str:
    path = tmp_path / "report.html"
    readmark.report(test, given, path=path, **more)  # type: ignore[arg-type]
    return path.read_text("utf-8")


def test_computed_slices_are_shown_without_by(tmp_path: Path) -> None:
    html = page(tmp_path, harbours(), answers())
    assert "Largest gaps between slices, by F1" in html
    assert "By answer length" in html
    named = page(tmp_path, harbours(), answers(), by=["question_word"])
    assert "By answer length" not in named


def test_few_units_or_passages_say_nothing(tmp_path: Path) -> None:
    """Four passages: each slice has 4 questions of 4 passages."""
    html = page(tmp_path, harbours(4), answers(4))
    assert "By answer length" not in html
    assert "Largest gaps between slices, by F1" not in html


def test_the_largest_gap_comes_first_with_both_marks(tmp_path: Path) -> None:
    sheet = tmp_path / "a.jsonl"
    fields = ["passage_length", "answer_length", "question_word"]
    settings = MarkSettings(draws=20)
    test = harbours()
    readmark.mark(
        test, answers(), metrics=["em", "f1"], by=fields, settings=settings, marksheet=sheet
    )
    [section] = sections_of([Marksheet.read(str(sheet))])
    part = slices_section(SectionData.of(section))
    assert part is not None
    [table] = part.tables
    # Answers of one word: EM and F1 100. Of four words without articles two are right: precision 1,
    # recall 1/2, F1 66.67.
    field, lowest, highest, gap = table.rows[0]
    assert plain(field.text) == "answer length"
    assert [plain(cell.text) for cell in (lowest, highest, gap)] == ["6", "1", "33.33"]
    assert plain(lowest.under) == "F1 66.67, EM 0.00, 12 questions"
    assert plain(highest.under) == "F1 100.00, EM 100.00, 12 questions"
    _, figures = next(group for group in part.by_metric if group[0] == "f1")
    assert plain(figures[0].caption) == "By answer length"


def test_quartiles_are_in_words_of_both_languages(tmp_path: Path) -> None:
    from readmark.reporting.page.words import value_words

    words = value_words("overlap", "0.29 to 0.50")
    assert isinstance(words, Bilingual)
    assert (words.en, words.zh) == ("0.29 to 0.50", "0.29 至 0.50")
    assert value_words("title", "Way to go") == "Way to go"
    assert re.search(r"\d 至 \d|至少", page(tmp_path, harbours(), answers()))
