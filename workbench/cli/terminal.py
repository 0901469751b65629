"""What the commands print, how they present themselves, and the exit codes that scripts can rely on.

Much of what is printed comes from files and tools that nobody has to trust, so what is written to be read shows a sign
for each character that a terminal would obey or that nobody would see.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import sys
from pathlib import Path
from typing import Protocol, TypeAlias

from workbench.i18n import _
from workbench.syntax.text import SourceText, split_lines
from workbench.visible import hidden, visible

FINE = 0
FINDINGS = 1
UNUSABLE = 2
INPUT_NEEDED = 3
INTERRUPTED = 130
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""What commands are added to."""


def show(text: str) -> None:
    """Write *text* and a line end to the output; bytes that are not UTF-8 come out as they came in."""
    _write(visible(text) + "\n")


def show_piece(text: str) -> None:
    """Write *text*, which goes on, as it comes."""
    _write(visible(text))
    sys.stdout.flush()


def show_exactly(text: str) -> None:
    """Write *text* as it is where a file or a program takes it: as a patch, or as the file it is to become."""
    _write(visible(text) if sys.stdout.isatty() else text)


def show_bytes(data: bytes) -> None:
    """Write *data*, which is no text, to the output."""
    sys.stdout.buffer.write(data)
    sys.stdout.flush()


def show_json(value: object, indent: int | None = 2) -> None:
    """Write *value* as JSON that every reader accepts; what nobody would see is escaped."""
    text, at = json.dumps(value, indent=indent, ensure_ascii=False), 0
    pieces: list[str] = []
    for start, end in hidden(text):
        pieces += (text[at:start], json.dumps(text[start:end])[1:-1])
        at = end
    _write("".join((*pieces, text[at:])).encode("utf-8", "backslashreplace").decode() + "\n")


def hand_out(options: argparse.Namespace, text: str) -> None:
    """Write *text* where *options* want it, else print it. Raises CannotSave."""
    if options.output is None:
        if not options.json:
            show_exactly(text)
        return
    from workbench.disk.atomic import write_new_file  # noqa: PLC0415 - most commands write no file
    from workbench.disk.outputs import write_file  # noqa: PLC0415 - likewise

    write_file(options.output, SourceText(text).encode(), write_new_file)
    if not options.quiet and not options.json:
        show(_("Wrote {path}.").format(path=options.output))


def complain(text: str) -> None:
    """Write *text* to the error stream, under the program's name."""
    sys.stderr.write(f"workbench: {visible(text)}\n".encode("utf-8", "backslashreplace").decode())
    sys.stderr.flush()


def read_all_bytes() -> bytes:
    """Everything that another program passes in, as it is."""
    return sys.stdin.buffer.read()


def read_line(question: str) -> str:
    """What a person types behind *question*."""
    return input(visible(question))


class Console(Protocol):
    """Where a person reads and types."""

    def show(self, text: str) -> None:
        """Let the person read *text*, which is lines of its own."""
        ...

    def read_line(self, question: str) -> str:
        """What the person types behind *question*. Raises EOFError where nothing more comes."""
        ...


class Terminal:
    """The terminal as a console."""

    def show(self, text: str) -> None:
        """Print *text*."""
        show(text)

    def read_line(self, question: str) -> str:
        """What is typed behind *question*. Raises EOFError."""
        return read_line(question)


TERMINAL = Terminal()


def _write(text: str) -> None:
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(text)
        return
    sys.stdout.flush()
    buffer.write(SourceText(text).encode())
    buffer.flush()


def show_difference(path: Path, before: str, after: str) -> None:
    """Print how *path* would change from *before* to *after*."""
    name = path.as_posix().lstrip("/")
    for line in difflib.unified_diff(split_lines(before), split_lines(after), f"a/{name}", f"b/{name}"):
        is_whole = line.endswith(("\n", "\r"))
        show_exactly((line.removesuffix("\n") if is_whole else f"{line}\n\\ No newline at end of file") + "\n")


def add_command(
    commands: Commands, name: str, what: str, example: str, notes: str = "", **how: str
) -> argparse.ArgumentParser:
    """The parser of the command *name*, whose ``--help`` begins with *what* it does and ends with *example*.

    *how*: what ``argparse`` is told besides.
    """
    sentence = f"{what[:1].upper()}{what[1:]}."
    return commands.add_parser(
        name,
        help=what,
        description=f"{sentence} {notes}".rstrip(),
        epilog=_("Example: {command}").format(command=f"workbench {example}"),
        **how,  # type: ignore[arg-type]
    )


def taken_wires() -> tuple[int, int]:
    """The input and the output of the process, which nothing else can read or write any more.

    What a run or a tool of it prints goes to the errors, and what it reads has come to its end.
    """
    wire_in, wire_out = os.dup(0), os.dup(1)
    empty, full = os.pipe()
    os.close(full)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)
    return wire_in, wire_out
