"""Compiled files are such as the first runtime of the language loads, and mean what their source means."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.peer_loader import parts_of, refusals
from tests.core.strategies import documents, programs
from tests.core.test_scan import FILES
from tests.core.test_snapshot import book
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.program import Playbook
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.diagnostics import Severity
from workbench.syntax.text import SourceText


def compiled(text: str) -> str:
    """The assembly of *text*."""
    return compile_assembly(book(text)).text


def meant(snapshot: Snapshot) -> list[object]:
    """What does not depend on how steps are written: agents, playbooks, their texts and settings."""
    return [
        (one.name, one.kind, one.description, one.metadata, [_told(each) for each in one.playbooks], len(one.functions))
        for one in snapshot.program.agents
    ]


def _told(playbook: Playbook) -> tuple[object, ...]:
    return playbook.name, playbook.mode, playbook.parameters, playbook.description, playbook.metadata


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_file_compiles_to_what_is_loaded(path: Path) -> None:
    snapshot = derive(SourceText.decode(path.read_bytes()))
    if snapshot.program.agents:
        assert excused(snapshot, refusals(compile_assembly(snapshot).text)) == []


@given(st.one_of(documents(), programs()))
@settings(max_examples=examples(60))
def test_anything_compiles_to_what_is_loaded_and_means_the_same_and_to_itself(text: str) -> None:
    source, once = book(text), compiled(text)
    assert excused(source, refusals(once)) == []
    if excused(source, ["agent "]):
        assert meant(book(once)) == meant(source)
    assert compiled(once) == once


PYTHON = """\
# A
```python
@playbook(triggers=["At the beginning", 'When "größe"', "After F"], public=True)
async def start(grams: int, name: list[str] = []) -> str:
    \"\"\"Weighs.\"\"\"
    return "x"

@playbook(triggers="When asked")
def one(): pass

@playbook(triggers=["T7:CND $a > 1", r"When it rains"])
def two(): pass

@playbook(triggers=["When the program starts"])
def three(): pass
```
"""


def test_triggers_in_python_get_number_and_code() -> None:
    lines = [line for line in compiled(PYTHON).split("\n") if "triggers" in line and "@" in line]
    assert lines == [
        """@playbook(triggers=["T1:BGN At the beginning", 'T2:EVT When "größe"', "T3:EVT After F"], public=True)""",
        '@playbook(triggers=["T1:EVT When asked"])',
        '@playbook(triggers=["T7:CND $a > 1", r"T2:EVT When it rains"])',
        '@playbook(triggers=["T1:BGN When the program starts"])',
    ]
    assert refusals(compiled(PYTHON)) == []


def test_functions_that_are_public_or_begin_are_offered() -> None:
    fences = [code for part in parts_of(compiled(PYTHON)) for info, code in part.fences if info == "public.json"]
    assert json.loads(fences[0]) == [
        {
            "name": "start",
            "description": "Weighs.",
            "parameters": {
                "type": "object",
                "properties": {"grams": {"type": "integer"}, "name": {"type": "array"}},
                "required": ["grams"],
            },
            "triggers": ["T1:BGN At the beginning", 'T2:EVT When "größe"', "T3:EVT After F"],
            "is_bgn": True,
            "cli_entry": False,
        },
        {
            "name": "three",
            "description": "",
            "parameters": {"type": "object", "properties": {}, "required": []},
            "triggers": ["T1:BGN When the program starts"],
            "is_bgn": True,
            "cli_entry": False,
        },
    ]


def test_code_with_fences_in_it_is_kept_whole() -> None:
    text = '# A\n~~~python\nTEXT = """\n```\nx\n```\n"""\n~~~\n## M\n### Steps\n- Return 1\n'
    assert "````python\n" in compiled(text)
    assert book(compiled(text)).program.agents[0].python == book(text).program.agents[0].python


def test_a_program_of_prompts_and_python_compiles_to_itself() -> None:
    text = (
        PYTHON
        + "## Poem\nRhyme.\n\n- on bees\n\nexecution_mode: raw\n### Triggers\n- When asked\n### Notes\n- Be kind\n"
    )
    once = compiled(text)
    assert compiled(once) == once
    assert book(once).program.playbooks[0].description == "Rhyme.\n\n- on bees"
    assert "- T1:EVT When asked\n### Notes\n- N1 Be kind\n" in once


def test_triggers_and_notes_that_have_their_numbers_get_no_second_one() -> None:
    text = "# A\n## M\n### Triggers\n- T4:CND $n > 1\n- T1:EVT When asked\n### Steps\n- Go\n### Notes\n- N7 Be kind\n"
    assert "- T1:CND $n > 1\n- T2:EVT When asked\n" in compiled(text)
    assert "- N1 Be kind\n" in compiled(text)


def test_the_steps_of_a_playbook_that_chooses_its_own_are_kept() -> None:
    text = "# A\n## M\nexecution_mode: react\nFind it.\n### Steps\n- Look\n"
    assert "### Steps\n- 01:EXE Look\n" in compiled(text)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_compiling_any_file_a_second_time_changes_nothing(path: Path) -> None:
    once = compile_assembly(derive(SourceText.decode(path.read_bytes()))).text
    assert compiled(once) == once


NAMES = {"name-not-portable", "name-starts-with-digit", "name-is-phrase", "parameters-damaged"}


def excused(snapshot: Snapshot, reasons: list[str]) -> list[str]:
    """*reasons* without those that a finding tells the author of."""
    found = snapshot.diagnostics
    if any(one.severity is Severity.ERROR for one in found):
        return []
    names = [one.name for one in (*snapshot.program.agents, *snapshot.program.playbooks)]
    # nobody calls the chapters of a procedure by name, so nothing is said of their letters
    is_free = snapshot.deriver.is_procedure and not all(name.isascii() for name in names)
    is_named = is_free or any(one.code in NAMES for one in found)
    return [each for each in reasons if not (is_named and each.startswith(("agent ", "playbook ", "parameters ")))]
