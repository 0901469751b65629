"""Programs as commands of their own, as real processes: output, exit codes, pipes, signals, and the first line."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import PATIENCE_S
from tests.core.cli_driver import Terminal
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

_ROOT = Path(__file__).resolve().parents[2]
_SAYS = "# T\n## Main($n:int = 2)\n### Steps\n- For each $i in [1, 2]\n  - Say('line {$i * $n}')\n"
_ASKS = "# T\n## Main\n### Steps\n- Say('first')\n- Ask user for $name\n- Say('hello {$name}')\n"
_FAILS = "# T\n## Main\n### Steps\n- Say('first')\n- $x = 1 / 0\n"
_HEARS = (
    "# T\n## Main\n### Triggers\n- When program starts\n### Steps\n- Say('started with {$startup_message}')\n"
    '## Greet\n### Triggers\n- When the user says "hello"\n### Steps\n- Say("Hello yourself")\n'
)
_PYTHON = (
    "# T\n```python\n@playbook(triggers=['At the start'])\nasync def main():\n"
    '    heard = await WaitForMessage("user")\n    await Say("user", f"heard {heard[0].content}")\n```\n'
)


def _words(folder: Path, text: str, *arguments: str) -> list[str]:
    (folder / "tool.md").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "workbench", "run", str(folder / "tool.md"), "--store", str(folder / "store")]
    return [*command, *arguments]


@pytest.mark.parametrize(
    ("text", "arguments", "ends"),
    [
        (_SAYS, (), (0, "line 2\nline 4\n", "")),
        (_SAYS, ("--n", "5"), (0, "line 5\nline 10\n", "")),
        (_SAYS, ("--n", "five"), (2, "", "workbench: argument --n: “five” is not a whole number, such as 42.\n")),
        (_FAILS, (), (1, "first\n", "workbench: Main:02 (line 5) failed: Division by zero")),
        (_ASKS, (), (3, "first\n", "workbench: Main:02 needs an answer, and none is available: Ask user for $name")),
        (_HEARS, ("--message", "hello"), (0, "started with hello\nHello yourself\n", "")),
        (_PYTHON, ("--message", "hello", "--trust"), (0, "heard hello\n", "")),
        (_PYTHON, ("--trust",), (3, "", "needs an answer, and none is available: Waiting for a message.")),
        (_PYTHON, (), (2, "", "main is Python in this file and is not allowed to run yet.")),
    ],
)
def test_a_quiet_run_says_what_the_program_says_and_why_it_failed(
    text: str, arguments: tuple[str, ...], ends: tuple[int, str, str], tmp_path: Path, terminal: Terminal
) -> None:
    code, out, err = ends
    done = terminal.run(*_words(tmp_path, text, "--quiet", *arguments)[3:])
    assert (done.code, done.out) == (code, out)
    assert err in done.err
    assert bool(err) is bool(done.err)


def test_the_input_is_the_startup_message_and_what_is_said_goes_into_a_pipe_as_it_is(tmp_path: Path) -> None:
    words = _words(tmp_path, _HEARS, "--quiet")
    done = subprocess.run(words, input=b"a\tb\xe2\x80\x8bc\n", capture_output=True, cwd=_ROOT, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"started with a\tb\xe2\x80\x8bc\n", b"")


def test_a_reader_that_goes_away_ends_the_run_without_a_word(tmp_path: Path) -> None:
    text = "# T\n## Main\n### Steps\n- Repeat 3000 times\n  - Say('a line that is long enough to fill a pipe')\n"
    with subprocess.Popen(
        _words(tmp_path, text, "--quiet"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=_ROOT
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.stdout.readline() == b"a line that is long enough to fill a pipe\n"
        child.stdout.close()
        assert (child.stderr.read(), child.wait(PATIENCE_S)) == (b"", 130)


def test_an_interrupted_run_ends_with_130_and_says_how_to_go_on(tmp_path: Path) -> None:
    code = f"import time\n\n@playbook\ndef hangs():\n    print('begun', flush=True)\n    time.sleep({PATIENCE_S})\n"
    text = f"# T\n```python\n{code}```\n## Main\n### Steps\n- hangs()\n"
    words = _words(tmp_path, text, "--trust")
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, cwd=_ROOT
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        while b"begun" not in child.stdout.readline():
            pass
        child.send_signal(signal.SIGINT)
        told = child.stderr.read().decode()
        assert child.wait(PATIENCE_S) == 130
    assert told.startswith("workbench: The run was stopped. Resume it with: workbench resume ")


def test_a_person_at_a_terminal_is_asked_by_a_quiet_program(tmp_path: Path) -> None:
    shown = _at_terminal(_words(tmp_path, _PYTHON, "--quiet", "--trust"), {"Your message: ": "hello"})
    assert shown.replace("\r\n", "\n") == "Your message: hello\nheard hello\n"


def _at_terminal(words: list[str], said: dict[str, str]) -> str:
    """What a terminal shows on which *said* is typed behind each prompt."""
    pid, screen = pty.fork()
    if pid == 0:
        os.chdir(_ROOT)
        os.execv(words[0], words)
    shown, left = b"", dict(said)
    while select.select([screen], [], [], PATIENCE_S)[0]:
        try:
            part = os.read(screen, 65_536)
        except OSError:  # the other side is closed
            break
        shown += part
        for prompt in [prompt for prompt in left if shown.decode("utf-8", "replace").endswith(prompt)]:
            os.write(screen, left.pop(prompt).encode() + b"\n")
    os.close(screen)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    return shown.decode()


_FIRST = "#!/usr/bin/env -S workbench run --quiet --store {store}\n"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_first_line_is_no_text_of_the_program_and_stays_as_it_is(end: str) -> None:
    text = (_FIRST + _SAYS).replace("\n", end)
    snapshot = derive(SourceText(text))
    assert ([each.name for each in snapshot.program.playbooks], snapshot.diagnostics) == (["Main"], ())
    assert (snapshot.program.agents[0].description, "".join(each.text for each in snapshot.blocks)) == ("", text)


@pytest.mark.skipif(sys.platform == "win32", reason="files are executable by their names there")
def test_a_program_is_a_command_of_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "workbench").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m workbench "$@"\n', encoding="utf-8")
    program = tmp_path / "twice"
    program.write_text(_FIRST.format(store=tmp_path / "store") + _SAYS, encoding="utf-8")
    for file in (folder / "workbench", program):
        file.chmod(0o755)
    environment = os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(_ROOT)}
    done = [
        subprocess.run([program, *words], capture_output=True, text=True, env=environment, check=False)
        for words in (["--n", "7"], ["--help"])
    ]
    assert (done[0].returncode, done[0].stdout, done[0].stderr) == (0, "line 7\nline 14\n", "")
    assert "--n N  whole number; default: 2" in done[1].stdout


def test_quiet_and_json_are_not_wanted_together(tmp_path: Path, terminal: Terminal) -> None:
    done = terminal.run(*_words(tmp_path, _SAYS, "--quiet", "--json")[3:])
    assert (done.code, "not allowed with argument" in done.err) == (2, True)
