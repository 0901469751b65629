"""No exception in a method that Qt calls ends the program; and no class of ours keeps the keys for itself."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import subprocess
import sys

import pytest
from PySide6.QtWidgets import QTableView
from shiboken6 import Shiboken

import workbench.gui
from workbench.gui.overrides import overridden

CHILD = """
import sys
import workbench.gui
from PySide6.QtCore import QAbstractListModel, QTimer, Qt
from PySide6.QtWidgets import QApplication, QListView, QPlainTextEdit, QWidget
from PySide6.QtTest import QTest

def fail():
    {fault}

class Field(QPlainTextEdit):
    def keyPressEvent(self, event): fail()

class Picture(QWidget):
    def paintEvent(self, event): fail()

class Names(QAbstractListModel):
    def rowCount(self, parent=None): fail()

application = QApplication([])
seen = []
sys.excepthook = lambda kind, error, trace: seen.append(kind.__name__)
field, picture, names, view = Field(), Picture(), Names(), QListView()
QTimer.singleShot(0, field.show)
QTimer.singleShot(0, picture.show)
QTimer.singleShot(0, lambda: QTest.keyClick(field, Qt.Key.Key_A))
QTimer.singleShot(0, lambda: view.setModel(names))
QTimer.singleShot(200, application.quit)
application.exec()
print("alive", *sorted(set(seen)))
"""


def classes_of_ours() -> set[type]:
    for module in pkgutil.walk_packages(workbench.gui.__path__, "workbench.gui."):
        importlib.import_module(module.name)
    found, waiting = set(), [Shiboken.Object]
    while waiting:
        for each in waiting.pop().__subclasses__():
            if each not in found:
                found.add(each)
                waiting.append(each)
    return {each for each in found if each.__module__.startswith("workbench.")}


def test_every_method_of_ours_that_qt_calls_goes_through_the_border() -> None:
    ours = classes_of_ours()
    assert len(ours) > 100
    bare = [
        f"{each.__module__}.{each.__qualname__}.{name}"
        for each in ours
        for name in overridden(each)
        if not hasattr(vars(each)[name], "__wrapped__")
    ]
    assert not bare


def test_tab_leads_out_of_every_table() -> None:
    tables = {each.__module__ for each in classes_of_ours() if issubclass(each, QTableView)}
    trapping = [each for each in tables if "setTabKeyNavigation(False)" not in inspect.getsource(sys.modules[each])]
    assert tables and not trapping


@pytest.mark.parametrize(
    ("fault", "name"),
    [("int('x')", "ValueError"), ("[][1]", "IndexError"), ("1 / 0", "ZeroDivisionError"), ("{}['x']", "KeyError")],
)
def test_an_exception_of_c_code_in_a_method_that_qt_calls_is_told(fault: str, name: str) -> None:
    child = CHILD.replace("{fault}", fault)
    ended = subprocess.run([sys.executable, "-c", child], capture_output=True, text=True, timeout=120, check=False)
    assert (ended.returncode, ended.stdout.strip()) == (0, f"alive {name}"), ended.stderr
