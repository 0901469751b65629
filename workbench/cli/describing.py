"""How the commands present themselves: what they do comes first, then what else is worth knowing, then an example."""

from __future__ import annotations

import argparse
from typing import TypeAlias

from workbench.i18n import _

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""What commands are added to."""


def add_command(commands: Commands, name: str, what: str, example: str, notes: str = "") -> argparse.ArgumentParser:
    """The parser of the command *name*, whose ``--help`` begins with *what* it does and ends with *example*."""
    sentence = f"{what[:1].upper()}{what[1:]}."
    return commands.add_parser(
        name,
        help=what,
        description=f"{sentence} {notes}".rstrip(),
        epilog=_("Example: {command}").format(command=f"workbench {example}"),
    )
