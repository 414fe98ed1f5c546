"""The columns of people's tables of questions, known by their headings in English and Chinese."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from readmark.core.errors import DataError, did_you_mean
from readmark.formats.tables.cells import LETTERS

HEADINGS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "qid", "question id", "问题编号", "题目编号", "题号", "编号", "序号"),
    "passage_id": (
        "passage id",
        "context id",
        "document id",
        "doc id",
        "article id",
        "story id",
        "pid",
        "文章编号",
        "篇章编号",
        "材料编号",
        "短文编号",
        "段落编号",
        "文章id",
        "篇号",
    ),
    "file": ("file", "file name", "passage file", "text file", "文件", "文件名", "文章文件"),
    "title": ("title", "passage title", "标题", "文章标题", "篇名", "题名"),
    "passage": (
        "passage",
        "context",
        "passage text",
        "paragraph",
        "story",
        "document",
        "reading text",
        "文章",
        "篇章",
        "短文",
        "段落",
        "材料",
        "阅读材料",
        "原文",
        "课文",
        "正文",
        "上下文",
        "article",
        "text",
        "文本",
    ),
    "question": (
        "question",
        "query",
        "question text",
        "question stem",
        "stem",
        "问题",
        "题目",
        "提问",
        "题干",
        "问句",
    ),
    "options": ("options", "choices", "选项", "备选答案"),
    "answer": (
        "answer",
        "answers",
        "answer text",
        "correct answer",
        "gold answer",
        "answer key",
        "key",
        "reference answer",
        "reference",
        "gold",
        "correct",
        "答案",
        "参考答案",
        "正确答案",
        "标准答案",
    ),
    "answer_start": ("answer start", "start", "答案起点", "起点", "起始位置"),
    "unanswerable": (
        "unanswerable",
        "is impossible",
        "no answer",
        "无答案",
        "无法回答",
        "不可回答",
    ),
    "level": ("level", "等级", "级别", "层级", "难度等级"),
    "type": ("type", "question type", "类型", "题型", "问题类型"),
    "difficulty": ("difficulty", "难度"),
    "split": ("split", "subset", "划分", "数据划分"),
    "article": ("article",),
    "dateline": ("dateline", "电头"),
    "genre": ("genre", "体裁", "文体"),
    "topic": ("topic", "主题", "话题"),
    "parallel": ("parallel", "平行编号"),
}
"""What a column may be called, the surest first; spaces, hyphens and underscores do not count.

Where a name is in two fields, as "article" is, the field that comes first here gets the column.
"""
REPEATABLE = ("answer", "options")
"""The fields that several columns may hold."""
OWN = "own:"
"""How the heading of an author's own column begins that would be taken for another."""
_SHOWN = 6
"""How many headings of each language a message names."""

_SQUEEZED = re.compile(r"[\s_\-*:.]+")
_DIGITS = {digit: str(value) for value, digit in enumerate("一二三四五六七八九", 1)}
_NUMBERED = re.compile(
    r"(?:answer|ans|答案|参考答案|标准答案|reference)([1-9]\d?|[一二三四五六七八九])"
)
_STARTS = re.compile(r"(?:answer|答案)([1-9]\d?|[一二三四五六七八九])(?:start|起点)")
_OF_PERSON = re.compile(
    r"\s*(?:answer|答案)\s*(?P<number>\d*)\s*(?P<start>start|起点)?\s*"
    r"[(（]\s*(?P<name>[^()（）]+?)\s*[)）]\s*",
    re.IGNORECASE,
)
_OPTION = re.compile(r"(?:option|choice|选项|备选)?([a-z])|([a-z])选项")
_NUMBERED_OPTION = re.compile(r"(?:option|choice|选项)([1-9]\d?|[一二三四五六七八九])")


def folded(heading: str) -> str:
    """A heading without case, width, spaces and punctuation."""
    return _SQUEEZED.sub("", unicodedata.normalize("NFKC", heading).lower())


_KNOWN = {field: tuple(dict.fromkeys(map(folded, names))) for field, names in HEADINGS.items()}


@dataclass(frozen=True, slots=True)
class AnswerColumn:
    """A column of answers: whose they are, and the column that says where they begin."""

    index: int
    annotator: str | None = None
    start: int | None = None


@dataclass(frozen=True, slots=True)
class Columns:
    """Which cell of a row holds what."""

    fields: Mapping[str, int]
    answers: tuple[AnswerColumn, ...] = ()
    options: tuple[int, ...] = ()
    more: Mapping[str, int] = field(default_factory=dict)
    """Columns of the author's own, by their headings."""

    def cell(self, name: str, cells: Sequence[str]) -> str:
        """The cell of a field; no text where the table has no such column."""
        index = self.fields.get(name)
        return "" if index is None else cells[index]


def columns_named(headings: Sequence[str], mapping: Mapping[str, Sequence[str]]) -> Columns:
    """The columns of a table by their headings; ``mapping`` names some of them itself."""
    names = [folded(heading) for heading in headings]
    for index, name in enumerate(names):
        if name and name in names[:index]:
            raise DataError(f"two columns are called {headings[index].strip()!r}")
    authors = {
        heading.strip()[len(OWN) :]: index
        for index, heading in enumerate(headings)
        if heading.strip().startswith(OWN)
    }
    free = {
        index: name for index, name in enumerate(names) if name and index not in authors.values()
    }
    fields: dict[str, int] = {}
    answers: list[AnswerColumn] = []
    options: list[int] = []
    for target, wanted in mapping.items():
        indexes = [_index(heading, headings, names) for heading in wanted]
        for index in indexes:
            free.pop(index, None)
        if target == "answer":
            # Several columns of answers are of several people, who are called as their columns.
            people = [headings[index].strip() if len(indexes) > 1 else None for index in indexes]
            answers += map(AnswerColumn, indexes, people)
        elif target == "options":
            options += indexes
        else:
            fields[target] = indexes[0]
    for target, known in _KNOWN.items():
        if target not in fields and not (target == "answer" and answers):
            matches = [i for known_name in known for i, name in free.items() if name == known_name]
            if matches:
                fields[target] = matches[0]
                del free[matches[0]]
    if not options:
        options = _lettered(free)
        for index in options:
            del free[index]
    if not answers:
        answers = _answers(headings, free, fields)
    more = {**{headings[index].strip(): index for index in free}, **authors}
    fields.pop("answer_start", None)
    return Columns(fields, tuple(answers), tuple(options), more)


def _index(heading: str, headings: Sequence[str], names: Sequence[str]) -> int:
    """The column that a mapping names: by its very heading, else by the folded one."""
    stripped = [column.strip() for column in headings]
    if heading.strip() in stripped:
        return stripped.index(heading.strip())
    if folded(heading) in names:
        return names.index(folded(heading))
    hint = did_you_mean(heading, [name for name in stripped if name])
    raise DataError(f"has no column {heading!r}, which `map` names; {hint}")


def _lettered(free: Mapping[int, str]) -> list[int]:
    """Columns an option, from A or 1 on without a gap; one alone is no option."""
    for pattern in (_OPTION, _NUMBERED_OPTION):
        ranked: dict[int, int] = {}
        for index, name in free.items():
            match = pattern.fullmatch(name)
            if match is not None:
                label = next(filter(None, match.groups()))
                rank = LETTERS.find(label.upper())
                ranked.setdefault(rank if rank >= 0 else _number(label) - 1, index)
        run: list[int] = []
        while len(run) in ranked:
            run.append(ranked[len(run)])
        if len(run) > 1:
            return run
    return []


def _number(digits: str) -> int:
    return int(_DIGITS.get(digits, digits))


def _answers(
    headings: Sequence[str], free: dict[int, str], fields: dict[str, int]
) -> list[AnswerColumn]:
    """The answer, numbered answers, and those of people who are named in brackets."""
    numbered: dict[int, int] = {}
    starts: dict[tuple[str | None, int], int] = {}
    people: list[tuple[str, int, int]] = []
    if "answer_start" in fields:
        starts[None, 1] = fields["answer_start"]
    for index, name in list(free.items()):
        of_person = _OF_PERSON.fullmatch(headings[index])
        if (match := _NUMBERED.fullmatch(name)) is not None:
            numbered.setdefault(_number(match[1]), index)
        elif (match := _STARTS.fullmatch(name)) is not None:
            starts[None, _number(match[1])] = index
        elif of_person is not None and of_person["start"]:
            starts[of_person["name"], int(of_person["number"] or 1)] = index
        elif of_person is not None:
            people.append((of_person["name"], int(of_person["number"] or 1), index))
        else:
            continue
        del free[index]
    columns = []
    if "answer" in fields:
        columns.append(AnswerColumn(fields.pop("answer"), None, starts.get((None, 1))))
    for number, index in sorted(numbered.items()):
        columns.append(AnswerColumn(index, None, starts.get((None, number))))
    for person, number, index in people:
        columns.append(AnswerColumn(index, person, starts.get((person, number))))
    return columns


def is_question_header(cells: Sequence[str], mapping: Mapping[str, Sequence[str]]) -> bool:
    """Whether a row names the columns of questions."""
    names = set(map(folded, cells))
    wanted = map(folded, mapping["question"]) if "question" in mapping else _KNOWN["question"]
    return len(names - {""}) > 1 and not names.isdisjoint(wanted)


def is_passage_header(cells: Sequence[str]) -> bool:
    """Whether a row names the columns of a table of passages: a text, and an id or a title."""
    names = set(map(folded, cells))
    named = {*_KNOWN["passage_id"], *_KNOWN["id"], *_KNOWN["title"], *_KNOWN["file"]}
    return not names.isdisjoint(_KNOWN["passage"]) and not names.isdisjoint(named)


def missing(field: str, headings: Sequence[str]) -> str:
    """What a table lacks, the columns it has, and the headings that were looked for."""
    columns = ", ".join(heading.strip() for heading in headings if heading.strip()) or "none"
    english = [name for name in HEADINGS[field] if name.isascii()]
    chinese = [name for name in HEADINGS[field] if not name.isascii()]
    known = ", ".join([*english[:_SHOWN], *chinese[:_SHOWN]])
    return (
        f"has no column for the {field}; columns: {columns}; looked for: {known}; "
        f"name yours with `map`, such as COLUMN={field}"
    )
