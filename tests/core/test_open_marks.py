"""Marks of open files: who has one open is known while that lives, and can be asked to show it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from workbench.editing.keeping.open_marks import OpenMark, leave_wish, marks_elsewhere


def test_a_mark_is_seen_by_others_until_it_is_removed(tmp_path: Path) -> None:
    folder, file = tmp_path / "open", tmp_path / "a.md"
    mark = OpenMark(folder, file)
    assert marks_elsewhere(folder, file) == (mark.file,)
    assert marks_elsewhere(folder, tmp_path / "below" / ".." / "a.md") == (mark.file,)
    assert marks_elsewhere(folder, file, mark.file) == ()
    assert marks_elsewhere(folder, tmp_path / "b.md") == ()
    assert not mark.take_wish()
    leave_wish(mark.file)
    assert mark.take_wish()
    assert not mark.take_wish()
    mark.remove()
    assert marks_elsewhere(folder, file) == ()
    assert list(folder.iterdir()) == []


def test_the_mark_of_a_program_that_was_killed_counts_no_more(tmp_path: Path) -> None:
    folder, file = tmp_path / "open", tmp_path / "a.md"
    code = "import sys; from pathlib import Path; from workbench.editing.keeping.open_marks import OpenMark\n"
    code += f"mark = OpenMark(Path({str(folder)!r}), Path({str(file)!r})); print('held', flush=True); sys.stdin.read()"
    child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    assert len(marks_elsewhere(folder, file)) == 1
    child.kill()
    child.communicate()
    assert marks_elsewhere(folder, file) == ()
    assert list(folder.iterdir()) == []
