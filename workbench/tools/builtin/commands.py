"""Commands: started as a list of words, with no shell between, unless the tool is the shell itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.tools.builtin.rules import BuiltinRules
from workbench.tools.children.guarding import bare_environment
from workbench.tools.children.limited import Command, CommandRunner, Ended
from workbench.tools.command_lines import argv_of, look_alikes, shown
from workbench.tools.confinement import place_in
from workbench.tools.values import Preview
from workbench.visible import visible

_SHOWN = 2000


def run_command(
    rules: BuiltinRules, runner: CommandRunner, arguments: Mapping[str, Any], on_output: Callable[[str], None]
) -> str:
    """What the command writes to its output. Raises RunFailed where it ends with another code than 0."""
    return _run(rules, runner, argv_of(arguments["command"]), on_output)


def run_script(
    rules: BuiltinRules, runner: CommandRunner, arguments: Mapping[str, Any], on_output: Callable[[str], None]
) -> str:
    """The same for the script of a shell."""
    return _run(rules, runner, ("/bin/sh", "-c", arguments["script"]), on_output)


def show_command(_rules: BuiltinRules, arguments: Mapping[str, Any]) -> Preview:
    """The command line, and a warning where a word in it may be taken for another."""
    argv = argv_of(arguments["command"])
    warning = _("Mixes letters of several alphabets: {word}")
    return Preview(shown(argv), "\n".join(warning.format(word=visible(word)) for word in look_alikes(argv)))


def show_script(_rules: BuiltinRules, arguments: Mapping[str, Any]) -> Preview:
    """The script, which a shell will read."""
    return Preview(_("Run in a shell (/bin/sh)"), visible(arguments["script"]))


def _run(rules: BuiltinRules, runner: CommandRunner, argv: tuple[str, ...], on_output: Callable[[str], None]) -> str:
    command = Command(
        argv,
        place_in(rules.folder, "."),
        bare_environment({name: os.environ[name] for name in rules.environment if name in os.environ}),
        rules.time_limit_s,
        rules.output_limit,
        rules.memory_mb,
    )
    ended = runner.run(command, on_output)
    if ended.exit_code:
        raise RunFailed(_failure(argv, ended))
    return ended.output.removesuffix("\n")


def _failure(argv: tuple[str, ...], ended: Ended) -> str:
    said = (ended.errors.strip() or ended.output.strip())[-_SHOWN:]
    text = _("“{command}” ended with exit code {code}.").format(command=visible(argv[0]), code=ended.exit_code)
    return f"{text}\n{said}" if said else text
