"""Nothing that a file, a name or a tool holds can steer the terminal, or be there without being seen."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

import workbench.cli
from tests.core.cli_driver import Terminal
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText
from workbench.visible import hidden

HOSTILE = """\
# Desk \x1b]0;owned\x07
```python
@playbook
def look():
    print("\x1b[2J printed")
    return "red\x9b31m \u202eevil"
```
## Main
### Steps
- Tell user "told \x1b[31mRED\x1b[0m \x1b]8;;http://evil\x07link"
- $x = look()
- Tell user "{$x}"
- If \x1b[31mweird is nice
  - Nobody\x1b[32m()
- Ask user for $y \x1b[5mblink
- $z = $unknown\u200bname
"""
LIST = """\
id: chores
name: "Chores \\e[31m"
steps:
  - id: one
    description: "One \\u202e"
    expected_tools: ["sweep\\e[2J"]
"""
SCRIPT = """answers:\n  - "yes \\e[1m"\n"""
CALLS = """calls:\n  - tool: "sweep\\e[2J"\n    result: "done \\e[31m"\n  - tool: "burn\\u202e"\n"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of files with hidden characters in their texts and names."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("b\x1b[31m.md", HOSTILE), ("list.yaml", LIST), ("script.yaml", SCRIPT), ("calls.yaml", CALLS)):
        Path(name).write_text(text, encoding="utf-8")
    return tmp_path


COMMANDS = (
    ("check", "b\x1b[31m.md"),
    ("run", "b\x1b[31m.md", "--script", "script.yaml", "--trust"),
    ("run", "list.yaml", "--script", "calls.yaml"),
    ("runs",),
    ("enforce", "list.yaml", "--calls", "calls.yaml"),
    ("check", "none\x1b[31m.md"),
    ("run", "none\x9b.md"),
    ("edit", "b\x1b[31m.md", "delete", "Main:99\x1b[1m"),
    ("patterns", "show", "\x1b[31m"),
    ("check", "--no-such\x1b[31m"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_command_shows_a_sign_for_what_a_terminal_would_obey(
    command: tuple[str, ...], folder: Path, terminal: Terminal
) -> None:
    terminal.run("run", "list.yaml", "--script", "calls.yaml")  # so that there are runs to list
    done = terminal.run(*command)
    assert not list(hidden(done.out))
    assert not list(hidden(done.err))


def test_json_says_the_same_with_hidden_characters_escaped(folder: Path, terminal: Terminal) -> None:
    done = terminal.run("enforce", "list.yaml", "--calls", "calls.yaml", "--json")
    assert not list(hidden(done.out))
    assert json.loads(done.out.splitlines()[1])["tool"] == "burn\u202e"


def test_what_is_to_become_a_file_is_exact_where_it_is_no_terminal(folder: Path, terminal: Terminal) -> None:
    assert "told \x1b[31mRED" in terminal.run("compile", "b\x1b[31m.md").out


def test_only_one_module_of_the_command_line_writes_and_asks() -> None:
    root = Path(workbench.cli.__path__[0])
    writers = {
        str(path.relative_to(root))
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Name) and node.id in {"print", "input"})
        or (isinstance(node, ast.Attribute) and node.attr in {"write", "buffer"} and "sys.std" in ast.unparse(node))
    }
    assert writers == {"terminal.py"}


@pytest.mark.parametrize("text", ["# A\n## M($x)\n\u2028\n- a\n", "\u2028\r\n- a\n", "# A\n## Steps\n\u2029\n1. a\n"])
def test_a_paragraph_of_nothing_but_separators_is_read(text: str) -> None:
    assert derive(SourceText(text)).text == text
