"""What matches find, read in the order of the text: scopes are set and inherited, names resolved.

What an entity belongs to is decided over the whole document.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from readmark.tasks.categories.definitions import Categories
from readmark.tasks.extraction.chunks import Chunker, TextChunk, last_name
from readmark.tasks.extraction.matches import Match, MatchedDocument, match_rows
from readmark.tasks.extraction.ownership import FRESH, STRONG, Finding, LedgerTotals, Ownership
from readmark.tasks.extraction.pattern_set import DATE, NAME, EntityType, Ledger, SlotReference

NEAR = 40
"""How many characters after a finding a scope may still be its own."""


class DocumentReading(MatchedDocument):
    """A document as a reader sees it: what patterns find in it, and who is who."""

    def __init__(self, chunker: Chunker, categories: Categories, id: str, text: str) -> None:
        super().__init__(chunker, id, text)
        self.categories = categories
        self.ownership = Ownership(self)
        self.last: dict[str, str] = {}
        self.seen: dict[tuple[str, str], int] = {}
        self.named: list[tuple[tuple[str, str], TextChunk]] = []
        self.stated: dict[tuple[str, str], dict[str, Any]] = defaultdict(dict)

    def findings(self) -> list[Finding]:
        """What the matches find, each with its owner, in the order in which they are read."""
        findings = self._read_matches()
        for finding in findings:
            self.ownership.settle(finding)
        for category, ledger in self.patterns.ledgers.items():
            self.ownership.balance(category, findings, self._totals_in_text(ledger))
        return findings

    def _totals_in_text(self, ledger: Ledger) -> list[LedgerTotals]:
        """The totals in the text, in its order."""
        found: dict[int, LedgerTotals] = {}
        for match in self.matches:
            if not match.pattern.check:
                continue
            chunks = [match.slots[slot][0] for slot in match.pattern.check]
            low, high = sorted(chunk.value for chunk in chunks)
            owner = match.pattern.values.get(ledger.by)
            leader = self._scope_value(match, owner, {}) if owner is not None else None
            start, end = chunks[0].start, chunks[-1].end
            before = found.get(start)
            # One pattern may know whose a score is, and another that it is the last.
            is_final = match.pattern.final or (before is not None and before.is_final)
            if before is None or before.leader is None:
                who = leader and leader[1]
                found[start] = LedgerTotals(low, high, start, end, match.sentence, who, is_final)
            else:
                found[start] = before._replace(is_final=is_final)
        return [found[start] for start in sorted(found)]

    def entity(self, chunk: TextChunk, type: EntityType, near: str | None = None) -> str | None:
        """The entity that a chunk names; ``near`` is what it most likely belongs to."""
        if chunk.value == "pronoun":
            return self.last.get(type.name)
        if chunk.type != NAME:
            ids = chunk.value if isinstance(chunk.value, tuple) else ()
            pair = self.pairs.get(type.name)
            if pair is not None:
                known = [id for id in ids if id in pair]
                return known[0] if known else None
            return self._longest(ids[0], type) if ids else None
        words = tuple(chunk.value)
        if not type.surname or (len(words) > 1 and words in self.full_names[last_name(words)]):
            return "-".join(words)
        candidates = self.full_names.get(" ".join(words)) or self.full_names.get(last_name(words))
        if not candidates:
            first = [
                full
                for several in self.full_names.values()
                for full in several
                if full[0] == words[0]
            ]
            candidates = first[:1] if len(words) == 1 else None
        if not candidates:
            return self._longest("-".join(words), type)
        named = ["-".join(full) for full in candidates]
        if len(named) == 1:
            return named[0]
        if type.first:
            return min(named, key=lambda id: self.text.find(id.replace("-", " ")))
        seen = [id for id in named if (type.name, id) in self.seen]
        if near is not None:
            own = [
                id
                for id in named
                if (votes := self.ownership.memory.get((type.name, id)))
                and votes.most_common(1)[0][0] == near
            ]
            if own:
                return max(own, key=lambda id: self.seen.get((type.name, id), -1))
        if seen:
            return max(seen, key=lambda id: self.seen[type.name, id])
        return named[0]

    def _longest(self, id: str, type: EntityType) -> str:
        """The longer name in the document that a short one is the beginning or the end of."""
        if not type.short:
            return id
        found = [
            words
            for words in self.worded[type.name]
            if words.lower().startswith((f"{id.lower()} ", f"{id.lower()},"))
            or (words.endswith(id) and words != id and not id.isascii())
        ]
        return max(found, key=len, default=id)

    def _read_matches(self) -> list[Finding]:
        scopes: dict[str, Any] = {}
        set_in: dict[str, int] = {}
        reached: dict[str, Any] = {}
        pending: dict[str, list[Finding]] = defaultdict(list)
        found: list[Finding] = []
        by_sentence: dict[int, list[Match]] = defaultdict(list)
        for match in self.matches:
            by_sentence[match.sentence.number].append(match)
        for sentence in self.sentences:
            for scope, rule in self.patterns.scopes.items():
                if rule.brief:
                    scopes.pop(scope, None)
            claimed: set[tuple[str, int]] = set()
            skipped: set[int] = set()
            events: list[tuple[int, int, str, Any]] = []
            order = 0
            for match in by_sentence[sentence.number]:
                order += 1
                for scope, value in match.pattern.sets.items():
                    chunk = self._referred(match, value)
                    named = isinstance(value, SlotReference) and not value.scope
                    if named and chunk is None:  # an optional slot, or a title without it
                        continue
                    key = (scope, chunk.index if chunk is not None else -match.start)
                    if key in claimed:
                        continue
                    claimed.add(key)
                    place = chunk.start if chunk is not None else match.start
                    events.append((place, order, scope, (match, value)))
                for slot in match.pattern.skip:
                    skipped |= {chunk.index for chunk in match.slots.get(slot, ())}
                    claimed |= {(slot, chunk.index) for chunk in match.slots.get(slot, ())}
                pattern = match.pattern
                if pattern.remember or pattern.mark or pattern.amend or pattern.about:
                    events.append((match.start, order, "", match))
            for item in sentence.items:
                if item.type == NAME and item.slots:
                    owners = list(self._remember_title(item))
                    if item.index not in skipped:
                        events.append((item.start, 0, "title", owners))
            events.sort(key=lambda event: (event[0], event[2] == "", event[1]))
            for scope, rule in self.patterns.scopes.items():
                first = next((event for event in events if event[2] == scope), None)
                if rule.sentence and first is not None:
                    events.remove(first)
                    events.insert(0, first)
            for _, _, what, given in events:
                if what == "title":
                    for scope, owner in given:
                        if scope in self.patterns.scopes:
                            scopes[scope] = owner
                            set_in[scope] = sentence.number
                elif what:
                    match, value = given
                    rule = self.patterns.scopes[what]
                    if rule.first and reached.get(what) is not None:
                        continue
                    held = self._scope_value(match, value, scopes, what)
                    if held is None and isinstance(value, SlotReference):
                        continue  # nothing in the text says it
                    past = isinstance(value, SlotReference) and value.after
                    scopes[what] = rule.following(held) if past else held
                    before, reached[what] = reached.get(what), held
                    set_in[what] = sentence.number
                    if rule.sentence and found and scopes[what] is not None:
                        self._set_back(found[-1], what, scopes[what], match.start)
                    if rule.ordered and _skipped(before, held):
                        for finding in pending[what]:
                            finding.inherited.pop(what, None)
                    pending[what] = []
                elif given.pattern.amend:
                    self._amend(given, found)
                else:
                    fresh = {scope for scope, at in set_in.items() if at == sentence.number}
                    for finding in self._of_match(given, scopes, fresh):
                        if given.pattern.once and _among(finding, found):
                            continue
                        found.append(finding)
                        for scope, owner in finding.decided.items():
                            if scope in self.patterns.scopes:
                                scopes[scope] = owner
                        for scope in self.patterns.scopes:
                            if scope in finding.inherited and set_in.get(scope) != sentence.number:
                                pending[scope].append(finding)
        return found

    def _set_back(self, finding: Finding, scope: str, value: Any, place: int) -> None:
        """A scope that is set right after a finding is the finding's: "a run in the second"."""
        between = self.text[finding.end : place]
        is_near = finding.end <= place and len(between) < NEAR
        if is_near and scope in finding.inherited and not re.search(r"[,;:.，；。]", between):
            finding.inherited[scope] = value

    def _amend(self, match: Match, found: Sequence[Finding]) -> None:
        """Add the values of a match to the mark that it is within, else to the last before it."""
        pattern = match.pattern
        fitting = [
            finding
            for finding in found
            if finding.category == pattern.amend
            and all(finding.values.get(name) == value for name, value in pattern.where.items())
        ]
        own = [one for one in fitting if one.start <= match.start < one.end] or fitting[-1:]
        for finding in own[-1:]:
            values = {**pattern.values}
            for phrase in match.phrases:
                values |= phrase.values
            for name, value in values.items():
                finding.values.setdefault(name, value)
            together = [
                one for one in fitting if (one.start, one.end) == (finding.start, finding.end)
            ]
            for name, chunks in match.slots.items():
                held = self._value(name, chunks[0])
                for one in together if isinstance(held, tuple) else ():
                    if name not in one.entities:
                        one.entities[name] = held
                        one.mentions[name] = chunks[0]
                        self.ownership.vote(one, frozenset())
            if match.start - finding.end < 3 and not match.slots:
                finding.end = max(finding.end, match.end)

    def _remember_title(self, item: TextChunk) -> Iterator[tuple[str, tuple[str, str]]]:
        """What a title says that somebody belongs to, which then is who acts."""
        for type in self.patterns.types.values():
            if type.names and type.titles and type.member:
                for slot, chunk in item.slots:
                    if slot == type.member:
                        owner = self._entity_in(slot, chunk)
                        who = self.entity(item, type, owner)
                        if who is not None and owner is not None:
                            self.ownership.memory[type.name, who][owner] += STRONG
                            self.ownership.evidence[type.name, who] += STRONG
                            yield slot, (chunk.type, owner)

    def _referred(self, match: Match, value: Any) -> TextChunk | None:
        if isinstance(value, SlotReference):
            # In the pattern itself, else in its phrases and in the titles of its names.
            within = [*match.phrases, *(one for several in match.slots.values() for one in several)]
            chunks = match.slots.get(value.slot) or [
                chunk for one in within for slot, chunk in one.slots if slot == value.slot
            ]
            return chunks[0] if chunks else None
        return None

    def _scope_value(
        self, match: Match, value: Any, scopes: Mapping[str, Any], of: str = ""
    ) -> Any:
        """What a pattern gives; for the scope of owners, a member stands for its owner."""
        if not isinstance(value, SlotReference):
            return None if value == "" else value
        if value.scope:
            found = scopes.get(value.slot)
        else:
            chunk = self._referred(match, value)
            if chunk is None:
                return None
            found = self._value(value.slot, chunk, self._near(chunk, scopes))
        if of and isinstance(found, tuple) and self.patterns.types[found[0]].member == of:
            votes = self.ownership.memory[found].most_common(1)
            owners = [type.name for type in self.patterns.types.values() if type.pair]
            found = (owners[0], votes[0][0]) if votes and owners else None
        if value.other and isinstance(found, tuple):
            return self.ownership.other(found)
        if value.against:
            pair = (found, match.slots[value.against][0].value)
            return max(pair) if value.higher else min(pair)
        return found if value.more is None else self._more(match, found, *value.more)

    def _more(self, match: Match, held: Any, less: bool, more: str) -> int | None:
        """A number, or the year of a date, with another added or taken away."""
        chunks = match.slots.get(more)
        amount = int(more) if more.isdecimal() else chunks[0].value if chunks else None
        if isinstance(held, str) and held[:4].isdecimal():
            held = int(held[:4])
        if not isinstance(held, int) or not isinstance(amount, int):
            return None
        return held - amount if less else held + amount

    def _near(self, chunk: TextChunk, scopes: Mapping[str, Any]) -> str | None:
        """What a name most likely belongs to: what its title says, else the scope."""
        type = self.patterns.types.get(getattr(chunk, "as_type", chunk.type))
        if type is None or not type.member:
            return None
        for slot, owner in chunk.slots:
            if slot == type.member and (own := self._entity_in(slot, owner)) is not None:
                return own
        held = scopes.get(type.member)
        return held[1] if isinstance(held, tuple) else None

    def _value(self, slot: str, chunk: TextChunk, near: str | None = None) -> Any:
        """What a slot holds: type and id of an entity, or a plain value."""
        type = self.patterns.types.get(getattr(chunk, "as_type", chunk.type))
        if type is None:
            return chunk.value if chunk.type != NAME else " ".join(chunk.value)
        id = self.entity(chunk, type, near)
        if id is None or (type.category and not re.search(r"[^\W\d]", id)):
            return None
        if type.category:
            self.seen[type.name, id] = chunk.start
            self.last[type.name] = id
            if chunk.value != "pronoun":
                self.named.append(((type.name, id), chunk))
            return type.name, id
        return int(id) if id.isdecimal() else id

    def _entity_in(self, slot: str, chunk: TextChunk) -> str | None:
        value = self._value(slot, chunk)
        return value[1] if isinstance(value, tuple) else None

    def _of_match(
        self, match: Match, scopes: Mapping[str, Any], fresh: Set[str]
    ) -> Iterator[Finding]:
        pattern = match.pattern
        for holder, member in pattern.remember.items():
            for chunk in match.slots.get(holder, ()):
                held, stated = scopes.get(member), match.slots.get(member)
                whose = held[1] if isinstance(held, tuple) else None
                if stated:
                    whose = self._entity_in(member, stated[0])
                type = self.patterns.types.get(getattr(chunk, "as_type", chunk.type))
                who = self.entity(chunk, type, whose) if type is not None else None
                if type is not None and who is not None and whose is not None:
                    self.ownership.memory[type.name, who][whose] += STRONG if stated else FRESH
        for chunk in match.slots.get(pattern.about, ()):
            entity = self._value(pattern.about, chunk)
            if isinstance(entity, tuple):
                self.stated[entity].update(pattern.values)
        if not pattern.mark:
            return
        category = self.categories.categories[pattern.mark]
        known = (*category.attributes, *category.relations)
        for row in match_rows(match):
            values: dict[str, Any] = {}
            entities: dict[str, tuple[str, str]] = {}
            mentions: dict[str, TextChunk] = {}
            start, end = match.start, match.end
            at: TextChunk | None
            for name, value in {**pattern.values, **row}.items():
                if name not in known:
                    continue
                if isinstance(value, SlotReference):
                    at = None if value.scope else self._referred(match, value)
                    held = self._scope_value(match, value, scopes)
                elif isinstance(value, TextChunk):
                    at, held = value, self._value(name, value, self._near(value, scopes))
                else:
                    at, held = None, value
                if held is None:
                    continue
                attribute = category.attributes.get(name)
                if at is not None and at.type == DATE and attribute is not None:
                    held = int(str(held)[:4]) if attribute.type == "integer" else held
                if isinstance(held, tuple):
                    entities[name] = held
                    if at is not None and not (isinstance(value, SlotReference) and value.other):
                        mentions[name] = at
                else:
                    values[name] = held
            inherited = {
                name: value
                for name, value in scopes.items()
                if value is not None
                and name in known
                and name not in values
                and name not in entities
            }
            finding = Finding(
                pattern.mark,
                start,
                end,
                values,
                entities,
                mentions,
                inherited,
                pattern.probability,
                pattern.name,
            )
            finding.decided = self.ownership.vote(finding, fresh)
            yield finding


def _among(finding: Finding, found: Sequence[Finding]) -> bool:
    return any(
        one.category == finding.category
        and one.values == finding.values
        and one.entities == finding.entities
        for one in found
    )


def _skipped(before: Any, after: Any) -> bool:
    return isinstance(before, int) and isinstance(after, int) and after > before + 1
