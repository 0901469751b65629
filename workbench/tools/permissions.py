"""Which calls a person is asked about: what a person has said, what the project forbids, and what is usual."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.tools.confinement import is_protected
from workbench.tools.patterns import check_pattern, is_match, words_of
from workbench.tools.values import Asking, CallSafety, ToolSpec

SHELL_SCRIPT = "sh"
"""The one tool that is there only where a person has said so: a real shell reads what it is given."""


class Origin(enum.Enum):
    """Where a tool comes from. PYTHON: of the file or the project, which was trusted as a whole."""

    BUILT_IN = "built-in"
    PYTHON = "python"
    SERVER = "server"


@dataclass(frozen=True, slots=True)
class Rule:
    """What was said about calls of *tool*. *pattern*: of their arguments, empty for all; see ``patterns``."""

    tool: str
    asking: Asking
    pattern: str = ""


@dataclass(frozen=True, slots=True)
class Permissions:
    """What holds in one run.

    *rules*: of the person; the last that fits is taken, one with a pattern before one without. *project*: those of the
    project, which count where they are stricter. *limits*: sets of tools that alone may be used. *environment*: the
    variables that commands see. *folder*: of the project.
    """

    rules: tuple[Rule, ...] = ()
    project: tuple[Rule, ...] = ()
    limits: tuple[frozenset[str], ...] = ()
    environment: tuple[str, ...] = ()
    folder: Path | None = None

    def asking(self, spec: ToolSpec, origin: Origin, arguments: Mapping[str, Any]) -> Asking:
        """When the person is asked about the call of *spec* with *arguments*."""
        if not self.is_offered(spec.name):
            return Asking.FORBIDDEN
        own = self._fitting(self.rules, spec.name, arguments)
        if any(rule.asking is Asking.FORBIDDEN for rule in own):
            return Asking.FORBIDDEN
        said = usual_asking(spec, origin)
        if own:
            said = max(reversed(own), key=lambda rule: bool(rule.pattern)).asking
        said = self._protecting(spec, origin, arguments, said)
        stricter = (rule.asking for rule in self._fitting(self.project, spec.name, arguments))
        return max((said, *stricter), key=lambda each: each.strictness)

    def is_offered(self, tool: str) -> bool:
        """Whether *tool* may be used at all, whatever it is called with."""
        plain = [rule.asking for rule in (*self.rules, *self.project) if rule.tool == tool and not rule.pattern]
        if tool == SHELL_SCRIPT and not any(rule.tool == tool for rule in self.rules):
            return False
        return Asking.FORBIDDEN not in plain and all(tool in limit for limit in self.limits)

    def limited_to(self, *limits: frozenset[str] | None) -> Permissions:
        """The same with only the tools of each of *limits*, where there is one."""
        return replace(self, limits=(*self.limits, *(limit for limit in limits if limit is not None)))

    def _fitting(self, rules: Iterable[Rule], tool: str, arguments: Mapping[str, Any]) -> list[Rule]:
        return [
            rule
            for rule in rules
            if rule.tool == tool and (not rule.pattern or is_match(tool, arguments, rule.pattern, self.folder))
        ]

    def _protecting(self, spec: ToolSpec, origin: Origin, arguments: Mapping[str, Any], said: Asking) -> Asking:
        """Files that decide what may be done are never written unasked."""
        if origin is Origin.BUILT_IN and spec.name == "write_file":
            words = words_of(spec.name, arguments, self.folder)
            if words is None or is_protected(words):
                return Asking.ALWAYS
        return said


def usual_asking(spec: ToolSpec, origin: Origin) -> Asking:
    """When the person is asked where nothing was said: what only looks around in the project is not asked about.

    What a server says of its tools is its own word, so that even reading is asked about once in a run.
    """
    if origin is Origin.PYTHON:
        return Asking.NEVER
    if origin is Origin.SERVER:
        return Asking.ONCE if spec.safety is CallSafety.READ else Asking.ALWAYS
    return Asking.ALWAYS if spec.safety is CallSafety.UNSAFE or spec.name == "http_get" else Asking.NEVER


def rule_of(text: str, asking: Asking = Asking.NEVER) -> Rule:
    """The rule written as ``TOOL`` or ``TOOL=PATTERN``. Raises RunFailed."""
    tool, _equals, pattern = text.partition("=")
    if not tool.strip():
        raise RunFailed(_("“{text}” is not TOOL or TOOL=PATTERN.").format(text=text))
    if pattern:
        check_pattern(tool.strip(), pattern)
    return Rule(tool.strip(), asking, pattern)
