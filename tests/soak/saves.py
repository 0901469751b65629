"""Programs that save a document over and over are killed: each file is old or new, and nothing else stays."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from workbench.disk.unfinished import clear_up

ROOT = Path(__file__).resolve().parents[2]

SAVING = """
import os, sys
from pathlib import Path
from workbench.editing.commands import EditText
from workbench.editing.document import Document
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span
document = Document.open(Path(sys.argv[1]), Path(sys.argv[2]))
if document.recovery is not None:
    document.recover()
number = 0
while True:
    document.execute(EditText((TextEdit(Span(0, len(document.snapshot.text)), f"- {number}\\n" * (number % 400 + 1)),)))
    document.save()
    number += 1
    print(number, flush=True)
"""


def failures(number: int, folder: Path) -> Iterator[str]:
    """What is wrong after *number* kills; every second file has two names, so that it is written in place."""
    chance = random.Random(number)
    for kill in range(number):
        room = folder / str(kill % 10)
        room.mkdir(exist_ok=True)
        file = room / "book.md"
        if not file.exists():
            file.write_text("- 0\n")
            if kill % 2:
                os.link(file, room / "linked.md")
        _killed_while_saving(file, folder / "edits", chance)
        clear_up()
        lines = file.read_text().splitlines()
        names = sorted(each.name for each in room.iterdir())
        if len(set(lines)) != 1:
            yield f"kill {kill}: the file holds {len(set(lines))} kinds of lines"
        if names not in (["book.md"], ["book.md", "linked.md"]):
            yield f"kill {kill}: {', '.join(names)}"
        if kill % 2 and not file.samefile(room / "linked.md"):
            yield f"kill {kill}: the other name is another file"


def _killed_while_saving(file: Path, journals: Path, chance: random.Random) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SAVING, str(file), str(journals)], cwd=ROOT, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    for _save in range(chance.randint(1, 20)):
        process.stdout.readline()
    try:
        process.wait(timeout=chance.uniform(0, 0.02))
    except subprocess.TimeoutExpired:
        process.kill()
    process.communicate()
