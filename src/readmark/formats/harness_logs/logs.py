"""What of a harness's settings goes into a sitting: what decides the answers, and no secret."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec

from readmark.core.errors import DataError
from readmark.core.records import Value
from readmark.core.sitting import PackedRows, Row, Sitting, SittingHeader, keep
from readmark.hooks import Kind

# What an exported question says of itself, and how a reply to it is read as an answer.


MEMBER = "readmark"
"""Where an exported question holds its binding, and a log repeats it."""
_SAME = {"無法回答": "无法回答"}
"""The word for none as models write it under passages in traditional characters."""


class Binding(Value, frozen=True):
    """Which paper a question is of, which prompt asked it, and the word for no answer."""

    paper: str
    units: int = 0
    prompt: str = ""
    none: str = ""
    examples: str = ""
    """Which examples were shown before the question, where there were any."""

    def as_json(self) -> dict[str, Any]:
        """Every member, since tables of a harness want the same columns in each row."""
        return {name: getattr(self, name) for name in self.__struct_fields__}


def an_object(value: object) -> dict[str, Any]:
    """The value where it is an object, else an empty one: logs differ by version."""
    return value if isinstance(value, dict) else {}


def binding_of(owner: object) -> Binding | None:
    """The binding that a logged question holds, if it is one of ours."""
    if not isinstance(owner, Mapping):
        return None
    try:
        return msgspec.convert(owner.get(MEMBER), Binding)
    except msgspec.ValidationError:
        return None


def as_row(
    kind: Kind,
    reply: str,
    options: object,
    binding: Binding | None,
    more: Mapping[str, Any],
    *,
    thought: bool = False,
) -> dict[str, Any]:
    """The members of a row that state what was answered, with ``more`` as its evidence.

    A reply in which nothing is said is an error: an empty answer would say that there is none.
    ``thought`` tells that the model thought apart from its reply.
    """
    from readmark.text.answers.thoughts import why_empty, without_thoughts

    nothing = why_empty(reply)
    if nothing == "empty" and thought:
        nothing = "reasoning only"
    if nothing is not None:
        kept = {"said": reply} if reply.strip() else {}
        evidence = {"reason": nothing, **kept, **more}
        return {"error": f"no answer: {nothing}", "evidence": evidence}
    if binding is None:
        text = without_thoughts(reply).strip()
    else:
        listed = options if isinstance(options, list) else ()
        shown = [option for option in listed if isinstance(option, str)]
        text = as_answer(reply, shown, binding.none)
    said = {"said": reply} if text != reply else {}
    return {kind.answer: text, "evidence": {**said, **more} or None}


def as_answer(reply: str, options: Sequence[str], none: str) -> str:
    """The reply as an answer: an option's words for its letter, nothing for the word for none.

    What a model wrote down while it thought is no part of it. A reply that settles on no one
    letter stays as it is.
    """
    from readmark.text.answers.option_letters import letters_meant
    from readmark.text.answers.thoughts import without_thoughts

    said = without_thoughts(reply).strip()
    if options:
        meant = letters_meant(said, options)
        return options[meant[0]] if len(meant) == 1 else said
    return "" if none and _bare(said) == _bare(none) else said


def _bare(text: str) -> str:
    """A text without punctuation, space, width or capitals."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    plain = "".join(sign for sign in folded if unicodedata.category(sign)[0] in "LN")
    return _SAME.get(plain, plain)


# JSON of harnesses: Python writes half surrogate pairs, which no file of text can hold.


REPLACEMENT = "\ufffd"
"""What replaces half a pair of surrogates."""
_LONE = re.compile(r"[\ud800-\udfff]")


def decoded(data: bytes) -> tuple[Any, bool]:
    """A JSON text, and whether some of its words had to be repaired; other faults are raised."""
    try:
        return msgspec.json.decode(data), False
    except msgspec.DecodeError:
        if b"\\u" not in data:
            raise
        try:
            found = json.loads(data)
        except (ValueError, RecursionError):
            found = None
        if found is None:
            raise
        return _repaired(found), True


def _repaired(value: Any) -> Any:
    if isinstance(value, str):
        return _LONE.sub(REPLACEMENT, value)
    if isinstance(value, list):
        return [_repaired(one) for one in value]
    if isinstance(value, dict):
        return {_repaired(name): _repaired(one) for name, one in value.items()}
    return value


# The rows of a log as they come, the paper that they are all of, and the sitting they make.


class LoggedAnswers:
    """What a log has held so far."""

    def __init__(self, kind: Kind, file: str, harness: str) -> None:
        self.kind = kind
        self.file = file
        self.harness = harness
        self.rows = PackedRows()
        self.binding: Binding | None = None
        self.prompts: dict[str, None] = {}
        self.repeats = 1
        self._notes: list[str] = []
        self._begun = False

    def bind(self, binding: Binding | None, where: object) -> Binding | None:
        """The sample's binding, which must be of one paper with all the others."""
        paper = self.binding.paper if self.binding is not None else None
        if self._begun and (binding.paper if binding is not None else None) != paper:
            raise DataError("the log has samples of several papers", file=self.file, where=where)
        self._begun = True
        self.binding = binding
        if binding is not None:
            self.prompts[binding.prompt] = None
        return binding

    def take(self, row: Row) -> None:
        """A row more; the last one for an id and repeat wins."""
        keep(self.rows, row)
        self.repeats = max(self.repeats, row.repeat + 1)

    def note(self, line: str) -> None:
        """A note to print with the marks."""
        self._notes.append(f"{self.file}: {line}")

    def sitting(
        self,
        *,
        candidate: str,
        signature: Mapping[str, Any],
        generation: Mapping[str, Any],
        covers: tuple[str, ...] | None,
    ) -> Sitting:
        """All of it; a log that holds nothing is refused."""
        if not self.rows:
            raise DataError("the log holds no samples", file=self.file)
        if self.binding is None:
            self.note("the log does not state its paper; its ids were trusted")
        # Which examples the task shows; a run may be set to show none.
        shown = self.binding.examples if self.binding is not None else ""
        header = SittingHeader(
            kind=self.kind.name,
            paper=self.binding.paper if self.binding is not None else None,
            candidate=candidate,
            signature={
                "harness": self.harness,
                **{name: value for name, value in signature.items() if value not in (None, "")},
                "prompts": list(self.prompts),
                **({"examples": shown} if shown and signature.get("shots") != 0 else {}),
                **generation,
            },
            repeats=self.repeats,
            covers=covers,
        )
        return Sitting(header, self.rows, self.file, tuple(self._notes), kind_name=self.kind.name)


_MODEL = ("model", "pretrained", "revision", "dtype", "peft", "quantization", "max_length")
_GENERATION = (
    "temperature",
    "top_p",
    "top_k",
    "seed",
    "do_sample",
    "max_gen_toks",
    "max_tokens",
    "until",
    "stop_seqs",
    "frequency_penalty",
    "presence_penalty",
    "num_choices",
    "reasoning_effort",
    "reasoning_tokens",
)
_QUOTED = r"[\s:=\"'\[({,>]{0,6}"
_VALUE = r"[^\s,;'\"()\[\]{}]{3,}"
_SECRET = re.compile(
    # A scheme, or what a header or argument that holds a key goes by, then the key.
    rf"(?i)\b(?:proxy-)?authorization\b{_QUOTED}"
    rf"(?:(?:bearer|basic|token|digest|negotiate)\s+)?{_VALUE}"
    rf"|\b(?:bearer|basic)\s+{_VALUE}"
    r"|(?<![A-Za-z])(?:(?:api|access|secret|private|auth|subscription)[-_ ]?)?"
    r"(?:key|token|password|passwd|secret|cookie)\b(?:\s+(?:provided|given|is|was)\b)?"
    rf"{_QUOTED}{_VALUE}"
    # User and password before a host.
    r"|(?<=://)[^\s/@'\"]+(?=@)"
    # Keys by their shape: a provider's first letters, or a long run that is no word.
    r"|\b(?:sk|pk|rk|hf|ghp|gho|ghs|glpat|xai|gsk|xox[a-z]|r8|nvapi|ya29)[-_.][^\s,;'\"]{4,}"
    r"|\bgithub_pat_\w+|\bAIza[\w-]{10,}|\b(?:AKIA|ASIA)[0-9A-Z]{8,}|\beyJ[\w-]{6,}(?:\.[\w-]+)*"
    r"|(?<![\w/+.-])(?=[\w/+.-]*\d)(?=[\w/+.-]*[A-Za-z])[A-Za-z0-9_/+-]{32,}=*(?![\w/])"
)
_CAUSE = re.compile(r"\b[A-Z]\w*(?:Error|Exception)\(")
_LONGEST_ERROR = 300


def model_settings(given: object) -> dict[str, Any]:
    """The arguments of a model that say which it is; any other may be a key."""
    found = _among(given, _MODEL)
    if isinstance(given, Mapping) and isinstance(given.get("base_url"), str):
        found["base_url"] = _address(given["base_url"])
    return found


def generation_settings(*given: object) -> dict[str, Any]:
    """How replies were made; of several, the later ones win."""
    found: dict[str, Any] = {}
    for one in given:
        found |= _among(one, _GENERATION)
    return found


def error_line(error: object) -> str:
    """An error in one line: its innermost cause, with what looks like a key struck out.

    Inspect puts the whole request before it.
    """
    line = " ".join(str(error).replace("\\n", " ").replace("\\'", "'").split()) or "no message"
    causes = list(_CAUSE.finditer(line))
    if len(line) > _LONGEST_ERROR and causes:
        line = line[causes[-1].start() :]
    line = _SECRET.sub("[struck out]", line)
    return line if len(line) <= _LONGEST_ERROR else f"{line[: _LONGEST_ERROR - 1]}…"


def _among(given: object, names: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        return {}
    return {name: given[name] for name in names if given.get(name) is not None}


def _address(text: str) -> str:
    """An address without user, password and query."""
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    return f"{parts.scheme}://{host}{port}{parts.path}"
