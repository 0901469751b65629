"""The tools of a run from all their boxes, under one set of permissions: built in, of the project, of servers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from workbench.engine.debugging.mocks import Mocking
from workbench.engine.decider import Permission, Tools
from workbench.engine.expressions.data import MAX_VALUE, NotData, as_data, digest_of, is_larger
from workbench.engine.journal.run_events import ToolCalled, ToolResult
from workbench.engine.ports import CallToAllow
from workbench.engine.state.frames import Intent
from workbench.errors import NotTrusted, RunFailed
from workbench.i18n import _, numeral
from workbench.tools.patterns import words_of
from workbench.tools.permissions import Origin, Permissions
from workbench.tools.schemas import bound, check_arguments
from workbench.tools.values import Asking, CallSafety, Toolbox, ToolSpec

# what cannot be made as it stands fails when it is to be shown, and is not made should that change meanwhile
_NOT_UNASKED = Permission(Asking.ALWAYS)


Boxes = Sequence[tuple[Origin, Toolbox]]


@dataclass(frozen=True, slots=True)
class Found:
    """A tool, and the box that has it."""

    spec: ToolSpec
    origin: Origin
    box: Toolbox


def knows(boxes: Boxes, name: str) -> bool:
    """Whether *name* is that of a tool in *boxes*, as far as can be said without starting anything."""
    for _origin, box in boxes:
        with suppress(RunFailed):  # a module that cannot be read: said by the call itself
            if box.may_have(name):
                return True
    return False


class Registry(Tools):
    """All tools that do not stand in the file itself.

    Of two with one name the first is taken: nobody can put a tool in the place of one that is built in. The boxes are
    asked in their order, so that servers are started only for a name that nothing else has. Methods raise RunFailed,
    NotTrusted where a server would be started that nobody has allowed, and Cancelled after ``cancel``.
    """

    def __init__(self, boxes: Boxes, policy: Permissions, mocking: Mocking, *, is_trusted: bool) -> None:
        self.boxes = tuple(boxes)
        self.mocking = mocking
        self._is_trusted = is_trusted
        self.policy = policy

    def found(self, name: str) -> Found | None:
        """The tool *name*, whether it may be used or not."""
        for origin, box in self.boxes:
            spec = box.find(name)
            if spec is not None:
                return Found(spec, origin, box)
        return None

    def safety(self, _agent: str, name: str) -> CallSafety | None:
        """Whether the tool *name* may be called again; None where there is none."""
        if self.mocking.of(name) is not None:
            return CallSafety.READ
        found = self.found(name)
        return None if found is None else found.spec.safety

    def offered(self, _agent: str) -> tuple[ToolSpec, ...]:
        """The tools that may be used."""
        return tuple(each.spec for each in self.all(self.policy))

    def admit(self, _agent: str, name: str) -> None:
        """Raise NotTrusted where calling *name* would run Python of the project, or a server, that nobody allowed."""
        found = self.found(name)
        if found is not None and found.origin is Origin.SERVER:
            with suppress(RunFailed):  # said by the call itself
                found.box.preview(name, {})
        if found is not None and found.origin is Origin.PYTHON and not self._is_trusted:
            message = _(
                "{name} is Python of this project and is not allowed to run yet. Read it, then allow it: "
                "--trust on the command line, or Run in the window. The run waits before this call."
            )
            raise NotTrusted(message.format(name=name))

    def all(self, policy: Permissions) -> tuple[Found, ...]:
        """Every tool that may be used under *policy*."""
        found: dict[str, Found] = {}
        for origin, box in self.boxes:
            for spec in box.specs():
                found.setdefault(spec.name, Found(spec, origin, box))
        return tuple(each for each in found.values() if policy.is_offered(each.spec.name))

    def permission(self, call: ToolCalled | Intent, _playbook: str) -> Permission:
        """Whether *call* needs leave."""
        return self.permission_under(self.policy, call)

    def permission_under(self, policy: Permissions, call: ToolCalled | Intent) -> Permission:
        """Whether *call* needs leave under *policy*."""
        name = call.tool
        found = self.found(name)
        if found is None:
            return _NOT_UNASKED
        if not policy.is_offered(name):
            message = _("The tool {name} is not among those that may be used here.")
            return Permission(Asking.FORBIDDEN, reason=message.format(name=name))
        try:
            arguments = bound(found.spec.schema, call.positional, dict(call.named))
        except RunFailed:
            return _NOT_UNASKED
        asking = policy.asking(found.spec, found.origin, arguments)
        reason = _("The permissions forbid this call.") if asking is Asking.FORBIDDEN else ""
        return Permission(asking, self._subject(found.spec, arguments), reason)

    def _subject(self, spec: ToolSpec, arguments: Mapping[str, Any]) -> str:
        """What stands for this call and those like it: the same command, file, or host; else the tool as it is now."""
        words = words_of(spec.name, arguments, self.policy.folder)
        about = list(words[:1] if spec.name == "http_get" else words) if words is not None else []
        return f"{spec.name}:{digest_of([spec.description, as_data(spec.schema), about])}"

    def described(self, intent: Intent) -> CallToAllow:
        """What is to be shown of the call."""
        found = self._known(intent.tool)
        arguments = self._checked(found.spec, intent)
        preview = found.box.preview(intent.tool, arguments)
        spec = found.spec
        schema = as_data(spec.schema)
        return CallToAllow(intent.key, spec.name, spec.source, arguments, schema, "", preview, spec.description)

    def call(self, intent: Intent, on_output: Callable[[str], None]) -> ToolResult:
        """What the call gives, as data."""
        found = self._known(intent.tool)
        try:
            value = as_data(found.box.call(intent.tool, self._checked(found.spec, intent), on_output))
        except NotData as error:
            raise RunFailed(f"{error}.") from error
        if is_larger(value, MAX_VALUE):
            message = _("It gave more than {limit} characters.")
            raise RunFailed(message.format(limit=numeral(MAX_VALUE)))
        return ToolResult(value)

    def cancel(self) -> None:
        """Give up the call at hand; callable from any thread."""
        for _origin, box in self.boxes:
            box.cancel()

    def close(self) -> None:
        """End all that goes on for these tools."""
        for _origin, box in self.boxes:
            box.close()

    def _known(self, name: str) -> Found:
        found = self.found(name)
        if found is None:
            raise RunFailed(_("There is no tool called {name}.").format(name=name))
        return found

    def _checked(self, spec: ToolSpec, intent: Intent) -> dict[str, Any]:
        arguments = bound(spec.schema, intent.positional, dict(intent.named))
        check_arguments(spec.schema, arguments)
        return arguments
