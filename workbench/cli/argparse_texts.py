"""What ``argparse`` itself says, such as “usage:” and “the following arguments are required”, in the person's language.

argparse looks its texts up by the names ``_`` and ``ngettext`` of its own module, in the catalogue of the program
that the environment names. Giving it our two functions puts its texts into our catalogue and under our setting.
"""

from __future__ import annotations

import argparse
from typing import Any

from workbench.i18n import N_, _, ngettext
from workbench.visible import visible

TEXTS = (
    N_("usage: "),
    N_("options"),
    N_("positional arguments"),
    N_("show this help message and exit"),
    N_("show program's version number and exit"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("the following arguments are required: %s"),
    N_("unrecognized arguments: %s"),
    N_("one of the arguments %s is required"),
    N_("not allowed with argument %s"),
    N_("ignored explicit argument %r"),
    N_("expected one argument"),
    N_("expected at least one argument"),
    N_("expected at most one argument"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("invalid %(type)s value: %(value)r"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("unknown parser %(parser_name)r (choices: %(choices)s)"),
    N_("%(prog)s: error: %(message)s\n"),
)
"""Those that our commands can show, for the catalogues."""


def translate_argparse() -> None:
    """Let argparse say what it says through our catalogue."""
    for name, function in (("_", _), ("ngettext", ngettext)):
        setattr(argparse, name, function)


class Parser(argparse.ArgumentParser):
    """A parser that repeats what was typed only with signs for hidden characters; commands added to it do so too."""

    def _print_message(self, message: str, file: Any = None) -> None:
        super()._print_message(visible(message), file)
