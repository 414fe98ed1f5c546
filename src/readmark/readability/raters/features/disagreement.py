"""Tokens that do not agree: *they was*, *a books*, *can goes*, *an car*, *to went*."""

from __future__ import annotations

from readmark.readability.raters.parses import ParsedPassage

_PLURAL = frozenset({"we", "they", "these", "those", "you"})
_SINGULAR = frozenset({"he", "she", "it"})
_PLURAL_DETERMINERS = frozenset({"these", "those", "many"})
_COLLECTIVE = frozenset(
    {
        "army",
        "audience",
        "band",
        "board",
        "class",
        "club",
        "committee",
        "company",
        "council",
        "couple",
        "crew",
        "crowd",
        "family",
        "firm",
        "gang",
        "generation",
        "government",
        "group",
        "jury",
        "majority",
        "minority",
        "number",
        "orchestra",
        "pair",
        "party",
        "police",
        "press",
        "public",
        "rest",
        "side",
        "staff",
        "team",
        "trio",
        "union",
        "variety",
        "youth",
    }
)
"""Singular nouns that take a plural verb too, as British English has it."""
_OPENS_SUPPOSITION = frozenset({"if", "though", "unless", "whether", "as"})
_VOWELS = frozenset("aeiou")


def disagreements(parsed: ParsedPassage) -> list[int]:
    """The subjects, auxiliaries and determiners that do not agree with their heads."""
    forms, tags, deps, heads = parsed.forms, parsed.tags, parsed.deps, parsed.heads
    suppositions = {
        heads[index]
        for index, dep in enumerate(deps)
        if dep == "mark" and forms[index] in _OPENS_SUPPOSITION
    }
    tokens = []
    for index, (form, tag, dep, head) in enumerate(zip(forms, tags, deps, heads, strict=True)):
        is_wrong = False
        if dep == "nsubj":
            # if he were, as though it were, I wish she were
            is_subjunctive = forms[head] == "were" and (
                head in suppositions
                or (deps[head] == "ccomp" and parsed.lemmas[heads[head]] == "wish")
            )
            is_wrong = not is_subjunctive and _clash(form, tag, forms[head], tags[head])
        elif dep == "aux":
            is_wrong = tag in ("MD", "TO") and tags[head] in ("VBZ", "VBD")
        elif dep == "det":
            is_wrong = form in _PLURAL_DETERMINERS and tags[head] == "NN"
        if form in ("a", "an") and tag == "DT" and index + 1 < len(forms):
            before_plural = dep == "det" and tags[head] == "NNS" and head == index + 1
            is_wrong = is_wrong or before_plural or _wrong_article(form, forms[index + 1])
        if is_wrong:
            tokens.append(index)
    return tokens


def _clash(subject: str, tag: str, verb: str, verb_tag: str) -> bool:
    """Whether a subject and its verb differ in number: *dogs barks*, *they was*, *he were*."""
    plural = tag == "NNS" or subject in _PLURAL
    if plural and (verb_tag == "VBZ" or (verb == "was" and subject != "you")):
        return True
    singular = subject in _SINGULAR or (tag == "NN" and subject not in _COLLECTIVE)
    return singular and (verb_tag == "VBP" or verb == "were") and verb != "be"


def _wrong_article(article: str, word: str) -> bool:
    """*a apple*, *an car*; h, u, o, e and letters by name go both ways and are ignored."""
    if not word.isalpha() or len(word) < 3 or word[0] in "huoeymxslrfn":
        return False
    return (word[0] in _VOWELS) == (article == "a")
