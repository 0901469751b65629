"""Every spelling of a heading in every form that can call it: what the run gives, or that somebody is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.check import snapshot_of
from tests.core.engine_driver import play

HEADINGS = ("process_order($n)", "Process order($n)")
SPELLINGS = ("process_order", "ProcessOrder", "Process_Order", "processOrder", "Order")
IS_HIT = dict.fromkeys(("process_order", "ProcessOrder", "Process_Order"), True)
FORMS = {
    "step": "- {name}(3)\n- Return $seen",
    "step in back-ticks": "- `{name}(3)`\n- Return $seen",
    "with its agent": "- Shop.{name}(3)\n- Return $seen",
    "right side": "- $r = {name}(3)\n- Return $seen",
    "awaited": "- $r = await {name}(3)\n- Return $seen",
    "in an expression": "- $r = {name}(3) + 1\n- Return $seen",
    "condition": "- If {name}(3) > 1\n  - Return $seen\n- Return 0",
    "argument": "- $r = ProcessOrder({name}(3))\n- Return $seen",
    "told": '- Tell user "{{name}(3)}"\n- Return $seen',
    "on the line of a condition": "- If 1 < 2, {name}(3)\n- Return $seen",
    "return": "- Return {name}(3)",
    "Python": "- $r = from_python()\n- Return $seen",
    "trigger": "- ProcessOrder(3)\n- Return $after",
}
PYTHON = "```python\n@playbook\nasync def from_python():\n    return await {name}(3)\n```\n"
TRIGGER = "\n## Watch\n### Triggers\n- After calling {name}\n### Steps\n- $after = 3\n"
PROSE = {
    "run": "- Run {name} with 3\n- Return $seen",
    "in back-ticks": "- $n = 3\n- `{name}`\n- Return $seen",
    "get from": "- $n = 3\n- Get $r from {name}\n- Return $seen",
    "on the line of a condition": "- If 1 < 2, run {name} with 3\n- Return $seen",
}


def result(heading: str, form: str, spelling: str, folder: Path) -> object:
    """What a run gives; “asked” or “failed” where it comes to no result by itself."""
    python = PYTHON.replace("{name}", spelling) if form == FORMS["Python"] else ""
    trigger = TRIGGER.replace("{name}", spelling) if form == FORMS["trigger"] else ""
    steps = form.replace("{name}", spelling)
    own = f"## {heading}\n### Steps\n- $seen = $n\n- Return $n\n"
    text = f"# Shop\n{python}## Main\n### Steps\n- $seen = 0\n- $after = 0\n{steps}\n\n{own}{trigger}"
    played = play(snapshot_of(text), folder)
    if played.bodies("input.asked"):
        return "asked"
    return played.state.result if not played.state.error else "failed"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("heading", HEADINGS)
def test_each_spelling_calls_the_heading_in_each_form(heading: str, form: str, tmp_path: Path) -> None:
    written = heading.removesuffix("($n)")
    for number, spelling in enumerate(SPELLINGS):
        folder = tmp_path / str(number)
        folder.mkdir()
        found = result(heading, FORMS[form], spelling, folder)
        if form == "Python":  # there a name has to be there as it is written
            assert (found == 3) is (spelling in ("ProcessOrder", written)), spelling
        else:
            assert (found == 3) is (spelling in IS_HIT), spelling


@pytest.mark.parametrize("form", PROSE)
@pytest.mark.parametrize("heading", HEADINGS)
def test_in_prose_only_the_exact_spellings_name_the_heading(heading: str, form: str, tmp_path: Path) -> None:
    exact = {"ProcessOrder", heading.removesuffix("($n)")}
    for number, spelling in enumerate(SPELLINGS):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert (result(heading, PROSE[form], spelling, folder) == 3) is (spelling in exact), spelling
