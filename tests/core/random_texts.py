"""Files that were damaged at random, and everything that reads a file."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml

from tests.conftest import DATA
from workbench.cli.reading import read_snapshot
from workbench.disk.places import places_under
from workbench.editing.keeping.edit_journal import read_journal
from workbench.engine.scripts import parse_calls, parse_script, read_script
from workbench.errors import CannotRead
from workbench.library.exchange import export_bytes, export_patterns, import_patterns
from workbench.library.skills.importing import import_skills
from workbench.library.skills.rules import check_skill_text
from workbench.library.store import PatternStore
from workbench.library.task_types import load_words
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.converting import comments_of, to_markdown, to_steplist
from workbench.model.flow import flow_of_program
from workbench.model.layout.program import layout_program
from workbench.model.loader.loading import PlaybookLoadError, load_text
from workbench.model.snapshot import Snapshot, derive
from workbench.resources import sample_playbooks
from workbench.settings import load_settings, save_settings
from workbench.syntax.change import TextChange
from workbench.syntax.text import SourceText

_ODD = [
    b"\xe9", b"\xed\xa0\x80", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\t", b"\xe2\x80\xae",
    b"\xf3\xa0\x81\x81", b"**", b"__", b"(", b"{$x", b'"', b"`", b"```\n", b"<!--", b"---\n", b"- ", b"-X ", b"&a ",
    b"*a", b"\xe2\x80\x8b",
    b"!!python/object:os.system ", b"steps:\n", b"{", b"]", b"$x = 2**", b"Retrun ", b"If ", b"#", b"|+\n", b"? ",
    b"!!bool ", b"!!timestamp ", b"2024-99-99", b"!!int _", b"!!binary ",
    b"\\ud800", b"9" * 5000, b"\xe2\x80\xa8", b"\x1b[2J", b"<<: ", b"%YAML 9.9\n", b"T1:CND ", b"01:EXE ",
]  # fmt: skip
"""Bytes and marks that readers have trouble with."""


_VALUES: list[Any] = [
    *(None, True, False, 0, -1, 1.5, 10**30, 1e308, float("inf"), "", " ", "off", "\udce9", "\ud800", "x" * 3000),
    *("a\nb", [], {}, [[]], [None], ["a", 1], {"": 1}, {"a": {"b": []}}, "2024-99-99", "../../x", "\0", "{$x}", "<b>"),
]
"""What stands in files in place of what belongs there."""


def originals() -> list[bytes]:
    """The files that are damaged: ours, in every format."""
    folders = ("markdown", "language", "programs", "ordinary", "procedures", "steplists", "steplist_corpus", "enforce")
    folders += ("damaged", "earlier/settings", "earlier/library", "earlier/edits/journals", "earlier/playbooks/scripts")
    paths: list[Path] = [path for name in folders for path in sorted((DATA / name).iterdir()) if path.is_file()]
    samples = [path for sample in sample_playbooks() for path in sorted(sample.parent.glob(f"{sample.stem}*"))]
    skills = sorted(DATA.glob("earlier/library/skills/*/SKILL.md"))
    return [path.read_bytes() for path in [*samples, *paths, *skills] if path.suffix != ".sqlite"]


def damaged(seed: int, files: list[bytes]) -> bytes:
    """One of *files*, changed in some places; always the same for one *seed*."""
    chance = random.Random(seed)
    original = chance.choice(files)
    if seed % 3 == 0 and (loaded := _loaded(original)) is not None:
        return _exchanged(loaded, chance)
    if seed % 3 == 1:
        return _reworded(original, chance.choice(files), chance)
    data = bytearray(original)
    for _ in range(chance.randint(1, 8)):
        start = chance.randrange(len(data) + 1)
        end = min(len(data), start + chance.choice((0, 0, 1, 5, 80)))
        other = chance.choice(files)
        at = chance.randrange(len(other) + 1)
        data[start:end] = chance.choice((chance.choice(_ODD), chance.randbytes(3), other[at : at + 60], b""))
    return bytes(data)


def _reworded(original: bytes, other: bytes, chance: random.Random) -> bytes:
    """*original* with words left out, said twice or exchanged in some lines, also for words of *other*."""
    lines = original.split(b"\n")
    others = other.split() or [b"the"]
    for _ in range(chance.randint(1, 12)):
        at = chance.randrange(len(lines))
        words = lines[at].split(b" ")
        place = chance.randrange(len(words))
        put = ([], [words[place]] * 2, [chance.choice(others)], [words[place], chance.choice(others)])
        words[place : place + 1] = chance.choice(put)
        lines[at] = b" ".join(words)
    return b"\n".join(lines)


def _loaded(data: bytes) -> Any:
    """What a file of data holds; None where it is no such file."""
    try:
        loaded = yaml.safe_load(data)
    except (yaml.YAMLError, ValueError):
        return None
    return loaded if isinstance(loaded, dict | list) else None


def _exchanged(loaded: Any, chance: random.Random) -> bytes:
    """*loaded* with other values in some places, as JSON, which is YAML too."""
    for _ in range(chance.randint(1, 4)):
        inside = [each for each in _collections(loaded) if each]
        if inside:
            where = chance.choice(inside)
            key = chance.choice(list(where) if isinstance(where, dict) else range(len(where)))
            where[key] = copy.deepcopy(chance.choice(_VALUES))
    written = json.dumps(loaded, default=str, ensure_ascii=chance.random() < 0.5)
    return written.encode("utf-8", "surrogatepass")


def _collections(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        yield value
        for each in value.values() if isinstance(value, dict) else value:
            yield from _collections(each)


def read_everything(data: bytes, folder: Path) -> None:
    """All that the program does with a file, but running it. Raises whatever goes wrong.

    *folder*: for what is kept in between, and for readers that want a file.
    """
    source = SourceText.decode(data)
    assert source.encode() == data, "the bytes do not come back"
    snapshot = derive(source)
    assert "".join(block.text for block in snapshot.blocks) == source.text, "the blocks are not the text"
    layout_program(snapshot)
    flow_of_program(snapshot)
    SourceText(compile_assembly(snapshot).text).encode()
    _mend(snapshot)
    _convert(snapshot)
    check_skill_text(source.text, "a")
    file = folder / "damaged.md"
    file.write_bytes(data)
    for read in (parse_script, parse_calls):
        _try(read, source.text)
    for read_file in (read_script, load_words, read_journal):
        _try(read_file, file)
    _import(file)
    _settings(data, folder)


def _try(read: Callable[[Any], object], what: object) -> None:
    """What cannot be read is told in words."""
    with suppress(CannotRead):
        read(what)


def _import(file: Path) -> None:
    """The file is imported by a playbook, as patterns, and as a skill."""
    importing = file.with_name("importing.md")
    importing.write_text("# A\n## M\n### Steps\n- one\n!import damaged.md\n")
    _try(read_snapshot, importing)
    skills = file.with_name("skills")
    (skills / "a").mkdir(parents=True, exist_ok=True)
    (skills / "a" / "SKILL.md").write_bytes(file.read_bytes())
    store = PatternStore(file.with_name("patterns.sqlite"))
    _try(lambda path: import_patterns(store, path), file)
    import_skills(store, skills)
    export_bytes(export_patterns(store.patterns(limit=20)))
    store.close()


def _settings(data: bytes, folder: Path) -> None:
    """The file is that of the settings; what was understood is kept."""
    where = places_under(folder / "home")
    where.settings_file.parent.mkdir(parents=True, exist_ok=True)
    where.settings_file.write_bytes(data)
    settings = load_settings(where)
    save_settings(where, settings)
    assert load_settings(where) == settings, "the settings do not come back"


def _mend(snapshot: Snapshot) -> None:
    """Every fix of the first findings can be made."""
    for finding in snapshot.diagnostics[:20]:
        assert 0 <= finding.span.start <= finding.span.end <= len(snapshot.text), finding
        for fix in finding.fixes:
            derive(SourceText(TextChange(fix.edits).apply(snapshot.text)))


def _convert(snapshot: Snapshot) -> None:
    converted = to_steplist(snapshot) if not snapshot.program.format.is_steplist else None
    try:
        listed = load_text(snapshot.text)
    except PlaybookLoadError:
        listed = None
    if listed is not None:
        converted = to_markdown(listed, comments_of(snapshot.text))
    if converted is not None:
        SourceText(converted.text).encode()
