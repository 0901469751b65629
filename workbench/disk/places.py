"""Where things are kept on this machine."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import appdirs

HOME_VARIABLE = "WORKBENCH_HOME"

_APPLICATION = "playbook-workbench"


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of this person on this machine; they need not exist yet.

    *config_dir*: settings. *data_dir*: what a person would miss (runs, patterns). *state_dir*:
    logs, edit journals, what can be lost.
    """

    config_dir: Path
    data_dir: Path
    state_dir: Path

    @property
    def settings_file(self) -> Path:
        """The file of the settings."""
        return self.config_dir / "settings.json"

    @property
    def remembered_file(self) -> Path:
        """What the program keeps by itself from one start to the next: layouts, recent files, the open folder."""
        return self.state_dir / "remembered.json"

    @property
    def permissions_file(self) -> Path:
        """What the person has said about calls of tools."""
        return self.config_dir / "permissions.json"

    @property
    def runs_file(self) -> Path:
        """The journal of runs."""
        return self.data_dir / "runs.sqlite"

    @property
    def patterns_file(self) -> Path:
        """The store of learned patterns."""
        return self.data_dir / "patterns.sqlite"

    @property
    def shelf_file(self) -> Path:
        """The store of generated playbooks, and of notes about what the person wants."""
        return self.data_dir / "shelf.sqlite"

    @property
    def edits_dir(self) -> Path:
        """The folder of the crash journals of edits."""
        return self.state_dir / "edits"

    @property
    def unfinished_dir(self) -> Path:
        """The folder of notes about what is just being saved."""
        return self.state_dir / "unfinished"

    @property
    def breakpoints_file(self) -> Path:
        """Where runs stop, by file."""
        return self.state_dir / "breakpoints.json"

    @property
    def answers_file(self) -> Path:
        """Answers that count for later runs, by file."""
        return self.state_dir / "answers.json"

    @property
    def allowed_dir(self) -> Path:
        """The folder of what was allowed to run, by file."""
        return self.state_dir / "allowed"

    @property
    def servers_dir(self) -> Path:
        """The folder of what is known of servers of tools: what was approved, and what they wrote last."""
        return self.state_dir / "servers"

    @property
    def projects_dir(self) -> Path:
        """The folder of what is known of projects: what each of their files is, and where its links lead."""
        return self.state_dir / "projects"

    @property
    def windows_dir(self) -> Path:
        """The folder of what windows keep: the files that were open last, and marks of those that are."""
        return self.state_dir / "windows"

    @property
    def log_dir(self) -> Path:
        """The folder of the log files."""
        return self.state_dir / "log"


def places() -> Places:
    """The folders of this person, or all under ``$WORKBENCH_HOME`` where that is set."""
    home = os.environ.get(HOME_VARIABLE)
    if home:
        return places_under(Path(home))
    return Places(
        Path(appdirs.user_config_dir(_APPLICATION)),
        Path(appdirs.user_data_dir(_APPLICATION)),
        Path(appdirs.user_state_dir(_APPLICATION)),
    )


def places_under(home: Path) -> Places:
    """All folders inside *home*."""
    return Places(home / "config", home / "data", home / "state")
