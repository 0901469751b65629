"""Who deletes what: PySide lets some answers of Qt belong to whatever was asked, which is not what Qt means."""

from __future__ import annotations

import ast

from tests.architecture.trees import PACKAGE, trees

OWNING = frozenset({"nextInFocusChain", "previousInFocusChain", "topLevelWidget"})


def test_no_widget_comes_to_own_the_one_behind_it() -> None:
    asked = {
        f"{path.relative_to(PACKAGE)}:{node.lineno}: {node.attr}"
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in OWNING
    }
    assert asked == set(), "what stands behind a widget in Qt’s chain would be deleted with it"
