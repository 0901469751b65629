"""A window opens as the window of an earlier version was closed. See ``tests/data/earlier/README.md``."""

from __future__ import annotations

import json
import shutil

from PySide6.QtWidgets import QDockWidget

from tests.conftest import DATA
from tests.gui.conftest import Windows
from workbench.disk.places import Places

SETTINGS = DATA / "earlier" / "settings"


def test_the_panes_are_where_they_were(open_window: Windows, own_places: Places) -> None:
    shutil.copytree(SETTINGS, own_places.config_dir)
    window = open_window.fresh()
    window.restore()
    docks = {dock.objectName(): dock for dock in window.findChildren(QDockWidget)}
    found = {name: [dock.isVisibleTo(window), window.dockWidgetArea(dock).value] for name, dock in docks.items()}
    expected = json.loads((SETTINGS / "layout.json").read_text("utf-8"))
    assert {name: found[name] for name in expected["panes"]} == expected["panes"]
