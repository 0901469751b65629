"""Every catalogue is complete, says what the text says, and is compiled."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("translations", ROOT / "packaging" / "translations.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOOL = _tool()


@pytest.mark.parametrize("path", TOOL.catalogue_files(), ids=lambda path: path.parents[1].name)
def test_a_catalogue_has_every_text_and_no_other(path: Path) -> None:
    assert list(TOOL.faults(path)) == []


@pytest.mark.parametrize(
    ("translation", "words"),
    [
        ("", "not translated"),
        ("{other} Schritte", "other placeholders"),
        ("{count} S&chritte", "other key marks"),
        ("{count} Schritte ", "other key marks or spaces"),
    ],
)
def test_a_faulty_translation_is_found(translation: str, words: str) -> None:
    message = TOOL.Message("{count} steps", translation)
    assert any(words in fault for fault in TOOL._faults_of("{count} steps", message))
