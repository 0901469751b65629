"""Markdown: Python fences, and triggers."""

from __future__ import annotations

import pytest

from tests.core.test_snapshot import book
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.sentences.classify import classify_trigger
from workbench.syntax.assembly_lines import parse_trigger_line
from workbench.syntax.python_functions import PythonFunction, python_functions

MAIN = "\n## M\n### Steps\n- a\n"


def function(decorator: str) -> PythonFunction:
    """A function behind *decorator*."""
    code = f'{decorator}\nasync def weigh(grams: int = 1):\n    """Weighs it.\n\n    Twice.\n    """\n'
    (found,) = python_functions(code)
    return found


def codes(code: str, fence: str = "python", more: str = MAIN) -> set[str]:
    """What is found where *code* stands in a fence below an agent."""
    return {one.code for one in book(f"# A\n\n```{fence}\n{code}\n```\n{more}").diagnostics}


@pytest.mark.parametrize("decorator", ["@playbook", "@playbook()"])
def test_a_bare_decorator(decorator: str) -> None:
    found = function(decorator)
    assert (found.triggers, found.metadata, found.is_public) == ((), (), False)
    assert [(one.name, one.type, one.default) for one in found.parameters] == [("grams", "int", "1")]
    assert found.description == "Weighs it."


def test_triggers_and_everything_else_by_name() -> None:
    found = function('@playbook(triggers=["T1:CND When it is heavy"], public=True, shelf=1)')
    assert found.triggers == ("T1:CND When it is heavy",)
    assert dict(found.metadata) == {"public": True, "shelf": 1}
    assert found.is_public


def test_triggers_without_a_name_are_a_finding() -> None:
    assert function('@playbook(["When asked"])').triggers == ()
    assert "python-unnamed-triggers" in codes('@playbook(["When asked"])\ndef f(): ...')


def test_nested_metadata_is_a_finding() -> None:
    assert not function('@playbook(metadata={"public": True})').is_public
    assert "python-nested-metadata" in codes('@playbook(metadata={"public": True})\ndef f(): ...')


def test_a_single_text_is_an_error() -> None:
    assert "python-triggers-text" in codes('@playbook(triggers="When asked")\ndef f(): ...')


def test_in_compiled_text_a_trigger_needs_its_number_and_code() -> None:
    compiled = "\n## M()\n### Steps\n- 01:EXE a\n"
    code = '@playbook(triggers=["When asked"])\ndef f(): ...'
    assert "python-trigger-code" in codes(code, more=compiled)
    assert "python-trigger-code" not in codes(code)


def test_a_py_fence_is_no_code_and_a_finding() -> None:
    text = f"# A\n\n```py\n@playbook\ndef f(): ...\n```\n{MAIN}"
    assert book(text).program.functions == ()
    assert "python-fence-py" in codes("@playbook\ndef f(): ...", fence="py")


def test_a_fence_below_a_playbook_is_read_and_a_finding() -> None:
    snapshot = book("# A\n\n## M\n```python\n@playbook\ndef f(): ...\n```\n### Steps\n- f()\n")
    assert [one.name for one in snapshot.program.functions] == ["f"]
    assert [one.code for one in snapshot.diagnostics] == ["python-below-playbook"]


def test_code_that_python_refuses_is_an_error_and_is_never_run() -> None:
    assert "python-syntax" in codes("@playbook\ndef f(:\n  pass")
    assert "python-dollar" in codes("@playbook\ndef f(): return $x")
    assert codes("raise RuntimeError") == set()


def test_a_compiled_start() -> None:
    line = parse_trigger_line("T1:BGN At the start")
    assert line is not None
    assert (line.number, line.code, line.content) == ("1", "BGN", "At the start")
    assert classify_trigger("T1:BGN At the start").is_start


def test_a_word_that_only_contains_the_code_is_no_start() -> None:
    assert not classify_trigger("T1:XBGN Whatever").is_start
    assert not classify_trigger("BGNX whatever").is_start


def trigger_codes(trigger: str) -> set[str]:
    """What is found of *trigger* in compiled text."""
    return {one.code for one in book(f"# A\n\n## M()\n### Triggers\n- {trigger}\n### Steps\n- 01:EXE a\n").diagnostics}


@pytest.mark.parametrize("trigger", ["When asked", "T2:CND", "T1:ABC When asked", "t1:evt When asked"])
def test_a_compiled_trigger_without_code_or_words_is_a_finding(trigger: str) -> None:
    assert trigger_codes(trigger) == {"trigger-code"}


def test_a_complete_one_is_not() -> None:
    assert trigger_codes("T1:EVT When asked") == set()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("When program starts", "BGN"),
        ("At the start", "BGN"),
        ("In the beginning", "BGN"),
        ("When user gives a phone number", "EVT"),
        ("Upon receiving a message from Ledger", "EVT"),
        ("When invited to a meeting", "EVT"),
        ("When $weight > 1000", "CND"),
    ],
)
def test_triggers_get_their_codes(text: str, code: str) -> None:
    snapshot = book(f"# A\n\n## M\n### Triggers\n- {text}\n### Steps\n- $weight = 3\n- Return $weight\n")
    assert f"- T1:{code} {text}" in compile_assembly(snapshot).text
