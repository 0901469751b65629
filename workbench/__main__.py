"""``workbench [FILE]`` opens the window; every other command works in the terminal.

Only the commands that show something import Qt, and only when they are carried out.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from workbench.cli.main import run_command_line
from workbench.disk.places import places
from workbench.disk.private import close_to_others
from workbench.disk.unfinished import clear_up
from workbench.i18n import use_language
from workbench.settings import load_settings

if TYPE_CHECKING:
    from workbench.cli.main import KeyTables
    from workbench.pages.diagrams.forms import Wish
    from workbench.pages.parts import Part


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code of one command line."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    where = places()
    use_language(load_settings(where).language)
    close_to_others(where)
    clear_up()
    return run_command_line(arguments, _open_window, _take_screenshot, draw=_draw, list_keys=_list_keys)


def _open_window(arguments: Sequence[str]) -> int:
    from workbench.gui.app import main as open_window  # noqa: PLC0415 - Qt takes a third of a second to load

    return open_window(arguments)


def _take_screenshot(arguments: Sequence[str]) -> int:
    from workbench.gui.screenshot import main as take_screenshot  # noqa: PLC0415 - as above

    return take_screenshot(arguments)


def _list_keys() -> KeyTables:
    """Keys are written by Qt, which is loaded for it; no window is made."""
    from workbench.gui.control.keys.keymap import key_rows, keymap  # noqa: PLC0415 - as above

    return key_rows(keymap(load_settings(places())).__getitem__)


def _draw(part: Part, wish: Wish) -> bytes:
    # else Qt embeds the letters of fonts in another order each time
    os.environ.setdefault("QT_HASH_SEED", "0")
    from workbench.gui.files.pictures import draw_without_window  # noqa: PLC0415 - as above

    return draw_without_window(part, wish)


if __name__ == "__main__":
    sys.exit(main())
