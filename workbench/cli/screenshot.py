"""``workbench screenshot``: named here for the help; carried out by the window's own code."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from workbench.i18n import _

if TYPE_CHECKING:
    from argparse import _SubParsersAction


def register(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """List the command; its options belong to the window's code, which is not loaded for a help text."""
    commands.add_parser("screenshot", add_help=False, help=_("save a picture of the window with FILE open"))
