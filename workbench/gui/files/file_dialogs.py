"""The questions about files that the system's own dialogs ask."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from workbench.i18n import _


def ask_file_to_open(parent: QWidget, folder: Path) -> Path | None:
    """The file that the person chose, or None."""
    filters = ";;".join(
        (
            _("Playbooks (*.md *.pb *.playbooks *.pbasm *.yaml *.yml *.json)"),
            _("All files (*)"),
        )
    )
    name, _filter = QFileDialog.getOpenFileName(parent, _("Open a playbook"), str(folder), filters)
    return Path(name) if name else None


def ask_folder(parent: QWidget, folder: Path) -> Path | None:
    """The folder that the person chose, or None."""
    name = QFileDialog.getExistingDirectory(parent, _("Open a folder as a project"), str(folder))
    return Path(name) if name else None


def ask_where_to_save(parent: QWidget, suggestion: Path) -> Path | None:
    """The file to write, or None; ``.md`` where no ending was typed."""
    name, _filter = QFileDialog.getSaveFileName(
        parent, _("Save the playbook"), str(suggestion), _("Playbooks (*.md);;All files (*)")
    )
    if not name:
        return None
    return Path(name) if Path(name).suffix else Path(f"{name}.md")


def ask_picture_file(parent: QWidget, suggestion: Path) -> Path | None:
    """The picture to write, or None; PNG where no other ending was chosen."""
    name, chosen = QFileDialog.getSaveFileName(
        parent, _("Export the flowchart"), str(suggestion), _("PNG picture (*.png);;SVG picture (*.svg)")
    )
    if not name:
        return None
    ending = ".svg" if "*.svg" in chosen else ".png"
    return Path(name) if Path(name).suffix else Path(f"{name}{ending}")


def ask_audit_file(parent: QWidget, suggestion: Path) -> Path | None:
    """The audit to write, or None; a page where no other ending was chosen."""
    name, chosen = QFileDialog.getSaveFileName(
        parent, _("Export the audit"), str(suggestion), _("Page (*.html);;JSON lines (*.jsonl)")
    )
    if not name:
        return None
    ending = ".jsonl" if "*.jsonl" in chosen else ".html"
    return Path(name) if Path(name).suffix else Path(f"{name}{ending}")
