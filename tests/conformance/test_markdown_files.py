"""Every file of tests/data/markdown is read as it should be, in every variant."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import DATA
from tests.core.check import check_laws
from workbench.editing.commands import MoveSteps, Place, Refusal
from workbench.editing.references import references
from workbench.editing.undoable import plan
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.layout.program import layout_program
from workbench.model.meaning import Call, StepKind
from workbench.model.program import Playbook, Step
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.text import SourceText

FOLDER = DATA / "markdown"
FILES = sorted(path for path in FOLDER.iterdir() if path.suffix in {".md", ".pb", ".pbasm"})
VARIANTS = ("as is", "crlf", "bom", "no final newline", "tabs")
EXPECTED_ERRORS: dict[str, list[str]] = {}


def bytes_of(path: Path, variant: str) -> bytes:
    """The bytes of *path* in *variant*."""
    data = path.read_bytes()
    return {
        "as is": data,
        "crlf": data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"),
        "bom": b"\xef\xbb\xbf" + data,
        "no final newline": data.rstrip(b"\r\n"),
        "tabs": data.replace(b"    ", b"\t"),
    }[variant]


def read(name: str, variant: str = "as is") -> Snapshot:
    """The snapshot of the file *name*."""
    return derive(SourceText.decode(bytes_of(FOLDER / name, variant)))


def playbook(snapshot: Snapshot, name: str) -> Playbook:
    """The playbook called *name*."""
    found = snapshot.program.playbook(name)
    assert found is not None
    return found


def shape(steps: tuple[Step, ...]) -> list[object]:
    """Kinds of steps, as nested lists."""
    return [[step.kind.value, *shape(step.children)] if step.children else step.kind.value for step in steps]


def codes(snapshot: Snapshot) -> Counter[str]:
    """How often which finding is found."""
    return Counter(one.code for one in snapshot.diagnostics)


every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
every_variant = pytest.mark.parametrize("variant", VARIANTS)


@every_file
@every_variant
def test_a_file_opens_draws_is_explained_compiles_and_comes_back(path: Path, variant: str) -> None:
    data = bytes_of(path, variant)
    source = SourceText.decode(data)
    snapshot = derive(source)
    assert (
        "".join(block.text for block in snapshot.blocks).encode("utf-8", "surrogateescape")
        == source.encode()[len(source.bom) :]
    )
    assert source.encode() == data
    layout = layout_program(snapshot)
    drawn = {step.id for one in snapshot.program.playbooks for root in one.steps for step in root.walk()}
    assert all(layout.place_of(step) is not None for step in drawn)
    assert [one.code for one in snapshot.diagnostics if one.severity.value == "error"] == EXPECTED_ERRORS.get(
        path.name, []
    )
    assembly = compile_assembly(snapshot).text
    assert compile_assembly(derive(SourceText(assembly))).text == assembly


@every_file
@every_variant
def test_a_variant_means_what_the_file_means(path: Path, variant: str) -> None:
    plain, other = read(path.name), read(path.name, variant)
    assert [one.name for one in other.program.playbooks] == [one.name for one in plain.program.playbooks]
    if variant == "tabs":
        return  # wider indentation may nest otherwise
    assert codes(other) == codes(plain)
    assert [shape(one.steps) for one in other.program.playbooks] == [
        shape(one.steps) for one in plain.program.playbooks
    ]


@every_file
@every_variant
def test_steps_can_be_moved_and_all_other_lines_stay(path: Path, variant: str) -> None:
    snapshot = read(path.name, variant)
    for one in snapshot.program.playbooks:
        movable = [step for step in one.steps if step.item is not None]
        if len(movable) > 1:
            command = MoveSteps((movable[1].id,), Place(one.name))
            if not isinstance(plan(snapshot, command), Refusal):
                check_laws(snapshot, command)


@every_variant
def test_free_metadata(variant: str) -> None:
    snapshot = read("free-metadata.pb", variant)
    agents = {one.name: dict(one.metadata) for one in snapshot.program.agents}
    assert list(agents) == ["WeatherDesk", "Almanac"]
    assert agents["WeatherDesk"]["model"] == "large"
    assert agents["Almanac"] == {"remote": {"type": "mcp", "url": "stdio://almanac"}}
    assert [dict(one.metadata) for one in snapshot.program.playbooks] == [{"public": True}, {"public": True}]


@every_variant
def test_nested_fences(variant: str) -> None:
    snapshot = read("nested-fences.md", variant)
    (early,) = [one for one in snapshot.diagnostics if one.code == "nested-fence"]
    outer = 1 + snapshot.text.splitlines().index("```markdown")
    closing = 1 + snapshot.text.splitlines().index("```", outer)
    assert f"line {outer}" in early.message
    assert f"line {closing}" in early.message
    assert early.span.of(snapshot.text) == "```bash"
    assert "WriteTheReport" in {one.name for one in snapshot.program.playbooks}


def test_runbook() -> None:
    snapshot = read("runbook.md")
    (found,) = [one for one in snapshot.program.playbooks if one.is_carried_out]
    assert len([step for step in found.steps if step.kind is not StepKind.RAW]) == 6
    assert dict(snapshot.program.front_matter)["severity"] == "page"
    assert len({one.number for one in references(snapshot, found)}) == 3
    assert "unknown-reference" not in codes(snapshot)


@pytest.mark.parametrize("variant", ["as is", "crlf", "bom", "no final newline"])
def test_deep_branches(variant: str) -> None:
    snapshot = read("deep-branches.pb", variant)
    tree = shape(playbook(snapshot, "Main").steps)
    assert tree[0] == "assign"
    assert tree[1] == [
        "decision",
        ["decision", ["loop", ["decision", "step"]], "tell"],
        ["decision", "call"],
    ]
    assert tree[2][0] == "decision"  # type: ignore[index]
    assert [one if isinstance(one, str) else one[0] for one in tree[3:]] == ["decision"] * 3 + ["return"]  # type: ignore[index]


@every_variant
def test_singular(variant: str) -> None:
    snapshot = read("singular.pb", variant)
    assert codes(snapshot) == {
        "section-heading": 2,
        "text-among-steps": 2,
        "second-list": 1,
        "steps-without-heading": 1,
        "no-steps": 1,
    }
    assert all(one.fixes for one in snapshot.diagnostics if one.code != "no-steps")
    found = playbook(snapshot, "Status")
    assert (len(found.triggers), len(found.notes)) == (1, 1)
    assert [step.kind.value for step in found.steps] == ["raw", "ask", "tell", "raw", "return"]


@every_variant
def test_comments(variant: str) -> None:
    snapshot = read("comments.pb", variant)
    assert [one.name for one in snapshot.program.agents] == ["Desk", "Second"]
    steps = playbook(snapshot, "Main").steps
    assert [step.text for step in steps] == ["$a = 1", "If $a == 1", "$c = 3 and more text"]
    owned = snapshot.owned_span(steps[0].id).of(snapshot.text)
    assert owned.startswith("<!-- owned by the first step -->")
    assert "set off" not in snapshot.owned_span(steps[1].id).of(snapshot.text)


@every_variant
def test_unicode(variant: str) -> None:
    snapshot = read("unicode.pb", variant)
    assert {one.name for one in snapshot.program.playbooks} == {"Begrüßung", "手順"}
    assert codes(snapshot)["name-characters"] == 1
    assert codes(snapshot)["name-not-portable"] == 2
    (finding,) = [one for one in snapshot.diagnostics if one.code == "name-characters"]
    assert finding.span.of(snapshot.text).startswith("# Über")


@every_variant
def test_weather_call(variant: str) -> None:
    snapshot = read("weather-call.pb", variant)
    steps = playbook(snapshot, "Main").steps
    calls = [step.meaning.target for step in steps if isinstance(step.meaning, Call)]
    assert calls == ["LoadUserAccount", "get_weather", "get_weather"]
    assert codes(snapshot)["ambiguous-call"] == 1
    (finding,) = [one for one in snapshot.diagnostics if one.code == "ambiguous-call"]
    assert finding.span.of(snapshot.text) == "Send the summary"


@every_variant
def test_compiled(variant: str) -> None:
    snapshot = read("compiled.pbasm", variant)
    found = playbook(snapshot, "Main")
    assert dict(found.metadata) == {"public": True}
    assert (len(found.triggers), len(found.notes)) == (1, 1)
    assert codes(snapshot) == {}
    assert compile_assembly(snapshot).text == snapshot.text
