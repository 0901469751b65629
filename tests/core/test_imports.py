"""Imports and programs of several files: what they become, and where each line comes from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal
from workbench.cli.reading import files_named, read_program
from workbench.disk.files import project_folder
from workbench.errors import CannotRead
from workbench.syntax.blocks import BlockKind
from workbench.syntax.imports import DEEPEST, LARGEST_IMPORT, import_line, join_program
from workbench.syntax.scan import scan

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file below the folder of the test."""

    def write_file(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    return write_file


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    """A terminal without a display."""
    return Terminal(capsys)


def joined(path: Path) -> str:
    """The text of the program in *path*, imports replaced."""
    return join_program([(path, path.read_text("utf-8"))], lambda one: one.read_text("utf-8")).text


def refusals(path: Path) -> list[str]:
    """What is said of the imports in *path* that cannot be read."""
    return [one.message for one in read_program([path]).findings]


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("!import a.txt\n", "a.txt"),
        ("  !import a.txt", "a.txt"),
        ("\t!import my part.txt  \r\n", "my part.txt"),
        ("!import a.txt # why\n", "a.txt"),
        ("!import h#x.txt\n", "h"),
        ("!import ../up/a.txt\n", "../up/a.txt"),
    ],
)
def test_a_whole_line_names_a_file(line: str, path: str) -> None:
    found = import_line(line)
    assert found is not None
    assert found.path == path


@pytest.mark.parametrize(
    "line", ["text !import a\n", "- !import a\n", "!importa.txt\n", "!import\n", "!import # a\n", ""]
)
def test_other_lines_are_no_imports(line: str) -> None:
    assert import_line(line) is None


def test_the_file_takes_the_place_of_the_line_and_its_indentation(write: Write) -> None:
    write("part.md", "- b\n\n  - c\n")
    path = write("a.md", "- a\n  !import part.md # more\n- d\n")
    assert joined(path) == "- a\n  - b\n\n    - c\n- d\n"


def test_a_tab_is_kept_and_an_empty_file_leaves_nothing(write: Write) -> None:
    write("my part.md", "- b")
    write("empty.md", "")
    assert joined(write("a.md", "- a\n\t!import my part.md\n!import empty.md\n- c")) == "- a\n\t- b\n- c"


def test_files_are_looked_for_beside_the_file_that_imports_them(write: Write, tmp_path: Path) -> None:
    write("parts/one.md", "!import two.md\n!import ../three.md\n")
    write("parts/two.md", "- two\n")
    three = write("three.md", "- three\n")
    path = write("a.md", f"!import parts/one.md\n!import {three}\n!import file://{three}\n")
    assert joined(path) == "- two\n- three\n- three\n- three\n"


def test_a_file_that_is_not_beside_is_looked_for_beside_the_program(write: Write) -> None:
    write("parts/one.md", "!import shared.md\n")
    write("shared.md", "- shared\n")
    assert joined(write("a.md", "!import parts/one.md\n")) == "- shared\n"


def test_the_same_file_twice_comes_twice(write: Write) -> None:
    write("one.md", "- one\n")
    assert joined(write("a.md", "!import one.md\n!import one.md\n")) == "- one\n- one\n"


def test_a_circle_is_refused_with_its_chain(write: Write) -> None:
    write("b.md", "!import a.md\n")
    path = write("a.md", "- a\n!import b.md\n")
    assert refusals(path) == ["This file would import itself: a.md → b.md → a.md."]
    assert "!import a.md" in joined(path)


def test_a_file_that_imports_itself_is_refused(write: Write) -> None:
    assert refusals(write("a.md", "!import a.md\n")) == ["This file would import itself: a.md → a.md."]


def test_imports_nest_ten_deep_and_no_deeper(write: Write) -> None:
    for depth in range(1, DEEPEST + 2):
        write(f"{depth}.md", f"- {depth}\n!import {depth + 1}.md\n")
    path = write("a.md", "!import 1.md\n")
    assert joined(path) == "".join(f"- {depth}\n" for depth in range(1, DEEPEST + 1)) + f"!import {DEEPEST + 1}.md\n"
    assert len(refusals(path)) == 1


def test_what_is_missing_too_large_or_no_text_is_a_finding_at_its_line(write: Write, tmp_path: Path) -> None:
    write("large.md", "x" * (LARGEST_IMPORT + 1))
    (tmp_path / "binary.md").write_bytes(b"a\0b")
    path = write("a.md", "# A\n\n!import missing.md\n!import large.md\n!import binary.md\n!import .\n")
    program = read_program([path])
    assert [program.place(one.span.start) for one in program.findings] == [(path, line, 1) for line in (3, 4, 5, 6)]
    assert all(one.code == "import-refused" and one.message.endswith(".") for one in program.findings)
    assert program.snapshot.text == path.read_text()


def test_empty_imports_of_imports_come_to_an_end(write: Write) -> None:
    write("0.md", "")
    for depth in range(1, 9):
        write(f"{depth}.md", f"!import {depth - 1}.md\n" * 10)
    program = read_program([write("a.md", "!import 8.md\n")])
    assert "imports" in program.findings[0].message


def test_many_imports_of_imports_do_not_take_all_memory(write: Write) -> None:
    write("leaf.md", "x" * 500_000)
    for depth in range(4):
        below = "leaf.md" if depth == 0 else f"{depth - 1}.md"
        write(f"{depth}.md", f"!import {below}\n" * 10)
    program = read_program([write("a.md", "!import 3.md\n")])
    assert len(program.snapshot.text) < 17 * 1024 * 1024
    assert "16 MiB" in program.findings[0].message


@pytest.mark.parametrize("name", ['"one.md"', "https://example.org/one.md", "h#x.md"])
def test_quoted_names_and_addresses_are_not_found(write: Write, name: str) -> None:
    write("one.md", "- one\n")
    write("h#x.md", "- one\n")
    assert len(refusals(write("a.md", f"!import {name}\n"))) == 1


def test_an_import_inside_a_fence_is_replaced(write: Write) -> None:
    write("code.py", "x = 1\n")
    assert joined(write("a.md", "```python\n!import code.py\n```\n")) == "```python\nx = 1\n```\n"


def test_the_shebang_of_an_imported_file_is_left_out_and_lines_are_still_counted_right(write: Write) -> None:
    part = write("part.md", "#!/usr/bin/env pb\n- b\n")
    program = read_program([write("a.md", "#!/usr/bin/env pb\n# A\n!import part.md\n")])
    assert program.snapshot.text == "#!/usr/bin/env pb\n# A\n- b\n"
    assert program.place(program.snapshot.text.index("- b")) == (part, 2, 1)


def test_every_line_knows_its_file_and_line(write: Write) -> None:
    part = write("part.md", "- b\n- c\n")
    path = write("a.md", "# A\n- a\n  !import part.md\n- d\n")
    program = read_program([path])
    text = program.snapshot.text
    places = [program.place(text.index(mark)) for mark in ("- a", "- b", "- c", "- d")]
    assert places == [(path, 2, 1), (part, 1, 1), (part, 2, 1), (path, 4, 1)]


def test_without_its_path_an_import_is_a_block_of_its_own() -> None:
    blocks = scan("- a\n!import part.md\nmore\n")
    assert [(block.kind, block.text) for block in blocks] == [
        (BlockKind.ITEM, "- a\n"),
        (BlockKind.PARAGRAPH, "!import part.md\n"),
        (BlockKind.PARAGRAPH, "more\n"),
    ]


def test_an_import_inside_an_item_is_none_of_its_words() -> None:
    block = scan("- a\n  !import part.md\n  - b\n")[0]
    assert block.item is not None
    assert block.item.text.of(block.text) == "a"
    assert len(block.item.children) == 1


def test_several_files_are_joined_by_a_blank_line_and_their_calls_are_known(write: Write) -> None:
    first = write("a.pb", "# A\n\n## Main\n### Steps\n- Other()")
    second = write("b.pb", "#!/usr/bin/env pb\n# B\n\n## Other\npublic: true\n### Steps\n- Return 1\n")
    program = read_program([first, second])
    assert program.snapshot.text == first.read_text() + "\n\n" + second.read_text().split("\n", 1)[1]
    assert program.diagnostics == ()


def test_patterns_name_files_once_and_in_order(write: Write, tmp_path: Path) -> None:
    names = [write(name, "# A\n") for name in ("b/two.pb", "b/c/three.pb", "a.pb")]
    assert files_named([tmp_path / "a.pb", tmp_path / "**/*.pb"]) == [names[2], names[1], names[0]]
    assert files_named([tmp_path / "?.pb", tmp_path / "[ab].pb"]) == [names[2]]
    with pytest.raises(CannotRead, match="No file matches"):
        files_named([tmp_path / "*.md"])


def test_a_field_that_two_files_set_is_a_finding_and_the_first_one_counts(write: Write) -> None:
    first = write("a.pb", "---\ntitle: One\n---\n# A\n")
    second = write("b.pb", "---\nauthor: me\ntitle:\n  Two\n---\n# B\n")
    program = read_program([first, second])
    assert dict(program.snapshot.program.front_matter) == {"title": "One", "author": "me"}
    assert [one.code for one in program.findings] == ["front-matter-twice"]
    assert "b.pb sets title again; the value from a.pb is used" in program.findings[0].message


def test_the_map_of_compiled_lines_names_files_and_lines_after_imports(write: Write, terminal: Terminal) -> None:
    part = write("part.md", "- $a = 1\n- $b = $a\n")
    first = write("a.pb", "# A\n\n## Main\n### Steps\n!import part.md\n- Return $b\n")
    second = write("b.pb", "# B\n\n## Other\n### Steps\n- Return 1\n")
    lines = terminal.run("compile", first, second, "--map").json["lines"]
    steps = {one["step"]: (one.get("file", ""), one["source_line"]) for one in lines if one["step"]}
    assert steps == {
        "Main:01": (str(part), 1),
        "Main:02": (str(part), 2),
        "Main:03": ("", 6),
        "Other:01": (str(second), 5),
    }


def test_several_files_run_as_one_program(write: Write, terminal: Terminal) -> None:
    first = write("a.pb", "# A\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n!import part.md\n- Return $b\n")
    write("part.md", "- $b = Other(2)\n")
    second = write("b.pb", "# B\n\n## Other($a)\npublic: true\n### Steps\n- Return $a + 1\n")
    done = terminal.run("run", first, second, "--json")
    assert done.code == 0
    assert '"return":3' in done.out.splitlines()[-1]


def test_a_program_with_a_missing_import_is_not_run(write: Write, terminal: Terminal) -> None:
    done = terminal.run("run", write("a.pb", "# A\n\n## Main\n### Steps\n!import gone.md\n- Return 1\n"))
    assert (done.code, done.out) == (2, "")
    assert "gone.md" in done.err


def test_compiling_says_what_could_not_be_imported(write: Write, terminal: Terminal) -> None:
    done = terminal.run("compile", write("a.pb", "# A\n\n## Main\n### Steps\n- Return 1\n!import gone.md\n"))
    assert done.code == 1
    assert ":6:1: There is no file “gone.md”" in done.err
    assert "01:RET 1" in done.out


def test_findings_stand_in_the_imported_file(write: Write, terminal: Terminal) -> None:
    part = write("part.md", "- Return $nothing\n")
    done = terminal.run("check", write("a.pb", "# A\n\n## Main\n### Steps\n- If true\n  !import part.md\n"), "--json")
    assert [(one["path"], one["line"], one["column"]) for one in done.json] == [(str(part), 1, 10)]


def test_files_are_checked_each_for_itself_or_together(write: Write, terminal: Terminal) -> None:
    first = write("a.pb", "# A\n\n## Main\n### Steps\n- Other()\n")
    second = write("b.pb", "# B\n\n## Other\npublic: true\n### Steps\n- Return 1\n")
    assert terminal.run("check", first, second).code == 1
    assert terminal.run("check", "--together", first, second).code == 0


@pytest.fixture
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that is in no project."""
    path = tmp_path_factory.mktemp("outside") / "secret.md"
    path.write_text("- secret\n")
    return path


WAYS: tuple[Callable[[Path, Path], str], ...] = (
    lambda _folder, secret: str(secret),
    lambda _folder, secret: f"file://{secret}",
    lambda folder, secret: f"../{secret.relative_to(folder.parent)}",
    lambda folder, secret: (folder / "link.md").symlink_to(secret) or "link.md",  # type: ignore[func-returns-value]
    lambda folder, secret: (folder / "down").symlink_to(secret.parent) or "down/secret.md",  # type: ignore[func-returns-value]
)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("allowed", ["", "secret.md", "."])
def test_what_is_outside_the_project_is_read_only_if_it_is_allowed(
    way: Callable[[Path, Path], str], allowed: str, write: Write, tmp_path: Path, outside: Path
) -> None:
    path = write("a.md", f"- a\n!import {way(tmp_path, outside)}\n")
    program = read_program([path], [outside.parent / allowed] if allowed else [])
    (finding,) = program.findings
    assert (finding.code, str(outside) in finding.message) == ("import-outside", True)
    assert program.place(finding.span.start)[1] == (1 if allowed else 2)
    assert ("secret\n" in program.snapshot.text) == bool(allowed)
    assert bool(program.errors) == (not allowed)


def test_the_project_is_the_folder_of_the_repository(write: Write, tmp_path: Path) -> None:
    write(".git/HEAD", "ref: refs/heads/main\n")
    write("shared/part.md", "- shared\n")
    assert joined(write("desk/deep/a.md", "!import ../../shared/part.md\n")) == "- shared\n"
    assert project_folder(tmp_path / "desk" / "deep" / "a.md") == tmp_path.resolve()


def test_without_a_repository_the_project_is_the_folder_of_the_file(write: Write) -> None:
    write("shared.md", "- shared\n")
    path = write("desk/a.md", "!import ../shared.md\n")
    assert [one.code for one in read_program([path]).findings] == ["import-outside"]


def test_a_file_that_is_named_brings_its_own_project(write: Write) -> None:
    part = write("parts/b.md", "!import c.md\n")
    write("parts/c.md", "- c\n")
    program = read_program([write("desk/a.md", "- a\n"), part])
    assert not program.findings
    assert "- c\n" in program.snapshot.text


@pytest.mark.parametrize(("command", "code"), [("check", 1), ("compile", 1), ("run", 2)])
def test_the_commands_refuse_what_is_outside_and_take_it_when_told(
    command: str, code: int, write: Write, outside: Path, terminal: Terminal
) -> None:
    path = write("a.md", f'# A\n\n## Main\n### Steps\n- Tell user "hello"\n!import {outside}\n')
    outside.write_text('- Tell user "from outside"\n')
    refused = terminal.run(command, path)
    assert (refused.code, "outside the project folder" in refused.out + refused.err) == (code, True)
    taken = terminal.run(command, path, "--import-from", outside.parent)
    assert taken.code == 0
    assert command == "run" or "is read from outside the project folder" in taken.out + taken.err
