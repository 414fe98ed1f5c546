"""What matches find, read in the order of the text: scopes are set and inherited, names resolved.

What an entity belongs to is decided over the whole document.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

from readmark.tasks.categories.definitions import Categories
from readmark.tasks.extraction.chunks import ChunkedSentence, Chunker, TextChunk, last_name
from readmark.tasks.extraction.ledger_balance import LedgerTotals, balance
from readmark.tasks.extraction.matches import Match, MatchedDocument, match_rows
from readmark.tasks.extraction.open_scopes import OpenScopes
from readmark.tasks.extraction.ownership import FRESH, STRONG, Finding, Ownership
from readmark.tasks.extraction.pattern_set import DATE, NAME, EntityType, Ledger, SlotReference

_NEAR = 40
"""How many characters after a finding a scope may still be its own."""

EntityId = tuple[str, str]
"""The type of an entity, and its id."""


class _Title(NamedTuple):
    """A title before a name: what its bearer belongs to, by scope."""

    owners: Sequence[tuple[str, EntityId]]


class _ScopeChange(NamedTuple):
    """A scope that a match sets."""

    scope: str
    match: Match
    value: Any


class _Event(NamedTuple):
    """Something that happens at a place of a sentence."""

    start: int
    order: int
    what: _Title | _ScopeChange | Match

    @property
    def place(self) -> tuple[int, bool, int]:
        """What comes first: at the same place, scopes are set before a match inherits them."""
        return self.start, isinstance(self.what, Match), self.order


class DocumentReading(MatchedDocument):
    """A document as a reader sees it: what patterns find in it, and who is who."""

    def __init__(self, chunker: Chunker, categories: Categories, id: str, text: str) -> None:
        super().__init__(chunker, id, text)
        self.categories = categories
        self.ownership = Ownership(self)
        self.last: dict[str, str] = {}
        """The entity of each type that was named last, which a pronoun stands for."""
        self.seen: dict[EntityId, int] = {}
        """Where each entity was named last."""
        self.named: list[tuple[EntityId, TextChunk]] = []
        self.stated: dict[EntityId, dict[str, Any]] = defaultdict(dict)
        """Attributes that the text states of entities."""

    def findings(self) -> list[Finding]:
        """What the matches find, each with its owner, in the order in which they are read."""
        findings = self._read_matches()
        for finding in findings:
            self.ownership.settle(finding)
        for category, ledger in self.patterns.ledgers.items():
            balance(self.ownership, category, findings, self._totals_in_text(ledger))
        return findings

    def _totals_in_text(self, ledger: Ledger) -> list[LedgerTotals]:
        """The totals in the text, in its order."""
        totals: dict[int, LedgerTotals] = {}
        for match in self.matches:
            if not match.pattern.check:
                continue
            chunks = [match.slots[slot][0] for slot in match.pattern.check]
            low, high = sorted(chunk.value for chunk in chunks)
            owner = match.pattern.values.get(ledger.by)
            leader = self._scope_value(match, owner, {}) if owner is not None else None
            start, end = chunks[0].start, chunks[-1].end
            before = totals.get(start)
            # One pattern may know whose a score is, and another that it is the last.
            is_final = match.pattern.final or (before is not None and before.is_final)
            if before is None or before.leader is None:
                id = leader and leader[1]
                totals[start] = LedgerTotals(low, high, start, end, match.sentence, id, is_final)
            else:
                totals[start] = before._replace(is_final=is_final)
        return [totals[start] for start in sorted(totals)]

    def entity(self, chunk: TextChunk, type: EntityType, near: str | None = None) -> str | None:
        """The entity that a chunk names; ``near`` is what it most likely belongs to."""
        if chunk.value == "pronoun":
            return self.last.get(type.name)
        if chunk.type != NAME:
            entities: tuple[str, ...] = chunk.value if isinstance(chunk.value, tuple) else ()
            pair = self.pairs.get(type.name)
            if pair is not None:
                return next((id for id in entities if id in pair), None)
            return self._longest(entities[0], type) if entities else None
        words = tuple(chunk.value)
        if not type.surname or (len(words) > 1 and words in self.full_names[last_name(words)]):
            return "-".join(words)
        ids = ["-".join(full_name) for full_name in self._full_names(words)]
        if not ids:
            return self._longest("-".join(words), type)
        if len(ids) == 1:
            return ids[0]
        if type.first:
            return min(ids, key=lambda id: self.text.find(id.replace("-", " ")))
        if near is not None:
            members = [id for id in ids if self._most_likely_owner((type.name, id)) == near]
            if members:
                return max(members, key=lambda id: self.seen.get((type.name, id), -1))
        seen = [id for id in ids if (type.name, id) in self.seen]
        return max(seen, key=lambda id: self.seen[type.name, id]) if seen else ids[0]

    def _full_names(self, words: tuple[str, ...]) -> Sequence[tuple[str, ...]]:
        """The full names in the document that words may be short for: a surname, a first name."""
        names = self.full_names.get(" ".join(words)) or self.full_names.get(last_name(words))
        if names or len(words) > 1:
            return names or ()
        by_first_name = (
            full_name
            for with_surname in self.full_names.values()
            for full_name in with_surname
            if full_name[0] == words[0]
        )
        return [*by_first_name][:1]

    def _most_likely_owner(self, entity: EntityId) -> str | None:
        votes = self.ownership.memory.get(entity)
        return votes.most_common(1)[0][0] if votes else None

    def _longest(self, id: str, type: EntityType) -> str:
        """The longer name in the document that a short one is the beginning or the end of."""
        if not type.short:
            return id
        longer = [
            words
            for words in self.worded[type.name]
            if words.lower().startswith((f"{id.lower()} ", f"{id.lower()},"))
            or (words.endswith(id) and words != id and not id.isascii())
        ]
        return max(longer, key=len, default=id)

    def _read_matches(self) -> list[Finding]:
        """The findings of all sentences, with the scopes that are open where they stand."""
        scopes = OpenScopes(self.patterns.scopes)
        findings: list[Finding] = []
        by_sentence: dict[int, list[Match]] = defaultdict(list)
        for match in self.matches:
            by_sentence[match.sentence.number].append(match)
        for sentence in self.sentences:
            scopes.begin_sentence()
            for event in self._events(sentence, by_sentence[sentence.number]):
                match event.what:
                    case _Title(owners):
                        for scope, owner in owners:
                            scopes.set_owner(scope, owner, sentence.number)
                    case _ScopeChange() as change:
                        self._change_scope(change, scopes, sentence.number, findings)
                    case match_ if match_.pattern.amend:
                        self._amend(match_, findings)
                    case match_:
                        fresh = scopes.fresh(sentence.number)
                        for finding in self._of_match(match_, scopes.values, fresh):
                            if match_.pattern.once and _is_among(finding, findings):
                                continue
                            findings.append(finding)
                            scopes.add(finding, sentence.number)
        return findings

    def _events(self, sentence: ChunkedSentence, matches: Sequence[Match]) -> list[_Event]:
        """What happens in a sentence, in the order in which it takes effect."""
        events: list[_Event] = []
        claimed: set[tuple[str, int]] = set()
        skipped: set[int] = set()
        for order, match in enumerate(matches, 1):
            pattern = match.pattern
            for scope, value in pattern.sets.items():
                chunk = self._referred(match, value)
                is_slot = isinstance(value, SlotReference) and not value.scope
                if is_slot and chunk is None:  # an optional slot, or a title without it
                    continue
                key = (scope, chunk.index if chunk is not None else -match.start)
                if key not in claimed:
                    claimed.add(key)
                    place = chunk.start if chunk is not None else match.start
                    events.append(_Event(place, order, _ScopeChange(scope, match, value)))
            for slot in pattern.skip:
                skipped |= {chunk.index for chunk in match.slots.get(slot, ())}
                claimed |= {(slot, chunk.index) for chunk in match.slots.get(slot, ())}
            if pattern.remember or pattern.mark or pattern.amend or pattern.about:
                events.append(_Event(match.start, order, match))
        for item in sentence.items:
            if item.type == NAME and item.slots:
                owners = list(self._remember_title(item))
                if item.index not in skipped:
                    events.append(_Event(item.start, 0, _Title(owners)))
        events.sort(key=lambda event: event.place)
        for scope, rule in self.patterns.scopes.items():
            if rule.sentence:
                _move_first_change_to_front(events, scope)
        return events

    def _change_scope(
        self, change: _ScopeChange, scopes: OpenScopes, sentence: int, findings: Sequence[Finding]
    ) -> None:
        scope, match, reference = change
        if scopes.is_fixed(scope):
            return
        value = self._scope_value(match, reference, scopes.values, scope)
        if value is None and isinstance(reference, SlotReference):
            return  # nothing in the text says it
        is_over = isinstance(reference, SlotReference) and reference.after
        has_passed_over = scopes.change(scope, value, sentence, is_over=is_over)
        new_value = scopes.values[scope]
        if scopes.rules[scope].sentence and findings and new_value is not None:
            self._set_back(findings[-1], scope, new_value, match.start)
        scopes.release(scope, drop=has_passed_over)

    def _set_back(self, finding: Finding, scope: str, value: Any, place: int) -> None:
        """A scope that is set right after a finding is the finding's: "a run in the second"."""
        between = self.text[finding.end : place]
        is_near = finding.end <= place and len(between) < _NEAR
        if is_near and scope in finding.inherited and not re.search(r"[,;:.，；。]", between):
            finding.inherited[scope] = value

    def _amend(self, match: Match, findings: Sequence[Finding]) -> None:
        """Add the values of a match to the mark that it is within, else to the last before it."""
        pattern = match.pattern
        fitting = [
            finding
            for finding in findings
            if finding.category == pattern.amend
            and all(finding.values.get(name) == value for name, value in pattern.where.items())
        ]
        if not fitting:
            return
        around = [finding for finding in fitting if finding.start <= match.start < finding.end]
        amended = (around or fitting)[-1]
        values = {**pattern.values}
        for phrase in match.phrases:
            values |= phrase.values
        for name, value in values.items():
            amended.values.setdefault(name, value)
        span = amended.start, amended.end
        of_same_words = [finding for finding in fitting if (finding.start, finding.end) == span]
        for name, chunks in match.slots.items():
            entity = self._value(name, chunks[0])
            for finding in of_same_words if isinstance(entity, tuple) else ():
                if name not in finding.entities:
                    finding.entities[name] = entity
                    finding.mentions[name] = chunks[0]
                    self.ownership.vote(finding, frozenset())
        if match.start - amended.end < 3 and not match.slots:
            amended.end = max(amended.end, match.end)

    def _remember_title(self, item: TextChunk) -> Iterator[tuple[str, EntityId]]:
        """What a title says that somebody belongs to, which then is who acts."""
        for type in self.patterns.types.values():
            if type.names and type.titles and type.member:
                for slot, chunk in item.slots:
                    if slot == type.member:
                        owner = self._entity_in(slot, chunk)
                        bearer = self.entity(item, type, owner)
                        if bearer is not None and owner is not None:
                            self.ownership.memory[type.name, bearer][owner] += STRONG
                            self.ownership.evidence[type.name, bearer] += STRONG
                            yield slot, (chunk.type, owner)

    def _referred(self, match: Match, value: Any) -> TextChunk | None:
        """The chunk that a value refers to."""
        if not isinstance(value, SlotReference):
            return None
        if chunks := match.slots.get(value.slot):
            return chunks[0]
        # Not in the pattern itself: in its phrases, or in the titles of its names.
        holders = [*match.phrases, *(chunk for chunks in match.slots.values() for chunk in chunks)]
        for holder in holders:
            for slot, chunk in holder.slots:
                if slot == value.slot:
                    return chunk
        return None

    def _scope_value(
        self, match: Match, reference: Any, scopes: Mapping[str, Any], of: str = ""
    ) -> Any:
        """What a pattern gives; for the scope of owners, a member stands for its owner."""
        if not isinstance(reference, SlotReference):
            return None if reference == "" else reference
        if reference.scope:
            value = scopes.get(reference.slot)
        else:
            chunk = self._referred(match, reference)
            if chunk is None:
                return None
            value = self._value(reference.slot, chunk, self._near(chunk, scopes))
        if of and isinstance(value, tuple) and self.patterns.types[value[0]].member == of:
            votes = self.ownership.memory[value].most_common(1)
            owners = [type.name for type in self.patterns.types.values() if type.pair]
            value = (owners[0], votes[0][0]) if votes and owners else None
        if reference.other and isinstance(value, tuple):
            return self.ownership.other(value)
        if reference.against:
            pair = (value, match.slots[reference.against][0].value)
            return max(pair) if reference.higher else min(pair)
        return value if reference.more is None else self._more(match, value, *reference.more)

    def _more(self, match: Match, value: Any, is_less: bool, more: str) -> int | None:
        """A number, or the year of a date, with another added or taken away."""
        if more.isdecimal():
            amount: Any = int(more)
        else:
            chunks = match.slots.get(more)
            amount = chunks[0].value if chunks else None
        if isinstance(value, str) and value[:4].isdecimal():
            value = int(value[:4])
        if not isinstance(value, int) or not isinstance(amount, int):
            return None
        return value - amount if is_less else value + amount

    def _near(self, chunk: TextChunk, scopes: Mapping[str, Any]) -> str | None:
        """What a name most likely belongs to: what its title says, else the scope."""
        type = self.patterns.types.get(getattr(chunk, "as_type", chunk.type))
        if type is None or not type.member:
            return None
        for slot, owner in chunk.slots:
            if slot == type.member and (id := self._entity_in(slot, owner)) is not None:
                return id
        in_scope = scopes.get(type.member)
        return in_scope[1] if isinstance(in_scope, tuple) else None

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
        """The findings of a match, after what it says to remember."""
        pattern = match.pattern
        for holder, member in pattern.remember.items():
            for chunk in match.slots.get(holder, ()):
                self._remember_member(chunk, member, match, scopes)
        for chunk in match.slots.get(pattern.about, ()):
            entity = self._value(pattern.about, chunk)
            if isinstance(entity, tuple):
                self.stated[entity].update(pattern.values)
        if pattern.mark:
            for row in match_rows(match):
                yield self._finding(match, row, scopes, fresh)

    def _remember_member(
        self, chunk: TextChunk, member: str, match: Match, scopes: Mapping[str, Any]
    ) -> None:
        """Remember what an entity belongs to: what the match says, else the scope."""
        in_scope, stated = scopes.get(member), match.slots.get(member)
        owner = in_scope[1] if isinstance(in_scope, tuple) else None
        if stated:
            owner = self._entity_in(member, stated[0])
        type = self.patterns.types.get(getattr(chunk, "as_type", chunk.type))
        id = self.entity(chunk, type, owner) if type is not None else None
        if type is not None and id is not None and owner is not None:
            self.ownership.memory[type.name, id][owner] += STRONG if stated else FRESH

    def _finding(
        self, match: Match, row: Mapping[str, Any], scopes: Mapping[str, Any], fresh: Set[str]
    ) -> Finding:
        pattern = match.pattern
        category = self.categories.categories[pattern.mark]
        members = (*category.attributes, *category.relations)
        values: dict[str, Any] = {}
        entities: dict[str, EntityId] = {}
        mentions: dict[str, TextChunk] = {}
        for name, given in {**pattern.values, **row}.items():
            if name not in members:
                continue
            chunk: TextChunk | None = None
            value = given
            if isinstance(given, SlotReference):
                chunk = None if given.scope else self._referred(match, given)
                value = self._scope_value(match, given, scopes)
            elif isinstance(given, TextChunk):
                chunk = given
                value = self._value(name, given, self._near(given, scopes))
            if value is None:
                continue
            attribute = category.attributes.get(name)
            if chunk is not None and chunk.type == DATE and attribute is not None:
                value = int(str(value)[:4]) if attribute.type == "integer" else value
            if isinstance(value, tuple):
                entities[name] = value
                if chunk is not None and not (isinstance(given, SlotReference) and given.other):
                    mentions[name] = chunk
            else:
                values[name] = value
        inherited = {
            name: value
            for name, value in scopes.items()
            if value is not None and name in members and name not in (*values, *entities)
        }
        finding = Finding(
            pattern.mark,
            match.start,
            match.end,
            values,
            entities,
            mentions,
            inherited,
            pattern.probability,
            pattern.name,
        )
        finding.decided = self.ownership.vote(finding, fresh)
        return finding


def _move_first_change_to_front(events: list[_Event], scope: str) -> None:
    """The first of a sentence holds from the sentence's beginning."""
    for index, event in enumerate(events):
        if isinstance(event.what, _ScopeChange) and event.what.scope == scope:
            events.insert(0, events.pop(index))
            return


def _is_among(finding: Finding, findings: Sequence[Finding]) -> bool:
    return any(
        other.category == finding.category
        and other.values == finding.values
        and other.entities == finding.entities
        for other in findings
    )
