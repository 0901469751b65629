"""What a file is, by what it says."""

from __future__ import annotations

import pytest

from workbench.model.kinds import FileKind
from workbench.model.snapshot import derive
from workbench.resources import resource_text
from workbench.syntax.text import SourceText


def kind_of(text: str, wanted: FileKind | None = None) -> FileKind:
    """The kind of the file with *text*."""
    return derive(SourceText(text), wanted=wanted).program.kind


PROGRAMS = (
    "# Desk\n\n## CheckOrder\n\n```sh\nlook\n```\n\n### Steps\n\n- Look\n",
    "# Desk\n\n## Main\n\n### Triggers\n\n- At the beginning\n",
    "# Desk\n\n## Greet\n\n- Greet $person\n",
    "# Desk\n\n## Greet($person)\n\n- Say hello\n",
    "# Desk\n\n## Look up order() -> the order\n\n- Look\n",
    "# Desk\n\n## CheckOrder\n\n### Steps\n\n- Look\n",
    "# Desk\n\n## check_order\n\n### Notes\n\n- Be kind\n",
    "# Desk\n\n```python\n@playbook\nasync def f():\n    pass\n```\n",
    "# Desk\n\n```python\n@playbook\nasync def f():\n    pass\n```\n\n## Look\n\n- Look\n",
    "# Desk\n\n## Greet\n\n- Wave\n\n# Till\n\n```python\n@playbook\nasync def f():\n    pass\n```\n",
    "# Desk\n\n## Process order()\n\n- Look\n",
    "# Desk\n\n## Answer\nexecution_mode: raw\n\nAnswer kindly.\n",
    "# Weather:MCP\n\nremote: x\n",
    "# Desk\n\n## Look\n\n- 01:QUE F(); YLD for call\n",
    "---\nname: desk\ndescription: A desk.\n---\n# Desk\n\n## Main\n\n### Steps\n\n- Answer\n",
)
PROCEDURES = (
    "",
    "---\n# what comes out\nresult: a\n---\n# Tea\n\n- Boil\n",
    "# Tea\n\n" + "- Boil\n" * 3000 + "\n## Maintenance\n\n- Clean\n",
    "# Title\n",
    "# Bread\n\n## Knead\n\n- Take the dough\n- Knead it\n",
    "# Tidy\n\n## Steps\n\n1. Clear it\n\n## Notes\n\n- Keep the papers\n",
    "# Count\n\n```python\nfor thing in things:\n    count(thing)\n```\n\n- Count twice\n",
    "# Pods\n\n## Look\n\n1. Set $NAMESPACE and look at ${POD}\n2. Run `kubectl get pods -n $namespace`\n",
    "# Pods\n\n```sh\n- echo $name\n### Triggers\n```\n\n- Look\n",
    "# Prices\n\n- It costs $5 or US$x\n",
    "# Hooks\n\n## When NOT to use use()\n\n- Look\n",
    "# Hooks\n\n## How to call use()\n\n## Using use()\n\n## The use()\n\n- Look\n",
    "# Guide\n\n## Parameters\n\nSay what it takes:\n\n```python\n@playbook\nasync def f():\n    pass\n```\n",
    "# Guide\n\n```python\n" + "\n# a comment" * 1500 + "\n# Alice:Human\n```\n\n- Look\n",
    "# Bread & rolls (small)\n\n## What's next?\n\n### Steps\n\n- Bake it\n",
)
SKILLS = (
    "---\nname: Gardener\nmodel: large\ntools: ['search']\n---\n\nYou keep gardens.\n",
    "---\nname: tidy\ndescription: Tidies a desk.\n---\n\nTake everything off the desk.\n",
    "---\nname: tidy\ndescription: Tidies a desk.\n---\n## Steps\n\n1. Take $1 and $ARGUMENTS\n2. Give $it back\n",
    "---\ndescription: How desks are kept\napplyTo: '**/*.desk'\n---\n- Keep desks tidy\n",
    "---\nmode: agent\ndescription: Tidy\ntools: ['search']\n---\nTidy up.\n",
)


@pytest.mark.parametrize("text", PROGRAMS)
def test_what_only_the_language_has_makes_a_program(text: str) -> None:
    assert kind_of(text) is FileKind.PROGRAM


@pytest.mark.parametrize("text", PROCEDURES)
def test_what_anybody_could_have_written_is_a_procedure(text: str) -> None:
    assert kind_of(text) is FileKind.PROCEDURE


@pytest.mark.parametrize("text", SKILLS)
def test_the_metadata_of_skills_and_agents_makes_a_skill(text: str) -> None:
    assert kind_of(text) is FileKind.SKILL


def test_a_fence_that_is_never_closed_hides_no_mark() -> None:
    assert kind_of("# Desk\n\n- Look\n\n```python\nis_open = True\n\n# Alice:Human\n") is FileKind.PROGRAM


def test_a_variable_in_a_heading_of_the_third_level_is_no_mark() -> None:
    assert kind_of("# Guide\n\n## Habits\n\n### 2. Handle $message\n\nWith care.\n") is FileKind.PROCEDURE


@pytest.mark.parametrize("name", ["blank", "checklist", "conversation", "runbook"])
def test_a_new_file_is_a_program(name: str) -> None:
    assert kind_of(resource_text(f"templates/{name}.md")) is FileKind.PROGRAM


@pytest.mark.parametrize("wanted", [FileKind.PROGRAM, FileKind.PROCEDURE, FileKind.SKILL, FileKind.FOREIGN])
def test_the_word_of_the_person_stands_above_the_text(wanted: FileKind) -> None:
    assert kind_of(PROGRAMS[1], wanted) is kind_of(PROCEDURES[3], wanted) is wanted


def test_a_comment_in_front_matter_is_no_heading_with_settings() -> None:
    assert (
        kind_of("---\nversion: 1\n# The report:\noutputs:\n  - a.md\n---\n\n# A\n\n1. Do it.\n") is FileKind.PROCEDURE
    )
